/** Draws a roster of duties: everybody rests, nobody is on duty who is not there, and the burden is even. Pure functions. */
import { addDays } from '#kit/contract/day.ts'

/** A duty that wants so many interns. */
export interface DutyNeed {
  /** Its kind and day. */
  readonly key: string
  readonly day: string
  /** Minutes since the university's midnight of 1 January 2000. */
  readonly from: number
  readonly to: number
  readonly night: boolean
  readonly weekend: boolean
  readonly interns: number
}
export interface DutyPerson {
  readonly id: number
  /** Days on which the person may be on duty: the rotation is there, and no leave. */
  readonly days: ReadonlySet<string>
  /** Days on which the person would rather be free. */
  readonly wishes: ReadonlySet<string>
  /** Duties elsewhere or before, in minutes: they are rested from as well. */
  readonly other: readonly { readonly from: number; readonly to: number }[]
  /** What the person had before: nights, weekends and duties in all. */
  readonly had: { readonly nights: number; readonly weekends: number; readonly all: number }
}
/** Minutes that lie between two duties of one person. */
const REST_MINUTES = 11 * 60

interface DrawnDuty {
  readonly key: string
  readonly person: number
}
/** A duty that cannot be filled, and why: how many are there at all, and what keeps the others. */
interface Unfilled {
  readonly key: string
  readonly missing: number
  /** Those who are there on its days; those of them who rest from, or before, other duties. */
  readonly there: number
  readonly resting: number
}
interface DrawnRoster {
  readonly drawn: readonly DrawnDuty[]
  readonly unfilled: readonly Unfilled[]
  readonly cost: number
}

/** Numbers that look random, and are the same again. */
function numbers(seed: number): () => number {
  let state = seed >>> 0 || 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

const nextDay = (day: string): string => addDays(day, 1)
/** Days that a duty touches: of a night that ends in the morning, both. */
const daysOf = (need: DutyNeed): string[] =>
  Math.floor((need.to - 1) / 1440) > Math.floor(need.from / 1440) ? [need.day, nextDay(need.day)] : [need.day]

interface State {
  readonly needs: readonly DutyNeed[]
  readonly people: readonly DutyPerson[]
  /** By need, by person: whether the person is there, and rests from other duties. */
  readonly may: readonly (readonly boolean[])[]
  /** By need: needs between which and it there is no rest. */
  readonly near: readonly (readonly number[])[]
  /** By need: who has it. */
  readonly has: Set<number>[]
  /** By person: which needs. */
  readonly of: Set<number>[]
}

function begin(needs: readonly DutyNeed[], people: readonly DutyPerson[]): State {
  const near = needs.map((a, i) =>
    needs.flatMap((b, j) => (i !== j && a.from < b.to + REST_MINUTES && b.from < a.to + REST_MINUTES ? [j] : [])),
  )
  const may = needs.map((need) =>
    people.map(
      (person) =>
        daysOf(need).every((day, i) => person.days.has(day) || i > 0) &&
        person.other.every(({ from, to }) => need.from >= to + REST_MINUTES || from >= need.to + REST_MINUTES),
    ),
  )
  return { needs, people, may, near, has: needs.map(() => new Set()), of: people.map(() => new Set()) }
}
const fits = (s: State, need: number, person: number): boolean =>
  s.may[need]![person]! && !s.of[person]!.has(need) && s.near[need]!.every((other) => !s.of[person]!.has(other))
const give = (s: State, need: number, person: number) => {
  s.has[need]!.add(person)
  s.of[person]!.add(need)
}
const take = (s: State, need: number, person: number) => {
  s.has[need]!.delete(person)
  s.of[person]!.delete(need)
}

/** What a person bears: nights and weekends weigh more, and the more somebody has of them, the more the next one costs. */
function costOf(s: State, person: number): number {
  const { had, wishes } = s.people[person]!
  let [nights, weekends, all, unwished] = [had.nights, had.weekends, had.all, 0]
  for (const i of s.of[person]!) {
    const need = s.needs[i]!
    all++
    if (need.night) nights++
    if (need.weekend) weekends++
    if (wishes.has(need.day)) unwished++
  }
  return 4 * nights * nights + 4 * weekends * weekends + 2 * all * all + 3 * unwished
}

/** Somebody who has the duty's neighbours gives one up to somebody else, so that it is filled. */
function eject(s: State, need: number): boolean {
  for (let person = 0; person < s.people.length; person++) {
    if (!s.may[need]![person] || s.of[person]!.has(need)) continue
    const inWay = s.near[need]!.filter((other) => s.of[person]!.has(other))
    if (inWay.length !== 1) continue
    const [other = 0] = inWay
    const instead = s.people.findIndex((_, q) => q !== person && fits(s, other, q))
    if (instead < 0) continue
    take(s, other, person)
    give(s, other, instead)
    give(s, need, person)
    return true
  }
  return false
}
function fill(s: State, random: () => number): void {
  const order = s.needs
    .map((need, i) => ({ i, slack: s.may[i]!.filter(Boolean).length - need.interns + random() }))
    .sort((a, b) => a.slack - b.slack)
  for (const { i } of order) {
    const need = s.needs[i]!
    while (s.has[i]!.size < need.interns) {
      let best = -1
      let least = Infinity
      for (let person = 0; person < s.people.length; person++) {
        if (!fits(s, i, person)) continue
        const before = costOf(s, person)
        s.of[person]!.add(i)
        const more = costOf(s, person) - before + random() * 0.5
        s.of[person]!.delete(i)
        if (more < least) [least, best] = [more, person]
      }
      if (best >= 0) give(s, i, best)
      else if (!eject(s, i)) break
    }
  }
}
/** One gives a duty to another, or two change theirs, while that makes it more even. */
function better(s: State, random: () => number, tries: number): void {
  for (let n = 0; n < tries; n++) {
    const i = Math.floor(random() * s.needs.length)
    const holders = [...s.has[i]!]
    const a = holders[Math.floor(random() * holders.length)]
    const b = Math.floor(random() * s.people.length)
    if (a === undefined || a === b || s.of[b]!.has(i)) continue
    const before = costOf(s, a) + costOf(s, b)
    take(s, i, a)
    if (fits(s, i, b)) {
      give(s, i, b)
      if (costOf(s, a) + costOf(s, b) < before) continue
      take(s, i, b)
    }
    // Another duty comes back for it.
    const others = [...s.of[b]!]
    const j = others[Math.floor(random() * others.length)]
    if (j !== undefined && !s.has[j]!.has(a)) {
      take(s, j, b)
      if (fits(s, i, b) && fits(s, j, a)) {
        give(s, i, b)
        give(s, j, a)
        if (costOf(s, a) + costOf(s, b) < before) continue
        take(s, i, b)
        take(s, j, a)
      }
      give(s, j, b)
    }
    give(s, i, a)
  }
}
const missingOf = (s: State): number =>
  s.needs.reduce((sum, need, i) => sum + Math.max(0, need.interns - s.has[i]!.size), 0)

/**
 * Draws a roster. The same is drawn again from the same seed. Duties that cannot be filled stay open, with the reason.
 *
 * @param rounds how often it is begun anew; the best is taken
 */
export function drawRoster(
  needs: readonly DutyNeed[],
  people: readonly DutyPerson[],
  seed = 1,
  rounds = 6,
): DrawnRoster {
  const random = numbers(seed)
  let best: { s: State; missing: number; cost: number } | null = null
  for (let round = 0; round < rounds; round++) {
    const s = begin(needs, people)
    fill(s, random)
    better(s, random, Math.min(60_000, 40 * needs.length * Math.max(1, people.length)))
    for (let i = 0; i < needs.length; i++) while (s.has[i]!.size < needs[i]!.interns && eject(s, i));
    const missing = missingOf(s)
    const cost = people.reduce((sum, _, person) => sum + costOf(s, person), 0)
    if (!best || missing < best.missing || (missing === best.missing && cost < best.cost)) best = { s, missing, cost }
  }
  const { s, cost } = best ?? { s: begin(needs, people), cost: 0 }
  return {
    cost,
    drawn: needs.flatMap(({ key }, i) => [...s.has[i]!].map((person) => ({ key, person: people[person]!.id }))),
    unfilled: needs.flatMap(({ key, interns }, i) => {
      const missing = interns - s.has[i]!.size
      if (missing <= 0) return []
      const there = people.filter(({ days }) => days.has(needs[i]!.day)).length
      return [{ key, missing, there, resting: Math.max(0, there - s.has[i]!.size) }]
    }),
  }
}
