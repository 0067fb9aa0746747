import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbedded } from './embedded.ts'
import { FolderInUse } from './embedded-lock.ts'
import type { Embedded } from './embedded.ts'
import { temporaryFolder } from './testing.ts'

const windows = process.platform === 'win32'
let root: string
let folder: string
let running: Embedded[]
let children: ChildProcess[]

beforeEach(() => {
  root = temporaryFolder('embedded')
  folder = path.join(root, 'data')
  running = []
  children = []
})
afterEach(async () => {
  await Promise.all(running.map((server) => server.stop()))
  for (const child of children) child.kill('SIGKILL')
  await expect.poll(() => postmaster(folder), { timeout: 60_000 }).toBeUndefined()
  fs.rmSync(root, { recursive: true, force: true })
})

async function start(more: { test?: boolean; settings?: Record<string, string> } = {}): Promise<Embedded> {
  const server = await startEmbedded({ folder, ...more })
  running.push(server)
  return server
}

async function ask(server: { url: string }, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: server.url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end().catch(() => {})
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    // A killed child of somebody who does not wait for it stays in the table as a zombie.
    return process.platform !== 'linux' || !/^State:\s+Z/m.test(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** The postmaster that works on the folder right now. */
function postmaster(home: string): number | undefined {
  try {
    const pid = Number(fs.readFileSync(path.join(home, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
    return alive(pid) ? pid : undefined
  } catch {
    return undefined
  }
}

/** Another Node process that starts the server; resolves with what it printed. */
async function program(
  options: { test?: boolean } = {},
): Promise<{ child: ChildProcess; server: { url: string; pid: number; home: string } }> {
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
      const { url, pid, home } = await startEmbedded(${JSON.stringify({ folder, ...options })})
      console.log(JSON.stringify({ url, pid, home }))
      setInterval(() => {}, 1000)`,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  children.push(child)
  const [line] = (await once(createInterface(child.stdout as NodeJS.ReadableStream), 'line')) as [string]
  return { child, server: JSON.parse(line) as { url: string; pid: number; home: string } }
}

test('starts, stops in order, starts again with its data', async () => {
  const first = await start()
  expect(
    await ask(
      first,
      `select current_setting('fsync') as fsync, current_setting('jit') as jit,
    current_setting('server_encoding') as encoding, current_setting('max_connections') as connections,
    current_setting('data_checksums') as checksums`,
    ),
  ).toEqual([{ fsync: 'on', jit: 'off', encoding: 'UTF8', connections: '200', checksums: 'on' }])
  const [locale] = await ask(
    first,
    `select datlocprovider as provider, datcollate as collate, datlocale as icu
    from pg_database where datname = current_database()`,
  )
  expect(locale).toEqual({ provider: 'i', collate: 'C', icu: 'und' })
  await ask(first, 'create extension pg_trgm')
  const [arabic] = await ask(first, `select show_trgm('محمد') <> '{}' as letters`)
  expect(arabic, 'the trigram index knows Arabic letters').toEqual({ letters: true })
  await ask(first, 'create table kept as select 1 as id')
  await first.stop()
  expect(alive(first.pid)).toBe(false)
  expect(fs.existsSync(path.join(folder, 'lock'))).toBe(false)

  const second = await start()
  expect(await ask(second, 'select id from kept')).toEqual([{ id: 1 }])
  expect(fs.readFileSync(path.join(folder, 'postgres.log'), 'utf8')).not.toMatch(/not properly shut down/)
})

test.skipIf(windows)('opens no port, and nobody else may enter the folder of its socket', async () => {
  const server = await start()
  expect(await ask(server, 'show listen_addresses')).toEqual([{ listen_addresses: '' }])
  expect(server.config.host.startsWith('/')).toBe(true)
  expect(fs.statSync(server.config.host).mode & 0o777).toBe(0o700)
})

test.skipIf(windows)('a folder too deep for a socket gets it elsewhere, and it is removed', async () => {
  folder = path.join(folder, 'deep'.repeat(20), 'deeper'.repeat(20))
  const server = await start()
  expect(Buffer.byteLength(server.config.host)).toBeLessThan(90)
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
  await server.stop()
  expect(fs.existsSync(server.config.host)).toBe(false)
})

test('a second start on the folder is refused and names the holder', async () => {
  await start()
  const refused = await startEmbedded({ folder }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(FolderInUse)
  const { message, holder } = refused as FolderInUse
  expect(holder.pid).toBe(process.pid)
  expect(Math.abs(Date.now() - Date.parse(holder.since))).toBeLessThan(60_000)
  expect(message).toContain(`${folder} is in use by process ${process.pid}`)
  expect(message).toContain(holder.since)
})

test('another process is refused as well, and the first one is not disturbed', async () => {
  const { child, server } = await program()
  await expect(startEmbedded({ folder })).rejects.toMatchObject({ holder: { pid: child.pid } })
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('of many that start at once on a new folder, one gets it', async () => {
  const results = await Promise.allSettled([start(), start(), start(), start()])
  const refused = results.filter((result) => result.status === 'rejected').map(({ reason }) => reason as unknown)
  expect(refused).toHaveLength(3)
  for (const error of refused) expect(error).toBeInstanceOf(FolderInUse)
})

test.skipIf(windows)('a postmaster that somebody started by hand is named, not stopped', async () => {
  const { child, server } = await program()
  child.kill('SIGSTOP') // Keeps the pipe to its guard open, as a server started by hand has none.
  fs.rmSync(path.join(folder, 'lock'))
  await expect(startEmbedded({ folder })).rejects.toMatchObject({
    name: 'FolderInUse',
    holder: { pid: server.pid },
  })
  expect(alive(server.pid)).toBe(true)
})

test.skipIf(windows)('after kill -9 of postgres it is started again, with all that was committed', async () => {
  const server = await start()
  await ask(server, `create table kept (id integer); insert into kept select generate_series(1, 1000)`)
  const open = new pg.Client({ connectionString: server.url })
  open.on('error', () => {})
  await open.connect()
  await open.query('begin; insert into kept values (-1)')
  const before = server.pid
  process.kill(before, 'SIGKILL')
  await expect.poll(() => server.pid, { timeout: 60_000 }).not.toBe(before)
  expect(await ask(server, 'select count(*)::int as rows, min(id) as least from kept')).toEqual([
    { rows: 1000, least: 1 },
  ])
  await server.stop()
  expect(alive(server.pid)).toBe(false)
})

test.skipIf(process.platform !== 'linux')(
  'a process of the killed server that hangs keeps no new one out',
  async () => {
    const server = await start()
    const open = new pg.Client({ connectionString: server.url })
    open.on('error', () => {})
    await open.connect()
    const { rows } = await open.query<{ pid: number }>('select pg_backend_pid() as pid')
    const before = server.pid
    process.kill(rows[0]!.pid, 'SIGSTOP')
    process.kill(before, 'SIGKILL')
    await expect.poll(() => server.pid, { timeout: 36_000 }).not.toBe(before)
    expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
    expect(alive(rows[0]!.pid)).toBe(false)
  },
)

test.skipIf(windows)(
  'after kill -9 of postgres and of the program the next start recovers all that was committed',
  async () => {
    const { child, server } = await program()
    await ask(server, `create table kept (id integer); insert into kept select generate_series(1, 1000)`)
    child.kill('SIGSTOP') // So that it cannot start the server again in between.
    process.kill(server.pid, 'SIGKILL')
    child.kill('SIGKILL')
    await once(child, 'exit')
    const next = await start()
    expect(await ask(next, 'select count(*)::int as rows from kept')).toEqual([{ rows: 1000 }])
    expect(fs.readFileSync(path.join(folder, 'postgres.log'), 'utf8')).toMatch(/automatic recovery in progress/)
  },
)

test.skipIf(windows)('after kill -9 of the program the guard stops the orphan in order', async () => {
  const { child, server } = await program()
  await ask(server, `create table kept as select 1 as id`)
  child.kill('SIGKILL')
  await expect.poll(() => alive(server.pid), { timeout: 60_000 }).toBe(false)
  expect(fs.readFileSync(path.join(folder, 'postgres.log'), 'utf8')).toMatch(
    /received fast shutdown request[^]*system is shut down/,
  )
  const next = await start()
  expect(await ask(next, 'select id from kept')).toEqual([{ id: 1 }])
})

test.skipIf(windows)('a start right after kill -9 of the program waits for its orphan', async () => {
  const { child, server } = await program()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const next = await start()
  expect(alive(server.pid)).toBe(false)
  expect(await ask(next, 'select 1 as one')).toEqual([{ one: 1 }])
})

test.skipIf(windows)(
  'the program ends by itself when nothing else is left to do, and takes the server with it',
  async () => {
    const child = spawn(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        `import { startEmbedded } from ${JSON.stringify(new URL('./embedded.ts', import.meta.url).href)}
      await startEmbedded({ folder: ${JSON.stringify(folder)} })`,
      ],
      { stdio: 'inherit' },
    )
    const [code] = (await once(child, 'exit')) as [number]
    expect(code).toBe(0)
    await expect.poll(() => postmaster(folder), { timeout: 60_000 }).toBeUndefined()
  },
)

test.skipIf(windows)('a stale postmaster.pid with the id of another process does not stop the start', async () => {
  await (await start()).stop()
  fs.writeFileSync(
    path.join(folder, 'postgres', 'postmaster.pid'),
    `${process.ppid}\n${folder}/postgres\n1700000000\n5432\n`,
  )
  const server = await start()
  expect(await ask(server, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a lock whose process is gone, or whose id another process now has, is taken over', async () => {
  fs.mkdirSync(folder, { recursive: true })
  const holder = {
    pid: process.pid,
    identity: 'an earlier one',
    host: os.hostname(),
    since: '2024-01-01T00:00:00Z',
    program: 'x',
  }
  fs.writeFileSync(path.join(folder, 'lock'), JSON.stringify(holder))
  const server = await start()
  expect(JSON.parse(fs.readFileSync(path.join(folder, 'lock'), 'utf8'))).toMatchObject({
    pid: process.pid,
  })
  await server.stop()
})

test('a lock of another machine holds as long as it beats', async () => {
  fs.mkdirSync(folder, { recursive: true })
  const lock = path.join(folder, 'lock')
  fs.writeFileSync(
    lock,
    JSON.stringify({
      pid: 1,
      identity: '',
      host: 'elsewhere',
      since: '2024-01-01T00:00:00Z',
      program: 'x',
    }),
  )
  await expect(startEmbedded({ folder })).rejects.toThrow(/process 1 on the machine elsewhere \(x\) since 2024-01-01/)
  fs.utimesSync(lock, new Date(), new Date(Date.now() - 60_000))
  await start()
})

test('what does not start says what postgres said, and gives the folder back', async () => {
  await expect(start({ settings: { shared_buffers: 'many' } })).rejects.toThrow(
    /invalid value for parameter "shared_buffers": "many"/,
  )
  await start()
})

test('data of another PostgreSQL is not touched', async () => {
  await (await start()).stop()
  fs.writeFileSync(path.join(folder, 'postgres', 'PG_VERSION'), '14\n')
  await expect(start()).rejects.toThrow(/is of PostgreSQL 14, this program brings PostgreSQL 18/)
})

test('a test server leaves nothing behind', async () => {
  const server = await start({ test: true })
  expect(await ask(server, 'show fsync')).toEqual([{ fsync: 'off' }])
  expect(fs.existsSync(folder)).toBe(false)
  await server.stop()
  expect(fs.existsSync(server.home)).toBe(false)
})

test.skipIf(windows)('a test server of a killed program leaves nothing behind either', async () => {
  const { child, server } = await program({ test: true })
  child.kill('SIGKILL')
  await expect.poll(() => fs.existsSync(server.home), { timeout: 60_000 }).toBe(false)
  expect(alive(server.pid)).toBe(false)
})

test.skipIf(process.getuid?.() !== 0)('root keeps the data where the account of the server can reach it', async () => {
  fs.mkdirSync(folder, { recursive: true })
  fs.chmodSync(folder, 0o700)
  const server = await start()
  try {
    expect(server.home).toMatch(/^\/var\/lib\/university-ems\/data-/)
    expect(fs.readFileSync(path.join(folder, 'data-folder'), 'utf8').trim()).toBe(server.home)
    expect(fs.statSync(path.join(server.home, 'postgres')).uid).not.toBe(0)
    await ask(server, 'create table kept as select 1 as id')
    await server.stop()
    // The pointer moves with the folder.
    const moved = `${folder}-moved`
    fs.renameSync(folder, moved)
    folder = moved
    expect(await ask(await start(), 'select id from kept')).toEqual([{ id: 1 }])
  } finally {
    await Promise.all(running.map((one) => one.stop()))
    fs.rmSync(server.home, { recursive: true, force: true })
  }
})
