import { sql } from 'kysely'
import { z } from 'zod'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { handle } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import { refPairs } from '#kit/server/base/sql.ts'
import { lockOffering, refuseFrozen } from '../lock.server.ts'
import type { LockedOffering } from '../lock.server.ts'
import { offeringSlotCalls, type MeetingPlaces } from './slots.contract.ts'
import { WORK_DAYS, checkSlots, meetingCountOf, placeMeetings, planMeetings } from './slots.rules.ts'
import { seatsAppeared } from '../seats.server.ts'
import type {
  OtherMeeting,
  Period,
  PlannedMeeting,
  Room,
  SlotContext,
  StoredMeeting,
  StudentClash,
} from './slots.rules.ts'

const minutes = (column: string) => sql.raw(`(extract(epoch from ${column}) / 60)::int`)
/** JSON of all periods that may be used, in the order of the day. */
const PERIODS = sql`(select coalesce(json_agg(json_build_object('id', id, 'from', ${minutes('start_time')}, 'to', ${minutes('end_time')},
  'ramadan_from', ${minutes('ramadan_start_time')}, 'ramadan_to', ${minutes('ramadan_end_time')}) order by start_time, id), '[]')
  from slots where removed_at is null)`
const ROOM = sql`json_build_object('id', l.id, 'code', l.code, 'capacity', l.capacity, 'kind', l.location_type, 'faculty_id', b.faculty_id)`

/**
 * Whoever changes the timetable of a term waits for the others, so that two cannot give one instructor two places at
 * once. Held until the transaction ends.
 */
export const lockTimetable = (tx: Tx, term_id: number): Promise<unknown> =>
  sql`select pg_advisory_xact_lock(hashtext('timetable'), ${term_id}::int)`.execute(tx)

/** Meetings of other offerings in the term at times that concern `instructors` or `rooms`; all of them when both are null. */
export async function otherMeetings(
  tx: Tx,
  term_id: number,
  offering_id: number,
  rooms: readonly number[] | null,
  instructors: readonly number[] | null,
): Promise<OtherMeeting[]> {
  const { rows } = await sql<OtherMeeting>`
    select s.day, s.slot_id, s.location_id, c.code || ' (' || o.code || ')' as name,
      array(select i.instructor_id from offering_slot_instructors i where i.offering_slot_id = s.id) as instructor_ids
    from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null join courses c on c.id = o.course_id
    where s.term_id = ${term_id} and s.offering_id <> ${offering_id} and s.day is not null
      and (${rooms === null} or s.location_id = any(${rooms ?? []}::int[]) or exists (
        select from offering_slot_instructors i where i.offering_slot_id = s.id and i.instructor_id = any(${instructors ?? []}::int[])))
    order by o.id, s.id`.execute(tx)
  return rows
}

/** Everything the rules ask about the meetings to be saved. Locks the meetings that are there. */
async function slotContext(
  tx: Tx,
  offering: LockedOffering,
  groups: number,
  slots: readonly PlannedMeeting[],
  allowStudentClashes: boolean,
): Promise<SlotContext> {
  await lockTimetable(tx, offering.term_id)
  await sql`select from offering_slots where offering_id = ${offering.id} order by id for update`.execute(tx)
  const rooms = [...new Set(slots.flatMap((s) => s.location_id ?? []))]
  const instructors = [...new Set(slots.flatMap((s) => s.instructor_ids))]
  // A room does not get smaller while it is planned in.
  if (rooms.length) await sql`select from locations where id = any(${rooms}::int[]) order by id for share`.execute(tx)
  const others = await otherMeetings(tx, offering.term_id, offering.id, rooms, instructors)
  const { rows } = await sql<{
    periods: Period[]
    rooms: Room[]
    instructors: { id: number; name: string }[]
    stored: StoredMeeting[]
  }>`select
    ${PERIODS} as periods,
    (select coalesce(json_agg(${ROOM}), '[]') from locations l join buildings b on b.id = l.building_id where l.id = any(${rooms}::int[]) and l.removed_at is null) as rooms,
    (select coalesce(json_agg(json_build_object('id', id, 'name', name)), '[]') from instructors where id = any(${instructors}::int[]) and removed_at is null) as instructors,
    (select coalesce(json_agg(json_build_object('id', s.id, 'group', g.number, 'type', s.type, 'section', s.section, 'day', s.day,
      'slot_id', s.slot_id, 'location_id', s.location_id, 'quota', s.quota, 'over_quota', s.over_quota, 'taken', s.taken,
      'instructor_ids', array(select i.instructor_id from offering_slot_instructors i where i.offering_slot_id = s.id),
      'waiting', (select count(*) from wait_list w where s.id = any(w.offering_slot_ids) and w.state = 'waiting')) order by s.id), '[]')
      from offering_slots s join offering_groups g on g.id = s.group_id where s.offering_id = ${offering.id}) as stored`.execute(
    tx,
  )
  const known = rows[0] as NonNullable<(typeof rows)[0]>
  const missing = instructors.filter((id) => !known.instructors.some((i) => i.id === id))
  if (missing.length) {
    throw new Refusal(
      422,
      slots.flatMap((s, i) =>
        s.instructor_ids.some((id) => missing.includes(id))
          ? [{ field: `slots.${i}.instructor_ids`, code: 'reference_missing' }]
          : [],
      ),
    )
  }
  const before = new Map(known.stored.map((s) => [s.id, s]))
  const moved = slots.filter((s) => {
    const old = s.id === undefined ? undefined : before.get(s.id)
    return (
      old && old.taken > 0 && s.day !== null && s.slot_id !== null && (old.day !== s.day || old.slot_id !== s.slot_id)
    )
  })
  return {
    groups,
    stored: known.stored,
    periods: new Map(known.periods.map((p) => [p.id, p])),
    rooms: new Map(known.rooms.map((r) => [r.id, r])),
    others,
    students: moved.length && !allowStudentClashes ? await studentClashes(tx, offering.term_id, moved) : [],
    instructorNames: new Map(known.instructors.map((i) => [i.id, i.name])),
    name: offering.name,
  }
}

/** Students who hold a seat in a meeting and have another one at the time to which it is moved, per meeting. */
export async function studentClashes(
  tx: Tx,
  term_id: number,
  moved: readonly Pick<PlannedMeeting, 'id' | 'day' | 'slot_id'>[],
): Promise<StudentClash[]> {
  const places = JSON.stringify(moved.map(({ id, day, slot_id }) => ({ id, day, slot_id })))
  const { rows } = await sql<StudentClash>`
    select m.id, count(distinct r.student_id)::int as students, min(c.code || ' (' || o.code || ')') as name
    from jsonb_to_recordset(${places}::jsonb) as m (id int, day int, slot_id int)
    join slots p on p.id = m.slot_id
    join registration_slots mine on mine.offering_slot_id = m.id
    join registrations r on r.id = mine.registration_id
    join registrations r2 on r2.student_id = r.student_id and r2.term_id = ${term_id}
    join registration_slots theirs on theirs.registration_id = r2.id and theirs.offering_slot_id <> m.id
    join offering_slots s on s.id = theirs.offering_slot_id
    join slots q on q.id = coalesce((select x.slot_id from jsonb_to_recordset(${places}::jsonb) as x (id int, day int, slot_id int) where x.id = s.id), s.slot_id)
    join offerings o on o.id = r2.offering_id join courses c on c.id = o.course_id
    where coalesce((select x.day from jsonb_to_recordset(${places}::jsonb) as x (id int, day int, slot_id int) where x.id = s.id), s.day) = m.day
      and ((p.start_time, p.end_time) overlaps (q.start_time, q.end_time) or (p.ramadan_start_time, p.ramadan_end_time) overlaps (q.ramadan_start_time, q.ramadan_end_time))
    group by m.id`.execute(tx)
  return rows
}

/**
 * Makes groups 1 … `groups` and these meetings the whole of an offering, which the caller has locked. Meetings with an
 * id are changed, others are new, those missing are removed. Instructors who are not of the team join it.
 *
 * @returns ids in the order of `slots`
 * @throws {Refusal} 409 with every reason: seats taken, clashes of room, instructor and students, rooms too small
 */
export async function saveSlots(
  tx: Tx,
  offering: LockedOffering,
  groups: number,
  slots: readonly PlannedMeeting[],
  options: { readonly allowStudentClashes?: boolean } = {},
): Promise<number[]> {
  const reasons = checkSlots(
    slots,
    await slotContext(tx, offering, groups, slots, options.allowStudentClashes ?? false),
  )
  if (reasons.length) throw new Refusal(409, reasons)

  await sql`set constraints offering_slots_room deferred`.execute(tx)
  const kept = slots.flatMap((s) => s.id ?? [])
  await sql`delete from offering_slots where offering_id = ${offering.id} and id <> all(${kept}::int[])`.execute(tx)
  await sql`insert into offering_groups (offering_id, number) select ${offering.id}, n from generate_series(1, ${groups}::int) n
    where not exists (select from offering_groups where offering_id = ${offering.id} and number = n)`.execute(tx)
  const rows = JSON.stringify(slots)
  const sent = sql`jsonb_to_recordset(${rows}::jsonb) as n (id int, "group" int, type text, section text, day int, slot_id int, location_id int, quota int, over_quota int)
    join offering_groups g on g.offering_id = ${offering.id} and g.number = n."group"`
  await sql`update offering_slots s set group_id = g.id, type = n.type, section = n.section, day = n.day, slot_id = n.slot_id,
      location_id = n.location_id, quota = n.quota, over_quota = n.over_quota, version = s.version + 1
    from ${sent} where s.id = n.id and s.offering_id = ${offering.id}
      and (s.group_id, s.type, s.section, s.day, s.slot_id, s.location_id, s.quota, s.over_quota)
        is distinct from (g.id, n.type, n.section, n.day, n.slot_id, n.location_id, n.quota, n.over_quota)`.execute(tx)
  const fresh = slots.filter((s) => s.id === undefined)
  let added: number[] = []
  if (fresh.length) {
    const { rows: made } = await sql<{ id: number }>`
      insert into offering_slots (offering_id, term_id, group_id, type, section, day, slot_id, location_id, quota, over_quota)
      select ${offering.id}, ${offering.term_id}, g.id, n.type, n.section, n.day, n.slot_id, n.location_id, n.quota, n.over_quota
      from jsonb_array_elements(${JSON.stringify(fresh)}::jsonb) with ordinality as e (line, place)
      cross join lateral jsonb_to_record(e.line) as n ("group" int, type text, section text, day int, slot_id int, location_id int, quota int, over_quota int)
      join offering_groups g on g.offering_id = ${offering.id} and g.number = n."group"
      order by e.place returning id`.execute(tx)
    added = made.map((m) => m.id).toSorted((a, b) => a - b)
  }
  await sql`delete from offering_groups where offering_id = ${offering.id} and number > ${groups}`.execute(tx)

  let next = 0
  const ids = slots.map((s) => s.id ?? (added[next++] as number))
  const teach = JSON.stringify(
    slots.flatMap((s, i) =>
      [...new Set(s.instructor_ids)].map((instructor_id) => ({
        offering_slot_id: ids[i],
        instructor_id,
        type: s.type,
      })),
    ),
  )
  await checkMostStudents(tx, offering.id)
  const wanted = sql`jsonb_to_recordset(${teach}::jsonb) as w (offering_slot_id int, instructor_id int, type text)`
  await sql`delete from offering_slot_instructors i using offering_slots s where s.id = i.offering_slot_id and s.offering_id = ${offering.id}
    and not exists (select from ${wanted} where w.offering_slot_id = i.offering_slot_id and w.instructor_id = i.instructor_id)`.execute(
    tx,
  )
  await sql`insert into offering_slot_instructors (offering_slot_id, instructor_id) select w.offering_slot_id, w.instructor_id from ${wanted}
    where not exists (select from offering_slot_instructors i where i.offering_slot_id = w.offering_slot_id and i.instructor_id = w.instructor_id)`.execute(
    tx,
  )
  await sql`insert into offering_instructors (offering_id, instructor_id, role)
    select ${offering.id}, w.instructor_id, case when bool_or(w.type = 'Lecture') then 'instructor' else 'assistant' end from ${wanted}
    where not exists (select from offering_instructors i where i.offering_id = ${offering.id} and i.instructor_id = w.instructor_id)
    group by w.instructor_id`.execute(tx)
  return ids
}

/** All groups together hold no more students than the offering may have. @throws {Refusal} 409 */
export async function checkMostStudents(tx: Tx, offering_id: number): Promise<void> {
  const { rows } = await sql<{ maximum: number; seats: number }>`
    select o.max_students as maximum, s.seats + s.over_seats as seats from offerings o join offering_seats s on s.offering_id = o.id
    where o.id = ${offering_id} and s.seats + s.over_seats > o.max_students`.execute(tx)
  const [above] = rows
  if (above) throw refuse(409, 'seats_above_max_students', { ...above }, 'max_students')
}

const storedPlan = z.array(
  z.object({
    id: z.int(),
    group: z.int(),
    type: z.custom<MeetingType>(),
    section: z.string().nullable(),
    day: z.int().nullable(),
    slot_id: z.int().nullable(),
    location_id: z.int().nullable(),
    instructor_ids: z.array(z.int()),
    quota: z.int(),
    over_quota: z.int(),
    taken: z.int(),
  }),
)

/** What generating needs to know beyond the offering. */
async function surroundings(tx: Tx, offering: LockedOffering) {
  const { rows } = await sql<{
    hours: Record<MeetingType, number>
    minutes: number | null
    groups: number
    plan: unknown
    periods: Period[]
    rooms: Room[]
    team: { id: number; role: 'leader' | 'instructor' | 'assistant' }[]
    peers: { day: number; slot_id: number }[]
  }>`select
    json_build_object('Lecture', c.lecture_hours, 'Tutorial', c.tutorial_hours, 'Lab', c.laboratory_hours, 'Clinic', c.clinical_hours) as hours,
    (select percentile_cont(0.5) within group (order by extract(epoch from end_time - start_time) / 60)::float8 from slots where removed_at is null) as minutes,
    (select count(*)::int from offering_groups where offering_id = ${offering.id}) as groups,
    (select coalesce(json_agg(json_build_object('id', s.id, 'group', g.number, 'type', s.type, 'section', s.section, 'day', s.day, 'slot_id', s.slot_id,
      'location_id', s.location_id, 'quota', s.quota, 'over_quota', s.over_quota, 'taken', s.taken,
      'instructor_ids', array(select i.instructor_id from offering_slot_instructors i where i.offering_slot_id = s.id)) order by s.id), '[]')
      from offering_slots s join offering_groups g on g.id = s.group_id where s.offering_id = ${offering.id}) as plan,
    ${PERIODS} as periods,
    (select coalesce(json_agg(${ROOM} order by l.capacity, l.id), '[]') from locations l join buildings b on b.id = l.building_id where l.removed_at is null) as rooms,
    (select coalesce(json_agg(json_build_object('id', i.instructor_id, 'role', i.role) order by i.role = 'leader' desc, i.instructor_id), '[]') from offering_instructors i where i.offering_id = ${offering.id}) as team,
    (select coalesce(json_agg(json_build_object('day', s.day, 'slot_id', s.slot_id)), '[]') from (
      select distinct pc2.course_id from program_courses pc join program_courses pc2 on pc2.program_id = pc.program_id and pc2.level = pc.level
        and pc2.semester = pc.semester and pc2.course_id <> pc.course_id where pc.course_id = ${offering.course_id}) peer
      join offerings o on o.course_id = peer.course_id and o.term_id = ${offering.term_id} and o.removed_at is null
      join offering_slots s on s.offering_id = o.id and s.day is not null) as peers
    from courses c where c.id = ${offering.course_id}`.execute(tx)
  return rows[0] as NonNullable<(typeof rows)[0]>
}

export const slotHandlers = [
  handle(offeringSlotCalls.places, async (ctx: Ctx, { body: { term_id, offering_id = 0 } }) => {
    const { rows } = await sql<{ places: MeetingPlaces }>`select json_build_object(
      'slots', (select coalesce(json_agg(json_build_object(${sql.raw(refPairs('p'))}, 'starts', to_char(p.start_time, 'HH24:MI'),
          'ends', to_char(p.end_time, 'HH24:MI'), 'from', ${minutes('p.start_time')}, 'to', ${minutes('p.end_time')}) order by p.start_time, p.id), '[]')
        from slots p where p.removed_at is null),
      'rooms', (select coalesce(json_agg(json_build_object(${sql.raw(refPairs('l'))}, 'capacity', l.capacity, 'kind', l.location_type)
          order by l.capacity, l.code), '[]') from locations l where l.removed_at is null),
      'taken', (select coalesce(json_agg(json_build_object('location_id', s.location_id, 'day', s.day, 'from', ${minutes('p.start_time')},
          'to', ${minutes('p.end_time')}, 'name', c.code || ' (' || o.code || ')') order by s.id), '[]')
        from offering_slots s join offerings o on o.id = s.offering_id and o.removed_at is null join courses c on c.id = o.course_id
          join slots p on p.id = s.slot_id join locations l on l.id = s.location_id and l.location_type <> 'online'
        where s.term_id = ${term_id} and s.offering_id <> ${offering_id} and s.day is not null)) as places`.execute(
      ctx.db,
    )
    return { data: firstRow(rows).places }
  }),
  handle(offeringSlotCalls.generate, (ctx: Ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const offering = await lockOffering(ctx, tx, params.id, 'edit_offering_slots')
      refuseFrozen(offering)
      if (offering.linked_offering_id !== null) throw refuse(409, 'offering_is_linked', { root: offering.root_name })
      await lockTimetable(tx, offering.term_id)
      const around = await surroundings(tx, offering)
      const types =
        body.types ??
        (Object.entries(around.hours) as [MeetingType, number][]).flatMap(([type, hours]) =>
          hours > 0 ? [{ type, meetings: undefined, sections: 1 }] : [],
        )
      if (!types.length) throw refuse(422, 'course_without_hours', undefined, 'types')
      const wanted = types.map((t) => ({
        ...t,
        meetings: t.meetings ?? Math.max(1, meetingCountOf(around.hours[t.type], around.minutes ?? 90)),
      }))
      const stored = storedPlan.parse(around.plan)
      const kept: PlannedMeeting[] = body.replace ? stored.filter((s) => s.taken > 0) : stored
      const groups = Math.max(body.groups, ...kept.map((s) => s.group))
      const missing = Array.from({ length: groups }, (_, i) => i + 1).flatMap((g) =>
        planMeetings(
          [g],
          wanted.filter((t) => !kept.some((s) => s.group === g && s.type === t.type)),
          body,
        ),
      )
      let plan: PlannedMeeting[] = [...kept, ...missing]
      let unplaced: ReturnType<typeof placeMeetings>['unplaced'] = []
      if (body.place) {
        const others = await otherMeetings(tx, offering.term_id, offering.id, null, null)
        const { periods, rooms, team, peers } = around
        const answer = placeMeetings(plan, {
          periods,
          rooms,
          team,
          peers,
          others,
          days: body.days ?? WORK_DAYS,
          faculty_id: offering.faculty_id,
        })
        plan = answer.slots
        unplaced = answer.unplaced
      }
      const before = kept.filter((s) => s.day !== null).length
      const ids = await saveSlots(tx, offering, groups, plan)
      await seatsAppeared(ctx, tx, [offering.id])
      return {
        added: missing.length,
        placed: plan.filter((s) => s.day !== null).length - before,
        unplaced: unplaced.map(({ index, reason }) => {
          const { group, type, section } = plan[index] as PlannedMeeting
          return { id: ids[index] as number, group, type, section, reason }
        }),
      }
    }),
  ),
]
