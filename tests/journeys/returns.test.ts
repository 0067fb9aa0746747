/** An officer fills a ministry's sheet: uploads it, finds a mistake, mends it, sends; and reads the use of rooms on Tuesdays at ten. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { drawBook } from '#areas/office/returns/templates/draw.server.ts'
import { Person, openBrowser, readTexts, textOf } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'returns', 'reports')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

describe.each(langsOf('ar'))('returns, %s', (lang) => {
  const say = (key: string, values = {}) => textOf(lang, 'returns', key, values)
  test('a sheet is uploaded, filled, mended and sent', async () => {
    const person = await Person.open(browser, demo.address, { name: 'officer', lang, width: 1366 })
    const { page } = person
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    const code = `SHEET-${lang.toUpperCase()}`
    const { data: template } = await demo.send<{ data: { id: number } }>('registrar', 'PUT', '/return-templates', {
      code,
      name: 'Students by level',
      name_local: 'الطلاب حسب المستوى',
      authority: 'Ministry',
    })
    const rows = [
      ['{{year}}'],
      ['{{students|level=1}}', '{{students|level=2}}'],
      ['{{students|leval=3}}', '=SUM(A2:B2)'],
    ]
    const sheet = drawBook([{ name: 'Students', rtl: lang === 'ar', rows, merges: [] }])
    await person.go(`/return-templates/${template.id}`)
    await page.locator('input[type=file]').setInputFiles({
      name: 'sheet.xlsx',
      buffer: Buffer.from(sheet),
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    })
    await page.getByRole('heading', { name: say('mistakes') }).waitFor()
    await person.look('template with a mistake')
    const [year] = await demo.query<{ id: number }>(
      `select t.year_id as id from current_terms c join terms t on t.id = c.term_id where c.key = 'current_term'`,
    )
    const { data: made } = await demo.send<{ data: { id: number } }>('registrar', 'PUT', '/statistical-returns', {
      template_id: template.id,
      year_id: year!.id,
    })
    await person.go(`/statistical-returns/${made.id}`)
    await page.getByRole('button', { name: say('fill'), exact: true }).click()
    // It names the cell, and leads to where it is mended.
    await page.getByRole('link', { name: say('mend') }).click()
    await page.waitForURL((url) => url.pathname === `/return-templates/${template.id}`)
    await person.settled()
    await page.getByRole('button', { name: /^A3 / }).click()
    await page.getByLabel(say('cell_text'), { exact: true }).fill('{{students|level=3}}')
    await page.getByRole('button', { name: say('save_cell') }).click()
    await page.getByRole('heading', { name: say('edition_n', { number: 2 }) }).waitFor()
    await person.go(`/statistical-returns/${made.id}`)
    await page.getByRole('button', { name: say('fill_newest') }).click()
    await page.getByText(say('nothing_found'), { exact: true }).waitFor()
    await person.look('a filled return')
    for (const action of [
      lang === 'ar' ? 'إقرار المراجعة' : 'Check off',
      lang === 'ar' ? 'تسجيل الإرسال' : 'Record as sent',
    ]) {
      await page.getByRole('button', { name: action }).first().click()
      await page.getByRole('dialog').getByRole('button', { name: action }).click()
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      await person.settled()
    }
    const [row] = await demo.query<{ status: string; figures: { value: number }[] }>(
      'select status, figures from statistical_returns where id = $1',
      [made.id],
    )
    expect([row!.status, row!.figures.length]).toEqual(['filed', 3])
    await person.leave()
  })

  test('how rooms are used on Tuesdays at ten is read at once', async () => {
    const person = await Person.open(browser, demo.address, { name: 'planner', lang, width: 1366 })
    const { page } = person
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    await person.go('/reports')
    await page.getByRole('searchbox').fill(lang === 'ar' ? 'القاعات' : 'rooms')
    await page.locator('main a[href="/rooms-report"]').click()
    await person.settled()
    await page.locator('main a[href*="day=3"][href*="hour=10"]').click()
    await page.waitForURL((url) => url.searchParams.get('day') === '3' && url.searchParams.get('hour') === '10')
    await person.settled()
    const { data } = await demo.send<{
      data: { rooms: number; cells: { day: number; hour: number; rooms: number }[] }
    }>('registrar', 'POST', '/reports/room-use', { day: 3, hour: 10 })
    const used = data.cells.find(({ day, hour }) => day === 3 && hour === 10)!.rooms
    const words = textOf(lang, 'reports', 'room_rooms_of', { used, all: data.rooms })
    // Figures stand isolated in an Arabic sentence: it is read as one reads it.
    await person.reads(words)
    await person.look('rooms on tuesdays at ten')
    // The map is walked by arrow keys.
    await page.locator('main td[data-chosen] a').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('hour') === '11')
    await person.leave()
  })
})
