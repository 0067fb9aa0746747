/**
 * Somebody without a mouse: from signing in to being registered, and every decision that waits for the office. After each
 * the focus stands where one goes on, never on the page itself.
 */
import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Action } from '#kit/contract/workflow.ts'
import { servedWorkflows } from '#kit/server/workflow/workflow.ts'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'kit-screens', 'registration')])
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

/** Presses Tab until what has the focus says this; answers how often. */
async function tabTo(person: Person, words: string | RegExp, most: number): Promise<number> {
  for (let pressed = 1; pressed <= most; pressed++) {
    await person.page.keyboard.press('Tab')
    const focused = await person.focused()
    if (typeof words === 'string' ? focused.includes(words) : words.test(focused)) return pressed
  }
  throw new Error(`${String(words)} was not reached in ${most} steps, but ${await person.focused()}`)
}

test('from signing in to registered without a mouse, in Arabic', async () => {
  const person = await Person.open(browser, demo.address, { name: 'keyboard', lang: 'ar', width: 1366, height: 860 })
  const { page } = person
  const { keyboard } = page
  const say = (key: string, values?: Record<string, string | number>) => person.say('registration', key, values)
  const { offerings } = (
    await demo.read<{
      data: {
        offerings: {
          course: { code: string }
          refusals: unknown[]
          registration: unknown
          slots: { free: number; type: string }[]
        }[]
      }
    }>('student', '/registrations/students/available-offerings')
  ).data
  const wish = offerings.find(
    (one) => !one.refusals.length && !one.registration && one.slots.length && one.slots.every((slot) => slot.free > 0),
  )!
  await person.go('/login')
  // One begins in the field of the address; the kinds of people stand before it, and students are not the first of them.
  await keyboard.press('Shift+Tab')
  const chosen = page.getByRole('radio', { name: person.say('kit', 'as_student') })
  let keys = 1
  for (; keys < 5 && !(await chosen.isChecked()); keys++) await keyboard.press('ArrowDown')
  expect(await chosen.isChecked()).toBe(true)
  await keyboard.press('Tab')
  await keyboard.type('student@canopus.example.edu')
  await keyboard.press('Tab')
  await keyboard.type(DEMO_PASSWORD)
  await keyboard.press('Enter')
  keys += 3
  await page.waitForURL((url) => url.pathname !== '/login')
  await person.settled()

  // A group of the menu opens by a key, which goes on in it, and Escape leads back.
  const groups = await tabTo(person, person.label(['My studies', 'دراستي']), 12)
  await keyboard.press('Enter')
  await expect.poll(() => page.getByRole('menuitem').count()).toBeGreaterThan(2)
  await expect.poll(() => person.focused()).toMatch(/^a /)
  await keyboard.press('Escape')
  await expect.poll(() => person.focused()).toContain(person.label(['My studies', 'دراستي']))
  keys += groups + 2

  await keyboard.press('Control+k')
  await expect.poll(() => person.focused()).toContain(person.say('kit', 'search_or_go'))
  await keyboard.type(person.label(['My course registration', 'تسجيل مقرراتي']))
  await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(0)
  await keyboard.press('Enter')
  keys += 2
  await page.waitForURL('**/offering/registration')
  await person.settled()

  const code = wish.course.code
  const search = await tabTo(person, say('search_courses'), 60)
  await keyboard.type(code)
  const card = await tabTo(person, code, 4)
  await keyboard.press('Enter')
  const body = page.getByRole('article').filter({ hasText: code })
  await expect.poll(() => body.getByRole('group').count()).toBeGreaterThan(0)
  const way = await tabTo(person, /^button (?!.*\u00d7)/, 3)
  await keyboard.press('Enter')
  await expect.poll(() => person.text(body)).toContain(say('chosen_word'))
  const send = await tabTo(person, say('send_request_count', { count: 1 }), 12)
  await keyboard.press('Enter')
  keys += search + card + way + send + 3
  await person.reads(say('requested_done', { count: 1 }))
  await person.settled()
  await expect.poll(() => person.focused()).not.toBe('nothing')
  // The course was asked for by the keys that were counted, and by few of them.
  console.log(`keyboard: ${keys} keys from signing in to registered, ${search} of them to the search`)
  expect(send, 'from a slot to the button that sends').toBeLessThan(12)
  expect(keys).toBeLessThan(110)
  await person.leave()
}, 300_000)

/** What the buttons of every step of every workflow say. */
const stepWords = (lang: Lang): Set<string> =>
  new Set(
    servedWorkflows().flatMap(({ flow }) =>
      Object.values<Action>(flow.actions).flatMap(({ label, from }) =>
        [label, ...Object.values(from).flatMap((way) => (typeof way === 'object' && way.label ? [way.label] : []))].map(
          ([en, ar]) => (lang === 'ar' ? ar : en),
        ),
      ),
    ),
  )

test('after every decision that waits for somebody the focus is where one goes on', async () => {
  const person = await Person.open(browser, demo.address, { name: 'decides', lang: 'en', width: 1366, height: 900 })
  const { page } = person
  await signIn(person, 'employee', 'root@canopus.example.edu')
  const {
    data: { waiting },
  } = await demo.read<{ data: { waiting: { link: string }[] } }>('root', '/users/work')
  const words = stepWords('en')
  const done: string[] = []
  const lost: string[] = []
  for (const link of new Set(waiting.map((one) => one.link))) {
    await page.evaluate(
      `history.pushState({}, '', ${JSON.stringify(link)}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
    )
    await person.settled()
    const taken = await decide(person, words)
    if (taken === null) continue
    done.push(`${link}: ${taken}`)
    if (!(await standsSomewhere(person))) lost.push(`${link}: ${taken}`)
  }
  console.log(done.join('\n'))
  expect(lost).toEqual([])
  // Not one that looked for nothing.
  expect(done.length, done.join('\n')).toBeGreaterThan(8)
  await page.context().close()
}, 600_000)

/** The focus is on something, and still once all is drawn. */
async function standsSomewhere(person: Person): Promise<boolean> {
  for (let quiet = 0, tries = 0; tries < 40; tries++) {
    quiet = (await person.focused()) === 'nothing' ? 0 : quiet + 1
    if (quiet > 3) return true
    await person.page.waitForTimeout(100)
  }
  return false
}

/** Takes the first step that the screen offers, by keyboard; what it took, or null. */
async function decide(person: Person, words: ReadonlySet<string>): Promise<string | null> {
  const { page } = person
  const among = async (buttons: Locator): Promise<Locator | null> => {
    for (const button of await buttons.all()) {
      const word = (await button.innerText().catch(() => '')).trim()
      if (words.has(word) && (await button.isEnabled())) return button
    }
    return null
  }
  let step = await among(page.locator('main :is(tbody, ul, article, section) button:visible'))
  if (!step) {
    const menu = page.locator('main tbody [aria-haspopup="menu"]:visible').first()
    if (!(await menu.count())) return null
    await menu.focus()
    await page.keyboard.press('Enter')
    const items = page.getByRole('menuitem')
    await items.first().waitFor()
    step = await among(items)
    if (!step) {
      await page.keyboard.press('Escape')
      return null
    }
  }
  const word = (await step.innerText()).trim()
  await step.focus()
  await page.keyboard.press('Enter')
  const dialog = page.locator('[role="dialog"][aria-modal="true"]:visible')
  // A step that needs no words and is not grave is taken at once.
  await dialog.waitFor({ timeout: 2000 }).catch(() => undefined)
  if (await dialog.count()) {
    const text = dialog.locator('textarea:visible')
    if (await text.count()) await text.first().fill('Decided in a test')
    await dialog.locator('button[type="submit"], button:visible').last().focus()
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'hidden', timeout: 1500 }).catch(() => undefined)
    // It asks for more than a reason: somebody thinks better of it.
    if (await dialog.count()) await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden', timeout: 5000 })
  }
  await person.settled()
  return word
}
