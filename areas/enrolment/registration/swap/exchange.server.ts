/**
 * One seat for another, in one transaction: what a student waits for is had, and what is offered for it is given up. Of
 * one student, or of a ring in which each gets what the one before gives up. The old seat is never lost without the new
 * one. What is registered stays beside a request made in exchange for it, and is given up when that is accepted.
 */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { fromWire, mainOf, statusToWire, withMain } from '#areas/common/academics/status.rules.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import type { Bound } from '../capacity.server.ts'
import { judgeCorequisites } from '../changes/corequisites.server.ts'
import type { GatheredRequest } from '../requests/gather.server.ts'
import type { NewRegistration } from '../requests/seat.server.ts'
import type { QueuePlace } from '../requests/place.server.ts'
import { givenOf, type GivenSeat } from './given.server.ts'
import { afterExchange, exchangeProblem, staysUntilAnswered } from './swap.rules.ts'

/** One who exchanges: the place in the queue, how the student was judged, and what is given up. */
export type ExchangeMember = { place: QueuePlace; g: GatheredRequest; registration: NewRegistration; given: GivenSeat }

/** Moves the queues of offerings in which seats were given back. */
export type Wake = (ctx: Ctx, tx: Tx, offeringIds: readonly number[]) => Promise<void>

/** Co-requisites, judged inside the transaction, speak against it: nothing is written. */
class NotNow extends Error {}

type Slot = { id: number; quota: number; taken: number; held: number }
type Seat = { slot: number; student: number; registration: number }

/** What is given up leaves the student: judged like a course that is given back. */
const leaving = ({ given, g }: ExchangeMember, to: 'removed' | 'Dropped') => {
  const { id, faculty_id, department_id, bylaw_id, program_id, advisor_id } = g.student
  const student: Bound = { id, faculty_id, department_id, bylaw_id, program_id, advisor_id }
  return {
    row: { ...given, student },
    status: to === 'removed' ? null : statusToWire(withMain(fromWire(given.status), to)),
    overrides: [],
  }
}

const sameCourse = ({ given, registration }: Pick<ExchangeMember, 'given' | 'registration'>) =>
  given.course_id === registration.course_id

/** Whether what is given up stays until somebody has answered the request. */
export const keepsGiven = (member: Pick<ExchangeMember, 'given' | 'registration'>): boolean =>
  staysUntilAnswered(
    { main: member.given.main, same_course: sameCourse(member) },
    mainOf(fromWire(member.registration.status)),
  )

/**
 * Exchanges seats. Locks in the order of everybody: offerings, registrations, turns, places, meetings.
 *
 * @param options.ring only what is free for everybody is used beside what each gives up, which goes to another of the ring
 * @returns `moved`; `again` when somebody came between; `waits` when a seat is gone, or another course would stand alone
 */
export async function exchange(
  ctx: Ctx,
  members: readonly ExchangeMember[],
  { ring, wake }: { ring: boolean; wake: Wake },
): Promise<'moved' | 'again' | 'waits'> {
  try {
    return await ctx.write((tx) => exchangeIn(ctx, tx, members, ring, wake))
  } catch (error) {
    if (error instanceof NotNow) return 'waits'
    throw error
  }
}

async function exchangeIn(
  ctx: Ctx,
  tx: Tx,
  members: readonly ExchangeMember[],
  ring: boolean,
  wake: Wake,
): Promise<'moved' | 'again' | 'waits'> {
  const now = await givenOf(
    tx,
    members.map(({ given }) => given.id),
    { offerings: members.map(({ place }) => place.offering_id) },
  )
  const turns = await sql<{ student_id: number; turn: number }>`select student_id, turn from registration_turns
    where student_id = any(${members.map(({ place }) => place.student_id)}::int[]) order by student_id for no key update`.execute(
    tx,
  )
  const places = await sql<{ id: number; state: string }>`select id, state from wait_list
    where id = any(${members.map(({ place }) => place.id)}::int[]) order by id for update`.execute(tx)
  const turnOf = new Map(turns.rows.map((row) => [row.student_id, row.turn]))
  if (places.rows.length < members.length || places.rows.some((row) => row.state !== 'waiting')) return 'again'
  for (const { place, g, given } of members) {
    const found = now.get(given.id)
    const open = g.terms
      .find(({ id }) => id === given.term_id)
      ?.stages.flatMap((stage) => {
        const at = Date.parse(g.now)
        return Date.parse(stage.from) <= at && at < Date.parse(stage.to) ? [stage.code] : []
      })
    if (!found || found.status !== given.status || found.slot_ids.join() !== given.slot_ids.join()) return 'again'
    if (turnOf.get(place.student_id) !== g.turn) return 'again'
    if (exchangeProblem({ ...found, same_course: true }, open ?? []) !== null) return 'again'
  }

  // Which seats pass from whom to whom: what one gives up goes to the one who wants it, without being free in between.
  const takes = members.flatMap(({ place, registration, given }) =>
    registration.slots
      .filter(({ id }) => !given.slot_ids.includes(id))
      .map(({ id }) => ({ slot: id, student: place.student_id })),
  )
  const gives: Seat[] = members.flatMap((member) => {
    const { place, registration, given } = member
    return keepsGiven(member)
      ? []
      : given.slot_ids
          .filter((id) => !registration.slots.some((slot) => slot.id === id))
          .map((id) => ({ slot: id, student: place.student_id, registration: given.id }))
  })
  const { rows: slots } = await sql<Slot>`select id, quota, taken, held from offering_slots
    where id = any(${[...takes, ...gives].map(({ slot }) => slot)}::int[]) order by id for no key update`.execute(tx)
  const bySlot = new Map(slots.map((slot) => [slot.id, slot]))
  const passed: { from: number; slot: number; student: number }[] = []
  const taken: { slot: number; student: number; over: boolean }[] = []
  const room = new Map<number, number>()
  for (const { slot: id, student } of takes) {
    const slot = bySlot.get(id)
    if (!slot) return 'waits'
    // A place above the quota is not passed on: it was given to one student.
    const giver = ring && slot.taken <= slot.quota ? gives.findIndex((give) => give.slot === id) : -1
    if (giver >= 0) {
      passed.push({ from: gives[giver]!.registration, slot: id, student })
      gives.splice(giver, 1)
      continue
    }
    const free = Math.max(slot.quota - slot.taken - slot.held, 0)
    const left = room.get(id) ?? (ring ? free : slot.held + free)
    if (left <= 0) return 'waits'
    room.set(id, left - 1)
    taken.push({ slot: id, student, over: slot.taken >= slot.quota })
  }

  await sql`update wait_list set state = 'moved', moved_at = now() where id = any(${members.map(({ place }) => place.id)}::int[])`.execute(
    tx,
  )
  await sql`update registration_turns set turn = turn + 1 where student_id = any(${[...turnOf.keys()]}::int[])`.execute(
    tx,
  )
  const made = await makeRegistrations(tx, members)
  const at = (student: number) => made.get(student)!
  // Meetings that are kept in another course: linked offerings share them. Where the course stays, so do they.
  for (const member of members) {
    const { place, registration, given } = member
    if (keepsGiven(member)) continue
    for (const { id } of registration.slots)
      if (given.slot_ids.includes(id) && at(place.student_id) !== given.id)
        passed.push({ from: given.id, slot: id, student: place.student_id })
  }
  if (passed.length)
    await sql`update registration_slots s set registration_id = x.into_id, over = false
      from jsonb_to_recordset(${JSON.stringify(passed.map((one) => ({ ...one, into_id: at(one.student) })))}::jsonb)
        as x (from_id int, slot int, into_id int, "from" int)
      where s.registration_id = x."from" and s.offering_slot_id = x.slot`.execute(tx)
  if (taken.length)
    await sql`insert into registration_slots (registration_id, offering_slot_id, over)
      select x.registration_id, x.slot, x.over from jsonb_to_recordset(${JSON.stringify(
        taken.map((one) => ({ ...one, registration_id: at(one.student) })),
      )}::jsonb) as x (registration_id int, slot int, over boolean)`.execute(tx)
  if (gives.length)
    await sql`delete from registration_slots s using jsonb_to_recordset(${JSON.stringify(gives)}::jsonb) as x (registration int, slot int)
      where s.registration_id = x.registration and s.offering_slot_id = x.slot`.execute(tx)

  const left = members.flatMap((member) => {
    const to = afterExchange({ main: member.given.main, same_course: sameCourse(member) })
    return to === 'stays' ? [] : [{ member, to }]
  })
  const apart = await judgeCorequisites(
    ctx,
    tx,
    left.map(({ member, to }) => leaving(member, to)),
    [],
    () => null,
  )
  if (apart.length) throw new NotNow()
  await write(
    ctx,
    tx,
    members,
    made,
    left.filter(({ member }) => !keepsGiven(member)),
  )
  // What a request would have replaced is now replaced by what that request was exchanged for.
  const pairs = members.flatMap((member) => {
    const { given, place } = member
    const gives_up_id = keepsGiven(member) ? given.id : sameCourse(member) ? null : given.behind_id
    return gives_up_id === null ? [] : [{ registration_id: at(place.student_id), gives_up_id }]
  })
  if (pairs.length)
    await sql`insert into registration_exchanges (registration_id, gives_up_id)
      select * from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as x (registration_id int, gives_up_id int)`.execute(
      tx,
    )
  if (gives.length)
    await wake(
      ctx,
      tx,
      members.map(({ given }) => given.offering_id),
    )
  await notifyEach(
    tx,
    members.map((member) => ({
      user_id: member.place.user_id,
      records: [member.place.student_id],
      key: keepsGiven(member) ? 'registration.notice_swap_requested' : 'registration.notice_swapped',
      data: { course: member.place.course_code, given: member.given.course_code },
      link: '/offering/registration',
    })),
  )
  return 'moved'
}

/** Rows of what is had: of another course a new one, or the one that was dropped before; of the same course it stays. @returns ids by student */
async function makeRegistrations(tx: Tx, members: readonly ExchangeMember[]): Promise<Map<number, number>> {
  const asked = members.map((member) => ({
    student_id: member.place.student_id,
    ...member.registration,
    stays_id: sameCourse(member) ? member.given.id : null,
    dropped_id: sameCourse(member) ? null : (member.registration.dropped?.id ?? null),
    slots: undefined,
    overrides: undefined,
    dropped: undefined,
  }))
  const { rows } = await sql<{ student_id: number; id: number }>`
    with a as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) as a (student_id int, offering_id int, term_id int, course_id int,
        credit_hours numeric, status bigint, stays_id int, dropped_id int)
    ), stays as (
      update registrations r set offering_id = a.offering_id from a where r.id = a.stays_id returning r.student_id, r.id
    ), revived as (
      update registrations r set offering_id = a.offering_id, status = a.status, credit_hours = a.credit_hours,
        total = null, letter = null, points = null, passed = null, counts_in_gpa = null, counts_in_attempted_hours = null
      from a where r.id = a.dropped_id returning r.student_id, r.id
    ), fresh as (
      insert into registrations (student_id, offering_id, term_id, course_id, status, credit_hours)
      select student_id, offering_id, term_id, course_id, status, credit_hours from a where stays_id is null and dropped_id is null
      returning student_id, id
    )
    select * from stays union all select * from revived union all select * from fresh`.execute(tx)
  return new Map(rows.map((row) => [row.student_id, row.id]))
}

/** What is given up goes, and every step stands in the history. */
async function write(
  ctx: Ctx,
  tx: Tx,
  members: readonly ExchangeMember[],
  made: ReadonlyMap<number, number>,
  left: readonly { member: ExchangeMember; to: 'removed' | 'Dropped' }[],
): Promise<void> {
  const { actor_id, impersonator_id } = ctx.who()
  const dropped = (given: GivenSeat) => statusToWire(withMain(fromWire(given.status), 'Dropped'))
  const steps = [
    ...members.map((member) => {
      const { place, registration, given } = member
      const stays = sameCourse(member)
      return {
        registration_id: made.get(place.student_id)!,
        student_id: place.student_id,
        offering_id: place.offering_id,
        action: 'swap',
        from_status: stays ? given.status : (registration.dropped?.status ?? null),
        to_status: stays ? given.status : registration.status,
        slot_ids: registration.slots.map(({ id }) => id),
      }
    }),
    ...left.map(({ member: { place, given }, to }) => ({
      registration_id: given.id,
      student_id: place.student_id,
      offering_id: given.offering_id,
      action: 'give_up',
      from_status: given.status,
      to_status: to === 'removed' ? null : dropped(given),
      slot_ids: given.slot_ids,
    })),
  ]
  await sql`
    with x as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(steps)}::jsonb) as x (registration_id int, student_id int, offering_id int, action text,
        from_status bigint, to_status bigint, slot_ids int[])
    ), gone as (
      delete from registrations r using x where r.id = x.registration_id and x.action = 'give_up' and x.to_status is null
    ), dropped as (
      update registrations r set status = x.to_status from x
      where r.id = x.registration_id and x.action = 'give_up' and x.to_status is not null
    )
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, from_status, to_status, offering_slot_ids)
    select registration_id, student_id, offering_id, ${actor_id}::int, ${impersonator_id}::int, action, from_status, to_status, slot_ids from x`.execute(
    tx,
  )
}
