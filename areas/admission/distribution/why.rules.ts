/**
 * Why each preference ended as it did, and how programs stand after a distribution: worked out from what was given, not from how it
 * came about, so that it can be told of any result that is kept.
 */
import type { Reason } from '#kit/contract/issues.ts'
import { NOT_OFFERED, NOT_RANKED, slotAtOf, type RankedWishes } from './input.rules.ts'

/** How programs stand, as columns: by slot (a limited group of a program, or everybody else there) and by program. Ranks count from 0; -1: nobody. */
export interface ProgramStandings {
  readonly slotAt: Int32Array
  /** By slot: how many were admitted, the last of them, and how many of them on reserved seats. */
  readonly admitted: Int32Array
  readonly last: Int32Array
  readonly onReserved: Int32Array
  /** By program: how many were admitted, the last of them all, and the last who was admitted to a seat that is open to everybody. */
  readonly filled: Int32Array
  readonly lastOfAll: Int32Array
  readonly lastOnOpen: Int32Array
  /** By program: applicants whose first preference it is, and how many of them were admitted. */
  readonly wishedFirst: Int32Array
  readonly givenFirst: Int32Array
}

/** How programs stand. `given`: by applicant the place of the preference in `slots`, or -1; `wishes`: the program of each preference. */
export function standingsOf(
  { programs, wishAt, slots, ranks }: RankedWishes,
  wishes: Int32Array,
  given: Int32Array,
): ProgramStandings {
  const slotAt = slotAtOf(programs)
  const ofSlots = (fill: number) => new Int32Array(slotAt[programs.length]!).fill(fill)
  const ofPrograms = (fill: number) => new Int32Array(programs.length).fill(fill)
  const [admitted, last, onReserved] = [ofSlots(0), ofSlots(-1), ofSlots(0)]
  const [filled, lastOfAll, lastOnOpen, wishedFirst, givenFirst] = [
    ofPrograms(0),
    ofPrograms(-1),
    ofPrograms(-1),
    ofPrograms(0),
    ofPrograms(0),
  ]
  for (let a = 0; a < given.length; a++) {
    const first = wishAt[a]!
    if (first < wishAt[a + 1]! && wishes[first]! >= 0) wishedFirst[wishes[first]!]!++
    const at = given[a]!
    if (at < 0) continue
    if (at === first) givenFirst[wishes[at]!]!++
    const s = slots[at]!
    admitted[s]!++
    if (ranks[at]! > last[s]!) last[s] = ranks[at]!
  }
  for (const [p, { limits }] of programs.entries()) {
    for (let s = slotAt[p]!; s < slotAt[p + 1]!; s++) {
      const limit = limits[s - slotAt[p]!]
      onReserved[s] = Math.min(limit?.reserved ?? 0, admitted[s]!)
      filled[p]! += admitted[s]!
      lastOfAll[p] = Math.max(lastOfAll[p]!, last[s]!)
      // The worst of a group has an open seat where more of it are there than reserved seats.
      if (admitted[s]! > onReserved[s]!) lastOnOpen[p] = Math.max(lastOnOpen[p]!, last[s]!)
    }
  }
  return { slotAt, admitted, last, onReserved, filled, lastOfAll, lastOnOpen, wishedFirst, givenFirst }
}

/** What a group is called. */
export interface GroupCalled {
  readonly name: string
  readonly name_local: string
}

/** What became of a preference. */
export type PreferenceOutcome = 'given' | 'not_needed' | 'not_offered' | 'not_ranked' | 'refused'
export interface PreferenceRung {
  /** From 1, as the applicant ordered them. */
  readonly preference: number
  /** -1: not offered. */
  readonly program: number
  readonly outcome: PreferenceOutcome
  /** From 1; null where the program does not rank the applicant. */
  readonly rank: number | null
  /** The last rank that the program admitted, and the last of the applicant's group (or of those without one) there; null: nobody. */
  readonly cutOff: number | null
  readonly groupCutOff: number | null
  /** Every reason why it was not given; none where it was, or a dearer one was. */
  readonly reasons: readonly Reason[]
}

/**
 * The preferences of one applicant with what became of each, and why.
 *
 * `groups`: what the groups are called, by number. Which condition somebody who is not ranked does not meet is known to
 * whoever ranked (`ranking.rules.ts`).
 */
export function preferenceLadder(
  applicant: number,
  ranked: RankedWishes,
  wishes: Int32Array,
  given: Int32Array,
  standings: ProgramStandings,
  groups: readonly GroupCalled[],
): PreferenceRung[] {
  const { wishAt, slots, ranks } = ranked
  const first = wishAt[applicant]!
  const got = given[applicant]!
  const rungs: PreferenceRung[] = []
  for (let i = first; i < wishAt[applicant + 1]!; i++) {
    const [program, slot] = [wishes[i]!, slots[i]!]
    const rank = slot >= 0 ? ranks[i]! + 1 : null
    const cutOff = program >= 0 ? counted(standings.lastOfAll[program]!) : null
    const groupCutOff = slot >= 0 ? counted(standings.last[slot]!) : null
    const rung = (outcome: PreferenceOutcome, reasons: readonly Reason[] = []): void =>
      void rungs.push({ preference: i - first + 1, program, outcome, rank, cutOff, groupCutOff, reasons })
    if (i === got) rung('given')
    else if (got >= 0 && i > got) rung('not_needed')
    else if (slot === NOT_OFFERED) rung('not_offered', [{ code: 'admission_not_offered' }])
    else if (slot === NOT_RANKED || rank === null) rung('not_ranked', [{ code: 'admission_not_ranked' }])
    else rung('refused', whyRefused(program, slot, rank, ranked, standings, groups))
  }
  return rungs
}

/** A rank as people count it. */
const counted = (rank: number): number | null => (rank < 0 ? null : rank + 1)

function whyRefused(
  p: number,
  slot: number,
  rank: number,
  { programs }: RankedWishes,
  { slotAt, admitted, last, onReserved, lastOnOpen }: ProgramStandings,
  groups: readonly GroupCalled[],
): Reason[] {
  const { capacity, limits } = programs[p]!
  if (capacity === 0) return [{ code: 'admission_no_seats' }]
  const limit = limits[slot - slotAt[p]!]
  const called = limit ? groups[limit.group] : undefined
  const group = { group: called?.name ?? '', group_local: called?.name_local ?? '' }
  const lastOfGroup = last[slot]! + 1
  if (limit?.maximum === 0) return [{ code: 'admission_group_none', data: group }]
  if (limit && limit.maximum !== null && admitted[slot]! >= limit.maximum)
    return [{ code: 'admission_group_maximum', data: { ...group, rank, maximum: limit.maximum, last: lastOfGroup } }]
  const reasons: Reason[] = [
    lastOnOpen[p]! < 0
      ? { code: 'admission_all_reserved', data: { rank, seats: capacity } }
      : { code: 'admission_rank', data: { rank, last: lastOnOpen[p]! + 1 } },
  ]
  if (limit && onReserved[slot]! > 0)
    reasons.push({
      code: 'admission_reserved_filled',
      data: { ...group, reserved: onReserved[slot]!, last: lastOfGroup },
    })
  return reasons
}
