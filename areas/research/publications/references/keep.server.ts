/** Works from elsewhere, kept: what is known already is found again, by its DOI, its identifier there, or the same title and year. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { alike } from '../sources/names.rules.ts'
import { publicationFlow } from '../works/publication.contract.ts'
import type { PublicationOrigin } from '../works/words.contract.ts'
import type { Work } from './work.rules.ts'

/** Whose works they are: names alike theirs are them. */
export interface KeptFor {
  readonly user_id: number
  readonly name: string
  readonly name_local: string
}
export interface ToKeep {
  readonly work: Work
  /** By which the service knows it. */
  readonly external_id?: string
}
export interface KeptWork {
  readonly id: number
  readonly added: boolean
  /** Of a list: which one before it in the same list it repeats. */
  readonly repeats?: number
  /** The person was found among its members. */
  readonly mine: boolean
}

const COLUMNS = [
  'kind',
  'language',
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
  'year',
  'month',
  'day',
  'doi',
  'issn',
  'isbn',
  'url',
] as const

/** The account for which works are kept. */
export async function keptFor(tx: Tx, user_id: number): Promise<KeptFor> {
  const { rows } = await sql<KeptFor>`select id as user_id, coalesce(used_name, name) as name,
    coalesce(used_name_local, name_local) as name_local from users where id = ${user_id}`.execute(tx)
  return firstRow(rows)
}
/** Which member the person is, by name or iD; −1: none, or it cannot be told. */
function placeOf(work: Work, person: KeptFor, orcid: string | null): number {
  const byId = orcid === null ? -1 : work.members.findIndex((one) => one.orcid === orcid)
  if (byId >= 0) return byId
  const found = work.members.flatMap(({ name }, i) =>
    alike(name, person.name) || alike(name, person.name_local) ? [i] : [],
  )
  return found.length === 1 ? found[0]! : -1
}

/**
 * Keeps works for a person, all in the order given, in few statements however many. What is known is left as it is: others may
 * have corrected it. A member whose name is alike and of whom nobody said who it is becomes the person.
 */
export async function keepWorks(
  ctx: Ctx,
  tx: Tx,
  works: readonly ToKeep[],
  of: { readonly for: KeptFor; readonly origin: PublicationOrigin; readonly orcid?: string | null },
): Promise<KeptWork[]> {
  // Two imports of one person come one after the other: what both have is there once.
  await sql`select pg_advisory_xact_lock(hashtext('publications of'), ${of.for.user_id}::int)`.execute(tx)
  // DOIs are held in one order, so that two people who bring the same work do not meet in the middle.
  const asked = works.map(({ work, external_id }, i) => ({
    i,
    doi: work.doi,
    external_id: external_id ?? null,
    title: work.title,
    title_local: work.title_local,
    year: work.year,
  }))
  const { rows: found } = await sql<{ i: number; id: number | null; key: string | null; local: string | null }>`
    select x.i, coalesce(
        (select coalesce(p.merged_into_id, p.id) from publication_sources s join publications p on p.id = s.publication_id
          where s.source = ${of.origin} and s.external_id = x.external_id and (p.removed_at is null or p.merged_into_id is not null)),
        (select p.id from publications p where p.doi = x.doi and p.removed_at is null),
        (select p.id from publications p where p.removed_at is null and (x.doi is null or p.doi is null)
          and (p.title_key = x.key or p.title_local_key = x.local) and (p.year = x.year or p.year is null or x.year is null)
          and (p.created_by = ${of.for.user_id} or exists (select from publication_members m
            where m.publication_id = p.id and m.user_id = ${of.for.user_id})) order by p.id limit 1)) as id, x.key, x.local
    from (select *, nullif(title_key(title), '') as key, nullif(title_key(title_local), '') as local
      from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
        y (i int, doi text, external_id text, title text, title_local text, year int)) x`.execute(tx)
  const kept: (KeptWork | null)[] = works.map(() => null)
  const first = new Map<string, number>()
  const fresh: number[] = []
  const keys = new Map(found.map((row) => [row.i, row]))
  for (const [i, { work, external_id }] of works.entries()) {
    const row = keys.get(i)!
    const names = [
      work.doi && `doi ${work.doi}`,
      external_id && `at ${external_id}`,
      // Without a DOI the title and the year say which work it is, with who wrote it first.
      ...[row.key, row.local].map(
        (key) => key && `title ${key} ${work.year} ${work.members[0]?.name ?? ''} ${work.doi ?? ''}`,
      ),
    ].filter((one): one is string => Boolean(one))
    const before = names.map((name) => first.get(name)).find((one) => one !== undefined)
    if (before === undefined) for (const name of names) first.set(name, i)
    if (row.id !== null) kept[i] = { id: row.id, added: false, mine: false }
    else if (before === undefined) fresh.push(i)
    else kept[i] = { id: 0, added: false, repeats: before, mine: false }
  }
  const places = new Map(fresh.map((i) => [i, placeOf(works[i]!.work, of.for, of.orcid ?? null)]))
  const made = await insertWorks(
    tx,
    fresh.map((i) => ({ i, mine: places.get(i)!, ...works[i]! })),
    of,
  )
  for (const [i, { id, added }] of made) kept[i] = { id, added, mine: added && places.get(i)! >= 0 }
  for (const [i, one] of kept.entries())
    if (one?.repeats !== undefined) kept[i] = { ...one, id: kept[one.repeats]!.id, mine: kept[one.repeats]!.mine }
  const known = kept.flatMap((one, i) => (one && !one.added && one.repeats === undefined ? [i] : []))
  for (const i of known) kept[i] = { ...kept[i]!, mine: await joinKnown(tx, kept[i]!.id, works[i]!.work, of) }
  if (of.origin === 'crossref' || of.origin === 'orcid' || of.origin === 'openalex') {
    const named = works.flatMap(({ external_id }, i) => (external_id ? [{ id: kept[i]!.id, external_id }] : []))
    await sql`insert into publication_sources (publication_id, source, external_id)
      select x.id, ${of.origin}, x.external_id from jsonb_to_recordset(${JSON.stringify(named)}::jsonb) x (id int, external_id text)
      on conflict (source, external_id) do update set fetched_at = now()`.execute(tx)
  }
  const begun = kept.flatMap((one) => (one?.added ? [one.id] : []))
  // As the workflow begins each, for all at once.
  await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, to_state)
    select ${publicationFlow.name}, x.id, ${ctx.actor?.user_id ?? null}::int, ${ctx.actor?.impersonator_id ?? null}::int, 'begin', 'draft'
    from unnest(${begun}::int[]) x (id)`.execute(tx)
  return kept as KeptWork[]
}

/** New works, with their members; a DOI that somebody else brought a moment ago is found instead of made. */
async function insertWorks(
  tx: Tx,
  fresh: readonly (ToKeep & { readonly i: number; readonly mine: number })[],
  of: { readonly for: KeptFor; readonly origin: PublicationOrigin },
): Promise<Map<number, { id: number; added: boolean }>> {
  const ids = new Map<number, number>()
  if (fresh.length === 0) return new Map()
  const rows = fresh
    .toSorted((a, b) => (a.work.doi ?? '').localeCompare(b.work.doi ?? ''))
    .map(({ i, work }) => ({ i, more: work.more, ...Object.fromEntries(COLUMNS.map((name) => [name, work[name]])) }))
  const { rows: numbered } = await sql<{ id: number }>`
    select nextval(pg_get_serial_sequence('publications', 'id'))::int as id from generate_series(1, ${rows.length})`.execute(
    tx,
  )
  for (const [at, row] of rows.entries()) ids.set(row.i, numbered[at]!.id)
  const columns = sql.join(COLUMNS.map((name) => sql.ref(name)))
  const types = sql.raw(
    COLUMNS.map((name) => `${name} ${['year', 'month', 'day'].includes(name) ? 'int' : 'text'}`).join(', '),
  )
  const { rows: put } = await sql<{ id: number }>`
    insert into publications (id, origin, created_by, more, ${columns}) overriding system value
    select x.id, ${of.origin}, ${of.for.user_id}, x.more, ${sql.join(COLUMNS.map((name) => sql.ref(`x.${name}`)))}
    from jsonb_to_recordset(${JSON.stringify(rows.map((row, at) => ({ ...row, id: numbered[at]!.id })))}::jsonb)
      x (id int, more jsonb, ${types})
    on conflict (doi) where removed_at is null do nothing returning id`.execute(tx)
  const there = new Set(put.map(({ id }) => id))
  const members = fresh.flatMap(({ i, work, mine }) => {
    const id = ids.get(i)!
    if (!there.has(id)) return []
    return work.members.slice(0, 5000).map((one, at) => ({
      publication_id: id,
      position: at + 1,
      user_id: at === mine ? of.for.user_id : null,
      name: one.name,
      role: one.role,
      orcid: one.orcid ?? null,
      affiliation: one.affiliation ?? null,
    }))
  })
  await sql`insert into publication_members (publication_id, position, user_id, name, role, orcid, affiliation)
    select x.* from jsonb_to_recordset(${JSON.stringify(members)}::jsonb)
      x (publication_id int, position int, user_id int, name text, role text, orcid text, affiliation text)`.execute(tx)
  for (const { i, work } of fresh) {
    if (there.has(ids.get(i)!)) continue
    const { rows: other } = await sql<{ id: number }>`
      select id from publications where doi = ${work.doi} and removed_at is null`.execute(tx)
    ids.set(i, firstRow(other).id)
  }
  return new Map([...ids].map(([i, id]) => [i, { id, added: there.has(id) }]))
}

/** The person on a work that is known: a name alike of whom nobody said yet who it is. */
async function joinKnown(
  tx: Tx,
  id: number,
  work: Work,
  of: { readonly for: KeptFor; readonly orcid?: string | null },
): Promise<boolean> {
  await sql`select from publications where id = ${id} for update`.execute(tx)
  const { rows } = await sql<{ id: number; user_id: number | null; name: string; orcid: string | null }>`
    select id, user_id, name, orcid from publication_members where publication_id = ${id} order by position`.execute(tx)
  if (rows.some((one) => one.user_id === of.for.user_id)) return true
  const found = rows.filter(
    (one) =>
      one.user_id === null &&
      ((of.orcid && one.orcid === of.orcid) || alike(one.name, of.for.name) || alike(one.name, of.for.name_local)),
  )
  if (found.length !== 1 || placeOf(work, of.for, of.orcid ?? null) < 0) return false
  await sql`update publication_members set user_id = ${of.for.user_id}, version = version + 1, updated_at = now()
    where id = ${found[0]!.id}`.execute(tx)
  return true
}
