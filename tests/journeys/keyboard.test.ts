/**
 * Every screen of the menu and a record of every kind, as somebody with a screen reader and a keyboard meets it: no barrier
 * of any weight, also in the dialogs that its buttons open, a button leads out of each, and the focus comes back to what opened them. Nothing is sent:
 * whatever would change something is held up at the door. A third of the screens is seen each day (`npm test -- --every`: all of them), each in one of two languages and
 * two skins; `EVERY_LOOK=1` sees each in all four.
 */
import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { callsOf, screensOf } from '#kit/contract/index.ts'
import { AREAS } from '../../apps/areas.contract.ts'
import { share } from '../share.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
let records: string[]
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens')
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

/** A dialog in which something is sent, without a button that says how to leave it with nothing done. */
async function withoutWayOut(person: Person, shown: Locator): Promise<string[]> {
  const modal = person.page.locator('.mantine-Modal-content:visible').last()
  if ((await shown.getAttribute('role')) !== 'dialog' || !(await modal.count())) return []
  if (!(await modal.locator('button[type="submit"], button[data-variant="filled"]').count())) return []
  const out = [
    person.say('kit', 'cancel'),
    person.say('kit-screens', 'close'),
    person.say('kit-screens', 'keep_editing'),
  ]
  const buttons = (await modal.getByRole('button').allInnerTexts()).map((text) => text.trim()).filter(Boolean)
  return buttons.some((text) => out.includes(text)) ? [] : [`no button leads out of it: ${buttons.join(', ')}`]
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
    wrong.push(...(await withoutWayOut(person, shown)).map((one) => `${at} ${name}: ${one}`))
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
    const looked = process.env.EVERY_LOOK ? all : all.filter((_, i) => i % LOOKS.length === own)
    const mine = share(looked, 12)
    expect(mine.length).toBeGreaterThan(4)
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
    // What is held up at the door is answered with nothing, which screens may stumble over: other journeys look at that.
    await person.page.context().close()
  }, 900_000)
})
