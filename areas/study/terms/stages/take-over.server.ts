import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { handle } from '#kit/server/base/context.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { registerOperation, writeOperation } from '#kit/server/unit/operations.ts'
import { dayOf } from '#kit/contract/day.ts'
import { daysBetweenTerms, shifted } from './shift.rules.ts'
import { stages } from './stage.server.ts'
import { takeOverCalls } from './take-over.contract.ts'
import { takeOverReasons } from './take-over.rules.ts'

const KEY = 'add_stage'
const KIND = 'take-over/stages'
registerOperation({
  kind: KIND,
  label: ['Stages taken over', 'مراحل منقولة من فصل سابق'],
  permission: KEY,
  reach: { table: 'term_stages', where: (ctx) => stages.scope(ctx, KEY) },
})

interface TermRow {
  readonly id: number
  readonly name: string
  readonly name_local: string
  readonly code: string
  readonly start_date: string
  readonly end_date: string
}
interface Taken {
  readonly stage_code_id: number
  readonly stage_group_id: number | null
  readonly kind: { readonly name: string; readonly name_local: string }
  readonly group: {
    readonly id: number
    readonly name: string
    readonly name_local: string
    readonly code: string
  } | null
  readonly starts_at: string
  readonly ends_at: string
}

async function termOf(db: Db | Tx, id: number, field: string | null = null): Promise<TermRow> {
  const { rows } = await sql<TermRow>`select id, name, name_local, code, start_date, end_date from terms
    where id = ${id} and removed_at is null`.execute(db)
  if (!rows[0]) throw field === null ? refuse(404, 'not_found') : refuse(422, 'not_found', undefined, field)
  return rows[0]
}

/** What the reader may add, of groups that are still there. */
const taken = (ctx: Ctx) => sql`(${stages.scope(ctx, KEY)} and not exists (
  select from stage_groups g where g.id = t.stage_group_id and g.removed_at is not null))`

/** The last term of its kind that has stages for the reader to take, else the last of any kind. */
async function earlierTerm(ctx: Ctx, term: TermRow): Promise<TermRow | null> {
  const { rows } = await sql<TermRow>`
    select e.id, e.name, e.name_local, e.code, e.start_date, e.end_date from terms e join terms n on n.id = ${term.id}
    where e.removed_at is null and e.start_date < n.start_date and exists (
      select from term_stages t where t.term_id = e.id and t.removed_at is null and ${taken(ctx)})
    order by e.term_type = n.term_type desc, e.start_date desc, e.id desc limit 1`.execute(ctx.db)
  return rows[0] ?? null
}

/** Its stages, so many days later, in their order; and how many are left out, as their group is gone or not the reader's. */
async function movedStages(
  ctx: Ctx,
  db: Db | Tx,
  from: TermRow,
  days: number,
): Promise<{ moved: Taken[]; left: number }> {
  const { rows } = await sql<Taken & { taken: boolean }>`
    select t.stage_code_id, t.stage_group_id, t.starts_at, t.ends_at, ${taken(ctx)} as taken,
      json_build_object('name', c.name, 'name_local', c.name_local) as kind, ${refOrNull('n')} as "group"
    from term_stages t join stage_codes c on c.id = t.stage_code_id left join stage_groups n on n.id = t.stage_group_id
    where t.term_id = ${from.id} and t.removed_at is null order by t.starts_at, t.id`.execute(db)
  const moved = rows
    .filter(({ taken }) => taken)
    .map(({ taken: _, ...stage }) => ({
      ...stage,
      starts_at: shifted(stage.starts_at, days),
      ends_at: shifted(stage.ends_at, days),
    }))
  return { moved, left: rows.length - moved.length }
}

/** Everything in one unit of work: whoever comes second finds the stages of the first, and is told. */
async function takeOver(
  ctx: Ctx,
  id: number,
  from_id: number,
): Promise<{ taken: number; operation_id: number | null }> {
  const { name } = await termOf(ctx.db, id)
  const { result, operation_id } = await writeOperation(ctx, { kind: KIND, facts: { about: name } }, async (tx) => {
    // Two who take over for one term come one after the other.
    await sql`select from terms where id = ${id} for no key update`.execute(tx)
    const [term, from] = [await termOf(tx, id), await termOf(tx, from_id, 'from_id')]
    const { rows } = await sql<{ there: number }>`select count(*)::int as there from term_stages t
      where t.term_id = ${id} and t.removed_at is null and ${stages.scope(ctx, KEY)}`.execute(tx)
    const { moved } = await movedStages(ctx, tx, from, daysBetweenTerms(from, term))
    const reasons = takeOverReasons({ term, from, there: firstRow(rows).there, count: moved.length })
    if (reasons.length) throw new Refusal(409, reasons)
    for (const { kind: _kind, group: _group, ...values } of moved)
      await stages.insert(ctx, tx, { term_id: id, ...values })
    return { result: moved.length, counts: { created: moved.length } }
  })
  return { taken: result, operation_id }
}

export const takeOverHandlers: readonly Handled[] = [
  handle(takeOverCalls.earlierStages, async (ctx, { params }) => {
    const term = await termOf(ctx.db, params.id)
    const earlier = await earlierTerm(ctx, term)
    if (!earlier) return { data: { from: null, days: 0, stages: [], left: 0 } }
    const days = daysBetweenTerms(earlier, term)
    const { moved, left } = await movedStages(ctx, ctx.db, earlier, days)
    const { id, name, name_local, code } = earlier
    return {
      data: {
        from: { id, name, name_local, code },
        days,
        stages: moved.map(({ kind, group, starts_at, ends_at }) => ({
          ...kind,
          group,
          starts_at,
          ends_at,
          // A window that closes at midnight was open until the day before.
          after: dayOf(new Date(Date.parse(ends_at) - 1000)) > term.end_date,
        })),
        left,
      },
    }
  }),
  handle(takeOverCalls.takeOverStages, async (ctx, { params, body }) => ({
    data: await takeOver(ctx, params.id, body.from_id),
  })),
]
