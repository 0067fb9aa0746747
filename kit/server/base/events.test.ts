import type { AddressInfo } from 'node:net'
import fastify from 'fastify'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase } from '#db/testing.ts'
import type { TestDatabase } from '#db/testing.ts'
import { createAuth } from '../identity/auth.ts'
import type { Auth } from '../identity/auth.ts'
import { createEvents, liveRoute } from './events.ts'
import type { Events } from './events.ts'
import { createSession, endSession } from '../identity/sessions.ts'

/** One server process: its own pool of listeners, caches and streams. */
interface Process {
  events: Events
  auth: Auth
  app: FastifyInstance
  url: string
}
const log = pino({ level: 'silent' })
let database: TestDatabase
const processes: Process[] = []
let people: number[]

beforeAll(async () => {
  database = await createTestDatabase()
  const { rows } = await database.pool.query(
    `insert into users (type, name, name_local) values (2, 'A', 'أ'), (2, 'B', 'ب') returning id`,
  )
  people = rows.map((r) => r.id)
  for (let i = 0; i < 2; i++) {
    const events = createEvents({ pool: database.pool, log })
    await events.start()
    const auth = createAuth({ pool: database.pool, events, log })
    const app = fastify()
    liveRoute(app, auth, events)
    await app.listen({ port: 0, host: '127.0.0.1' })
    processes.push({
      events,
      auth,
      app,
      url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/events`,
    })
  }
})
afterAll(async () => {
  for (const { app, auth } of processes) {
    await app.close()
    await auth.stop()
  }
  await database.drop()
})

interface Live {
  events: { event: string; data: unknown }[]
  ended: Promise<void>
  waitFor(count: number): Promise<void>
  close(): void
}
async function listen(url: string, token: string): Promise<Live> {
  const controller = new AbortController()
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` }, signal: controller.signal })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const events: Live['events'] = []
  const ended = (async () => {
    let text = ''
    try {
      for await (const part of response.body!.pipeThrough(new TextDecoderStream())) {
        text += part
        for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
          const found = /^event: (.*)\ndata: (.*)$/.exec(text.slice(0, end))
          if (found) events.push({ event: found[1]!, data: JSON.parse(found[2]!) })
          text = text.slice(end + 2)
        }
      }
    } catch {
      // Closed by us.
    }
  })()
  const live: Live = {
    events,
    ended,
    async waitFor(count) {
      for (let i = 0; i < 400 && events.length < count; i++) await new Promise((resolve) => setTimeout(resolve, 10))
      expect(events.length).toBeGreaterThanOrEqual(count)
    },
    close: () => controller.abort(),
  }
  await live.waitFor(1)
  expect(events.shift()).toEqual({ event: 'connected', data: null })
  return live
}
const session = (userId: number) => createSession(database.pool, { user_id: userId, ip: '127.0.0.1' })

test('a person hears what is for the person, and what is for all, whatever process publishes it', async () => {
  const [a, b] = await Promise.all(people.map(session))
  const [first, second, stranger] = await Promise.all([
    listen(processes[0]!.url, a!.token),
    listen(processes[1]!.url, a!.token),
    listen(processes[1]!.url, b!.token),
  ])
  await processes[0]!.events.publish(people[0]!, { type: 'notification', data: { id: 5, text: 'مرحبًا\nيا «صديق»' } })
  await processes[1]!.events.publish('all', { type: 'seats', data: [1, 2] })
  await Promise.all([first.waitFor(2), second.waitFor(2), stranger.waitFor(1)])
  const both = [
    { event: 'notification', data: { id: 5, text: 'مرحبًا\nيا «صديق»' } },
    { event: 'seats', data: [1, 2] },
  ]
  expect([first.events, second.events, stranger.events]).toEqual([both, both, [both[1]]])
  for (const live of [first, second, stranger]) live.close()
})

test('several people are told by one notice; what is between people is not for who is logged in as one of them', async () => {
  const [a, b] = await Promise.all(people.map(session))
  const as = await createSession(database.pool, {
    user_id: people[0]!,
    ip: '127.0.0.1',
    impersonator: { user_id: people[1]!, session_id: b!.id, read_only: false },
  })
  const [first, second, other] = await Promise.all([
    listen(processes[0]!.url, a!.token),
    listen(processes[1]!.url, b!.token),
    listen(processes[1]!.url, as.token),
  ])
  let notices = 0
  const stop = processes[1]!.events.on('live_event', () => notices++)
  await processes[0]!.events.publish(people, { type: 'chat_message', data: 1, personal: true })
  await processes[0]!.events.publish(people, { type: 'seats', data: 2 })
  await Promise.all([first.waitFor(2), second.waitFor(2), other.waitFor(1)])
  expect(notices).toBe(2)
  stop()
  expect(first.events).toEqual([
    { event: 'chat_message', data: 1 },
    { event: 'seats', data: 2 },
  ])
  expect(second.events).toEqual(first.events)
  expect(other.events).toEqual([{ event: 'seats', data: 2 }])
  for (const live of [first, second, other]) live.close()
})

test('whoever waits for the news has heard what was committed before, of any process', async () => {
  const { events } = processes[1]!
  const heard = new Set<string>()
  const stop = events.on('job_cancelled', (payload) => heard.add(payload))
  for (let n = 0; n < 40; n++) {
    await database.pool.query(`select pg_notify('job_cancelled', $1)`, [`news ${n}`])
    await events.heardAll()
    expect(heard).toContain(`news ${n}`)
  }
  stop()
})

test('what is published in a transaction is heard when it commits', async () => {
  const { token } = await session(people[0]!)
  const live = await listen(processes[1]!.url, token)
  const { events } = processes[0]!
  await database.db.transaction().execute(async (tx) => {
    await events.publish(people[0]!, { type: 'inside' }, tx)
    await events.publish(people[0]!, { type: 'outside' })
    await live.waitFor(1)
  })
  await live.waitFor(2)
  expect(live.events.map((e) => e.event)).toEqual(['outside', 'inside'])
  live.close()
})

test('what is too large comes without its data', async () => {
  const { token } = await session(people[0]!)
  const live = await listen(processes[0]!.url, token)
  await processes[1]!.events.publish(people[0]!, { type: 'large', data: 'م'.repeat(5000) })
  await live.waitFor(1)
  expect(live.events).toEqual([{ event: 'large', data: null }])
  live.close()
})

test('the end of a session ends its stream in every process, and only that', async () => {
  const [gone, stays] = [await session(people[0]!), await session(people[0]!)]
  const [over, other] = await Promise.all([
    listen(processes[1]!.url, gone.token),
    listen(processes[1]!.url, stays.token),
  ])
  await endSession(database.pool, people[0]!, gone.id)
  await over.ended
  expect(over.events).toEqual([{ event: 'signed_out', data: null }])
  expect(other.events).toEqual([])
  other.close()
})

test('changed rights are told; a blocked person is sent away', async () => {
  const { token } = await session(people[1]!)
  const live = await listen(processes[0]!.url, token)
  await database.pool.query(`insert into user_permissions (user_id, permission) values ($1, 'access_logs')`, [
    people[1],
  ])
  await live.waitFor(1)
  expect(live.events).toEqual([{ event: 'rights', data: null }])
  await database.pool.query('update users set blocked_at = now() where id = $1', [people[1]])
  await live.ended
  expect(live.events.at(-1)).toEqual({ event: 'signed_out', data: null })
  await database.pool.query('update users set blocked_at = null where id = $1', [people[1]])
})

test('without a session there is no stream', async () => {
  const nobody = await fetch(processes[0]!.url)
  expect(nobody.ok).toBe(false)
  const wrong = await fetch(processes[0]!.url, { headers: { authorization: `Bearer ${'x'.repeat(43)}` } })
  expect(wrong.ok).toBe(false)
})

test('a tab that reconnects without end does not fill the server', async () => {
  const { token } = await session(people[0]!)
  const before = processes[0]!.events.streams
  const lives: Live[] = []
  for (let i = 0; i < 13; i++) lives.push(await listen(processes[0]!.url, token))
  expect(processes[0]!.events.streams - before).toBeLessThanOrEqual(10)
  await lives[0]!.ended
  for (const live of lives) live.close()
  for (let i = 0; i < 100 && processes[0]!.events.streams > 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 10))
  expect(processes[0]!.events.streams).toBe(0)
})

test('a broken connection is made again and caches forget', async () => {
  const { events, auth } = processes[0]!
  const { token, id } = await session(people[0]!)
  const asking = { headers: { authorization: `Bearer ${token}` } }
  expect((await auth.authenticate(asking))?.user_id).toBe(people[0])
  let gaps = 0
  const off = events.onGap(() => gaps++)
  await database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like '% events'`,
  )
  for (let i = 0; i < 300 && (gaps < 2 || !events.connected); i++)
    await new Promise((resolve) => setTimeout(resolve, 20))
  expect([gaps, events.connected]).toEqual([2, true])
  off()
  await endSession(database.pool, people[0]!, id)
  await new Promise((resolve) => setTimeout(resolve, 50))
  await expect(auth.authenticate(asking)).rejects.toMatchObject({ status: 401 })
  const live = await listen(processes[0]!.url, (await session(people[0]!)).token)
  await processes[1]!.events.publish(people[0]!, { type: 'again' }).catch(() => {})
  await live.waitFor(1)
  live.close()
})
