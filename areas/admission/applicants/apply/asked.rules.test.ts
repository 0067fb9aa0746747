import { expect, it } from 'vitest'
import { isApplicantAsked } from './asked.rules.ts'

const EGYPT = 64
it.each<[string, Record<string, unknown>, boolean]>([
  ['national_id', { nationality_id: EGYPT }, true],
  ['national_id', { nationality_id: 1 }, false],
  ['national_id', {}, false],
  ['passport_number', { nationality_id: 1 }, true],
  ['passport_number', { nationality_id: EGYPT }, false],
  ['passport_number', {}, false],
  ['military_status', { gender: 1 }, true],
  ['military_status', { gender: 2 }, false],
  ['english_score', { english_exam: 'toefl' }, true],
  ['english_date', { english_exam: 'none' }, false],
  ['english_score', {}, false],
  ['scholarship_reason', { wants_scholarship: true }, true],
  ['scholarship_reason', { wants_scholarship: false }, false],
  ['family_income', { wants_financial_aid: true }, true],
  ['family_members', {}, false],
  ['preferences', {}, false],
  ['name', {}, true],
])('%s of %o is asked: %s', (name, values, asked) => {
  expect(isApplicantAsked(name, values)).toBe(asked)
})
