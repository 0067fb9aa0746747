/** Marks of registrations: checked, written with the version each editor saw, and graded in the same transaction. */
import { parseHundredths, trimHundredths } from '#areas/catalogue/decimal.rules.ts'
import { flag, mainMask, mainOf } from '#areas/registration/status.rules.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/context.ts'
import { Refusal, type Reason } from '#kit/server/errors.ts'
import { sql } from 'kysely'
import { readMark, type MarkCategory } from '../grading.rules.ts'
import { RESULT_STATES } from '../words.contract.ts'
import { computeRegistrationGrades } from './compute.server.ts'
import type { CellChange, Conflict } from './grades.contract.ts'
import { takesMarks } from './grades.rules.ts'

/** Typed and imported words for absent. */
export const plainMark = (text: string): string =>
  /^(a|abs|absent|غ|غائب|غياب)$/iu.test(text.trim()) ? 'A' : text.trim()

/** Where a mark belongs, as its editor knows it. */
export interface Target {
  /** Of the registrations named that are in the offering: their states. */
  readonly states: ReadonlyMap<number, string>
  readonly scheme: readonly MarkCategory[]
}

/** The states of registrations of an offering, by id. */
export async function statesOf(tx: Tx, offering_id: number, ids: readonly number[]): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; status: string }>`
    select id, status from registrations where offering_id = ${offering_id} and id = any(${[...new Set(ids)]}::int[])`.execute(
    tx,
  )
  return new Map(rows.map((row) => [row.id, row.status]))
}

/** A mark as the table keeps it. */
interface Value {
  registration_id: number
  offering_mark_id: number
  mark: string | null
  absent: boolean
  seen: number | null
}

/** Everything that is wrong with cells, each with its place; and the cells as they are stored. */
export function checkCells(
  cells: readonly CellChange[],
  target: Target,
  field: (i: number) => string,
): { values: Value[]; reasons: Reason[] } {
  const categories = new Map(target.scheme.map((category) => [category.id, category]))
  const reasons: Reason[] = []
  const values: Value[] = []
  const sent = new Set<string>()
  for (const [i, cell] of cells.entries()) {
    const at = (code: string, data?: Record<string, unknown>) => reasons.push({ field: field(i), code, data })
    const key = `${cell.registration_id}/${cell.offering_mark_id}`
    if (sent.has(key)) {
      at('mark_twice')
      continue
    }
    sent.add(key)
    const status = target.states.get(cell.registration_id)
    const category = categories.get(cell.offering_mark_id)
    if (status === undefined) at('registration_not_in_offering')
    else if (!category) at('mark_not_in_scheme')
    else if (!takesMarks(BigInt(status))) {
      const main = mainOf(BigInt(status))
      const words = RESULT_STATES.find((state) => state.value === main)?.label
      at('registration_no_marks', { status: words?.[0] ?? main, status_local: words?.[1] ?? main })
    } else {
      const read = readMark(plainMark(cell.mark ?? ''), category.maximum)
      if ('problem' in read) at(read.problem.code, read.problem.data)
      else {
        values.push({
          registration_id: cell.registration_id,
          offering_mark_id: cell.offering_mark_id,
          mark: typeof read.mark === 'number' ? trimHundredths(read.mark) : null,
          absent: read.mark === 'A',
          seen: cell.version,
        })
      }
    }
  }
  return { values, reasons }
}

interface Judged {
  registration_id: number
  offering_mark_id: number
  mark: string | null
  absent: boolean
  fresh: boolean
  same: boolean
  stored: string | null
  stored_absent: boolean | null
  version: number | null
  entered_at: string | null
  by: { name: string; name_local: string } | null
}

/**
 * Writes marks in one statement and grades what they touch. A cell that somebody else changed since its editor saw it is
 * not written but answered. The offering must be locked, so that two editors of one grid follow each other.
 *
 * @param completes who writes may complete an incomplete registration by its last mark (control)
 */
export async function writeMarks(
  ctx: Ctx,
  tx: Tx,
  values: readonly Value[],
  { completes }: { completes: boolean },
): Promise<{ saved: number; conflicts: Conflict[]; touched: number[] }> {
  const { rows } = await sql<Judged>`
    with input as (
      select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
        as n(registration_id int, offering_mark_id int, mark numeric, absent boolean, seen int)),
    judged as (
      select i.registration_id, i.offering_mark_id, i.mark, i.absent, m.mark as stored, m.absent as stored_absent, m.version,
        m.entered_at, m.entered_by, m.version is not distinct from i.seen as fresh,
        case when m.version is null then i.mark is null and not i.absent
          else (i.mark is not null or i.absent) and m.mark is not distinct from i.mark and m.absent = i.absent end as same
      from input i left join registration_marks m
        on m.registration_id = i.registration_id and m.offering_mark_id = i.offering_mark_id),
    gone as (
      delete from registration_marks m using judged j
      where m.registration_id = j.registration_id and m.offering_mark_id = j.offering_mark_id
        and j.fresh and not j.same and j.mark is null and not j.absent),
    written as (
      insert into registration_marks as m (registration_id, offering_mark_id, mark, absent, entered_by)
      select registration_id, offering_mark_id, mark, absent, ${ctx.actor?.user_id ?? null}::int from judged
      where fresh and not same and (mark is not null or absent)
      on conflict (registration_id, offering_mark_id) do update set mark = excluded.mark, absent = excluded.absent,
        entered_by = excluded.entered_by, entered_at = now(), version = nextval('registration_mark_version'))
    select j.registration_id, j.offering_mark_id, j.mark::text, j.absent, j.fresh, j.same, j.stored::text, j.stored_absent,
      j.version, j.entered_at, case when u.id is not null then json_build_object('name', u.name, 'name_local', u.name_local) end as by
    from judged j left join users u on u.id = j.entered_by and not j.fresh`.execute(tx)
  const shown = (mark: string | null, absent: boolean | null): string | null =>
    absent ? 'A' : mark === null ? null : trimHundredths(parseHundredths(mark) ?? 0)
  const conflicts = rows
    .filter((row) => !row.fresh && !row.same)
    .map((row) => ({
      registration_id: row.registration_id,
      offering_mark_id: row.offering_mark_id,
      yours: shown(row.mark, row.absent),
      theirs: shown(row.stored, row.stored_absent),
      version: row.version,
      by: row.by,
      at: row.entered_at,
    }))
  const saved = rows.filter((row) => row.fresh && !row.same)
  const touched = [...new Set(saved.map((row) => row.registration_id))]
  if (touched.length) {
    if (completes) await complete(ctx, tx, touched)
    await computeRegistrationGrades(tx, touched)
  }
  return { saved: saved.length, conflicts, touched }
}

/** Incomplete registrations that now have every mark are complete. */
async function complete(ctx: Ctx, tx: Tx, registration_ids: readonly number[]): Promise<void> {
  const mask = sql.raw((~mainMask).toString())
  const { actor } = ctx
  await sql`
    with done as (
      update registrations r set status = (r.status & ${mask}) | ${sql.raw(flag.Complete.toString())}
      where r.id = any(${registration_ids}::int[]) and r.status & ${sql.raw(flag.Incomplete.toString())} <> 0
        and not exists (select from offering_marks o where o.offering_id = r.offering_id and not exists (
          select from registration_marks m where m.registration_id = r.id and m.offering_mark_id = o.id))
      returning r.id, r.student_id, r.offering_id, r.status)
    insert into registration_history (registration_id, student_id, offering_id, actor_id, impersonator_id, action, from_status, to_status, reason)
    select id, student_id, offering_id, ${actor?.user_id ?? null}::int, ${actor?.impersonator_id ?? null}::int, 'complete',
      (status & ${mask}) | ${sql.raw(flag.Incomplete.toString())}, status, 'the missing mark was entered' from done`.execute(
    tx,
  )
}

/** Refuses cells that cannot be stored, all of them together. */
export function requireCells(cells: readonly CellChange[], target: Target, field: (i: number) => string): Value[] {
  const { values, reasons } = checkCells(cells, target, field)
  if (reasons.length) throw new Refusal(422, reasons.slice(0, 500))
  return values
}
