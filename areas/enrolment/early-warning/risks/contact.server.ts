/** Contacts with students: noted, changed, and what came of them. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import { riskCalls } from './risk.contract.ts'
import { findRiskStudent } from './risk.server.ts'

type ContactBody = {
  on_date: string
  way: string
  said: string
  outcome: string
  outcome_note?: string | null | undefined
  again_on?: string | null | undefined
}
/** @throws {Refusal} 422 with every reason */
async function checkContact(tx: Tx, body: ContactBody): Promise<void> {
  const { rows } = await sql<{ today: string }>`select university_today()::text as today`.execute(tx)
  const reasons = [
    ...(body.on_date > firstRow(rows).today ? [{ field: 'on_date', code: 'risk_contact_ahead' }] : []),
    ...(body.again_on && body.again_on <= body.on_date ? [{ field: 'again_on', code: 'risk_contact_again' }] : []),
  ]
  if (reasons.length) throw new Refusal(422, reasons)
}

export const riskContactHandlers: readonly Handled[] = [
  handle(riskCalls.contact, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      // What stands is what the contact is about: nobody ends it meanwhile.
      await sql`select from student_risks where student_id = ${params.id} and ended_at is null for share`.execute(tx)
      await findRiskStudent(ctx, tx, params.id, ['note_early_warning'])
      await checkContact(tx, body)
      const { rows } = await sql<{ id: number }>`
        insert into risk_contacts (student_id, risk_id, on_date, way, said, outcome, outcome_note, again_on, created_by)
        values (${params.id}, (select id from student_risks where student_id = ${params.id} and ended_at is null), ${body.on_date}, ${body.way},
          ${body.said}, ${body.outcome}, ${body.outcome_note || null}, ${body.again_on ?? null}, ${ctx.actor!.user_id}) returning id`.execute(
        tx,
      )
      return { data: { id: firstRow(rows).id } }
    }),
  ),
  handle(riskCalls.change, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{ student_id: number; version: number }>`
        select student_id, version from risk_contacts where id = ${params.id} for update`.execute(tx)
      const [found] = rows
      if (!found) throw refuse(404, 'not_found')
      await findRiskStudent(ctx, tx, found.student_id, ['note_early_warning'])
      if (found.version !== body.version) throw refuse(409, 'changed_meanwhile')
      await checkContact(tx, body)
      await sql`update risk_contacts set on_date = ${body.on_date}, way = ${body.way}, said = ${body.said}, outcome = ${body.outcome},
        outcome_note = ${body.outcome_note || null}, again_on = ${body.again_on ?? null} where id = ${params.id}`.execute(
        tx,
      )
      return { data: { id: params.id } }
    }),
  ),
]
