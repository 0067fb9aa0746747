import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { reportsServer } from '../reports.server.ts'
import type { OwnFigures } from '../own/own.contract.ts'
import type { SystemFigures } from './figures.contract.ts'
import { FIGURES_KEPT } from './kept.rules.ts'
import { valueName, splitSentences } from './tables.rules.ts'
import { besideEachOther } from './units.rules.ts'

/** Faculties that are renamed, replaced and split, and the figures of their past. */
let u: TestUniversity
let registrar: Caller
const usual = { ...FIGURES_KEPT }
beforeAll(async () => {
  u = await testUniversity([reportsServer, catalogueServer], { database: await demoDatabase() })
  registrar = await u.as('registrar')
}, 720_000)
beforeEach(async () => {
  Object.assign(FIGURES_KEPT, usual)
  await query('truncate kept_figures, unit_names, unit_successions')
})
afterAll(() => u?.close())

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const report = async (body: object = {}, who = registrar): Promise<SystemFigures> =>
  ok(await who('POST', '/reports/registrations', body))
const say = ([en]: readonly [string, string]) => en
const names = (seen: SystemFigures) => seen.rows.map((row) => valueName(seen.rows_by, row, 'en', say))
const rowOf = (seen: SystemFigures, id: number) => seen.rows.find(({ key }) => key === String(id))
const count = (seen: SystemFigures, id: number) => rowOf(seen, id)?.values[seen.measures.indexOf('registered_students')]
/** A faculty that is no more, of which a part of the students of the second was. */
async function old(code: string): Promise<number> {
  const [made] = await query<{ id: number }>(
    `insert into faculties (code, name, name_local, short_name) values ($1, 'Trade ' || $1, 'تجارة ' || $1, $1) returning id`,
    [code],
  )
  return made!.id
}
const follows = (from: number, to: number[], kind = 'replaced', on_day = '2020-09-01') =>
  registrar('POST', `/faculties/${from}/successors`, { unit_ids: to, kind, on_day })

it('figures of years carry the former name beside the present one, those of one term the name of then', async () => {
  const terms = await query<{ id: number; end_date: string }>(
    `select id, end_date::text from terms t where exists (select from registrations r join students s on s.id = r.student_id
      where r.term_id = t.id and s.faculty_id = 2) order by start_date`,
  )
  const [first, second] = terms
  expect(terms.length).toBeGreaterThan(2)
  await query(
    `insert into unit_names (faculty_id, until_day, name, name_local)
    values (2, $1::date + 1, 'Institute of Trade', 'معهد التجارة')`,
    [first!.end_date],
  )
  const every = await report({ every: true })
  const until = new Date(Date.parse(first!.end_date) + 86_400_000).getUTCFullYear()
  expect(names(every)).toContain(`Faculty of Commerce (until ${until}: Institute of Trade)`)
  expect(names(await report({ filters: { term: [first!.id] } }))).toContain(
    'Institute of Trade (now Faculty of Commerce)',
  )
  expect(names(await report({ filters: { term: [second!.id] } }))).toContain('Faculty of Commerce')
  // Terms beside each other: several times.
  const across = await report({ every: true, columns: 'term' })
  expect(names(across)).toContain(`Faculty of Commerce (until ${until}: Institute of Trade)`)
  // What is as it stands now has no other time.
  const now: SystemFigures = ok(await registrar('POST', '/reports/students', { filters: { faculty: [2] } }))
  expect(names(now)).toEqual(['Faculty of Commerce'])
  // On paper and in sheets as on the screen.
  const file = await registrar('POST', '/reports/registrations/download/ar/xlsx', { every: true })
  const texts = (await readSheet(file.bytes)).sheets[0]!.rows.flatMap((row) => row.map(({ text }) => text))
  expect(texts).toContain(`كلية التجارة (حتى ${until}: معهد التجارة)`)
})

it('a renamed faculty is told by its new name at once, also where figures were kept', async () => {
  FIGURES_KEPT.after = 0
  await report({ every: true })
  const before = await query<{ name: string }>('select name from faculties where id = 2')
  try {
    ok(await registrar('PUT', '/faculties/2', { name: 'School of Business' }))
    const seen = await report({ every: true })
    expect(seen.kept).toBe(true)
    // Renamed today, it was called otherwise during all of its terms.
    const year = new Date().getFullYear()
    expect(names(seen)).toContain(`School of Business (until ${year}: Faculty of Commerce)`)
  } finally {
    ok(await registrar('PUT', '/faculties/2', { name: before[0]!.name }))
  }
})

it('as it is today, what was replaced counts in what it became, each person once; rows behind it are those', async () => {
  const trade = await old('T1')
  const [moved] = await query<{ n: number }>(
    `with m as (update students set faculty_id = $1 where faculty_id = 2 and id % 3 = 0
    returning id) select count(*)::int as n from m`,
    [trade],
  )
  expect(moved!.n).toBeGreaterThan(10)
  try {
    const apart = await report({ every: true })
    expect(apart.today).toBeNull()
    ok(await follows(trade, [2]))
    const as = await report({ every: true })
    expect([as.today, count(as, trade), count(as, 2)]).toEqual([false, count(apart, trade), count(apart, 2)])
    const today = await report({ every: true, today: true })
    expect([today.today, rowOf(today, trade)]).toEqual([true, undefined])
    expect(count(today, 2)).toBe(Number(count(apart, trade)) + Number(count(apart, 2)))
    expect(today.total).toEqual(apart.total)
    // Asked for by the old one or by the new one, it is the same.
    for (const faculty of [2, trade]) {
      const narrowed = await report({ every: true, today: true, filters: { faculty: [faculty] } })
      expect(count(narrowed, 2)).toBe(count(today, 2))
    }
    const body = { every: true, measure: 'registered_students', row: '2', of_row: true }
    const behind = async (more: object) =>
      (await registrar('POST', '/reports/registrations/rows', { ...body, ...more })).body.meta.people as number
    expect([await behind({ today: true }), await behind({})]).toEqual([count(today, 2), count(apart, 2)])
    const own = (
      await registrar('POST', '/own-reports/figures', {
        measures: ['registered_students'],
        rows: ['faculty'],
        every: true,
        today: true,
      })
    ).body.data as OwnFigures
    expect(own.rows.find(({ keys }) => keys[0]!.key === '2')!.now.values).toEqual([count(today, 2)])
    expect(own.today).toBe(true)
  } finally {
    await query('update students set faculty_id = 2 where faculty_id = $1', [trade])
  }
})

it('figures that were kept follow what is noted, and what is taken back', async () => {
  FIGURES_KEPT.after = 0
  const trade = await old('T2')
  await query('update students set faculty_id = $1 where faculty_id = 2 and id % 3 = 0', [trade])
  try {
    const before = await report({ every: true, today: true })
    expect(rowOf(before, trade)).toBeDefined()
    const { became } = ok(await follows(trade, [2]))
    const after = await report({ every: true, today: true })
    expect([after.kept, rowOf(after, trade)]).toEqual([false, undefined])
    expect((await report({ every: true, today: true })).kept).toBe(true)
    ok(await registrar('DELETE', `/faculties/${trade}/successors/${became[0].id}`))
    expect(rowOf(await report({ every: true, today: true }), trade)).toBeDefined()
  } finally {
    await query('update students set faculty_id = 2 where faculty_id = $1', [trade])
  }
})

it('what was split stays apart, beside its parts, with a sentence that says why', async () => {
  const trade = await old('A0')
  await query('update students set faculty_id = $1 where faculty_id = 2 and id % 3 = 0', [trade])
  try {
    ok(await follows(trade, [2, 1], 'replaced', '2019-09-01'))
    const seen = await report({ every: true, today: true })
    expect(seen.today).toBeNull()
    expect(count(seen, trade)).toBeGreaterThan(0)
    // By their codes, the old one would stand first and the others in between: they follow it.
    expect(seen.rows.slice(0, 3).map(({ key }) => key)).toEqual([String(trade), '2', '1'])
    expect(splitSentences(seen.splits, 'en', say, (day) => day)).toEqual([
      'Trade A0 was split on 2019-09-01 into Faculty of Commerce, Faculty of Engineering and Computing: ' +
        'what was counted before stays apart, as nobody can say whose part it was.',
    ])
  } finally {
    await query('update students set faculty_id = 2 where faculty_id = $1', [trade])
  }
})

it('a dean of the new faculty alone sees no figures of the old one by the bridge', async () => {
  const trade = await old('T3')
  await query('update students set faculty_id = $1 where faculty_id = 2 and id % 3 = 0', [trade])
  try {
    ok(await follows(trade, [2]))
    const dean = await u.as('dean', ['faculty', 2])
    const [asNow, bridged] = [await report({ every: true }, dean), await report({ every: true, today: true }, dean)]
    expect(count(bridged, 2)).toBe(count(asNow, 2))
    expect(Number(count(await report({ every: true, today: true }), 2))).toBeGreaterThan(Number(count(bridged, 2)))
  } finally {
    await query('update students set faculty_id = 2 where faculty_id = $1', [trade])
  }
})

it('what was split stands above its parts, wherever these would stand, each once', () => {
  const split = (of: string, ...into: string[]) => ({
    by: 'faculty' as const,
    of,
    on: '2020-01-01',
    into,
    goes_on: false,
  })
  const placed = (...splits: ReturnType<typeof split>[]) =>
    besideEachOther(['a', 'b', 'c', 'd', 'e'], (row) => row, splits).join('')
  expect(placed(split('b', 'a', 'e'))).toBe('baecd')
  expect(placed(split('b', 'e'), split('e', 'a'))).toBe('beacd')
  // Parts without the whole, or the whole alone, stay where they are.
  expect([placed(split('x', 'e')), placed(split('a', 'x')), placed()]).toEqual(['abcde', 'abcde', 'abcde'])
})
