import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { integer } from '#kit/contract/index.ts'
import type { Option } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { parse, refuse } from '../base/errors.ts'
import { serverField } from '../base/fields.ts'
import { quoted } from '../base/field-filters.ts'
import { searchCondition } from './list.ts'
import { lookupSource, resourceNamed } from '../base/registry.ts'
import type { LookupSource } from '../base/registry.ts'
import { holds, reachesAll, scopeCondition } from '../base/scope.ts'

/**
 * The query of a lookup's options. `ids` returns those records regardless of the other filters, removed ones too, to
 * show the present choice.
 */
export interface OptionsQuery {
  readonly name: string
  readonly search?: string
  readonly ids?: readonly number[]
  readonly filters?: Readonly<Record<string, unknown>>
  readonly page?: number
  readonly limit?: number
}

const filterSchema = z.union([
  integer,
  z.string().max(200),
  z.boolean(),
  z.array(z.union([integer, z.string().max(200)])).max(500),
  z.null(),
])

/** The reader's reach as a condition on `r`. */
function reach(ctx: Ctx, source: LookupSource): RawBuilder<unknown>[] {
  if (source.scope === 'university' || reachesAll(ctx, source.permission)) return []
  const { scope } = source
  const condition = scopeCondition(ctx, source.permission, scope(ctx))
  // Scope parts speak of the row as t, lookups as r.
  return [sql`r.id in (select t.id from ${sql.raw(quoted(source.table))} t where ${condition})`]
}

const shown = ({ label }: LookupSource): RawBuilder<unknown> =>
  sql.raw(
    // Who has one name only is called by that.
    `r.id, ${label.name_local === undefined ? label.name : `coalesce(${label.name}, ${label.name_local})`} as name, ${label.name_local ?? 'null'} as name_local, ${label.code ?? 'null'} as code${label.colour ? `, ${label.colour} as colour` : ''}`,
  )

/**
 * SQL: how well a row answers what was typed, the best with the least. Its code; its name; a name that begins so, in the
 * order of the words; a word that does; the rest, in which it only occurs. undefined: nothing to go by.
 */
function rankOf({ label, search }: LookupSource, typed: string): RawBuilder<unknown> | undefined {
  if (typed.length < 2 || !search) return undefined
  const text = sql.raw(search)
  const wanted = sql`fold_text(${typed})`
  const at = sql`strpos(' ' || ${text}, ' ' || ${wanted})`
  // What is searched holds code, name and name in Arabic, one after the other and folded already: to fold names again for
  // every row that is found would cost ten times as much as the search.
  const local = label.name_local !== undefined && /\p{Script=Arabic}/u.test(typed)
  const before = [label.code, local ? label.name : undefined].filter((one) => one !== undefined)
  const start = sql.raw(['1', ...before.map((one) => `coalesce(length(${one}) + 1, 0)`)].join(' + '))
  const name = sql.raw(local ? label.name_local : label.name)
  return sql`case ${label.code === undefined ? sql`` : sql`when starts_with(${text}, ${wanted} || ' ') then 0`}
    when ${at} = 0 then 4 when ${at} <> ${start} then 3 when length(${name}) = length(${wanted}) then 1 else 2 end`
}

/** SQL: what lies in time (terms, years, windows) is offered in the order of its list, not by the alphabet; undefined: it does not. */
function inTime(name: string): string | undefined {
  const def = resourceNamed(name)
  const [column, way] = def?.list.order ?? []
  const kind = column === undefined ? undefined : def?.fields[column]?.kind
  return kind === 'date' || kind === 'instant' ? `r.${quoted(column!)} ${way}, r.id ${way}` : undefined
}

/** The statement of a lookup's options, with one row more than is shown where there are more. */
function optionsOf(ctx: Ctx, source: LookupSource, query: OptionsQuery, limit: number): RawBuilder<Option> {
  const where = reach(ctx, source)
  if (query.ids) where.push(sql`r.id = any(${query.ids}::int[])`)
  else {
    if (source.where) where.push(sql.raw(source.where))
    const filters = query.filters ?? {}
    const narrowed = source.narrow?.(filters, ctx)
    if (narrowed) where.push(narrowed)
    for (const [name, given] of Object.entries(filters)) {
      if (!source.filters?.includes(name)) {
        if (source.narrow) continue
        throw refuse(422, 'filter_not_allowed', { column: name }, `filters.${name}`)
      }
      const value = parse(filterSchema, given, ['filters', name])
      if (value === '' || value === null || (Array.isArray(value) && !value.length)) continue
      const field = resourceNamed(query.name)?.fields[name]
      if (field) {
        where.push(serverField(field).filter({ name, field, expression: `r.${quoted(name)}` }, value))
        continue
      }
      const column = sql.raw(`r.${quoted(name)}`)
      where.push(Array.isArray(value) ? sql`${column} = any(${value})` : sql`${column} = ${value}`)
    }
    const search = searchCondition(query.search ?? '', [source.search ?? `fold_text(${source.label.name})`])
    if (search) where.push(search)
  }
  const usual = sql.raw(
    source.order ??
      inTime(query.name) ??
      [...(source.label.code ? [source.label.code] : []), source.label.name, 'r.id'].join(', '),
  )
  const rank = query.ids ? undefined : rankOf(source, query.search?.trim() ?? '')
  const order = rank ? sql`${rank}, ${usual}` : usual
  return sql<Option>`select ${shown(source)} from ${sql.raw(quoted(source.table))} r
    where ${where.length ? sql.join(where, sql` and `) : sql`true`} order by ${order}
    limit ${query.ids ? query.ids.length : limit + 1} offset ${((query.page ?? 1) - 1) * limit}`
}

/**
 * Options of a lookup, as far as the reader may list them, with the count of all. @throws {Refusal} 404 for an unknown
 * name, 403 without the permission, 422 for an unknown filter
 */
export async function readOptions(ctx: Ctx, query: OptionsQuery): Promise<{ data: Option[]; more: boolean }> {
  const source = lookupSource(query.name)
  if (!source) throw refuse(404, 'not_found')
  if (!holds(ctx, source.permission)) throw refuse(403, 'not_allowed')
  const limit = query.limit ?? 50
  const { rows } = await optionsOf(ctx, source, query, limit).execute(ctx.db)
  const more = !query.ids && rows.length > limit
  return { data: more ? rows.slice(0, limit) : rows, more }
}

/**
 * Records of several kinds that answer what was typed, the best of each first, in one statement. Kinds that are unknown, or
 * that the reader may not list, have none.
 */
export async function findRecords(
  ctx: Ctx,
  { names, search, limit }: { readonly names: readonly string[]; readonly search: string; readonly limit: number },
): Promise<{ name: string; data: Option[] }[]> {
  const asked = [...new Set(names)].flatMap((name) => {
    const source = lookupSource(name)
    return source && holds(ctx, source.permission) ? [source] : []
  })
  if (!asked.length) return []
  const parts = asked.map(
    (
      source,
      i,
    ) => sql`(select ${i}::int as kind, row_number() over () as place, o.id, o.name::text, o.name_local::text, o.code::text
      from (${optionsOf(ctx, source, { name: source.name, search }, limit - 1)}) o)`,
  )
  const { rows } = await sql<{ kind: number } & Option>`select kind, id, name, name_local, code
    from (${sql.join(parts, sql` union all `)}) found order by kind, place`.execute(ctx.db)
  const data = asked.map(({ name }) => ({ name, data: [] as Option[] }))
  for (const { kind, ...option } of rows) data[kind]!.data.push(option)
  return data.filter((one) => one.data.length > 0)
}

/**
 * Finds records by what people write in a sheet: the code, else a name in either language, folded.
 * Gives the id per text, or the code of the refusal.
 */
export async function findByText(
  ctx: Ctx,
  name: string,
  texts: readonly string[],
): Promise<Map<string, { id: number } | { code: string }>> {
  const out = new Map<string, { id: number } | { code: string }>()
  const source = lookupSource(name)
  if (!source || !texts.length) return out
  const { label } = source
  const by = [label.code, label.name, label.name_local].filter((one) => one !== undefined)
  const where = [...reach(ctx, source), ...(source.where ? [sql.raw(source.where)] : [])]
  // Each way of naming is its own join, so that the database can hash it.
  const { rows } = await sql<{ text: string; id: number; way: number }>`
    with asked as (select text, fold_text(text) as folded from unnest(${[...new Set(texts)]}::text[]) as text)
    ${sql.join(
      by.map(
        (one, way) => sql`select a.text, r.id, ${sql.lit(label.code === undefined ? way + 1 : way)} as way
          from asked a join ${sql.raw(quoted(source.table))} r on fold_text((${sql.raw(one)})::text) = a.folded
          ${where.length ? sql`where ${sql.join(where, sql` and `)}` : sql``}`,
      ),
      sql` union all `,
    )}`.execute(ctx.db)
  const found = new Map<string, { way: number; ids: Set<number> }>()
  for (const { text, id, way } of rows) {
    const best = found.get(text)
    // A code says more than a name.
    const rank = way === 0 ? 0 : 1
    if (!best || rank < best.way) found.set(text, { way: rank, ids: new Set([id]) })
    else if (rank === best.way) best.ids.add(id)
  }
  for (const text of texts) {
    const ids = [...(found.get(text)?.ids ?? [])]
    out.set(
      text,
      ids.length === 1 ? { id: ids[0] as number } : { code: ids.length ? 'lookup_ambiguous' : 'lookup_not_found' },
    )
  }
  return out
}
