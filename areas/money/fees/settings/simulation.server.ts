/** What a year would come to with other prices, before they are saved: nothing is written. */
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { Ref } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import { priceLines, type PayerFacts, type PricedSettings } from '../pricing.rules.ts'
import { feeFacts } from '../settings.server.ts'
import { simulate, type PricedTwice } from './simulation.rules.ts'

const PORTION = 1000

/** Students who study, as far as the reader's right to change prices reaches: what each is charged by both, added up. */
export async function simulateSettings(
  ctx: Ctx,
  year_id: number,
  faculty_id: number | null,
  before: PricedSettings,
  after: PricedSettings,
) {
  const { rows } = await sql<{ id: number }>`select s.id from students s
    where s.status = 'studying' and s.removed_at is null and ${scopeCondition(ctx, 'edit_payment_setting', studentReach(ctx, 's'))}
      and (${faculty_id}::int is null or s.faculty_id = ${faculty_id}) order by s.id`.execute(ctx.db)
  // The term that runs, where it is of the year; else its fall: courses that are not registered yet are not charged.
  const { rows: terms } = await sql<{ id: number }>`select t.id from terms t
    where t.year_id = ${year_id} and t.removed_at is null and t.term_type <> 'summer'
    order by coalesce(t.id = ${currentTermId()}, false) desc, t.start_date limit 1`.execute(ctx.db)
  const term = terms[0]?.id
  const priced = (facts: PayerFacts, settings: PricedSettings): PricedTwice['before'] => {
    const { reasons, currency, amount } = priceLines(facts, settings)
    return reasons.length || currency === null ? null : { currency, amount }
  }
  const students: PricedTwice[] = []
  for (let at = 0; at < rows.length; at += PORTION) {
    const facts = await feeFacts(
      ctx.db,
      rows.slice(at, at + PORTION).map((row) => row.id),
      term === undefined ? { year_id } : { term_id: term },
    )
    for (const one of facts.values())
      students.push({ faculty_id: one.faculty_id, before: priced(one, before), after: priced(one, after) })
  }
  const { rows: sums, ...without } = simulate(students)
  const { rows: faculties } = await sql<{
    id: number
    faculty: Ref
  }>`select f.id, ${ref('f')} as faculty from faculties f
    where f.id = any(${sums.flatMap((one) => one.faculty_id ?? [])}::int[])`.execute(ctx.db)
  const named = new Map(faculties.map((one) => [one.id, one.faculty]))
  return {
    ...without,
    students: students.length,
    rows: sums.map(({ faculty_id: of, currency, ...sum }) => ({
      ...sum,
      faculty: of === null ? null : (named.get(of) ?? null),
      currency: currency as 'EGP' | 'USD',
    })),
  }
}
