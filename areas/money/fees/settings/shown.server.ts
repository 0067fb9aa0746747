import type { Ctx } from '#kit/server/base/context.ts'
import { refuse } from '#kit/server/base/errors.ts'
import { holds } from '#kit/server/base/scope.ts'
import { ref, refOrNull, refPairs } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { FeeType, PriceRow, Stacking } from '../pricing.rules.ts'
import { feeSettingsOf } from '../settings.server.ts'
import type { AccountShown, DueShown, FineShown, PriceShown, SettingsShown } from './settings.contract.ts'
import { inOrder } from './settings.rules.ts'

// --- As it is shown -----------------------------------------------------------------------------------------------------

export const yearRef = (alias: string) => sql.raw(`json_build_object(${refPairs(alias)})`)
export async function settingsHeadOf(ctx: Ctx, year_id: number, number?: number) {
  const { rows } = await sql<{
    year: SettingsShown['year']
    version_id: number | null
    version: number
    made_at: string | null
    made_by: SettingsShown['made_by']
    stacking: Stacking['stacking']
    grant_cap: number
    what: string | null
    note: string | null
  }>`select ${yearRef('y')} as year, v.id as version_id, coalesce(v.number, 0) as version, v.made_at, v.what, v.note,
      case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as made_by,
      coalesce(v.stacking, 'rest') as stacking, coalesce(v.grant_cap, 10000) as grant_cap
    from years y left join fee_versions v on v.year_id = y.id
      and v.number = ${number ?? sql`(select max(number) from fee_versions w where w.year_id = y.id)`}
      left join users u on u.id = v.made_by
    where y.id = ${year_id} and y.removed_at is null`.execute(ctx.db)
  const [head] = rows
  if (!head || (number !== undefined && !head.version_id)) throw refuse(404, 'not_found')
  return { ...head, may_edit: holds(ctx, 'edit_payment_setting') }
}

async function pricesOf(ctx: Ctx, version_id: number | null): Promise<PriceShown[]> {
  const { rows } = await sql<PriceShown & { row: PriceRow }>`select z.id,
      json_build_object(${sql.raw(refPairs('i'))}, 'type', i.type, 'is_automatic', i.is_automatic) as item,
      ${refOrNull('p')} as program, ${refOrNull('f')} as faculty, z.level, ${refOrNull('b')} as bylaw,
      ${refOrNull('g')} as nationality_group, z.currency, z.amount::float8 as amount, z.per, ${refOrNull('e')} as entry_year, ${refOrNull('c')} as course, z.repeats,
      case when z.flat_from is not null then json_build_object('from', z.flat_from, 'to', z.flat_to, 'amount', z.flat_amount) end as flat, to_json(z) as row
    from fee_prices z join fee_items i on i.id = z.item_id left join programs p on p.id = z.program_id
      left join faculties f on f.id = z.faculty_id left join bylaws b on b.id = z.bylaw_id
      left join nationality_groups g on g.id = z.nationality_group_id
      left join years e on e.id = z.entry_year_id left join courses c on c.id = z.course_id
    where z.version_id = ${version_id}`.execute(ctx.db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  return inOrder(
    rows.map(({ row }) => row),
    rows.map(({ item }) => ({ ...item, code: item.code ?? '', name_local: item.name_local ?? '' })),
  ).map(({ id }) => {
    const { row: _row, ...shown } = byId.get(id)!
    return shown
  })
}
async function duesOf(ctx: Ctx, version_id: number | null): Promise<DueShown[]> {
  const { rows } =
    await sql<DueShown>`select z.id, z.type, z.instalment, z.due_on, z.share, z.term_kind, ${refOrNull('f')} as faculty, z.level
    from fee_due_dates z left join faculties f on f.id = z.faculty_id where z.version_id = ${version_id}
    order by z.type, f.code nulls first, z.level nulls first, array_position(array['fall', 'spring', 'summer'], z.term_kind) nulls first, z.instalment`.execute(
      ctx.db,
    )
  return rows
}
async function accountsOf(ctx: Ctx, version_id: number | null): Promise<AccountShown[]> {
  const { rows } =
    await sql<AccountShown>`select z.id, z.type, z.currency, ${ref('k')} as bank, ${refOrNull('a')} as income
    from fee_accounts z join banks k on k.id = z.bank_id left join ledger_accounts a on a.role = z.type
    where z.version_id = ${version_id} order by z.type, z.currency, z.id`.execute(ctx.db)
  return rows
}
export async function show(ctx: Ctx, year_id: number, type: FeeType | null, number?: number) {
  const { version_id, ...head } = await settingsHeadOf(ctx, year_id, number)
  const settings = await feeSettingsOf(ctx.db, year_id, number)
  const [prices, due_dates, accounts] = [
    await pricesOf(ctx, version_id),
    await duesOf(ctx, version_id),
    await accountsOf(ctx, version_id),
  ]
  const fines: FineShown[] = (settings?.fines ?? []).map((fine) => ({ ...fine, steps: [...fine.steps] }))
  const of = <Row>(rows: readonly Row[], typeOf: (row: Row) => FeeType): Row[] =>
    rows.filter((row) => type === null || typeOf(row) === type)
  return {
    head,
    settings,
    data: {
      ...head,
      prices: of(prices, (row) => row.item.type),
      due_dates: of(due_dates, (row) => row.type),
      fines: of(fines, (row) => row.type),
      accounts: of(accounts, (row) => row.type),
    },
  }
}
export const lastOf = async (ctx: Ctx, year_id: number) => (await show(ctx, year_id, null)).data
