/** What goes wrong while somebody works: a session that ends, code that cannot be fetched, a slow way to the next screen, a red button. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  browser = await openBrowser()
  await readTexts('kit', 'kit-screens')
  demo = await openDemo()
}, 720_000)
afterAll(async () => {
  await demo?.close()
  await browser?.close()
})

describe.each(langsOf('ar'))('interrupted work, %s', (lang) => {
  const registrar = async () => {
    const person = await Person.open(browser, demo.address, { name: 'registrar', lang, width: 1366, height: 768 })
    await signIn(person, 'employee', 'registrar@canopus.example.edu')
    return person
  }

  test('a session that ends over a form is renewed in place, and what was entered is saved', async () => {
    const person = await registrar()
    const { page } = person
    const [faculty] = await demo.query<{ id: number }>('select min(id) as id from faculties')
    await person.go(`/settings/faculties/edit/${faculty!.id}`)
    const name = page.locator('input[name="name"]')
    await name.fill(`Faculty renamed ${lang}`)
    // What the browser was told by the server is gone: as after some hours, or when somebody ended the sessions.
    await page.context().clearCookies()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: person.say('kit', 'signed_out_title') })
    await dialog.waitFor()
    await person.picture('session ended')
    expect(await name.inputValue()).toBe(`Faculty renamed ${lang}`)
    await dialog.locator('input[type="password"]').fill('not the password')
    await person.button(person.say('kit', 'sign_in'), dialog).click()
    await dialog.getByRole('alert').waitFor()
    await dialog.locator('input[type="password"]').fill(DEMO_PASSWORD)
    await person.button(person.say('kit', 'sign_in'), dialog).click()
    await expect
      .poll(
        async () =>
          (await demo.query<{ name: string }>('select name from faculties where id = $1', [faculty!.id]))[0]!.name,
        // A password takes its time, more so after a wrong one.
        { timeout: 45_000 },
      )
      .toBe(`Faculty renamed ${lang}`)
    await expect.poll(() => dialog.count()).toBe(0)
    await page.context().close()
  })

  test('the next screen shows its shape at once, and when its code cannot be fetched offers to try again inside the application', async () => {
    const person = await registrar()
    const { page } = person
    await person.go('/students')
    let go = (): void => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    let broken = true
    await page.route('**/assets/*.js', async (route) => {
      await held
      await (broken ? route.abort('internetdisconnected') : route.continue())
    })
    await page.locator('tbody tr[data-row] a').first().click()
    await page.locator('main [aria-busy="true"][data-kind]').waitFor({ timeout: 2000 })
    await person.picture('the next screen is coming')
    go()
    await page.getByRole('heading', { name: person.say('kit', 'screen_failed_title') }).waitFor()
    await person.picture('the next screen could not be fetched')
    // The menu is still there.
    expect(await page.getByRole('navigation').count()).toBeGreaterThan(0)
    broken = false
    await person.button(person.say('kit', 'try_again')).click()
    await page.getByRole('tablist').first().waitFor()
    await page.context().close()
  })

  test('what hurts says how many and whom, asks for their number, and gives the focus back', async () => {
    const person = await registrar()
    const { page } = person
    await person.go('/students')
    await page.getByRole('checkbox', { name: person.say('kit-screens', 'select_page') }).check()
    const count = await page.locator('tbody tr[data-row]').count()
    expect(count).toBeGreaterThanOrEqual(25)
    const bar = page.getByRole('toolbar', { name: person.say('kit-screens', 'selection') })
    const remove = person.button(person.say('kit-screens', 'remove'), bar)
    await remove.click()
    const dialog = page.getByRole('dialog')
    const yes = person.button(person.say('kit-screens', 'remove'), dialog)
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(6)
    await person.look('many are to be removed')
    await dialog.getByRole('textbox').fill(String(count - 1))
    // Pressed too early it says what is missing, and nothing happens.
    await yes.click()
    const missing = dialog.getByRole('alert')
    await expect.poll(() => missing.count()).toBe(1)
    await expect.poll(() => dialog.getByRole('textbox').getAttribute('aria-invalid')).toBe('true')
    await dialog.getByRole('textbox').fill(String(count))
    await expect.poll(() => missing.count()).toBe(0)
    await person.button(person.say('kit', 'cancel'), dialog).click()
    await expect.poll(() => dialog.count()).toBe(0)
    await expect.poll(() => remove.evaluate((button) => button.matches(':focus'))).toBe(true)
    await person.leave()
  })
})
