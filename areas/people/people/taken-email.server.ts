import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { lookupSource } from '#kit/server/base/registry.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'

/** Where addresses stand: records first, by which people are known, then accounts. */
const KEPT = { student: 'students', instructor: 'instructors', user: 'users' } as const
type Kind = keyof typeof KEPT
/** Which type of account belongs to a record. */
const TYPE = { student: 3, instructor: 1 } as const

/** Whose address it shall be: a record or an account, new ones without id. */
interface Addressed {
  readonly kind: Kind
  readonly id: number | null
  /** The account that a new record will be bound to. */
  readonly account?: unknown
  /** Type of the account itself. */
  readonly type?: number
}

async function accountOf(tx: Tx, { kind, id, account }: Addressed): Promise<number | null> {
  if (typeof account === 'number') return account
  if (kind === 'user' || id === null) return id
  const { rows } = await sql<{
    user_id: number | null
  }>`select user_id from ${sql.table(KEPT[kind])} where id = ${id}`.execute(tx)
  return rows[0]?.user_id ?? null
}

/**
 * Says whose address is wanted, to who may open that person; to everybody else the database only says that it is
 * somebody's. The condition is that of the trigger `refuse_email_of_another`, which decides.
 *
 * @throws {Refusal} 422 `email_of_person`
 */
export async function tellWhoseEmail(ctx: Ctx, tx: Tx, of: Addressed, email: unknown): Promise<void> {
  if (typeof email !== 'string' || !email || ctx.system !== null) return
  const account = await accountOf(tx, of)
  const found = (Object.keys(KEPT) as Kind[]).flatMap((kind, place) => {
    const source = lookupSource(kind)
    if (!source) return []
    const visible = scopeCondition(
      ctx,
      source.permission,
      source.scope === 'university' ? 'university' : source.scope(ctx),
    )
    const held = kind === 'user' ? sql`t.id` : sql`t.user_id`
    // The same row, or another of the same person, is no other.
    const other =
      kind === of.kind
        ? kind === 'user' || account === null
          ? sql`t.id is distinct from ${of.id}::int`
          : sql`t.id is distinct from ${of.id}::int and t.user_id is distinct from ${account}::int`
        : account !== null
          ? sql`${held} is distinct from ${account}::int`
          : sql`true`
    // An account that waits to be bound to its record is not yet known to be another.
    const waits =
      kind === 'user' && of.kind !== 'user'
        ? account === null
          ? sql`t.type = ${TYPE[of.kind]} and not exists (select from students s where s.user_id = t.id)
              and not exists (select from instructors i where i.user_id = t.id)`
          : sql`false`
        : kind !== 'user' && of.kind === 'user'
          ? sql`t.user_id is null and ${of.type ?? 2}::int = ${TYPE[kind]}::int`
          : sql`false`
    return [
      sql`select ${place}::int as place, t.name, t.name_local, ${kind === 'user' ? sql`null` : sql`t.code`} as code, ${visible} as visible
        from ${sql.table(KEPT[kind])} t
        where lower(t.email) = lower(${email}) and t.removed_at is null and ${other} and not (${waits})`,
    ]
  })
  if (!found.length) return
  const { rows } = await sql<{ name: string; name_local: string; code: string | null }>`
    select name, name_local, code from (${sql.join(found, sql` union all `)}) x where visible order by place limit 1`.execute(
    tx,
  )
  const [whose] = rows
  if (!whose) return
  const named = (name: string): string => (whose.code ? `${name} (${whose.code})` : name)
  throw refuse(422, 'email_of_person', { who: named(whose.name), who_local: named(whose.name_local) }, 'email')
}
