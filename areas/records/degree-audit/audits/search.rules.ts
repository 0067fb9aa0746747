/**
 * The ways in which courses can be put into the requirements that compete for them, followed side by side. Ways that leave
 * every requirement in reach of a later course the same are one: the better is kept. Ways that cannot come to more than
 * what is known are given up.
 */
import { leastMissing, type Supply } from './bound.rules.ts'
import { Contest, type ContestedCourse, type Setting } from './contest.rules.ts'
import { TreeFigures, commonStepOf } from './figures.rules.ts'
import { Layer } from './layer.rules.ts'

/**
 * What an assignment comes to; the first figure that differs decides, and less is better: what is missing now, and once
 * what is being taken is passed; courses not in their own places; what counts and how many requirements are met, both ways.
 */
type Value = ArrayLike<number>
const [NOW, THEN, EQUALS, COUNTED, MET, COUNTED_THEN, MET_THEN] = [0, 1, 2, 3, 4, 5, 6] as const

/** Whether one comes to more, in the first figures. */
export function better(one: Value, other: Value, figures = one.length, from = 0, otherFrom = 0): boolean {
  for (let i = 0; i < figures; i++) {
    const difference = one[from + i]! - other[otherFrom + i]!
    if (difference !== 0) return difference < 0
  }
  return false
}

interface Outcome {
  /** By index of the course: which of its places; -1: none. */
  chosen: Map<number, number>
  /** The first two figures: what is missing now and then. */
  value: Value
  /** No way was given up that could have come to more. */
  whole: boolean
}

type Which = 'passed' | 'all'

/** Courses that compete, and the search for the best way to put them. */
export class AuditSearch {
  private readonly setting: Setting
  private readonly contest: Contest
  /** By part. Passed courses and those being taken start from different amounts of leaves that no choice reaches. */
  private readonly figures: {
    readonly passed: readonly TreeFigures[]
    readonly all: readonly TreeFigures[]
  }
  /** More than that in a leaf tells no ways apart, and gives nothing more above it. */
  private readonly enough: readonly number[]
  private readonly caps: readonly number[]
  private bound: Value | null = null

  constructor(setting: Setting, group: readonly ContestedCourse[]) {
    const { tree, passed, all } = setting
    this.setting = setting
    const contest = (this.contest = new Contest(setting, group))
    const { leaves, parts, total } = contest
    this.caps = leaves.map((leaf) => tree.nodes[tree.leaves[leaf]!.node]!.cap)
    // No leaf can hold more than what it holds and all that could come.
    this.enough = leaves.map((leaf, i) =>
      Math.min(setting.enough[leaf]!, Math.max(passed[leaf]! + total.passed[i]!, all[leaf]! + total.all[i]!)),
    )
    const step = commonStepOf([
      ...contest.order.flatMap(({ weights }) => weights),
      ...leaves.flatMap((leaf) => [passed[leaf]!, all[leaf]!]),
      ...this.enough,
    ])
    const of = (covers: readonly number[]): TreeFigures[] =>
      parts.map(
        (part) =>
          new TreeFigures(
            setting,
            part,
            part.leaves,
            part.leaves.map((i) => leaves[i]!),
            this.enough,
            step,
            covers,
          ),
      )
    this.figures = { passed: of(passed), all: of(all) }
  }

  /** What is missing at least, now and then, and how many courses cannot stay in their own places. */
  get least(): Value {
    this.bound ??= [this.leastOf('passed'), this.leastOf('all'), this.contest.total.equals]
    return this.bound
  }

  private leastOf(which: Which): number {
    const { contest, setting } = this
    const { tree, progress, given, waived, leafAt } = setting
    const { leaves, parts, order, kinds, slot, total } = contest
    const covers = [...setting[which]]
    for (const [i, leaf] of leaves.entries()) covers[leaf]! += total[which][i]!
    for (const { first, end } of parts) progress.compute(first, end, covers, given, waived, leafAt)
    const supplies = new Map<string, Supply>()
    for (const [k, choice] of order.entries()) {
      if (which === 'passed' && !choice.passed) continue
      const known = supplies.get(kinds[k]!)
      const amount = Math.max(...choice.weights)
      if (!known) {
        const to = choice.places.map(({ leaf }, place) => ({
          leaf,
          amount: choice.weights[place]!,
          slot: slot[k]![place]!,
        }))
        supplies.set(kinds[k]!, { amount, to })
      } else {
        known.amount += amount
        // A contested place takes one course, whoever they are.
        for (const [place, one] of known.to.entries()) if (one.slot < 0) one.amount += choice.weights[place]!
      }
    }
    const tops = parts.map(({ first }) => first)
    return leastMissing(tree, tops, setting[which], [...supplies.values()], setting)
  }

  private layer(): Layer {
    return new Layer(this.contest.leaves.length, this.contest.lastWant.length)
  }

  /** The beginning: nothing is put. */
  private start(): Layer {
    const { contest, setting, caps } = this
    const { leaves, parts } = contest
    const layer = this.layer()
    for (const [i, leaf] of leaves.entries()) {
      layer.passed[i] = setting.passed[leaf]!
      layer.all[i] = setting.all[leaf]!
      layer.value[COUNTED]! -= Math.min(caps[i]!, layer.passed[i])
      layer.value[COUNTED_THEN]! -= Math.min(caps[i]!, layer.all[i])
    }
    for (const [p] of parts.entries()) {
      const now = this.figures.passed[p]!
      const at = now.at(layer.passed, 0, null)
      layer.value[NOW]! += now.miss[at]!
      layer.value[MET]! -= now.met[at]!
      const then = this.figures.all[p]!
      const later = then.at(layer.all, 0, null)
      layer.value[THEN]! += then.miss[later]!
      layer.value[MET_THEN]! -= then.met[later]!
    }
    layer.count = 1
    return layer
  }

  /**
   * Follows the ways.
   * @param width how many at once; of more the least promising are given up
   * @param known what another search came to: only what is better is looked for
   */
  run(width: number, known: Outcome | null): Outcome | null {
    const { order } = this.contest
    const back: { before: Int32Array; place: Int32Array }[] = []
    let ways = this.start()
    let next = this.layer()
    let whole = true
    for (let k = 0; k < order.length; k++) {
      this.step(ways, next, k, known)
      // What is missing now is settled with the last passed course.
      if (order[k]!.passed && !order[k + 1]?.passed) next.keepLeast(NOW)
      if (next.count > width) {
        whole = false
        next.keepBest(width, better)
      }
      back.push({ before: next.before.slice(0, next.count), place: next.place.slice(0, next.count) })
      ;[ways, next] = [next, ways]
    }
    let found = -1
    const size = Layer.FIGURES
    for (let w = 0; w < ways.count; w++)
      if (found < 0 || better(ways.value, ways.value, size, w * size, found * size)) found = w
    if (found < 0) return known && { ...known, whole }
    const value = ways.value.slice(found * size, (found + 1) * size)
    return { chosen: this.chosen(back, found), value, whole }
  }

  /** All ways with one more course put, and where it may have to leave its place to a later one, with it put nowhere. */
  private step(ways: Layer, next: Layer, k: number, known: Outcome | null): void {
    const { contest, caps, enough, figures } = this
    const { parts, partOf, rest, restOf, steady, lastWant } = contest
    const { passed, places, weights } = contest.order[k]!
    const at = contest.at[k]!
    const slots = contest.slot[k]!
    const leaves = caps.length
    const size = Layer.FIGURES
    const into = restOf[k]!
    const later = rest[k]!
    const least = known && this.least
    next.begin(contest.openAfter[k]!, enough, passed, (slot) => lastWant[slot]! > k)
    const value = new Float64Array(size)
    const each = () => new Float64Array(parts.length)
    /** Of a way before the course: what is missing and met in each part. */
    const was = { passed: each(), all: each(), met: each(), metThen: each() }
    /** The same if whatever is still to come counted in all of its places; `of`: of which way. */
    const bound = { of: -1, passed: 0, all: 0, parts: { passed: each(), all: each() } }
    const concerned = [...new Set(at.map((i) => partOf[i]!))]

    const boundOf = (w: number): void => {
      bound.of = w
      bound.passed = 0
      bound.all = 0
      for (let p = 0; p < parts.length; p++) {
        const now = figures.passed[p]!
        bound.passed += bound.parts.passed[p] = now.miss[now.at(ways.passed, w * leaves, into.passed)]!
        const then = figures.all[p]!
        bound.all += bound.parts.all[p] = then.miss[then.at(ways.all, w * leaves, into.all)]!
      }
    }
    /** Whether a way of this value cannot come to more than what is known. @param i the leaf that gets the course; -1: none */
    const hopeless = (w: number, i: number, weight: number): boolean => {
      if (!known) return false
      const equals = value[EQUALS]! + later.equals
      let now = least![NOW]!
      let then = least![THEN]!
      if (steady) {
        now = Math.max(now, value[NOW]! - later.passed)
        then = Math.max(then, value[THEN]! - later.all)
        if (!better([now, then, equals], known.value, 3)) return true
        if (later.all === 0) return false
      }
      if (bound.of !== w) boundOf(w)
      let [all, allThen] = [bound.passed, bound.all]
      if (i >= 0) {
        const p = partOf[i]!
        const from = w * leaves
        if (passed) {
          ways.passed[from + i]! += weight
          const one = figures.passed[p]!
          all += one.miss[one.at(ways.passed, from, into.passed)]! - bound.parts.passed[p]!
          ways.passed[from + i]! -= weight
        }
        ways.all[from + i]! += weight
        const one = figures.all[p]!
        allThen += one.miss[one.at(ways.all, from, into.all)]! - bound.parts.all[p]!
        ways.all[from + i]! -= weight
      }
      return !better([Math.max(now, all), Math.max(then, allThen), equals], known.value, 3)
    }

    for (let w = 0; w < ways.count; w++) {
      const from = w * leaves
      for (const p of concerned) {
        if (passed) {
          const index = figures.passed[p]!.at(ways.passed, from, null)
          was.passed[p] = figures.passed[p]!.miss[index]!
          was.met[p] = figures.passed[p]!.met[index]!
        }
        const index = figures.all[p]!.at(ways.all, from, null)
        was.all[p] = figures.all[p]!.miss[index]!
        was.metThen[p] = figures.all[p]!.met[index]!
      }
      let stays = true
      for (let place = 0; place < places.length; place++) {
        const slot = slots[place]!
        if (slot >= 0 && ways.isTaken(w, slot)) continue
        if (slot < 0 || lastWant[slot]! <= k) stays = false
        const i = at[place]!
        const p = partOf[i]!
        const weight = weights[place]!
        const cap = caps[i]!
        for (let f = 0; f < size; f++) value[f] = ways.value[w * size + f]!
        if (passed) {
          const had = ways.passed[from + i]!
          ways.passed[from + i] = had + weight
          const now = figures.passed[p]!
          const index = now.at(ways.passed, from, null)
          ways.passed[from + i] = had
          value[NOW]! += now.miss[index]! - was.passed[p]!
          value[MET]! += was.met[p]! - now.met[index]!
          value[COUNTED]! += Math.min(cap, had) - Math.min(cap, had + weight)
        }
        const had = ways.all[from + i]!
        ways.all[from + i] = had + weight
        const then = figures.all[p]!
        const index = then.at(ways.all, from, null)
        ways.all[from + i] = had
        value[THEN]! += then.miss[index]! - was.all[p]!
        value[MET_THEN]! += was.metThen[p]! - then.met[index]!
        value[COUNTED_THEN]! += Math.min(cap, had) - Math.min(cap, had + weight)
        if (places[place]!.equal) value[EQUALS]!++
        if (!hopeless(w, i, weight)) next.reach(ways, { way: w, place, slot, leaf: i, weight, passed }, value, better)
      }
      if (!stays) continue
      for (let f = 0; f < size; f++) value[f] = ways.value[w * size + f]!
      if (!hopeless(w, -1, 0))
        next.reach(ways, { way: w, place: -1, slot: -1, leaf: -1, weight: 0, passed }, value, better)
    }
  }

  /** Which course goes where: courses that are alike in the order of the places. */
  private chosen(back: readonly { before: Int32Array; place: Int32Array }[], found: number): Map<number, number> {
    const { order, kinds } = this.contest
    const places: number[] = []
    let at = found
    for (let k = order.length - 1; k >= 0; k--) {
      places[k] = back[k]!.place[at]!
      at = back[k]!.before[at]!
    }
    const chosen = new Map<number, number>()
    for (let k = 0; k < order.length;) {
      let end = k + 1
      while (end < order.length && kinds[end] === kinds[k]) end++
      const sorted = places.slice(k, end).toSorted((a, b) => (a < 0 ? 1 : b < 0 ? -1 : a - b))
      for (const [i, place] of sorted.entries()) chosen.set(order[k + i]!.course, place)
      k = end
    }
    return chosen
  }
}
