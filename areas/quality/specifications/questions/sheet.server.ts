/** Marks by question of a component as a sheet: out with a column for each question, in with a preview, all of it or nothing. */
import { fold, inLanguage, type Label } from '#kit/contract/index.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
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
import { paperLang, tableFile } from '#kit/server/resource/transfer.ts'
import { readCsv, readSheet, type Cell } from '#kit/server/sheets/index.ts'
import { registerOperation, registerUndo } from '#kit/server/unit/operations.ts'
import { sql } from 'kysely'
import {
  questionMarkCalls,
  type QuestionCell,
  type QuestionedComponent,
  type QuestionSheet,
} from './question.contract.ts'
import {
  componentSheet,
  heldForQuestions,
  judgeQuestionCells,
  offeringOfComponent,
  questionRows,
  writeQuestionMarks,
} from './question.server.ts'

const KIND = 'import/question-marks'
const SHEET_LIMIT = 5000
const CODE: Label = ['Code', 'الكود']
const NAME: Label = ['Name', 'الاسم']
const fieldOf = (id: number): string => `q${id}`
const headOf = ({ label, max }: QuestionedComponent['questions'][number]): string => `${label} (${max})`

async function readFile(
  ctx: Ctx,
  { questions }: QuestionedComponent,
  file: Upload,
): Promise<{ facts: SheetFacts; lines: SheetLine[] }> {
  const limits = { maxRows: SHEET_LIMIT + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const [head, ...rows] = book.sheets[0]?.rows ?? []
  if (!head || !rows.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  const lang = paperLang(ctx)
  const facts: SheetFacts = { file: file.name, columns: [], ignored: [], errors: [] }
  const places: { name: string; at: number }[] = []
  const marks: SheetFacts['columns'] = []
  // With or without the maximum behind it.
  const plain = (text: string): string => fold(text.replace(/\s*\([^)]*\)\s*$/, ''))
  for (const [at, { text }] of head.entries()) {
    if (!text) continue
    const question = questions.find(({ label }) => fold(label) === plain(text) || fold(label) === fold(text))
    if (CODE.some((one) => fold(one) === fold(text))) {
      facts.columns.push({ field: 'code', header: text })
      places.push({ name: 'code', at })
    } else if (question && marks.some(({ field }) => field === fieldOf(question.id)))
      facts.errors.push(sheetError(1, text, { code: 'sheet_column_twice', data: { column: text } }))
    else if (question) {
      marks.push({ field: fieldOf(question.id), header: text })
      places.push({ name: fieldOf(question.id), at })
    } else if (NAME.some((one) => fold(one) === fold(text))) facts.ignored.push(text)
    else facts.errors.push(sheetError(1, text, { code: 'sheet_column_unknown', data: { column: text } }))
  }
  const missing = (column: string) =>
    facts.errors.push(sheetError(1, null, { code: 'sheet_column_missing', data: { column } }))
  if (!facts.columns.length) missing(inLanguage(CODE, lang))
  if (!marks.length) missing(questions[0] ? headOf(questions[0]) : '1')
  facts.columns.push({ field: 'name', header: inLanguage(NAME, lang), fixed: true }, ...marks)
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    if (!places.some(({ name }) => name === 'code') || cells.every((cell) => cell.type === 'empty')) return []
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) if (cells[at] && cells[at].type !== 'empty') read[name] = cells[at]
    return [{ row: i + 2, cells: read, exported: null }]
  })
  return { facts, lines }
}

/** By question: the mark, with the version that was compared. */
type Values = Record<string, { mark: string; version: number | null }>
const cellsOf = (line: Line): QuestionCell[] =>
  Object.entries(line.values as Values).map(([question, { mark, version }]) => ({
    registration_id: line.record_id ?? 0,
    question_id: Number(question),
    mark,
    version,
  }))

/** Says of each line which marks it would change. Empty cells leave marks as they are. */
function checkLines(
  lines: readonly Line[],
  facts: SheetFacts,
  component: QuestionedComponent,
  rows: QuestionSheet['rows'],
  lang: 'en' | 'ar',
): void {
  const byCode = new Map(rows.map((row) => [fold(row.student.code ?? ''), row]))
  const first = new Map<string, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    const note = (name: string, code: string, data?: Readonly<Record<string, unknown>>) => {
      const header = facts.columns.find(({ field }) => field === name)?.header ?? name
      const { row: _row, ...told } = sheetError(line.row, header, { code, ...(data && { data }) })
      line.errors.push({ field: name, ...told })
    }
    const code = line.cells.code?.text ?? ''
    const row = byCode.get(fold(code))
    const earlier = line.key === null ? undefined : first.get(line.key)
    if (!code) note('code', 'sheet_code_missing')
    else if (!row) note('code', 'sheet_student_unknown', { code })
    else if (earlier !== undefined) note('code', 'sheet_student_twice', { code, row: earlier })
    if (line.key !== null && earlier === undefined) first.set(line.key, line.row)
    if (row && earlier === undefined) {
      line.record_id = row.registration_id
      line.cells = { ...line.cells, name: { type: 'text', text: nameIn(row.student, lang) ?? '' } }
      const values: Values = {}
      for (const { id } of component.questions) {
        const cell = line.cells[fieldOf(id)]
        if (cell) values[id] = { mark: cell.text.trim(), version: row.marks[id]?.version ?? null }
      }
      line.values = values
      const asked = cellsOf(line)
      const judged = judgeQuestionCells(asked, { components: [component], rows }, String)
      for (const { field, code: why, data } of judged.reasons)
        note(fieldOf(asked[Number(field)]?.question_id ?? 0), why, data)
      for (const { question_id, mark } of judged.values) {
        const before = row.marks[question_id]?.mark ?? null
        if (before === mark) delete values[question_id]
        else line.changes.push({ field: fieldOf(question_id), old: before, new: mark })
      }
    }
    line.state = line.errors.length ? 'wrong' : line.changes.length ? 'changed' : 'same'
    if (line.state === 'wrong') line.changes = []
  }
}

function marksOf(component: number, offering: number, about?: string): ImportTarget & { saved: number } {
  const held = async (ctx: Ctx, tx: Parameters<typeof heldForQuestions>[1]) => {
    const { components } = await heldForQuestions(ctx, tx, offering)
    const of = components.find(({ id }) => id === component)
    if (!of) throw refuse(404, 'not_found')
    return of
  }
  return {
    name: `question_marks/${component}`,
    kind: KIND,
    knownBy: 'code',
    facts: { offering_id: offering, ...(about && { about }) },
    saved: 0,
    async check(ctx, tx, facts, lines) {
      const of = await held(ctx, tx)
      checkLines(lines, facts, of, await questionRows(tx, offering), paperLang(ctx))
    },
    headErrors: () => [],
    // As many as sat the exam are the rule, and each is shown beside what stood there.
    confirm: async () => null,
    async write(ctx, tx, lines) {
      const of = await held(ctx, tx)
      const cells = lines.flatMap((line) => cellsOf(line).map((cell) => ({ row: line.row, cell })))
      if (!cells.length) return
      const { values, reasons } = judgeQuestionCells(
        cells.map(({ cell }) => cell),
        { components: [of], rows: await questionRows(tx, offering) },
        (i) => `rows.${cells[i]?.row ?? 0}`,
      )
      if (reasons.length) throw new Refusal(422, reasons)
      const { saved, conflicts } = await writeQuestionMarks(ctx, tx, values)
      if (conflicts.length) throw refuse(409, 'question_marks_changed', { count: conflicts.length })
      this.saved = saved
    },
  }
}

async function store(ctx: Ctx, component: number, import_id: string) {
  const offering = await offeringOfComponent(ctx.db, component)
  const { rows } = await sql<{ about: string }>`select c.code || ' (' || o.code || ')' as about from offerings o
    join courses c on c.id = o.course_id where o.id = ${offering}`.execute(ctx.db)
  const target = marksOf(component, offering, rows[0]?.about)
  const { operation_id } = await saveImport(ctx, target, import_id)
  return { data: null, saved: target.saved, operation_id }
}

async function importSheet(ctx: Ctx, component: number, step: string, file: Upload | null) {
  if (step !== 'preview' && step !== 'save') return store(ctx, component, step)
  if (!file) throw refuse(422, 'file_missing', undefined, 'file')
  const { offering, component: of } = await componentSheet(ctx, component)
  await ctx.write((tx) => heldForQuestions(ctx, tx, offering.id))
  if (!of.questions.length) throw refuse(409, 'questions_none')
  const data = await previewImport(ctx, marksOf(component, offering.id), await readFile(ctx, of, file))
  if (step === 'preview') return { data, saved: 0, operation_id: null }
  if (!data.errors.length) return store(ctx, component, data.import_id)
  throw new Refusal(
    422,
    data.errors.map((error) => ({
      field: `rows.${error.row}${error.column ? `.${error.column}` : ''}`,
      code: 'import_cell',
      data: { text: error.en, text_local: error.ar },
    })),
  )
}

export const questionSheetHandlers: readonly Handled[] = [
  handle(questionMarkCalls.export, async (ctx, { params, body }) => {
    const { offering, component, rows } = await componentSheet(ctx, params.id)
    if (!component.questions.length) throw refuse(409, 'questions_none')
    const lang = body?.lang ?? paperLang(ctx)
    return tableFile<QuestionSheet['rows'][number]>(
      ctx,
      {
        title: inLanguage(['Marks by question', 'درجات الأسئلة'], lang),
        name: `Marks by question ${offering.course.code ?? ''}.xlsx`,
        lang,
        columns: [
          { header: inLanguage(CODE, lang), type: 'text', text: (row) => row.student.code ?? '' },
          { header: inLanguage(NAME, lang), type: 'text', text: (row) => nameIn(row.student, lang) },
          ...component.questions.map((question) => ({
            header: headOf(question),
            type: 'number' as const,
            text: (row: QuestionSheet['rows'][number]) => row.marks[question.id]?.mark ?? '',
          })),
        ],
        rows: [...rows],
      },
      'xlsx',
    )
  }),
  handle(questionMarkCalls.import, (ctx, { params, file }) => importSheet(ctx, params.a, params.b, file)),
  handle(questionMarkCalls.importLines, async (ctx, { params, body }) => {
    const target = marksOf(params.a, await offeringOfComponent(ctx.db, params.a))
    return { data: await importLines(ctx, target, params.b, body) }
  }),
  handle(questionMarkCalls.importMend, async (ctx, { params, body }) => {
    const target = marksOf(params.a, await offeringOfComponent(ctx.db, params.a))
    return { data: await mendImport(ctx, target, params.b, body) }
  }),
]

registerOperation({
  kind: KIND,
  label: ['Marks by question', 'درجات الأسئلة'],
  permission: 'enter_questionMarks',
  // Whoever may enter them there now may take them back.
  before: async (ctx, tx, { facts }) => void (await heldForQuestions(ctx, tx, Number(facts.offering_id))),
})
registerUndo('question_marks', async (_ctx, _tx, _rows, write) => write(), {
  what: ['Student', 'الطالب'],
  select: `select r.id, s.code, s.name, s.name_local from registrations r join students s on s.id = r.student_id where r.id = any($1::int[])`,
  fields: { mark: ['Mark', 'الدرجة'] },
})
