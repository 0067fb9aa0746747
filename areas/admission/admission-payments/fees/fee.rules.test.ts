import { describe, expect, test } from 'vitest'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import {
  checkPaying,
  feeOfStatus,
  isTakenBack,
  payableFees,
  stepOfSettled,
  type ChargedFee,
  type FeeKind,
  type PayingFacts,
} from './fee.rules.ts'

const ASKED = (['application', 'exam', 'final'] as const).map((fee, i) => ({
  fee,
  currency: 'EGP',
  amount: (i + 1) * 100,
}))
const charge = (fee: FeeKind, open: number, attempt = 1): ChargedFee => ({
  invoice_id: 7,
  fee,
  attempt,
  currency: 'EGP',
  charged: 90,
  open,
})
const facts = (status: ApplicantStatus, more: Partial<PayingFacts> = {}): PayingFacts => ({
  status,
  writable: true,
  exam_attempt: 1,
  asked: ASKED,
  charged: [],
  ...more,
})
const payable = (of: PayingFacts) => payableFees(of).map(({ fee, invoice_id, amount }) => [fee, invoice_id, amount])
const refused = (of: PayingFacts, fee?: FeeKind) => checkPaying(of, fee).map(({ code }) => code)

describe('what can be paid now', () => {
  test.each<[string, PayingFacts, unknown[]]>([
    ['while it is written', facts('INCOMPLETE'), [['application', null, 100]]],
    ['not once the admission has closed', facts('INCOMPLETE', { writable: false }), []],
    ['nothing while it is looked at', facts('SUBMITTED'), []],
    ['the exam when it is asked for', facts('EXAM_FEES_REQUIRED'), [['exam', null, 200]]],
    ['the exam again', facts('EXAM_FAILS', { exam_attempt: 2, charged: [charge('exam', 0)] }), [['exam', null, 200]]],
    [
      'what is open of a charge, at its own amount',
      facts('EXAM_FEES_REQUIRED', { charged: [charge('exam', 40)] }),
      [['exam', 7, 40]],
    ],
    ['a charge that is settled is not paid again', facts('FINAL_FEES_REQUIRED', { charged: [charge('final', 0)] }), []],
    [
      'what is open again, wherever it stands',
      facts('APPROVED', { charged: [charge('final', 90)] }),
      [['final', 7, 90]],
    ],
    ['nothing that is not asked', facts('FINAL_FEES_REQUIRED', { asked: [] }), []],
    ['nothing on hold', facts('REJECTED', { charged: [charge('exam', 40)] }), []],
    ['nothing when it is cancelled', facts('CANCELLED', { charged: [charge('exam', 40)] }), []],
  ])('%s', (_, of, expected) => expect(payable(of)).toEqual(expected))

  test('why not', () => {
    expect(refused(facts('INCOMPLETE'))).toEqual([])
    expect(refused(facts('INCOMPLETE'), 'application')).toEqual([])
    expect(refused(facts('INCOMPLETE'), 'exam')).toEqual(['admission_fee_not_due'])
    expect(refused(facts('SUBMITTED'))).toEqual(['admission_fee_not_due'])
    expect(refused(facts('CANCELLED'))).toEqual(['admission_fee_ended'])
    expect(refused(facts('FINAL_FEES_REQUIRED', { charged: [charge('final', 0)] }), 'final')).toEqual([
      'admission_fee_settled',
    ])
  })
})

describe('what is taken back', () => {
  test.each<[ApplicantStatus, ApplicantStatus, FeeKind, number, boolean, boolean]>([
    ['EXAM_FEES_REQUIRED', 'REJECTED', 'exam', 1, false, true],
    ['EXAM_FEES_REQUIRED', 'REJECTED', 'application', 1, true, false],
    ['EXAM_FEES_REQUIRED', 'REJECTED', 'exam', 1, true, false],
    ['EXAM_FEES_REQUIRED', 'CANCELLED', 'exam', 1, false, true],
    ['exam required', 'CANCELLED', 'exam', 1, true, true],
    ['DISTRIBUATION_REQUIRED', 'CANCELLED', 'exam', 1, true, false],
    ['INCOMPLETE', 'CANCELLED', 'application', 1, true, true],
    ['SUBMITTED', 'CANCELLED', 'application', 1, true, false],
    ['APPROVED', 'CANCELLED', 'final', 1, true, true],
    ['REVIEWED', 'EXAM_FEES_REQUIRED', 'exam', 1, false, false],
  ])('from %s to %s: %s, attempt %i, settled %s: %s', (from, to, fee, attempt, settled, expected) =>
    expect(isTakenBack({ from, to }, { fee, attempt, settled }, 1)).toBe(expected),
  )
  test('an earlier attempt was sat', () =>
    expect(isTakenBack({ from: 'exam required', to: 'CANCELLED' }, { fee: 'exam', attempt: 1, settled: true }, 2)).toBe(
      false,
    ))
})

test('which fee a status asks for, and where a settled one leads', () => {
  expect(feeOfStatus('EXAM_FEES_REQUIRED')).toBe('exam')
  expect(feeOfStatus('FINAL_FEES_REQUIRED')).toBe('final')
  expect(feeOfStatus('EXAM_FAILS')).toBe(null)
  const at = (status: ApplicantStatus, exam_attempt = 1) => ({ status, exam_attempt })
  expect(stepOfSettled('exam', 1, at('EXAM_FEES_REQUIRED'))).toBe('ask_exam')
  expect(stepOfSettled('exam', 2, at('EXAM_FAILS', 2))).toBe('ask_exam')
  expect(stepOfSettled('exam', 1, at('EXAM_FAILS', 2))).toBe(null)
  expect(stepOfSettled('exam', 1, at('REJECTED'))).toBe(null)
  expect(stepOfSettled('final', 1, at('FINAL_FEES_REQUIRED'))).toBe('approve')
  expect(stepOfSettled('final', 1, at('APPROVED'))).toBe(null)
  expect(stepOfSettled('application', 1, at('INCOMPLETE'))).toBe(null)
})
