/** Seats that are given, changed and taken back by hand, and offered once results are shown. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { applicantWorkflow, feeStanding } from '#areas/admission/applicants/applicant/flow.server.ts'
import { APPLICANT_STATUSES, type ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import { judgeApplication } from '../ranking.rules.ts'
import { readApplication, readRunSettings } from '../runs/input.server.ts'
import { distributionRunCalls as calls } from '../runs/run.contract.ts'
import { checkSeat } from './seat.rules.ts'

interface Wanted {
  readonly program_id: number | null
  readonly exception?: boolean | undefined
  readonly reason?: string | undefined
}
interface Standing {
  status: ApplicantStatus
  admission_id: number
  program_id: number | null
  transfer: boolean
}
/** A seat that was given can be changed until its holder has become a student. */
const CHANGED_IN: readonly ApplicantStatus[] = [
  'DISTRIBUATION_REQUIRED',
  'EQUIVALENCE_DONE',
  'FINAL_FEES_REQUIRED',
  'APPROVED',
]

/**
 * Gives an applicant a seat, another one, or none. Seats of a program are given one after the other.
 *
 * @throws {Refusal} with every reason against it
 */
async function seat(ctx: Ctx, tx: Tx, id: number, wanted: Wanted, kind: 'give' | 'change') {
  await applicants.get(ctx, tx, id, 'assign_applicant')
  // The program is held before the applicant, as by whoever confirms a distribution.
  await sql`select from admission_programs x where x.program_id = ${wanted.program_id} and x.removed_at is null
      and x.admission_id = (select t.admission_id from applicants t where t.id = ${id}) for no key update`.execute(tx)
  const { rows } = await sql<Standing>`select t.status, t.admission_id, t.program_id, a.applicant_type = 3 as transfer
    from applicants t join admissions a on a.id = t.admission_id where t.id = ${id} for no key update of t`.execute(tx)
  const { status, admission_id, program_id, transfer } = firstRow(rows)
  const label = APPLICANT_STATUSES.find((one) => one.value === status)!.label
  const possible =
    kind === 'give'
      ? status === 'DISTRIBUATION_REQUIRED' && program_id === null
      : program_id !== null && CHANGED_IN.includes(status)
  const standing = {
    status: label[0],
    status_local: label[1],
    possible,
    same: program_id !== null && program_id === wanted.program_id,
    equivalent: transfer && status !== 'DISTRIBUATION_REQUIRED',
    exception: wanted.exception ?? false,
    reason: Boolean(wanted.reason?.trim()),
  }
  if (status === 'accepted') throw refuse(409, 'applicant_late', { status: label[0], status_local: label[1] })
  if (wanted.program_id === null) {
    // What was offered is taken back by putting it on hold, which says why.
    const reasons = checkTakingSeat(status, possible, label)
    if (reasons.length) throw new Refusal(409, reasons)
  } else {
    const seed = 'by hand'
    const settings = await readRunSettings(tx, admission_id, seed)
    const program = settings.programs.find((one) => one.id === wanted.program_id)
    const { facts, groups } = await readApplication(tx, settings, id, seed)
    const reasons = checkSeat({
      ...standing,
      terms: program?.terms ?? null,
      groups,
      conditions: program ? judgeApplication(facts, settings.formula, program.conditions).reasons : [],
    })
    if (reasons.length) throw new Refusal(reasons.every(({ code }) => code === 'reason_required') ? 422 : 409, reasons)
  }
  await sql`update applicants set program_id = ${wanted.program_id} where id = ${id}`.execute(tx)
  await applicantWorkflow.begin(ctx, tx, id, status, {
    action: wanted.program_id === null ? 'seat_taken' : kind === 'give' ? 'seat_given' : 'seat_changed',
    reason: wanted.reason?.trim() || null,
  })
  const { rows: after } = await sql<{
    id: number
    code: string | null
    name: string
    name_local: string
  }>`select id, code, name, name_local
    from programs where id = ${wanted.program_id}`.execute(tx)
  return { id, status, program: after[0] ?? null }
}
const checkTakingSeat = (status: ApplicantStatus, possible: boolean, label: readonly [string, string]) =>
  possible && status === 'DISTRIBUATION_REQUIRED'
    ? []
    : [{ code: 'applicant_late', data: { status: label[0], status_local: label[1] } }]

const accept = handle(calls.accept, (ctx, { params: { id }, body: { preference, ...body } }) =>
  ctx.write(async (tx) => {
    await applicants.get(ctx, tx, id, 'assign_applicant')
    const { rows } = await sql<{
      program_id: number
    }>`select program_id from applicant_preferences where applicant_id = ${id}
      and position = ${preference - 1}`.execute(tx)
    if (!rows[0]) throw refuse(422, 'seat_no_wish', { preference }, 'preference')
    return { data: await seat(ctx, tx, id, { ...body, program_id: rows[0].program_id }, 'give') }
  }),
)

const assignMany = handle(calls.assignMany, async (ctx, { body: { ids, ...body } }) => {
  const done: number[] = []
  const failed: { id: number; errors: ReturnType<typeof toProblem>[] }[] = []
  // Each by itself: what one of them meets holds up nobody.
  for (const id of new Set(ids)) {
    try {
      await ctx.write((tx) => seat(ctx, tx, id, body, 'give'))
      done.push(id)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      failed.push({ id, errors: error.reasons.map(toProblem) })
    }
  }
  return { data: { done, failed } }
})

/** So many are led on at a turn; the others a minute later. */
const AT_ONCE = 100_000

/** Offers the seats of admissions whose results are shown, and says of those who owe nothing for them that they have taken them up. */
export const offerSeatsJob = defineJob<Record<string, never>, { offered: number; approved: number }>({
  name: 'offer-seats',
  cron: '* * * * *',
  run: async ({ services }, _payload, progress) => {
    const ctx = asSystem(services, 'Seats of applicants')
    const { rows: due } = await sql<{
      id: number
    }>`select t.id from applicants t join admissions a on a.id = t.admission_id
      where t.status in ('DISTRIBUATION_REQUIRED', 'EQUIVALENCE_DONE') and t.program_id is not null and t.removed_at is null
        and (a.results_at is null or a.results_at <= now()) and (t.status = 'EQUIVALENCE_DONE' or a.applicant_type <> 3)
      order by t.id limit ${AT_ONCE}`.execute(ctx.db)
    let offered = 0
    for (let at = 0; at < due.length; at += 500) {
      const { done } = await applicantWorkflow.takeEach(
        ctx,
        due.slice(at, at + 500).map(({ id }) => id),
        'offer',
      )
      offered += done.length
      await progress(Math.floor((90 * at) / due.length))
    }
    const { rows: free } = await sql<{
      id: number
    }>`select t.id from applicants t join admissions a on a.id = t.admission_id
      where t.status = 'FINAL_FEES_REQUIRED' and t.removed_at is null
        and ${feeStanding('final', '1')} <> 'due'
      order by t.id limit ${AT_ONCE}`.execute(ctx.db)
    const { done } = await applicantWorkflow.takeEach(
      ctx,
      free.map(({ id }) => id),
      'approve',
    )
    return { offered, approved: done.length }
  },
})

export const applicantSeatHandlers: readonly Handled[] = [
  accept,
  assignMany,
  handle(calls.assign, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => ({ data: await seat(ctx, tx, id, body, 'give') })),
  ),
  handle(calls.change, (ctx, { params: { id }, body }) =>
    ctx.write(async (tx) => ({ data: await seat(ctx, tx, id, body, 'change') })),
  ),
]
