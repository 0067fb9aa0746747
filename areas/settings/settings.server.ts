import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'
import { defineAreaServer } from '#kit/server/area.ts'
import { handle } from '#kit/server/context.ts'
import { parse, refuse } from '#kit/server/errors.ts'
import { logHandlers } from './logs/logs.server.ts'
import { settingsArea } from './settings.contract.ts'
import {
  SETTING_GROUPS,
  SETTING_NAMES,
  UNIVERSITY_SETTINGS,
  universityCalls,
} from './university/university.contract.ts'
import type { SettingName } from './university/university.contract.ts'

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
    for (const name of SETTING_NAMES) {
      const { group, public: open, initial } = UNIVERSITY_SETTINGS[name]
      await sql`insert into settings (key, value, grouping, public) values (${name}, ${JSON.stringify(initial)}::jsonb, ${group}, ${open})
        on conflict (key) do nothing`.execute(db)
    }
    ;({ rows } = await read())
  }
  const found = new Map(rows.map((row) => [row.name, row]))
  return SETTING_NAMES.flatMap((name) => found.get(name) ?? [])
}

export const settingsServer = defineAreaServer({
  area: settingsArea,
  handlers: [
    logHandlers,
    handle(universityCalls.universityData, async (ctx) => ({
      data: {
        ...Object.fromEntries(
          (await settings(ctx.db))
            .filter(({ name }) => UNIVERSITY_SETTINGS[name].public)
            .map(({ name, value }) => [name, value]),
        ),
        // Types of users who come in by single sign-on.
        ...(ctx.services.config.oidc && { sso: ctx.services.config.oidc.entries.join(',') }),
      },
    })),
    handle(universityCalls.universityDataGrouped, async (ctx) => {
      const all = await settings(ctx.db)
      return {
        data: Object.keys(SETTING_GROUPS).map((group) => ({
          group,
          settings: all.filter(({ name }) => UNIVERSITY_SETTINGS[name].group === group),
        })),
      }
    }),
    handle(universityCalls.updateUniversity, async (ctx, { params, body }) => ({
      data: await ctx.write(async (tx) => {
        const { rows } = await sql<{ name: SettingName }>`
          select key as name from settings where id = ${params.id} and key = any(${SETTING_NAMES}) for update`.execute(
          tx,
        )
        const name = rows[0]?.name
        if (!name) throw refuse(404, 'not_found')
        const { rows: mode } = await sql<{ on: boolean }>`
          select coalesce((select value #>> '{}' = 'true' from settings where key = 'read_only'), false) as on`.execute(
          tx,
        )
        if (mode[0]!.on && name !== 'read_only') throw refuse(403, 'you are in readonly mode')
        const value = parse(UNIVERSITY_SETTINGS[name].schema, body.value, ['value']) as string
        await sql`update settings set value = ${JSON.stringify(value)}::jsonb where id = ${params.id}`.execute(tx)
        return { id: params.id, name, value }
      }),
    })),
  ],
})
