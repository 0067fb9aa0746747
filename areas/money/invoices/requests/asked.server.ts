/** What is asked for beside what comes by itself, at the price that the year has for the student's program, bylaw and nationality. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { priceLines, type AskedItem, type FeeItem, type Priced } from '#areas/money/fees/pricing.rules.ts'
import { feeFacts, feeSettingsOf, type StudentFacts } from '#areas/money/fees/settings.server.ts'
import type { YearSettings } from '#areas/money/fees/settings/settings.rules.ts'
import { holdPayers } from '#areas/money/ledger/post.server.ts'
import type { Db, Tx } from '#db/connect.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { Instalment } from '../invoice.rules.ts'
import type { DraftInvoice } from '../issue.server.ts'
import { draftLines } from '../next/draft.rules.ts'
import { usedOf, withUsed } from '../next/next.server.ts'

export interface PricedItems {
  readonly payer_id: number
  readonly year_id: number
  readonly term_id: number
  readonly settings: YearSettings
  /** What was asked for, as the prices know it. */
  readonly items: readonly FeeItem[]
  /** Of who is no student, `student_id` is null. */
  readonly facts: Omit<StudentFacts, 'student_id'> & { readonly student_id: number | null }
  readonly priced: Priced
}

/**
 * Prices what a student asks for in the current term. Unless it is only looked at, the payer is held: what scholarships give
 * is given once.
 *
 * @param choose what is asked for, of the items that have a price in the year
 */
export async function priceAsked(
  tx: Db | Tx,
  student_id: number,
  choose: (items: readonly FeeItem[]) => readonly AskedItem[],
  { hold = true }: { readonly hold?: boolean } = {},
): Promise<PricedItems> {
  const { rows } = await sql<{ payer_id: number; term_id: number; year_id: number }>`
    select p.id as payer_id, t.id as term_id, t.year_id from payers p join terms t on t.id = ${currentTermId()}
    where p.student_id = ${student_id} and p.main`.execute(tx)
  if (!rows[0]) throw new Refusal(409, [{ code: 'invoice_no_term' }])
  const { payer_id, term_id, year_id } = rows[0]
  const settings = await feeSettingsOf(tx, year_id)
  if (!settings) throw new Refusal(409, [{ code: 'invoice_no_settings' }])
  if (hold) await holdPayers(tx as Tx, sql`select ${payer_id}::int`)
  const known = (await feeFacts(tx, [student_id], { term_id })).get(student_id)!
  const used = await usedOf(tx, [payer_id], year_id, { all: true })
  const asked = choose(settings.items)
  const facts: StudentFacts = { ...withUsed(known, used.get(payer_id)), asked, only_asked: true }
  const items = settings.items.filter(({ id }) => asked.some((one) => one.item_id === id))
  return { payer_id, term_id, year_id, settings, items, facts, priced: priceLines(facts, settings) }
}

/** The invoice of what was asked for; it keeps the version whose prices it has. */
export const askedDraft = (
  { payer_id, year_id, term_id, settings, facts, priced }: PricedItems,
  {
    type,
    request,
    note,
    told = false,
    installments,
  }: {
    readonly type: DraftInvoice['type']
    readonly request?: { readonly workflow: string; readonly id: number }
    readonly note?: string | null
    readonly told?: boolean
    readonly installments: readonly Instalment[]
  },
): DraftInvoice => ({
  payer_id,
  year_id,
  term_id,
  type,
  currency: priced.currency!,
  faculty_id: facts.faculty_id,
  program_id: facts.program_id,
  level: facts.level,
  setting_version_id: settings.version_id,
  basis: { facts, ...(request && { request }) },
  note: note ?? null,
  told,
  lines: draftLines(priced.lines),
  installments,
})
