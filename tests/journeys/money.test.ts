/**
 * Money of a term: a price is changed, invoices are issued to a faculty, a student pays by reference number and by card on a
 * phone, the cashier takes the rest in cash, a part goes back, the bank's file brings a line that nobody knows, and in the end
 * reports and the proof of the ledger say the same.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { LANGUAGES } from '#kit/contract/index.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { textOfPdf } from './pdf.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let simulator: PaymentSimulator
let demo: DemoWorld
beforeAll(async () => {
  simulator = await openPaymentSimulator()
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(simulator.variables),
    readTexts('kit', 'kit-screens', 'fees', 'invoices', 'transactions', 'banks', 'ledger', 'reports', 'kit-pay'),
  ])
  simulator.callBack(demo.address)
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await simulator?.close()
})

const one = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row> => {
  const [row] = await demo.query<Row>(text, values)
  if (!row) throw new Error(`The demo university has none: ${text.slice(0, 120)}`)
  return row
}
interface Payer {
  readonly id: number
  readonly code: string
  readonly email: string
  readonly name: string
  readonly name_local: string
  readonly faculty_id: number
  readonly faculty: string
}
/** Somebody of a faculty who has no invoice of the current term yet, and owes nothing; each language has a faculty of its own. */
const payerOf = (lang: Lang) =>
  one<Payer>(
    `select s.id, s.code, u.email, s.name, s.name_local, s.faculty_id, case when $2 then f.name_local else f.name end as faculty
     from students s join users u on u.id = s.user_id join payers p on p.student_id = s.id join faculties f on f.id = s.faculty_id
     where s.status = 'studying' and s.faculty_id = $1 and s.nationality_id = 64 and s.removed_at is null
       and not exists (select from invoices i where i.payer_id = p.id) and not exists (select from transactions t where t.payer_id = p.id)
       and not exists (select from student_holds h where h.student_id = s.id and h.lifted_at is null)
       and (select count(*) from registrations r where r.student_id = s.id and r.status & 16 <> 0
         and r.term_id = (select term_id from current_terms where key = 'current_term')) > 2
     order by s.id limit 1`,
    [LANGUAGES.indexOf(lang) % 2 ? 2 : 1, lang === 'ar'],
  )

test.each(langsOf('en'))('fees of a term, from the price to the proof, %s', { timeout: 720_000 }, async (lang) => {
  const payer = await payerOf(lang)
  const open = (name: string, width?: number) =>
    Person.open(browser, demo.publicAddress, { name, lang, ...(width && { width, height: 844 }) })
  const finance = await open('finance')
  await signIn(finance, 'employee', 'finance@canopus.example.edu')
  const { page } = finance
  const say = (
    area: 'fees' | 'invoices' | 'transactions' | 'banks' | 'ledger' | 'kit-pay',
    key: string,
    values?: Record<string, string | number>,
  ) => finance.say(area, key, values)
  const dialog = page.getByRole('dialog')
  const { term_id, year_id, term } = await one<{ term_id: number; year_id: number; term: string }>(
    `select t.id as term_id, t.year_id, case when $1 then t.name_local else t.name end as term from terms t
     where t.id = (select term_id from current_terms where key = 'current_term')`,
    [lang === 'ar'],
  )

  // A price is changed: a version more, those before stay.
  await finance.go(`/settings/year/payment/${year_id}`)
  await finance.look('fee settings')
  const versions = () => one<{ n: number }>('select max(number) as n from fee_versions where year_id = $1', [year_id])
  const { n: before } = await versions()
  await page.locator('main tbody tr').first().click()
  await dialog.waitFor()
  await finance.look('a price')
  const amount = dialog.getByLabel(finance.label(['Amount', 'المبلغ']))
  const was = await amount.inputValue()
  await amount.fill(String(Math.round(Number(was.replaceAll(/[^\d.]/g, ''))) + 5))
  await finance.button(say('fees', 'save')).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await versions()).n).toBe(before + 1)

  // The next invoices of the faculty, looked at and issued.
  await finance.go('/payments')
  await finance.button(say('invoices', 'issue_next')).click()
  const choose = async (label: string, text: string) => {
    const field = dialog.getByRole('combobox', { name: label }).or(dialog.getByLabel(label)).first()
    await field.click()
    await field.fill(text)
    await page.getByRole('option', { name: text }).first().click()
  }
  // The current term stands there already.
  const chosen = dialog.getByLabel(finance.label(['Term', 'الفصل الدراسي'])).first()
  await expect.poll(() => chosen.inputValue()).toBe(term)
  await choose(finance.label(['Faculty', 'الكلية']), payer.faculty)
  await finance.look('for whom')
  await finance.button(say('invoices', 'look_first')).click()
  // How many stands in the words of the button, which differ by the number.
  const issue = finance.button(say('invoices', 'back'), dialog).locator('xpath=following-sibling::button[1]')
  await issue.waitFor({ timeout: 180_000 })
  await finance.look('what would be issued')
  await issue.click()
  await finance.button(say('invoices', 'close'), dialog).last().waitFor({ timeout: 270_000 })
  await expect
    .poll(
      () => demo.query('select from invoices i join payers p on p.id = i.payer_id where p.student_id = $1', [payer.id]),
      {
        timeout: 180_000,
      },
    )
    .toHaveLength(1)
  await finance.look('what was issued')
  await finance.button(say('invoices', 'close'), dialog).last().click()
  const invoice = await one<{ id: number; number: string; charged: number }>(
    `select i.id, i.number, b.charged::float8 as charged from invoices i join payers p on p.id = i.payer_id join invoice_balances b on b.invoice_id = i.id
     where p.student_id = $1 and i.term_id = $2`,
    [payer.id, term_id],
  )
  // In three parts, so that each can come another way.
  while (
    (await one<{ n: number }>('select count(*)::int as n from installments where invoice_id = $1', [invoice.id])).n < 3
  ) {
    const { due } = await one<{ due: string }>(
      'select (max(due_date) + 30)::text as due from installments where invoice_id = $1',
      [invoice.id],
    )
    await demo.send('finance', 'POST', `/payments/installments/${invoice.id}`, {
      amount: Math.floor(invoice.charged / 4),
      due_date: due,
      reason: 'Three parts',
    })
  }
  await finance.go(`/payments/${invoice.id}`)
  await finance.look('the invoice')

  // On a phone: what is owed and why, the first part by a reference number.
  const student = await open('student', 390)
  await signIn(student, 'student', payer.email)
  const phone = student.page
  const sheet = phone.getByRole('dialog')
  const paid = (n: number) =>
    expect
      .poll(
        () =>
          demo.query(
            `select t.way from transactions t join payers p on p.id = t.payer_id where p.student_id = $1 and t.status = 'paid' and t.direction = 'in'`,
            [payer.id],
          ),
        { timeout: 45_000 },
      )
      .toHaveLength(n)
  await student.go('/student-payments')
  await student.look('what I owe')
  await student.button(say('transactions', 'how_computed')).first().click()
  await student.look('how it was computed')
  const payNow = phone.getByRole('button', {
    name: new RegExp(`^${say('transactions', 'pay_amount', { amount: '@' }).replace('@', '.*')}$`),
  })
  await payNow.click()
  await student.button(say('kit-pay', 'pay_mobile')).click()
  await sheet.locator('bdi[dir=ltr]').first().waitFor()
  await student.look('the number')
  const number = (await sheet.locator('bdi[dir=ltr]').first().innerText()).replaceAll(/\D/g, '')
  // At the shop.
  const shop = await phone.context().newPage()
  await shop.goto(`${simulator.url}/orders/${number}?lang=${lang === 'ar' ? 'ar' : 'en'}`)
  await shop.locator('button[value=pay]').click()
  await shop.close()
  await paid(1)
  // The open page says so by itself.
  await student.reads(say('transactions', 'online_paid'))
  await student.look('it has arrived')
  await student.button(say('transactions', 'close'), sheet).click()
  await sheet.waitFor({ state: 'detached' })

  // The next part by card: declined first, then paid.
  await student.settled()
  await payNow.click()
  await student.button(say('kit-pay', 'pay_card')).click()
  await phone.locator('button[value=decline]').click()
  await phone.waitForURL((url) => url.pathname.startsWith('/payments/paid/'))
  await student.reads(say('transactions', 'online_failed'))
  await student.look('declined')
  await student.page.getByRole('link', { name: say('transactions', 'online_try_again') }).click()
  await phone.locator('button[value=pay]').click()
  await phone.waitForURL((url) => url.pathname.startsWith('/payments/paid/'))
  await student.reads(say('transactions', 'online_text_paid'))
  await student.look('paid by card')
  await paid(2)

  // The rest in cash, by keyboard: found by the invoice, taken, the receipt comes.
  const cashier = await open('cashier')
  await signIn(cashier, 'employee', 'cashier@canopus.example.edu')
  await cashier.go('/cashier')
  const opens = cashier.button(say('transactions', 'open_drawer'))
  if (await opens.isVisible()) await opens.click()
  const field = cashier.page.getByLabel(say('transactions', 'find_payer'))
  await field.fill(invoice.number)
  await field.press('Enter')
  await cashier.page.locator('[data-amount] input').waitFor()
  await cashier.look('who pays')
  const receipt = await cashier.download(() => cashier.page.locator('[data-amount] input').press('Enter'))
  await paid(3)
  const cash = await one<{ id: number; receipt: string; amount: number }>(
    `select t.id, t.receipt, t.amount::float8 as amount from transactions t join payers p on p.id = t.payer_id where p.student_id = $1 and t.way = 'cash'`,
    [payer.id],
  )
  expect(receipt.content.subarray(0, 5).toString()).toBe('%PDF-')
  const printed = await textOfPdf(receipt.content)
  if (printed !== null) expect(printed.replaceAll(/\s/g, '')).toContain(cash.receipt)
  await cashier.look('taken')
  expect(
    await demo.query('select charged::int, settled::int from invoice_balances where invoice_id = $1', [invoice.id]),
  ).toEqual([{ charged: invoice.charged, settled: invoice.charged }])
  await cashier.leave()
  await student.go('/student-payments')
  await student.reads(say('transactions', 'owes_nothing'))
  await student.look('nothing is owed')

  // A part of the card payment goes back, through the provider.
  const card = await one<{ id: number; number: string }>(
    `select t.id, t.number from transactions t join payers p on p.id = t.payer_id where p.student_id = $1 and t.way = 'card' and t.status = 'paid'`,
    [payer.id],
  )
  await finance.go(`/transaction/${card.id}`)
  await finance.look('the card payment')
  await finance.button(finance.say('kit', 'more_actions')).first().click()
  await page.getByRole('menuitem', { name: say('transactions', 'refund'), exact: true }).click()
  await dialog.getByLabel(say('transactions', 'amount')).fill('100')
  await dialog.getByLabel(say('transactions', 'reason')).fill('Left a course')
  await finance.look('how much goes back')
  await finance.button(say('transactions', 'give_back'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await expect
    .poll(() => demo.query(`select status from transactions where refund_of = $1`, [card.id]), { timeout: 45_000 })
    .toEqual([{ status: 'paid' }])
  expect(simulator.orders().some((order) => order.payments.some((one) => one.refunded === 10_000))).toBe(true)
  await student.go('/student-payments')
  await student.look('owed again')

  // The bank's file: one line is the student's, one of nobody known, who is found.
  const { day } = await one<{ day: string }>('select (university_today() - $1::int)::text as day', [
    40 + LANGUAGES.indexOf(lang),
  ])
  await finance.go('/payments/imported_payments')
  const bank = page.getByLabel(say('banks', 'bank')).first()
  await bank.click()
  const { name: account } = await one<{ name: string }>(
    'select case when $1 then name_local else name end as name from banks where id = 1',
    [lang === 'ar'],
  )
  await page.getByRole('option', { name: account }).first().click()
  await page.locator('input[type=file]').setInputFiles({
    name: `statement-${lang}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(
      `Date,Amount,Reference,Payer name,Description\n${day},100.00,,Somebody,Fees of ${payer.code}\n${day},250.00,K-${lang},Delta Trading,Transfer\n`,
    ),
  })
  await page.waitForURL((url) => url.pathname.startsWith('/payments/batch/'))
  await finance.look('the file of the bank')
  const batch = Number(new URL(page.url()).pathname.split('/').at(-1))
  await page.locator('main header').getByRole('button').first().click()
  await dialog.getByRole('button').last().click()
  await expect
    .poll(() => demo.query('select status from batches where id = $1', [batch]), { timeout: 45_000 })
    .toEqual([{ status: 'saved' }])
  await finance.go(`/payments/reconciliation`)
  await finance.look('reconciliation')
  await finance.go(`/payments/batch/${batch}`)
  await page.getByText('Delta Trading').first().click()
  await dialog.getByLabel(say('banks', 'find_payer')).fill(payer.code)
  await dialog.locator('li button').first().waitFor()
  await finance.look('whose it is')
  await dialog.locator('li button').last().click()
  await dialog.waitFor({ state: 'detached' })
  await paid(5)
  const wallet = await one<{ wallet: number; owed: number }>(
    `select b.wallet::int, b.owed::int from payer_balances b join payers p on p.id = b.payer_id where p.student_id = $1 and b.currency = 'EGP'`,
    [payer.id],
  )
  expect(wallet).toEqual({ wallet: 25_000, owed: 0 })
  const reconciled = await demo.send<{ data: { difference: number; unexplained: { lines: number } }[] }>(
    'finance',
    'POST',
    '/payments/reconciliation',
    { from: day, to: day },
  )
  expect(reconciled.data).toMatchObject([{ difference: 0, unexplained: { lines: 0 } }])

  // What is reported is what was collected; the ledger is whole.
  await finance.go('/Financial-report')
  await finance.look('financial report')
  await finance.go('/finance')
  await finance.look('dashboard')
  await finance.go('/ledger')
  await finance.button(say('ledger', 'prove')).click()
  await expect
    .poll(() => demo.query(`select findings from ledger_proofs where proven_at > now() - interval '1 minute'`), {
      timeout: 90_000,
    })
    .not.toEqual([])
  await finance.reads(say('ledger', 'whole'))
  await finance.look('the proof')
  await student.leave()
  await finance.leave()
})
