import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Answer, type Caller } from '#tests/university.ts'
import { specificationWorld, type SpecificationWorld } from './testing.server.ts'

let w: SpecificationWorld
let uni: SpecificationWorld['uni']
let quality: Caller
beforeAll(async () => {
  w = await specificationWorld()
  ;({ uni, quality } = w)
})
afterAll(() => uni.close())

const refused = (answer: Answer, status: number, ...codes: string[]) => {
  expect([answer.status, ...(answer.body.errors ?? []).map((one: { code: string }) => one.code)]).toEqual([
    status,
    ...codes,
  ])
}
const gaps = async (id: number, by = quality): Promise<string[]> =>
  ok(await by('GET', `/specifications/sheet/${id}`)).gaps.map((one: { problem: { code: string } }) => one.problem.code)
const outcome = (specification_id: number, code: string, more = {}) => ({
  specification_id,
  code,
  domain: 'knowledge',
  level: 2,
  text: `Outcome ${code}`,
  text_local: `ناتج ${code}`,
  ...more,
})

test('from an empty draft to the approval, by instructor and head', async () => {
  const course = await w.course('CS101')
  const teacher = await w.instructor({ offering: await w.offering(course) })
  const head = await w.instructor({ heads: w.department[0] })
  const id = await w.begin(teacher, { course_id: course, year_id: w.years[1] })
  expect(await gaps(id, teacher)).toEqual(['spec_outcomes_none', 'spec_weights_sum'])
  refused(await teacher('PUT', `/specifications/submit/${id}`, {}), 409, 'spec_outcomes_none', 'spec_weights_sum')
  const { outcomes } = await w.fill(teacher, id)
  expect(await gaps(id, teacher)).toEqual([])
  // Half of the matrix is cleared: nothing assesses and nothing teaches it.
  const cell = { outcome_id: outcomes[0], on: false }
  const sheet = ok(await teacher('GET', `/specifications/sheet/${id}`))
  const cells = [
    ...sheet.assessments.map((one: { id: number }) => ({ ...cell, with: 'assessments', to_id: one.id })),
    ...sheet.topics.map((one: { id: number }) => ({ ...cell, with: 'topics', to_id: one.id })),
  ]
  ok(await teacher('PUT', `/specifications/matrix/${id}`, { cells }))
  expect(await gaps(id, teacher)).toEqual(['spec_outcome_not_assessed', 'spec_outcome_not_taught'])
  ok(await teacher('PUT', `/specifications/matrix/${id}`, { cells: cells.map((one) => ({ ...one, on: true })) }))
  expect(ok(await teacher('PUT', `/specifications/submit/${id}`, {})).status).toBe('submitted')
  // While it waits, nobody changes it; the teacher has no right to decide, the head returns it with a reason.
  refused(await teacher('PUT', '/quality/courses-specs/outcomes', outcome(id, 'K9')), 409, 'specification_fixed')
  refused(await teacher('PUT', `/specifications/approve/${id}`, {}), 403, 'step_permission', 'step_own')
  refused(await head('PUT', `/specifications/return/${id}`, {}), 422, 'reason_required')
  ok(await head('PUT', `/specifications/return/${id}`, { reason: 'One more outcome' }))
  ok(await teacher('PUT', '/quality/courses-specs/outcomes', outcome(id, 'K9')))
  refused(
    await teacher('PUT', `/specifications/submit/${id}`, {}),
    409,
    'spec_outcome_not_assessed',
    'spec_outcome_not_taught',
  )
  const [k9] = await w.q(`select id from specification_outcomes where specification_id = $1 and code = 'K9'`, [id])
  ok(await teacher('DELETE', `/quality/courses-specs/outcomes/${k9.id}`))
  refused(await teacher('DELETE', `/quality/courses-specs/outcomes/${k9.id}`), 404, 'not_found')
  ok(await teacher('PUT', `/specifications/submit/${id}`, {}))
  ok(await head('PUT', `/specifications/approve/${id}`, {}))
  const [row] = await w.q(
    `select status, approved_on = university_today() as today from specifications where id = $1`,
    [id],
  )
  expect(row).toEqual({ status: 'approved', today: true })
  expect(
    await w.q(`select from notifications where user_id = $1 and key = 'specifications.notice_moved'`, [
      teacher.user_id,
    ]),
  ).toHaveLength(2)
})

test('what is approved is never changed, whoever writes; the next version is a copy', async () => {
  const course = await w.course('CS102')
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  const { outcomes, topics } = await w.fill(quality, id)
  ok(
    await quality('PUT', '/quality/courses-specs/references', {
      specification_id: id,
      kind: 'web',
      text: 'https://example.org',
    }),
  )
  ok(
    await quality('PUT', '/quality/courses-specs/methods', {
      specification_id: id,
      text: 'Lecture',
      text_local: 'محاضرة',
    }),
  )
  refused(
    await quality('PUT', '/specifications', { course_id: course, year_id: w.years[1] }),
    409,
    'specification_open',
  )
  refused(await quality('PUT', '/specifications', { course_id: course }), 422, 'required')
  await w.q('update courses set removed_at = now() where id = $1', [course])
  refused(await quality('PUT', '/specifications', { course_id: course, year_id: w.years[2] }), 422, 'reference_missing')
  await w.q('update courses set removed_at = null where id = $1', [course])
  ok(await quality('PUT', `/specifications/submit/${id}`, {}))
  // Whoever submitted it does not approve it.
  refused(await quality('PUT', `/specifications/approve/${id}`, {}), 403, 'step_own', 'specification_own')
  const other = await uni.as('quality_staff')
  ok(await other('PUT', `/specifications/approve/${id}`, {}))
  refused(await quality('PUT', `/specifications/${id}`, { target: 90 }), 409, 'specification_fixed')
  refused(await quality('DELETE', `/specifications/${id}`), 409, 'specification_fixed')
  refused(
    await quality('PUT', `/quality/courses-specs/outcomes/${outcomes[0]}`, { text: 'X' }),
    409,
    'specification_fixed',
  )
  refused(await quality('DELETE', '/quality/courses-specs/topics', { ids: topics }), 409, 'specification_fixed')
  refused(
    await quality('PUT', `/specifications/matrix/${id}`, {
      cells: [{ outcome_id: outcomes[0], with: 'topics', to_id: topics[0], on: false }],
    }),
    409,
    'specification_fixed',
  )
  refused(await quality('PUT', `/specifications/withdraw/${id}`, {}), 409, 'step_state')
  // The database refuses too.
  for (const text of [
    `update specifications set target = 1 where id = ${id}`,
    `update specifications set status = 'draft', approved_on = null where id = ${id}`,
    `update specification_assessments set weight = 1 where specification_id = ${id}`,
    `delete from outcome_topics where specification_id = ${id}`,
    `delete from specifications where id = ${id}`,
  ])
    await expect(w.q(text)).rejects.toMatchObject({ constraint: 'specification_fixed' })
  await expect(w.q(`update specifications set year_id = ${w.years[2]} where id = ${id}`)).rejects.toMatchObject({
    constraint: 'specification_moved',
  })
  const columns = `insert into specifications (course_id, year_id, revision, status)`
  await expect(w.q(`${columns} values (${course}, ${w.years[1]}, 2, 'approved')`)).rejects.toMatchObject({
    constraint: 'specification_approved',
  })
  await expect(w.q(`${columns} values (${course}, ${w.years[1]}, 1, 'draft')`)).rejects.toMatchObject({
    constraint: 'specification_revision',
  })
  const next = ok(await quality('POST', `/specifications/copy/${id}`, {}))
  ok(await other('PUT', `/specifications/submit/${next.id}`, {}))
  refused(await other('PUT', `/specifications/approve/${next.id}`, {}), 409, 'specification_own')
  refused(await other('PUT', `/specifications/return/${next.id}`, { reason: 'Mine' }), 409, 'specification_own')
  ok(await other('PUT', `/specifications/withdraw/${next.id}`, {}))
  expect(next.revision).toBe(2)
  const shape = async (of: number) => {
    const data = ok(await quality('GET', `/specifications/sheet/${of}`))
    const names = new Map<number, string>(
      ['topics', 'methods', 'assessments'].flatMap((kind) =>
        data[kind].map((one: { id: number; text: string }) => [one.id, one.text]),
      ),
    )
    return {
      outcomes: data.outcomes.map((one: Record<string, unknown>) => ({
        code: one.code,
        level: one.level,
        topics: (one.topics as number[]).map((k) => names.get(k)),
        assessments: (one.assessments as number[]).map((k) => names.get(k)),
      })),
      weights: data.assessments.map((one: { weight: string }) => one.weight),
      references: data.references.map((one: { text: string }) => one.text),
      methods: data.methods.map((one: { text: string }) => one.text),
    }
  }
  expect(await shape(next.id)).toEqual(await shape(id))
  expect((await shape(id)).outcomes[0]).toMatchObject({
    code: 'K1',
    topics: ['Lists'],
    assessments: ['Homework', 'Written exam'],
  })
  // The copy is worked on, the old one stays.
  ok(
    await quality('DELETE', '/quality/courses-specs/outcomes', {
      ids: [
        (await w.q(`select id from specification_outcomes where specification_id = $1 and code = 'S1'`, [next.id]))[0]
          .id,
      ],
    }),
  )
  expect((await shape(id)).outcomes).toHaveLength(2)
})

test('a year begins as a copy of another: once, and of what is approved', async () => {
  const [approved, draft] = [await w.course('CY1'), await w.course('CY2')]
  const id = await w.begin(quality, { course_id: approved, year_id: w.years[0] })
  await w.fill(quality, id)
  ok(await quality('PUT', `/specifications/submit/${id}`, {}))
  ok(await (await uni.as('quality_staff'))('PUT', `/specifications/approve/${id}`, {}))
  await w.begin(quality, { course_id: draft, year_id: w.years[0] })
  const body = { from_year_id: w.years[0], year_id: w.years[2] }
  // Another faculty's has no part in it.
  const medicine = await uni.as('quality_staff', ['faculty', w.faculty[1]])
  expect(ok(await medicine('POST', '/specifications/copy-year', body)).copied).toBe(0)
  expect(ok(await quality('POST', '/specifications/copy-year', { ...body, faculty_id: w.faculty[1] })).copied).toBe(0)
  expect(ok(await quality('POST', '/specifications/copy-year', body)).copied).toBe(1)
  expect(ok(await quality('POST', '/specifications/copy-year', body)).copied).toBe(0)
  const [made] = await w.q(
    `select s.revision, s.status, s.from_id, (select count(*)::int from specification_outcomes o where o.specification_id = s.id) as outcomes
     from specifications s where s.course_id = $1 and s.year_id = $2`,
    [approved, w.years[2]],
  )
  expect(made).toEqual({ revision: 1, status: 'draft', from_id: id, outcomes: 2 })
})

test('parts have their rules, their place and their version', async () => {
  const course = await w.course('CS103')
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  const put = (kind: string, body: object) => quality('PUT', `/quality/courses-specs/${kind}`, body)
  refused(
    await put('outcomes', { specification_id: id, code: 'K1' }),
    422,
    'required',
    'required',
    'required',
    'required',
  )
  refused(
    await put('topics', { specification_id: id, text: 'A', text_local: 'أ', weight: '5' }),
    422,
    'spec_part_needless',
  )
  const k1 = ok(await put('outcomes', outcome(id, 'K1')))
  const k2 = ok(await put('outcomes', outcome(id, 'K2')))
  const k3 = ok(await put('outcomes', outcome(id, 'K3', { position: 1 })))
  const codes = async () =>
    ok(await quality('POST', '/quality/courses-specs/outcomes', { specification_id: id })).map(
      (one: { code: string }) => one.code,
    )
  expect(await codes()).toEqual(['K3', 'K1', 'K2'])
  ok(await put(`outcomes/${k3.id}`, { position: 3 }))
  expect(await codes()).toEqual(['K1', 'K2', 'K3'])
  refused(await put('outcomes', outcome(id, 'K1')), 422, 'specification_outcome_twice')
  const [seen] = await w.q(`select version from specification_outcomes where id = $1`, [k2.id])
  const { version } = ok(await put(`outcomes/${k2.id}`, { verb: 'list', version: seen.version }))
  refused(await put(`outcomes/${k2.id}`, { verb: 'name', version: seen.version }), 409, 'changed_meanwhile')
  ok(await put(`outcomes/${k2.id}`, { verb: null, version }))
  refused(await put(`outcomes/${k1.id}`, { text: null }), 422, 'required')
  for (const [kind, more, code] of [
    ['topics', {}, 'specification_topic_twice'],
    ['methods', {}, 'specification_method_twice'],
    ['assessments', { weight: '10' }, 'specification_assessment_twice'],
  ] as const) {
    const body = { specification_id: id, text: 'Same', text_local: 'نفسه', ...more }
    ok(await put(kind, body))
    refused(await put(kind, body), 422, code)
  }
  const book = { specification_id: id, kind: 'textbook', text: 'A book' }
  ok(await put('references', book))
  refused(await put('references', book), 422, 'specification_reference_twice')
  // A part of a course is not found as one of a program, and not moved to another specification.
  refused(await quality('PUT', `/quality/programs-specs/outcomes/${k1.id}`, { verb: 'x' }), 404, 'not_found')
  const other = await w.begin(quality, { course_id: await w.course('CS104'), year_id: w.years[1] })
  refused(await put(`outcomes/${k1.id}`, { specification_id: other }), 422, 'specification_moved')
  const topic = ok(await put('topics', { specification_id: other, text: 'T', text_local: 'ت' })).id
  refused(
    await quality('PUT', `/specifications/matrix/${id}`, {
      cells: [{ outcome_id: k1.id, with: 'topics', to_id: topic, on: true }],
    }),
    409,
    'spec_cell_elsewhere',
  )
  refused(
    await quality('PUT', `/specifications/matrix/${id}`, {
      cells: [{ outcome_id: k1.id, with: 'program_outcomes', program_id: w.program, code: 'NONE', on: true }],
    }),
    409,
    'spec_cell_elsewhere',
  )
  refused(await quality('POST', '/quality/courses-specs/topics', {}), 422, 'spec_not_named')
  refused(await quality('POST', '/quality/programs-specs/outcomes', {}), 422, 'spec_not_named')
  const lookups = ok(await quality('GET', '/quality/courses-specs/assessments/lookups'))
  expect(lookups.mark_categories.map((one: { code: string }) => one.code)).toEqual(['CW', 'FIN'])
})

test('a course serves outcomes of programs, and both tell what is missing', async () => {
  const course = await w.course('CS105')
  const of = await w.begin(quality, { program_id: w.program, year_id: w.years[1] })
  for (const code of ['A1', 'A2']) ok(await quality('PUT', '/quality/programs-specs/outcomes', outcome(of, code)))
  expect(await gaps(of)).toEqual(['spec_program_outcome_unserved', 'spec_program_outcome_unserved'])
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  const { outcomes } = await w.fill(quality, id)
  expect(await gaps(id)).toEqual(['spec_outcome_serves_none', 'spec_outcome_serves_none'])
  const wanted = ok(await quality('POST', '/quality/programs-specs/outcomes', { course_id: course }))
  expect(wanted.map((one: { code: string }) => one.code)).toEqual(['A1', 'A2'])
  const cells = outcomes.map((outcome_id) => ({
    outcome_id,
    with: 'program_outcomes',
    program_id: w.program,
    code: 'A1',
    on: true,
  }))
  // Twice is the same as once.
  for (let i = 0; i < 2; i++) ok(await quality('PUT', `/specifications/matrix/${id}`, { cells }))
  expect(await gaps(id)).toEqual([])
  expect(await gaps(of)).toEqual(['spec_program_outcome_unserved'])
  expect(
    ok(await quality('GET', `/specifications/sheet/${of}`)).courses.find((one: { id: number }) => one.id === course)
      .serves,
  ).toEqual(['A1'])
  // The program gives it up: whoever wrote the course hears it.
  const [a1] = await w.q(`select id from specification_outcomes where specification_id = $1 and code = 'A1'`, [of])
  ok(await quality('DELETE', '/quality/programs-specs/outcomes', { ids: [a1.id] }))
  expect(await gaps(id)).toEqual(['spec_served_gone', 'spec_served_gone'])
})

test('an offering whose marks count otherwise is told', async () => {
  const course = await w.course('CS106')
  const offering = await w.offering(course)
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  const { assessments } = await w.fill(quality, id)
  await w.q(
    `insert into offering_marks (offering_id, mark_category_id, max, position) values ($1, $2, 80, 1), ($1, $3, 120, 2)`,
    [offering, w.category[0], w.category[1]],
  )
  const differs = async () => (await gaps(id)).filter((code) => code === 'spec_scheme_differs').length
  // 80 of 200 is 40 %.
  expect(await differs()).toBe(0)
  ok(await quality('PUT', `/quality/courses-specs/assessments/${assessments[0]}`, { weight: '30' }))
  ok(await quality('PUT', `/quality/courses-specs/assessments/${assessments[1]}`, { weight: '70' }))
  expect(await differs()).toBe(2)
})

test('only a course or a program, only one version at a time, also of a removed one', async () => {
  const course = await w.course('CS107')
  refused(await quality('PUT', '/specifications', { year_id: w.years[1] }), 422, 'specification_of_one')
  refused(
    await quality('PUT', '/specifications', { course_id: course, program_id: w.program, year_id: w.years[1] }),
    422,
    'specification_of_one',
  )
  const [first, second] = await Promise.all(
    [0, 1].map(() => quality('PUT', '/specifications', { course_id: course, year_id: w.years[1] })),
  )
  expect([first!.status, second!.status].toSorted()).toEqual([200, 409])
  const id = [first!, second!].find((one) => one.status === 200)!.body.data.id
  ok(await quality('DELETE', `/specifications/${id}`))
  refused(await quality('PUT', '/quality/courses-specs/outcomes', outcome(id, 'K1')), 409, 'removed_record')
  const again = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  refused(await quality('POST', `/specifications/restore/${id}`), 422, 'specification_open')
  expect((await w.q(`select revision from specifications where id = $1`, [again]))[0].revision).toBe(2)
})

test('the wrong person gets nothing', async () => {
  const course = await w.course('CS108')
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  const { outcomes } = await w.fill(quality, id)
  const medicine = await uni.as('quality_staff', ['faculty', w.faculty[1]])
  const stranger = await w.instructor({ offering: await w.offering(await w.course('MD1', 1, false), 1) })
  const nobody = await uni.as(null)
  const student = await uni.as('student', undefined, { type: 3 })
  for (const by of [medicine, stranger]) {
    expect(ok(await by('POST', '/specifications', {})).filter((one: { id: number }) => one.id === id)).toEqual([])
    expect(ok(await by('POST', '/quality/courses-specs/outcomes', { specification_id: id }))).toEqual([])
    refused(await by('GET', `/specifications/sheet/${id}`), 404, 'not_found')
    refused(await by('GET', `/specifications/${id}`), 404, 'not_found')
    refused(await by('PUT', `/quality/courses-specs/outcomes/${outcomes[0]}`, { text: 'Mine' }), 404, 'not_found')
    refused(await by('DELETE', `/quality/courses-specs/outcomes/${outcomes[0]}`), 404, 'not_found')
    refused(await by('PUT', '/quality/courses-specs/outcomes', outcome(id, 'Z1')), 404, 'not_found')
    refused(await by('PUT', `/specifications/submit/${id}`, {}), 404, 'not_found')
    refused(await by('POST', `/specifications/copy/${id}`, {}), 404, 'not_found')
    refused(await by('GET', `/quality/courses-specs/export-xlsx/${course}`), 409, 'specification_none')
  }
  refused(await stranger('PUT', '/specifications', { course_id: course, year_id: w.years[0] }), 403, 'not_allowed')
  for (const by of [nobody, student]) {
    for (const [method, path, body] of [
      ['POST', '/specifications', {}],
      ['POST', '/quality/courses-specs/outcomes', { specification_id: id }],
      ['GET', `/specifications/sheet/${id}`, undefined],
      ['POST', '/specifications/standing', {}],
      ['GET', `/quality/courses-specs/export-pdf/${course}`, undefined],
    ] as const)
      expect((await by(method, path, body)).status).toBe(403)
  }
  // A head of another department neither sees nor decides.
  const head = await w.instructor({ heads: w.department[1] })
  ok(await quality('PUT', `/specifications/submit/${id}`, {}))
  refused(await head('PUT', `/specifications/approve/${id}`, {}), 404, 'not_found')
})

test('the state of a year by department, with what is missing', async () => {
  const course = await w.course('ST1')
  await w.offering(course)
  const mine = (data: { department: { id: number } | null; courses: Record<string, number> }[]) =>
    data.find((one) => one.department?.id === w.department[0])!.courses
  const body = { year_id: w.years[1] }
  const before = mine(ok(await quality('POST', '/specifications/standing', body)).departments)
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  const data = ok(await quality('POST', '/specifications/standing', { ...body, department_id: w.department[0] }))
  const after = mine(data.departments)
  expect([after.none! - before.none!, after.draft! - before.draft!]).toEqual([-1, 1])
  const row = data.of.find((one: { specification_id: number | null }) => one.specification_id === id)
  expect([row.standing, ...row.gaps.map((one: { problem: { code: string } }) => one.problem.code)]).toContain(
    'spec_outcomes_none',
  )
  const medicine = await uni.as('quality_staff', ['faculty', w.faculty[1]])
  const theirs = ok(await medicine('POST', '/specifications/standing', { ...body, department_id: w.department[0] }))
  expect(theirs.of).toEqual([])
  expect(theirs.departments.map((one: { department: { id: number } | null }) => one.department?.id)).not.toContain(
    w.department[0],
  )
})

test('it is taken away as the template, on paper and as a sheet, in both languages', async () => {
  const course = await w.course('CS109')
  refused(await quality('GET', `/quality/courses-specs/export-pdf/${course}`), 409, 'specification_none')
  const id = await w.begin(quality, { course_id: course, year_id: w.years[1] })
  await w.fill(quality, id)
  for (const lang of ['ar', 'en']) {
    const pdf = await quality('GET', `/quality/courses-specs/export-pdf/${course}?lang=${lang}`)
    expect([pdf.status, pdf.bytes.subarray(0, 5).toString()]).toEqual([200, '%PDF-'])
    const sheet = await quality(
      'GET',
      `/quality/courses-specs/export-xlsx/${course}?lang=${lang}&specification_id=${id}`,
    )
    expect([sheet.status, sheet.bytes.subarray(0, 2).toString()]).toEqual([200, 'PK'])
  }
  const of = ok(await quality('POST', '/specifications', { filters: { program_id: [w.program] } }))[0]
  expect(of.program.id).toBe(w.program)
  expect((await quality('GET', `/quality/programs-specs/export-pdf/${w.program}`)).status).toBe(200)
})
