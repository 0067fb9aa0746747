/** The registrar answers questions of others by reports alone: found by words, narrowed, told apart, opened to the rows. */
import { describe, expect, test } from 'vitest'
import { opened } from './opened.ts'
import { langsOf } from './world.ts'

const journey = opened('reports')

const SCREENS = [
  '/reports',
  '/registrations-report?columns=gender',
  '/registrations-report?tab=occupancy&columns=weekday',
  '/registrations-report?tab=results&rows=course',
  '/admission-reports?tab=admission-wishes&columns=wish',
  '/admission-reports?tab=admission-days',
  '/graduat-reports?tab=cohorts',
  '/equivalent-report',
  '/foreigner-report?tab=foreigners-permits',
  '/foreigner-report?tab=foreigners-permits&cell=permits_soon',
] as const

describe.each(langsOf('ar'))('reports, %s', (lang) => {
  test('every screen stands on a phone', () => journey.onPhone('registrar', lang, SCREENS))

  test('which permits end soon, and whose', async () => {
    const person = await journey.employee('registrar', lang)
    const { page } = person
    await person.go('/reports')
    await page.getByRole('searchbox').fill(lang === 'ar' ? 'الاقامات' : 'permits')
    await page.waitForURL((url) => url.searchParams.has('search'))
    await page.locator('main a[href="/foreigner-report?tab=foreigners-permits"]').click()
    await person.settled()
    const { data } = await journey.demo.send<{ data: { measures: string[]; total: { values: number[] } } }>(
      'registrar',
      'POST',
      '/reports/foreigners-permits',
      {},
    )
    const soon = data.total.values[data.measures.indexOf('permits_soon')]!
    expect(soon).toBeGreaterThan(3)
    await page.locator('main a[href*="cell=permits_soon"]').last().click()
    await page.waitForURL((url) => url.searchParams.get('cell') === 'permits_soon')
    await person.settled()
    expect(await page.locator('main tbody tr').count()).toBe(Math.min(25, soon))
    await page.locator('main tbody a').first().click()
    await page.waitForURL((url) => url.pathname.startsWith('/students/'))
    await page.goBack()
    await page.goBack()
    await page.waitForURL((url) => !url.searchParams.has('cell'))
    await person.leave()
  })
})
