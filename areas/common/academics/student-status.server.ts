/** The one way to a status of a student, whoever decides: the dean, a transfer, the result of a term or a level. */
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { tells } from '#kit/server/base/hears.ts'
import { sql } from 'kysely'
import type { StatusSource, StudentStatus } from './student-status.rules.ts'

/** What is decided about some students. */
interface Deciding {
  readonly to: StudentStatus
  /** Number of the decision and what it says; of a result, what it is called. */
  readonly decision: string
  /** Today at the university unless told. */
  readonly decided_on?: string
  readonly source: StatusSource
  /** The transfer, term or result of a level that it comes from. */
  readonly source_id?: number | null
  readonly file_id?: number | null
}
/** A student whose status changed. */
export interface DecidedOn {
  readonly id: number
  readonly user_id: number | null
  readonly decision_id: number
}

/** The status of students changed: what becomes with it of registrations and transfers is theirs to say. */
export const statusDecided =
  tells<[ctx: Ctx, tx: Tx, students: readonly DecidedOn[], given: Deciding]>('student.status_decided')

/**
 * Changes the status of students by a decision that is kept, with what follows from it: who leaves loses what is still
 * asked for, the courses that run, the advisor; who comes back by a corrected result gets back what was lost with it.
 * Who has the status already is passed over. Whether it may be decided was judged by the caller.
 *
 * @param ctx null: a loader, for which nothing follows
 * @returns the students whose status changed
 */
export async function decideStatus(
  ctx: Ctx | null,
  tx: Tx,
  ids: readonly number[],
  given: Deciding,
): Promise<readonly DecidedOn[]> {
  if (!ids.length) return []
  const { rows } = await sql<DecidedOn>`
    select student_id as id, user_id, decision_id from decide_status(${[...ids]}::int[], ${given.to}, ${given.decision},
      coalesce(${given.decided_on ?? null}::date, university_today()), ${given.source}, ${given.source_id ?? null}::int,
      ${given.file_id ?? null}::int, ${ctx?.actor?.user_id ?? null}::int) order by 1`.execute(tx)
  if (ctx && rows.length) await statusDecided(ctx, tx, rows, given)
  return rows
}

/** Keeps with decisions which registrations ended with them. */
export const keepEnded = async (
  tx: Tx,
  ended: readonly { readonly decision_id: number; readonly left_ids: readonly number[] }[],
): Promise<void> => {
  if (!ended.length) return
  await sql`update student_status_decisions d
    set left_ids = array(select jsonb_array_elements_text(x.left_ids)::int)
    from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb) as x (decision_id int, left_ids jsonb) where d.id = x.decision_id`.execute(
    tx,
  )
}
