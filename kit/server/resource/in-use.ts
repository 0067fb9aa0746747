import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Access, Resource } from '#kit/contract/index.ts'
import type { ToldPart } from '#kit/contract/told.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '../base/context.ts'
import { Refusal, hasText } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import { quoted } from '../base/field-filters.ts'
import { scopeNamed, tableName } from '../base/registry.ts'
import { holds, scopeCondition } from '../base/scope.ts'
import { partsSql, resourceOf, rowTitled, tableFacts } from './table-words.ts'

interface Reference {
  readonly table: string
  readonly column: string
  /** The column that it names: mostly the id, of some records the code. */
  readonly key: string
  readonly soft: boolean
  /** Of the foreign key, which may have a text of its own. */
  readonly name: string
}
const references = new Map<string, Promise<Reference[]>>()

function referencesTo(tx: Tx, table: string): Promise<Reference[]> {
  const known = references.get(table)
  if (known) return known
  const asked = sql<Reference>`
    select c.conname as name, c.conrelid::regclass::text as table, a.attname as column, k.attname as key, exists (
      select from pg_attribute s where s.attrelid = c.conrelid and s.attname = 'removed_at' and not s.attisdropped) as soft
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      join pg_attribute k on k.attrelid = c.confrelid and k.attnum = c.confkey[1]
    where c.contype = 'f' and c.confrelid = ${table}::regclass and c.confdeltype in ('a', 'r') and c.conparentid = 0
      and cardinality(c.conkey) = 1
    order by 2, 3`
    .execute(tx)
    .then(({ rows }) => rows)
  references.set(table, asked)
  asked.catch(() => references.delete(table))
  return asked
}

/** Records that are named, and how far they are counted: of very many it is enough that there are very many. */
const NAMED = 3
const COUNTED = 1000

/**
 * Refuses to remove a row that others still point to: what a foreign key does for rows that are really deleted. It says
 * which records they are, of each kind how many and the first by name, with where they are shown. Whoever may not see such
 * records learns how many there are, no more.
 */
export async function refuseInUse(ctx: Ctx, tx: Tx, { table, softDelete }: Resource, id: number): Promise<void> {
  // What is really deleted is refused by the database too, some of it with a text of the area.
  const found = (await referencesTo(tx, table)).filter(({ name }) => softDelete || !hasText(name))
  if (!found.length) return
  const pointed = (r: Reference, alias: string): string =>
    `${alias}.${quoted(r.column)} = (select ${quoted(r.key)} from ${quoted(table)} where id = ${id})${r.soft ? ` and ${alias}.removed_at is null` : ''}`
  const { rows } = await sql<{ at: number }>`select r.at from (${sql.join(
    found.map(
      (r, at) =>
        sql`select ${at}::int as at where exists (select from ${sql.raw(quoted(r.table))} x where ${sql.raw(pointed(r, 'x'))})`,
    ),
    sql` union all `,
  )}) r order by r.at`.execute(tx)
  if (!rows.length) return
  // What is not removed is asked about only when it is in use.
  const using = rows.map(({ at }) => found[at]!)
  const facts = await tableFacts(ctx)
  const conditions = using.map((r): { shown: string; own: boolean; reference: Reference; where: string } => {
    // Rows that belong to a record are told by it: whoever looks for them opens that.
    const { record = 'id', columns } = facts.get(r.table) ?? {}
    const above = columns?.get(record)?.to
    return record !== 'id' && record !== r.column && above && resourceOf(above.table)
      ? {
          shown: above.table,
          own: false,
          reference: r,
          where: `exists (select from ${quoted(r.table)} x where x.${quoted(record)} = t.${quoted(above.key)} and ${pointed(r, 'x')})`,
        }
      : { shown: r.table, own: true, reference: r, where: pointed(r, 't') }
  })
  const questions = [...Map.groupBy(conditions, ({ shown }) => shown)].map(([shown, some], at) => {
    const def = resourceOf(shown)
    const seen = def && seeing(ctx, def)
    const rowsOf = `select t.* from ${quoted(shown)} t where (${some.map(({ where }) => where).join(' or ')})`
    return {
      def,
      // Only where they all point by one column, which the list is filtered by.
      column: some.length === 1 && some[0]!.own ? some[0]!.reference.column : null,
      question: sql`select ${at}::int as at, ${shown}::text as shown,
        (select count(*)::int from (${sql.raw(rowsOf)} limit ${sql.raw(String(COUNTED + 1))}) c) as count,
        ${
          seen && facts.get(shown)?.columns.has('id')
            ? sql`(select coalesce(jsonb_agg(jsonb_build_object('id', t.id, 'parts', ${sql.raw(partsSql(facts, shown, 't'))}) order by t.id), '[]')
              from (select t.* from (${sql.raw(rowsOf)}) t where ${seen} order by t.id limit ${sql.raw(String(NAMED))}) t)`
            : sql`'[]'::jsonb`
        } as some`,
    }
  })
  const { rows: told } = await sql<{
    at: number
    shown: string
    count: number
    some: { id: number; parts: ToldPart[] }[]
  }>`${sql.join(
    questions.map(({ question }) => question),
    sql` union all `,
  )}`.execute(tx)
  const reasons = told.flatMap(({ at, shown, count, some }): Reason[] => {
    const { def, column } = questions[at]!
    const name = tableName(shown) ?? rowTitled(shown)
    if (!name || !count) return []
    const code = some.length ? (count > some.length ? 'in_use_by_more' : 'in_use_by') : 'in_use_by_hidden'
    const names = (local: boolean, mark: string) =>
      some.map(({ parts }) => parts.map((part) => (local && part.name_local) || part.name).join(' · ')).join(mark)
    const link = def && some.length ? linkTo(def, column, count, some, id) : null
    return [
      {
        code,
        data: {
          what: name[0],
          what_local: name[1],
          count: Math.min(count, COUNTED),
          ...(some.length && { names: names(false, ', '), names_local: names(true, '، '), more: count - some.length }),
          ...(link && { link }),
        },
      },
    ]
  })
  throw new Refusal(409, [{ code: 'in_use', data: { by: [...new Set(using.map((r) => r.table))] } }, ...reasons])
}

/** SQL: the records `t` of a resource that the reader may see in its list; nothing, where that is none. */
function seeing(ctx: Ctx, def: Resource): RawBuilder<unknown> | undefined {
  const key = [def.permissions.list, def.permissions.show].flat().find((one) => one && holds(ctx, one as Access))
  if (!key) return undefined
  if (def.scope === 'university') return sql`true`
  const scope = scopeNamed(def.name)
  return scope && scopeCondition(ctx, key, scope(ctx))
}

/** Where they are: the record, if it is one, or the list of those that point here. */
function linkTo(
  def: Resource,
  column: string | null,
  count: number,
  some: readonly { readonly id: number }[],
  id: number,
): string | null {
  if (count === 1 && def.screens.show) return def.screens.show.replace(':id', String(some[0]!.id))
  const { list } = def.screens
  if (!list) return null
  return column && def.list.filters.includes(column)
    ? `${list}?filters=${encodeURIComponent(JSON.stringify({ [column]: [id] }))}`
    : null
}
