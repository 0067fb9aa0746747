import type { PublicationKind } from '../works/words.contract.ts'
import { lineCounter, orderWork, plainText, type ReadEntry, type Work, type WorkMember } from './work.rules.ts'

/** Types of CSL, and those of Crossref and OpenAlex, which are like them. */
const KINDS: Readonly<Record<string, PublicationKind>> = {
  'article-journal': 'journal_article',
  'journal-article': 'journal_article',
  article: 'journal_article',
  review: 'journal_article',
  'review-article': 'journal_article',
  'article-magazine': 'journal_article',
  'paper-conference': 'conference_paper',
  'proceedings-article': 'conference_paper',
  'conference-paper': 'conference_paper',
  'conference-abstract': 'conference_paper',
  'conference-poster': 'conference_poster',
  book: 'book',
  monograph: 'book',
  'edited-book': 'book',
  'reference-book': 'book',
  proceedings: 'book',
  chapter: 'book_chapter',
  'book-chapter': 'book_chapter',
  'book-part': 'book_chapter',
  'book-section': 'book_chapter',
  'reference-entry': 'book_chapter',
  'entry-encyclopedia': 'book_chapter',
  thesis: 'thesis',
  dissertation: 'thesis',
  'dissertation-thesis': 'thesis',
  report: 'report',
  'report-component': 'report',
  dataset: 'dataset',
  'data-set': 'dataset',
}
export const workKindOf = (type: string | undefined, genre = ''): PublicationKind =>
  /\bposter\b/i.test(genre) ? 'conference_poster' : (KINDS[String(type).toLowerCase()] ?? 'other')

type Json = Readonly<Record<string, unknown>>
export const isJsonObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
/** A text, or the first of a list of texts, as Crossref gives them. */
export const firstText = (value: unknown): string | undefined => {
  const one = Array.isArray(value) ? value[0] : value
  return typeof one === 'string' || typeof one === 'number' ? String(one) : undefined
}
const texts = (value: unknown): string[] => [value].flat().filter((one): one is string => typeof one === 'string')

/** `2024-03-05` of what CSL says of a date. */
export function dateOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return firstText(value)
  const parts = (value['date-parts'] as unknown[] | undefined)?.[0]
  if (Array.isArray(parts) && parts[0])
    return parts
      .filter((one) => one !== null && one !== '')
      .map((one, i) => String(one).padStart(i === 0 ? 4 : 2, '0'))
      .join('-')
  return firstText(value.raw) ?? firstText(value.literal)
}
const people = (value: unknown, role: WorkMember['role']): WorkMember[] =>
  (Array.isArray(value) ? value : []).filter(isJsonObject).map((one) => ({
    name:
      firstText(one.literal) ??
      firstText(one.name) ??
      [one.given, one['dropping-particle'], one['non-dropping-particle'], one.family, one.suffix]
        .map((part) => plainText(part))
        .filter(Boolean)
        .join(' '),
    role,
    orcid: firstText(one.ORCID) ?? null,
    affiliation:
      plainText(
        isJsonObject([one.affiliation].flat()[0]) ? ([one.affiliation].flat()[0] as Json).name : one.affiliation,
      ) || null,
  }))

const PLACED = new Set(
  'id type title title-short original-title author editor translator container-title container-title-short publisher publisher-place volume issue page number-of-pages edition issued published published-print published-online DOI ISSN ISBN URL abstract language genre event-place'.split(
    ' ',
  ),
)

/** What an item of CSL-JSON says; a message of Crossref is one with lists for texts. */
export function readCslItem(item: Json, keep = true): ReturnType<typeof orderWork> {
  const more: Record<string, unknown> = {}
  if (keep)
    for (const [name, value] of Object.entries(item))
      if (!PLACED.has(name) && value !== null && value !== '') more[name] = value
  const kind = workKindOf(firstText(item.type), firstText(item.genre))
  if (kind === 'other') more.type = firstText(item.type)
  return orderWork({
    kind,
    language: firstText(item.language),
    titles: [...texts(item.title), ...texts(item['original-title']), ...texts(item['title-translated'])],
    abstracts: texts(item.abstract),
    venue: firstText(item['container-title']) ?? firstText(item['event-title']),
    publisher: firstText(item.publisher),
    place:
      firstText(item['publisher-place']) ?? firstText(item['event-place']) ?? firstText(item['publisher-location']),
    volume: firstText(item.volume),
    issue: firstText(item.issue),
    pages: firstText(item.page)?.replace(/(\d)\s*-\s*(?=\d)/g, '$1–') ?? firstText(item['article-number']),
    edition: firstText(item.edition),
    date:
      dateOf(item.issued) ??
      dateOf(item.published) ??
      dateOf(item['published-print']) ??
      dateOf(item['published-online']),
    doi: firstText(item.DOI),
    issn: texts(item.ISSN).join(' '),
    isbn: texts(item.ISBN)
      .map((one) => one.replace(/^urn:isbn:/i, '').replace(/^.*isbn\//i, ''))
      .join(' '),
    url: firstText(item.URL),
    more,
    members: [
      ...people(item.author, 'author'),
      ...people(item.editor, 'editor'),
      ...people(item.translator, 'translator'),
    ],
  })
}

/** The items of a list, each by itself: one that is broken leaves the others. `[from, to)` of each. */
function itemsOf(source: string): [from: number, to: number][] {
  const out: [number, number][] = []
  let depth = 0
  let from = -1
  let quoted = false
  for (let i = 0; i < source.length; i++) {
    const sign = source[i]
    if (quoted) {
      if (sign === '\\') i++
      else if (sign === '"') quoted = false
      continue
    }
    if (sign === '"') quoted = true
    else if (sign === '{' && depth++ === 0) from = i
    else if (sign === '}' && depth > 0 && --depth === 0) out.push([from, i + 1])
  }
  if (depth > 0) out.push([from, source.length])
  return out
}

/** Every item of a CSL-JSON file with its line. */
export function readCsl(source: string): ReadEntry[] {
  const lineOf = lineCounter(source)
  return itemsOf(source).map(([from, to], i) => {
    const line = lineOf(from)
    try {
      const item = JSON.parse(source.slice(from, to)) as Json
      const read = readCslItem(item)
      return { line, key: plainText(firstText(item.id)) || `#${i + 1}`, ...read }
    } catch {
      return {
        line,
        key: `#${i + 1}`,
        work: null,
        notes: [{ code: 'reference_json_broken' }],
      }
    }
  })
}

const TYPES: Readonly<Record<PublicationKind, string>> = {
  journal_article: 'article-journal',
  conference_paper: 'paper-conference',
  conference_poster: 'paper-conference',
  book: 'book',
  book_chapter: 'chapter',
  thesis: 'thesis',
  report: 'report',
  dataset: 'dataset',
  other: 'document',
}
/** A name in parts; one without a family name, or in Arabic letters, stands as it is. */
export const nameParts = (name: string): { family: string; given: string } | { literal: string } => {
  const comma = /^([^,]+),\s*(.+)$/.exec(name)
  if (comma) return { family: comma[1]!.trim(), given: comma[2]!.trim() }
  const words = name.trim().split(/\s+/)
  if (words.length < 2 || /\p{Script=Arabic}/u.test(name)) return { literal: name }
  const particle = words.findIndex(
    (word, i) => i > 0 && /^(?:van|von|de|der|den|da|del|della|di|la|le|el|al|bin|ibn)$/.test(word),
  )
  const at = particle > 0 ? particle : words.length - 1
  return { family: words.slice(at).join(' '), given: words.slice(0, at).join(' ') }
}

/** A work as CSL-JSON, for reference lists and other programs. */
export function toCsl(id: string, work: Omit<Work, 'more'>): Json {
  const named = (role: WorkMember['role']) => {
    const found = work.members.filter((one) => one.role === role).map(({ name }) => nameParts(name))
    return found.length ? found : undefined
  }
  const whole: Json = {
    id,
    type: TYPES[work.kind],
    genre: work.kind === 'conference_poster' ? 'Poster' : undefined,
    title: (work.language === 'ar' ? work.title_local : work.title) ?? work.title ?? work.title_local,
    'original-title':
      work.title && work.title_local ? (work.language === 'ar' ? work.title : work.title_local) : undefined,
    author: named('author'),
    editor: named('editor'),
    translator: named('translator'),
    'container-title': work.venue,
    publisher: work.publisher,
    'publisher-place': work.place,
    volume: work.volume,
    issue: work.issue,
    page: work.pages,
    edition: work.edition,
    issued:
      work.year === null
        ? undefined
        : { 'date-parts': [[work.year, work.month, work.day].filter((one) => one !== null)] },
    DOI: work.doi,
    ISSN: work.issn,
    ISBN: work.isbn,
    URL: work.url,
    abstract: work.abstract ?? work.abstract_local,
    language: work.language === 'other' ? undefined : work.language,
  }
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined && value !== null))
}
