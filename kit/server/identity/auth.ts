import { hash } from 'node:crypto'
import type pg from 'pg'
import { query } from '#db/connect.ts'
import { ALL_RIGHTS, GRANTS_SQL, internGrants } from '#access/rights.server.ts'
import type { Actor } from '../base/context.ts'
import type { Events } from '../base/events.ts'
import { refuse } from '../base/errors.ts'
import type { Log } from '../base/log.ts'
import { IDLE, confirmationOf, sessionCookieIn } from './sessions.ts'
import { together } from '../unit/together.ts'

/** What of a request is looked at to know who asks. */
export interface Asking {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly url?: string
}

/** Knows who asks. */
export interface Auth {
  /**
   * Who sends the request, by bearer token or cookie; null when it carries none.
   *
   * @throws {Refusal} 401 `session_expired` when it does, but that session is over
   */
  authenticate(req: Asking): Promise<Actor | null>
  /** Forgets what is kept in this process, for tests and for processes without live events. */
  forget(): void
  /**
   * Demands that who sits there has proved it shortly before, for what is sensitive.
   *
   * @param second with a second factor, where one is set up
   * @throws {Refusal} 403 `password_again`, `second_factor_again`, or `sign_in_again` where there is neither
   */
  demandProof(actor: Actor, second?: boolean): Promise<void>
  /** Writes down what is not yet: when sessions were last used. */
  stop(): Promise<void>
}

export interface AuthOptions {
  readonly pool: pg.Pool
  /** Hears of ended sessions and changed rights; without it nothing is kept longer than `DEAF`. */
  readonly events?: Events
  /** The application is reached by https: cookies are those that only such a connection can have set. */
  readonly secure?: boolean
  readonly log: Log
}

/** Milliseconds for which a known session is believed without asking the database, while we hear of changes. */
const KEPT = 10_000
/** The same while we would not hear. */
const DEAF = 1_000
const MOST_KEPT = 20_000
/** `last_used_at` is written at most this often per session. */
const TOUCH_EVERY = 60_000
/** Calls that a browser makes by itself: an open tab is no sign of a person. */
const BY_ITSELF = /\/(?:users\/live-data|events)(?:\?|$)/

const TOKEN = /^[A-Za-z0-9_-]{43}$/

/** Whether a request shows its right by a bearer token, which no browser sends by itself. It wins over the cookie. */
export const isBearer = ({ headers }: Asking): boolean =>
  typeof headers.authorization === 'string' && /^bearer /i.test(headers.authorization)

/** The token of a request. */
function tokenOf(asking: Asking, secure: boolean): string | null {
  const { authorization, cookie } = asking.headers
  const token = isBearer(asking)
    ? (authorization as string).slice(7).trim()
    : sessionCookieIn(typeof cookie === 'string' ? cookie : undefined, secure)
  return token && TOKEN.test(token) ? token : null
}

interface Found {
  token_hash: Buffer
  id: string
  user_id: number
  type: Actor['type']
  name: string
  name_local: string
  email: string | null
  is_super_admin: boolean
  is_root: boolean
  student_id: number | null
  instructor_id: number | null
  impersonator_id: number | null
  read_only: boolean
  delegation_id: number | null
  /** What the delegation names; null: no delegation. */
  only: string[] | null
  /** Milliseconds until the session ends, and since it was used, by the database's clock. */
  left: number
  unused: number
  /** Who holds them: 0 stands for whoever holds what everybody of the type does. */
  holder: number | null
  grants: string | null
}

const PERSON = `u.id as user_id, u.type, u.name, u.name_local, u.email, u.is_super_admin, u.is_root,
    st.id as student_id, ins.id as instructor_id`
/**
 * The one place that decides as which record of a student somebody works: the record that was chosen, while it is one of
 * the person's own, else the one that studies. Who is logged in as one record does not come to the others.
 */
const roles = (chosen: string, bound = 'false') => `
  left join lateral (select r.id from students r where r.user_id = u.id and r.removed_at is null and (not (${bound}) or r.id = ${chosen})
    order by r.blocked_at is not null, r.id is distinct from ${chosen}, r.status <> 'studying', r.id limit 1) st on true
  left join instructors ins on ins.user_id = u.id and ins.removed_at is null`

/** SQL: a delegation `d` is in force today. Days are those of the university. */
const IN_FORCE = 'd.ended_at is null and university_today() between d.from_date and d.until_date'

/**
 * Sessions by the hashes of their tokens. Rights are worked out once for all those who hold nothing but what everybody of
 * their kind holds: for `holder` 0, of whom there is no row. Hashes come as JSON, because its planned number of entries is
 * the same for every call: PostgreSQL keeps one plan.
 */
const FIND = `
  with found as materialized (
    select s.token_hash, s.id, ${PERSON}, s.impersonator_id, s.read_only, s.delegation_id, d.permissions as only,
      (extract(epoch from s.expires_at - now()) * 1000)::float8 as left, (extract(epoch from now() - s.last_used_at) * 1000)::float8 as unused,
      case when u.is_super_admin or u.is_root then null
        when exists (select from role_assignments where user_id = u.id) or exists (select from user_permissions where user_id = u.id)
          or exists (select from access_entries where user_id = u.id) then u.id
        else 0 end as holder
    from jsonb_array_elements_text($1::jsonb) asked
    join sessions s on s.token_hash = decode(asked, 'base64')
    join users u on u.id = s.user_id and u.removed_at is null and u.blocked_at is null
    left join users imp on imp.id = s.impersonator_id
    left join delegations d on d.id = s.delegation_id${roles('s.student_id', 's.impersonator_id is not null and s.student_id is not null')}
    where s.expires_at > now() and s.last_used_at > now() - make_interval(secs => $2)
      and imp.blocked_at is null and imp.removed_at is null and (s.delegation_id is null or ${IN_FORCE})
  ), held as materialized (
    select u.type, u.id, ${GRANTS_SQL} as grants
    from (select distinct type, holder as id from found where holder is not null) u
  )
  select f.*, h.grants from found f left join held h on h.type = f.type and h.id = f.holder`

/** Somebody acts for another person, by a delegation or logged in as him or her. */
export interface ActsFor {
  readonly impersonator_id: number | null
  readonly delegation_id?: number | null
  /** As which of the own records of a student, where there are several. */
  readonly student_id?: number | null
}

/**
 * A person as an actor outside a session, for work that continues later; null if the person was removed or blocked
 * meanwhile, or the delegation has ended.
 */
export async function actorOf(
  pool: pg.Pool,
  userId: number,
  { impersonator_id, delegation_id = null, student_id = null }: ActsFor = { impersonator_id: null },
): Promise<Actor | null> {
  const [row] = await query<
    Omit<Found, 'token_hash' | 'id' | 'impersonator_id' | 'read_only' | 'left' | 'unused' | 'holder' | 'delegation_id'>
  >(
    pool,
    'actor_find',
    `select ${PERSON}, d.permissions as only, case when not (u.is_super_admin or u.is_root) then ${GRANTS_SQL} end as grants
     from users u left join delegations d on d.id = $2${roles('$3::int')}
     where u.id = $1 and u.removed_at is null and u.blocked_at is null and ($2::int is null or ${IN_FORCE})`,
    [userId, delegation_id, student_id],
  )
  if (!row) return null
  const { grants, only, email, ...person } = row
  const known = { ...person, email: email ?? '', session_id: '', impersonator_id, rights: rightsIn(grants) }
  return only ? delegated({ ...known, delegation_id }, only) : known
}
/** A person as whoever acts for him or her by a delegation: with what the person holds today of what it names. */
const delegated = (actor: Actor, only: readonly string[]): Actor => ({
  ...actor,
  is_super_admin: false,
  is_root: false,
  rights: new Map([...actor.rights].filter(([key]) => only.includes(key))),
})
const rightsIn = (grants: string | null): Actor['rights'] => (grants === null ? ALL_RIGHTS : internGrants(grants))

interface Known {
  readonly hash: Buffer
  readonly actor: Actor
  /** Like all times here by the clock that nobody sets: how long is left is what the database says. */
  readonly expires: number
  /** When the database was asked. */
  readonly asked: number
  /** When the session was last written down as used. */
  touched: number
}

/**
 * Sessions by opaque tokens. What the database said is kept for seconds in the process, so that a request costs
 * microseconds; a session that ends and rights that change are heard of at once (LISTEN), in every process.
 */
export function createAuth({ pool, events, log, secure = false }: AuthOptions): Auth {
  const known = new Map<string, Known>()
  const asking = new Map<string, Promise<Known | null>>()
  const used = new Map<string, Buffer>()
  /** Grows with everything we forget, so that an answer from before is not kept. */
  let generation = 0

  const forgetAll = (): void => {
    generation++
    known.clear()
    asking.clear()
  }
  const forgetIf = (test: (actor: Actor) => boolean): void => {
    generation++
    asking.clear()
    for (const [key, { actor }] of known) if (test(actor)) known.delete(key)
  }
  const deaf = [
    events?.on('rights_changed', (payload) => {
      const id = Number(payload)
      if (payload === '*') forgetAll()
      else forgetIf((actor) => actor.user_id === id || actor.impersonator_id === id)
    }),
    events?.on('session_changed', (payload) => {
      if (payload === '*') forgetAll()
      else forgetIf((actor) => actor.session_id === payload)
    }),
    events?.onGap(forgetAll),
  ]

  /** When everybody signs in at the same time, sessions that are asked for meanwhile share a statement. */
  const find = together(
    async (keys: readonly string[]): Promise<readonly (Found | undefined)[]> => {
      const rows = await query<Found>(pool, 'session_find', FIND, [JSON.stringify(keys), IDLE / 1000])
      const byKey = new Map(rows.map((row) => [row.token_hash.toString('base64'), row]))
      return keys.map((key) => byKey.get(key))
    },
    { most: 64, lanes: 2, apart: (key) => key },
  )

  async function ask(key: string): Promise<Known | null> {
    const before = generation
    const asked = performance.now()
    const row = await find(key)
    if (!row) return null
    const { grants, left, unused, id, email, token_hash, holder, only, ...person } = row
    const actor: Actor = {
      ...person,
      email: email ?? '',
      session_id: id,
      rights: rightsIn(holder === null ? null : (grants ?? '')),
    }
    const found: Known = {
      hash: token_hash,
      actor: only ? delegated(actor, only) : actor,
      expires: asked + left,
      asked,
      touched: asked - unused,
    }
    if (before === generation) {
      // The oldest goes; asking again puts an entry at the end.
      known.delete(key)
      if (known.size >= MOST_KEPT) known.delete(known.keys().next().value!)
      known.set(key, found)
    }
    return found
  }

  /** Writes down in one statement which sessions were used, but for those that another process is just writing down. */
  async function writeUsed(): Promise<void> {
    if (used.size === 0) return
    const batch = [...used.values()]
    used.clear()
    try {
      await pool.query(
        `update sessions set last_used_at = now() where token_hash in
           (select token_hash from sessions where token_hash = any($1) order by token_hash for update skip locked)`,
        [batch],
      )
    } catch (error) {
      log.warn({ err: error }, 'When sessions were last used could not be written down')
    }
  }
  const timer = setInterval(() => void writeUsed(), 5_000)
  timer.unref()

  return {
    async authenticate(req) {
      const token = tokenOf(req, secure)
      if (!token) return null
      const key = hash('sha256', token, 'base64')
      const now = performance.now()
      let entry: Known | null | undefined = known.get(key)
      if (!entry || now - entry.asked > (events?.connected ? KEPT : DEAF)) {
        let answer = asking.get(key)
        if (!answer) {
          const asked = ask(key).finally(() => {
            if (asking.get(key) === asked) asking.delete(key)
          })
          answer = asked
          asking.set(key, asked)
        }
        entry = await answer
        if (!entry) known.delete(key)
      }
      if (!entry || entry.expires <= now) throw refuse(401, 'session_expired')
      if (now - entry.touched > TOUCH_EVERY && !(req.url && BY_ITSELF.test(req.url))) {
        entry.touched = now
        used.set(key, entry.hash)
      }
      return entry.actor
    },
    forget: forgetAll,
    async demandProof({ session_id }, second = false) {
      const found = await confirmationOf(pool, session_id, second)
      if (found !== 'fresh') throw refuse(403, `${found}_again`)
    },
    async stop() {
      clearInterval(timer)
      for (const off of deaf) off?.()
      await writeUsed()
    },
  }
}
