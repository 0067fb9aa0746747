/** Records of one person: those that share the account, and those that share the national id, as far as the reader reads it. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnOf } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { employeeReach, employeesSeen } from '../employees/employee.server.ts'
import { PERSON, accountReach } from '../person.server.ts'
import type { PersonKind } from '../person.server.ts'
import { personRecordCalls } from './records.contract.ts'

/** SQL: the national id of `t` as far as the reader reads it; an account has none. */
const nationalId = (ctx: Ctx, kind: PersonKind): RawBuilder<unknown> =>
  sql`(${(kind !== 'user' && columnOf(kind)?.(ctx, 'national_id')) || sql`null`})::text`
/** The records that may be of the same person and that the reader may open, with what they have in common as far as it is read. */
const records = (ctx: Ctx, own: { account: number | null; national_id: string | null }): RawBuilder<unknown> =>
  sql.join(
    (Object.keys(PERSON) as PersonKind[]).map((kind) => {
      const { table, account, opens } = PERSON[kind]
      return sql`select ${kind}::text as kind, t.id, ${kind === 'user' ? sql`null` : sql`t.code`} as code, t.name, t.name_local,
        ${account} as account, ${nationalId(ctx, kind)} as national_id
      from ${sql.table(table)} t where t.removed_at is null and ${opens(ctx)}
        and (${account} = ${own.account}::int ${kind === 'user' ? sql`` : sql`or t.national_id = ${own.national_id}::text`})`
    }),
    sql` union all `,
  )

const recordsOf = handle(personRecordCalls.recordsOf, async (ctx, { params: { kind, id } }) => {
  const { table, account, opens } = PERSON[kind]
  const { rows: found } = await sql<{ account: number | null; national_id: string | null }>`
    select ${account} as account, ${nationalId(ctx, kind)} as national_id from ${sql.table(table)} t
    where t.id = ${id} and ${opens(ctx)}`.execute(ctx.db)
  const [own] = found
  if (!own) throw refuse(404, 'not_found')
  const { rows } = await sql<{
    kind: PersonKind
    id: number
    code: string | null
    name: string
    name_local: string
    by: 'account' | 'national_id'
  }>`select x.kind, x.id, x.code, x.name, x.name_local,
      case when x.account = ${own.account}::int then 'account' else 'national_id' end as by
    from (${records(ctx, own)}) x
    where (x.account = ${own.account}::int or x.national_id = ${own.national_id}::text)
      and (x.kind, x.id) <> (${kind}::text, ${id}::int)
    order by x.kind, x.id limit 50`.execute(ctx.db)
  return { data: rows }
})

/**
 * Who works here has one page, whichever list leads there: that of the record, as far as the reader opens it, else that of the account. What
 * was removed is restored where it was removed.
 */
const pageOf = handle(personRecordCalls.pageOf, async (ctx, { params: { id } }) => {
  const { rows } = await sql<{ kind: 'employee' | 'instructor' | 'user'; id: number }>`
    select case when i.id is not null then 'instructor' when x.employee then 'employee' else 'user' end as kind, coalesce(i.id, t.id) as id
    from users t
    cross join lateral (select t.removed_at is null and ${employeesSeen(ctx)}
      and ${scopeCondition(ctx, 'show_employee', employeeReach(ctx))} as employee) x
    left join lateral (select t.id from instructors t where t.user_id = ${id} and t.removed_at is null
      and ${PERSON.instructor.opens(ctx)} order by t.id limit 1) i on x.employee is not true
    where t.id = ${id} and (x.employee or i.id is not null or ${scopeCondition(ctx, 'access_users', accountReach(ctx))})`.execute(
    ctx.db,
  )
  if (!rows[0]) throw refuse(404, 'not_found')
  return { data: rows[0] }
})

export const personRecordHandlers: readonly Handled[] = [recordsOf, pageOf]
