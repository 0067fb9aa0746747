/**
 * What a distribution is worked out from, as columns of whole numbers: a million applicants with fifteen preferences each are
 * a few arrays, which a file or a query fills row by row.
 *
 * Applicants, programs and groups are numbers from 0 here; whoever fills the columns keeps the list of what they are called.
 */

/** What a program has decided about the members of a group. Groups with limits in one program share no applicant. */
export interface GroupLimit {
  readonly group: number
  /** No more of the group are admitted than these; null: any number. */
  readonly maximum: number | null
  /** So many seats are given to the best of the group before anybody else; 0: none. Seats it cannot fill are open to all. */
  readonly reserved: number
}

export interface ProgramTerms {
  readonly capacity: number
  /** In the order in which reserved seats are filled: it matters where more are reserved than there are. */
  readonly limits: readonly GroupLimit[]
}

/** Applicants with their groups and preferences, and programs with their rankings. `xAt[i]` to `xAt[i + 1]` is the part of `i`. */
export interface DistributionInput {
  readonly applicants: number
  readonly programs: readonly ProgramTerms[]
  /** How many groups there are: each number of a group is below. */
  readonly groupCount: number
  readonly groupAt: Int32Array
  /** Groups of each applicant. */
  readonly groups: Int32Array
  readonly wishAt: Int32Array
  /** Programs each applicant prefers, the dearest first; -1 stands for one that is not offered. */
  readonly wishes: Int32Array
  readonly rankAt: Int32Array
  /** Applicants each program may take, the best first; -1 stands for somebody who is not among the applicants. Where one stands twice, the later place counts. */
  readonly ranking: Int32Array
}

/** What the solver reads: each preference with the slot in which it competes and the rank it has there. */
export interface RankedWishes {
  readonly programs: readonly ProgramTerms[]
  readonly wishAt: Int32Array
  /** By preference: the slot (a limited group of a program, or everybody else there), NOT_RANKED or NOT_OFFERED. */
  readonly slots: Int32Array
  /** By preference: the rank at the program, 0 is the best; no two applicants have the same at one program. */
  readonly ranks: Int32Array
}

/** The program does not rank the applicant. */
export const NOT_RANKED = -1
/** The program is not offered. */
export const NOT_OFFERED = -2

/**
 * The slots of programs, numbered through: of each program one for every group with limits, in their order, then one for
 * everybody else. `slotAt[p]` is the first of program `p`.
 */
export function slotAtOf(programs: readonly ProgramTerms[]): Int32Array {
  const slotAt = new Int32Array(programs.length + 1)
  for (const [p, { limits }] of programs.entries()) slotAt[p + 1] = slotAt[p]! + limits.length + 1
  return slotAt
}

/** An applicant who belongs to two groups that have limits in one program: whose limit counts is not defined. */
export interface Overlap {
  readonly applicant: number
  readonly program: number
  readonly groups: readonly [number, number]
}

/** Overlaps that are told one by one; the others are counted. */
const MOST_OVERLAPS = 50

/**
 * Applicants are looked at in blocks of 2^BLOCK. A ranking names them from everywhere: their rows, fetched one after the other
 * in that order, would each come from memory. Those of one block stay in the cache of a processor.
 */
const BLOCK = 12

/**
 * Gives each preference its slot and rank. Overlapping limits matter only where the applicant wishes for the program and is
 * ranked there; every such case is counted, the first fifty are told.
 */
export function rankWishes(input: DistributionInput): {
  readonly ranked: RankedWishes
  readonly overlaps: readonly Overlap[]
  readonly overlapCount: number
} {
  const { programs, wishAt, wishes, groupAt, groups, rankAt, ranking } = input
  const slotAt = slotAtOf(programs)
  const slots = new Int32Array(wishes.length)
  const ranks = new Int32Array(wishes.length)
  /** By group: its slot in the program at hand, or -1. */
  const slotOfGroup = new Int32Array(input.groupCount).fill(-1)
  const overlaps: Overlap[] = []
  let overlapCount = 0

  const { at, rows, inside } = inBlocks(ranking, input.applicants)
  const size = 1 << BLOCK
  /** By applicant of the block: the last place in the rankings of the programs so far; it is one of the program at hand, or earlier. */
  const placeOf = new Int32Array(size)
  /** Preferences of the block by program, and whose they are. */
  const wantedAt = new Int32Array(programs.length + 1)
  let wanted = new Int32Array(0)
  let owners = new Int32Array(0)
  for (let block = 0; block + 1 < at.length; block++) {
    const begin = block * size
    const end = Math.min(begin + size, input.applicants)
    const [low, high] = [wishAt[begin]!, wishAt[end]!]
    if (wanted.length < high - low) {
      wanted = new Int32Array(high - low)
      owners = new Int32Array(high - low)
    }
    wantedAt.fill(0)
    for (let i = low; i < high; i++) {
      slots[i] = wishes[i]! < 0 ? NOT_OFFERED : NOT_RANKED
      if (wishes[i]! >= 0) wantedAt[wishes[i]!]!++
    }
    for (let p = 0, sum = 0; p <= programs.length; p++) wantedAt[p] = sum += wantedAt[p]!
    for (let a = end - 1; a >= begin; a--)
      for (let i = wishAt[a + 1]! - 1; i >= wishAt[a]!; i--) {
        if (wishes[i]! < 0) continue
        const place = --wantedAt[wishes[i]!]!
        wanted[place] = i
        owners[place] = a
      }
    placeOf.fill(-1)
    let n = at[block]!
    for (let p = 0; p < programs.length; p++) {
      const first = rankAt[p]!
      for (const to = rankAt[p + 1]!; n < at[block + 1]! && rows[n]! < to; n++) placeOf[inside[n]!] = rows[n]!
      if (wantedAt[p] === wantedAt[p + 1]) continue
      const { limits } = programs[p]!
      for (let k = 0; k < limits.length; k++) slotOfGroup[limits[k]!.group] = slotAt[p]! + k
      for (let w = wantedAt[p]!; w < wantedAt[p + 1]!; w++) {
        const a = owners[w]!
        const rank = placeOf[a - begin]! - first
        if (rank < 0) continue
        // Who wishes for a program twice is told once.
        const again = w > wantedAt[p]! && owners[w - 1] === a
        slots[wanted[w]!] = slotFor(a, p, !again)
        ranks[wanted[w]!] = rank
      }
      for (let k = 0; k < limits.length; k++) slotOfGroup[limits[k]!.group] = -1
    }
  }
  return { ranked: { programs, wishAt, slots, ranks }, overlaps, overlapCount }

  /** Where an applicant competes in the program at hand. */
  function slotFor(a: number, p: number, tell: boolean): number {
    const open = slotAt[p + 1]! - 1
    if (open === slotAt[p]) return open
    let slot = open
    for (let g = groupAt[a]!; g < groupAt[a + 1]!; g++) {
      const own = slotOfGroup[groups[g]!]!
      if (own < 0 || own === slot) continue
      if (slot !== open) {
        const first = programs[p]!.limits[slot - slotAt[p]!]!.group
        if (tell && overlapCount++ < MOST_OVERLAPS)
          overlaps.push({ applicant: a, program: p, groups: [first, groups[g]!] })
        break
      }
      slot = own
    }
    return slot
  }
}

/** Places of a ranking by blocks of applicants, within each in their order, and who it is inside the block; strangers are left out. */
function inBlocks(ranking: Int32Array, applicants: number): { at: Int32Array; rows: Int32Array; inside: Uint16Array } {
  const at = new Int32Array((applicants >> BLOCK) + 2)
  for (let j = 0; j < ranking.length; j++) if (ranking[j]! >= 0) at[(ranking[j]! >> BLOCK) + 1]!++
  for (let block = 0; block + 1 < at.length; block++) at[block + 1]! += at[block]!
  const rows = new Int32Array(at[at.length - 1]!)
  const inside = new Uint16Array(rows.length)
  const free = at.slice()
  for (let j = 0; j < ranking.length; j++) {
    const a = ranking[j]!
    if (a < 0) continue
    const place = free[a >> BLOCK]!++
    rows[place] = j
    inside[place] = a & ((1 << BLOCK) - 1)
  }
  return { at, rows, inside }
}

/** Whole numbers of which nobody knows in advance how many come. */
export class GrowingInts {
  private values: Int32Array
  length = 0
  constructor(expected = 1024) {
    this.values = new Int32Array(Math.max(16, expected))
  }
  push(value: number): void {
    if (this.length === this.values.length) {
      const wider = new Int32Array(this.values.length * 2)
      wider.set(this.values)
      this.values = wider
    }
    this.values[this.length++] = value
  }
  at(i: number): number {
    return this.values[i]!
  }
  /** What has come, without copying it; not to be pushed to afterwards. */
  done(): Int32Array {
    return this.values.subarray(0, this.length)
  }
}
