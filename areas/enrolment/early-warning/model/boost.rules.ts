/**
 * Gradient-boosted trees for several classes: each round adds a shallow tree per class that corrects the probabilities so far
 * (J. Friedman, "Greedy function approximation", 2001). Values are put into at most 64 bins, so that the best split of
 * a column is found by adding up, not by sorting.
 */
import { drawn } from './random.rules.ts'

/** A tree as columns: a leaf has feature -1. Whatever is missing goes to `less`. */
export interface Tree {
  readonly feature: number[]
  readonly limit: number[]
  readonly less: number[]
  readonly more: number[]
  readonly value: number[]
}
export interface BoostOptions {
  readonly rounds: number
  readonly rate: number
  readonly depth: number
  /** Shares of rows of a round, and of columns of a tree. */
  readonly rows: number
  readonly columns: number
  readonly ridge: number
  /** What a leaf weighs at least: the sum of p(1 - p) of its rows. */
  readonly leaf: number
  readonly seed: number
}
export interface Boosted {
  /** The margins before any tree. */
  readonly start: number[]
  /** By round, one tree per class. */
  readonly trees: Tree[][]
}
export interface Binned {
  /** By feature, the bin of each row; 0 is missing. */
  readonly bins: Uint8Array[]
  readonly limits: Float64Array[]
}

const BINS = 64
/** Below every value: what is present goes to `more`. */
const NOTHING = -1e300

/** Limits between the values of a column, at most 62, as many rows between two as can be. */
export function limitsOf(values: Float64Array): Float64Array {
  const present = values.filter((value) => !Number.isNaN(value)).toSorted()
  const distinct: number[] = []
  for (const value of present) if (value !== distinct.at(-1)) distinct.push(value)
  const between = (a: number, b: number) => a + (b - a) / 2
  if (distinct.length <= BINS - 1)
    return Float64Array.from(distinct.slice(1), (value, i) => between(distinct[i]!, value))
  const limits: number[] = []
  for (let i = 1; i < BINS - 1; i += 1) {
    const at = Math.floor((i * present.length) / (BINS - 1))
    const [below, above] = [present[at - 1]!, present[at]!]
    const limit = below === above ? above : between(below, above)
    if (limit !== limits.at(-1) && limit < present.at(-1)!) limits.push(limit)
  }
  return Float64Array.from(limits)
}

/** Rows by features in bins, by limits that were found before. */
export function binned(features: readonly Float64Array[], limits: Float64Array[]): Binned {
  const bins = features.map((values, f) => {
    const edges = limits[f]!
    return Uint8Array.from(values, (value) => {
      if (Number.isNaN(value)) return 0
      let [low, high] = [0, edges.length]
      while (low < high) {
        const middle = (low + high) >> 1
        if (value <= edges[middle]!) high = middle
        else low = middle + 1
      }
      return low + 1
    })
  })
  return { bins, limits }
}

interface Growing {
  readonly data: Binned
  readonly g: Float64Array
  readonly h: Float64Array
  readonly chosen: number[]
  readonly options: BoostOptions
}
interface Split {
  readonly feature: number
  readonly bin: number
  readonly gain: number
}

/** Sums of slopes and curvatures by feature and bin. */
function sums({ data, g, h, chosen }: Growing, rows: Int32Array): Float64Array {
  const found = new Float64Array(chosen.length * BINS * 2)
  for (let c = 0; c < chosen.length; c += 1) {
    const bins = data.bins[chosen[c]!]!
    const base = c * BINS * 2
    for (let i = 0; i < rows.length; i += 1) {
      const row = rows[i]!
      const at = base + bins[row]! * 2
      found[at]! += g[row]!
      found[at + 1]! += h[row]!
    }
  }
  return found
}

function bestSplit({ data, chosen, options }: Growing, found: Float64Array, G: number, H: number): Split | null {
  let best: Split | null = null
  const parent = (G * G) / (H + options.ridge)
  for (let c = 0; c < chosen.length; c += 1) {
    const last = data.limits[chosen[c]!]!.length + 1
    let [g, h] = [0, 0]
    for (let bin = 0; bin < last; bin += 1) {
      const at = (c * BINS + bin) * 2
      g += found[at]!
      h += found[at + 1]!
      if (h < options.leaf) continue
      if (H - h < options.leaf) break
      const gain = (g * g) / (h + options.ridge) + ((G - g) * (G - g)) / (H - h + options.ridge) - parent
      if (gain > (best?.gain ?? 1e-9)) best = { feature: chosen[c]!, bin, gain }
    }
  }
  return best
}

function grown(growing: Growing, inBag: Int32Array): Tree {
  const tree: Tree = { feature: [], limit: [], less: [], more: [], value: [] }
  const { data, g, h, options } = growing
  const grow = (rows: Int32Array, depth: number, known: Float64Array | null): number => {
    const node = tree.feature.length
    let [G, H] = [0, 0]
    for (const row of rows) {
      G += g[row]!
      H += h[row]!
    }
    tree.feature.push(-1)
    tree.limit.push(0)
    tree.less.push(0)
    tree.more.push(0)
    tree.value.push((-options.rate * G) / (H + options.ridge))
    if (depth === options.depth || H < 2 * options.leaf) return node
    const found = known ?? sums(growing, rows)
    const split = bestSplit(growing, found, G, H)
    if (!split) return node
    const bins = data.bins[split.feature]!
    const less = rows.filter((row) => bins[row]! <= split.bin)
    const more = rows.filter((row) => bins[row]! > split.bin)
    let [ofLess, ofMore]: (Float64Array | null)[] = [null, null]
    if (depth + 1 < options.depth) {
      // The smaller half is added up; the other is what is left.
      const few = sums(growing, less.length < more.length ? less : more)
      const rest = found.map((sum, i) => sum - few[i]!)
      ;[ofLess, ofMore] = less.length < more.length ? [few, rest] : [rest, few]
    }
    tree.feature[node] = split.feature
    tree.limit[node] = split.bin === 0 ? NOTHING : data.limits[split.feature]![split.bin - 1]!
    tree.less[node] = grow(less, depth + 1, ofLess ?? null)
    tree.more[node] = grow(more, depth + 1, ofMore ?? null)
    return node
  }
  grow(inBag, 0, null)
  return tree
}

/** Adds the value of a tree to the margins of rows. */
export function addTree(
  tree: Tree,
  features: readonly Float64Array[],
  rows: Iterable<number>,
  margin: Float64Array,
): void {
  for (const row of rows) {
    let node = 0
    while (tree.feature[node]! >= 0)
      node = features[tree.feature[node]!]![row]! > tree.limit[node]! ? tree.more[node]! : tree.less[node]!
    margin[row]! += tree.value[node]!
  }
}

/** Margins by class to probabilities, in place: `out` by class. */
export function softmax(margins: readonly ArrayLike<number>[], row: number, out: number[]): void {
  let most = -Infinity
  for (const one of margins) most = Math.max(most, one[row]!)
  let sum = 0
  for (let k = 0; k < margins.length; k += 1) {
    out[k] = Math.exp(margins[k]![row]! - most)
    sum += out[k]!
  }
  for (let k = 0; k < margins.length; k += 1) out[k]! /= sum
}

/**
 * Fits trees to the rows `train`; `watch` is told the margins of all rows after each round, and ends the fitting by false.
 * `y` is the class of each row.
 */
export function boost(
  features: readonly Float64Array[],
  data: Binned,
  y: Int32Array,
  classes: number,
  train: Int32Array,
  options: BoostOptions,
  watched: Int32Array = new Int32Array(0),
  watch?: (round: number, margins: readonly Float64Array[]) => boolean,
): Boosted {
  const random = drawn(options.seed)
  const n = y.length
  const count = new Float64Array(classes)
  for (const row of train) count[y[row]!]! += 1
  const start = Array.from(count, (one) => Math.log((one + 1) / (train.length + classes)))
  const margins = start.map((one) => new Float64Array(n).fill(one))
  const [g, h] = [new Float64Array(n), new Float64Array(n)]
  const share: Float64Array[] = start.map(() => new Float64Array(n))
  const all = Int32Array.from([...train, ...watched])
  const trees: Tree[][] = []
  const p: number[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    const inBag = train.filter(() => random() < options.rows)
    for (const row of train) {
      softmax(margins, row, p)
      for (let k = 0; k < classes; k += 1) share[k]![row] = p[k]!
    }
    const set: Tree[] = []
    for (let k = 0; k < classes; k += 1) {
      for (const row of inBag) {
        const one = share[k]![row]!
        g[row] = one - (y[row] === k ? 1 : 0)
        h[row] = Math.max(one * (1 - one), 1e-6)
      }
      const chosen = features.flatMap((_, f) => (data.limits[f]!.length && random() < options.columns ? [f] : []))
      const tree = grown({ data, g, h, chosen, options }, inBag)
      addTree(tree, features, all, margins[k]!)
      set.push(tree)
    }
    trees.push(set)
    if (watch && !watch(round, margins)) break
  }
  return { start, trees }
}
