import { afterAll, beforeAll, expect, test } from 'vitest'
import { ok, type Answer } from '#tests/university.ts'
import { publicationWorld, sentFile, type PublicationWorld } from './testing.server.ts'

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
  // Nor is it given up by anybody else.
  refused(await other('PUT', `/publications/claim/${fahmy.id}`, { mine: false }), 404, 'not_found')
  expect(await w.q('select user_id from publication_members where id = $1', [fahmy.id])).toEqual([
    { user_id: nadia.user_id },
  ])
  ok(await nadia('PUT', `/publications/claim/${fahmy.id}`, { mine: false }))
  const both = await Promise.all([
    other('PUT', `/publications/claim/${fahmy.id}`, { mine: true }),
    other('PUT', `/publications/claim/${fahmy.id}`, { mine: true }),
  ])
  expect(both.map(({ status }) => status)).toEqual([200, 200])
})

test('members, files and pages are refused with what to do', async () => {
  const [mona, other] = [await w.researcher('Mona Five'), await w.researcher('Rami Six', 1)]
  const id = await w.add(mona)
  const put = (members: object[]) => mona('PUT', '/publications/members', { publication_id: id, members })
  refused(await put([{ affiliation: 'Nowhere' }]), 422, 'publication_member_name')
  refused(await put([{ name: 'A', orcid: '0000' }]), 422, 'publication_member_orcid')
  refused(await put([{ user_id: 99_999_999 }]), 422, 'reference_missing')
  const [first] = ok(await mona('GET', `/publications/parts/${id}`)).members as { id: number; version: number }[]
  const change = (body: object) => mona('PUT', `/publications/members/${first!.id}`, body)
  refused(await change({ name: 'A', version: 99 }), 409, 'changed_meanwhile')
  refused(await change({ name: null }), 422, 'required')
  expect((await change({ name: ' ' })).status).toBe(422)
  expect(await w.q('select name from publication_members where publication_id = $1', [id])).toEqual([
    { name: 'Mona Five' },
  ])
  refused(await put([{ user_id: other.user_id }, { user_id: other.user_id }]), 422, 'publication_member_twice')
  await w.q(
    `insert into publication_members (publication_id, position, name) select $1, n + 1, 'Many' from generate_series(1, 4999) n`,
    [id],
  )
  refused(await put([{ name: 'One more' }]), 422, 'publication_members_full')
  refused(await mona('POST', `/publications/put-file/${id}`, {}), 422, 'publication_file_none')
  const file = sentFile('work.pdf', Buffer.from('%PDF-1.7\n%%EOF'), {
    readers: 'everybody',
    licence: 'cc_by',
    stage: 'published',
  })
  ok(await mona('POST', `/publications/put-file/${id}`, file))
  expect(ok(await mona('GET', `/publications/parts/${id}`)).file).toMatchObject({
    name: 'work.pdf',
    readers: 'everybody',
    licence: 'cc_by',
  })
  // Not what its name says.
  refused(
    await mona('POST', `/publications/put-file/${id}`, sentFile('work.pdf', 'Dear reader')),
    422,
    'file_type_error',
  )
  ok(await mona('POST', `/publications/put-file/${id}`, { readers: 'members' }))
  await w.q(`delete from publication_members where publication_id = $1 and position > 1`, [id])
  const dean = await w.uni.as('dean', ['faculty', w.faculty[0]])
  expect(ok(await dean('GET', `/publications/parts/${id}`))).toMatchObject({ file: null, file_kept: true })
  ok(await mona('POST', `/publications/put-file/${id}`, { remove: 'true' }))
  expect(ok(await mona('GET', `/publications/parts/${id}`)).file).toBeNull()
  await expect(w.q(`update publications set licence = 'cc0' where id = $1`, [id])).rejects.toThrow('publication_file')
  await expect(
    w.q(`insert into publication_members (publication_id, position, name) values ($1, 1, 'Again')`, [id]),
  ).rejects.toThrow('publication_member_position')
})

test('pages of researchers are refused with what to do', async () => {
  const [mona, other] = [await w.researcher('Mona Seven'), await w.researcher('Rami Eight', 1)]
  const put = (by: typeof mona, body: object) => by('PUT', `/researchers/${by.user_id}`, body)
  refused(await put(mona, { openalex: 'W1', slug: 'Two Words' }), 422, 'researcher_openalex', 'researcher_slug')
  ok(await put(mona, { openalex: 'https://openalex.org/A12', slug: 'mona-seven' }))
  refused(await put(other, { openalex: 'A12' }), 422, 'researcher_openalex_taken')
  refused(await put(other, { slug: 'mona-seven' }), 422, 'researcher_slug_taken')
  await expect(
    w.q(`update researchers set is_public = true, slug = null where user_id = $1`, [mona.user_id]),
  ).rejects.toThrow('researcher_public')
  refused(await mona('POST', '/publications/sync-publications', { doi: '10.1000/x' }), 409, 'source_not_set')
  const csv = sentFile('a.csv', 'a;b\n1;2\n', { year: '2020' })
  refused(await w.quality('POST', '/ranked-journals/import-list', csv), 422, 'journal_list_heads')
  const journal = { title: 'J', issn: '2049-3630', year: 2020, quartile: 1 }
  const wrong = await w.quality('PUT', '/ranked-journals', { ...journal, issn: '1234-5678', other_issn: '1' })
  refused(wrong, 422, 'publication_issn', 'publication_issn')
  expect(wrong.body.errors.map((one: { field: string }) => one.field)).toEqual(['issn', 'other_issn'])
  ok(await w.quality('PUT', '/ranked-journals', journal))
  refused(await w.quality('PUT', '/ranked-journals', journal), 422, 'ranked_journal_twice')
})
