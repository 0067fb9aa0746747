/** What scholarships there are; those of a year at the paths of its settings. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { handle, type Ctx, type Handled } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { workings, type Ability } from '#kit/server/resource/resource.ts'
import { reaches, requireReach } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { settingsCalls } from '../settings/settings.contract.ts'
import { scholarship } from './scholarship.contract.ts'
import { checkTerms, type Basis } from './scholarship.rules.ts'

type Values = Record<string, unknown>
/** Rights by which somebody changes what scholarships there are. */
const { add: ADD, edit: EDIT, remove: REMOVE, restore: RESTORE, import: IMPORT } = scholarship.permissions
const CHANGES = [ADD, EDIT, REMOVE, RESTORE, IMPORT].filter((key): key is PermissionKey => typeof key === 'string')
const numberOf = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value))

/** Who reaches a part of the university has a say in what is granted there alone. */
async function requirePart(ctx: Ctx, tx: Tx, of: Values): Promise<void> {
  const { rows } = await sql<{ faculty_id: number | null }>`select coalesce(${numberOf(of.faculty_id)}::int,
    (select b.faculty_id from bylaws b where b.id = ${numberOf(of.bylaw_id)}::int)) as faculty_id`.execute(tx)
  requireReach(ctx, CHANGES, { faculty: firstRow(rows).faculty_id })
}

/** Whether somebody has that say; where a bylaw tells the faculty, it is asked when something is changed. */
const ofOwnPart =
  (key: PermissionKey): Ability<typeof scholarship> =>
  (row, ctx) =>
    row.bylaw_id !== null ||
    reaches(ctx, key).some((one) => one.all || (row.faculty_id !== null && one.faculty.includes(row.faculty_id)))

export const scholarships = workings(scholarship, {
  abilities: Object.fromEntries(
    Object.entries({ edit: EDIT, remove: REMOVE, restore: RESTORE }).flatMap(([name, key]) =>
      typeof key === 'string' ? [[name, ofOwnPart(key as PermissionKey)]] : [],
    ),
  ),
  beforeRemove: async (ctx, tx, id) => {
    const { rows } = await sql<Values>`select faculty_id, bylaw_id from scholarships where id = ${id}`.execute(tx)
    await requirePart(ctx, tx, firstRow(rows))
  },
  beforeWrite: async (ctx, tx, merged, current) => {
    for (const of of current ? [current, merged] : [merged]) await requirePart(ctx, tx, of)
    merged.priority ??= 100
    const reasons = checkTerms({
      basis: merged.basis as Basis,
      from_value: numberOf(merged.from_value),
      to_value: numberOf(merged.to_value),
      percent: numberOf(merged.percent),
      amount: numberOf(merged.amount),
      currency: (merged.currency as string | null | undefined) ?? null,
    })
    if (reasons.length) throw new Refusal(422, reasons)
    return {}
  },
})

const remover = scholarships.handlers.find(({ call }) => call.method === 'DELETE')!
/** Removes one as its own call does: not while somebody was granted it. */
export const removeScholarship = (ctx: Ctx, id: number) => remover.handler(ctx, { params: { id } } as never)

const ofYear = async (ctx: Ctx, year_id: number, automatic: boolean) => {
  const { rows: years } = await sql`select from years where id = ${year_id} and removed_at is null`.execute(ctx.db)
  if (!years.length) throw refuse(404, 'not_found')
  const { rows } = await sql<{
    id: number
  }>`select id from scholarships where removed_at is null and (year_id = ${year_id} or year_id is null)
    and (basis <> 'manual') = ${automatic} order by priority, code`.execute(ctx.db)
  const data = []
  for (const { id } of rows) data.push(await scholarships.get(ctx, ctx.db, id, 'access_scholarship'))
  return { data } as never
}
const add = async (ctx: Ctx, year_id: number, input: Values, automatic: boolean) => {
  if ((input.basis !== 'manual') !== automatic)
    throw refuse(422, automatic ? 'scholarship_is_manual' : 'scholarship_is_automatic', undefined, 'basis')
  const id = await ctx.write((tx) =>
    scholarships.insert(ctx, tx, { ...input, year_id, is_active: input.is_active ?? true }),
  )
  return { data: await scholarships.get(ctx, ctx.db, id) } as never
}
/** One that is there for the year, of the kind that the path says. */
const found = async (ctx: Ctx, year_id: number, id: number, automatic: boolean | null): Promise<void> => {
  const { rows } = await sql<{ basis: Basis }>`select basis from scholarships where id = ${id} and removed_at is null
    and (year_id = ${year_id} or year_id is null and exists (select from years y where y.id = ${year_id}))`.execute(
    ctx.db,
  )
  if (!rows[0] || (automatic !== null && (rows[0].basis !== 'manual') !== automatic)) throw refuse(404, 'not_found')
}
const put = async (ctx: Ctx, year_id: number, id: number, input: Values, automatic: boolean) => {
  await found(ctx, year_id, id, automatic)
  await ctx.write((tx) => scholarships.update(ctx, tx, id, input))
  return { data: await scholarships.get(ctx, ctx.db, id) } as never
}

export const scholarshipHandlers: readonly Handled[] = [
  handle(settingsCalls.scholarships, (ctx, { params }) => ofYear(ctx, params.yearId, false)),
  handle(settingsCalls.automatic, (ctx, { params }) => ofYear(ctx, params.yearId, true)),
  handle(settingsCalls.addScholarship, (ctx, { params, body }) => add(ctx, params.yearId, body as Values, false)),
  handle(settingsCalls.addAutomatic, (ctx, { params, body }) => add(ctx, params.yearId, body as Values, true)),
  handle(settingsCalls.putScholarship, (ctx, { params, body }) =>
    put(ctx, params.yearId, params.id, body as Values, false),
  ),
  handle(settingsCalls.putAutomatic, (ctx, { params, body }) =>
    put(ctx, params.yearId, params.id, body as Values, true),
  ),
  handle(settingsCalls.removeScholarship, async (ctx, { params, body }) => {
    const named = body?.payment_setting_scholarship_id ?? params.id
    if (named !== params.id) throw refuse(422, 'not_a_choice', undefined, 'payment_setting_scholarship_id')
    await found(ctx, params.yearId, params.id, null)
    await removeScholarship(ctx, params.id)
    return { data: { id: params.id } }
  }),
]
