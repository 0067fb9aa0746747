/** What people open who are not signed in: one frame, one form, in every language, on a phone as well. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'notices', 'papers', 'access-and-people')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

const PAGES = [
  ['/login', 'kit', 'sign_in'],
  ['/forgot-password', 'kit', 'forgot_title'],
  ['/pages/authentication/reset-password-v1?token=nonsense', 'kit', 'reset_title'],
  ['/pages/authentication/reset-password-v1', 'kit', 'reset_title'],
  ['/notices/stop/nonsense', 'notices', 'stop_title'],
  ['/qr_code', 'papers', 'verify_title'],
  ['/error-404', 'kit', 'not_found_title'],
] as const

describe.each(langsOf('en'))('without signing in, %s', (lang) => {
  test.each([1360, 360])(
    'every page has its title, one content, and the choice of language, at %i px',
    async (width) => {
      const person = await Person.open(browser, demo.address, { name: `stranger ${width}`, lang, width })
      const { page } = person
      for (const [address, area, key] of PAGES) {
        await person.go(address)
        await person.look(address.replaceAll(/\W+/g, ' '))
        const title = person.say(area, key)
        expect([address, await page.title()]).toEqual([address, expect.stringContaining(title)])
        expect([address, await person.text(page.locator('main#content h1'))]).toEqual([address, title])
        expect([address, await page.getByRole('combobox', { name: person.say('kit', 'language') }).count()]).toEqual([
          address,
          1,
        ])
      }
      await person.leave()
    },
  )

  test('a form says what is missing, what was refused, and what became of it', async () => {
    const person = await Person.open(browser, demo.address, { name: 'stranger', lang })
    const { page } = person
    await person.go('/forgot-password')
    await person.button(person.say('kit', 'send_link')).click()
    await person.reads(person.say('kit', 'fill_in'))
    expect(
      await page.getByLabel(person.say('kit', 'email')).evaluate((at) => at === at.ownerDocument.activeElement),
    ).toBe(true)
    await page.getByLabel(person.say('kit', 'email')).fill('nobody@canopus.example.edu')
    await page.keyboard.press('Enter')
    await person.reads(person.say('kit', 'link_sent_title'))
    await person.go('/pages/authentication/reset-password-v1?token=nonsense')
    await page.getByLabel(person.say('kit', 'new_password')).fill('Three quiet rivers 9')
    await page.getByLabel(person.say('kit', 'repeat_password')).fill('Three quiet rivers 8')
    await page.keyboard.press('Enter')
    await person.reads(person.say('kit', 'passwords_differ'))
    await page.getByLabel(person.say('kit', 'repeat_password')).fill('Three quiet rivers 9')
    await person.refused(409, '/users/reset-password', async () => {
      await page.keyboard.press('Enter')
      await page.getByRole('alert').waitFor()
    })
    await person.look('a link that does not work')
    await person.leave()
  })
})
