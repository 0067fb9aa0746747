import { expect, it } from 'vitest'
import type { DimensionKey } from '../figures/dimensions.contract.ts'
import { MEANS } from '../figures/means.contract.ts'
import { FIGURE_MEASURES, type MeasureKey } from '../figures/measures.contract.ts'
import { differencesOf, figureInAddress, narrowedAlike, type FigureSeen } from './differ.rules.ts'

const seen = (
  measure: MeasureKey,
  more: {
    filters?: Partial<Record<DimensionKey, string[]>>
    value?: number | 'few'
    kept?: string
    within?: string[]
  } = {},
): FigureSeen => ({
  figure: { measure, filters: {}, every: false },
  seen: {
    filters: Object.entries(more.filters ?? {}).map(([by, keys]) => ({
      by: by as DimensionKey,
      values: keys.map((key) => ({ key, of: null })),
    })),
    within: more.within?.map((name) => ({ name, name_local: name })) ?? null,
    at: more.kept ?? '2026-01-01T10:00:00Z',
    kept: more.kept !== undefined,
    total: { now: { values: [more.value ?? 1], cells: [] }, before: null },
  },
})
const codes = (a: FigureSeen, b: FigureSeen) => differencesOf(a, b).map(({ code, by }) => (by ? `${code} ${by}` : code))

it('says every reason: what is counted, once or by rows, what narrows, of which time', () => {
  expect(codes(seen('students'), seen('registered', { filters: { term: ['3'], faculty: ['1'] } }))).toEqual([
    'subject',
    'once',
    'time term',
    'narrowed faculty',
  ])
  expect(codes(seen('students'), seen('people'))).toEqual(['measure'])
  const [narrow] = differencesOf(seen('people', { filters: { level: ['1'] } }), seen('people'))
  expect(narrow).toEqual({ code: 'narrowed', by: 'level', only: 0 })
  expect(codes(seen('people', { filters: { level: ['1'] } }), seen('people', { filters: { level: ['2'] } }))).toEqual([
    'values level',
  ])
  expect(codes(seen('mean_gpa'), seen('students'))).toEqual(['measure'])
})
it('says reach, moments and what is hidden; and that nothing is otherwise', () => {
  expect(codes(seen('people', { within: ['A'] }), seen('people'))).toEqual(['reach'])
  expect(codes(seen('people', { kept: '2026-01-01T09:00:00Z' }), seen('people'))).toEqual(['moment'])
  expect(codes(seen('people'), seen('people', { kept: '2026-01-01T10:00:00Z' }))).toEqual(['moment'])
  const [nine, ten] = ['2026-01-01T09:00:00Z', '2026-01-01T10:00:00Z']
  expect(codes(seen('people', { kept: nine }), seen('people', { kept: ten }))).toEqual(['moment'])
  expect(codes(seen('people', { value: 'few' }), seen('people'))).toEqual(['few'])
  expect(codes(seen('people'), seen('people'))).toEqual(['same'])
  expect(codes(seen('people', { value: 2 }), seen('people'))).toEqual(['nothing'])
})
it('narrows the other one alike, where it can be', () => {
  const from = seen('students', { filters: { faculty: ['2'] } })
  expect(narrowedAlike(from, seen('registered').figure, 'faculty')?.filters).toEqual({ faculty: [2] })
  expect(narrowedAlike(seen('registered', { filters: { term: ['2'] } }), seen('students').figure, 'term')).toBeNull()
  expect(narrowedAlike(seen('students'), seen('people').figure, 'faculty')).toBeNull()
})
it('reads an address, and makes nothing of nonsense', () => {
  const text = JSON.stringify({ measure: 'students', filters: { faculty: [1], course: [2], nonsense: [3], level: [] } })
  expect(figureInAddress(text)).toEqual({ measure: 'students', filters: { faculty: [1] }, every: false })
  for (const broken of [null, '', '{', '{}', '{"measure":"none"}', '7']) expect(figureInAddress(broken)).toBeNull()
})
it('every figure says what it counts', () => {
  expect(Object.keys(MEANS).toSorted()).toEqual(Object.keys(FIGURE_MEASURES).toSorted())
})
