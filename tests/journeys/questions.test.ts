/** The registrar answers five questions by reports alone, in both languages, without help; and an advisor acts on an early warning. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'reports', 'early-warning')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

interface Figures {
  readonly data: {
    readonly measures: string[]
    readonly rows: { readonly key: string | null; readonly values: (number | 'few' | null)[] }[]
  }
}
const figures = (link: string, body: object) => demo.send<Figures>('registrar', 'POST', `/reports/${link}`, body)

describe.each([...new Set([...langsOf('ar'), ...langsOf('en')])])('questions, %s', (lang) => {
  const open = async (name: string, email: string, as: 'employee' | 'instructor' | 'student' = 'employee') => {
    const person = await Person.open(browser, demo.address, { name, lang, width: 1366 })
    await signIn(person, as, email)
    return person
  }
  /** Finds a report by words on the screen of reports. */
  const find = async (person: Person, words: string, to: string) => {
    const { page } = person
    await person.go('/reports')
    await page.getByRole('searchbox').fill(words)
    await page.waitForURL((url) => url.searchParams.has('search'))
    await page.locator(`main a[href="${to}"]`).click()
    await person.settled()
  }
  const choose = async (person: Person, label: string, option: string) => {
    await person.page.getByRole('combobox', { name: label, exact: true }).click()
    await person.page.getByRole('option', { name: option, exact: true }).click()
    await person.settled()
  }

  test('how many of the 2022 intake were still here a year later, women and men', async () => {
    const person = await open('registrar', 'registrar@canopus.example.edu')
    const { page } = person
    const [year] = await demo.query<{ id: number; name: string; name_local: string }>(
      `select id, name, name_local from years where code = '2022'`,
    )
    await find(person, lang === 'ar' ? 'الاستمرار' : 'retention', '/graduat-reports?tab=cohorts')
    await choose(person, person.say('reports', 'rows_by'), person.label(['Gender', 'النوع']))
    await page.getByLabel(person.label(['Academic year', 'العام الدراسي']), { exact: true }).click()
    await page.keyboard.type('2022')
    await page
      .getByRole('option', { name: person.nameOf(year!) })
      .first()
      .click()
    await page.waitForURL((url) => url.searchParams.get('year') === String(year!.id))
    await person.settled()
    const { data } = await figures('cohorts', { rows: 'gender', filters: { year: [year!.id] } })
    const at = data.measures.indexOf('retention')
    expect(data.rows.length).toBe(2)
    for (const row of data.rows) {
      expect(typeof row.values[at]).toBe('number')
      await person.reads(new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(row.values[at] as number))
    }
    await person.look('retention of the 2022 intake by gender')
    await person.leave()
  })

  test('which courses lost most students', async () => {
    const person = await open('registrar', 'registrar@canopus.example.edu')
    await find(person, lang === 'ar' ? 'نسبة الفاقد' : 'share lost', '/registrations-report?tab=add-drop')
    await choose(person, person.say('reports', 'rows_by'), person.label(['Course', 'المقرر']))
    const { data } = await figures('add-drop', { rows: 'course' })
    expect(data.rows.length).toBeGreaterThan(5)
    await expect.poll(() => person.page.locator('main table tbody tr').count()).toBe(data.rows.length)
    await person.look('courses that lost students')
    await person.leave()
  })

  test('whose permits end before June', async () => {
    const person = await open('registrar', 'registrar@canopus.example.edu')
    const { page } = person
    await find(person, lang === 'ar' ? 'الاقامات' : 'permits', '/foreigner-report?tab=foreigners-permits')
    await choose(person, person.say('reports', 'rows_by'), person.label(['Ends in month', 'تنتهي في شهر']))
    const { data } = await figures('foreigners-permits', { rows: 'expiry_month' })
    const before = data.rows.filter(({ key }) => key !== null && key.slice(5) < '06')
    expect(before.length).toBeGreaterThan(0)
    // Months stand in their order; each opens those whose documents end in it.
    const shown = await page.locator('main table tbody th').allInnerTexts()
    const months = shown.filter((text) => /\d{4}-\d\d/.test(text))
    expect(months).toEqual(months.toSorted())
    await page.locator('main table tbody a').first().click()
    await page.waitForURL((url) => url.searchParams.has('cell'))
    await person.settled()
    await person.look('permits of a month')
    await person.leave()
  })

  test('why two figures differ: each reason is told, and one press makes them alike', async () => {
    const person = await open('registrar', 'registrar@canopus.example.edu')
    const { page } = person
    const say = (key: string, values?: Record<string, string | number>) => person.say('reports', key, values)
    await person.go('/registrations-report?faculty=1&cell=students')
    await page.getByRole('link', { name: say('differ_ask') }).click()
    await person.settled()
    await person.reads(say('differ_same'))
    // Beside it the registered students, of all faculties and of the term.
    await page
      .getByRole('combobox', { name: say('differ_figure') })
      .nth(1)
      .click()
    await page.getByRole('option', { name: person.label(['Registrations', 'التسجيلات']), exact: true }).click()
    await person.settled()
    await person.reads(
      say('differ_once', { which: say('differ_first') }),
      say('differ_time', { which: say('differ_second'), dimension: person.label(['Term', 'الفصل الدراسي']) }),
    )
    await page
      .getByRole('combobox', { name: say('differ_figure') })
      .nth(1)
      .click()
    await page.getByRole('option', { name: person.label(['All students', 'كل الطلاب']), exact: true }).click()
    await person.settled()
    await person.look('why two figures differ')
    await person.go('/reports')
    await page.getByRole('link', { name: say('differ'), exact: true }).click()
    await page.waitForURL(/\/reports\/differ/)
    await person.leave()
  })

  test('an advisor sees who needs help and why, notes a contact and what came of it; the student sees the own', async () => {
    const person = await open('advisor', 'advisor@canopus.example.edu', 'instructor')
    const { page } = person
    const say = (key: string, values?: Record<string, string | number>) => person.say('early-warning', key, values)
    await person.go('/early-warning')
    await person.look('early warning of an advisor')
    const row = page.locator('main tbody tr').first()
    await row.locator('a').first().click()
    await page.waitForURL(/\/early-warning\/\d+$/)
    await person.settled()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    expect(await page.locator('main').getByText(say('now'), { exact: true }).count()).toBeGreaterThan(0)
    const said = `Spoken with, ${lang}`
    await person.button(say('note')).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(person.label(['Meeting', 'لقاء']), { exact: true }).click()
    await dialog.getByRole('textbox', { name: new RegExp(person.label(['What was said', 'ما دار'])) }).fill(said)
    await person.button(person.say('kit-screens', 'save'), dialog).click()
    await dialog.waitFor({ state: 'detached' })
    await person.reads(said)
    // What came of it, later.
    await page
      .getByRole('button', { name: say('change'), exact: true })
      .first()
      .click()
    await page.getByRole('dialog').getByRole('combobox').first().click()
    await page.getByRole('option', { name: person.label(['Things go better', 'تحسنت الحالة']) }).click()
    await person.button(person.say('kit-screens', 'save'), page.getByRole('dialog')).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await person.reads(person.label(['Things go better', 'تحسنت الحالة']))
    await person.look('a contact and what came of it')
    await person.leave()
    const [student] = await demo.query<{ email: string }>(
      `select u.email from students s join users u on u.id = s.user_id where s.id = $1`,
      [id],
    )
    const own = await open('student', student!.email, 'student')
    await own.go('/my-early-warning')
    await own.reads(say('own_standing'))
    // Neither what was said nor what came of it is told here.
    expect(await own.text()).not.toContain(said)
    await own.look('early warning of the student')
    await own.leave()
  })
})
