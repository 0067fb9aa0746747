import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFirst } from '#kit/server/http/first.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import type { OpenAdmission } from './apply.contract.ts'
import { applyFirst } from './first.server.ts'

let u: TestUniversity
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
})
afterAll(() => u.close())
const silent = { warn: () => {} }
const drawn = async (lang: 'ar' | 'en' | 'de' | 'fr' | 'pt', type?: string) =>
  (await createFirst([applyFirst], u.services, silent)('/apply/:type?', lang, type ? { type } : {}))!.html

test('what can be applied for stands there in every language, the open ones with the question for an address', async () => {
  const { admissions } = ok(await u.nobody('GET', '/website/admissionData')) as { admissions: OpenAdmission[] }
  const open = admissions.filter(({ state }) => state === 'open')
  expect(open.length).toBeGreaterThan(1)
  expect(open.length).toBeLessThan(admissions.length)
  for (const lang of ['ar', 'en', 'de', 'fr', 'pt'] as const) {
    const html = await drawn(lang)
    expect(html.match(/<h2>/g)).toHaveLength(admissions.length)
    expect([...html.matchAll(/data-key="(\d+)"/g)].map(([, id]) => Number(id))).toEqual(open.map(({ id }) => id))
    expect(html.match(/<input type="email"/g)).toHaveLength(open.length)
    // No place of a text is left open, and nobody can send before the scripts are there.
    expect(html).not.toMatch(/\{\w+\}|<form|type="submit"|undefined/)
  }
  expect(await drawn('ar')).toContain(open[0]!.name_local)
})

test('a type of applicants sees its own; names cannot bring marks', async () => {
  await u.database.pool.query(`update admissions set name = '<img src=x>' where id = 1`)
  const html = await drawn('en', '1')
  expect(html).toContain('&#60;img src=x&#62;')
  expect(html).not.toContain('<img')
  expect(html.match(/<h2>/g)!.length).toBeLessThan((await drawn('en')).match(/<h2>/g)!.length)
  expect((await drawn('en', '99')).match(/<h2>/g)).toBeNull()
})

test('other screens have none, and where it cannot be drawn the page does without', async () => {
  const told: unknown[] = []
  const first = createFirst(
    [
      applyFirst,
      {
        screen: '/broken',
        draw: async () => {
          throw new Error('broken on purpose')
        },
      },
    ],
    u.services,
    { warn: (_told: unknown, text?: unknown) => void told.push(text) },
  )
  expect(await first('/apply/:id/success', 'en', {})).toBeNull()
  expect(await first('/broken', 'en', {})).toBeNull()
  expect(told).toEqual(['What stands first could not be drawn'])
})
