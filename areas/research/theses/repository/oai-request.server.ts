/**
 * OAI-PMH 2.0 (https://www.openarchives.org/OAI/openarchivesprotocol.html): which arguments a verb takes (§4), what is wrong
 * with a request (§3.6), days and times (§3.3), tokens (§3.5), and records in Dublin Core.
 */
import { z } from 'zod'

export const OAI_VERBS = [
  'Identify',
  'ListMetadataFormats',
  'ListSets',
  'GetRecord',
  'ListIdentifiers',
  'ListRecords',
] as const
export type OaiVerb = (typeof OAI_VERBS)[number]
const SELECTIVE = ['from', 'until', 'set'] as const
/** Arguments of each verb: those that are needed, and those that may be there; a token stands alone. */
const ARGUMENTS: Readonly<Record<OaiVerb, { needs: readonly string[]; takes: readonly string[]; token: boolean }>> = {
  Identify: { needs: [], takes: [], token: false },
  ListMetadataFormats: { needs: [], takes: ['identifier'], token: false },
  ListSets: { needs: [], takes: [], token: true },
  GetRecord: { needs: ['identifier', 'metadataPrefix'], takes: [], token: false },
  ListIdentifiers: { needs: ['metadataPrefix'], takes: SELECTIVE, token: true },
  ListRecords: { needs: ['metadataPrefix'], takes: SELECTIVE, token: true },
}
export type OaiCode =
  | 'badVerb'
  | 'badArgument'
  | 'badResumptionToken'
  | 'cannotDisseminateFormat'
  | 'idDoesNotExist'
  | 'noRecordsMatch'
export interface OaiError {
  readonly code: OaiCode
  readonly text: string
}
/** What a list goes on from: the last record told, and what was asked. */
export const oaiToken = z.strictObject({
  v: z.enum(['ListIdentifiers', 'ListRecords']),
  from: z.string().nullable(),
  until: z.string().nullable(),
  set: z.number().int().nullable(),
  stamp: z.string(),
  id: z.number().int(),
  cursor: z.number().int().min(1),
})
export type OaiToken = z.output<typeof oaiToken>
export interface OaiAsked {
  readonly verb: OaiVerb
  readonly identifier: string | null
  readonly prefix: string | null
  readonly from: string | null
  readonly until: string | null
  readonly set: number | null
  readonly token: OaiToken | null
}
/** The one format in which records are told. */
export const OAI_PREFIX = 'oai_dc'
const DAY = /^\d{4}-\d\d-\d\d$/
const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const isTime = (text: string): boolean =>
  (DAY.test(text) || SECOND.test(text)) &&
  !Number.isNaN(Date.parse(text)) &&
  // A day that the calendar does not have becomes another one.
  new Date(text).toISOString().startsWith(text.replace('Z', ''))

export const setSpec = (faculty: number): string => `faculty:${faculty}`
const facultyOf = (spec: string): number | null => {
  const [, id] = /^faculty:(\d{1,9})$/.exec(spec) ?? []
  return id === undefined ? null : Number(id)
}
export const writeToken = (token: OaiToken): string => Buffer.from(JSON.stringify(token)).toString('base64url')
function readToken(text: string, verb: OaiVerb): OaiToken | null {
  try {
    const token = oaiToken.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')))
    return token.v === verb && SECOND.test(token.stamp) ? token : null
  } catch {
    return null
  }
}

/** What is asked for, or what is wrong with it. An unknown set is one without records. */
export function readOai(args: URLSearchParams): OaiAsked | { readonly errors: OaiError[] } {
  const fail = (code: OaiCode, text: string) => ({ errors: [{ code, text }] })
  const names = [...args.keys()]
  const verb = args.get('verb') as OaiVerb | null
  if (!verb || !OAI_VERBS.includes(verb) || args.getAll('verb').length !== 1)
    return fail('badVerb', 'No verb of OAI-PMH, or more than one.')
  const errors: OaiError[] = []
  const bad = (text: string) => errors.push({ code: 'badArgument', text })
  const { needs, takes, token: tokens } = ARGUMENTS[verb]
  for (const name of new Set(names)) {
    if (args.getAll(name).length > 1) bad(`${name} is given more than once.`)
    if (name !== 'verb' && name !== 'resumptionToken' && !needs.includes(name) && !takes.includes(name))
      bad(`${verb} takes no ${name}.`)
  }
  const text = args.get('resumptionToken')
  if (text !== null) {
    if (!tokens) bad(`${verb} takes no resumptionToken.`)
    else if (names.length > 2) bad('A resumptionToken stands alone.')
    if (errors.length) return { errors }
    const token = readToken(text, verb)
    if (!token) return fail('badResumptionToken', 'This token was not given here.')
    const { from, until, set } = token
    return { verb, identifier: null, prefix: OAI_PREFIX, from, until, set, token }
  }
  for (const name of needs) if (!args.get(name)) bad(`${verb} needs ${name}.`)
  const [from, until] = [args.get('from'), args.get('until')]
  for (const [name, time] of [
    ['from', from],
    ['until', until],
  ] as const)
    if (time !== null && !isTime(time)) bad(`${name} is no day (YYYY-MM-DD) and no second (YYYY-MM-DDThh:mm:ssZ).`)
  if (from && until && !errors.length) {
    if (from.length !== until.length) bad('from and until have different granularities.')
    else if (from > until) bad('from lies after until.')
  }
  if (errors.length) return { errors }
  const prefix = args.get('metadataPrefix')
  if (prefix !== null && prefix !== OAI_PREFIX)
    return fail('cannotDisseminateFormat', `Records are told in ${OAI_PREFIX}.`)
  const set = args.get('set')
  return {
    verb,
    identifier: args.get('identifier'),
    prefix,
    from: from && (DAY.test(from) ? `${from}T00:00:00Z` : from),
    until: until && (DAY.test(until) ? `${until}T23:59:59Z` : until),
    set: set === null ? null : (facultyOf(set) ?? 0),
    token: null,
  }
}

/** Text within XML 1.0: what must be escaped is, and what XML cannot hold is left out. */
export const xml = (text: string): string =>
  text
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]/g, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

export interface OaiRecord {
  readonly id: number
  readonly handle: string
  readonly stamp: string
  readonly faculty_id: number
  readonly deleted: boolean
  readonly title: string
  readonly title_local: string
  readonly creator: string
  readonly creator_local: string
  readonly contributors: readonly { readonly name: string; readonly name_local: string }[]
  readonly abstract: string
  readonly abstract_local: string
  readonly keywords: string | null
  readonly keywords_local: string | null
  readonly language: 'ar' | 'en'
  readonly degree: 'master' | 'doctorate'
  readonly granted_on: string
  readonly licence: string
  readonly closed_until: string | null
}
const LICENCE: Readonly<Record<string, string>> = {
  'cc-by': 'https://creativecommons.org/licenses/by/4.0/',
  'cc-by-nc': 'https://creativecommons.org/licenses/by-nc/4.0/',
  'cc-by-nc-nd': 'https://creativecommons.org/licenses/by-nc-nd/4.0/',
}
/** The elements of simple Dublin Core of a thesis, in both languages. */
export function dublinCore(
  of: OaiRecord,
  place: { readonly url: string; readonly publisher: string },
): [string, string, string?][] {
  const words = (text: string | null, lang: string): [string, string, string?][] =>
    (text ?? '')
      .split(/[,;،؛]/)
      .flatMap((word) => (word.trim() ? [['subject', word.trim(), lang] as [string, string, string]] : []))
  return [
    ['title', of.title, 'en'],
    ['title', of.title_local, 'ar'],
    ['creator', of.creator, 'en'],
    ['creator', of.creator_local, 'ar'],
    ...words(of.keywords, 'en'),
    ...words(of.keywords_local, 'ar'),
    ['description', of.abstract, 'en'],
    ['description', of.abstract_local, 'ar'],
    ['publisher', place.publisher],
    ...of.contributors.map(({ name }): [string, string, string] => ['contributor', name, 'en']),
    ['date', of.granted_on],
    [
      'type',
      of.degree === 'doctorate' ? 'info:eu-repo/semantics/doctoralThesis' : 'info:eu-repo/semantics/masterThesis',
    ],
    ['format', 'application/pdf'],
    ['identifier', `${place.url}/repository/${of.handle}`],
    ['language', of.language],
    ...(LICENCE[of.licence] ? [['rights', LICENCE[of.licence]!] as [string, string]] : []),
    ...(of.closed_until
      ? ([
          ['rights', 'info:eu-repo/semantics/embargoedAccess'],
          ['date', `info:eu-repo/date/embargoEnd/${of.closed_until}`],
        ] as [string, string][])
      : ([['rights', 'info:eu-repo/semantics/openAccess']] as [string, string][])),
  ]
}
