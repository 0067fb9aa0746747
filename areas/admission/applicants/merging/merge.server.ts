/** Applications of one person: found, compared, and one of them cancelled for the other. */
import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem } from '#kit/server/base/errors.ts'
import { cutRows } from '#kit/server/base/cut.ts'
import { applicants } from '../applicant/applicant.server.ts'
import { applicantWorkflow } from '../applicant/flow.server.ts'
import { applicantMergeCalls as calls, type AlikePair, type ApplicationSide } from './merge.contract.ts'
import { mergingProblems } from './merge.rules.ts'

const named = (alias: string) =>
  sql.raw(
    `json_build_object('id', ${alias}.id, 'code', ${alias}.code, 'name', ${alias}.name, 'name_local', ${alias}.name_local)`,
  )
type Side = ApplicationSide & { admission_id: number; language: string }

/** Both applications, within reach, in the order asked. @throws {Refusal} 404 */
async function sides(ctx: Ctx, db: Db | Tx, ids: readonly [number, number]): Promise<[Side, Side]> {
  const { rows } =
    await sql<Side>`select t.id, t.version, t.code, t.name, t.name_local, t.status, t.email, t.phone, t.national_id,
      t.passport_number, t.birth_date::text, t.percentage::text, t.created_at, t.submitted_at, t.admission_id, t.language,
      (select count(*)::int from applicant_documents d where d.applicant_id = t.id) as documents,
      (select count(*)::int from applicant_comments c where c.applicant_id = t.id) as comments,
      coalesce((select json_agg(${named('p')} order by w.position) from applicant_preferences w join programs p on p.id = w.program_id
        where w.applicant_id = t.id), '[]') as wishes,
      (select ${named('p')} from programs p where p.id = t.program_id) as program,
      t.status in ('APPROVED', 'accepted') or exists (select from applicant_fees f where f.applicant_id = t.id and f.settled
        and f.taken_back_at is null) as paid
    from applicants t where t.id = any(${[...ids]}::int[]) and t.removed_at is null and ${applicants.scope(ctx, 'cancel_applicant')}`.execute(
      db,
    )
  const found = ids.map((id) => rows.find((row) => row.id === id))
  const [kept, merged] = found
  if (!kept || !merged) throw refuse(404, 'not_found')
  return [kept, merged]
}

/** Why the two were said to be of two people; null: nobody said so. */
async function apartOf(db: Db | Tx, one: number, other: number): Promise<string | null> {
  const { rows } = await sql<{ reason: string }>`select reason from applicants_apart
    where one_id = ${Math.min(one, other)} and other_id = ${Math.max(one, other)}`.execute(db)
  return rows[0]?.reason ?? null
}
const told = ({ admission_id: _admission, language: _language, ...side }: Side): ApplicationSide => side

const compare = handle(calls.compare, async (ctx, { params: { keep, merge } }) => {
  const [kept, merged] = await sides(ctx, ctx.db, [keep, merge])
  const problems = mergingProblems(kept, merged, await apartOf(ctx.db, keep, merge))
  return { data: { kept: told(kept), merged: told(merged), problems: problems.map((reason) => toProblem(reason)) } }
})

const merge = handle(calls.merge, (ctx, { body: { keep_id, merge_id, seen } }) =>
  ctx.write(async (tx) => {
    await sql`select from applicants where id = any(${[keep_id, merge_id]}::int[]) order by id for no key update`.execute(
      tx,
    )
    const [kept, merged] = await sides(ctx, tx, [keep_id, merge_id])
    const problems = mergingProblems(kept, merged, await apartOf(tx, keep_id, merge_id))
    if (problems.length) throw new Refusal(409, problems)
    if (kept.version !== seen[0] || merged.version !== seen[1]) throw refuse(409, 'changed_meanwhile')
    const reason =
      merged.language === 'ar'
        ? `الطلب ${kept.code} لنفس الشخص، ويُستكمل من خلاله.`
        : `Application ${kept.code} is of the same person, and goes on in its place.`
    await applicantWorkflow.take(ctx, merge_id, 'cancel', { reason })
    // Those that went into it before go on in the same place.
    await sql`update applicants set merged_into_id = ${keep_id} where id = ${merge_id} or merged_into_id = ${merge_id}`.execute(
      tx,
    )
    return { data: { id: keep_id } }
  }),
)

/** @throws {Refusal} 404 unless both are within reach */
async function requireBoth(ctx: Ctx, tx: Tx, one: number, other: number): Promise<void> {
  const { rows } = await sql`select from applicants t where t.id = any(${[one, other]}::int[]) and t.removed_at is null
    and ${applicants.scope(ctx, 'review_applicant')}`.execute(tx)
  if (rows.length < 2) throw refuse(404, 'not_found')
}

const apart = handle(calls.apart, (ctx, { body: { one_id, other_id, reason } }) =>
  ctx.write(async (tx) => {
    if (one_id === other_id) throw refuse(422, 'applicants_same', {}, 'other_id')
    await requireBoth(ctx, tx, one_id, other_id)
    await sql`insert into applicants_apart (one_id, other_id, reason, created_by)
      values (${Math.min(one_id, other_id)}, ${Math.max(one_id, other_id)}, ${reason}, ${ctx.actor?.user_id ?? null})
      on conflict (one_id, other_id) do update set reason = excluded.reason, created_by = excluded.created_by`.execute(
      tx,
    )
    return { data: null }
  }),
)

// Where nobody said so, there is nothing to take back.
const together = handle(calls.together, (ctx, { params: { one, other } }) =>
  ctx.write(async (tx) => {
    if (one === other) throw refuse(409, 'applicants_same')
    await requireBoth(ctx, tx, one, other)
    await sql`delete from applicants_apart where one_id = ${Math.min(one, other)} and other_id = ${Math.max(one, other)}`.execute(
      tx,
    )
    return { data: null }
  }),
)

/** SQL of pairs that have something in common, by an index of the admission for each. */
const alikeBy = (
  by: AlikePair['by'][number],
  same: string,
) => sql`select a.id as one_id, b.id as other_id, ${sql.lit(by)} as by
  from mine a join mine b on b.id > a.id and ${sql.raw(same)}`

const duplicates = handle(calls.duplicates, (ctx, { params: { id }, query: { most } }) =>
  cutRows<AlikePair>(
    ctx.db,
    sql`with mine as (select t.id, t.national_id, t.passport_number, t.phone, t.birth_date, fold_text(t.name_local) as called
        from applicants t where t.admission_id = ${id} and t.removed_at is null and t.status not in ('CANCELLED', 'accepted')
          and ${applicants.scope(ctx, 'access_applicant')}),
      alike as (${alikeBy('national_id', 'b.national_id = a.national_id')}
        union all ${alikeBy('passport_number', 'b.passport_number = a.passport_number')}
        union all ${alikeBy('phone', 'b.phone = a.phone')}
        union all ${alikeBy('name', 'b.birth_date = a.birth_date and b.called = a.called')}),
      pairs as (select one_id, other_id, array_agg(by) as by, bool_or(by in ('national_id', 'passport_number')) as sure from alike x
        where not exists (select from applicants_apart y where y.one_id = x.one_id and y.other_id = x.other_id) group by 1, 2)
      select json_build_object('id', o.id, 'code', o.code, 'name', o.name, 'name_local', o.name_local, 'status', o.status, 'email', o.email) as one,
        json_build_object('id', r.id, 'code', r.code, 'name', r.name, 'name_local', r.name_local, 'status', r.status, 'email', r.email) as other,
        p.by from pairs p join applicants o on o.id = p.one_id join applicants r on r.id = p.other_id
      order by p.sure desc, o.id, r.id`,
    most,
  ),
)

export const applicantMergeHandlers: readonly Handled[] = [duplicates, compare, merge, apart, together]
