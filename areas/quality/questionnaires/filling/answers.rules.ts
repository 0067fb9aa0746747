/** What a filled form must be: pure functions that return every reason. Reasons name the question, never the answer. */
import type { Reason } from '#kit/contract/issues.ts'
import { COMMENT_BYTES } from '../types/form.contract.ts'
import type { FormAnswer, FormAnswers, FormQuestion, QuestionForm } from '../types/form.contract.ts'

/** Whether nothing was answered. */
export const isBlank = (answer: FormAnswer | undefined): boolean =>
  answer == null ||
  (typeof answer === 'string' && answer.trim() === '') ||
  (Array.isArray(answer) && answer.every((one) => one === null))

/** Whether a question is asked, by what was answered before it. A question whose condition is not asked is not asked either. */
export function isQuestionAsked(form: QuestionForm, question: FormQuestion, answers: FormAnswers): boolean {
  const { condition } = question
  if (!condition) return true
  const place = form.findIndex(({ key }) => key === condition.key)
  const on = form[place]
  // A condition on what does not stand before it cannot be met by anybody.
  if (!on || place >= form.indexOf(question) || !isQuestionAsked(form, on, answers)) return false
  const given = answers[condition.key]
  if (Array.isArray(given)) return condition.is === 'equal' && given.includes(condition.value)
  if (typeof given !== 'number') return false
  if (condition.is === 'below') return given < condition.value
  return condition.is === 'above' ? given > condition.value : given === condition.value
}

/** The answers that count: those of questions that are asked, without blanks. */
export function countedAnswers(form: QuestionForm, answers: FormAnswers): Record<string, FormAnswer> {
  const kept: Record<string, FormAnswer> = {}
  for (const question of form) {
    const given = answers[question.key]
    if (given === undefined || isBlank(given) || !isQuestionAsked(form, question, answers)) continue
    kept[question.key] = typeof given === 'string' ? given.trim() : given
  }
  return kept
}

/** Bytes of a text in UTF-8; half a letter outside the basic plane counts three, as it is written. */
function bytesOf(text: string): number {
  let bytes = 0
  for (const letter of text) {
    const code = letter.codePointAt(0) ?? 0
    bytes += code < 0x80 ? 1 : code < 0x8_00 ? 2 : code < 0x1_00_00 ? 3 : 4
  }
  return bytes
}
const within = (given: unknown, least: number, most: number): boolean =>
  typeof given === 'number' && Number.isInteger(given) && given >= least && given <= most

/** Whether an answer that is not blank is one of those that the question allows. */
function isAnswer(question: FormQuestion, given: FormAnswer): boolean {
  const { kind, options, rows, points, min, max } = question
  const most = kind === 'rating' || kind === 'grid' ? (points ?? 0) : options.length
  switch (kind) {
    case 'rating':
    case 'single':
      return within(given, 1, most)
    case 'number':
      return within(given, min ?? 0, max ?? 1_000_000)
    case 'several':
      return Array.isArray(given) && given.every((one) => within(one, 1, most)) && new Set(given).size === given.length
    case 'ranking':
      return (
        Array.isArray(given) &&
        given.length === most &&
        given.every((one) => within(one, 1, most)) &&
        new Set(given).size === most
      )
    case 'grid':
      return (
        Array.isArray(given) &&
        given.length === rows.length &&
        given.every((one) => one === null || within(one, 1, most))
      )
    case 'text':
      return typeof given === 'string' && bytesOf(given) <= COMMENT_BYTES
  }
}

/** Everything that stands against taking the answers. */
export function checkAnswers(form: QuestionForm, answers: FormAnswers): Reason[] {
  const known = new Set(form.map(({ key }) => key))
  const reasons: Reason[] = Object.keys(answers)
    .filter((key) => !known.has(key))
    .map((key) => ({ field: key, code: 'answer_unknown' }))
  for (const question of form) {
    const given = answers[question.key]
    const field = question.key
    const { name, name_local } = question.text
    if (!isQuestionAsked(form, question, answers)) continue
    if (given === undefined || isBlank(given)) {
      if (question.required) reasons.push({ field, code: 'answer_missing', data: { name, name_local } })
    } else if (!isAnswer(question, given)) {
      const code = question.kind === 'text' && typeof given === 'string' ? 'answer_long' : 'answer_not_valid'
      reasons.push({ field, code, data: { name, name_local } })
    } else if (question.kind === 'grid' && question.required && Array.isArray(given) && given.includes(null))
      reasons.push({ field, code: 'answer_rows_missing', data: { name, name_local } })
  }
  return reasons
}

/** Bytes of an envelope of a form: room for the longest answers that `checkAnswers` lets through. */
export function envelopeBytes(form: QuestionForm): number {
  const room = (question: FormQuestion): number => {
    // JSON writes a quotation mark, a backslash or a line's end with two bytes; control characters are not let through.
    if (question.kind === 'text') return 2 * COMMENT_BYTES + 2
    return 12 * Math.max(1, question.options.length, question.rows.length) + 2
  }
  return form.reduce((sum, question) => sum + question.key.length + 4 + room(question), 2)
}
