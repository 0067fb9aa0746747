/**
 * An exam week is entered: exams that stood against lectures may be placed, timetables of that week have no meetings; then it is
 * taken back, and the board, the seats and what is outdated say so.
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
  'an exam week from the form to the timetable and back, %s',
  { timeout: 600_000 },
  async (lang) => {
    const open = (name: string, width?: number) =>
      Person.open(browser, demo.address, { name, lang, ...(width && { width, height: 844 }) })
    // A meeting of who teaches in the demo university, on a day some weeks ahead, and an exam at its time and in its room.
    const at = await one<{
      meeting: number
      course: string
      room: number
      seats: number
      day: string
      slot: number
      term: number
    }>(
      `select s.id as meeting, c.code || ' (' || o.code || ')' as course, s.location_id as room, l.capacity as seats, d.on_date::text as day, x.id as slot, o.term_id as term
     from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null and o.faculty_id = 1 and o.linked_offering_id is null
       join courses c on c.id = o.course_id join locations l on l.id = s.location_id and l.location_type <> 'online'
       join current_terms k on k.key = 'current_term' and k.term_id = s.term_id
       join slots p on p.id = s.slot_id join exam_slots x on x.start_time < p.end_time and p.start_time < x.end_time
       cross join lateral (select on_date from teaching_dates(s.id) where on_date > university_today() + 20 order by 1 limit 1) d
     where s.taken > 8 order by s.id limit 1`,
    )
    const { data: exam } = await demo.send<{ data: { id: number } }>('exams', 'PUT', '/exams', {
      code: `WEEK-${lang}`,
      name: 'Midterms of a journey',
      name_local: 'امتحانات رحلة',
      term_id: at.term,
      faculty_id: 1,
      kind: 'midterm',
      days: [{ on_date: at.day }],
      times: (await demo.query<{ id: number }>('select id from exam_slots order by start_time')).map(({ id }) => ({
        exam_slot_id: id,
      })),
      halls: [{ location_id: at.room, seats: at.seats }],
    })
    const { offering } = await one<{ offering: number }>(
      `select q.offering_id as offering from registration_slots rs join registrations r on r.id = rs.registration_id and sits_exam(r.status)
       join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.id <> r.id and sits_exam(q.status)
       join offerings o on o.id = q.offering_id and o.faculty_id = 1
     where rs.offering_slot_id = $1 and (select count(*) from registrations z where z.offering_id = q.offering_id and sits_exam(z.status)) <= $2
     group by 1 order by 1 limit 1`,
      [at.meeting, at.seats],
    )
    await demo.send('exams', 'POST', `/exams/${exam.id}/cover`, { offering_ids: [offering] })

    const officer = await open('exam officer')
    await signIn(officer, 'employee', 'exams@canopus.example.edu')
    const { page } = officer
    // Held over the hour of the meeting, the board says what is taught.
    await officer.go(`/exams/${exam.id}`)
    await officer.look('board beside lectures')
    await page.locator('[data-exam]').first().focus()
    await page.keyboard.press('Enter')
    await officer.picture('held beside lectures')
    await page.keyboard.press('Escape')

    // The week is entered in the form.
    await officer.go('/exam-weeks')
    await officer.look('exam weeks')
    await officer.go('/exam-weeks/add')
    await officer.look('adding an exam week')
    const { data: week } = await demo.send<{ data: { id: number } }>('exams', 'PUT', '/exam-weeks', {
      term_id: at.term,
      kind: 'midterm',
      start_date: at.day,
      end_date: at.day,
      faculty_id: 1,
    })
    await officer.go(`/exam-weeks/edit/${week.id}`)
    await officer.look('editing an exam week')
    const { id: schedule, students } = await one<{ id: number; students: number }>(
      `select s.id, (select count(*)::int from registrations r where r.offering_id = s.offering_id and sits_exam(r.status)) as students
     from exam_schedules s where s.exam_id = $1`,
      [exam.id],
    )
    await demo.send('exams', 'PUT', `/exam-schedules/${schedule}`, {
      on_date: at.day,
      exam_slot_id: at.slot,
      locations: [{ location_id: at.room, seats: students }],
    })
    await officer.go(`/exams/${exam.id}`)
    expect(await page.locator('[data-exam][data-clash]').count()).toBe(0)
    await officer.look('board in the exam week')

    // It is taken back: the exam is marked, and waits among what is outdated.
    await demo.query('update exam_weeks set removed_at = now() where id = $1', [week.id])
    await officer.go(`/exams/${exam.id}`)
    expect(await page.locator('[data-exam][data-clash]').count()).toBe(1)
    await page.locator('[data-exam]').first().click()
    await officer.reads(at.course)
    await officer.look('board after the exam week')
    await officer.button(officer.label(['Publish', 'نشر'])).click()
    await officer.reads(officer.say('exams', 'publish_taught', { count: 1 }))
    await officer.look('publishing beside lectures')
    await page.keyboard.press('Escape')
    await officer.go('/home')
    await officer.picture('home')
    await officer.go('/outdated-decisions')
    await officer.reads(officer.label(['Place of an exam', 'موعد امتحان ومكانه']))
    await officer.look('outdated')
    await officer.leave()

    // A week that runs: who teaches has no meetings in it, and reads why; on a phone as well.
    await demo.query(
      `insert into exam_weeks (term_id, faculty_id, kind, start_date, end_date)
     select $1, null, 'midterm', greatest(t.start_date, university_today() - week_place(university_today())), university_today() - week_place(university_today()) + 6
     from terms t where t.id = $1`,
      [at.term],
    )
    for (const width of [undefined, 390]) {
      const teacher = await open(width ? 'instructor on a phone' : 'instructor', width)
      await signIn(teacher, 'instructor', 'instructor@canopus.example.edu')
      await teacher.go('/offerings/my_schedule')
      await teacher.reads(/Exam week|أسبوع امتحانات|Prüfungswoche|Semaine d’examens|Semana de exames/)
      await teacher.look('timetable in an exam week')
      await teacher.leave()
    }
  },
)
