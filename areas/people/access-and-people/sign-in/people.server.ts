import { sql } from 'kysely'
import type pg from 'pg'
import type { z } from 'zod'
import { query } from '#db/connect.ts'
import type { Queryable } from '#db/connect.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { covers, rightsOf } from '#access/rights.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { instructorReach } from '#areas/people/people/instructors/instructor.server.ts'
import type { Actor, Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { Language } from '#kit/contract/index.ts'
import { userReach } from '../rights/people.server.ts'
import type * as calls from './sign-in.contract.ts'

/** The signed-in person, as screens need it. */
export type CurrentUser = z.output<typeof calls.currentUser>

/** A person who may sign in. */
export interface UserRow {
  id: number
  type: Actor['type']
  name: string
  name_local: string
  email: string | null
  phone: string | null
  language: Language | null
  show_hijri: boolean | null
  photo_id: number | null
  photo_name: string | null
  is_super_admin: boolean
  is_root: boolean
  student_id: number | null
  instructor_id: number | null
  last_login_at: string | null
  password_hash: string | null
  blocked: boolean
}

const USER = `
  select u.id, u.type, u.name, u.name_local, u.email, u.phone, u.language, u.show_hijri, f.id as photo_id, f.name as photo_name,
    u.is_super_admin, u.is_root, s.id as student_id, i.id as instructor_id, l.last_login_at, u.password_hash,
    u.blocked_at is not null or coalesce(s.blocked, false) as blocked
  from users u
  left join files f on f.id = u.photo_file_id
  left join lateral (select r.id, bool_and(r.blocked_at is not null) over () as blocked from students r
    where r.user_id = u.id and r.removed_at is null order by r.blocked_at is not null, r.status <> 'studying', r.id limit 1) s on true
  left join instructors i on i.user_id = u.id and i.removed_at is null
  left join last_logins l on l.user_id = u.id
  where u.removed_at is null and `

export const byId = async (pool: Queryable, id: number): Promise<UserRow | undefined> =>
  (await query<UserRow & pg.QueryResultRow>(pool, 'sign_in_by_id', `${USER} u.id = $1`, [id]))[0]
export const byEmail = async (pool: Queryable, email: string): Promise<UserRow | undefined> =>
  (await query<UserRow & pg.QueryResultRow>(pool, 'sign_in_by_email', `${USER} lower(u.email) = lower($1)`, [email]))[0]

/** What the person's own screens may know of the row; of several records, that as which he or she works. */
export function shown(ctx: Ctx, row: UserRow): CurrentUser {
  const { password_hash: _hash, blocked: _blocked, photo_id, photo_name, ...user } = row
  const photo =
    photo_id === null
      ? null
      : ctx.services.files.link({ id: photo_id, name: photo_name ?? 'photo' }, { user_id: row.id })
  const own = ctx.actor?.user_id === row.id ? { student_id: ctx.actor.student_id } : {}
  return { ...user, ...own, photo }
}

/** Refuses to act as, or for, somebody with rights that one does not have. */
export async function refuseAbove(
  ctx: Ctx,
  actor: Actor,
  other: { id: number; is_super_admin: boolean; is_root: boolean },
): Promise<void> {
  if (actor.is_root) return
  const above = other.is_root || (other.is_super_admin && !actor.is_super_admin)
  if (above || (!actor.is_super_admin && !covers(actor.rights, await rightsOf(ctx.db, other.id)))) {
    throw refuse(403, 'person_has_more_rights')
  }
}

/** What every mail to a person says of both. */
export async function aboutMail(ctx: Ctx, row: UserRow): Promise<{ name: string; university: string }> {
  const local = (row.language ?? 'ar') === 'ar'
  const [name] = await query<{ value: string | null }>(
    ctx.pool,
    'university_name',
    `select value #>> '{}' as value from settings where key = any($1) and removed_at is null order by array_position($1, key) limit 1`,
    [local ? ['university_name_local', 'university_name'] : ['university_name']],
  )
  return { name: local ? row.name_local : row.name, university: name?.value ?? 'University EMS' }
}

/** Where a person's record stands (`t`), by what it is bound, and which type of account belongs to it. */
export const PEOPLE = {
  user: { from: sql`users`, account: sql`t.id`, reach: () => userReach(), type: null },
  student: { from: sql`students`, account: sql`t.user_id`, reach: (ctx: Ctx) => studentReach(ctx), type: 3 },
  instructor: { from: sql`instructors`, account: sql`t.user_id`, reach: () => instructorReach(), type: 1 },
} as const

/** The account of a person whom the reader's right reaches. @throws {Refusal} 404 */
export async function personWithin(
  ctx: Ctx,
  right: PermissionKey,
  kind: keyof typeof PEOPLE,
  id: number,
): Promise<UserRow> {
  const { from, account, reach } = PEOPLE[kind]
  const { rows } = await sql<{ user_id: number | null }>`
    select ${account} as user_id from ${from} t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, right, reach(ctx))}`.execute(ctx.db)
  const userId = rows[0]?.user_id
  const row = userId ? await byId(ctx.pool, userId) : undefined
  if (!row) throw refuse(404, 'not_found')
  return row
}
