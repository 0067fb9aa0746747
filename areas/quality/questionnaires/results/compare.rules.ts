/** Results of a set beside those of others: sums of what is stored, and nothing else. Pure functions. */
import type { FormQuestion, QuestionForm } from '../types/form.contract.ts'
import type { ResultFigure } from './results.contract.ts'
import {
  effectSize,
  FEWEST_SETS,
  momentsOf,
  strengths,
  type AnswerCounts,
  type JudgedFigure,
  type Moments,
} from './stats.rules.ts'

/** What is stored of one question of a set, or of one row of it. */
export interface ResultAtom {
  readonly question: string
  readonly part: number
  readonly n: number
  /** null: all who were asked said the same, so it is not kept. */
  readonly counts: AnswerCounts | null
}
/** Several of them together. `sets`: how many of them have counts. */
export interface AtomSum {
  readonly question: string
  readonly part: number
  readonly n: number
  readonly sets: number
  readonly counts: AnswerCounts
}
export type AtomSums = ReadonlyMap<string, AtomSum>

/** By which a question, or a row of it, is found among figures. */
export const atomKey = ({ question, part }: Pick<ResultAtom, 'question' | 'part'>): string => `${question} ${part}`

/** Adds atoms up by question and row. */
export function sumAtoms(atoms: readonly ResultAtom[]): Map<string, AtomSum> {
  const sums = new Map<
    string,
    { question: string; part: number; n: number; sets: number; counts: Record<string, number> }
  >()
  for (const atom of atoms) {
    const { question, part } = atom
    const sum = sums.get(atomKey(atom)) ?? { question, part, n: 0, sets: 0, counts: {} }
    sums.set(atomKey(atom), sum)
    sum.n += atom.n
    if (!atom.counts) continue
    sum.sets += 1
    for (const [value, times] of Object.entries(atom.counts)) sum.counts[value] = (sum.counts[value] ?? 0) + times
  }
  return sums
}

/** A sum without one of the sets in it: what that one is compared with. */
export function restOf(sum: AtomSum | undefined, own: AtomSum | undefined): AtomSum | null {
  if (!sum) return null
  if (!own || own.sets === 0) return sum
  const counts = Object.fromEntries(
    Object.entries(sum.counts).map(([value, times]) => [value, times - (own.counts[value] ?? 0)]),
  )
  return { ...sum, n: sum.n - own.n, sets: sum.sets - own.sets, counts }
}

const MEANS: readonly FormQuestion['kind'][] = ['rating', 'grid', 'number', 'ranking']

/** With what figures are compared, by question and row; null: with nothing. */
export interface Beside {
  readonly department: AtomSum | null | undefined
  readonly faculty: AtomSum | null | undefined
  readonly before: AtomSum | null | undefined
}
export interface Figures {
  readonly figures: ResultFigure[]
  readonly strong: readonly JudgedFigure[]
  readonly weak: readonly JudgedFigure[]
}

/** Figures in the order of the form, with what stands out against the other sets of the faculty. */
export function resultFiguresOf(form: QuestionForm, own: AtomSums, beside: (key: string) => Beside): Figures {
  const parts = form.flatMap((question) =>
    [...own.values()]
      .filter((atom) => atom.question === question.key)
      .sort((a, b) => a.part - b.part)
      .map((atom) => ({ question, atom })),
  )
  const compared: { key: string; n: number; effect: number | null }[] = []
  const figures = parts.map(({ question, atom }): ResultFigure => {
    const key = atomKey(atom)
    const others = beside(key)
    const momentsIn = (found: AtomSum | null | undefined, least = 1): Moments | null =>
      MEANS.includes(question.kind) && found && found.sets >= least ? momentsOf(found.counts, question.points) : null
    const moments = momentsIn(atom)
    const elsewhere = momentsIn(others.faculty, FEWEST_SETS)
    if (question.kind === 'rating' || question.kind === 'grid')
      compared.push({ key, n: atom.n, effect: effectSize(moments, elsewhere) })
    return {
      question: atom.question,
      part: atom.part,
      n: atom.n,
      counts: atom.sets > 0 ? { ...atom.counts } : null,
      moments: moments && { ...moments, interval: moments.interval && [...moments.interval] },
      department: momentsIn(others.department, FEWEST_SETS)?.mean ?? null,
      faculty: elsewhere?.mean ?? null,
      before: momentsIn(others.before)?.mean ?? null,
    }
  })
  return { figures, ...strengths(compared) }
}

/** The answers that were possible to a question, in their order; of a number those that were given. */
export function answersOf(question: FormQuestion, counts: AnswerCounts): number[] {
  if (question.kind === 'number')
    return Object.keys(counts)
      .map(Number)
      .sort((a, b) => a - b)
  const most = question.kind === 'rating' || question.kind === 'grid' ? (question.points ?? 0) : question.options.length
  return Array.from({ length: most }, (_, i) => i + 1)
}

/** The row of a grid, or the option of a ranking, that a figure is about; none where it is about the question. */
export const partOf = (question: FormQuestion, part: number): FormQuestion['text'] | undefined =>
  part === 0 ? undefined : question.kind === 'ranking' ? question.options[part - 1] : question.rows[part - 1]
