/**
 * Every screen of the menu and a record of every kind, as somebody with a screen reader and a keyboard meets it: no barrier
 * of any weight, also in the dialogs that its buttons open, and the focus comes back to what opened them. Nothing is sent:
 * whatever would change something is held up at the door. Each screen is seen in one of two languages and two skins;
 * `EVERY_LOOK=1` sees each in all four.
 */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf, screensOf } from '#kit/contract/index.ts'
import type { Action } from '#kit/contract/workflow.ts'
import { servedWorkflows } from '#kit/server/workflow/workflow.ts'
import { AREAS } from '../../apps/areas.contract.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
let records: string[]
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'registration')
  demo = await openDemo()
  records = []
  for (const resource of AREAS.flatMap((area) => area.resources)) {
    const { show, edit } = resource.screens
    if (!show && !edit) continue
    // Rows without a number of their own are nobody's page.
    const rows = await demo.query<{ id: number }>(`select min(id)::int as id from ${resource.table}`).catch(() => [])
    const id = rows[0]?.id
    if (id) for (const address of [show, edit]) if (address) records.push(address.replace(/:\w+\??/, String(id)))
  }
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

const MENU = AREAS.flatMap((area) => screensOf(area))
  .filter((screen) => screen.menu && !/:\w+(?!\?|\w)/.test(screen.path))
  .map((screen) => screen.path.replace(/\/:\w+\?/g, ''))
const LOOKS = (['ar', 'en'] as const).flatMap((lang) => (['light', 'dark'] as const).map((skin) => ({ lang, skin })))
const READING = AREAS.flatMap((area) => callsOf(area))
  .filter((call) => call.reads || call.method === 'GET')
  .map((call) => ({
    method: call.method,
    path: new RegExp(`^/api${call.path.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))

/** Lets through what only reads. */
async function holdUp(page: Page): Promise<void> {
  await page.route('**/api/**', async (route) => {
    const request = route.request()
    const { pathname } = new URL(request.url())
    const reads =
      request.method() === 'GET' || READING.some((call) => call.method === request.method() && call.path.test(pathname))
    return reads ? route.continue() : route.fulfill({ status: 204, body: '' })
  })
}

/** Goes to an address within the application, which is not fetched anew. */
const goWithin = async (person: Person, to: string): Promise<void> => {
  await person.page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(to)}); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
  )
  await person.settled()
}

/** Buttons of the page that say that they open a dialog or a menu, or that stand in its title line. */
const OPENERS = 'main header button:visible, main [data-page-head] button:visible, main [aria-haspopup]:visible'

/** Opens what each button opens, by keyboard, and closes it again; what the kit has on every list is tried a few times. */
async function dialogs(person: Person, at: string, tried: Map<string, number>): Promise<string[]> {
  const { page } = person
  const wrong: string[] = []
  const openers = page.locator(OPENERS)
  const many = Math.min(await openers.count(), 8)
  for (let i = 0; i < many; i++) {
    const opener = openers.nth(i)
    if (!(await opener.isEnabled().catch(() => false))) continue
    const name = (await opener.innerText().catch(() => '')) || (await opener.getAttribute('aria-label')) || String(i)
    const times = (tried.get(name) ?? 0) + 1
    tried.set(name, times)
    if (times > 2) continue
    await opener.focus()
    await page.keyboard.press('Enter')
    const shown = page.locator('[role="dialog"]:visible, [role="menu"]:visible').last()
    if (
      !(await shown.waitFor({ timeout: 1500 }).then(
        () => true,
        () => false,
      ))
    ) {
      if (new URL(page.url()).pathname !== at.split('?')[0]) await goWithin(person, at)
      continue
    }
    await person.settled()
    wrong.push(...(await person.barriers('[role="dialog"], [role="menu"]')).map((one) => `${at} ${name}: ${one}`))
    // The first one closes a list of choices that a field has opened.
    if (await page.locator('[role="listbox"]:visible').count()) await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await shown
      .waitFor({ state: 'hidden', timeout: 5000 })
      .catch(async () =>
        wrong.push(
          `${at} ${name}: Escape does not close ${await shown.evaluate((e) => (e as any).outerHTML.slice(0, 150))}`,
        ),
      )
    const back = await opener
      .evaluate((element) => (element as any).ownerDocument.activeElement === element)
      .catch(() => true)
    if (!back) wrong.push(`${at} ${name}: the focus does not come back, it is on ${await person.focused()}`)
  }
  return wrong
}

describe.each(LOOKS)('every screen, $lang, $skin', ({ lang, skin }) => {
  test('has no barrier of any weight, nor have its dialogs, and the focus comes back', async () => {
    const all = [...MENU, ...records]
    const own = LOOKS.findIndex((look) => look.lang === lang && look.skin === skin)
    const mine = process.env.EVERY_LOOK ? all : all.filter((_, i) => i % LOOKS.length === own)
    expect(mine.length).toBeGreaterThan(30)
    const person = await Person.open(browser, demo.address, {
      name: `barriers ${skin}`,
      lang: lang as Lang,
      width: 1366,
      height: 768,
    })
    await person.page.addInitScript(`localStorage.setItem('ems.preferences', JSON.stringify({ skin: '${skin}' }))`)
    await signIn(person, 'employee', 'root@canopus.example.edu')
    await holdUp(person.page)
    const wrong: string[] = []
    const tried = new Map<string, number>()
    for (const address of mine.filter((one) => !process.env.ONLY || one.startsWith(process.env.ONLY))) {
      await goWithin(person, address)
      if (person.page.url().includes('/home') && address !== '/home') wrong.push(`${address} leads elsewhere`)
      wrong.push(...(await person.barriers('main')).map((one) => `${address}: ${one}`))
      wrong.push(...(await dialogs(person, address, tried)))
    }
    expect(wrong).toEqual([])
    // The files of the demo university are not here.
    expect(person.problems.filter((one) => !one.includes(' /api/files/'))).toEqual([])
    await person.page.context().close()
  }, 900_000)
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
  let keys = 0
  keys += await tabTo(person, /radio|input/, 12)
  // Students are the third kind; the arrows go from one to the next.
  const chosen = page.getByRole('radio', { name: person.say('kit', 'as_student') })
  for (let i = 0; i < 4 && !(await chosen.isChecked()); i++, keys++) await keyboard.press('ArrowDown')
  expect(await chosen.isChecked()).toBe(true)
  await keyboard.press('Tab')
  await keyboard.type('student@canopus.example.edu')
  await keyboard.press('Tab')
  await keyboard.type(DEMO_PASSWORD)
  await keyboard.press('Enter')
  keys += 3
  await page.waitForURL((url) => url.pathname !== '/login')
  await person.settled()

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
    await goWithin(person, link)
    const taken = await decide(person, words)
    if (taken === null) continue
    done.push(`${link}: ${taken}`)
    // What was decided is fetched anew first.
    const stays = await expect
      .poll(() => person.focused(), { timeout: 8000 })
      .not.toBe('nothing')
      .then(
        () => true,
        () => false,
      )
    if (!stays) lost.push(`${link}: ${taken}`)
  }
  expect(lost).toEqual([])
  // Not one that looked for nothing.
  expect(done.length, done.join('\n')).toBeGreaterThan(8)
  await page.context().close()
}, 600_000)

/** Takes the first step that the screen offers, by keyboard; what it took, or null. */
async function decide(person: Person, words: ReadonlySet<string>): Promise<string | null> {
  const { page } = person
  const offered = async (): Promise<Locator | null> => {
    for (const button of await page.locator('main :is(tbody, ul, article, section) button:visible').all()) {
      const word = (await button.innerText().catch(() => '')).trim()
      if (words.has(word) && (await button.isEnabled())) return button
    }
    return null
  }
  let button = await offered()
  if (!button) {
    const menu = page.locator('main tbody [aria-haspopup="menu"]:visible').first()
    if (!(await menu.count())) return null
    await menu.focus()
    await page.keyboard.press('Enter')
    for (const item of await page.locator('[role="menuitem"]:visible').all())
      if (words.has((await item.innerText()).trim()) && (await item.isEnabled())) {
        button = item
        break
      }
    if (!button) {
      await page.keyboard.press('Escape')
      return null
    }
  }
  const word = (await button.innerText()).trim()
  await button.focus()
  await page.keyboard.press('Enter')
  await person.settled()
  const dialog = page.locator('[role="dialog"][aria-modal="true"]:visible')
  if (await dialog.count()) {
    const text = dialog.locator('textarea:visible')
    if (await text.count()) await text.first().fill('Decided in a test')
    await dialog.locator('button[type="submit"], button:visible').last().focus()
    await page.keyboard.press('Enter')
    await person.settled()
    // It asks for more than a reason: somebody thinks better of it.
    if (await dialog.count()) await page.keyboard.press('Escape')
  }
  await page.waitForTimeout(600)
  await person.settled()
  return word
}
