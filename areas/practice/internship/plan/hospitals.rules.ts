/**
 * Gives each block of a plan a hospital: a training of its type with a place in all its periods. Who is in a training today stays there;
 * the others go evenly, with whom they would like to be, and in one hospital from one block to the next.
 */

/** A training, with the places that are left in each period. */
export interface Ward {
  readonly id: number
  readonly type_id: number
  readonly hospital_id: number
  readonly free: readonly number[]
}
/** A block of a plan: somebody in a training type from a period on. */
export interface WardBlock {
  readonly who: number
  readonly type_id: number
  readonly start: number
  readonly length: number
  /** The training in which he or she is for it today. */
  readonly was: number | null
}
export interface WardProblem {
  readonly periods: number
  readonly wards: readonly Ward[]
  readonly blocks: readonly WardBlock[]
  /** Where people are in periods that are not planned. */
  readonly there: readonly { readonly who: number; readonly hospital_id: number; start: number; length: number }[]
  /** With whom somebody would like to be. */
  readonly mates: ReadonlyMap<number, readonly number[]>
}
/** Places that a training type lacks in a period. */
export interface LackingPlaces {
  readonly type_id: number
  readonly period: number
  readonly places: number
}
export interface GivenWards {
  /** Of each block the id of a training; null: there is none. */
  readonly wards: readonly (number | null)[]
  readonly lacking: readonly LackingPlaces[]
}

/** What counts how much: a full training, being with somebody, and staying where one was before and is afterwards. */
const WEIGHS = { full: 1, together: 1.5, neighbour: 0.25 }
/** So many others move on, one after the other, to make room for a block. */
const DEEP = 4
/** Rounds in which blocks go where they are better. */
const ROUNDS = 3
const NONE = -1

class Hospitals {
  readonly given: Int32Array
  private readonly left: number[][]
  /** Where everybody is: a hospital by period. */
  private readonly where = new Map<number, Int32Array>()
  private readonly wardsOf: Map<number, number[]>
  private readonly in: Set<number>[]
  private readonly problem: WardProblem

  constructor(problem: WardProblem) {
    this.problem = problem
    const { wards, blocks, there, periods } = problem
    this.given = new Int32Array(blocks.length).fill(NONE)
    this.left = wards.map(({ free }) => [...free])
    this.in = wards.map(() => new Set())
    this.wardsOf = Map.groupBy(wards.keys(), (w) => wards[w]!.type_id)
    for (const { who } of blocks) this.rowOf(who)
    for (const { who, hospital_id, start, length } of there)
      this.rowOf(who).fill(hospital_id, start, Math.min(periods, start + length))
  }
  private rowOf(who: number): Int32Array {
    const row = this.where.get(who) ?? new Int32Array(this.problem.periods).fill(NONE)
    this.where.set(who, row)
    return row
  }
  has(w: number, { start, length }: WardBlock): boolean {
    const left = this.left[w]!
    for (let p = start; p < start + length; p++) if (left[p]! <= 0) return false
    return true
  }
  put(b: number, w: number): void {
    const { who, start, length } = this.problem.blocks[b]!
    this.given[b] = w
    this.in[w]!.add(b)
    for (let p = start; p < start + length; p++) this.left[w]![p]! -= 1
    this.rowOf(who).fill(this.problem.wards[w]!.hospital_id, start, start + length)
  }
  out(b: number): void {
    const { who, start, length } = this.problem.blocks[b]!
    const w = this.given[b]!
    this.given[b] = NONE
    this.in[w]!.delete(b)
    for (let p = start; p < start + length; p++) this.left[w]![p]! += 1
    this.rowOf(who).fill(NONE, start, start + length)
  }
  /** What a training costs for a block that is in none. */
  cost(b: number, w: number): number {
    const { who, start, length } = this.problem.blocks[b]!
    const { hospital_id, free } = this.problem.wards[w]!
    let full = 0
    for (let p = start; p < start + length; p++) full = Math.max(full, 1 - (this.left[w]![p]! - 1) / free[p]!)
    let cost = WEIGHS.full * full
    for (const mate of this.problem.mates.get(who) ?? []) {
      const row = this.where.get(mate)
      if (!row) continue
      for (let p = start; p < start + length; p++) if (row[p] === hospital_id) cost -= WEIGHS.together / length
    }
    const own = this.where.get(who)!
    if (own[start - 1] === hospital_id) cost -= WEIGHS.neighbour
    if (own[start + length] === hospital_id) cost -= WEIGHS.neighbour
    return cost
  }
  wards(b: number): readonly number[] {
    return this.wardsOf.get(this.problem.blocks[b]!.type_id) ?? []
  }
  /** The best training with a place. */
  best(b: number): number {
    let best = NONE
    let least = Infinity
    for (const w of this.wards(b)) {
      if (!this.has(w, this.problem.blocks[b]!)) continue
      const cost = this.cost(b, w)
      if (cost < least) [best, least] = [w, cost]
    }
    return best
  }
  /** Places a block, where others may have to go elsewhere for it. */
  place(b: number, deep = DEEP, seen: ReadonlySet<number> = new Set()): boolean {
    const free = this.best(b)
    if (free !== NONE) {
      this.put(b, free)
      return true
    }
    if (deep === 0) return false
    const block = this.problem.blocks[b]!
    for (const w of this.wards(b)) {
      const goes = this.whoGoes(w, block, seen)
      if (!goes) continue
      for (const one of goes) this.out(one)
      this.put(b, w)
      const moved: number[] = []
      const also = new Set([...seen, b, ...goes])
      if (goes.every((one) => this.place(one, deep - 1, also) && moved.push(one))) return true
      for (const one of moved) this.out(one)
      this.out(b)
      for (const one of goes) this.put(one, w)
    }
    return false
  }
  /** Who leaves a training so that a block has a place in it; null: nobody can make it one. */
  private whoGoes(w: number, { start, length }: WardBlock, seen: ReadonlySet<number>): number[] | null {
    const { free } = this.problem.wards[w]!
    const goes: number[] = []
    for (let p = start; p < start + length; p++) {
      if (free[p]! <= 0) return null
      if (this.left[w]![p]! > 0) continue
      const covers = (b: number) => {
        const one = this.problem.blocks[b]!
        return one.start <= p && p < one.start + one.length
      }
      if (goes.some(covers)) continue
      const next = [...this.in[w]!].find((b) => !seen.has(b) && covers(b))
      if (next === undefined) return null
      goes.push(next)
    }
    return goes
  }
  /** Blocks go where they are better, by themselves or with another one of the same periods. */
  improve(b: number, twins: readonly number[]): boolean {
    const was = this.given[b]!
    this.out(b)
    const own = this.cost(b, was)
    const best = this.best(b)
    if (best !== NONE && this.cost(b, best) < own - 1e-9) {
      this.put(b, best)
      return true
    }
    this.put(b, was)
    for (const other of twins) {
      const theirs = this.given[other]!
      if (other === b || theirs === NONE || theirs === was) continue
      this.out(b)
      this.out(other)
      const before = this.cost(b, was) + this.cost(other, theirs)
      const after = this.cost(b, theirs) + this.cost(other, was)
      const swaps = after < before - 1e-9
      this.put(b, swaps ? theirs : was)
      this.put(other, swaps ? was : theirs)
      if (swaps) return true
    }
    return false
  }
}

/** Gives every block a training. */
export function giveWards(problem: WardProblem): GivenWards {
  const { wards, blocks, mates } = problem
  const board = new Hospitals(problem)
  const at = new Map(wards.map(({ id }, w) => [id, w]))
  const order = [...blocks.keys()].toSorted(
    (a, b) =>
      blocks[a]!.start - blocks[b]!.start || blocks[b]!.length - blocks[a]!.length || blocks[a]!.who - blocks[b]!.who,
  )
  // Whoever is there today stays, as far as there are places.
  for (const b of order) {
    const { was, type_id } = blocks[b]!
    const w = was === null ? undefined : at.get(was)
    if (w !== undefined && wards[w]!.type_id === type_id && board.has(w, blocks[b]!)) board.put(b, w)
  }
  const stays = new Set(order.filter((b) => board.given[b] !== NONE))
  for (const b of order) if (board.given[b] === NONE) board.place(b)
  const like = Map.groupBy(order, (b) => `${blocks[b]!.type_id} ${blocks[b]!.start} ${blocks[b]!.length}`)
  const free = order.filter((b) => !stays.has(b) && board.given[b] !== NONE)
  for (let round = 0, moved = true; moved && round < ROUNDS; round++) {
    moved = false
    for (const b of free) {
      const { type_id, start, length, who } = blocks[b]!
      // Exchanges are looked for where somebody would be with another.
      const twins = mates.has(who) ? (like.get(`${type_id} ${start} ${length}`) ?? []).filter((o) => !stays.has(o)) : []
      if (board.given[b] !== NONE && board.improve(b, twins)) moved = true
    }
  }
  const given = Array.from(board.given, (w) => (w === NONE ? null : wards[w]!.id))
  return { wards: given, lacking: lackingOf(blocks.filter((_, b) => given[b] === null)) }
}

function lackingOf(blocks: readonly WardBlock[]): LackingPlaces[] {
  const cells = new Map<string, { type_id: number; period: number; places: number }>()
  for (const { type_id, start, length } of blocks)
    for (let period = start; period < start + length; period++) {
      const cell = cells.get(`${type_id} ${period}`) ?? { type_id, period, places: 0 }
      cell.places++
      cells.set(`${type_id} ${period}`, cell)
    }
  return [...cells.values()]
}

/** What is wrong with hospitals that were given, found out from them alone. */
export function judgeWards({ wards, blocks, periods }: WardProblem, given: readonly (number | null)[]): string[] {
  const wrong: string[] = []
  const byId = new Map(wards.map((one) => [one.id, one]))
  const count = new Map(wards.map(({ id }) => [id, Array<number>(periods).fill(0)]))
  for (const [b, block] of blocks.entries()) {
    const id = given[b]
    const ward = id == null ? undefined : byId.get(id)
    if (!ward) wrong.push(`block ${b} has no training`)
    else if (ward.type_id !== block.type_id) wrong.push(`block ${b} is in a training of another type`)
    else for (let p = block.start; p < block.start + block.length; p++) count.get(ward.id)![p]! += 1
  }
  for (const { id, free } of wards)
    for (const [p, there] of count.get(id)!.entries())
      if (there > free[p]!) wrong.push(`training ${id} has ${there} of ${free[p]} in period ${p}`)
  return wrong
}
