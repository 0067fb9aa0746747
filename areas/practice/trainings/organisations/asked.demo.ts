import { demoPart } from '#demo/part.ts'
import { sql } from 'kysely'

/** Organisations that were asked by a link and have answered, one that assessed a student, weeks with fewer places, and interviews. */
export default demoPart(
  ['training_asks', 'training_answers', 'training_week_places', 'training_interviews'],
  ['trainings', 'students_trainings', 'users'],
  async (tx) => {
    await sql`insert into training_week_places (training_id, week, places) values (3, 1, 4), (3, 2, 6)`.execute(tx)
    await sql`insert into training_interviews (training_id, starts_at, minutes, place)
      select 1, ((university_today() + 7)::timestamp + make_interval(hours => 10, mins => n * 20)) at time zone university_zone(), 20, 'Career office'
      from generate_series(0, 5) n`.execute(tx)
    await sql`insert into training_asks (training_id, email, asked_at, opened_at)
      select t.id, g.email, now() - interval '6 days', now() - interval '5 days'
      from trainings t join training_organisations g on g.id = t.organisation_id where t.id in (1, 2)`.execute(tx)
    await sql`insert into training_answers (student_training_id, ask_id, says, reason, said_by, at)
      select t.id, k.id, x.n = 1, case when x.n > 1 then 'All desks of this team are taken.' end, 'Nadia Selim', now() - interval '4 days'
      from (select id, training_id, row_number() over (order by id) as n from students_trainings
          where training_id = 1 and status = 'requested' and removed_at is null) x
        join students_trainings t on t.id = x.id join training_asks k on k.training_id = x.training_id`.execute(tx)
    await sql`insert into training_assessments (student_training_id, source, score, text, said_by, at)
      select t.id, 'organisation', 82, 'Asks good questions, and is always there.', 'Sherif Lotfy', now() - interval '2 days'
      from students_trainings t where t.training_id = 2 and t.status = 'accepted' and t.removed_at is null order by t.id limit 1`.execute(
      tx,
    )
  },
)
