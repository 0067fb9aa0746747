/** Proves a roster: it shares nothing with how one is drawn, and finds everything out from the roster alone. Pure functions. */
import type { Reason } from '#kit/contract/issues.ts'

interface Named {
  readonly name: string
  readonly name_local: string
}
/** A duty of an intern, as it stands in a roster or is to stand there. */
export interface JudgedDuty extends Named {
  readonly student_id: number
  readonly day: string
  /** Instants. */
  readonly starts_at: string
  readonly ends_at: string
  readonly kind: Named
  /** The rotation of the intern is in this training on the day. */
  readonly there: boolean
  readonly on_leave: boolean
}
/** How many a duty wants, and has. */
export interface JudgedNeed {
  readonly kind: Named
  readonly day: string
  readonly wanted: number
  readonly has: number
}
const REST_HOURS = 11

const about = (of: JudgedDuty): Record<string, unknown> => ({
  name: of.name,
  name_local: of.name_local,
  day: of.day,
  duty: of.kind.name,
  duty_local: of.kind.name_local,
})

/** Everything that is wrong with duties: each by itself, and any two of one intern. */
export function judgeDuties(duties: readonly JudgedDuty[]): Reason[] {
  const reasons: Reason[] = []
  for (const one of duties) {
    if (!one.there) reasons.push({ code: 'duty_not_there', data: about(one) })
    if (one.on_leave) reasons.push({ code: 'duty_on_leave', data: about(one) })
  }
  const sorted = [...duties].sort(
    (a, b) => a.student_id - b.student_id || Date.parse(a.starts_at) - Date.parse(b.starts_at),
  )
  for (let i = 1; i < sorted.length; i++) {
    const [before, after] = [sorted[i - 1]!, sorted[i]!]
    if (before.student_id !== after.student_id) continue
    const hours = (Date.parse(after.starts_at) - Date.parse(before.ends_at)) / 3_600_000
    if (hours < REST_HOURS)
      reasons.push({
        code: 'duty_no_rest',
        data: { ...about(after), before: before.day, hours: Math.max(0, Math.floor(hours)), rest: REST_HOURS },
      })
  }
  return reasons
}
/** Duties that have fewer interns than they want, or more. */
export const judgeNeeds = (needs: readonly JudgedNeed[]): Reason[] =>
  needs.flatMap(({ kind, day, wanted, has }) =>
    has === wanted
      ? []
      : [
          {
            code: has < wanted ? 'duty_unfilled' : 'duty_overfilled',
            data: { duty: kind.name, duty_local: kind.name_local, day, count: has, needed: wanted },
          },
        ],
  )
