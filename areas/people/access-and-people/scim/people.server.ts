/** People as a directory sees and changes them. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { endSessions } from '#kit/server/identity/sessions.ts'
import { byId } from '../sign-in/people.server.ts'
import { BLOCKED, demandVersion, directoryOf, refusePower } from './directory.server.ts'
import { syncRoles } from './groups.server.ts'
import { conditionOf, pageOf } from './query.server.ts'
import type { Attributes } from './query.server.ts'
import { ScimError, USER, kindName, namesOf, patchedPerson, personIn } from './resource.rules.ts'
import type { ScimPerson } from './resource.rules.ts'

interface Row {
  id: number
  type: number
  version: string
  email: string | null
  name: string
  name_local: string
  active: boolean
  external_id: string | null
  user_name: string
  given_name: string | null
  family_name: string | null
  display_name: string | null
  formatted: string | null
  created: string
  modified: string
  groups: { value: string; display: string }[]
}

/** Accounts within what the directory is for, and not deleted by it: `u`, and `p` where it has said how it calls them. */
const from = (ctx: Ctx): RawBuilder<unknown> => sql`
  users u left join scim_people p on p.user_id = u.id and p.directory_id = ${directoryOf(ctx).id}
  where u.removed_at is null and u.type = any(${directoryOf(ctx).kinds}::smallint[]) and p.deleted_at is null`
const USER_NAME = sql`coalesce(p.user_name, u.email, u.id::text)`
// Who was never told of is shown by the own name; what a directory took away is gone for it.
const DISPLAY = sql`case when p.user_id is null then u.name else p.display_name end`
const FORMATTED = sql`case when p.user_id is null then u.name
  else coalesce(p.formatted, nullif(concat_ws(' ', p.given_name, p.family_name), '')) end`
const MODIFIED = sql`greatest(u.updated_at, p.updated_at)`

const ATTRIBUTES: Attributes = {
  id: { sql: sql`u.id::text`, kind: 'exact' },
  username: { sql: USER_NAME, kind: 'text' },
  externalid: { sql: sql`p.external_id`, kind: 'exact' },
  active: { sql: sql`(u.blocked_at is null)`, kind: 'flag' },
  displayname: { sql: DISPLAY, kind: 'text' },
  'name.formatted': { sql: FORMATTED, kind: 'text' },
  'name.givenname': { sql: sql`p.given_name`, kind: 'text' },
  'name.familyname': { sql: sql`p.family_name`, kind: 'text' },
  emails: { sql: sql`u.email`, kind: 'text' },
  'emails.value': { sql: sql`u.email`, kind: 'text' },
  'emails.type': { sql: sql`case when u.email is not null then 'work' end`, kind: 'text' },
  'emails.primary': { sql: sql`(u.email is not null)`, kind: 'flag' },
  usertype: { sql: sql`case u.type when 1 then 'instructor' when 2 then 'employee' else 'student' end`, kind: 'text' },
  'meta.created': { sql: sql`u.created_at`, kind: 'instant' },
  'meta.lastmodified': { sql: MODIFIED, kind: 'instant' },
}

const select = (ctx: Ctx, where: RawBuilder<unknown>, more: RawBuilder<unknown> = sql``) => sql<Row>`
  select u.id, u.type, concat(u.version, '.', coalesce(p.version, 0)) as version, u.email, u.name, u.name_local,
    u.blocked_at is null as active, p.external_id, ${USER_NAME} as user_name, p.given_name, p.family_name,
    ${DISPLAY} as display_name, ${FORMATTED} as formatted, u.created_at as created, ${MODIFIED} as modified,
    coalesce((select json_agg(json_build_object('value', g.id::text, 'display', g.name) order by g.id)
      from scim_members m join scim_groups g on g.id = m.group_id and g.directory_id = ${directoryOf(ctx).id}
      where m.user_id = u.id), '[]') as groups
  from ${from(ctx)} and ${where} ${more}`

/** What is told of a person. */
function told(ctx: Ctx, row: Row) {
  return {
    schemas: [USER],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    ...(row.formatted !== null && {
      name: {
        formatted: row.formatted,
        ...(row.given_name !== null && { givenName: row.given_name }),
        ...(row.family_name !== null && { familyName: row.family_name }),
      },
    }),
    ...(row.display_name !== null && { displayName: row.display_name }),
    emails: row.email === null ? [] : [{ value: row.email, type: 'work', primary: true }],
    active: row.active,
    userType: kindName(row.type),
    groups: row.groups,
    meta: {
      resourceType: 'User',
      created: row.created,
      lastModified: row.modified,
      version: `W/"${row.version}"`,
      location: `${ctx.services.config.publicUrl}/api/scim/v2/Users/${row.id}`,
    },
  }
}
export type ToldPerson = ReturnType<typeof told>

/** A page of people. */
export async function listPeople(ctx: Ctx, query: Readonly<Record<string, unknown>>) {
  const where = typeof query.filter === 'string' && query.filter ? conditionOf(query.filter, ATTRIBUTES) : sql`true`
  const { startIndex, count, order } = pageOf(query, ATTRIBUTES)
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::int as total from ${from(ctx)} and ${where}`.execute(ctx.db)
  const { rows } = await select(
    ctx,
    where,
    sql`order by ${order} u.id limit ${count} offset ${startIndex - 1}`,
  ).execute(ctx.db)
  return { total: counted[0]!.total, startIndex, resources: rows.map((row) => told(ctx, row)) }
}

/** @throws {Refusal} 404 */
export async function person(ctx: Ctx, id: number): Promise<ToldPerson> {
  const { rows } = await select(ctx, sql`u.id = ${id}`).execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return told(ctx, rows[0])
}

/** Makes an account, or brings one back that this directory has deleted. @throws {Refusal} 409 `scim_unique` */
export function createPerson(ctx: Ctx, sent: unknown): Promise<ToldPerson> {
  const given = personIn(sent)
  const { id: directory, kinds } = directoryOf(ctx)
  const type = given.userType ?? kinds[0]!
  if (!kinds.includes(type))
    throw new ScimError('invalidValue', `userType: accounts of the kind ${kindName(type)} are not this directory's`)
  if (given.email === null) throw new ScimError('invalidValue', 'emails: an address is needed, people sign in with it')
  return unique(() =>
    ctx.write(async (tx) => {
      const { rows: deleted } = await sql<{ user_id: number }>`
        select p.user_id from scim_people p join users u on u.id = p.user_id and u.removed_at is null and u.type = ${type}
        where p.directory_id = ${directory} and p.deleted_at is not null
          and (lower(p.user_name) = lower(${given.userName}) or lower(u.email) = lower(${given.email}))
        order by p.deleted_at desc limit 1 for update`.execute(tx)
      let id = deleted[0]?.user_id
      if (id === undefined) {
        const { name, name_local } = namesOf(given)
        const { rows } = await sql<{ id: number }>`
          insert into users (type, email, name, name_local) values (${type}, ${given.email}, ${name}, ${name_local ?? name})
          returning id`.execute(tx)
        id = firstRow(rows).id
      } else
        await sql`update scim_people set deleted_at = null where directory_id = ${directory} and user_id = ${id}`.execute(
          tx,
        )
      await change(ctx, tx, id, given)
      return person(ctx, id)
    }),
  )
}

/** Who else has the name or the address is no business of a directory; that somebody has, is. */
async function unique<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    let cause: unknown = error
    while (cause instanceof Error && !('constraint' in cause)) cause = cause.cause
    const { code, constraint } = (cause ?? {}) as { code?: string; constraint?: string }
    if (code === '23505' && constraint && /^(users_email|email_of_another|scim_)/.test(constraint))
      throw refuse(409, 'scim_unique')
    throw error
  }
}

/** Holds an account for a change. @throws {Refusal} 404, 412, or why it is not to be touched */
async function hold(ctx: Ctx, tx: Tx, id: number): Promise<ToldPerson> {
  await sql`select from users where id = ${id} for update`.execute(tx)
  const before = await person(ctx, id)
  demandVersion(ctx, before)
  return before
}

/** An account as it was sent whole. */
export const replacePerson = (ctx: Ctx, id: number, sent: unknown): Promise<ToldPerson> => {
  const given = personIn(sent)
  return unique(() =>
    ctx.write(async (tx) => {
      const before = await hold(ctx, tx, id)
      if (given.userType !== null && kindName(given.userType) !== before.userType)
        throw new ScimError('mutability', 'userType: the kind of an account does not change')
      await change(ctx, tx, id, given)
      return person(ctx, id)
    }),
  )
}

/** An account with some of it changed. */
export const patchPerson = (ctx: Ctx, id: number, sent: unknown): Promise<ToldPerson> =>
  unique(() =>
    ctx.write(async (tx) => {
      const before = await hold(ctx, tx, id)
      const given = personIn(patchedPerson(before, sent))
      if (given.userType !== null && kindName(given.userType) !== before.userType)
        throw new ScimError('mutability', 'userType: the kind of an account does not change')
      await change(ctx, tx, id, given)
      return person(ctx, id)
    }),
  )

/** The account is blocked, and gone for this directory; nothing of it is erased. */
export const deletePerson = (ctx: Ctx, id: number): Promise<void> =>
  ctx.write(async (tx) => {
    const before = await hold(ctx, tx, id)
    const { id: directory } = directoryOf(ctx)
    const row = (await byId(ctx.pool, id))!
    await refusePower(ctx, row)
    await block(ctx, tx, id)
    await sql`
      insert into scim_people (directory_id, user_id, user_name, deleted_at) values (${directory}, ${id}, ${before.userName}, now())
      on conflict (directory_id, user_id) do update set deleted_at = now()`.execute(tx)
    await sql`delete from scim_members where user_id = ${id}
      and group_id in (select id from scim_groups where directory_id = ${directory})`.execute(tx)
    await syncRoles(ctx, tx, [id])
  })

/** Nobody who is blocked goes on: signed out at once, in every process. */
async function block(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { numAffectedRows } = await sql`
    update users set blocked_at = now(), blocked_reason = ${BLOCKED} where id = ${id} and blocked_at is null`.execute(
    tx,
  )
  if (numAffectedRows !== 1n) return
  const count = await endSessions(tx, id)
  const data = { count, by: 'directory', directory: directoryOf(ctx).name }
  await ctx.services.security.write(ctx, { kind: 'session_ended', subject_id: id, data }, tx)
}

/** Writes what differs: nothing is written for what a directory says again. */
async function change(ctx: Ctx, tx: Tx, id: number, given: ScimPerson): Promise<void> {
  const row = await byId(ctx.pool, id)
  if (!row) throw refuse(404, 'not_found')
  const { id: directory } = directoryOf(ctx)
  const { rows: known } = await sql<{
    given_name: string | null
    family_name: string | null
    display_name: string | null
    formatted: string | null
  }>`select given_name, family_name, display_name, formatted from scim_people where directory_id = ${directory} and user_id = ${id}`.execute(
    tx,
  )
  const { rows: state } = await sql<{ blocked: boolean; reason: string | null; recorded: boolean }>`
    select blocked_at is not null as blocked, blocked_reason as reason,
      exists (select from instructors where user_id = ${id} and removed_at is null)
        or exists (select from students where user_id = ${id} and removed_at is null) as recorded
    from users where id = ${id}`.execute(tx)
  const { blocked, reason, recorded } = state[0]!
  // An account bears the name of its record, which the university keeps.
  const said = [given.givenName, given.familyName, given.displayName, given.formatted].some((one) => one !== null)
  const renamed =
    !recorded &&
    said &&
    ((given.givenName ?? null) !== (known[0]?.given_name ?? null) ||
      (given.familyName ?? null) !== (known[0]?.family_name ?? null) ||
      (given.displayName ?? null) !== (known[0] ? known[0].display_name : row.name) ||
      (given.formatted ?? null) !== (known[0]?.formatted ?? null))
  const names = namesOf(given)
  const next = {
    email: given.email ?? row.email,
    name: renamed ? (names.name ?? row.name) : row.name,
    // A name that is one in both scripts follows as one; an Arabic one is kept until the directory says another.
    name_local: renamed
      ? (names.name_local ?? (row.name_local === row.name ? (names.name ?? row.name) : row.name_local))
      : row.name_local,
  }
  const differs = next.email !== row.email || next.name !== row.name || next.name_local !== row.name_local
  // A block by the university is not a directory's to lift: the answer says that the account is not active.
  const lifts = given.active && blocked && reason === BLOCKED
  if (differs || lifts || (!given.active && !blocked)) await refusePower(ctx, row)
  if (differs)
    await sql`update users set email = ${next.email}, name = ${next.name}, name_local = ${next.name_local} where id = ${id}`.execute(
      tx,
    )
  // Links to a new password that went to the old address open nothing any more.
  if (next.email !== row.email)
    await sql`delete from password_resets where user_id = ${id} and used_at is null`.execute(tx)
  if (!given.active) await block(ctx, tx, id)
  else if (lifts) await sql`update users set blocked_at = null, blocked_reason = null where id = ${id}`.execute(tx)
  await sql`
    insert into scim_people as p (directory_id, user_id, external_id, user_name, given_name, family_name, display_name, formatted)
    values (${directory}, ${id}, ${given.externalId}, ${given.userName}, ${given.givenName}, ${given.familyName}, ${given.displayName}, ${given.formatted})
    on conflict (directory_id, user_id) do update set external_id = excluded.external_id, user_name = excluded.user_name,
      given_name = excluded.given_name, family_name = excluded.family_name, display_name = excluded.display_name,
      formatted = excluded.formatted
    where (p.external_id, p.user_name, p.given_name, p.family_name, p.display_name, p.formatted)
      is distinct from (excluded.external_id, excluded.user_name, excluded.given_name, excluded.family_name, excluded.display_name, excluded.formatted)`.execute(
    tx,
  )
}
