import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { SEAL } from '../signing/sign.server.ts'
import { verifyGrades } from '../signing/verify.server.ts'
import { cells, offerCourse, seed, statusOf, type Fixture, type TestOffering } from '../testing.server.ts'
import { checkDeciding, type RecheckFacts } from './recheck.rules.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let team: Caller
let dean: Caller
let instructor: Caller
let student: Caller
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows
const window = (from: string, to: string) =>
  query(
    `insert into term_stages (term_id, stage_code_id, starts_at, ends_at)
     select $1, id, now() + $2::interval, now() + $3::interval from stage_codes where code = 'recheck'`,
    [f.fall, from, to],
  )

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, studentsServer, gradingServer])
  f = await seed(uni.database)
  await query(
    `insert into stage_codes (code, name, name_local) values ('recheck', 'Recheck', 'مراجعة') on conflict do nothing`,
  )
  head = await uni.as('control_head')
  team = await uni.as('control_team', ['faculty', f.faculty])
  dean = await uni.as('dean', ['faculty', f.faculty])
  instructor = await uni.as('instructor', undefined, { type: 1 })
  await query('update instructors set user_id = $1 where id = $2', [instructor.user_id, f.instructor])
  const [row] = await query('select user_id from students where id = $1', [f.students[0]])
  await query(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'student'`, [
    row.user_id,
  ])
  student = await uni.signIn(row.user_id)
})
afterAll(() => uni.close())

let o: TestOffering
let n = 0
beforeEach(async () => {
  await query(
    'delete from grade_rechecks; delete from registrations; delete from term_stages; update offerings set removed_at = now()',
  )
  o = await offerCourse(uni.database, f, { code: `r${++n}` })
  await window('-1 day', '1 day')
  ok(
    await instructor('PUT', '/offerings/offering-students-grades/update', {
      offering_id: o.id,
      cells: o.registrations.flatMap((_, i) => cells(o, i, ['15', '15', '45'])),
    }),
  )
})
const steps = async (...words: string[]) => {
  for (const word of words) ok(await head('PUT', `/control/offerings/${word}-control-status/${o.id}`, {}))
}
const publish = () => steps('submit', 'review', 'approve', 'publish')
const ask = (who: Caller = student, i = 0, mark = 2) =>
  who('PUT', '/grades-recheck', {
    registration_id: o.registrations[i],
    offering_mark_id: o.scheme[mark],
    why: 'Question 4',
  })
const move = (who: Caller, id: number, status: string, body: object = {}) =>
  who('POST', `/grades-recheck/update-status/${id}`, { status, ...body })
const find = (who: Caller, id: number, mark: string) =>
  who('PUT', `/grades-recheck/${id}`, { mark, finding: 'Four marks more' })

test('a mark is asked about once, after publication, while the dates are open', async () => {
  expect(reasons(await ask())).toEqual(['recheck_not_published'])
  await publish()
  // What the bylaw shows only later is nothing to ask about, and not told.
  await query(`update bylaws set grades_visibility = grades_visibility || '{"marks": "Frozen"}'`)
  expect(reasons(await ask())).toEqual(['recheck_not_published'])
  expect(ok(await student('GET', '/grades-recheck/marks')).marks).toEqual([])
  await query(`update bylaws set grades_visibility = grades_visibility || '{"marks": "Published"}'`)
  expect(ok(await student('GET', '/grades-recheck/marks')).marks).toHaveLength(3)
  // Full marks are not offered: counting again gives no more.
  const [{ mark: had }] = await query(
    'select mark::text from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [o.registrations[0], o.scheme[2]],
  )
  const set = (mark: string) =>
    query('update registration_marks set mark = $3::numeric where registration_id = $1 and offering_mark_id = $2', [
      o.registrations[0],
      o.scheme[2],
      mark,
    ])
  await set('60')
  expect(ok(await student('GET', '/grades-recheck/marks')).marks).toHaveLength(2)
  expect(reasons(await ask())).toContain('recheck_full')
  await set(had)
  await query('delete from term_stages')
  expect(reasons(await ask())).toEqual(['recheck_no_window'])
  await window('-3 day', '-1 day')
  const closed = await ask()
  expect(reasons(closed)).toEqual(['recheck_window'])
  // Days and hours as people write them, by the clock of the university.
  expect(closed.body.errors[0].en).toMatch(/from \d{1,2} \w{3,4} \d{4}, \d\d:\d\d to \d{1,2} \w{3,4} \d{4}, \d\d:\d\d$/)
  await window('-1 day', '1 day')
  expect((await ask(student, 1)).status).toBe(404)
  expect((await ask(head)).status).toBe(403)
  const answers = await Promise.all([ask(), ask()])
  expect(answers.map((one) => one.status).toSorted()).toEqual([200, 409])
  const { id } = answers.find((one) => one.status === 200)!.body.data
  expect(reasons(await ask())).toEqual(['recheck_asked_twice'])
  ok(await move(student, id, 'cancelled'))
  const again = ok(await ask()).id
  // A course that was left in the meantime has no mark to change.
  ok(await move(team, again, 'under_review'))
  ok(await find(team, again, '49'))
  await query('update registrations set status = $1 where id = $2', [
    statusOf('Withdrawn', 'Fresh'),
    o.registrations[0],
  ])
  expect(reasons(await move(dean, again, 'accepted'))).toEqual(['recheck_left'])
  expect(reasons(await ask(student, 0, 1))).toEqual(['recheck_left'])
})

test('looked at by a second assessor, decided by another: everything follows, also on a frozen offering of a finished term', async () => {
  await publish()
  await steps('freez')
  ok(await head('POST', '/control/students/finish', { term_id: f.fall, ids: [f.students[0]] }))
  const before = (
    await query('select cumulative_gpa::text as gpa from student_terms where student_id = $1', [f.students[0]])
  )[0]
  const { id } = ok(await ask())
  // Neither who asked, nor who gave the mark, nor one person alone.
  expect((await move(student, id, 'under_review')).status).toBe(403)
  expect((await move(instructor, id, 'under_review')).status).toBe(403)
  ok(await move(team, id, 'under_review'))
  expect(reasons(await move(dean, id, 'accepted'))).toEqual(['recheck_not_reviewed'])
  expect(reasons(await find(team, id, '61'))).toEqual(['mark_maximum@mark'])
  expect(reasons(await find(team, id, ''))).toEqual(['recheck_mark@mark'])
  expect(ok(await find(team, id, '60')).after).toMatchObject({
    mark: '60',
    total: '90.00',
    letter: 'A',
    points: '4.00',
  })
  // Who asked does not see what was found before it is decided.
  const seen = ok(await student('GET', `/grades-recheck/${id}`))
  expect([seen.new_mark, seen.finding, seen.after, seen.abilities]).toEqual([null, null, null, []])
  expect((await move(team, id, 'accepted')).status).toBe(403)
  const reviewer = await uni.as('control_head')
  ok(await reviewer('PUT', `/grades-recheck/${id}`, { mark: '60', finding: 'Counted again' }))
  expect(reasons(await move(reviewer, id, 'accepted'))).toEqual(['recheck_same_person'])
  ok(await move(dean, id, 'accepted'))
  expect(await query('select total::text, letter from registrations where id = $1', [o.registrations[0]])).toEqual([
    { total: '90.00', letter: 'A' },
  ])
  const after = (
    await query('select cumulative_gpa::text as gpa, revised_since from student_terms where student_id = $1', [
      f.students[0],
    ])
  )[0]
  expect([before.gpa, after.gpa, after.revised_since]).toEqual(['3.00', '4.00', null])
  expect(
    await query(`select cause, actor_id from grade_links where offering_id = $1 order by number desc limit 1`, [o.id]),
  ).toEqual([{ cause: 'recheck', actor_id: dean.user_id }])
  expect(
    (await verifyGrades(uni.services.db, { seal: await sealOf(uni.services, SEAL) })).findings.filter(
      (one) => one.offering?.id === o.id,
    ),
  ).toEqual([])
  expect(reasons(await move(dean, id, 'rejected', { reason: 'Too late' }))).toEqual(['step_state'])
})

test('what was found is written while it is under review, over what was read, and not by who asked', async () => {
  await publish()
  const { id } = ok(await ask())
  const early = await find(team, id, '50')
  expect([early.status, reasons(early)]).toEqual([409, ['step_state']])
  ok(await move(team, id, 'under_review'))
  const [{ version }] = await query('select version from grade_rechecks where id = $1', [id])
  const late = await team('PUT', `/grades-recheck/${id}`, { mark: '50', finding: 'More', version: version - 1 })
  expect([late.status, reasons(late)]).toEqual([409, ['changed_meanwhile']])
  await query(`insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'control_head'`, [
    student.user_id,
  ])
  const both = await uni.signIn(student.user_id)
  const own = await find(both, id, '60')
  await query(
    `delete from role_assignments where user_id = $1 and role_id = (select id from roles where key = 'control_head')`,
    [student.user_id],
  )
  expect([own.status, reasons(own)]).toEqual([403, ['step_own']])
  expect(await query('select new_mark, finding from grade_rechecks where id = $1', [id])).toEqual([
    { new_mark: null, finding: null },
  ])
})

test('who gave the mark never judges it again, by any door', async () => {
  await query('delete from registration_marks')
  const assessor = await uni.as('control_head')
  ok(
    await assessor('PUT', '/offerings/offering-students-grades/update', {
      offering_id: o.id,
      cells: o.registrations.flatMap((_, i) => cells(o, i, ['15', '15', '45'])),
    }),
  )
  // Somebody else has changed it since: both gave it.
  const [mark] = await query(
    'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [o.registrations[0], o.scheme[2]],
  )
  ok(
    await head('PUT', '/offerings/offering-students-grades/update', {
      offering_id: o.id,
      cells: [
        { registration_id: o.registrations[0], offering_mark_id: o.scheme[2], mark: '44', version: mark.version },
      ],
    }),
  )
  await publish()
  const { id } = ok(await ask())
  for (const one of [assessor, head]) {
    expect(reasons(await move(one, id, 'under_review'))).toEqual(['recheck_first_assessor'])
    expect(reasons(await move(one, id, 'rejected', { reason: 'Not so' }))).toEqual(['recheck_first_assessor'])
  }
  ok(await move(team, id, 'under_review'))
  expect(reasons(await find(head, id, '50'))).toEqual(['recheck_first_assessor'])
  ok(await find(team, id, '44'))
  expect(reasons(await move(dean, id, 'accepted'))).toEqual(['recheck_same_mark'])
  expect(reasons(await move(dean, id, 'rejected'))).toEqual(['reason_required@reason'])
  ok(await move(dean, id, 'rejected', { reason: 'The sum is right' }))
})

test('who teaches asks for a correction after submission; others get nothing', async () => {
  expect(reasons(await ask(instructor, 3))).toEqual(['correction_not_submitted'])
  await steps('submit')
  const { id } = ok(await ask(instructor, 3))
  expect(reasons(await ask(instructor, 3))).toEqual(['recheck_runs'])
  ok(await move(team, id, 'under_review'))
  ok(await find(team, id, '30'))
  ok(await move(dean, id, 'accepted'))
  expect(
    (
      await query(
        'select trim_scale(mark)::text as mark from registration_marks where registration_id = $1 and offering_mark_id = $2',
        [o.registrations[3], o.scheme[2]],
      )
    )[0].mark,
  ).toBe('30')
  const elsewhere = await uni.as('control_team', ['faculty', f.otherFaculty])
  const strange = await uni.as('instructor', undefined, { type: 1 })
  for (const one of [elsewhere, strange, student]) {
    expect((await one('GET', `/grades-recheck/${id}`)).status).toBe(404)
    expect((await one('POST', '/grades-recheck', {})).body.data ?? []).toEqual([])
  }
  expect((await elsewhere('PUT', `/grades-recheck/${id}`, { mark: '1', finding: 'None' })).status).toBe(404)
  expect(ok(await instructor('GET', `/grades-recheck/marks?offering_id=${o.id}`)).marks).toHaveLength(18)
})

test('the rule tells every reason at once', () => {
  const good: RecheckFacts = {
    people: [1],
    assessors: [2],
    reviewed_by: 3,
    new_mark: '50',
    old_mark: '45',
    mark: '45',
    takes_marks: true,
    control_status: 'Frozen',
    names_closed: false,
  }
  const codes = (change: Partial<RecheckFacts>) => checkDeciding({ ...good, ...change }).map((one) => one.code)
  expect(codes({})).toEqual([])
  expect(codes({ people: [9, 2] })).toEqual(['recheck_first_assessor'])
  expect(codes({ people: [3, 2], new_mark: '45', mark: '46', takes_marks: false, names_closed: true })).toEqual([
    'recheck_first_assessor',
    'recheck_same_person',
    'recheck_same_mark',
    'recheck_left',
    'recheck_names',
    'recheck_moved',
  ])
})
