import { unzipSync } from 'fflate'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { emptyTables } from '#db/testing.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { openTestApp, testActor } from '#kit/server/testing.ts'
import type { TestApp, TestClient } from '#kit/server/testing.ts'
import { offering, offeringCalls } from './offering.contract.ts'
import { offeringsServer } from './offerings.server.ts'
import { reportCalls } from './reports/reports.contract.ts'
import { offeringSlotCalls } from './slots/slots.contract.ts'
import { takenThen } from './slots/slots.rules.ts'
import { teachingCalls } from './teaching/teaching.contract.ts'
import { nextMeeting } from './teaching/teaching.rules.ts'
import { teamCalls } from './team/team.contract.ts'

let t: TestApp
let registrar: TestClient
/** Ids of a small university: two faculties, three courses, halls and periods. */
let ids: {
  faculty: number[]
  program: number[]
  course: number[]
  term: number
  oldTerm: number
  period: number[]
  room: number[]
  instructor: number[]
  student: number[]
}
const generic = resourceCalls(offering)
const compare = <T extends string | number>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0)

beforeAll(async () => {
  t = await openTestApp([offeringsServer, catalogueServer])
})
afterAll(() => t.close())

async function rows<T = { id: number }>(text: string): Promise<T[]> {
  return (await t.database.pool.query(text)).rows as T[]
}
const idsOf = async (text: string): Promise<number[]> => (await rows(text)).map((r) => r.id)

beforeEach(async () => {
  await emptyTables(t.database.db, ['ramadan_status', 'stage_codes'])
  await rows(`insert into ramadan_status (kind) values ('slots') on conflict do nothing`)
  const faculty = await idsOf(
    `insert into faculties (code, name, name_local) values ('ENG', 'Engineering', 'الهندسة'), ('COM', 'Commerce', 'التجارة') returning id`,
  )
  const [bylaw] = await idsOf(
    `insert into bylaws (faculty_id, code, name, name_local) values (${faculty[0]}, 'B', 'Bylaw', 'لائحة') returning id`,
  )
  const program = await idsOf(
    `insert into programs (bylaw_id, faculty_id, code, name, name_local) values (${bylaw}, ${faculty[0]}, 'CSE', 'Computing', 'الحاسبات'), (${bylaw}, ${faculty[1]}, 'ACC', 'Accounting', 'المحاسبة') returning id`,
  )
  const course =
    await idsOf(`insert into courses (faculty_id, code, name, name_local, credit_hours, lecture_hours, laboratory_hours) values
    (${faculty[0]}, 'CS101', 'Programming', 'البرمجة', 3, 2, 2), (${faculty[0]}, 'CS102', 'Data Structures', 'هياكل البيانات', 3, 3, 0), (${faculty[1]}, 'AC101', 'Accounting', 'مبادئ المحاسبة', 3, 2, 0) returning id`)
  await rows(
    `insert into program_courses (program_id, course_id, level, semester, kind) values (${program[0]}, ${course[0]}, 1, 1, 'mandatory'), (${program[0]}, ${course[1]}, 1, 1, 'mandatory'), (${program[1]}, ${course[2]}, 1, 1, 'mandatory')`,
  )
  const [year] = await idsOf(
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Year', 'عام', '2026-09-01', '2027-08-31') returning id`,
  )
  const [oldTerm, term] =
    await idsOf(`insert into terms (year_id, code, name, name_local, term_type, start_date, end_date) values
    (${year}, 'F25', 'Fall 2025', 'خريف 2025', 'fall', '2025-09-20', '2026-01-10'), (${year}, 'F26', 'Fall 2026', 'خريف 2026', 'fall', university_today() - 10, university_today() + 100) returning id`)
  await rows(`insert into current_terms (key, term_id) values ('current_term', ${term})`)
  const period =
    await idsOf(`insert into slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time) values
    ('P1', 'Period 1', 'الفترة 1', '09:00', '10:30', '09:00', '10:00'), ('P2', 'Period 2', 'الفترة 2', '10:30', '12:00', '10:00', '11:00'), ('P3', 'Period 3', 'الفترة 3', '12:00', '13:30', '11:00', '12:00') returning id`)
  const [building] = await idsOf(
    `insert into buildings (code, name, name_local, faculty_id) values ('E', 'Engineering', 'الهندسة', ${faculty[0]}) returning id`,
  )
  const room = await idsOf(`insert into locations (building_id, code, name, name_local, capacity, location_type) values
    (${building}, 'E1', 'Hall 1', 'مدرج 1', 120, 'hall'), (${building}, 'E2', 'Room 2', 'قاعة 2', 40, 'room'), (${building}, 'L1', 'Lab 1', 'معمل 1', 40, 'lab') returning id`)
  const users = await idsOf(
    `insert into users (type, email, name, name_local) values (2, 'registrar@university.example', 'Registrar', 'المسجل'), (1, 'mona@university.example', 'Mona Adel', 'منى عادل') returning id`,
  )
  const instructor = await idsOf(
    `insert into instructors (user_id, code, name, name_local, faculty_id) values (${users[1]}, 'I1', 'Mona Adel', 'منى عادل', ${faculty[0]}), (null, 'I2', 'Karim Nabil', 'كريم نبيل', ${faculty[0]}) returning id`,
  )
  const student = await idsOf(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level) select '2600' || n, 'Student ' || n, 'طالب ' || n, ${faculty[0]}, ${program[0]}, ${bylaw}, 1 from generate_series(1, 5) n returning id`,
  )
  ids = { faculty, program, course, term: term!, oldTerm: oldTerm!, period, room, instructor, student }
  registrar = t.as(actor('all', { user_id: users[0]! }))
})

const KEYS = [
  'access_offering',
  'show_offering',
  'add_offering',
  'edit_offering',
  'remove_offering',
  'restore_offering',
  'export_offering',
  'edit_offering_team',
  'edit_offering_slots',
  'link_offerings',
  'access_registration',
] as const
type Reach = Parameters<typeof testActor>[0][(typeof KEYS)[number]]
const actor = (reach: Reach, more = {}) => testActor(Object.fromEntries(KEYS.map((k) => [k, reach])), more)
const lecture = (more = {}) => ({ type: 'Lecture', quota: 30, over_quota: 2, ...more })
const add = async (more: Record<string, unknown> = {}) =>
  (
    await registrar.ask(offeringCalls.add, {
      body: { course_id: ids.course[0], groups: 1, slots: [lecture()], ...more },
    })
  ).data as any
const edit = (id: number, body: unknown, who = registrar) => who.send(offeringCalls.edit, { params: { id }, body })
/** The meetings of an offering as they are sent again, with something changed in the first. */
const resend = (row: any, more = {}) =>
  row.groups
    .flatMap((g: any) =>
      g.meetings.map((m: any) => ({
        id: m.id,
        group: g.number,
        type: m.type,
        section: m.section,
        day: m.day,
        slot_id: m.slot?.id ?? null,
        location_id: m.location?.id ?? null,
        quota: m.quota,
        over_quota: m.over_quota,
        instructor_ids: m.instructors.map((i: any) => i.id),
      })),
    )
    .map((m: any, i: number) => (i === 0 ? { ...m, ...more } : m))
/** Registers students as the registration area does. */
async function register(
  offering_id: number,
  slot_id: number,
  students: readonly number[],
  status: bigint = flag.Registered | flag.Fresh,
): Promise<number[]> {
  const made =
    await idsOf(`insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
    select s, o.id, o.term_id, o.course_id, ${status}, 3 from offerings o, unnest(array[${students.join()}]) s where o.id = ${offering_id} returning id`)
  await rows(
    `insert into registration_slots (registration_id, offering_slot_id) select r, ${slot_id} from unnest(array[${made.join()}]) r`,
  )
  return made
}
const codesOf = (answer: { error: { errors: { field: string | null; code: string }[] } }) =>
  answer.error.errors.map((e) => `${e.field}: ${e.code}`)

describe('offering a course', () => {
  test('needs number of groups, meetings, quota and over-quota', async () => {
    const answer = await registrar.send(offeringCalls.add, {
      body: { course_id: ids.course[0], slots: [{ type: 'Lecture' }] },
    })
    expect(answer.status).toBe(422)
    expect(codesOf(answer).toSorted(compare)).toEqual([
      'groups: required',
      'slots.0.over_quota: required',
      'slots.0.quota: required',
    ])
  })

  test('makes groups, meetings, team and programs; faculty, code and term follow', async () => {
    const row = await add({
      groups: 2,
      slots: [
        lecture({ instructor_ids: [ids.instructor[0]] }),
        { type: 'Lab', group: 1, section: 'A', quota: 15, over_quota: 0 },
        { type: 'Lab', group: 1, section: 'B', quota: 10, over_quota: 0 },
      ],
      instructors: [{ instructor_id: ids.instructor[1], role: 'leader' }],
      programs: [{ program_id: ids.program[0], level: 1 }],
    })
    expect(row).toMatchObject({
      code: '1',
      faculty_id: ids.faculty[0],
      term_id: ids.term,
      is_open: true,
      control_status: 'Draft',
      groups_count: 2,
      unplaced: 4,
      credit_hours: 3,
    })
    // Group 1: lecture 30, labs 15 + 10; group 2: lecture 30.
    expect([row.seats, row.free_seats]).toEqual([55, 55])
    expect(row.instructors.map((i: any) => [i.code, i.role])).toEqual([
      ['I2', 'leader'],
      ['I1', 'instructor'],
    ])
    expect(row.programs.map((p: any) => [p.code, p.level])).toEqual([['CSE', 1]])
    expect(row.groups[0].meetings.map((m: any) => [m.type, m.section])).toEqual([
      ['Lecture', null],
      ['Lab', 'A'],
      ['Lab', 'B'],
    ])
    expect((await add()).code).toBe('2')
    const twice = await registrar.send(offeringCalls.add, {
      body: { course_id: ids.course[0], code: '2', groups: 1, slots: [lecture()] },
    })
    expect([twice.status, twice.error.errors[0]?.code]).toEqual([422, 'offerings_code_key'])
  })

  test('two who offer one course at one moment get two codes', async () => {
    const all = await Promise.all([1, 2, 3].map(() => add()))
    expect(all.map((o) => o.code).toSorted(compare)).toEqual(['1', '2', '3'])
  })

  test('the list shows the current term, counts, seats, and is searched by course in both languages', async () => {
    const row = await add()
    await add({ course_id: ids.course[1], term_id: ids.oldTerm })
    await register(row.id, row.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const { data, meta } = await registrar.ask(generic.list, { body: {} })
    expect([meta.count, (meta.details as any).term.code]).toEqual([1, 'F26'])
    expect(data[0]).toMatchObject({
      course: { code: 'CS101', name_local: 'البرمجة' },
      seats: 30,
      free_seats: 28,
      registered: 2,
      requested: 0,
      abilities: expect.arrayContaining(['edit', 'remove', 'slots', 'team', 'link']),
    })
    const count = async (body: unknown) => (await registrar.ask(generic.list, { body })).meta.count
    expect(await count({ filters: { term_id: null } })).toBe(2)
    expect(await count({ filters: { term_id: ids.oldTerm } })).toBe(1)
    expect(await count({ search: 'برمجه' })).toBe(1)
    expect(await count({ search: 'cs101' })).toBe(1)
    expect(await count({ search: 'هياكل' })).toBe(0)
    expect(await count({ filters: { program_id: ids.program[1] } })).toBe(0)
    expect(await count({ filters: { seats: 'unplaced' } })).toBe(1)
    expect(await count({ filters: { seats: 'full' } })).toBe(0)
    expect((await registrar.send(generic.list, { body: { order_by: 'notes' } })).status).toBe(422)
  })
})

describe('groups and meetings', () => {
  test('quota never falls below the seats taken; groups with students stay', async () => {
    const row = await add({ groups: 2 })
    const slot = row.groups[0].meetings[0].id
    await register(row.id, slot, ids.student.slice(0, 3))
    const low = await edit(row.id, { slots: resend(row, { quota: 1, over_quota: 1 }) })
    expect(low.status).toBe(409)
    expect(low.error.errors[0]).toMatchObject({
      field: 'slots.0.quota',
      code: 'quota_below_taken',
      data: { group: 1, taken: 3, quota: 1, over_quota: 1 },
    })
    const gone = await edit(row.id, { groups: 1, slots: resend(row).slice(1) })
    expect(codesOf(gone)).toEqual(['slots: slot_taken_stays', 'slots.0.group: slot_group_beyond'])
    expect((await edit(row.id, { groups: 1 })).status).toBe(200)
    expect((await edit(row.id, { slots: resend(row, { quota: 3, over_quota: 0 }).slice(0, 1) })).status).toBe(200)
  })

  test('all groups together have no more seats than the offering may have students', async () => {
    const row = await add({ groups: 2 })
    const seats = row.groups.reduce(
      (sum: number, group: { meetings: { quota: number; over_quota: number }[] }) =>
        sum + group.meetings[0]!.quota + group.meetings[0]!.over_quota,
      0,
    )
    expect((await edit(row.id, { max_students: seats })).status).toBe(200)
    const low = await edit(row.id, { max_students: seats - 1 })
    expect(low.status).toBe(409)
    expect(low.error.errors[0]).toMatchObject({
      field: 'max_students',
      code: 'seats_above_max_students',
      data: { maximum: seats - 1, seats },
    })
    const more = resend(row, { quota: row.groups[0].meetings[0].quota + 1 })
    expect(codesOf(await edit(row.id, { slots: more }))).toEqual(['max_students: seats_above_max_students'])
    expect(codesOf(await edit(row.id, { min_students: seats + 1, max_students: seats }))).toEqual([
      'min_students: students_min_above_max',
    ])
    expect((await edit(row.id, { max_students: null, slots: more })).status).toBe(200)
  })

  test('clashes of room and instructor and small rooms are told together', async () => {
    const at = { day: 1, slot_id: ids.period[0], location_id: ids.room[0], instructor_ids: [ids.instructor[0]] }
    await add({ slots: [lecture(at)] })
    const other = await add({ course_id: ids.course[1] })
    const answer = await edit(other.id, { slots: [{ ...resend(other)[0], ...at, quota: 130 }] })
    expect(answer.status).toBe(409)
    expect(codesOf(answer)).toEqual([
      'slots.0.location_id: room_too_small',
      'slots.0.location_id: room_taken',
      'slots.0.instructor_ids: instructor_busy',
    ])
    expect(answer.error.errors[2]).toMatchObject({
      en: 'Mona Adel teaches CS101 (1) at this time',
      data: { by: 'CS101 (1)' },
    })
  })

  test('rooms are told with their places and what is in them, periods with their hours; own meetings do not count', async () => {
    const at = { day: 2, slot_id: ids.period[0], location_id: ids.room[0] }
    const there = await add({ slots: [lecture(at)] })
    const placesFor = async (offering_id?: number) =>
      (
        (await registrar.ask(offeringSlotCalls.places, {
          body: { term_id: ids.term, ...(offering_id && { offering_id }) },
        })) as any
      ).data
    const { slots, rooms, taken } = await placesFor()
    expect(slots.find((one: any) => one.id === ids.period[0])).toMatchObject({
      starts: expect.stringMatching(/^\d\d:\d\d$/),
    })
    expect(rooms.find((one: any) => one.id === ids.room[0])).toMatchObject({ code: 'E1', capacity: 120, kind: 'hall' })
    const slot = slots.find((one: any) => one.id === ids.period[0])
    expect(takenThen(taken, 2, slot).get(ids.room[0]!)).toBe(`CS101 (${there.code})`)
    expect(takenThen(taken, 3, slot).has(ids.room[0]!)).toBe(false)
    // Another period of that day is free, and so is the room for the offering that is in it.
    const later = slots.find((one: any) => one.from >= slot.to)
    expect(takenThen(taken, 2, later).has(ids.room[0]!)).toBe(false)
    expect(takenThen((await placesFor(there.id)).taken, 2, slot).has(ids.room[0]!)).toBe(false)
  })

  test('two meetings exchange their rooms in one save', async () => {
    const row = await add({
      groups: 2,
      slots: [
        lecture({ group: 1, day: 0, slot_id: ids.period[0], location_id: ids.room[0] }),
        lecture({ group: 2, day: 0, slot_id: ids.period[0], location_id: ids.room[1] }),
      ],
    })
    const [a, b] = resend(row)
    const answer = await edit(row.id, {
      slots: [
        { ...a, location_id: b.location_id },
        { ...b, location_id: a.location_id },
      ],
    })
    expect(answer.status).toBe(200)
    expect((answer.body.data as any).groups.map((g: any) => g.meetings[0].location.code)).toEqual(['E2', 'E1'])
  })

  test('two people who want one room or one instructor at the same moment: one gets it', async () => {
    const [one, two] = [await add(), await add({ course_id: ids.course[1] })]
    for (const at of [
      { location_id: ids.room[0], instructor_ids: [] },
      { location_id: null, instructor_ids: [ids.instructor[0]] },
    ]) {
      const answers = await Promise.all(
        [one, two].map((row) =>
          edit(row.id, { slots: [{ ...resend(row)[0], day: 2, slot_id: ids.period[1], ...at }] }),
        ),
      )
      expect(answers.map((a) => a.status).toSorted(compare)).toEqual([200, 409])
      for (const row of [one, two])
        await edit(row.id, { slots: [{ ...resend(row)[0], day: null, slot_id: null, location_id: null }] })
    }
  })

  test('moving a meeting onto another one of its students is refused, unless it is wanted', async () => {
    const one = await add({ slots: [lecture({ day: 0, slot_id: ids.period[0] })] })
    const two = await add({ course_id: ids.course[1], slots: [lecture({ day: 0, slot_id: ids.period[1] })] })
    for (const row of [one, two]) await register(row.id, row.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const answer = await edit(two.id, { slots: resend(two, { slot_id: ids.period[0] }) })
    expect(answer.error.errors[0]).toMatchObject({ code: 'students_busy', data: { students: 2, by: 'CS101 (1)' } })
    expect(
      (await edit(two.id, { slots: resend(two, { slot_id: ids.period[0] }), allow_student_clashes: true })).status,
    ).toBe(200)
  })

  test('somebody who saved meanwhile is not overwritten', async () => {
    const row = await add()
    expect((await edit(row.id, { version: row.version, level: 1 })).status).toBe(200)
    const late = await edit(row.id, { version: row.version, level: 2 })
    expect([late.status, late.error.message]).toEqual([409, 'changed_meanwhile'])
  })

  test('a course without weekly hours says of itself no meetings', async () => {
    const [course] = await idsOf(
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values (${ids.faculty[0]}, 'NH', 'Essay', 'بحث', 3) returning id`,
    )
    const row = await add({ course_id: course })
    const generate = (more = {}) =>
      registrar.send(offeringSlotCalls.generate, {
        params: { id: row.id },
        body: { groups: 1, quota: 5, over_quota: 0, ...more },
      })
    expect(codesOf(await generate())).toEqual(['types: course_without_hours'])
    expect((await generate({ types: [{ type: 'Lecture' }], replace: true })).status).toBe(200)
  })

  test('meetings are generated from the hours of the course and placed without clash', async () => {
    const busy = await add({
      course_id: ids.course[1],
      slots: [lecture({ day: 0, slot_id: ids.period[0], location_id: ids.room[0] })],
    })
    const row = await add({
      instructors: [
        { instructor_id: ids.instructor[0], role: 'leader' },
        { instructor_id: ids.instructor[1], role: 'assistant' },
      ],
    })
    const answer = await registrar.ask(offeringSlotCalls.generate, {
      params: { id: row.id },
      body: {
        groups: 3,
        quota: 36,
        over_quota: 2,
        types: [{ type: 'Lecture' }, { type: 'Lab', sections: 2 }],
        replace: true,
        place: true,
      },
    })
    expect(answer).toEqual({ added: 9, placed: 9, unplaced: [] })
    const after = (await registrar.ask(generic.get, { params: { id: row.id } })).data as any
    expect([after.seats, after.unplaced, after.groups_count]).toEqual([108, 0, 3])
    const meetings = after.groups.flatMap((g: any) => g.meetings)
    expect(
      meetings
        .filter((m: any) => m.type === 'Lab')
        .every((m: any) => m.location.code === 'L1' && m.instructors[0].code === 'I2'),
    ).toBe(true)
    // CS102 is taken by the same students in the same semester, so its hour stays free.
    expect(meetings.some((m: any) => m.day === 0 && m.slot.id === ids.period[0])).toBe(false)
    const again = await registrar.ask(offeringSlotCalls.generate, {
      params: { id: row.id },
      body: { groups: 3, quota: 36, over_quota: 2 },
    })
    expect(again.added).toBe(0)
    const none = await registrar.ask(offeringSlotCalls.generate, {
      params: { id: busy.id },
      body: { groups: 1, quota: 500, over_quota: 0, replace: true, place: true },
    })
    expect(none.unplaced.map((u) => u.reason)).toEqual(['no_room', 'no_room'])
  })

  test('once marks are submitted the structure stays, notes may change', async () => {
    const row = await add()
    await rows(`update offerings set control_status = 'Approved' where id = ${row.id}`)
    for (const answer of [
      await edit(row.id, { slots: resend(row, { quota: 40 }) }),
      await registrar.send(offeringSlotCalls.generate, {
        params: { id: row.id },
        body: { groups: 2, quota: 10, over_quota: 0 },
      }),
      await registrar.send(teamCalls.syncPrograms, { params: { id: row.id }, body: { programs: [] } }),
      await registrar.send(generic.remove, { params: { id: row.id } }),
    ]) {
      expect([answer.status, answer.error.errors[0]?.code, answer.error.errors[0]?.data?.status]).toEqual([
        409,
        'offering_structure_frozen',
        'Approved',
      ])
    }
    expect((await edit(row.id, { notes: 'Seen by the dean' })).status).toBe(200)
  })
})

describe('team, programs, links', () => {
  test('team: one leader, nobody twice, who leaves leaves the meetings', async () => {
    const row = await add({ slots: [lecture({ instructor_ids: ids.instructor })] })
    const two = await registrar.send(teamCalls.syncInstructors, {
      params: { id: row.id },
      body: { instructors: ids.instructor.map((instructor_id) => ({ instructor_id, role: 'leader' })) },
    })
    expect(codesOf(two)).toEqual(['instructors.1.role: team_two_leaders'])
    const twice = await registrar.send(teamCalls.syncInstructors, {
      params: { id: row.id },
      body: { instructors: [1, 2].map(() => ({ instructor_id: ids.instructor[0]!, role: 'assistant' })) },
    })
    expect(codesOf(twice)).toEqual(['instructors.1.instructor_id: team_twice'])
    const left = await registrar.ask(teamCalls.detachInstructors, {
      params: { id: row.id },
      body: { instructor_ids: [ids.instructor[0]] },
    })
    expect(left.data.map((m) => m.code)).toEqual(['I2'])
    const after = (await registrar.ask(generic.get, { params: { id: row.id } })).data as any
    expect(after.groups[0].meetings[0].instructors.map((i: any) => i.code)).toEqual(['I2'])
  })

  test('programs: students of a program that would be shut out are named', async () => {
    const row = await add({ programs: ids.program.map((program_id) => ({ program_id })) })
    await register(row.id, row.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const answer = await registrar.send(teamCalls.detachProgram, {
      params: { id: row.id },
      body: { program_id: ids.program[0] },
    })
    expect(answer.error.errors[0]).toMatchObject({
      code: 'program_students_hold_seats',
      data: { program: 'CSE', count: 2 },
    })
    const fine = await registrar.ask(teamCalls.detachProgram, {
      params: { id: row.id },
      body: { program_id: ids.program[1] },
    })
    expect(fine.data.map((p) => p.code)).toEqual(['CSE'])
    const last = await registrar.send(teamCalls.detachProgram, {
      params: { id: row.id },
      body: { program_id: ids.program[0] },
    })
    expect(last.error.message).toBe('program_last')
    const again = await registrar.send(offeringCalls.add, {
      body: {
        course_id: ids.course[0],
        groups: 1,
        slots: [lecture()],
        programs: [1, 2].map(() => ({ program_id: ids.program[0] })),
      },
    })
    expect(codesOf(again)).toEqual(['programs.1.program_id: program_twice'])
  })

  test('linked offerings share the seats of the root', async () => {
    const root = await add()
    const child = await add({ course_id: ids.course[2] })
    const other = await add({ course_id: ids.course[1], term_id: ids.oldTerm })
    const taken = await add({ course_id: ids.course[1] })
    await register(taken.id, taken.groups[0].meetings[0].id, ids.student.slice(0, 1))
    const refused = await registrar.send(teamCalls.addLinked, {
      params: { id: root.id },
      body: { offering_ids: [other.id, taken.id, root.id, 999_999] },
    })
    expect(refused.status).toBe(409)
    expect(codesOf(refused)).toEqual([
      'offering_ids.0: linked_other_term',
      'offering_ids.1: linked_has_seats',
      'offering_ids.2: linked_to_itself',
      'offering_ids.3: reference_missing',
    ])

    const linked = await registrar.ask(teamCalls.addLinked, {
      params: { id: root.id },
      body: { offering_ids: [child.id] },
    })
    expect(linked.data.map((o) => o.code)).toEqual(['AC101'])
    await register(child.id, root.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const seen = (await registrar.ask(generic.get, { params: { id: child.id } })).data as any
    expect(seen).toMatchObject({
      linked_offering_id: root.id,
      linked_offering: { code: 'CS101 (1) · F26' },
      seats: 30,
      free_seats: 28,
      registered: 2,
    })
    expect(seen.groups[0].meetings[0].taken).toBe(2)

    const errors = async (call: any, id: number, body: unknown) =>
      (await registrar.send(call, { params: { id }, body })).error?.message
    expect(await errors(teamCalls.addLinked, child.id, { offering_ids: [taken.id] })).toBe('offering_is_linked')
    expect(await errors(teamCalls.addLinked, taken.id, { offering_ids: [root.id] })).toBe('linked_is_root')
    expect(await errors(offeringSlotCalls.generate, child.id, { groups: 1, quota: 5, over_quota: 0 })).toBe(
      'offering_is_linked',
    )
    expect(await errors(teamCalls.removeLinked, root.id, { offering_id: child.id })).toBe('linked_has_students')
    const rival = await add({ course_id: ids.course[0] })
    expect(await errors(teamCalls.addLinked, rival.id, { offering_ids: [child.id] })).toBe('linked_elsewhere')
    expect(await errors(teamCalls.removeLinked, rival.id, { offering_id: child.id })).toBe('not_linked_here')
    // Who waits for a seat waits for one of the offering itself.
    await rows(
      `insert into wait_list (student_id, offering_id, offering_slot_ids) values (${ids.student[4]}, ${rival.id}, '{}')`,
    )
    expect(await errors(teamCalls.addLinked, root.id, { offering_ids: [rival.id] })).toBe('offering_has_waiting')
    expect(await errors(generic.remove, rival.id, undefined)).toBe('offering_has_waiting')
    await rows(`delete from wait_list where offering_id = ${rival.id}`)
    expect(await errors(generic.remove, rival.id, undefined)).toBeUndefined()
    expect(await errors(generic.remove, root.id, undefined)).toBe('offering_is_root')
    await rows(`delete from registrations where offering_id = ${child.id}`)
    expect(await errors(teamCalls.removeLinked, root.id, { offering_id: child.id })).toBeUndefined()
  })
})

test('what an offering names is there, and who changes it may', async () => {
  const row = await add()
  const wrong = async (body: object) =>
    codesOf(
      await registrar.send(offeringCalls.add, {
        body: { course_id: ids.course[0], groups: 1, slots: [lecture()], ...body },
      }),
    )
  expect(await wrong({ term_id: 999_999 })).toEqual(['term_id: reference_missing'])
  expect(await wrong({ instructors: [{ instructor_id: 999_999, role: 'leader' }] })).toEqual([
    'instructors.0.instructor_id: reference_missing',
  ])
  const unknown = await edit(row.id, { slots: resend(row, { instructor_ids: [999_999] }) })
  expect([unknown.status, codesOf(unknown)]).toEqual([422, ['slots.0.instructor_ids: reference_missing']])
  // Facts and meetings at once are for who may change both; who may step an offering on does not open it by that.
  const facts = t.as(testActor({ access_offering: 'all', edit_offering: 'all' }))
  expect((await edit(row.id, { notes: 'x', groups: 2 }, facts)).status).toBe(404)
  const steps = t.as(testActor({ access_offering: 'all', submit_control: 'all' }))
  const open = await steps.send(offeringCalls.updateStatus, { body: { ids: [row.id], status: 'closed' } })
  expect([open.status, codesOf(open)]).toEqual([403, ['null: not_allowed']])
  expect(await rows(`select is_open, notes from offerings where id = ${row.id}`)).toEqual([
    { is_open: true, notes: null },
  ])
})

test('a root that is gone, or an offering that control has, is not linked; a linked one has no meetings of its own', async () => {
  const [root, child, late] = [
    await add(),
    await add({ course_id: ids.course[2] }),
    await add({ course_id: ids.course[1] }),
  ]
  const link = (offering_ids: number[]) =>
    registrar.send(teamCalls.addLinked, { params: { id: root.id }, body: { offering_ids } })
  await rows(`update offerings set control_status = 'Submitted' where id = ${late.id}`)
  expect(codesOf(await link([late.id]))).toEqual(['offering_ids.0: offering_structure_frozen'])
  await rows(`update offerings set removed_at = now() where id = ${root.id}`)
  const gone = await link([child.id])
  expect([gone.status, codesOf(gone)]).toEqual([409, ['null: removed_record']])
  await rows(`update offerings set removed_at = null where id = ${root.id}`)
  await registrar.ask(teamCalls.addLinked, { params: { id: root.id }, body: { offering_ids: [child.id] } })
  const grouped = await edit(child.id, { groups: 2 })
  expect([grouped.status, codesOf(grouped)]).toEqual([409, ['null: offering_is_linked']])
  expect(await rows(`select from offering_groups where offering_id = ${child.id}`)).toEqual([])
})

describe('removing, opening, figures, files', () => {
  test('an offering with registrations stays; a removed one gives its rooms back', async () => {
    const at = { day: 0, slot_id: ids.period[0], location_id: ids.room[0], instructor_ids: [ids.instructor[0]] }
    const row = await add({ slots: [lecture(at)] })
    const made = await register(row.id, row.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const refused = await registrar.send(generic.remove, { params: { id: row.id } })
    expect(refused.error.errors[0]).toMatchObject({ code: 'offering_has_registrations', data: { count: 2 } })
    await rows(`delete from registrations where id in (${made.join()})`)
    await registrar.ask(generic.remove, { params: { id: row.id } })
    expect((await edit(row.id, { level: 1 })).error.message).toBe('removed_record')
    await add({ course_id: ids.course[1], slots: [lecture(at)] })
    await registrar.ask(generic.restore, { params: { id: row.id } })
    const back = (await registrar.ask(generic.get, { params: { id: row.id } })).data as any
    // Its instructor teaches elsewhere by now, so the meeting has no time.
    expect([back.removed, back.unplaced, back.groups[0].meetings[0].location]).toEqual([false, 1, null])
  })

  test('registration is opened in bulk, with a result per offering', async () => {
    const [one, two] = [await add({ is_open: false }), await add({ is_open: false })]
    await rows(`update offerings set control_status = 'Submitted' where id = ${two.id}`)
    const answer = await registrar.ask(offeringCalls.updateStatus, {
      body: { ids: [one.id, two.id, 999_999], is_open: true },
    })
    expect(answer.done).toEqual([one.id])
    expect(answer.failed.map((x) => [x.id, x.name, x.errors[0]?.code])).toEqual([
      [two.id, 'CS101 (2)', 'offering_structure_frozen'],
      [999_999, undefined, 'not_found'],
    ])
  })

  test('open and closed are statuses of the same call; an unknown one, none or two are refused', async () => {
    const one = await add({ is_open: false })
    expect((await registrar.ask(offeringCalls.updateStatus, { body: { ids: [one.id], status: 'open' } })).done).toEqual(
      [one.id],
    )
    expect(
      (await registrar.ask(offeringCalls.updateStatus, { body: { ids: [one.id], status: 'closed' } })).done,
    ).toEqual([one.id])
    for (const body of [
      { ids: [one.id] },
      { ids: [one.id], status: 'open', is_open: true },
      { ids: [one.id], status: 'x' },
    ])
      await expect(registrar.ask(offeringCalls.updateStatus, { body: body as never })).rejects.toThrow()
  })

  test('statistics: states, programs, attempts, seats, grades', async () => {
    const row = await add()
    const slot = row.groups[0].meetings[0].id
    const made = await register(row.id, slot, ids.student.slice(0, 3))
    await register(row.id, slot, ids.student.slice(3, 4), flag.RegisterRequest | flag.Repeat)
    const empty = (await registrar.ask(reportCalls.statistics, { params: { id: row.id } })).data
    expect(empty).toMatchObject({ seats: 30, free: 26, registered: 3, requested: 1, grades: null })
    expect(empty.attempts).toEqual(
      expect.arrayContaining([
        { kind: 'Fresh', count: 3 },
        { kind: 'Repeat', count: 1 },
      ]),
    )
    await rows(`update registrations set total = 95, letter = 'A', points = 4, passed = true where id = ${made[0]};
      update registrations set total = 40, letter = 'F', points = 0, passed = false where id = ${made[1]}`)
    const { grades } = (await registrar.ask(reportCalls.statistics, { params: { id: row.id } })).data
    expect(grades).toMatchObject({
      count: 2,
      passed: 1,
      failed: 1,
      average: '67.50',
      letters: [
        { letter: 'A', count: 1 },
        { letter: 'F', count: 1 },
      ],
    })
    expect(grades?.bands.filter((b) => b.count)).toEqual([
      { from: 40, count: 1 },
      { from: 90, count: 1 },
    ])
  })

  test('students of an offering, found by name, by group', async () => {
    const row = await add()
    await register(row.id, row.groups[0].meetings[0].id, ids.student)
    const { data, meta } = await registrar.ask(offeringCalls.students, {
      params: { id: row.id },
      body: { perPage: 2, search: 'طالب', filters: { group: 1 } },
    })
    expect(meta.count).toBe(5)
    expect(data[0]).toMatchObject({
      student: { code: '26001' },
      program: { code: 'CSE' },
      group: 1,
      slots: ['Lecture'],
      status: String(flag.Registered | flag.Fresh),
    })
    // A class calls its students by the used name; who has the legal one in hand finds them too.
    await rows(
      `update students set used_name = 'Nour', name_local = 'طالبة القانون', used_name_local = null where code = '26001'`,
    )
    const found = async (search: string) =>
      (await registrar.ask(offeringCalls.students, { params: { id: row.id }, body: { search } })).data.map(
        (r) => r.student,
      )
    expect(await found('nour')).toMatchObject([{ code: '26001', name: 'Nour', name_local: 'طالبة القانون' }])
    expect(await found('القانون')).toMatchObject([{ code: '26001' }])
  })

  test('offerings.xlsx holds offerings and meetings, Offerings.zip sheet and PDF', async () => {
    await add({
      slots: [
        lecture({ day: 0, slot_id: ids.period[0], location_id: ids.room[0], instructor_ids: [ids.instructor[0]] }),
      ],
    })
    const excel = await registrar.send(reportCalls.excel, { params: { x: ids.term }, query: { lang: 'ar' } })
    expect(excel.headers['content-disposition']).toContain('offerings.xlsx')
    const { sheets } = await readSheet(excel.bytes)
    expect(sheets.map((s) => s.name)).toEqual(['المقررات المطروحة', 'المواعيد'])
    expect(sheets[1]?.rows[1]?.map((c) => c.text)).toEqual(
      expect.arrayContaining(['CS101', 'البرمجة', 'محاضرة', 'السبت', '09:00', 'E1', 'منى عادل']),
    )
    const zip = await registrar.send(reportCalls.all, { body: { lang: 'ar' } })
    const files = unzipSync(zip.bytes)
    expect(Object.keys(files)).toEqual(['offerings.xlsx', 'offerings.pdf'])
    expect(Buffer.from(files['offerings.pdf']!).subarray(0, 5).toString()).toBe('%PDF-')
    expect((await registrar.send(reportCalls.all, { body: { term_id: ids.oldTerm } })).error.message).toBe('no_rows')
    expect((await registrar.send(generic.export, { body: {} })).status).toBe(200)
  })

  test('courses of a plan, how they are offered, and offering them in bulk', async () => {
    const row = await add()
    await register(row.id, row.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const plan = await registrar.ask(offeringCalls.programCourses, { query: { program_id: ids.program[0]! } })
    expect(
      plan.data.map((c) => [c.code, c.need, c.offering_courses.map((o) => [o.code, o.seats, o.registered])]),
    ).toEqual([
      ['CS101', 3, [['1', 30, 2]]],
      ['CS102', 5, []],
    ])
    const many = await registrar.ask(offeringCalls.addMany, {
      body: {
        quota: 3,
        over_quota: 1,
        program_id: ids.program[0],
        courses: [
          { course_id: ids.course[1], students: 5 },
          { course_id: 999_999, students: 1 },
        ],
      },
    })
    expect([many.done, many.failed.map((x) => x.errors[0]?.code)]).toEqual([[ids.course[1]], ['reference_missing']])
    const made = (await registrar.ask(generic.get, { params: { id: many.offering_ids[0]! } })).data as any
    // 3 hours a week fill two periods, which are attended together.
    expect([made.groups_count, made.seats, made.is_open, made.groups[0].meetings.map((m: any) => m.section)]).toEqual([
      2,
      6,
      false,
      ['A', 'A'],
    ])
  })
})

describe('who sees what', () => {
  test('another faculty sees and changes nothing; its own all', async () => {
    const row = await add()
    const commerce = t.as(actor({ faculty: [ids.faculty[1]!] }))
    const engineering = t.as(actor({ faculty: [ids.faculty[0]!] }))
    const other = await add({ course_id: ids.course[2] })
    expect((await commerce.ask(generic.list, { body: {} })).data.map((o) => o.id)).toEqual([other.id])
    const one = { params: { id: row.id } }
    for (const [call, body] of [
      [generic.get, undefined],
      [generic.history, undefined],
      [generic.remove, undefined],
      [offeringCalls.edit, { level: 2 }],
      [offeringCalls.edit, { groups: 3 }],
      [offeringCalls.students, {}],
      [offeringSlotCalls.generate, { groups: 2, quota: 10, over_quota: 0 }],
      [teamCalls.syncInstructors, { instructors: [] }],
      [teamCalls.syncPrograms, { programs: [] }],
      [teamCalls.addLinked, { offering_ids: [other.id] }],
      [reportCalls.statistics, undefined],
    ] as const) {
      expect([call.path, (await commerce.send(call as never, { ...one, body })).status]).toEqual([call.path, 404])
    }
    expect(
      (await commerce.send(offeringCalls.add, { body: { course_id: ids.course[0], groups: 1, slots: [lecture()] } }))
        .status,
    ).toBe(403)
    expect(
      (await engineering.send(offeringCalls.add, { body: { course_id: ids.course[0], groups: 1, slots: [lecture()] } }))
        .status,
    ).toBe(200)
    expect((await engineering.send(offeringCalls.edit, { ...one, body: { faculty_id: ids.faculty[1] } })).status).toBe(
      403,
    )
    // Neither may a root take an offering out of reach.
    const link = await engineering.send(teamCalls.addLinked, { ...one, body: { offering_ids: [other.id] } })
    expect(link.error.errors[0]?.code).toBe('reference_missing')
    expect(
      (await commerce.ask(offeringCalls.updateStatus, { body: { ids: [row.id], is_open: false } })).failed[0]?.errors[0]
        ?.code,
    ).toBe('not_found')
  })

  test('opening and closing is offered where the right to change reaches, with the reason why not', async () => {
    const [here, there] = [await add({ is_open: false }), await add({ course_id: ids.course[2], is_open: false })]
    const staff = t.as(
      testActor({ access_offering: 'all', show_offering: 'all', edit_offering: { faculty: [ids.faculty[0]!] } }),
    )
    const able = async (id: number) => {
      const { abilities, refused } = (await staff.ask(generic.get, { params: { id } })).data
      return [abilities.includes('open'), refused?.open?.code]
    }
    expect([await able(here.id), await able(there.id)]).toEqual([
      [true, undefined],
      [false, undefined],
    ])
    await rows(`update offerings set control_status = 'Submitted' where id = ${here.id}`)
    expect(await able(here.id)).toEqual([false, 'offering_structure_frozen'])
    await rows(`update offerings set is_open = true where id = ${here.id}`)
    expect(await able(here.id)).toEqual([true, undefined])
  })

  test('a coordinator reaches offerings open to the program, or whose course is in its plan', async () => {
    const [plan, named, closed] = [
      await add(),
      await add({ course_id: ids.course[2], programs: [{ program_id: ids.program[0] }] }),
      await add({ programs: [{ program_id: ids.program[1] }] }),
    ]
    const coordinator = t.as(actor({ program: [ids.program[0]!] }))
    const seen = (await coordinator.ask(generic.list, { body: {} })).data.map((o) => o.id)
    expect(seen.toSorted(compare)).toEqual([plan.id, named.id].toSorted(compare))
    expect(seen).not.toContain(closed.id)
  })

  test('a department reaches the offerings of its courses, and of no other', async () => {
    const row = await add()
    await add({ course_id: ids.course[1] })
    const made = await idsOf(
      `insert into departments (faculty_id, code, name, name_local)
       select ${ids.faculty[0]}, 'D' || n, 'Department ' || n, 'قسم ' || n from generate_series(1, 5) n returning id`,
    )
    // One whose id the faculty does not have.
    const department = made.findLast((one) => !ids.faculty.includes(one))
    await rows(`update offerings set department_id = ${department} where id = ${row.id}`)
    const head = t.as(actor({ department: [department!] }))
    expect((await head.ask(generic.list, { body: {} })).data.map((o) => o.id)).toEqual([row.id])
  })

  test('who only holds a meeting of an offering teaches it as well', async () => {
    const row = await add({ slots: [lecture({ instructor_ids: [ids.instructor[0]] })] })
    await rows(`delete from offering_instructors where offering_id = ${row.id}`)
    const mona = t.as(testActor({ access_offering: 'taught' }, { type: 1, instructor_id: ids.instructor[0]! }))
    expect((await mona.ask(generic.list, { body: {} })).data.map((o) => o.id)).toEqual([row.id])
  })

  test('an instructor sees the own offerings, with the next meeting and the marks to enter', async () => {
    const mine = await add({
      slots: [lecture({ day: 0, slot_id: ids.period[0], instructor_ids: [ids.instructor[0]] })],
    })
    const other = await add()
    await register(mine.id, mine.groups[0].meetings[0].id, ids.student.slice(0, 2))
    const [category] = await idsOf(
      `insert into mark_categories (code, name, name_local) values ('FIN', 'Final', 'نهائي') returning id`,
    )
    await rows(`insert into offering_marks (offering_id, mark_category_id, max) values (${mine.id}, ${category}, 100)`)
    const [window] = await idsOf(
      `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
       select o.term_id, c.id, now() + interval '1 day', now() + interval '9 days' from offerings o, stage_codes c
       where o.id = ${mine.id} and c.code = 'grade_entry' returning id`,
    )
    const mona = t.as(
      testActor(
        { access_offering: 'taught', show_offering: 'taught', access_my_offerings: 'own', enter_marks: 'taught' },
        { type: 1, instructor_id: ids.instructor[0]! },
      ),
    )
    for (const call of [teachingCalls.mine, teachingCalls.staff]) {
      const { data, term, terms } = await mona.ask(call, { body: {} })
      expect([term?.code, terms.length, data.length]).toEqual(['F26', 1, 1])
      expect(data[0]).toMatchObject({
        id: mine.id,
        role: 'instructor',
        registered: 2,
        marks: { expected: 2, entered: 0, due: false },
        next: { start: '09:00', end: '10:30' },
        abilities: ['marks'],
      })
    }
    await rows(`update term_stages set starts_at = now() - interval '1 day' where id = ${window}`)
    expect((await mona.ask(teachingCalls.mine, { body: {} })).data[0]!.marks.due).toBe(true)
    expect((await mona.ask(generic.list, { body: {} })).data.map((o) => o.id)).toEqual([mine.id])
    expect((await mona.send(generic.get, { params: { id: other.id } })).status).toBe(404)
    expect((await mona.send(offeringCalls.edit, { params: { id: mine.id }, body: { level: 1 } })).status).toBe(403)
  })

  test('every change stands in the history', async () => {
    const row = await add()
    await edit(row.id, { level: 3 })
    const { data } = await registrar.ask(generic.history, { params: { id: row.id } })
    expect(data.find((e) => e.changes.some((c) => c.field === 'level' && c.new === 3))?.by).toBe('Registrar')
  })
})

test('the next meeting: later today, else the next day it is held, within the term', () => {
  const at = (id: number, day: number, start: string, end: string) => ({ id, day, slot: { start, end } })
  const weekly = [
    at(1, 0, '09:00', '10:30'),
    at(2, 0, '12:00', '13:30'),
    at(3, 4, '09:00', '10:30'),
    { id: 4, day: null, slot: null },
  ]
  const term = { start: '2026-09-19', end: '2027-01-08' }
  // 2026-11-21 is a Saturday.
  expect(nextMeeting(weekly, { date: '2026-11-21', time: '10:00' }, term)).toMatchObject({
    slot_id: 1,
    date: '2026-11-21',
  })
  expect(nextMeeting(weekly, { date: '2026-11-21', time: '11:00' }, term)).toMatchObject({ slot_id: 2 })
  expect(nextMeeting(weekly, { date: '2026-11-21', time: '14:00' }, term)).toMatchObject({
    slot_id: 3,
    date: '2026-11-25',
  })
  expect(nextMeeting(weekly, { date: '2026-01-01', time: '08:00' }, term)).toMatchObject({
    slot_id: 1,
    date: '2026-09-19',
  })
  expect(nextMeeting(weekly, { date: '2027-01-08', time: '08:00' }, term)).toBeNull()
})
