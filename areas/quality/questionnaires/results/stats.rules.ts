/** Figures of answers: pure functions of how often each answer was given. */

/** By answer, as a text: how often. */
export type AnswerCounts = Readonly<Record<string, number>>

export interface Moments {
  readonly n: number
  readonly mean: number
  /** Of the sample; null of a single answer. */
  readonly deviation: number | null
  /** Within it the mean of all who could have answered lies in 95 of 100 such samples; null where there is no deviation. */
  readonly interval: readonly [low: number, high: number] | null
}

/** Below so many answers a comparison says little, and that is told with it. */
export const FEW_ANSWERS = 15
/** A comparison is made with so many other sets at least: the mean of one other is somebody's own result. */
export const FEWEST_SETS = 3

/** 97.5 % quantile of Student's t, to a hundredth from 4 degrees of freedom on (Cornish-Fisher expansion). */
export function quantileOfT(degrees: number): number {
  const z = 1.959964
  const v = degrees
  return (
    z +
    (z ** 3 + z) / (4 * v) +
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / (96 * v ** 2) +
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / (384 * v ** 3)
  )
}

/** Mean, deviation and interval; null where there are no answers. Of a scale of points, no mean lies beyond its ends. */
export function momentsOf(counts: AnswerCounts, points: number | null = null): Moments | null {
  const entries = Object.entries(counts).map(([value, times]) => [Number(value), times] as const)
  const n = entries.reduce((sum, [, times]) => sum + times, 0)
  if (n === 0) return null
  const mean = entries.reduce((sum, [value, times]) => sum + value * times, 0) / n
  if (n === 1) return { n, mean, deviation: null, interval: null }
  const squares = entries.reduce((sum, [value, times]) => sum + times * (value - mean) ** 2, 0)
  const deviation = Math.sqrt(squares / (n - 1))
  const half = (quantileOfT(n - 1) * deviation) / Math.sqrt(n)
  const [least, most] = points === null ? [-Infinity, Infinity] : [1, points]
  return { n, mean, deviation, interval: [Math.max(least, mean - half), Math.min(most, mean + half)] }
}

/**
 * How far two means lie apart, in deviations of the answers (Hedges' g): 0.2 is small, 0.5 middling, 0.8 large. Null where it cannot
 * be told: too few answers, or everybody gave the same.
 */
export function effectSize(own: Moments | null, others: Moments | null): number | null {
  if (!own || !others || own.deviation === null || others.deviation === null) return null
  const degrees = own.n + others.n - 2
  const pooled = Math.sqrt(((own.n - 1) * own.deviation ** 2 + (others.n - 1) * others.deviation ** 2) / degrees)
  if (pooled === 0) return null
  return ((own.mean - others.mean) / pooled) * (1 - 3 / (4 * degrees - 1))
}

export interface JudgedFigure {
  readonly key: string
  readonly effect: number
  /** So few answered that chance alone may explain it. */
  readonly few: boolean
}
/** What is clearly better or worse than elsewhere, the clearest first. Differences below a small effect are none. */
export function strengths(
  items: readonly { readonly key: string; readonly n: number; readonly effect: number | null }[],
): { readonly strong: readonly JudgedFigure[]; readonly weak: readonly JudgedFigure[] } {
  const judged = items.flatMap(({ key, n, effect }) =>
    effect === null || Math.abs(effect) < 0.2 ? [] : [{ key, effect, few: n < FEW_ANSWERS }],
  )
  const by = (sign: number) =>
    judged
      .filter(({ effect }) => effect * sign > 0)
      .sort((a, b) => sign * (b.effect - a.effect) || (a.key < b.key ? -1 : 1))
  return { strong: by(1), weak: by(-1) }
}

export interface ResultsAsk {
  /** The reader teaches in the offering it is about. */
  readonly teaches: boolean
  /** State of the marks of the offering; null: it is about no offering. */
  readonly control_status: string | null
  readonly counted: boolean
}
/** Why results are not shown; null: they are. Whoever teaches waits for the marks, whatever else he or she may do. */
export function whyNoResults({
  teaches,
  control_status,
  counted,
}: ResultsAsk): 'results_not_counted' | 'results_marks_first' | null {
  if (!counted) return 'results_not_counted'
  if (teaches && control_status !== 'Published' && control_status !== 'Frozen') return 'results_marks_first'
  return null
}
