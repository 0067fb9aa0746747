/** What goes wrong with questionnaires: the last second, texts that are no plain words, translations and questions that are gone, last year. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, reasons } from '#tests/university.ts'
import { COMMENT, RATING, questionnaireWorld, type QuestionnaireWorld } from './testing.server.ts'

let w: QuestionnaireWorld
beforeAll(async () => {
  w = await questionnaireWorld()
}, 180_000)
afterAll(() => w?.uni.close())

test('in the second in which it closes an answer is either taken and counted, or refused: none is lost', async () => {
  const { id: type, keys } = await w.type('course', [RATING])
  const offering = await w.offering('LAST')
  const students = await w.classOf(offering, 9)
  const id = await w.open(type)
  const send = async (student: (typeof students)[number]) => {
    const [due] = ok(await student('GET', '/questionnaires/user'))
    return () => student('PUT', `/questionnaires/submit/${due.id}`, { answers: { [keys[0] ?? '']: 4 } })
  }
  const sends = await Promise.all(students.map(send))
  for (const one of sends.slice(0, 5)) ok(await one())
  const [closed, ...late] = await Promise.all([
    w.quality('PUT', `/questionnaires/close/${id}`),
    ...sends.slice(5).map((one) => one()),
  ])
  ok(closed)
  const taken = 5 + late.filter(({ status }) => status === 200).length
  for (const answer of late.filter(({ status }) => status !== 200))
    expect(['questionnaire_not_asked', 'questionnaire_not_open']).toContain(reasons(answer)[0])
  await w.count(id)
  expect(ok(await w.quality('POST', `/questionnaires/stats/${id}`, {}))).toMatchObject({ answered: taken })
  expect(await w.q('select from questionnaire_ballots')).toEqual([])
})

test('what is written stays what it is: no formula and no markup is taken', async () => {
  const { id: type, keys } = await w.type('course', [RATING, COMMENT])
  // What a spreadsheet would run is taken neither as a question nor as an answer.
  expect(
    reasons(await w.quality('PUT', '/questionnaires/questions', { ...RATING, type_id: type, question: '=1+1' })),
  ).toEqual(['text_formula@question'])
  const offering = await w.offering('TEXT')
  const students = await w.classOf(offering, 6)
  const id = await w.open(type)
  const said = ['قال نعم', 'More of 1, less of 2', 'Good', 'Too fast', 'الكتاب صعب', 'Keep it']
  for (const [i, student] of students.entries()) {
    const [due] = ok(await student('GET', '/questionnaires/user'))
    const answer = (text: string | undefined) =>
      student('PUT', `/questionnaires/submit/${due.id}`, {
        answers: { [keys[0] ?? '']: 4, [keys[1] ?? '']: text },
      })
    for (const text of ['=HYPERLINK("http://x.example","y")', '<script>alert(1)</script>'])
      expect((await answer(text)).status).toBe(422)
    ok(await answer(said[i]))
  }
  await w.close(id)
  const kept = await w.q<{ text: string }>(`select text from questionnaire_comments`)
  expect(kept.map(({ text }) => text).toSorted()).toEqual(said.toSorted())
})

test('a translation that is missing is the English text, in the form as well as by the link', async () => {
  const { id } = await w.type('university', [
    { ...RATING, question_de: 'Klar?', section: 'Course', section_local: 'المقرر' },
  ])
  const [question] = ok(await w.quality('GET', `/questionnaires/types/show/${id}`)).questions
  expect(question.text).toEqual({ name: 'Clear?', name_local: 'واضح؟', de: 'Klar?', fr: null, pt: null })
  expect(question.section).toEqual({ name: 'Course', name_local: 'المقرر', de: null, fr: null, pt: null })
})

test('a question on which a condition stands is not removed; once the condition is gone it is', async () => {
  const { id, keys } = await w.type('university', [RATING, COMMENT])
  const [first, second] = keys.map((key) => Number(key.slice(1)))
  await w.q(
    `update questionnaire_questions set condition_id = $1, condition_is = 'below', condition_value = 3 where id = $2`,
    [first, second],
  )
  expect(reasons(await w.quality('DELETE', `/questionnaires/questions/${first}`))).toEqual([
    'question_condition_stands',
  ])
  await w.q(
    `update questionnaire_questions set condition_id = null, condition_is = null, condition_value = null where id = $1`,
    [second],
  )
  ok(await w.quality('DELETE', `/questionnaires/questions/${first}`))
  expect(ok(await w.quality('GET', `/questionnaires/types/show/${id}`)).questions).toHaveLength(1)
})

test('of last year: a questionnaire keeps the questions it was opened with, whatever its type has become', async () => {
  const { id: type, keys } = await w.type('course', [RATING, COMMENT])
  const offering = await w.offering('YEAR')
  const students = await w.classOf(offering, 5)
  const before = await w.open(type)
  for (const student of students) {
    const [due] = ok(await student('GET', '/questionnaires/user'))
    ok(await student('PUT', `/questionnaires/submit/${due.id}`, { answers: { [keys[0] ?? '']: 3 } }))
  }
  // While it is open the type loses its question, and gets another one.
  ok(await w.quality('DELETE', `/questionnaires/questions/${Number((keys[0] ?? '').slice(1))}`))
  ok(await w.quality('PUT', '/questionnaires/questions', { ...RATING, type_id: type, question: 'Useful?' }))
  await w.close(before)
  const old = ok(await w.quality('POST', `/questionnaires/stats/${before}`, {}))
  expect(JSON.stringify(old)).toContain('Clear?')
  expect(JSON.stringify(old)).not.toContain('Useful?')
  // The next one asks what the type asks now.
  const now = await w.open(type)
  const [due] = ok(await students[0]!('GET', '/questionnaires/user')).filter(
    (one: { questionnaire_id: number }) => one.questionnaire_id === now,
  )
  const asked = ok(await students[0]!('GET', `/questionnaires/get_questions/${due.id}`)).questions
  expect(asked.map(({ text }: { text: { name: string } }) => text.name)).toEqual(['What else?', 'Useful?'])
})
