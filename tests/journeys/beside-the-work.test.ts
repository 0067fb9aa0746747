/**
 * What stands beside the work and never in its way: the note about cookies, menus that come late, the offer of a new version,
 * the timetable in one's own calendar, the receipt of what was paid online.
 */
import { createServer, request } from 'node:http'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPaymentSimulator } from '#demo/payment-simulator.ts'
import type { PaymentSimulator } from '#demo/simulated-payment.ts'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
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
    readTexts('kit', 'kit-screens', 'scheduling', 'transactions', 'kit-pay'),
  ])
  simulator.callBack(demo.address)
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await simulator?.close()
})

test('the note about cookies lies over nothing, asks for nothing, and is told once', async () => {
  const me = await Person.open(browser, demo.address, { name: 'cookies', lang: 'ar', width: 390, height: 844 })
  const { page } = me
  await me.go('/login')
  const note = page.getByRole('region', { name: me.say('kit', 'cookies') })
  await note.waitFor()
  const [box, field] = await Promise.all([note.boundingBox(), page.getByLabel(me.say('kit', 'email')).boundingBox()])
  expect(box!.y + box!.height <= field!.y || field!.y + field!.height <= box!.y, 'above or below the form').toBe(true)
  await me.look('the note beside the form')
  // Nobody presses it away.
  await page.getByLabel(me.say('kit', 'email')).fill('student@canopus.example.edu')
  await page.getByLabel(me.say('kit', 'password'), { exact: true }).fill(DEMO_PASSWORD)
  await me.button(me.say('kit', 'sign_in')).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  await me.settled()
  expect(await note.count()).toBe(0)
  await me.go('/profile')
  expect(await note.count()).toBe(0)
  await me.leave()
})

test('a menu that is pressed before its code is there opens once it is, at the same button', async () => {
  const me = await Person.open(browser, demo.address, { name: 'early', lang: 'en' })
  const { page } = me
  await signIn(me, 'student', 'student@canopus.example.edu')
  let there = (): void => undefined
  const coming = new Promise<void>((resolve) => (there = resolve))
  await page.route('**/assets/hanging-*.js', async (route) => {
    await coming
    await route.continue()
  })
  await me.go('/home')
  const button = page.getByRole('button', { name: new RegExp(`^${me.say('kit', 'account')}: `) })
  await button.evaluate((one) => (one as any).setAttribute('data-same', 'yes'))
  await button.focus()
  await page.keyboard.press('Enter')
  expect(await page.getByRole('menu').count()).toBe(0)
  there()
  await page.getByRole('menuitem', { name: me.say('kit', 'profile'), exact: true }).waitFor()
  expect(await button.getAttribute('data-same')).toBe('yes')
  await page.keyboard.press('Escape')
  await page.getByRole('menu').waitFor({ state: 'detached' })
  await expect.poll(() => me.focused()).toContain(me.say('kit', 'account'))
  await me.leave()
})

/** The demo university behind a door that has a newer worker from some moment on, as after an installation. */
async function door(): Promise<{ address: string; newer: () => void; close: () => void }> {
  const behind = new URL(demo.address)
  let newer = false
  const server: Server = createServer((asked, answer) => {
    const isWorker = asked.url === '/service-worker.js'
    const headers = { ...asked.headers, host: behind.host, 'accept-encoding': isWorker ? 'identity' : 'gzip' }
    if (headers.origin) headers.origin = behind.origin
    // The one behind would say that nothing has changed.
    delete headers['if-none-match']
    delete headers['if-modified-since']
    const further = request(new URL(asked.url!, behind), { method: asked.method, headers }, (got) => {
      if (!isWorker || !newer) {
        answer.writeHead(got.statusCode!, got.headers)
        got.pipe(answer)
        return
      }
      const parts: Buffer[] = []
      got.on('data', (part: Buffer) => parts.push(part))
      got.on('end', () => {
        const { 'content-length': _length, etag: _etag, ...kept } = got.headers
        answer.writeHead(got.statusCode!, kept)
        const worker = Buffer.concat(parts).toString()
        answer.end(worker.replace(/(["']?script["']?:\s*["'`]\/?assets\/)/g, '$1newer-'))
      })
    })
    further.on('error', () => answer.destroy())
    answer.on('close', () => further.destroy())
    asked.pipe(further)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    newer: () => (newer = true),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

test('a new version is offered, and taken only when nothing is unsaved', async () => {
  const front = await door()
  const me = await Person.open(browser, front.address, { name: 'version', lang: 'en', worker: true })
  const { page } = me
  await signIn(me, 'employee', 'root@canopus.example.edu')
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)')
  await me.go('/settings/faculties/show/add')
  const field = page.locator('main form input[type="text"]:visible, main form input:not([type]):visible').first()
  await field.fill('Half written')
  await page.evaluate(`window.stays = true`)
  front.newer()
  await page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one.update()).then(() => undefined)')
  const banner = page.getByText(me.say('kit', 'new_version'), { exact: true })
  await banner.waitFor()
  await me.look('a new version is offered')
  const take = me.button(me.say('kit', 'new_version_take'))
  await take.click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText(me.say('kit', 'new_version_unsaved')).waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  // Longer than it takes to begin anew.
  await page.waitForTimeout(4_000)
  expect(await page.evaluate('window.stays')).toBe(true)
  expect(await field.inputValue()).toBe('Half written')
  // What was written is taken back: nothing is unsaved, and it begins anew.
  await field.fill('')
  await take.click()
  await expect.poll(() => page.evaluate('window.stays === undefined').catch(() => false)).toBe(true)
  await me.settled()
  await page.context().close()
  front.close()
})

test('the timetable goes to the calendar of a phone by one press', async () => {
  const me = await Person.open(browser, demo.address, { name: 'calendar', lang: 'en', width: 390, height: 844 })
  const { page } = me
  await signIn(me, 'student', 'student@canopus.example.edu')
  // It is looked for in the calendar; the timetable has the same button.
  await me.go('/calendar')
  await me.button(me.say('scheduling', 'calendar_file')).click()
  const dialog = page.getByRole('dialog', { name: me.say('scheduling', 'calendar_file') })
  await me.button(me.say('scheduling', 'feed_device'), dialog).click()
  const link = dialog.getByRole('link', { name: me.say('scheduling', 'feed_device') })
  await link.waitFor()
  const href = await link.getAttribute('href')
  expect(href).toMatch(/^webcal:\/\/\S+/)
  // The button that was pressed is gone: who works by keyboard goes on in the dialog.
  await expect.poll(() => page.evaluate(`document.activeElement.closest('[role="dialog"]') !== null`)).toBe(true)
  await me.look('the address of the calendar')
  // What the phone asks at that address, which signs nobody in.
  const { pathname, search } = new URL(href!.replace(/^webcal:/, 'http:'))
  const feed = await fetch(`${demo.address}${pathname}${search}`)
  expect(feed.headers.get('content-type')).toContain('text/calendar')
  expect(await feed.text()).toMatch(/^BEGIN:VCALENDAR[^]*BEGIN:VEVENT/)
  await me.leave()
})

test('who has paid online takes the receipt along at once', async () => {
  const [payer] = await demo.query<{ email: string }>(
    `select u.email from invoice_balances b join invoices i on i.id = b.invoice_id join payers p on p.id = i.payer_id
       join students s on s.id = p.student_id join users u on u.id = s.user_id
     where b.charged > b.settled and u.email is not null and u.blocked_at is null and s.status = 'studying'
       -- Nothing that is being checked stands before what is owed.
       and not exists (select from transactions t where t.payer_id = p.id and t.status <> 'paid')
     order by u.email limit 1`,
  )
  const me = await Person.open(browser, demo.publicAddress, { name: 'paid', lang: 'en', width: 390, height: 844 })
  const { page } = me
  const say = (key: string, values?: Record<string, string | number>) => me.say('transactions', key, values)
  await signIn(me, 'student', payer!.email)
  await me.go('/student-payments')
  await page
    .getByRole('button', { name: new RegExp(`^${say('pay_amount', { amount: '@' }).replace('@', '.*')}$`) })
    .first()
    .click()
  await me.button(me.say('kit-pay', 'pay_card')).click()
  await page.locator('button[value=pay]').click()
  await page.waitForURL((url) => url.pathname.startsWith('/payments/paid/'))
  await me.reads(say('online_text_paid'))
  const { content } = await me.download(() => me.button(say('receipt_pdf')).click())
  expect(content.subarray(0, 5).toString()).toBe('%PDF-')
  await me.look('paid, with the receipt')
  await me.leave()
})
