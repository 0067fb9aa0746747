import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { insertRows } from '#db/bulk.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { schedulingServer } from './scheduling.server.ts'

let u: TestUniversity
let registrar: Caller
const period = {
  code: 'P1',
  name: 'Period 1',
  name_local: 'الفترة الأولى',
  start_time: '08:30',
  end_time: '10:00',
  ramadan_start_time: '09:30',
  ramadan_end_time: '10:30',
}
const one = async (table: string, row: object): Promise<number> =>
  (await insertRows(u.services.db, table, [row as Record<string, unknown>], { returning: 'id' }))[0]!

beforeAll(async () => {
  u = await testUniversity([catalogueServer, peopleServer, studentsServer, schedulingServer])
  registrar = await u.as('registrar')
})
afterAll(() => u.close())

describe('time slots', () => {
  test('both documented calls add one; times are checked in both seasons', async () => {
    ok(await registrar('POST', '/slots/add', period))
    const second = ok(
      await registrar('PUT', '/slots', { ...period, code: 'P2', start_time: '10:15', end_time: '11:45' }),
    )
    expect(second.start_time).toMatch(/^10:15/)
    expect(reasons(await registrar('PUT', '/slots', { ...period, code: 'P3', end_time: '08:00' }))).toEqual([
      'slots_regular_order',
    ])
    expect(reasons(await registrar('PUT', '/slots', { ...period, code: 'P3', ramadan_end_time: '08:00' }))).toEqual([
      'slots_ramadan_order',
    ])
    expect((await registrar('PUT', '/slots', { ...period, code: 'P3', start_time: '25:00' })).status).toBe(422)
    expect(reasons(await registrar('PUT', '/slots', period))).toEqual(['duplicate@code'])
  })
  test('Ramadan time is switched by who may and seen by everybody signed in', async () => {
    const student = await u.as('student', undefined, { type: 3 })
    expect((await student('PUT', '/slots/change-ramadan-time', { is_ramadan: true })).status).toBe(403)
    expect(ok(await student('GET', '/slots/get-ramadan-time-status')).is_ramadan).toBe(false)
    expect(ok(await registrar('PUT', '/slots/change-ramadan-time', { is_ramadan: true })).is_ramadan).toBe(true)
    expect(ok(await student('GET', '/slots/get-ramadan-time-status')).is_ramadan).toBe(true)
    ok(await registrar('PUT', '/slots/change-ramadan-time', { is_ramadan: false }))
    const kept = (await u.database.pool.query('delete from ramadan_status returning *')).rows
    expect(reasons(await registrar('PUT', '/slots/change-ramadan-time', { is_ramadan: true }))).toEqual([
      'ramadan_not_changed',
    ])
    for (const { kind } of kept) await u.database.pool.query('insert into ramadan_status (kind) values ($1)', [kind])
  })
})

describe('places', () => {
  test('a location needs a building and a sensible capacity', async () => {
    const building = ok(
      await registrar('PUT', '/buildings', { code: 'B1', name: 'Main', name_local: 'المبنى الرئيسي' }),
    ).id
    const hall = {
      building_id: building,
      code: 'H1',
      name: 'Hall',
      name_local: 'مدرج',
      location_type: 'hall',
      sectors: 1,
      capacity: 120,
    }
    ok(await registrar('PUT', '/locations', hall))
    expect(reasons(await registrar('PUT', '/locations', { ...hall, code: 'H2', capacity: 0 }))).toEqual([
      'too_small@capacity',
    ])
    expect(reasons(await registrar('PUT', '/locations', { ...hall, code: 'H2', building_id: 9999 }))).toEqual([
      'reference_missing@building_id',
    ])
    expect(reasons(await registrar('DELETE', `/buildings/${building}`))).toEqual(['in_use', 'in_use_by'])
  })
  test('the template for halls is a workbook', async () => {
    const answer = await registrar('POST', '/buildings/export_migrated_halls_template')
    expect(answer.status).toBe(200)
    expect(answer.headers['content-disposition']).toContain('Halls.xlsx')
    expect(answer.bytes.subarray(0, 2).toString()).toBe('PK')
  })
})

describe('timetables', () => {
  const at = { term: 0, offering: 0, linked: 0, meeting: 0, instructor: 0, student: 0, location: 0, course: 0 }
  let student: Caller
  let instructor: Caller
  beforeAll(async () => {
    const faculty = await one('faculties', { code: 'F', name: 'F', name_local: 'ف' })
    const bylaw = await one('bylaws', { faculty_id: faculty, code: 'B', name: 'B', name_local: 'ب' })
    const program = await one('programs', {
      faculty_id: faculty,
      bylaw_id: bylaw,
      code: 'P',
      name: 'P',
      name_local: 'ب',
    })
    at.course = await one('courses', {
      code: 'C1',
      name: 'Course',
      name_local: 'مقرر',
      credit_hours: 3,
      faculty_id: faculty,
    })
    const other = await one('courses', {
      code: 'C2',
      name: 'Twin',
      name_local: 'توأم',
      credit_hours: 3,
      faculty_id: faculty,
    })
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
      start_date: '2026-09-10',
      end_date: '2027-01-10',
    })
    await u.database.pool.query(`insert into current_terms (key, term_id) values ('current_term', $1)`, [at.term])
    instructor = await u.as('instructor', undefined, { type: 1 })
    student = await u.as('student', undefined, { type: 3 })
    at.instructor = await one('instructors', {
      user_id: instructor.user_id,
      code: 'I1',
      name: 'Dr A',
      name_local: 'د أ',
      faculty_id: faculty,
    })
    at.student = await one('students', {
      user_id: student.user_id,
      code: 'S1',
      name: 'S',
      name_local: 'س',
      faculty_id: faculty,
      bylaw_id: bylaw,
      program_id: program,
    })
    at.offering = await one('offerings', { term_id: at.term, course_id: at.course, code: '1', faculty_id: faculty })
    at.linked = await one('offerings', {
      term_id: at.term,
      course_id: other,
      code: '1',
      linked_offering_id: at.offering,
    })
    const group = await one('offering_groups', { offering_id: at.offering, number: 1 })
    const { rows } = await u.database.pool.query<{ s: number; l: number }>(
      `select (select id from slots where code = 'P1') as s, (select id from locations where code = 'H1') as l`,
    )
    at.location = rows[0]!.l
    at.meeting = await one('offering_slots', {
      offering_id: at.offering,
      term_id: at.term,
      group_id: group,
      type: 'Lecture',
      day: 2,
      slot_id: rows[0]!.s,
      location_id: at.location,
      quota: 10,
    })
    await u.database.pool.query('insert into offering_slot_instructors values ($1, $2)', [at.meeting, at.instructor])
    const registration = await one('registrations', {
      student_id: at.student,
      offering_id: at.offering,
      term_id: at.term,
      course_id: at.course,
      status: '262160',
      credit_hours: 3,
    })
    await u.database.pool.query('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
      registration,
      at.meeting,
    ])
  })
  test('the same meeting stands in every week it belongs to, with both times', async () => {
    for (const [type, id] of [
      ['offering', at.offering],
      ['offering', at.linked],
      ['course', at.course],
      ['instructor', at.instructor],
      ['student', at.student],
      ['location', at.location],
    ] as const) {
      const answer = await registrar('POST', `/offering-schedules/${type}/${id}`, {})
      expect(ok(answer), type).toMatchObject([
        {
          id: at.meeting,
          type: 'Lecture',
          day: 2,
          group: 1,
          quota: 10,
          taken: 1,
          regular_time: { from: '08:30', to: '10:00' },
          ramadan_time: { from: '09:30', to: '10:30' },
          course: { code: 'C1' },
          location: { code: 'H1' },
          instructors: [{ code: 'I1' }],
        },
      ])
      expect(answer.body.meta.details).toMatchObject({ term: { id: at.term }, is_ramadan: false, unplaced: 0 })
    }
  })
  test('everybody sees the own week without naming anybody; another student gets nothing', async () => {
    expect(ok(await student('POST', '/offering-schedules/student', {}))).toHaveLength(1)
    expect(ok(await instructor('POST', '/offering-schedules/instructor', {}))).toHaveLength(1)
    const stranger = await u.as('student', undefined, { type: 3 })
    for (const path of [
      `student/${at.student}`,
      `instructor/${at.instructor}`,
      `location/${at.location}`,
      `offering/${at.offering}`,
    ]) {
      expect((await stranger('POST', `/offering-schedules/${path}`, {})).status, path).toBe(404)
    }
    expect((await stranger('POST', '/offering-schedules/student', {})).status).toBe(404)
    expect((await u.nobody('POST', '/offering-schedules/student', {})).status).toBe(401)
  })
  describe('stages of the term', () => {
    const stage = async (kind: string, group: object | null) => {
      const stage_group_id = group
        ? await one('stage_groups', { code: `G${++groups}`, name: 'G', name_local: 'م', ...group })
        : null
      const { rows } = await u.database.pool.query<{ id: number }>(
        `insert into term_stages (term_id, stage_code_id, stage_group_id, starts_at, ends_at)
         select $1, id, $3, '2026-10-04T06:00Z', '2026-10-10T22:00Z' from stage_codes where code = $2 returning id`,
        [at.term, kind, stage_group_id],
      )
      return rows[0]!.id
    }
    let groups = 0
    const seen = async (who: Caller, path: string) => {
      const { term, stages } = (await who('POST', `/offering-schedules/${path}`, {})).body.meta.details
      expect([term.start_date, term.end_date]).toEqual(['2026-09-10', '2027-01-10'])
      return (stages as { id: number }[]).map((one) => one.id)
    }
    const elsewhere = async () => one('faculties', { code: 'F2', name: 'F2', name_local: 'ف2' })

    test('a student sees those that open to the student, by the level that is out; staff see the same', async () => {
      const other = await elsewhere()
      await u.database.pool.query('update students set level = 2 where id = $1', [at.student])
      const all = await stage('register', null)
      const level = await stage('add_drop', { level: 2 })
      await stage('add_drop', { level: 3 })
      await stage('withdraw', { faculty_id: other })
      await stage('grade_entry', null)
      const answer = await student('POST', '/offering-schedules/student', {})
      expect(answer.body.meta.details.stages).toMatchObject([
        { kind: 'register', starts_at: '2026-10-04T06:00:00Z', ends_at: '2026-10-10T22:00:00Z' },
        { kind: 'add_drop' },
      ])
      expect(await seen(student, 'student')).toEqual([all, level])
      expect(await seen(registrar, `student/${at.student}`)).toEqual([all, level])
      for (const path of [`location/${at.location}`, `offering/${at.offering}`, `course/${at.course}`])
        expect(await seen(registrar, path), path).toEqual([])
      await u.database.pool.query(`update term_stages set removed_at = now()`)
      expect(await seen(student, 'student')).toEqual([])
    })

    test('an instructor sees mark entry of all and of the faculties taught in', async () => {
      const { rows } = await u.database.pool.query<{ faculty_id: number }>(
        'select faculty_id from instructors where id = $1',
        [at.instructor],
      )
      await u.database.pool.query('delete from term_stages')
      const here = await stage('grade_entry', { faculty_id: rows[0]!.faculty_id })
      const { rows: others } = await u.database.pool.query<{ id: number }>(`select id from faculties where code = 'F2'`)
      await stage('grade_entry', { faculty_id: others[0]!.id })
      await stage('register', null)
      await stage('add_drop', { faculty_id: rows[0]!.faculty_id, level: 1 })
      const all = await stage('results', null)
      expect(await seen(instructor, 'instructor')).toEqual([here, all])
      await u.database.pool.query('delete from term_stages')
    })
  })
  test('who has withdrawn keeps the seat, and has the meeting neither in the timetable nor in the calendar', async () => {
    const state = (status: string) =>
      u.database.pool.query('update registrations set status = $2 where student_id = $1', [at.student, status])
    const own = async () => [
      ok(await student('POST', '/offering-schedules/student', {})).length,
      (await student('GET', '/offering-schedules/student/calendar')).bytes.toString().match(/BEGIN:VEVENT/g)?.length ??
        0,
    ]
    expect(await own()).toEqual([1, 1])
    // Withdrawn.
    await state('1040')
    expect(await own()).toEqual([0, 0])
    const [meeting] = ok(await registrar('POST', `/offering-schedules/offering/${at.offering}`, {}))
    expect(meeting.taken).toBe(1)
    await state('262160')
    expect(await own()).toEqual([1, 1])
  })
  test('the own week goes into another calendar: every meeting weekly, from the first day of the term to its last', async () => {
    const answer = await student('GET', '/offering-schedules/student/calendar')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/calendar; charset=utf-8'])
    const text = answer.bytes.toString()
    const {
      rows: [term],
    } = await u.database.pool.query<{ start_date: string; end_date: string }>(
      'select start_date, end_date from terms where id = $1',
      [at.term],
    )
    const start = /DTSTART;TZID=Africa\/Cairo:(\d{4})(\d\d)(\d\d)T083000/.exec(text)!
    const day = `${start[1]}-${start[2]}-${start[3]}`
    // Day 2 of the week is Monday.
    expect(new Date(`${day}T00:00:00Z`).getUTCDay()).toBe(1)
    expect(day >= term!.start_date && Date.parse(day) - Date.parse(term!.start_date) < 7 * 86_400_000).toBe(true)
    expect(text).toMatch(/RRULE:FREQ=WEEKLY;UNTIL=\d{8}T\d{6}Z/)
    expect(text).toContain(`UID:meeting-${at.meeting}@`)
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    expect((await student('GET', '/offering-schedules/student/calendar')).headers.etag).toBe(answer.headers.etag)
    expect((await instructor('GET', '/offering-schedules/instructor/calendar')).status).toBe(200)
    expect((await registrar('GET', '/offering-schedules/student/calendar')).status).toBe(404)
    expect((await u.nobody('GET', '/offering-schedules/student/calendar')).status).toBe(401)
  })
  test('the week of a student is for staff who reach the student; other weeks name no student', async () => {
    const { rows } = await u.database.pool.query<{ faculty_id: number }>(
      'select faculty_id from students where id = $1',
      [at.student],
    )
    const here = ['faculty', rows[0]!.faculty_id] as const
    const elsewhere = ['faculty', 900_001] as const
    const status = async (who: Caller) => (await who('POST', `/offering-schedules/student/${at.student}`, {})).status
    expect(await status(await u.as('faculty_registrar', here))).toBe(200)
    expect(await status(await u.as('faculty_registrar', elsewhere))).toBe(404)
    expect(await status(await u.as('instructor', undefined, { type: 1 }))).toBe(404)
    expect(await status(await u.as('quality_staff'))).toBe(404)
    await u.database.pool.query(`update students set name = 'Nobody Elses Name', code = 'NEN1' where id = $1`, [
      at.student,
    ])
    const staff = await u.as('quality_staff')
    for (const path of [
      `offering/${at.offering}`,
      `course/${at.course}`,
      `instructor/${at.instructor}`,
      `location/${at.location}`,
    ]) {
      const answer = await staff('POST', `/offering-schedules/${path}`, {})
      expect([answer.status, answer.body.data.length > 0], path).toEqual([200, true])
      expect(answer.bytes.toString(), path).not.toMatch(/Nobody Elses Name|NEN1/)
    }
    expect((await staff('GET', '/offering-schedules/get_lookups/student')).status).toBe(403)
  })

  test('timetables are seen as far as the right reaches; rooms are shared', async () => {
    const { rows } = await u.database.pool.query<{ faculty_id: number }>(
      'select faculty_id from offerings where id = $1',
      [at.offering],
    )
    const week = async (who: Caller, path: string) => {
      const answer = await who('POST', `/offering-schedules/${path}`, {})
      return [answer.status, answer.body.data?.length]
    }
    const here = await u.as('quality_staff', ['faculty', rows[0]!.faculty_id])
    const elsewhere = await u.as('quality_staff', ['faculty', 900_001])
    for (const path of [`offering/${at.offering}`, `instructor/${at.instructor}`]) {
      expect(await week(here, path), path).toEqual([200, 1])
      expect((await week(elsewhere, path))[0], path).toBe(404)
    }
    expect(await week(here, `course/${at.course}`)).toEqual([200, 1])
    expect(await week(elsewhere, `course/${at.course}`)).toEqual([200, 0])
    expect(await week(elsewhere, `location/${at.location}`)).toEqual([200, 1])
    // Who teaches sees the own offerings, not everybody's; rooms are shared.
    const teacher = await u.as('instructor', undefined, { type: 1 })
    for (const path of [`offering/${at.offering}`, `instructor/${at.instructor}`])
      expect((await week(teacher, path))[0], path).toBe(404)
    expect(await week(teacher, `location/${at.location}`)).toEqual([200, 1])
    // Without naming anybody: all within reach, of the term asked for.
    for (const type of ['offering', 'course', 'instructor', 'location']) {
      const all = await here('POST', `/offering-schedules/${type}`, {})
      expect([all.status, all.body.data.length, all.body.meta.details.of], type).toEqual([200, 1, null])
      expect(all.body.data[0].offering_id).toBe(at.offering)
      expect((await here('POST', `/offering-schedules/${type}`, { term_id: 999_999 })).body.data, type).toEqual([])
      const none = await elsewhere('POST', `/offering-schedules/${type}`, {})
      expect([none.status, none.body.data.length], type).toEqual([200, type === 'location' ? 1 : 0])
    }
    expect(ok(await here('POST', '/offering-schedules/student', {}))).toEqual([])
  })

  test('a room keeps the places of what is planned in it', async () => {
    const { rows } = await u.database.pool.query<{ code: string; capacity: number }>(
      'select code, capacity from locations where id = $1',
      [at.location],
    )
    const answer = await registrar('PUT', `/locations/${at.location}`, { capacity: 9 })
    expect([answer.status, reasons(answer)]).toEqual([409, ['location_capacity_planned']])
    expect(answer.body.errors[0].data).toMatchObject({ seats: 10, capacity: 9, course: 'C1' })
    ok(await registrar('PUT', `/locations/${at.location}`, { capacity: 10 }))
    ok(await registrar('PUT', `/locations/${at.location}`, { capacity: rows[0]!.capacity }))
  })

  test('what does not exist is not found', async () => {
    expect((await registrar('POST', '/offering-schedules/student/99999', {})).status).toBe(404)
    expect((await registrar('POST', '/offering-schedules/planet/1', {})).status).toBe(404)
  })
})
