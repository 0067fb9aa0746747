import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import type { Field, Language, PaperLanguage } from '#kit/contract/index.ts'
import { parse, refuse } from './errors.ts'
import type { ListRef } from '../resource/list.ts'
import { patternOf } from './sql.ts'
import type { Cell, WriteColumn } from '../sheets/index.ts'

/** A field and its name. */
export interface Column {
  readonly name: string
  readonly field: Field
  /** SQL of its value where it is computed; else it is the column of that name of the table `t`. */
  readonly expression?: string
  /** SQL over `t`: the record a lookup points to, as it is called in this row, where that is not what it is called now. */
  readonly called?: string
}

/** A value out of a cell, what to look up, or why it cannot be read. */
export type CellValue =
  | { readonly value: unknown }
  | { readonly lookup: readonly string[] }
  | { readonly code: string; readonly data?: Record<string, unknown> }

/** The server half of a field kind. SQL texts here hold names of columns only, never values. */
export interface ServerField {
  /** Columns of a row: name and SQL. */
  select(c: Column): readonly (readonly [name: string, expression: string])[]
  /** The record that `select` names by its id, for lists: read once for all their rows instead of beside each. */
  ref?(c: Column): ListRef | undefined
  /** SQL of the value as it is written: to merge a change with what is stored. */
  stored(c: Column): string
  /** The value as the driver takes it; absent: kept in a table of its own. */
  store?(value: unknown, c: Column): unknown
  /** The condition that a filter puts; refuses what it does not understand. */
  filter(c: Column, value: unknown): RawBuilder<unknown>
  /** SQL to order by; null: cannot be ordered. */
  sort(c: Column, lang: Language): string | null
  /** What a row shows, on paper and in sheets. */
  text(row: Readonly<Record<string, unknown>>, c: Column, lang: PaperLanguage): string | number | null
  /** Column type in sheets; null: it does not stand there. */
  readonly sheet: WriteColumn['type'] | null
  /** Reads a cell that is not empty; null: it cannot be imported. */
  readonly read: ((cell: Cell, c: Column) => CellValue) | null
}

/** A name as SQL. Only names of definitions are ever written so. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
export const own = (c: Column): string => c.expression ?? `t.${quoted(c.name)}`
export const raw = (text: string): RawBuilder<unknown> => sql.raw(text)
export const literal = (value: string | number): string =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`

// --- Filters --------------------------------------------------------------------------------------------------------

/** One value, several, or null for empty ones. */
export const oneOrMany = (schema: z.ZodType) => z.union([schema, z.array(schema).max(1000), z.null()])
export const range = (schema: z.ZodType) =>
  z.union([
    schema,
    z.array(schema).max(1000),
    z.null(),
    z.strictObject({ from: schema.nullish(), to: schema.nullish() }),
  ])

const filterSchemas = new WeakMap<Field, z.ZodType>()
export function filterValue<T>(c: Column, make: () => z.ZodType, value: unknown): T {
  let schema = filterSchemas.get(c.field)
  if (!schema) filterSchemas.set(c.field, (schema = make()))
  return parse(schema, value, ['filters', c.name]) as T
}

export const equals = (c: Column, value: unknown): RawBuilder<unknown> =>
  value === null
    ? sql`${raw(own(c))} is null`
    : Array.isArray(value)
      ? sql`${raw(own(c))} = any(${value})`
      : sql`${raw(own(c))} = ${value}`

export const filterEqual =
  (schema: (c: Column) => z.ZodType) =>
  (c: Column, value: unknown): RawBuilder<unknown> =>
    equals(
      c,
      filterValue(c, () => oneOrMany(schema(c)), value),
    )

export interface Range {
  from?: unknown
  to?: unknown
}
export const isRange = (value: unknown): value is Range =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const within = (c: Column, { from, to }: Range): RawBuilder<unknown> => {
  const both: RawBuilder<unknown>[] = []
  if (from != null) both.push(sql`${raw(own(c))} >= ${from}`)
  if (to != null) both.push(sql`${raw(own(c))} <= ${to}`)
  return both.length ? sql`(${sql.join(both, sql` and `)})` : sql`true`
}
export const filterRange =
  (schema: (c: Column) => z.ZodType) =>
  (c: Column, value: unknown): RawBuilder<unknown> => {
    const wanted = filterValue(c, () => range(schema(c)), value)
    return isRange(wanted) ? within(c, wanted) : equals(c, wanted)
  }

/** A typed text is found anywhere, folded; a list of texts means exactly one of them. */
export const filterText = (c: Column, value: unknown): RawBuilder<unknown> => {
  const wanted = filterValue<string | string[] | null>(c, () => oneOrMany(z.string().max(200)), value)
  // What is shown as a text may be stored as a number; for a text the cast is nothing.
  const text = sql`(${raw(own(c))})::text`
  if (typeof wanted === 'string') return sql`fold_text(${text}) like ${patternOf(wanted)}`
  return wanted === null ? sql`${text} is null` : sql`${text} = any(${wanted})`
}

export const noFilter = (c: Column): never => {
  throw refuse(422, 'filter_not_allowed', { column: c.name }, `filters.${c.name}`)
}
