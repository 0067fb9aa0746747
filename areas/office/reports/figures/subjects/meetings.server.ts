import { offeringReach } from '#areas/common/academics/offering-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { DIMENSIONS } from '../dimensions.contract.ts'
import {
  bothNames,
  mean,
  people,
  rows,
  share,
  subject,
  sum,
  sqlWordOf,
  type RowFactSql,
  type SubjectSql,
} from '../subject.server.ts'

const reach = (ctx: Ctx, key: PermissionKey) => scopeCondition(ctx, key, offeringReach(ctx, 'o'))
const OF_MEETING = sql`join offerings o on o.id = m.offering_id left join courses c on c.id = o.course_id
  left join terms rt on rt.id = o.term_id left join slots sl on sl.id = m.slot_id left join locations l on l.id = m.location_id`
const PLACES = {
  faculty: sql`o.faculty_id`,
  department: sql`o.department_id`,
  course: sql`o.course_id`,
  term: sql`o.term_id`,
  year: sql`rt.year_id`,
  weekday: sql`m.day`,
  slot: sql`m.slot_id`,
  meeting: sql`m.type`,
  building: sql`l.building_id`,
  location: sql`m.location_id`,
}
const MEETING_FACTS: readonly RowFactSql[] = [
  { fact: 'meeting', of: sqlWordOf('m.type', DIMENSIONS.meeting.choices) },
  { fact: 'weekday', of: sqlWordOf('m.day', DIMENSIONS.weekday.choices) },
  { fact: 'slot', of: bothNames('sl') },
  { fact: 'location', of: bothNames('l') },
]
const MEETING_ROW = {
  to: sql`'/offering/' || o.id`,
  code: sql`c.code || ' · ' || o.code`,
  name: sql`c.name`,
  name_local: sql`c.name_local`,
  order: sql`c.code, o.code, m.id`,
}

/** Meetings with their seats: those within the quota and above it. */
export const meetingSubject: SubjectSql<'meeting'> = subject('meeting', {
  from: sql`offering_slots m ${OF_MEETING}`,
  where: sql`o.removed_at is null`,
  reach,
  person: sql`m.id`,
  dimensions: PLACES,
  measures: {
    meetings: rows(),
    seats: sum(sql`m.quota`),
    taken: sum(sql`m.taken`),
    free: sum(sql`greatest(m.quota - m.taken - m.held, 0)`),
    occupancy: share(sum(sql`m.taken`), sum(sql`m.quota`)),
  },
  row: {
    ...MEETING_ROW,
    facts: [...MEETING_FACTS, { fact: 'seats', of: sql`m.quota` }, { fact: 'taken', of: sql`m.taken` }],
  },
})

/** How long a meeting takes, outside Ramadan; one without a time takes none. */
const HOURS = sql`coalesce(extract(epoch from sl.end_time - sl.start_time) / 3600, 0)`
/** Meetings by who teaches them: one of two instructors counts for both. */
export const teachingSubject: SubjectSql<'teaching'> = subject('teaching', {
  from: sql`offering_slot_instructors si join instructors i on i.id = si.instructor_id
    join offering_slots m on m.id = si.offering_slot_id ${OF_MEETING}`,
  where: sql`o.removed_at is null and i.removed_at is null`,
  reach,
  person: sql`si.instructor_id`,
  dimensions: {
    ...PLACES,
    instructor: sql`si.instructor_id`,
    faculty: sql`i.faculty_id`,
    department: sql`i.department_id`,
  },
  measures: {
    teachers: people(),
    taught_meetings: rows(),
    taught_hours: sum(HOURS),
    mean_teaching: mean(sum(HOURS), people()),
  },
  row: {
    ...MEETING_ROW,
    facts: [{ fact: 'instructor', of: bothNames('i') }, ...MEETING_FACTS],
  },
})
