/**
 * How far rights reach, as data. What is bound to a new kind of unit, or to people in a new way, is written here first; the
 * scope of a resource, sets of reach and the conditions in queries follow.
 */

/** Kinds of units of the university that a right can be limited to, from the largest. */
export const UNITS = ['faculty', 'department', 'bylaw', 'program'] as const
/**
 * Ways in which rows are bound to a person. `own`: the person's own record. `taught`: students and offerings of an
 * instructor. `advised`: students of an advisor. `supervised`: theses on whose team somebody is.
 */
export const BONDS = ['own', 'taught', 'advised', 'supervised'] as const
export type Unit = (typeof UNITS)[number]
export type Bond = (typeof BONDS)[number]
/** By what a row is bound to a part of the university. */
export type ScopeKind = Unit | Bond

/** What somebody reaches with one key: everything, units by id, what is bound to the person. */
export type ReachSet = { readonly all: boolean } & { readonly [U in Unit]: readonly number[] } & {
  readonly [B in Bond]: boolean
}
const filled = <K extends string, V>(kinds: readonly K[], value: V) =>
  Object.fromEntries(kinds.map((kind) => [kind, value])) as Record<K, V>
/** Reaches nothing. */
export const NOWHERE: ReachSet = { all: false, ...filled(UNITS, []), ...filled(BONDS, false) }
/** Reaches everything. */
export const EVERYWHERE: ReachSet = { ...NOWHERE, all: true, ...filled(BONDS, true) }

/**
 * How far a right can be held: in all of the university, in a part of it, or by a bond.
 */
export type Kind = 'university' | 'part' | Bond
export const KINDS: readonly Kind[] = ['university', 'part', ...BONDS]
/**
 * What is said of a right after its two names, where it reaches otherwise than everywhere and in parts: a bond that its calls
 * look at as well; `university`: what a part has no share in; `only own`: what concerns nobody but who holds it.
 */
export type Said = Bond | 'university' | 'only own'
/** The kinds of reach that a right knows, by what is said of it. */
export const kindsOf = (said: readonly Said[]): ReadonlySet<Kind> =>
  new Set(
    said.includes('only own')
      ? ['own']
      : KINDS.filter(
          (kind) => kind === 'university' || (kind === 'part' ? !said.includes('university') : said.includes(kind)),
        ),
  )
/** The kind of reach of something given. */
export const kindOf = (reach: 'scope' | Bond, inPart: boolean): Kind =>
  reach === 'scope' ? (inPart ? 'part' : 'university') : reach
