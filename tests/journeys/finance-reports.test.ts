/** The finance dashboard and the financial reports: every screen looked at, on a desk and on a phone, and a figure followed to its rows. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens', 'reports', 'invoices')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

const SCREENS = [
  '/finance',
  '/finance?years=all',
  '/finance?currency=USD',
  '/Financial-report',
  '/Financial-report?tab=levels',
  '/Financial-report?tab=graduates',
  '/payments-reports?from=2024-01-01',
  '/payments-reports?from=2024-01-01&by=day',
  '/payments-reports?from=2024-01-01&by=bank',
  '/payments-reports?tab=invoices',
  '/finanicials-settings-reports',
] as const

describe.each(langsOf('ar'))('finance, %s', (lang) => {
  // A phone is what breaks first; both are looked at with pictures.
  test.each(process.env.SCREENSHOTS ? [1366, 390] : [390])('every screen stands at %i px', async (width) => {
    const person = await Person.open(browser, demo.address, { name: `finance officer ${width}`, lang, width })
    await signIn(person, 'employee', 'finance@canopus.example.edu')
    for (const screen of SCREENS) {
      await person.go(screen)
      await person.look(screen.replaceAll(/[/?&=]/g, ' '))
      if (process.env.SCREENSHOTS) {
        const { page } = person
        const tall = await page.evaluate<number>(`(document.querySelector('main')?.scrollHeight ?? 0) + 120`)
        await page.setViewportSize({ width, height: Math.min(4000, Math.max(800, tall)) })
        await person.settled()
        await person.picture(`whole ${screen.replaceAll(/[/?&=]/g, ' ')}`)
        await page.setViewportSize({ width, height: width < 500 ? 780 : 860 })
      }
    }
    await person.leave()
  })

  test('a figure leads to rows that are those it counts', async () => {
    const person = await Person.open(browser, demo.address, { name: 'finance officer', lang, width: 1366 })
    await signIn(person, 'employee', 'finance@canopus.example.edu')
    await person.go('/finance?years=all')
    const figures = person.page.getByRole('region', { name: person.say('reports', 'figures') })
    const { data } = await demo.send<{ data: { sums: { overdue_invoices: number } } }>(
      'finance',
      'POST',
      '/dashboard/finance',
      {
        year_id: null,
      },
    )
    await figures.getByRole('link').nth(3).click()
    await person.page.waitForURL((url) => url.pathname === '/payments')
    await person.settled()
    const count = person.say('kit-screens', 'count', { count: data.sums.overdue_invoices })
    await person.page.locator('main').getByText(count, { exact: true }).waitFor()
    await person.leave()
  })
})
