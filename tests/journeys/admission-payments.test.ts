/**
 * Somebody without an account pays on a phone what an application costs: by a reference number, and by card with the way back; the
 * admission office and finance see it, and a cashier takes the rest.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { hashToken, newToken } from '#kit/server/identity/sessions.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let simulator: PaymentSimulator
let demo: DemoWorld
beforeAll(async () => {
  simulator = await openPaymentSimulator()
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(simulator.variables),
    readTexts('kit', 'applicants', 'admission-payments', 'transactions', 'kit-pay'),
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
const orderOf = async (id: number): Promise<string> =>
  (
    await one<{ order_number: string }>(
      `select c.order_number from provider_charges c join transactions t on t.id = c.transaction_id join payers p on p.id = t.payer_id
       where p.applicant_id = $1 and t.status = 'pending' and c.order_number is not null order by c.id desc limit 1`,
      [id],
    )
  ).order_number

test.each(['ar', 'en'] as const)('pays for an application on a phone, %s', { timeout: 720_000 }, async (lang) => {
  // One who is asked for the fee of the exam, and one who writes still; the link of each is made anew.
  const { token: key } = newToken()
  const { id, code, type } = await one<{ id: number; code: string; type: number }>(
    `update applicants t set key_hash = $1, language = $2 from admissions a where a.id = t.admission_id and t.id = (
       select f.applicant_id from applicant_fees f join applicants q on q.id = f.applicant_id
       where f.fee = 'final' and not f.settled and q.status = 'FINAL_FEES_REQUIRED' and q.nationality_id = 64 order by f.invoice_id limit 1)
     returning t.id, t.code, a.applicant_type as type`,
    [hashToken(key), lang],
  )
  const me = await Person.open(browser, demo.address, { name: 'applicant', lang, width: 390, height: 844 })
  const { page } = me
  const say = (text: string, values?: Record<string, string | number>) => me.say('admission-payments', text, values)
  await me.go(`/applicants/edit/${type}/${id}/${key}/payment`)
  const agree = me.button(me.say('kit', 'cookie_accept'))
  if (await agree.isVisible()) await agree.click()
  await me.button(me.say('kit-pay', 'pay_mobile')).waitFor()
  await me.look('what is to be paid')
  await me.button(me.say('kit-pay', 'pay_mobile')).click()
  await me.reads(me.say('kit-pay', 'number_text'))
  await me.look('a number to pay by')
  const papers = page.waitForEvent('download')
  await me.button(say('instructions')).click()
  expect((await papers).suggestedFilename()).toBe('Cash_Instructions.pdf')
  await simulator.act(await orderOf(id), 'pay')
  await demo.job('settle-provider-events')
  await demo.job('applicant-fees')
  await me.button(me.say('kit-pay', 'check')).click()
  await me.reads(say('fee_paid'))
  await me.look('paid')
  expect(await one('select status from applicants where id = $1', [id])).toEqual({ status: 'APPROVED' })
  // Where the provider of cards sends a browser back to.
  await me.go(`/apply/${id}/paid`)
  await me.reads(say('came_back'))
  await me.look('back from the card')
  await me.leave()

  const finance = await Person.open(browser, demo.publicAddress, { name: 'finance', lang, width: 1366 })
  await signIn(finance, 'employee', 'finance@canopus.example.edu')
  for (const skin of ['light', 'dark'] as const) {
    await finance.page.emulateMedia({ colorScheme: skin, reducedMotion: 'reduce' })
    await finance.go(`/admission-payments?search=${code}`)
    await finance.reads(code)
    await finance.go('/admission-payments')
    await finance.look(`payments of applicants ${skin}`)
    const { invoice } = await one<{ invoice: number }>(
      `select invoice_id as invoice from applicant_fees where applicant_id = $1 and fee = 'final'`,
      [id],
    )
    await finance.go(`/admission-payments/${invoice}`)
    await finance.reads(code)
    await finance.look(`payment of an applicant ${skin}`)
    await finance.go('/payments')
    await finance.look(`invoices ${skin}`)
  }
  await finance.leave()
})
