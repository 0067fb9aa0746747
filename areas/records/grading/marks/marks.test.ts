import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { into, offerCourse, seed, type Fixture } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, gradingServer])
  f = await seed(uni.database)
  head = await uni.as('control_head')
})
afterAll(() => uni.close())

const items = (...max: string[]) =>
  [f.categories.yw, f.categories.mid, f.categories.fin]
    .slice(0, max.length)
    .map((mark_category_id, i) => ({ mark_category_id, max: max[i] }))
const scheme = (code: string, more: object) => ({ code, name: 'Theory', name_local: 'نظري', ...more })

test('a scheme sums to exactly 100, names its categories once, has one final exam', async () => {
  expect(reasons(await head('PUT', '/marks', scheme('X1', {})))).toEqual(['required@items'])
  expect(reasons(await head('PUT', '/marks', scheme('X1', { items: items('20', '20', '59.99') })))).toEqual([
    'scheme_total@items',
  ])
  expect(reasons(await head('PUT', '/marks', scheme('X1', { items: [...items('20', '20'), ...items('60')] })))).toEqual(
    ['scheme_category_twice@items.2', 'scheme_final_exam@items'],
  )
  expect(
    reasons(
      await head('PUT', '/marks', scheme('X1', { items: [...items('40'), { mark_category_id: 99999, max: '60' }] })),
    ),
  ).toEqual(['scheme_category_unknown@items.1.mark_category_id', 'scheme_final_exam@items'])
  expect((await head('PUT', '/marks', scheme('X1', { items: items('0', '40', '60.001') }))).status).toBe(422)
  const made = ok(await head('PUT', '/marks', scheme('X1', { items: items('20.5', '19.5', '60') })))
  expect(made.items.map((one: any) => [one.category.code, one.max])).toEqual([
    ['YW', '20.50'],
    ['MID', '19.50'],
    ['FIN', '60.00'],
  ])
  expect(made.offerings).toBe(0)

  const changed = ok(await head('PUT', `/marks/${made.id}`, { items: items('30', '10', '60'), version: made.version }))
  expect([changed.items[0].max, changed.version > made.version]).toEqual(['30.00', true])
  expect(
    (await head('PUT', `/marks/${made.id}`, { items: items('20', '20', '60'), version: made.version })).status,
  ).toBe(409)
  expect((await head('POST', '/marks', { search: 'نظري' })).body.data.map((row: any) => row.code)).toEqual(['X1'])
})

test('what is for one bylaw is changed by who reaches it; categories of another bylaw do not fit', async () => {
  const [other] = await into(uni.database, 'bylaws', [
    { code: 'B2', name: 'B2', name_local: 'لائحة', faculty_id: f.otherFaculty },
  ])
  const mine = await uni.as('control_head', ['faculty', f.faculty])
  const made = ok(
    await mine('PUT', '/mark-categories', { code: 'ORA', name: 'Oral', name_local: 'شفوي', bylaw_id: f.bylaw }),
  )
  expect(
    reasons(await mine('PUT', '/mark-categories', { code: 'PRA', name: 'Practical', name_local: 'عملي' })),
  ).toEqual(['bylaw_not_reached@bylaw_id'])
  expect(
    (await mine('PUT', '/mark-categories', { code: 'PRA', name: 'Practical', name_local: 'عملي', bylaw_id: other }))
      .status,
  ).toBe(403)
  expect((await mine('PUT', `/mark-categories/${made.id}`, { bylaw_id: other })).status).toBe(403)
  expect((await mine('DELETE', `/mark-categories/${f.categories.yw}`)).status).toBe(403)
  const foreign = [...items('20', '20', '50'), { mark_category_id: made.id, max: '10' }]
  expect(reasons(await head('PUT', '/marks', scheme('X2', { bylaw_id: other, items: foreign })))).toEqual([
    'scheme_category_bylaw@items.3.mark_category_id',
  ])
  const fits = ok(await head('PUT', '/marks', scheme('X2', { bylaw_id: f.bylaw, items: foreign })))
  expect(reasons(await head('PUT', `/marks/${fits.id}`, { bylaw_id: other }))).toEqual([
    'scheme_category_bylaw@items.3.mark_category_id',
  ])
  // Nobody takes what is for another bylaw, or for all, over to the own.
  const theirs = ok(await head('PUT', '/marks', scheme('X4', { bylaw_id: other, items: items('20', '20', '60') })))
  const all = ok(await head('PUT', '/marks', scheme('X5', { items: items('20', '20', '60') })))
  for (const { id } of [theirs, all])
    expect(reasons(await mine('PUT', `/marks/${id}`, { bylaw_id: f.bylaw }))).toEqual(['bylaw_not_reached@bylaw_id'])
  const team = await uni.as('control_team')
  expect((await team('POST', '/marks', {})).status).toBe(200)
  expect((await team('PUT', '/marks', scheme('X3', { items: items('20', '20', '60') }))).status).toBe(403)
})

test('what is used cannot be removed; what is removed can be restored', async () => {
  await offerCourse(uni.database, f)
  expect((await head('DELETE', `/marks/${f.mark}`)).body.message).toBe('in_use')
  expect((await head('DELETE', `/mark-categories/${f.categories.fin}`)).body.message).toBe('in_use')
  const made = ok(await head('PUT', '/marks', scheme('X9', { items: items('20', '20', '60') })))
  ok(await head('DELETE', `/marks/${made.id}`))
  expect((await head('POST', '/marks', { removed: true })).body.data.map((row: any) => row.code)).toEqual(['X9'])
  ok(await head('POST', `/marks/restore/${made.id}`))
  const answer = await head('POST', '/marks/export', {})
  expect([answer.status, String(answer.headers['content-disposition'])]).toEqual([
    200,
    expect.stringContaining('marks.xlsx'),
  ])
})
