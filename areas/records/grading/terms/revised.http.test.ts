import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { computeGrades } from '../grades/compute.server.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let registrar: Caller
let own: Caller
let root: Caller
let me: number
let n = 0

beforeAll(async () => {
  uni = await testUniversity([
    kitServer,
    catalogueServer,
    studentsServer,
    registrationServer,
    gradingServer,
    attendanceServer,
  ])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  registrar = await uni.as('registrar')
  root = await uni.as(null)
  await q('update users set is_root = true where id = $1', [root.user_id])
  root = await uni.signIn(root.user_id)
  me = f.students[0]!
  own = await uni.as('student', undefined, { type: 3 })
  await q('update students set user_id = $1 where id = $2', [own.user_id, me])
  own = await uni.signIn(own.user_id)
})
afterAll(() => uni.close())
beforeEach(async () => {
  n++
  await q('delete from student_terms', [])
  await q('delete from registrations', [])
  await q('update students set gpa = null, passed_hours = 0, warnings = 0, level = 1, entry_standing = null', [])
})

const q = async (text: string, values: unknown[]) => (await uni.database.pool.query(text, values)).rows
const full = (total: number): string[] => [
  `${Math.min(20, total)}`,
  `${Math.min(20, Math.max(0, total - 20))}`,
  `${Math.max(0, total - 40)}`,
]
/** A course of the student with this total, in a control status. */
async function taught(
  course: number,
  total: number,
  term_id = f.fall,
  control_status = 'Published',
): Promise<TestOffering> {
  const o = await offerCourse(uni.database, f, { course, code: `r${n}`, students: [me], term_id })
  const rows = cells(o, 0, full(total))
  await q(
    'insert into registration_marks (registration_id, offering_mark_id, mark) select $1, m, v::numeric from unnest($2::int[], $3::text[]) as x(m, v)',
    [o.registrations[0], rows.map((c) => c.offering_mark_id), rows.map((c) => c.mark)],
  )
  await uni.database.db.transaction().execute((tx) => computeGrades(tx, [o.id]))
  await q('update offerings set control_status = $1 where id = $2', [control_status, o.id])
  return o
}
const finish = async (term_id: number) => ok(await head('POST', '/control/students/finish', { term_id, ids: [me] }))
const step = async (word: string, o: TestOffering) =>
  ok(
    await head(
      'PUT',
      `/control/offerings/${word}-control-status/${o.id}`,
      word === 'undo' ? { reason: 'a page was missed' } : {},
    ),
  )
const rows = () =>
  q(
    'select term_id, gpa, cumulative_gpa, revised_since is not null as revised from student_terms where student_id = $1 order by term_id',
    [me],
  )
const student = async () =>
  (await q('select gpa, passed_hours::float8, level, warnings from students where id = $1', [me]))[0]
const recompute = async (term_id: number) =>
  (await head('POST', '/control/students/recompute', { term_id, ids: [me] })).body.differences
const terms = async (who: Caller, path: string) => ok(await who('GET', path)).terms as any[]
const mark = async (o: TestOffering, value: string) => {
  const registration = o.registrations[0]!
  const [{ version }] = (await q(
    'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [registration, o.scheme[2]],
  )) as [any]
  return ok(
    await head('PUT', '/offerings/offering-students-grades/update', {
      offering_id: o.id,
      cells: [{ registration_id: registration, offering_mark_id: o.scheme[2], mark: value, version }],
    }),
  )
}

describe('a finished term whose result changes', () => {
  test('undone, changed and approved again: nothing old is valid meanwhile, and later terms follow', async () => {
    const first = await taught(0, 90)
    await taught(1, 80, f.spring)
    await finish(f.fall)
    await finish(f.spring)
    expect(await rows()).toMatchObject([{ cumulative_gpa: '4.00' }, { cumulative_gpa: '3.50' }])
    expect(await student()).toEqual({ gpa: '3.50', passed_hours: 6, level: 2, warnings: 0 })

    await step('undo', first)
    // Published → Approved: still settled, still valid.
    expect((await rows()).map((row) => row.revised)).toEqual([false, false])
    await step('undo', first)
    expect((await rows()).map((row) => row.revised)).toEqual([true, true])
    // What stands is what stood before the first term; limits of the load follow it.
    expect(await student()).toEqual({ gpa: null, passed_hours: 0, level: 1, warnings: 0 })
    expect((await recompute(f.fall)).map((one: any) => [one.term.code, one.field, one.computed])).toEqual([
      ['2025-1', 'term_id', null],
      ['2025-2', 'term_id', null],
    ])
    for (const list of [
      await terms(registrar, `/students/${me}/terms_grades`),
      await terms(own, '/students/terms_grades'),
    ])
      expect(list.map((one) => [one.result, one.revised])).toEqual([
        [null, true],
        [null, true],
      ])
    expect(ok(await registrar('POST', `/students/dashboard/${me}`, {}))).toMatchObject({
      student: { revised: true, gpa: null },
      terms: [],
    })
    expect(
      ok(await head('POST', '/control/students', { filters: { term_id: f.spring, revised: true } })),
    ).toMatchObject([{ id: me, revised: true, finished: false, gpa: null }])
    // The later term waits for the earlier one.
    const waiting = await finish(f.spring)
    expect(waiting).toMatchObject({ finished: 0, not_finished: 1, students: [{ below: [{ id: first.id }] }] })

    await mark(first, '10')
    await step('approve', first)
    expect(await rows()).toMatchObject([
      { cumulative_gpa: '0.00', revised: false },
      { cumulative_gpa: '1.50', revised: false },
    ])
    expect(await student()).toMatchObject({ gpa: '1.50', passed_hours: 3 })
    expect(await recompute(f.fall)).toEqual([])
  })

  test('the transcript prints no figures of it, and says why', async () => {
    const first = await taught(0, 90)
    const second = await taught(2, 70)
    await finish(f.fall)
    const issue = async () => {
      const paper = await registrar('POST', `/students/${me}/transcript/en`, { all: true })
      expect(paper.status).toBe(200)
      const [row] = await q(
        'select gpa, passed_hours::float8 from transcripts where student_id = $1 order by id desc limit 1',
        [me],
      )
      return row
    }
    expect(await issue()).toEqual({ gpa: '3.15', passed_hours: 6 })
    await step('undo', first)
    await step('undo', first)
    expect(await issue()).toEqual({ gpa: null, passed_hours: 0 })
    await mark(first, '30')
    await step('approve', first)
    expect(await issue()).toEqual({ gpa: '2.30', passed_hours: 6 })
    expect(second.id).toBeGreaterThan(0)
  })

  test('a correction, a state and an incomplete that goes back are followed in the same transaction', async () => {
    const first = await taught(0, 90)
    await taught(1, 80, f.spring)
    await finish(f.fall)
    await finish(f.spring)
    const status = (code: number) =>
      registrar('PUT', `/registrations/students/update-status/${code}`, {
        registration_ids: first.registrations,
        reason: 'told late',
      })
    await q(
      `insert into absence_cases (registration_id, status, absences, planned, share) values ($1, 'proposed', 5, 10, 50)`,
      [first.registrations[0]],
    )
    expect((await status(13)).status).toBe(409)
    ok(
      await head('PUT', '/registrations/students/update-status/13', {
        registration_ids: first.registrations,
        reason: 'told late',
      }),
    )
    expect(await rows()).toMatchObject([
      { cumulative_gpa: '0.00', revised: false },
      { cumulative_gpa: '1.50', revised: false },
    ])
    // An incomplete result is given, and taken back.
    await q(
      `with lifted as (update absence_cases set status = 'waived' where registration_id = $2)
       update registrations set status = $1 where id = $2`,
      [statusOf('Incomplete', 'Fresh'), first.registrations[0]],
    )
    expect((await rows()).map((row) => row.revised)).toEqual([true, true])
    await finish(f.fall)
    expect((await rows()).map((row) => row.revised)).toEqual([false, false])
    expect(await rows()).toMatchObject([{ cumulative_gpa: null }, { cumulative_gpa: '3.00' }])
    ok(
      await root('PUT', '/registrations/students/undo-incomplete-registered-offering', {
        registration_ids: first.registrations,
        reason: 'sat it after all',
      }),
    )
    expect(await recompute(f.fall)).toEqual([])
    expect(await rows()).toMatchObject([{ cumulative_gpa: '4.00' }, { cumulative_gpa: '3.50' }])
    expect((await rows()).map((row) => row.revised)).toEqual([false, false])
  })

  test('a registration removed from a finished term by a loader leaves no row that nobody revises', async () => {
    const first = await taught(0, 90)
    await taught(1, 80, f.spring)
    await finish(f.fall)
    await finish(f.spring)
    await q('delete from registrations where id = $1', [first.registrations[0]])
    expect((await rows()).map((row) => row.revised)).toEqual([true, true])
    await finish(f.spring)
    expect(await rows()).toMatchObject([{ term_id: f.spring, cumulative_gpa: '3.00', revised: false }])
  })
})

describe('what eligibility for graduation stands on', () => {
  test('when it changes the list says so, and finishing again settles it, whether or not anything differs', async () => {
    await taught(0, 90)
    await taught(1, 80, f.spring)
    await finish(f.fall)
    await finish(f.spring)
    const outdated = async (term_id = f.spring) => {
      const [list] = ok(await head('POST', '/control/students', { filters: { term_id } })) as any[]
      const { length } = ok(
        await head('POST', '/control/students', { filters: { term_id, graduation_outdated: true } }),
      ) as any[]
      const { result } = ok(await head('GET', `/control/students/${me}/${term_id}`))
      expect([length === 1, result.graduation_outdated]).toEqual([list.graduation_outdated, list.graduation_outdated])
      return list.graduation_outdated as boolean
    }
    /** Tells that something has changed; finishing by the filter settles it. */
    const settled = async (what: string, values: unknown[] = [me]) => {
      await q(what, values)
      const before = await outdated()
      const report = ok(
        await head('POST', '/control/students/finish', { term_id: f.spring, filters: { graduation_outdated: true } }),
      )
      return [before, report.finished, report.changed, await outdated()]
    }
    expect(await outdated()).toBe(false)
    const program = `(select program_id from students where id = $1)`
    expect(
      await settled(
        `insert into degree_exceptions (student_id, program_id, kind, key, reason) values ($1, ${program}, 'waive', 'gone', 'x')`,
      ),
    ).toEqual([true, 1, 0, false])
    // That of the term before is not what counts.
    await q(
      `insert into degree_exceptions (student_id, program_id, kind, key, reason) values ($1, ${program}, 'waive', 'degree', 'x')`,
      [me],
    )
    expect([await outdated(f.fall), await outdated()]).toEqual([false, true])
    expect(await settled('select $1::int')).toEqual([true, 1, expect.any(Number), false])
    expect(
      await settled(`update degree_exceptions set revoked_at = now(), revoked_reason = 'x' where student_id = $1`),
    ).toEqual([true, 1, expect.any(Number), false])
    const tree = { kind: 'hand', key: 'thesis', name: 'Thesis', name_local: 'رسالة', text: 'T', text_local: 'ر' }
    expect(
      await settled(
        `insert into requirement_trees (program_id, revision, mode, tree) values (${program}, 1, 'adds', $2)`,
        [me, JSON.stringify(tree)],
      ),
    ).toEqual([true, 1, expect.any(Number), false])
    // What was granted for another program is nothing here: what is missing stays missing.
    await q(
      `with other as (insert into programs (code, name, name_local, bylaw_id, faculty_id)
         select 'PX', 'PX', 'برنامج', bylaw_id, faculty_id from students where id = $1 returning id)
       insert into degree_exceptions (student_id, program_id, kind, key, reason)
       select $1, id, 'waive', 'degree', 'x' from other`,
      [me],
    )
    const [{ graduation }] = (await q('select graduation from student_terms where student_id = $1 and term_id = $2', [
      me,
      f.spring,
    ])) as [any]
    expect([graduation.length > 0, await outdated(), await recompute(f.spring)]).toEqual([true, false, []])
    expect(await settled(`update programs set min_credit_hours = min_credit_hours + 1 where id = ${program}`)).toEqual([
      true,
      1,
      expect.any(Number),
      false,
    ])
    await q(
      `with t as (insert into placement_tests (code, name, name_local) values ('PB', 'P', 'اختبار') returning id),
        l as (insert into placement_levels (placement_test_id, position, name, name_local, from_score, to_score)
          select id, n, 'L', 'م', n * 50, n * 50 + 50 from t, generate_series(0, 1) n)
        insert into placement_courses (placement_test_id, position, course_id, level) select id, 0, $1, 1 from t`,
      [f.courses[2]],
    )
    expect(
      await settled(`insert into placement_results (code, placement_test_id, student_id, score, level)
        select 'RB', id, $1, 80, 2 from placement_tests where code = 'PB'`),
    ).toEqual([true, 1, expect.any(Number), false])
    await q(`delete from placement_results where student_id = $1`, [me])
    await q(
      `update degree_exceptions set revoked_at = now(), revoked_reason = 'x' where revoked_at is null and student_id = $1`,
      [me],
    )
    await q(`insert into requirement_trees (program_id, revision, mode, tree) values (${program}, 2, 'adds', null)`, [
      me,
    ])
  })
})

describe('taking finishing back', () => {
  const unfinish = (term_id: number, who = head, reason = 'a sheet was missing') =>
    who('POST', '/control/students/unfinish', { term_id, ids: [me], reason })

  test('needs a reason and the right, goes from the last term back, and leaves what stood before', async () => {
    await taught(0, 90)
    await taught(1, 80, f.spring)
    await finish(f.fall)
    await finish(f.spring)
    expect((await unfinish(f.spring, head, '')).status).toBe(422)
    expect((await unfinish(f.spring, own)).status).toBe(403)
    expect((await unfinish(f.fall)).body).toMatchObject({
      done: [],
      failed: [{ id: me, errors: [{ code: 'later_term_finished', data: { term: '2025-2' } }] }],
    })
    expect((await unfinish(f.spring)).body).toEqual({ done: [me], failed: [] })
    expect(await student()).toEqual({ gpa: '4.00', passed_hours: 3, level: 1, warnings: 0 })
    expect((await unfinish(f.spring)).body.failed[0].errors[0].code).toBe('term_not_finished')
    expect((await unfinish(f.fall)).body).toEqual({ done: [me], failed: [] })
    expect([await rows(), await student()]).toEqual([[], { gpa: null, passed_hours: 0, level: 1, warnings: 0 }])
    const [trail] = await q(
      `select reason from audit_log where table_name = 'student_terms' and action = 'delete' order by id desc limit 1`,
      [],
    )
    expect(trail.reason).toBe('a sheet was missing')
    await finish(f.fall)
    expect(await student()).toMatchObject({ gpa: '4.00' })
  })

  test('a dismissal takes effect when it is published, is told, and goes back with the finishing', async () => {
    const status = async () => (await q('select status from students where id = $1', [me]))[0].status
    await taught(0, 40)
    await finish(f.fall)
    const last = await taught(1, 30, f.spring, 'Approved')
    // A course of the term that runs next: it ends with a dismissal, and comes back with the study.
    const [next] = (await q(
      `insert into terms (code, name, name_local, year_id, term_type, start_date, end_date)
       select 'NEXT', 'Next', 'التالي', year_id, 'summer', end_date + 1, university_today() + 60 from terms where id = $1 returning id`,
      [f.spring],
    )) as [{ id: number }]
    const running = await offerCourse(uni.database, f, { course: 2, code: 'next', students: [me], term_id: next.id })
    const course = async () =>
      (
        await q('select action, reason from registration_history where registration_id = $1 order by id desc limit 1', [
          running.registrations[0],
        ])
      )[0]
    expect(await finish(f.spring)).toMatchObject({ finished: 1, dismissed: 1 })
    expect(await status()).toBe('studying')
    await step('publish', last)
    expect(await status()).toBe('dismissed')
    expect(await course()).toMatchObject({ action: 'force_withdraw', reason: expect.stringContaining('Results of') })
    expect(
      await q(
        'select to_status, source, source_id, left_ids from student_status_decisions where student_id = $1 order by id desc limit 1',
        [me],
      ),
    ).toEqual([{ to_status: 'dismissed', source: 'term_result', source_id: f.spring, left_ids: running.registrations }])
    const told = await q('select key from notifications where user_id = $1 order by id desc limit 2', [own.user_id])
    expect(told.map((row) => row.key)).toContain('grading.notice_dismissed')
    await step('undo', last)
    expect(await status()).toBe('studying')
    expect(await course()).toMatchObject({ action: 'undo' })
    await step('publish', last)
    expect((await unfinish(f.spring)).body.done).toEqual([me])
    expect(await status()).toBe('studying')
    // What somebody decided stays.
    await finish(f.spring)
    await q(`select decide_status(array[$1::int], 'suspended', 'Decision 1', university_today())`, [me])
    await unfinish(f.spring)
    expect(await status()).toBe('suspended')
  })

  test('who comes back by a decision is not dismissed again for the same term', async () => {
    const status = async () => (await q('select status from students where id = $1', [me]))[0].status
    const decide = (to: string) =>
      registrar('POST', `/students/status/${me}`, { status: to, decision: 'Council 3', decided_on: '2026-01-15' })
    await q(`select decide_status(array[$1::int], 'studying', 'Decision 1', university_today())`, [me])
    await taught(0, 40)
    await finish(f.fall)
    const last = await taught(1, 30, f.spring, 'Approved')
    await finish(f.spring)
    await step('publish', last)
    expect(await status()).toBe('dismissed')
    expect((await decide('studying')).status).toBe(200)
    // The figures of the term change: computed again, they still say what the decision has lifted.
    await q(`update students set gpa = null where id = $1`, [me])
    await q('select settle_standing($1::int[])', [[me]])
    expect(await status()).toBe('studying')
    // A later dismissal by decision is no matter of the term's figures either.
    expect((await decide('dismissed')).status).toBe(200)
    await unfinish(f.spring)
    expect(await status()).toBe('dismissed')
  })
})
