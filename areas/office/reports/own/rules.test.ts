import { describe, expect, it } from 'vitest'
import { againstComparison, comparedBy, judgeOwn, nearestReport, rightOfMeasure } from './choices.rules.ts'
import { linesInOrder, keptWithin, mostColumns } from './order.rules.ts'
import {
  beginWith,
  ownInAddress,
  sameAsked,
  settled,
  slotsOf,
  withDimension,
  withFilter,
  withMeasure,
  withSlots,
  withoutDimension,
  withoutMeasure,
} from './edit.rules.ts'
import { firstMailOn, nextMailOn } from './schedule.rules.ts'
import { changeOf, figureAt, placeOfKey, placesOf, shareOf } from './tables.rules.ts'
import type { OwnFigures } from './own.contract.ts'

const all = () => true
const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

describe('what goes together', () => {
  it('measures of one thing, by what that is told apart, three at most', () => {
    const judged = judgeOwn(
      { measures: ['registered', 'people'], rows: ['course', 'cohort'], columns: ['gender', 'level'] },
      all,
    )
    expect(codes(judged.wrong)).toEqual(['own_report_mixed', 'own_report_dimension', 'own_report_dimensions'])
    expect(judgeOwn({ measures: ['registered'], rows: ['course', 'level'], columns: ['gender'] }, all)).toEqual({
      closed: [],
      wrong: [],
    })
  })
  it('what may not be seen is said apart', () => {
    const { closed } = judgeOwn(
      { measures: ['graduates'], rows: ['faculty'], columns: [] },
      (right) => right !== 'access_report_graduates',
    )
    expect(codes(closed)).toEqual(['own_report_closed'])
    expect(closed[0]!.data).toEqual({ counts: 'Graduates', counts_local: 'الخريجون' })
    expect(rightOfMeasure('students_then')).toBe('access_report_Registrations')
  })
  it('one term or year is compared with the one before it', () => {
    const asked = { measures: ['registered'] as const, rows: ['faculty'] as const, columns: [] }
    expect(comparedBy(asked)).toEqual({ by: 'term', value: 'current' })
    expect(comparedBy({ ...asked, filters: { year: [7] } })).toEqual({ by: 'year', value: 7 })
    expect(comparedBy({ ...asked, filters: { term: [7, 8] } })).toBe(null)
    expect(comparedBy({ ...asked, filters: { term: [7], year: [1] } })).toBe(null)
    expect(comparedBy({ ...asked, every: true })).toBe(null)
    expect(codes(againstComparison({ ...asked, filters: { year: [7] } }, 'term_before'))).toEqual([
      'own_report_one_term',
    ])
    expect(againstComparison({ ...asked, filters: { year: [7] } }, 'year_before')).toEqual([])
    expect(nearestReport(['passed', 'failed']).current).toBe('current_control_term')
    expect(nearestReport(['registered', 'hours']).current).toBe('current_term')
  })
})

describe('order', () => {
  const line = (keys: (string | null)[], people: number) => ({ keys, people })
  it('of each dimension in turn; without a value last; the largest first where there is no order', () => {
    const lines = [
      line(['2', '64'], 5),
      line(['1', '7'], 2),
      line(['1', null], 9),
      line(['1', '64'], 3),
      line(['10', '7'], 1),
    ]
    const ordered = linesInOrder(lines, ['level', 'nationality'], [new Map(), new Map()])
    expect(ordered.map(({ keys }) => keys.join())).toEqual(['1,64', '1,7', '1,', '2,64', '10,7'])
  })
  it('those with most persons stay, in their order', () => {
    expect(
      keptWithin([line(['a'], 1), line(['b'], 3), line(['c'], 3), line(['d'], 2)], 2).map(({ keys }) => keys[0]),
    ).toEqual(['b', 'c'])
    expect(keptWithin([line(['a'], 1), line(['b'], 1), line(['c'], 1)], 2).length).toBe(2)
    expect([mostColumns(1), mostColumns(6), mostColumns(12)]).toEqual([60, 10, 5])
  })
})

describe('beside a figure', () => {
  it('its share, and how it changed; what is hidden hides both', () => {
    expect([
      shareOf(1, 3),
      shareOf(0, 3),
      shareOf(1, 0),
      shareOf(null, 3),
      shareOf('few', 3),
      shareOf(2, 'few'),
    ]).toEqual([33.33, 0, null, null, 'few', 'few'])
    expect([
      changeOf(5, 3),
      changeOf(5, null),
      changeOf(null, 2),
      changeOf(null, null),
      changeOf('few', 2),
      changeOf(2, 'few'),
    ]).toEqual([2, 5, -2, null, 'few', 'few'])
  })
  it('places follow columns and measures', () => {
    const report = {
      columns_by: ['gender'],
      columns: [[], []],
      measures: ['people', 'mean_gpa'],
      compared: null,
      share: true,
    } as unknown as OwnFigures
    const places = placesOf(report)
    expect(places.length).toBe(9)
    expect(placeOfKey('s.1.now')).toEqual({ column: null, measure: 1, what: 'now' })
    expect(placeOfKey('faculty')).toBe(null)
    const line = {
      now: {
        values: [6, 2],
        cells: [
          [4, 1],
          [2, 3],
        ],
      },
      before: {
        values: [5, 2],
        cells: [
          [5, 2],
          [0, 0],
        ],
      },
    }
    expect(figureAt({ column: 0, measure: 0, what: 'change' }, line, line)).toBe(-1)
    expect(figureAt({ column: 1, measure: 0, what: 'share' }, line, line)).toBe(100)
  })
})

describe('mails of every week', () => {
  // 2026-11-30 is a Monday; 0 is Saturday, so that Monday is 2.
  it('begin today where the hour is ahead, else in a week', () => {
    expect(firstMailOn('2026-11-30', 6, { weekday: 2, hour: 7 })).toBe('2026-11-30')
    expect(firstMailOn('2026-11-30', 7, { weekday: 2, hour: 7 })).toBe('2026-12-07')
    expect(firstMailOn('2026-11-30', 23, { weekday: 3, hour: 0 })).toBe('2026-12-01')
  })
  it('go on a week later, also when one came late', () => {
    expect(nextMailOn('2026-11-30', 2)).toBe('2026-12-07')
    expect(nextMailOn('2026-12-03', 2)).toBe('2026-12-07')
    expect(nextMailOn('2026-12-09', 2)).toBe('2026-12-14')
  })
})

describe('while it is put together', () => {
  const asked = beginWith('registered')
  it('begins with the first row of its own report, and takes more figures of the same kind', () => {
    expect(asked).toEqual({ measures: ['registered'], rows: ['faculty'], columns: [] })
    expect(withMeasure(asked, 'hours').measures).toEqual(['registered', 'hours'])
    expect(withoutMeasure(withMeasure(asked, 'hours'), 'registered').measures).toEqual(['hours'])
    expect(withoutMeasure(asked, 'registered')).toBe(asked)
    expect(withMeasure(asked, 'graduates')).toEqual({ measures: ['graduates'], rows: ['graduation_year'], columns: [] })
  })
  it('moves between rows and columns; something stands in rows, and three at most', () => {
    const two = withDimension(withDimension(asked, 'level', 'rows'), 'gender', 'columns')
    expect(slotsOf(two)).toEqual(['faculty', 'level', 'columns', 'gender'])
    expect(withDimension(two, 'course', 'rows')).toEqual(two)
    expect(withSlots(two, ['faculty', 'columns', 'level', 'gender'])).toMatchObject({
      rows: ['faculty'],
      columns: ['level', 'gender'],
    })
    expect(withSlots(two, ['columns', 'faculty', 'level', 'gender'])).toMatchObject({
      rows: ['faculty'],
      columns: ['level', 'gender'],
    })
    expect(withoutDimension(withoutDimension(two, 'faculty'), 'level')).toMatchObject({ rows: ['gender'], columns: [] })
  })
  it('a comparison that cannot stand any more goes', () => {
    const compared = { ...asked, compare: 'term_before' as const }
    expect(settled(compared).compare).toBe('term_before')
    expect(withDimension(compared, 'term', 'columns').compare).toBe(undefined)
    expect(withFilter(compared, 'year', [7]).compare).toBe(undefined)
    expect(withFilter(withFilter(asked, 'faculty', [1]), 'faculty', null).filters).toBe(undefined)
  })
  it('is read from an address, and what makes no sense is left', () => {
    const whole = { ...asked, columns: ['gender' as const], filters: { faculty: [1] }, largest: true }
    expect(ownInAddress(JSON.stringify(whole))).toEqual(whole)
    expect(sameAsked(whole, { ...whole, every: false })).toBe(true)
    expect(sameAsked(whole, asked)).toBe(false)
    for (const text of [null, '', '{', '[]', '{"measures":["x"],"rows":["faculty"]}', '{"measures":["people"]}'])
      expect(ownInAddress(text)).toBe(null)
    expect(
      ownInAddress('{"measures":["people","hours"],"rows":["faculty","slot"],"compare":"x","days":["now"]}'),
    ).toEqual({
      measures: ['people'],
      rows: ['faculty'],
      columns: [],
    })
  })
})
