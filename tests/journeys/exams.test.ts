/**
 * A season of exams to its last paper: placed automatically and watched live, one moved by hand and refused where students
 * would have two at once, locked, published; seats, lists on paper, barcodes; who was away, what happened, papers counted out
 * and back, marks by barcode, and control, which waits for the last hall.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { flag } from '#areas/common/academics/status.rules.ts'
import { LANGUAGES } from '#kit/contract/index.ts'
import { Person, openBrowser, readTexts } from './browser.ts'
import type { Lang } from './browser.ts'
import { textOfPdf } from './pdf.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'exams', 'exam-days', 'grading', 'scheduling'),
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

/** Of whom a request waits, it is decided first. */
const REGISTERED = (row: string) => `${row}.status & ${flag.Registered} <> 0`

const NAMES = { name: 'Finals of a journey', name_local: 'نهائي رحلة' }

/** The final exams of six courses of the faculty whose control decides, held on some of eight days that have passed; each language has its own. */
async function finals(lang: Lang): Promise<{ id: number; offering: number }> {
  const offerings = await demo.query<{ id: number; students: number }>(
    `select o.id, count(*)::int as students from offerings o join registrations r on r.offering_id = o.id and sits_exam(r.status)
     where o.term_id = ${CURRENT} and o.faculty_id = 1 and o.control_status = 'Draft' and o.removed_at is null
       and not exists (select from anonymous_offerings a where a.offering_id = o.id)
       and exists (select from offering_marks m join mark_categories k on k.id = m.mark_category_id and k.is_final_exam where m.offering_id = o.id)
       and not exists (select from exam_schedules x join exams e on e.id = x.exam_id and e.code like 'JRN-%' where x.offering_id = o.id)
       and not exists (select from exam_cases x join registrations y on y.id = x.registration_id where y.offering_id = o.id)
       and not exists (select from exam_absences x join registrations y on y.id = x.registration_id where y.offering_id = o.id)
     group by o.id order by count(*), o.id limit 6`,
  )
  const { days } = await one<{ days: string[] }>(
    'select array_agg((university_today() - $1::int - d)::text order by d desc) as days from generate_series(1, 8) d',
    [8 * LANGUAGES.indexOf(lang)],
  )
  const slots = await demo.query<{ id: number }>('select id from exam_slots order by start_time limit 2')
  const halls = await demo.query<{ id: number; capacity: number }>(
    `select id, capacity from locations where location_type = 'hall' and removed_at is null order by capacity desc, id limit 3`,
  )
  const { term_id } = await one<{ term_id: number }>(`select ${CURRENT} as term_id`)
  const { data } = await demo.send<{ data: { id: number } }>('exams', 'PUT', '/exams', {
    code: `JRN-${lang}`,
    ...NAMES,
    term_id,
    faculty_id: 1,
    kind: 'final',
    days: days.map((on_date) => ({ on_date })),
    times: slots.map(({ id }) => ({ exam_slot_id: id })),
    halls: halls.map(({ id, capacity }) => ({ location_id: id, seats: capacity })),
  })
  await demo.send('exams', 'POST', `/exams/${data.id}/cover`, { offering_ids: offerings.map((row) => row.id) })
  return { id: data.id, offering: offerings[0]!.id }
}

test.each(langsOf('ar'))('from the board to control, %s', { timeout: 720_000 }, async (lang) => {
  const { id: exam, offering } = await finals(lang)
  const open = (name: string, width?: number) =>
    Person.open(browser, demo.address, { name, lang, ...(width && { width, height: 844 }) })
  const officer = await open('exam officer')
  await signIn(officer, 'employee', 'exams@canopus.example.edu')
  const { page } = officer
  const say = (area: 'exams' | 'exam-days' | 'grading', key: string, values?: Record<string, string | number>) =>
    officer.say(area, key, values)
  const dialog = page.getByRole('dialog')

  // Placed automatically, watched, and taken as a whole.
  await officer.go(`/exams/board/${exam}`)
  // The board is the page of the exam, whatever address leads there.
  await page.waitForURL((url) => url.pathname === `/exams/${exam}`)
  await officer.reads(say('exams', 'tray_count', { count: 6 }))
  await officer.button(say('exams', 'adjust')).click()
  await page.getByLabel(say('exams', 'seconds')).fill('2')
  await officer.look('what it weighs')
  await officer.button(say('exams', 'place_so')).click()
  await page.getByRole('progressbar').waitFor()
  await officer.picture('running')
  await officer.button(say('exams', 'take')).waitFor()
  // In words, and on the board itself: what stands is one press away.
  await officer.reads(say('exams', 'counted_unplaced'), say('exams', 'better'))
  expect(await page.locator('[data-board] [data-moved]').count()).toBe(6)
  await officer.look('proposal')
  await page.getByText(say('exams', 'present'), { exact: true }).first().click()
  await expect.poll(() => page.locator('[data-board] [data-exam]').count()).toBe(0)
  await officer.button(say('exams', 'take')).click()
  await expect
    .poll(() => demo.query(`select from exam_schedules where exam_id = $1 and during is null`, [exam]), {
      timeout: 45_000,
    })
    .toEqual([])
  await page.getByRole('region', { name: say('exams', 'tray') }).waitFor({ state: 'detached' })
  await officer.look('placed')

  // By keyboard to where students have another exam: refused with the course; nothing has moved.
  const pair = await one<{
    id: number
    course: string
    from_day: number
    from_row: number
    day: number
    row: number
  }>(
    `with p as (select s.id, s.offering_id, c.code, dense_rank() over (order by d.on_date) - 1 as day, s.exam_slot_id, s.on_date
         from exam_days d left join exam_schedules s on s.exam_id = d.exam_id and s.on_date = d.on_date
           left join offerings o on o.id = s.offering_id left join courses c on c.id = o.course_id where d.exam_id = $1),
       t as (select x.exam_slot_id, row_number() over (order by y.start_time) - 1 as row from exam_times x
         join exam_slots y on y.id = x.exam_slot_id where x.exam_id = $1)
     select a.id, b.code as course, a.day::int as from_day, ta.row::int as from_row, b.day::int as day, tb.row::int as row
     from p a join t ta on ta.exam_slot_id = a.exam_slot_id
       join p b on b.id <> a.id and (b.on_date, b.exam_slot_id) <> (a.on_date, a.exam_slot_id) join t tb on tb.exam_slot_id = b.exam_slot_id
     where exists (select from registrations r join registrations q on q.student_id = r.student_id and q.offering_id = b.offering_id
       where r.offering_id = a.offering_id and sits_exam(r.status) and sits_exam(q.status)) order by a.id, b.id limit 1`,
    [exam],
  )
  const card = page.locator(`[data-exam="${pair.id}"]`)
  const placeOf = () => one(`select on_date::text, exam_slot_id from exam_schedules where id = $1`, [pair.id])
  const stood = await placeOf()

  // What is held at the edge takes the board along, towards the end of the page, and lets it be once it is let go.
  const wide = page.viewportSize()!
  await page.setViewportSize({ width: 300, height: wide.height })
  const board = page.locator('[data-board]')
  const gone = () => board.evaluate((element) => Math.abs(element.scrollLeft))
  const held = page.locator('[data-board] [data-exam]').first()
  // In the middle: what was just done is told at the lower edge.
  await held.evaluate((element) => element.scrollIntoView({ block: 'center' }))
  const [from, frame] = [(await held.boundingBox())!, (await board.boundingBox())!]
  const before = await gone()
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await page.mouse.down()
  await page.mouse.move(lang === 'ar' ? frame.x + 8 : frame.x + frame.width - 8, from.y + from.height / 2, { steps: 4 })
  await expect.poll(gone).toBeGreaterThan(before + 20)
  await page.keyboard.press('Escape')
  await page.mouse.up()
  await page.setViewportSize(wide)
  expect(await placeOf()).toEqual(stood)
  await card.focus()
  await page.keyboard.press('Enter')
  const across = pair.day - pair.from_day
  const forward = lang === 'ar' ? 'ArrowLeft' : 'ArrowRight'
  const back = lang === 'ar' ? 'ArrowRight' : 'ArrowLeft'
  for (let i = 0; i < Math.abs(across); i++) await page.keyboard.press(across > 0 ? forward : back)
  const down = pair.row - pair.from_row
  for (let i = 0; i < Math.abs(down); i++) await page.keyboard.press(down > 0 ? 'ArrowDown' : 'ArrowUp')
  await officer.picture('over students of another exam')
  await officer.refused(422, '/exam-schedules', async () => {
    await page.keyboard.press('Enter')
    await officer.reads(pair.course)
    await page.getByRole('alert').first().waitFor()
  })
  await officer.look('refused')
  expect(await placeOf()).toEqual(stood)

  // To where it may be: every cell tells it, and the focus goes with the card.
  const focused = () => page.evaluate<string | undefined>('document.activeElement?.dataset.exam')
  expect(await focused()).toBe(String(pair.id))
  await page.keyboard.press('Enter')
  const free = page
    .locator(`[data-board] [data-fit="free"]:not([data-day="${pair.from_day}"][data-row="${pair.from_row}"])`)
    .first()
  const [to_day, to_row] = await free.evaluate((cell) => [Number(cell.dataset.day), Number(cell.dataset.row)] as const)
  for (let i = 0; i < Math.abs(to_day - pair.from_day); i++)
    await page.keyboard.press(to_day > pair.from_day ? forward : back)
  for (let i = 0; i < Math.abs(to_row - pair.from_row); i++)
    await page.keyboard.press(to_row > pair.from_row ? 'ArrowDown' : 'ArrowUp')
  await officer.look('held over a free place')
  await page.keyboard.press('Enter')
  await expect.poll(placeOf).not.toEqual(stood)
  await officer.settled()
  expect(await focused()).toBe(String(pair.id))
  expect(await card.evaluate((element) => element.closest<HTMLElement>('[data-day]')?.dataset.day)).toBe(String(to_day))
  await card.click()
  await officer.button(say('exams', 'lock')).click()
  await officer.button(say('exams', 'unlock')).waitFor()

  // Seats: proposed, looked at, taken; then published, so that students have them in their timetable.
  await officer.go(`/exams_seats?exam_id=${exam}`)
  await officer.button(say('exam-days', 'propose_seats')).click()
  await officer.button(say('exam-days', 'take_seats')).click()
  await officer.reads(say('exam-days', 'all_seated'))
  await officer.look('seats')

  // Published from the page of the exam: to how many, and what lacks, is read and typed first.
  const before_it = await demo.read<{
    data: {
      students: number
      invigilators: { lacking: number; needed: number }
      told: { students: number; invigilators: number }
    }
  }>('exams', `/exams/publishing/${exam}`)
  const { invigilators, told } = before_it.data
  await officer.go(`/exams/${exam}`)
  const publish = officer.label(['Publish', 'نشر'])
  await officer.button(publish).click()
  await officer.reads(say('exams', 'publish_happens'))
  const people = told.students + told.invigilators
  if (invigilators.lacking) {
    await officer.reads(
      say('exams', 'publish_invigilators', { count: invigilators.lacking, needed: invigilators.needed }),
    )
    if (people >= 25) {
      // Nothing is published by mistake: the number of those who are told is asked for where it is typed.
      const typed = dialog.getByRole('textbox')
      await officer.button(say('exams', 'publish_anyway'), dialog).click()
      await expect.poll(() => typed.getAttribute('aria-invalid')).toBe('true')
      await typed.fill(String(people))
    }
  }
  await officer.look('what publishing does')
  await officer.button(say('exams', invigilators.lacking ? 'publish_anyway' : 'publish_now'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await officer.reads(officer.label(['Published', 'منشور']))
  await officer.look('published')
  const seat = await one<{
    hall: number
    schedule: number
    student: string
    name: string
    name_local: string
    second: string
    email: string
    course: string
    count: number
    on_date: string
  }>(
    `select (select min(h.id) from exam_schedule_locations h where h.exam_id = l.exam_id and h.location_id = l.location_id and h.during = l.during) as hall, s.id as schedule, u.code as student, u.name, u.name_local, a.email, c.code as course, s.on_date::text,
       (select y.code from exam_seats q join registrations g on g.id = q.registration_id and ${REGISTERED('g')} join students y on y.id = g.student_id
         where q.exam_schedule_id = s.id and q.location_id = l.location_id and q.id <> z.id order by q.seat limit 1) as second,
       (select count(*)::int from exam_schedule_locations h where h.exam_schedule_id = s.id) as count
     from exam_schedules s join exam_schedule_locations l on l.exam_schedule_id = s.id join offerings o on o.id = s.offering_id
       join courses c on c.id = o.course_id join exam_seats z on z.exam_schedule_id = s.id and z.location_id = l.location_id
       join registrations r on r.id = z.registration_id and ${REGISTERED('r')} join students u on u.id = r.student_id join users a on a.id = u.user_id
     where s.exam_id = $1 and s.offering_id = $2 order by l.id, z.seat limit 1`,
    [exam, offering],
  )
  expect(seat.count).toBe(1)
  // Day by day and hall by hall; a seat says who sits there and around.
  await officer.go(`/exams_seats?exam_id=${exam}&day=${seat.on_date}`)
  const line = page.getByRole('listitem').filter({ hasText: seat.course }).first()
  await line.getByRole('button').first().click()
  await dialog.locator('[data-seat]').first().focus()
  await page.keyboard.press(forward)
  await expect.poll(() => page.evaluate<string | undefined>('document.activeElement?.dataset.seat')).toBe('2')
  await officer.reads(say('exam-days', 'seat_number', { number: 2 }), say('exam-days', 'seat_beside'))
  await officer.look('plan of a hall')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  for (const [what, key] of [
    ['door list', 'door_list'],
    ['attendance sheet', 'attendance_sheet'],
  ] as const) {
    await line.getByRole('button').last().click()
    const file = await officer.download(() =>
      page.getByRole('menuitem', { name: say('exam-days', key), exact: true }).click(),
    )
    expect(file.content.subarray(0, 5).toString(), what).toBe('%PDF-')
    const text = await textOfPdf(file.content)
    if (text !== null) expect(text, what).toContain(seat.student)
    await officer.settled()
  }
  const student = await open('student', 390)
  await signIn(student, 'student', seat.email)
  await student.go('/offerings/my_schedule')
  await student.reads(student.say('scheduling', 'exams'), seat.course)
  await student.look('exams in the timetable')

  // Barcodes of its papers.
  await officer.go(`/exams_barcodes?offering_id=${offering}`)
  await page.getByRole('link', { name: say('grading', 'generate_barcodes') }).click()
  await officer.button(say('grading', 'generate_barcodes')).click()
  await officer.reads(say('grading', 'names_closed'))
  await officer.picture('barcodes')

  // Who was away: read by a scanner, which ends with Enter; all of a hall at once.
  await officer.go(`/exams_absences/hall?exam_id=${exam}&hall=${seat.hall}`)
  await officer.look('a hall')
  await page.getByLabel(say('exam-days', 'scan_student')).fill(seat.student)
  await page.keyboard.press('Enter')
  await officer.picture('ticked')
  await Promise.all([
    page.waitForResponse((one) => one.url().includes('/exam-absences/hall/') && one.request().method() === 'PUT'),
    officer.button(say('exam-days', 'record_ticked_one')).click(),
  ])
  const mainOf = async (code: string) =>
    await one<{ absent: boolean; punished: boolean }>(
      `select r.status & 536870912 <> 0 as absent, exists (select from exam_cases x where x.registration_id = r.id and x.status = 'punished') as punished
         from registrations r join students s on s.id = r.student_id where r.offering_id = $1 and s.code = $2`,
      [offering, code],
    )
  await expect.poll(() => mainOf(seat.student), { timeout: 45_000 }).toEqual({ absent: true, punished: false })

  // What happened: opened by the exam office, decided by the dean.
  await officer.go('/exams_punishments')
  await officer.button(say('exam-days', 'open_case')).click()
  await dialog.getByLabel(say('exam-days', 'student_text')).fill(seat.second)
  await officer.button(say('exam-days', 'find'), dialog).click()
  await dialog.getByLabel(say('exam-days', 'what_happened')).fill('Notes under the booklet.')
  await dialog
    .getByRole('listitem')
    .filter({ hasText: seat.course })
    .filter({ hasText: officer.nameOf(NAMES) })
    .getByRole('button')
    .click()
  await officer.button(say('exam-days', 'case_stands'), dialog).first().waitFor()
  await officer.look('an investigation is open')
  const dean = await open('dean')
  await signIn(dean, 'employee', 'dean@canopus.example.edu')
  await dean.go(`/exams_punishments?search=${seat.second}`)
  const punish = dean.label(['Punish: this course', 'معاقبة: هذا المقرر'])
  // The same student may be looked into in another exam as well.
  const row = dean.page.getByRole('row', { name: new RegExp(seat.second) }).filter({ hasText: seat.course })
  await row.getByRole('button').last().click()
  await dean.page.getByRole('menuitem', { name: punish }).click()
  const asked = dean.page.getByRole('dialog')
  await asked.getByRole('textbox').fill('Council of the faculty')
  await dean.look('what a punishment does')
  await dean.button(punish, asked).click()
  await expect.poll(async () => (await mainOf(seat.second)).punished, { timeout: 45_000 }).toBe(true)

  // Papers into the hall, and as many out as were present.
  await officer.go(
    `/exams_delivery?search=${seat.course}&filters=${encodeURIComponent(JSON.stringify({ exam_id: [exam] }))}`,
  )
  const paper = page.getByRole('row', { name: new RegExp(seat.course) })
  await officer.button(say('exam-days', 'deliver'), paper).click()
  await officer.button(say('exam-days', 'save'), dialog).click()
  await dialog.waitFor({ state: 'detached' })

  // Marks without names: the first by hand as a scanner reads them, the others sent.
  await demo.query(
    `insert into offering_instructors (offering_id, instructor_id, role) select $1, i.id, 'instructor' from instructors i
       join users u on u.id = i.user_id where u.email like 'control@%' on conflict do nothing`,
    [offering],
  )
  await demo.query(
    `update term_stages s set starts_at = now() - interval '1 hour', ends_at = now() + interval '1 hour' from stage_codes k
     where k.id = s.stage_code_id and k.code = 'grade_entry'`,
  )
  const codes = await demo.query<{ code: string }>(
    `select b.code from exam_barcodes b join exam_barcode_owners w on w.barcode_id = b.id join registrations r on r.id = w.registration_id
     where b.offering_id = $1 and not exists (select from exam_absences a where a.registration_id = r.id) order by b.code`,
    [offering],
  )
  const team = await open('control team')
  await signIn(team, 'instructor', 'control@canopus.example.edu')
  await team.go(`/control/offerings/barcode/${offering}`)
  for (const { code } of codes.slice(0, 2)) {
    await team.page.getByLabel(team.say('grading', 'barcode'), { exact: true }).fill(code)
    await team.page.keyboard.press('Enter')
    await team.page.keyboard.type('21')
    await team.page.keyboard.press('Enter')
    await expect
      .poll(
        async () => (await one<{ mark: string }>('select mark::text from exam_barcodes where code = $1', [code])).mark,
        { timeout: 45_000 },
      )
      .toBe('21.00')
  }
  await team.look('marked by barcode')
  for (const { code } of codes.slice(2))
    await demo.send('control', 'PUT', `/control/students/barcode/update-final-mark/${offering}`, {
      barcode: code,
      mark: '20',
      version: null,
    })
  await officer.go(`/control/offerings/barcode/${offering}`)
  await officer.button(say('grading', 'open_names')).click()
  await officer.button(say('grading', 'open_names'), dialog).click()
  await officer.reads(say('grading', 'names_opened'))
  await officer.look('names opened')

  // Control waits for the papers of the hall, and says for which.
  await demo.query(
    `insert into registration_marks (registration_id, offering_mark_id, mark) select r.id, m.id, m.max from registrations r
       join offering_marks m on m.offering_id = r.offering_id
     where r.offering_id = $1 and sits_exam(r.status) on conflict do nothing`,
    [offering],
  )
  for (const step of ['submit', 'review'])
    await demo.send('control', 'PUT', `/control/offerings/${step}-control-status/${offering}`, {})
  const head = await open('head of control')
  await signIn(head, 'instructor', 'control.head@canopus.example.edu')
  const { term } = await one<{ term: number }>(`select ${CURRENT} as term`)
  const controlled = `/control/offerings?search=${seat.course}&filters=${encodeURIComponent(JSON.stringify({ term_id: term }))}`
  const approve = head.label(['Approve', 'اعتماد'])
  await head.go(controlled)
  const approving = head.page.getByRole('dialog')
  const decide = async () => {
    await head
      .button(approve, head.page.getByRole('row', { name: new RegExp(seat.course) }))
      .first()
      .click()
    await head.button(approve, approving).click()
  }
  await head.refused(409, '/control/offerings', async () => {
    await decide()
    await head.page.getByRole('alert').first().waitFor()
  })
  await head.look('papers are still out')
  await officer.go(
    `/exams_delivery?search=${seat.course}&filters=${encodeURIComponent(JSON.stringify({ exam_id: [exam] }))}`,
  )
  await officer.button(say('exam-days', 'take_papers_back'), paper).click()
  await dialog.getByLabel(say('exam-days', 'why_differs')).fill('One booklet too many was handed out.')
  await officer.look('a difference is said')
  await officer.button(say('exam-days', 'save'), dialog).click()
  await dialog.waitFor({ state: 'detached' })
  await officer.look('papers are back')
  await head.go(controlled)
  await decide()
  await expect
    .poll(
      async () =>
        (await one<{ control_status: string }>('select control_status from offerings where id = $1', [offering]))
          .control_status,
      { timeout: 45_000 },
    )
    .toBe('Approved')
  for (const person of [officer, student, dean, team, head]) await person.leave()
})
