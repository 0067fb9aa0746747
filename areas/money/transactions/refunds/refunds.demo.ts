import { firstRow } from '#db/rows.ts'
import { demoPart, usersByEmail } from '#demo/part.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { readHeld } from '../hold.server.ts'
import { payBack } from './pay-back.server.ts'

/** Nobody listens while the demo university is loaded, and no provider is asked. */
const SILENT = {
  actor: null,
  services: {
    events: { publish: async () => {} },
    config: {
      payments: {
        fawry: null,
        paymob: {
          url: 'http://localhost',
          apiKey: '-',
          hmacSecret: '-',
          integrations: { EGP: '1' },
          iframeId: '1',
          merchantId: null,
        },
      },
    },
  },
} as unknown as Ctx

const WHYS = [
  'Left the university before the term began',
  'Paid twice, by card and at the bank',
  'Scholarship granted after the payment',
  'Withdrew from two courses in the first week',
  'Moved to another university',
  'Paid for the wrong student',
] as const
/** How what is asked stands, in turn. */
const STATES = ['asked', 'asked', 'approved', 'rejected', 'withdrawn', 'paid_out'] as const

/** Refunds in every state, and one that a provider has left unanswered since this morning. */
export default demoPart(
  ['refund_requests', 'provider_refunds'],
  ['transactions', 'users', 'settings'],
  async (tx, demo) => {
    const users = await usersByEmail(tx)
    const officer = users.get(`finance@${demo.university.domain}`)
    const head = users.get(`finance.head@${demo.university.domain}`)
    if (!officer || !head) return
    const { rows: paid } = await sql<{
      id: number
    }>`select t.id from transactions t where t.status = 'paid' and t.direction = 'in'
    and t.way = 'bank' and t.currency = 'EGP' and t.amount >= 600000 and t.booked_on > university_today() - 120 and t.bank_id is null
    order by t.id limit ${STATES.length}`.execute(tx)
    for (const [i, { id }] of paid.entries()) {
      const held = await readHeld(tx, id)
      const state = STATES[i]!
      // Cash waits at the desk, other money at the bank.
      const direct = state === 'approved'
      const { rows } = await sql<{ id: number }>`
      insert into refund_requests (payer_id, kind, payment_id, way, currency, amount, reason, asked_by, created_at)
      values (${held.payer_id}, ${direct ? 'direct_cash_back' : 'refund'}, ${id}, ${direct ? 'cash' : held.way}, ${held.currency}, 600000, ${WHYS[i]}, ${officer},
        now() - make_interval(hours => ${4 * (i + 1)})) returning id`.execute(tx)
      const request = firstRow(rows).id
      if (state === 'withdrawn')
        await sql`update refund_requests set status = ${state} where id = ${request}`.execute(tx)
      else if (state !== 'asked')
        await sql`update refund_requests set status = ${state === 'paid_out' ? 'approved' : state}, decided_by = ${head}, decided_at = now() - interval '1 hour',
        decision_reason = ${state === 'rejected' ? 'The student has registered again' : null} where id = ${request}`.execute(
          tx,
        )
      if (state === 'paid_out') {
        await sql`update refund_requests set status = 'paid_out' where id = ${request}`.execute(tx)
        const made = await payBack(SILENT, tx, await readHeld(tx, id), {
          amount: 600_000,
          direct: false,
          reason: WHYS[i]!,
        })
        await sql`update refund_requests set transaction_id = ${made.id} where id = ${request}`.execute(tx)
      }
    }
    const { rows: cards } = await sql<{
      id: number
    }>`select t.id from transactions t where t.status = 'paid' and t.direction = 'in' and t.way = 'card'
    and t.currency = 'EGP' and t.provider = 'paymob' and t.booked_on > university_today() - 120 order by t.id limit 1`.execute(
      tx,
    )
    for (const { id } of cards) {
      const made = await payBack(SILENT, tx, await readHeld(tx, id), {
        amount: 150_000,
        direct: false,
        reason: 'Course dropped in the first week',
      })
      await sql`update provider_refunds set created_at = now() - interval '5 hours', checks = 6, next_check_at = now() + interval '1 hour',
      error = 'paymob answered 503 at /api/acceptance/void_refund/refund' where refund_id = ${made.id}`.execute(tx)
    }
  },
)
