import { ok, type Caller } from '#tests/university.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RATING, questionnaireWorld, type QuestionnaireWorld } from '../testing.server.ts'

let w: QuestionnaireWorld
beforeAll(async () => {
  w = await questionnaireWorld()
}, 180_000)
afterAll(() => w?.uni.close())

const first = async (who: Caller): Promise<string | null> => ok(await who('GET', '/users/first')).address
const holdsOf = ({ user_id }: Caller) =>
  w.q(
    `select h.kind, h.note from standing_holds h join students s on s.id = h.student_id where s.user_id = $1 order by h.note`,
    [user_id],
  )
const dues = async (who: Caller, id: number): Promise<{ id: number; put_off: boolean; postponements_left: number }[]> =>
  ok(await who('GET', '/questionnaires/user')).filter(
    (one: { questionnaire_id: number }) => one.questionnaire_id === id,
  )
const work = async (who: Caller) =>
  (ok(await who('GET', '/users/work')).waiting as { key: string; data: object; link: string }[]).filter(
    ({ key }) => key === 'questionnaires.work_due',
  )

test('an obligatory questionnaire leads there, is put off for the day as often as it says, and then stands against the student', async () => {
  const offering = await w.offering('LED1')
  const [student, other] = await w.classOf(offering, 2)
  if (!student || !other) throw new Error('two students')
  const { id: type, keys } = await w.type('course', [RATING])
  const id = await w.open(type, { obligatory: true, postponements: 1 })
  const [due] = await dues(student, id)
  if (!due) throw new Error('one is due')
  const address = `/questionnaire_form/${due.id}`
  expect(await first(student)).toBe(address)
  expect(await holdsOf(student)).toEqual([])
  expect(await work(student)).toMatchObject([{ data: { count: 1 }, link: '/student_questionnaires' }])

  ok(await student('PUT', `/questionnaires/postpone/${id}`))
  expect(await first(student)).toBe(null)
  expect(await dues(student, id)).toMatchObject([{ put_off: true, postponements_left: 0 }])
  // On the day on which it was put off for the last time it does not stand against anything yet.
  expect(await holdsOf(student)).toEqual([])
  await w.q('update questionnaire_postponements set day = day - 1 where user_id = $1', [student.user_id])
  expect(await first(student)).toBe(address)
  expect(await holdsOf(student)).toEqual([{ kind: 'obligatory_survey', note: 'Survey' }])
  // Who has put nothing off is not held: there is a day left.
  expect(await holdsOf(other)).toEqual([])

  ok(await student('PUT', `/questionnaires/submit/${due.id}`, { answers: { [keys[0] ?? '']: 4 } }))
  expect(await first(student)).toBe(null)
  expect(await holdsOf(student)).toEqual([])
  expect(await work(student)).toEqual([])
  // Nothing is stored that tells when it was lifted.
  expect(await w.q(`select from student_holds where kind = 'obligatory_survey'`)).toEqual([])
})

test('one that may not be put off stands against the student at once, until it is closed or paused', async () => {
  const offering = await w.offering('LED2')
  const [student] = await w.classOf(offering, 1)
  if (!student) throw new Error('a student')
  const { id: type } = await w.type('course', [RATING])
  const id = await w.open(type, { obligatory: true })
  expect(await holdsOf(student)).toHaveLength(1)
  ok(await w.quality('GET', `/questionnaires/survey/status/${id}`))
  expect(await holdsOf(student)).toEqual([])
  expect(await first(student)).toBe(null)
  ok(await w.quality('GET', `/questionnaires/survey/status/${id}`))
  expect(await holdsOf(student)).toHaveLength(1)
  await w.close(id)
  expect(await holdsOf(student)).toEqual([])
})

test('a voluntary one leads nobody, and whoever works here is told on the home page', async () => {
  const { id: type } = await w.type('university', [RATING], { kind: 'faculty' })
  const employee = await w.uni.as('registrar')
  await w.open(type, { term_id: undefined })
  expect(await first(employee)).toBe(null)
  expect(await work(employee)).toMatchObject([{ data: { count: 1 }, link: '/faculty_questionnaires' }])
})
