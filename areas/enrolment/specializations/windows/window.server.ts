/** Windows of specialisation: what they offer, and their way to a confirmed distribution. */
import { sql } from 'kysely'
import { resourceCalls } from '#kit/contract/index.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { changedSeats, changedStudents, readSeats } from '../distribution/inputs.server.ts'
import { makeRun, runOf } from '../distribution/run.server.ts'
import { give, takeBack, usedSince, type GivenProgram } from '../students/given.server.ts'
import {
  TIE_RULES,
  specializationFlow,
  specializationSteps,
  specializationTime,
  windowCalls,
  type WindowAction,
  type WindowFacts,
} from './window.contract.ts'

/** Windows belong to their bylaw and its faculty. */
export const windowReach = (alias = 't') => {
  const bylaw = sql.ref(`${alias}.bylaw_id`)
  return {
    faculty: sql`(select b.faculty_id from bylaws b where b.id = ${bylaw})`,
    bylaw,
  } satisfies ScopeParts
}
/** SQL of where a window stands. */
export const windowState = (alias: string): string =>
  `(select w.state from specialization_windows w where w.id = ${alias}.id)`

// --- Steps --------------------------------------------------------------------------------------------------------------

async function factsOf(tx: Tx, id: number, action: WindowAction): Promise<WindowFacts> {
  const { rows } = await sql<{ run_id: number | null; tie_rule: string; capacity: number; applicants: number }>`
    select w.run_id, w.tie_rule,
      (select coalesce(sum(capacity), 0)::int from specialization_seats where specialization_time_id = w.id) as capacity,
      (select count(*)::int from specialization_preferences where specialization_time_id = w.id and choices <> '{}') as applicants
    from specialization_times w where w.id = ${id}`.execute(tx)
  const { run_id, tie_rule, capacity, applicants } = firstRow(rows)
  const facts = { capacity, applicants, changed: [], used: [] }
  if (action === 'undo') {
    await lockGiven(tx, id)
    return { ...facts, used: await usedSince(tx, sql`g.specialization_time_id = ${id}`) }
  }
  if (action === 'distribute' || run_id === null) return facts
  // From here on nobody changes what was distributed: it is compared, and then done.
  await sql`select from specializations where id in (select specialization_id from specialization_seats where specialization_time_id = ${id})
    order by id for share`.execute(tx)
  await sql`select from specialization_preferences where specialization_time_id = ${id} order by id for share`.execute(
    tx,
  )
  await sql`select from students where id in (select student_id from specialization_results where run_id = ${run_id})
    order by id for no key update`.execute(tx)
  const run = await runOf(tx, run_id)
  const changed: Reason[] = [
    ...(run.tie_rule === tie_rule ? [] : [{ code: 'specialization_changed_tie' }]),
    ...changedSeats(run.seats, await readSeats(tx, id)),
    ...(await changedStudents(tx, id, run_id)),
  ]
  return { ...facts, changed }
}
const lockGiven = (tx: Tx, id: number) =>
  sql`select from students where id in (select student_id from student_specializations where specialization_time_id = ${id}
    and removed_at is null) order by id for no key update`.execute(tx)

async function confirmRun(ctx: Ctx, tx: Tx, id: number): Promise<void> {
  const { rows } = await sql<GivenProgram>`select r.student_id, r.specialization_id, r.preference
    from specialization_results r join specialization_times w on w.run_id = r.run_id
    where w.id = ${id} and r.specialization_id is not null order by r.student_id`.execute(tx)
  await give(ctx, tx, rows, { window_id: id })
}

/** Wishes of more students than this are distributed by a job. */
const AT_ONCE = 2000

export const windowFlow = serveWorkflow(specializationFlow, specializationSteps, {
  table: 'specialization_times',
  scope: () => windowReach(),
  seen: ['show_specializationTime'],
  nameOf: `(select b.code from bylaws b where b.id = t.bylaw_id) || ' ' || t.start_date`,
  facts: async (_ctx, tx, ids, action) => {
    const facts = new Map<number, WindowFacts>()
    for (const id of ids) facts.set(id, await factsOf(tx, id, action))
    return facts
  },
  state: {
    read: windowState('t'),
    write: async (ctx, tx, moved, progress) => {
      for (const { id, action } of moved) {
        const run = action === 'distribute' ? await makeRun(ctx, tx, id, progress) : null
        await sql`update specialization_times set status = ${action === 'confirm' ? 'confirmed' : 'distributed'},
          run_id = coalesce(${run}::int, run_id), confirmed_at = ${action === 'confirm' ? sql`now()` : null}
          where id = ${id}`.execute(tx)
      }
    },
  },
  heavy: async (_ctx, tx, id) => {
    const { rows } = await sql<{
      many: boolean
    }>`select count(*) > ${AT_ONCE} as many from (select from specialization_preferences
      where specialization_time_id = ${id} limit ${AT_ONCE + 1}) x`.execute(tx)
    return firstRow(rows).many
  },
  effect: async (ctx, tx, moved) => {
    for (const { id, action, reason } of moved) {
      if (action === 'confirm') await confirmRun(ctx, tx, id)
      if (action === 'undo') await takeBack(ctx, tx, sql`g.specialization_time_id = ${id}`, reason)
    }
  },
})

// --- The windows themselves ---------------------------------------------------------------------------------------------

export const windows = workings(specializationTime, {
  scope: { faculty: () => windowReach().faculty, bylaw: () => windowReach().bylaw },
  computed: {
    state: windowState('t'),
    applicants: `(select count(*)::int from specialization_preferences p where p.specialization_time_id = t.id and p.choices <> '{}')`,
  },
  search: [],
  flow: windowFlow,
  abilities: {
    edit: (row) => (row.state === 'confirmed' ? 'specialization_confirmed' : true),
    remove: (row) =>
      row.state === 'confirmed'
        ? 'specialization_confirmed'
        : row.applicants
          ? { code: 'specialization_has_wishes', data: { count: row.applicants } }
          : true,
  },
  async beforeWrite(_ctx, tx, merged, current) {
    merged.max_preferences ??= 15
    merged.tie_rule ??= 'code'
    const reasons: Reason[] = []
    if (String(merged.start_date) > String(merged.end_date))
      reasons.push({ field: 'end_date', code: 'specialization_times_order' })
    const seats = (merged.seats ?? []) as { specialization_id: number }[]
    const { rows } = await sql<{ id: number; name: string; name_local: string; bylaw_id: number }>`
      select id, name, name_local, bylaw_id from specializations where id = any(${seats.map((one) => one.specialization_id)}::int[])`.execute(
      tx,
    )
    const known = new Map(rows.map((row) => [row.id, row]))
    for (const [i, seat] of seats.entries()) {
      const one = known.get(seat.specialization_id)
      if (one && one.bylaw_id !== merged.bylaw_id)
        reasons.push({
          field: `seats.${i}.specialization_id`,
          code: 'specialization_seat_other_bylaw',
          data: { specialization: one.name, specialization_local: one.name_local },
        })
    }
    // The days are over once somebody has relied on their end.
    if (current && merged.end_date !== current.end_date) {
      const { rows: at } = await sql<{
        status: string
      }>`select status from specialization_times where id = ${current.id}`.execute(tx)
      if (at[0]?.status !== 'prepared') reasons.push({ field: 'end_date', code: 'specialization_days_over' })
    }
    if (reasons.length) throw new Refusal(422, reasons)
  },
  async afterWrite(_ctx, tx, id, merged, current) {
    if (current || ((merged.seats ?? []) as unknown[]).length) return
    await sql`insert into specialization_seats (specialization_time_id, position, specialization_id, capacity)
      select ${id}::int, row_number() over (order by z.code) - 1, z.id, z.capacity from specializations z
      where z.bylaw_id = ${merged.bylaw_id}::int and z.removed_at is null`.execute(tx)
  },
})

const genericList = resourceCalls(specializationTime).list
const listed = windows.handlers.find(
  ({ call }) => call.path === genericList.path && call.method === genericList.method,
)!

export const windowHandlers: readonly Handled[] = [
  ...windows.handlers,
  ...windowFlow.handlers,
  handle(windowCalls.list, (ctx, input) => listed.handler(ctx, input as never) as never),
  handle(windowCalls.lookups, async (ctx) => {
    const reach = scopeCondition(ctx, windowCalls.lookups.permission, { faculty: sql`b.faculty_id`, bylaw: sql`b.id` })
    const { rows } = await sql<object>`
      with mine as (select b.id, b.code, b.name, b.name_local from bylaws b where b.removed_at is null and ${reach})
      select coalesce((select json_agg(m order by m.code) from mine m), '[]') as bylaws,
        coalesce((select json_agg(json_build_object('id', p.id, 'code', p.code, 'name', p.name, 'name_local', p.name_local,
            'bylaw_id', p.bylaw_id) order by p.code) from programs p join mine m on m.id = p.bylaw_id
          where p.is_general and p.removed_at is null), '[]') as programs,
        coalesce((select json_agg(json_build_object('id', z.id, 'code', z.code, 'name', z.name, 'name_local', z.name_local,
            'bylaw_id', z.bylaw_id, 'general_program_id', z.general_program_id, 'program_id', z.program_id, 'capacity', z.capacity)
            order by z.code) from specializations z join mine m on m.id = z.bylaw_id where z.removed_at is null), '[]') as specializations`.execute(
      ctx.db,
    )
    const tie_rules = TIE_RULES.map(({ value, label }) => ({ id: value, name: label[0], name_local: label[1] }))
    return { data: { ...rows[0], tie_rules } as never }
  }),
]

/** What waits: windows that are over and were not distributed, and distributions to be confirmed. */
export const windowWork: readonly WorkSource[] = (['distribute', 'confirm'] as const).map((action) => {
  const { permission } = specializationFlow.actions[action]
  return {
    permissions: [permission].flat(),
    waiting: (ctx) => sql`
      select ${`specializations.work_${action}`}::text, jsonb_build_object('count', count(*)),
        case when count(*) = 1 then '/specializations_time/show/' || min(w.id) else '/specializations_time' end,
        (min(w.end_date) + 1)::timestamp at time zone university_zone(), null::timestamptz
      from specialization_windows w where w.removed_at is null
        and w.state = ${action === 'distribute' ? 'closed' : 'distributed'}
        and exists (select from specialization_preferences p where p.specialization_time_id = w.id)
        and ${scopeCondition(ctx, permission, windowReach('w'))} having count(*) > 0`,
  }
})

interface WindowRead {
  id: number
  bylaw_id: number
  state: string
  run_id: number | null
  start_date: string
  end_date: string
}

/** A window within the reader's reach. @throws {Refusal} 404 */
export async function windowWithin(
  ctx: Ctx,
  id: number,
  access: Parameters<typeof scopeCondition>[1],
): Promise<WindowRead> {
  const { rows } =
    await sql<WindowRead>`select t.id, t.bylaw_id, t.state, t.run_id, t.start_date, t.end_date from specialization_windows t
    where t.id = ${id} and t.removed_at is null and ${scopeCondition(ctx, access, windowReach())}`.execute(ctx.db)
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
