/** Results of entrance exams: written down, and each application led on by what its result means. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { applicantWorkflow } from '#areas/admission/applicants/applicant/flow.server.ts'
import { examOutcome, type EntranceFacts } from '#areas/admission/applicants/applicant/way.rules.ts'
import { APPLICANT_STATUSES, type ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { entranceResultCalls as calls } from './result.contract.ts'
import { hundredthsOf, printedPercent } from './result.rules.ts'

export interface EntranceResultFacts extends EntranceFacts {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly admission_id: number
  readonly status: ApplicantStatus
  readonly version: number
}
/** Applicants within reach whose results can be written, by a condition on `t`. */
export async function entranceResults(
  ctx: Ctx,
  tx: Tx,
  where: ReturnType<typeof sql>,
  lock = false,
): Promise<EntranceResultFacts[]> {
  const { rows } = await sql<EntranceResultFacts>`select t.id, t.code, coalesce(t.name, t.name_local, t.code) as name,
      coalesce(t.name_local, t.name, t.code) as name_local, t.admission_id, t.status, t.version,
      (t.exam_result * 100)::int as exam_result, t.interview_passed, (coalesce(a.min_exam, 0) * 100)::int as min_exam, a.has_exam, a.has_interview
    from applicants t join admissions a on a.id = t.admission_id
    where t.removed_at is null and ${where} and ${applicants.scope(ctx, 'enter_applicant_result')}
    order by t.id ${lock ? sql`for no key update of t` : sql``}`.execute(tx)
  return rows
}

/** Whether a result can be written now: while the application is at the exam. */
export const checkResultDue = (status: ApplicantStatus): Reason[] => {
  if (status === 'exam required') return []
  const label = APPLICANT_STATUSES.find((one) => one.value === status)?.label ?? [status, status]
  return [{ code: 'entrance_result_not_due', data: { status: label[0], status_local: label[1] } }]
}

/** Writes results of rows that are held. */
export async function writeEntranceResults(
  tx: Tx,
  results: readonly { id: number; exam_result: number | null; interview_passed: boolean | null }[],
): Promise<void> {
  const given = results.map(({ exam_result, ...one }) => ({
    ...one,
    exam_result: exam_result === null ? null : printedPercent(exam_result),
  }))
  await sql`update applicants t set exam_result = n.exam_result, interview_passed = n.interview_passed
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as n (id int, exam_result numeric, interview_passed boolean)
    where t.id = n.id and (t.exam_result, t.interview_passed) is distinct from (n.exam_result, n.interview_passed)`.execute(
    tx,
  )
}

const enter = handle(calls.enter, (ctx, { params: { id }, body }) =>
  ctx.write(async (tx) => {
    const [found] = await entranceResults(ctx, tx, sql`t.id = ${id}`, true)
    if (!found) throw refuse(404, 'not_found')
    if (body.version !== undefined && body.version !== found.version) throw refuse(409, 'changed_meanwhile')
    const late = checkResultDue(found.status)
    if (late.length) throw new Refusal(409, late)
    const result = body.exam_result === undefined || body.exam_result === null ? null : hundredthsOf(body.exam_result)
    const reasons: Reason[] = []
    if (result !== null && result > 10_000) reasons.push({ field: 'exam_result', code: 'entrance_result_range' })
    if (result !== null && !found.has_exam) reasons.push({ field: 'exam_result', code: 'entrance_no_exam' })
    if (body.interview_passed != null && !found.has_interview)
      reasons.push({ field: 'interview_passed', code: 'entrance_no_interview' })
    if (reasons.length) throw new Refusal(422, reasons)
    const next = {
      ...found,
      exam_result: body.exam_result === undefined ? found.exam_result : result,
      interview_passed: body.interview_passed === undefined ? found.interview_passed : body.interview_passed,
    }
    await writeEntranceResults(tx, [next])
    const action = examOutcome(next)
    if (action !== 'waits') await applicantWorkflow.take(ctx, id, action)
    const { rows } = await sql<{ status: ApplicantStatus }>`select status from applicants where id = ${id}`.execute(tx)
    return {
      data: {
        outcome: action === 'waits' ? 'waits' : action === 'pass_exam' ? 'passed' : 'failed',
        status: firstRow(rows).status,
      },
    } as const
  }),
)

export const entranceResultHandlers: readonly Handled[] = [enter]
