/** Asking for a certificate without an account: an address is proven, and nothing tells whether such a person is known. */
import { createHash } from 'node:crypto'
import { receiptOf } from '#areas/money/transactions/moves/receipt.server.ts'
import { askedPayment, payOnline } from '#areas/money/transactions/providers/pay.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { series } from '#kit/contract/index.ts'
import type { BodyOf, ResponseOf } from '#kit/contract/call.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { addressLimit, attempt } from '#kit/server/identity/attempts.ts'
import { addressOfTicket } from '#kit/server/identity/mailed-code.ts'
import { makePuzzle } from '#kit/server/identity/puzzle.ts'
import { newToken } from '#kit/server/identity/sessions.ts'
import { paperFile } from '#kit/server/papers/papers.ts'
import { asProgram, asSystem } from '#kit/server/unit/request.ts'
import { takeSerial } from '#kit/server/unit/serials.ts'
import { sql } from 'kysely'
import { certificateRequests } from '../requests/certificate.server.ts'
import { checkAskedCertificate } from '../requests/certificate.rules.ts'
import { OFFERED_TYPE, certificateTypeOf } from '../types/offered.server.ts'
import type { TypeFacts } from '../requests/certificate.rules.ts'
import { graduateCalls as calls, type OpenType } from './ask.contract.ts'
import { graduateWorkflow } from './graduate.server.ts'
import { checkGraduateType, checkGraduateIdentity, graduateIdentity, type IdentityKind } from './graduate.rules.ts'
import { graduateCodes, mailGraduateLink } from './mail.server.ts'
import {
  graduateBill,
  openGraduate,
  graduatePayer,
  showGraduate,
  withGraduate,
  type OpenedGraduate,
} from './read.server.ts'

/** Numbers of requests. */
export const graduateNumbers = series('graduate_request', { per: 'year', format: 'GR-{period}-{n}' })
/** Pictures of one request in an hour. */
const MOST_PROOFS = 10

const types = handle(calls.types, async (ctx) => {
  const { rows } = await sql<{
    type: TypeFacts & Omit<OpenType, 'prices' | 'signers'>
    days_normal: number
    days_urgent: number | null
    prices: { speed: 'normal' | 'urgent'; local: number; local_copy: number; usd: number; usd_copy: number }[]
    signers: OpenType['signers']
  }>`
    select (select to_json(x) from (select ${sql.raw(OFFERED_TYPE)}, y.code, y.name, y.name_local) x) as type, y.days_normal::int as days_normal,
      y.days_urgent::int as days_urgent,
      coalesce((select json_agg(json_build_object('speed', p.speed, 'local', p.value_local, 'local_copy', p.copy_local, 'usd', p.value_usd,
          'usd_copy', p.copy_usd) order by p.speed) from certificate_setting_prices p where p.type_id = y.id and p.audience = 'graduate'), '[]') as prices,
      coalesce((select json_agg(${ref('p')} order by g.position) from certificate_setting_signers g join signatory_positions p on p.id = g.position_id
        where g.type_id = y.id), '[]') as signers
    from certificate_settings y where y.removed_at is null and y.is_active and y.for_graduates order by y.code`.execute(
    ctx.db,
  )
  return {
    data: rows
      .filter(({ type }) => !checkGraduateType(type).length)
      .map(({ type, days_normal, days_urgent, prices, signers }) => {
        const priced = (speed: 'normal' | 'urgent', days: number): OpenType['prices'][number] => {
          const found = prices.find((one) => one.speed === speed)
          return {
            speed,
            days,
            local: found?.local ?? 0,
            local_copy: found?.local_copy ?? 0,
            usd: found?.usd ?? 0,
            usd_copy: found?.usd_copy ?? 0,
          }
        }
        const { id, code, name, name_local, deliveries, most_copies } = type
        return {
          id,
          code,
          name,
          name_local,
          deliveries: [...deliveries],
          most_copies,
          signers,
          prices: [priced('normal', days_normal), ...(days_urgent === null ? [] : [priced('urgent', days_urgent)])],
        }
      }),
  }
})

type Verified = ResponseOf<typeof calls.verify>['data']
const verify = handle(calls.verify, async (ctx, { body: { email, code } }) => {
  const ticket = await graduateCodes.verify(ctx, email, code)
  const { rows } = await sql<Verified['requests'][number]>`
    select t.id, t.code, (select ${ref('y')} from certificate_settings y where y.id = t.type_id) as type, t.status, c.status as certificate_status,
      t.created_at
    from graduate_requests t left join certificates c on c.id = t.certificate_id
    where t.email = ${email} and t.removed_at is null order by t.id desc limit 50`.execute(ctx.db)
  return { data: { ticket, requests: rows } }
})

/** A new key for a request of a proven address; the one before is over. */
const openAgain = handle(calls.open, async (ctx, { body }) => {
  const email = await addressOfTicket(ctx, body.ticket)
  const { token: key, hash } = newToken()
  return asProgram(ctx, 'a proven address').write(async (tx) => {
    const { rows } = await sql<{ id: number }>`update graduate_requests set key_hash = ${hash}
      where id = ${body.id} and email = ${email} and removed_at is null returning id`.execute(tx)
    const [opened] = rows
    if (!opened) throw refuse(409, 'graduate_unknown')
    await mailGraduateLink(ctx, tx, opened.id, key)
    return { data: { id: opened.id, key } }
  })
})

type Asked = BodyOf<typeof calls.ask>
/** SQL of a record `s` by what was given: by the index of each kind. */
const KNOWN_BY: Readonly<Record<IdentityKind, (written: string) => ReturnType<typeof sql>>> = {
  code: (written) => sql`lower(s.code) = ${written.toLowerCase()}`,
  national_id: (written) => sql`s.national_id = ${written}`,
  passport: (written) => sql`s.passport_number = ${written}`,
}
/** The graduate whom number and birth date name; the same work whether there is one or not. */
async function graduateOf(
  tx: Tx,
  kind: IdentityKind,
  written: string,
  { birth_date, email }: { birth_date: string; email: string },
): Promise<{ id: number | null; proven: boolean }> {
  const { rows } = await sql<{ id: number; proven: boolean }>`
    select s.id, coalesce(lower(s.email) = ${email}, false) as proven from students s
    where ${KNOWN_BY[kind](written)} and s.birth_date = ${birth_date}::date and s.status = 'graduated' and s.removed_at is null
    order by proven desc, s.id desc limit 1`.execute(tx)
  return rows[0] ?? { id: null, proven: false }
}

/** Tries of an address of mail, of a number of identity and of a network: each counted whether there is such a person or not. */
async function countAsking(ctx: Ctx, email: string, kind: IdentityKind, written: string): Promise<void> {
  const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
  await attempt(ctx.pool, [
    { key: `certificate asked by ${digest(email)}`, free: 10, longest: 900 },
    { key: `certificate asked for ${digest(`${kind} ${written}`)}`, free: 5, longest: 900 },
    addressLimit('certificate asked', ctx.ip),
  ])
}

/** Writes a request and begins its way: on at once where the address is that of the record, else it waits for the office. */
async function write(
  ctx: Ctx,
  type_id: number,
  email: string,
  body: Asked,
  written: string,
  hash: Buffer,
): Promise<number> {
  const { name, identity_kind, birth_date, language, lang, copies, speed, delivery, why } = body
  const address = delivery === 'by_mail' ? body.address?.trim() || null : null
  const program = asProgram(ctx, 'request of a proven address')
  return program.write(async (tx) => {
    const type = await certificateTypeOf(tx, type_id)
    if (!type) throw refuse(409, 'certificate_not_offered', undefined, 'type_id')
    const closed = checkGraduateType(type)
    if (closed.length) throw new Refusal(409, closed)
    const wrong = checkAskedCertificate(type, { copies, speed, delivery, address })
    if (wrong.length) throw new Refusal(422, wrong)
    const who = await graduateOf(tx, identity_kind, written, { birth_date, email })
    const { text: code } = await takeSerial(tx, graduateNumbers)
    // Pressed twice, or on two devices at once: the index lets one of them wait.
    const { rows } = await sql<{ id: number }>`
      insert into graduate_requests (code, email, language, key_hash, name, identity_kind, identity, birth_date, type_id, lang, copies, speed,
        delivery, address, why, student_id)
      values (${code}, ${email}, ${language}, ${hash}, ${name}, ${identity_kind}, ${written}, ${birth_date}::date, ${type_id}, ${lang}, ${copies},
        ${speed}, ${delivery}, ${address}, ${why}, ${who.id}) on conflict do nothing returning id`.execute(tx)
    const [made] = rows
    if (!made) throw refuse(409, 'graduate_request_twice')
    await graduateWorkflow.begin(program, tx, made.id, 'to_check', { action: 'ask' })
    if (who.proven)
      await graduateWorkflow.take(
        asSystem(ctx.services, 'The address is that of the record', ctx.lang),
        made.id,
        'confirm',
      )
    return firstRow(rows).id
  })
}

const ask = handle(calls.ask, async (ctx, { params, body }) => {
  const email = await addressOfTicket(ctx, body.ticket)
  const written = graduateIdentity(body.identity_kind, body.identity)
  const wrong = checkGraduateIdentity(body.identity_kind, written)
  if (wrong.length) throw new Refusal(422, wrong)
  await countAsking(ctx, email, body.identity_kind, written)
  const { token: key, hash } = newToken()
  const id = await ctx.write(async (tx) => {
    const made = await write(ctx, params.id, email, body, written, hash)
    await mailGraduateLink(ctx, tx, made, key)
    return made
  })
  return { data: { id, key } }
})

const read = handle(calls.read, async (ctx, { params }) => {
  const { opened, program } = await openGraduate(ctx, params)
  return { data: await showGraduate(program, opened) }
})

const proof = handle(calls.proof, async (ctx, { params, file }) => {
  if (!file) throw refuse(422, 'file_missing', {}, 'file')
  await attempt(ctx.pool, [
    { key: `certificate proof ${params.id}`, free: MOST_PROOFS, longest: 3600 },
    addressLimit('certificate proof', ctx.ip),
  ])
  return withGraduate(ctx, params, async (opened, program, tx) => {
    if (opened.status !== 'to_check') throw refuse(409, 'graduate_decided')
    const kept = await program.services.files.save(program, file, tx)
    await sql`update graduate_requests set proof_file_id = ${kept.id} where id = ${opened.id}`.execute(tx)
    // The one before is of no use any more; its content goes when nothing else names it.
    if (opened.proof_file_id !== null) await sql`delete from files where id = ${opened.proof_file_id}`.execute(tx)
    return { data: await showGraduate(program, opened) }
  })
})

const withdraw = handle(calls.withdraw, (ctx, { params }) =>
  withGraduate(ctx, params, async (opened, program, tx) => {
    if (opened.status === 'to_check') await graduateWorkflow.take(program, opened.id, 'cancel')
    else if (opened.certificate_id === null) throw refuse(409, 'graduate_decided')
    else await certificateRequests.take(program, opened.certificate_id, 'cancel')
    const { rows } =
      await sql<OpenedGraduate>`select t.id, t.code, t.status, t.language, t.student_id, t.certificate_id, t.proof_file_id
      from graduate_requests t where t.id = ${opened.id}`.execute(tx)
    return { data: await showGraduate(program, firstRow(rows)) }
  }),
)

/** The invoice of a request that waits for its fee. @throws {Refusal} 409 `graduate_nothing_due` */
async function dueOf(ctx: Ctx, { certificate_id }: OpenedGraduate): Promise<number> {
  const bill = certificate_id === null ? undefined : await graduateBill(ctx, certificate_id)
  if (!bill || bill.open <= 0) throw refuse(409, 'graduate_nothing_due')
  return bill.invoice_id
}
const pay = handle(calls.pay, async (ctx, { params, body: { way } }) => {
  const { opened, program } = await openGraduate(ctx, params)
  const payment = await payOnline(program, graduatePayer(opened), await dueOf(program, opened), { way })
  return { data: { ...(await showGraduate(program, opened)), payment } }
})
const check = handle(calls.check, async (ctx, { params }) => {
  const { opened, program } = await openGraduate(ctx, params)
  const bill = opened.certificate_id === null ? undefined : await graduateBill(program, opened.certificate_id)
  const { rows } =
    await sql`select from transactions x where x.id = ${params.transaction} and x.invoice_id = ${bill?.invoice_id ?? null}::int
    and x.way in ('card', 'mobile')`.execute(program.db)
  // A payment of anything else is nobody's business here.
  if (!rows.length) throw refuse(409, 'certificate_no_payment')
  const { payment, answered } = await askedPayment(program, graduatePayer(opened), params.transaction)
  return { data: { ...(await showGraduate(program, opened)), payment, answered } }
})

/** The receipt of what was paid for this request, and of nothing else. */
const receipt = handle(calls.receipt, async (ctx, { params }) => {
  const { opened, program } = await openGraduate(ctx, params)
  const bill = opened.certificate_id === null ? undefined : await graduateBill(program, opened.certificate_id)
  if (!bill?.receipts.some(({ id }) => id === params.transaction)) throw refuse(409, 'certificate_no_payment')
  return receiptOf(asSystem(ctx.services, 'receipt of a request'), params.transaction, graduatePayer(opened).lang)
})

/** The file as it was issued, once it is released as one. */
const paper = handle(calls.paper, async (ctx, { params }) => {
  const { opened, program } = await openGraduate(ctx, params)
  const { rows } = await sql<{ student_id: number }>`select c.student_id from certificates c
      join certificate_papers k on k.certificate_id = c.id join papers q on q.id = k.paper_id
    where c.id = ${opened.certificate_id} and k.paper_id = ${params.paper} and c.status = 'Delivered' and q.revoked_at is null
      and q.replaced_by is null`.execute(program.db)
  const [of] = rows
  if (!of) throw refuse(409, 'certificate_no_paper')
  return paperFile(program, { subject: 'student' }, of.student_id, params.paper)
})

export const graduateAskHandlers: readonly Handled[] = [
  handle(calls.puzzle, async (ctx) => ({ data: await makePuzzle(ctx) })),
  handle(calls.askCode, async (ctx, { body }) => {
    await graduateCodes.ask(ctx, body)
    return { data: null }
  }),
  types,
  verify,
  openAgain,
  ask,
  read,
  proof,
  receipt,
  withdraw,
  pay,
  check,
  paper,
]
