import { firstRow } from '#db/rows.ts'
import { createHmac, timingSafeEqual } from 'node:crypto'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import type { z } from 'zod'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { pagedList, rowsWhere } from '#kit/server/resource/list.ts'
import { patternOf } from '#kit/server/base/sql.ts'
import type { ListSource } from '#kit/server/resource/list.ts'
import { secretOf } from '#kit/server/base/secrets.ts'
import { BIN_DAYS } from '../archive.rules.ts'
import { archiveEntriesOf, findEntry, realmsOf } from '../entries.server.ts'
import { ROOT } from '../entry.contract.ts'
import type { entryRow, wholeEntry } from '../entry.contract.ts'
import { MOST_NAMES, treeCalls } from './tree.contract.ts'

type Told = z.input<typeof entryRow>
type Row = Omit<Told, 'abilities'> & { readonly may_edit: boolean }

/** What the reader may do with an entry, named for buttons. */
function abilitiesOf({ id, kind, may_edit, removed_at }: Row): string[] {
  if (removed_at) return may_edit ? ['restore', 'purge'] : []
  return [
    ...(kind === 'page' ? [] : ['download']),
    'copy',
    ...(may_edit && kind === 'folder' ? ['add'] : []),
    ...(may_edit && id !== ROOT ? ['edit', 'move', 'remove', ...(kind === 'folder' ? ['limit'] : [])] : []),
  ]
}
const told = ({ may_edit, ...row }: Row): Told => ({ ...row, abilities: abilitiesOf({ ...row, may_edit }) })

const columns = (ctx: Ctx, path: boolean): RawBuilder<unknown> => sql`
  t.id, t.parent_id, t.kind, t.name, t.name_local, t.short_name, t.position, t.inherits, t.version, t.removed_at,
  t.removed_at + ${BIN_DAYS} * interval '1 day' as goes_at, t.updated_at, f.size, f.ext, x.may_edit,
  (select count(*)::int from archive_entries c where c.parent_id = t.id and c.removed_with is not distinct from t.removed_with
    and c.realm_id in (select realm_id from ${realmsOf(ctx)})) as children,
  (select ${ctx.lang === 'ar' ? sql`u.name_local` : sql`u.name`} from users u where u.id = coalesce(t.removed_by, t.updated_by)) as updated_by,
  ${path ? sql`archive_path(t.id)` : sql`null::json`} as path`

function source(ctx: Ctx, path: boolean, where: readonly RawBuilder<unknown>[], bin = false): ListSource {
  return {
    from: sql`${archiveEntriesOf(ctx)} left join files f on f.id = t.file_id`,
    select: columns(ctx, path),
    where,
    search: ['t.search_text', `(select string_agg(p.search_text, ' ') from archive_pages p where p.entry_id = t.id)`],
    sort: {
      position: 't.position',
      name: 't.name_key',
      size: 'f.size',
      updated_at: 't.updated_at',
      removed_at: 't.removed_at',
    },
    neverNull: new Set(['position', 'name', 'updated_at', ...(bin ? ['removed_at'] : [])]),
    order: bin ? ['removed_at', 'desc'] : ['position', 'asc'],
    filters: {},
  }
}

const LINK_MS = 12 * 3_600_000
const signed = async (ctx: Ctx, id: number, until: number): Promise<string> =>
  createHmac('sha256', await secretOf(ctx.services, 'archive_links'))
    .update(`${id} ${ctx.actor?.user_id ?? 0} ${until}`)
    .digest('base64url')

/** The address from which this reader may fetch a folder as a ZIP, until the end of the half day after this. */
async function zipLink(ctx: Ctx, id: number): Promise<string> {
  const until = Math.floor(Date.now() / LINK_MS) + 2
  return `/api/archive/zip/files/${id}?token=${until.toString(36)}.${await signed(ctx, id, until)}`
}
/** @throws {Refusal} 403 when the address was made for another folder, another person or another day */
export async function checkZipLink(ctx: Ctx, id: number, token: string): Promise<void> {
  const [until = '', signature = ''] = token.split('.')
  const end = parseInt(until, 36)
  const right = Buffer.from(await signed(ctx, id, end))
  const given = Buffer.from(signature)
  if (!(end * LINK_MS > Date.now()) || given.length !== right.length || !timingSafeEqual(given, right))
    throw refuse(403, 'archive_link_over')
}

interface Step {
  readonly id: number
  readonly name: string
  readonly name_local: string | null
}
const pathTo = async (ctx: Ctx, id: number): Promise<Step[]> =>
  firstRow((await sql<{ path: Step[] }>`select archive_path(${id}) as path`.execute(ctx.db)).rows).path

/** Lists, one entry with all that belongs to it, and the way to it. */
export const archiveListHandlers = [
  handle(treeCalls.listArchive, async (ctx, { body: { parent_id = ROOT, kind, ...query } }) => {
    const around = await findEntry(ctx, ctx.db, parent_id, { kind: 'folder', removed: true })
    const [folder] = await rowsWhere<Row>(ctx.db, source(ctx, false, []), sql`t.id = ${around.id}`)
    const where: RawBuilder<unknown>[] = kind ? [sql`t.kind = ${kind}`] : []
    if (query.removed) where.push(sql`t.removed_with = t.id and x.may_edit`)
    else {
      where.push(sql`t.removed_at is null`)
      if (!query.search) where.push(sql`t.parent_id = ${parent_id}`)
      else if (parent_id !== ROOT)
        where.push(sql`exists (select from archive_up(t.parent_id) u where u.id = ${parent_id})`)
      else where.push(sql`t.id <> ${ROOT}`)
    }
    const { data, meta } = await pagedList<Row>(
      ctx,
      source(ctx, query.removed || query.search !== '', where, query.removed),
      query,
    )
    return { data: data.map(told), meta, folder: told(folder!), path: await pathTo(ctx, parent_id) }
  }),

  handle(treeCalls.getArchive, async (ctx, { params: { id } }) => {
    const entry = await findEntry(ctx, ctx.db, id, { removed: true })
    const [row] = await rowsWhere<Row>(ctx.db, source(ctx, true, []), sql`t.id = ${id}`)
    const name = ctx.lang === 'ar' ? sql`u.name_local` : sql`u.name`
    const { rows } = await sql<Pick<z.input<typeof wholeEntry>, 'access' | 'versions' | 'pages'>>`select
      (select coalesce(json_agg(json_build_object('user_id', a.user_id, 'role_id', a.role_id, 'level', a.level,
        'name', coalesce(u.name, r.name), 'name_local', coalesce(u.name_local, r.name_local)) order by a.id), '[]')
        from archive_access a left join users u on u.id = a.user_id left join roles r on r.id = a.role_id
        where a.entry_id = ${id}) as access,
      (select coalesce(json_agg(json_build_object('number', v.number, 'size', f.size, 'ext', f.ext, 'created_at', v.created_at,
        'created_by', ${name}) order by v.number desc), '[]')
        from archive_versions v join files f on f.id = v.file_id left join users u on u.id = v.created_by
        where v.entry_id = ${id}) as versions,
      (select coalesce(json_agg(json_build_object('language', p.language, 'body', p.body, 'version', p.version,
        'updated_at', p.updated_at) order by p.language), '[]') from archive_pages p where p.entry_id = ${id}) as pages`.execute(
      ctx.db,
    )
    const { access, versions, pages } = firstRow(rows)
    return {
      data: {
        ...told(row!),
        path: row!.path ?? [],
        access: entry.may_edit && entry.kind === 'folder' && !entry.inherits && id !== ROOT ? access : null,
        versions,
        pages,
        zip: entry.kind === 'folder' && !entry.removed_at ? await zipLink(ctx, id) : null,
      },
    }
  }),

  handle(treeCalls.archiveParents, async (ctx, { params: { a, b, n } }) => {
    await findEntry(ctx, ctx.db, a, { removed: true })
    const path = await pathTo(ctx, a)
    // What does not lie around it does not cut the way short.
    return { data: path.slice(path.findIndex(({ id }) => id === b) + 1).slice(-n) }
  }),

  handle(treeCalls.checkShortName, async (ctx, { params: { id, name }, query: { inside } }) => {
    const entry = await findEntry(ctx, ctx.db, id, { removed: true })
    const { rows } = await sql<{ valid: boolean; free: boolean }>`select
      ${name} ~ '^[a-z0-9][a-z0-9-]{0,59}$' as valid,
      not exists (select from archive_entries t where t.realm_id = ${entry.realm_id} and t.short_name = ${name}
        and t.removed_at is null and (${inside === '1'} or t.id <> ${id})) as free`.execute(ctx.db)
    return { data: firstRow(rows) }
  }),

  handle(treeCalls.archiveNames, async (ctx, { body: { search } }) => {
    const roles = await sql<Step>`select id, name, name_local from roles
      where removed_at is null and (${search} = '' or fold_text(name || ' ' || name_local) like ${patternOf(search)})
      order by id limit 100`.execute(ctx.db)
    // Students and applicants are let in by their role: nobody looks them up here one by one.
    const users =
      [...search].length < 2
        ? []
        : (
            await sql<Step>`select id, name, name_local from users
              where removed_at is null and blocked_at is null and type in (1, 2)
                and fold_text(name || ' ' || name_local) like ${patternOf(search)}
              order by name, id limit ${MOST_NAMES}`.execute(ctx.db)
          ).rows
    return { data: { users, roles: roles.rows } }
  }),
]
