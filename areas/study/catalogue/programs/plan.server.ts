import type { Ref } from '#kit/contract/index.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { requisiteReasons } from '../courses/requisites.server.ts'
import type { Requisite } from '../requisites.rules.ts'
import type { RequirementType } from '../words.contract.ts'
import type { StudyPlanAnswer } from './plan.contract.ts'
import {
  type PlacedCourse,
  type CatalogueFacts,
  type Stored,
  programScope,
  factsJson,
  readStored,
  findings,
  factsById,
  readProgramPlan,
  c,
} from './read-plan.server.ts'

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
      const { rows } = await sql<{ facts: CatalogueFacts }>`
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
    return { data: await readProgramPlan(tx, ctx, id) }
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
      poolIds.set(pool.id, firstRow(rows).id)
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
  sent: { [K in keyof PlacedCourse]?: PlacedCourse[K] | undefined },
) {
  return change(ctx, await programOf(ctx, 'course', id), version, (plan) => ({
    pools: plan.pools,
    courses: plan.courses.map((c) => {
      if (c.id !== id) return c
      const changed: PlacedCourse = { ...c, ...defined(sent) }
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
    return { data: await readProgramPlan(tx, ctx, id) }
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
    return { data: await readProgramPlan(tx, ctx, id) }
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
    Pick<CatalogueFacts, 'id' | 'code' | 'name' | 'name_local' | 'credit_hours'> & {
      type: RequirementType
      programs: Ref[]
    }
  >`
    select c.id, c.code, c.name, c.name_local, c.credit_hours::float8, q.type, json_agg(${ref('t')} order by t.code) as programs
    from program_requirements q join programs t on t.id = q.program_id join courses c on c.id = q.course_id
    where ${sql.join(where, sql` and `)} group by c.id, q.type order by q.type desc, c.code`.execute(ctx.db)
  return { data: rows, meta: { count: rows.length } }
}
export const planHandlers: Handled[] = [
  handle(c.studyPlan, async (ctx, { params }) => ({ data: await readProgramPlan(ctx.db, ctx, params.id) })),
  handle(c.sync, (ctx, { params, body }) =>
    change(
      ctx,
      params.id,
      body.version,
      (plan) => {
        const stored = new Map(plan.courses.map((placed) => [placed.course_id, placed]))
        const used = new Set<number>()
        const sent = body.courses.map(({ max_mark, ...one }): PlacedCourse => {
          // A course that is sent twice stays twice, so that the check names it.
          const old = used.has(one.course_id) ? undefined : stored.get(one.course_id)
          used.add(one.course_id)
          return { prerequisites: null, max_mark: null, ...old, ...one, ...(max_mark !== undefined && { max_mark }) }
        })
        return {
          pools: plan.pools,
          // What was sent comes first: a refusal names its places.
          courses: body.mode === 'replace' ? sent : [...sent, ...plan.courses.filter((p) => !used.has(p.course_id))],
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
      return { data: await readProgramPlan(tx, ctx, params.id) }
    }),
  ),
  handle(c.syncPrerequisites, (ctx, { params, body }) =>
    syncPrerequisites(ctx, params.programId, body.version, body.courses),
  ),
  handle(c.setRequirement, (ctx, { params, body }) =>
    setRequirement(ctx, params.programId, params.type, params.id, body.required, body.version),
  ),
  handle(c.requirements, async (ctx, { params }) => {
    const { requirements, courses } = await readProgramPlan(ctx.db, ctx, params.id)
    const placed = new Set(courses.map((course) => course.course_id))
    const list = (type: RequirementType) =>
      requirements[type].map((course) => ({ ...course, in_plan: placed.has(course.id) }))
    return { data: { university: list('university'), faculty: list('faculty') } }
  }),
  handle(c.allRequirements, (ctx, { body }) => allRequirements(ctx, body)),
]
