import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { dayOf } from '#kit/contract/day.ts'
import { handle } from '#kit/server/context.ts'
import type { Ctx, Handled } from '#kit/server/context.ts'
import { Refusal, refuse } from '#kit/server/errors.ts'
import type { Reason } from '#kit/server/errors.ts'
import { notify } from '#kit/server/notifications.ts'
import { degreeReasons, students } from '../student/student.server.ts'
import { statusCalls } from './status.contract.ts'
import type { StatusDecision, StudentStatusAnswer } from './status.contract.ts'
import { checkStatus, NEXT_STATUSES, type StudentStatus } from './status.rules.ts'

type Leaving = (ctx: Ctx, tx: Tx, student_id: number, reason: string) => Promise<void>
let leaving: Leaving | undefined
/** Says what becomes of the requests of somebody who leaves: registration reads students, so it stands above them. */
export const setLeaving = (leave: Leaving): void => {
  leaving = leave
}

async function statusOf(ctx: Ctx, db: Db | Tx, id: number): Promise<{ data: StudentStatusAnswer }> {
  const { rows } = await sql<{
    id: number
    version: number
    status: StudentStatus
    decisions: (Omit<StatusDecision, 'file'> & { file: { id: number; name: string; size: number } | null })[]
  }>`select t.id, t.version, t.status,
      coalesce((select json_agg(json_build_object('id', d.id, 'from_status', d.from_status, 'to_status', d.to_status,
          'decision', d.decision, 'decided_on', d.decided_on, 'by', u.name,
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

interface Decision {
  status: StudentStatus
  decision: string
  decided_on: string
  file_id?: number | null | undefined
  version?: number | undefined
}

/**
 * Changes the status of a student by a decision, which is kept and told to the student. Who no longer studies loses what
 * is still asked for: requests that wait and places in queues. Who comes back after a dismissal is not dismissed again
 * for the same term. Results, registered courses and the account stay: they are read, and decided one by one.
 */
function setStatus(ctx: Ctx, id: number, given: Decision): Promise<{ data: StudentStatusAnswer }> {
  return ctx.write(
    async (tx) => {
      const current = await students.lock(ctx, tx, id, { access: 'change_student_status' })
      if (given.version !== undefined && given.version !== current.version)
        throw refuse(409, 'changed_meanwhile', { version: current.version })
      const from = current.status as StudentStatus
      const reasons: Reason[] = [
        ...checkStatus(from, given.status, given.decided_on, dayOf()),
        ...(await fileReasons(ctx, tx, given.file_id ?? null)),
      ]
      // A final status is a state; what was sent wrongly is input.
      if (reasons.some(({ code }) => code === 'status_same' || code === 'status_final' || code === 'status_not_next'))
        throw new Refusal(409, reasons)
      if (given.status === 'graduated') reasons.push(...(await degreeReasons(ctx, id)))
      if (reasons.length) throw new Refusal(422, reasons)
      await sql`insert into student_status_decisions (student_id, from_status, to_status, decision, decided_on, file_id, created_by)
        values (${id}, ${from}, ${given.status}, ${given.decision}, ${given.decided_on}, ${given.file_id ?? null},
          ${ctx.actor?.user_id ?? null})`.execute(tx)
      const { rows } = await sql<{ user_id: number | null }>`update students set status = ${given.status},
          readmitted_term_id = case when ${given.status} = 'studying' then coalesce(dismissed_term_id, readmitted_term_id) else readmitted_term_id end,
          dismissed_term_id = null
        where id = ${id} returning user_id`.execute(tx)
      if (given.status !== 'studying') await leaving?.(ctx, tx, id, given.decision)
      await notify(tx, [rows[0]!.user_id], {
        key: 'students.notice_status',
        data: { decision: given.decision, decided_on: given.decided_on },
        link: '/student-academic',
        records: [id],
      })
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
