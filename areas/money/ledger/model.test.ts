import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import { testUniversity, type TestUniversity } from '#tests/university.ts'
import { drive, MONEY_ACTIONS, MONEY_GUARDS, moneyToDrive, proofOf, type World } from './testing.server.ts'

// Another seed tries others: MONEY_SEED=… npx vitest run areas/money/ledger/model.test.ts
const seed = Number(process.env.MONEY_SEED ?? 20_261_123)

let u: TestUniversity
let world: World
beforeAll(async () => {
  u = await testUniversity([catalogueServer])
  const w = await registrationWorld(u)
  const students: number[] = []
  for (let i = 0; i < 3; i++) students.push((await w.student()).id)
  world = await moneyToDrive(u.services, students, seed)
})
afterAll(() => u?.close())

const sum = (said: Awaited<ReturnType<typeof drive>>, of: 'done' | 'refused') =>
  Object.values(said).reduce((all, one) => all + one[of], 0)

it(`random actions one after the other end as the model foresees, and the ledger is whole (seed ${seed})`, async () => {
  const said = await drive(world, MONEY_ACTIONS, { steps: 250 })
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
  // Each was done, and what the database guards was tried.
  for (const one of MONEY_ACTIONS) expect(said[one.name]!.done, one.name).toBeGreaterThan(0)
  expect(sum(said, 'refused')).toBeGreaterThan(10)
}, 360_000)

it('six at once leave what the model says, whichever of them were refused', async () => {
  const said = await drive(world, MONEY_ACTIONS, { steps: 60, together: 6, guards: MONEY_GUARDS })
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
  expect(sum(said, 'done')).toBeGreaterThan(100)
}, 360_000)
