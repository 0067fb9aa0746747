import { courseCalled, courseWord, joinCourse } from '#areas/common/academics/course-words.server.ts'
import { sql } from 'kysely'
import { taughtBy } from '#areas/common/academics/offering-reach.server.ts'
import { ratingText } from '#areas/common/academics/rating.server.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { handle } from '#kit/server/base/context.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import { isId, scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { studentScope } from '../capacity.server.ts'
import {
  attemptFlags,
  flag,
  fromWire,
  mainFlags,
  mainMask,
  mainOf,
  type MainFlag,
} from '#areas/common/academics/status.rules.ts'
import type { Step } from '#areas/common/academics/registration-words.contract.ts'
import { registrationRecordCalls, registration } from './registration.contract.ts'
import type { StepRow } from '../requests/request.contract.ts'

const one = (column: string): string => `(select s.${column} from students s where s.id = t.student_id)`
const named = (names: readonly (keyof typeof flag)[], bits: string): string =>
  `case ${names.map((name) => `when ${bits} = ${flag[name]} then '${name}'`).join(' ')} end`
const attemptBits = `t.status & ${attemptFlags.reduce((bits, name) => bits | flag[name], 0n)}`

const student = (ctx: Ctx, condition: keyof ReturnType<typeof studentScope>) => {
  const part = studentScope(ctx)[condition]
  return sql`exists (select from students s join programs p on p.id = s.program_id where s.id = t.student_id and ${part})`
}
const inUnits = (condition: 'faculty' | 'department' | 'bylaw' | 'program') => (ctx: Ctx) => (ids: readonly number[]) =>
  sql`exists (select from students s join programs p on p.id = s.program_id where s.id = t.student_id
    and ${studentScope(ctx)[condition]} = any(${[...ids]}::int[]))`

const served = workings(registration, {
  computed: {
    student_code: one('code'),
    program_id: one('program_id'),
    faculty_id: one('faculty_id'),
    level: one('level'),
    advisor_id: one('advisor_id'),
    course_code: courseWord('code', 't.course_id', 't.offering_id'),
    state: named(mainFlags, `t.status & ${mainMask}`),
    attempt: named(attemptFlags, attemptBits),
    by_decision: 'registration_case_stands(t.id, decided_state(t.status))',
    audit: `t.status & ${flag.Audit} <> 0`,
    rating: `(${ratingText('t')}) ->> 'name'`,
    rating_local: `(${ratingText('t')}) ->> 'name_local'`,
    group_number: `(select min(g.number) from registration_slots rs join offering_slots os on os.id = rs.offering_slot_id
      join offering_groups g on g.id = os.group_id where rs.registration_id = t.id)`,
  },
  called: { course_id: courseCalled('t.offering_id') },
  search: [
    '(select s.search_text from students s where s.id = t.student_id)',
    courseWord('search_text', 't.course_id', 't.offering_id'),
  ],
  scope: {
    faculty: inUnits('faculty'),
    department: inUnits('department'),
    bylaw: inUnits('bylaw'),
    program: inUnits('program'),
    own: (ctx) => isId(sql`t.student_id`, ctx.actor?.student_id),
    taught: (ctx) =>
      sql`exists (select from offerings o where o.id = t.offering_id and ${taughtBy(ctx.actor?.instructor_id ?? null, 'o')})`,
    advised: (ctx) => student(ctx, 'advised'),
  },
})

type StepSql = {
  at: string
  action: Step
  from_status: string | null
  to_status: string | null
  by: StepRow['by']
  as: StepRow['as']
  reason: string | null
  overrides: { code: string; reason: string }[] | null
  /** The reader looks as staff; `mine`: the step is the reader's own. */
  staff: boolean
  mine: boolean
}
const stepColumns = (
  ctx: Ctx,
  scope: ScopeParts,
) => sql`to_char(h.at, 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as "at", h.action, h.from_status::text as from_status, h.to_status::text as to_status,
  (select json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) from users u where u.id = coalesce(h.impersonator_id, h.actor_id)) as "by",
  (select json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) from users u where h.impersonator_id is not null and u.id = h.actor_id) as "as",
  h.reason, h.overrides, ${scopeCondition(ctx, 'show_registration', { ...scope, own: sql`false` })} as staff,
  coalesce(h.actor_id = ${ctx.actor?.user_id ?? null}::int, false) as mine`
const stateOf = (status: string | null): MainFlag | null => (status === null ? null : mainOf(fromWire(status)))
/** Students see every step, and why a request was rejected; any other reason of staff, and which rule they set aside, is said among staff. */
const stepOf = <Row extends StepSql>({ from_status, to_status, overrides, reason, staff, mine, ...row }: Row) => ({
  ...row,
  from_state: stateOf(from_status),
  to_state: stateOf(to_status),
  reason: staff || mine || row.action === 'reject' ? reason : null,
  overrides: staff ? (overrides ?? []).map(({ code, reason }) => ({ code, reason })) : [],
})

export const registrationRecordHandlers: (Handled | readonly Handled[])[] = [
  served.handlers,
  handle(registrationRecordCalls.steps, async (ctx, { params }) => {
    const scope = { ...studentScope(ctx), taught: taughtBy(ctx.actor?.instructor_id ?? null, 'o') }
    // The history stays when the registration is removed.
    const { rows } =
      await sql<StepSql>`select ${stepColumns(ctx, scope)} from registration_history h join students s on s.id = h.student_id
      join programs p on p.id = s.program_id join offerings o on o.id = h.offering_id
      where h.registration_id = ${params.id} and ${scopeCondition(ctx, ['show_registration', 'access_student'], scope)}
      order by h.id`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
    return { data: rows.map(stepOf) }
  }),
  handle(registrationRecordCalls.studentSteps, async (ctx, { params, query: { most } }) => {
    const { data: rows, total } = await cutRows<
      StepSql & {
        registration_id: number
        course: { code: string; name: string; name_local: string }
        term: { code: string; name: string; name_local: string }
      }
    >(
      ctx.db,
      sql`select h.registration_id, ${stepColumns(ctx, studentScope(ctx))}, json_build_object('code', c.code, 'name', c.name, 'name_local', c.name_local) as course,
        json_build_object('code', t.code, 'name', t.name, 'name_local', t.name_local) as term
      from registration_history h join students s on s.id = h.student_id join programs p on p.id = s.program_id
      join offerings o on o.id = h.offering_id ${sql.raw(joinCourse('o.course_id', 'o.id'))} join terms t on t.id = o.term_id
      where h.student_id = ${params.id} and ${scopeCondition(ctx, ['show_registration', 'access_student'], studentScope(ctx))}
      order by h.id desc`,
      most,
    )
    // Nothing yet, or nothing to the reader.
    if (!rows.length) {
      const { rows: found } = await sql`select from students s join programs p on p.id = s.program_id
        where s.id = ${params.id} and ${scopeCondition(ctx, ['show_registration', 'access_student'], studentScope(ctx))}`.execute(
        ctx.db,
      )
      if (!found.length) throw refuse(404, 'not_found')
    }
    return { data: rows.map(stepOf), total }
  }),
]
