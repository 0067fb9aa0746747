/**
 * A plan to pay in parts: a student asks on a phone, finance sees the instalments before and after and agrees, a part is paid at the
 * desk; the next one is not, the clock breaks the plan, and what is open is asked for again.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'collecting', 'invoices', 'transactions')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

interface Owed {
  readonly id: number
  readonly number: string
  readonly student_id: number
  readonly email: string
  readonly open: number
}
/** The only invoice that a student owes, in no plan and with nothing on its way. */
const owed = async (): Promise<Owed> => {
  const [one] = await demo.query<Owed>(
    `select i.id, i.number, s.id as student_id, u.email, (b.charged - b.settled)::float8 as open from invoices i
       join invoice_balances b on b.invoice_id = i.id and b.charged - b.settled > 300000 join payers p on p.id = i.payer_id
       join students s on s.id = p.student_id and s.removed_at is null join users u on u.id = s.user_id
     where i.reversed_at is null and i.currency = 'EGP' and i.plan_id is null and not exists (select from payment_plans t where t.payer_id = p.id)
       and not exists (select from payment_slips w where w.invoice_id = i.id) and not exists (select from transactions x where x.payer_id = p.id
         and x.status in ('new', 'pending')) and not exists (select from payment_promises o where o.payer_id = p.id)
       and not exists (select from invoices o join invoice_balances c on c.invoice_id = o.id and c.settled < c.charged where o.payer_id = p.id and o.id <> i.id)
     order by i.id limit 1`,
  )
  if (!one) throw new Error('The demo university has no such invoice')
  return one
}
const standing = async (invoice: number) =>
  (
    await demo.query<{ amount: number; days: number }>(
      'select amount::float8 as amount, due_date - university_today() as days from installments where invoice_id = $1 order by position',
      [invoice],
    )
  ).map((one) => [one.amount, one.days])

// One after the other in a language of Latin letters, then in Arabic.
test.each(['en', 'ar'] as const)(
  'a plan is asked for, agreed on, broken and dunned, %s',
  { timeout: 720_000 },
  async (lang) => {
    const invoice = await owed()
    const phone = await Person.open(browser, demo.address, { name: 'student', lang, width: 390 })
    const say = (key: string, values?: Record<string, string | number>) => phone.say('collecting', key, values)
    await signIn(phone, 'student', invoice.email)
    await phone.go('/student-payments')
    await phone.button(say('ask_plan')).click()
    const asking = phone.page.getByRole('dialog')
    await asking.getByLabel(say('plan_why')).fill('My parents pay monthly / والداي يدفعان شهريًا')
    await phone.look('asks for a plan')
    await phone.button(say('plan_send'), asking).click()
    await asking.waitFor({ state: 'detached' })
    await phone.reads(say('plan_of_invoice', { number: invoice.number }))
    await phone.look('own account with a plan that waits')
    const [plan] = await demo.query<{ id: number; parts_asked: number }>(
      `select id, parts_asked from payment_plans where invoice_id = $1 and state = 'asked'`,
      [invoice.id],
    )
    expect(plan?.parts_asked).toBe(3)

    const finance = await Person.open(browser, demo.address, { name: 'finance', lang, width: 1366 })
    await signIn(finance, 'employee', 'finance@canopus.example.edu')
    await finance.go(
      `/payment-plans?filters=${encodeURIComponent(JSON.stringify({ student_id: [invoice.student_id] }))}`,
    )
    await finance.look('plans')
    await finance.page.getByText(say('plan_decide_short'), { exact: true }).first().click()
    const deciding = finance.page.getByRole('dialog')
    await deciding.getByLabel(say('plan_part_amount', { n: 1 })).waitFor()
    await finance.look('decides on a plan')
    // Other parts than were asked for: the first is less, and the last takes what it leaves.
    await deciding.getByLabel(say('plan_part_amount', { n: 1 })).fill('1000')
    const amounts = await Promise.all([2].map((n) => deciding.getByLabel(say('plan_part_amount', { n })).inputValue()))
    const last = invoice.open / 100 - 1000 - Number(amounts[0])
    await deciding.getByLabel(say('plan_part_amount', { n: 3 })).fill(last.toFixed(2))
    await finance.button(say('plan_agree_these'), deciding).click()
    await deciding.waitFor({ state: 'detached' })
    expect((await standing(invoice.id)).map(([amount]) => amount)).toEqual([
      100_000,
      Number(amounts[0]) * 100,
      Math.round(last * 100),
    ])
    await finance.go(`/payments/${invoice.id}`)
    await finance.reads(say('plans'))
    await finance.look('an invoice in a plan')
    await finance.go(`/payments/history/${invoice.id}`)
    await finance.reads(finance.say('invoices', 'kind_installments_plan'))

    // The first part at the desk; then the days go by.
    await demo.send('cashier', 'POST', '/cashier/shift/open', { opening: [] }).catch(() => {})
    await demo.send('cashier', 'POST', '/cashier/take', {
      student_id: invoice.student_id,
      currency: 'EGP',
      amount: 100_000,
      invoice_ids: [invoice.id],
      key: crypto.randomUUID(),
    })
    await phone.go('/student-payments')
    await phone.reads(say('part_paid'))
    await phone.look('own account with a plan that runs')
    await demo.query('update installments set due_date = due_date - 45 where invoice_id = $1', [invoice.id])
    await demo.job('payment-plans')
    expect(await standing(invoice.id)).toEqual([
      [100_000, expect.any(Number)],
      [invoice.open - 100_000, 0],
    ])
    await demo.query('update installments set due_date = due_date - 31 where invoice_id = $1', [invoice.id])
    await demo.job('overdue-invoices')
    await demo.job('reminders')
    const [told] = await demo.query<{ reminders: number; notices: number }>(
      `select (select count(*)::int from reminders where invoice_id = $1 and moment = 'after') as reminders,
       (select count(*)::int from notifications where key = 'collecting.notice_plan_broken' and link = '/student-payments'
         and user_id = (select id from users where email = $2)) as notices`,
      [invoice.id, invoice.email],
    )
    expect(told!.notices).toBe(1)
    expect(told!.reminders).toBeGreaterThan(0)
    await phone.go('/student-payments')
    await phone.reads(phone.label(['Broken', 'لم يُوفَ به']), say('reminders'))
    await phone.look('own account with a plan that is broken')
    await phone.leave()
    await finance.go('/payment-plans')
    await finance.look('all plans')
    await finance.leave()
  },
)
