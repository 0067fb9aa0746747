import { expect, test } from 'vitest'
import { checkBandLevels, checkBands } from './bands.rules.ts'

const bands = (...ends: [from: number, to: number][]) =>
  ends.map(([from, to], i) => ({ name: `L${i}`, from: from * 100, to: to * 100 })) as unknown as Parameters<
    typeof checkBands
  >[0]
test.each<[string, [number, number][], string[]]>([
  [
    'tile all scores',
    [
      [0, 40],
      [40, 100],
    ],
    [],
  ],
  ['begin above the lowest', [[10, 100]], ['placement_band_begins bands.0.from_score']],
  [
    'leave a gap',
    [
      [0, 40],
      [50, 100],
    ],
    ['placement_band_begins bands.1.from_score'],
  ],
  [
    'lie over each other',
    [
      [0, 60],
      [50, 100],
    ],
    ['placement_band_begins bands.1.from_score'],
  ],
  [
    'end below the highest',
    [
      [0, 40],
      [40, 90],
    ],
    ['placement_band_ends bands.1.to_score'],
  ],
  [
    'end where they begin',
    [
      [0, 0],
      [0, 100],
    ],
    ['placement_levels_order bands.0.to_score'],
  ],
  ['are none', [], ['placement_band_ends bands.0.to_score']],
])('levels %s', (_, ends, told) => {
  expect(checkBands(bands(...ends), 10_000 as never, 'bands').map(({ code, field }) => `${code} ${field}`)).toEqual(
    told,
  )
})
test('a course stands at a level that the test has', () => {
  expect(checkBandLevels([1, 2, 3], 2, 'courses')).toEqual([
    { field: 'courses.2.level', code: 'placement_level_unknown', data: { level: 3, count: 2 } },
  ])
})
