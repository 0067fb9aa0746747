import { expect, test } from 'vitest'
import { checkGrant, checkTerms } from './scholarship.rules.ts'
import type { GivenScholarship, ScholarshipTerms } from './scholarship.rules.ts'

const hand: ScholarshipTerms = {
  basis: 'manual',
  from_value: null,
  to_value: null,
  percent: 50,
  amount: null,
  currency: null,
}
const gpa: ScholarshipTerms = { ...hand, basis: 'gpa', from_value: 3, to_value: 4 }

test.each<[ScholarshipTerms, string[]]>([
  [hand, []],
  [gpa, []],
  [{ ...hand, from_value: 3 }, ['scholarship_manual_condition@from_value']],
  [{ ...hand, to_value: 3 }, ['scholarship_manual_condition@from_value']],
  [{ ...gpa, from_value: null }, ['required@from_value']],
  [{ ...gpa, to_value: 4.01 }, ['out_of_range@to_value']],
  [{ ...gpa, percent: 101 }, ['out_of_range@percent']],
  [{ ...gpa, percent: 0 }, ['out_of_range@percent']],
  [{ ...gpa, to_value: 2.9 }, ['scholarship_from_to@to_value']],
  [{ ...hand, percent: null }, ['scholarship_one_of@percent']],
  [{ ...hand, amount: 100, currency: 'EGP' }, ['scholarship_one_of@percent']],
  [{ ...hand, percent: null, amount: 100 }, ['scholarship_amount_currency@currency']],
  [{ ...gpa, basis: 'rank', from_value: 1.5, to_value: null }, ['not_an_integer@from_value']],
])('terms %o', (terms, expected) =>
  expect(checkTerms(terms).map(({ code, field }) => `${code}@${field}`)).toEqual(expected),
)

const rule = {
  ...hand,
  bylaw_id: null,
  faculty_id: null,
  level: null,
  is_active: true,
  year_id: null,
} as unknown as GivenScholarship
const student = { bylaw_id: 1, faculty_id: 1, level: 1, status: 'studying', year_id: 1, own: false, pays_in: 'EGP' }

test('that of siblings is given by hand too: papers prove what the program cannot know', () =>
  expect(checkGrant({ ...rule, basis: 'sibling' }, student)).toEqual([]))

test.each<[string, Partial<GivenScholarship>, Partial<typeof student>]>([
  ['scholarship_own', {}, { own: true }],
  ['scholarship_not_studying', {}, { status: 'suspended' }],
  ['scholarship_is_automatic', { basis: 'gpa' }, {}],
  ['scholarship_not_active', { is_active: false }, {}],
  ['scholarship_other_year', { year_id: 2 }, {}],
  ['scholarship_not_for', { bylaw_id: 2 }, {}],
  ['scholarship_not_for', { faculty_id: 2 }, {}],
  ['scholarship_not_for', { level: 2 }, {}],
  ['scholarship_pays_otherwise', { currency: 'USD' }, {}],
  ['scholarship_pays_otherwise', { currency: 'EGP' }, { pays_in: 'USD' }],
])('%s', (code, more, of) => {
  expect(checkGrant(rule, student)).toEqual([])
  expect(checkGrant({ ...rule, year_id: 1, bylaw_id: 1, faculty_id: 1, level: 1 }, student)).toEqual([])
  expect(checkGrant({ ...rule, ...more }, { ...student, ...of }).map((one) => one.code)).toEqual([code])
})
