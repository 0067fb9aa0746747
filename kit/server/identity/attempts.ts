import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { sql } from 'kysely'
import type { Queryable, Tx } from '#db/connect.ts'
import { query } from '#db/connect.ts'
import { Refusal, refuse } from '../base/errors.ts'

/** What is counted: `free` attempts, then each failure doubles the wait, up to `longest` seconds. */
export interface Limit {
  readonly key: string
  readonly free: number
  readonly longest: number
  /** A success forgets every failure; otherwise it takes back its own attempt only. */
  readonly forgiven?: boolean
}

/** Seconds without a failure after which counting starts anew. */
const MEMORY = 3600

/** Who tries what: an account, an address, a browser. */
export interface Attempt {
  /** What is tried, each counted by itself: a password, or a link to be sent by mail. */
  readonly what: keyof typeof OVERALL
  /** As it was typed, whether such an account exists or not; only a hash of it is kept. */
  readonly account: string
  readonly ip: string | null
  /** Hash of a browser in which this account has signed in before. */
  readonly device?: Buffer | null
}

/** What an account bears from all strangers together: guesses are slowed, mails to the owner are few. */
const OVERALL = { login: { free: 50, longest: 30 }, reset: { free: 8, longest: 300 } } as const

const digest = (...parts: string[]): string => createHash('sha256').update(parts.join('\n')).digest('base64url')
const folded = (account: string): string => account.trim().toLowerCase()

/**
 * The limits that an attempt counts towards. A stranger is stopped for this account at this address. Across all
 * addresses an account is only slowed down, so that nobody can lock its owner out. A browser in which the owner has
 * signed in before is counted separately, whatever strangers do. Unknown accounts are counted in the same way.
 */
export function limitsOf({ what, account, ip, device }: Attempt): readonly Limit[] {
  const who = folded(account)
  if (device)
    return [{ key: `${what} device ${digest(who, device.toString('base64'))}`, free: 10, longest: 900, forgiven: true }]
  return [
    { key: `${what} account here ${digest(who, networkOf(ip))}`, free: 5, longest: 900, forgiven: true },
    { key: `${what} account ${digest(who)}`, ...OVERALL[what] },
    addressLimit(what, ip),
  ]
}

/** A whole lecture hall may sit behind one address and sign in at the same moment, so it gets more. */
export const addressLimit = (what: string, ip: string | null): Limit => ({
  key: `${what} address ${networkOf(ip)}`,
  free: 300,
  longest: 60,
})

/** What only somebody who is signed in can try: nobody else can use up these attempts. */
export const personLimit = (what: string, userId: number): Limit => ({
  key: `${what} person ${userId}`,
  free: 5,
  longest: 900,
  forgiven: true,
})

/** Whom an address stands for: an IPv6 customer is a network of 64 bits. */
export function networkOf(ip: string | null): string {
  if (!ip || !isIPv6(ip) || ip.includes('.')) return String(ip)
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
 * when what was guessed was right, whatever is refused afterwards.
 *
 * @throws {Refusal} 429 `too_many_requests` with the seconds to wait
 */
export async function attempt(pool: Queryable, given: readonly Limit[]): Promise<() => Promise<void>> {
  // One order for all, so that two who count the same never wait for each other.
  const limits = given.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const keys = limits.map((l) => l.key)
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
    [keys, limits.map((l) => l.free), limits.map((l) => l.longest), MEMORY],
  )
  const seconds = Math.max(0, ...rows.map((r) => r.wait))
  if (seconds > 0) throw refuse(429, 'too_many_requests', { seconds })
  return async () => {
    await query(
      pool,
      'attempt_succeeded',
      `with found as materialized (
         select a.key, f.forgiven from login_attempts a join unnest($1::text[], $2::boolean[]) f (key, forgiven) using (key)
         order by a.key for update of a
       ), gone as (delete from login_attempts a using found f where a.key = f.key and f.forgiven)
       update login_attempts a set failures = greatest(a.failures - 1, 0), blocked_until = now()
       from found f where a.key = f.key and not f.forgiven`,
      [keys, limits.map((l) => l.forgiven ?? false)],
    )
  }
}

/** How often something that reaches other people may be done: `most` times within `seconds` of the first. */
export interface Frequency {
  readonly key: string
  readonly most: number
  readonly seconds: number
  /** The refusal that says so; `{max}` in its text is `most`. */
  readonly code: string
}

/** A key of `Frequency` for words of which only a hash is kept. */
export const frequencyKey = (what: string, of: number, words = ''): string =>
  `${what} ${of}${words && ` ${digest(folded(words))}`}`

/**
 * Counts what is done, in the transaction that does it: what is refused or fails counts for nothing, and of two at once
 * the second waits for the first.
 *
 * @throws {Refusal} 429 with each limit that is reached, and the seconds until its time is over
 */
export async function notTooOften(tx: Tx, given: readonly Frequency[]): Promise<void> {
  // One order for all, so that two who count the same never wait for each other.
  const limits = given.toSorted((a, b) => (a.key < b.key ? -1 : 1))
  const keys = limits.map((one) => one.key)
  const of = (values: readonly number[]) => sql`(${[...values]}::integer[])[array_position(${keys}::text[], a.key)]`
  const over = sql`a.last_failed_at <= clock_timestamp() - make_interval(secs => ${of(limits.map((one) => one.seconds))})`
  const { rows } = await sql<{ key: string }>`
    insert into login_attempts as a (key, failures, last_failed_at, blocked_until)
    select key, 1, clock_timestamp(), now() from unnest(${keys}::text[]) with ordinality as given (key, n) order by n
    on conflict (key) do update set failures = case when ${over} then 1 else a.failures + 1 end,
      last_failed_at = case when ${over} then clock_timestamp() else a.last_failed_at end
    where ${over} or a.failures < ${of(limits.map((one) => one.most))}
    returning key`.execute(tx)
  const counted = new Set(rows.map((row) => row.key))
  const reached = limits.filter(({ key }) => !counted.has(key))
  if (!reached.length) return
  const { rows: since } = await sql<{ key: string; seconds: number }>`
    select key, floor(extract(epoch from clock_timestamp() - last_failed_at))::integer as seconds from login_attempts
    where key = any(${reached.map(({ key }) => key)}::text[])`.execute(tx)
  const passed = new Map(since.map((row) => [row.key, row.seconds]))
  throw new Refusal(
    429,
    reached.map(({ key, code, most, seconds }) => ({
      code,
      data: { max: most, seconds: Math.max(1, seconds - (passed.get(key) ?? 0)) },
    })),
  )
}
