/** The best year of one trainee under prices: all orders of his or her blocks are looked at, by the blocks that are done. */
import { LOST, NOT_WISHED, NOWHERE, type RotationModel, type Trainee } from './instance.rules.ts'

const NEVER = 1e15

/** What a year costs beside the wishes and the prices of cells. */
export interface RowTerms {
  /** Years of others: being elsewhere while both work costs `apart` a period. */
  readonly mates?: readonly Int32Array[]
  readonly apart?: number
  /** The year as it was: each period that changes costs `change`, but for those that are `LOST`. */
  readonly before?: { readonly row: Int32Array; readonly change: number }
}
/** An elective that may not be in a department. */
interface Ban {
  readonly block: number
  readonly department: number
}

/**
 * Finds the cheapest year of a trainee: wishes, prices of cells, and terms. Prices come as running sums by department,
 * `periods + 1` each. Departments that nobody wished for are looked at after `priceUnwished` alone, which costs time.
 */
export class RowPricer {
  readonly row: Int32Array
  private readonly periods: number
  private readonly count: number
  private readonly longest: number
  private readonly once: boolean
  private readonly unwishedCost: Float64Array
  private readonly unwishedAt: Int32Array
  private unwished = false
  private best = new Float64Array(0)
  private by = new Int32Array(0)
  private blockCost = new Float64Array(0)
  private blockAt = new Int32Array(0)
  private readonly idle: Float64Array

  constructor({
    periods,
    departments,
    longest,
    once,
  }: Pick<RotationModel, 'periods' | 'departments' | 'longest' | 'once'>) {
    this.once = once
    this.periods = periods
    this.count = departments.length
    this.longest = longest
    this.row = new Int32Array(periods)
    this.unwishedCost = new Float64Array((longest + 1) * periods)
    this.unwishedAt = new Int32Array((longest + 1) * periods)
    this.idle = new Float64Array(periods)
  }

  /** The cheapest department of every length and beginning, for trainees with these obligatory ones. */
  priceUnwished(sums: Float64Array, { isObligatory }: Trainee): void {
    const { periods, count, longest, unwishedCost, unwishedAt } = this
    unwishedCost.fill(NEVER)
    for (let d = 0; d < count; d++) {
      if (isObligatory[d]) continue
      const at = d * (periods + 1)
      for (let length = 1; length <= longest; length++)
        for (let s = 0; s + length <= periods; s++) {
          const cost = sums[at + s + length]! - sums[at + s]!
          const i = length * periods + s
          if (cost < unwishedCost[i]!) {
            unwishedCost[i] = cost
            unwishedAt[i] = d
          }
        }
    }
    this.unwished = true
  }
  forgetUnwished(): void {
    this.unwished = false
  }

  /** The cost of the cheapest year, which then stands in `row`; null: there is none. */
  solve(trainee: Trainee, sums: Float64Array, terms: RowTerms = {}, bans: readonly Ban[] = []): number | null {
    const cost = this.cheapest(trainee, sums, terms, bans)
    if (cost === null) return null
    const twins = this.twins(trainee)
    if (!twins) return cost
    // Two electives of one department side by side would be one, and may be too many anyhow: one of them goes elsewhere.
    if (bans.length >= 4) return null
    let found: { cost: number; row: Int32Array } | null = null
    for (const ban of twins) {
      const other = this.solve(trainee, sums, terms, [...bans, ban])
      if (other !== null && (!found || other < found.cost)) found = { cost: other, row: this.row.slice() }
    }
    if (!found) return null
    this.row.set(found.row)
    return found.cost
  }

  /** What a year costs at least: as `solve`, where electives of one department may stand side by side. */
  cheapest(trainee: Trainee, sums: Float64Array, terms: RowTerms = {}, bans: readonly Ban[] = []): number | null {
    this.priceBlocks(trainee, sums, terms, bans)
    return this.order(trainee)
  }

  private readonly placed: number[] = []
  private twins(trainee: Trainee): readonly [Ban, Ban] | null {
    const { placed, row, periods, once } = this
    for (let i = 1; i < placed.length; i++) {
      const one = placed[i - 1]!
      const [a, from] = [Math.floor(one / periods), one % periods]
      for (let j = i; j < (once ? placed.length : i + 1); j++) {
        const other = placed[j]!
        const [b, to] = [Math.floor(other / periods), other % periods]
        if (row[from] !== row[to]) continue
        // `placed` goes from the end of the year to its beginning.
        if (once || from === to + trainee.lengths[b]!)
          return [
            { block: a, department: row[from]! },
            { block: b, department: row[from]! },
          ]
      }
    }
    return null
  }

  /** What each block costs at each beginning, and in which department. */
  private priceBlocks(
    trainee: Trainee,
    sums: Float64Array,
    { mates = [], apart = 0, before }: RowTerms,
    bans: readonly Ban[],
  ): void {
    const { periods, idle } = this
    const { blocks, obligatory, lengths, departments, leave, fixed } = trainee
    const width = periods + 1
    if (this.blockCost.length < blocks * periods) {
      this.blockCost = new Float64Array(blocks * periods)
      this.blockAt = new Int32Array(blocks * periods)
    }
    const { blockCost, blockAt } = this
    for (let p = 0; p < periods; p++) idle[p] = before && before.row[p]! >= 0 ? before.change : 0
    const termOf = (d: number, s: number, length: number): number => {
      let cost = 0
      for (const mate of mates)
        for (let p = s; p < s + length; p++) if (mate[p] !== NOWHERE && mate[p] !== d) cost += apart
      if (before)
        for (let p = s; p < s + length; p++) if (before.row[p] !== d && before.row[p] !== LOST) cost += before.change
      return cost
    }
    const has = mates.length > 0 || before !== undefined
    for (let b = 0; b < blocks; b++) {
      const length = lengths[b]!
      for (let s = 0; s < periods; s++) {
        const i = b * periods + s
        blockCost[i] = NEVER
        if (s + length > periods) continue
        let stands = true
        for (let p = s; p < s + length; p++) if (leave[p] || (p > s && fixed[p] !== NOWHERE)) stands = false
        if (!stands) continue
        const wanted = fixed[s]!
        if (b < obligatory) {
          const d = departments[b]!
          if (wanted === NOWHERE ? fixed.includes(d) : wanted !== d) continue
          blockCost[i] = sums[d * width + s + length]! - sums[d * width + s]! + (has ? termOf(d, s, length) : 0)
          blockAt[i] = d
          continue
        }
        const wishes = trainee.wishes[b - obligatory]!
        const costOf = (d: number, place: number) =>
          place + sums[d * width + s + length]! - sums[d * width + s]! + (has ? termOf(d, s, length) : 0)
        const banned = (d: number) =>
          trainee.isObligatory[d] || bans.some((ban) => ban.block === b && ban.department === d)
        if (wanted !== NOWHERE) {
          if (banned(wanted)) continue
          const place = wishes.indexOf(wanted)
          blockCost[i] = costOf(wanted, place < 0 ? NOT_WISHED : place)
          blockAt[i] = wanted
          continue
        }
        for (let place = 0; place < wishes.length; place++) {
          const d = wishes[place]!
          if (banned(d)) continue
          const cost = costOf(d, place)
          if (cost < blockCost[i]) {
            blockCost[i] = cost
            blockAt[i] = d
          }
        }
        if (!this.unwished) continue
        const d = this.unwishedAt[length * periods + s]!
        if (this.unwishedCost[length * periods + s]! >= NEVER || banned(d)) continue
        const cost = costOf(d, NOT_WISHED)
        if (cost < blockCost[i]) {
          blockCost[i] = cost
          blockAt[i] = d
        }
      }
    }
  }

  /** The cheapest order: `best[done * width + p]`, where `done` are the blocks that lie before period `p`. */
  private order({ blocks, lengths, leave, fixed, free }: Trainee): number | null {
    const { periods, blockCost, blockAt, row, idle, placed } = this
    const width = periods + 1
    const states = 1 << blocks
    if (this.best.length < states * width) {
      this.best = new Float64Array(states * width)
      this.by = new Int32Array(states * width)
    }
    const { best, by } = this
    best.fill(NEVER, 0, states * width)
    best[0] = 0
    let away = Math.max(0, free)
    for (let p = 0; p < periods; p++) if (leave[p]) away++
    for (let done = 0; done < states; done++) {
      let used = 0
      for (let b = 0; b < blocks; b++) if (done & (1 << b)) used += lengths[b]!
      const last = Math.min(periods - 1, used + away)
      const at = done * width
      for (let p = used; p <= last; p++) {
        const cost = best[at + p]!
        if (cost >= NEVER) continue
        if (leave[p] || (free > 0 && fixed[p] === NOWHERE)) {
          const rest = cost + (leave[p] ? 0 : idle[p]!)
          if (rest < best[at + p + 1]!) {
            best[at + p + 1] = rest
            by[at + p + 1] = NOWHERE
          }
          if (leave[p]) continue
        }
        for (let b = 0; b < blocks; b++) {
          if (done & (1 << b)) continue
          const more = blockCost[b * periods + p]!
          if (more >= NEVER) continue
          const to = (done | (1 << b)) * width + p + lengths[b]!
          if (cost + more < best[to]!) {
            best[to] = cost + more
            by[to] = b
          }
        }
      }
    }
    const cost = best[(states - 1) * width + periods]!
    if (cost >= NEVER) return null
    row.fill(NOWHERE)
    placed.length = 0
    let done = states - 1
    for (let p = periods; p > 0;) {
      const b = by[done * width + p]!
      if (b === NOWHERE) {
        p--
        continue
      }
      p -= lengths[b]!
      done ^= 1 << b
      const d = blockAt[b * periods + p]!
      for (let q = p; q < p + lengths[b]!; q++) row[q] = d
      placed.push(b * periods + p)
    }
    return cost
  }
}
