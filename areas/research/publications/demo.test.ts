import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoSources, type PublicationsSimulator } from '#demo/publications-simulator.ts'
import { demoDatabase } from '#tests/demo.ts'
import { ok, testUniversity, type TestUniversity } from '#tests/university.ts'
import { AREA_SERVERS } from '../../../apps/server/areas.server.ts'
import { jobDone } from './testing.server.ts'

let u: TestUniversity
let far: PublicationsSimulator
beforeAll(async () => {
  const database = await demoDatabase()
  far = await demoSources(database.ownerUrl)
  u = await testUniversity(AREA_SERVERS, { database, work: true, env: far.variables })
}, 720_000)
afterAll(async () => {
  await u?.close()
  await far?.close()
})

test('a researcher of the demo university fetches works that nobody has typed in yet', async () => {
  const [{ user_id, orcid }] = (
    await u.database.pool.query(
      `select r.user_id, r.orcid from researchers r join users u on u.id = r.user_id
       where r.orcid is not null and u.email like 'instructor@%'`,
    )
  ).rows as [{ user_id: number; orcid: string }]
  expect(far.people.map((one) => one.orcid)).toContain(orcid)
  const researcher = await u.signIn(user_id)
  const { job } = ok(await researcher('POST', '/publications/sync-publications', { source: 'orcid' }))
  expect(await jobDone(researcher, job)).toMatchObject({ state: 'done', result: { added: 5, known: 0 } })
  const mine = ok(await researcher('POST', '/publications/list', { search: 'harbour lamps' })) as { origin: string }[]
  expect(mine.map((one) => one.origin)).toEqual(Array.from({ length: 5 }, () => 'orcid'))
})
