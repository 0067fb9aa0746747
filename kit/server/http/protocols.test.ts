/** Protocols of others, with refusals of our own: closed, read-only, and what nobody can store. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { area } from '#kit/contract/index.ts'
import { openTestApp } from '../testing.ts'
import type { TestApp } from '../testing.ts'
import { defineAreaServer } from './area.ts'
import type { Protocol } from './protocols.ts'

const refused: Protocol['refused'] = ({ status, reasons }) => ({
  status,
  body: JSON.stringify(reasons.map(({ code, field }) => [code, field ?? null])),
})
const echo = (reads: 'json' | 'form'): Protocol => ({
  name: `echo ${reads}`,
  prefix: `/echo-${reads}`,
  types: [reads === 'json' ? 'application/json' : 'application/x-www-form-urlencoded'],
  reads,
  maxBody: 10_000,
  routes: [
    { method: 'GET', path: '/said/:id', handler: async (_ctx, { params }) => ({ status: 200, body: params.id! }) },
    { method: 'POST', path: '/said', handler: async (_ctx, { body }) => ({ status: 200, body: JSON.stringify(body) }) },
    { method: 'POST', path: '/looked', reads: true, handler: async () => ({ status: 200, body: '"looked"' }) },
    { method: 'POST', path: '/always', inMaintenance: true, handler: async () => ({ status: 200, body: '"open"' }) },
  ],
  refused,
})
let t: TestApp
beforeAll(async () => {
  const echoes = area({ name: 'echoes', label: ['Echoes', 'أصداء'] })
  t = await openTestApp([defineAreaServer({ area: echoes, handlers: [], protocols: [echo('json'), echo('form')] })])
})
afterAll(() => t.close())
const ask = async (url: string, payload?: string) => {
  const type = url.startsWith('/echo-json') ? 'application/json' : 'application/x-www-form-urlencoded'
  const answer = await t.app.inject({
    method: payload === undefined ? 'GET' : 'POST',
    url: `/api${url}`,
    ...(payload !== undefined && { payload, headers: { 'content-type': type } }),
  })
  return [answer.statusCode, answer.payload]
}

test('texts that cannot be stored are refused in each kind of body, with their place; an address of them is none', async () => {
  expect(await ask('/echo-json/said', '{"a":{"b":"c"}}')).toEqual([200, '{"a":{"b":"c"}}'])
  expect(await ask('/echo-json/said', String.raw`{"a":{"b":"\u0000"}}`)).toEqual([
    422,
    '[["text_control_characters","a.b"]]',
  ])
  expect(await ask('/echo-json/said', '{')).toEqual([422, '[["body_not_json",null]]'])
  expect(await ask('/echo-form/said', 'a=b')).toEqual([200, '{"a":"b"}'])
  expect(await ask('/echo-form/said', 'a=%00')).toEqual([422, '[["text_control_characters",null]]'])
  expect(await ask('/echo-json/said/7')).toEqual([200, '7'])
  expect(await ask('/echo-json/said/7%00')).toEqual([404, '[["not_found",null]]'])
})

test('read-only, what changes something is refused; closed, all but what works meanwhile', async () => {
  const set = (key: string, value: string) =>
    t.database.pool.query(
      `insert into settings (key, value) values ($1, $2::jsonb) on conflict (key) do update set value = excluded.value`,
      [key, value],
    )
  await set('read_only', 'true')
  try {
    await expect
      .poll(() => ask('/echo-json/said', '{}'), { timeout: 4000 })
      .toEqual([403, '[["you are in readonly mode",null]]'])
    expect(await ask('/echo-json/looked', '{}')).toEqual([200, '"looked"'])
    expect(await ask('/echo-json/said/7')).toEqual([200, '7'])
  } finally {
    await set('read_only', 'false')
  }
  await set('maintenance', 'true')
  try {
    await expect.poll(async () => (await ask('/echo-json/said/7'))[0], { timeout: 4000 }).toBe(503)
    expect(await ask('/echo-json/always', '{}')).toEqual([200, '"open"'])
  } finally {
    await set('maintenance', 'false')
  }
  await expect.poll(async () => (await ask('/echo-json/said', '{}'))[0], { timeout: 4000 }).toBe(200)
})
