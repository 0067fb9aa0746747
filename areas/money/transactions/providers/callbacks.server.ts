/** Where providers call back: what comes is kept as it came, and answered; a job judges it. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { Budget } from '#kit/server/http/bodies.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Asked, Protocol, ProtocolAnswer } from '#kit/server/http/protocols.ts'
import { asProgram } from '#kit/server/unit/request.ts'
import { registerSweep, sweepRows } from '#kit/server/jobs/retention.ts'
import { providerNamed } from './offered.server.ts'
import type { PaymentProvider } from './provider.server.ts'
import { askJob, settleJob } from './settle.server.ts'

const LARGEST = 65_536
/** Forged callbacks that are kept in a day, for who looks for a payment; more are refused all the same. */
const MOST_FORGED = 1000
/** What a forged one costs its address, in bytes of a public call: some hundred at once, then one or two a second. */
const PRICE = 30_000
/** Headers that are kept: none of them lets anybody in. */
const HEADERS = ['content-type', 'content-length', 'user-agent', 'x-request-id', 'date']

/** What addresses have sent that no provider signed. */
const forgeries = new Budget()

const OK: ProtocolAnswer = { status: 200, body: '{}' }
const FORGED: ProtocolAnswer = { status: 401, body: '{}' }

const queryOf = (ctx: Ctx): string => {
  const { url } = ctx.http!.request
  const at = url.indexOf('?')
  return at < 0 ? '' : url.slice(at + 1)
}

/** The provider of the address. @throws {Refusal} 404 where it is not set up */
function asked(ctx: Ctx, { params }: Asked): PaymentProvider {
  const provider = providerNamed(ctx.services, params.provider ?? '')
  if (!provider) throw refuse(404, 'not_found')
  return provider
}

async function receive(stranger: Ctx, given: Asked): Promise<ProtocolAnswer> {
  const provider = asked(stranger, given)
  const body = Buffer.isBuffer(given.body) ? given.body : Buffer.alloc(0)
  const query = queryOf(stranger)
  const read = provider.readCallback({ query: Object.fromEntries(new URLSearchParams(query)), body })
  const verdict = typeof read === 'string' ? read : null
  if (verdict === 'forged') {
    forgeries.spend(stranger.ip ?? '', PRICE)
    const call = `POST /payments/callback/${provider.name}`
    stranger.services.security.note(stranger, { kind: 'refused', data: { call } }, `${call} ${stranger.ip}`)
  }
  const { headers } = stranger.http!.request
  const kept = Object.fromEntries(
    HEADERS.flatMap((name) => (headers[name] === undefined ? [] : [[name, String(headers[name]).slice(0, 300)]])),
  )
  const hash = createHash('sha256').update(query).update('\n').update(body).digest()
  const ctx = asProgram(stranger, `callback of ${provider.name}`)
  await ctx.write(async (tx) => {
    const { rows } = await sql<{ waits: boolean }>`
      with kept as (
        insert into provider_callbacks (provider, query, headers, body, hash, ip)
        select ${provider.name}, ${query.replaceAll('\0', '')}, ${JSON.stringify(kept)}::jsonb, ${body}, ${hash}, ${stranger.ip}::inet
        where ${verdict !== 'forged'} or (select count(*) from provider_events where verdict = 'forged' and last_at > now() - interval '1 day') < ${MOST_FORGED}
        on conflict on constraint provider_callback_twice do nothing returning id
      ), added as (
        insert into provider_events (callback_id, provider, verdict, judged_at)
        select id, ${provider.name}, ${verdict}, case when ${verdict !== null} then now() end from kept returning verdict is null as waits
      ), again as (
        update provider_events e set times = e.times + 1, last_at = now() from provider_callbacks c
        where c.provider = ${provider.name} and c.hash = ${hash} and e.callback_id = c.id and not exists (select from kept)
        returning e.verdict is null as waits
      ) select waits from added union all select waits from again`.execute(tx)
    if (rows.some((row) => row.waits)) await ctx.services.jobs.send(tx, settleJob, {}, { actor: null })
  })
  return verdict === 'forged' ? FORGED : OK
}

/** Where whoever paid sees how it stands: who began without signing in looks at the application, or at the certificate that was asked for. */
async function pageOf(ctx: Ctx, transaction: number): Promise<string> {
  const { rows } = await sql<{ applicant_id: number | null; stranger: boolean }>`select p.applicant_id,
      s.id is not null and (s.user_id is null or t.created_by is null) as stranger
    from transactions t join payers p on p.id = t.payer_id left join students s on s.id = p.student_id where t.id = ${transaction}`.execute(
    ctx.db,
  )
  const { applicant_id: applicant = null, stranger = false } = rows[0] ?? {}
  if (applicant !== null) return `/apply/${applicant}/paid`
  return stranger ? '/certificates/graduate/paid' : `/payments/paid/${transaction}`
}

/** A browser that the provider sent back. It books nothing: it only makes us ask, and shows where the payment stands. */
async function comeBack(stranger: Ctx, given: Asked): Promise<ProtocolAnswer> {
  const provider = asked(stranger, given)
  const { publicUrl } = stranger.services.config
  const to = (path: string): ProtocolAnswer => ({ status: 303, headers: { location: `${publicUrl}${path}` } })
  const query = Object.fromEntries(new URLSearchParams(queryOf(stranger)))
  const back = provider.readReturn(query)
  if (!back) return to('/home')
  const ctx = asProgram(stranger, `return from ${provider.name}`)
  const { rows } = await ctx.write(async (tx) => {
    const found = await sql<{
      transaction_id: number
    }>`update provider_charges set next_check_at = now(), updated_at = now()
      where provider = ${provider.name} and order_number = ${back.order} and next_check_at > now() returning transaction_id`.execute(
      tx,
    )
    if (found.rows.length) await ctx.services.jobs.send(tx, askJob, {}, { actor: null })
    return found.rows.length
      ? found
      : sql<{ transaction_id: number }>`select transaction_id from provider_charges
          where provider = ${provider.name} and order_number = ${back.order}`.execute(tx)
  })
  return to(rows[0] ? await pageOf(ctx, rows[0].transaction_id) : '/home')
}

registerSweep(
  'forged_callbacks',
  sweepRows({
    table: 'provider_callbacks',
    at: 't.received_at',
    where: `exists (select from provider_events e where e.callback_id = t.id and e.verdict = 'forged')`,
  }),
)

/** `POST /payments/callback/{provider}`, and GET for browsers. Works in whichever mode the university is: a payment has happened. */
export const callbackProtocol: Protocol = {
  name: 'payment callbacks',
  prefix: '/payments/callback',
  types: ['application/json'],
  reads: 'bytes',
  maxBody: LARGEST,
  admit: async (ctx) => {
    forgeries.demand(ctx.ip ?? '')
    return ctx
  },
  routes: [
    { method: 'POST', path: '/:provider', reads: true, inMaintenance: true, handler: receive },
    { method: 'GET', path: '/:provider', inMaintenance: true, handler: comeBack },
  ],
  refused: ({ status }) => ({ status, body: '{}' }),
}
