import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'
import type { Area } from '#kit/contract/index.ts'
import type { Notice, NoticeGroup } from '#kit/contract/notices.ts'

/** A notice: the key of its text in the catalogues, the data for its placeholders, and its link. */
export interface Notification {
  /** `area.key` of the `ui` texts, e.g. `grading.notice_published`; declared under this key by the area. */
  readonly key: string
  readonly data?: Readonly<Record<string, unknown>>
  /** Address in the application. */
  readonly link?: string
  /**
   * Records of students that it is about: who has a record in more than one program is told which program is meant.
   * Those of other people than who is told say nothing.
   */
  readonly records?: readonly number[]
}

/** Kinds of notice that are declared, by `area.key`. */
export const declaredNotices = new Map<
  string,
  { readonly notice: Notice; readonly area: string; readonly group: NoticeGroup }
>()

/** Makes the notices of an area known. */
export function registerNotices({ name, notices, noticeGroup: group }: Area): void {
  for (const [key, notice] of Object.entries(notices))
    declaredNotices.set(`${name}.${key}`, { notice, area: name, group })
}

type Told = Notification & { readonly users: readonly number[] }

/** SQL: by which way somebody is told of a kind `n`, by what the kind allows and what the person chose, `p`. */
const IN_APP = sql`n.app_always or coalesce(p.app, true)`
const BY_MAIL = sql`case n.mail when 'always' then 'now' when 'never' then 'off' else coalesce(p.mail, n.mail) end`
/** What a kind of notice allows. */
const allows = (key: string) => {
  const declared = declaredNotices.get(key)?.notice
  return { app_always: declared?.app !== 'on', mail: declared?.mail ?? 'never' }
}

/** By which way a person has a notice. */
export interface WayTold {
  readonly in_app: boolean
  /** `off`: not by mail, as the person chose, or because there is no address. */
  readonly mail: 'now' | 'digest' | 'off'
}
/** By which way each would have a notice now, in the order asked; for who keeps what was told. Somebody without an account has none. */
export async function waysTold(
  tx: Tx,
  asked: readonly { readonly user_id: number | null; readonly key: string }[],
): Promise<WayTold[]> {
  const given = asked.map(({ user_id, key }, place) => ({ user_id, key, place, ...allows(key) }))
  const { rows } = await sql<WayTold>`
    select u.id is not null and (${IN_APP}) as in_app, case when u.email is null then 'off' else ${BY_MAIL} end as mail
    from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as n (user_id int, key text, place int, app_always boolean, mail text)
      left join users u on u.id = n.user_id left join notice_preferences p on p.user_id = u.id and p.key = n.key
    order by n.place`.execute(tx)
  return rows
}

/**
 * One round trip for all: whoever wants it in the application has it there and hears at once, whoever wants a mail has
 * one waiting for the job that sends it. Both begin to be when the transaction commits.
 */
async function tell(tx: Tx, notices: readonly Told[]): Promise<void> {
  const told = notices
    .filter(({ users }) => users.length)
    .map(({ users, key, data, link, records }) => ({
      users,
      key,
      data: data ?? {},
      link: link ?? null,
      records: records ?? [],
      ...allows(key),
    }))
  if (!told.length) return
  // The kind and channel are those of `events.ts`; browsers ask for the rest.
  await sql`with given as materialized (
      select * from jsonb_to_recordset(${JSON.stringify(told.map((one, place) => ({ ...one, place })))}::jsonb)
        as n (users jsonb, key text, data jsonb, link text, records jsonb, app_always boolean, mail text, place int)),
    about as materialized (
      select n.place, s.user_id, jsonb_agg(distinct jsonb_build_object('name', p.name, 'name_local', p.name_local)) as programs
      from given n cross join lateral jsonb_array_elements_text(n.records) as r (id)
        join students s on s.id = r.id::int join programs p on p.id = s.program_id
      where exists (select from students o where o.user_id = s.user_id and o.id <> s.id and o.removed_at is null)
      group by 1, 2),
    told as materialized (
      select u.id, n.key, case when a.programs is null then n.data else n.data || jsonb_build_object('of_programs', a.programs) end as data,
        n.link, n.place, ${IN_APP} as app, ${BY_MAIL} as mail,
        u.email is not null as reachable
      from given n
      cross join lateral (select distinct value::int as id from jsonb_array_elements_text(n.users)) as w
      join users u on u.id = w.id
      left join about a on a.place = n.place and a.user_id = u.id
      left join notice_preferences p on p.user_id = u.id and p.key = n.key),
    shown as (
      insert into notifications (user_id, key, data, link) select id, key, data, link from told where app order by place, id
      returning id, user_id),
    mailed as (
      insert into notice_mails (user_id, key, data, link, way) select id, key, data, link, mail from told
      where mail <> 'off' and reachable order by place, id)
    select pg_notify('live_event', json_build_object('to', user_id, 'type', 'notification', 'data', json_build_object('id', id))::text)
    from shown`.execute(tx)
}

/**
 * Notifies people when the transaction commits, by the ways that each of them chose. Each person gets one notice; it
 * takes one round trip for any number of people.
 *
 * @param userIds ids of users; null (a student without account) is ignored
 */
export const notify = (tx: Tx, userIds: readonly (number | null)[], notification: Notification): Promise<void> =>
  tell(tx, [{ ...notification, users: userIds.filter((id) => id !== null) }])

/** The same for different texts: one round trip for all. */
export const notifyEach = (
  tx: Tx,
  notices: readonly ({ readonly user_id: number | null } & Notification)[],
): Promise<void> =>
  tell(
    tx,
    notices.flatMap(({ user_id, ...notice }) => (user_id === null ? [] : [{ ...notice, users: [user_id] }])),
  )
