import { expect, test } from 'vitest'
import type { Work } from './work.rules.ts'
import { toBibtex, toRis } from './written.rules.ts'

type Written = Omit<Work, 'more'> & { readonly id: number }
const member = (name: string, role = 'author') => ({ name, role }) as unknown as Work['members'][number]
const work: Written = {
  id: 7,
  kind: 'journal_article',
  language: 'en',
  title: 'Of Seats',
  title_local: null,
  abstract: null,
  abstract_local: null,
  venue: 'Journal of Halls',
  publisher: null,
  place: null,
  volume: '4',
  issue: '2',
  pages: '10–19',
  edition: null,
  year: 2024,
  month: 3,
  day: 5,
  doi: '10.1/a_b{c}',
  issn: '1234-5678',
  isbn: '978',
  url: null,
  members: [member('Sara Adel'), member('Ludwig van Beethoven'), member('منى سالم', 'editor')],
}

test('a work as BibTeX', () => {
  expect(toBibtex([work])).toBe(`@article{publication-7,
  author = {Adel, Sara and van Beethoven, Ludwig},
  editor = {{منى سالم}},
  title = {{Of Seats}},
  journal = {Journal of Halls},
  volume = {4},
  number = {2},
  pages = {10--19},
  year = {2024},
  month = {3},
  doi = {10.1/a_b%7Bc%7D},
  issn = {1234-5678},
  isbn = {978},
  language = {english},
}
`)
})
test('a work as RIS', () => {
  expect(toRis([work]).split('\r\n')).toEqual([
    'TY  - JOUR',
    'ID  - publication-7',
    'TI  - Of Seats',
    'AU  - Adel, Sara',
    'AU  - van Beethoven, Ludwig',
    'ED  - منى سالم',
    'T2  - Journal of Halls',
    'VL  - 4',
    'IS  - 2',
    'SP  - 10',
    'EP  - 19',
    'PY  - 2024',
    'DA  - 2024/03/05',
    'DO  - 10.1/a_b{c}',
    'SN  - 1234-5678',
    'LA  - en',
    'ER  - ',
    '',
  ])
})
test('several works stand one after the other', () => {
  expect(toBibtex([work, { ...work, id: 8 }]).match(/^@article\{publication-\d,$/gm)).toHaveLength(2)
  expect(toRis([work, { ...work, id: 8 }]).split('\r\n\r\n')).toHaveLength(2)
  expect(toBibtex([])).toBe('')
})

/** The value of a field, and of a tag. */
const bib = (more: Partial<Written>, name: string) =>
  new RegExp(`^  ${name} = \\{(.*)\\},$`, 'm').exec(toBibtex([{ ...work, ...more }]))?.[1]
const ris = (more: Partial<Written>, tag: string) =>
  new RegExp(`^${tag}  - (.*)\\r$`, 'm').exec(toRis([{ ...work, ...more }]))?.[1]

test.each<[Work['kind'], string, string]>([
  ['journal_article', 'article', 'JOUR'],
  ['conference_paper', 'inproceedings', 'CPAPER'],
  ['conference_poster', 'inproceedings', 'CPAPER'],
  ['book', 'book', 'BOOK'],
  ['book_chapter', 'incollection', 'CHAP'],
  ['thesis', 'phdthesis', 'THES'],
  ['report', 'techreport', 'RPRT'],
  ['dataset', 'misc', 'DATA'],
  ['other', 'misc', 'GEN'],
])('%s is @%s and %s', (kind, type, tag) => {
  expect(toBibtex([{ ...work, kind }])).toMatch(new RegExp(`^@${type}\\{`))
  expect(ris({ kind }, 'TY')).toBe(tag)
})

const both = { title: 'Of Seats', title_local: 'عن المقاعد' }
test.each<[string, string | undefined, string | undefined]>([
  [
    'what LaTeX takes for its own is text',
    bib({ title: String.raw`50% of {A} & B_c \d ~ ^ $ #` }, 'title'),
    String.raw`{50\% of \{A\} \& B\_c \textbackslash{}d \textasciitilde{} \textasciicircum{} \$ \#}`,
  ],
  ['the title in the language of the work', bib({ ...both, language: 'ar' }, 'title'), '{عن المقاعد}'],
  ['the other one beside it', bib({ ...both, language: 'ar' }, 'origtitle'), 'Of Seats'],
  ['the English title of an English work', bib(both, 'title'), '{Of Seats}'],
  ['the Arabic one beside it', bib(both, 'origtitle'), 'عن المقاعد'],
  ['whichever title there is', bib({ language: 'ar' }, 'title'), '{Of Seats}'],
  [
    'whichever title there is, the Arabic one',
    bib({ title: null, title_local: 'عن المقاعد' }, 'title'),
    '{عن المقاعد}',
  ],
  ['no title beside it', bib({}, 'origtitle'), undefined],
  ['a book beside a journal', bib({ kind: 'book_chapter' }, 'booktitle'), 'Journal of Halls'],
  ['the school of a thesis', bib({ kind: 'thesis', publisher: 'Canopus' }, 'school'), 'Canopus'],
  ['the institution of a report', bib({ kind: 'report', publisher: 'Canopus' }, 'institution'), 'Canopus'],
  ['the publisher of a book', bib({ kind: 'book', publisher: 'Canopus' }, 'publisher'), 'Canopus'],
  ['where it came out', bib({ place: 'Cairo' }, 'address'), 'Cairo'],
  ['its edition', bib({ edition: '2' }, 'edition'), '2'],
  ['an address as it is', bib({ url: 'https://a.org/x_y?a=b&c=%7d' }, 'url'), 'https://a.org/x_y?a=b&c=%7d'],
  ['an Arabic work', bib({ language: 'ar' }, 'language'), 'arabic'],
  ['a poster', bib({ kind: 'conference_poster' }, 'note'), 'Poster'],
  ['no poster', bib({}, 'note'), undefined],
  ['no year', bib({ year: null }, 'year'), undefined],
  ['an abstract', bib({ abstract: 'About A', abstract_local: 'ب' }, 'abstract'), 'About A'],
  ['the abstract there is', bib({ abstract_local: 'عن أ' }, 'abstract'), 'عن أ'],
  ['a translator', bib({ members: [member('Sara Adel', 'translator')] }, 'translator'), 'Adel, Sara'],
  ['nobody', bib({ members: [] }, 'author'), undefined],
])('in BibTeX %s', (_, written, value) => {
  expect(written).toBe(value)
})

test.each<[string, string | undefined, string | undefined]>([
  ['the title beside it', ris({ ...both, language: 'ar' }, 'TT'), 'Of Seats'],
  ['the Arabic title beside it', ris(both, 'TT'), 'عن المقاعد'],
  ['one line for what goes over several', ris({ abstract: 'One\n two' }, 'AB'), 'One two'],
  ['the abstract there is', ris({ abstract_local: 'عن أ' }, 'AB'), 'عن أ'],
  ['one page', ris({ pages: '12' }, 'SP'), '12'],
  ['no last page', ris({ pages: '12' }, 'EP'), undefined],
  ['no pages', ris({ pages: null }, 'SP'), undefined],
  ['a year alone', ris({ month: null, day: null }, 'PY'), '2024'],
  ['no date without a month', ris({ month: null, day: null }, 'DA'), undefined],
  ['a month', ris({ day: null }, 'DA'), '2024/03'],
  ['no date without a year', ris({ year: null }, 'DA'), undefined],
  ['the number of a book', ris({ kind: 'book' }, 'SN'), '978'],
  ['the number of a chapter’s book', ris({ kind: 'book_chapter' }, 'SN'), '978'],
  ['the number of a series, where the book has none', ris({ kind: 'book', isbn: null }, 'SN'), '1234-5678'],
  ['the number there is', ris({ issn: null }, 'SN'), '978'],
  ['a poster', ris({ kind: 'conference_poster' }, 'M3'), 'Poster'],
  ['an Arabic work', ris({ language: 'ar' }, 'LA'), 'ar'],
  ['a translator', ris({ members: [member('Sara Adel', 'translator')] }, 'A4'), 'Adel, Sara'],
  ['publisher', ris({ publisher: 'Canopus' }, 'PB'), 'Canopus'],
  ['place', ris({ place: 'Cairo' }, 'CY'), 'Cairo'],
  ['edition', ris({ edition: '2' }, 'ET'), '2'],
  ['address', ris({ url: 'https://a.org' }, 'UR'), 'https://a.org'],
])('in RIS %s', (_, written, value) => {
  expect(written).toBe(value)
})
