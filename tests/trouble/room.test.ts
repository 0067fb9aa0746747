import { spawnSync } from 'node:child_process'
import { closeSync, existsSync, mkdirSync, openSync, rmSync, statfsSync, writeFileSync, writeSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createPool } from '#db/connect.ts'
import { startEmbedded } from '#db/embedded.ts'
import type { Embedded } from '#db/embedded.ts'
import { programUrl } from '#db/roles.ts'
import { temporaryFolder } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { AREA_SERVERS } from '../../apps/server/areas.server.ts'
import { prepareDatabase } from '../../apps/server/assemble.ts'
import { testUniversity } from '../university.ts'
import type { Caller, TestUniversity } from '../university.ts'
import { freePort, send, startProgram } from './server.ts'
import type { Program } from './server.ts'

/** No room, no right to write, no store: 503 with its own words, not ready meanwhile, and all is well afterwards. */
const pdf = '%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'

describe('a server', () => {
  let u: TestUniversity
  let admin: Caller
  let folder: string
  let store: string

  beforeAll(async () => {
    folder = temporaryFolder('room')
    store = path.join(folder, 'store')
    u = await testUniversity(AREA_SERVERS, { env: { STORAGE_URL: store, LOG_LEVEL: 'silent' } })
    admin = await u.as('super_admin')
  }, 180_000)
  afterAll(async () => {
    await u?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const building = () => admin('PUT', '/buildings', { code: `B${Date.now()}`, name: 'Hall', name_local: 'قاعة' })
  const upload = async (name: string) => {
    const form = new FormData()
    form.set('file', new Blob([`${pdf}% ${name}`]), 'paper.pdf')
    const sent = new Response(form)
    const answer = await u.app.inject({
      method: 'POST',
      url: '/api/files',
      headers: {
        authorization: `Bearer ${admin.token}`,
        'content-type': sent.headers.get('content-type')!,
      },
      payload: Buffer.from(await sent.arrayBuffer()),
    })
    return { status: answer.statusCode, body: answer.json() }
  }
  const ready = async () => {
    const answer = await u.app.inject('/api/ready')
    return `${answer.statusCode} ${answer.json().status}`
  }
  /** The answer is kept for some seconds. */
  const soonReady = (status: string) => expect.poll(ready, { timeout: 30_000, interval: 500 }).toBe(status)
  /** Lets the program's connections begin anew, with what was set for its role. */
  const anew = (statement: string) =>
    u.database.pool.query(
      `${statement}; select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}' and datname = current_database()`,
    )
  let role: string
  beforeAll(async () => {
    role = (await u.database.program.pool.query('select current_user as name')).rows[0].name
  })

  it.each([
    ['53100', 'database_full'],
    ['53200', 'database_full'],
    ['53400', 'database_full'],
  ])('says so when the database answers %s', async (errcode, code) => {
    await u.database.pool.query(
      `create function no_room() returns trigger language plpgsql as $$ begin raise exception 'could not extend file' using errcode = '${errcode}'; end $$;
       create trigger no_room before insert on buildings for each row execute function no_room()`,
    )
    try {
      const answer = await building()
      expect([answer.status, answer.body.message]).toEqual([503, code])
    } finally {
      await u.database.pool.query('drop function no_room cascade')
    }
    expect((await building()).status).toBe(200)
  })

  it('is not ready while the database only reads, or has no room for a megabyte', async () => {
    await soonReady('200 ok')
    await anew(`alter role ${role} in database ${u.database.name} set default_transaction_read_only = on`)
    await expect.poll(async () => (await building()).body.message).toBe('database_read_only')
    await soonReady('503 the database is read-only')
    await anew(
      `alter role ${role} in database ${u.database.name} reset default_transaction_read_only; alter role ${role} in database ${u.database.name} set temp_file_limit = '64kB'`,
    )
    await soonReady('503 the database has no room')
    await anew(`alter role ${role} in database ${u.database.name} reset all`)
    await soonReady('200 ok')
    expect((await building()).status).toBe(200)
  }, 120_000)

  it('tells a missing store from a missing database, and uses it again when it is back', async () => {
    expect((await upload('before')).status).toBe(200)
    rmSync(store, { recursive: true })
    writeFileSync(store, 'not a folder')
    const answer = await upload('meanwhile')
    expect([answer.status, answer.body.message]).toEqual([503, 'file_store_away'])
    expect((await building()).status).toBe(200)
    await soonReady('503 the file store is away')
    rmSync(store)
    mkdirSync(path.join(store, 'incoming'), { recursive: true })
    await soonReady('200 ok')
    expect((await upload('afterwards')).status).toBe(200)
  }, 120_000)

  it('does not start on a store that cannot be used', async () => {
    const file = path.join(folder, 'file')
    writeFileSync(file, 'not a folder')
    await expect(testUniversity(AREA_SERVERS, { env: { STORAGE_URL: file } })).rejects.toThrow(
      /STORAGE_URL names a store that cannot be used/,
    )
  })
})

/** A disk of its own, where this is possible: it takes the rights of root. */
const disk = temporaryFolder('disk')
const mounted =
  process.platform === 'linux' &&
  process.getuid?.() === 0 &&
  spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=200m,mode=755', 'tmpfs', disk]).status === 0

describe.skipIf(!mounted)('a disk that is full', () => {
  let embedded: Embedded
  let program: Program
  let port: number
  let token: string
  const filler = path.join(disk, 'filler')
  beforeAll(async () => {
    embedded = await startEmbedded({ folder: path.join(disk, 'data'), settings: { max_wal_size: '32MB' } })
    const databases = { program: programUrl(embedded.url), owner: embedded.url }
    await prepareDatabase(databases, createLog(readConfig({ LOG_LEVEL: 'silent' })))
    const pool = createPool(embedded.url, { max: 1 })
    const { rows } = await pool.query<{ id: number }>(
      `insert into users (type, name, name_local, is_super_admin, is_root) values (2, 'Head', 'المدير', true, true) returning id`,
    )
    token = (await createSession(pool, { user_id: rows[0]!.id, ip: null })).token
    await pool.end()
    port = await freePort()
    program = startProgram('main.ts', port, { DATABASE_URL: databases.program, DATA_DIR: path.join(disk, 'program') })
    await program.ready()
  }, 360_000)
  afterAll(async () => {
    rmSync(filler, { force: true })
    await program?.kill()
    await embedded?.stop()
    if (mounted) spawnSync('umount', ['-l', disk])
    if (existsSync(disk)) rmSync(disk, { recursive: true, force: true })
  })

  it('is told in its own words, by the readiness too; with room again, everything answered is there', async () => {
    const made: string[] = []
    const answers = new Set<string>()
    const make = async () => {
      const code = `D${answers.size}-${Math.random().toString(36).slice(2)}`
      const answer = await send(port, token, 'PUT', '/buildings', {
        code,
        name: 'Hall',
        name_local: 'قاعة',
        address: 'x'.repeat(200),
      })
      answers.add(answer ? `${answer.status} ${answer.status === 200 ? '' : answer.body.message}` : 'none')
      if (answer?.status === 200) made.push(code)
    }
    const ready = () =>
      fetch(`http://127.0.0.1:${port}/api/ready`).then(async (r) => `${r.status} ${((await r.json()) as any).status}`)
    for (let n = 0; n < 20; n++) await make()
    expect([...answers]).toEqual(['200 '])

    const full = openSync(filler, 'w')
    const block = Buffer.alloc(65_536)
    for (;;) {
      const { bavail, bsize } = statfsSync(disk)
      if (!bavail) break
      writeSync(full, block, 0, Math.min(block.length, bavail * bsize))
    }
    closeSync(full)
    await expect
      .poll(ready, { timeout: 60_000, interval: 500 })
      .toMatch(/^503 the (database|file store) (has no room|is away)$/)
    for (let n = 0; n < 400; n++) await make()
    expect([...answers].filter((answer) => !/^(200 |503 (database_full|maintenance))$/.test(answer))).toEqual([])

    rmSync(filler)
    await expect.poll(ready, { timeout: 180_000, interval: 500 }).toBe('200 ok')
    await make()
    await sleep(100)
    const client = new pg.Client({ connectionString: embedded.url })
    await client.connect()
    const { rows } = await client.query('select code from unnest($1::text[]) code except select code from buildings', [
      made,
    ])
    await client.end()
    expect(rows).toEqual([])
    expect(program.child.exitCode).toBeNull()
  }, 360_000)
})
