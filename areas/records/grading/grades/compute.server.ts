import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { settingsIn, type TermPlace } from '#areas/study/catalogue/bylaws/editions.rules.ts'
import type { BylawSettings } from '#areas/study/catalogue/bylaws/settings.rules.ts'
import { parseHundredths, printHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { marksFor, regulationRatingOf, type MarkRules } from '#areas/study/catalogue/mark-regulation.rules.ts'
import { attemptOf, isAudit, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql, type RawBuilder } from 'kysely'
import { gradeOf, type Grade, type Mark, type MarkCategory } from '../grading.rules.ts'
import { gradingBylaw, isSound } from './grades.rules.ts'

/** Registrations whose marks one statement reads; more would only need more memory. */
const CHUNK = 20_000

/** A computed result as the columns of a registration hold it. */
export interface Result {
  id: number
  total: string | null
  /** Out of how many marks, under a regulation by marks. */
  maximum: number | null
  letter: string | null
  points: string | null
  passed: boolean | null
  counts_in_gpa: boolean | null
  counts_in_attempted_hours: boolean | null
}

/** A registration with what its result is computed from, and the result it has. */
export interface Gradable extends Result {
  status: string
  bylaw_id: number
  bylaw_version: number
  grade_kind: 'letter' | 'pass_fail'
  course_counts: boolean
  /** Grace marks on the course, in hundredths: they make it passed, and stay beside the marks that were earned. */
  grace?: number | null
  /** Absent: all that are computed together are of one term. */
  term_id?: number
}
interface Source extends Gradable {
  offering_id: number
  /** [offering mark, hundredths or null for absent] */
  marks: [number, number | null][] | null
}

const noResult = {
  total: null,
  maximum: null,
  letter: null,
  points: null,
  passed: null,
  counts_in_gpa: null,
  counts_in_attempted_hours: null,
}

function resultOf(id: number, grade: Grade, courseCounts: boolean): Result {
  if (grade.state === 'none' || grade.state === 'missing') return { id, ...noResult }
  return {
    id,
    total: grade.total === null ? null : printHundredths(grade.total),
    maximum: grade.maximum === null ? null : Math.round(grade.maximum / 100),
    letter: grade.letter,
    points: grade.points === null ? null : printHundredths(grade.points),
    passed: grade.outcome === 'none' ? null : grade.outcome === 'passed',
    counts_in_gpa: grade.counts_in_gpa && courseCounts,
    counts_in_attempted_hours: grade.counts_in_attempted_hours,
  }
}

/**
 * The result of a registration by its marks; undefined when it has that result. Bylaws are read once for all that are
 * computed by the same function.
 */
export function grader(
  tx: Db | Tx,
): (row: Gradable, categories: MarkCategory[], marks: Readonly<Record<string, Mark>>) => Promise<Result | undefined> {
  const bylaws = new Map<string, { bylaw: BylawSettings; sound: boolean }>()
  const terms = new Map<number, TermPlace>()
  const placeOf = async ({ id, term_id = 0 }: Gradable): Promise<TermPlace> => {
    const known = terms.get(term_id)
    if (known) return known
    const { rows } = await sql<TermPlace>`select w.id, w.start_date::text as start_date from terms w
      where w.id = ${term_id ? sql`${term_id}::int` : sql`(select term_id from registrations where id = ${id})`}`.execute(
      tx,
    )
    terms.set(term_id, firstRow(rows))
    return firstRow(rows)
  }
  return async (row, categories, marks) => {
    const key = `${row.bylaw_id}/${row.term_id}`
    let known = bylaws.get(key)
    if (!known) {
      const newest = await bylawSettings(tx, row.bylaw_id, row.bylaw_version)
      const bylaw = newest.earlier.length ? settingsIn(newest, await placeOf(row)) : newest
      bylaws.set(key, (known = { bylaw, sound: isSound(bylaw) }))
    }
    const status = BigInt(row.status)
    const main = mainOf(status)
    // Without a scheme or sound grade ranges there is nothing to compute from.
    const grade =
      main === null || !known.sound || !categories.length
        ? null
        : gradeOf({
            scheme: { categories, places: known.bylaw.total_places, grade_type: row.grade_kind },
            marks,
            main,
            audit: isAudit(status),
            attempt: attemptOf(status),
            bylaw: gradingBylaw(known.bylaw, row.grade_kind),
          })
    const earned = grade ? resultOf(row.id, grade, row.course_counts) : { id: row.id, ...noResult }
    const result =
      row.grace && known.bylaw.marks ? passedByGrace(earned, row.grace, known.bylaw.marks, categories) : earned
    const same =
      result.total === row.total &&
      result.maximum === row.maximum &&
      result.letter === row.letter &&
      result.points === row.points &&
      result.passed === row.passed &&
      result.counts_in_gpa === row.counts_in_gpa &&
      result.counts_in_attempted_hours === row.counts_in_attempted_hours
    return same ? undefined : result
  }
}

/** The result of a course that grace marks make passed: it has the rating that just passes, and the marks that were earned. */
function passedByGrace(
  earned: Result,
  grace: Hundredths,
  rules: MarkRules,
  categories: readonly MarkCategory[],
): Result {
  const maximum = categories.reduce((sum, one) => sum + one.maximum, 0)
  const total = earned.total === null ? null : parseHundredths(earned.total)
  const pass = marksFor(rules.pass_share, maximum)
  if (earned.passed !== false || total === null || total + grace < pass) return earned
  return { ...earned, passed: true, letter: regulationRatingOf(rules.ratings, pass, maximum)?.code ?? earned.letter }
}

/** A parameter that is an array of what needs no quotes: numbers as they are or as text, yes and no. Half the work of JSON for the database. */
export const plainArray = (values: readonly (number | bigint | string | boolean | null | undefined)[]): string =>
  `{${values.map((value) => value ?? 'null').join(',')}}`

/** SQL: writes results where the registration is still in the state they were computed for. */
export function writeResults(results: readonly (Result & { status?: string })[]): RawBuilder<unknown> {
  const each = (of: (one: Result & { status?: string }) => number | string | boolean | null | undefined) =>
    plainArray(results.map(of))
  return sql`
  update registrations r set total = n.total, maximum = n.maximum, letter = n.letter, points = n.points, passed = n.passed,
    counts_in_gpa = n.counts_in_gpa, counts_in_attempted_hours = n.counts_in_attempted_hours
  from unnest(${each(({ id }) => id)}::int[], ${each(({ status }) => status)}::bigint[], ${each(({ total }) => total)}::numeric[],
    ${each(({ maximum }) => maximum)}::int[], ${results.map(({ letter }) => letter)}::text[], ${each(({ points }) => points)}::numeric[],
    ${each(({ passed }) => passed)}::boolean[], ${each((one) => one.counts_in_gpa)}::boolean[],
    ${each((one) => one.counts_in_attempted_hours)}::boolean[])
    as n (id, status, total, maximum, letter, points, passed, counts_in_gpa, counts_in_attempted_hours)
  where r.id = n.id and (n.status is null or n.status = r.status)`
}

/**
 * SQL: the bylaw of the study in which registration `r` of student `s` lies. What is corrected after the student moved to
 * another program is graded as it was taken.
 */
export const STUDY_BYLAW =
  sql.raw(`case when s.study_after_term_id is null or term_after(r.term_id, s.study_after_term_id) then s.bylaw_id
  else coalesce((select m.bylaw_id from former_studies m join terms w on w.id = m.last_term_id
    where m.student_id = s.id and not term_after(r.term_id, m.last_term_id) order by w.start_date, w.id, m.id limit 1), s.bylaw_id) end`)

/** Computes the results of the registrations a condition on `r` names, and writes those that differ. */
async function compute(tx: Tx, which: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<Source>`
    select r.id, r.offering_id, r.term_id, r.status, b.id as bylaw_id, b.version as bylaw_version, c.grade_kind, c.counts_in_gpa as course_counts,
      (select json_agg(json_build_array(m.offering_mark_id, (m.mark * 100)::int)) from registration_marks m
        where m.registration_id = r.id) as marks,
      (select (g.marks * 100)::int from grace_marks g where g.registration_id = r.id) as grace,
      r.total, r.maximum, r.letter, r.points, r.passed, r.counts_in_gpa, r.counts_in_attempted_hours
    from registrations r join students s on s.id = r.student_id join bylaws b on b.id = ${STUDY_BYLAW}
      join courses c on c.id = r.course_id
    where ${which}`.execute(tx)
  if (!rows.length) return 0
  const schemes = await schemesOf(tx, [...new Set(rows.map((row) => row.offering_id))])
  const gradeBy = grader(tx)
  const changed: Result[] = []
  for (const row of rows) {
    const marks = Object.fromEntries((row.marks ?? []).map(([id, mark]): [number, Mark] => [id, mark ?? 'A']))
    const result = await gradeBy(row, schemes.get(row.offering_id) ?? [], marks)
    if (result) changed.push(result)
  }
  if (changed.length) await writeResults(changed).execute(tx)
  return changed.length
}

/** The schemes of offerings, as the rules read them, in the order in which marks are entered. */
export async function schemesOf(tx: Db | Tx, offering_ids: readonly number[]): Promise<Map<number, MarkCategory[]>> {
  const { rows } = await sql<{ offering_id: number; categories: MarkCategory[] }>`
    select o.offering_id, json_agg(json_build_object('id', o.id, 'maximum', (o.max * 100)::int, 'final_exam', k.is_final_exam)
      order by o.position, o.id) as categories
    from offering_marks o join mark_categories k on k.id = o.mark_category_id
    where o.offering_id = any(${offering_ids}::int[]) group by 1`.execute(tx)
  return new Map(rows.map((row) => [row.offering_id, row.categories]))
}

/** What the schemes of offerings must sum to. */
export async function wholesOf(tx: Db | Tx, offering_ids: readonly number[]): Promise<Map<number, Hundredths>> {
  const { rows } = await sql<{ id: number; whole: number }>`
    select id, (scheme_maximum(id) * 100)::int as whole from unnest(${offering_ids}::int[]) as o (id)`.execute(tx)
  return new Map(rows.map(({ id, whole }) => [id, whole]))
}

/**
 * Computes total, letter, points and what counts for every registration of the offerings, from their marks, states and
 * the bylaw of each student; what is already right stays untouched. Marks that are missing leave the result empty.
 * @returns how many results changed
 */
export async function computeGrades(tx: Tx, offering_ids: readonly number[]): Promise<number> {
  let changed = 0
  const { rows } = await sql<{ id: number; n: number }>`
    select offering_id as id, count(*)::int as n from registrations where offering_id = any(${offering_ids}::int[])
    group by 1 order by 1`.execute(tx)
  let chunk: number[] = []
  let size = 0
  const flush = async () => {
    if (chunk.length) changed += await compute(tx, sql`r.offering_id = any(${chunk}::int[])`)
    chunk = []
    size = 0
  }
  for (const { id, n } of rows) {
    if (size + n > CHUNK) await flush()
    chunk.push(id)
    size += n
  }
  await flush()
  return changed
}

/** The same for single registrations, after their marks or states have changed. */
export async function computeRegistrationGrades(tx: Tx, registration_ids: readonly number[]): Promise<number> {
  let changed = 0
  for (let i = 0; i < registration_ids.length; i += CHUNK) {
    changed += await compute(tx, sql`r.id = any(${registration_ids.slice(i, i + CHUNK)}::int[])`)
  }
  return changed
}
