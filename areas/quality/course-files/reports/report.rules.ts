/** Figures of an offering for its report: made from what marks, lists and meetings say, so that nobody counts by hand. */

/** One who was in the offering to its end. */
export interface ReportResult {
  /** Share of the full mark, of 100; null: no mark. */
  readonly total: number | null
  readonly letter: string | null
  readonly passed: boolean | null
}
export interface ReportSource {
  readonly results: readonly ReportResult[]
  /** Registered, with those who left. */
  readonly registered: number
  readonly withdrawn: number
  /** Meetings that the term had planned, those of which a list was kept, and those cancelled. */
  readonly planned: number
  readonly held: number
  readonly cancelled: number
  readonly present: number
  readonly recorded: number
  /** What students said in the questionnaire about the course; null: none was counted. */
  readonly said: { readonly asked: number; readonly answered: number; readonly rated: number | null } | null
  /** The offering of the course before: its mean and share of passes. */
  readonly before: { readonly mean: number | null; readonly passed: number | null } | null
}
export interface ReportFigures {
  readonly registered: number
  readonly withdrawn: number
  readonly marked: number
  readonly mean: number | null
  readonly deviation: number | null
  readonly median: number | null
  readonly lowest: number | null
  readonly highest: number | null
  /** Share of those marked who passed, of 100. */
  readonly passed: number | null
  readonly letters: readonly { readonly letter: string; readonly count: number }[]
  /** How many marks lie in each ten of a hundred. */
  readonly tens: readonly number[]
  /** Marks further than two and a half deviations from the mean. */
  readonly outliers: number
  readonly planned: number
  readonly held: number
  readonly cancelled: number
  /** Share of those present, of 100; null: no list was kept. */
  readonly attendance: number | null
  /** Students asked in the questionnaire about the course, and those who answered; null: none was counted. */
  readonly asked: number | null
  readonly answered: number | null
  /** Mean of their ratings as a share of the best, of 100. */
  readonly rated: number | null
  readonly mean_before: number | null
  readonly passed_before: number | null
}

const round = (value: number): number => Math.round(value * 100) / 100
const FAR = 2.5

function spread(totals: readonly number[]) {
  const n = totals.length
  if (!n) return { mean: null, deviation: null, median: null, lowest: null, highest: null, outliers: 0 }
  const ordered = totals.toSorted((a, b) => a - b)
  const mean = totals.reduce((sum, one) => sum + one, 0) / n
  // Of a sample: with one mark nothing is known of how they spread.
  const deviation = n > 1 ? Math.sqrt(totals.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (n - 1)) : null
  const middle = ordered[Math.floor(n / 2)] ?? mean
  const below = ordered[Math.floor((n - 1) / 2)] ?? mean
  return {
    mean: round(mean),
    deviation: deviation === null ? null : round(deviation),
    median: round((middle + below) / 2),
    lowest: ordered[0] ?? null,
    highest: ordered.at(-1) ?? null,
    outliers: deviation ? totals.filter((one) => Math.abs(one - mean) > FAR * deviation).length : 0,
  }
}

/** The figures of an offering. Pure: the same source gives the same figures, in the same order. */
export function reportFigures(of: ReportSource): ReportFigures {
  const totals = of.results.flatMap(({ total }) => (total === null ? [] : [total]))
  const judged = of.results.filter(({ passed }) => passed !== null)
  const letters = new Map<string, number>()
  for (const { letter } of of.results) if (letter) letters.set(letter, (letters.get(letter) ?? 0) + 1)
  const tens = Array.from({ length: 10 }, () => 0)
  for (const total of totals) {
    const at = Math.min(9, Math.floor(total / 10))
    tens[at] = (tens[at] ?? 0) + 1
  }
  return {
    registered: of.registered,
    withdrawn: of.withdrawn,
    marked: totals.length,
    ...spread(totals),
    passed: judged.length ? round((100 * judged.filter(({ passed }) => passed).length) / judged.length) : null,
    letters: [...letters]
      .map(([letter, count]) => ({ letter, count }))
      .toSorted((a, b) => b.count - a.count || (a.letter < b.letter ? -1 : 1)),
    tens,
    planned: of.planned,
    held: of.held,
    cancelled: of.cancelled,
    attendance: of.recorded ? round((100 * of.present) / of.recorded) : null,
    asked: of.said?.asked ?? null,
    answered: of.said?.answered ?? null,
    rated: of.said?.rated ?? null,
    mean_before: of.before?.mean ?? null,
    passed_before: of.before?.passed ?? null,
  }
}

/** A figure in one order of its keys: what the database kept has another. */
const inOrder = (figure: unknown): string => JSON.stringify(figure, ['letter', 'count'])

/** Figures in which two states of an offering differ; empty: what was filled is what is there now. */
export const changedFigures = (then: ReportFigures, now: ReportFigures): (keyof ReportFigures)[] =>
  (Object.keys(now) as (keyof ReportFigures)[]).filter((key) => inOrder(then[key]) !== inOrder(now[key]))
