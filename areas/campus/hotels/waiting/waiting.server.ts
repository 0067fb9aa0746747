/** Giving free beds to those who wait, in the declared order. */
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { giveBeds, inBedOrder, type BedWaiter } from '../stays/fit.rules.ts'
import { reservations } from '../stays/flow.server.ts'
import { holdBeds, houseOf, spanOf, waitingOf } from '../stays/house.server.ts'
import { stayReach } from '../stays/reach.server.ts'
import { GUEST } from '../stays/read.server.ts'
import { waitingCalls, type WaitingBedRow } from './waiting.contract.ts'

/** Who is given which bed now; of these beds alone, where some are named. */
async function planOf(
  db: Db | Tx,
  beds: readonly number[] | null = null,
): Promise<{ waiting: BedWaiter[]; given: Map<number, number> }> {
  const waiting = (await waitingOf(db)).toSorted(inBedOrder)
  if (!waiting.length) return { waiting, given: new Map() }
  const house = await houseOf(db, ...spanOf(waiting))
  return { waiting, given: giveBeds(beds ? house.only(beds) : house, waiting) }
}

/**
 * Gives beds: whoever does so at the same moment comes before or after, so that nobody is passed over. One who cannot be given the
 * bed after all (no price, say) keeps waiting, and keeps nobody else from a bed.
 *
 * @param beds those that became free; all of them unless told
 * @returns how many were given one, and how many go on waiting
 */
export const giveToWaiting = (
  ctx: Ctx,
  beds: readonly number[] | null = null,
): Promise<{ given: number; waiting: number }> =>
  ctx.write(async (tx) => {
    await holdBeds(tx)
    const { waiting, given } = await planOf(tx, beds)
    const reached = await withinReach(ctx, tx, [...given.keys()])
    const ids = waiting.flatMap(({ id }) => (given.has(id) && reached.has(id) ? [id] : []))
    if (!ids.length) return { given: 0, waiting: waiting.length }
    // Each is given the bed of this plan, as the list shows it.
    await sql`update hotel_reservations t set bed_id = x.bed_id from unnest(${ids}::int[], ${ids.map((id) => given.get(id)!)}::int[]) x (id, bed_id)
      where t.id = x.id`.execute(tx)
    const { done } = await reservations.takeEach(ctx, ids, 'confirm')
    await sql`update hotel_reservations set bed_id = null where id = any(${ids}::int[]) and status = 'requested'`.execute(
      tx,
    )
    return { given: done.length, waiting: waiting.length - done.length }
  })

async function withinReach(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<ReadonlySet<number>> {
  const { rows } = await sql<{ id: number }>`select t.id from hotel_reservations t where t.id = any(${[...ids]}::int[])
    and ${scopeCondition(ctx, 'confirm_hotel', stayReach(ctx))}`.execute(tx)
  return new Set(rows.map((row) => row.id))
}

/** Beds became free: sent by the step that freed them. Beds that nobody was given yet are given by a person. */
export const waitingJob = defineJob<{ readonly beds: readonly number[] }, { given: number }>({
  name: 'hotel-waiting',
  retries: 3,
  run: async ({ services }, { beds }) => {
    const { given } = await giveToWaiting(asSystem(services, 'A bed became free'), beds)
    return { given }
  },
})

async function listWaiting(ctx: Ctx, most: number) {
  const { waiting, given } = await planOf(ctx.db)
  const ids = waiting.map((one) => one.id)
  return cutRows<WaitingBedRow>(
    ctx.db,
    sql`select t.id, t.code, ${GUEST} as guest, t.guest_name, ${refOrNull('s')} as student, t.priority::int as priority, t.distance_km, t.from_day, t.until_day,
      t.asked_at, x.at::int as place,
      (select h.code || ' · ' || r.code || ' · ' || b.code from hostel_beds b join hostel_rooms r on r.id = b.room_id
        join hostels h on h.id = r.hostel_id where b.id = x.bed_id) as bed
    from unnest(${ids}::int[], ${ids.map((id) => given.get(id) ?? null)}::int[]) with ordinality x (id, bed_id, at)
      join hotel_reservations t on t.id = x.id left join students s on s.id = t.student_id
      left join users su on su.id = t.staff_id left join guests sg on sg.id = t.guest_id
    where ${scopeCondition(ctx, 'confirm_hotel', stayReach(ctx))} order by x.at`,
    most,
  )
}

export const waitingHandlers: readonly Handled[] = [
  handle(waitingCalls.waitingList, (ctx, { query }) => listWaiting(ctx, query.most)),
  handle(waitingCalls.giveWaiting, async (ctx) => ({ data: await giveToWaiting(ctx) })),
]
