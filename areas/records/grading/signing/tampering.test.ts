/** Whoever has the database and not the program: whatever is changed of what was approved, finished or credited is found and named. */
import { globSync, readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import type { Db } from '#db/connect.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { sealOf } from '#kit/server/identity/sealed.ts'
import { ok, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'
import { gradingServer } from '../grading.server.ts'
import { cells, into, offerCourse, seed, type Fixture, type TestOffering } from '../testing.server.ts'
import { signingFindingText } from './finding.rules.ts'
import { SEAL, signWhatIsNot } from './sign.server.ts'
import type { SigningFinding, Verified } from './signing.contract.ts'
import { verifyGrades } from './verify.server.ts'

let uni: TestUniversity
let f: Fixture
let head: Caller
let o: TestOffering
let other: TestOffering
let third: TestOffering
let credit: number
let level: number
const query = async <T = any>(text: string, values: unknown[] = []): Promise<T[]> =>
  (await uni.database.pool.query(text, values)).rows

const BY_ITSELF = {
  cause: 'begin',
  actor_id: null,
  impersonator_id: null,
  reason: null,
}
const begin = async () => {
  const seal = await sealOf(uni.services, SEAL)
  return uni.services.db.transaction().execute((tx) => signWhatIsNot(tx, { ...BY_ITSELF, seal }))
}
const verify = async () => verifyGrades(uni.services.db, { seal: await sealOf(uni.services, SEAL) })

beforeAll(async () => {
  uni = await testUniversity([kitServer, catalogueServer, studentsServer, gradingServer])
  f = await seed(uni.database)
  head = await uni.as('control_head')
  o = await offerCourse(uni.database, f, { code: '1', course: 0 })
  other = await offerCourse(uni.database, f, { code: '1', course: 1 })
  third = await offerCourse(uni.database, f, { code: '1', course: 2, students: [] })
  for (const one of [o, other]) {
    await query(
      `insert into registration_history (registration_id, student_id, offering_id, action, from_status, to_status, reason)
       select r.id, r.student_id, r.offering_id, x, null, r.status, 'as asked' from registrations r, unnest(array['request', 'accept']) x
       where r.offering_id = $1 order by r.id, x desc`,
      [one.id],
    )
    ok(
      await head('PUT', '/offerings/offering-students-grades/update', {
        offering_id: one.id,
        cells: one.registrations.flatMap((_, i) => cells(one, i, ['15', '15', '45'])),
      }),
    )
    for (const word of ['submit', 'review', 'approve', 'publish'])
      ok(await head('PUT', `/control/offerings/${word}-control-status/${one.id}`, {}))
  }
  ok(await head('POST', '/control/students/finish', { term_id: f.fall }))
  const [transfer] = await query(
    `with u as (insert into universities_list (code, name, name_local) values ('CU', 'Cairo University', 'جامعة القاهرة') returning id)
     insert into external_transfers (student_id, program_id, term_id, kind, university_id, status)
     select $1, $2, $3, 'external', u.id, 'executed' from u returning id`,
    [f.students[0], f.program, f.fall],
  )
  const [line, another] = await query(
    `insert into equivalences (external_transfer_id, position, source_code, source_name, source_hours, source_key, state)
     values ($1, 0, 'X', 'X', 3, 'x', 'none'), ($1, 1, 'Y', 'Y', 3, 'y', 'none') returning id`,
    [transfer.id],
  )
  const [made] = await query(
    `insert into course_credits (student_id, equivalence_id, course_id, term_id, credit_hours, letter, points, counts_in_gpa)
     values ($1, $2, $3, $4, 3, 'B', 3, true) returning id`,
    [f.students[0], line.id, f.courses[2], f.fall],
  )
  credit = made.id
  equivalence = another.id
  const [year] = await query('select year_id as id from terms where id = $1', [f.fall])
  const [own] = await into(uni.database, 'student_years', [
    {
      student_id: f.students[0],
      year_id: year.id,
      bylaw_id: f.bylaw,
      program_id: f.program,
      level: 1,
      enrolment: 'new',
    },
  ])
  ;[level] = (await into(uni.database, 'level_results', [{ bylaw_id: f.bylaw, year_id: year.id, level: 1 }])) as [
    number,
  ]
  await query(
    `insert into level_result_students (level_result_id, student_id, student_year_id, outcome_before, outcome, marks, maximum, grace,
       reasons, courses, uses_chance, failed, applied) values ($1, $2, $3, 'repeats', 'promoted', 300, 400, 2, '[]', '[]', false, 0, true)`,
    [level, f.students[0], own],
  )
  await query('insert into grace_marks (registration_id, level_result_id, marks) values ($1, $2, 2)', [
    o.registrations[0],
    level,
  ])
  await begin()
}, 180_000)
afterAll(() => uni.close())
let equivalence: number

/** What is found after statements of the owner of the database that no trigger sees; they are taken back. */
async function after(statements: string): Promise<Verified> {
  const seal = await sealOf(uni.services, SEAL)
  let found: Verified | undefined
  await uni.database.db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      for (const one of statements.split(';').filter((text) => text.trim())) {
        const { numAffectedRows } = await sql.raw(one).execute(tx)
        expect(Number(numAffectedRows), one).toBeGreaterThan(0)
      }
      const same = { transaction: () => ({ setIsolationLevel: () => ({ execute: (work: any) => work(tx) }) }) }
      found = await verifyGrades(same as unknown as Db, { seal })
      throw new Error('taken back')
    })
    .catch((error: Error) => {
      if (error.message !== 'taken back') throw error
    })
  return found!
}

type Way = readonly [what: string, statements: () => string, finding: Partial<Record<keyof SigningFinding, unknown>>]
const first = () => `student_id = ${f.students[0]}`
const r = (i = 0) => `id = ${o.registrations[i]}`
const row = () => `student_terms set`
const whose = (i = 0) => ({ student: expect.objectContaining({ code: `S00${i + 1}` }) })
const WAYS: readonly Way[] = [
  [
    'a mark',
    () => `update registration_marks set mark = 60 where registration_id = ${o.registrations[0]} and mark = 45`,
    { kind: 'cell', field: 'mark', signed: '45', stands: '60', ...whose() },
  ],
  [
    'a mark that came',
    () =>
      `insert into registration_marks (registration_id, offering_mark_id, mark) values (${o.registrations[0]}, ${other.scheme[0]}, 9)`,
    { kind: 'cell', field: 'mark', signed: null, stands: '9' },
  ],
  [
    'a mark that went',
    () => `delete from registration_marks where registration_id = ${o.registrations[0]} and mark = 45`,
    { kind: 'cell', field: 'mark', signed: '45', stands: null },
  ],
  [
    'a letter',
    () => `update registrations set letter = 'A' where ${r()}`,
    { kind: 'cell', field: 'letter', stands: 'A', ...whose() },
  ],
  ['points', () => `update registrations set points = 4 where ${r()}`, { kind: 'cell', field: 'points', stands: '4' }],
  ['a total', () => `update registrations set total = 99 where ${r()}`, { kind: 'cell', field: 'total', stands: '99' }],
  [
    'the state of a registration',
    () => `update registrations set status = status + 1024 where ${r()}`,
    { kind: 'cell', field: 'status' },
  ],
  [
    'the offering of a registration',
    () => `update registrations set offering_id = ${third.id} where ${r()}`,
    { kind: 'gone', ...whose() },
  ],
  [
    'the course of a registration',
    () => `update registrations set course_id = ${f.courses[3]} where ${r()}`,
    { kind: 'cell', about: 'offering', field: 'course_id', signed: 'CS101', stands: 'CS104', ...whose() },
  ],
  [
    'the hours of a registration',
    () => `update registrations set credit_hours = 6 where ${r()}`,
    { kind: 'cell', field: 'credit_hours', signed: '3', stands: '6' },
  ],
  [
    'what counts in the GPA',
    () => `update registrations set counts_in_gpa = false where ${r()}`,
    { kind: 'cell', field: 'counts_in_gpa', stands: 'false' },
  ],
  [
    'the course of the offering, with its registrations',
    () =>
      `update offerings set course_id = ${f.courses[3]} where id = ${o.id}; update registrations set course_id = ${f.courses[3]} where offering_id = ${o.id}`,
    {
      kind: 'cell',
      about: 'offering',
      field: 'course_id',
      offering: expect.objectContaining({ name: 'CS101' }),
    },
  ],
  [
    'the words of a course that was approved',
    () => `update offering_words set name = 'Another' where offering_id = ${o.id}`,
    { kind: 'cell', about: 'offering', field: 'name', signed: 'CS101', stands: 'Another' },
  ],
  [
    'the hours of a course that was approved',
    () => `update offering_words set credit_hours = 9 where offering_id = ${o.id}`,
    { kind: 'cell', about: 'offering', field: 'credit_hours', signed: '3', stands: '9' },
  ],
  ['the mark scheme', () => `update offering_marks set max = 70 where id = ${o.scheme[2]}`, { kind: 'scheme' }],
  [
    'the status of control',
    () => `update offerings set control_status = 'Reviewed' where id = ${o.id}`,
    { kind: 'status', stands: 'Reviewed' },
  ],
  [
    'two students who change places',
    () =>
      `update registrations set student_id = -1 where ${r()}; update registrations set student_id = ${f.students[0]} where ${r(1)}; update registrations set student_id = ${f.students[1]} where ${r()}`,
    { kind: 'cell', field: 'student_id' },
  ],
  [
    'a registration that went',
    () =>
      `delete from registration_marks where registration_id = ${o.registrations[3]}; delete from registrations where ${r(3)}`,
    { kind: 'gone', ...whose(3) },
  ],
  [
    'a registration that came',
    () =>
      `delete from registrations where ${r(5)}; insert into registrations (student_id, offering_id, term_id, course_id, credit_hours, status) select ${f.students[5]}, offering_id, term_id, course_id, 3, status from registrations where ${r(2)}`,
    { kind: 'added', ...whose(5) },
  ],
  [
    'grace marks',
    () => `update grace_marks set marks = 9`,
    { kind: 'cell', about: 'grace', field: 'grace', signed: '2', stands: '9', ...whose() },
  ],
  [
    'grace marks that came',
    () =>
      `insert into grace_marks (registration_id, level_result_id, marks) values (${o.registrations[2]}, ${level}, 3)`,
    { kind: 'unsealed', about: 'grace', ...whose(2) },
  ],
  ['grace marks that went', () => `delete from grace_marks`, { kind: 'gone', about: 'grace' }],
  [
    'the GPA of a term',
    () => `update ${row()} gpa = 4 where ${first()}`,
    {
      kind: 'cell',
      about: 'term',
      field: 'gpa',
      stands: '4',
      term: expect.objectContaining({ code: '2025-1' }),
      ...whose(),
    },
  ],
  [
    'the cumulative GPA',
    () =>
      `update ${row()} cumulative_gpa = 4 where ${first()}; update students set gpa = 4 where id = ${f.students[0]}`,
    { kind: 'cell', about: 'term', field: 'cumulative_gpa', stands: '4', ...whose() },
  ],
  [
    'the hours of a term',
    () => `update ${row()} passed_hours = 99 where ${first()}`,
    { kind: 'cell', about: 'term', field: 'passed_hours', stands: '99' },
  ],
  [
    'the points of a term',
    () => `update ${row()} cumulative_points = 99 where ${first()}`,
    { kind: 'cell', about: 'term', field: 'cumulative_points' },
  ],
  [
    'the standing of a term',
    () => `update ${row()} standing = 'dismissed' where ${first()}`,
    { kind: 'cell', about: 'term', field: 'standing', signed: 'good', stands: 'dismissed' },
  ],
  [
    'the level of a term',
    () => `update ${row()} level = 3 where ${first()}`,
    { kind: 'cell', about: 'term', field: 'level', stands: '3' },
  ],
  [
    'the warnings of a term',
    () => `update ${row()} warnings = 5 where ${first()}`,
    { kind: 'cell', about: 'term', field: 'warnings', stands: '5' },
  ],
  [
    'what keeps from graduating',
    () => `update ${row()} graduation = '[{"code":"none"}]' where ${first()}`,
    { kind: 'cell', about: 'term', field: 'graduation' },
  ],
  [
    'a row of a term that went',
    () => `delete from student_terms where ${first()}`,
    { kind: 'gone', about: 'term', term: expect.objectContaining({ code: '2025-1' }), ...whose() },
  ],
  [
    'a row of a term that came',
    () =>
      `insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa, cumulative_hours, cumulative_passed_hours, cumulative_points, cumulative_gpa, level, standing) values (${f.students[0]}, ${f.spring}, 3, 3, 3, 12, 4, 9, 9, 30, 4, 2, 'good')`,
    { kind: 'unsealed', about: 'term', term: expect.objectContaining({ code: '2025-2' }), ...whose() },
  ],
  [
    'the figures of a student',
    () => `update students set gpa = 4 where id = ${f.students[0]}`,
    { kind: 'cell', about: 'student', field: 'cumulative_gpa', stands: '4', ...whose() },
  ],
  [
    'a row of the history',
    () =>
      `update registration_history set reason = 'not asked' where id = (select min(id) from registration_history where registration_id = ${o.registrations[0]})`,
    { kind: 'cell', about: 'history', registration_id: 0, ...whose() },
  ],
  [
    'a row of the history that went',
    () =>
      `delete from registration_history where id = (select min(id) from registration_history where registration_id = ${o.registrations[0]})`,
    { kind: 'gone', about: 'history', offering: expect.objectContaining({ name: 'CS101' }) },
  ],
  [
    'a row of the history that came',
    () =>
      `insert into registration_history (registration_id, student_id, offering_id, action, to_status) select ${o.registrations[0]}, ${f.students[0]}, ${o.id}, 'accept', 1`,
    { kind: 'added', about: 'history', ...whose() },
  ],
  [
    'a credited letter',
    () => `update course_credits set letter = 'A' where id = ${credit}`,
    {
      kind: 'cell',
      about: 'credit',
      field: 'letter',
      signed: 'B',
      stands: 'A',
      course: expect.objectContaining({ code: 'CS103' }),
      ...whose(),
    },
  ],
  [
    'credited points',
    () => `update course_credits set points = 4 where id = ${credit}`,
    { kind: 'cell', about: 'credit', field: 'points', stands: '4' },
  ],
  [
    'credited hours',
    () => `update course_credits set credit_hours = 30 where id = ${credit}`,
    { kind: 'cell', about: 'credit', field: 'credit_hours', stands: '30' },
  ],
  [
    'a credited course',
    () => `update course_credits set course_id = ${f.courses[3]} where id = ${credit}`,
    { kind: 'cell', about: 'credit', field: 'course_id' },
  ],
  [
    'a credit that went',
    () => `delete from course_credits where id = ${credit}`,
    { kind: 'gone', about: 'credit', course: expect.objectContaining({ code: 'CS103' }), ...whose() },
  ],
  [
    'a credit that came',
    () =>
      `insert into course_credits (student_id, equivalence_id, course_id, term_id, credit_hours, letter, points, counts_in_gpa, code, name, name_local) values (${f.students[1]}, ${equivalence}, ${f.courses[3]}, ${f.fall}, 3, 'A', 4, true, 'CS104', 'x', 'x')`,
    { kind: 'unsealed', about: 'credit', ...whose(1) },
  ],
  [
    'the result of a level',
    () => `update level_result_students set outcome = 'graduates'`,
    { kind: 'cell', about: 'level', field: 'outcome', signed: 'promoted', stands: 'graduates', ...whose() },
  ],
  [
    'the result of a level that went',
    () => `delete from level_result_students`,
    { kind: 'gone', about: 'level', ...whose() },
  ],
  ['a link', () => `update grade_links set reason = 'x' where number = 1`, { kind: 'link', link: 1 }],
  ['a link that went', () => `delete from grade_links where number = 1`, { kind: 'chain' }],
  [
    'rows of a sheet that went',
    () => `delete from grade_link_rows where registration_id = ${o.registrations[0]}`,
    { kind: 'sheet' },
  ],
  [
    'a sealed record',
    () => `update grade_link_records set content = replace(content, '"good"', '"warned"') where kind = 'term'`,
    { kind: 'row', about: 'term' },
  ],
  [
    'the seal of a row of a term, with the row',
    () =>
      `delete from grade_link_records where kind = 'term' and key = '${f.students[0]}-${f.fall}'; delete from student_terms where ${first()}`,
    { kind: 'records' },
  ],
  ['the seal of a credited course', () => `delete from grade_link_records where kind = 'credit'`, { kind: 'records' }],
]

test('nothing is found where nothing was changed past the program', async () => {
  const { count, findings, records, sheets } = await verify()
  expect(findings).toEqual([])
  expect([count, sheets]).toEqual([0, 2])
  // Six rows of a term, a credited course, grace marks, a result of a level, two offerings.
  expect(records).toBe(11)
  expect(await begin()).toEqual({ sheets: 0, records: 0 })
})

test.each(WAYS)('%s is found and named', async (_what, statements, finding) => {
  const { findings } = await after(statements())
  const { registration_id, ...wanted } = finding
  const match = findings.find((one) => {
    try {
      expect(one).toMatchObject(wanted)
      return true
    } catch {
      return false
    }
  })
  expect(match, JSON.stringify(findings.slice(0, 4), null, 1)).toBeDefined()
  if (registration_id !== undefined) expect(match!.registration_id).toBe(o.registrations[0])
  expect(signingFindingText(match!)).not.toMatch(/undefined|null/)
})

test('a lawful change beside it does not sign what was changed past the program', async () => {
  const client = await uni.database.pool.connect()
  const behind = async (text: string) => {
    await client.query('set session_replication_role = replica')
    await client.query(text)
    await client.query('set session_replication_role = origin')
  }
  await behind(`update registrations set letter = 'A' where ${r(1)}`)
  await behind(`update offering_marks set max = 61 where id = ${o.scheme[2]}`)
  await behind(`update ${row()} level = 3 where student_id = ${f.students[1]}`)
  const [mark] = await query(
    'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [o.registrations[0], o.scheme[2]],
  )
  ok(
    await head('PUT', `/control/students/update-term-grades/${o.registrations[0]}`, {
      marks: [{ offering_mark_id: o.scheme[2], mark: '55', version: mark.version }],
      reason: 'Added up wrongly',
    }),
  )
  const { findings } = await verify()
  expect(findings.map((one) => [one.kind, one.about ?? 'sheet', one.field ?? null, one.student?.code ?? null])).toEqual(
    [
      ['scheme', 'sheet', null, null],
      ['cell', 'sheet', 'letter', 'S002'],
      ['cell', 'term', 'level', 'S002'],
    ],
  )
  await behind(`update registrations set letter = 'B' where ${r(1)}`)
  await behind(`update offering_marks set max = 60 where id = ${o.scheme[2]}`)
  await behind(`update ${row()} level = 2 where student_id = ${f.students[1]}`)
  client.release()
  expect((await verify()).findings).toEqual([])
})

test('what the program changes is sealed again: finishing anew, taking it back', async () => {
  const [mark] = await query(
    'select version from registration_marks where registration_id = $1 and offering_mark_id = $2',
    [o.registrations[4], o.scheme[2]],
  )
  ok(
    await head('PUT', `/control/students/update-term-grades/${o.registrations[4]}`, {
      marks: [{ offering_mark_id: o.scheme[2], mark: '20', version: mark.version }],
      reason: 'Added up wrongly',
    }),
  )
  expect((await verify()).findings).toEqual([])
  ok(await head('POST', '/control/students/finish', { term_id: f.fall }))
  expect((await verify()).findings).toEqual([])
  ok(
    await head('POST', '/control/students/unfinish', {
      term_id: f.fall,
      ids: [f.students[4]],
      reason: 'Too early',
    }),
  )
  const back = await verify()
  expect([back.findings, back.records]).toEqual([[], 10])
})

test('whoever writes what is sealed says so', () => {
  const silent = globSync('areas/**/*.server.ts').filter((file) => {
    const text = readFileSync(file, 'utf8')
    return (
      /(?:insert into|update|delete from) (?:student_terms|course_credits|grace_marks|level_result_students)\b/.test(
        text,
      ) && !text.includes('sealsRecords(tx)')
    )
  })
  expect(silent).toEqual([])
})
