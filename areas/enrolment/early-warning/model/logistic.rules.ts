/**
 * Multinomial logistic regression with a ridge, fitted by L-BFGS (D. Liu and J. Nocedal, "On the limited memory BFGS method",
 * 1989). Rows are lists of columns and values, as most columns are zeros.
 */
export interface SparseRows {
  /** Where the entries of each row begin; one more than there are rows. */
  readonly begins: Int32Array
  readonly columns: Int32Array
  readonly values: Float64Array
  readonly width: number
}

/** Weights by class, the constant last. */
export type RegressionWeights = Float64Array[]

export function marginsOf(rows: SparseRows, row: number, weights: readonly ArrayLike<number>[], out: number[]): void {
  for (let k = 0; k < weights.length; k += 1) {
    const of = weights[k]!
    let sum = of[rows.width]!
    for (let i = rows.begins[row]!; i < rows.begins[row + 1]!; i += 1) sum += of[rows.columns[i]!]! * rows.values[i]!
    out[k] = sum
  }
}

/** Makes probabilities of margins, in place; returns the logarithm of their sum. */
export function toShares(margins: number[]): number {
  const most = Math.max(...margins)
  let sum = 0
  for (let k = 0; k < margins.length; k += 1) {
    margins[k] = Math.exp(margins[k]! - most)
    sum += margins[k]!
  }
  for (let k = 0; k < margins.length; k += 1) margins[k]! /= sum
  return most + Math.log(sum)
}

interface Judged {
  readonly loss: number
  readonly slope: Float64Array
}

function judge(
  rows: SparseRows,
  y: Int32Array,
  train: Int32Array,
  classes: number,
  ridge: number,
  at: Float64Array,
): Judged {
  const width = rows.width + 1
  const slope = new Float64Array(at.length)
  const weights = Array.from({ length: classes }, (_, k) => at.subarray(k * width, (k + 1) * width))
  const margins: number[] = []
  let loss = 0
  for (const row of train) {
    marginsOf(rows, row, weights, margins)
    const truth = margins[y[row]!]!
    loss += toShares(margins) - truth
    for (let k = 0; k < classes; k += 1) {
      const off = margins[k]! - (y[row] === k ? 1 : 0)
      const base = k * width
      for (let i = rows.begins[row]!; i < rows.begins[row + 1]!; i += 1)
        slope[base + rows.columns[i]!]! += off * rows.values[i]!
      slope[base + rows.width]! += off
    }
  }
  for (let k = 0; k < classes; k += 1)
    for (let c = 0; c < rows.width; c += 1) {
      const i = k * width + c
      loss += (ridge * at[i]! * at[i]!) / 2
      slope[i]! += ridge * at[i]!
    }
  return { loss, slope }
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i += 1) sum += a[i]! * b[i]!
  return sum
}

/** Weights that make the classes of the rows `train` most likely, held back by the ridge. */
export function logistic(
  rows: SparseRows,
  y: Int32Array,
  classes: number,
  train: Int32Array,
  ridge: number,
  most = 120,
): RegressionWeights {
  const width = rows.width + 1
  let at = new Float64Array(classes * width)
  let now = judge(rows, y, train, classes, ridge, at)
  const memory: { s: Float64Array; d: Float64Array; curve: number }[] = []
  for (let step = 0; step < most; step += 1) {
    const way = now.slope.map((one) => -one)
    const used: number[] = []
    for (const { s, d, curve } of memory.toReversed()) {
      const a = dot(s, way) / curve
      used.push(a)
      for (let i = 0; i < way.length; i += 1) way[i]! -= a * d[i]!
    }
    const last = memory.at(-1)
    const scale = last ? last.curve / dot(last.d, last.d) : 1 / Math.max(1, Math.sqrt(dot(now.slope, now.slope)))
    for (let i = 0; i < way.length; i += 1) way[i]! *= scale
    for (const [i, { s, d, curve }] of memory.entries()) {
      const a = used[memory.length - 1 - i]! - dot(d, way) / curve
      for (let j = 0; j < way.length; j += 1) way[j]! += a * s[j]!
    }
    const falls = dot(way, now.slope)
    if (falls > -1e-9) break
    let [length, next, there]: [number, Float64Array<ArrayBuffer>, Judged] = [1, at, now]
    for (let tries = 0; tries < 20; tries += 1) {
      next = at.map((one, i) => one + length * way[i]!)
      there = judge(rows, y, train, classes, ridge, next)
      if (there.loss <= now.loss + 1e-4 * length * falls) break
      length /= 2
    }
    const s = next.map((one, i) => one - at[i]!)
    const d = there.slope.map((one, i) => one - now.slope[i]!)
    const curve = dot(s, d)
    if (curve > 1e-10) memory.push({ s, d, curve })
    if (memory.length > 8) memory.shift()
    const better = now.loss - there.loss
    at = next
    now = there
    if (better < 1e-6 * Math.abs(now.loss)) break
  }
  return Array.from({ length: classes }, (_, k) => at.slice(k * width, (k + 1) * width))
}
