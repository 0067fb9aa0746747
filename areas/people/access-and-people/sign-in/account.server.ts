import { sql } from 'kysely'
import type pg from 'pg'
import type { z } from 'zod'
import { query } from '#db/connect.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { endSession, endSessions, endedCookies, sessionsOf } from '#kit/server/identity/sessions.ts'
import type { ownRecord } from '../own-records/own-records.contract.ts'
import { ownRecordsText } from '../own-records/own-records.server.ts'
import { ledFirst } from './first.server.ts'
import { byId, personWithin, refuseAbove, shown } from './people.server.ts'
import { secure, setCookies } from './sign-in.server.ts'
import { refusePhone } from '../users/phone.server.ts'
import * as calls from './sign-in.contract.ts'

const liveData = handle(calls.liveData, async (ctx) => {
  const actor = actorIn(ctx)
  const [row, [more]] = await Promise.all([
    byId(ctx.pool, actor.user_id),
    query<{
      unread: number
      chats: number
      by: { id: number; name: string; name_local: string } | null
      read_only: boolean
      until: string | null
      records: z.output<typeof ownRecord>[] | null
    }>(
      ctx.pool,
      'live_data',
      `select (select count(*)::int from notifications where user_id = $1 and read_at is null) as unread,
         (select count(*)::int from chat_members k where k.user_id = $1 and not k.muted and exists (
           select from readable_chat_messages m where m.user_id = k.user_id and m.chat_id = k.chat_id and m.id > k.read_to and m.author_id <> $1)) as chats,
         (select json_build_object('id', id, 'name', name, 'name_local', name_local) from users where id = $2) as by,
         (select until_date::text from delegations where id = $3) as until,
         coalesce((select value #>> '{}' = 'true' from settings where key = 'read_only'), false) as read_only,
         ${ownRecordsText('$1', '$4', '$2::int is not null')} as records`,
      [actor.user_id, actor.impersonator_id, actor.delegation_id ?? null, actor.student_id],
    ),
  ])
  if (!row || !more) throw refuse(401, 'session_expired')
  return {
    data: {
      user: shown(ctx, row),
      permissions: [...actor.rights.keys()],
      chat_notification_count: actor.impersonator_id === null ? more.chats : 0,
      notification_count: actor.delegation_id == null ? more.unread : 0,
      impersonation: more.by && { by: more.by, read_only: actor.read_only ?? false, until: more.until },
      read_only: more.read_only || ctx.services.config.readOnly,
      records: (more.records?.length ?? 0) > 1 ? more.records! : [],
    },
  }
})

/** Whoever is logged in as another person answers nothing for that one. */
const first = handle(calls.first, async (ctx) => ({
  data: { address: ctx.actor?.impersonator_id === null ? await ledFirst(ctx, ctx.actor.user_id) : null },
}))

interface Held {
  roles: {
    name: string
    name_local: string
    valid_to: string | null
    scope: { type: string; id: number; name: string; name_local: string } | null
  }[]
  by_role: string[]
  direct: string[]
  entries: { key: string; valid_from: string | null; valid_to: string | null; scope: Held['roles'][number]['scope'] }[]
}
/** A key with its names; keys that are no longer in the catalogue are left out. */
const permissionNamed = (key: string): { key: string; name: string; name_local: string }[] => {
  const label = PERMISSIONS.get(key as never)
  return label ? [{ key, name: label[0], name_local: label[1] }] : []
}
const scopeOf = (
  a: string,
): string => `case when ${a}.scope_type is not null then json_build_object('type', ${a}.scope_type, 'id', ${a}.scope_id,
  'name', coalesce((select name from faculties where ${a}.scope_type = 'faculty' and id = ${a}.scope_id), (select name from departments where ${a}.scope_type = 'department' and id = ${a}.scope_id),
    (select name from bylaws where ${a}.scope_type = 'bylaw' and id = ${a}.scope_id), (select name from programs where ${a}.scope_type = 'program' and id = ${a}.scope_id), ''),
  'name_local', coalesce((select name_local from faculties where ${a}.scope_type = 'faculty' and id = ${a}.scope_id), (select name_local from departments where ${a}.scope_type = 'department' and id = ${a}.scope_id),
    (select name_local from bylaws where ${a}.scope_type = 'bylaw' and id = ${a}.scope_id), (select name_local from programs where ${a}.scope_type = 'program' and id = ${a}.scope_id), '')) end`
const profile = handle(calls.profile, async (ctx) => {
  const actor = actorIn(ctx)
  const [row, [held]] = await Promise.all([
    byId(ctx.pool, actor.user_id),
    query<Held & pg.QueryResultRow>(
      ctx.pool,
      'profile_rights',
      `with given as (
         select a.*, r.name, r.name_local from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null
         where a.user_id = $1 and coalesce(a.valid_to >= university_today(), true))
       select
         coalesce((select json_agg(json_build_object('name', a.name, 'name_local', a.name_local, 'valid_to', a.valid_to, 'scope', ${scopeOf('a')}) order by a.name, a.id)
           from given a), '[]') as roles,
         array(select distinct p.permission from role_permissions p where p.role_id in (select role_id from given)
           or p.role_id = (select id from roles where key = case $2::int when 3 then 'student' when 4 then 'applicant' end) order by 1) as by_role,
         array(select permission from user_permissions where user_id = $1 order by 1) as direct,
         coalesce((select json_agg(json_build_object('key', e.permission, 'valid_from', e.valid_from, 'valid_to', e.valid_to, 'scope', ${scopeOf('e')}) order by e.permission, e.id)
           from access_entries e where e.user_id = $1 and coalesce(e.valid_to >= university_today(), true)), '[]') as entries`,
      [actor.user_id, actor.type],
    ),
  ])
  if (!row || !held) throw refuse(401, 'session_expired')
  return {
    data: {
      ...shown(ctx, row),
      roles: held.roles,
      role_permissions: held.by_role.flatMap(permissionNamed),
      direct_permissions: held.direct.flatMap(permissionNamed),
      user_access_permissions: [...new Set(held.entries.map((entry) => entry.key))].flatMap(permissionNamed),
      access_entries: held.entries.flatMap(({ key, ...entry }) =>
        permissionNamed(key).map((one) => ({ ...one, ...entry })),
      ),
    },
  }
})

/** Who is logged in as somebody looks, and changes nothing of the person. */
export const ownAccount = (ctx: Ctx) => {
  const actor = actorIn(ctx)
  if (actor.impersonator_id !== null) throw refuse(403, 'not_allowed')
  return actor
}
const updateProfile = handle(calls.updateProfile, async (ctx, { body }) => {
  const { user_id } = ownAccount(ctx)
  await ctx.write(async (tx) => {
    const { phone, language, show_hijri } = body
    if (phone !== undefined) {
      await refusePhone(tx, user_id, phone)
      await sql`update users set phone = ${phone} where id = ${user_id}`.execute(tx)
    }
    if (show_hijri !== undefined)
      await sql`update users set show_hijri = ${show_hijri} where id = ${user_id}`.execute(tx)
    if (language !== undefined) await sql`update users set language = ${language} where id = ${user_id}`.execute(tx)
  })
  return { data: shown(ctx, (await byId(ctx.pool, user_id))!) }
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

const listSessionsOf = handle(calls.listSessionsOf, async (ctx, { params: { kind, id } }) => {
  const { id: userId } = await personWithin(ctx, 'end_sessions', kind, id)
  const rows = await sessionsOf(ctx.pool, userId)
  return { data: rows.map((row) => ({ ...row, current: row.id === actorIn(ctx).session_id })) }
})

/** A lost telephone, a person who left: whoever is signed in as the person is signed out, in every process at once. */
const endSessionsOf = handle(calls.endSessionsOf, async (ctx, { params: { kind, id } }) => {
  const actor = actorIn(ctx)
  const row = await personWithin(ctx, 'end_sessions', kind, id)
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

export const signInAccountHandlers: readonly Handled[] = [
  liveData,
  first,
  profile,
  updateProfile,
  listSessions,
  endOwnSession,
  listSessionsOf,
  endSessionsOf,
]
