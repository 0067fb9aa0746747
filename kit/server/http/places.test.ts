import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { z } from 'zod'
import { area, call, listQuery } from '#kit/contract/index.ts'
import { defineAreaServer } from './area.ts'
import { readConfig } from '../base/config.ts'
import { handle } from '../base/context.ts'
import { Places } from './places.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

const summary = ['Summary', 'ملخص'] as const
const some = { summary, response: z.object({}) } as const
const calls = {
  light: call('GET', '/light/{id}', { ...some, permission: 'signed_in' }),
  heavy: call('GET', '/heavy/{id}', { ...some, permission: 'signed_in', heavy: true }),
  list: call('POST', '/list', { ...some, permission: 'signed_in', body: listQuery, reads: true }),
  open: call('GET', '/open/{id}', { ...some, permission: 'public' }),
  fails: call('GET', '/fails/{id}', { ...some, permission: 'signed_in' }),
  upload: call('POST', '/upload', { ...some, permission: 'signed_in', upload: { field: 'file', accept: ['csv'] } }),
}
const busy = area({ name: 'busy', label: ['Busy', 'مشغول'], calls, errors: {} })

/** What each person has in work, the most at once, and in which order it was begun. */
let now: Record<string, number> = {}
let most: Record<string, number> = {}
let order: string[] = []
let t: TestApp
beforeAll(async () => {
  const work = (sort: string) => async (ctx: { actor: { user_id: number } | null }) => {
    const who = `${ctx.actor?.user_id ?? 'nobody'} ${sort}`
    now[who] = (now[who] ?? 0) + 1
    most[who] = Math.max(most[who] ?? 0, now[who])
    order.push(who)
    await sleep(10)
    now[who] -= 1
    return {}
  }
  t = await openTestApp(
    [
      defineAreaServer({
        area: busy,
        handlers: [
          handle(calls.light, work('light')),
          handle(calls.heavy, work('heavy')),
          handle(calls.list, work('list')),
          handle(calls.open, work('open')),
          handle(calls.fails, async () => {
            await sleep(1)
            throw new Error('broken')
          }),
          handle(calls.upload, work('upload')),
        ],
      }),
    ],
    { services: { config: readConfig({ POOL_SIZE: '6' }) } },
  )
})
beforeEach(() => {
  now = {}
  most = {}
  order = []
})
afterAll(() => t.close())

const person = (user_id: number, more: { impersonator_id?: number } = {}) => t.as(testActor({}, { user_id, ...more }))
const many = <T>(n: number, one: (i: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: n }, (_, i) => one(i + 1)))

test('eight calls of one person are answered at once, more wait, and all are answered', async () => {
  const answers = await many(60, (id) => person(1).send(calls.light, { params: { id } }))
  expect(answers.map(({ status }) => status)).toEqual(Array(60).fill(200))
  expect(most['1 light']).toBe(8)
})
test('of heavy calls two, and light ones of the same person go on beside them', async () => {
  const heavy = many(20, (id) => person(1).send(calls.heavy, { params: { id } }))
  await sleep(5)
  await person(1).ask(calls.light, { params: { id: 1 } })
  expect(order.filter((one) => one === '1 heavy').length).toBeLessThan(20)
  await heavy
  expect(most['1 heavy']).toBe(2)
})
test('a list is heavy where it searches', async () => {
  await many(20, () => person(1).send(calls.list, { body: { search: 'mona' } }))
  expect(most['1 list']).toBe(2)
  most = {}
  await many(20, () => person(1).send(calls.list, { body: {} }))
  expect(most['1 list']).toBe(8)
})
test('whoever sends hundreds at once waits for those; others do not; what is too many is refused with a time to come again', async () => {
  const greedy = many(300, (id) => person(1).send(calls.heavy, { params: { id } }))
  await sleep(15)
  const before = order.length
  await many(5, (id) => person(2).send(calls.heavy, { params: { id } }))
  // No more of the other's than run beside.
  expect(order.slice(before).filter((one) => one === '1 heavy').length).toBeLessThan(12)
  const answers = await greedy
  const refused = answers.filter(({ status }) => status === 429)
  expect([refused.length, answers.filter(({ status }) => status === 200).length]).toEqual([198, 102])
  expect(refused[0]).toMatchObject({ error: { message: 'calls_waiting' }, headers: { 'retry-after': '2' } })
})
test('all places of heavy calls are three here, and people have them in turn', async () => {
  const first = many(30, (id) => person(1).send(calls.heavy, { params: { id } }))
  const second = many(30, (id) => person(2).send(calls.heavy, { params: { id } }))
  const third = many(3, (id) => person(3).send(calls.heavy, { params: { id } }))
  await third
  // Three of each, and what each had begun beside.
  expect(order.filter((one) => one === '1 heavy').length).toBeLessThan(8)
  expect(order.filter((one) => one === '2 heavy').length).toBeLessThan(8)
  await Promise.all([first, second])
})
test('who acts as others is one person, wherever', async () => {
  await Promise.all([
    many(10, (id) => person(21, { impersonator_id: 5 }).send(calls.heavy, { params: { id } })),
    many(10, (id) => person(22, { impersonator_id: 5 }).send(calls.heavy, { params: { id } })),
  ])
  expect(Math.max(most['21 heavy']! + most['22 heavy']!)).toBeGreaterThanOrEqual(2)
  expect(order.length).toBe(20)
  const beside = order.findIndex((one) => one === '22 heavy')
  expect(beside).toBeGreaterThanOrEqual(10)
})
test('without a session they count by address, of which a campus may share one', async () => {
  await many(100, (id) => t.as(null).send(calls.open, { params: { id } }))
  expect(most['nobody open']).toBe(32)
})
test('a place is given back where a call fails', async () => {
  const answers = await many(40, (id) => person(1).send(calls.fails, { params: { id } }))
  expect(answers.map(({ status }) => status)).toEqual(Array(40).fill(500))
  await person(1).ask(calls.light, { params: { id: 1 } })
})
test('an upload takes its place when it has arrived', async () => {
  const file = { name: 'rows.csv', content: Buffer.from('a,b\n1,2\n') }
  await many(9, () => person(1).send(calls.upload, { file }))
  expect(most['1 upload']).toBeLessThanOrEqual(8)
  await person(1).ask(calls.light, { params: { id: 1 } })
})
test('what nobody listens to any more is not begun', async () => {
  const places = new Places({
    person: { light: 1, heavy: 1, waiting: 9 },
    address: { light: 1, heavy: 1, waiting: 9 },
    all: { light: 9, heavy: 9 },
  })
  expect(places.enter('1', 'light', 'person')).toBe(true)
  const left = places.enter('1', 'light', 'person', () => true)
  const next = places.enter('1', 'light', 'person', () => false)
  expect(places.waiting).toBe(2)
  places.leave('1', 'light')
  expect([await left, await next, places.waiting]).toEqual([false, true, 0])
})
test('a place costs less than ten microseconds', () => {
  const places = new Places({
    person: { light: 8, heavy: 2, waiting: 9 },
    address: { light: 1, heavy: 1, waiting: 9 },
    all: { light: 60, heavy: 9 },
  })
  const started = performance.now()
  for (let i = 0; i < 100_000; i++) {
    const who = String(i % 50)
    void places.enter(who, 'light', 'person')
    places.leave(who, 'light')
  }
  expect((performance.now() - started) / 100).toBeLessThan(40)
})
