import { afterAll, beforeAll, expect, it } from 'vitest'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import {
  drive,
  MONEY_ACTIONS,
  MONEY_GUARDS,
  moneyToDrive,
  proofOf,
  type MoneyAction,
  type World,
} from '#areas/money/ledger/testing.server.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import { testUniversity, type TestUniversity } from '#tests/university.ts'
import { sponsorActions } from './testing.server.ts'

// Another seed tries others: MONEY_SEED=… npx vitest run areas/money/sponsors/model.test.ts
const seed = Number(process.env.MONEY_SEED ?? 20_261_128)
const steps = Number(process.env.MONEY_STEPS ?? 250)

let u: TestUniversity
let world: World
let theirs: readonly MoneyAction[]
beforeAll(async () => {
  u = await testUniversity([catalogueServer])
  const w = await registrationWorld(u)
  const students: number[] = []
  for (let i = 0; i < 3; i++) students.push((await w.student()).id)
  world = await moneyToDrive(u.services, students, seed)
  theirs = await sponsorActions(u.services, world, w.term)
})
afterAll(() => u?.close())

it(`sponsors beside everything else: each ends as the model foresees, and the ledger is whole (seed ${seed})`, async () => {
  const held = MONEY_ACTIONS.filter(({ name }) => name !== 'reverse invoice')
  const said = await drive(world, [...held, ...theirs], { steps })
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
  for (const one of theirs) expect(said[one.name]!.done, one.name).toBeGreaterThan(0)
}, 360_000)

it('six at once leave what the model says, whichever of them were refused', async () => {
  // The ledger's own reversal turns entries round and knows no shares: invoices are reversed as the product does it, among theirs.
  const held = MONEY_ACTIONS.filter(({ name }) => name !== 'reverse invoice')
  await drive(world, [...held, ...theirs], {
    steps: 40,
    together: 6,
    guards: [...MONEY_GUARDS, 'note_too_much'],
  })
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
}, 360_000)
