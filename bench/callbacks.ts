import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Agent, request } from 'undici'
import type pg from 'pg'
import { decimalOf } from '#areas/money/transactions/providers/amounts.rules.ts'
import { paymentReferenceOf } from '#areas/money/transactions/providers/events.rules.ts'
import { notificationText } from '#areas/money/transactions/providers/fawry.rules.ts'
import { hmacText, signedFields } from '#areas/money/transactions/providers/paymob.rules.ts'
import { hmacSha512, readWritten, sha256 } from '#areas/money/transactions/providers/signing.server.ts'
import { cpu } from './measure.ts'
import type { Result } from './report.ts'
import type { Bench, Server } from './setup.ts'

const ALL = Number(process.env.BENCH_CALLBACKS ?? 10_000)
const CONNECTIONS = 32
/** A tenth is forged; of the rest two thirds are payments, and half of those come twice. */
const FORGED = Math.round(ALL / 10)
const REAL = Math.round(((ALL - FORGED) * 2) / 3)
const REPEATED = ALL - FORGED - REAL
/** When a process is killed, as parts of all callbacks that were answered; the two by turns. */
const KILLS = [0.2, 0.4, 0.6, 0.8]
const AMOUNT = 125_000
const SETTINGS = {
  FAWRY_URL: 'http://127.0.0.1:9',
  FAWRY_MERCHANT_CODE: 'bench',
  FAWRY_SECURE_KEY: 'bench-secure-key',
  PAYMOB_URL: 'http://127.0.0.1:9',
  PAYMOB_API_KEY: 'bench',
  PAYMOB_HMAC_SECRET: 'bench-hmac-secret',
  PAYMOB_INTEGRATION_ID: '4001',
  PAYMOB_IFRAME_ID: '7001',
  // Forgers have other addresses than providers.
  TRUST_PROXY: '1',
}

interface Charge {
  readonly provider: 'fawry' | 'paymob'
  readonly reference: string
  readonly order: string
  readonly invoice: number
}
interface Message {
  readonly path: string
  readonly body: string
  readonly from: string
  readonly forged: boolean
}

/** As many charges as there are payments and forgeries, each for an invoice of its own. */
async function charges(pool: pg.Pool): Promise<Charge[]> {
  const wanted = REAL + FORGED
  const { rows } = await pool.query<{ id: number }>(
    `insert into invoices (number, payer_id, type, currency, issued_on)
     select 'BENCH-' || n, p.ids[1 + n % array_length(p.ids, 1)], 'extra', 'EGP', university_today()
     from generate_series(1, $1::int) n, (select array_agg(id order by id) as ids from payers) p returning id`,
    [wanted],
  )
  const invoices = rows.map(({ id }) => id)
  await pool.query(
    `insert into invoice_lines (invoice_id, position, account, item, name, name_local, unit_amount, amount)
     select id, 1, 'tuition', 'bench', 'Bench', 'قياس', $2, $2 from unnest($1::int[]) id`,
    [invoices, AMOUNT],
  )
  for (let at = 0; at < invoices.length; at += 500) {
    const some = invoices.slice(at, at + 500)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await client.query(
        `insert into installments (invoice_id, position, amount, due_date) select id, 1, $2, university_today() - 3 from unnest($1::int[]) id`,
        [some, AMOUNT],
      )
      await client.query(
        `select ledger_post(jsonb_agg(jsonb_build_object('kind', 'invoice', 'source', 'invoice:' || i.id, 'currency', 'EGP', 'settles', false, 'postings',
           jsonb_build_array(jsonb_build_object('role', 'receivable', 'payer_id', i.payer_id, 'invoice_id', i.id, 'amount', $2::int),
             jsonb_build_object('role', 'tuition', 'amount', -$2::int))) order by i.id)) from invoices i where i.id = any($1::int[])`,
        [some, AMOUNT],
      )
      await client.query('commit')
    } finally {
      client.release()
    }
  }
  const made = invoices.map((invoice, n): Charge => ({
    provider: n % 2 ? 'paymob' : 'fawry',
    reference: paymentReferenceOf(randomBytes(13)),
    order: String(700_000_000 + n),
    invoice,
  }))
  await pool.query(
    `with added as (
       insert into transactions (payer_id, way, currency, amount, status, provider, reference, invoice_id, expires_at)
       select i.payer_id, case x.provider when 'fawry' then 'mobile' else 'card' end, 'EGP', $5, 'pending', x.provider, x.reference, i.id, now() + interval '2 days'
       from unnest($1::int[], $2::text[], $3::text[]) x (invoice, provider, reference) join invoices i on i.id = x.invoice
       returning id, provider, reference)
     insert into provider_charges (transaction_id, provider, reference, order_number, expires_at, answered_at)
     select a.id, a.provider, a.reference, o.number, now() + interval '2 days', now()
     from added a join unnest($3::text[], $4::text[]) o (reference, number) on o.reference = a.reference`,
    [invoices, made.map((c) => c.provider), made.map((c) => c.reference), made.map((c) => c.order), AMOUNT],
  )
  return made
}

/** What a provider says of a payment; with other secrets than its own it is forged. */
function message(charge: Charge, n: number, forged: boolean): Message {
  const from = forged ? `198.51.100.${1 + (n % 250)}` : '203.0.113.7'
  if (charge.provider === 'fawry') {
    const body = {
      requestId: sha256(`${charge.order} ${forged}`).slice(0, 32),
      fawryRefNumber: charge.order,
      merchantRefNumber: charge.reference,
      paymentAmount: decimalOf(AMOUNT),
      orderAmount: decimalOf(AMOUNT),
      fawryFees: '0.00',
      orderStatus: 'PAID',
      paymentMethod: 'PAYATFAWRY',
    }
    const messageSignature = sha256(notificationText(body, forged ? 'guess' : SETTINGS.FAWRY_SECURE_KEY)!)
    return { path: 'fawry', body: JSON.stringify({ ...body, messageSignature }), from, forged }
  }
  const obj = {
    id: Number(charge.order) + 1_000_000_000,
    pending: false,
    amount_cents: AMOUNT,
    success: true,
    is_auth: false,
    is_capture: false,
    is_standalone_payment: true,
    is_voided: false,
    is_refunded: false,
    is_3d_secure: true,
    integration_id: Number(SETTINGS.PAYMOB_INTEGRATION_ID),
    has_parent_transaction: false,
    order: { id: Number(charge.order), merchant_order_id: charge.reference },
    created_at: '2026-01-01T10:00:00.000000',
    currency: 'EGP',
    source_data: { pan: '2346', type: 'card', sub_type: 'MasterCard' },
    error_occured: false,
    owner: 302852,
  }
  const body = JSON.stringify({ type: 'TRANSACTION', obj })
  const text = hmacText(signedFields(readWritten(JSON.stringify(obj))!))
  return { path: `paymob?hmac=${hmacSha512(forged ? 'guess' : SETTINGS.PAYMOB_HMAC_SECRET, text)}`, body, from, forged }
}

const shuffled = <T>(all: T[]): T[] => {
  for (let i = all.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[all[i], all[j]] = [all[j]!, all[i]!]
  }
  return all
}

/** Callbacks of payment providers, as they come on the last day on which fees are paid, and worse. */
export async function callbacks(bench: Bench): Promise<Result> {
  const { url, pool, db } = await bench.database('bench_callbacks', 4)
  const made = await charges(pool)
  const [paid, never] = [made.slice(0, REAL), made.slice(REAL)]
  const real = paid.map((charge, n) => message(charge, n, false))
  const queue = shuffled([...real, ...real.slice(0, REPEATED), ...never.map((charge, n) => message(charge, n, true))])
  await pool.query('vacuum analyze')
  const servers: (Server | null)[] = await Promise.all([bench.server(url, SETTINGS), bench.server(url, SETTINGS)])
  const agent = new Agent({ connections: CONNECTIONS / 2, pipelining: 1 })
  const before = { server: 0, database: cpu(servers[0]!.pid, bench.postmaster).database }

  let answered = 0
  let kills = 0
  let sentAgain = 0
  const odd: string[] = []
  const took: number[] = []
  const starts: Promise<unknown>[] = []
  const killNext = (): void => {
    if (kills >= KILLS.length || answered < queue.length * KILLS[kills]!) return
    const which = kills++ % 2
    const victim = servers[which]
    servers[which] = null
    starts.push(
      (async () => {
        await victim?.kill()
        servers[which] = await bench.server(url, SETTINGS)
      })(),
    )
  }
  const send = async (one: Message, worker: number): Promise<void> => {
    for (let tries = 0; ; tries++) {
      const server = servers[(worker + tries) % 2]
      if (!server) {
        if (!servers[(worker + tries + 1) % 2]) await sleep(100)
        continue
      }
      const at = performance.now()
      try {
        const answer = await request(`${server.origin}/api/payments/callback/${one.path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'x-forwarded-for': one.from },
          body: one.body,
          dispatcher: agent,
        })
        await answer.body.dump()
        if (answer.statusCode === (one.forged ? 401 : 200)) {
          took.push(performance.now() - at)
          return
        }
        if (answer.statusCode < 500 && answer.statusCode !== 429) {
          odd.push(`answered ${answer.statusCode}`)
          return
        }
      } catch {
        // The process was killed: whether it was stored is not known, so it is sent again.
      }
      sentAgain++
      await sleep(50)
    }
  }
  const started = performance.now()
  let next = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async (_, worker) => {
      for (let one = queue[next++]; one; one = queue[next++]) {
        await send(one, worker)
        answered++
        killNext()
      }
    }),
  )
  const sending = (performance.now() - started) / 1000
  await Promise.all(starts)
  const count = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await pool.query<{ n: string }>(`select count(*) as n from ${text}`, values)).rows[0]!.n)
  const booked = () =>
    count(`transactions where status = 'paid' and reference = any($1)`, [paid.map((c) => c.reference)])
  for (
    let waited = 0;
    waited < 600 && ((await booked()) < REAL || (await count('provider_events where verdict is null')) > 0);
    waited++
  )
    await sleep(500)
  const settling = (performance.now() - started) / 1000
  const used = cpu(servers[0]!.pid, bench.postmaster)

  const ids = paid.map((c) => c.invoice)
  const OF_THESE = `source in (select 'transaction:' || id from transactions where invoice_id = any($1))`
  const [once, entries, settled, wrong, forged, wallet, stored] = [
    await booked(),
    // Of these payments: the demo university has entries and wallets of its own.
    await count(`ledger_entries where ${OF_THESE}`, [ids]),
    await count(`invoice_balances where invoice_id = any($1) and settled = charged`, [ids]),
    await count(`invoice_balances where invoice_id = any($1) and settled <> 0`, [never.map((c) => c.invoice)]),
    await count(`transactions where reference = any($1) and status <> 'pending'`, [never.map((c) => c.reference)]),
    await count(
      `ledger_postings p join ledger_accounts a on a.id = p.account_id and a.role = 'wallet'
      join ledger_entries on ledger_entries.id = p.entry_id where ${OF_THESE}`,
      [ids],
    ),
    await count(`provider_events where order_number = any($1)`, [paid.map((c) => c.order)]),
  ]
  const { rows } = await pool.query<{ sum: string }>(
    `select coalesce(sum(p.amount), 0) as sum from ledger_postings p join ledger_accounts a on a.id = p.account_id
      join ledger_entries on ledger_entries.id = p.entry_id where a.role in ('card', 'mobile') and ${OF_THESE}`,
    [ids],
  )
  for (const server of servers) await server?.stop()
  await agent.destroy()
  await db.destroy()
  for (const text of odd.slice(0, 3)) console.log(`  ! ${text}`)
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? Infinity
  const n = (value: number) => value.toLocaleString('en')
  return {
    name: 'callbacks',
    title: `${n(queue.length)} callbacks of providers, ${n(REPEATED)} of them repeated and ${n(FORGED)} forged, on two processes that are killed twice each`,
    lines: [
      {
        what: 'payments booked',
        value: `${n(once)} of ${n(REAL)}`,
        target: 'all',
        met: once === REAL && settled === REAL && odd.length === 0,
      },
      {
        what: 'entries of the ledger for them',
        value: n(entries),
        target: n(REAL),
        met: entries === REAL && Number(rows[0]!.sum) === REAL * AMOUNT,
      },
      { what: 'booked though forged', value: n(forged + wrong), target: '0', met: forged + wrong === 0 },
      { what: 'wallets with money that was paid twice', value: n(wallet), target: '0', met: wallet === 0 },
      { what: 'kept as they came, the same bytes once', value: n(stored), target: n(REAL), met: stored === REAL },
      { what: 'processes killed', value: n(kills), target: n(KILLS.length), met: kills === KILLS.length },
      { what: 'sent again because nobody answered', value: n(sentAgain) },
      { what: 'answered within, half and 95 of 100', value: `${Math.round(at(0.5))} ms, ${Math.round(at(0.95))} ms` },
      {
        what: 'all were answered after',
        value: `${sending.toFixed(1)} s (${Math.round(queue.length / sending)} a second)`,
      },
      { what: 'all were booked after', value: `${settling.toFixed(1)} s` },
      {
        what: 'CPU of the database for each',
        value: `${((used.database - before.database) / queue.length).toFixed(1)} ms`,
      },
    ],
  }
}
