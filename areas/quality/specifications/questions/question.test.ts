/** Questions of a component, marks by question, and what attainment makes of them. */
import { writeSheet } from '#kit/server/sheets/index.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons, type Caller } from '#tests/university.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import { specificationWorld, type SpecificationWorld } from '../testing.server.ts'

let w: SpecificationWorld
let approver: Caller
beforeAll(async () => {
  w = await specificationWorld()
  approver = await w.uni.as('quality_staff')
})
afterAll(() => w.uni.close())

let n = 0
/** An offering of a course with outcomes K1 (coursework and exam) and S1 (the exam alone), and the teacher. */
async function exam(marks: readonly (readonly [number, number | null])[]) {
  const course = await w.course(`QM${++n}`)
  const id = await w.begin(w.quality, { course_id: course, year_id: w.years[0] })
  const { outcomes, assessments } = await w.fill(w.quality, id)
  const cell = { outcome_id: outcomes[1], with: 'assessments', to_id: assessments[0], on: false }
  ok(await w.quality('PUT', `/specifications/matrix/${id}`, { cells: [cell] }))
  ok(await w.quality('PUT', `/specifications/submit/${id}`, {}))
  ok(await approver('PUT', `/specifications/approve/${id}`, {}))
  const offering = await w.offering(course)
  const teacher = await w.instructor({ offering })
  await w.marks(offering, marks)
  const sheet = async (by: Caller = teacher) => ok(await by('GET', `/specifications/questions/${offering}`))
  const { components } = await sheet()
  const component = components.find((one: { code: string }) => one.code === 'FIN')
  const set = (questions: readonly object[], by: Caller = teacher) =>
    by('PUT', `/specifications/questions/${offering}`, { component_id: component.id, questions })
  const save = (cells: readonly object[], by: Caller = teacher) =>
    by('PUT', `/specifications/question-marks/${offering}`, { cells })
  return { course, id, offering, teacher, component, sheet, set, save }
}
const QUESTIONS = [
  { label: '1', max: '20', outcomes: ['K1'] },
  { label: '2', max: '40', outcomes: ['S1'] },
]
const publish = (offering: number, status = 'Published') =>
  w.q(`update offerings set control_status = $2 where id = $1`, [offering, status])
const figures = async (id: number, code: string) =>
  ok(await w.quality('GET', `/specifications/attainment/${id}`))
    .outcomes.find((one: { code: string }) => one.code === code)
    .measured.at(-1)

test('questions are set up, marked and counted; where they do not sum to the mark of the component, that counts', async () => {
  const e = await exam([
    [20, 30],
    [40, 60],
    [0, null],
  ])
  const [one, two] = ok(await e.set(QUESTIONS))
  const { rows } = await e.sheet()
  expect(rows.map((row: { components: object }) => Object.values(row.components).toSorted())).toEqual([
    ['20', '30'],
    ['40', '60'],
    ['0', 'A'],
  ])
  await publish(e.offering)
  // By components: K1 = 0.4 · 20/40 + 0.6 · 30/60 = 50, 100, 0; S1 = 50, 100, 0.
  expect(await figures(e.id, 'K1')).toMatchObject({ students: 3, mean: 50 })
  const cell = (row: number, question: { id: number }, mark: string | null, version: number | null = null) => ({
    registration_id: rows[row].registration_id,
    question_id: question.id,
    mark,
    version,
  })
  // The first: all of question 1, a quarter of question 2. The second is not complete.
  expect((await e.save([cell(0, one, '20'), cell(0, two, '10'), cell(1, one, '20')])).body).toEqual({
    saved: 3,
    conflicts: [],
  })
  // K1 of the first: (40 · 20/40 + 60 · 20/60 · 20/20) / (40 + 20) = 66.67; S1 = 25. The others as before.
  expect(await figures(e.id, 'K1')).toMatchObject({ students: 3, mean: 55.56 })
  expect(await figures(e.id, 'S1')).toMatchObject({ students: 3, mean: 41.67 })
  // A mark that grading changes afterwards: the questions do not sum to it any more.
  await w.q(`update registration_marks set mark = 31 where registration_id = $1 and mark = 30`, [
    rows[0].registration_id,
  ])
  expect(await figures(e.id, 'S1')).toMatchObject({ mean: 50.56 })
})

test('who writes at the same moment, and who writes what cannot be', async () => {
  const e = await exam([[20, 30]])
  const [one, two] = ok(await e.set(QUESTIONS))
  const { rows } = await e.sheet()
  const cell = (question: { id: number }, mark: string | null, version: number | null = null) => ({
    registration_id: rows[0].registration_id,
    question_id: question.id,
    mark,
    version,
  })
  expect(reasons(await e.save([cell(one, '20.5'), cell(two, 'A'), cell(two, '1')]))).toEqual([
    'mark_maximum@cells.0.mark',
    'mark_twice@cells.2.mark',
    'question_absent@cells.1.mark',
  ])
  expect(reasons(await e.save([{ ...cell(one, '1'), question_id: 999_999 }]))).toEqual([
    'question_elsewhere@cells.0.mark',
  ])
  const other = await exam([[1, 1]])
  expect(
    reasons(await e.save([{ ...cell(one, '1'), registration_id: (await other.sheet()).rows[0].registration_id }])),
  ).toEqual(['registration_not_in_offering@cells.0.mark'])
  const both = await Promise.all([e.save([cell(one, '5')]), e.save([cell(one, '6')])])
  expect(both.map(({ body }) => [body.saved, body.conflicts.length]).toSorted()).toEqual([
    [0, 1],
    [1, 0],
  ])
  // Also past the program.
  await expect(
    w.q(`insert into question_marks (registration_id, question_id, mark) values ($1, $2, 41)`, [
      rows[0].registration_id,
      two.id,
    ]),
  ).rejects.toMatchObject({ constraint: 'question_mark_above' })
  // Who has left the course has no marks any more.
  await w.q(`update registrations set status = status & ~262144::bigint | $2::bigint where id = $1`, [
    rows[0].registration_id,
    flag.Withdrawn.toString(),
  ])
  expect(reasons(await e.save([cell(two, '1')]))).toEqual(['question_no_marks@cells.0.mark'])
  await expect(
    w.q(
      `insert into question_marks (registration_id, question_id, mark)
      select r.id, $1, 1 from registrations r where r.offering_id = $2`,
      [two.id, other.offering],
    ),
  ).rejects.toThrow(/not one of this offering/)
})

test('questions with marks stay, and what is wrong with them is told', async () => {
  const e = await exam([[20, 30]])
  expect(
    reasons(
      await e.set([
        { ...QUESTIONS[0], outcomes: ['X9'] },
        { ...QUESTIONS[1], label: '1' },
      ]),
    ),
  ).toEqual(['assessment_question_twice@questions.1.label', 'question_outcome_unknown@questions.0.outcomes'])
  // Of a component that is there, while papers carry names.
  const elsewhere = await e.teacher('PUT', `/specifications/questions/${e.offering}`, {
    component_id: 99_999_999,
    questions: QUESTIONS,
  })
  expect([elsewhere.status, reasons(elsewhere)]).toEqual([422, ['reference_missing@component_id']])
  await w.q('insert into anonymous_offerings (offering_id) values ($1)', [e.offering])
  const closed = await e.set(QUESTIONS)
  expect([closed.status, reasons(closed)]).toEqual([409, ['names_closed']])
  await w.q('update anonymous_offerings set opened_at = now() where offering_id = $1', [e.offering])
  expect(
    await w.q(
      `select from assessment_questions q join offering_marks m on m.id = q.offering_mark_id where m.offering_id = $1`,
      [e.offering],
    ),
  ).toEqual([])
  const [one, two] = ok(await e.set(QUESTIONS))
  const { rows } = await e.sheet()
  const mark = { registration_id: rows[0].registration_id, question_id: one.id, mark: '12', version: null }
  ok(await e.save([mark]))
  expect(reasons(await e.set([QUESTIONS[1]!]))).toEqual(['question_marked@questions'])
  expect(reasons(await e.set([{ ...one, max: '11' }, two]))).toEqual(['question_below_marks@questions.0.max'])
  await expect(w.q(`delete from assessment_questions where id = $1`, [one.id])).rejects.toThrow(/has marks/)
  // Labels change places, and an empty one goes.
  expect(
    ok(
      await e.set([
        { ...one, label: '2' },
        { ...two, label: '1' },
      ]),
    ).map(({ label }: { label: string }) => label),
  ).toEqual(['2', '1'])
  expect(ok(await e.set([one]))).toEqual([one])
  // An outcome that the next version of the specification does not have: the question stays, its outcome is told as gone.
  const next = await w.begin(w.quality, { course_id: e.course, year_id: w.years[1] })
  const [gone] = await w.q(`select id from specification_outcomes where specification_id = $1 and code = 'K1'`, [next])
  ok(await w.quality('DELETE', '/quality/courses-specs/outcomes', { ids: [gone.id] }))
  ok(await w.quality('PUT', `/specifications/submit/${next}`, {}))
  ok(await approver('PUT', `/specifications/approve/${next}`, {}))
  const after = await e.sheet()
  expect(after.outcomes.map(({ code }: { code: string }) => code)).toEqual(['S1'])
  expect(ok(await e.set([one]))).toEqual([one])
  expect(reasons(await e.set([one, { label: '9', max: '1', outcomes: ['K1'] }]))).toEqual([
    'question_outcome_unknown@questions.1.outcomes',
  ])
})

test('once the offering is frozen nothing moves; others see and write nothing', async () => {
  const e = await exam([[20, 30]])
  const [one] = ok(await e.set(QUESTIONS))
  const { rows } = await e.sheet()
  const mark = { registration_id: rows[0].registration_id, question_id: one.id, mark: '12', version: null }
  const student = await w.uni.as('student', undefined, { type: 3 })
  const colleague = await w.instructor({ offering: (await exam([[1, 1]])).offering })
  const elsewhere = await w.uni.as('quality_staff', ['faculty', w.faculty[1]])
  for (const [who, status] of [
    [student, 403],
    [colleague, 404],
    [elsewhere, 404],
  ] as const) {
    expect((await who('GET', `/specifications/questions/${e.offering}`)).status).toBe(status)
    expect((await e.set(QUESTIONS, who)).status).toBe(status)
    expect((await e.save([mark], who)).status).toBe(status)
    expect((await who('POST', `/specifications/question-marks/export/${e.component.id}`, {})).status).toBe(status)
  }
  expect((await w.uni.nobody('GET', `/specifications/questions/${e.offering}`)).status).toBe(401)
  const listed = ok(await e.teacher('GET', `/specifications/questions?term_id=${w.term}`))
  expect(listed).toMatchObject([{ id: e.offering, questions: 2, students: 1, marked: 0 }])
  // Published: what was seen is entered still. Frozen: no more.
  await publish(e.offering)
  ok(await e.save([mark]))
  await publish(e.offering, 'Frozen')
  expect(reasons(await e.set(QUESTIONS))).toEqual(['question_marks_frozen'])
  expect(reasons(await e.save([{ ...mark, question_id: one.id, mark: '13' }]))).toEqual(['question_marks_frozen'])
  await expect(w.q(`update assessment_questions set max = 21 where id = $1`, [one.id])).rejects.toThrow(/frozen/)
  await expect(w.q(`update question_marks set mark = 1 where question_id = $1`, [one.id])).rejects.toThrow(/frozen/)
})

test('a sheet goes out with the questions as columns, and comes in compared with what stands there', async () => {
  const e = await exam([
    [20, 30],
    [40, 60],
  ])
  expect(reasons(await e.teacher('POST', `/specifications/question-marks/export/${e.component.id}`, {}))).toEqual([
    'questions_none',
  ])
  const empty = new FormData()
  empty.append('file', new Blob(['Code;1\n']), 'marks.csv')
  const bare = new Response(empty)
  const none = await w.uni.app.inject({
    method: 'POST',
    url: `/api/specifications/question-marks/import/${e.component.id}/preview`,
    headers: { authorization: `Bearer ${e.teacher.token}`, 'content-type': bare.headers.get('content-type') ?? '' },
    payload: Buffer.from(await bare.arrayBuffer()),
  })
  expect([none.statusCode, none.json().errors[0].code]).toEqual([409, 'questions_none'])
  ok(await e.set(QUESTIONS))
  expect((await e.teacher('POST', `/specifications/question-marks/export/${e.component.id}`, {})).status).toBe(200)
  const { rows } = await e.sheet()
  const column = (header: string, key: string) => ({ header, key, type: 'text' as const })
  const content = await writeSheet({
    sheets: [
      {
        name: 'Marks',
        direction: 'ltr',
        columns: [column('Code', 'code'), column('1 (20)', 'one'), column('2', 'two')],
        rows: [
          { code: rows[0].student.code, one: '20', two: '10' },
          { code: rows[1].student.code, one: '25', two: '40' },
          { code: 'NOBODY', one: '1', two: '1' },
        ],
      },
    ],
  })
  const form = new FormData()
  form.append('file', new Blob([Buffer.from(content)]), 'marks.xlsx')
  const encoded = new Response(form)
  const sent = await w.uni.app.inject({
    method: 'POST',
    url: `/api/specifications/question-marks/import/${e.component.id}/preview`,
    headers: {
      authorization: `Bearer ${e.teacher.token}`,
      'content-type': encoded.headers.get('content-type') ?? '',
    },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  const preview = sent.json().data
  expect(preview.counts).toMatchObject({ changed: 1, wrong: 2 })
  expect(preview.errors.map(({ code }: { code: string }) => code)).toEqual(['mark_maximum', 'sheet_student_unknown'])
  const mended = ok(
    await e.teacher('POST', `/specifications/question-marks/import/${e.component.id}/${preview.import_id}/mend`, {
      cells: [
        {
          row: 3,
          field: preview.columns.find(({ header }: { header: string }) => header === '1 (20)').field,
          text: '20',
        },
      ],
      out: [{ row: 4, out: true }],
      take: [],
      check: [],
    }),
  )
  expect(mended.counts).toMatchObject({ changed: 2, wrong: 0, out: 1 })
  const cell = {
    registration_id: rows[0].registration_id,
    question_id: (await e.sheet()).components.at(-1).questions[0].id,
  }
  // Somebody enters one of them after the preview: nothing is taken until that is gone.
  ok(await e.save([{ ...cell, mark: '1', version: null }]))
  expect(
    reasons(await e.teacher('POST', `/specifications/question-marks/import/${e.component.id}/${preview.import_id}`)),
  ).toEqual(['question_marks_changed'])
  const [{ version }] = Object.values<{ version: number }>((await e.sheet()).rows[0].marks) as [{ version: number }]
  ok(await e.save([{ ...cell, mark: null, version }]))
  const saved = await e.teacher('POST', `/specifications/question-marks/import/${e.component.id}/${preview.import_id}`)
  expect(saved.body).toMatchObject({ saved: 4, operation_id: expect.any(Number) })
  const after = await e.sheet()
  expect(Object.values<{ mark: string }>(after.rows[1].marks).map(({ mark }) => mark)).toEqual(['20', '40'])
  ok(await e.teacher('POST', `/operations/${saved.body.operation_id}/undo`))
  expect((await e.sheet()).rows.map((row: { marks: object }) => row.marks)).toEqual([{}, {}])
})
