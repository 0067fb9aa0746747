import fc from 'fast-check'
import { expect, test } from 'vitest'
import { BYLAWS } from '../../../../apps/demo/bylaws.ts'
import type { Settings } from './settings.contract.ts'
import { regulationRatingOf, usualRatings } from '../mark-regulation.rules.ts'
import { checkBylawSettings, settingsPartOf, percentRanges, toBylaw } from './settings.rules.ts'

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
  withdrawal_charge: '100',
  excuse_charge: '100',
  absence_warn_share: null,
  absence_ban_share: null,
  excused_absence_counts: false,
  lates_per_absence: 0,
  graduation_hours: entry.graduation_hours,
  graduation_gpa: entry.graduation_gpa,
  levels: entry.levels,
  grade_types: [{ kind: 'letter', name: 'Letters', name_local: 'تقديرات', ranges: entry.grade_ranges }],
  special_grades: entry.special_grades,
  gpa_ranges: entry.gpa_ranges,
  load_ranges: entry.load_ranges,
  grades_visibility: entry.grades_visibility,
  pass_share: '50.00',
  max_carried: 2,
  carried_from_final_level: false,
  second_session: false,
  later_sitting_capped: true,
  max_chances: null,
  honours_rating: null,
  grace_order: ['pass_course', 'promote', 'next_rating'],
  grace_per_course: '0.00',
  grace_in_all: null,
  grace_share: null,
  grace_on_transcript: false,
  ratings: usualRatings(5000).map(({ from, ...rating }) => ({ ...rating, from_share: (from / 100).toFixed(2) })),
  carried_courses: [],
  conversions: [],
  withdrawal_steps: [],
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
  for (const entry of BYLAWS) expect(checkBylawSettings(usual(entry))).toEqual([])
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
  const found = checkBylawSettings(broken).map((p) => `${p.code}@${p.field}`)
  expect(found).toContain('warning_gpa@warning_gpa')
  expect(found).toContain('repeat_grade@improve_letters.0')
  expect(found).toContain('range_hole@grade_types.0.ranges.0.from_percent')
  expect(found).toContain('special_points@special_grades.0.points')
  expect(settingsPartOf('max_warnings')).toBe('warning')
  expect(settingsPartOf('improve_letters.0')).toBe('repeat')
  expect(settingsPartOf('grade_types.0.ranges.2.points')).toBe('grade_types')
})

test('steps of withdrawal: none twice, and nobody who leaves later is charged less', () => {
  const found = (steps: readonly (readonly [days: number, percent: string, summer?: boolean])[], after = '100') =>
    checkBylawSettings({
      ...usual(BYLAWS[0]!),
      withdrawal_charge: after,
      withdrawal_steps: steps.map(([days, percent, summer = false]) => ({ days, percent, summer })),
    })
      .filter((one) => one.code.startsWith('withdrawal_'))
      .map((one) => `${one.code}@${one.field}`)
  const steps = [
    [35, '50'],
    [14, '25'],
    [7, '60', true],
  ] as const
  expect(found(steps)).toEqual([])
  expect(found([...steps, [14, '25', true]])).toEqual(['withdrawal_step_falls@withdrawal_steps.3.percent'])
  expect(found([...steps, [14, '25']])).toEqual(['withdrawal_step_twice@withdrawal_steps.3.days'])
  expect(found([...steps, [20, '20']])).toEqual(['withdrawal_step_falls@withdrawal_steps.3.percent'])
  expect(found(steps, '60')).toEqual([])
  expect(found(steps, '55')).toEqual(['withdrawal_step_falls@withdrawal_charge'])
  expect(settingsPartOf('withdrawal_steps.3.days')).toBe('withdrawal')
  expect(settingsPartOf('withdrawal_charge')).toBe('withdrawal')
})

test('highest points of a repeated course become the best letter that earns them', () => {
  expect(toBylaw(usual(BYLAWS[0]!)).repeat.max_grade).toBe('B+')
  expect(toBylaw({ ...usual(BYLAWS[0]!), repeat_max_points: null }).repeat.max_grade).toBeNull()
})

test('a regulation by marks: its findings, and nothing about GPA, loads and hours of levels', () => {
  const term: Settings = {
    ...usual(BYLAWS[0]!),
    program_type: 'term',
    gpa_ranges: [],
    load_ranges: [],
    grade_types: [],
    levels: [1, 2].map((level) => ({ level, name: 'L', name_local: 'م', passed_hours: 0 })),
    min_percentage_final_exam: '40',
  }
  expect(checkBylawSettings(term)).toEqual([])
  expect(toBylaw(term).marks).toMatchObject({ pass_share: 5000, min_final_share: 4000, max_carried: 2 })
  expect(toBylaw({ ...term, program_type: 'credit_hours' }).marks).toBeNull()
  expect(checkBylawSettings({ ...term, program_type: null }).map((p) => p.code)).toContain('final_exam_percentage')
  const codes = (patch: Partial<Settings>) =>
    checkBylawSettings({ ...term, ...patch }).map((p) => `${p.code}@${p.field}`)
  expect(codes({ pass_share: '60' })).toEqual(['rating_pass@ratings'])
  expect(codes({ pass_share: '0' })).toEqual(['pass_share@pass_share'])
  expect(codes({ ratings: term.ratings.slice(0, -1) })).toEqual(['rating_lowest@ratings'])
  expect(codes({ ratings: [...term.ratings, term.ratings[0]!] })).toEqual([
    'rating_code_twice@ratings.6.code',
    'rating_share_twice@ratings.6.from_share',
  ])
  const rated = (part: object) =>
    codes({ ratings: [...term.ratings, { ...term.ratings[0]!, code: 'Q', from_share: '91', ...part }] })
  expect(rated({})).toEqual([])
  expect(rated({ code: ' ' })).toEqual(['rating_code@ratings.6.code'])
  expect(rated({ name_local: '' })).toEqual(['rating_name@ratings.6.name'])
  expect(rated({ from_share: '100' })).toEqual(['rating_share@ratings.6.from_share'])
  expect(codes({ grace_order: ['promote', 'promote'] })).toEqual(['grace_order_twice@grace_order'])
  const kind = { kind: 'letter' as const, name: 'L', name_local: 'ت', ranges: [] }
  expect(codes({ grade_types: [kind, kind] })).toEqual(['grade_type_twice@grade_types.1.kind'])
  expect(codes({ honours_rating: 'W' })).toEqual(['honours_rating@honours_rating'])
  expect(codes({ honours_rating: 'VG', grace_per_course: '5', grace_in_all: '3' })).toEqual([
    'grace_limit@grace_in_all',
  ])
  expect(codes({ carried_courses: [1, 1].map((course_id) => ({ course_id, kind: 'required' as const })) })).toEqual([
    'carried_course_twice@carried_courses.1.course_id',
  ])
})

test('a rating holds from its share of the maximum up to the next', () => {
  const rated = (pass: number, marks: number, maximum: number) =>
    regulationRatingOf(usualRatings(pass), marks * 100, maximum * 100)?.code
  expect([127.5, 127.49, 112.5, 97.5, 75, 74.99, 52.5, 52.49, 0].map((marks) => rated(5000, marks, 150))).toEqual([
    'EX',
    'VG',
    'VG',
    'G',
    'P',
    'W',
    'W',
    'VW',
    'VW',
  ])
  expect([180, 179.99].map((marks) => rated(6000, marks, 300))).toEqual(['P', 'W'])
  expect(regulationRatingOf(usualRatings(5000), null, 10000)).toBeNull()
  expect(usualRatings(7000).map((r) => r.code)).toEqual(['EX', 'VG', 'P', 'W', 'VW'])
})
