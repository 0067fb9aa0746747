import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays } from '#kit/contract/day.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { readExamPlan } from './placement/problem.server.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!

/** A weekly meeting with a room, who teaches it and who comes, one of its days ahead, and an exam of its faculty on that day. */
let at: {
  meeting: number
  offering: number
  course: string
  level: number | null
  faculty: number
  room: number
  capacity: number
  instructor: number
  day: string
  week_day: number
  period: number
  slot: number
  term: number
}
/** An exam of another offering whose students come to the meeting, and the other hall of the exam. */
let exam: { id: number; schedule: number; students: number; hall: number; version: number }

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  officer = await u.as('exam_officer')
  at = await one(
    `select s.id as meeting, o.id as offering, c.code || ' (' || o.code || ')' as course, o.level, o.faculty_id as faculty, s.location_id as room, l.capacity,
       i.instructor_id as instructor, d.on_date::text as day, s.day as week_day, s.slot_id as period, x.id as slot, o.term_id as term
     from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null and o.faculty_id = 1 and o.linked_offering_id is null
       join courses c on c.id = o.course_id join locations l on l.id = s.location_id and l.location_type <> 'online'
       join current_terms k on k.key = 'current_term' and k.term_id = s.term_id
       join offering_slot_instructors i on i.offering_slot_id = s.id
       join slots p on p.id = s.slot_id join exam_slots x on x.start_time < p.end_time and p.start_time < x.end_time
       cross join lateral (select on_date from teaching_dates(s.id) where on_date > university_today() + 20 order by 1 limit 1) d
     where s.taken > 8 order by s.id, i.instructor_id limit 1`,
  )
  const { id: hall, capacity } = await one<{ id: number; capacity: number }>(
    `select l.id, l.capacity from locations l where l.location_type <> 'online' and l.removed_at is null and l.id <> $1
       and l.id not in (select location_id from meetings_at(exam_time($2::date, $3::int, null)) where location_id is not null)
     order by l.capacity desc limit 1`,
    [at.room, at.day, at.slot],
  )
  const made = ok(
    await officer('PUT', '/exams', {
      code: 'T-WEEK',
      name: 'Exams beside lectures',
      name_local: 'امتحانات بجانب المحاضرات',
      term_id: at.term,
      faculty_id: at.faculty,
      kind: 'midterm',
      days: [{ on_date: at.day }, { on_date: addDays(at.day, 1) }],
      times: (await q<{ id: number }>('select id from exam_slots order by start_time')).map(({ id }) => ({
        exam_slot_id: id,
      })),
      halls: [
        { location_id: at.room, seats: at.capacity },
        { location_id: hall, seats: capacity },
      ],
    }),
  )
  ok(await officer('POST', `/exams/${made.id}/cover`, {}))
  const schedule = await one<{ id: number; students: number; version: number }>(
    `select x.id, x.version, (select count(*)::int from registrations r where r.offering_id = x.offering_id and sits_exam(r.status)) as students
     from exam_schedules x where x.exam_id = $1 and x.offering_id <> $2 and exists (
       select from registrations r join registrations q on q.student_id = r.student_id and q.offering_id = x.offering_id and sits_exam(q.status)
         join registration_slots rs on rs.registration_id = r.id
       where rs.offering_slot_id = $3 and sits_exam(r.status)) order by 3, x.id limit 1`,
    [made.id, at.offering, at.meeting],
  )
  exam = { id: made.id, schedule: schedule.id, students: schedule.students, hall, version: schedule.version }
}, 540_000)
afterAll(() => u?.close())

const week = (more: object = {}) => ({
  term_id: at.term,
  kind: 'midterm',
  start_date: at.day,
  end_date: at.day,
  ...more,
})
const place = (location: number, more: object = {}) =>
  officer('PUT', `/exam-schedules/${exam.schedule}`, {
    on_date: at.day,
    exam_slot_id: at.slot,
    locations: [{ location_id: location, seats: Math.min(exam.students, 10) }],
    ...more,
  })
const halls = async () =>
  ok(
    await officer('POST', '/exam-schedules/get_available_locations', {
      exam_id: exam.id,
      on_date: at.day,
      exam_slot_id: at.slot,
    }),
  ).map((row: { id: number }) => row.id)
const codes = (answer: Parameters<typeof reasons>[0]) => [...new Set(reasons(answer).map((one) => one.split('@')[0]))]
const teaches = async (day = at.day, meeting = at.meeting) =>
  (await q(`select from teaching_dates($1) where on_date = $2::date`, [meeting, day])).length > 0
const outdated = async (): Promise<any[]> => {
  const answer = await officer('POST', '/outdated-decisions', { kind: 'exam_place', perPage: 200 })
  return ok(answer)
}

test('the exams of the demo university stand beside no meeting', async () => {
  const all = await q(`select * from exams_beside_meetings(array(select id from exams where code <> 'T-WEEK'))`)
  expect(all).toEqual([])
  const published = await one<{ count: number }>(
    `select count(*)::int from exam_schedule_locations l join exams e on e.id = l.exam_id and e.code = 'MID-1' and e.status = 'published'`,
  )
  expect(published.count).toBeGreaterThan(10)
})

test('an exam week lies in its term, in order, once for a faculty and level, and only who may enters it', async () => {
  const late = await one<{ start: string; end: string }>(
    `select start_date::text as start, end_date::text as end from terms where id = $1`,
    [at.term],
  )
  const put = (body: object) => officer('PUT', '/exam-weeks', week(body))
  expect(reasons(await put({ end_date: addDays(at.day, -1) }))).toEqual(['exam_week_order@end_date'])
  expect(reasons(await put({ start_date: late.start, end_date: addDays(late.start, 61), faculty_id: 2 }))).toContain(
    'exam_week_length@end_date',
  )
  expect(reasons(await put({ start_date: addDays(late.end, 1), end_date: addDays(late.end, 3) }))).toEqual([
    'exam_week_outside_term@start_date',
  ])
  expect(reasons(await put({ start_date: addDays(late.start, -1) }))).toEqual(['exam_week_outside_term@start_date'])
  expect(reasons(await put({ level: 8 })).length).toBe(1)
  // The midterms of the demo university are for all faculties and levels.
  const midterms = await one<{ start_date: string }>(
    `select start_date::text from exam_weeks where term_id = $1 and kind = 'midterm'`,
    [at.term],
  )
  expect(reasons(await put({ start_date: midterms.start_date, end_date: midterms.start_date }))).toEqual([
    'exam_week_there@start_date',
  ])
  await expect(
    q(`insert into exam_weeks (term_id, kind, start_date, end_date) values ($1, 'midterm', $2, $2)`, [
      at.term,
      midterms.start_date,
    ]),
  ).rejects.toThrow(/exam_week_twice/)
  await expect(
    q(`insert into exam_weeks (term_id, kind, start_date, end_date) values ($1, 'midterm', $2, $2)`, [
      at.term,
      addDays(late.end, 1),
    ]),
  ).rejects.toThrow(/begins in its term/)
  await expect(
    q(`insert into exam_weeks (term_id, kind, level, start_date, end_date) values ($1, 'midterm', 8, $2, $2)`, [
      at.term,
      at.day,
    ]),
  ).rejects.toThrow(/exam_weeks_level/)
  const teacher = await u.as('instructor')
  expect((await teacher('PUT', '/exam-weeks', week())).status).toBe(403)
  // Who plans exams of one faculty does not switch off the meetings of another, nor of all.
  const other = await u.as('exam_officer', ['faculty', 2])
  expect((await other('PUT', '/exam-weeks', week())).status).toBeGreaterThanOrEqual(403)
  expect((await other('PUT', '/exam-weeks', week({ faculty_id: 1 }))).status).toBeGreaterThanOrEqual(403)
  ok(await officer('DELETE', `/exam-weeks/${ok(await other('PUT', '/exam-weeks', week({ faculty_id: 2 }))).id}`))
})

test('outside exam weeks a meeting closes its hall, who teaches it and who attends it, each with its reason', async () => {
  expect(await teaches()).toBe(true)
  expect(await halls()).toContain(exam.hall)
  expect(await halls()).not.toContain(at.room)
  const refused = await place(at.room, {
    instructors: [{ location_id: at.room, instructor_id: at.instructor, role: 'invigilator' }],
  })
  expect(codes(refused)).toEqual(
    expect.arrayContaining(['exam_hall_teaching', 'exam_students_taught', 'exam_invigilator_teaching']),
  )
  // A slot may reach over two periods: every meeting in the room is told.
  const there = refused.body.errors.filter((error: { code: string }) => error.code === 'exam_hall_teaching')
  expect(there.map((error: any) => error.data.course)).toContain(at.course)
  expect(there.every((error: any) => error.data.by.length > 0)).toBe(true)
  const students = refused.body.errors.filter((error: { code: string }) => error.code === 'exam_students_taught')
  expect(students.map((error: any) => error.data.course)).toContain(at.course)
  expect(students.every((error: any) => error.data.count > 0 && /^\d\d:\d\d$/.test(error.data.starts))).toBe(true)
  expect(reasons(await place(exam.hall))).toContain('exam_students_taught@exam_slot_id')
  // By the other call as well.
  const put = await officer('POST', '/exam-schedules/put/exam-schedule', {
    id: exam.schedule,
    on_date: at.day,
    exam_slot_id: at.slot,
    locations: [{ location_id: exam.hall, seats: exam.students }],
  })
  expect(reasons(put)).toContain('exam_students_taught@exam_slot_id')
  // Whoever writes: the hall is guarded by the database.
  await q(`update exam_schedules set on_date = $2, exam_slot_id = $3 where id = $1`, [exam.schedule, at.day, at.slot])
  await expect(
    q(
      `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during) values ($1, $2, $3, 1, 'empty')`,
      [exam.schedule, exam.id, at.room],
    ),
  ).rejects.toThrow(/is taught in hall/)
  await q(`update exam_schedules set on_date = null, exam_slot_id = null where id = $1`, [exam.schedule])
})

test('the board and the solver know what is taught', async () => {
  const board = ok(await officer('POST', '/exam-schedules/board', { exam_id: exam.id }))
  expect(board.closed_halls).toContainEqual({ location_id: at.room, on_date: at.day, exam_slot_id: at.slot })
  expect(
    board.taught.some((one: any) => one.name === at.course && one.on_date === at.day && one.exam_slot_id === at.slot),
  ).toBe(true)
  const plan = await readExamPlan(u.database.db, exam.id, {})
  const slot = plan.slots.findIndex((one) => one.on_date === at.day && one.exam_slot_id === at.slot)
  const index = plan.schedules.indexOf(exam.schedule)
  expect(plan.problem.exams[index]!.slots).not.toContain(slot)
  expect(plan.lectures[index]!.get(slot)).toBeGreaterThan(0)
  expect(plan.problem.halls.find((one) => one.id === at.room)!.closed).toContain(slot)
  expect(plan.staffed.staff!.find((one) => one.id === at.instructor)!.away).toContain(slot)
})

test('in an exam week the meetings of its faculty and level are off, and everything is free', async () => {
  const elsewhere = await one<{ id: number }>(
    `select s.id from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null and o.faculty_id = 2
     where s.term_id = $1 and exists (select from teaching_dates(s.id) where on_date = $2::date) limit 1`,
    [at.term, at.day],
  )
  // Of another level: nothing changes.
  const level = at.level === 7 ? 6 : 7
  const other = ok(await officer('PUT', '/exam-weeks', week({ faculty_id: 1, level })))
  expect(await teaches()).toBe(true)
  ok(await officer('DELETE', `/exam-weeks/${other.id}`))
  const { id, version } = ok(await officer('PUT', '/exam-weeks', week({ faculty_id: 1, level: at.level })))
  expect([await teaches(), await teaches(at.day, elsewhere.id)]).toEqual([false, true])
  ok(await officer('PUT', `/exam-weeks/${id}`, { level: null, version }))
  expect(await teaches()).toBe(false)

  // Timetables say so, those of the room and of who teaches as well.
  const registrar = await u.as('registrar')
  for (const [type, of] of [
    ['offering', at.offering],
    ['instructor', at.instructor],
    ['location', at.room],
  ] as const) {
    const { body } = await registrar('POST', `/offering-schedules/${type}/${of}`, {})
    const shown = body.data.find((row: { id: number }) => row.id === at.meeting)
    expect(shown.places.at(-1).except).toContain(at.day)
    expect(body.meta.details.days).toContainEqual(
      expect.objectContaining({ layer: 'exams', from: at.day, to: at.day, name: 'Exam week: Midterm exam' }),
    )
  }
  // Nobody is asked for attendance, nothing is made up on that day, and the share of absences counts one meeting less.
  const { body: sheet } = await registrar('GET', `/attendance/offerings/${at.offering}`)
  const meeting = sheet.data.meetings.find((row: { id: number }) => row.id === at.meeting)
  expect(meeting.dates.map((row: { date: string }) => row.date)).not.toContain(at.day)

  expect(await halls()).toContain(at.room)
  ok(
    await place(at.room, {
      instructors: [{ location_id: at.room, instructor_id: at.instructor, role: 'invigilator' }],
    }),
  )
  expect(await outdated()).toEqual([])

  // It is shortened: the exam stands beside the meeting, and whoever plans it sees why.
  ok(await officer('DELETE', `/exam-weeks/${id}`))
  const [found, ...more] = await outdated()
  expect([found.id, found.link, found.decides, more]).toEqual([exam.schedule, `/exams/${exam.id}`, true, []])
  const before = ok(await officer('GET', `/exams/publishing/${exam.id}`))
  expect(before.taught.map((row: { id: number }) => row.id)).toEqual([exam.schedule])
  expect(before.totals).toMatchObject({ taught: 1 })
  expect(before.totals.lectures).toBeGreaterThan(0)
  expect(before.lectures.some((row: { other: string }) => row.other === at.course)).toBe(true)
  const publish = await officer('POST', `/exams/publish/${exam.id}`, {})
  expect(codes(publish)).toContain('exam_halls_teaching')
  await expect(
    q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id]),
  ).rejects.toThrow(/is taught in hall/)
  // The meeting of that day is cancelled: it is free again.
  await q(
    `insert into meeting_occurrences (offering_slot_id, offering_id, date, cancelled_at, cancelled_reason) values ($1, $2, $3, now(), 'Exam')`,
    [at.meeting, at.offering, at.day],
  )
  const still = await q(`select * from exams_beside_meetings($1) where meeting_id = $2`, [[exam.id], at.meeting])
  expect(still).toEqual([])
  await q(`delete from meeting_occurrences where offering_slot_id = $1 and date = $2`, [at.meeting, at.day])
})

test('no weekly meeting comes into the hall of a published exam, by whatever door; into that of a plan it may, and the plan is outdated', async () => {
  const { id, version } = ok(await officer('PUT', '/exam-weeks', week({ faculty_id: 1 })))
  ok(await place(exam.hall, { instructors: [] }))
  // A meeting of another faculty that has no place yet.
  const mover = await one<{ id: number; version: number }>(
    `insert into offering_slots (offering_id, term_id, group_id, type, quota)
     select o.id, o.term_id, g.id, 'Tutorial', 1 from offerings o join offering_groups g on g.offering_id = o.id
     where o.term_id = $1 and o.faculty_id = 2 and o.control_status = 'Draft' and o.removed_at is null and o.linked_offering_id is null
       and not exists (select from offering_slots z where z.group_id = g.id and z.day = $2) order by o.id, g.id limit 1 returning id, version`,
    [at.term, at.week_day],
  )
  const to = { id: mover.id, day: at.week_day, slot_id: at.period, location_id: exam.hall }
  const registrar = await u.as('registrar')
  const clashes = async () =>
    ok(await registrar('POST', '/offering-schedules/clashes', { moves: [to] })).map((row: { code: string }) => row.code)
  expect(await clashes()).toEqual([])
  await q(`alter table exams disable trigger user`)
  await q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
  await q(`alter table exams enable trigger user`)
  expect(await clashes()).toContain('move_room_exam')
  const refused = await registrar('POST', '/offering-schedules/moves', {
    moves: [to],
    override: true,
    reason: 'No other room.',
  })
  expect(codes(refused)).toContain('move_room_exam')
  await expect(
    q(`update offering_slots set day = $2, slot_id = $3, location_id = $4 where id = $1`, [
      mover.id,
      to.day,
      to.slot_id,
      to.location_id,
    ]),
  ).rejects.toThrow(/is taught in hall/)
  // In an exam week of its own faculty the meeting does not take place then.
  const own = ok(await officer('PUT', '/exam-weeks', week({ faculty_id: 2 })))
  expect(await clashes()).not.toContain('move_room_exam')
  ok(await officer('DELETE', `/exam-weeks/${own.id}`))
  await q(`update exams set status = 'draft', published_at = null where id = $1`, [exam.id])
  expect(await outdated()).toEqual([])
  // Into the hall of a plan that nobody sees yet it may come: the plan is told.
  ok(await registrar('POST', '/offering-schedules/moves', { moves: [to] }))
  expect((await outdated()).map((row) => row.id)).toEqual([exam.schedule])
  ok(await officer('PUT', `/exam-weeks/${id}`, { end_date: addDays(at.day, 1), version }))
})
