import { sql } from 'kysely'
import type pg from 'pg'
import { query } from '#db/connect.ts'
import { instructorReach } from '#areas/people/instructors/instructor.server.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx, Handled } from '#kit/server/context.ts'
import { refuse } from '#kit/server/errors.ts'
import { actorIn } from '#kit/server/kit.server.ts'
import { endSession, endSessions, endedCookies, sessionsOf } from '#kit/server/sessions.ts'
import { scopeCondition } from '#kit/server/scope.ts'
import { byId, refuseAbove, shown } from './people.server.ts'
import type { UserRow } from './people.server.ts'
import { secure, setCookies } from './sign-in.server.ts'
import * as calls from './sign-in.contract.ts'

const liveData = handle(calls.liveData, async (ctx) => {
  const actor = actorIn(ctx)
  const [row, [more]] = await Promise.all([
    byId(ctx.pool, actor.user_id),
    query<{
      unread: number
      by: { id: number; name: string; name_local: string } | null
      read_only: boolean
      until: string | null
    }>(
      ctx.pool,
      'live_data',
      `select (select count(*)::int from notifications where user_id = $1 and read_at is null) as unread,
         (select json_build_object('id', id, 'name', name, 'name_local', name_local) from users where id = $2) as by,
         (select until_date::text from delegations where id = $3) as until,
         coalesce((select value = 'true' from settings where key = 'read_only'), false) as read_only`,
      [actor.user_id, actor.impersonator_id, actor.delegation_id ?? null],
    ),
  ])
  if (!row || !more) throw refuse(401, 'session_expired')
  return {
    data: {
      user: shown(ctx, row),
      permissions: [...actor.rights.keys()],
      chat_notification_count: actor.delegation_id == null ? more.unread : 0,
      impersonation: more.by && { by: more.by, read_only: actor.read_only ?? false, until: more.until },
      read_only: more.read_only || ctx.services.config.readOnly,
    },
  }
})

interface HeldRole {
  name: string
  name_local: string
  valid_to: string | null
  scope: { type: string; id: number; name: string; name_local: string } | null
}
const profile = handle(calls.profile, async (ctx) => {
  const actor = actorIn(ctx)
  const [row, roles] = await Promise.all([
    byId(ctx.pool, actor.user_id),
    query<HeldRole & pg.QueryResultRow>(
      ctx.pool,
      'profile_roles',
      `select r.name, r.name_local, a.valid_to,
         case when a.scope_type is not null then json_build_object('type', a.scope_type, 'id', a.scope_id,
           'name', coalesce(f.name, d.name, b.name, p.name, ''), 'name_local', coalesce(f.name_local, d.name_local, b.name_local, p.name_local, '')) end as scope
       from role_assignments a
       join roles r on r.id = a.role_id and r.removed_at is null
       left join faculties f on a.scope_type = 'faculty' and f.id = a.scope_id
       left join departments d on a.scope_type = 'department' and d.id = a.scope_id
       left join bylaws b on a.scope_type = 'bylaw' and b.id = a.scope_id
       left join programs p on a.scope_type = 'program' and p.id = a.scope_id
       where a.user_id = $1 and coalesce(a.valid_to >= current_date, true)
       order by r.name, a.id`,
      [actor.user_id],
    ),
  ])
  if (!row) throw refuse(401, 'session_expired')
  return { data: { ...shown(ctx, row), roles } }
})

const listSessions = handle(calls.listSessions, async (ctx) => {
  const actor = actorIn(ctx)
  const rows = await sessionsOf(ctx.pool, actor.user_id)
  return { data: rows.map((row) => ({ ...row, current: row.id === actor.session_id })) }
})

const endOwnSession = handle(calls.endSession, async (ctx, { params }) => {
  const actor = actorIn(ctx)
  // Who is logged in as somebody has no say over that person's own sessions.
  if (actor.impersonator_id !== null && params.session_id !== actor.session_id) throw refuse(403, 'not_allowed')
  if (!(await endSession(ctx.pool, actor.user_id, params.session_id))) throw refuse(404, 'not_found')
  await ctx.services.security.write(ctx, { kind: 'session_ended', subject_id: actor.user_id })
  if (params.session_id === actor.session_id) setCookies(ctx, endedCookies(secure(ctx)))
  return { id: params.session_id }
})

// --- Sessions of others ---------------------------------------------------------------------------------------------

/** The account of a person whom the reader's right reaches. @throws {Refusal} 404 */
async function personWithin(ctx: Ctx, kind: keyof typeof PEOPLE, id: number): Promise<UserRow> {
  const { from, account, scope } = PEOPLE[kind]
  const { rows } = await sql<{ user_id: number | null }>`
    select ${account} as user_id from ${from} t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'end_sessions', scope)}`.execute(ctx.db)
  const userId = rows[0]?.user_id
  const row = userId ? await byId(ctx.pool, userId) : undefined
  if (!row) throw refuse(404, 'not_found')
  return row
}
const PEOPLE = {
  user: { from: sql`users`, account: sql`t.id`, scope: {} },
  student: {
    from: sql`students`,
    account: sql`t.user_id`,
    scope: {
      faculty: sql`t.faculty_id`,
      program: sql`t.program_id`,
      bylaw: sql`t.bylaw_id`,
      department: sql`(select p.department_id from programs p where p.id = t.program_id)`,
    },
  },
  instructor: {
    from: sql`instructors`,
    account: sql`t.user_id`,
    scope: instructorReach(),
  },
}

const listSessionsOf = handle(calls.listSessionsOf, async (ctx, { params: { kind, id } }) => {
  const { id: userId } = await personWithin(ctx, kind, id)
  const rows = await sessionsOf(ctx.pool, userId)
  return { data: rows.map((row) => ({ ...row, current: row.id === actorIn(ctx).session_id })) }
})

/** A lost telephone, a person who left: whoever is signed in as the person is signed out, in every process at once. */
const endSessionsOf = handle(calls.endSessionsOf, async (ctx, { params: { kind, id } }) => {
  const actor = actorIn(ctx)
  const row = await personWithin(ctx, kind, id)
  // The own ones are ended on the own profile, where one stays in.
  if (row.id === actor.user_id) throw refuse(409, 'own_sessions')
  await refuseAbove(ctx, actor, row)
  const ended = await ctx.write(async (tx) => {
    const count = await endSessions(tx, row.id)
    await ctx.services.security.write(ctx, { kind: 'session_ended', subject_id: row.id, data: { count } }, tx)
    return count
  })
  return { ended }
})

export const accountHandlers: readonly Handled[] = [
  liveData,
  profile,
  listSessions,
  endOwnSession,
  listSessionsOf,
  endSessionsOf,
]
