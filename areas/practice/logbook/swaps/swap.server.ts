/** Swaps of duties: judged when they are asked for, agreed to and approved, on the duties as they would be. */
import { firstRow } from '#db/rows.ts'
import type { Db, Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { ref } from '#kit/server/base/sql.ts'
import { workings } from '#kit/server/resource/resource.ts'
import type { WorkSource } from '#kit/server/workflow/work.ts'
import { serveWorkflow } from '#kit/server/workflow/workflow.ts'
import { sql } from 'kysely'
import { rosterCalls as calls, type DutyBoard } from '../roster/roster.contract.ts'
import { judgedDuties, KIND } from '../roster/facts.server.ts'
import { judgeDuties } from '../roster/judge.rules.ts'
import { checkSwap, dutySwap, dutySwapFlow, dutySwapSteps, type SwapFacts } from './swap.contract.ts'

interface Pair {
  readonly id: number
  readonly shift_id: number
  readonly with_shift_id: number
  readonly student_id: number
  readonly other_id: number
  readonly from: string
  readonly until: string
  readonly gone: boolean
  readonly begun: boolean
}
/** What a swap is judged by: the duties of both as they would be. */
async function judged(db: Db | Tx, pair: Pair): Promise<SwapFacts> {
  const { shift_id, with_shift_id, student_id, other_id, from, until, gone, begun } = pair
  const duties = gone
    ? []
    : await judgedDuties(db, [student_id, other_id], from, until, [
        [shift_id, other_id],
        [with_shift_id, student_id],
      ])
  return { gone, begun, problems: judgeDuties(duties) }
}
const PAIR = `least(a.day, b.day)::text as from, greatest(a.day, b.day)::text as until, least(a.starts_at, b.starts_at) <= now() as begun`

async function factsOf(tx: Tx, ids: readonly number[]): Promise<Map<number, SwapFacts>> {
  // Both are held, so that nobody swaps away meanwhile what is swapped here.
  await sql`select from students where id in (select unnest(array[student_id, other_id]) from duty_swaps where id = any(${[...ids]}::int[]))
    order by id for no key update`.execute(tx)
  const { rows } = await sql<Pair>`select t.id, t.shift_id, t.with_shift_id, t.student_id, t.other_id, ${sql.raw(PAIR)},
      a.student_id <> t.student_id or b.student_id <> t.other_id or exists (select from duty_rosters o
        where o.id in (a.roster_id, b.roster_id) and (o.status <> 'published' or o.removed_at is not null)) as gone
    from duty_swaps t join duty_shifts a on a.id = t.shift_id join duty_shifts b on b.id = t.with_shift_id
    where t.id = any(${[...ids]}::int[])`.execute(tx)
  const facts = new Map<number, SwapFacts>()
  for (const pair of rows) facts.set(pair.id, await judged(tx, pair))
  return facts
}

const mine = (ctx: Ctx, column: 'student_id' | 'other_id') =>
  ctx.actor?.student_id == null ? sql`false` : sql`t.${sql.ref(column)} = ${ctx.actor.student_id}`
const reach = (ctx: Ctx) => ({
  faculty: sql`(select y.faculty_id from emtyaz_trainings x join emtyaz_years y on y.id = x.year_id where x.id = t.training_id)`,
  own: sql`(${mine(ctx, 'student_id')} or ${mine(ctx, 'other_id')})`,
  supervised:
    ctx.actor?.instructor_id == null
      ? sql`false`
      : sql`exists (select from emtyaz_training_instructors m, duty_shifts d where m.training_id = t.training_id and d.id = t.shift_id
          and m.instructor_id = ${ctx.actor.instructor_id} and d.day between m.starts_on and m.ends_on)`,
})
const DUTY = (shift: string, column: string) =>
  `(select k.${column} || ' · ' || d.day from duty_shifts d join duty_kinds k on k.id = d.kind_id where d.id = t.${shift})`
const USERS = `array(select s.user_id from students s where s.id in (t.student_id, t.other_id) and s.user_id is not null)`

const dutySwaps = serveWorkflow(dutySwapFlow, dutySwapSteps, {
  table: 'duty_swaps',
  scope: reach,
  // Who is asked agrees, and nobody in the place of that person.
  bound: (ctx) => ({ agree_dutySwap: { own: mine(ctx, 'other_id') }, ask_dutySwap: { own: mine(ctx, 'student_id') } }),
  units: () => ({ faculty: reach({ actor: null } as Ctx).faculty }),
  holders: sql`select s.user_id as id, s.name, s.name_local, 'Intern' as role, 'طبيب امتياز' as role_local from students s
      where s.id = t.other_id and t.status = 'requested' and s.user_id is not null
    union all select i.user_id, i.name, i.name_local, 'Supervisor', 'مشرف' from instructors i
      join emtyaz_training_instructors m on m.instructor_id = i.id join duty_shifts d on d.day between m.starts_on and m.ends_on
      where t.status = 'agreed' and m.training_id = t.training_id and d.id = t.shift_id and i.user_id is not null and i.removed_at is null`,
  seen: ['access_roster'],
  nameOf: `(select s.code from students s where s.id = t.student_id) || ' · ' || ${DUTY('shift_id', 'name')}`,
  own: (people) => sql`(select s.user_id from students s where s.id = t.student_id) = any(${people})`,
  facts: (_ctx, tx, ids, action) =>
    action === 'agree' || action === 'accept' ? factsOf(tx, ids) : Promise.resolve(new Map()),
  effect: async (_ctx, tx, moved) => {
    for (const { id, to } of moved) {
      if (to !== 'accepted') continue
      const again = (await factsOf(tx, [id])).get(id)
      const reasons = again ? checkSwap(again) : [{ code: 'duty_swap_gone' }]
      // Of many at once each is judged by those before it.
      if (reasons.length) throw new Refusal(409, reasons)
      await sql`update duty_shifts d set student_id = case when d.id = t.shift_id then t.other_id else t.student_id end, version = d.version + 1
        from duty_swaps t where t.id = ${id} and d.id in (t.shift_id, t.with_shift_id)`.execute(tx)
      await sql`set constraints duty_rest, duty_shift_twice immediate`.execute(tx)
      await sql`set constraints duty_rest, duty_shift_twice deferred`.execute(tx)
      // Others that wanted one of these two come to nothing.
      await sql`update duty_swaps o set status = 'cancelled', version = o.version + 1 from duty_swaps t
        where t.id = ${id} and o.id <> t.id and o.status in ('requested', 'agreed')
          and (o.shift_id in (t.shift_id, t.with_shift_id) or o.with_shift_id in (t.shift_id, t.with_shift_id))`.execute(
        tx,
      )
    }
  },
  tells: {
    users: USERS,
    data: `json_build_object('duty', ${DUTY('shift_id', 'name')}, 'duty_local', ${DUTY('shift_id', 'name_local')})`,
    link: () => '/emtyaz/duty-swaps',
  },
})

const dutySwapRows = workings(dutySwap, {
  scope: {
    faculty: (ctx) => reach(ctx).faculty,
    own: (ctx) => reach(ctx).own,
    supervised: (ctx) => reach(ctx).supervised,
  },
  flow: dutySwaps,
  computed: { gives: DUTY('shift_id', 'name'), takes: DUTY('with_shift_id', 'name') },
  search: ['(select s.search_text from students s where s.id = t.student_id)'],
})

export const dutySwapWork: WorkSource = {
  permissions: ['approve_dutySwap', 'agree_dutySwap'],
  waiting: (ctx) => sql`
    select 'logbook.work_swaps', jsonb_build_object('count', count(*)), '/emtyaz/duty-swaps', min(t.created_at), null::timestamptz
    from duty_swaps t where ${dutySwaps.waiting(ctx)} having count(*) > 0`,
}

/** SQL: duties `b` of others of the same training that are published and to come, for the own duty `a`. */
const OTHERS = `duty_shifts a join duty_kinds q on q.id = a.kind_id join duty_rosters o on o.id = a.roster_id and o.status = 'published' and o.removed_at is null
  join duty_kinds k on k.training_id = q.training_id join duty_shifts b on b.kind_id = k.id and b.student_id <> a.student_id
  join duty_rosters p on p.id = b.roster_id and p.status = 'published' and p.removed_at is null`

export const dutySwapHandlers: readonly Handled[] = [
  ...dutySwaps.handlers,
  ...dutySwapRows.handlers,
  handle(calls.swappable, async (ctx, { params: { id } }) => {
    const { rows } = await sql<{
      id: number
      student: DutyBoard['shifts'][number]['student']
      kind: DutyBoard['kinds'][number]
      day: string
      starts_at: string
      ends_at: string
      student_id: number
      other_id: number
      a: string
    }>`
      select b.id, ${ref('s')} as student, ${sql.raw(KIND)} as kind, b.day::text, b.starts_at, b.ends_at, a.student_id, b.student_id as other_id, a.day::text as a
      from ${sql.raw(OTHERS)} join students s on s.id = b.student_id
      where a.id = ${id} and a.student_id = ${ctx.actor?.student_id ?? null}::int and a.starts_at > now() and b.starts_at > now()
        and not (b.kind_id = a.kind_id and b.day = a.day) and b.day between a.day - 28 and a.day + 28
      order by b.starts_at, s.name limit 400`.execute(ctx.db)
    const [first] = rows
    if (!first) return { data: [] }
    // Of all who might, only those with whom the rules let it be: the duties are read once.
    const days = rows
      .map(({ day }) => day)
      .concat(first.a)
      .sort()
    const duties = await judgedDuties(
      ctx.db,
      [first.student_id, ...new Set(rows.map(({ other_id }) => other_id))],
      days[0]!,
      days.at(-1)!,
    )
    const own = duties.filter(({ student_id }) => student_id === first.student_id)
    const { rows: mineRows } = await sql<{
      starts_at: string
      ends_at: string
    }>`select starts_at, ends_at from duty_shifts where id = ${id}`.execute(ctx.db)
    const gives = firstRow(mineRows)
    const same = (x: { starts_at: string | Date }, y: { starts_at: string | Date }) =>
      new Date(x.starts_at).getTime() === new Date(y.starts_at).getTime()
    return {
      data: rows
        .filter((one) => {
          const theirs = duties.filter(({ student_id }) => student_id === one.other_id)
          const given = own.find((duty) => same(duty, gives))
          const taken = theirs.find((duty) => same(duty, one))
          if (!given || !taken) return false
          const after = [
            ...own.filter((duty) => duty !== given),
            { ...taken, student_id: first.student_id },
            ...theirs.filter((duty) => duty !== taken),
            { ...given, student_id: one.other_id },
          ]
          return judgeDuties(after).length === 0
        })
        .map(({ student_id: _s, other_id: _o, a: _a, ...one }) => one),
    }
  }),
  handle(calls.swap, (ctx, { body: { shift_id, with_shift_id, why } }) =>
    ctx.write(async (tx) => {
      const student = ctx.actor?.student_id ?? null
      await sql`select from students where id in (select student_id from duty_shifts where id = any(${[shift_id, with_shift_id]}::int[]))
        order by id for no key update`.execute(tx)
      const { rows } = await sql<Pair & { training_id: number }>`
        select 0 as id, a.id as shift_id, b.id as with_shift_id, a.student_id, b.student_id as other_id, q.training_id, ${sql.raw(PAIR)}, false as gone
        from ${sql.raw(OTHERS)} where a.id = ${shift_id} and b.id = ${with_shift_id} and a.student_id = ${student}::int`.execute(
        tx,
      )
      const [pair] = rows
      if (!pair) throw refuse(422, 'reference_missing', undefined, 'shift_id')
      const reasons = checkSwap(await judged(tx, pair))
      if (reasons.length) throw new Refusal(409, reasons)
      const { rows: made } = await sql<{
        id: number
      }>`insert into duty_swaps (shift_id, with_shift_id, student_id, other_id, training_id, why)
        values (${shift_id}, ${with_shift_id}, ${pair.student_id}, ${pair.other_id}, ${pair.training_id}, ${why}) returning id`.execute(
        tx,
      )
      const { id } = firstRow(made)
      await dutySwaps.begin(ctx, tx, id, 'requested')
      return { data: { id } }
    }),
  ),
]
