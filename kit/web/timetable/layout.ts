import type { TimetableKind } from '#kit/contract/week.ts'

/** One meeting of a week. `day` 0 is Saturday. Times are `HH:MM`. */
export interface TimetableEvent {
  readonly id: string | number
  readonly day: number
  readonly from: string
  readonly to: string
  readonly type: TimetableKind
  readonly title: string
  /** Further lines: place, people, group. */
  readonly lines?: readonly string[]
  readonly href?: string
  /** Does not take place in the present week: a week and a list leave it out, months have it on its days. */
  readonly off?: boolean
  /** As far as it is known: from which day to which it takes place, and the days between on which it does not. */
  readonly held?: { readonly from: string; readonly to: string; readonly except: readonly string[] }
}

export const minutes = (time: string): number => {
  const [h = 0, m = 0] = time.split(':').map(Number)
  return h * 60 + m
}

export interface Placed<E extends TimetableEvent = TimetableEvent> {
  readonly event: E
  /** Which of `lanes` columns of its day, from the start side. */
  readonly lane: number
  readonly lanes: number
  /** How many lanes it may take: those to its end side that are free while it lasts. */
  readonly span: number
}

/**
 * Places the meetings of one day so that those at the same time stand side by side. Meetings that touch (10:00 and
 * 10:00) do not overlap. Each cluster has as many lanes as it needs, no more.
 */
export function placeDay<E extends TimetableEvent>(events: readonly E[]): Placed<E>[] {
  const sorted = [...events].sort(
    (a, b) =>
      minutes(a.from) - minutes(b.from) || minutes(b.to) - minutes(a.to) || String(a.id).localeCompare(String(b.id)),
  )
  const out: Placed<E>[] = []
  let cluster: { event: E; lane: number }[] = []
  let ends: number[] = []
  let until = -1
  const close = () => {
    const lanes = ends.length
    for (const { event, lane } of cluster) {
      let span = 1
      while (lane + span < lanes && !cluster.some((o) => o.lane === lane + span && overlap(o.event, event))) span++
      out.push({ event, lane, lanes, span })
    }
    cluster = []
    ends = []
  }
  for (const event of sorted) {
    const [from, to] = [minutes(event.from), Math.max(minutes(event.to), minutes(event.from) + 1)]
    if (from >= until) {
      close()
      until = -1
    }
    let lane = ends.findIndex((end) => end <= from)
    if (lane < 0) lane = ends.length
    ends[lane] = to
    cluster.push({ event, lane })
    until = Math.max(until, to)
  }
  close()
  return out
}
const overlap = (a: TimetableEvent, b: TimetableEvent) =>
  minutes(a.from) < minutes(b.to) && minutes(b.from) < minutes(a.to)

/** Whole hours that show all meetings, at least 8 to 16. */
export function hoursOf(events: readonly TimetableEvent[]): { from: number; to: number } {
  const from = Math.min(8 * 60, ...events.map((e) => minutes(e.from)))
  const to = Math.max(16 * 60, ...events.map((e) => minutes(e.to)))
  return { from: Math.floor(from / 60), to: Math.ceil(to / 60) }
}
/** Days to show: Saturday to Thursday, Friday only when something meets then. */
export const daysOf = (events: readonly TimetableEvent[]): number[] =>
  [0, 1, 2, 3, 4, 5, 6].filter((day) => day < 6 || events.some((e) => e.day === 6))
