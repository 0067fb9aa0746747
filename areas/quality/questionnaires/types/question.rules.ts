/** What a question must be: pure functions that return every reason. */
import type { Reason } from '#kit/contract/issues.ts'
import type { ConditionKind, QuestionKind } from './form.contract.ts'

export interface QuestionSaid {
  readonly kind: QuestionKind
  readonly points: number | null
  readonly options: readonly unknown[]
  readonly grid_rows: readonly unknown[]
  readonly minimum: number | null
  readonly maximum: number | null
  readonly required: boolean
  readonly type_id: number | null
  readonly position: number
  readonly outcome_domain: string | null
  readonly condition_id: number | null
  readonly condition_is: ConditionKind | null
  readonly condition_value: number | null
}
/** The question on which a condition stands. */
export interface ConditionOn {
  readonly type_id: number | null
  readonly position: number
  readonly kind: QuestionKind
  readonly removed: boolean
}

const CHOOSES: readonly QuestionKind[] = ['single', 'several', 'ranking']
const RATES: readonly QuestionKind[] = ['rating', 'grid']

/** Everything that stands against a question as somebody wants to keep it; `on`: what its condition stands on. */
export function checkQuestion(said: QuestionSaid, on: ConditionOn | null): Reason[] {
  const { kind, points, options, grid_rows, minimum, maximum } = said
  const reasons: Reason[] = []
  const rates = RATES.includes(kind)
  const chooses = CHOOSES.includes(kind)
  if (rates && points === null) reasons.push({ field: 'points', code: 'question_points_missing' })
  if (!rates && points !== null) reasons.push({ field: 'points', code: 'question_points_needless' })
  if (chooses && options.length < 2) reasons.push({ field: 'options', code: 'question_options_few' })
  // Either every point has words, or none.
  if (rates && points !== null && options.length > 0 && options.length !== points)
    reasons.push({ field: 'options', code: 'question_words', data: { points } })
  if (!rates && !chooses && options.length > 0) reasons.push({ field: 'options', code: 'question_options_needless' })
  if (kind === 'grid' && grid_rows.length < 2) reasons.push({ field: 'grid_rows', code: 'question_rows_few' })
  if (kind !== 'grid' && grid_rows.length > 0) reasons.push({ field: 'grid_rows', code: 'question_rows_needless' })
  if (kind !== 'number' && (minimum !== null || maximum !== null))
    reasons.push({ field: 'minimum', code: 'question_range_needless' })
  if (said.outcome_domain !== null && !rates) reasons.push({ field: 'outcome_domain', code: 'question_domain' })
  if (minimum !== null && maximum !== null && minimum > maximum)
    reasons.push({ field: 'maximum', code: 'question_range_order' })
  return [...reasons, ...checkCondition(said, on)]
}

function checkCondition(said: QuestionSaid, on: ConditionOn | null): Reason[] {
  const { condition_id, condition_is, condition_value } = said
  const given = [condition_id, condition_is, condition_value].filter((one) => one !== null).length
  if (given === 0) return []
  if (given < 3) return [{ field: 'condition_id', code: 'question_condition' }]
  if (!on || on.removed || said.type_id === null || on.type_id !== said.type_id)
    return [{ field: 'condition_id', code: 'question_condition_elsewhere' }]
  if (on.position >= said.position) return [{ field: 'condition_id', code: 'question_condition_later' }]
  if (on.kind === 'text' || on.kind === 'grid' || on.kind === 'ranking')
    return [{ field: 'condition_id', code: 'question_condition_kind' }]
  if (condition_is !== 'equal' && (on.kind === 'several' || on.kind === 'single'))
    return [{ field: 'condition_is', code: 'question_condition_equal' }]
  return []
}

export interface PlacedQuestion {
  readonly id: number
  readonly condition_id: number | null
}
/** An order of questions, unless one would stand before the one on which its condition stands. */
function allowedOrder(
  order: readonly PlacedQuestion[],
): { readonly order: readonly number[] } | { readonly reasons: readonly Reason[] } {
  const all = new Set(order.map(({ id }) => id))
  const before = new Set<number>()
  for (const { id, condition_id } of order) {
    if (condition_id !== null && all.has(condition_id) && !before.has(condition_id))
      return { reasons: [{ code: 'question_condition_later', field: 'order' }] }
    before.add(id)
  }
  return { order: [...before] }
}

/**
 * The order of questions after one of them was moved to a place (counted from 1; a place behind the last is the last).
 *
 * @returns the order, or why not: a question would stand before the one on which its condition stands
 */
export function reorderedQuestions(
  questions: readonly PlacedQuestion[],
  id: number,
  place: number,
): ReturnType<typeof allowedOrder> {
  const rest = questions.filter((one) => one.id !== id)
  const moved = questions.find((one) => one.id === id)
  if (!moved) return { reasons: [{ code: 'not_found' }] }
  const at = Math.min(place, questions.length) - 1
  return allowedOrder([...rest.slice(0, at), moved, ...rest.slice(at)])
}

/** Sections of a form: questions that follow each other under one heading. */
export function sectionsOf<Q>(questions: readonly Q[], headingOf: (question: Q) => string | null): Q[][] {
  const sections: Q[][] = []
  for (const question of questions) {
    const last = sections.at(-1)
    if (last?.[0] !== undefined && headingOf(last[0]) === headingOf(question)) last.push(question)
    else sections.push([question])
  }
  return sections
}

/**
 * The order of questions after a whole section was moved to a place among the sections.
 *
 * @param id a question of the section
 * @returns the order, or why not, as {@link reorderedQuestions}
 */
export function reorderedSections(
  questions: readonly (PlacedQuestion & { readonly section: string | null })[],
  id: number,
  place: number,
): ReturnType<typeof allowedOrder> {
  const sections = sectionsOf(questions, ({ section }) => section)
  const moved = sections.find((section) => section.some((one) => one.id === id))
  if (!moved) return { reasons: [{ code: 'not_found' }] }
  const rest = sections.filter((section) => section !== moved)
  const at = Math.min(place, sections.length) - 1
  return allowedOrder([...rest.slice(0, at), moved, ...rest.slice(at)].flat())
}
