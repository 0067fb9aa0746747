import { expect, test } from 'vitest'
import { checkNameAsked, checkNameProof, checkNameStands, PROOF_MOST } from './name-change.rules.ts'

const codes = (reasons: readonly { code: string }[]) => reasons.map(({ code }) => code)

test('a change is accepted while the record bears the names that it bore when it was asked for, in both languages', () => {
  const of = { name: 'Mona Ali', name_local: 'منى علي', old_name: 'Mona Ali', old_name_local: 'منى علي' }
  expect(checkNameStands(of)).toEqual([])
  expect(checkNameStands({ ...of, name: 'Mona Aly' })).toEqual([
    { code: 'name_change_overtaken', data: { name: 'Mona Aly', name_local: 'منى علي' } },
  ])
  expect(codes(checkNameStands({ ...of, name_local: 'منى' }))).toEqual(['name_change_overtaken'])
})

test.each([
  [false, false, []],
  [true, false, ['name_change_same']],
  [false, true, ['name_change_asked_twice']],
  [true, true, ['name_change_same', 'name_change_asked_twice']],
])('a change to the same name (%s), or beside another (%s)', (same, asked, expected) =>
  expect(codes(checkNameAsked({ same, asked }))).toEqual(expected),
)

test.each([
  ['pdf', PROOF_MOST, []],
  ['pdf', PROOF_MOST + 1, ['name_change_proof_large']],
  ['docx', 1, ['name_change_proof_kind']],
  ['PDF', PROOF_MOST + 1, ['name_change_proof_kind', 'name_change_proof_large']],
])('a proof %s of %i bytes', (ext, size, expected) =>
  expect(codes(checkNameProof({ name: 'proof', ext, size }))).toEqual(expected),
)
