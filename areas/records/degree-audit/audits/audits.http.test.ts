import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { tagsServer } from '#areas/people/tags/tags.server.ts'
import { readSheet } from '#kit/server/sheets/index.ts'
import { ok as right, reasons as refused, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { degreeAuditServer } from '../degree-audit.server.ts'

let uni: TestUniversity
let registrar: Caller
let advisor: Caller
const id: Record<string, number> = {}
const q = async (text: string, values: unknown[] = []) => (await uni.database.pool.query(text, values)).rows
/** The body of an answer that is right; the codes of one that is refused. */
const ok = async (answer: Promise<Answer>): Promise<any> => {
  const { body } = await answer
  right(await answer)
  return body
}
const reasons = async (answer: Promise<Answer>) => {
  const { body, status } = await answer
  const codes = refused(await answer).map((one) => one.split('@')[0])
  return codes.length ? codes : [status === 200 ? 'done' : body.message]
}
const one = async (name: string, text: string, values: unknown[] = []) => (id[name] = (await q(text, values))[0].id)

/** A program of two mandatory courses, and three more of the catalogue; Mona has passed A1 and C1, and takes B1. */
async function seed(): Promise<void> {
  await one('ENG', `insert into faculties (code, name, name_local) values ('ENG', 'ENG', 'كلية') returning id`)
  await one(
    'bylaw',
    `insert into bylaws (faculty_id, code, name, name_local, program_type, graduation_hours, graduation_gpa)
     values ($1, 'B', 'B', 'لائحة', 'credit_hours', 6, 0) returning id`,
    [id.ENG],
  )
  for (const code of ['CS', 'IS'])
    await one(
      code,
      `insert into programs (bylaw_id, faculty_id, code, name, name_local, min_credit_hours) values ($1, $2, $3, $3, 'برنامج', 6) returning id`,
      [id.bylaw, id.ENG, code],
    )
  for (const code of ['A1', 'B1', 'C1', 'D1'])
    await one(
      code,
      `insert into courses (faculty_id, code, name, name_local, credit_hours) values ($1, $2, $2, 'مقرر', 3) returning id`,
      [id.ENG, code],
    )
  await q(
    `insert into program_courses (program_id, course_id, level, semester, kind) values ($1, $2, 1, 1, 'mandatory'), ($1, $3, 1, 2, 'mandatory'), ($4, $2, 1, 1, 'mandatory')`,
    [id.CS, id.A1, id.B1, id.IS],
  )
  await one(
    'year',
    `insert into years (code, name, name_local, start_date, end_date) values ('Y', 'Y', 'ع', '2025-09-01', '2026-08-31') returning id`,
  )
  await one(
    'term',
    `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date) values ($1, 'F', 'F', 'فصل', 'fall', '2025-09-20', '2026-01-20') returning id`,
    [id.year],
  )
  for (const code of ['mona', 'omar'])
    await one(
      code,
      `insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level) values ($1, $1, 'طالب', $2, $3, $4, 1) returning id`,
      [code, id.ENG, id.CS, id.bylaw],
    )
  for (const [student, course, passed] of [
    ['mona', 'A1', true],
    ['mona', 'C1', true],
    ['mona', 'B1', null],
    ['omar', 'A1', true],
  ] as const) {
    const [{ id: offering }] = await q(
      `insert into offerings (term_id, course_id, faculty_id, code, control_status) values ($1, $2, $3, $4, $5) returning id`,
      [id.term, id[course], id.ENG, student + course, 'Draft'],
    )
    await q(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours, total, letter, points, passed, counts_in_gpa, counts_in_attempted_hours)
       values ($1, $2, $3, $4, $5, 3, $6, $7, $8, $9, true, true)`,
      [
        id[student],
        offering,
        id.term,
        id[course],
        String(flag.Registered | flag.Fresh),
        passed && 80,
        passed && 'B',
        passed && 3,
        passed,
      ],
    )
    if (passed) await q(`update offerings set control_status = 'Published' where id = $1`, [offering])
  }
}

beforeAll(async () => {
  uni = await testUniversity([catalogueServer, peopleServer, tagsServer, studentsServer, degreeAuditServer], {
    work: true,
  })
  await seed()
  registrar = await uni.as('registrar')
  advisor = await uni.as('academic_advisor')
})
afterAll(() => uni.close())

const plan = async (query = '') => (await ok(registrar('GET', `/students/${id.mona}/study-plan${query}`))).data
const part = (of: { parts: { key: string }[] }, key: string): any => of.parts.find((each) => each.key === key)
const saveTree = (program: string, revision: number, tree: object | null, mode = 'adds') =>
  q('insert into requirement_trees (program_id, revision, mode, tree) values ($1, $2, $3, $4)', [
    id[program],
    revision,
    mode,
    tree && JSON.stringify(tree),
  ])
const leaf = (key: string, from: object[]) => ({
  kind: 'courses',
  key,
  name: `Name of ${key}`,
  name_local: 'اسم',
  unit: 'courses',
  min: 1,
  from,
})

describe('the study plan', () => {
  test('answers by all requirements, and as before', async () => {
    const before = await plan()
    expect(before).toMatchObject({
      complete: false,
      percent: 50,
      revisions: { program: 0, bylaw: 0 },
      hours: { earned: 3, in_progress: 3 },
    })
    expect(before.way).toMatchObject({ terms: [], open: [], proved: true })
    expect(before.other.map((each: { course: { code: string } }) => each.course.code)).toEqual(['C1'])
    await one(
      'tag',
      `insert into tags (code, name, name_local, colour) values ('LAB', 'Lab', 'معمل', 'red') returning id`,
    )
    await q('insert into course_tags (course_id, tag_id) values ($1, $2)', [id.C1, id.tag])
    await saveTree('CS', 1, {
      kind: 'all',
      key: 'root',
      name: 'Own',
      name_local: 'خاص',
      parts: [leaf('lab', [{ by: 'tag', tag_id: id.tag }]), leaf('late', [{ by: 'course', course_id: id.D1 }])],
    })
    const after = await plan()
    expect(after).toMatchObject({ complete: false, revisions: { program: 1 }, hours: { earned: 6 }, other: [] })
    expect(after.way.terms.map((term: { code: string }[]) => term.map((each) => each.code))).toEqual([['D1']])
    const own = part(after.requirements, 'program.root')
    expect(part(own, 'program.lab')).toMatchObject({ state: 'met', courses: [{ course: { code: 'C1' }, by: 'rule' }] })
    expect(part(own, 'program.late')).toMatchObject({
      state: 'missing',
      name: 'Name of late',
      missing: [{ code: 'missing_courses', en: 'Courses still to pass: 1' }],
    })
  })

  test('what if: another program, and a course that a requirement names stays', async () => {
    const other = await plan(`?program_id=${id.IS}`)
    expect(other).toMatchObject({ what_if: true, complete: false, revisions: { program: 0 }, hours: { earned: 3 } })
    expect(await reasons(registrar('DELETE', `/courses/${id.D1}`))).toEqual(['named_by_requirement'])
  })

  test('a tree in place of the plan asks for nothing of it', async () => {
    await saveTree('IS', 1, leaf('only', [{ by: 'code', pattern: 'C*' }]), 'replaces')
    const other = await plan(`?program_id=${id.IS}`)
    expect(other.groups).toEqual([])
    expect(other.requirements.parts.map((each: { key: string }) => each.key)).toEqual([
      'program.only',
      'hours',
      'gpa',
      'training',
    ])
  })
})

describe('exceptions', () => {
  const grant = (body: object, who = registrar, student = 'mona') =>
    who('POST', `/students/${id[student]}/degree-exceptions`, { reason: 'The council decided', ...body })

  test('are refused with every reason, and without the right', async () => {
    expect((await grant({ kind: 'waive', key: 'program.late' }, advisor)).status).toBe(403)
    expect(await reasons(grant({ kind: 'waive', key: 'nothing' }))).toEqual(['exception_unknown'])
    expect(await reasons(grant({ kind: 'waive', key: 'training', course_id: id.C1 }))).toEqual([
      'exception_course_of_waiver',
    ])
    expect(await reasons(grant({ kind: 'substitute', key: 'program.late' }))).toEqual(['exception_course_needed'])
    expect(
      await reasons(grant({ kind: 'substitute', key: 'program.late', course_id: id.D1, for_course_id: id.A1 })),
    ).toEqual(['exception_not_listed', 'exception_not_taken'])
    expect(await reasons(grant({ kind: 'settle', key: 'program.late', course_id: id.C1 }))).toEqual([
      'exception_cannot_count',
    ])
    // Of the plan every course is wanted: no other counts there but in the place of one of them.
    expect(await reasons(grant({ kind: 'substitute', key: 'plan', course_id: id.C1 }))).toEqual([
      'exception_no_courses',
    ])
    expect(await reasons(grant({ kind: 'substitute', key: 'plan', course_id: id.D1 }))).toEqual([
      'exception_no_courses',
      'exception_not_taken',
    ])
  })

  test('let another course stand in, are told with who and why, and taken back', async () => {
    const stand = { kind: 'substitute', key: 'program.late', course_id: id.C1, for_course_id: id.D1 }
    const [granted] = (await ok(grant(stand))).data
    expect(granted).toMatchObject({
      reason: 'The council decided',
      granted_by: { id: registrar.user_id },
      course: { code: 'C1' },
    })
    const late = part(part((await plan()).requirements, 'program.root'), 'program.late')
    expect(late).toMatchObject({
      state: 'met',
      courses: [{ course: { code: 'C1' }, by: 'substitute', for_course_id: id.D1 }],
    })
    expect(await reasons(grant(stand))).toEqual(['exception_twice'])
    const path = `/students/${id.mona}/degree-exceptions/${granted.id}/revoke`
    expect((await ok(registrar('POST', path, { reason: 'By mistake' }))).data[0]).toMatchObject({
      revoked_reason: 'By mistake',
    })
    expect(await reasons(registrar('POST', path, { reason: 'Again' }))).toEqual(['exception_revoked'])
    expect((await plan()).exceptions).toEqual([])
    await expect(q(`update degree_exceptions set reason = 'x'`)).rejects.toThrow(/taken back, not changed/)
    const audited = await q(`select count(*)::int as n from audit_log where table_name = 'degree_exceptions'`)
    expect(audited[0].n).toBe(2)
  })

  test('nobody decides about the own degree; in another program they do not hold', async () => {
    const own = await uni.as('registrar')
    await q('update students set user_id = $1 where id = $2', [own.user_id, id.omar])
    expect(await reasons(grant({ kind: 'waive', key: 'degree' }, own, 'omar'))).toEqual(['exception_own'])
    await q('update students set user_id = null where id = $1', [id.omar])
    await ok(grant({ kind: 'waive', key: 'degree' }, registrar, 'omar'))
    const omar = async (query = '') => (await ok(registrar('GET', `/students/${id.omar}/study-plan${query}`))).data
    expect(await omar()).toMatchObject({ complete: true, percent: 100 })
    expect((await omar(`?program_id=${id.IS}`)).complete).toBe(false)
  })
})

describe('placements', () => {
  test('the study plan shows a course from which the placement excuses, and does not ask for it', async () => {
    const plan = async () => (await ok(registrar('GET', `/students/${id.omar}/study-plan`))).data
    const before = (await plan()).groups[0].courses[1]
    expect(before).toMatchObject({ state: 'missing', excused: false })
    await one(
      'test',
      `with t as (insert into placement_tests (code, name, name_local) values ('P', 'P', 'اختبار') returning id),
         l as (insert into placement_levels (placement_test_id, position, name, name_local, from_score, to_score)
           select id, n, 'L', 'م', n * 50, n * 50 + 50 from t, generate_series(0, 1) n),
         c as (insert into placement_courses (placement_test_id, position, course_id, level) select id, 0, $1, 1 from t)
       select id from t`,
      [id.B1],
    )
    await q(
      `insert into placement_results (code, placement_test_id, student_id, score, level) values ('R', $1, $2, 80, 2)`,
      [id.test, id.omar],
    )
    const after = await plan()
    expect(after.groups[0].courses[1]).toMatchObject({ state: 'met', excused: true, satisfied_by: null })
    expect(after.requirements.parts[0].parts[0].listed[1]).toMatchObject({ state: 'met', excused: true })
    await q('delete from placement_results where student_id = $1', [id.omar])
  })
})

describe('the audit of a program', () => {
  test('a job audits everybody, says against which revisions, and a sheet tells what is missing', async () => {
    expect((await advisor('POST', '/degree-audits', { program_id: id.CS })).status).toBe(403)
    expect(await reasons(registrar('POST', '/degree-audits', {}))).toEqual(['audit_of_what'])
    const { data: run } = await ok(registrar('POST', '/degree-audits', { program_id: id.CS }))
    await expect
      .poll(async () => (await ok(registrar('GET', `/degree-audits/${run.id}`))).run.finished_at, { timeout: 60_000 })
      .not.toBeNull()
    // What is saved afterwards changes nothing of what was found.
    await saveTree('CS', 2, null)
    const found = await ok(registrar('GET', `/degree-audits/${run.id}`))
    expect(found.run).toMatchObject({ students: 2, met: 1, in_progress: 0, program: { code: 'CS' } })
    expect(found.data.map((row: any) => [row.student.code, row.percent, row.state, row.revisions])).toEqual([
      ['omar', 100, 'met', { program: 1, bylaw: 0 }],
      ['mona', expect.any(Number), 'missing', { program: 1, bylaw: 0 }],
    ])
    expect(found.data[1].missing).toEqual([
      expect.objectContaining({ key: 'program.late', missing: [expect.objectContaining({ code: 'missing_courses' })] }),
    ])
    expect((await ok(registrar('GET', `/degree-audits/${run.id}?state=met`))).meta.count).toBe(1)
    const lacks = await ok(registrar('GET', `/degree-audits/${run.id}/lacks`))
    expect(lacks.data).toEqual([
      expect.objectContaining({ key: 'program.late', students: 1, program: expect.objectContaining({ code: 'CS' }) }),
    ])
    const lacking = await ok(registrar('GET', `/degree-audits/${run.id}?lacks=program.late`))
    expect(lacking.data.map((row: any) => row.student.code)).toEqual(['mona'])
    expect((await ok(registrar('GET', `/degree-audits/${run.id}?lacks=program.other`))).meta.count).toBe(0)
    const sheet = await readSheet((await registrar('GET', `/degree-audits/${run.id}/export`)).bytes)
    expect(JSON.stringify(sheet)).toContain('اسم: عدد المقررات المتبقية: 1')
    // A faculty that is not theirs is not there.
    const elsewhere = await one(
      'MED',
      `insert into faculties (code, name, name_local) values ('MED', 'MED', 'ط') returning id`,
    )
    const stranger = await uni.as('faculty_registrar', ['faculty', elsewhere])
    expect((await stranger('POST', '/degree-audits', { program_id: id.CS })).status).toBe(404)
    expect((await stranger('GET', `/degree-audits/${run.id}`)).status).toBe(404)
  })
})

describe('requirements that are changed while students are audited', () => {
  test('all are held against what was read first, and each line says so', async () => {
    await saveTree('CS', 3, { kind: 'hand', key: 'early', name: 'Early', name_local: 'مبكر' })
    const holder = await uni.database.pool.connect()
    await holder.query('begin')
    await holder.query('lock table degree_audit_results in share mode')
    const { data: run } = await ok(registrar('POST', '/degree-audits', { program_id: id.CS }))
    const waits = `select count(*)::int as n from pg_locks where not granted and relation = 'degree_audit_results'::regclass`
    await expect.poll(async () => (await q(waits))[0].n, { timeout: 60_000 }).toBeGreaterThan(0)
    await saveTree('CS', 4, { kind: 'hand', key: 'late', name: 'Late', name_local: 'متأخر' })
    await holder.query('commit')
    holder.release()
    await expect
      .poll(async () => (await ok(registrar('GET', `/degree-audits/${run.id}`))).run.finished_at, { timeout: 60_000 })
      .not.toBeNull()
    const found = await ok(registrar('GET', `/degree-audits/${run.id}`))
    expect(found.data.map((row: any) => row.revisions.program)).toEqual([3, 3])
    expect(JSON.stringify(found.data)).not.toContain('Late')
    await saveTree('CS', 5, null)
  })
})

describe('before requirements are saved', () => {
  beforeAll(() =>
    q(`update degree_exceptions set revoked_at = now(), revoked_reason = 'test' where revoked_at is null`),
  )
  const edit = (...codes: string[]) => ({
    requirements: {
      mode: 'adds',
      tree: {
        kind: 'courses',
        key: 'own',
        name: 'Own',
        name_local: 'خاص',
        unit: 'courses',
        min: 1,
        from: codes.map((code) => ({ by: 'course', course_id: id[code] })),
      },
    },
  })
  const path = () => `/requirement-trees/program/${id.CS}`
  const touched = async (who: Caller, body: object) => (await ok(who('POST', `${path()}/touched`, body))).data

  test('it is told whose standing changes, by name to whom may see the students', async () => {
    const [before] = await q('select count(*)::int as count from requirement_trees')
    const found = await touched(registrar, edit('D1'))
    expect(found).toMatchObject({ students: 2, looked: 2, after: 0, further: 2, nearer: 0, hidden: 0 })
    expect(found.changes.map((one: any) => one.student.code).toSorted()).toEqual(['mona', 'omar'])
    // Mona has C1, which then counts: only Omar is further from the degree.
    expect(await touched(registrar, edit('C1'))).toMatchObject({ further: 1, nearer: 1 })
    expect(await reasons(registrar('POST', `${path()}/touched`, edit()))).toEqual(['requirement_no_courses'])
    expect(await q('select count(*)::int as count from requirement_trees')).toEqual([before])

    const elsewhere = await uni.as('program_coordinator', ['program', id.IS!])
    expect((await elsewhere('POST', `${path()}/touched`, {})).status).toBe(404)
    expect((await elsewhere('POST', `${path()}/students/${id.mona}`, {})).status).toBe(404)
  })

  test('so it is with the hours, the GPA and the plan that graduation asks for', async () => {
    expect(await touched(registrar, { gpa: 4 })).toMatchObject({ further: 2, before: 1, after: 0 })
    expect((await touched(registrar, { hours: 30 })).further).toBe(2)
    expect((await touched(registrar, { without_courses: [id.B1] })).nearer).toBeGreaterThan(0)
    expect(await touched(registrar, {})).toMatchObject({ further: 0, nearer: 0, changes: [] })
  })

  test('so it is with courses and pools that are put into the plan, stand there otherwise or go', async () => {
    const put = (kind: string, pool_id: number | null = null, code = 'D1') => ({
      courses: [{ course_id: id[code], kind, pool_id, level: 1 }],
    })
    expect(await touched(registrar, put('mandatory'))).toMatchObject({ before: 1, after: 0, further: 2 })
    // Mona has passed C1: asked of both, it is missing to Omar alone.
    expect(await touched(registrar, put('university', null, 'C1'))).toMatchObject({ further: 1 })
    // A new pool asks for what nobody can have yet.
    expect((await touched(registrar, { pools: [{ id: null, min_credit_hours: 3 }] })).further).toBe(2)
    const [pool] = await q(
      `insert into program_pools (program_id, name, name_local, min_credit_hours) values ($1, 'Free', 'حر', 0) returning id`,
      [id.CS],
    )
    expect((await touched(registrar, { pools: [{ id: pool.id, min_credit_hours: 3 }] })).further).toBe(2)
    // B1 is missing to Omar; one of many in a pool that asks for nothing it is missing to nobody.
    expect((await touched(registrar, put('elective', pool.id, 'B1'))).nearer).toBeGreaterThan(0)
    await q('update program_pools set min_credit_hours = 3 where id = $1', [pool.id])
    expect((await touched(registrar, { without_pools: [pool.id] })).nearer).toBe(2)
    await q('delete from program_pools where id = $1', [pool.id])
    const { data } = await ok(registrar('POST', `${path()}/students/${id.omar}`, put('mandatory')))
    expect(JSON.stringify(data.requirements)).toContain('"code":"D1"')
  })

  test('an exception granted for another program counts for nobody here', async () => {
    const { before } = await touched(registrar, {})
    await q(
      `insert into degree_exceptions (student_id, program_id, kind, key, reason) values ($1, $2, 'waive', 'degree', 'x')`,
      [id.omar, id.IS],
    )
    expect((await touched(registrar, {})).before).toBe(before)
    await q(
      `insert into degree_exceptions (student_id, program_id, kind, key, reason) values ($1, $2, 'waive', 'degree', 'x')`,
      [id.omar, id.CS],
    )
    expect((await touched(registrar, {})).before).toBe(before + 1)
    await q(`update degree_exceptions set revoked_at = now(), revoked_reason = 'test' where revoked_at is null`)
  })

  test('a bylaw moves those of its programs that say nothing themselves', async () => {
    const of = async (owner: 'bylaw' | 'program', body: object) =>
      (await ok(registrar('POST', `/requirement-trees/${owner}/${owner === 'bylaw' ? id.bylaw : id.CS}/touched`, body)))
        .data
    await q('update bylaws set min_training_weeks = 2, version = version + 1 where id = $1', [id.bylaw])
    expect((await of('bylaw', { training_weeks: 8 })).further).toBe(2)
    expect((await of('program', { training_weeks: 8 })).further).toBe(2)
    await q('update programs set min_training_weeks = 4 where id = $1', [id.CS])
    expect((await of('bylaw', { training_weeks: 8 })).further).toBe(0)
    // Without weeks of its own those of the bylaw hold again.
    expect((await of('program', { training_weeks: null })).nearer).toBe(2)
    await q('update programs set min_training_weeks = null where id = $1', [id.CS])
    await q('update bylaws set min_training_weeks = 0, version = version + 1 where id = $1', [id.bylaw])
    // The program asks for 6 hours itself.
    expect((await of('bylaw', { hours: 30 })).further).toBe(0)
    expect((await of('program', { hours: 0 })).further).toBe(0)
  })

  test('a real student is audited under the draft, requirement by requirement', async () => {
    const { data } = await ok(registrar('POST', `${path()}/students/${id.mona}`, edit('C1', 'D1')))
    expect(part(data.requirements, 'program.own')).toMatchObject({
      state: 'met',
      courses: [{ course: { code: 'C1' }, state: 'passed' }],
    })
    expect(
      part((await ok(registrar('POST', `${path()}/students/${id.omar}`, edit('C1')))).data.requirements, 'program.own'),
    ).toMatchObject({
      state: 'missing',
    })
  })

  test('all students are looked at by a job', async () => {
    const { job_id } = await ok(registrar('POST', `${path()}/touched/all`, edit('D1')))
    await expect
      .poll(() => uni.services.jobs.get(registrar.user_id, job_id), { timeout: 45_000 })
      .toMatchObject({ state: 'done', result: { students: 2, looked: 2, further: 2 } })
  })
})
