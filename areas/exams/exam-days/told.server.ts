/** People whose published exam is held at another time than they were told: a slot was changed, or the season. */
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { sql } from 'kysely'

interface Moved {
  readonly course: string
  readonly course_local: string
  readonly date: string
  readonly time: string
  readonly is_coming: boolean
  readonly sit: number[]
  readonly invigilate: number[]
}

/** Tells them, once, within minutes; publishing and opening again tell by themselves. */
export const examTimesJob = defineJob<object, { told: number }>({
  name: 'exam-times-told',
  cron: '*/5 * * * *',
  run: (ctx) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<Moved>`
        with moved as (select s.id from exam_schedules s join exams e on e.id = s.exam_id and e.status = 'published' and e.removed_at is null
            where s.removed_at is null and s.during is not null and s.told is distinct from s.during order by s.id for update of s skip locked),
          told as (update exam_schedules s set told = s.during from moved m where s.id = m.id returning s.id, s.offering_id, s.during)
        select c.name as course, c.name_local as course_local, to_char(lower(t.during), 'YYYY-MM-DD') as date,
          to_char(lower(t.during), 'HH24:MI') as time, upper(t.during) > now() at time zone university_zone() as is_coming,
          array(select u.user_id from registrations r join students u on u.id = r.student_id
            where r.offering_id = t.offering_id and sits_exam(r.status) and u.user_id is not null) as sit,
          array(select distinct i.user_id from exam_schedule_instructors v join instructors i on i.id = v.instructor_id
            where v.exam_schedule_id = t.id and i.user_id is not null) as invigilate
        from told t join offerings o on o.id = t.offering_id join courses c on c.id = o.course_id order by t.id`.execute(
        tx,
      )
      const news = rows
        .filter((row) => row.is_coming)
        .flatMap(({ sit, invigilate, is_coming: _coming, ...data }) => {
          const tell = (key: string) => (user_id: number) => ({ user_id, key, data, link: '/my_exams' })
          return [...sit.map(tell('exam-days.notice_moved')), ...invigilate.map(tell('exam-days.notice_moved_duty'))]
        })
      if (news.length) await notifyEach(tx, news)
      return { told: news.length }
    }),
})
