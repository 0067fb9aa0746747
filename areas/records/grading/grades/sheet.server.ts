/** Marks by sheet: compared with the grid, mended in place, stored as one operation that can be undone. */
import { firstRow } from '#db/rows.ts'
import { joinCourse } from '#areas/common/academics/course-words.server.ts'
import { byStudentCode, sheetStudent } from '#areas/common/academics/sheet-student.server.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { fold, type Label } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { handedIn, handInHandlers } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows } from '#kit/server/handing-in/judge.ts'
import type { SheetPlan } from '#kit/server/handing-in/read.ts'
import type { Line, SheetFacts } from '#kit/server/resource/imports/imports.ts'
import { registerOperation, registerUndo, type UndoOfTable } from '#kit/server/unit/operations.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { sql } from 'kysely'
import { readMark, type MarkCategory } from '../grading.rules.ts'
import { computeRegistrationGrades } from './compute.server.ts'
import { gradeCalls, type CellChange, type GridRow, type SchemeCategory } from './grades.contract.ts'
import { columnHeader, HEADERS } from './grades.server.ts'
import { lockForMarks, readRows } from './read-grades.server.ts'
import { checkCells, plainMark, requireCells, statesOf, writeMarks, type MarkTarget } from './marks.server.ts'

const MOST_ERRORS = 500
const KIND = 'import/marks'
const field = (offering_mark_id: number): string => `m${offering_mark_id}`

const sameMark = (stored: string, mark: number | 'A' | null): boolean =>
  mark === 'A' ? stored === 'A' : stored !== 'A' && parseHundredths(stored) === mark
const shown = (mark: string | null | undefined): string | null =>
  mark == null ? null : mark === 'A' ? 'A' : trimHundredths(parseHundredths(mark) ?? 0)

/** Columns are the categories of the scheme by code or name, with or without their maximum. */
function planOf(scheme: readonly SchemeCategory[], lang: 'en' | 'ar'): SheetPlan {
  const plain = (text: string): string => fold(text.replace(/\([^)]*\)\s*$/, ''))
  const isOne = (labels: readonly string[], word: string): boolean => labels.some((label) => fold(label) === word)
  const passed = (['name', 'group', 'state', 'total', 'letter'] as const).flatMap((key) => HEADERS[key])
  const said = (label: Label): string => label[lang === 'ar' ? 1 : 0]
  const missing = (column: string) => ({ code: 'sheet_column_missing', data: { column } })
  return {
    beside: { name: said(HEADERS.name) },
    heading(text) {
      const word = plain(text)
      const category = scheme.find((one) => isOne([one.code, one.name, one.name_local], word))
      if (category) return { field: field(category.id) }
      if (isOne([...HEADERS.code, 'code', 'الكود'], word)) return { field: 'code' }
      return isOne(passed, word) ? 'passed' : null
    },
    lacks: (has) => [
      ...(has('code') ? [] : [missing(said(HEADERS.code))]),
      ...(scheme.some(({ id }) => has(field(id))) ? [] : [missing(columnHeader(scheme[0]!, lang))]),
    ],
  }
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
function judgeMarks(
  lines: readonly Line[],
  facts: SheetFacts,
  scheme: readonly MarkCategory[],
  rows: readonly GridRow[],
  lang: 'en' | 'ar',
): void {
  const byCode = byStudentCode(rows, ({ student }) => student.code)
  const target: MarkTarget = { scheme, states: new Map(rows.map((row) => [row.registration_id, row.status])) }
  judgeRows(lines, facts, (row) => {
    const { line, wrong } = row
    const student = sheetStudent(row, byCode)
    if (!student) return
    line.record_id = student.registration_id
    const { name, name_local } = student.student
    row.show('name', lang === 'ar' ? (name_local ?? name) : name)
    const values: Values = {}
    for (const category of scheme) {
      const cell = line.cells[field(category.id)]
      if (!cell) continue
      if (cell.type === 'error') {
        wrong(field(category.id), cell.formula ? 'sheet_formula_failed' : 'mark_shape')
        continue
      }
      const mark = plainMark(cell.text)
      const before = student.marks[category.id]
      const asked = readMark(mark, category.maximum)
      if (!('problem' in asked) && before && sameMark(before.mark, asked.mark)) continue
      values[category.id] = { mark, version: before?.version ?? null }
      const fresh = 'problem' in asked ? mark : (asked.mark ?? null)
      row.change(
        field(category.id),
        shown(before?.mark),
        typeof fresh === 'number' ? trimHundredths(fresh) : (fresh ?? null),
      )
    }
    line.values = values
    const asked = cellsOf(line)
    for (const { field: at, code, data } of checkCells(asked, target, String).reasons)
      wrong(field(asked[Number(at)]!.offering_mark_id), code, data)
  })
}

type Locked = Awaited<ReturnType<typeof lockForMarks>>
const locked = (ctx: Ctx, tx: Parameters<typeof lockForMarks>[1], id: number): Promise<Locked> =>
  lockForMarks(ctx, tx, id, 'import_grades')

/** Writes marks that were judged. @throws {Refusal} 409 where somebody changed one of them since */
async function write(
  ctx: Ctx,
  tx: Parameters<typeof lockForMarks>[1],
  lines: readonly Line[],
  { of, open: { scheme, capacity }, facts }: { of: number; open: Locked; facts: SheetFacts },
): Promise<number> {
  const heads = new Map(facts.columns.map((column) => [column.field, column.header]))
  const cells = lines.flatMap((line) => cellsOf(line).map((cell) => ({ row: line.row, cell })))
  const at = (i: number): string => `rows.${cells[i]!.row}.${heads.get(field(cells[i]!.cell.offering_mark_id)) ?? ''}`
  const all = cells.map((one) => one.cell)
  const states = await statesOf(
    tx,
    of,
    all.map((cell) => cell.registration_id),
  )
  const values = requireCells(all, { scheme, states }, at)
  if (!values.length) return 0
  const { saved, conflicts } = await writeMarks(ctx, tx, values, { completes: capacity === 'control' })
  if (conflicts.length) {
    throw new Refusal(
      409,
      conflicts.slice(0, MOST_ERRORS).map((conflict) => ({
        field: at(
          all.findIndex(
            (cell) =>
              cell.registration_id === conflict.registration_id && cell.offering_mark_id === conflict.offering_mark_id,
          ),
        ),
        code: 'sheet_changed_meanwhile',
        data: { theirs: conflict.theirs, yours: conflict.yours },
      })),
    )
  }
  return saved
}

export const gradeSheetHandlers = handInHandlers(
  gradeCalls,
  handedIn({
    name: 'offering_grades',
    kind: KIND,
    knownBy: 'code',
    of: async (_ctx, id) => id,
    open: locked,
    facts: (id) => ({ offering_id: id }),
    async about(ctx, id) {
      const { rows } = await sql<{ about: string }>`select coalesce(c.code || ' ', '') || '(' || o.code || ')' as about
        from offerings o ${sql.raw(joinCourse('o.course_id', 'o.id'))} where o.id = ${id}`.execute(ctx.db)
      return rows[0]?.about
    },
    plan: (ctx, _id, { row }) => planOf(row.scheme, paperLang(ctx)),
    async judge(ctx, tx, lines, { of, open, facts }) {
      const { rows } = await readRows(tx, sql`r.offering_id = ${of}`)
      judgeMarks(lines, facts, open.scheme, rows, paperLang(ctx))
    },
    write,
    // With the number of marks that it changes.
    async shown(ctx, preview) {
      const { rows } = await sql<{
        n: number
      }>`select coalesce(sum(jsonb_array_length(changes)), 0)::int as n from import_rows
        where import_id = ${preview.import_id}`.execute(ctx.db)
      return { ...preview, changes: firstRow(rows).n }
    },
  }),
)

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
