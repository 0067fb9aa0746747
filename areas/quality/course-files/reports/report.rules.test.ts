import { expect, test } from 'vitest'
import { changedFigures, reportFigures, type ReportResult, type ReportSource } from './report.rules.ts'

const result = (total: number | null, letter = 'B', passed: boolean | null = true): ReportResult => ({
  total,
  letter,
  passed,
})
const source = (results: readonly ReportResult[], more: Partial<ReportSource> = {}): ReportSource => ({
  results,
  registered: results.length,
  withdrawn: 0,
  planned: 30,
  held: 20,
  cancelled: 1,
  present: 90,
  recorded: 120,
  before: null,
  said: null,
  ...more,
})

test.each([
  [
    [],
    { marked: 0, mean: null, deviation: null, median: null, passed: null, outliers: 0, lowest: null, highest: null },
  ],
  [[80], { marked: 1, mean: 80, deviation: null, median: 80, passed: 100, outliers: 0, lowest: 80, highest: 80 }],
  [[60, 80], { mean: 70, deviation: 14.14, median: 70 }],
  [[50, 60, 100], { mean: 70, median: 60, lowest: 50, highest: 100 }],
  [[10, 20, 30, 100], { median: 25 }],
] as const)('totals %j', (totals, figures) => {
  expect(reportFigures(source(totals.map((one) => result(one))))).toMatchObject(figures)
})
test('one far from all others is told, and one among others that differ is not', () => {
  const same = Array.from({ length: 30 }, (_, i) => result(70 + (i % 3)))
  expect(reportFigures(source([...same, result(5)])).outliers).toBe(1)
  expect(reportFigures(source([result(0), result(50), result(100)])).outliers).toBe(0)
  // All the same: nothing is far, and nothing is divided by nothing.
  expect(reportFigures(source([result(70), result(70)])).outliers).toBe(0)
})
test('grades are counted, the most frequent first; who has none is not', () => {
  const { letters, passed, marked } = reportFigures(
    source([result(90, 'A'), result(70, 'C'), result(71, 'C'), result(30, 'F', false), result(null, 'I', null)]),
  )
  expect(letters).toEqual([
    { letter: 'C', count: 2 },
    { letter: 'A', count: 1 },
    { letter: 'F', count: 1 },
    { letter: 'I', count: 1 },
  ])
  expect([passed, marked]).toEqual([75, 4])
})
test('a full mark stands among the best ten', () => {
  expect(reportFigures(source([result(0), result(9.99), result(10), result(99), result(100)])).tens).toEqual([
    2, 1, 0, 0, 0, 0, 0, 0, 0, 2,
  ])
})
test('attendance is of those recorded, and unknown where nobody kept a list', () => {
  expect(reportFigures(source([])).attendance).toBe(75)
  expect(reportFigures(source([], { present: 0, recorded: 0 })).attendance).toBeNull()
})
test('what students said stands beside, as far as it was counted', () => {
  const said = { asked: 20, answered: 12, rated: 81.5 }
  expect(reportFigures(source([], { said }))).toMatchObject(said)
  expect(reportFigures(source([]))).toMatchObject({ asked: null, answered: null, rated: null })
})
test('the time before stands beside, as far as it is known', () => {
  expect(reportFigures(source([], { before: { mean: 66.5, passed: 80 } }))).toMatchObject({
    mean_before: 66.5,
    passed_before: 80,
  })
  expect(reportFigures(source([]))).toMatchObject({ mean_before: null, passed_before: null })
})
test('what has changed is named', () => {
  const then = reportFigures(source([result(60), result(80)]))
  expect(changedFigures(then, reportFigures(source([result(60), result(80)])))).toEqual([])
  // As the database gives it back: other keys first.
  const kept = { ...then, letters: then.letters.map(({ letter, count }) => ({ count, letter })) }
  expect(changedFigures(kept, then)).toEqual([])
  expect(changedFigures({ ...then, letters: [{ letter: 'B', count: 1 }] }, then)).toEqual(['letters'])
  expect(changedFigures(then, reportFigures(source([result(60), result(81)], { held: 21 })))).toEqual(
    expect.arrayContaining(['mean', 'highest', 'held']),
  )
})
