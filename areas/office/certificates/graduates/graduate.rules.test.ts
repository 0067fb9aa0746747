import { expect, test } from 'vitest'
import type { TypeFacts } from '../requests/certificate.rules.ts'
import {
  checkGraduateIdentity,
  checkGraduateType,
  checkIdentified,
  graduateIdentity,
  graduateLine,
} from './graduate.rules.ts'

test.each([
  ['code', ' cs-2019 001 ', 'CS-2019001'],
  ['national_id', '٢٩٩٠١٠١ 01-00001', '29901010100001'],
  ['passport', 'a 123-45678', 'A12345678'],
] as const)('%s %s is compared as %s', (kind, typed, written) => expect(graduateIdentity(kind, typed)).toBe(written))

test.each([
  ['national_id', '29901010100001', []],
  ['national_id', '2990101010000', ['national_id_digits']],
  ['code', 'CS-2019/1', []],
  ['code', '', ['graduate_identity']],
  ['passport', 'A<B', ['graduate_identity']],
  ['passport', 'A'.repeat(41), ['graduate_identity']],
] as const)('%s %s: %j', (kind, written, codes) =>
  expect(checkGraduateIdentity(kind, written).map(({ code }) => code)).toEqual(codes),
)

const TYPE: TypeFacts = {
  active: true,
  for_students: false,
  for_graduates: true,
  for_staff: false,
  min_level: null,
  needs_photo: false,
  deliveries: ['by_hand'],
  most_copies: 1,
  urgent: false,
  open: true,
  opens_on: null,
}
test.each([
  [{}, []],
  [{ active: false, open: false }, ['certificate_not_offered']],
  [{ for_graduates: false }, ['certificate_not_for_you']],
  [{ needs_photo: true }, ['graduate_photo']],
  [{ open: false }, ['certificate_closed']],
  [{ open: false, opens_on: '2099-01-01' }, ['certificate_opens_on']],
  [
    { for_graduates: false, needs_photo: true, open: false },
    ['certificate_not_for_you', 'graduate_photo', 'certificate_closed'],
  ],
] as const)('a type with %j: %j', (given, codes) =>
  expect(checkGraduateType({ ...TYPE, ...given }).map(({ code }) => code)).toEqual(codes),
)

test.each([
  [{ record: null, proven: false, proof: true }, ['graduate_no_record']],
  [{ record: 'graduated', proven: false, proof: false }, ['graduate_no_proof']],
  [{ record: 'graduated', proven: true, proof: false }, []],
  [{ record: 'graduated', proven: false, proof: true }, []],
  [{ record: 'studying', proven: false, proof: false }, ['graduate_not_graduated', 'graduate_no_proof']],
] as const)('identity with %j: %j', (facts, codes) =>
  expect(checkIdentified(facts).map(({ code }) => code)).toEqual(codes),
)

const told = (...of: Parameters<typeof graduateLine>) =>
  graduateLine(...of).map(({ step, state }) => `${step} ${state}`)
test('the line says what is done, what is under way, and what comes', () => {
  expect(told('to_check', null, null)).toEqual([
    'asked done',
    'checked now',
    'paid later',
    'prepared later',
    'signed later',
    'issued later',
    'handed_over later',
  ])
  expect(told('identified', 'fee_due', true)[2]).toBe('paid now')
  // What costs nothing is not paid.
  expect(told('identified', 'New', false)).toEqual([
    'asked done',
    'checked done',
    'prepared now',
    'signed later',
    'issued later',
    'handed_over later',
  ])
  for (const [status, now] of [
    ['updated', 'prepared'],
    ['Prepared', 'prepared'],
    ['in review', 'prepared'],
    ['Reviewed', 'signed'],
    ['dean-signed', 'signed'],
    ['approved', 'issued'],
    ['Ready To Deliver', 'handed_over'],
  ] as const)
    expect(told('identified', status, true)).toContain(`${now} now`)
  for (const status of ['Delivered', 'Delivered By Mail', 'Delivered By Manual'])
    expect(new Set(graduateLine('identified', status, true).map(({ state }) => state))).toEqual(new Set(['done']))
  for (const [status, certificate] of [
    ['rejected', null],
    ['cancelled', null],
    ['identified', 'Rejected'],
    ['identified', 'cancelled'],
  ] as const)
    expect(told(status, certificate, null)).toEqual([])
})
