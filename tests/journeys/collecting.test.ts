/** What is owed comes in: finance sees who would be reminded and sends it, notes a promise; a student reads what was told. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'collecting', 'invoices', 'transactions', 'reports')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

interface Late {
  readonly id: number
  readonly number: string
  readonly student_id: number
  readonly email: string
}
/** Invoices that are late, of students who can sign in; each has been reminded of, and no promise stands. */
const late = async (): Promise<Late> => {
  const [one] = await demo.query<Late>(
    `select i.id, i.number, s.id as student_id, u.email from invoices i join invoice_balances b on b.invoice_id = i.id and b.settled < b.charged
       join payers p on p.id = i.payer_id join students s on s.id = p.student_id join users u on u.id = s.user_id
     where i.reversed_at is null and exists (select from reminders r where r.invoice_id = i.id)
       and not exists (select from payment_promises o where o.payer_id = i.payer_id and o.state = 'standing') order by i.id limit 1`,
  )
  if (!one) throw new Error('The demo university has no such invoice')
  return one
}

test.each(langsOf('ar'))('reminders, a promise, and what a student reads, %s', { timeout: 720_000 }, async (lang) => {
  const invoice = await late()
  const finance = await Person.open(browser, demo.address, { name: 'finance', lang, width: 1366 })
  await signIn(finance, 'employee', 'finance@canopus.example.edu')
  const { page } = finance
  const say = (key: string, values?: Record<string, string | number>) => finance.say('collecting', key, values)
  const dialog = page.getByRole('dialog')

  await finance.go('/reminder-steps')
  await finance.look('steps')
  await finance.go('/reminder-steps/add')
  await finance.look('a step')

  await finance.go('/reminders')
  await finance.look('reminders')
  await finance.button(say('preview')).first().click()
  await dialog.waitFor()
  await finance.look('who would be reminded')
  await finance.button(say('close'), dialog).first().click()
  await dialog.waitFor({ state: 'detached' })

  // On the invoice: of what its student was reminded, and a promise.
  await finance.go(`/payments/${invoice.id}`)
  await finance.reads(say('reminders'), say('promises'))
  await finance.look('an invoice')
  await finance.button(say('note_promise')).click()
  await dialog.waitFor()
  await dialog.getByLabel(finance.label(['By the day', 'حتى يوم'])).fill(addDays(dayOf(), 5))
  await finance.look('a promise')
  await finance.button(say('save_promise'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await finance.reads(finance.label(['Promised', 'موعود']))
  await finance.look('an invoice with a promise')
  const [promise] = await demo.query<{ id: number; state: string }>(
    'select id, state from payment_promises where invoice_id = $1 order by id desc limit 1',
    [invoice.id],
  )
  expect(promise?.state).toBe('standing')

  await finance.go('/promises')
  await finance.look('promises')
  await finance.go(`/credit/${invoice.student_id}`)
  await finance.look('a wallet')
  for (const apart of ['faculty', 'program', 'level']) {
    await finance.go(`/payments-reports?tab=aging&apart=${apart}`)
    await finance.look(`how late by ${apart}`)
  }
  await finance.leave()

  // The student, on a phone: by which steps one is reminded, what was told, and the promise.
  const student = await Person.open(browser, demo.address, { name: 'student', lang, width: 390 })
  await signIn(student, 'student', invoice.email)
  await student.go('/student-payments')
  await student.reads(student.say('collecting', 'promises'), student.say('collecting', 'reminders'))
  await student.look('own account')
  await student.go('/reminders')
  await student.look('own reminders')
  await student.leave()
  // The next language begins as this one did.
  await demo.send('finance', 'POST', `/promises/withdraw/${promise!.id}`, { reason: 'Noted on trial' })
})
