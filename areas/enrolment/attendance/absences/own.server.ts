/** Attendance of one student in a term: the own one, and for who follows the student. */
import { sql } from 'kysely'
import { COUNTED_STATE } from '#areas/common/academics/attendance-state.server.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { Ref } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import type { OwnAttendance } from '../attendance.calls.contract.ts'
import { absenceReach } from './case.server.ts'
import { readStandings, absenceShareOf } from './shares.server.ts'

async function attendanceOf(ctx: Ctx, student_id: number, term_id: number | undefined, own: boolean) {
  const seen = own
    ? sql`s.id = ${ctx.actor?.student_id ?? null}`
    : scopeCondition(ctx, 'access_attendance', absenceReach(ctx))
  const { rows } = await sql<{
    student: Ref
    term: Ref | null
    terms: Ref[]
    term_id: number | null
    visible: { id: number; course: Ref; dates: OwnAttendance['dates'] }[]
  }>`
    with w as (select t.* from terms t where t.id = coalesce(${term_id ?? null}::int, ${currentTermId()}))
    select ${ref('s')} as student, (select ${ref('w')} from w) as term, (select id from w) as term_id,
      coalesce((select json_agg(${ref('x')} order by x.start_date desc) from terms x where x.id in (
        select distinct r.term_id from registrations r where r.student_id = s.id)), '[]') as terms,
      coalesce((select json_agg(json_build_object('id', r.id, 'course', ${ref('c')}, 'dates', coalesce((
          select json_agg(json_build_object('date', x.date, 'type', coalesce(m.type, 'Lecture'), 'state', ${sql.raw(COUNTED_STATE)},
            'cancelled', x.cancelled_at is not null,
            'made_up_on', (select y.date from meeting_occurrences y where y.makes_up_id = x.id and y.cancelled_at is null)) order by x.date desc, x.id)
          from meeting_occurrences x left join offering_slots m on m.id = x.offering_slot_id
            left join attendance a on a.occurrence_id = x.id and a.student_id = r.student_id
          where x.offering_id = coalesce(o.linked_offering_id, o.id) and (a.student_id is not null or (x.cancelled_at is not null
            and exists (select from registration_slots rs where rs.registration_id = r.id and rs.offering_slot_id = x.offering_slot_id)))), '[]'))
          order by c.code)
        from registrations r join offerings o on o.id = r.offering_id join courses c on c.id = r.course_id
        where r.student_id = s.id and r.term_id = (select id from w) and ${seen}), '[]') as visible
    from students s where s.id = ${student_id} and s.removed_at is null
      and exists (select from registrations r join offerings o on o.id = r.offering_id where r.student_id = s.id and ${seen})`.execute(
    ctx.db,
  )
  const [found] = rows
  if (!found) {
    // A student without any course has no attendance yet.
    if (!own) throw refuse(404, 'not_found')
    const { rows: self } = await sql<{
      student: Ref
    }>`select ${ref('s')} as student from students s where s.id = ${student_id}`.execute(ctx.db)
    if (!self[0]) throw refuse(404, 'not_found')
    return { data: [], student: self[0].student, term: null, terms: [] }
  }
  const ids = found.visible.map((one) => one.id)
  const standings = new Map(
    (ids.length ? await readStandings(ctx.db, sql`r.id = any(${ids}::int[])`) : []).map((one) => [
      one.registration_id,
      one,
    ]),
  )
  return {
    student: found.student,
    term: found.term,
    terms: found.terms,
    data: found.visible.flatMap(({ id, course, dates }): OwnAttendance[] => {
      const one = standings.get(id)!
      // Of a course that was left, what was recorded until then.
      if (one.settled && !dates.length) return []
      const { present, late, absent, excused } = one.counts
      return [
        {
          offering_id: one.offering_id,
          course,
          counts: { present, late, absent, excused },
          share: absenceShareOf(one),
          case: one.case,
          dates,
        },
      ]
    }),
  }
}

/** Handlers of a student's attendance. */
export const ownAbsenceHandlers: readonly Handled[] = [
  handle(calls.own, (ctx, { query }) => {
    const id = ctx.actor?.student_id
    if (!id) throw refuse(404, 'not_found')
    return attendanceOf(ctx, id, query.term_id, true)
  }),
  handle(calls.student, (ctx, { params, query }) => attendanceOf(ctx, params.id, query.term_id, false)),
]
