/** The journal for a general ledger: sums by day and account, in a sheet or as ERPNext and Odoo import it. */
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type FileResult, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { fileName } from '#kit/server/base/file-name.ts'
import { writeSheet } from '#kit/server/sheets/index.ts'
import type { BodyOf } from '#kit/contract/index.ts'
import { sql } from 'kysely'
import { requireWhole } from '../reach.server.ts'
import { journalCalls } from './journal.contract.ts'
import { csvOf, journalReference, journalRows, plainDecimal, type JournalLine } from './journal.rules.ts'

const MOST_DAYS = 366
/** Accounts that a refusal names. */
const NAMED = 20

interface Read {
  readonly currency: { readonly code: string; readonly minor_digits: number } | null
  readonly lines: (Omit<JournalLine, 'account'> & { readonly account: string | null; readonly code: string })[]
}

/**
 * The journal from one day to another. Days are those on which it is booked, so that what was exported for a closed period
 * never changes.
 *
 * @throws {Refusal} 422 for days in the wrong order and an unknown currency; 409 `ledger_unmapped` where an account has no code
 */
async function journalFile(ctx: Ctx, asked: BodyOf<typeof journalCalls.file>): Promise<FileResult> {
  const { from, until, currency_id, format, lang } = asked
  const days = (Date.parse(until) - Date.parse(from)) / 86_400_000
  if (days < 0 || days >= MOST_DAYS) throw refuse(422, 'ledger_journal_days', {}, 'until')
  const { rows } = await sql<Read>`
    with sums as materialized (
      select e.booked_on, p.account_id, coalesce(sum(p.amount) filter (where p.amount > 0), 0) as debit,
        coalesce(-sum(p.amount) filter (where p.amount < 0), 0) as credit
      from ledger_entries e join ledger_postings p on p.entry_id = e.id
      where e.booked_on between ${from}::date and ${until}::date and e.currency = (select code from currencies where id = ${currency_id}) group by 1, 2)
    select (select json_build_object('code', code, 'minor_digits', minor_digits) from currencies where id = ${currency_id}) as currency,
      (select coalesce(json_agg(json_build_object('day', s.booked_on, 'account', a.external_code, 'code', a.code,
          'name', ${lang === 'ar' ? sql`a.name_local` : sql`a.name`}, 'debit', s.debit, 'credit', s.credit)
          order by s.booked_on, s.debit = 0, a.code), '[]')
        from sums s join ledger_accounts a on a.id = s.account_id) as lines`.execute(ctx.db)
  const { currency: of, lines } = firstRow(rows)
  if (!of) throw refuse(422, 'reference_missing', {}, 'currency_id')
  const { code: currency, minor_digits } = of
  const unmapped = [...new Set(lines.flatMap((line) => (line.account === null ? [`${line.code} ${line.name}`] : [])))]
  // A sheet is for people, who see the accounts as they are called here.
  if (format !== 'xlsx' && unmapped.length)
    throw refuse(409, 'ledger_unmapped', {
      count: unmapped.length,
      accounts: unmapped.slice(0, NAMED).join(', ') + (unmapped.length > NAMED ? ' …' : ''),
    })
  const name = fileName(format === 'xlsx' ? 'xlsx' : 'csv', `Journal ${format}`, currency, `${from} ${until}`)
  if (format !== 'xlsx') {
    const journal = {
      currency,
      minor_digits,
      from,
      until,
      lines: lines.map(({ account, ...line }) => ({ ...line, account: account! })),
      company: asked.company ?? undefined,
      journal: asked.journal ?? undefined,
    }
    // The mark at the beginning tells a spreadsheet that it is UTF-8; both importers take it.
    return { name, type: 'csv', content: Buffer.from(`\uFEFF${csvOf(journalRows(journal, format))}`) }
  }
  const say = (en: string, ar: string) => (lang === 'ar' ? ar : en)
  const content = await writeSheet({
    sheets: [
      {
        name: currency,
        direction: lang === 'ar' ? 'rtl' : 'ltr',
        columns: [
          { header: say('Day', 'اليوم'), key: 'day', type: 'date' },
          { header: say('Entry', 'القيد'), key: 'reference', type: 'text' },
          { header: say('Account', 'الحساب'), key: 'code', type: 'text' },
          { header: say('Name', 'الاسم'), key: 'name', type: 'text' },
          { header: say('Code in the general ledger', 'الرمز في الأستاذ العام'), key: 'account', type: 'text' },
          { header: say('Debit', 'مدين'), key: 'debit', type: 'decimal' },
          { header: say('Credit', 'دائن'), key: 'credit', type: 'decimal' },
        ],
        rows: lines.map((line) => ({
          ...line,
          reference: journalReference(line.day, currency),
          debit: line.debit ? plainDecimal(line.debit, minor_digits) : null,
          credit: line.credit ? plainDecimal(line.credit, minor_digits) : null,
        })),
      },
    ],
  })
  return { name, type: 'xlsx', content }
}

export const journalHandlers: readonly Handled[] = [
  handle(journalCalls.file, (ctx, { body }) => {
    requireWhole(ctx, 'export_journal')
    return journalFile(ctx, body)
  }),
]
