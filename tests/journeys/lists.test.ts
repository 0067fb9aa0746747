/** Lists as their readers meet them: narrow screens, slow and missing networks, paper, phones, several devices. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'terms', 'registration')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

/** The main lists. */
const LISTS = [
  '/students',
  '/registrations',
  '/offerings',
  '/advised_students',
  '/academic_advisors',
  '/control/offerings',
  '/control/students',
  '/instructors/reports',
  '/management/stages',
]
/** What of a table lies beyond its edge, what the page itself scrolls by, and columns that are cut. */
const MEASURED = `(() => {
  const box = document.querySelector('table').parentElement
  const edge = box.getBoundingClientRect()
  const page = document.documentElement
  return {
    over: box.scrollWidth - box.clientWidth,
    page: page.scrollHeight - page.clientHeight,
    wide: page.scrollWidth - page.clientWidth,
    cut: [...document.querySelectorAll('thead th')]
      .filter((th) => th.getBoundingClientRect().right > edge.right + 1 || th.getBoundingClientRect().left < edge.left - 1)
      .map((th) => th.innerText),
  }
})()`
/** The call behind the list of students. */
const ROWS = '**/api/students'
const rowsOf = (page: Page) => page.locator('tbody tr[data-row]')
const firstRow = (page: Page) => rowsOf(page).first().innerText()

describe.each(langsOf('en'))('lists, %s', (lang) => {
  test('fit a window of 1366 px: no column is cut, and the page has nothing to scroll', async () => {
    const person = await Person.open(browser, demo.address, { name: 'root', lang, width: 1366, height: 768 })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    const found: Record<string, unknown> = {}
    for (const list of LISTS) {
      await person.go(list)
      await person.look(`list${list.replaceAll('/', ' ')}`)
      found[list] = await person.page.evaluate(MEASURED)
    }
    expect(found).toEqual(Object.fromEntries(LISTS.map((list) => [list, { over: 0, page: 0, wide: 0, cut: [] }])))
    await person.leave()
  })

  test('open on the current term, say which, and go to another or to all', async () => {
    const person = await Person.open(browser, demo.address, { name: 'registrar', lang })
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    const [now] = await demo.query<{ id: number; name: string; name_local: string; count: number; all: number }>(
      `select t.id, t.name, t.name_local, (select count(*)::int from registrations r where r.term_id = t.id) as count,
         (select count(*)::int from registrations) as all
       from current_terms c join terms t on t.id = c.term_id where c.key = 'current_term'`,
    )
    expect(now!.count).toBeLessThan(now!.all)
    await person.go('/registrations')
    const picker = person.page.getByRole('combobox', { name: person.say('terms', 'term') })
    await expect.poll(() => picker.inputValue()).toContain(person.nameOf(now!))
    await person.reads(person.say('kit-screens', 'count', { count: now!.count.toLocaleString('en-US') as never }))
    await picker.click()
    await person.page.getByRole('option', { name: person.say('terms', 'all_terms') }).click()
    await person.reads(person.say('kit-screens', 'count', { count: now!.all.toLocaleString('en-US') as never }))
    await person.leave()
  })

  test('rows, count and pages come from one answer: on a slow network and on none', async () => {
    const person = await Person.open(browser, demo.address, { name: 'registrar', lang })
    const { page } = person
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    await person.go('/students')
    const before = { row: await firstRow(page), shown: await person.text(page.locator('main')) }
    // The next page takes its time: what stands there stays whole, dimmed, and is marked as waiting.
    let go = (): void => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    await page.route(ROWS, async (route) => {
      await held
      await route.continue()
    })
    const next = page.getByRole('button', { name: person.say('kit-screens', 'page_number', { page: 2 }) })
    await next.click()
    await page.locator('tbody[data-stale]').waitFor()
    expect(await firstRow(page)).toBe(before.row)
    expect(await page.locator('[aria-current="page"]').last().innerText()).toBe('1')
    go()
    await expect.poll(() => page.locator('tbody[data-stale]').count()).toBe(0)
    expect(await firstRow(page)).not.toBe(before.row)
    await page.unroute(ROWS)
    // No connection: older rows, and they say so.
    const second = await firstRow(page)
    await page.route(ROWS, (route) => route.abort('internetdisconnected'))
    await page.getByRole('searchbox').first().fill('zzzz')
    await person.reads(person.say('kit-screens', 'older_rows'))
    expect(await firstRow(page)).toBe(second)
    await person.picture('list without a connection')
    await page.unroute(ROWS)
    // A list that has asked again by itself meanwhile has no such button any more.
    const again = person.button(person.say('kit', 'try_again'))
    await again.click({ timeout: 15_000 }).catch(async () => expect(await again.count()).toBe(0))
    await person.reads(person.say('kit-screens', 'empty_filtered'))
    expect(await rowsOf(page).count()).toBe(0)
    await page.context().close()
  })

  test('a saved view stands on every device, after signing out as well, and can be taken back', async () => {
    const [name, wanted] = lang === 'ar' ? ['طلابي', 'علي'] : ['My list', 'sa']
    const open = async () => {
      const person = await Person.open(browser, demo.address, { name: 'registrar', lang })
      await signIn(person, 'employee', 'registrar@canopus.example.edu')
      await person.go('/students')
      return person
    }
    const first = await open()
    await first.page.getByRole('searchbox').first().fill(wanted)
    await first.button(first.say('kit-screens', 'save_view')).click()
    await first.page.getByLabel(first.say('kit-screens', 'view_name')).fill(name)
    await first.button(first.say('kit-screens', 'save'), first.page.getByRole('dialog')).click()
    await first.page.getByRole('tab', { name }).waitFor()
    await first.leave()
    const second = await open()
    await second.page.getByRole('tab', { name }).click()
    await second.page.waitForURL((url) => url.searchParams.get('search') === wanted)
    await second.look('list with a saved view')
    await second.button(second.say('kit-screens', 'view_remove')).click()
    await expect.poll(() => second.page.getByRole('tab', { name }).count()).toBe(0)
    await second.button(second.say('kit', 'undo')).click()
    await second.page.getByRole('tab', { name }).waitFor()
    await second.leave()
  })

  test('on a phone nothing sticks out, and everything that is pressed is as large as a finger', async () => {
    const person = await Person.open(browser, demo.address, { name: 'phone', lang, width: 390, height: 844 })
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    const small: string[] = []
    for (const list of ['/students', '/registrations', '/offerings', '/settings/bylaws']) {
      await person.go(list)
      await person.look(`phone list${list.replaceAll('/', ' ')}`)
      expect([list, await person.page.evaluate('document.documentElement.scrollWidth - innerWidth')]).toEqual([list, 0])
      small.push(
        ...(await person.page.evaluate<
          string[]
        >(`[...document.querySelectorAll('main button, main a, main input, header button, header a')]
          .map((e) => e.matches('input[type="checkbox"]') ? e.closest('label') : e)
          .filter((e) => e && !e.closest('.mantine-Input-section') && e.checkVisibility())
          .map((e) => [e, e.getBoundingClientRect()])
          .filter(([, r]) => r.width > 0 && Math.round(r.height) < 44)
          .map(([e, r]) => location.pathname + ' ' + Math.round(r.height) + ' px: ' + (e.getAttribute('aria-label') || e.innerText || e.outerHTML).slice(0, 60))`)),
      )
    }
    expect([...new Set(small)]).toEqual([])
    await person.leave()
  })
})
