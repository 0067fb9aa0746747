/** A second factor is set up on the own profile, and shown at sign-in: by the app, by a recovery code, by a passkey. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { totpCodeOf, totpStepAt } from '#areas/people/access-and-people/second-factor/totp.server.ts'
import { DEMO_PASSWORD } from '../../apps/demo/index.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'sign-in', 'access-and-people')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** What the app shows, `off` half minutes from now. */
function appCode(secret: string, off = 0): string {
  const bits = [...secret.replaceAll(' ', '')].map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)))
  return totpCodeOf(bytes, totpStepAt(Date.now() / 1000) + off)
}

test.each(langsOf('ar'))('a second factor, from setting up to a lost phone, %s', { timeout: 720_000 }, async (lang) => {
  const email = 'registrar@canopus.example.edu'
  // Each language begins without one.
  await demo.query(`update users set second_factor_at = null where email = $1`, [email])
  const person = await Person.open(browser, demo.address, { name: 'sign-in', lang, width: 360 })
  const say = (key: string) => person.say('sign-in', key)
  const own = (key: string) => person.say('access-and-people', key)
  const { page } = person
  await signIn(person, 'employee', email)
  await person.go('/profile/sign-in')
  await person.look('nothing set up')
  await person.button(own('factor_set_up')).click()
  await page.getByRole('img', { name: say('setup_qr') }).waitFor()
  await person.look('setting up')
  const secret = await page
    .locator('bdi[dir=ltr]')
    .filter({ hasText: /^(\w{4} ){7}\w{4}$/ })
    .innerText()
  await page.getByLabel(say('setup_code')).fill(appCode(secret, -1))
  await person.button(say('setup_finish')).click()
  await person.reads(say('recovery_title'))
  const codes = await page
    .getByRole('listitem')
    .filter({ hasText: /^\w{5}-\w{5}$/ })
    .allInnerTexts()
  expect(codes).toHaveLength(10)
  await person.look('recovery codes')
  await person.button(say('recovery_kept')).click()
  await person.reads(own('factor_on'))
  await person.look('set up')

  const comeBack = async () => {
    // What the screen still asks for would be told that nobody is signed in: one leaves from a page that asks for nothing later.
    await person.go('/profile')
    await page.evaluate('fetch("/api/users/logout", { method: "POST" })')
    await person.go('/login')
    await page.getByLabel(person.say('kit', 'email')).fill(email)
    await page.getByLabel(person.say('kit', 'password'), { exact: true }).fill(DEMO_PASSWORD)
    await person.button(person.say('kit', 'sign_in')).click()
    await person.reads(say('second_step_title'))
  }
  await comeBack()
  await person.look('asked for the code')
  await person.refused(403, '/login/second-factor', async () => {
    await page.getByLabel(say('code')).fill(appCode(secret, 4))
    await person.button(say('step_continue')).click()
    await page.getByRole('alert').waitFor()
  })
  await person.look('a clock two minutes off')
  await page.getByLabel(say('code')).fill(appCode(secret))
  await person.button(say('step_continue')).click()
  await page.waitForURL((url) => url.pathname !== '/login')

  await comeBack()
  await person.button(say('use_recovery_code')).click()
  await page.getByLabel(say('recovery_code')).fill(codes[0]!)
  await person.look('a recovery code')
  await person.button(say('step_continue')).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  await person.go('/profile')
  await person.reads(say('second_by_recovery_code'))
  await person.look('how one signed in')
  await person.leave()
})

test.each(langsOf('ar'))('a passkey, from the way in to proving it again, %s', { timeout: 720_000 }, async (lang) => {
  const email = 'registrar@canopus.example.edu'
  await demo.query('delete from passkeys')
  await demo.query('delete from totp_secrets')
  await demo.query(`update users set second_factor_at = null where email = $1`, [email])
  await demo.query(`update roles set second_factor = true where key = 'registrar'`)
  const person = await Person.open(browser, demo.publicAddress, { name: 'passkey', lang, width: 360 })
  const { page } = person
  const say = (key: string) => person.say('sign-in', key)
  const own = (key: string) => person.say('access-and-people', key)
  await person.bringDevice()
  // The role demands it: a passkey is made on the way in.
  await person.go('/login')
  await page.getByLabel(person.say('kit', 'email')).fill(email)
  await page.getByLabel(person.say('kit', 'password'), { exact: true }).fill(DEMO_PASSWORD)
  await person.button(person.say('kit', 'sign_in')).click()
  await person.reads(say('setup_title'))
  await person.look('which way')
  await person.button(new RegExp(say('setup_passkey_text'))).click()
  // The name is suggested.
  const name = await page.getByLabel(say('passkey_name')).inputValue()
  expect(name).toMatch(/\w/)
  await person.look('its name')
  await person.button(say('passkey_make')).click()
  await person.reads(say('recovery_title'))
  await person.button(say('recovery_kept')).click()
  await page.waitForURL((url) => url.pathname !== '/login')
  await person.go('/profile/sign-in')
  await person.reads(name, own('recovery'))
  await person.look('my passkeys')

  // Without a password.
  await person.settled()
  await page.evaluate('fetch("/api/users/logout", { method: "POST" })')
  await person.go('/login')
  await person.look('the sign-in page')
  await person.button(person.say('kit', 'passkey_sign_in')).click()
  await page.waitForURL((url) => url.pathname !== '/login')

  // An hour later it is asked for again, before the last factor is kept.
  await demo.query(
    `update sessions set confirmed_at = now() - interval '1 hour', second_proved_at = now() - interval '1 hour'`,
  )
  await person.go('/profile/sign-in')
  await person.refused(403, '/users/passkeys', async () => {
    await person.button(own('passkey_add')).click()
    await person.button(say('passkey_make')).click()
    await person.reads(person.say('kit', 'confirm_password_title'))
  })
  await person.picture('asked again')
  await person.button(say('use_passkey')).click()
  // The device holds one already, and says so.
  await person.reads(say('passkey_known'))
  await person.button(person.say('kit', 'cancel')).click()
  await person.refused(409, '/users/passkeys', async () => {
    await person.button(own('passkey_remove')).click()
    await person.button(own('passkey_remove'), page.getByRole('dialog')).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  })
  await person.look('the last factor stays')
  await person.leave()
})
