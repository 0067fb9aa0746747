import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { studentDocuments } from './student-documents.contract.ts'

/**
 * Documents that were looked at before somebody became a student: each is accepted as it was, but for those that expire, whose last day the
 * registrar enters. Kinds that are none of students are left out.
 */
export async function carryDocuments(
  ctx: Ctx,
  tx: Tx,
  student_id: number,
  files: readonly { readonly kind_id: number; readonly file_id: number }[],
): Promise<void> {
  const { rows } = await sql<{ id: number; status: string }>`
    insert into student_documents (student_id, kind_id, status, file_id)
    select ${student_id}, k.id, case when k.expires then 'handed_in' else 'accepted' end, x.file_id
    from jsonb_to_recordset(${JSON.stringify(files)}::jsonb) as x (kind_id int, file_id int)
      join document_kinds k on k.id = x.kind_id and k.whose = 'students' and k.removed_at is null
    order by k.id returning id, status`.execute(tx)
  if (rows.length)
    await sql`insert into step_history (workflow, record_id, actor_id, impersonator_id, action, from_state, to_state)
      select ${studentDocuments.document.name}, x.id, ${ctx.actor?.user_id ?? null}, ${ctx.actor?.impersonator_id ?? null}, s.action, s.was, s.is
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as x (id int, status text)
        join (values (1, 'begin', null, 'handed_in'), (2, 'accept', 'handed_in', 'accepted')) as s (n, action, was, "is")
          on s.n = 1 or x.status = 'accepted' order by x.id, s.n`.execute(tx)
}
