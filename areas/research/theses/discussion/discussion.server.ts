/** The discussion of a thesis: its room and time, who is invited, and the calendar. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { factsOfTheses, keepDue } from '../thesis/facts.server.ts'
import { THESIS_CONCERNED, findThesis, holdThesis, touchThesis } from '../thesis/reach.server.ts'
import { checkSchedule } from '../thesis/thesis.rules.ts'
import { discussionCalendar, mailExaminers, scheduledOf } from './invite.server.ts'
import { thesisCalls as calls } from '../thesis/whole.contract.ts'

/** Takes the place and the time of a scheduled discussion back. */
async function callOff(tx: Tx, id: number): Promise<number | null> {
  const { rows } = await sql<{ id: number }>`update thesis_discussions set cancelled_at = now()
    where thesis_id = ${id} and cancelled_at is null and result is null returning id`.execute(tx)
  // Nobody is kept from anything else by what is not held.
  await sql`delete from thesis_discussion_people where discussion_id = any(${rows.map((one) => one.id)}::int[])`.execute(
    tx,
  )
  return rows[0]?.id ?? null
}
/** The student, who supervises and who judges. */
async function tell(tx: Tx, id: number, key: string): Promise<void> {
  const { rows } = await sql<{
    users: number[]
    title: string
    title_local: string
    day: string
    time: string
    room: string
  }>`
    select ${sql.raw(THESIS_CONCERNED)} || array(select i.user_id from thesis_members m join instructors i on i.id = m.instructor_id
        where m.thesis_id = t.id and m.until_date is null and m.job = 'committee' and i.user_id is not null) as users,
      t.title, t.title_local, (lower(d.during) at time zone university_zone())::date::text as day,
      to_char(lower(d.during) at time zone university_zone(), 'HH24:MI') as time, l.code as room
    from theses t join thesis_discussions d on d.thesis_id = t.id join locations l on l.id = d.location_id
    where t.id = ${id} order by d.id desc limit 1`.execute(tx)
  const { users, ...data } = firstRow(rows)
  await notify(tx, [...new Set(users)], { key, data, link: `/theses/${id}` })
}

/** What is taught or examined in the room then, or taught by whom the discussion needs. */
async function takenBesides(tx: Tx, id: number, location_id: number, at: RawBuilder<unknown>): Promise<Reason[]> {
  const { rows } = await sql<{ taught: boolean; examined: boolean; teaching: { name: string; name_local: string }[] }>`
    with held as materialized (select * from meetings_at(${at}))
    select exists (select from held h where h.location_id = ${location_id}) as taught,
      exists (select from exam_schedule_locations x where x.location_id = ${location_id} and x.during && ${at}) as examined,
      coalesce((select json_agg(distinct jsonb_build_object('name', i.name, 'name_local', i.name_local)) from held h
        join offering_slot_instructors o on o.offering_slot_id = h.meeting_id join instructors i on i.id = o.instructor_id
        join thesis_members m on m.instructor_id = i.id and m.thesis_id = ${id} and m.until_date is null and m.job in ('leader', 'member', 'committee')), '[]') as teaching`.execute(
    tx,
  )
  const { taught, examined, teaching } = firstRow(rows)
  return [
    ...(taught ? [{ field: 'location_id', code: 'thesis_room_taught' }] : []),
    ...(examined ? [{ field: 'location_id', code: 'thesis_room_examined' }] : []),
    ...teaching.map((one) => ({ field: 'from_time', code: 'thesis_member_teaches', data: one })),
  ]
}

export const discussionHandlers: readonly Handled[] = [
  handle(calls.schedule, (ctx, { params: { id }, body: { location_id, day, from_time, until_time } }) =>
    ctx.write(async (tx) => {
      await holdThesis(ctx, tx, id, 'discuss_thesis')
      if (until_time <= from_time) throw refuse(422, 'thesis_time_order', undefined, 'until_time')
      const moved = await callOff(tx, id)
      const facts = (await factsOfTheses(tx, [id])).get(id)!
      const reasons = checkSchedule(facts, day)
      if (reasons.length) throw new Refusal(409, reasons)
      const { rows: room } =
        await sql`select from locations where id = ${location_id} and removed_at is null for share`.execute(tx)
      if (!room.length) throw refuse(422, 'reference_missing', undefined, 'location_id')
      const taken = await takenBesides(
        tx,
        id,
        location_id,
        sql`tsrange(${day}::date + ${from_time}::time, ${day}::date + ${until_time}::time)`,
      )
      if (taken.length) throw new Refusal(409, taken)
      const during = sql`tstzrange((${day}::date + ${from_time}::time) at time zone university_zone(), (${day}::date + ${until_time}::time) at time zone university_zone())`
      const { rows } = await sql<{
        id: number
      }>`insert into thesis_discussions (thesis_id, location_id, during, created_by)
        values (${id}, ${location_id}, ${during}, ${ctx.actor?.user_id ?? null}::int) returning id`.execute(tx)
      const made = firstRow(rows)
      // Who supervises is there as well.
      await sql`insert into thesis_discussion_people (discussion_id, instructor_id, examiner_id, during)
        select ${made.id}, m.instructor_id, m.examiner_id, d.during from thesis_members m join thesis_discussions d on d.id = ${made.id}
        where m.thesis_id = ${id} and m.until_date is null and m.job in ('leader', 'member', 'committee') order by m.position`.execute(
        tx,
      )
      await mailExaminers(ctx, tx, { id, discussion_id: made.id, off: false })
      await tell(tx, id, moved !== null ? 'theses.notice_discussion_moved' : 'theses.notice_discussion')
      await touchThesis(tx, id)
      return { data: made }
    }),
  ),
  handle(calls.cancel, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await holdThesis(ctx, tx, id, 'discuss_thesis')
      const off = await callOff(tx, id)
      if (off === null) throw refuse(409, 'thesis_not_scheduled')
      await mailExaminers(ctx, tx, { id, discussion_id: off, off: true })
      await tell(tx, id, 'theses.notice_discussion_off')
      await touchThesis(tx, id)
      return { data: { id } }
    }),
  ),
  handle(calls.changesDone, (ctx, { params: { id }, body: { done_on } }) =>
    ctx.write(async (tx) => {
      const { status } = await holdThesis(ctx, tx, id, 'supervise_thesis')
      const { rows } = await sql<{ id: number; changes_due: string; begins_on: string; future: boolean }>`
        select d.id, d.changes_due::text, (lower(d.during) at time zone university_zone())::date::text as begins_on, ${done_on}::date > university_today() as future
        from thesis_discussions d where d.thesis_id = ${id} and d.cancelled_at is null and d.result = 'changes' and d.changes_done_on is null
        order by d.id desc limit 1`.execute(tx)
      const [of] = rows
      if (!of || status !== 'discussed') throw refuse(409, 'thesis_no_changes')
      if (of.future) throw refuse(422, 'thesis_day_future', undefined, 'done_on')
      if (done_on < of.begins_on) throw refuse(422, 'thesis_decision_early', { day: of.begins_on }, 'done_on')
      if (done_on > of.changes_due) throw refuse(409, 'thesis_too_late', { day: of.changes_due }, 'done_on')
      await sql`update thesis_discussions set changes_done_on = ${done_on}::date where id = ${of.id}`.execute(tx)
      await keepDue(tx, [id])
      return { data: { id } }
    }),
  ),
  handle(calls.calendar, async (ctx: Ctx, { params: { id } }) => {
    await findThesis(ctx, ctx.db, id, 'show_thesis')
    const of = await scheduledOf(ctx.db, id)
    if (!of) throw refuse(409, 'thesis_not_scheduled')
    const content = discussionCalendar(of, ctx.lang)
    return { name: 'discussion.ics', type: 'ics', content }
  }),
]
