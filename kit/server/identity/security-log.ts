import { createHmac } from 'node:crypto'
import type pg from 'pg'
import type { Db } from '#db/connect.ts'
import { sql } from 'kysely'
import type { Ctx } from '../base/context.ts'
import type { Log } from '../base/log.ts'
import { secretOf } from '../base/secrets.ts'

/** What is written down. The table refuses any other. */
export type SecurityKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_out'
  | 'session_ended'
  | 'password_asked'
  | 'password_changed'
  | 'proof_failed'
  | 'log_in_as'
  | 'log_in_as_ended'
  | 'export'
  | 'read'
  | 'rights'
  | 'refused'
  | 'second_factor'
  | 'identity'
  | 'share'

export interface SecurityEntry {
  readonly kind: SecurityKind
  /** Who acted, where nobody is signed in yet. */
  readonly actor_id?: number
  /** Whose account it concerns. */
  readonly subject_id?: number | null
  /** What was typed where no account is known by it: only a keyed digest is kept. */
  readonly account?: string
  /** The record that was read. */
  readonly record?: { readonly type: string; readonly id: number }
  readonly data?: Readonly<Record<string, unknown>>
}

/** The log of sign-ins, attempts, exported data and opened records. */
export interface SecurityLog {
  /** Writes an entry down before the answer is given: what happened and is not written did not happen. */
  write(ctx: Ctx, entry: SecurityEntry, tx?: Db): Promise<void>
  /**
   * Writes an entry down within a second, outside of the request. `once`: equal entries within some minutes, of this
   * process, are one.
   */
  note(ctx: Ctx, entry: SecurityEntry, once?: string): void
  /** Writes down what waits. */
  stop(): Promise<void>
}

/** Milliseconds until what was noted is written. */
const SOON = 500
/** Entries that wait for a database that is away; more are told to the log of the process only. */
const MOST_WAITING = 20_000
const BATCH = 1000
/** Milliseconds within which the same reading by the same person is one. */
const SAME = 600_000
const MOST_REMEMBERED = 20_000
/** Characters of filters that are kept with an export. */
const LONGEST_DATA = 4000

interface Line {
  readonly noted: number
  readonly kind: string
  readonly actor_id: number | null
  readonly impersonator_id: number | null
  readonly subject_id: number | null
  readonly account: string | null
  readonly record_type: string | null
  readonly record_id: number | null
  readonly ip: string | null
  readonly user_agent: string | null
  readonly request_id: string
  readonly data: unknown
}

const INSERT = `
  insert into security_log (at, kind, actor_id, impersonator_id, subject_id, account, record_type, record_id, ip, user_agent, request_id, data)
  select clock_timestamp() - make_interval(secs => x.age), x.kind, x.actor_id, x.impersonator_id, x.subject_id, x.account,
    x.record_type, x.record_id, x.ip, x.user_agent, x.request_id, x.data
  from jsonb_to_recordset($1::jsonb) as x (age float8, kind text, actor_id int, impersonator_id int, subject_id int, account text,
    record_type text, record_id int, ip inet, user_agent text, request_id text, data jsonb)`

const payload = (lines: readonly Line[]): string => {
  const now = Date.now()
  return JSON.stringify(lines.map(({ noted, ...line }) => ({ ...line, age: Math.max(0, now - noted) / 1000 })))
}

/** What of the data is kept: a text that is too long for the log says so. */
function clamped(data: SecurityEntry['data'] = {}): unknown {
  const text = JSON.stringify(data)
  return text.length <= LONGEST_DATA ? data : { cut: text.slice(0, LONGEST_DATA) }
}

/** Opens the log. Its key is made once per university and kept in the database. */
export async function createSecurityLog({ pool, log }: { pool: pg.Pool; log: Log }): Promise<SecurityLog> {
  const key = await secretOf({ pool }, 'security_log')
  const digest = (account: string): string =>
    createHmac('sha256', key).update(account.trim().toLowerCase()).digest('hex').slice(0, 12)

  const lineOf = (ctx: Ctx, entry: SecurityEntry): Line => ({
    noted: Date.now(),
    kind: entry.kind,
    actor_id: entry.actor_id ?? ctx.actor?.user_id ?? null,
    impersonator_id: ctx.actor?.impersonator_id ?? null,
    subject_id: entry.subject_id ?? null,
    account: entry.account === undefined ? null : digest(entry.account),
    record_type: entry.record?.type ?? null,
    record_id: entry.record?.id ?? null,
    ip: ctx.ip,
    user_agent: ctx.http?.request.headers['user-agent']?.slice(0, 300) ?? null,
    request_id: ctx.request_id,
    data: clamped(entry.data),
  })

  let waiting: Line[] = []
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  const seen = new Map<string, number>()

  async function flush(): Promise<void> {
    timer = undefined
    while (waiting.length) {
      const batch = waiting.slice(0, BATCH)
      try {
        // Sorted by nothing but time, and nothing but inserted: it waits for nobody.
        await pool.query(INSERT, [payload(batch)])
        waiting = waiting.slice(batch.length)
      } catch (error) {
        log.error({ err: error, waiting: waiting.length }, 'The security log could not be written; it is tried again')
        if (waiting.length > MOST_WAITING) {
          for (const line of waiting.splice(0, waiting.length - MOST_WAITING)) log.warn({ line }, 'security log entry')
        }
        timer ??= setTimeout(() => void start(), SOON * 10).unref()
        return
      }
    }
  }
  const start = (): Promise<void> => (writing = writing.then(flush))

  return {
    async write(ctx, entry, tx) {
      const text = payload([lineOf(ctx, entry)])
      if (tx)
        await sql`${sql.raw(INSERT.slice(0, INSERT.indexOf('$1')))}${text}${sql.raw(INSERT.slice(INSERT.indexOf('$1') + 2))}`.execute(
          tx,
        )
      else await pool.query(INSERT, [text])
    },
    note(ctx, entry, once) {
      const now = Date.now()
      if (once !== undefined) {
        const mark = `${ctx.actor?.user_id} ${ctx.actor?.impersonator_id} ${entry.kind} ${once}`
        if (now - (seen.get(mark) ?? 0) < SAME) return
        seen.delete(mark)
        seen.set(mark, now)
        if (seen.size > MOST_REMEMBERED) seen.delete(seen.keys().next().value!)
      }
      waiting.push(lineOf(ctx, entry))
      timer ??= setTimeout(() => void start(), SOON).unref()
    },
    async stop() {
      clearTimeout(timer)
      await start()
      clearTimeout(timer)
    },
  }
}
