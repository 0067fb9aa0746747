import { rmSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, peopledFolder, startProgram } from './server.ts'
import type { Program } from './server.ts'

const root = path.join(import.meta.dirname, '../..')
let folder: string
let port: number
let program: Program

beforeAll(async () => {
  ;({ folder } = await peopledFolder('dev'))
  port = await freePort()
  program = startProgram('dev.ts', port, { DATA_DIR: folder })
  await program.ready()
}, 900_000)
afterAll(() => {
  program?.child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

const ask = async (place: string) => {
  const answer = await fetch(`http://127.0.0.1:${port}${place}`, { headers: { accept: 'text/html,*/*' } })
  return { status: answer.status, text: await answer.text() }
}
const touch = (file: string): void => utimesSync(path.join(root, file), new Date(), new Date())
const restarts = (): number => program.said().split('the server starts again').length - 1

it('the application and its calls come from one address, whatever screen is opened', async () => {
  expect((await ask('/students/12')).text).toContain('/@vite/client')
  expect(await ask('/main.tsx')).toMatchObject({ status: 200 })
  expect(await ask('/api/students/12')).toMatchObject({ status: 401 })
})

it('a change of the server starts it again while calls wait; one of a screen does not', async () => {
  touch('areas/study/terms/terms.web.tsx')
  await sleep(1_000)
  expect(restarts()).toBe(0)
  touch('areas/study/terms/terms.server.ts')
  await expect.poll(restarts, { timeout: 30_000 }).toBe(1)
  expect(await ask('/api/ready')).toMatchObject({ status: 200 })
}, 180_000)

it('asked to stop, it ends its server and its database', async () => {
  program.child.kill('SIGTERM')
  // As npm does, which passes on what the terminal has sent already.
  program.child.kill('SIGTERM')
  expect(await program.ended()).toBe(0)
  await expect(fetch(`http://127.0.0.1:${port}/api/ready`)).rejects.toThrow()
}, 90_000)
