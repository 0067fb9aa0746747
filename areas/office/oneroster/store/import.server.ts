import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { writeOperation } from '#kit/server/unit/operations.ts'
import type { ReadBundle } from '../bundle/bundle.server.ts'
import type { BundleError } from '../bundle/bundle.rules.ts'
import { planEnrolments, storeEnrolments } from './enrolments.server.ts'
import { mergeCourses, mergeOfferings, mergeOrgs, mergePeople, mergeTime } from './records.server.ts'
import type { ImportOptions } from './records.server.ts'
import { countRemovals, planRemovals, storeRemovals } from './removals.server.ts'
import type { Removals } from './removals.server.ts'
import { IMPORTED_KINDS, stageBundle } from './staging.server.ts'
import type { ImportChange, Count, ImportedKind, ImportRun } from './staging.server.ts'
import { keepBundle, nameOperation } from './last.server.ts'
import { planTeams, storeTeams } from './teams.server.ts'
import { IMPORT } from './undo.server.ts'

export type { ImportOptions }

/** Above this part of what an earlier import brought, in percent, removals are asked for by their number. */
export const REMOVALS_ASK = 5

/** What an import changes, or would change. */
export interface ImportDifference {
  readonly source: string
  /** Other sources of which records are here. */
  readonly other_sources: readonly string[]
  readonly counts: Readonly<Record<ImportedKind, Count>>
  /** Examples of each kind of change, and what is left as it stands. */
  readonly changes: readonly ImportChange[]
  readonly removals: Removals & { readonly asks: boolean; readonly done: boolean }
  /** Codes that others have already; nothing is stored while there is one. */
  readonly errors: readonly BundleError[]
  /** By which the import is taken back within seven days; null when it changed nothing. */
  readonly operation_id: number | null
}

type Rows = NonNullable<ReadBundle['rows']>
type Progress = (percent: number, message?: string) => Promise<void>

async function run(
  ctx: Ctx,
  source: string,
  rows: Rows,
  options: ImportOptions & { apply: boolean; removals: number | null; kept?: Uint8Array | undefined },
  progress: Progress,
): Promise<ImportDifference> {
  const { apply } = options
  const work = async (tx: Tx): Promise<ImportDifference> => {
    // Two imports at once would each miss what the other has not committed yet.
    if (apply) await sql`select pg_advisory_xact_lock(hashtext('oneroster'))`.execute(tx)
    const zero = (): Count => ({ created: 0, changed: 0, same: 0, gone: 0, removed: 0, left: 0 })
    const counts = Object.fromEntries(IMPORTED_KINDS.map((kind) => [kind, zero()])) as Record<ImportedKind, Count>
    const one: ImportRun = { tx, source, apply, counts, changes: [], errors: [] }
    // Names and years are the other system's: its identifiers tell them apart.
    if (apply) await sql`select set_config('ems.names_as_sent', 'on', true)`.execute(tx)
    await stageBundle(tx, rows)
    await progress(8)
    await mergeOrgs(one)
    await mergeTime(one)
    await mergeCourses(one, options)
    await mergeOfferings(one, options)
    await progress(15)
    await mergePeople(one)
    await progress(45)
    await planEnrolments(one)
    await planTeams(one)
    await planRemovals(one)
    const counted = await countRemovals(one)
    const removals = options.removals !== null && counted.count > 0
    if (apply && removals && options.removals !== counted.count)
      throw refuse(409, 'roster_removals_differ', { count: counted.count, stated: options.removals })
    await progress(50)
    if (apply) {
      await storeEnrolments(ctx, one, removals, progress)
      await storeTeams(one, removals)
      if (removals) await storeRemovals(one)
    }
    await progress(95)
    if (apply && options.kept) await keepBundle(tx, source, options.kept)
    // What comes next is planned by what is there now.
    if (apply && Object.values(counts).some(({ created }) => created > 1000))
      await sql`analyze external_ids, users, students, offerings, registrations, registration_slots`.execute(tx)
    const others = await sql<{ source: string }>`
        select distinct source from external_ids where source <> ${source} order by 1 limit 20`.execute(tx)
    const result: ImportDifference = {
      source,
      other_sources: others.rows.map((row) => row.source),
      counts,
      changes: one.changes,
      removals: { ...counted, asks: counted.percent > REMOVALS_ASK, done: apply && removals },
      errors: one.errors,
      operation_id: null,
    }
    return result
  }
  const reason = `OneRoster ${source}`
  if (!apply)
    return await ctx.write(
      async (tx) => {
        throw new Undone(await work(tx))
      },
      { reason },
    )
  const { result, operation_id } = await writeOperation(
    ctx,
    { kind: IMPORT, facts: { file: source }, reason },
    async (tx) => {
      const result = await work(tx)
      const sum = (of: 'created' | 'changed' | 'removed') =>
        Object.values(result.counts).reduce((all, count) => all + count[of], 0)
      return { result, counts: { created: sum('created'), changed: sum('changed'), removed: sum('removed') } }
    },
  )
  // With the import its files are kept; by which operation it is taken back is known now.
  if (options.kept && operation_id !== null) await ctx.write((tx) => nameOperation(tx, source, operation_id))
  return { ...result, operation_id }
}

/** Takes what a plan wrote back again, and carries its result out of the transaction. */
class Undone extends Error {
  readonly result: ImportDifference
  constructor(result: ImportDifference) {
    super('a plan is not stored')
    this.result = result
  }
}

/** What the import of a checked bundle would change. Nothing is stored, and nothing is locked. */
export async function planImport(
  ctx: Ctx,
  source: string,
  rows: Rows,
  options: ImportOptions = {},
): Promise<ImportDifference> {
  try {
    return await run(ctx, source, rows, { ...options, apply: false, removals: null }, async () => {})
  } catch (error) {
    if (error instanceof Undone) return error.result
    throw error
  }
}

/**
 * Stores a checked bundle in one transaction: all of it or nothing. Running it again with the same files changes
 * nothing. What is gone is removed only when `removals` names how much that is.
 *
 * @param options.kept the files as a ZIP, kept for the next delta
 */
export const importBundle = (
  ctx: Ctx,
  source: string,
  rows: Rows,
  options: ImportOptions & { readonly removals?: number | null; readonly kept?: Uint8Array | undefined } = {},
  progress: Progress = async () => {},
): Promise<ImportDifference> =>
  run(ctx, source, rows, { ...options, apply: true, removals: options.removals ?? null }, progress)
