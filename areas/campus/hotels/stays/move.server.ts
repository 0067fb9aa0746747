/** Moving a stay to another bed or other days, and the beds that are free for it. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refPairs } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'
import { bedReasons, reservations } from './flow.server.ts'
import { houseOf, waitingOf } from './house.server.ts'
import { rechargeStay } from './money.server.ts'
import { stayReach } from './reach.server.ts'
import type { FreeBed } from './stay.contract.ts'
import { checkStayMove, type StayMoveFacts } from './stay.rules.ts'

interface Stay extends StayMoveFacts {
  readonly id: number
  readonly version: number
  readonly code: string
  readonly student_id: number | null
  readonly user_id: number | null
  readonly unit: 'night' | 'month' | 'term'
  readonly kind_id: number | null
}
/** A stay within reach, held. @throws {Refusal} 404; 409 where it was changed meanwhile */
async function lockStay(ctx: Ctx, tx: Tx, id: number, version: number | undefined): Promise<Omit<Stay, 'today'>> {
  const { rows } = await sql<
    Omit<Stay, 'today'>
  >`select t.id, t.version, t.code, t.status, t.from_day, t.until_day, t.bed_id, t.student_id, t.unit,
      (select s.user_id from students s where s.id = t.student_id) as user_id,
      (select r.kind_id from hostel_beds b join hostel_rooms r on r.id = b.room_id where b.id = t.bed_id) as kind_id
    from hotel_reservations t where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'edit_hotel', stayReach(ctx))}
    for update of t`.execute(tx)
  const [stay] = rows
  if (!stay) throw refuse(404, 'not_found')
  if (version !== undefined && version !== stay.version)
    throw refuse(409, 'changed_meanwhile', { version: stay.version })
  return stay
}

interface StayMove {
  readonly bed_id: number
  readonly from_day: string
  readonly until_day: string
  readonly version?: number | undefined
}

/**
 * Moves a stay, or stretches it. A guest who is there and changes beds leaves the one today, and a stay in the other goes on: where
 * he or she slept stays known.
 *
 * @returns the stay that goes on
 */
export const moveStay = (ctx: Ctx, id: number, { version, ...to }: StayMove) =>
  ctx.write(async (tx) => {
    const stay = await lockStay(ctx, tx, id, version)
    const today = dayOf()
    const reasons = checkStayMove({ ...stay, today }, to)
    if (reasons.length) throw new Refusal(409, reasons)
    const split = stay.status === 'checked_in' && to.bed_id !== stay.bed_id && stay.from_day < today
    const from_day = split ? today : to.from_day
    const [who] = await waitingOf(tx, [id])
    const house = await houseOf(tx, from_day, to.until_day)
    const against = who ? await bedReasons(tx, house, to.bed_id, { ...who, from_day, until_day: to.until_day }, id) : []
    if (against.length) throw new Refusal(409, against)
    const moved = split ? await splitStay(tx, stay, to, today) : await changeStay(tx, id, to)
    const kind = house.beds.find((one) => one.id === to.bed_id)?.kind_id
    if (split) {
      await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state, reason)
        values ('hotel_reservation', ${id}, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, 'check_out', 'checked_in',
          'checked_out', 'Moved to another bed')`.execute(tx)
      await reservations.begin(ctx, tx, moved.id, 'checked_in')
    }
    if (kind !== stay.kind_id || (!split && to.from_day !== stay.from_day) || to.until_day !== stay.until_day)
      await rechargeStay(ctx, tx, moved.id, `Change of the stay ${stay.code}`)
    await notify(tx, [stay.user_id], {
      key: 'hotels.notice_moved',
      data: { name: stay.code, from: from_day, until: to.until_day },
      link: '/my_bed',
      ...(stay.student_id !== null && { records: [stay.student_id] }),
    })
    return { ...moved, bed_id: to.bed_id, from_day, until_day: to.until_day }
  })

const changeStay = async (tx: Tx, id: number, to: Omit<StayMove, 'version'>) =>
  firstRow(
    (
      await sql<{
        id: number
        version: number
      }>`update hotel_reservations set bed_id = ${to.bed_id}, from_day = ${to.from_day},
        until_day = ${to.until_day} where id = ${id} returning id, version`.execute(tx)
    ).rows,
  )

/** The guest leaves the bed today; the invoice goes with the stay that goes on. */
async function splitStay(tx: Tx, stay: Pick<Stay, 'id'>, to: Omit<StayMove, 'version'>, today: string) {
  const { rows: held } = await sql<{
    invoice_id: number | null
  }>`select invoice_id from hotel_reservations where id = ${stay.id}`.execute(tx)
  await sql`update hotel_reservations set status = 'checked_out', until_day = ${today}, checked_out_at = now(), invoice_id = null
    where id = ${stay.id}`.execute(tx)
  const { rows } = await sql<{
    id: number
    version: number
  }>`insert into hotel_reservations (student_id, staff_id, guest_id, guest_name, guest_phone, audience, gender,
      kind_id, hostel_id, from_day, until_day, unit, term_id, priority, distance_km, note, status, bed_id, group_id, continues_id, invoice_id,
      confirmed_at, checked_in_at)
    select student_id, staff_id, guest_id, guest_name, guest_phone, audience, gender, kind_id, hostel_id, ${today}, ${to.until_day}, unit, term_id, priority,
      distance_km, note, 'checked_in', ${to.bed_id}, group_id, id, ${firstRow(held).invoice_id}::int, confirmed_at, now()
    from hotel_reservations where id = ${stay.id} returning id, version`.execute(tx)
  return firstRow(rows)
}

/** Beds that are shown to choose from. */
const SHOWN = 200

/** Free beds that fit a reservation, on its days or on others; those of the kind and hostel it asked for first. */
export async function freeBedsFor(
  ctx: Ctx,
  id: number,
  days: { readonly from_day?: string | undefined; readonly until_day?: string | undefined },
): Promise<{ data: FreeBed[]; total: number }> {
  const { rows: found } = await sql<{
    from_day: string
    until_day: string
  }>`select t.from_day, t.until_day from hotel_reservations t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, ['confirm_hotel', 'edit_hotel'], stayReach(ctx))}`.execute(
    ctx.db,
  )
  const [stay] = found
  const [who] = await waitingOf(ctx.db, [id])
  if (!stay || !who) throw refuse(404, 'not_found')
  const on = { ...who, from_day: days.from_day ?? stay.from_day, until_day: days.until_day ?? stay.until_day }
  const house = await houseOf(ctx.db, on.from_day, on.until_day)
  const asked = new Set(house.freeFor(on).map((bed) => bed.id))
  const free = house.freeFor(on, false).toSorted((a, b) => Number(asked.has(b.id)) - Number(asked.has(a.id)))
  const mates = new Set(free.filter((bed) => house.hasMate(bed.room_id, on)).map((bed) => bed.id))
  const ids = free.slice(0, SHOWN).map((bed) => bed.id)
  const { rows } = await sql<Omit<FreeBed, 'mate'>>`select b.id, b.code, r.code as room, r.floor,
      json_build_object(${sql.raw(refPairs('h'))}) as hostel, json_build_object(${sql.raw(refPairs('k'))}) as kind
    from unnest(${ids}::int[]) with ordinality x (id, at) join hostel_beds b on b.id = x.id join hostel_rooms r on r.id = b.room_id
      join hostels h on h.id = r.hostel_id join room_kinds k on k.id = r.kind_id order by x.at`.execute(ctx.db)
  return { data: rows.map((row) => ({ ...row, mate: mates.has(row.id) })), total: free.length }
}
