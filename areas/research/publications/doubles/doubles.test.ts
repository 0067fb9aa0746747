import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Answer } from '#tests/university.ts'
import { jobDone, publicationWorld, type PublicationWorld } from '../testing.server.ts'
import { findDoubles, type ComparedWork } from './doubles.rules.ts'

let w: PublicationWorld
beforeAll(async () => {
  w = await publicationWorld({ work: true })
})
afterAll(() => w.uni.close())
const codes = (answer: Answer) => [
  answer.status,
  ...(answer.body.errors ?? []).map((one: { code: string }) => one.code),
]

const work = (id: number, title: string | string[], more: Partial<ComparedWork> = {}): ComparedWork => ({
  id,
  doi: null,
  titles: [title].flat(),
  year: 2020,
  volume: null,
  pages: null,
  names: ['Mona Adel Fahmy'],
  ...more,
})
test.each([
  [
    'the same words in another order and case',
    work(1, 'The Keeping of Old Lighthouses'),
    work(2, 'OLD LIGHTHOUSES, the keeping'),
    'title',
  ],
  ['the same DOI', work(1, 'A', { doi: '10.1/x' }), work(2, 'Zzz', { doi: '10.1/x', year: 1990, names: [] }), 'doi'],
  [
    'Arabic with marks and without',
    work(1, 'دِرَاسَةُ حراسةِ المناراتِ القديمة', { names: ['منى عادل'] }),
    work(2, 'حراسه المنارات القديمه دراسة', { names: ['عادل منى'] }),
    'title',
  ],
  [
    'the same in two scripts',
    work(1, 'تاريخ حراسة منارات البحر', { names: ['منى فهمي'] }),
    work(2, 'Tarikh hirasat manarat al-bahr', { names: ['Mona Fahmy'] }),
    'title',
  ],
  [
    'a title in both and in one',
    work(1, ['Old harbour light keeping', 'حراسة أضواء الموانئ القديمة']),
    work(2, ['حراسة أضواء الموانئ القديمة']),
    'title',
  ],
  [
    'one word otherwise',
    work(1, 'Measured decay of harbour lamps in winter storms'),
    work(2, 'Measured decay of harbour lamp in winter storms'),
    'near_title',
  ],
  [
    'two languages on one page',
    work(1, 'Harbour lights', { volume: '7', pages: '11–19' }),
    work(2, 'أضواء الميناء', { volume: '7', pages: '11-19', names: ['منى عادل فهمي'] }),
    'place',
  ],
] as [string, ComparedWork, ComparedWork, string][])('found: %s', (_said, a, b, why) => {
  expect(findDoubles([a, b])).toMatchObject([{ first_id: 1, second_id: 2, why }])
})
test.each([
  ['other years', work(1, 'Annual report of lamps', { year: 2019 }), work(2, 'Annual report of lamps', { year: 2021 })],
  [
    'two DOIs',
    work(1, 'On harbour lamps again', { doi: '10.1/a' }),
    work(2, 'On harbour lamps again', { doi: '10.1/b' }),
  ],
  [
    'other people',
    work(1, 'Introduction to marine physics'),
    work(2, 'Introduction to marine physics', { names: ['Peter Weiss'] }),
  ],
  ['a heading', work(1, 'Editorial'), work(2, 'Editorial')],
  ['parts of a series', work(1, 'Decay of harbour lamps: part 1'), work(2, 'Decay of harbour lamps: part 2')],
] as [string, ComparedWork, ComparedWork][])('left apart: %s', (_said, a, b) => {
  expect(findDoubles([a, b])).toEqual([])
})

test('a person merges them, with what each has; two who do it at one moment do it once', async () => {
  const [mona, peter] = [await w.researcher('Mona Adel Fahmy'), await w.researcher('Peter Weiss', 1)]
  const a = await w.add(mona, { title: 'Keeping of the old lighthouses', doi: '10.7700/a', year: 2021 })
  const b = await w.add(mona, { title: 'OLD LIGHTHOUSES: the keeping', year: 2021, venue: 'J Lamps', pages: '1–9' })
  ok(await mona('PUT', '/publications/members', { publication_id: a, members: [{ name: 'P. Weiss' }] }))
  ok(await mona('PUT', '/publications/members', { publication_id: b, members: [{ user_id: peter.user_id }] }))
  ok(await mona('PUT', `/publications/list/${b}`, {}))
  const { job } = ok(await mona('POST', '/publications/doubles/find', {}))
  expect(await jobDone(mona, job)).toMatchObject({ state: 'done' })
  const { pairs } = ok(await mona('GET', '/publications/doubles'))
  expect(pairs).toMatchObject([{ why: 'title', first: { id: a, writes: true }, second: { id: b, writes: true } }])
  // Peter stands on one of them alone.
  expect(codes(await peter('PUT', `/publications/doubles/merge/${pairs[0].id}`, { keep_id: b }))).toEqual([
    403,
    'double_of_others',
  ])
  const third = await w.add(mona, { title: 'Something else' })
  expect(codes(await mona('PUT', `/publications/doubles/merge/${pairs[0].id}`, { keep_id: third }))).toEqual([
    422,
    'reference_missing',
  ])
  const other = await w.researcher('Wrong Person', 1)
  expect(codes(await other('PUT', `/publications/doubles/merge/${pairs[0].id}`, { keep_id: b }))).toEqual([
    404,
    'not_found',
  ])
  const both = await Promise.all([
    mona('PUT', `/publications/doubles/merge/${pairs[0].id}`, { keep_id: a }),
    w.quality('PUT', `/publications/doubles/merge/${pairs[0].id}`, { keep_id: b }),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
  const kept = both[0].status === 200 ? a : b
  const row = ok(await mona('GET', `/publications/${kept}`))
  expect(row).toMatchObject({ doi: '10.7700/a', venue: 'J Lamps', pages: '1–9', status: 'listed', removed: false })
  const { members } = ok(await mona('GET', `/publications/parts/${kept}`))
  expect(members.map((m: { user: { id: number } | null }) => m.user?.id).toSorted()).toEqual(
    [mona.user_id, peter.user_id].toSorted(),
  )
  const [gone] = await w.q(`select removed_at is not null as removed, merged_into_id from publications where id = $1`, [
    kept === a ? b : a,
  ])
  expect(gone).toEqual({ removed: true, merged_into_id: kept })
  expect(
    codes(await mona('PUT', '/publications/members', { publication_id: kept === a ? b : a, members: [{ name: 'X' }] })),
  ).toEqual([409, 'publication_merged'])
})

test('that they are two stays said', async () => {
  const mona = await w.researcher('Nour Salem')
  await w.add(mona, { title: 'Tables of tides for sailors' })
  await w.add(mona, { title: 'Tables of tides for sailors' })
  const run = async () => jobDone(mona, ok(await mona('POST', '/publications/doubles/find', {})).job)
  await run()
  const { pairs } = ok(await mona('GET', '/publications/doubles'))
  expect(pairs).toHaveLength(1)
  await expect(
    w.q(
      `insert into publication_doubles (first_id, second_id, why, score) select first_id, second_id, why, score from publication_doubles`,
    ),
  ).rejects.toThrow('publication_double_twice')
  ok(await mona('PUT', `/publications/doubles/apart/${pairs[0].id}`, {}))
  await run()
  expect(ok(await mona('GET', '/publications/doubles')).pairs).toEqual([])
  expect(codes(await mona('PUT', `/publications/doubles/apart/${pairs[0].id}`, {}))).toEqual([409, 'double_decided'])
})

test('that they are two stays said when one of them is merged into a third', async () => {
  const mona = await w.researcher('Hala Sabry')
  const titles = ['Soundings of the outer harbour basin', 'OUTER HARBOUR BASIN: the soundings']
  const [a, c] = [await w.add(mona, { title: titles[0] }), await w.add(mona, { title: titles[0] })]
  const run = async () => jobDone(mona, ok(await mona('POST', '/publications/doubles/find', {})).job)
  const pairs = async (): Promise<{ id: number; first: { id: number }; second: { id: number } }[]> =>
    ok(await mona('GET', '/publications/doubles')).pairs
  await run()
  ok(await mona('PUT', `/publications/doubles/apart/${(await pairs())[0]!.id}`, {}))
  const b = await w.add(mona, { title: titles[1] })
  await run()
  // b is like both; it is a, and so it is not c, also not while the pair of b and c waits.
  const found = await pairs()
  expect(found.map(({ first, second }) => [first.id, second.id]).toSorted()).toEqual([
    [a, b],
    [c, b],
  ])
  const same = found.find(({ first }) => first.id === a)!
  ok(await mona('PUT', `/publications/doubles/merge/${same.id}`, { keep_id: b }))
  expect(await pairs()).toEqual([])
  await run()
  expect(await pairs()).toEqual([])
  expect(
    await w.q(
      `select first_id, second_id, decided_by from publication_doubles where status = 'apart' and second_id = $1`,
      [b],
    ),
  ).toEqual([{ first_id: c, second_id: b, decided_by: mona.user_id }])
})
