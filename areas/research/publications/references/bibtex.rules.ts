import type { Reason } from '#kit/contract/issues.ts'
import type { PublicationKind } from '../works/words.contract.ts'
import { lineCounter, orderWork, plainText, type ReadEntry, type WorkMember } from './work.rules.ts'

/** An entry as the parser gives it. */
export interface ParsedEntry {
  readonly type: string
  readonly key: string
  readonly fields: Readonly<Record<string, unknown>>
  /** As it stands in the file; empty where it is broken. */
  readonly input: string
}
export interface ParsedLibrary {
  readonly entries: readonly ParsedEntry[]
  readonly errors: readonly { readonly error: string; readonly input?: string }[]
}

const KINDS: Readonly<Record<string, PublicationKind>> = {
  article: 'journal_article',
  periodical: 'other',
  inproceedings: 'conference_paper',
  conference: 'conference_paper',
  proceedings: 'book',
  mvproceedings: 'book',
  book: 'book',
  mvbook: 'book',
  collection: 'book',
  mvcollection: 'book',
  booklet: 'book',
  reference: 'book',
  manual: 'book',
  inbook: 'book_chapter',
  bookinbook: 'book_chapter',
  incollection: 'book_chapter',
  inreference: 'book_chapter',
  suppbook: 'book_chapter',
  phdthesis: 'thesis',
  mastersthesis: 'thesis',
  thesis: 'thesis',
  techreport: 'report',
  report: 'report',
  dataset: 'dataset',
}
interface Creator {
  readonly name?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly prefix?: string
  readonly suffix?: string
}
const creators = (value: unknown, role: WorkMember['role']): WorkMember[] =>
  (Array.isArray(value) ? (value as Creator[]) : []).map((one) => ({
    name:
      one.name ??
      [one.firstName, one.prefix, one.lastName, one.suffix].filter((part) => part && part.trim() !== '').join(' '),
    role,
  }))
const text = (value: unknown): string | undefined =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'string' ? one : '')).join('; ') || undefined
    : typeof value === 'string' && value.trim() !== ''
      ? value
      : undefined

/** Fields that have a place of their own; everything else is kept by its name. */
const PLACED = new Set(
  'author editor translator title subtitle titleaddon journal journaltitle shortjournal booktitle maintitle eventtitle volume number issue pages edition publisher institution school organization location address year date month doi issn isbn url abstract language langid hyphenation eid'.split(
    ' ',
  ),
)

/** What an entry says. */
export function readBibEntry({ type, fields }: ParsedEntry): ReturnType<typeof orderWork> {
  const f = (name: string) => text(fields[name])
  const said = type.toLowerCase()
  const more: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields))
    if (!PLACED.has(name)) {
      const kept = Array.isArray(value)
        ? value.map((one) => (typeof one === 'string' ? plainText(one) : plainText(creators([one], 'author')[0]!.name)))
        : plainText(value)
      if (kept.length) more[name] = kept
    }
  if (!KINDS[said]) more.type = said
  const poster = /\bposter\b|ملصق/i.test([f('howpublished'), f('note'), f('type'), f('titleaddon')].join(' '))
  const kind = poster ? 'conference_poster' : (KINDS[said] ?? 'other')
  const title = [f('title') ?? f('shorttitle') ?? f('maintitle') ?? f('titleaddon'), f('subtitle')]
    .filter(Boolean)
    .join(': ')
  const journal = f('journal') ?? f('journaltitle') ?? f('shortjournal')
  const alternate = ['title+an', 'titlelocal', 'origtitle'].map((name) => f(name) ?? '')
  const pages = f('pages')
  return orderWork({
    kind,
    language: f('langid') ?? f('language') ?? f('hyphenation'),
    titles: [title, ...alternate],
    abstracts: [f('abstract') ?? ''],
    venue: journal ?? f('booktitle') ?? f('maintitle') ?? f('eventtitle'),
    publisher: f('publisher') ?? f('institution') ?? f('school') ?? f('organization'),
    place: f('location') ?? f('address'),
    volume: f('volume'),
    issue: f('number') ?? f('issue'),
    pages: pages ?? f('eid'),
    edition: f('edition'),
    date: f('date') ?? f('year'),
    month: f('date') ? undefined : f('month'),
    doi: f('doi'),
    issn: f('issn'),
    isbn: f('isbn'),
    url: f('url'),
    more,
    members: [
      ...creators(fields.author, 'author'),
      ...creators(fields.editor, 'editor'),
      ...creators(fields.translator, 'translator'),
    ],
  })
}

/** What the parser says is wrong with an entry, in words of ours: its own are English, and about its tokens. */
const BROKEN: readonly (readonly [RegExp, (found: RegExpExecArray) => Reason])[] = [
  [
    /^(\S+) = value expected, equals sign missing/,
    ([, name = '']) => ({ code: 'reference_equals_missing', data: { name } }),
  ],
  [/^Unterminated quote-value/, () => ({ code: 'reference_quote_open' })],
  [/^Token mismatch, expected '\{' or '\('/, () => ({ code: 'reference_brace_missing' })],
  // At the next entry, or at the end of the file.
  [
    /^Token mismatch, expected "[})]", found "(?:@|")|^Unterminated brace-value/,
    () => ({ code: 'reference_brace_open' }),
  ],
  [
    /^Token mismatch, expected "[})]", found "([^]*)"\.\.\. at line \d+/,
    ([, said = '']) => ({
      code: 'reference_unexpected',
      data: {
        said: said
          .split(/\n|\\n/)[0]!
          .slice(0, 60)
          .trim(),
      },
    }),
  ],
]
/** Why an entry could not be read, in the reader's language. */
export function whyBroken(said: string): Reason {
  for (const [pattern, reason] of BROKEN) {
    const found = pattern.exec(said)
    if (found) return reason(found)
  }
  return { code: 'reference_broken' }
}

/** `@name{` outside of entries, as far as it can be told: at the beginning of a line, or after an entry. */
const BEGINS = /(?:^|[\r\n}])[ \t]*@[ \t]*([a-z]+)\s*[{(]\s*([^,\s{}()]*)/gi
/** What stands beside entries. */
const BESIDE = new Set(['string', 'preamble', 'comment'])

/**
 * Every entry of a file with its line: read, or with the reason why not. What the parser gave up is found again by looking for
 * every `@name{` of the text that no entry accounts for, so that nothing is dropped silently.
 */
export function readBibtex(source: string, { entries, errors }: ParsedLibrary): ReadEntry[] {
  const out: (ReadEntry & { at: number })[] = []
  const covered: [from: number, to: number][] = []
  let from = 0
  const lineOf = lineCounter(source)
  const found: { at: number; entry: ParsedEntry }[] = []
  for (const entry of entries) {
    if (entry.input.trim() === '') continue
    const at = source.indexOf(entry.input, from)
    // An entry that the parser put together anew is looked for by its key below.
    if (at < 0) continue
    found.push({ at, entry })
    covered.push([at, at + entry.input.length])
    from = at + entry.input.length
  }
  const placed = new Set(found.map(({ entry }) => entry))
  const unplaced = entries.filter((entry) => !placed.has(entry))
  const begun = [...source.matchAll(BEGINS)].map((match) => ({
    at: match.index + match[0].indexOf('@'),
    type: match[1]!.toLowerCase(),
    key: match[2]!,
  }))
  const wrong = errors.flatMap(({ error, input = '' }) => (input.trim() === '' ? [] : [{ error, input }]))
  const told = new Set<object>()
  let c = 0
  for (const one of begun) {
    while (c < covered.length && covered[c]![1] <= one.at) c++
    const inside = c < covered.length && covered[c]![0] <= one.at
    if (inside) continue
    if (BESIDE.has(one.type)) {
      out.push({ at: one.at, line: 0, key: `@${one.type}`, work: null, notes: [], beside: true })
      continue
    }
    // Whole, but put together anew by the parser.
    const i = unplaced.findIndex((entry) => entry.key === one.key && entry.input.trim() !== '')
    const whole = i < 0 ? undefined : unplaced.splice(i, 1)[0]
    if (whole) {
      out.push({ at: one.at, line: 0, key: one.key, ...readBibEntry(whole) })
      continue
    }
    const error = wrong.find(({ input }) => input.includes(`{${one.key}`))
    if (error) told.add(error)
    out.push({
      at: one.at,
      line: 0,
      key: one.key || `@${one.type}`,
      work: null,
      notes: [whyBroken(error?.error ?? '')],
    })
  }
  // What has not even its brace does not look like the beginning of an entry.
  for (const one of wrong) {
    const at = told.has(one) ? -1 : source.indexOf(one.input)
    const named = /^@\s*([a-z]+)\s+([^,\s{}()]+)/i.exec(one.input)
    if (at >= 0 && named) out.push({ at, line: 0, key: named[2]!, work: null, notes: [whyBroken(one.error)] })
  }
  const keys = new Map<string, number>()
  for (const { at, entry } of found) {
    const read = readBibEntry(entry)
    const notes = [...read.notes]
    const raw = /\\[a-z]+/i.exec(
      `${read.work?.title ?? ''} ${read.work?.members.map(({ name }) => name).join(' ') ?? ''}`,
    )
    if (raw) notes.push({ code: 'reference_command_kept', data: { command: raw[0] } })
    const before = keys.get(entry.key)
    if (entry.key !== '' && before !== undefined) notes.push({ code: 'reference_key_twice', data: { key: entry.key } })
    keys.set(entry.key, at)
    out.push({ at, line: 0, key: entry.key || `@${entry.type}`, work: read.work, notes })
  }
  // `crossref` to an entry that is not there: what would come from it is missing.
  return out
    .toSorted((a, b) => a.at - b.at)
    .map(({ at, ...one }) => {
      const target = one.work?.more.crossref
      const missing = typeof target === 'string' && !keys.has(target)
      return {
        ...one,
        line: lineOf(at),
        ...(missing && { notes: [...one.notes, { code: 'reference_crossref_missing', data: { key: target } }] }),
      }
    })
}
