/** A form told what is missing, corrected and sent; one that is left half written is offered again. */
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
    readTexts('kit', 'kit-forms', 'kit-screens', 'conversation', 'offerings'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

test.each(langsOf('ar'))('a ticket is written, left, gone on with and sent, %s', { timeout: 720_000 }, async (lang) => {
  const student = await Person.open(browser, demo.address, { name: 'student', lang, width: 390 })
  const { page } = student
  const say = (key: string) => student.say('conversation', key)
  const kit = (key: string, values = {}) => student.say('kit-forms', key, values)
  await signIn(student, 'student', 'student@canopus.example.edu')
  await student.go('/my-tickets/add')

  // Pressed with nothing filled in: told, marked, and the keyboard is in the first field.
  const open = student.button(say('open_ticket'))
  const told = page.getByRole('alert')
  const group = page.getByRole('combobox', { name: say('group') })
  const subject = page.getByRole('textbox', { name: student.label(['Subject', 'الموضوع']) })
  const description = page.getByRole('textbox', { name: say('description') })
  await expect.poll(() => open.isEnabled()).toBe(true)
  await open.click()
  await student.reads(student.say('kit', 'still_missing'))
  expect(await told.getByRole('button').count()).toBe(3)
  await expect.poll(() => group.evaluate((element) => element.matches(':focus'))).toBe(true)
  for (const field of [group, subject, description]) expect(await field.getAttribute('aria-invalid')).toBe('true')
  await student.look('what is missing')
  await told.getByRole('button', { name: say('description') }).click()
  expect(await description.evaluate((element) => element.matches(':focus'))).toBe(true)

  // Filled in: its mark goes, the others stay.
  await subject.fill('A question about my timetable')
  await expect.poll(() => subject.getAttribute('aria-invalid')).toBe(null)
  expect(await description.getAttribute('aria-invalid')).toBe('true')
  await description.fill('Two lectures stand at one hour.')
  await expect.poll(() => told.getByRole('button').count()).toBe(1)
  await student.reads(kit('draft_kept'))

  // Left without a question, and offered again.
  await page.evaluate('history.back()')
  await page.waitForURL((url) => url.pathname !== '/my-tickets/add')
  await student.go('/my-tickets/add')
  await student.look('what was begun')
  expect(await subject.inputValue()).toBe('')
  await student.button(kit('draft_continue')).click()
  await expect.poll(() => subject.inputValue()).toBe('A question about my timetable')
  expect(await description.inputValue()).toBe('Two lectures stand at one hour.')
  await group.click()
  await page.getByRole('option').first().click()
  await open.click()
  await page.waitForURL(/\/my-tickets\/\d+$/)

  // Sent: nothing is offered.
  await student.go('/my-tickets/add')
  expect(await student.button(kit('draft_continue')).count()).toBe(0)

  // Thrown away, and signed out: nothing is left on the device.
  const kept = () => page.evaluate<string[]>(`Object.keys(localStorage).filter((key) => key.startsWith('ems.draft.'))`)
  await subject.fill('Another one')
  await expect.poll(kept).toHaveLength(1)
  await page.reload()
  await student.settled()
  await student.button(kit('draft_drop')).click()
  await expect.poll(kept).toEqual([])
  await subject.fill('A third one')
  await expect.poll(kept).toHaveLength(1)
  await demo.query(`delete from sessions`)
  await page.reload()
  await page.waitForURL((url) => url.pathname === '/login')
  expect(await kept()).toEqual([])
  await page.context().close()
})

test.each(langsOf('ar'))(
  'a dialog says what is wrong where it is, and leads there, %s',
  async (lang) => {
    const [offering] = await demo.query<{ id: number }>(
      `select o.id from offerings o join courses c on c.id = o.course_id
     where o.removed_at is null and o.control_status = 'Draft' and c.lecture_hours > 0 order by o.id desc limit 1`,
    )
    const registrar = await Person.open(browser, demo.address, { name: 'registrar', lang, width: 1366, height: 768 })
    const { page } = registrar
    const say = (key: string) => registrar.say('offerings', key)
    await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
    await registrar.go(`/offering/${offering!.id}?tab=meetings`)
    await registrar.button(say('generate')).first().click()
    const dialog = page.getByRole('dialog')
    const groups = dialog.getByLabel(say('groups_number'), { exact: true })
    const quota = dialog.getByLabel(say('quota'), { exact: true })
    await registrar.look('meetings from the hours')

    // Told as soon as the field is left, and taken back when it is right.
    await quota.fill('0')
    await quota.press('Tab')
    await expect.poll(() => quota.getAttribute('aria-invalid')).toBe('true')
    await quota.fill('40')
    await expect.poll(() => quota.getAttribute('aria-invalid')).not.toBe('true')

    // Sent with two mistakes: both stand at the top, and each leads to its field.
    await quota.fill('0')
    await groups.fill('')
    await registrar.button(say('generate'), dialog).click()
    const told = dialog.getByRole('alert').first()
    await expect.poll(() => told.getByRole('button').count()).toBe(2)
    for (const field of [groups, quota]) expect(await field.getAttribute('aria-invalid')).toBe('true')
    await registrar.look('what is wrong with them')
    await told.getByRole('button', { name: say('quota'), exact: true }).click()
    expect(await quota.evaluate((element) => element.matches(':focus'))).toBe(true)

    await registrar.button(registrar.say('kit', 'cancel'), dialog).click()
    await dialog.waitFor({ state: 'detached' })
    await registrar.leave()
  },
  720_000,
)
