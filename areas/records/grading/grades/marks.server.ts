/** Marks of registrations: checked, written with the version each editor saw, and graded in the same transaction. */
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { flag, mainMask, mainOf } from '#areas/common/academics/status.rules.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, type Reason } from '#kit/server/base/errors.ts'
import { sql, type RawBuilder } from 'kysely'
import { readMark, type Mark, type MarkCategory } from '../grading.rules.ts'
import { RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import {
  computeRegistrationGrades,
  grader,
  plainArray,
  writeResults,
  type Gradable,
  type Result,
} from './compute.server.ts'
import type { CellChange, Conflict } from './grades.contract.ts'
import { takesMarks } from './grades.rules.ts'

/** Typed and imported words for absent. */
export const plainMark = (text: string): string =>
  /^(a|abs|absent|غ|غائب|غياب)$/iu.test(text.trim()) ? 'A' : text.trim()

/** Where a mark belongs, as its editor knows it. */
export interface MarkTarget {
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
  target: MarkTarget,
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

/** A registration as its editor reads it after the offering was locked: with its marks and what a result is made of. */
export interface EditedRegistration extends Gradable {
  readonly marks: Readonly<Record<string, { readonly mark: string; readonly version: number }>>
}

const asMark = (text: string): Mark => (text === 'A' ? 'A' : (parseHundredths(text) ?? 0))
const textOf = ({ mark, absent }: Pick<Value, 'mark' | 'absent'>): string | null => (absent ? 'A' : mark)

/**
 * The same where nobody changed a cell meanwhile and no state changes, which is nearly always: what is judged is already
 * read, so that marks and results go in by one statement. There all marks of the registrations are compared with those
 * that were read: they may have been read before the offering was locked. What somebody writes past that lock at this
 * moment is a serialisation failure, and the work is done again.
 *
 * @returns undefined when it is not so simple; `moved`, with nothing written, when other marks stand than were read; else
 * the entries as they are now
 */
export async function enterMarks<E extends EditedRegistration>(
  ctx: Ctx,
  tx: Tx,
  values: readonly Value[],
  entries: ReadonlyMap<number, E>,
  scheme: MarkCategory[],
  { completes }: { completes: boolean },
): Promise<{ saved: number; rows: E[] } | 'moved' | undefined> {
  const writes: Value[] = []
  for (const value of values) {
    const entry = entries.get(value.registration_id)
    if (!entry || (completes && mainOf(BigInt(entry.status)) === 'Incomplete')) return undefined
    const stored = entry.marks[value.offering_mark_id]
    const wanted = textOf(value)
    const same = stored ? wanted !== null && asMark(stored.mark) === asMark(wanted) : wanted === null
    if (same) continue
    if ((stored?.version ?? null) !== value.seen) return undefined
    writes.push(value)
  }
  if (!writes.length) return undefined

  const touched = new Map<number, Record<string, { mark: string; version: number }>>()
  for (const value of writes) {
    const marks = touched.get(value.registration_id) ?? { ...entries.get(value.registration_id)!.marks }
    const mark = textOf(value)
    if (mark === null) delete marks[value.offering_mark_id]
    else marks[value.offering_mark_id] = { mark, version: 0 }
    touched.set(value.registration_id, marks)
  }
  const gradeBy = grader(tx)
  const results = new Map<number, Result>()
  for (const [id, marks] of touched) {
    const read = Object.fromEntries(Object.entries(marks).map(([category, { mark }]) => [category, asMark(mark)]))
    const result = await gradeBy(entries.get(id)!, scheme, read)
    if (result) results.set(id, result)
  }

  const editor = ctx.actor?.user_id ?? null
  const stands = (value: Value) => value.mark !== null || value.absent
  // Each kind of change has triggers that run even for no row: only those that are needed are in the statement.
  const parts: [string, RawBuilder<unknown>][] = []
  if (writes.some((value) => stands(value) && value.seen === null)) {
    parts.push([
      'made',
      sql`(insert into registration_marks (registration_id, offering_mark_id, mark, absent, entered_by)
        select registration_id, offering_mark_id, mark, absent, ${editor}::int from input where seen is null
        on conflict do nothing returning registration_id, offering_mark_id, version)`,
    ])
  }
  if (writes.some((value) => stands(value) && value.seen !== null)) {
    parts.push([
      'changed',
      sql`(update registration_marks m set mark = i.mark, absent = i.absent, entered_by = ${editor}::int,
          entered_at = now(), version = nextval('registration_mark_version')
        from input i where m.registration_id = i.registration_id and m.offering_mark_id = i.offering_mark_id
          and m.version = i.seen and (i.mark is not null or i.absent)
        returning m.registration_id, m.offering_mark_id, m.version)`,
    ])
  }
  if (writes.some((value) => !stands(value))) {
    parts.push([
      'gone',
      sql`(delete from registration_marks m using input i
        where m.registration_id = i.registration_id and m.offering_mark_id = i.offering_mark_id
          and m.version = i.seen and i.mark is null and not i.absent
        returning m.registration_id, m.offering_mark_id, null::int as version)`,
    ])
  }
  const graded = [...results.values()].map((result) => ({ ...result, status: entries.get(result.id)!.status }))
  // Versions only grow: none is used again, and a changed mark has a higher one.
  const stood = [...entries.values()].flatMap((entry) => Object.values(entry.marks))
  const sum = stood.reduce((all, { version }) => all + version, 0)
  const { rows } = await sql<{ stands: boolean; graded: number; written: [number, number, number | null][] | null }>`
    with stood as materialized (select count(*) = ${stood.length}::int and coalesce(sum(version), 0) = ${sum}::bigint as still
        from registration_marks where registration_id = any(${[...entries.keys()]}::int[])),
      input as (select * from unnest(${plainArray(writes.map((one) => one.registration_id))}::int[],
          ${plainArray(writes.map((one) => one.offering_mark_id))}::int[], ${plainArray(writes.map((one) => one.mark))}::numeric[],
          ${plainArray(writes.map((one) => one.absent))}::boolean[], ${plainArray(writes.map((one) => one.seen))}::int[])
        as n (registration_id, offering_mark_id, mark, absent, seen)
        where (select still from stood)),
      ${sql.join(parts.map(([name, part]) => sql`${sql.raw(name)} as ${part}`))}
      ${graded.length ? sql`, graded as (${writeResults(graded)} and (select still from stood) returning r.id)` : sql``}
    select (select still from stood) as stands, ${graded.length ? sql`(select count(*)::int from graded)` : sql`0`} as graded,
      (select json_agg(json_build_array(registration_id, offering_mark_id, version)) from (
        ${sql.raw(parts.map(([name]) => `select * from ${name}`).join(' union all '))}) w) as written`.execute(tx)
  if (!rows[0]?.stands) return 'moved'
  const written = rows[0].written ?? []
  if (written.length !== writes.length || rows[0].graded !== graded.length) throw new MarksMoved()
  for (const [registration, category, version] of written) {
    const mark = touched.get(registration)?.[category]
    if (mark && version !== null) mark.version = version
  }
  return {
    saved: writes.length,
    rows: [...touched].map(([id, marks]) => ({ ...entries.get(id)!, ...results.get(id), marks })),
  }
}

/** Somebody wrote past the lock of the offering: what was read does not hold any more, and is read again. */
class MarksMoved extends Error {
  readonly code = '40001'
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
export function requireCells(cells: readonly CellChange[], target: MarkTarget, field: (i: number) => string): Value[] {
  const { values, reasons } = checkCells(cells, target, field)
  if (reasons.length) throw new Refusal(422, reasons.slice(0, 500))
  return values
}
