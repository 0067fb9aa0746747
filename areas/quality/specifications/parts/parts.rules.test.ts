import { expect, test } from 'vitest'
import type { PartInput, PartKind } from './parts.contract.ts'
import { checkPart, partsReordered } from './parts.rules.ts'

const TEXTS = { specification_id: 1, text: 'A', text_local: 'أ' }
const TABLE: readonly [string, PartKind, PartInput, boolean, readonly string[]][] = [
  ['an outcome', 'outcomes', { ...TEXTS, code: 'K1', domain: 'knowledge', level: 2 }, true, []],
  ['an outcome without a level', 'outcomes', { ...TEXTS, code: 'K1', domain: 'knowledge' }, true, ['level required']],
  [
    'an outcome with a weight',
    'outcomes',
    { ...TEXTS, code: 'K1', domain: 'skills', level: 1, weight: '5' },
    true,
    ['weight spec_part_needless'],
  ],
  ['a topic in one language', 'topics', { specification_id: 1, text: 'A' }, true, ['text_local required']],
  ['a topic of nothing', 'topics', { text: 'A', text_local: 'أ' }, true, ['specification_id required']],
  ['a topic with hours', 'topics', { ...TEXTS, hours: '2.5', weeks: 1 }, true, []],
  ['a method with hours', 'methods', { ...TEXTS, hours: '2' }, true, ['hours spec_part_needless']],
  ['an assessment without a weight', 'assessments', TEXTS, true, ['weight required']],
  ['an assessment whose weight is taken away', 'assessments', { weight: null }, false, ['weight required']],
  ['an assessment whose week is taken away', 'assessments', { week: null }, false, []],
  ['a change of one field', 'outcomes', { verb: 'list' }, false, []],
  ['a reference', 'references', { specification_id: 1, kind: 'web', text: 'https://example.org' }, true, []],
  ['a reference of no kind', 'references', { specification_id: 1, text: 'X' }, true, ['kind required']],
  ['a topic with a code', 'topics', { ...TEXTS, code: 'K1' }, true, ['code spec_part_needless']],
]
test.each(TABLE)('%s', (_name, kind, given, fresh, expected) => {
  expect(checkPart(kind, given, fresh).map(({ field, code }) => `${field} ${code}`)).toEqual(expected)
})

test.each([
  [[1, 2, 3], 3, 1, [3, 1, 2]],
  [[1, 2, 3], 1, 3, [2, 3, 1]],
  [[1, 2, 3], 1, 99, [2, 3, 1]],
  [[1, 2, 3], 2, 2, [1, 2, 3]],
  [[1, 2], 9, 2, [1, 9, 2]],
])('%j with %i at %i', (ids, moved, place, expected) => {
  expect(partsReordered(ids, moved, place)).toEqual(expected)
})
