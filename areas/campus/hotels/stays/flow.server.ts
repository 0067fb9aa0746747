/** The way of reservations: each state has its step here, and what follows from it. */
import { universitySettingsOf } from '#areas/common/settings/university/university.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { peopleOf, type Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { holds } from '#kit/server/base/scope.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { checkBed, giveBeds, type House, type BedWaiter } from './fit.rules.ts'
import { houseOf, spanOf, waitingOf } from './house.server.ts'
import { chargeStay, settleStay, takeBackStay } from './money.server.ts'
import { stayReach } from './reach.server.ts'
import { reservationFlow, reservationSteps, type StayAction } from './stay.contract.ts'
import { takenBack, type OtherStay, type StayFacts } from './stay.rules.ts'

interface BedSettings {
  readonly no_show_days: number
  readonly cancel_days: number
  readonly pay_days: number
  readonly paid_first: boolean
}
/** What the university says of beds. */
export async function bedSettingsOf(of: Pick<Ctx, 'db'> | { readonly db: Db | Tx }): Promise<BedSettings> {
  const set = await universitySettingsOf(of, ['bed_no_show_days', 'bed_cancel_days', 'bed_pay_days', 'bed_paid_first'])
  return {
    no_show_days: Number(set.bed_no_show_days) || 2,
    cancel_days: Number(set.bed_cancel_days) || 0,
    pay_days: Number(set.bed_pay_days) || 0,
    paid_first: set.bed_paid_first === 'true',
  }
}

/** SQL: how many name whose the reservation `alias` is; 0: a place of a group that nobody was given. */
export const namedIn = (alias: string): string =>
  `num_nonnulls(${alias}.student_id, ${alias}.staff_id, ${alias}.guest_id, ${alias}.guest_name)`

/** SQL of the guest of a stay, as people call him or her; `s` is a reservation. */
export const guestName = (alias: string, local = false): string =>
  `coalesce((select g.${local ? 'name_local' : 'name'} from students g where g.id = ${alias}.student_id),
    (select g.${local ? 'name_local' : 'name'} from users g where g.id = ${alias}.staff_id),
    (select g.${local ? 'name_local' : 'name'} from guests g where g.id = ${alias}.guest_id), ${alias}.guest_name,
    (select bg.name from bed_groups bg where bg.id = ${alias}.group_id))`

interface Known {
  readonly id: number
  readonly status: string
  readonly from_day: string
  readonly until_day: string
  readonly bed_id: number | null
  readonly own: boolean
  readonly left: boolean
  readonly nobody: boolean
  readonly unpaid: string | null
  readonly occupied: OtherStay | null
}
async function knownOf(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<Known[]> {
  const { rows } = await sql<Known>`select t.id, t.status, t.from_day, t.until_day, t.bed_id,
      coalesce(coalesce(s.user_id, t.staff_id) = any(${peopleOf(ctx)}::int[]), false) as own,
      (t.student_id is not null and (s.status <> 'studying' or s.removed_at is not null)
        or exists (select from users w where w.id = t.staff_id and w.removed_at is not null)) as left, ${sql.raw(namedIn('t'))} = 0 as nobody,
      (select i.number from invoices i join invoice_balances b on b.invoice_id = i.id
        where i.id = t.invoice_id and i.reversed_at is null and b.settled < b.charged) as unpaid,
      (select json_build_object('name', ${sql.raw(guestName('o'))}, 'name_local', ${sql.raw(guestName('o', true))}, 'from_day', o.from_day,
          'until_day', o.until_day) from hotel_reservations o
        where o.bed_id = t.bed_id and o.id <> t.id and o.status = 'checked_in' and o.removed_at is null limit 1) as occupied
    from hotel_reservations t left join students s on s.id = t.student_id where t.id = any(${[...ids]}::int[])`.execute(
    tx,
  )
  return rows
}

/** Why a bed that is named is none for somebody who waits: what it is, and whose it is. */
export async function bedReasons(
  tx: Tx,
  house: House,
  bed_id: number,
  who: BedWaiter,
  but?: number,
): Promise<Reason[]> {
  const bed = house.beds.find((one) => one.id === bed_id)
  if (!bed) return [{ field: 'bed_id', code: 'bed_removed' }]
  const inWay = house.inTheWay(bed_id, who, but)
  const reasons: Reason[] = checkBed(bed, who).map((one) => ({ ...one, field: 'bed_id' }))
  if (inWay.some((one) => one.reservation_id === null)) reasons.push({ field: 'bed_id', code: 'bed_closed' })
  const stays = inWay.flatMap((one) => (one.reservation_id === null ? [] : [one.reservation_id]))
  if (!stays.length) return reasons
  const { rows } =
    await sql<OtherStay>`select ${sql.raw(guestName('o'))} as name, ${sql.raw(guestName('o', true))} as name_local,
      o.from_day, o.until_day from hotel_reservations o where o.id = any(${stays}::int[]) order by o.from_day, o.id`.execute(
      tx,
    )
  return [
    ...reasons,
    ...rows.map(({ name, name_local, from_day, until_day }) => ({
      field: 'bed_id',
      code: 'bed_taken_by',
      data: { name, name_local, from: from_day, until: until_day },
    })),
  ]
}

/** Whether the caller may give a bed to somebody whose turn it is not. */
const skips = (ctx: Ctx): boolean => holds(ctx, 'skip_hotel_order')

/** Why beds cannot be given to these, and which bed each is given: in the order of all who wait. */
async function givingOf(
  ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
): Promise<Map<number, { readonly bed_id: number | null; readonly against: Reason[] }>> {
  const [all, mine] = [await waitingOf(tx), await waitingOf(tx, ids)]
  const house = await houseOf(tx, ...spanOf([...all, ...mine]))
  const { rows } = await sql<{ id: number; bed_id: number | null }>`
    select id, bed_id from hotel_reservations where id = any(${[...ids]}::int[])`.execute(tx)
  const named = new Map(rows.map((row) => [row.id, row.bed_id]))
  const free = new Map(mine.map((who) => [who.id, house.freeFor(who)[0]?.id ?? null]))
  const against = new Map<number, Reason[]>()
  for (const who of mine) {
    const bed = named.get(who.id) ?? null
    against.set(
      who.id,
      bed === null
        ? free.get(who.id) == null
          ? [{ code: 'bed_none_free' }]
          : []
        : await bedReasons(tx, house, bed, who, who.id),
    )
  }
  const given = giveBeds(house, all)
  return new Map(
    mine.map((who) => {
      const reasons = against.get(who.id)!
      const turn = given.has(who.id) || skips(ctx)
      const bed_id = named.get(who.id) ?? given.get(who.id) ?? free.get(who.id) ?? null
      return [
        who.id,
        {
          bed_id,
          against: [
            ...reasons,
            ...(turn || reasons.length || free.get(who.id) == null ? [] : [{ code: 'bed_not_the_turn' }]),
          ],
        },
      ]
    }),
  )
}

/** Beds chosen by the rule for the records of one step, until they are written. */
const chosen = new WeakMap<Tx, Map<number, number>>()

async function factsOf(ctx: Ctx, tx: Tx, ids: readonly number[], action: StayAction): Promise<Map<number, StayFacts>> {
  const settings = await bedSettingsOf({ db: tx })
  const giving = action === 'confirm' ? await givingOf(ctx, tx, ids) : null
  if (giving)
    chosen.set(tx, new Map([...giving].flatMap(([id, { bed_id }]) => (bed_id === null ? [] : [[id, bed_id] as const]))))
  const today = dayOf()
  return new Map(
    (await knownOf(ctx, tx, ids)).map((one) => [
      one.id,
      {
        today,
        status: one.status,
        from_day: one.from_day,
        until_day: one.until_day,
        no_show_days: settings.no_show_days,
        own: one.own,
        left: one.left,
        nobody: one.nobody,
        against: giving?.get(one.id)?.against ?? [],
        occupied: one.occupied,
        unpaid: settings.paid_first ? one.unpaid : null,
      },
    ]),
  )
}

/** Beds that steps made free are given to who waits, once this is done. */
async function offerFreed(
  ctx: Ctx,
  tx: Tx,
  moved: readonly { readonly id: number; readonly action: string }[],
): Promise<void> {
  const ids = moved.flatMap(({ id, action }) => (FREEING.has(action) ? [id] : []))
  if (!ids.length) return
  const { rows } = await sql<{ bed_id: number }>`select distinct bed_id from hotel_reservations
    where id = any(${ids}::int[]) and bed_id is not null order by 1`.execute(tx)
  if (rows.length)
    await ctx.services.jobs.send(tx, 'hotel-waiting', { beds: rows.map((row) => row.bed_id) }, { actor: null })
}
const FREEING: ReadonlySet<string> = new Set(['cancel', 'no_show', 'check_out'])

export const reservations = serveWorkflow(reservationFlow, reservationSteps, {
  table: 'hotel_reservations',
  scope: stayReach,
  seen: ['access_hotel', 'show_hotel'],
  nameOf: 't.code',
  enteredByOfficer: true,
  own: (people) =>
    sql`coalesce((select s.user_id from students s where s.id = t.student_id), t.staff_id) = any(${people})`,
  facts: factsOf,
  state: {
    read: 't.status',
    write: async (_ctx, tx, moved) => {
      const beds = chosen.get(tx)
      const today = dayOf()
      for (const { id, action, to } of moved) {
        const bed_id = action === 'confirm' ? (beds?.get(id) ?? null) : null
        await sql`update hotel_reservations set status = ${to}, bed_id = coalesce(${bed_id}::int, bed_id),
            confirmed_at = case when ${to} = 'confirmed' then now() else confirmed_at end,
            checked_in_at = case when ${to} = 'checked_in' then now() else checked_in_at end,
            checked_out_at = case when ${to} = 'checked_out' then now() else checked_out_at end,
            until_day = case when ${to} = 'checked_out' then least(until_day, greatest(from_day, ${today}::date)) else until_day end
          where id = ${id}`.execute(tx)
      }
    },
  },
  effect: async (ctx, tx, moved) => {
    const { cancel_days, pay_days } = await bedSettingsOf({ db: tx })
    for (const { id, action, reason } of moved) {
      const { rows } = await sql<{ from_day: string; invoice_id: number | null; status: string }>`
        select from_day, invoice_id, status from hotel_reservations where id = ${id}`.execute(tx)
      const [stay] = rows
      if (!stay) throw refuse(404, 'not_found')
      if (action === 'confirm') await chargeStay(ctx, tx, id, pay_days)
      if (action === 'check_out') await settleStay(ctx, tx, id, 'Check-out')
      if ((action === 'cancel' || action === 'no_show') && stay.invoice_id !== null)
        await takeBackStay(
          ctx,
          tx,
          stay.invoice_id,
          takenBack(stay.from_day, dayOf(), cancel_days, action),
          reason ?? (action === 'cancel' ? 'The stay was cancelled' : 'The guest did not come'),
        )
    }
    await offerFreed(ctx, tx, moved)
  },
  tells: {
    users: `array(select s.user_id from students s where s.id = t.student_id and s.user_id is not null)`,
    data: `json_build_object('from', t.from_day, 'until', t.until_day, 'bed', coalesce((select h.name || ' · ' || r.code || ' · ' || b.code
        from hostel_beds b join hostel_rooms r on r.id = b.room_id join hostels h on h.id = r.hostel_id where b.id = t.bed_id), ''),
      'bed_local', coalesce((select h.name_local || ' · ' || r.code || ' · ' || b.code
        from hostel_beds b join hostel_rooms r on r.id = b.room_id join hostels h on h.id = r.hostel_id where b.id = t.bed_id), ''))`,
    student: 't.student_id',
    link: () => '/my_bed',
  },
})
