/** Questions of a component and marks by question: pure functions that say every reason. */
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { ComponentQuestion } from './question.contract.ts'

const hundredths = (text: string): number => parseHundredths(text) ?? 0
export const sumOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + hundredths(text), 0)

/** A question as it stands, with how many students have a mark in it, and the highest. */
export interface QuestionStanding {
  readonly id: number
  readonly label: string
  readonly outcomes: readonly string[]
  readonly marked: number
  readonly highest: string | null
}

/**
 * Everything that stands against setting up these questions of a component.
 *
 * @param known codes of the outcomes of the course; what a question had before may stay though its outcome is gone
 */
export function checkQuestions(
  said: readonly ComponentQuestion[],
  before: readonly QuestionStanding[],
  known: ReadonlySet<string>,
): Reason[] {
  const reasons: Reason[] = []
  const words = new Set<string>()
  const ids = new Set<number>()
  const standing = new Map(before.map((one) => [one.id, one]))
  for (const [i, { id, label, max, outcomes }] of said.entries()) {
    const field = (name: string) => `questions.${i}.${name}`
    const word = label.trim().toLowerCase()
    if (words.has(word) || (id !== undefined && ids.has(id)))
      reasons.push({ field: field('label'), code: 'assessment_question_twice', data: { label } })
    words.add(word)
    if (id !== undefined) ids.add(id)
    const was = id === undefined ? undefined : standing.get(id)
    if (id !== undefined && !was) reasons.push({ field: field('id'), code: 'question_elsewhere' })
    if (hundredths(max) <= 0) reasons.push({ field: field('max'), code: 'assessment_question_max', data: { label } })
    else if (was?.highest && hundredths(was.highest) > hundredths(max))
      reasons.push({ field: field('max'), code: 'question_below_marks', data: { label, highest: was.highest } })
    for (const code of outcomes)
      if (!known.has(code) && !was?.outcomes.includes(code))
        reasons.push({ field: field('outcomes'), code: 'question_outcome_unknown', data: { code } })
  }
  const stays = new Set(said.map(({ id }) => id))
  for (const { id, label, marked } of before)
    if (!stays.has(id) && marked > 0)
      reasons.push({ field: 'questions', code: 'question_marked', data: { label, count: marked } })
  return reasons
}

/** What is told of the questions of a component, and stands against nothing: why they do not count for attainment. */
export function questionGaps(
  of: {
    readonly max: string
    readonly weight: string | null
    readonly questions: readonly {
      readonly label: string
      readonly max: string
      readonly outcomes: readonly string[]
    }[]
  },
  known: ReadonlySet<string>,
): Reason[] {
  if (!of.questions.length) return []
  const reasons: Reason[] = []
  const sum = sumOf(of.questions.map(({ max }) => max))
  if (sum !== hundredths(of.max))
    reasons.push({ code: 'question_sum', data: { sum: trimHundredths(sum), max: trimHundredths(hundredths(of.max)) } })
  if (of.weight === null) reasons.push({ code: 'question_no_weight' })
  for (const { label, outcomes } of of.questions)
    for (const code of outcomes)
      if (!known.has(code)) reasons.push({ code: 'question_outcome_gone', data: { label, code } })
  if (of.questions.every(({ outcomes }) => !outcomes.some((code) => known.has(code))))
    reasons.push({ code: 'question_no_outcomes' })
  return reasons
}

/**
 * How marks by question stand to the mark of the component, which grading keeps: `fits` alone counts by question; else the
 * component counts as a whole.
 */
export function questionStanding(
  marks: readonly (string | null)[],
  component: string | null,
): 'none' | 'part' | 'waits' | 'fits' | 'differs' {
  const there = marks.filter((mark) => mark !== null)
  if (there.length === 0) return 'none'
  if (there.length < marks.length) return 'part'
  if (component === null) return 'waits'
  return component !== 'A' && sumOf(there) === hundredths(component) ? 'fits' : 'differs'
}
