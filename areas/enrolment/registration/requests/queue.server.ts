/**
 * Moving the queues of full offerings. A seat that is freed or added is held for the queue by the database itself
 * (`offering_slots.held`), whoever writes; a run gives it to the first who may have it, and lets go what nobody can use.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notify, notifyEach } from '#kit/server/mail/notifications.ts'
import { opensTo, shownLevel } from '#areas/common/academics/window-reach.server.ts'
import { exchange } from '../swap/exchange.server.ts'
import { givenOf } from '../swap/given.server.ts'
import { resolveRings } from '../swap/rings.server.ts'
import { exchangeProblem, type EndReason } from '../swap/swap.rules.ts'
import { cameBetween } from './between.server.ts'
import { judgePlace, placeColumns, type QueuePlace } from './place.server.ts'
import { seat, type NewRegistration } from './seat.server.ts'

/** In SQL: the offering whose seats and queue an offering shares. */
const rootOf = (alias: string) => sql.raw(`coalesce(${alias}.linked_offering_id, ${alias}.id)`)

/** In SQL: whether a place in a queue (`place`) stands in the queue of an offering: linked ones share it. */
export const inQueueOf = (place: string, offering: string) =>
  sql.raw(`${place}.offering_id in (select qo.id from offerings qo
    where coalesce(${offering}.linked_offering_id, ${offering}.id) in (qo.id, qo.linked_offering_id))`)

/** Seats of these offerings were given back or added: where some are held, the queue moves once `tx` commits. */
export async function wakeWaitList(ctx: Ctx, tx: Tx, offeringIds: readonly number[]): Promise<void> {
  const { rows } = await sql<{ root_id: number }>`select distinct s.offering_id as root_id from offering_slots s
    where s.held > 0 and s.offering_id in (select ${rootOf('f')} from offerings f where f.id = any(${[...offeringIds]}::int[]))`.execute(
    tx,
  )
  for (const { root_id } of rows) await ctx.services.jobs.send(tx, waitListJob, { root_id }, { actor: null })
}

/**
 * Raises quotas so that an import can seat its rows: whoever the other system enrolled has a place here, and what is held
 * for the queue stays held. The transaction takes the seats next.
 *
 * @param seats how many, by meeting
 */
export async function makeRoom(tx: Tx, seats: ReadonlyMap<number, number>): Promise<void> {
  const wanted = sql`unnest(${[...seats.keys()]}::int[], ${[...seats.values()]}::int[]) as n (id, seats)`
  await sql`select from offering_slots where id = any(${[...seats.keys()]}::int[]) order by id for no key update`.execute(
    tx,
  )
  await sql`update offering_slots s set quota = s.taken + s.held + n.seats from ${wanted}
    where s.id = n.id and s.quota < s.taken + s.held + n.seats`.execute(tx)
  // The database holds what a quota gains for those who wait; this gain is spoken for.
  await sql`update offering_slots s set held = s.quota - s.taken - n.seats from ${wanted}
    where s.id = n.id and s.held > s.quota - s.taken - n.seats`.execute(tx)
}

/** Seats of a meeting that a pass may still give: those held when it began, then those free for everybody. */
type Room = { held: number; free: number }

/**
 * What became of an entry: `keeps` its seat until the window of the student opens, `waits` because it cannot be moved
 * now; `left` for good.
 */
type Outcome = 'moved' | 'keeps' | 'waits' | 'left'

/** Judging again when the student registers for something at the same moment. */
const ATTEMPTS = 6

/**
 * Gives the seats held for the queue of an offering to the first who may have them: each is judged anew by every rule.
 * One run at a time, whatever the number of processes; what is freed meanwhile is given by the next pass, from the front.
 *
 * @returns how many were moved
 */
export async function moveWaiting(ctx: Ctx, rootId: number): Promise<number> {
  for (;;) {
    const run = await ctx.db.transaction().execute(async (lock) => {
      const { rows } = await sql<{ mine: boolean }>`
        select pg_try_advisory_xact_lock(hashtext('wait list'), ${rootId}::int) as mine`.execute(lock)
      return rows[0]?.mine ? { moved: await passes(ctx, rootId) } : null
    })
    if (run) return run.moved
    // Somebody else is at it: no connection waits for that.
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

async function passes(ctx: Ctx, rootId: number): Promise<number> {
  for (let moved = 0; ;) {
    const pass = await onePass(ctx, rootId)
    moved += pass.moved
    if (!pass.again) return moved
  }
}

async function onePass(ctx: Ctx, rootId: number): Promise<{ moved: number; again: boolean }> {
  const slots = await sql<{ id: number } & Room>`select id, held, greatest(quota - taken - held, 0) as free
    from offering_slots where offering_id = ${rootId} and waiting > 0`.execute(ctx.db)
  const room = new Map(slots.rows.map(({ id, held, free }) => [id, { held, free }]))
  const held = () => room.values().some((one) => one.held > 0)
  if (!held()) return { moved: 0, again: false }
  const { rows: entries } = await sql<QueuePlace>`
    select ${placeColumns} from wait_list w join offerings o on o.id = w.offering_id join courses c on c.id = o.course_id
    join students s on s.id = w.student_id
    where w.state = 'waiting' and ${rootOf('o')} = ${rootId} order by w.id`.execute(ctx.db)
  const kept = new Map<number, number>()
  let moved = 0
  for (const entry of entries) {
    if (!held()) break
    const wanted = entry.offering_slot_ids.map((id) => room.get(id))
    // One of its meetings is full: it could not use the seat of another.
    if (!wanted.every((one) => one && one.held + one.free > 0)) continue
    const outcome = await settle(ctx, entry)
    if (outcome === 'moved') moved++
    if (outcome !== 'moved' && outcome !== 'keeps') continue
    for (const id of entry.offering_slot_ids) {
      const one = room.get(id)!
      if (one.held > 0) {
        one.held--
        if (outcome === 'keeps') kept.set(id, (kept.get(id) ?? 0) + 1)
      } else one.free--
    }
  }
  return { moved, again: await letGo(ctx.db, room, kept) }
}

/** Lets go the seats that nobody could use. @returns whether more is held than that: freed meanwhile, and not offered yet */
async function letGo(db: Db, room: ReadonlyMap<number, Room>, kept: ReadonlyMap<number, number>): Promise<boolean> {
  const { rows } = await sql<{ id: number; held: number }>`
    with locked as materialized (
      select s.id, n.unused from offering_slots s
      join unnest(${[...room.keys()]}::int[], ${[...room.values()].map((one) => one.held)}::int[]) as n (id, unused) on n.id = s.id
      order by s.id for no key update of s)
    update offering_slots s set held = greatest(s.held - l.unused, 0) from locked l where s.id = l.id
    returning s.id, s.held`.execute(db)
  return rows.some(({ id, held }) => held > (kept.get(id) ?? 0))
}

/** Judges one entry and does what follows from it. */
async function settle(ctx: Ctx, entry: QueuePlace): Promise<Outcome> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const found = await judgePlace(ctx, entry)
    if (found.is === 'left') return leave(ctx, entry)
    if (found.is === 'ends')
      return endExchange(ctx, entry, found.reason, found.given || (await formerCourse(ctx, entry.gives_up_id!)))
    if (found.is !== 'ready') return found.is
    const { g, registration, given } = found
    try {
      if (given) {
        const outcome = await exchange(ctx, [{ place: entry, g, registration, given }], {
          ring: false,
          wake: wakeWaitList,
        })
        if (outcome !== 'again') return outcome
        continue
      }
      const outcome = await move(ctx, entry, g.turn, registration)
      if (outcome) return outcome
    } catch (error) {
      if (!cameBetween(error)) throw error
    }
  }
  return 'waits'
}

/**
 * Gives back what was held and takes it, in one transaction; the student's turn first, like every request.
 * @returns null when the student did something meanwhile, so that it is to be judged again
 */
function move(ctx: Ctx, entry: QueuePlace, turn: number, registration: NewRegistration): Promise<Outcome | null> {
  return ctx.write(async (tx) => {
    const turns = await sql<{ turn: number }>`select turn from registration_turns
      where student_id = ${entry.student_id} for no key update`.execute(tx)
    if (turns.rows[0]?.turn !== turn) return null
    const { rows } = await sql<{
      state: string
    }>`select state from wait_list where id = ${entry.id} for update`.execute(tx)
    if (rows[0]?.state !== 'waiting') return 'left'
    const ids = registration.slots.map((slot) => slot.id)
    const slots = await sql<{ id: number; full: boolean; over: boolean }>`
      select id, held + greatest(quota - taken - held, 0) <= 0 as full, taken >= quota as over
      from offering_slots where id = any(${ids}::int[]) order by id for no key update`.execute(tx)
    if (slots.rows.some((row) => row.full)) return 'waits'
    await sql`update wait_list set state = 'moved', moved_at = now() where id = ${entry.id}`.execute(tx)
    // A place above the quota that staff gave since does not cost the queue the seat that was held for it.
    const above = new Set(slots.rows.filter((row) => row.over).map((row) => row.id))
    const seats = registration.slots.map(({ id }) => ({ id, over: above.has(id) }))
    const [made] = await seat(tx, [
      {
        student_id: entry.student_id,
        person_id: entry.user_id,
        turn,
        actor: ctx.who(),
        registrations: [{ ...registration, slots: seats, action: 'move' }],
      },
    ])
    if (!made?.length) throw new Error(`The turn of student ${entry.student_id} moved although it was locked`)
    await notify(tx, [entry.user_id], {
      key: 'registration.notice_moved',
      data: { course: entry.course_code },
      link: '/offering/registration',
      records: [entry.student_id],
    })
    return 'moved'
  })
}

const leave = (ctx: Ctx, entry: Pick<QueuePlace, 'id'>): Promise<Outcome> =>
  ctx.write(async (tx): Promise<Outcome> => {
    await sql`update wait_list set state = 'left', moved_at = now() where id = ${entry.id} and state = 'waiting'`.execute(
      tx,
    )
    return 'left'
  })

/** The end of an exchange that cannot come about any more, told with its reason. */
const endExchange = (ctx: Ctx, entry: QueuePlace, reason: EndReason, given: string): Promise<Outcome> =>
  ctx.write(async (tx): Promise<Outcome> => {
    const { rows } = await sql`update wait_list set state = 'ended', end_reason = ${reason}, moved_at = now()
      where id = ${entry.id} and state = 'waiting' returning id`.execute(tx)
    if (rows.length)
      await notify(tx, [entry.user_id], {
        key: `registration.notice_swap_ended_${reason}`,
        data: { course: entry.course_code, given },
        link: '/offering/registration',
      })
    return 'left'
  })

/**
 * Ends exchanges whose seat cannot be given up any more.
 * @returns how many
 */
export async function endExchanges(ctx: Ctx): Promise<number> {
  const { rows } = await sql<QueuePlace>`select ${placeColumns} from wait_list w join students s on s.id = w.student_id
    join offerings o on o.id = w.offering_id join courses c on c.id = o.course_id
    where w.state = 'waiting' and w.gives_up_id is not null order by w.id`.execute(ctx.db)
  const given = await givenOf(
    ctx.db,
    rows.flatMap((row) => row.gives_up_id ?? []),
  )
  let ended = 0
  for (const place of rows) {
    const found = given.get(place.gives_up_id!)
    // Windows are not asked: a place in a queue ends with them by itself.
    const problem = exchangeProblem(found ? { ...found, same_course: true } : null, ['register', 'add_drop'])
    if (!problem || !('ends' in problem)) continue
    // What is given up is gone, and with it its name: that of its history.
    await endExchange(ctx, place, problem.ends, found?.course_code ?? (await formerCourse(ctx, place.gives_up_id!)))
    ended++
  }
  return ended
}

async function formerCourse(ctx: Ctx, registrationId: number): Promise<string> {
  const { rows } = await sql<{
    code: string
  }>`select c.code from registration_history h join offerings o on o.id = h.offering_id
    join courses c on c.id = o.course_id where h.registration_id = ${registrationId} order by h.id desc limit 1`.execute(
    ctx.db,
  )
  return rows[0]?.code ?? ''
}

/**
 * Ends the places of students whose windows for registering in the term are over, and tells them.
 * @returns how many
 */
export const expireWaiting = (ctx: Ctx): Promise<number> =>
  ctx.write(async (tx) => {
    const { rows } = await sql<{ user_id: number | null; student_id: number; course: string }>`
      with over as materialized (
        select w.id from wait_list w join offerings o on o.id = w.offering_id join students s on s.id = w.student_id
        join stage_windows x on x.term_id = o.term_id and x.removed_at is null
        join stage_codes k on k.id = x.stage_code_id and k.code in ('register', 'add_drop')
        left join stage_groups g on g.id = x.stage_group_id
        where w.state = 'waiting' and ${opensTo({ student: 's', window: 'x', group: 'g', level: shownLevel('s') })}
        group by w.id having max(x.ends_at) <= now()
      ), locked as materialized (
        select w.id from wait_list w join over using (id) where w.state = 'waiting' order by w.id for update of w
      )
      update wait_list w set state = 'expired', moved_at = now() from locked l, students s, offerings o, courses c
      where w.id = l.id and s.id = w.student_id and o.id = w.offering_id and c.id = o.course_id
      returning s.user_id, s.id as student_id, c.code as course`.execute(tx)
    await notifyEach(
      tx,
      rows.map(({ user_id, student_id, course }) => ({
        user_id,
        records: [student_id],
        key: 'registration.notice_wait_expired',
        data: { course },
        link: '/offering/registration',
      })),
    )
    return rows.length
  })

/** Looks whether seats that are offered for each other make a ring. */
export const ringsJob = defineJob<Record<string, never>, { moved: number }>({
  name: 'registration-exchanges',
  retries: 5,
  run: async (ctx) => {
    await endExchanges(ctx)
    return { moved: await resolveRings(ctx, wakeWaitList) }
  },
})

/** Moves the queue of an offering. */
export const waitListJob = defineJob<{ root_id: number }, { moved: number }>({
  name: 'registration-wait-list',
  retries: 5,
  run: async (ctx, { root_id }) => ({ moved: await moveWaiting(ctx, root_id) }),
})

/**
 * What no call announces: windows that open or end, a run whose process died, seats given back by hand. No seat stays
 * held longer than until the next time.
 */
export const waitListClock = defineJob<Record<string, never>, { moved: number; expired: number }>({
  name: 'registration-wait-list-clock',
  cron: '* * * * *',
  run: async (ctx) => {
    const expired = await expireWaiting(ctx)
    await endExchanges(ctx)
    await resolveRings(ctx, wakeWaitList)
    const { rows } = await sql<{ root_id: number }>`
      select distinct offering_id as root_id from offering_slots where held > 0 order by 1`.execute(ctx.db)
    let moved = 0
    for (const { root_id } of rows) moved += await moveWaiting(ctx, root_id)
    return { moved, expired }
  },
})
