import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { addDays, weekPlace } from '#kit/contract/day.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { readSheet, writeSheet } from '#kit/server/sheets/index.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import type { RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Caller, TestUniversity } from '#tests/university.ts'
import { attendanceServer } from './attendance.server.ts'
import { judgeAbsence, nextCase } from './absences/absence.rules.ts'
import { checkMakeUp } from './meetings/make-up.rules.ts'
import type { MakeUpFacts } from './meetings/make-up.rules.ts'
import { checkCancelling, checkRestoring } from './meetings/occurrences.rules.ts'
import { CODE_GRACE, CODE_STEP, checkScan, isFresh } from './codes/code.rules.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let exam: Caller
let today: string

beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    registrationServer,
    studentsServer,
    gradingServer,
    attendanceServer,
  ])
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  exam = await u.as('exam_officer')
  today = (await w.query<{ today: string }>('select university_today()::text as today'))[0]!.today
  await w.query('update bylaws set absence_warn_share = 10, absence_ban_share = 25, lates_per_absence = 3')
  await w.windows('exam')
})
afterAll(() => u.close())

type Student = Awaited<ReturnType<RegistrationWorld['student']>>
/** Registers a student in the first lecture of an offering (or in another meeting) since some days. */
async function register(student: Student, offering: { id: number; lectures: number[] }, slot = 0, days = 60) {
  const [row] = await w.query<{ id: number }>(
    `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, created_at)
     select $1, o.id, o.term_id, o.course_id, $3, 3, now() - make_interval(days => $4) from offerings o where o.id = $2 returning id`,
    [student.id, offering.id, (flag.Registered | flag.Fresh).toString(), days],
  )
  await w.query('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
    row!.id,
    offering.lectures[slot],
  ])
  return row!.id
}
/** An instructor who gives the first lecture of an offering. */
async function instructor(offering: { id: number; lectures: number[] }): Promise<Caller> {
  const as = await u.as('instructor', undefined, { type: 1 })
  const [row] = await w.query<{ id: number }>(
    `insert into instructors (user_id, code, name, name_local, faculty_id) values ($1, $3, 'T', 'T', $2) returning id`,
    [as.user_id, w.faculty, `T${as.user_id}`],
  )
  await w.query('insert into offering_slot_instructors values ($1, $2)', [offering.lectures[0], row!.id])
  return u.signIn(as.user_id)
}
/** A class that meets today: two students, a stranger, and who teaches. */
async function aClass(groups = 1) {
  const offering = await w.offer('MA101', { groups, day: weekPlace(today) })
  const [a, b, stranger] = [await w.student(), await w.student(), await w.student()]
  const rows = [await register(a, offering), await register(b, offering)]
  return { offering, slot: offering.lectures[0]!, a, b, stranger, rows, teacher: await instructor(offering) }
}
const at = (slot: number, date = today) => `/attendance/meetings/${slot}/${date}`
const code = (slot: number, date = today) => `/attendance/code/${slot}/${date}`
const codeOf = (answer: { url: string }) => answer.url.split('/').at(-1)!
const stateOf = async (slot: number, student: number, date = today) =>
  (
    await w.query<{ state: string }>(
      `select a.state from attendance a join meeting_occurrences x on x.id = a.occurrence_id
       where x.offering_slot_id = $1 and x.date = $2 and a.student_id = $3`,
      [slot, date, student],
    )
  )[0]?.state ?? null

describe('rules', () => {
  it('absences are counted as the bylaw says, and a limit is passed when it is reached', () => {
    const rule = { warn: 1000, ban: 2500, excused_counts: false, lates: 3 }
    const judge = (absent: number, more: object = {}, with_: object = {}) =>
      judgeAbsence({ absent, excused: 0, late: 0, planned: 16, ...more }, { ...rule, ...with_ })
    expect([judge(0), judge(1), judge(2), judge(3), judge(4)].map((one) => one.level)).toEqual([
      'none',
      'none',
      'warn',
      'warn',
      'ban',
    ])
    expect(judge(3, { excused: 5 }).level).toBe('warn')
    expect(judge(3, { excused: 1 }, { excused_counts: true }).level).toBe('ban')
    expect(judge(3, { late: 2 }).level).toBe('warn')
    expect(judge(3, { late: 3 })).toEqual({ absences: 4, share: 2500, level: 'ban' })
    expect(judge(16, {}, { warn: null, ban: null }).level).toBe('none')
    expect(judge(0, { planned: 0 }).share).toBe(0)
    expect(nextCase(null, 'none')).toBeNull()
    expect(nextCase('warned', 'none')).toBe('closed')
    expect(nextCase('waived', 'ban')).toBeNull()
    expect(nextCase('banned', 'none')).toBeNull()
  })

  it('a code counts while it is shown and a few seconds after, never before', () => {
    const step = 100
    const shown = step * CODE_STEP
    expect(
      [shown - 1, shown, shown + CODE_STEP + CODE_GRACE - 0.1, shown + CODE_STEP + CODE_GRACE].map((s) =>
        isFresh(step, s),
      ),
    ).toEqual([false, true, true, false])
    const facts = {
      genuine: true,
      open: true,
      fresh: true,
      course: 'C',
      course_local: 'C',
      cancelled: false,
      submitted: false,
      network: true,
      counted: null,
    }
    expect(checkScan({ ...facts, seat: 'meeting' })).toEqual([])
    expect(checkScan({ ...facts, seat: 'meeting', submitted: true })).toEqual([{ code: 'attendance_submitted' }])
    // Who is not of the offering hears nothing of a code that nobody shows.
    expect(checkScan({ ...facts, seat: 'none', open: false, genuine: false })).toEqual([{ code: 'scan_unknown' }])
  })
})

it('a meeting that took place is not cancelled afterwards', () => {
  const facts = {
    known: true,
    dates: ['2026-11-10'],
    date: '2026-11-10',
    today: '2026-11-17',
    cancelled: null,
    submitted: false,
  }
  expect(checkCancelling({ ...facts, recorded: 0 })).toEqual([])
  expect(checkCancelling({ ...facts, today: '2026-11-10', recorded: 3 })).toEqual([])
  expect(checkCancelling({ ...facts, recorded: 3 })).toEqual([
    { code: 'occurrence_taken', data: { date: '2026-11-10', count: 3 } },
  ])
})

it('who teaches writes to everybody who comes to a meeting; nobody else does, and of no day without it', async () => {
  const { slot, a, b, teacher } = await aClass()
  const path = `/attendance/tell/${slot}/${today}`
  expect(ok(await teacher('POST', path, { text: 'Bring your laptops.' }))).toEqual({ told: 2 })
  const told = await w.query<{ user_id: number; data: { text: string } }>(
    `select user_id, data from notifications where key = 'attendance.notice_class'`,
  )
  expect(told.map((one) => one.user_id).toSorted()).toEqual([a.as.user_id, b.as.user_id].toSorted())
  expect(told[0]!.data.text).toBe('Bring your laptops.')
  expect((await (await aClass()).teacher('POST', path, { text: 'Bring your laptops.' })).status).toBe(404)
  expect((await a.as('POST', path, { text: 'Bring your laptops.' })).status).toBe(403)
  expect((await teacher('POST', path, { text: ' ' })).status).toBe(422)
  const other = addDays(today, 1)
  expect(reasons(await teacher('POST', `/attendance/tell/${slot}/${other}`, { text: 'Nothing' }))).toEqual([
    'occurrence_none',
  ])
})

describe('how often a class is written to', () => {
  const sent = async () =>
    (
      await w.query<{ n: number }>(`select count(*)::int as n from notifications where key = 'attendance.notice_class'`)
    )[0]!.n
  it('the same words go once within a minute, whoever presses twice', async () => {
    const { slot, teacher } = await aClass()
    const path = `/attendance/tell/${slot}/${today}`
    const before = await sent()
    const answers = await Promise.all(
      ['Room 7 today.', 'room 7 today. ', 'Room 7 today.'].map((text) => teacher('POST', path, { text })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
    const refused = answers.find(({ status }) => status === 429)!
    expect(reasons(refused)).toEqual(['class_told_twice'])
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(50)
    expect((await sent()) - before).toBe(2)
    // Another class hears it, and this one after a minute; other words at once.
    const other = await aClass()
    ok(await other.teacher('POST', `/attendance/tell/${other.slot}/${today}`, { text: 'Room 7 today.' }))
    ok(await teacher('POST', path, { text: 'Room 8 today.' }))
    await w.query(
      `update login_attempts set last_failed_at = last_failed_at - interval '61 seconds' where key like 'class words%'`,
    )
    ok(await teacher('POST', path, { text: 'Room 7 today.' }))
  })
  it('ten messages a day are the most; one that is refused counts for nothing', async () => {
    const { slot, teacher } = await aClass()
    const path = `/attendance/tell/${slot}/${today}`
    for (let n = 1; n <= 10; n++) {
      ok(await teacher('POST', path, { text: `News ${n}` }))
      if (n === 1) expect((await teacher('POST', path, { text: 'News 1' })).status).toBe(429)
    }
    const many = await teacher('POST', path, { text: 'News 11' })
    expect(many.status).toBe(429)
    expect(reasons(many)).toEqual(['class_told_often'])
    expect(many.body.errors[0].data.max).toBe(10)
    await w.query(
      `update login_attempts set last_failed_at = last_failed_at - interval '1 day' where key like 'class messages%'`,
    )
    ok(await teacher('POST', path, { text: 'News 11' }))
  })
})

describe('a cancelled meeting on another day', () => {
  const room = async (capacity = 60) =>
    (
      await w.query<{ id: number }>(
        `with b as (insert into buildings (code, name, name_local) select 'B' || count(*), 'B', 'ب' from buildings returning id)
         insert into locations (code, name, name_local, capacity, building_id)
         select 'M' || (select count(*) from locations), 'Room', 'قاعة', $1, id from b returning id`,
        [capacity],
      )
    )[0]!.id
  const period = async (n: number) =>
    (await w.query<{ id: number }>('select id from slots order by start_time, id offset $1 limit 1', [n]))[0]!.id
  const makeUp = (as: Caller, slot: number, body: object, date = today) =>
    as('POST', `/attendance/make-up/${slot}/${date}`, body)
  const preview = (as: Caller, slot: number, body: object, date = today) =>
    as('POST', `/attendance/make-up/preview/${slot}/${date}`, body)
  const cancelled = async () => {
    const one = await aClass()
    ok(await one.teacher('POST', `/attendance/cancel/${one.slot}/${today}`, { reason: 'Illness' }))
    return one
  }
  const tomorrow = () => addDays(today, 1)

  it('is held there: attendance, shares and its students follow, and it is given up like any other', async () => {
    const { slot, a, b, teacher, offering } = await cancelled()
    const planned = async () => ok(await a.as('GET', '/attendance/own'))[0].share.planned
    const [without, location_id, slot_id] = [await planned(), await room(), await period(2)]
    const seen = ok(await preview(teacher, slot, { on: tomorrow(), slot_id, location_id }))
    expect([seen.problems, seen.may_insist, seen.told]).toEqual([[], false, 2])
    expect(seen.rooms.find((one: { id: number }) => one.id === location_id).taken).toBeNull()
    for (const [field, wrong] of [
      ['slot_id', { slot_id: 99_999_999, location_id }],
      ['location_id', { slot_id, location_id: 99_999_999 }],
    ] as const) {
      const answer = await makeUp(teacher, slot, { on: tomorrow(), ...wrong })
      expect([answer.status, reasons(answer)]).toEqual([404, [`not_found@${field}`]])
    }
    expect(ok(await makeUp(teacher, slot, { on: tomorrow(), slot_id, location_id }))).toEqual({ told: 2 })
    expect(await planned()).toBe(without + 1)
    const own = ok(await a.as('GET', '/attendance/own'))[0].dates
    expect(own.find((one: any) => one.date === today)).toMatchObject({ cancelled: true, made_up_on: tomorrow() })
    const told = await w.query(
      `select user_id from notifications where key = 'attendance.notice_made_up' and user_id = any($1)`,
      [[a.user_id, b.user_id]],
    )
    expect(told).toHaveLength(2)
    const { meetings } = ok(await teacher('GET', `/attendance/offerings/${offering.id}`))
    const dates = meetings[0].dates as { date: string; makes_up: string | null; made_up: { date: string } | null }[]
    expect(dates.find((one) => one.date === today)!.made_up!.date).toBe(tomorrow())
    expect(dates.find((one) => one.date === tomorrow())!.makes_up).toBe(today)
    const sheet = ok(await teacher('GET', at(slot, tomorrow())))
    expect([sheet.makes_up, sheet.meeting.location.id, sheet.students.length]).toEqual([today, location_id, 2])
    expect(reasons(await teacher('PUT', at(slot, tomorrow()), { all: 'present' }))).toEqual(['occurrence_to_come'])
    // It stands on one day alone: neither the old one comes back beside it, nor a second is made.
    expect(reasons(await teacher('POST', `/attendance/restore/${slot}/${today}`))).toEqual(['occurrence_made_up'])
    const again = await makeUp(teacher, slot, { on: addDays(today, 2), slot_id })
    expect(reasons(again)).toEqual(['occurrence_made_up'])
    await expect(
      w.query(
        `update meeting_occurrences set cancelled_at = null, cancelled_reason = null where offering_slot_id = $1 and date = $2`,
        [slot, today],
      ),
    ).rejects.toThrow('occurrence_made_up')
    ok(await teacher('POST', `/attendance/cancel/${slot}/${tomorrow()}`, { reason: 'Illness still' }))
    expect(await planned()).toBe(without)
    expect(reasons(await makeUp(teacher, slot, { on: addDays(today, 2), slot_id }, tomorrow()))).toEqual([
      'make_up_of_make_up',
    ])
    ok(await makeUp(teacher, slot, { on: tomorrow(), slot_id }))
    ok(await teacher('POST', `/attendance/cancel/${slot}/${tomorrow()}`, { reason: 'Illness still' }))
    ok(await teacher('POST', `/attendance/restore/${slot}/${today}`))
    expect(reasons(await teacher('POST', `/attendance/restore/${slot}/${tomorrow()}`))).toEqual([
      'occurrence_not_cancelled',
    ])
  })

  it('is recorded on its day, and by who teaches alone', async () => {
    const { slot, a, stranger, teacher } = await cancelled()
    await w.query(`update meeting_occurrences set date = $2 where offering_slot_id = $1 and date = $3`, [
      slot,
      addDays(today, -7),
      today,
    ])
    // Today it is held by the timetable anyway.
    const slot_id = await period(1)
    const [before, stays] = [addDays(today, -7), { on: today, slot_id }]
    expect(reasons(await makeUp(teacher, slot, stays, before))).toEqual(['make_up_same_day'])
    expect((await makeUp(stranger.as, slot, stays, before)).status).toBe(403)
    expect((await preview(await u.as('instructor'), slot, stays, before)).status).toBe(404)
    await w.query('update offering_slots set day = $2 where id = $1', [slot, weekPlace(addDays(today, 3))])
    await w.query('delete from meeting_moves where meeting_id = $1', [slot])
    ok(await makeUp(teacher, slot, stays, before))
    ok(await teacher('PUT', at(slot), { marks: [{ student_id: a.id, state: 'present' }], rest: 'absent' }))
    expect(await stateOf(slot, a.id)).toBe('present')
  })

  it('is told before it is saved what stands against it: rooms never, people when they are wanted with a reason', async () => {
    const { slot, a, teacher } = await cancelled()
    const [location_id, slot_id] = [await room(1), await period(3)]
    const other = await w.offer('CS101', { day: weekPlace(tomorrow()) })
    await w.query('update offering_slots set slot_id = $2, location_id = $3 where id = $1', [
      other.lectures[0],
      slot_id,
      location_id,
    ])
    await w.query('delete from meeting_moves where meeting_id = $1', [other.lectures[0]])
    await register(a, other)
    const body = { on: tomorrow(), slot_id, location_id }
    const seen = ok(await preview(teacher, slot, body))
    expect(seen.problems.map((one: { code: string }) => one.code)).toEqual([
      'make_up_room_small',
      'make_up_room_taken',
      'make_up_students_busy',
    ])
    expect(seen.may_insist).toBe(false)
    expect(seen.problems[2].who.map((one: { id: number }) => one.id)).toEqual([a.id])
    expect(seen.rooms.find((one: { id: number }) => one.id === location_id).taken).toBe('CS101')
    expect(reasons(await makeUp(teacher, slot, { ...body, insist: true, reason: 'all agreed' }))).toEqual([
      'make_up_room_small',
      'make_up_room_taken',
    ])
    const elsewhere = { on: tomorrow(), slot_id, location_id: await room() }
    expect(reasons(await makeUp(teacher, slot, elsewhere))).toEqual(['make_up_students_busy'])
    expect(reasons(await makeUp(teacher, slot, { ...elsewhere, insist: true }))).toEqual(['required@reason'])
    // Where the other meeting is cancelled that day, nobody is in the way.
    ok(await registrar('POST', `/attendance/cancel/${other.lectures[0]}/${tomorrow()}`, { reason: 'Illness' }))
    expect(ok(await preview(teacher, slot, elsewhere)).problems).toEqual([])
    ok(await registrar('POST', `/attendance/restore/${other.lectures[0]}/${tomorrow()}`))
    ok(await makeUp(teacher, slot, { ...elsewhere, insist: true, reason: 'all agreed' }))
  })

  it('of several for one room at the same moment one gets it', async () => {
    const classes = [await cancelled(), await cancelled(), await cancelled()]
    for (const n of [3, 4, 5]) {
      const body = { on: addDays(today, 2), slot_id: await period(n), location_id: await room() }
      const answers = await Promise.all(classes.map(({ teacher, slot }) => makeUp(teacher, slot, body)))
      expect(answers.map((answer) => answer.status).toSorted()).toEqual([200, 409, 409])
      const refused = answers.filter((answer) => answer.status === 409)
      expect(refused.map(reasons)).toEqual([['make_up_room_taken'], ['make_up_room_taken']])
      const held = classes[answers.findIndex((answer) => answer.status === 200)]!
      ok(await held.teacher('POST', `/attendance/cancel/${held.slot}/${body.on}`, { reason: 'for the next' }))
    }
  })

  it('and every reason of the rule', () => {
    const facts: MakeUpFacts = {
      known: true,
      dates: ['2026-11-02', '2026-11-09'],
      date: '2026-11-02',
      today: '2026-11-01',
      cancelled: 'Illness',
      submitted: false,
      made_up: null,
      is_make_up: false,
      on: '2026-11-04',
      term: { start: '2026-09-01', end: '2026-12-31' },
      no_teaching: false,
      exam_week: null,
      seats: 30,
      room: { name: 'R', name_local: 'ق', capacity: 30, online: false },
      beside: [],
    }
    const restoring = (made_up: string | null) => checkRestoring({ ...facts, made_up }).map(({ code }) => code)
    expect([restoring(null), restoring('2026-11-05')]).toEqual([[], ['occurrence_made_up']])
    const busy = { name: 'X', room: true, instructors: [{ name: 'I', name_local: 'م' }], students: 2 }
    const codes = (change: Partial<MakeUpFacts>) => checkMakeUp({ ...facts, ...change }).map(({ code }) => code)
    expect(
      [
        {},
        { submitted: true },
        { cancelled: null },
        { is_make_up: true, cancelled: null },
        { made_up: '2026-11-05' },
        { on: '2026-10-31' },
        { on: '2027-01-01' },
        { no_teaching: true },
        { exam_week: { from: '2026-11-01', to: '2026-11-07' } },
        { on: '2026-11-09' },
        { seats: 31 },
        { beside: [busy] },
        { beside: [busy], seats: 99, room: { ...facts.room!, online: true } },
        { room: null, beside: [{ ...busy, room: false, instructors: [] }] },
      ].map(codes),
    ).toEqual([
      [],
      ['attendance_submitted'],
      ['occurrence_not_cancelled'],
      ['make_up_of_make_up'],
      ['occurrence_made_up'],
      ['make_up_past'],
      ['make_up_outside_term'],
      ['make_up_no_teaching'],
      ['make_up_exam_week'],
      ['make_up_same_day'],
      ['make_up_room_small'],
      ['make_up_room_taken', 'make_up_instructor_busy', 'make_up_students_busy'],
      ['make_up_instructor_busy', 'make_up_students_busy'],
      ['make_up_students_busy'],
    ])
  })
})

describe('the list', () => {
  it('is recorded by who teaches, for who comes to the meeting, and read by nobody else', async () => {
    const { slot, a, b, stranger, teacher, offering } = await aClass()
    const page = ok(await teacher('GET', `/attendance/offerings/${offering.id}`))
    const dates = page.meetings[0].dates.map((one: { date: string }) => one.date)
    expect(dates).toContain(today)
    expect(dates.length).toBeGreaterThan(14)
    expect(page.abilities).toEqual(['take'])

    // On a day without teaching there is no meeting, and the share is of one meeting less.
    const planned = async () => ok(await a.as('GET', '/attendance/own'))[0].share.planned
    const [all, holiday] = [await planned(), addDays(today, 14)]
    await w.query(
      `insert into calendar_events (layer, name, name_local, start_date, end_date, no_teaching) values ('university', 'Eid', 'عيد', $1, $1, true)`,
      [holiday],
    )
    expect(
      ok(await teacher('GET', `/attendance/offerings/${offering.id}`)).meetings[0].dates.map((one: any) => one.date),
    ).not.toContain(holiday)
    expect([(await teacher('GET', at(slot, holiday))).status, await planned()]).toEqual([404, all - 1])
    await w.query('delete from calendar_events')

    ok(await teacher('PUT', at(slot), { marks: [{ student_id: a.id, state: 'late' }], rest: 'present' }))
    expect([await stateOf(slot, a.id), await stateOf(slot, b.id)]).toEqual(['late', 'present'])
    // What is recorded stays when only the rest is marked; marking all changes it.
    ok(await teacher('PUT', at(slot), { rest: 'absent' }))
    expect(await stateOf(slot, b.id)).toBe('present')
    ok(await teacher('PUT', at(slot), { all: 'absent', marks: [{ student_id: a.id, state: null }] }))
    expect([await stateOf(slot, a.id), await stateOf(slot, b.id)]).toEqual([null, 'absent'])

    // What was recorded without a line comes with what stood there: where somebody has changed it, it is left and answered.
    const late = { marks: [{ student_id: b.id, state: 'late', seen: 'present' }] }
    expect(ok(await teacher('PUT', at(slot), late))).toMatchObject({
      saved: 0,
      conflicts: [{ student_id: b.id, yours: 'late', theirs: 'absent', by: { name: expect.any(String) } }],
    })
    expect(await stateOf(slot, b.id)).toBe('absent')
    // The same from both, and what nobody changed, is no conflict; knowing the other state one may write over it.
    for (const seen of ['present', null])
      expect(
        ok(await teacher('PUT', at(slot), { marks: [{ student_id: b.id, state: 'absent', seen }] })).conflicts,
      ).toEqual([])
    const both = [
      { student_id: a.id, state: 'present', seen: null },
      { student_id: b.id, state: 'late', seen: 'absent' },
    ]
    expect(ok(await teacher('PUT', at(slot), { marks: both }))).toEqual({ saved: 2, conflicts: [] })
    // Of all that are sent only the one in conflict is left.
    const next = [
      { student_id: a.id, state: 'late', seen: 'absent' },
      { student_id: b.id, state: 'absent', seen: 'late' },
    ]
    expect(ok(await teacher('PUT', at(slot), { marks: next, all: 'excused' }))).toMatchObject({ saved: 1 })
    expect([await stateOf(slot, a.id), await stateOf(slot, b.id)]).toEqual(['present', 'absent'])
    ok(await teacher('PUT', at(slot), { marks: [{ student_id: a.id, state: null }] }))

    const refused = await teacher('PUT', at(slot), { marks: [{ student_id: stranger.id, state: 'present' }] })
    expect([refused.status, reasons(refused)]).toEqual([422, ['attendance_not_in_meeting@marks.0.student_id']])
    expect(reasons(await teacher('PUT', at(slot, addDays(today, 1)), { rest: 'absent' }))).toContain('occurrence_none')
    expect(reasons(await teacher('PUT', at(slot, addDays(today, 7)), { rest: 'absent' }))).toEqual([
      'occurrence_to_come',
    ])

    // Another instructor, a student, a registrar of another faculty.
    const other = await instructor(await w.offer('CS101'))
    const elsewhere = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
    for (const who of [other, elsewhere]) {
      expect((await who('GET', `/attendance/offerings/${offering.id}`)).status).toBe(404)
      expect((await who('GET', at(slot))).status).toBe(404)
      expect((await who('PUT', at(slot), { rest: 'present' })).status).toBe(404)
      expect((await who('POST', `/attendance/export/${slot}`, {})).status).toBe(404)
    }
    expect((await a.as('GET', at(slot))).status).toBe(403)
    expect((await a.as('PUT', at(slot), { rest: 'present' })).status).toBe(403)
    const own = ok(await a.as('GET', '/attendance/own'))
    expect(own.map((one: { course: { code: string } }) => one.course.code)).toEqual(['MA101'])
    expect(reasons(await a.as('GET', `/attendance/students/${b.id}`))).toEqual(['not_allowed'])
  })

  it('of who has no course yet is empty, with the own name', async () => {
    const one = await w.student()
    const { body } = await one.as('GET', '/attendance/own')
    expect(body).toMatchObject({ data: [], student: { id: one.id }, term: null, terms: [] })
  })

  it('who added late was not absent before, and who dropped keeps what was', async () => {
    const { slot, a, offering, teacher, rows } = await aClass()
    const late = await w.student()
    await register(late, offering, 0, 3)
    const before = addDays(today, -7)
    ok(await teacher('PUT', at(slot, before), { rest: 'absent' }))
    expect([await stateOf(slot, a.id, before), await stateOf(slot, late.id, before)]).toEqual(['absent', null])
    expect(
      reasons(await teacher('PUT', at(slot, before), { marks: [{ student_id: late.id, state: 'absent' }] })),
    ).toEqual(['attendance_not_in_meeting@marks.0.student_id'])
    await w.query('delete from registration_slots where registration_id = $1', [rows[0]])
    await w.query('update registrations set status = $2 where id = $1', [
      rows[0],
      (flag.Dropped | flag.Fresh).toString(),
    ])
    const { students } = ok(await teacher('GET', at(slot, before)))
    expect(students.find((one: any) => one.student.id === a.id)?.state).toBe('absent')
    expect(ok(await a.as('GET', '/attendance/own'))[0].counts.absent).toBe(1)
    expect(ok(await teacher('GET', at(slot))).students.map((one: any) => one.student.id)).not.toContain(a.id)
  })

  it('goes out as a sheet and comes in again, all of it or nothing', async () => {
    const { slot, a, b, teacher, rows, offering } = await aClass()
    ok(await teacher('PUT', at(slot), { all: 'present' }))
    const { bytes } = await teacher('POST', `/attendance/export/${slot}`, { lang: 'ar' })
    const { sheets } = await readSheet(bytes)
    const [head, ...lines] = sheets[0]!.rows.map((row) => row.map((cell) => cell.text))
    expect(head).toContain(today)
    expect(lines.map((line) => line.at(-1))).toEqual(['حاضر', 'حاضر'])

    const send = async (states: string[], step: string, date = today, code = 'Code') => {
      const content = await writeSheet({
        sheets: [
          {
            name: 'S',
            direction: 'ltr',
            columns: [
              { header: code, key: 'code', type: 'text' },
              { header: date, key: 'd', type: 'text' },
            ],
            rows: [a, b].map((one, i) => ({ code: codes.get(one.id)!, d: states[i]! })),
          },
        ],
      })
      const form = new FormData()
      form.append('file', new Blob([content as BlobPart]), 'a.xlsx')
      const encoded = new Response(form)
      const answer = await u.app.inject({
        method: 'POST',
        url: `/api/attendance/import/${slot}/${step}`,
        headers: {
          authorization: `Bearer ${teacher.token}`,
          'content-type': encoded.headers.get('content-type')!,
        },
        payload: Buffer.from(await encoded.arrayBuffer()),
      })
      return { status: answer.statusCode, body: answer.json() }
    }
    const codes = new Map(
      (await w.query<{ id: number; code: string }>('select id, code from students')).map((row) => [row.id, row.code]),
    )
    const wrong = await send(['غائب', 'asleep'], 'save')
    expect([wrong.status, reasons(wrong as never)]).toEqual([422, [`import_cell@rows.3.${today}`]])
    const told = (await send(['غائب', 'asleep'], 'preview')).body.data
    expect(told.errors.map((one: { code: string }) => one.code)).toEqual(['attendance_word'])
    const dated = (await send(['A', 'A'], 'preview', 'Date')).body.data
    expect(dated.errors.map((one: { code: string }) => one.code)).toEqual([
      'sheet_column_unknown',
      'attendance_no_dates',
    ])
    const nobody = (await send(['A', 'A'], 'preview', today, 'Name')).body.data
    expect(nobody.errors.map((one: { code: string }) => one.code)).toContain('sheet_column_missing')
    await w.query(`update offerings set control_status = 'Submitted' where id = $1`, [offering.id])
    const late = await send(['A', 'A'], 'save')
    expect([late.status, reasons(late as never)]).toEqual([409, ['attendance_submitted']])
    await w.query(`update offerings set control_status = 'Draft' where id = $1`, [offering.id])
    expect(await stateOf(slot, a.id)).toBe('present')
    const preview = await send(['A', 'late'], 'preview')
    expect(preview.body.data.counts.changed).toBe(2)
    const { saved, operation_id } = (await teacher('POST', `/attendance/import/${slot}/${preview.body.data.import_id}`))
      .body
    expect(saved).toBe(2)
    expect([await stateOf(slot, a.id), await stateOf(slot, b.id)]).toEqual(['absent', 'late'])

    // Taken back, what was recorded stands again, and what the absences led to goes with them.
    await w.query(
      `insert into absence_cases (registration_id, absences, planned, share, status, warned_at) values ($1, 9, 9, 100, 'warned', now())`,
      [rows[0]],
    )
    const undo = (who: Caller) => who('POST', `/operations/${operation_id}/undo`, {})
    expect((await undo(await instructor(await w.offer('CS101')))).status).toBe(403)
    expect(ok(await undo(teacher))).toMatchObject({ changed: 2, kept_count: 0 })
    expect([await stateOf(slot, a.id), await stateOf(slot, b.id)]).toEqual(['present', 'present'])
    expect(await w.query('select status from absence_cases where registration_id = $1', [rows[0]])).toEqual([
      { status: 'closed' },
    ])
  })

  it('nothing is recorded once control has the marks', async () => {
    const { slot, teacher, offering } = await aClass()
    await w.query(`update offerings set control_status = 'Submitted' where id = $1`, [offering.id])
    for (const answer of [
      await teacher('PUT', at(slot), { rest: 'absent' }),
      await teacher('PUT', code(slot), {}),
      await teacher('POST', `/attendance/cancel/${slot}/${today}`, { reason: 'Illness' }),
    ])
      expect([answer.status, reasons(answer)]).toEqual([409, ['attendance_submitted']])
  })

  it('a cancelled meeting is told to its students, counts for nothing, and comes back', async () => {
    const { slot, a, b, teacher } = await aClass()
    ok(await teacher('PUT', at(slot), { all: 'absent' }))
    ok(await teacher('PUT', code(slot), {}))
    expect(
      ok(await teacher('POST', `/attendance/cancel/${slot}/${today}`, { reason: 'Illness of the instructor' })),
    ).toEqual({
      told: 2,
    })
    const told = await w.query(
      `select user_id from notifications where key = 'attendance.notice_cancelled' and user_id = any($1)`,
      [[a.user_id, b.user_id]],
    )
    expect(told.length).toBe(2)
    expect(ok(await a.as('GET', '/attendance/own'))[0].counts.absent).toBe(0)
    expect(reasons(await teacher('PUT', at(slot), { rest: 'present' }))).toEqual(['occurrence_cancelled'])
    expect(
      reasons(await teacher('POST', `/attendance/cancel/${slot}/${today}`, { reason: 'Again and again' })),
    ).toEqual(['occurrence_cancelled'])
    expect(ok(await teacher('GET', code(slot))).open).toBe(false)
    // Whoever writes at the same moment: the database refuses.
    await expect(
      w.query(
        `update attendance set state = 'present' where occurrence_id = (select id from meeting_occurrences where offering_slot_id = $1)`,
        [slot],
      ),
    ).rejects.toThrow('occurrence_cancelled')
    ok(await teacher('POST', `/attendance/restore/${slot}/${today}`))
    expect(ok(await a.as('GET', '/attendance/own'))[0].counts.absent).toBe(1)
    expect(reasons(await teacher('POST', `/attendance/restore/${slot}/${today}`))).toEqual(['occurrence_not_cancelled'])
  })
})

describe('codes', () => {
  const scan = (who: Caller, text: string) => who('POST', '/attendance/scan', { code: text })

  it('count who sits there once, whatever is sent again', async () => {
    const { slot, a, b, teacher } = await aClass()
    const shown = ok(await teacher('PUT', code(slot), { late_after: 15 }))
    expect([shown.open, shown.students, shown.qr.path.length > 100]).toEqual([true, 2, true])
    const first = await scan(a.as, codeOf(shown))
    expect(ok(first)).toMatchObject({ course: { code: 'MA101' }, state: 'present', date: today })
    // The same request again, ten at once, and with the next code.
    const again = await Promise.all(Array.from({ length: 10 }, () => scan(a.as, codeOf(shown))))
    expect(new Set(again.map((one) => `${one.status} ${reasons(one).join()}`))).toEqual(new Set(['409 scan_counted']))
    const race = await Promise.all(Array.from({ length: 6 }, () => scan(b.as, codeOf(shown))))
    expect(race.map((one) => one.status).toSorted()).toEqual([200, 409, 409, 409, 409, 409])
    const now = ok(await teacher('GET', code(slot)))
    expect([now.counted, now.arrived.map((one: { student_id: number }) => one.student_id).toSorted()]).toEqual([
      2,
      [a.id, b.id].toSorted(),
    ])
  })

  it('count nobody when the meeting is cancelled after the scan was judged and before it is written', async () => {
    const { slot, a, teacher } = await aClass()
    const shown = ok(await teacher('PUT', code(slot), {}))
    // The other connection cancels, and has not committed yet: the scan still reads a meeting that is held.
    const other = await u.database.pool.connect()
    try {
      await other.query('begin')
      await other.query(
        `update meeting_occurrences set cancelled_at = now(), cancelled_reason = 'Illness' where offering_slot_id = $1 and date = $2`,
        [slot, today],
      )
      const waiting = scan(a.as, codeOf(shown))
      // It stands before the row that is held, and goes on once that is decided.
      await expect
        .poll(
          async () =>
            (
              await w.query(`select from pg_stat_activity where wait_event_type = 'Lock' and query ilike '%insert into attendance%'
              and datname = current_database()`)
            ).length,
          { interval: 20, timeout: 30_000 },
        )
        .toBe(1)
      await other.query('commit')
      const answer = await waiting
      expect([answer.status, reasons(answer)]).toEqual([409, ['occurrence_cancelled']])
    } finally {
      other.release()
    }
    // So is every scan after it, with what was photographed before.
    expect(reasons(await scan(a.as, codeOf(shown)))).toEqual(['scan_cancelled'])
    expect(await w.query('select from attendance where student_id = $1', [a.id])).toEqual([])
    expect(ok(await a.as('GET', '/attendance/own'))[0].counts.absent).toBe(0)
  })

  it('are refused to strangers, other groups, other people’s sessions, and when they are old or made up', async () => {
    const { slot, a, b, stranger, teacher, offering } = await aClass(2)
    const otherGroup = await w.student()
    await register(otherGroup, offering, 1)
    const shown = ok(await teacher('PUT', code(slot), {}))
    const text = codeOf(shown)
    expect([(await scan(stranger.as, text)).status, reasons(await scan(stranger.as, text))]).toEqual([
      409,
      ['scan_not_registered'],
    ])
    expect(reasons(await scan(otherGroup.as, text))).toEqual(['scan_other_group'])
    expect(reasons(await scan(teacher, text))).toEqual(['not_allowed'])
    // Somebody logged in as the student.
    const admin = await u.as('admin')
    await w.query('update sessions set impersonator_id = $1 where user_id = $2', [admin.user_id, b.user_id])
    expect((await scan(b.as, text)).status).toBe(403)
    expect(await stateOf(slot, b.id)).toBeNull()

    const bytes = Buffer.from(text, 'base64url')
    const old = Buffer.from(bytes)
    old.writeUInt32BE(old.readUInt32BE(4) - 1, 4)
    for (const forged of [old.toString('base64url'), 'AAAA', `${text}x`]) {
      const answer = await scan(a.as, forged)
      expect([answer.status, reasons(answer)]).toEqual([404, ['scan_unknown']])
    }
    // The clock moves on: the genuine code is too old.
    const stale = await oldCode(slot, text)
    const answer = await scan(a.as, stale)
    expect([answer.status, reasons(answer)]).toEqual([409, ['scan_old']])
    // Shown anew: what was photographed before is nothing any more.
    ok(await teacher('PUT', code(slot), {}))
    expect(reasons(await scan(a.as, text))).toEqual(['scan_unknown'])
    ok(await teacher('DELETE', code(slot)))
    expect(reasons(await scan(a.as, text))).toEqual(['scan_closed'])
    expect(await stateOf(slot, a.id)).toBeNull()
  })

  it('one browser counts for one student, and a room may have its networks', async () => {
    const { slot, a, b, teacher } = await aClass()
    const shown = ok(await teacher('PUT', code(slot), {}))
    const from = (who: Caller, headers: Record<string, string>) =>
      u.app.inject({
        method: 'POST',
        url: '/api/attendance/scan',
        headers: { authorization: `Bearer ${who.token}`, ...headers },
        payload: { code: codeOf(shown) },
      })
    const phone = { cookie: 'device=the-same-telephone' }
    expect((await from(a.as, phone)).statusCode).toBe(200)
    const second = await from(b.as, phone)
    expect([second.statusCode, second.json().errors[0].code]).toEqual([422, 'attendance_device'])

    const [room] = await w.query<{ id: number }>(
      `with b as (insert into buildings (code, name, name_local) values ('B', 'B', 'B') returning id)
       insert into locations (building_id, code, name, name_local, capacity, attendance_networks)
       select id, 'R', 'R', 'R', 100, '10.20.0.0/16, 2001:db8::/32' from b returning id`,
    )
    await w.query('update offering_slots set location_id = $1 where id = $2', [room!.id, slot])
    expect((await from(b.as, {})).json().errors[0].code).toBe('scan_network')
    await w.query(`update locations set attendance_networks = '127.0.0.1/32' where id = $1`, [room!.id])
    expect((await from(b.as, {})).statusCode).toBe(200)
    await expect(
      w.query(`update locations set attendance_networks = 'here' where id = $1`, [room!.id]),
    ).rejects.toThrow('location_networks')
  })

  it('are shown on the day of the meeting only, and scanned late after a while', async () => {
    const { slot, a, teacher } = await aClass()
    expect(reasons(await teacher('PUT', code(slot, addDays(today, -7)), {}))).toEqual(['code_only_today'])
    const shown = ok(await teacher('PUT', code(slot), { late_after: 1 }))
    await w.query(`update attendance_codes set late_from = now() - interval '1 minute'`)
    expect(ok(await scan(a.as, codeOf(shown))).state).toBe('late')
  })

  it('end by themselves, and count on no other day', async () => {
    const { slot, a, b, teacher } = await aClass()
    const text = codeOf(ok(await teacher('PUT', code(slot), {})))
    const [{ occurrence_id }] = (await w.query<{ occurrence_id: number }>(
      'select occurrence_id from attendance_codes order by opened_at desc limit 1',
    )) as [{ occurrence_id: number }]
    await w.query('update attendance_codes set closes_at = now() where occurrence_id = $1', [occurrence_id])
    expect(reasons(await scan(a.as, text))).toEqual(['scan_closed'])
    expect(ok(await teacher('GET', code(slot)))).toMatchObject({ open: false, url: null })
    await w.query(`update attendance_codes set closes_at = now() + interval '1 hour' where occurrence_id = $1`, [
      occurrence_id,
    ])
    await w.query('update meeting_occurrences set date = date - 7 where id = $1', [occurrence_id])
    expect(reasons(await scan(a.as, text))).toEqual(['scan_closed'])
    await w.query('update meeting_occurrences set date = date + 7 where id = $1', [occurrence_id])
    ok(await scan(a.as, text))
    // Whose account is no student's counts nowhere.
    await w.query('update students set user_id = null where id = $1', [b.id])
    expect(reasons(await (await u.signIn(b.user_id))('POST', '/attendance/scan', { code: text }))).toEqual([
      'scan_no_student',
    ])
    await w.query('update students set user_id = $2 where id = $1', [b.id, b.user_id])
  })
})

/** The code of the same showing as it was a minute ago. */
async function oldCode(_slot: number, text: string): Promise<string> {
  const { sealOf } = await import('#kit/server/identity/sealed.ts')
  const seal = await sealOf(u.services, 'attendance')
  const bytes = Buffer.from(text, 'base64url')
  const step = bytes.readUInt32BE(4) - 12
  const [row] = await w.query<{ nonce: Buffer }>('select nonce from attendance_codes where occurrence_id = $1', [
    bytes.readUInt32BE(0),
  ])
  const head = Buffer.from(bytes.subarray(0, 8))
  head.writeUInt32BE(step, 4)
  const mac = seal.digest(`${bytes.readUInt32BE(0)}/${row!.nonce.toString('hex')}/${step}`).subarray(0, 12)
  return Buffer.concat([head, mac]).toString('base64url')
}

describe('absences', () => {
  /** Four dates of a meeting at which something can be recorded: the term began earlier for this. */
  const past = () => [1, 2, 3, 4, 5].map((n) => addDays(today, -7 * n))
  it('warn, then propose a ban, which the exam office decides and takes back', async () => {
    await w.query('update terms set start_date = start_date - 30 where id = $1', [w.term])
    const { slot, a, b, teacher, rows } = await aClass()
    const [one, two, three, four, five] = past()
    const caseOf = async () =>
      (
        await w.query<{ id: number; status: string }>(
          'select id, status from absence_cases where registration_id = $1',
          [rows[0]],
        )
      )[0]
    const absent = (date: string) =>
      teacher('PUT', at(slot, date), { marks: [{ student_id: a.id, state: 'absent' }], rest: 'present' })
    // Of twenty meetings.
    ok(await absent(one!))
    expect(await caseOf()).toBeUndefined()
    ok(await absent(two!))
    expect((await caseOf())?.status).toBe('warned')
    // Mended: below the limit again.
    ok(await teacher('PUT', at(slot, two!), { marks: [{ student_id: a.id, state: 'present' }] }))
    expect((await caseOf())?.status).toBe('closed')
    ok(await absent(two!))
    ok(await absent(three!))
    ok(await absent(four!))
    expect((await caseOf())?.status).toBe('warned')
    ok(await absent(five!))
    ok(await teacher('PUT', at(slot), { marks: [{ student_id: a.id, state: 'absent' }] }))
    const { id, status } = (await caseOf())!
    expect(status).toBe('proposed')
    const told = await w.query('select key from notifications where user_id = $1 order by id', [a.user_id])
    expect(told.map((row) => row.key)).toEqual(
      expect.arrayContaining(['attendance.notice_warned', 'attendance.notice_proposed']),
    )

    // Who teaches sees it and does not decide; nobody else's student does.
    const list = async (who: Caller) =>
      ok(await who('POST', '/attendance/absences/list', {})).map((row: any) => row.student.id)
    expect(await list(teacher)).toEqual([a.id])
    expect(await list(await instructor(await w.offer('CS101')))).toEqual([])
    const { bytes } = await teacher('POST', '/attendance/absences/export', { ids: [id], lang: 'en' })
    const [head, line] = (await readSheet(bytes)).sheets[0]!.rows.map((row) => row.map((cell) => cell.text))
    const cell = (label: string) => line![head!.indexOf(label)]
    expect([cell('Absences'), cell('Status')]).toEqual(['5', 'Ban proposed'])
    expect((await b.as('POST', '/attendance/absences/export', {})).status).toBe(403)
    expect((await b.as('POST', '/attendance/absences/list', {})).status).toBe(403)
    expect((await teacher('POST', `/attendance/absences/ban/${id}`, {})).status).toBe(403)
    const elsewhere = await u.as('exam_officer', ['faculty', w.otherFaculty])
    expect((await elsewhere('POST', `/attendance/absences/ban/${id}`, {})).status).toBe(404)

    const mainOf = async () =>
      BigInt(
        (await w.query<{ status: string }>('select status::text from registrations where id = $1', [rows[0]]))[0]!
          .status,
      )
    ok(await exam('POST', `/attendance/absences/ban/${id}`, { reason: 'Absent from more than a quarter' }))
    expect((await mainOf()) & flag.Banned).toBe(flag.Banned)
    expect((await caseOf())?.status).toBe('banned')
    const history = await w.query('select action from registration_history where registration_id = $1', [rows[0]])
    expect(history.map((row) => row.action)).toEqual(['ban'])
    // Correcting attendance does not undo what was decided; taking it back is the registrar's.
    expect((await exam('POST', `/attendance/absences/undo/${id}`, { reason: 'An error' })).status).toBe(403)
    ok(await registrar('POST', `/attendance/absences/undo/${id}`, { reason: 'The list was wrong' }))
    expect((await mainOf()) & flag.Registered).toBe(flag.Registered)
    ok(await exam('POST', `/attendance/absences/waive/${id}`, { reason: 'Illness, shown later' }))
    ok(await teacher('PUT', at(slot, one!), { marks: [{ student_id: a.id, state: 'late' }] }))
    expect((await caseOf())?.status).toBe('waived')
  })

  it('change nothing of a registration that control has, and bans need the window of exams', async () => {
    const { slot, a, teacher, rows, offering } = await aClass()
    for (const date of past())
      ok(await teacher('PUT', at(slot, date), { marks: [{ student_id: a.id, state: 'absent' }] }))
    ok(await teacher('PUT', at(slot), { marks: [{ student_id: a.id, state: 'absent' }] }))
    const [row] = await w.query<{ id: number; status: string }>(
      'select id, status from absence_cases where registration_id = $1',
      [rows[0]],
    )
    expect(row?.status).toBe('proposed')
    await w.windows()
    expect(reasons(await exam('POST', `/attendance/absences/ban/${row!.id}`, {}))).toEqual(['stage_closed'])
    await w.windows('exam')
    await w.query(`update offerings set control_status = 'Submitted' where id = $1`, [offering.id])
    expect(reasons(await exam('POST', `/attendance/absences/ban/${row!.id}`, {}))).toEqual(['control_holds'])
    await w.query(`update offerings set control_status = 'Draft' where id = $1`, [offering.id])
    await w.query('delete from registration_slots where registration_id = $1', [rows[0]])
    await w.query('update registrations set status = $2 where id = $1', [
      rows[0],
      (flag.Dropped | flag.Fresh).toString(),
    ])
    expect(reasons(await exam('POST', `/attendance/absences/ban/${row!.id}`, {}))).toEqual(['ban_not_registered'])
  })

  it('propose no ban in a linked offering whose marks control has, and decide none that was proposed before', async () => {
    const { slot, a, teacher, rows, offering } = await aClass()
    // Students of another department sit in the same meetings; their offering is submitted by itself.
    const [linked] = await w.query<{ id: number }>(
      `insert into offerings (term_id, course_id, faculty_id, code, linked_offering_id)
       select term_id, course_id, faculty_id, 'linked', id from offerings where id = $1 returning id`,
      [offering.id],
    )
    const guest = await w.student()
    const guests = await register(guest, { id: linked!.id, lectures: offering.lectures })
    const caseOf = async (registration: number) =>
      (
        await w.query<{ id: number; status: string }>(
          'select id, status from absence_cases where registration_id = $1',
          [registration],
        )
      )[0]
    const absent = async (date: string) =>
      ok(
        await teacher('PUT', at(slot, date), {
          marks: [a, guest].map((one) => ({ student_id: one.id, state: 'absent' })),
        }),
      )
    const submit = (status: string) =>
      w.query('update offerings set control_status = $2 where id = $1', [linked!.id, status])
    await submit('Submitted')
    for (const date of [...past(), today]) await absent(date)
    expect((await caseOf(rows[0]!))?.status).toBe('proposed')
    expect(await caseOf(guests)).toBeUndefined()
    // Given back, it counts; proposed, and submitted again, nobody decides it.
    await submit('Draft')
    await absent(today)
    const { id, status } = (await caseOf(guests))!
    expect(status).toBe('proposed')
    await submit('Submitted')
    expect(reasons(await exam('POST', `/attendance/absences/ban/${id}`, {}))).toEqual(['control_holds'])
    expect((await caseOf(guests))?.status).toBe('proposed')
  })

  it('two who record at the same moment do not miss each other', async () => {
    const { slot, a, teacher, rows } = await aClass()
    await Promise.all(
      past().map((date) => teacher('PUT', at(slot, date), { marks: [{ student_id: a.id, state: 'absent' }] })),
    )
    const [row] = await w.query<{ share: string; status: string }>(
      'select share, status from absence_cases where registration_id = $1',
      [rows[0]],
    )
    const own = ok(await a.as('GET', '/attendance/own'))
    const shown = own.find((one: any) => one.counts.absent === 5)
    expect([row?.status, shown.share.level]).toEqual([
      shown.share.level === 'ban' ? 'proposed' : 'warned',
      shown.share.level,
    ])
  })
})

describe('excuses', () => {
  const ask = (who: Caller, student: Student, body: object) =>
    who('PUT', '/excuses', { student_id: student.id, why: 'I was ill, the paper is attached.', ...body })
  const days = () => ({ from_date: addDays(today, -7), to_date: today })
  const mainOf = async (registration: number) =>
    BigInt(
      (await w.query<{ status: string }>('select status::text from registrations where id = $1', [registration]))[0]!
        .status,
    )

  it('are of a term: the one that is told, or the one that runs', async () => {
    const { a } = await aClass()
    const terms = await w.query<{ key: string; term_id: number }>('delete from current_terms returning key, term_id')
    const none = await ask(a.as, a, { kind: 'absence', ...days() })
    for (const { key, term_id } of terms)
      await w.query('insert into current_terms (key, term_id) values ($1, $2)', [key, term_id])
    expect([none.status, reasons(none)]).toEqual([422, ['required@term_id']])
  })

  it('of the absences behind a ban takes it back, as far as they count no more; reopened, it is proposed anew', async () => {
    await w.windows('excuse', 'exam')
    const { offering, slot, a, teacher, rows } = await aClass()
    const dates = [0, 1, 2, 3, 4, 5].map((n) => addDays(today, -7 * n))
    for (const date of dates)
      ok(await teacher('PUT', at(slot, date), { marks: [{ student_id: a.id, state: 'absent' }], rest: 'present' }))
    const caseOf = async () =>
      (
        await w.query<{ id: number; status: string }>(
          'select id, status from absence_cases where registration_id = $1',
          [rows[0]],
        )
      )[0]!
    const { id, status } = await caseOf()
    expect(status).toBe('proposed')
    ok(await exam('POST', `/attendance/absences/ban/${id}`, {}))
    expect((await mainOf(rows[0]!)) & flag.Banned).toBe(flag.Banned)

    const decide = (excuse: number, to: string) =>
      registrar('POST', `/excuses/update_status/${excuse}`, { status: to, reason: 'seen' })
    // One day of six is not enough: the ban stays.
    const little = ok(await ask(a.as, a, { kind: 'absence', from_date: today, to_date: today }))
    ok(await decide(little.id, 'accepted'))
    expect([(await caseOf()).status, (await mainOf(rows[0]!)) & flag.Banned]).toEqual(['banned', flag.Banned])
    const asked = ok(
      await ask(a.as, a, { kind: 'absence', offering_id: offering.id, from_date: dates[4], to_date: dates[1] }),
    )
    ok(await decide(asked.id, 'accepted'))
    expect((await mainOf(rows[0]!)) & flag.Registered).toBe(flag.Registered)
    expect(['closed', 'warned']).toContain((await caseOf()).status)
    const steps = await w.query(
      `select action, to_state, reason from step_history where workflow = 'absence_case' and record_id = $1 order by id`,
      [id],
    )
    expect(steps).toContainEqual({ action: 'undo', to_state: 'proposed', reason: 'An excuse was accepted' })
    ok(await decide(asked.id, 'requested'))
    expect((await caseOf()).status).toBe('proposed')
    // What control has, it keeps.
    ok(await exam('POST', `/attendance/absences/ban/${id}`, {}))
    await w.query(`update offerings set control_status = 'Submitted' where id = $1`, [offering.id])
    expect(reasons(await decide(asked.id, 'accepted'))).toEqual(['excuse_submitted'])
    expect((await mainOf(rows[0]!)) & flag.Banned).toBe(flag.Banned)
  })

  it('for days: absences are excused by an accepted one, whichever came first, and are none when it is reopened', async () => {
    await w.windows('excuse')
    const { slot, a, b, teacher } = await aClass()
    ok(await teacher('PUT', at(slot), { all: 'absent' }))
    const [file] = await w.query<{ id: number }>(
      `insert into files (hash, name, ext, mime, size, created_by) values (repeat('0', 64), 'paper.pdf', 'pdf', 'application/pdf', 1, $1) returning id`,
      [a.user_id],
    )
    expect(reasons(await ask(b.as, b, { kind: 'absence', ...days(), file_id: file!.id }))).toEqual([
      'reference_missing@file_id',
    ])
    expect(reasons(await ask(a.as, a, { kind: 'course', offering_id: 999_999 }))).toEqual([
      'reference_missing@offering_id',
    ])
    const asked = ok(await ask(a.as, a, { kind: 'absence', ...days(), file_id: file!.id }))
    expect([asked.status, asked.file_id.name]).toEqual(['requested', 'paper.pdf'])
    expect(reasons(await ask(a.as, a, { kind: 'absence', ...days() }))).toEqual(['excuse_asked_twice@kind'])
    // The wrong people get nothing, and nobody decides the own.
    expect((await ask(b.as, a, { kind: 'absence', ...days() })).status).toBe(403)
    expect((await b.as('GET', `/excuses/${asked.id}`)).status).toBe(404)
    expect((await b.as('POST', `/excuses/${asked.id}`, { why: 'Mine now.' })).status).toBe(404)
    const own = await a.as('POST', `/excuses/update_status/${asked.id}`, { status: 'accepted' })
    expect([own.status, reasons(own)]).toEqual([403, expect.arrayContaining(['step_permission'])])
    const elsewhere = await u.as('faculty_registrar', ['faculty', w.otherFaculty])
    expect((await elsewhere('POST', `/excuses/update_status/${asked.id}`, { status: 'accepted' })).status).toBe(404)
    const changed = ok(await a.as('POST', `/excuses/${asked.id}`, { why: 'I was in hospital.' }))
    const change = (body: object) => a.as('POST', `/excuses/${asked.id}`, body)
    const stale = await change({ why: 'An older page.', version: changed.version - 1 })
    expect([stale.status, reasons(stale)]).toEqual([409, ['changed_meanwhile']])
    expect(reasons(await change({ to_date: '2000-01-01' }))).toEqual(['excuse_days_order@to_date'])
    expect(reasons(await change({ file_id: 999_999 }))).toEqual(['reference_missing@file_id'])

    const counts = async () => {
      const { absent, excused } = ok(await a.as('GET', '/attendance/own'))[0].counts
      return [absent, excused]
    }
    expect(await counts()).toEqual([1, 0])
    ok(await registrar('POST', `/excuses/update_status/${asked.id}`, { status: 'accepted' }))
    expect(await counts()).toEqual([0, 1])
    // Recorded after it was accepted.
    ok(await teacher('PUT', at(slot, addDays(today, -7)), { all: 'absent' }))
    expect(await counts()).toEqual([0, 2])
    expect(ok(await teacher('GET', at(slot))).students.find((one: any) => one.student.id === a.id)).toMatchObject({
      state: 'excused',
      by_excuse: true,
    })
    expect(reasons(await a.as('POST', `/excuses/${asked.id}`, { why: 'Once more.' }))).toEqual(['excuse_decided'])
    ok(
      await registrar('POST', `/excuses/update_status/${asked.id}`, {
        status: 'requested',
        reason: 'The paper was forged',
      }),
    )
    expect(await counts()).toEqual([2, 0])
    expect(reasons(await registrar('POST', `/excuses/update_status/${asked.id}`, { status: 'rejected' }))).toEqual([
      'reason_required@reason',
    ])
    ok(await registrar('POST', `/excuses/update_status/${asked.id}`, { status: 'rejected', reason: 'Forged' }))
    expect(await w.wrongSeats()).toEqual([])
  })

  it('for a course: asked for, the registration waits; accepted, it is Excused; rejected or taken back, it is as before', async () => {
    await w.windows('excuse')
    const { a, b, offering, rows } = await aClass()
    const course = { kind: 'course', offering_id: offering.id }
    expect(reasons(await ask(a.as, a, { kind: 'course' }))).toEqual(['excuse_course_missing@offering_id'])
    const first = ok(await ask(a.as, a, course))
    expect((await mainOf(rows[0]!)) & flag.ExcuseRequest).toBe(flag.ExcuseRequest)
    ok(await a.as('POST', `/excuses/update_status/${first.id}`, { status: 'cancelled' }))
    expect((await mainOf(rows[0]!)) & flag.Registered).toBe(flag.Registered)
    const second = ok(await ask(a.as, a, course))
    ok(await registrar('POST', `/excuses/update_status/${second.id}`, { status: 'accepted' }))
    expect((await mainOf(rows[0]!)) & flag.Excused).toBe(flag.Excused)
    // Asked for and dropped meanwhile; control has the marks meanwhile.
    const third = ok(await ask(b.as, b, course))
    await w.query(`update offerings set control_status = 'Submitted' where id = $1`, [offering.id])
    const held = await registrar('POST', `/excuses/update_status/${third.id}`, { status: 'accepted' })
    expect([held.status, reasons(held)]).toEqual([409, ['excuse_submitted']])
    await w.query(`update offerings set control_status = 'Draft' where id = $1`, [offering.id])
    await w.query('delete from registration_slots where registration_id = $1', [rows[1]])
    await w.query('update registrations set status = $2 where id = $1', [
      rows[1],
      (flag.Dropped | flag.Fresh).toString(),
    ])
    const left = await registrar('POST', `/excuses/update_status/${third.id}`, { status: 'accepted' })
    expect([left.status, reasons(left)]).toEqual([409, ['excuse_course_left']])
    expect((await mainOf(rows[1]!)) & flag.Dropped).toBe(flag.Dropped)
  })

  it('for a term: every course of it, all or none', async () => {
    await w.windows('excuse')
    const { a, rows } = await aClass()
    const other = await w.offer('CS101', { day: (weekPlace(today) + 1) % 6 })
    const more = await register(a, other)
    const asked = ok(await ask(a.as, a, { kind: 'term' }))
    ok(await registrar('POST', `/excuses/update_status/${asked.id}`, { status: 'accepted' }))
    for (const id of [rows[0]!, more]) expect((await mainOf(id)) & flag.Excused).toBe(flag.Excused)
  })

  it('outside the window only staff ask, with a reason', async () => {
    await w.windows()
    const { a } = await aClass()
    expect(reasons(await ask(a.as, a, { kind: 'absence', ...days() }))).toEqual(['excuse_window_closed'])
    expect(reasons(await ask(registrar, a, { kind: 'absence', ...days() }))).toEqual([
      'excuse_outside_reason@outside_reason',
    ])
    const entered = ok(await ask(registrar, a, { kind: 'absence', ...days(), outside_reason: 'The letter came late' }))
    // Who entered it does not decide.
    expect((await registrar('POST', `/excuses/update_status/${entered.id}`, { status: 'accepted' })).status).toBe(403)
    ok(await (await u.as('registrar'))('POST', `/excuses/update_status/${entered.id}`, { status: 'accepted' }))
    expect(
      reasons(
        await ask(registrar, a, {
          kind: 'absence',
          from_date: today,
          to_date: addDays(today, -1),
          outside_reason: 'x',
        }),
      ),
    ).toEqual(['excuse_days_order@to_date'])
    await w.windows('exam')
  })
})
