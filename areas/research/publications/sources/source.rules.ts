import { dateOf, firstText, isJsonObject, workKindOf, readCslItem } from '../references/csl.rules.ts'
import { orderWork, plainText, type Work } from '../references/work.rules.ts'
import { normalDoi, normalOrcid } from '../works/publication.rules.ts'

/** A work as a service has it. */
export interface SourceWork {
  readonly external_id: string
  readonly work: Work
}
type Json = Readonly<Record<string, unknown>>
const at = (value: unknown, ...path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (found, key) => (isJsonObject(found) || Array.isArray(found) ? (found as never)[key] : undefined),
    value,
  )
const list = (value: unknown): Json[] => (Array.isArray(value) ? value.filter(isJsonObject) : [])

/**
 * A message of Crossref (`GET /works/{doi}`, https://api.crossref.org). `other`: it is about another work than was asked for;
 * null: it is no work that can be kept.
 */
export function crossrefWork(answer: unknown, asked: string): SourceWork | 'other' | null {
  const message = at(answer, 'message')
  if (!isJsonObject(message)) return null
  const doi = normalDoi(firstText(message.DOI) ?? '')
  if (doi !== asked) return 'other'
  const { work } = readCslItem(message, false)
  return work && { external_id: doi, work: { ...work, doi } }
}

/** Names that a person has at ORCID (`GET /v3.0/{iD}/person`). */
export function orcidNames(answer: unknown): string[] {
  const name = at(answer, 'name')
  const text = (...path: string[]) => plainText(at(name, ...path, 'value'))
  return [
    [text('given-names'), text('family-name')].filter(Boolean).join(' '),
    text('credit-name'),
    ...list(at(answer, 'other-names', 'other-name')).map((one) => plainText(one.content)),
  ].filter(Boolean)
}

/** What a list of works at ORCID says of each (`GET /v3.0/{iD}/works`): the preferred one of those that are one work. */
export function orcidSummaries(answer: unknown): { putCode: number; changed: number }[] {
  return list(at(answer, 'group')).flatMap((group) => {
    const all = list(group['work-summary'])
    const best = all.toSorted((a, b) => Number(b['display-index'] ?? 0) - Number(a['display-index'] ?? 0))[0]
    const putCode = Number(best?.['put-code'])
    if (!Number.isSafeInteger(putCode) || putCode <= 0) return []
    const changed = Math.max(0, ...all.map((one) => Number(at(one, 'last-modified-date', 'value')) || 0))
    return [{ putCode, changed }]
  })
}

/** Works of an answer for many (`GET /v3.0/{iD}/works/{putCodes}`). `person`: who stands on a work that names nobody. */
export function orcidWorks(answer: unknown, iD: string, person: string): SourceWork[] {
  return list(at(answer, 'bulk')).flatMap(({ work }) => {
    if (!isJsonObject(work)) return []
    const part = (name: string) => plainText(at(work, 'publication-date', name, 'value'))
    const date = [part('year'), part('month'), part('day')].filter(Boolean).join('-')
    const known = list(at(work, 'external-ids', 'external-id'))
    const own = (type: string) =>
      known
        .filter((one) => one['external-id-type'] === type && one['external-id-relationship'] !== 'part-of')
        .map((one) => plainText(one['external-id-value']))[0]
    const partOf = (type: string) =>
      known.filter((one) => one['external-id-type'] === type).map((one) => plainText(one['external-id-value']))[0]
    const people = list(at(work, 'contributors', 'contributor')).flatMap((one) => {
      const name = plainText(at(one, 'credit-name', 'value'))
      const said = plainText(at(one, 'contributor-attributes', 'contributor-role')).toLowerCase()
      const role = said.includes('editor') ? 'editor' : said.includes('translator') ? 'translator' : 'author'
      return name
        ? [{ name, role: role as 'author', orcid: plainText(at(one, 'contributor-orcid', 'path')) || null }]
        : []
    })
    const { work: read } = orderWork({
      kind: workKindOf(firstText(work.type)?.replaceAll('_', '-')),
      language: firstText(work['language-code']),
      titles: [
        plainText(at(work, 'title', 'title', 'value')),
        plainText(at(work, 'title', 'translated-title', 'value')),
      ],
      abstracts: [firstText(work['short-description']) ?? ''],
      venue: plainText(at(work, 'journal-title', 'value')),
      date,
      doi: own('doi'),
      issn: partOf('issn'),
      isbn: partOf('isbn'),
      url: plainText(at(work, 'url', 'value')),
      members: people.length ? people : [{ name: person, role: 'author', orcid: iD }],
    })
    const putCode = firstText(work['put-code'])
    return read && putCode ? [{ external_id: `${iD}/${putCode}`, work: read }] : []
  })
}

/** An abstract that OpenAlex gives as the places of its words. */
const abstractOf = (places: unknown): string => {
  if (!isJsonObject(places)) return ''
  const words: string[] = []
  for (const [word, where] of Object.entries(places))
    for (const place of Array.isArray(where) ? where : [])
      if (Number.isInteger(place) && place < 10_000) words[place as number] = word
  return words.join(' ')
}
/** A page of works of OpenAlex (`GET /works?filter=author.orcid:…&cursor=…`), and where the next one begins. */
export function openAlexWorks(answer: unknown): { works: SourceWork[]; next: string | null } {
  const works = list(at(answer, 'results')).flatMap((one) => {
    const source = at(one, 'primary_location', 'source')
    const biblio = at(one, 'biblio')
    const [begin, end] = [plainText(at(biblio, 'first_page')), plainText(at(biblio, 'last_page'))]
    const { work } = orderWork({
      kind: workKindOf(firstText(one.type)),
      language: firstText(one.language),
      titles: [firstText(one.title) ?? firstText(one.display_name) ?? ''],
      abstracts: [abstractOf(one.abstract_inverted_index)],
      venue: plainText(at(source, 'display_name')),
      publisher: plainText(at(source, 'host_organization_name')),
      volume: plainText(at(biblio, 'volume')),
      issue: plainText(at(biblio, 'issue')),
      pages: begin && end && begin !== end ? `${begin}–${end}` : begin,
      date: firstText(one.publication_date) ?? dateOf(one.publication_year),
      doi: firstText(one.doi),
      issn: plainText(at(source, 'issn_l')) || plainText(at(source, 'issn', 0)),
      members: list(one.authorships).map((author) => ({
        name: plainText(author.raw_author_name) || plainText(at(author, 'author', 'display_name')),
        role: 'author' as const,
        orcid: normalOrcid(plainText(at(author, 'author', 'orcid'))),
        affiliation: plainText(at(author, 'institutions', 0, 'display_name')) || null,
      })),
    })
    const external_id = (firstText(one.id) ?? '').replace(/^.*\//, '')
    return work && /^W\d+$/.test(external_id) ? [{ external_id, work }] : []
  })
  const next = at(answer, 'meta', 'next_cursor')
  return { works, next: typeof next === 'string' && next !== '' ? next : null }
}
