/** Trainings as organisations offer them, and their interviews. */
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { trainingCalls as calls } from '../students-trainings/student-training.contract.ts'
import { training } from './training.contract.ts'
import { checkTraining, type TrainingSaid } from './training.rules.ts'

/** SQL: places of the training `t` that are taken. */
const TAKEN = `(select count(*)::int from students_trainings a where a.training_id = t.id and a.removed_at is null
  and a.status in ('accepted', 'approved'))`

export const servedTrainings = workings(training, {
  computed: { taken: TAKEN },
  async beforeWrite(_ctx, tx, merged, current) {
    let taken = 0
    if (current) {
      // Whoever is given a place meanwhile waits, and is counted.
      await sql`select from trainings where id = ${current.id} for update`.execute(tx)
      const { rows } = await sql<{
        taken: number
      }>`select ${sql.raw(TAKEN)} as taken from trainings t where t.id = ${current.id}`.execute(tx)
      taken = firstRow(rows).taken
    }
    const reasons = checkTraining({ ...(merged as unknown as TrainingSaid), taken })
    if (reasons.length) throw new Refusal(422, reasons)
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
