import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startEmbedded } from '#db/embedded.ts'
import type { Embedded } from '#db/embedded.ts'
import { programUrl } from '#db/roles.ts'
import { temporaryFolder } from '#db/testing.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { createLog } from '#kit/server/base/log.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { prepareDatabase } from '../../apps/server/assemble.ts'
import { freePort, send, startProgram } from './server.ts'
import type { Program } from './server.ts'

/**
 * The database drops connections, or dies as a whole, while the program works: each request is answered with success
 * or 503, the program lives on and recovers, and what it answered with success is there.
 */
const windows = process.platform === 'win32'
const KILLS = 20
/** A success, too many at once, or "come back in a moment"; never a failure of ours, never a broken connection. */
const ANSWERS = [200, 429, 503]

let folder: string
let embedded: Embedded
let program: Program
let port: number
let token: string
let clerks: string[]

/** Asks the database past the program; again, when it is just being killed. */
async function ask<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ connectionString: embedded.url, application_name: 'onlooker' })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query<Row>(text, values)).rows
    } catch (error) {
      if (tries >= 600) throw error
      await sleep(100)
    } finally {
      await client.end().catch(() => {})
    }
  }
}

beforeAll(async () => {
  if (windows) return
  folder = temporaryFolder('connections')
  embedded = await startEmbedded({ folder })
  await prepareDatabase(
    { program: programUrl(embedded.url), owner: embedded.url },
    createLog(readConfig({ LOG_LEVEL: 'silent' })),
  )
  const pool = new pg.Pool({ connectionString: embedded.url, max: 1 })
  const { rows } = await pool.query<{ id: number }>(
    `insert into users (type, name, name_local, email, is_super_admin, is_root)
     select 2, 'Clerk ' || n, 'موظف', 'clerk' || n || '@university.example', true, true from generate_series(1, 12) n returning id`,
  )
  clerks = []
  for (const { id } of rows) clerks.push((await createSession(pool, { user_id: id, ip: null })).token)
  token = clerks[0]!
  await pool.end()
  port = await freePort()
  program = startProgram('main.ts', port, {
    DATABASE_URL: programUrl(embedded.url),
    DATA_DIR: folder,
    LOG_LEVEL: 'error',
  })
  await program.ready()
}, 360_000)
afterAll(async () => {
  await program?.kill()
  await embedded?.stop()
  if (folder) await rm(folder, { recursive: true, force: true })
})

/** People work until told to stop; what they were answered is counted and kept. */
function work() {
  let working = true
  const answers = new Map<number | null, number>()
  const told: string[] = []
  /** Codes of buildings whose making was answered with success. */
  const made: string[] = []
  const count = (reply: Awaited<ReturnType<typeof send>>): boolean => {
    const status = reply?.status ?? null
    answers.set(status, (answers.get(status) ?? 0) + 1)
    if (!status || !ANSWERS.includes(status)) told.push(JSON.stringify(reply))
    return status === 200
  }
  const everybody = Promise.all(
    clerks.map(async (clerk, who) => {
      for (let n = 0; working; n++) {
        const code = `${who}-${Date.now().toString(36)}-${n}`
        const building = { code, name: 'Hall', name_local: 'قاعة' }
        if (count(await send(port, clerk, 'PUT', '/buildings', building))) made.push(code)
        count(await send(port, clerk, 'POST', '/buildings', {}))
        await sleep(5)
      }
    }),
  )
  return {
    answers,
    made,
    told,
    stop: async () => {
      working = false
      await everybody
    },
  }
}

/** Everything answers again, jobs are done and live events arrive. */
async function recovered(): Promise<void> {
  expect(program.child.exitCode ?? program.child.signalCode, program.said()).toBeNull()
  await expect
    .poll(async () => (await send(port, token, 'POST', '/buildings', {}))?.status, { timeout: 60_000 })
    .toBe(200)
  const live = new AbortController()
  const stream = await fetch(`http://127.0.0.1:${port}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: live.signal,
  })
  let heard = ''
  const reading = (async () => {
    for await (const part of stream.body!) heard += Buffer.from(part).toString()
  })().catch(() => {})
  await expect
    .poll(
      async () => {
        await ask(`select pg_notify('live_event', '{"to":"all","type":"seats","data":"after the trouble"}')`)
        return heard
      },
      { timeout: 60_000, interval: 300 },
    )
    .toContain('after the trouble')
  live.abort()
  await reading
  const asked = await send(port, '', 'POST', '/users/reset-password', { email: 'clerk1@university.example' })
  expect(asked?.status, JSON.stringify(asked)).toBe(200)
  await expect
    .poll(() => ask(`select state from jobs where created_at > now() - interval '1 minute' and state <> 'done'`), {
      timeout: 90_000,
    })
    .toEqual([])
}

async function nothingLost(made: readonly string[]): Promise<void> {
  const lost = await ask(
    `select code from unnest($1::text[]) as code where not exists (
       select from buildings b join audit_log a on a.table_name = 'buildings' and a.record_id = b.id and a.action = 'insert' where b.code = code)`,
    [made],
  )
  expect(lost).toEqual([])
}

describe.skipIf(windows)('while people work', () => {
  it('every connection to the database is cut, twenty times: 200 or 503, then as before', async () => {
    const people = work()
    let cut = 0
    for (let kill = 0; kill < KILLS; kill++) {
      await sleep(100 + Math.random() * 200)
      const [row] = await ask<{ cut: number }>(
        `select count(pg_terminate_backend(pid))::int as cut from pg_stat_activity
         where backend_type = 'client backend' and application_name <> 'onlooker'`,
      )
      cut += row!.cut
    }
    await sleep(500)
    await people.stop()
    expect(people.told.slice(0, 3), program.said().slice(-3000)).toEqual([])
    expect(cut).toBeGreaterThan(KILLS * 5)
    expect(people.answers.get(503), JSON.stringify([...people.answers])).toBeGreaterThan(0)
    expect(people.made.length).toBeGreaterThan(KILLS)
    await recovered()
    await nothingLost(people.made)
  }, 360_000)

  it('one process of the database, then the whole of it, is killed, five times', async () => {
    const people = work()
    for (let kill = 0; kill < 5; kill++) {
      await sleep(400)
      if (kill % 2) {
        const [row] = await ask<{ pid: number }>(
          `select pid from pg_stat_activity where application_name = 'university-ems' limit 1`,
        )
        if (row) process.kill(row.pid, 'SIGKILL')
      } else process.kill(embedded.pid, 'SIGKILL')
      await ask('select 1')
    }
    await sleep(1000)
    await people.stop()
    expect(people.told.slice(0, 3), program.said().slice(-3000)).toEqual([])
    expect(people.made.length).toBeGreaterThan(20)
    await recovered()
    await nothingLost(people.made)
  }, 360_000)
})
