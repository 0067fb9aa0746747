/** Marks by sheet: compared with the grid, mended in place, stored as one operation that can be undone. */
import { firstRow } from '#db/rows.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { fold, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import {
  importLines,
  mendImport,
  previewImport,
  saveImport,
  type ImportTarget,
  type Line,
  type SheetFacts,
  type SheetLine,
} from '#kit/server/resource/imports/imports.ts'
import { sheetError } from '#kit/server/resource/imports/sheet.ts'
import { registerOperation, registerUndo, type UndoOfTable } from '#kit/server/unit/operations.ts'
import { readCsv, readSheet, type Cell } from '#kit/server/sheets/index.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import { readMark, type MarkCategory } from '../grading.rules.ts'
import { computeRegistrationGrades } from './compute.server.ts'
import { gradeCalls, type CellChange, type GridRow, type SchemeCategory } from './grades.contract.ts'
import { columnHeader, HEADERS } from './grades.server.ts'
import { lockForMarks, readRows } from './read-grades.server.ts'
import { checkCells, plainMark, requireCells, statesOf, writeMarks, type MarkTarget } from './marks.server.ts'

const SHEET_LIMIT = 5000
const MOST_ERRORS = 500
const KIND = 'import/marks'
const field = (offering_mark_id: number): string => `m${offering_mark_id}`

const sameMark = (stored: string, mark: number | 'A' | null): boolean =>
  mark === 'A' ? stored === 'A' : stored !== 'A' && parseHundredths(stored) === mark
const shown = (mark: string | null | undefined): string | null =>
  mark == null ? null : mark === 'A' ? 'A' : trimHundredths(parseHundredths(mark) ?? 0)

/** A sheet of marks as lines: columns are the categories of the scheme by code or name, with or without their maximum. */
async function readMarksSheet(
  ctx: Ctx,
  scheme: readonly SchemeCategory[],
  file: Upload,
): Promise<{ facts: SheetFacts; lines: SheetLine[] }> {
  const limits = { maxRows: SHEET_LIMIT + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const [head, ...rows] = book.sheets[0]?.rows ?? []
  if (!head || !rows.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  const lang = paperLang(ctx)
  const facts: SheetFacts = { file: file.name, columns: [], ignored: [], errors: [] }
  const places: { name: string; at: number }[] = []
  const plain = (text: string): string => fold(text.replace(/\([^)]*\)\s*$/, ''))
  const isOne = (labels: readonly string[], word: string): boolean => labels.some((label) => fold(label) === word)
  const marks: SheetFacts['columns'] = []
  for (const [at, { text }] of head.entries()) {
    if (!text) continue
    const word = plain(text)
    const category = scheme.find((one) => isOne([one.code, one.name, one.name_local], word))
    if (category && marks.some((column) => column.field === field(category.id)))
      facts.errors.push(sheetError(1, text, { code: 'sheet_column_twice', data: { column: text } }))
    else if (category) {
      marks.push({ field: field(category.id), header: text })
      places.push({ name: field(category.id), at })
    } else if (isOne([...HEADERS.code, 'code', 'الكود'], word)) {
      facts.columns.push({ field: 'code', header: text })
      places.push({ name: 'code', at })
    } else if (
      !isOne(
        (['name', 'group', 'state', 'total', 'letter'] as const).flatMap((key) => HEADERS[key]),
        word,
      )
    )
      facts.errors.push(sheetError(1, text, { code: 'sheet_column_unknown', data: { column: text } }))
  }
  const missing = (column: string) =>
    facts.errors.push(sheetError(1, null, { code: 'sheet_column_missing', data: { column } }))
  const said = (label: Label): string => label[lang === 'ar' ? 1 : 0]
  if (!facts.columns.length) missing(said(HEADERS.code))
  if (!marks.length) missing(columnHeader(scheme[0]!, lang))
  facts.columns.push({ field: 'name', header: said(HEADERS.name), fixed: true }, ...marks)
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    if (!places.some((place) => place.name === 'code') || cells.every((cell) => cell.type === 'empty')) return []
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) if (cells[at] && cells[at].type !== 'empty') read[name] = cells[at]
    return [{ row: i + 2, cells: read, exported: null }]
  })
  if (!lines.length && !facts.errors.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  return { facts, lines }
}

/** What a line changes: mark by category, with the version that was compared. */
type Values = Record<string, { mark: string; version: number | null }>
const cellsOf = (line: Line): CellChange[] =>
  Object.entries(line.values as Values).map(([id, { mark, version }]) => ({
    registration_id: line.record_id!,
    offering_mark_id: Number(id),
    mark,
    version,
  }))

/** Says of each line which marks it would change, cell by cell. Empty cells leave marks as they are. */
function checkLines(
  lines: readonly Line[],
  facts: SheetFacts,
  scheme: readonly MarkCategory[],
  rows: readonly GridRow[],
  lang: 'en' | 'ar',
): void {
  const heads = new Map(facts.columns.map((column) => [column.field, column.header]))
  const byCode = new Map(rows.map((row) => [fold(row.student.code ?? ''), row]))
  const target: MarkTarget = { scheme, states: new Map(rows.map((row) => [row.registration_id, row.status])) }
  const first = new Map<string, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    const note = (name: string | null, { code, data }: Pick<Reason, 'code' | 'data'>) => {
      const { row: _row, ...told } = sheetError(line.row, name === null ? null : (heads.get(name) ?? name), {
        code,
        ...(data && { data }),
      })
      line.errors.push({ field: name, ...told })
    }
    const code = line.cells.code?.text ?? ''
    const student = byCode.get(fold(code))
    const earlier = line.key === null ? undefined : first.get(line.key)
    if (!code) note('code', { code: 'sheet_code_missing' })
    else if (!student) note('code', { code: 'sheet_student_unknown', data: { code } })
    else if (earlier !== undefined) note('code', { code: 'sheet_student_twice', data: { code, row: earlier } })
    if (line.key !== null && earlier === undefined) first.set(line.key, line.row)
    const { name: _name, ...cells } = line.cells
    line.cells = cells
    if (student && earlier === undefined) {
      line.record_id = student.registration_id
      const { name, name_local } = student.student
      line.cells.name = { type: 'text', text: lang === 'ar' ? (name_local ?? name) : name }
      const values: Values = {}
      for (const category of scheme) {
        const cell = line.cells[field(category.id)]
        if (!cell) continue
        if (cell.type === 'error') {
          note(field(category.id), { code: cell.formula ? 'sheet_formula_failed' : 'mark_shape' })
          continue
        }
        const mark = plainMark(cell.text)
        const before = student.marks[category.id]
        const asked = readMark(mark, category.maximum)
        if (!('problem' in asked) && before && sameMark(before.mark, asked.mark)) continue
        values[category.id] = { mark, version: before?.version ?? null }
        line.changes.push({
          field: field(category.id),
          old: shown(before?.mark),
          new:
            'problem' in asked
              ? mark
              : asked.mark === 'A'
                ? 'A'
                : asked.mark === null
                  ? null
                  : trimHundredths(asked.mark),
        })
      }
      line.values = values
      const asked = cellsOf(line)
      for (const { field: at, ...reason } of checkCells(asked, target, String).reasons)
        note(field(asked[Number(at)]!.offering_mark_id), reason)
    }
    line.state = line.errors.length ? 'wrong' : line.changes.length ? 'changed' : 'same'
    if (line.state === 'wrong') line.changes = []
  }
}

/** Marks of one offering as something a sheet is imported into. `written`: how many marks were stored. */
function marksOf(offering_id: number, about?: string): ImportTarget & { written: number } {
  return {
    name: `offering_grades/${offering_id}`,
    kind: KIND,
    knownBy: 'code',
    facts: { offering_id, ...(about && { about }) },
    written: 0,
    async check(ctx, tx, facts, lines) {
      const { scheme } = await lockForMarks(ctx, tx, offering_id, 'import_grades')
      const { rows } = await readRows(tx, sql`r.offering_id = ${offering_id}`)
      checkLines(lines, facts, scheme, rows, paperLang(ctx))
    },
    headErrors: () => [],
    // A class has as many marks as it has students: many are the rule, and each is shown beside the old one.
    confirm: async () => null,
    async write(ctx, tx, lines, facts) {
      const { scheme, capacity } = await lockForMarks(ctx, tx, offering_id, 'import_grades')
      const heads = new Map(facts.columns.map((column) => [column.field, column.header]))
      const cells = lines.flatMap((line) => cellsOf(line).map((cell) => ({ row: line.row, cell })))
      const at = (i: number): string =>
        `rows.${cells[i]!.row}.${heads.get(field(cells[i]!.cell.offering_mark_id)) ?? ''}`
      const all = cells.map((one) => one.cell)
      const target: MarkTarget = {
        scheme,
        states: await statesOf(
          tx,
          offering_id,
          all.map((cell) => cell.registration_id),
        ),
      }
      const values = requireCells(all, target, at)
      if (!values.length) return
      const { saved, conflicts } = await writeMarks(ctx, tx, values, { completes: capacity === 'control' })
      if (conflicts.length) {
        throw new Refusal(
          409,
          conflicts.slice(0, MOST_ERRORS).map((conflict) => ({
            field: at(
              all.findIndex(
                (cell) =>
                  cell.registration_id === conflict.registration_id &&
                  cell.offering_mark_id === conflict.offering_mark_id,
              ),
            ),
            code: 'sheet_changed_meanwhile',
            data: { theirs: conflict.theirs, yours: conflict.yours },
          })),
        )
      }
      this.written = saved
    },
  }
}

type Preview = Awaited<ReturnType<typeof previewImport>>
/** A preview with the number of marks that it changes. */
async function counted(ctx: Ctx, data: Preview): Promise<Preview & { changes: number }> {
  const { rows } = await sql<{
    n: number
  }>`select coalesce(sum(jsonb_array_length(changes)), 0)::int as n from import_rows
    where import_id = ${data.import_id}`.execute(ctx.db)
  return { ...data, changes: firstRow(rows).n }
}

async function importSheet(ctx: Ctx, offering_id: number, step: string, file: Upload | null) {
  if (step !== 'preview' && step !== 'save') return store(ctx, offering_id, step)
  if (!file) throw refuse(422, 'file_missing', undefined, 'file')
  const { row } = await ctx.write((tx) => lockForMarks(ctx, tx, offering_id, 'import_grades'))
  const data = await previewImport(ctx, marksOf(offering_id), await readMarksSheet(ctx, row.scheme, file))
  if (step === 'preview') return { data: await counted(ctx, data), saved: 0, operation_id: null }
  if (!data.errors.length) return store(ctx, offering_id, data.import_id)
  throw new Refusal(
    422,
    data.errors.map((e) => ({
      field: `rows.${e.row}${e.column ? `.${e.column}` : ''}`,
      code: 'import_cell',
      data: { text: e.en, text_local: e.ar },
    })),
  )
}

/** Stores a sheet that was checked: every mark or, when one has become impossible since, none. */
async function store(ctx: Ctx, offering_id: number, import_id: string) {
  const { rows } = await sql<{ about: string }>`select coalesce(c.code || ' ', '') || '(' || o.code || ')' as about
    from offerings o ${sql.raw(joinCourse('o.course_id', 'o.id'))} where o.id = ${offering_id}`.execute(ctx.db)
  const target = marksOf(offering_id, rows[0]?.about)
  const { operation_id } = await saveImport(ctx, target, import_id)
  return { data: null, saved: target.written, operation_id }
}

export const gradeSheetHandlers = [
  handle(gradeCalls.importSheet, (ctx, { params, file }) => importSheet(ctx, params.a, params.b, file)),
  handle(gradeCalls.sheetLines, async (ctx, { params, body }) => ({
    data: await counted(ctx, await importLines(ctx, marksOf(params.a), params.b, body)),
  })),
  handle(gradeCalls.sheetMend, async (ctx, { params, body }) => ({
    data: await counted(ctx, await mendImport(ctx, marksOf(params.a), params.b, body)),
  })),
]

// --- Undo -----------------------------------------------------------------------------------------------------------

const offeringOf = (facts: Readonly<Record<string, unknown>>): number => Number(facts.offering_id)

registerOperation({
  kind: KIND,
  label: ['Marks', 'الدرجات'],
  permission: 'import_grades',
  derived: {
    registrations: ['total', 'maximum', 'letter', 'points', 'passed', 'counts_in_gpa', 'counts_in_attempted_hours'],
  },
  // Whoever may enter marks there now may take them back: the state of control, the window, the reach.
  before: async (ctx, tx, { facts }) => void (await lockForMarks(ctx, tx, offeringOf(facts), 'import_grades')),
  after: async (_ctx, tx) => {
    const { rows } = await sql<{ id: number }>`select distinct record_id as id from undo_rows
      where table_name = 'registration_marks' and state = 'done'`.execute(tx)
    await computeRegistrationGrades(
      tx,
      rows.map((row) => row.id),
    )
  },
})

// A version of a mark is never used twice: whoever still looks at the imported one is told.
const putBackMarks: UndoOfTable = async (_ctx, tx, rows, write) => {
  await write()
  const keys = rows.filter((row) => row.action === 'change').map(({ after }) => after)
  if (!keys.length) return
  await sql`update registration_marks m set version = nextval('registration_mark_version')
    from jsonb_to_recordset(${JSON.stringify(keys)}::jsonb) as k (registration_id int, offering_mark_id int)
    where m.registration_id = k.registration_id and m.offering_mark_id = k.offering_mark_id`.execute(tx)
}
registerUndo('registration_marks', putBackMarks, {
  what: ['Student', 'الطالب'],
  select: `select r.id, s.code, s.name, s.name_local from registrations r join students s on s.id = r.student_id where r.id = any($1::int[])`,
  fields: { mark: ['Marks', 'الدرجات'], absent: ['Absent', 'غائب'] },
})
