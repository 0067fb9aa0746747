/**
 * What is missing in a requirement that stands for itself, and how many of its parts are met, by what its leaves hold. Courses
 * come to the same amounts in many orders: each is computed once.
 */
import type { CompiledTree } from './compile.rules.ts'
import type { Progress, GivenProgress } from './progress.rules.ts'

/** So many amounts have a place in a table of their own; of more only those that occur are kept. */
const TABLE = 1 << 11

/** How a requirement is computed; the same for all of a tree. */
export interface Computing {
  readonly tree: CompiledTree
  readonly progress: Progress
  readonly leafAt: ReadonlyMap<number, number>
  readonly waived: ReadonlySet<number>
  readonly given: ReadonlyMap<number, GivenProgress>
}

/** The largest step of which all amounts are multiples. */
export const commonStepOf = (amounts: Iterable<number>): number => {
  let step = 0
  for (let amount of amounts) {
    if (!Number.isFinite(amount)) continue
    while (amount) [step, amount] = [amount, step % amount]
  }
  return step || 1
}

/** Figures of one requirement. */
export class TreeFigures {
  readonly miss: Float64Array | number[]
  readonly met: Int32Array | number[]
  private readonly computing: Computing
  private readonly first: number
  private readonly end: number
  /** Its leaves: among those of the search, and in the tree. */
  private readonly leaves: readonly number[]
  private readonly inTree: readonly number[]
  /** What a leaf holds beyond that tells no amounts apart. */
  private readonly most: readonly number[]
  private readonly strides: readonly number[]
  private readonly step: number
  /** What leaves hold that no course of the search reaches. */
  private readonly covers: number[]
  private readonly table: boolean
  private readonly known: Map<number, number> | null

  /**
   * @param at its first node and the one after its last
   * @param leaves which of the search's leaves are in it, and where those stand in the tree
   * @param most by leaf of the search; `step`: all amounts are multiples of it
   * @param covers what every leaf of the tree holds before
   */
  constructor(
    computing: Computing,
    at: { first: number; end: number },
    leaves: readonly number[],
    inTree: readonly number[],
    most: readonly number[],
    step: number,
    covers: readonly number[],
  ) {
    this.computing = computing
    this.first = at.first
    this.end = at.end
    this.leaves = leaves
    this.inTree = inTree
    this.most = leaves.map((i) => most[i]!)
    this.step = step
    this.covers = [...covers]
    const strides: number[] = []
    let size = 1
    for (const amount of this.most) {
      strides.push(size)
      size *= amount / step + 1
    }
    this.strides = strides
    this.table = size <= TABLE
    this.known = size < Number.MAX_SAFE_INTEGER ? new Map() : null
    this.miss = this.table ? new Float64Array(size).fill(-1) : []
    this.met = this.table ? new Int32Array(size) : []
  }

  /**
   * Where `miss` and `met` have what follows from these amounts.
   * @param of what each leaf of the search holds, from `from` on; `more` comes on top
   */
  at(of: Int32Array, from: number, more: Int32Array | null): number {
    const { leaves, most, strides, step } = this
    let key = 0
    for (let j = 0; j < leaves.length; j++) {
      const i = leaves[j]!
      const cover = more === null ? of[from + i]! : of[from + i]! + more[i]!
      key += ((cover < most[j]! ? cover : most[j]!) / step) * strides[j]!
    }
    if (this.table) {
      if (this.miss[key]! < 0) this.compute(of, from, more, key)
      return key
    }
    const known = this.known?.get(key)
    if (known !== undefined) return known
    const index = this.known ? this.miss.length : 0
    this.compute(of, from, more, index)
    this.known?.set(key, index)
    return index
  }

  private compute(of: Int32Array, from: number, more: Int32Array | null, index: number): void {
    const { leaves, inTree, covers, first, end } = this
    const { progress, given, waived, leafAt } = this.computing
    for (let j = 0; j < leaves.length; j++) {
      const i = leaves[j]!
      covers[inTree[j]!] = of[from + i]! + (more?.[i] ?? 0)
    }
    progress.compute(first, end, covers, given, waived, leafAt)
    let met = 0
    for (let n = first; n < end; n++) met += progress.met[n]!
    this.miss[index] = progress.miss[first]!
    this.met[index] = met
  }
}
