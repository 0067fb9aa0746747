/** Financial reports: who paid what of what was charged, by program and level, derived from the ledger's balances in one statement. */
import { firstRow } from '#db/rows.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { reachedPayer } from '#areas/money/ledger/reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { reachesAll, scopeCondition } from '#kit/server/base/scope.ts'
import { refOrNull } from '#kit/server/base/sql.ts'
import { sql, type RawBuilder } from 'kysely'
import { financialCalls, type FinancialAsked, type LevelSumRow, type ProgramRow } from './financial.contract.ts'
import {
  financialFiguresOf,
  payerStandingOf,
  type FinancialFigures,
  type ReportPart,
  type Wallet,
} from './financial.rules.ts'

const KEY: PermissionKey = 'access_report_financial'

/** Students (`s`) whose money the reader sees. Who sees all of it asks nothing. */
export const seenStudents = (ctx: Ctx, key: PermissionKey = KEY): RawBuilder<unknown> =>
  reachesAll(ctx, key) ? sql`true` : scopeCondition(ctx, key, studentReach(ctx, 's'))
/** Payers (`p`, whose student is `s`) whose money the reader sees: students, who works here, and guests. */
export const seenPayers = (ctx: Ctx, key: PermissionKey = KEY): RawBuilder<unknown> =>
  sql`num_nonnulls(p.student_id, p.user_id, p.guest_id) = 1 and ${reachesAll(ctx, key) ? sql`true` : reachedPayer(ctx, key)}`
const is = (column: string, value: number | null | undefined): RawBuilder<unknown> =>
  value === null || value === undefined ? sql`true` : sql`${sql.raw(column)} = ${value}`
/** Which invoices (`t`) somebody asked for. */
export const askedInvoices = (
  asked: FinancialAsked,
): RawBuilder<unknown> => sql`${is('t.year_id', asked.year_id)} and ${is('t.term_id', asked.term_id)}
  and ${is('t.faculty_id', asked.faculty_id)} and ${is('t.program_id', asked.program_id)} and ${is('t.level', asked.level)}`

interface Read {
  parts: (Omit<ReportPart, 'standing'> & { key: number | null; whole: boolean; status: string })[]
  wallets: (Wallet & { key: number | null })[]
  programs: { id: number; program: ProgramRow['program']; faculty: ProgramRow['faculty'] }[]
}
type By = 'program' | 'level'

/**
 * What was charged and settled by program or level, each student once per row and once in the total. An invoice counts where its
 * payer stood when it was issued, a wallet where its holder stands. As of a day the postings are added up until then.
 */
async function read(ctx: Ctx, asked: FinancialAsked, by: By, graduates: boolean): Promise<Read> {
  const column = by === 'program' ? sql`program_id` : sql`level`
  const day = asked.as_of ?? null
  const students = sql`${seenStudents(ctx)} and ${graduates ? sql`s.status = 'graduated'` : sql`true`}`
  const balances =
    day === null
      ? sql`select b.invoice_id, b.charged, b.settled from invoice_balances b`
      : sql`select q.invoice_id, coalesce(sum(q.amount) filter (where not e.settles), 0) as charged,
          coalesce(-sum(q.amount) filter (where e.settles), 0) as settled
        from ledger_postings q join ledger_entries e on e.id = q.entry_id
        where q.invoice_id is not null and e.booked_on <= ${day}::date group by 1`
  const held =
    day === null
      ? sql`select b.payer_id, b.currency, b.wallet from payer_balances b where b.wallet <> 0`
      : sql`select q.payer_id, q.currency, -sum(q.amount) as wallet from ledger_postings q join ledger_entries e on e.id = q.entry_id
          join ledger_accounts a on a.id = q.account_id and a.role = 'wallet'
        where e.booked_on <= ${day}::date group by 1, 2`
  const { rows } = await sql<Read>`
    with balances as (${balances}),
    owed as materialized (
      select t.${column} as key, grouping(t.${column}) = 1 as whole, p.student_id, t.currency, min(s.status) as status,
        sum(b.charged) as charged, sum(b.settled) as settled
      from balances b join invoices t on t.id = b.invoice_id join payers p on p.id = t.payer_id join students s on s.id = p.student_id
      where b.charged > 0 and ${askedInvoices(asked)} and ${students}
      group by grouping sets ((t.${column}, p.student_id, t.currency), (p.student_id, t.currency))
    ),
    parts as (
      select o.key, o.whole, o.currency, o.status, sum(o.charged)::float8 as charged, sum(o.settled)::float8 as settled,
        count(*) filter (where o.settled >= o.charged) as paid, count(*) filter (where o.settled > 0 and o.settled < o.charged) as partially_paid,
        count(*) filter (where o.settled <= 0) as not_paid
      from owed o group by 1, 2, 3, 4
    ),
    wallets as (
      select s.${column} as key, h.currency, sum(h.wallet)::float8 as wallet
      from (${held}) h join payers p on p.id = h.payer_id join students s on s.id = p.student_id
      where ${is('s.faculty_id', asked.faculty_id)} and ${is('s.program_id', asked.program_id)} and ${is('s.level', asked.level)} and ${students}
      group by 1, 2 having sum(h.wallet) <> 0
    )
    select (select coalesce(json_agg(x), '[]') from parts x) as parts, (select coalesce(json_agg(x), '[]') from wallets x) as wallets,
      ${
        by === 'program'
          ? sql`(select coalesce(json_agg(json_build_object('id', g.id, 'program', ${refOrNull('g')}, 'faculty', ${refOrNull('f')}) order by f.code, g.code), '[]')
          from programs g left join faculties f on f.id = g.faculty_id where g.id in (select key from parts union select key from wallets))`
          : sql`'[]'::json`
      } as programs`.execute(ctx.db)
  return firstRow(rows)
}
const figures = (found: Read, of: (one: { key: number | null; whole?: boolean }) => boolean): FinancialFigures =>
  financialFiguresOf(
    found.parts.filter(of).map((one) => ({ ...one, standing: payerStandingOf(one.status) })),
    found.wallets.filter((one) => of({ ...one, whole: false })),
  )
const totalOf = (found: Read): FinancialFigures =>
  financialFiguresOf(
    found.parts.filter((one) => one.whole).map((one) => ({ ...one, standing: payerStandingOf(one.status) })),
    found.wallets,
  )
const rowOf = (found: Read, key: number | null): FinancialFigures =>
  figures(found, (one) => !one.whole && one.key === key)
const keysOf = (found: Read): (number | null)[] => [
  ...new Set([...found.parts.filter((one) => !one.whole), ...found.wallets].map((one) => one.key)),
]

export interface FinancialReport<Row> {
  readonly as_of: string | null
  readonly rows: Row[]
  readonly total: FinancialFigures
}
/** By program, or of graduates alone. */
export async function programReport(
  ctx: Ctx,
  asked: FinancialAsked,
  graduates = false,
): Promise<FinancialReport<ProgramRow>> {
  const found = await read(ctx, asked, 'program', graduates)
  const none = keysOf(found).includes(null) ? [{ id: null, program: null, faculty: null }] : []
  return {
    as_of: asked.as_of ?? null,
    rows: [...found.programs, ...none].map(({ id, ...of }) => ({ ...of, ...rowOf(found, id) })),
    total: totalOf(found),
  }
}
export async function levelReport(ctx: Ctx, asked: FinancialAsked): Promise<FinancialReport<LevelSumRow>> {
  const found = await read(ctx, asked, 'level', false)
  return {
    as_of: asked.as_of ?? null,
    rows: keysOf(found)
      .toSorted((a, b) => (a ?? 99) - (b ?? 99))
      .map((level) => ({ level, ...rowOf(found, level) })),
    total: totalOf(found),
  }
}

export const financialHandlers: readonly Handled[] = [
  handle(financialCalls.programs, async (ctx, { body }) => ({ data: await programReport(ctx, body) })),
  handle(financialCalls.levels, async (ctx, { body }) => ({ data: await levelReport(ctx, body) })),
  handle(financialCalls.graduates, async (ctx, { body }) => ({ data: await programReport(ctx, body, true) })),
]
