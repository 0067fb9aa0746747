/** Who is to sign a certificate, who has, and who holds each position today. */
import type { Db, Tx } from '#db/connect.ts'
import { peopleOf, type Ctx } from '#kit/server/base/context.ts'
import { refuse, type Refusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { certificateFlow } from './certificate.contract.ts'
import type { CertificateFacts, Signatory } from './certificate.rules.ts'

/** SQL of the faculty of who asked for the certificate `t`: of the student, or of the work. */
export const ASKED_FROM = `(select a.faculty_id from asker_units(t.student_id, t.staff_id) a)`
/** SQL of who holds the position `p` today for the faculty of who asked: of the faculty before the whole university. */
export const HOLDER = `signing_holder(p.id, ${ASKED_FROM})`

/** SQL of the positions of the certificate `t`, in their order: as they were when it went to review, before as its type says. */
export const CHAIN = `(select g.position, g.position_id from certificate_chain g where g.certificate_id = t.id
  union all select g.position, g.position_id from certificate_setting_signers g where g.type_id = t.type_id
    and not exists (select from certificate_chain k where k.certificate_id = t.id))`

/** SQL of the number of the invoice of the certificate `t` that is not paid; null where nothing is due. */
export const UNPAID = `(select i.number from request_fees f join invoices i on i.id = f.invoice_id left join invoice_balances b on b.invoice_id = i.id
  where f.workflow = 'certificate' and f.record_id = t.id and f.taken_back_at is null
    and coalesce(b.settled, 0) < coalesce(b.charged, 0) order by i.id limit 1)`

type Row = Omit<CertificateFacts, 'people' | 'actor_id' | 'chain'> & { id: number; chain: Signatory[] | null }

/** What steps with certificates look at. */
export async function factsOf(ctx: Ctx, db: Db | Tx, ids: readonly number[]): Promise<Map<number, CertificateFacts>> {
  const { rows } = await sql<Row>`
    select t.id, t.prepared_by, t.delivery, coalesce(certificates_held(t.student_id), false) as held,
      ${sql.raw(UNPAID)} as unpaid,
      (select json_agg(json_build_object('position_id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local,
          'holder_id', ${sql.raw(HOLDER)}, 'signed', exists (select from certificate_signatures z where z.certificate_id = t.id
            and z.position_id = p.id and z.voided_at is null)) order by g.position)
        from ${sql.raw(CHAIN)} g join signatory_positions p on p.id = g.position_id) as chain
    from certificates t where t.id = any(${[...ids]}::int[])`.execute(db)
  const people = peopleOf(ctx)
  return new Map(
    rows.map(({ id, chain, ...row }) => [
      id,
      { ...row, chain: chain ?? [], people, actor_id: ctx.actor?.user_id ?? null },
    ]),
  )
}

/** SQL: it is this reader's turn to sign the certificate `t`, or its state waits for something else than a signature. */
export const waitsFor = (
  ctx: Ctx,
) => sql`(t.status not in ('Reviewed', 'dean-signed') or ${ctx.actor?.user_id ?? null}::int = (
  select ${sql.raw(HOLDER)} from ${sql.raw(CHAIN)} g join signatory_positions p on p.id = g.position_id
  where not exists (select from certificate_signatures z where z.certificate_id = t.id and z.position_id = p.id and z.voided_at is null)
  order by g.position limit 1))`

/** Why nothing is done in a state. */
export function stateRefused(status: string): Refusal {
  const state = certificateFlow.states.find((one) => one.value === status)!.label
  return refuse(409, 'step_state', { status, state: state[0], state_local: state[1] })
}
