import { fromHundredths, sumDecimals, toHundredths } from '../decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import type { Requisite } from '../requisites.rules.ts'
import { PLAN_GROUPS, checkPlan, planHours, planKinds, type PlanCourse, type StudyPlan } from '../study-plan.rules.ts'
import type { RequirementType } from '../words.contract.ts'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'

// --- Reading --------------------------------------------------------------------------------------------------------

type Kind = StudyPlanAnswer['courses'][number]['kind']
/** A course of a plan as stored; `id` is absent while it is new. */
export interface PlacedCourse {
  readonly id?: number | undefined
  readonly course_id: number
  readonly level: number
  readonly semester: number
  readonly kind: Kind
  readonly pool_id: number | null
  /** Out of how many marks; null: as the course says. */
  readonly max_mark: number | null
  /** Those of this program; null: those of the course. */
  readonly prerequisites: Requisite | null
}
/** An elective pool; a new one has a negative id until it is stored. */
interface Pool {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly min_credit_hours: number
}
/** What the catalogue says of a course. */
export interface CatalogueFacts {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly credit_hours: number
  readonly lecture_hours: number
  readonly tutorial_hours: number
  readonly laboratory_hours: number
  readonly clinical_hours: number
  readonly max_mark: number
  readonly prerequisites: Requisite | null
  readonly corequisite_ids: number[]
}
export interface Stored {
  readonly program: StudyPlanAnswer['program']
  /** What the program itself says; null: as the bylaw says. */
  readonly own_training_weeks: number | null
  readonly levels: StudyPlanAnswer['levels']
  readonly max_hours: number | null
  readonly courses: PlacedCourse[]
  readonly pools: Pool[]
  readonly requirements: Record<RequirementType, number[]>
  /** Every course the plan, its lists and its expressions name. */
  readonly facts: CatalogueFacts[]
  readonly may_plan: boolean
  readonly may_edit: boolean
}

export const programScope: ScopeParts = {
  faculty: sql`t.faculty_id`,
  department: sql`t.department_id`,
  bylaw: sql`t.bylaw_id`,
  program: sql`t.id`,
}
export const factsJson = sql`json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local,
  'credit_hours', c.credit_hours, 'lecture_hours', c.lecture_hours, 'tutorial_hours', c.tutorial_hours,
  'laboratory_hours', c.laboratory_hours, 'clinical_hours', c.clinical_hours, 'max_mark', c.max_mark, 'prerequisites', c.prerequisites,
  'corequisite_ids', array(select q.required_course_id from course_corequisites q where q.course_id = c.id order by 1))`

/** A plan with all it names, in one round trip; undefined outside what `within` allows. */
export async function readStored(
  db: Db | Tx,
  id: number,
  within: RawBuilder<unknown> = sql`true`,
  ctx?: Ctx,
): Promise<Stored | undefined> {
  const may = (key: 'edit_study_plan' | 'edit_program') =>
    ctx ? sql`t.removed_at is null and ${scopeCondition(ctx, key, programScope)}` : sql`false`
  const { rows } = await sql<Stored>`
    with placed as (select * from program_courses where program_id = ${id}),
    listed as (select type, course_id from program_requirements where program_id = ${id}),
    named as (
      select course_id from placed union select course_id from listed
      union select (jsonb_path_query(coalesce(x.prerequisites, c.prerequisites), 'strict $.**.course'))::int
        from placed x join courses c on c.id = x.course_id
      union select q.required_course_id from placed x join course_corequisites q on q.course_id = x.course_id)
    select
      json_build_object('id', t.id, 'version', t.version, 'code', t.code, 'name', t.name, 'name_local', t.name_local,
        'degree', t.degree, 'degree_local', t.degree_local, 'faculty', ${ref('f')},
        'department', case when d.id is not null then ${ref('d')} end, 'bylaw', ${ref('b')},
        'program_type', coalesce(t.program_type, b.program_type), 'is_general', t.is_general,
        'min_credit_hours', t.min_credit_hours, 'semesters', t.semesters,
        'min_training_weeks', coalesce(t.min_training_weeks, b.min_training_weeks), 'admission_capacity', t.admission_capacity,
        'students', (select count(*)::int from students s where s.program_id = t.id and s.removed_at is null)) as program,
      t.min_training_weeks as own_training_weeks,
      coalesce((select json_agg(json_build_object('level', l.level, 'name', l.name, 'name_local', l.name_local,
        'passed_hours', l.passed_hours) order by l.level) from bylaw_levels l where l.bylaw_id = b.id), '[]') as levels,
      -- Good standing, not the overload.
      (select r.max_ch_value from load_ranges r where r.bylaw_id = b.id and r.from_gpa <= 2 and r.to_gpa > 2) as max_hours,
      coalesce((select json_agg(json_build_object('id', x.id, 'course_id', x.course_id, 'level', x.level,
        'semester', x.semester, 'kind', x.kind, 'pool_id', x.pool_id, 'max_mark', x.max_mark, 'prerequisites', x.prerequisites) order by x.semester, x.id)
        from placed x), '[]') as courses,
      coalesce((select json_agg(json_build_object('id', o.id, 'name', o.name, 'name_local', o.name_local,
        'min_credit_hours', o.min_credit_hours) order by o.id) from program_pools o where o.program_id = t.id), '[]') as pools,
      json_build_object('university', array(select course_id from listed where type = 'university'),
        'faculty', array(select course_id from listed where type = 'faculty')) as requirements,
      coalesce((select json_agg(${factsJson}) from courses c where c.id in (select course_id from named)), '[]') as facts,
      ${may('edit_study_plan')} as may_plan, ${may('edit_program')} as may_edit
    from programs t join faculties f on f.id = t.faculty_id join bylaws b on b.id = t.bylaw_id
      left join departments d on d.id = t.department_id
    where t.id = ${id} and ${within}`.execute(db)
  return rows[0]
}

/** A plan as the rules read it: hours in hundredths; the groups of mandatory and required courses have ids 0, -1, -2. */
function toStudyPlan(
  plan: Pick<Stored, 'courses' | 'pools'>,
  min_credit_hours: number,
  facts: ReadonlyMap<number, CatalogueFacts>,
): StudyPlan {
  // New pools have negative ids, which must not meet those of the other groups.
  const poolGroup = (id: number) => (id < 0 ? id - 10 : id)
  const kinds = planKinds.filter((kind) => plan.courses.some((c) => c.kind === kind))
  return {
    min_credit_hours: toHundredths(min_credit_hours),
    groups: [
      ...kinds.map((kind) => ({ id: PLAN_GROUPS[kind], kind, min_credit_hours: null })),
      ...plan.pools.map((pool) => ({
        id: poolGroup(pool.id),
        kind: 'elective' as const,
        min_credit_hours: toHundredths(pool.min_credit_hours),
      })),
    ],
    courses: plan.courses.map((placed): PlanCourse => {
      const course = facts.get(placed.course_id)
      return {
        course_id: placed.course_id,
        group_id: placed.kind === 'elective' ? poolGroup(placed.pool_id ?? Number.NaN) : PLAN_GROUPS[placed.kind],
        credit_hours: toHundredths(course?.credit_hours ?? 0),
        level: placed.level,
        semester: placed.semester,
        prerequisites: placed.prerequisites ?? course?.prerequisites ?? null,
        corequisite_ids: course?.corequisite_ids ?? [],
      }
    }),
  }
}

/** A finding, its course and pool, with codes of courses in place of ids. */
interface Finding extends Reason {
  readonly severity: 'error' | 'warning'
  readonly course_id: number | null
  readonly pool_id: number | null
}

export function findings(plan: Stored, facts: ReadonlyMap<number, CatalogueFacts>): Finding[] {
  const code = (id: number) => facts.get(id)?.code ?? String(id)
  const study = toStudyPlan(plan, plan.program.min_credit_hours, facts)
  const out: Finding[] = checkPlan(study).map((problem) => {
    const [part, index] = (problem.field ?? '').split('.')
    const course_id = part === 'courses' ? plan.courses[Number(index)]!.course_id : null
    const group = part === 'groups' ? study.groups[Number(index)] : undefined
    const { course, courses, ...data } = problem.data
    return {
      ...problem,
      data: {
        ...data,
        ...(course !== undefined && { course: code(Number(course)) }),
        ...(courses !== undefined && {
          courses: String(courses)
            .split(', ')
            .map((id) => code(Number(id)))
            .join(', '),
        }),
      },
      course_id,
      pool_id: group?.kind === 'elective' && group.id > 0 ? group.id : null,
    }
  })
  const add = (
    severity: Finding['severity'],
    name: string,
    field: string,
    data: Reason['data'],
    course_id: number | null = null,
  ) => out.push({ severity, code: name, field, data: data ?? {}, course_id, pool_id: null })
  const hours = new Map<number, number>()
  plan.courses.forEach(({ course_id, semester, kind, pool_id }, i) => {
    const course = code(course_id)
    if ((kind === 'elective') !== plan.pools.some((pool) => pool.id === pool_id))
      add('error', 'plan_kind_pool', `courses.${i}.pool_id`, { course }, course_id)
    if (semester > plan.program.semesters) {
      add(
        'error',
        'plan_semester_beyond',
        `courses.${i}.semester`,
        { course, semester, semesters: plan.program.semesters },
        course_id,
      )
    }
    // Of a pool's courses a student takes some only.
    if (kind !== 'elective')
      hours.set(semester, sumDecimals([hours.get(semester) ?? 0, facts.get(course_id)?.credit_hours ?? 0]))
  })
  for (const [semester, total] of hours) {
    if (plan.max_hours !== null && total > plan.max_hours) {
      add('warning', 'plan_load', `semesters.${semester}`, { semester, hours: total, maximum: plan.max_hours })
    }
  }
  const placed = new Set(plan.courses.map((c) => c.course_id))
  for (const type of ['university', 'faculty'] as const) {
    for (const id of plan.requirements[type]) {
      if (!placed.has(id)) add('warning', 'plan_requirement_missing', `requirements.${type}`, { course: code(id) }, id)
    }
  }
  return out
}

export const factsById = (facts: readonly CatalogueFacts[]) => new Map(facts.map((course) => [course.id, course]))

function toAnswer(plan: Stored): StudyPlanAnswer {
  const facts = factsById(plan.facts)
  const inPlan = new Set(plan.courses.map((c) => c.course_id))
  const short = ({ id, code, name, name_local, credit_hours }: CatalogueFacts) => ({
    id,
    code,
    name,
    name_local,
    credit_hours,
  })
  const list = (ids: readonly number[]) =>
    ids.flatMap((id) => (facts.has(id) ? [short(facts.get(id)!)] : [])).sort((a, b) => (a.code < b.code ? -1 : 1))
  return {
    program: plan.program,
    levels: plan.levels,
    max_hours: plan.max_hours,
    courses: plan.courses.map((placed) => {
      const course = facts.get(placed.course_id)!
      return {
        ...course,
        id: placed.id!,
        course_id: placed.course_id,
        level: placed.level,
        semester: placed.semester,
        kind: placed.kind,
        pool_id: placed.pool_id,
        max_mark: placed.max_mark ?? course.max_mark,
        own_max_mark: placed.max_mark !== null,
        prerequisites: placed.prerequisites ?? course.prerequisites,
        own_prerequisites: placed.prerequisites !== null,
      }
    }),
    pools: plan.pools.map((pool) => ({
      ...pool,
      credit_hours: sumDecimals(
        plan.courses.flatMap((c) => (c.pool_id === pool.id ? [facts.get(c.course_id)!.credit_hours] : [])),
      ),
    })),
    requirements: { university: list(plan.requirements.university), faculty: list(plan.requirements.faculty) },
    other_courses: plan.facts.filter((course) => !inPlan.has(course.id)).map(short),
    credit_hours: fromHundredths(planHours(toStudyPlan(plan, 0, facts))),
    problems: findings(plan, facts).map(({ severity, course_id, pool_id, ...reason }) => ({
      ...toProblem(reason),
      severity,
      course_id,
      pool_id,
    })),
    abilities: [...(plan.may_plan ? ['edit_plan'] : []), ...(plan.may_edit ? ['edit', 'make_general'] : [])],
  }
}

export async function readProgramPlan(db: Db | Tx, ctx: Ctx, id: number): Promise<StudyPlanAnswer> {
  const plan = await readStored(
    db,
    id,
    scopeCondition(ctx, ['show_program', 'edit_study_plan', 'edit_program'], programScope),
    ctx,
  )
  if (!plan) throw refuse(404, 'not_found')
  return toAnswer(plan)
}

/** A program's plan for other areas. */
export interface ProgramPlan {
  readonly program: StudyPlanAnswer['program']
  /** Weeks of training that the program itself asks for; null: as the bylaw says. */
  readonly own_training_weeks: number | null
  readonly levels: StudyPlanAnswer['levels']
  /** As `checkPlan` and `auditDegree` read it. Groups: 0 mandatory, -1 university, -2 faculty, else the pool's id. */
  readonly plan: StudyPlan
  readonly pools: readonly Pool[]
  readonly requirements: Readonly<Record<RequirementType, readonly number[]>>
  /** Every course that the plan, its lists and its expressions name, by id. */
  readonly courses: ReadonlyMap<number, CatalogueFacts>
}

/**
 * The study plan of a program, in one round trip. It asks nobody's permission: whoever calls has decided that.
 * @throws {Refusal} 404 when there is no such program
 */
export async function programPlan(db: Db | Tx, program_id: number): Promise<ProgramPlan> {
  const stored = await readStored(db, program_id)
  if (!stored) throw refuse(404, 'not_found')
  const courses = factsById(stored.facts)
  const { program, own_training_weeks, levels, pools, requirements } = stored
  const plan = toStudyPlan(stored, program.min_credit_hours, courses)
  return { program, own_training_weeks, levels, pools, requirements, courses, plan }
}

// --- Calls ----------------------------------------------------------------------------------------------------------

export const c = programCalls
