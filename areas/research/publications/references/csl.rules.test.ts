import { describe, expect, test } from 'vitest'
import { dateOf, nameParts, readCsl, toCsl, workKindOf } from './csl.rules.ts'

test.each<[string, ReturnType<typeof nameParts>]>([
  ['Mona Hassan', { family: 'Hassan', given: 'Mona' }],
  ['Hassan, Mona A.', { family: 'Hassan', given: 'Mona A.' }],
  ['Ludwig van der Berg', { family: 'van der Berg', given: 'Ludwig' }],
  ['Omar el Sherif', { family: 'el Sherif', given: 'Omar' }],
  ['de Gaulle', { family: 'Gaulle', given: 'de' }],
  ['Plato', { literal: 'Plato' }],
  ['منى حسن', { literal: 'منى حسن' }],
  ['حسن، منى', { literal: 'حسن، منى' }],
])('the name %s', (name, parts) => expect(nameParts(name)).toEqual(parts))

test.each([
  [{ 'date-parts': [[2024, 3, 5]] }, '2024-03-05'],
  [{ 'date-parts': [['2024', 11]] }, '2024-11'],
  [{ 'date-parts': [[987]] }, '0987'],
  [{ 'date-parts': [[2024, null]] }, '2024'],
  [{ 'date-parts': [[null]], raw: 'May 2024' }, 'May 2024'],
  [{ literal: 'in press' }, 'in press'],
  [{}, undefined],
  ['2024-03', '2024-03'],
  [2024, '2024'],
  [null, undefined],
])('the date %j', (value, expected) => expect(dateOf(value)).toBe(expected))

test.each([
  ['article-journal', '', 'journal_article'],
  ['Journal-Article', '', 'journal_article'],
  ['paper-conference', 'Poster presentation', 'conference_poster'],
  ['paper-conference', 'Posterior analysis', 'conference_paper'],
  ['song', '', 'other'],
  [undefined, '', 'other'],
])('the type %s with the genre %j', (type, genre, kind) => expect(workKindOf(type, genre)).toBe(kind))

describe('a file', () => {
  const item = (more: object) =>
    JSON.stringify({
      id: 'x',
      type: 'book',
      title: 'On {braces} and "quotes"',
      issued: { 'date-parts': [[2024]] },
      author: [{ literal: 'WHO' }],
      ...more,
    })
  test('has each item by itself: one that is broken leaves the others, each with its line', () => {
    const read = readCsl(`[\n${item({})},\n{"id": "y", "title": },\n${item({ id: 7 })}\n]`)
    expect(
      read.map(({ line, key, work, notes }) => [line, key, work?.title ?? null, notes.map(({ code }) => code)]),
    ).toEqual([
      [2, 'x', 'On {braces} and "quotes"', []],
      [3, '#2', null, ['reference_json_broken']],
      [4, '7', 'On {braces} and "quotes"', []],
    ])
  })

  test('that ends too early is told where it broke', () => {
    expect(readCsl(`[${item({})},{"id": "y", "title": "cut`).map(({ work }) => work !== null)).toEqual([true, false])
    expect(readCsl('nothing of it')).toEqual([])
  })

  test('comes back as it went', () => {
    const [{ work } = { work: null }] = readCsl(
      item({
        type: 'article-journal',
        author: [{ given: 'Ludwig', 'non-dropping-particle': 'van', family: 'Berg' }, { literal: 'WHO' }],
        'container-title': ['Journal of Halls'],
        page: '10 - 12',
        issued: { 'date-parts': [[2024, 3]] },
        DOI: '10.1000/xyz',
      }),
    )
    expect(toCsl('publication-1', work!)).toMatchObject({
      id: 'publication-1',
      type: 'article-journal',
      author: [{ family: 'van Berg', given: 'Ludwig' }, { literal: 'WHO' }],
      'container-title': 'Journal of Halls',
      page: '10–12',
      issued: { 'date-parts': [[2024, 3]] },
      DOI: '10.1000/xyz',
    })
  })
})
