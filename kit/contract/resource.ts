import type { MenuBlock, MenuGroup, MenuSubject } from '#access/menu.contract.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { ScopeKind } from '#access/reach.contract.ts'
import { z } from 'zod'
import { call } from './call.ts'
import type { Call } from './call.ts'
import type { Field, FieldKind, Fields } from './field.ts'
import { importLinesQuery, importMend, importPreview } from './imports.ts'
import { exportQuery, idParam, listOf, listQuery, saved } from './schema.ts'
import type { Problem, Ref } from './schema.ts'
import { inputSchema, refName, rowSchema } from './resource-schemas.ts'
import { toldChange, toldRecord } from './told.ts'
import type { Label } from './words.ts'
import type { Workflow, WorkflowCalls } from './workflow.ts'

export { inputSchema, refName, rowSchema }

/** `university`: everybody with the permission sees every row. */
export type Scope = 'university' | readonly ScopeKind[]

export type Verb = 'list' | 'show' | 'add' | 'edit' | 'remove' | 'restore' | 'export' | 'import'
/** Key per verb; null: the verb is not offered. */
export type VerbPermissions = Readonly<Record<Verb, PermissionKey | readonly PermissionKey[] | 'signed_in' | null>>

export interface Section<K extends string = string> {
  readonly title: Label
  /** One short sentence of help. */
  readonly text?: Label
  readonly fields: readonly K[]
}

/** Columns of a list. */
export interface ListLayout<K extends string = string> {
  readonly columns: readonly K[]
  /** Columns searched, folded (case, Arabic variants, accents, digits). */
  readonly search: readonly K[]
  readonly sort: readonly K[]
  readonly filters: readonly K[]
  readonly order: readonly [K, 'asc' | 'desc']
}

export interface Resource<
  Name extends string = string,
  F extends Fields = Fields,
  P extends string = string,
  S extends Scope = Scope,
> {
  readonly name: Name
  /** First part of its calls, e.g. `/faculties`. */
  readonly path: P
  /** Where the documents have its list elsewhere, or have a record added by POST. */
  readonly at?: { readonly list: string; readonly add: 'POST' | 'PUT' }
  /** Table; columns are named like the fields. */
  readonly table: string
  readonly one: Label
  readonly many: Label
  /** Titles of the add and the edit screen. */
  readonly adding: Label
  readonly editing: Label
  readonly permissions: VerbPermissions
  readonly scope: S
  /**
   * Where each record is of the whole university (an account at a bank): `whole` leaves changes to who has the permission
   * everywhere. Whoever has it for a part reads.
   */
  readonly changedBy?: 'whole'
  /** Rows that belong to no part of the university (a window for all students) are read by everybody with the permission. */
  readonly common?: true
  readonly fields: F
  /**
   * Fields that stand in its sheets alone, out and in, behind the field `after`: the names of a person in parts, say, which
   * have calls and a screen of their own everywhere else. Columns of the table, like all fields.
   */
  readonly sheetFields?: { readonly after: string; readonly fields: Fields }
  readonly list: ListLayout
  /** Name of exported files without the ending. */
  readonly exportName: string
  /** By which field a row of a sheet is known again; `code` where there is one. */
  readonly knownBy?: string
  /** true: removing keeps the row with `removed`, and it can be restored. */
  readonly softDelete: boolean
  /** The database keeps how many rows are not removed (`count_table` of a migration): for tables of very many. */
  readonly counted?: boolean
  /**
   * Columns that stand once more in a narrow table beside its own (`keep_searched` of a migration), for tables of very many
   * wide rows: what lists are sorted and narrowed by, and how far a reader reaches. Searches that ask for no other are
   * answered from there.
   */
  readonly searched?: readonly string[]
  /** Routes of the generic screens; absent: no such screen here. */
  readonly screens: { readonly list?: string; readonly show?: string; readonly add?: string; readonly edit?: string }
  readonly sections?: readonly Section[]
  /** Opening a record is kept in the security log: who read whose. */
  readonly traced?: boolean
  /** Its screens are the generic ones: nothing is written for the browser. */
  readonly plain?: boolean
  /** Records that may be added beside those of the demo university, where nothing that is like one of them may. */
  readonly examples?: readonly Readonly<Record<string, unknown>>[]
  /** Place in the menu of the list screen. */
  readonly menu?: Menu
  /** The screen that leads to it, where it has no list in the menu. */
  readonly parent?: string
  /** Of what goes through a workflow as a request: the field that names whom it concerns; `student_id` unless told. */
  readonly holder?: string
  /** The field that names the account of whom it concerns instead, where others ask for it alike. */
  readonly otherHolder?: string
  /** The workflow its records go through, and its calls: its list is then the inbox of who decides (`request`). */
  readonly flow?: Workflow
  readonly steps?: WorkflowCalls
  /** Of a request: the code of what it costs before it is decided. */
  readonly fee?: string
}

export interface Menu {
  readonly group: MenuGroup
  /** Smaller comes first. */
  readonly order: number
  /** Name of a Tabler icon without the prefix, e.g. `school`. */
  readonly icon: string
  /** Users of these types (3: students) find it elsewhere: it opens, and is not in their menu. */
  readonly notFor?: readonly number[]
  /** In the menu of those alone who hold one of these: others open it from where they need it. */
  readonly only?: readonly PermissionKey[]
  /** Where it stands in the menu of users of a type (3: students), if elsewhere. */
  readonly groupOfType?: Readonly<Record<number, MenuGroup>>
  /** What the list of a resource is called to users of a type (3: students), who see their own there, where that differs. */
  readonly titleOfType?: Readonly<Record<number, Label>>
  /** The headed block of its group in which it stands. */
  readonly block?: MenuBlock
  /** Screens of one subject are one entry of the menu, where the first of them stands that the reader may open, and tabs beside each other. */
  readonly subject?: MenuSubject
  /** What its tab says, where that is not its title. */
  readonly tab?: Label
  /** What is done there, as people search for it, between commas: the palette finds the screen by these words too. */
  readonly also?: Label
  /** Set up once and then rarely: it stands on the page of the setup, not in the menu. */
  readonly setup?: true
  /** The page of the setup itself: opened by whoever may open anything that stands there. */
  readonly hub?: true
}
type FieldNames<F extends Fields, Test> = { [K in keyof F]: F[K] extends Test ? K : never }[keyof F]
type Lookups<F extends Fields> = FieldNames<F, Field<unknown, 'lookup'>> & string
type Value<T> = T extends Field<infer V, FieldKind> ? V : never

/** A row as it is answered: values, and the named record beside each lookup (`faculty` beside `faculty_id`). */
export type Row<R> =
  R extends Resource<string, infer F>
    ? {
        id: number
        version: number
        removed: boolean
        abilities: string[]
        /** Actions that would be possible but for this. */
        refused?: Record<string, Problem>
      } & {
        [K in keyof F]: F[K] extends Field<infer V, FieldKind, true> ? V : Value<F[K]> | null
      } & { [K in Lookups<F> as K extends `${infer N}_id` ? N : never]: Ref | null }
    : never
/** What is sent to create or change a row. */
export type RowInput<R> =
  R extends Resource<string, infer F>
    ? { [K in keyof F]?: F[K] extends Field<infer V, FieldKind, true> ? V : Value<F[K]> | null } & { version?: number }
    : never

/** By which field a row of a sheet is known again: a change of that record, not a new one. Null: every row is new. */
export const knownBy = (r: Resource): string | null => r.knownBy ?? ('code' in r.fields ? 'code' : null)

/** Defines a resource; see `Resource`. Its calls come from `resourceCalls`. */
export const resource = <
  const Name extends string,
  const F extends Fields,
  const P extends string,
  const S extends Scope,
>(
  // Names of fields are checked here and are plain texts in the type: `keyof F` would make no resource a `Resource`.
  definition: Resource<Name, F, P, S> & {
    readonly list: ListLayout<keyof F & string>
    readonly sections?: readonly Section<keyof F & string>[]
  },
): Resource<Name, F, P, S> => definition

/** One entry of a record's history: who changed what, when. */
export const historyEntry = z.object({
  at: z.string(),
  action: z.string(),
  by: z.string().nullable(),
  by_local: z.string().nullish(),
  as: z.string().nullable(),
  as_local: z.string().nullish(),
  reason: z.string().nullable(),
  /** What it concerned, in words; absent where the history is of another kind. */
  record: toldRecord.optional(),
  changes: z.array(toldChange),
})
/** Entries shown of one record; older ones stand in the log of changes. */
export const HISTORY_MOST = 500
/** The newest first; `older`: there are more than these. */
const historyAnswer = z.object({ data: z.array(historyEntry), older: z.boolean() })

const importId = z.object({ import_id: z.uuid() })

/** Path of its list, and by which method a record is added. */
export const listPath = (r: Resource): string => r.at?.list ?? r.path
export const addMethod = (r: Resource): 'POST' | 'PUT' => r.at?.add ?? 'PUT'

const callsMade = new WeakMap<Resource, unknown>()
/**
 * The calls of a resource, at the paths of the shared base of the documents. A verb without permission has no call. They are made once:
 * contract, server and screens speak of the same.
 */
export function resourceCalls<R extends Resource>(r: R): ResourceCalls<R> {
  const made = (callsMade.get(r) as ResourceCalls<R> | undefined) ?? makeCalls(r)
  callsMade.set(r, made)
  return made
}
function makeCalls<R extends Resource>(r: R): ResourceCalls<R> {
  const p = r.permissions
  const out: Record<string, Call> = {}
  const [one, many] = [r.one, r.many]
  const say = (en: string, ar: string, label: Label): Label => [`${en}: ${label[0]}`, `${ar}: ${label[1]}`]
  const put = (name: string, c: unknown) => {
    out[name] = c as Call
  }
  if (p.list) {
    put(
      'list',
      call('POST', listPath(r), {
        permission: p.list,
        summary: say('List', 'عرض', many),
        body: listQuery,
        response: listOf(rowSchema(r, 'list')),
        reads: true,
      }),
    )
  }
  if (p.show) {
    put(
      'get',
      call('GET', `${r.path}/{id}`, {
        permission: p.show,
        summary: say('Show', 'عرض', one),
        response: z.object({ data: rowSchema(r, 'detail') }),
        ...(r.traced && { traced: r.name }),
      }),
    )
    put(
      'history',
      call('GET', `${r.path}/{id}/history`, {
        permission: p.show,
        summary: say('History', 'سجل التغييرات', one),
        response: historyAnswer,
      }),
    )
  }
  if (p.add) {
    put(
      'create',
      call(addMethod(r), r.path, {
        permission: p.add,
        summary: say('Add', 'إضافة', one),
        body: inputSchema(r, 'create'),
        response: z.object({ data: rowSchema(r, 'detail') }),
        ...(r.examples && { example: r.examples[0] }),
      }),
    )
  }
  if (p.edit) {
    put(
      'update',
      call('PUT', `${r.path}/{id}`, {
        permission: p.edit,
        summary: say('Change', 'تعديل', one),
        body: inputSchema(r, 'update'),
        response: z.object({ data: rowSchema(r, 'detail') }),
      }),
    )
  }
  if (p.remove) {
    put(
      'remove',
      call('DELETE', `${r.path}/{id}`, { permission: p.remove, summary: say('Remove', 'حذف', one), response: saved }),
    )
  }
  if (p.restore && r.softDelete) {
    put(
      'restore',
      call('POST', `${r.path}/restore/{id}`, {
        permission: p.restore,
        summary: say('Restore', 'استعادة', one),
        response: saved,
      }),
    )
  }
  if (p.export) {
    for (const [name, path, type] of [
      ['export', 'export', 'xlsx'],
      ['exportPdf', 'export-pdf', 'pdf'],
    ] as const) {
      put(
        name,
        call('POST', `${r.path}/${path}`, {
          permission: p.export,
          summary: say(type === 'pdf' ? 'Export as PDF' : 'Export', 'تصدير', many),
          body: exportQuery,
          file: { name: `${r.exportName}.${type}`, type, fixed: true },
          reads: true,
        }),
      )
    }
  }
  if (p.import) {
    put(
      'template',
      call('GET', `${r.path}/import/template`, {
        permission: p.import,
        summary: say('Import template', 'نموذج الاستيراد', many),
        file: { name: `${r.exportName} template.xlsx`, type: 'xlsx' },
        traced: false,
      }),
    )
    put(
      'preview',
      call('POST', `${r.path}/import/preview`, {
        permission: p.import,
        summary: say('Check a sheet before import', 'مراجعة ملف قبل الاستيراد', many),
        upload: { field: 'file', accept: ['xlsx', 'csv'] },
        response: z.object({ data: importPreview }),
      }),
    )
    put(
      'importLines',
      call('POST', `${r.path}/import/rows/{import_id}`, {
        permission: p.import,
        summary: say('Show rows of a checked sheet', 'عرض صفوف ملف تمت مراجعته', many),
        params: importId,
        body: importLinesQuery,
        response: z.object({ data: importPreview }),
        reads: true,
      }),
    )
    put(
      'importMend',
      call('POST', `${r.path}/import/mend/{import_id}`, {
        permission: p.import,
        summary: say('Correct rows of a checked sheet', 'تصحيح صفوف ملف تمت مراجعته', many),
        params: importId,
        body: importMend,
        response: z.object({ data: importPreview }),
      }),
    )
    put(
      'import',
      call('POST', `${r.path}/import/save/{import_id}`, {
        permission: p.import,
        summary: say('Import a checked sheet', 'استيراد ملف تمت مراجعته', many),
        params: importId,
        // How many records change, typed again, where that is asked for.
        body: z.strictObject({ confirm: z.int().optional() }),
        response: z.object({ created: z.int(), updated: z.int(), operation_id: z.int().nullable() }),
      }),
    )
  }
  return out as never
}

export interface ResourceCalls<R> {
  readonly list: Call<
    'POST',
    string,
    Record<string, never>,
    undefined,
    typeof listQuery,
    z.ZodType<{ data: Row<R>[]; meta: ListMeta }>
  >
  readonly get: Call<'GET', string, { id: number }, undefined, undefined, z.ZodType<{ data: Row<R> }>>
  readonly history: Call<'GET', string, { id: number }, undefined, undefined, z.ZodType<z.output<typeof historyAnswer>>>
  readonly create: Call<
    'PUT',
    string,
    Record<string, never>,
    undefined,
    z.ZodType<RowInput<R>, RowInput<R>>,
    z.ZodType<{ data: Row<R> }>
  >
  readonly update: Call<
    'PUT',
    string,
    { id: number },
    undefined,
    z.ZodType<RowInput<R>, RowInput<R>>,
    z.ZodType<{ data: Row<R> }>
  >
  readonly remove: Call<'DELETE', string, { id: number }, undefined, undefined, typeof saved>
  readonly restore: Call<'POST', string, { id: number }, undefined, undefined, typeof saved>
  readonly export: Call<'POST', string, Record<string, never>, undefined, typeof listQuery, undefined>
  readonly exportPdf: Call<'POST', string, Record<string, never>, undefined, typeof listQuery, undefined>
  readonly template: Call<'GET', string, Record<string, never>, undefined, undefined, undefined>
  readonly preview: Call<
    'POST',
    string,
    Record<string, never>,
    undefined,
    undefined,
    z.ZodType<{ data: z.output<typeof importPreview> }>
  >
  readonly importLines: Call<
    'POST',
    string,
    { import_id: string },
    undefined,
    typeof importLinesQuery,
    z.ZodType<{ data: z.output<typeof importPreview> }>
  >
  readonly importMend: Call<
    'POST',
    string,
    { import_id: string },
    undefined,
    typeof importMend,
    z.ZodType<{ data: z.output<typeof importPreview> }>
  >
  readonly import: Call<
    'POST',
    string,
    { import_id: string },
    undefined,
    z.ZodType<{ confirm?: number }, { confirm?: number }>,
    z.ZodType<{ created: number; updated: number; operation_id: number | null }>
  >
}
export interface ListMeta {
  count: number
  lookup: Record<string, { id: number | string; name: string; name_local?: string | null; code?: string | null }[]>
  details?: Record<string, unknown>
}
/** Schema of ids in paths, for own calls. */
export { idParam }
