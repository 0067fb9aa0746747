import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, parse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import type { LookupSource } from '#kit/server/base/registry.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { Values } from '#kit/server/resource/resource.ts'
import { isId, scopeCondition } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import type { Served } from '#kit/server/resource/served.ts'
import { z } from 'zod'
import { accountStateSql } from '../account/account.server.ts'
import { beforeAccountRemoved } from '../removing.server.ts'
import { refuseMoreRights } from '../rights-above.server.ts'
import { nameLineProblems, partsFollow } from '../names/follow.server.ts'
import { tellWhoseEmail } from '../taken-email.server.ts'
import { CONTRACT_FILTER, employee } from './employee.contract.ts'
import { CONTRACT_TOLD_DAYS, contractReasons, managerReasons } from './employee.rules.ts'
import type { Contract } from './employee.rules.ts'

/**
 * How employees are bound to the university: to the faculty and department where they work. Who works for the whole university is
 * reached by who reaches it all, and everybody reaches the own record. For queries in which they stand under `alias`.
 */
export const employeeReach = (ctx: Ctx, alias = 't') =>
  ({
    faculty: sql.ref(`${alias}.faculty_id`),
    department: sql.ref(`${alias}.department_id`),
    own: isId(sql.ref(`${alias}.id`), ctx.actor?.user_id),
  }) satisfies ScopeParts

/** Who works here and may not do everything: listed among the employees. The table is `t`. */
export const ORDINARY = sql`t.type = 2 and not t.is_super_admin and not t.is_root`
/** Who may do everything is seen and changed only by such people. */
const seesEverybody = (ctx: Ctx): boolean =>
  ctx.system !== null || Boolean(ctx.actor?.is_super_admin || ctx.actor?.is_root)

/** Who of the accounts `t` is listed among the employees. */
export const employeesSeen = (ctx: Ctx): RawBuilder<unknown> => (seesEverybody(ctx) ? sql`t.type = 2` : ORDINARY)

/** Who may be chosen where an employee is named: a manager, say. */
export const employeeLookup: LookupSource = {
  name: 'employee',
  table: 'users',
  label: { name: 'r.name', name_local: 'r.name_local', code: 'r.code' },
  search: 'r.search_text',
  where: 'r.type = 2 and r.removed_at is null and not r.is_super_admin and not r.is_root',
  permission: ['access_employee', 'show_employee'],
  scope: (ctx) => employeeReach(ctx),
  filters: ['faculty_id', 'department_id', 'job_title_id'],
}

/** A department stands in one faculty, which need not be told beside it. */
async function placeReasons(tx: Tx, merged: Values): Promise<Reason[]> {
  if (!merged.department_id) return []
  const { rows } = await sql<{ faculty_id: number }>`
    select faculty_id from departments where id = ${merged.department_id}`.execute(tx)
  merged.faculty_id ??= rows[0]?.faculty_id
  return rows[0] && rows[0].faculty_id !== merged.faculty_id
    ? [{ field: 'department_id', code: 'department_of_other_faculty' }]
    : []
}

async function reasonsOfManager(ctx: Ctx, tx: Tx, id: number | null, manager_id: number): Promise<Reason[]> {
  // Of two who are put under each other at the same moment the second sees the first: the trigger takes the same lock.
  await sql`select pg_advisory_xact_lock(hashtext('managers of employees'))`.execute(tx)
  const { rows } = await sql<{ id: number; name: string; name_local: string; place: number; known: boolean }>`
    with recursive above (id, place) as (
      select ${manager_id}::int, 0 union all
      select u.manager_id, a.place + 1 from users u join above a on a.id = u.id where u.manager_id is not null and a.place < 100)
    select t.id, t.name, t.name_local, a.place, t.type = 2 and t.removed_at is null
      and ${scopeCondition(ctx, ['access_employee', 'show_employee'], employeeReach(ctx))} as known
    from above a join users t on t.id = a.id order by a.place`.execute(tx)
  return managerReasons({ id, manager_id, known: rows[0]?.known ?? false, above: rows })
}

/** SQL: the last day of the last contract of `t`; null: there is none, or it has no end. */
const ENDS = sql`contract_ends_on(t.id)`
const NARROWED: Readonly<Record<(typeof CONTRACT_FILTER)[number]['value'], RawBuilder<unknown>>> = {
  ends_soon: sql`${ENDS} between university_today() and university_today() + ${CONTRACT_TOLD_DAYS}::int`,
  ended: sql`${ENDS} < university_today()`,
  none: sql`not exists (select from employee_contracts c where c.employee_id = t.id)`,
}
const narrowing = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .pipe(z.array(z.enum(CONTRACT_FILTER.map(({ value }) => value))).min(1))

/** Employees: users of type 2. The table is `t`. */
export const employees: Served<typeof employee> = workings(employee, {
  scope: {
    faculty: (ctx) => employeeReach(ctx).faculty,
    department: (ctx) => employeeReach(ctx).department,
    own: (ctx) => employeeReach(ctx).own,
  },
  where: employeesSeen,
  computed: {
    account_state: accountStateSql('t.id'),
    contract_ends_on: 'contract_ends_on(t.id)',
    team: '(select count(*)::int from users m where m.manager_id = t.id and m.removed_at is null)',
    roles: `coalesce((select json_agg(json_build_object('id', r.id, 'name', r.name, 'name_local', r.name_local) order by r.name)
      from roles r where r.removed_at is null and r.id in (select a.role_id from role_assignments a
        where a.user_id = t.id and (a.valid_to is null or a.valid_to >= university_today()))), '[]')`,
    last_login_at: '(select l.last_login_at from last_logins l where l.user_id = t.id)',
  },
  abilities: { documents: { permission: 'show_employeeDocument' } },
  filters: {
    // Who does not read contracts finds nobody by them.
    contract: (value, ctx) =>
      sql`(${employees.readable(ctx, 'contracts')} and (${sql.join(
        parse(narrowing, value, ['filters', 'contract']).map((one) => NARROWED[one]),
        sql` or `,
      )}))`,
  },
  beforeWrite: async (ctx, tx, merged, current) => {
    if (current) await refuseMoreRights(ctx, tx, current.id)
    if (!current || merged.email !== current.email)
      await tellWhoseEmail(ctx, tx, { kind: 'user', id: current?.id ?? null, type: 2 }, merged.email)
    const reasons = [
      ...(await placeReasons(tx, merged)),
      ...contractReasons((merged.contracts ?? []) as unknown as Contract[]),
      ...(merged.manager_id && merged.manager_id !== current?.manager_id
        ? await reasonsOfManager(ctx, tx, current?.id ?? null, merged.manager_id as number)
        : []),
    ]
    if (reasons.length) throw new Refusal(422, reasons)
    const names = await partsFollow(tx, 'users', merged, current)
    return current ? names : { ...names, type: 2 }
  },
  lineProblems: nameLineProblems,
  beforeRemove: beforeAccountRemoved,
  // Of an account that is removed nobody has rights: what it brings back is seen when it is there.
  afterRestore: refuseMoreRights,
})
