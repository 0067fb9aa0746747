/** Publications that may be one: found at night and when asked, merged by a person and never alone. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { WorkerPool } from '#kit/server/workers/pool.ts'
import { sql } from 'kysely'
import { alike } from '../sources/names.rules.ts'
import { publicationReach } from '../works/reach.server.ts'
import { doubleCalls as calls, PAIRS_ON_PAGE, type DoublePair } from './doubles.contract.ts'
import type { ComparedWork, Double } from './doubles.rules.ts'

const pool = new WorkerPool<readonly ComparedWork[], Double[]>(new URL('./doubles.worker.ts', import.meta.url), {
  size: 1,
  timeMs: 300_000,
  heapMb: 2048,
})

export const doublesJob = defineJob<Record<string, never>, { compared: number; found: number }>({
  name: 'publications-doubles',
  cron: '10 2 * * *',
  async run({ services }, _payload, progress) {
    const ctx = asSystem(services, 'Doubles of publications')
    const { rows: works } = await sql<ComparedWork>`
      select t.id, t.doi, array_remove(array[t.title, t.title_local], null) as titles, t.year, t.volume, t.pages,
        array(select m.name from publication_members m where m.publication_id = t.id and m.position <= 6 order by m.position) as names
      from publications t where t.removed_at is null order by t.id`.execute(ctx.db)
    await progress(20, `${works.length}`)
    const found = await pool.run(works)
    await progress(80)
    await ctx.write(async (tx) => {
      // What a person decided stays decided; what is alike no more is forgotten.
      await sql`create temporary table found_doubles on commit drop as
        select * from jsonb_to_recordset(${JSON.stringify(found)}::jsonb) x (first_id int, second_id int, why text, score int)`.execute(
        tx,
      )
      await sql`delete from publication_doubles d where d.status = 'open'
        and not exists (select from found_doubles f where f.first_id = d.first_id and f.second_id = d.second_id)`.execute(
        tx,
      )
      await sql`insert into publication_doubles (first_id, second_id, why, score)
        select f.first_id, f.second_id, f.why, f.score from found_doubles f
          join publications a on a.id = f.first_id and a.removed_at is null join publications b on b.id = f.second_id and b.removed_at is null
        order by f.first_id, f.second_id
        on conflict (first_id, second_id) do update set why = excluded.why, score = excluded.score, found_at = now()
          where publication_doubles.status = 'open'
            and (publication_doubles.why, publication_doubles.score) is distinct from (excluded.why, excluded.score)`.execute(
        tx,
      )
    })
    return { compared: works.length, found: found.length }
  },
})

const side = (
  alias: string,
  writes: ReturnType<typeof scopeCondition>,
) => sql`json_build_object('id', ${sql.ref(alias)}.id,
  'title', ${sql.ref(alias)}.title, 'title_local', ${sql.ref(alias)}.title_local, 'kind', ${sql.ref(alias)}.kind,
  'year', ${sql.ref(alias)}.year, 'venue', ${sql.ref(alias)}.venue, 'doi', ${sql.ref(alias)}.doi, 'status', ${sql.ref(alias)}.status,
  'members', array(select m.name from publication_members m where m.publication_id = ${sql.ref(alias)}.id and m.position <= 5 order by m.position),
  'writes', ${writes})`
/** Condition on the publication `alias`: within the reader's reach. */
const within = (ctx: Ctx, alias: string, key: 'access_publication' | 'edit_publication') =>
  sql<boolean>`exists (select from publications t where t.id = ${sql.ref(alias)}.id and ${scopeCondition(ctx, key, publicationReach(ctx))})`

const doubles = handle(calls.doubles, async (ctx, { query: { publication_id, page = 1 } }) => {
  const { rows } = await sql<DoublePair & { count: number }>`
    select d.id, d.why, d.score, ${side('a', within(ctx, 'a', 'edit_publication'))} as first,
      ${side('b', within(ctx, 'b', 'edit_publication'))} as second, count(*) over ()::int as count
    from publication_doubles d join publications a on a.id = d.first_id join publications b on b.id = d.second_id
    where d.status = 'open' and a.removed_at is null and b.removed_at is null
      and (${publication_id ?? null}::int is null or ${publication_id ?? null}::int in (d.first_id, d.second_id))
      and (${within(ctx, 'a', 'access_publication')} or ${within(ctx, 'b', 'access_publication')})
    order by d.score desc, d.id limit ${PAIRS_ON_PAGE} offset ${(page - 1) * PAIRS_ON_PAGE}`.execute(ctx.db)
  const { rows: last } = await sql<{ found_at: string | null }>`
    select max(found_at) as found_at from publication_doubles`.execute(ctx.db)
  return {
    data: {
      pairs: rows.map(({ count: _count, ...pair }) => pair),
      count: rows[0]?.count ?? 0,
      found_at: firstRow(last).found_at,
    },
  }
})

/** Both works are held in the order of their ids, then the pair: whoever comes second finds what the first decided. */
async function holdPair(ctx: Ctx, tx: Tx, id: number) {
  const { rows: of } = await sql<{ first_id: number; second_id: number }>`
    select first_id, second_id from publication_doubles where id = ${id}`.execute(tx)
  if (!of[0]) throw refuse(404, 'not_found')
  const { first_id, second_id } = of[0]
  await sql`select from publications where id in (${first_id}, ${second_id}) order by id for update`.execute(tx)
  const { rows } = await sql<{ status: string; reached: number; gone: number }>`
    select d.status, (select count(*)::int from publications t where t.id in (d.first_id, d.second_id)
        and ${scopeCondition(ctx, 'edit_publication', publicationReach(ctx))}) as reached,
      (select count(*)::int from publications t where t.id in (d.first_id, d.second_id) and t.removed_at is not null) as gone
    from publication_doubles d where d.id = ${id} for update`.execute(tx)
  const pair = firstRow(rows)
  if (pair.reached === 0) throw refuse(404, 'not_found')
  if (pair.status !== 'open' || pair.gone > 0) throw refuse(409, 'double_decided')
  return { first_id, second_id, reached: pair.reached }
}
const decided = (ctx: Ctx, tx: Tx, id: number, status: 'merged' | 'apart') =>
  sql`update publication_doubles set status = ${status}, decided_by = ${ctx.actor?.user_id ?? null}::int, decided_at = now()
    where id = ${id}`.execute(tx)

/** Columns that the kept one takes where it has nothing. */
const TAKEN = [
  'title',
  'title_local',
  'abstract',
  'abstract_local',
  'venue',
  'publisher',
  'place',
  'volume',
  'issue',
  'pages',
  'edition',
  'doi',
  'issn',
  'isbn',
  'url',
]
interface Member {
  readonly id: number
  readonly user_id: number | null
  readonly name: string
}
/** People of the university who stand on the other alone: their name on the kept one becomes them, else they come at the end. */
async function joinMembers(tx: Tx, keep: number, other: number): Promise<void> {
  const { rows: here } =
    await sql<Member>`select id, user_id, name from publication_members where publication_id = ${keep} order by position`.execute(
      tx,
    )
  const { rows: there } =
    await sql<Member>`select id, user_id, name from publication_members where publication_id = ${other} order by position`.execute(
      tx,
    )
  const free = here.filter((one) => one.user_id === null)
  for (const one of there) {
    if (one.user_id === null || here.some((member) => member.user_id === one.user_id)) continue
    const same = free.filter((member) => alike(member.name, one.name))
    if (same.length === 1) {
      await sql`update publication_members set user_id = ${one.user_id}, version = version + 1, updated_at = now() where id = ${same[0]!.id}`.execute(
        tx,
      )
      free.splice(free.indexOf(same[0]!), 1)
    } else
      await sql`insert into publication_members (publication_id, position, user_id, name, role, orcid, affiliation)
        select ${keep}, (select coalesce(max(position), 0) + 1 from publication_members where publication_id = ${keep}), user_id, name, role, orcid,
          affiliation from publication_members where id = ${one.id}`.execute(tx)
  }
  if (here.length === 0)
    await sql`insert into publication_members (publication_id, position, name, role, orcid, affiliation)
      select ${keep}, (select count(*) from publication_members where publication_id = ${keep}) + row_number() over (order by position), name, role, orcid, affiliation
      from publication_members where publication_id = ${other} and user_id is null`.execute(tx)
}

/** What was said to be another work than the one that goes is another than the one that stays: nobody is asked again. */
const keepApart = (tx: Tx, keep: number, other: number) =>
  sql`insert into publication_doubles (first_id, second_id, why, score, status, decided_by, decided_at)
    select least(x.id, ${keep}::int), greatest(x.id, ${keep}::int), d.why, d.score, 'apart', d.decided_by, d.decided_at
    from publication_doubles d cross join lateral (select case d.first_id when ${other}::int then d.second_id else d.first_id end as id) x
    where d.status = 'apart' and ${other}::int in (d.first_id, d.second_id) and x.id <> ${keep}::int
    order by 1, 2
    on conflict (first_id, second_id) do update
      set status = excluded.status, decided_by = excluded.decided_by, decided_at = excluded.decided_at
      where publication_doubles.status = 'open'`.execute(tx)

const merge = handle(calls.merge, (ctx, { params: { id }, body: { keep_id } }) =>
  ctx.write(async (tx) => {
    const { first_id, second_id, reached } = await holdPair(ctx, tx, id)
    if (reached < 2) throw refuse(403, 'double_of_others')
    if (keep_id !== first_id && keep_id !== second_id) throw refuse(422, 'reference_missing', undefined, 'keep_id')
    const other = keep_id === first_id ? second_id : first_id
    await joinMembers(tx, keep_id, other)
    await sql`update publications set removed_at = now(), merged_into_id = ${keep_id} where id = ${other}`.execute(tx)
    // What was merged into the other before stands for the kept one now.
    await sql`update publications set merged_into_id = ${keep_id} where merged_into_id = ${other}`.execute(tx)
    await sql`update publications k set ${sql.raw(TAKEN.map((name) => `${name} = coalesce(k.${name}, o.${name})`).join(', '))},
        year = coalesce(k.year, o.year), month = case when k.year is null then o.month when k.year = o.year then coalesce(k.month, o.month) else k.month end,
        more = o.more || k.more, status = case when 'listed' in (k.status, o.status) and coalesce(k.year, o.year) is not null then 'listed' else k.status end,
        file_id = coalesce(k.file_id, o.file_id), file_stage = coalesce(k.file_stage, o.file_stage),
        licence = coalesce(k.licence, o.licence), file_readers = coalesce(k.file_readers, o.file_readers)
      from publications o where k.id = ${keep_id} and o.id = ${other}`.execute(tx)
    await sql`update publication_sources set publication_id = ${keep_id} where publication_id = ${other}`.execute(tx)
    await sql`update publication_import_lines set publication_id = ${keep_id} where publication_id = ${other}`.execute(
      tx,
    )
    await decided(ctx, tx, id, 'merged')
    await keepApart(tx, keep_id, other)
    await sql`delete from publication_doubles where status = 'open' and ${other} in (first_id, second_id)`.execute(tx)
    const { rows } = await sql<{ id: number; name: string; name_local: string }>`
      select id, coalesce(title, title_local) as name, coalesce(title_local, title) as name_local from publications where id = ${keep_id}`.execute(
      tx,
    )
    return { data: { id, kept: firstRow(rows) } }
  }),
)
const apart = handle(calls.apart, (ctx, { params: { id } }) =>
  ctx.write(async (tx) => {
    await holdPair(ctx, tx, id)
    await decided(ctx, tx, id, 'apart')
    return { data: { id } }
  }),
)
const find = handle(calls.findDoubles, (ctx) =>
  ctx.write(async (tx) => ({ data: { job: await ctx.services.jobs.send(tx, doublesJob, {}, { actor: ctx.actor }) } })),
)
export const publicationDoubleHandlers: readonly Handled[] = [doubles, find, merge, apart]
