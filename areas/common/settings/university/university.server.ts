import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import type { Config } from '#kit/server/base/config.ts'
import { handle } from '#kit/server/base/context.ts'
import type { Ctx, Handled } from '#kit/server/base/context.ts'
import { parse, refuse } from '#kit/server/base/errors.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { modesNow } from '#kit/server/base/modes.ts'
import { hijriCorrections } from '../hijri/corrections.server.ts'
import {
  OWN_GROUPS,
  SETTING_GROUPS,
  SETTING_NAMES,
  UNIVERSITY_SETTINGS,
  universityCalls,
} from './university.contract.ts'
import type { OwnGroup, SettingName } from './university.contract.ts'

interface Setting {
  readonly id: number
  readonly name: SettingName
  readonly value: string
}

/** Settings as stored, with what they begin with where nobody changed them. Missing rows are written. */
async function settings(db: Db | Tx): Promise<Setting[]> {
  const read = () =>
    sql<{ id: number; name: SettingName; value: string }>`
      select id, key as name, value #>> '{}' as value from settings where key = any(${SETTING_NAMES}) and removed_at is null`.execute(
      db,
    )
  let { rows } = await read()
  if (rows.length < SETTING_NAMES.length) {
    const missing = SETTING_NAMES.filter((name) => !rows.some((row) => row.name === name)).map((name) => {
      const { group, public: open, initial } = UNIVERSITY_SETTINGS[name]
      return { key: name, value: initial, grouping: group, public: open }
    })
    await sql`insert into settings (key, value, grouping, public)
      select x.key, to_jsonb(x.value), x.grouping, x.public
      from jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) as x (key text, value text, grouping text, public boolean)
      on conflict (key) do nothing`.execute(db)
    ;({ rows } = await read())
  }
  const found = new Map(rows.map((row) => [row.name, row]))
  return SETTING_NAMES.flatMap((name) => found.get(name) ?? [])
}

const isOwnGroup = (group: string): group is OwnGroup => group in OWN_GROUPS

/** The settings that the reader may see: who sets up a group of its own sees that one. */
const seenBy = (ctx: Ctx, all: readonly Setting[]) =>
  all.flatMap((one) => {
    const { group } = UNIVERSITY_SETTINGS[one.name]
    const may = ctx.can('access_management', 'edit_university') || (isOwnGroup(group) && ctx.can(OWN_GROUPS[group]))
    return may ? [{ ...one, group }] : []
  })

/** Bytes of a logo or icon: it is fetched with every first visit. */
const LARGEST_PICTURE = 500_000

/** A picture that is shown to everybody: handed in by who sets it, of a kind that browsers show and never run. */
async function checkPicture(ctx: Ctx, tx: Tx, name: SettingName, value: string, before: string): Promise<void> {
  if (value === '' || value === before) return
  const { rows } = await sql<{ ext: string; size: number }>`
    select ext, size from files where id = ${Number(value)} and created_by = ${actorIn(ctx).user_id}`.execute(tx)
  const [file] = rows
  if (!file) throw refuse(422, 'not_found', {}, name)
  if (!['png', 'jpg'].includes(file.ext)) throw refuse(422, 'picture_kind', {}, name)
  if (file.size > LARGEST_PICTURE) throw refuse(422, 'file_too_large', { max: LARGEST_PICTURE / 1_000_000 }, name)
}

/**
 * Saves settings, all or none. In read-only mode only that mode can be ended. Where many save at once they wait for each
 * other, so that what one is compared with is what stands there.
 *
 * @param at name of the field that reasons are told at, where one setting is saved by its id
 */
const save = (ctx: Ctx, given: Readonly<Partial<Record<SettingName, string>>>, at?: string): Promise<Setting[]> =>
  ctx.write(async (tx) => {
    await settings(tx)
    const names = Object.keys(given).toSorted() as SettingName[]
    const { rows } = await sql<Setting>`select id, key as name, value #>> '{}' as value from settings
      where key = any(${[...names, 'maintenance_from', 'maintenance_until', 'read_only']}) order by key for update`.execute(
      tx,
    )
    const before = new Map(rows.map((row) => [row.name, row]))
    const readOnly = before.get('read_only')?.value === 'true'
    const changed: Setting[] = []
    for (const name of names) {
      const { schema, ...definition } = UNIVERSITY_SETTINGS[name]
      const value = parse(schema, given[name], [at ?? name]) as string
      const was = before.get(name)!
      if (value === was.value) continue
      if (readOnly && name !== 'read_only') throw refuse(403, 'you are in readonly mode')
      if ('asked' in definition && definition.asked === 'picture') await checkPicture(ctx, tx, name, value, was.value)
      await sql`update settings set value = ${JSON.stringify(value)}::jsonb where id = ${was.id}`.execute(tx)
      changed.push({ ...was, value })
    }
    const now = (name: SettingName) => changed.find((one) => one.name === name)?.value ?? before.get(name)?.value ?? ''
    const [from, until] = [now('maintenance_from'), now('maintenance_until')]
    if (from && until && Date.parse(until) <= Date.parse(from))
      throw refuse(422, 'maintenance_ends_before', {}, at ?? 'maintenance_until')
    return changed
  })

/** Which setting of these groups an id names. @throws {Refusal} 404 */
async function nameOf(ctx: Ctx, id: number, group?: OwnGroup): Promise<SettingName> {
  const { rows } = await sql<{ name: SettingName }>`
    select key as name from settings where id = ${id} and key = any(${SETTING_NAMES}) and removed_at is null`.execute(
    ctx.db,
  )
  const name = rows[0]?.name
  if (!name || (group && UNIVERSITY_SETTINGS[name].group !== group)) throw refuse(404, 'not_found')
  return name
}
const saveOne = async (ctx: Ctx, id: number, value: string, group?: OwnGroup) => {
  const name = await nameOf(ctx, id, group)
  await save(ctx, { [name]: value }, 'value')
  const stored = (await settings(ctx.db)).find((one) => one.name === name)!
  return { data: stored }
}
const saveGroup = async (ctx: Ctx, given: Readonly<Partial<Record<SettingName, string>>>, group: OwnGroup) => {
  for (const name of Object.keys(given) as SettingName[])
    if (UNIVERSITY_SETTINGS[name].group !== group) throw refuse(422, 'unknown_field', { field: name }, name)
  await save(ctx, given)
  return { data: seenBy(ctx, await settings(ctx.db)).filter((one) => one.group === group) }
}

/** Values of a group, for the area that works by them. */
export async function universitySettingsOf<const N extends SettingName>(
  { db }: Pick<Ctx, 'db'>,
  names: readonly N[],
): Promise<Record<N, string>> {
  const { rows } = await sql<{ name: string; value: string }>`
    select key as name, value #>> '{}' as value from settings where key = any(${[...names]}) and removed_at is null`.execute(
    db,
  )
  const stored = new Map<string, string>(rows.map((row) => [row.name, row.value]))
  return Object.fromEntries(
    names.map((name) => [name, stored.get(name) ?? UNIVERSITY_SETTINGS[name].initial]),
  ) as Record<N, string>
}

/** What anyone may know: pictures by their addresses, and whether the university is closed now. */
async function publicData(ctx: Ctx): Promise<Record<string, string>> {
  const open = (await settings(ctx.db)).filter(({ name }) => UNIVERSITY_SETTINGS[name].public)
  const data = Object.fromEntries(open.map(({ name, value }) => [name as string, value]))
  const pictures = (['university_logo', 'favicon'] as const).filter((name) => /^\d+$/.test(data[name] ?? ''))
  if (pictures.length) {
    const { rows } = await sql<{ id: number; name: string }>`
      select id, name from files where id = any(${pictures.map((name) => Number(data[name]))}::int[])`.execute(ctx.db)
    for (const name of pictures) {
      const file = rows.find((row) => row.id === Number(data[name]))
      data[name] = file ? ctx.services.files.link(file, 'everybody') : ''
    }
  }
  data.maintenance = String((await modesNow(ctx.services)).maintenance)
  // Months as `1448-9-2027-02-09`: corrections of the calendar, for whoever shows Hijri dates.
  const months = (await hijriCorrections(ctx.db)).map((one) => `${one.year}-${one.month}-${one.first_day}`)
  return { ...data, hijri_months: months.join(','), ...singleSignOn(ctx.services.config) }
}

/** Types of users by way of single sign-on; where there is one way, it is the one. */
function singleSignOn({ oidc, saml }: Config): { sso?: string; sso_saml?: string } {
  const first = oidc ?? saml
  return {
    ...(first && { sso: first.entries.join(',') }),
    ...(oidc && saml && { sso_saml: saml.entries.join(',') }),
  }
}

export const universityHandlers: readonly Handled[] = [
  handle(universityCalls.universityData, async (ctx) => ({ data: await publicData(ctx) })),
  handle(universityCalls.universityDataGrouped, async (ctx) => {
    const all = await settings(ctx.db)
    return {
      data: Object.keys(SETTING_GROUPS).map((group) => ({
        group,
        settings: all.filter(({ name }) => UNIVERSITY_SETTINGS[name].group === group),
      })),
    }
  }),
  handle(universityCalls.updateUniversity, (ctx, { params, body }) => saveOne(ctx, params.id, body.value)),
  handle(universityCalls.settings, async (ctx) => ({ data: seenBy(ctx, await settings(ctx.db)) })),
  handle(universityCalls.setting, async (ctx, { params }) => {
    const found = seenBy(ctx, await settings(ctx.db)).find((one) => one.id === params.id)
    if (!found) throw refuse(404, 'not_found')
    return { data: found }
  }),
  handle(universityCalls.updateSettings, async (ctx, { body }) => {
    await save(ctx, body)
    return { data: seenBy(ctx, await settings(ctx.db)) }
  }),
  handle(universityCalls.updateSetting, (ctx, { params, body }) => saveOne(ctx, params.id, body.value)),
  handle(universityCalls.updateEnrollment, (ctx, { body }) => saveGroup(ctx, body, 'enrollment')),
  handle(universityCalls.updateOneOfEnrollment, (ctx, { params, body }) =>
    saveOne(ctx, params.id, body.value, 'enrollment'),
  ),
  handle(universityCalls.updateGraduation, (ctx, { body }) => saveGroup(ctx, body, 'graduation_certificate')),
  handle(universityCalls.updateOneOfGraduation, (ctx, { params, body }) =>
    saveOne(ctx, params.id, body.value, 'graduation_certificate'),
  ),
]
