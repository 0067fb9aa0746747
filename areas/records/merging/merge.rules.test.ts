import { expect, test } from 'vitest'
import { NO_COLLISIONS, mergeProblems, sideOf } from './merge.rules.ts'
import type { MergeSide, Collisions } from './merge.rules.ts'
import { markProblems } from './two-people.rules.ts'

const record: MergeSide = {
  id: 1,
  code: 'S1',
  removed: false,
  own: false,
  above: false,
  blocked: false,
  on_hold: false,
  account_id: 10,
  account_type: 3,
  in_directory: false,
  signs: [],
  bears: ['student'],
  studies: [{ id: 1, program_id: 1 }],
}
const other: MergeSide = { ...record, id: 2, code: 'S2', account_id: 20, studies: [{ id: 2, program_id: 1 }] }

test('two records are merged where nothing speaks against it', () => {
  expect(mergeProblems('student', record, other, NO_COLLISIONS)).toEqual([])
})

test.each<[code: string, kept: Partial<MergeSide>, merged: Partial<MergeSide>]>([
  ['merge_removed', { removed: true }, {}],
  ['merge_own', {}, { own: true }],
  ['merge_more_rights', {}, { above: true }],
  ['merge_blocked', { blocked: true }, {}],
  ['merge_on_hold', {}, { on_hold: true }],
  ['merge_accounts_differ', {}, { account_type: 1 }],
  ['merge_in_directory', {}, { in_directory: true }],
  ['merge_signs', {}, { signs: ['dean'] }],
  ['merge_instructors_first', { bears: ['instructor'] }, { bears: ['student', 'instructor'] }],
  ['merge_students_first', {}, { studies: [...other.studies, { id: 3, program_id: 1 }] }],
])('%s: by what one of the records is', (code, kept, merged) => {
  const found = mergeProblems('student', { ...record, ...kept }, { ...other, ...merged }, NO_COLLISIONS)
  expect(found.map((one) => one.code)).toEqual([code])
})

test('what holds of accounts is nothing to records that share one, or of which one has none', () => {
  const apart = { account_type: 1, in_directory: true, signs: ['dean'] }
  for (const account_id of [record.account_id, null])
    expect(mergeProblems('student', record, { ...other, ...apart, account_id }, NO_COLLISIONS)).toEqual([])
})

test.each<[code: string, found: Partial<Collisions>]>([
  ['merge_not_double', { two: { reason: 'Twins', by: 'A', at: '2026-01-01' } as unknown as Collisions['two'] }],
  ['merge_other_bylaw', { bylaw: { from: 'B1', into: 'B2' } }],
  ['merge_transfers', { transferred: 'merged' }],
  ['merge_former_study', { transferred: 'kept' }],
  ['merge_same_course', { courses: ['C1 (Fall)'] }],
  ['merge_finished_term', { terms: ['Fall'] }],
  ['merge_same_year', { years: ['2025'] }],
  ['merge_results_differ', { results: ['C1'] }],
  ['merge_time_clash', { clashes: ['C1 – C2'] }],
  ['merge_load', { loads: [{ term: 'Fall', hours: 30, most: 21 }] }],
  ['merge_teaching_clash', { teaching: ['C1 – C2'] }],
  ['merge_advised', { advised: { count: 31, most: 30 } }],
])('%s: by what both have that does not go together', (code, found) => {
  const reasons = mergeProblems('student', record, other, { ...NO_COLLISIONS, ...found })
  expect(reasons.map((one) => one.code)).toEqual([code])
})

test('the value of the record that stays wins, but for what is empty there, or was chosen by who reads it', () => {
  expect(sideOf('a', 'b', undefined, false)).toBe('kept')
  expect(sideOf('', 'b', undefined, false)).toBe('merged')
  expect(sideOf('a', 'b', 'merged', false)).toBe('merged')
  expect(sideOf('a', 'b', 'merged', true)).toBe('kept')
  expect(sideOf(null, null, undefined, false)).toBe('kept')
})

test('two people is not said of a record that was removed, of the own, nor twice', () => {
  const one = { code: 'S1', removed: false, own: false }
  const codes = (...given: Parameters<typeof markProblems>) => markProblems(...given).map(({ code }) => code)
  expect(codes(one, { ...one, code: 'S2' }, null)).toEqual([])
  const said = { by: 'A', by_local: 'أ', reason: 'Twins' }
  expect(codes({ ...one, own: true }, { ...one, removed: true }, said)).toEqual([
    'not_double_own',
    'merge_removed',
    'not_double_already',
  ])
})
