import { describe, expect, test } from 'vitest'
import type { Reason } from '#kit/contract/issues.ts'
import { checkAdmission, type AdmissionFacts } from './admissions/admission.rules.ts'
import { checkCertificateType } from './certificate-types/certificate-type.rules.ts'
import { checkAdmissionProgram, type AdmissionProgramFacts } from './programs/admission-program.rules.ts'

const codes = (reasons: readonly Reason[]) => reasons.map(({ field, code }) => `${code}@${field ?? ''}`)

const RIGHT: AdmissionFacts = {
  applicant_type: 1,
  opens_at: 1,
  closes_at: 2,
  results_at: null,
  closing_day: '2031-08-01',
  pay_until: null,
  is_early: false,
  has_exam: false,
  min_exam: false,
  has_scholarships: false,
  fees: [],
  documents: [],
  weight_percentage: 10_000,
  weight_exam: 0,
  subject_weights: [],
  ties: [],
}
const document = (document_kind_id: number, asked_of: string, certificate_type_id: number | null = null) => ({
  document_kind_id,
  asked_of,
  certificate_type_id,
})
const tie = (criterion: string, certificate_subject_id: number | null = null) => ({ criterion, certificate_subject_id })

describe('an admission', () => {
  test('is right as it stands', () => expect(checkAdmission(RIGHT)).toEqual([]))
  test.each<[string, Partial<AdmissionFacts>, string[]]>([
    ['closes at once', { closes_at: 1 }, ['admission_days_order@closes_at']],
    ['shows results before it closes', { results_at: 1 }, ['admission_results_after@results_at']],
    ['shows results when it closes', { results_at: 2 }, []],
    ['is paid before it closes', { pay_until: '2031-07-31' }, ['admission_pay_after@pay_until']],
    ['is paid on the day on which it closes', { pay_until: '2031-08-01' }, []],
    ['is early for postgraduates', { applicant_type: 5, is_early: true }, ['admission_early_undergraduate@is_early']],
    ['is early for undergraduates', { is_early: true }, []],
    [
      'has scholarships for postgraduates',
      { applicant_type: 4, has_scholarships: true },
      ['admission_scholarships_undergraduate@has_scholarships'],
    ],
    ['has scholarships for those who transfer', { applicant_type: 3, has_scholarships: true }, []],
    [
      'means an exam that it does not have',
      {
        min_exam: true,
        weight_exam: 4000,
        weight_percentage: 6000,
        fees: [{ fee: 'exam', asked_of: 'all' }],
        ties: [tie('exam')],
      },
      [
        'admission_without_exam@min_exam',
        'admission_without_exam@weight_exam',
        'admission_without_exam@fees.0.fee',
        'admission_without_exam@ties.0.criterion',
      ],
    ],
    [
      'means the exam that it has',
      { has_exam: true, min_exam: true, weight_exam: 4000, weight_percentage: 6000, ties: [tie('exam')] },
      [],
    ],
    [
      'asks foreigners for a fee twice',
      {
        fees: [
          { fee: 'final', asked_of: 'foreign' },
          { fee: 'application', asked_of: 'egyptian' },
          { fee: 'application', asked_of: 'foreign' },
          { fee: 'final', asked_of: 'all' },
        ],
      },
      ['admission_fee_twice@fees.3.asked_of'],
    ],
    [
      'asks for a document twice',
      { documents: [document(1, 'all', 3), document(2, 'egyptian'), document(1, 'egyptian'), document(2, 'foreign')] },
      ['admission_document_twice@documents.2.document_kind_id'],
    ],
    ['asks for it with another certificate', { documents: [document(1, 'all', 3), document(1, 'all', 4)] }, []],
    [
      'weighs less than all',
      { weight_percentage: 6000, subject_weights: [{ certificate_subject_id: 1, weight: 3999 }] },
      ['admission_weights_sum@weight_percentage'],
    ],
    [
      'weighs a subject twice',
      {
        weight_percentage: 6000,
        subject_weights: [
          { certificate_subject_id: 1, weight: 2000 },
          { certificate_subject_id: 1, weight: 2000 },
        ],
      },
      ['admission_weight_once@subject_weights.1.certificate_subject_id'],
    ],
    [
      'weighs subjects of postgraduates',
      {
        applicant_type: 6,
        weight_percentage: 6000,
        subject_weights: [{ certificate_subject_id: 1, weight: 4000 }],
        ties: [tie('subject', 1)],
      },
      ['admission_subjects_undergraduate@subject_weights', 'admission_subjects_undergraduate@ties.0.criterion'],
    ],
    [
      'names a subject where none decides, and none where one does',
      { ties: [tie('subject'), tie('older', 2)] },
      ['admission_tie_subject@ties.0.certificate_subject_id', 'admission_tie_subject@ties.1.certificate_subject_id'],
    ],
    ['asks for two subjects', { ties: [tie('subject', 1), tie('subject', 2)] }, []],
    ['asks twice', { ties: [tie('older'), tie('percentage'), tie('older')] }, ['admission_tie_once@ties.2.criterion']],
    ['asks after a lot', { ties: [tie('lot'), tie('older')] }, ['admission_lot_last@ties.0.criterion']],
  ])('%s', (_name, change, found) => expect(codes(checkAdmission({ ...RIGHT, ...change }))).toEqual(found))
  test('tells everything at once', () =>
    expect(
      codes(
        checkAdmission({
          ...RIGHT,
          closes_at: 0,
          results_at: -1,
          weight_percentage: 0,
          ties: [tie('lot'), tie('lot')],
        }),
      ),
    ).toEqual([
      'admission_days_order@closes_at',
      'admission_results_after@results_at',
      'admission_weights_sum@weight_percentage',
      'admission_lot_last@ties.0.criterion',
      'admission_tie_once@ties.1.criterion',
    ]))
})

const OFFERED: AdmissionProgramFacts = {
  applicant_type: 1,
  has_exam: false,
  study_level: null,
  in_admission: true,
  capacity: 100,
  min_exam: false,
  min_age: null,
  max_age: null,
  gender: null,
  certificates: [],
  subjects: [],
  quotas: [],
}
const quota = (quota_group: string, reserved: number | null, maximum: number | null = null) => ({
  quota_group,
  reserved,
  maximum,
})

describe('a program of an admission', () => {
  test('is right as it stands', () => expect(checkAdmissionProgram(OFFERED)).toEqual([]))
  test.each<[string, Partial<AdmissionProgramFacts>, string[]]>([
    ['is postgraduate', { study_level: 'postgraduate' }, ['admission_program_undergraduate@program_id']],
    ['is undergraduate', { applicant_type: 5 }, ['admission_program_postgraduate@program_id']],
    ['is of a bylaw that takes nobody', { in_admission: false }, ['admission_program_bylaw@program_id']],
    ['asks for an exam that nobody sits', { min_exam: true }, ['admission_without_exam@min_exam']],
    ['asks for the exam', { min_exam: true, has_exam: true }, []],
    ['takes nobody by age', { min_age: 20, max_age: 19 }, ['admission_program_ages@max_age']],
    ['takes one age', { min_age: 20, max_age: 20 }, []],
    [
      'asks postgraduates for school certificates',
      {
        applicant_type: 5,
        study_level: 'postgraduate',
        certificates: ['azhar'],
        subjects: [{ certificate_subject_id: 1 }],
        quotas: [quota('azhar', 1)],
      },
      [
        'admission_subjects_undergraduate@certificates',
        'admission_subjects_undergraduate@subjects',
        'admission_subjects_undergraduate@quotas.0.quota_group',
      ],
    ],
    [
      'lists a subject twice',
      { subjects: [{ certificate_subject_id: 1 }, { certificate_subject_id: 1 }] },
      ['admission_program_subject_once@subjects.1.certificate_subject_id'],
    ],
    [
      'has groups that overlap',
      { quotas: [quota('egyptian', 10), quota('female', 10), quota('egyptian', 1)] },
      ['admission_quota_kinds@quotas.1.quota_group', 'admission_quota_once@quotas.2.quota_group'],
    ],
    [
      'reserves for whom it does not take',
      { gender: 1, quotas: [quota('female', 1)] },
      ['admission_quota_excluded@quotas.0.quota_group'],
    ],
    [
      'reserves for a certificate that it does not take',
      { certificates: ['general'], quotas: [quota('general', 1), quota('azhar', 1)] },
      ['admission_quota_excluded@quotas.1.quota_group'],
    ],
    ['says nothing of a group', { quotas: [quota('foreign', null)] }, ['admission_quota_says@quotas.0.reserved']],
    [
      'reserves more than it takes of a group',
      { quotas: [quota('foreign', 6, 5)] },
      ['admission_quota_order@quotas.0.maximum'],
    ],
    ['reserves as many as it takes', { quotas: [quota('foreign', 5, 5)] }, []],
    [
      'reserves more than there are',
      { quotas: [quota('foreign', 60), quota('egyptian', 41)] },
      ['admission_quota_seats@capacity'],
    ],
    ['reserves all', { quotas: [quota('foreign', 60), quota('egyptian', 40)] }, []],
  ])('%s', (_name, change, found) => expect(codes(checkAdmissionProgram({ ...OFFERED, ...change }))).toEqual(found))
})

test('what counts in a certificate adds up to its total', () => {
  const subject = (certificate_subject_id: number, max_mark: number, is_counted = true) => ({
    certificate_subject_id,
    max_mark,
    is_counted,
  })
  expect(checkCertificateType(10_000, [])).toEqual([])
  expect(checkCertificateType(10_000, [subject(1, 6000), subject(2, 4000), subject(3, 5000, false)])).toEqual([])
  expect(codes(checkCertificateType(10_000, [subject(1, 6000), subject(1, 4001)]))).toEqual([
    'certificate_total_sum@max_total',
    'certificate_subject_once@subjects.1.certificate_subject_id',
  ])
})
