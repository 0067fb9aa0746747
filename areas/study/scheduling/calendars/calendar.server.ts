/** Entries of the university's calendar: who keeps them, and whom they concern. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { serveResource } from '#kit/server/resource/resource.ts'
import { examWeekDays, ownWeeks, weeksOf } from '../exam-weeks/exam-week.server.ts'
import { calendarCalls, calendarEvent } from './calendar.contract.ts'
import type { CalendarDay } from './calendar.contract.ts'

/** Whose calendar: SQL of the faculties they belong to, and whether they study or work here. */
export interface CalendarOf {
  readonly faculties: RawBuilder<unknown>
  readonly studies: boolean | RawBuilder<unknown>
  readonly works: boolean | RawBuilder<unknown>
}
const truth = (one: boolean | RawBuilder<unknown>): RawBuilder<unknown> =>
  typeof one === 'boolean' ? sql.raw(String(one)) : one

/** Entries (`e`) that concern somebody. */
export const concerning = ({ faculties, studies, works }: CalendarOf): RawBuilder<unknown> => sql`(e.removed_at is null
  and (e.faculty_id is null or e.faculty_id in (${faculties})) and (e.layer in ('university', 'faculty', 'ramadan')
    or (e.layer = 'students' and ${truth(studies)}) or (e.layer = 'staff' and ${truth(works)})))`

/** An entry (`e`) as it is answered. */
export const calendarDayJson = sql`json_build_object('id', e.id, 'layer', e.layer, 'name', e.name, 'name_local', e.name_local,
  'from', e.start_date, 'to', e.end_date, 'start_time', to_char(e.start_time, 'HH24:MI'), 'end_time', to_char(e.end_time, 'HH24:MI'),
  'no_teaching', e.no_teaching, 'colour', e.colour, 'exam_week', null)`

/** An account's own: the faculties it studies or works in. */
export const calendarOfUser = (user: number | RawBuilder<unknown>): CalendarOf => ({
  faculties: sql`select s.faculty_id from students s where s.user_id = ${user} and s.removed_at is null
    union all select i.faculty_id from instructors i where i.user_id = ${user} and i.removed_at is null`,
  studies: sql`exists (select from students s where s.user_id = ${user} and s.removed_at is null)`,
  works: sql`not exists (select from students s where s.user_id = ${user} and s.removed_at is null)
    or exists (select from instructors i where i.user_id = ${user} and i.removed_at is null)`,
})

export const calendarHandlers: readonly Handled[] = [
  handle(calendarCalls.ownCalendarDays, async (ctx, { body }) => {
    if (body.from > body.to) throw refuse(422, 'calendar_events_order', undefined, 'to')
    const user = ctx.actor?.user_id ?? 0
    const { rows } = await sql<{ day: CalendarDay }>`select x.day from (
        select ${calendarDayJson} as day, e.start_date, e.end_date, e.id from calendar_events e
        where e.start_date <= ${body.to} and e.end_date >= ${body.from} and ${concerning(calendarOfUser(user))}
        union all ${examWeekDays(sql`${body.from}::date`, sql`${body.to}::date`, weeksOf(ownWeeks(user)))}) x
      order by x.start_date, x.end_date, x.id limit 1000`.execute(ctx.db)
    return { data: rows.map(({ day }) => day) }
  }),
  serveResource(calendarEvent, {
    scope: { faculty: () => sql`t.faculty_id` },
    common: sql`t.faculty_id is null`,
  }),
].flat()
