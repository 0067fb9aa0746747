import type { Reason } from '#kit/contract/issues.ts'
import type { PublicationKind } from '../works/words.contract.ts'
import { orderWork, plainText, type ReadEntry, type WorkMember } from './work.rules.ts'

const KINDS: Readonly<Record<string, PublicationKind>> = {
  JOUR: 'journal_article',
  JFULL: 'journal_article',
  MGZN: 'journal_article',
  EJOUR: 'journal_article',
  INPR: 'journal_article',
  ABST: 'journal_article',
  CONF: 'conference_paper',
  CPAPER: 'conference_paper',
  BOOK: 'book',
  EBOOK: 'book',
  EDBOOK: 'book',
  CHAP: 'book_chapter',
  ECHAP: 'book_chapter',
  THES: 'thesis',
  RPRT: 'report',
  GOVDOC: 'report',
  DATA: 'dataset',
}
const TAG = /^\uFEFF?([A-Z][A-Z0-9]) {1,2}-(?: (.*)|)$/
const PLACED = new Set(
  'TY ER TI T1 CT BT T2 JO JF JA J1 J2 AU A1 A2 A3 A4 ED PY Y1 DA VL IS SP EP DO SN UR PB CY PP AB N2 LA ET TT'.split(
    ' ',
  ),
)

/** Every reference of a RIS file with its line; lines that belong to none are told as well. */
export function readRis(source: string): ReadEntry[] {
  const out: ReadEntry[] = []
  let open: { line: number; tags: Map<string, string[]>; notes: Reason[] } | null = null
  let last: string[] | null = null
  const close = (ended: boolean): void => {
    if (!open) return
    const { line, tags, notes } = open
    open = null
    last = null
    if (!ended) notes.push({ code: 'reference_end_missing' })
    const read = readTags(tags)
    const key =
      tags.get('ID')?.[0] ??
      tags.get('AN')?.[0] ??
      read.work?.title ??
      read.work?.title_local ??
      tags.get('TY')?.[0] ??
      ''
    out.push({ line, key: plainText(key).slice(0, 120) || 'TY', work: read.work, notes: [...read.notes, ...notes] })
  }
  for (const [i, row] of source.split(/\r\n|\n|\r/).entries()) {
    const [, tag, value = ''] = TAG.exec(row.trimEnd()) ?? []
    if (tag === 'TY') {
      close(false)
      open = { line: i + 1, tags: new Map([['TY', [value.trim()]]]), notes: [] }
    } else if (tag === 'ER') close(true)
    else if (tag !== undefined && open) {
      const values: string[] = open.tags.get(tag) ?? []
      values.push(value)
      open.tags.set(tag, values)
      last = values
    } else if (row.trim() !== '' && row.trim() !== '\uFEFF') {
      // A line without a tag goes on with the one before.
      if (open && last?.length) last[last.length - 1] += ` ${row.trim()}`
      else
        out.push({
          line: i + 1,
          key: row.trim().slice(0, 60),
          work: null,
          notes: [{ code: 'reference_line_unknown' }],
        })
    }
  }
  close(false)
  return out
}

function readTags(tags: ReadonlyMap<string, readonly string[]>): ReturnType<typeof orderWork> {
  const all = (...names: string[]): string[] =>
    names.flatMap((name) => tags.get(name) ?? []).filter((one) => one.trim() !== '')
  const first = (...names: string[]): string | undefined => all(...names)[0]
  const type = (first('TY') ?? '').toUpperCase()
  const more: Record<string, unknown> = {}
  for (const [tag, values] of tags) if (!PLACED.has(tag)) more[tag] = values.map(plainText)
  if (!KINDS[type]) more.type = type
  const poster = /\bposter\b|ملصق/i.test(all('M3', 'N1', 'KW').join(' '))
  const people = (role: WorkMember['role'], ...names: string[]): WorkMember[] =>
    all(...names).map((name) => {
      const [family, given, suffix] = name.split(',').map((part) => part.trim())
      return { name: given ? [given, family, suffix].filter(Boolean).join(' ') : name, role }
    })
  const [begin, end] = [first('SP'), first('EP')]
  const chapter = KINDS[type] === 'book_chapter'
  return orderWork({
    kind: poster ? 'conference_poster' : (KINDS[type] ?? 'other'),
    language: first('LA'),
    titles: all('TI', 'T1', 'CT', 'TT', ...(KINDS[type] === 'book' ? ['BT'] : [])),
    abstracts: all('AB', 'N2'),
    venue: first('T2', 'JF', 'JO', 'JA', 'J2', 'J1', ...(chapter ? ['BT'] : [])),
    publisher: first('PB'),
    place: first('CY', 'PP'),
    volume: first('VL'),
    issue: first('IS'),
    pages: begin && end && begin !== end ? `${begin}–${end}` : (begin ?? end),
    edition: first('ET'),
    date: (first('DA') ?? first('PY', 'Y1'))?.replace(/\/+$/, '').replace(/^(\d{4})\/+(?=\D|$).*/, '$1'),
    doi: first('DO'),
    ...(KINDS[type]?.startsWith('book') ? { isbn: first('SN') } : { issn: first('SN') }),
    url: first('UR'),
    more,
    members: [...people('author', 'AU', 'A1'), ...people('editor', 'ED', 'A2', 'A3'), ...people('translator', 'A4')],
  })
}
