/** A weekly meeting as attendance sees it: its students, its dates, and what is recorded of one of them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import { flag } from '#areas/common/academics/status.rules.ts'
import type { MeetingType } from '#kit/contract/week.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import type { OccurrenceFacts } from './occurrences.rules.ts'

/** States in which a student comes to the meetings: registered, also while a request to leave waits. */
const COMES = String(
  flag.Registered | flag.DropRequest | flag.WithdrawRequest | flag.ExcuseRequest | flag.Incomplete | flag.Complete,
)
/** Whether the registration `alias` comes to its meetings. */
export const comes = (alias: string): RawBuilder<unknown> => sql.raw(`(${alias}.status & ${COMES}::bigint <> 0)`)
/** The university's day on which the registration `alias` was made: before it nobody was absent. */
export const joinedOn = (alias: string): RawBuilder<unknown> =>
  sql.raw(`((${alias}.created_at at time zone university_zone())::date)`)

/** How offerings `o` are reached here: as everywhere; also by who teaches a meeting. */
export const meetingScope = (ctx: Ctx, keys: readonly PermissionKey[]): RawBuilder<unknown> =>
  scopeCondition(ctx, keys, offeringReach(ctx, 'o'))

/** What a person may do with the meetings of an offering. */
export interface MeetingFacts extends OccurrenceFacts {
  readonly offering: { id: number; code: string; course: Ref; term: Ref; submitted: boolean }
  readonly meeting: {
    id: number
    group: number
    group_name: string | null
    type: MeetingType
    day: number | null
    start: string | null
    end: string | null
    location: Ref | null
    students: number
  }
  readonly occurrence_id: number | null
  /** The date that it makes up. */
  readonly makes_up: string | null
  readonly made_up: string | null
  /** Codes of it are shown until then. */
  readonly may_take: boolean
}

type Found = Omit<MeetingFacts, 'known' | 'date' | 'submitted' | 'meeting'> & {
  meeting: MeetingFacts['meeting']
  held: Pick<MeetingFacts['meeting'], 'start' | 'end' | 'location'> | null
}

/** Whether the period `p` is at its Ramadan time now (`rs`). */
const clock = (end: 'start' | 'end'): string =>
  `to_char(case when rs.is_ramadan then p.ramadan_${end}_time else p.${end}_time end, 'HH24:MI')`
/** In SQL: where and when the occurrence `x` is held that makes up another; null: it is none of these. */
export const heldAt = (x: string): RawBuilder<unknown> =>
  sql.raw(`(select json_build_object('date', ${x}.date, 'start', ${clock('start')}, 'end', ${clock('end')},
      'location', case when l.id is not null then json_build_object('id', l.id, 'name', l.name, 'name_local', l.name_local, 'code', l.code) end)
    from slots p left join locations l on l.id = ${x}.location_id left join ramadan_status rs on rs.kind = 'slots' where p.id = ${x}.slot_id)`)

/** Columns of a meeting `m` as it is answered. */
export const meetingColumns =
  (): RawBuilder<unknown> => sql`json_build_object('id', m.id, 'group', g.number, 'group_name', g.name, 'type', m.type, 'day', m.day,
    'start', to_char(case when rs.is_ramadan then p.ramadan_start_time else p.start_time end, 'HH24:MI'),
    'end', to_char(case when rs.is_ramadan then p.ramadan_end_time else p.end_time end, 'HH24:MI'),
    'location', ${refOrNull('l')}, 'students', (select count(*)::int from registration_slots x join registrations r on r.id = x.registration_id
      where x.offering_slot_id = m.id and ${comes('r')}))`
/** The tables that they come from, the offering being `o`. */
const MEETING_FROM = sql.raw(`offering_slots m join offerings o on o.id = m.offering_id and o.removed_at is null
  join courses c on c.id = o.course_id join terms t on t.id = o.term_id join offering_groups g on g.id = m.group_id
  left join slots p on p.id = m.slot_id left join locations l on l.id = m.location_id left join ramadan_status rs on rs.kind = 'slots'`)

/** An offering as the screens of attendance name it. */
export const offeringHead = (): RawBuilder<unknown> =>
  sql`json_build_object('id', o.id, 'code', o.code, 'course', ${ref('c')}, 'term', ${ref('t')}, 'submitted', o.control_status <> 'Draft')`

/**
 * A meeting on a date, within reach of the keys.
 * @throws {Refusal} 404 when it is not there, or out of reach
 */
export async function readMeeting(
  ctx: Ctx,
  db: Db | Tx,
  id: number,
  date: string,
  keys: readonly PermissionKey[],
): Promise<MeetingFacts> {
  const { rows } = await sql<Found>`
    select ${offeringHead()} as offering, ${meetingColumns()} as meeting, array(select on_date::text from teaching_dates(m.id)) as dates,
      university_today()::text as today, x.id as occurrence_id, x.cancelled_reason as cancelled,
      (select k.date::text from meeting_occurrences k where k.id = x.makes_up_id) as makes_up,
      (select k.date::text from meeting_occurrences k where k.makes_up_id = x.id and k.cancelled_at is null) as made_up,
      (select count(*)::int from attendance a where a.occurrence_id = x.id) as recorded,
      ${heldAt('x')} as held,
      ${meetingScope(ctx, ['take_attendance'])} as may_take
    from ${MEETING_FROM} left join meeting_occurrences x on x.offering_slot_id = m.id and x.date = ${date}::date
    where m.id = ${id} and ${meetingScope(ctx, keys)}`.execute(db)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  // What makes up another has a time and a room of its own.
  const { held, ...found } = row
  if (held) found.meeting = { ...found.meeting, start: held.start, end: held.end, location: held.location }
  return { ...found, date, submitted: found.offering.submitted, known: found.occurrence_id !== null }
}

/** The occurrence of a meeting on a date, made when there is none, and held: whoever else says something of it waits. */
export async function holdOccurrence(tx: Tx, slot_id: number, date: string): Promise<number> {
  await sql`
    insert into meeting_occurrences (offering_id, offering_slot_id, date)
    select m.offering_id, m.id, ${date}::date from offering_slots m where m.id = ${slot_id}
    on conflict (offering_slot_id, date) do nothing`.execute(tx)
  const { rows } = await sql<{ id: number }>`
    select id from meeting_occurrences where offering_slot_id = ${slot_id} and date = ${date}::date
    for no key update`.execute(tx)
  return firstRow(rows).id
}
