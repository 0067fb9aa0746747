/** How good probabilities and classes are, and the weights of classes with which none is forgotten. */

/** Probabilities by row. */
export type Shares = readonly (readonly number[])[]

export interface ClassMeasure {
  readonly rows: number
  readonly precision: number
  readonly recall: number
  readonly f1: number
}
export interface Measures {
  readonly macro_f1: number
  readonly accuracy: number
  readonly classes: ClassMeasure[]
}

/** The class whose weighted probability is largest. */
export function chosenClass(shares: readonly number[], weights: readonly number[]): number {
  let best = 0
  for (let k = 1; k < shares.length; k += 1) if (shares[k]! * weights[k]! > shares[best]! * weights[best]!) best = k
  return best
}

/** Precision, recall and F1 of each class; a class that is neither there nor predicted counts as 0, as usual. */
export function measured(truth: ArrayLike<number>, predicted: ArrayLike<number>, classes: number): Measures {
  const right = Array.from({ length: classes }, () => 0)
  const there = Array.from({ length: classes }, () => 0)
  const said = Array.from({ length: classes }, () => 0)
  for (let i = 0; i < truth.length; i += 1) {
    there[truth[i]!]! += 1
    said[predicted[i]!]! += 1
    if (truth[i] === predicted[i]) right[truth[i]!]! += 1
  }
  const each = right.map((hits, k): ClassMeasure => {
    const precision = said[k] ? hits / said[k] : 0
    const recall = there[k] ? hits / there[k] : 0
    return { rows: there[k]!, precision, recall, f1: hits ? (2 * precision * recall) / (precision + recall) : 0 }
  })
  const hits = right.reduce((sum, one) => sum + one, 0)
  return {
    macro_f1: each.reduce((sum, one) => sum + one.f1, 0) / classes,
    accuracy: truth.length ? hits / truth.length : 0,
    classes: each,
  }
}

const GRID = Array.from({ length: 41 }, (_, i) => (i - 20) * 0.06)

/**
 * Weights of the classes for which the macro-F1 is largest: class by class along a grid, until nothing gets better. A weight goes away
 * from 1 only where that helps: a hundredth of macro-F1 for a factor of about 20.
 */
export function classWeights(shares: Shares, truth: ArrayLike<number>, classes: number): number[] {
  const logs = Array.from({ length: classes }, () => 0)
  const predicted = new Int32Array(shares.length)
  const worth = () => {
    const weights = logs.map(Math.exp)
    for (let i = 0; i < shares.length; i += 1) predicted[i] = chosenClass(shares[i]!, weights)
    const held = logs.reduce((sum, one) => sum + Math.abs(one), 0)
    return measured(truth, predicted, classes).macro_f1 - 0.003 * held
  }
  let best = worth()
  for (let sweep = 0; sweep < 4; sweep += 1) {
    const before = best
    for (let k = 0; k < classes; k += 1) {
      let kept = logs[k]!
      for (const one of GRID) {
        logs[k] = one
        const now = worth()
        if (now > best + 1e-9) {
          best = now
          kept = one
        }
      }
      logs[k] = kept
    }
    if (best - before < 1e-9) break
  }
  return logs.map(Math.exp)
}

/** Mean of squared distances from what was: 0 is perfect. */
export function brier(shares: Shares, truth: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < shares.length; i += 1)
    for (const [k, share] of shares[i]!.entries()) sum += (share - (truth[i] === k ? 1 : 0)) ** 2
  return sum / Math.max(1, shares.length)
}

/** How far probabilities are from what came true, over ten bins of every class (expected calibration error, class by class). */
export function calibrationError(shares: Shares, truth: ArrayLike<number>, classes: number): number {
  let error = 0
  for (let k = 0; k < classes; k += 1) {
    const bins = Array.from({ length: 10 }, () => ({ rows: 0, said: 0, was: 0 }))
    for (let i = 0; i < shares.length; i += 1) {
      const share = shares[i]![k]!
      const bin = bins[Math.min(9, Math.floor(share * 10))]!
      bin.rows += 1
      bin.said += share
      bin.was += truth[i] === k ? 1 : 0
    }
    for (const bin of bins) error += Math.abs(bin.said - bin.was) / Math.max(1, shares.length)
  }
  return error / classes
}

/** Mean of -ln of the probability that the truth was given. */
export function logLoss(shares: Shares, truth: ArrayLike<number>): number {
  let sum = 0
  for (let i = 0; i < shares.length; i += 1) sum -= Math.log(Math.max(shares[i]![truth[i]!]!, 1e-12))
  return sum / Math.max(1, shares.length)
}

/** Probabilities of two models between them: their logarithms are mixed, `share` of the first. A power makes them bolder (above 1) or meeker. */
export function mixed(first: readonly number[], second: readonly number[], share: number, power = 1): number[] {
  const out = first.map((one, k) =>
    Math.exp(power * (share * Math.log(Math.max(one, 1e-9)) + (1 - share) * Math.log(Math.max(second[k]!, 1e-9)))),
  )
  const sum = out.reduce((total, one) => total + one, 0)
  return out.map((one) => one / sum)
}
