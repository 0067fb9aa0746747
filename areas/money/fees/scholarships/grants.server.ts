/** Scholarships of students: granted by hand or by a rule, removed with a reason, and what a rule would cost. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Ref } from '#kit/contract/index.ts'
import { insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, peopleOf, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { pagedList } from '#kit/server/resource/list.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { applyGrants, priceLines, type Currency, type FeeType, type GrantFacts } from '../pricing.rules.ts'
import { feeFacts, feeSettingsOf } from '../settings.server.ts'
import { scholarshipBasis } from './basis.contract.ts'
import { grantCalls, type ApplyPreview, type GrantRow } from './grants.contract.ts'
import { checkGrant, deserves, type Automatic, type Basis, type ScholarshipFacts } from './scholarship.rules.ts'
import { removeScholarship, scholarships } from './scholarships.server.ts'
import { KEY, SEE, list, one, sheet } from './granted.server.ts'

interface Definition extends Automatic {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly year_id: number | null
  readonly percent: string | null
  readonly amount: number | null
  readonly currency: Currency | null
  readonly types: FeeType[]
  readonly item_ids: number[]
  readonly priority: number
  readonly is_active: boolean
}
async function definitionOf(db: Db | Tx, id: number, lock = false): Promise<Definition> {
  const { rows } =
    await sql<Definition>`select h.id, h.code, h.name, h.name_local, h.basis, h.from_value::float8 as from_value,
      h.to_value::float8 as to_value, h.year_id, h.bylaw_id, h.faculty_id, h.level, h.percent::text as percent, h.amount::float8 as amount, h.currency, h.types,
      coalesce((select array_agg(i.fee_item_id order by i.fee_item_id) from scholarship_items i where i.scholarship_id = h.id), '{}') as item_ids,
      h.priority, h.is_active
    from scholarships h where h.id = ${id} and h.removed_at is null ${lock ? sql`for no key update` : sql``}`.execute(
      db,
    )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
/** What somebody would have of it who has it not yet: after all that are there. */
const offerOf = (rule: Definition): GrantFacts => ({
  id: Number.MAX_SAFE_INTEGER,
  scholarship: { id: rule.id, name: rule.name, name_local: rule.name_local },
  percent: rule.percent === null ? null : Math.round(Number(rule.percent) * 100),
  amount: rule.amount,
  currency: rule.currency,
  types: rule.types,
  item_ids: rule.item_ids,
  priority: rule.priority,
})
const termsOf = (rule: Definition) => ({
  scholarship_id: rule.id,
  percent: rule.percent,
  amount: rule.amount,
  currency: rule.currency,
  types: rule.types,
  item_ids: rule.item_ids,
  priority: rule.priority,
})

/** SQL: the currency in which the student `s` pays. */
const PAYS_IN = sql.raw(
  '(select n.currency from nationality_groups n where n.id = nationality_group_of(s.nationality_id))',
)

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
        ...termsOf(rule),
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

// --- By a rule ----------------------------------------------------------------------------------------------------------

/** What is known of students who study, within reach. Places and children are counted among all of them. */
async function candidates(
  ctx: Ctx | null,
  db: Db | Tx,
): Promise<(ScholarshipFacts & { code: string; name: string; name_local: string })[]> {
  const { rows } = await sql<ScholarshipFacts & { code: string; name: string; name_local: string }>`
    with known as (
      select s.*, case when s.gpa is not null then rank() over (partition by s.program_id, s.level order by s.gpa desc nulls last) end as place,
        right(regexp_replace(coalesce(s.parent_phone, ''), '\\D', '', 'g'), 10) as family
      from students s where s.status = 'studying' and s.removed_at is null and not s.is_second_record
    ), children as (
      select k.id, row_number() over (partition by k.family order by t.start_date nulls last, k.id) as child, count(*) over (partition by k.family) as all
      from known k left join terms t on t.id = k.entry_term_id where length(k.family) = 10
    )
    select s.id as student_id, s.code, s.name, s.name_local, s.bylaw_id, s.faculty_id, s.level, s.school_percentage::float8 as percentage,
      s.gpa::float8 as gpa, s.place::int as rank, ${PAYS_IN} as pays_in, case when c.all > 1 then c.child::int end as child
    from known s left join children c on c.id = s.id
    where ${ctx ? scopeCondition(ctx, KEY, studentReach(ctx, 's')) : sql`true`} order by s.code`.execute(db)
  return rows
}
interface Existing {
  readonly id: number
  readonly student_id: number
}
interface Plan {
  readonly added: readonly (ScholarshipFacts & {
    code: string
    name: string
    name_local: string
    value: number | null
  })[]
  readonly lost: readonly (Existing & { code: string; name: string; name_local: string })[]
  readonly kept: number
}
/** Who gets an automatic scholarship for a year, and who has it and does not deserve it any more. */
async function planFor(ctx: Ctx | null, db: Db | Tx, rule: Definition, year_id: number): Promise<Plan> {
  if (rule.basis === 'manual') throw refuse(409, 'scholarship_is_manual')
  if (!rule.is_active) throw refuse(409, 'scholarship_not_active')
  if (rule.year_id !== null && rule.year_id !== year_id) throw refuse(409, 'scholarship_other_year')
  const all = await candidates(ctx, db)
  const { rows: existing } = await sql<
    Existing & { code: string; name: string; name_local: string; reached: boolean; by_hand: boolean }
  >`
    select not g.facts ? 'value' as by_hand, g.id, g.student_id, s.code, s.name, s.name_local, ${ctx ? scopeCondition(ctx, KEY, studentReach(ctx, 's')) : sql`true`} as reached
    from scholarship_grants g join students s on s.id = g.student_id
    where g.scholarship_id = ${rule.id} and g.year_id = ${year_id} and g.status = 'applied' order by g.id`.execute(db)
  const has = new Set(existing.map((row) => row.student_id))
  const deserving = all.flatMap((student) => {
    const { has: yes, value } = deserves(rule, student)
    return yes ? [{ ...student, value }] : []
  })
  const deserved = new Set(deserving.map((student) => student.student_id))
  return {
    added: deserving.filter((student) => !has.has(student.student_id)),
    lost: existing.filter((row) => row.reached && !row.by_hand && !deserved.has(row.student_id)),
    // What somebody gave for a reason is no rule's to take.
    kept: existing.filter((row) => row.by_hand || deserved.has(row.student_id)).length,
  }
}

/** Grants a rule for a year: who deserves it and has it not gets it, who has it and does not deserve it loses it. */
export async function applyRule(
  tx: Tx,
  rule: Definition,
  year_id: number,
  plan: Plan,
  by: number | null,
): Promise<{ added: number; lost: number }> {
  const now = new Date().toISOString()
  await insertRows(
    tx,
    'scholarship_grants',
    plan.added.map((student) => ({
      ...termsOf(rule),
      student_id: student.student_id,
      year_id,
      until_year_id: year_id,
      during: 'empty',
      status: 'applied',
      facts: { basis: rule.basis, value: student.value },
      reason: null,
      granted_by: by,
      granted_at: now,
      version: 1,
      created_at: now,
      updated_at: now,
    })),
  )
  // What was earned by results stands on those that counted: of each course of the study that is published.
  if (STANDS.has(rule.basis))
    await sql`select keep_basis(${scholarshipBasis.kind}, array_agg(distinct x.id), jsonb_agg(jsonb_build_object('decision_id', x.id,
        'fact', 'result', 'fact_id', x.registration_id))) from (
      select g.id, r.id as registration_id from scholarship_grants g join students s on s.id = g.student_id
        join registrations r on r.student_id = g.student_id and r.letter is not null and r.counts_in_gpa
          and term_after(r.term_id, s.study_after_term_id)
        join offerings o on o.id = r.offering_id and o.control_status in ('Published', 'Frozen')
      where g.scholarship_id = ${rule.id} and g.year_id = ${year_id} and g.status = 'applied'
        and g.student_id = any(${plan.added.map((student) => student.student_id)}::int[])) x having count(*) > 0`.execute(
      tx,
    )
  if (plan.lost.length)
    await sql`update scholarship_grants set status = 'lost', ended_at = now(), ended_by = ${by}, version = version + 1
      where id = any(${plan.lost.map((row) => row.id)}::int[]) and status = 'applied'`.execute(tx)
  return { added: plan.added.length, lost: plan.lost.length }
}
/** Rules that look at results. */
const STANDS: ReadonlySet<Basis> = new Set<Basis>(['gpa', 'rank'])

/** Scholarships whose results have changed are judged by their rule as it is now: who does not deserve one loses it. */
export async function judgeAgain(ctx: Ctx, tx: Tx, ids: readonly number[]): Promise<void> {
  const { rows } = await sql<{ id: number; scholarship_id: number; year_id: number }>`
    select id, scholarship_id, year_id from scholarship_grants where id = any(${[...ids]}::int[]) and status = 'applied'
    order by id for update`.execute(tx)
  for (const { id, scholarship_id, year_id } of rows) {
    const plan = await planFor(ctx, tx, await definitionOf(tx, scholarship_id), year_id)
    if (plan.lost.some((one) => one.id === id))
      await sql`update scholarship_grants set status = 'lost', ended_at = now(), ended_by = ${ctx.actor?.user_id ?? null},
        version = version + 1 where id = ${id}`.execute(tx)
  }
}

/** For the demo university: whoever deserves it. */
export async function applyToAll(tx: Tx, code: string, year_id: number): Promise<void> {
  const { rows } = await sql<{ id: number }>`select id from scholarships where code = ${code}`.execute(tx)
  const rule = await definitionOf(tx, firstRow(rows).id)
  await applyRule(tx, rule, year_id, await planFor(null, tx, rule, year_id), null)
}

/** In which term it is counted: the one named, else the first one of the year that runs, or its first one. */
async function termOf(db: Db | Tx, year_id: number, term_id: number | undefined): Promise<Ref | null> {
  const { rows } = await sql<{
    term: Ref
  }>`select ${ref('e')} as term from terms e where year_id = ${year_id} and removed_at is null and term_type <> 'summer'
      and ${term_id === undefined ? sql`true` : sql`id = ${term_id}`}
    order by university_today() between start_date and end_date desc, start_date limit 1`.execute(db)
  return rows[0]?.term ?? null
}

async function preview(
  ctx: Ctx,
  id: number,
  { year_id, term_id }: { year_id: number; term_id?: number | undefined },
): Promise<ApplyPreview> {
  const rule = await definitionOf(ctx.db, id)
  const plan = await planFor(ctx, ctx.db, rule, year_id)
  const [settings, term] = [await feeSettingsOf(ctx.db, year_id), await termOf(ctx.db, year_id, term_id)]
  const facts =
    settings && term !== null
      ? await feeFacts(
          ctx.db,
          plan.added.map((student) => student.student_id),
          { term_id: term.id },
        )
      : new Map<number, never>()
  const offered = offerOf(rule)
  const costs = new Map<Currency, number>()
  let unknown = 0
  const rows: ApplyPreview['rows'] = []
  for (const student of plan.added) {
    const known = facts.get(student.student_id)
    const without = known && settings ? priceLines(known, settings) : null
    let amount: number | null = null
    if (!without || without.reasons.length || !without.currency || !settings || !known)
      unknown += without?.lines.length === 0 && !without.reasons.length ? 0 : 1
    else {
      const granted = applyGrants(without.lines, [...known.grants, offered], settings)
      amount = without.amount - granted.reduce((sum, line) => sum + line.amount, 0)
      costs.set(without.currency, (costs.get(without.currency) ?? 0) + amount)
    }
    rows.push({
      student: { id: student.student_id, code: student.code, name: student.name, name_local: student.name_local },
      change: 'added',
      value: student.value === null ? null : String(student.value),
      amount,
      currency: without?.currency ?? null,
    })
  }
  const lost = plan.lost.map((row) => ({
    student: { id: row.student_id, code: row.code, name: row.name, name_local: row.name_local },
    change: 'lost' as const,
    value: null,
    amount: null,
    currency: null,
  }))
  return {
    students: plan.added.length + plan.kept,
    kept: plan.kept,
    added: plan.added.length,
    lost: plan.lost.length,
    term,
    cap: settings?.grant_cap ?? null,
    costs: [...costs]
      .map(([currency, amount]) => ({ currency, amount }))
      .toSorted((a, b) => a.currency.localeCompare(b.currency)),
    unknown,
    rows: [...lost, ...rows].slice(0, 100),
  }
}

const KIND = 'grant/scholarship'
/** One rule for one year: everybody at once, as one operation that can be undone. */
export const applyJob = defineJob<
  { scholarship_id: number; year_id: number },
  { added: number; lost: number; operation_id: number | null }
>({
  name: 'apply-scholarship',
  retries: 2,
  run: async (ctx, { scholarship_id, year_id }) => {
    const named = await definitionOf(ctx.db, scholarship_id)
    const { result, operation_id } = await writeOperation(
      ctx,
      { kind: KIND, facts: { about: named.code, year_id } },
      async (tx) => {
        const rule = await definitionOf(tx, scholarship_id, true)
        const counts = await applyRule(
          tx,
          rule,
          year_id,
          await planFor(ctx, tx, rule, year_id),
          ctx.actor?.user_id ?? null,
        )
        return { result: counts, counts: { created: counts.added, changed: counts.lost } }
      },
    )
    return { ...result, operation_id }
  },
})
registerOperation({ kind: KIND, label: ['Granted scholarships', 'المنح الممنوحة'], permission: KEY })

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
  handle(grantCalls.preview, async (ctx, { params, body }) => ({ data: await preview(ctx, params.id, body) })),
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
        { scholarship_id: params.id, year_id: body.year_id },
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
