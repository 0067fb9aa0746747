/** Certificates: asked for, prepared, reviewed, signed, issued, handed over. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import { ASKER_ACCOUNT, ASKER_STATUS, ASKERS, reachedAsker } from '#areas/money/ledger/askers.server.ts'
import { workerReach } from '#areas/money/ledger/others.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Problem } from '#kit/contract/index.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { asRefusal, Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { renderPdf } from '#kit/server/documents/index.ts'
import { pictureOf, signedOn } from '../positions/signature.server.ts'
import { issuePaper, revokePapers } from '#kit/server/papers/papers.ts'
import { qrImage } from '#kit/server/papers/qr.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import type { Values } from '#kit/server/resource/served.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { takeBackFee } from '#kit/server/workflow/fees.ts'
import { serveRequest } from '#kit/server/workflow/requests.ts'
import { sql } from 'kysely'
import { DUE, turnOf } from '../turns/turn.server.ts'
import { tellGraduates } from '../graduates/mail.server.ts'
import { certificateTypeOf, askerOf } from '../types/offered.server.ts'
import { CHAIN, HOLDER, factsOf, stateRefused, waitsFor } from './chain.server.ts'
import { certificate, certificateCalls, certificateFlow, type CertificateDetail } from './certificate.contract.ts'
import {
  audienceOf,
  checkApproved,
  checkAskedCertificate,
  checkOffered,
  checkSigning,
  nextSigner,
  priceOf,
} from './certificate.rules.ts'
import { CERTIFICATE_ASKS, CERTIFICATE_SEES, holdCertificateAsker } from './asker.server.ts'
import { certificateOf, contentsOf, hashOf, kindOf, languagesOf, paperSubjectOf } from './contents.server.ts'

/** Judges what is asked for, with who asks held: two requests at the same moment are one. */
async function judge(ctx: Ctx, tx: Tx, merged: Values): Promise<Values> {
  const asker = {
    student_id: merged.student_id == null ? null : Number(merged.student_id),
    staff_id: merged.staff_id == null ? null : Number(merged.staff_id),
  }
  await holdCertificateAsker(ctx, tx, asker)
  const type = await certificateTypeOf(tx, Number(merged.type_id))
  if (!type) throw refuse(422, 'reference_missing', undefined, 'type_id')
  const asked = {
    copies: Number(merged.copies),
    speed: String(merged.speed),
    delivery: String(merged.delivery),
    address: (merged.address ?? null) as string | null,
  }
  const wrong = checkAskedCertificate(type, asked)
  if (wrong.length) throw new Refusal(422, wrong)
  const who = await askerOf(tx, asker, Number(merged.type_id))
  const reasons = checkOffered(type, who)
  if (reasons.length) throw new Refusal(409, reasons)
  const days = asked.speed === 'urgent' ? type.days_urgent! : type.days_normal
  return { promised_on: addDays(dayOf(), days) }
}

/** What a certificate costs by the prices of its type. */
async function price(_ctx: Ctx, tx: Tx, id: number) {
  const { rows } = await sql<{
    code: string
    name: string
    name_local: string
    status: string
    copies: number
    lang: string
    prices: { audience: string; value_local: number; value_usd: number; copy_local: number; copy_usd: number }[] | null
  }>`
    select y.code, y.name, y.name_local, ${sql.raw(ASKER_STATUS)} as status, t.copies, t.lang, (select json_agg(json_build_object('audience', p.audience, 'value_local',
        p.value_local, 'value_usd', p.value_usd, 'copy_local', p.copy_local, 'copy_usd', p.copy_usd)) from certificate_setting_prices p
      where p.type_id = y.id and p.speed = t.speed) as prices
    from certificates t join certificate_settings y on y.id = t.type_id ${ASKERS} where t.id = ${id}`.execute(tx)
  const { code, name, name_local, status, prices, ...asked } = firstRow(rows)
  const found = prices?.find((one) => one.audience === audienceOf(status))
  if (!found) return null
  return {
    code,
    type: 'certificates' as const,
    name: [name, name_local] as const,
    local: priceOf({ value: found.value_local, copy: found.copy_local }, asked),
    usd: priceOf({ value: found.value_usd, copy: found.copy_usd }, asked),
  }
}

/** What stands on it, and its hash, are those of this moment. */
async function prepare(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const one = await certificateOf(tx, id, true)
  const hash = await hashOf(ctx, one)
  await sql`update certificates set prepared_hash = ${hash}, prepared_at = now(), prepared_by = ${ctx.actor?.user_id ?? null},
    text_id = ${one.document === 'text' ? one.text_id : null}::int where id = ${id}`.execute(tx)
}

/** Whether what stands on it is still what was prepared, by the hash that signers sign. */
async function standing(ctx: Ctx, db: Db | Tx, id: number): Promise<{ prepared_hash: string; unchanged: boolean }> {
  const { rows } = await sql<{
    prepared_hash: string
  }>`select prepared_hash from certificates where id = ${id}`.execute(db)
  const { prepared_hash } = firstRow(rows)
  return { prepared_hash, unchanged: (await hashOf(ctx, await certificateOf(db, id))) === prepared_hash }
}
/** @throws {Refusal} 409 `certificate_changed` when what stands on it is no longer what was prepared */
async function demandUnchanged(ctx: Ctx, tx: Tx, id: number): Promise<string> {
  const { prepared_hash, unchanged } = await standing(ctx, tx, id)
  if (!unchanged) throw refuse(409, 'certificate_changed')
  return prepared_hash
}

const SIGNED_IN: readonly string[] = ['Reviewed', 'dean-signed']
/** The signature of whoever acts, in the position whose turn it is; the state follows. */
const sign = (ctx: Ctx, id: number, seen?: number) =>
  ctx.write(async (tx) => {
    const { version, status, own } = await lock(ctx, tx, id, ['sign_certificate'])
    if (own) throw refuse(403, 'step_own')
    if (!SIGNED_IN.includes(status)) throw stateRefused(status)
    const facts = (await factsOf(ctx, tx, [id])).get(id)!
    const reasons = checkSigning(facts)
    if (reasons.length) throw new Refusal(409, reasons)
    if (seen !== undefined && seen !== version) throw refuse(409, 'changed_meanwhile', { version })
    const hash = await demandUnchanged(ctx, tx, id)
    const signer = nextSigner(facts.chain)!
    const who = ctx.who()
    await sql`insert into certificate_signatures (certificate_id, position_id, user_id, deputy_id, prepared_hash, picture_id)
      values (${id}, ${signer.position_id}, ${who.actor_id}, ${who.impersonator_id}, ${hash}, ${pictureOf(who)})`.execute(
      tx,
    )
    if (signer.code === 'DEAN')
      await served.flow.take(asSystem(ctx.services, 'Signed', ctx.lang), id, 'dean_signed', {})
    await approveSigned(ctx, tx, id)
    const { rows } = await sql<{ id: number; version: number; status: string }>`
      update certificates set updated_at = now() where id = ${id} returning id, version, status`.execute(tx)
    return { data: firstRow(rows) }
  })

/** Where everybody has signed it is approved: also where nobody is to sign. */
async function approveSigned(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const facts = (await factsOf(ctx, tx, [id])).get(id)!
  if (checkApproved(facts).length) return
  await served.flow.take(asSystem(ctx.services, 'Everybody has signed', ctx.lang), id, 'approve', {})
}

/** Who is to sign is kept: what the type says later concerns the next ones. */
const keepChain = (tx: Tx, id: number) =>
  sql`insert into certificate_chain (certificate_id, position, position_id)
    select c.id, g.position, g.position_id from certificates c join certificate_setting_signers g on g.type_id = c.type_id where c.id = ${id}
    on conflict do nothing`.execute(tx)

/** Signatures are void, and whoever is to sign is asked anew. */
async function correct(tx: Tx, id: number): Promise<void> {
  await sql`update certificate_signatures set voided_at = now() where certificate_id = ${id} and voided_at is null`.execute(
    tx,
  )
  await sql`delete from certificate_chain where certificate_id = ${id}`.execute(tx)
}

/**
 * The papers, one for each language; what was issued before a correction is replaced.
 *
 * @throws {Refusal} 409 `certificate_changed`
 */
export async function issueCertificate(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  await demandUnchanged(ctx, tx, id)
  const one = await certificateOf(tx, id)
  const signed = await signedOn(ctx, tx, id)
  for (const lang of languagesOf(one)) {
    const { rows: before } = await sql<{
      id: number
    }>`select p.id from certificate_papers c join papers p on p.id = c.paper_id
      where c.certificate_id = ${id} and p.lang = ${lang} and p.replaced_by is null order by p.id desc limit 1`.execute(
      tx,
    )
    const contents = await contentsOf(ctx, one, lang, signed)
    const { id: whose, ...of } = paperSubjectOf(one)
    const paper = await issuePaper(ctx, of, {
      id: whose,
      kind: kindOf(one),
      lang,
      prepared: { ...contents, title: one.title, ...(before[0] && { replaces: before[0].id }) },
    })
    await sql`insert into certificate_papers (certificate_id, paper_id, text_id)
      select id, ${paper}::int, text_id from certificates where id = ${id}`.execute(tx)
  }
}

/** What was issued before a correction is not to be relied on when the certificate is rejected in the end. */
async function revokeIssued(ctx: Ctx, tx: Tx, id: number, reason: string): Promise<void> {
  const { rows } = await sql<{
    id: number
  }>`select paper_id as id from certificate_papers where certificate_id = ${id}`.execute(tx)
  if (rows.length)
    await revokePapers(
      ctx,
      tx,
      rows.map((row) => row.id),
      reason,
    )
}

const served = serveRequest(certificate, {
  others: (ctx) => workerReach(ctx, 't'),
  before: judge,
  computed: { due_on: DUE },
  price,
  waits: waitsFor,
  facts: async (ctx, tx, ids, action) => {
    // What is prepared stands there before the state says so: the database asks for both.
    if (action === 'prepare') for (const id of ids) await prepare(ctx, tx, id)
    return factsOf(ctx, tx, ids)
  },
  effect: async (ctx, tx, moved) => {
    await tellGraduates(ctx, tx, moved)
    for (const { id, action, reason } of moved) {
      if (action === 'send_to_review') await keepChain(tx, id)
      else if (action === 'review') await approveSigned(ctx, tx, id)
      else if (action === 'correct') await correct(tx, id)
      else if (action === 'issue') await issueCertificate(ctx, tx, id)
      else if (action === 'reject') {
        await correct(tx, id)
        await revokeIssued(ctx, tx, id, reason ?? certificateFlow.actions.reject.label[0])
        await takeBackFee(
          ctx,
          tx,
          { workflow: certificateFlow.name, id },
          reason ?? certificateFlow.actions.reject.label[0],
        )
      }
    }
  },
})
/** Certificates that begin elsewhere: judged as every other. */
export const certificateRequests = { insert: served.insert, take: served.flow.take } as const
export const certificateWork = served.work
export const certificateManyJob = served.flow.manyJob

/** SQL of the number of a wording among those of the type of the certificate `t`; null: it has no text of its own. */
const wordingOf = (text_id: string) => `(select nullif(count(*)::int, 0) from certificate_setting_texts w
  where w.type_id = t.type_id and w.id <= ${text_id})`
interface Shown extends Omit<CertificateDetail, 'changed' | 'can_sign' | 'turn'> {
  prepared: boolean
  own_turn: boolean
}
/** What a certificate has besides what was asked for. */
async function show(ctx: Ctx, db: Db, id: number): Promise<CertificateDetail> {
  const { rows } = await sql<Shown>`
    select t.id, t.version, t.status, t.copies, coalesce(${ASKER_ACCOUNT} = any(${[...peopleOf(ctx)]}::int[]), false) as own, t.prepared_at, t.prepared_hash is not null as prepared,
      ${sql.raw(wordingOf('t.text_id'))} as wording,
      (select ${refOrNull('u')} from users u where u.id = t.prepared_by) as prepared_by,
      coalesce(t.status in ('Reviewed', 'dean-signed') and ${waitsFor(ctx)}, false) as own_turn,
      coalesce((select json_agg(json_build_object('id', p.id, 'name', p.name, 'name_local', p.name_local, 'code', p.code, 'position_id', p.id,
          'holder', (select ${refOrNull('u')} from users u where u.id = ${sql.raw(HOLDER)}),
          'signed_by', (select ${refOrNull('u')} from users u where u.id = z.user_id),
          'deputy', (select ${refOrNull('u')} from users u where u.id = z.deputy_id), 'signed_at', z.signed_at) order by g.position)
        from ${sql.raw(CHAIN)} g join signatory_positions p on p.id = g.position_id
          left join certificate_signatures z on z.certificate_id = t.id and z.position_id = p.id and z.voided_at is null), '[]') as chain,
      coalesce((select json_agg(json_build_object('id', q.id, 'serial', q.serial, 'lang', q.lang, 'issued_at', q.issued_at,
          'state', case when q.revoked_at is not null then 'revoked' when q.replaced_by is not null then 'replaced'
            when q.valid_until < university_today() then 'expired' else 'valid' end, 'address', '/qr_code/' || q.code, 'wording', ${sql.raw(wordingOf('k.text_id'))},
          'prints', coalesce((select json_agg(json_build_object('number', z.number, 'original', z.original, 'printed_at', z.printed_at,
              'printed_by', (select ${refOrNull('u')} from users u where u.id = z.printed_by), 'reason', z.reason) order by z.number)
            from certificate_prints z where z.paper_id = q.id and ${ctx.can('edit_certificate', 'decide_certificate', 'sign_certificate')}), '[]'))
          order by q.id desc)
        from certificate_papers k join papers q on q.id = k.paper_id where k.certificate_id = t.id), '[]') as papers,
      (select json_build_object('invoice_id', i.id, 'number', i.number, 'amount', b.charged, 'currency', i.currency, 'paid', b.settled >= b.charged)
        from request_fees f join invoices i on i.id = f.invoice_id join invoice_balances b on b.invoice_id = i.id
        where f.workflow = ${certificateFlow.name} and f.record_id = t.id and f.taken_back_at is null) as fee
    from certificates t ${ASKERS}
    where t.id = ${id} and t.removed_at is null and ${reachedAsker(ctx, CERTIFICATE_SEES)}`.execute(db)
  if (!rows[0]) throw refuse(404, 'not_found')
  const { prepared, own_turn, ...row } = rows[0]
  const open = prepared && ['Prepared', 'in review', 'Reviewed', 'dean-signed', 'approved'].includes(row.status)
  const staff = !row.own && ctx.can('edit_certificate', 'decide_certificate', 'sign_certificate')
  return {
    ...row,
    turn: await turnOf(db, id, staff),
    // Who asked sees that somebody signs, not who is prepared to.
    chain: staff ? row.chain : row.chain.map((one) => ({ ...one, holder: null, deputy: null })),
    can_sign: own_turn && ctx.can('sign_certificate'),
    changed: open && staff && !(await standsUnchanged(ctx, id)),
  }
}
/** What cannot be read any more (who graduated is not enrolled) has changed as well. */
const standsUnchanged = (ctx: Ctx, id: number): Promise<boolean> =>
  standing(ctx, ctx.db, id).then(
    ({ unchanged }) => unchanged,
    (error: unknown) => {
      if (asRefusal(error)) return false
      throw error
    },
  )

/** A certificate within reach, locked. */
async function lock(ctx: Ctx, tx: Tx, id: number, keys: readonly PermissionKey[]) {
  const { rows } = await sql<{ version: number; status: string; type_id: number; own: boolean }>`
    select t.version, t.status, t.type_id, coalesce(${ASKER_ACCOUNT} = any(${[...peopleOf(ctx)]}::int[]), false) as own
    from certificates t ${ASKERS}
    where t.id = ${id} and t.removed_at is null and ${reachedAsker(ctx, keys)} for update of t`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

/** Delivery and purpose: as long as nothing is prepared, by who asked; by staff until it is ready. */
async function change(
  ctx: Ctx,
  id: number,
  {
    version,
    ...asked
  }: { delivery: string; address?: string | null | undefined; why: string; version?: number | undefined },
) {
  return ctx.write(async (tx) => {
    const row = await lock(ctx, tx, id, [...CERTIFICATE_ASKS, 'edit_certificate'])
    if (version !== undefined && version !== row.version)
      throw refuse(409, 'changed_meanwhile', { version: row.version })
    const open =
      row.own || !ctx.can('edit_certificate')
        ? ['fee_due', 'New', 'updated']
        : [
            'fee_due',
            'New',
            'updated',
            'Prepared',
            'in review',
            'Reviewed',
            'dean-signed',
            'approved',
            'Ready To Deliver',
          ]
    if (!open.includes(row.status)) throw stateRefused(row.status)
    const type = (await certificateTypeOf(tx, row.type_id))!
    const address = asked.address?.trim() || null
    const wrong = checkAskedCertificate(type, { copies: 1, speed: 'normal', delivery: asked.delivery, address })
    if (wrong.length) throw new Refusal(422, wrong)
    const { rows } = await sql<{
      version: number
    }>`update certificates set delivery = ${asked.delivery}, address = ${address}, why = ${asked.why}
      where id = ${id} returning version`.execute(tx)
    return { data: { id, version: firstRow(rows).version } }
  })
}

const ACTION = {
  Prepared: 'prepare',
  'in review': 'send_to_review',
  Reviewed: 'review',
  'dean-signed': 'dean_signed',
  approved: 'approve',
  'Ready To Deliver': 'issue',
  Delivered: 'deliver',
  'Delivered By Mail': 'deliver_by_mail',
  'Delivered By Manual': 'deliver_by_hand',
  updated: 'correct',
  Rejected: 'reject',
  cancelled: 'cancel',
} as const

export const certificateHandlers: readonly Handled[] = [
  ...served.handlers,
  handle(certificateCalls.detail, async (ctx, { params }) => ({ data: await show(ctx, ctx.db, params.id) })),
  handle(certificateCalls.draft, async (ctx, { params: { id, lang } }) => {
    const { rows } = await sql`select from certificates t ${ASKERS}
      where t.id = ${id} and t.removed_at is null and ${reachedAsker(ctx, ['edit_certificate', 'decide_certificate', 'sign_certificate'])}`.execute(
      ctx.db,
    )
    if (!rows.length) throw refuse(404, 'not_found')
    const { compose } = await contentsOf(ctx, await certificateOf(ctx.db, id), lang)
    const content = compose(
      { serial: lang === 'ar' ? 'مسودة' : 'DRAFT', qr: 'qr.svg', code: '' },
      { at: new Date(), on: dayOf() },
    )
    return {
      type: 'pdf' as const,
      name: 'Draft.pdf',
      content: await renderPdf({
        ...content,
        files: { ...content.files, 'qr.svg': qrImage(ctx.services.config.publicUrl) },
      }),
    }
  }),
  handle(certificateCalls.change, (ctx, { params, body }) => change(ctx, params.id, body)),
  handle(certificateCalls.sign, (ctx, { params, body }) => sign(ctx, params.id, body.version)),
  handle(certificateCalls.signMany, async (ctx, { body: { ids } }) => {
    const done: number[] = []
    const failed: { id: number; errors: Problem[] }[] = []
    for (const id of new Set(ids)) {
      try {
        await sign(ctx, id)
        done.push(id)
      } catch (error) {
        const refusal = asRefusal(error)
        if (!refusal) throw error
        failed.push({ id, errors: refusal.reasons.map(toProblem) })
      }
    }
    return { done, failed }
  }),
  handle(certificateCalls.updateStatus, async (ctx, { params, body: { status, ...rest } }) => {
    const { id, version, to } = await served.flow.take(ctx, params.id, ACTION[status], rest)
    return { data: { id, version, status: to } }
  }),
  handle(certificateCalls.checkPayment, async (ctx, { params }) => {
    const { rows } = await sql<{ id: number; status: string; paid: boolean }>`
      select t.id, t.status, b.settled >= b.charged as paid
      from transactions x join request_fees f on f.workflow = ${certificateFlow.name} and f.taken_back_at is null
        join certificates t on t.id = f.record_id ${ASKERS} join invoice_balances b on b.invoice_id = f.invoice_id
      where x.id = ${params.transaction} and x.invoice_id = f.invoice_id
        and ${reachedAsker(ctx, [...CERTIFICATE_ASKS, ...CERTIFICATE_SEES])}`.execute(ctx.db)
    if (!rows[0]) throw refuse(409, 'certificate_no_payment')
    return { data: rows[0] }
  }),
]
