/** Own reports: put together, read, kept, shared, put on the overview, mailed. */
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { reportFile } from '../financial/report-file.server.ts'
import type { ReportTable } from '../financial/tables.rules.ts'
import { DIMENSIONS } from '../figures/dimensions.contract.ts'
import { REPORT_RIGHTS } from '../figures/rights.contract.ts'
import { unitFacts, valueName } from '../figures/tables.rules.ts'
import type { OwnAsked } from './choices.rules.ts'
import { ownReportCalls, type OwnFigures } from './own.contract.ts'
import { readOwn } from './read.server.ts'
import { readOwnRows } from './rows.server.ts'
import {
  addOwn,
  copyOwn,
  editOwn,
  endSchedule,
  ownReportList,
  ownReportOf,
  peopleToShareWith,
  pinOwn,
  removeOwn,
  restoreOwn,
  rolesWithRights,
  scheduleOwn,
  shareOwn,
} from './saved.server.ts'
import { ownTable } from './tables.rules.ts'

const EMPTY: Label = ['Nothing matches.', 'لا شيء يطابق ما اخترته.']
const BY: Label = ['By', 'حسب']
const WITHIN: Label = ['Only of', 'يقتصر على']

/** What stands above a report on paper: by what it is told apart, what narrows it, and of which part of the university it is. */
export function ownReportFacts(report: OwnFigures, lang: 'ar' | 'en'): [string, string][] {
  const say = (label: Label) => inLanguage(label, lang)
  const list = (texts: readonly string[]) => texts.join(lang === 'ar' ? '، ' : ', ')
  const by = [...report.rows_by, ...report.columns_by].map((key) => say(DIMENSIONS[key].label))
  const { compared } = report
  return [
    [say(BY), list(by)],
    ...report.filters.map((one): [string, string] => [
      say(DIMENSIONS[one.by].label),
      list(one.values.map((value) => valueName(one.by, value, lang, say))),
    ]),
    ...(compared
      ? [
          [
            say(DIMENSIONS[compared.by].label),
            list(
              [compared.now, ...(compared.before ? [compared.before] : [])].map((one) =>
                valueName(compared.by, one, lang, say),
              ),
            ),
          ] as [string, string],
        ]
      : []),
    ...(report.days.length && ![...report.rows_by, ...report.columns_by].includes('as_of')
      ? [[say(DIMENSIONS.as_of.label), list(report.days)] as [string, string]]
      : []),
    ...(report.within
      ? [
          [say(WITHIN), list(report.within.map((one) => inLanguage([one.name, one.name_local], lang)))] as [
            string,
            string,
          ],
        ]
      : []),
    ...unitFacts(report, lang, say, (day) => day),
  ]
}

/** A report as a file, within what its reader reaches. @throws {Refusal} 403, 422 */
export async function ownReportFile(
  ctx: Ctx,
  paper: { readonly lang: 'ar' | 'en'; readonly type: 'pdf' | 'xlsx' },
  { name, asked }: { readonly name: string; readonly asked: OwnAsked },
): Promise<FileResult> {
  const report = await readOwn(ctx, asked)
  const table = ownTable(report, paper.lang) as unknown as ReportTable<never>
  return reportFile(
    ctx,
    paper,
    { title: [name, name], empty: EMPTY, facts: ownReportFacts(report, paper.lang) },
    report.rows.length ? [table] : [],
  )
}

export const ownReportHandlers: readonly Handled[] = [
  handle(ownReportCalls.ownFigures, async (ctx, { body: { fresh, ...asked } }) => ({
    data: await readOwn(ctx, asked, fresh),
  })),
  handle(ownReportCalls.ownRows, (ctx, { body }) => readOwnRows(ctx, body)),
  handle(ownReportCalls.ownFile, (ctx, { params, body }) => ownReportFile(ctx, params, body)),
  handle(ownReportCalls.ownReports, async (ctx) => ({ data: await ownReportList(ctx) })),
  handle(ownReportCalls.ownRoles, async (ctx) => ({ data: await rolesWithRights(ctx, REPORT_RIGHTS) })),
  handle(ownReportCalls.ownPeople, async (ctx, { body }) => ({ data: await peopleToShareWith(ctx, body) })),
  handle(ownReportCalls.ownReport, async (ctx, { params }) => ({ data: await ownReportOf(ctx, params.id) })),
  handle(ownReportCalls.addOwnReport, async (ctx, { body }) => ({ data: await addOwn(ctx, body) })),
  handle(ownReportCalls.editOwnReport, async (ctx, { params, body }) => ({
    data: await editOwn(ctx, params.id, body),
  })),
  handle(ownReportCalls.copyOwnReport, async (ctx, { params, body }) => ({
    data: await copyOwn(ctx, params.id, body.name),
  })),
  handle(ownReportCalls.removeOwnReport, async (ctx, { params }) => ({ data: await removeOwn(ctx, params.id) })),
  handle(ownReportCalls.restoreOwnReport, async (ctx, { params }) => ({ data: await restoreOwn(ctx, params.id) })),
  handle(ownReportCalls.shareOwnReport, async (ctx, { params, body }) => ({
    data: await shareOwn(ctx, params.id, body),
  })),
  handle(ownReportCalls.pinOwnReport, async (ctx, { params, body }) => ({
    data: await pinOwn(ctx, params.id, body.looks),
  })),
  handle(ownReportCalls.scheduleOwnReport, async (ctx, { params, body }) => ({
    data: await scheduleOwn(ctx, params.id, body),
  })),
  handle(ownReportCalls.endOwnSchedule, async (ctx, { params }) => ({ data: await endSchedule(ctx, params.id) })),
]
