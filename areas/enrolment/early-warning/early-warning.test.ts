import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { settingsServer } from '#areas/common/settings/settings.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld, type RegistrationWorld } from '#tests/registration-world.ts'
import { ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from '#tests/university.ts'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { earlyWarningServer } from './early-warning.server.ts'
import { countRisks } from './risks/count.server.ts'
import { retention } from '#kit/server/jobs/retention.ts'

let u: TestUniversity
let w: RegistrationWorld
let registrar: Caller
let dean: Caller
let elsewhere: Caller
let advisor: { id: number; as: Caller }
const set = (key: string, value: string) =>
  w.query(
    `insert into settings (key, value, grouping) values ($1, to_jsonb($2::text), 'early_warning')
     on conflict (key) do update set value = excluded.value`,
    [key, value],
  )
const refused = (answer: Answer, status: number, ...codes: string[]) =>
  expect([answer.status, ...reasons(answer).toSorted()]).toEqual([status, ...codes.toSorted()])
const count = () => countRisks(asSystem(u.services, 'test'))
let rules = 0
const addRule = (kind: string, threshold: number, points: number) =>
  w.query(
    `insert into early_warning_rules (code, name, name_local, kind, threshold, points, is_active) values ($1, 'Rule', 'قاعدة', $2, $3, $4, true)`,
    [`R${++rules}`, kind, threshold, points],
  )
const day = async (days: number): Promise<string> =>
  (await w.query<{ day: string }>(`select (university_today() + $1::int)::text as day`, [days]))[0]!.day

beforeAll(async () => {
  u = await testUniversity([kitServer, catalogueServer, settingsServer, earlyWarningServer], { work: true })
  w = await registrationWorld(u)
  registrar = await u.as('registrar')
  dean = await u.as('dean', ['faculty', w.faculty])
  elsewhere = await u.as('dean', ['faculty', w.otherFaculty])
  advisor = await w.advisor()
}, 120_000)
afterAll(() => u?.close())
beforeEach(async () => {
  await w.query(`update students set removed_at = now()`)
  await w.query('delete from risk_contacts')
  await w.query('delete from student_risks')
  await w.query('delete from risk_models')
  await w.query('delete from early_warning_rules')
  await set('early_warning', 'true')
  await set('early_warning_own', 'true')
  await addRule('not_registered', 5, 3)
})

type Student = Awaited<ReturnType<RegistrationWorld['student']>>
/** An offering with a lecture on each of the last days: whom of the students is present is said by their days. */
async function attendance(students: readonly { of: Student; present: readonly boolean[] }[]): Promise<void> {
  const offering = await w.offer('MA101')
  const days = Math.max(...students.map(({ present }) => present.length))
  for (const { of } of students)
    await w.query(
      `insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
       select $1, o.id, o.term_id, o.course_id, 262160, 3 from offerings o where o.id = $2`,
      [of.id, offering.id],
    )
  for (let i = 0; i < days; i += 1) {
    const [row] = await w.query<{ id: number }>(
      `insert into meeting_occurrences (offering_id, offering_slot_id, date) values ($1, $2, university_today() - $3::int) returning id`,
      [offering.id, offering.lectures[0], days - i],
    )
    for (const { of, present } of students)
      await w.query('insert into attendance (occurrence_id, student_id, state) values ($1, $2, $3)', [
        row!.id,
        of.id,
        present[i] ? 'present' : 'absent',
      ])
  }
}
const list = async (by: Caller, filters: object = {}) => {
  const answer = await by('POST', '/early-warning', { filters })
  ok(answer)
  return answer.body
}
const codes = (answer: { data: { id: number; reasons: { code: string }[] }[] }) =>
  answer.data.map((row) => [row.id, ...row.reasons.map(({ code }) => code)])

test('who stands out is found by the rules, with every reason in words, who needs somebody most first', async () => {
  await addRule('attendance_low', 75, 4)
  await addRule('unpaid', 10, 2)
  const [ali, mona, sara] = [await w.student(), await w.student(), await w.student()]
  await attendance([
    { of: ali, present: [true, false, false, false, true] },
    { of: sara, present: [true, true, true, true, true] },
  ])
  await w.query(
    `insert into student_holds (student_id, kind, since) values ($1, 'unpaid_invoice', university_today() - 20)`,
    [ali.id],
  )
  expect(await count()).toMatchObject({ students: 3, standing: 2 })
  const answer = await list(registrar)
  expect(codes(answer)).toEqual([
    [ali.id, 'risk_attendance_low', 'risk_unpaid'],
    [mona.id, 'risk_not_registered'],
  ])
  expect(answer.data[0]).toMatchObject({ risk: 'high', points: 6, probability: null, contact: null })
  expect(answer.data[0].reasons[0]).toMatchObject({
    en: 'Attended 40 % of the meetings of this term.',
    ar: 'حضر 40٪ من المحاضرات هذا الفصل.',
    points: 4,
  })
  expect(answer.meta.details).toMatchObject({ on: true, high: 1, watch: 1, without_contact: 2 })
  expect(codes(await list(registrar, { risk: ['watch'] }))).toEqual([[mona.id, 'risk_not_registered']])
  expect(codes(await list(registrar, { code: ['risk_unpaid'] }))).toHaveLength(1)
  expect((await list(registrar, { faculty_id: [w.otherFaculty] })).data).toEqual([])
  refused(await registrar('POST', '/early-warning', { filters: { risk: [1] } }), 422, 'not_a_choice@filters')
  refused(await registrar('POST', '/early-warning', { filters: { contacted: 'x' } }), 422, 'wrong_type@filters')
  refused(await registrar('POST', '/early-warning', { filters: { level: 'x' } }), 422, 'wrong_type@filters')
  expect((await registrar('POST', '/early-warning/export', { lang: 'ar' })).status).toBe(200)
})

test('an advisor sees the own students, a dean those of the faculty, and nobody else anything', async () => {
  const [mine, other, far] = [
    await w.student({ advisor: advisor.id }),
    await w.student(),
    await w.student({ faculty: 'other' }),
  ]
  await count()
  const ids = async (by: Caller) =>
    (await list(by)).data.map((row: { id: number }) => row.id).toSorted((a: number, b: number) => a - b)
  expect(await ids(advisor.as)).toEqual([mine.id])
  expect(await ids(dean)).toEqual([mine.id, other.id])
  expect(await ids(elsewhere)).toEqual([far.id])
  expect((await list(advisor.as)).meta.details).toMatchObject({ watch: 1 })
  expect((await advisor.as('GET', `/early-warning/students/${other.id}`)).status).toBe(404)
  expect((await elsewhere('GET', `/early-warning/students/${mine.id}`)).status).toBe(404)
  const note = { on_date: await day(0), way: 'phone', said: 'Called.', outcome: 'open' }
  expect((await advisor.as('POST', `/early-warning/students/${other.id}/contacts`, note)).status).toBe(404)
  for (const role of ['instructor', 'finance_officer', 'control_head', 'student', null])
    for (const [method, path, body] of [
      ['POST', '/early-warning', {}],
      ['POST', '/early-warning/export', {}],
      ['GET', `/early-warning/students/${mine.id}`, undefined],
      ['POST', `/early-warning/students/${mine.id}/contacts`, note],
      ['POST', '/early-warning/count', undefined],
      ['GET', '/early-warning/models', undefined],
      ['POST', '/early-warning/models/fit', undefined],
      ['PUT', '/early-warning/models/use', { id: null }],
    ] as const)
      expect((await (await u.as(role))(method, path, body)).status, `${role} ${path}`).toBe(403)
  expect((await u.nobody('POST', '/early-warning', {})).status).toBe(401)
  // Counting and models are about everybody: who manages a part of the university does neither.
  const part = await u.as('registrar', ['faculty', w.faculty])
  for (const by of [advisor.as, dean, part]) {
    expect((await by('POST', '/early-warning/count')).status).toBe(403)
    expect((await by('GET', '/early-warning/models')).status).toBe(403)
    expect((await by('POST', '/early-warning/models/fit')).status).toBe(403)
    expect((await by('PUT', '/early-warning/models/use', { id: null })).status).toBe(403)
  }
})

test('a contact is noted by who reaches the student, changed with what came of it, and told of as open', async () => {
  const student = await w.student({ advisor: advisor.id })
  await count()
  const path = `/early-warning/students/${student.id}/contacts`
  const note = {
    on_date: await day(0),
    way: 'meeting',
    said: 'Works at night.',
    outcome: 'open',
    again_on: await day(7),
  }
  refused(
    await advisor.as('POST', path, { ...note, on_date: await day(1), again_on: await day(1) }),
    422,
    'risk_contact_again@again_on',
    'risk_contact_ahead@on_date',
  )
  expect((await advisor.as('POST', path, { ...note, said: ' ' })).status).toBe(422)
  const { id } = ok(await advisor.as('POST', path, note))
  const shown = ok(await dean('GET', `/early-warning/students/${student.id}`))
  expect(shown).toMatchObject({ may_note: true, now: { level: 'watch' }, before: [] })
  expect(shown.contacts).toMatchObject([
    { id, said: 'Works at night.', outcome: 'open', version: 1, abilities: ['edit'] },
  ])
  expect((await list(advisor.as, { contacted: false })).data).toEqual([])
  expect((await list(advisor.as, { outcome: ['open'] })).data).toHaveLength(1)
  const change = { ...note, outcome: 'helped', outcome_note: 'Another group.', version: 1 }
  expect((await elsewhere('PUT', `/early-warning/contacts/${id}`, change)).status).toBe(404)
  // Two at once: one of them saw what was there.
  const both = await Promise.all([
    advisor.as('PUT', `/early-warning/contacts/${id}`, change),
    dean('PUT', `/early-warning/contacts/${id}`, { ...change, outcome: 'declined' }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  refused(
    both.find(({ status }) => status === 409)!,
    409,
    'changed_meanwhile',
  )
  expect((await advisor.as('PUT', '/early-warning/contacts/999999', change)).status).toBe(404)
  const [kept] = await w.query(`select risk_id, created_by from risk_contacts where id = $1`, [id])
  expect(kept).toMatchObject({ risk_id: shown.now.id, created_by: advisor.as.user_id })
  expect(
    await w.query(`select from audit_log where table_name = 'risk_contacts' and record_id = $1`, [id]),
  ).toHaveLength(2)
})

test('what stood is kept with what it stood on, and ends when other rules speak', async () => {
  const student = await w.student()
  await count()
  const of = async () => ok(await registrar('GET', `/early-warning/students/${student.id}`))
  const first = await of()
  await count()
  // The same rules: the same risk, counted again.
  expect(await of()).toMatchObject({ now: { id: first.now.id, began_at: first.now.began_at }, before: [] })
  await w.query(
    `insert into student_holds (student_id, kind, since) values ($1, 'unpaid_invoice', university_today() - 9)`,
    [student.id],
  )
  await addRule('unpaid', 5, 1)
  await count()
  const second = await of()
  expect(second.now).toMatchObject({ points: 4 })
  expect(second.now.id).not.toBe(first.now.id)
  expect(second.before).toMatchObject([{ id: first.now.id, points: 3, reasons: [{ code: 'risk_not_registered' }] }])
  expect(second.before[0].ended_at).not.toBeNull()
  // The student is in a course and has paid: nothing stands out.
  await attendance([{ of: student, present: [true] }])
  await w.query('update student_holds set lifted_at = now() where student_id = $1', [student.id])
  await count()
  expect(await of()).toMatchObject({ now: null, before: [{ id: second.now.id }, { id: first.now.id }] })
})

test('several who count at once leave one risk of each student', async () => {
  const students = await Promise.all(Array.from({ length: 6 }, () => w.student()))
  await Promise.all([count(), count(), count()])
  const rows = await w.query<{ standing: number; all: number }>(
    `select (count(*) filter (where ended_at is null))::int as standing, count(*)::int as "all" from student_risks`,
  )
  expect(rows).toEqual([{ standing: students.length, all: students.length }])
  await expect(
    w.query(
      `insert into student_risks (student_id, term_id, level, points, reasons, facts)
      values ($1, $2, 'watch', 3, '[{}]', '{}')`,
      [students[0]!.id, w.term],
    ),
  ).rejects.toThrow('student_risk_stands')
})

test('students see what stands out of their own term, without results that are not out, if the university shows it', async () => {
  const student = await w.student({ advisor: advisor.id })
  await addRule('marks_low', 1, 4)
  await attendance([{ of: student, present: [true] }])
  const [category] = await w.query<{ id: number }>(
    `insert into mark_categories (code, name, name_local) values ('MID' || (select count(*) from mark_categories), 'Midterm', 'نصفي') returning id`,
  )
  const [registration] = await w.query<{ id: number; offering_id: number }>(
    'select id, offering_id from registrations where student_id = $1 and term_id = $2',
    [student.id, w.term],
  )
  const [mark] = await w.query<{ id: number }>(
    'insert into offering_marks (offering_id, mark_category_id, max) values ($1, $2, 30) returning id',
    [registration!.offering_id, category!.id],
  )
  await w.query('insert into registration_marks (registration_id, offering_mark_id, mark) values ($1, $2, 9)', [
    registration!.id,
    mark!.id,
  ])
  const own = async () => ok(await student.as('GET', '/early-warning/own'))
  await count()
  expect(codes(await list(registrar))).toEqual([[student.id, 'risk_marks_low']])
  expect(await own()).toMatchObject({ on: true, level: null, reasons: [], advisor: { id: advisor.id } })
  // The bylaw shows marks as soon as they are entered.
  await w.query(`update bylaws set grades_visibility = grades_visibility || '{"marks": "Draft"}'`)
  await count()
  expect(await own()).toMatchObject({
    level: 'watch',
    reasons: [{ code: 'risk_marks_low', data: { below: 1, of: 1 } }],
  })
  expect(JSON.stringify(await own())).not.toMatch(/points|probability/)
  ok(
    await advisor.as('POST', `/early-warning/students/${student.id}/contacts`, {
      on_date: await day(0),
      way: 'phone',
      said: 'A secret.',
      outcome: 'open',
    }),
  )
  const after = await student.as('GET', '/early-warning/own')
  expect(after.body.data.contacts).toMatchObject([{ way: 'phone' }])
  expect(JSON.stringify(after.body)).not.toContain('secret')
  expect((await student.as('GET', `/early-warning/students/${student.id}`)).status).toBe(403)
  const work = ok(await student.as('GET', '/users/work')).waiting as { key: string }[]
  expect(work.map(({ key }) => key)).toContain('early-warning.work_own')
  await set('early_warning_own', 'false')
  expect(await own()).toEqual({ on: false, counted_at: null, level: null, reasons: [], advisor: null, contacts: [] })
})

test('the home page says whom nobody has spoken with, and with whom to speak again', async () => {
  const student = await w.student({ advisor: advisor.id })
  await w.student()
  await set('early_warning_high', '3')
  await count()
  const keys = async (by: Caller) =>
    (ok(await by('GET', '/users/work')).waiting as { key: string; data: { count: number } }[])
      .filter(({ key }) => key.startsWith('early-warning.'))
      .map(({ key, data }) => [key, data.count])
  expect(await keys(advisor.as)).toEqual([['early-warning.work_contact', 1]])
  expect(await keys(dean)).toEqual([['early-warning.work_contact', 2]])
  await w.query(
    `insert into risk_contacts (student_id, on_date, way, said, again_on, created_by) values ($1, university_today() - 9, 'mail', 'Asked.', university_today() - 2, $2)`,
    [student.id, advisor.as.user_id],
  )
  await w.query(`update student_risks set began_at = now() - interval '20 days'`)
  expect(await keys(advisor.as)).toEqual([['early-warning.work_again', 1]])
  expect(await keys(dean)).toEqual([['early-warning.work_contact', 1]])
  await set('early_warning_high', '6')
})

test('switched off, nothing stands and nothing is shown', async () => {
  const student = await w.student({ advisor: advisor.id })
  await count()
  await set('early_warning', 'false')
  const answer = await list(advisor.as)
  expect([answer.data, answer.meta.details.on]).toEqual([[], false])
  refused(await advisor.as('GET', `/early-warning/students/${student.id}`), 409, 'early_warning_off')
  refused(await advisor.as('POST', '/early-warning/export', {}), 409, 'early_warning_off')
  refused(await registrar('POST', '/early-warning/count'), 409, 'early_warning_off')
  expect(ok(await student.as('GET', '/early-warning/own')).on).toBe(false)
  expect(await count()).toEqual({ students: 0, standing: 0 })
  expect(await w.query('select from student_risks where ended_at is null')).toEqual([])
})

test('rules are set by registrars, and one that is switched off says nothing', async () => {
  const student = await w.student()
  const rule = {
    code: 'TWICE',
    name: 'No course',
    name_local: 'بلا مقررات',
    kind: 'not_registered',
    threshold: '5',
    points: 2,
    is_active: true,
  }
  expect((await registrar('PUT', '/early-warning-rules', { ...rule, threshold: '6', points: 11 })).status).toBe(422)
  ok(await registrar('PUT', '/early-warning-rules', { ...rule, threshold: '6' }))
  expect((await advisor.as('PUT', '/early-warning-rules', { ...rule, threshold: '7' })).status).toBe(403)
  await w.query('update early_warning_rules set is_active = false')
  await count()
  expect((await list(registrar)).data).toEqual([])
  expect(ok(await registrar('GET', `/early-warning/students/${student.id}`))).toMatchObject({
    now: null,
    before: [],
  })
})

/** Waits for a job. */
async function done(id: string): Promise<{ state: string; result: unknown; error: { error: { en: string } } | null }> {
  for (let i = 0; i < 300; i += 1) {
    const job = ok(await registrar('GET', `/jobs/${id}`))
    if (!['queued', 'running'].includes(job.state)) return job
    await new Promise((later) => setTimeout(later, 100))
  }
  throw new Error('the job does not end')
}

test('a model is fitted to finished terms, its errors are told by kind, and it speaks when it is used', async () => {
  const few = await done(ok(await registrar('POST', '/early-warning/models/fit')).job_id)
  expect(few).toMatchObject({ state: 'failed' })
  expect(JSON.stringify(few.error)).toContain('risk_past_short')
  // Who was under warning had another hard term, mostly.
  const [first] = await w.query<{ id: number }>(`
    insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
    select id, 'T0', 'T0', 'T0', 'spring', university_today() - 290, university_today() - 210 from years returning id`)
  await w.query(
    `with made as (
      insert into students (code, name, name_local, faculty_id, program_id, bylaw_id, level, gender)
      select 'PAST' || i, 'Past', 'سابق', $1, $2, $3, 1, 1 + i % 2 from generate_series(1, 160) i returning id, right(code, -4)::int as i)
    insert into student_terms (student_id, term_id, registered_hours, attempted_hours, passed_hours, term_points, gpa, cumulative_hours,
      cumulative_passed_hours, cumulative_points, cumulative_gpa, level, warned, warnings, standing)
    select m.id, t.id, 15, 15, case when hard then 3 else 15 end, 30, case when hard then 1.2 else 3.1 end, 15, 15, 30,
      case when hard then 1.4 else 3 end, 1, hard, hard::int, case when hard then 'warned' else 'good' end
    from made m cross join (values ($4::int, false), ($5::int, true)) t (id, first)
      cross join lateral (select case when t.first then m.i % 2 = 0 else m.i % 2 = (m.i % 10 = 0)::int end as hard) h`,
    [w.faculty, w.program, w.bylaw, w.pastTerm, first!.id],
  )
  const { state, result } = await done(ok(await registrar('POST', '/early-warning/models/fit')).job_id)
  expect(state).toBe('done')
  const { id } = result as { id: number }
  const [model] = ok(await registrar('GET', '/early-warning/models'))
  expect(model).toMatchObject({ id, is_used: false, fitted_by: { id: registrar.user_id } })
  expect(model.groups.gender).toHaveLength(2)
  expect(model.groups.faculty[0]).toMatchObject({ of: { id: w.faculty } })
  expect(model.macro_f1).toBeGreaterThan(0.4)
  // Not used yet: it says nothing.
  const student = await w.student()
  await addRule('model', 1, 5)
  await count()
  expect(codes(await list(registrar, { code: ['risk_model'] }))).toEqual([])
  ok(await registrar('PUT', '/early-warning/models/use', { id }))
  await count()
  const { now } = ok(await registrar('GET', `/early-warning/students/${student.id}`))
  expect(now.probability).toBeGreaterThan(0.01)
  expect(now.reasons.map((one: { code: string }) => one.code)).toEqual(['risk_model', 'risk_not_registered'])
  // The student is not told what a model makes of marks that are not out.
  expect(ok(await student.as('GET', '/early-warning/own')).reasons).toMatchObject([{ code: 'risk_not_registered' }])
  expect((await registrar('PUT', '/early-warning/models/use', { id: 999_999 })).status).toBe(404)
  ok(await registrar('PUT', '/early-warning/models/use', { id: null }))
  expect(ok(await registrar('GET', '/early-warning/models'))[0].is_used).toBe(false)
}, 60_000)

test('risks are counted by a job when somebody asks for it', async () => {
  await w.student()
  const job = await done(ok(await registrar('POST', '/early-warning/count')).job_id)
  expect(job).toMatchObject({ state: 'done', result: { students: 1, standing: 1 } })
})

test('what was said and what stood is erased when its time is over', async () => {
  const student = await w.student()
  await count()
  for (const [said, days] of [
    ['Long ago.', 1_900],
    ['Lately.', 30],
  ] as const)
    await w.query(
      `insert into risk_contacts (student_id, on_date, way, said, updated_at) values ($1, university_today() - $3::int, 'mail', $2, now() - make_interval(days => $3))`,
      [student.id, said, days],
    )
  await w.query(
    `insert into student_risks (student_id, term_id, level, points, reasons, facts, began_at, counted_at, ended_at)
     select student_id, term_id, level, points, reasons, facts, now() - interval '2000 days', now() - interval '1990 days', now() - interval '1900 days' from student_risks`,
  )
  const progress = Object.assign(async () => {}, { signal: new AbortController().signal })
  expect(await retention.run(asSystem(u.services, 'test'), {}, progress)).toMatchObject({ early_warning: 2 })
  expect(await w.query('select said from risk_contacts')).toEqual([{ said: 'Lately.' }])
  expect(await w.query('select ended_at from student_risks')).toEqual([{ ended_at: null }])
})
