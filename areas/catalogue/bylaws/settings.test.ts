import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BYLAWS } from '../../../apps/demo/bylaws.ts'
import type { Settings } from './settings.contract.ts'
import { checkSettings, partOf, percentRanges, toBylaw } from './settings.rules.ts'

const usual = (entry: (typeof BYLAWS)[number]): Settings => ({
  program_type: entry.program_type,
  in_admission: entry.in_admission,
  min_training_weeks: entry.min_training_weeks,
  min_percentage_final_exam: entry.min_percentage_final_exam,
  total_places: entry.total_places,
  warning_type: entry.warning_type,
  warning_count: entry.warning_count,
  warning_gpa: entry.warning_gpa,
  max_warnings: entry.max_warnings,
  warning_in_summer: false,
  warning_max_ch_value: null,
  repeat_rule: entry.repeat_rule,
  repeat_max_points: entry.repeat_max_points,
  improve_max_points: null,
  max_improvements: entry.max_improvements,
  improve_letters: entry.improve_letters,
  max_repeats: null,
  graduating_extra_hours: 0,
  graduating_extra_courses: 0,
  graduation_hours: entry.graduation_hours,
  graduation_gpa: entry.graduation_gpa,
  levels: entry.levels,
  grade_types: [{ kind: 'letter', name: 'Letters', name_local: 'تقديرات', ranges: entry.grade_ranges }],
  special_grades: entry.special_grades,
  gpa_ranges: entry.gpa_ranges,
  load_ranges: entry.load_ranges,
  grades_visibility: entry.grades_visibility,
})
const letters = usual(BYLAWS[0]!).grade_types[0]!.ranges

/** A scale cut at so many places. */
const scales = fc
  .uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 1, maxLength: 8 })
  .map((cuts) => [0, ...cuts.toSorted((a, b) => a - b), 10000])
  .map((bounds) =>
    bounds.slice(1).map((to, i) => ({
      from_percent: (bounds[i]! / 100).toFixed(2),
      to_percent: (to / 100).toFixed(2),
      name: `${i}`,
    })),
  )
const tiled = (ranges: readonly { from_percent: string; to_percent: string }[]): boolean => {
  const sorted = ranges.toSorted((a, b) => Number(a.from_percent) - Number(b.from_percent))
  return (
    Number(sorted[0]?.from_percent) === 0 &&
    Number(sorted.at(-1)?.to_percent) === 100 &&
    sorted.every(
      (r, i) =>
        Number(r.from_percent) < Number(r.to_percent) &&
        (i === 0 || Number(sorted[i - 1]!.to_percent) === Number(r.from_percent)),
    )
  )
}

test('the bylaws of the demo hold', () => {
  for (const entry of BYLAWS) expect(checkSettings(usual(entry))).toEqual([])
})

test('removing a range leaves no hole; putting it back leaves the scale as it was', () =>
  fc.assert(
    fc.property(scales, fc.nat(), (ranges, pick) => {
      const index = pick % ranges.length
      const without = percentRanges.remove(ranges, index)
      expect(tiled(without)).toBe(true)
      expect(
        percentRanges.add(without, ranges[index]!).toSorted((a, b) => Number(a.from_percent) - Number(b.from_percent)),
      ).toEqual(ranges)
    }),
  ))

test('moving a boundary between two neighbours moves both', () =>
  fc.assert(
    fc.property(scales, fc.nat(), fc.double({ min: 0.01, max: 0.99, noNaN: true }), (ranges, pick, share) => {
      const index = pick % (ranges.length - 1)
      const [low, high] = [Number(ranges[index]!.from_percent), Number(ranges[index + 1]!.to_percent)]
      const at = (low + (high - low) * share).toFixed(2)
      fc.pre(Number(at) > low && Number(at) < high)
      expect(tiled(percentRanges.move(ranges, index, { ...ranges[index]!, to_percent: at }))).toBe(true)
    }),
  ))

test('findings name the fields of the wire', () => {
  const settings = usual(BYLAWS[0]!)
  const broken: Settings = {
    ...settings,
    warning_gpa: '4.50',
    improve_letters: ['Z'],
    grade_types: [
      {
        kind: 'pass_fail',
        name: 'P',
        name_local: 'ن',
        ranges: [{ ...letters[0]!, from_percent: '50', to_percent: '100' }],
      },
      ...settings.grade_types,
    ],
    special_grades: settings.special_grades.map((g) => (g.status === 'Absent' ? { ...g, points: '9' } : g)),
  }
  const found = checkSettings(broken).map((p) => `${p.code}@${p.field}`)
  expect(found).toContain('warning_gpa@warning_gpa')
  expect(found).toContain('repeat_grade@improve_letters.0')
  expect(found).toContain('range_hole@grade_types.0.ranges.0.from_percent')
  expect(found).toContain('special_points@special_grades.0.points')
  expect(partOf('max_warnings')).toBe('warning')
  expect(partOf('improve_letters.0')).toBe('repeat')
  expect(partOf('grade_types.0.ranges.2.points')).toBe('grade_types')
})

test('highest points of a repeated course become the best letter that earns them', () => {
  expect(toBylaw(usual(BYLAWS[0]!)).repeat.max_grade).toBe('B+')
  expect(toBylaw({ ...usual(BYLAWS[0]!), repeat_max_points: null }).repeat.max_grade).toBeNull()
})
