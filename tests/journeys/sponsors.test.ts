/**
 * A sponsor that pays for two hundred students: finance enters it and the codes of its letter, issues one invoice with a line of each,
 * the bank's file brings what it pays, and its statement says so. One of its students reads on a phone what is left.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readSheet } from '#kit/server/sheets/index.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { textOfPdf } from './pdf.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

const STUDENTS = 200

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'sponsors', 'banks', 'ledger', 'transactions')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

async function one<Row>(text: string, values: readonly unknown[] = []): Promise<Row> {
  const [row] = await demo.query<Row>(text, values)
  if (!row) throw new Error(`The demo university has none: ${text.slice(0, 80)}`)
  return row
}

interface Sponsored {
  readonly code: string
  readonly email: string | null
  readonly invoice_id: number
  readonly charged: number
}
/** Students with an invoice of the term in pounds and no plan; a sponsor of the demo university pays for none of them. */
const letter = (term: number): Promise<Sponsored[]> =>
  demo.query<Sponsored>(
    `select s.code, u.email, i.id as invoice_id, (b.charged + coalesce((select sum(h.amount) from sponsor_shares h where h.invoice_id = i.id), 0))::float8 as charged from students s join payers p on p.student_id = s.id
       join invoices i on i.payer_id = p.id and i.term_id = $1 and i.reversed_at is null and i.currency = 'EGP' and i.plan_id is null
       join invoice_balances b on b.invoice_id = i.id and b.charged > 0 left join users u on u.id = s.user_id
     where s.status = 'studying' and s.removed_at is null and not exists (select from sponsorships o join sponsors d on d.id = o.sponsor_id
         where o.student_id = s.id and d.code not like 'DELTA-%')
       and 1 = (select count(*) from invoices x where x.payer_id = p.id and x.term_id = $1 and x.reversed_at is null)
     order by b.settled, s.code limit ${STUDENTS}`,
    [term],
  )

test.each(['en', 'ar'] as const)('two hundred students on one invoice, %s', { timeout: 720_000 }, async (lang) => {
  const { term_id, term, bank } = await one<{ term_id: number; term: string; bank: string }>(
    `select t.id as term_id, case when $1 then t.name_local else t.name end as term,
       (select case when $1 then name_local else name end from banks where id = 1) as bank
     from terms t where t.id = (select term_id from current_terms where key = 'current_term')`,
    [lang === 'ar'],
  )
  const students = await letter(term_id)
  expect(students).toHaveLength(STUDENTS)
  const finance = await Person.open(browser, demo.address, { name: 'finance', lang, width: 1366 })
  await signIn(finance, 'employee', 'finance@canopus.example.edu')
  const { page } = finance
  const say = (key: string, values?: Record<string, string | number>) => finance.say('sponsors', key, values)
  const dialog = page.getByRole('dialog')
  const choose = async (label: string, text: string, within = page.locator('main')) => {
    await within.getByRole('combobox', { name: label }).or(within.getByLabel(label)).first().click()
    await page.getByRole('option', { name: text }).first().click()
  }

  // It is entered.
  const name = lang === 'ar' ? 'شركة دلتا للطاقة' : 'Delta Power'
  await finance.go('/sponsors/add')
  await finance.look('a sponsor is added')
  const field = (label: readonly [string, string]) => page.locator('main').getByLabel(finance.label(label)).first()
  await field(['Code', 'الكود']).fill(`DELTA-${lang}`)
  await field(['English name', 'الاسم بالإنجليزية']).fill(lang === 'ar' ? 'Delta Power Co' : name)
  await field(['Arabic name', 'الاسم بالعربية']).fill(lang === 'ar' ? name : 'دلتا باور')
  await choose(finance.label(['Kind', 'النوع']), finance.label(['Company', 'شركة']))
  await page.getByText(finance.label(['Egyptian pound', 'جنيه مصري']), { exact: true }).click()
  await finance.button(finance.label(['Add sponsor', 'إضافة جهة راعية'])).click()
  await page.waitForURL((url) => /\/sponsors(\/\d+)?$/.test(url.pathname))
  const { id } = await one<{ id: number }>('select id from sponsors where code = $1', [`DELTA-${lang}`])

  // The codes of its letter.
  await finance.go(`/sponsors/${id}`)
  await finance.look('a sponsor without students')
  await finance.button(say('add_students')).first().click()
  await dialog.waitFor()
  await finance.look('students are added')
  await dialog.getByLabel(say('codes')).fill(students.map((student) => student.code).join('\n'))
  await dialog.getByLabel(finance.label(['From term', 'من فصل'])).fill(term)
  await page.getByRole('option', { name: term }).first().click()
  await dialog
    .getByLabel(finance.label(['Percent', 'النسبة %']))
    .last()
    .fill('40')
  await dialog.getByLabel(finance.label(['Number of the letter', 'رقم الخطاب'])).fill(`L-${lang}`)
  await finance.look('the letter')
  await finance.reads(say('add_count', { n: STUDENTS }))
  await dialog.getByRole('button').last().click()
  await dialog.waitFor({ state: 'detached', timeout: 180_000 })
  await finance.reads(say('students_count', { n: STUDENTS }))
  await finance.look('its students')
  const { taken, shares } = await one<{ taken: number; shares: number }>(
    'select sum(h.amount)::float8 as taken, count(*)::int as shares from sponsor_shares h join sponsorships s on s.id = h.sponsorship_id where s.sponsor_id = $1',
    [id],
  )
  // Of what is charged, but for fines, which are the student's. Something is left for both sponsors of this journey.
  const charged = students.reduce((sum, one) => sum + one.charged, 0)
  expect(shares).toBe(STUDENTS)
  expect(taken).toBeLessThanOrEqual(charged * 0.4)
  expect(taken).toBeGreaterThan(charged * 0.35)

  // One invoice.
  await finance.go(`/sponsors/${id}?tab=invoices`)
  await finance.button(say('issue_invoice')).first().click()
  await dialog.waitFor()
  await finance.look('an invoice is issued')
  await finance.button(say('issue'), dialog).click()
  await finance.button(say('close'), dialog).last().waitFor({ timeout: 180_000 })
  await expect.poll(() => finance.text(dialog), { timeout: 180_000 }).toContain(say('students_count', { n: STUDENTS }))
  await finance.look('what was issued')
  await finance.button(say('close'), dialog).last().click()
  const invoice = await one<{ id: number; number: string; charged: number; lines: number }>(
    `select i.id, i.number, b.charged::float8 as charged, (select count(*)::int from invoice_lines where invoice_id = i.id) as lines
     from invoices i join payers p on p.id = i.payer_id join invoice_balances b on b.invoice_id = i.id where p.sponsor_id = $1`,
    [id],
  )
  expect(invoice).toMatchObject({ charged: taken, lines: STUDENTS })
  await finance.reads(invoice.number)
  await finance.look('its invoices')
  const files = page.getByRole('row').filter({ hasText: invoice.number }).getByRole('button')
  const printed = await finance.download(() => files.nth(0).click())
  expect(printed.content.subarray(0, 5).toString()).toBe('%PDF-')
  const words = await textOfPdf(printed.content)
  if (words !== null) for (const { code } of students) expect(words).toContain(code)
  const sheet = await finance.download(() => files.nth(1).click())
  const cells = (await readSheet(new Uint8Array(sheet.content), { maxRows: 2000 })).sheets.flatMap(({ rows }) =>
    rows.flat().map((cell) => cell?.text ?? ''),
  )
  expect(students.filter(({ code }) => !cells.includes(code))).toEqual([])

  // The bank's file pays it: a part first, then what is open. The number of the invoice says whose it is.
  const pay = async (amount: number, days: number) => {
    const { day } = await one<{ day: string }>('select (university_today() - $1::int)::text as day', [days])
    await finance.go('/payments/imported_payments')
    await page.getByLabel(finance.say('banks', 'bank')).first().click()
    await page.getByRole('option', { name: bank }).first().click()
    await page.locator('input[type=file]').setInputFiles({
      name: `statement-${lang}-${days}.csv`,
      mimeType: 'text/csv',
      buffer: Buffer.from(
        `Date,Amount,Reference,Payer name,Description\n${day},${(amount / 100).toFixed(2)},,${name},${invoice.number}\n`,
      ),
    })
    await page.waitForURL((url) => url.pathname.startsWith('/payments/batch/'))
    await finance.reads(name)
    await finance.look('the file of the bank')
    const batch = Number(new URL(page.url()).pathname.split('/').at(-1))
    await page.locator('main header').getByRole('button').first().click()
    await dialog.getByRole('button').last().click()
    await expect
      .poll(() => demo.query('select status from batches where id = $1', [batch]), { timeout: 60_000 })
      .toEqual([{ status: 'saved' }])
  }
  const settled = async () =>
    (
      await one<{ settled: number }>('select settled::float8 as settled from invoice_balances where invoice_id = $1', [
        invoice.id,
      ])
    ).settled
  const first = Math.floor(taken / 3)
  await pay(first, lang === 'ar' ? 3 : 5)
  expect(await settled()).toBe(first)
  await finance.go(`/sponsors/${id}?tab=invoices`)
  await finance.reads(say('is_part'))
  await finance.look('an invoice that is paid in part')
  await pay(taken - first, lang === 'ar' ? 2 : 4)
  expect(await settled()).toBe(taken)

  // The statement says so.
  await finance.go(`/sponsors/${id}?tab=account`)
  await finance.reads(say('payments'))
  await finance.look('its account')
  const account = await demo.read<{ data: { sums: Record<string, number>; payments: unknown[] } }>(
    'finance',
    `/sponsors/${id}/account`,
  )
  expect(account.data.sums).toMatchObject({ taken, billed: taken, unbilled: 0, paid: taken, open: 0, wallet: 0 })
  expect(account.data.payments).toHaveLength(2)
  const statement = await finance.download(() => finance.button(say('statement')).click())
  const said = await textOfPdf(statement.content)
  if (said !== null) {
    for (const { code } of students) expect(said).toContain(code)
    expect(said.replaceAll(',', '')).toContain((taken / 100).toFixed(2))
  }
  await finance.go('/ledger')
  await finance.button(finance.say('ledger', 'prove')).click()
  await expect
    .poll(() => demo.query(`select from ledger_proofs where proven_at > now() - interval '1 minute'`), {
      timeout: 90_000,
    })
    .not.toEqual([])
  await finance.reads(finance.say('ledger', 'whole'))
  await finance.leave()

  // What is left for one of them, on a phone.
  const { email } = students.find((student) => student.email)!
  const student = await Person.open(browser, demo.address, { name: 'student', lang, width: 390 })
  await signIn(student, 'student', email!)
  await student.go('/student-payments')
  await student.button(student.say('transactions', 'how_computed')).first().click()
  await student.reads(name)
  await student.look('what is left')
  await student.leave()
})
