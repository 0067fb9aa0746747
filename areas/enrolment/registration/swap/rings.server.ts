/** Seats that students offer for each other: where they make a ring, each goes to the next, in the order of the queues. */
import { sql } from 'kysely'
import type { Ctx } from '#kit/server/base/context.ts'
import { cameBetween } from '../requests/between.server.ts'
import { judgePlace, placeColumns, type QueuePlace } from '../requests/place.server.ts'
import { exchange, keepsGiven, type ExchangeMember, type Wake } from './exchange.server.ts'
import { givenOf } from './given.server.ts'
import { closedSet, exchangePartsOf, ringFrom, suffices, type RingPlace } from './swap.rules.ts'

/** How many may stand in a ring: each of them is judged, and locked until all have changed. */
const MOST = 12

type Waiting = QueuePlace & RingPlace & { root_id: number; frees_root: number | null }

/**
 * Finds rings among those who wait in exchange, and exchanges their seats. Who is first in a queue and may have a seat
 * gets it, whether it is in a ring or not: nobody is passed over.
 *
 * @returns how many students were moved
 */
export async function resolveRings(ctx: Ctx, wake: Wake): Promise<number> {
  const { rows: offered } =
    await sql`select from wait_list where state = 'waiting' and gives_up_id is not null limit 2`.execute(ctx.db)
  if (offered.length < 2) return 0
  const { rows } = await sql<QueuePlace & { root_id: number; term_id: number }>`
    select ${placeColumns}, coalesce(o.linked_offering_id, o.id) as root_id, o.term_id
    from wait_list w join offerings o on o.id = w.offering_id join courses c on c.id = o.course_id join students s on s.id = w.student_id
    where w.state = 'waiting' and o.term_id in (select x.term_id from wait_list k join offerings x on x.id = k.offering_id
      where k.state = 'waiting' and k.gives_up_id is not null) order by w.id`.execute(ctx.db)
  const given = await givenOf(
    ctx.db,
    rows.flatMap((row) => row.gives_up_id ?? []),
  )
  const roots = await sql<{ id: number; root_id: number; room: boolean }>`
    select s.id, s.offering_id as root_id, s.quota - s.taken - s.held > 0 as room from offering_slots s
    where s.id = any(${[...rows.flatMap((row) => row.offering_slot_ids), ...[...given.values()].flatMap((one) => one.slot_ids)]}::int[])`.execute(
    ctx.db,
  )
  const slots = new Map(roots.rows.map((row) => [row.id, row]))
  const places = rows.map((row): Waiting => {
    const own = row.gives_up_id === null ? undefined : given.get(row.gives_up_id)
    const frees = own?.slot_ids.filter((id) => !row.swap_slot_ids?.includes(id)) ?? []
    return { ...row, wants: row.offering_slot_ids, frees, frees_root: slots.get(frees[0] ?? 0)?.root_id ?? null }
  })
  const hasRoom = (id: number) => slots.get(id)?.room ?? false
  const queues = Map.groupBy(places, (place) => place.root_id)

  // Whether somebody may have a seat is asked once of each.
  const judged = new Map<number, ExchangeMember | 'keeps' | null>()
  const memberOf = async (place: Waiting): Promise<ExchangeMember | 'keeps' | null> => {
    let known = judged.get(place.id)
    if (known === undefined) {
      const found = await judgePlace(ctx, place, true)
      const member =
        found.is === 'ready' && found.given
          ? { place, g: found.g, registration: found.registration, given: found.given }
          : null
      // Who would have the seat as a request gives nothing up until it is accepted: nobody in a ring can wait for that, unless
      // it was agreed to before.
      known = member
        ? keepsGiven(member)
          ? null
          : member
        : found.is === 'ready' || found.is === 'keeps'
          ? 'keeps'
          : null
      judged.set(place.id, known)
    }
    return known
  }
  /** The first in the queue who takes what is given up; null where that one gives up nothing, or it is nobody. */
  const next = async (giver: Waiting): Promise<Waiting | null> => {
    if (giver.frees_root === null) return null
    for (const place of queues.get(giver.frees_root) ?? []) {
      if (!suffices(giver, place.wants, hasRoom)) continue
      const member = await memberOf(place)
      if (member === null) continue
      return member === 'keeps' ? null : place
    }
    return null
  }

  const done = new Set<number>()
  let moved = 0
  const handOn = async (ring: readonly Waiting[]): Promise<void> => {
    const members = await Promise.all(ring.map((one) => memberOf(one)))
    const ready = members.filter((one): one is ExchangeMember => one !== null && one !== 'keeps')
    if (ready.length < ring.length) return
    try {
      if ((await exchange(ctx, ready, { ring: true, wake })) === 'moved') moved += ring.length
    } catch (error) {
      if (!cameBetween(error)) throw error
    }
  }
  for (const start of places) {
    if (start.frees.length === 0 || done.has(start.id)) continue
    const ring = await ringFrom(start, next, MOST)
    if (!ring || ring.some((one) => done.has(one.id))) continue
    for (const one of ring) done.add(one.id)
    await handOn(ring)
  }
  // Then those who need seats of several: no one gives all that another lacks, but together they do.
  const left = places.filter(({ id }) => !done.has(id))
  const wanted = new Set(
    closedSet(
      left.filter(({ frees }) => frees.length),
      hasRoom,
    ).flatMap(({ wants }) => wants),
  )
  if (!wanted.size) return moved
  const near: Waiting[] = []
  const only = new Set<number>()
  for (const place of left) {
    if (!place.wants.some((slot) => wanted.has(slot))) continue
    const member = await memberOf(place)
    if (member === 'keeps') only.add(place.id)
    if (member !== null) near.push(place)
  }
  for (const part of exchangePartsOf(closedSet(near, hasRoom, only))) if (part.length <= MOST) await handOn(part)
  return moved
}
