/** Publications: written down, listed, with their members and their file. */
import type { Tx } from '#db/connect.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, toProblem } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { publication, publicationCalls as calls, publicationFlow, publicationSteps } from './publication.contract.ts'
import {
  checkListed,
  checkWork,
  normalDoi,
  normalIsbn,
  normalIssn,
  type ListedFacts,
  type WrittenWork,
} from './publication.rules.ts'
import { membersOf } from './members.server.ts'
import { findPublication, publicationReach, unitOfFirst } from './reach.server.ts'

/** What a list looks at, of several works at once. */
export async function listedFacts(tx: Tx, ids: readonly number[]): Promise<Map<number, ListedFacts>> {
  const { rows } = await sql<ListedFacts & { id: number }>`
    select t.id, t.year, count(m.id)::int as members, count(m.user_id)::int as inside,
      (count(*) filter (where m.is_corresponding))::int as corresponding
    from publications t left join publication_members m on m.publication_id = t.id
    where t.id = any(${[...ids]}::int[]) group by t.id`.execute(tx)
  return new Map(rows.map(({ id, ...facts }) => [id, facts]))
}

export const publicationWorkflow = serveWorkflow(publicationFlow, publicationSteps, {
  table: 'publications',
  scope: publicationReach,
  units: () => ({ faculty: sql.raw(unitOfFirst('faculty')), department: sql.raw(unitOfFirst('department')) }),
  seen: ['access_publication', 'show_publication'],
  nameOf: 'coalesce(t.title, t.title_local)',
  own: (people) => sql`(coalesce(t.created_by = any(${people}), false) or exists (select from publication_members om
    where om.publication_id = t.id and om.user_id = any(${people})))`,
  facts: (_ctx, tx, ids) => listedFacts(tx, ids),
})

/** SQL of the quartile of the journal of the publication `t`: of its year, else of the nearest year that is listed. */
export const QUARTILE = `(select j.quartile from ranked_journals j where j.removed_at is null and t.issn is not null
  and (j.issn = t.issn or j.other_issn = t.issn) order by abs(j.year - coalesce(t.year, j.year)), j.year desc, j.quartile limit 1)`

const NORMAL = { doi: normalDoi, issn: normalIssn, isbn: normalIsbn } as const

export const servedPublications = workings(publication, {
  scope: {
    faculty: (ctx) => publicationReach(ctx).faculty,
    department: (ctx) => publicationReach(ctx).department,
    own: (ctx) => publicationReach(ctx).own,
  },
  computed: { faculty_id: unitOfFirst('faculty'), department_id: unitOfFirst('department'), quartile: QUARTILE },
  filters: {
    // Of one person: the screen of the own works and that of somebody else.
    user_id: (value) => sql`exists (select from publication_members pm
      where pm.publication_id = t.id and pm.user_id = ${Number(value)})`,
  },
  sort: { title: 'fold_text(coalesce(t.title, t.title_local))' },
  search: ['t.search_text'],
  flow: publicationWorkflow,
  beforeWrite(ctx, _tx, merged, current) {
    const reasons = checkWork(merged as WrittenWork, new Date().getFullYear())
    if (reasons.length) throw new Refusal(422, reasons)
    for (const [name, normal] of Object.entries(NORMAL))
      if (typeof merged[name] === 'string') merged[name] = normal(merged[name])
    return current ? undefined : { created_by: ctx.actor?.user_id ?? null }
  },
  async afterWrite(ctx, tx, id, _merged, current) {
    if (current) return
    const person = ctx.actor?.user_id ?? null
    // Whoever writes a work down made it, unless it is said otherwise.
    if (person !== null)
      await sql`insert into publication_members (publication_id, position, user_id, name)
        select ${id}, 1, u.id, coalesce(u.used_name, u.name) from users u
        where u.id = ${person} and exists (select from instructors i where i.user_id = u.id)`.execute(tx)
    await publicationWorkflow.begin(ctx, tx, id, 'draft')
  },
})

interface Found {
  file: { id: number; name: string; size: number; stage: string; licence: string; readers: string } | null
  opens: boolean
  sources: { source: string; external_id: string; fetched_at: string }[]
  doubles: { id: number; with: { id: number; name: string; name_local: string | null }; why: string; score: number }[]
}
const parts = handle(calls.parts, async (ctx, { params: { id } }) => {
  const { writes } = await findPublication(ctx, ctx.db, id)
  const person = ctx.actor?.user_id ?? null
  const { rows } = await sql<Found>`
    select case when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'size', f.size, 'stage', t.file_stage,
        'licence', t.licence, 'readers', t.file_readers) end as file,
      (t.file_readers <> 'members' or ${writes}::boolean) as opens,
      coalesce((select json_agg(json_build_object('source', s.source, 'external_id', s.external_id, 'fetched_at', s.fetched_at)
        order by s.source, s.external_id) from publication_sources s where s.publication_id = t.id), '[]') as sources,
      coalesce((select json_agg(json_build_object('id', d.id, 'with', json_build_object('id', o.id,
          'name', coalesce(o.title, o.title_local), 'name_local', coalesce(o.title_local, o.title)), 'why', d.why, 'score', d.score)
        order by d.score desc, d.id) from publication_doubles d
        join publications o on o.id = case d.first_id when t.id then d.second_id else d.first_id end
        where t.id in (d.first_id, d.second_id) and d.status = 'open' and o.removed_at is null), '[]') as doubles
    from publications t left join files f on f.id = t.file_id where t.id = ${id}`.execute(ctx.db)
  const [found] = rows
  const members = await membersOf(ctx.db, id)
  const facts: ListedFacts = (await listedFacts(ctx.db as Tx, [id])).get(id)!
  const { id: file_id, ...file } = found?.file ?? { id: 0 }
  return {
    data: {
      members,
      file:
        found?.file && found.opens
          ? {
              ...(file as Omit<NonNullable<Found['file']>, 'id'>),
              url: ctx.services.files.link({ id: file_id, name: found.file.name }, ctx.actor!),
            }
          : null,
      file_kept: Boolean(found?.file && !found.opens),
      sources: found?.sources ?? [],
      doubles: found?.doubles ?? [],
      writes,
      mine: members.find((one) => one.user !== null && one.user.id === person)?.id ?? null,
      reasons: checkListed(facts).map(toProblem),
    },
  }
})

export const publicationHandlers: readonly Handled[] = [
  ...servedPublications.handlers,
  ...publicationWorkflow.handlers,
  servedPublications.at(calls.change, 'update'),
  parts,
]
