/** Results of a placement test by sheet: compared with what is there, mended in place, stored as one operation. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Tx } from '#db/connect.ts'
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
import { registerOperation } from '#kit/server/unit/operations.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { readCsv, readSheet, type Cell } from '#kit/server/sheets/index.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { everybodys, testReach } from '../tests/test.server.ts'
import { placementTestCalls, type TouchedByTest } from '../tests/test.contract.ts'
import { store, takes, touchedBy, type EnteredResult } from './result.server.ts'

const KIND = 'import/placement_results'
const KEY = 'import_placementResult'
const SHEET_LIMIT = 5000
const MOST_ERRORS = 500

/** By what columns of a sheet are known, folded. */
const COLUMNS = {
  code: ['code', 'student code', 'الكود', 'كود الطالب'],
  score: ['mark', 'score', 'الدرجة'],
  is_exempt: ['exempt', 'معفى'],
  taken_on: ['taken on', 'date', 'تاريخ الاختبار', 'التاريخ'],
} as const
type Column = keyof typeof COLUMNS
const NAME: Label = ['Name', 'الاسم']
const YES = ['true', 'yes', '1', 'x', 'نعم', '✓']
/** A day, also where a sheet tells a time with it. */
const DAY = /^\d{4}-\d{2}-\d{2}/
const SCORE = /^\d{1,4}(\.\d{1,2})?$/
/** Digits as a person types them in Arabic. */
const latin = (text: string): string =>
  text.replace(/[٠-٩]/g, (digit) => String(digit.charCodeAt(0) & 0xf)).replace('٫', '.')

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
  for (const name of ['code', 'score'] as const)
    if (!places.some((place) => place.name === name))
      facts.errors.push(sheetError(1, null, { code: 'sheet_column_missing', data: { column: COLUMNS[name][0] } }))
  facts.columns.splice(1, 0, { field: 'name', header: NAME[ctx.lang === 'ar' ? 1 : 0], fixed: true })
  const lines = rows.flatMap((cells, i): SheetLine[] => {
    const read: Record<string, Cell> = {}
    for (const { name, at } of places) if (cells[at] && cells[at].type !== 'empty') read[name] = cells[at]
    return read.code || read.score ? [{ row: i + 2, cells: read, exported: null }] : []
  })
  if (!lines.length && !facts.errors.length) throw refuse(422, 'sheet_empty', undefined, 'file')
  return { facts, lines }
}

interface Known {
  id: number
  code: string
  name: string
  name_local: string
  takes: boolean
  result_id: number | null
  version: number | null
  score: string | null
  is_exempt: boolean | null
  taken_on: string | null
}
type Test = { name: string; name_local: string; max_score: string }

/** The test, within the reach of who imports. @throws {Refusal} 404 */
async function testOf(ctx: Ctx, tx: Tx, id: number): Promise<Test> {
  const { rows } =
    await sql<Test>`select t.name, t.name_local, trim_scale(t.max_score)::text as max_score from placement_tests t
    where t.id = ${id} and t.removed_at is null and (${scopeCondition(ctx, KEY, testReach())} or ${everybodys()})`.execute(
      tx,
    )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
/** Students within reach by their codes, with the result that stands there. */
async function knownBy(
  ctx: Ctx,
  tx: Tx,
  testId: number,
  codes: readonly string[],
): Promise<ReadonlyMap<string, Known>> {
  const { rows } =
    await sql<Known>`select s.id, s.code, s.name, s.name_local, ${takes('x', 's')} as takes, r.id as result_id, r.version,
      trim_scale(r.score)::text as score, r.is_exempt, r.taken_on::text as taken_on
    from students s join placement_tests x on x.id = ${testId}
      left join placement_results r on r.student_id = s.id and r.placement_test_id = x.id and r.removed_at is null
    where s.code = any(${[...codes]}) and s.removed_at is null and ${scopeCondition(ctx, KEY, studentReach(ctx, 's'))}`.execute(
      tx,
    )
  return new Map(rows.map((row) => [row.code, row]))
}

type Values = { student_id: number; score: string | null; is_exempt: boolean; taken_on: string | null }
const shown = (value: string | boolean | null): string | null =>
  value === true ? '✓' : value === false || value === null ? null : value

/** Says of each line what it would do with the result that stands there, or what is wrong with it. */
function checkLines(
  lines: readonly Line[],
  facts: SheetFacts,
  test: Test,
  known: ReadonlyMap<string, Known>,
  lang: 'en' | 'ar',
): void {
  const heads = new Map(facts.columns.map((column) => [column.field, column.header]))
  const first = new Map<number, number>()
  for (const line of lines.toSorted((a, b) => a.row - b.row)) {
    Object.assign(line, { record_id: null, version: null, values: {}, changes: [], errors: [] })
    if (line.state === 'out') continue
    const wrong = (name: Column, code: string, data?: Reason['data']) => {
      const { row: _row, ...told } = sheetError(line.row, heads.get(name) ?? null, { code, ...(data && { data }) })
      line.errors.push({ field: name, ...told })
    }
    const text = (name: Column): string => line.cells[name]?.text.trim() ?? ''
    const code = text('code')
    const student = known.get(code)
    const score = latin(text('score'))
    const is_exempt = YES.includes(fold(text('is_exempt')))
    if (!student) wrong('code', 'placement_student_unknown', { code })
    else if (first.has(student.id)) wrong('code', 'placement_student_twice', { code, row: first.get(student.id) })
    else if (!student.takes) wrong('code', 'placement_not_taken_by', { test: test.name, test_local: test.name_local })
    if (student && !first.has(student.id)) first.set(student.id, line.row)
    if (score && !SCORE.test(score)) wrong('score', 'placement_score_wrong', { given: text('score') })
    else if (score && parseHundredths(score)! > parseHundredths(test.max_score)!)
      wrong('score', 'placement_score_too_high')
    else if (score && is_exempt) wrong('score', 'placement_result_exempt')
    if (text('taken_on') && !DAY.test(text('taken_on'))) wrong('taken_on', 'date_not_valid')
    const { name: _name, ...cells } = line.cells
    line.cells = student
      ? { ...cells, name: { type: 'text', text: lang === 'ar' ? student.name_local : student.name } }
      : cells
    if (!student || line.errors.length) {
      line.state = 'wrong'
      continue
    }
    const values: Values = {
      student_id: student.id,
      score: score ? trimHundredths(parseHundredths(score)!) : null,
      // A sheet without these columns leaves the day as it is, and whoever is exempt, unless there is a mark.
      is_exempt: heads.has('is_exempt') ? is_exempt : !score && (student.is_exempt ?? false),
      taken_on: heads.has('taken_on') ? (DAY.exec(text('taken_on'))?.[0] ?? null) : student.taken_on,
    }
    Object.assign(line, { record_id: student.result_id, version: student.version, values })
    const before = { score: student.score, is_exempt: student.is_exempt ?? false, taken_on: student.taken_on }
    for (const name of ['score', 'is_exempt', 'taken_on'] as const)
      if (values[name] !== before[name])
        line.changes.push({ field: name, old: shown(before[name]), new: shown(values[name]) })
    line.state = student.result_id === null ? 'created' : line.changes.length ? 'changed' : 'same'
  }
}

/** Results of one test as something a sheet is imported into. `touched`: registrations that they do not permit. */
function resultsOf(testId: number): ImportTarget & { stored: number; touched: TouchedByTest[] } {
  return {
    name: `placement_results/${testId}`,
    kind: KIND,
    knownBy: 'code',
    facts: { placement_test_id: testId },
    stored: 0,
    touched: [],
    async check(ctx, tx, facts, lines) {
      const test = await testOf(ctx, tx, testId)
      const codes = lines.map((line) => line.cells.code?.text.trim() ?? '')
      checkLines(lines, facts, test, await knownBy(ctx, tx, testId, codes), paperLang(ctx))
    },
    headErrors: () => [],
    // As many as sat the test are the rule, and each is shown beside what stood there.
    confirm: async () => null,
    async write(ctx, tx, lines) {
      await testOf(ctx, tx, testId)
      const entries = lines.map(({ values, version }): EnteredResult => ({
        ...(values as unknown as Values),
        placement_test_id: testId,
        ...(version !== null && { version }),
      }))
      try {
        const done = await store(ctx, tx, entries)
        this.stored = done.length
        this.touched = await touchedBy(tx, done)
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        throw new Refusal(
          error.status,
          error.reasons.map((reason) => {
            const [, at, name] = reason.field?.split('.') ?? []
            const row = lines[Number(at)]?.row
            return row === undefined ? reason : { ...reason, field: `rows.${row}.${name ?? ''}` }
          }),
          { cause: error },
        )
      }
    },
  }
}

async function save(ctx: Ctx, testId: number, import_id: string) {
  const target = resultsOf(testId)
  const { operation_id } = await saveImport(ctx, target, import_id)
  return { stored: target.stored, touched: target.touched, operation_id }
}
const preview = async (ctx: Ctx, testId: number, file: Upload | null) => {
  if (!file) throw refuse(422, 'file_missing', undefined, 'file')
  await testOf(ctx, ctx.db as unknown as Tx, testId)
  return previewImport(ctx, resultsOf(testId), await readResults(ctx, file))
}

export const placementSheetHandlers: readonly Handled[] = [
  handle(placementTestCalls.importResults, async (ctx, { params: { id }, file }) => {
    const { import_id, errors } = await preview(ctx, id, file)
    if (errors.length) return { data: { stored: 0, errors: errors.slice(0, MOST_ERRORS), touched: [] } }
    const { stored, touched } = await save(ctx, id, import_id)
    return { data: { stored, errors: [], touched } }
  }),
  handle(placementTestCalls.previewResults, async (ctx, { params: { id }, file }) => ({
    data: await preview(ctx, id, file),
  })),
  handle(placementTestCalls.previewLines, async (ctx, { params, body }) => ({
    data: await importLines(ctx, resultsOf(params.id), params.import_id, body),
  })),
  handle(placementTestCalls.mendResults, async (ctx, { params, body }) => ({
    data: await mendImport(ctx, resultsOf(params.id), params.import_id, body),
  })),
  handle(placementTestCalls.saveResults, async (ctx, { params }) => ({
    data: await save(ctx, params.id, params.import_id),
  })),
]

registerOperation({
  kind: KIND,
  label: ['Placement results', 'نتائج تحديد المستوى'],
  permission: KEY,
  derived: { placement_results: ['level', 'state'] },
})
