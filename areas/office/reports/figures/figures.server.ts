/** Reports of figures: read, opened to their rows, taken out as files, and fetched by their links. */
import { inLanguage, type Label } from '#kit/contract/index.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { reportFile } from '../financial/report-file.server.ts'
import type { ReportTable } from '../financial/tables.rules.ts'
import { DIMENSION_KEYS, DIMENSIONS } from './dimensions.contract.ts'
import { figuresAsked, figuresCalls, type SystemFigures, type FiguresAsked } from './figures.contract.ts'
import { readFigures } from './read.server.ts'
import { systemReport, type ReportLink } from './reports.contract.ts'
import { readCellRows } from './rows.server.ts'
import { figuresFacts, figuresTable, unitFacts } from './tables.rules.ts'

const EMPTY: Label = ['Nothing matches.', 'لا شيء يطابق ما اخترته.']
const BY: Label = ['By', 'حسب']

/** A report to whoever holds its right. @throws {Refusal} 403, 422 */
export async function reportOf(
  ctx: Ctx,
  link: ReportLink,
  asked: FiguresAsked,
  fresh?: boolean,
): Promise<SystemFigures> {
  requireReach(ctx, systemReport(link).permission)
  return await readFigures(ctx, link, asked, fresh)
}

async function fileOf(
  ctx: Ctx,
  { link, ...paper }: { readonly link: ReportLink; readonly lang: 'ar' | 'en'; readonly type: 'pdf' | 'xlsx' },
  asked: FiguresAsked,
): Promise<FileResult> {
  const report = await reportOf(ctx, link, asked)
  const say = (label: Label) => inLanguage(label, paper.lang)
  const by = [report.rows_by, report.columns_by].flatMap((key) => (key ? [say(DIMENSIONS[key].label)] : []))
  const table = figuresTable(report, paper.lang, say) as unknown as ReportTable<never>
  return reportFile(
    ctx,
    paper,
    {
      title: systemReport(link).label,
      empty: EMPTY,
      facts: [
        [say(BY), by.join(paper.lang === 'ar' ? '، ' : ', ')],
        ...figuresFacts(report, paper.lang, say),
        ...unitFacts(report, paper.lang, say, (day) => day),
      ],
    },
    report.rows.length ? [table] : [],
  )
}

/** What an address asks for: values of a dimension are separated by commas. @throws {Refusal} 422 */
export function askedInAddress(query: Readonly<Record<string, unknown>>): FiguresAsked {
  const filters: Record<string, unknown[]> = {}
  const rest: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if ((DIMENSION_KEYS as readonly string[]).includes(name)) filters[name] = String(value).split(',')
    else rest[name] = name === 'every' || name === 'today' ? value === 'true' : value
  }
  const read = figuresAsked.safeParse({ ...rest, ...(Object.keys(filters).length && { filters }) })
  if (read.success) return read.data
  const [issue] = read.error.issues
  const field = String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : (issue?.path.at(-1) ?? ''))
  throw refuse(422, 'unknown_field', { field }, field)
}

export const figuresHandlers: readonly Handled[] = [
  handle(figuresCalls.figures, async (ctx, { params, body: { fresh, ...asked } }) => ({
    data: await reportOf(ctx, params.link, asked, fresh),
  })),
  handle(figuresCalls.rows, (ctx, { params, body }) => {
    requireReach(ctx, systemReport(params.link).permission)
    return readCellRows(ctx, params.link, body)
  }),
  handle(figuresCalls.file, (ctx, { params, body }) => fileOf(ctx, params, body)),
  handle(figuresCalls.fileByLink, (ctx, { params, query }) =>
    fileOf(ctx, params, askedInAddress(query as Readonly<Record<string, unknown>>)),
  ),
]
