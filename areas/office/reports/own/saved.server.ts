/** Reports that people keep: their own, and those that are shared with a role they hold. */
import type { Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { holds, requireReach } from '#kit/server/base/scope.ts'
import { patternOf } from '#kit/server/base/sql.ts'
import { notify } from '#kit/server/mail/notifications.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { GRANTS_SQL, rightsOf } from '#access/rights.server.ts'
import type { MeasureKey } from '../figures/measures.contract.ts'
import { actorIn } from '#kit/server/base/actor.ts'
import { sql } from 'kysely'
import { rightOfMeasure, type OwnAsked } from './choices.rules.ts'
import { MOST_PEOPLE, ownAsked, type OwnReport, type PinLooks, type Shown } from './own.contract.ts'
import { ownQuestion } from './read.server.ts'
import { firstMailOn } from './schedule.rules.ts'

/** So many reports somebody keeps. */
export const MOST_OWN_REPORTS = 100

const me = (ctx: Ctx): number => actorIn(ctx).user_id
/** SQL: a report `r` is shared with the reader, or with a role that the reader holds today. */
export const sharedWith = (
  userId: number,
) => sql`(exists (select from own_report_people w where w.report_id = r.id and w.user_id = ${userId}) or exists (select from own_report_roles o join roles x on x.id = o.role_id and x.removed_at is null
  join role_assignments a on a.role_id = o.role_id
  where o.report_id = r.id and a.user_id = ${userId} and coalesce(a.valid_from <= university_today(), true)
    and coalesce(a.valid_to >= university_today(), true)))`

type Row = Omit<OwnReport, 'open' | 'asked'> & { asked: unknown }
async function rowsOf(ctx: Ctx, id: number | null): Promise<OwnReport[]> {
  const user = me(ctx)
  const { rows } = await sql<Row>`
    select r.id, r.version, r.name, r.asked, r.shown,
      case when r.user_id <> ${user} then json_build_object('name', u.name, 'name_local', u.name_local) end as by,
      (select coalesce(json_agg(json_build_object('id', x.id, 'name', x.name, 'name_local', x.name_local) order by x.name), '[]')
        from own_report_roles o join roles x on x.id = o.role_id and x.removed_at is null where o.report_id = r.id) as roles,
      case when r.user_id = ${user} then (select coalesce(json_agg(json_build_object('id', w.id, 'name', w.name, 'name_local', w.name_local)
          order by w.name), '[]') from own_report_people o join users w on w.id = o.user_id and w.removed_at is null where o.report_id = r.id)
        else '[]' end as people,
      p.looks as pinned,
      (select json_build_object('weekday', s.weekday, 'hour', s.hour, 'file', s.file, 'next_on', case when s.ended_at is null then s.next_on end,
          'ended', s.ended_why, 'last', (select json_build_object('day', m.day, 'state', m.state) from own_report_mails m
            where m.schedule_id = s.id order by m.day desc limit 1))
        from own_report_schedules s where s.report_id = r.id and s.user_id = ${user} order by s.id desc limit 1) as schedule,
      to_char(r.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as updated_at
    from own_reports r join users u on u.id = r.user_id left join own_report_pins p on p.report_id = r.id and p.user_id = ${user}
    where r.removed_at is null and ${id === null ? sql`true` : sql`r.id = ${id}`} and (r.user_id = ${user} or ${sharedWith(user)})
    order by r.user_id <> ${user}, lower(r.name), r.id`.execute(ctx.db)
  // What asks for a figure that went with an update tells nothing any more.
  return rows.flatMap((row) => {
    const asked = ownAsked.safeParse(row.asked)
    if (!asked.success) return []
    return [{ ...row, asked: asked.data, open: holds(ctx, rightOfMeasure(asked.data.measures[0]!)) }]
  })
}
export const ownReportList = (ctx: Ctx): Promise<OwnReport[]> => rowsOf(ctx, null)
/** @throws {Refusal} 404 for what is neither the reader's own nor shared with a role of the reader */
export async function ownReportOf(ctx: Ctx, id: number): Promise<OwnReport> {
  const [row] = await rowsOf(ctx, id)
  if (!row) throw refuse(404, 'not_found')
  return row
}

/** An own report, locked. @throws {Refusal} 404; 409 where it is removed */
async function lockOwn(ctx: Ctx, tx: Tx, id: number, removed = false): Promise<{ version: number; asked: OwnAsked }> {
  const { rows } = await sql<{ version: number; asked: OwnAsked; removed: boolean }>`
    select version, asked, removed_at is not null as removed from own_reports where id = ${id} and user_id = ${me(ctx)} for update`.execute(
    tx,
  )
  const [row] = rows
  if (!row) throw refuse(404, 'not_found')
  if (row.removed !== removed) throw refuse(409, removed ? 'state_not_allowed' : 'removed_record')
  return row
}

export interface OwnTyped {
  readonly name: string
  readonly asked: OwnAsked
  readonly shown: Shown
}
/** Keeps a report in the own list. @throws {Refusal} 403, 422 for what its maker could not see */
export const addOwn = (ctx: Ctx, { name, asked, shown }: OwnTyped): Promise<OwnReport> => {
  ownQuestion(ctx, asked)
  return ctx.write(async (tx) => {
    // One after the other, so that two at once are not one too many.
    await sql`select from users where id = ${me(ctx)} for no key update`.execute(tx)
    const { rows: had } = await sql<{ count: number }>`
      select count(*)::int as count from own_reports where user_id = ${me(ctx)} and removed_at is null`.execute(tx)
    if (firstRow(had).count >= MOST_OWN_REPORTS)
      throw refuse(422, 'own_report_too_many', { max: MOST_OWN_REPORTS }, 'name')
    const { rows } = await sql<{ id: number }>`
      insert into own_reports (user_id, name, asked, shown) values (${me(ctx)}, ${name}, ${JSON.stringify(asked)}::jsonb, ${shown})
      returning id`.execute(tx)
    return ownReportOf(ctx, firstRow(rows).id)
  })
}
export const editOwn = (
  ctx: Ctx,
  id: number,
  given: OwnTyped & { readonly version?: number | undefined },
): Promise<OwnReport> => {
  const { right } = ownQuestion(ctx, given.asked)
  return ctx.write(async (tx) => {
    const { version, asked } = await lockOwn(ctx, tx, id)
    if (given.version !== undefined && given.version !== version) throw refuse(409, 'changed_meanwhile', { version })
    await rolesSee(tx, await roleIds(tx, id), right)
    // Who was chosen for other figures may not see these.
    if (right !== rightOfMeasure(asked.measures[0]!)) {
      const { rows } = await sql<{
        user_id: number
      }>`select user_id from own_report_people where report_id = ${id}`.execute(tx)
      await peopleSee(
        tx,
        rows.map((row) => row.user_id),
        right,
      )
    }
    await sql`update own_reports set name = ${given.name}, asked = ${JSON.stringify(given.asked)}::jsonb, shown = ${given.shown} where id = ${id}`.execute(
      tx,
    )
    return ownReportOf(ctx, id)
  })
}
/** A copy of an own report, or of one that is shared, in the own list. */
export async function copyOwn(ctx: Ctx, id: number, name: string): Promise<OwnReport> {
  const { asked, shown } = await ownReportOf(ctx, id)
  return addOwn(ctx, { name, asked, shown })
}
export const removeOwn = (ctx: Ctx, id: number): Promise<{ id: number }> =>
  ctx.write(async (tx) => {
    await lockOwn(ctx, tx, id)
    await sql`update own_reports set removed_at = now() where id = ${id}`.execute(tx)
    return { id }
  })
export const restoreOwn = (ctx: Ctx, id: number): Promise<OwnReport> =>
  ctx.write(async (tx) => {
    await lockOwn(ctx, tx, id, true)
    await sql`update own_reports set removed_at = null where id = ${id}`.execute(tx)
    return ownReportOf(ctx, id)
  })

async function roleIds(tx: Tx, id: number): Promise<number[]> {
  const { rows } = await sql<{ role_id: number }>`select role_id from own_report_roles where report_id = ${id}`.execute(
    tx,
  )
  return rows.map((row) => row.role_id)
}
/** Roles with the rights to figures that they hold. */
export async function rolesWithRights(
  ctx: Ctx,
  rights: readonly PermissionKey[],
): Promise<{ id: number; name: string; name_local: string; rights: string[] }[]> {
  const { rows } = await sql<{ id: number; name: string; name_local: string; rights: string[] }>`
    select x.id, x.name, x.name_local, array_agg(distinct p.permission order by p.permission) as rights
    from roles x join role_permissions p on p.role_id = x.id and p.permission = any(${[...rights]}::text[])
    where x.removed_at is null group by x.id order by x.name`.execute(ctx.db)
  return rows
}
/** Who shares a report with a role that sees nothing of it has shared nothing. @throws {Refusal} 422 */
async function rolesSee(tx: Tx, ids: readonly number[], right: PermissionKey): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; name_local: string; sees: boolean }>`
    select x.id, x.name, x.name_local, exists (select from role_permissions p where p.role_id = x.id and p.permission = ${right}) as sees
    from roles x where x.id = any(${[...ids]}::int[]) and x.removed_at is null order by x.id for key share of x`.execute(
    tx,
  )
  const missing = ids.filter((id) => !rows.some((row) => row.id === id))
  const reasons = [
    ...missing.map(() => ({ field: 'role_ids', code: 'reference_missing' })),
    ...rows
      .filter(({ sees }) => !sees)
      .map(({ name, name_local }) => ({
        field: 'role_ids',
        code: 'own_report_role_blind',
        data: { name, name_local },
      })),
  ]
  if (reasons.length) throw new Refusal(422, reasons)
}
/** A person who may not see the figures is told nothing by them. @throws {Refusal} 422 */
async function peopleSee(tx: Tx, ids: readonly number[], right: PermissionKey): Promise<void> {
  const { rows } = await sql<{ id: number; name: string; name_local: string }>`
    select id, name, name_local from users where id = any(${[...ids]}::int[]) and removed_at is null and blocked_at is null
      and type in (1, 2) and not is_root order by id for key share`.execute(tx)
  const reasons: Reason[] = ids
    .filter((id) => !rows.some((row) => row.id === id))
    .map(() => ({ field: 'user_ids', code: 'reference_missing' }))
  for (const { id, name, name_local } of rows)
    if (!(await rightsOf(tx, id)).has(right))
      reasons.push({ field: 'user_ids', code: 'own_report_person_blind', data: { name, name_local } })
  if (reasons.length) throw new Refusal(422, reasons)
}

/** Shares a report with roles and, where they are named, with persons; who comes new hears of it. @throws {Refusal} 404, 422 */
export const shareOwn = (
  ctx: Ctx,
  id: number,
  { role_ids, user_ids }: { readonly role_ids: readonly number[]; readonly user_ids?: readonly number[] | undefined },
): Promise<OwnReport> =>
  ctx.write(async (tx) => {
    const { asked } = await lockOwn(ctx, tx, id)
    const right = rightOfMeasure(asked.measures[0]!)
    const wanted = [...new Set(role_ids)]
    await rolesSee(tx, wanted, right)
    await sql`delete from own_report_roles where report_id = ${id} and role_id <> all(${wanted}::int[])`.execute(tx)
    await sql`insert into own_report_roles (report_id, role_id) select ${id}, unnest(${wanted}::int[]) on conflict do nothing`.execute(
      tx,
    )
    if (user_ids) {
      const people = [...new Set(user_ids)].filter((one) => one !== me(ctx))
      const { rows: had } = await sql<{
        user_id: number
      }>`select user_id from own_report_people where report_id = ${id}`.execute(tx)
      const fresh = people.filter((one) => !had.some((row) => row.user_id === one))
      await peopleSee(tx, fresh, right)
      await sql`delete from own_report_people where report_id = ${id} and user_id <> all(${people}::int[])`.execute(tx)
      await sql`insert into own_report_people (report_id, user_id) select ${id}, unnest(${fresh}::int[]) on conflict do nothing`.execute(
        tx,
      )
      if (fresh.length) {
        const { rows } = await sql<{ name: string }>`select name from own_reports where id = ${id}`.execute(tx)
        await notify(tx, fresh, {
          key: 'reports.notice_own_shared',
          data: { name: firstRow(rows).name },
          link: `/reports/own/${id}`,
        })
      }
    }
    return ownReportOf(ctx, id)
  })

/** SQL: the grants of `u` hold a right. */
const holdsRight = (right: PermissionKey) =>
  sql`(u.is_super_admin or position(E'\\n' || ${right}::text || ' ' in E'\\n' || ${sql.raw(GRANTS_SQL)}) > 0)`
/** Persons who work here and may see the figures of a measure, by name. */
export async function peopleToShareWith(
  ctx: Ctx,
  { measure, search }: { readonly measure: MeasureKey; readonly search: string },
): Promise<{ id: number; name: string; name_local: string; title: string | null }[]> {
  const right = rightOfMeasure(measure)
  requireReach(ctx, right)
  const words = search.split(/\s+/).filter(Boolean)
  const { rows } = await sql<{ id: number; name: string; name_local: string; title: string | null }>`
    select u.id, u.name, u.name_local, (select r.name from role_assignments a join roles r on r.id = a.role_id and r.removed_at is null
        where a.user_id = u.id order by a.id limit 1) as title
    from users u where u.removed_at is null and u.blocked_at is null and u.type in (1, 2) and not u.is_root and u.id <> ${me(ctx)}
      and ${sql.join(
        words.map((word) => sql`u.search_text like ${patternOf(word)}`),
        sql` and `,
      )} and ${holdsRight(right)}
    order by u.name, u.id limit ${MOST_PEOPLE}`.execute(ctx.db)
  return rows
}

export const pinOwn = (ctx: Ctx, id: number, looks: PinLooks | null): Promise<OwnReport> =>
  ctx.write(async (tx) => {
    await ownReportOf(ctx, id)
    if (looks === null)
      await sql`delete from own_report_pins where user_id = ${me(ctx)} and report_id = ${id}`.execute(tx)
    else
      await sql`insert into own_report_pins (user_id, report_id, looks) values (${me(ctx)}, ${id}, ${looks})
        on conflict (user_id, report_id) do update set looks = excluded.looks`.execute(tx)
    return ownReportOf(ctx, id)
  })

export interface ScheduleAsked {
  readonly weekday: number
  readonly hour: number
  readonly file: 'pdf' | 'xlsx'
}
/** Has a report sent every week; a schedule that runs is changed. @throws {Refusal} 403, 404; 422 without an address */
export async function scheduleOwn(ctx: Ctx, id: number, asked: ScheduleAsked): Promise<OwnReport> {
  return ctx.write(async (tx) => {
    const { rows } = await sql<{ today: string; hour: number; email: string | null }>`
      select university_today()::text as today, extract(hour from now() at time zone university_zone())::int as hour, u.email
      from users u where u.id = ${me(ctx)} for no key update of u`.execute(tx)
    const row = await ownReportOf(ctx, id)
    ownQuestion(ctx, row.asked)
    const { today, hour, email } = firstRow(rows)
    if (email === null) throw refuse(422, 'own_report_no_address')
    const next = firstMailOn(today, hour, asked)
    await sql`insert into own_report_schedules (report_id, user_id, weekday, hour, file, next_on)
      values (${id}, ${me(ctx)}, ${asked.weekday}, ${asked.hour}, ${asked.file}, ${next}::date)
      on conflict (report_id, user_id) where ended_at is null
      do update set weekday = excluded.weekday, hour = excluded.hour, file = excluded.file, next_on = excluded.next_on`.execute(
      tx,
    )
    return ownReportOf(ctx, id)
  })
}
export const endSchedule = (ctx: Ctx, id: number): Promise<OwnReport> =>
  ctx.write(async (tx) => {
    const row = await ownReportOf(ctx, id)
    const { rows } = await sql`update own_report_schedules set ended_at = now(), ended_why = 'person'
      where report_id = ${row.id} and user_id = ${me(ctx)} and ended_at is null returning id`.execute(tx)
    if (!rows.length) throw refuse(409, 'own_report_not_sent')
    return ownReportOf(ctx, id)
  })
