/** Automatic placement: a job that looks for the best plan, told live, compared with the present plan, and taken as a whole. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, toProblem, type Reason } from '#kit/server/base/errors.ts'
import { defineJob } from '#kit/server/jobs/jobs.ts'
import { untilAborted } from '#kit/server/workers/run.ts'
import { examWithin } from '../board/board.server.ts'
import { tellBoard } from '../exams/exam.server.ts'
import { holdHalls } from '../accommodations/hold.server.ts'
import { dutiesNeeded, evaluatePlacement } from '../solver/evaluate.rules.ts'
import { whyImpossible, type ImpossibleReason } from '../solver/impossible.rules.ts'
import type { ExamPlacement } from '../solver/problem.contract.ts'
import { startSolver, type RunOptions, type SolverRun } from '../solver/run.server.ts'
import { assignStaff } from '../solver/staff.rules.ts'
import {
  DEFAULT_WEIGHTS,
  examPlacementCalls,
  type PlacementFigures,
  type Invigilators,
  type PlacementRun,
  type WeightName,
} from './placement.contract.ts'
import {
  baseOf,
  lackingStaff,
  placementsOf,
  planOf,
  refit,
  takeReasons,
  type Base,
  type ExamPlan,
  type Mover,
  type PlannedExam,
} from './placement.rules.ts'
import { placementFiguresOf, readExamPlan } from './problem.server.ts'

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
  cost: PlacementFigures | null
  present_cost: PlacementFigures | null
  plan: PlannedExam[] | null
  reasons: Reason[]
  base: Base[]
  must_move: number[]
  created_at: string
  created_by: number | null
}

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
      const { field: _field, ...told } = toProblem(reason)
      return told
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
async function holdExam(
  ctx: Ctx,
  tx: Tx,
  exam_id: number,
  access: 'place_exam' | 'edit_examSchedule' = 'place_exam',
): Promise<void> {
  const { rows } = await sql<{
    status: string
  }>`select t.status from exams t where t.id = ${exam_id} and t.removed_at is null
    and ${examWithin(ctx, access)} for update`.execute(tx)
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

const tell = (ctx: Ctx, row: Pick<Row, 'id' | 'exam_id' | 'created_by'>, data: object) =>
  row.created_by === null
    ? Promise.resolve()
    : ctx.services.events.publish(row.created_by, {
        type: 'exam_placement',
        data: { id: row.id, exam_id: row.exam_id, ...data },
      })

/** How often the best plan so far is kept, ms. */
const KEEP = 2000
const REPAIR_SECONDS = 3

/** Looks for a plan in a thread of its own. Begun again after its process died, it goes on from the best plan that was kept. */
export const placementJob = defineJob<{ id: number }, { id: number }>({
  name: 'exam-placement',
  concurrency: 2,
  async run(ctx, { id }, progress) {
    const { rows } = await sql<Row>`select * from exam_placements where id = ${id}`.execute(ctx.db)
    const row = rows[0]
    // Discarded before it began; one that failed is not begun again, but asked for anew.
    if (row?.state === 'failed') throw refuse(409, 'exam_placement_over')
    if (row?.state !== 'running') return { id }
    // Seats for who comes late are kept free when a plan is looked for; to mend one, they may be used.
    const plan = await readExamPlan(ctx.db, row.exam_id, row.weights, { reserve: row.kind === 'place' })
    const begun = { seed: row.id, ...(row.plan && { from: placementsOf(plan, row.plan) }) }
    const found =
      row.kind === 'repair'
        ? await mend(plan, refit(plan.problem, plan.present, plan.room), row.must_move, row.id, progress.signal)
        : await search(ctx, row, plan, begun, progress)
    if (!found) {
      progress.signal.throwIfAborted()
      return { id }
    }
    await propose(ctx, row, plan, found, progress.signal)
    return { id }
  },
})

/** The plan of a run in a thread, which ends when the job does. */
const inThread = async (run: SolverRun, signal: AbortSignal): Promise<readonly ExamPlacement[] | undefined> =>
  (await untilAborted(run, signal))?.placements

/** The smallest change that makes a plan right. */
const mend = (
  { problem, schedules }: ExamPlan,
  from: readonly ExamPlacement[],
  must: readonly number[],
  seed: number,
  signal: AbortSignal,
) => {
  const mustMove = must.map((id) => schedules.indexOf(id)).filter((exam) => exam >= 0)
  return inThread(startSolver(problem, { seconds: REPAIR_SECONDS, seed, from, mustMove }), signal)
}

/** Looks for the best plan: tells how far it is, keeps the best, and ends when it is stopped, discarded or cancelled. */
async function search(
  ctx: Ctx,
  row: Row,
  plan: ExamPlan,
  begun: RunOptions,
  progress: ((percent: number) => Promise<void>) & { readonly signal: AbortSignal },
): Promise<readonly ExamPlacement[] | undefined> {
  const done = row.progress / 100
  let last = 0
  const keep = async (percent: number, figures: PlacementFigures) => {
    const best = run.snapshot()
    const { rows: still } = await sql<{ is_stopped: boolean }>`update exam_placements
      set progress = ${Math.min(99, percent)}, cost = ${JSON.stringify(figures)}::jsonb,
        plan = ${best ? JSON.stringify(planOf(plan, best.from, [])) : null}::jsonb
      where id = ${row.id} and state = 'running' returning is_stopped`.execute(ctx.db)
    // Discarded meanwhile, or enough.
    if (!still[0]) run.cancel()
    else if (still[0].is_stopped) run.stop()
  }
  // What is left of its time is reckoned by the solver, from how far it was.
  const run = startSolver(plan.problem, { ...begun, seconds: row.seconds, done }, ({ fraction, cost }) => {
    const percent = Math.floor(fraction * 100)
    const { brokenCount, broken, total, worstLoad, parts } = cost
    const figures = { broken: brokenCount, unplaced: broken.unplaced, clashes: broken.clashes, total, worstLoad, parts }
    void progress(percent).catch(() => run.cancel())
    void tell(ctx, row, { state: 'running', progress: percent, cost: figures }).catch(() => {})
    const now = Date.now()
    if (now - last < KEEP) return
    last = now
    void keep(percent, { ...figures, parts: { ...parts } }).catch(() => {})
  })
  return await inThread(run, progress.signal)
}

/**
 * Writes down what was found. Students who came or left, and what was locked or closed while the thread was at work, are
 * looked at once more: where they break the plan, it is mended first.
 */
async function propose(
  ctx: Ctx,
  row: Row,
  before: ExamPlan,
  found: readonly ExamPlacement[],
  signal: AbortSignal,
): Promise<void> {
  const plan = await readExamPlan(ctx.db, row.exam_id, row.weights)
  let placements = placementsOf(plan, planOf(before, found, []))
  const { brokenCount } = evaluatePlacement(plan.problem, placements)
  if (
    brokenCount > evaluatePlacement(before.problem, found).brokenCount ||
    plan.schedules.length > before.schedules.length
  ) {
    const mended = await mend(plan, placements, [], row.id, signal)
    if (!mended) return signal.throwIfAborted()
    placements = [...mended]
  }
  const kept = plan.duties.filter(({ slot, hall }) => isThere(plan, placements, slot, hall))
  const duties = assignStaff(plan.staffed, placements, row.id, kept)
  const figures = placementFiguresOf(plan, placements, duties)
  // Where exams stood when the run began, with the students of now: who moved one meanwhile is told when it is taken.
  const then = new Map(row.base.map((one) => [one[0], one]))
  const base = baseOf(plan).map(([id, on_date, slot, students]): Base => {
    const one = then.get(id)
    return one ? [id, one[1], one[2], students] : [id, on_date, slot, students]
  })
  await sql`update exam_placements set state = 'proposed', progress = 100, finished_at = now(), cost = ${JSON.stringify(figures)}::jsonb,
    plan = ${JSON.stringify(planOf(plan, placements, duties))}::jsonb, base = ${JSON.stringify(base)}::jsonb,
    reasons = ${JSON.stringify(figures.broken ? said(plan, whyImpossible(plan.problem)) : [])}::jsonb
    where id = ${row.id} and state = 'running'`.execute(ctx.db)
  await tell(ctx, row, { state: 'proposed', progress: 100, cost: figures })
}

/** Whether the exams that are in a hall at a time now are there in a plan too: who looks after them stays. */
const isThere = (plan: ExamPlan, placements: readonly ExamPlacement[], slot: number, hall: number): boolean =>
  plan.present.every(
    (one, exam) =>
      one.slot !== slot ||
      !one.halls.some((part) => part.hall === hall) ||
      (placements[exam]!.slot === slot && placements[exam]!.halls.some((part) => part.hall === hall)),
  )

async function begin(
  ctx: Ctx,
  tx: Tx,
  kind: Row['kind'],
  exam_id: number,
  plan: ExamPlan,
  more: { weights: object; seconds: number; must_move?: readonly number[] },
): Promise<PlacementRun> {
  const { rows: open } =
    await sql`select 1 from exam_placements where exam_id = ${exam_id} and state = 'running'`.execute(tx)
  if (open.length) throw refuse(409, 'exam_placement_runs')
  if (kind === 'place' && plan.schedules.length > 0 && plan.schedules.every((schedule) => plan.locked.has(schedule)))
    throw refuse(409, 'exam_placement_locked')
  await sql`update exam_placements set state = 'discarded' where exam_id = ${exam_id} and state = 'proposed'`.execute(
    tx,
  )
  const present = placementFiguresOf(plan, plan.present, plan.duties)
  const { rows } = await sql<{
    id: number
  }>`insert into exam_placements (exam_id, kind, weights, seconds, present_cost, base, must_move, created_by)
    values (${exam_id}, ${kind}, ${JSON.stringify(more.weights)}::jsonb, ${more.seconds}, ${JSON.stringify(present)}::jsonb,
      ${JSON.stringify(baseOf(plan))}::jsonb, ${more.must_move ?? []}::int[], ${ctx.actor?.user_id ?? null}) returning id`.execute(
    tx,
  )
  const { id } = firstRow(rows)
  const job_id = await ctx.services.jobs.send(tx, placementJob, { id }, { actor: ctx.actor })
  await sql`update exam_placements set job_id = ${job_id}::uuid where id = ${id}`.execute(tx)
  return await rowOf(ctx, tx, id)
}

/** Who moved, locked or unlocked schedules of an exam since a run began, as the trail has it. */
async function moversSince(tx: Tx, row: Row): Promise<Map<number, Mover>> {
  const { rows } = await sql<{ id: number; by: string | null; by_local: string | null }>`
    select distinct on (a.record_id) a.record_id as id, u.name as by, u.name_local as by_local
    from audit_log a join exam_schedules s on s.id = a.record_id and s.exam_id = ${row.exam_id}
      left join users u on u.id = coalesce(a.impersonator_id, a.actor_id)
    where a.table_name = 'exam_schedules' and a.at > ${row.created_at}::timestamptz and a.action = 'update'
      and a.new ?| array['on_date', 'exam_slot_id', 'is_locked']
    order by a.record_id, a.at desc, a.id desc`.execute(tx)
  return new Map(rows.map(({ id, by, by_local }) => [id, { by: by ?? '–', by_local: by_local ?? by ?? '–' }]))
}

async function take(ctx: Ctx, tx: Tx, row: Row, incomplete: boolean): Promise<void> {
  await holdExam(ctx, tx, row.exam_id)
  await sql`select from exam_schedules where exam_id = ${row.exam_id} order by id for update`.execute(tx)
  const plan = await readExamPlan(tx, row.exam_id, row.weights)
  const planned = row.plan ?? []
  const reasons = takeReasons(plan, { base: row.base, planned, movers: await moversSince(tx, row), incomplete })
  if (reasons.length) throw new Refusal(409, reasons)
  const staff = new Map(planned.map((one) => [one.id, one.staff]))
  const now = planOf(plan, placementsOf(plan, planned), []).map((one) => ({ ...one, staff: staff.get(one.id) ?? [] }))
  const before = new Map(planOf(plan, plan.present, plan.duties).map((one) => [one.id, one]))
  const halls = ({ halls: list }: PlannedExam) => JSON.stringify([...list].toSorted((a, b) => a[0] - b[0]))
  // What stays where it is keeps its seats, its papers and its version.
  const moving = now.filter((one) => {
    const there = before.get(one.id)!
    return one.on_date !== there.on_date || one.exam_slot_id !== there.exam_slot_id || halls(one) !== halls(there)
  })
  const json = JSON.stringify(moving)
  const ids = moving.map((one) => one.id)
  await sql`delete from exam_schedule_locations where exam_schedule_id = any(${ids}::int[])`.execute(tx)
  await sql`update exam_schedules s set on_date = m.on_date, exam_slot_id = m.exam_slot_id, version = s.version + 1
    from jsonb_to_recordset(${json}::jsonb) as m (id int, on_date date, exam_slot_id int)
    where s.id = m.id and (s.on_date, s.exam_slot_id) is distinct from (m.on_date, m.exam_slot_id)`.execute(tx)
  await sql`insert into exam_schedule_locations (exam_schedule_id, exam_id, location_id, seats, during)
    select m.id, ${row.exam_id}::int, (h ->> 0)::int, (h ->> 1)::int, 'empty'
    from jsonb_to_recordset(${json}::jsonb) as m (id int, halls jsonb) cross join jsonb_array_elements(m.halls) as h`.execute(
    tx,
  )
  const lacking = [
    ...(
      await holdHalls(
        tx,
        now.map((one) => one.id),
      )
    ).values(),
  ].flat()
  if (lacking.length)
    throw new Refusal(
      409,
      lacking.map(({ field: _field, ...reason }) => reason),
    )
  await invigilate(tx, now)
  await sql`update exam_placements set state = 'taken', taken_at = now(), taken_by = ${ctx.actor?.user_id ?? null} where id = ${row.id}`.execute(
    tx,
  )
  await tellBoard(ctx, tx, row.exam_id)
}

/** Writes down who invigilates, where the same is not there already; somebody who was given another hall meanwhile stays there. */
async function invigilate(tx: Tx, planned: readonly PlannedExam[]): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into exam_schedule_instructors (exam_schedule_id, location_id, instructor_id, role, during)
    select m.id, (p ->> 0)::int, (p ->> 1)::int, coalesce(l.helper, 'invigilator'), 'empty'
    from jsonb_to_recordset(${JSON.stringify(planned)}::jsonb) as m (id int, staff jsonb) cross join jsonb_array_elements(m.staff) as p
      join exam_schedules s on s.id = m.id
      join exam_schedule_locations l on l.exam_schedule_id = m.id and l.location_id = (p ->> 0)::int
    where not exists (select from exam_schedule_instructors k where k.instructor_id = (p ->> 1)::int and k.during && l.during
      and k.location_id <> (p ->> 0)::int)
    on conflict on constraint exam_invigilator_repeated do nothing`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

const rowOf = async (ctx: Ctx, tx: Tx, id: number): Promise<PlacementRun> =>
  (await answerOf(
    { ...ctx, db: tx },
    (await sql<Row>`select * from exam_placements where id = ${id}`.execute(tx)).rows[0],
  ))!

const clockOf = (minutes: number): string =>
  [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, '0')).join(':')

/** How the duties lie on people, and what lacks. */
function loadOf(plan: ExamPlan): Invigilators {
  const needed = dutiesNeeded(plan.staffed, plan.present)
  return {
    people: plan.staff
      .map(({ id, name, name_local }, person) => ({
        id,
        name,
        name_local,
        duties: plan.duties.filter((duty) => duty.staff.includes(person)).length,
      }))
      .toSorted((a, b) => b.duties - a.duties || a.id - b.id),
    needed: needed.reduce((sum, one) => sum + one.count, 0),
    lacking: lackingStaff(plan, needed, plan.duties).map((one) => {
      const slot = plan.slots.find((at) => at.on_date === one.on_date && at.exam_slot_id === one.exam_slot_id)
      return { ...one, starts: clockOf(slot?.from ?? 0) }
    }),
  }
}

const weightsOfExam = async (tx: Tx, exam_id: number): Promise<Row['weights']> =>
  firstRow((await sql<{ weights: Row['weights'] }>`select weights from exams where id = ${exam_id}`.execute(tx)).rows)
    .weights

export const placementHandlers: readonly Handled[] = [
  handle(examPlacementCalls.place, (ctx, { body: { exam_id, seconds, weights } }) =>
    ctx.write(async (tx) => {
      await holdExam(ctx, tx, exam_id)
      const plan = await readExamPlan(tx, exam_id, weights)
      if (!plan.schedules.length) throw refuse(422, 'exam_covers_nothing')
      if (!plan.slots.length || !plan.halls.length) throw refuse(422, 'exam_needs_slots')
      await sql`update exams set weights = ${JSON.stringify(weights)}::jsonb where id = ${exam_id}`.execute(tx)
      return { data: await begin(ctx, tx, 'place', exam_id, plan, { weights, seconds }) }
    }),
  ),
  handle(examPlacementCalls.last, async (ctx, { params: { id } }) => {
    const { rows } = await sql<Row>`select p.* from exam_placements p join exams t on t.id = p.exam_id
      where p.exam_id = ${id} and ${examWithin(ctx, 'access_examSchedule')} order by p.id desc limit 1`.execute(ctx.db)
    return { data: await answerOf(ctx, rows[0]) }
  }),
  handle(examPlacementCalls.stop, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state !== 'running') throw refuse(409, 'exam_placement_over')
      await sql`update exam_placements set is_stopped = true where id = ${id}`.execute(tx)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(examPlacementCalls.discard, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state === 'taken') throw refuse(409, 'exam_placement_over')
      await sql`update exam_placements set state = 'discarded', finished_at = now() where id = ${id}`.execute(tx)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(examPlacementCalls.take, (ctx, { params: { id }, body: { incomplete } }) =>
    ctx.write(async (tx) => {
      const row = await held(ctx, tx, id)
      if (row.state !== 'proposed') throw refuse(409, 'exam_placement_over')
      await take(ctx, tx, row, incomplete)
      return { data: await rowOf(ctx, tx, id) }
    }),
  ),
  handle(examPlacementCalls.repair, (ctx, { body: { exam_id, must_move } }) =>
    ctx.write(async (tx) => {
      await holdExam(ctx, tx, exam_id)
      const weights = await weightsOfExam(tx, exam_id)
      const plan = await readExamPlan(tx, exam_id, weights)
      if (!plan.slots.length || !plan.halls.length) throw refuse(422, 'exam_needs_slots')
      if (must_move.some((id) => !plan.schedules.includes(id))) throw refuse(422, 'not_found', undefined, 'must_move')
      if (must_move.some((id) => plan.locked.has(id))) throw refuse(409, 'exam_schedule_locked')
      return { data: await begin(ctx, tx, 'repair', exam_id, plan, { weights, seconds: REPAIR_SECONDS, must_move }) }
    }),
  ),
  handle(examPlacementCalls.invigilators, async (ctx, { params: { id } }) => {
    const { rows } = await sql`select from exams t where t.id = ${id} and t.removed_at is null
      and ${examWithin(ctx, 'access_examSchedule')}`.execute(ctx.db)
    if (!rows.length) throw refuse(404, 'not_found')
    return { data: loadOf(await readExamPlan(ctx.db, id, {})) }
  }),
  handle(examPlacementCalls.assign, (ctx, { params: { id } }) =>
    ctx.write(async (tx) => {
      await holdExam(ctx, tx, id, 'edit_examSchedule')
      const plan = await readExamPlan(tx, id, {})
      const duties = assignStaff(plan.staffed, plan.present, id, plan.duties)
      const added = await invigilate(tx, planOf(plan, plan.present, duties))
      await tellBoard(ctx, tx, id)
      return { data: { ...loadOf(await readExamPlan(tx, id, {})), added } }
    }),
  ),
]
