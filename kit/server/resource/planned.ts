/** What an area says of a resource that it serves, and what follows from that and the definition for every part. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Access, ListQuery, Resource, ResourceCalls, Row } from '#kit/contract/index.ts'
import type { Ctx, Handler } from '../base/context.ts'
import type { Reason } from '../base/errors.ts'
import { columnsOf } from '../base/fields.ts'
import { quoted } from '../base/field-filters.ts'
import type { Column } from '../base/field-filters.ts'
import type { ScopeOf } from '../base/scope.ts'
import type { ServedWorkflow } from '../workflow/workflow.ts'
import type { Values } from './served.ts'

/** Whether an action is possible on a row: true; false, where it is none; or why not: a refusal's code, or with its data. */
export type Ability<R> = (row: Row<R>, ctx: Ctx) => boolean | string | Reason
/** The same for an action of the resource's own, for holders of a permission that reaches the row. */
export interface OwnAbility<R> {
  readonly permission: Access
  readonly possible?: Ability<R>
}

export interface Options<R> {
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
export type Scoped<R> = ScopeOf<R> extends undefined ? { readonly scope?: undefined } : { readonly scope: ScopeOf<R> }
/** How a resource is served. A handler named like a call (`list`, `create` …) replaces the generic one. */
export type ResourceOptions<R> = Options<R> & Overrides<R> & Scoped<R>

/** A resource that is served: its definition, what the area adds to it, and its table. */
export interface Planned<R extends Resource> {
  readonly def: R
  readonly options: Options<R>
  /** SQL of the parts of the university that a row belongs to. */
  readonly parts: Readonly<Record<string, (ctx: Ctx) => RawBuilder<unknown>>>
  readonly columns: readonly Column[]
  /** Those that are columns of the table. */
  readonly written: readonly Column[]
  readonly table: string
  readonly from: RawBuilder<unknown>
  /** Whether others find it by its name: not where it is what its sheets have. */
  readonly known: boolean
}

/** Puts together what all parts of serving a resource need. */
export function planned<R extends Resource>(def: R, given: ResourceOptions<R>, known: boolean): Planned<R> {
  const options = given as Options<R>
  if (Boolean(def.common) !== Boolean(options.common)) throw new Error(`${def.name}: common rows need their condition`)
  const columns = columnsIn(def, options)
  const table = quoted(def.table)
  return {
    def,
    options,
    parts: (given as { scope?: Record<string, (ctx: Ctx) => RawBuilder<unknown>> }).scope ?? {},
    columns,
    written: columns.filter((c) => c.expression === undefined),
    table,
    from: sql.raw(`${table} t`),
    known,
  }
}

/** Columns of fields, with what the area says of them. */
export const columnsIn = <R>({ fields }: Pick<Resource, 'fields'>, { computed, called }: Options<R>): Column[] =>
  columnsOf(fields, computed as Record<string, string> | undefined, called as Record<string, string> | undefined)
