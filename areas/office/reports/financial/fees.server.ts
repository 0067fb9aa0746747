/** What the settings of a year charge: every program, level and nationality group, item by item, beside another year. */
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import { CURRENCIES, isApart, priceFor, type Currency, type PricedSettings } from '#areas/money/fees/pricing.rules.ts'
import { feeSettingsOf } from '#areas/money/fees/settings.server.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { scopeCondition } from '#kit/server/base/scope.ts'
import { ref } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { Ref } from '#kit/contract/index.ts'
import { financialCalls, type FeeReportRow, type FeesAsked } from './financial.contract.ts'
import { changeOf, joinLevels } from './financial.rules.ts'

interface Year {
  readonly id: number
  readonly code: string
  readonly name: string
  readonly name_local: string
  readonly version: number | null
}
export interface FeesReport {
  readonly year: Year | null
  readonly other: Year | null
  readonly rows: FeeReportRow[]
}
interface Read {
  years: Year[]
  programs: { program: Ref; faculty: Ref; bylaw_id: number; levels: number[] | null }[]
  groups: (Ref & { currency: Currency })[]
}

/** @throws {Refusal} 404 for a year that does not exist */
export async function feesReport(ctx: Ctx, asked: FeesAsked): Promise<FeesReport> {
  const reach = scopeCondition(ctx, 'access_payment_setting', {
    faculty: sql`g.faculty_id`,
    department: sql`g.department_id`,
    bylaw: sql`g.bylaw_id`,
    program: sql`g.id`,
  })
  const { rows } = await sql<Read>`
    with chosen as materialized (select y.* from years y where y.removed_at is null
        and y.id = coalesce(${asked.year_id ?? null}::int, (select w.year_id from terms w where w.id = ${currentTermId()}))),
    other as materialized (select y.* from years y where y.removed_at is null and case when ${asked.other_year_id ?? null}::int is not null
        then y.id = ${asked.other_year_id ?? null}::int else y.start_date < (select start_date from chosen) end order by y.start_date desc limit 1),
    told as (select 1 as place, * from chosen union all select 2, * from other)
    select (select coalesce(json_agg(json_build_object('place', y.place, 'id', y.id, 'code', y.code, 'name', y.name, 'name_local', y.name_local,
        'version', (select max(v.number) from fee_versions v where v.year_id = y.id)) order by y.place), '[]') from told y) as years,
      (select coalesce(json_agg(json_build_object('program', ${ref('g')}, 'faculty', ${ref('f')}, 'bylaw_id', g.bylaw_id,
          'levels', (select json_agg(l.level order by l.level) from (
            select b.level from bylaw_levels b where b.bylaw_id = g.bylaw_id
            union select z.level from fee_prices z where z.level is not null and (z.program_id = g.id or z.faculty_id = g.faculty_id)
              and z.version_id in (select v.id from fee_versions v join told y on y.id = v.year_id)) l)) order by f.code, g.code), '[]')
        from programs g join faculties f on f.id = g.faculty_id
        where g.removed_at is null and ${reach} and (${asked.faculty_id ?? null}::int is null or g.faculty_id = ${asked.faculty_id ?? null})
          and (${asked.program_id ?? null}::int is null or g.id = ${asked.program_id ?? null})) as programs,
      (select coalesce(json_agg(json_build_object('id', n.id, 'code', n.code, 'name', n.name, 'name_local', n.name_local, 'currency', n.currency)
        order by n.id), '[]') from nationality_groups n where n.removed_at is null) as groups`.execute(ctx.db)
  const { years, programs, groups } = firstRow(rows)
  const at = (place: number): Year | null => {
    const found = (years as (Year & { place: number })[]).find((one) => one.place === place)
    if (!found) return null
    const { place: _, ...year } = found
    return year
  }
  const [year, other] = [at(1), at(2)]
  if ((asked.year_id && !year) || (asked.other_year_id && !other)) throw refuse(404, 'not_found')
  const [now, then] = await Promise.all(
    [year, other].map((one) => (one ? feeSettingsOf(ctx.db, one.id) : Promise.resolve(null))),
  )
  const items = [...new Map([...(now?.items ?? []), ...(then?.items ?? [])].map((one) => [one.id, one])).values()]
  const lines = programs.flatMap(({ program, faculty, bylaw_id, levels }) =>
    groups.flatMap((group) =>
      items.flatMap((item) => {
        const priceIn = (settings: PricedSettings | null | undefined, level: number) => {
          const { row } = priceFor(
            (settings?.prices ?? []).filter((one) => one.item_id === item.id && !isApart(one)),
            { program_id: program.id, faculty_id: faculty.id, bylaw_id, level, nationality_group_id: group.id },
            group.currency,
          )
          return row
        }
        const told = (levels ?? [1])
          .filter((level) => asked.level == null || level === asked.level)
          .map((level) => ({ level, price: priceIn(now, level), other: priceIn(then, level) }))
          .filter((one) => one.price !== null || one.other !== null)
        const money = (row: (typeof told)[number]['price']) => row && { amount: row.amount, per: row.per }
        const same = (a: (typeof told)[number]['price'], b: typeof a) =>
          a?.amount === b?.amount && a?.per === b?.per && a?.currency === b?.currency
        return joinLevels(told, (a, b) => same(a.price, b.price) && same(a.other, b.other)).map(
          ({ first, from, to }): FeeReportRow => ({
            faculty,
            program,
            from_level: from,
            to_level: to,
            group: { id: group.id, code: group.code, name: group.name, name_local: group.name_local },
            item: { id: item.id, code: item.code, name: item.name, name_local: item.name_local },
            currency: first.price?.currency ?? first.other?.currency ?? group.currency,
            price: money(first.price),
            other: money(first.other),
            change: first.price?.currency === first.other?.currency ? changeOf(first.price, first.other) : null,
          }),
        )
      }),
    ),
  )
  return {
    year,
    other,
    rows: lines.toSorted((a, b) => CURRENCIES.indexOf(a.currency) - CURRENCIES.indexOf(b.currency)),
  }
}

export const feesHandlers: readonly Handled[] = [
  handle(financialCalls.fees, async (ctx, { body }) => ({ data: await feesReport(ctx, body) })),
]
