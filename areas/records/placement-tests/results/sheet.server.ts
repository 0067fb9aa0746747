/** Results of a placement test by sheet: compared with what is there, mended in place, stored as one operation. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { parseHundredths, trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { Tx } from '#db/connect.ts'
import { fold, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { handedIn } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows } from '#kit/server/handing-in/judge.ts'
import { headingByWords, type SheetPlan } from '#kit/server/handing-in/read.ts'
import type { Line, SheetFacts } from '#kit/server/resource/imports/imports.ts'
import { registerOperation } from '#kit/server/unit/operations.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { everybodys, testReach } from '../tests/test.server.ts'
import { placementTestCalls, type TouchedByTest } from '../tests/test.contract.ts'
import { store, takes, touchedBy, type EnteredResult } from './result.server.ts'

const KIND = 'import/placement_results'
const KEY = 'import_placementResult'
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

const planOf = (lang: 'en' | 'ar'): SheetPlan => ({
  beside: { name: NAME[lang === 'ar' ? 1 : 0] },
  heading: headingByWords(COLUMNS),
  lacks: (has) =>
    (['code', 'score'] as const)
      .filter((name) => !has(name))
      .map((name) => ({ code: 'sheet_column_missing', data: { column: COLUMNS[name][0] } })),
  counts: (cells) => Boolean(cells.code || cells.score),
})

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
function judgeResults(
  lines: readonly Line[],
  facts: SheetFacts,
  test: Test,
  known: ReadonlyMap<string, Known>,
  lang: 'en' | 'ar',
): void {
  const has = (name: Column): boolean => facts.columns.some(({ field }) => field === name)
  judgeRows(lines, facts, ({ line, earlier, text, show, wrong, change }) => {
    const code = text('code')
    const student = known.get(code)
    const score = latin(text('score'))
    const is_exempt = YES.includes(fold(text('is_exempt')))
    if (!student) wrong('code', 'placement_student_unknown', { code })
    else if (earlier !== undefined) wrong('code', 'placement_student_twice', { code, row: earlier })
    else if (!student.takes) wrong('code', 'placement_not_taken_by', { test: test.name, test_local: test.name_local })
    if (score && !SCORE.test(score)) wrong('score', 'placement_score_wrong', { given: text('score') })
    else if (score && parseHundredths(score)! > parseHundredths(test.max_score)!)
      wrong('score', 'placement_score_too_high')
    else if (score && is_exempt) wrong('score', 'placement_result_exempt')
    if (text('taken_on') && !DAY.test(text('taken_on'))) wrong('taken_on', 'date_not_valid')
    if (student) show('name', lang === 'ar' ? student.name_local : student.name)
    if (!student || line.errors.length) return 'same'
    const values: Values = {
      student_id: student.id,
      score: score ? trimHundredths(parseHundredths(score)!) : null,
      // A sheet without these columns leaves the day as it is, and whoever is exempt, unless there is a mark.
      is_exempt: has('is_exempt') ? is_exempt : !score && (student.is_exempt ?? false),
      taken_on: has('taken_on') ? (DAY.exec(text('taken_on'))?.[0] ?? null) : student.taken_on,
    }
    Object.assign(line, { record_id: student.result_id, version: student.version, values })
    const before = { score: student.score, is_exempt: student.is_exempt ?? false, taken_on: student.taken_on }
    for (const name of ['score', 'is_exempt', 'taken_on'] as const)
      if (values[name] !== before[name]) change(name, shown(before[name]), shown(values[name]))
    return student.result_id === null ? 'created' : undefined
  })
}

/** Stores results; what is wrong with one of them is told by its row. */
async function write(ctx: Ctx, tx: Tx, lines: readonly Line[], testId: number) {
  const entries = lines.map(({ values, version }): EnteredResult => ({
    ...(values as unknown as Values),
    placement_test_id: testId,
    ...(version !== null && { version }),
  }))
  try {
    const done = await store(ctx, tx, entries)
    return { stored: done.length, touched: await touchedBy(tx, done) }
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
}

/** Results of one test. `touched`: registrations that they do not permit. */
const results = handedIn<number, Test, { stored: number; touched: TouchedByTest[] }>({
  name: 'placement_results',
  kind: KIND,
  knownBy: 'code',
  of: async (_ctx, id) => id,
  open: testOf,
  facts: (id) => ({ placement_test_id: id }),
  plan: (ctx) => planOf(ctx.lang === 'ar' ? 'ar' : 'en'),
  async judge(ctx, tx, lines, { of, open, facts }) {
    const codes = lines.map((line) => line.cells.code?.text.trim() ?? '')
    judgeResults(lines, facts, open, await knownBy(ctx, tx, of, codes), paperLang(ctx))
  },
  write: (ctx, tx, lines, { of }) => write(ctx, tx, lines, of),
})

export const placementSheetHandlers: readonly Handled[] = [
  handle(placementTestCalls.importResults, async (ctx, { params: { id }, file }) => {
    const { import_id, errors } = await results.preview(ctx, id, file)
    if (errors.length) return { data: { stored: 0, errors: errors.slice(0, MOST_ERRORS), touched: [] } }
    const { stored, touched } = (await results.save(ctx, id, import_id)).saved
    return { data: { stored, errors: [], touched } }
  }),
  handle(placementTestCalls.previewResults, async (ctx, { params: { id }, file }) => ({
    data: await results.preview(ctx, id, file),
  })),
  handle(placementTestCalls.previewLines, async (ctx, { params, body }) => ({
    data: await results.lines(ctx, params.id, params.import_id, body),
  })),
  handle(placementTestCalls.mendResults, async (ctx, { params, body }) => ({
    data: await results.mend(ctx, params.id, params.import_id, body),
  })),
  handle(placementTestCalls.saveResults, async (ctx, { params }) => {
    const { saved, operation_id } = await results.save(ctx, params.id, params.import_id)
    return { data: { ...saved, operation_id } }
  }),
]

registerOperation({
  kind: KIND,
  label: ['Placement results', 'نتائج تحديد المستوى'],
  permission: KEY,
  derived: { placement_results: ['level', 'state'] },
})
