/**
 * The services that know what people publish, behind one seam: Crossref REST (a DOI), the public API of ORCID v3.0 (the works of an
 * iD) and OpenAlex. Their addresses are settings of the installation.
 */
import { dayOf } from '#kit/contract/day.ts'
import type { Config } from '#kit/server/base/config.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { askJson, type AskOptions } from '#kit/server/base/fetched.ts'
import { crossrefWork, openAlexWorks, orcidNames, orcidSummaries, orcidWorks, type SourceWork } from './source.rules.ts'

export type SourceName = 'crossref' | 'orcid' | 'openalex'
type Settings = Config['publicationSources']

/** Milliseconds for one answer; a DOI is waited for by a person. */
const PATIENCE = 8000
const LARGEST = 16_777_216
/** Works that ORCID gives at once, and OpenAlex on a page. */
const ORCID_AT_ONCE = 100
const PAGE = 200
/** Pages asked for at most: 20,000 works are not one person's. */
const MOST_PAGES = 100

const addressOf = (settings: Settings, source: SourceName): string => {
  const address = settings[source]
  if (address === null) throw refuse(409, 'source_not_set', { source: NAMES[source] })
  return address
}
export const NAMES: Readonly<Record<SourceName, string>> = {
  crossref: 'Crossref',
  orcid: 'ORCID',
  openalex: 'OpenAlex',
}

/** Asks a service. @throws {Refusal} 409 in words to act on; 404 is null */
async function ask(settings: Settings, source: SourceName, path: string, options: AskOptions = {}): Promise<unknown> {
  const contact = settings.contact ? ` (mailto:${settings.contact})` : ''
  const asked = await askJson(`${addressOf(settings, source)}${path}`, {
    patience: PATIENCE,
    most: LARGEST,
    configured: true,
    ...options,
    headers: { 'user-agent': `university-ems/7${contact}`, ...options.headers },
  })
  if (asked.ok) return asked.json
  if (asked.why === 'not_found') return null
  const code = {
    slow: 'source_slow',
    too_often: 'source_too_often',
    garbled: 'source_garbled',
    down: 'source_down',
    refused: 'source_down',
  }[asked.why]
  throw refuse(409, code, { source: NAMES[source] })
}

/** The work of a DOI, by Crossref. @throws {Refusal} 409 where it is unknown, or the answer is about another work */
export async function workOfDoi(settings: Settings, doi: string): Promise<SourceWork> {
  const answer = await ask(settings, 'crossref', `/works/${encodeURIComponent(doi)}`)
  if (answer === null) throw refuse(409, 'source_doi_unknown', { doi }, 'doi')
  const found = crossrefWork(answer, doi)
  if (found === 'other') throw refuse(409, 'source_other_work', { doi }, 'doi')
  if (found === null) throw refuse(409, 'source_garbled', { source: NAMES.crossref }, 'doi')
  return found
}

/** Names of the person of an iD; null: nobody has it. */
export async function namesOfOrcid(settings: Settings, iD: string): Promise<string[] | null> {
  const answer = await ask(settings, 'orcid', `/v3.0/${iD}/person`)
  return answer === null ? null : orcidNames(answer)
}

export interface OfPerson {
  readonly orcid: string
  readonly name: string
  /** Only what changed since; null: everything. */
  readonly since: Date | null
}
/** Works of a person page by page, with how many pages there are where that is known. */
export async function* worksOfPerson(
  settings: Settings,
  source: 'orcid' | 'openalex',
  { orcid, name, since }: OfPerson,
): AsyncGenerator<{ works: readonly SourceWork[]; share: number }> {
  if (source === 'orcid') {
    const answer = await ask(settings, 'orcid', `/v3.0/${orcid}/works`)
    if (answer === null) throw refuse(409, 'source_orcid_unknown', { orcid })
    const wanted = orcidSummaries(answer).filter(({ changed }) => since === null || changed >= since.getTime())
    for (let from = 0; from < wanted.length; from += ORCID_AT_ONCE) {
      const codes = wanted.slice(from, from + ORCID_AT_ONCE).map(({ putCode }) => putCode)
      const bulk = await ask(settings, 'orcid', `/v3.0/${orcid}/works/${codes.join(',')}`)
      yield { works: orcidWorks(bulk, orcid, name), share: Math.min(1, (from + ORCID_AT_ONCE) / wanted.length) }
    }
    return
  }
  const filter = [`author.orcid:${orcid}`, ...(since ? [`from_updated_date:${dayOf(since)}`] : [])].join(',')
  let cursor: string | null = '*'
  for (let page = 0; cursor !== null && page < MOST_PAGES; page++) {
    const query: URLSearchParams = new URLSearchParams({ filter, 'per-page': String(PAGE), cursor })
    if (settings.contact) query.set('mailto', settings.contact)
    const answer = await ask(settings, 'openalex', `/works?${query}`)
    const read: ReturnType<typeof openAlexWorks> = openAlexWorks(answer)
    yield { works: read.works, share: read.next === null ? 1 : 1 - 1 / (page + 2) }
    // A page without works is the last, whatever it says.
    cursor = read.works.length ? read.next : null
  }
}
