import { describe, expect, test } from 'vitest'
import { examOutcome } from '#areas/admission/applicants/applicant/way.rules.ts'
import { hundredthsOf, percentOfMark } from '../results/result.rules.ts'
import { checkBooking, whyUnplaced, type BookableAppointment, type BookingApplicant } from './booking.rules.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2030, 0, 1)
const applicant: BookingApplicant = {
  admission_id: 5,
  status: 'exam required',
  has_exam: true,
  has_interview: true,
  faculties: [1],
  programs: [10],
  booked: [],
}
const appointment: BookableAppointment = {
  id: 1,
  admission_id: 5,
  kind: 'exam',
  begins_at: NOW + 48 * HOUR,
  ends_at: NOW + 50 * HOUR,
  faculty_id: null,
  program_id: null,
  free: 1,
}
const booking = (more: Partial<BookingApplicant['booked'][number]> = {}) => ({
  appointment_id: 2,
  kind: 'exam' as const,
  begins_at: NOW + 72 * HOUR,
  ends_at: NOW + 73 * HOUR,
  attendance: null,
  ...more,
})

describe('booking', () => {
  test.each<[string, Partial<BookingApplicant>, Partial<BookableAppointment>, 'applicant' | 'desk', string[]]>([
    ['what is free', {}, {}, 'applicant', []],
    ['of the wish', {}, { faculty_id: 1, program_id: 10 }, 'applicant', []],
    ['of another faculty', {}, { faculty_id: 2 }, 'desk', ['entrance_not_for']],
    ['of another program', {}, { program_id: 11 }, 'desk', ['entrance_not_for']],
    ['of another admission', {}, { admission_id: 6 }, 'desk', ['entrance_other_admission']],
    ['full', {}, { free: 0 }, 'desk', ['entrance_full']],
    ['not at the exam', { status: 'REVIEWED' }, {}, 'desk', ['entrance_not_asked']],
    ['without an exam', { has_exam: false }, {}, 'desk', ['entrance_no_exam']],
    ['without an interview', { has_interview: false }, { kind: 'interview' }, 'desk', ['entrance_no_interview']],
    ['begun', {}, { begins_at: NOW }, 'desk', ['entrance_begun']],
    ['in 23 hours, by the desk', {}, { begins_at: NOW + 23 * HOUR }, 'desk', []],
    ['in 23 hours, by the applicant', {}, { begins_at: NOW + 23 * HOUR }, 'applicant', ['entrance_too_late']],
    ['in 24 hours, by the applicant', {}, { begins_at: NOW + 24 * HOUR }, 'applicant', []],
    ['another one, in time', { booked: [booking()] }, {}, 'applicant', []],
    [
      'another one, too late',
      { booked: [booking({ begins_at: NOW + 23 * HOUR })] },
      {},
      'applicant',
      ['entrance_change_late'],
    ],
    ['another one, by the desk', { booked: [booking({ begins_at: NOW + 1 })] }, {}, 'desk', []],
    ['the same', { booked: [booking({ appointment_id: 1 })] }, {}, 'desk', ['entrance_there_already']],
    ['after it was held', { booked: [booking({ attendance: 'came' })] }, {}, 'desk', ['entrance_came']],
    [
      'beside the interview',
      { booked: [booking({ kind: 'interview', begins_at: NOW + 49 * HOUR, ends_at: NOW + 51 * HOUR })] },
      {},
      'desk',
      ['entrance_overlaps'],
    ],
    [
      'right after the interview',
      { booked: [booking({ kind: 'interview', begins_at: NOW + 47 * HOUR, ends_at: NOW + 48 * HOUR })] },
      {},
      'desk',
      [],
    ],
    [
      'every reason at once',
      { status: 'REVIEWED' },
      { faculty_id: 2, free: 0, begins_at: NOW - 1 },
      'applicant',
      ['entrance_not_asked', 'entrance_not_for', 'entrance_begun', 'entrance_full'],
    ],
  ])('%s', (_, who, at, by, codes) => {
    const found = checkBooking({ ...applicant, ...who }, { ...appointment, ...at }, { by, now: NOW })
    expect(found.map(({ code }) => code)).toEqual(codes)
  })

  test.each<[string, readonly Partial<BookableAppointment>[]]>([
    ['entrance_none', []],
    ['entrance_none_for', [{ faculty_id: 2 }]],
    ['entrance_all_begun', [{ faculty_id: 2 }, { begins_at: NOW }]],
    ['entrance_all_full', [{ free: 0 }, { begins_at: NOW }]],
    ['entrance_all_overlap', [{ free: 0 }, {}]],
  ])('not placed: %s', (code, list) => {
    const all = list.map((one) => ({ ...appointment, ...one }))
    expect(whyUnplaced(applicant, all, NOW).code).toBe(code)
  })
})

describe('results', () => {
  test.each<[number | null, boolean | null, boolean, string]>([
    [5000, null, false, 'pass_exam'],
    [4999, null, false, 'fail_exam'],
    [null, null, false, 'waits'],
    [5000, null, true, 'waits'],
    [5000, true, true, 'pass_exam'],
    [5000, false, true, 'fail_exam'],
    [null, false, true, 'fail_exam'],
    [null, true, true, 'waits'],
    [4999, null, true, 'fail_exam'],
    // Without interviews nobody asks how one went.
    [5000, false, false, 'pass_exam'],
  ])('%s and interview %s (asked: %s): %s', (exam_result, interview_passed, has_interview, outcome) => {
    expect(examOutcome({ has_exam: true, exam_result, interview_passed, has_interview, min_exam: 5000 })).toBe(outcome)
  })

  test('numbers as people type them', () => {
    expect(['72', '72.5', '72.55', '٧٢٫٥', '72 %', '100٪', '0'].map(hundredthsOf)).toEqual([
      7200, 7250, 7255, 7250, 7200, 10_000, 0,
    ])
    expect(['', 'x', '72.555', '-1', '1e3', '7,5'].map(hundredthsOf)).toEqual([null, null, null, null, null, null])
  })

  test('a mark in percent is rounded half up', () => {
    expect(percentOfMark(4500, 6000)).toBe(7500)
    expect(percentOfMark(100, 300)).toBe(3333)
    expect(percentOfMark(200, 300)).toBe(6667)
    // 1 of 8 000 is 0.0125 %.
    expect(percentOfMark(100, 800_000)).toBe(1)
    expect(percentOfMark(125, 1_000_000)).toBe(1)
    expect(percentOfMark(150, 1_000_000)).toBe(2)
    expect(percentOfMark(6000, 6000)).toBe(10_000)
  })
})
