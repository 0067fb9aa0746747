/** Counts risks: who stands out today, by the rules and the model of today. What stood before is ended, and kept. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { sql } from 'kysely'
import { encode } from '../model/frame.rules.ts'
import { sharesBy, type WarningModel } from '../model/model.rules.ts'
import { riskFiguresTable, HARD } from '../rules/figures.rules.ts'
import { ownFacts, riskOf, type RiskRule } from '../rules/risk.rules.ts'
import { studentFactsOf, type KnownStudent } from './facts.server.ts'
import { warningSettings, type WarningSettings } from './settings.server.ts'

/** Students in one transaction. */
const SOME = 500

interface Judging {
  readonly rules: readonly RiskRule[]
  readonly model: { readonly id: number; readonly model: WarningModel } | null
  readonly settings: WarningSettings
  readonly term_id: number
}

/** By what is counted today; null: there is no running term. */
export async function readJudging(db: Db | Tx, settings: WarningSettings): Promise<Judging | null> {
  const { rows } = await sql<{ term_id: number | null; rules: RiskRule[]; model: Judging['model'] }>`
    select ${currentTermId()} as term_id,
      coalesce((select json_agg(json_build_object('kind', r.kind, 'threshold', r.threshold::float8, 'points', r.points))
        from early_warning_rules r where r.is_active and r.removed_at is null), '[]') as rules,
      (select json_build_object('id', m.id, 'model', m.model) from risk_models m where m.is_used) as model`.execute(db)
  const [row] = rows
  return row?.term_id ? { ...row, term_id: row.term_id, settings } : null
}

/** The model's word on each student: the probability of a hard term. */
function probabilitiesOf(model: WarningModel, students: readonly KnownStudent[]): number[] {
  const table = riskFiguresTable(students.map(({ facts }) => facts))
  const hard = model.classes.indexOf(HARD)
  return sharesBy(model, encode(table, model.schema.columns, '.').encoded).map((one) => one[hard]!)
}

/** What stands of each student, as it is stored. */
function standingRisks({ rules, model, settings, term_id }: Judging, students: readonly KnownStudent[]) {
  const probabilities = model && students.length ? probabilitiesOf(model.model, students) : null
  return students.flatMap(({ student_id, facts }, i) => {
    const known = { ...facts, probability: probabilities?.[i] ?? null }
    const risk = riskOf(known, rules, settings)
    if (risk.level === null) return []
    const own = riskOf(ownFacts(known), rules, settings)
    return [
      {
        student_id,
        term_id,
        level: risk.level,
        points: risk.points,
        probability: known.probability,
        risk_model_id: model?.id ?? null,
        reasons: risk.reasons,
        facts: known,
        own_level: own.level,
        own_reasons: own.reasons,
      },
    ]
  })
}

/** The rules that speak, with their weight: another risk begins where these are others. */
const sameRules = (a: string, b: string) =>
  `(select array_agg(x ->> 'code' || (x ->> 'points') order by x ->> 'code') from jsonb_array_elements(${a}) x)
    is not distinct from (select array_agg(x ->> 'code' || (x ->> 'points') order by x ->> 'code') from jsonb_array_elements(${b}) x)`

/** Nobody else counts these students meanwhile. */
async function holdStudents(tx: Tx, students: readonly number[]): Promise<void> {
  const ids = sql`any(${[...students]}::int[])`
  await sql`select from students where id = ${ids} order by id for no key update`.execute(tx)
  await sql`select from student_risks where student_id = ${ids} and ended_at is null order by id for update`.execute(tx)
}

/** Stores what stands of students that are held, and ends what does not. */
async function settle(tx: Tx, students: readonly number[], risks: ReturnType<typeof standingRisks>): Promise<void> {
  const given = sql`jsonb_to_recordset(${JSON.stringify(risks)}::jsonb) as n (student_id int, term_id int, level text, points int,
    probability numeric, risk_model_id int, reasons jsonb, facts jsonb, own_level text, own_reasons jsonb)`
  // Where the same rules speak, the figures become those of today; else another risk begins.
  await sql`
    with same as (
      update student_risks k set probability = n.probability, risk_model_id = n.risk_model_id, reasons = n.reasons, facts = n.facts,
        own_level = n.own_level, own_reasons = n.own_reasons, counted_at = greatest(clock_timestamp(), k.began_at)
      from ${given} where k.student_id = n.student_id and k.ended_at is null and k.term_id = n.term_id and k.level = n.level
        and ${sql.raw(sameRules('k.reasons', 'n.reasons'))} returning k.id)
    update student_risks k set ended_at = greatest(clock_timestamp(), k.counted_at)
    where k.student_id = any(${[...students]}::int[]) and k.ended_at is null and k.id not in (select id from same)`.execute(
    tx,
  )
  await sql`
    insert into student_risks (student_id, term_id, level, points, probability, risk_model_id, reasons, facts, own_level, own_reasons,
      began_at, counted_at)
    select n.student_id, n.term_id, n.level, n.points, n.probability, n.risk_model_id, n.reasons, n.facts, n.own_level, n.own_reasons, x.at, x.at
    from ${given} cross join (select clock_timestamp() as at) x
    where not exists (select from student_risks k where k.student_id = n.student_id and k.ended_at is null)
    order by n.student_id`.execute(tx)
}

/** Counts the risks of some students. @returns how many of them stand out */
export async function countSome(tx: Tx, judging: Judging, ids: readonly number[]): Promise<number> {
  await holdStudents(tx, ids)
  const known = await studentFactsOf(
    tx,
    sql`${judging.term_id}`,
    sql`university_today()`,
    sql`s.id = any(${[...ids]}::int[]) and s.status = 'studying'`,
  )
  const risks = standingRisks(judging, known)
  await settle(tx, ids, risks)
  return risks.length
}

/** Counts the risks of all who study. @returns how many were looked at, and how many stand out */
export async function countRisks(
  ctx: Ctx,
  progress?: (percent: number) => Promise<void>,
): Promise<{ students: number; standing: number }> {
  const settings = await warningSettings(ctx.db)
  const judging = settings.on ? await readJudging(ctx.db, settings) : null
  // Who does not study any more, and everybody where it is switched off: nothing stands.
  await ctx.write((tx) =>
    sql`update student_risks k set ended_at = greatest(clock_timestamp(), k.counted_at) where k.ended_at is null and (${judging === null} or not exists (
      select from students s where s.id = k.student_id and s.status = 'studying' and s.removed_at is null))`.execute(
      tx,
    ),
  )
  if (!judging) return { students: 0, standing: 0 }
  const { rows } = await sql<{ id: number }>`
    select s.id from students s where s.status = 'studying' and s.removed_at is null order by s.id`.execute(ctx.db)
  let standing = 0
  for (let from = 0; from < rows.length; from += SOME) {
    const ids = rows.slice(from, from + SOME).map(({ id }) => id)
    standing += await ctx.write((tx) => countSome(tx, judging, ids))
    await progress?.((100 * Math.min(from + SOME, rows.length)) / rows.length)
  }
  return { students: rows.length, standing }
}

/** Every night, and when somebody asks for it. */
export const riskClock = defineJob<Record<string, never>, { students: number; standing: number }>({
  name: 'early-warning',
  cron: '40 2 * * *',
  run: ({ services }, _payload, progress) => countRisks(asSystem(services, 'Early warning'), progress),
})
