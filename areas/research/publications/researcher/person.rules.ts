/**
 * A researcher, the works, theses supervised and projects as JSON-LD after schema.org: https://schema.org/Person, https://schema.org/ScholarlyArticle,
 * https://schema.org/Thesis, https://schema.org/ResearchProject.
 */
interface Described {
  readonly url: string
  readonly name: string
  readonly name_local: string
  readonly position: string | null
  readonly photo: string | null
  readonly orcid: string | null
  readonly about: string | null
  readonly interests: string | null
  readonly university: { readonly name: string; readonly url: string }
  readonly department: string | null
  readonly works: readonly {
    readonly kind: string
    readonly title: string | null
    readonly title_local: string | null
    readonly year: number | null
    readonly venue: string | null
    readonly doi: string | null
    readonly members: readonly string[]
  }[]
  readonly theses: readonly {
    readonly title: string
    readonly title_local: string
    readonly degree: 'master' | 'doctorate'
    readonly year: number
    readonly url: string | null
  }[]
  readonly projects: readonly {
    readonly name: string
    readonly name_local: string
    readonly status: 'running' | 'finished'
    readonly since: number
    readonly until: number
  }[]
}
const TYPES: Readonly<Record<string, string>> = {
  book: 'Book',
  book_chapter: 'Chapter',
  thesis: 'Thesis',
  report: 'Report',
  dataset: 'Dataset',
  other: 'CreativeWork',
}
const filled = (of: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== null && value !== undefined && value !== ''))

export const personJsonLd = (of: Described): Record<string, unknown> => ({
  '@context': 'https://schema.org',
  '@graph': [
    filled({
      '@type': 'Person',
      '@id': of.url,
      url: of.url,
      name: of.name,
      alternateName: of.name_local,
      jobTitle: of.position,
      image: of.photo,
      description: of.about,
      knowsAbout: of.interests
        ?.split(/[,;،؛]/)
        .map((one) => one.trim())
        .filter(Boolean),
      identifier: of.orcid && `https://orcid.org/${of.orcid}`,
      sameAs: of.orcid && `https://orcid.org/${of.orcid}`,
      affiliation: filled({
        '@type': 'CollegeOrUniversity',
        ...of.university,
        department: of.department && { '@type': 'Organization', name: of.department },
      }),
    }),
    ...of.works.map((work) =>
      filled({
        '@type': TYPES[work.kind] ?? 'ScholarlyArticle',
        '@id': work.doi && `https://doi.org/${work.doi}`,
        name: work.title ?? work.title_local,
        alternateName: work.title && work.title_local,
        datePublished: work.year === null ? null : String(work.year),
        isPartOf: work.venue && { '@type': 'Periodical', name: work.venue },
        author: work.members.map((name) => ({ '@type': 'Person', name })),
      }),
    ),
    // The person did not write them: whoever supervised contributed.
    ...of.theses.map((thesis) =>
      filled({
        '@type': 'Thesis',
        '@id': thesis.url,
        url: thesis.url,
        name: thesis.title,
        alternateName: thesis.title_local,
        inSupportOf: thesis.degree === 'doctorate' ? 'Doctorate' : 'Master',
        datePublished: String(thesis.year),
        contributor: { '@id': of.url },
      }),
    ),
    ...of.projects.map((project) =>
      filled({
        '@type': 'ResearchProject',
        name: project.name,
        alternateName: project.name_local,
        foundingDate: String(project.since),
        dissolutionDate: project.status === 'finished' ? String(project.until) : null,
        member: { '@id': of.url },
      }),
    ),
  ],
})
