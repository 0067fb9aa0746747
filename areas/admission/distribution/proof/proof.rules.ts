/**
 * The proof of a distribution: looks at an assignment, wherever it comes from, and says whether it is right. It shares no
 * code with the solver and does not distribute anything itself.
 *
 * - Each program chooses once, by the words of the rule, from those it was given and the best of each group who would rather be
 *   there. It must keep exactly those it was given.
 * - Best for applicants: for each group of a program it is asked who would come if one of the group left. A circle of people who
 *   would each take the next one's seat would be better for all of them and stable; without a circle there is no better
 *   stable assignment. `README.md` of the area has the argument.
 */
import type { DistributionInput, ProgramTerms } from '../input.rules.ts'

/** What is wrong with an assignment. `applicant` and `program` are numbers of the input; -1 where none is meant. */
export interface DistributionFinding {
  readonly kind:
    | 'not_wished'
    | 'not_ranked'
    | 'over_capacity'
    | 'over_maximum'
    | 'not_chosen'
    | 'blocking'
    | 'overlap'
    | 'circle'
  readonly applicant: number
  readonly program: number
  /** The group of `over_maximum`, and of an `overlap` the first of two. */
  readonly group?: number
  /** How many there are, and may be. */
  readonly there?: number
  readonly allowed?: number
  /** Of a circle: applicants, each of whom would rather have the seat of the next; the last, that of the first. */
  readonly circle?: readonly number[]
}

/** What was looked at, and what was found. */
export interface DistributionProof {
  readonly applicants: number
  readonly programs: number
  readonly assigned: number
  readonly seats: number
  readonly firstPreferences: number
  readonly maximums: number
  readonly reservedSeats: number
  readonly reservedFilled: number
  /** Pairs of an applicant and a program that the applicant would rather have had, and that ranks him or her. */
  readonly pairs: number
  readonly blockingPairs: number
  /** Groups of programs of which it was asked who would come if one left. */
  readonly replacements: number
  /** Not looked at where something else is wrong: what is not stable is not the best stable one. */
  readonly bestForApplicants: 'yes' | 'no' | 'not looked at'
  readonly findings: readonly DistributionFinding[]
  readonly count: number
}

const MOST_FINDINGS = 100
const NO_GROUP = -1

/** Somebody as one program sees him or her. `at`: rank, `limit`: which of its limits counts, or NO_GROUP. */
interface Contender {
  readonly who: number
  readonly at: number
  readonly limit: number
}

/**
 * Whom a program takes from these, which stand in the order of its ranking: by the words of the rule. For each limited group
 * the best up to `reserved`, then by ranking whoever still fits the capacity and the maximum of the group.
 */
function chosenFrom({ capacity, limits }: ProgramTerms, from: readonly Contender[]): ReadonlySet<number> {
  const taken = new Set<number>()
  const ofLimit = limits.map(() => 0)
  const take = ({ who, limit }: Contender): void => {
    taken.add(who)
    if (limit !== NO_GROUP) ofLimit[limit]!++
  }
  const fits = ({ limit }: Contender): boolean =>
    taken.size < capacity && (limit === NO_GROUP || ofLimit[limit]! < (limits[limit]!.maximum ?? Infinity))
  for (const [limit, { reserved }] of limits.entries())
    if (reserved > 0)
      for (const one of from) if (one.limit === limit && ofLimit[limit]! < reserved && fits(one)) take(one)
  for (const one of from) if (!taken.has(one.who) && fits(one)) take(one)
  return taken
}

const byRank = (a: Contender, b: Contender): number => a.at - b.at

/** Applicants by program: those of `p` are `who[at[p]]` to `who[at[p + 1]]`. */
interface ByProgram {
  readonly at: Int32Array
  readonly who: Int32Array
}
/** Makes room for so many of each program, and answers who puts an applicant there. */
function byProgram(counts: Int32Array): ByProgram & { put(p: number, a: number): void } {
  const at = new Int32Array(counts.length + 1)
  for (let p = 0; p < counts.length; p++) at[p + 1] = at[p]! + counts[p]!
  const who = new Int32Array(at[counts.length]!)
  const free = at.slice(0, counts.length)
  return { at, who, put: (p, a) => void (who[free[p]!++] = a) }
}

/**
 * Looks at an assignment. `assigned`: the program of each applicant, -1 for none.
 */
export function proveDistribution(input: DistributionInput, assigned: Int32Array): DistributionProof {
  const { applicants, programs, groupAt, groups, wishAt, wishes, rankAt, ranking } = input
  const findings: DistributionFinding[] = []
  let count = 0
  const found = (finding: DistributionFinding): void => {
    if (count++ < MOST_FINDINGS) findings.push(finding)
  }

  // What each applicant would rather have had: the preferences before the one given, `until` which they go.
  let firstPreferences = 0
  let assignedCount = 0
  const until = new Int32Array(applicants)
  const heldBy = new Int32Array(programs.length)
  const wantedBy = new Int32Array(programs.length)
  for (let a = 0; a < applicants; a++) {
    const mine = assigned[a]!
    let i = wishAt[a]!
    for (; i < wishAt[a + 1]! && (mine < 0 || wishes[i] !== mine); i++) if (wishes[i]! >= 0) wantedBy[wishes[i]!]!++
    until[a] = i
    if (mine < 0) continue
    assignedCount++
    heldBy[mine]!++
    if (i === wishAt[a + 1]) found({ kind: 'not_wished', applicant: a, program: mine })
    else if (i === wishAt[a]) firstPreferences++
  }
  const wanting = byProgram(wantedBy)
  const holding = byProgram(heldBy)
  for (let a = 0; a < applicants; a++) {
    if (assigned[a]! >= 0) holding.put(assigned[a]!, a)
    for (let i = wishAt[a]!; i < until[a]!; i++) if (wishes[i]! >= 0) wanting.put(wishes[i]!, a)
  }

  /** The limit of its program that counts for an assigned applicant. */
  const limitAtOwn = new Int32Array(applicants).fill(NO_GROUP)
  const nodeAt = new Int32Array(programs.length + 1)
  for (const [p, { limits }] of programs.entries()) nodeAt[p + 1] = nodeAt[p]! + limits.length + 1
  /** By program and limit (the last stands for everybody else): who would come if one of them left; -1: nobody. */
  const follower = new Int32Array(nodeAt[programs.length]!).fill(-1)

  /** By applicant: the last place in the rankings of the programs looked at so far. It is one of the program at hand, or earlier. */
  const placeOf = new Int32Array(applicants).fill(-1)
  const limitOf = new Int32Array(input.groupCount).fill(NO_GROUP)
  let [seats, maximums, reservedSeats, reservedFilled, pairs, blockingPairs, replacements] = [0, 0, 0, 0, 0, 0, 0]
  for (const [p, terms] of programs.entries()) {
    const { capacity, limits } = terms
    seats += capacity
    for (const [limit, { group, maximum, reserved }] of limits.entries()) {
      limitOf[group] = limit
      if (maximum !== null) maximums++
      reservedSeats += reserved
    }
    for (let j = rankAt[p]!; j < rankAt[p + 1]!; j++) if (ranking[j]! >= 0) placeOf[ranking[j]!] = j
    const first = rankAt[p]!
    const rankOf = (a: number): number => placeOf[a]! - first

    /** The one limit that counts for an applicant here; the last of them where two do, which is told once. */
    const limitFor = (a: number): number => {
      let limit = NO_GROUP
      for (let g = groupAt[a]!; g < groupAt[a + 1]!; g++) {
        const one = limitOf[groups[g]!]!
        if (one === NO_GROUP || one === limit) continue
        if (limit !== NO_GROUP) {
          found({ kind: 'overlap', applicant: a, program: p, group: limits[limit]!.group })
          return limit
        }
        limit = one
      }
      return limit
    }

    const held: Contender[] = []
    for (let h = holding.at[p]!; h < holding.at[p + 1]!; h++) {
      const who = holding.who[h]!
      if (rankOf(who) < 0) {
        found({ kind: 'not_ranked', applicant: who, program: p })
        continue
      }
      limitAtOwn[who] = limitFor(who)
      held.push({ who, at: rankOf(who), limit: limitAtOwn[who] })
    }
    held.sort(byRank)
    const there = holding.at[p + 1]! - holding.at[p]!
    if (there > capacity) found({ kind: 'over_capacity', applicant: -1, program: p, there, allowed: capacity })
    for (const [limit, { group, maximum, reserved }] of limits.entries()) {
      const there = held.filter((one) => one.limit === limit).length
      reservedFilled += Math.min(there, reserved)
      if (maximum !== null && there > maximum)
        found({ kind: 'over_maximum', applicant: -1, program: p, group, there, allowed: maximum })
    }

    // Who would rather be here: the best of each group, and how many in all.
    const best: (Contender | undefined)[] = Array.from({ length: limits.length + 1 })
    const place = (limit: number): number => (limit === NO_GROUP ? limits.length : limit)
    const others: Contender[] = []
    for (let w = wanting.at[p]!; w < wanting.at[p + 1]!; w++) {
      const who = wanting.who[w]!
      const at = rankOf(who)
      if (at < 0) continue
      pairs++
      const limit = limits.length === 0 ? NO_GROUP : limitFor(who)
      const there = best[place(limit)]
      if (!there || at < there.at) best[place(limit)] = { who, at, limit }
    }
    for (const one of best) if (one) others.push(one)

    const kept = chosenFrom(terms, held)
    for (const { who } of held) if (!kept.has(who)) found({ kind: 'not_chosen', applicant: who, program: p })
    for (const one of others) {
      if (!chosenFrom(terms, [...held, one].sort(byRank)).has(one.who)) continue
      // Everybody of the group up to some rank blocks: where it ends is found by halves.
      const end = admittedBelow(terms, held, one.limit, rankAt[p + 1]! - rankAt[p]!)
      for (let w = wanting.at[p]!; w < wanting.at[p + 1]!; w++) {
        const who = wanting.who[w]!
        const at = rankOf(who)
        if (at < 0 || at >= end || (limits.length > 0 && limitFor(who) !== one.limit)) continue
        blockingPairs++
        found({ kind: 'blocking', applicant: who, program: p })
      }
    }

    // Who would come if one left: it is the same whoever of the group leaves.
    for (const limit of [...limits.keys(), NO_GROUP]) {
      const leaver = held.findLast((one) => one.limit === limit)
      if (!leaver || others.length === 0) continue
      replacements++
      const now = chosenFrom(terms, [...held.filter((one) => one !== leaver), ...others].sort(byRank))
      for (const { who } of others) if (now.has(who)) follower[nodeAt[p]! + place(limit)] = who
    }

    for (const { group } of limits) limitOf[group] = NO_GROUP
  }

  const stable = count === 0
  const circle = stable ? findCircle() : null
  if (circle) found({ kind: 'circle', applicant: circle[0]!, program: -1, circle })
  return {
    applicants,
    programs: programs.length,
    assigned: assignedCount,
    seats,
    firstPreferences,
    maximums,
    reservedSeats,
    reservedFilled,
    pairs,
    blockingPairs,
    replacements,
    bestForApplicants: !stable ? 'not looked at' : circle ? 'no' : 'yes',
    findings,
    count,
  }

  /** People who would each rather have the seat of the next and would get it; null where there are no such people. */
  function findCircle(): number[] | null {
    const nodeOf = (who: number): number => {
      const p = assigned[who]!
      return nodeAt[p]! + (limitAtOwn[who] === NO_GROUP ? programs[p]!.limits.length : limitAtOwn[who]!)
    }
    /** In which walk a node was met. */
    const walked = new Int32Array(follower.length)
    for (let start = 0; start < follower.length; start++) {
      let node = start
      while (walked[node] === 0) {
        walked[node] = start + 1
        const who = follower[node]!
        // Whoever has no seat leaves none, and the walk ends.
        if (who < 0 || assigned[who]! < 0) break
        const onward = nodeOf(who)
        if (walked[onward] === start + 1) {
          const circle: number[] = []
          for (let at = onward; ;) {
            const one = follower[at]!
            circle.push(one)
            at = nodeOf(one)
            if (at === onward) return circle.toReversed()
          }
        }
        node = onward
      }
    }
    return null
  }
}

/** Up to which rank, not counting it, one more of a group would be chosen beside those there: with everything above it, so that halving finds it. */
function admittedBelow(terms: ProgramTerms, held: readonly Contender[], limit: number, end: number): number {
  let [low, high] = [0, end]
  while (low < high) {
    const middle = (low + high) >> 1
    // Before whoever has that rank: another one cannot have it.
    const one: Contender = { who: -1, at: middle - 0.5, limit }
    if (chosenFrom(terms, [...held, one].sort(byRank)).has(-1)) low = middle + 1
    else high = middle
  }
  return low
}
