/** Automatic placement: a job that looks for the best plan, told live, compared with the present plan, and taken as a whole. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/errors.ts'
import { defineJob } from '#kit/server/jobs.ts'
import { examWithin } from '../board/board.server.ts'
import { evaluate } from '../solver/evaluate.rules.ts'
import { whyImpossible, type ImpossibleReason } from '../solver/impossible.rules.ts'
import type { Placement } from '../solver/problem.contract.ts'
import { repair } from '../solver/repair.rules.ts'
import { startSolver } from '../solver/run.server.ts'
import {
  DEFAULT_WEIGHTS,
  placementCalls,
  type Figures,
  type PlacementRun,
  type WeightName,
} from './placement.contract.ts'
import { figuresOf, planOf, readPlan, type ExamPlan, type Planned } from './problem.server.ts'

interface Row {
  id: number
  exam_id: number
  kind: 'place' | 'repair'
  state: PlacementRun['state']
  job_id: string | null
  weights: Partial<Record<WeightName, number>>
  seconds: number
  is_stopped: boolean
  progress: number
  cost: Figures | null
  present_cost: Figures | null
  plan: Planned[] | null
  reasons: Reason[]
  base: Base[]
  created_by: number | null
}
/** How a schedule stood when the run began. */
type Base = [id: number, on_date: string | null, exam_slot_id: number | null, students: number]

const baseOf = ({ schedules, present, slots, problem }: ExamPlan): Base[] =>
  schedules.map((id, i) => {
    const at = slots[present[i]!.slot]
    return [id, at?.on_date ?? null, at?.exam_slot_id ?? null, problem.exams[i]!.size]
  })

async function answerOf(ctx: Ctx, row: Row | undefined): Promise<PlacementRun | null> {
  if (!row) return null
  const { rows } = await sql<{ id: number; name: string; on_date: string | null; exam_slot_id: number | null }>`
    select s.id, c.code || ' (' || o.code || ')' as name, s.on_date, s.exam_slot_id
    from exam_schedules s join offerings o on o.id = s.offering_id join courses c on c.id = o.course_id
    where s.exam_id = ${row.exam_id} and s.removed_at is null order by c.code, o.code`.execute(ctx.db)
  const to = new Map(row.plan?.map((one) => [one.id, one]))
  const place = (one: { on_date: string | null; exam_slot_id: number | null }) =>
    one.on_date !== null && one.exam_slot_id !== null ? { on_date: one.on_date, exam_slot_id: one.exam_slot_id } : null
  return {
    id: row.id,
    exam_id: row.exam_id,
    kind: row.kind,
    state: row.state,
    progress: row.progress,
    seconds: row.seconds,
    job_id: row.job_id,
    weights: { ...DEFAULT_WEIGHTS, ...row.weights },
    cost: row.cost,
    present: row.present_cost,
    changes:
      row.state === 'proposed'
        ? rows.flatMap((one) => {
            const next = to.get(one.id)
            if (!next || (next.on_date === one.on_date && next.exam_slot_id === one.exam_slot_id)) return []
            return [{ id: one.id, name: one.name, from: place(one), to: place(next) }]
          })
        : [],
    reasons: row.reasons.map((reason) => {
      const { code, en, ar } = toProblem(reason)
      return { code, en, ar }
    }),
  }
}

/** A run within reach, held. @throws {Refusal} 404 */
async function held(ctx: Ctx, tx: Tx, id: number): Promise<Row> {
  const { rows } = await sql<Row>`select p.* from exam_placements p join exams t on t.id = p.exam_id
    where p.id = ${id} and ${examWithin(ctx, 'place_exam')} for update of p`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
async function holdExam(ctx: Ctx, tx: Tx, exam_id: number): Promise<void> {
  const { rows } = await sql<{
    status: string
  }>`select t.status from exams t where t.id = ${exam_id} and t.removed_at is null
    and ${examWithin(ctx, 'place_exam')} for update`.execute(tx)
  if (!rows[0]) throw refuse(404, 'not_found')
  if (rows[0].status === 'published') throw refuse(409, 'exam_published')
}

/** Why exams have no place, with their names. */
const said = (plan: ExamPlan, reasons: readonly ImpossibleReason[]): Reason[] =>
  reasons.map(({ code, data }) => {
    const { exams, ...numbers } = data as { exams: number[] } & Record<string, number | number[]>
    const names = exams.map((id) => plan.names.get(id) ?? String(id))
    const at = (slot: unknown) => (typeof slot === 'number' ? (plan.slots[slot]?.on_date ?? '') : '')
    return {
      code: `exam_why_${code}`,
      data: {
        ...Object.fromEntries(Object.entries(numbers).filter(([, value]) => typeof value === 'number')),
        exams: names.slice(0, 20).join(', ') || '–',
        count: names.length,
        day: at(numbers.slot),
      },
    }
  })

const costOf = (plan: ExamPlan, placements: readonly Placement[]): Figures =>
  figuresOf(evaluate(plan.problem, placements))

const tell = (ctx: Ctx, row: Pick<Row, 'id' | 'exam_id' | 'created_by'>, data: object) =>
  row.created_by === null
    ? Promise.resolve()
    : ctx.services.events.publish(row.created_by, {
        type: 'exam_placement',
        data: { id: row.id, exam_id: row.exam_id, ...data },
      })

/** How often the best plan so far is kept, ms. */
const KEEP = 2000

/** Looks for a plan in a thread of its own. Begun again after its process died, it goes on from the best plan that was kept. */
export const placementJob = defineJob<{ id: number }, { id: number }>({
  name: 'exam-placement',
  async run(ctx, { id }, progress) {
    const { rows } = await sql<
      Row & { kept: Placement[] | null }
    >`select * from exam_placements where id = ${id}`.execute(ctx.db)
    const row = rows[0]
    if (row?.state !== 'running') return { id }
    const plan = await readPlan(ctx.db, row.exam_id, row.weights)
    const at = new Map(plan.slots.map((slot, i) => [`${slot.on_date} ${slot.exam_slot_id}`, i]))
    const hall = new Map(plan.halls.map((one, i) => [one, i]))
    const kept = new Map(row.plan?.map((one) => [one.id, one]))
    const from: Placement[] | undefined = row.plan
      ? plan.schedules.map((schedule) => {
          const one = kept.get(schedule)
          const slot = one ? (at.get(`${one.on_date} ${one.exam_slot_id}`) ?? -1) : -1
          return {
            slot,
            halls:
              slot < 0 ? [] : one!.halls.flatMap(([l, seats]) => (hall.has(l) ? [{ hall: hall.get(l)!, seats }] : [])),
          }
        })
      : undefined
    const done = row.progress / 100
    let failed: unknown
    let last = 0
    const keep = async (percent: number, figures: Figures) => {
      const best = run.snapshot()
      const { rows: still } = await sql<{ is_stopped: boolean }>`update exam_placements
        set progress = ${Math.min(99, percent)}, cost = ${JSON.stringify(figures)}::jsonb,
          plan = ${best ? JSON.stringify(planOf(plan, { placements: best.from, duties: [] })) : null}::jsonb
        where id = ${id} and state = 'running' returning is_stopped`.execute(ctx.db)
      // Discarded meanwhile, or enough.
      if (!still[0]) run.cancel()
      else if (still[0].is_stopped) run.stop()
    }
    const run = startSolver(
      plan.problem,
      { seconds: Math.max(1, row.seconds * (1 - done)), seed: row.id, done, ...(from && { from }) },
      ({ fraction, cost }) => {
        const percent = Math.floor(fraction * 100)
        const figures = figuresOf(cost)
        void progress(percent).catch((error: unknown) => {
          failed = error
          run.cancel()
        })
        void tell(ctx, row, { state: 'running', progress: percent, cost: figures }).catch(() => {})
        const now = Date.now()
        if (now - last < KEEP) return
        last = now
        void keep(percent, figures).catch(() => {})
      },
    )
    const cancel = () => run.cancel()
    progress.signal.addEventListener('abort', cancel)
    const solution = await run.result.finally(() => progress.signal.removeEventListener('abort', cancel))
    if (!solution) {
      // A process that stops leaves the run to the next one; whoever cancelled it wants it no more.
      if (progress.signal.aborted || failed)
        await sql`update exam_placements set state = 'discarded', finished_at = now() where id = ${id} and state = 'running'
          and exists (select from jobs j where j.id = ${row.job_id}::uuid and j.state = 'cancelled')`.execute(ctx.db)
      progress.signal.throwIfAborted()
      return { id }
    }
    const figures = figuresOf(solution.cost)
    await sql`update exam_placements set state = 'proposed', progress = 100, finished_at = now(), cost = ${JSON.stringify(figures)}::jsonb,
      plan = ${JSON.stringify(planOf(plan, solution))}::jsonb,
      reasons = ${JSON.stringify(figures.broken ? said(plan, whyImpossible(plan.problem)) : [])}::jsonb
      where id = ${id} and state = 'running'`.execute(ctx.db)
    await tell(ctx, row, { state: 'proposed', progress: 100, cost: figures })
    return { id }
  },
})

async function begin(
  ctx: Ctx,
  tx: Tx,
  kind: Row['kind'],
  exam_id: number,
  plan: ExamPlan,
  more: { weights: object; seconds: number },
): Promise<number> {
  const { rows: open } =
    await sql`select 1 from exam_placements where exam_id = ${exam_id} and state = 'running'`.execute(tx)
  if (open.length) throw refuse(409, 'exam_placement_runs')
  await sql`update exam_placements set state = 'discarded' where exam_id = ${exam_id} and state = 'proposed'`.execute(
    tx,
  )
  const { rows } = await sql<{
    id: number
  }>`insert into exam_placements (exam_id, kind, weights, seconds, present_cost, base, created_by)
    values (${exam_id}, ${kind}, ${JSON.stringify(more.weights)}::jsonb, ${more.seconds}, ${JSON.stringify(costOf(plan, plan.present))}::jsonb,
      ${JSON.stringify(baseOf(plan))}::jsonb, ${ctx.actor?.user_id ?? null}) returning id`.execute(tx)
  return rows[0]!.id
}

/** So many are named, the others counted. */
const NAMED = 10

/** Schedules that somebody has moved, or whose students are others, since the run began. */
function changedSince(base: readonly Base[], plan: ExamPlan): Reason[] {
  const now = new Map(baseOf(plan).map((one) => [one[0], one]))
  const then = new Map(base.map((one) => [one[0], one]))
  const names = [...new Set([...now.keys(), ...then.keys()])].filter(
    (id) => JSON.stringify(now.get(id)) !== JSON.stringify(then.get(id)),
  )
  if (!names.length) return []
  const exams = names.slice(0, NAMED).map((id) => plan.names.get(id) ?? String(id))
  return [{ code: 'exam_plan_changed', data: { count: names.length, exams: exams.join(', ') } }]
}

async function take(ctx: Ctx, tx: Tx, row: Row): Promise<void> {
  await holdExam(ctx, tx, row.exam_id)
  await sql`select from exam_schedules where exam_id = ${row.exam_id} order by id for update`.execute(tx)
  const plan = await readPlan(tx, row.exam_id, row.weights)
  const reasons = changedSince(row.base, plan)
  if (reasons.length) throw new Refusal(409, reasons)
  const moving = (row.plan ?? []).filter((one) => !plan.locked.has(one.id))
  const json = JSON.stringify(moving)
  await sql`delete from exam_schedule_locations where exam_schedule_id = any(${moving.map((one) => one.id)}::int[])`.execute(
    tx,
  )
  await sql`update exam_schedules s set on_date = m.on_date, exam_slot_id = m.exam_slot_id, version = s.version + 1
    from jsonb_to_recordset(${json}::jsonb) as m (id int, on_date date, exam_slot_id int)
    where s.id = m.id and (s.on_date, s.exam_slot_id) is distinct from (m.on_date, m.exam_slot_id)`.execute(tx)
  await sql`insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during)
    select m.id, ${row.exam_id}::int, (h ->> 0)::int, (h ->> 1)::int, 'empty'
    from jsonb_to_recordset(${json}::jsonb) as m (id int, halls jsonb) cross join jsonb_array_elements(m.halls) as h`.execute(
    tx,
  )
  await sql`insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, role, during)
    select m.id, (p ->> 0)::int, (p ->> 1)::int, 'invigilator', 'empty'
    from jsonb_to_recordset(${json}::jsonb) as m (id int, staff jsonb) cross join jsonb_array_elements(m.staff) as p
      join exam_schedules s on s.id = m.id
    where not exists (select from exam_schedule_instructors k where k.instructor_id = (p ->> 1)::int and k.during && s.during
      and k.location_id <> (p ->> 0)::int)`.execute(tx)
  await sql`update exam_placements set state = 'taken', taken_at = now(), taken_by = ${ctx.actor?.user_id ?? null} where id = ${row.id}`.execute(
    tx,
  )
}

const rowOf = async (ctx: Ctx, tx: Tx, id: number): Promise<PlacementRun> =>
  (await answerOf(
    { ...ctx, db: tx },
    (await sql<Row>`select * from exam_placements where id = ${id}`.execute(tx)).rows[0],
  ))!

export const placementHandlers: readonly Handled[] = [
  handle(placementCalls.place, (ctx, { body: { exam_id, seconds, weights } }) =>
    ctx.write(async (tx) => {
      await holdExam(ctx, tx, exam_id)
      const plan = await readPlan(tx, exam_id, weights)
      if (!plan.schedules.length) throw refuse(422, 'exam_covers_nothing')
      if (!plan.slots.length || !plan.halls.length) throw refuse(422, 'exam_needs_slots')
      const id = await begin(ctx, tx, 'place', exam_id, plan, { weights, seconds })
      const job_id = await ctx.services.jobs.send(tx, placementJob, { id }, { actor: ctx.actor })
      await sql`update exam_placements set job_id = ${job_id}::uuid where id = ${id}`.execute(tx)
      await sql`update exams set weights = ${JSON.stringify(weights)}::jsonb where id = ${exam_id}`.execute(tx)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(placementCalls.last, async (ctx, { params: { id } }) => {
    const { rows } = await sql<Row>`select p.* from exam_placements p join exams t on t.id = p.exam_id
      where p.exam_id = ${id} and ${examWithin(ctx, 'access_examSchedule')} order by p.id desc limit 1`.execute(ctx.db)
    return { data: await answerOf(ctx, rows[0]) }
  }),
  handle(placementCalls.stop, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state !== 'running') throw refuse(409, 'exam_placement_over')
      await sql`update exam_placements set is_stopped = true where id = ${id}`.execute(tx)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(placementCalls.discard, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state === 'taken') throw refuse(409, 'exam_placement_over')
      await sql`update exam_placements set state = 'discarded', finished_at = now() where id = ${id}`.execute(tx)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(placementCalls.take, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state !== 'proposed') throw refuse(409, 'exam_placement_over')
      await take(ctx, tx, row)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(placementCalls.repair, (ctx, { body: { exam_id, must_move } }) =>
    ctx.write(async (tx) => {
      await holdExam(ctx, tx, exam_id)
      const { rows } = await sql<{
        weights: Partial<Record<WeightName, number>>
      }>`select weights from exams where id = ${exam_id}`.execute(tx)
      const { weights } = rows[0]!
      const plan = await readPlan(tx, exam_id, weights)
      if (!plan.slots.length || !plan.halls.length) throw refuse(422, 'exam_needs_slots')
      const must = must_move.map((id) => plan.schedules.indexOf(id))
      if (must.includes(-1)) throw refuse(422, 'not_found', undefined, 'must_move')
      if (must_move.some((id) => plan.locked.has(id))) throw refuse(409, 'exam_schedule_locked')
      const id = await begin(ctx, tx, 'repair', exam_id, plan, { weights, seconds: REPAIR_SECONDS })
      const found = repair(plan.problem, plan.present, { seconds: REPAIR_SECONDS, mustMove: must })
      const figures = figuresOf(found.cost)
      await sql`update exam_placements set state = 'proposed', progress = 100, finished_at = now(), cost = ${JSON.stringify(figures)}::jsonb,
        plan = ${JSON.stringify(planOf(plan, found))}::jsonb,
        reasons = ${JSON.stringify(figures.broken ? said(plan, whyImpossible(plan.problem)) : [])}::jsonb where id = ${id}`.execute(
        tx,
      )
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
]
const REPAIR_SECONDS = 3
