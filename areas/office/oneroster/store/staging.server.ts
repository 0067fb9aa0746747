import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import type { ReadBundle } from '../bundle/bundle.server.ts'
import type { Bundle, BundleError } from '../bundle/bundle.rules.ts'
import type { LeftReason } from '../bundle/texts.rules.ts'

/** Kinds of records in the order in which they are stored; each has a key of its own in `external_ids`. */
export const IMPORTED_KINDS = [
  'faculty',
  'department',
  'year',
  'term',
  'course',
  'offering',
  'user',
  'student',
  'instructor',
  'registration',
  'teaching',
] as const
export type ImportedKind = (typeof IMPORTED_KINDS)[number]

export interface Count {
  created: number
  changed: number
  same: number
  /** In the university from an earlier import, no longer in the bundle. */
  gone: number
  /** Of those that are gone: removed. */
  removed: number
  /** Fields or records left as they stand here; the reasons are in the list of changes. */
  left: number
}
/** One change, or what was left as it is. */
export interface ImportChange {
  readonly kind: ImportedKind
  readonly action: 'created' | 'changed' | 'gone' | 'left'
  readonly external_id: string
  /** Code or name by which people know it. */
  readonly label: string
  readonly line: number | null
  readonly field: string | null
  readonly old: string | null
  readonly new: string | null
  readonly reason: LeftReason | null
}

/** An import under way. */
export interface ImportRun {
  readonly tx: Tx
  readonly source: string
  /** false: only tells what it would do. */
  readonly apply: boolean
  readonly counts: Record<ImportedKind, Count>
  readonly changes: ImportChange[]
  readonly errors: BundleError[]
}

/** Examples kept of each kind of change. */
export const SAMPLES = 20

const STAGED: Readonly<Record<keyof Bundle, string>> = {
  faculties: 'external_id text, line integer, code text, made boolean, name text',
  departments: 'external_id text, line integer, code text, made boolean, name text, faculty text',
  years: 'external_id text, line integer, code text, name text, start_date date, end_date date',
  terms:
    'external_id text, line integer, code text, name text, start_date date, end_date date, year text, term_type text',
  courses: 'external_id text, line integer, code text, name text, faculty text, department text',
  classes:
    'external_id text, line integer, code text, course text, term text, faculty text, department text, students integer',
  users: `external_id text, line integer, code text, name text, email text, faculty text, department text, enabled boolean,
    student boolean, instructor boolean, unsaid boolean, type smallint`,
  enrollments: 'external_id text, line integer, class text, "user" text',
  teachings: 'external_id text, line integer, class text, "user" text, role text',
}

/** Puts the rows of a bundle into temporary tables `in_*`, as they came from its thread. */
export async function stageBundle(tx: Tx, rows: NonNullable<ReadBundle['rows']>): Promise<void> {
  for (const [kind, columns] of Object.entries(STAGED)) {
    const table = sql.table(`in_${kind}`)
    await sql`create temporary table ${table} (${sql.raw(columns)}) on commit drop`.execute(tx)
    for (const batch of rows[kind as keyof Bundle].batches)
      await sql`insert into ${table} select * from json_to_recordset(${Buffer.from(batch.buffer, batch.byteOffset, batch.byteLength)}::json) as t (${sql.raw(columns)})`.execute(
        tx,
      )
    await sql`analyze ${table}`.execute(tx)
  }
}

/** A temporary table of this transaction, with statistics. */
export async function keepTable(tx: Tx, name: string, query: RawBuilder<unknown>): Promise<void> {
  await sql`create temporary table ${sql.table(name)} on commit drop as ${query}`.execute(tx)
  await sql`analyze ${sql.table(name)}`.execute(tx)
}

/** Keeps examples of changes. */
export async function sample(
  { tx, changes }: ImportRun,
  kind: ImportedKind,
  action: ImportChange['action'],
  query: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<
    Pick<ImportChange, 'external_id' | 'label'> &
      Partial<Pick<ImportChange, 'line' | 'field' | 'old' | 'new' | 'reason'>>
  >`select * from (${query}) q limit ${SAMPLES}`.execute(tx)
  for (const row of rows)
    changes.push({
      kind,
      action,
      external_id: row.external_id,
      label: row.label,
      line: row.line ?? null,
      field: row.field ?? null,
      old: row.old ?? null,
      new: row.new ?? null,
      reason: row.reason ?? null,
    })
}

/** A bundle with errors: how many, and the first of them at their places. */
export const refuseBundle = (errors: readonly BundleError[], count = errors.length): Refusal =>
  new Refusal(422, [
    { field: 'file', code: 'bundle_has_errors', data: { count } },
    ...errors.slice(0, 20).map(({ file, line, column, code, data }) => ({
      field: [file, line, column].filter((part) => part !== null).join(':'),
      code,
      data,
    })),
  ])

/** Numbers of one statement. */
export async function numbers<T extends Record<string, number>>(tx: Tx, query: RawBuilder<T>): Promise<T> {
  return firstRow((await query.execute(tx)).rows)
}
