import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Choice, Field, Label, Resource } from '#kit/contract/index.ts'
import type { TableTold } from '#kit/contract/telling.ts'
import type { ToldPart } from '#kit/contract/told.ts'
import { OTHER_DATA } from '#kit/contract/telling.ts'
import type { Ctx } from '../base/context.ts'
import { quoted } from '../base/field-filters.ts'
import { lookupSource, servedResources, statesOf, tableTold, wordsOfColumns } from '../base/registry.ts'
import type { LookupSource } from '../base/registry.ts'

/** Keys that the log does not show, as the documents say; the same for values that are empty before and after. */
const HIDDEN = /(?:^|_)(?:ids?|system|latitude|longitude|created_by|search_text|removed)(?:_|$)/i
/** Whether the log does not show a key. */
export const isHidden = (key: string): boolean => HIDDEN.test(key)
export const isEmpty = (value: unknown): boolean => value === null || value === undefined || value === ''

/** Columns of every record that say nothing about its subject. */
export const PLAIN = new Set(['id', 'version', 'created_at', 'updated_at', 'removed_at', 'search_text'])

// --- What the database says of its tables ---------------------------------------------------------------------------

export interface Pointer {
  readonly table: string
  /** The column it names there: mostly the id, of some records the code. */
  readonly key: string
}
export interface TableFacts {
  /** By which column the trail knows a row: its id, or the record it belongs to. */
  readonly record: string
  readonly columns: ReadonlyMap<
    string,
    {
      readonly type: string
      readonly filled: boolean
      readonly to: Pointer | null
      readonly set: readonly string[] | null
    }
  >
}
let facts: Promise<ReadonlyMap<string, TableFacts>> | undefined

/** Columns, and what they point to: asked once, it changes with migrations alone. */
export async function tableFacts(
  ctx: Pick<Ctx, 'db'>,
  of: readonly string[] = [],
): Promise<ReadonlyMap<string, TableFacts>> {
  const known = await (facts ??= readFacts(ctx))
  if (of.every((table) => known.has(table))) return known
  // A table that came since.
  return (facts = readFacts(ctx))
}
function readFacts(ctx: Pick<Ctx, 'db'>): Promise<ReadonlyMap<string, TableFacts>> {
  const asked = sql<{
    table: string
    record: string | null
    column: string
    type: string
    filled: boolean
    to: string | null
    key: string | null
    set: string[] | null
  }>`
    select c.relname as "table", a.attname as "column", format_type(a.atttypid, null) as type, a.attnotnull as filled,
      coalesce(substring(encode(g.tgargs, 'escape') from '^\\{([a-z_0-9]+)'),
        (select k.attname from pg_index i join pg_attribute k on k.attrelid = i.indrelid and k.attnum = i.indkey[0]
          where i.indrelid = c.oid and i.indisprimary)) as record,
      f."to", f.key,
      case when format_type(a.atttypid, null) = 'text' then (
        select array_agg(distinct m[1]) from pg_constraint n, regexp_matches(pg_get_constraintdef(n.oid), '''([^'']*)''::text', 'g') m
        where n.conrelid = c.oid and n.contype = 'c' and pg_get_constraintdef(n.oid) ~ ('^CHECK \\(\\(+' || a.attname || ' = ANY')) end as set
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      left join pg_trigger g on g.tgrelid = c.oid and g.tgname = 'audit_insert'
      left join lateral (
        select n.confrelid::regclass::text as "to", k.attname as key
        from pg_constraint n cross join unnest(n.conkey, n.confkey) as p (own, theirs)
          join pg_attribute k on k.attrelid = n.confrelid and k.attnum = p.theirs
        where n.conrelid = c.oid and n.contype = 'f' and n.conparentid = 0 and p.own = a.attnum
          and (k.attname = 'id' or cardinality(n.conkey) = 1)
        order by cardinality(n.conkey), n.conname limit 1) f on true
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
    order by c.relname, a.attnum`
    .execute(ctx.db)
    .then(({ rows }): ReadonlyMap<string, TableFacts> => {
      const out = new Map<string, TableFacts>()
      for (const [table, columns] of Map.groupBy(rows, (row) => row.table))
        out.set(table, {
          record: columns[0]!.record ?? 'id',
          columns: new Map(
            columns.map(({ column, type, filled, to, key, set }) => [
              column,
              { type, filled, set, to: to && key ? { table: to, key } : null },
            ]),
          ),
        })
      return out
    })
  asked.catch(() => (facts = undefined))
  return asked
}

// --- What areas say of them -----------------------------------------------------------------------------------------

/** A column in words. */
export interface ColumnTold {
  readonly label: Label
  readonly kind: string
  readonly places?: number | undefined
  readonly choices?: readonly Choice[] | undefined
  /** The value is a number whose bits are choices. */
  readonly bits?: true
  /** The record it points to. */
  readonly to?: Pointer | undefined
  /** Nobody has said what it is called. */
  readonly unnamed?: true
}
/** A table in words. */
export interface TableInWords {
  readonly one: Label | null
  readonly def: Resource | undefined
  readonly record: string
  readonly column: (name: string) => ColumnTold | null
  /** Of rows that are the values of a field of another record: the field, and the column that tells the value. */
  readonly joined: { readonly name: string; readonly label: Label; readonly value: string } | null
  readonly told: TableTold
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'flag',
  date: 'date',
  'timestamp with time zone': 'instant',
  'time without time zone': 'time',
  json: 'json',
  jsonb: 'json',
  integer: 'integer',
  smallint: 'integer',
  bigint: 'integer',
  numeric: 'decimal',
}
const kindOf = (type: string): string =>
  type.endsWith('[]') || type.endsWith('range') ? 'json' : (KINDS[type] ?? 'text')

/** Words for columns that many tables have. */
const COMMON: Readonly<Record<string, Label>> = {
  position: ['Place in the order', 'الترتيب'],
  reason: ['Reason', 'السبب'],
  note: ['Note', 'ملاحظة'],
  notes: ['Notes', 'ملاحظات'],
  name: ['English name', 'الاسم بالإنجليزية'],
  name_local: ['Arabic name', 'الاسم بالعربية'],
  code: ['Code', 'الكود'],
  number: ['Number', 'الرقم'],
  status: ['Status', 'الحالة'],
  state: ['Status', 'الحالة'],
  amount: ['Amount', 'المبلغ'],
  currency: ['Currency', 'العملة'],
}

export const resourceOf = (table: string): Resource | undefined => servedResources().find((one) => one.table === table)
/** How a row of a table is called in lists to choose from. */
function sourceOf(table: string): (LookupSource & { readonly of: string }) | undefined {
  for (const def of servedResources()) {
    if (def.table !== table) continue
    const source = lookupSource(def.name)
    if (source?.table === table) return { ...source, of: def.name }
  }
  return undefined
}

/**
 * A table in the words of its resource, of the resources whose rows or joined records it keeps, of its area, and of what its
 * columns point to. @param own the definition that a history tells by, where it has more fields than the one that is served
 */
export function inWords(table: string, known: ReadonlyMap<string, TableFacts>, own?: Resource): TableInWords {
  const told = tableTold(table) ?? {}
  const all = [...(own ? [own] : []), ...servedResources()]
  const defs = all.filter((def) => def.table === table)
  const [def] = defs
  const facts = known.get(table)
  const fields: Record<string, Field> = {}
  const silent = new Set(told.untold)
  let joined: TableInWords['joined'] = null
  let child: Label | undefined
  for (const { fields: theirs, sheetFields } of defs)
    for (const [name, field] of Object.entries({ ...theirs, ...sheetFields?.fields })) fields[name] ??= field
  for (const other of all)
    for (const [name, field] of Object.entries(other.fields)) {
      if (field.kind === 'rows' && field.rows?.table === table) {
        child ??= field.label
        for (const [column, one] of Object.entries(field.rows.fields)) fields[column] ??= one
        // That others moved up or down is no news.
        if (field.rows.position) silent.add(field.rows.position)
      }
      if (field.kind === 'lookups' && field.through?.table === table)
        joined ??= { name, label: field.label, value: field.through.to }
    }
  Object.assign(fields, told.fields)
  const flow = statesOf(table)
  const shared = wordsOfColumns()
  const column = (name: string): ColumnTold | null => {
    if (silent.has(name) || PLAIN.has(name) || (!fields[name] && shared.untold.has(name))) return null
    const field = fields[name]
    const own = facts?.columns.get(name)
    const target = field?.to ? lookupSource(field.to)?.table : undefined
    const to = own?.to ?? (target ? { table: target, key: 'id' } : undefined)
    if (to && (!field || ['lookup', 'file'].includes(field.kind))) {
      const label = field?.label ?? shared.columns[name] ?? rowTitled(to.table)
      return { label: label ?? OTHER_DATA, kind: 'lookup', to, ...(!label && { unnamed: true as const }) }
    }
    if (isHidden(name)) return null
    if (field) {
      const { label, kind, places, choices, year } = field
      // Flags with words are told as those that are set.
      if (kind === 'flags' && choices) return { label, choices, kind: 'choices', bits: true }
      return { label, places, choices, kind: kind === 'rows' || kind === 'flags' ? 'json' : year ? 'year' : kind }
    }
    if (flow?.field === name) return { label: COMMON.status!, kind: 'choice', choices: flow.states }
    const label = COMMON[name] ?? shared.columns[name]
    const given = shared.choices[name]
    if (label && given) return { label, kind: 'choice', choices: given }
    if (label && own?.set)
      return {
        label,
        kind: 'choice',
        choices: own.set.flatMap((value) => (shared.values[value] ? [{ value, label: shared.values[value] }] : [])),
      }
    const kind = own ? (shared.amounts.has(name) && own.type === 'bigint' ? 'money' : kindOf(own.type)) : 'text'
    return label ? { label, kind } : { label: OTHER_DATA, kind: 'json', unnamed: true }
  }
  return {
    one: told.one ?? def?.one ?? child ?? told.many ?? null,
    def,
    record: facts?.record ?? 'id',
    column,
    joined,
    told,
  }
}
/** What rows of a table are called in a sentence, where no list has a name for them. */
export const rowTitled = (table: string): Label | undefined => tableTold(table)?.one ?? resourceOf(table)?.one

// --- What a record is called ----------------------------------------------------------------------------------------

/** Columns by which rows are called that are not in lists to choose from. */
const TITLES = ['name', 'number', 'code', 'title']
/** How far names are followed: a mark belongs to a registration, and that to a student. */
const DEPTH = 3

/** SQL of the parts by which a row of a table is called; the row is `alias`. */
export function partsSql(known: ReadonlyMap<string, TableFacts>, table: string, alias: string, depth = 0): string {
  const source = sourceOf(table)
  const told = tableTold(table)
  const facts = known.get(table)
  if (source && !told?.title) {
    const { name, name_local, code } = source.label
    const of = sourceOf(table)!.of.replaceAll("'", '')
    return `(select jsonb_build_array(jsonb_build_object('of', '${of}', 'name', coalesce((${name})::text, (${code ?? 'null'})::text, ''),
      'name_local', (${name_local ?? 'null'})::text, 'code', (${code ?? 'null'})::text)) from ${quoted(table)} r where r.id = ${alias}.id)`
  }
  if (!facts) return `'[]'::jsonb`
  const own = TITLES.find((name) => facts.columns.get(name)?.type === 'text')
  const titled =
    told?.title ??
    (own
      ? [own]
      : [...facts.columns].flatMap(([name, { filled, to }]) => (filled && to && to.table !== 'users' ? [name] : [])))
  const parts = titled.flatMap((name): string[] => {
    const column = facts.columns.get(name)
    if (!column) return []
    if (!column.to)
      return [
        `case when ${alias}.${quoted(name)} is null then '[]'::jsonb else jsonb_build_array(jsonb_build_object('of', '${name}', 'name', ${alias}.${quoted(name)}::text, 'name_local',
          ${name === 'name' && facts.columns.has('name_local') ? `${alias}.name_local` : 'null::text'})) end`,
      ]
    if (depth >= DEPTH) return []
    const next = `${alias}_${depth + 1}`
    return [
      `coalesce((select ${partsSql(known, column.to.table, next, depth + 1)} from ${quoted(column.to.table)} ${next}
        where ${next}.${quoted(column.to.key)} = ${alias}.${quoted(name)}), '[]'::jsonb)`,
    ]
  })
  return parts.length ? `(${parts.join(' || ')})` : `'[]'::jsonb`
}

export const keyOf = (to: Pointer, value: unknown): string => `${to.table}.${to.key} ${String(value)}`

/** What records are called, by table and key: one question for all of them. */
export async function namesOf(
  ctx: Pick<Ctx, 'db'>,
  known: ReadonlyMap<string, TableFacts>,
  wanted: ReadonlyMap<string, { readonly to: Pointer; readonly values: ReadonlySet<string> }>,
): Promise<ReadonlyMap<string, readonly ToldPart[]>> {
  const questions: RawBuilder<unknown>[] = []
  for (const { to, values } of wanted.values()) {
    const type = known.get(to.table)?.columns.get(to.key)?.type
    if (!type) continue
    questions.push(sql`select ${`${to.table}.${to.key}`} as at, t.${sql.raw(quoted(to.key))}::text as value,
      ${sql.raw(partsSql(known, to.table, 't'))} as parts
      from ${sql.raw(quoted(to.table))} t where t.${sql.raw(quoted(to.key))} = any(${[...values]}::${sql.raw(type)}[])`)
  }
  if (!questions.length) return new Map()
  const { rows } = await sql<{
    at: string
    value: string
    parts: ToldPart[]
  }>`${sql.join(questions, sql` union all `)}`.execute(ctx.db)
  return new Map(rows.map(({ at, value, parts }) => [`${at} ${value}`, parts]))
}
