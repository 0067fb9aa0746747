/** Scholarships as they are defined, and what a student would have of one. */
import type { Db, Tx } from '#db/connect.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { sql } from 'kysely'
import type { Currency, FeeType, GrantFacts } from '../pricing.rules.ts'
import type { Automatic } from './scholarship.rules.ts'

export interface Definition extends Automatic {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly year_id: number | null
  readonly percent: string | null
  readonly amount: number | null
  readonly currency: Currency | null
  readonly types: FeeType[]
  readonly item_ids: number[]
  readonly priority: number
  readonly is_active: boolean
}
export async function definitionOf(db: Db | Tx, id: number, lock = false): Promise<Definition> {
  const { rows } =
    await sql<Definition>`select h.id, h.code, h.name, h.name_local, h.basis, h.from_value::float8 as from_value,
      h.to_value::float8 as to_value, h.year_id, h.bylaw_id, h.faculty_id, h.level, h.percent::text as percent, h.amount::float8 as amount, h.currency, h.types,
      coalesce((select array_agg(i.fee_item_id order by i.fee_item_id) from scholarship_items i where i.scholarship_id = h.id), '{}') as item_ids,
      h.priority, h.is_active
    from scholarships h where h.id = ${id} and h.removed_at is null ${lock ? sql`for no key update` : sql``}`.execute(
      db,
    )
  if (!rows[0]) throw refuse(404, 'not_found')
  return rows[0]
}
/** What somebody would have of it who has it not yet: after all that are there. */
export const offerOf = (rule: Definition): GrantFacts => ({
  id: Number.MAX_SAFE_INTEGER,
  scholarship: { id: rule.id, name: rule.name, name_local: rule.name_local },
  percent: rule.percent === null ? null : Math.round(Number(rule.percent) * 100),
  amount: rule.amount,
  currency: rule.currency,
  types: rule.types,
  item_ids: rule.item_ids,
  priority: rule.priority,
})
export const scholarshipTermsOf = (rule: Definition) => ({
  scholarship_id: rule.id,
  percent: rule.percent,
  amount: rule.amount,
  currency: rule.currency,
  types: rule.types,
  item_ids: rule.item_ids,
  priority: rule.priority,
})

/** SQL: the currency in which the student `s` pays. */
export const PAYS_IN = sql.raw(
  '(select n.currency from nationality_groups n where n.id = nationality_group_of(s.nationality_id))',
)
