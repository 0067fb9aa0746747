import { afterAll, beforeAll, expect, it } from 'vitest'
import { attendanceServer } from '#areas/enrolment/attendance/attendance.server.ts'
import { registrationServer } from '#areas/enrolment/registration/registration.server.ts'
import { feesServer } from '#areas/money/fees/fees.server.ts'
import { invoicesServer } from '#areas/money/invoices/invoices.server.ts'
import { ledgerServer } from '#areas/money/ledger/ledger.server.ts'
import {
  drive,
  MONEY_ACTIONS,
  MONEY_GUARDS,
  moneyToDrive,
  proofOf,
  type World,
} from '#areas/money/ledger/testing.server.ts'
import { sponsorsServer } from '#areas/money/sponsors/sponsors.server.ts'
import { sponsorActions } from '#areas/money/sponsors/testing.server.ts'
import { transactionsServer } from '#areas/money/transactions/transactions.server.ts'
import { catalogueServer } from '#areas/study/catalogue/catalogue.server.ts'
import { kitServer } from '#kit/server/kit.server.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { registrationWorld } from '#tests/registration-world.ts'
import { testUniversity, type TestUniversity } from '#tests/university.ts'
import { collectingServer } from '../collecting.server.ts'
import { judgePlans } from './judge.server.ts'
import { planActions, plansStand, wrongOutcomes } from './testing.server.ts'

// Another seed tries others: MONEY_SEED=… MONEY_STEPS=… npx vitest run areas/money/collecting/plans/model.test.ts
const seed = Number(process.env.MONEY_SEED ?? 20_261_129)
const steps = Number(process.env.MONEY_STEPS ?? 250)
// The reversal there turns entries round by themselves, past what hangs on the invoice: plans here have the program's own.
const OTHERS = MONEY_ACTIONS.filter(({ name }) => name !== 'reverse invoice')

let u: TestUniversity
let world: World
let w: Awaited<ReturnType<typeof registrationWorld>>
beforeAll(async () => {
  u = await testUniversity([
    kitServer,
    catalogueServer,
    attendanceServer,
    registrationServer,
    feesServer,
    ledgerServer,
    invoicesServer,
    transactionsServer,
    sponsorsServer,
    collectingServer,
  ])
  w = await registrationWorld(u)
  const students: number[] = []
  for (let i = 0; i < 3; i++) students.push((await w.student()).id)
  world = await moneyToDrive(u.services, students, seed)
}, 180_000)
afterAll(() => u?.close())

const stands = async () => {
  await judgePlans(asSystem(u.services, 'test'))
  expect([await plansStand(u.services), await wrongOutcomes(u.services)]).toEqual([[], []])
  expect(await proofOf(u.services)).toMatchObject({ count: 0, findings: [] })
}

it(`plans beside everything else move no money, and what stands in one is not late (seed ${seed})`, async () => {
  const theirs = planActions(u.services)
  const said = await drive(world, [...OTHERS, ...theirs], { steps })
  await stands()
  for (const one of theirs) expect(said[one.name]!.done, one.name).toBeGreaterThan(0)
  const over = await w.query<{ state: string }>('select distinct state from payment_plans order by state')
  expect(over.map((row) => row.state)).toEqual(expect.arrayContaining(['broken', 'ended', 'kept']))
}, 360_000)

it('six at once, with sponsors who take over and withdraw, leave what the model says', async () => {
  const sponsors = await sponsorActions(u.services, world, w.term)
  // Those there take no invoice apart from its notes: only the reversal is left out.
  const theirs = planActions(u.services).filter(({ name }) => name !== 'invoice reversed')
  const said = await drive(world, [...OTHERS, ...theirs, ...sponsors], {
    steps: 40,
    together: 6,
    guards: [...MONEY_GUARDS, 'note_too_much', 'plan_asked'],
  })
  await stands()
  expect(said['plan agreed']!.done).toBeGreaterThan(5)
}, 360_000)
