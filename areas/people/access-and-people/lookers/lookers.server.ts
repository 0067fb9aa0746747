import { sql } from 'kysely'
import { z } from 'zod'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { parse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { lookerCalls } from './lookers.contract.ts'
import type { Look } from './lookers.contract.ts'

const kinds = z.union([z.string(), z.array(z.string())]).transform((value) => [value].flat())
const PEOPLE = sql.raw('(select id, name, name_local, null::text as code from users)')
/** Everybody's own: who opened the record of the student, instructor or employee one is, or was logged in as one. */
const lookers = handle(lookerCalls.lookers, (ctx, { body }) => {
  const { user_id, student_id, instructor_id } = actorIn(ctx)
  return pagedList<Look>(
    ctx,
    {
      from: sql`(
          select id, at, kind, actor_id, impersonator_id, data from security_log
          where (record_type, record_id) in (
              select 'student', unnest(same_record('student', ${student_id ?? 0}::int))
              union all select 'instructor', unnest(same_record('instructor', ${instructor_id ?? 0}::int))
              union all select unnest(array['employee', 'user']), id from unnest(same_record('user', ${user_id}::int)) as id)
            and kind in ('read', 'export')
          union all
          select id, at, kind, actor_id, impersonator_id, data from security_log
          where subject_id = any(same_record('user', ${user_id}::int)) and kind = 'log_in_as') t
        left join ${PEOPLE} w on w.id = coalesce(t.impersonator_id, t.actor_id)
        left join ${PEOPLE} a on a.id = t.actor_id and t.impersonator_id is not null`,
      select: sql`abs(hashtext(t.id::text)::bigint)::float8 + 1 as id, t.at, t.kind, ${refOrNull('w')} as who, ${refOrNull('a')} as "as",
        coalesce((select json_agg(distinct jsonb_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local))
          from role_assignments x join roles r on r.id = x.role_id and r.removed_at is null
          where x.user_id = w.id and coalesce(x.valid_from <= university_today(), true) and coalesce(x.valid_to >= university_today(), true)), '[]') as roles,
        case t.kind when 'read' then t.data ->> 'guest' end as guest,
        case t.kind when 'export' then t.data ->> 'name' end as file`,
      // The own looks are no news.
      where: [sql`coalesce(t.impersonator_id, t.actor_id) is distinct from ${user_id}`],
      sort: { at: 't.at' },
      neverNull: new Set(['at']),
      order: ['at', 'desc'],
      filters: { kind: (value) => sql`t.kind = any(${parse(kinds, value, ['filters', 'kind'])}::text[])` },
    },
    body,
  )
})

export const lookerHandlers: readonly Handled[] = [lookers]
