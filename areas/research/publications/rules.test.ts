import { describe, expect, test } from 'vitest'
import { readBibtex } from './references/bibtex.rules.ts'
import { readRis } from './references/ris.rules.ts'
import { readJournalList } from './journals/journal.rules.ts'
import { readDate } from './references/work.rules.ts'
import { alike, soundOf } from './sources/names.rules.ts'
import { checkListed, checkWork, normalDoi, normalIsbn, normalIssn, normalOrcid } from './works/publication.rules.ts'

test.each([
  [{ year: 2020, members: 0, inside: 0, corresponding: 0 }, ['publication_members_missing']],
  [{ year: 2020, members: 2, inside: 0, corresponding: 0 }, ['publication_nobody_inside']],
  [
    { year: null, members: 2, inside: 1, corresponding: 2 },
    ['publication_year_missing', 'publication_corresponding_many'],
  ],
  [{ year: 2020, members: 1, inside: 1, corresponding: 1 }, []],
])('what stands against a list: %j', (facts, codes) => {
  expect(checkListed(facts).map(({ code }) => code)).toEqual(codes)
})
test('a day that the month has not', () => {
  expect(checkWork({ title: 'A', year: 2023, month: 2, day: 29 }, 2026)).toEqual([
    { field: 'day', code: 'publication_day' },
  ])
  expect(checkWork({ title: 'A', year: 2024, month: 2, day: 29 }, 2026)).toEqual([])
  expect(checkWork({ title: 'A', month: 2 }, 2026)).toEqual([{ field: 'year', code: 'publication_date' }])
})
test('numbers with their check digits', () => {
  expect(['https://doi.org/10.1000/ABC', 'DOI: 10.1000/a.', '11.1/x'].map(normalDoi)).toEqual([
    '10.1000/abc',
    '10.1000/a',
    null,
  ])
  expect(
    ['0000-0002-1825-0097', 'https://orcid.org/0000-0002-1694-233X', '0000-0002-1825-0098'].map(normalOrcid),
  ).toEqual(['0000-0002-1825-0097', '0000-0002-1694-233X', null])
  expect(['2049-3630', '20493631'].map(normalIssn)).toEqual(['2049-3630', null])
  expect(['978-0-306-40615-7', '0-306-40615-2', '9780306406158'].map(normalIsbn)).toEqual([
    '9780306406157',
    '0306406152',
    null,
  ])
})
test.each([
  ['Nadia Ahmed Fahmy', 'Fahmy, N.', true],
  ['نادية أحمد فهمي', 'Nadia Fahmy', true],
  ['محمد عبد الله', 'Mohamed Abdallah', true],
  ['Nadia Fahmy', 'Peter Weiss', false],
  ['Nadia Fahmy', 'Karim Fahmy', false],
  ['Nadia Fahmy', '', false],
])('%s and %s may be one person: %s', (one, other, is) => {
  expect(alike(one, other)).toBe(is)
})
test('a word sounds the same in both scripts', () => {
  expect(soundOf('منارات')).toBe(soundOf('manarat'))
  expect(soundOf('القاهرة')).toBe(soundOf('al-Qahira'.replace('al-', 'al')))
})
test.each([
  ['2014-05-15', 2014, 5, 15, false],
  ['2017-23/2017-24', 2017, null, null, true],
  ['spring 2019', 2019, null, null, true],
  ['May 2019', 2019, 5, null, true],
  ['0000-21', null, null, null, true],
  ['2023-02-30', 2023, 2, null, false],
])('the date %s', (text, year, month, day, rest) => {
  expect(readDate(text)).toEqual({ year, month, day, rest })
})
describe('what is told of entries', () => {
  const codes = (read: readonly { notes: readonly { code: string }[] }[]) =>
    read.map(({ notes }) => notes.map(({ code }) => code))
  test('RIS: a reference that does not end, a line that belongs to none', () => {
    const ris = 'stray\nTY  - JOUR\nTI  - A\n going on\nTY  - JOUR\nTI  - B\nAU  - X, Y\nPY  - 2020\nER  - \n'
    const read = readRis(ris)
    expect(codes(read)).toEqual([
      ['reference_line_unknown'],
      ['reference_year_missing', 'reference_members_missing', 'reference_end_missing'],
      [],
    ])
    expect(read[1]!.work!.title).toBe('A going on')
    expect(read.map(({ line }) => line)).toEqual([1, 2, 5])
  })
  test('BibTeX: a key twice, a command that nobody knows, a crossref to nothing', () => {
    const entry = (key: string, fields: object) => ({
      type: 'article',
      key,
      fields: fields as never,
      input: `@article{${key}, x}`,
    })
    const creators = [{ lastName: 'Y', firstName: 'X' }]
    const entries = [
      entry('a', { title: 'A \\odd{}', author: creators, year: '2020' }),
      entry('a', { title: 'B', author: creators, year: '2020', crossref: 'gone' }),
    ]
    expect(codes(readBibtex('@article{a, x}\n@article{a, x}', { entries, errors: [] }))).toEqual([
      ['reference_command_kept'],
      ['reference_key_twice', 'reference_crossref_missing'],
    ])
  })
  test('a list of journals', () => {
    expect(readJournalList([['Name'], ['x']])).toBeNull()
    expect(
      readJournalList([
        ['Title', 'Issn', 'Quartile'],
        ['', '20493630', 'Q1'],
      ])!.wrong,
    ).toEqual([{ line: 2, code: 'journal_title_missing' }])
  })
})
