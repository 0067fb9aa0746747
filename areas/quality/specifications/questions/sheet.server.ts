/** Marks by question of a component as a sheet: out with a column for each question, in with a preview, all of it or nothing. */
import { fold, inLanguage, type Label } from '#kit/contract/index.ts'
import { nameIn } from '#kit/server/base/fields.ts'
import { byStudentCode, sheetStudent } from '#areas/common/academics/sheet-student.server.ts'
import type { Tx } from '#db/connect.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { handedIn, handInHandlers } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows } from '#kit/server/handing-in/judge.ts'
import type { SheetPlan } from '#kit/server/handing-in/read.ts'
import type { Line, SheetFacts } from '#kit/server/resource/imports/imports.ts'
import { paperLang, tableFile } from '#kit/server/resource/transfer.ts'
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
const CODE: Label = ['Code', 'الكود']
const NAME: Label = ['Name', 'الاسم']
const fieldOf = (id: number): string => `q${id}`
const headOf = ({ label, max }: QuestionedComponent['questions'][number]): string => `${label} (${max})`

/** Columns are the code and the questions of the component, with or without the maximum behind them. */
function planOf({ questions }: QuestionedComponent, lang: 'en' | 'ar'): SheetPlan {
  const plain = (text: string): string => fold(text.replace(/\s*\([^)]*\)\s*$/, ''))
  const isOne = (labels: Label, text: string): boolean => labels.some((one) => fold(one) === fold(text))
  const missing = (column: string) => ({ code: 'sheet_column_missing', data: { column } })
  return {
    beside: { name: inLanguage(NAME, lang) },
    heading(text) {
      if (isOne(CODE, text)) return { field: 'code' }
      const question = questions.find(({ label }) => fold(label) === plain(text) || fold(label) === fold(text))
      if (question) return { field: fieldOf(question.id) }
      return isOne(NAME, text) ? 'ignored' : null
    },
    lacks: (has) => [
      ...(has('code') ? [] : [missing(inLanguage(CODE, lang))]),
      ...(questions.some(({ id }) => has(fieldOf(id))) ? [] : [missing(questions[0] ? headOf(questions[0]) : '1')]),
    ],
  }
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
function judgeQuestions(
  lines: readonly Line[],
  facts: SheetFacts,
  component: QuestionedComponent,
  rows: QuestionSheet['rows'],
  lang: 'en' | 'ar',
): void {
  const byCode = byStudentCode(rows, ({ student }) => student.code)
  judgeRows(lines, facts, (judged) => {
    const { line } = judged
    const row = sheetStudent(judged, byCode)
    if (!row) return
    line.record_id = row.registration_id
    judged.show('name', nameIn(row.student, lang) ?? '')
    const values: Values = {}
    for (const { id } of component.questions) {
      const cell = line.cells[fieldOf(id)]
      if (cell) values[id] = { mark: cell.text.trim(), version: row.marks[id]?.version ?? null }
    }
    line.values = values
    const asked = cellsOf(line)
    const found = judgeQuestionCells(asked, { components: [component], rows }, String)
    for (const { field, code, data } of found.reasons)
      judged.wrong(fieldOf(asked[Number(field)]?.question_id ?? 0), code, data)
    for (const { question_id, mark } of found.values) {
      const before = row.marks[question_id]?.mark ?? null
      if (before === mark) delete values[question_id]
      else judged.change(fieldOf(question_id), before, mark)
    }
  })
}

interface Asked {
  readonly component: number
  readonly offering: number
}
/** The component, with the offering held and its questions. @throws {Refusal} 404; 409 where it has none */
async function heldComponent(ctx: Ctx, tx: Tx, { component, offering }: Asked): Promise<QuestionedComponent> {
  const { components } = await heldForQuestions(ctx, tx, offering)
  const found = components.find(({ id }) => id === component)
  if (!found) throw refuse(404, 'not_found')
  if (!found.questions.length) throw refuse(409, 'questions_none')
  return found
}

const questionSheets = handedIn<Asked, QuestionedComponent, number>({
  name: 'question_marks',
  kind: KIND,
  knownBy: 'code',
  of: async (ctx, component) => ({ component, offering: await offeringOfComponent(ctx.db, component) }),
  open: heldComponent,
  facts: ({ offering }) => ({ offering_id: offering }),
  async about(ctx, { offering }) {
    const { rows } = await sql<{ about: string }>`select c.code || ' (' || o.code || ')' as about from offerings o
      join courses c on c.id = o.course_id where o.id = ${offering}`.execute(ctx.db)
    return rows[0]?.about
  },
  plan: (ctx, _of, component) => planOf(component, paperLang(ctx)),
  async judge(ctx, tx, lines, { of, open, facts }) {
    judgeQuestions(lines, facts, open, await questionRows(tx, of.offering), paperLang(ctx))
  },
  async write(ctx, tx, lines, { of, open }) {
    const cells = lines.flatMap((line) => cellsOf(line).map((cell) => ({ row: line.row, cell })))
    if (!cells.length) return 0
    const { values, reasons } = judgeQuestionCells(
      cells.map(({ cell }) => cell),
      { components: [open], rows: await questionRows(tx, of.offering) },
      (i) => `rows.${cells[i]?.row ?? 0}`,
    )
    if (reasons.length) throw new Refusal(422, reasons)
    const { saved, conflicts } = await writeQuestionMarks(ctx, tx, values)
    if (conflicts.length) throw refuse(409, 'question_marks_changed', { count: conflicts.length })
    return saved
  },
})

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
  ...handInHandlers(questionMarkCalls, questionSheets),
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
