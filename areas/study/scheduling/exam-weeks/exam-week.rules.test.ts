import { expect, test } from 'vitest'
import { examWeekReasons, type WantedExamWeek } from './exam-week.rules.ts'

const term = { start_date: '2026-09-19', end_date: '2026-12-31', name: 'Fall', name_local: 'الخريف' }
const week: WantedExamWeek = { start_date: '2026-11-07', end_date: '2026-11-13', faculty_id: 1, level: null }
const codes = (wanted: Partial<WantedExamWeek>, others: readonly WantedExamWeek[] = []) =>
  examWeekReasons({ ...week, ...wanted }, { term, others }).map(({ code }) => code)

test.each<[string, Partial<WantedExamWeek>, string[]]>([
  ['a week of the term', {}, []],
  ['of one day', { end_date: '2026-11-07' }, []],
  ['of sixty days and the first', { end_date: '2027-01-06' }, []],
  ['longer', { end_date: '2027-01-07' }, ['exam_week_length']],
  ['that ends before it begins', { end_date: '2026-11-06' }, ['exam_week_order']],
  ['on the first day of the term', { start_date: '2026-09-19' }, []],
  ['the day before', { start_date: '2026-09-18', end_date: '2026-09-20' }, ['exam_week_outside_term']],
  ['on its last day, beyond it', { start_date: '2026-12-31', end_date: '2027-01-05' }, []],
  ['after it', { start_date: '2027-01-01', end_date: '2027-01-05' }, ['exam_week_outside_term']],
  [
    'after it and backwards',
    { start_date: '2027-01-02', end_date: '2027-01-01' },
    ['exam_week_order', 'exam_week_outside_term'],
  ],
])('%s', (_, wanted, expected) => {
  expect(codes(wanted)).toEqual(expected)
})

test('weeks of one faculty and level do not overlap; those of others may', () => {
  expect(codes({}, [{ ...week, start_date: '2026-11-13', end_date: '2026-11-20' }])).toEqual(['exam_week_there'])
  expect(codes({}, [{ ...week, start_date: '2026-11-14', end_date: '2026-11-20' }])).toEqual([])
  expect(
    codes({}, [
      { ...week, faculty_id: null },
      { ...week, faculty_id: 2 },
      { ...week, level: 3 },
    ]),
  ).toEqual([])
})
