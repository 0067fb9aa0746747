import type { Ref } from '#kit/contract/index.ts'
import { fromHundredths, sumDecimals, toHundredths } from '../decimal.rules.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/errors.ts'
import { scopeCondition, type ScopeParts } from '#kit/server/scope.ts'
import { ref } from '#kit/server/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { requisiteReasons } from '../courses/requisites.server.ts'
import type { Requisite } from '../requisites.rules.ts'
import { PLAN_GROUPS, checkPlan, planHours, planKinds, type PlanCourse, type StudyPlan } from '../study-plan.rules.ts'
import type { RequirementType } from '../words.contract.ts'
import { programCalls, type StudyPlanAnswer } from './plan.contract.ts'

// --- Reading --------------------------------------------------------------------------------------------------------

type Kind = StudyPlanAnswer['courses'][number]['kind']
/** A course of a plan as stored; `id` is absent while it is new. */
interface Placed {
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
interface Facts {
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
interface Stored {
  readonly program: StudyPlanAnswer['program']
  /** What the program itself says; null: as the bylaw says. */
  readonly own_training_weeks: number | null
  readonly levels: StudyPlanAnswer['levels']
  readonly max_hours: number | null
  readonly courses: Placed[]
  readonly pools: Pool[]
  readonly requirements: Record<RequirementType, number[]>
  /** Every course the plan, its lists and its expressions name. */
  readonly facts: Facts[]
  readonly may_plan: boolean
  readonly may_edit: boolean
}

const programScope: ScopeParts = {
  faculty: sql`t.faculty_id`,
  department: sql`t.department_id`,
  bylaw: sql`t.bylaw_id`,
  program: sql`t.id`,
}
const factsJson = sql`json_build_object('id', c.id, 'code', c.code, 'name', c.name, 'name_local', c.name_local,
  'credit_hours', c.credit_hours, 'lecture_hours', c.lecture_hours, 'tutorial_hours', c.tutorial_hours,
  'laboratory_hours', c.laboratory_hours, 'clinical_hours', c.clinical_hours, 'max_mark', c.max_mark, 'prerequisites', c.prerequisites,
  'corequisite_ids', array(select q.required_course_id from course_corequisites q where q.course_id = c.id order by 1))`

/** A plan with all it names, in one round trip; undefined outside what `within` allows. */
async function readStored(
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
  facts: ReadonlyMap<number, Facts>,
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

function findings(plan: Stored, facts: ReadonlyMap<number, Facts>): Finding[] {
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

const factsById = (facts: readonly Facts[]) => new Map(facts.map((course) => [course.id, course]))

function toAnswer(plan: Stored): StudyPlanAnswer {
  const facts = factsById(plan.facts)
  const inPlan = new Set(plan.courses.map((c) => c.course_id))
  const short = ({ id, code, name, name_local, credit_hours }: Facts) => ({ id, code, name, name_local, credit_hours })
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

async function readPlan(db: Db | Tx, ctx: Ctx, id: number): Promise<StudyPlanAnswer> {
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
  readonly courses: ReadonlyMap<number, Facts>
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

// --- Writing --------------------------------------------------------------------------------------------------------

/** Findings about a plan that has not got there yet. They stop nobody from building it; they stop taking it apart. */
const INCOMPLETE = new Set(['plan_hours', 'plan_group_short'])
type Change = Pick<Stored, 'courses' | 'pools'>

async function lockProgram(
  tx: Tx,
  ctx: Ctx,
  id: number,
  key: 'edit_study_plan' | 'edit_program',
  version?: number,
): Promise<void> {
  const { rows } = await sql<{ version: number; removed: boolean }>`
    select t.version, t.removed_at is not null as removed from programs t
    where t.id = ${id} and ${scopeCondition(ctx, key, programScope)} for update`.execute(tx)
  const row = rows[0]
  if (!row) throw refuse(404, 'not_found')
  if (row.removed) throw refuse(409, 'removed_record')
  if (version !== undefined && version !== row.version) throw refuse(409, 'changed_meanwhile', { version: row.version })
}

const touch = (tx: Tx, id: number) => sql`update programs set updated_at = now() where id = ${id}`.execute(tx)

/**
 * Changes a plan. Refused with every reason: what can never stand (a course twice, a place beyond the program, an
 * elective without pool), and what makes a complete plan incomplete. `whole`: the result must be complete.
 */
async function change(
  ctx: Ctx,
  id: number,
  version: number | undefined,
  make: (plan: Stored) => Change,
  { whole = false }: { whole?: boolean } = {},
): Promise<{ data: StudyPlanAnswer }> {
  return ctx.write(async (tx) => {
    await lockProgram(tx, ctx, id, 'edit_study_plan', version)
    const before = (await readStored(tx, id))!
    const next: Stored = { ...before, ...make(before) }
    const facts = factsById(before.facts)
    const unread = next.courses
      .map((c) => c.course_id)
      .filter((course) => !before.courses.some((c) => c.course_id === course))
    const reasons: Reason[] = []
    if (unread.length) {
      const { rows } = await sql<{ facts: Facts }>`
        select ${factsJson} as facts from courses c where c.id = any(${unread}::int[]) and c.removed_at is null`.execute(
        tx,
      )
      const found = new Set(rows.map((row) => row.facts.id))
      for (const row of rows) facts.set(row.facts.id, row.facts)
      next.courses.forEach((c, i) => {
        if (unread.includes(c.course_id) && !found.has(c.course_id))
          reasons.push({ field: `courses.${i}.course_id`, code: 'reference_missing' })
      })
    }
    const standing = new Set(findings(before, facts).map((f) => `${f.code} ${f.course_id} ${f.pool_id}`))
    const complete = ![...standing].some((key) => INCOMPLETE.has(key.split(' ')[0]!))
    const addsPool = next.pools.some((pool) => pool.id < 0)
    for (const finding of findings(next, facts)) {
      if (finding.severity !== 'error') continue
      const { severity: _, course_id, pool_id, ...reason } = finding
      const stops = INCOMPLETE.has(finding.code)
        ? whole || (complete && !addsPool)
        : whole || !standing.has(`${finding.code} ${course_id} ${pool_id}`)
      if (stops) reasons.push(reason)
    }
    if (reasons.length) throw new Refusal(422, reasons)
    await store(tx, id, before, next)
    await touch(tx, id)
    return { data: await readPlan(tx, ctx, id) }
  })
}

/** Makes the stored plan that of `next`. */
async function store(tx: Tx, id: number, before: Change, next: Change): Promise<void> {
  const gone = before.courses.filter((c) => !next.courses.some((n) => n.id === c.id)).map((c) => c.id!)
  if (gone.length) await sql`delete from program_courses where id = any(${gone}::int[])`.execute(tx)

  const poolIds = new Map<number, number>()
  for (const pool of next.pools) {
    const old = before.pools.find((p) => p.id === pool.id)
    if (old === undefined) {
      const { rows } = await sql<{
        id: number
      }>`insert into program_pools (program_id, name, name_local, min_credit_hours)
        values (${id}, ${pool.name}, ${pool.name_local}, ${pool.min_credit_hours}) returning id`.execute(tx)
      poolIds.set(pool.id, rows[0]!.id)
    } else if (old !== pool) {
      await sql`update program_pools set name = ${pool.name}, name_local = ${pool.name_local},
        min_credit_hours = ${pool.min_credit_hours}, version = version + 1 where id = ${pool.id}`.execute(tx)
    }
  }
  const declared = sql`id int, course_id int, level int, semester int, kind text, pool_id int, max_mark int, prerequisites jsonb`
  const changed = next.courses.filter((c) => {
    const old = before.courses.find((b) => b.id === c.id)
    return old && JSON.stringify(old) !== JSON.stringify(c)
  })
  if (changed.length) {
    await sql`update program_courses x set level = n.level, semester = n.semester, kind = n.kind, pool_id = n.pool_id, max_mark = n.max_mark,
        prerequisites = nullif(n.prerequisites, 'null'::jsonb), version = x.version + 1
      from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as n(${declared}) where x.id = n.id`.execute(tx)
  }
  const added = next.courses.filter((c) => c.id === undefined)
  if (added.length) {
    await sql`insert into program_courses (program_id, course_id, level, semester, kind, pool_id, max_mark)
      select ${id}::int, n.course_id, n.level, n.semester, n.kind, n.pool_id, n.max_mark
      from jsonb_to_recordset(${JSON.stringify(added)}::jsonb) as n(${declared})`.execute(tx)
  }
  const goners = before.pools.filter((p) => !next.pools.some((n) => n.id === p.id)).map((p) => p.id)
  if (goners.length) await sql`delete from program_pools where id = any(${goners}::int[])`.execute(tx)
}

const PARENTS = {
  course: (id: number) => sql<{ program_id: number }>`select program_id from program_courses where id = ${id}`,
  pool: (id: number) => sql<{ program_id: number }>`select program_id from program_pools where id = ${id}`,
}
async function programOf(ctx: Ctx, kind: keyof typeof PARENTS, id: number): Promise<number> {
  const { rows } = await PARENTS[kind](id).execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0].program_id
}

const defined = <T extends object>(sent: T) =>
  Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>
  }

async function removePool(ctx: Ctx, id: number) {
  return change(ctx, await programOf(ctx, 'pool', id), undefined, (plan) => ({
    pools: plan.pools.filter((pool) => pool.id !== id),
    courses: plan.courses.filter((c) => c.pool_id !== id),
  }))
}
async function editCourse(
  ctx: Ctx,
  id: number,
  version: number | undefined,
  sent: { [K in keyof Placed]?: Placed[K] | undefined },
) {
  return change(ctx, await programOf(ctx, 'course', id), version, (plan) => ({
    pools: plan.pools,
    courses: plan.courses.map((c) => {
      if (c.id !== id) return c
      const changed: Placed = { ...c, ...defined(sent) }
      // Whoever leaves the electives leaves the pool.
      return sent.kind !== undefined && sent.kind !== 'elective' && sent.pool_id === undefined
        ? { ...changed, pool_id: null }
        : changed
    }),
  }))
}

async function syncPrerequisites(
  ctx: Ctx,
  id: number,
  version: number | undefined,
  sent: readonly { course_id: number; prerequisites: Requisite | null }[],
) {
  return ctx.write(async (tx) => {
    await lockProgram(tx, ctx, id, 'edit_study_plan', version)
    const plan = (await readStored(tx, id))!
    const rows = sent.map((one) => ({ ...one, placed: plan.courses.find((c) => c.course_id === one.course_id) }))
    const codes = factsById(plan.facts)
    const reasons: Reason[] = rows.flatMap(({ placed, course_id }, i) =>
      placed
        ? []
        : [
            {
              field: `courses.${i}.course_id`,
              code: 'plan_not_in_plan',
              data: { course: codes.get(course_id)?.code ?? course_id },
            },
          ],
    )
    const changed = new Set(sent.map((one) => one.course_id))
    const instead = new Map(
      plan.courses.flatMap((c) =>
        c.prerequisites && !changed.has(c.course_id) ? [[c.course_id, c.prerequisites] as const] : [],
      ),
    )
    reasons.push(
      ...(await requisiteReasons(
        tx,
        sent.map((one, i) => ({
          course_id: one.course_id,
          // Those of the course again: together with this program's others they may still close a cycle.
          requisite: one.prerequisites ?? codes.get(one.course_id)?.prerequisites ?? null,
          name: `courses.${i}.prerequisites`,
        })),
        instead,
      )),
    )
    if (reasons.length) throw new Refusal(422, reasons)
    for (const { placed, prerequisites } of rows) {
      await sql`update program_courses set prerequisites = ${prerequisites ? JSON.stringify(prerequisites) : null}::jsonb, version = version + 1
        where id = ${placed!.id}`.execute(tx)
    }
    await touch(tx, id)
    return { data: await readPlan(tx, ctx, id) }
  })
}

async function setRequirement(
  ctx: Ctx,
  id: number,
  type: RequirementType,
  course_id: number,
  required: boolean,
  version?: number,
) {
  return ctx.write(async (tx) => {
    await lockProgram(tx, ctx, id, 'edit_study_plan', version)
    if (required) {
      const { rows } = await sql`select from courses where id = ${course_id} and removed_at is null`.execute(tx)
      if (!rows.length) throw refuse(422, 'reference_missing', {}, 'id')
      await sql`insert into program_requirements (program_id, type, course_id) values (${id}, ${type}, ${course_id}) on conflict do nothing`.execute(
        tx,
      )
    } else {
      await sql`delete from program_requirements where program_id = ${id} and type = ${type} and course_id = ${course_id}`.execute(
        tx,
      )
    }
    await touch(tx, id)
    return { data: await readPlan(tx, ctx, id) }
  })
}

async function allRequirements(
  ctx: Ctx,
  {
    bylaw_id,
    faculty_id,
    type,
  }: { bylaw_id?: number | undefined; faculty_id?: number | undefined; type?: RequirementType | undefined },
) {
  const where = [
    sql`t.removed_at is null`,
    scopeCondition(ctx, 'access_program', programScope),
    ...(bylaw_id === undefined ? [] : [sql`t.bylaw_id = ${bylaw_id}`]),
    ...(faculty_id === undefined ? [] : [sql`t.faculty_id = ${faculty_id}`]),
    ...(type === undefined ? [] : [sql`q.type = ${type}`]),
  ]
  const { rows } = await sql<
    Pick<Facts, 'id' | 'code' | 'name' | 'name_local' | 'credit_hours'> & { type: RequirementType; programs: Ref[] }
  >`
    select c.id, c.code, c.name, c.name_local, c.credit_hours::float8, q.type, json_agg(${ref('t')} order by t.code) as programs
    from program_requirements q join programs t on t.id = q.program_id join courses c on c.id = q.course_id
    where ${sql.join(where, sql` and `)} group by c.id, q.type order by q.type desc, c.code`.execute(ctx.db)
  return { data: rows, meta: { count: rows.length } }
}

// --- Calls ----------------------------------------------------------------------------------------------------------

const c = programCalls
export const planHandlers: Handled[] = [
  handle(c.studyPlan, async (ctx, { params }) => ({ data: await readPlan(ctx.db, ctx, params.id) })),
  handle(c.sync, (ctx, { params, body }) =>
    change(
      ctx,
      params.id,
      body.version,
      (plan) => {
        const stored = new Map(plan.courses.map((placed) => [placed.course_id, placed]))
        const used = new Set<number>()
        const sent = body.courses.map(({ max_mark, ...one }): Placed => {
          // A course that is sent twice stays twice, so that the check names it.
          const old = used.has(one.course_id) ? undefined : stored.get(one.course_id)
          used.add(one.course_id)
          return { prerequisites: null, max_mark: null, ...old, ...one, ...(max_mark !== undefined && { max_mark }) }
        })
        return {
          pools: plan.pools,
          courses: body.mode === 'replace' ? sent : [...plan.courses.filter((p) => !used.has(p.course_id)), ...sent],
        }
      },
      { whole: body.mode === 'replace' },
    ),
  ),
  handle(c.addPool, (ctx, { body: { program_id, version, ...pool } }) =>
    change(ctx, program_id, version, (plan) => ({
      courses: plan.courses,
      pools: [...plan.pools, { id: -1, ...pool }],
    })),
  ),
  handle(c.editPool, async (ctx, { params, body: { version, ...sent } }) =>
    change(ctx, await programOf(ctx, 'pool', params.id), version, (plan) => ({
      courses: plan.courses,
      pools: plan.pools.map((pool) => (pool.id === params.id ? { ...pool, ...defined(sent) } : pool)),
    })),
  ),
  handle(c.removePool, (ctx, { params }) => removePool(ctx, params.id)),
  handle(c.removePoolByQuery, (ctx, { query }) => removePool(ctx, query.id)),
  handle(c.editCourse, (ctx, { params, body: { version, ...sent } }) => editCourse(ctx, params.id, version, sent)),
  handle(c.moveCourse, (ctx, { params, body: { version, ...sent } }) => editCourse(ctx, params.id, version, sent)),
  handle(c.removeCourse, async (ctx, { params }) =>
    change(ctx, await programOf(ctx, 'course', params.id), undefined, (plan) => ({
      pools: plan.pools,
      courses: plan.courses.filter((placed) => placed.id !== params.id),
    })),
  ),
  handle(c.removeCourses, (ctx, { params, query }) =>
    change(ctx, params.programId, undefined, (plan) => {
      const absent = query.course_ids.filter((id) => !plan.courses.some((placed) => placed.course_id === id))
      if (absent.length)
        throw new Refusal(
          422,
          absent.map((course) => ({ field: 'course_ids', code: 'plan_not_in_plan', data: { course } })),
        )
      return {
        pools: plan.pools,
        courses: plan.courses.filter((placed) => !query.course_ids.includes(placed.course_id)),
      }
    }),
  ),
  handle(c.makeGeneral, (ctx, { params, body }) =>
    ctx.write(async (tx) => {
      await lockProgram(tx, ctx, params.id, 'edit_program', body.version)
      await sql`update programs set is_general = ${body.is_general} where id = ${params.id}`.execute(tx)
      return { data: await readPlan(tx, ctx, params.id) }
    }),
  ),
  handle(c.syncPrerequisites, (ctx, { params, body }) =>
    syncPrerequisites(ctx, params.programId, body.version, body.courses),
  ),
  handle(c.setRequirement, (ctx, { params, body }) =>
    setRequirement(ctx, params.programId, params.type, params.id, body.required, body.version),
  ),
  handle(c.requirements, async (ctx, { params }) => {
    const { requirements, courses } = await readPlan(ctx.db, ctx, params.id)
    const placed = new Set(courses.map((course) => course.course_id))
    const list = (type: RequirementType) =>
      requirements[type].map((course) => ({ ...course, in_plan: placed.has(course.id) }))
    return { data: { university: list('university'), faculty: list('faculty') } }
  }),
  handle(c.allRequirements, (ctx, { body }) => allRequirements(ctx, body)),
]
