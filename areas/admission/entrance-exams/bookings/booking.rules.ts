import type { Reason } from '#kit/contract/issues.ts'
import { CHOOSE_UNTIL_HOURS, type EntranceKind } from '../words.contract.ts'

const HOUR = 3_600_000

/** An appointment as the rules look at it; instants in ms. */
export interface BookableAppointment {
  readonly id: number
  readonly admission_id: number
  readonly kind: EntranceKind
  readonly begins_at: number
  readonly ends_at: number
  readonly faculty_id: number | null
  readonly program_id: number | null
  readonly free: number
}
/** An applicant who is to get an appointment. */
export interface BookingApplicant {
  readonly admission_id: number
  readonly status: string
  readonly has_exam: boolean
  readonly has_interview: boolean
  /** Faculties and programs that are wished for. */
  readonly faculties: readonly number[]
  readonly programs: readonly number[]
  /** What is booked in the attempt under way. */
  readonly booked: readonly {
    readonly appointment_id: number
    readonly kind: EntranceKind
    readonly begins_at: number
    readonly ends_at: number
    readonly attendance: string | null
  }[]
}

/** Whether an applicant is asked to come to anything of this kind now. */
export function checkAskedToExam(applicant: BookingApplicant, kind: EntranceKind): Reason[] {
  if (applicant.status !== 'exam required') return [{ code: 'entrance_not_asked' }]
  if (kind === 'exam' ? !applicant.has_exam : !applicant.has_interview) return [{ code: `entrance_no_${kind}` }]
  return []
}

/** Whether an appointment is one for this applicant: of the admission, and of what is wished for. */
export const isFor = (appointment: BookableAppointment, applicant: BookingApplicant): boolean =>
  appointment.admission_id === applicant.admission_id &&
  (appointment.faculty_id === null || applicant.faculties.includes(appointment.faculty_id)) &&
  (appointment.program_id === null || applicant.programs.includes(appointment.program_id))

/** What else is booked at the same time. */
const overlapping = (appointment: BookableAppointment, applicant: BookingApplicant) =>
  applicant.booked.find(
    (one) =>
      one.kind !== appointment.kind && one.begins_at < appointment.ends_at && appointment.begins_at < one.ends_at,
  )

/**
 * Every reason why an applicant cannot have this appointment.
 *
 * @param by the applicant chooses until a day before what is booked and what is chosen; the desk until it begins
 */
export function checkBooking(
  applicant: BookingApplicant,
  appointment: BookableAppointment,
  { by, now }: { readonly by: 'applicant' | 'desk'; readonly now: number },
): Reason[] {
  const reasons = checkAskedToExam(applicant, appointment.kind)
  const booked = applicant.booked.find((one) => one.kind === appointment.kind)
  if (appointment.admission_id !== applicant.admission_id) reasons.push({ code: 'entrance_other_admission' })
  else if (!isFor(appointment, applicant)) reasons.push({ code: 'entrance_not_for' })
  if (booked?.attendance === 'came') reasons.push({ code: 'entrance_came' })
  if (booked?.appointment_id === appointment.id) return [...reasons, { code: 'entrance_there_already' }]
  const least = by === 'applicant' ? now + CHOOSE_UNTIL_HOURS * HOUR : now
  if (appointment.begins_at <= now) reasons.push({ code: 'entrance_begun' })
  else if (appointment.begins_at < least)
    reasons.push({ code: 'entrance_too_late', data: { hours: CHOOSE_UNTIL_HOURS } })
  reasons.push(...(by === 'applicant' ? checkChanging(booked ?? null, now) : []))
  if (appointment.free < 1) reasons.push({ code: 'entrance_full' })
  if (overlapping(appointment, applicant)) reasons.push({ code: 'entrance_overlaps' })
  return reasons
}

/** What is booked is changed by the applicant until a day before. */
export const checkChanging = (booked: { readonly begins_at: number } | null, now: number): Reason[] =>
  booked && booked.begins_at < now + CHOOSE_UNTIL_HOURS * HOUR
    ? [{ code: 'entrance_change_late', data: { hours: CHOOSE_UNTIL_HOURS } }]
    : []

/** What somebody who was not placed is told: what stands against the appointment that came nearest. */
export function whyUnplaced(
  applicant: BookingApplicant,
  appointments: readonly BookableAppointment[],
  now: number,
): Reason {
  if (!appointments.length) return { code: 'entrance_none' }
  const fitting = appointments.filter((one) => isFor(one, applicant))
  if (!fitting.length) return { code: 'entrance_none_for' }
  const coming = fitting.filter((one) => one.begins_at > now)
  if (!coming.length) return { code: 'entrance_all_begun' }
  if (coming.every((one) => one.free < 1)) return { code: 'entrance_all_full' }
  return { code: 'entrance_all_overlap' }
}
