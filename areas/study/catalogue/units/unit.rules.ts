/** What faculties, departments and programs were called at a time, and where figures of those that ended count today. */
import type { Reason } from '#kit/contract/issues.ts'

/** Units that are renamed, split and merged. */
export const HISTORY_UNITS = ['faculty', 'department', 'program'] as const
export type HistoryUnit = (typeof HISTORY_UNITS)[number]

/** How one unit follows upon another. */
export const SUCCESSION_KINDS = [
  { value: 'replaced', label: ['It ended, and these began', 'انتهت وبدأت هذه بدلًا منها'] },
  { value: 'split_off', label: ['It goes on, and these were split off', 'استمرت وانفصلت عنها هذه'] },
  { value: 'merged', label: ['It ended, and was merged into these', 'انتهت وأُدمجت في هذه'] },
] as const
export type SuccessionKind = (typeof SUCCESSION_KINDS)[number]['value']

export interface UnitName {
  readonly name: string
  readonly name_local: string
}
/** A former name, until the first day on which it was another one. */
export interface FormerName extends UnitName {
  readonly until: string
  /** The faculty to which a department or program belonged then. */
  readonly within: UnitName | null
}
export interface Succession {
  readonly from: number
  readonly to: number
  readonly on: string
  readonly kind: SuccessionKind
}
/** What is known of the units of one kind. */
export interface UnitHistory {
  /** Present names, with the faculty of a department or program. */
  readonly now: ReadonlyMap<number, UnitName & { readonly within: UnitName | null }>
  /** In the order of their days. */
  readonly former: ReadonlyMap<number, readonly FormerName[]>
  readonly successions: readonly Succession[]
}

/** What a unit was called, and until when; null: it is called so. */
export interface NameOfTime extends UnitName {
  readonly until: string | null
  readonly within: UnitName | null
}

/**
 * All names of a unit in the order of their time: those of what it came from before it began, its own former ones, the present one.
 * What came from several is told by none of them.
 */
export function unitNamesOf(history: UnitHistory, id: number, seen: ReadonlySet<number> = new Set()): NameOfTime[] {
  const present = history.now.get(id)
  const own: NameOfTime[] = [...(history.former.get(id) ?? []), ...(present ? [{ ...present, until: null }] : [])]
  const origins = history.successions.filter((one) => one.to === id && one.kind !== 'merged' && !seen.has(one.from))
  const [origin] = origins
  if (!origin || origins.length > 1) return own
  const before = unitNamesOf(history, origin.from, new Set([...seen, id]))
    .filter((_one, at, all) => at === 0 || all[at - 1]!.until === null || all[at - 1]!.until! < origin.on)
    .map((one) => (one.until === null || one.until > origin.on ? { ...one, until: origin.on } : one))
  return [...before, ...own.filter(({ until }) => until === null || until > origin.on)]
}

const alike = (a: NameOfTime, b: NameOfTime): boolean =>
  a.name === b.name && a.name_local === b.name_local && a.within?.name === b.within?.name

/** What a figure of a unit is called beside its present name. */
export interface ToldNames {
  /** The name of the one time that a figure is of, where it was another one. */
  readonly of_then: NameOfTime | null
  /** Former names within the span of several times. */
  readonly former: readonly NameOfTime[]
}
/** @returns what stands beside the present name of figures of a span of days; of one moment where both ends are the same */
export function toldNames(
  history: UnitHistory,
  id: number,
  span: { readonly from: string | null; readonly to: string; readonly one: boolean },
): ToldNames | null {
  const names = unitNamesOf(history, id)
  const present = names.at(-1)
  if (!present || names.length < 2) return null
  const at = (day: string) => names.find(({ until }) => until === null || until > day)!
  if (span.one) {
    const then = at(span.to)
    return alike(then, present) ? null : { of_then: then, former: [] }
  }
  const former = names.filter(
    (one) => one.until !== null && (span.from === null || one.until > span.from) && !alike(one, present),
  )
  return former.length ? { of_then: null, former } : null
}

/** A unit that went on in several; it may be one of them. */
export interface UnitSplit {
  readonly from: number
  readonly on: string
  readonly into: readonly number[]
  readonly goes_on: boolean
}
/** Where figures of units that ended count as things are today, and those that cannot be told so. */
export interface Bridges {
  /** The one unit that a unit goes on in. */
  readonly to: ReadonlyMap<number, number>
  /** Units that went on in several, with the last of each. */
  readonly splits: readonly UnitSplit[]
}
/** What follows upon what as of a day. */
export function bridgesOf(successions: readonly Succession[], today: string): Bridges {
  const begun = successions.filter(({ on }) => on <= today)
  const next = Map.groupBy(begun, ({ from }) => from)
  /** The units in which one goes on: itself, where it did not end. */
  const ends = (id: number, seen: ReadonlySet<number>): number[] => {
    const lines = (next.get(id) ?? []).filter(({ to }) => !seen.has(to))
    if (!lines.length) return [id]
    const within = new Set([...seen, id])
    const goesOn = lines.every(({ kind }) => kind === 'split_off')
    return [...new Set([...(goesOn ? [id] : []), ...lines.flatMap(({ to }) => ends(to, within))])]
  }
  const to = new Map<number, number>()
  const splits: UnitSplit[] = []
  for (const [from, lines] of next) {
    const into = ends(from, new Set())
    if (into.length === 1 && into[0] !== from) to.set(from, into[0]!)
    else if (into.length > 1)
      splits.push({
        from,
        on: lines.map(({ on }) => on).toSorted()[0]!,
        into: into.filter((id) => id !== from),
        goes_on: into.includes(from),
      })
  }
  return { to, splits: splits.toSorted((a, b) => a.from - b.from) }
}

/** Every reason against noting what follows upon a unit. */
export function judgeSuccession(
  had: readonly Pick<Succession, 'kind' | 'on' | 'to'>[],
  given: { readonly from: number; readonly to: readonly number[]; readonly on: string; readonly kind: SuccessionKind },
  today: string,
): Reason[] {
  const reasons: Reason[] = []
  if (given.on > today) reasons.push({ field: 'on_day', code: 'unit_day_ahead' })
  if (given.to.includes(given.from)) reasons.push({ field: 'unit_ids', code: 'unit_follows_itself' })
  if (had.some(({ to }) => given.to.includes(to))) reasons.push({ field: 'unit_ids', code: 'unit_successions_pair' })
  const end = had.find(({ kind }) => kind !== 'split_off')
  if (end && given.kind !== 'split_off' && end.on !== given.on)
    reasons.push({ field: 'on_day', code: 'unit_ended', data: { day: end.on } })
  if (end && given.kind === 'split_off' && given.on > end.on)
    reasons.push({ field: 'on_day', code: 'unit_ended', data: { day: end.on } })
  return reasons
}
