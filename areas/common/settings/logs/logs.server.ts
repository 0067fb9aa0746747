import { sql } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { serverField } from '#kit/server/base/fields.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { logCalls, securityFields } from './logs.contract.ts'
import type { SecurityEntryRow } from './logs.contract.ts'

/** SQL of what can be filtered by, where it is not the column of that name. */
const EXPRESSIONS: Partial<Record<keyof typeof securityFields, string>> = { ip: 'host(t.ip)' }

const filters = Object.fromEntries(
  Object.entries(securityFields).map(([name, field]) => {
    const expression = EXPRESSIONS[name as keyof typeof securityFields]
    const column = { name, field, ...(expression && { expression }) }
    return [name, (value: unknown) => serverField(field).filter(column, value)]
  }),
)
const person = (alias: string) =>
  sql.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name,
    'name_local', ${alias}.name_local, 'code', ${alias}.email) end`)

/** The security log. Its entries concern everybody, so it is for those whose right reaches everything. */
const securityLog = handle(logCalls.securityLog, (ctx, { body }) => {
  if (!reachesAll(ctx, 'access_security_log')) throw refuse(403, 'not_allowed')
  return pagedList<SecurityEntryRow>(
    ctx,
    {
      from: sql`security_log t left join users a on a.id = t.actor_id left join users i on i.id = t.impersonator_id
        left join students st on t.record_type = 'student' and st.id = t.record_id
        left join instructors ins on t.record_type = 'instructor' and ins.id = t.record_id
        left join users s on s.id = coalesce(t.subject_id, case when t.record_type in ('employee', 'user') then t.record_id end)`,
      select: sql`t.id::float8 as id, t.at, t.kind, ${person('a')} as actor, ${person('i')} as impersonator,
        case when st.id is not null then ${ref('st')}
          when ins.id is not null then ${ref('ins')}
          else ${person('s')} end as subject,
        case when t.record_type is not null then json_build_object('type', t.record_type, 'id', t.record_id) end as record,
        t.account, host(t.ip) as ip, t.user_agent, t.request_id, t.data`,
      where: [],
      search: ['a.search_text', 'i.search_text', 's.search_text', 'st.search_text', 'ins.search_text'],
      sort: { at: 't.at' },
      neverNull: new Set(['at']),
      order: ['at', 'desc'],
      filters,
    },
    body,
  )
})

export const logHandlers: readonly Handled[] = [securityLog]
