/** Appointments of applicants: chosen in the public form, given by the desk, attendance. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { openWithKey, withKey } from '#areas/admission/applicants/apply/key.server.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { asRefusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { ENTRANCE_KINDS } from '../words.contract.ts'
import { HALL, sendEntranceMail } from '../appointments/mail.server.ts'
import { appointments, forEverybody } from '../appointments/appointment.server.ts'
import { bookEntrance } from './book.server.ts'
import { CHOOSE_UNTIL_HOURS } from '../words.contract.ts'
import { checkAskedToExam, checkChanging, isFor } from './booking.rules.ts'
import { entranceBookingCalls as calls, type AskedAppointment, type Comer } from './booking.contract.ts'
import { entranceApplicants, entranceOffers, type EntranceApplicant } from './facts.server.ts'

type Overview = ResponseOf<typeof calls.overview>['data']
type OfApplicant = ResponseOf<typeof calls.ofApplicant>['data']
/** Free appointments that are offered at once. */
const MOST_OFFERED = 200
const HOUR = 3_600_000

/** Appointments that the reader reaches, and those for all applicants. */
const reached = (ctx: Ctx, access: 'access_entrance_exam' | 'manage_entrance_exam') =>
  sql`(${appointments.scope(ctx, access)} or ${forEverybody()})`

/** What an applicant has to come to now, where it is booked, and what is free. */
async function askedOf(
  db: Db | Tx,
  applicant: EntranceApplicant,
  by: 'applicant' | 'desk',
): Promise<AskedAppointment[]> {
  const now = Date.now()
  const least = by === 'applicant' ? now + CHOOSE_UNTIL_HOURS * HOUR : now
  const asked: AskedAppointment[] = []
  for (const { value: kind } of ENTRANCE_KINDS) {
    const booked = applicant.booked.find((one) => one.kind === kind)
    if (!booked && checkAskedToExam(applicant, kind).length) continue
    const reasons: Reason[] = [
      ...checkAskedToExam(applicant, kind),
      ...(by === 'applicant' ? checkChanging(booked ?? null, now) : []),
      ...(booked?.attendance === 'came' ? [{ code: 'entrance_came' }] : []),
    ]
    const offers = reasons.length ? [] : await entranceOffers(db, { admission_id: applicant.admission_id, kind })
    const [mine] = booked ? await entranceOffers(db, { id: booked.appointment_id }) : []
    const [why] = reasons
    asked.push({
      kind,
      booking_id: booked?.booking_id ?? null,
      appointment: mine?.shown ?? null,
      attendance: (booked?.attendance ?? null) as AskedAppointment['attendance'],
      changeable: reasons.length === 0,
      why: why ? toProblem(why) : null,
      free: offers
        .filter(
          (one) => one.free > 0 && one.begins_at >= least && one.id !== booked?.appointment_id && isFor(one, applicant),
        )
        .toSorted((a, b) => a.begins_at - b.begins_at || a.id - b.id)
        .slice(0, MOST_OFFERED)
        .map(({ shown, free }) => ({ ...shown, free })),
    })
  }
  return asked
}
const oneApplicant = async (db: Db | Tx, id: number): Promise<EntranceApplicant> => {
  const [applicant] = await entranceApplicants(db, [id])
  if (!applicant) throw refuse(404, 'not_found')
  return applicant
}

const mine = handle(calls.mine, async (ctx, { params }) => {
  const {
    opened: { id },
  } = await openWithKey(ctx, params)
  return { data: await askedOf(ctx.db, await oneApplicant(ctx.db, id), 'applicant') }
})

const choose = handle(calls.choose, (ctx, { params, body: { appointment_id } }) =>
  withKey(ctx, params, async ({ id }, program, tx) => {
    await bookEntrance(program, tx, { applicant_id: id, appointment_id, by: 'applicant' })
    return { data: await askedOf(tx, await oneApplicant(tx, id), 'applicant') }
  }),
)

const ofApplicant = handle(calls.ofApplicant, async (ctx, { params: { id } }) => {
  const { rows } = await sql<
    Omit<OfApplicant, 'asked' | 'earlier' | 'attempt'> & { attempt: number; earlier: OfApplicant['earlier'] }
  >`select t.status, t.version, t.exam_attempt::int as attempt, t.exam_result::text, t.interview_passed, a.has_exam, a.has_interview,
      a.min_exam::text,
      coalesce((select json_agg(json_build_object('id', k.id, 'attempt', k.attempt, 'attendance', k.attendance,
          'ended', k.ended_at is not null, 'appointment', json_build_object('id', e.id, 'code', e.code, 'kind', e.kind,
          'begins_at', e.begins_at, 'minutes', e.minutes, 'hall', ${HALL}, 'place', e.place)) order by e.begins_at desc, k.id desc)
        from entrance_bookings k join entrance_appointments e on e.id = k.appointment_id
        where k.applicant_id = t.id and (k.ended_at is not null or k.attempt <> t.exam_attempt)), '[]') as earlier
    from applicants t join admissions a on a.id = t.admission_id
    where t.id = ${id} and t.removed_at is null and ${applicants.scope(ctx, 'access_entrance_exam')}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  return { data: { ...found, asked: await askedOf(ctx.db, await oneApplicant(ctx.db, id), 'desk') } }
})

/** SQL of who comes to an appointment, as far as the reader reaches applicants. */
const comersOf = (ctx: Ctx, id: number) => sql`select k.id, json_build_object('id', t.id, 'code', t.code,
      'name', coalesce(t.name, t.name_local, t.code), 'name_local', coalesce(t.name_local, t.name, t.code)) as applicant,
    t.status, k.attempt::int, right(t.national_id, 4) as national_id_end, t.phone, k.attendance,
    case when k.attempt = t.exam_attempt then t.exam_result::text end as exam_result,
    case when k.attempt = t.exam_attempt then t.interview_passed end as interview_passed
  from entrance_bookings k join applicants t on t.id = k.applicant_id
  where k.appointment_id = ${id} and k.ended_at is null and ${applicants.scope(ctx, 'access_entrance_exam')}
  order by t.id`

/** An appointment within reach, with what stands on its papers. @throws {Refusal} 404 */
export async function comersAt(ctx: Ctx, id: number, most: number) {
  await appointments.get(ctx, ctx.db, id, 'access_entrance_exam')
  return cutRows<Comer>(ctx.db, comersOf(ctx, id), most)
}

const book = handle(calls.book, async (ctx, { body: { applicant_ids, appointment_id } }) => {
  const { rows } = await sql<{ id: number }>`select t.id from entrance_appointments t where t.id = ${appointment_id}
    and t.removed_at is null and ${reached(ctx, 'manage_entrance_exam')}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const done: number[] = []
  const failed: ResponseOf<typeof calls.book>['data']['failed'] = []
  for (const id of new Set(applicant_ids)) {
    try {
      await ctx.write(async (tx) => {
        const { rows: held } = await sql`select from applicants t where t.id = ${id} and t.removed_at is null
          and ${applicants.scope(ctx, 'manage_entrance_exam')} for no key update`.execute(tx)
        if (!held.length) throw refuse(404, 'not_found')
        await bookEntrance(ctx, tx, { applicant_id: id, appointment_id, by: 'desk' })
      })
      done.push(id)
    } catch (error) {
      const refusal = asRefusal(error)
      if (!refusal) throw error
      failed.push({ id, errors: refusal.reasons.map((reason) => toProblem(reason)) })
    }
  }
  return { data: { done, failed } }
})

const unbook = handle(calls.unbook, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ attendance: string | null; past: boolean }>`with who as (select t.id from applicants t
          where t.id = (select k.applicant_id from entrance_bookings k where k.id = ${id})
            and ${applicants.scope(ctx, 'manage_entrance_exam')} for no key update)
      select k.attendance, e.begins_at <= now() as past from entrance_bookings k join who on who.id = k.applicant_id
        join entrance_appointments e on e.id = k.appointment_id where k.id = ${id} and k.ended_at is null for no key update of k`.execute(
      tx,
    )
    const [booking] = rows
    if (!booking) throw refuse(404, 'not_found')
    if (booking.past) throw refuse(409, 'entrance_begun')
    await sql`update entrance_bookings set ended_at = now() where id = ${id}`.execute(tx)
    await ctx.services.jobs.send(tx, sendEntranceMail, { booking_id: id, what: 'off' }, { actor: null })
    return { data: null }
  }),
)

const attend = handle(calls.attend, (ctx, { params: { id }, body: { bookings } }) =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ begun: boolean }>`select t.begins_at <= now() as begun from entrance_appointments t
      where t.id = ${id} and t.removed_at is null and ${reached(ctx, 'manage_entrance_exam')} for share`.execute(tx)
    if (!rows[0]) throw refuse(404, 'not_found')
    if (!rows[0].begun) throw refuse(409, 'entrance_not_begun')
    const { rows: noted } = await sql<{
      id: number
    }>`update entrance_bookings k set attendance = n.attendance, updated_at = now()
      from jsonb_to_recordset(${JSON.stringify(bookings)}::jsonb) as n (id int, attendance text), applicants t
      where k.id = n.id and k.appointment_id = ${id} and k.ended_at is null and t.id = k.applicant_id
        and ${applicants.scope(ctx, 'manage_entrance_exam')} returning k.id`.execute(tx)
    if (noted.length < new Set(bookings.map((one) => one.id)).size) throw refuse(409, 'entrance_not_there')
    return { data: { noted: noted.length } }
  }),
)

const overview = handle(calls.overview, async (ctx, { params: { id } }) => {
  const { rows } = await sql<Omit<Overview, 'kinds'> & { kinds: Overview['kinds'] }>`
    with mine as materialized (select t.id, t.status, t.exam_attempt from applicants t where t.admission_id = ${id} and t.removed_at is null
      and t.status in ('exam required', 'DISTRIBUATION_REQUIRED', 'EXAM_FAILS') and ${applicants.scope(ctx, 'access_entrance_exam')})
    select json_build_object('id', a.id, 'code', a.code, 'name', a.name, 'name_local', a.name_local) as admission, a.has_exam,
      a.has_interview, a.min_exam::text,
      (select count(*)::int from mine where status = 'exam required') as awaiting,
      (select count(*)::int from mine where status = 'DISTRIBUATION_REQUIRED') as passed,
      (select count(*)::int from mine where status = 'EXAM_FAILS') as failed,
      (select coalesce(json_agg(json_build_object('kind', k.kind, 'appointments', coalesce(e.count, 0), 'places', coalesce(e.places, 0),
          'free', coalesce(e.free, 0), 'booked', coalesce(b.count, 0), 'missing', w.count - coalesce(b.count, 0)) order by k.kind), '[]')
        from (values ('exam'), ('interview')) k (kind)
          left join lateral (select count(*)::int as count, sum(x.capacity)::int as places, sum(x.capacity - x.booked)::int as free
            from entrance_appointments t join entrance_places x on x.appointment_id = t.id where t.admission_id = a.id and t.kind = k.kind
              and t.removed_at is null and t.begins_at > now() and ${reached(ctx, 'access_entrance_exam')}) e on true
          left join lateral (select count(*)::int as count from mine m join entrance_bookings o on o.applicant_id = m.id
            and o.kind = k.kind and o.attempt = m.exam_attempt and o.ended_at is null where m.status = 'exam required') b on true
          cross join lateral (select count(*)::int as count from mine where status = 'exam required') w
        where case k.kind when 'exam' then a.has_exam else a.has_interview end) as kinds
    from admissions a where a.id = ${id} and a.removed_at is null`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: firstRow(rows) }
})

const admissions = handle(calls.admissions, (ctx, { query: { most } }) =>
  cutRows(
    ctx.db,
    sql`select a.id, a.code, a.name, a.name_local, (select count(*)::int from applicants t where t.admission_id = a.id
        and t.status = 'exam required' and t.removed_at is null and ${applicants.scope(ctx, 'access_entrance_exam')}) as awaiting
      from admissions a where a.removed_at is null and (a.has_exam or a.has_interview) order by a.closes_at desc, a.id`,
    most,
  ),
)

export const entranceBookingHandlers: readonly Handled[] = [
  mine,
  choose,
  ofApplicant,
  handle(calls.comers, (ctx, { params: { id }, query: { most } }) => comersAt(ctx, id, most)),
  book,
  unbook,
  attend,
  overview,
  admissions,
]
