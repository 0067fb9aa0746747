/**
 * A student is granted more time and a room alone: exams are placed with it, the board says what the student would miss, the seats and the
 * lists of the doors know it, and the student's own exams end later.
 */
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Person, openBrowser, readTexts } from './browser.ts'
import { textOfPdf } from './pdf.ts'
import { langsOf, openDemo, signIn } from './world.ts'
import type { DemoWorld } from './world.ts'

let browser: Browser
let demo: DemoWorld
beforeAll(async () => {
  ;[browser, demo] = await Promise.all([
    openBrowser(),
    openDemo(),
    readTexts('kit', 'kit-screens', 'exams', 'exam-days', 'scheduling', 'basis'),
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

test.each(langsOf('en'))(
  'from the exam week to the door, for a student with more time, %s',
  { timeout: 720_000 },
  async (lang) => {
    const open = (name: string, width?: number) =>
      Person.open(browser, demo.address, { name, lang, ...(width && { width, height: 844 }) })
    const at = await one<{
      student: number
      code: string
      email: string
      term: number
      first: number
      second: number
      day: string
    }>(
      `select s.id as student, s.code, u.email, r.term_id as term, min(r.offering_id)::int as first, max(r.offering_id)::int as second,
         (max(t.end_date) - 3)::text as day
       from students s join users u on u.id = s.user_id and u.blocked_at is null join registrations r on r.student_id = s.id and sits_exam(r.status)
         join current_terms k on k.key = 'current_term' and k.term_id = r.term_id join terms t on t.id = r.term_id
         join offerings o on o.id = r.offering_id and o.faculty_id = 1
       where s.faculty_id = 1 and not exists (select from exam_accommodations a where a.student_id = s.id and a.removed_at is null)
       group by s.id, s.code, u.email, r.term_id having count(*) > 1 order by s.id limit 1`,
    )
    // The week of the exams, in which nothing is taught.
    await demo.query(
      `insert into exam_weeks (term_id, faculty_id, level, kind, start_date, end_date) select $1, 1, null, 'final', $2::date, $2::date`,
      [at.term, at.day],
    )
    const { data: exam } = await demo.send<{ data: { id: number } }>('exams', 'PUT', '/exams', {
      code: `MORE-${lang}`,
      name: 'Finals of a journey',
      name_local: 'امتحانات رحلة',
      term_id: at.term,
      faculty_id: 1,
      kind: 'oral',
      days: [{ on_date: at.day }],
      times: (await demo.query<{ id: number }>('select id from exam_slots order by start_time')).map(({ id }) => ({
        exam_slot_id: id,
      })),
      halls: (
        await demo.query<{ id: number; capacity: number }>(
          `(select id, capacity from locations where location_type = 'hall' and removed_at is null order by capacity desc, id limit 2)
           union all (select id, capacity from locations where code like 'A-O%' and removed_at is null order by id limit 2)`,
        )
      ).map(({ id, capacity }) => ({ location_id: id, seats: capacity })),
      reserve_percent: 5,
    })
    await demo.send('exams', 'POST', `/exams/${exam.id}/cover`, { offering_ids: [at.first, at.second] })

    const officer = await open('exam officer')
    await signIn(officer, 'employee', 'exams@canopus.example.edu')
    const { page } = officer
    // Granted in its form: who may, finds it in the menu of exams.
    await officer.go('/exam-accommodations')
    await officer.look('accommodations')
    await officer.go('/exam-accommodations/add')
    await officer.look('granting one')
    const { data: granted } = await demo.send<{ data: { id: number } }>('exams', 'PUT', '/exam-accommodations', {
      student_id: at.student,
      from_term_id: at.term,
      extra_percent: 50,
      own_room: true,
      helper: 'reader',
      reason: 'As the medical centre has found',
    })
    await officer.go(`/exam-accommodations/${granted.id}`)
    await officer.reads(at.code)
    await officer.look('what was granted')
    await officer.go('/schedule-settings?tab=ways')
    await officer.look('ways between buildings')

    // Placed automatically and taken: an hour longer, a room for one.
    await officer.go(`/exams/${exam.id}`)
    await officer.button(officer.say('exams', 'adjust')).click()
    await page.getByLabel(officer.say('exams', 'seconds')).fill('2')
    await officer.button(officer.say('exams', 'place_so')).click()
    await officer.button(officer.say('exams', 'take')).waitFor()
    await officer.look('proposed')
    await officer.button(officer.say('exams', 'take')).click()
    await expect
      .poll(() => demo.query('select from exam_schedules where exam_id = $1 and during is null', [exam.id]), {
        timeout: 60_000,
      })
      .toHaveLength(0)
    expect(await demo.query('select from exams_against_accommodations(array[$1::int])', [exam.id])).toEqual([])
    const rooms = await demo.query<{ hall: string; until: string; id: number; schedule: number }>(
      `select p.name as hall, to_char(upper(l.during), 'HH24:MI') as until, l.id, l.exam_schedule_id as schedule from exam_schedule_locations l
         join locations p on p.id = l.location_id where l.exam_id = $1 and l.own_room order by l.during`,
      [exam.id],
    )
    expect(rooms).toHaveLength(2)

    // Held over the slot after the other exam, the board says that the student still writes.
    await officer.settled()
    const stands = await demo.query<{ id: number; row: number }>(
      `select s.id, (select count(*)::int from exam_slots z join exam_slots y on y.id = s.exam_slot_id
         where z.start_time < y.start_time and z.id in (select exam_slot_id from exam_times where exam_id = s.exam_id)) as row
       from exam_schedules s where s.exam_id = $1 order by 2`,
      [exam.id],
    )
    expect(stands.map((exam_at) => exam_at.row)).toEqual([0, 2])
    const last = page.locator(`[data-exam="${stands[1]!.id}"]`)
    await last.focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('ArrowUp')
    const fit = page.locator('[data-board] [data-row="1"][data-day="0"]')
    await expect.poll(() => fit.getAttribute('data-fit')).toBe('taken')
    await officer.look('held over the next slot')
    await officer.refused(422, '/exam-schedules', async () => {
      await page.keyboard.press('Enter')
      await page.getByRole('alert').first().waitFor()
    })
    await officer.reads(at.code)
    await officer.look('refused')

    // Seats: the student alone in the room, others where they were planned, with some kept for who comes late.
    await officer.go(`/exams_seats?exam_id=${exam.id}`)
    await officer.button(officer.say('exam-days', 'propose_seats')).click()
    await officer.button(officer.say('exam-days', 'take_seats')).click()
    await officer.reads(officer.say('exam-days', 'all_seated'), officer.say('exam-days', 'one_alone'))
    await officer.look('seats')
    const seats = await demo.query<{ own: boolean }>(
      `select l.own_room as own from exam_seats z join exam_schedule_locations l on l.exam_schedule_id = z.exam_schedule_id and l.location_id = z.location_id
         join registrations r on r.id = z.registration_id where l.exam_id = $1 and r.student_id = $2`,
      [exam.id, at.student],
    )
    expect(seats).toEqual([{ own: true }, { own: true }])

    // On the door of the room stands until when it is held, and only who sits there; on the others nothing of it.
    const line = page
      .getByRole('listitem')
      .filter({ hasText: officer.say('exam-days', 'one_alone') })
      .first()
    await line.getByRole('button').last().click()
    const file = await officer.download(() =>
      page.getByRole('menuitem', { name: officer.say('exam-days', 'door_list'), exact: true }).click(),
    )
    const text = await textOfPdf(file.content)
    if (text !== null) {
      expect(text).toContain(at.code)
      expect(text).toContain(rooms[0]!.until)
    }
    await officer.settled()

    await demo.query(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
    for (const width of [undefined, 390]) {
      const student = await open(width ? 'student on a phone' : 'student', width)
      await signIn(student, 'student', at.email)
      await student.go('/my_exams')
      await student.reads(rooms[0]!.until)
      await student.look('own exams')
      await student.leave()
    }

    // More is granted since: the plan is outdated, and told to the exam office.
    await demo.query('update exam_accommodations set extra_percent = 100 where id = $1', [granted.id])
    await officer.go('/outdated-decisions')
    await officer.reads(officer.label(['Plan of an exam', 'خطة امتحان']))
    await officer.look('outdated')
    await officer.go(`/exams/${exam.id}`)
    await officer.look('board with what was granted since')
    await officer.leave()
    await demo.query(`update exam_accommodations set removed_at = now() where id = $1`, [granted.id])
    await demo.query(
      `update exam_weeks set removed_at = now() where start_date = $1 and end_date = $1 and faculty_id = 1`,
      [at.day],
    )
    await demo.query(
      `delete from exam_seats where exam_schedule_id in (select id from exam_schedules where exam_id = $1)`,
      [exam.id],
    )
    await demo.query(`update exams set status = 'draft', published_at = null where id = $1`, [exam.id])
    await demo.query(`update exam_schedules set on_date = null, exam_slot_id = null where exam_id = $1`, [exam.id])
  },
)
