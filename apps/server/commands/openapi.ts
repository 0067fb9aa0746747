/** `npm run openapi FILE`: the OpenAPI 3.1 description of every call as JSON. Without FILE: to the terminal. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openApi } from '#kit/server/http/openapi.ts'
import { AREAS } from '../../areas.contract.ts'

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../../../package.json'), 'utf8')) as {
  version: string
}
const text = `${JSON.stringify(openApi(AREAS, version), null, 2)}\n`
const file = process.argv[2]
if (file) writeFileSync(file, text)
else process.stdout.write(text)
