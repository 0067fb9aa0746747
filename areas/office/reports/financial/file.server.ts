/** Reports as files: typeset to print, or as a sheet to go on computing with. Both from the same tables as the screen. */
import { firstRow } from '#db/rows.ts'
import { dayOf } from '#kit/contract/day.ts'
import { inLanguage, type Label, type PaperLanguage } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import { agingReport } from './aging.server.ts'
import { feesReport } from './fees.server.ts'
import { AGING_GROUPS, PAYMENT_GROUPS, financialCalls, type FinancialAsked } from './financial.contract.ts'
import { reportFile } from './report-file.server.ts'
import { levelReport, programReport } from './financial.server.ts'
import { invoicesReport, paymentsReport } from './payments.server.ts'
import {
  agingTables,
  feesTables,
  invoicesTables,
  levelsTables,
  paymentsTables,
  programsTables,
  sayIn,
  type ReportTable,
} from './tables.rules.ts'

const WORDS = {
  programs: ['Financial report by program', 'التقرير المالي حسب البرنامج'],
  levels: ['Financial report by level', 'التقرير المالي حسب المستوى'],
  graduates: ['Financial report of graduates', 'التقرير المالي للخريجين'],
  payments: ['Received payments', 'المقبوضات'],
  invoices: ['Invoices by faculty', 'الفواتير حسب الكلية'],
  aging: ['What is owed by how late it is', 'المستحقات حسب مدة التأخر'],
  fees: ['Payment settings of a year', 'إعدادات الرسوم لعام دراسي'],
  year: ['Academic year', 'العام الدراسي'],
  other: ['Compared with', 'مقارنةً بـ'],
  term: ['Term', 'الفصل الدراسي'],
  faculty: ['Faculty', 'الكلية'],
  program: ['Program', 'البرنامج'],
  level: ['Level', 'المستوى'],
  as_of: ['As of', 'حتى تاريخ'],
  by: ['By', 'حسب'],
  from: ['From', 'من'],
  to: ['Until', 'إلى'],
  empty: ['Nothing was charged or received.', 'لا توجد مستحقات أو مقبوضات.'],
} as const satisfies Record<string, Label>
type Word = keyof typeof WORDS
interface Asked {
  readonly lang: PaperLanguage
  readonly type: 'pdf' | 'xlsx'
}
type Fact = readonly [Word, string | null | undefined]

/** The chosen year, term, faculty and program by their names. */
async function factsOf(ctx: Ctx, asked: FinancialAsked, lang: PaperLanguage): Promise<Fact[]> {
  const name = lang === 'ar' ? sql`name_local` : sql`name`
  const { rows } = await sql<Record<'year' | 'term' | 'faculty' | 'program', string | null>>`select
    (select ${name} from years where id = ${asked.year_id ?? null}) as year, (select ${name} from terms where id = ${asked.term_id ?? null}) as term,
    (select ${name} from faculties where id = ${asked.faculty_id ?? null}) as faculty,
    (select ${name} from programs where id = ${asked.program_id ?? null}) as program`.execute(ctx.db)
  const { year, term, faculty, program } = firstRow(rows)
  return [
    ['year', year],
    ['term', term],
    ['faculty', faculty],
    ['program', program],
    ['level', asked.level == null ? null : String(asked.level)],
    ['as_of', asked.as_of ?? dayOf()],
  ]
}
const fileOf = (
  ctx: Ctx,
  asked: Asked,
  word: Word,
  tables: readonly ReportTable<never>[],
  facts: readonly Fact[],
): Promise<FileResult> => {
  const say = (one: Word) => inLanguage(WORDS[one], asked.lang)
  const known = facts.flatMap(([label, value]): [string, string][] => (value ? [[say(label), value]] : []))
  return reportFile(ctx, asked, { title: WORDS[word], empty: WORDS.empty, facts: known }, tables)
}
const plainTables = <Row>(tables: readonly ReportTable<Row>[]) => tables as unknown as readonly ReportTable<never>[]

export const fileHandlers: readonly Handled[] = [
  handle(financialCalls.programsFile, async (ctx, { params, body }) =>
    fileOf(
      ctx,
      params,
      'programs',
      plainTables(programsTables(await programReport(ctx, body), params.lang)),
      await factsOf(ctx, body, params.lang),
    ),
  ),
  handle(financialCalls.levelsFile, async (ctx, { params, body }) =>
    fileOf(
      ctx,
      params,
      'levels',
      plainTables(levelsTables(await levelReport(ctx, body), params.lang)),
      await factsOf(ctx, body, params.lang),
    ),
  ),
  handle(financialCalls.graduatesFile, async (ctx, { params, body }) =>
    fileOf(
      ctx,
      params,
      'graduates',
      plainTables(programsTables(await programReport(ctx, body, true), params.lang, true)),
      await factsOf(ctx, body, params.lang),
    ),
  ),
  handle(financialCalls.paymentsFile, async (ctx, { params, body }) => {
    const report = await paymentsReport(ctx, body)
    const by = PAYMENT_GROUPS.find((group) => group.value === body.by)!
    const facts = await factsOf(ctx, { faculty_id: body.faculty_id }, params.lang)
    return fileOf(ctx, params, 'payments', plainTables(paymentsTables(report, body.by, params.lang)), [
      ['by', sayIn(params.lang)(by.label)],
      ['from', report.from],
      ['to', report.to],
      ...facts.filter(([word]) => word === 'faculty'),
    ])
  }),
  handle(financialCalls.invoicesFile, async (ctx, { params, body }) =>
    fileOf(
      ctx,
      params,
      'invoices',
      plainTables(invoicesTables(await invoicesReport(ctx, body), params.lang)),
      await factsOf(ctx, body, params.lang),
    ),
  ),
  handle(financialCalls.agingFile, async (ctx, { params, body }) =>
    fileOf(ctx, params, 'aging', plainTables(agingTables(await agingReport(ctx, body), body.by, params.lang)), [
      ['by', inLanguage(AGING_GROUPS.find((group) => group.value === body.by)!.label, params.lang)],
      ...(await factsOf(ctx, body, params.lang)),
    ]),
  ),
  handle(financialCalls.feesFile, async (ctx, { params, body }) => {
    const report = await feesReport(ctx, body)
    return fileOf(ctx, params, 'fees', plainTables(feesTables(report, params.lang)), [
      ['year', report.year && inLanguage([report.year.name, report.year.name_local], params.lang)],
      ['other', report.other && inLanguage([report.other.name, report.other.name_local], params.lang)],
    ])
  }),
]
