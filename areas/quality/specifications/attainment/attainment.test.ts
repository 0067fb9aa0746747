import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Answer, type Caller } from '#tests/university.ts'
import { specificationWorld, type SpecificationWorld } from '../testing.server.ts'

let w: SpecificationWorld
let quality: Caller
let approver: Caller
let term: number
beforeAll(async () => {
  w = await specificationWorld()
  quality = w.quality
  approver = await w.uni.as('quality_staff')
  // A term of the year before: what is measured there is measured first.
  term = (
    await w.q(
      `insert into terms (year_id, code, name, name_local, term_type, start_date, end_date)
       values ($1, 'T0', 'Old', 'قديم', 'fall', university_today() - 490, university_today() - 400) returning id`,
      [w.years[0]],
    )
  )[0].id
})
afterAll(() => w.uni.close())

const refused = (answer: Answer, status: number, code: string) =>
  expect([answer.status, answer.body.errors?.[0]?.code]).toEqual([status, code])
const publish = (offering: number) => w.q(`update offerings set control_status = 'Published' where id = $1`, [offering])
/** A course whose outcomes are measured: K1 by coursework (40 %) and exam (60 %), S1 by the exam alone. */
async function measured(code: string) {
  const course = await w.course(code)
  const id = await w.begin(quality, { course_id: course, year_id: w.years[0] })
  const { outcomes, assessments } = await w.fill(quality, id)
  const cell = { outcome_id: outcomes[1], with: 'assessments', to_id: assessments[0], on: false }
  ok(await quality('PUT', `/specifications/matrix/${id}`, { cells: [cell] }))
  ok(await quality('PUT', `/specifications/submit/${id}`, {}))
  ok(await approver('PUT', `/specifications/approve/${id}`, {}))
  const old = await w.offering(course)
  await w.q(`update offerings set term_id = $2 where id = $1`, [old, term])
  return { course, id, offerings: [old, await w.offering(course)] as const }
}
const report = async (id: number, more = '', by = quality) =>
  ok(await by('GET', `/specifications/attainment/${id}${more}`))
const figures = (data: { outcomes: { code: string; measured: unknown[] }[] }, code: string) =>
  data.outcomes.find((one) => one.code === code)!.measured

test('outcomes are measured from marks by what assesses them, once control has approved', async () => {
  const { id, offerings } = await measured('AT1')
  // Of K1: 0.4 · 20/40 + 0.6 · 60/60 = 80 %, and 0.4 · 40/40 + 0 = 40 %. Of S1: 100 %, and 0 % of who is absent.
  await w.marks(offerings[0], [
    [20, 60],
    [40, null],
  ])
  expect(figures(await report(id), 'K1')).toEqual([null, null])
  await publish(offerings[0])
  const first = await report(id)
  expect(first.years.map((one: { code: string }) => one.code)).toEqual(['Y1', 'Y2'])
  expect(figures(first, 'K1')).toEqual([{ students: 2, mean: 60, share: 50 }, null])
  expect(figures(first, 'S1')).toEqual([{ students: 2, mean: 50, share: 50 }, null])
  expect(first.outcomes[0]).toMatchObject({ target: 70, attained: false, trend: null })
  // The year after: three of three.
  await w.marks(offerings[1], [
    [40, 60],
    [40, 30],
    [40, 36],
  ])
  await publish(offerings[1])
  const second = await report(id)
  expect(figures(second, 'K1')).toEqual([
    { students: 2, mean: 60, share: 50 },
    { students: 3, mean: 82, share: 100 },
  ])
  expect(figures(second, 'S1')[1]).toEqual({ students: 3, mean: 70, share: 66.67 })
  expect(second.outcomes.map((one: { attained: boolean; trend: string }) => [one.attained, one.trend])).toEqual([
    [true, 'up'],
    [false, 'up'],
  ])
  expect(
    second.sources.map((one: { code: string; outcome: string; students: number }) => [
      one.code,
      one.outcome,
      one.students,
    ]),
  ).toEqual([
    ['T (1)', 'K1', 3],
    ['T (1)', 'S1', 3],
  ])
})

test('a program is measured over its courses, for all or for those who began together', async () => {
  const of = await w.begin(quality, { program_id: w.program, year_id: w.years[0] })
  const outcome = { specification_id: of, domain: 'skills', level: 2, text: 'Work', text_local: 'يعمل' }
  ok(await quality('PUT', '/quality/programs-specs/outcomes', { ...outcome, code: 'A1' }))
  const made = [await measuredServing('AT2'), await measuredServing('AT3')] as const
  await w.marks(made[0].offerings[1], [[40, 60]])
  await w.marks(made[1].offerings[1], [[0, 0]], term)
  await publish(made[0].offerings[1])
  await publish(made[1].offerings[1])
  const all = await report(of)
  expect(all.of).toBe('program')
  expect(figures(all, 'A1')).toEqual([null, { students: 2, mean: 50, share: 50 }])
  expect(all.sources.map((one: { code: string; share: number }) => [one.code, one.share])).toEqual([
    ['AT2', 100],
    ['AT3', 0],
  ])
  expect(all.cohorts).toHaveLength(2)
  expect(figures(await report(of, `?cohort_id=${w.years[0]}`), 'A1')).toEqual([
    null,
    { students: 1, mean: 0, share: 0 },
  ])
})
/** As `measured`, where K1 serves A1. */
async function measuredServing(code: string) {
  const course = await w.course(code)
  const id = await w.begin(quality, { course_id: course, year_id: w.years[0] })
  const { outcomes } = await w.fill(quality, id)
  const cell = { outcome_id: outcomes[0], with: 'program_outcomes', program_id: w.program, code: 'A1', on: true }
  ok(await quality('PUT', `/specifications/matrix/${id}`, { cells: [cell] }))
  ok(await quality('PUT', `/specifications/submit/${id}`, {}))
  ok(await approver('PUT', `/specifications/approve/${id}`, {}))
  return { id, offerings: [0, await w.offering(course)] as const }
}

test('the loop is closed: found, done, and seen again the year after', async () => {
  const { course, id, offerings } = await measured('AT4')
  await w.marks(offerings[0], [[0, 0]])
  await publish(offerings[0])
  const head = await w.instructor({ heads: w.department[0] })
  const teacher = await w.instructor({ offering: offerings[1] })
  const plan = {
    course_id: course,
    year_id: w.years[0],
    outcome_code: 'K1',
    finding: 'Nobody reached it',
    action: 'More exercises',
    responsible_id: teacher.instructor,
    due_on: '2999-01-01',
  }
  refused(await head('PUT', '/quality-findings', { ...plan, program_id: w.program }), 422, 'finding_of_one')
  refused(await head('PUT', '/quality-findings', { ...plan, outcome_code: 'X' }), 422, 'finding_outcome_unknown')
  const made = ok(await head('PUT', '/quality-findings', plan))
  // It remembers on what it stood.
  expect([made.share, made.status]).toEqual([0, 'action_planned'])
  const of = (by: Caller, step: string, body = {}) => by('PUT', `/quality-findings/${step}/${made.id}`, body)
  ok(await of(teacher, 'report'))
  refused(await head('PUT', `/quality-findings/${made.id}`, { action: 'None' }), 409, 'finding_taken')
  refused(await of(head, 'confirm'), 409, 'finding_not_seen_yet')
  await w.marks(offerings[1], [[40, 60]])
  await publish(offerings[1])
  // Whoever acted does not judge it.
  await w.q(`update departments set head_id = $1 where id = $2`, [teacher.instructor, w.department[0]])
  refused(await of(teacher, 'confirm'), 403, 'step_own')
  await w.q(`update departments set head_id = $1 where id = $2`, [head.instructor, w.department[0]])
  ok(await of(head, 'confirm'))
  const [row] = await w.q(
    `select status, seen_year_id, seen_share::float8 as seen_share from quality_findings where id = $1`,
    [made.id],
  )
  expect(row).toEqual({ status: 'improved', seen_year_id: w.years[1], seen_share: 100 })
  await expect(w.q(`update quality_findings set seen_year_id = null where id = $1`, [made.id])).rejects.toMatchObject({
    constraint: 'finding_seen',
  })
  ok(await of(head, 'reopen', { reason: 'Too early' }))
  expect((await w.q(`select seen_year_id from quality_findings where id = $1`, [made.id]))[0].seen_year_id).toBe(null)
  // The wrong person gets nothing.
  const medicine = await w.uni.as('quality_staff', ['faculty', w.faculty[1]])
  const stranger = await w.instructor({ heads: w.department[1] })
  for (const by of [medicine, stranger]) {
    refused(await by('GET', `/specifications/attainment/${id}`), 404, 'not_found')
    refused(await by('GET', `/quality-findings/${made.id}`), 404, 'not_found')
    refused(await of(by, 'repeat', { reason: 'No' }), 404, 'not_found')
    expect((await by('PUT', '/quality-findings', plan)).status).toBe(403)
  }
  expect(
    (await (await w.uni.as('student', undefined, { type: 3 }))('GET', `/specifications/attainment/${id}`)).status,
  ).toBe(403)
})

test('what students and graduates say of outcomes stands beside it, by domain, once it is counted', async () => {
  const { id, offerings } = await measured('AT5')
  const form = [
    { key: 'q1', kind: 'rating', points: 5, domain: 'knowledge' },
    { key: 'q2', kind: 'rating', points: 5, domain: 'skills' },
    { key: 'q3', kind: 'rating', points: 5 },
  ]
  const type = async (kind: string, about: string) =>
    (
      await w.q(
        `insert into questionnaire_types (code, name, name_local, kind, about) values ($1, $1, 'نوع', $2, $3) returning id`,
        [`Q-${kind}`, kind, about],
      )
    )[0].id
  /** A questionnaire with one set, counted unless told. */
  const said = async (
    of: { type: number; offering?: number; program?: number; instructor?: number },
    figures: object,
    counted = true,
  ) => {
    const [{ id: questionnaire }] = await w.q(
      `insert into questionnaires (type_id, program_id, opens_on, closes_on, status, form, counted_on)
       values ($1, $2, university_today() - 9, university_today(), 'closed', $3, case when $4 then university_today() end) returning id`,
      [of.type, of.program ?? null, JSON.stringify(form), counted],
    )
    const [{ id: set }] = await w.q(
      `insert into questionnaire_sets (questionnaire_id, offering_id, instructor_id, asked, answered) values ($1, $2, $3, 20, 12) returning id`,
      [questionnaire, of.offering ?? null, of.instructor ?? null],
    )
    for (const [question, counts] of Object.entries(figures))
      await w.q(`insert into questionnaire_figures (set_id, question, part, n, counts) values ($1, $2, 0, 12, $3)`, [
        set,
        question,
        counts && JSON.stringify(counts),
      ])
  }
  const students = await type('student', 'course')
  await said({ type: students, offering: offerings[0] }, { q1: { 1: 3, 3: 3, 4: 4, 5: 2 }, q2: null, q3: { 5: 12 } })
  // What is said of an instructor is not of the course.
  const { instructor } = await w.instructor({ offering: offerings[0] })
  await said({ type: students, offering: offerings[0], instructor }, { q1: { 5: 12 } })
  // Not before the marks are published: what was said is not what they were given for.
  expect((await report(id)).said).toEqual([])
  await publish(offerings[0])
  // Four and five of five points; what all said alike is not kept, and what does not ask about outcomes is not read.
  const knowledge = { domain: 'knowledge', years: [{ answers: 12, share: 50 }, null] }
  expect((await report(id)).said).toEqual([knowledge])
  await said({ type: students, offering: offerings[1] }, { q1: { 5: 12 } }, false)
  await publish(offerings[1])
  expect((await report(id)).said).toEqual([knowledge])

  const of = (await w.q(`select id from specifications where program_id = $1 order by id limit 1`, [w.program]))[0].id
  expect((await report(of)).said).toEqual([])
  const graduates = await type('graduate', 'university')
  await said({ type: graduates, program: w.program }, { q2: { 2: 6, 5: 6 } })
  // To all graduates: it cannot be told which of them were of the program.
  await said({ type: graduates }, { q1: { 5: 12 } })
  expect((await report(of)).said).toEqual([{ domain: 'skills', years: [null, { answers: 12, share: 50 }] }])
})
