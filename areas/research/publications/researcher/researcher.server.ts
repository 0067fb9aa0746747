/** Researchers: by what others know them, what everybody may see of them, and what they published by year, unit and quartile. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { refuseOthersOrcid } from '../sources/sync.server.ts'
import { QUARTILE } from '../works/publication.server.ts'
import { normalOrcid } from '../works/publication.rules.ts'
import { publicationReach } from '../works/reach.server.ts'
import { projectsOfResearcher, thesesOfResearcher } from './more.server.ts'
import { personJsonLd } from './person.rules.ts'
import { researcherReach } from './reach.server.ts'
import { researcherCalls as calls, WORKS_ON_PAGE, type ResearcherProfile } from './researcher.contract.ts'

async function profileOf(ctx: Ctx, db: Db | Tx, id: number): Promise<ResearcherProfile> {
  const { rows } = await sql<ResearcherProfile>`
    with w as materialized (select t.kind, t.year, ${sql.raw(QUARTILE)} as quartile from publications t
      where t.status = 'listed' and t.removed_at is null
        and exists (select from publication_members m where m.publication_id = t.id and m.user_id = ${id}))
    select u.id as user_id, coalesce(u.used_name, u.name) as name, coalesce(u.used_name_local, u.name_local) as name_local, r.orcid,
      r.openalex, coalesce(r.is_public, false) as is_public, r.slug, r.interests, r.interests_local, r.about, r.about_local,
      coalesce(r.version, 0) as version, r.synced_at, ${scopeCondition(ctx, 'edit_researcher', researcherReach(ctx))} as writes,
      json_build_object(
        'kinds', coalesce((select json_agg(json_build_object('kind', k.kind, 'count', k.count) order by k.count desc, k.kind)
          from (select kind, count(*)::int as count from w group by kind) k), '[]'),
        'years', coalesce((select json_agg(json_build_object('year', k.year, 'count', k.count) order by k.year desc)
          from (select year, count(*)::int as count from w group by year) k), '[]'),
        'quartiles', coalesce((select json_agg(json_build_object('quartile', k.quartile, 'count', k.count) order by k.quartile)
          from (select coalesce(quartile, 0) as quartile, count(*)::int as count from w group by 1) k), '[]')) as counts
    from users u left join researchers r on r.user_id = u.id
    where u.id = ${id} and u.removed_at is null and u.type in (1, 2, 3)
      and ${scopeCondition(ctx, ['edit_researcher', 'access_publication'], researcherReach(ctx))}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

const profile = handle(calls.profile, async (ctx, { params: { id } }) => ({ data: await profileOf(ctx, ctx.db, id) }))

/** A name in an address, made of a name; short ones get the account's number. */
const slugOf = (name: string, id: number): string => {
  const made = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 50)
    .replace(/-+$/, '')
  return made.length < 3 ? `researcher-${id}` : `${made}-${id}`
}

const changeProfile = handle(calls.changeProfile, async (ctx, { params: { id }, body: { version, ...body } }) => {
  const before = await profileOf(ctx, ctx.db, id)
  if (!before.writes) throw refuse(404, 'not_found')
  const reasons: Reason[] = []
  const orcid = body.orcid ? normalOrcid(body.orcid) : body.orcid
  if (body.orcid && orcid === null) reasons.push({ field: 'orcid', code: 'publication_member_orcid' })
  const openalex = body.openalex ? body.openalex.replace(/^.*\//, '').toUpperCase() : body.openalex
  if (openalex && !/^A\d{1,12}$/.test(openalex)) reasons.push({ field: 'openalex', code: 'researcher_openalex' })
  if (body.slug && !/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(body.slug))
    reasons.push({ field: 'slug', code: 'researcher_slug' })
  if (reasons.length) throw new Refusal(422, reasons)
  // Whoever keeps the records of others may close a page; opening it to everybody is the person's own.
  if (body.is_public && !before.is_public && id !== ctx.actor?.user_id)
    throw refuse(403, 'researcher_opens_own', undefined, 'is_public')
  // Asked before anything is held. A service that does not answer is no reason to refuse: works are taken only after it did.
  if (orcid && orcid !== before.orcid && ctx.services.config.publicationSources.orcid !== null)
    await refuseOthersOrcid(ctx, orcid, before).catch((error: unknown) => {
      if (
        error instanceof Refusal &&
        ['source_slow', 'source_down', 'source_too_often', 'source_garbled'].includes(error.reasons[0]?.code ?? '')
      )
        return
      throw error
    })
  return ctx.write(async (tx) => {
    await sql`insert into researchers (user_id) values (${id}) on conflict (user_id) do nothing`.execute(tx)
    const { rows } = await sql<{ version: number; slug: string | null }>`
      select version, slug from researchers where user_id = ${id} for update`.execute(tx)
    const now = firstRow(rows)
    if (version !== undefined && version !== 0 && version !== now.version)
      throw refuse(409, 'changed_meanwhile', { version: now.version })
    const set = { ...body, ...(orcid !== undefined && { orcid }), ...(openalex !== undefined && { openalex }) }
    if (set.is_public && !set.slug && (now.slug === null || set.slug === null)) set.slug = slugOf(before.name, id)
    const columns = Object.entries(set).map(([name, value]) => sql`${sql.ref(name)} = ${value === '' ? null : value}`)
    // Works of another iD are asked for from the beginning.
    if (orcid !== undefined && orcid !== before.orcid) columns.push(sql`synced_at = null`)
    if (columns.length) await sql`update researchers set ${sql.join(columns)} where user_id = ${id}`.execute(tx)
    return { data: await profileOf(ctx, tx, id) }
  })
})

const json = (column: string) =>
  sql.raw(`coalesce((select json_object_agg(k.key, k.count) from (select ${column} as key, count(*)::int as count from w x
    where x.of_id is not distinct from g.of_id and x.year_of is not distinct from g.year_of group by 1) k), '{}')`)
const counts = handle(calls.counts, async (ctx, { query: { by, year, department_id } }) => {
  const of = {
    year: sql`null::int`,
    faculty: sql`m.faculty_id`,
    department: sql`m.department_id`,
    person: sql`m.user_id`,
  }[by]
  const called = {
    year: sql`null::json`,
    faculty: sql`(select ${refOrNull('f')} from faculties f where f.id = g.of_id)`,
    department: sql`(select ${refOrNull('d')} from departments d where d.id = g.of_id)`,
    person: sql`(select json_build_object('id', u.id, 'name', coalesce(u.used_name, u.name), 'name_local', coalesce(u.used_name_local, u.name_local))
      from users u where u.id = g.of_id)`,
  }[by]
  type Row = {
    of: { id: number; name: string } | null
    year: number | null
    total: number
    kinds: Record<string, number>
    quartiles: Record<string, number>
  }
  // A work of two departments counts in both, and once in the university.
  const { rows } = await sql<Row>`
    with w as materialized (
      select distinct t.id, t.kind, ${by === 'year' ? sql`t.year` : sql`null::int`} as year_of, ${of} as of_id, coalesce(${sql.raw(QUARTILE)}, 0) as quartile
      from publications t join publication_members m on m.publication_id = t.id and m.user_id is not null
      where t.status = 'listed' and t.removed_at is null and ${scopeCondition(ctx, 'access_publication', publicationReach(ctx))}
        and (${year ?? null}::int is null or t.year = ${year ?? null}::int)
        and (${department_id ?? null}::int is null or m.department_id = ${department_id ?? null}::int))
    select ${called} as of, g.year_of as year, g.total, ${json('kind')} as kinds, ${json('quartile')} as quartiles
    from (select of_id, year_of, count(*)::int as total from w group by 1, 2) g
    order by g.year_of desc nulls last, g.total desc, g.of_id limit 500`.execute(ctx.db)
  return { data: rows }
})

interface Found {
  user_id: number
  name: string
  name_local: string
  position: string | null
  faculty: { id: number; name: string; name_local: string | null } | null
  department: { id: number; name: string; name_local: string | null } | null
  photo: { id: number; name: string } | null
  orcid: string | null
  interests: string | null
  interests_local: string | null
  about: string | null
  about_local: string | null
}
interface Shown {
  id: number
  kind: string
  language: string
  title: string | null
  title_local: string | null
  year: number | null
  venue: string | null
  doi: string | null
  members: string[]
  file: { id: number; name: string } | null
}
const page = handle(calls.page, async (ctx, { params: { slug } }) => {
  const { rows } = await sql<Found>`
    select u.id as user_id, coalesce(u.used_name, u.name) as name, coalesce(u.used_name_local, u.name_local) as name_local,
      i.academic_title as position, ${refOrNull('f')} as faculty, ${refOrNull('d')} as department,
      case when p.id is not null then json_build_object('id', p.id, 'name', p.name) end as photo,
      r.orcid, r.interests, r.interests_local, r.about, r.about_local
    from researchers r join users u on u.id = r.user_id left join instructors i on i.user_id = u.id and i.removed_at is null
      left join faculties f on f.id = coalesce(i.faculty_id, u.faculty_id) left join departments d on d.id = coalesce(i.department_id, u.department_id)
      left join files p on p.id = u.photo_file_id
    where r.slug = ${slug} and r.is_public and u.removed_at is null and u.blocked_at is null`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  const { rows: works } = await sql<Shown>`
    select t.id, t.kind, t.language, t.title, t.title_local, t.year, t.venue, t.doi,
      array(select m.name from publication_members m where m.publication_id = t.id and m.position <= 30 order by m.position) as members,
      case when t.file_readers = 'everybody' then (select json_build_object('id', f.id, 'name', f.name) from files f where f.id = t.file_id) end as file
    from publications t where t.status = 'listed' and t.removed_at is null
      and exists (select from publication_members m where m.publication_id = t.id and m.user_id = ${found.user_id})
    order by t.year desc, t.id desc limit ${WORKS_ON_PAGE + 1}`.execute(ctx.db)
  const theses = [...(await thesesOfResearcher(ctx.db, found.user_id))]
  const projects = [...(await projectsOfResearcher(ctx.db, found.user_id))]
  const { rows: names } = await sql<{ name: string | null }>`
    select value #>> '{}' as name from settings where key = 'university_name'`.execute(ctx.db)
  const { files, config } = ctx.services
  const open = (file: { id: number; name: string } | null) => (file ? files.link(file, 'everybody') : null)
  const { user_id: _user, photo, ...shown } = found
  const shownWorks = works.slice(0, WORKS_ON_PAGE)
  return {
    data: {
      ...shown,
      photo: open(photo),
      works: shownWorks.map((work) => ({ ...work, file: open(work.file) })),
      more: works.length > WORKS_ON_PAGE,
      theses,
      projects,
      json_ld: personJsonLd({
        ...shown,
        url: `${config.publicUrl}/researchers/${slug}`,
        photo: photo && `${config.publicUrl}${open(photo)}`,
        university: { name: names[0]?.name ?? '', url: config.publicUrl },
        department: found.department?.name ?? null,
        works: shownWorks,
        theses: theses.map(({ handle, ...one }) => ({
          ...one,
          url: handle && `${config.publicUrl}/repository/${handle}`,
        })),
        projects,
      }),
    },
  }
})
export const researcherHandlers: readonly Handled[] = [profile, changeProfile, counts, page]
