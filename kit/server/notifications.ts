import { sql } from 'kysely'
import type { Tx } from '#db/connect.ts'

/** What somebody is told: a text by its key in the catalogues, what fills its places, and where it leads. */
export interface Notification {
  /** `area.key` of the `ui` texts, e.g. `grading.notice_published`. */
  readonly key: string
  readonly data?: Readonly<Record<string, unknown>>
  /** Address in the application. */
  readonly link?: string
}

/**
 * Tells people something when the transaction commits: it stands in their notifications, and browsers that are open
 * hear of it at once. Each person is told once; one round trip, however many there are.
 *
 * @param userIds ids of users; null (a student without account) is left out
 */
export async function notify(
  tx: Tx,
  userIds: readonly (number | null)[],
  { key, data = {}, link }: Notification,
): Promise<void> {
  const ids = [...new Set(userIds)].filter((id) => id !== null)
  if (!ids.length) return
  // The kind and channel are those of `events.ts`; browsers ask for the rest.
  await sql`with told as (
      insert into notifications (user_id, key, data, link)
      select u.id, ${key}, ${JSON.stringify(data)}::jsonb, ${link ?? null} from users u where u.id = any(${ids}::int[])
      returning id, user_id)
    select pg_notify('live_event', json_build_object('to', user_id, 'type', 'notification', 'data', json_build_object('id', id))::text)
    from told`.execute(tx)
}

/** The same for different texts: one round trip for all. */
export async function notifyEach(
  tx: Tx,
  notices: readonly ({ readonly user_id: number | null } & Notification)[],
): Promise<void> {
  const told = notices.filter((one) => one.user_id !== null)
  if (!told.length) return
  await sql`with told as (
      insert into notifications (user_id, key, data, link)
      select u.id, n.key, coalesce(n.data, '{}'), n.link
      from jsonb_to_recordset(${JSON.stringify(told)}::jsonb) as n (user_id int, key text, data jsonb, link text) join users u on u.id = n.user_id
      returning id, user_id)
    select pg_notify('live_event', json_build_object('to', user_id, 'type', 'notification', 'data', json_build_object('id', id))::text)
    from told`.execute(tx)
}
