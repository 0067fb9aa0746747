/** The registrar puts “which courses lost most students” together, keeps it, shares it and has it sent on Mondays; a dean sees the own faculty of it. */
import { describe, expect, test } from 'vitest'
import { opened } from './opened.ts'
import { langsOf } from './world.ts'

const journey = opened('reports')

const SCREENS = [
  '/reports',
  '/reports/own',
  '/reports/own/new',
  '/reports/own/1',
  '/reports/own/2',
  '/overview',
] as const

describe.each(langsOf('ar'))('own reports, %s', (lang) => {
  test('every screen stands on a phone', () => journey.onPhone('registrar', lang, SCREENS))

  test('which courses lost most students: put together, kept, shared, sent on Mondays; a dean sees the own faculty', async () => {
    const name = lang === 'ar' ? 'أكثر المقررات فقدًا' : 'Courses that lost most'
    const person = await journey.employee('registrar', lang)
    const { page } = person
    const say = (key: string, values?: Record<string, string | number>) => person.say('reports', key, values)
    await person.go('/reports/own')
    await page.locator('main a[href="/reports/own/new"]').click()
    await person.settled()
    /** Finds one of many by its name, and takes it by the keys. */
    const add = async (where: string, what: string) => {
      await page.getByRole('combobox', { name: where }).fill(what)
      await page.getByRole('option', { name: what, exact: true }).waitFor()
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
    }
    // Another kind of figures begins a new report, by what its own report tells apart.
    await add(say('own_add_figure'), person.label(['Dropped', 'محذوف']))
    await page.waitForURL((url) => url.searchParams.get('q')?.includes('dropped') === true)
    await person.settled()
    await add(say('own_add_row'), person.label(['Course', 'المقرر']))
    await page.waitForURL((url) => url.searchParams.get('q')?.includes('"course"') === true)
    // The course goes before what stood there, by an arrow; then what stood there is taken out.
    const rows = page.getByRole('list', { name: say('own_rows_and_columns') })
    await rows.getByRole('button').nth(2).focus()
    await page.keyboard.press('ArrowUp')
    await page.waitForURL((url) => url.searchParams.get('q')?.includes('"rows":["course",') === true)
    await person.settled()
    await rows.getByRole('listitem').nth(1).getByRole('button').last().click()
    await page.waitForURL((url) => url.searchParams.get('q')?.includes('"rows":["course"]') === true)
    await page.getByRole('combobox', { name: say('own_order') }).click()
    await page.getByRole('option', { name: say('own_largest') }).click()
    await person.settled()
    const { data } = await journey.demo.send<{ data: { rows: { now: { values: number[] } }[] } }>(
      'registrar',
      'POST',
      '/own-reports/figures',
      { measures: ['dropped'], rows: ['course'], columns: [], largest: true },
    )
    expect(await page.locator('main table tbody tr').count()).toBeGreaterThanOrEqual(Math.min(5, data.rows.length))
    await person.button(say('own_save')).click()
    await page.getByRole('dialog').getByRole('textbox').fill(name)
    await person.button(say('own_save'), page.getByRole('dialog')).click()
    await page.waitForURL(/\/reports\/own\/\d+$/)
    const { pathname } = new URL(page.url())
    await person.settled()
    await page
      .getByRole('button', { name: person.say('kit', 'more_actions') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: say('own_share_roles') }).click()
    await page
      .getByRole('dialog')
      .getByRole('combobox', { name: say('own_roles') })
      .click()
    await page.getByRole('option', { name: lang === 'ar' ? 'عميد' : 'Dean', exact: true }).click()
    await page.keyboard.press('Escape')
    await person.button(say('own_share_submit'), page.getByRole('dialog')).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page
      .getByRole('button', { name: person.say('kit', 'more_actions') })
      .first()
      .click()
    await page.getByRole('menuitem', { name: say('own_send_weekly') }).click()
    await person.button(say('own_send'), page.getByRole('dialog')).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await person.go('/reports/own')
    await person.reads(name)
    await person.look('own reports of the registrar')
    await person.leave()

    const dean = await journey.employee('dean', lang)
    await dean.go(pathname)
    await dean.reads(name)
    const mine = await journey.demo.send<{
      data: { rows: { now: { values: number[] } }[]; within: { name: string; name_local: string }[] }
    }>('dean', 'POST', '/own-reports/figures', { measures: ['dropped'], rows: ['course'], columns: [], largest: true })
    expect(mine.data.within.length).toBe(1)
    await dean.reads(dean.nameOf(mine.data.within[0]!))
    expect(mine.data.rows.length).toBeLessThanOrEqual(data.rows.length)
    await dean.look('a report shared with the dean')
    await dean.leave()
  })
})
