import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { startTestServer, testServerVariable } from './testing.ts'

/**
 * Vitest's global setup: the test server starts when the first test file asks for a database, so that runs of pure
 * rules pay nothing, and ends with the run.
 * One that somebody started for several runs is used as it is.
 */
export default function setup(): () => Promise<void> {
  if (process.env[testServerVariable]) return async () => {}
  let server: ReturnType<typeof startTestServer> | undefined
  const folder = mkdtempSync(path.join(os.tmpdir(), 'ems-test-'))
  const address = process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 'server')
  const answers = createServer((connection) => {
    connection.on('error', () => {})
    server ??= startTestServer()
    server.then(
      ({ url, template, programUrl }) => connection.end(JSON.stringify({ url, template, programUrl })),
      (error: Error) => connection.end(JSON.stringify({ error: error.stack ?? error.message })),
    )
  }).listen(address)
  process.env[testServerVariable] = address

  return async () => {
    answers.close()
    rmSync(folder, { recursive: true, force: true })
    // One that failed to start has told the tests why.
    const started = await server?.catch(() => undefined)
    await started?.stop()
  }
}
