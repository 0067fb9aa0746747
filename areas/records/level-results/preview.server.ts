import { sql } from 'kysely'
import { sealsRecords } from '#areas/records/grading/signing/sign.server.ts'
import { printHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { degreesOf } from './degree.server.ts'
import {
  gatherLevel,
  graceRuleOf,
  regulationOf,
  type GatheredLevel,
  type GatheredCourse,
  type LevelKey,
  type Regulation,
} from './gather.server.ts'
import { levelScope } from './reach.server.ts'
import { studentResult, type StudentResult } from './result.rules.ts'

export const MOST_NAMED = 50

/** A course as it is kept with a result. */
export interface KeptCourse {
  r: number | null
  o: number | null
  c: number
  m: number | null
  x: number
  s: GatheredCourse['state']
  k: boolean
  /** Grace marks. */
  g: number
}
const keptCourse = (one: GatheredCourse, grace: number): KeptCourse => ({
  r: one.registration_id,
  o: one.offering_id,
  c: one.course_id,
  m: one.mark,
  x: one.maximum,
  s: one.state,
  k: one.carried,
  g: grace,
})

export interface Worked {
  readonly one: GatheredLevel
  readonly result: StudentResult
}

/** Works out everybody who was gathered. */
export function workOut(students: readonly GatheredLevel[], { level }: LevelKey, regulation: Regulation): Worked[] {
  const { rules, grace, second_held, ...rest } = regulation
  const promotion = {
    ...rest,
    max_carried: rules.max_carried,
    carried_from_final_level: rules.carried_from_final_level,
    second_session: rules.second_session,
    scale: rules.ratings,
    grace: grace && graceRuleOf(grace),
  }
  return students.map((student) => ({
    one: student,
    result: studentResult({ ...student.year, courses: student.courses, level, second_held }, promotion),
  }))
}

/**
 * Works out the result of a level and keeps it as a preview: of everybody whose year is not decided yet.
 * @throws {Refusal} 404 outside the reader's reach; 409 `level_nobody`, `level_by_hours`
 */
export async function previewLevel(
  ctx: Ctx,
  { student_ids, ...key }: LevelKey & { readonly student_ids?: readonly number[] | undefined },
): Promise<{ id: number; students: number }> {
  return ctx.write(async (tx) => {
    await requireLevel(ctx, tx, key)
    return makePreview(tx, key, ctx.actor?.user_id ?? null, student_ids && (await undecided(tx, key, student_ids)))
  })
}

/** Named students of a level whose year is not decided. @throws {Refusal} 409 naming those it is decided of, 404 others */
async function undecided(
  tx: Tx,
  { bylaw_id, year_id, level }: LevelKey,
  student_ids: readonly number[],
): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number; code: string; decided: boolean }>`
    select s.id, s.code, exists (select from level_result_students a where a.student_year_id = y.id and a.applied) as decided
    from student_years y join students s on s.id = y.student_id
    where y.bylaw_id = ${bylaw_id} and y.year_id = ${year_id} and y.level = ${level} and s.id = any(${[...student_ids]}::int[]) order by s.code`.execute(
    tx,
  )
  if (rows.length < new Set(student_ids).size) throw refuse(404, 'not_found', undefined, 'student_ids')
  const decided = rows.filter((row) => row.decided)
  if (decided.length)
    throw new Refusal(
      409,
      decided.slice(0, MOST_NAMED).map(({ code }) => ({ code: 'level_decided_already', data: { student: code } })),
    )
  return rows.map((row) => row.id)
}

/** The same inside a transaction, for who may. @throws {Refusal} 409 */
export async function makePreview(
  tx: Tx,
  key: LevelKey,
  by: number | null,
  only?: readonly number[],
): Promise<{ id: number; students: number }> {
  const regulation = await regulationOf(tx, key)
  const students = await gatherLevel(tx, key, regulation, only)
  if (!students.length) throw refuse(409, 'level_nobody')
  const worked = workOut(students, key, regulation)
  const { rows } = await sql<{ id: number }>`
    insert into level_results (bylaw_id, year_id, level, rule, made_by, named)
    values (${key.bylaw_id}, ${key.year_id}, ${key.level}, ${regulation.grace && JSON.stringify(regulation.grace)}::jsonb, ${by}, ${only !== undefined})
    returning id`.execute(tx)
  const { id } = firstRow(rows)
  await keep(tx, id, key, worked, regulation)
  return { id, students: worked.length }
}

/** Writes the students of a result. */
async function keep(
  tx: Tx,
  id: number,
  key: LevelKey,
  worked: readonly Worked[],
  regulation: Regulation,
): Promise<void> {
  const degrees = await degreesOf(
    tx,
    key,
    worked.filter(({ result }) => result.after.outcome === 'graduates'),
    regulation,
  )
  const CHUNK = 1000
  for (let i = 0; i < worked.length; i += CHUNK) {
    const rows = worked
      .slice(i, i + CHUNK)
      .map(({ one, result: { before, after, decision, grace, marks, maximum } }) => {
        const lifted = new Map(grace.courses.map((lift) => [lift.course_id, lift.marks]))
        return {
          student_id: one.student_id,
          student_year_id: one.student_year_id,
          outcome_before: before.outcome,
          outcome: after.outcome,
          rating_before: before.rating,
          rating: after.rating,
          marks: printHundredths(marks),
          maximum: printHundredths(maximum),
          grace: printHundredths(grace.total),
          grace_on_sum: printHundredths(grace.sum),
          reasons: decision.reasons,
          courses: one.courses.map((course) => keptCourse(course, lifted.get(course.course_id) ?? 0)),
          uses_chance: decision.uses_chance,
          failed: decision.again.length,
          degree: degrees.get(one.student_id) ?? null,
        }
      })
    await sql`
      insert into level_result_students (level_result_id, student_id, student_year_id, outcome_before, outcome, rating_before,
        rating, marks, maximum, grace, grace_on_sum, reasons, courses, uses_chance, failed, degree)
      select ${id}, n.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as n(student_id int, student_year_id int,
        outcome_before text, outcome text, rating_before text, rating text, marks numeric, maximum numeric, grace numeric,
        grace_on_sum numeric, reasons jsonb, courses jsonb, uses_chance boolean, failed int, degree jsonb)`.execute(tx)
    sealsRecords(tx)
  }
}

/** The level is there and within reach. @throws {Refusal} 404 */
export async function requireLevel(ctx: Ctx, tx: Tx, { bylaw_id, year_id, level }: LevelKey): Promise<void> {
  const { rows } = await sql`
    select from bylaws b where b.id = ${bylaw_id} and b.removed_at is null and ${levelScope(ctx, 'apply_level_result')}
      and exists (select from student_years y where y.bylaw_id = b.id and y.year_id = ${year_id} and y.level = ${level})`.execute(
    tx,
  )
  if (!rows.length) throw refuse(404, 'not_found')
}
