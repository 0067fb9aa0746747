import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { followDebts } from './holds.server.ts'
import { invoicesServer } from './invoices.server.ts'
import { moneyWorld } from './testing.server.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
let finance: Caller
let elsewhere: Caller
let cashier: Caller
beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, invoicesServer])
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  finance = await u.as('finance_officer', ['faculty', w.faculty])
  elsewhere = await u.as('finance_officer', ['faculty', w.otherFaculty])
  cashier = await u.as('cashier')
})
afterAll(() => u?.close())

const line = (amount: number, account = 'services') => ({ account, name: 'Card', name_local: 'بطاقة', amount })
const day = (n: number) => addDays(dayOf(), n)
const ask = (student: number, amounts: number[], dues = [30]) => {
  const total = amounts.reduce((sum, one) => sum + one, 0)
  return finance('POST', `/payments/create_payment/${student}`, {
    currency: 'EGP',
    lines: amounts.map((one) => line(one)),
    installments: dues.map((due, i) => ({
      amount:
        i < dues.length - 1
          ? Math.floor(total / dues.length)
          : total - Math.floor(total / dues.length) * (dues.length - 1),
      due_date: day(due),
    })),
  })
}
/** A day before today comes by itself, nobody sets it: such an invoice was issued earlier. */
const issue = async (student: number, amounts: number[], dues = [30]) => {
  if (dues.every((due) => due >= 0)) return ask(student, amounts, dues)
  const answer = await ask(
    student,
    amounts,
    dues.map((due) => due + 100),
  )
  await w.query('update installments set due_date = due_date - 100 where invoice_id = $1', [ok(answer).id])
  const ctx = asSystem(u.services, 'test')
  await ctx.write((tx) => followDebts(ctx, tx, null))
  return answer
}
const show = async (id: number, who = finance) => ok(await who('GET', `/payments/${id}`))
const pay = async (student: number, amount: number) => {
  const ctx = asSystem(u.services, 'test')
  const id = await m.transaction(student, amount)
  return ctx.write((tx) => bookTransactions(ctx, tx, [id]))
}
const parts = (invoice: any) => invoice.installments.map((one: any) => [one.amount, one.settled])

describe('an invoice', () => {
  it('is issued with a number without gaps, told as it stands, and listed where it is reached', async () => {
    const student = await w.student()
    const first = ok(await issue(student.id, [10_000, 5000], [10, 40]))
    const second = ok(await issue(student.id, [700]))
    expect(Number(second.number.slice(-6))).toBe(Number(first.number.slice(-6)) + 1)
    const invoice = await show(first.id)
    expect(invoice).toMatchObject({
      charged: 15_000,
      settled: 0,
      open: 15_000,
      state: 'unpaid',
      due_date: day(10),
      overdue: false,
    })
    expect(parts(invoice)).toEqual([
      [7500, 0],
      [7500, 0],
    ])
    await pay(student.id, 8000)
    expect(parts(await show(first.id))).toEqual([
      [7500, 7500],
      [7500, 500],
    ])
    const listed = await finance('POST', '/payments', { filters: { state: ['partially_paid'] } })
    expect(listed.body.data.map((row: any) => [row.id, row.open, row.student.id])).toEqual([
      [first.id, 7000, student.id],
    ])
    // The own ones, and nobody else's; who has another faculty reads and changes nothing.
    expect((await student.as('POST', '/payments', {})).body.meta.count).toBe(2)
    const other = await w.student()
    expect((await other.as('POST', '/payments', {})).body.meta.count).toBe(0)
    for (const who of [other.as, elsewhere]) expect((await who('GET', `/payments/${first.id}`)).status).toBe(404)
    expect((await elsewhere('POST', '/payments', {})).body.meta.count).toBe(0)
    const change = { version: 1, reason: 'Because', added: [line(1)] }
    for (const [who, status] of [
      [elsewhere, 404],
      [student.as, 403],
      [cashier, 403],
    ] as const) {
      expect((await who('POST', `/payments/edit-invoice/${first.id}`, change)).status).toBe(status)
      expect((await who('POST', `/payments/reverse-invoice/${first.id}`, { reason: 'Because' })).status).toBe(status)
      expect(
        (await who('PUT', `/payments/due_date/${first.id}`, { due_date: day(90), reason: 'Because' })).status,
      ).toBe(status)
    }
    expect((await u.nobody('GET', `/payments/${first.id}`)).status).toBe(401)
  })

  it('is found by its number and named by who pays, among records of other kinds, where it is reached', async () => {
    const [student, other] = [await w.student(), await w.student()]
    const { id, number } = ok(await issue(student.id, [900]))
    const find = async (who: Caller, search: string, ...names: string[]) =>
      (ok(await who('POST', '/search', { names, search })) as any[]).map(({ name, data }) => [
        name,
        ...data.map((one: any) => [one.id, one.code]),
      ])
    expect(await find(finance, number, 'course', 'invoice', 'nothing_known')).toEqual([['invoice', [id, number]]])
    expect(await find(student.as, number, 'invoice')).toEqual([['invoice', [id, number]]])
    // Neither by its number nor by its id by anybody whom it does not concern; kinds that are not for a reader have none.
    for (const who of [elsewhere, other.as]) {
      expect(await find(who, number, 'invoice')).toEqual([])
      expect(ok(await who('POST', '/lookups/get', { name: 'invoice', ids: [id] }))).toEqual([])
    }
    const { rows: courses } = await u.database.pool.query<{ id: number; code: string }>('select id, code from courses')
    const found = await find(finance, courses[0]!.code, 'course', 'invoice')
    expect(found.map(([name]) => name)).toEqual(['course'])
    expect((await u.nobody('POST', '/search', { names: ['course'], search: 'ab' })).status).toBe(401)
  })

  it('is corrected by notes alone; what was paid and is charged no more goes into the wallet', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000], [10, 40]))
    await pay(student.id, 9000)
    const [only] = (await show(id)).lines
    const { version } = await show(id)
    const strange = { version, lines: [{ id: 999_999, amount: 1 }], reason: 'Wrong price' }
    expect(reasons(await finance('POST', `/payments/edit-invoice/${id}`, strange))).toEqual([
      'invoice_line_other@lines.0.id',
    ])
    const note = ok(
      await finance('POST', `/payments/edit-invoice/${id}`, {
        version,
        lines: [{ id: only.id, amount: 6000 }],
        reason: 'Wrong price',
      }),
    )
    expect(note).toMatchObject({ released: 3000 })
    const invoice = await show(id)
    expect(invoice).toMatchObject({ charged: 6000, settled: 6000, state: 'paid' })
    expect(invoice.lines).toHaveLength(1)
    expect(invoice.lines[0].amount).toBe(10_000)
    expect(invoice.notes.map((one: any) => [one.kind, one.amount, one.reason])).toEqual([
      ['credit', -4000, 'Wrong price'],
    ])
    expect(parts(invoice)).toEqual([
      [5000, 5000],
      [1000, 1000],
    ])
    expect(await m.wallet(student.id)).toBe(3000)
    // By the line alone, up again; what somebody changed meanwhile is told.
    ok(await finance('PUT', `/payment/items/edit_amount/${only.id}`, { amount: 6500, reason: 'Price again' }))
    expect(await show(id)).toMatchObject({ charged: 6500, settled: 6000 })
    expect(
      (await finance('POST', `/payments/edit-invoice/${id}`, { version, added: [line(5)], reason: 'Late' })).status,
    ).toBe(409)
    expect(
      reasons(await finance('PUT', `/payment/items/edit_amount/${only.id}`, { amount: 6500, reason: 'Same' })),
    ).toEqual(['note_nothing'])
    const steps = ok(await finance('POST', `/payments/history/${id}`, {}))
    expect(steps.map((one: any) => [one.kind, one.amount, one.open])).toEqual([
      ['invoice', 10_000, 10_000],
      ['payment', -9000, 1000],
      ['credit_note', -4000, -3000],
      ['wallet', 3000, 0],
      ['debit_note', 500, 500],
    ])
  })

  it('is reversed once: it charges nothing, holds nobody, and nothing of it changes any more', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000], [-5]))
    expect(await m.holds(student.id)).toHaveLength(1)
    await pay(student.id, 4000)
    expect(ok(await finance('POST', `/payments/reverse-invoice/${id}`, { reason: 'Issued twice' }))).toMatchObject({
      released: 4000,
    })
    expect([await m.holds(student.id), await m.wallet(student.id)]).toEqual([[], 4000])
    expect(await show(id)).toMatchObject({
      state: 'reversed',
      charged: 0,
      settled: 0,
      reversed_reason: 'Issued twice',
      abilities: [],
    })
    for (const again of [
      finance('POST', `/payments/reverse-invoice/${id}`, { reason: 'Again' }),
      finance('PUT', `/payments/due_date/${id}`, { due_date: day(9), reason: 'Again' }),
      finance('POST', `/payments/edit-invoice/${id}`, {
        version: (await show(id)).version,
        added: [line(5)],
        reason: 'More',
      }),
    ])
      expect(reasons(await again)).toEqual(['invoice_is_reversed'])
    // Whoever writes: the database takes no note on it.
    await expect(
      w.query(
        `insert into invoice_notes (invoice_id, number, kind, amount, reason, issued_on) values ($1, 'TEST-N', 'debit', 100, 'Late', university_today())`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: 'invoice_is_reversed' })
  })

  it('is split, and instalments always make the whole', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000]))
    const reason = 'Agreed with the student'
    const split = ok(await finance('POST', `/payments/installments/${id}`, { amount: 4000, due_date: day(60), reason }))
    expect(parts(split)).toEqual([
      [6000, 0],
      [4000, 0],
    ])
    const [first, second] = split.installments
    const edit = (part: { id: number }, change: object) =>
      finance('POST', `/payments/installments/${id}/${part.id}`, { reason, ...change })
    // Editing the first makes the second the total minus the first.
    expect(parts(ok(await edit(first, { amount: 2500 })))).toEqual([
      [2500, 0],
      [7500, 0],
    ])
    const third = { amount: 1000, due_date: day(90), reason }
    expect(parts(ok(await finance('POST', `/payments/installments/${id}`, third)))).toEqual([
      [2500, 0],
      [6500, 0],
      [1000, 0],
    ])
    expect(
      reasons(await finance('POST', `/payments/installments/${id}`, { amount: 500, due_date: day(95), reason })),
    ).toEqual(['installments_count'])
    expect(reasons(await edit(second, { due_date: day(1) }))).toEqual(['installments_order@due_date'])
    // No part is taken away in silence, and what changes nothing says so.
    expect(reasons(await edit(first, { amount: 99_999_999 }))).toEqual(['installment_most@amount'])
    expect(reasons(await edit(first, { amount: 2500 }))).toEqual(['installment_same'])
    const history = async () => ok(await finance('POST', `/payments/history/${id}`, {}))
    expect((await history()).map((one: any) => one.kind)).toEqual([
      'invoice',
      'installments_split',
      'installments_edited',
      'installments_split',
    ])
    expect(parts(ok(await finance('DELETE', `/payments/installments/${second.id}`, { reason })))).toEqual([
      [2500, 0],
      [7500, 0],
    ])
    expect((await history()).at(-1)).toMatchObject({
      kind: 'installments_removed',
      amount: 0,
      open: 10_000,
      reason,
      installments: {
        from: [{ amount: 2500 }, { amount: 6500, due_date: day(60) }, { amount: 1000 }],
        to: [{ amount: 2500 }, { amount: 7500, due_date: day(90) }],
      },
    })
    expect((await history()).at(-1).by).not.toBeNull()
    const whole = ok(await finance('DELETE', `/payments/installments/${first.id}`, { reason }))
    expect(parts(whole)).toEqual([[10_000, 0]])
    const [last] = whole.installments
    expect(reasons(await finance('DELETE', `/payments/installments/${last.id}`, { reason }))).toEqual([
      'installment_last',
    ])
    // Of the only one the rest becomes a part, by a day that is told.
    expect(reasons(await edit(last, { amount: 4000 }))).toEqual(['installment_rest@rest_due_date'])
    expect(parts(ok(await edit(last, { amount: 4000, rest_due_date: day(120) })))).toEqual([
      [4000, 0],
      [6000, 0],
    ])
    // An instalment of another invoice is none of this one.
    const other = ok(await issue(student.id, [500]))
    const [theirs] = (await show(other.id)).installments
    expect((await edit(theirs, { amount: 5 })).status).toBe(404)
  })

  it('removes an instalment into a later one, never into one whose day is over or that is paid', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [9000], [-5, 30, 60]))
    const reason = 'Asked for by the faculty'
    const [, second, third] = (await show(id)).installments
    expect(parts(ok(await finance('DELETE', `/payments/installments/${second.id}`, { reason })))).toEqual([
      [3000, 0],
      [6000, 0],
    ])
    expect(reasons(await finance('DELETE', `/payments/installments/${third.id}`, { reason }))).toEqual([
      'installment_no_heir',
    ])
    await pay(student.id, 3000)
    const [paid] = (await show(id)).installments
    expect(reasons(await finance('DELETE', `/payments/installments/${paid.id}`, { reason }))).toEqual([
      'installment_paid',
    ])
  })

  it('tells every change of instalments in its history: who, from what, to what and why, and nobody rewrites it', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000], [10, 40]))
    for (const [method, path, body] of [
      ['PUT', `/payments/due_date/${id}`, { due_date: day(12) }],
      ['POST', `/payments/installments/${id}`, { amount: 10, due_date: day(50) }],
      ['DELETE', `/payments/installments/${(await show(id)).installments[0].id}`, {}],
    ] as const)
      expect([path, (await finance(method, path, body)).status]).toEqual([path, 422])
    ok(await finance('PUT', `/payments/due_date/${id}`, { due_date: day(12), reason: 'A holiday' }))
    const { version, lines } = await show(id)
    const edit = { version, lines: [{ id: lines[0].id, amount: 8000 }], reason: 'Wrong price' }
    ok(await finance('POST', `/payments/edit-invoice/${id}`, edit))
    const steps = ok(await finance('POST', `/payments/history/${id}`, {}))
    expect(
      steps.map(({ kind, reason, installments }: any) => [
        kind,
        reason,
        installments && [installments.from, installments.to].map((of) => of.map((one: any) => one.amount).join(' ')),
      ]),
    ).toEqual([
      ['invoice', null, null],
      ['installments_due_date', 'A holiday', ['5000 5000', '5000 5000']],
      ['credit_note', 'Wrong price', ['5000 5000', '5000 3000']],
    ])
    for (const of of [
      `update installment_changes set reason = 'Other' where invoice_id = ${id}`,
      `delete from installment_changes`,
    ])
      await expect(w.query(of)).rejects.toThrow(/append-only/)
  })

  it('is never due before the day on which that is said, and the day of what is paid stays', async () => {
    const student = await w.student()
    expect(reasons(await ask(student.id, [10_000], [-1]))).toEqual(['installment_day_over@installments.0.due_date'])
    const { id } = ok(await issue(student.id, [10_000], [10, 40]))
    expect(reasons(await finance('PUT', `/payments/due_date/${id}`, { due_date: day(-2), reason: 'Late' }))).toEqual([
      'installment_day_over@due_date',
    ])
    expect(
      reasons(
        await finance('POST', `/payments/installments/${id}`, { amount: 100, due_date: '2020-12-20', reason: 'Late' }),
      ),
    ).toEqual(['installment_day_over@due_date'])
    await pay(student.id, 5000)
    const [first] = (await show(id)).installments
    const paid = await finance('PUT', `/payments/due_date/${id}`, {
      installment_id: first.id,
      due_date: day(20),
      reason: 'Late',
    })
    expect([paid.status, reasons(paid)]).toEqual([422, ['installment_day_of_paid@due_date']])
    ok(await finance('PUT', `/payments/due_date/${id}`, { due_date: day(50), reason: 'Late' }))
    await pay(student.id, 5000)
    expect((await finance('PUT', `/payments/due_date/${id}`, { due_date: day(60), reason: 'Late' })).status).toBe(422)
  })

  it('holds from the day after it was due, and not when that is put off', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000], [-1]))
    expect(await m.holds(student.id)).toHaveLength(1)
    expect(await show(id)).toMatchObject({ overdue: true })
    ok(await finance('PUT', `/payments/due_date/${id}`, { due_date: day(5), reason: 'Ill' }))
    expect([await m.holds(student.id), (await show(id)).overdue]).toEqual([[], false])
  })

  it('is on paper in both languages, as a list, a report and an order to pay', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000], [10, 40]))
    for (const lang of ['ar', 'en']) {
      const file = await student.as('GET', `/payments/export_pdf/${id}?lang=${lang}`)
      expect([file.status, Buffer.from(file.bytes).subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    for (const [method, path] of [
      ['POST', `/payments/export-payment-order/${id}`],
      ['POST', '/payments/export_excel'],
      ['POST', '/payments/export_pdf'],
      ['POST', '/payments/invoices-report'],
    ] as const)
      expect((await finance(method, path, {})).status, path).toBe(200)
    expect((await student.as('GET', '/payments/export_pdf')).status).toBe(200)
    expect((await elsewhere('GET', `/payments/export_pdf/${id}`)).status).toBe(404)
    // Of a part that is none of the invoice there is no order.
    const none = await finance('POST', `/payments/export-payment-order/${id}`, { installment_id: 999_999 })
    expect([none.status, reasons(none)]).toEqual([404, ['not_found']])
    expect((await student.as('POST', '/payments/export_excel', {})).status).toBe(403)
    await pay(student.id, 10_000)
    expect(reasons(await finance('POST', `/payments/export-payment-order/${id}`, {}))).toEqual(['invoice_settled'])
  })

  it('two corrections at once: one of them is told that it has changed', async () => {
    const student = await w.student()
    const { id } = ok(await issue(student.id, [10_000]))
    const { version } = await show(id)
    const both = await Promise.all(
      [1, 2].map((n) =>
        finance('POST', `/payments/edit-invoice/${id}`, { version, added: [line(n * 100)], reason: 'At once' }),
      ),
    )
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect((await show(id)).notes).toHaveLength(1)
  })
})
