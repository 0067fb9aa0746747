/** Scholarships that take the whole fee of the seat: given to applicants, and granted to the students that they become. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import type { Ref } from '#kit/contract/index.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { applicantWorkflow } from '#areas/admission/applicants/applicant/flow.server.ts'
import type { ApplicantStatus } from '#areas/admission/applicants/words.contract.ts'
import { definitionOf } from '#areas/money/fees/scholarships/definition.server.ts'
import { checkGrant } from '#areas/money/fees/scholarships/scholarship.rules.ts'
import { chargesOf, takeBackCharge } from '../fees/charge.server.ts'
import { fullScholarshipCalls as calls } from './full.contract.ts'
import { checkFullScholarship } from './full.rules.ts'

const KEY = 'grant_scholarship'
/** SQL: the scholarship `h` takes all of what it is for, and could be given to the applicant `t` of the program `p`. */
const OFFERED = sql`h.removed_at is null and h.is_active and h.basis = 'manual' and h.percent = 100
  and (h.year_id is null or h.year_id = w.year_id)
  and (p.id is null or ((h.faculty_id is null or h.faculty_id = p.faculty_id) and (h.bylaw_id is null or h.bylaw_id = p.bylaw_id)))`
const OF = sql`applicants t join admissions a on a.id = t.admission_id join terms w on w.id = a.term_id left join programs p on p.id = t.program_id`

interface Held {
  readonly status: ApplicantStatus
  readonly given: number | null
  readonly year_id: number
  readonly bylaw_id: number | null
  readonly faculty_id: number | null
  readonly level: number | null
  readonly pays_in: string | null
}

/** Gives a scholarship, or takes it back (`wanted` null). @throws {Refusal} 404; 409 with every reason */
async function change(
  ctx: Ctx,
  tx: Tx,
  id: number,
  wanted: number | null,
  reason: string,
): Promise<{ id: number; scholarship: Ref | null }> {
  const { rows } = await sql<Held>`select t.status, t.full_scholarship_id as given, w.year_id, p.bylaw_id, p.faculty_id,
      (select min(l.level)::int from bylaw_levels l where l.bylaw_id = p.bylaw_id) as level,
      (select n.currency from nationality_groups n where n.id = nationality_group_of(t.nationality_id)) as pays_in
    from ${OF} where t.id = ${id} and t.removed_at is null and ${applicants.scope(ctx, KEY)} for no key update of t`.execute(
    tx,
  )
  const [held] = rows
  if (!held) throw refuse(404, 'not_found')
  const rule = wanted === null ? null : await definitionOf(tx, wanted)
  const charges = (await chargesOf(tx, id)).filter((one) => one.fee === 'final')
  const reasons = [
    ...checkFullScholarship(
      rule && { id: rule.id, percent: rule.percent === null ? null : Math.round(Number(rule.percent) * 100) },
      { status: held.status, given: held.given, seat_settled: charges.some((one) => one.settled) },
    ),
    // As it will be granted to the student; before a program is given, of any part of the university.
    ...(rule
      ? checkGrant(rule, {
          bylaw_id: held.bylaw_id ?? rule.bylaw_id ?? 0,
          faculty_id: held.faculty_id ?? rule.faculty_id ?? 0,
          level: held.level ?? rule.level ?? 1,
          status: 'studying',
          year_id: held.year_id,
          pays_in: held.pays_in,
          own: false,
        }).map(({ field: _field, ...one }) => one)
      : []),
  ]
  if (reasons.length) throw new Refusal(409, reasons)
  await sql`update applicants set full_scholarship_id = ${wanted}::int, full_scholarship_reason = ${wanted === null ? null : reason}::text
    where id = ${id}`.execute(tx)
  if (wanted !== null && held.status === 'FINAL_FEES_REQUIRED') {
    // Nothing is owed for the seat any more; what was paid of it lies in the wallet.
    for (const { invoice_id } of charges) await takeBackCharge(ctx, tx, invoice_id, reason)
    await applicantWorkflow.take(asSystem(ctx.services, 'A full scholarship was given', ctx.lang), id, 'approve', {
      reason,
    })
  }
  const { rows: after } = await sql<{ id: number; scholarship: Ref | null }>`
    select t.id, ${refOrNull('h')} as scholarship from applicants t left join scholarships h on h.id = t.full_scholarship_id where t.id = ${id}`.execute(
    tx,
  )
  return after[0]!
}

/** The full scholarships that an applicant within reach could be given. @throws {Refusal} 404 */
async function offered(ctx: Ctx, id: number): Promise<{ given: Ref | null; scholarships: Ref[] }> {
  const { rows } = await sql<{ given: Ref | null; scholarships: Ref[] }>`
    select ${refOrNull('g')} as given,
      coalesce((select json_agg(${ref('h')} order by h.code) from scholarships h where ${OFFERED}), '[]') as scholarships
    from ${OF} left join scholarships g on g.id = t.full_scholarship_id
    where t.id = ${id} and t.removed_at is null and ${applicants.scope(ctx, KEY)}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}

export const fullScholarshipHandlers: readonly Handled[] = [
  handle(calls.offered, async (ctx, { params }) => ({ data: await offered(ctx, params.id) })),
  handle(calls.change, async (ctx, { params: { id }, body: { full, reason } }) => {
    const only = full ? (await offered(ctx, id)).scholarships : []
    if (full && only.length !== 1)
      throw refuse(409, only.length ? 'full_scholarship_which' : 'full_scholarship_nowhere')
    return { data: await ctx.write((tx) => change(ctx, tx, id, only[0]?.id ?? null, reason), { reason }) }
  }),
  handle(calls.changeTo, async (ctx, { params: { id, x }, body: { reason } }) => ({
    data: await ctx.write((tx) => change(ctx, tx, id, x, reason), { reason }),
  })),
]
