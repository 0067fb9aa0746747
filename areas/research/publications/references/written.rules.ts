/** Works as BibTeX and RIS: in UTF-8, with what LaTeX would take for its own written so that it is text. */
import type { PublicationKind } from '../works/words.contract.ts'
import { nameParts } from './csl.rules.ts'
import type { Work } from './work.rules.ts'

type Written = Omit<Work, 'more'>
const BIB_TYPES: Readonly<Record<PublicationKind, string>> = {
  journal_article: 'article',
  conference_paper: 'inproceedings',
  conference_poster: 'inproceedings',
  book: 'book',
  book_chapter: 'incollection',
  thesis: 'phdthesis',
  report: 'techreport',
  dataset: 'misc',
  other: 'misc',
}
const SPECIAL: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
}
const latex = (text: string): string => text.replace(/[\\{}~^]/g, (sign) => SPECIAL[sign]!).replace(/[&%$#_]/g, '\\$&')
/** An address or a DOI is written as it is, but for what would end the field. */
const verbatim = (text: string): string => text.replace(/[{}]/g, (sign) => encodeURIComponent(sign))

const titleOf = (work: Written): string =>
  ((work.language === 'ar' ? work.title_local : work.title) ?? work.title ?? work.title_local)!

export function toBibtex(works: readonly (Written & { readonly id: number })[]): string {
  return works
    .map((work) => {
      const names = (role: string): string =>
        work.members
          .filter((one) => one.role === role)
          .map(({ name }) => {
            const parts = nameParts(name)
            return 'literal' in parts ? `{${latex(parts.literal)}}` : `${latex(parts.family)}, ${latex(parts.given)}`
          })
          .join(' and ')
      const journal = work.kind === 'journal_article'
      const fields: [string, string | null][] = [
        ['author', names('author')],
        ['editor', names('editor')],
        ['translator', names('translator')],
        // The letters of a title stay as they are.
        ['title', `{${latex(titleOf(work))}}`],
        [
          'origtitle',
          work.title && work.title_local ? latex(work.language === 'ar' ? work.title : work.title_local) : null,
        ],
        [journal ? 'journal' : 'booktitle', work.venue && latex(work.venue)],
        [
          work.kind === 'thesis' ? 'school' : work.kind === 'report' ? 'institution' : 'publisher',
          work.publisher && latex(work.publisher),
        ],
        ['address', work.place && latex(work.place)],
        ['volume', work.volume && latex(work.volume)],
        ['number', work.issue && latex(work.issue)],
        ['pages', work.pages && latex(work.pages).replace(/–/g, '--')],
        ['edition', work.edition && latex(work.edition)],
        ['year', work.year === null ? null : String(work.year)],
        ['month', work.month === null ? null : String(work.month)],
        ['doi', work.doi && verbatim(work.doi)],
        ['issn', work.issn],
        ['isbn', work.isbn],
        ['url', work.url && verbatim(work.url)],
        ['language', work.language === 'ar' ? 'arabic' : work.language === 'en' ? 'english' : null],
        ['note', work.kind === 'conference_poster' ? 'Poster' : null],
        ['abstract', (work.abstract ?? work.abstract_local) && latex((work.abstract ?? work.abstract_local)!)],
      ]
      const written = fields.filter(([, value]) => value).map(([name, value]) => `  ${name} = {${value}},`)
      return `@${BIB_TYPES[work.kind]}{publication-${work.id},\n${written.join('\n')}\n}\n`
    })
    .join('\n')
}

const RIS_TYPES: Readonly<Record<PublicationKind, string>> = {
  journal_article: 'JOUR',
  conference_paper: 'CPAPER',
  conference_poster: 'CPAPER',
  book: 'BOOK',
  book_chapter: 'CHAP',
  thesis: 'THES',
  report: 'RPRT',
  dataset: 'DATA',
  other: 'GEN',
}
export function toRis(works: readonly (Written & { readonly id: number })[]): string {
  return works
    .map((work) => {
      const named = (role: string): string[] =>
        work.members
          .filter((one) => one.role === role)
          .map(({ name }) => {
            const parts = nameParts(name)
            return 'literal' in parts ? parts.literal : `${parts.family}, ${parts.given}`
          })
      const [begin, end] = (work.pages ?? '').split('–')
      const lines: [string, string | null | undefined][] = [
        ['TY', RIS_TYPES[work.kind]],
        ['ID', `publication-${work.id}`],
        ['TI', titleOf(work)],
        ['TT', work.title && work.title_local ? (work.language === 'ar' ? work.title : work.title_local) : null],
        ...named('author').map((name): [string, string] => ['AU', name]),
        ...named('editor').map((name): [string, string] => ['ED', name]),
        ...named('translator').map((name): [string, string] => ['A4', name]),
        ['T2', work.venue],
        ['PB', work.publisher],
        ['CY', work.place],
        ['VL', work.volume],
        ['IS', work.issue],
        ['SP', begin],
        ['EP', end],
        ['ET', work.edition],
        ['PY', work.year === null ? null : String(work.year)],
        [
          'DA',
          work.year === null || work.month === null
            ? null
            : [work.year, work.month, work.day]
                .filter((one) => one !== null)
                .map((one) => String(one).padStart(2, '0'))
                .join('/'),
        ],
        ['DO', work.doi],
        ['SN', work.kind.startsWith('book') ? (work.isbn ?? work.issn) : (work.issn ?? work.isbn)],
        ['UR', work.url],
        ['LA', work.language === 'ar' ? 'ar' : work.language === 'en' ? 'en' : null],
        ['M3', work.kind === 'conference_poster' ? 'Poster' : null],
        ['AB', work.abstract ?? work.abstract_local],
      ]
      return [
        ...lines.filter(([, value]) => value).map(([tag, value]) => `${tag}  - ${value!.replace(/\s+/g, ' ')}`),
        'ER  - ',
      ].join('\r\n')
    })
    .join('\r\n\r\n')
    .concat('\r\n')
}
