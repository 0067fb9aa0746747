/** Settings of academic years: read as they are shown, and saved as a new version each time. */
import { firstRow } from '#db/rows.ts'
import type { AnswerOf } from '#kit/contract/index.ts'
import { addDays } from '#kit/contract/day.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { ref, refPairs } from '#kit/server/base/sql.ts'
import { sql } from 'kysely'
import type { DueDate } from '../instalments.rules.ts'
import { FEE_TYPES, type FeeType, type PriceRow } from '../pricing.rules.ts'
import { feeSettingsOf } from '../settings.server.ts'
import { settingsCalls, type SettingsShown } from './settings.contract.ts'
import { checkFeeSettings, differences, type AccountRow, type PriceNames, type YearSettings } from './settings.rules.ts'
import { simulateSettings } from './simulation.server.ts'
import { drafted, type SettingsDraft, type Saving, save, fines, type AccountInput, accounts } from './version.server.ts'
import { yearRef, settingsHeadOf, show, lastOf } from './shown.server.ts'

// --- Rows that came -----------------------------------------------------------------------------------------------------

type PriceInput = Partial<Omit<PriceRow, 'id'>> & { readonly id?: number | undefined }
type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined | null }
const priceOf = (row: Loose<PriceInput>, was: PriceRow | undefined): PriceRow => {
  const or = <K extends keyof PriceRow>(name: K): PriceRow[K] =>
    (row[name as never] === undefined ? (was?.[name] ?? null) : row[name as never]) as PriceRow[K]
  return {
    id: was?.id ?? 0,
    item_id: or('item_id'),
    program_id: or('program_id'),
    faculty_id: or('faculty_id'),
    level: or('level'),
    bylaw_id: or('bylaw_id'),
    nationality_group_id: or('nationality_group_id'),
    currency: or('currency'),
    amount: or('amount'),
    per: or('per'),
    entry_year_id: or('entry_year_id'),
    course_id: or('course_id'),
    repeats: or('repeats'),
    flat: or('flat'),
  }
}
/** Rows that were sent whole: each with an id is one that is there, and only once. */
const sent = (rows: readonly Loose<PriceInput>[], of: readonly PriceRow[]): PriceRow[] => {
  const known = new Map(of.map((row) => [row.id, row]))
  return rows.map((row, i) => {
    const was = row.id ? known.get(row.id) : undefined
    if (row.id && !was) throw refuse(422, 'fee_row_unknown', { id: row.id }, `prices.${i}.id`)
    if (row.id) known.delete(row.id)
    // What is not said of a row that is sent whole is nothing.
    return { ...priceOf(row, undefined), id: was?.id ?? 0 }
  })
}
const typeOfRow = (row: PriceRow, names: PriceNames): FeeType | undefined => names.items.get(row.item_id)?.type
function onlyOf(rows: readonly PriceRow[], names: PriceNames, type: FeeType): void {
  const reasons = rows.flatMap((row, i) =>
    typeOfRow(row, names) === type ? [] : [{ field: `prices.${i}.item_id`, code: 'fee_item_of_type' }],
  )
  if (reasons.length) throw new Refusal(422, reasons)
}
interface DueInput {
  readonly id?: number | undefined
  readonly instalment: number
  readonly due_on: string
  readonly share: number
  readonly term_kind?: DueDate['term_kind'] | undefined
  readonly faculty_id?: number | null | undefined
  readonly level?: number | null | undefined
}
const dueOf = (row: DueInput, type: FeeType): DueDate => ({
  id: row.id ?? 0,
  type,
  instalment: row.instalment,
  due_on: row.due_on,
  share: row.share,
  term_kind: row.term_kind ?? null,
  faculty_id: row.faculty_id ?? null,
  level: row.level ?? null,
})
/** Those of a type replaced: first what came, so that a refusal names its place. */
const dues = (draft: SettingsDraft, type: FeeType, rows: readonly DueInput[]): DueDate[] => [
  ...rows.map((row) => {
    const known = draft.due_dates.some((one) => one.id === row.id && one.type === type)
    return { ...dueOf(row, type), id: known ? row.id! : 0 }
  }),
  ...draft.due_dates.filter((row) => row.type !== type),
]
/** A refusal of a form for one row: whatever is wrong is wrong with it, the others stood together before. */
const asForm = (work: Promise<YearSettings>): Promise<YearSettings> =>
  work.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error
    throw new Refusal(
      error.status,
      error.reasons.map(({ code, field, data }) => ({
        code: code === 'fee_prices_equal' ? 'fee_price_there' : code,
        field: field?.replace(/^(?:prices|accounts)\.\d+\./, '') ?? null,
        data,
      })),
    )
  })

/** Ids of the rows that are new in a version, against those before. */
const added = <Row extends { readonly id: number }>(after: readonly Row[], before: readonly Row[]): number => {
  const known = new Set(before.map((row) => row.id))
  return after.find((row) => !known.has(row.id))!.id
}
async function oneAccount(ctx: Ctx, year_id: number, id: number) {
  const { accounts: all, version } = await lastOf(ctx, year_id)
  const found = all.find((row) => row.id === id)
  if (!found) throw refuse(404, 'not_found')
  return { data: found, version }
}
async function onePrice(ctx: Ctx, year_id: number, id: number) {
  const { prices, version } = await lastOf(ctx, year_id)
  const found = prices.find((row) => row.id === id)
  if (!found) throw refuse(404, 'not_found')
  return { data: found, version }
}
const changeAccount = async (
  ctx: Ctx,
  year_id: number,
  id: number,
  { version, note, ...given }: Loose<AccountInput> & { version?: number | undefined; note?: string | undefined },
) => {
  await asForm(
    save(ctx, year_id, { what: 'accounts', version, note }, (draft) => {
      const was = draft.accounts.find((row) => row.id === id)
      if (!was) throw refuse(404, 'not_found')
      const row = {
        ...was,
        ...(Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        ) as Partial<AccountRow>),
      }
      return { ...draft, accounts: [row, ...draft.accounts.filter((account) => account.id !== id)] }
    }),
  )
  return oneAccount(ctx, year_id, id)
}
/** Prices of which some stay: those that are sent take the place of the others. */
const replace = async (
  ctx: Ctx,
  year_id: number,
  saving: Saving,
  rows: readonly Loose<PriceInput>[],
  isOne: (row: PriceRow, names: PriceNames) => boolean,
) => {
  await save(ctx, year_id, saving, (draft, names) => {
    const mine = draft.prices.filter((row) => isOne(row, names))
    const given = sent(rows, mine)
    const reasons = given.flatMap((row, i) =>
      isOne(row, names) ? [] : [{ field: `prices.${i}.item_id`, code: 'fee_item_of_type' }],
    )
    if (reasons.length) throw new Refusal(422, reasons)
    return { ...draft, prices: [...given, ...draft.prices.filter((row) => !isOne(row, names))] }
  })
}
const isSummer = (row: PriceRow, names: PriceNames) => typeOfRow(row, names) === 'summer'
const isByLevel = (row: PriceRow, names: PriceNames) =>
  row.level !== null && ['tuition', 'hours'].includes(typeOfRow(row, names) ?? '')

/** The same days a year later; raised amounts in whole pounds or dollars, upwards. */
const raised = (amount: number, raise: number): number =>
  raise === 0 ? amount : Math.ceil((amount * (1000 + raise)) / 100_000) * 100

export const settingsHandlers: readonly Handled[] = [
  handle(settingsCalls.overview, async (ctx) => {
    const { rows: years } = await sql<{
      year: SettingsShown['year']
      start_date: string
      version: number
      made_at: string | null
      made_by: SettingsShown['made_by']
      prices: Partial<Record<FeeType, number>>
      due_dates: Partial<Record<FeeType, number>>
      is_current: boolean
    }>`select ${yearRef('y')} as year, y.start_date, coalesce(v.number, 0) as version, v.made_at,
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as made_by,
        coalesce((select json_object_agg(c.type, c.n) from (select i.type, count(*) as n from fee_prices p join fee_items i on i.id = p.item_id
          where p.version_id = v.id group by i.type) c), '{}') as prices,
        coalesce((select json_object_agg(c.type, c.n) from (select d.type, count(*) as n from fee_due_dates d
          where d.version_id = v.id group by d.type) c), '{}') as due_dates,
        university_today() between y.start_date and y.end_date as is_current
      from years y left join fee_versions v on v.year_id = y.id and v.number = (select max(number) from fee_versions w where w.year_id = y.id)
        left join users u on u.id = v.made_by
      where y.removed_at is null order by y.start_date desc`.execute(ctx.db)
    const current = years.find((row) => row.is_current)?.year.id ?? null
    const { rows: certificates } = await sql<{
      id: number
      name: string
      name_local: string
      code: string
      payment_settings: { value_local: number | null; value_usd: number | null }
    }>`select i.id, i.name, i.name_local, i.code, json_build_object(
        'value_local', (select min(p.amount) from fee_prices p where p.version_id = v.id and p.item_id = i.id and p.currency = 'EGP'),
        'value_usd', (select min(p.amount) from fee_prices p where p.version_id = v.id and p.item_id = i.id and p.currency = 'USD')) as payment_settings
      from fee_items i left join fee_versions v on v.year_id = ${current}
        and v.number = (select max(number) from fee_versions w where w.year_id = v.year_id)
      where i.type = 'certificates' and i.removed_at is null order by i.code`.execute(ctx.db)
    const whole = (counts: Partial<Record<FeeType, number>>) =>
      Object.fromEntries(FEE_TYPES.map((type) => [type, counts[type] ?? 0])) as Record<FeeType, number>
    return {
      data: {
        years: years.map(({ is_current: _is, ...row }) => ({
          ...row,
          prices: whole(row.prices),
          due_dates: whole(row.due_dates),
        })),
        certificates,
        current_year_id: current,
      },
    }
  }),
  handle(settingsCalls.ofType, async (ctx, { params }) => ({
    data: (await show(ctx, params.yearId, params.type)).data,
  })),
  handle(settingsCalls.putType, async (ctx, { params: { yearId, type }, body }) => {
    await save(ctx, yearId, { what: type, version: body.version, note: body.note }, (draft, names) => {
      let next = draft
      if (body.prices) {
        const mine = draft.prices.filter((row) => typeOfRow(row, names) === type)
        const given = sent(body.prices, mine)
        onlyOf(given, names, type)
        next = { ...next, prices: [...given, ...draft.prices.filter((row) => typeOfRow(row, names) !== type)] }
      }
      if (body.due_dates) next = { ...next, due_dates: dues(draft, type, body.due_dates) }
      if (body.fines) next = { ...next, fines: fines(draft, type, body.fines) }
      return next
    })
    return { data: (await show(ctx, yearId, type)).data }
  }),
  handle(settingsCalls.simulate, async (ctx, { params, body: { prices, removed, faculty_id } }) => {
    const { draft, names } = await drafted(ctx, params.yearId)
    const known = new Map(draft.prices.map((row) => [row.id, row]))
    const gone = new Set([...removed, ...prices.flatMap((row) => row.id ?? [])])
    for (const [i, row] of prices.entries())
      if (row.id && !known.has(row.id)) throw refuse(422, 'fee_row_unknown', { id: row.id }, `prices.${i}.id`)
    // Each new row has a number of its own, that nothing else has.
    const rows = prices.map((row, i) => ({ ...priceOf(row, known.get(row.id ?? 0)), id: row.id ?? -1 - i }))
    const next = { ...draft, prices: [...rows, ...draft.prices.filter((row) => !gone.has(row.id))] }
    const reasons = checkFeeSettings(next, names)
    if (reasons.length) throw new Refusal(422, reasons)
    const priced = (settings: SettingsDraft) => ({ ...settings, items: [...names.items.values()] })
    return { data: await simulateSettings(ctx, params.yearId, faculty_id ?? null, priced(draft), priced(next)) }
  }),
  handle(settingsCalls.price, async (ctx, { params }) => ({
    data: (await onePrice(ctx, params.yearId, params.id)).data,
  })),
  handle(settingsCalls.addPrice, async (ctx, { params, body: { version, note, ...row } }) => {
    let before: readonly PriceRow[] = []
    const after = await asForm(
      save(ctx, params.yearId, { what: 'prices', version, note }, (draft) => {
        before = draft.prices
        return { ...draft, prices: [priceOf(row, undefined), ...draft.prices] }
      }),
    )
    return onePrice(ctx, params.yearId, added(after.prices, before))
  }),
  handle(settingsCalls.putPrice, async (ctx, { params, body: { version, note, ...row } }) => {
    await asForm(
      save(ctx, params.yearId, { what: 'prices', version, note }, (draft) => {
        const was = draft.prices.find((one) => one.id === params.id)
        if (!was) throw refuse(404, 'not_found')
        return { ...draft, prices: [priceOf(row, was), ...draft.prices.filter((one) => one.id !== params.id)] }
      }),
    )
    return onePrice(ctx, params.yearId, params.id)
  }),
  handle(settingsCalls.removePrice, async (ctx, { params, body }) => {
    await save(ctx, params.yearId, { what: 'prices', ...body }, (draft) => {
      if (!draft.prices.some((one) => one.id === params.id)) throw refuse(404, 'not_found')
      return { ...draft, prices: draft.prices.filter((one) => one.id !== params.id) }
    })
    return { data: { id: params.id } }
  }),
  handle(settingsCalls.accounts, async (ctx, { params }) => {
    const { accounts: data, version } = await lastOf(ctx, params.yearId)
    return { data, version }
  }),
  handle(settingsCalls.addAccount, async (ctx, { params, body: { version, note, ...row } }) => {
    let before: readonly AccountRow[] = []
    const after = await asForm(
      save(ctx, params.yearId, { what: 'accounts', version, note }, (draft) => {
        before = draft.accounts
        return { ...draft, accounts: [{ id: 0, ...row }, ...draft.accounts] }
      }),
    )
    return oneAccount(ctx, params.yearId, added(after.accounts, before))
  }),
  handle(settingsCalls.changeAccount, (ctx, { params, body }) => changeAccount(ctx, params.yearId, params.id, body)),
  handle(settingsCalls.putAccount, (ctx, { params, body }) => changeAccount(ctx, params.yearId, params.id, body)),
  handle(settingsCalls.putAccounts, async (ctx, { params, body }) => {
    await save(ctx, params.yearId, { what: 'accounts', version: body.version, note: body.note }, (draft) => ({
      ...draft,
      accounts: accounts(draft, body.accounts, () => false),
    }))
    const { accounts: data, version } = await lastOf(ctx, params.yearId)
    return { data, version }
  }),
  handle(settingsCalls.removeAccount, async (ctx, { params, body }) => {
    await save(ctx, params.yearId, { what: 'accounts', ...body }, (draft) => {
      if (!draft.accounts.some((account) => account.id === params.id)) throw refuse(404, 'not_found')
      return { ...draft, accounts: draft.accounts.filter((account) => account.id !== params.id) }
    })
    return { data: { id: params.id } }
  }),
  handle(settingsCalls.accountsOf, async (ctx, { params }) => {
    const { data } = await show(ctx, params.yearId, params.type)
    return { data: data.accounts, version: data.version }
  }),
  handle(settingsCalls.putAccountsOf, async (ctx, { params: { yearId, type }, body }) => {
    await save(ctx, yearId, { what: 'accounts', version: body.version, note: body.note }, (draft) => ({
      ...draft,
      accounts: accounts(
        draft,
        body.accounts.map((row) => ({ ...row, type })),
        (row) => row.type !== type,
      ),
    }))
    const { data } = await show(ctx, yearId, type)
    return { data: data.accounts, version: data.version }
  }),
  handle(settingsCalls.dueDate, async (ctx, { params: { yearId, type }, body: { version, note, share, ...row } }) => {
    await save(ctx, yearId, { what: 'due_dates', version, note }, (draft) => {
      const given = dueOf({ ...row, share: share ?? 1000 }, type)
      const inSet = (one: DueDate) =>
        one.type === type &&
        one.term_kind === given.term_kind &&
        one.faculty_id === given.faculty_id &&
        one.level === given.level
      const set = draft.due_dates.filter(inSet)
      const was = set.find((one) => one.instalment === given.instalment)
      const others = draft.due_dates.filter((date) => !inSet(date))
      if (was && share === undefined)
        return {
          ...draft,
          due_dates: [...set.map((one) => (one === was ? { ...one, due_on: given.due_on } : one)), ...others],
        }
      const whole = [...set.filter((one) => one !== was), { ...given, id: was?.id ?? 0 }].toSorted(
        (a, b) => a.instalment - b.instalment,
      )
      // Without a share all are equal; with one, the others share what remains. The last one has what is left over.
      const rest = 1000 - (share ?? 0)
      const sharing = whole.filter((one) => share === undefined || one.instalment !== given.instalment)
      const each = sharing.length ? Math.floor(rest / sharing.length) : 0
      const shared = whole.map((one) => {
        if (!sharing.includes(one)) return { ...one, share: share! }
        return { ...one, share: one === sharing.at(-1) ? rest - each * (sharing.length - 1) : each }
      })
      return { ...draft, due_dates: [...shared, ...others] }
    })
    const { data } = await show(ctx, yearId, type)
    return { data: data.due_dates, version: data.version }
  }),
  handle(settingsCalls.dueDates, async (ctx, { params: { yearId, type }, body }) => {
    await save(ctx, yearId, { what: 'due_dates', version: body.version, note: body.note }, (draft) => ({
      ...draft,
      due_dates: dues(draft, type, body.due_dates),
    }))
    const { data } = await show(ctx, yearId, type)
    return { data: data.due_dates, version: data.version }
  }),
  handle(settingsCalls.changeDueDate, async (ctx, { params: { yearId, type, id }, body }) => {
    await save(ctx, yearId, { what: 'due_dates', version: body.version, note: body.note }, (draft) => {
      if (!draft.due_dates.some((date) => date.id === id && date.type === type)) throw refuse(404, 'not_found')
      return {
        ...draft,
        due_dates: draft.due_dates.map((date) => (date.id === id ? { ...date, due_on: body.due_on } : date)),
      }
    })
    const { data } = await show(ctx, yearId, type)
    return { data: data.due_dates, version: data.version }
  }),
  handle(settingsCalls.allDueDates, async (ctx, { params }) => {
    const { due_dates: data, version } = await lastOf(ctx, params.yearId)
    return { data, version }
  }),
  handle(settingsCalls.saveFines, async (ctx, { params: { yearId, id: type }, body }) => {
    await save(ctx, yearId, { what: 'fines', version: body.version, note: body.note }, (draft) => ({
      ...draft,
      fines: fines(draft, type, body.fines),
    }))
    const { data } = await show(ctx, yearId, type)
    return { data: data.fines, version: data.version }
  }),
  handle(settingsCalls.putStacking, async (ctx, { params, body: { version, note, ...terms } }) => {
    await save(ctx, params.yearId, { what: 'stacking', version, note }, (draft) => ({ ...draft, ...terms }))
    return { data: await lastOf(ctx, params.yearId) }
  }),
  handle(settingsCalls.copyFrom, async (ctx, { params: { yearId, id }, body }) => {
    await save(ctx, yearId, { what: 'copy', version: body.version, note: body.note }, async (draft, _names, tx) => {
      if (draft.prices.length) throw refuse(409, 'fee_year_has_prices')
      const from = id === yearId ? null : await feeSettingsOf(tx, id)
      if (!from) throw refuse(422, 'fee_nothing_to_copy', undefined, 'id')
      const { rows } = await sql<{ days: number }>`select b.start_date - a.start_date as days from years a, years b
        where a.id = ${id} and b.id = ${yearId}`.execute(tx)
      const days = firstRow(rows).days
      const fresh = <Row extends object>(row: Row): Row => ({ ...row, id: 0 })
      return {
        prices: from.prices.map((row) => ({
          ...fresh(row),
          amount: raised(row.amount, body.raise),
          flat: row.flat ? { ...row.flat, amount: raised(row.flat.amount, body.raise) } : null,
        })),
        due_dates: from.due_dates.map((row) => ({ ...fresh(row), due_on: addDays(row.due_on, days) })),
        fines: from.fines.map(fresh),
        accounts: from.accounts.map(fresh),
        stacking: from.stacking,
        grant_cap: from.grant_cap,
      }
    })
    return { data: await lastOf(ctx, yearId) }
  }),
  handle(settingsCalls.versions, async (ctx, { params }) => {
    await settingsHeadOf(ctx, params.yearId)
    const { rows } = await sql<{
      number: number
      what: string
      note: string | null
      made_at: string
      made_by: SettingsShown['made_by']
    }>`select v.number, v.what, v.note, v.made_at,
        case when u.id is not null then json_build_object('id', u.id, 'name', u.name, 'name_local', u.name_local) end as made_by
      from fee_versions v left join users u on u.id = v.made_by where v.year_id = ${params.yearId} order by v.number desc`.execute(
      ctx.db,
    )
    return { data: rows }
  }),
  handle(settingsCalls.version, async (ctx, { params: { yearId, number } }) => {
    const { head, settings, data } = await show(ctx, yearId, null, number)
    const before = number > 1 ? await feeSettingsOf(ctx.db, yearId, number - 1) : null
    return {
      data: { ...data, what: head.what ?? '', note: head.note, changes: before ? differences(before, settings!) : [] },
    }
  }),
  handle(settingsCalls.level, async (ctx, { params }) => {
    const { prices, version } = await lastOf(ctx, params.id)
    return { data: prices.filter((row) => row.level !== null && ['tuition', 'hours'].includes(row.item.type)), version }
  }),
  handle(settingsCalls.putLevel, async (ctx, { params, body }) => {
    await replace(ctx, params.id, { what: 'levels', version: body.version, note: body.note }, body.prices, isByLevel)
    const { prices, version } = await lastOf(ctx, params.id)
    return { data: prices.filter((row) => row.level !== null && ['tuition', 'hours'].includes(row.item.type)), version }
  }),
  handle(settingsCalls.summer, async (ctx, { params }) => {
    const { data } = await show(ctx, params.id, 'summer')
    return { data: data.prices, version: data.version }
  }),
  handle(settingsCalls.putSummer, async (ctx, { params, body }) => {
    await replace(ctx, params.id, { what: 'summer', version: body.version, note: body.note }, body.prices, isSummer)
    const { data } = await show(ctx, params.id, 'summer')
    return { data: data.prices, version: data.version }
  }),
  handle(settingsCalls.lookups, async (ctx) => {
    const list = (alias: string, more: string, from: string) =>
      sql.raw(
        `(select coalesce(json_agg(json_build_object(${refPairs(alias)}${more}) order by ${alias}.code), '[]') from ${from})`,
      )
    const { rows } = await sql<AnswerOf<typeof settingsCalls.lookups>>`select json_build_object(
        'years', (select coalesce(json_agg(${ref('y')} order by y.start_date desc), '[]') from years y where y.removed_at is null),
        'items', ${list('i', `, 'type', i.type, 'is_automatic', i.is_automatic`, 'fee_items i where i.removed_at is null')},
        'faculties', ${list('f', '', 'faculties f where f.removed_at is null')},
        'programs', ${list('p', `, 'faculty_id', p.faculty_id, 'bylaw_id', p.bylaw_id`, 'programs p where p.removed_at is null')},
        'bylaws', ${list('b', `, 'faculty_id', b.faculty_id`, 'bylaws b where b.removed_at is null')},
        'levels', (select coalesce(json_agg(distinct l.level), '[]') from bylaw_levels l),
        'nationality_groups', ${list('g', `, 'currency', g.currency`, 'nationality_groups g where g.removed_at is null')},
        'banks', ${list('k', `, 'currency', c.code`, 'banks k join currencies c on c.id = k.currency_id where k.removed_at is null')}
      ) as data`.execute(ctx.db)
    return { data: firstRow(rows).data }
  }),
]
