/** Records that may be of one person, and the merges that were made. */
import { sql } from 'kysely'
import type { RawBuilder } from 'kysely'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { mayUndo } from '#kit/server/unit/operations.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { mergeReach } from './facts.server.ts'
import { MERGE_KINDS, mergeCalls } from './merge.contract.ts'
import type { MergeKind, Merged, SIGNS } from './merge.contract.ts'
import { TABLES } from './pointers.rules.ts'
import { saidPairs } from './two-people.server.ts'

const PAGE = 25
/** A number on a document, however it was typed: digits of any script, capital letters, nothing else. */
const plain = (column: string): RawBuilder<unknown> =>
  sql`nullif(upper(regexp_replace(translate(t.${sql.ref(column)}, '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789'), '[^0-9A-Za-z]', '', 'g')), '')`

interface Known {
  /** Numbers on documents, as one may be compared with another. */
  readonly numbers: RawBuilder<unknown>
  readonly birth: boolean
  readonly only: RawBuilder<unknown>
  /** Both names, folded. A record that is searched has them folded already, behind its code. */
  readonly names: RawBuilder<unknown>
}
const FOLDED = sql`fold_text(t.name || ' ' || t.name_local)`
const searched = (kind: MergeKind): RawBuilder<unknown> =>
  sql`case when exists (select from merged_records m where m.kind = ${kind} and m.into_id = t.id) then ${FOLDED}
    else substr(t.search_text, length(t.code) + 2) end`
/** By what a person is known again; records of one account, in two programs, are no double. A national id is fourteen digits, whoever wrote it. */
const KNOWN: Readonly<Record<MergeKind, Known>> = {
  student: {
    numbers: sql`array_remove(array[t.national_id, ${plain('passport_number')}], null)`,
    birth: true,
    only: sql`true`,
    names: searched('student'),
  },
  instructor: {
    numbers: sql`array_remove(array[t.national_id], null)`,
    birth: false,
    only: sql`true`,
    names: searched('instructor'),
  },
  // The account of a record is merged with the record.
  user: {
    numbers: sql`'{}'::text[]`,
    birth: false,
    only: sql`not exists (select from students s where s.user_id = t.id) and not exists (select from instructors i where i.user_id = t.id)`,
    names: FOLDED,
  },
}

const doubles = handle(mergeCalls.doubles, async (ctx, { body: { kind, page } }) => {
  const { numbers, birth, only, names } = KNOWN[kind]
  const { rows } = await sql<{
    one: Merged['kept']
    other: Merged['kept']
    sign: (typeof SIGNS)[number]
    total: number
  }>`
    with people as materialized (
      select t.id, ${kind === 'user' ? sql`t.email` : sql`t.code`} as code, t.name, t.name_local, ${names} as folded,
        ${birth ? sql`t.birth_date` : sql`null::date`} as birth, ${kind === 'user' ? sql`t.type` : sql`0`} as type, ${numbers} as numbers,
        ${kind === 'user' ? sql`null::int` : sql`t.user_id`} as account
      from ${sql.table(TABLES[kind])} t where t.removed_at is null and ${only} and ${mergeReach(ctx, kind)}),
    documents as (select id, account, unnest(numbers) as number from people where cardinality(numbers) > 0),
    pairs as (
      select a.id as one, b.id as other, 'identity' as sign from documents a join documents b on a.number = b.number and a.id < b.id
        and (a.account = b.account) is not true
      union all
      select a.id, b.id, ${birth ? 'name_and_birth' : 'names'} from people a join people b
        on a.folded = b.folded and a.type = b.type and a.id < b.id and (a.account = b.account) is not true ${birth ? sql`and a.birth = b.birth` : sql``}),
    said as materialized (${saidPairs(kind)}),
    once as (select one, other, min(sign) as sign from pairs where (one, other) not in (select one, other from said) group by one, other)
    select count(*) over ()::int as total, p.sign,
      json_build_object('id', a.id, 'code', a.code, 'name', a.name, 'name_local', a.name_local) as one,
      json_build_object('id', b.id, 'code', b.code, 'name', b.name, 'name_local', b.name_local) as other
    from once p join people a on a.id = p.one join people b on b.id = p.other
    order by p.sign, a.name, p.one, p.other limit ${PAGE} offset ${(page - 1) * PAGE}`.execute(ctx.db)
  return {
    data: rows.map(({ total: _total, ...row }) => ({ kind, ...row })),
    meta: { count: rows[0]?.total ?? 0 },
  }
})

/** Own merges; those of others for who may merge everywhere. */
const merges = handle(mergeCalls.merges, async (ctx: Ctx, { body: { page } }) => {
  const { rows } = await sql<
    Omit<Merged, 'abilities' | 'kind'> & {
      kind: string
      record: MergeKind
      actor_id: number | null
      open: boolean
      total: number
    }
  >`
    select o.id, o.kind, o.facts ->> 'record' as record, o.facts -> 'kept' as kept, o.facts -> 'merged' as merged, o.at, o.undone_at,
      o.actor_id, o.expires_at > now() as open, count(*) over ()::int as total,
      case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by,
      case when b.id is not null then json_build_object('name', b.name, 'name_local', b.name_local) end as undone_by
    from operations o left join users u on u.id = o.actor_id left join users b on b.id = o.undone_by
    where o.kind = any(${MERGE_KINDS.map((kind) => `merge/${kind}`)})
      and (${reachesAll(ctx, 'merge_people')} or o.actor_id = ${ctx.actor?.user_id ?? null}::int)
    order by o.id desc limit ${PAGE} offset ${(page - 1) * PAGE}`.execute(ctx.db)
  return {
    data: rows.map(({ total: _total, open, actor_id, kind, record, ...row }) => ({
      ...row,
      kind: record,
      abilities: row.undone_at === null && open && mayUndo(ctx, { kind, actor_id }) ? ['undo'] : [],
    })),
    meta: { count: rows[0]?.total ?? 0 },
  }
})

export const doubleHandlers: readonly Handled[] = [doubles, merges]
