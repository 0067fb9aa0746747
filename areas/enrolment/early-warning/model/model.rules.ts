/**
 * Which of several classes a row belongs to, with probabilities that can be believed: boosted trees and logistic regression are fitted
 * to the same rows, judged on folds that neither has seen, and mixed in the share that is best there.
 */
import { addTree, binned, boost, limitsOf, softmax, type Boosted, type BoostOptions } from './boost.rules.ts'
import { encode, sharesIn, sparseRows, treeFeatures, type Encoded, type Schema } from './frame.rules.ts'
import { logistic, marginsOf, toShares } from './logistic.rules.ts'
import {
  brier,
  calibrationError,
  chosenClass,
  classWeights,
  logLoss,
  measured,
  mixed,
  type Measures,
  type Shares,
} from './measure.rules.ts'
import { drawn, shuffled } from './random.rules.ts'
import { columnOf, decimalMark, isEmpty, NAMES_ROWS, WarningModelError } from './table.rules.ts'
import type { Column, LeftOut, CellTable } from './table.rules.ts'

/** Measured on rows that the model had not seen. */
export interface FitReport extends Measures {
  readonly folds: number
  readonly by_fold: number[]
  readonly spread: number
  readonly brier: number
  readonly calibration_error: number
  /** Of the trees alone, of the regression alone: the mean of -ln of the probability of what was. */
  readonly losses: { readonly trees: number; readonly regression: number; readonly mixed: number }
}
export interface WarningModel {
  readonly format: 'early-warning 1'
  readonly target: string
  /** Columns that tell rows apart: nothing was learned from them, but rows are called by them. */
  readonly names: readonly string[]
  readonly classes: readonly string[]
  readonly schema: Schema
  readonly trees: Boosted | null
  readonly regression: number[][] | null
  /** The share of the trees in the mixture, and its power. */
  readonly share: number
  readonly power: number
  readonly class_weights: readonly number[]
  readonly rows: number
  readonly rounds: number
  readonly ridge: number
  readonly report: FitReport
}
export interface FitOptions {
  readonly target: string
  readonly without?: readonly string[]
  readonly keep?: readonly string[]
  readonly folds?: number
  readonly seed?: number
  /** Most rows that are fitted to; more are drawn from. */
  readonly most?: number
}
export interface Fitted {
  readonly model: WarningModel
  readonly leftOut: readonly LeftOut[]
  /** Rows that were not fitted to, by why. */
  readonly rowsWithout: number
  readonly rowsNotDrawn: number
  /** Of each row that was fitted to, in the order of the table: its place, and probabilities by a model that had not seen it. */
  readonly unseen: { readonly rows: readonly number[]; readonly shares: Shares; readonly classes: readonly number[] }
}

const TREES: Omit<BoostOptions, 'seed'> = {
  rounds: 700,
  rate: 0.04,
  depth: 4,
  rows: 0.7,
  columns: 0.4,
  ridge: 3,
  leaf: 3,
}
const PATIENCE = 50
/** Trees are fitted so often to all rows, each time to other draws, and their mean is taken. */
const DRAWS = 3
const RIDGES = [3, 12]
const STEPS = Array.from({ length: 11 }, (_, i) => i / 10)
const POWERS = Array.from({ length: 17 }, (_, i) => 0.7 + i * 0.05)

interface Task {
  readonly schema: Schema
  readonly encoded: Encoded
  readonly y: Int32Array
  readonly classes: number
}

/** Columns of a table from which something can be learned. @throws {WarningModelError} */
function readColumns(table: CellTable, options: FitOptions): { columns: Column[]; leftOut: LeftOut[] } {
  const { target, without = [], keep = [] } = options
  const named = new Set(table.heads)
  for (const name of [...without, ...keep])
    if (!named.has(name)) throw new WarningModelError(`there is no column "${name}"`)
  if (named.size < table.heads.length) {
    const twice = table.heads.find((head, i) => table.heads.indexOf(head) !== i)
    throw new WarningModelError(`two columns are called "${twice}"`)
  }
  const mark = decimalMark(table)
  const columns: Column[] = []
  const leftOut: LeftOut[] = []
  for (const [place, name] of table.heads.entries()) {
    if (name === target) continue
    if (without.includes(name)) {
      leftOut.push({ name, why: 'as asked' })
      continue
    }
    const cells = table.rows.map((row) => row[place] ?? '')
    const column = columnOf(name, cells, mark, keep.includes(name))
    if ('why' in column) leftOut.push(column)
    else columns.push(column)
  }
  if (!columns.length) throw new WarningModelError('there is no column from which anything can be learned')
  return { columns, leftOut }
}

/** The classes of the rows, without those that have none. @throws {WarningModelError} */
function readClasses(table: CellTable, target: string): { classes: string[]; rows: number[]; of: number[] } {
  const place = table.heads.indexOf(target)
  if (place < 0)
    throw new WarningModelError(
      `there is no column "${target}"; there are: ${table.heads.map((head) => `"${head}"`).join(', ')}`,
    )
  const counted = new Map<string, number>()
  const rows = table.rows.flatMap((row, i) => (isEmpty(row[place]) ? [] : [i]))
  for (const i of rows) counted.set(table.rows[i]![place]!, (counted.get(table.rows[i]![place]!) ?? 0) + 1)
  if (counted.size < 2) throw new WarningModelError(`"${target}" has one class only, so there is nothing to tell apart`)
  if (counted.size > 20)
    throw new WarningModelError(`"${target}" has ${counted.size} values; classes are expected, at most 20`)
  const rare = [...counted].filter(([, count]) => count < 10).map(([name, count]) => `${name} (${count})`)
  if (rare.length)
    throw new WarningModelError(`too few rows of a class to learn from: ${rare.join(', ')}; 10 are needed`)
  const classes = [...counted.keys()].toSorted()
  return { classes, rows, of: rows.map((i) => classes.indexOf(table.rows[i]![place]!)) }
}

/** The fold of each row, so that every class is spread over all folds. */
function foldsOf(y: Int32Array, folds: number, seed: number): Uint8Array {
  const fold = new Uint8Array(y.length)
  const next: number[] = []
  for (const row of shuffled(y.length, drawn(seed))) {
    const k = y[row]!
    fold[row] = (next[k] = (next[k] ?? k) + 1) % folds
  }
  return fold
}

/** Probabilities of rows by trees fitted to the others, and the number of rounds that was best. */
function treesUnseen(
  task: Task,
  fold: Uint8Array,
  folds: number,
  seed: number,
): { shares: number[][]; rounds: number } {
  const features = treeFeatures(task.schema, task.encoded)
  const data = binned(features, features.map(limitsOf))
  const loss: number[] = []
  const reached: number[] = []
  const kept: number[][][] = []
  for (let f = 0; f < folds; f += 1) {
    const train = Int32Array.from(task.y.keys()).filter((i) => fold[i] !== f)
    const held = Int32Array.from(task.y.keys()).filter((i) => fold[i] === f)
    let [best, at] = [Infinity, 0]
    const p: number[] = []
    boost(features, data, task.y, task.classes, train, { ...TREES, seed: seed + f }, held, (round, margins) => {
      let sum = 0
      for (const row of held) {
        softmax(margins, row, p)
        sum -= Math.log(Math.max(p[task.y[row]!]!, 1e-12))
        // Every fifth round is kept, so that all folds can be read at the round that is best for all.
        if (round % 5 === 4) ((kept[row] ??= [])[(round - 4) / 5] ??= []).push(...p)
      }
      if (round % 5 === 4) {
        const i = (round - 4) / 5
        loss[i] = (loss[i] ?? 0) + sum
        reached[i] = (reached[i] ?? 0) + 1
      }
      if (sum < best) [best, at] = [sum, round]
      return round - at < PATIENCE
    })
  }
  let best = 0
  for (let i = 0; i < loss.length; i += 1) if (reached[i] === folds && loss[i]! < loss[best]!) best = i
  return { shares: kept.map((of) => of[best]!), rounds: best * 5 + 5 }
}

function regressionUnseen(task: Task, fold: Uint8Array, folds: number): { shares: number[][]; ridge: number } {
  const rows = sparseRows(task.schema, task.encoded)
  let best: { shares: number[][]; ridge: number; loss: number } | null = null
  for (const ridge of RIDGES) {
    const shares: number[][] = []
    for (let f = 0; f < folds; f += 1) {
      const train = Int32Array.from(task.y.keys()).filter((i) => fold[i] !== f)
      const weights = logistic(rows, task.y, task.classes, train, ridge)
      for (let i = 0; i < task.y.length; i += 1) {
        if (fold[i] !== f) continue
        const out: number[] = []
        marginsOf(rows, i, weights, out)
        toShares(out)
        shares[i] = out
      }
    }
    const loss = logLoss(shares, task.y)
    if (!best || loss < best.loss) best = { shares, ridge, loss }
  }
  return best!
}

/** What is best where nothing was seen: the share of the trees, and the power of the mixture. */
function bestMixture(trees: Shares, regression: Shares, y: Int32Array): { share: number; power: number } {
  const lossAt = (share: number, power: number) =>
    logLoss(
      trees.map((one, i) => mixed(one, regression[i]!, share, power)),
      y,
    )
  const least = (of: readonly number[], loss: (one: number) => number) =>
    of.map((one) => ({ one, loss: loss(one) })).toSorted((a, b) => a.loss - b.loss)[0]!.one
  const share = least(STEPS, (one) => lossAt(one, 1))
  return { share, power: least(POWERS, (one) => lossAt(share, one)) }
}

/** The weights of classes by all folds but one, and all measures by what they say of that one: no row judges itself. */
function judged(shares: Shares, y: Int32Array, fold: Uint8Array, folds: number, classes: number) {
  const predicted = new Int32Array(y.length)
  const logs = Array.from({ length: classes }, () => 0)
  const by_fold: number[] = []
  for (let f = 0; f < folds; f += 1) {
    const others = Array.from(y.keys()).filter((i) => fold[i] !== f)
    const weights = classWeights(
      others.map((i) => shares[i]!),
      others.map((i) => y[i]!),
      classes,
    )
    for (const [k, weight] of weights.entries()) logs[k]! += Math.log(weight) / folds
    const held = Array.from(y.keys()).filter((i) => fold[i] === f)
    for (const i of held) predicted[i] = chosenClass(shares[i]!, weights)
    by_fold.push(
      measured(
        held.map((i) => y[i]!),
        held.map((i) => predicted[i]!),
        classes,
      ).macro_f1,
    )
  }
  const mean = by_fold.reduce((sum, one) => sum + one, 0) / folds
  const spread = Math.sqrt(by_fold.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(1, folds - 1))
  return { weights: logs.map(Math.exp), by_fold, spread, ...measured(y, predicted, classes) }
}

const short = (value: number): number => Number(value.toPrecision(6))

/** Trees of all rows: the mean of several draws. */
function wholeTrees(task: Task, rows: Int32Array, rounds: number, seed: number): Boosted {
  const features = treeFeatures(task.schema, task.encoded)
  const data = binned(features, features.map(limitsOf))
  const drawn = Array.from({ length: DRAWS }, (_, draw) =>
    // A little more rounds than on the folds, as there is a fold more to learn from.
    boost(features, data, task.y, task.classes, rows, {
      ...TREES,
      rounds: Math.round(rounds * 1.1),
      seed: seed * 1_000 + draw,
    }),
  )
  return {
    start: drawn[0]!.start.map(short),
    trees: drawn.flatMap(({ trees }) =>
      trees.map((set) => set.map((tree) => ({ ...tree, value: tree.value.map((value) => short(value / DRAWS)) }))),
    ),
  }
}

/**
 * Fits a model to a table. The same table, options and seed give the same model.
 * @throws {WarningModelError} where the table cannot be learned from
 */
export function fitModel(table: CellTable, options: FitOptions): Fitted {
  const { target, folds = 5, seed = 1, most = 12_000 } = options
  const known = readClasses(table, target)
  const all = known.rows.length
  // More rows than these say nothing new, and the time would not be kept.
  const order =
    all > most ? shuffled(all, drawn(seed)).slice(0, most).toSorted() : Int32Array.from({ length: all }, (_, i) => i)
  const rows = Array.from(order, (i) => known.rows[i]!)
  const y = Int32Array.from(order, (i) => known.of[i]!)
  const used: CellTable = { heads: table.heads, rows: rows.map((i) => table.rows[i]!) }
  const { columns, leftOut } = readColumns(used, options)
  const { encoded } = encode(used, columns)
  const schema: Schema = { columns, shares: sharesIn(columns, encoded) }
  const classes = known.classes.length
  const task: Task = { schema, encoded, y, classes }
  const fold = foldsOf(y, folds, seed)
  const trees = treesUnseen(task, fold, folds, seed)
  const regression = regressionUnseen(task, fold, folds)
  const { share, power } = bestMixture(trees.shares, regression.shares, y)
  const shares = trees.shares.map((one, i) => mixed(one, regression.shares[i]!, share, power))
  const { weights, by_fold, spread, ...measures } = judged(shares, y, fold, folds, classes)
  const everybody = Int32Array.from(y.keys())
  const whole = share === 0 ? null : wholeTrees(task, everybody, trees.rounds, seed)
  const weighed = share === 1 ? null : logistic(sparseRows(schema, encoded), y, classes, everybody, regression.ridge)
  const model: WarningModel = {
    format: 'early-warning 1',
    target,
    names: leftOut.filter(({ why }) => why === NAMES_ROWS).map(({ name }) => name),
    classes: known.classes,
    schema,
    trees: whole,
    regression: weighed && weighed.map((of) => Array.from(of, short)),
    share,
    power: short(power),
    class_weights: weights.map(short),
    rows: rows.length,
    rounds: trees.rounds,
    ridge: regression.ridge,
    report: {
      ...measures,
      folds,
      by_fold,
      spread,
      brier: brier(shares, y),
      calibration_error: calibrationError(shares, y, classes),
      losses: {
        trees: logLoss(trees.shares, y),
        regression: logLoss(regression.shares, y),
        mixed: logLoss(shares, y),
      },
    },
  }
  return {
    model,
    leftOut,
    rowsWithout: table.rows.length - all,
    rowsNotDrawn: all - rows.length,
    unseen: { rows, shares, classes: Array.from(y) },
  }
}

/** Probabilities by class of encoded rows. */
export function sharesBy(model: WarningModel, encoded: Encoded): number[][] {
  const n = encoded[0]?.length ?? 0
  const classes = model.classes.length
  const out: number[][] = Array.from({ length: n }, () => [])
  const second: number[][] = Array.from({ length: n }, () => Array.from({ length: classes }, () => 1 / classes))
  if (model.trees) {
    const features = treeFeatures(model.schema, encoded)
    const margins = model.trees.start.map((one) => new Float64Array(n).fill(one))
    const rows = Int32Array.from({ length: n }, (_, i) => i)
    for (const set of model.trees.trees)
      for (const [k, tree] of set.entries()) addTree(tree, features, rows, margins[k]!)
    for (let i = 0; i < n; i += 1) softmax(margins, i, out[i]!)
  } else for (let i = 0; i < n; i += 1) out[i] = Array.from({ length: classes }, () => 1 / classes)
  if (model.regression) {
    const rows = sparseRows(model.schema, encoded)
    for (let i = 0; i < n; i += 1) {
      marginsOf(rows, i, model.regression, second[i]!)
      toShares(second[i]!)
    }
  }
  return out.map((one, i) => mixed(one, second[i]!, model.share, model.power))
}

/** A column that weighs for what is said of a row: how much less likely it would be if the value were as usual. */
export interface Weighing {
  readonly column: number
  /** In points of a hundred. */
  readonly points: number
}
export interface ScoredRow {
  readonly shares: readonly number[]
  readonly chosen: number
  readonly weighing: readonly Weighing[]
}

/**
 * Scores encoded rows. What weighs is found by asking the model again with one value as most have it; `of` is the class that is asked
 * about, where it is not the one that was chosen.
 */
export function scoreRows(model: WarningModel, encoded: Encoded, most = 3, of?: number): ScoredRow[] {
  const shares = sharesBy(model, encoded)
  const chosen = shares.map((one) => chosenClass(one, model.class_weights))
  const about = (i: number) => of ?? chosen[i]!
  const weighing: Weighing[][] = shares.map(() => [])
  for (const [c, column] of most > 0 ? model.schema.columns.entries() : []) {
    const usual = column.kind === 'category' ? column.values.indexOf(column.usual) : Number(column.usual)
    const other = encoded.map((values, at) => (at === c ? new Float64Array(values.length).fill(usual) : values))
    for (const [i, one] of sharesBy(model, other).entries()) {
      const k = about(i)
      const points = 100 * (shares[i]![k]! - one[k]!)
      if (points >= 0.5) weighing[i]!.push({ column: c, points })
    }
  }
  return shares.map((one, i) => ({
    shares: one,
    chosen: chosen[i]!,
    weighing: weighing[i]!.toSorted((a, b) => b.points - a.points).slice(0, most),
  }))
}
