/** Lists from which whoever applies chooses: what anybody may read. */
import { sql, type RawBuilder } from 'kysely'
import { firstRow } from '#db/rows.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import type { ApplicantList } from './apply.contract.ts'

interface Choice {
  id: number
  code: string | null
  name: string
  name_local: string
  extra?: Record<string, unknown>
}
const listOf = (table: string, extra: RawBuilder<unknown> = sql`null::jsonb`, where: RawBuilder<unknown> = sql`true`) =>
  sql`select coalesce(json_agg(json_strip_nulls(json_build_object('id', t.id, 'code', t.code, 'name', t.name, 'name_local', t.name_local,
    'extra', ${extra})) order by t.name), '[]') from ${sql.table(table)} t where t.removed_at is null and ${where}`

const LISTS: Readonly<Record<ApplicantList, RawBuilder<unknown>>> = {
  countries: sql`select coalesce(json_agg(json_build_object('id', t.id, 'code', t.code, 'name', t.name, 'name_local', t.name_local) order by t.name), '[]')
    from countries t`,
  communities: listOf(
    'communities',
    sql`jsonb_build_object('country_id', t.country_id, 'figures', t.national_id_code)`,
  ),
  certificates: listOf(
    'certificate_types',
    sql`jsonb_build_object('group', t.certificate_group, 'country_id', t.country_id, 'max_total', t.max_total::text,
      'subjects', coalesce((select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'name_local', c.name_local, 'max_mark', s.max_mark::text,
        'is_required', s.is_required, 'is_counted', s.is_counted) order by s.position) from certificate_type_subjects s
        join certificate_subjects c on c.id = s.certificate_subject_id where s.certificate_type_id = t.id), '[]'))`,
    sql`t.is_active`,
  ),
  faculties: listOf('faculties'),
  universities: listOf('universities_list'),
  schools: listOf('schools_list'),
}

/** All lists, or one. */
export async function lookupLists(ctx: Ctx, only?: ApplicantList): Promise<Record<string, Choice[]>> {
  const names = only ? [only] : (Object.keys(LISTS) as ApplicantList[])
  const { rows } = await sql<{ lists: Record<string, Choice[]> }>`select json_build_object(${sql.join(
    names.flatMap((name) => [sql.lit(name), sql`(${LISTS[name]})`]),
  )}) as lists`.execute(ctx.db)
  return firstRow(rows).lists
}
