/** What other prices would come to, by faculty and currency: sums of what each student is charged now and then. */
export interface Simulated {
  readonly faculty_id: number | null
  readonly currency: string
  /** Who is charged in it, now or then. */
  readonly students: number
  /** Of these, whose sum differs. */
  readonly changed: number
  readonly before: number
  readonly after: number
}
export interface PricedTwice {
  readonly faculty_id: number | null
  /** null: no price fits. */
  readonly before: { readonly currency: string; readonly amount: number } | null
  readonly after: { readonly currency: string; readonly amount: number } | null
}
export interface Simulation {
  readonly rows: readonly Simulated[]
  /** Students for whom no price fits: now, and then. */
  readonly without_before: number
  readonly without_after: number
}

/** Adds up students; the order in which they come makes no difference. */
export function simulate(students: readonly PricedTwice[]): Simulation {
  const sums = new Map<string, Simulated>()
  for (const { faculty_id, before, after } of students)
    for (const currency of new Set([before, after].flatMap((one) => (one ? [one.currency] : [])))) {
      const key = `${faculty_id ?? ''} ${currency}`
      const was = sums.get(key) ?? { faculty_id, currency, students: 0, changed: 0, before: 0, after: 0 }
      const [then, now] = [before, after].map((one) => (one?.currency === currency ? one.amount : 0)) as [
        number,
        number,
      ]
      sums.set(key, {
        ...was,
        students: was.students + 1,
        changed: was.changed + (then === now ? 0 : 1),
        before: was.before + then,
        after: was.after + now,
      })
    }
  return {
    rows: [...sums.values()].toSorted(
      (a, b) => (a.faculty_id ?? 0) - (b.faculty_id ?? 0) || a.currency.localeCompare(b.currency),
    ),
    without_before: students.filter((one) => one.before === null).length,
    without_after: students.filter((one) => one.after === null).length,
  }
}
