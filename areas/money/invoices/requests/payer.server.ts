/** What who works here or a guest asks for, at the price that the year has for everybody of the nationality. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { priceLines, type AskedItem, type FeeItem } from '#areas/money/fees/pricing.rules.ts'
import { feeSettingsOf } from '#areas/money/fees/settings.server.ts'
import { workplaceText } from '#areas/money/ledger/others.server.ts'
import type { NamedPayer } from '#areas/money/ledger/payer.contract.ts'
import { holdPayers, payerOfGuest, payerOfStaff } from '#areas/money/ledger/post.server.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { Refusal } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { PricedItems } from './asked.server.ts'

export interface ChargedPayer {
  readonly payer_id: number
  readonly faculty_id: number | null
  readonly nationality_group: { readonly id: number; readonly currency: 'EGP' | 'USD' } | null
}

/**
 * The payer that somebody is, made where there is none yet, with the group in which he or she pays. Who works here pays as Egyptians
 * do; a guest by the nationality of the document.
 */
export async function chargedPayer(tx: Tx, { staff_id, guest_id }: NamedPayer): Promise<ChargedPayer> {
  const payer_id = staff_id == null ? await payerOfGuest(tx, guest_id ?? 0) : await payerOfStaff(tx, staff_id)
  const { rows } = await sql<Omit<ChargedPayer, 'payer_id'>>`
    select (select ${sql.raw(workplaceText('u'))} from users u where u.id = p.user_id) as faculty_id,
      (select json_build_object('id', n.id, 'currency', n.currency) from nationality_groups n where n.id = nationality_group_of(
        case when p.user_id is not null then (select c.id from countries c where c.code = 'EG')
          else (select g.nationality_id from guests g where g.id = p.guest_id) end)) as nationality_group
    from payers p where p.id = ${payer_id}`.execute(tx)
  return { ...firstRow(rows), payer_id }
}

/** Prices what is asked for in the current term, the payer held. Neither a program nor a scholarship changes it. */
export async function priceForPayer(
  tx: Tx,
  { payer_id, faculty_id, nationality_group }: ChargedPayer,
  choose: (items: readonly FeeItem[]) => readonly AskedItem[],
): Promise<PricedItems> {
  const { rows } = await sql<{ term_id: number; year_id: number; term_kind: 'fall' | 'spring' | 'summer' }>`
    select t.id as term_id, t.year_id, t.term_type as term_kind from terms t where t.id = ${currentTermId()}`.execute(
    tx,
  )
  const [now] = rows
  if (!now) throw new Refusal(409, [{ code: 'invoice_no_term' }])
  const settings = await feeSettingsOf(tx, now.year_id)
  if (!settings) throw new Refusal(409, [{ code: 'invoice_no_settings' }])
  await holdPayers(tx, sql`select ${payer_id}::int`)
  const asked = choose(settings.items)
  const facts = {
    ...now,
    student_id: null,
    program_id: null,
    faculty_id,
    bylaw_id: null,
    level: null,
    nationality_group,
    courses: [],
    grants: [],
    asked,
    only_asked: true,
  }
  const items = settings.items.filter(({ id }) => asked.some((one) => one.item_id === id))
  const { term_id, year_id } = now
  return { payer_id, term_id, year_id, settings, items, facts, priced: priceLines(facts, settings) }
}
