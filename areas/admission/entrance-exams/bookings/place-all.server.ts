/** All who have no appointment get one: appointments are filled in the order of their numbers, applicants come in that of theirs. */
import { sql } from 'kysely'
import { insertRows } from '#db/bulk.ts'
import type { Tx } from '#db/connect.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse, toProblem } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import type { EntranceKind } from '../words.contract.ts'
import { appointments, forEverybody } from '../appointments/appointment.server.ts'
import { sendEntranceMail } from '../appointments/mail.server.ts'
import { entranceBookingCalls as calls, type PlacedAll } from './booking.contract.ts'
import { checkBooking, whyUnplaced } from './booking.rules.ts'
import { entranceApplicants, entranceOffers, type EntranceOffer } from './facts.server.ts'

interface Asked {
  admission_id: number
  kind: EntranceKind
}
/** Applicants of one transaction: what one of them meets holds up no more than these, and they are told while the rest waits. */
const TOGETHER = 200
/** Of those who could not be placed, so many are named. */
const MOST_NAMED = 200

/** The next applicants without an appointment, held. */
async function nextOf(ctx: Ctx, tx: Tx, { admission_id, kind }: Asked, after: number): Promise<number[]> {
  const { rows } = await sql<{
    id: number
  }>`select t.id from applicants t where t.admission_id = ${admission_id} and t.id > ${after}
      and t.status = 'exam required' and t.removed_at is null and ${applicants.scope(ctx, 'manage_entrance_exam')}
      and not exists (select from entrance_bookings k where k.applicant_id = t.id and k.kind = ${kind} and k.attempt = t.exam_attempt
        and k.ended_at is null)
    order by t.id limit ${TOGETHER} for no key update of t`.execute(tx)
  return rows.map(({ id }) => id)
}
/** Appointments that are still to come within the reach of who asked; their places are held. */
async function offersOf(ctx: Ctx, tx: Tx, { admission_id, kind }: Asked): Promise<EntranceOffer[]> {
  const { rows } = await sql<{
    id: number
  }>`select t.id from entrance_appointments t join entrance_places x on x.appointment_id = t.id
    where t.admission_id = ${admission_id} and t.kind = ${kind} and t.removed_at is null and t.begins_at > now()
      and (${appointments.scope(ctx, 'manage_entrance_exam')} or ${forEverybody()}) order by t.id for no key update of x`.execute(
    tx,
  )
  const there = new Set(rows.map(({ id }) => id))
  return (await entranceOffers(tx, { admission_id, kind })).filter(({ id }) => there.has(id))
}

async function placeSome(ctx: Ctx, tx: Tx, asked: Asked, ids: readonly number[]): Promise<Omit<PlacedAll, 'more'>> {
  const unplaced: PlacedAll['unplaced'] = []
  const offers = await offersOf(ctx, tx, asked)
  const free = new Map(offers.map((one) => [one.id, one.free]))
  const now = Date.now()
  const placed: { appointment_id: number; kind: EntranceKind; applicant_id: number; attempt: number }[] = []
  for (const one of await entranceApplicants(tx, ids)) {
    const left = offers.map((offer) => ({ ...offer, free: free.get(offer.id) ?? 0 }))
    const offer = left.find((each) => checkBooking(one, each, { by: 'desk', now }).length === 0)
    if (offer) {
      free.set(offer.id, offer.free - 1)
      placed.push({ appointment_id: offer.id, kind: asked.kind, applicant_id: one.id, attempt: one.attempt })
    } else unplaced.push({ id: one.id, code: one.code, name: one.name, why: toProblem(whyUnplaced(one, left, now)) })
  }
  if (!placed.length) return { placed: 0, unplaced }
  await insertRows(tx, 'entrance_bookings', placed)
  const { rows } = await sql<{ id: number }>`select id from entrance_bookings where applicant_id = any(${placed.map(
    ({ applicant_id }) => applicant_id,
  )}::int[]) and kind = ${asked.kind} and ended_at is null order by id`.execute(tx)
  for (const { id } of rows)
    await ctx.services.jobs.send(tx, sendEntranceMail, { booking_id: id, what: 'new' }, { actor: null })
  return { placed: placed.length, unplaced }
}

/** Begun again after its process died, it goes on with those who have none. */
export const placeEntrance = defineJob<Asked, PlacedAll>({
  name: 'place-entrance',
  async run(ctx, asked, progress) {
    const { rows } = await sql<{
      count: number
    }>`select count(*)::int as count from applicants t where t.admission_id = ${asked.admission_id}
      and t.status = 'exam required' and t.removed_at is null and ${applicants.scope(ctx, 'manage_entrance_exam')}`.execute(
      ctx.db,
    )
    const all = Math.max(1, rows[0]?.count ?? 0)
    const result: PlacedAll = { placed: 0, unplaced: [], more: 0 }
    let [after, seen] = [0, 0]
    for (;;) {
      const begin = after
      const { ids, placed, unplaced } = await ctx.write(async (tx) => {
        const next = await nextOf(ctx, tx, asked, begin)
        return { ids: next, ...(next.length ? await placeSome(ctx, tx, asked, next) : { placed: 0, unplaced: [] }) }
      })
      const last = ids.at(-1)
      if (last === undefined) break
      after = last
      seen += ids.length
      // Counted once it is stored: a transaction may be begun again.
      result.placed += placed
      const named = unplaced.slice(0, MOST_NAMED - result.unplaced.length)
      result.unplaced.push(...named)
      result.more += unplaced.length - named.length
      await progress(Math.min(99, (100 * seen) / all))
    }
    return result
  },
})

export const placeEntranceHandlers: readonly Handled[] = [
  handle(calls.placeAll, (ctx, { body }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        has_exam: boolean
        has_interview: boolean
      }>`select has_exam, has_interview from admissions
        where id = ${body.admission_id} and removed_at is null for no key update`.execute(tx)
      const [admission] = rows
      if (!admission) throw refuse(422, 'not_found', {}, 'admission_id')
      if (body.kind === 'exam' ? !admission.has_exam : !admission.has_interview)
        throw refuse(422, `entrance_no_${body.kind}`, {}, 'kind')
      // Two at once would only wait for each other.
      if (await ctx.services.jobs.underWay(tx, placeEntrance, body)) throw refuse(409, 'entrance_placing')
      return { job_id: await ctx.services.jobs.send(tx, placeEntrance, body, { actor: ctx.actor, lang: ctx.lang }) }
    }),
  ),
]
