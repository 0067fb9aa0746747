/** What theses are refused for, through HTTP. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { ok, reasons, testUniversity, type Answer, type TestUniversity } from '#tests/university.ts'
import { thesisWorld, type ThesisWorld } from './testing.server.ts'

let u: TestUniversity
let w: ThesisWorld
const said = (answer: Answer): [number, string[]] => [answer.status, reasons(answer)]
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await thesisWorld(u)
})
afterAll(() => u.close())
const rule = (more: object) => ({
  bylaw_id: w.bylaw,
  approve_months: 6,
  min_months: 6,
  max_months: 36,
  extension_months: 6,
  max_extensions: 2,
  report_months: 6,
  min_seminars: 1,
  min_publications: 0,
  max_similarity: '25',
  min_committee: 3,
  min_external: 1,
  max_supervised: 10,
  ...more,
})

test('rules of a bylaw fit together, and stand once', async () => {
  const add = (more: object) => w.registrar('PUT', '/thesis-rules', rule(more))
  expect(said(await add({ min_months: 40 }))[1][0]).toMatch(/^thesis_rule_window/)
  expect(said(await add({ min_committee: 3, min_external: 3 }))[1][0]).toMatch(/^thesis_rule_committee/)
  const { id } = ok(await add({}))
  expect(said(await add({}))[1][0]).toMatch(/^thesis_rule_twice/)
  ok(await w.registrar('DELETE', `/thesis-rules/${id}`))
})
test('a thesis that was registered is not removed; a team has one main supervisor', async () => {
  const { id, student } = await w.draft()
  const other = await w.instructor()
  const twice = { thesis_id: id, instructor_id: other.id, job: 'leader', share: 50 }
  expect(said(await w.registrar('PUT', '/theses/members', twice))[1][0]).toMatch(/^thesis_leader_twice/)
  const both = { ...twice, job: 'member', examiner_id: await w.examiner() }
  expect(said(await w.registrar('PUT', '/theses/members', both))).toEqual([422, ['thesis_member_one@instructor_id']])
  const examiner = { thesis_id: id, examiner_id: await w.examiner(), job: 'reviewers' }
  ok(await w.registrar('PUT', '/theses/members', examiner))
  expect(said(await w.registrar('PUT', '/theses/members', examiner))[1][0]).toMatch(/^thesis_examiner_twice/)
  ok(await student.as('PUT', `/theses/register/${id}`, {}))
  expect(said(await w.registrar('DELETE', `/theses/${id}`))[1]).toEqual(['thesis_not_draft'])
})
test('time runs only while a step is awaited, and is suspended for days of its own', async () => {
  const { id } = await w.draft()
  const pause = { kind: 'suspension', reason: 'x', decision: '1' }
  expect(said(await w.dean('POST', `/theses/clock/${id}`, pause))).toEqual([409, ['thesis_no_clock']])
  const of = await w.approved()
  expect(said(await w.dean('POST', `/theses/clock/${of.id}`, pause))).toEqual([
    422,
    ['thesis_suspension_period@until_date'],
  ])
  const early = { ...pause, from_date: addDays(w.today, -900), until_date: w.today }
  expect(said(await w.dean('POST', `/theses/clock/${of.id}`, early))).toEqual([
    422,
    ['thesis_suspension_early@from_date'],
  ])
})
test('reports, seminars and manuscripts belong to a thesis under way, and to no day ahead', async () => {
  const { id, leader, student } = await w.draft()
  const report = { until_date: w.today, progress: 1, satisfied: true, text: 'x' }
  const seminar = { held_on: w.today, title: 'x' }
  expect(said(await leader.as('POST', `/theses/reports/${id}`, report))).toEqual([409, ['thesis_not_under_way']])
  expect(said(await leader.as('POST', `/theses/seminars/${id}`, seminar))).toEqual([409, ['thesis_not_under_way']])
  expect(said(await w.upload(student.as, `/theses/versions/${id}`, { own_work: 'true' }, w.pdf()))).toEqual([
    409,
    ['thesis_manuscript_closed'],
  ])
  const of = await w.approved()
  const ahead = addDays(w.today, 1)
  expect(said(await of.leader.as('POST', `/theses/reports/${of.id}`, { ...report, until_date: ahead }))).toEqual([
    422,
    ['thesis_day_future@until_date'],
  ])
  expect(said(await of.leader.as('POST', `/theses/seminars/${of.id}`, { ...seminar, held_on: ahead }))).toEqual([
    422,
    ['thesis_day_future@held_on'],
  ])
  ok(await of.leader.as('POST', `/theses/seminars/${of.id}`, seminar))
  expect(said(await of.leader.as('POST', `/theses/seminars/${of.id}`, seminar))[1][0]).toMatch(/^thesis_seminar_twice/)
  // Two reports at once, and two versions: the thesis is held, so each finds the other.
  const two = await Promise.all([1, 2].map(() => of.leader.as('POST', `/theses/reports/${of.id}`, report)))
  expect(two.map(({ status }) => status).toSorted()).toEqual([200, 422])
  await expect(
    w.q(`insert into thesis_reports (thesis_id, until_date, progress, satisfied, text) values ($1, $2, 1, true, 'x')`, [
      of.id,
      w.today,
    ]),
  ).rejects.toMatchObject({ constraint: 'thesis_report_twice' })
  const files = await Promise.all(
    [1, 2].map(() => w.upload(of.student.as, `/theses/versions/${of.id}`, { own_work: 'true' }, w.pdf())),
  )
  expect(files.map(({ status }) => status)).toEqual([200, 200])
  await expect(
    w.q(
      `insert into thesis_versions (thesis_id, number, file_id, declared_at) select $1, 1, min(id), now() from files`,
      [of.id],
    ),
  ).rejects.toMatchObject({ constraint: 'thesis_version_twice' })
})
test('a discussion ends after it begins, when nobody teaches and no exam is held in the room', async () => {
  const { id, judges } = await w.ready()
  const hall = await w.room('Q1')
  const at = { location_id: hall, day: addDays(w.today, 3), from_time: '12:00', until_time: '10:00' }
  expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([
    422,
    ['thesis_time_order@until_time'],
  ])
  const { lectures } = await w.offer('CS101', { day: 2, period: 3 })
  await w.q(`insert into offering_slot_instructors (offering_slot_id, instructor_id) values ($1, $2)`, [
    lectures[0],
    judges[0]!.id,
  ])
  const [meeting] = await w.q(
    `select d::date::text as day, to_char(lower(m.held), 'HH24:MI') as begins, to_char(upper(m.held), 'HH24:MI') as ends
     from generate_series(university_today() + 1, university_today() + 9, '1 day') d, weekly_meetings_on(d::date) m where m.meeting_id = $1 limit 1`,
    [lectures[0]],
  )
  const taught = { location_id: hall, day: meeting!.day, from_time: meeting!.begins, until_time: meeting!.ends }
  expect(said(await w.registrar('POST', `/theses/discussion/${id}`, taught))).toEqual([
    409,
    ['thesis_member_teaches@from_time'],
  ])
  const good = { ...at, until_time: '14:00' }
  expect(said(await w.registrar('POST', `/theses/discussion/${id}`, { ...good, location_id: 99_999_999 }))).toEqual([
    422,
    ['reference_missing@location_id'],
  ])
  ok(await w.registrar('POST', `/theses/discussion/${id}`, good))
  await expect(
    w.q(
      `insert into thesis_discussions (thesis_id, location_id, during) values ($1, $2, tstzrange(now() + interval '90 days', now() + interval '91 days'))`,
      [id, hall],
    ),
  ).rejects.toMatchObject({ constraint: 'thesis_discussion_twice' })
  await w.q(
    `update thesis_discussions set during = tstzrange(now() - interval '2 hours', now() - interval '1 hour') where thesis_id = $1`,
    [id],
  )
  expect(said(await w.registrar('PUT', `/theses/discuss/${id}`, { result: 'changes' }))).toEqual([
    422,
    ['thesis_changes_due_missing@changes_due'],
  ])
})
test('a change waits alone; changes are confirmed where they were asked for', async () => {
  const { id, student, leader } = await w.approved()
  ok(await student.as('PUT', `/theses/change/${id}`, { title: 'B', reason: 'x' }))
  await expect(
    w.q(`insert into thesis_changes (thesis_id, title, before, reason) values ($1, 'C', '{}', 'x')`, [id]),
  ).rejects.toMatchObject({ constraint: 'thesis_change_waits' })
  expect(said(await leader.as('PUT', `/theses/changes/${id}`, { done_on: w.today }))).toEqual([
    409,
    ['thesis_no_changes'],
  ])
})
test('changes are confirmed on a day after the discussion, until the day by which they were asked for', async () => {
  const due = addDays(w.today, 30)
  const of = await w.discussed({ result: 'changes', changes_due: due })
  const done = async (done_on: string) => said(await of.leader.as('PUT', `/theses/changes/${of.id}`, { done_on }))
  expect(await done(addDays(w.today, 1))).toEqual([422, ['thesis_day_future@done_on']])
  expect(await done(addDays(w.today, -900))).toEqual([422, ['thesis_decision_early@done_on']])
  await w.q(
    `update thesis_discussions set during = tstzrange(now() - interval '9 days', now() - interval '8 days'),
      changes_due = $2 where thesis_id = $1`,
    [of.id, addDays(w.today, -1)],
  )
  expect(await done(w.today)).toEqual([409, ['thesis_too_late@done_on']])
  expect(await w.q('select changes_done_on from thesis_discussions where thesis_id = $1', [of.id])).toEqual([
    { changes_done_on: null },
  ])
})
test('remarks, similarity and supervisors name what is there', async () => {
  const of = await w.ready()
  const other = await w.ready()
  const [mine, theirs] = await Promise.all(
    [of, other].map(
      async (one) =>
        (await w.q('select id from thesis_versions where thesis_id = $1 limit 1', [one.id]))[0]!.id as number,
    ),
  )
  const remark = async (body: object) =>
    said(await of.leader.as('POST', `/theses/remarks/${of.id}`, { version_id: mine, text: 'Why?', ...body }))
  expect(await remark({ version_id: theirs })).toEqual([422, ['reference_missing@version_id']])
  expect(await remark({ reply_to: 99_999_999 })).toEqual([422, ['reference_missing@reply_to']])
  const measured = await w.upload(
    of.leader.as,
    `/theses/similarity/${of.id}`,
    { version_id: String(theirs), percent: '3' },
    w.pdf(),
  )
  expect(said(measured)).toEqual([422, ['reference_missing@version_id']])
  expect(await w.q('select from thesis_remarks where version_id = any($1)', [[mine, theirs]])).toEqual([])
  const calendar = await u.app.inject({
    url: `/api/theses/discussion/${of.id}/calendar`,
    headers: { authorization: `Bearer ${w.registrar.token}` },
  })
  expect([calendar.statusCode, calendar.json().errors[0].code]).toEqual([409, 'thesis_not_scheduled'])
})
test('subjects have as many places as are taken, and go to who wished for them', async () => {
  const leader = await w.instructor()
  const subject = { name: 'A', name_local: 'أ', instructor_id: leader.id, department_id: w.department, places: 2 }
  const { id } = ok(await leader.as('PUT', '/thesis-subjects', subject))
  const [a, b, c] = [await w.student(), await w.student(), await w.student()]
  expect(said(await leader.as('POST', `/thesis-wishes/take/${id}`, { student_id: a.id }))).toEqual([
    409,
    ['thesis_not_wished@student_id'],
  ])
  for (const one of [a, b, c]) ok(await one.as('PUT', '/thesis-wishes/my', { subject_ids: [id] }))
  for (const one of [a, b]) ok(await leader.as('POST', `/thesis-wishes/take/${id}`, { student_id: one.id }))
  expect(said(await leader.as('POST', `/thesis-wishes/take/${id}`, { student_id: c.id }))).toEqual([
    409,
    ['thesis_subject_full'],
  ])
  expect(said(await leader.as('PUT', `/thesis-subjects/${id}`, { places: 1 }))).toEqual([
    409,
    ['thesis_places_taken@places'],
  ])
  // Nor by whoever enters a thesis for the student; a place that somebody gave back is free again.
  const thesis = {
    student_id: c.id,
    subject_id: id,
    department_id: w.department,
    degree: 'master',
    language: 'en',
    title: 'T',
    title_local: 'ت',
  }
  expect(said(await w.registrar('PUT', '/theses', thesis))).toEqual([409, ['thesis_subject_full@subject_id']])
  const [taken] = await w.q('select id from theses where subject_id = $1 and student_id = $2', [id, b.id])
  ok(await w.registrar('DELETE', `/theses/${taken!.id}`))
  const entered = ok(await w.registrar('PUT', '/theses', thesis))
  expect(await w.q('select instructor_id, job from thesis_members where thesis_id = $1', [entered.id])).toEqual([
    { instructor_id: leader.id, job: 'leader' },
  ])
  await w.statusOf(c.id, 'suspended')
  expect(said(await c.as('PUT', '/thesis-wishes/my', { subject_ids: [] }))).toEqual([409, ['thesis_wish_who']])
})
test('papers need what stands on them', async () => {
  const { id } = await w.draft()
  const get = async (path: string, by = w.registrar) => {
    const answer = await u.app.inject({ url: `/api${path}`, headers: { authorization: `Bearer ${by.token}` } })
    return [answer.statusCode, answer.json().errors.map((one: { code: string }) => one.code)]
  }
  expect(await get(`/theses/minutes/${id}`)).toEqual([409, ['thesis_no_minutes']])
  expect(await get(`/theses/letters/${id}`)).toEqual([409, ['thesis_not_scheduled']])
  expect(await get('/theses/printPdf', (await w.student()).as)).toEqual([409, ['thesis_none']])
  expect(said(await w.dean('POST', `/theses/${id}/papers`, { kind: 'thesis_decision', lang: 'ar' }))).toEqual([
    409,
    ['thesis_decision_none'],
  ])
})
test('an exam in the room holds up a discussion', async () => {
  const { id } = await w.ready()
  const hall = await w.room('Q2')
  const day = addDays(w.today, 4)
  // A hall of an exam, without the exam itself.
  await w.q(`set session_replication_role = replica;
    insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during)
      values (1, 1, ${hall}, 10, tsrange('${day} 10:30', '${day} 12:00'));
    set session_replication_role = default`)
  const at = { location_id: hall, day, from_time: '10:00', until_time: '11:00' }
  expect(said(await w.registrar('POST', `/theses/discussion/${id}`, at))).toEqual([
    409,
    ['thesis_room_examined@location_id'],
  ])
  ok(await w.registrar('POST', `/theses/discussion/${id}`, { ...at, until_time: '10:30' }))
})
