/** Publications fetched: one by its DOI while the person waits, all of an ORCID iD in a job. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { keepWorks, keptFor } from '../references/keep.server.ts'
import { normalDoi } from '../works/publication.rules.ts'
import { alike } from './names.rules.ts'
import { researcherReach } from '../researcher/reach.server.ts'
import { namesOfOrcid, workOfDoi, worksOfPerson } from './services.server.ts'
import { syncCalls as calls } from './sync.contract.ts'

interface Person {
  readonly name: string
  readonly name_local: string
  readonly orcid: string | null
  readonly synced_at: string | null
}
async function personOf(ctx: Pick<Ctx, 'db'>, user_id: number): Promise<Person> {
  const { rows } = await sql<Person>`
    select coalesce(u.used_name, u.name) as name, coalesce(u.used_name_local, u.name_local) as name_local, r.orcid, r.synced_at
    from users u left join researchers r on r.user_id = u.id where u.id = ${user_id}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** For whom somebody fetches: for himself or herself, or for a researcher whose record the right to change it reaches. @throws {Refusal} 404 */
async function whoseWorks(ctx: Ctx, asked: number | undefined): Promise<number> {
  const own = ctx.actor!.user_id
  if (asked === undefined || asked === own) return own
  const { rows } = await sql`select from users u where u.id = ${asked} and u.removed_at is null and u.type in (1, 2, 3)
    and ${scopeCondition(ctx, 'edit_researcher', researcherReach(ctx))}`.execute(ctx.db)
  if (!rows.length) throw refuse(404, 'not_found')
  return asked
}

/**
 * That an iD is the person's: one of the names that ORCID has for it is alike, in either script.
 * @throws {Refusal} 409
 */
export async function refuseOthersOrcid(
  ctx: Pick<Ctx, 'services'>,
  orcid: string,
  person: { readonly name: string; readonly name_local: string },
): Promise<void> {
  const names = await namesOfOrcid(ctx.services.config.publicationSources, orcid)
  if (names === null) throw refuse(409, 'source_orcid_unknown', { orcid }, 'orcid')
  // A name that is kept private says nothing for or against it.
  if (names.length && !names.some((name) => alike(name, person.name) || alike(name, person.name_local)))
    throw refuse(409, 'source_orcid_other', { orcid, name: names[0]! }, 'orcid')
}

export interface Synced {
  readonly added: number
  readonly known: number
}
/** Everything of the iD, or what changed; repeated, it finds what it made. */
export const syncJob = defineJob<
  { source: 'orcid' | 'openalex'; everything: boolean; user_id?: number | undefined },
  Synced
>({
  name: 'publications-sync',
  async run(ctx, { source, everything, user_id: asked }, progress) {
    const user_id = await whoseWorks(ctx, asked)
    const person = await personOf(ctx, user_id)
    if (person.orcid === null) throw refuse(409, 'source_orcid_missing')
    const settings = ctx.services.config.publicationSources
    if (settings.orcid !== null) await refuseOthersOrcid(ctx, person.orcid, person)
    const began = new Date()
    let [added, known] = [0, 0]
    const pages = worksOfPerson(settings, source, {
      orcid: person.orcid,
      name: person.name,
      since: everything || person.synced_at === null ? null : new Date(person.synced_at),
    })
    for await (const { works, share } of pages) {
      const kept = await ctx.write(async (tx) =>
        keepWorks(ctx, tx, works, { for: await keptFor(tx, user_id), origin: source, orcid: person.orcid }),
      )
      added += kept.filter((one) => one.added).length
      known += kept.filter((one) => !one.added).length
      await progress(share * 95)
    }
    await ctx.write((tx) => sql`update researchers set synced_at = ${began} where user_id = ${user_id}`.execute(tx))
    return { added, known }
  },
})

const sync = handle(calls.sync, async (ctx, { body: { doi: given, source, everything, user_id: asked } }) => {
  if ((given === undefined) === (source === undefined)) throw refuse(422, 'source_one', undefined, 'doi')
  const user_id = await whoseWorks(ctx, asked)
  if (given !== undefined) {
    const doi = normalDoi(given)
    if (doi === null) throw refuse(422, 'publication_doi', undefined, 'doi')
    // Nothing is held while somebody else's server is waited for.
    const found = await workOfDoi(ctx.services.config.publicationSources, doi)
    return ctx.write(async (tx) => {
      const [kept] = await keepWorks(ctx, tx, [found], { for: await keptFor(tx, user_id), origin: 'crossref' })
      const { id, added, mine } = kept!
      // A work that is known and does not name the person stays somebody else's.
      if (!added && !mine) {
        const { rows } = await sql`select from publications where id = ${id} and created_by = ${user_id}`.execute(tx)
        if (!rows.length)
          throw refuse(409, 'source_known_to_others', { title: found.work.title ?? found.work.title_local ?? doi })
      }
      return { data: { publication_id: id, added: added ? 1 : 0, known: added ? 0 : 1, job: null } }
    })
  }
  const { orcid } = await personOf(ctx, user_id)
  const settings = ctx.services.config.publicationSources
  const reasons = [
    ...(orcid === null ? [{ code: 'source_orcid_missing' }] : []),
    ...(settings[source!] === null
      ? [{ code: 'source_not_set', data: { source: source === 'orcid' ? 'ORCID' : 'OpenAlex' } }]
      : []),
  ]
  if (reasons.length) throw new Refusal(409, reasons)
  return ctx.write(async (tx) => {
    const job = await ctx.services.jobs.send(
      tx,
      syncJob,
      { source: source!, everything: everything ?? false, user_id },
      { actor: ctx.actor },
    )
    return { data: { publication_id: null, added: 0, known: 0, job } }
  })
})

const sources = handle(calls.sources, async (ctx, { query: { user_id } }) => {
  const { crossref, orcid, openalex } = ctx.services.config.publicationSources
  const person = await personOf(ctx, await whoseWorks(ctx, user_id))
  return {
    data: {
      crossref: crossref !== null,
      orcid: orcid !== null,
      openalex: openalex !== null,
      iD: person.orcid,
      synced_at: person.synced_at,
    },
  }
})
export const syncHandlers: readonly Handled[] = [sync, sources]
