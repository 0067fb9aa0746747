import { isIP } from 'node:net'
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { inLanguage, programReason } from '#kit/contract/index.ts'
import type { ListQuery, Ref, Resource } from '#kit/contract/index.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { readable, serverField } from '#kit/server/base/fields.ts'
import { quoted } from '#kit/server/base/field-filters.ts'
import { trailOf } from '#kit/server/resource/history.ts'
import { PLAIN } from '#kit/server/resource/table-words.ts'
import { tell } from '#kit/server/resource/telling.ts'
import type { Values } from '#kit/server/resource/telling.ts'
import { sentenceIn, sideIn, titleIn } from '#kit/server/resource/telling-papers.ts'
import { filterConditions, searchCondition } from '#kit/server/resource/list.ts'
import {
  lookupSource,
  registerColumnWords,
  scopeNamed,
  servedResources,
  tableName,
  unreadNamed,
} from '#kit/server/base/registry.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { EXPORT_LIMIT, paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { MOST_PAGED, auditTrailCalls, auditTrailFields } from './audit.contract.ts'
import type { AuditEntry, AuditRow } from './audit.contract.ts'
import { VALUES } from './values.contract.ts'
import { AMOUNTS, COLUMNS, UNTOLD } from './words.contract.ts'
import { PERMISSIONS } from '#access/permissions.contract.ts'

// The log tells of every area: words for what stands in no form are its own.
registerColumnWords({
  columns: COLUMNS,
  values: VALUES,
  untold: new Set(UNTOLD),
  amounts: new Set(AMOUNTS),
  choices: { permission: [...PERMISSIONS].map(([value, label]) => ({ value, label })) },
})

/** Pages that are looked at, the asked one among them: the count says how many rows there are at least. */
const AHEAD = 2
/** People of a searched name whose entries are put together. */
const MOST_PEOPLE = 10
const RIGHT = 'access_logs'

const resourceOf = (table: string): Resource | undefined => servedResources().find((one) => one.table === table)
const namesOf = (table: string) => {
  const found = tableName(table)
  return found ? { name: found[0], name_local: found[1] } : null
}

// --- What is kept from the reader -----------------------------------------------------------------------------------

/** Fields of a resource that the reader does not read of every record. */
function keptFrom(ctx: Ctx, def: Resource): Set<string> {
  return new Set(
    Object.entries(def.fields).flatMap(([name, { readers }]) =>
      !readers || readers.some((key) => key !== 'self' && reachesAll(ctx, key)) ? [] : [name],
    ),
  )
}

/** For one answer: which fields of a table's entries are not told. */
function withholding(ctx: Ctx): (table: string) => (field: string) => boolean {
  const readsAll = servedResources().every((def) => keptFrom(ctx, def).size === 0)
  const known = new Map<string, (field: string) => boolean>()
  return (table) => {
    const had = known.get(table)
    if (had) return had
    const def = resourceOf(table)
    const kept = def && keptFrom(ctx, def)
    // What no definition describes has no readers of its own: it is for those from whom nothing is kept.
    const hides = (field: string): boolean =>
      kept
        ? kept.has(field) || (kept.size > 0 && !(field in def.fields) && !PLAIN.has(field))
        : !readsAll && !PLAIN.has(field)
    known.set(table, hides)
    return hides
  }
}

// --- The list -------------------------------------------------------------------------------------------------------

const own = (name: 'at' | 'action') => {
  const column = { name, field: auditTrailFields[name], expression: `l.${name}` }
  return (value: unknown) => serverField(auditTrailFields[name]).filter(column, value)
}
const one = (name: string, value: unknown): string => {
  const text = Array.isArray(value) && value.length === 1 ? (value[0] as unknown) : value
  if (typeof text !== 'string' && typeof text !== 'number') throw refuse(422, 'invalid_input', {}, `filters.${name}`)
  return String(text).trim()
}
const FILTERS: Readonly<Record<string, (value: unknown) => RawBuilder<unknown>>> = {
  at: own('at'),
  action: own('action'),
  table_name: (value) => sql`l.table_name = ${one('table_name', value)}`,
  record_id: (value) => {
    const id = one('record_id', value)
    if (!/^\d{1,9}$/.test(id)) throw refuse(422, 'invalid_input', {}, 'filters.record_id')
    return sql`l.record_id = ${Number(id)}`
  },
  ip: (value) => {
    const ip = one('ip', value)
    if (!isIP(ip)) throw refuse(422, 'address_not_valid', {}, 'filters.ip')
    return sql`l.ip = ${ip}::inet`
  },
  request_id: (value) => sql`l.request_id = ${one('request_id', value)}`,
}

/** Whose entries are meant: by filter or by a searched name; null: everybody's. */
async function actorsOf(ctx: Ctx, { search, filters }: ListQuery): Promise<number[] | null> {
  const given = filters.actor_id
  const chosen =
    given === undefined || given === '' || given === null || (Array.isArray(given) && !given.length)
      ? null
      : [given].flat().map(Number)
  if (chosen?.some((id) => !Number.isInteger(id))) throw refuse(422, 'invalid_input', {}, 'filters.actor_id')
  const condition = searchCondition(search, ['u.search_text'])
  if (!condition) return chosen
  const { rows } = await sql<{ id: number }>`select u.id from users u where ${condition}
    ${chosen ? sql`and u.id = any(${chosen}::int[])` : sql``} order by u.id limit ${MOST_PEOPLE + 1}`.execute(ctx.db)
  if (rows.length > MOST_PEOPLE) throw refuse(422, 'log_too_many_people', { count: MOST_PEOPLE }, 'search')
  return rows.map(({ id }) => id)
}

/** Whose records are meant, by filter; null: everybody's. */
function studentOf({ filters }: Pick<ListQuery, 'filters'>): number | null {
  const [id, ...more] = [filters.student_id ?? []].flat().map(Number)
  if (id === undefined || Number.isNaN(id)) return null
  if (more.length || !Number.isInteger(id) || id < 1 || id >= 2 ** 31)
    throw refuse(422, 'invalid_input', {}, 'filters.student_id')
  return id
}

/** Students whom a searched name or code means: what is told of them is found beside what people of the name did. */
async function studentsMeant(ctx: Ctx, { search, filters }: ListQuery): Promise<number[]> {
  const condition = searchCondition(search, ['s.search_text'])
  if (!condition || filters.actor_id !== undefined || !reachesAll(ctx, RIGHT)) return []
  const { rows } = await sql<{ id: number }>`select s.id from students s where ${condition} order by s.id
    limit ${MOST_PEOPLE + 1}`.execute(ctx.db)
  return rows.length > MOST_PEOPLE ? [] : rows.map(({ id }) => id)
}

/**
 * What the reader reaches of the log. Whose right is bound to parts of the university chooses a kind of record, of which
 * only those within reach are told.
 */
function reach(ctx: Ctx, { filters }: Pick<ListQuery, 'filters'>): RawBuilder<unknown> {
  if (reachesAll(ctx, RIGHT)) return sql`true`
  const given = filters.table_name
  if (given === undefined || given === '') throw refuse(422, 'log_choose_table', {}, 'filters.table_name')
  return withinTable(ctx, one('table_name', given), sql`l.record_id`)
}
function withinTable(ctx: Ctx, table: string, record: RawBuilder<unknown>): RawBuilder<unknown> {
  const def = resourceOf(table)
  const scope = def && scopeNamed(def.name)
  if (!def || !scope) throw refuse(403, 'not_allowed')
  return sql`exists (select from ${sql.raw(quoted(def.table))} t where t.id = ${record} and ${scopeCondition(ctx, RIGHT, scope(ctx))})`
}

/** How many rows of the log are found, and how the page is cut from them. */
interface Cut {
  readonly from: number
  readonly rows: number
  /** Entries that are looked for. */
  readonly most: number
}

/**
 * The statement of a page: the newest entries are found by an index in their order, a few pages ahead, and only those of
 * the page are read. Nothing is counted to the end: of ten million rows that would take seconds.
 */
export function auditStatement(
  where: readonly RawBuilder<unknown>[],
  actors: readonly number[] | null,
  direction: 'asc' | 'desc',
  { from, rows, most }: Cut,
  /** A student of whose records alone is told. */
  student: number | null = null,
  /** Students of whose records is told besides. */
  about: readonly number[] = [],
): RawBuilder<Stored & { found: number }> {
  const way = sql.raw(direction)
  const order = (of: string) => sql`${sql.raw(of)}.at ${way}, ${sql.raw(of)}.id ${way}`
  const entries = (more: RawBuilder<unknown>) => sql`select l.id, l.at from audit_log l
    where ${sql.join([more, ...where], sql` and `)} order by ${order('l')} limit ${most}`
  // Each record's newest by the index of records, or each person's by that of persons, then the newest of all of them.
  const found =
    student !== null
      ? sql`select x.* from (select distinct * from records_of_student(${student}::int)) m cross join lateral (${entries(
          sql`l.table_name = m.table_name and l.record_id = m.record_id and (${actors}::int[] is null or l.actor_id = any(${actors}::int[]))`,
        )}) x order by ${order('x')} limit ${most}`
      : actors === null
        ? entries(sql`true`)
        : about.length
          ? sql`select distinct x.id, x.at from (
              select e.* from unnest(${actors}::int[]) as a (actor) cross join lateral (${entries(sql`l.actor_id = a.actor`)}) e
              union all
              select e.* from (select distinct m.* from unnest(${[...about]}::int[]) as s (id) cross join lateral records_of_student(s.id) m) m
                cross join lateral (${entries(sql`l.table_name = m.table_name and l.record_id = m.record_id`)}) e) x
            order by ${order('x')} limit ${most}`
          : sql`select x.* from unnest(${actors}::int[]) as a (actor) cross join lateral (${entries(sql`l.actor_id = a.actor`)}) x
          order by ${order('x')} limit ${most}`
  return sql<Stored & { found: number }>`
    with found as materialized (${found}),
      page as (select * from found x order by ${order('x')} offset ${from} limit ${rows})
    select (select count(*)::int from found) as found, l.id::float8 as id, l.at, l.action, l.table_name, l.record_id, l.reason,
      l.request_id, host(l.ip) as ip, l.old, l.new, ${person('a')} as actor, ${person('i')} as impersonator
    from page join audit_log l on l.id = page.id and l.at = page.at
    left join users a on a.id = l.actor_id left join users i on i.id = l.impersonator_id
    order by ${order('l')}`
}
const person = (alias: string) =>
  sql.raw(`case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name,
    'name_local', ${alias}.name_local, 'code', ${alias}.email) end`)

interface Stored {
  id: number
  at: string
  action: string
  table_name: string
  record_id: number | null
  reason: string | null
  request_id: string | null
  ip: string | null
  old: Values | null
  new: Values | null
  actor: Ref | null
  impersonator: Ref | null
}

async function entriesOf(
  ctx: Ctx,
  query: ListQuery & { readonly ids?: readonly number[] | undefined },
  cut: Cut,
): Promise<{ rows: AuditRow[]; found: number }> {
  if (query.order_by && query.order_by !== 'at')
    throw refuse(422, 'sort_not_allowed', { column: query.order_by }, 'order_by')
  const { actor_id: _actor, student_id: _student, ...filters } = query.filters
  const where = [
    reach(ctx, query),
    ...filterConditions(filters, FILTERS),
    // Those that were chosen.
    ...(query.ids ? [sql`l.id = any(${[...query.ids]}::bigint[])`] : []),
  ]
  const actors = await actorsOf(ctx, query)
  const direction = query.order_by ? query.order_direction : 'desc'
  const { rows } = await auditStatement(
    where,
    actors,
    direction,
    cut,
    studentOf(query),
    await studentsMeant(ctx, query),
  ).execute(ctx.db)
  const told = await tell(ctx, rows, withholding(ctx))
  return {
    found: rows[0]?.found ?? 0,
    rows: rows.map(({ old: _old, new: _new, found: _found, ...row }, i) => {
      const { action, record, changes, withheld } = told[i]!
      // A reason may tell what the fields would.
      return { ...row, action, record, changes, withheld, reason: withheld ? null : row.reason }
    }),
  }
}

const list = handle(auditTrailCalls.audit, async (ctx, { body }) => {
  const from = (body.page - 1) * body.perPage
  if (from + body.perPage > MOST_PAGED && body.page > 1) throw refuse(422, 'log_too_far', { most: MOST_PAGED }, 'page')
  const most = Math.min(from + body.perPage * AHEAD, Math.max(MOST_PAGED, body.perPage))
  const { rows, found } = await entriesOf(ctx, body, { from, rows: body.perPage, most })
  return { data: rows, meta: { count: found, lookup: {}, details: { more: found === most } } }
})

const SHEET = {
  what: ['What happened', 'ما حدث'],
  at: ['When', 'الوقت'],
  actor: ['As whom', 'باسم'],
  impersonator: ['Who sat there', 'المنفذ الفعلي'],
  one: ['Kind of record', 'نوع السجل'],
  record: ['Record', 'السجل'],
  old: ['Before', 'قبل'],
  new: ['After', 'بعد'],
  reason: ['Reason', 'السبب'],
  ip: ['Address', 'العنوان'],
  request: ['Number of the request', 'رقم الطلب'],
} as const
const exported = handle(auditTrailCalls.exportAudit, async (ctx, { body }) => {
  const { rows } = await entriesOf(ctx, body, { from: 0, rows: EXPORT_LIMIT + 1, most: EXPORT_LIMIT + 1 })
  const lang = body.lang ?? paperLang(ctx)
  const column = (key: keyof typeof SHEET, text: (row: AuditRow) => string | null) => ({
    header: inLanguage(SHEET[key], lang),
    type: 'text' as const,
    text,
  })
  const nameOf = (who: Ref | null) => who && inLanguage([who.name, who.name_local ?? who.name], lang)
  return tableFile(
    ctx,
    {
      title: inLanguage(['Log of changes', 'سجل التغييرات'], lang),
      name: 'Log.xlsx',
      lang,
      rows,
      columns: [
        column('what', (row) => sentenceIn(row, lang)),
        column('at', (row) => readable(row.at)),
        column('actor', (row) => nameOf(row.actor)),
        column('impersonator', (row) => nameOf(row.impersonator)),
        column(
          'one',
          (row) => row.record.one && inLanguage([row.record.one.name, row.record.one.name_local ?? ''], lang),
        ),
        column('record', (row) => titleIn(row.record, lang) || null),
        column('old', (row) => sideIn(row.changes, 'old', lang)),
        column('new', (row) => sideIn(row.changes, 'new', lang)),
        column('reason', (row) => {
          const own = row.reason && programReason(row.reason)
          return own ? inLanguage(own, lang) : row.reason
        }),
        column('ip', (row) => row.ip),
        column('request', (row) => row.request_id),
      ],
    },
    'xlsx',
  )
})

const tables = handle(auditTrailCalls.auditTables, async (ctx) => {
  const all = reachesAll(ctx, RIGHT)
  const { rows } = await sql<{ table_name: string }>`
    select c.relname as table_name from pg_trigger g join pg_class c on c.oid = g.tgrelid join pg_proc p on p.oid = g.tgfoid
    where g.tgname like 'audit\\_%' and not g.tgisinternal and c.relnamespace = 'public'::regnamespace
    group by 1 order by 1`.execute(ctx.db)
  return {
    data: rows
      .map((row) => ({ ...row, table: namesOf(row.table_name) }))
      .filter(({ table_name }) => {
        const def = resourceOf(table_name)
        return all || (def && scopeNamed(def.name))
      }),
  }
})

// --- One record -----------------------------------------------------------------------------------------------------

/** Entries of one record that are shown; older ones stand in the list. */
const MOST_OF_ONE = 500

/** The record as it is called now. */
async function recordOf(ctx: Ctx, def: Resource, id: number): Promise<Ref | null> {
  const source = lookupSource(def.name)
  if (!source) return null
  const { name, name_local, code } = source.label
  const { rows } = await sql<Ref>`select r.id, ${sql.raw(name)} as name, ${sql.raw(name_local ?? 'null')} as name_local,
    ${sql.raw(code ?? 'null')}::text as code from ${sql.raw(quoted(source.table))} r where r.id = ${id}`.execute(ctx.db)
  return rows[0] ?? null
}

const ofRecord = handle(auditTrailCalls.auditOf, async (ctx, { params: { id, tableName: tableNamed } }) => {
  const def = resourceOf(tableNamed)
  if (!reachesAll(ctx, RIGHT)) {
    const { rows } = await sql`select ${withinTable(ctx, tableNamed, sql`${id}::int`)} as within`.execute(ctx.db)
    if (!(rows[0] as { within: boolean }).within) throw refuse(404, 'not_found')
  }
  if (def) {
    const unread = (await unreadNamed(def.name)?.(ctx, id)) ?? new Set<string>()
    const record = await recordOf(ctx, def, id)
    const { entries, older } = await trailOf(ctx, def, id, unread)
    return {
      data: entries,
      meta: {
        table: namesOf(tableNamed),
        record,
        path: record && def.screens.show ? def.screens.show.replace(':id', String(id)) : null,
        more: older,
      },
    }
  }
  const query: ListQuery = {
    page: 1,
    perPage: MOST_OF_ONE,
    search: '',
    order_direction: 'desc',
    filters: { table_name: tableNamed, record_id: id },
    removed: false,
  }
  const { rows, found } = await entriesOf(ctx, query, { from: 0, rows: MOST_OF_ONE, most: MOST_OF_ONE + 1 })
  return {
    data: rows.map((row): AuditEntry => {
      const who = row.impersonator ?? row.actor
      return {
        id: row.id,
        at: row.at,
        action: row.action,
        by: who?.name ?? null,
        by_local: who?.name_local ?? null,
        as: row.impersonator ? (row.actor?.name ?? null) : null,
        as_local: row.impersonator ? (row.actor?.name_local ?? null) : null,
        reason: row.reason,
        ip: row.ip,
        request_id: row.request_id,
        withheld: row.withheld,
        record: row.record,
        changes: row.changes,
      }
    }),
    meta: {
      table: namesOf(tableNamed),
      record: null,
      path: null,
      more: found > MOST_OF_ONE,
    },
  }
})

export const auditHandlers: readonly Handled[] = [list, exported, tables, ofRecord]
