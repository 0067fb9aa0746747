import { followRecords } from '#areas/records/grading/terms/record.server.ts'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { changedSeats, readApplicants } from './distribution/inputs.server.ts'
import { createLog } from '#kit/server/base/log.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { openUniversity } from '../../../apps/server/assemble.ts'

/** On the demo university: window 1 confirmed, 2 distributed, 3 closed, 4 open, 5 planned. */
let u: TestUniversity
let registrar: Caller
let dean: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), work: true })
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', 1])
}, 540_000)
afterAll(() => u?.close())

/** Students with wishes in a window, the one with the best right first. */
const wishers = (window: number) =>
  q<{ id: number; user_id: number; code: string; choices: number[] }>(
    `select s.id, s.user_id, s.code, p.choices from specialization_preferences p join students s on s.id = p.student_id
     where p.specialization_time_id = $1 order by s.gpa desc nulls last, s.passed_hours desc, s.code`,
    [window],
  )
/** So many more who stand where this student does, each a person of its own. */
const clones = (count: number, id: number) =>
  q(
    `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, gpa, passed_hours, entry_term_id)
     select 'CLONE' || n, name, name_local, faculty_id, program_id, bylaw_id, level, gpa, passed_hours, entry_term_id
     from students, generate_series(1, $1) n where id = $2`,
    [count, id],
  )
const programOf = async (id: number) =>
  (await one<{ program_id: number }>('select program_id from students where id = $1', [id])).program_id

it('what a window offers is another than it was where a program came or went', () => {
  const seat = {
    specialization_id: 1,
    capacity: 5,
    general_program_id: 1,
    program_id: 2,
    min_gpa: null,
    min_passed_hours: null,
    courses: [],
    name: 'Robotics',
    name_local: 'روبوتات',
  } as unknown as Parameters<typeof changedSeats>[0][number]
  const other = { ...seat, specialization_id: 2, name: 'Networks' }
  const found = (before: (typeof seat)[], now: (typeof seat)[]) =>
    changedSeats(before, now).map(({ code, data }) => `${code} ${String(data!.specialization)}`)
  expect(found([seat], [seat])).toEqual([])
  expect(found([seat], [seat, other])).toEqual(['specialization_changed_offer Networks'])
  expect(found([seat, other], [seat])).toEqual(['specialization_changed_offer Networks'])
  expect(found([seat], [{ ...seat, capacity: 4 }])).toEqual(['specialization_changed_places Robotics'])
  expect(found([seat], [{ ...seat, program_id: 3 }])).toEqual(['specialization_changed_conditions Robotics'])
})

describe('wishes', () => {
  it('are saved as one list in the own order, and shown with what they ask for', async () => {
    const [mine] = await wishers(4)
    const student = await u.signIn(mine!.user_id)
    const seen = ok(await student('GET', '/specialization-time/preferences'))
    const window = seen.windows.find((w: any) => w.id === 4)
    expect(window).toMatchObject({ state: 'open', wishes: mine!.choices, closed: [], result: null })
    expect(window.offers.map((o: any) => o.specialization.id)).toEqual([1, 2, 3])
    const wanted = [3, 1]
    const saved = ok(
      await student('PUT', '/specialization-time/preferences/4', {
        specialization_ids: wanted,
        version: window.version,
      }),
    )
    expect(saved.wishes).toEqual(wanted)
    // Another tab saw the list before.
    const stale = await student('PUT', '/specialization-time/preferences/4', {
      specialization_ids: [1],
      version: window.version,
    })
    expect([stale.status, reasons(stale)]).toEqual([409, ['changed_meanwhile']])
  })

  it('are refused outside the window, for what is not offered, twice and too many, with every reason', async () => {
    const [mine] = await wishers(3)
    const student = await u.signIn(mine!.user_id)
    const over = await student('PUT', '/specialization-time/preferences/3', { specialization_ids: [1, 1, 77] })
    expect([over.status, reasons(over)]).toEqual([
      409,
      [
        'specialization_not_offered@specialization_ids.2',
        'specialization_over',
        'specialization_wish_twice@specialization_ids.1',
      ],
    ])
    const early = await student('PUT', '/specialization-time/preferences/5', { specialization_ids: [1] })
    expect([early.status, reasons(early)]).toEqual([409, ['specialization_not_yet']])
    const many = await student('PUT', '/specialization-time/preferences/4', { specialization_ids: [1, 2, 3, 1] })
    expect([many.status, reasons(many)]).toEqual([
      422,
      ['specialization_too_many@specialization_ids', 'specialization_wish_twice@specialization_ids.3'],
    ])
  })

  it('ask for courses that were passed here or credited, with the grade they were credited with', async () => {
    const [mine] = await wishers(4)
    const student = await u.signIn(mine!.user_id)
    const course = await one<{ id: number }>(
      `insert into courses (code, name, name_local, faculty_id, credit_hours) values ('CRD1', 'Credited', 'محتسب', 1, 3) returning id`,
    )
    const asked = await one<{ id: number }>(
      `insert into specialization_courses (specialization_id, course_id, min_letter, position) values (1, $1, 'B', 99) returning id`,
      [course.id],
    )
    const lacks = async () => {
      const window = ok(await student('GET', '/specialization-time/preferences')).windows.find((w: any) => w.id === 4)
      const offer = window.offers.find((o: any) => o.specialization.id === 1)
      const met = (await readApplicants(u.database.db, 4)).find((a) => a.student_id === mine!.id)!.met
      return [offer.unmet.some((p: any) => JSON.stringify(p.data).includes('CRD1')), met.includes(asked.id)]
    }
    expect(await lacks()).toEqual([true, false])
    const transfer = await one<{ id: number }>(
      `with u as (insert into universities_list (code, name, name_local) values ('ELSE', 'A university', 'جامعة ما') returning id)
       insert into external_transfers (student_id, program_id, term_id, kind, university_id, status)
       select $1, $2, (select min(id) from terms), 'external', u.id, 'executed' from u returning id`,
      [mine!.id, await programOf(mine!.id)],
    )
    const line = await one<{ id: number }>(
      `insert into equivalences (external_transfer_id, position, source_code, source_name, source_hours, source_key, state)
       values ($1, 0, 'X', 'X', 3, 'x', 'none') returning id`,
      [transfer.id],
    )
    await q(
      `insert into course_credits (student_id, equivalence_id, course_id, term_id, credit_hours, letter, points, counts_in_gpa)
       values ($1, $2, $3, (select min(id) from terms), 3, 'D', 1, true)`,
      [mine!.id, line.id, course.id],
    )
    expect(await lacks()).toEqual([true, false])
    await q(`update course_credits set letter = 'A', points = 4 where course_id = $1`, [course.id])
    // What is credited otherwise changes the terms after it: they are computed again.
    await u.database.db.transaction().execute((tx) => followRecords(null, tx, [mine!.id]))
    expect(await lacks()).toEqual([false, true])
    await q('delete from specialization_courses where id = $1', [asked.id])
    await q('delete from course_credits where course_id = $1', [course.id])
  })

  it('are nobody else’s: not another student’s, not of who is in no general program', async () => {
    const [mine, other] = await wishers(4)
    const student = await u.signIn(mine!.user_id)
    const foreign = await student('PUT', '/specialization-time/preferences/4', {
      specialization_ids: [1],
      student_id: other!.id,
    })
    expect(foreign.status).toBe(404)
    expect((await student('GET', `/specialization-time/preferences?student_id=${other!.id}`)).status).toBe(404)
    expect((await student('GET', `/specialization/student-specializations/${other!.id}`)).status).toBe(404)
    const stranger = await one<{ user_id: number }>(
      `select user_id from students where program_id = (select program_id from specializations where id = 1) and user_id is not null limit 1`,
    )
    const outside = await (
      await u.signIn(stranger.user_id)
    )('PUT', '/specialization-time/preferences/4', {
      specialization_ids: [1],
    })
    expect([outside.status, reasons(outside)]).toEqual([409, ['specialization_other_program']])
    const commerce = await u.as('faculty_registrar', ['faculty', 2])
    for (const [method, path] of [
      ['GET', '/specialization-time/distribution/4'],
      ['GET', '/specialization-time/4'],
      ['POST', '/specialization-time/distribute/3'],
      ['GET', `/specialization/student-specializations/${mine!.id}`],
    ] as const)
      expect([path, (await commerce(method, path, method === 'POST' ? {} : undefined)).status]).toEqual([path, 404])
    expect(ok(await commerce('POST', '/specialization/students', {}))).toEqual([])
  })

  it('the database itself refuses a list with what the window does not offer', async () => {
    await expect(
      q('update specialization_preferences set choices = array[1, 1] where specialization_time_id = 4'),
    ).rejects.toThrow('not offered')
    await expect(
      q('update specialization_preferences set choices = array[1] where specialization_time_id = 1'),
    ).rejects.toThrow('specialization_confirmed')
    await expect(
      q('delete from specialization_seats where specialization_time_id = 4 and specialization_id = 1'),
    ).rejects.toThrow('specialization_wanted')
  })
})

describe('a window', () => {
  it('is not distributed before its end, nor without places, and says where it stands', async () => {
    const open = await registrar('POST', '/specialization-time/distribute/4', {})
    expect([open.status, open.body.errors[0]]).toMatchObject([
      409,
      { code: 'specialization_before_end', en: 'Cannot distribute before the end date', data: { state: 'Open' } },
    ])
    const before = await q('select id, capacity from specialization_seats where specialization_time_id = 3')
    await q('update specialization_seats set capacity = 0 where specialization_time_id = 3')
    const empty = await registrar('POST', '/specialization-time/distribute/3', {})
    expect([empty.status, reasons(empty)]).toEqual([409, ['specialization_no_capacity']])
    for (const { id, capacity } of before as { id: number; capacity: number }[])
      await q('update specialization_seats set capacity = $2 where id = $1', [id, capacity])
    const wishes = await q<{ id: number; choices: number[] }>(
      `update specialization_preferences n set choices = '{}' from specialization_preferences o
       where o.id = n.id and n.specialization_time_id = 3 returning o.id, o.choices`,
    )
    const nobody = await registrar('POST', '/specialization-time/distribute/3', {})
    expect([nobody.status, reasons(nobody)]).toEqual([409, ['specialization_no_applicants']])
    for (const { id, choices } of wishes)
      await q('update specialization_preferences set choices = $2 where id = $1', [id, choices])
    // Nor does one go in which somebody has wished for something.
    expect(reasons(await registrar('DELETE', '/specialization-time/4'))).toEqual(['specialization_has_wishes'])
  })

  it('begins with all specialisations of its bylaw, and two of one bylaw do not overlap', async () => {
    const { bylaw_id } = await one<{ bylaw_id: number }>('select bylaw_id from specialization_times where id = 4')
    const made = ok(
      await registrar('PUT', '/specialization-time', { bylaw_id, start_date: '2031-01-01', end_date: '2031-01-09' }),
    )
    expect(made.seats.map((s: any) => s.specialization_id)).toEqual([2, 3, 1])
    expect([made.state, made.tie_rule, made.max_preferences]).toEqual(['planned', 'code', 15])
    const again = await registrar('PUT', '/specialization-time', {
      bylaw_id,
      start_date: '2031-01-05',
      end_date: '2031-02-01',
    })
    expect([again.status, reasons(again)]).toEqual([422, ['specialization_times_overlap@start_date']])
    const turned = await registrar('PUT', `/specialization-time/${made.id}`, { end_date: '2030-12-31' })
    expect([turned.status, reasons(turned)]).toEqual([422, ['specialization_times_order@end_date']])
    const other = await one<{ id: number }>('select id from specializations where bylaw_id <> $1 limit 1', [bylaw_id])
    const strange = await registrar('PUT', `/specialization-time/${made.id}`, {
      seats: [{ specialization_id: other.id, capacity: 1 }],
    })
    expect([strange.status, reasons(strange)]).toEqual([
      422,
      ['specialization_seat_other_bylaw@seats.0.specialization_id'],
    ])
    expect(ok(await registrar('GET', `/specialization-time/preview/${bylaw_id}`)).id).toBe(4)
    expect(ok(await registrar('GET', '/specialization-time/lookups')).specializations).toHaveLength(5)
    ok(await registrar('DELETE', `/specialization-time/${made.id}`))
  })

  it('shows places and wishes before, cut-offs and who moved after', async () => {
    const before = ok(await registrar('GET', '/specialization-time/distribution/3'))
    expect(before).toMatchObject({ state: 'closed', run: null, moved: null, with_wishes: 12 })
    expect(before.seats.reduce((sum: number, s: any) => sum + s.first, 0)).toBe(12)
    ok(await registrar('POST', '/specialization-time/distribute/3', {}))
    const longer = await registrar('PUT', '/specialization-time/3', { end_date: '2031-01-01' })
    expect([longer.status, reasons(longer)]).toEqual([422, ['specialization_days_over@end_date']])
    const after = ok(await registrar('GET', '/specialization-time/distribution/3'))
    expect(after).toMatchObject({ state: 'distributed', moved: null, run: { number: 1, applicants: 12 } })
    for (const seat of after.seats) expect(seat.given).toBeLessThanOrEqual(seat.capacity)
    const full = after.seats.find((s: any) => s.given === s.capacity)
    expect(full.cut_off.rank).toBeGreaterThan(0)

    // With a place less the last one of it gets something else.
    const { id } = await one<{ id: number }>(
      'select id from specialization_seats where specialization_time_id = 3 and specialization_id = $1',
      [full.specialization.id],
    )
    await q('update specialization_seats set capacity = capacity - 1 where id = $1', [id])
    ok(await registrar('POST', '/specialization-time/distribute/3', {}))
    const again = ok(await registrar('GET', '/specialization-time/distribution/3'))
    expect(again.run.number).toBe(2)
    expect(again.moved).toBeGreaterThan(0)
    const moved = ok(
      await registrar('POST', '/specialization-time/results/3', { filters: { moved: true }, perPage: 50 }),
    )
    expect(moved).toHaveLength(again.moved)
    const lost = moved.find((r: any) => r.before?.id === full.specialization.id)
    const rungs = ok(await registrar('GET', `/specialization-time/ladder/3/${lost.id}`)).rungs
    const rung = rungs.find((r: any) => r.specialization.id === full.specialization.id)
    expect([rung.outcome, rung.reasons[0].code]).toEqual(['full', 'specialization_full'])
    expect(rung.reasons[0].data.rank).toBeGreaterThan(rung.reasons[0].data.last)
  })

  it('is not confirmed when places, wishes, a student or a condition changed since, and names each', async () => {
    const [a, b, c] = await wishers(3)
    const [tie] = await q<{ tie_rule: string }>(
      `update specialization_times n set tie_rule = case o.tie_rule when 'lot' then 'code' else 'lot' end
       from specialization_times o where o.id = n.id and n.id = 3 returning o.tie_rule`,
    )
    const [other] = (await dean('POST', '/specialization-time/confirm/3', {})).body.errors
    expect(other.code).toBe('specialization_changed_tie')
    await q('update specialization_times set tie_rule = $1 where id = 3', [tie!.tie_rule])
    await q(
      'update specialization_seats set capacity = capacity + 1 where specialization_time_id = 3 and specialization_id = 1',
    )
    ok(
      await registrar('PUT', '/specialization-time/preferences/3', {
        specialization_ids: a!.choices.toReversed(),
        student_id: a!.id,
      }),
    )
    await q(`select decide_status(array[$1::int], 'suspended', 'Decision 1', university_today())`, [b!.id])
    await q('update specializations set min_gpa = 1 where id = 3')
    await q(`update students set birth_date = birth_date - 1, school_percentage = 61 where id = $1`, [c!.id])
    const refused = await dean('POST', '/specialization-time/confirm/3', {})
    expect(refused.status).toBe(409)
    expect(refused.body.errors.map((e: any) => [e.code, e.data.student ?? e.data.specialization]).toSorted()).toEqual(
      [
        ['specialization_changed_conditions', expect.any(String)],
        ['specialization_changed_gone', b!.code],
        ['specialization_changed_places', expect.any(String)],
        ['specialization_changed_student', c!.code],
        ['specialization_changed_wishes', a!.code],
      ].toSorted(),
    )
    // Of very many, twenty are named and the others counted.
    await clones(25, a!.id)
    await q(
      `insert into specialization_preferences (specialization_time_id, student_id, choices)
       select 3, id, $1 from students where code like 'CLONE%'`,
      [a!.choices],
    )
    const many = (await dean('POST', '/specialization-time/confirm/3', {})).body.errors
    const students = many.filter((e: any) => e.data.student)
    expect([students.length, many.at(-1)]).toMatchObject([
      20,
      { code: 'specialization_changed_more', en: 'And 8 more students', data: { count: 8 } },
    ])
    await q(`delete from students where code like 'CLONE%'`)
    expect(await q('select from student_specializations where specialization_time_id = 3')).toEqual([])
    await q(`select decide_status(array[$1::int], 'studying', 'Decision 1', university_today())`, [b!.id])
    ok(await registrar('POST', '/specialization-time/distribute/3', {}))
  })

  it('leads where it led when students wished for it: it is changed neither by the form nor past it', async () => {
    const [a, b] = await q<{ id: number; program_id: number; general_program_id: number; bylaw_id: number }>(
      `select z.* from specialization_seats e join specializations z on z.id = e.specialization_id
       where e.specialization_time_id = 3 and exists (select from specialization_preferences p where z.id = any (p.choices)) order by z.id limit 2`,
    )
    const moved = await registrar('POST', `/specialization/${a!.id}`, { program_id: b!.program_id })
    expect([moved.status, reasons(moved)]).toEqual([409, ['specialization_way_used']])
    await q('alter table specializations disable trigger keep_way')
    await q('update specializations set program_id = $2 where id = $1', [a!.id, b!.program_id])
    const refused = await dean('POST', '/specialization-time/confirm/3', {})
    expect([refused.status, reasons(refused)]).toEqual([409, ['specialization_changed_conditions']])
    await q('update specializations set program_id = $2 where id = $1', [a!.id, a!.program_id])
    await q('alter table specializations enable trigger keep_way')
    // The programs stay under their bylaw meanwhile, whoever writes.
    const other = await one<{ id: number }>('select id from bylaws where id <> $1 order by id limit 1', [a!.bylaw_id])
    await expect(q('update programs set bylaw_id = $2 where id = $1', [a!.program_id, other.id])).rejects.toThrow(
      /program_relied_on/,
    )
  })

  it('leaves out who has another record in the program, says so, and gives the others theirs', async () => {
    const list = await q<{ id: number; user_id: number; code: string; program_id: number; specialization_id: number }>(
      `select s.id, s.user_id, s.code, z.program_id, z.id as specialization_id from specialization_times w
         join specialization_results r on r.run_id = w.run_id join specializations z on z.id = r.specialization_id
         join students s on s.id = r.student_id where w.id = 3 order by r.rank`,
    )
    const mine = list[0]!
    // A record of the same person in the program given, made after the distribution: it is named, and nothing is done.
    const other = await one<{ id: number }>(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, user_id, is_second_record)
       select 'OWN1', s.name, s.name_local, p.faculty_id, p.id, p.bylaw_id, s.user_id, true
       from students s join programs p on p.id = $2 where s.id = $1 returning id`,
      [mine.id, mine.program_id],
    )
    const before = await dean('POST', '/specialization-time/confirm/3', {})
    expect([before.status, before.body.errors]).toMatchObject([
      409,
      [{ code: 'specialization_changed_record', data: { student: mine.code } }],
    ])
    const student = await u.signIn(mine.user_id)
    ok(await student('PUT', `/users/records/${mine.id}`))
    const offers = async () =>
      ok(await student('GET', '/specialization-time/preferences')).windows.find((w: any) => w.id === 3).offers
    const offered = (await offers()).find((o: any) => o.specialization.id === mine.specialization_id)
    expect(offered.unmet.map((p: any) => p.code)).toContain('specialization_own_record')
    // Nor by hand, whatever is set aside.
    const byHand = await registrar('POST', `/specialization/bulk-specialize/${mine.program_id}`, {
      student_ids: [mine.id],
      override: true,
      reason: 'Decision of the council',
    })
    expect(byHand.body).toMatchObject({
      done: [],
      failed: [{ id: mine.id, errors: [{ code: 'specialization_own_record' }] }],
    })
    // Distributed anew, the student's ladder says why, and confirming goes on with everybody else.
    ok(await registrar('POST', '/specialization-time/distribute/3', {}))
    const { rungs } = ok(await registrar('GET', `/specialization-time/ladder/3/${mine.id}`))
    expect(rungs.find((r: any) => r.specialization.id === mine.specialization_id)).toMatchObject({
      outcome: 'conditions',
      reasons: [{ code: 'specialization_own_record' }],
    })
    ok(await dean('POST', '/specialization-time/confirm/3', {}))
    expect(await programOf(mine.id)).not.toBe(mine.program_id)
    for (const { student_id, program_id } of await q<{ student_id: number; program_id: number }>(
      `select r.student_id, z.program_id from specialization_times w join specialization_results r on r.run_id = w.run_id
       join specializations z on z.id = r.specialization_id where w.id = 3`,
    ))
      expect(await programOf(student_id)).toBe(program_id)
    // Taken back, nobody comes into a program where the person has another record meanwhile.
    const went = await one<{ student_id: number; from_program_id: number; code: string }>(
      `select g.student_id, g.from_program_id, s.code from student_specializations g join students s on s.id = g.student_id
       where g.specialization_time_id = 3 and g.removed_at is null and g.student_id <> $1 order by g.id limit 1`,
      [mine.id],
    )
    await q(
      `update students set user_id = (select user_id from students where id = $2), program_id = $3 where id = $1`,
      [other.id, went.student_id, went.from_program_id],
    )
    const back = await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' })
    expect([back.status, back.body.errors]).toMatchObject([
      409,
      [{ code: 'specialization_record_there', data: { student: went.code } }],
    ])
    await q('delete from students where id = $1', [other.id])
    ok(await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' }))
    await q(`delete from notifications where key = 'specializations.notice_specialized'`)
    ok(await registrar('POST', '/specialization-time/distribute/3', {}))
  })

  it('confirms once where two do it at one moment: programs, advisors and news follow, and each sees why', async () => {
    const placed = await q<{ student_id: number; user_id: number; program_id: number; rank: number }>(
      `select r.student_id, s.user_id, z.program_id, r.rank from specialization_times w join specialization_results r on r.run_id = w.run_id
       join specializations z on z.id = r.specialization_id join students s on s.id = r.student_id where w.id = 3 order by r.rank`,
    )
    expect(placed.length).toBeGreaterThan(3)
    const [mine] = placed
    const student = await u.signIn(mine!.user_id)
    // Until then it is no news for students.
    const waiting = ok(await student('GET', '/specialization-time/preferences')).windows.find((w: any) => w.id === 3)
    expect([waiting.state, waiting.result]).toEqual(['closed', null])
    expect((await student('GET', `/specialization-time/ladder/3/${mine!.student_id}`)).status).toBe(404)

    const answers = await Promise.all([dean, registrar].map((who) => who('POST', '/specialization-time/confirm/3', {})))
    expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
    for (const { student_id, program_id } of placed) expect(await programOf(student_id)).toBe(program_id)
    const advised = await q<{ same: boolean }>(
      `select p.department_id = i.department_id as same from student_specializations g join students s on s.id = g.student_id
       join programs p on p.id = s.program_id join instructors i on i.id = s.advisor_id where g.specialization_time_id = 3
         and exists (select from instructors x where x.department_id = p.department_id and x.max_advised is not null)`,
    )
    expect(advised.every((row) => row.same)).toBe(true)
    const news = await q(
      `select from notifications where user_id = $1 and key = 'specializations.notice_specialized'`,
      [mine!.user_id],
    )
    expect(news).toHaveLength(1)
    const told = ok(await student('GET', '/specialization-time/preferences')).windows.find((w: any) => w.id === 3)
    expect(told).toMatchObject({ state: 'confirmed', result: { rank: mine!.rank } })
    expect(told.result.rungs[0].outcome).toBe('given')
  })

  it('takes a confirmed distribution back before anything is used, and refuses naming who used it', async () => {
    const [row] = await q<{ student_id: number; code: string; from_program_id: number }>(
      `select g.student_id, s.code, g.from_program_id from student_specializations g join students s on s.id = g.student_id
       where g.specialization_time_id = 3 order by g.id`,
    )
    const { id } = await one<{ id: number }>('select id from registrations where student_id = $1 limit 1', [
      row!.student_id,
    ])
    await q(
      `insert into registration_history (registration_id, student_id, offering_id, action, to_status, at)
       select id, student_id, offering_id, 'request', status, now() + interval '1 second' from registrations where id = $1`,
      [id],
    )
    const used = await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' })
    expect([used.status, used.body.errors[0]]).toMatchObject([
      409,
      { code: 'specialization_used_since', data: { student: row!.code } },
    ])
    await q('alter table registration_history disable trigger user')
    await q("delete from registration_history where student_id = $1 and at > now() - interval '1 minute'", [
      row!.student_id,
    ])
    await q('alter table registration_history enable trigger user')
    // Nor of whom nothing is there to go back with.
    await q('update students set removed_at = now() where id = $1', [row!.student_id])
    const moved = await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' })
    expect(moved.body.errors).toMatchObject([{ code: 'specialization_moved_since', data: { student: row!.code } }])
    await q('update students set removed_at = null where id = $1', [row!.student_id])
    // Of very many, twenty are named and the others counted.
    await clones(25, row!.student_id)
    await q(
      `insert into student_specializations (student_id, specialization_id, specialization_time_id, from_program_id, program_id)
       select s.id, g.specialization_id, 3, g.from_program_id, (select id from programs where id <> s.program_id limit 1)
       from students s, student_specializations g where s.code like 'CLONE%' and g.student_id = $1 and g.removed_at is null`,
      [row!.student_id],
    )
    const many = (await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' })).body.errors
    expect([many.length, many.at(-1)]).toMatchObject([21, { code: 'specialization_changed_more', data: { count: 5 } }])
    await q(`delete from students where code like 'CLONE%'`)
    const [given] = await q<{ id: number }>(
      'select id from student_specializations where student_id = $1 and specialization_time_id = 3',
      [row!.student_id],
    )
    ok(await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' }))
    expect(await programOf(row!.student_id)).toBe(row!.from_program_id)
    const twice = await registrar('DELETE', `/specialization/student-specialization/${given!.id}`, { reason: 'Again' })
    expect([twice.status, reasons(twice)]).toEqual([409, ['specialization_removed']])
    ok(await dean('POST', '/specialization-time/confirm/3', {}))
    // Nor where courses from elsewhere were credited in the new program since.
    await q(
      `with t as (insert into external_transfers (student_id, program_id, term_id, kind, university_id, status)
           select $1, s.program_id, (select min(id) from terms), 'external', (select min(id) from universities_list), 'executed' from students s where s.id = $1
           returning id),
         e as (insert into equivalences (external_transfer_id, position, source_code, source_name, source_hours, source_key, course_id, credit_hours,
             state, decided)
           select t.id, 0, 'TB1', 'Course', 3, 'u1|tb1', (select max(id) from courses), 3, 'confirmed', true from t returning id, course_id)
       insert into course_credits (student_id, equivalence_id, course_id, term_id, credit_hours, counts_in_gpa)
       select $1, e.id, e.course_id, (select min(id) from terms), 3, false from e`,
      [row!.student_id],
    )
    const credited = await dean('POST', '/specialization-time/undo/3', { reason: 'Decided anew' })
    expect([credited.status, credited.body.errors?.[0]]).toMatchObject([
      409,
      { code: 'specialization_used_since', data: { student: row!.code } },
    ])
    await q(
      `delete from course_credits where equivalence_id in (select id from equivalences where source_key = 'u1|tb1')`,
    )
  })
})

describe('by hand', () => {
  it('puts students into a program, each with its result, and sets conditions aside only with a reason', async () => {
    const general = await q<{ id: number; gpa: number }>(
      `select s.id, s.gpa from students s join programs p on p.id = s.program_id where p.is_general and s.status = 'studying'
       and not exists (select from specialization_preferences x where x.student_id = s.id) order by s.gpa desc`,
    )
    const low = general.at(-1)!
    await q('update specializations set min_gpa = 3.9 where id = 1')
    const { program_id } = await one<{ program_id: number }>('select program_id from specializations where id = 1')
    const body = { student_ids: [low.id, 999_999] }
    const refused = (await registrar('POST', `/specialization/bulk-specialize/${program_id}`, body)).body
    expect(refused.done).toEqual([])
    expect(refused.failed.map((f: any) => f.errors[0].code).toSorted()).toEqual(['not_found', 'specialization_gpa'])
    const silent = await registrar('POST', `/specialization/bulk-specialize/${program_id}`, { ...body, override: true })
    expect([silent.status, reasons(silent)]).toEqual([422, ['reason_required@reason']])
    // Nobody specialises the own record, whatever is set aside.
    const [{ user_id }] = (await q<{ user_id: number }>('select user_id from students where id = $1', [low.id])) as [
      { user_id: number },
    ]
    await q('update students set user_id = $2 where id = $1', [low.id, registrar.user_id])
    const mine = await registrar('POST', `/specialization/bulk-specialize/${program_id}`, {
      student_ids: [low.id],
      override: true,
      reason: 'I want it.',
    })
    expect(mine.body).toMatchObject({ done: [], failed: [{ id: low.id, errors: [{ code: 'step_own' }] }] })
    await q('update students set user_id = $2 where id = $1', [low.id, user_id])
    const twice = await Promise.all(
      [0, 1].map(() =>
        registrar('POST', `/specialization/bulk-specialize/${program_id}`, {
          student_ids: [low.id],
          override: true,
          reason: 'Decision of the council',
        }),
      ),
    )
    expect(twice.map((a) => a.body.done.length).toSorted()).toEqual([0, 1])
    expect(await programOf(low.id)).toBe(program_id)
    const rows = ok(await registrar('GET', `/specialization/student-specializations/${low.id}`)).rows
    expect(rows).toMatchObject([{ window: null, reason: 'Decision of the council', abilities: ['remove'] }])
    await q('update students set user_id = $2 where id = $1', [low.id, registrar.user_id])
    const ownBack = await registrar('DELETE', `/specialization/student-specialization/${rows[0].id}`, {
      reason: 'Mine',
    })
    expect([ownBack.status, reasons(ownBack)]).toEqual([403, ['step_own']])
    await q('update students set user_id = $2 where id = $1', [low.id, user_id])
    const late = await registrar('DELETE', `/specialization/student-specialization/${rows[0].id}`, {
      reason: 'By mistake',
      version: 99,
    })
    expect([late.status, reasons(late)]).toEqual([409, ['changed_meanwhile']])
    // Nor once it was used: what was registered for since was registered for in the new program.
    const [{ id: used }] = (await q<{ id: number }>(
      `with r as (select id, student_id, offering_id, status from registrations where student_id = $1 limit 1)
       insert into registration_history (registration_id, student_id, offering_id, action, to_status, at)
       select id, student_id, offering_id, 'request', status, now() + interval '1 second' from r returning id`,
      [low.id],
    )) as [{ id: number }]
    const since = await registrar('DELETE', `/specialization/student-specialization/${rows[0].id}`, { reason: 'No' })
    expect([since.status, reasons(since)]).toEqual([409, ['specialization_used_since']])
    await q('alter table registration_history disable trigger user')
    await q('delete from registration_history where id = $1', [used])
    await q('alter table registration_history enable trigger user')
    expect(await programOf(low.id)).toBe(program_id)
    const back = await Promise.all(
      [0, 1].map(() =>
        registrar('DELETE', `/specialization/student-specialization/${rows[0].id}`, { reason: 'By mistake' }),
      ),
    )
    expect(back.map((a) => a.status).toSorted()).toEqual([200, 409])
    expect(await programOf(low.id)).not.toBe(program_id)
  })
})

describe('specialisations', () => {
  it('are added, changed, listed and removed by the documents’ own paths, and refused with every reason', async () => {
    const { bylaw_id, general_program_id } = await one<any>('select * from specializations where id = 1')
    const other = await one<{ id: number }>('select id from programs where bylaw_id <> $1 limit 1', [bylaw_id])
    const wrong = await registrar('POST', '/specialization/store', {
      code: 'NO',
      name: 'No',
      name_local: 'لا',
      bylaw_id,
      general_program_id: other.id,
      program_id: general_program_id,
      capacity: 3,
      courses: [{ course_id: 1, min_letter: 'ZZ' }],
    })
    expect([wrong.status, reasons(wrong)]).toEqual([
      422,
      [
        'specialization_letter@courses.0.min_letter',
        'specialization_not_general@general_program_id',
        'specialization_other_bylaw@general_program_id',
      ],
    ])
    const itself = await registrar('POST', '/specialization/store', {
      code: 'NO',
      name: 'No',
      name_local: 'لا',
      bylaw_id,
      general_program_id,
      program_id: general_program_id,
      capacity: 3,
    })
    expect([itself.status, reasons(itself)]).toEqual([422, ['specializations_elsewhere@program_id']])
    const changed = ok(await registrar('POST', '/specialization/3', { min_gpa: '2.10' }))
    expect(changed.min_gpa).toBe('2.10')
    expect(ok(await registrar('GET', `/specialization/list?bylaw_id=${bylaw_id}`))).toHaveLength(3)
    expect(ok(await registrar('POST', '/specialization/list', { search: 'AI' })).length).toBeGreaterThan(0)
    for (const [path, filter] of [
      ['/specialization-time/results/1', 'specialization_id'],
      ['/specialization/students', 'first_id'],
    ] as const) {
      const asked = await registrar('POST', path, { filters: { [filter]: 'all' } })
      expect([asked.status, reasons(asked)], path).toEqual([422, [expect.stringMatching(/^wrong_type@filters/)]])
    }
    const used = await registrar('DELETE', '/specialization/delete/3')
    expect([used.status, reasons(used)[0]]).toEqual([409, 'in_use'])
  })

  it('students and their wishes go out as a sheet', async () => {
    const { bylaw_id, general_program_id } = await one<any>('select * from specializations where id = 1')
    const sheet = await registrar(
      'POST',
      `/specialization-time/export-students-data/${bylaw_id}/${general_program_id}?start_date=2000-01-01`,
      { lang: 'en' },
    )
    expect(sheet.headers['content-disposition']).toContain('students_data')
    const text = strFromU8(unzipSync(new Uint8Array(sheet.bytes))['xl/sharedStrings.xml']!)
    expect(text.includes('1. ')).toBe(true)
  })
})

describe('many students', () => {
  it('are distributed by a job that tells how far it is; places that became fewer meanwhile are noticed', async () => {
    const { bylaw_id } = await one<{ bylaw_id: number }>('select bylaw_id from specialization_times where id = 4')
    const { id } = await one<{ id: number }>(
      `insert into specialization_times (bylaw_id, start_date, end_date) values ($1, '2020-01-01', '2020-01-09') returning id`,
      [bylaw_id],
    )
    await q(
      `insert into specialization_seats (specialization_time_id, position, specialization_id, capacity)
       select $1::int, row_number() over (order by id), id, 500 from specializations where bylaw_id = $2`,
      [id, bylaw_id],
    )
    await q(
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id)
       select 'Z' || n, 'Student', 'طالب', p.faculty_id, p.id, p.bylaw_id from generate_series(1, 2001) n
         join programs p on p.code = 'GEN'`,
    )
    await q(
      `insert into specialization_preferences (specialization_time_id, student_id, choices)
       select $1::int, id, array[3, 1] from students where code like 'Z%'`,
      [id],
    )
    await q('update specializations set min_gpa = null, min_passed_hours = null where id in (1, 3)')
    await q('analyze students, specialization_preferences')
    const job = async (wanted: (one: any) => boolean, job_id: string): Promise<any> => {
      for (let i = 0; i < 200; i++) {
        const found = ok(await registrar('GET', `/jobs/${job_id}`))
        if (wanted(found)) return found
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`the job does not come so far: ${JSON.stringify(ok(await registrar('GET', `/jobs/${job_id}`)))}`)
    }
    // It is held where it has read everything and keeps nothing yet.
    const held = await u.database.pool.connect()
    await held.query('begin; lock table specialization_results in exclusive mode')
    const sent = await registrar('POST', `/specialization-time/distribute/${id}`, {})
    expect(sent.body).toMatchObject({ data: { id, state: 'closed' }, job_id: expect.any(String) })
    await job((one) => one.progress >= 30, sent.body.job_id)
    await q(
      'update specialization_seats set capacity = 400 where specialization_time_id = $1 and specialization_id = 3',
      [id],
    )
    await held.query('commit')
    held.release()
    expect(await job((one) => one.state === 'done', sent.body.job_id)).toMatchObject({
      progress: 100,
      result: { id, state: 'distributed' },
    })
    expect(ok(await registrar('GET', `/specialization-time/distribution/${id}`)).run).toMatchObject({
      applicants: 2001,
      placed: 1000,
      by_preference: [500, 500, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    })
    const refused = await dean('POST', `/specialization-time/confirm/${id}`, {})
    expect([refused.status, reasons(refused)]).toEqual([409, ['specialization_changed_places']])
    // What was seen by who sends it is another thing by now.
    const stale = await registrar('POST', `/specialization-time/distribute/${id}`, { version: sent.body.data.version })
    expect([stale.status, reasons(stale)]).toEqual([409, ['changed_meanwhile']])
  })

  it('are distributed by one of two at once, in two processes; the other is told what to do', async () => {
    const config = { ...u.services.config, databaseUrl: u.database.url }
    const second = await openUniversity({
      config,
      log: createLog(config),
      areas: AREA_SERVERS,
      partial: true,
      work: false,
    })
    const held = await u.database.pool.connect()
    const waiting = (count: number) =>
      expect
        .poll(async () => {
          const [row] = await q<{ n: number }>(
            `select count(*)::int as n from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`,
          )
          return row!.n
        })
        .toBe(count)
    /** The same step sent to both while nothing goes on; what each answered. */
    const atOnce = async (id: number, lock: string, waits: readonly [number, number]) => {
      await held.query(`begin; ${lock}`)
      const send = ({ app }: { app: typeof u.app }) =>
        app.inject({
          method: 'POST',
          url: `/api/specialization-time/distribute/${id}`,
          headers: { authorization: `Bearer ${registrar.token}` },
          payload: {},
        })
      const first = send(u)
      await waiting(waits[0])
      const other = send(second)
      await waiting(waits[1])
      await held.query('commit')
      return (await Promise.all([first, other])).map((one) => ({ status: one.statusCode, body: one.json() }))
    }
    try {
      const { bylaw_id } = await one<{ bylaw_id: number }>('select bylaw_id from specialization_times where id = 4')
      const { id } = await one<{ id: number }>(
        `insert into specialization_times (bylaw_id, start_date, end_date) values ($1, '2019-01-01', '2019-01-09') returning id`,
        [bylaw_id],
      )
      await q(
        `insert into specialization_seats (specialization_time_id, position, specialization_id, capacity)
         select $1::int, row_number() over (order by id), id, 5 from specializations where bylaw_id = $2`,
        [id, bylaw_id],
      )
      const wish = (most: number) =>
        q(
          `insert into specialization_preferences (specialization_time_id, student_id, choices)
           select $1::int, id, array[3, 1] from students where code like 'Z%' order by id limit $2 on conflict do nothing`,
          [id, most],
        )
      await wish(20)
      const runs = () => q('select from specialization_runs where specialization_time_id = $1', [id])
      // The first has everything and keeps nothing yet; the second waits for it.
      const few = await atOnce(id, 'lock table specialization_results in exclusive mode', [1, 2])
      expect(few.map((one) => one.status)).toEqual([200, 409])
      expect(reasons(few[1] as never)).toEqual(['changed_meanwhile'])
      expect(await runs()).toHaveLength(1)
      // Whoever has seen what came of it distributes again.
      ok(await registrar('POST', `/specialization-time/distribute/${id}`, {}))
      expect(await runs()).toHaveLength(2)

      // Of many students the second learns that a job does it already.
      await wish(2001)
      const many = await atOnce(id, `select from specialization_times where id = ${id} for update`, [1, 2])
      expect(many.map((one) => one.status).toSorted()).toEqual([200, 409])
      const [sent, refused] = many.toSorted((a, b) => a.status - b.status)
      expect(reasons(refused as never)).toEqual(['step_under_way'])
      await expect
        .poll(async () => ok(await registrar('GET', `/jobs/${sent!.body.job_id}`)).state, { timeout: 60_000 })
        .toBe('done')
      expect(await runs()).toHaveLength(3)
      // What is done is no longer under way.
      expect((await registrar('POST', `/specialization-time/distribute/${id}`, {})).status).toBe(200)
    } finally {
      await held.query('rollback')
      held.release()
      await second.stop()
    }
  })
})
