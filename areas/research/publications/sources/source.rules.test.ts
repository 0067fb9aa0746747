import { describe, expect, test } from 'vitest'
import { crossrefWork, openAlexWorks, orcidNames, orcidSummaries, orcidWorks } from './source.rules.ts'

const value = (one: unknown) => ({ value: one })

describe('Crossref', () => {
  const message = {
    DOI: '10.1000/ABC',
    type: 'journal-article',
    title: ['A work'],
    author: [{ given: 'Mona', family: 'Ali' }],
  }
  test('a work is the one that was asked for, however its DOI is written', () => {
    expect(crossrefWork({ message }, '10.1000/abc')).toMatchObject({
      external_id: '10.1000/abc',
      work: { title: 'A work', kind: 'journal_article', doi: '10.1000/abc' },
    })
    expect(crossrefWork({ message }, '10.1000/other')).toBe('other')
    expect(crossrefWork({ message: { ...message, DOI: 'none' } }, '10.1000/abc')).toBe('other')
  })
  test.each([[null], ['text'], [{}], [{ message: [] }]])('%j is none', (answer) =>
    expect(crossrefWork(answer, '10.1000/abc')).toBeNull(),
  )
})

describe('ORCID', () => {
  test('names of a person, of what is there', () => {
    expect(
      orcidNames({
        name: { 'given-names': value('Mona'), 'family-name': value('Ali'), 'credit-name': value('M. Ali') },
        'other-names': { 'other-name': [{ content: 'منى علي' }, { content: '' }, 7] },
      }),
    ).toEqual(['Mona Ali', 'M. Ali', 'منى علي'])
    expect(orcidNames({ name: null })).toEqual([])
  })

  test('of several that are one work the preferred counts, and the last change of any', () => {
    const summary = (code: unknown, index: string, changed: unknown) => ({
      'put-code': code,
      'display-index': index,
      'last-modified-date': value(changed),
    })
    expect(
      orcidSummaries({
        group: [
          { 'work-summary': [summary(1, '0', 50), summary(2, '1', 40)] },
          { 'work-summary': [summary(3, '0', 'never')] },
          { 'work-summary': [summary(-4, '0', 1)] },
          { 'work-summary': [summary('1e99', '0', 1)] },
          { 'work-summary': [] },
        ],
      }),
    ).toEqual([
      { putCode: 2, changed: 50 },
      { putCode: 3, changed: 0 },
    ])
  })

  const iD = '0000-0002-1825-0097'
  const work = (more: object) => ({
    work: { 'put-code': 7, type: 'journal-article', title: { title: value('A work') }, ...more },
  })
  test('a work that names nobody is the person’s; a DOI of the whole is not that of the part', () => {
    const ids = [
      { 'external-id-type': 'doi', 'external-id-value': '10.1000/whole', 'external-id-relationship': 'part-of' },
      { 'external-id-type': 'issn', 'external-id-value': '2049-3630', 'external-id-relationship': 'part-of' },
    ]
    const [found] = orcidWorks({ bulk: [work({ 'external-ids': { 'external-id': ids } })] }, iD, 'Mona Ali')
    expect(found).toMatchObject({
      external_id: `${iD}/7`,
      work: { doi: null, issn: '2049-3630', members: [{ name: 'Mona Ali', role: 'author', orcid: iD }] },
    })
  })

  test('roles of contributors, and those without a name left out', () => {
    const one = (name: string | null, role: string) => ({
      'credit-name': name === null ? null : value(name),
      'contributor-attributes': { 'contributor-role': role },
    })
    const contributors = {
      contributor: [
        one('A', 'author'),
        one('B', 'VOLUME_EDITOR'),
        one('C', 'chair_or_translator'),
        one(null, 'author'),
      ],
    }
    expect(
      orcidWorks({ bulk: [work({ contributors })] }, iD, 'X')[0]?.work.members.map(({ name, role }) => [name, role]),
    ).toEqual([
      ['A', 'author'],
      ['B', 'editor'],
      ['C', 'translator'],
    ])
  })

  test.each([
    [{ bulk: [{ error: 'gone' }] }],
    [{ bulk: [work({ 'put-code': null })] }],
    [{ bulk: [work({ title: null })] }],
    [{}],
  ])('what is no work is left out: %j', (answer) => expect(orcidWorks(answer, iD, 'X')).toEqual([]))
})

describe('OpenAlex', () => {
  const result = (more: object) => ({ id: 'https://openalex.org/W12', type: 'article', title: 'A work', ...more })
  const only = (more: object) => openAlexWorks({ results: [result(more)] }).works[0]?.work

  test('an abstract is put together from the places of its words', () =>
    expect(
      only({ language: 'en', abstract_inverted_index: { halls: [1, 3], Of: [0], and: [2], 'far off': [99_999] } })
        ?.abstract,
    ).toBe('Of halls and halls'))

  test.each([
    ['10', '12', '10–12'],
    ['10', '10', '10'],
    ['10', null, '10'],
    [null, null, null],
  ])('pages from %s to %s', (first_page, last_page, pages) =>
    expect(only({ biblio: { first_page, last_page } })?.pages).toBe(pages),
  )

  test('goes on where the answer says, until it says nothing', () => {
    const next = (next_cursor: unknown) => openAlexWorks({ results: [], meta: { next_cursor } }).next
    expect(['abc', '', null, 7].map(next)).toEqual(['abc', null, null, null])
    expect(openAlexWorks(null)).toEqual({ works: [], next: null })
  })

  test('what is no work of theirs, or has no title, is left out', () => {
    const results = [result({ id: 'https://openalex.org/A5' }), result({ title: null }), result({})]
    expect(openAlexWorks({ results }).works.map(({ external_id }) => external_id)).toEqual(['W12'])
  })
})
