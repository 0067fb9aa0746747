/** A request of somebody who has left the university, or may not study now, is not accepted. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { refusal } from '../registration-refusals.rules.ts'
import { notStudying, reasonsOf } from '../requests/judge.server.ts'
import type { MainFlag } from '#areas/common/academics/status.rules.ts'

type Decided = {
  row: { id: number; student_id: number; offering_id: number; main: MainFlag; course_code: string }
  step: string
}

/** Refusals of those whose requests to register are to be accepted although they do not study, each with its registration. */
export async function judgeStudying(
  tx: Tx,
  decided: readonly Decided[],
  fieldOf: (id: number) => string | null,
): Promise<{ id: number; reasons: Reason[] }[]> {
  const accepted = decided.filter(
    ({ row, step }) => step === 'accept' && (row.main === 'RegisterRequest' || row.main === 'AddRequest'),
  )
  if (!accepted.length) return []
  const { rows } = await sql<{ id: number; status: string }>`select id, status from students
    where id = any(${[...new Set(accepted.map(({ row }) => row.student_id))]}::int[]) and status <> 'studying'`.execute(
    tx,
  )
  const statuses = new Map(rows.map((row) => [row.id, row.status]))
  return accepted.flatMap(({ row }) => {
    const status = notStudying(statuses.get(row.student_id) ?? 'studying')
    if (status === null) return []
    const data = { course: row.course_code, status: status.en, status_local: status.ar }
    const refused = { offering_id: row.offering_id, refusals: [refusal('not_studying', data)] }
    return [{ id: row.id, reasons: reasonsOf([refused], () => fieldOf(row.id)) }]
  })
}
