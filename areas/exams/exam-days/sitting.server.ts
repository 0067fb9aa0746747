/** Students in exams, as absences and investigations look at them; they are locked in the order in which everybody locks. */
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import { fromWire, mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import { changeRegistrations, heldByControl } from '#areas/enrolment/registration/changes/change.server.ts'
import { lockRegistrations } from '#areas/enrolment/registration/changes/locked.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { searchCondition } from '#kit/server/resource/list.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { Reason } from '#kit/contract/issues.ts'
import type { ExamKind } from '#areas/common/academics/exam-words.contract.ts'
import type { Authority } from '#areas/records/grading/guard.rules.ts'
import { toProblem } from '#kit/server/base/errors.ts'
import { MOST_FOUND, type ExamDays, type Sat, type StudentAsked, type StudentInfo } from './records.contract.ts'
import { inExam, partOfExam } from './reach.server.ts'

type Row = Awaited<ReturnType<typeof lockRegistrations>>[number]
type Action = Parameters<typeof heldByControl>[2]

/** Registrations, locked, each with why control holds it against an action of this person. */
export async function lockSitting(
  ctx: Ctx,
  tx: Tx,
  ids: readonly number[],
  action: (row: Row) => Action,
): Promise<
  Map<number, { main: MainFlag; course: string; held: Reason | null; authority: Authority | null; row: Row }>
> {
  if (!ids.length) return new Map()
  // Whether the person may is judged by the exam; whether control lets go, by who the person is.
  const rows = await lockRegistrations(asSystem(ctx.services, 'Exam day', ctx.lang), tx, ids, [])
  return new Map(
    rows.map((row) => {
      const held = heldByControl(ctx, row, action(row), null)
      const judged = 'reason' in held ? { held: held.reason, authority: null } : { held: null, ...held }
      return [row.id, { main: row.main, course: row.course_code, ...judged, row }]
    }),
  )
}

/** Registrations as they stand, not locked: what a list tells of them is judged again when something is done. */
export async function readSitting(
  ctx: Ctx,
  ids: readonly number[],
  action: (row: { readonly main: MainFlag }) => Action,
): Promise<Map<number, { main: MainFlag; course: string; held: Reason | null }>> {
  if (!ids.length) return new Map()
  const { rows } = await sql<
    Row['student'] & { registration_id: number; status: string; course: string; control_status: ControlStatus }
  >`
    select r.id as registration_id, r.status::text as status, c.code as course, o.control_status,
      s.id, s.faculty_id, p.department_id, s.bylaw_id, s.program_id, s.advisor_id
    from registrations r join offerings o on o.id = r.offering_id join courses c on c.id = o.course_id
      join students s on s.id = r.student_id join programs p on p.id = s.program_id
    where r.id = any(${[...new Set(ids)]}::int[])`.execute(ctx.db)
  return new Map(
    rows.map(({ registration_id, status, course, control_status, ...student }) => {
      const main = mainOf(fromWire(status))!
      const held = heldByControl(ctx, { main, student, control_status, course_code: course }, action({ main }), null)
      return [registration_id, { main, course, held: 'reason' in held ? held.reason : null }]
    }),
  )
}

/** Moves registrations as an exam day decides: judged before, so what only others may do by hand is done for them. */
export async function moveRegistrations(
  ctx: Ctx,
  ids: readonly number[],
  action: 'absent' | 'punish' | 'incomplete' | 'undo' | 'undo_incomplete',
  reason: string,
  by: 'Absent' | 'Punished',
): Promise<void> {
  if (!ids.length) return
  await changeRegistrations(asSystem(ctx.services, reason, ctx.lang), ids, { action }, { reason, by })
}

/** Exams within reach, and the schedules of one of them. */
export async function examDays(ctx: Ctx, key: PermissionKey, exam_id: number | null) {
  const { rows } = await sql<ExamDays>`
    select coalesce((select json_agg(json_build_object('id', e.id, 'code', e.code, 'name', e.name, 'name_local', e.name_local,
          'kind', e.kind, 'term', ${ref('t')}) order by t.start_date desc, e.code)
        from exams e join terms t on t.id = e.term_id where e.removed_at is null and ${scopeCondition(ctx, key, partOfExam(ctx))}), '[]') as exams,
      coalesce((select json_agg(json_build_object('id', s.id, 'course', ${ref('c')},
          'offering', json_build_object('id', o.id, 'code', o.code, 'name', c.name, 'name_local', c.name_local),
          'date', s.on_date, 'from', to_char(lower(s.during), 'HH24:MI'),
          'students', (select count(*)::int from registrations r where r.offering_id = o.id and sits_exam(r.status))) order by s.during, c.code)
        from exam_schedules s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
        where s.exam_id = ${exam_id}::int and s.removed_at is null and s.during is not null
          and ${scopeCondition(ctx, key, inExam(ctx))}), '[]') as schedules`.execute(ctx.db)
  return firstRow(rows)
}

/** An exam of a student as it is found, with what is needed to judge it. */
export interface FoundExam extends Omit<Sat, 'refused' | 'stands_against'> {
  readonly kind: ExamKind
  readonly begins: string
  readonly sits: boolean
}
/**
 * Students by code or name, with the exams that they sit and that are within reach.
 *
 * @param judge why nothing is recorded of each of these exams, and what would stand against what may follow
 */
export async function studentsInExams(
  ctx: Ctx,
  key: PermissionKey,
  { text, exam_id = null }: StudentAsked,
  judge: (
    found: readonly FoundExam[],
  ) => Promise<(one: FoundExam) => { refused: Reason | undefined; stands_against?: Reason | undefined }>,
): Promise<StudentInfo[]> {
  const { rows } = await sql<Pick<StudentInfo, 'student'> & { exams: FoundExam[] }>`
    select ${ref('u')} as student, json_agg(json_build_object('exam_schedule_id', s.id, 'registration_id', r.id, 'exam', ${ref('e')},
        'course', ${ref('c')}, 'date', s.on_date, 'from', to_char(lower(s.during), 'HH24:MI'),
        'begun', lower(s.during) <= now() at time zone university_zone(), 'kind', e.kind, 'sits', sits_exam(r.status),
        'begins', to_char(lower(s.during), 'YYYY-MM-DD HH24:MI'), 'hall', p.code, 'seat', z.seat,
        'absence', (select a.status from exam_absences a where a.exam_schedule_id = s.id and a.registration_id = r.id),
        'case', (select k.status from exam_cases k where k.exam_schedule_id = s.id and k.registration_id = r.id
          and k.removed_at is null order by k.id desc limit 1)) order by lower(s.during) <= now() at time zone university_zone() desc, s.during desc) as exams
    from (select * from students u where u.removed_at is null
        and (u.code = ${text} or ${searchCondition(text, ['u.search_text']) ?? sql`false`})
        and exists (select from registrations r join exam_schedules s on s.offering_id = r.offering_id and s.removed_at is null
            and s.during is not null join offerings o on o.id = r.offering_id
          where r.student_id = u.id and (${exam_id}::int is null or s.exam_id = ${exam_id}) and ${scopeCondition(ctx, key, inExam(ctx))})
        order by u.code = ${text} desc, u.code limit ${MOST_FOUND}) u
      join registrations r on r.student_id = u.id join offerings o on o.id = r.offering_id join courses c on c.id = o.course_id
      join exam_schedules s on s.offering_id = o.id and s.removed_at is null and s.during is not null
      join exams e on e.id = s.exam_id and e.removed_at is null
      left join exam_seats z on z.exam_schedule_id = s.id and z.registration_id = r.id left join locations p on p.id = z.location_id
    where (${exam_id}::int is null or s.exam_id = ${exam_id}) and ${scopeCondition(ctx, key, inExam(ctx))}
    group by u.id, u.code, u.name, u.name_local order by u.code`.execute(ctx.db)
  const judged = await judge(rows.flatMap(({ exams }) => exams))
  const problem = (reason: Reason | undefined) => (reason ? toProblem(reason) : null)
  return rows.map(({ student, exams }) => ({
    student,
    exams: exams.map((found) => {
      const { kind: _kind, begins: _begins, sits: _sits, ...one } = found
      const { refused, stands_against } = judged(found)
      return { ...one, refused: problem(refused), stands_against: problem(stands_against) }
    }),
  }))
}

/** The exam of an offering as it is judged. */
export interface ScheduleFacts {
  readonly id: number
  readonly offering_id: number
  readonly course: string
  readonly course_local: string
  readonly code: string
  readonly kind: ExamKind
  readonly begins: string
  readonly begun: boolean
  readonly date: string
}
/** A schedule within reach, which nobody moves meanwhile. */
export async function readSchedule(
  ctx: Ctx,
  tx: Db | Tx,
  id: number,
  key: PermissionKey,
): Promise<ScheduleFacts | undefined> {
  const { rows } = await sql<ScheduleFacts>`
    select s.id, s.offering_id, c.name as course, c.name_local as course_local, c.code, e.kind,
      to_char(lower(s.during), 'YYYY-MM-DD HH24:MI') as begins, lower(s.during) <= now() at time zone university_zone() as begun,
      to_char(s.on_date, 'YYYY-MM-DD') as date
    from exam_schedules s join exams e on e.id = s.exam_id join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
    where s.id = ${id} and s.removed_at is null and s.during is not null and ${scopeCondition(ctx, key, inExam(ctx))}
    for share of s`.execute(tx)
  return rows[0]
}
