/**
 * Many short sequences of everything that moves money: invoices, notes, payments, refunds, wallets, sponsors and plans, each begun
 * with nothing, beside the model, and proven at its end. Two of three take one step after the other; of the others six come at once.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  drive,
  issue,
  MONEY_ACTIONS,
  MONEY_GUARDS,
  moneyToDrive,
  type MoneyAction,
} from '#areas/money/ledger/testing.server.ts'
import { sponsorActions } from '#areas/money/sponsors/testing.server.ts'
import { type TestUniversity } from '#tests/university.ts'
import { planActions } from './plans/testing.server.ts'
import { collectingDriven, foundWrong } from './testing.server.ts'

// More of them: MONEY_SEQUENCES=10000 npx vitest run areas/money/collecting/sequences.test.ts. One again: MONEY_SEED=… MONEY_SEQUENCES=1.
const seed = Number(process.env.MONEY_SEED ?? 20_261_130)
const sequences = Number(process.env.MONEY_SEQUENCES ?? 30)
const STEPS = 30
const TOGETHER = 6

let u: TestUniversity
let students: number[]
let actions: readonly MoneyAction[]
/** Tables of what a sequence leaves: money, and all that refers to it. */
let left: string[]
beforeAll(async () => {
  const first = await collectingDriven(seed)
  ;({ u, students } = first)
  actions = [
    // The ledger's own reversal turns entries round, past shares and plans: invoices are reversed as the product does it.
    ...MONEY_ACTIONS.filter(({ name }) => name !== 'reverse invoice'),
    // So short a sequence has something to pay early.
    issue,
    issue,
    ...planActions(u.services).filter(({ name }) => name !== 'invoice reversed'),
    ...(await sponsorActions(u.services, first.world, first.w.term)),
  ]
  const { rows } = await sql<{ name: string }>`
    with recursive hangs as (
      select unnest(array['ledger_entries', 'invoices', 'transactions', 'sponsorships', 'payment_plans', 'payer_balances']::regclass[]) as t
      union select c.conrelid::regclass from hangs h join pg_constraint c on c.confrelid = h.t and c.contype = 'f'
    )
    select distinct t::text as name from hangs`.execute(u.database.db)
  left = rows.map((row) => row.name)
}, 180_000)
afterAll(() => u?.close())

/** Foreign keys and triggers sleep meanwhile. */
const forget = () =>
  u.database.db.transaction().execute(async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    for (const table of left) await sql`delete from ${sql.raw(table)}`.execute(tx)
  })

it(
  `${sequences} sequences from seed ${seed} end as the model foresees, each proven`,
  { timeout: 120_000 + sequences * 10_000 },
  async () => {
    const done: Record<string, number> = {}
    for (let n = 0; n < sequences; n++) {
      const together = (seed + n) % 3 === 0 ? TOGETHER : 1
      try {
        const world = await moneyToDrive(u.services, students, seed + n)
        const said = await drive(world, actions, {
          steps: STEPS / together,
          together,
          guards: [...MONEY_GUARDS, 'note_too_much', 'plan_asked'],
        })
        for (const [name, one] of Object.entries(said)) done[name] = (done[name] ?? 0) + one.done
        expect(await foundWrong(u.services)).toEqual([])
      } catch (error) {
        throw new Error(`Sequence ${n}: MONEY_SEED=${seed + n} MONEY_SEQUENCES=1 shows it alone`, { cause: error })
      }
      await forget()
      if (process.env.MONEY_SEQUENCES && (n + 1) % 100 === 0)
        process.stdout.write(`${n + 1} sequences: ${JSON.stringify(done)}\n`)
    }
    if (sequences >= 30) for (const { name } of actions) expect(done[name], name).toBeGreaterThan(0)
  },
)
