/** Results by sheet: compared with what is there, mended in place, stored, and each application led on by itself. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { applicantWorkflow } from '#areas/admission/applicants/applicant/flow.server.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { fold, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled, type Upload } from '#kit/server/base/context.ts'
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
import { paperLang } from '#kit/server/resource/transfer.ts'
import { readCsv, readSheet, type Cell } from '#kit/server/sheets/index.ts'
import { registerOperation } from '#kit/server/unit/operations.ts'
import { checkResultDue, entranceResults, writeEntranceResults, type EntranceResultFacts } from './enter.server.ts'
import { entranceResultCalls as calls } from './result.contract.ts'
import { examOutcome } from '#areas/admission/applicants/applicant/way.rules.ts'
import { hundredthsOf, percentOfMark, printedPercent } from './result.rules.ts'

type Saved = ResponseOf<typeof calls.save>['data']
const KIND = 'import/entrance_results'
const SHEET_LIMIT = 5000

/** By what columns of a sheet are known, folded. */
const COLUMNS = {
  code: ['number', 'application number', 'application', 'code', 'رقم الطلب', 'الرقم', 'الكود'],
  result: ['result', 'percent', 'percentage', 'النتيجة', 'النسبة', 'النسبة المئوية'],
  mark: ['mark', 'score', 'الدرجة'],
  out_of: ['out of', 'total', 'الدرجة العظمى', 'النهاية العظمى', 'من'],
  interview: ['interview passed', 'interview', 'اجتاز المقابلة', 'المقابلة'],
} as const
type Column = keyof typeof COLUMNS
const NAME: Label = ['Name', 'الاسم']
const YES: readonly string[] = ['true', 'yes', '1', 'x', 'passed', 'نعم', 'اجتاز', '✓']
const NO: readonly string[] = ['false', 'no', '0', 'failed', 'لا', 'لم يجتز', '✗']
const HUNDRED = 10_000

async function readResults(ctx: Ctx, file: Upload): Promise<{ facts: SheetFacts; lines: SheetLine[] }> {
  const limits = { maxRows: SHEET_LIMIT + 1 }
  const book = file.ext === 'csv' ? await readCsv(file.content, limits) : await readSheet(file.content, limits)
  const [head, ...rows] = book.sheets[0]?.rows ?? []
  if (!head || !rows.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  const facts: SheetFacts = { file: file.name, columns: [], ignored: [], errors: [] }
  const places: { name: Column; at: number }[] = []
  for (const [at, { text }] of head.entries()) {
    if (!text) continue
    const found = (Object.entries(COLUMNS) as [Column, readonly string[]][]).find(([, words]) =>
      words.some((word) => fold(word) === fold(text)),
    )
    if (!found) facts.ignored.push(text)
    else if (places.some((place) => place.name === found[0]))
      facts.errors.push(sheetError(1, text, { code: 'sheet_column_twice', data: { column: text } }))
    else {
      places.push({ name: found[0], at })
      facts.columns.push({ field: found[0], header: text })
    }
  }
  const has = (name: Column) => places.some((place) => place.name === name)
  const missing = (name: Column) =>
    facts.errors.push(sheetError(1, null, { code: 'sheet_column_missing', data: { column: COLUMNS[name][0] } }))
  if (!has('code')) missing('code')
  if (!has('result') && !has('mark') && !has('interview')) missing('result')
  if (has('mark') && !has('out_of')) missing('out_of')
  facts.columns.splice(1, 0, { field: 'name', header: NAME[ctx.lang === 'ar' ? 1 : 0], fixed: true })
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) if (cells[at] && cells[at].type !== 'empty') read[name] = cells[at]
    return Object.keys(read).length ? [{ row: i + 2, cells: read, exported: null }] : []
  })
  if (!lines.length && !facts.errors.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  return { facts, lines }
}

type Text = (name: Column) => string
type Wrong = (name: Column, code: string, data?: Reason['data']) => void

/** The result of a line in hundredths of a percent; null: none stands there, or it is wrong and that was said. */
function resultOf(text: Text, wrong: Wrong): number | null {
  const [result, mark, total] = [text('result'), text('mark'), text('out_of')]
  if (result && mark) {
    wrong('mark', 'entrance_result_both')
    return null
  }
  if (result) {
    const read = hundredthsOf(result)
    if (read === null) wrong('result', 'entrance_result_wrong', { given: result })
    else if (read > HUNDRED) wrong('result', 'entrance_result_range')
    return read
  }
  if (!mark) return null
  const [read, out] = [hundredthsOf(mark), hundredthsOf(total)]
  if (read === null) wrong('mark', 'entrance_result_wrong', { given: mark })
  if (!out) wrong('out_of', 'entrance_total_wrong', { given: total || '–' })
  if (read === null || !out) return null
  if (read > out) {
    wrong('mark', 'entrance_mark_above', { total })
    return null
  }
  return percentOfMark(read, out)
}

function interviewOf(text: Text, wrong: Wrong): boolean | null {
  const given = text('interview')
  if (!given) return null
  const folded = fold(given)
  if (YES.some((word) => fold(word) === folded)) return true
  if (NO.some((word) => fold(word) === folded)) return false
  wrong('interview', 'entrance_interview_wrong', { given })
  return null
}

/** Of two lines of one applicant the second is wrong, whatever stands in it. */
function checkWho(
  found: EntranceResultFacts | undefined,
  code: string,
  admission_id: number,
  first: ReadonlyMap<number, number>,
): Reason[] {
  if (!code) return [{ code: 'entrance_number_missing' }]
  if (!found) return [{ code: 'entrance_unknown', data: { number: code } }]
  if (found.admission_id !== admission_id) return [{ code: 'entrance_of_other_admission', data: { number: code } }]
  const row = first.get(found.id)
  if (row !== undefined) return [{ code: 'entrance_twice', data: { number: code, row } }]
  return checkResultDue(found.status)
}

const shown = (name: 'exam_result' | 'interview_passed', value: number | boolean | null): string | null =>
  value === null ? null : name === 'exam_result' ? printedPercent(Number(value)) : value ? '✓' : '✗'

/** Says of each line what it would do with the result that stands there, or what is wrong with it. */
function checkLines(
  lines: readonly Line[],
  facts: SheetFacts,
  admission: Examined,
  known: ReadonlyMap<string, EntranceResultFacts>,
  lang: 'en' | 'ar',
): void {
  const heads = new Map(facts.columns.map((column) => [column.field, column.header]))
  const first = new Map<number, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, version: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    const wrong: Wrong = (name, code, data) => {
      const { row: _row, ...told } = sheetError(line.row, heads.get(name) ?? null, { code, ...(data && { data }) })
      line.errors.push({ field: name, ...told })
    }
    const text: Text = (name) => line.cells[name]?.text.trim() ?? ''
    const code = text('code')
    const found = known.get(code.toUpperCase())
    for (const { code: why, data } of checkWho(found, code, admission.id, first)) wrong('code', why, data)
    if (found && !first.has(found.id)) first.set(found.id, line.row)
    const result = resultOf(text, wrong)
    const interview = interviewOf(text, wrong)
    if (result !== null && !admission.has_exam) wrong(heads.has('result') ? 'result' : 'mark', 'entrance_no_exam')
    if (interview !== null && !admission.has_interview) wrong('interview', 'entrance_no_interview')
    if (result === null && interview === null && !line.errors.length)
      wrong(heads.has('result') ? 'result' : heads.has('mark') ? 'mark' : 'interview', 'entrance_result_missing')
    const { name: _name, ...cells } = line.cells
    line.cells = found
      ? { ...cells, name: { type: 'text', text: lang === 'ar' ? found.name_local : found.name } }
      : cells
    if (!found || line.errors.length) {
      line.state = 'wrong'
      continue
    }
    // What a line leaves empty stays as it is.
    const values = {
      exam_result: result ?? found.exam_result,
      interview_passed: interview ?? found.interview_passed,
    }
    Object.assign(line, { record_id: found.id, version: found.version, values: { ...values, code: found.code } })
    for (const name of ['exam_result', 'interview_passed'] as const)
      if (values[name] !== found[name])
        line.changes.push({ field: name, old: shown(name, found[name]), new: shown(name, values[name]) })
    // What was stored before and not led on yet is led on now.
    const goes = examOutcome({ ...found, ...values }) !== 'waits'
    line.state = line.changes.length || goes ? 'changed' : 'same'
  }
}

interface Examined {
  id: number
  has_exam: boolean
  has_interview: boolean
}
/** The admission whose results a sheet has. Holders of the right for a part of the university bring those of their applicants. */
async function admissionOf(tx: Tx, id: number): Promise<Examined> {
  const { rows } = await sql<Examined>`select id, has_interview, has_exam
    from admissions where id = ${id} and removed_at is null`.execute(tx)
  const [found] = rows
  if (!found) throw refuse(404, 'not_found')
  if (!found.has_exam && !found.has_interview) throw refuse(409, 'entrance_no_exam')
  return found
}

type Target = ImportTarget & { saved: Saved }
function resultsOf(admission_id: number): Target {
  return {
    name: `entrance_results/${admission_id}`,
    kind: KIND,
    knownBy: 'code',
    facts: { admission_id },
    saved: { stored: 0, passed: 0, failed: 0, waits: 0, refused: [] },
    async check(ctx, tx, facts, lines) {
      const admission = await admissionOf(tx, admission_id)
      const codes = lines.map((line) => (line.cells.code?.text.trim() ?? '').toUpperCase()).filter(Boolean)
      const found = await entranceResults(ctx, tx, sql`upper(t.code) = any(${codes}::text[])`)
      checkLines(lines, facts, admission, new Map(found.map((one) => [one.code.toUpperCase(), one])), paperLang(ctx))
    },
    headErrors: () => [],
    // As many as sat the exam are the rule, and each is shown beside what stood there.
    confirm: async () => null,
    async write(ctx, tx, lines) {
      const held = await entranceResults(
        ctx,
        tx,
        sql`t.id = any(${lines.map((line) => line.record_id ?? 0)}::int[])`,
        true,
      )
      const at = new Map(held.map((one) => [one.id, one]))
      const reasons: Reason[] = []
      const results = lines.flatMap((line) => {
        const now = at.get(line.record_id ?? 0)
        if (!now || now.version !== line.version || checkResultDue(now.status).length) {
          reasons.push({ field: `rows.${line.row}.code`, code: 'changed_meanwhile' })
          return []
        }
        const { exam_result, interview_passed } = line.values as Pick<
          EntranceResultFacts,
          'exam_result' | 'interview_passed'
        >
        return [{ ...now, exam_result, interview_passed, row: line.row }]
      })
      if (reasons.length) throw new Refusal(409, reasons)
      await writeEntranceResults(tx, results)
      this.saved = await leadOn(ctx, results)
    },
  }
}

/** Takes the step of each by itself: what one of them meets holds up nobody. */
async function leadOn(ctx: Ctx, results: readonly (EntranceResultFacts & { row: number })[]): Promise<Saved> {
  const byAction = Map.groupBy(results, (one) => examOutcome(one))
  const saved: Saved = {
    stored: results.length,
    passed: 0,
    failed: 0,
    waits: byAction.get('waits')?.length ?? 0,
    refused: [],
  }
  for (const action of ['pass_exam', 'fail_exam'] as const) {
    const some = byAction.get(action) ?? []
    if (!some.length) continue
    const { done, failed } = await applicantWorkflow.takeEach(
      ctx,
      some.map(({ id }) => id),
      action,
    )
    saved[action === 'pass_exam' ? 'passed' : 'failed'] = done.length
    for (const { id, errors } of failed) {
      const one = some.find((each) => each.id === id)
      if (one) saved.refused.push({ id, row: one.row, code: one.code, errors })
    }
  }
  return saved
}

export const entranceSheetHandlers: readonly Handled[] = [
  handle(calls.preview, async (ctx, { params: { id }, file }) => {
    if (!file) throw refuse(422, 'file_missing', undefined, 'file')
    await admissionOf(ctx.db as unknown as Tx, id)
    return { data: await previewImport(ctx, resultsOf(id), await readResults(ctx, file)) }
  }),
  handle(calls.lines, async (ctx, { params, body }) => ({
    data: await importLines(ctx, resultsOf(params.id), params.import_id, body),
  })),
  handle(calls.mend, async (ctx, { params, body }) => ({
    data: await mendImport(ctx, resultsOf(params.id), params.import_id, body),
  })),
  handle(calls.save, async (ctx, { params }) => {
    const target = resultsOf(params.id)
    await saveImport(ctx, target, params.import_id)
    return { data: target.saved }
  }),
]

registerOperation({
  kind: KIND,
  label: ['Results of entrance exams', 'نتائج اختبارات القبول'],
  permission: 'enter_applicant_result',
  reach: { table: 'applicants', where: (ctx) => applicants.scope(ctx, 'enter_applicant_result') },
  // Each application was led on, and its applicant told: what is wrong is corrected one by one, with a reason.
  before: async () => {
    throw refuse(409, 'entrance_results_stand')
  },
})
