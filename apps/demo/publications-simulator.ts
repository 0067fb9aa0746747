/** Crossref, ORCID and OpenAlex on this machine, as far as publications are asked for: the published paths, shapes and refusals. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import pg from 'pg'

export interface SimulatedWork {
  readonly doi: string | null
  readonly title: string
  /** In the other language. */
  readonly translated?: string
  readonly type?: 'journal-article' | 'proceedings-article' | 'book' | 'book-chapter'
  readonly journal?: string
  readonly issn?: string
  readonly year: number
  readonly month?: number
  readonly volume?: string
  readonly page?: string
  readonly authors: readonly { readonly given: string; readonly family: string; readonly orcid?: string }[]
  /** When it was changed last, in milliseconds. */
  changed: number
}
export interface SimulatedPerson {
  readonly orcid: string
  readonly given: string
  readonly family: string
}
export interface PublicationsSimulator {
  readonly url: string
  /** What the application is started with to use it. */
  readonly variables: Readonly<Record<string, string>>
  readonly people: SimulatedPerson[]
  readonly works: SimulatedWork[]
  /** Paths asked for so far. */
  readonly asked: string[]
  /** Answers only after so many milliseconds. */
  delay: number
  /** Takes what is asked and never answers. */
  silent: boolean
  /** Answers every DOI with the first work. */
  confused: boolean
  /** Answers with what is no JSON. */
  garbled: boolean
  /** Answers with this status; 0: as it should. */
  status: number
  /** Leads to another address instead of answering. */
  redirects: string | null
  close(): Promise<void>
}

const iDOf = (orcid: string) => `https://orcid.org/${orcid}`
const crossref = (work: SimulatedWork) => ({
  DOI: work.doi?.toUpperCase(),
  type: work.type ?? 'journal-article',
  title: [work.title],
  ...(work.translated && { 'original-title': [work.translated] }),
  'container-title': work.journal ? [work.journal] : [],
  ISSN: work.issn ? [work.issn] : [],
  volume: work.volume,
  page: work.page,
  issued: { 'date-parts': [[work.year, ...(work.month ? [work.month] : [])]] },
  author: work.authors.map(({ given, family, orcid }, i) => ({
    given,
    family,
    ...(orcid && { ORCID: iDOf(orcid) }),
    sequence: i ? 'additional' : 'first',
    affiliation: [],
  })),
})
const value = (text: unknown) => (text === undefined ? null : { value: String(text) })
const orcidWork = (work: SimulatedWork, putCode: number) => ({
  'put-code': putCode,
  title: {
    title: { value: work.title },
    subtitle: null,
    'translated-title': work.translated ? { value: work.translated, 'language-code': 'ar' } : null,
  },
  'journal-title': value(work.journal),
  type: work.type === 'proceedings-article' ? 'conference-paper' : (work.type ?? 'journal-article'),
  'publication-date': { year: value(work.year), month: value(work.month), day: null },
  'external-ids': {
    'external-id': [
      ...(work.doi
        ? [{ 'external-id-type': 'doi', 'external-id-value': work.doi, 'external-id-relationship': 'self' }]
        : []),
      ...(work.issn
        ? [{ 'external-id-type': 'issn', 'external-id-value': work.issn, 'external-id-relationship': 'part-of' }]
        : []),
    ],
  },
  url: null,
  contributors: {
    contributor: work.authors.map(({ given, family, orcid }) => ({
      'credit-name': { value: `${given} ${family}` },
      'contributor-orcid': orcid ? { path: orcid } : null,
      'contributor-attributes': { 'contributor-role': 'author' },
    })),
  },
  'last-modified-date': { value: work.changed },
})
const openAlex = (work: SimulatedWork, number: number) => {
  const [first, last] = (work.page ?? '').split('-')
  return {
    id: `https://openalex.org/W${number}`,
    doi: work.doi ? `https://doi.org/${work.doi}` : null,
    title: work.title,
    type: work.type === 'journal-article' || !work.type ? 'article' : work.type,
    language: 'en',
    publication_year: work.year,
    publication_date: `${work.year}-${String(work.month ?? 1).padStart(2, '0')}-01`,
    biblio: { volume: work.volume ?? null, issue: null, first_page: first || null, last_page: last || null },
    primary_location: { source: { display_name: work.journal ?? null, issn_l: work.issn ?? null } },
    authorships: work.authors.map(({ given, family, orcid }) => ({
      author: { display_name: `${given} ${family}`, orcid: orcid ? iDOf(orcid) : null },
      institutions: [{ display_name: 'Canopus University' }],
    })),
  }
}

/** Opens it. `port`: 0 for any. */
export async function openPublicationsSimulator({
  port = 0,
  people = [],
  works = [],
}: { port?: number; people?: SimulatedPerson[]; works?: SimulatedWork[] } = {}): Promise<PublicationsSimulator> {
  const asked: string[] = []
  const simulator = {
    delay: 0,
    silent: false,
    confused: false,
    garbled: false,
    status: 0,
    redirects: null as string | null,
  }
  const worksOf = (orcid: string | undefined) =>
    works.flatMap((work, i) => (work.authors.some((one) => one.orcid === orcid) ? [{ work, number: i + 1 }] : []))

  const answer = (at: URL): unknown => {
    const [, part, first, second, third] = at.pathname.split('/').map(decodeURIComponent)
    if (part === 'crossref' && first === 'works') {
      const doi = at.pathname.split('/').slice(3).map(decodeURIComponent).join('/').toLowerCase()
      const found = simulator.confused ? works[0] : works.find((work) => work.doi === doi)
      return found && { status: 'ok', 'message-type': 'work', message: crossref(found) }
    }
    if (part === 'orcid' && first === 'v3.0') {
      const person = people.find(({ orcid }) => orcid === second)
      if (!person) return undefined
      if (third === 'person')
        return {
          name: {
            'given-names': { value: person.given },
            'family-name': { value: person.family },
            'credit-name': null,
          },
          'other-names': { 'other-name': [] },
        }
      const codes = at.pathname.split('/')[5]?.split(',').map(Number)
      const own = worksOf(person.orcid)
      if (!codes)
        return {
          'last-modified-date': { value: Date.now() },
          group: own.map(({ work, number }) => ({
            'work-summary': [
              { 'put-code': number, 'display-index': '1', 'last-modified-date': { value: work.changed } },
            ],
          })),
        }
      // More than a hundred at once it does not give.
      if (codes.length > 100) return undefined
      return {
        bulk: own
          .filter(({ number }) => codes.includes(number))
          .map(({ work, number }) => ({ work: orcidWork(work, number) })),
      }
    }
    if (part === 'openalex' && first === 'works') {
      const filter = at.searchParams.get('filter') ?? ''
      const since = /from_updated_date:([\d-]+)/.exec(filter)?.[1]
      const own = worksOf(/author\.orcid:([\dX-]+)/.exec(filter)?.[1]).filter(
        ({ work }) => !since || work.changed >= Date.parse(since),
      )
      const per = Math.min(200, Number(at.searchParams.get('per-page') ?? 25))
      const from = at.searchParams.get('cursor') === '*' ? 0 : Number(at.searchParams.get('cursor'))
      const next = from + per < own.length ? String(from + per) : null
      return {
        meta: { count: own.length, next_cursor: next },
        results: own.slice(from, from + per).map(({ work, number }) => openAlex(work, number)),
      }
    }
    return undefined
  }
  const server = createServer((request, response) => {
    const at = new URL(request.url ?? '/', 'http://localhost')
    asked.push(at.pathname)
    if (simulator.silent) return
    if (simulator.redirects !== null) return void response.writeHead(302, { location: simulator.redirects }).end()
    if (simulator.status) return void response.writeHead(simulator.status).end()
    if (simulator.garbled) return void response.writeHead(200).end('<html>')
    setTimeout(() => {
      const found = answer(at)
      if (found === undefined)
        return void response.writeHead(404, { 'content-type': 'text/plain' }).end('Resource not found.')
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found))
    }, simulator.delay)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return Object.assign(simulator, {
    url,
    variables: { CROSSREF_URL: `${url}/crossref`, ORCID_URL: `${url}/orcid`, OPENALEX_URL: `${url}/openalex` },
    people,
    works,
    asked,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  })
}

/** With works of the researchers of the demo university, so that each can fetch some: five that nobody has typed in yet. */
export async function demoSources(databaseUrl: string): Promise<PublicationsSimulator> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } = await client
    .query<{ orcid: string; name: string }>(
      'select r.orcid, coalesce(u.used_name, u.name) as name from researchers r join users u on u.id = r.user_id where r.orcid is not null',
    )
    .finally(() => client.end())
  const people = rows.map(({ orcid, name }) => {
    const words = name.split(/\s+/)
    return { orcid, given: words.slice(0, -1).join(' '), family: words.at(-1) ?? name }
  })
  const works = people.flatMap((person, p) =>
    Array.from({ length: 5 }, (_, n): SimulatedWork => ({
      doi: `10.99999/far.${p * 5 + n + 1}`,
      title: `Measurements of harbour lamps, series ${p + 1}, part ${n + 1}`,
      journal: 'Journal of Coastal Engineering',
      issn: '2049-3630',
      year: 2021 + n,
      month: n + 1,
      volume: String(30 + n),
      page: `${p * 40 + n * 8 + 1}-${p * 40 + n * 8 + 8}`,
      authors: [person, { given: 'Peter', family: 'Weiss' }],
      changed: Date.now(),
    })),
  )
  const given = { people, works }
  return openPublicationsSimulator({ ...given, port: 3904 }).catch(() => openPublicationsSimulator(given))
}
