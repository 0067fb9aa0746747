import type { QuestionForm } from '../types/form.contract.ts'
import { momentsOf, type AnswerCounts } from './stats.rules.ts'

/** What students said of an offering. */
export interface OfferingSaid {
  readonly asked: number
  readonly answered: number
  /** Mean of the ratings as a share of the best, of 100; null: fewer than five answered, or nothing was rated. */
  readonly rated: number | null
}

/** A mean of 1 … points as a share: 1 is nothing, the last point all. */
const share = (mean: number, points: number): number => (100 * (mean - 1)) / (points - 1)

export function surveySaidOf({
  asked,
  answered,
  form,
  figures,
}: {
  readonly asked: number
  readonly answered: number
  readonly form: QuestionForm
  readonly figures: readonly { readonly question: string; readonly counts: AnswerCounts | null }[]
}): OfferingSaid {
  const points = new Map(
    form.flatMap(({ key, kind, points: most }) =>
      (kind === 'rating' || kind === 'grid') && most ? [[key, most] as const] : [],
    ),
  )
  const shares = figures.flatMap(({ question, counts }) => {
    const most = points.get(question)
    const moments = counts && most ? momentsOf(counts) : null
    return moments && most ? [share(moments.mean, most)] : []
  })
  const rated = shares.length ? shares.reduce((sum, one) => sum + one, 0) / shares.length : null
  return { asked, answered, rated: rated === null ? null : Math.round(rated * 100) / 100 }
}
