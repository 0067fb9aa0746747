/** Scholarships of students: granted by hand, removed with a reason; those by a rule stand in `by-rule.server.ts`. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { Currency, GrantFacts } from '../pricing.rules.ts'
import { applyJob, planFor, previewRule } from './by-rule.server.ts'
import { PAYS_IN, definitionOf, offerOf, scholarshipTermsOf, type Definition } from './definition.server.ts'
import { grantCalls, type GrantRow } from './grants.contract.ts'
import { checkGrant, type Basis } from './scholarship.rules.ts'
import { removeScholarship, scholarships } from './scholarships.server.ts'
import { KEY, SEE, list, one, sheet } from './granted.server.ts'

interface Asked {
  readonly scholarship_id: number
  readonly year_id: number
  readonly until_year_id?: number | null | undefined
}
/** Why a student within reach is not given a scholarship by hand; and its terms, as if it were. */
async function considerGrant(
  ctx: Ctx,
  db: Db | Tx,
  student_id: number,
  asked: Asked,
  lock = false,
): Promise<{ rule: Definition; reasons: Reason[] }> {
  const { rows } = await sql<{
    user_id: number | null
    bylaw_id: number
    faculty_id: number
    level: number
    status: string
    pays_in: Currency | null
  }>`
    select s.user_id, s.bylaw_id, s.faculty_id, s.level, s.status, ${PAYS_IN} as pays_in from students s
    where s.id = ${student_id} and s.removed_at is null and ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))} ${lock ? sql`for update of s` : sql``}`.execute(
    db,
  )
  const [student] = rows
  if (!student) throw refuse(404, 'not_found')
  const rule = await definitionOf(db, asked.scholarship_id)
  const reasons = checkGrant(rule, {
    ...student,
    year_id: asked.year_id,
    own: student.user_id !== null && peopleOf(ctx).includes(student.user_id),
  })
  return { rule, reasons }
}
/** By hand: one student, from one year to another, within what is written; a reason why not is a refusal. */
export async function giveGrant(
  ctx: Ctx,
  tx: Tx,
  student_id: number,
  body: Asked & { readonly reason: string },
): Promise<GrantRow> {
  const { rule, reasons } = await considerGrant(ctx, tx, student_id, body, true)
  if (reasons.length) throw new Refusal(409, reasons)
  const [id] = await insertRows(
    tx,
    'scholarship_grants',
    [
      {
        ...scholarshipTermsOf(rule),
        student_id,
        year_id: body.year_id,
        until_year_id: body.until_year_id ?? body.year_id,
        reason: body.reason,
        granted_by: ctx.actor?.user_id ?? null,
        during: 'empty',
        status: 'applied',
        facts: {},
        granted_at: new Date().toISOString(),
        version: 1,
        created_at: new Date().toISOString(),
        updated_at: new Date().toISOString(),
      },
    ],
    { returning: 'id' },
  )
  return one(ctx, tx, id as number)
}
/**
 * A scholarship as a student would have it for a year, and every reason why not: it is not for the student or the year, or is
 * granted already. Nothing is written.
 */
export async function offerGrant(
  ctx: Ctx,
  db: Db | Tx,
  student_id: number,
  asked: Asked,
): Promise<{ offered: GrantFacts; reasons: Reason[] }> {
  const { rule, reasons } = await considerGrant(ctx, db, student_id, asked)
  const { rows } = await sql`select from scholarship_grants g join years y on y.id = ${asked.year_id}
    where g.student_id = ${student_id} and g.scholarship_id = ${rule.id} and g.status = 'applied' and g.during @> y.start_date`.execute(
    db,
  )
  return { offered: offerOf(rule), reasons: rows.length ? [...reasons, { code: 'grant_twice' }] : reasons }
}
const grant = (ctx: Ctx, student_id: number, body: Asked & { readonly reason: string }) =>
  ctx.write((tx) => giveGrant(ctx, tx, student_id, body), { reason: body.reason })

const remove = (
  ctx: Ctx,
  student_id: number,
  id: number,
  { reason, version }: { reason: string; version?: number | undefined },
) =>
  ctx.write(
    async (tx) => {
      const { rows } = await sql<{ status: string; version: number; own: boolean }>`
        select t.status, t.version, coalesce(s.user_id = any(${peopleOf(ctx)}::int[]), false) as own
        from scholarship_grants t join students s on s.id = t.student_id
        where t.id = ${id} and t.student_id = ${student_id} and ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))} for update of t`.execute(
        tx,
      )
      const [found] = rows
      if (!found) throw refuse(404, 'not_found')
      if (version !== undefined && version !== found.version)
        throw refuse(409, 'changed_meanwhile', { version: found.version })
      if (found.status !== 'applied') throw refuse(409, 'grant_ended')
      if (found.own) throw refuse(403, 'scholarship_own')
      await sql`update scholarship_grants set status = 'removed', ended_at = now(), ended_by = ${ctx.actor?.user_id ?? null},
        ended_reason = ${reason}, version = version + 1 where id = ${id}`.execute(tx)
      return one(ctx, tx, id)
    },
    { reason },
  )

const isAutomatic = async (ctx: Ctx, id: number): Promise<void> => {
  const { basis } = await definitionOf(ctx.db, id)
  if (basis === 'manual') throw refuse(409, 'scholarship_is_manual')
}
const AUTOMATIC: readonly Basis[] = ['percentage', 'gpa', 'rank', 'sibling']

export const grantHandlers: readonly Handled[] = [
  handle(grantCalls.automatic, async (ctx, { body }) => {
    const base = scholarships.source(ctx, { removed: body.removed, access: 'access_scholarship' })
    const { data, meta } = await pagedList<Record<string, unknown>>(
      ctx,
      { ...base, where: [...base.where, sql`t.basis = any(${AUTOMATIC}::text[])`] },
      body,
    )
    return { data: scholarships.finish(ctx, data), meta }
  }),
  handle(grantCalls.addAutomatic, async (ctx, { params, body }) => {
    const input = body as Record<string, unknown>
    if (input.basis === 'manual') throw refuse(422, 'scholarship_is_manual', undefined, 'basis')
    const id = await ctx.write((tx) =>
      scholarships.insert(ctx, tx, { ...input, bylaw_id: params.bylaw, is_active: input.is_active ?? true }),
    )
    return { data: await scholarships.get(ctx, ctx.db, id) }
  }),
  handle(grantCalls.putAutomatic, async (ctx, { params, body }) => {
    await isAutomatic(ctx, params.id)
    await ctx.write((tx) => scholarships.update(ctx, tx, params.id, body as Record<string, unknown>))
    return { data: await scholarships.get(ctx, ctx.db, params.id) }
  }),
  handle(grantCalls.removeAutomatic, async (ctx, { params }) => {
    await isAutomatic(ctx, params.id)
    await removeScholarship(ctx, params.id)
    return { data: { id: params.id } }
  }),
  handle(grantCalls.preview, async (ctx, { params, body }) => ({ data: await previewRule(ctx, params.id, body) })),
  handle(grantCalls.apply, async (ctx, { params, body }) => {
    const rule = await definitionOf(ctx.db, params.id)
    // What cannot be done is said at once.
    await planFor(ctx, ctx.db, rule, body.year_id)
    const { rows } = await sql`select from years where id = ${body.year_id} and removed_at is null`.execute(ctx.db)
    if (!rows.length) throw refuse(422, 'reference_missing', undefined, 'year_id')
    const job_id = await ctx.write((tx) =>
      ctx.services.jobs.send(
        tx,
        applyJob,
        { scholarship_id: params.id, year_id: body.year_id, accepted: body.accepted },
        { actor: ctx.actor, lang: ctx.lang },
      ),
    )
    return { job_id }
  }),
  handle(grantCalls.list, (ctx, { body }) => list(ctx, body)),
  handle(grantCalls.ofStudent, async (ctx, { params, body }) => {
    const { rows } = await sql`select from students s where s.id = ${params.id} and s.removed_at is null
      and ${scopeCondition(ctx, SEE, studentReach(ctx, 's'))}`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
    return list(ctx, body, [sql`t.student_id = ${params.id}`])
  }),
  handle(grantCalls.grant, async (ctx, { params, body }) => ({ data: await grant(ctx, params.id, body) })),
  handle(grantCalls.remove, async (ctx, { params, body }) => ({
    data: await remove(ctx, params.id, params.scholarshipId, body),
  })),
  handle(grantCalls.export, (ctx, { body }) => sheet(ctx, body, body.lang ?? (ctx.lang === 'ar' ? 'ar' : 'en'))),
]
