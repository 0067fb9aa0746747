import { expect, test } from 'vitest'
import { checkServiceKind, optionsOf } from './kind.rules.ts'

const codes = (reasons: readonly { field?: string | null; code: string }[]) =>
  reasons.map(({ field, code }) => (field ? `${code}@${field}` : code))
const OFFICE = { name: 'Desk', name_local: 'شباك', role_id: 1, user_id: null }
const KIND = {
  for_students: true,
  for_graduates: false,
  for_staff: false,
  is_active: true,
  own_fields: [],
  offices: [OFFICE],
}
const field = (type: string, options: string | null) => ({ name: 'A', type, options })

test.each([
  ['Rent | إيجار', [{ value: 'Rent', name: 'Rent', name_local: 'إيجار' }]],
  ['Rent', [{ value: 'Rent', name: 'Rent', name_local: 'Rent' }]],
  ['| إيجار', [{ value: 'إيجار', name: 'إيجار', name_local: 'إيجار' }]],
  ['\n  \nA|ا\n', [{ value: 'A', name: 'A', name_local: 'ا' }]],
  [null, []],
] as const)('options are typed line by line: %j', (typed, expected) => {
  expect(optionsOf(typed)).toEqual(expected)
})

test.each([
  ['as it should be', {}, []],
  ['for staff alone', { for_students: false, for_staff: true }, []],
  ['for nobody', { for_students: false }, ['service_kind_audience@for_students']],
  ['without offices', { offices: [] }, ['service_offices_missing@offices']],
  ['without offices, and not asked for yet', { offices: [], is_active: false }, []],
  ['an office of nobody', { offices: [{ ...OFFICE, role_id: null }] }, ['service_step_office@offices.0.role_id']],
  [
    'an office of a role and a person',
    { offices: [{ ...OFFICE, user_id: 2 }] },
    ['service_step_office@offices.0.role_id'],
  ],
  ['a choice without options', { own_fields: [field('choice', null)] }, ['service_options_few@own_fields.0.options']],
  ['a choice of one', { own_fields: [field('choice', 'A')] }, ['service_options_few@own_fields.0.options']],
  ['an option twice', { own_fields: [field('choice', 'A\nB\na')] }, ['service_option_twice@own_fields.0.options']],
  ['options of a text', { own_fields: [field('text', 'A')] }, ['service_options_needless@own_fields.0.options']],
  [
    'all at once',
    { for_students: false, own_fields: [field('choice', null), field('date', 'A')], offices: [] },
    [
      'service_kind_audience@for_students',
      'service_options_few@own_fields.0.options',
      'service_options_needless@own_fields.1.options',
      'service_offices_missing@offices',
    ],
  ],
] as const)('a kind: %s', (_name, given, expected) => {
  expect(codes(checkServiceKind({ ...KIND, ...given } as never))).toEqual(expected)
})

test('an office is held by somebody who may work on requests', () => {
  const offices = [OFFICE, { ...OFFICE, role_id: null, user_id: 7 }]
  expect(codes(checkServiceKind({ ...KIND, offices }, () => false))).toEqual([
    'service_office_right@offices.0.role_id',
    'service_office_right@offices.1.user_id',
  ])
})
