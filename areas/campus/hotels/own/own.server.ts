/** A student's own reservations. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { dayOf } from '#kit/contract/day.ts'
import { sql } from 'kysely'
import { askForBed } from '../stays/ask.server.ts'
import { inBedOrder } from '../stays/fit.rules.ts'
import { reservations } from '../stays/flow.server.ts'
import { waitingOf } from '../stays/house.server.ts'
import { hotelLookups } from '../stays/read.server.ts'
import { stayReach } from '../stays/reach.server.ts'
import { checkStay } from '../stays/stay.rules.ts'
import { toProblem } from '#kit/server/base/errors.ts'
import { ownBedCalls, type OwnStay } from './own.contract.ts'

type Stored = Omit<OwnStay, 'abilities' | 'refused' | 'place' | 'status'> & {
  status: 'requested' | 'confirmed' | 'checked_in' | 'checked_out' | 'cancelled' | 'no_show'
  __steps: Parameters<typeof reservations.open>[2]
}

async function ownStays(ctx: Ctx): Promise<OwnStay[]> {
  const student_id = ctx.actor?.student_id ?? null
  const { rows } =
    await sql<Stored>`select t.id, t.version, t.code, t.status, t.from_day, t.until_day, t.unit, ${refOrNull('k')} as kind,
      ${refOrNull('h')} as hostel, r.code as room, b.code as bed,
      coalesce((select json_agg(json_build_object('id', ms.id, 'name', ms.name, 'name_local', ms.name_local, 'code', ms.code, 'mutual', exists (
          select from bed_mates o join hotel_reservations x on x.id = o.reservation_id
          where x.student_id = ms.id and o.student_id = t.student_id and x.removed_at is null
            and x.status in ('requested', 'confirmed', 'checked_in') and x.period && t.period)) order by ms.code)
        from bed_mates m join students ms on ms.id = m.student_id where m.reservation_id = t.id), '[]') as mates,
      (select json_build_object('id', i.id, 'number', i.number, 'open', greatest(coalesce(ib.charged - ib.settled, 0), 0), 'currency', i.currency)
        from invoices i left join invoice_balances ib on ib.invoice_id = i.id where i.id = t.invoice_id and i.reversed_at is null) as invoice,
      ${reservations.column(ctx)} as __steps
    from hotel_reservations t left join hostel_beds b on b.id = t.bed_id left join hostel_rooms r on r.id = b.room_id
      left join hostels h on h.id = coalesce(r.hostel_id, t.hostel_id) left join room_kinds k on k.id = coalesce(r.kind_id, t.kind_id)
    where t.student_id = ${student_id}::int and t.removed_at is null and ${scopeCondition(ctx, 'ask_hotel', stayReach(ctx))}
    order by t.from_day desc, t.id desc`.execute(ctx.db)
  const waits = rows.some((row) => row.status === 'requested')
  const order = waits ? (await waitingOf(ctx.db)).toSorted(inBedOrder).map((one) => one.id) : []
  const today = dayOf()
  return rows.map(({ __steps, ...row }) => {
    const { abilities } = reservations.open(ctx, row.status, __steps)
    const [late] = checkStay('cancel', {
      ...NOTHING,
      today,
      status: row.status,
      from_day: row.from_day,
      until_day: row.until_day,
    })
    const at = order.indexOf(row.id)
    return {
      ...row,
      place: at < 0 ? null : at + 1,
      abilities: abilities.filter((one) => one === 'cancel' && !late),
      ...(late && abilities.includes('cancel') && { refused: { cancel: toProblem(late) } }),
    }
  })
}
const NOTHING = {
  no_show_days: 0,
  own: true,
  against: [],
  occupied: null,
  unpaid: null,
  left: false,
  nobody: false,
} as const

export const ownBedHandlers: readonly Handled[] = [
  handle(ownBedCalls.ownBeds, async (ctx) => ({
    data: { stays: await ownStays(ctx), ...(await hotelLookups(ctx)) },
  })),
  handle(ownBedCalls.askForBed, async (ctx, { body }) => {
    const student_id = ctx.actor?.student_id
    if (student_id == null) throw refuse(403, 'not_allowed')
    return {
      data: await askForBed(ctx, body, {
        student_id,
        staff_id: null,
        guest_id: null,
        gender: null,
        priority: 3,
      }),
    }
  }),
]
