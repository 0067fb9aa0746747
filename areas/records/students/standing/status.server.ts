import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Reason } from '#kit/server/base/errors.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import { degreeReasons, students } from '../student/student.server.ts'
import { statusCalls } from './status.contract.ts'
import type { StatusDecision, StudentStatusAnswer } from './status.contract.ts'
import { decideStatus } from '#areas/common/academics/student-status.server.ts'
import type { StudentStatus } from '#areas/common/academics/student-status.rules.ts'
import { checkStatus, NEXT_STATUSES, type StudentStatusCode } from './status.rules.ts'

async function statusOf(ctx: Ctx, db: Db | Tx, id: number): Promise<{ data: StudentStatusAnswer }> {
  const { rows } = await sql<{
    id: number
    version: number
    status: StudentStatus
    decisions: (Omit<StatusDecision, 'file'> & { file: { id: number; name: string; size: number } | null })[]
  }>`select t.id, t.version, t.status,
      coalesce((select json_agg(json_build_object('id', d.id, 'from_status', d.from_status, 'to_status', d.to_status,
          'decision', d.decision, 'decided_on', d.decided_on, 'by', u.name,
          'source', d.source, 'term', (select json_build_object('name', w.name, 'name_local', w.name_local) from terms w
            where d.source = 'term_result' and w.id = d.source_id), 'left', cardinality(d.left_ids),
          'created_at', to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
          'file', case when f.id is not null then json_build_object('id', f.id, 'name', f.name, 'size', f.size) end) order by d.id desc)
        from student_status_decisions d left join users u on u.id = d.created_by left join files f on f.id = d.file_id
        where d.student_id = t.id), '[]') as decisions
    from students t where t.id = ${id} and ${students.scope(ctx, ['change_student_status', 'show_student_record'])}`.execute(
    db,
  )
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  return {
    data: {
      ...row,
      next: [...NEXT_STATUSES[row.status]],
      // Whoever may see the decision may open its paper.
      decisions: row.decisions.map(({ file, ...one }) => ({
        ...one,
        file: file && { ...file, url: ctx.services.files.link(file, ctx.actor!) },
      })),
    },
  }
}

/** Only what the caller has uploaded becomes the paper of a decision: an id alone would open the file of another. */
async function fileReasons(ctx: Ctx, tx: Tx, file_id: number | null): Promise<Reason[]> {
  if (file_id === null) return []
  const { rows } =
    await sql`select from files where id = ${file_id} and created_by = ${ctx.actor?.user_id ?? null}`.execute(tx)
  return rows.length ? [] : [{ field: 'file_id', code: 'reference_missing' }]
}

/** Refusals for the state of the student and of what waits. */
const STATES: ReadonlySet<string> = new Set<StudentStatusCode>([
  'status_same',
  'status_final',
  'status_not_next',
  'status_by_transfer',
  'status_transfer_waits',
])

interface Decision {
  status: StudentStatus
  decision: string
  decided_on: string
  file_id?: number | null | undefined
  version?: number | undefined
}

/** Changes the status of a student by a decision, which is told to the student. What follows from it: `decideStatus`. */
function setStatus(ctx: Ctx, id: number, given: Decision): Promise<{ data: StudentStatusAnswer }> {
  return ctx.write(
    async (tx) => {
      const current = await students.lock(ctx, tx, id, { access: 'change_student_status' })
      if (given.version !== undefined && given.version !== current.version)
        throw refuse(409, 'changed_meanwhile', { version: current.version })
      const { status: to, decision, decided_on, file_id = null } = given
      const { rows } = await sql<{ transfer_waits: boolean }>`select
        exists (select from internal_transfers t where t.student_id = ${id} and t.status in ('added', 'agreed'))
        or exists (select from transfers_out t where t.student_id = ${id} and t.status = 'requested') as transfer_waits`.execute(
        tx,
      )
      const facts = { from: current.status as StudentStatus, to, decided_on, today: dayOf(), ...firstRow(rows) }
      const reasons: Reason[] = [...checkStatus(facts), ...(await fileReasons(ctx, tx, file_id))]
      // What stands in the way is a state; what was sent wrongly is input.
      if (reasons.some(({ code }) => STATES.has(code))) throw new Refusal(409, reasons)
      if (to === 'graduated') reasons.push(...(await degreeReasons(ctx, id)))
      if (reasons.length) throw new Refusal(422, reasons)
      const decided = await decideStatus(ctx, tx, [id], { to, decision, decided_on, source: 'decision', file_id })
      await notify(
        tx,
        decided.map((one) => one.user_id),
        { key: 'students.notice_status', data: { decision, decided_on }, link: '/student-academic', records: [id] },
      )
      return statusOf(ctx, tx, id)
    },
    { reason: given.decision },
  )
}

/** Handlers of the status of students. */
export const statusHandlers: readonly Handled[] = [
  handle(statusCalls.statusOf, (ctx, { params }) => statusOf(ctx, ctx.db, params.id)),
  handle(statusCalls.setStatus, (ctx, { params, body }) => setStatus(ctx, params.id, body)),
]
