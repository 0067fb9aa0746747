import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Access, Choice, Label, Resource } from '#kit/contract/index.ts'
import { CHIP_COLOURS } from '#kit/contract/schema.ts'
import type { TableTold, TablesTold } from '#kit/contract/telling.ts'
import type { RawBuilder } from 'kysely'
import type { Ctx } from './context.ts'
import type { ScopeParts } from './scope.ts'
import type { WorkSource } from '../workflow/work.ts'

/**
 * The source of a lookup's options. A served resource with a name is a source by itself; define one if the options are
 * read in another way (`offering` is named by its course). SQL calls the row `r`; scope parts call it `t`.
 */
export interface LookupSource {
  readonly name: string
  /** Table or view whose rows have `id`. */
  readonly table: string
  /** SQL of what an option shows. */
  readonly label: {
    readonly name: string
    readonly name_local?: string
    readonly code?: string
    /** Of the chip by which it stands. */
    readonly colour?: string
  }
  /** SQL of folded text that is searched; by default column `search_text` when the resource has one. */
  readonly search?: string
  /** SQL that is true for rows that may be chosen; by default those not removed, where the resource keeps removed rows. */
  readonly where?: string
  /** SQL order; by default code, then name. */
  readonly order?: string
  readonly permission: Access
  /** Condition by the reader's rights; `university`: every option to everybody with the permission. */
  readonly scope: 'university' | ((ctx: Ctx) => ScopeParts)
  /** Columns by which a caller may narrow the options, e.g. `faculty_id`; by default lookups, choices and flags that its list is filtered by. */
  readonly filters?: readonly string[]
  /** A further condition that depends on what the caller sends in `filters` under other names. */
  readonly narrow?: (filters: Readonly<Record<string, unknown>>, ctx: Ctx) => RawBuilder<unknown> | undefined
}

const resources = new Map<string, Resource>()
const tables = new Map<string, TableTold>()
const states = new Map<string, { readonly field: string; readonly states: readonly Choice[] }>()
let columnWords: ColumnWords = { columns: {}, values: {}, untold: new Set(), amounts: new Set(), choices: {} }
const sources = new Map<string, LookupSource>()
const derived = new Map<string, LookupSource>()
const scopes = new Map<string, (ctx: Ctx) => ScopeParts>()
const advisors = new Map<string, string>()
const columns = new Map<string, (ctx: Ctx, field: string) => RawBuilder<unknown>>()
const unread = new Map<string, (ctx: Ctx, id: number) => Promise<ReadonlySet<string>>>()
const work = new Map<string, readonly WorkSource[]>()

/** Makes resources known by name, for lookups that point to them. Twice the same is harmless. */
export function registerResources(list: readonly Resource[]): void {
  for (const r of list) {
    const known = resources.get(r.name)
    if (known && known !== r && known.table !== r.table) throw new Error(`Two resources are named '${r.name}'`)
    resources.set(r.name, r)
  }
}

/** What the log says of audited tables, as their areas say it. */
export const registerTables = (told: TablesTold): void => {
  for (const [table, words] of Object.entries(told)) tables.set(table, words)
}
/** What an area says of an audited table, besides its resource. */
export const tableTold = (table: string): TableTold | undefined => tables.get(table)
/** What the rows of a table are called: by its resource, or by its area. */
export const tableName = (table: string): Label | undefined =>
  servedResources().find((one) => one.table === table)?.many ?? tables.get(table)?.many

/** Words for columns and stored values that stand in no form, by name: for logs. */
export interface ColumnWords {
  readonly columns: Readonly<Record<string, Label>>
  readonly values: Readonly<Record<string, Label>>
  /** Columns that say nothing to people. */
  readonly untold: ReadonlySet<string>
  /** Amounts in minor units. */
  readonly amounts: ReadonlySet<string>
  /** Columns of a fixed set that no definition and no constraint tells. */
  readonly choices: Readonly<Record<string, readonly Choice[]>>
}
export const registerColumnWords = (words: ColumnWords): void => void (columnWords = words)
export const wordsOfColumns = (): ColumnWords => columnWords

/** States of a table that goes through a workflow. */
export const registerStates = (table: string, field: string, choices: readonly Choice[]): void =>
  void states.set(table, { field, states: choices })
export const statesOf = (table: string) => states.get(table)

/** Makes a lookup known; it wins over the resource of the same name. */
export const registerLookup = (source: LookupSource): void => void sources.set(source.name, source)

/** Keeps how a served resource is bound to the university, so that its lookup is as narrow as its list. */
export const registerScope = (name: string, scope: (ctx: Ctx) => ScopeParts): void => void scopes.set(name, scope)

/** By which of its columns a resource is bound to the university, as it is served. */
export const scopeNamed = (name: string): ((ctx: Ctx) => ScopeParts) | undefined => scopes.get(name)

/** Registers who advises the people of a served resource: SQL of the account, over the row `t`. */
export const registerAdvisor = (name: string, account: string): void => void advisors.set(name, account)

/** Who advises somebody, as the resource of these people is served. */
export const advisorNamed = (name: string): string | undefined => advisors.get(name)

/** Keeps how a field of a resource is selected as its reader reads it, for areas that come before the one that serves it. */
export const registerColumn = (name: string, of: (ctx: Ctx, field: string) => RawBuilder<unknown>): void =>
  void columns.set(name, of)

/** SQL: a field of the record `t`, or null for readers without the right to it. */
export const columnOf = (name: string) => columns.get(name)

/** Keeps which fields of one of its records a reader does not read, for logs that tell of it. */
export const registerUnread = (name: string, of: (ctx: Ctx, id: number) => Promise<ReadonlySet<string>>): void =>
  void unread.set(name, of)

/** Which fields of a record are kept from a reader, as its resource is served. */
export const unreadNamed = (name: string) => unread.get(name)

/** Makes known what of an area waits for people. */
export const registerWork = (area: string, sources: readonly WorkSource[]): void => void work.set(area, sources)

/** What waits for people, of every area. */
export const workSources = (): readonly WorkSource[] => [...work.values()].flat()

/** A resource by name. */
export const resourceNamed = (name: string): Resource | undefined => resources.get(name)

/** How many records can be looked up by now: it grows while the areas of the program come together. */
export const knownLookups = (): number => resources.size + sources.size

/** Every resource that is known. */
export const servedResources = (): readonly Resource[] => [...resources.values()]

/** Whether records of a resource are marked by chips: they have a colour, and it is one of theirs. */
const hasChip = ({ fields }: Resource): boolean =>
  fields.colour?.choices?.every(({ value }) => (CHIP_COLOURS as readonly string[]).includes(String(value))) ?? false

/** What a lookup named `name` shows; undefined when there is none. */
export function lookupSource(name: string): LookupSource | undefined {
  const known = sources.get(name) ?? derived.get(name)
  if (known) return known
  const r = resources.get(name)
  if (!r || !('name' in r.fields)) return undefined
  const keys = [r.permissions.list, r.permissions.show].flat().filter((key) => key !== null)
  const source: LookupSource = {
    name,
    table: r.table,
    label: {
      name: 'r.name',
      ...('name_local' in r.fields && { name_local: 'r.name_local' }),
      ...('code' in r.fields && { code: 'r.code' }),
      // Other colours than those of chips mark something else: days of a calendar.
      ...(hasChip(r) && { colour: 'r.colour' }),
    },
    ...(r.list.search.length && { search: 'r.search_text' }),
    ...(r.softDelete && { where: 'r.removed_at is null' }),
    permission: keys.includes('signed_in') ? 'signed_in' : (keys as PermissionKey[]),
    scope: r.scope === 'university' ? 'university' : (scopes.get(name) ?? (() => ({}))),
    // What its list is filtered by, and everybody reads who may list it.
    filters: Object.entries(r.fields).flatMap(([key, field]) =>
      ['lookup', 'choice', 'flag'].includes(field.kind) && r.list.filters.includes(key) && !field.readers ? [key] : [],
    ),
  }
  derived.set(name, source)
  return source
}
