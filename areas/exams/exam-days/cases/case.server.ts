/** Investigations of what happened in exams, and what is decided: the registration goes along, and comes back. */
import { flag } from '#areas/common/academics/status.rules.ts'
import { decides } from '#areas/enrolment/registration/changes/owners.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { ListQuery } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { notifyEach } from '#kit/server/mail/notifications.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { NAME_OF, ofSchedule, ownOf, recordList, TELLS } from '../records.server.ts'
import { inExam } from '../reach.server.ts'
import {
  examDays,
  lockSitting,
  moveRegistrations,
  readSchedule,
  readSitting,
  studentsInExams,
} from '../sitting.server.ts'
import { examCaseCalls, examCaseFields, examCaseFlow, examCaseSteps, type ExamCaseRow } from './case.contract.ts'
import { checkOpen, checkTaken, type CaseFacts, type CaseRegistration } from './case.rules.ts'

interface Kept {
  readonly id: number
  readonly registration_id: number
  readonly punished_ids: number[]
  /** Registrations of the student in the term that are taken, or about which a request waits. */
  readonly term_ids: number[]
}
const TAKEN = sql.lit(
  Number(
    flag.Registered |
      flag.RegisterRequest |
      flag.AddRequest |
      flag.DropRequest |
      flag.WithdrawRequest |
      flag.ExcuseRequest,
  ),
)
async function keptOf(tx: Db | Tx, ids: readonly number[]): Promise<Kept[]> {
  const { rows } = await sql<Kept>`select t.id, t.registration_id, t.punished_ids,
      array(select q.id from registrations q where q.student_id = r.student_id and q.term_id = r.term_id
        and q.status & ${TAKEN} <> 0 order by q.id) as term_ids
    from exam_cases t join registrations r on r.id = t.registration_id where t.id = any(${[...ids]}::int[]) order by t.id`.execute(
    tx,
  )
  return rows
}

const toward = ({ main }: Pick<CaseRegistration, 'main'>) => (main === 'Punished' ? 'undo' : 'punish')
/** All registrations that what is decided may touch. */
const touched = (kept: readonly Kept[]): number[] => [
  ...new Set(kept.flatMap((one) => [one.registration_id, ...one.punished_ids, ...one.term_ids])),
]
const factsOf = (kept: readonly Kept[], known: ReadonlyMap<number, CaseRegistration>): Map<number, CaseFacts> =>
  new Map(
    kept.map((one) => [
      one.id,
      {
        own: known.get(one.registration_id)!,
        term: one.term_ids.map((id) => known.get(id)!),
        punished: one.punished_ids.flatMap((id) => known.get(id) ?? []),
      },
    ]),
  )

const flow = serveWorkflow(examCaseFlow, examCaseSteps, {
  table: 'exam_cases',
  scope: ofSchedule,
  seen: ['access_examPunishment'],
  nameOf: NAME_OF,
  own: ownOf,
  facts: async (ctx, tx, ids) => {
    const kept = await keptOf(tx, ids)
    return factsOf(kept, await lockSitting(ctx, tx, touched(kept), toward))
  },
  effect: async (ctx, tx, moved) => {
    const kept = new Map(
      (
        await keptOf(
          tx,
          moved.map((one) => one.id),
        )
      ).map((one) => [one.id, one]),
    )
    for (const { id, action, to, reason } of moved) {
      const one = kept.get(id)!
      const because = reason ?? 'Exam investigation'
      if (action === 'punish' || action === 'punish_term' || action === 'warn') {
        const ids = action === 'warn' ? [] : action === 'punish' ? [one.registration_id] : one.term_ids
        await moveRegistrations(ctx, ids, 'punish', because, 'Punished')
        const measure = action === 'warn' ? 'warning' : action === 'punish' ? 'course' : 'term'
        await sql`update exam_cases set measure = ${measure}, punished_ids = ${ids}::int[], decided_reason = ${reason}
          where id = ${id}`.execute(tx)
      } else if (to === 'opened' || to === 'cleared') {
        // What another door has given back already is not given back again.
        const { rows } = await sql<{
          id: number
        }>`select id from registrations where id = any(${one.punished_ids}::int[])
          and status & ${sql.lit(Number(flag.Punished))} <> 0 order by id`.execute(tx)
        await moveRegistrations(
          ctx,
          rows.map((row) => row.id),
          'undo',
          because,
          'Punished',
        )
        await sql`update exam_cases set punished_ids = '{}', measure = null, decided_reason = ${to === 'opened' ? null : reason}
          where id = ${id}`.execute(tx)
      } else
        await sql`update exam_cases set decided_reason = coalesce(${reason}, decided_reason) where id = ${id}`.execute(
          tx,
        )
    }
  },
  tells: TELLS,
})

/** Whoever takes a punishment of one course back by its status takes the decision back; nobody punishes by a status. */
export const punishedDecided = decides('Punished', {
  lead: () => Promise.resolve(false),
  takeBack: async (ctx, tx, registration_id, { reason }) => {
    const { rows } = await sql<{
      id: number
    }>`select id from exam_cases where punished_ids = array[${registration_id}::int]
      and status = 'punished' and removed_at is null`.execute(tx)
    return rows[0] !== undefined && Boolean(await flow.take(ctx, rows[0].id, 'reopen', { reason }))
  },
})

/** Opens an investigation; one at a time about a student in an exam. */
const open = (ctx: Ctx, exam_schedule_id: number, registration_id: number, what: string) =>
  ctx.write(async (tx) => {
    const schedule = await readSchedule(ctx, tx, exam_schedule_id, 'open_examInvestigation')
    if (!schedule) throw refuse(404, 'not_found')
    const { code: course, begins, begun } = schedule
    const { rows: sits } = await sql<{ user_id: number | null; other: boolean; sits: boolean }>`
      select u.user_id, r.offering_id <> ${schedule.offering_id} as other, sits_exam(r.status) as sits
      from registrations r join students u on u.id = r.student_id where r.id = ${registration_id} for no key update of r`.execute(
      tx,
    )
    if (!sits[0] || sits[0].other) throw refuse(409, 'exam_seat_other', undefined, 'registration_id')
    const reasons = checkOpen({ course, begins, begun, sits: sits[0].sits })
    if (reasons.length) throw new Refusal(409, reasons)
    const { rows } = await sql<{
      id: number
    }>`insert into exam_cases (exam_schedule_id, registration_id, what, opened_by)
      values (${exam_schedule_id}, ${registration_id}, ${what}, ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
    await flow.begin(ctx, tx, firstRow(rows).id, 'opened')
    const data = { course: schedule.course, course_local: schedule.course_local, date: schedule.date }
    if (sits[0].user_id !== null)
      await notifyEach(tx, [{ user_id: sits[0].user_id, key: 'exam-days.notice_opened', data, link: '/myCourses' }])
    return { data: { id: firstRow(rows).id, status: 'opened' as const } }
  })

type Stored = Omit<ExamCaseRow, 'abilities' | 'refused'> & { __steps: Parameters<typeof flow.open>[2] }
const page = recordList<Stored>({
  table: 'exam_cases',
  permission: 'access_examPunishment',
  fields: examCaseFields,
  select: (ctx) => sql`t.what, t.measure, t.decided_reason, t.opened_at, ${flow.column(ctx)} as __steps`,
  sort: {
    opened_at: 't.opened_at',
    status: `array_position(array['opened', 'appealed', 'punished', 'cleared'], t.status)`,
  },
  order: ['status', 'asc'],
})
const list = async (ctx: Ctx, query: ListQuery) => {
  const { data, meta } = await page(ctx, query)
  const kept = await keptOf(
    ctx.db,
    data.map((row) => row.id),
  )
  // What the rule refuses stands at the action with its reason, before anybody has written why.
  const facts = factsOf(kept, await readSitting(ctx, touched(kept), toward))
  return {
    data: data.map(({ __steps, ...row }): ExamCaseRow => ({
      ...row,
      ...flow.open(ctx, row.status, __steps, facts.get(row.id)),
    })),
    meta,
  }
}

export const examCaseHandlers: readonly Handled[] = [
  ...flow.handlers,
  handle(examCaseCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(examCaseCalls.lookups, async (ctx, { body }) => ({
    data: {
      ...(await examDays(ctx, 'access_examPunishment', body.exam_id ?? null)),
      statuses: examCaseFlow.states.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] })),
    },
  })),
  handle(examCaseCalls.studentInfo, async (ctx, { body }) => ({
    data: await studentsInExams(ctx, 'access_examPunishment', body, async (found) => {
      const known = await readSitting(
        ctx,
        found.map((one) => one.registration_id),
        toward,
      )
      return ({ registration_id, course, begins, begun, sits }) => {
        const [refused] = checkOpen({ course: course.code ?? '', begins, begun, sits })
        return { refused, stands_against: refused ? undefined : checkTaken(known.get(registration_id)!)[0] }
      }
    }),
  })),
  handle(examCaseCalls.open, (ctx, { body }) => open(ctx, body.exam_schedule_id, body.registration_id, body.what)),
  handle(examCaseCalls.openOf, (ctx, { params, body }) => open(ctx, params.id, body.registration_id, body.what)),
  handle(examCaseCalls.decide, async (ctx, { body: { id, decision, ...options } }) => {
    const { to } = await flow.take(ctx, id, decision, options)
    return { data: { id, status: to } }
  }),
]

/** Investigations and appeals that wait for who decides them. */
export const examCaseWork: WorkSource = {
  permissions: ['decide_examPunishment'],
  waiting: (ctx) => sql`
    select 'exam-days.work_cases', jsonb_build_object('count', count(*)), '/exams_punishments', min(t.opened_at), null::timestamptz
    from exam_cases t join exam_schedules s on s.id = t.exam_schedule_id join offerings o on o.id = s.offering_id
    where t.status in ('opened', 'appealed') and t.removed_at is null
      and ${scopeCondition(ctx, 'decide_examPunishment', inExam(ctx))} having count(*) > 0`,
}
