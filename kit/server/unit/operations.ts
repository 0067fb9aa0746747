import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Access, Label } from '#kit/contract/index.ts'
import type { Ctx } from '../base/context.ts'
import { holds, reachesAll } from '../base/scope.ts'

/** An operation as it is stored. */
export interface Operation {
  readonly id: number
  readonly kind: string
  readonly facts: Readonly<Record<string, unknown>>
  readonly counts: Readonly<Record<string, number>>
  readonly actor_id: number | null
  readonly at: string
  readonly expires_at: string
  readonly undone_at: string | null
}

/**
 * Something that is done to many records at once and can be taken back within seven days.
 *
 * **How to use it.** Register the kind where the server's side of the area is loaded, and write through
 * `writeOperation` instead of `ctx.write`:
 *
 * ```ts
 * registerOperation({ kind: 'import/bundle', label: ['Bundles', 'الحزم'], permission: 'import_bundle' })
 *
 * const { result, operation_id } = await writeOperation(ctx, { kind: 'import/bundle', facts: { file: 'spring.zip', about: '…' } },
 *   async (tx) => ({ result: await store(tx), counts: { created: 12, changed: 3 } }))
 * ```
 *
 * Answer `operation_id`, so that the screen can offer to undo (`<UndoNotice>`, `POST /operations/{id}/undo`). Nothing
 * else is needed for tables under the audit trail (`audit_table`): undoing puts back, field by field, what still has the
 * value that the operation wrote; removes what it added, if nobody changed it and nothing else refers to it; and brings
 * back what it deleted. What somebody changed meanwhile stays, and is listed.
 *
 * Tables that are not audited are not put back: settle them in `after`. `undo_rows` (a table of the transaction with
 * `table_name`, `record_id`, `action` 'change' | 'remove' | 'restore', `state` 'done' | 'kept') tells what became of
 * each row. A table whose rows have a history or a state of their own registers how its rows are put back:
 * `registerUndo`.
 */
export interface OperationKind {
  /** What was done, and to what: `import/faculty`. The screens have a word for the part before the `/`. */
  readonly kind: string
  /** To what it was done, as lists call it: a label of the area that the other languages know as well. */
  readonly label: Label
  /** Who may do it, and therefore undo it: the own ones within reach, those of others with the whole university. */
  readonly permission: Access
  /** The rows of `table` (as `t`) that somebody whose permission reaches less may put back. */
  readonly reach?: { readonly table: string; readonly where: (ctx: Ctx) => RawBuilder<unknown> }
  /** Columns by table that follow from others and are computed again in `after`: neither put back nor compared. */
  readonly derived?: Readonly<Record<string, readonly string[]>>
  /** Before anything is put back, in its transaction: throw a `Refusal` where the state does not allow it any more. */
  readonly before?: (ctx: Ctx, tx: Tx, operation: Operation) => Promise<void>
  /** After everything was put back, in its transaction. */
  readonly after?: (ctx: Ctx, tx: Tx, operation: Operation) => Promise<void>
}

/** A row that is put back. `before` and `after`: the values that the operation found and wrote. */
export interface UndoneRow {
  readonly record_id: number | null
  readonly action: 'change' | 'remove' | 'restore'
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}
/** Puts back rows of one table; `write` does what is done for every table, in one statement. */
export type UndoOfTable = (ctx: Ctx, tx: Tx, rows: readonly UndoneRow[], write: () => Promise<void>) => Promise<void>

const kinds = new Map<string, OperationKind>()
const tables = new Map<string, UndoOfTable>()

/** Makes a kind of operation known. Twice the same name: the last one counts. */
export const registerOperation = (kind: OperationKind): void => void kinds.set(kind.kind, kind)
/** How rows of a table that is no resource are called where undoing left them. */
export interface RowNames {
  readonly what: Label
  /** SQL of `id`, `code`, `name`, `name_local` of the records `$1` (ids as the audit trail has them). */
  readonly select: string
  readonly fields?: Readonly<Record<string, Label>>
  /** The column of the row itself by which it is called, where the trail names another record (its questionnaire). */
  readonly called?: string
  /** Why a row stays to which a row of a table (the key) refers: the code of a refusal, for tables that people do not know by name. */
  readonly held?: Readonly<Record<string, string>>
}
const rowNames = new Map<string, RowNames>()

/** Has an area put back the rows of a table itself, e.g. with a step in their history. */
export function registerUndo(table: string, undo: UndoOfTable, names?: RowNames): void {
  tables.set(table, undo)
  if (names) rowNames.set(table, names)
}
export const namesOfRows = (table: string): RowNames | undefined => rowNames.get(table)

export const operationKind = (kind: string): OperationKind | undefined => kinds.get(kind)
export const operationKinds = (): readonly OperationKind[] => [...kinds.values()]
export const undoOfTable = (table: string): UndoOfTable | undefined => tables.get(table)

/** Whether the reader may undo an operation: holds its permission now, and did it or has the permission everywhere. */
export const mayUndo = (ctx: Ctx, operation: Pick<Operation, 'kind' | 'actor_id'>): boolean => {
  const known = kinds.get(operation.kind)
  if (!known || !holds(ctx, known.permission)) return false
  return reachesAll(ctx, known.permission) || (ctx.actor !== null && operation.actor_id === ctx.actor.user_id)
}

/**
 * `ctx.write` as one operation: every change is kept in the audit trail as part of it. When all counts are 0, nothing
 * was done and there is no operation (`operation_id` null).
 */
export function writeOperation<T>(
  ctx: Ctx,
  { kind, facts = {}, reason }: { kind: string; facts?: Readonly<Record<string, unknown>>; reason?: string },
  work: (tx: Tx, operation_id: number) => Promise<{ result: T; counts: Readonly<Record<string, number>> }>,
): Promise<{ result: T; operation_id: number | null }> {
  if (!kinds.has(kind)) throw new Error(`No operation is named '${kind}': register it`)
  return ctx.write(
    async (tx) => {
      const { rows } = await sql<{ id: number }>`insert into operations (kind, facts, actor_id, impersonator_id)
        values (${kind}, ${JSON.stringify(facts)}::jsonb, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null})
        returning id`.execute(tx)
      const { id } = rows[0] as { id: number }
      await sql`select set_config('ems.operation', ${String(id)}, true)`.execute(tx)
      const { result, counts } = await work(tx, id)
      if (Object.values(counts).every((count) => count === 0)) {
        await sql`delete from operations where id = ${id}`.execute(tx)
        return { result, operation_id: null }
      }
      await sql`update operations set counts = ${JSON.stringify(counts)}::jsonb where id = ${id}`.execute(tx)
      return { result, operation_id: id }
    },
    { reason: reason ?? kind },
  )
}
