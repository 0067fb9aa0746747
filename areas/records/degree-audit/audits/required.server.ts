/** What programs require, ready to audit students against, and students as an audit reads them. */
import { bylawSettings } from '#areas/study/catalogue/bylaws/read-settings.server.ts'
import type { BylawSettings } from '#areas/study/catalogue/bylaws/settings.rules.ts'
import { parseHundredths, toHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { programPlan, type ProgramPlan } from '#areas/study/catalogue/programs/read-plan.server.ts'
import { loadMask } from '#areas/common/academics/status.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { selectorsOf, walk, type Requirement, type TreeMode } from '../requirements/tree.rules.ts'
import type { AuditStudent, CourseFacts, Exception, TakenCourse } from './audit.rules.ts'
import { ProgramAuditor, type OwnTree } from './plan.rules.ts'

/** What a course is called. */
export interface CourseName {
  id: number
  code: string
  name: string
  name_local: string
  credit_hours: number
}

/** What a program requires of students under a bylaw: at one time, of one revision of each tree. */
export interface Required {
  readonly stored: ProgramPlan
  readonly settings: BylawSettings
  readonly auditor: ProgramAuditor
  /** Revisions of the program's and the bylaw's own trees; 0: none. */
  readonly revisions: { readonly program: number; readonly bylaw: number }
  /** Everything that the requirements name. */
  readonly names: ReadonlyMap<number, CourseName>
  readonly facts: ReadonlyMap<number, CourseFacts>
}

interface FactsRow extends CourseName {
  faculty_id: number | null
  department_ids: number[]
  tag_ids: number[]
}
/** What the catalogue says of courses; without `ids` of all. */
async function catalogue(db: Db | Tx, ids: readonly number[] | null): Promise<FactsRow[]> {
  const { rows } = await sql<FactsRow>`
    select c.id, c.code, c.name, c.name_local, c.credit_hours::float8, c.faculty_id,
      array_remove(array[c.department_id] || array(select department_id from course_departments d where d.course_id = c.id), null) as department_ids,
      array(select tag_id from course_tags g where g.course_id = c.id) as tag_ids
    from courses c where ${ids === null ? sql`true` : sql`c.id = any(${[...ids]}::int[])`}`.execute(db)
  return rows
}

interface OwnRow extends OwnTree {
  of_program: boolean
  revision: number
}
/** The trees that hold now. */
async function ownTrees(db: Db | Tx, program_id: number, bylaw_id: number): Promise<OwnRow[]> {
  const last = (condition: ReturnType<typeof sql>) =>
    sql`(select program_id is not null as of_program, revision, mode, tree from requirement_trees where ${condition} order by revision desc limit 1)`
  const { rows } = await sql<
    Omit<OwnRow, 'tree'> & { tree: Requirement | null }
  >`${last(sql`program_id = ${program_id}`)} union all ${last(sql`bylaw_id = ${bylaw_id}`)}`.execute(db)
  return rows.filter((row): row is OwnRow => row.tree !== null)
}

/** A tree in place of the one that is stored: what an edit would change. Null: none. */
export interface Instead {
  program?: { mode: TreeMode; tree: Requirement } | null
  bylaw?: { mode: TreeMode; tree: Requirement } | null
}

/**
 * What a program requires of students under a bylaw.
 * @param of.courses courses of the student, of which facts are needed where a tree asks for them; `all`: of many students
 * @throws {Refusal} 404 where there is no such program
 */
export async function requiredBy(
  db: Db | Tx,
  of: {
    program_id: number
    bylaw_id?: number | undefined
    bylaw_version?: number | undefined
    courses: readonly number[] | 'all'
  },
  instead: Instead = {},
): Promise<Required> {
  const stored = await programPlan(db, of.program_id)
  const bylaw_id = of.bylaw_id ?? stored.program.bylaw.id
  const settings = await bylawSettings(db, bylaw_id, of.bylaw_version)
  const own = await ownTrees(db, of.program_id, bylaw_id)
  const mine = own.find((row) => row.of_program)
  const bylaws = own.find((row) => !row.of_program)
  const program = instead.program === undefined ? (mine ?? null) : instead.program
  const bylaw = instead.bylaw === undefined ? (bylaws ?? null) : instead.bylaw
  const named = new Set(stored.courses.keys())
  for (const one of [program, bylaw])
    for (const [, part] of one ? walk(one.tree) : [])
      for (const [, selector] of selectorsOf(part)) if (selector.by === 'course') named.add(selector.course_id)
  const facts = new Map<number, CourseFacts>()
  const names = new Map<number, CourseName>(
    [...stored.courses.values()].map(({ id, code, name, name_local, credit_hours }) => [
      id,
      { id, code, name, name_local, credit_hours },
    ]),
  )
  if (program || bylaw) {
    const rows = await catalogue(db, of.courses === 'all' ? null : [...named, ...of.courses])
    for (const { faculty_id, department_ids, tag_ids, ...row } of rows) {
      if (named.has(row.id)) names.set(row.id, row)
      facts.set(row.id, {
        course_id: row.id,
        codes: [row.code],
        credit_hours: toHundredths(row.credit_hours),
        faculty_id,
        department_ids,
        tag_ids,
      })
    }
  }
  const plan = stored.plan.min_credit_hours
    ? stored.plan
    : { ...stored.plan, min_credit_hours: toHundredths(settings.graduation.hours) }
  const auditor = new ProgramAuditor(
    {
      plan,
      // By marks there is no GPA.
      min_gpa: settings.marks ? 0 : settings.graduation.gpa,
      min_training_weeks: stored.own_training_weeks ?? settings.graduation.training_weeks,
      program: program && { mode: program.mode, tree: program.tree },
      bylaw: bylaw && { mode: bylaw.mode, tree: bylaw.tree },
      pools: new Map(stored.pools.map((pool) => [pool.id, pool])),
    },
    facts.values(),
  )
  return {
    stored,
    settings,
    auditor,
    revisions: { program: mine?.revision ?? 0, bylaw: bylaws?.revision ?? 0 },
    names,
    facts,
  }
}

/** A course of a student with what the catalogue and the plan say of it. */
export function withFacts(
  required: Required,
  course: Pick<TakenCourse, 'course_id' | 'credit_hours' | 'state' | 'equal_ids' | 'points' | 'counts_in_gpa'> &
    Pick<Partial<TakenCourse>, 'semester'>,
): TakenCourse {
  const facts = required.auditor.evaluator.tree.facts.get(course.course_id) ?? required.facts.get(course.course_id)
  return { codes: [], ...facts, ...course }
}

/** An exception, and the program for which it was given. */
export type GrantedFor = Exception & { program_id: number }
/** SQL: rows `e` of what was decided for a student and holds, for whichever program. */
export const heldExceptions = (student: string): string =>
  `from degree_exceptions e where e.student_id = ${student} and e.revoked_at is null`
/** The same as JSON. */
export const exceptionsJson = (student: string) =>
  sql.raw(`coalesce((select json_agg(json_build_object('id', e.id, 'kind', e.kind, 'key', e.key, 'course_id', e.course_id,
    'for_course_id', e.for_course_id, 'program_id', e.program_id) order by e.id) ${heldExceptions(student)}), '[]')`)
/** SQL: rows `c` of courses from which a student's placements excuse. */
export const excusedCourses = (student: string): string => `from placement_results r
    join placement_tests t on t.id = r.placement_test_id and t.removed_at is null
    join placement_courses c on c.placement_test_id = t.id and c.level < r.level
    where r.student_id = ${student} and r.removed_at is null and r.state = 'scored'`
/** The same as JSON. */
export const excusedJson = (student: string) =>
  sql.raw(`coalesce((select json_agg(distinct c.course_id) ${excusedCourses(student)}), '[]')`)
/** Of what was decided, what holds in a program. */
export const heldIn = (exceptions: readonly GrantedFor[], program_id: number): Exception[] =>
  exceptions.filter((exception) => exception.program_id === program_id)

// --- Many students ---------------------------------------------------------------------------------------------------

const bit = { passed: 1, failed: 2, running: 4, gpa: 8 } as const
/** [course, hundredths of hours, hundredths of points, bits, place of the term] */
type Packed = [number, number, number | null, number, number]

/** A student whose courses have been read, under which requirements. */
export interface GatheredRequirements {
  id: number
  program_id: number
  bylaw_id: number
  student: (required: Required) => AuditStudent
}

/**
 * Students with their courses as staff see them, in one round trip: what control has approved is passed, what is being
 * taken or not settled is in progress; what was credited is passed. Of ended studies nothing counts. Exceptions hold in the
 * program for which they were given.
 */
export async function gatherStudents(
  db: Db | Tx,
  ids: readonly number[],
  equals: ReadonlyMap<number, readonly number[]>,
): Promise<GatheredRequirements[]> {
  const { rows } = await sql<{
    id: number
    program_id: number
    bylaw_id: number
    gpa: string | null
    training_weeks: number
    packed: Packed[] | null
    credits: [number, number, number | null, boolean][] | null
    exceptions: GrantedFor[]
    excused_ids: number[]
  }>`
    select s.id, s.program_id, s.bylaw_id, s.gpa::text, coalesce((s.data ->> 'training_weeks')::int, 0) as training_weeks,
      a.packed,
      (select json_agg(json_build_array(k.course_id, (k.credit_hours * 100)::int, (k.points * 100)::int, k.counts_in_gpa) order by k.id)
        from course_credits k where k.student_id = s.id and k.former_study_id is null) as credits,
      ${exceptionsJson('s.id')} as exceptions, ${excusedJson('s.id')} as excused_ids
    from students s left join (
      select r.student_id, json_agg(json_build_array(r.course_id, (r.credit_hours * 100)::int, (r.points * 100)::int,
          case when r.letter is null and r.passed is null then case when r.status & ${sql.lit(String(loadMask))}::bigint <> 0 then ${sql.lit(bit.running)} else 0 end
            when o.control_status not in ('Approved', 'Published', 'Frozen') then ${sql.lit(bit.running)}
            when r.passed then ${sql.lit(bit.passed)} when not r.passed then ${sql.lit(bit.failed)} else 0 end
          | case when r.counts_in_gpa then ${sql.lit(bit.gpa)} else 0 end, w.place) order by w.place, r.id) as packed
      from registrations r join offerings o on o.id = r.offering_id
        join (select id, row_number() over (order by start_date, id) as place from terms) w on w.id = r.term_id
        join students m on m.id = r.student_id
        left join terms ended on ended.id = m.study_after_term_id join terms t on t.id = r.term_id
      where (ended.id is null or (t.start_date, t.id) > (ended.start_date, ended.id)) and r.student_id = any(${[...ids]}::int[]) group by 1) a on a.student_id = s.id
    where s.id = any(${[...ids]}::int[]) order by s.id`.execute(db)
  return rows.map(
    ({ id, program_id: program, bylaw_id, gpa, training_weeks, packed, credits, exceptions, excused_ids }) => ({
      id,
      program_id: program,
      bylaw_id,
      student: (required) => {
        const terms = [...new Set((packed ?? []).map((one) => one[4]))]
        const semester = new Map(terms.map((place, i) => [place, i + 1]))
        const courses = (packed ?? []).flatMap(([course_id, credit_hours, points, bits, place]): TakenCourse[] => {
          const state =
            bits & bit.passed ? 'passed' : bits & bit.running ? 'in_progress' : bits & bit.failed ? 'failed' : null
          if (!state) return []
          return [
            withFacts(required, {
              course_id,
              credit_hours,
              state,
              points,
              equal_ids: equals.get(course_id) ?? [],
              counts_in_gpa: (bits & bit.gpa) !== 0,
              semester: semester.get(place) ?? null,
            }),
          ]
        })
        return {
          courses: lastAttempts([...(credits ?? []).map(credited(required, equals)), ...courses]),
          gpa: gpa === null ? null : parseHundredths(gpa),
          training_weeks,
          semester: terms.length || null,
          exceptions: heldIn(exceptions, required.stored.program.id),
          excused_ids,
        }
      },
    }),
  )
}

/** A course that a transfer credited. */
const credited =
  (required: Required, equals: ReadonlyMap<number, readonly number[]>) =>
  ([course_id, credit_hours, points, counts_in_gpa]: [number, number, number | null, boolean]): TakenCourse =>
    withFacts(required, {
      course_id,
      credit_hours,
      points,
      counts_in_gpa,
      state: 'passed',
      equal_ids: equals.get(course_id) ?? [],
    })

/** Of the attempts at a course the one that counts: a passed one, else the last. Running ones stay beside failed ones. */
export function lastAttempts(courses: readonly TakenCourse[]): TakenCourse[] {
  const kept = new Map<string, TakenCourse>()
  for (const course of courses) {
    const key = `${course.course_id}${course.state === 'in_progress' ? ' running' : ''}`
    if (kept.get(key)?.state === 'passed' && course.state !== 'passed') continue
    kept.set(key, course)
  }
  return [...kept.values()].filter(
    (course) => course.state !== 'in_progress' || kept.get(String(course.course_id))?.state !== 'passed',
  )
}
