/** What waits for students, advisors and registrars: requests, and stages that are open. */
import { sql } from 'kysely'
import { students } from '#areas/records/students/student/student.server.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { opensTo } from '#areas/common/academics/window-reach.server.ts'
import { flag, loadMask } from '#areas/common/academics/status.rules.ts'

const bits = (mask: bigint) => sql.raw(String(mask))
const REQUESTS = ['RegisterRequest', 'AddRequest', 'DropRequest', 'WithdrawRequest', 'ExcuseRequest'] as const
const requests = REQUESTS.reduce((all, name) => all | flag[name], 0n)
/** Whoever asks for something waits since then. */
const since = sql`min(case when r.status & ${bits(flag.RegisterRequest | flag.AddRequest)} <> 0 then r.created_at else r.updated_at end)`
const waits = sql`r.status & ${bits(requests)} <> 0 and r.term_id in (select id from terms where end_date >= university_today())`

export const registrationWork: readonly WorkSource[] = [
  {
    permissions: ['access_my_advising'],
    waiting: (ctx) => sql`
      select 'registration.work_advised', jsonb_build_object('count', count(distinct r.student_id), 'requests', count(*)), '/my_advising', ${since}, null::timestamptz
      from registrations r join students t on t.id = r.student_id
      where t.advisor_id = ${ctx.actor?.instructor_id ?? null} and t.removed_at is null and t.status = 'studying' and ${waits} having count(*) > 0`,
  },
  {
    // Exchanges that could be agreed to before the seat is there.
    permissions: ['access_my_advising'],
    waiting: (ctx) => sql`
      select 'registration.work_exchanges', jsonb_build_object('count', count(*)), '/advising/registration/' || min(t.id), min(w.created_at), null::timestamptz
      from wait_list w join students t on t.id = w.student_id join registrations r on r.id = w.gives_up_id join offerings o on o.id = w.offering_id
      where w.state = 'waiting' and w.approved_at is null and t.advisor_id = ${ctx.actor?.instructor_id ?? null} and t.removed_at is null
        and r.status & ${bits(flag.Registered)} <> 0 and r.course_id <> o.course_id having count(*) > 0`,
  },
  {
    // Advisors have their own line.
    permissions: ['accept_registration'],
    waiting: (ctx) => sql`
      select 'registration.work_requests', jsonb_build_object('count', count(distinct r.student_id), 'requests', count(*)),
        '/registrations?filters=' || ${encodeURIComponent(JSON.stringify({ state: REQUESTS }))}, ${since}, null::timestamptz
      from registrations r join students t on t.id = r.student_id
      where t.advisor_id is distinct from ${ctx.actor?.instructor_id ?? 0} and ${students.scope(ctx, 'accept_registration')} and ${waits} having count(*) > 0`,
  },
  {
    permissions: ['access_student'],
    waiting: (ctx) => sql`
      select distinct on (t.id) 'registration.work_' || c.code,
        jsonb_build_object('count', (select coalesce(sum(r.credit_hours), 0) from registrations r
          where r.student_id = t.id and r.term_id = w.term_id and r.status & ${bits(loadMask)} <> 0 and not outweighed(r.id))),
        '/offering/registration', w.starts_at, w.ends_at
      from students t join shown_standing sh on sh.student_id = t.id cross join stage_windows w
        join stage_codes c on c.id = w.stage_code_id and c.code in ('register', 'add_drop') left join stage_groups g on g.id = w.stage_group_id
      where t.id = ${ctx.actor?.student_id ?? null} and t.removed_at is null and t.status = 'studying'
        and w.removed_at is null and now() >= w.starts_at and now() < w.ends_at
        and ${opensTo({ student: 't', window: 'w', group: 'g', level: 'sh.level' })}
      order by t.id, c.code desc, w.ends_at desc`,
  },
  {
    // Two weeks before the first window of a term, while what stands against registering can still be settled.
    permissions: ['access_student'],
    waiting: (ctx) => sql`
      select 'registration.work_before_register', '{}'::jsonb, '/offering/preflight', null::timestamptz, min(w.starts_at)
      from students t join shown_standing sh on sh.student_id = t.id cross join stage_windows w
        join stage_codes c on c.id = w.stage_code_id and c.code in ('register', 'add_drop') left join stage_groups g on g.id = w.stage_group_id
      where t.id = ${ctx.actor?.student_id ?? null} and t.removed_at is null and t.status in ('studying', 'suspended')
        and w.removed_at is null and w.ends_at > now() and ${opensTo({ student: 't', window: 'w', group: 'g', level: 'sh.level' })}
      having min(w.starts_at) > now() and min(w.starts_at) <= now() + interval '14 days'`,
  },
  {
    permissions: ['access_student'],
    waiting: (ctx) => sql`
      select 'registration.work_hold', jsonb_build_object('count', count(*)), '/offering/preflight', min(h.since)::timestamptz, null::timestamptz
      from standing_holds h where h.student_id = ${ctx.actor?.student_id ?? null} having count(*) > 0`,
  },
]
