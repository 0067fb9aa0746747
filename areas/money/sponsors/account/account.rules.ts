/** How late what is open of a sponsor is. */

const STEPS = [0, 30, 60, 90] as const

export interface Aged {
  /** Days late from and to; null: not due yet, and without an end. */
  readonly from: number | null
  readonly until: number | null
  readonly amount: number
}
/** What is open by days late: not due, then by steps of thirty days. Together it is what is open. */
export const agingOf = (invoices: readonly { readonly open: number; readonly late: number }[]): Aged[] => {
  const within = (from: number | null, until: number | null) =>
    invoices
      .filter(({ late }) => (from === null || late >= from) && (until === null || late <= until))
      .reduce((sum, one) => sum + one.open, 0)
  return [
    { from: null, until: 0, amount: within(null, 0) },
    ...STEPS.map((step, i): Aged => {
      const until = STEPS[i + 1] ?? null
      return { from: step + 1, until, amount: within(step + 1, until) }
    }),
  ]
}
