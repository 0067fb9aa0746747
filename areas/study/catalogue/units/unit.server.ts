/** What faculties, departments and programs were called, and what became of them: told with figures of past years. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { holds, requireReach, scopeCondition, type ScopeParts } from '#kit/server/base/scope.ts'
import { refText } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { UNIT_HISTORY, type TypedName, type TypedSuccession, type UnitPast } from './unit.contract.ts'
import { HISTORY_UNITS, judgeSuccession, type HistoryUnit, type Succession, type UnitHistory } from './unit.rules.ts'

/** Where units of a kind stand, and whose each is. */
const UNITS = {
  faculty: { table: 'faculties', scope: { faculty: sql`t.id` } },
  department: { table: 'departments', scope: { faculty: sql`t.faculty_id`, department: sql`t.id` } },
  program: {
    table: 'programs',
    scope: {
      faculty: sql`t.faculty_id`,
      department: sql`t.department_id`,
      bylaw: sql`t.bylaw_id`,
      program: sql`t.id`,
    },
  },
} as const satisfies Readonly<Record<HistoryUnit, { table: string; scope: ScopeParts }>>
/** SQL: the column of a unit in the tables of its history; `to_`: of what follows. */
const columnOf = (unit: HistoryUnit, to = '') => sql.ref(`${to}${unit}_id`)
const edits = (unit: HistoryUnit) => `edit_${unit}` as const

/** Units that the reader may change, locked. @throws {Refusal} 403, 404 */
async function lockUnits(ctx: Ctx, tx: Tx, unit: HistoryUnit, ids: readonly number[]): Promise<void> {
  requireReach(ctx, edits(unit))
  const { table, scope } = UNITS[unit]
  const { rows } = await sql<{ id: number }>`select t.id from ${sql.table(table)} t
    where t.id = any(${[...ids]}::int[]) and ${scopeCondition(ctx, edits(unit), scope)} order by t.id for no key update`.execute(
    tx,
  )
  if (rows.length < new Set(ids).size) throw refuse(404, 'not_found')
}

/** @throws {Refusal} 403, 404 */
async function pastOf(ctx: Ctx, unit: HistoryUnit, id: number): Promise<UnitPast> {
  requireReach(ctx, `show_${unit}`)
  const { table, scope } = UNITS[unit]
  const [own, to] = [columnOf(unit), columnOf(unit, 'to_')]
  const lines = (of: typeof own, other: typeof own) => sql`(select coalesce(json_agg(json_build_object('id', s.id,
      'of', ${sql.raw(refText('o'))}, 'on_day', s.on_day::text, 'kind', s.kind, 'note', s.note) order by s.on_day, o.code), '[]')
    from unit_successions s join ${sql.table(table)} o on o.id = s.${other} where s.${of} = t.id)`
  const { rows } = await sql<UnitPast>`select
      (select coalesce(json_agg(json_build_object('id', n.id, 'name', n.name, 'name_local', n.name_local, 'until_day', n.until_day::text,
          'within', case when ${unit === 'faculty' ? sql`false` : sql`n.within_id <> t.faculty_id`} then ${sql.raw(refText('w'))} end) order by n.until_day desc), '[]')
        from unit_names n left join faculties w on w.id = n.within_id where n.${own} = t.id) as names,
      ${lines(to, own)} as came_from, ${lines(own, to)} as became,
      ${holds(ctx, edits(unit)) ? scopeCondition(ctx, edits(unit), scope) : sql`false`} as changes
    from ${sql.table(table)} t where t.id = ${id} and ${scopeCondition(ctx, `show_${unit}`, scope)}`.execute(ctx.db)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  return found
}

async function keepName(ctx: Ctx, unit: HistoryUnit, id: number, typed: TypedName, nameId: number | null) {
  return ctx.write(async (tx) => {
    await lockUnits(ctx, tx, unit, [id])
    const { rows } = await sql<{ today: string }>`select university_today()::text as today`.execute(tx)
    if (typed.until_day > firstRow(rows).today) throw refuse(422, 'unit_day_ahead', undefined, 'until_day')
    // Two names that end on one day are refused by their index (unit_names_day).
    if (nameId === null)
      await sql`insert into unit_names (${columnOf(unit)}, until_day, name, name_local, within_id)
        select ${id}, ${typed.until_day}::date, ${typed.name}, ${typed.name_local}, ${unit === 'faculty' ? sql`null` : sql`t.faculty_id`}
        from ${sql.table(UNITS[unit].table)} t where t.id = ${id}`.execute(tx)
    else {
      const { numAffectedRows } =
        await sql`update unit_names set name = ${typed.name}, name_local = ${typed.name_local}, until_day = ${typed.until_day}::date
        where id = ${nameId} and ${columnOf(unit)} = ${id}`.execute(tx)
      if (!numAffectedRows) throw refuse(404, 'not_found')
    }
    return pastOf(ctx, unit, id)
  })
}

/** Notes what a unit became; what follows has to be within reach as well. @throws {Refusal} 403, 404, 422 */
async function keepSuccessors(ctx: Ctx, unit: HistoryUnit, id: number, typed: TypedSuccession) {
  const unit_ids = [...new Set(typed.unit_ids)]
  return ctx.write(async (tx) => {
    await lockUnits(ctx, tx, unit, [id, ...unit_ids])
    const { rows } = await sql<{ today: string; had: Omit<Succession, 'from'>[] }>`
      select university_today()::text as today, (select coalesce(json_agg(json_build_object('to', s.${columnOf(unit, 'to_')},
        'on', s.on_day::text, 'kind', s.kind)), '[]') from unit_successions s where s.${columnOf(unit)} = ${id}) as had`.execute(
      tx,
    )
    const { today, had } = firstRow(rows)
    const reasons = judgeSuccession(had, { from: id, to: unit_ids, on: typed.on_day, kind: typed.kind }, today)
    if (reasons.length) throw new Refusal(422, reasons)
    await sql`insert into unit_successions (${columnOf(unit)}, ${columnOf(unit, 'to_')}, on_day, kind, note)
      select ${id}, unnest(${unit_ids}::int[]), ${typed.on_day}::date, ${typed.kind}, ${typed.note?.trim() || null}`.execute(
      tx,
    )
    return pastOf(ctx, unit, id)
  })
}

/** A line of the history of a unit goes. @throws {Refusal} 403, 404 */
const removeLine = (ctx: Ctx, unit: HistoryUnit, id: number, table: 'unit_names' | 'unit_successions', line: number) =>
  ctx.write(async (tx) => {
    await lockUnits(ctx, tx, unit, [id])
    const { numAffectedRows } =
      await sql`delete from ${sql.table(table)} where id = ${line} and ${columnOf(unit)} = ${id}`.execute(tx)
    if (!numAffectedRows) throw refuse(404, 'not_found')
    return pastOf(ctx, unit, id)
  })

export const unitHistoryHandlers: readonly Handled[] = HISTORY_UNITS.flatMap((unit) => {
  const calls = UNIT_HISTORY[unit]
  return [
    handle(calls.read, async (ctx, { params }) => ({ data: await pastOf(ctx, unit, params.id) })),
    handle(calls.addName, async (ctx, { params, body }) => ({
      data: await keepName(ctx, unit, params.id, body, null),
    })),
    handle(calls.editName, async (ctx, { params, body }) => ({
      data: await keepName(ctx, unit, params.id, body, params.name_id),
    })),
    handle(calls.removeName, async (ctx, { params }) => ({
      data: await removeLine(ctx, unit, params.id, 'unit_names', params.name_id),
    })),
    handle(calls.addSuccessors, async (ctx, { params, body }) => ({
      data: await keepSuccessors(ctx, unit, params.id, body),
    })),
    handle(calls.removeSuccessor, async (ctx, { params }) => ({
      data: await removeLine(ctx, unit, params.id, 'unit_successions', params.succession_id),
    })),
  ]
})

/** What follows upon what, of units of a kind. */
export async function unitSuccessions(db: Db, unit: HistoryUnit): Promise<{ lines: Succession[]; today: string }> {
  const { rows } = await sql<{ lines: Succession[]; today: string }>`select university_today()::text as today,
    (select coalesce(json_agg(json_build_object('from', s.${columnOf(unit)}, 'to', s.${columnOf(unit, 'to_')}, 'on', s.on_day::text,
      'kind', s.kind) order by s.on_day, s.id), '[]') from unit_successions s where s.${columnOf(unit)} is not null) as lines`.execute(
    db,
  )
  return firstRow(rows)
}

/** Names of units of a kind that have a history, and what follows upon what. */
export async function unitHistory(db: Db, unit: HistoryUnit): Promise<UnitHistory> {
  const own = columnOf(unit)
  const within = (from: string, key: string) =>
    unit === 'faculty'
      ? sql`null::json`
      : sql`(select json_build_object('name', w.name, 'name_local', w.name_local) from faculties w where w.id = ${sql.ref(`${from}.${key}`)})`
  const { lines } = await unitSuccessions(db, unit)
  const { rows } = await sql<{
    id: number
    now: { name: string; name_local: string; within: { name: string; name_local: string } | null }
    former: { name: string; name_local: string; until: string; within: { name: string; name_local: string } | null }[]
  }>`select t.id, json_build_object('name', t.name, 'name_local', t.name_local, 'within', ${within('t', 'faculty_id')}) as now,
      (select coalesce(json_agg(json_build_object('name', n.name, 'name_local', n.name_local, 'until', n.until_day::text,
        'within', ${within('n', 'within_id')}) order by n.until_day), '[]') from unit_names n where n.${own} = t.id) as former
    from ${sql.table(UNITS[unit].table)} t
    where t.id in (select n.${own} from unit_names n) or t.id in (select s.${own} from unit_successions s)
      or t.id in (select s.${columnOf(unit, 'to_')} from unit_successions s)`.execute(db)
  return {
    now: new Map(rows.map(({ id, now }) => [id, now])),
    former: new Map(rows.map(({ id, former }) => [id, former])),
    successions: lines,
  }
}
