/** Records of one person: those that share the account, and those that share the national id, as far as the reader reads it. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { columnOf } from '#kit/server/base/registry.ts'
import { PERSON } from '../person.server.ts'
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

export const personRecordHandlers: readonly Handled[] = [recordsOf]
