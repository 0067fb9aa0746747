/** A form told what is missing, corrected and sent; one that is left half written is offered again. */
import type { Browser, Locator } from 'playwright-core'
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
    readTexts('kit', 'kit-forms', 'kit-screens', 'conversation', 'offerings', 'settings'),
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
  const subject = page.getByRole('textbox', { name: student.label(['What it is about', 'الموضوع']) })
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

test.each(langsOf('en'))(
  'signing in says what is wrong; what is written of a notice is kept; its history says how many changes there are, %s',
  async (lang) => {
    const key = 'mail.reset_password'
    await demo.query(
      `insert into notice_texts (key, language, version, subject, forms)
       select $1, $2, n, 'Subject ' || n, jsonb_build_object('text', 'Text ' || n || ' {link}') from generate_series(1, 25) n`,
      [key, lang],
    )
    const root = await Person.open(browser, demo.address, { name: 'root', lang, width: 1366, height: 768 })
    const { page } = root
    const say = (name: string) => root.say('settings', name)
    const kit = (name: string, values = {}) => root.say('kit-screens', name, values)
    const focused = (of: Locator) => of.evaluate((element) => element.matches(':focus'))

    // Nothing filled in: told at each field, and the keyboard is in the first. An address is checked when it is left.
    await page.goto(`${demo.address}/login`)
    await root.button(root.say('kit', 'sign_in')).click()
    const email = page.locator('input[name=email]')
    await expect.poll(() => email.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('input[name=password]').getAttribute('aria-invalid')).toBe('true')
    expect(await focused(email)).toBe(true)
    await email.fill('root')
    expect(await email.getAttribute('aria-invalid')).toBe(null)
    await email.press('Tab')
    await root.reads(root.say('kit', 'email_not_valid'))
    await signIn(root, 'employee', 'root@canopus.example.edu')

    // What is written is kept, and offered again; nothing is saved without a change.
    const screen = `/management/notice_texts?kind=${key}&lang=${lang}`
    await root.go(screen)
    const heading = page.getByLabel(say('notice_subject'), { exact: true })
    await root.button(say('notice_save')).click()
    await root.reads(kit('nothing_changed'))
    await heading.fill('Your new password')
    await root.reads(root.say('kit-forms', 'draft_kept'))
    await root.go('/home')
    await root.go(screen)
    expect(await heading.inputValue()).toBe('Subject 25')
    await root.button(root.say('kit-forms', 'draft_continue')).click()
    await expect.poll(() => heading.inputValue()).toBe('Your new password')
    await root.look('a notice that was begun')

    // A preview saves nothing, and goes when something else is written.
    const preview = page.getByRole('region', { name: say('notice_preview') })
    await root.button(say('notice_preview')).click()
    await preview.waitFor()
    await heading.fill('Your password')
    await preview.waitFor({ state: 'detached' })

    // Two mistakes: both at the top, the keyboard in the first.
    const body = page.getByLabel(say('notice_text'), { exact: true })
    await heading.fill('')
    await body.fill('')
    await root.button(say('notice_save')).click()
    await expect.poll(() => page.getByRole('alert').getByRole('button').count()).toBe(2)
    await expect.poll(() => focused(heading)).toBe(true)

    // The history is cut: how many there are is told, and more come on request, where the keyboard stays.
    const told = page.getByRole('status').filter({ hasText: '25' })
    await root.reads(kit('shown_of', { shown: 20, total: 25 }))
    await root.button(kit('show_more')).click()
    await root.reads(kit('all_shown', { total: 25 }))
    await expect.poll(() => focused(told)).toBe(true)
    await page.context().close()
  },
  720_000,
)
