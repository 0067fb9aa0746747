/** Single sign-on by SAML in a browser, from another site and back, and the screens that set it up and connect directories. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ownMetadata } from '#areas/people/access-and-people/saml/saml.server.ts'
import { openSamlProvider } from '#demo/saml-provider.ts'
import type { DemoSamlProvider } from '#demo/saml-provider.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { DemoWorld } from './world.ts'

const MAIL = 'urn:oid:0.9.2342.19200300.100.1.3'
let browser: Browser
let demo: DemoWorld
let provider: DemoSamlProvider
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'ems-federation-'))
  const probe = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => probe.once('listening', resolve))
  const { port } = probe.address() as AddressInfo
  await new Promise((resolve) => probe.close(resolve))
  const settings = {
    PORT: String(port),
    // Another site than the provider, which is known by its number: no cookie comes along from there.
    PUBLIC_URL: `http://localhost:${port}`,
    SAML_METADATA: path.join(folder, 'provider.xml'),
    SAML_EMAIL_DOMAINS: 'canopus.example.edu',
    SAML_TRUST_EMAIL: '1',
  }
  const config = readConfig(settings)
  provider = await openSamlProvider(await ownMetadata(config, config.saml!))
  await writeFile(settings.SAML_METADATA, provider.metadata)
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(settings), readTexts('kit', 'access-and-people')])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await provider?.close()
  await rm(folder, { recursive: true, force: true })
})

test.each(langsOf('ar'))('attributes are mapped, and whoever signs in at the provider comes in (%s)', async (lang) => {
  // Nothing of the run in another language.
  for (const table of ['saml_mappings', 'saml_samples', 'identities', 'scim_directories'])
    await demo.query(`delete from ${table}`)
  const admin = await Person.open(browser, demo.publicAddress, { name: 'federation', lang, width: 360 })
  const own = (key: string) => admin.say('access-and-people', key)
  await signIn(admin, 'employee', 'root@canopus.example.edu')
  await admin.go('/settings/saml')
  await admin.page.getByRole('combobox', { name: own('saml_email'), exact: true }).fill(MAIL)
  await admin.button(own('saml_save')).click()
  await admin.reads(own('saml_saved'))
  await admin.button(own('saml_watch')).click()
  await admin.reads(own('saml_samples_none'))

  const person = await Person.open(browser, demo.publicAddress, { name: 'federated', lang, width: 360 })
  const { page } = person
  await person.go('/login')
  await person.button(person.say('kit', 'cookie_accept')).click()
  await page.getByRole('radiogroup').getByText(person.say('kit', 'as_employee'), { exact: true }).click()
  await person.look('the sign-in page')
  await person.button(person.say('kit', 'sso_sign_in')).click()
  await page.getByLabel('Who?').fill('registrar@canopus.example.edu')
  await page.getByRole('button').click()
  await page.waitForURL((url) => url.hostname === 'localhost' && url.pathname !== '/login')
  await person.settled()
  const who = await page.evaluate<string>(`fetch('/api/users/profile').then((r) => r.json()).then((b) => b.data.email)`)
  expect(who).toBe('registrar@canopus.example.edu')

  await admin.go('/settings/saml')
  await admin.reads('registrar@canopus.example.edu', own('saml_result'))
  await admin.look('attributes')

  await admin.go('/settings/directories')
  await admin.button(own('directory_connect')).click()
  await admin.page.getByRole('textbox', { name: own('directory_name') }).fill('Entra ID')
  await admin.look('connecting a directory')
  await admin.page
    .getByRole('dialog')
    .getByRole('button', { name: own('directory_connect') })
    .click()
  await admin.reads(own('directory_token'), 'scim_')
  await admin.button(own('directory_done')).click()
  await demo.query(`insert into scim_groups (directory_id, name) select id, 'Registry' from scim_directories`)
  await admin.go('/settings/directories')
  await admin.reads('Registry', own('directory_unused'))
  await admin.look('a directory')
})
