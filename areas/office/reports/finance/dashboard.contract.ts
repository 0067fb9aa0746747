import { z } from 'zod'
import { call, id, ref } from '#kit/contract/index.ts'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { reportCurrency } from '../financial/financial.contract.ts'
import { AGES } from './dashboard.rules.ts'

const money = z.int()
const count = z.int()

export const dashboardAsked = z.strictObject({
  currency: reportCurrency.default('EGP'),
  /** The current one unless another is asked for; null: all of them. */
  year_id: id.nullish(),
  term_id: id.nullish(),
  faculty_id: id.nullish(),
})
export type DashboardAsked = z.output<typeof dashboardAsked>

const sums = z.object({
  /** Invoices that charge anything. */
  invoices: count,
  charged: money,
  settled: money,
  /** What is open: not yet due, and late. */
  not_due: money,
  overdue: money,
  overdue_invoices: count,
})
const dashboard = z.object({
  currency: reportCurrency,
  year: ref.nullable(),
  term: ref.nullable(),
  /** Currencies in which anything was charged or received at all. */
  currencies: z.array(reportCurrency),
  sums,
  /** The same of the year before; null: there is none, or a term was asked for. */
  before: sums.extend({ year: ref, received: money }).nullable(),
  /** What is open by how late its oldest part is. `from`, `to`: days by which that was due. */
  ages: z.array(
    z.object({
      age: z.enum(AGES.map((one) => one.age)),
      from: z.string().nullable(),
      to: z.string().nullable(),
      amount: money,
      invoices: count,
    }),
  ),
  faculties: z.array(z.object({ faculty: ref.nullable(), ...sums.shape })),
  /** Money that came less what went back, in the days of the year or term. */
  from: z.string(),
  to: z.string(),
  received: money,
  received_count: count,
  ways: z.array(z.object({ way: z.enum(PAYMENT_WAYS.map((paymentWay) => paymentWay.value)), amount: money, count })),
  days: z.array(
    z.object({ day: z.string(), way: z.enum(PAYMENT_WAYS.map((paymentWay) => paymentWay.value)), amount: money }),
  ),
  /** What wallets hold. */
  wallets: money,
  wallet_count: count,
})
export type FinanceDashboard = z.output<typeof dashboard>

export const financeCalls = {
  dashboard: call('POST', '/dashboard/finance', {
    permission: 'access_report_financial',
    summary: ['Collected, due and overdue, as it stands now', 'المحصّل والمستحق والمتأخر كما هو الآن'],
    body: dashboardAsked,
    response: z.object({ data: dashboard }),
    reads: true,
    example: { currency: 'EGP' },
  }),
}
