import { sql } from 'kysely'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { actorOf } from '../identity/auth.ts'
import { readConfig } from '../base/config.ts'
import type { Actor, Services } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { createEvents } from '../base/events.ts'
import type { Events } from '../base/events.ts'
import { createJobs, defineJob } from './jobs.ts'
import type { JobDefinition, JobRow, Jobs } from './jobs.ts'

const log = pino({ level: 'silent' })
const config = readConfig({})
let database: TestDatabase
let events: Events
let jobs: Jobs
let person: Actor
let other: Actor
const ran: string[] = []
let failures = 0

const steps = defineJob({
  name: 'steps',
  async run(ctx, { say }: { say: string }, progress) {
    ran.push(`${say} by ${ctx.actor?.user_id ?? ctx.system}`)
    await progress(50, 'half')
    return { said: say }
  },
})
const refused = defineJob({
  name: 'refused',
  async run() {
    throw refuse(409, 'state_not_allowed')
  },
})
const broken = defineJob({
  name: 'broken',
  async run() {
    throw new Error('the password is swordfish')
  },
})
const flaky = defineJob({
  name: 'flaky',
  retries: 3,
  async run() {
    if (failures++ === 0) throw new Error('once')
    return 'second time'
  },
})
const endless = defineJob({
  name: 'endless',
  concurrency: 2,
  async run(_ctx, _payload: object, progress) {
    for (;;) {
      await progress(10)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  },
})
const writes = defineJob({
  name: 'writes',
  async run(ctx, { key }: { key: string }) {
    await ctx.write(async (tx) => {
      await sql`insert into settings (key, value) values (${key}, '1')`.execute(tx)
    })
  },
})

beforeAll(async () => {
  database = await createTestDatabase()
  const { pool } = database
  const { rows } = await pool.query(
    `insert into users (type, name, name_local) values (2, 'A', 'أ'), (2, 'B', 'ب') returning id`,
  )
  person = (await actorOf(pool, rows[0].id))!
  other = (await actorOf(pool, rows[1].id))!
  events = createEvents({ pool, log })
  await events.start()
  jobs = createJobs({ pool, events, log, supervise: 1 })
  await jobs.start({ db: database.db, pool, events, jobs, config } as unknown as Services, [
    steps,
    refused,
    broken,
    flaky,
    endless,
    writes,
  ])
})
afterAll(async () => {
  await jobs.stop(2)
  await events.stop()
  await database.drop()
})

const send = (job: JobDefinition, payload: unknown, actor: Actor | null = person): Promise<string> =>
  database.db.transaction().execute((tx) => jobs.send(tx, job, payload, { actor }))
async function until(id: string, state: JobRow['state'], userId = person.user_id): Promise<JobRow> {
  for (let i = 0; i < 1600; i++) {
    const row = await jobs.get(userId, id)
    if (row.state === state) return row
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`still ${(await jobs.get(userId, id)).state}`)
}

test('a job runs for the person who asked and its state can be followed', async () => {
  const told: unknown[] = []
  const off = events.on('live_event', (payload) => told.push(JSON.parse(payload)))
  const id = await send(steps, { say: 'hello' })
  expect(await until(id, 'done')).toMatchObject({ progress: 100, result: { said: 'hello' }, error: null })
  await new Promise((resolve) => setTimeout(resolve, 50))
  off()
  expect(ran).toContain(`hello by ${person.user_id}`)
  expect(told).toEqual([
    { to: person.user_id, type: 'job', data: { id, name: 'steps', state: 'running', progress: 0, message: null } },
    { to: person.user_id, type: 'job', data: { id, name: 'steps', state: 'running', progress: 50, message: 'half' } },
    { to: person.user_id, type: 'job', data: { id, name: 'steps', state: 'done', progress: 100, message: null } },
  ])
  expect((await jobs.list(person.user_id)).map((j) => j.id)).toContain(id)
  await expect(jobs.get(other.user_id, id)).rejects.toMatchObject({ status: 404 })
})

test('what rolls back was never asked for', async () => {
  let id = ''
  await expect(
    database.db.transaction().execute(async (tx) => {
      id = await jobs.send(tx, steps, { say: 'never' }, { actor: person })
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await until(await send(steps, { say: 'after' }), 'done')
  await expect(jobs.get(person.user_id, id)).rejects.toMatchObject({ status: 404 })
  expect(ran.some((line) => line.startsWith('never'))).toBe(false)
})

test('many at once are all done, one after the other without waiting', async () => {
  const start = performance.now()
  const ids = await database.db
    .transaction()
    .execute((tx) =>
      Promise.all(Array.from({ length: 30 }, (_, i) => jobs.send(tx, steps, { say: `n${i}` }, { actor: person }))),
    )
  for (const id of ids) await until(id, 'done')
  expect(performance.now() - start).toBeLessThan(24_000)
})

test('a refusal is kept as every error answer; an unexpected failure leaks nothing', async () => {
  const no = await until(await send(refused, {}), 'failed')
  expect(no.error).toMatchObject({
    message: 'state_not_allowed',
    error: { en: 'This is not possible in the present state.' },
  })
  const bad = await until(await send(broken, {}), 'failed')
  expect(bad.error?.message).toBe('unexpected')
  expect(JSON.stringify(bad)).not.toContain('swordfish')
})

test('a job with retries is tried again', async () => {
  const row = await until(await send(flaky, {}), 'done')
  expect([row.result, failures]).toEqual(['second time', 2])
}, 90_000)

test('a running job is cancelled by its person only', async () => {
  const id = await send(endless, {})
  await until(id, 'running')
  await expect(jobs.cancel(other.user_id, id)).rejects.toMatchObject({ status: 404 })
  await jobs.cancel(person.user_id, id)
  expect((await jobs.get(person.user_id, id)).state).toBe('cancelled')
  for (let i = 0; i < 200 && jobs.running > 0; i++) await new Promise((resolve) => setTimeout(resolve, 10))
  expect(jobs.running).toBe(0)
  expect((await jobs.get(person.user_id, id)).state).toBe('cancelled')
  await expect(jobs.cancel(person.user_id, id)).rejects.toMatchObject({ status: 409 })
})

test('what a job writes names the person in the audit trail', async () => {
  await until(await send(writes, { key: 'by_person' }), 'done')
  const system = await send(writes, { key: 'by_system' }, null)
  for (let i = 0; i < 200; i++) {
    const { rows } = await database.pool.query('select state from jobs where id = $1', [system])
    if (rows[0].state === 'done') break
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  const { rows } = await database.pool.query(
    `select actor_id, reason, new ->> 'key' as key from audit_log where table_name = 'settings' and new ? 'key' order by id`,
  )
  expect(rows.filter((r) => r.key.startsWith('by_'))).toEqual([
    { actor_id: person.user_id, reason: null, key: 'by_person' },
    { actor_id: null, reason: 'job writes', key: 'by_system' },
  ])
})

test('a job of somebody who was blocked meanwhile is not done', async () => {
  await database.pool.query('update users set blocked_at = now() where id = $1', [other.user_id])
  const id = await send(steps, { say: 'blocked' }, other)
  expect((await until(id, 'failed', other.user_id)).error?.message).toBe('not_allowed')
})

test('a job whose process is killed is begun again', async () => {
  // Another process takes the job and dies over it.
  const program = `
    import { pino } from 'pino'
    import { createDb, createPool } from '#db/connect.ts'
    import { createEvents } from '#kit/server/base/events.ts'
    import { createJobs, defineJob } from '#kit/server/jobs/jobs.ts'
    const pool = createPool(process.env.URL)
    const log = pino({ level: 'silent' })
    const events = createEvents({ pool, log })
    await events.start()
    const jobs = createJobs({ pool, events, log, heartbeat: 10 })
    const hang = defineJob({ name: 'hang', run: () => { console.log('taken'); return new Promise(() => setInterval(() => {}, 1000)) } })
    await jobs.start({ db: createDb(pool), pool, events, jobs }, [hang])
    const db = createDb(pool)
    const id = await db.transaction().execute((tx) => jobs.send(tx, hang, {}, { actor: { user_id: Number(process.env.PERSON), impersonator_id: null } }))
    console.log('id ' + id)
  `
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    cwd: process.cwd(),
    env: { ...process.env, URL: database.url, PERSON: String(person.user_id) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  for await (const part of child.stdout) {
    said += String(part)
    if (said.includes('taken') && said.includes('id ')) break
  }
  const id = /id (\S+)/.exec(said)![1]!
  expect((await jobs.get(person.user_id, id)).state).toBe('running')
  child.kill('SIGKILL')
  await once(child, 'close')
  const second = createJobs({ pool: database.pool, events, log, supervise: 1, heartbeat: 10 })
  await second.start({ db: database.db, pool: database.pool, events, jobs: second, config } as unknown as Services, [
    defineJob({ name: 'hang', run: async () => 'taken over' }),
  ])
  expect((await until(id, 'done')).result).toBe('taken over')
  await second.stop(1)
}, 270_000)
