/**
 * Days of a term, one after the other: attendance by code on two screens, a ban, an excuse with its paper, a meeting that is
 * moved, marks by barcode, a mark that is looked at again, a certificate that a stranger verifies, and one cell that somebody
 * changes behind the program's back.
 */
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
    readTexts('kit', 'kit-screens', 'attendance', 'scheduling', 'grading', 'papers'),
  ])
}, 720_000)
afterAll(async () => {
  await browser?.close()
  await demo?.close()
})

const one = async <Row>(text: string, values: readonly unknown[] = []): Promise<Row> => {
  const [row] = await demo.query<Row>(text, values)
  if (!row) throw new Error(`The demo university has none: ${text.slice(0, 120)}`)
  return row
}
const CURRENT = `(select term_id from current_terms where key = 'current_term')`
/** The dates of the term are open, whatever day this is. */
const openStages = () =>
  demo.query(`insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
    select ${CURRENT}, id, now() - interval '1 hour', now() + interval '1 hour' from stage_codes c where code in ('excuse', 'exam')
      and not exists (select from term_stages s where s.term_id = ${CURRENT} and s.stage_code_id = c.id and now() between s.starts_at and s.ends_at)`)

test.each(langsOf('en'))('from the first meeting to the certificate, %s', { timeout: 720_000 }, async (lang) => {
  await openStages()
  const phone = { lang, width: 390, height: 844 }
  const teacher = await Person.open(browser, demo.address, { name: 'teacher', ...phone })
  const student = await Person.open(browser, demo.address, { name: 'student', ...phone })
  const registrar = await Person.open(browser, demo.address, { name: 'registrar', lang })
  const team = await Person.open(browser, demo.address, { name: 'control team', lang })
  const head = await Person.open(browser, demo.address, { name: 'head of control', lang })

  // A lecture that takes place today, in the faculty whose control decides; who is absent from it twice is not admitted.
  const meeting = await one<{
    id: number
    offering_id: number
    location_id: number
    student_id: number
    teacher: string
    student: string
  }>(`
    with m as (
      select m.id, m.offering_id, m.location_id, i.user_id, (select min(r.student_id) from registration_slots rs join registrations r on r.id = rs.registration_id
        where rs.offering_slot_id = m.id and r.status & 262144 <> 0) as student_id
      from offering_slots m join offering_instructors oi on oi.offering_id = m.offering_id and oi.role = 'leader'
        join instructors i on i.id = oi.instructor_id join offerings o on o.id = m.offering_id
      where m.term_id = ${CURRENT} and m.type = 'Lecture' and m.taken > 5 and m.location_id is not null and o.control_status = 'Draft' and o.faculty_id = (
        select x.faculty_id from instructors x join users u on u.id = x.user_id where u.email like 'control.head@%')
      order by m.id limit 1
    ), moved as (
      update offering_slots s set day = week_place(university_today()), slot_id = (select p.id from slots p
          where p.removed_at is null and not exists (select from offering_slots x where x.id <> m.id and x.term_id = ${CURRENT} and x.slot_id = p.id
            and x.location_id = m.location_id and x.day = week_place(university_today())) order by p.start_time limit 1)
        from m where s.id = m.id
    ), rule as (
      update bylaws set absence_warn_share = 0.5, absence_ban_share = 1
    )
    select m.id, m.offering_id, m.location_id, m.student_id, t.email as teacher, u.email as student from m join users t on t.id = m.user_id
      join students s on s.id = m.student_id join users u on u.id = s.user_id`)
  await signIn(teacher, 'instructor', meeting.teacher)
  await signIn(student, 'student', meeting.student)

  // Attendance: the code on one screen, scanned by the other.
  await teacher.go(`/offerings/attendance/${meeting.offering_id}?meeting=${meeting.id}`)
  await teacher.picture('the list')
  await teacher.page.getByRole('link', { name: teacher.say('attendance', 'show_code') }).click()
  await teacher.page.getByRole('img', { name: teacher.say('attendance', 'code_label') }).waitFor()
  await teacher.look('the code')
  const address = async () => {
    const answer = await teacher.page.evaluate(
      `fetch('/api/attendance/code/${meeting.id}/' + location.pathname.split('/').at(-1)).then((one) => one.json())`,
    )
    return new URL((answer as { data: { url: string } }).data.url).pathname
  }
  // The camera of the browser, under the headers of every page. What reads codes is the system's, and not there: it sees the
  // code as soon as the camera gives a picture.
  await student.page.addInitScript(`globalThis.BarcodeDetector = class {
    async detect(video) { return video.videoWidth > 0 && globalThis.shown ? [{ rawValue: globalThis.shown }] : [] }
  }`)
  await student.go('/attend')
  await student.page.evaluate(`globalThis.shown = ${JSON.stringify(`https://university.example${await address()}`)}`)
  await student.button(student.say('attendance', 'open_camera')).click()
  await student.page
    .getByRole('status')
    .filter({ hasText: student.say('attendance', 'my_attendance') })
    .waitFor()
  await student.look('counted')
  await teacher.page
    .getByText(/^[^\d٠-٩]*[1١][^\d٠-٩]/)
    .first()
    .waitFor()
  await student.refused(409, '/attendance/scan', async () => student.go(await address()))
  await teacher.page.getByRole('link', { name: teacher.say('attendance', 'to_list') }).click()
  await teacher.settled()
  await teacher.button(teacher.say('attendance', 'rest_absent')).click()
  await teacher.page.getByText(teacher.say('attendance', 'rest_absent_done')).waitFor()

  // A ban: proposed by the count, decided by control.
  const banned = await one<{ id: number; code: string }>(
    `select c.id, s.code from absence_cases c join registrations r on r.id = c.registration_id join students s on s.id = r.student_id
     where r.offering_id = $1 and c.status = 'proposed' order by c.id limit 1`,
    [meeting.offering_id],
  )
  await signIn(head, 'employee', 'control.head@canopus.example.edu')
  await head.go(
    `/absences?search=${banned.code}&filters=${encodeURIComponent(JSON.stringify({ status: ['proposed'] }))}`,
  )
  await head.picture('absences')
  const dialog = (person: Person) => person.page.getByRole('dialog')
  const ban = head.label(['Ban from the exam', 'حرمان من الامتحان'])
  await head.page
    .getByRole('row', { name: new RegExp(banned.code) })
    .getByRole('button')
    .last()
    .click()
  await head.page.getByRole('menuitem', { name: ban }).click()
  await dialog(head).waitFor()
  await head.button(ban, dialog(head)).click()
  await dialog(head).waitFor({ state: 'detached' })
  const state = () => one<{ status: string }>('select status from absence_cases where id = $1', [banned.id])
  await expect.poll(async () => (await state()).status).toBe('banned')

  // An excuse with its paper, asked for on the telephone and decided at the desk.
  const label = (person: Person, en: string, ar: string) => person.page.getByLabel(person.label([en, ar]))
  await student.go('/excuses/add')
  const today = (await one<{ day: string }>('select university_today()::text as day')).day
  for (const [en, ar] of [
    ['First day', 'أول يوم'],
    ['Last day', 'آخر يوم'],
  ] as const) {
    const input = label(student, en, ar).first()
    await input.fill(today)
    await input.press('Tab')
  }
  await student.page.locator('textarea').first().fill('I was at the hospital.')
  await student.page.locator('input[type="file"]').setInputFiles({
    name: 'hospital.pdf',
    mimeType: 'application/pdf',
    buffer: Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\n%%EOF\n'),
  })
  await student.reads('hospital.pdf')
  await student.look('an excuse')
  await student.button(student.label(['Ask for an excuse', 'تقديم عذر'])).click()
  await student.page.waitForURL('**/excuses')
  const asked = await one<{ id: number; file_id: number }>(
    `select id, file_id from excuses where student_id = $1 order by id desc limit 1`,
    [meeting.student_id],
  )
  expect(asked.file_id).not.toBeNull()
  await signIn(registrar, 'employee', 'registrar@canopus.example.edu')
  await registrar.go(`/excuses?id=${asked.id}`)
  await registrar.reads('hospital.pdf')
  await registrar.look('excuses')
  /** Says yes to what is asked first. */
  const sure = async (person: Person, en: string, ar: string) => {
    const name = new RegExp(`^${person.label([en, ar])}`)
    await person.button(name).first().click()
    await dialog(person).waitFor()
    await person.button(name, dialog(person)).click()
  }
  await sure(registrar, 'Accept', 'قبول')
  await expect
    .poll(async () => (await one<{ status: string }>('select status from excuses where id = $1', [asked.id])).status)
    .toBe('accepted')

  // The student's calendar at a secret address; a meeting is taken elsewhere by mouse and by keyboard, and it follows.
  await student.go('/offerings/my_schedule')
  await student.button(student.say('scheduling', 'calendar_file')).click()
  await student.button(student.say('scheduling', 'feed_make')).click()
  const secret = await student.page.getByLabel(student.say('scheduling', 'feed_address')).inputValue()
  // The button that made it is gone: whoever works by keyboard goes on in the dialog.
  await expect
    .poll(() => student.page.evaluate(`document.activeElement.closest('[role="dialog"]') !== null`))
    .toBe(true)
  await student.look('the address of the calendar')
  const feed = `${demo.address}${new URL(secret).pathname}`
  const before = await fetch(feed)
  const calendar = await before.text()
  const etag = before.headers.get('etag')!
  expect((await fetch(feed, { headers: { 'if-none-match': etag } })).status).toBe(304)
  const place = () =>
    one<{ day: number; slot_id: number }>('select day, slot_id from offering_slots where id = $1', [meeting.id])
  const stood = await place()
  await registrar.go(`/schedules/board?by=location&of=${meeting.location_id}`)
  const card = registrar.page.locator(`[data-meeting="${meeting.id}"]`)
  await card.waitFor()
  await registrar.look('the board')
  const box = (await card.boundingBox())!
  await registrar.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  await registrar.page.mouse.down()
  await registrar.page.mouse.move(box.x + box.width / 2 + 20, box.y + box.height / 2 + 4, { steps: 4 })
  const free = registrar.page.locator('[data-fit="free"]:not([data-over])').first()
  await free.waitFor()
  const target = (await free.boundingBox())!
  await registrar.page.mouse.move(target.x + 20, target.y + 20, { steps: 6 })
  await registrar.picture('a meeting in the hand')
  await registrar.page.mouse.up()
  const bar = registrar.page.locator('[data-save-bar]')
  await bar.waitFor()
  await registrar.picture('a meeting moved, not saved')
  expect(await place()).toEqual(stood)
  await bar.getByRole('button').last().click()
  await bar.waitFor({ state: 'detached' })
  const moved = await place()
  expect(moved).not.toEqual(stood)
  const notices = () =>
    demo.query<{ key: string }>(
      `select n.key from notifications n join users u on u.id = n.user_id where u.email = $1 and n.key = 'scheduling.notice_moved'`,
      [meeting.student],
    )
  expect(await notices()).toHaveLength(1)
  const after = await fetch(feed, { headers: { 'if-none-match': etag } })
  expect([after.status, (await after.text()) === calendar]).toEqual([200, false])
  // By the keyboard: Escape leaves it where it was, Enter puts it down.
  await card.focus()
  await registrar.page.keyboard.press('Enter')
  await registrar.page.keyboard.press('ArrowDown')
  await registrar.page.keyboard.press('Escape')
  expect(await bar.count()).toBe(0)
  await card.focus()
  await registrar.page.keyboard.press('Enter')
  for (let i = 0; i < 12; i++) {
    await registrar.page.keyboard.press(i % 6 === 5 ? 'ArrowRight' : i < 6 ? 'ArrowDown' : 'ArrowUp')
    if ((await registrar.page.locator('[data-over][data-fit="free"]').count()) > 0) break
  }
  await registrar.page.keyboard.press('Enter')
  await bar.waitFor()
  await bar.getByRole('button').last().click()
  await bar.waitFor({ state: 'detached' })
  expect(await place()).not.toEqual(moved)
  expect(await notices()).toHaveLength(2)

  // Marks by barcode: who marks reads codes, and no name.
  const paper = await one<{ offering_id: number; code: string }>(`
    with marker as (
      insert into offering_instructors (offering_id, instructor_id, role)
      select a.offering_id, i.id, 'instructor' from anonymous_offerings a, instructors i join users u on u.id = i.user_id
      where a.opened_at is null and u.email like 'control@%' on conflict do nothing
    ), stage as (
      update term_stages s set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' from stage_codes k
      where k.id = s.stage_code_id and k.code = 'grade_entry'
    )
    select b.offering_id, b.code from exam_barcodes b join exam_barcode_owners w on w.barcode_id = b.id
    where b.mark is null and not b.absent order by b.code limit 1`)
  await signIn(team, 'employee', 'control@canopus.example.edu')
  await team.go(`/control/offerings/barcode/${paper.offering_id}`)
  await team.look('papers by barcode')
  await team.page.getByLabel(team.say('grading', 'barcode'), { exact: true }).fill(paper.code)
  await team.page.keyboard.press('Enter')
  await team.page.keyboard.type('17')
  await team.page.keyboard.press('Enter')
  const marked = () =>
    one<{ mark: string | null }>('select trim_scale(mark)::text as mark from exam_barcodes where code = $1', [
      paper.code,
    ])
  await expect.poll(async () => (await marked()).mark).toBe('17')
  await team.picture('a paper marked')

  // A mark is looked at again by one person who did not give it, and decided by another.
  const recheck = await one<{ id: number; more: string; registration_id: number }>(`
    with found as (
      select r.id as registration_id, m.offering_mark_id, trim_scale(m.mark)::text as mark, trim_scale(m.mark + 1)::text as more, s.user_id
      from registrations r join offerings o on o.id = r.offering_id join registration_marks m on m.registration_id = r.id
        join offering_marks om on om.id = m.offering_mark_id join mark_categories k on k.id = om.mark_category_id and k.is_final_exam
        join students s on s.id = r.student_id and s.user_id is not null and s.status = 'studying'
      where o.control_status = 'Published' and m.mark + 1 <= om.max and o.faculty_id = (
          select x.faculty_id from instructors x join users u on u.id = x.user_id where u.email like 'control.head@%')
        and not exists (select from grade_rechecks x where x.registration_id = r.id) and not exists (
          select from users u where u.id = m.entered_by and u.email like 'control%')
      order by r.id desc limit 1
    ), asked as (
      insert into grade_rechecks (registration_id, offering_mark_id, kind, why, status, old_mark)
      select registration_id, offering_mark_id, 'recheck', 'Question 4 was not counted.', 'requested', mark from found returning id, registration_id
    ), begun as (
      insert into step_history (workflow, record_id, actor_id, action, to_state)
      select 'grade_recheck', asked.id, found.user_id, 'begin', 'requested' from asked join found using (registration_id)
    )
    select asked.id, registration_id, found.more from asked join found using (registration_id)`)
  await team.go(`/control/grades_recheck/show/${recheck.id}`)
  const standing = () => one<{ status: string }>('select status from grade_rechecks where id = $1', [recheck.id])
  await sure(team, 'Take up', 'بدء المراجعة')
  await expect.poll(async () => (await standing()).status).toBe('under_review')
  await team.go(`/control/grades_recheck/edit/${recheck.id}`)
  await team.look('what was found')
  await team.page.locator('form input').first().fill(recheck.more)
  await team.page.locator('form textarea').first().fill('Question 4 gives one mark more.')
  await team.button(team.say('grading', 'save_finding')).click()
  await team.page.waitForURL(`**/show/${recheck.id}`)
  await head.go(`/control/grades_recheck/show/${recheck.id}`)
  await head.reads('Question 4 gives one mark more.')
  await head.look('a recheck to decide')
  await sure(head, 'Accept', 'قبول')
  await expect.poll(async () => (await standing()).status).toBe('accepted')

  // A certificate, verified by a stranger on a telephone, revoked, and verified again.
  const say = (key: string, values?: Record<string, string>) => registrar.say('papers', key, values)
  await registrar.go(`/students/${meeting.student_id}?tab=papers`)
  await registrar.button(say('paper_issue')).click()
  await dialog(registrar).waitFor()
  await dialog(registrar).getByRole('combobox').selectOption('enrollment_certificate')
  await registrar.picture('issuing')
  await registrar.button(say('paper_issue'), dialog(registrar)).click()
  await dialog(registrar).waitFor({ state: 'detached' })
  await registrar.reads(/EC-\d{4}-\d{6}/, say('paper_valid'))
  const issued = await one<{ code: string; serial: string; name: string; name_local: string }>(
    `select p.code, p.serial, s.name, s.name_local from papers p join students s on s.id = p.subject_id where p.subject_id = $1
     order by p.id desc limit 1`,
    [meeting.student_id],
  )
  const row = registrar.page.getByRole('row', { name: new RegExp(issued.serial) })
  const file = await registrar.download(() =>
    row
      .getByRole('button', { name: new RegExp(say('paper_open')) })
      .first()
      .click(),
  )
  expect(file.name).toContain(issued.serial)
  const stranger = await Person.open(browser, demo.address, { name: 'stranger', ...phone })
  await stranger.go('/qr_code')
  await stranger.page.getByRole('textbox').fill(issued.code.toLowerCase())
  await stranger.button(say('verify_go')).click()
  await stranger.reads(say('paper_valid'), say('verify_valid_text'), issued.serial, stranger.nameOf(issued))
  await stranger.look('valid')
  await row.getByRole('button').last().click()
  await registrar.page.getByRole('menuitem', { name: say('paper_revoke') }).click()
  await dialog(registrar).getByRole('textbox').fill('Mistaken level')
  await registrar.button(say('paper_revoke'), dialog(registrar)).click()
  await registrar.reads(say('paper_revoked'))
  await registrar.picture('revoked')
  await stranger.go(`/qr_code/${issued.code}`)
  await stranger.reads(say('paper_revoked'), say('verify_revoked_text'))
  expect(await stranger.text()).not.toContain('Mistaken')
  await stranger.picture('told that it is revoked')
  await stranger.go(`/qr_code/${'0'.repeat(20)}`)
  await stranger.reads(say('paper_unknown'), say('verify_unknown_text'))

  // One cell is changed in the database: control finds which, what was signed and what stands there.
  const cell = await one<{ registration_id: number; offering_mark_id: number; mark: string; code: string }>(`
    select m.registration_id, m.offering_mark_id, trim_scale(m.mark)::text as mark, s.code from registration_marks m
      join registrations r on r.id = m.registration_id join students s on s.id = r.student_id
    where r.offering_id = (select offering_id from registrations where id = ${recheck.registration_id}) and m.mark > 1
      and r.id <> ${recheck.registration_id} order by m.registration_id limit 1`)
  await demo.query(`set session_replication_role = replica; update registration_marks set mark = mark - 0.75
    where registration_id = ${cell.registration_id} and offering_mark_id = ${cell.offering_mark_id}; set session_replication_role = origin`)
  await head.go('/control/offerings')
  await head.button(head.say('kit', 'more_actions')).first().click()
  await head.page.getByRole('menuitem', { name: head.say('grading', 'verify_grades') }).click()
  await dialog(head).waitFor()
  await head.picture('verifying')
  await head.button(head.say('grading', 'verify'), dialog(head)).click()
  await head.reads(head.say('grading', 'findings_count', { count: 1 }), cell.code, cell.mark)
  await head.look('the cell that was changed')
  for (const person of [teacher, student, registrar, team, head, stranger]) await person.leave()
})
