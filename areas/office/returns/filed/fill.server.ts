/** A return is filled: every cell gets the figure of the declared layer, and what is wrong or worth a look is found. */
import { firstRow } from '#db/rows.ts'
import type { Tx } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { fillForm, type FormValue } from '#kit/server/sheets/index.ts'
import { sql } from 'kysely'
import { filledWords, type FormCell, type FormWord } from '../cells/cell.rules.ts'
import { findingsOf, sameFinding, type FilledCell, type FoundCell } from '../cells/finding.rules.ts'
import { readCells, valuesOf, type ReturnTime } from '../cells/resolve.server.ts'
import { keptContent } from '../content.server.ts'
import { openForm } from '../templates/form.server.ts'
import { newestEdition } from '../templates/template.server.ts'

/** What is kept of a cell. */
export interface KeptFigure {
  readonly sheet: string
  readonly cell: string
  readonly text: string
  readonly key: string
  readonly value: number | null
  readonly before: number | null
}
interface HeldReturn extends ReturnTime {
  readonly template_id: number
  readonly edition_id: number
  readonly status: string
  readonly version: number
}
/** A return in work, held until the unit ends. @throws {Refusal} 404; 409 where it is checked or sent, or another saw it differently */
export async function holdReturn(tx: Tx, id: number, version?: number): Promise<HeldReturn> {
  const { rows } =
    await sql<HeldReturn>`select template_id, edition_id, year_id, term_id, status, version from statistical_returns
    where id = ${id} and removed_at is null for update`.execute(tx)
  const [held] = rows
  if (!held) throw refuse(404, 'not_found')
  if (held.status !== 'draft') throw refuse(409, 'return_sent')
  if (version !== undefined && version !== held.version) throw refuse(409, 'return_changed')
  return held
}

/** SQL: the last return of the same template that was sent for an earlier time; `t` is the return. */
export const LAST_SENT = sql`(select b.id from statistical_returns b join years y on y.id = b.year_id join years own on own.id = t.year_id
  where b.template_id = t.template_id and b.status = 'filed' and b.removed_at is null and y.start_date < own.start_date
    and (b.term_id is null) = (t.term_id is null)
    and (t.term_id is null or (select x.term_type from terms x where x.id = b.term_id) = (select x.term_type from terms x where x.id = t.term_id))
  order by y.start_date desc, b.sent_at desc limit 1)`

async function figuresBefore(tx: Tx, id: number): Promise<Map<string, number | null>> {
  const { rows } = await sql<{ figures: KeptFigure[] | null }>`select b.figures from statistical_returns t
    join statistical_returns b on b.id = ${LAST_SENT} where t.id = ${id}`.execute(tx)
  return new Map((rows[0]?.figures ?? []).map(({ key, value }) => [key, value]))
}

async function wordsOf(
  tx: Tx,
  { year_id, term_id }: ReturnTime,
): Promise<Record<'en' | 'ar', Record<FormWord, string>>> {
  const { rows } = await sql<
    Record<'year' | 'term' | 'day' | 'university', [en: string | null, ar: string | null]>
  >`select
    (select json_build_array(name, name_local) from years where id = ${year_id}) as year,
    coalesce((select json_build_array(name, name_local) from terms where id = ${term_id}), '["", ""]') as term,
    json_build_array(university_today()::text, university_today()::text) as day,
    json_build_array((select value #>> '{}' from settings where key = 'university_name'),
      (select value #>> '{}' from settings where key = 'university_name_local')) as university`.execute(tx)
  const all = firstRow(rows)
  const of = (place: 0 | 1) => ({
    year: all.year[place] ?? '',
    term: all.term[place] ?? '',
    day: all.day[place] ?? '',
    university: all.university[place] ?? '',
  })
  return { en: of(0), ar: of(1) }
}

/** Figures, findings and values of all cells of an edition for a time, against those of the last return. */
export async function computeReturn(
  tx: Tx,
  cells: readonly FormCell[],
  time: ReturnTime,
  before: ReadonlyMap<string, number | null>,
  threshold: number | null,
): Promise<{ figures: KeptFigure[]; found: FoundCell[]; values: (rtl: (sheet: string) => boolean) => FormValue[] }> {
  const { asked, mistakes, words } = await readCells(tx, cells, time)
  const numbers = await valuesOf(tx, asked)
  const filled: FilledCell[] = asked.map(({ sheet, cell, text, key, sum }, at) => ({
    sheet,
    cell,
    text,
    key,
    sum,
    value: numbers[at] ?? null,
    before: before.get(key) ?? null,
  }))
  const said = await wordsOf(tx, time)
  return {
    figures: filled.map(({ sum: _, ...kept }) => kept),
    found: findingsOf(filled, mistakes, threshold),
    values: (rtl) => [
      ...filled.map(({ sheet, cell, value }) => ({ sheet, cell, value })),
      ...words.map(({ sheet, cell, text }) => ({
        sheet,
        cell,
        value: filledWords(text, said[rtl(sheet) ? 'ar' : 'en']),
      })),
      // What could not be read stays empty: a sheet that is sent shows no marks of this program.
      ...mistakes.map(({ sheet, cell }) => ({ sheet, cell, value: null })),
    ],
  }
}

/** ReturnFindings that are there again keep the reason with which they were accepted. */
export async function keepFindings(tx: Tx, id: number, found: readonly FoundCell[]): Promise<void> {
  const { rows } = await sql<
    FoundCell & { id: number }
  >`select id, kind, sheet, cell, data from return_findings where return_id = ${id}`.execute(tx)
  const gone = rows.filter((row) => !found.some((one) => sameFinding(one, row))).map((row) => row.id)
  const come = found.filter((one) => !rows.some((row) => sameFinding(one, row)))
  if (gone.length) await sql`delete from return_findings where id = any(${gone}::int[])`.execute(tx)
  if (come.length)
    await sql`insert into return_findings (return_id, kind, sheet, cell, data)
      select ${id}, x.kind, x.sheet, x.cell, x.data from jsonb_to_recordset(${JSON.stringify(come)}::jsonb)
        as x (kind text, sheet text, cell text, data jsonb) on conflict do nothing`.execute(tx)
}

/** Fills a return in work with the figures of now. */
export async function fillReturn(ctx: Ctx, tx: Tx, id: number, version: number, newest: boolean) {
  const held = await holdReturn(tx, id, version)
  const latest = newest ? await newestEdition(tx, held.template_id) : null
  const edition_id = latest?.id ?? held.edition_id
  const { rows } = await sql<{
    file_id: number
    cells: FormCell[]
    threshold: number | null
    code: string
    year: string
  }>`
    select e.file_id, e.cells, m.threshold, m.code, (select code from years where id = ${held.year_id}) as year
    from return_template_editions e join return_templates m on m.id = e.template_id where e.id = ${edition_id}`.execute(
    tx,
  )
  const { file_id, cells, threshold, code, year } = firstRow(rows)
  const content = await keptContent(ctx, file_id)
  const { sheets } = await openForm(content)
  const { figures, found, values } = await computeReturn(tx, cells, held, await figuresBefore(tx, id), threshold)
  const file = await ctx.services.files.keep(tx, {
    content: await fillForm(
      content,
      values((name) => sheets.find((one) => one.name === name)?.rtl ?? false),
    ),
    name: fileName('xlsx', code, year),
    ext: 'xlsx',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  })
  const { rows: done } = await sql<{ version: number }>`update statistical_returns set edition_id = ${edition_id},
      figures = ${JSON.stringify(figures)}::jsonb, file_id = ${file.id}, filled_at = now(), filled_by = ${ctx.actor?.user_id ?? null}::int,
      version = version + 1, updated_at = now() where id = ${id} returning version`.execute(tx)
  await keepFindings(tx, id, found)
  return { id, version: firstRow(done).version, cells: figures.length, findings: found.length }
}
