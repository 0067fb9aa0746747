import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok } from '#tests/university.ts'
import { publicationWorld, sentFile, type PublicationWorld } from '../testing.server.ts'
import { publicationsOf, wroteTogether } from '../works/offered.server.ts'

let w: PublicationWorld
beforeAll(async () => {
  w = await publicationWorld()
})
afterAll(() => w.uni.close())

test('a page is public only where the person wants it, and shows what is listed', async () => {
  const mona = await w.researcher('Mona Adel Fahmy', 0, 'منى عادل فهمي')
  const listed = await w.add(mona, { title: 'Lamps listed', doi: '10.3000/l', issn: '2049-3630', year: 2023 })
  await w.add(mona, { title: 'Lamps in work' })
  ok(await mona('PUT', `/publications/list/${listed}`, {}))
  const put = async (body: object) => ok(await mona('PUT', `/researchers/${mona.user_id}`, body))
  const profile = await put({ interests: 'Lamps, tides', about: 'Keeps lamps.' })
  expect(profile).toMatchObject({
    is_public: false,
    slug: null,
    counts: { years: [{ year: 2023, count: 1 }], quartiles: [{ quartile: 0, count: 1 }] },
  })
  // Whoever keeps the records of others does not open a page of theirs, and may close it.
  const opened = await w.quality('PUT', `/researchers/${mona.user_id}`, { is_public: true })
  expect([opened.status, opened.body.errors[0].code]).toEqual([403, 'researcher_opens_own'])
  const { slug } = await put({ is_public: true, version: profile.version })
  expect(slug).toBe(`mona-adel-fahmy-${mona.user_id}`)
  const page = ok(await w.uni.nobody('GET', `/research/${slug}`))
  expect(page).toMatchObject({
    name: 'Mona Adel Fahmy',
    name_local: 'منى عادل فهمي',
    works: [{ title: 'Lamps listed' }],
  })
  expect(page.json_ld['@graph'][0]).toMatchObject({ '@type': 'Person', knowsAbout: ['Lamps', 'tides'] })
  expect(page.json_ld['@graph'][1]).toMatchObject({ '@type': 'ScholarlyArticle', '@id': 'https://doi.org/10.3000/l' })
  expect(JSON.stringify(page)).not.toContain('in work')
  ok(await w.quality('PUT', `/researchers/${mona.user_id}`, { is_public: false }))
  expect((await w.uni.nobody('GET', `/research/${slug}`)).status).toBe(404)
  const other = await w.researcher('Other Person', 1)
  expect((await other('PUT', `/researchers/${mona.user_id}`, { about: 'Mine' })).status).toBe(404)
})

test('a list of journals is imported as it is published, and counted by', async () => {
  const mona = await w.researcher('Rania Adel')
  const csv =
    'Rank;Title;Type;Issn;SJR Best Quartile;Publisher\n1;"Journal of Lamps";journal;"20493630, 03178471";Q1;House\n2;"No number";journal;-;Q2;House\n3;Other;journal;"00280836";-;House\n'
  const sent = await w.quality('POST', '/ranked-journals/import-list', sentFile('sjr.csv', csv, { year: '2022' }))
  expect(ok(sent)).toEqual({
    journals: 1,
    added: 1,
    changed: 0,
    wrong: [
      { line: 3, code: 'journal_issn_wrong' },
      { line: 4, code: 'journal_quartile_missing' },
    ],
  })
  expect((await mona('POST', '/ranked-journals/import-list', sentFile('sjr.csv', csv, { year: '2022' }))).status).toBe(
    403,
  )
  const id = await w.add(mona, { issn: '0317-8471', year: 2023 })
  ok(await mona('PUT', `/publications/list/${id}`, {}))
  expect(ok(await mona('GET', `/publications/${id}`)).quartile).toBe(1)
  const [row] = ok(await w.quality('GET', '/publications/counts?by=department&year=2023'))
  expect(row).toMatchObject({
    of: { id: w.department[0] },
    total: 2,
    kinds: { journal_article: 2 },
    quartiles: { 1: 2 },
  })
  const people = ok(await w.quality('GET', `/publications/counts?by=person&department_id=${w.department[0]}`))
  expect(people.map((one: { of: { name: string }; total: number }) => one.of.name)).toContain('Rania Adel')
  const db = w.uni.database.db
  expect(await publicationsOf(db, [mona.user_id], { quartile: 2 })).toMatchObject([{ id, quartile: 1, position: 1 }])
  expect(await publicationsOf(db, [mona.user_id], { since: 2024 })).toEqual([])
  expect(await wroteTogether(db, [mona.user_id, w.quality.user_id], 2000)).toEqual([])
})
