import { afterAll, beforeAll, expect, test } from 'vitest'
import { asSystem } from '#kit/server/unit/request.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { firstBlockJob } from '#areas/enrolment/registration/block/block.server.ts'
import { acceptApplicantsJob } from './accept.server.ts'

let u: TestUniversity
let officer: Caller
const q = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query(text, values)).rows as Row[]
const one = async <Row>(text: string, values: unknown[] = []): Promise<Row> => (await q<Row>(text, values))[0]!
const codes = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
const silent = Object.assign(async () => {}, { signal: new AbortController().signal })
const accept = (id: number, who = officer) => who('PUT', `/applicants/status/accept/${id}`, {})
const runJob = () => acceptApplicantsJob.run(asSystem(u.services, 'test'), {}, silent)

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  officer = await u.as('admission_officer')
})
afterAll(() => u.close())

/** Somebody of the demo university who waits for a seat, with one that is taken up. */
async function takenUp(
  more = '',
): Promise<{ id: number; email: string; program_id: number; national_id: string | null }> {
  return one(
    `update applicants t set status = 'APPROVED', program_id = (select w.program_id from applicant_preferences w where w.applicant_id = t.id
       order by position limit 1)${more} where t.id = (select id from applicants where admission_id = 7 and status = 'DISTRIBUATION_REQUIRED'
       and program_id is null order by id limit 1) returning t.id, t.email, t.program_id, t.national_id`,
  )
}

test('whoever has taken a seat up becomes a student with a code, an account and a mail to sign in', async () => {
  const { id, email, program_id } = await takenUp()
  const applicant = await one<Record<string, unknown>>('select * from applicants where id = $1', [id])
  ok(await accept(id))
  const student = await one<Record<string, unknown>>(
    `select s.*, s.birth_date::text as born from students s join applicants t on t.student_id = s.id where t.id = $1 and t.status = 'accepted'`,
    [id],
  )
  expect(student).toMatchObject({
    program_id,
    status: 'studying',
    email,
    name: applicant.name,
    name_local: applicant.name_local,
    national_id: applicant.national_id,
    gender: applicant.gender,
    school_percentage: applicant.percentage,
  })
  expect(student.code).toMatch(/^\d{4}\d+$/)
  const { term_id } = await one<{ term_id: number }>('select term_id from admissions where id = 7')
  expect(student.entry_term_id).toBe(term_id)
  const account = await one<{ type: number; email: string }>('select type, email from users where id = $1', [
    student.user_id,
  ])
  expect(account).toEqual({ type: 3, email })
  expect(
    await q(
      `select from pgboss.job where name = 'send-password-link' and (data -> 'payload' ->> 'user_id')::int = $1`,
      [student.user_id],
    ),
  ).toHaveLength(1)
  // A student is a payer, and shows in the list as one who is here.
  expect(await q('select from payers where student_id = $1', [student.id])).toHaveLength(1)
  expect(ok(await officer('GET', `/applicants/${id}`))).toMatchObject({ status: 'accepted', student_id: student.id })
  // Once is enough, and it is not taken back by cancelling.
  expect(codes(await accept(id))).toEqual([409, ['step_state']])
  expect((await officer('POST', `/applicants/cancel-admission/${id}`, { reason: 'Too late.' })).status).toBe(409)
})

test('of two who accept at the same moment one does, and there is one student', async () => {
  const { id } = await takenUp()
  const before = await one<{ n: number }>('select count(*)::int as n from students')
  const statuses = (await Promise.all([accept(id), accept(id)])).map(({ status }) => status).toSorted()
  expect(statuses).toEqual([200, 409])
  expect((await one<{ n: number }>('select count(*)::int as n from students')).n).toBe(before.n + 1)
})

test('what is missing is named, and nothing is half done', async () => {
  const { id, national_id } = await takenUp(', name = null, gender = null, email = null, key_hash = null')
  const before = await one<{ n: number }>('select count(*)::int as n from students')
  expect(codes(await accept(id))).toEqual([
    409,
    ['applicant_field_missing', 'applicant_field_missing', 'applicant_field_missing'],
  ])
  // The national id of a student of the same program.
  const bearer = await one<{ national_id: string; program_id: number }>(
    `select s.national_id, s.program_id from students s join admission_programs x on x.program_id = s.program_id and x.admission_id = 7
     where s.national_id is not null and s.removed_at is null order by s.id limit 1`,
  )
  await q(
    `update applicants t set name = 'Mona Ali', gender = 2, email = 'mona.ali@example.com', key_hash = '\\x01', national_id = $2, program_id = $3 where t.id = $1`,
    [id, bearer.national_id, bearer.program_id],
  )
  expect((await accept(id)).status).toBe(422)
  expect((await one<{ n: number }>('select count(*)::int as n from students')).n).toBe(before.n)
  expect((await one<{ status: string }>('select status from applicants where id = $1', [id])).status).toBe('APPROVED')
  // An address that somebody signs in with.
  await q(
    `update applicants set gender = (select gender from (select case when (substr($2, 13, 1)::int % 2) = 1 then 1 else 2 end as gender) x), national_id = $2, email = 'registrar@canopus.example.edu' where id = $1`,
    [id, national_id],
  )
  expect((await accept(id)).status).toBe(422)
  await q(`update applicants set email = 'taken.up@example.com' where id = $1`, [id])
  ok(await accept(id))
})

test('whoever has paid is accepted by the clock; what stops one stops no other', async () => {
  const first = await takenUp()
  const broken = await takenUp(', birth_date = null')
  const last = await takenUp()
  const { failed } = await runJob()
  expect(failed).toBe(1)
  const status = async (id: number) =>
    (await one<{ status: string }>('select status from applicants where id = $1', [id])).status
  expect([await status(first.id), await status(broken.id), await status(last.id)]).toEqual([
    'accepted',
    'APPROVED',
    'accepted',
  ])
  // Whoever is stuck is told to those who can help.
  const told = async () => JSON.stringify(ok(await officer('GET', '/users/work')))
  expect(await told()).not.toContain('work_stuck')
  await q('alter table applicants disable trigger user')
  await q(`update applicants set updated_at = now() - interval '6 minutes' where id = $1`, [broken.id])
  await q('alter table applicants enable trigger user')
  expect(await told()).toContain('work_stuck')
  expect(JSON.stringify((await (await u.as('instructor'))('GET', '/users/work')).body)).not.toContain('work_stuck')
  // Again: nobody is accepted twice.
  const before = await one<{ n: number }>('select count(*)::int as n from students')
  expect(await runJob()).toEqual({ accepted: 0, failed: 1 })
  expect((await one<{ n: number }>('select count(*)::int as n from students')).n).toBe(before.n)
})

test('a graduate who applies for a master becomes a student a second time, with the account of the first', async () => {
  const student = await one<{
    id: number
    national_id: string
    user_id: number
    name: string
    name_local: string
    birth_date: string
    gender: number
    program_id: number
  }>(
    `select id, national_id, user_id, name, name_local, birth_date::text, gender, program_id from students
     where national_id is not null and user_id is not null and removed_at is null order by id limit 1`,
  )
  const { id } = await takenUp()
  await q(
    `update applicants set national_id = $2, name = $3, name_local = $4, birth_date = $5, gender = $6, program_id = (select x.program_id from admission_programs x
       where x.admission_id = 7 and x.program_id <> $7 limit 1) where id = $1`,
    [id, student.national_id, student.name, student.name_local, student.birth_date, student.gender, student.program_id],
  )
  ok(await accept(id))
  const made = await one<{ user_id: number; id: number }>(
    'select s.user_id, s.id from students s join applicants t on t.student_id = s.id where t.id = $1',
    [id],
  )
  expect(made.user_id).toBe(student.user_id)
  expect(made.id).not.toBe(student.id)
})

test('under a regulation by marks the courses of the first level are registered; whoever takes hours chooses', async () => {
  const { term_id } = await one<{ term_id: number }>(
    `select k.term_id from current_terms k join terms t on t.id = k.term_id where k.key = 'current_term' and t.end_date >= university_today()`,
  )
  const before = await one<{ term_id: number }>('select term_id from admissions where id = 7')
  await q('update admissions set term_id = $1 where id = 7', [term_id])
  const { id: annual } = await one<{ id: number }>(
    `select p.id from programs p join bylaws b on b.id = p.bylaw_id where b.program_type = 'annual' and exists (select from program_courses c
       join offerings o on o.course_id = c.course_id and o.term_id = $1 and o.removed_at is null where c.program_id = p.id and c.level = 1) order by p.id limit 1`,
    [term_id],
  )
  const { id } = await takenUp()
  await q('update applicants set program_id = $2 where id = $1', [id, annual])
  // What was handed in with the application, and looked at, is not asked for again; what expires waits for its last day.
  const { id: file } = await one<{ id: number }>('select id from files order by id limit 1')
  const kinds = await q<{ id: number; expires: boolean }>(
    `select id, expires from document_kinds where whose = 'students' and removed_at is null order by id`,
  )
  const { id: another } = await one<{ id: number }>(
    `select id from document_kinds where whose <> 'students' order by id limit 1`,
  )
  await q(
    `insert into applicant_documents (applicant_id, document_kind_id, file_id) select $1, unnest($2::int[]), $3`,
    [id, [...kinds.map((kind) => kind.id), another], file],
  )
  ok(await accept(id))
  const { student_id } = await one<{ student_id: number }>('select student_id from applicants where id = $1', [id])
  const jobsOf = (student: number) =>
    q(
      `select data -> 'payload' as given from pgboss.job where name = 'register-first-block' and (data -> 'payload' ->> 'student_id')::int = $1`,
      [student],
    )
  expect(await jobsOf(student_id)).toEqual([{ given: { student_id, term_id } }])
  expect(
    await q('select kind_id as id, status, file_id from student_documents where student_id = $1 order by kind_id', [
      student_id,
    ]),
  ).toEqual(
    kinds.map(({ id: kind, expires }) => ({ id: kind, status: expires ? 'handed_in' : 'accepted', file_id: file })),
  )
  expect(
    await q(
      `select h.action from step_history h join student_documents d on d.id = h.record_id where h.workflow = 'studentDocument'
         and d.student_id = $1 and d.kind_id = $2 order by h.id`,
      [student_id, kinds.find(({ expires }) => !expires)!.id],
    ),
  ).toEqual([{ action: 'begin' }, { action: 'accept' }])
  const run = (term = term_id) => firstBlockJob.run(asSystem(u.services, 'test'), { student_id, term_id: term }, silent)
  const { registered } = await run()
  expect(registered).toBeGreaterThan(2)
  const standing = await q(`select r.course_id from registrations r where r.student_id = $1 and r.term_id = $2`, [
    student_id,
    term_id,
  ])
  expect(standing).toHaveLength(registered)
  expect(await q('select level::int, enrolment from student_years where student_id = $1', [student_id])).toEqual([
    { level: 1, enrolment: 'new' },
  ])
  // Twice registers nothing again; nor does a term that is over.
  expect(await run()).toEqual({ registered: 0 })
  const { id: over } = await one<{ id: number }>(
    'select id from terms where end_date < university_today() order by id desc limit 1',
  )
  expect(await run(over)).toEqual({ registered: 0 })
  // By credit hours.
  const chooses = await takenUp()
  await q(
    `update applicants set program_id = (select p.id from programs p join bylaws b on b.id = p.bylaw_id where b.program_type = 'credit_hours'
       order by p.id limit 1) where id = $1`,
    [chooses.id],
  )
  ok(await accept(chooses.id))
  const { student_id: free } = await one<{ student_id: number }>('select student_id from applicants where id = $1', [
    chooses.id,
  ])
  expect(await jobsOf(free)).toEqual([])
  expect(await firstBlockJob.run(asSystem(u.services, 'test'), { student_id: free, term_id }, silent)).toEqual({
    registered: 0,
  })
  await q('update admissions set term_id = $1 where id = 7', [before.term_id])
})

test('a full scholarship is granted to the student; where it cannot be, nobody is accepted', async () => {
  const { id } = await takenUp()
  const { id: scholarship } = await one<{ id: number }>(
    `select id from scholarships where basis = 'manual' and percent = 100 and is_active and removed_at is null order by id limit 1`,
  )
  await q(
    `update applicants set full_scholarship_id = $2, full_scholarship_reason = 'First of the country.' where id = $1`,
    [id, scholarship],
  )
  await q('update scholarships set is_active = false where id = $1', [scholarship])
  expect(codes(await accept(id))).toEqual([409, ['scholarship_not_active@scholarship_id']])
  expect((await one<{ status: string }>('select status from applicants where id = $1', [id])).status).toBe('APPROVED')
  await q('update scholarships set is_active = true where id = $1', [scholarship])
  ok(await accept(id))
  expect(
    await q(
      `select g.scholarship_id, g.percent::text, g.reason, g.year_id = w.year_id as first from scholarship_grants g
         join applicants t on t.student_id = g.student_id join admissions a on a.id = t.admission_id join terms w on w.id = a.term_id where t.id = $1`,
      [id],
    ),
  ).toEqual([{ scholarship_id: scholarship, percent: '100.00', reason: 'First of the country.', first: true }])
})

test('nobody else makes students of applicants', async () => {
  const { id } = await takenUp()
  await q('delete from applicant_preferences where applicant_id = $1 and position > 0', [id])
  for (const role of ['student', 'instructor', 'finance_officer', 'cashier'])
    expect([403, 404]).toContain((await accept(id, await u.as(role))).status)
  const { faculty_id } = await one<{ faculty_id: number }>(
    `select f.id as faculty_id from faculties f where not exists (select from applicant_preferences w join programs p on p.id = w.program_id
       where w.applicant_id = $1 and p.faculty_id = f.id) limit 1`,
    [id],
  )
  expect((await accept(id, await u.as('admission_officer', ['faculty', faculty_id]))).status).toBe(404)
})

test('a process that dies in the middle leaves nobody half a student, and the next one accepts the others once', async () => {
  const many: { id: number }[] = []
  for (let i = 0; i < 8; i++) many.push(await takenUp())
  const ids = many.map(({ id }) => id)
  const invited = async () =>
    (await one<{ n: number }>(`select count(*)::int as n from jobs where name = 'send-password-link'`)).n
  const accounts = async () => (await one<{ n: number }>('select count(*)::int as n from users where type = 3')).n
  const before = (await invited()) - (await accounts())
  const accepted = () =>
    q<{ id: number; student_id: number; user_id: number | null; code: string; documents: boolean }>(
      `select t.id, t.student_id, s.user_id, s.code,
         (select count(*) from applicant_documents d where d.applicant_id = t.id)
           <= (select count(*) from student_documents k where k.student_id = s.id) as documents
       from applicants t join students s on s.id = t.student_id where t.id = any($1::int[]) and t.status = 'accepted'`,
      [ids],
    )
  // Twice it loses everything it holds while it is at work.
  for (const least of [2, 5]) {
    const dying = runJob().catch(() => null)
    await expect.poll(async () => (await accepted()).length, { interval: 5 }).toBeGreaterThanOrEqual(least)
    await q(
      'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename <> current_user',
    )
    await dying
  }
  // Connections that were just cut are opened again.
  const open = () =>
    u.services.pool.query('select 1').then(
      () => true,
      () => false,
    )
  await expect.poll(open).toBe(true)
  await Promise.all([runJob(), runJob()])
  const made = await accepted()
  expect(made).toHaveLength(ids.length)
  for (const key of ['student_id', 'user_id', 'code'] as const)
    expect(new Set(made.map((each) => each[key])).size, key).toBe(ids.length)
  expect(made.filter(({ documents }) => !documents)).toEqual([])
  // One for each account that was made, also for whoever waited beside them.
  expect((await invited()) - (await accounts())).toBe(before)
})
