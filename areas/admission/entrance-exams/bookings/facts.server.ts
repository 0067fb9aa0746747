/** What booking looks at: applicants with their wishes and appointments, and appointments with their free places. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import type { EntranceKind } from '../words.contract.ts'
import { HALL } from '../appointments/mail.server.ts'
import type { ShownAppointment } from './booking.contract.ts'
import type { BookableAppointment, BookingApplicant } from './booking.rules.ts'

type Queries = Db | Tx

export interface EntranceApplicant extends BookingApplicant {
  readonly id: number
  readonly code: string
  readonly name: string | null
  readonly status: ApplicantStatus
  readonly attempt: number
  readonly booked: readonly (BookingApplicant['booked'][number] & { readonly booking_id: number })[]
}
interface ApplicantRow extends Omit<EntranceApplicant, 'booked'> {
  booked: {
    booking_id: number
    appointment_id: number
    kind: EntranceKind
    begins_at: string
    ends_at: string
    attendance: string | null
  }[]
}

/** Applicants with what they wish for and what is booked in the attempt under way, by id. */
export async function entranceApplicants(db: Queries, ids: readonly number[]): Promise<EntranceApplicant[]> {
  const { rows } =
    await sql<ApplicantRow>`select t.id, t.code, coalesce(t.name, t.name_local) as name, t.status, t.admission_id,
      a.has_exam, a.has_interview, t.exam_attempt::int as attempt,
      array(select distinct p.faculty_id from applicant_preferences w join programs p on p.id = w.program_id where w.applicant_id = t.id) as faculties,
      array(select w.program_id from applicant_preferences w where w.applicant_id = t.id) as programs,
      coalesce((select json_agg(json_build_object('booking_id', k.id, 'appointment_id', e.id, 'kind', k.kind, 'begins_at', e.begins_at,
          'ends_at', e.ends_at, 'attendance', k.attendance)) from entrance_bookings k join entrance_appointments e on e.id = k.appointment_id
        where k.applicant_id = t.id and k.attempt = t.exam_attempt and k.ended_at is null), '[]') as booked
    from applicants t join admissions a on a.id = t.admission_id
    where t.id = any(${[...ids]}::int[]) and t.removed_at is null order by t.id`.execute(db)
  return rows.map((row) => ({
    ...row,
    booked: row.booked.map((one) => ({
      ...one,
      begins_at: new Date(one.begins_at).getTime(),
      ends_at: new Date(one.ends_at).getTime(),
    })),
  }))
}

/** An appointment as it is shown, and as the rules look at it. */
export interface EntranceOffer extends BookableAppointment {
  readonly shown: ShownAppointment
}
/** Appointments of an admission that are still to come, or one, in the order of their numbers. */
export async function entranceOffers(
  db: Queries,
  of: { readonly id: number } | { readonly admission_id: number; readonly kind: EntranceKind },
): Promise<EntranceOffer[]> {
  const { rows } = await sql<
    Omit<EntranceOffer, 'begins_at' | 'ends_at' | 'shown'> & {
      code: string
      begins_at: string
      ends_at: string
      minutes: number
      place: string | null
      hall: ShownAppointment['hall']
    }
  >`select e.id, e.code, e.admission_id, e.kind, e.begins_at, e.ends_at, e.minutes::int, e.place, e.faculty_id, e.program_id,
      x.capacity - x.booked as free, ${HALL} as hall
    from entrance_appointments e join entrance_places x on x.appointment_id = e.id
    where e.removed_at is null and ${
      'id' in of
        ? sql`e.id = ${of.id}`
        : sql`e.admission_id = ${of.admission_id} and e.kind = ${of.kind} and e.begins_at > now()`
    } order by e.id`.execute(db)
  return rows.map(({ code, minutes, place, hall, begins_at, ends_at, ...row }) => ({
    ...row,
    begins_at: new Date(begins_at).getTime(),
    ends_at: new Date(ends_at).getTime(),
    shown: { id: row.id, code, kind: row.kind, begins_at, minutes, hall, place },
  }))
}
