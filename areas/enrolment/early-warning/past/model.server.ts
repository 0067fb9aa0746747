/** Models that are fitted to the finished terms of the university, and how right they are with whom. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { ref, refOrNull } from '#kit/server/base/sql.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { sql } from 'kysely'
import { encode } from '../model/frame.rules.ts'
import { fitModel, scoreRows, type Fitted } from '../model/model.rules.ts'
import { chosenClass } from '../model/measure.rules.ts'
import { needWholeUniversity } from '../risks/settings.server.ts'
import { studentFactsOf, type KnownStudent } from '../risks/facts.server.ts'
import { riskFiguresTable, HARD, TARGET } from '../rules/figures.rules.ts'
import { errorsOf, type GroupedStudent } from './errors.rules.ts'
import { riskModelCalls, type ErrorGroup, type FittedModel, type GroupKind } from './model.contract.ts'

/** Terms that are learned from: the last ones are most like the next. */
const TERMS = 8
/** Students of a term, at most. */
const STUDENTS = 4_000
/** Weeks into a term: about when the midterm exams are over and there is time to help. */
const DAY = 56
/** So many hard terms, and so many others, are needed. */
const NEEDED = 30
/** Rows by which is told what weighs most. */
const WEIGHED = 300

interface PastStudent extends KnownStudent {
  readonly hard: boolean
  readonly group: GroupedStudent
}

/**
 * Students of finished terms as they stood eight weeks into the term, and whether it became a hard one: a warning or worse, a GPA below that
 * for which the bylaw warns, less than half of the hours passed, or the last one without a degree.
 */
async function pastOf(db: Db | Tx, term_id: number): Promise<PastStudent[]> {
  const { rows } = await sql<{ student_id: number; hard: boolean } & GroupedStudent>`
    select x.student_id, s.faculty_id, s.gender, s.nationality_id,
      (x.standing <> 'good' or x.warned or coalesce(x.gpa < b.warning_gpa, false) or x.passed_hours * 2 < x.registered_hours
        or (s.status not in ('studying', 'graduated') and not exists (select from registrations r join terms n on n.id = r.term_id
          where r.student_id = s.id and n.start_date > w.start_date))) as hard
    from student_terms x join students s on s.id = x.student_id join bylaws b on b.id = s.bylaw_id join terms w on w.id = x.term_id
    where x.term_id = ${term_id} and x.revised_since is null and s.removed_at is null and x.registered_hours > 0
    order by hashtext(x.student_id::text), x.student_id limit ${STUDENTS}`.execute(db)
  const of = new Map(rows.map((row) => [row.student_id, row]))
  const known = await studentFactsOf(
    db,
    sql`${term_id}`,
    sql`(select least(w.start_date + ${DAY}::int, w.end_date) from terms w where w.id = ${term_id})`,
    sql`s.id = any(${rows.map((row) => row.student_id)}::int[])`,
  )
  return known.flatMap((one) => {
    const row = of.get(one.student_id)
    if (!row) return []
    const { student_id: _id, hard, ...group } = row
    return [{ ...one, hard, group }]
  })
}

/** What it looks at, what weighs most for a hard term first. */
function weighing({ model }: Fitted, students: readonly PastStudent[]): string[] {
  const table = riskFiguresTable(students.slice(0, WEIGHED).map(({ facts }) => facts))
  const { encoded } = encode(table, model.schema.columns, '.')
  const sums = model.schema.columns.map(() => 0)
  const hard = model.classes.indexOf(HARD)
  for (const { weighing: of } of scoreRows(model, encoded, sums.length, hard))
    for (const { column, points } of of) sums[column]! += points
  return model.schema.columns
    .map(({ name }, c) => ({ name, sum: sums[c]! }))
    .toSorted((a, b) => b.sum - a.sum)
    .map(({ name }) => name)
}

interface Report {
  readonly macro_f1: number
  readonly spread: number
  readonly precision: number
  readonly recall: number
  readonly brier: number
  readonly calibration_error: number
  readonly columns: readonly string[]
}

/** Fits a model to the finished terms, as it is kept. @throws {Refusal} `risk_past_short` */
export async function fitToPast(db: Db | Tx, progress?: (percent: number) => Promise<void>, most = TERMS) {
  const { rows: terms } = await sql<{ id: number }>`
    select w.id from terms w where w.end_date < university_today() and exists (select from student_terms x where x.term_id = w.id)
    order by w.start_date desc, w.id desc limit ${most}`.execute(db)
  const students: PastStudent[] = []
  for (const [i, { id }] of terms.entries()) {
    students.push(...(await pastOf(db, id)))
    await progress?.((60 * (i + 1)) / terms.length)
  }
  const hard = students.filter((one) => one.hard).length
  if (hard < NEEDED || students.length - hard < NEEDED)
    throw refuse(422, 'risk_past_short', { rows: students.length, hard, needed: NEEDED })
  const table = riskFiguresTable(
    students.map(({ facts }) => facts),
    students.map((one) => one.hard),
  )
  const fitted = fitModel(table, { target: TARGET })
  const { model, unseen } = fitted
  const k = model.classes.indexOf(HARD)
  const groups = errorsOf(
    unseen.rows.map((row, i) => ({
      ...students[row]!.group,
      hard: unseen.classes[i] === k,
      said: unseen.shares[i]![k]!,
      named: chosenClass(unseen.shares[i]!, model.class_weights) === k,
    })),
  )
  const { macro_f1, spread, classes, brier, calibration_error } = model.report
  const { precision, recall } = classes[k]!
  const columns = weighing(fitted, students)
  const report: Report = { macro_f1, spread, precision, recall, brier, calibration_error, columns }
  return {
    term_ids: terms.map(({ id }) => id),
    rows: model.rows,
    hard: model.report.classes[k]!.rows,
    model,
    report,
    groups,
  }
}

export const riskFit = defineJob<Record<string, never>, { id: number }>({
  name: 'early-warning-fit',
  // It is used when somebody says so.
  run: async (ctx, _payload, progress) => {
    const { term_ids, rows, hard, model, report, groups } = await fitToPast(ctx.db, progress)
    return ctx.write(async (tx) => {
      const { rows: kept } = await sql<{ id: number }>`
        insert into risk_models (fitted_by, term_ids, rows, hard, model, report, groups)
        values (${ctx.actor?.user_id ?? null}, ${term_ids}::int[], ${rows}, ${hard}, ${JSON.stringify(model)}::jsonb,
          ${JSON.stringify(report)}::jsonb, ${JSON.stringify(groups)}::jsonb) returning id`.execute(tx)
      return firstRow(kept)
    })
  },
})

type StoredGroup = Omit<ErrorGroup, 'of'> & { of: number | null }
interface StoredModel extends Omit<FittedModel, 'groups' | keyof Report> {
  report: Report
  groups: Record<GroupKind, StoredGroup[]>
  faculties: Record<string, ErrorGroup['of']> | null
  nationalities: Record<string, ErrorGroup['of']> | null
}

async function readModels(ctx: Ctx): Promise<FittedModel[]> {
  const names = (
    table: string,
    kind: string,
  ) => sql`(select json_object_agg(x.id, ${refOrNull('x')}) from ${sql.table(table)} x
    where x.id in (select (g ->> 'of')::int from jsonb_array_elements(m.groups -> ${sql.lit(kind)}) g))`
  const { rows } = await sql<StoredModel>`
    select m.id, m.fitted_at, ${refOrNull('u')} as fitted_by, m.rows, m.hard, m.is_used, m.report, m.groups,
      coalesce((select json_agg(${ref('w')} order by w.start_date) from terms w where w.id = any(m.term_ids)), '[]') as terms,
      ${names('faculties', 'faculty')} as faculties, ${names('countries', 'nationality')} as nationalities
    from risk_models m left join users u on u.id = m.fitted_by order by m.fitted_at desc, m.id desc limit 10`.execute(
    ctx.db,
  )
  return rows.map(({ report, groups, faculties, nationalities, fitted_at, ...one }) => ({
    ...one,
    fitted_at: new Date(fitted_at).toISOString(),
    ...report,
    columns: [...report.columns],
    groups: {
      faculty: groups.faculty.map((group) => ({ ...group, of: (group.of !== null && faculties?.[group.of]) || null })),
      gender: groups.gender.map((group) => ({ ...group, of: null })),
      nationality: groups.nationality.map((group) => ({
        ...group,
        of: (group.of !== null && nationalities?.[group.of]) || null,
      })),
    },
  }))
}

export const riskModelHandlers: readonly Handled[] = [
  handle(riskModelCalls.models, async (ctx) => {
    needWholeUniversity(ctx)
    return { data: await readModels(ctx) }
  }),
  handle(riskModelCalls.fit, async (ctx) => {
    needWholeUniversity(ctx)
    return { job_id: await ctx.write((tx) => ctx.services.jobs.send(tx, riskFit, {}, { actor: ctx.actor })) }
  }),
  handle(riskModelCalls.use, (ctx, { body }) => {
    needWholeUniversity(ctx)
    return ctx.write(async (tx) => {
      await sql`select from risk_models order by id for update`.execute(tx)
      const { rows } = await sql`select from risk_models where id = ${body.id}`.execute(tx)
      if (body.id !== null && !rows.length) throw refuse(404, 'not_found')
      await sql`update risk_models set is_used = false where is_used and id is distinct from ${body.id}::int`.execute(
        tx,
      )
      await sql`update risk_models set is_used = true where not is_used and id = ${body.id}::int`.execute(tx)
      return { data: { id: body.id } }
    })
  }),
]
