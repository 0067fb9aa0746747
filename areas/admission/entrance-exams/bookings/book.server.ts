/** Booking: an applicant gets an appointment, another one, or none any more. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { applicantsMoved } from '#areas/admission/applicants/applicant/moved.server.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { hear } from '#kit/server/base/hears.ts'
import { sendEntranceMail } from '../appointments/mail.server.ts'
import { checkBooking } from './booking.rules.ts'
import { entranceApplicants, entranceOffers } from './facts.server.ts'

/**
 * Books an appointment for an applicant whose row is held, in place of the one that is booked. The database counts places: of
 * two who want the last one, one gets it.
 *
 * @throws {Refusal} 404 for an appointment that is not there, 409 with every reason
 */
export async function bookEntrance(
  ctx: Ctx,
  tx: Tx,
  { applicant_id, appointment_id, by }: { applicant_id: number; appointment_id: number; by: 'applicant' | 'desk' },
): Promise<void> {
  // Places that are taken or given back are held first, in one order: what is judged is what is there when it is written.
  await sql`select from entrance_places where appointment_id = ${appointment_id} or appointment_id in
      (select appointment_id from entrance_bookings where applicant_id = ${applicant_id} and ended_at is null)
    order by appointment_id for no key update`.execute(tx)
  const [applicant] = await entranceApplicants(tx, [applicant_id])
  const [appointment] = await entranceOffers(tx, { id: appointment_id })
  if (!applicant || !appointment) throw refuse(404, 'not_found')
  const reasons = checkBooking(applicant, appointment, { by, now: Date.now() })
  if (reasons.length) throw new Refusal(409, reasons)
  const booked = applicant.booked.find((one) => one.kind === appointment.kind)
  const booked_by = by === 'desk' ? (ctx.actor?.user_id ?? null) : null
  let booking_id = booked?.booking_id
  // Whoever did not come keeps that: another appointment is another booking.
  if (booked && booked.attendance === null)
    await sql`update entrance_bookings set appointment_id = ${appointment_id}, booked_by = ${booked_by}, updated_at = now()
      where id = ${booked.booking_id}`.execute(tx)
  else {
    if (booked) await sql`update entrance_bookings set ended_at = now() where id = ${booked.booking_id}`.execute(tx)
    const { rows } = await sql<{
      id: number
    }>`insert into entrance_bookings (appointment_id, kind, applicant_id, attempt, booked_by)
      values (${appointment_id}, ${appointment.kind}, ${applicant_id}, ${applicant.attempt}, ${booked_by}) returning id`.execute(
      tx,
    )
    booking_id = firstRow(rows).id
  }
  await ctx.services.jobs.send(
    tx,
    sendEntranceMail,
    { booking_id: Number(booking_id), what: booked ? 'changed' : 'new' },
    { actor: null },
  )
}

/** Whoever leaves the exam leaves the appointments that are still to come: their places are free again. */
export const entranceLeft = hear(applicantsMoved, async (_ctx, tx, moved) => {
  const left = moved.filter(({ from, to }) => from === 'exam required' && to !== 'exam required').map(({ id }) => id)
  if (!left.length) return
  await sql`update entrance_bookings k set ended_at = now() from entrance_appointments e
    where e.id = k.appointment_id and k.applicant_id = any(${left}::int[]) and k.ended_at is null and e.begins_at > now()`.execute(
    tx,
  )
})
