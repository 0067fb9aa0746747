/** Calls of reservations. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { askForBed, otherGuestOf } from './ask.server.ts'
import { bedSettingsOf, reservations } from './flow.server.ts'
import { chargeStay } from './money.server.ts'
import { freeBedsFor, moveStay } from './move.server.ts'
import { hotelLookups, listStays, readStay } from './read.server.ts'
import { stayReach } from './reach.server.ts'
import { STAY_UNITS, reservationFlow, stayCalls, type StayAction } from './stay.contract.ts'

const STEP_TO: Readonly<Record<string, StayAction>> = {
  confirmed: 'confirm',
  checked_in: 'check_in',
  checked_out: 'check_out',
  cancelled: 'cancel',
  no_show: 'no_show',
}

/** Holds a reservation within reach of a right. @throws {Refusal} 404; 409 where it was changed meanwhile */
async function lock(ctx: Ctx, tx: Tx, id: number, key: PermissionKey, version: number | undefined) {
  const { rows } = await sql<{
    status: string
    version: number
    room_kind_id: number | null
  }>`select t.status, t.version,
      (select r.kind_id from hostel_beds b join hostel_rooms r on r.id = b.room_id where b.id = t.bed_id) as room_kind_id
    from hotel_reservations t where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, key, stayReach(ctx))} for update of t`.execute(
    tx,
  )
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (version !== undefined && version !== found.version)
    throw refuse(409, 'changed_meanwhile', { version: found.version })
  return found
}

/** Leads a reservation to a stage; one that is confirmed with a bed is given that one. */
const toStage = (
  ctx: Ctx,
  id: number,
  {
    stage,
    bed_id,
    ...options
  }: { stage: string; bed_id?: number | null | undefined; reason?: string | undefined; version?: number | undefined },
) =>
  ctx.write(async (tx) => {
    const action = STEP_TO[stage]!
    if (action !== 'confirm' || bed_id == null) return reservations.take(ctx, id, action, options)
    const found = await lock(ctx, tx, id, 'confirm_hotel', options.version)
    // The step says what stands against it, the state included; what is no bed at all is none to be kept.
    if (found.status === 'requested') {
      const { rows } = await sql`select from hostel_beds where id = ${bed_id}`.execute(tx)
      if (!rows.length) throw refuse(422, 'reference_missing', {}, 'bed_id')
      await sql`update hotel_reservations set bed_id = ${bed_id} where id = ${id}`.execute(tx)
    }
    return reservations.take(ctx, id, action, { reason: options.reason })
  })

interface GivenDamage {
  readonly item_id?: number | null | undefined
  readonly name?: string | null | undefined
  readonly amount: number
}
/** Notes what was damaged, by what stands in rooms of the kind or in words, and checks the guest out. */
const checkOutWith = (ctx: Ctx, id: number, given: readonly GivenDamage[], version: number | undefined) =>
  ctx.write(async (tx) => {
    const found = await lock(ctx, tx, id, 'charge_hotel', version)
    if (found.status !== 'checked_in') return reservations.take(ctx, id, 'check_out')
    const { rows } = await sql<{
      id: number
      name: string
      name_local: string
    }>`select id, name, name_local from room_kind_items
      where room_kind_id = ${found.room_kind_id}::int`.execute(tx)
    const items = new Map(rows.map((row) => [row.id, row]))
    const reasons = given.flatMap(({ item_id, name }, i) =>
      item_id == null
        ? name?.trim()
          ? []
          : [{ field: `damages.${i}.name`, code: 'required' }]
        : items.has(item_id)
          ? []
          : [{ field: `damages.${i}.item_id`, code: 'damage_elsewhere' }],
    )
    if (reasons.length) throw new Refusal(422, reasons)
    for (const { item_id, name, amount } of given) {
      const item = item_id == null ? null : items.get(item_id)
      await sql`insert into bed_damages (reservation_id, item_id, name, name_local, amount) values (${id}, ${item?.id ?? null},
        ${item?.name ?? name?.trim()}, ${item?.name_local ?? name?.trim()}, ${amount})`.execute(tx)
    }
    return reservations.take(ctx, id, 'check_out')
  })

/**
 * Says which record the guest of a stay has that was entered by a name alone. Where it holds a bed, and is no group's, it is charged from
 * then on, as if it had been known.
 */
const nameGuest = (ctx: Ctx, id: number, given: NamedGuest, version: number | undefined) =>
  ctx.write(async (tx) => {
    const [staff_id, guest_id] = [given.staff_id ?? null, given.guest_id ?? null]
    if ((staff_id === null) === (guest_id === null))
      throw refuse(422, 'required', {}, staff_id === null ? 'guest_id' : 'staff_id')
    await lock(ctx, tx, id, 'edit_hotel', version)
    const { rows } = await sql<{
      name: string | null
      status: string
      group_id: number | null
      from_day: string
      until_day: string
    }>`select guest_name as name, status, group_id, from_day, until_day from hotel_reservations where id = ${id}`.execute(
      tx,
    )
    const stay = firstRow(rows)
    if (stay.name === null) throw refuse(409, 'stay_named')
    const { other } = await otherGuestOf(ctx, tx, { staff_id, guest_id }, [stay.from_day, stay.until_day], 'edit_hotel')
    const holdsBed = stay.status === 'confirmed' || stay.status === 'checked_in'
    if (other && (holdsBed || stay.status === 'requested')) throw refuse(409, 'reservation_other', other)
    await sql`update hotel_reservations set guest_name = null, guest_phone = null, staff_id = ${staff_id}, guest_id = ${guest_id} where id = ${id}`.execute(
      tx,
    )
    if (holdsBed && stay.group_id === null) await chargeStay(ctx, tx, id, (await bedSettingsOf({ db: tx })).pay_days)
  })

/** Removes what holds no bed. */
const remove = (ctx: Ctx, id: number) =>
  ctx.write(async (tx) => {
    const { status } = await lock(ctx, tx, id, 'remove_hotel', undefined)
    if (status === 'confirmed' || status === 'checked_in') throw refuse(409, 'stay_holds_bed')
    const { rows } = await sql<{
      id: number
      version: number
    }>`update hotel_reservations set removed_at = now() where id = ${id}
      returning id, version`.execute(tx)
    return { ...firstRow(rows), removed: true }
  })

interface NamedGuest {
  readonly staff_id?: number | null | undefined
  readonly guest_id?: number | null | undefined
}

export const stayHandlers: readonly Handled[] = [
  ...reservations.handlers,
  handle(stayCalls.reservations, (ctx, { body }) => listStays(ctx, body)),
  handle(stayCalls.hotelLookups, async (ctx) => {
    const choices = (list: readonly { value: string; label: readonly [string, string] }[]) =>
      list.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] }))
    return {
      data: {
        ...(await hotelLookups(ctx)),
        stages: choices(reservationFlow.states),
        units: choices(STAY_UNITS),
      },
    }
  }),
  handle(stayCalls.nameGuest, async (ctx, { params, body: { version, ...given } }) => {
    await nameGuest(ctx, params.id, given, version)
    return { data: await readStay(ctx, params.id) }
  }),
  handle(stayCalls.createReservation, async (ctx, { body }) => {
    const { student_id = null, staff_id = null, guest_id = null, gender, priority, ...wish } = body
    if ([student_id, staff_id, guest_id].filter((one) => one !== null).length !== 1)
      throw refuse(422, 'stay_for_whom', {}, 'student_id')
    return {
      data: await askForBed(ctx, wish, {
        student_id,
        staff_id,
        guest_id,
        gender: gender ?? null,
        priority,
      }),
    }
  }),
  handle(stayCalls.reservation, async (ctx, { params }) => ({ data: await readStay(ctx, params.id) })),
  handle(stayCalls.removeReservation, async (ctx, { params }) => ({ data: await remove(ctx, params.id) })),
  handle(stayCalls.updateStage, async (ctx, { params, body }) => {
    const { id, version, to } = await toStage(ctx, params.id, body)
    return { data: { id, version, status: to } }
  }),
  handle(stayCalls.editReservation, async (ctx, { params: { id }, body }) => {
    await ctx.write(async (tx) => {
      const { status } = await lock(ctx, tx, id, 'edit_hotel', body.version)
      if (status !== 'requested') throw refuse(409, 'stay_waits_no_more')
      await sql`update hotel_reservations set priority = ${body.priority}, distance_km = ${body.distance_km ?? null}, note = ${body.note ?? null}
        where id = ${id}`.execute(tx)
    })
    return { data: await readStay(ctx, id) }
  }),
  handle(stayCalls.freeBeds, (ctx, { params, body }) => freeBedsFor(ctx, params.id, body)),
  handle(stayCalls.moveStay, async (ctx, { params, body }) => ({ data: await moveStay(ctx, params.id, body) })),
  handle(stayCalls.checkOutWith, async (ctx, { params: { id }, body }) => {
    await checkOutWith(ctx, id, body.damages, body.version)
    return { data: await readStay(ctx, id) }
  }),
]

/** Rooms and beds as they are chosen, and reservations as the palette finds them. */
const hostelOf = 'select h.code from hostels h where h.id ='
export const bedLookups: readonly LookupSource[] = [
  {
    name: 'hostelRoom',
    table: 'hostel_rooms',
    label: { name: `(${hostelOf} r.hostel_id) || ' · ' || r.code`, code: 'r.code' },
    search: 'r.search_text',
    where: 'r.removed_at is null',
    order: `(${hostelOf} r.hostel_id), r.code`,
    permission: ['access_hostel', 'show_hostel'],
    scope: () => ({
      faculty: sql`(select bu.faculty_id from hostels hh join buildings bu on bu.id = hh.building_id where hh.id = t.hostel_id)`,
    }),
    filters: ['hostel_id', 'kind_id'],
  },
  {
    name: 'hostelBed',
    table: 'hostel_beds',
    label: {
      name: `(select h.code || ' · ' || o.code || ' · ' || r.code from hostel_rooms o join hostels h on h.id = o.hostel_id where o.id = r.room_id)`,
      code: 'r.code',
    },
    order: 'r.code',
    permission: ['access_hostel', 'show_hostel', 'access_hotel'],
    scope: () => ({
      faculty: sql`(select bu.faculty_id from hostel_rooms o join hostels hh on hh.id = o.hostel_id join buildings bu on bu.id = hh.building_id
        where o.id = t.room_id)`,
    }),
    filters: ['room_id'],
  },
]

/** What waits: requests, guests who come today, and guests who should have left or study here no more. */
export const stayWork: readonly WorkSource[] = [
  {
    permissions: ['confirm_hotel'],
    waiting: (ctx) => sql`
      select 'hotels.work_waiting', jsonb_build_object('count', count(*)), '/reservations', min(t.asked_at), null::timestamptz
      from hotel_reservations t where t.status = 'requested' and t.removed_at is null and t.until_day > university_today()
        and ${scopeCondition(ctx, 'confirm_hotel', stayReach(ctx))} having count(*) > 0`,
  },
  {
    permissions: ['check_in_hotel'],
    waiting: (ctx) => sql`
      select 'hotels.work_leaving', jsonb_build_object('count', count(*)), '/reservations',
        min(t.until_day)::timestamp at time zone university_zone(), null::timestamptz
      from hotel_reservations t left join students s on s.id = t.student_id
      where t.status = 'checked_in' and t.removed_at is null and (t.until_day < university_today() or s.status <> 'studying')
        and ${scopeCondition(ctx, 'check_in_hotel', stayReach(ctx))} having count(*) > 0`,
  },
]
