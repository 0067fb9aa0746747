/**
 * The stable assignment that is best for every applicant: applicant-proposing deferred acceptance (Gale and Shapley 1962),
 * one proposal at a time (McVitie and Wilson 1971).
 *
 * A program chooses among those who proposed: of each group with reserved seats the best, up to so many; then by rank whoever
 * still fits its capacity and the maximum of the group. This rule never wants somebody back whom it refused, and never takes
 * fewer when more propose, so the order of proposals does not matter and the result is the best stable one for everybody.
 *
 * A choice is not worked out anew for each proposal. Of each group a program always holds its best, so only the worst of
 * each group can leave: one heap per group and one for everybody else, with the worst on top, say who it is.
 */
import { slotAtOf, type RankedWishes } from './input.rules.ts'

/** The place of what an applicant was given in `slots`, counted through all preferences; -1: nothing. */
export interface StableAssignment {
  readonly given: Int32Array
  /** How many proposals were looked at. */
  readonly proposals: number
}

/** @throws nothing: ranks and slots are those of {@link RankedWishes} */
export function assignStably({ programs, wishAt, slots, ranks }: RankedWishes): StableAssignment {
  const applicants = wishAt.length - 1
  const slotAt = slotAtOf(programs)
  const slotCount = slotAt[programs.length]!
  const capacity = Int32Array.from(programs, (program) => program.capacity)
  const filled = new Int32Array(programs.length)
  const programOf = new Int32Array(slotCount)
  /** Members of the slot that may be there at most, and those whom reserved seats protect. */
  const most = new Int32Array(slotCount)
  const reserved = new Int32Array(slotCount)
  for (const [p, { limits }] of programs.entries()) {
    for (let s = slotAt[p]!; s < slotAt[p + 1]!; s++) {
      const limit = limits[s - slotAt[p]!]
      programOf[s] = p
      most[s] = Math.min(capacity[p]!, limit?.maximum ?? capacity[p]!)
      reserved[s] = limit?.reserved ?? 0
    }
  }
  // A heap needs no more room than there are seats, or people who want them.
  const wanted = new Int32Array(slotCount)
  for (let i = 0; i < slots.length; i++) if (slots[i]! >= 0) wanted[slots[i]!]!++
  const heapAt = new Int32Array(slotCount + 1)
  for (let s = 0; s < slotCount; s++) heapAt[s + 1] = heapAt[s]! + Math.min(most[s]!, wanted[s]!)
  const heapRank = new Int32Array(heapAt[slotCount]!)
  const heapWho = new Int32Array(heapAt[slotCount]!)
  const count = new Int32Array(slotCount)
  /** The best rank that was refused: everybody from there on is refused as well. */
  const refusedFrom = new Int32Array(slotCount)
  for (let s = 0; s < slotCount; s++) refusedFrom[s] = most[s] === 0 ? 0 : 0x7fffffff

  /** Puts somebody into the heap of a slot, from its place `i` upwards. */
  function rise(s: number, i: number, rank: number, who: number): void {
    const base = heapAt[s]!
    while (i > 0) {
      const up = (i - 1) >> 1
      const there = heapRank[base + up]!
      if (there >= rank) break
      heapRank[base + i] = there
      heapWho[base + i] = heapWho[base + up]!
      i = up
    }
    heapRank[base + i] = rank
    heapWho[base + i] = who
  }
  /** Puts somebody in the place of the worst of a slot that has `size` members. */
  function sink(s: number, size: number, rank: number, who: number): void {
    const base = heapAt[s]!
    let i = 0
    for (;;) {
      let down = 2 * i + 1
      if (down >= size) break
      if (down + 1 < size && heapRank[base + down + 1]! > heapRank[base + down]!) down++
      const there = heapRank[base + down]!
      if (there <= rank) break
      heapRank[base + i] = there
      heapWho[base + i] = heapWho[base + down]!
      i = down
    }
    heapRank[base + i] = rank
    heapWho[base + i] = who
  }
  /** Of a full program that one more would join in slot `s`: the slot whose worst member is the worst whom no reserved seat protects. */
  function leaving(p: number, s: number, rank: number): number {
    let left = capacity[p]!
    let worst = -1
    let found = s
    for (let t = slotAt[p]!; t < slotAt[p + 1]!; t++) {
      const members = t === s ? count[t]! + 1 : count[t]!
      const kept = Math.min(reserved[t]!, members, left)
      left -= kept
      if (members === kept) continue
      let last = count[t]! > 0 ? heapRank[heapAt[t]!]! : -1
      if (t === s && rank > last) last = rank
      if (last > worst) {
        worst = last
        found = t
      }
    }
    return found
  }

  const given = new Int32Array(applicants).fill(-1)
  const next = wishAt.slice(0, applicants)
  let proposals = 0
  for (let first = 0; first < applicants; first++) {
    // Whoever is sent away goes on at once.
    for (let a = first; a >= 0;) {
      const end = wishAt[a + 1]!
      let sentAway = -1
      let i = next[a]!
      for (; i < end; i++) {
        const s = slots[i]!
        if (s < 0) continue
        proposals++
        const rank = ranks[i]!
        if (rank >= refusedFrom[s]!) continue
        const p = programOf[s]!
        const members = count[s]!
        let t = s
        if (members < most[s]!) {
          if (filled[p]! < capacity[p]!) {
            filled[p]!++
            count[s] = members + 1
            rise(s, members, rank, a)
            break
          }
          t = leaving(p, s, rank)
        }
        if (t === s) {
          const top = heapAt[s]!
          const last = members > 0 ? heapRank[top]! : -1
          if (rank > last) {
            refusedFrom[s] = rank
            continue
          }
          sentAway = heapWho[top]!
          refusedFrom[s] = last
          sink(s, members, rank, a)
          break
        }
        const top = heapAt[t]!
        const size = count[t]! - 1
        sentAway = heapWho[top]!
        refusedFrom[t] = heapRank[top]!
        count[t] = size
        if (size > 0) sink(t, size, heapRank[top + size]!, heapWho[top + size]!)
        count[s] = members + 1
        rise(s, members, rank, a)
        break
      }
      given[a] = i < end ? i : -1
      next[a] = i + 1
      a = sentAway
    }
  }
  return { given, proposals }
}
