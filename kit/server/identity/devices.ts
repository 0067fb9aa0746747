import { query } from '#db/connect.ts'
import type { Queryable } from '#db/connect.ts'
import { cookie, cookieIn, hashToken, newToken } from './sessions.ts'

/** Name of the cookie by which a browser is known again. Scripts cannot read it. */
const DEVICE_COOKIE = 'device'
/** How long a browser is known after it was last used to sign in, in days; browsers keep no cookie longer. */
const KNOWN_DAYS = 400
/** Browsers kept of one person; the one not used for longest is forgotten first. */
const MOST = 20

/** The hash of the browser's own secret, when it sent one. */
export function presentedDevice(header: string | undefined, secure: boolean): Buffer | null {
  const token = cookieIn(header, DEVICE_COOKIE, secure)
  return token ? hashToken(token) : null
}

/** Whether the account has signed in in this browser before. */
export async function isKnownDevice(pool: Queryable, device: Buffer, email: string): Promise<boolean> {
  const rows = await query(
    pool,
    'device_known',
    `select from known_devices d join users u on u.id = d.user_id
     where d.device_hash = $1 and lower(u.email) = lower($2) and d.last_seen_at > now() - make_interval(days => $3)`,
    [device, email, KNOWN_DAYS],
  )
  return rows.length > 0
}

/**
 * Remembers the browser in which a person has just signed in. A secret that was not given by us is not taken over:
 * somebody could have put it there.
 *
 * @returns the cookie of a browser that needs one, and whether the person should hear of it: it is neither a known
 * browser, nor the first one, nor the same program in the same network as before (a private window, a script)
 */
export async function rememberDevice(
  pool: Queryable,
  userId: number,
  seen: { device: Buffer | null; ip: string | null; userAgent: string | null; secure: boolean },
): Promise<{ cookies: string[]; unknown: boolean }> {
  const fresh = newToken()
  const [row] = await query<{ adopted: boolean; unknown: boolean }>(
    pool,
    'device_remember',
    `with before as (
       select d.device_hash, d.last_seen_at,
         d.user_agent is not distinct from $5 and network(set_masklen(d.ip, case family(d.ip) when 4 then 24 else 64 end))
           is not distinct from network(set_masklen($4::inet, case family($4::inet) when 4 then 24 else 64 end)) as alike
       from known_devices d where d.user_id = $1
     ), chosen as (
       select case when exists (select from known_devices where device_hash = $2) then $2 else $3 end as device_hash
     ), kept as (
       insert into known_devices as k (user_id, device_hash, ip, user_agent)
       select $1, c.device_hash, $4::inet, $5 from chosen c
       on conflict (user_id, device_hash) do update set ip = excluded.ip, user_agent = excluded.user_agent, last_seen_at = now()
     ), forgotten as (
       delete from known_devices where user_id = $1 and device_hash in (
         select b.device_hash from before b cross join chosen c where b.device_hash <> c.device_hash
         order by b.last_seen_at desc offset $6)
     )
     select c.device_hash = $2 is true as adopted,
       exists (select from before) and not exists (select from before b where b.device_hash = c.device_hash or b.alike) as unknown
     from chosen c`,
    [userId, seen.device, fresh.hash, seen.ip, seen.userAgent?.slice(0, 300) ?? null, MOST - 1],
  )
  const expires = new Date(Date.now() + KNOWN_DAYS * 86_400_000)
  return {
    cookies: row?.adopted ? [] : [cookie(DEVICE_COOKIE, fresh.token, { secure: seen.secure, host: true, expires })],
    unknown: row?.unknown ?? false,
  }
}
