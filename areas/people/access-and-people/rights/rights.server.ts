import type { AnswerOf } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { PERMISSIONS, counting } from '#access/permissions.contract.ts'
import { parseGrants } from '#access/rights.server.ts'
import { KINDS, UNITS } from '#access/reach.contract.ts'
import { id as recordId } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Actor, Ctx, Handled } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { resourceNamed, scopeNamed } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { accessOf, changeAccess, placeText, todayOf } from './access.server.ts'
import type { GrantPlace } from './grants.rules.ts'
import { userReach } from './people.server.ts'
import { MOST_CHANGES, rightsCalls } from './rights.contract.ts'
import type { AccessChange, RightHolder, PersonAccess, RightsPath } from './rights.contract.ts'

type Unit = NonNullable<PersonAccess['roles'][number]['scope']> & { lies_in: GrantPlace[] }
const getAccess = handle(rightsCalls.getAccess, async (ctx, { params: { id } }) => {
  const access = await accessOf(ctx, ctx.db, id)
  const roles = await sql<{
    id: number
    key: string
    name: string
    name_local: string
    rights: AnswerOf<typeof rightsCalls.getAccess>['meta']['roles'][number]['rights']
  }>`
    select r.id, r.key, r.name, r.name_local,
      coalesce((select json_object_agg(p.permission, p.reach order by p.permission) from role_permissions p where p.role_id = r.id), '{}') as rights
    from roles r where r.removed_at is null order by r.name`.execute(ctx.db)
  const units = await sql<Unit>`
    select w.unit as type, w.unit_id as id, u.name, u.name_local, json_agg(json_build_object('type', w.lies_in, 'id', w.lies_in_id)) as lies_in
    from units_within w join (
      select 'faculty' as unit, id, name, name_local from faculties where removed_at is null
      union all select 'department', id, name, name_local from departments where removed_at is null
      union all select 'bylaw', id, name, name_local from bylaws where removed_at is null
      union all select 'program', id, name, name_local from programs where removed_at is null) u on u.unit = w.unit and u.id = w.unit_id
    group by 1, 2, 3, 4 order by array_position(array['faculty', 'department', 'bylaw', 'program'], w.unit), u.name`.execute(
    ctx.db,
  )
  return {
    data: access,
    meta: {
      roles: roles.rows,
      units: units.rows,
      today: await todayOf(ctx.db),
      may: { assign_super_admin: ctx.actor!.is_root || ctx.actor!.is_super_admin },
    },
  }
})

const day = (text: string | null | undefined): string | null => text ?? null
const setAccess = handle(rightsCalls.setAccess, async (ctx, { params: { id }, body }) => ({
  data: await changeAccess(
    ctx,
    id,
    () => ({
      ...(body.roles && {
        roles: body.roles.map((role) => ({
          ...role,
          scope: role.scope ?? null,
          valid_from: day(role.valid_from),
          valid_to: day(role.valid_to),
        })),
      }),
      ...(body.access_entries && {
        access_entries: body.access_entries.map((accessEntry) => ({
          ...accessEntry,
          valid_from: day(accessEntry.valid_from),
          valid_to: day(accessEntry.valid_to),
        })),
      }),
      ...(body.permissions && { permissions: body.permissions }),
      ...(body.is_super_admin !== undefined && { is_super_admin: body.is_super_admin }),
    }),
    { reason: body.reason, seen: body.seen },
  ),
}))

const addAccess = handle(rightsCalls.addAccess, async (ctx, { params: { id }, body }) => ({
  data: await changeAccess(
    ctx,
    id,
    (now) => ({
      access_entries: [
        ...now.access_entries,
        ...[...new Set(body.permissions)].map((permission) => ({
          permission,
          scope: body.scope,
          valid_from: day(body.valid_from),
          valid_to: day(body.valid_to),
        })),
      ],
    }),
    { reason: body.reason },
  ),
}))

/** Roles stay: what is taken is what was given beside them. */
const resetAccess = handle(rightsCalls.resetAccess, async (ctx, { params: { id } }) => ({
  data: await changeAccess(ctx, id, () => ({ access_entries: [], permissions: [] })),
}))

const history = handle(rightsCalls.accessHistory, async (ctx, { params: { id } }) => {
  await accessOf(ctx, ctx.db, id)
  const { rows } = await sql<AccessChange>`
    select l.at, ${refOrNull('a')} as by, ${refOrNull('i')} as "as", l.data ->> 'change' as change, l.data ->> 'what' as what,
      case when r.id is not null then json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local) end as role,
      l.data ->> 'permission' as permission, ${sql.raw(placeText('x'))} as scope, l.data ->> 'valid_from' as valid_from, l.data ->> 'valid_to' as valid_to,
      l.data ->> 'reason' as reason, (l.data -> 'is_super_admin')::boolean as everything
    from security_log l
      cross join lateral (select l.data ->> 'scope_type' as scope_type, (l.data ->> 'scope_id')::int as scope_id) x
      left join (select id, name, name_local, email as code from users) a on a.id = l.actor_id
      left join (select id, name, name_local, email as code from users) i on i.id = l.impersonator_id
      left join roles r on r.key = l.data ->> 'role'
    where l.subject_id = ${id} and l.kind = 'rights' order by l.at desc, l.id desc limit ${MOST_CHANGES}`.execute(
    ctx.db,
  )
  return { data: rows }
})

const IN_FORCE =
  'coalesce(p.valid_from <= university_today(), true) and coalesce(p.valid_to >= university_today(), true)'
/** A way `p` that counts: not one by a reach that the right does not know. */
const countsFor = (key: string): RawBuilder<unknown> =>
  sql`(p.permission = '*' or case when p.reach <> 'scope' then p.reach when p.scope_type is null then 'university' else 'part' end
    = any(${KINDS.filter((kind) => counting(key, kind) !== null)}::text[]))`
const roleOf = sql`case when r.id is not null then json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local) end`
const PATH = sql`p.way, ${roleOf} as role, p.reach, ${sql.raw(placeText('p'))} as scope, p.valid_from, p.valid_to, p.since, ${refOrNull('g')} as by`
const GIVER = sql.raw('(select id, name, name_local, email as code from users)')
const keyIn = (value: string): PermissionKey => {
  if (!PERMISSIONS.has(value as PermissionKey)) throw refuse(404, 'not_found')
  return value as PermissionKey
}

/** A person as an actor who holds one right by one way only, for the conditions that decide. */
function holding(
  person: Person,
  key: PermissionKey,
  path: { way: string; reach: string; scope_type: string | null; scope_id: number | null },
): Actor {
  const grants =
    path.way === 'super'
      ? `${key} scope`
      : [key, path.reach, path.scope_type, path.scope_id].filter((x) => x !== null).join(' ')
  return {
    user_id: person.id,
    type: person.type,
    name: '',
    name_local: '',
    email: '',
    is_super_admin: false,
    is_root: false,
    student_id: person.student_id,
    instructor_id: person.instructor_id,
    session_id: '',
    impersonator_id: null,
    rights: parseGrants(grants),
  }
}
interface Person {
  id: number
  type: Actor['type']
  student_id: number | null
  instructor_id: number | null
}

/** SQL: the record `s` of the student with the account: of several, the one that is asked about. */
const recordOfStudent = (account: string, record?: Asked): RawBuilder<unknown> =>
  sql`left join lateral (select r.id from students r where r.user_id = ${sql.ref(`${account}.id`)} and r.removed_at is null
    order by r.id = ${record?.type === 'student' ? record.id : null}::int desc nulls last, r.id limit 1) s on true`

/**
 * Every way by which a person holds a right, whether each is in force, and whether it reaches a record: asked of the very
 * condition that decides when the person opens it.
 */
const why = handle(rightsCalls.why, async (ctx, { params: { id }, body }) => {
  const key = keyIn(body.permission)
  const found = await sql<Person & { name: string; name_local: string; blocked: boolean }>`
    select t.id, t.type, t.name, t.name_local, t.blocked_at is not null as blocked, s.id as student_id, i.id as instructor_id
    from users t ${recordOfStudent('t', body.record)} left join instructors i on i.user_id = t.id and i.removed_at is null
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, 'user_access_users', userReach())}`.execute(
    ctx.db,
  )
  const [person] = found.rows
  if (!person) throw refuse(404, 'not_found')
  const { rows } = await sql<
    Omit<RightsPath, 'reaches'> & Person & { scope_type: string | null; scope_id: number | null }
  >`
    select ${PATH}, p.scope_type, p.scope_id, (${sql.raw(IN_FORCE)}) and coalesce(d.in_force, true) as in_force, ${refOrNull('f')} as stands_in_for,
      h.id, h.type, s.id as student_id, i.id as instructor_id
    from (select ${id}::int as user_id, null::int as from_user_id, null::boolean as in_force
      union all select d.from_user_id, d.from_user_id, d.ended_at is null and university_today() between d.from_date and d.until_date
      from delegations d where d.to_user_id = ${id} and ${key} = any(d.permissions) and d.ended_at is null and d.until_date >= university_today()) d
      join rights_paths p on p.user_id = d.user_id and p.permission in (${key}, '*') and ${countsFor(key)}
      join users h on h.id = d.user_id
      ${recordOfStudent('h', body.record)} left join instructors i on i.user_id = h.id and i.removed_at is null
      left join ${GIVER} f on f.id = d.from_user_id
      left join roles r on r.id = p.role_id left join ${GIVER} g on g.id = p.given_by
    order by in_force desc, p.since, p.grant_id`.execute(ctx.db)
  const named = body.record ? await recordOf(ctx, body.record) : null
  const reached = named ? await reaching(ctx, body.record!, key, rows) : rows.map(() => null)
  return {
    data: rows.map(
      ({ id: _id, type: _type, student_id: _s, instructor_id: _i, scope_type: _t, scope_id: _n, ...path }, i) => ({
        ...path,
        reaches: reached[i]!,
      }),
    ),
    meta: {
      user: { id: person.id, name: person.name, name_local: person.name_local },
      record: named,
      blocked: person.blocked,
    },
  }
})

type Asked = { readonly type: 'student' | 'instructor' | 'offering' | 'program'; readonly id: number }
/** The record asked about, where the reader reaches it. @throws {Refusal} 404 */
async function recordOf(ctx: Ctx, { type, id }: Asked) {
  const r = resourceNamed(type)
  const parts = scopeNamed(type)
  const access = r?.permissions.show
  if (!r || !parts || !access) throw refuse(404, 'not_found')
  const named = type === 'offering' ? sql`c.id, c.name, c.name_local, c.code` : sql`t.id, t.name, t.name_local, t.code`
  const { rows } = await sql<{ id: number; name: string; name_local: string; code: string }>`
    select ${named} from ${sql.table(r.table)} t ${type === 'offering' ? sql`join courses c on c.id = t.course_id` : sql``}
    where t.id = ${id} and ${scopeCondition(ctx, access, parts(ctx))}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return { ...rows[0], id }
}
/** For each way, whether it reaches the record: all of them in one question. */
async function reaching(
  ctx: Ctx,
  { type, id }: Asked,
  key: PermissionKey,
  paths: readonly (Person & { way: string; reach: string; scope_type: string | null; scope_id: number | null })[],
): Promise<boolean[]> {
  if (!paths.length) return []
  const parts = scopeNamed(type)!
  const columns = paths.map((path, i): RawBuilder<unknown> => {
    const as: Ctx = Object.assign(Object.create(ctx) as Ctx, { actor: holding(path, key, path), system: null })
    return sql`${scopeCondition(as, key, parts(as))} as ${sql.ref(`p${i}`)}`
  })
  const { rows } = await sql<
    Record<string, boolean>
  >`select ${sql.join(columns)} from ${sql.table(resourceNamed(type)!.table)} t where t.id = ${id}`.execute(ctx.db)
  return paths.map((_, i) => rows[0]?.[`p${i}`] === true)
}

/** Filters of "who": the part of the university; what a person holds in a part that it lies in counts. */
const unitIn = (type: (typeof UNITS)[number]) => (value: unknown) =>
  sql`(p.reach <> 'scope' or p.scope_type is null or exists (select from units_within w
    where w.unit = ${type} and w.unit_id = ${parse(recordId, value, ['filters', `${type}_id`])} and w.lies_in = p.scope_type and w.lies_in_id = p.scope_id))`
const who = handle(rightsCalls.who, (ctx, { body }) => {
  const asked = parse(z.string().max(100).optional(), body.filters.permission, ['filters', 'permission'])
  if (asked && !PERMISSIONS.has(asked as PermissionKey))
    throw refuse(422, 'right_unknown', { right: asked }, 'filters.permission')
  const key = asked ?? ''
  return pagedList<RightHolder>(
    ctx,
    {
      from: sql`(select p.*, null::int as from_user_id from rights_paths p where p.permission in (${key}, '*') and p.way <> 'kind'
          union all select d.to_user_id, p.way, p.grant_id, p.role_id, p.permission, p.reach, p.scope_type, p.scope_id,
            greatest(p.valid_from, d.from_date), least(p.valid_to, d.until_date), d.created_at, d.from_user_id, d.from_user_id
          from delegations d join rights_paths p on p.user_id = d.from_user_id and p.permission in (${key}, '*')
          where ${key} = any(d.permissions) and d.ended_at is null and d.until_date >= university_today()) p
        join users t on t.id = p.user_id and t.removed_at is null and t.blocked_at is null
        left join ${GIVER} f on f.id = p.from_user_id left join roles r on r.id = p.role_id left join ${GIVER} g on g.id = p.given_by`,
      select: sql`abs(hashtext(concat_ws('-', t.id, p.way, p.grant_id, p.from_user_id))::bigint)::float8 as id,
        json_build_object('id', t.id, 'name', t.name, 'name_local', t.name_local, 'code', t.email, 'type', t.type) as "user",
        ${PATH}, (${sql.raw(IN_FORCE)}) as in_force, ${refOrNull('f')} as stands_in_for, null::boolean as reaches`,
      where: [
        sql`${key !== ''}`,
        countsFor(key),
        sql.raw('coalesce(p.valid_to >= university_today(), true)'),
        scopeCondition(ctx, 'user_access_users', userReach()),
      ],
      search: ['t.search_text'],
      sort: {
        user: ctx.lang === 'ar' ? 't.name_local collate "ar-x-icu"' : 't.name',
        since: 'p.since',
        valid_to: 'p.valid_to',
      },
      neverNull: new Set(['user', 'since']),
      order: ['user', 'asc'],
      filters: {
        permission: () => sql`true`,
        faculty_id: unitIn('faculty'),
        department_id: unitIn('department'),
        bylaw_id: unitIn('bylaw'),
        program_id: unitIn('program'),
        in_force: (value) =>
          parse(z.boolean(), value, ['filters', 'in_force']) ? sql.raw(`(${IN_FORCE})`) : sql.raw(`not (${IN_FORCE})`),
      },
      key: `concat_ws('-', t.id, p.way, p.grant_id, p.from_user_id)`,
    },
    body,
  )
})

export const rightsHandlers: readonly Handled[] = [getAccess, setAccess, addAccess, resetAccess, history, why, who]
