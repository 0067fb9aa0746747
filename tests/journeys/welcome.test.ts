/**
 * Somebody new: invited by mail, with an app that shows codes and a passkey, a role in a faculty for a month and the reason why; the
 * archive on a store of objects with ZIPs both ways; a student as whom one looks around, who asks a ticket.
 */
import { unzipSync, zipSync } from 'fflate'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { totpCodeOf, totpStepAt } from '#areas/people/access-and-people/second-factor/totp.server.ts'
import { ticketFields, ticketFlow } from '#areas/people/conversation/tickets/ticket.contract.ts'
import { SECURITY_KINDS } from '#areas/common/settings/logs/logs.contract.ts'
import { openMailServer } from '../mail-server.ts'
import type { MailServer } from '../mail-server.ts'
import { openS3 } from '../s3.ts'
import type { S3 } from '../s3.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'

let browser: Browser
let demo: DemoWorld
let mail: MailServer
let s3: S3
beforeAll(async () => {
  ;[mail, s3] = await Promise.all([openMailServer(), openS3()])
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo({ SMTP_URL: mail.url, STORAGE_URL: s3.url }),
    readTexts('kit', 'kit-screens', 'sign-in', 'access-and-people', 'archive', 'conversation', 'settings'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
  await Promise.all([mail?.stop(), s3?.close()])
})

interface Named {
  id: number
  name: string
  name_local: string
}
const day = (shift: number): string => addDays(dayOf(), shift)
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** What the app shows, `off` half minutes from now. */
function appCode(secret: string, off = 0): string {
  const bits = [...secret.replaceAll(' ', '')].map((c) => ALPHABET.indexOf(c).toString(2).padStart(5, '0')).join('')
  const bytes = Buffer.from(bits.match(/.{8}/g)!.map((eight) => Number.parseInt(eight, 2)))
  return totpCodeOf(bytes, totpStepAt(Date.now() / 1000) + off)
}
const pdf = (text: string) => Buffer.from(`%PDF-1.7\n1 0 obj<</T(${text})>>endobj\n%%EOF\n`)
const PASSWORD = 'four loud mountains'

describe.each(langsOf('en'))('somebody new, %s', (lang) => {
  const email = `nadia.${lang}@canopus.example.edu`
  let boss: Person
  let nadia: Person
  let clerk: Named
  const say = (area: string, key: string, values?: Record<string, string | number>) => boss.say(area, key, values)

  beforeAll(async () => {
    boss = await Person.open(browser, demo.address, { name: 'boss', lang })
    const [made] = await demo.query<Named>(
      `insert into users (type, name, name_local, email, language) values (2, $1, $2, $3, $4) returning id, name, name_local`,
      [`Nadia Rashad ${lang}`, `نادية رشاد ${lang}`, email, lang],
    )
    clerk = made!
  }, 180_000)
  afterAll(async () => {
    await boss?.leave()
    await nadia?.leave()
  })

  test('is invited by mail, and sets a password and a second factor', { timeout: 360_000 }, async () => {
    await signIn(boss, 'employee', 'superadmin@canopus.example.edu')
    await boss.go(`/employees/${clerk.id}`)
    await boss.look('an employee without an account')
    await boss.button(say('kit', 'more_actions')).click()
    await boss.page.getByRole('menuitem', { name: say('kit', 'invite') }).click()
    await boss.button(say('kit', 'invite'), boss.page.getByRole('dialog')).click()
    const letter = await mail.mailTo(email)
    const link = /https?:\/\/\S+reset-password-v1\?token=[\w-]+/.exec(letter.text ?? '')![0]
    expect(letter.html).toContain(`lang="${lang}"`)

    // Passkeys are made for the address people type.
    nadia = await Person.open(browser, demo.publicAddress, { name: 'nadia', lang, width: 390 })
    const { page } = nadia
    const { pathname, search } = new URL(link)
    await nadia.go(`${pathname}${search}`)
    const agree = nadia.button(say('kit', 'cookie_accept'))
    if (await agree.isVisible()) await agree.click()
    await nadia.look('the first password')
    await page.getByLabel(say('kit', 'new_password'), { exact: true }).fill(PASSWORD)
    await page.getByLabel(say('kit', 'repeat_password'), { exact: true }).fill(PASSWORD)
    await nadia.button(say('kit', 'set_password')).click()
    await page.waitForURL(/\/login/)
    await page.getByLabel(say('kit', 'email')).fill(email)
    await page.getByLabel(say('kit', 'password'), { exact: true }).fill(PASSWORD)
    await nadia.button(say('kit', 'sign_in')).click()
    await page.waitForURL((url) => url.pathname !== '/login')

    await nadia.go('/profile/sign-in')
    await nadia.button(say('access-and-people', 'factor_set_up')).click()
    await page.getByRole('img', { name: say('sign-in', 'setup_qr') }).waitFor()
    const secret = await page
      .locator('bdi[dir=ltr]')
      .filter({ hasText: /^(\w{4} ){7}\w{4}$/ })
      .innerText()
    await page.getByLabel(say('sign-in', 'setup_code')).fill(appCode(secret, -1))
    await nadia.button(say('sign-in', 'setup_finish')).click()
    await nadia.reads(say('sign-in', 'recovery_title'))
    await nadia.button(say('sign-in', 'recovery_kept')).click()
    await nadia.reads(say('access-and-people', 'factor_on'))
    await nadia.bringDevice()
    await nadia.button(say('access-and-people', 'passkey_add')).click()
    await page.getByLabel(say('sign-in', 'passkey_name')).fill('Phone of Nadia')
    await nadia.button(say('sign-in', 'passkey_make')).click()
    await nadia.reads('Phone of Nadia')
    await nadia.look('with an app and a passkey')
    await page.evaluate('fetch("/api/users/logout", { method: "POST" })')
    await nadia.go('/login')
    await nadia.button(say('kit', 'passkey_sign_in')).click()
    await page.waitForURL((url) => url.pathname !== '/login')

    // The link of the mail works once.
    const late = await Person.open(browser, demo.address, { name: 'late', lang })
    await late.go(`${pathname}${search}`)
    await late.page.getByLabel(say('kit', 'new_password'), { exact: true }).fill(PASSWORD)
    await late.page.getByLabel(say('kit', 'repeat_password'), { exact: true }).fill(PASSWORD)
    await late.refused(409, '/users/reset-password', async () => {
      await late.button(say('kit', 'set_password')).click()
      await late.page.getByRole('alert').waitFor()
    })
    await late.leave()
  })

  test('gets a role in a faculty for a month, and one sees why she may', { timeout: 360_000 }, async () => {
    const own = (key: string, values?: Record<string, string | number>) => say('access-and-people', key, values)
    const [faculty] = await demo.query<Named>(
      'select id, name, name_local from faculties where removed_at is null order by id desc limit 1',
    )
    const [role] = await demo.query<Named>(`select id, name, name_local from roles where key = 'faculty_registrar'`)
    await boss.go('/settings/roles')
    await boss.look('roles')
    await boss.go(`/settings/roles/details/${role!.id}`)
    await boss.look('a role')
    await boss.go(`/users/${clerk.id}`)
    await boss.look('a user')
    await boss.go(`/settings/user/role/${clerk.id}`)
    await boss.button(own('role_give')).click()
    const dialog = boss.page.getByRole('dialog')
    const pick = async (field: string, name: string) => {
      await dialog
        .getByRole('combobox', { name: own(field) })
        .or(dialog.getByRole('textbox', { name: own(field) }))
        .first()
        .fill(name)
      await boss.page.getByRole('option', { name }).first().click()
    }
    await pick('role', boss.nameOf(role!))
    await pick('part_of_university', boss.nameOf(faculty!))
    await dialog.getByLabel(own('last_day')).fill(day(30))
    await boss.picture('giving')
    await boss.button(own('give'), dialog).click()
    await boss.reads(own('preview_title'), boss.nameOf(faculty!))
    await boss.look('what it gives')
    await boss.page
      .getByLabel(own('reason'))
      .fill(lang === 'ar' ? 'تنوب عن مسجل الكلية' : 'Stands in for the registrar')
    await boss.button(own('access_save')).click()
    await boss.reads(own('access_saved', { name: boss.nameOf(clerk) }))
    expect(
      await demo.query(
        `select valid_to::text, scope_type, scope_id from role_assignments where user_id = $1 and role_id = $2`,
        [clerk.id, role!.id],
      ),
    ).toEqual([{ valid_to: day(30), scope_type: 'faculty', scope_id: faculty!.id }])
    await boss.go(`/settings/rights?tab=why&user=${clerk.id}&right=show_students`)
    await boss.reads(own('why_yes', { name: boss.nameOf(clerk) }), boss.nameOf(role!), boss.nameOf(faculty!))
    await boss.look('why')
    await boss.go('/settings/rights?right=approve_control')
    await boss.look('who')
    // Without signing in again she has it, and nothing of another faculty.
    const [theirs] = await demo.query<{ own: number; others: number }>(
      `select min(id) filter (where faculty_id = $1) as own, min(id) filter (where faculty_id <> $1) as others from students where removed_at is null`,
      [faculty!.id],
    )
    await nadia.go(`/students/${theirs!.own}`)
    await nadia.look('a student of her faculty')
    await nadia.refused(404, '/students', () => nadia.go(`/students/${theirs!.others}`))
  })

  test('a review takes a right that is not needed any more', { timeout: 360_000 }, async () => {
    const own = (key: string, values?: Record<string, string | number>) => say('access-and-people', key, values)
    await boss.go('/settings/rights/reviews')
    await boss.look('reviews')
    const [open] = await demo.query<Named & { row: number; grant: number; user: Named }>(
      `select v.id, t.id as row, t.grant_id as grant, r.name, r.name_local,
         json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) as user
       from rights_reviews v join rights_review_rows t on t.review_id = v.id and t.decision is null and t.way = 'role'
         join roles r on r.id = t.role_id and r.key in ('timetable_assistant', 'summer_desk') join users u on u.id = t.user_id
       where v.closed_at is null order by t.id limit 1`,
    )
    const right = boss.nameOf(open!)
    await boss.go(`/settings/rights/reviews/${open!.id}?search=${encodeURIComponent(boss.nameOf(open!.user))}`)
    await boss.look('a review')
    const line = boss.page.getByRole('row').filter({ hasText: right })
    await line.getByRole('button', { name: say('kit-screens', 'row_actions') }).click()
    await boss.page.getByRole('menuitem', { name: own('take'), exact: true }).click()
    const asked = boss.page.getByRole('dialog')
    await asked.getByRole('textbox').fill(lang === 'ar' ? 'لم يعد يعمل في الجودة' : 'No longer works in quality')
    await boss.button(own('take'), asked).click()
    await boss.reads(own('review_revoked', { name: boss.nameOf(open!.user), what: right }))
    expect(await demo.query('select from role_assignments where id = $1', [open!.grant])).toEqual([])
    // The rest of the first page is confirmed at once.
    await boss.go(`/settings/rights/reviews/${open!.id}?filters=${encodeURIComponent('{"decision":"open"}')}`)
    await boss.page.getByRole('checkbox', { name: say('kit-screens', 'select_page') }).check()
    await boss.look('many chosen')
    await boss.button(own('review_confirm'), boss.page.getByRole('toolbar')).click()
    await boss.look('confirmed at once')
  })

  test('the archive on a store of objects, with a ZIP in and a ZIP out', { timeout: 360_000 }, async () => {
    const own = (key: string, values?: Record<string, string | number>) => say('archive', key, values)
    const [folder] = await demo.query<{ id: number }>(
      `insert into archive_entries (parent_id, kind, name, name_local) values (1, 'folder', $1, $1) returning id`,
      [`Welcome ${lang}`],
    )
    await boss.go(`/archives?folder=${folder!.id}`)
    await boss.look('an empty folder')
    const files = { 'Rules/2026/Exams.pdf': pdf('exams'), 'Rules/لائحة.pdf': pdf('rules') }
    await boss.page
      .getByLabel(own('upload_zip'), { exact: true })
      .setInputFiles({ name: 'Rules.zip', mimeType: 'application/zip', buffer: Buffer.from(zipSync(files)) })
    const inside = boss.page.getByRole('button', { name: /^Rules/ })
    await inside.waitFor()
    await boss.look('unpacked')
    await boss.page.getByRole('checkbox', { name: /Rules/ }).check()
    const { content } = await boss.download(() => boss.button(own('download_zip')).click())
    const out = unzipSync(new Uint8Array(content))
    expect(
      Object.keys(out)
        .filter((name) => name.endsWith('.pdf'))
        .toSorted(),
    ).toEqual(Object.keys(files).toSorted())
    // What goes in comes out, byte for byte, and is in the store.
    expect(Buffer.from(out['Rules/2026/Exams.pdf']!).equals(files['Rules/2026/Exams.pdf'])).toBe(true)
    expect((await s3.contents()).length).toBeGreaterThanOrEqual(2)
  })

  test('somebody looks as a student, changes nothing, and is seen in the log', { timeout: 360_000 }, async () => {
    const [student] = await demo.query<Named & { user_id: number }>(
      `select s.id, s.name, s.name_local, s.user_id from students s join users u on u.id = s.user_id where u.email = 'student@canopus.example.edu'`,
    )
    const looker = await Person.open(browser, demo.address, { name: 'looker', lang })
    await signIn(looker, 'employee', 'admin@canopus.example.edu')
    await looker.go(`/students/${student!.id}`)
    await looker.button(say('kit', 'more_actions')).click()
    await looker.page.getByRole('menuitem', { name: say('kit', 'log_in_as'), exact: true }).click()
    await looker.button(say('kit', 'log_in_as'), looker.page.getByRole('dialog')).click()
    await looker.reads(
      say('kit', 'impersonation_banner', { name: looker.nameOf(student!) }),
      say('kit', 'impersonation_read_only'),
    )
    await looker.look('as a student')
    // What the screen does not offer is refused as well.
    const asked = await looker.refused(403, '/tickets', () =>
      looker.page.evaluate<number>(
        `fetch('/api/tickets', { method: 'PUT', headers: { 'content-type': 'application/json' }, body: '{}' }).then((r) => r.status)`,
      ),
    )
    expect(asked).toBe(403)
    await looker.button(say('kit', 'impersonation_end')).click()
    await expect.poll(() => looker.text()).not.toContain(say('kit', 'impersonation_read_only'))
    await looker.leave()
    await boss.go('/settings/logs/security')
    await boss.reads(boss.label(SECURITY_KINDS.find(({ value }) => value === 'log_in_as')!.label))
    await boss.look('the log')
  })

  test('a ticket from both sides, on a phone and on a desk', { timeout: 360_000 }, async () => {
    const open = (name: string, width: number) => Person.open(browser, demo.address, { name, lang, width })
    const [student, desk] = await Promise.all([open('asks', 390), open('answers', 1366)])
    const own = (key: string, values?: Record<string, string | number>) => say('conversation', key, values)
    const stateOf = (value: string) => student.label(ticketFlow.states.find((one) => one.value === value)!.label)
    await Promise.all([
      signIn(student, 'student', 'student@canopus.example.edu'),
      signIn(desk, 'employee', 'registrar@canopus.example.edu'),
    ])
    await student.go('/my-tickets')
    await student.look('my tickets')
    await student.go('/my-tickets/add')
    await student.page.getByRole('combobox', { name: own('group') }).click()
    await student.page.getByRole('option', { name: lang === 'ar' ? 'التسجيل' : 'Registration', exact: true }).click()
    await student.page.getByLabel(student.label(ticketFields.subject.label)).fill('Group 2 of Algorithms')
    await student.page.getByLabel(own('description')).fill('My bus arrives at nine.')
    await student.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'bus.pdf', mimeType: 'application/pdf', buffer: pdf('bus') })
    await student.reads('bus.pdf')
    await student.look('asking')
    await student.button(own('open_ticket')).click()
    await student.page.waitForURL(/\/my-tickets\/\d+$/)
    const id = Number(student.page.url().split('/').at(-1))

    await desk.go(`/tickets/${id}`)
    await desk.reads('My bus arrives at nine.', 'bus.pdf')
    await desk.button(own('to_note')).click()
    await desk.page.getByLabel(own('note'), { exact: true }).fill('There is one place left.')
    await desk.button(own('note_save')).click()
    await desk.reads('There is one place left.', own('internal'))
    await desk.button(own('to_reply')).click()
    await desk.page.getByLabel(own('reply'), { exact: true }).fill('Done, see your timetable.')
    await desk.button(own('reply_send')).click()
    await desk.reads(stateOf('in_progress'))
    await desk.look('a ticket')

    // The student has not loaded the page again.
    await student.reads('Done, see your timetable.')
    expect(await student.text()).not.toContain('There is one place left.')
    expect(await student.text()).not.toContain(own('internal'))
    await demo.query(`update tickets set status = 'resolved', resolved_at = now() where id = $1`, [id])
    await student.go(`/my-tickets/${id}`)
    await student.page
      .getByRole('group', { name: own('rate') })
      .getByRole('button')
      .last()
      .click()
    await student.reads(own('rated'))
    await student.look('the own ticket')
    expect(await demo.query('select score from tickets where id = $1', [id])).toEqual([{ score: 5 }])
    await desk.go('/tickets')
    await desk.look('tickets')
    await desk.go('/tickets/statistics')
    await desk.look('figures')
    await Promise.all([student.leave(), desk.leave()])
  })
})
