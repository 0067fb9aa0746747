import { reasonsOfZod } from '#kit/contract/issues.ts'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { area, call, f, resource } from '#kit/contract/index.ts'
import type { Area, Call } from '#kit/contract/index.ts'
import { createApp } from './app.ts'
import { contentDisposition } from './answering.ts'
import { markup } from './first.ts'
import { defineAreaServer } from './area.ts'
import { readConfig } from '../base/config.ts'
import { handle } from '../base/context.ts'
import type { Handled, Services } from '../base/context.ts'
import { refuse } from '../base/errors.ts'
import { serveMetrics } from '../base/metrics.ts'
import { openTestApp, testActor } from '../testing.ts'
import type { TestApp } from '../testing.ts'

const summary = ['Test', 'اختبار'] as const
const calls = {
  literal: call('GET', '/things/newest', {
    permission: 'signed_in',
    summary,
    response: z.object({ name: z.string() }),
  }),
  byId: call('GET', '/things/{id}', { permission: 'signed_in', summary, response: z.object({ id: z.int() }) }),
  deeper: call('GET', '/things/{thing_id}/parts/{lang}', {
    permission: 'signed_in',
    summary,
    response: z.object({ thing_id: z.int(), lang: z.string() }),
  }),
  change: call('POST', '/things', {
    permission: ['edit_building', 'edit_location'],
    summary,
    body: z.strictObject({ text: z.string() }),
    response: z.object({ text: z.string() }),
  }),
  list: call('POST', '/things/list', {
    permission: 'signed_in',
    summary,
    body: z.strictObject({ n: z.int().default(1) }),
    response: z.object({ rows: z.array(z.string()) }),
    reads: true,
  }),
  filtered: call('GET', '/things/filtered', {
    permission: 'public',
    summary,
    query: z.strictObject({ q: z.string().max(3).optional() }),
    response: z.object({ q: z.string().nullable(), lang: z.string() }),
  }),
  fails: call('GET', '/things/fails', { permission: 'public', summary }),
  wrong: call('GET', '/things/wrong', { permission: 'public', summary, response: z.object({ n: z.int() }) }),
  away: call('GET', '/things/away', { permission: 'public', summary }),
  busy: call('GET', '/things/busy', { permission: 'public', summary }),
  hello: call('POST', '/things/hello', { permission: 'public', summary, response: z.object({ hello: z.string() }) }),
  paper: call('GET', '/things/paper', { permission: 'public', summary, file: { name: 'paper.csv', type: 'csv' } }),
  picture: call('POST', '/things/picture', {
    permission: 'public',
    summary,
    upload: { field: 'photo', accept: ['png'], maxMB: 1 },
    body: z.strictObject({ title: z.string() }),
    response: z.object({ title: z.string(), ext: z.string(), size: z.int() }),
  }),
  cookie: call('POST', '/things/cookie', { permission: 'public', summary, response: z.object({}), reads: true }),
}
const things = area({
  name: 'things',
  label: ['Things', 'أشياء'],
  calls,
  errors: { odd_thing: ['Odd {n}', 'فردي {n}'] },
})
const handlers: Handled[] = [
  handle(calls.literal, async () => ({ name: 'newest', secret: 'hidden' })),
  handle(calls.byId, async (_ctx, { params }) => ({ id: params.id })),
  handle(calls.deeper, async (_ctx, { params }) => params),
  handle(calls.change, async (_ctx, { body }) => body),
  handle(calls.list, async (_ctx, { body }) => ({ rows: Array.from({ length: body.n }, (_, i) => `row ${i}`) })),
  handle(calls.filtered, async (ctx, { query }) => ({ q: query.q ?? null, lang: ctx.lang })),
  handle(calls.fails, async () => {
    throw new Error('select secret from vault')
  }),
  handle(calls.wrong, async () => ({ n: 'seven' }) as never),
  handle(calls.away, async () => {
    throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
  }),
  handle(calls.busy, async () => {
    throw refuse(429, 'too_many_requests', { seconds: 7 })
  }),
  handle(calls.hello, async (ctx) => ({ hello: ctx.actor?.name ?? 'nobody' })),
  handle(calls.paper, async () => ({ name: 'قائمة "الطلاب" 1', type: 'csv', content: Buffer.from('a;b') })),
  handle(calls.picture, async (_ctx, { body, file }) => ({
    title: body.title,
    ext: file?.ext ?? '',
    size: file?.content.length ?? 0,
  })),
  handle(calls.cookie, async (ctx) => {
    ctx.http?.reply.setCookie('session', 'x', { httpOnly: true, sameSite: 'lax', path: '/' })
    return {}
  }),
]
const person = testActor({ edit_location: 'all' })
let dist: string
let t: TestApp

beforeAll(async () => {
  dist = await mkdtemp(path.join(os.tmpdir(), 'ems-dist-'))
  await mkdir(path.join(dist, 'assets'))
  await writeFile(
    path.join(dist, 'index.html'),
    '<!doctype html><meta property="csp-nonce" nonce="%CSP_NONCE%"><title>EMS</title>',
  )
  await writeFile(
    path.join(dist, 'light.html'),
    '<!doctype html><html lang="en"><head><meta property="csp-nonce" nonce="%CSP_NONCE%"><title>Light</title></head><body><div id="root"></div></body></html>',
  )
  await writeFile(
    path.join(dist, 'light.json'),
    JSON.stringify([
      {
        path: '/ask/:id?',
        asks: ['/asked/{id}'],
        files: ['/assets/ask.js', '/assets/ask.css'],
        texts: { ar: ['/assets/ar.js'], en: ['/assets/en.js'] },
      },
    ]),
  )
  await writeFile(path.join(dist, 'assets', 'app-abc123.js'), 'export const a = 1\n'.repeat(500))
  await writeFile(path.join(dist, 'service-worker.js'), 'self.skipWaiting()\n'.repeat(100))
  t = await openTestApp(
    [
      defineAreaServer({
        area: things,
        handlers,
        metrics: () => ({ things: 42 }),
        firsts: [
          {
            screen: '/ask/:id?',
            draw: async ({ params, lang }) => {
              if (params.id === 'broken') throw new Error('cannot be drawn')
              return markup`<p>${lang} ${params.id}</p>`
            },
          },
        ],
      }),
    ],
    { dist },
  )
})
afterAll(async () => {
  await t.close()
  await rm(dist, { recursive: true })
})
const get = (url: string, headers: Record<string, string> = {}) => t.app.inject({ url, headers })

describe('routes', () => {
  test('literal segments win, parameters may be named otherwise at one place, /api/ems is the same', async () => {
    const me = t.as(person)
    expect(await me.ask(calls.literal)).toEqual({ name: 'newest' })
    expect(await me.ask(calls.byId, { params: { id: 7 } })).toEqual({ id: 7 })
    expect(await me.ask(calls.deeper, { params: { thing_id: 7, lang: 'ar' } })).toEqual({ thing_id: 7, lang: 'ar' })
    expect((await get('/api/ems/things/filtered?q=abc')).json()).toEqual({ q: 'abc', lang: 'ar' })
    expect((await get('/api/things/filtered/')).json()).toMatchObject({ q: null })
  })

  test('an address that cannot be is not found', async () => {
    const me = t.as(person)
    for (const id of ['0', 'x', '1.5', '99999999999', '%00', "1'"]) {
      const { status, error } = await me.send(calls.byId, { params: { id } })
      expect([status, error.message, error.errors[0]?.ar]).toEqual([
        404,
        'not_found',
        'غير موجود أو ليست لديك صلاحية عرضه.',
      ])
    }
    for (const url of ['/api/things/%', '/api/things/%zz', '/api/things/%C3%28', `/api/things/${'x'.repeat(600)}`]) {
      const answer = await get(url)
      expect([url.slice(0, 20), answer.statusCode, answer.json().message]).toEqual([url.slice(0, 20), 404, 'not_found'])
      expect(answer.json().errors[0]).toMatchObject({ code: 'not_found', ar: expect.any(String) })
      expect(answer.headers['x-content-type-options']).toBe('nosniff')
    }
    expect((await get('/api/none')).json()).toMatchObject({
      message: 'not_found',
      error: { en: expect.any(String), ar: expect.any(String) },
    })
    expect((await t.app.inject({ method: 'DELETE', url: '/api/things/7' })).statusCode).toBe(404)
  })

  test('what is no request at all is refused in our words', async () => {
    await t.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = t.app.server.address() as AddressInfo
    const sent = (text: string) =>
      new Promise<string>((resolve, reject) => {
        let heard = ''
        const socket = connect(port, '127.0.0.1', () => socket.write(text))
        socket.setEncoding('utf8')
        socket.on('data', (part: string) => (heard += part))
        socket.on('end', () => resolve(heard))
        socket.on('error', reject)
      })
    for (const [text, status] of [
      [`GET /api/things/${'x'.repeat(20_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
      ['GET /api/things/7 HTTP/1.1\r\nhost : a\r\n\r\n', 400],
      ['GET /api/things/\u0001 HTTP/1.1\r\nhost: a\r\n\r\n', 400],
      ['nonsense\r\n\r\n', 400],
    ] as const) {
      const answer = await sent(text)
      const [head, body] = answer.split('\r\n\r\n') as [string, string]
      expect([text.slice(0, 20), head.split('\r\n')[0]]).toEqual([
        text.slice(0, 20),
        expect.stringContaining(`HTTP/1.1 ${status} `),
      ])
      expect(JSON.parse(body)).toMatchObject({
        message: 'invalid_input',
        error: { en: expect.any(String), ar: expect.any(String) },
      })
      expect(head.toLowerCase()).toContain('x-content-type-options: nosniff')
    }
  })

  test('who is not signed in, and who may not', async () => {
    expect((await t.as(null).send(calls.byId, { params: { id: 1 } })).error.message).toBe('not_signed_in')
    const { status, error } = await t.as(testActor({})).send(calls.change, { body: { text: 'x' } })
    expect([status, error.message]).toEqual([403, 'not_allowed'])
    expect(await t.as(person).ask(calls.change, { body: { text: 'x' } })).toEqual({ text: 'x' })
    expect(await t.as(testActor({}, { is_super_admin: true })).ask(calls.change, { body: { text: 'x' } })).toEqual({
      text: 'x',
    })
    expect(await t.as(null).ask(calls.hello)).toEqual({ hello: 'nobody' })
    expect(await t.as(person).ask(calls.hello)).toEqual({ hello: 'Test Person' })
  })

  test('queries and bodies are strict', async () => {
    const bad = await get('/api/things/filtered?q=abcd&x=1')
    expect([
      bad.statusCode,
      (bad.json() as { errors: { field: string; code: string }[] }).errors.map((e) => [e.field, e.code]),
    ]).toEqual([
      422,
      [
        ['q', 'too_long'],
        ['x', 'unknown_field'],
      ],
    ])
    expect(await t.as(person).ask(calls.list)).toEqual({ rows: ['row 0'] })
    for (const payload of ['{', '"text"', '[]', 'null', '{"__proto__": {"n": 1}}']) {
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/things/list',
        payload,
        headers: { 'content-type': 'application/json' },
      })
      expect([401, 422]).toContain(answer.statusCode)
    }
    const huge = await t.app.inject({
      method: 'POST',
      url: '/api/things/hello',
      payload: { text: 'x'.repeat(5_000_000) },
    })
    expect([huge.statusCode, huge.json().message]).toEqual([413, 'body_too_large'])
    const form = await t.app.inject({
      method: 'POST',
      url: '/api/things/hello',
      payload: 'a=b',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([form.statusCode, form.json().message]).toEqual([422, 'body_not_json'])
    for (const payload of ['{"text":', '{"__proto__":{"a":1},"text":"b"}']) {
      const broken = await t.app.inject({
        method: 'POST',
        url: '/api/things/hello',
        payload,
        headers: { 'content-type': 'application/json' },
      })
      expect([broken.statusCode, broken.json().message]).toEqual([422, 'body_not_json'])
    }
    const list = z.object({ text: z.string().min(1) }).safeParse({ text: [] }, { reportInput: true })
    expect(reasonsOfZod(list.error!).map((one) => one.code)).toEqual(['wrong_type'])
  })

  test('the language of the reader', async () => {
    expect((await get('/api/things/filtered', { 'accept-language': 'de-DE,de' })).json().lang).toBe('de')
    expect((await get('/api/things/filtered', { 'accept-language': 'de-DE,de', 'x-language': 'fr' })).json().lang).toBe(
      'fr',
    )
    expect((await get('/api/things/filtered', { 'accept-language': 'zh' })).json().lang).toBe('ar')
  })
})

describe('what goes wrong', () => {
  test('an unexpected failure tells a reference and nothing else', async () => {
    for (const url of ['/api/things/fails', '/api/things/wrong']) {
      const answer = await get(url, { 'x-request-id': 'ref-12345678' })
      expect(answer.statusCode).toBe(500)
      expect(answer.json()).toEqual({
        message: 'unexpected',
        error: {
          en: 'Something went wrong. Reference ref-12345678.',
          ar: 'حدث خطأ غير متوقع. الرقم المرجعي ref-12345678.',
        },
        errors: [expect.objectContaining({ field: null, code: 'unexpected', data: { reference: 'ref-12345678' } })],
      })
      expect(answer.body).not.toMatch(/vault|seven|at /)
    }
  })

  test('a database that is away means maintenance; too many attempts say how long to wait', async () => {
    expect([(await get('/api/things/away')).statusCode, (await get('/api/things/away')).json().message]).toEqual([
      503,
      'maintenance',
    ])
    const busy = await get('/api/things/busy')
    expect([busy.statusCode, busy.headers['retry-after'], busy.json().error.en]).toEqual([
      429,
      '7',
      'Too many attempts. Try again in 7 seconds.',
    ])
  })

  test('read-only mode lets through what changes nothing', async () => {
    const { pool } = t.database
    await pool.query(`update settings set value = 'true' where key = 'read_only'`)
    try {
      await expect
        .poll(async () => (await t.as(person).send(calls.change, { body: { text: 'x' } })).error.message, {
          timeout: 4000,
        })
        .toBe('you are in readonly mode')
      expect((await t.as(person).send(calls.list)).status).toBe(200)
      expect((await t.as(person).send(calls.cookie)).status).toBe(200)
    } finally {
      await pool.query(`update settings set value = 'false' where key = 'read_only'`)
    }
    await expect
      .poll(async () => (await t.as(person).send(calls.change, { body: { text: 'x' } })).status, { timeout: 4000 })
      .toBe(200)
    const looking = testActor({ edit_location: 'all' }, { read_only: true })
    expect((await t.as(looking).send(calls.change, { body: { text: 'x' } })).error.message).toBe(
      'you are in readonly mode',
    )
  })
})

describe('safety', () => {
  test("another site's page cannot act with the visitor's cookie", async () => {
    const send = async (headers: Record<string, string>) =>
      (await t.as(person).send(calls.change, { body: { text: 'x' }, headers })).status
    expect(await send({ cookie: 'session=x', origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })).toBe(
      403,
    )
    expect(await send({ cookie: 'session=x', origin: 'https://evil.example' })).toBe(403)
    expect(await send({ cookie: 'session=x', origin: 'null' })).toBe(403)
    expect(
      await send({ cookie: 'session=x', 'sec-fetch-site': 'same-site', origin: 'https://other.university.example' }),
    ).toBe(403)
    expect(
      await send({ cookie: 'session=x', 'sec-fetch-site': 'same-origin', origin: 'https://ems.university.example' }),
    ).toBe(200)
    expect(await send({ cookie: 'session=x', origin: 'http://localhost:3000' })).toBe(200)
    // What decides is the credential that was believed, not a header that stands beside it.
    expect(await send({ origin: 'https://evil.example', authorization: 'Bearer x' })).toBe(200)
    expect(await send({ origin: 'https://evil.example', authorization: 'Basic eDp5' })).toBe(403)
    expect(await send({ origin: 'https://evil.example', authorization: 'x' })).toBe(403)
    expect(await send({})).toBe(200)
  })

  test('headers: policy, type, request id, no caching of answers', async () => {
    const { headers } = await get('/api/things/filtered')
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).toContain("object-src 'none'")
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'content-type': 'application/json; charset=utf-8',
    })
    expect(headers['x-request-id']).toMatch(/^[\w-]{36}$/)
    expect((await get('/api/things/filtered', { 'x-request-id': 'a\tb"><' })).headers['x-request-id']).toMatch(
      /^[\w-]{36}$/,
    )
    expect(headers).not.toHaveProperty('strict-transport-security')
  })

  test('large answers are zipped, small ones not', async () => {
    const large = await t.as(person).send(calls.list, { body: { n: 2000 }, headers: { 'accept-encoding': 'gzip' } })
    expect(large.headers['content-encoding']).toBe('gzip')
    expect(JSON.parse(gunzipSync(large.bytes).toString()).rows).toHaveLength(2000)
    expect(
      (await t.as(person).send(calls.list, { headers: { 'accept-encoding': 'gzip' } })).headers,
    ).not.toHaveProperty('content-encoding')
  })

  test('cookies of a handler', async () => {
    expect((await t.as(null).send(calls.cookie)).headers['set-cookie']).toBe(
      'session=x; Path=/; HttpOnly; SameSite=Lax',
    )
  })
})

describe('files', () => {
  test('names in every language', async () => {
    const paper = await t.as(null).send(calls.paper)
    expect([paper.headers['content-type'], paper.bytes.toString()]).toEqual(['text/csv; charset=utf-8', 'a;b'])
    expect(paper.headers['content-disposition']).toBe(
      `attachment; filename="_____ ________ 1.csv"; filename*=UTF-8''${encodeURIComponent('قائمة "الطلاب" 1.csv')}`,
    )
    expect(contentDisposition("a'b(c)*.pdf", 'inline')).toBe(
      `inline; filename="a'b(c)*.pdf"; filename*=UTF-8''a%27b%28c%29%2A.pdf`,
    )
    expect(contentDisposition('a\r\nSet-Cookie: x')).not.toMatch(/[\r\n]/)
  })

  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  )
  test('an upload is known by its content, its texts are checked', async () => {
    const send = (name: string, content: Buffer, body: object = { title: 't' }) =>
      t.as(null).send(calls.picture, { file: { name, content }, body })
    expect((await send('a.exe', png)).body).toEqual({ title: 't', ext: 'png', size: png.length })
    expect((await send('a.png', Buffer.from('MZ'))).error.errors[0]).toMatchObject({
      code: 'file_type_error',
      data: { accepted: 'png' },
    })
    expect((await send('a.png', png, {})).error.errors[0]).toMatchObject({ field: 'title', code: 'required' })
    // Whatever the text may be, longer it is not even read.
    expect((await send('a.png', png, { title: 't'.repeat(100_001) })).error.errors[0]).toMatchObject({
      field: 'title',
      code: 'too_long',
      data: { max: 100_000 },
    })
    const large = await send('a.png', Buffer.concat([png, Buffer.alloc(1_000_001)]))
    expect([large.status, large.error.message]).toEqual([422, 'invalid_input'])
    expect(large.error.errors[0]).toMatchObject({ field: 'file', code: 'file_too_large' })
    expect((await t.as(null).send(calls.picture, { body: { title: 't' } })).error.errors[0]).toMatchObject({
      field: 'photo',
      code: 'file_missing',
    })
    expect((await send('a.png', png, { title: 'a\u0000b' })).error.errors[0]).toMatchObject({
      field: 'title',
      code: 'text_control_characters',
    })
    // Forms that are none: parts told apart by more than may be, no file at all, and one that ends within a part.
    const form = async (boundary: string, end: string, file = true) => {
      const head = `--${boundary}\r\ncontent-disposition: form-data; name=`
      const answer = await t.app.inject({
        method: 'POST',
        url: '/api/things/picture',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        payload: `${head}"title"\r\n\r\nt\r\n${file ? `${head}"photo"; filename="a.png"\r\n\r\nx\r\n` : ''}${end}`,
      })
      const { code, field } = answer.json().errors[0]
      return [answer.statusCode, code, field]
    }
    expect(await form('b'.repeat(71), `--${'b'.repeat(71)}--`)).toEqual([400, 'invalid_input', null])
    expect(await form('b'.repeat(70), `--${'b'.repeat(70)}--`, false)).toEqual([422, 'file_missing', 'photo'])
    expect(await form('b', '')).toEqual([422, 'invalid_input', null])
  })
})

describe('operation', () => {
  test('alive, ready, counted', async () => {
    expect((await get('/api/health')).json()).toEqual({ status: 'ok' })
    expect((await get('/api/ready')).json()).toEqual({ status: 'ok' })
    await t.database.pool.query(`delete from kysely_migration where name like '0010%'`)
    // The answer is kept for some seconds.
    await expect
      .poll(async () => [(await get('/api/ready')).statusCode, (await get('/api/ready')).json()], { timeout: 30_000 })
      .toEqual([503, { status: 'migrations pending' }])
    await t.database.pool.query(
      `insert into kysely_migration select '0010_common', "timestamp" from kysely_migration limit 1`,
    )
    expect((await get('/metrics')).body).not.toContain('ems_')
    const body = await t.app.metrics()
    expect(body).toMatch(/^ems_requests_total\{call="GET \/things\/filtered",status="200"\} [1-9]/m)
    expect(body).toMatch(/^ems_request_seconds_bucket\{call="GET \/things\/filtered",le="\+Inf"\} [1-9]/m)
    expect(body).toMatch(/^ems_database_up 1$/m)
    expect(body).toMatch(/^ems_things 42$/m)
    for (const line of body.trim().split('\n'))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{.*\})? -?[\d.e+-]+)$/)
  })

  test('figures have an address of their own, and nothing else is there', async () => {
    const figures = await serveMetrics(t.app, '127.0.0.1', 0)
    const at = `http://127.0.0.1:${(figures.address() as AddressInfo).port}`
    expect(await (await fetch(`${at}/metrics`)).text()).toContain('ems_uptime_seconds')
    for (const url of ['/', '/api/health', '/api/things']) expect((await fetch(at + url)).status).toBe(404)
    expect((await fetch(`${at}/metrics`, { method: 'POST' })).status).toBe(404)
    figures.close()
    figures.closeAllConnections()
  })

  test('open requests are finished when the server stops', async () => {
    const slow = call('GET', '/slow', { permission: 'public', summary, response: z.object({ done: z.boolean() }) })
    const app = createApp({
      // None of the areas that hear what the kit asks.
      partial: true,
      areas: [
        defineAreaServer({
          area: area({ name: 'slow', label: ['Slow', 'بطيء'], calls: { slow } }),
          handlers: [
            handle(slow, async () => {
              await new Promise((resolve) => setTimeout(resolve, 300))
              return { done: true }
            }),
          ],
        }),
      ],
      services: t.services,
      auth: { authenticate: async () => null, demandProof: async () => {} },
      log: pino({ level: 'silent' }),
    })
    const address = await app.listen({ port: 0, host: '127.0.0.1' })
    const answer = fetch(`${address}/api/slow`)
    await new Promise((resolve) => setTimeout(resolve, 100))
    await app.close()
    expect(await (await answer).json()).toEqual({ done: true })
    await expect(fetch(`${address}/api/slow`)).rejects.toThrow('fetch failed')
  })

  test('a light page for who is not signed in, with what its screen is made of', async () => {
    const light = await get('/ask/7?x=1', { 'accept-language': 'ar-EG,en;q=0.8' })
    expect(light.body).toContain('<title>Light')
    expect(light.body).toContain('<link rel="modulepreload" crossorigin href="/assets/ask.js">')
    expect(light.body).toContain('<link rel="stylesheet" crossorigin href="/assets/ask.css">')
    expect(light.body).toContain('<link rel="preload" as="fetch" crossorigin="anonymous" href="/api/asked/7">')
    // What stands in an address is written into the page as an address only.
    expect((await get('/ask/%22%3E%3Cscript%3E')).body).toContain('href="/api/asked/%22%3E%3Cscript%3E"')
    expect(light.body).toContain('/assets/ar.js')
    expect(light.body).not.toContain('/assets/en.js')
    const nonce = /style-src 'self' 'nonce-([\w+/=]{24})';/.exec(String(light.headers['content-security-policy']))?.[1]
    expect(light.body).toContain(`nonce="${nonce}"`)
    expect(light.headers['cache-control']).toBe('no-cache')
    // A language that is not there, and none at all.
    expect((await get('/ask', { 'accept-language': 'tlh' })).body).toContain('/assets/en.js')
    expect((await get('/ask')).body).toContain('/assets/en.js')
    // What stands first is drawn into it, in the reader's language, before the styles of the screen.
    expect(light.body).toContain('<main><p>ar 7</p></main>')
    expect(light.body).toContain('<html lang="ar" dir="rtl">')
    expect(light.body).toContain(`<style nonce="${nonce}">`)
    expect(light.body.indexOf('/assets/ask.css')).toBeGreaterThan(light.body.indexOf('<p>ar 7</p>'))
    expect((await get('/ask/7', { cookie: 'language=de' })).body).toContain('<p>de 7</p>')
    expect((await get('/ask/%3Ci%3E')).body).toContain('<p>en &#60;i&#62;</p>')
    const broken = await get('/ask/broken')
    expect([broken.statusCode, broken.body.includes('id="first"'), broken.body.includes('<title>Light')]).toEqual([
      200,
      false,
      true,
    ])
    // It is sent as small as the browser takes it.
    for (const [accepted, sent, open] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
      ['identity', undefined, (body: Buffer) => body],
    ] as const) {
      const page = await get('/ask/7', { 'accept-encoding': accepted })
      expect([accepted, page.headers['content-encoding']]).toEqual([accepted, sent])
      expect(open(page.rawPayload).toString()).toContain('<main><p>en 7</p></main>')
      expect(page.headers['content-length']).toBe(String(page.rawPayload.length))
      expect(page.headers.vary).toContain('accept-encoding')
    }
    // Who is signed in stays in the application, and so do its other screens.
    expect((await get('/ask/7', { cookie: 'x=1; user=%7B%7D' })).body).toContain('<title>EMS')
    expect((await get('/asking')).body).toContain('<title>EMS')
    // It is nothing to be fetched by name.
    for (const file of ['/light.json', '/light.html']) expect((await get(file)).body).not.toContain('/assets/ask')
  })

  test('the web application: page, assets for ever, every address of a screen', async () => {
    expect((await get('/')).body).toContain('<title>EMS')
    // Each page is served with a nonce of its own, which its policy names; no other style element is admitted.
    const nonceOf = (answer: Awaited<ReturnType<typeof get>>) =>
      /style-src 'self' 'nonce-([\w+/=]{24})';/.exec(String(answer.headers['content-security-policy']))?.[1]
    const [first, second] = [await get('/'), await get('/index.html')]
    for (const page of [first, second]) expect(page.body).toContain(`nonce="${nonceOf(page)}"`)
    expect(nonceOf(first)).not.toBe(nonceOf(second))
    expect(first.headers['permissions-policy']).toContain('microphone=()')
    // Students scan the code of a meeting with it.
    expect(first.headers['permissions-policy']).toContain('camera=(self)')
    const screen = await get('/students/7/edit')
    expect([screen.statusCode, screen.body.includes('<title>EMS'), screen.headers['cache-control']]).toEqual([
      200,
      true,
      'no-cache',
    ])
    const asset = await get('/assets/app-abc123.js', { 'accept-encoding': 'br' })
    expect([asset.headers['cache-control'], asset.headers['content-encoding'], asset.headers['content-type']]).toEqual([
      'public, max-age=31536000, immutable',
      'br',
      'application/javascript; charset=utf-8',
    ])
    // What only a page obeys is not sent with each script; what guards a script is.
    expect(asset.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(Object.keys(asset.headers)).not.toContain('content-security-policy')
    expect(Object.keys(asset.headers)).not.toContain('permissions-policy')
    expect((await get('/assets/gone.js')).headers['content-security-policy']).toContain("script-src 'self'")
    expect((await get('/assets/gone.js')).statusCode).toBe(404)
    // A file that is not there is not the page under another name.
    for (const file of ['/foo.png', '/manifest.x', '/manifest.webmanifest', '/service-worker.js.map', '/icons/foo'])
      expect([file, (await get(file)).statusCode], file).toEqual([file, 404])
    // A code with a full stop in an address is none: it belongs to a screen.
    expect((await get('/students/2026.17')).statusCode).toBe(200)
    // A worker obeys the policy of its own script.
    const worker = await get('/service-worker.js')
    expect([worker.statusCode, worker.headers['cache-control']]).toEqual([200, 'no-cache'])
    expect(worker.headers['content-security-policy']).toContain("manifest-src 'self'")
    expect((await get('/../package.json')).body).not.toContain('"name"')
    expect((await get('/api/none')).headers['content-type']).toContain('application/json')
  })

  test('the API is described', async () => {
    const { paths, tags } = (await get('/api/openapi.json')).json()
    expect(tags).toEqual([{ name: 'things', description: 'Things · أشياء' }])
    expect(Object.keys(paths)).toHaveLength(Object.keys(calls).length)
    expect(
      paths['/things/{thing_id}/parts/{lang}'].get.parameters.map((p: { name: string; schema: object }) => [
        p.name,
        p.schema,
      ]),
    ).toEqual([
      ['thing_id', { type: 'string', pattern: '^[1-9]\\d{0,9}$' }],
      ['lang', { type: 'string', enum: ['ar', 'en'] }],
    ])
    expect(paths['/things'].post).toMatchObject({
      operationId: 'post_things',
      'x-permission': ['edit_building', 'edit_location'],
      requestBody: {
        content: {
          'application/json': {
            schema: { additionalProperties: false, required: ['text'] },
            example: { text: 'text' },
          },
        },
      },
    })
    expect(paths['/things/filtered'].get.security).toEqual([])
    for (const url of ['/api/docs', '/api/docs/docs.js', '/api/docs/docs.css'])
      expect((await get(url)).statusCode).toBe(200)
    expect((await get('/api/docs')).body).not.toMatch(/<script>|https?:\/\//)
  })
})

describe('a program that does not fit together does not start', () => {
  const services = { config: readConfig({}) } as Services
  const start = (a: Area, given: Handled[]) => () =>
    createApp({
      areas: [defineAreaServer({ area: a, handlers: given })],
      services,
      auth: { authenticate: async () => null, demandProof: async () => {} },
      log: pino({ level: 'silent' }),
    })
  const one = call('GET', '/one/{id}', { permission: 'public', summary })
  const twin = call('GET', '/one/{other}', { permission: 'public', summary })
  const make = (c: Record<string, Call>, more: object = {}) =>
    area({ name: 'bad', label: ['Bad', 'سيئ'], calls: c, ...more })
  const answer = (c: Call) => handle(c, async () => ({}) as never)
  const shelf = resource({
    name: 'bad_shelf',
    path: '/bad',
    table: 'bad',
    one: ['B', 'ب'],
    many: ['B', 'ب'],
    adding: ['B', 'ب'],
    editing: ['B', 'ب'],
    permissions: {
      ...crud('location'),
      list: null,
      show: null,
      add: null,
      edit: null,
      remove: null,
      restore: null,
      export: null,
      import: null,
    },
    scope: 'university',
    fields: { nobody_id: f.lookup(['N', 'ن'], 'nobody_knows') },
    list: { columns: [], search: [], sort: [], filters: [], order: ['nobody_id', 'asc'] },
    exportName: 'b',
    softDelete: false,
    screens: {},
  })

  test.each<[string, () => unknown, RegExp]>([
    ['a call without handler', start(make({ one }), []), /no handler of GET \/one\/\{id\}/],
    ['a handler without call', start(make({}), [answer(one)]), /a handler of GET \/one\/\{id\}, which is not declared/],
    ['two handlers', start(make({ one }), [answer(one), answer(one)]), /two handlers of GET \/one\/\{\}/],
    ['two calls at one place', start(make({ one, twin }), [answer(one)]), /bad: GET \/one\/\{\} is declared twice/],
    ['a lookup to nothing', start(make({}, { resources: [shelf] }), []), /bad_shelf.nobody_id looks up 'nobody_knows'/],
    [
      'a text given twice',
      start(make({}, { errors: { required: ['Other', 'آخر'] } }), []),
      /refusal 'required' another text/,
    ],
  ])('%s', (_name, make_, message) => {
    expect(make_).toThrow(message)
  })
})
