import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { z } from 'zod'
import { date, flags, fold, id, inLanguage, instant, refName } from '#kit/contract/index.ts'
import type { Choice, Field, FieldKind, PaperLanguage, RowsOf } from '#kit/contract/index.ts'
import { dayOf, timeOf } from '#kit/contract/day.ts'
import { parse } from './errors.ts'
import { lookupSource } from './registry.ts'
import { sanitizeRichText } from './rich-text.ts'
import { latinDigits } from '../sheets/index.ts'
import type { Cell } from '../sheets/index.ts'
import {
  type Column,
  type CellValue,
  type ServerField,
  quoted,
  own,
  raw,
  literal,
  oneOrMany,
  range,
  filterValue,
  equals,
  filterEqual,
  type Range,
  isRange,
  filterRange,
  filterText,
  noFilter,
} from './field-filters.ts'

export { quoted } from './field-filters.ts'

// --- Papers ---------------------------------------------------------------------------------------------------------

const plain = (row: Readonly<Record<string, unknown>>, c: Column): string | number | null =>
  (row[c.name] as string | number | null | undefined) ?? null

interface Named {
  name?: string | null
  name_local?: string | null
  code?: string | null
}
/** The name of a record in a paper's language, the other where it is missing. */
export const nameIn = (record: Named | null | undefined, lang: PaperLanguage): string | null =>
  record
    ? ((lang === 'ar' ? record.name_local || record.name : record.name || record.name_local) ?? record.code ?? null)
    : null

const label = (choices: readonly Choice[] | undefined, value: unknown, lang: PaperLanguage): string | null => {
  const found = choices?.find((choice) => choice.value === value)
  return found ? inLanguage(found.label, lang) : value == null ? null : String(value)
}
const separator = (lang: PaperLanguage): string => (lang === 'ar' ? '، ' : ', ')
const two = (n: number): string => String(n).padStart(2, '0')
/** An instant as people read it in sheets, by the university's clock: `2026-03-01 14:05`. */
export const readable = (iso: string): string => `${dayOf(iso)} ${timeOf(iso)}`
/** Minor units as people read them: 12550 → `125.50`. */
export const amount = (minor: number): string =>
  `${minor < 0 ? '-' : ''}${Math.floor(Math.abs(minor) / 100)}.${two(Math.abs(minor) % 100)}`

// --- Cells ----------------------------------------------------------------------------------------------------------

const readText = (cell: Cell): CellValue => ({ value: cell.text })
const readCode = (cell: Cell): CellValue => ({ value: latinDigits(cell.text) })
const readDay = (text: string): string | null => {
  const t = latinDigits(text).trim()
  const iso = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})$/.exec(t)
  const local = /^(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})$/.exec(t)
  const [y, m, d] = iso ? iso.slice(1) : local ? local.slice(1).toReversed() : []
  if (!y || !m || !d) return null
  const day = `${y}-${two(Number(m))}-${two(Number(d))}`
  return date.safeParse(day).success ? day : null
}
const split = (text: string): string[] =>
  text
    .split(/\s*[,،;؛|\n]\s*/)
    .map((part) => part.trim())
    .filter(Boolean)
const choose = (text: string, choices: readonly Choice[] = []): Choice | undefined => {
  const wanted = fold(text)
  return choices.find((c) => [String(c.value), ...c.label].some((word) => fold(word) === wanted))
}
const YES = new Set(['yes', 'true', '1', 'y', 'x', '✓', 'نعم'].map(fold))
const NO = new Set(['no', 'false', '0', 'n', '-', 'لا'].map(fold))

// --- Kinds ----------------------------------------------------------------------------------------------------------

const column = (c: Column) => [[c.name, own(c)]] as const
const asIs = (value: unknown): unknown => value

const text: ServerField = {
  select: column,
  stored: own,
  store: asIs,
  filter: filterText,
  sort: own,
  text: plain,
  sheet: 'text',
  read: readText,
}
const codeLike: ServerField = { ...text, read: readCode }
const integer: ServerField = {
  ...text,
  // What the column can hold is what its field allows.
  filter: filterRange((c) => c.field.schema),
  sort: own,
  sheet: 'number',
  read: (cell) => {
    const digits = latinDigits(cell.text).replaceAll(/[\s,](?=\d{3}\b)/g, '')
    return /^[+-]?\d{1,15}$/.test(digits) ? { value: Number(digits) } : { code: 'not_an_integer' }
  },
}
/** Exact: a double holds 15 digits, and none of these has more. */
const number: ServerField = {
  ...integer,
  select: (c) => [[c.name, `${own(c)}::float8`]],
  stored: (c) => `${own(c)}::float8`,
  sheet: 'number',
  read: (cell) => {
    const digits = latinDigits(cell.text).replace(/^([+-]?\d+),(\d+)$/, '$1.$2')
    return /^[+-]?\d{1,12}(\.\d+)?$/.test(digits) ? { value: Number(digits) } : { code: 'format_not_valid' }
  },
}
const money: ServerField = {
  ...integer,
  select: (c) => [[c.name, `${own(c)}::float8`]],
  stored: (c) => `${own(c)}::float8`,
  text: (row, c) => (row[c.name] == null ? null : amount(Number(row[c.name]))),
  sheet: 'decimal',
  read: (cell) => {
    const digits = latinDigits(cell.text).replaceAll(/[\s,](?=\d{3}\b)/g, '')
    const [, sign, whole, part = ''] = /^(-?)(\d{1,13})(?:\.(\d{1,2}))?$/.exec(digits) ?? []
    return whole === undefined
      ? { code: 'format_not_valid' }
      : { value: (sign ? -1 : 1) * (Number(whole) * 100 + Number(part.padEnd(2, '0'))) }
  },
}

/** The named record that a lookup points to, as JSON; SQL `null` where its area is absent. */
const record = (to: string, key: string): string => {
  const source = lookupSource(to)
  if (!source) return 'null::json'
  return `(select ${recordJson(to)} from ${quoted(source.table)} r where r.id = ${key})`
}
const recordJson = (to: string): string => {
  const labelOf = lookupSource(to)?.label
  return `json_build_object('id', r.id, 'name', ${labelOf?.name ?? 'null'}, 'name_local', ${labelOf?.name_local ?? 'null'}, 'code', ${labelOf?.code ?? 'null'}${labelOf?.colour ? `, 'colour', ${labelOf.colour}` : ''})`
}
const joining = (c: Column): { table: string; from: string; to: string } => {
  if (!c.field.through) throw new Error(`The field ${c.name} keeps several records but names no joining table`)
  return { table: quoted(c.field.through.table), from: quoted(c.field.through.from), to: quoted(c.field.through.to) }
}

const rowsOf = (c: Column): RowsOf => {
  if (!c.field.rows) throw new Error(`The field ${c.name} keeps rows but names no table`)
  return c.field.rows
}
/** JSON numbers are binary fractions, and instants in JSON keep the zone of the session. */
const IN_JSON: Partial<Record<FieldKind, (sqlText: string) => string>> = {
  decimal: (text) => `${text}::text`,
  instant: (text) => `to_char(${text} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
}
/**
 * SQL: the child rows of a record as JSON, in their order. `named`: with the records that lookups point to, as rows are
 * answered; else their values alone, as they are written.
 */
export function rowsJson({ table, parent, position, by, fields }: RowsOf, record: string, named = true): string {
  const values = columnsOf(fields).flatMap(({ name, field }) => {
    const own = `c.${quoted(name)}`
    const column = { name, field, expression: IN_JSON[field.kind]?.(own) ?? own }
    const half = serverField(field)
    return named ? half.select(column) : [[name, half.stored(column)] as const]
  })
  const pairs = [['id', 'c.id'] as const, ...values].map(([name, expression]) => `${literal(name)}, ${expression}`)
  const order = [...(position ? [`c.${quoted(position)}`] : []), ...(by ? [by] : []), 'c.id'].join(', ')
  return `coalesce((select json_agg(json_build_object(${pairs.join(', ')}) order by ${order})
    from ${quoted(table)} c where c.${quoted(parent)} = ${record}), '[]')`
}

/** The server half of every field kind; a kind without one does not compile. */
export const SERVER_FIELDS: Readonly<Record<FieldKind, ServerField>> = {
  text,
  localText: { ...text, sort: (c) => `${own(c)} collate "ar-x-icu"` },
  longText: text,
  richText: {
    ...text,
    store: (value) => (typeof value === 'string' ? sanitizeRichText(value) : value),
    filter: noFilter,
    sort: () => null,
    text: (row, c) =>
      String(row[c.name] ?? '')
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim() || null,
    read: null,
  },
  code: { ...codeLike, sort: own },
  email: codeLike,
  phone: codeLike,
  nationalId: codeLike,
  passport: codeLike,
  integer,
  decimal: {
    ...integer,
    filter: filterRange(() => z.union([z.string().regex(/^-?\d{1,12}(\.\d{1,6})?$/), z.number()])),
    sheet: 'decimal',
    read: (cell) => {
      const digits = latinDigits(cell.text).replace(/^(-?\d+),(\d+)$/, '$1.$2')
      return /^-?\d{1,12}(\.\d+)?$/.test(digits) ? { value: digits } : { code: 'format_not_valid' }
    },
  },
  number,
  money,
  date: {
    ...text,
    filter: filterRange(() => date),
    sort: own,
    sheet: 'date',
    read: (cell) => {
      const day = readDay(cell.type === 'datetime' ? cell.text.slice(0, 10) : cell.text)
      return day ? { value: day } : { code: 'date_not_valid' }
    },
  },
  instant: {
    ...text,
    // A whole day is meant where only a day is given.
    filter: (c, value) => {
      const wanted = filterValue<Range | string | string[] | null>(c, () => range(z.union([date, instant])), value)
      if (wanted === null) return equals(c, null)
      const span = typeof wanted === 'string' ? { from: wanted, to: wanted } : wanted
      if (!isRange(span)) return equals(c, span)
      const both: RawBuilder<unknown>[] = []
      if (typeof span.from === 'string') both.push(sql`${raw(own(c))} >= ${span.from}::timestamptz`)
      if (typeof span.to === 'string') {
        both.push(
          span.to.length === 10
            ? sql`${raw(own(c))} < ${span.to}::timestamptz + interval '1 day'`
            : sql`${raw(own(c))} <= ${span.to}::timestamptz`,
        )
      }
      return both.length ? sql`(${sql.join(both, sql` and `)})` : sql`true`
    },
    sort: own,
    text: (row, c) => (row[c.name] == null ? null : readable(String(row[c.name]))),
    read: (cell) => {
      const given = latinDigits(cell.text).trim()
      const [, day = '', time = '00:00', zone = ''] =
        /^([\d/.-]+)(?:[T ]+(\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?)\s*(Z|[+-]\d\d:?\d\d)?)?$/.exec(given) ?? []
      const known = readDay(day)
      const at = known
        ? new Date(`${known}T${time.padStart(time.indexOf(':') === 1 ? time.length + 1 : time.length, '0')}${zone}`)
        : undefined
      return at && !Number.isNaN(at.getTime()) ? { value: at.toISOString() } : { code: 'date_not_valid' }
    },
  },
  time: {
    ...text,
    select: (c) => [[c.name, `to_char(${own(c)}, 'HH24:MI')`]],
    stored: (c) => `to_char(${own(c)}, 'HH24:MI')`,
    filter: filterRange(() => z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/)),
    sort: own,
    read: (cell) => {
      const [, hour, minute] = /^(\d{1,2}):(\d\d)(?::\d\d)?$/.exec(latinDigits(cell.text)) ?? []
      return hour && minute && Number(hour) < 24 && Number(minute) < 60
        ? { value: `${two(Number(hour))}:${minute}` }
        : { code: 'format_not_valid' }
    },
  },
  flag: {
    ...text,
    filter: filterEqual(() => z.boolean()),
    sort: own,
    text: (row, c, lang) =>
      row[c.name] == null ? null : row[c.name] ? inLanguage(['Yes', 'نعم'], lang) : inLanguage(['No', 'لا'], lang),
    read: (cell) => {
      const word = fold(cell.text)
      return YES.has(word) ? { value: true } : NO.has(word) ? { value: false } : { code: 'not_a_choice' }
    },
  },
  choice: {
    ...text,
    filter: filterEqual((c) => c.field.schema),
    // In the order in which the choices are offered.
    sort: (c) =>
      `case ${own(c)} ${(c.field.choices ?? []).map((choice, i) => `when ${literal(choice.value)} then ${i}`).join(' ')} end`,
    text: (row, c, lang) => label(c.field.choices, row[c.name], lang),
    read: (cell, c) => {
      const found = choose(cell.text, c.field.choices)
      return found ? { value: found.value } : { code: 'not_a_choice' }
    },
  },
  choices: {
    ...text,
    filter: (c, value) => {
      const wanted = filterValue<unknown>(
        c,
        () => oneOrMany(z.literal((c.field.choices ?? []).map((choice) => choice.value))),
        value,
      )
      return wanted === null
        ? sql`coalesce(cardinality(${raw(own(c))}), 0) = 0`
        : sql`${raw(own(c))} && ${Array.isArray(wanted) ? wanted : [wanted]}`
    },
    sort: () => null,
    text: (row, c, lang) =>
      (row[c.name] as unknown[] | null)?.map((value) => label(c.field.choices, value, lang)).join(separator(lang)) ??
      null,
    read: (cell, c) => {
      const found = split(cell.text).map((word) => choose(word, c.field.choices))
      return found.every(Boolean) ? { value: found.map((choice) => choice?.value) } : { code: 'not_a_choice' }
    },
  },
  flags: {
    ...text,
    select: (c) => [[c.name, `${own(c)}::text`]],
    stored: (c) => `${own(c)}::text`,
    // Rows that have at least one of the flags.
    filter: (c, value) => {
      const wanted = filterValue<unknown>(c, () => oneOrMany(flags), value)
      if (wanted === null) return equals(c, null)
      const masks = (Array.isArray(wanted) ? wanted : [wanted]) as string[]
      const mask = masks.reduce((all, one) => all | BigInt(one), 0n)
      return sql`${raw(own(c))} & ${String(mask)}::bigint <> 0`
    },
    sort: own,
    read: readCode,
  },
  lookup: {
    ...text,
    select: (c) => [
      [c.name, own(c)],
      [refName(c.name), c.called ?? record(c.field.to ?? '', own(c))],
    ],
    ref: (c) => {
      if (c.called) return undefined
      const source = lookupSource(c.field.to ?? '')
      return (
        source && {
          as: refName(c.name),
          column: c.name,
          table: quoted(source.table),
          record: recordJson(c.field.to ?? ''),
        }
      )
    },
    filter: filterEqual(() => id),
    sort: (c, lang) => {
      const source = lookupSource(c.field.to ?? '')
      if (!source) return own(c)
      const shown = lang === 'ar' ? (source.label.name_local ?? source.label.name) : source.label.name
      return `(select (${shown})::text from ${quoted(source.table)} r where r.id = ${own(c)}) collate ${lang === 'ar' ? '"ar-x-icu"' : '"und-x-icu"'}`
    },
    text: (row, c, lang) => nameIn(row[refName(c.name)] as Named | null, lang),
    read: (cell) => ({ lookup: [cell.text] }),
  },
  lookups: {
    select: (c) => {
      const source = lookupSource(c.field.to ?? '')
      const { table, from, to } = joining(c)
      if (!source) return [[c.name, `'[]'::json`]]
      return [
        [
          c.name,
          `coalesce((select json_agg(${recordJson(c.field.to ?? '')} order by ${source.label.name}) from ${table} j
            join ${quoted(source.table)} r on r.id = j.${to} where j.${from} = t.id), '[]')`,
        ],
      ]
    },
    stored: (c) => {
      const { table, from, to } = joining(c)
      return `array(select j.${to} from ${table} j where j.${from} = t.id order by j.${to})`
    },
    filter: (c, value) => {
      const wanted = filterValue<unknown>(c, () => oneOrMany(id), value)
      const { table, from, to } = joining(c)
      const rows = sql`select from ${raw(table)} j where j.${raw(from)} = t.id`
      if (wanted === null) return sql`not exists (${rows})`
      return sql`exists (${rows} and j.${raw(to)} = any(${Array.isArray(wanted) ? wanted : [wanted]}::int[]))`
    },
    sort: () => null,
    text: (row, c, lang) =>
      (row[c.name] as Named[] | null)?.map((one) => nameIn(one, lang)).join(separator(lang)) ?? null,
    sheet: 'text',
    read: (cell) => ({ lookup: split(cell.text) }),
  },
  rows: {
    select: (c) => [[c.name, rowsJson(rowsOf(c), 't.id')]],
    stored: (c) => rowsJson(rowsOf(c), 't.id', false),
    filter: noFilter,
    sort: () => null,
    text: (row, c, lang) =>
      (row[c.name] as Record<string, unknown>[] | null)
        ?.map((child) =>
          columnsOf(rowsOf(c).fields)
            .map((column) => serverField(column.field).text(child, column, lang))
            .filter((shown) => shown !== null && shown !== '')
            .join(' · '),
        )
        .join(lang === 'ar' ? '؛ ' : '; ') ?? null,
    sheet: 'text',
    read: null,
  },
  file: {
    ...text,
    select: (c) => [
      [
        c.name,
        `(select json_build_object('id', f.id, 'name', f.name, 'size', f.size) from files f where f.id = ${own(c)})`,
      ],
    ],
    filter: (c, value) =>
      parse(z.boolean(), value, ['filters', c.name]) ? sql`${raw(own(c))} is not null` : sql`${raw(own(c))} is null`,
    sort: () => null,
    text: (row, c) => (row[c.name] as { name?: string } | null)?.name ?? null,
    read: null,
  },
  json: {
    ...text,
    store: (value) => (value == null ? null : JSON.stringify(value)),
    filter: noFilter,
    sort: () => null,
    text: () => null,
    sheet: null,
    read: null,
  },
}

/** The server half of a field. */
export const serverField = (field: Field): ServerField => SERVER_FIELDS[field.kind]

/** The fields of a resource as columns. `computed`: SQL of those that are no columns of the table. */
export const columnsOf = (
  fields: Readonly<Record<string, Field>>,
  computed: Readonly<Record<string, string>> = {},
  called: Readonly<Record<string, string>> = {},
): Column[] =>
  Object.entries(fields).map(([name, field]) => ({
    name,
    field,
    ...(computed[name] !== undefined && { expression: `(${computed[name]})` }),
    ...(called[name] !== undefined && { called: called[name] }),
  }))

/** Child rows as they travel. */
export type ChildValues = Readonly<Record<string, unknown>> & { readonly id?: number }
/** Whether a child row holds the same values. */
export const sameRow = ({ fields }: RowsOf, a: ChildValues, b: ChildValues): boolean =>
  Object.entries(fields).every(([name, field]) => sameValue(field, a[name] ?? null, b[name] ?? null))
const sameRows = (rows: RowsOf, a: readonly ChildValues[], b: readonly ChildValues[]): boolean => {
  if (a.length !== b.length) return false
  const other = new Map(b.map((row) => [row.id, row]))
  return a.every((row, i) => {
    // Without a position the order in which they are sent says nothing.
    const stored = rows.position ? b[i] : other.get(row.id)
    return stored !== undefined && row.id === stored.id && sameRow(rows, row, stored)
  })
}

/** Whether two values of a field are the same to a reader: `3` and `3.00`, one instant in two zones. */
export function sameValue(field: Field, a: unknown, b: unknown): boolean {
  if (a === b || ((a ?? null) === null && (b ?? null) === null)) return true
  if (a == null || b == null) return false
  if (field.kind === 'decimal') return Number(a) === Number(b)
  if (field.kind === 'instant') return Date.parse(String(a)) === Date.parse(String(b))
  if (field.kind === 'rows' && field.rows) return sameRows(field.rows, a as ChildValues[], b as ChildValues[])
  if (field.kind === 'lookups') return JSON.stringify((a as number[]).toSorted((x, y) => x - y)) === JSON.stringify(b)
  return typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b)
}
