import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { accessAndPeopleServer } from '#areas/people/access-and-people/access-and-people.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { computeGrades } from '#areas/records/grading/grades/compute.server.ts'
import { gradingServer } from '#areas/records/grading/grading.server.ts'
import { REGISTERED, cells, into, offerCourse, seed, statusOf } from '#areas/records/grading/testing.server.ts'
import type { Fixture } from '#areas/records/grading/testing.server.ts'
import { peopleServer } from '#areas/people/people/people.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { studentsServer } from '#areas/records/students/students.server.ts'
import { tagsServer } from '#areas/people/tags/tags.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { ok, reasons, testUniversity } from '#tests/university.ts'
import type { Answer, Caller, TestUniversity } from '#tests/university.ts'
import { openMailServer, type MailServer } from '#tests/mail-server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { tellClosed } from './merge.server.ts'
import { mergingServer } from './merging.server.ts'
import { CHOICES, FIELDS, KEPT, OF_EVERY_TABLE } from './fields.rules.ts'
import { MERGE_KINDS } from './merge.contract.ts'
import { examWorld } from '#areas/exams/exam-days/testing.server.ts'
import { DONE_BY, POINTERS, TABLES, WRITTEN_DOWN } from './pointers.rules.ts'

let u: TestUniversity
let mails: MailServer
let f: Fixture
let registrar: Caller
let root: Caller
let head: Caller

const q = async <Row = any>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows
const one = async (text: string, values: unknown[] = []): Promise<any> => (await q(text, values))[0]

beforeAll(async () => {
  mails = await openMailServer()
  u = await testUniversity(
    [
      kitServer,
      accessAndPeopleServer,
      catalogueServer,
      peopleServer,
      tagsServer,
      studentsServer,
      registrationServer,
      gradingServer,
      mergingServer,
    ],
    { env: { PUBLIC_URL: 'http://localhost', SMTP_URL: mails.url } },
  )
  f = await seed(u.database)
  registrar = await u.as('registrar')
  head = await u.as('control_head')
  root = await u.as(null)
  await q('update users set is_root = true where id = $1', [root.user_id])
  root = await u.signIn(root.user_id)
})
afterAll(async () => {
  await u?.close()
  await mails?.stop()
})

let made = 0
/** A student of the fixture's program, with an account where an address is given. */
async function student(
  more: Record<string, unknown> = {},
  email?: string,
): Promise<{ id: number; code: string; user_id: number | null }> {
  const code = `D${++made}`
  const [user_id = null] = email
    ? await into(u.database, 'users', [{ type: 3, name: code, name_local: 'طالب', email }])
    : []
  const [id] = await into(u.database, 'students', [
    {
      code,
      name: code,
      name_local: 'طالب',
      user_id,
      faculty_id: f.faculty,
      program_id: f.program,
      bylaw_id: f.bylaw,
      ...more,
    },
  ])
  return { id: id!, code, user_id }
}
/** A course with a result, approved, in a term. */
async function passed(student_id: number, course: number, term_id: number, total: number): Promise<number> {
  const o = await offerCourse(u.database, f, { course, code: `m${++made}`, students: [student_id], term_id })
  const rows = cells(o, 0, [
    `${Math.min(20, total)}`,
    `${Math.min(20, Math.max(0, total - 20))}`,
    `${Math.max(0, total - 40)}`,
  ])
  await q(
    'insert into registration_marks (registration_id, offering_mark_id, mark) select $1, m, v::numeric from unnest($2::int[], $3::text[]) as x(m, v)',
    [o.registrations[0], rows.map((c) => c.offering_mark_id), rows.map((c) => c.mark)],
  )
  await u.database.db.transaction().execute((tx) => computeGrades(tx, [o.id]))
  await q(`update offerings set control_status = 'Published' where id = $1`, [o.id])
  return o.registrations[0]!
}
const finish = async (term_id: number, ids: number[]) =>
  ok(await head('POST', '/control/students/finish', { term_id, ids }))

type Pair = { kind?: string; keep_id: number; merge_id: number; choices?: Record<string, string> }
const preview = async (who: Caller, pair: Pair) =>
  ok(await who('POST', '/people/merge/preview', { kind: 'student', ...pair }))
const problems = async (who: Caller, pair: Pair): Promise<string[]> =>
  ((await preview(who, pair)).problems as { code: string }[]).map((p) => p.code)
async function merge(who: Caller, pair: Pair): Promise<Answer> {
  const { seen } = await preview(who, pair)
  return who('POST', '/people/merge', { kind: 'student', ...pair, seen })
}
const undo = (who: Caller, id: number) => who('POST', `/operations/${id}/undo`)

describe('what refers to a person', () => {
  test('every foreign key to a student, an instructor or an account is classified, and nothing else', async () => {
    for (const kind of MERGE_KINDS) {
      const rows = await q<{ name: string }>(
        `select c.conrelid::regclass || '.' || a.attname as name from pg_constraint c
           join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
         where c.contype = 'f' and c.conparentid = 0 and c.confrelid = $1::regclass order by 1`,
        [TABLES[kind]],
      )
      const names = rows.map((row) => row.name).filter((name) => kind !== 'user' || !DONE_BY.test(name))
      expect(Object.keys(POINTERS[kind]).toSorted()).toEqual(names.toSorted())
    }
  })

  test('every column of a person is a field of which one value stays, or that of the record that is kept', async () => {
    for (const kind of MERGE_KINDS) {
      const rows = await q<{ name: string }>(
        `select attname as name from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped order by 1`,
        [TABLES[kind]],
      )
      const chosen = CHOICES[kind].flatMap((choice) => choice.columns)
      const kept = Object.entries(FIELDS[kind]).flatMap(([name, { readOnly, merged }]) =>
        readOnly || merged ? [name] : [],
      )
      const known = new Set([...chosen, ...kept, ...KEPT[kind], ...OF_EVERY_TABLE])
      expect(rows.map((row) => row.name).filter((name) => !known.has(name))).toEqual([])
      // What is no column any more is in no list.
      const columns = new Set(rows.map((row) => row.name))
      expect([...chosen, ...KEPT[kind]].filter((name) => !columns.has(name))).toEqual([])
    }
  })

  test('every column that names a person without a foreign key is known', async () => {
    const rows = await q<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
         and a.atttypid in ('int4'::regtype, 'int8'::regtype)
         and a.attname ~ '^(subject|owner|person|student|user|instructor|advisor|actor|impersonator|record|from|into)_id$'
         and not exists (select from pg_constraint f where f.contype = 'f' and f.conrelid = a.attrelid and a.attnum = any (f.conkey))`,
    )
    expect(rows.map((row) => row.name).toSorted()).toEqual([...WRITTEN_DOWN])
  })
})

describe('two students', () => {
  test('everything follows, the figures are computed again, and old id and code lead to the one that stays', async () => {
    const a = await student({ national_id: null, phone: '01000000001' })
    const b = await student({ national_id: '29901010100011', address: 'Cairo', phone: '01000000002' })
    await passed(a.id, 0, f.fall, 90)
    const moved = await passed(b.id, 1, f.spring, 70)
    await q(
      `insert into registration_history (registration_id, student_id, offering_id, action, to_status) select id, student_id, offering_id, 'request', status from registrations where id = $1`,
      [moved],
    )
    await finish(f.fall, [a.id])
    await finish(f.spring, [b.id])
    await q(`insert into student_holds (student_id, kind) values ($1, 'obligatory_survey')`, [b.id])
    expect((await one('select gpa from students where id = $1', [a.id])).gpa).toBe('4.00')
    const taken = await one('select coalesce(sum(taken), 0)::int as n from offering_slots')

    const seen = await preview(registrar, { keep_id: a.id, merge_id: b.id })
    expect(seen.problems).toEqual([])
    expect(seen.parts).toEqual(
      expect.arrayContaining([
        { part: 'registrations', fate: 'moves', count: 1 },
        { part: 'terms', fate: 'moves', count: 1 },
        { part: 'holds', fate: 'moves', count: 1 },
      ]),
    )
    const field = (name: string) => seen.fields.find((one: { name: string }) => one.name === name)
    expect([field('national_id').chosen, field('phone').chosen, field('address').chosen]).toEqual([
      'merged',
      'kept',
      'merged',
    ])
    // Looking changes nothing.
    expect(await q('select id from merged_records')).toEqual([])

    const answer = ok(
      await merge(registrar, { keep_id: a.id, merge_id: b.id, choices: { phone: 'merged', address: 'kept' } }),
    )
    expect(
      await one('select national_id, phone, address, gpa, passed_hours::int from students where id = $1', [a.id]),
    ).toEqual({
      national_id: '29901010100011',
      phone: '01000000002',
      address: null,
      // 4.00 and 2.30 over six hours.
      gpa: '3.15',
      passed_hours: 6,
    })
    expect(
      await q(
        'select term_id, cumulative_gpa, revised_since from student_terms where student_id = $1 order by term_id',
        [a.id],
      ),
    ).toEqual([
      { term_id: f.fall, cumulative_gpa: '4.00', revised_since: null },
      { term_id: f.spring, cumulative_gpa: '3.15', revised_since: null },
    ])
    expect(await one('select coalesce(sum(taken), 0)::int as n from offering_slots')).toEqual(taken)

    // What was written of the record that went is read with the other, and stands as it was written.
    const courses = ok(await registrar('GET', `/students/${a.id}/courses_history`)) as {
      events: { action: string }[]
    }[]
    expect(courses.flatMap((course) => course.events.map((e) => e.action))).toEqual(['request'])
    expect(await q('select student_id from registration_history where registration_id = $1', [moved])).toEqual([
      { student_id: b.id },
    ])

    // The old id is answered by the record that stays, and says so; the old code finds it.
    const old = await registrar('GET', `/students/${b.id}`)
    expect([old.body.data.id, old.headers['x-merged-into']]).toEqual([a.id, String(a.id)])
    expect((await registrar('GET', `/students/${a.id}`)).headers['x-merged-into']).toBeUndefined()
    const list = (await registrar('POST', '/students', { search: b.code })).body
    expect(list.data.map((row: { id: number }) => row.id)).toContain(a.id)
    // Changing by the old id is refused and says which one is meant; bringing it back is as well.
    const change = await registrar('PUT', `/students/${b.id}`, { phone: '01000000003' })
    expect([change.status, change.body.message, change.body.errors[0].data]).toEqual([
      409,
      'merged_into',
      { into: a.id },
    ])
    await expect(q('update students set removed_at = null where id = $1', [b.id])).rejects.toThrow(
      'merged_stays_removed',
    )
    // Twice is once.
    const again = await registrar('POST', '/people/merge', {
      kind: 'student',
      keep_id: a.id,
      merge_id: b.id,
      seen: [9, 9],
    })
    expect(reasons(again)).toContain('merge_removed')

    const history = ok(await registrar('POST', '/people/merges', {}))
    expect(history[0]).toMatchObject({
      id: answer.operation_id,
      kind: 'student',
      kept: { id: a.id },
      merged: { id: b.id },
      abilities: ['undo'],
    })

    ok(await undo(registrar, answer.operation_id))
    expect(await one('select national_id, phone, gpa, passed_hours::int from students where id = $1', [a.id])).toEqual({
      national_id: null,
      phone: '01000000001',
      gpa: '4.00',
      passed_hours: 3,
    })
    expect(await one('select national_id, removed_at, gpa from students where id = $1', [b.id])).toEqual({
      national_id: '29901010100011',
      removed_at: null,
      gpa: '2.30',
    })
    expect(
      await q('select student_id, term_id, cumulative_gpa from student_terms where student_id = any($1) order by 1', [
        [a.id, b.id],
      ]),
    ).toEqual([
      { student_id: a.id, term_id: f.fall, cumulative_gpa: '4.00' },
      { student_id: b.id, term_id: f.spring, cumulative_gpa: '2.30' },
    ])
    expect((await registrar('GET', `/students/${b.id}`)).body.data.id).toBe(b.id)
    expect(
      (await registrar('POST', '/students', { search: b.code })).body.data.map((row: { id: number }) => row.id),
    ).toEqual([b.id])
  })

  test('every reason against it is told at once, and nothing is written', async () => {
    const a = await student()
    const b = await student()
    await offerCourse(u.database, f, { course: 2, code: `m${++made}`, students: [a.id, b.id], term_id: f.spring })
    await passed(a.id, 3, f.fall, 90)
    await passed(b.id, 3, f.spring, 60)
    await passed(b.id, 1, f.fall, 60)
    await finish(f.fall, [a.id, b.id])
    await q(`update students set blocked_at = now(), blocked_reason = 'x' where id = $1`, [b.id])
    expect((await problems(registrar, { keep_id: a.id, merge_id: b.id })).toSorted()).toEqual([
      'merge_blocked',
      'merge_finished_term',
      'merge_results_differ',
      'merge_same_course',
    ])
    const refused = await merge(registrar, { keep_id: a.id, merge_id: b.id })
    expect([refused.status, reasons(refused).length]).toEqual([409, 4])
    expect(refused.body.errors.find((e: { code: string }) => e.code === 'merge_same_course').en).toContain(
      'CS103 (2025-2)',
    )
    expect(await q('select id from merged_records where from_id = $1', [b.id])).toEqual([])
    expect((await one('select removed_at from students where id = $1', [b.id])).removed_at).toBeNull()
  })

  test('meetings at one time, and another bylaw with registrations, stand against it', async () => {
    const a = await student()
    const b = await student()
    const slot = (
      await one(`insert into slots (code, name, name_local, start_time, end_time, ramadan_start_time, ramadan_end_time)
      values ('M1', 'M1', 'م', '08:00', '09:00', '09:00', '10:00') returning id`)
    ).id
    for (const [who, course] of [
      [a, 0],
      [b, 1],
    ] as const) {
      const o = await offerCourse(u.database, f, { course, code: `m${++made}`, students: [who.id], term_id: f.spring })
      const group = (await one('insert into offering_groups (offering_id, number) values ($1, 1) returning id', [o.id]))
        .id
      const meeting = (
        await one(
          `insert into offering_slots (offering_id, term_id, group_id, type, day, slot_id, quota) values ($1, $2, $3, 'Lecture', 1, $4, 5) returning id`,
          [o.id, f.spring, group, slot],
        )
      ).id
      await q('insert into registration_slots (registration_id, offering_slot_id) values ($1, $2)', [
        o.registrations[0],
        meeting,
      ])
    }
    expect(await problems(registrar, { keep_id: a.id, merge_id: b.id })).toEqual(['merge_time_clash'])
    const bylaw = (
      await one(
        `insert into bylaws (faculty_id, code, name, name_local, program_type) values ($1, 'B2', 'B2', 'ل', 'credit_hours') returning id`,
        [f.faculty],
      )
    ).id
    await q('update students set bylaw_id = $1 where id = $2', [bylaw, b.id])
    expect(await problems(registrar, { keep_id: a.id, merge_id: b.id })).toEqual([
      'merge_other_bylaw',
      'merge_time_clash',
    ])
    await q(`insert into transfers_out (student_id, term_id, destination, why) values ($1, $2, 'Elsewhere', 'Moves')`, [
      b.id,
      f.spring,
    ])
    expect(await problems(registrar, { keep_id: a.id, merge_id: b.id })).toContain('merge_transfers')
  })

  test('what was dropped there stays there, and nobody waits for what he or she has', async () => {
    const [a, b] = [await student(), await student()]
    const both = await offerCourse(u.database, f, {
      course: 0,
      code: `m${++made}`,
      students: [a.id, b.id],
      status: [REGISTERED, statusOf('Dropped', 'Fresh')],
      term_id: f.spring,
    })
    const other = await offerCourse(u.database, f, { course: 0, code: `m${++made}`, students: [], term_id: f.spring })
    const wanted = await offerCourse(u.database, f, { course: 1, code: `m${++made}`, students: [], term_id: f.spring })
    await q(
      `insert into wait_list (offering_id, student_id, offering_slot_ids) values ($1, $3, '{}'), ($2, $3, '{}')`,
      [other.id, wanted.id, b.id],
    )
    expect(await problems(registrar, { keep_id: b.id, merge_id: a.id })).toEqual(['merge_same_course'])
    await q(
      `insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on) values ($1, 'suspended', 'studying', 'No. 7', university_today())`,
      [b.id],
    )
    const decided = () => q('select student_id from student_status_decisions')
    const { operation_id } = ok(await merge(registrar, { keep_id: a.id, merge_id: b.id }))
    expect(await decided()).toEqual([{ student_id: a.id }])
    expect(
      await q('select student_id from registrations where id = any($1) order by id', [both.registrations]),
    ).toEqual([{ student_id: a.id }, { student_id: b.id }])
    const waiting = () =>
      q('select student_id, state from wait_list where offering_id = any($1) order by offering_id', [
        [other.id, wanted.id],
      ])
    expect(await waiting()).toEqual([
      { student_id: a.id, state: 'left' },
      { student_id: a.id, state: 'waiting' },
    ])
    ok(await undo(registrar, operation_id))
    expect(await decided()).toEqual([{ student_id: b.id }])
    expect(await waiting()).toEqual([
      { student_id: b.id, state: 'waiting' },
      { student_id: b.id, state: 'waiting' },
    ])
  })

  test('the account that goes is a way in no more, and undoing gives back no way in', async () => {
    const a = await student({}, 'kept@u.example')
    const b = await student({}, 'gone@u.example')
    await q(`update users set password_hash = 'x' where id = any($1)`, [[a.user_id, b.user_id]])
    await q(
      `insert into identities (user_id, issuer, subject, linked_by) values ($1, 'https://idp', 'gone', 'email')`,
      [b.user_id],
    )
    await q(
      `insert into passkeys (user_id, credential_id, public_key, counter, transports, name, synced) values ($1, 'c', 'k', 0, '{}', 'Key', false)`,
      [b.user_id],
    )
    const session = await u.signIn(b.user_id!)
    const stays = await u.signIn(a.user_id!)
    expect((await session('GET', '/users/sessions')).status).not.toBe(401)
    const { operation_id } = ok(await merge(registrar, { keep_id: a.id, merge_id: b.id }))

    await vi.waitFor(async () => expect((await session('GET', '/users/sessions')).status).toBe(401))
    expect((await stays('GET', '/users/sessions')).status).not.toBe(401)
    expect(
      await one('select removed_at is not null as closed, password_hash from users where id = $1', [b.user_id]),
    ).toEqual({ closed: true, password_hash: null })
    // None of them became a way into the account that stays.
    expect(await q('select user_id from identities union all select user_id from passkeys')).toEqual([])
    expect(await one('select password_hash, email from users where id = $1', [a.user_id])).toEqual({
      password_hash: 'x',
      email: 'kept@u.example',
    })
    expect(await q(`select user_id from notice_mails where key = 'merging.notice_merged'`)).toEqual([
      { user_id: a.user_id },
    ])
    expect((await one(`select count(*)::int as n from pgboss.job where name = 'tell-account-merged'`)).n).toBe(1)
    // Nobody signs in there any more: it is told by mail, in favour of which account.
    const tell = () =>
      tellClosed.run(
        asSystem(u.services, 'test'),
        { user_id: b.user_id! },
        Object.assign(async () => {}, { signal: new AbortController().signal }),
      )
    await tell()
    expect((await mails.mailTo('gone@u.example')).text).toContain('kept@u.example')
    expect((await root('GET', `/employees/${b.user_id}`)).headers['x-merged-into']).toBe(undefined)

    ok(await undo(registrar, operation_id))
    // A mail that did not go before the merge was taken back says nothing that is not so.
    const sent = mails.mails.length
    await tell()
    expect(mails.mails.length).toBe(sent)
    expect(await one('select removed_at, password_hash from users where id = $1', [b.user_id])).toEqual({
      removed_at: null,
      password_hash: null,
    })
    expect(await q('select user_id from identities union all select user_id from passkeys')).toEqual([])
    expect(await one('select user_id from students where id = $1', [b.id])).toEqual({ user_id: b.user_id })
  })

  test('an account goes along to a record that has none, and sees that one at once', async () => {
    const a = await student()
    const b = await student({}, 'along@u.example')
    await offerCourse(u.database, f, { course: 2, code: `m${++made}`, students: [a.id], term_id: f.spring })
    const own = await u.signIn(b.user_id!)
    const mine = async () => ok(await own('GET', '/students/courses_history')).length
    expect(await mine()).toBe(0)
    const { operation_id } = ok(await merge(registrar, { keep_id: a.id, merge_id: b.id }))
    await vi.waitFor(async () => expect(await mine()).toBe(1))
    ok(await undo(registrar, operation_id))
    await vi.waitFor(async () => expect(await mine()).toBe(0))
  })

  test('records of one person in two programs both live: no double, and merging leaves the other where the person is', async () => {
    const [arts] = await into(u.database, 'programs', [
      {
        bylaw_id: f.bylaw,
        faculty_id: f.faculty,
        code: `A${++made}`,
        name: 'Arts',
        name_local: 'آداب',
        program_type: 'credit_hours',
      },
    ])
    const person = { name: 'Two Programs', name_local: 'ذات برنامجين', birth_date: '2001-02-03' }
    const a = await student(person, 'two@u.example')
    const b = await student({ ...person, user_id: a.user_id, program_id: arts })
    const doubles = async () =>
      (
        ok(await registrar('POST', '/people/doubles', { kind: 'student' })) as {
          one: { id: number }
          other: { id: number }
        }[]
      ).map((pair) => [pair.one.id, pair.other.id])
    expect(await doubles()).not.toContainEqual([a.id, b.id])

    // A record that was added once more, with an account of its own: the other program follows to the account that stays.
    const again = await student(person, 'again@u.example')
    expect(await doubles()).toContainEqual([a.id, again.id])
    // In one program there is one.
    expect(await problems(registrar, { keep_id: again.id, merge_id: b.id })).toContain('merge_students_first')
    const other = await preview(registrar, { keep_id: again.id, merge_id: a.id })
    expect(other.parts).toContainEqual({ part: 'student_record', fate: 'moves', count: 1 })
    const { operation_id } = ok(await merge(registrar, { keep_id: again.id, merge_id: a.id }))
    const accounts = () =>
      q('select id, user_id from students where id = any($1) order by id', [[a.id, b.id, again.id]])
    expect(await accounts()).toEqual([
      { id: a.id, user_id: a.user_id },
      { id: b.id, user_id: again.user_id },
      { id: again.id, user_id: again.user_id },
    ])
    ok(await undo(registrar, operation_id))
    expect(await accounts()).toEqual([
      { id: a.id, user_id: a.user_id },
      { id: b.id, user_id: a.user_id },
      { id: again.id, user_id: again.user_id },
    ])
    // Two accounts of one person, each with a record in another program, become one that bears both.
    const [law] = await into(u.database, 'programs', [
      {
        bylaw_id: f.bylaw,
        faculty_id: f.faculty,
        code: `L${++made}`,
        name: 'Law',
        name_local: 'حقوق',
        program_type: 'credit_hours',
      },
    ])
    const apart = await student(
      { name: 'Too Programs', name_local: 'ذات برنامجين', program_id: law },
      'apart@u.example',
    )
    expect(await problems(root, { kind: 'user', keep_id: a.user_id!, merge_id: again.user_id! })).toContain(
      'merge_students_first',
    )
    ok(await merge(root, { kind: 'user', keep_id: a.user_id!, merge_id: apart.user_id! }))
    expect(await one('select user_id, name from students where id = $1', [apart.id])).toEqual({
      user_id: a.user_id,
      name: person.name,
    })
    expect(await one('select name from users where id = $1', [a.user_id])).toEqual({ name: person.name })
  })

  test('undoing is refused as a whole where something stands on it, and names what', async () => {
    const a = await student({ phone: '01000000001' })
    const b = await student({ phone: '01000000002' })
    const c = await student()
    const { operation_id } = ok(await merge(registrar, { keep_id: a.id, merge_id: b.id, choices: { phone: 'merged' } }))
    const second = ok(await merge(registrar, { keep_id: c.id, merge_id: a.id }))
    // Whoever asks for the first gets the last.
    expect((await registrar('GET', `/students/${b.id}`)).body.data.id).toBe(c.id)
    expect(reasons(await undo(registrar, operation_id))).toEqual(['merge_merged_since'])
    ok(await undo(registrar, second.operation_id))
    await q(`update students set phone = '01000000009' where id = $1`, [a.id])
    const shown = ok(await registrar('POST', `/operations/${operation_id}/undo/preview`))
    expect(shown.kept.map((k: { field: string[] }) => k.field[0])).toEqual(['Phone'])
    expect(reasons(await undo(registrar, operation_id))).toEqual(['merge_undo_stands'])
    expect((await one('select removed_at is not null as removed from students where id = $1', [b.id])).removed).toBe(
      true,
    )
  })

  test('a merge of the own record is not undone by its person', async () => {
    const a = await student()
    const b = await student()
    const { operation_id } = ok(await merge(registrar, { keep_id: a.id, merge_id: b.id }))
    await q('update students set user_id = $1 where id = $2', [registrar.user_id, a.id])
    const own = await undo(registrar, operation_id)
    expect([own.status, reasons(own)]).toEqual([409, ['merge_own']])
    expect(await one('select removed_at is not null as removed from students where id = $1', [b.id])).toEqual({
      removed: true,
    })
    await q('update students set user_id = null where id = $1', [a.id])
  })

  test('two officers at once: one of them merges', async () => {
    const [a, b, c] = [await student(), await student(), await student()]
    const [one_, two] = [
      await preview(registrar, { keep_id: a.id, merge_id: b.id }),
      await preview(root, { keep_id: c.id, merge_id: b.id }),
    ]
    const answers = await Promise.all([
      registrar('POST', '/people/merge', { kind: 'student', keep_id: a.id, merge_id: b.id, seen: one_.seen }),
      root('POST', '/people/merge', { kind: 'student', keep_id: c.id, merge_id: b.id, seen: two.seen }),
    ])
    expect(answers.map((x) => x.status).toSorted()).toEqual([200, 409])
    expect(reasons(answers.find((x) => x.status === 409)!)).toEqual(['merge_removed'])
    // What changed since the preview is looked at again.
    const d = await student()
    const stale = await registrar('POST', '/people/merge', {
      kind: 'student',
      keep_id: d.id,
      merge_id: (await student()).id,
      seen: [99, 1],
    })
    expect([stale.status, stale.body.message]).toEqual([409, 'changed_meanwhile'])
  })

  test('both within reach, never the own, and only after a fresh proof', async () => {
    const far = await into(u.database, 'programs', [
      {
        code: 'P9',
        name: 'P9',
        name_local: 'ب',
        bylaw_id: f.bylaw,
        faculty_id: f.otherFaculty,
        program_type: 'credit_hours',
      },
    ])
    const near = await student()
    const other = await student({ faculty_id: f.otherFaculty, program_id: far[0] })
    const clerk = await u.as(null)
    await q(
      `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'merge_people', 'faculty', $2)`,
      [clerk.user_id, f.faculty],
    )
    const scoped = await u.signIn(clerk.user_id)
    expect(
      (await scoped('POST', '/people/merge/preview', { kind: 'student', keep_id: near.id, merge_id: other.id })).status,
    ).toBe(404)
    expect(
      (
        await scoped('POST', '/people/merge/preview', {
          kind: 'student',
          keep_id: near.id,
          merge_id: (await student()).id,
        })
      ).status,
    ).toBe(200)
    expect(
      (await head('POST', '/people/merge/preview', { kind: 'student', keep_id: near.id, merge_id: other.id })).status,
    ).toBe(403)
    const mine = await student()
    await q('update students set user_id = $1 where id = $2', [scoped.user_id, mine.id])
    expect(await problems(await u.signIn(scoped.user_id), { keep_id: mine.id, merge_id: near.id })).toContain(
      'merge_own',
    )
    await q(`update sessions set confirmed_at = now() - interval '1 hour' where user_id = $1`, [registrar.user_id])
    const late = await registrar('POST', '/people/merge', {
      kind: 'student',
      keep_id: near.id,
      merge_id: other.id,
      seen: [1, 1],
    })
    expect([late.status, late.body.message]).toEqual([403, 'sign_in_again'])
    await q('update sessions set confirmed_at = now() where user_id = $1', [registrar.user_id])
  })

  test('likely doubles are listed by document, however typed, and by names and day of birth', async () => {
    const a = await student({
      passport_number: 'A1234567',
      name: 'Hala Samir',
      name_local: 'هالة سمير',
      birth_date: '2004-05-06',
    })
    const b = await student({ passport_number: 'a-123 4567' })
    const c = await student({ name: 'Hala  Samir', name_local: 'هاله سمير', birth_date: '2004-05-06' })
    const found = ok(await registrar('POST', '/people/doubles', { kind: 'student' })) as any[]
    const pairs = found.map((x) => [x.sign, x.one.id, x.other.id])
    expect(pairs).toContainEqual(['identity', a.id, b.id])
    expect(pairs).toContainEqual(['name_and_birth', a.id, c.id])
  })
})

describe('two people', () => {
  const say = (
    who: Caller,
    one: { id: number },
    other: { id: number },
    reason = 'Twins, both came with their papers',
  ) => who('POST', '/people/not-doubles/add', { kind: 'student', one_id: one.id, other_id: other.id, reason })
  const twins = async () => {
    const [name, name_local] = [`Twin${++made}`, 'توأم']
    return [
      await student({ name, name_local, birth_date: '2003-03-03' }),
      await student({ name, name_local, birth_date: '2003-03-03' }),
    ] as const
  }
  const proposed = async (one: { id: number }, other: { id: number }) =>
    (ok(await registrar('POST', '/people/doubles', { kind: 'student' })) as any[]).some(
      (x) => x.one.id === one.id && x.other.id === other.id,
    )
  const listed = async (id: number) =>
    (ok(await registrar('POST', '/people/not-doubles', {})) as any[]).find((x) => x.id === id)

  test('who were said not to be one are neither proposed nor merged until it is taken back; the trail tells', async () => {
    const [a, b] = await twins()
    expect(await proposed(a, b)).toBe(true)
    expect(reasons(await say(registrar, a, b, 'x'))).toEqual(['too_short@reason'])
    const { id } = ok(await say(registrar, b, a))
    expect(await proposed(a, b)).toBe(false)
    expect(await listed(id)).toMatchObject({
      one: { id: a.id },
      other: { id: b.id },
      reason: 'Twins, both came with their papers',
      by: { name: expect.any(String) },
    })
    const seen = await preview(registrar, { keep_id: a.id, merge_id: b.id })
    expect([seen.two_people, seen.problems.map((x: { code: string }) => x.code)]).toEqual([true, ['merge_not_double']])
    expect(reasons(await merge(registrar, { keep_id: b.id, merge_id: a.id }))).toEqual(['merge_not_double'])
    expect(reasons(await say(registrar, a, b))).toEqual(['not_double_already'])
    // Also whoever writes beside the program.
    await expect(
      q(`insert into merged_records (kind, from_id, into_id) values ('student', $1, $2)`, [b.id, a.id]),
    ).rejects.toThrow('merge_two_people')
    ok(await registrar('DELETE', `/people/not-doubles/${id}`))
    expect((await registrar('DELETE', `/people/not-doubles/${id}`)).status).toBe(404)
    expect([await proposed(a, b), await listed(id)]).toEqual([true, undefined])
    expect(
      await q(
        `select action, actor_id from audit_log where table_name = 'not_doubles' and record_id = $1 order by id`,
        [id],
      ),
    ).toEqual(['insert', 'delete'].map((action) => ({ action, actor_id: registrar.user_id })))
  })

  test('it holds for the record that stayed of those that were merged since', async () => {
    const [a, b] = await twins()
    const c = await student({ name: 'Other', birth_date: '2003-03-03' })
    const { id } = ok(await say(registrar, a, b))
    // A goes into another record of the same person, which is then no double of B either.
    ok(await merge(registrar, { keep_id: c.id, merge_id: a.id, choices: { name: 'merged', name_local: 'merged' } }))
    expect(await proposed(b, c)).toBe(false)
    expect(await problems(registrar, { keep_id: b.id, merge_id: c.id })).toEqual(['merge_not_double'])
    expect(await listed(id)).toMatchObject({ one: { id: c.id }, other: { id: b.id } })
    ok(await registrar('DELETE', `/people/not-doubles/${id}`))
    expect(await problems(registrar, { keep_id: b.id, merge_id: c.id })).toEqual([])
  })

  test('two at once: it is said once, and one of saying and merging wins', async () => {
    const [a, b] = await twins()
    const both = await Promise.all([say(registrar, a, b), say(root, b, a)])
    expect(both.map((one) => one.status).toSorted()).toEqual([200, 409])
    const [c, d] = await twins()
    const { seen } = await preview(registrar, { keep_id: c.id, merge_id: d.id })
    const [said, merged] = await Promise.all([
      say(root, c, d),
      registrar('POST', '/people/merge', { kind: 'student', keep_id: c.id, merge_id: d.id, seen }),
    ])
    expect([said.status, merged.status].toSorted()).toEqual([200, 409])
    expect([...reasons(said), ...reasons(merged)]).toEqual([said.status === 200 ? 'merge_not_double' : 'merge_removed'])
  })

  test('by who may merge both, and never of the own record', async () => {
    const [a, b] = await twins()
    const far = await student({ faculty_id: f.otherFaculty })
    const clerk = await u.as(null)
    await q(
      `insert into access_entries (user_id, permission, scope_type, scope_id) values ($1, 'merge_people', 'faculty', $2)`,
      [clerk.user_id, f.faculty],
    )
    const scoped = await u.signIn(clerk.user_id)
    expect((await say(scoped, a, far)).status).toBe(404)
    expect((await say(head, a, b)).status).toBe(403)
    const { id } = ok(await say(registrar, a, far))
    const seen = ok(await scoped('POST', '/people/not-doubles', {})) as { id: number }[]
    expect(seen.map((one) => one.id)).not.toContain(id)
    expect((await scoped('DELETE', `/people/not-doubles/${id}`)).status).toBe(404)
    await q('update students set user_id = $1 where id = $2', [clerk.user_id, b.id])
    expect(reasons(await say(await u.signIn(clerk.user_id), a, b))).toEqual(['not_double_own'])
    // Nor is it taken back by one of the two; and a record is not two people with itself.
    const { id: said } = ok(await say(registrar, a, b))
    const own = await (await u.signIn(clerk.user_id))('DELETE', `/people/not-doubles/${said}`)
    expect([own.status, reasons(own)]).toEqual([409, ['not_double_own']])
    expect(await q('select from not_doubles where id = $1', [said])).toHaveLength(1)
    const same = await say(registrar, a, a)
    expect([same.status, reasons(same)]).toEqual([422, ['merge_same_record@merge_id']])
  })
})

describe('staff', () => {
  test('instructors: what both teach is taught once, advisees and offices follow, and it is undone', async () => {
    const [a, b] = (await into(u.database, 'instructors', [
      { code: 'M1', name: 'Mona Adel', name_local: 'منى عادل', faculty_id: f.faculty, national_id: null },
      { code: 'M2', name: 'Mona Adel', name_local: 'منى عادل', faculty_id: f.faculty, national_id: '27001010100022' },
    ])) as [number, number]
    const both = await offerCourse(u.database, f, { course: 2, code: `m${++made}`, students: [], instructor: a })
    await q(`insert into offering_instructors values ($1, $2, 'assistant')`, [both.id, b])
    const alone = await offerCourse(u.database, f, { course: 2, code: `m${++made}`, students: [], instructor: b })
    const s = await student({ advisor_id: b })
    await q('update faculties set dean_id = $1 where id = $2', [b, f.faculty])
    await q(
      `insert into external_ids (source, kind, external_id, instructor_id) values ('sis', 'instructor', 'x-2', $1)`,
      [b],
    )
    // What both have at one time stays as it was: an office hour, two halls; everything else follows.
    const [department] = await into(u.database, 'departments', [
      { code: `MD${++made}`, name: 'D', name_local: 'ق', faculty_id: f.faculty, head_id: b },
    ])
    await q(
      `insert into office_hours (instructor_id, day, start_time, end_time, place) values
         ($1, 1, '10:00', '11:00', 'a'), ($2, 1, '10:30', '11:30', 'with his'), ($2, 1, '12:00', '13:00', 'b')`,
      [a, b],
    )
    const world = await examWorld({ query: q, term: f.fall, faculty: f.faculty })
    const rooms = [await world.hall(50), await world.hall(50)]
    const exam = await world.exam('final', rooms)
    const third = await offerCourse(u.database, f, { course: 1, code: `m${++made}`, students: [] })
    const held = [
      await world.schedule(exam, both.id, [[rooms[0]!, 5]]),
      await world.schedule(exam, alone.id, [[rooms[1]!, 5]]),
      await world.schedule(exam, third.id, [[rooms[1]!, 5]], { slot: 1 }),
    ]
    for (const [at, hall, who] of [
      [0, 0, a],
      [1, 1, b],
      [2, 1, b],
    ] as const)
      await q(
        `insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, during) values ($1, $2, $3, 'empty')`,
        [held[at], rooms[hall], who],
      )
    await q(`insert into exam_closures (exam_id, instructor_id) values ($1, $2)`, [exam, b])
    const { operation_id } = ok(await merge(root, { kind: 'instructor', keep_id: a, merge_id: b }))
    const rest = async () => ({
      head: (await one('select head_id from departments where id = $1', [department])).head_id,
      hours: (
        await q('select place, instructor_id from office_hours where instructor_id = any($1) order by place', [[a, b]])
      ).map((row) => [row.place, row.instructor_id]),
      invigilates: (
        await q(
          'select exam_schedule_id as at, instructor_id from exam_schedule_instructors where exam_schedule_id = any($1) order by id',
          [held],
        )
      ).map((row) => [held.indexOf(row.at), row.instructor_id]),
      away: (await one('select instructor_id from exam_closures where exam_id = $1', [exam])).instructor_id,
    })
    expect(await rest()).toEqual({
      head: a,
      hours: [
        ['a', a],
        ['b', a],
        ['with his', b],
      ],
      invigilates: [
        [0, a],
        [1, b],
        [2, a],
      ],
      away: a,
    })
    const state = async () => ({
      teams: await q(
        'select offering_id, instructor_id, role from offering_instructors where offering_id = any($1) order by 1, 2',
        [[both.id, alone.id]],
      ),
      advisor: (await one('select advisor_id from students where id = $1', [s.id])).advisor_id,
      dean: (await one('select dean_id from faculties where id = $1', [f.faculty])).dean_id,
      external: (await one(`select instructor_id from external_ids where external_id = 'x-2'`)).instructor_id,
      national_id: (await one('select national_id from instructors where id = $1', [a])).national_id,
    })
    expect(await state()).toEqual({
      teams: [
        { offering_id: both.id, instructor_id: a, role: 'leader' },
        { offering_id: alone.id, instructor_id: a, role: 'leader' },
      ],
      advisor: a,
      dean: a,
      external: a,
      national_id: '27001010100022',
    })
    expect((await root('GET', `/instructors/${b}`)).body.data.id).toBe(a)
    ok(await undo(root, operation_id))
    expect(await state()).toEqual({
      teams: [
        { offering_id: both.id, instructor_id: a, role: 'leader' },
        { offering_id: both.id, instructor_id: b, role: 'assistant' },
        { offering_id: alone.id, instructor_id: b, role: 'leader' },
      ],
      advisor: b,
      dean: b,
      external: b,
      national_id: null,
    })
    expect(await rest()).toEqual({
      head: b,
      hours: [
        ['a', a],
        ['b', b],
        ['with his', b],
      ],
      invigilates: [
        [0, a],
        [1, b],
        [2, b],
      ],
      away: b,
    })
  })

  test('accounts: rights are not inherited, and nobody merges who has more than the one who merges', async () => {
    const clerk = await u.as('registrar')
    const twin = await u.as('faculty_registrar', ['faculty', f.faculty])
    const admin = await u.as('super_admin')
    expect(await problems(registrar, { kind: 'user', keep_id: clerk.user_id, merge_id: admin.user_id })).toContain(
      'merge_more_rights',
    )
    await q(
      `insert into signing_positions (chain, position, title, title_local, user_id) values ('t', 1, 'Dean', 'عميد', $1)`,
      [twin.user_id],
    )
    expect(await problems(root, { kind: 'user', keep_id: clerk.user_id, merge_id: twin.user_id })).toEqual([
      'merge_signs',
    ])
    await q('delete from signing_positions')
    const rights = async () =>
      (await one('select count(*)::int as n from role_assignments where user_id = $1', [clerk.user_id])).n
    // What only the other account says of the work is taken over; two that managed each other have no manager.
    const boss = await u.as('registrar')
    const title = await one(
      `insert into job_titles (code, name, name_local) values ('CL', 'Clerk', 'كاتب') returning id`,
    )
    await q('update users set manager_id = $2 where id = $1', [clerk.user_id, twin.user_id])
    await q('update users set manager_id = $2, job_title_id = $3 where id = $1', [twin.user_id, boss.user_id, title.id])
    ok(await merge(root, { kind: 'user', keep_id: clerk.user_id, merge_id: twin.user_id }))
    expect(await one('select manager_id, job_title_id from users where id = $1', [clerk.user_id])).toEqual({
      manager_id: null,
      job_title_id: title.id,
    })
    expect(await rights()).toBe(1)
    await vi.waitFor(async () => expect((await twin('GET', '/users/sessions')).status).toBe(401))
    expect((await root('GET', `/employees/${twin.user_id}`)).body.data.id).toBe(clerk.user_id)
  })
})
