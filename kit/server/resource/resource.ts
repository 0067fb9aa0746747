import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import { inSheets, refName, resourceCalls } from '#kit/contract/index.ts'
import type {
  Access,
  ImportLinesQuery,
  ImportMend,
  ListMeta,
  ListQuery,
  Option,
  Problem,
  Resource,
  ResourceCalls,
  Row,
} from '#kit/contract/index.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx, Handled, Handler, Upload } from '../base/context.ts'
import { Refusal, hasText, refuse, toProblem } from '../base/errors.ts'
import type { Reason } from '../base/errors.ts'
import { columnsOf, sameValue, serverField } from '../base/fields.ts'
import { quoted } from '../base/field-filters.ts'
import type { ChildValues } from '../base/fields.ts'
import type { Column } from '../base/field-filters.ts'
import { historyOf } from './history.ts'
import { refuseInUse } from './in-use.ts'
import { syncRows } from './rows.ts'
import { importLines, mendImport, previewImport, saveImport } from './imports/imports.ts'
import { importKind, resourceImport } from './imports/resource.ts'
import { readLines } from './imports/sheet.ts'
import { pagedList } from './list.ts'
import type { ListRef } from './list.ts'
import { readOptions } from './options.ts'
import { registerOperation } from '../unit/operations.ts'
import {
  knownLookups,
  lookupSource,
  registerAdvisor,
  registerColumn,
  registerResources,
  registerScope,
  registerUnread,
} from '../base/registry.ts'
import { reachesAll, scopeCondition, holds } from '../base/scope.ts'
import type { ScopeOf, ScopeParts } from '../base/scope.ts'
import type { FieldName, Served, Values } from './served.ts'
import { exportList, importTemplate } from './transfer.ts'
import type { ServedWorkflow } from '../workflow/workflow.ts'

export type { Served, Values }

/** Whether an action is possible on a row: true; false, where it is none; or why not: a refusal's code, or with its data. */
export type Ability<R> = (row: Row<R>, ctx: Ctx) => boolean | string | Reason
/** The same for an action of the resource's own, for holders of a permission that reaches the row. */
export interface OwnAbility<R> {
  readonly permission: Access
  readonly possible?: Ability<R>
}

interface Options<R> {
  /** SQL of fields that are no columns of the table (they are `readOnly`); the row is `t`. */
  readonly computed?: { readonly [K in keyof FieldsOf<R>]?: string }
  /** Records that lookups point to, as they are called in a row, where that is not what they are called now: SQL of an object, over `t`. */
  readonly called?: { readonly [K in keyof FieldsOf<R>]?: string }
  /** Rows of no part of the university, which everybody with the permission reads, where the definition has such; the table is `t`. */
  readonly common?: RawBuilder<unknown>
  /** SQL of the account of who advises the person of a row `t`, where rows are reached by that: whose step it is next. */
  readonly advisor?: string
  /** A condition on the rows that always holds; the table is `t`. */
  readonly where?: (ctx: Ctx) => RawBuilder<unknown>
  /**
   * Actions on a row that the reader may take; sent with each row, and asked again by the server when the action is
   * done. `edit`, `remove` and `restore` exist by their permissions, and are narrowed by an ability of that name. An own
   * action names its permission, which has to reach the row; why it is not possible is sent with the row (`refused`), and
   * shown by its button.
   */
  readonly abilities?: Readonly<Record<string, Ability<R> | OwnAbility<R>>>
  /** The workflow its records go through: the steps open to the reader are abilities of the row. */
  readonly flow?: ServedWorkflow
  /** Filters beyond those of the definition: name → condition. */
  readonly filters?: Readonly<Record<string, (value: unknown, ctx: Ctx) => RawBuilder<unknown>>>
  /** Orders beyond those of the definition: name → SQL. */
  readonly sort?: Readonly<Record<string, string>>
  /** SQL of folded text that is searched; by default column `search_text`. */
  readonly search?: readonly string[]
  /** Fields whose options are sent with each list, in `meta.lookup`. */
  readonly lookups?: readonly (keyof FieldsOf<R> & string)[]
  /** What a list and its exports are asked for when the reader leaves it out: a term, say. */
  readonly query?: (ctx: Ctx, query: ListQuery) => Promise<ListQuery> | ListQuery
  /** What else a list tells, in `meta.details`. */
  readonly details?: (ctx: Ctx, query: ListQuery) => Promise<Record<string, unknown>>
  /**
   * Before a row is written, in its transaction: checks rules that concern several fields (throw a `Refusal`), may
   * change `merged`, and may give further columns to write. `current` is null for a new row.
   */
  readonly beforeWrite?: (
    ctx: Ctx,
    tx: Tx,
    merged: Values,
    current: (Values & { id: number }) | null,
  ) => Promise<Values | void> | Values | void
  /**
   * What new rows of a sheet mean beyond what they say, for each the text that is shown before anything is saved; may
   * complete their values. Where somebody adds a single record, `beforeWrite` refuses, and he or she says so.
   */
  readonly beforeLines?: (ctx: Ctx, tx: Tx, rows: readonly Values[]) => Promise<readonly (Reason | null)[]>
  /**
   * What a row of a sheet says that cannot be true at once: of all that stands in it, also where that is no change.
   * `current` is the record as it is stored; null for a new one.
   */
  readonly lineProblems?: (said: Values, current: Values | null) => readonly Reason[]
  /** After a row was written, in its transaction. */
  readonly afterWrite?: (
    ctx: Ctx,
    tx: Tx,
    id: number,
    merged: Values,
    current: (Values & { id: number }) | null,
  ) => Promise<void>
  /** Before a row is removed, in its transaction: throw to refuse. */
  readonly beforeRemove?: (ctx: Ctx, tx: Tx, id: number) => Promise<void>
  /** After a removed row came back, in its transaction: throw to refuse. */
  readonly afterRestore?: (ctx: Ctx, tx: Tx, id: number) => Promise<void>
}
type FieldsOf<R> = R extends Resource<string, infer F> ? F : never
type Overrides<R> = { readonly [K in keyof ResourceCalls<R>]?: Handler<ResourceCalls<R>[K]> }
type Scoped<R> = ScopeOf<R> extends undefined ? { readonly scope?: undefined } : { readonly scope: ScopeOf<R> }
/** How a resource is served. A handler named like a call (`list`, `create` …) replaces the generic one. */
export type ResourceOptions<R> = Options<R> & Overrides<R> & Scoped<R>

/** What the generic handlers take: each reads the part that its call declares. */
interface AnyInput {
  readonly params: { readonly id: number; readonly import_id: string }
  readonly body: unknown
  readonly file: Upload | null
}

/**
 * Serves a resource: list, get, history, create, update, remove, restore, export, import, as far as the definition
 * gives permissions for them. `scope` must name, as SQL, exactly the parts of the university by which the definition
 * says it is scoped; the table is `t`.
 *
 * @example serveResource(department, { scope: { faculty: () => sql`t.faculty_id`, department: () => sql`t.id` } })
 */
export const serveResource = <R extends Resource>(
  def: R,
  ...options: Partial<Scoped<R>> extends Scoped<R> ? [ResourceOptions<R>?] : [ResourceOptions<R>]
): readonly Handled[] => workings(def, (options[0] ?? {}) as ResourceOptions<R>).handlers

/** The same with all its pieces, for areas whose own handlers build on them. */
export const workings = <R extends Resource>(def: R, given: ResourceOptions<R>): Served<R> =>
  build(def, given, def.sheetFields ? build(inSheets(def), given, null) : undefined)

/** `sheets`: the same as its sheets have it, where that is something else; null: it is this itself. */
const build = <R extends Resource>(def: R, given: ResourceOptions<R>, sheets?: Served<R> | null): Served<R> => {
  const options = given as Options<R>
  const p = def.permissions
  const columns = columnsOf(
    def.fields,
    options.computed as Record<string, string> | undefined,
    options.called as Record<string, string> | undefined,
  )
  const written = columns.filter((c) => c.expression === undefined)
  const table = quoted(def.table)
  const from = sql.raw(`${table} t`)

  const known = sheets !== null
  if (known) registerResources([def])
  const scopeParts = (ctx: Ctx): ScopeParts | 'university' =>
    def.scope === 'university'
      ? 'university'
      : Object.fromEntries(
          Object.entries((given as { scope: Record<string, (ctx: Ctx) => RawBuilder<unknown>> }).scope).map(
            ([kind, part]) => [kind, part(ctx)],
          ),
        )
  if (known && def.scope !== 'university') registerScope(def.name, scopeParts as (ctx: Ctx) => ScopeParts)
  if (known && options.advisor) registerAdvisor(def.name, options.advisor)
  // Who reaches everything is asked at once: the parts are conditions, and each is built.
  const scope: Served['scope'] = (ctx, access) =>
    scopeCondition(ctx, access as Access, reachesAll(ctx, access as Access) ? 'university' : scopeParts(ctx))
  if (Boolean(def.common) !== Boolean(options.common)) throw new Error(`${def.name}: common rows need their condition`)
  const readingKeys: ReadonlySet<unknown> = new Set([p.list, p.show, p.export])
  const conditions = (ctx: Ctx, access: Access): RawBuilder<unknown>[] => {
    const out = reachesAll(ctx, access)
      ? []
      : [
          options.common && readingKeys.has(access)
            ? sql`(${scope(ctx, access)} or ${options.common})`
            : scope(ctx, access),
        ]
    if (options.where) out.push(options.where(ctx))
    return out
  }

  // --- Who reads which field: as its definition says, everywhere (true), nowhere (false), or on rows of a condition.
  const restricted = columns.filter((c) => c.field.readers)
  for (const { name } of restricted) {
    if (def.list.search.includes(name)) throw new Error(`${def.name}.${name} is searched: it cannot have readers`)
  }
  const byName = new Map(columns.map((c) => [c.name, c]))
  const readersOf = (ctx: Ctx, { field }: Column): boolean | RawBuilder<SqlBool> => {
    if (!field.readers || ctx.system !== null) return true
    const keys = field.readers.filter((reader) => reader !== 'self')
    if (holds(ctx, keys) && (def.scope === 'university' || reachesAll(ctx, keys))) return true
    const parts = scopeParts(ctx)
    const own = field.readers.includes('self') && ctx.actor && parts !== 'university' ? parts.own : undefined
    const any = [...(holds(ctx, keys) ? [scope(ctx, keys)] : []), ...(own ? [own] : [])]
    return any.length ? sql<SqlBool>`coalesce(${sql.join(any, sql` or `)}, false)` : false
  }
  /** For lists, whose rows are others' records: that one reads the own is no reason to offer a filter or a column. */
  const offeredTo = (ctx: Ctx, c: Column): boolean | RawBuilder<SqlBool> =>
    !c.field.readers ||
    ctx.system !== null ||
    holds(
      ctx,
      c.field.readers.filter((reader) => reader !== 'self'),
    )
      ? readersOf(ctx, c)
      : false
  const columnNamed = (name: string): Column => {
    const column = byName.get(name)
    if (!column) throw new Error(`${def.name} has no field ${name}`)
    return column
  }
  const readable: Served<R>['readable'] = (ctx, name) => {
    const may = readersOf(ctx, columnNamed(name))
    return typeof may === 'boolean' ? sql.raw(String(may)) : may
  }
  const masked = (may: boolean | RawBuilder<SqlBool>, expression: string): RawBuilder<unknown> =>
    may === true
      ? sql.raw(expression)
      : may === false
        ? sql.raw('null')
        : sql`case when ${may} then ${sql.raw(expression)} end`
  const column: Served<R>['column'] = (ctx, name) => {
    const c = columnNamed(name)
    return masked(readersOf(ctx, c), serverField(c.field).select(c)[0]?.[1] ?? 'null')
  }
  /** Fields of a row that the reader does not read. */
  const unread: Served<R>['unread'] = async (ctx, id, db = ctx.db) => {
    const doubtful = restricted.map((c) => ({ c, may: readersOf(ctx, c) })).filter(({ may }) => may !== true)
    if (!doubtful.length) return new Set()
    const { rows } = await sql<Record<string, boolean>>`select ${sql.join(
      doubtful.map(({ c, may }) => sql`${typeof may === 'boolean' ? sql.raw('false') : may} as ${sql.ref(c.name)}`),
    )} from ${from} where t.id = ${id}`.execute(db)
    return new Set(doubtful.map(({ c }) => c.name).filter((name) => rows[0]?.[name] !== true))
  }
  if (known) {
    registerUnread(def.name, (ctx, id) => unread(ctx, id))
    registerColumn(def.name, (ctx, name) => column(ctx, name as FieldName<R>))
  }
  /** Refuses to write what the writer may not read. */
  const requireReadable = async (ctx: Ctx, tx: Tx, id: number, names: readonly string[]): Promise<void> => {
    if (!restricted.some((c) => names.includes(c.name))) return
    const hidden = await unread(ctx, id, tx)
    const refused = names.filter((name) => hidden.has(name))
    if (refused.length)
      throw new Refusal(
        403,
        refused.map((field) => ({ field, code: 'not_allowed' })),
      )
  }

  // The columns are the same in every request; names of other resources are known only once all areas are there.
  const texts = new Map<string, string>()
  let lookups = 0
  const once = (name: string, make: () => readonly string[]): string => {
    if (lookups !== knownLookups()) texts.clear()
    lookups = knownLookups()
    let text = texts.get(name)
    if (text === undefined) texts.set(name, (text = make().join(', ')))
    return text
  }
  /** Of one row with the records it names beside it, or of `many`, whose records are read apart. */
  const columnsIn = (c: Column, many: boolean): (readonly [name: string, expression: string])[] => {
    const field = serverField(c.field)
    const apart = many ? field.ref?.(c)?.as : undefined
    return field.select(c).filter(([as]) => as !== apart)
  }
  const shownIn = (detail: boolean) => (c: Column) => detail || !c.field.detailOnly
  /** The same for everybody who reads them: fields without readers, or all. */
  const plain = (detail: boolean, many: boolean, all: boolean): string =>
    once(`${detail} ${many} ${all}`, () => [
      't.id, t.version',
      `${def.softDelete ? 't.removed_at is not null' : 'false'} as removed`,
      ...columns
        .filter((c) => shownIn(detail)(c) && (all || !c.field.readers))
        .flatMap((c) => columnsIn(c, many).map(([as, expression]) => `${expression} as ${quoted(as)}`)),
    ])
  const selected = (ctx: Ctx, detail: boolean, many: boolean): RawBuilder<unknown> => {
    const asked = restricted.filter(shownIn(detail)).map((c) => ({ c, may: readersOf(ctx, c) }))
    if (asked.every(({ may }) => may === true)) return sql.raw(plain(detail, many, true))
    return sql.join([
      sql.raw(plain(detail, many, false)),
      ...asked.flatMap(({ c, may }) =>
        columnsIn(c, many).map(([as, expression]) => sql`${masked(may, expression)} as ${sql.raw(quoted(as))}`),
      ),
    ])
  }
  const refs = (detail: boolean): ListRef[] =>
    columns.filter(shownIn(detail)).flatMap((c) => serverField(c.field).ref?.(c) ?? [])
  const stored = (): string =>
    once('stored', () => [
      't.id, t.version',
      `${def.softDelete ? 't.removed_at is not null' : 'false'} as removed`,
      ...written.map((c) => `${serverField(c.field).stored(c)} as ${quoted(c.name)}`),
    ])

  // --- Abilities: by permission here, by the reach of the permission in SQL, by the row in `abilities`.
  const verbs = { edit: p.edit, remove: p.remove, restore: def.softDelete ? p.restore : null } as const
  const verbNames = Object.keys(verbs) as (keyof typeof verbs)[]
  const stated = Object.entries(options.abilities ?? {}).map(([name, ability]) => {
    const own = typeof ability === 'function' ? undefined : ability
    return { name, own, possible: own ? own.possible : (ability as Ability<R>) }
  })
  const possibleOf = new Map(stated.map(({ name, possible }) => [name, possible]))
  const ownAbilities = stated.filter(({ name }) => !(name in verbs))
  /** Whether somebody's permission goes as far as changes of these records need. */
  const changes = (ctx: Ctx, access: Access): boolean => def.changedBy !== 'whole' || reachesAll(ctx, access)
  const requireChange = (ctx: Ctx, access: Access): void => {
    if (!readingKeys.has(access) && !changes(ctx, access)) throw refuse(403, 'not_allowed')
  }
  const reachColumns = (ctx: Ctx): RawBuilder<unknown>[] => [
    ...(options.flow ? [sql`${options.flow.column(ctx)} as __steps`] : []),
    ...[
      ...verbNames.map((verb) => [verb, verbs[verb]] as const),
      ...ownAbilities.map(({ name, own }) => [name, own?.permission ?? null] as const),
    ].flatMap(([name, key]) =>
      key && def.scope !== 'university' && holds(ctx, key) && !reachesAll(ctx, key)
        ? [sql`${scope(ctx, key)} as ${sql.raw(quoted(`__${name}`))}`]
        : [],
    ),
  ]
  const files = columns.flatMap(({ name, field }) => (field.kind === 'file' ? [name] : []))
  const finish: Served<R>['finish'] = (ctx, rows) => {
    const held = [
      ...verbNames.filter((verb) => verbs[verb] && holds(ctx, verbs[verb] as Access) && changes(ctx, verbs[verb])),
      ...ownAbilities.filter(({ own }) => !own || holds(ctx, own.permission)).map(({ name }) => name),
    ]
    return rows.map((row) => {
      const abilities: string[] = []
      const refused: Record<string, Problem> = {}
      for (const name of held) {
        if (row[`__${name}`] === false || (name in verbs && (name === 'restore') !== row.removed)) continue
        const answer = possibleOf.get(name)?.(row as Row<R>, ctx) ?? true
        if (answer === true) abilities.push(name)
        else if (answer) refused[name] = toProblem(reasonOf(answer))
      }
      if (options.flow && row.__steps && !row.removed) {
        const open = options.flow.open(ctx, row[options.flow.flow.field] as string, row.__steps as never)
        abilities.push(...open.abilities)
        Object.assign(refused, open.refused)
      }
      // Whoever may see the record may open its files.
      for (const name of files) {
        const file = row[name] as { id: number; name: string; url?: string } | null
        if (file && ctx.actor) file.url = ctx.services.files.link(file, ctx.actor)
      }
      row.abilities = abilities
      if (Object.keys(refused).length) row.refused = refused
      return row as Row<R>
    })
  }

  // --- Reading
  const presentRows = sql`select coalesce(sum(change), 0) from row_counts where table_name = ${sql.lit(def.table)}`
  const sortable = new Set([...def.list.sort, def.list.order[0]])
  const neverNull = new Set(
    written.flatMap((c) => (c.field.required && !c.field.readers && c.field.kind !== 'lookup' ? [c.name] : [])),
  )
  const narrowColumns = new Set(['id', 'search_text', 'removed_at', ...(def.searched ?? [])])
  const source: Served['source'] = (ctx, { removed = false, access = p.list as Access, detail = false } = {}) => ({
    from,
    select: sql.join([selected(ctx, detail, true), ...reachColumns(ctx)]),
    refs: refs(detail),
    ...(def.counted && !removed && !options.where && reachesAll(ctx, access) && { total: presentRows }),
    where: [
      ...(def.softDelete ? [sql.raw(`t.removed_at is ${removed ? 'not ' : ''}null`)] : []),
      ...conditions(ctx, access),
    ],
    ...(def.searched && { narrow: { table: quoted(`${def.table}_searched`), columns: narrowColumns } }),
    search: def.list.search.length ? (options.search ?? ['t.search_text']) : (options.search ?? []),
    sort: {
      ...Object.fromEntries(
        columns.flatMap((c) => {
          const by = sortable.has(c.name) ? serverField(c.field).sort(c, ctx.lang) : null
          const may = by !== null && offeredTo(ctx, c)
          return by && may ? [[c.name, may === true ? by : masked(may, by)]] : []
        }),
      ),
      ...options.sort,
    },
    neverNull,
    order: def.list.order,
    filters: {
      ...Object.fromEntries(
        columns
          .filter((c) => def.list.filters.includes(c.name))
          .flatMap((c) => {
            const may = offeredTo(ctx, c)
            if (may === false) return []
            const filter = (value: unknown) => serverField(c.field).filter(c, value)
            // Rows whose value the reader does not see are not found by it either.
            return [[c.name, may === true ? filter : (value: unknown) => sql`(${may} and ${filter(value)})`]]
          }),
      ),
      ...Object.fromEntries(
        Object.entries(options.filters ?? {}).map(([name, filter]) => [name, (value: unknown) => filter(value, ctx)]),
      ),
    },
  })
  const find: Served<R>['find'] = async (ctx, db, id, access = p.show as Access) => {
    const where = [sql`t.id = ${id}`, ...conditions(ctx, access)]
    const { rows } = await sql<Values>`select ${sql.join([selected(ctx, true, false), ...reachColumns(ctx)])}
      from ${from} where ${sql.join(where, sql` and `)}`.execute(db)
    return rows.length ? finish(ctx, rows)[0] : undefined
  }
  const get: Served<R>['get'] = async (ctx, db, id, access) => {
    const row = await find(ctx, db, id, access)
    if (!row) throw refuse(404, 'not_found')
    return row
  }

  // --- Writing
  const requireAbility = async (ctx: Ctx, tx: Tx, id: number, ability: string | undefined): Promise<void> => {
    const possible = ability === undefined ? undefined : possibleOf.get(ability)
    if (!possible) return
    const row = await find(ctx, tx, id, 'public')
    const answer = row && possible(row, ctx)
    if (answer !== true) throw new Refusal(409, [answer ? reasonOf(answer) : { code: 'state_not_allowed' }])
  }
  const storedRows: Served['stored'] = async (tx, list) => {
    if (!list.length) return []
    const { rows } = await sql<Values & { id: number; version: number }>`select ${sql.raw(stored())} from ${from}
      where t.id = any(${[...list]}::int[])`.execute(tx)
    return rows
  }
  const lock: Served['lock'] = async (ctx, tx, id, { access, ability, removed = false }) => {
    requireChange(ctx, access)
    const where = [sql`t.id = ${id}`, ...conditions(ctx, access)]
    const { rows } = await sql<Values & { id: number; version: number }>`select ${sql.raw(stored())} from ${from}
      where ${sql.join(where, sql` and `)} for update of t`.execute(tx)
    const [row] = rows
    if (!row) throw refuse(404, 'not_found')
    if (row.removed && !removed) throw refuse(409, 'removed_record')
    await requireAbility(ctx, tx, id, ability)
    return row
  }
  /** A row must not be put where its writer could not have written it. */
  const staysWithin = async (ctx: Ctx, tx: Tx, id: number, access: Access): Promise<void> => {
    if (def.scope === 'university' || reachesAll(ctx, access)) return
    const { rows } = await sql`select from ${from} where t.id = ${id} and ${scope(ctx, access)}`.execute(tx)
    if (!rows.length) throw refuse(403, 'not_allowed')
  }
  const missing = (merged: Values): Reason[] =>
    written
      .filter(
        ({ name, field }) => field.required && !field.readOnly && field.kind !== 'flag' && (merged[name] ?? '') === '',
      )
      .map(({ name }) => ({ field: name, code: 'required' }))
  /** What is kept in tables of its own: joined records and child rows. */
  const keepJoined = async (tx: Tx, id: number, values: Values, current: Values | null): Promise<void> => {
    for (const { name, field } of written) {
      if (field.kind === 'rows' && field.rows && values[name] !== undefined) {
        const before = (current?.[name] ?? []) as ChildValues[]
        await syncRows(tx, name, field.rows, id, before, (values[name] ?? []) as ChildValues[])
      }
      if (field.kind !== 'lookups' || values[name] === undefined || !field.through) continue
      const [joining, mine, theirs] = [field.through.table, field.through.from, field.through.to].map((part) =>
        sql.raw(quoted(part)),
      )
      const ids = [...new Set((values[name] ?? []) as number[])]
      await sql`delete from ${joining} where ${mine} = ${id} and ${theirs} <> all(${ids}::int[])`.execute(tx)
      if (ids.length) {
        await sql`insert into ${joining} (${mine}, ${theirs}) select ${id}::int, new_id from unnest(${ids}::int[]) as new_id
          where not exists (select from ${joining} where ${mine} = ${id} and ${theirs} = new_id)`.execute(tx)
      }
    }
  }
  /** Column and value of everything that is kept in the table itself. */
  const storable = (values: Values, extra: Values): [string, unknown][] => [
    ...written.flatMap((c): [string, unknown][] => {
      const { store } = serverField(c.field)
      return store && values[c.name] !== undefined && !(c.name in extra) ? [[c.name, store(values[c.name], c)]] : []
    }),
    ...Object.entries(extra),
  ]
  const insert: Served['insert'] = async (ctx, tx, input, access = p.add as Access) => {
    requireChange(ctx, access)
    const merged = { ...input }
    const extra = (await options.beforeWrite?.(ctx, tx, merged, null)) ?? {}
    const lacking = missing({ ...merged, ...extra })
    if (lacking.length) throw new Refusal(422, lacking)
    const values = storable(merged, extra)
    const { rows } = await (
      values.length
        ? sql<{ id: number }>`insert into ${sql.raw(table)} (${sql.join(values.map(([name]) => sql.raw(quoted(name))))})
          values (${sql.join(values.map(([, value]) => sql`${value}`))}) returning id`
        : sql<{ id: number }>`insert into ${sql.raw(table)} default values returning id`
    ).execute(tx)
    const { id } = rows[0] as { id: number }
    await keepJoined(tx, id, merged, null)
    await staysWithin(ctx, tx, id, access)
    await requireReadable(ctx, tx, id, namesIn(input))
    await options.afterWrite?.(ctx, tx, id, merged, null)
    return id
  }
  const update: Served['update'] = async (ctx, tx, id, { version, ...input }, access = p.edit as Access) => {
    const current = await lock(ctx, tx, id, { access, ability: 'edit' })
    await requireReadable(ctx, tx, id, namesIn(input))
    if (version !== undefined && version !== current.version) throw await changedMeanwhile(tx, def, id, input, current)
    const merged: Values = { ...current, ...input }
    const extra = (await options.beforeWrite?.(ctx, tx, merged, current)) ?? {}
    const lacking = missing(merged)
    if (lacking.length) throw new Refusal(422, lacking)
    const changed: Values = {}
    for (const { name, field } of written)
      if (!sameValue(field, merged[name], current[name])) changed[name] = merged[name]
    const values = storable(changed, extra)
    if (Object.keys(changed).length || values.length) {
      // Where only joined records changed, the row is written as it is, so that its version tells.
      const set = values.length
        ? values.map(([name, value]) => sql`${sql.raw(quoted(name))} = ${value}`)
        : [sql`version = version`]
      await sql`update ${sql.raw(table)} set ${sql.join(set)} where id = ${id}`.execute(tx)
      await keepJoined(tx, id, changed, current)
    }
    await staysWithin(ctx, tx, id, access)
    await options.afterWrite?.(ctx, tx, id, merged, current)
  }

  // --- Calls
  const asked = async (ctx: Ctx, query: ListQuery): Promise<ListQuery> => (await options.query?.(ctx, query)) ?? query
  const listed = async (ctx: Ctx, given: ListQuery): Promise<{ data: Row<R>[]; meta: ListMeta }> => {
    const query = await asked(ctx, given)
    const { data, meta } = await pagedList<Values>(ctx, source(ctx, { removed: query.removed }), query)
    const details = await options.details?.(ctx, query)
    const lookup = options.lookups?.length ? await optionsOf(ctx, def, options.lookups) : meta.lookup
    return { data: finish(ctx, data), meta: { ...meta, lookup, ...(details && { details }) } }
  }
  const inSheet = (): Served<R> => sheets ?? served
  const sheetColumns = columnsOf(
    inSheets(def).fields,
    options.computed as Record<string, string> | undefined,
    options.called as Record<string, string> | undefined,
  )
  const generic: Record<keyof ResourceCalls<R>, (ctx: Ctx, input: AnyInput) => Promise<unknown>> = {
    list: (ctx, { body }) => listed(ctx, body as ListQuery),
    get: async (ctx, { params }) => ({ data: await get(ctx, ctx.db, params.id) }),
    history: async (ctx, { params }) => {
      await get(ctx, ctx.db, params.id)
      return historyOf(ctx, def, params.id, await unread(ctx, params.id))
    },
    create: (ctx, { body }) =>
      ctx.write(async (tx) => {
        const id = await insert(ctx, tx, body as Values)
        return { data: await get(ctx, tx, id, 'public') }
      }),
    update: (ctx, { params, body }) =>
      ctx.write(async (tx) => {
        await update(ctx, tx, params.id, body as Values)
        return { data: await get(ctx, tx, params.id, 'public') }
      }),
    remove: (ctx, { params: { id } }) =>
      ctx.write(async (tx) => {
        const { version } = await lock(ctx, tx, id, { access: p.remove as Access, ability: 'remove' })
        await options.beforeRemove?.(ctx, tx, id)
        await refuseInUse(ctx, tx, def, id)
        if (!def.softDelete) {
          await sql`delete from ${sql.raw(table)} where id = ${id}`.execute(tx)
          return { id, version }
        }
        await sql`update ${sql.raw(table)} set removed_at = now() where id = ${id}`.execute(tx)
        return { id, version: version + 1 }
      }),
    restore: (ctx, { params: { id } }) =>
      ctx.write(async (tx) => {
        const row = await lock(ctx, tx, id, { access: p.restore as Access, ability: 'restore', removed: true })
        if (row.removed) {
          await sql`update ${sql.raw(table)} set removed_at = null where id = ${id}`.execute(tx)
          await options.afterRestore?.(ctx, tx, id)
        }
        return { id, version: row.version + (row.removed ? 1 : 0) }
      }),
    export: async (ctx, { body }) =>
      exportList(ctx, inSheet(), sheetColumns, await asked(ctx, body as ListQuery), 'xlsx'),
    exportPdf: async (ctx, { body }) =>
      exportList(ctx, inSheet(), sheetColumns, await asked(ctx, body as ListQuery), 'pdf'),
    template: (ctx) => importTemplate(ctx, inSheet()),
    preview: async (ctx, { file }) => ({
      data: await previewImport(ctx, resourceImport(inSheet()), await readLines(ctx, inSheet(), file)),
    }),
    importLines: async (ctx, { params, body }) => ({
      data: await importLines(ctx, resourceImport(inSheet()), params.import_id, body as ImportLinesQuery),
    }),
    importMend: async (ctx, { params, body }) => ({
      data: await mendImport(ctx, resourceImport(inSheet()), params.import_id, body as ImportMend),
    }),
    import: (ctx, { params, body }) =>
      saveImport(ctx, resourceImport(inSheet()), params.import_id, (body as { confirm?: number }).confirm),
  }
  const answerOf = (name: string) =>
    ((given as Record<string, unknown>)[name] ?? generic[name as keyof ResourceCalls<R>]) as Handled['handler']
  const handlers = Object.entries(resourceCalls(def)).map(([name, call]): Handled => ({
    call,
    handler: answerOf(name),
  }))
  if (known && p.import) {
    registerOperation({
      kind: importKind(def),
      label: def.many,
      permission: p.import,
      reach: { table: def.table, where: (ctx) => scope(ctx, p.import as Access) },
    })
  }
  const reads: Served<R>['reads'] = (ctx, name) => offeredTo(ctx, columnNamed(name)) !== false
  const reading = { reads, readable, column, unread, source, finish, find, get, stored: storedRows }
  const { beforeLines, lineProblems } = options
  const served: Served<R> = {
    def,
    handlers,
    at: (call, as) => ({ call, handler: answerOf(as) }),
    scope,
    ...reading,
    lock,
    insert,
    update,
    ...(beforeLines && { beforeLines }),
    ...(lineProblems && { lineProblems }),
  }
  return served
}

/** Why an action is not possible, as refusals tell it. */
const reasonOf = (answer: string | Reason): Reason =>
  typeof answer === 'string' ? { code: hasText(answer) ? answer : 'state_not_allowed' } : answer

/** Fields that are written. */
const namesIn = (input: Values): string[] => Object.keys(input).filter((name) => input[name] !== undefined)

/** Says what somebody else changed since the reader loaded the row: field by field, with who and when. */
async function changedMeanwhile(tx: Tx, def: Resource, id: number, input: Values, current: Values): Promise<Refusal> {
  const changed = Object.entries(def.fields)
    .filter(([name, field]) => input[name] !== undefined && !sameValue(field, input[name], current[name]))
    .map(([field]) => ({ field, yours: input[field] ?? null, theirs: current[field] ?? null }))
  const { rows } = await sql<{ at: string; name: string | null; name_local: string | null }>`
    select a.at, u.name, u.name_local from audit_log a left join users u on u.id = coalesce(a.impersonator_id, a.actor_id)
    where a.table_name = ${def.table} and a.record_id = ${id} order by a.at desc, a.id desc limit 1`.execute(tx)
  const [last] = rows
  return refuse(409, 'changed_meanwhile', {
    changed,
    version: current.version,
    by: last ? { name: last.name, name_local: last.name_local } : null,
    at: last?.at ?? null,
  })
}

/** Options of fields that a list sends along. */
async function optionsOf(ctx: Ctx, def: Resource, names: readonly string[]): Promise<ListMeta['lookup']> {
  const out: Record<string, Option[]> = {}
  for (const name of names) {
    const field = def.fields[name]
    if (field?.choices)
      out[name] = field.choices.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] }))
    else if (field?.to) {
      // Who may not list them is offered none; the list itself is still for the reader.
      const source = lookupSource(field.to)
      out[refName(name)] =
        source && holds(ctx, source.permission) ? (await readOptions(ctx, { name: field.to, limit: 500 })).data : []
    }
  }
  return out
}
