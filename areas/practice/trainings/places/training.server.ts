/** Trainings as organisations offer them, and their interviews. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { trainingCalls as calls } from '../students-trainings/student-training.contract.ts'
import { meanwhile } from '../students-trainings/facts.server.ts'
import { training } from './training.contract.ts'
import { checkTraining, type TrainingSaid } from './training.rules.ts'

/** SQL: places of the training `t` that are taken, in the week in which most are. */
const TAKEN = `(select coalesce(max(w.taken), 0)::int from training_week_counts(t.id) w)`
interface Standing {
  taken: TrainingSaid['taken']
  asked_until: number
}

/** What students hold of a training that is there; whoever is given a place meanwhile waits, and is counted. */
async function standingOf(tx: Tx, id: number): Promise<Standing> {
  await sql`select from trainings where id = ${id} for update`.execute(tx)
  const { rows } = await sql<Standing>`select
      coalesce((select json_agg(json_build_object('week', w.week, 'taken', w.taken)) from training_week_counts(${id}::int) w), '[]') as taken,
      coalesce((select max(a.until_week) from students_trainings a where a.training_id = ${id}::int and a.removed_at is null
        and a.status in ('requested', 'accepted', 'approved')), 0)::int as asked_until`.execute(tx)
  return firstRow(rows)
}

/** Students with a place who would be at two trainings at one time, if this one lasted from a day until a day: each by name. */
async function overlapsOf(tx: Tx, id: number, from: string, until: string): Promise<Reason[]> {
  const placed = sql`select t.student_id from students_trainings t where t.training_id = ${id} and t.removed_at is null and t.status = 'accepted'`
  await sql`select from students where id in (${placed}) order by id for no key update`.execute(tx)
  const first = sql`(${from}::date + (coalesce(t.from_week, 1) - 1) * 7)`
  const last = sql`least(${until}::date, ${from}::date + t.until_week * 7 - 1)`
  const { rows } = await sql<{ code: string; other: { name: string; name_local: string } }>`
    select s.code, m.other from students_trainings t join students s on s.id = t.student_id
      cross join lateral (select ${meanwhile(first, last)} as other) m
    where t.training_id = ${id} and t.removed_at is null and t.status = 'accepted' and m.other is not null order by s.code`.execute(
    tx,
  )
  return rows.map(({ code, other }) => ({
    field: 'starts_on',
    code: 'training_overlap',
    data: { student: code, ...other },
  }))
}

/** Students who have a place, or wait for one, learn that days or weeks have changed. */
async function tellChange(
  tx: Tx,
  id: number,
  said: TrainingSaid & { name: string; name_local: string },
): Promise<void> {
  const { rows } = await sql<{ id: number; student_id: number; user_id: number }>`
    select t.id, t.student_id, s.user_id from students_trainings t join students s on s.id = t.student_id
    where t.training_id = ${id} and t.removed_at is null and t.status in ('requested', 'accepted') and s.user_id is not null order by t.id`.execute(
    tx,
  )
  const { name, name_local, starts_on, ends_on, weeks } = said
  await notifyEach(
    tx,
    rows.map((row) => ({
      user_id: row.user_id,
      key: 'trainings.notice_days_changed',
      data: { what: name, what_local: name_local, from: starts_on, until: ends_on, weeks },
      link: `/students-trainings?view=all&id=${row.id}`,
      records: [row.student_id],
    })),
  )
}
/** Whether any of these differs. */
const differ = (names: readonly string[], merged: Values, current: Values): boolean =>
  names.some((name) => String(merged[name]) !== String(current[name]))

export const servedTrainings = workings(training, {
  computed: { taken: TAKEN },
  async beforeWrite(_ctx, tx, merged, current) {
    const { taken, asked_until } = current ? await standingOf(tx, current.id) : { taken: [], asked_until: 0 }
    const week_places = (merged.week_places ?? []) as TrainingSaid['week_places']
    const said = { ...(merged as unknown as TrainingSaid), by_week: merged.by_week === true, week_places }
    const reasons = checkTraining({ ...said, taken, asked_until })
    if (!reasons.length && current && differ(['starts_on', 'ends_on'], merged, current))
      reasons.push(...(await overlapsOf(tx, current.id, said.starts_on, said.ends_on)))
    if (reasons.length) throw new Refusal(422, reasons)
  },
  async afterWrite(_ctx, tx, id, merged, current) {
    if (current && differ(['starts_on', 'ends_on', 'weeks'], merged, current)) await tellChange(tx, id, merged as never)
  },
})

export const trainingHandlers: readonly Handled[] = [
  ...servedTrainings.handlers,
  servedTrainings.at(calls.change, 'update'),
  handle(calls.interviews, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{
      id: number
      starts_at: string
      minutes: number
      place: string
      student: { id: number; name: string; name_local: string; code: string } | null
    }>`select v.id, v.starts_at, v.minutes, v.place, (select ${refOrNull('s')} from students s join students_trainings a on a.student_id = s.id
        where a.id = v.student_training_id) as student
      from training_interviews v where v.training_id = ${id} order by v.starts_at, v.place, v.id`.execute(ctx.db)
    return { data: rows }
  }),
  handle(calls.addInterviews, (ctx, { params: { id }, body: { day, from_time, count, minutes, place } }) =>
    ctx.write(async (tx) => {
      const { rows: of } = await sql<{ has_interview: boolean }>`select has_interview from trainings
        where id = ${id} and removed_at is null for share`.execute(tx)
      if (!of[0]) throw refuse(404, 'not_found')
      if (!of[0].has_interview) throw refuse(409, 'training_no_interviews')
      const { rows: days } = await sql<{ over: boolean }>`select ${day}::date < university_today() as over`.execute(tx)
      if (firstRow(days).over) throw refuse(422, 'training_interview_past', undefined, 'day')
      const { rows } = await sql`insert into training_interviews (training_id, starts_at, minutes, place)
        select ${id}, (${day}::date + ${from_time}::time + make_interval(mins => n * ${minutes}::int)) at time zone university_zone(), ${minutes}, ${place}
        from generate_series(0, ${count - 1}::int) n on conflict do nothing returning id`.execute(tx)
      return { data: { added: rows.length } }
    }),
  ),
  handle(calls.removeInterview, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        booked: boolean
      }>`select student_training_id is not null as booked from training_interviews
        where id = ${id} for update`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      if (rows[0].booked) throw refuse(409, 'training_interview_taken')
      await sql`delete from training_interviews where id = ${id}`.execute(tx)
      return { data: { id } }
    }),
  ),
]
