import { expect, test } from 'vitest'
import { changedForResults, settingsIn } from './editions.rules.ts'
import type { Settings } from './settings.contract.ts'
import type { BylawSettings } from './settings.rules.ts'

const range = (letter: string, from: string, to: string, points: string, success = true) => ({
  letter,
  name: letter,
  name_local: letter,
  from_percent: from,
  to_percent: to,
  points,
  success,
})
const level = (n: number, passed_hours: number) => ({ level: n, name: `L${n}`, name_local: `م${n}`, passed_hours })
const settings = {
  total_places: 0,
  warning_gpa: '2.00',
  load_ranges: [],
  grades_visibility: { marks: null, letter: null, points: null, gpa: null },
  levels: [level(1, 0), level(2, 30)],
  grade_types: [
    {
      kind: 'letter',
      name: 'Letters',
      name_local: 'تقديرات',
      ranges: [range('P', '50', '100', '4'), range('F', '0', '50', '0', false)],
    },
  ],
  special_grades: [],
  ratings: [{ code: 'EX', name: 'Excellent', name_local: 'ممتاز', from_share: '85' }],
} as unknown as Settings

test.each<[string, Partial<Settings>, string[]]>([
  ['names', { levels: [{ ...level(1, 0), name: 'First' }, level(2, 30)] }, []],
  ['what students see', { grades_visibility: { marks: 'Frozen' } as never }, []],
  ['loads', { load_ranges: [{ from_gpa: '0' }] as never }, []],
  ['the same decimal', { warning_gpa: '2' }, []],
  ['the order of a set', { levels: [level(2, 30), level(1, 0)] }, []],
  ['a warning', { warning_gpa: '1.75' }, ['warning_gpa']],
  ['a level that goes', { levels: [level(1, 0)] }, ['levels']],
  ['hours of a level', { levels: [level(1, 0), level(2, 36)] }, ['levels']],
  [
    'a letter that fails',
    {
      grade_types: [
        {
          ...settings.grade_types[0]!,
          ranges: [range('P', '50', '100', '4', false), range('F', '0', '50', '0', false)],
        },
      ],
    },
    ['grade_types'],
  ],
  [
    'bounds',
    {
      grade_types: [
        { ...settings.grade_types[0]!, ranges: [range('P', '60', '100', '4'), range('F', '0', '60', '0', false)] },
      ],
    },
    ['grade_types'],
  ],
  ['a rating', { ratings: [{ ...settings.ratings[0]!, from_share: '90' }] }, ['ratings']],
])('results stand on %s', (_name, change, parts) => {
  expect(changedForResults(settings, { ...settings, ...change })).toEqual(parts)
})

test('in each term holds what held then', () => {
  const bylaw = (name: string, earlier: BylawSettings['earlier'] = []) =>
    ({ name, earlier }) as unknown as BylawSettings
  const [first, second] = [bylaw('first'), bylaw('second')]
  const newest = bylaw('newest', [
    { until: { id: 5, start_date: '2025-09-01' }, settings: first },
    { until: { id: 7, start_date: '2026-02-01' }, settings: second },
  ])
  const at = (id: number, start_date: string) => settingsIn(newest, { id, start_date })
  expect(at(1, '2024-09-01')).toBe(first)
  // The term from which a change holds is the first with it; of two terms of one day the order of ids decides.
  expect(at(5, '2025-09-01')).toBe(second)
  expect(at(4, '2025-09-01')).toBe(first)
  expect(at(6, '2026-01-31')).toBe(second)
  expect(at(7, '2026-02-01')).toBe(newest)
  expect(at(9, '2030-01-01')).toBe(newest)
})
