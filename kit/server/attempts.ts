import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type pg from 'pg'
import { query } from '#db/connect.ts'
import { refuse } from './errors.ts'

/** What is counted: `free` attempts, then each failure doubles the wait, up to `longest` seconds. */
export interface Limit {
  readonly key: string
  readonly free: number
  readonly longest: number
}

/** Seconds without a failure after which counting starts anew. */
const MEMORY = 3600

/** Failures count for what was typed, whether such an account exists or not; only a hash of it is kept. */
export const accountLimit = (what: string, account: string): Limit => ({
  key: `${what} account ${createHash('sha256').update(account.trim().toLowerCase()).digest('base64url')}`,
  free: 5,
  longest: 900,
})
/** A whole lecture hall may sit behind one address and sign in at the same moment, so it gets more. An IPv6 customer is a network of 64 bits. */
export const addressLimit = (what: string, ip: string | null): Limit => ({
  key: `${what} address ${ip && isIPv6(ip) && !ip.includes('.') ? network(ip) : ip}`,
  free: 300,
  longest: 60,
})
function network(ip: string): string {
  const [head = '', tail] = ip.split('%')[0]!.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const groups =
    tail === undefined
      ? left
      : [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right]
  return `${groups
    .slice(0, 4)
    .map((g) => g.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')}::/64`
}

/**
 * Counts an attempt before it is made, in one statement, so that many at once are no way around. Returns what to call
 * when it succeeded: the account starts anew, the address takes the attempt back.
 *
 * @throws {Refusal} 429 `too_many_requests` with the seconds to wait
 */
export async function attempt(pool: pg.Pool, account: Limit, address: Limit): Promise<() => Promise<void>> {
  const limits = [account, address].toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const rows = await query<{ wait: number }>(
    pool,
    'attempt_count',
    `with counted as (
       insert into login_attempts as a (key, failures, last_failed_at, blocked_until)
       select key, 1, now(), now() from unnest($1::text[]) as key
       on conflict (key) do update set
         failures = case when a.last_failed_at < now() - make_interval(secs => $4) then 1 else a.failures + 1 end,
         last_failed_at = now(),
         blocked_until = now() + make_interval(secs =>
           case
             when a.last_failed_at < now() - make_interval(secs => $4) then 0
             when a.failures + 1 < ($2::integer[])[array_position($1::text[], a.key)] then 0
             else least(($3::integer[])[array_position($1::text[], a.key)],
               2 ^ least(a.failures + 1 - ($2::integer[])[array_position($1::text[], a.key)], 20))
           end)
       -- Not now(), the begin of this statement: those whose turn came before ours began later.
       where a.blocked_until <= clock_timestamp()
       returning key
     )
     -- What was not counted is blocked; this statement may be too old to see until when.
     select greatest(1, ceil(extract(epoch from b.blocked_until - clock_timestamp())))::integer as wait
     from unnest($1::text[]) k left join login_attempts b on b.key = k where k not in (select key from counted)`,
    [limits.map((l) => l.key), limits.map((l) => l.free), limits.map((l) => l.longest), MEMORY],
  )
  const seconds = Math.max(0, ...rows.map((r) => r.wait))
  if (seconds > 0) throw refuse(429, 'too_many_requests', { seconds })
  return async () => {
    await query(
      pool,
      'attempt_succeeded',
      `with gone as (delete from login_attempts where key = $1)
       update login_attempts set failures = greatest(failures - 1, 0), blocked_until = now() where key = $2`,
      [account.key, address.key],
    )
  }
}
