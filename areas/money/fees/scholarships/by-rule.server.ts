/** Scholarships by a rule: who deserves one, what it would cost, granting it to everybody at once, and judging it again. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Ref } from '#kit/contract/index.ts'
import { insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { keepBasis } from '#kit/server/workflow/basis-registry.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { applyGrants, priceLines, type Currency } from '../pricing.rules.ts'
import { feeFacts, feeSettingsOf } from '../settings.server.ts'
import { scholarshipBasis } from './basis.contract.ts'
import { PAYS_IN, definitionOf, offerOf, scholarshipTermsOf, type Definition } from './definition.server.ts'
import { KEY } from './granted.server.ts'
import type { ApplyPreview } from './grants.contract.ts'
import { deserves, keepsIt, type Basis, type ScholarshipFacts, type SiblingsBy } from './scholarship.rules.ts'

interface Named {
  readonly code: string
  readonly name: string
  readonly name_local: string
}
/** What is known of students who study, within reach. Places and children are counted among all of them. */
async function candidates(ctx: Ctx | null, db: Db | Tx, basis: Basis): Promise<(ScholarshipFacts & Named)[]> {
  const { rows } = await sql<ScholarshipFacts & Named>`
    with known as (
      select s.*, case when s.gpa is not null then rank() over (partition by s.program_id, s.level order by s.gpa desc nulls last) end as place
      from students s where s.status = 'studying' and s.removed_at is null and not s.is_second_record
    ), children as materialized (
      select c.student_id, c.child, c.likely from places_among_siblings(case when ${basis} = 'sibling' then array(select k.id from known k) else '{}' end) c)
    select s.id as student_id, s.code, s.name, s.name_local, s.bylaw_id, s.faculty_id, s.level, s.school_percentage::float8 as percentage,
      s.gpa::float8 as gpa, s.place::int as rank, ${PAYS_IN} as pays_in, c.child, c.likely
    from known s left join children c on c.student_id = s.id
    where ${ctx ? scopeCondition(ctx, KEY, studentReach(ctx, 's')) : sql`true`} order by s.code`.execute(db)
  return rows
}
interface Existing {
  readonly id: number
  readonly student_id: number
}
type Candidate = ScholarshipFacts & Named & { readonly value: number | null; readonly by: SiblingsBy | null }
interface Plan {
  readonly added: readonly Candidate[]
  /** Whom the rule gives nothing by itself: a person says who gets it. */
  readonly proposed: readonly Candidate[]
  readonly lost: readonly (Existing & Named)[]
  readonly kept: number
}
/** Who gets an automatic scholarship for a year, and who has it and does not deserve it any more. */
export async function planFor(ctx: Ctx | null, db: Db | Tx, rule: Definition, year_id: number): Promise<Plan> {
  if (rule.basis === 'manual') throw refuse(409, 'scholarship_is_manual')
  if (!rule.is_active) throw refuse(409, 'scholarship_not_active')
  if (rule.year_id !== null && rule.year_id !== year_id) throw refuse(409, 'scholarship_other_year')
  const all = await candidates(ctx, db, rule.basis)
  const { rows: existing } = await sql<
    Existing & Named & { reached: boolean; by_hand: boolean; by: SiblingsBy | null }
  >`
    select not g.facts ? 'value' as by_hand, g.facts ->> 'by' as by, g.id, g.student_id, s.code, s.name, s.name_local,
      ${ctx ? scopeCondition(ctx, KEY, studentReach(ctx, 's')) : sql`true`} as reached
    from scholarship_grants g join students s on s.id = g.student_id
    where g.scholarship_id = ${rule.id} and g.year_id = ${year_id} and g.status = 'applied' order by g.id`.execute(db)
  const has = new Set(existing.map((row) => row.student_id))
  const judged = new Map(all.map((student) => [student.student_id, deserves(rule, student)]))
  const keeps = (row: (typeof existing)[number]): boolean => {
    const deserved = judged.get(row.student_id)
    // What somebody gave for a reason is no rule's to take.
    return row.by_hand || (deserved !== undefined && keepsIt(deserved, row.by))
  }
  const without = (which: 'has' | 'proposed') =>
    all.flatMap((student): Candidate[] => {
      const deserved = judged.get(student.student_id)
      if (!deserved?.[which] || has.has(student.student_id)) return []
      const by = rule.basis !== 'sibling' ? null : which === 'has' ? 'family' : 'household'
      return [{ ...student, value: deserved.value, by }]
    })
  return {
    added: without('has'),
    proposed: without('proposed'),
    lost: existing.filter((row) => row.reached && !keeps(row)),
    kept: existing.filter(keeps).length,
  }
}

/**
 * Grants a rule for a year: who deserves it and has it not gets it, who has it and does not deserve it loses it.
 *
 * @param accepted students to whom a person gives what the rule only proposes
 */
export async function applyRule(
  tx: Tx,
  rule: Definition,
  year_id: number,
  plan: Plan,
  by: number | null,
  accepted: readonly number[] = [],
): Promise<{ added: number; lost: number }> {
  const now = new Date().toISOString()
  const said = new Set(accepted)
  const added = [...plan.added, ...plan.proposed.filter((student) => said.has(student.student_id))]
  const ids = await insertRows(
    tx,
    'scholarship_grants',
    added.map((student) => ({
      ...scholarshipTermsOf(rule),
      student_id: student.student_id,
      year_id,
      until_year_id: year_id,
      during: 'empty',
      status: 'applied',
      facts: { basis: rule.basis, value: student.value, ...(student.by && { by: student.by }) },
      reason: null,
      granted_by: by,
      granted_at: now,
      version: 1,
      created_at: now,
      updated_at: now,
    })),
    { returning: 'id' },
  )
  // What is had for siblings stands on which child of the family the student is.
  if (rule.basis === 'sibling')
    await keepBasis(
      tx,
      scholarshipBasis,
      added.map((student, i) => ({
        id: Number(ids[i]),
        facts: [{ fact: student.by ?? 'family', fact_id: student.student_id, stood: { child: student.value } }],
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
        and g.student_id = any(${added.map((student) => student.student_id)}::int[])) x having count(*) > 0`.execute(tx)
  if (plan.lost.length)
    await sql`update scholarship_grants set status = 'lost', ended_at = now(), ended_by = ${by}, version = version + 1
      where id = any(${plan.lost.map((row) => row.id)}::int[]) and status = 'applied'`.execute(tx)
  return { added: added.length, lost: plan.lost.length }
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

export async function previewRule(
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
          [...plan.added, ...plan.proposed].map((student) => student.student_id),
          { term_id: term.id },
        )
      : new Map<number, never>()
  const offered = offerOf(rule)
  const costs = new Map<Currency, number>()
  let unknown = 0
  const shown = (student: Candidate, change: 'added' | 'proposed'): ApplyPreview['rows'][number] => {
    const known = facts.get(student.student_id)
    const without = known && settings ? priceLines(known, settings) : null
    let amount: number | null = null
    if (!without || without.reasons.length || !without.currency || !settings || !known)
      unknown += change === 'proposed' || (without?.lines.length === 0 && !without.reasons.length) ? 0 : 1
    else {
      const granted = applyGrants(without.lines, [...known.grants, offered], settings)
      amount = without.amount - granted.reduce((sum, line) => sum + line.amount, 0)
      if (change === 'added') costs.set(without.currency, (costs.get(without.currency) ?? 0) + amount)
    }
    return {
      student: { id: student.student_id, code: student.code, name: student.name, name_local: student.name_local },
      change,
      value: student.value === null ? null : String(student.value),
      amount,
      currency: without?.currency ?? null,
      siblings: [],
    }
  }
  const rows = plan.added.map((student) => shown(student, 'added'))
  const proposed = plan.proposed.map((student) => shown(student, 'proposed'))
  const lost = plan.lost.map((row) => ({
    student: { id: row.student_id, code: row.code, name: row.name, name_local: row.name_local },
    change: 'lost' as const,
    value: null,
    amount: null,
    currency: null,
    siblings: [],
  }))
  const first = [...lost, ...proposed, ...rows].slice(0, 100)
  return {
    students: plan.added.length + plan.kept,
    kept: plan.kept,
    proposed: plan.proposed.length,
    added: plan.added.length,
    lost: plan.lost.length,
    term,
    cap: settings?.grant_cap ?? null,
    costs: [...costs]
      .map(([currency, amount]) => ({ currency, amount }))
      .toSorted((a, b) => a.currency.localeCompare(b.currency)),
    unknown,
    rows: rule.basis === 'sibling' ? await withSiblings(ctx, first) : first,
  }
}

/** The same with who is known as a sibling: by what somebody decides. */
async function withSiblings(ctx: Ctx, rows: ApplyPreview['rows']): Promise<ApplyPreview['rows']> {
  const { rows: siblings } = await sql<{ student_id: number; sibling: Ref }>`
    select distinct on (p.student_id, s.code) p.student_id, ${ref('s')} as sibling
    from siblings_of(${rows.map((row) => row.student.id)}::int[]) p
      join students s on s.id = p.other_id and s.status = 'studying' and s.removed_at is null and not s.is_second_record
    order by p.student_id, s.code`.execute(ctx.db)
  const of = Map.groupBy(siblings, (row) => row.student_id)
  return rows.map((row) => ({ ...row, siblings: (of.get(row.student.id) ?? []).map((one) => one.sibling) }))
}

const KIND = 'grant/scholarship'
/** One rule for one year: everybody at once, as one operation that can be undone. */
export const applyJob = defineJob<
  { scholarship_id: number; year_id: number; accepted?: readonly number[] },
  { added: number; lost: number; operation_id: number | null }
>({
  name: 'apply-scholarship',
  retries: 2,
  run: async (ctx, { scholarship_id, year_id, accepted = [] }) => {
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
          accepted,
        )
        return { result: counts, counts: { created: counts.added, changed: counts.lost } }
      },
    )
    return { ...result, operation_id }
  },
})
registerOperation({ kind: KIND, label: ['Granted scholarships', 'المنح الممنوحة'], permission: KEY })
