import type pg from 'pg'
import { GONE } from '#kit/contract/index.ts'
import { FEE } from '#kit/server/workflow/fees.ts'
import { servedWorkflows } from '#kit/server/workflow/workflow.ts'
import type { Call } from '#kit/contract/index.ts'
import type { Door, Owned } from '#kit/contract/owners.ts'
import { ownedTables } from '#kit/server/workflow/owners.ts'
import { asSystem } from '#kit/server/unit/request.ts'
import { createSession } from '#kit/server/identity/sessions.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import type { TestUniversity } from './university.ts'

/** A change of state that would have been committed. */
interface Move {
  readonly of: Owned
  readonly id: number
  readonly from: string | null
  readonly to: string
}
interface Committed {
  readonly moves: readonly Move[]
  /** Tables with states whose rows were written, whether their state changed or not. */
  readonly touched: ReadonlySet<string>
  /** Workflows of which a step was taken. */
  readonly steps: ReadonlySet<string>
}
/** What a call answered, and what it would have committed. */
export interface Taken {
  readonly status: number
  readonly body: any
  readonly committed: readonly Committed[]
}
export interface SentRequest {
  readonly method: Call['method']
  readonly url: string
  readonly body?: unknown
}

export const TABLES: readonly Owned[] = ownedTables(AREA_SERVERS)
/** A state, and a door that leads there: what the test looks for. */
export const doorKey = (of: Owned, state: string, door: Door): string => `${of.name} ${state} ${JSON.stringify(door)}`
/** @param by a call by method and path, or a job */
export const isDoor = (door: Door, by: string | { readonly job: string }, steps: ReadonlySet<string>): boolean =>
  typeof door === 'string'
    ? door === by
    : 'steps' in door
      ? steps.has(door.steps)
      : 'fees' in door
        ? FED.some((name) => steps.has(name))
        : typeof by === 'object' && door.job === by.job
/** Workflows of what costs something. */
const FED = servedWorkflows().flatMap(({ flow }) => (FEE.charge in flow.actions ? [flow.name] : []))

const statesOf = (of: Owned, where = ''): string => `select t.id, ${of.state} as state from ${of.table} t ${where}`

/**
 * Watches the states of a university in which nothing is ever committed from here on: where a unit of work would commit, its
 * changes of state are read and it is rolled back, so that thousands of calls find the university as it is.
 */
export async function watchStates(u: TestUniversity) {
  const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await u.database.pool.query<Row>(text, values)).rows
  const before = new Map<Owned, Map<number, string>>()
  /** Records whose decision does not stand. */
  const loose = new Map<Owned, Set<number>>()
  /** What the request under way would have committed. */
  let committed: Committed[] = []

  await query('create table test_touched (of text not null, id integer not null)')
  await query(`create function test_touch() returns trigger language plpgsql as $$
    begin
      insert into test_touched select tg_argv[0], coalesce((to_jsonb(new) ->> tg_argv[1])::int, (to_jsonb(old) ->> tg_argv[1])::int)
        where coalesce((to_jsonb(new) ->> tg_argv[1])::int, (to_jsonb(old) ->> tg_argv[1])::int) is not null;
      return null;
    end $$`)
  const watched = new Set<string>()
  for (const of of TABLES) {
    for (const [table, column] of [[of.table, 'id'], ...Object.entries(of.from ?? {})] as const) {
      const name = `test_touch_${of.table}_${column}`
      if (watched.has(`${table} ${name}`)) continue
      watched.add(`${table} ${name}`)
      await query(`create trigger ${name} after insert or update or delete on ${table} for each row
        execute function test_touch('${of.table}', '${column}')`)
    }
    const bare = of.stands ? `select t.id from ${of.table} t where not (${of.stands})` : 'select 0 as id where false'
    loose.set(of, new Set((await query<{ id: number }>(bare)).map(({ id }) => id)))
    before.set(
      of,
      new Map((await query<{ id: number; state: string }>(statesOf(of))).map((row) => [row.id, row.state])),
    )
  }
  const [last] = await query<{ id: string }>('select coalesce(max(id), 0) as id from step_history')
  const [admin] = await query<{ id: number }>('select id from users where is_super_admin order by id limit 1')
  const { token } = await createSession(u.database.pool, { user_id: admin!.id, ip: null })

  /** What a transaction did to records with states, as it is about to commit. */
  async function readMoves(ask: (text: string, values: unknown[]) => Promise<{ rows: any[] }>): Promise<Committed> {
    const { rows: touched } = await ask('select of, array_agg(distinct id) as ids from test_touched group by of', [])
    const moves: Move[] = []
    for (const { of: table, ids } of touched)
      for (const of of TABLES.filter((one) => one.table === table)) {
        const { rows } = await ask(statesOf(of, 'where t.id = any($1::int[])'), [ids])
        const now = new Map<number, string>(rows.map((row) => [row.id, row.state]))
        for (const id of ids as number[]) {
          const from = before.get(of)!.get(id) ?? null
          const to = now.get(id) ?? GONE
          if (from !== to && !(from === null && to === GONE)) moves.push({ of, id, from, to })
        }
      }
    const tables = new Set<string>(touched.map((row) => row.of))
    if (!moves.length) return { moves, touched: tables, steps: new Set() }
    const { rows: steps } = await ask('select distinct workflow from step_history where id > $1', [last!.id])
    return { moves, touched: tables, steps: new Set(steps.map((row) => row.workflow)) }
  }

  neverCommit(u.services.pool, async (send) => void committed.push(await readMoves(send)))
  neverWriteAlone(u.services.pool)

  return {
    query,
    admin: admin!.id,
    /** States of the records as they stand, by their ids. */
    before: before as ReadonlyMap<Owned, ReadonlyMap<number, string>>,
    loose: loose as ReadonlyMap<Owned, ReadonlySet<number>>,
    /** Sends a call as the administrator, or whoever has the token. */
    async take({ method, url, body }: SentRequest, by = token): Promise<Taken> {
      committed = []
      const answer = await u.app.inject({
        method,
        url: `/api${url}`,
        headers: { authorization: `Bearer ${by}` },
        ...(body !== undefined && { payload: body as object }),
      })
      const json = String(answer.headers['content-type']).startsWith('application/json')
      return { status: answer.statusCode, body: json ? answer.json() : null, committed }
    },
    /** Does work that goes on by itself; what it would have committed. */
    async run(name: string, payload: unknown): Promise<readonly Committed[]> {
      committed = []
      const definition = AREA_SERVERS.flatMap((area) => area.jobs).find((one) => one.name === name)
      if (!definition) throw new Error(`There is no job ${name}`)
      const progress = Object.assign(() => Promise.resolve(), { signal: new AbortController().signal })
      await definition.run(asSystem(u.services, name), payload, progress)
      return committed
    },
  }
}
export type Watch = Awaited<ReturnType<typeof watchStates>>

type Send = (...args: any[]) => Promise<any>

/** Connections of the server on which nothing is committed. */
function neverCommit(pool: pg.Pool, instead: (send: Send) => Promise<void>): void {
  const wrapped = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (wrapped.has(client)) return
    wrapped.add(client)
    const send = client.query.bind(client) as Send
    client.query = ((...args: any[]) => {
      const text = typeof args[0] === 'string' ? args[0] : args[0]?.text
      if (text !== 'commit') return send(...args)
      return (async () => {
        try {
          await send('set constraints all immediate')
          await instead(send)
        } finally {
          await send('rollback')
        }
        return { command: 'COMMIT', rowCount: null, rows: [], fields: [], oid: 0 }
      })()
    }) as never
  })
}

/** What is one statement without a transaction of its own is taken back as well. */
function neverWriteAlone(pool: pg.Pool): void {
  const send = pool.query.bind(pool) as Send
  pool.query = (async (...args: any[]) => {
    const text = typeof args[0] === 'string' ? args[0] : args[0]?.text
    if (!/\b(insert into|update|delete from)\b/i.test(text) || typeof args.at(-1) === 'function') return send(...args)
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await (client.query as Send)(...args)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }) as never
}
