import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Answer } from '#tests/university.ts'
import { publicationWorld, type PublicationWorld } from './testing.server.ts'

let w: PublicationWorld
beforeAll(async () => {
  w = await publicationWorld()
})
afterAll(() => w.uni.close())

const refused = (answer: Answer, status: number, ...codes: string[]) => {
  expect([answer.status, ...(answer.body.errors ?? []).map((one: { code: string }) => one.code)]).toEqual([
    status,
    ...codes,
  ])
}
interface Member {
  id: number
  position: number
  name: string
  user: { id: number } | null
}

test('a work from the first line to the list', async () => {
  const mona = await w.researcher('Mona Adel Fahmy')
  const id = await w.add(mona, { title: 'On lamps', year: undefined, doi: 'https://doi.org/10.1000/ABC.1' })
  const row = ok(await mona('GET', `/publications/${id}`))
  expect(row).toMatchObject({ doi: '10.1000/abc.1', status: 'draft', origin: 'typed', faculty_id: w.faculty[0] })
  refused(await mona('PUT', `/publications/list/${id}`, {}), 409, 'publication_year_missing')
  ok(await mona('POST', `/publications/${id}`, { year: 2024, version: row.version }))
  expect(ok(await mona('PUT', `/publications/list/${id}`, {})).status).toBe('listed')
  refused(await mona('PUT', `/publications/${id}`, { year: null }), 422, 'publication_listed')
  ok(await mona('PUT', `/publications/unlist/${id}`, {}))
  const mine = ok(await mona('POST', '/publications/list', { filters: { user_id: mona.user_id } }))
  expect(mine.map((one: { id: number }) => one.id)).toEqual([id])
})

test('what cannot be is refused, with every reason at its field', async () => {
  const one = await w.researcher('Hala Samir')
  const answer = await one('POST', '/publications', {
    kind: 'book',
    language: 'en',
    year: 2190,
    day: 3,
    doi: 'abc',
    issn: '1234-5678',
    isbn: '123',
    url: 'ftp://x',
  })
  expect(answer.body.errors.map((e: { field: string; code: string }) => `${e.field} ${e.code}`)).toEqual([
    'title publication_title',
    'year publication_year_ahead',
    'month publication_date',
    'doi publication_doi',
    'issn publication_issn',
    'isbn publication_isbn',
    'url publication_url',
  ])
  await w.add(one, { doi: '10.5555/same' })
  refused(
    await one('POST', '/publications', { kind: 'book', language: 'en', title: 'B', doi: 'doi:10.5555/SAME' }),
    422,
    'publication_doi_twice',
  )
})

test('who is not a member sees and changes nothing; the department’s works are reached by who reaches it', async () => {
  const [mona, other] = [await w.researcher('Mona One'), await w.researcher('Karim Two', 1)]
  const id = await w.add(mona)
  refused(await other('GET', `/publications/${id}`), 404, 'not_found')
  refused(await other('PUT', `/publications/${id}`, { year: 2020 }), 404, 'not_found')
  refused(
    await other('PUT', '/publications/members', { publication_id: id, members: [{ name: 'X' }] }),
    404,
    'not_found',
  )
  const dean = await w.uni.as('dean', ['faculty', w.faculty[1]])
  refused(await dean('GET', `/publications/${id}`), 404, 'not_found')
  const own = await w.uni.as('dean', ['faculty', w.faculty[0]])
  expect(ok(await own('GET', `/publications/${id}`)).id).toBe(id)
  ok(await mona('PUT', '/publications/members', { publication_id: id, members: [{ user_id: other.user_id }] }))
  expect(ok(await other('GET', `/publications/${id}`)).id).toBe(id)
  expect(ok(await dean('GET', `/publications/${id}`)).id).toBe(id)
})

test('three hundred members in order, moved and taken off', async () => {
  const mona = await w.researcher('Mona Three')
  const id = await w.add(mona)
  const names = Array.from({ length: 299 }, (_, i) => ({ name: `Author ${i + 2}` }))
  const rows: Member[] = ok(await mona('PUT', '/publications/members', { publication_id: id, members: names }))
  expect(rows).toHaveLength(300)
  expect(rows.map(({ position }) => position)).toEqual(Array.from({ length: 300 }, (_, i) => i + 1))
  const last = rows[299]!
  const moved: Member[] = ok(await mona('PUT', `/publications/members-reorder/${last.id}/1`, {}))
  expect(moved.slice(0, 3).map(({ name }) => name)).toEqual(['Author 300', 'Mona Three', 'Author 2'])
  const back: Member[] = ok(await mona('PUT', `/publications/members-reorder/${last.id}/9999`, {}))
  expect(back.map(({ name }) => name)).toEqual(rows.map(({ name }) => name))
  const less: Member[] = ok(await mona('DELETE', `/publications/member/${rows[149]!.id}`))
  expect(less.map(({ position }) => position)).toEqual(Array.from({ length: 299 }, (_, i) => i + 1))
  // Two who move at one moment come one after the other.
  await Promise.all([
    mona('PUT', `/publications/members-reorder/${rows[10]!.id}/200`, {}),
    mona('PUT', `/publications/members-reorder/${rows[200]!.id}/5`, {}),
  ])
  const after: Member[] = ok(await mona('GET', `/publications/parts/${id}`)).members
  expect(after.map(({ position }) => position)).toEqual(Array.from({ length: 299 }, (_, i) => i + 1))
})

test('a name is claimed by whom it fits, and by one alone', async () => {
  const [mona, nadia, other] = [
    await w.researcher('Mona Four'),
    await w.researcher('Nadia Ahmed Fahmy', 1, 'نادية أحمد فهمي'),
    await w.researcher('Nadia Mahmoud Fahmy', 1, 'نادية محمود فهمي'),
  ]
  const id = await w.add(mona)
  const added: Member[] = ok(
    await mona('PUT', '/publications/members', {
      publication_id: id,
      members: [{ name: 'Fahmy, N.' }, { name: 'Peter Weiss' }],
    }),
  )
  const [fahmy, weiss] = [added[1]!, added[2]!]
  // They see it as members of another name: so who looks after publications shows it to them.
  refused(await nadia('PUT', `/publications/claim/${fahmy.id}`, { mine: true }), 404, 'not_found')
  await w.q(`update publications set created_by = $1 where id = $2`, [nadia.user_id, id])
  refused(await nadia('PUT', `/publications/claim/${weiss.id}`, { mine: true }), 422, 'publication_claim_name')
  ok(await nadia('PUT', `/publications/claim/${fahmy.id}`, { mine: true }))
  await w.q(`update publications set created_by = $1 where id = $2`, [other.user_id, id])
  refused(await other('PUT', `/publications/claim/${fahmy.id}`, { mine: true }), 409, 'publication_claimed')
  ok(await nadia('PUT', `/publications/claim/${fahmy.id}`, { mine: false }))
  const both = await Promise.all([
    other('PUT', `/publications/claim/${fahmy.id}`, { mine: true }),
    other('PUT', `/publications/claim/${fahmy.id}`, { mine: true }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
})
