import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { area, call, id } from '#kit/contract/index.ts'
import type { Call } from '#kit/contract/index.ts'
import { defineAreaServer } from './area.ts'
import { Budget, checkStructure } from './bodies.ts'
import { handle } from '../base/context.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

const summary = ['Test', 'اختبار'] as const
const response = z.object({})
const wide = {
  summary,
  body: z.strictObject({
    ids: z.array(id).max(500).optional(),
    rows: z.array(z.strictObject({ n: z.union([z.int(), z.null()]), text: z.string().max(10) })).optional(),
    any: z.record(z.string(), z.unknown()).optional(),
  }),
  response,
}
const calls = {
  open: call('POST', '/bodies/open', { permission: 'public', ...wide }),
  inside: call('POST', '/bodies/inside', { permission: 'signed_in', ...wide }),
  grid: call('POST', '/bodies/grid', { permission: 'signed_in', ...wide, maxBody: 2_000_000 }),
  forbidden: call('POST', '/bodies/forbidden', { permission: 'edit_location', ...wide }),
}
let t: TestApp
let handled = 0
const person = testActor({})

beforeAll(async () => {
  t = await openTestApp([
    defineAreaServer({
      area: area({ name: 'bodies', label: ['Bodies', 'أجسام'], calls }),
      handlers: Object.values(calls).map((c) =>
        handle(c, async () => {
          handled++
          return {}
        }),
      ),
    }),
  ])
})
afterAll(() => t.close())

const keys = (n: number, prefix = 'key_number_') =>
  `{${Array.from({ length: n }, (_, i) => `"${prefix}${i}":1`).join()}}`
const raw = async (to: Call, payload: string, actor = person) => {
  const started = performance.now()
  const answer = await t.as(actor).send(to, { body: payload, headers: { 'content-type': 'application/json' } })
  return { ...answer, ms: performance.now() - started, bytes: answer.bytes.length }
}

describe('what is sent to make the server work or talk', () => {
  test('strangers send little, and people no more than a call needs', async () => {
    const large = keys(200_000)
    const codes = async (to: Call, payload: string) => {
      const { status, error } = await raw(to, payload)
      return [status, error.message, error.errors[0]?.data?.max]
    }
    expect(await codes(calls.open, large)).toEqual([413, 'body_too_large', 16])
    expect(await codes(calls.inside, large)).toEqual([413, 'body_too_large', 256])
    expect(await codes(calls.grid, large)).toEqual([413, 'body_too_large', 2000])
    expect(await codes(calls.open, `{"ids":[${'1,'.repeat(7000)}1]}`)).toEqual([413, 'body_too_many_values', 2000])
    expect(await codes(calls.inside, `{"any":${'{"a":'.repeat(40)}1${'}'.repeat(40)}}`)).toEqual([
      413,
      'body_too_deep',
      32,
    ])
    expect((await raw(calls.open, `{"ids":[1,2,3]}`)).status).toBe(200)
    // Brackets and commas within texts are no structure.
    const text = JSON.stringify({ any: { text: '[{",\\",'.repeat(1500) } })
    expect((await raw(calls.open, text)).status).toBe(200)
  })

  test('at most fifty reasons are told, how many more there are, and names no longer than names are', async () => {
    const answer = await raw(calls.open, keys(800, 'unknown_'))
    expect([answer.status, answer.error.errors.length, answer.error.more]).toEqual([422, 50, 750])
    expect(answer.bytes).toBeLessThan(20_000)
    const long = await raw(calls.inside, JSON.stringify({ ['x'.repeat(200_000)]: 1, [`${'y'.repeat(59)}😀`]: 1 }))
    expect([long.status, long.error.errors.length]).toEqual([422, 2])
    expect(long.bytes).toBeLessThan(2000)
    const rows = `{"rows":[${Array.from({ length: 5000 }, () => '{"n":"a","text":1}').join()}]}`
    const many = await raw(calls.inside, rows)
    expect([many.status, many.error.errors.length, many.error.more]).toEqual([422, 50, 1])
    expect(many.bytes).toBeLessThan(20_000)
    expect(many.error.errors[49]).toMatchObject({ field: 'rows.49.n', code: 'wrong_type' })
    const last = await raw(calls.inside, `{"rows":[${'{"n":1,"text":"a"},'.repeat(3000)}{"n":1,"text":2}]}`)
    expect(last.error.errors).toMatchObject([{ field: 'rows.3000.text', code: 'wrong_type' }])
    const list = await raw(calls.inside, `{"ids":[${'1,'.repeat(3000)}1]}`)
    expect(list.error.errors).toMatchObject([{ field: 'ids', code: 'too_many' }])
  })

  test('text that cannot be stored is refused wherever it stands', async () => {
    for (const bad of ['\\u0000', '\\ud800']) {
      const answer = await raw(calls.open, `{"any":{"note":"a${bad}b"}}`)
      expect([answer.status, answer.error.errors[0]]).toMatchObject([
        422,
        { code: 'text_control_characters', field: 'any.note' },
      ])
    }
    expect((await raw(calls.open, '{"any":{"note":"\\ud83d\\ude00"}}')).status).toBe(200)
  })

  test('what is sent is not told back', async () => {
    const secret = 'hunter2-hunter2'
    for (const payload of [
      { any: secret },
      { ids: [secret] },
      { rows: [{ n: secret, text: secret }] },
      { rows: [{ n: 1, text: secret }] },
    ]) {
      const answer = await raw(calls.open, JSON.stringify(payload))
      expect([answer.status, JSON.stringify(answer.error).includes(secret)]).toEqual([422, false])
    }
  })

  test('who may not call is told so before the body is read', async () => {
    const stranger = await t.app.inject({
      method: 'POST',
      url: '/api/bodies/grid',
      headers: { 'content-type': 'application/json' },
      payload: '{"broken',
    })
    expect(stranger.statusCode).toBe(401)
    expect((await raw(calls.forbidden, '{"broken')).status).toBe(403)
    expect((await raw(calls.inside, '{"broken')).status).toBe(422)
  })

  test('twenty hostile bodies at once take neither time nor memory', async () => {
    const shapes = [
      `{"ids":[${'"a",'.repeat(60_000)}1]}`,
      `{"rows":[${'{},'.repeat(80_000)}{}]}`,
      `{"rows":[${'{"n":"a","text":1},'.repeat(80_000)}{}]}`,
      keys(80_000),
      `{"any":${'['.repeat(900_000)}`,
    ]
    await raw(calls.grid, shapes[0] as string)
    globalThis.gc?.()
    const before = process.memoryUsage().rss
    const started = process.cpuUsage()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => raw([calls.grid, calls.open][i % 2] as Call, shapes[i % 5] as string)),
    )
    expect(new Set(answers.map((a) => a.status))).toEqual(new Set([413, 422]))
    expect(Math.max(...answers.map((a) => a.bytes))).toBeLessThan(30_000)
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000)
    // Of the processor, because others may compute beside this test.
    const { user, system } = process.cpuUsage(started)
    expect((user + system) / 1000).toBeLessThan(9000)
  })
})

describe('the budget of an address', () => {
  const secondsLeft = (budget: Budget, address: string, bytes: number, now: number): number => {
    try {
      budget.spend(address, bytes, now)
      return 0
    } catch (error) {
      return (error as { reasons: { data: { seconds: number } }[] }).reasons[0]?.data.seconds ?? -1
    }
  }
  test('counts size: small requests are many, large ones few; it refills, and others are not held back', () => {
    const small = new Budget()
    const sent = (budget: Budget, bytes: number) => {
      for (let n = 0; n < 10_000; n++) if (secondsLeft(budget, 'a', bytes, 0)) return n
      return Infinity
    }
    expect(sent(small, 200)).toBe(3000)
    expect(sent(new Budget(), 16_000)).toBe(176)
    expect(secondsLeft(small, 'b', 200, 0)).toBe(0)
    expect(secondsLeft(small, 'a', 200, 0)).toBe(1)
    expect(secondsLeft(small, 'a', 200, 1000)).toBe(0)
  })
  test('who has spent it all is told when there is more', () => {
    const budget = new Budget()
    for (let n = 0; n < 2999; n++) budget.spend('a', 200, 0)
    budget.demand('a', 0)
    budget.spend('a', 200, 0)
    expect(() => budget.demand('a', 0)).toThrow('too_many_requests')
    budget.demand('b', 0)
    budget.demand('a', 1000)
  })
  test('remembers no more addresses than it can keep', () => {
    const budget = new Budget()
    for (let n = 0; n < 50_000; n++) budget.spend(`address ${n}`, 16_000, 0)
    expect(secondsLeft(budget, 'one more', 100, 0)).toBe(0)
  })
})

test('structure is counted without making anything of it', () => {
  const started = performance.now()
  const limits = { bytes: 4_000_000, values: 500_000 }
  checkStructure(`{"a":"${'\\"[{,'.repeat(400_000)}"}`, limits)
  expect(() => checkStructure('['.repeat(33), limits)).toThrow('body_too_deep')
  expect(() => checkStructure(`[${'1,'.repeat(500_001)}1]`, limits)).toThrow('body_too_many_values')
  expect(performance.now() - started).toBeLessThan(2000)
})
