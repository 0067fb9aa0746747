import { expect, test } from 'vitest'
import { binned, limitsOf } from './boost.rules.ts'
import { readModel, scoresAsCsv, scoreTable } from './file.rules.ts'
import { encode } from './frame.rules.ts'
import { brier, calibrationError, chosenClass, classWeights, measured, mixed } from './measure.rules.ts'
import { fitModel, scoreRows } from './model.rules.ts'
import { columnOf, decimalMark, NAMES_ROWS, numberOf, WarningModelError, type CellTable } from './table.rules.ts'
import { drawn } from './random.rules.ts'
import { madeStudents } from './testing.rules.ts'

const part = ({ heads, rows }: CellTable, from: number, to: number): CellTable => ({
  heads,
  rows: rows.slice(from, to),
})
const all = madeStudents(3_000, 5)
const fitted = fitModel(part(all, 0, 1_500), { target: 'Target' })
const { model } = fitted
const unseen = part(all, 1_500, 3_000)

test('three classes are told apart as well on rows that nobody saw as is said', () => {
  const { measures } = scoreTable(model, unseen, 0)
  expect(model.report.macro_f1).toBeGreaterThan(0.69)
  expect(measures!.macro_f1).toBeGreaterThan(0.69)
  expect(Math.abs(measures!.macro_f1 - model.report.macro_f1)).toBeLessThan(0.04)
  expect(model.report.by_fold).toHaveLength(5)
  // Without weights, the class between the two others would hardly be named.
  const enrolled = model.classes.indexOf('Enrolled')
  const plain = scoreTable({ ...model, class_weights: [1, 1, 1] }, unseen, 0).measures!
  expect(measures!.classes[enrolled]!.recall).toBeGreaterThan(plain.classes[enrolled]!.recall + 0.1)
  expect(measures!.macro_f1).toBeGreaterThan(plain.macro_f1)
})

test('probabilities are those that come true', () => {
  const { rows } = scoreTable(model, unseen, 0)
  const shares = rows.map((row) => row.shares)
  const truth = unseen.rows.map((row) => model.classes.indexOf(row.at(-1)!))
  for (const one of shares) expect(one.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 6)
  expect(calibrationError(shares, truth, 3)).toBeLessThan(0.04)
  expect(brier(shares, truth)).toBeLessThan(0.3)
  expect(model.report.losses.mixed).toBeLessThanOrEqual(
    Math.min(model.report.losses.trees, model.report.losses.regression) + 1e-9,
  )
})

test('the same rows and seed give the same model, and a model is read as it was written', () => {
  const again = fitModel(part(all, 0, 1_500), { target: 'Target' }).model
  expect(again).toEqual(model)
  const read = readModel(JSON.stringify(model))
  expect(scoreTable(read, part(unseen, 0, 50))).toEqual(scoreTable(model, part(unseen, 0, 50)))
  for (const text of ['no', '{}', JSON.stringify({ ...model, class_weights: 'x' })])
    expect(() => readModel(text)).toThrow(WarningModelError)
})

test('columns in another order and decimal commas are read alike', () => {
  const some = part(unseen, 0, 60)
  const turned: CellTable = {
    heads: some.heads.map((head) => ` ${head.toUpperCase()}`).toReversed(),
    rows: some.rows.map((row) => row.map((cell) => cell.replace(/^(-?\d+)\.(\d+)$/, '$1,$2')).toReversed()),
  }
  expect(decimalMark(turned)).toBe(',')
  expect(scoreTable(model, turned).rows).toEqual(scoreTable(model, some).rows)
})

test('what is missing is named, and what is unknown is told and taken as empty', () => {
  const some = part(unseen, 0, 40)
  const without = {
    heads: some.heads.filter((head) => head !== 'Course'),
    rows: some.rows.map((row) => row.toSpliced(some.heads.indexOf('Course'), 1)),
  }
  expect(() => scoreTable(model, without)).toThrow('columns that are not there: "Course"')
  const place = some.heads.indexOf('Admission grade')
  const strange = { heads: some.heads, rows: some.rows.map((row, i) => (i ? row : row.with(place, 'very good'))) }
  expect(scoreTable(model, strange).unknown).toEqual([{ name: 'Admission grade', count: 1, values: ['very good'] }])
  const words = { heads: some.heads, rows: some.rows.map((row) => row.with(place, 'very good')) }
  expect(() => scoreTable(model, words)).toThrow('"Admission grade" was numbers')
})

test('what weighs for a row are its values that are not as usual', () => {
  const some = part(unseen, 0, 400)
  const { rows } = scoreTable(model, some)
  const gone = rows.findIndex(({ shares }) => shares[model.classes.indexOf('Dropout')]! > 0.95)
  const names = rows[gone]!.weighing.map(({ column }) => model.schema.columns[column]!.name)
  expect(names.some((name) => name.includes('approved'))).toBe(true)
  const csv = scoresAsCsv(model, some, { rows, unknown: [], measures: null }).split('\n')
  expect(csv[0]).toBe('row,p_Dropout,p_Enrolled,p_Graduate,predicted,reasons')
  expect(csv[gone + 1]).toMatch(/^\d+,0\.9\d+,.*,Dropout,.*\(approved\) = \d+ \(\+\d+\)/)
  expect(scoreRows(model, encode(some, model.schema.columns).encoded, 0).every((row) => !row.weighing.length)).toBe(
    true,
  )
})

test('columns of ids, of one value and of free words are left out and named', () => {
  const small = part(all, 0, 400)
  const table: CellTable = {
    heads: ['Student code', 'nr', 'Remark', 'Same', ...small.heads],
    rows: small.rows.map((row, i) => [`S-${i}`, String(20_000 + i), `said ${i}`, 'x', ...row]),
  }
  const found = fitModel(table, { target: 'Target', folds: 3, without: ['GDP'] })
  expect(found.leftOut).toEqual([
    { name: 'Student code', why: NAMES_ROWS },
    { name: 'nr', why: NAMES_ROWS },
    { name: 'Remark', why: NAMES_ROWS },
    { name: 'Same', why: 'the same in all rows' },
    { name: 'GDP', why: 'as asked' },
  ])
  const kept = fitModel(table, { target: 'Target', folds: 3, keep: ['nr'] })
  expect(kept.model.schema.columns[0]?.name).toBe('nr')
  const csv = scoresAsCsv(found.model, part(table, 0, 2), scoreTable(found.model, part(table, 0, 2)))
  expect(csv.split('\n')[1]).toMatch(/^1,S-0,20000,said 0,/)
}, 30_000)

test('categories in words are learned from, and where nothing can be learned nothing is promised', () => {
  const random = drawn(2)
  const cities = ['Giza', 'Cairo', 'Tanta', 'Aswan']
  const rows = Array.from({ length: 600 }, () => {
    const city = cities[Math.floor(random() * 4)]!
    return [city, random() < (city === 'Giza' ? 0.9 : 0.1) ? 'left' : 'stayed', random() < 0.5 ? 'a' : 'b']
  })
  const words = fitModel({ heads: ['City', 'Became', 'Coin'], rows }, { target: 'Became', without: ['Coin'] }).model
  expect(words.report.macro_f1).toBeGreaterThan(0.8)
  expect(
    scoreTable(words, { heads: ['City'], rows: [['Giza'], ['Luxor'], ['']] }).rows.map(
      ({ shares }) => shares[0]! > 0.5,
    ),
  ).toEqual([true, false, false])
  const chance = fitModel({ heads: ['City', 'Became', 'Coin'], rows }, { target: 'Coin' }).model
  expect(chance.report.accuracy).toBeLessThan(0.6)
  expect(chance.report.calibration_error).toBeLessThan(0.1)
})

test('a table from which nothing can be learned is refused in words', () => {
  const small = part(all, 0, 100)
  const fit = (table: CellTable, target: string) => () => fitModel(table, { target })
  expect(fit(small, 'Nothing')).toThrow('there is no column "Nothing"')
  expect(fit(small, 'Admission grade')).toThrow('classes are expected')
  expect(fit({ heads: ['a', 'b'], rows: small.rows.map((_, i) => [String(i), 'x']) }, 'b')).toThrow('one class only')
  expect(fit({ heads: ['a', 'a', 'b'], rows: [] }, 'b')).toThrow('one class only')
  const rare = small.rows.map((_, i) => [String(i % 7), i < 3 ? 'x' : 'y'])
  expect(fit({ heads: ['a', 'b'], rows: rare }, 'b')).toThrow('too few rows of a class to learn from: x (3)')
  const twice = small.rows.map((_, i) => [String(i % 7), '1', i % 2 ? 'x' : 'y'])
  expect(fit({ heads: ['a', 'a', 'b'], rows: twice }, 'b')).toThrow('two columns are called "a"')
  const ids = small.rows.map((_, i) => [String(9_000 + i), i % 2 ? 'x' : 'y'])
  expect(fit({ heads: ['id', 'b'], rows: ids }, 'b')).toThrow('no column from which anything can be learned')
})

test('numbers are read by the decimal mark of their table', () => {
  expect(['1.5', '1,234.5', '1,234', '12%', 'x', '', 'NaN', '1,5'].map((text) => numberOf(text, '.'))).toEqual([
    1.5,
    1234.5,
    1234,
    12,
    NaN,
    NaN,
    NaN,
    NaN,
  ])
  expect(['1,5', '1.234,5', '1.234', '1.5'].map((text) => numberOf(text, ','))).toEqual([1.5, 1234.5, 1234, NaN])
  expect(columnOf('grade', ['1', '2', '2', 'x', ...Array.from({ length: 30 }, () => '2')], '.')).toMatchObject({
    kind: 'code',
    gaps: true,
    usual: '2',
  })
})

test('measures: F1, weights of classes, mixtures, bins', () => {
  const [truth, said] = [
    [0, 0, 0, 1, 1, 2],
    [0, 0, 1, 1, 1, 0],
  ]
  const { macro_f1, classes, accuracy } = measured(truth!, said!, 3)
  expect(accuracy).toBeCloseTo(4 / 6)
  expect(classes.map(({ f1 }) => f1)).toEqual([2 / 3, 0.8, 0])
  expect(macro_f1).toBeCloseTo((2 / 3 + 0.8) / 3)
  expect(chosenClass([0.5, 0.3, 0.2], [1, 2, 1])).toBe(1)
  const shares = truth!.map((k) => (k === 1 ? [0.55, 0.45] : [0.9, 0.1]))
  const weights = classWeights(
    shares,
    truth!.map((k) => (k === 1 ? 1 : 0)),
    2,
  )
  expect(shares.map((one) => chosenClass(one, weights))).toEqual([0, 0, 0, 1, 1, 0])
  expect(mixed([0.8, 0.2], [0.2, 0.8], 0.5)).toEqual([0.5, 0.5])
  expect(mixed([0.8, 0.2], [0.2, 0.8], 1)[0]).toBeCloseTo(0.8)
  const values = Float64Array.of(3, NaN, 1, 2, 2)
  const limits = limitsOf(values)
  expect([...limits]).toEqual([1.5, 2.5])
  expect([...binned([values], [limits]).bins[0]!]).toEqual([3, 0, 1, 2, 2])
  expect(limitsOf(Float64Array.from({ length: 1_000 }, (_, i) => i)).length).toBeLessThanOrEqual(62)
})
