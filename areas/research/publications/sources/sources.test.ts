import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import {
  openPublicationsSimulator,
  type PublicationsSimulator,
  type SimulatedWork,
} from '#demo/publications-simulator.ts'
import { askJson } from '#kit/server/base/fetched.ts'
import { ok, type Answer } from '#tests/university.ts'
import { jobDone, publicationWorld, type PublicationWorld } from '../testing.server.ts'

const MONA = '0000-0002-1825-0097'
const OTHER = '0000-0001-5109-3700'
let w: PublicationWorld
let far: PublicationsSimulator
const work = (n: number, more: Partial<SimulatedWork> = {}): SimulatedWork => ({
  doi: `10.1234/w.${n}`,
  title: `Simulated work ${n}`,
  journal: 'Journal of Tides',
  issn: '2049-3630',
  year: 2020 + (n % 5),
  month: 4,
  volume: '3',
  page: `${n}-${n + 9}`,
  authors: [
    { given: 'Mona Adel', family: 'Fahmy', orcid: MONA },
    { given: 'Peter', family: 'Weiss' },
  ],
  changed: Date.parse('2026-01-01'),
  ...more,
})
const authorOf = (name: string) => ({
  given: name.slice(0, name.lastIndexOf(' ')),
  family: name.slice(name.lastIndexOf(' ') + 1),
})
beforeAll(async () => {
  far = await openPublicationsSimulator({
    people: [
      { orcid: MONA, given: 'Mona', family: 'Fahmy' },
      { orcid: OTHER, given: 'Josiah', family: 'Carberry' },
    ],
    works: Array.from({ length: 230 }, (_, i) => work(i + 1)),
  })
  w = await publicationWorld({ work: true, env: far.variables })
})
afterAll(async () => {
  await w.uni.close()
  await far.close()
})
beforeEach(() =>
  Object.assign(far, { delay: 0, silent: false, confused: false, garbled: false, status: 0, redirects: null }),
)
const codes = (answer: Answer) => [
  answer.status,
  ...(answer.body.errors ?? []).map((one: { code: string }) => one.code),
]

test('a DOI brings the work, with the person among its members; again it is found', async () => {
  const mona = await w.researcher('Mona Adel Fahmy')
  const first = ok(await mona('POST', '/publications/sync-publications', { doi: 'https://doi.org/10.1234/W.7' }))
  expect(first).toMatchObject({ added: 1, known: 0, job: null })
  expect(ok(await mona('GET', `/publications/${first.publication_id}`))).toMatchObject({
    doi: '10.1234/w.7',
    title: 'Simulated work 7',
    kind: 'journal_article',
    year: 2022,
    month: 4,
    pages: '7–16',
    issn: '2049-3630',
    origin: 'crossref',
  })
  const parts = ok(await mona('GET', `/publications/parts/${first.publication_id}`))
  expect(parts.members.map((m: { name: string; user: { id: number } | null }) => [m.name, m.user?.id ?? null])).toEqual(
    [
      ['Mona Adel Fahmy', mona.user_id],
      ['Peter Weiss', null],
    ],
  )
  expect(ok(await mona('POST', '/publications/sync-publications', { doi: '10.1234/w.7' }))).toMatchObject({
    added: 0,
    known: 1,
  })
  // Somebody who stands on it too is joined to it; who does not is told that it is others'.
  const peter = await w.researcher('Peter Weiss', 1)
  expect(ok(await peter('POST', '/publications/sync-publications', { doi: '10.1234/w.7' }))).toMatchObject({
    publication_id: first.publication_id,
    known: 1,
  })
  const nobody = await w.researcher('Somebody Else', 1)
  expect(codes(await nobody('POST', '/publications/sync-publications', { doi: '10.1234/w.7' }))).toEqual([
    409,
    'source_known_to_others',
  ])
})

test('a DOI that somebody else brings in the same moment is one work, and both are on it', async () => {
  const peter = await w.researcher('Peter Weiss', 1)
  const other = await w.researcher('Mona Adel Fahmy')
  far.works.push(work(990, { authors: ['Mona Adel Fahmy', 'Peter Weiss'].map(authorOf) }))
  const held = await w.uni.database.pool.connect()
  let answer: Promise<Answer>
  try {
    await held.query('begin')
    const { rows } = await held.query(
      `insert into publications (kind, language, title, year, doi, origin, created_by)
       values ('journal_article', 'en', 'Simulated work 990', 2020, '10.1234/w.990', 'crossref', $1) returning id`,
      [other.user_id],
    )
    await held.query(
      `insert into publication_members (publication_id, position, user_id, name)
       values ($1, 1, $2, 'Mona Adel Fahmy'), ($1, 2, null, 'Peter Weiss')`,
      [rows[0].id, other.user_id],
    )
    answer = peter('POST', '/publications/sync-publications', { doi: '10.1234/w.990' })
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await vi.waitFor(async () => expect(await w.q(waiting)).not.toEqual([]), { timeout: 10_000 })
    await held.query('commit')
  } finally {
    held.release()
  }
  const { added, known, publication_id } = ok(await answer)
  expect([added, known]).toEqual([0, 1])
  expect(await w.q('select id from publications where doi = $1', ['10.1234/w.990'])).toEqual([{ id: publication_id }])
  const parts = ok(await peter('GET', `/publications/parts/${publication_id}`))
  expect(parts.members.map((m: { user: { id: number } | null }) => m.user?.id)).toEqual([other.user_id, peter.user_id])
  far.works.pop()
})

test('a DOI that is unknown, about another work, slow, silent, leads elsewhere or is none', async () => {
  const one = await w.researcher('Trouble One')
  const ask = async (doi: string) => codes(await one('POST', '/publications/sync-publications', { doi }))
  expect(await ask('10.9999/none')).toEqual([409, 'source_doi_unknown'])
  expect(await ask('nonsense')).toEqual([422, 'publication_doi'])
  far.status = 429
  expect(await ask('10.1234/w.9')).toEqual([409, 'source_too_often'])
  far.status = 0
  far.garbled = true
  expect(await ask('10.1234/w.9')).toEqual([409, 'source_garbled'])
  far.garbled = false
  expect(codes(await one('PUT', `/researchers/${one.user_id}`, { orcid: '0000-0002-1694-233X' }))).toEqual([
    409,
    'source_orcid_unknown',
  ])
  far.confused = true
  expect(await ask('10.1234/w.9')).toEqual([409, 'source_other_work'])
  far.confused = false
  far.redirects = 'http://169.254.169.254/latest/meta-data'
  expect(await ask('10.1234/w.9')).toEqual([409, 'source_down'])
  far.redirects = null
  far.silent = true
  const began = Date.now()
  expect(await ask('10.1234/w.9')).toEqual([409, 'source_slow'])
  expect(Date.now() - began).toBeLessThan(12_000)
  expect(await w.q(`select from publications where doi = '10.1234/w.9'`)).toEqual([])
  expect(codes(await one('POST', '/publications/sync-publications', {}))).toEqual([422, 'source_one'])
  // Never an address inside, however it is written.
  for (const url of [
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://10.0.0.8/x',
    'http://example.org/x',
    'https://localhost/x',
  ])
    expect(await askJson(url)).toMatchObject({ ok: false })
}, 20_000)

test('all works of an iD come page by page, and later only what changed', async () => {
  const mona = await w.researcher('Mona Fahmy')
  const sync = async (body: object) => {
    const { job } = ok(await mona('POST', '/publications/sync-publications', body))
    return await jobDone(mona, job)
  }
  expect(codes(await mona('POST', '/publications/sync-publications', { source: 'orcid' }))).toEqual([
    409,
    'source_orcid_missing',
  ])
  expect(codes(await mona('PUT', `/researchers/${mona.user_id}`, { orcid: '0000-0002-1825-0098' }))).toEqual([
    422,
    'publication_member_orcid',
  ])
  expect(codes(await mona('PUT', `/researchers/${mona.user_id}`, { orcid: OTHER }))).toEqual([
    409,
    'source_orcid_other',
  ])
  // Nor does who keeps the records give somebody another's.
  expect(codes(await w.quality('PUT', `/researchers/${mona.user_id}`, { orcid: OTHER }))).toEqual([
    409,
    'source_orcid_other',
  ])
  ok(await mona('PUT', `/researchers/${mona.user_id}`, { orcid: `https://orcid.org/${MONA}` }))
  far.asked.length = 0
  const first = await sync({ source: 'orcid' })
  expect(first).toMatchObject({ state: 'done' })
  expect(first.result).toMatchObject({ added: 229, known: 1 })
  // The list, and three times up to a hundred.
  expect(far.asked.filter((path) => /\/works\/\d/.test(path))).toHaveLength(3)
  const [{ count }] = await w.q(`select count(*)::int as count from publication_members where user_id = $1`, [
    mona.user_id,
  ])
  // One of them was claimed before by another of the same name.
  expect(count).toBe(229)
  far.works[4]!.changed = Date.now() + 1000
  expect((await sync({ source: 'orcid' })).result).toMatchObject({ added: 0, known: 1 })
  // By the other service they are known by their DOIs.
  expect((await sync({ source: 'openalex', everything: true })).result).toMatchObject({ added: 0, known: 230 })
  const twice = await w.researcher('Mona Fahmy Again')
  expect(codes(await twice('PUT', `/researchers/${twice.user_id}`, { orcid: MONA }))).toEqual([
    422,
    'researcher_orcid_taken',
  ])
}, 60_000)

test('an iD that is given without asking is asked for before anything is taken', async () => {
  const one = await w.researcher('Nadia Samir')
  far.silent = false
  await w.q(`insert into researchers (user_id, orcid) values ($1, $2)`, [one.user_id, OTHER])
  const { job } = ok(await one('POST', '/publications/sync-publications', { source: 'orcid' }))
  expect(await jobDone(one, job)).toMatchObject({ state: 'failed' })
  expect(await w.q(`select from publications where created_by = $1`, [one.user_id])).toEqual([])
})

test('who keeps the record of a researcher fetches for him or her, others for nobody else', async () => {
  const heba = await w.researcher('Heba Nour')
  const other = await w.researcher('Karim Adel', 1)
  const fetch = (by: typeof heba, doi: string) =>
    by('POST', '/publications/sync-publications', { doi, user_id: heba.user_id })
  far.works.push(work(900, { authors: [{ given: 'Heba', family: 'Nour' }] }))
  expect(codes(await fetch(other, '10.1234/w.900'))).toEqual([404, 'not_found'])
  expect(codes(await other('GET', `/publications/sources?user_id=${heba.user_id}`))).toEqual([404, 'not_found'])
  // Of one faculty: not for somebody of another.
  const ofMedicine = await w.uni.as('quality_staff', ['faculty', w.faculty[1]])
  expect(codes(await fetch(ofMedicine, '10.1234/w.900'))).toEqual([404, 'not_found'])
  expect(await w.q(`select from publications where doi = '10.1234/w.900'`)).toEqual([])
  const { publication_id } = ok(await fetch(w.quality, '10.1234/w.900'))
  const { members } = ok(await heba('GET', `/publications/parts/${publication_id}`))
  expect(members).toMatchObject([{ name: 'Heba Nour', user: { id: heba.user_id } }])
  expect(ok(await w.quality('GET', `/publications/sources?user_id=${heba.user_id}`)).iD).toBeNull()
  expect(
    codes(await w.quality('POST', '/publications/sync-publications', { source: 'orcid', user_id: heba.user_id })),
  ).toEqual([409, 'source_orcid_missing'])
  const HEBA = '0000-0002-1694-233X'
  far.people.push({ orcid: HEBA, given: 'Heba', family: 'Nour' })
  far.works.push(work(901, { authors: [{ given: 'Heba', family: 'Nour', orcid: HEBA }] }))
  ok(await w.quality('PUT', `/researchers/${heba.user_id}`, { orcid: HEBA }))
  const { job } = ok(
    await w.quality('POST', '/publications/sync-publications', { source: 'orcid', user_id: heba.user_id }),
  )
  expect((await jobDone(w.quality, job)).result).toMatchObject({ added: 1 })
  expect(
    await w.q(
      `select m.user_id from publications p join publication_members m on m.publication_id = p.id where p.doi = '10.1234/w.901'`,
    ),
  ).toEqual([{ user_id: heba.user_id }])
})
