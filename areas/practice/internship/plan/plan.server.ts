/** Plans of rotations: a job that looks for one, told live, compared with today's, stopped, discarded, and taken as a whole. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { startRun, untilAborted } from '#kit/server/workers/run.ts'
import { sql } from 'kysely'
import { holdYear } from '../reach.server.ts'
import {
  rotationPlanCalls as calls,
  type PlannedRotations,
  type RotationPlanFigures,
  type RotationPlanRun,
} from './plan.contract.ts'
import { planBase, planChangeFigures, planChanges, type PlanBase, type PlannedRotation } from './plan.rules.ts'
import { readPlannedYear } from './read.server.ts'
import type { PlanSolution, PlanTask, PlanTold } from './solve.rules.ts'
import { takePlan } from './take.server.ts'
import { yearProblem, planReasons } from './year.rules.ts'

interface Row {
  id: number
  year_id: number
  kind: 'plan' | 'repair'
  keep: boolean
  state: RotationPlanRun['state']
  job_id: string | null
  seconds: number
  is_stopped: boolean
  progress: number
  figures: RotationPlanFigures | null
  present: RotationPlanFigures | null
  plan: PlannedRotation[] | null
  reasons: Reason[]
  base: Partial<PlanBase>
  changes: (NonNullable<RotationPlanRun['changes']> & { ids: number[] }) | null
  created_by: number | null
}

const withoutIds = ({ ids: _ids, ...counts }: NonNullable<Row['changes']>): RotationPlanRun['changes'] => counts
/** What is told of a plan: not the plan itself, which is long. */
type Told = Omit<Row, 'plan' | 'base'>
const answerOf = (row: Told): RotationPlanRun => ({
  id: row.id,
  year_id: row.year_id,
  kind: row.kind,
  keep: row.keep,
  state: row.state,
  progress: row.progress,
  seconds: row.seconds,
  job_id: row.job_id,
  figures: row.figures,
  present: row.present,
  changes: row.changes && withoutIds(row.changes),
  reasons: row.reasons.map((reason) => {
    const { field: _field, ...told } = toProblem(reason)
    return told
  }),
})
/** SQL: the reader plans the year `y`. */
const planned = (ctx: Ctx) =>
  sql<boolean>`y.removed_at is null and ${scopeCondition(ctx, 'plan_rotation', { faculty: sql`y.faculty_id` })}`
const COLUMNS = sql.raw(
  [
    'id',
    'year_id',
    'kind',
    'keep',
    'state',
    'job_id',
    'seconds',
    'is_stopped',
    'progress',
    'figures',
    'present',
    'reasons',
    'changes',
    'created_by',
  ]
    .map((name) => `p.${name}`)
    .join(', '),
)

/** A plan within reach, held. @throws {Refusal} 404 */
async function held(ctx: Ctx, tx: Tx, id: number): Promise<Row> {
  const { rows } = await sql<Row>`select p.* from emtyaz_plans p join emtyaz_years y on y.id = p.year_id
    where p.id = ${id} and ${planned(ctx)} for update of p`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
const rowOf = async (tx: Tx, id: number): Promise<RotationPlanRun> =>
  answerOf(firstRow((await sql<Told>`select ${COLUMNS} from emtyaz_plans p where p.id = ${id}`.execute(tx)).rows))

const tell = (ctx: Ctx, row: Pick<Row, 'id' | 'year_id' | 'created_by'>, data: object) =>
  row.created_by === null
    ? Promise.resolve()
    : ctx.services.events.publish(row.created_by, {
        type: 'rotation_plan',
        data: { id: row.id, year_id: row.year_id, ...data },
      })

/** How often it is written down how far the search is, ms. */
const KEEP = 1000

/** Looks for a plan in a thread of its own. Begun again after its process died, it looks anew. */
export const rotationPlanJob = defineJob<{ id: number }, { id: number }>({
  name: 'rotation-plan',
  concurrency: 2,
  async run(ctx, { id }, progress) {
    const { rows } = await sql<Told>`select ${COLUMNS} from emtyaz_plans p where p.id = ${id}`.execute(ctx.db)
    const row = rows[0]
    if (row?.state === 'failed') throw refuse(409, 'emtyaz_plan_over')
    // Discarded before it began.
    if (row?.state !== 'running') return { id }
    const year = await readPlannedYear(ctx.db, row.year_id)
    const { kind, keep, seconds } = row
    const task: PlanTask = { year, options: { kind, keep }, seconds, seed: row.id }
    let last = 0
    /** Discarded meanwhile, or enough. */
    const look = async (percent: number) => {
      const still = await kept(ctx, row.id, percent)
      if (still === null) run.cancel()
      else if (still) run.stop()
    }
    const run = startRun<PlanTold, PlanSolution>(new URL('./plan.worker.ts', import.meta.url), task, (told) => {
      void progress(told.percent).catch(() => run.cancel())
      void tell(ctx, row, { state: 'running', progress: told.percent, cost: told.cost }).catch(() => {})
      if (Date.now() - last < KEEP) return
      last = Date.now()
      void look(told.percent).catch(() => {})
    })
    const found = await untilAborted(run, progress.signal)
    if (!found) {
      progress.signal.throwIfAborted()
      return { id }
    }
    const changes =
      found.planned && planChangeFigures(planChanges(year, yearProblem(year, { kind, keep }), found.planned))
    const state = found.planned ? 'proposed' : 'none'
    await sql`update emtyaz_plans set state = ${state}, progress = 100, finished_at = now(), figures = ${jsonOf(found.figures)}::jsonb,
      present = ${jsonOf(found.present)}::jsonb, plan = ${jsonOf(found.planned)}::jsonb, reasons = ${jsonOf(found.reasons)}::jsonb,
      base = ${jsonOf(planBase(year))}::jsonb, changes = ${jsonOf(changes)}::jsonb where id = ${id} and state = 'running'`.execute(
      ctx.db,
    )
    await tell(ctx, row, { state, progress: 100, cost: found.figures?.cost ?? null })
    return { id }
  },
})
const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
/** Writes down how far it is; whether it is to stop with the best so far, or null: nobody waits for it any more. */
async function kept(ctx: Ctx, id: number, percent: number): Promise<boolean | null> {
  const { rows } = await sql<{ is_stopped: boolean }>`update emtyaz_plans set progress = ${percent}
    where id = ${id} and state = 'running' returning is_stopped`.execute(ctx.db)
  return rows[0]?.is_stopped ?? null
}

/** Begins to look, unless somebody does already or it is clear that there is nothing to be found. */
const begin = (ctx: Ctx, kind: Row['kind'], { year_id, seconds, keep }: Pick<Row, 'year_id' | 'seconds' | 'keep'>) =>
  ctx.write(async (tx) => {
    await holdYear(ctx, tx, year_id, 'plan_rotation')
    const { rows: open } = await sql`select from emtyaz_plans where year_id = ${year_id} and state = 'running'`.execute(
      tx,
    )
    if (open.length) throw refuse(409, 'emtyaz_plan_runs')
    const year = await readPlannedYear(tx, year_id)
    const reasons = [...planReasons(year)]
    if (reasons.length) throw new Refusal(409, reasons)
    await sql`update emtyaz_plans set state = 'discarded', finished_at = now() where year_id = ${year_id} and state = 'proposed'`.execute(
      tx,
    )
    const { rows } = await sql<{ id: number }>`insert into emtyaz_plans (year_id, kind, keep, seconds, created_by)
      values (${year_id}, ${kind}, ${keep}, ${seconds}, ${ctx.actor?.user_id ?? null}) on conflict (year_id) where state = 'running' do nothing
      returning id`.execute(tx)
    if (!rows[0]) throw refuse(409, 'emtyaz_plan_runs')
    const { id } = rows[0]
    const job_id = await ctx.services.jobs.send(tx, rotationPlanJob, { id }, { actor: ctx.actor })
    await sql`update emtyaz_plans set job_id = ${job_id}::uuid where id = ${id}`.execute(tx)
    return { data: await rowOf(tx, id) }
  })

const TAKEN = 'A plan of rotations was taken'

export const rotationPlanHandlers: readonly Handled[] = [
  handle(calls.plan, (ctx, { body }) => begin(ctx, 'plan', body)),
  handle(calls.repair, (ctx, { body }) => begin(ctx, 'repair', { ...body, keep: false })),
  handle(calls.last, async (ctx, { params: { id } }) => {
    const { rows } = await sql<Told>`select ${COLUMNS} from emtyaz_plans p join emtyaz_years y on y.id = p.year_id
      where p.year_id = ${id} and ${planned(ctx)} order by p.id desc limit 1`.execute(ctx.db)
    return { data: rows[0] ? answerOf(rows[0]) : null }
  }),
  handle(calls.planned, async (ctx, { params: { id } }) => {
    const { rows } = await sql<PlannedRotations>`select coalesce((select json_agg(json_build_array(
        (x ->> 'student_id')::int, (x ->> 'training_id')::int, x ->> 'starts_on', x ->> 'ends_on')) from jsonb_array_elements(p.plan) x), '[]') as rotations,
        coalesce(p.changes -> 'ids', '[]') as removed
      from emtyaz_plans p join emtyaz_years y on y.id = p.year_id where p.id = ${id} and ${planned(ctx)}`.execute(
      ctx.db,
    )
    if (!rows[0]) throw refuse(404, 'not_found')
    return { data: rows[0] }
  }),
  handle(calls.stop, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state !== 'running') throw refuse(409, 'emtyaz_plan_over')
      await sql`update emtyaz_plans set is_stopped = true where id = ${id}`.execute(tx)
      return { data: await rowOf(tx, id) }
    }),
  ),
  handle(calls.discard, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state === 'taken') throw refuse(409, 'emtyaz_plan_over')
      await sql`update emtyaz_plans set state = 'discarded', finished_at = now() where id = ${id}`.execute(tx)
      return { data: await rowOf(tx, id) }
    }),
  ),
  handle(calls.take, (ctx, { params: { id } }) =>
    ctx.write(
      async (tx) => {
        const { year_id, kind, keep, base, plan, state } = await held(ctx, tx, id)
        if (state !== 'proposed' || !plan) throw refuse(409, 'emtyaz_plan_over')
        await takePlan(
          ctx,
          tx,
          year_id,
          { kind, keep },
          { base: { rotations: {}, interns: [], year: '', ...base }, planned: plan },
          TAKEN,
        )
        await holdYear(ctx, tx, year_id, 'plan_rotation')
        await sql`update emtyaz_plans set state = 'taken', taken_at = now(), taken_by = ${ctx.actor?.user_id ?? null} where id = ${id}`.execute(
          tx,
        )
        return { data: await rowOf(tx, id) }
      },
      { reason: TAKEN },
    ),
  ),
  handle(calls.lock, (ctx, { body: { ids, locked } }) =>
    ctx.write(async (tx) => {
      const { rows } = await sql<{
        is_closed: boolean
      }>`select y.is_closed from emtyaz_rotations t join emtyaz_years y on y.id = t.year_id
        where t.id = any(${ids}::int[]) and t.removed_at is null and t.status = 'accepted' and ${planned(ctx)}
        order by t.id for update of t`.execute(tx)
      if (rows.length < new Set(ids).size) throw refuse(404, 'not_found')
      if (rows.some(({ is_closed }) => is_closed)) throw refuse(409, 'emtyaz_closed')
      const { numAffectedRows } = await sql`update emtyaz_rotations set is_locked = ${locked}
        where id = any(${ids}::int[]) and is_locked <> ${locked}`.execute(tx)
      return { data: { changed: Number(numAffectedRows ?? 0n) } }
    }),
  ),
]
