/** What is read and pressed, wherever it stands: on paper, on a phone, in the dark; what letters mean; what is found first. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'grading', 'settings')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

/** An offering with letters that its marks do not explain, and one of them. */
const explained = async (): Promise<{ id: number; letter: string }> => {
  const [found] = await demo.query<{ id: number; letter: string }>(
    `select o.id, r.letter from offerings o join registrations r on r.offering_id = o.id join students s on s.id = r.student_id
       join special_grades g on g.bylaw_id = s.bylaw_id and g.letter = r.letter and g.status = 'Withdrawn'
     where o.removed_at is null order by o.id limit 1`,
  )
  return found!
}
/** What in the tables of the page does not stand there whole. */
const CUT = `[...document.querySelectorAll('main td, main th, main td *, main th *')]
  .filter((e) => e.checkVisibility() && !e.closest('.sr') && getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1)
  .slice(0, 5).map((e) => e.innerText)`

/** Words smaller than 12 px. */
const TINY = `[...document.querySelectorAll('body *')]
  .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()) && e.checkVisibility() && parseFloat(getComputedStyle(e).fontSize) < 12)
  .filter((e) => !e.closest('svg, .sr, kbd')).slice(0, 5).map((e) => e.className + ': ' + e.innerText)`

describe.each(langsOf('ar'))('looks, %s', (lang) => {
  test('on paper codes and names stand whole', async () => {
    const person = await Person.open(browser, demo.address, { name: 'root', lang, width: 1366, height: 768 })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    const cut: Record<string, unknown> = {}
    for (const list of ['/students', '/registrations', '/offerings', '/control/offerings']) {
      await person.go(list)
      await person.page.emulateMedia({ media: 'print' })
      await person.picture(`on paper${list.replaceAll('/', ' ')}`)
      cut[list] = await person.page.evaluate(CUT)
      await person.page.emulateMedia({ media: 'screen' })
    }
    expect(cut).toEqual({ '/students': [], '/registrations': [], '/offerings': [], '/control/offerings': [] })
    await person.leave()
  })

  test('letters that the marks alone do not explain are explained below the grid', async () => {
    const { id, letter } = await explained()
    const person = await Person.open(browser, demo.address, { name: 'head of control', lang, width: 1366, height: 768 })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    await person.go(`/offerings/grades/${id}`)
    const signs = person.page.getByLabel(person.say('grading', 'signs'))
    await expect.poll(() => signs.locator('dt').allInnerTexts()).toEqual(expect.arrayContaining([letter]))
    await person.reads(person.label(['Withdrawn', 'منسحب']))
    await person.look('grid with letters explained')
    await person.leave()
  })

  test('on a phone the grid of marks shows every name and every mark', async () => {
    const { id } = await explained()
    const person = await Person.open(browser, demo.address, { name: 'phone', lang, width: 390, height: 844 })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    await person.go(`/offerings/grades/${id}`)
    await person.look('grid of marks on a phone')
    const found = await person.page.evaluate<{ marks: number; outside: string[]; cut: string[]; low: number }>(`(() => {
      const grid = document.querySelector('[role="grid"]')
      const heads = [...grid.querySelectorAll('[role="columnheader"]')].filter((e) => e.querySelector('small'))
      const rows = [...grid.querySelectorAll('[role="row"]')].slice(1)
      return {
        marks: heads.length,
        outside: heads.filter((e) => e.getBoundingClientRect().right > innerWidth || e.getBoundingClientRect().left < 0).map((e) => e.innerText),
        cut: rows.map((row) => row.querySelector('[role="rowheader"] bdi')?.parentElement).filter((e) => e && e.scrollHeight > e.clientHeight + 2).map((e) => e.innerText),
        low: rows.filter((row) => row.getBoundingClientRect().height < 44).length,
      }
    })()`)
    expect(found.marks).toBeGreaterThan(1)
    expect(found).toMatchObject({ outside: [], cut: [], low: 0 })
    await person.leave()
  })

  test('the palette tells first whose name begins as was typed, and leads to all', async () => {
    const column = lang === 'ar' ? 'name_local' : 'name'
    const [found] = await demo.query<{ word: string }>(
      `select split_part(a.${column}, ' ', 2) as word from students a
       where exists (select from students b where split_part(b.${column}, ' ', 1) = split_part(a.${column}, ' ', 2))
       group by 1 having count(*) > 6 order by count(*) desc limit 1`,
    )
    const { word } = found!
    const person = await Person.open(browser, demo.address, { name: 'root', lang })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    await person.page.keyboard.press('Control+k')
    await person.page.getByRole('combobox', { name: person.say('kit', 'search_or_go') }).fill(word)
    const students = person.page.getByRole('group', { name: person.label(['Students', 'الطلاب']), exact: true })
    await expect.poll(() => students.getByRole('option').count()).toBeGreaterThan(1)
    expect((await students.getByRole('option').first().innerText()).startsWith(word)).toBe(true)
    await person.picture('palette')
    await students.getByRole('option', { name: person.say('kit', 'palette_all', { search: word }) }).click()
    await person.page.waitForURL((url) => url.pathname === '/students' && url.searchParams.get('search') === word)
    await person.settled()
    await person.leave()
  })

  test('nothing covers the bar with Save', async () => {
    const person = await Person.open(browser, demo.address, { name: 'root', lang, width: 1366, height: 768 })
    await signIn(person, 'employee', 'root@canopus.example.edu')
    await person.page.context().clearCookies({ name: 'use_cookie' })
    await person.go('/settings/university')
    const banner = person.page.getByRole('region', { name: person.say('kit', 'cookies') })
    await banner.waitFor()
    const field = person.page.locator('main [data-field] input').first()
    await field.fill(`${await field.inputValue()} 2`)
    const bar = person.page.locator('[data-save-bar]')
    await bar.waitFor()
    const [a, b] = [(await banner.boundingBox())!, (await bar.boundingBox())!]
    expect(a.y + a.height <= b.y || b.y + b.height <= a.y).toBe(true)
    await person.picture('a bar with Save and the banner')
    await person.page.context().close()
  })
})

test('in the dark skin, and in that of a dark system, everything can be read', async () => {
  const person = await Person.open(browser, demo.address, { name: 'dark', lang: 'en', width: 1366, height: 768 })
  await person.page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await person.page.addInitScript(`localStorage.setItem('ems.preferences', JSON.stringify({ skin: 'system' }))`)
  await signIn(person, 'employee', 'root@canopus.example.edu')
  const { id } = await explained()
  for (const screen of [
    '/overview',
    '/students',
    '/students/1',
    '/students/1?tab=plan',
    '/control/results',
    '/control/results?tab=offerings',
    `/offerings/grades/${id}`,
    '/advising/registration/1',
    '/management/stages',
    '/settings/university',
  ]) {
    await person.go(screen)
    expect(await person.page.evaluate(`document.documentElement.dataset.mantineColorScheme`)).toBe('dark')
    expect(await person.page.evaluate(TINY), screen).toEqual([])
    await person.look(`dark${screen.replaceAll('/', ' ')}`)
  }
  await person.leave()
}, 600_000)
