/** Theses that are written in projects: linked and read by those who may see both. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AREA_SERVERS } from '../../../../apps/server/areas.server.ts'
import { thesisWorld, type ThesisWorld } from '#areas/research/theses/testing.server.ts'
import { ok, reasons, testUniversity, type Caller, type TestUniversity } from '#tests/university.ts'

let u: TestUniversity
let w: ThesisWorld
let code = 0
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS)
  w = await thesisWorld(u)
})
afterAll(() => u.close())
const propose = async (by: Caller): Promise<number> =>
  ok(
    await by('POST', '/projects', {
      code: `PT${++code}`,
      name: 'Lamps',
      name_local: 'المصابيح',
      faculty_id: w.faculty,
      currency: 'EGP',
      start_date: '2020-01-01',
      end_date: '2099-12-31',
      members: [{ user_id: by.user_id, job: 'leader' }],
    }),
  ).id
/** Somebody who supervises theses and leads projects. */
async function supervisor() {
  const { id, as } = await w.instructor()
  await w.q(
    `insert into role_assignments (user_id, role_id) select $1, id from roles where key = 'instructor' on conflict do nothing`,
    [as.user_id],
  )
  return { id, as: await u.signIn(as.user_id) }
}

test('a project has theses that its people may see, and shows them to those alone', async () => {
  const [leader, other] = [await supervisor(), await supervisor()]
  const [mine, theirs] = [await w.draft(leader), await w.draft(other)]
  const project = await propose(leader.as)
  const put = (by: Caller, thesis_ids: number[]) => by('PUT', `/projects/theses/${project}`, { thesis_ids })
  const refused = await put(leader.as, [mine.id, theirs.id])
  expect([refused.status, reasons(refused)]).toEqual([422, ['reference_missing@thesis_ids']])
  ok(await put(leader.as, [mine.id]))
  expect((await put(other.as, [])).status).toBe(404)
  // Who may see both links the other as well; the leader neither sees nor removes it.
  const both = await u.as('quality_staff')
  await w.q(
    `insert into role_assignments (user_id, role_id, scope_type, scope_id)
     select $1, id, 'faculty', $2 from roles where key = 'dean'`,
    [both.user_id, w.faculty],
  )
  ok(await put(await u.signIn(both.user_id), [mine.id, theirs.id]))
  const ids = async (by: Caller) =>
    (ok(await by('GET', `/projects/theses/${project}`)) as { id: number }[]).map(({ id }) => id).toSorted()
  expect(await ids(w.dean)).toEqual([mine.id, theirs.id])
  expect(await ids(leader.as)).toEqual([mine.id])
  ok(await put(leader.as, []))
  expect(await ids(w.dean)).toEqual([theirs.id])
  ok(await put(leader.as, [mine.id]))
  expect((await other.as('GET', `/projects/theses/${project}`)).status).toBe(404)
  // The thesis names its projects to who sees both.
  expect(ok(await leader.as('GET', `/projects/of-thesis/${mine.id}`))).toMatchObject([{ id: project }])
  expect((await leader.as('GET', `/projects/of-thesis/${theirs.id}`)).status).toBe(404)
  expect(ok(await other.as('GET', `/projects/of-thesis/${theirs.id}`))).toEqual([])
  expect((await mine.student.as('GET', `/projects/of-thesis/${mine.id}`)).status).toBe(403)
  // A thesis that is removed stands nowhere.
  await w.q(`update theses set removed_at = now() where id = $1`, [mine.id])
  expect(await ids(w.dean)).toEqual([theirs.id])
})

test('the public page of a researcher names theses granted and projects that run or are finished', async () => {
  const page = async (id: number) => {
    // Each opens the own one.
    const of = await u.signIn(id)
    const { slug } = ok(await of('PUT', `/researchers/${id}`, { is_public: true }))
    return ok(await u.nobody('GET', `/research/${slug}`))
  }
  const { id, leader } = await w.granted()
  const user = leader.as.user_id
  const [running, proposed] = [await propose(leader.as), await propose(leader.as)]
  await w.q(`update projects set status = 'running' where id = $1`, [running])
  await w.q(`update projects set name = 'Secret lamps' where id = $1`, [proposed])
  const before = await page(user)
  expect(before.theses).toMatchObject([{ title: 'Learning from few examples', degree: 'master', handle: null }])
  expect(before.projects).toEqual([
    { name: 'Lamps', name_local: 'المصابيح', job: 'leader', status: 'running', since: 2020, until: 2099 },
  ])
  expect(JSON.stringify(before)).not.toContain('Secret')
  const { handle } = ok(await w.registrar('POST', `/theses/deposit/${id}`, { licence: 'cc-by' }))
  const after = await page(user)
  expect(after.theses).toMatchObject([{ handle }])
  const graph = after.json_ld['@graph'] as Record<string, unknown>[]
  expect(graph.find((one) => one['@type'] === 'Thesis')).toMatchObject({
    '@id': expect.stringMatching(new RegExp(`/repository/${handle}$`)),
    inSupportOf: 'Master',
    contributor: { '@id': graph[0]!['@id'] },
  })
  expect(graph.find((one) => one['@type'] === 'ResearchProject')).toMatchObject({ name: 'Lamps', foundingDate: '2020' })
  await w.q(`update thesis_deposits set withdrawn_at = now(), withdrawn_reason = 'x' where thesis_id = $1`, [id])
  expect((await page(user)).theses).toEqual([])
  // A student's degree that is not granted is not told; nor what the committee judged.
  const other = await w.approved()
  expect((await page(other.leader.as.user_id)).theses).toEqual([])
})

test('a finished project keeps its theses as they are', async () => {
  const leader = await supervisor()
  const { id } = await w.draft(leader)
  const project = await propose(leader.as)
  await w.q(
    `set session_replication_role = replica; update projects set status = 'finished', finished_on = '2024-01-01' where id = ${project};
     set session_replication_role = default`,
  )
  const answer = await leader.as('PUT', `/projects/theses/${project}`, { thesis_ids: [id] })
  expect([answer.status, reasons(answer)]).toEqual([409, ['project_closed']])
})
