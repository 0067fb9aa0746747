/** An official transcript is issued, verified by a stranger on a phone, revoked, and verified again. */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([openBrowser(), openDemo(), readTexts('kit', 'papers', 'students')])
}, 240_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('en'))('a paper is issued, verified and revoked, %s', { timeout: 240_000 }, async (lang) => {
  const registrar = await Person.open(browser, demo.address, { name: 'papers', lang })
  const say = (key: string, values?: Record<string, string>) => registrar.say('papers', key, values)
  await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
  const [student] = await demo.query<{ id: number; name: string; name_local: string }>(
    `select s.id, s.name, s.name_local from students s where exists (select from student_terms t where t.student_id = s.id)
       and not exists (select from papers p where p.subject_id = s.id) order by s.id limit 1`,
  )
  await registrar.go(`/students/${student!.id}?tab=papers`)
  await registrar.button(say('paper_issue')).click()
  const dialog = registrar.page.getByRole('dialog')
  await dialog.waitFor()
  await registrar.look('issuing')
  await registrar.button(say('paper_issue'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await registrar.reads(/OT-\d{4}-\d{6}/, say('paper_valid'))
  await registrar.look('issued')
  const [paper] = await demo.query<{ code: string; serial: string }>(
    `select code, serial from papers where subject_id = $1`,
    [student!.id],
  )
  const row = registrar.page.getByRole('row', { name: new RegExp(paper!.serial) })
  const file = await registrar.download(() =>
    row
      .getByRole('button', { name: new RegExp(say('paper_open')) })
      .first()
      .click(),
  )
  expect(file.name).toContain(paper!.serial)

  const stranger = await Person.open(browser, demo.address, { name: 'stranger', lang, width: 360 })
  await stranger.go('/qr_code')
  await stranger.look('asked for the code')
  await stranger.page.getByRole('textbox').fill(paper!.code.toLowerCase())
  await stranger.button(say('verify_go')).click()
  await stranger.reads(say('paper_valid'), say('verify_valid_text'), paper!.serial, stranger.nameOf(student!))
  await stranger.look('valid')

  await row.getByRole('button').last().click()
  await registrar.page.getByRole('menuitem', { name: say('paper_revoke') }).click()
  await dialog.getByRole('textbox').fill('Mistaken mark')
  await registrar.button(say('paper_revoke'), dialog).click()
  await registrar.reads(say('paper_revoked'))
  await registrar.look('revoked')

  await stranger.go(`/qr_code/${paper!.code}`)
  await stranger.reads(say('paper_revoked'), say('verify_revoked_text'))
  expect(await stranger.text()).not.toContain('Mistaken')
  await stranger.look('told that it is revoked')
  await stranger.go(`/qr_code/${'0'.repeat(20)}`)
  await stranger.reads(say('paper_unknown'), say('verify_unknown_text'))
  await stranger.look('unknown')
  await registrar.leave()
  await stranger.leave()
})
