/** What is decided for one student: who and why, and taking it back. */
import { readRecord } from '../record/academic-record.server.ts'
import { students } from '../student/student.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { requirementOf, walk } from '#areas/records/degree-audit/requirements/tree.rules.ts'
import type { Exception } from '#areas/records/degree-audit/audits/audit.rules.ts'
import { exceptionCalls, type GrantedException } from '#areas/records/degree-audit/audits/audit.contract.ts'
import { auditOf, type RecordAudit } from './record-audit.server.ts'

async function listOf(ctx: Ctx, db: Db | Tx, student_id: number): Promise<{ data: GrantedException[] }> {
  const person = (alias: string) =>
    sql.raw(
      `case when ${alias}.id is not null then json_build_object('id', ${alias}.id, 'name', ${alias}.name, 'name_local', ${alias}.name_local) end`,
    )
  const { rows } = await sql<GrantedException>`
    select e.id, e.kind, e.key, ${refOrNull('c')} as course, ${refOrNull('f')} as for_course, e.reason, ${person('g')} as granted_by,
      to_json(e.granted_at) #>> '{}' as granted_at, ${person('v')} as revoked_by,
      to_json(e.revoked_at) #>> '{}' as revoked_at, e.revoked_reason
    from degree_exceptions e left join courses c on c.id = e.course_id left join courses f on f.id = e.for_course_id
      left join users g on g.id = e.granted_by left join users v on v.id = e.revoked_by
    where e.student_id = ${student_id}
      and exists (select from students t where t.id = ${student_id} and ${students.scope(ctx, ['show_student_record', 'grant_exception'])})
    order by e.revoked_at is not null, e.id desc`.execute(db)
  return { data: rows }
}

/** Holds the student: nobody decides two things at once. Refused for the own record, and for what is not reached. */
async function lockStudent(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<{ user_id: number | null }>`
    select t.user_id from students t where t.id = ${id} and t.removed_at is null
      and ${students.scope(ctx, 'grant_exception')} for no key update`.execute(tx)
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  const { user_id, student_id, impersonator_id } = actorIn(ctx)
  if (student_id === id || (row.user_id !== null && (row.user_id === user_id || row.user_id === impersonator_id)))
    throw refuse(403, 'exception_own')
}

/** Everything that stands against an exception, as the audit would use it. */
function judge(one: Exception, { required, student }: RecordAudit): Reason[] {
  const { tree } = required.auditor
  const found = requirementOf(tree, one.key)
  if (!found) return [{ field: 'key', code: 'exception_unknown', data: { key: one.key } }]
  if (one.kind === 'waive') return []
  const reasons: Reason[] = []
  const taken = student.courses.find((course) => course.course_id === one.course_id && course.state !== 'failed')
  if (!taken) reasons.push({ field: 'course_id', code: 'exception_not_taken' })
  const { leaves, places } = required.auditor.evaluator.tree
  const inside = new Set([...walk(found)].map(([, part]) => part.key))
  const takes = leaves.filter((leaf) => inside.has(leaf.one.key))
  if (one.kind === 'settle') {
    if (taken && !places(taken).some((place) => takes.includes(leaves[place.leaf]!)))
      reasons.push({ field: 'key', code: 'exception_cannot_count' })
  } else if (one.for_course_id !== null) {
    if (!takes.some((leaf) => leaf.listed.has(one.for_course_id!)))
      reasons.push({ field: 'for_course_id', code: 'exception_not_listed' })
  } else if (!takes.some((leaf) => !leaf.all)) reasons.push({ field: 'key', code: 'exception_no_courses' })
  return reasons
}

const grant = handle(exceptionCalls.grantException, async (ctx, { params: { id }, body }) => {
  const { kind, key, reason } = body
  const course_id = body.course_id ?? null
  const for_course_id = body.for_course_id ?? null
  if (kind === 'waive' && course_id !== null) throw refuse(422, 'exception_course_of_waiver', {}, 'course_id')
  if (kind !== 'waive' && course_id === null) throw refuse(422, 'exception_course_needed', {}, 'course_id')
  return ctx.write(
    async (tx) => {
      await lockStudent(ctx, tx, id)
      const record = await readRecord(ctx, { id, access: 'grant_exception', staff: true })
      const audit = await auditOf(tx, record)
      const one: Exception =
        kind === 'waive'
          ? { id: 0, kind, key }
          : kind === 'settle'
            ? { id: 0, kind, key, course_id: course_id! }
            : { id: 0, kind, key, course_id: course_id!, for_course_id }
      const reasons = judge(one, audit)
      if (reasons.length) throw new Refusal(422, reasons)
      await sql`insert into degree_exceptions (student_id, program_id, kind, key, course_id, for_course_id, reason, granted_by)
        values (${id}, ${record.student.program.id}, ${kind}, ${key}, ${course_id}, ${kind === 'substitute' ? for_course_id : null},
          ${reason}, ${actorIn(ctx).user_id})`.execute(tx)
      return listOf(ctx, tx, id)
    },
    { reason },
  )
})

const revoke = handle(exceptionCalls.revokeException, async (ctx, { params: { id, exception_id }, body: { reason } }) =>
  ctx.write(
    async (tx) => {
      await lockStudent(ctx, tx, id)
      const { rows } = await sql<{ revoked: boolean }>`select revoked_at is not null as revoked from degree_exceptions
        where id = ${exception_id} and student_id = ${id} for update`.execute(tx)
      if (!rows[0]) throw refuse(404, 'not_found')
      if (rows[0].revoked) throw refuse(409, 'exception_revoked')
      await sql`update degree_exceptions set revoked_at = now(), revoked_by = ${actorIn(ctx).user_id}, revoked_reason = ${reason}
        where id = ${exception_id}`.execute(tx)
      return listOf(ctx, tx, id)
    },
    { reason },
  ),
)

const list = handle(exceptionCalls.exceptions, async (ctx, { params: { id } }) => {
  const { rows } = await sql`select from students t where t.id = ${id}
    and ${students.scope(ctx, 'show_student_record')}`.execute(ctx.db)
  if (!rows.length) throw refuse(404, 'not_found')
  return listOf(ctx, ctx.db, id)
})

/** Handlers of exceptions. */
export const planExceptionHandlers: readonly Handled[] = [list, grant, revoke]
