import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#kit/contract/day.ts'
import ICAL from 'ical.js'
import { insertRows } from '#db/bulk.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { offeringsServer } from '#areas/study/offerings/offerings.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { writeCalendar } from '#kit/server/calendar/ical.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { meetingEvents } from './feeds/events.server.ts'
import { schedulingServer } from './scheduling.server.ts'

let u: TestUniversity
let registrar: Caller
let student: Caller
const at = { here: 0, elsewhere: 0, term: 0, offering: 0, monday: 0, student: 0, rooms: [0, 0, 0], slots: [0, 0] }
const one = async (table: string, row: object): Promise<number> =>
  (await insertRows(u.services.db, table, [row as Record<string, unknown>], { returning: 'id' }))[0]!
const day = {
  layer: 'university',
  name: 'Holiday',
  name_local: 'إجازة',
  start_date: '2026-10-05',
  end_date: '2026-10-06',
  no_teaching: true,
  colour: 'red',
}
const mine = async (who: Caller): Promise<string[]> =>
  ok(await who('POST', '/calendar-events/mine', { from: '2026-09-01', to: '2026-12-31' })).map(
    (entry: { name: string }) => entry.name,
  )
const dates = async (): Promise<string[]> =>
  (await u.database.pool.query(`select on_date::text from teaching_dates($1)`, [at.monday])).rows.map((r) => r.on_date)

beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    peopleServer,
    studentsServer,
    offeringsServer,
    schedulingServer,
  ])
  registrar = await u.as('registrar')
  at.here = await one('faculties', { code: 'F', name: 'F', name_local: 'ف' })
  at.elsewhere = await one('faculties', { code: 'G', name: 'G', name_local: 'ج' })
  const bylaw = await one('bylaws', { faculty_id: at.here, code: 'B', name: 'B', name_local: 'ب' })
  const of = { faculty_id: at.here, bylaw_id: bylaw }
  const program = await one('programs', { ...of, code: 'P', name: 'P', name_local: 'ب' })
  const course = await one('courses', { code: 'C1', name: 'C', name_local: 'م', credit_hours: 3, faculty_id: at.here })
  const year = await one('years', {
    code: 'Y',
    name: 'Y',
    name_local: 'ع',
    start_date: '2026-09-01',
    end_date: '2027-08-31',
  })
  at.term = await one('terms', {
    year_id: year,
    code: 'T',
    name: 'T',
    name_local: 'ف',
    term_type: 'fall',
    start_date: '2026-09-19',
    end_date: '2026-12-31',
  })
  await u.database.pool.query(`insert into current_terms (key, term_id) values ('current_term', $1)`, [at.term])
  student = await u.as('student', undefined, { type: 3 })
  at.student = await one('students', {
    ...of,
    user_id: student.user_id,
    code: 'S1',
    name: 'S',
    name_local: 'س',
    program_id: program,
  })
  const building = await one('buildings', { code: 'B', name: 'B', name_local: 'ب' })
  for (const i of [0, 1, 2]) {
    at.rooms[i] = await one('locations', {
      building_id: building,
      code: `R${i}`,
      name: `Room ${i}`,
      name_local: `قاعة ${i}`,
      location_type: 'room',
      sectors: 1,
      capacity: i === 2 ? 5 : 50,
    })
    if (i === 2) break
    at.slots[i] = await one('slots', {
      code: `P${i}`,
      name: `P${i}`,
      name_local: 'ف',
      start_time: `${9 + 2 * i}:00`,
      end_time: `${10 + 2 * i}:30`,
      ramadan_start_time: `${10 + 2 * i}:00`,
      ramadan_end_time: `${11 + 2 * i}:00`,
    })
  }
  at.offering = await one('offerings', { term_id: at.term, course_id: course, code: '1', faculty_id: at.here })
  const group = await one('offering_groups', { offering_id: at.offering, number: 1 })
  // Day 2 is Monday.
  at.monday = await one('offering_slots', {
    offering_id: at.offering,
    term_id: at.term,
    group_id: group,
    type: 'Lecture',
    day: 2,
    slot_id: at.slots[0],
    location_id: at.rooms[0],
    quota: 10,
  })
  const registration = await one('registrations', {
    student_id: at.student,
    offering_id: at.offering,
    course_id: course,
    term_id: at.term,
    credit_hours: 3,
    status: '262160',
  })
  await insertRows(u.services.db, 'registration_slots', [
    { registration_id: registration, offering_slot_id: at.monday },
  ])
})
afterAll(() => u.close())

test('meetings are moved and added where the offering is there and has its own', async () => {
  const pool = u.database.pool
  const refused = async (method: 'PUT' | 'POST', path: string, body: object) => {
    const answer = await registrar(method, path, body)
    return [answer.status, ...reasons(answer)]
  }
  const move = (id = at.monday) =>
    refused('POST', '/offering-schedules/moves', { moves: [{ id, day: 3, slot_id: at.slots[1] }] })
  const meeting = { group: 1, type: 'Tutorial', quota: 1, over_quota: 0 }
  const add = (offering_id = at.offering) => refused('PUT', '/offering-schedules', { offering_id, ...meeting })
  expect(await move(99_999_999)).toEqual([404, 'not_found'])
  expect(await add(99_999_999)).toEqual([404, 'not_found'])
  await pool.query('update offerings set removed_at = now() where id = $1', [at.offering])
  expect([await move(), await add()]).toEqual([
    [409, 'removed_record'],
    [409, 'removed_record'],
  ])
  await pool.query('update offerings set removed_at = null where id = $1', [at.offering])
  const { rows } = await pool.query(
    `insert into offerings (term_id, course_id, code, faculty_id, linked_offering_id)
     select term_id, course_id, '99', faculty_id, id from offerings where id = $1 returning id`,
    [at.offering],
  )
  expect(await add(rows[0].id)).toEqual([409, 'offering_is_linked'])
  await pool.query('delete from offerings where id = $1', [rows[0].id])
})

test('days are asked for forwards, and an exam week is of a term that is there, within it', async () => {
  const days = await student('POST', '/calendar-events/mine', { from: '2026-10-02', to: '2026-10-01' })
  expect([days.status, reasons(days)]).toEqual([422, ['calendar_events_order@to']])
  const week = { term_id: at.term, kind: 'midterm', start_date: '2027-02-01', end_date: '2027-02-05' }
  const outside = await registrar('PUT', '/exam-weeks', week)
  expect([outside.status, reasons(outside)]).toEqual([422, ['exam_week_outside_term@start_date']])
  await u.database.pool.query('update terms set removed_at = now() where id = $1', [at.term])
  const gone = await registrar('PUT', '/exam-weeks', { ...week, start_date: '2026-11-07', end_date: '2026-11-13' })
  await u.database.pool.query('update terms set removed_at = null where id = $1', [at.term])
  expect([gone.status, reasons(gone)]).toEqual([422, [expect.stringMatching(/@term_id$/)]])
  expect((await u.database.pool.query('select from exam_weeks')).rows).toEqual([])
})

describe('entries of the calendar', () => {
  test('every rule of an entry is told where it belongs', async () => {
    const add = async (with_: object) => reasons(await registrar('PUT', '/calendar-events', { ...day, ...with_ }))
    expect(await add({ end_date: '2026-10-01' })).toEqual(['calendar_events_order'])
    expect(await add({ end_date: '2028-10-01' })).toEqual(['calendar_events_length'])
    expect(await add({ layer: 'faculty' })).toEqual(['calendar_events_faculty'])
    expect(await add({ layer: 'ramadan', no_teaching: false, faculty_id: at.here })).toEqual([
      'calendar_events_faculty',
    ])
    expect(await add({ layer: 'staff' })).toEqual(['calendar_events_teaching'])
    expect(await add({ start_time: '10:00', end_time: '12:00' })).toEqual(['calendar_events_whole_days'])
    expect(await add({ no_teaching: false, start_time: '10:00' })).toEqual(['calendar_events_hours'])
    expect(await add({ no_teaching: false, end_date: day.start_date, start_time: '12:00', end_time: '10:00' })).toEqual(
      ['calendar_events_hours_order'],
    )
  })
  test('each layer is for whom it is: students see theirs, of their faculty, and nobody manages another faculty’s', async () => {
    const add = async (name: string, with_: object) =>
      ok(await registrar('PUT', '/calendar-events', { ...day, no_teaching: false, name, ...with_ })).id as number
    const kept = [
      await add('All', {}),
      await add('Ours', { layer: 'faculty', faculty_id: at.here }),
      await add('Theirs', { layer: 'faculty', faculty_id: at.elsewhere }),
      await add('Union', { layer: 'students' }),
      await add('Their union', { layer: 'students', faculty_id: at.elsewhere }),
      await add('Council', { layer: 'staff' }),
      await add('Ramadan', { layer: 'ramadan' }),
    ]
    expect((await mine(student)).toSorted()).toEqual(['All', 'Ours', 'Ramadan', 'Union'])
    expect((await mine(await u.as('quality_staff'))).toSorted()).toEqual(['All', 'Council', 'Ramadan'])
    const theirs = await u.as('faculty_registrar', ['faculty', at.elsewhere])
    expect((await theirs('PUT', `/calendar-events/${kept[2]}`, { name: 'Moved' })).status).toBe(200)
    expect((await theirs('PUT', `/calendar-events/${kept[1]}`, { name: 'Moved' })).status).toBe(404)
    expect((await theirs('PUT', `/calendar-events/${kept[0]}`, { name: 'Moved' })).status).toBe(404)
    expect((await theirs('PUT', '/calendar-events', { ...day, layer: 'university' })).status).toBe(403)
    expect((await theirs('PUT', '/calendar-events', { ...day, layer: 'faculty', faculty_id: at.here })).status).toBe(
      403,
    )
    expect((await student('PUT', '/calendar-events', day)).status).toBe(403)
    expect((await u.nobody('POST', '/calendar-events/mine', { from: '2026-09-01', to: '2026-09-30' })).status).toBe(401)
    for (const id of kept) ok(await registrar('DELETE', `/calendar-events/${id}`))
    expect(await mine(student)).toEqual([])
  })
})

describe('days on which a meeting takes place', () => {
  test('each of its weekdays in the term, but for days without lectures of the university and its own faculty', async () => {
    const all = await dates()
    expect([all[0], all.at(-1), all.length]).toEqual(['2026-09-21', '2026-12-28', 15])
    const put = async (with_: object) => ok(await registrar('PUT', '/calendar-events', { ...day, ...with_ }))
    await put({})
    await put({ layer: 'faculty', faculty_id: at.here, start_date: '2026-10-19', end_date: '2026-10-19' })
    await put({ layer: 'faculty', faculty_id: at.elsewhere, start_date: '2026-11-02', end_date: '2026-11-02' })
    await put({ no_teaching: false, start_date: '2026-11-09', end_date: '2026-11-09' })
    expect(await dates()).toEqual(all.filter((one) => one !== '2026-10-05' && one !== '2026-10-19'))
    const [meeting] = ok(await student('POST', '/offering-schedules/student', {}))
    expect(meeting.places).toMatchObject([{ current: true, day: 2, except: ['2026-10-05', '2026-10-19'] }])
    const ics = (await student('GET', '/offering-schedules/student/calendar')).bytes.toString()
    expect(ics.match(/EXDATE[^\r]*/g)).toEqual([
      'EXDATE;TZID=Africa/Cairo:20261005T090000',
      'EXDATE;TZID=Africa/Cairo:20261019T090000',
    ])
  })
  test('a meeting that is moved in the term stays where it was held on the days that have passed', async () => {
    const today = (await u.database.pool.query(`select (now() at time zone university_zone())::date::text as day`))
      .rows[0].day as string
    await u.database.pool.query(`update years set start_date = $1::date - 60, end_date = $1::date + 100`, [today])
    await u.database.pool.query(`update terms set start_date = $1::date - 40, end_date = $1::date + 60`, [today])
    const before = await dates()
    await u.database.pool.query('update offering_slots set day = 4, slot_id = $2, location_id = $3 where id = $1', [
      at.monday,
      at.slots[1],
      at.rooms[1],
    ])
    const after = await dates()
    const weekday = (one: string) => new Date(`${one}T00:00:00Z`).getUTCDay()
    expect(after.filter((one) => one < today)).toEqual(before.filter((one) => one < today))
    expect(after.filter((one) => one > today).every((one) => weekday(one) === 3)).toBe(true)
    const { rows } = await u.database.pool.query(
      'select day, to_day, location_id, to_location_id, held_until < $2::date + 1 as held from meeting_moves where meeting_id = $1',
      [at.monday, today],
    )
    expect(rows).toEqual([{ day: 2, to_day: 4, location_id: at.rooms[0], to_location_id: at.rooms[1], held: true }])
    const [meeting] = ok(await student('POST', '/offering-schedules/student', {}))
    expect(meeting.places.map((p: { day: number; current: boolean }) => [p.day, p.current])).toEqual([
      [2, false],
      [4, true],
    ])
    const ics = (await student('GET', '/offering-schedules/student/calendar')).bytes.toString()
    expect(ics.match(/BEGIN:VEVENT/g)).toHaveLength(2)
    expect(ics).toContain('LOCATION:قاعة 1')
  })
})

describe('moving meetings', () => {
  const board = { other: 0, offering: 0, instructor: 0, teacher: 0 }
  let coordinator: Caller
  const place = (slot: number, location: number | null = null, day = 1) => ({
    day,
    slot_id: at.slots[slot],
    location_id: location === null ? null : at.rooms[location],
  })
  const versionOf = async (id: number) =>
    (await u.database.pool.query('select version, day, slot_id, location_id from offering_slots where id = $1', [id]))
      .rows[0]
  const told = async (user: number) =>
    (await u.database.pool.query('select key, data from notifications where user_id = $1 order by id', [user])).rows
  beforeAll(async () => {
    const course = await one('courses', { code: 'C2', name: 'Other', name_local: 'آخر', credit_hours: 3 })
    board.offering = await one('offerings', {
      term_id: at.term,
      course_id: course,
      code: '1',
      faculty_id: at.elsewhere,
    })
    const group = await one('offering_groups', { offering_id: board.offering, number: 1 })
    // Sunday in the first period, with the same student and a teacher.
    board.other = await one('offering_slots', {
      offering_id: board.offering,
      term_id: at.term,
      group_id: group,
      type: 'Lecture',
      quota: 20,
      ...place(0, 0),
    })
    const teacher = await u.as('instructor', undefined, { type: 1 })
    board.teacher = teacher.user_id
    board.instructor = await one('instructors', {
      user_id: teacher.user_id,
      code: 'I1',
      name: 'Dr A',
      name_local: 'د أ',
      faculty_id: at.here,
    })
    await insertRows(u.services.db, 'offering_slot_instructors', [
      { offering_slot_id: board.other, instructor_id: board.instructor },
      { offering_slot_id: at.monday, instructor_id: board.instructor },
    ])
    const registration = await one('registrations', {
      student_id: at.student,
      offering_id: board.offering,
      course_id: course,
      term_id: at.term,
      credit_hours: 3,
      status: '262160',
    })
    await insertRows(u.services.db, 'registration_slots', [
      { registration_id: registration, offering_slot_id: board.other },
    ])
    coordinator = await u.as('program_coordinator', ['faculty', at.here])
  })
  const move = (who: Caller, id: number, to: object) => who('POST', `/offering-schedules/updateEvent/${id}`, to)

  test('the board tells who could meet whom by numbers that name nobody, and what the reader may move', async () => {
    const read = ok(await coordinator('POST', '/offering-schedules/board', { term_id: at.term }))
    const [a, b] = [at.monday, board.other].map((id) => read.meetings.find((m: { id: number }) => m.id === id))
    expect([a.students, b.students]).toEqual([[0], [0]])
    expect([a.movable, b.movable]).toEqual([true, false])
    expect(JSON.stringify(read)).not.toContain('S1')
    expect((await student('POST', '/offering-schedules/board', {})).status).toBe(403)
    expect((await move(student, at.monday, place(0))).status).toBe(403)
    expect((await move(coordinator, board.other, place(1))).status).toBe(404)
    // Nor is it told what one would clash with there.
    const asked = { moves: [at.monday, board.other].map((id) => ({ id, ...place(1) })) }
    expect((await coordinator('POST', '/offering-schedules/clashes', asked)).status).toBe(404)
  })
  test('a meeting is moved once at a time, and together only those of one term', async () => {
    const saved = (moves: object[]) => registrar('POST', '/offering-schedules/moves', { moves })
    const to = { id: at.monday, ...place(1) }
    expect(reasons(await saved([to, to]))).toEqual(['move_twice@moves'])
    const { rows } = await u.database.pool.query(
      `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
       select year_id, 'TX', 'TX', 'TX', 'summer', end_date + 1, end_date + 30 from terms where id = $1 returning id`,
      [at.term],
    )
    const offering = await one('offerings', { term_id: rows[0].id, course_id: 1, code: 'TX', faculty_id: at.here })
    const group = await one('offering_groups', { offering_id: offering, number: 1 })
    const later = await one('offering_slots', {
      offering_id: offering,
      term_id: rows[0].id,
      group_id: group,
      type: 'Lecture',
      quota: 20,
    })
    expect(reasons(await saved([to, { id: later, ...place(1) }]))).toEqual(['move_one_term@moves'])
    await u.database.pool.query('delete from offerings where id = $1', [offering])
    await u.database.pool.query('delete from terms where id = $1', [rows[0].id])
  })
  test('clashes of room, instructor and students are told together, before anything is saved and again when it is', async () => {
    const before = await versionOf(at.monday)
    const found = ok(
      await registrar('POST', '/offering-schedules/clashes', { moves: [{ id: at.monday, ...place(0, 0) }] }),
    )
    expect(found.map((c: { code: string }) => c.code)).toEqual([
      'move_room_taken',
      'move_instructor_busy',
      'move_students_busy',
    ])
    expect(found[2].who.map((w: { code: string }) => w.code)).toEqual(['S1'])
    // Who may not see the student learns that there is one.
    const blind = ok(
      await coordinator('POST', '/offering-schedules/clashes', { moves: [{ id: at.monday, ...place(0, 0) }] }),
    )
    expect(blind[2].en).toContain('1 of its students')
    const refused = await move(registrar, at.monday, place(0, 0))
    expect([refused.status, reasons(refused).toSorted()]).toEqual([
      409,
      ['move_instructor_busy', 'move_room_taken', 'move_students_busy'],
    ])
    expect(reasons(await move(registrar, at.monday, place(1, 2)))).toEqual(['move_room_small'])
    expect(await versionOf(at.monday)).toEqual(before)
  })
  test('a clash of people may be wanted by who has the right, with a reason; a room is never shared', async () => {
    const wish = { override: true, reason: 'Agreed with the students' }
    expect((await move(coordinator, at.monday, { ...place(0), ...wish })).status).toBe(403)
    expect(reasons(await move(registrar, at.monday, { ...place(0), override: true }))).toEqual(['required@reason'])
    expect(reasons(await move(registrar, at.monday, { ...place(0, 0), ...wish }))).toEqual(['move_room_taken'])
    expect((await move(registrar, at.monday, { ...place(0), ...wish })).status).toBe(200)
    const { rows } = await u.database.pool.query(
      'select overridden, reason, moved_by from meeting_moves where meeting_id = $1 order by id desc limit 1',
      [at.monday],
    )
    expect(rows[0]).toEqual({
      overridden: ['move_instructor_busy', 'move_students_busy'],
      reason: wish.reason,
      moved_by: registrar.user_id,
    })
  })
  test('who moves what somebody else has moved meanwhile is told who, and where it is now', async () => {
    const { version } = await versionOf(at.monday)
    ok(await move(coordinator, at.monday, { version, ...place(1, 1, 3) }))
    const late = await move(registrar, at.monday, { version, ...place(1, 0, 4) })
    expect([late.status, reasons(late)]).toEqual([409, ['move_meanwhile']])
    expect(late.body.error.en).toContain('Tuesday')
    expect(late.body.error.en).toContain('Room 1')
  })
  test('two who drag one meeting at the same moment: one moves it, the other is told who did', async () => {
    const { version } = await versionOf(at.monday)
    const other = await u.as('registrar')
    const answers = await Promise.all([
      move(registrar, at.monday, { version, ...place(1, 1, 2) }),
      move(other, at.monday, { version, ...place(1, 1, 2) }),
    ])
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
    expect(reasons(answers.find((one) => one.status === 409)!)).toEqual(['move_meanwhile'])
    expect((await versionOf(at.monday)).day).toBe(2)
  })
  test('several moves are saved together or not at all, rooms may be exchanged, and everybody is told once', async () => {
    await u.database.pool.query('delete from notifications')
    const here = await versionOf(at.monday)
    const there = await versionOf(board.other)
    const exchange = [
      { id: at.monday, day: there.day, slot_id: there.slot_id, location_id: there.location_id },
      { id: board.other, day: here.day, slot_id: here.slot_id, location_id: here.location_id },
    ]
    const broken = await registrar('POST', '/offering-schedules/moves', {
      moves: [exchange[0], { ...exchange[1], location_id: 999_999 }],
    })
    expect(reasons(broken)).toEqual(['move_room_unknown'])
    expect(await told(student.user_id)).toEqual([])
    const saved = await registrar('POST', '/offering-schedules/moves', { moves: exchange })
    expect([saved.status, saved.body.told]).toEqual([200, 2])
    expect(await told(student.user_id)).toMatchObject([{ key: 'scheduling.notice_moved_several', data: { count: 2 } }])
    expect(await told(board.teacher)).toHaveLength(1)
    ok(await move(registrar, at.monday, place(1, 1, 5)))
    expect((await told(student.user_id))[1]).toMatchObject({
      key: 'scheduling.notice_moved',
      data: { course: 'C', place: 'Room 1', time: '11:00' },
    })
  })
  test('two who put meetings into one room at the same moment: one is there, the other is told', async () => {
    const answers = await Promise.all([
      move(registrar, at.monday, place(0, 1, 4)),
      move(await u.as('registrar'), board.other, place(0, 1, 4)),
    ])
    expect(answers.map((a) => a.status).toSorted()).toEqual([200, 409])
    expect(reasons(answers.find((a) => a.status === 409)!)).toContain('move_room_taken')
  })
  test('once marks are submitted, or the term is over, meetings stay', async () => {
    const control = (status: string) =>
      u.database.pool.query(`update offerings set control_status = $2 where id = $1`, [board.offering, status])
    await control('Submitted')
    expect(reasons(await move(registrar, board.other, place(1, 0, 0)))).toEqual(['offering_structure_frozen'])
    await control('Draft')
    await u.database.pool.query(`update terms set end_date = university_today() - 3 where id = $1`, [at.term])
    expect(reasons(await move(registrar, board.other, place(1, 0, 0)))).toEqual(['move_term_over'])
    await u.database.pool.query(`update terms set end_date = university_today() + 60 where id = $1`, [at.term])
  })
  test('a meeting is added to an offering and changed by itself, by the rules of the offering', async () => {
    const added = await registrar('PUT', '/offering-schedules', {
      offering_id: board.offering,
      group: 1,
      type: 'Tutorial',
      quota: 20,
      over_quota: 0,
      ...place(1, 0, 0),
    })
    expect(added.status).toBe(200)
    const id = ok(added).id as number
    expect(reasons(await registrar('PUT', `/offering-schedules/${id}`, { quota: 80 }))).toEqual([
      'room_too_small@slots.1.location_id',
    ])
    expect(reasons(await registrar('PUT', `/offering-schedules/${id}`, { quota: 10, version: 7 }))).toEqual([
      'move_meanwhile',
    ])
    ok(await registrar('PUT', `/offering-schedules/${id}`, { quota: 10, instructor_ids: [board.instructor] }))
    const [kept] = ok(await registrar('POST', `/offering-schedules/offering/${board.offering}`, {})).filter(
      (m: { id: number }) => m.id === id,
    )
    expect([kept.quota, kept.day, kept.instructors.length]).toEqual([10, 0, 1])
    expect((await coordinator('PUT', `/offering-schedules/${id}`, { quota: 5 })).status).toBe(404)
  })
})

describe('a calendar at a secret address', () => {
  let address = ''
  const ask = (headers: Record<string, string> = {}, at = address) =>
    u.app.inject({ method: 'GET', url: at.slice(at.indexOf('/api/')), headers })
  test('is made by its owner alone, shown once, and read by an independent parser with every day right', async () => {
    expect((await u.nobody('POST', '/calendar-feed')).status).toBe(401)
    expect((await registrar('POST', '/calendar-feed')).status).toBe(404)
    expect((await student('GET', '/calendar-feed')).body).toEqual({ data: null })
    address = ok(await student('POST', '/calendar-feed')).address
    expect(Object.keys(ok(await student('GET', '/calendar-feed')))).toEqual(['created_at'])
    expect((await u.database.pool.query('select * from calendar_feeds')).rows[0].token_hash).toHaveLength(32)
    const answer = await ask()
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    expect([answer.headers['cache-control'], answer.headers['x-robots-tag']]).toEqual([
      'private, no-cache',
      'noindex, nofollow, noarchive',
    ])
    const parsed = new ICAL.Component(ICAL.parse(answer.body) as [string, [], []])
    const zone = new ICAL.Timezone(parsed.getFirstSubcomponent('vtimezone')!)
    ICAL.TimezoneService.register(zone)
    const days = (uid: string): string[] =>
      parsed
        .getAllSubcomponents('vevent')
        .map((one) => new ICAL.Event(one))
        .filter((event) => event.uid.startsWith(uid) && !event.isRecurrenceException())
        .flatMap((event) => {
          const found: string[] = []
          const all = event.iterator()
          for (let next = all.next(); next; next = all.next()) {
            const { startDate } = event.getOccurrenceDetails(next)
            found.push(startDate.toString().slice(0, 10))
          }
          return found
        })
        .toSorted()
    expect(days(`meeting-${at.monday}`)).toEqual(await dates())
    expect(
      answer
        .toString()
        .split('\r\n')
        .every((line) => Buffer.byteLength(line) <= 75),
    ).toBe(true)
    // Holidays stand in it as days, and leave the time free.
    expect(parsed.getAllSubcomponents('vevent').map((one) => one.getFirstPropertyValue('summary'))).toContain('إجازة')
  })
  test('is answered 304 while nothing changed, and anew when a meeting is moved or a day becomes a holiday', async () => {
    const first = await ask()
    const { etag, 'last-modified': since } = first.headers as Record<string, string>
    expect((await ask({ 'if-none-match': etag! })).statusCode).toBe(304)
    expect((await ask({ 'if-none-match': `"other", W/${etag}` })).statusCode).toBe(304)
    expect((await ask({ 'if-modified-since': since! })).statusCode).toBe(304)
    // Which of two meetings won the room above is for chance: a day on which nothing is.
    const { rows } = await u.database.pool.query(
      'select d as day from generate_series(0, 5) d where d not in (select day from offering_slots) order by d limit 1',
    )
    ok(
      await registrar('POST', `/offering-schedules/updateEvent/${at.monday}`, {
        day: rows[0].day,
        slot_id: at.slots[1],
        location_id: at.rooms[1],
      }),
    )
    const moved = await ask({ 'if-none-match': etag! })
    expect(moved.statusCode).toBe(200)
    expect(moved.headers.etag).not.toBe(etag)
    const { rows: term } = await u.database.pool.query('select end_date::text as day from terms where id = $1', [
      at.term,
    ])
    ok(
      await registrar('PUT', '/calendar-events', {
        ...day,
        name: 'New',
        start_date: term[0].day,
        end_date: term[0].day,
      }),
    )
    expect((await ask({ 'if-none-match': String(moved.headers.etag) })).statusCode).toBe(200)
  })
  test('a date that is cancelled is taken out of it and comes back, on both sides of a change of the clock', async () => {
    const { pool } = u.database
    const read = async () => {
      const answer = await ask()
      const parsed = new ICAL.Component(ICAL.parse(answer.body) as [string, [], []])
      ICAL.TimezoneService.reset()
      ICAL.TimezoneService.register(new ICAL.Timezone(parsed.getFirstSubcomponent('vtimezone')!))
      const starts = parsed
        .getAllSubcomponents('vevent')
        .map((event) => new ICAL.Event(event))
        .filter((event) => event.uid.startsWith(`meeting-${at.monday}`))
        .flatMap((event) => {
          const found: string[] = []
          const all = event.iterator()
          for (let next = all.next(); next; next = all.next()) found.push(next.toJSDate().toISOString())
          return found
        })
      return { etag: String(answer.headers.etag), starts: starts.toSorted(), text: answer.body.replaceAll('\r\n ', '') }
    }
    const before = await read()
    // The clock of Cairo goes back on the last Friday of October: the same local time is another one of the world.
    const local = (iso: string) =>
      new Intl.DateTimeFormat('sv', { timeZone: 'Africa/Cairo', hour: '2-digit', minute: '2-digit' }).format(
        new Date(iso),
      )
    const [{ places }] = ok(await student('POST', '/offering-schedules/student', {})).filter(
      (one: { id: number }) => one.id === at.monday,
    )
    const times = new Set(places.map((one: { regular_time: { from: string } }) => one.regular_time.from))
    expect(before.starts.every((iso) => times.has(local(iso)))).toBe(true)
    const gone = (await dates()).at(-2)!
    const day = gone.replaceAll('-', '')
    await pool.query(
      `insert into meeting_occurrences (offering_id, offering_slot_id, date, cancelled_at, cancelled_reason) values ($1, $2, $3, now(), 'Illness')`,
      [at.offering, at.monday, gone],
    )
    expect((await ask({ 'if-none-match': before.etag })).statusCode).toBe(200)
    const cancelled = await read()
    expect(before.starts.filter((iso) => !cancelled.starts.includes(iso)).map((iso) => iso.slice(0, 10))).toEqual([
      gone,
    ])
    expect(cancelled.text).toMatch(new RegExp(`EXDATE;TZID=Africa/Cairo:${day}T\\d{6}`))
    // It takes place after all.
    await pool.query(
      'update meeting_occurrences set cancelled_at = null, cancelled_reason = null where offering_slot_id = $1',
      [at.monday],
    )
    const back = await read()
    expect(back.starts).toEqual(before.starts)
  })
  test('a cancelled date that is made up is that date of its series, held on another day', async () => {
    const { pool } = u.database
    const events = async () =>
      new ICAL.Component(ICAL.parse((await ask()).body) as [string, [], []])
        .getAllSubcomponents('vevent')
        .map((event) => new ICAL.Event(event))
        .filter((event) => event.uid.startsWith(`meeting-${at.monday}`))
    await pool.query('delete from meeting_occurrences where offering_slot_id = $1', [at.monday])
    const gone = (await dates()).at(-2)!
    const on = addDays(gone, 1)
    const { rows } = await pool.query(
      `insert into meeting_occurrences (offering_id, offering_slot_id, date, cancelled_at, cancelled_reason) values ($1, $2, $3, now(), 'Illness') returning id`,
      [at.offering, at.monday, gone],
    )
    const before = await ask()
    await pool.query(
      'insert into meeting_occurrences (offering_id, offering_slot_id, date, makes_up_id, slot_id, location_id) values ($1, $2, $3, $4, $5, $6)',
      [at.offering, at.monday, on, rows[0].id, at.slots[1], at.rooms[0]],
    )
    expect((await ask({ 'if-none-match': String(before.headers.etag) })).statusCode).toBe(200)
    const [changed, ...others] = (await events()).filter((event) => event.isRecurrenceException())
    expect(others).toEqual([])
    expect(changed!.recurrenceId.toString().slice(0, 10)).toBe(gone)
    expect(changed!.startDate.toString().slice(0, 10)).toBe(on)
    const series = (await events()).find((event) => event.uid === changed!.uid && !event.isRecurrenceException())!
    // The series still has the day: the change stands in its place, and a program that knows no changes shows it as planned.
    const held: string[] = []
    const all = series.iterator()
    for (let next = all.next(); next; next = all.next()) held.push(next.toString().slice(0, 10))
    expect([held.includes(gone), held.includes(on)]).toEqual([true, false])
    // On the screen it is a day by itself, and the first one is left out.
    const [{ places }] = ok(await student('POST', '/offering-schedules/student', {})).filter(
      (one: { id: number }) => one.id === at.monday,
    )
    const day = places.find((one: { instead_of: string | null }) => one.instead_of !== null)
    expect([day.instead_of, day.from, day.to, day.location.id]).toEqual([gone, on, on, at.rooms[0]])
    expect(places.some((one: { except: string[] }) => one.except.includes(gone))).toBe(true)
    await pool.query('delete from meeting_occurrences where offering_slot_id = $1', [at.monday])
  })
  test('what was held elsewhere on a single day is a day by itself, known by its own name', () => {
    const times = { regular_time: { from: '09:00', to: '10:30' }, ramadan_time: { from: '10:00', to: '11:00' } }
    const place = { ...times, day: 2, except: [], location: null }
    const events = meetingEvents(
      {
        id: 7,
        version: 3,
        places: [
          { ...place, current: false, from: '2026-10-24', to: '2026-10-28', day: 3 },
          { ...place, current: true, from: '2026-10-29', to: '2026-11-20' },
        ],
      },
      { on: false, days: [] },
      'university.example',
      { summary: 'Logic', at: () => null },
    )
    expect(events.map(({ uid, start, weekly }) => [uid, start, weekly!.until])).toEqual([
      ['meeting-7-2026-10-24@university.example', '2026-10-27T09:00', '2026-10-27'],
      ['meeting-7@university.example', '2026-11-02T09:00', '2026-11-16'],
    ])
    const text = writeCalendar({ name: 'A', zone: 'Africa/Cairo', events, stamp: new Date(0) }).toString()
    const starts = new ICAL.Component(ICAL.parse(text) as [string, [], []])
      .getAllSubcomponents('vevent')
      .flatMap((event) => {
        const all = new ICAL.Event(event).iterator()
        const found: string[] = []
        for (let next = all.next(); next; next = all.next()) found.push(next.toString())
        return found
      })
    expect(starts).toEqual(['2026-10-27T09:00:00', '2026-11-02T09:00:00', '2026-11-09T09:00:00', '2026-11-16T09:00:00'])
  })
  test('a Ramadan time applies on the days of Ramadan only, each by itself in the series', async () => {
    const { rows } = await u.database.pool.query(
      `select min(on_date)::text as first from teaching_dates($1) where on_date > university_today() + 1`,
      [at.monday],
    )
    const first = rows[0].first as string
    ok(
      await registrar('PUT', '/calendar-events', {
        ...day,
        layer: 'ramadan',
        no_teaching: false,
        start_date: first,
        end_date: first,
      }),
    )
    ok(await registrar('PUT', '/slots/change-ramadan-time', { is_ramadan: true }))
    const text = (await ask()).body.replaceAll('\r\n ', '')
    const compact = first.replaceAll('-', '')
    expect(text).toContain(`RECURRENCE-ID;TZID=Africa/Cairo:${compact}T110000`)
    expect(text).toContain(`DTSTART;TZID=Africa/Cairo:${compact}T120000`)
    ok(await registrar('PUT', '/slots/change-ramadan-time', { is_ramadan: false }))
    expect((await ask()).body).not.toContain('RECURRENCE-ID')
  })
  test('an exam stands in it once it is published, moves with its seat, and is struck out while it is planned anew', async () => {
    const { pool } = u.database
    const on = async (days: number) =>
      (await pool.query('select (university_today() + $1::int)::text as day', [days])).rows[0].day as string
    const [first, second] = [await on(3), await on(4)]
    const slot = await one('exam_slots', {
      code: 'E1',
      name: 'Morning',
      name_local: 'صباحًا',
      start_time: '09:00',
      end_time: '11:00',
      ramadan_start_time: '10:00',
      ramadan_end_time: '12:00',
    })
    const exam = await one('exams', {
      code: 'EX',
      name: 'Finals',
      name_local: 'النهائي',
      term_id: at.term,
      kind: 'final',
    })
    await insertRows(
      u.services.db,
      'exam_days',
      [first, second].map((on_date) => ({ exam_id: exam, on_date })),
    )
    await one('exam_times', { exam_id: exam, exam_slot_id: slot })
    for (const location_id of at.rooms.slice(0, 2)) await one('exam_halls', { exam_id: exam, location_id, seats: 20 })
    // Somebody else sits in another hall of the exam, on a seat before.
    const colleague = await one('students', {
      code: 'S9',
      name: 'N',
      name_local: 'ن',
      faculty_id: at.here,
      bylaw_id: (await pool.query('select bylaw_id from students where id = $1', [at.student])).rows[0].bylaw_id,
      program_id: (await pool.query('select program_id from students where id = $1', [at.student])).rows[0].program_id,
    })
    await pool.query(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
       select $1, offering_id, term_id, course_id, 262160, 3 from registrations where student_id = $2 and offering_id = $3`,
      [colleague, at.student, at.offering],
    )
    const hall = async () => {
      await pool.query(
        `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during) values ($1, $2, $3, 5, 'empty')`,
        [schedule, exam, at.rooms[1]],
      )
      await pool.query(
        `insert into exam_seats (exam_schedule_id, location_id, registration_id, seat, during)
         select $1, $2, id, 2, 'empty' from registrations where student_id = $3 and offering_id = $4`,
        [schedule, at.rooms[1], colleague, at.offering],
      )
      await pool.query(
        `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during) values ($1, $2, $3, 5, 'empty')`,
        [schedule, exam, at.rooms[0]],
      )
      await pool.query(
        `insert into exam_seats (exam_schedule_id, location_id, registration_id, seat, during)
         select $1, $2, id, 4, 'empty' from registrations where student_id = $3 and offering_id = $4`,
        [schedule, at.rooms[0], at.student, at.offering],
      )
    }
    const schedule = await one('exam_schedules', {
      exam_id: exam,
      offering_id: at.offering,
      on_date: first,
      exam_slot_id: slot,
    })
    await hall()
    const teacher = (await pool.query(`select id, user_id from instructors where code = 'I1'`)).rows[0]
    await pool.query(
      `insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, role, during) values ($1, $2, $3, 'chief', 'empty')`,
      [schedule, at.rooms[0], teacher.id],
    )
    const publish = (yes: boolean) =>
      pool.query('update exams set status = $2, published_at = case when $3 then now() end where id = $1', [
        exam,
        yes ? 'published' : 'draft',
        yes,
      ])
    /** The exam in the calendar: its lines by name. */
    const read = async () => {
      const { body, headers } = await ask()
      const event = body
        .replaceAll('\r\n ', '')
        .split('BEGIN:VEVENT')
        .find((part) => part.includes(`UID:exam-${schedule}-sits@`))
      const line = (name: string) => new RegExp(`^${name}[^:\\r]*:([^\\r]*)`, 'm').exec(event ?? '')?.[1] ?? null
      return {
        etag: String(headers.etag),
        start: line('DTSTART'),
        place: line('LOCATION'),
        status: line('STATUS'),
        sequence: Number(line('SEQUENCE')),
        summary: line('SUMMARY'),
      }
    }
    const exams = async (who: Caller, type: string) =>
      (await who('POST', `/offering-schedules/${type}`, {})).body.meta.details.exams
    expect((await read()).start).toBeNull()
    expect(await exams(student, 'student')).toEqual([])
    const before = await read()
    await publish(true)
    const published = await read()
    expect(published.etag).not.toBe(before.etag)
    expect(published).toMatchObject({
      start: `${first.replaceAll('-', '')}T090000`,
      place: 'قاعة 0 · مقعد 4',
      status: null,
      summary: 'م · امتحان نهائي',
    })
    expect(await exams(student, 'student')).toMatchObject([
      { as: 'sits', on_date: first, from: '09:00', seat: 4, halls: [{ code: 'R0' }], cancelled: false },
    ])
    expect((await exams(await u.signIn(teacher.user_id), 'instructor')).map((row: any) => row.as)).toContain(
      'invigilates',
    )
    // Another student of the term has none of it, and who invigilates is told the next duty.
    const stranger = await u.as('student', undefined, { type: 3 })
    expect(ok(await stranger('GET', '/users/work')).waiting).toEqual([])
    const waiting = async (who: Caller) =>
      ok(await who('GET', '/users/work')).waiting.map((row: any) => [row.key, row.data.seat])
    expect(await waiting(student)).toEqual([['scheduling.next_exam_seat', 4]])
    expect(await waiting(await u.signIn(teacher.user_id))).toEqual([['scheduling.next_duty', null]])

    // Planned anew: nobody sees it, and calendars strike it out.
    await publish(false)
    const reopened = await read()
    expect(reopened).toMatchObject({ start: published.start, status: 'CANCELLED', place: null })
    expect(reopened.sequence).toBeGreaterThan(published.sequence)
    expect(await exams(student, 'student')).toEqual([])
    expect(await waiting(student)).toEqual([])
    await pool.query('update exam_schedules set on_date = $2 where id = $1', [schedule, second])
    expect(await read()).toMatchObject({ start: published.start, status: 'CANCELLED' })
    await publish(true)
    const moved = await read()
    // It left its seat with its day; the hall goes along.
    expect(moved).toMatchObject({
      start: `${second.replaceAll('-', '')}T090000`,
      status: null,
      place: 'قاعة 0 · قاعة 1',
    })
    expect(moved.sequence).toBeGreaterThan(reopened.sequence)
    // A slot at another time moves what is published.
    await pool.query(`update exam_slots set start_time = '08:30' where id = $1`, [slot])
    const later = await read()
    expect(later.start).toBe(`${second.replaceAll('-', '')}T083000`)
    expect(later.sequence).toBeGreaterThan(moved.sequence)
    // The file of today says the same, and so does the home on the day.
    const file = (await student('GET', '/offering-schedules/student/calendar')).bytes.toString()
    expect(file).toContain(`UID:exam-${schedule}-sits@`)
    // Who has left the course has its exam no more.
    await pool.query('update registrations set status = $3 where student_id = $1 and offering_id = $2', [
      at.student,
      at.offering,
      String(flag.Withdrawn | flag.Fresh),
    ])
    expect((await read()).start).toBeNull()
    await pool.query(`update registrations set status = 262160 where student_id = $1 and offering_id = $2`, [
      at.student,
      at.offering,
    ])
  })
  test('an address that leaked is dead at once; who is blocked has none; guesses are slowed', async () => {
    const old = address
    address = ok(await student('POST', '/calendar-feed')).address
    expect((await ask({}, old)).statusCode).toBe(404)
    expect((await ask()).statusCode).toBe(200)
    await u.database.pool.query('update users set blocked_at = now() where id = $1', [student.user_id])
    expect((await ask()).statusCode).toBe(404)
    await u.database.pool.query('update users set blocked_at = null where id = $1', [student.user_id])
    expect((await ask()).statusCode).toBe(200)
    ok(await student('DELETE', '/calendar-feed'))
    expect((await ask()).statusCode).toBe(404)
    expect((await student('DELETE', '/calendar-feed')).status).toBe(404)
    const tries: number[] = []
    for (let i = 0; i < 40; i++)
      tries.push((await ask({}, `/api/calendars/${'x'.repeat(43)}/timetable.ics`)).statusCode)
    expect(tries.at(-1)).toBe(429)
  })
})

describe('office hours', () => {
  test('an instructor keeps the own ones where no meeting is; students of the course see them, and nobody changes others’', async () => {
    const { rows } = await u.database.pool.query(`select i.id, i.user_id from instructors i where code = 'I1'`)
    const teacher = await u.signIn(rows[0].user_id)
    const { rows: meeting } = await u.database.pool.query('select day from offering_slots where id = $1', [at.monday])
    const hour = {
      instructor_id: rows[0].id,
      day: meeting[0].day as number,
      start_time: '11:00',
      end_time: '12:00',
      place: 'Office 7',
    }
    const put = (with_: object, who = teacher) => who('PUT', '/offering-schedules/office-hours', { ...hour, ...with_ })
    expect(reasons(await put({}))).toEqual(['office_hour_teaching@start_time'])
    // In a room where others meet there is none either, but online as many as one likes.
    const there = { day: 6, location_id: at.rooms[1], place: null }
    const { rows: taken } = await u.database.pool.query(
      `update offering_slots s set location_id = $1, day = 6, slot_id = $2 from offerings o join courses c on c.id = o.course_id
       where o.id = s.offering_id and c.code = 'C2' and s.type = 'Lecture' returning s.id`,
      [at.rooms[1], at.slots[1]],
    )
    await u.database.pool.query('delete from offering_slot_instructors where offering_slot_id = $1', [taken[0].id])
    expect(reasons(await put(there))).toEqual(['office_hour_room@location_id'])
    await u.database.pool.query(`update locations set location_type = 'online' where id = $1`, [at.rooms[1]])
    ok(await teacher('DELETE', `/offering-schedules/office-hours/${ok(await put(there)).id}`))
    await u.database.pool.query(`update locations set location_type = 'room' where id = $1`, [at.rooms[1]])
    expect(reasons(await put({ start_time: '16:00', end_time: '15:00' }))).toEqual(['office_hours_order'])
    expect(reasons(await put({ start_time: '16:00', end_time: '17:00', place: null }))).toEqual(['office_hours_place'])
    const id = ok(await put({ start_time: '16:00', end_time: '17:00' })).id as number
    expect(reasons(await put({ start_time: '16:30', end_time: '17:30' }))).toEqual(['office_hours_overlap@day'])
    expect((await put({}, student)).status).toBe(403)
    const other = await u.as('instructor', undefined, { type: 1 })
    expect((await other('PUT', `/offering-schedules/office-hours/${id}`, { end_time: '18:00' })).status).toBe(404)
    ok(await teacher('PUT', `/offering-schedules/office-hours/${id}`, { end_time: '18:00' }))
    const week = await student('POST', '/offering-schedules/student', {})
    expect(week.body.meta.details.office_hours).toMatchObject([
      { instructor: { code: 'I1' }, start_time: '16:00', end_time: '18:00', place: 'Office 7' },
    ])
  })
})
