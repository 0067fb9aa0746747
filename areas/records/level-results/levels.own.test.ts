import { sql } from 'kysely'
import { area } from '#kit/contract/index.ts'
import { hear } from '#kit/server/base/hears.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineAreaServer } from '#kit/server/http/area.ts'
import { chargeFee, takeBackFee } from '#kit/server/workflow/fees.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { bylawSettingsJson } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { computeGrades } from '#areas/records/grading/grades/compute.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import {
  cells,
  into,
  offerCourse,
  seed,
  statusOf,
  type Fixture,
  type TestOffering,
} from '#areas/records/grading/testing.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { marksTranscript } from '#areas/records/students/transcript/by-marks.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { levelResultsServer } from './level-results.server.ts'

let priceless: number | null = null
const charged: [workflow: string, fee: string, student: number, courses: number][] = []
let uni: TestUniversity
let f: Fixture
let head: Caller
let team: Caller
let elsewhere: Caller
let year: number
let next: number
let level: { bylaw_id: number; year_id: number; level: number }
const query = (text: string, values: readonly unknown[] = []) => uni.database.pool.query(text, [...values])

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    gradingServer,
    studentsServer,
    levelResultsServer,
    // Stands for the wing of money: one student has no price.
    defineAreaServer({
      area: area({ name: 'till', label: ['Till', 'خزينة'] }),
      handlers: [],
      hears: [
        hear(chargeFee, (_ctx, _tx, { workflow, fee, student_id = 0, quantity = 1 }) => {
          if (student_id === priceless) throw refuse(409, 'fee_nothing', { fee })
          charged.push([workflow, fee, student_id, quantity])
          return { number: 'INV-1', sum: '900.00 EGP', link: '/payments/1' }
        }),
        hear(takeBackFee, () => {}),
      ],
    }),
  ])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  team = await uni.as('control_team')
  elsewhere = await uni.as('control_head', ['faculty', f.otherFaculty])
  // A regulation by marks: three levels, 50 % passes, 30 % of the written exam.
  await query(
    `update bylaws set program_type = 'annual', pass_share = 50, max_carried = 1, honours_rating = 'VG', max_chances = 4 where id = $1`,
    [f.bylaw],
  )
  await query(`update programs set program_type = 'annual' where id = $1`, [f.program])
  await query('delete from bylaw_levels where bylaw_id = $1', [f.bylaw])
  await into(
    uni.database,
    'bylaw_levels',
    [1, 2].map((n) => ({ bylaw_id: f.bylaw, level: n, name: `Year ${n}`, name_local: `الفرقة ${n}`, passed_hours: 0 })),
  )
  await query('delete from program_courses where program_id = $1', [f.program])
  await into(
    uni.database,
    'program_courses',
    f.courses.map((course_id, i) => ({
      program_id: f.program,
      course_id,
      level: i < 3 ? 1 : 2,
      semester: i + 1,
      kind: 'mandatory',
    })),
  )
  year = (await query('select year_id from terms where id = $1', [f.fall])).rows[0].year_id
  ;[next] = (await into(uni.database, 'years', [
    { code: '2026', name: '2026', name_local: '٢٠٢٦', start_date: '2026-09-01', end_date: '2027-08-31' },
  ])) as [number]
  level = { bylaw_id: f.bylaw, year_id: year, level: 1 }
})
afterAll(() => uni.close())
beforeEach(async () => {
  await query(`
    update level_result_students set applied = false; delete from grace_marks; delete from level_results; delete from second_sessions;
    delete from grace_rules; delete from student_years; delete from registration_marks;
    alter table registration_history disable trigger user; delete from registration_history;
    alter table registration_history enable trigger user;
    delete from registrations; delete from offering_marks; delete from offering_instructors; delete from offerings;
    delete from notifications; update students set level = 1;
    select decide_status(array(select id from students), 'studying', 'Before the test', university_today(), 'earlier')`)
  await query(`update bylaws set second_session = false, max_carried = 1 where id = $1`, [f.bylaw])
})

/** Students sit in the level. */
const sit = (students: readonly number[], more: Record<string, unknown> = {}) =>
  into(
    uni.database,
    'student_years',
    students.map((student_id) => ({
      student_id,
      year_id: year,
      bylaw_id: f.bylaw,
      program_id: f.program,
      level: 1,
      enrolment: 'new',
      ...more,
    })),
  )
/** A course with the totals of students; null: absent. */
async function taught(
  course: number,
  totals: readonly (number | null)[],
  { control_status = 'Approved', term_id = f.fall }: { control_status?: string; term_id?: number } = {},
): Promise<TestOffering> {
  const students = f.students.slice(0, totals.length)
  const o = await offerCourse(uni.database, f, {
    course,
    students,
    term_id,
    status: totals.map((total) => (total === null ? statusOf('Absent', 'Fresh') : statusOf('Registered', 'Fresh'))),
  })
  await write(o, totals)
  await query('update offerings set control_status = $1 where id = $2', [control_status, o.id])
  return o
}
async function write(o: TestOffering, totals: readonly (number | null)[]): Promise<void> {
  const parts = (total: number) => [Math.min(20, total / 5), Math.min(20, total / 5), 0].map((n) => Math.floor(n))
  const rows = totals.flatMap((total, i) => {
    if (total === null) return []
    const [a, b] = parts(total) as [number, number]
    return cells(o, i, [`${a}`, `${b}`, `${total - a - b}`])
  })
  await query(
    `insert into registration_marks (registration_id, offering_mark_id, mark)
     select r, m, v::numeric from unnest($1::int[], $2::int[], $3::text[]) as x(r, m, v)
     on conflict (registration_id, offering_mark_id) do update set mark = excluded.mark, version = registration_marks.version + 1`,
    [rows.map((c) => c.registration_id), rows.map((c) => c.offering_mark_id), rows.map((c) => c.mark)],
  )
  await uni.database.db.transaction().execute(async (tx) => {
    await sql`select set_config('ems.authority', 'load', true)`.execute(tx)
    await computeGrades(tx, [o.id])
  })
}
const rule = (more: Record<string, unknown> = {}) =>
  head('PUT', '/grace-rules', {
    bylaw_id: f.bylaw,
    year_id: year,
    decided_by: 'Faculty council',
    decision_number: '17',
    decided_on: '2026-07-01',
    per_course: '4',
    in_all: '6',
    ...more,
  })
const preview = async (): Promise<number> => ok(await head('POST', '/control/levels/preview', level)).id
const apply = (id: number, who = head) => who('POST', '/control/levels/apply', { id })
const rowsOf = async (id: number): Promise<any[]> => ok(await head('POST', `/control/levels/students/${id}`, {}))
const years = async () =>
  (
    await query(
      `select s.code, y.level, y.enrolment from student_years y join students s on s.id = y.student_id where y.year_id = $1 order by 1`,
      [next],
    )
  ).rows.map((row) => `${row.code} ${row.level} ${row.enrolment}`)

/** Four students: passed; lacks two marks in one course and three in another; failed one; failed all. */
async function ordinary(): Promise<TestOffering[]> {
  await sit(f.students.slice(0, 4))
  return [
    await taught(0, [90, 48, 60, 20]),
    await taught(1, [80, 47, 55, null]),
    await taught(2, [70, 60, 30, 10], { term_id: f.spring }),
  ]
}

describe('the result of a level', () => {
  test('is previewed with a result and its reasons for each student, before and after grace marks, and changes nobody', async () => {
    await ordinary()
    ok(await rule())
    const id = await preview()
    const rows = await rowsOf(id)
    expect(rows.map((row) => [row.student.code, row.outcome_before, row.outcome, row.grace, row.rating])).toEqual([
      ['S001', 'promoted', 'promoted', '0', 'VG'],
      ['S002', 'repeats', 'promoted', '5', 'P'],
      ['S003', 'carries', 'carries', '5', 'P'],
      ['S004', 'repeats', 'repeats', '0', null],
    ])
    expect(rows[1].courses.map((one: any) => [one.code, one.mark, one.state, one.grace])).toEqual([
      ['CS101', '48', 'failed', '2'],
      ['CS102', '47', 'failed', '3'],
      ['CS103', '60', 'passed', null],
    ])
    expect(rows[3].reasons.map((one: any) => one.code)).toEqual(['level_failed_courses', 'level_too_many'])
    const shown = ok(await head('GET', `/control/levels/${id}`))
    expect(shown).toMatchObject({ status: 'previewed', students: 4, with_grace: 2, grace: '10', changed: 0 })
    expect(shown.outcomes.find((one: any) => one.outcome === 'repeats')).toEqual({
      outcome: 'repeats',
      before: 2,
      after: 1,
    })
    expect(await years()).toEqual([])
    expect((await query('select count(*)::int as n from grace_marks')).rows[0].n).toBe(0)
  })

  test('without a decision of the council there are no grace marks', async () => {
    await ordinary()
    await query('update bylaws set grace_per_course = 10, grace_in_all = 20 where id = $1', [f.bylaw])
    expect((await rowsOf(await preview())).map((row) => row.grace)).toEqual(['0', '0', '0', '0'])
  })

  test('a year that began before the rules changed is judged by those it began with', async () => {
    await ordinary()
    const [term] = await into(uni.database, 'terms', [
      {
        code: '2026-1',
        name: 'Autumn 2026',
        name_local: 'خريف ٢٠٢٦',
        year_id: next,
        term_type: 'fall',
        start_date: '2026-09-20',
        end_date: '2027-01-20',
      },
    ])
    const outcomes = async (year_id: number) => {
      const { id } = ok(await head('POST', '/control/levels/preview', { ...level, year_id }))
      return (await rowsOf(id)).map((row) => row.outcome)
    }
    const before = await outcomes(year)
    const { rows } = await sql<{ settings: object }>`select ${bylawSettingsJson} as settings from bylaws b
      where b.id = ${f.bylaw}`.execute(uni.database.db)
    await into(uni.database, 'bylaw_editions', [
      { bylaw_id: f.bylaw, until_term_id: term, settings: rows[0]!.settings },
    ])
    await query('update bylaws set max_carried = 0 where id = $1', [f.bylaw])
    expect(before).toContain('carries')
    expect(await outcomes(year)).toEqual(before)
    await query('delete from bylaw_editions')
    await query('update bylaws set updated_at = now() where id = $1', [f.bylaw])
    expect(await outcomes(year)).not.toContain('carries')
    await query('delete from terms where id = $1', [term])
  })

  test('is applied in one piece: levels of the next year, grace marks beside the marks, and a course that is passed by them', async () => {
    const [first] = await ordinary()
    ok(await rule())
    const id = await preview()
    expect(ok(await apply(id))).toEqual({ id, students: 4 })
    expect(await years()).toEqual(['S001 2 new', 'S002 2 new', 'S003 2 carried', 'S004 1 repeating'])
    const lifted = (
      await query(
        `select r.total, r.passed, r.letter, g.marks from grace_marks g join registrations r on r.id = g.registration_id order by r.id`,
      )
    ).rows
    expect(lifted).toEqual([
      { total: '48.00', passed: true, letter: 'P', marks: '2.00' },
      { total: '47.00', passed: true, letter: 'P', marks: '3.00' },
    ])
    // Results that are computed again, as each step of control does, keep what grace marks have turned.
    await write(first!, [90, 48, 60, 20])
    expect(
      (await query('select passed from registrations where id = $1', [first!.registrations[1]])).rows[0].passed,
    ).toBe(true)
    expect((await query('select level from students where id = $1', [f.students[0]])).rows[0].level).toBe(2)
    expect(ok(await head('GET', `/control/levels/${id}`))).toMatchObject({ status: 'applied', changed: 0 })
  })

  test('is applied once: a second time, and a second preview of the same students, are refused', async () => {
    await ordinary()
    const [id, other] = [await preview(), await preview()]
    const both = await Promise.all([apply(id), apply(other)])
    expect(both.map((one) => one.status).sort()).toEqual([200, 409])
    const [done, late] = both[0]!.status === 200 ? [id, other] : [other, id]
    expect(reasons(await apply(done))).toEqual(['level_result_applied'])
    expect(reasons(await head('POST', '/control/levels/announce', { id: late }))).toEqual(['level_result_previewed'])
    expect(await years()).toHaveLength(4)
    expect(reasons(await head('POST', '/control/levels/preview', level))).toEqual(['level_nobody'])
    // The database keeps it as well.
    await expect(
      query('update level_result_students set applied = true where level_result_id = any($1)', [[id, other]]),
    ).rejects.toThrow('level_result_applied')
  })

  test('is refused when marks have changed since it was previewed, naming them; nothing is half done', async () => {
    const [first] = await ordinary()
    ok(await rule())
    const id = await preview()
    await write(first!, [90, 48, 61, 20])
    const refused = await apply(id)
    expect(refused.status).toBe(409)
    expect(refused.body.errors.map((one: any) => [one.code, one.data.student, one.data.before, one.data.now])).toEqual([
      ['level_changed_since', undefined, undefined, undefined],
      ['level_mark_changed', 'S003', '60.00', '61.00'],
    ])
    expect(ok(await head('GET', `/control/levels/${id}`)).changed).toBe(1)
    expect(await years()).toEqual([])
    expect((await query('select count(*)::int as n from grace_marks')).rows[0].n).toBe(0)
    await query(`update grace_rules set in_all = 1`)
    await write(first!, [90, 48, 60, 20])
    expect(reasons(await apply(id))).toEqual(['level_rule_changed'])
  })

  test('is refused when students came or went, or a course is none of the level any more', async () => {
    const [gone, stays, came] = f.students as [number, number, number]
    await sit([gone, stays])
    await taught(0, [90, 80])
    await taught(1, [90, 80])
    const third = await taught(2, [90, 80])
    const id = await preview()
    await query('update student_years set level = 2 where student_id = $1', [gone])
    await sit([came])
    await query('update program_courses set level = 2 where course_id = $1', [f.courses[2]])
    await query('delete from registrations where offering_id = $1 and student_id = $2', [third.id, stays])
    const refused = await apply(id)
    expect(refused.body.errors.map((one: any) => [one.code, one.data.student])).toEqual([
      ['level_changed_since', undefined],
      ['level_student_gone', 'S001'],
      ['level_courses_gone', 'S002'],
      ['level_student_new', 'S003'],
    ])
    await query('update program_courses set level = 1 where course_id = $1', [f.courses[2]])
  })

  test('needs a year to go to, and a study by marks', async () => {
    await ordinary()
    const id = await preview()
    await query('update years set removed_at = now() where id = $1', [next])
    expect(reasons(await apply(id))).toEqual(['level_next_year'])
    await query('update years set removed_at = null where id = $1', [next])
    await query(`update bylaws set program_type = 'credit_hours' where id = $1`, [f.bylaw])
    expect(reasons(await head('POST', '/control/levels/preview', level))).toEqual(['level_by_hours'])
    await query(`update bylaws set program_type = 'annual' where id = $1`, [f.bylaw])
  })

  test('is refused when the bylaw was edited since it was previewed: outcome, rating or degree would be others', async () => {
    await ordinary()
    ok(await rule())
    const id = await preview()
    await query(`update bylaws set max_carried = 0 where id = $1`, [f.bylaw])
    expect(reasons(await apply(id))).toEqual(['level_rule_changed'])
    await query(`update bylaws set max_carried = 1 where id = $1`, [f.bylaw])
    await query(`update bylaw_ratings set from_share = 70 where bylaw_id = $1 and code = 'VG'`, [f.bylaw])
    // 80 of 100 are very good still; the others stand where they stood.
    ok(await apply(id))
    ok(await head('POST', '/control/levels/undo', { id, reason: 'for the next' }))
    await query(`update bylaw_ratings set from_share = 75 where bylaw_id = $1 and code = 'VG'`, [f.bylaw])

    await query('delete from student_years')
    await sit(f.students.slice(0, 1), { level: 2 })
    await taught(3, [90])
    level.level = 2
    try {
      const last = await preview()
      expect((await rowsOf(last))[0]).toMatchObject({ outcome: 'graduates', degree: { honours: true } })
      await query(`update bylaws set honours_rating = 'EX' where id = $1`, [f.bylaw])
      expect(reasons(await apply(last))).toEqual(['level_rule_changed'])
    } finally {
      level.level = 1
      await query(`update bylaws set honours_rating = 'VG' where id = $1`, [f.bylaw])
    }
    expect(await years()).toEqual([])
  })

  test('needs a bylaw that says how a study advances', async () => {
    await ordinary()
    await query('update bylaws set program_type = null where id = $1', [f.bylaw])
    try {
      expect(reasons(await head('POST', '/control/levels/preview', level))).toEqual(['ProgramTypeError'])
    } finally {
      await query(`update bylaws set program_type = 'annual' where id = $1`, [f.bylaw])
    }
  })

  test('waits until control has approved every course, naming those below', async () => {
    await sit(f.students.slice(0, 1))
    await taught(0, [90])
    await taught(1, [80], { control_status: 'Reviewed' })
    await taught(2, [70])
    const id = await preview()
    expect((await rowsOf(id))[0]).toMatchObject({ outcome: 'waiting' })
    const refused = await apply(id)
    expect([reasons(refused), refused.body.errors[0].data]).toEqual([
      ['level_below_approved'],
      { course: 'CS102 1', status: 'Reviewed' },
    ])
  })

  test('a course of the plan that nobody registered is a missing result', async () => {
    await sit(f.students.slice(0, 1))
    await taught(0, [90])
    const [row] = await rowsOf(await preview())
    expect([row.outcome, row.reasons[0].data.courses]).toEqual(['waiting', 'CS102, CS103'])
    expect(reasons(await apply(await preview()))).toEqual(['level_nobody_decided'])
  })

  test('is taken back until something stands on it; then students stand where they stood', async () => {
    const [first] = await ordinary()
    ok(await rule())
    const id = await preview()
    ok(await apply(id))
    // Results on which it stands do not go back to control, and its decision stays.
    await expect(query(`update offerings set control_status = 'Reviewed' where id = $1`, [first!.id])).rejects.toThrow(
      'level_result_stands',
    )
    const [stored] = (await query('select id, version from grace_rules')).rows
    expect(reasons(await head('PUT', `/grace-rules/${stored.id}`, { in_all: '9', version: stored.version }))).toEqual([
      'grace_rule_applied',
    ])
    const [autumn] = (await into(uni.database, 'terms', [
      {
        code: '2026-1',
        name: 'Fall',
        name_local: 'خريف',
        year_id: next,
        term_type: 'fall',
        start_date: '2026-09-20',
        end_date: '2027-01-20',
      },
    ])) as [number]
    const later = await offerCourse(uni.database, f, { term_id: autumn, course: 3, students: [f.students[0]!] })
    expect(reasons(await head('POST', '/control/levels/undo', { id, reason: 'a sheet was missing' }))).toEqual([
      'level_next_registered',
    ])
    await query('delete from registrations where offering_id = $1', [later.id])
    // Nor when the next year was changed, or decided.
    const undo = () => head('POST', '/control/levels/undo', { id, reason: 'a sheet was missing' })
    await query(`update student_years set enrolment = 'carried' where year_id = ${next} and enrolment = 'new'`)
    expect(new Set(reasons(await undo()))).toEqual(new Set(['level_next_changed']))
    await query(`set session_replication_role = replica;
      update student_years set enrolment = 'new', version = 1 where year_id = ${next} and version > 1;
      set session_replication_role = origin`)
    const [decided] = (
      await query(
        `with r as (insert into level_results (bylaw_id, year_id, level, status, applied_at)
           select bylaw_id, $2, 2, 'applied', now() from level_results where id = $1 returning id)
         insert into level_result_students select (jsonb_populate_record(l, jsonb_build_object('level_result_id', r.id,
           'student_year_id', l.next_year_id, 'next_year_id', null))).* from level_result_students l, r
         where l.level_result_id = $1 and l.next_year_id is not null order by l.student_id limit 1 returning level_result_id`,
        [id, next],
      )
    ).rows
    expect(reasons(await undo())).toEqual(['level_later_result'])
    await query('update level_result_students set applied = false where level_result_id = $1', [
      decided.level_result_id,
    ])
    expect(ok(await undo())).toMatchObject({
      students: 4,
    })
    expect(await years()).toEqual([])
    expect(
      (await query('select passed from registrations where id = $1', [first!.registrations[1]])).rows[0].passed,
    ).toBe(false)
    expect((await query('select count(*)::int as n from students where level <> 1')).rows[0].n).toBe(0)
    expect(reasons(await apply(id))).toEqual(['level_result_undone'])
    ok(await apply(await preview()))
  })

  test('who has spent the years of the level sits as an external student, then leaves', async () => {
    await sit(f.students.slice(0, 1))
    const spent = (student: number, codes: readonly string[]) =>
      codes.map(async (code, i) => {
        const [y] = await into(uni.database, 'years', [
          {
            code,
            name: code,
            name_local: code,
            start_date: `${2010 + i * 2}-09-01`,
            end_date: `${2011 + i * 2}-08-31`,
          },
        ])
        await sit([student], { year_id: y })
      })
    await Promise.all(spent(f.students[0]!, ['A1']))
    await taught(0, [10])
    await taught(1, [10])
    await taught(2, [10])
    expect((await rowsOf(await preview()))[0]).toMatchObject({ outcome: 'external' })
    await query('update student_years set enrolment = $1 where year_id = $2', ['external', year])
    const earlier = (await query(`select id from years where code = 'A1'`)).rows[0].id
    await query(`update bylaws set max_chances = 2 where id = $1`, [f.bylaw])
    const id = await preview()
    expect((await rowsOf(id))[0]).toMatchObject({ outcome: 'leaves', uses_chance: true })
    ok(await apply(id))
    expect((await query('select status from students where id = $1', [f.students[0]])).rows[0].status).toBe('dismissed')
    expect(await years()).toEqual([])
    // Who was let in again since is not undone with it.
    const decide = (status: string) =>
      query(`select decide_status(array[$1::int], $2, 'Council', university_today())`, [f.students[0], status])
    await decide('studying')
    expect(reasons(await head('POST', '/control/levels/undo', { id, reason: 'taken back' }))).toEqual([
      'level_status_changed',
    ])
    await decide('dismissed')
    ok(await head('POST', '/control/levels/undo', { id, reason: 'taken back' }))
    expect((await query('select status from students where id = $1', [f.students[0]])).rows[0].status).toBe('studying')
    await query(`update bylaws set max_chances = 4 where id = $1`, [f.bylaw])
    await query('delete from student_years where year_id = $1', [earlier])
    await query('delete from years where id = $1', [earlier])
  })

  test('who passes the final level has the degree, its rating over the levels, honours or why not', async () => {
    await sit(f.students.slice(0, 2), { level: 2 })
    await taught(0, [90, 90])
    // The second student failed one course, and passed it later.
    await taught(1, [80, 40])
    const again = await offerCourse(uni.database, f, {
      course: 1,
      term_id: f.spring,
      students: [f.students[1]!],
      status: statusOf('Registered', 'Repeat'),
    })
    await write(again, [50])
    await query(`update offerings set control_status = 'Approved'`)
    await taught(2, [70, 90])
    await taught(3, [90, 90], { term_id: f.spring })
    level.level = 2
    try {
      const rows = await rowsOf(await preview())
      expect(
        rows.map((row) => [row.outcome, row.rating, row.degree.rating, row.degree.share, row.degree.honours]),
      ).toEqual([
        ['graduates', 'EX', 'VG', '82.50', true],
        ['graduates', 'EX', 'VG', '80.00', false],
      ])
      expect(rows[1].degree.problems).toMatchObject([
        { code: 'level_honours_failed', data: { level: 1, courses: 'CS102' } },
      ])
      // What was failed in an earlier level and not sat since keeps from the degree.
      await query('delete from registrations where offering_id = $1', [again.id])
      const [, second] = await rowsOf(await preview())
      expect([second.outcome, second.failed]).toEqual(['repeats', 1])
    } finally {
      level.level = 1
    }
  })
})

describe('the second session', () => {
  test('comes before promotion; the work of the year stands, the exam is sat again, and what passes is capped', async () => {
    await query(`update bylaws set second_session = true where id = $1`, [f.bylaw])
    await ordinary()
    const [summer] = (await into(uni.database, 'terms', [
      {
        code: 'S2',
        name: 'Second session',
        name_local: 'الدور الثاني',
        year_id: year,
        term_type: 'summer',
        start_date: '2026-08-01',
        end_date: '2026-08-20',
      },
    ])) as [number]
    const open = (term_id = summer) => head('POST', '/control/levels/second-session', { ...level, term_id })
    expect((await rowsOf(await preview())).map((row) => row.outcome)).toEqual([
      'promoted',
      'second_session',
      'second_session',
      'second_session',
    ])
    expect(reasons(await open(f.fall))).toEqual(['second_session_earlier@term_id'])
    priceless = f.students[3]!
    const both = await Promise.all([open(), open()])
    expect(both.map((one) => one.status).sort()).toEqual([200, 409])
    expect(both.find((one) => one.status === 200)!.body.data).toEqual({
      students: 3,
      offerings: 3,
      registrations: 6,
      charged: 2,
      not_charged: 1,
    })
    // Each is charged once for all that is sat again; whose price is not known sits all the same.
    expect(charged.map(([workflow, fee, student, n]) => [workflow, fee, f.students.indexOf(student), n])).toEqual([
      ['second_session', 'SECOND', 1, 2],
      ['second_session', 'SECOND', 2, 1],
    ])
    // CS101 of the second student: 9 + 9 stand from the year; 40 of 60 in the exam make 58, capped at 50.
    const again = (
      await query(
        `select o.id, o.course_id, array_agg(r.id order by r.student_id) as registrations,
          (select array_agg(m.id order by m.position) from offering_marks m where m.offering_id = o.id) as scheme
         from offerings o join registrations r on r.offering_id = o.id where o.term_id = $1 group by o.id order by o.course_id`,
        [summer],
      )
    ).rows
    expect(
      (
        await query('select count(*)::int as n from registration_marks where registration_id = $1', [
          again[0].registrations[0],
        ])
      ).rows[0].n,
    ).toBe(2)
    for (const offering of again) {
      for (const registration of offering.registrations)
        await query(
          'insert into registration_marks (registration_id, offering_mark_id, mark) values ($1, $2, 40) on conflict do nothing',
          [registration, offering.scheme[2]],
        )
      await query(
        `insert into registration_marks (registration_id, offering_mark_id, mark) select r, m, 0 from unnest($1::int[]) r, unnest($2::int[]) m on conflict do nothing`,
        [offering.registrations, offering.scheme],
      )
      await uni.database.db.transaction().execute((tx) => computeGrades(tx, [offering.id]))
      await query(`update offerings set control_status = 'Approved' where id = $1`, [offering.id])
    }
    const rows = await rowsOf(await preview())
    expect(rows.map((row) => row.outcome)).toEqual(['promoted', 'promoted', 'promoted', 'repeats'])
    expect(rows[1].courses[0]).toMatchObject({ code: 'CS101', mark: '50', state: 'passed' })
  })

  test('a preview from before it is opened is not applied: the courses that are sat again are named', async () => {
    await query(`update bylaws set second_session = true where id = $1`, [f.bylaw])
    await ordinary()
    ok(await rule())
    const id = await preview()
    const [summer] = (await query(`select id from terms where code = 'S2'`)).rows
    ok(await head('POST', '/control/levels/second-session', { ...level, term_id: summer.id }))
    expect(reasons(await apply(id))).toEqual(['level_below_approved', 'level_below_approved', 'level_below_approved'])
    await query(`update offerings set control_status = 'Approved' where term_id = $1`, [summer.id])
    const refused = await apply(id)
    expect([refused.status, refused.body.errors[0].code, refused.body.errors[0].data.count]).toEqual([
      409,
      'level_changed_since',
      6,
    ])
    expect(
      refused.body.errors.slice(1).map((one: any) => `${one.data.student} ${one.data.course} ${one.data.now}`),
    ).toEqual(expect.arrayContaining(['S002 CS101 missing', 'S003 CS103 missing', 'S004 CS102 missing']))
    expect(await years()).toEqual([])
    expect((await query('select count(*)::int as n from grace_marks')).rows[0].n).toBe(0)
  })

  test('is refused where the bylaw has none, and while a result is missing', async () => {
    await ordinary()
    const [summer] = (await query(`select id from terms where code = 'S2'`)).rows
    const open = () => head('POST', '/control/levels/second-session', { ...level, term_id: summer.id })
    expect(reasons(await open())).toEqual(['second_session_none'])
    await query(`update bylaws set second_session = true where id = $1`, [f.bylaw])
    expect(reasons(await head('POST', '/control/levels/second-session', { ...level, term_id: 999_999 }))).toEqual([
      'second_session_term@term_id',
    ])
    await query(`update offerings set control_status = 'Reviewed' where course_id = $1`, [f.courses[2]])
    expect(reasons(await open())).toEqual(['level_without_result'])
    await query(`update offerings set control_status = 'Approved'`)
    ok(await open())
    expect(reasons(await open())).toEqual(['second_session_opened'])
  })

  test('is for nobody where everybody has passed', async () => {
    await query(`update bylaws set second_session = true where id = $1`, [f.bylaw])
    await sit(f.students.slice(0, 1))
    for (const course of [0, 1, 2]) await taught(course, [90])
    const [summer] = (await query(`select id from terms where code = 'S2'`)).rows
    expect(reasons(await head('POST', '/control/levels/second-session', { ...level, term_id: summer.id }))).toEqual([
      'second_session_nobody',
    ])
  })
})

describe('a result that changed after it was decided', () => {
  const outdated = async (who = head) =>
    (await who('POST', '/outdated-decisions', { kind: 'level_result' })).body.data as any[]
  const again = (ids: readonly number[], who = head) =>
    who('POST', '/outdated-decisions/renew', { kind: 'level_result', ids })
  const keep = (ids: readonly number[], reason: string) =>
    head('POST', '/outdated-decisions/keep', { kind: 'level_result', ids, reason })
  const yearOf = async (student: number) =>
    (await query('select level, enrolment from student_years where student_id = $1 and year_id = $2', [student, next]))
      .rows[0]
  /** The level is decided; then the first student's mark in a course is corrected. */
  async function corrected(total: number) {
    const offerings = await ordinary()
    const id = await preview()
    ok(await apply(id))
    const o = offerings[0]!
    const correct = async (to: number) => {
      await query(`update offerings set control_status = 'Published'`)
      await uni.database.db.transaction().execute(async (tx) => {
        await sql`select set_config('ems.authority', 'correction', true)`.execute(tx)
        await sql`update registrations set total = ${to}, passed = ${to >= 50} where id = ${o.registrations[0]}`.execute(
          tx,
        )
      })
    }
    await correct(total)
    return { id, o, correct }
  }

  test('is shown with before and now to who decides, announcing is refused, and goes when the mark is as it was', async () => {
    const before = await ordinary()
    const id = await preview()
    ok(await apply(id))
    expect(await outdated()).toEqual([])
    const registration = before[0]!.registrations[0]!
    const [{ total, passed }] = (await query('select total, passed from registrations where id = $1', [registration]))
      .rows
    const set = (to: string, pass: boolean) =>
      uni.database.db.transaction().execute(async (tx) => {
        await sql`select set_config('ems.authority', 'correction', true)`.execute(tx)
        await sql`update registrations set total = ${to}::numeric, passed = ${pass} where id = ${registration}`.execute(
          tx,
        )
      })
    await query(`update offerings set control_status = 'Published'`)
    await set('12', false)
    expect(await outdated()).toMatchObject([
      {
        kind: 'level_result',
        student: { id: f.students[0] },
        link: `/control/levels/${id}`,
        abilities: ['renew', 'keep'],
        decides: true,
      },
    ])
    expect((await outdated())[0].changes).toHaveLength(1)
    // Others look, or see nothing.
    expect((await outdated(team))[0].abilities).toEqual([])
    expect(await outdated(elsewhere)).toEqual([])
    const refused = await head('POST', '/control/levels/announce', { id })
    expect([refused.status, reasons(refused)]).toEqual([409, ['level_result_outdated']])
    const [mine] = await outdated()
    expect((await again([mine.id], team)).status).toBe(403)
    expect((await again([mine.id], elsewhere)).status).toBe(404)
    await set(total, passed)
    expect(await outdated()).toEqual([])
    ok(await head('POST', '/control/levels/announce', { id }))
  })

  test('is decided again for that student alone, or kept with a reason; who is registered stays in the level', async () => {
    const { id } = await corrected(4)
    const student = f.students[0]!
    const others = async () =>
      (await query('select student_id, applied from level_result_students where level_result_id = $1 order by 1', [id]))
        .rows
    const [row] = await outdated()
    // Registered in the next year: the outcome would be another one.
    const was = await yearOf(student)
    const [autumn] = (await into(uni.database, 'terms', [
      {
        code: `n${id}`,
        name: 'Fall',
        name_local: 'خريف',
        year_id: next,
        term_type: 'fall',
        start_date: '2026-09-20',
        end_date: '2027-01-20',
      },
    ])) as [number]
    const later = await offerCourse(uni.database, f, { term_id: autumn, course: 3, students: [student] })
    const stands = await again([row.id])
    expect([stands.status, reasons(stands)]).toEqual([409, ['level_next_registered']])
    expect(await yearOf(student)).toEqual(was)
    await query('delete from registrations where offering_id = $1', [later.id])
    ok(await again([row.id]))
    expect(await outdated()).toEqual([])
    expect(await yearOf(student)).toMatchObject({ level: 2, enrolment: 'carried' })
    expect((await others()).filter((one) => !one.applied)).toEqual([{ student_id: student, applied: false }])
    expect((await query('select named, status from level_results where id > $1 order by id', [id])).rows).toEqual([
      { named: true, status: 'applied' },
    ])
    expect((await query(`select action, kind from decision_steps order by id desc limit 1`)).rows).toEqual([
      { action: 'renewed', kind: 'level_result' },
    ])
    // The whole level's result can still be announced, and taken back for one of the others.
    expect(
      (await head('POST', '/control/levels/undo', { id, reason: 'not this one', student_ids: [student] })).status,
    ).toBe(404)
    expect(
      ok(
        await head('POST', '/control/levels/undo', { id, reason: 'a sheet was missing', student_ids: [f.students[2]] }),
      ),
    ).toMatchObject({ students: 1 })
    const named = ok(await head('POST', '/control/levels/preview', { ...level, student_ids: [f.students[2]] }))
    expect(named.students).toBe(1)
    ok(await apply(named.id))
    expect(reasons(await head('POST', '/control/levels/preview', { ...level, student_ids: [f.students[2]] }))).toEqual([
      'level_decided_already',
    ])
    ok(await head('POST', '/control/levels/announce', { id }))
  })

  test('is applied as it was read, and of students who are in the level', async () => {
    await ordinary()
    const stranger = await head('POST', '/control/levels/preview', {
      ...level,
      student_ids: [f.students[3], 99_999_999],
    })
    expect([stranger.status, reasons(stranger)]).toEqual([404, ['not_found@student_ids']])
    const id = await preview()
    const { rows } = await query('select version from level_results where id = $1', [id])
    const late = await head('POST', '/control/levels/apply', { id, version: rows[0].version + 1 })
    expect([late.status, reasons(late)]).toEqual([409, ['changed_meanwhile']])
    expect(await years()).toEqual([])
  })

  test('of students by name decides these alone, while the others of the level wait', async () => {
    await ordinary()
    const { id, students } = ok(
      await head('POST', '/control/levels/preview', { ...level, student_ids: [f.students[3]] }),
    )
    expect(students).toBe(1)
    expect(ok(await apply(id))).toEqual({ id, students: 1 })
    expect(await years()).toEqual(['S004 1 repeating'])
    expect(ok(await head('POST', '/control/levels/preview', level)).students).toBe(3)
  })

  test('is kept as it was decided, with the reason', async () => {
    const { id } = await corrected(4)
    const [row] = await outdated()
    expect((await keep([row.id], '')).status).toBe(422)
    ok(await keep([row.id], 'The council decided so'))
    expect(await outdated()).toEqual([])
    ok(await head('POST', '/control/levels/announce', { id }))
  })
})

describe('announcing and sheets', () => {
  test('students are told once every course is published; the posted sheet shows marks that count, the other those earned', async () => {
    await ordinary()
    ok(await rule())
    const id = await preview()
    ok(await apply(id))
    const announce = () => head('POST', '/control/levels/announce', { id })
    const sheet = (purpose: string, format: string, lang = 'ar') =>
      head('POST', `/control/levels/sheet/${id}/${lang}`, { purpose, format })
    expect(reasons(await announce())).toEqual(['level_not_published', 'level_not_published', 'level_not_published'])
    expect(reasons(await sheet('announcement', 'pdf'))).toEqual(['level_not_announced'])
    await query(`update offerings set control_status = 'Published'`)
    ok(await announce())
    expect(reasons(await announce())).toEqual(['level_result_announced'])
    expect(
      (await query(`select count(*)::int as n from notifications where key = 'level-results.notice_level_result'`))
        .rows[0].n,
    ).toBe(4)
    for (const lang of ['ar', 'en']) {
      const pdf = await sheet('announcement', 'pdf', lang)
      expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    }
    const { readSheet } = await import('#kit/server/sheets/index.ts')
    const earned = await readSheet((await sheet('approval', 'xlsx', 'en')).bytes)
    const counted = await readSheet((await sheet('announcement', 'xlsx', 'en')).bytes)
    const row = (read: any) => JSON.stringify(read)
    expect(row(earned)).toContain('48 + 2')
    expect(row(counted)).not.toContain('48 + 2')
    expect(row(counted)).toContain('"50"')
  })

  test('the transcript has marks, maxima and ratings, and the result of the level once it is announced; grace marks apart only by decision', async () => {
    await ordinary()
    ok(await rule())
    const id = await preview()
    ok(await apply(id))
    await query(`update offerings set control_status = 'Published'`)
    const answer = await head('POST', `/students/${f.students[1]}/transcript/en`, {})
    expect([answer.status, answer.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const { rows: taken } = await query(
      `select r.id as registration_id, r.total, r.maximum, r.letter, json_build_object('name', c.code, 'name_local', c.code, 'code', c.code) as course,
        json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local) as term, 'Registered' as main,
        (select json_build_object('name', g.name, 'name_local', g.name_local) from bylaw_ratings g where g.bylaw_id = $2 and g.code = r.letter) as rating
       from registrations r join courses c on c.id = r.course_id join terms t on t.id = r.term_id where r.student_id = $1 order by t.start_date, r.id`,
      [f.students[1], f.bylaw],
    )
    const says = (all = false) =>
      marksTranscript({ db: uni.database.db } as Ctx, { id: f.students[1]!, bylaw_id: f.bylaw }, taken, {
        lang: 'en',
        all,
        signs: () => '',
        name: () => '',
        figures: () => null,
      })
    const hidden = await says()
    expect(hidden.terms.map((one) => one.figures)).toEqual([[], []])
    expect(hidden.terms[0]!.rows[0]!.slice(2, 4)).toEqual(['100', '48'])
    ok(await head('POST', '/control/levels/announce', { id }))
    const shown = await says()
    expect(shown.terms[0]!.rows).toEqual([
      ['CS101', 'CS101', '100', '50', 'Pass', ''],
      ['CS102', 'CS102', '100', '50', 'Pass', ''],
    ])
    expect(shown.terms[1]!.figures).toEqual([
      { label: 'Level', value: 'Year 1' },
      { label: 'Sum of marks', value: '160 / 300' },
      { label: '%', value: '53.33' },
      { label: 'Rating of the level', value: 'Pass' },
      { label: 'Result', value: 'Promoted' },
    ])
    await query(`update level_results set rule = rule || '{"on_transcript": true}' where id = $1`, [id])
    expect((await says()).terms[0]!.rows.map((row) => row[3])).toEqual(['48 + 2', '47 + 3'])
  })

  test('the student sees on the own screens what was earned, the grace marks beside it, for what and by whose decision', async () => {
    const [first] = await ordinary()
    ok(await rule())
    const id = await preview()
    ok(await apply(id))
    await query(
      `update bylaws set grades_visibility = '{"marks":"Published","letter":"Published","points":"Published","gpa":"Published"}'`,
    )
    const [me, other] = await Promise.all(
      [1, 0].map(async (i) =>
        uni.signIn((await query('select user_id from students where id = $1', [f.students[i]!])).rows[0].user_id),
      ),
    )
    const grades = async (who: Caller) => ok(await who('GET', '/students/terms_grades'))
    const marks = (data: any) =>
      data.terms.flatMap((one: any) => one.courses.map((row: any) => [row.course.code, row.total, row.grace]))
    expect(marks(await grades(me!))).toEqual([
      ['CS103', null, null],
      ['CS101', null, null],
      ['CS102', null, null],
    ])
    expect(ok(await me!('GET', `/students/courses/${first!.id}`))).toMatchObject({ grace: null, grace_decision: null })
    await query(`update offerings set control_status = 'Published'`)
    // Applied, and not announced: the year is told to staff alone.
    expect((await grades(me!)).years).toEqual([])
    expect(ok(await head('GET', `/students/${f.students[1]}/terms_grades`)).years).toHaveLength(1)
    ok(await head('POST', '/control/levels/announce', { id }))
    const mine = await grades(me!)
    expect(marks(mine)).toEqual([
      ['CS103', '60.00', null],
      ['CS101', '48.00', '2'],
      ['CS102', '47.00', '3'],
    ])
    const decision = { decided_by: 'Faculty council', decision_number: '17', decided_on: '2026-07-01' }
    expect(mine.years).toMatchObject([
      {
        level: { name: 'Year 1' },
        outcome: 'promoted',
        marks: '160',
        maximum: '300',
        share: '53.33',
        grace: { on_courses: '5', on_sum: null },
        decision,
        rating: { name: 'Pass' },
      },
    ])
    const course = (who: Caller) => who('GET', `/students/courses/${first!.id}`)
    expect(ok(await course(me!))).toMatchObject({ total: '48.00', grace: '2', grace_decision: decision })
    expect(ok(await course(other!))).toMatchObject({ grace: null, grace_decision: null })
    expect((await grades(other!)).years).toMatchObject([{ decision: null, grace: { on_courses: null } }])
  })

  test('is for who holds the right there: others see nothing, the team may look', async () => {
    await ordinary()
    const id = await preview()
    expect((await elsewhere('GET', `/control/levels/${id}`)).status).toBe(404)
    expect((await elsewhere('POST', '/control/levels/preview', level)).status).toBe(404)
    expect((await apply(id, elsewhere)).status).toBe(404)
    expect((await apply(id, team)).status).toBe(403)
    expect(ok(await team('GET', `/control/levels/${id}`)).abilities).toEqual([])
    expect((await elsewhere('POST', '/control/levels', {})).body.data).toEqual([])
    expect(ok(await head('POST', '/control/levels', {}))[0]).toMatchObject({
      level: 1,
      students: 4,
      decided: 0,
      state: 'previewed',
      abilities: ['preview'],
    })
  })
})
