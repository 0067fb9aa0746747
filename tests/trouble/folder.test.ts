import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startEmbedded } from '#db/embedded.ts'
import { temporaryFolder } from '#db/testing.ts'
import { freePort, peopledFolder, send, startProgram } from './server.ts'
import type { Program } from './server.ts'

/** `npm start` on a data folder: one at a time, and nothing is lost when it is killed. */
let folder: string
let port: number
let token: string
const started: Program[] = []
const start = (at = port): Program => {
  const program = startProgram('start.ts', at, { DATA_DIR: folder, HOME: os.homedir() })
  started.push(program)
  return program
}

beforeAll(async () => {
  port = await freePort()
  ;({ folder, token } = await peopledFolder('folder'))
}, 180_000)
afterAll(async () => {
  for (const program of started) await program.kill()
  await rm(folder, { recursive: true, force: true })
})

it('a second process on the same folder says who holds it and ends; the first goes on', async () => {
  const first = start()
  await first.ready()
  const made = await send(port, token, 'PUT', '/buildings', { code: 'ONE', name: 'One', name_local: 'واحد' })
  expect(made?.status).toBe(200)
  const second = start(await freePort())
  expect(await second.ended()).toBe(1)
  expect(second.said()).toContain(String(first.child.pid))
  expect(second.said()).not.toMatch(/\bat .*\.ts:\d+/)
  expect((await send(port, token, 'GET', '/users/live-data'))?.status).toBe(200)
}, 180_000)

it('killed at once and started again, it has everything', async () => {
  const kept: number[] = []
  for (let n = 0; n < 20; n++) {
    const made = await send(port, token, 'PUT', '/buildings', { code: `TWO-${n}`, name: 'Two', name_local: 'اثنان' })
    if (made?.status === 200) kept.push(made.body.data.id)
  }
  expect(kept).toHaveLength(20)
  await started[0]!.kill()
  const again = start()
  await again.ready()
  for (const id of kept) expect((await send(port, token, 'GET', `/buildings/${id}`))?.status).toBe(200)
}, 180_000)

it('is backed up by one command while it runs, and brought back into another folder by one', async () => {
  const run = async (command: string, file: string, data: string) => {
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, `../../apps/server/commands/${command}.ts`), file],
      {
        env: { PATH: process.env.PATH, HOME: os.homedir(), DATA_DIR: data },
      },
    )
    let said = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (said += part.toString()))
    const [code] = (await once(child, 'close')) as [number | null]
    return { code, said }
  }
  const file = path.join(folder, 'backup.tar.gz')
  const other = temporaryFolder('folder')
  try {
    const taken = await run('backup', file, folder)
    expect(taken.code, taken.said).toBe(0)
    const back = await run('restore', file, other)
    expect(back.code, back.said).toBe(0)
    expect(back.said).toContain('Everybody signs in anew')
    const again = await run('restore', file, other)
    expect([again.code, again.said.trim().split('\n').at(-1)]).toEqual([
      1,
      'The database is not empty: restore into a new one.',
    ])
    expect((await send(port, token, 'GET', '/users/live-data'))?.status).toBe(200)
  } finally {
    await rm(other, { recursive: true, force: true })
  }
}, 360_000)

it('what is missing is told in one line; asked to stop, it gives the folder back', async () => {
  const other = temporaryFolder('folder')
  const program = startProgram('main.ts', port, { DATA_DIR: other })
  expect(await program.ended()).toBe(1)
  expect(program.said()).toContain('DATABASE_URL')
  await rm(other, { recursive: true, force: true })
  started.at(-1)!.child.kill('SIGTERM')
  expect(await started.at(-1)!.ended()).toBe(0)
  // Stopped in order: nobody holds the folder now.
  const embedded = await startEmbedded({ folder })
  await embedded.stop()
}, 180_000)

it.skipIf(process.platform === 'win32')(
  'a database that dies is started again; a data folder that is deleted ends the program with one line',
  async () => {
    const program = start()
    await program.ready()
    const home = existsSync(path.join(folder, 'data-folder'))
      ? readFileSync(path.join(folder, 'data-folder'), 'utf8').trim()
      : folder
    const postmaster = () => Number(readFileSync(path.join(home, 'postgres/postmaster.pid'), 'utf8').split('\n')[0])
    const before = postmaster()
    process.kill(before, 'SIGKILL')
    await expect
      .poll(async () => (await send(port, token, 'GET', '/users/live-data'))?.status, { timeout: 90_000 })
      .toBe(200)
    expect(postmaster()).not.toBe(before)

    const last = postmaster()
    await rm(home, { recursive: true, force: true, maxRetries: 10 })
    expect(await program.ended()).toBe(1)
    expect(program.said().trim().split('\n').at(-1)).toMatch(/^The data folder .* is gone/)
    expect(program.said()).not.toMatch(/^\s+at /m)
    await expect.poll(() => alive(last), { timeout: 30_000 }).toBe(false)
  },
  90_000,
)

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
