import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { addDays } from '#kit/contract/day.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Parameters<typeof reasons>[0]) =>
  [...new Set(reasons(answer).map((code) => code.split('@')[0]))].toSorted()

/** Two offerings with a student in common, an exam with two slots of a morning a quarter of an hour apart, and three halls. */
let at: { first: number; second: number; student: number; registration: number; term: number; day: string }
let exam: { id: number; a: number; b: number; halls: [number, number, number]; slots: [number, number] }
let size: { a: number; b: number }

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  officer = await u.as('exam_officer')
  const pair = await one<Omit<typeof at, 'day'>>(
    `select r.offering_id as first, q.offering_id as second, min(r.student_id)::int as student, r.term_id as term,
       (min(array[r.student_id, r.id]))[2] as registration
     from registrations r join registrations q on q.student_id = r.student_id and q.term_id = r.term_id and q.offering_id > r.offering_id
       join offerings o on o.id = r.offering_id and o.faculty_id = 1 join offerings p on p.id = q.offering_id and p.faculty_id = 1
       join current_terms k on k.key = 'current_term' and k.term_id = r.term_id
     where sits_exam(r.status) and sits_exam(q.status)
       and not exists (select from exam_accommodations a where a.student_id = r.student_id and a.removed_at is null)
     group by r.offering_id, q.offering_id, r.term_id having count(*) between 3 and 40 order by count(*), 1, 2 limit 1`,
  )
  const { end_date } = await one<{ end_date: string }>('select end_date::text from terms where id = $1', [pair.term])
  at = { ...pair, day: addDays(end_date, -1) }
  const slots = await q<{ id: number }>(
    `insert into exam_slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time)
     values ('T-A', 'Early', 'مبكر', '06:00', '07:00', '06:00', '07:00'), ('T-B', 'Next', 'تالٍ', '07:10', '08:10', '07:10', '08:10') returning id`,
  )
  const building = await one<{ id: number }>('select id from buildings order by id limit 1')
  const halls = await q<{ id: number }>(
    `insert into locations (code, name, name_local, building_id, capacity, location_type)
     values ('T-1', 'Test hall 1', 'قاعة اختبار ١', $1, 200, 'hall'), ('T-2', 'Test hall 2', 'قاعة اختبار ٢', $1, 200, 'hall'),
       ('T-3', 'Small room', 'غرفة صغيرة', $1, 4, 'room') returning id`,
    [building.id],
  )
  const made = ok(
    await officer('PUT', '/exams', {
      code: 'T-MORE',
      name: 'Exams with more time',
      name_local: 'امتحانات بوقت إضافي',
      term_id: at.term,
      faculty_id: 1,
      kind: 'practical',
      days: [{ on_date: at.day }, { on_date: addDays(at.day, 1) }],
      times: slots.map(({ id }) => ({ exam_slot_id: id })),
      halls: halls.map(({ id }, i) => ({ location_id: id, seats: i === 2 ? 4 : 200 })),
    }),
  )
  ok(await officer('POST', `/exams/${made.id}/cover`, { offering_ids: [at.first, at.second] }))
  const rows = await q<{ id: number; offering_id: number; students: number }>(
    `select s.id, s.offering_id, (select count(*)::int from registrations r where r.offering_id = s.offering_id and sits_exam(r.status)) as students
     from exam_schedules s where s.exam_id = $1`,
    [made.id],
  )
  const a = rows.find((row) => row.offering_id === at.first)!
  const b = rows.find((row) => row.offering_id === at.second)!
  exam = {
    id: made.id,
    a: a.id,
    b: b.id,
    halls: halls.map(({ id }) => id) as never,
    slots: slots.map(({ id }) => id) as never,
  }
  size = { a: a.students, b: b.students }
}, 540_000)
afterAll(() => u?.close())

const grant = (more: object, who = officer) =>
  who('PUT', '/exam-accommodations', { student_id: at.student, from_term_id: at.term, ...more })
const take = (id: number, slot: number, hall: number, seats: number, day = at.day) =>
  officer('POST', '/exam-schedules/put/exam-schedule', {
    id,
    on_date: day,
    exam_slot_id: exam.slots[slot],
    locations: [{ location_id: exam.halls[hall], seats }],
  })
const off = (id: number) =>
  officer('POST', '/exam-schedules/put/exam-schedule', { id, on_date: null, exam_slot_id: null, locations: [] })
const halls = (id: number) =>
  q<{ hall: string; seats: number; extra: number; own_room: boolean; helper: string | null; until: string }>(
    `select p.code as hall, l.seats, l.extra, l.own_room, l.helper, to_char(upper(l.during), 'HH24:MI') as until
     from exam_schedule_locations l join locations p on p.id = l.location_id where l.exam_schedule_id = $1 order by p.code`,
    [id],
  )
const outdated = async (who = officer): Promise<any[]> =>
  ok(await who('POST', '/outdated-decisions', { kind: 'exam_accommodation', perPage: 200 })).filter(
    (row: { id: number }) => row.id === exam.a || row.id === exam.b,
  )
/** A schedule of an offering that has no student in common with the first. */
const stranger = async () =>
  (
    await one<{ id: number }>(
      `insert into exam_schedules (exam_id, offering_id) select $1, o.id from offerings o
       where o.term_id = $2 and o.faculty_id = 1 and o.removed_at is null
         and not exists (select from registrations r join registrations f on f.student_id = r.student_id and f.offering_id = $3
           where r.offering_id = o.id)
         and not exists (select from exam_schedules s where s.exam_id = $1 and s.offering_id = o.id) limit 1 returning id`,
      [exam.id, at.term, at.first],
    )
  ).id

afterEach(async () => {
  await q(`update exams set status = 'draft', published_at = null where id = $1 and status = 'published'`, [exam.id])
  for (const id of [exam.a, exam.b]) ok(await off(id))
  await q('delete from exam_schedules where exam_id = $1 and id <> all($2)', [exam.id, [exam.a, exam.b]])
  await q('update exam_accommodations set removed_at = now() where student_id = $1', [at.student])
})

test('what cannot be granted is refused with every reason, and guarded whoever writes', async () => {
  expect(codes(await grant({ helper: 'reader' }))).toEqual(['exam_accommodation_helper', 'exam_accommodation_nothing'])
  const [earlier] = await q<{ id: number }>(
    'select t.id from terms t, terms c where c.id = $1 and t.end_date < c.start_date order by t.end_date limit 1',
    [at.term],
  )
  expect(codes(await grant({ extra_percent: 25, to_term_id: earlier!.id }))).toEqual(['exam_accommodation_order'])
  const until = await grant({ extra_percent: 25, to_term_id: 99_999_999 })
  expect([until.status, reasons(until)]).toEqual([422, [expect.stringMatching(/@to_term_id$/)]])
  const made = ok(await grant({ extra_percent: 25 }))
  expect(codes(await grant({ own_room: true, to_term_id: at.term }))).toEqual(['exam_accommodation_there'])
  const insert = (columns: string, values: string) =>
    q(
      `insert into exam_accommodations (student_id, from_term_id, ${columns}) values (${at.student}, ${at.term}, ${values})`,
    )
  await expect(insert('own_room', 'true')).rejects.toMatchObject({ constraint: 'exam_accommodation_twice' })
  await q('update exam_accommodations set removed_at = now() where id = $1', [made.id])
  await expect(insert('own_room', 'false')).rejects.toMatchObject({ constraint: 'exam_accommodation_nothing' })
  await expect(insert('extra_percent, helper', `10, 'reader'`)).rejects.toMatchObject({
    constraint: 'exam_accommodation_helper',
  })
  await expect(insert('extra_percent, to_term_id', `10, ${earlier!.id}`)).rejects.toMatchObject({
    constraint: 'exam_accommodation_order',
  })
})

test('it is the exam office’s alone: no other role lists it, and the trail tells what was granted and not why', async () => {
  const made = ok(await grant({ extra_percent: 30, reason: 'A secret of the student' }))
  for (const role of ['instructor', 'dean', 'control_head', 'registrar', 'student', 'academic_advisor'] as const) {
    const other = await u.as(role)
    expect([403, 404]).toContain((await other('POST', '/exam-accommodations', {})).status)
    expect([403, 404]).toContain((await other('GET', `/exam-accommodations/${made.id}`)).status)
  }
  const trail = await q<{ entry: string }>(
    `select to_jsonb(a)::text as entry from audit_log a where a.table_name = 'exam_accommodations' and a.record_id = $1`,
    [made.id],
  )
  expect(trail.length).toBeGreaterThan(0)
  expect(trail.map((line) => line.entry).join()).toContain('extra_percent')
  expect(trail.map((line) => line.entry).join()).not.toContain('secret')
  expect((await officer('POST', '/exam-accommodations/export', {})).status).toBe(404)
  const board = async (who: Caller) => ok(await who('POST', '/exam-schedules/board', { exam_id: exam.id }))
  expect((await board(officer)).longer).toHaveLength(1)
  const control = await board(await u.as('control_head'))
  expect([control.longer, control.exams.flatMap((row: { needs: object[] }) => row.needs)]).toEqual([[], []])
})

test('a student whose next exam begins meanwhile: refused with the student’s name, from both sides, and in the database', async () => {
  ok(await grant({ extra_percent: 25 }))
  ok(await take(exam.a, 0, 0, size.a))
  // Five minutes too long: 60 and 15 minutes, and ten between.
  const refused = await take(exam.b, 1, 1, size.b)
  expect([refused.status, codes(refused)]).toEqual([422, ['exam_students_longer']])
  const student = await one<{ code: string }>('select code from students where id = $1', [at.student])
  expect(JSON.stringify(refused.body)).toContain(student.code)
  await expect(
    q('update exam_schedules set on_date = $2, exam_slot_id = $3 where id = $1', [exam.b, at.day, exam.slots[1]]),
  ).rejects.toMatchObject({ constraint: 'exam_student_longer' })
  ok(await off(exam.a))
  ok(await take(exam.b, 1, 1, size.b))
  const other = await take(exam.a, 0, 0, size.a)
  expect(codes(other)).toEqual(['exam_students_longer'])
  // Ten per cent end in time.
  await q('update exam_accommodations set extra_percent = 10 where student_id = $1 and removed_at is null', [
    at.student,
  ])
  ok(await take(exam.a, 0, 0, size.a))
  expect(await halls(exam.a)).toEqual([
    { hall: 'T-1', seats: size.a, extra: 6, own_room: false, helper: null, until: '07:06' },
  ])
})

test('a hall is held until the last has written: by hand, by the board, for its invigilators, and in the database', async () => {
  ok(await grant({ extra_percent: 25 }))
  ok(await take(exam.a, 0, 0, size.a))
  const list = ok(
    await officer('POST', '/exam-schedules/get_available_locations', {
      exam_id: exam.id,
      on_date: at.day,
      exam_slot_id: exam.slots[1],
    }),
  ).map((row: { id: number }) => row.id)
  expect(list).not.toContain(exam.halls[0])
  // Another exam, of nobody who sits the first, comes into its hall.
  const nobody = { id: await stranger() }
  expect(codes(await take(nobody.id, 1, 0, 5))).toEqual(['exam_hall_longer'])
  // And the other way round: the hall is used next, so that it cannot be held.
  ok(await off(exam.a))
  ok(await take(nobody.id, 1, 0, 5))
  const next = await take(exam.a, 0, 0, size.a)
  expect(codes(next)).toEqual(['exam_hall_next'])
  ok(await take(exam.a, 0, 1, size.a))
  // Who looks after it is not to be had elsewhere before it ends.
  const person = await one<{ id: number }>(
    'select id from instructors where removed_at is null order by id desc limit 1',
  )
  const invigilator = (schedule: number, hall: number) =>
    q(
      `insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, role, during) values ($1, $2, $3, 'chief', 'empty')`,
      [schedule, exam.halls[hall], person.id],
    )
  await invigilator(exam.a, 1)
  await expect(invigilator(nobody.id, 0)).rejects.toMatchObject({ constraint: 'exam_invigilator_elsewhere' })
  ok(await off(nobody.id))
  await q('delete from exam_schedules where id = $1', [nobody.id])
})

test('a student who sits alone has a hall, the reader the invigilator’s place; nobody else comes in, without a room it is refused', async () => {
  ok(await grant({ own_room: true, helper: 'reader', extra_percent: 50 }))
  ok(await take(exam.a, 0, 0, size.a))
  expect(await halls(exam.a)).toEqual([
    { hall: 'T-1', seats: size.a - 1, extra: 0, own_room: false, helper: null, until: '07:00' },
    { hall: 'T-3', seats: 1, extra: 30, own_room: true, helper: 'reader', until: '07:30' },
  ])
  // Another exam of nobody who sits this one does not come in.
  const beside = await stranger()
  expect(codes(await take(beside, 0, 2, 1))).toEqual(['exam_room_alone'])
  await q('delete from exam_schedules where id = $1', [beside])
  await expect(
    q('update exam_schedule_locations set seats = 2 where exam_schedule_id = $1 and own_room', [exam.a]),
  ).rejects.toMatchObject({ constraint: 'exam_room_seats' })
  // A student who has none does not sit there.
  const [somebody] = await q<{ id: number }>(
    'select id from registrations where offering_id = $1 and sits_exam(status) and student_id <> $2 limit 1',
    [at.first, at.student],
  )
  await expect(
    q(
      `insert into exam_seats (exam_schedule_id, location_id, registration_id, seat, during) values ($1, $2, $3, 1, 'empty')`,
      [exam.a, exam.halls[2], somebody!.id],
    ),
  ).rejects.toMatchObject({ constraint: 'exam_seat_room' })
  // Who plans nothing sees neither the room nor that a hall is held longer.
  const seen = async (who: Caller): Promise<{ hall: { code: string }; to: string }[]> => {
    const answer = await who('GET', `/exam-seats/${exam.id}`)
    return (answer.body as unknown as { sittings: [] }).sittings
  }
  expect((await seen(officer)).map((hall) => [hall.hall.code, hall.to])).toEqual([
    ['T-1', '07:00'],
    ['T-3', '07:30'],
  ])
  expect((await seen(await u.as('control_head'))).map((hall) => [hall.hall.code, hall.to])).toEqual([['T-1', '07:00']])
  ok(await officer('POST', `/exam-schedules/invigilators/assign/${exam.id}`, {}))
  const roles = await q<{ role: string }>(
    'select v.role from exam_schedule_instructors v where v.exam_schedule_id = $1 and v.location_id = $2',
    [exam.a, exam.halls[2]],
  )
  expect(roles).toEqual([{ role: 'reader' }])
  ok(await off(exam.a))
  await q('delete from exam_halls where exam_id = $1 and location_id = any($2)', [
    exam.id,
    [exam.halls[1], exam.halls[2]],
  ])
  expect(codes(await take(exam.a, 0, 0, size.a))).toEqual(['exam_rooms_lacking'])
  for (const [i, seats] of [
    [1, 200],
    [2, 4],
  ] as const)
    await q('insert into exam_halls (exam_id, location_id, seats) values ($1, $2, $3)', [exam.id, exam.halls[i], seats])
})

test('automatic placement keeps the next exam away, holds the halls and gives a room; what is taken holds', async () => {
  ok(await grant({ own_room: true, extra_percent: 25 }))
  const run = ok(await officer('POST', '/exam-schedules/place', { exam_id: exam.id, seconds: 5, weights: {} }))
  await expect
    .poll(async () => ok(await officer('GET', `/exam-schedules/placements/of/${exam.id}`))?.state, { timeout: 60_000 })
    .toBe('proposed')
  const last = ok(await officer('GET', `/exam-schedules/placements/of/${exam.id}`))
  expect([last.cost.broken, last.cost.unplaced]).toEqual([0, 0])
  ok(await officer('POST', `/exam-schedules/placements/take/${run.id}`, {}))
  expect(await q('select * from exams_against_accommodations(array[$1::int])', [exam.id])).toEqual([])
  for (const id of [exam.a, exam.b])
    expect((await halls(id)).filter((hall) => hall.own_room)).toMatchObject([{ seats: 1, extra: 15 }])
}, 90_000)

test('granted after the plan is published: outdated, told to the exam office alone, and held in one step where that can be', async () => {
  ok(await take(exam.a, 0, 0, size.a))
  ok(await take(exam.b, 1, 1, size.b))
  await q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
  expect(await outdated()).toEqual([])
  const granted = ok(await grant({ extra_percent: 10 }))
  expect((await outdated()).map((row) => row.id).toSorted()).toEqual([exam.a, exam.b].toSorted())
  for (const role of ['dean', 'control_head'] as const)
    expect(
      (await (await u.as(role))('POST', '/outdated-decisions', { kind: 'exam_accommodation', perPage: 50 })).body
        ?.data ?? [],
    ).toEqual([])
  // Nothing was moved by that.
  expect((await halls(exam.a)).map((hall) => hall.extra)).toEqual([0])
  const renew = (ids: number[]) => officer('POST', '/outdated-decisions/renew', { kind: 'exam_accommodation', ids })
  const renewed = await renew([exam.a, exam.b])
  expect(renewed.status).toBe(200)
  expect(await halls(exam.a)).toMatchObject([{ extra: 6, until: '07:06' }])
  expect(await outdated()).toEqual([])
  // More than can be held: every reason, and nothing is changed.
  ok(await officer('PUT', `/exam-accommodations/${granted.id}`, { extra_percent: 100 }))
  expect((await outdated()).length).toBe(2)
  const refused = JSON.stringify((await renew([exam.a])).body)
  expect(refused).toContain('exam_students_longer')
  expect(await halls(exam.a)).toMatchObject([{ extra: 6 }])
  // The student’s own list and calendar tell the own end, nobody else’s.
  const { user_id } = await one<{ user_id: number | null }>('select user_id from students where id = $1', [at.student])
  if (user_id !== null) {
    const own = await u.signIn(user_id)
    const mine = ok(await own('GET', `/exam-schedules/${at.student}/student`))
    expect(mine.find((row: { id: number }) => row.id === exam.a).ends).toBe('08:00')
  }
  const office = ok(await officer('GET', `/exam-schedules/${at.student}/student`))
  expect(office.find((row: { id: number }) => row.id === exam.a).ends).toBe('07:00')
  await q(`update exams set status = 'draft', published_at = null where id = $1`, [exam.id])
  expect(codes(await officer('POST', `/exams/publish/${exam.id}`, {}))).toContain('exam_accommodations_lacking')
})

test('a term that is moved takes what was granted along', async () => {
  const made = ok(await grant({ extra_percent: 25, to_term_id: at.term }))
  const covers = async () =>
    (
      await one<{ last: string }>('select (upper(covers) - 1)::text as last from exam_accommodations where id = $1', [
        made.id,
      ])
    ).last
  const before = await covers()
  await q('update terms set end_date = end_date - 1 where id = $1', [at.term])
  expect(await covers()).toBe(addDays(before, -1))
  await q('update terms set end_date = end_date + 1 where id = $1', [at.term])
})

test('seats that an exam reserves are planned with by nobody and handed out to who comes late alone', async () => {
  expect(
    await one(
      'select exam_reserve(60, 5, 0) as share, exam_reserve(60, 5, 4) as number, exam_reserve(1, 50, 9) as least',
      [],
    ),
  ).toEqual({ share: 3, number: 4, least: 0 })
  // So many that two of its students find no seat but those.
  const reserve = 200 - (size.a - 2)
  ok(await officer('PUT', `/exams/${exam.id}`, { reserve_seats: reserve }))
  const board = ok(await officer('POST', '/exam-schedules/board', { exam_id: exam.id }))
  expect(board.halls.find((hall: { code: string }) => hall.code === 'T-1').seats).toBe(size.a - 2)
  ok(await take(exam.a, 0, 0, size.a - 2))
  const seats = async (only_missing: boolean) => {
    const { proposal } = ok(await officer('POST', `/exam-seats/assign/${exam.id}`, { only_missing }))
    ok(await officer('POST', `/exam-seats/take/${proposal.id}`, {}))
    return [proposal.seated, proposal.unseated.map((course: { count: number }) => course.count)]
  }
  expect(await seats(false)).toEqual([size.a - 2, [2]])
  const shown = async () =>
    (
      (await officer('GET', `/exam-seats/${exam.id}`)).body as unknown as { sittings: { reserve: object }[] }
    ).sittings.map((hall) => hall.reserve)
  expect(await shown()).toEqual([{ wanted: reserve, free: reserve }])
  expect(await seats(true)).toEqual([2, []])
  expect(await shown()).toEqual([{ wanted: reserve, free: reserve - 2 }])
  ok(await officer('PUT', `/exams/${exam.id}`, { reserve_seats: 0 }))
})
