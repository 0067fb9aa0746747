import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from 'vite'
import { browserOnly } from './plugins.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ems-build-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function built(file: string, name: string): Promise<unknown> {
  const input = path.join(folder, 'main.ts')
  const from = path.join(import.meta.dirname, '../..', file)
  await writeFile(input, `import { ${name} } from ${JSON.stringify(from)}\nconsole.log(${name})\n`)
  return build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [browserOnly()],
    build: { write: false, rolldownOptions: { input } },
  })
}

it('what is for both sides may reach a browser', async () => {
  await expect(built('kit/contract/errors.ts', 'KIT_ERRORS')).resolves.toBeDefined()
})

it.each([
  ['db/bulk.ts', 'insertRows'],
  ['kit/server/identity/attempts.ts', 'limitsOf'],
])('%s may not, and the build says who wanted it', async (file, name) => {
  await expect(built(file, name)).rejects.toThrow(/main\.ts imports .*server code may not reach the browser/)
})
