/** A registrar finds a double record, compares it, merges it, follows an old link, and takes it back. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'merging', 'students'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('ar'))('a double record is merged and taken apart again, %s', { timeout: 720_000 }, async (lang) => {
  const registrar = await Person.open(browser, demo.address, { name: 'merging', lang })
  const say = (key: string, values?: Record<string, string | number>) => registrar.say('merging', key, values)
  const [pair] = await demo.query<{ kept: number; merged: number; code: string; name: string; name_local: string }>(
    `select k.id as kept, m.id as merged, m.code, k.name, k.name_local from students m join students k on 'D' || k.code = m.code`,
  )
  const { kept, merged, code } = pair!
  await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
  await registrar.go('/people/merge')
  await registrar.reads(say('sign_name_and_birth'), code)
  await registrar.look('likely doubles')
  await registrar.page
    .getByRole('listitem')
    .filter({ hasText: code })
    .getByRole('link', { name: say('compare') })
    .click()
  await registrar.reads(say('values'), '01012345678')
  await registrar.page
    .getByRole('radio', { name: new RegExp(`: ${say('merged')}`) })
    .first()
    .check()
  await registrar.look('side by side')
  await registrar.button(say('merge_now')).click()
  const dialog = registrar.page.getByRole('dialog')
  await registrar.button(say('merge_now'), dialog).click()
  await registrar.reads(registrar.say('kit', 'still_missing'))
  await dialog.getByRole('textbox').fill(code)
  await registrar.look('typed to confirm')
  await registrar.button(say('merge_now'), dialog).click()
  await registrar.reads(say('merged_done', { name: registrar.nameOf(pair!) }))
  await registrar.look('merged')

  // An old link leads to the record that stayed.
  await registrar.go(`/students/${merged}`)
  await expect.poll(() => new URL(registrar.page.url()).pathname).toBe(`/students/${kept}`)
  await registrar.settled()
  await registrar.go('/people/merge')
  await registrar.look('what was merged')
  await registrar.button(registrar.say('kit-screens', 'undo_of', { name: registrar.nameOf(pair!) })).click()
  await registrar.button(registrar.say('kit-screens', 'undo'), dialog).click()
  await registrar.reads(registrar.say('kit-screens', 'undone'))
  expect(await demo.query('select id from merged_records')).toEqual([])
  await registrar.leave()
})
