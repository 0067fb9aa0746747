import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { placementJob } from './placement/placement.server.ts'
import { readExamPlan } from './placement/problem.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'

describe('on the demo university', () => {
  let u: TestUniversity
  let officer: Caller
  const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await u.database.pool.query(text, values)).rows as Row[]
  const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
  beforeAll(async () => {
    u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
    officer = await u.as('exam_officer')
  }, 540_000)
  afterAll(() => u?.close())

  let exam: any
  /** Schedules of the exam by their offering; `a` and `b` share students, `c` shares none with `a`. */
  const at: Record<string, any> = {}
  const put = (id: number, body: object) => officer('PUT', `/exam-schedules/${id}`, body)
  const seats = (name: string) => [{ location_id: at.hall, seats: at[name].students }]
  const silent = Object.assign(async () => {}, { signal: new AbortController().signal })
  const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]

  it('an exam has days, slots and halls, and covers the offerings of its faculty that have students', async () => {
    const { term_id, faculty_id } = await one<{ term_id: number; faculty_id: number }>(
      `select term_id, faculty_id from exams where code = 'MID-1'`,
    )
    const { id: hall, capacity } = await one<{ id: number; capacity: number }>(
      `select id, capacity from locations where location_type = 'hall' and removed_at is null order by capacity desc limit 1`,
    )
    const { id: other } = await one<{ id: number }>(
      `select id from locations where location_type = 'hall' and id <> $1 and removed_at is null order by capacity desc limit 1`,
      [hall],
    )
    at.hall = hall
    at.other = other
    const slots = (await q<{ id: number }>('select id from exam_slots order by start_time')).map((row) => row.id)
    at.slots = slots
    const body = {
      code: 'T-EX',
      name: 'Exams of a test',
      name_local: 'امتحانات للتجربة',
      term_id,
      faculty_id,
      kind: 'practical',
      days: [{ on_date: '2031-05-04' }, { on_date: '2031-05-05' }],
      times: slots.map((exam_slot_id) => ({ exam_slot_id })),
      halls: [
        { location_id: hall, seats: capacity },
        { location_id: other, seats: 20 },
      ],
    }
    const small = await officer('PUT', '/exams', { ...body, halls: [{ location_id: hall, seats: capacity + 1 }] })
    expect(reasons(small).map((code) => code.split('@')[0])).toEqual(['exam_hall_small'])
    exam = ok(await officer('PUT', '/exams', body))
    const { added } = ok(await officer('POST', `/exams/${exam.id}/cover`, {}))
    expect(added).toBeGreaterThan(10)
    expect(ok(await officer('POST', `/exams/${exam.id}/cover`, {})).added).toBe(0)
    expect(ok(await officer('GET', '/exams/lookups')).kinds).toHaveLength(4)
    // Two that share the most students, so that some are left whatever is done with one of them, and one that shares none with the first.
    const pairs = await q<{ a: number; b: number; c: number }>(
      `with s as (select s.id, array_agg(r.student_id) as students from exam_schedules s join registrations r on r.offering_id = s.offering_id
          and sits_exam(r.status) where s.exam_id = $1 group by s.id having count(*) between 5 and 60)
       select a.id as a, b.id as b, c.id as c from s a join s b on b.id > a.id and a.students && b.students
         join s c on c.id not in (a.id, b.id) and not c.students && a.students
       order by (select count(*) from unnest(a.students) x where x = any(b.students)) desc, a.id, b.id, c.id limit 1`,
      [exam.id],
    )
    for (const name of ['a', 'b', 'c'] as const)
      at[name] = ok(await officer('GET', `/exam-schedules/${pairs[0]![name]}`))
  })

  it('students who would have two exams at once are named, halls are never overfilled', async () => {
    const when = { on_date: '2031-05-04', exam_slot_id: at.slots[0] }
    const full = await put(at.a.id, { ...when, locations: [{ location_id: at.other, seats: 21 }] })
    expect(reasons(full)).toEqual(['exam_hall_over@locations'])
    const placed = ok(await put(at.a.id, { ...when, locations: seats('a') }))
    expect([placed.starts, placed.seats]).toEqual(['09:00', at.a.students])
    const clash = await put(at.b.id, { ...when, locations: seats('b') })
    expect(reasons(clash)).toEqual(['exam_same_time@exam_slot_id'])
    expect(clash.body.errors[0].data.students).toMatch(/\d+ \w+/)
    ok(await put(at.c.id, { ...when, locations: seats('c') }))
    // On the same day, at another time, it is allowed and told.
    const later = ok(await put(at.b.id, { ...when, exam_slot_id: at.slots[1], locations: seats('b') }))
    expect(later.same_day).toBeGreaterThan(0)
  })

  it('a meeting that is made up in a hall closes it then, and its instructors teach; the timetable of the room has it', async () => {
    const day = '2031-05-05'
    const when = { on_date: day, exam_slot_id: at.slots[0] }
    const meeting = await one<{ id: number; offering_id: number; instructor: number; other: number; course: string }>(
      `select s.id, s.offering_id, i.instructor_id as instructor, s.location_id as other, c.code || ' (' || o.code || ')' as course
       from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null join courses c on c.id = o.course_id
         join offering_slot_instructors i on i.offering_slot_id = s.id
         join instructors n on n.id = i.instructor_id and n.faculty_id = (select faculty_id from exams where id = $1)
       where s.term_id = (select term_id from exams where id = $1) and s.day is not null and s.location_id is not null and s.location_id <> $2
         and o.id not in (select offering_id from exam_schedules where id = any($3)) order by s.id limit 1`,
      [exam.id, at.hall, [at.a.id, at.b.id, at.c.id]],
    )
    const [slot] = await q<{ id: number }>(
      `select p.id from slots p, exam_slots x where x.id = $1 and p.start_time < x.end_time and x.start_time < p.end_time order by p.id limit 1`,
      [at.slots[0]],
    )
    const makeUp = async (date: string) => {
      const [row] = await q<{ id: number }>(
        `with gone as (insert into meeting_occurrences (offering_slot_id, offering_id, date, cancelled_at, cancelled_reason)
            values ($1, $2, $3::date - 30, now(), 'Illness') returning id)
         insert into meeting_occurrences (offering_slot_id, offering_id, date, makes_up_id, slot_id, location_id)
         select $1, $2, $3, id, $4, $5 from gone returning id`,
        [meeting.id, meeting.offering_id, date, slot!.id, at.hall],
      )
      return row!.id
    }
    const cancel = (id: number) =>
      q(`update meeting_occurrences set cancelled_at = now(), cancelled_reason = 'Illness' where id = $1`, [id])
    const halls = async () =>
      ok(await officer('POST', '/exam-schedules/get_available_locations', { exam_id: exam.id, ...when })).map(
        (row: any) => row.id,
      )
    expect(await halls()).toContain(at.hall)
    const made = await makeUp(day)
    const refused = await put(at.a.id, { ...when, locations: seats('a') })
    expect([reasons(refused), refused.body.errors[0].data.course]).toEqual([
      ['exam_hall_teaching@locations'],
      meeting.course,
    ])
    expect(await halls()).not.toContain(at.hall)
    const board = ok(await officer('POST', '/exam-schedules/board', { exam_id: exam.id }))
    expect(board.closed_halls).toContainEqual({ location_id: at.hall, ...when })
    const { problem, staffed } = await readExamPlan(u.database.db, exam.id, {})
    const index = problem.slots.findIndex((_, i) => i === 0 + at.slots.length)
    expect(problem.halls.find((hall) => hall.id === at.hall)!.closed).toEqual([index])
    // Who gives it does not invigilate then, and the solver does not ask for it.
    expect(staffed.staff!.find((one) => one.id === meeting.instructor)!.away).toContain(index)
    const invigilating = await put(at.b.id, {
      ...when,
      locations: [{ location_id: at.other, seats: Math.min(20, at.b.students) }],
      instructors: [{ location_id: at.other, instructor_id: meeting.instructor, role: 'invigilator' }],
    })
    expect(reasons(invigilating)).toContain('exam_invigilator_teaching@instructors')
    // Whoever writes past the rules.
    const move = (id: number) =>
      q(`update exam_schedules set on_date = $2, exam_slot_id = $3 where id = $1`, [id, day, at.slots[0]])
    await expect(move(at.a.id)).rejects.toMatchObject({ constraint: 'exam_hall_meeting' })
    await q(`delete from exam_schedule_locations where exam_schedule_id = $1`, [at.b.id])
    await move(at.b.id)
    await expect(
      q(`insert into exam_schedule_locations (exam_schedule_id, location_id, seats) values ($1, $2, 1)`, [
        at.b.id,
        at.hall,
      ]),
    ).rejects.toMatchObject({ constraint: 'exam_hall_meeting' })
    ok(await put(at.b.id, { on_date: '2031-05-04', exam_slot_id: at.slots[1], locations: seats('b') }))
    // The room has it on its day alone, and the meeting that is elsewhere every week no other day.
    const week = async (location: number) =>
      ok(await officer('POST', `/offering-schedules/location/${location}`, { term_id: exam.term.id })).filter(
        (row: any) => row.id === meeting.id,
      )
    expect((await week(at.hall)).map((row: any) => row.places.map((p: any) => [p.current, p.from, p.to]))).toEqual([
      [[false, day, day]],
    ])
    const own = await week(meeting.other)
    expect(own[0].places.every((p: any) => p.location.id === meeting.other)).toBe(true)
    await cancel(made)
    expect(await week(at.hall)).toEqual([])
    expect(await halls()).toContain(at.hall)
    // A plan that nobody sees gives way, and is not published so; into a published one no meeting comes.
    const beside = await makeUp('2031-05-04')
    const publish = await officer('POST', `/exams/publish/${exam.id}`)
    expect(reasons(publish)).toContain('exam_halls_teaching')
    await expect(
      q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id]),
    ).rejects.toMatchObject({
      constraint: 'exam_hall_meeting',
    })
    await cancel(beside)
    await q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
    await expect(
      q(`update meeting_occurrences set cancelled_at = null, cancelled_reason = null where id = $1`, [beside]),
    ).rejects.toMatchObject({ constraint: 'exam_hall_meeting' })
    await q(`update exams set status = 'draft', published_at = null where id = $1`, [exam.id])
  })

  it('of two officers who put exams of the same students at one time, one is refused by the database', async () => {
    const when = { on_date: '2031-05-05', exam_slot_id: at.slots[0] }
    const both = await Promise.all([put(at.a.id, when), put(at.b.id, when)])
    expect(both.map((answer) => answer.status).toSorted()).toEqual([200, 422])
    // Whoever writes past the rules as well.
    const [a] = await q<{ id: number }>(`select id from exam_schedules where id = any($1) and on_date = '2031-05-05'`, [
      [at.a.id, at.b.id],
    ])
    const other = a!.id === at.a.id ? at.b.id : at.a.id
    await expect(
      q(`update exam_schedules set on_date = '2031-05-05', exam_slot_id = $2 where id = $1`, [other, at.slots[0]]),
    ).rejects.toMatchObject({ constraint: 'exam_student_clash' })
    await q(`update exam_schedules set on_date = null, exam_slot_id = null where id = any($1)`, [[at.a.id, at.b.id]])
  })

  it('two who fill a hall at once never overfill it, and nobody invigilates in two halls', async () => {
    const when = ['2031-05-04', at.slots[2]]
    await q(`update exam_schedules set on_date = $2, exam_slot_id = $3 where id = any($1)`, [
      [at.a.id, at.c.id],
      ...when,
    ])
    await q(`delete from exam_schedule_locations where exam_schedule_id = any($1)`, [[at.a.id, at.c.id]])
    const fill = (id: number) =>
      q(
        `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during) values ($1, $2, $3, 15, 'empty')`,
        [id, exam.id, at.other],
      )
    const both = await Promise.allSettled([fill(at.a.id), fill(at.c.id)])
    expect(both.map((one) => one.status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const [first, second] = both[0].status === 'fulfilled' ? [at.a.id, at.c.id] : [at.c.id, at.a.id]
    await q(
      `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during) values ($1, $2, $3, 15, 'empty')`,
      [second, exam.id, at.hall],
    )
    const watch = (id: number, hall: number) =>
      q(
        `insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, during) values ($1, $2, 1, 'empty')`,
        [id, hall],
      )
    await watch(first, at.other)
    await expect(watch(second, at.hall)).rejects.toMatchObject({ constraint: 'exam_invigilator_elsewhere' })
  })

  it('an offering is examined by its own faculty, and not when the exam is closed', async () => {
    const add = (body: object) => officer('POST', '/exam-schedules/put/exam-schedule', { exam_id: exam.id, ...body })
    const { id: strange } = await one<{ id: number }>(
      'select id from offerings where faculty_id <> $1 and term_id = $2 and removed_at is null limit 1',
      [exam.faculty.id, exam.term.id],
    )
    expect(reasons(await add({ offering_id: strange }))).toContain('exam_other_part@offering_id')
    const when = { on_date: '2031-05-05', exam_slot_id: at.slots[0] }
    await q('insert into exam_closures (exam_id, on_date, exam_slot_id) values ($1, $2, $3)', [
      exam.id,
      when.on_date,
      when.exam_slot_id,
    ])
    expect(reasons(await put(at.c.id, when))).toContain('exam_closed_then@exam_slot_id')
    await q('delete from exam_closures where exam_id = $1', [exam.id])
  })

  it('nothing is placed without days, slots and halls, nor where everything is locked', async () => {
    const bare = ok(
      await officer('PUT', '/exams', {
        code: 'T-BARE',
        name: 'Bare',
        name_local: 'خالٍ',
        term_id: exam.term.id,
        faculty_id: exam.faculty.id,
        kind: 'oral',
        days: [{ on_date: '2031-06-04' }],
        times: [{ exam_slot_id: at.slots[0] }],
        halls: [],
      }),
    )
    const place = () => officer('POST', '/exam-schedules/place', { exam_id: bare.id, seconds: 1 })
    expect(codes(await place())).toEqual([422, ['exam_covers_nothing']])
    ok(await officer('POST', `/exams/${bare.id}/cover`, {}))
    expect(reasons(await place())).toEqual(['exam_needs_slots'])
    const repair = (must_move: number[]) => officer('POST', '/exam-schedules/repair', { exam_id: bare.id, must_move })
    expect(codes(await repair([1]))).toEqual([422, ['exam_needs_slots']])
    await q(
      'insert into exam_halls (exam_id, location_id, seats) select $1, id, capacity from locations where id = $2',
      [bare.id, at.hall],
    )
    await q(
      'delete from exam_schedules where exam_id = $1 and id <> (select min(id) from exam_schedules where exam_id = $1)',
      [bare.id],
    )
    await q(
      `update exam_schedules set on_date = '2031-06-04', exam_slot_id = $2, is_locked = true where exam_id = $1`,
      [bare.id, at.slots[0]],
    )
    expect(reasons(await place())).toEqual(['exam_placement_locked'])
    await q('delete from exam_schedules where exam_id = $1', [bare.id])
    await q('delete from exams where id = $1', [bare.id])
  })

  it('what is locked stays, Ramadan moves the times, and what is published is changed by nobody', async () => {
    ok(await put(at.a.id, { is_locked: true }))
    const moved = await put(at.a.id, { exam_slot_id: at.slots[0], locations: [], instructors: [] })
    expect([moved.status, reasons(moved)]).toEqual([409, ['exam_schedule_locked']])
    const registrar = await u.as('registrar')
    ok(await registrar('PUT', '/exam-slots/change-ramadan-time', { is_ramadan: true }))
    await q(`delete from calendar_events where layer = 'ramadan'`)
    const inRamadan = ok(await officer('GET', `/exam-schedules/${at.a.id}`))
    expect([inRamadan.starts, inRamadan.ends]).toEqual(['14:00', '15:30'])
    ok(await registrar('PUT', '/exam-slots/change-ramadan-time', { is_ramadan: false }))
    expect(ok(await officer('GET', `/exam-schedules/${at.a.id}`)).ends).toBe('16:00')
    const early = await officer('POST', `/exams/publish/${exam.id}`, {})
    expect(reasons(early)).toContain('exam_unplaced')
    // What publishing would do is told before it, with the same figures as the refusal and the names behind them.
    const before = ok(await officer('GET', `/exams/publishing/${exam.id}`))
    const { unplaced, people, sittings } = await one<{ unplaced: number; people: number; sittings: number }>(
      `select (select count(*)::int from exam_schedules where exam_id = $1 and during is null and removed_at is null) as unplaced,
         count(distinct r.student_id)::int as people, count(*)::int as sittings
       from exam_schedules s join registrations r on r.offering_id = s.offering_id and sits_exam(r.status)
       where s.exam_id = $1 and s.removed_at is null`,
      [exam.id],
    )
    expect(before.totals.unplaced).toBe(unplaced)
    expect(early.body.errors.find((row: any) => row.code === 'exam_unplaced').data.count).toBe(unplaced)
    expect(before.unplaced).toHaveLength(Math.min(12, unplaced))
    expect([before.students, before.sittings, before.exams - before.placed]).toEqual([people, sittings, unplaced])
    expect(people).toBeLessThan(sittings)
    expect(before.invigilators.lacking).toBeLessThanOrEqual(before.invigilators.needed)
    expect(before.told.students).toBeLessThanOrEqual(people)
    const stranger = await u.as('exam_officer', [
      'faculty',
      (await one<{ id: number }>(
        `select id from faculties where id <> (select faculty_id from exams where id = $1) limit 1`,
        [exam.id],
      ))!.id,
    ])
    expect((await stranger('GET', `/exams/publishing/${exam.id}`)).status).toBe(404)
    expect((await (await u.as('student'))('GET', `/exams/publishing/${exam.id}`)).status).toBe(403)
    const [mid] = await q<{ id: number; schedule: number }>(
      `select e.id, min(s.id) as schedule from exams e join exam_schedules s on s.exam_id = e.id and not s.is_locked where e.code = 'MID-1' group by e.id`,
    )
    const late = await put(mid!.schedule, { on_date: null, exam_slot_id: null })
    expect(reasons(late)).toContain('exam_published')
    // Nor is anything added to it, or placed.
    const { id: offering_id } = await one<{ id: number }>(
      `select o.id from offerings o join exams e on e.id = $1 and o.term_id = e.term_id
       where o.removed_at is null and o.id not in (select offering_id from exam_schedules where exam_id = e.id) limit 1`,
      [mid!.id],
    )
    expect(codes(await officer('POST', `/exams/${mid!.id}/cover`, { offering_ids: [] }))).toEqual([
      409,
      ['exam_published'],
    ])
    expect(codes(await officer('PUT', '/exam-schedules', { exam_id: mid!.id, offering_id }))).toEqual([
      422,
      ['exam_published@exam_id'],
    ])
    expect(codes(await officer('POST', '/exam-schedules/place', { exam_id: mid!.id, seconds: 1 }))).toEqual([
      409,
      ['exam_published'],
    ])
    expect(codes(await officer('POST', '/exam-schedules/place', { exam_id: 99_999_999, seconds: 1 }))).toEqual([
      404,
      ['not_found'],
    ])
    expect(await q('select from exam_placements where exam_id = $1', [mid!.id])).toEqual([])
  })

  it('are listed by student, instructor, hall and offering; students see what is published', async () => {
    const { student_id, user_id, schedule_id, location_id } = await one<Record<string, number>>(
      `select s.id as student_id, s.user_id, x.id as schedule_id, l.location_id from exam_schedules x join exams e on e.id = x.exam_id and e.code = 'MID-1'
         join registrations r on r.offering_id = x.offering_id and sits_exam(r.status) join students s on s.id = r.student_id and s.user_id is not null
         join exam_schedule_locations l on l.exam_schedule_id = x.id order by x.id, s.id limit 1`,
    )
    const student = await u.signIn(user_id!)
    const own = ok(await student('GET', `/exam-schedules/${student_id}/student`))
    expect(own.map((row: any) => row.id)).toContain(schedule_id)
    expect(own.every((row: any) => row.exam.status === 'published')).toBe(true)
    expect((await student('GET', `/exam-schedules/${student_id! + 1}/student`)).status).toBe(404)
    // Who may add changes nothing, who may change adds nothing.
    const [adds, edits] = [await u.as(null), await u.as(null)]
    await q(
      `insert into user_permissions (user_id, permission) values ($1, 'add_examSchedule'), ($2, 'edit_examSchedule')`,
      [adds.user_id, edits.user_id],
    )
    const [adding, editing] = [await u.signIn(adds.user_id), await u.signIn(edits.user_id)]
    const save = (who: Caller, body: object) => who('POST', '/exam-schedules/put/exam-schedule', body)
    expect(reasons(await save(adding, { id: schedule_id, duration: 60 }))).toEqual(['not_allowed'])
    expect(reasons(await save(editing, { exam_id: exam.id, offering_id: at.a.offering_id }))).toEqual(['not_allowed'])
    // Who invigilates is told the own hall among those of the exam.
    const duty = await one<any>(
      `select i.user_id, v.exam_schedule_id, v.location_id, v.role from exam_schedule_instructors v join exam_schedules x on x.id = v.exam_schedule_id
         join exams e on e.id = x.exam_id and e.status = 'published' join instructors i on i.id = v.instructor_id
         join exam_schedule_locations l on l.exam_schedule_id = x.id and l.location_id <> v.location_id
       where i.user_id is not null order by v.id limit 1`,
    )
    // Whatever office somebody holds who invigilates.
    const unseen = await q(
      `select distinct u.email from exam_schedule_instructors v join instructors i on i.id = v.instructor_id join users u on u.id = i.user_id
       where not exists (select from role_assignments a join role_permissions p on p.role_id = a.role_id and p.permission = 'show_my_schedule'
         where a.user_id = i.user_id)`,
    )
    expect(unseen).toEqual([])
    const [vice] = await q<{ id: number; instructor_id: number }>(
      `select u.id, i.id as instructor_id from users u join instructors i on i.user_id = u.id where u.email like 'vice.president@%'`,
    )
    const holder = await u.signIn(vice!.id)
    expect(ok(await holder('POST', '/exam-schedules/instructor', {})).length).toBe(
      (
        await one<{ n: number }>(
          `select count(distinct x.id)::int as n from exam_schedule_instructors v join exam_schedules x on x.id = v.exam_schedule_id
             join exams e on e.id = x.exam_id and e.status = 'published' where v.instructor_id = $1 and x.removed_at is null`,
          [vice!.instructor_id],
        )
      ).n,
    )
    const invigilator = await u.signIn(duty.user_id)
    const watched = ok(await invigilator('POST', '/exam-schedules/instructor', {}))
    expect(watched.find((row: any) => row.id === duty.exam_schedule_id).duty).toEqual({
      location_id: duty.location_id,
      role: duty.role,
    })
    expect(own.every((row: any) => row.duty === null)).toBe(true)
    // Planned anew: nobody but who plans it sees it, and who saw it is told; published again, likewise.
    const { exam: mid } = own.find((row: any) => row.id === schedule_id)
    ok(await officer('POST', `/exams/reopen/${mid.id}`, { reason: 'A hall is lost' }))
    const left = ok(await student('GET', `/exam-schedules/${student_id}/student`))
    expect(left.map((row: any) => row.exam.id)).not.toContain(mid.id)
    expect((await student('POST', `/exams/publish/${mid.id}`, {})).status).toBe(403)
    ok(await officer('POST', `/exams/publish/${mid.id}`, {}))
    expect(
      await q(`select key, link from notifications where user_id = $1 and key like 'exams.%' order by id`, [user_id]),
    ).toEqual([
      { key: 'exams.notice_reopened', link: '/my_exams' },
      { key: 'exams.notice_published', link: '/my_exams' },
    ])
    expect(ok(await officer('POST', `/exam-schedules/location/${location_id}`, {})).length).toBeGreaterThan(0)
    expect(
      ok(await officer('POST', `/exam-schedules/get_students_registrations/${schedule_id}`, {})).length,
    ).toBeGreaterThan(0)
    // The rules of registration see the published exams of what the student takes, and of what he or she asks for.
    const { gatherRequest: gather } = await import('#areas/enrolment/registration/requests/gather.server.ts')
    const [asked] = await q<{ offering_id: number; exams: number }>(
      `select offering_id, count(*)::int as exams from exam_schedules x join exams e on e.id = x.exam_id and e.status = 'published'
       where not exists (select from registrations r where r.offering_id = x.offering_id and r.student_id = $1)
       group by offering_id order by offering_id limit 1`,
      [student_id],
    )
    const gathered = await gather(u.database.pool, student_id!, [asked!.offering_id])
    expect(gathered!.exams.get(asked!.offering_id)).toHaveLength(asked!.exams)
    expect(gathered!.exams.size).toBeGreaterThan(1)
  })

  /** The last run of the exam, once it is over. */
  const ended = async (of: number = exam.id): Promise<any> => {
    for (let i = 0; i < 400; i++) {
      const run = ok(await officer('GET', `/exam-schedules/placements/of/${of}`))
      if (run.state !== 'running') return run
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new Error('the run does not end')
  }
  const repair = async (must_move: number[] = []): Promise<any> => {
    const begun = ok(await officer('POST', '/exam-schedules/repair', { exam_id: exam.id, must_move }))
    expect([begun.kind, begun.state]).toEqual(['repair', 'running'])
    return await ended()
  }
  const takeRun = (run: any, body: object = {}) => officer('POST', `/exam-schedules/placements/take/${run.id}`, body)

  it('are placed automatically: watched, compared, taken as a whole; locked ones stay; a change meanwhile is told', async () => {
    await q(
      `update exam_halls set seats = (select capacity from locations l where l.id = location_id) where exam_id = $1`,
      [exam.id],
    )
    await q(
      `insert into exam_halls (exam_id, location_id, seats) select $1, id, capacity from locations where location_type in ('hall', 'room')
       and id <> all($2::int[]) order by capacity desc limit 8`,
      [exam.id, [at.hall, at.other]],
    )
    await q(`insert into exam_days (exam_id, on_date) select $1, date '2031-05-06' + n from generate_series(0, 6) n`, [
      exam.id,
    ])
    const locked = await one<{ on_date: string; exam_slot_id: number }>(
      `select on_date, exam_slot_id from exam_schedules where id = $1`,
      [at.a.id],
    )
    const begun = ok(await officer('POST', '/exam-schedules/place', { exam_id: exam.id, seconds: 2 }))
    expect(begun.state).toBe('running')
    expect(reasons(await officer('POST', '/exam-schedules/place', { exam_id: exam.id }))).toEqual([
      'exam_placement_runs',
    ])
    ok(await officer('POST', `/exam-schedules/placements/stop/${begun.id}`))
    const proposed = await ended()
    expect([proposed.state, proposed.cost.broken, proposed.reasons]).toEqual(['proposed', 0, []])
    expect(proposed.changes.length).toBeGreaterThan(5)
    // Another officer moves one meanwhile: told with the name, and nothing is overwritten.
    const colleague = await u.as('exam_officer', undefined, { name: 'Mona' })
    ok(await colleague('PUT', `/exam-schedules/${at.c.id}`, { on_date: null, exam_slot_id: null, locations: [] }))
    const refused = await takeRun(begun)
    expect([refused.status, reasons(refused)]).toEqual([409, ['exam_plan_moved']])
    expect(refused.body.errors[0].data).toMatchObject({ by: 'Mona', count: 1 })
    ok(await officer('POST', `/exam-schedules/placements/discard/${begun.id}`))
    const again = ok(await officer('POST', '/exam-schedules/place', { exam_id: exam.id, seconds: 2 }))
    // A student who registers while it looks, and one who leaves, are in the plan.
    const newcomer = await one<{ id: number; term_id: number; course_id: number; bylaw: number; student_id: number }>(
      `select r.* from registrations r where r.offering_id = $1 and sits_exam(r.status) limit 1`,
      [at.b.offering.id],
    )
    const gone = `update registrations set status = (select status from registrations where not sits_exam(status) limit 1) where id = $1`
    await q(gone, [newcomer.id])
    const proposal = await ended()
    expect([proposal.state, proposal.cost.broken]).toEqual(['proposed', 0])
    ok(await takeRun(again))
    expect(reasons(await takeRun(again))).toEqual(['exam_placement_over'])
    for (const word of ['stop', 'discard'])
      expect(codes(await officer('POST', `/exam-schedules/placements/${word}/${again.id}`, {})), word).toEqual([
        409,
        ['exam_placement_over'],
      ])
    const stray = await officer('POST', '/exam-schedules/repair', { exam_id: exam.id, must_move: [99_999_999] })
    expect(codes(stray)).toEqual([422, ['not_found@must_move']])
    expect(
      await one(`select count(*)::int from exam_schedules where exam_id = $1 and during is null`, [exam.id]),
    ).toEqual({ count: 0 })
    expect(await q(`select 1 from exam_clashes where exam_id = $1`, [exam.id])).toEqual([])
    expect(await one(`select on_date, exam_slot_id from exam_schedules where id = $1`, [at.a.id])).toEqual(locked)
    expect(ok(await officer('GET', `/exam-schedules/${at.b.id}`)).seats).toBe(at.b.students - 1)
  })

  it('exams of the same students lie on different days where days are free', async () => {
    const { term_id, faculty_id } = await one<any>('select term_id, faculty_id from exams where id = $1', [exam.id])
    const { id } = ok(
      await officer('PUT', '/exams', {
        code: 'T-DAYS',
        name: 'Two on two days',
        name_local: 'يومان',
        term_id,
        faculty_id,
        kind: 'oral',
        days: [{ on_date: '2031-06-01' }, { on_date: '2031-06-02' }],
        times: at.slots.map((exam_slot_id: number) => ({ exam_slot_id })),
        halls: [{ location_id: at.hall, seats: at.a.students + at.b.students }],
      }),
    )
    ok(await officer('POST', `/exams/${id}/cover`, { offering_ids: [at.a.offering.id, at.b.offering.id] }))
    const begun = ok(await officer('POST', '/exam-schedules/place', { exam_id: id, seconds: 1 }))
    const proposed = await ended(id)
    expect([proposed.state, proposed.cost.unplaced, proposed.cost.parts.twoInRow]).toEqual(['proposed', 0, 0])
    ok(await takeRun(begun))
    expect(await q('select on_date::text from exam_schedules where exam_id = $1 order by 1', [id])).toEqual([
      { on_date: '2031-06-01' },
      { on_date: '2031-06-02' },
    ])
  })

  it('are repaired: one that must move, a hall that is lost, a student who comes late move few others', async () => {
    const mended = await repair([at.b.id])
    expect([mended.state, mended.cost.broken]).toEqual(['proposed', 0])
    expect(mended.changes.map((row: any) => row.id)).toContain(at.b.id)
    expect(mended.changes.length).toBeLessThanOrEqual(5)
    expect(
      reasons(await officer('POST', '/exam-schedules/repair', { exam_id: exam.id, must_move: [at.a.id] })),
    ).toEqual(['exam_schedule_locked'])
    ok(await takeRun(mended))
    // Who is registered into the plan after it was made gets a seat when it is taken, where its hall has one.
    const { schedule, hall } = await one<{ schedule: number; hall: number }>(
      `select l.exam_schedule_id as schedule, l.location_id as hall from exam_schedule_locations l join exam_schedules s on s.id = l.exam_schedule_id
       where l.exam_id = $1 and not s.is_locked group by 1, 2 order by max(l.seats) desc limit 1`,
      [exam.id],
    )
    const halls = ok(await officer('GET', `/exams/${exam.id}`))
    const lost = { closures: [{ location_id: hall }] }
    expect(
      reasons(
        await officer('PUT', `/exams/${exam.id}`, {
          halls: halls.halls
            .filter((row: any) => row.location.id !== hall)
            .map(({ location, ...row }: any) => ({ ...row, location_id: location.id })),
        }),
      ),
    ).toEqual(['exam_hall_used@halls'])
    expect(reasons(await officer('PUT', `/exams/${exam.id}`, { closures: [{ exam_slot_id: at.slots[0] }] }))).toEqual([
      'exam_closures_every_day',
    ])
    ok(await officer('PUT', `/exams/${exam.id}`, lost))
    const into = ok(await officer('GET', `/exam-schedules/${schedule}`))
    expect(
      reasons(
        await put(schedule, {
          on_date: into.on_date,
          exam_slot_id: into.exam_slot.id === at.slots[0] ? at.slots[1] : at.slots[0],
        }),
      ),
    ).toContain('exam_hall_closed@locations')
    const without = await repair()
    expect([without.state, without.cost.broken]).toEqual(['proposed', 0])
    expect(without.changes.length).toBeLessThanOrEqual(5)
    ok(await takeRun(without))
    expect(
      await q(`select 1 from exam_schedule_locations where exam_id = $1 and location_id = $2`, [exam.id, hall]),
    ).toEqual([])
  })

  it('have as many invigilators as there are; who is free goes along when one is moved by hand', async () => {
    const before = ok(await officer('GET', `/exam-schedules/invigilators/${exam.id}`))
    const after = ok(await officer('POST', `/exam-schedules/invigilators/assign/${exam.id}`, {}))
    expect(after.people.length).toBe(before.people.length)
    const lacking = (load: any) => load.lacking.reduce((sum: number, row: any) => sum + row.lacking, 0)
    expect(lacking(after)).toBeLessThanOrEqual(lacking(before))
    const duties = after.people.map((row: any) => row.duties)
    expect(duties[0]).toBeGreaterThan(0)
    expect(duties[0]).toBe(Math.max(...duties))
    // Nobody twice at a time, nobody beside the own exam.
    expect(
      await q(
        `select 1 from exam_schedule_instructors a join exam_schedule_instructors b on b.instructor_id = a.instructor_id
           and b.during && a.during and b.location_id <> a.location_id`,
      ),
    ).toEqual([])
    const mine = await one<{ id: number; version: number; on_date: string; exam_slot_id: number; people: number[] }>(
      `select s.id, s.version, s.on_date, s.exam_slot_id, array_agg(v.instructor_id order by v.instructor_id) as people from exam_schedules s
         join exam_schedule_instructors v on v.exam_schedule_id = s.id where s.exam_id = $1 and not s.is_locked group by s.id order by s.id limit 1`,
      [exam.id],
    )
    const [person] = mine.people
    const locations = await q<{ location_id: number; seats: number }>(
      `select location_id, seats from exam_schedule_locations where exam_schedule_id = $1`,
      [mine.id],
    )
    // To a day on which nothing is held: whoever invigilates is free there.
    await q(`insert into exam_days (exam_id, on_date) values ($1, '2031-05-20')`, [exam.id])
    const saved = await officer('POST', '/exam-schedules/put/exam-schedule', {
      id: mine.id,
      version: mine.version,
      on_date: '2031-05-20',
      exam_slot_id: at.slots[0],
      locations,
    })
    expect(ok(saved).instructors.map((row: any) => row.instructor.id)).toContain(person)
    expect(saved.body.warnings.filter((row: any) => row.code === 'exam_invigilators_released')).toEqual([])
    // Back, on a day on which one of them is away: released, and told.
    await q(`insert into exam_closures (exam_id, on_date, instructor_id) values ($1, $2, $3)`, [
      exam.id,
      mine.on_date,
      person,
    ])
    const back = await officer('POST', '/exam-schedules/put/exam-schedule', {
      id: mine.id,
      on_date: mine.on_date,
      exam_slot_id: mine.exam_slot_id,
      locations,
    })
    expect(ok(back).instructors.map((row: any) => row.instructor.id)).not.toContain(person)
    expect(back.body.warnings.map((row: any) => row.code)).toContain('exam_invigilators_released')
    expect((await u.nobody('GET', `/exam-schedules/invigilators/${exam.id}`)).status).toBe(401)
  })

  it('a run ends with its job, however that ends, and another can begin', async () => {
    const run = ok(await officer('POST', '/exam-schedules/place', { exam_id: exam.id, seconds: 60 }))
    await q(`update jobs set state = 'failed' where id = $1`, [run.job_id])
    expect((await ended()).state).toBe('failed')
    // One that failed is not begun again.
    const again = placementJob.run(asSystem(u.services, 'test'), { id: run.id }, silent)
    await expect(again).rejects.toMatchObject({ status: 409, reasons: [{ code: 'exam_placement_over' }] })
    const next = ok(await officer('POST', '/exam-schedules/place', { exam_id: exam.id, seconds: 60 }))
    ok(await officer('POST', `/jobs/${next.job_id}/cancel`))
    expect((await ended()).state).toBe('discarded')
  })

  it('with more exams in common than slots there is no plan, and the exams are named', async () => {
    await q(`update exam_schedules set on_date = null, exam_slot_id = null, is_locked = false where exam_id = $1`, [
      exam.id,
    ])
    await q(`delete from exam_days where exam_id = $1 and on_date > '2031-05-04'`, [exam.id])
    await q(`delete from exam_times where exam_id = $1 and exam_slot_id <> $2`, [exam.id, at.slots[0]])
    const run = await repair()
    expect(run.cost.unplaced).toBeGreaterThan(0)
    expect(run.reasons.map((one: any) => one.code)).toContain('exam_why_too_few_slots')
    // What has no place is told before it is taken, and stays without one for who knows it.
    expect(reasons(await takeRun(run))).toEqual(['exam_plan_incomplete'])
    ok(await takeRun(run, { incomplete: true }))
  })

  it('that were held, of which absences are recorded, are not planned anew', async () => {
    await q(`update exam_schedules set on_date = null, exam_slot_id = null where exam_id = $1 and id <> $2`, [
      exam.id,
      at.c.id,
    ])
    await q(`update exam_schedules set removed_at = now() where exam_id = $1 and id <> $2`, [exam.id, at.c.id])
    await q(`insert into exam_days (exam_id, on_date) values ($1, '2020-05-03')`, [exam.id])
    await q(`update exam_schedules set on_date = '2020-05-03', exam_slot_id = $2 where id = $1`, [at.c.id, at.slots[0]])
    await q(
      `insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during)
       select $1::int, $2::int, $3::int, count(*), 'empty' from registrations r where r.offering_id = $4 and sits_exam(r.status)`,
      [at.c.id, exam.id, at.other, at.c.offering.id],
    )
    await q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
    // By mistake in the past: nothing was written down, so it is mended.
    ok(await officer('POST', `/exams/reopen/${exam.id}`, { reason: 'the wrong year' }))
    await q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
    const absent = (state: string) =>
      q(
        `insert into exam_absences (exam_schedule_id, registration_id, status) select $1::int, r.id, $3 from registrations r
         where r.offering_id = $2 and sits_exam(r.status) order by r.id offset $4 limit 1`,
        [at.c.id, at.c.offering.id, state, state === 'cancelled' ? 1 : 0],
      )
    await absent('cancelled')
    ok(await officer('POST', `/exams/reopen/${exam.id}`, { reason: 'cancelled absences hold nothing' }))
    await q(`update exams set status = 'published', published_at = now() where id = $1`, [exam.id])
    await absent('recorded')
    const refused = await officer('POST', `/exams/reopen/${exam.id}`, { reason: 'too late' })
    expect([refused.status, reasons(refused)]).toEqual([409, ['exam_has_absences', 'exam_is_over']])
    // While something lies ahead it can be planned anew; what was held stays, whoever writes.
    await q(`update exams set status = 'draft', published_at = null where id = $1`, [exam.id])
    await expect(
      q(`update exam_schedules set on_date = null, exam_slot_id = null where id = $1`, [at.c.id]),
    ).rejects.toMatchObject({ constraint: 'exam_schedule_held' })
  })
})
