import { sql } from 'kysely'
import { inSheets, refName, resourceCalls } from '#kit/contract/index.ts'
import type {
  Access,
  ImportLinesQuery,
  ImportMend,
  ListMeta,
  ListQuery,
  Option,
  Resource,
  ResourceCalls,
  Row,
} from '#kit/contract/index.ts'
import type { Ctx, Handled, Upload } from '../base/context.ts'
import { lookupSource, registerResources } from '../base/registry.ts'
import { holds } from '../base/scope.ts'
import { registerOperation } from '../unit/operations.ts'
import { abilitiesOf } from './abilities.ts'
import { fieldReaders } from './field-readers.ts'
import { historyOf } from './history.ts'
import { importLines, mendImport, previewImport, saveImport } from './imports/imports.ts'
import { importKind, resourceImport } from './imports/resource.ts'
import { readLines } from './imports/sheet.ts'
import { refuseInUse } from './in-use.ts'
import { pagedList } from './list.ts'
import { readOptions } from './options.ts'
import { columnsIn, planned } from './planned.ts'
import type { Ability, ResourceOptions, Scoped } from './planned.ts'
import { reachOf } from './reach.ts'
import { readingOf } from './reading.ts'
import type { Served, Values } from './served.ts'
import { exportList, importTemplate } from './transfer.ts'
import { writingOf } from './writing.ts'

export type { Ability, Served, Values }

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
  const known = sheets !== null
  if (known) registerResources([def])
  const plan = planned(def, given, known)
  const reach = reachOf(plan)
  const readers = fieldReaders(plan, reach)
  const abilities = abilitiesOf(plan, reach)
  const reading = readingOf(plan, reach, readers, abilities)
  const writing = writingOf(plan, reach, readers, abilities, reading)
  const { options, table } = plan
  const { get, source } = reading
  const { lock, insert, update } = writing
  const { finish } = abilities
  const p = def.permissions

  const asked = async (ctx: Ctx, query: ListQuery): Promise<ListQuery> => (await options.query?.(ctx, query)) ?? query
  const listed = async (ctx: Ctx, given: ListQuery): Promise<{ data: Row<R>[]; meta: ListMeta }> => {
    const query = await asked(ctx, given)
    const { data, meta } = await pagedList<Values>(ctx, source(ctx, { removed: query.removed }), query)
    const details = await options.details?.(ctx, query)
    const lookup = options.lookups?.length ? await optionsOf(ctx, def, options.lookups) : meta.lookup
    return { data: finish(ctx, data), meta: { ...meta, lookup, ...(details && { details }) } }
  }
  const inSheet = (): Served<R> => sheets ?? served
  const sheetColumns = columnsIn(inSheets(def), options)
  const generic: Record<keyof ResourceCalls<R>, (ctx: Ctx, input: AnyInput) => Promise<unknown>> = {
    list: (ctx, { body }) => listed(ctx, body as ListQuery),
    get: async (ctx, { params }) => ({ data: await get(ctx, ctx.db, params.id) }),
    history: async (ctx, { params }) => {
      await get(ctx, ctx.db, params.id)
      return historyOf(ctx, def, params.id, await readers.unread(ctx, params.id))
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
      reach: { table: def.table, where: (ctx) => reach.scope(ctx, p.import as Access) },
    })
  }
  const { beforeLines, lineProblems } = options
  const served: Served<R> = {
    def,
    handlers,
    at: (call, as) => ({ call, handler: answerOf(as) }),
    scope: reach.scope,
    reads: (ctx, name) => readers.offeredTo(ctx, readers.columnNamed(name)) !== false,
    readable: readers.readable,
    column: readers.column,
    unread: readers.unread,
    source,
    finish,
    find: reading.find,
    get,
    stored: writing.storedRows,
    lock,
    insert,
    update,
    ...(beforeLines && { beforeLines }),
    ...(lineProblems && { lineProblems }),
  }
  return served
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
