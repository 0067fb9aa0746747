/** Which records of a student the person who asks has, and as which of them he or she works. */
import { sql } from 'kysely'
import type { z } from 'zod'
import type { Tx } from '#db/connect.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { refText } from '#kit/server/base/sql.ts'
import { ownRecordCalls } from './own-records.contract.ts'
import type { ownRecord } from './own-records.contract.ts'

/**
 * SQL: the records of an account as JSON, with the one that is chosen; who is logged in as one record (`alone`) sees that
 * one. Null where there is none.
 */
export const ownRecordsText = (account: string, chosen: string, alone: string): string =>
  `(select json_agg(json_build_object('id', s.id, 'code', s.code, 'program', ${refText('p')}, 'status', s.status,
    'chosen', s.id = ${chosen}::int, 'blocked', s.blocked_at is not null) order by s.id)
  from students s join programs p on p.id = s.program_id
  where s.user_id = ${account} and s.removed_at is null and (s.id = ${chosen}::int or not (${alone})))`

const ownRecords = async (ctx: Ctx, chosen: number | null) => {
  const { user_id, impersonator_id } = actorIn(ctx)
  const { rows } = await ctx.pool.query<{ records: z.output<typeof ownRecord>[] | null }>(
    `select ${ownRecordsText('$1', '$2', '$3')} as records`,
    [user_id, chosen, impersonator_id !== null],
  )
  return { data: rows[0]?.records ?? [] }
}

/** False where the record is not one of the person's any more. In force in every process; open screens ask again. */
const chooseIn = async (tx: Tx, sessionId: string, studentId: number): Promise<boolean> => {
  const { numAffectedRows } = await sql`update sessions s set student_id = t.id from students t
    where s.id = ${sessionId}::uuid and t.id = ${studentId} and t.user_id = s.user_id and t.removed_at is null`.execute(
    tx,
  )
  if (numAffectedRows)
    await sql`select pg_notify('rights_changed', user_id::text) from sessions where id = ${sessionId}::uuid`.execute(tx)
  return Boolean(numAffectedRows)
}

const choose = handle(ownRecordCalls.chooseRecord, async (ctx, { params: { id } }) => {
  const { session_id, impersonator_id, student_id } = actorIn(ctx)
  const { data } = await ownRecords(ctx, student_id)
  const record = data.find((one) => one.id === id)
  // Who is logged in as one record has no way to the others: each is entered within the own reach.
  if (!record || (impersonator_id !== null && id !== student_id)) throw refuse(404, 'not_found')
  if (record.blocked) throw refuse(409, 'record_blocked')
  const chosen = await ctx.write((tx) => chooseIn(tx, session_id, id))
  if (!chosen) throw refuse(404, 'not_found')
  return ownRecords(ctx, id)
})

export const ownRecordHandlers: readonly Handled[] = [
  handle(ownRecordCalls.ownRecords, (ctx) => ownRecords(ctx, actorIn(ctx).student_id)),
  choose,
]
