/** Results by sheet: compared with what is there, mended in place, stored, and each application led on by itself. */
import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import { applicants } from '#areas/admission/applicants/applicant/applicant.server.ts'
import { applicantWorkflow } from '#areas/admission/applicants/applicant/flow.server.ts'
import type { ResponseOf } from '#kit/contract/call.ts'
import { fold, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse, type Reason } from '#kit/server/base/errors.ts'
import { handedIn } from '#kit/server/handing-in/handing-in.ts'
import { judgeRows, type JudgedRow } from '#kit/server/handing-in/judge.ts'
import { headingByWords, type SheetPlan } from '#kit/server/handing-in/read.ts'
import type { Line, SheetFacts } from '#kit/server/resource/imports/imports.ts'
import { paperLang } from '#kit/server/resource/transfer.ts'
import { registerOperation } from '#kit/server/unit/operations.ts'
import { checkResultDue, entranceResults, writeEntranceResults, type EntranceResultFacts } from './enter.server.ts'
import { entranceResultCalls as calls } from './result.contract.ts'
import { examOutcome } from '#areas/admission/applicants/applicant/way.rules.ts'
import { hundredthsOf, percentOfMark, printedPercent } from './result.rules.ts'

type Saved = ResponseOf<typeof calls.save>['data']
const KIND = 'import/entrance_results'

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

const planOf = (lang: 'en' | 'ar'): SheetPlan => ({
  beside: { name: NAME[lang === 'ar' ? 1 : 0] },
  heading: headingByWords(COLUMNS),
  lacks: (has) => [
    ...(has('code') ? [] : [missing('code')]),
    ...(['result', 'mark', 'interview'].some(has) ? [] : [missing('result')]),
    ...(has('mark') && !has('out_of') ? [missing('out_of')] : []),
  ],
  counts: (cells) => Object.keys(cells).length > 0,
})
const missing = (name: Column) => ({ code: 'sheet_column_missing', data: { column: COLUMNS[name][0] } })

type Text = JudgedRow['text']
type Wrong = JudgedRow['wrong']

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
  earlier: number | undefined,
): Reason[] {
  if (!code) return [{ code: 'entrance_number_missing' }]
  if (!found) return [{ code: 'entrance_unknown', data: { number: code } }]
  if (found.admission_id !== admission_id) return [{ code: 'entrance_of_other_admission', data: { number: code } }]
  if (earlier !== undefined) return [{ code: 'entrance_twice', data: { number: code, row: earlier } }]
  return checkResultDue(found.status)
}

const shown = (name: 'exam_result' | 'interview_passed', value: number | boolean | null): string | null =>
  value === null ? null : name === 'exam_result' ? printedPercent(Number(value)) : value ? '✓' : '✗'

/** Says of each line what it would do with the result that stands there, or what is wrong with it. */
function judgeResults(
  lines: readonly Line[],
  facts: SheetFacts,
  admission: Examined,
  known: ReadonlyMap<string, EntranceResultFacts>,
  lang: 'en' | 'ar',
): void {
  const heads = new Set(facts.columns.map(({ field }) => field))
  judgeRows(lines, facts, ({ line, earlier, text, show, wrong, change }) => {
    const code = text('code')
    const found = known.get(code.toUpperCase())
    for (const { code: why, data } of checkWho(found, code, admission.id, earlier)) wrong('code', why, data)
    const result = resultOf(text, wrong)
    const interview = interviewOf(text, wrong)
    if (result !== null && !admission.has_exam) wrong(heads.has('result') ? 'result' : 'mark', 'entrance_no_exam')
    if (interview !== null && !admission.has_interview) wrong('interview', 'entrance_no_interview')
    if (result === null && interview === null && !line.errors.length)
      wrong(heads.has('result') ? 'result' : heads.has('mark') ? 'mark' : 'interview', 'entrance_result_missing')
    if (found) show('name', lang === 'ar' ? found.name_local : found.name)
    if (!found || line.errors.length) return 'same'
    // What a line leaves empty stays as it is.
    const values = {
      exam_result: result ?? found.exam_result,
      interview_passed: interview ?? found.interview_passed,
    }
    Object.assign(line, { record_id: found.id, version: found.version, values: { ...values, code: found.code } })
    for (const name of ['exam_result', 'interview_passed'] as const)
      if (values[name] !== found[name]) change(name, shown(name, found[name]), shown(name, values[name]))
    // What was stored before and not led on yet is led on now.
    return examOutcome({ ...found, ...values }) === 'waits' ? undefined : 'changed'
  })
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

/** Writes results that were judged. @throws {Refusal} 409 where an application moved on since */
async function write(ctx: Ctx, tx: Tx, lines: readonly Line[]): Promise<Saved> {
  const held = await entranceResults(ctx, tx, sql`t.id = any(${lines.map((line) => line.record_id ?? 0)}::int[])`, true)
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
  return leadOn(ctx, results)
}

const results = handedIn<number, Examined, Saved>({
  name: 'entrance_results',
  kind: KIND,
  knownBy: 'code',
  of: async (_ctx, id) => id,
  open: (_ctx, tx, id) => admissionOf(tx, id),
  facts: (admission_id) => ({ admission_id }),
  plan: (ctx) => planOf(ctx.lang === 'ar' ? 'ar' : 'en'),
  async judge(ctx, tx, lines, { open, facts }) {
    const codes = lines.map((line) => (line.cells.code?.text.trim() ?? '').toUpperCase()).filter(Boolean)
    const found = await entranceResults(ctx, tx, sql`upper(t.code) = any(${codes}::text[])`)
    judgeResults(lines, facts, open, new Map(found.map((one) => [one.code.toUpperCase(), one])), paperLang(ctx))
  },
  write,
})

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
  handle(calls.preview, async (ctx, { params: { id }, file }) => ({ data: await results.preview(ctx, id, file) })),
  handle(calls.lines, async (ctx, { params, body }) => ({
    data: await results.lines(ctx, params.id, params.import_id, body),
  })),
  handle(calls.mend, async (ctx, { params, body }) => ({
    data: await results.mend(ctx, params.id, params.import_id, body),
  })),
  handle(calls.save, async (ctx, { params }) => ({
    data: (await results.save(ctx, params.id, params.import_id)).saved,
  })),
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
