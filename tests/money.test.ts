/**
 * Everything that moves money, through HTTP, in random order and several at once, beside a model that knows only what came,
 * what went and what was charged: what stands has to add up to it after every step, and the proof of the ledger finds nothing.
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moneyWorld, priceWorld } from '#areas/money/invoices/testing.server.ts'
import { verifyLedger } from '#areas/money/ledger/proof/verify.server.ts'
import { bookTransactions } from '#areas/money/transactions/book.server.ts'
import { addDays } from '#kit/contract/day.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { registrationWorld, type RegistrationWorld } from './registration-world.ts'
import { dayThere, ok, reasons, testUniversity, type Answer, type Caller, type TestUniversity } from './university.ts'

// Another seed tries others: MONEY_SEED=… npx vitest run tests/money.test.ts
const seed = Number(process.env.MONEY_SEED ?? 20_261_123)
/** Above this a refund needs a second person: 30.00. */
const LIMIT = 3000

let u: TestUniversity
let w: RegistrationWorld
let m: ReturnType<typeof moneyWorld>
/** Takes cash, keeps invoices and files, decides on what others asked for. */
let cashier: Caller
let finance: Caller & { user_id: number }
let head: Caller
let bank: number
/** An item with a price, and what it costs. */
let card: number
const CARD = 1500
const students: { id: number; code: string; payer: number; as: Caller }[] = []
const OPENING = 100_000_000
beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { work: true })
  w = await registrationWorld(u)
  m = moneyWorld(u.database.db)
  cashier = await u.as('cashier')
  finance = (await u.as('finance_officer')) as typeof finance
  await w.query('insert into cash_shifts (number, cashier_id) values ($1, $2)', ['SF', finance.user_id])
  await w.query(
    `insert into cash_counts (shift_id, currency, opening) select id, 'EGP', ${OPENING} from cash_shifts where number = 'SF'`,
  )
  head = await u.as('finance_head')
  await w.query(`insert into settings (key, value, grouping) values ('refund_limit_egp', '"${LIMIT / 100}"', 'payment')
    on conflict (key) do update set value = excluded.value`)
  ok(await cashier('POST', '/cashier/shift/open', { opening: [{ currency: 'EGP', amount: OPENING }] }))
  const [made] = (await w.query(
    `with account as (insert into ledger_accounts (code, name, name_local, kind) values ('1399', 'B', 'B', 'asset') returning id)
     insert into banks (code, name, name_local, account_number, currency_id, is_active, ledger_account_id)
     select 'B', 'B', 'B', '100900', c.id, true, account.id from currencies c, account where c.code = 'EGP' returning id`,
  )) as [{ id: number }]
  bank = made.id
  const prices = await priceWorld(u.database.db, w.term)
  ;[{ id: card }] = (await w.query(
    `insert into fee_items (code, name, name_local, type, is_automatic) values ('CARDX', 'Card', 'بطاقة', 'services', false) returning id`,
  )) as [{ id: number }]
  await prices.version({ requests: { CARDX: CARD } })
  for (let i = 0; i < 3; i++) {
    const { id, as } = await w.student()
    const code = `231000${i}`
    await w.query('update students set code = $2, nationality_id = 64 where id = $1', [id, code])
    students.push({ id, code, as, payer: await m.payerOf(id) })
  }
}, 180_000)
afterAll(() => u?.close())

// --- The model: what was charged to each, and what came from each less what went back. -------------------------------

interface Side {
  charged: number
  came: number
}
interface Payment {
  readonly of: number
  readonly amount: number
  readonly way: 'cash' | 'bank'
  readonly batch?: number
  back: number
}
interface Invoice {
  readonly of: number
  charged: number
  reversed: boolean
}
/** What another person decides: of a payment, or of a student's wallet. */
interface Request {
  readonly payment: number | null
  readonly of: number
  readonly amount: number
  readonly cash: boolean
  state: 'asked' | 'approved'
}
const model = {
  sides: new Map<number, Side>(),
  invoices: new Map<number, Invoice>(),
  payments: new Map<number, Payment>(),
  requests: new Map<number, Request>(),
  batches: new Map<number, { readonly unknown: number }>(),
  /** Of the cashier. */
  drawer: OPENING,
  unexplained: 0,
}
const side = (of: number): Side => {
  const known = model.sides.get(of) ?? { charged: 0, came: 0 }
  model.sides.set(of, known)
  return known
}
const paid = (id: number, payment: Omit<Payment, 'back'>): void => {
  model.payments.set(id, { ...payment, back: 0 })
  side(payment.of).came += payment.amount
}

/** What stands: of each student what is charged, settled, owed and in the wallet; of the university what it holds. */
async function compare(): Promise<string[]> {
  const rows = (await w.query(
    `select p.student_id, coalesce(b.wallet, 0)::int as wallet, coalesce(b.owed, 0)::int as owed,
       coalesce(sum(i.charged), 0)::int as charged, coalesce(sum(i.settled), 0)::int as settled,
       coalesce(sum((select sum(n.amount) from installments n where n.invoice_id = v.id)), 0)::int as parts
     from payers p left join payer_balances b on b.payer_id = p.id and b.currency = 'EGP'
       left join invoices v on v.payer_id = p.id left join invoice_balances i on i.invoice_id = v.id
     where p.id = any($1::int[]) group by p.id, b.wallet, b.owed`,
    [students.map((one) => one.payer)],
  )) as { student_id: number; wallet: number; owed: number; charged: number; settled: number; parts: number }[]
  const [held] = (await w.query(
    `select coalesce(sum(p.amount) filter (where a.kind = 'asset' and not a.per_payer), 0)::int as money,
       coalesce(-sum(p.amount) filter (where a.role = 'suspense'), 0)::int as unexplained
     from ledger_postings p join ledger_accounts a on a.id = p.account_id`,
  )) as [{ money: number; unexplained: number }]
  const drawer = ok(await cashier('GET', '/cashier/shift')).drawers.find((one: any) => one.currency === 'EGP').expected
  const differs = (what: string, is: number, should: number) => (is === should ? [] : [`${what}: ${is}, not ${should}`])
  const came = [...model.sides.values()].reduce((sum, one) => sum + one.came, 0)
  return [
    ...rows.flatMap(({ student_id, wallet, owed, charged, settled, parts }) => [
      ...differs(`charged to ${student_id}`, charged, side(student_id).charged),
      ...differs(`instalments of ${student_id}`, parts, charged),
      ...differs(`settled and in the wallet of ${student_id}`, settled + wallet, side(student_id).came),
      ...differs(`owed by ${student_id}`, owed, charged - settled),
    ]),
    ...differs('in the drawer', drawer, model.drawer),
    ...differs('unexplained', held.unexplained, model.unexplained),
    ...differs('what the university holds', held.money, came + model.unexplained),
    ...[...model.payments].flatMap(([id, one]) =>
      one.back > one.amount ? [`${id} went back ${one.back} of ${one.amount}`] : [],
    ),
  ]
}

// --- What people do. ------------------------------------------------------------------------------------------------

let state = seed
/** mulberry32: the same seed gives the same numbers. */
const random = (): number => {
  state = (state + 0x6d2b79f5) | 0
  let t = Math.imul(state ^ (state >>> 15), 1 | state)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}
const int = (from: number, to: number) => from + Math.floor(random() * (to - from + 1))
const pick = <T>(of: readonly T[]): T | undefined => of[int(0, of.length - 1)]

interface Step {
  readonly send: () => Promise<Answer>
  /** What it changes when it is done. */
  readonly after: (answer: any) => void
  /** What may refuse it; anything else is a fault. */
  readonly refusals?: readonly string[]
  /** When it is alone: whether it is done or refused, where the model can tell. */
  readonly done?: boolean | undefined
}
const someone = () => pick(students)!
const someInvoice = () => pick([...model.invoices].filter(([, one]) => !one.reversed))
const somePayment = () => pick([...model.payments].filter(([, one]) => one.back < one.amount))
const someRequest = (of: Request['state']) => pick([...model.requests].filter(([, one]) => one.state === of))
const today = dayThere()
let serial = 0
const reason = 'A step of the test'

async function upload(who: Caller, path: string, fields: Record<string, unknown>, name: string, content: Uint8Array) {
  const form = new FormData()
  for (const [key, value] of Object.entries(fields)) form.set(key, String(value))
  form.set('file', new Blob([new Uint8Array(content)]), name)
  const encoded = new Response(form)
  const answer = await u.app.inject({
    method: 'POST',
    url: `/api${path}`,
    headers: { authorization: `Bearer ${who.token}`, 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  })
  return { status: answer.statusCode, body: answer.json() } as Answer
}
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
/** Why what came does not go back. */
const NOT_BACK = [
  'refund_too_much',
  'refund_spent',
  'refund_not_paid',
  'wallet_negative',
  'not_found',
  'wallet_reserved',
]

/** Why instalments are not changed so. */
const NOT_SO = [
  'installment_same',
  'installment_paid',
  'installment_before_paid',
  'installment_most',
  'installment_least',
  'installment_rest',
  'installment_no_heir',
  'installment_last',
  'installments_count',
  'installments_order',
  'invoice_is_reversed',
  'not_found',
]

/** A payment goes back the way it came, or in cash; what is above the limit is asked of another person. */
function givesBack(direct: boolean): Step | null {
  const found = somePayment()
  if (!found) return null
  const [id, payment] = found
  const left = payment.amount - payment.back
  const amount = int(1, left + 50)
  return {
    send: () => finance('POST', `/payments/${direct ? 'direct_cash_back' : 'refund'}/${id}`, { amount, reason }),
    after: (gone) => {
      if (gone.state === 'asked')
        model.requests.set(gone.request_id, {
          payment: id,
          of: payment.of,
          amount,
          cash: direct || payment.way === 'cash',
          state: 'asked',
        })
      else {
        expect(payment.back + amount, 'above the limit by one person').toBeLessThanOrEqual(LIMIT)
        payment.back += amount
        side(payment.of).came -= amount
      }
    },
    refusals: NOT_BACK,
    done: amount > left ? false : undefined,
  }
}
const ACTIONS: Readonly<Record<string, readonly [weight: number, plan: () => Step | null]>> = {
  invoice: [
    4,
    () => {
      const { id } = someone()
      const installments = Array.from({ length: int(1, 3) }, (_, i) => ({
        amount: int(100, 6000),
        due_date: addDays(today, 10 + 30 * i),
      }))
      const amount = installments.reduce((sum, one) => sum + one.amount, 0)
      const lines = [{ account: 'services', name: 'Service', name_local: 'خدمة', amount }]
      return {
        send: () => finance('POST', `/payments/create_payment/${id}`, { currency: 'EGP', lines, installments }),
        after: (made) => {
          model.invoices.set(made.id, { of: id, charged: amount, reversed: false })
          side(id).charged += amount
        },
        done: true,
      }
    },
  ],
  note: [
    3,
    () => {
      const found = someInvoice()
      if (!found) return null
      const [id, invoice] = found
      const amount = int(0, 1) ? int(1, 3000) : -int(1, 4000)
      const added = [{ account: 'services', name: 'Correction', name_local: 'تصحيح', amount }]
      return {
        send: async () => {
          const { version } = ok(await finance('GET', `/payments/${id}`))
          return finance('POST', `/payments/edit-invoice/${id}`, { version, reason, added })
        },
        after: () => {
          // Of an invoice that was reversed meanwhile nothing is left.
          if (invoice.reversed) return
          invoice.charged += amount
          side(invoice.of).charged += amount
        },
        refusals: ['note_too_much', 'changed_meanwhile', 'invoice_is_reversed'],
        done: invoice.charged + amount >= 0,
      }
    },
  ],
  instalment: [
    1,
    () => {
      const found = someInvoice()
      if (!found) return null
      const body = { amount: int(1, 2000), due_date: addDays(today, int(100, 300)), reason }
      return {
        send: () => finance('POST', `/payments/installments/${found[0]}`, body),
        after: () => {},
        refusals: [
          'installments_count',
          'installment_nothing',
          'installments_order',
          'installments_differ',
          'installment_most',
          'installment_before_paid',
          'invoice_is_reversed',
        ],
      }
    },
  ],
  'items at their price': [
    2,
    () => {
      const { id } = someone()
      const quantity = int(1, 3)
      return {
        send: () => finance('POST', `/payments/create_payment/${id}`, { items: [{ item_id: card, quantity }] }),
        after: (made) => {
          model.invoices.set(made.id, { of: id, charged: CARD * quantity, reversed: false })
          side(id).charged += CARD * quantity
        },
        done: true,
      }
    },
  ],
  'instalment changed': [
    2,
    () => {
      const found = someInvoice()
      if (!found) return null
      const [place, less, at] = [int(0, 2), int(1, 6000), int(1, 300)]
      const body = { amount: less, reason, ...(at % 3 === 0 && { rest_due_date: addDays(today, 100 + at) }) }
      return {
        send: async () => {
          const { installments } = ok(await finance('GET', `/payments/${found[0]}`))
          const part = installments[place % installments.length]
          return finance('POST', `/payments/installments/${found[0]}/${part.id}`, body)
        },
        // Nothing of what is charged changes: what stands says whether that is so.
        after: () => {},
        refusals: NOT_SO,
      }
    },
  ],
  'instalment removed': [
    2,
    () => {
      const found = someInvoice()
      if (!found) return null
      const place = int(0, 2)
      return {
        send: async () => {
          const { installments } = ok(await finance('GET', `/payments/${found[0]}`))
          return finance('DELETE', `/payments/installments/${installments[place % installments.length].id}`, { reason })
        },
        after: () => {},
        refusals: NOT_SO,
      }
    },
  ],
  'invoice reversed': [
    1,
    () => {
      const found = someInvoice()
      if (!found) return null
      const [id, invoice] = found
      return {
        send: () => finance('POST', `/payments/reverse-invoice/${id}`, { reason }),
        after: () => {
          side(invoice.of).charged -= invoice.charged
          invoice.charged = 0
          invoice.reversed = true
        },
        refusals: ['invoice_is_reversed'],
        done: true,
      }
    },
  ],
  'at the desk': [
    6,
    () => {
      const { id } = someone()
      const amount = int(1, 7000)
      const to_wallet = int(0, 2) > 0
      const body = { student_id: id, currency: 'EGP', amount, key: randomUUID(), to_wallet }
      return {
        send: async () => {
          const first = await cashier('POST', '/cashier/take', body)
          // The button pressed twice.
          if (first.status === 200) expect(ok(await cashier('POST', '/cashier/take', body)).id).toBe(ok(first).id)
          return first
        },
        after: (made) => {
          paid(made.id, { of: id, amount, way: 'cash' })
          model.drawer += amount
        },
        refusals: to_wallet ? [] : ['payment_more_than_owed'],
        done: to_wallet ? true : undefined,
      }
    },
  ],
  charge: [
    2,
    () => {
      const { id } = someone()
      const amount = int(1, 3000)
      return {
        send: () => cashier('POST', '/credits/charge-credit', { id: String(id), amount, currency: 'EGP' }),
        after: (made) => {
          paid(made.id, { of: id, amount, way: 'cash' })
          model.drawer += amount
        },
        done: true,
      }
    },
  ],
  'from the wallet': [
    3,
    () => {
      const found = someInvoice()
      if (!found) return null
      const [id, { of }] = found
      const body = { amount: int(1, 3000) }
      return {
        // Nothing comes or goes: it only settles.
        send: () => students.find((one) => one.id === of)!.as('POST', `/payments/pay_from_wallet/${id}`, body),
        after: () => {},
        refusals: ['wallet_negative', 'payment_more_than_owed', 'invoice_nothing_open', 'not_found', 'wallet_reserved'],
      }
    },
  ],
  'out of the wallet': [
    2,
    () => {
      const { id } = someone()
      const amount = int(1, 2500)
      return {
        send: () => cashier('POST', `/payments/cash_back/${id}`, { amount, currency: 'EGP', reason }),
        after: (gone) => {
          if (gone.state === 'asked')
            model.requests.set(gone.request_id, { payment: null, of: id, amount, cash: true, state: 'asked' })
          else {
            side(id).came -= amount
            model.drawer -= amount
          }
        },
        refusals: ['wallet_negative', 'wallet_reserved', 'refund_spent'],
      }
    },
  ],
  'by a provider': [
    3,
    () => {
      const { id } = someone()
      const amount = int(1, 6000)
      let transaction = 0
      return {
        send: async () => {
          transaction = await m.transaction(id, amount, { way: 'bank' })
          const ctx = asSystem(u.services, 'test')
          // Told twice at the same moment.
          const told = await Promise.all([1, 2].map(() => ctx.write((tx) => bookTransactions(ctx, tx, [transaction]))))
          expect(told.flat().filter((one) => one.booked)).toHaveLength(1)
          return { status: 200, body: {} } as Answer
        },
        after: () => paid(transaction, { of: id, amount, way: 'bank' }),
        done: true,
      }
    },
  ],
  'by a slip': [
    2,
    () => {
      const found = someInvoice()
      if (!found) return null
      const [invoice_id, { of }] = found
      const { as } = students.find((one) => one.id === of)!
      const amount = int(1, 6000)
      let transaction = 0
      return {
        send: async () => {
          const issued = await as('POST', '/payments/payment-slip', { invoice_id })
          if (issued.status !== 200) return issued
          const slip = ok(issued)
          transaction = slip.transaction_id
          const stamp = { slip_id: slip.id, paid_on: today, bank_reference: `FT-${++serial}`, amount }
          ok(await upload(as, '/transactions/put', stamp, 'slip.png', PNG))
          // Two look at it at once.
          const said = await Promise.all(
            [finance, head].map((who) => who('POST', `/payments/slips/accept/${slip.id}`, {})),
          )
          expect(said.filter((one) => one.status === 200).length).toBeLessThanOrEqual(1)
          return said.find((one) => one.status === 200) ?? said[0]!
        },
        after: () => paid(transaction, { of, amount, way: 'bank' }),
        refusals: ['slip_live', 'invoice_nothing_open', 'slip_reversed', 'not_found'],
      }
    },
  ],
  refund: [4, () => givesBack(false)],
  'refund in cash': [2, () => givesBack(true)],
  'refund decided': [
    3,
    () => {
      const found = someRequest('asked')
      if (!found) return null
      const [id, request] = found
      const approves = int(0, 3) > 0
      return {
        send: async () => {
          // Who asked does not decide.
          expect(reasons(await finance('POST', `/payments/refunds/${id}/approve`, {}))).not.toEqual([])
          return head('POST', `/payments/refunds/${id}/${approves ? 'approve' : 'reject'}`, approves ? {} : { reason })
        },
        after: () => {
          if (approves) request.state = 'approved'
          else model.requests.delete(id)
        },
        refusals: [...NOT_BACK, 'refund_request_ended'],
      }
    },
  ],
  'refund paid out': [
    3,
    () => {
      const found = someRequest('approved')
      if (!found) return null
      const [id, { payment, of, amount, cash }] = found
      return {
        send: () => (cash ? cashier : finance)('POST', `/payments/refunds/${id}/pay_out`, {}),
        after: () => {
          model.requests.delete(id)
          if (payment !== null) model.payments.get(payment)!.back += amount
          side(of).came -= amount
          if (cash) model.drawer -= amount
        },
        refusals: [...NOT_BACK, 'refund_request_ended', 'refund_not_approved'],
      }
    },
  ],
  cancel: [
    2,
    () => {
      const found = somePayment()
      if (!found) return null
      const [id, payment] = found
      return {
        send: () => finance('POST', '/transactions/cancel-transaction', { id, reason }),
        after: () => {
          model.payments.delete(id)
          side(payment.of).came -= payment.amount
          if (payment.way === 'cash') model.drawer -= payment.amount
        },
        refusals: [
          'cancel_refunded',
          'cancel_asked_back',
          'cancel_batch',
          'wallet_negative',
          'transaction_ended',
          'wallet_reserved',
        ],
        done: payment.back > 0 || payment.batch ? false : undefined,
      }
    },
  ],
  'bank file': [
    2,
    () => {
      const invoice = someInvoice()
      const lines = Array.from({ length: int(1, 3) }, () => ({ of: someone(), amount: int(1, 4000) }))
      const unknown = int(0, 1) ? int(1, 500) : 0
      const sum = (minor: number) => (minor / 100).toFixed(2)
      const text = [
        'Date,Amount,Reference,Payer name,Description',
        ...lines.map(({ of, amount }) => `${today},${sum(amount)},B-${++serial},,Fees of ${of.code}`),
        ...(unknown ? [`${today},${sum(unknown)},B-${++serial},Nobody known,`] : []),
      ]
      const settles = invoice && { of: invoice[1].of, amount: int(1, 4000) }
      let booked: { id: number; of: number; amount: number }[] = []
      let batch = 0
      return {
        send: async () => {
          if (settles) {
            const { number } = ok(await finance('GET', `/payments/${invoice[0]}`))
            text.push(`${today},${sum(settles.amount)},${number} ${++serial},,`)
          }
          const content = Buffer.from(text.join('\n'))
          const { paymentsData } = ok(
            await upload(finance, '/payments/batches/import_preview', { bank_id: bank }, `${++serial}.csv`, content),
          )
          batch = paymentsData.batch.id
          const saved = await finance('POST', `/payments/batches/import_save/${batch}`, {})
          booked = (await w.query(
            `select t.id, p.student_id as of, t.amount::int as amount from batch_lines l join transactions t on t.id = l.transaction_id
               join payers p on p.id = t.payer_id where l.batch_id = $1`,
            [batch],
          )) as typeof booked
          return saved
        },
        after: () => {
          const total = booked.reduce((all, one) => all + one.amount, 0)
          const wanted = [...lines, ...(settles ? [settles] : [])].reduce((all, one) => all + one.amount, 0)
          expect(total, 'booked of the file').toBe(wanted)
          for (const one of booked) paid(one.id, { of: one.of, amount: one.amount, way: 'bank', batch })
          model.batches.set(batch, { unknown })
          model.unexplained += unknown
        },
      }
    },
  ],
  'bank file deleted': [
    3,
    () => {
      const found = pick([...model.batches])
      if (!found) return null
      const [id, { unknown }] = found
      const of = [...model.payments].filter(([, one]) => one.batch === id)
      return {
        send: () => finance('POST', `/payments/batches/delete/${id}`, { reason }),
        after: () => {
          for (const [payment, one] of of) {
            model.payments.delete(payment)
            side(one.of).came -= one.amount
          }
          model.unexplained -= unknown
          model.batches.delete(id)
        },
        refusals: [
          'transaction_refunded',
          'wallet_negative',
          'step_state',
          'transaction_asked_back',
          'cancel_asked_back',
          'wallet_reserved',
        ],
        done: of.some(([, one]) => one.back > 0) ? false : undefined,
      }
    },
  ],
}
const drawn = Object.entries(ACTIONS).flatMap(([name, [weight, plan]]) =>
  Array.from({ length: weight }, () => ({ name, plan })),
)

/** Steps, each of so many at once; after each, what stands is compared. Answers how often what was done and refused. */
async function drive(steps: number, together: number): Promise<Map<string, { done: number; refused: Set<string> }>> {
  const said = new Map(Object.keys(ACTIONS).map((name) => [name, { done: 0, refused: new Set<string>() }]))
  for (let n = 0; n < steps; n++) {
    const all = Array.from({ length: together }, () => pick(drawn)!).flatMap(({ name, plan }) => {
      const step = plan()
      return step ? [{ name, step }] : []
    })
    const answers = await Promise.all(all.map(({ step }) => step.send()))
    for (const [i, { name, step }] of all.entries()) {
      const answer = answers[i]!
      const refused = answer.status === 200 ? [] : reasons(answer).map((one) => one.split('@')[0]!)
      const at = `step ${n}, ${name}: ${answer.status} ${refused.join(', ')}`
      const lawful = refused.every((code) => step.refusals?.includes(code))
      if (
        answer.status >= 500 ||
        !lawful ||
        (together === 1 && step.done !== undefined && step.done !== (answer.status === 200))
      )
        throw new Error(`${at} ${JSON.stringify(answer.body).slice(0, 400)}`)
      if (answer.status !== 200) for (const code of refused) said.get(name)!.refused.add(code)
      else {
        step.after(answer.body.data ?? answer.body)
        said.get(name)!.done++
      }
    }
    const differs = await compare()
    if (differs.length) throw new Error(`step ${n} (${all.map(({ name }) => name).join(', ')}): ${differs.join('; ')}`)
  }
  return said
}

it(`random actions one after the other leave what the model says, and a ledger that is whole (seed ${seed})`, async () => {
  const said = await drive(300, 1)
  expect(await verifyLedger(u.database.db)).toMatchObject({ count: 0, findings: [] })
  // With these numbers each is done at least once.
  if (!process.env.MONEY_SEED) for (const [name, { done }] of said) expect(done, name).toBeGreaterThan(0)
}, 360_000)

it('five at once leave what the model says, whichever of them were refused', async () => {
  const said = await drive(50, 5)
  expect(await verifyLedger(u.database.db)).toMatchObject({ count: 0, findings: [] })
  expect([...said.values()].reduce((sum, one) => sum + one.done, 0)).toBeGreaterThan(100)
}, 360_000)
