import type { Choice } from '#kit/contract/index.ts'
import { refName } from '#kit/contract/index.ts'
import type { Label, Resource } from '#kit/contract/index.ts'
import { A_RECORD } from '#kit/contract/telling.ts'
import type { ToldChange, ToldPart, ToldRecord } from '#kit/contract/told.ts'
import type { Ctx } from '../base/context.ts'
import { inWords, isEmpty, keyOf, namesOf, resourceOf, rowTitled, tableFacts } from './table-words.ts'
import type { Pointer, TableFacts, TableInWords } from './table-words.ts'

export type Values = Readonly<Record<string, unknown>>
/** An entry as the trail keeps it. */
export interface Kept {
  readonly table_name: string
  readonly action: string
  readonly record_id: number | null
  readonly old: Values | null
  readonly new: Values | null
}
/** What is said of it. `action` may be another: rows that are the values of a field come and go in a change of its record. */
export interface Told {
  readonly action: string
  readonly record: ToldRecord
  readonly changes: ToldChange[]
  /** Fields that changed and are not told to the reader. */
  readonly withheld: number
}
type Names = ReadonlyMap<string, readonly ToldPart[]>

const named = (label: Label) => ({ name: label[0], name_local: label[1] })
/** Formatted text without its form. */
const plainOf = (html: string): string =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Several parts as one record: names and codes beside each other. */
const asOne = (parts: readonly ToldPart[]): { name: string; name_local: string | null; code: string | null } => {
  const joined = (of: (part: ToldPart) => string) => parts.map(of).filter(Boolean).join(' · ')
  return {
    name: joined(({ name }) => name),
    name_local: joined(({ name, name_local }) => name_local ?? name) || null,
    code: parts.length === 1 ? (parts[0]!.code ?? null) : null,
  }
}

/** Where the record of an entry is found: its own row, or the one it belongs to. */
const placeOf = (name: string, { record }: TableInWords, known: ReadonlyMap<string, TableFacts>): Pointer | null =>
  record !== 'id'
    ? (known.get(name)?.columns.get(record)?.to ?? null)
    : known.has(name)
      ? { table: name, key: 'id' }
      : null

/**
 * Entries of the trail in words: fields by their labels, records by their names, values of fixed sets by their words. All
 * names are asked for at once, whatever the entries are of. @param hides fields of a table that are kept from the reader
 * @param own the definition of which a history tells
 */
export async function tell(
  ctx: Pick<Ctx, 'db'>,
  entries: readonly Kept[],
  hides: (table: string) => (field: string) => boolean,
  own?: Resource,
): Promise<Told[]> {
  const here = [...new Set(entries.map(({ table_name }) => table_name))]
  const known = await tableFacts(ctx, here)
  const tables = new Map(here.map((name) => [name, inWords(name, known, own)]))
  const wanted = new Map<string, { to: Pointer; values: Set<string> }>()
  const want = (to: Pointer | null | undefined, value: unknown) => {
    if (!to || isEmpty(value) || typeof value === 'object') return
    const at = `${to.table}.${to.key}`
    const one = wanted.get(at) ?? { to, values: new Set() }
    one.values.add(String(value))
    wanted.set(at, one)
  }
  for (const { table_name, record_id, old, new: fresh } of entries) {
    const table = tables.get(table_name)!
    want(placeOf(table_name, table, known), record_id)
    for (const side of [old, fresh])
      for (const [name, value] of Object.entries(side ?? {})) want(table.column(name)?.to, value)
  }
  const names = await namesOf(ctx, known, wanted)
  return entries.map((entry) => {
    const table = tables.get(entry.table_name)!
    const { changes, withheld, beside } = changesOf(entry, table, names, hides(entry.table_name))
    const at = placeOf(entry.table_name, table, known)
    return {
      withheld,
      ...recordTold(entry, table, at, changes, [...partsOf(entry, table, at, known, names), ...beside]),
    }
  })
}

/** What changed, field by field; and by which other records a row without an id of its own is known. */
function changesOf(
  { action, old, new: fresh }: Kept,
  table: TableInWords,
  names: Names,
  hidden: (field: string) => boolean,
): { changes: ToldChange[]; withheld: number; beside: ToldPart[] } {
  const [before, after] = [old ?? {}, fresh ?? {}]
  const beside: ToldPart[] = []
  let withheld = 0
  const changes = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name): ToldChange[] => {
    const column = isEmpty(before[name]) && isEmpty(after[name]) ? null : table.column(name)
    if (!column) return []
    // Of a row without an id of its own its key stands beside the change: it says which row.
    const key =
      table.record !== 'id' && (name === table.record || (action === 'update' && before[name] === after[name]))
    if (key) {
      if (name !== table.record && column.to) beside.push(...(names.get(keyOf(column.to, after[name])) ?? []))
      return []
    }
    if (hidden(name)) {
      withheld++
      return []
    }
    return [changeOf(name, column, before[name], after[name], names)]
  })
  if (table.record !== 'id' && action !== 'update')
    // Which row came or went: the records by which it is called.
    for (const name of table.told.title ?? []) {
      const to = name === table.record ? undefined : table.column(name)?.to
      if (to) beside.push(...(names.get(keyOf(to, (fresh ?? before)[name])) ?? []))
    }
  return { changes, withheld, beside }
}

/** The flags that are set in a number, by their values. */
const flagsIn = (given: unknown, choices: readonly Choice[]): string[] => {
  const set = BigInt(given as string | number)
  return choices.map(({ value }) => String(value)).filter((value) => (set & BigInt(value)) !== 0n)
}

function changeOf(
  name: string,
  { label, kind, places, choices, to, bits }: NonNullable<ReturnType<TableInWords['column']>>,
  before: unknown,
  after: unknown,
  names: Names,
): ToldChange {
  const value = (given: unknown): unknown => {
    if (isEmpty(given)) return null
    if (to) {
      const parts = names.get(keyOf(to, given))
      if (!parts) return { gone: true }
      const one = asOne(parts)
      // What has no name of its own is told by what it is.
      return { ...one, ...(!one.name && named(rowTitled(to.table) ?? A_RECORD)), ...(to.key === 'id' && { id: given }) }
    }
    if (bits) return flagsIn(given, choices ?? [])
    // What has a shape of its own is told where it is a single value.
    if (typeof given === 'object' && kind !== 'choices') return null
    return kind === 'richText' && typeof given === 'string' ? plainOf(given) : given
  }
  const [old, fresh] = [value(before), value(after)]
  const used = new Set((bits ? [old, fresh] : [before, after]).flat().map(String))
  const said = choices?.filter((choice) => used.has(String(choice.value)))
  const single = kind === 'json' && (old ?? fresh) !== null
  return {
    field: to ? refName(name) : name,
    old,
    new: fresh,
    label: named(label),
    kind: kind === 'richText' ? 'longText' : single ? 'text' : kind,
    ...(places !== undefined && { places }),
    ...(said?.length && {
      words: Object.fromEntries(said.map((choice) => [String(choice.value), named(choice.label)])),
    }),
  }
}

/** By what the record of an entry is called. */
function partsOf(
  entry: Kept,
  table: TableInWords,
  at: Pointer | null,
  known: ReadonlyMap<string, TableFacts>,
  names: Names,
): readonly ToldPart[] {
  const found = (at && entry.record_id !== null && names.get(keyOf(at, entry.record_id))) || []
  const values = (entry.action === 'insert' ? entry.new : entry.old) ?? {}
  const parts =
    found.length || table.record !== 'id' ? found : partsOfValues(table, known.get(entry.table_name), values, names)
  // Two ways may lead to the same record: it is named once.
  const once = parts.filter((part, i) => parts.findIndex(({ of, name }) => of === part.of && name === part.name) === i)
  return once.map((part) => {
    const word = table.column(part.of)?.choices?.find(({ value }) => value === part.name)
    return word ? { ...part, ...named(word.label) } : part
  })
}

/** What a row was called that is gone, by what it said. */
function partsOfValues(table: TableInWords, facts: TableFacts | undefined, values: Values, names: Names): ToldPart[] {
  const text = (name: string) => (typeof values[name] === 'string' && values[name] !== '' ? values[name] : null)
  const name = text('name') ?? text('name_local') ?? text('number') ?? text('title')
  const code = text('code')
  if (!table.told.title && (name || code))
    return [
      { of: table.def?.name ?? 'row', name: name ?? code!, name_local: text('name_local'), code: name ? code : null },
    ]
  const titled =
    table.told.title ??
    [...(facts?.columns ?? [])].flatMap(([column, { filled, to }]) =>
      filled && to && to.table !== 'users' ? [column] : [],
    )
  return titled.flatMap((column) => {
    const to = facts?.columns.get(column)?.to
    const own = text(column)
    return to ? [...(names.get(keyOf(to, values[column])) ?? [])] : own ? [{ of: column, name: own }] : []
  })
}

/** What was done to which record. */
function recordTold(
  entry: Kept,
  table: TableInWords,
  at: Pointer | null,
  changes: ToldChange[],
  parts: ToldPart[],
): Omit<Told, 'withheld'> {
  const own = table.record === 'id'
  const def = own ? table.def : resourceOf(at?.table ?? '')
  const { joined } = table
  const value = joined && entry.action !== 'update' && changes.find(({ field }) => field === refName(joined.value))
  const only = changes.length === 1 && entry.action === 'update' ? changes[0] : undefined
  const added =
    entry.action === 'insert'
      ? table.told.adds?.find(({ by }) => changes.some((one) => one.field === by && !isEmpty(one.new)))
      : undefined
  const says = added ? added.says : only && table.told.says?.[only.field]
  const one = value ? (def?.one ?? table.one) : table.one
  // Of what it is a part.
  const whole = !own && !value && at ? rowTitled(at.table) : undefined
  const removal = entry.action === 'update' && entry.new && 'removed_at' in entry.new ? entry.new : null
  return {
    action: value
      ? ({ insert: 'enter' }[entry.action] ?? 'leave')
      : removal
        ? isEmpty(removal.removed_at)
          ? 'restore'
          : 'remove'
        : entry.action,
    record: {
      one: one && named(one),
      ...(whole && { within: named(whole) }),
      parts: value ? parts.slice(0, 1) : parts,
      ...(says && { says: named(says) }),
      ...(added && { says_by: added.by }),
      path:
        def?.screens.show && parts.length && entry.record_id !== null
          ? def.screens.show.replace(':id', String(entry.record_id))
          : null,
    },
    changes: joined && value ? [{ ...value, field: joined.name, label: named(joined.label) }] : changes,
  }
}
