/** Publications taken out for other programs, or set as a list of references. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { rowsOf } from '#kit/server/resource/served.ts'
import { sql } from 'kysely'
import { servedPublications } from '../works/publication.server.ts'
import { toCsl } from './csl.rules.ts'
import { referenceList } from './read.server.ts'
import { referenceCalls as calls } from './references.contract.ts'
import type { Work } from './work.rules.ts'
import { toBibtex, toRis } from './written.rules.ts'

export type WrittenWorkRow = Omit<Work, 'more'> & { readonly id: number }
/** Works as they are written for other programs, the newest first. */
export async function writtenWorks(ctx: Pick<Ctx, 'db'>, ids: readonly number[]): Promise<WrittenWorkRow[]> {
  const { rows } = await sql<WrittenWorkRow>`
    select t.id, t.kind, t.language, t.title, t.title_local, t.abstract, t.abstract_local, t.venue, t.publisher, t.place, t.volume,
      t.issue, t.pages, t.edition, t.year, t.month, t.day, t.doi, t.issn, t.isbn, t.url,
      coalesce((select json_agg(json_build_object('name', m.name, 'role', m.role, 'orcid', m.orcid) order by m.position)
        from publication_members m where m.publication_id = t.id), '[]') as members
    from publications t where t.id = any(${[...ids]}::int[]) order by t.year desc nulls last, t.id desc`.execute(ctx.db)
  return rows
}

/** Works that are taken out at once. */
const MOST = 5000
const NAMES = { bibtex: 'bib', ris: 'ris', csl: 'json', apa: 'txt', ieee: 'txt', vancouver: 'txt' } as const

const exportReferences = handle(calls.exportReferences, async (ctx, { params: { format }, body }) => {
  const rows = await rowsOf(
    ctx,
    servedPublications,
    { search: body.search ?? '', filters: body.filters ?? {}, sort: [], perPage: 25, page: 1 } as never,
    MOST + 1,
    body.ids,
    'export_publication',
  )
  if (rows.length > MOST) throw refuse(422, 'reference_export_many', { count: MOST })
  const works = await writtenWorks(
    ctx,
    rows.map((row) => Number(row.id)),
  )
  const text =
    format === 'bibtex'
      ? toBibtex(works)
      : format === 'ris'
        ? toRis(works)
        : format === 'csl'
          ? `${JSON.stringify(
              works.map(({ id, ...work }) => toCsl(`publication-${id}`, work)),
              null,
              1,
            )}\n`
          : await referenceList(
              works.map(({ id, ...work }) => toCsl(`publication-${id}`, work)),
              format,
            )
  return {
    name: 'Publications',
    type: 'txt',
    // Programs for references know a file by this.
    ending: NAMES[format],
    content: new TextEncoder().encode(text),
    rows: works.length,
  }
})
export const referenceExportHandlers: readonly Handled[] = [exportReferences]
