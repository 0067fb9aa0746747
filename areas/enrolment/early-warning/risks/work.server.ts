/** The home page: whom somebody should speak with, and that a student's own term stands out. */
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { sql } from 'kysely'
import { riskScope } from './risk.server.ts'

const isOn = (name: 'early_warning' | 'early_warning_own', until: boolean) =>
  sql`coalesce((select g.value #>> '{}' from settings g where g.key = ${name} and g.removed_at is null), ${String(until)}) = 'true'`
const WITHOUT_CONTACT = `/early-warning?filters=${encodeURIComponent(JSON.stringify({ risk: ['high'], contacted: false }))}`

export const riskWork: readonly WorkSource[] = [
  {
    permissions: ['note_early_warning'],
    waiting: (ctx) => sql`
      select 'early-warning.work_contact', jsonb_build_object('count', count(*)), ${WITHOUT_CONTACT}::text, min(k.began_at), null::timestamptz
      from student_risks k join students s on s.id = k.student_id
      where k.ended_at is null and k.level = 'high' and s.removed_at is null and ${isOn('early_warning', false)}
        and not exists (select from risk_contacts c where c.student_id = s.id and c.on_date >= k.began_at::date)
        and ${scopeCondition(ctx, 'note_early_warning', riskScope(ctx))} having count(*) > 0`,
  },
  {
    permissions: ['note_early_warning'],
    waiting: (ctx) => sql`
      select 'early-warning.work_again', jsonb_build_object('count', count(*)), '/early-warning', day_begins(min(c.again_on)), null::timestamptz
      from risk_contacts c join students s on s.id = c.student_id
      where c.again_on <= university_today() and c.outcome = 'open' and s.removed_at is null and ${isOn('early_warning', false)}
        and not exists (select from risk_contacts n where n.student_id = c.student_id and n.on_date >= c.again_on)
        and c.created_by = ${ctx.actor?.user_id ?? null} and ${scopeCondition(ctx, 'note_early_warning', riskScope(ctx))} having count(*) > 0`,
  },
  {
    permissions: ['access_student'],
    waiting: (ctx) => sql`
      select 'early-warning.work_own', '{}'::jsonb, '/my-early-warning', k.began_at, null::timestamptz
      from student_risks k where k.student_id = ${ctx.actor?.student_id ?? null} and k.ended_at is null and k.own_level is not null
        and ${isOn('early_warning', false)} and ${isOn('early_warning_own', true)}`,
  },
]
