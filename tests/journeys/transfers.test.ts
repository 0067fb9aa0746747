/** A student asks to move; the courses are decided on beside the audit of the outcome, the move is executed, and the record shows both. */
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
    readTexts('kit', 'kit-screens', 'settings', 'transfers', 'students'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('en'))('an internal transfer from the wish to the record, %s', { timeout: 360_000 }, async (lang) => {
  const registrar = await Person.open(browser, demo.address, { name: 'transfers', lang })
  const say = (key: string, values?: Record<string, string>) => registrar.say('transfers', key, values)
  await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
  const [transfer] = await demo.query<{ id: number; student_id: number }>(
    `select t.id, t.student_id from internal_transfers t where t.status in ('added', 'agreed')
       and exists (select from equivalences e where e.internal_transfer_id = t.id and e.state = 'proposed') order by t.id limit 1`,
  )
  await registrar.go('/students/transfer')
  await registrar.look('list')
  await registrar.go(`/students/${transfer!.student_id}/transfer/${transfer!.id}`)
  await registrar.reads(say('against'), say('equivalence'), say('outcome'))
  await registrar.look('waiting')
  await registrar.page.getByRole('link', { name: say('edit_equivalence') }).click()
  await registrar.reads(say('equivalence_text'))
  await registrar.page
    .getByLabel(say('theirs'))
    .or(registrar.page.getByRole('list', { name: say('equivalence') }))
    .waitFor()
  await registrar.look('equivalence')
  await registrar.button(say('decide')).click()
  await registrar.page.waitForURL(`**/students/${transfer!.student_id}/transfer/${transfer!.id}`)
  const dialog = registrar.page.getByRole('dialog')
  for (const word of lang === 'ar' ? ['موافقة', 'تنفيذ'] : ['Agree', 'Execute']) {
    await registrar.button(word).click()
    await dialog.waitFor()
    await registrar.look(word)
    await registrar.button(word, dialog).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await registrar.go(`/students/${transfer!.student_id}?tab=grades`)
  await registrar.reads(registrar.say('students', 'credited'))
  await registrar.look('record')
  const [moved] = await demo.query<{ moved: boolean }>(
    `select s.program_id = t.program_id as moved from internal_transfers t join students s on s.id = t.student_id where t.id = $1`,
    [transfer!.id],
  )
  expect(moved).toEqual({ moved: true })
  await registrar.go('/transfer/external/add')
  await registrar.reads(say('papers'))
  await registrar.look('entering')
  await registrar.go('/students/transfer_out')
  await registrar.look('leaving')
})

test.each(langsOf('ar'))(
  'courses from elsewhere: a university that is not in the list is added in place, %s',
  { timeout: 540_000 },
  async (lang) => {
    const registrar = await Person.open(browser, demo.address, { name: 'elsewhere', lang, width: 1366 })
    const say = (key: string, values?: Record<string, string | number>) => registrar.say('transfers', key, values)
    await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
    const [student] = await demo.query<{ id: number; code: string }>(
      `select s.id, s.code from students s where s.status = 'studying' and s.faculty_id = 1 and not exists (
         select from external_transfers t where t.student_id = s.id) order by s.id desc limit 1`,
    )
    await registrar.go('/transfer/external/add')
    const { page } = registrar
    const choose = async (label: string, typed: string) => {
      const input = page.getByLabel(label, { exact: true })
      await input.click()
      await input.fill(typed)
      await page.getByRole('option').first().waitFor()
    }
    await choose(say('student'), student!.code)
    await page.getByRole('option', { name: student!.code }).click()
    const university = registrar.label(['University', 'الجامعة'])
    // Found in the script of either name; one that is not there is added without leaving the form.
    await choose(university, 'القاهره')
    await page
      .getByRole('option', { name: lang === 'ar' ? 'جامعة القاهرة' : 'Cairo University' })
      .first()
      .waitFor()
    await registrar.look('found')
    await choose(university, 'Zewail City')
    await page.getByRole('option').filter({ hasText: 'Zewail City' }).last().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await dialog.locator('input[name="code"]').fill('ZC')
    await dialog.locator('input[name="name_local"]').fill('مدينة زويل')
    await registrar.look('adding')
    await registrar.button(registrar.label(['Add university', 'إضافة جامعة']), dialog).click()
    await dialog.waitFor({ state: 'detached' })
    // It is chosen, and kept for everybody.
    const added = await demo.query<{ name_local: string }>(
      `select name_local from universities_list where name = 'Zewail City'`,
    )
    expect(added).toEqual([{ name_local: 'مدينة زويل' }])
    await registrar.leave()
  },
)
