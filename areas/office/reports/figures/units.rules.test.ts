import { expect, test } from 'vitest'
import type { UnitHistory } from '#areas/study/catalogue/units/unit.rules.ts'
import type { FigureLabel } from './figures.contract.ts'
import { besideEachOther, isOverTime, labelOfTime, splitsAmong, unitOf, type ToldSplit } from './units.rules.ts'

const name = (text: string) => ({ name: text, name_local: text })
const history = (of: Partial<UnitHistory> = {}): UnitHistory => ({
  now: new Map([[1, { ...name('Informatics'), within: null }]]),
  former: new Map([[1, [{ ...name('Computing'), until: '2024-09-01', within: null }]]]),
  successions: [],
  ...of,
})
const label = { key: '1', of: { id: 1, code: 'F1', ...name('Computing') } } as unknown as FigureLabel
const span = (from: string | null, to: string, one = false) => ({ from, to, one })

test('which values have a history, and which figures are of a time', () => {
  expect([unitOf('faculty'), unitOf('department'), unitOf('program'), unitOf('gender')]).toEqual([
    'faculty',
    'department',
    'program',
    null,
  ])
  expect([isOverTime('term'), isOverTime('year'), isOverTime('cohort'), isOverTime('faculty')]).toEqual([
    true,
    true,
    false,
    false,
  ])
})

test('a figure of one term carries the name of then beside the present one', () => {
  const told = labelOfTime(label, 'faculty', { faculty: history() }, span('2023-09-01', '2023-12-31', true))
  expect(told.of?.name).toBe('Informatics')
  expect(told.called).toMatchObject({ of_then: { name: 'Computing', until: '2024-09-01' }, former: [] })
})

test('a figure of several carries the present name, with the former ones of that span', () => {
  const of = (from: string | null, to: string) =>
    labelOfTime(label, 'faculty', { faculty: history() }, span(from, to)).called?.former.map((one) => one.name) ?? []
  expect(of('2022-09-01', '2026-08-31')).toEqual(['Computing'])
  expect(of(null, '2026-08-31')).toEqual(['Computing'])
  expect(of('2025-09-01', '2026-08-31')).toEqual([])
})

test('without a time, a history or a value nothing is told', () => {
  expect(labelOfTime(label, 'faculty', { faculty: history() }, null)).toMatchObject({ of: { name: 'Informatics' } })
  expect(labelOfTime(label, 'faculty', { faculty: history() }, null)).not.toHaveProperty('called')
  expect(labelOfTime(label, 'faculty', {}, span(null, '2026-01-01'))).toBe(label)
  expect(labelOfTime(label, 'gender', { faculty: history() }, span(null, '2026-01-01'))).toBe(label)
  const nobody = { key: null, of: null } as unknown as FigureLabel
  expect(labelOfTime(nobody, 'faculty', { faculty: history() }, span(null, '2026-01-01'))).toBe(nobody)
})

test('a department that moved says to which faculty it belonged; one that stayed does not', () => {
  const department = history({
    now: new Map([[1, { ...name('Algebra'), within: name('Science') }]]),
    former: new Map([
      [
        1,
        [
          { ...name('Algebra'), until: '2020-09-01', within: name('Arts') },
          { ...name('Mathematics'), until: '2022-09-01', within: name('Science') },
        ],
      ],
    ]),
  })
  const at = (to: string) => labelOfTime(label, 'department', { department }, span(to, to, true)).called?.of_then
  expect(at('2019-10-01')).toMatchObject({ name: 'Algebra', within: { name: 'Arts' } })
  expect(at('2021-10-01')).toMatchObject({ name: 'Mathematics', within: null })
})

test('units that went on in several are told where their figures are', () => {
  const successions = [
    { from: 1, to: 2, on: '2024-09-01', kind: 'replaced' as const },
    { from: 1, to: 3, on: '2024-09-01', kind: 'replaced' as const },
  ]
  const split = (keys: (string | null)[], today = '2026-01-01') =>
    splitsAmong('faculty', keys, history({ successions }), today)
  expect(split(['1', null])).toEqual([{ by: 'faculty', of: '1', on: '2024-09-01', into: ['2', '3'], goes_on: false }])
  expect(split(['2', '3'])).toEqual([])
  // Noted for a day that is still to come.
  expect(split(['1'], '2024-08-31')).toEqual([])
})

test.each<[string, string, [of: string, into: string][], string]>([
  ['nothing was split', 'abc', [], 'abc'],
  ['those that followed stand below', 'abcd', [['a', 'cd']], 'acdb'],
  ['also from above', 'cabd', [['a', 'cd']], 'acdb'],
  ['what ended has no row', 'bcd', [['a', 'cd']], 'bcd'],
  ['none of those that followed has one', 'ab', [['a', 'cd']], 'ab'],
  [
    'a chain',
    'dcba',
    [
      ['a', 'b'],
      ['b', 'c'],
    ],
    'dabc',
  ],
])('%s', (_, rows, splits, ordered) => {
  const told = splits.map(([of, into]): ToldSplit => ({
    by: 'faculty',
    of,
    on: '2024-01-01',
    into: [...into],
    goes_on: false,
  }))
  expect(besideEachOther([...rows], (row) => row, told).join('')).toBe(ordered)
})
