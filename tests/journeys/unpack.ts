/**
 * Unpacks the browser of the npm package, and the libraries that it needs on a system without them, into the temporary
 * folder of its process (`TMPDIR`): the package knows no other place, so this is a program of its own.
 */
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import packed, { inflate } from '@sparticuz/chromium'

await packed.executablePath()
await inflate(
  path.join(path.dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin/al2023.tar.br'),
)
