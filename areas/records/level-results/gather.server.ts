/** Everything that the result of a level is worked out from, in one statement for the students and one for their bylaw. */
import { sql } from 'kysely'
import { mainOf, type MainFlag } from '#areas/common/academics/status.rules.ts'
import { parseHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { marksFor, type MarkRules } from '#areas/study/catalogue/mark-regulation.rules.ts'
import { settingsIn, type TermPlace } from '#areas/study/catalogue/bylaws/editions.rules.ts'
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import { listedMains, maskOf } from '#areas/records/grading/grades/grades.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { CarryException, CourseState, StudentYear } from './promotion.rules.ts'

/** A level of a year. */
export interface LevelKey {
  readonly bylaw_id: number
  readonly year_id: number
  readonly level: number
}

/** The council's decision as it is kept with a result. */
interface Decided {
  readonly decided_by: string
  readonly decision_number: string
  readonly decided_on: string
  readonly order: MarkRules['grace']['order']
  readonly per_course: string
  readonly in_all: string | null
  readonly share: string | null
  readonly on_transcript: boolean
}

/** What holds for every student of a level. */
export interface Regulation {
  readonly rules: MarkRules
  readonly final_level: number
  readonly exceptions: ReadonlyMap<number, CarryException>
  /** Years that may be spent in the level, and in all. */
  readonly chances_in_level: number | null
  readonly chances_in_all: number | null
  /** null: the council decided nothing for this year, so there are no grace marks. */
  readonly grace: Decided | null
  readonly second_held: boolean
}

/** A course of a student's year. */
export interface GatheredCourse {
  readonly registration_id: number | null
  readonly offering_id: number | null
  readonly course_id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly mark: Hundredths | null
  readonly maximum: Hundredths
  readonly pass_mark: Hundredths
  readonly state: CourseState
  /** Failed by its total alone. */
  readonly liftable: boolean
  /** Of an earlier level: not in the sum. */
  readonly carried: boolean
  /** Of which level it is. */
  readonly level: number
}

/** A student of the level. */
export interface GatheredLevel {
  readonly student_year_id: number
  readonly student_id: number
  readonly program_id: number
  readonly year: Omit<StudentYear, 'courses' | 'second_held' | 'level'>
  readonly courses: readonly GatheredCourse[]
}

/** The first term of a year: what holds in it holds for the year. */
async function firstTerm(tx: Db | Tx, year_id: number): Promise<TermPlace | null> {
  const { rows } = await sql<TermPlace>`select w.id, w.start_date::text as start_date from terms w
    where w.year_id = ${year_id} and w.removed_at is null order by w.start_date, w.id limit 1`.execute(tx)
  return rows[0] ?? null
}

/** What the bylaw and the council say about a level. @throws {Refusal} 409 `level_by_hours`, `ProgramTypeError` */
export async function regulationOf(tx: Db | Tx, { bylaw_id, year_id, level }: LevelKey): Promise<Regulation> {
  const { rows } = await sql<{
    version: number
    code: string
    untyped: boolean
    grace: (Omit<Decided, 'order'> & { order: (string | null)[] | null }) | null
    second_held: boolean
  }>`
    select b.version, b.code, b.program_type is null as untyped, exists (select from second_sessions s where s.bylaw_id = b.id and s.year_id = ${year_id} and s.level = ${level}) as second_held,
      (select json_build_object('decided_by', g.decided_by, 'decision_number', g.decision_number, 'decided_on', g.decided_on,
          'order', case when g.first_for is null then to_json(b.grace_order) else json_build_array(g.first_for, g.then_for, g.last_for) end,
          'per_course', coalesce(g.per_course, b.grace_per_course)::text, 'in_all', coalesce(g.in_all, b.grace_in_all)::text,
          'share', coalesce(g.share, b.grace_share)::text, 'on_transcript', g.on_transcript)
        from grace_rules g where g.bylaw_id = b.id and g.year_id = ${year_id}) as grace
    from bylaws b where b.id = ${bylaw_id}`.execute(tx)
  // Who asks for a level, or has its result, has found its bylaw.
  const found = firstRow(rows)
  if (found.untyped) throw refuse(409, 'ProgramTypeError', { program: found.code })
  const newest = await bylawSettings(tx, bylaw_id, found.version)
  const place = newest.earlier.length ? await firstTerm(tx, year_id) : null
  const { marks: rules } = place ? settingsIn(newest, place) : newest
  if (!rules) throw refuse(409, 'level_by_hours')
  const levels = rules.levels
  const open = levels.some((one) => one.chances === null)
  return {
    rules,
    final_level: Math.max(0, ...levels.map((one) => one.level)),
    exceptions: new Map([
      ...rules.required_courses.map((id) => [id, 'required'] as const),
      ...rules.uncounted_courses.map((id) => [id, 'uncounted'] as const),
    ]),
    chances_in_level: levels.find((one) => one.level === level)?.chances ?? null,
    chances_in_all: rules.max_chances ?? (open ? null : levels.reduce((sum, one) => sum + (one.chances ?? 0), 0)),
    grace: found.grace && {
      ...found.grace,
      order: (found.grace.order ?? []).filter((one) => one !== null) as Decided['order'],
    },
    second_held: found.second_held,
  }
}

/** [registration, offering, course, status, mark, maximum, passed, approved, plan level, this year, final mark, final maximum] */
type Packed = [
  number,
  number,
  number,
  string,
  number | null,
  number,
  boolean | null,
  boolean,
  number | null,
  boolean,
  number | null,
  number | null,
]
interface Source {
  student_year_id: number
  student_id: number
  program_id: number
  enrolment: string
  chances_used: number
  in_level: number
  in_all: number
  packed: Packed[] | null
  /** [course, mark, maximum, level of the plan]: credited by a transfer. */
  credits: [number, number | null, number, number][] | null
}

const LEFT: readonly MainFlag[] = ['Withdrawn', 'ForcedWithdrawn']

/** How a registration ended. */
function stateOf(main: MainFlag, passed: boolean | null, approved: boolean): CourseState {
  if (main === 'Excused') return 'excused'
  if (LEFT.includes(main)) return 'absent'
  if (!approved) return 'missing'
  if (main === 'Absent') return 'absent'
  if (main === 'Banned' || main === 'Punished') return 'failed'
  return passed === null ? 'missing' : passed ? 'passed' : 'failed'
}

/**
 * The students of a level in a year and their courses: those of the year, and those of the level that were passed before.
 * A course that the plan asks for and nobody registered is there without a result.
 *
 * @param only these students; absent: whose year is not decided
 */
export async function gatherLevel(
  tx: Db | Tx,
  key: LevelKey,
  regulation: Regulation,
  only?: readonly number[],
): Promise<GatheredLevel[]> {
  const { bylaw_id, year_id, level } = key
  const which = only
    ? sql`y.student_id = any(${only}::int[])`
    : sql`not exists (select from level_result_students a where a.student_year_id = y.id and a.applied)`
  const { rows } = await sql<Source>`
    with sitting as materialized (
      select y.id as student_year_id, y.student_id, y.program_id, y.enrolment, y.chances_used
      from student_years y where y.bylaw_id = ${bylaw_id} and y.year_id = ${year_id} and y.level = ${level} and ${which}),
    years_spent as (
      select x.student_id, count(*) filter (where x.level = ${level})::int as in_level, count(*)::int as in_all
      from sitting s join student_years x on x.student_id = s.student_id and x.chances_used = 1 and x.bylaw_id = ${bylaw_id}
      join years a on a.id = x.year_id join years b on b.id = ${year_id} and a.start_date < b.start_date group by 1),
    taken as (
      select r.student_id, json_agg(json_build_array(r.id, r.offering_id, r.course_id, r.status::text, (r.total * 100)::int,
          coalesce(r.maximum, pc.max_mark, c.max_mark) * 100, r.passed, o.control_status in ('Approved', 'Published', 'Frozen'),
          pc.level, t.year_id = ${year_id}, f.mark, f.maximum) order by t.start_date, r.id) as packed
      from sitting s join registrations r on r.student_id = s.student_id
        and r.status & ${sql.raw(maskOf(listedMains))} <> 0
      join terms t on t.id = r.term_id and t.start_date <= (select end_date from years where id = ${year_id})
      join offerings o on o.id = r.offering_id
      join courses c on c.id = r.course_id
      left join program_courses pc on pc.program_id = s.program_id and pc.course_id = r.course_id
      left join lateral (
        select (m.mark * 100)::int as mark, (k.max * 100)::int as maximum
        from offering_marks k join mark_categories g on g.id = k.mark_category_id and g.is_final_exam
        left join registration_marks m on m.offering_mark_id = k.id and m.registration_id = r.id
        where k.offering_id = r.offering_id and r.passed = false limit 1) f on true
      where term_after(r.term_id, (select z.study_after_term_id from students z where z.id = s.student_id)) and (t.year_id = ${year_id} or pc.level = ${level}
        -- What was failed in an earlier level and never passed since is still to be passed, whoever registered it.
        or (pc.level < ${level} and r.passed is distinct from true and not exists (
          select from registrations p where p.student_id = r.student_id and p.course_id = r.course_id and p.passed)))
      group by 1),
    -- What a transfer credited is passed, with its mark; without one it is not in the sum.
    given as (
      select k.student_id, json_agg(json_build_array(k.course_id, (k.mark * 100)::int, coalesce(k.maximum, 0) * 100, pc.level) order by k.id) as credits
      from sitting s join course_credits k on k.student_id = s.student_id and k.former_study_id is null
      join program_courses pc on pc.program_id = s.program_id and pc.course_id = k.course_id and pc.level = ${level}
      group by 1)
    select s.*, coalesce(n.in_level, 0) as in_level, coalesce(n.in_all, 0) as in_all, k.packed, g.credits
    from sitting s left join years_spent n on n.student_id = s.student_id left join taken k on k.student_id = s.student_id
      left join given g on g.student_id = s.student_id
    order by s.student_id`.execute(tx)
  const programs = [...new Set(rows.map((row) => row.program_id))]
  const course_ids = new Set(
    rows.flatMap((row) => [
      ...(row.packed ?? []).map((one) => one[2]),
      ...(row.credits ?? []).map((credit) => credit[0]),
    ]),
  )
  const plan = await planOf(tx, programs, level)
  for (const one of plan) course_ids.add(one.course_id)
  const names = await courseNames(tx, [...course_ids])
  const required = Map.groupBy(plan, (one) => one.program_id)

  const { rules } = regulation
  const course = (
    id: number,
    maximum: Hundredths,
    rest: Pick<GatheredCourse, 'registration_id' | 'offering_id' | 'mark' | 'state' | 'liftable' | 'carried' | 'level'>,
  ): GatheredCourse => ({
    course_id: id,
    ...names.get(id)!,
    maximum,
    pass_mark: marksFor(rules.pass_share, maximum),
    ...rest,
  })
  return rows.map((row): GatheredLevel => {
    const last = new Map<number, GatheredCourse>()
    for (const [course_id, mark, maximum, planned] of row.credits ?? [])
      last.set(
        course_id,
        course(course_id, maximum, {
          registration_id: null,
          offering_id: null,
          mark,
          state: 'passed',
          liftable: false,
          carried: false,
          level: planned,
        }),
      )
    for (const one of row.packed ?? []) {
      const [
        registration_id,
        offering_id,
        course_id,
        status,
        total,
        maximum,
        passed,
        approved,
        planned,
        now,
        mark,
        max,
      ] = one
      const main = mainOf(BigInt(status))
      if (main === null) continue
      const state = stateOf(main, passed, approved)
      if (last.get(course_id)?.state === 'passed') continue
      const pass_mark = marksFor(rules.pass_share, maximum)
      last.set(
        course_id,
        course(course_id, maximum, {
          registration_id,
          offering_id,
          mark: state === 'missing' ? null : total,
          state,
          liftable:
            now &&
            state === 'failed' &&
            main !== 'Banned' &&
            main !== 'Punished' &&
            total !== null &&
            total < pass_mark &&
            mark !== null &&
            max !== null &&
            mark * 10_000 >= rules.min_final_share * max,
          carried: planned !== null && planned < level,
          level: planned ?? level,
        }),
      )
    }
    for (const one of required.get(row.program_id) ?? [])
      if (!last.has(one.course_id))
        last.set(
          one.course_id,
          course(one.course_id, one.maximum, {
            registration_id: null,
            offering_id: null,
            mark: null,
            state: 'missing',
            liftable: false,
            carried: false,
            level,
          }),
        )
    return {
      student_year_id: row.student_year_id,
      student_id: row.student_id,
      program_id: row.program_id,
      year: {
        stopped: row.chances_used === 0,
        is_external: row.enrolment === 'external',
        chances: { in_level: row.in_level, in_all: row.in_all },
      },
      courses: [...last.values()].sort((a, b) => a.code.localeCompare(b.code) || a.course_id - b.course_id),
    }
  })
}

/** Courses that everybody of a level sits. */
async function planOf(tx: Db | Tx, programs: readonly number[], level: number) {
  const { rows } = await sql<{ program_id: number; course_id: number; maximum: number }>`
    select p.program_id, p.course_id, coalesce(p.max_mark, c.max_mark) * 100 as maximum
    from program_courses p join courses c on c.id = p.course_id
    where p.program_id = any(${programs}::int[]) and p.level = ${level} and p.kind <> 'elective'`.execute(tx)
  return rows
}

async function courseNames(tx: Db | Tx, ids: readonly number[]) {
  const { rows } = await sql<{ id: number; code: string; name: string; name_local: string }>`
    select id, code, name, name_local from courses where id = any(${ids}::int[])`.execute(tx)
  return new Map(rows.map(({ id, ...names }) => [id, names]))
}

/** The council's decision as the rule reads it. */
export const graceRuleOf = ({ order, per_course, in_all, share }: Decided) => ({
  order,
  per_course: parseHundredths(per_course) ?? 0,
  in_all: in_all === null ? null : parseHundredths(in_all),
  share: share === null ? null : parseHundredths(share),
})
