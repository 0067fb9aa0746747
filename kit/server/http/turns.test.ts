import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { area, call } from '#kit/contract/index.ts'
import { defineAreaServer } from './area.ts'
import { readConfig } from '../base/config.ts'
import { handle } from '../base/context.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

const summary = ['Summary', 'ملخص'] as const
const calls = {
  paper: call('GET', '/papers/{id}', {
    permission: 'signed_in',
    summary,
    params: z.object({ id: z.coerce.number() }),
    file: { name: 'paper.csv', type: 'csv' },
  }),
  upload: call('POST', '/papers', {
    permission: 'signed_in',
    summary,
    upload: { field: 'file', accept: ['png'] },
    response: z.object({}),
  }),
}
const papers = area({ name: 'papers', label: ['Papers', 'أوراق'], calls, errors: {} })

let made: string[] = []
let t: TestApp
beforeAll(async () => {
  const handlers = [
    handle(calls.paper, async (ctx, { params }) => {
      made.push(`${ctx.actor?.name} ${params.id}`)
      await sleep(20)
      return { name: 'paper', type: 'csv' as const, content: Buffer.from(`${ctx.actor?.name} ${params.id}`) }
    }),
    handle(calls.upload, async () => ({})),
  ]
  t = await openTestApp([defineAreaServer({ area: papers, handlers })], {
    services: { config: readConfig({ UPLOADS_PER_DAY: '3', UPLOAD_MB_PER_DAY: '1' }) },
  })
})
afterAll(() => t.close())

const person = (name: string, user_id: number) => t.as({ ...testActor({}), name, user_id })
const print = (who: ReturnType<typeof person>, id: number) => who.send(calls.paper, { params: { id } })

test('who asks for forty papers waits for them; another who asks for one does not', async () => {
  made = []
  const [many, one] = [person('many', 11), person('one', 12)]
  const all = Array.from({ length: 40 }, (_, i) => print(many, i))
  await sleep(30)
  expect((await print(one, 1)).status).toBe(200)
  // It was begun before what waited.
  expect(made.indexOf('one 1')).toBeLessThan(25)
  expect((await Promise.all(all)).map((answer) => answer.status)).toEqual(Array(40).fill(200))
  expect(made).toHaveLength(41)
})

test('more papers than may wait are refused in words, with the time after which to ask again; other people are served', async () => {
  const greedy = person('greedy', 13)
  const answers = Promise.all(Array.from({ length: 60 }, (_, i) => print(greedy, i)))
  expect((await print(person('other', 14), 1)).status).toBe(200)
  const refused = (await answers).filter((answer) => answer.status !== 200)
  expect(refused).toHaveLength(60 - 40 - 4)
  expect(refused[0]).toMatchObject({ status: 429, error: { message: 'papers_waiting' } })
  expect((await print(greedy, 1)).status).toBe(200)
})

test('the same paper asked for many times at once is made once, for each who asks', async () => {
  made = []
  const [a, b] = [person('a', 15), person('b', 16)]
  const answers = await Promise.all([...Array.from({ length: 100 }, () => print(a, 7)), print(b, 7)])
  expect(answers.every((answer) => answer.status === 200)).toBe(true)
  expect(made.toSorted()).toEqual(['a 7', 'b 7'])
  expect(Buffer.from(answers[99]!.bytes).toString()).toBe('a 7')
  expect(Buffer.from(answers[100]!.bytes).toString()).toBe('b 7')
})

// The signature and the header of a picture of one pixel.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const upload = (who: ReturnType<typeof person>, content: Buffer = png) =>
  who.send(calls.upload, { file: { name: 'a.png', content } })

test('the files of a day are counted for each person, in every process', async () => {
  const [a, b] = [person('a', 21), person('b', 22)]
  const statuses = (await Promise.all([1, 2, 3, 4, 5].map(() => upload(a)))).map((answer) => answer.status).toSorted()
  expect(statuses).toEqual([200, 200, 200, 429, 429])
  const refused = await upload(a)
  expect(refused.error.message).toBe('upload_quota')
  expect(refused.error.error.en).toContain('3 files and 1 MB')
  expect((await upload(b)).status).toBe(200)
})

test('so are their bytes, before they are read', async () => {
  const c = person('c', 23)
  expect((await upload(c, Buffer.concat([png, Buffer.alloc(600_000)]))).status).toBe(200)
  expect((await upload(c, Buffer.concat([png, Buffer.alloc(600_000)]))).status).toBe(429)
  expect((await upload(c)).status).toBe(200)
})
