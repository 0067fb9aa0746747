import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { postEntries } from '#areas/money/ledger/post.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { invoicesServer } from '../invoices.server.ts'
import { moneyWorld, priceWorld } from '../testing.server.ts'
import { repriceJob } from './next.server.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let p: Awaited<ReturnType<typeof priceWorld>>
let finance: Caller & { user_id: number }
let codes = 0
beforeAll(async () => {
  u = await testUniversity([catalogueServer, feesServer, invoicesServer])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  p = await priceWorld(u.database.db, w.term)
  finance = await u.as('finance_officer', ['faculty', w.faculty])
})
afterAll(() => u?.close())

/** A student with an invoice of the term. */
const invoiced = async () => {
  const student = await w.student()
  await w.query('update students set nationality_id = 64 where id = $1', [student.id])
  const { invoice } = ok(await finance('POST', `/payments/apply_next_invoice/${student.id}`, { term_id: w.term }))
  return { student, id: invoice.id as number }
}
const scholarship = async (of: Record<string, unknown> = {}) => {
  const row = { basis: 'manual', percent: 25, types: ['tuition'], priority: 1, ...of }
  const names = Object.keys(row)
  const [made] = await w.query<{ id: number }>(
    `insert into scholarships (code, name, name_local, ${names.join(', ')})
     values ('A${++codes}', 'Merit', 'تفوق', ${names.map((_, i) => `$${i + 1}`).join(', ')}) returning id`,
    Object.values(row),
  )
  return made!.id
}
const apply = (
  id: number,
  scholarship_id: number,
  more: Record<string, unknown> = { reason: 'By the council' },
  by = finance,
) => by('POST', `/payments/scholarship/${id}`, { scholarship_id, ...more })
const look = async (id: number, scholarship_id: number) => ok(await apply(id, scholarship_id, { preview: true }))
const show = async (id: number) => ok(await finance('GET', `/payments/${id}`))
const counts = async () =>
  (
    await w.query(`select (select count(*) from scholarship_grants)::int as grants, (select count(*) from invoice_notes)::int as notes,
      (select count(*) from ledger_entries)::int as entries`)
  )[0]
const clock = () =>
  repriceJob.run(
    asSystem(u.services, 'test'),
    {},
    Object.assign(async () => {}, { signal: new AbortController().signal }),
  )
const why = (of: { reasons: { code: string }[] }) => of.reasons.map((one) => one.code)

describe('a scholarship applied to an invoice', () => {
  it('is looked at without a trace, then granted for the year and taken off by a note', async () => {
    const { id, student } = await invoiced()
    const merit = await scholarship()
    const before = await counts()
    const seen = await look(id, merit)
    expect(seen).toMatchObject({
      before: p.tuition,
      after: p.tuition * 0.75,
      released: 0,
      reasons: [],
      grant_id: null,
      note: null,
      lines: [{ amount: -p.tuition / 4 }],
    })
    expect(await counts()).toEqual(before)
    expect((await show(id)).abilities).toContain('scholarship')
    expect(reasons(await apply(id, merit, {}))).toEqual(['required@reason'])
    const done = ok(await apply(id, merit))
    expect(done).toMatchObject({ after: p.tuition * 0.75, note: expect.any(String), grant_id: expect.any(Number) })
    const shown = await show(id)
    expect(shown.charged).toBe(p.tuition * 0.75)
    expect(shown.notes).toMatchObject([{ kind: 'scholarship', number: done.note, amount: -p.tuition / 4 }])
    expect(shown.notes[0].reason).toContain('By the council')
    expect(shown.installments.reduce((sum: number, one: any) => sum + one.amount, 0)).toBe(p.tuition * 0.75)
    const [given] = await w.query('select * from scholarship_grants where id = $1', [done.grant_id])
    expect(given).toMatchObject({ student_id: student.id, granted_by: finance.user_id, reason: 'By the council' })
    // The clock has nothing left to do, and computes it the same.
    const settled = await counts()
    await w.query('insert into outdated_invoices (invoice_id) values ($1)', [id])
    await clock()
    expect(await counts()).toEqual(settled)
    // Taken back, it is charged again.
    ok(
      await finance('DELETE', `/students/${student.id}/payments/delete-scholarship/${done.grant_id}`, {
        reason: 'By mistake',
      }),
    )
    await clock()
    expect((await show(id)).charged).toBe(p.tuition)
  })

  it('at the prices it was issued with; what was paid and is not charged goes into the wallet', async () => {
    const { id, student } = await invoiced()
    await p.version({ tuition: p.tuition * 2 })
    const all = await scholarship({ percent: 100 })
    const payer_id = await m.payerOf(student.id)
    await u.database.db.transaction().execute((tx) =>
      postEntries(tx, [
        {
          kind: 'payment',
          source: `paid:${id}`,
          currency: 'EGP',
          settles: true,
          postings: [
            { role: 'cash', amount: 300_000 },
            { role: 'receivable', payer_id, invoice_id: id, amount: -300_000 },
          ],
        },
      ]),
    )
    expect(await look(id, all)).toMatchObject({ after: 0, released: 300_000 })
    ok(await apply(id, all))
    expect(await show(id)).toMatchObject({ charged: 0, settled: 0, state: 'paid' })
    expect(await m.wallet(student.id)).toBe(300_000)
    await p.version()
  })

  it('is refused, looked at and for good: every reason at once', async () => {
    const { id } = await invoiced()
    const refused = async (invoice: number, of: number) => {
      const before = await counts()
      const seen = why(await look(invoice, of))
      const answer = await apply(invoice, of)
      expect(answer.status).toBe(409)
      expect(
        reasons(answer)
          .map((one) => one.split('@')[0]!)
          .toSorted(),
      ).toEqual(seen.toSorted())
      expect(await counts()).toEqual(before)
      return seen
    }
    const [year] = await w.query<{ id: number }>(
      `insert into years (code, name, name_local, start_date, end_date) values ('Y9', 'Another', 'آخر', '2000-09-01', '2001-08-31') returning id`,
    )
    expect(await refused(id, await scholarship({ year_id: year!.id }))).toEqual(['scholarship_other_year'])
    expect(await refused(id, await scholarship({ types: ['summer'] }))).toEqual(['scholarship_not_for_invoice'])
    expect(await refused(id, await scholarship({ percent: null, amount: 1000, currency: 'USD' }))).toEqual([
      'scholarship_pays_otherwise',
      'scholarship_currency',
    ])
    expect(await refused(id, await scholarship({ percent: 0.01, types: ['hours'], year_id: year!.id }))).toEqual([
      'scholarship_other_year',
      'scholarship_not_for_invoice',
    ])
    const gone = await scholarship({ is_active: false })
    expect(await refused(id, gone)).toEqual(['scholarship_not_active'])
    // Twice.
    const merit = await scholarship()
    ok(await apply(id, merit))
    expect(await refused(id, merit)).toEqual(['grant_twice'])
    // All there is: another one has nothing left, and the cap lets no more.
    ok(await apply(id, await scholarship({ percent: 100, priority: 2 })))
    expect(await refused(id, await scholarship({ priority: 3 }))).toEqual(['scholarship_takes_nothing'])
    ok(await finance('POST', `/payments/reverse-invoice/${id}`, { reason: 'Wrong student' }))
    expect(await refused(id, await scholarship({ priority: 3 }))).toContain('invoice_is_reversed')
    expect((await show(id)).abilities).not.toContain('scholarship')
    // Of what no prices made, nothing is taken off.
    const { student } = await invoiced()
    const other = await m.invoice(student.id, [[5000, 30]])
    expect(await refused(other, await scholarship())).toEqual(['scholarship_not_priced'])
  })

  it('goes no further than all of them together may', async () => {
    await p.version({ cap: 3000 })
    const { id } = await invoiced()
    ok(await apply(id, await scholarship({ percent: 25 })))
    const second = await scholarship({ percent: 25, priority: 2 })
    expect(await look(id, second)).toMatchObject({ after: p.tuition * 0.7, lines: [{ amount: -p.tuition * 0.05 }] })
    ok(await apply(id, second))
    const third = await scholarship({ percent: 25, priority: 3 })
    expect(why(await look(id, third))).toEqual(['scholarship_capped'])
    expect(reasons(await apply(id, third))).toEqual(['scholarship_capped'])
    expect((await show(id)).charged).toBe(p.tuition * 0.7)
    await p.version()
  })

  it('by two at once is applied once', async () => {
    const { id } = await invoiced()
    const merit = await scholarship()
    const both = await Promise.all([apply(id, merit), apply(id, merit)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect((await show(id)).charged).toBe(p.tuition * 0.75)
    const two = await Promise.all([
      apply(id, await scholarship({ percent: 10 })),
      apply(id, await scholarship({ percent: 10 })),
      clock(),
    ])
    expect(two.slice(0, 2).map((one) => (one as { status: number }).status)).toEqual([200, 200])
    expect((await show(id)).notes).toHaveLength(3)
  })

  it('by nobody without the right, outside the reach, or for oneself', async () => {
    const { id, student } = await invoiced()
    const merit = await scholarship()
    for (const role of ['cashier', 'registrar'] as const)
      expect((await apply(id, merit, { preview: true }, await u.as(role))).status).toBe(403)
    expect((await apply(id, merit, { preview: true }, student.as as typeof finance)).status).toBe(403)
    const away = await u.as('finance_officer', ['faculty', w.otherFaculty])
    expect((await apply(id, merit, { preview: true }, away)).status).toBe(404)
    expect((await apply(id, merit, undefined, away)).status).toBe(404)
    expect((await apply(id + 1000, merit)).status).toBe(404)
    expect((await apply(id, 999_999)).status).toBe(404)
    await w.query('update students set user_id = $2 where id = $1', [student.id, finance.user_id])
    expect(reasons(await apply(id, merit))).toEqual(['scholarship_own'])
    await w.query('update students set user_id = $2 where id = $1', [student.id, student.user_id])
    expect((await show(id)).charged).toBe(p.tuition)
  })
})
