import { fold } from '#kit/contract/fold.ts'
import { normalIssn } from '../works/publication.rules.ts'

export interface ListedJournal {
  readonly title: string
  readonly issn: string
  readonly other_issn: string | null
  readonly publisher: string | null
  readonly quartile: number
}
/** Columns by the names that published lists give them. */
const HEADS = {
  title: [
    'title',
    'journal',
    'journal title',
    'full journal title',
    'journal name',
    'source title',
    'اسم الدوريه',
    'الدوريه',
  ],
  issn: ['issn', 'print issn', 'print-issn', 'issns'],
  other: ['eissn', 'e-issn', 'online issn', 'other issn'],
  publisher: ['publisher', 'publisher name', 'الناشر'],
  quartile: ['sjr best quartile', 'quartile', 'jif quartile', 'jcr quartile', 'best quartile', 'الربع'],
} as const

/** What a published list says, line by line; null: it has no title, ISSN or quartile by any name. */
export function readJournalList(rows: readonly (readonly string[])[]): {
  journals: ListedJournal[]
  wrong: { line: number; code: string }[]
} | null {
  const at = rows
    .slice(0, 5)
    .findIndex((row) => row.some((cell) => (HEADS.quartile as readonly string[]).includes(fold(cell))))
  if (at < 0) return null
  const column = (of: keyof typeof HEADS) =>
    rows[at]!.findIndex((cell) => (HEADS[of] as readonly string[]).includes(fold(cell)))
  const [title, issn, other, publisher, quartile] = [
    column('title'),
    column('issn'),
    column('other'),
    column('publisher'),
    column('quartile'),
  ]
  if (title < 0 || (issn < 0 && other < 0)) return null
  const wrong: { line: number; code: string }[] = []
  const byIssn = new Map<string, ListedJournal>()
  for (const [i, row] of rows.slice(at + 1).entries()) {
    const line = at + i + 2
    if (row.every((cell) => cell.trim() === '')) continue
    const fail = (code: string) => void wrong.push({ line, code })
    const name = row[title]?.trim()
    const rank = /^q?\s*([1-4])$/i.exec(row[quartile]?.trim() ?? '')?.[1]
    const numbers = [row[issn], row[other]]
      .flatMap((cell) => (cell ?? '').split(/[,;\s]+/))
      .map((text) => (/\d{4}/.test(text) ? (normalIssn(text.replace('-', '').padStart(8, '0')) ?? '') : ''))
      .filter((text): text is string => Boolean(text))
    if (!name) fail('journal_title_missing')
    else if (numbers.length === 0) fail('journal_issn_wrong')
    else if (!rank) fail('journal_quartile_missing')
    else {
      const [first, second] = [...new Set(numbers)]
      const before = byIssn.get(first!)
      // A journal in several fields stands by its best.
      if (!before || Number(rank) < before.quartile)
        byIssn.set(first!, {
          title: name.slice(0, 500),
          issn: first!,
          other_issn: second ?? null,
          publisher: row[publisher]?.trim().slice(0, 300) || null,
          quartile: Number(rank),
        })
    }
  }
  return { journals: [...byIssn.values()], wrong }
}
