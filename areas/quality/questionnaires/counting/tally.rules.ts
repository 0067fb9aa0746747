/**
 * What is kept of the answers of a set: counts for each question by itself, and comments in the order of the alphabet. The
 * result depends on the multiset of answers alone, and never rests on fewer than five (docs/decisions/0047-anonymous-answers.md).
 */
import type { FormAnswers, FormQuestion, QuestionForm } from '../types/form.contract.ts'

/** No figure rests on fewer answers. */
export const FEWEST_ANSWERS = 5

/** How often each answer was given to one question, or to one row of a grid. */
export interface Tally {
  readonly question: string
  /** Row of a grid or option of a ranking, counted from 1; 0: the question. */
  readonly part: number
  /** How many answered it: five at least. */
  readonly n: number
  /** By answer; null: all who were asked said the same, which would tell what each of them said. */
  readonly counts: Readonly<Record<string, number>> | null
}
export interface Comment {
  readonly question: string
  readonly text: string
}
export interface Tallied {
  readonly answered: number
  readonly figures: readonly Tally[]
  readonly comments: readonly Comment[]
}

/** What each person gave to one part of a question: one value, several, or none. */
function givenTo(question: FormQuestion, part: number, answers: FormAnswers): number[] | null {
  const given = answers[question.key]
  if (typeof given === 'number') return [given]
  if (!Array.isArray(given)) return null
  if (question.kind === 'several') return given.filter((one) => one !== null)
  if (question.kind === 'grid') return given[part - 1] == null ? null : [given[part - 1] ?? 0]
  // The place at which an option stands.
  return [given.indexOf(part) + 1]
}
const partsOf = ({ kind, rows, options }: FormQuestion): number[] => {
  if (kind === 'grid') return rows.map((_, i) => i + 1)
  return kind === 'ranking' ? options.map((_, i) => i + 1) : [0]
}

function tallyOf(question: FormQuestion, part: number, all: readonly FormAnswers[], asked: number): readonly Tally[] {
  const given = all.map((answers) => givenTo(question, part, answers)).filter((one) => one !== null)
  const n = given.length
  if (n < FEWEST_ANSWERS) return []
  const counts = new Map<number, number>()
  for (const value of given.flat()) counts.set(value, (counts.get(value) ?? 0) + 1)
  const sorted = [...counts].sort(([a], [b]) => a - b)
  const alike = n >= asked && sorted.some(([, times]) => times === n)
  return [{ question: question.key, part, n, counts: alike ? null : Object.fromEntries(sorted) }]
}

/** Letters of two texts compared by their codes: everywhere the same order. */
const byCode = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/**
 * Counts a set.
 *
 * @param asked how many were asked; those who answered and are asked no more (who dropped the course) count among them
 * @returns null where fewer than five answered: nothing is kept of the set by itself
 */
export function tally(form: QuestionForm, all: readonly FormAnswers[], asked: number): Tallied | null {
  if (all.length < FEWEST_ANSWERS) return null
  const figures = form
    .filter(({ kind }) => kind !== 'text')
    .flatMap((question) => partsOf(question).flatMap((part) => tallyOf(question, part, all, asked)))
  const comments = form
    .filter(({ kind }) => kind === 'text')
    .flatMap(({ key }) => {
      const texts = all.flatMap((answers) => {
        const text = answers[key]
        return typeof text === 'string' && text ? [text] : []
      })
      // Who wrote one of four comments is easily guessed.
      if (texts.length < FEWEST_ANSWERS) return []
      return texts.sort(byCode).map((text) => ({ question: key, text }))
    })
  return { answered: all.length, figures, comments }
}
