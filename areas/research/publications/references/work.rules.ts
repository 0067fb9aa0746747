import { fold } from '#kit/contract/fold.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { normalDoi, normalIsbn, normalIssn, normalOrcid } from '../works/publication.rules.ts'
import type { MemberRole, PublicationKind, PublicationLanguage } from '../works/words.contract.ts'

export interface WorkMember {
  readonly name: string
  readonly role: MemberRole
  readonly orcid?: string | null
  readonly affiliation?: string | null
}
/** A work as a file or another service describes it, in the product's words. */
export interface Work {
  readonly kind: PublicationKind
  readonly language: PublicationLanguage
  readonly title: string | null
  readonly title_local: string | null
  readonly abstract: string | null
  readonly abstract_local: string | null
  readonly venue: string | null
  readonly publisher: string | null
  readonly place: string | null
  readonly volume: string | null
  readonly issue: string | null
  readonly pages: string | null
  readonly edition: string | null
  readonly year: number | null
  readonly month: number | null
  readonly day: number | null
  readonly doi: string | null
  readonly issn: string | null
  readonly isbn: string | null
  readonly url: string | null
  readonly more: Readonly<Record<string, unknown>>
  readonly members: readonly WorkMember[]
}
/** What is read of one entry: the work, or why there is none; and remarks about what was kept otherwise. */
export interface ReadEntry {
  readonly line: number
  readonly key: string
  readonly work: Work | null
  readonly notes: readonly Reason[]
  /** No entry, but something that stands in the file beside them. */
  readonly beside?: boolean
}

const CONTROL =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\uFEFF\u200B\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }
/** Plain text of what others wrote: no markup, no control or direction characters, one space between words. */
export const plainText = (text: unknown): string =>
  (typeof text === 'string' || typeof text === 'number' ? String(text) : '')
    .replace(/<\/?(?:jats:)?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/gi, '')
    .replace(
      /&(?:#(\d{1,6})|#x([\da-f]{1,5})|([a-z]+));/gi,
      (all: string, dec?: string, hex?: string, name?: string) => {
        if (name) return ENTITIES[name.toLowerCase()] ?? all
        const code = dec ? Number(dec) : Number.parseInt(hex!, 16)
        return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ''
      },
    )
    .replace(CONTROL, '')
    .replace(/<(?=[a-z/!?])/gi, '< ')
    .replace(/\s+/g, ' ')
    .trim()
    // A broken pair of UTF-16 is no text, and no database keeps it.
    .toWellFormed()
    .normalize('NFC')

/** Whether a text is written in Arabic letters. */
export const isArabic = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters > 0 && (text.match(/\p{Script=Arabic}/gu)?.length ?? 0) * 2 >= letters
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const SEASONS = /^(?:spring|summer|autumn|fall|winter|2[1-4])\b/i
/** The parts of a date as it is written anywhere; `rest`: it says more than can be kept so, a season or a span. */
export function readDate(text: string): {
  year: number | null
  month: number | null
  day: number | null
  rest: boolean
} {
  const none = { year: null, month: null, day: null }
  const clean = fold(text).replace(/^c(?:irca|a)?\.?\s+/, '')
  if (clean === '') return { ...none, rest: false }
  const iso = /^(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?/.exec(clean)
  if (!iso) {
    const loose = /\b(1\d{3}|20\d\d|21\d\d)\b/.exec(clean)
    const month = monthOf(clean)
    return loose ? { year: Number(loose[1]), month, day: null, rest: true } : { ...none, rest: true }
  }
  const year = Number(iso[1])
  const month = Number(iso[2] ?? 0)
  const day = Number(iso[3] ?? 0)
  const good = month >= 1 && month <= 12
  const days = good ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0
  return {
    year: year >= 1000 && year <= 2200 ? year : null,
    month: good ? month : null,
    day: good && day >= 1 && day <= days ? day : null,
    rest: iso[0].length !== clean.replace(/[/]+$/, '').length || (month > 0 && !good) || year < 1000 || year > 2200,
  }
}
/** A month by its number or name; null: a season, a span, or none. */
export function monthOf(text: string): number | null {
  const clean = fold(text)
  if (/^\d{1,2}$/.test(clean)) return Number(clean) >= 1 && Number(clean) <= 12 ? Number(clean) : null
  if (SEASONS.test(clean) || /[-–/]/.test(clean)) return null
  const at = MONTHS.findIndex((month) => new RegExp(`(?:^|\\P{L})${month}`, 'u').test(clean))
  return at < 0 ? null : at + 1
}

/** What was read, before it is put in order. */
export interface RawWork {
  kind: PublicationKind
  /** As it is said: a code or a name of a language. */
  language?: string | undefined
  titles: readonly string[]
  abstracts?: readonly string[]
  venue?: string | undefined
  publisher?: string | undefined
  place?: string | undefined
  volume?: string | undefined
  issue?: string | undefined
  pages?: string | undefined
  edition?: string | undefined
  /** A text, or parts as others give them. */
  date?: string | undefined
  month?: string | undefined
  doi?: string | undefined
  issn?: string | undefined
  isbn?: string | undefined
  url?: string | undefined
  more?: Record<string, unknown>
  members: readonly WorkMember[]
}

const ENGLISH = /^(?:en|eng|english|american|british|canadian|australian|newzealand|usenglish|ukenglish)\b/i
const ARABIC_NAMES = /^(?:ar|ara|arabic|العربي)/i
const nonEmpty = (text: string | undefined): string | null => plainText(text) || null

/** A work in order: what is no DOI, ISSN, ISBN or date is kept as it came (`more`), and remarked. */
export function orderWork(raw: RawWork): { work: Work | null; notes: Reason[] } {
  const notes: Reason[] = []
  const more: Record<string, unknown> = { ...raw.more }
  const titles = raw.titles.map(plainText).filter(Boolean)
  const local = titles.find(isArabic) ?? null
  const title = titles.find((one) => !isArabic(one)) ?? null
  const others = titles.filter((one) => one !== local && one !== title)
  if (others.length) more.titles = others
  const abstracts = (raw.abstracts ?? []).map(plainText).filter(Boolean)
  const number = (name: 'doi' | 'issn' | 'isbn', normal: (text: string) => string | null): string | null => {
    const given = plainText(raw[name])
    if (!given) return null
    // Several stand in one field: the first that is one.
    for (const one of [given, ...given.split(/[\s,;]+/)]) {
      const found = normal(one)
      if (found !== null) {
        if (found.length + 4 < given.length) more[name] = given
        return found
      }
    }
    more[name] = given
    notes.push({
      field: name,
      code: 'reference_number_kept',
      data: { name: name.toUpperCase(), value: given.slice(0, 80) },
    })
    return null
  }
  const dated = readDate(plainText(raw.date))
  let { month } = dated
  const said = plainText(raw.month)
  if (said && month === null) month = dated.year === null ? null : monthOf(said)
  const unsaid = (dated.rest && plainText(raw.date)) || (said && monthOf(said) === null && said)
  if (unsaid) {
    more.date = [plainText(raw.date), said].filter(Boolean).join(' ')
    notes.push({ field: 'year', code: 'reference_date_kept', data: { value: String(more.date).slice(0, 80) } })
  }
  const url = plainText(raw.url)
  const web = /^https?:\/\/\S+$/i.test(url) ? url : null
  if (url && !web) more.url = url
  const doi = number('doi', normalDoi) ?? (web && /\/\/(?:dx\.)?doi\.org\//i.test(web) ? normalDoi(web) : null)
  const tongue = plainText(raw.language)
  const language: PublicationLanguage = ARABIC_NAMES.test(tongue)
    ? 'ar'
    : tongue && !ENGLISH.test(tongue)
      ? 'other'
      : local !== null && title === null
        ? 'ar'
        : 'en'
  if (language === 'other') more.language = tongue
  if (local === null && title === null) return { work: null, notes: [{ code: 'reference_title_missing' }, ...notes] }
  if (dated.year === null) notes.push({ field: 'year', code: 'reference_year_missing' })
  const members = raw.members.map((one) => ({
    ...one,
    name: plainText(one.name).slice(0, 300),
    orcid: one.orcid ? normalOrcid(one.orcid) : null,
    affiliation: plainText(one.affiliation).slice(0, 300) || null,
  }))
  const named = members.filter(({ name }) => name !== '' && !/^(?:others|et al\.?)$/i.test(name))
  if (named.length < members.length && members.some(({ name }) => /^(?:others|et al)/i.test(name)))
    notes.push({ field: 'members', code: 'reference_and_others' })
  else if (named.length === 0) notes.push({ field: 'members', code: 'reference_members_missing' })
  return {
    work: {
      kind: raw.kind,
      language,
      title,
      title_local: local,
      abstract: abstracts.find((one) => !isArabic(one)) ?? null,
      abstract_local: abstracts.find(isArabic) ?? null,
      venue: nonEmpty(raw.venue),
      publisher: nonEmpty(raw.publisher),
      place: nonEmpty(raw.place),
      volume: nonEmpty(raw.volume),
      issue: nonEmpty(raw.issue),
      pages: nonEmpty(raw.pages)?.replace(/\s*-{2,}\s*|(?<=\d)-(?=\d)/g, '–') ?? null,
      edition: nonEmpty(raw.edition),
      year: dated.year,
      month,
      day: month === null ? null : dated.day,
      doi,
      issn: number('issn', normalIssn),
      isbn: number('isbn', normalIsbn),
      url: web,
      more,
      members: named,
    },
    notes,
  }
}

/** Counts lines: positions are asked for from the beginning to the end. */
export function lineCounter(text: string): (at: number) => number {
  let line = 1
  let from = 0
  return (at) => {
    for (let next = text.indexOf('\n', from); next !== -1 && next < at; next = text.indexOf('\n', from)) {
      line++
      from = next + 1
    }
    return line
  }
}

export type ReferenceFormat = 'bibtex' | 'ris' | 'csl'
/** What a text is, by what stands in it, whatever the file is called; null: none of these. */
export function formatOf(text: string): ReferenceFormat | null {
  const begin = text.replace(/^\uFEFF/, '').trimStart()
  if (/^[[{]/.test(begin) && /^[[{]\s*(?:[{"\]}])/.test(begin)) return 'csl'
  if (/^\s*TY {1,2}-/m.test(text)) return 'ris'
  return /@\s*[a-z]+\s*[{(]/i.test(text) ? 'bibtex' : null
}
