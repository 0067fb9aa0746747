import { insertRows } from '#db/bulk.ts'
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { requireReach } from '#kit/server/base/scope.ts'
import { refPairs } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { FeeItem, FeeType, Stacking } from '../pricing.rules.ts'
import { pricesChanged } from '../prices.server.ts'
import { feeSettingsOf } from '../settings.server.ts'
import {
  checkFeeSettings,
  differences,
  type AccountRow,
  type PriceNames,
  type SettingsRows,
  type YearSettings,
} from './settings.rules.ts'

export type SettingsDraft = SettingsRows & Stacking
const EMPTY: SettingsDraft = { prices: [], due_dates: [], fines: [], accounts: [], stacking: 'rest', grant_cap: 10_000 }
export interface Saving {
  readonly what: string
  readonly version?: number | undefined
  readonly note?: string | undefined
}

/** What rows name, for the rules. */
async function namesOf(db: Db | Tx): Promise<PriceNames> {
  const { rows } = await sql<{
    items: FeeItem[]
    programs: { id: number; faculty_id: number; bylaw_id: number }[]
    bylaws: { id: number; faculty_id: number }[]
    banks: { id: number; currency: string }[]
  }>`select (select coalesce(json_agg(json_build_object(${sql.raw(refPairs('i'))}, 'type', i.type, 'is_automatic', i.is_automatic, 'late_only', i.late_only, 'deposit', i.deposit)), '[]') from fee_items i) as items,
      (select coalesce(json_agg(json_build_object('id', p.id, 'faculty_id', p.faculty_id, 'bylaw_id', p.bylaw_id)), '[]') from programs p) as programs,
      (select coalesce(json_agg(json_build_object('id', b.id, 'faculty_id', b.faculty_id)), '[]') from bylaws b) as bylaws,
      (select coalesce(json_agg(json_build_object('id', k.id, 'currency', c.code)), '[]')
        from banks k join currencies c on c.id = k.currency_id where k.removed_at is null) as banks`.execute(db)
  const { items, programs, bylaws, banks } = firstRow(rows)
  const byId = <Row extends { id: number }>(list: readonly Row[]) => new Map(list.map((row) => [row.id, row]))
  return {
    items: byId(items),
    programs: byId(programs),
    bylaws: byId(bylaws),
    banks: new Map(banks.map((bank) => [bank.id, bank.currency])),
  }
}

/** The settings of a year as somebody is about to change them, and what they name. */
export async function drafted(ctx: Ctx, year_id: number): Promise<{ draft: SettingsDraft; names: PriceNames }> {
  const { rows } = await sql`select from years where id = ${year_id} and removed_at is null`.execute(ctx.db)
  if (!rows.length) throw refuse(404, 'not_found')
  const draft: SettingsDraft = (await feeSettingsOf(ctx.db, year_id)) ?? EMPTY
  return { draft, names: await namesOf(ctx.db) }
}

/** Writes a version whole. New rows get their ids; those that were there keep theirs. */
export async function storeVersion(
  tx: Tx,
  year_id: number,
  {
    number,
    what,
    note,
    made_by,
    made_at,
  }: { number: number; what: string; note: string | null; made_by: number | null; made_at?: string },
  rows: SettingsDraft,
): Promise<void> {
  const lacking = [rows.prices, rows.due_dates, rows.fines, rows.accounts].flat().filter((row) => !row.id).length
  const { rows: fresh } = await sql<{
    id: number
  }>`select nextval('fee_row_ids')::int as id from generate_series(1, ${lacking})`.execute(tx)
  const next = fresh.values()
  const [version_id] = await insertRows(
    tx,
    'fee_versions',
    [
      {
        year_id,
        number,
        what,
        note,
        stacking: rows.stacking,
        grant_cap: rows.grant_cap,
        made_by,
        made_at: made_at ?? new Date().toISOString(),
      },
    ],
    { returning: 'id' },
  )
  const whole = <Row extends { id: number }>(list: readonly Row[]): (Row & Record<string, unknown>)[] =>
    list.map((row) => ({ ...row, id: row.id || next.next().value!.id, version_id }))
  await insertRows(
    tx,
    'fee_prices',
    whole(rows.prices).map(({ flat, entry_year_id = null, course_id = null, repeats = null, ...row }) => ({
      ...row,
      entry_year_id,
      course_id,
      repeats,
      flat_from: flat?.from ?? null,
      flat_to: flat?.to ?? null,
      flat_amount: flat?.amount ?? null,
    })),
  )
  await insertRows(tx, 'fee_due_dates', whole(rows.due_dates))
  const fines = whole(rows.fines)
  await insertRows(
    tx,
    'fee_fines',
    fines.map(({ steps: _steps, ...fine }) => fine),
  )
  await insertRows(
    tx,
    'fee_fine_steps',
    fines.flatMap((fine) => fine.steps.map((step) => ({ ...step, version_id, fine_id: fine.id }))),
  )
  await insertRows(tx, 'fee_accounts', whole(rows.accounts))
}

/** To whose part of the university a row belongs; null: to the whole of it. */
const facultyOf = (row: Readonly<Record<string, unknown>> | null, names: PriceNames): number | null =>
  row === null
    ? null
    : ((row.faculty_id as number | null | undefined) ??
      names.programs.get(row.program_id as number)?.faculty_id ??
      names.bylaws.get(row.bylaw_id as number)?.faculty_id ??
      null)

/**
 * Saves a new version: `edit` gives what it holds. Who saves at the same time waits, and is refused where the version seen is
 * not the last one any more. Who reaches a faculty alone changes its rows alone. What changes nothing is no version.
 */
export async function save(
  ctx: Ctx,
  year_id: number,
  { what, version, note }: Saving,
  edit: (draft: SettingsDraft, names: PriceNames, tx: Tx) => SettingsDraft | Promise<SettingsDraft>,
): Promise<YearSettings> {
  return ctx.write(
    async (tx) => {
      const { rows } =
        await sql`select from years where id = ${year_id} and removed_at is null for no key update`.execute(tx)
      if (!rows.length) throw refuse(404, 'not_found')
      const current = await feeSettingsOf(tx, year_id)
      const last = current?.version ?? 0
      if (version !== undefined && version !== last) throw refuse(409, 'changed_meanwhile', { version: last })
      const names = await namesOf(tx)
      const before: SettingsDraft = current ?? EMPTY
      const after = await edit(before, names, tx)
      const reasons = checkFeeSettings(after, names)
      if (reasons.length) throw new Refusal(422, reasons)
      const changes = differences(before, after)
      if (!changes.length) {
        if (!current)
          await storeVersion(
            tx,
            year_id,
            { number: 1, what, note: note ?? null, made_by: ctx.actor?.user_id ?? null },
            after,
          )
        return current ?? (await feeSettingsOf(tx, year_id))!
      }
      for (const change of changes)
        for (const row of [change.before, change.after])
          if (row) requireReach(ctx, 'edit_payment_setting', { faculty: facultyOf(row, names) })
      await storeVersion(
        tx,
        year_id,
        { number: last + 1, what, note: note ?? null, made_by: ctx.actor?.user_id ?? null },
        after,
      )
      // What was charged by earlier prices stays; whoever charges finds what would differ.
      if (current && changes.some((change) => ['prices', 'stacking'].includes(change.part)))
        await pricesChanged(ctx, tx, year_id)
      return (await feeSettingsOf(tx, year_id))!
    },
    note ? { reason: note } : {},
  )
}
type FineInput = {
  readonly currency: 'EGP' | 'USD'
  readonly cap?: number | null | undefined
  readonly steps: readonly { from_days: number; amount: number | null; per_mille: number | null }[]
}
export const fines = (draft: SettingsDraft, type: FeeType, rows: readonly FineInput[]): SettingsDraft['fines'] => [
  ...rows.map(({ currency, cap = null, steps }) => ({
    id: draft.fines.find((fine) => fine.type === type && fine.currency === currency)?.id ?? 0,
    type,
    currency,
    cap,
    steps: steps.toSorted((a, b) => a.from_days - b.from_days),
  })),
  ...draft.fines.filter((row) => row.type !== type),
]
export type AccountInput = Omit<AccountRow, 'id'> & { readonly id?: number | undefined }
export const accounts = (
  draft: SettingsDraft,
  rows: readonly AccountInput[],
  kept: (row: AccountRow) => boolean,
): AccountRow[] => [
  ...rows.map((row) => ({ ...row, id: draft.accounts.some((account) => account.id === row.id) ? row.id! : 0 })),
  ...draft.accounts.filter(kept),
]
