/** System reports by their links: one way to fetch any of them, each with its own right. */
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import type { Access } from '#kit/contract/index.ts'
import { z } from 'zod'
import { askedInAddress, reportOf } from '../figures/figures.server.ts'
import { SYSTEM_LINKS, systemReport } from '../figures/reports.contract.ts'
import { agingReport } from './aging.server.ts'
import { feesReport } from './fees.server.ts'
import {
  agingAsked,
  feesAsked,
  financialAsked,
  financialCalls,
  invoicesAsked,
  paymentsAsked,
} from './financial.contract.ts'
import { levelReport, programReport } from './financial.server.ts'
import { invoicesReport, paymentsReport } from './payments.server.ts'

interface Linked {
  readonly permission: Access
  readonly run: (ctx: Ctx, query: Record<string, unknown>) => Promise<{ rows: object[] }>
}
const linked = <S extends z.ZodType>(
  of: { readonly permission: Access },
  asked: S,
  report: (ctx: Ctx, asked: z.output<S>) => Promise<{ rows: object[] }>,
): Linked => ({
  permission: of.permission,
  run: (ctx, { level, ...query }) => {
    const read = asked.safeParse({ ...query, ...(level !== undefined && { level: Number(level) }) })
    if (read.success) return report(ctx, read.data)
    const [issue] = read.error.issues
    const field = String(issue?.code === 'unrecognized_keys' ? issue.keys[0] : (issue?.path[0] ?? ''))
    throw refuse(422, 'unknown_field', { field }, field)
  },
})

/** Every report of this area, by the last part of the path of its call. */
export const REPORT_LINKS: ReadonlyMap<string, Linked> = new Map([
  ['financial', linked(financialCalls.programs, financialAsked, (ctx, asked) => programReport(ctx, asked))],
  ['levels-financial', linked(financialCalls.levels, financialAsked, levelReport)],
  [
    'graduates-financial',
    linked(financialCalls.graduates, financialAsked, (ctx, asked) => programReport(ctx, asked, true)),
  ],
  ['payments', linked(financialCalls.payments, paymentsAsked, paymentsReport)],
  ['invoices', linked(financialCalls.invoices, invoicesAsked, invoicesReport)],
  ['aging', linked(financialCalls.aging, agingAsked, agingReport)],
  ['fee-settings', linked(financialCalls.fees, feesAsked, feesReport)],
  ...SYSTEM_LINKS.map((link): [string, Linked] => [
    link,
    { permission: systemReport(link).permission, run: (ctx, query) => reportOf(ctx, link, askedInAddress(query)) },
  ]),
])

export const linkHandlers: readonly Handled[] = [
  handle(financialCalls.byLink, async (ctx, { params, query }) => {
    const report = REPORT_LINKS.get(params.link)
    if (!report) throw refuse(404, 'not_found')
    requireReach(ctx, report.permission)
    return { data: await report.run(ctx, query) }
  }),
]
