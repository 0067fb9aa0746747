import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { priceLines, type PriceRow } from './pricing.rules.ts'
import { feeFacts, feeSettingsOf } from './settings.server.ts'

let u: TestUniversity
let finance: Caller
let registrar: Caller
let dean: Caller
let nobody: Caller
let year: number
let item: Record<string, number>
let faculty: number
const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await query<Row>(text, values))[0]!
const at = (path: string) => `/years/${year}/payments${path}`
const said = (answer: Answer) => [answer.status, ...reasons(answer)]
/** A year of its own for each test. */
async function newYear(n: number): Promise<number> {
  const { id } = await one<{ id: number }>(
    `insert into years (code, name, name_local, start_date, end_date) values ($1, $1, $1, $2, $3) returning id`,
    [`T${n}`, `${2100 + n}-09-01`, `${2101 + n}-08-31`],
  )
  return id
}
let years = 0
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  finance = await u.as('finance_officer')
  registrar = await u.as('registrar')
  nobody = await u.as('instructor')
  const rows = await query<{ id: number; code: string }>('select id, code from fee_items')
  item = Object.fromEntries(rows.map((row) => [row.code, row.id]))
  faculty = (await one<{ id: number }>(`select id from faculties where code = 'FEC'`)).id
  dean = await u.as('dean', ['faculty', faculty])
}, 540_000)
afterAll(() => u?.close())
beforeEach(async () => {
  year = await newYear(++years)
})
const hour = (more: object = {}) => ({ item_id: item.HOURS, currency: 'EGP', amount: 240_000, per: 'hour', ...more })

describe('settings of a year', () => {
  it('are versions: what is saved is a new one, an old one stays, and what differs is told', async () => {
    const first = ok(
      await finance('PUT', at('/hours'), { prices: [hour({ level: 1 }), hour({ level: 2, amount: 230_000 })] }),
    )
    expect([first.version, first.prices.length, first.may_edit]).toEqual([1, 2, true])
    const [price] = first.prices
    expect(price).toMatchObject({ item: { code: 'HOURS', type: 'hours' }, level: 1, amount: 240_000 })
    const changed = await finance('PUT', at(`/payment-settings/${price.id}`), { amount: 250_000, note: 'Council' })
    expect([changed.status, changed.body.version, changed.body.data.id]).toEqual([200, 2, price.id])
    // Once more the same: no version.
    expect((await finance('PUT', at(`/payment-settings/${price.id}`), { amount: 250_000 })).body.version).toBe(2)
    const versions = ok(await finance('GET', at('/versions')))
    expect(versions.map((row: { number: number; note: string | null }) => [row.number, row.note])).toEqual([
      [2, 'Council'],
      [1, null],
    ])
    const second = ok(await registrar('GET', at('/versions/2')))
    expect(second.changes).toEqual([
      expect.objectContaining({
        part: 'prices',
        id: price.id,
        before: expect.objectContaining({ amount: 240_000 }),
        after: expect.objectContaining({ amount: 250_000 }),
      }),
    ])
    expect((await feeSettingsOf(u.services.db, year, 1))!.prices.find((row) => row.id === price.id)!.amount).toBe(
      240_000,
    )
    expect((await feeSettingsOf(u.services.db, year))!.version).toBe(2)
    expect(await feeSettingsOf(u.services.db, year, 3)).toBe(null)
    for (const table of ['fee_versions', 'fee_prices'])
      await expect(u.database.pool.query(`delete from ${table}`)).rejects.toThrow('never changed')
    await expect(u.database.pool.query('update fee_prices set amount = 1')).rejects.toThrow('never changed')
    await expect(
      u.database.pool.query(
        `insert into fee_prices (version_id, item_id, currency, amount, per) select max(id), $1, 'EGP', 1, 'hour' from fee_versions`,
        [item.HOURS],
      ),
    ).rejects.toThrow('never changed')
  })

  it('two prices for the same students are refused, naming both; so is one for nobody or counted by what it is not', async () => {
    const bad = await finance('PUT', at('/hours'), {
      prices: [
        hour(),
        hour({ amount: 1 }),
        hour({ level: 3, per: 'year' }),
        hour({ item_id: item.TUITION, per: 'term', level: 4 }),
      ],
    })
    expect(said(bad)).toEqual([422, 'fee_item_of_type@prices.3.item_id'])
    const two = await finance('PUT', at('/hours'), {
      prices: [hour(), hour({ amount: 1 }), hour({ level: 3, per: 'year' })],
    })
    expect(said(two)).toEqual([422, 'fee_counted_by@prices.2.per', 'fee_prices_equal@prices.1.amount'])
    expect(two.body.errors[0].en).toBe(
      'Credit hours: the prices 1, 2 are for the same students, and neither is more exact.',
    )
    const other = await one<{ id: number }>('select id from programs where faculty_id <> $1 limit 1', [faculty])
    const nobodys = await finance(
      'POST',
      at('/payment-settings/new'),
      hour({ faculty_id: faculty, program_id: other.id }),
    )
    expect(said(nobodys)).toEqual([422, 'fee_price_for_nobody@program_id'])
    // In another currency, or for a group, it is another price.
    ok(
      await finance('PUT', at('/hours'), {
        prices: [hour(), hour({ currency: 'USD' }), hour({ nationality_group_id: 2, currency: 'USD' })],
      }),
    )
    const again = await finance('POST', at('/payment-settings/new'), hour({ nationality_group_id: 2 }))
    expect(said(again)).toEqual([422, 'fee_price_there@amount'])
    expect((await finance('POST', at('/payment-settings/12'), hour())).status).toBe(404)
  })

  it('has prices of a cohort, of a course, of repeated courses and of a band of hours, each beside the others', async () => {
    const { id: course } = await one<{ id: number }>('select id from courses order by id limit 1')
    const flat = { from: 1200, to: 1800, amount: 2_000_000 }
    const made = ok(
      await finance('PUT', at('/hours'), {
        prices: [
          hour({ flat }),
          hour({ entry_year_id: year, amount: 200_000 }),
          hour({ course_id: course, per: 'course', amount: 50_000 }),
          hour({ repeats: true, amount: 120_000 }),
          hour({ repeats: false, amount: 240_001 }),
          hour({ level: 0, amount: 90_000 }),
        ],
      }),
    )
    expect(
      made.prices.map((row: any) => [
        row.entry_year?.id ?? null,
        row.course?.id ?? null,
        row.repeats,
        row.flat,
        row.level,
      ]),
    ).toEqual(
      expect.arrayContaining([
        [null, null, null, flat, null],
        [year, null, null, null, null],
        [null, course, null, null, null],
        [null, null, true, null, null],
        [null, null, false, null, null],
        [null, null, null, null, 0],
      ]),
    )
    // What differs is told, and the same again is no version.
    const row = made.prices.find((one: any) => one.flat)
    const wider = { ...flat, to: 2000 }
    expect((await finance('PUT', at(`/payment-settings/${row.id}`), { flat: wider })).body).toMatchObject({
      version: 2,
    })
    expect((await finance('PUT', at(`/payment-settings/${row.id}`), { flat: wider })).body).toMatchObject({
      version: 2,
    })
    expect(ok(await finance('GET', at('/versions/2'))).changes).toMatchObject([
      { before: { flat }, after: { flat: wider } },
    ])
    expect((await finance('PUT', at(`/payment-settings/${row.id}`), { flat: null })).body).toMatchObject({ version: 3 })
    for (const [bad, why] of [
      [{ course_id: course, per: 'term', item_id: item.TUITION }, 'fee_of_courses@per'],
      [{ flat, per: 'course' }, 'fee_flat_hours@per'],
      [{ flat: { ...flat, to: 100 } }, 'fee_flat_order@flat.to'],
      [{ repeats: true }, 'fee_price_there@amount'],
    ] as const)
      expect(said(await finance('POST', at('/payment-settings/new'), hour(bad)))).toContain(why)
  })

  it('who saw an older version is refused; two at once make two versions', async () => {
    ok(await finance('PUT', at('/hours'), { prices: [hour()], version: 0 }))
    const late = await finance('PUT', at('/hours'), { prices: [], version: 0 })
    expect([late.status, ...reasons(late)]).toEqual([409, 'changed_meanwhile'])
    const both = await Promise.all([
      finance('POST', at('/payment-settings/new'), hour({ level: 1 })),
      finance('POST', at('/payment-settings/new'), hour({ level: 2 })),
      finance('POST', at('/payment-settings/new'), hour({ level: 2 })),
    ])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 200, 422])
    const numbers = await query<{ number: number }>(
      'select number from fee_versions where year_id = $1 order by number',
      [year],
    )
    expect(numbers.map((row) => row.number)).toEqual([1, 2, 3])
    expect(ok(await finance('GET', at('/hours'))).prices).toHaveLength(3)
  })

  it('a deposit is a service that comes by itself, priced by the term, and stays what it is once it has a price', async () => {
    const given = {
      code: `DEP${year}`,
      name: 'Deposit',
      name_local: 'تأمين',
      type: 'services',
      is_automatic: true,
      deposit: true,
    }
    for (const wrong of [{ type: 'exams' }, { is_automatic: false }, { late_only: true }])
      expect(reasons(await finance('PUT', '/fee-items', { ...given, ...wrong })), JSON.stringify(wrong)).toEqual([
        'fee_item_deposit',
      ])
    const { id } = ok(await finance('PUT', '/fee-items', given))
    const price = { item_id: id, currency: 'EGP', amount: 200_000 }
    expect(said(await finance('POST', at('/payment-settings/new'), { ...price, per: 'year' }))).toEqual([
      422,
      'fee_counted_by@per',
    ])
    ok(await finance('POST', at('/payment-settings/new'), { ...price, per: 'term' }))
    await expect(query('update fee_items set deposit = false where id = $1', [id])).rejects.toThrow(
      'the item has prices',
    )
  })

  it('days: shares follow by themselves, and a set that does not make the whole is refused', async () => {
    const first = ok(await finance('POST', at('/hours/due-date'), { instalment: 1, due_on: '2100-10-01' }))
    expect(first.map((row: { share: number }) => row.share)).toEqual([1000])
    const two = ok(await finance('POST', at('/hours/due-date'), { instalment: 2, due_on: '2100-12-01' }))
    expect(two.map((row: { share: number }) => row.share)).toEqual([500, 500])
    const third = ok(await finance('POST', at('/hours/due-date'), { instalment: 3, due_on: '2101-01-01', share: 200 }))
    expect(third.map((row: { share: number }) => row.share)).toEqual([400, 400, 200])
    const moved = ok(await finance('POST', at(`/due-dates/hours/${third[0].id}`), { due_on: '2100-10-05' }))
    expect(moved[0]).toMatchObject({ id: third[0].id, due_on: '2100-10-05', share: 400 })
    expect(said(await finance('POST', at(`/due-dates/hours/${third[0].id}`), { due_on: '2101-10-05' }))[1]).toMatch(
      /^fee_due_order/,
    )
    expect(
      said(
        await finance('POST', at('/due-dates/summer'), {
          due_dates: [{ instalment: 1, due_on: '2101-07-01', share: 900 }],
        }),
      ),
    ).toEqual([422, 'fee_shares_whole@due_dates.0'])
    expect(ok(await finance('GET', at('/due-dates')))).toHaveLength(3)
    expect((await finance('POST', at(`/due-dates/tuition/${third[0].id}`), { due_on: '2100-10-05' })).status).toBe(404)
  })

  it('fines and accounts: refused with every reason, kept by type', async () => {
    const steps = [
      { from_days: 1, amount: 100, per_mille: null },
      { from_days: 5, amount: 50, per_mille: null },
      { from_days: 9, amount: 50, per_mille: 3 },
    ]
    const bad = await finance('POST', at('/save-fines/hours'), { fines: [{ currency: 'EGP', steps }] })
    expect(said(bad)).toEqual([422, 'fee_fine_falls@fines.0.steps.1', 'fee_fine_one_of@fines.0.steps.2.amount'])
    const good = await finance('POST', at('/save-fines/hours'), {
      fines: [{ currency: 'EGP', steps: steps.slice(0, 1), cap: 5000 }],
    })
    expect(ok(good)).toEqual([expect.objectContaining({ type: 'hours', cap: 5000 })])
    const account = { type: 'hours', currency: 'EGP', bank_id: 1 }
    expect(said(await finance('POST', at('/payment-accounts'), { ...account, currency: 'USD' }))).toEqual([
      422,
      'fee_bank_currency@bank_id',
    ])
    const added = ok(await finance('POST', at('/payment-accounts'), account))
    expect(added).toMatchObject({ bank: { code: 'NBE' }, income: { code: '4110' } })
    expect(said(await finance('POST', at('/payment-accounts'), account))[1]).toMatch(/^fee_account_twice/)
    ok(await finance('PUT', at(`/payment-accounts/${added.id}`), { type: 'tuition' }))
    expect(ok(await finance('GET', at('/tuition/payment-accounts')))).toHaveLength(1)
    expect(
      ok(await finance('PUT', at('/hours/payment-accounts'), { accounts: [{ currency: 'USD', bank_id: 2 }] })),
    ).toHaveLength(1)
    expect(ok(await finance('GET', at('/payment-accounts')))).toHaveLength(2)
    ok(await finance('DELETE', at(`/payment-accounts/${added.id}`)))
    expect(ok(await finance('PUT', at('/payment-accounts'), { accounts: [] }))).toEqual([])
  })

  it('a year begins with those of another, raised and moved on; levels and the summer are set by themselves', async () => {
    const from = year
    ok(await finance('PUT', at('/hours'), { prices: [hour({ level: 1, amount: 123_456 }), hour({ currency: 'USD' })] }))
    ok(await finance('POST', at('/hours/due-date'), { instalment: 1, due_on: `${2100 + years}-10-01` }))
    year = await newYear(++years)
    expect(said(await finance('POST', at(`/copy-from/${year}`), {}))).toEqual([422, 'fee_nothing_to_copy@id'])
    const copied = ok(await finance('POST', at(`/copy-from/${from}`), { raise: 100 }))
    expect(copied.prices.map((row: PriceRow) => row.amount).toSorted()).toEqual([135_900, 264_000])
    expect(copied.due_dates[0].due_on).toBe(`${2100 + years}-10-01`)
    expect(said(await finance('POST', at(`/copy-from/${from}`), {}))).toEqual([409, 'fee_year_has_prices'])
    expect(said(await finance('PUT', at('/hours'), { prices: [{ ...hour(), id: 999_999 }] }))).toEqual([
      422,
      'fee_row_unknown@prices.0.id',
    ])
    expect(said(await finance('POST', at('/simulate'), { prices: [{ ...hour(), id: 999_999 }], removed: [] }))).toEqual(
      [422, 'fee_row_unknown@prices.0.id'],
    )
    expect(said(await finance('GET', at('/versions/999')))).toEqual([404, 'not_found'])
    expect(said(await finance('PUT', at('/payment-accounts/999999'), {}))).toEqual([404, 'not_found'])
    expect(ok(await finance('GET', `/level-payment-settings/${year}`))).toHaveLength(1)
    const levels = await finance('PUT', `/level-payment-settings/${year}`, {
      prices: [hour({ level: 2 }), hour({ level: 3 })],
    })
    expect(ok(levels).map((row: { level: number }) => row.level)).toEqual([2, 3])
    const summer = await finance('PUT', `/summer-payment-settings/${year}`, {
      prices: [{ ...hour(), item_id: item.SUMMER }],
    })
    expect(ok(summer)).toHaveLength(1)
    expect(ok(await finance('GET', `/summer-payment-settings/${year}`))).toHaveLength(1)
    expect(said(await finance('PUT', `/summer-payment-settings/${year}`, { prices: [hour()] }))).toEqual([
      422,
      'fee_item_of_type@prices.0.item_id',
    ])
    // The price in dollars, of no level, is still there.
    expect(ok(await finance('GET', at('/hours'))).prices).toHaveLength(3)
  })

  it('whoever looks does not change; who reaches one faculty changes its prices alone; others get nothing', async () => {
    ok(await registrar('GET', '/payment-settings/overview'))
    expect((await registrar('PUT', at('/hours'), { prices: [] })).status).toBe(403)
    expect((await dean('GET', at('/hours'))).status).toBe(200)
    expect((await dean('DELETE', at('/payment-settings/1'))).status).toBe(403)
    expect((await nobody('GET', at('/hours'))).status).toBe(403)
    expect((await u.nobody('GET', at('/hours'))).status).toBe(401)
    const student = await one<{ user_id: number }>('select user_id from students where user_id is not null limit 1')
    expect((await (await u.signIn(student.user_id))('GET', at('/hours'))).status).toBe(403)
    const ofFaculty = await u.as('finance_officer', ['faculty', faculty])
    ok(await ofFaculty('POST', at('/payment-settings/new'), hour({ faculty_id: faculty })))
    expect((await ofFaculty('POST', at('/payment-settings/new'), hour())).status).toBe(403)
    const other = await one<{ id: number }>('select id from faculties where id <> $1 limit 1', [faculty])
    expect((await ofFaculty('POST', at('/payment-settings/new'), hour({ faculty_id: other.id }))).status).toBe(403)
    expect((await ofFaculty('PUT', at('/stacking'), { stacking: 'full', grant_cap: 5000 })).status).toBe(403)
    // What is in no version of the year is not there, whatever is wanted of it.
    for (const [method, path, body] of [
      ['GET', '/payment-settings/999999', undefined],
      ['PUT', '/payment-settings/999999', { amount: 1 }],
      ['DELETE', '/payment-settings/999999', {}],
      ['PUT', '/payment-accounts/999999', { bank_id: 1 }],
      ['DELETE', '/payment-accounts/999999', {}],
    ] as const)
      expect([path, method, (await finance(method, at(path), body)).status]).toEqual([path, method, 404])
    expect((await finance('GET', '/years/999999/payments/hours')).status).toBe(404)
    expect((await finance('PUT', '/years/999999/payments/hours', { prices: [] })).status).toBe(404)
  })

  it('accounts at banks, items and groups are of all: who reaches a part reads them, and changes none', async () => {
    const part = await u.as('admin', ['faculty', faculty])
    const whole = await u.as('admin')
    for (const path of [
      '/banks',
      '/banks/currency',
      '/bank-info/notes',
      '/fee-items',
      '/nationality-groups',
      '/ledger-accounts',
    ]) {
      const [row] = ok(await part('POST', path, {}))
      expect([path, row.abilities]).toEqual([path, []])
      const answers = [
        await part('PUT', `${path}/${row.id}`, { name: 'Mine' }),
        await part('DELETE', `${path}/${row.id}`),
      ]
      expect([path, answers.map((answer) => answer.status)]).toEqual([path, [403, 403]])
      const [same] = ok(await whole('POST', path, {}))
      expect([path, same.abilities]).toEqual([path, expect.arrayContaining(['edit'])])
    }
    const added = { code: 'ZZ9', name: 'Mine', name_local: 'لي', type: 'services' }
    expect((await part('PUT', '/fee-items', added)).status).toBe(403)
  })

  it('a year that has settings is not removed; the overview tells which have', async () => {
    const admin = await u.as('super_admin')
    const empty = await newYear(++years)
    ok(await finance('PUT', at('/hours'), { prices: [hour()] }))
    expect(said(await admin('DELETE', `/years/${year}`)).slice(0, 2)).toEqual([409, 'in_use'])
    expect((await admin('DELETE', `/years/${empty}`)).status).toBe(200)
    const { years: listed, certificates } = ok(await finance('GET', '/payment-settings/overview'))
    expect(listed.find((row: { year: { id: number } }) => row.year.id === year)).toMatchObject({
      version: 1,
      prices: { hours: 1, tuition: 0 },
    })
    expect(certificates.find((row: { code: string }) => row.code === 'TRANSCRIPT').payment_settings).toEqual({
      value_local: 35_000,
      value_usd: 2000,
    })
    const lookups = ok(await finance('GET', '/test/year/lookups'))
    expect(lookups.levels).toEqual([1, 2, 3, 4])
    expect(lookups.nationality_groups.map((row: { currency: string }) => row.currency)).toEqual(['EGP', 'USD'])
  })
})

describe('facts of students', () => {
  it('are those of many in one statement, and give invoices by the settings of the demo', async () => {
    const { term, of } = await one<{ term: number; of: number }>(
      `select t.id as term, t.year_id as of from current_terms c join terms t on t.id = c.term_id where c.key = 'current_term'`,
    )
    const ids = (
      await query<{ id: number }>(
        `select id from students where status = 'studying' and nationality_id is not null order by id`,
      )
    ).map((row) => row.id)
    const facts = await feeFacts(u.services.db, ids, { term_id: term })
    expect(facts.size).toBe(ids.length)
    const settings = (await feeSettingsOf(u.services.db, of))!
    expect(settings.version).toBe(2)
    const priced = [...facts.values()].map((one) => ({ one, priced: priceLines(one, settings) }))
    expect(priced.filter(({ priced: { reasons: why } }) => why.length)).toEqual([])
    expect(
      priced.filter(({ priced: { lines } }) => lines.some((line) => line.type === 'hours')).length,
    ).toBeGreaterThan(10)
    expect(new Set(priced.map(({ priced: { currency } }) => currency))).toEqual(new Set(['EGP', 'USD']))
    expect(priced.some(({ priced: { lines } }) => lines.some((line) => line.grants.length))).toBe(true)
    for (const {
      one,
      priced: { currency },
    } of priced)
      expect(currency).toBe(one.nationality_group!.currency)
  })

  it('of a past term are those of then: level before its results, program before a specialisation or transfer', async () => {
    const climbed = await one<{
      student_id: number
      term_id: number
      level: number
      now: number
      program_id: number
      before: number
    }>(
      `select t.student_id, t.term_id, s.level as now, s.program_id, b.level as level, b.term_id as before
       from student_terms t join terms w on w.id = t.term_id join students s on s.id = t.student_id and s.status = 'studying'
         join lateral (select x.* from student_terms x join terms y on y.id = x.term_id
           where x.student_id = t.student_id and y.start_date < w.start_date order by y.start_date desc limit 1) b on true
       where b.level < s.level and not exists (select from student_years z where z.student_id = s.id)
         and not exists (select from former_studies f where f.student_id = s.id)
         and not exists (select from student_specializations g where g.student_id = s.id) order by 1, 2 limit 1`,
    )
    const factsIn = async (student_id: number, term_id: number) =>
      (await feeFacts(u.services.db, [student_id], { term_id })).get(student_id)!
    expect(await factsIn(climbed.student_id, climbed.term_id)).toMatchObject({
      level: climbed.level,
      program_id: climbed.program_id,
    })
    expect(climbed.level).toBeLessThan(climbed.now)
    const { id: current } = await one<{ id: number }>(
      `select term_id as id from current_terms where key = 'current_term'`,
    )
    expect((await factsIn(climbed.student_id, current)).level).toBe(climbed.now)
    // A study that ended since: its program, faculty and bylaw, up to its last term.
    const other = await one<{ id: number; faculty_id: number; bylaw_id: number }>(
      `select p.id, p.faculty_id, p.bylaw_id from programs p where p.id <> $1 and p.bylaw_id is not null order by p.id desc limit 1`,
      [climbed.program_id],
    )
    await query(
      `insert into former_studies (student_id, faculty_id, program_id, bylaw_id, level, passed_hours, warnings, last_term_id)
       values ($1, $2, $3, $4, 1, 0, 0, $5)`,
      [climbed.student_id, other.faculty_id, other.id, other.bylaw_id, climbed.before],
    )
    expect(await factsIn(climbed.student_id, climbed.before)).toMatchObject({
      program_id: other.id,
      faculty_id: other.faculty_id,
      bylaw_id: other.bylaw_id,
    })
    expect(await factsIn(climbed.student_id, climbed.term_id)).toMatchObject({ program_id: climbed.program_id })
    await query('delete from former_studies where student_id = $1', [climbed.student_id])
  })

  it('a withdrawn or excused course counts by its share, a dropped one and a request not at all, nor what one was exempted from', async () => {
    const row = await one<{ id: number; student_id: number; term_id: number; status: string }>(
      `select r.id, r.student_id, r.term_id, r.status from registrations r join current_terms c on c.term_id = r.term_id and c.key = 'current_term'
       where r.status & 262144 <> 0 order by r.id limit 1`,
    )
    const charged = async () =>
      (await feeFacts(u.services.db, [row.student_id], { term_id: row.term_id }))
        .get(row.student_id)!
        .courses.find((c) => c.registration_id === row.id)?.charged
    const become = (flag: bigint) =>
      query('update registrations set status = $2 where id = $1', [row.id, flag.toString()])
    // States that a decision sets are set here without one.
    await query('alter table registrations disable trigger registration_with_its_case')
    await query('delete from bylaw_withdrawal_steps')
    expect(await charged()).toBe(10_000)
    await query('update bylaws set withdrawal_charge = 37.5 where id = (select bylaw_id from students where id = $1)', [
      row.student_id,
    ])
    await become(1024n)
    expect(await charged()).toBe(3750)
    await query('update bylaws set withdrawal_charge = 100, excuse_charge = 12.5')
    expect(await charged()).toBe(3750)
    // By force is by the same rule; excused is another, decided anew and kept.
    await become(17592186044416n)
    expect(await charged()).toBe(3750)
    await become(2048n)
    expect(await charged()).toBe(1250)
    await query('update bylaws set excuse_charge = 100')
    expect(await charged()).toBe(1250)
    await become(16777216n)
    expect(await charged()).toBe(10_000)
    await become(2048n)
    expect(await charged()).toBe(10_000)
    await expect(query('update bylaws set excuse_charge = 100.5')).rejects.toThrow('bylaws_excuse_charge')
    await become(549755813888n)
    expect(await charged()).toBeUndefined()
    await become(1048576n)
    expect(await charged()).toBeUndefined()
    await become(2147483648n)
    expect(await charged()).toBeUndefined()
    await query('update registrations set status = $2 where id = $1', [row.id, row.status])
    expect(await charged()).toBe(10_000)
  })

  it('a nationality in no group is that of the default one; without one there is no group', async () => {
    const { id, nationality_id } = await one<{ id: number; nationality_id: number }>(
      'select id, nationality_id from students where nationality_id = 64 limit 1',
    )
    const group = async () => (await feeFacts(u.services.db, [id], { year_id: 1 })).get(id)!.nationality_group
    expect((await group())?.currency).toBe('EGP')
    await query(
      'update students set nationality_id = (select id from countries where id <> 64 limit 1) where id = $1',
      [id],
    )
    expect((await group())?.currency).toBe('USD')
    await query('update students set nationality_id = null where id = $1', [id])
    expect(await group()).toBe(null)
    await query('update students set nationality_id = $2 where id = $1', [id, nationality_id])
  })
})

describe('scholarships', () => {
  const kind = async (code: string) =>
    (await one<{ id: number }>('select id from scholarships where code = $1', [code])).id
  const someone = () =>
    one<{ id: number; user_id: number; faculty_id: number }>(
      `select id, user_id, faculty_id from students s where status = 'studying' and faculty_id = $1 and user_id is not null
       and not exists (select from scholarship_grants g where g.student_id = s.id)
       -- The account of one record of two cannot be given away: both are the same person.
       and not exists (select from students other where other.national_id = s.national_id and other.id <> s.id)
       order by random() limit 1`,
      [faculty],
    )
  it('are given by hand with a reason, once at a time, and taken back with a reason', async () => {
    const student = await someone()
    const path = `/students/scholarships/apply-scholarship/${student.id}`
    const staff = await kind('STAFF')
    const body = { scholarship_id: staff, year_id: year, reason: 'Parent works here' }
    expect(said(await finance('POST', path, { ...body, reason: ' ' }))).toEqual([422, 'required@reason'])
    expect(said(await finance('POST', path, { ...body, scholarship_id: await kind('HONOUR') }))).toEqual([
      409,
      'scholarship_is_automatic@scholarship_id',
    ])
    expect(said(await finance('POST', `/scholarship/preview-automatic/${staff}`, { year_id: year }))).toEqual([
      409,
      'scholarship_is_manual',
    ])
    const given = ok(await finance('POST', path, body))
    expect(given).toMatchObject({
      status: 'applied',
      percent: '50.00',
      types: ['tuition', 'hours'],
      abilities: ['remove'],
    })
    expect(said(await finance('POST', path, body))[1]).toMatch(/^grant_twice/)
    expect((await registrar('POST', path, body)).status).toBe(403)
    const later = await newYear(++years)
    expect(said(await finance('POST', path, { ...body, year_id: later, until_year_id: year }))[1]).toMatch(
      /^grant_years_order/,
    )
    // The terms of then stay.
    await query('update scholarships set percent = 60 where id = $1', [staff])
    expect(ok(await finance('POST', `/students/scholarships/get-scholarship/${student.id}`, {}))[0].percent).toBe(
      '50.00',
    )
    await query('update scholarships set percent = 50 where id = $1', [staff])
    await expect(
      u.database.pool.query('update scholarship_grants set percent = 1 where id = $1', [given.id]),
    ).rejects.toMatchObject({ constraint: 'grant_kept' })
    const own = await u.signIn(student.user_id)
    const mine = ok(await own('POST', '/scholarship/get-scholarship', {}))
    expect(mine.map((row: { student: { id: number } }) => row.student.id)).toEqual([student.id])
    expect((await own('POST', `/students/scholarships/get-scholarship/${student.id + 1}`, {})).status).toBe(404)
    const remove = `/students/${student.id}/payments/delete-scholarship/${given.id}`
    expect((await own('DELETE', remove, { reason: 'x' })).status).toBe(403)
    expect((await finance('DELETE', remove, {})).status).toBe(422)
    expect(
      (await finance('DELETE', `/students/${student.id + 1}/payments/delete-scholarship/${given.id}`, { reason: 'x' }))
        .status,
    ).toBe(404)
    const older = { reason: 'By mistake', version: given.version + 1 }
    expect(said(await finance('DELETE', remove, older))).toEqual([409, 'changed_meanwhile'])
    expect(ok(await finance('DELETE', remove, { reason: 'By mistake' }))).toMatchObject({
      status: 'removed',
      ended_reason: 'By mistake',
      abilities: [],
    })
    expect(said(await finance('DELETE', remove, { reason: 'Again' }))).toEqual([409, 'grant_ended'])
    expect((await feeFacts(u.services.db, [student.id], { year_id: year })).get(student.id)!.grants).toEqual([])
  })

  it('are given by hand or by a rule, and neither is changed as the other; a year has to be there', async () => {
    const staff = await kind('STAFF')
    const one_of = { code: 'HAND', name: 'H', name_local: 'ي', basis: 'manual', percent: '5.00', types: ['hours'] }
    const bylaw = await one<{ id: number }>(`select id from bylaws where faculty_id = $1 limit 1`, [faculty])
    const rule = `/scholarship/create-automatic-scholarship/${bylaw.id}`
    expect(said(await finance('POST', rule, one_of))).toEqual([422, 'scholarship_is_manual@basis'])
    for (const [method, path, body] of [
      ['POST', `/scholarship/edit-automatic-scholarship/${staff}`, { percent: '90.00' }],
      ['DELETE', `/scholarship/delete-automatic-scholarship/${staff}`, undefined],
    ] as const)
      expect(said(await finance(method, path, body))).toEqual([409, 'scholarship_is_manual'])
    expect(
      await query('select percent::float8 as percent, removed_at from scholarships where id = $1', [staff]),
    ).toEqual([{ percent: 50, removed_at: null }])
    expect(said(await finance('GET', '/years/999999/payments/scholarship'))).toEqual([404, 'not_found'])
    const path = `/scholarship/apply-automatic/${await kind('HONOUR')}`
    expect(said(await finance('POST', path, { year_id: 999_999 }))).toEqual([422, 'reference_missing@year_id'])
    const wrong = { payment_setting_scholarship_id: staff + 1 }
    expect(said(await finance('DELETE', at(`/delete-scholarship/${staff}`), wrong))).toEqual([
      422,
      'not_a_choice@payment_setting_scholarship_id',
    ])
  })

  it('nobody outside the reach is granted anything, nor is oneself', async () => {
    const student = await someone()
    const other = await one<{ id: number }>(`select id from faculties where id <> $1 limit 1`, [faculty])
    const away = await u.as('finance_officer', ['faculty', other.id])
    const body = { scholarship_id: await kind('STAFF'), year_id: year, reason: 'x' }
    expect((await away('POST', `/students/scholarships/apply-scholarship/${student.id}`, body)).status).toBe(404)
    const self = await u.as('finance_officer')
    await query('update students set user_id = $2 where id = $1', [student.id, self.user_id])
    expect(said(await self('POST', `/students/scholarships/apply-scholarship/${student.id}`, body))).toEqual([
      409,
      'scholarship_own',
    ])
    // Nor acting as a colleague.
    const acting = await u.actAs((await u.as('finance_officer')).user_id, self)
    expect(said(await acting('POST', `/students/scholarships/apply-scholarship/${student.id}`, body))).toEqual([
      409,
      'scholarship_own',
    ])
    // Nor taken away from oneself.
    const { id } = ok(await finance('POST', `/students/scholarships/apply-scholarship/${student.id}`, body))
    const remove = `/students/${student.id}/payments/delete-scholarship/${id}`
    expect(said(await self('DELETE', remove, { reason: 'x' }))).toEqual([403, 'scholarship_own'])
    ok(await finance('DELETE', remove, { reason: 'By mistake' }))
    await query('update students set user_id = $2 where id = $1', [student.id, student.user_id])
    expect(
      ok(await away('POST', '/scholarship/get-scholarship', { perPage: 500 })).every(
        (row: { faculty: { id: number } }) => row.faculty.id === other.id,
      ),
    ).toBe(true)
  })

  it('who reaches one faculty has a say in what is granted there alone', async () => {
    const other = await one<{ id: number }>(`select id from faculties where id <> $1 limit 1`, [faculty])
    const there = await u.as('finance_officer', ['faculty', other.id])
    const bylaw = await one<{ id: number }>(`select id from bylaws where faculty_id = $1 limit 1`, [faculty])
    const terms = { name: 'Fund', name_local: 'صندوق', basis: 'manual', percent: '100.00', types: ['tuition'] }
    const add = (code: string, more: object) => there('PUT', '/scholarships', { ...terms, code, ...more })
    for (const more of [{}, { faculty_id: faculty }, { bylaw_id: bylaw.id }])
      expect((await add('ZF1', more)).status).toBe(403)
    const { id } = ok(await add('ZF1', { faculty_id: other.id }))
    expect((await there('PUT', `/scholarships/${id}`, { faculty_id: null })).status).toBe(403)
    ok(await there('PUT', `/scholarships/${id}`, { percent: '90.00' }))
    const student = await someone()
    expect(
      said(
        await finance('POST', `/students/scholarships/apply-scholarship/${student.id}`, {
          scholarship_id: id,
          year_id: year,
          reason: 'x',
        }),
      ),
    ).toEqual([409, 'scholarship_not_for@scholarship_id'])
    const staff = await kind('STAFF')
    expect((await there('PUT', `/scholarships/${staff}`, { percent: '100.00' })).status).toBe(409)
    expect((await there('DELETE', `/scholarships/${staff}`)).status).toBe(409)
    const may = async (of: number) => ok(await there('GET', `/scholarships/${of}`)).abilities
    expect([await may(staff), await may(id)]).toEqual([[], ['edit', 'remove']])
    ok(await there('DELETE', `/scholarships/${id}`))
  })

  it('a rule is previewed with its cost, applied to all at once, undone whole, and lost by who deserves it no more', async () => {
    const { of } = await one<{ of: number }>(
      `select t.year_id as of from current_terms c join terms t on t.id = c.term_id where c.key = 'current_term'`,
    )
    const rule = ok(
      await finance('POST', `/years/${of}/payments/create-Auto-scholarship`, {
        code: 'TOP3',
        name: 'Top three',
        name_local: 'الثلاثة الأوائل',
        basis: 'rank',
        from_value: '1.00',
        to_value: '3.00',
        percent: '10.00',
        types: ['hours'],
        faculty_id: faculty,
      }),
    )
    expect(rule).toMatchObject({ year: { id: of }, is_active: true })
    const preview = ok(await finance('POST', `/scholarship/preview-automatic/${rule.id}`, { year_id: of }))
    expect(preview).toMatchObject({ kept: 0, lost: 0 })
    const expected = await one<{ n: number }>(
      `select count(*)::int as n from (select rank() over (partition by program_id, level order by gpa desc) as r, faculty_id from students
       where status = 'studying' and removed_at is null and not is_second_record and gpa is not null) s where r <= 3 and faculty_id = $1`,
      [faculty],
    )
    expect(preview.added).toBe(expected.n)
    expect(preview.costs[0].amount).toBeGreaterThan(0)
    // It says for which term it was counted, a term of the year that was asked for, and what all together take off at most.
    const inTerm = await one<{ year_id: number }>(`select year_id from terms where id = $1`, [preview.term.id])
    expect([inTerm.year_id, preview.cap]).toEqual([of, 10_000])
    expect(said(await finance('POST', `/scholarship/preview-automatic/${rule.id}`, { year_id: year }))).toEqual([
      409,
      'scholarship_other_year',
    ])
    expect((await registrar('POST', `/scholarship/apply-automatic/${rule.id}`, { year_id: of })).status).toBe(403)
    const applied = async () => {
      const { body } = await finance('POST', `/scholarship/apply-automatic/${rule.id}`, { year_id: of })
      for (;;) {
        const job = (await finance('GET', `/jobs/${body.job_id}`)).body.data
        if (job.state === 'done') return job.result
        if (job.state === 'failed') throw new Error(JSON.stringify(job))
        await new Promise((done) => setTimeout(done, 50))
      }
    }
    const first = await applied()
    expect([first.added, first.lost]).toEqual([expected.n, 0])
    expect(await applied()).toMatchObject({ added: 0, lost: 0, operation_id: null })
    const counted = () =>
      one<{ applied: number; lost: number }>(
        `select count(*) filter (where status = 'applied')::int as applied, count(*) filter (where status = 'lost')::int as lost
         from scholarship_grants where scholarship_id = $1`,
        [rule.id],
      )
    ok(await finance('PUT', `/scholarships/${rule.id}`, { to_value: '1.00' }))
    const second = await applied()
    expect(second.added).toBe(0)
    expect(second.lost).toBeGreaterThan(0)
    expect(await counted()).toEqual({ applied: expected.n - second.lost, lost: second.lost })
    ok(await finance('POST', `/operations/${first.operation_id}/undo`, {}))
    // Those that were lost since were changed by somebody: they stay.
    expect(await counted()).toEqual({ applied: 0, lost: second.lost })
    expect(said(await finance('DELETE', `/scholarship/delete-automatic-scholarship/${rule.id}`))[0]).toBe(409)
    const { job_id } = (await finance('POST', `/scholarship/apply-automatic/${rule.id}`, { year_id: of })).body
    expect(job_id).toBeTruthy()
    ok(await finance('PUT', `/scholarships/${rule.id}`, { is_active: false }))
    for (const what of ['preview', 'apply'])
      expect(said(await finance('POST', `/scholarship/${what}-automatic/${rule.id}`, { year_id: of }))).toEqual([
        409,
        'scholarship_not_active',
      ])
  })

  it('of siblings are for families of two or more who study', async () => {
    const rule = ok(
      await finance('POST', `/years/${year}/payments/create-Auto-scholarship`, {
        code: 'FAMILY',
        name: 'Family',
        name_local: 'الأسرة',
        basis: 'sibling',
        from_value: '1.00',
        percent: '5.00',
        types: ['hours'],
        faculty_id: faculty,
      }),
    )
    const expected = await one<{ n: number; proposed: number; alone: number }>(
      `select count(*) filter (where p.child is not null)::int as n, count(*) filter (where p.child is null and p.likely is not null)::int as proposed,
         count(*) filter (where p.likely is null)::int as alone
       from students s left join places_among_siblings(array(select id from students)) p on p.student_id = s.id
       where s.status = 'studying' and s.removed_at is null and not s.is_second_record and s.faculty_id = $1`,
      [faculty],
    )
    expect(Math.min(expected.n, expected.proposed, expected.alone)).toBeGreaterThan(0)
    expect(ok(await finance('POST', `/scholarship/preview-automatic/${rule.id}`, { year_id: year }))).toMatchObject({
      added: expected.n,
      proposed: expected.proposed,
    })
    // Papers prove another family: given by hand with a reason, and the rule does not take it.
    const alone = await one<{ id: number }>(
      `select id from students where faculty_id = $1 and status = 'studying' and removed_at is null and parent_phone is null and not is_second_record
       order by id limit 1`,
      [faculty],
    )
    ok(
      await finance('POST', `/students/scholarships/apply-scholarship/${alone.id}`, {
        scholarship_id: rule.id,
        year_id: year,
        reason: 'Birth certificates of both',
      }),
    )
    expect(ok(await finance('POST', `/scholarship/preview-automatic/${rule.id}`, { year_id: year }))).toMatchObject({
      added: expected.n,
      lost: 0,
    })
  })

  it('stand on a GPA up to 4 and on a percentage up to 100, whoever writes', async () => {
    const given = { code: 'LIM', name: 'Limits', name_local: 'حدود', percent: '10.00', types: ['hours'] }
    for (const [basis, from_value, to_value, wrong] of [
      ['gpa', '4.50', null, ['out_of_range@from_value']],
      ['gpa', '3.00', '4.01', ['out_of_range@to_value']],
      ['percentage', '150.00', '900.00', ['out_of_range@from_value', 'out_of_range@to_value']],
    ] as const)
      expect(said(await finance('PUT', '/scholarships', { ...given, basis, from_value, to_value }))).toEqual([
        422,
        ...wrong,
      ])
    await expect(
      u.database.pool.query(
        `update scholarships set from_value = 4.5, to_value = null where id = (select min(id) from scholarships where basis = 'gpa')`,
      ),
    ).rejects.toThrow('scholarship_limits')
  })

  it('say what is wrong with them, all of it', async () => {
    const bad = await finance('PUT', '/scholarships', {
      code: 'BAD',
      name: 'Bad',
      name_local: 'خطأ',
      basis: 'rank',
      from_value: '2.50',
      to_value: '1.00',
      percent: '10.00',
      amount: 5,
      types: ['hours'],
    })
    expect(said(bad)).toEqual([
      422,
      'not_an_integer@from_value',
      'scholarship_amount_currency@currency',
      'scholarship_from_to@to_value',
      'scholarship_one_of@percent',
    ])
    expect(
      said(
        await finance('POST', at('/create-scholarship'), {
          code: 'BAD',
          name: 'Bad',
          name_local: 'خطأ',
          basis: 'gpa',
          from_value: '3.00',
          percent: '10.00',
          types: ['hours'],
        }),
      ),
    ).toEqual([422, 'scholarship_is_automatic@basis'])
    expect((await registrar('PUT', '/scholarships', {})).status).toBe(403)
    const manual = ok(await finance('GET', at('/scholarship')))
    expect(manual.map((row: { code: string }) => row.code)).toEqual(['FULL', 'STAFF', 'HARDSHIP'])
    const automatic = ok(await finance('GET', at('/get-automatic-scholarship')))
    expect(automatic.every((row: { basis: string }) => row.basis !== 'manual')).toBe(true)
    expect((await finance('POST', at(`/edit-scholarship/${automatic[0].id}`), { percent: '1.00' })).status).toBe(404)
    // One of every year is changed in a year that there is.
    expect(
      (
        await finance('POST', `/years/2000000000/payments/edit-Auto-scholarship/${automatic[0].id}`, {
          percent: '1.00',
        })
      ).status,
    ).toBe(404)
  })

  it('leave as a sheet by their name, within reach', async () => {
    const file = await dean('POST', '/scholarship/export_pdf', { lang: 'ar' })
    expect([file.status, String(file.headers['content-disposition'])]).toEqual([
      200,
      expect.stringContaining('scholarships.xlsx'),
    ])
    expect((await nobody('POST', '/scholarship/export_pdf', {})).status).toBe(403)
  })
})
