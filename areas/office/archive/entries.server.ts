import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { MAX_ENTRIES } from './archive.rules.ts'

/** Whether the reader sees all of the archive, whoever it is limited to. */
export const seesAll = (ctx: Ctx): boolean => reachesAll(ctx, 'manage_archive')

/**
 * SQL: the folders whose lists let the reader in (`realm_id`, `may_edit`). Every query of entries joins it by
 * `realm_id`; the database alone knows who is in.
 */
export const realmsOf = (ctx: Ctx): RawBuilder<unknown> =>
  sql`archive_realms(${ctx.actor?.user_id ?? 0}::int, ${seesAll(ctx)}::boolean, ${seesAll(ctx) || ctx.can('edit_archive')}::boolean)`

/** SQL: `from` of every query of entries: the entry is `t`, what the reader may do there `x`. */
export const archiveEntriesOf = (ctx: Ctx): RawBuilder<unknown> =>
  sql`archive_entries t join ${realmsOf(ctx)} x on x.realm_id = t.realm_id`

export interface ArchiveEntry {
  readonly id: number
  readonly parent_id: number | null
  readonly kind: 'folder' | 'file' | 'page'
  readonly name: string
  readonly name_local: string | null
  readonly short_name: string | null
  readonly inherits: boolean
  readonly realm_id: number
  readonly file_id: number | null
  readonly version: number
  readonly removed_at: string | null
  readonly removed_with: number | null
  readonly may_edit: boolean
}
const COLUMNS = sql.raw(
  't.id, t.parent_id, t.kind, t.name, t.name_local, t.short_name, t.inherits, t.realm_id, t.file_id, t.version, t.removed_at, t.removed_with, x.may_edit',
)

interface Wanted {
  /** The reader changes it. */
  readonly edit?: boolean
  readonly kind?: ArchiveEntry['kind']
  /** Also when it lies in the recycle bin. */
  readonly removed?: boolean
}

/** Entries that the reader sees, in the order asked. @throws {Refusal} 404 for each that is not there for the reader */
export async function findEntries(
  ctx: Ctx,
  db: Db | Tx,
  ids: readonly number[],
  { edit = false, kind, removed = false }: Wanted = {},
): Promise<ArchiveEntry[]> {
  const { rows } =
    await sql<ArchiveEntry>`select ${COLUMNS} from ${archiveEntriesOf(ctx)} where t.id = any(${ids}::int[])`.execute(db)
  const found = new Map(rows.map((row) => [row.id, row]))
  return [...new Set(ids)].map((id) => {
    const entry = found.get(id)
    // What lies in the recycle bin is there for who can take it out.
    if (!entry || (entry.removed_at && !entry.may_edit)) throw refuse(404, 'not_found')
    if (edit && !entry.may_edit) throw refuse(403, 'not_allowed')
    if (entry.removed_at && !removed) throw refuse(409, 'removed_record')
    if (kind && entry.kind !== kind) throw refuse(409, `archive_not_a_${kind}`)
    return entry
  })
}
/** One entry that the reader sees. @throws {Refusal} 404, 403, 409 */
export const findEntry = async (ctx: Ctx, db: Db | Tx, id: number, wanted?: Wanted): Promise<ArchiveEntry> =>
  (await findEntries(ctx, db, [id], wanted))[0]!

/** Whoever changes where things lie begins with this: one at a time, so that what is looked at stays so. */
export const lockArchive = (tx: Tx): Promise<unknown> => sql`select lock_archive()`.execute(tx)

/** A folder into which the reader may put something, with the lock taken. */
export async function targetFolder(ctx: Ctx, tx: Tx, id: number): Promise<ArchiveEntry> {
  await lockArchive(tx)
  return findEntry(ctx, tx, id, { edit: true, kind: 'folder' })
}

/** Keys of the names that a folder holds, as far as names meet there: those of its own circle of readers. */
export async function takenNames(tx: Tx, folder: Pick<ArchiveEntry, 'id' | 'realm_id'>): Promise<Set<string>> {
  const { rows } = await sql<{ name_key: string }>`select name_key from archive_entries
    where parent_id = ${folder.id} and realm_id = ${folder.realm_id} and removed_at is null`.execute(tx)
  return new Set(rows.map((row) => row.name_key))
}

/** The last place in a folder. */
export const lastPlace = (parent: number): RawBuilder<number> =>
  sql<number>`(select coalesce(max(position), 0) + 1 from archive_entries where parent_id = ${parent})`

/** An entry below others, and the path to it from there. */
export interface Below extends ArchiveEntry {
  /** Names from the entry it was found under, itself last. */
  readonly route: readonly string[]
  readonly hash: string | null
  readonly ext: string | null
  readonly size: number | null
}

/**
 * Entries and everything below them that the reader sees and that is not in the recycle bin, each after the folder around it.
 * @throws {Refusal} 409 `archive_many`
 */
export async function entriesBelow(ctx: Ctx, db: Db | Tx, ids: readonly number[]): Promise<Below[]> {
  const { rows } = await sql<Below & { depth: number }>`
    with recursive realms as materialized (select * from ${realmsOf(ctx)}),
    below as (
      select t.id, array[t.name] as route, 0 as depth from archive_entries t join realms x on x.realm_id = t.realm_id
      where t.id = any(${ids}::int[]) and t.removed_at is null
        -- One that lies in another comes with that.
        and not exists (select from archive_up(t.parent_id) u where u.id = any(${ids}::int[]))
      union all
      select t.id, b.route || t.name, b.depth + 1
      from below b join archive_entries t on t.parent_id = b.id join realms x on x.realm_id = t.realm_id
      where t.removed_at is null
    )
    select ${COLUMNS}, b.route, b.depth, f.hash, f.ext, f.size
    from below b join archive_entries t on t.id = b.id join realms x on x.realm_id = t.realm_id
      left join files f on f.id = t.file_id
    order by b.depth, t.parent_id, t.position, t.id limit ${MAX_ENTRIES + 1}`.execute(db)
  if (rows.length > MAX_ENTRIES) throw refuse(409, 'archive_many', { max: MAX_ENTRIES })
  return rows
}

/** Numbers of entries to be, so that many are written by one statement. */
export async function newIds(tx: Tx, count: number): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('archive_entries', 'id'))::int as id from generate_series(1, ${count})`.execute(
    tx,
  )
  return rows.map((row) => row.id)
}
