/** Asking for a bed: by a student, or by staff for somebody. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { workerReach } from '#areas/money/ledger/others.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { reservations } from './flow.server.ts'
import { stayReach } from './reach.server.ts'
import type { BedWish } from './stay.contract.ts'
import { checkDays } from './stay.rules.ts'

/** For whom a bed is asked. */
interface BedGuest {
  readonly student_id: number | null
  readonly staff_id: number | null
  readonly guest_id: number | null
  readonly gender: number | null
  readonly priority: number
}
interface AskedBed {
  readonly id: number
  readonly version: number
  readonly code: string
}

interface Student {
  readonly id: number
  readonly code: string
  readonly gender: number | null
  readonly status: string
  readonly other: { readonly code: string; readonly from: string; readonly until: string } | null
}
/** The student, who is held: of two requests at one moment the second sees the first, also of a person with two records. */
async function studentOf(ctx: Ctx, tx: Tx, id: number, from: string, until: string): Promise<Student> {
  const own = id === ctx.actor?.student_id
  // A statement of its own: one that waited would still see what was there when it began.
  await sql`select from students where id = ${id} or user_id = (select user_id from students where id = ${id})
    order by id for no key update`.execute(tx)
  const { rows } = await sql<Student>`select s.id, s.code, s.gender::int as gender, s.status,
      (select json_build_object('code', x.code, 'from', x.from_day, 'until', x.until_day) from hotel_reservations x
        join students o on o.id = x.student_id
        where (o.id = s.id or o.user_id = s.user_id) and x.removed_at is null and x.status in ('requested', 'confirmed', 'checked_in')
          and x.from_day < ${until}::date and x.until_day > ${from}::date order by x.from_day limit 1) as other
    from students s where s.id = ${id} and s.removed_at is null
      and (${own} or ${scopeCondition(ctx, ['add_hotel'], studentReach(ctx, 's'))})`.execute(tx)
  if (!rows[0]) throw refuse(422, 'reference_missing', {}, 'student_id')
  return rows[0]
}

/**
 * Who works here or a guest, held: of two requests at one moment the second sees the first. Whom somebody may ask for: who works within
 * reach, and every guest.
 */
export async function otherGuestOf(
  ctx: Ctx,
  tx: Tx,
  { staff_id, guest_id }: Pick<BedGuest, 'staff_id' | 'guest_id'>,
  [from, until]: readonly [string, string],
  key: 'add_hotel' | 'edit_hotel' = 'add_hotel',
): Promise<Pick<Student, 'gender' | 'other'>> {
  if (staff_id !== null) await sql`select from users where id = ${staff_id} for no key update`.execute(tx)
  else await sql`select from guests where id = ${guest_id} for no key update`.execute(tx)
  const { rows } = await sql<Pick<Student, 'gender' | 'other'> & { gone: boolean }>`
    select x.gender, x.gone, (select json_build_object('code', r.code, 'from', r.from_day, 'until', r.until_day) from hotel_reservations r
      where (r.staff_id = ${staff_id}::int or r.guest_id = ${guest_id}::int) and r.removed_at is null and r.status in ('requested', 'confirmed', 'checked_in')
        and r.from_day < ${until}::date and r.until_day > ${from}::date order by r.from_day limit 1) as other
    from (
      select (select i.gender::int from instructors i where i.user_id = u.id) as gender, u.removed_at is not null as gone from users u
        where u.id = ${staff_id}::int and u.type in (1, 2) and ${scopeCondition(ctx, [key], workerReach(ctx))}
      union all select null, g.removed_at is not null from guests g where g.id = ${guest_id}::int) x`.execute(tx)
  const [found] = rows
  if (!found || (found.gone && staff_id === null))
    throw refuse(422, 'reference_missing', {}, staff_id !== null ? 'staff_id' : 'guest_id')
  if (found.gone) throw refuse(409, 'stay_staff_left')
  return found
}

/** The days that are asked for: those that are told, else those of the term. */
async function daysOf(tx: Tx, wish: BedWish): Promise<readonly [from: string, until: string]> {
  let { from_day, until_day } = wish
  if (wish.unit === 'term' && !wish.term_id) throw refuse(422, 'stay_no_term', {}, 'term_id')
  if (wish.term_id) {
    const { rows } = await sql<{
      from: string
      until: string
    }>`select greatest(start_date, university_today()) as from, end_date as until
      from terms where id = ${wish.term_id} and removed_at is null`.execute(tx)
    if (!rows[0]) throw refuse(422, 'reference_missing', {}, 'term_id')
    from_day ??= rows[0].from
    until_day ??= rows[0].until
  }
  const missing: Reason[] = [
    ...(from_day === undefined ? [{ field: 'from_day', code: 'required' }] : []),
    ...(until_day === undefined ? [{ field: 'until_day', code: 'required' }] : []),
  ]
  if (missing.length || from_day === undefined || until_day === undefined) throw new Refusal(422, missing)
  return [from_day, until_day]
}

async function matesOf(tx: Tx, codes: readonly string[], own: string | null): Promise<number[]> {
  const { rows } = await sql<{
    code: string
    id: number | null
  }>`select c.code, s.id from unnest(${[...codes]}::text[]) with ordinality c (code, at)
    left join students s on lower(s.code) = lower(c.code) and s.removed_at is null order by c.at`.execute(tx)
  const reasons = rows.flatMap(({ code, id }, i): Reason[] =>
    id === null
      ? [{ field: `mates.${i}`, code: 'mate_unknown', data: { code } }]
      : code.toLowerCase() === own?.toLowerCase()
        ? [{ field: `mates.${i}`, code: 'mate_self' }]
        : [],
  )
  if (reasons.length) throw new Refusal(422, reasons)
  return [...new Set(rows.flatMap(({ id }) => (id === null ? [] : [id])))]
}

/** Who asked already by the same press of the button. */
async function askedBefore(ctx: Ctx, tx: Tx, key: string): Promise<AskedBed | null> {
  const { rows } = await sql<AskedBed>`select t.id, t.version, t.code from hotel_reservations t
    where t.request_key = ${key} and ${scopeCondition(ctx, ['add_hotel', 'ask_hotel'], stayReach(ctx))}`.execute(tx)
  return rows[0] ?? null
}

/**
 * Asks for a bed: the request waits. Twice the same press of the button is one request.
 *
 * @throws {Refusal} 422 with every reason; 409 where the person has a reservation on these days
 */
export const askForBed = (ctx: Ctx, wish: BedWish, guest: BedGuest): Promise<AskedBed> =>
  ctx.write(async (tx) => {
    if (wish.key) {
      await sql`select pg_advisory_xact_lock(hashtext(${wish.key}))`.execute(tx)
      const before = await askedBefore(ctx, tx, wish.key)
      if (before) return before
    }
    const [from, until] = await daysOf(tx, wish)
    const reasons = checkDays(from, until, dayOf())
    if (reasons.length) throw new Refusal(422, reasons)
    const student = guest.student_id === null ? null : await studentOf(ctx, tx, guest.student_id, from, until)
    if (student && student.status !== 'studying') throw refuse(409, 'stay_left')
    const other = student ? null : await otherGuestOf(ctx, tx, guest, [from, until])
    const elsewhere = student?.other ?? other?.other
    if (elsewhere) throw refuse(409, 'reservation_other', elsewhere)
    const mates = await matesOf(tx, wish.mates, student?.code ?? null)
    const { rows } =
      await sql<AskedBed>`insert into hotel_reservations (student_id, staff_id, guest_id, audience, gender, kind_id, hostel_id,
        from_day, until_day, unit, term_id, priority, distance_km, note, request_key)
      values (${student?.id ?? null}, ${guest.staff_id}, ${guest.guest_id},
        ${student ? 'students' : guest.staff_id !== null ? 'staff' : 'guests'}, ${student ? student.gender : (other?.gender ?? guest.gender)}, ${wish.kind_id ?? null}, ${wish.hostel_id ?? null}, ${from}, ${until}, ${wish.unit},
        ${wish.term_id ?? null}, ${guest.priority}, ${wish.distance_km ?? null}, ${wish.note ?? null}, ${wish.key ?? null})
      returning id, version, code`.execute(tx)
    const made = firstRow(rows)
    if (mates.length)
      await sql`insert into bed_mates (reservation_id, student_id) select ${made.id}::int, unnest(${mates}::int[])`.execute(
        tx,
      )
    const { rows: reached } = await sql`select from hotel_reservations t where t.id = ${made.id}
      and ${scopeCondition(ctx, ['add_hotel', 'ask_hotel'], stayReach(ctx))}`.execute(tx)
    if (!reached.length) throw refuse(403, 'hostel_elsewhere', {}, 'hostel_id')
    await reservations.begin(ctx, tx, made.id, 'requested')
    return made
  })
