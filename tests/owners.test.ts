import { afterAll, beforeAll, expect, it } from 'vitest'
import type pg from 'pg'
import { callsOf, GONE } from '#kit/contract/index.ts'
import type { Call } from '#kit/contract/index.ts'
import type { Door, Owned } from '#kit/contract/owners.ts'
import { ownedTables, ownerMistakes } from '#kit/server/owners.ts'
import { createSession } from '#kit/server/sessions.ts'
import { servedWorkflows } from '#kit/server/workflow.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { aroundOf, keysOf, placesOf, requestsAbout } from './requests.ts'
import type { Around, Keys } from './requests.ts'
import { testUniversity } from './university.ts'
import type { TestUniversity } from './university.ts'

/**
 * One owner per state: every call that writes is sent about records in every state, and each change of state that would be
 * committed must come by a door that is declared for it. Nothing is ever committed: where a unit of work would commit,
 * its changes of state are read and it is rolled back, so that thousands of calls find the demo university as it is.
 */
const TABLES = ownedTables(AREA_SERVERS)
const CALLS = AREAS.flatMap((area) => callsOf(area)).filter((call) => !call.reads && call.permission !== 'public')
const called = ({ method, path }: Call) => `${method} ${path}`

interface Move {
  readonly of: Owned
  readonly id: number
  readonly from: string | null
  readonly to: string
}
interface Committed {
  readonly moves: readonly Move[]
  /** Workflows of which a step was taken. */
  readonly steps: ReadonlySet<string>
}

let u: TestUniversity
let keys: Keys
let token: string
const before = new Map<Owned, Map<number, string>>()
/** Records whose decision does not stand. */
const loose = new Map<Owned, Set<number>>()
let lastStep = 0
/** What the request under way would have committed. */
let committed: Committed[] = []

const query = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await u.database.pool.query<Row>(text, values)).rows
const statesOf = (of: Owned, where = ''): string => `select t.id, ${of.state} as state from ${of.table} t ${where}`

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
  if (!moves.length) return { moves, steps: new Set() }
  const { rows: steps } = await ask('select distinct workflow from step_history where id > $1', [lastStep])
  return { moves, steps: new Set(steps.map((row) => row.workflow)) }
}

/** Connections of the server on which nothing is committed. */
function neverCommit(pool: pg.Pool): void {
  const wrapped = new WeakSet<pg.PoolClient>()
  pool.on('acquire', (client) => {
    if (wrapped.has(client)) return
    wrapped.add(client)
    const send = client.query.bind(client) as (...args: any[]) => any
    client.query = ((...args: any[]) => {
      const text = typeof args[0] === 'string' ? args[0] : args[0]?.text
      if (text !== 'commit') return send(...args)
      return (async () => {
        try {
          await send('set constraints all immediate')
          committed.push(await readMoves((asked, values) => send(asked, values)))
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
  const send = pool.query.bind(pool) as (...args: any[]) => Promise<any>
  pool.query = (async (...args: any[]) => {
    const text = typeof args[0] === 'string' ? args[0] : args[0]?.text
    if (!/\b(insert into|update|delete from)\b/i.test(text) || typeof args.at(-1) === 'function') return send(...args)
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await (client.query as (...given: any[]) => Promise<any>)(...args)
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

beforeAll(async () => {
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase() })
  keys = await keysOf(u.database)
  // What a closed window would hide is seen.
  await query(`update term_stages set starts_at = now() - interval '1 day', ends_at = now() + interval '1 day'`)
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
  lastStep = (await query<{ id: string }>('select coalesce(max(id), 0) as id from step_history'))[0]!.id as never
  const [admin] = await query<{ id: number }>('select id from users where is_super_admin limit 1')
  token = (await createSession(u.database.pool, { user_id: admin!.id, ip: null })).token
  neverCommit(u.services.pool)
  neverWriteAlone(u.services.pool)
}, 400_000)
afterAll(() => u?.close())

/** Records that are tried: of each state some, with what is around them. */
async function samples(of: Owned): Promise<{ id: number; state: string; around: Around }[]> {
  const found: { id: number; state: string; around: Around }[] = []
  for (const [state, ids] of Map.groupBy([...before.get(of)!], ([, one]) => one)) {
    const all = ids.map(([id]) => id).toSorted((a, b) => b - a)
    for (const id of new Set([all[0]!, all.at(-1)!, all[all.length >> 1]!]))
      found.push({ id, state, around: await aroundOf(u.database, keys, of.table, id) })
  }
  return found
}

const isDoor = (door: Door, call: string, steps: ReadonlySet<string>): boolean =>
  typeof door === 'string' ? door === call : 'steps' in door && steps.has(door.steps)

it('what is declared is there', () => expect(ownerMistakes(AREA_SERVERS)).toEqual([]))

it('every state is reached by its owner alone, whatever is called', async () => {
  const flows = new Map(
    servedWorkflows().flatMap(({ table, calls }) =>
      Object.values(calls.steps).map((call) => [call as unknown as Call, table] as const),
    ),
  )
  const place = placesOf(AREAS, flows, keys.of)
  const seen = new Map<string, string>()
  const wrong = new Set<string>()
  let calls = 0
  let moved = 0
  for (const of of TABLES) {
    // What is done about a student or an offering is done about their registrations.
    const asked = new Set([of.table, ...(of.table === 'registrations' ? ['students', 'offerings'] : [])])
    const area = AREAS.find((one) => one.owners.includes(of) || one.calls.some((call) => place(call) === of.table))
    const ownCalls = new Set(area ? callsOf(area) : [])
    for (const { state, around } of await samples(of)) {
      for (const call of CALLS) {
        if (call.upload && !call.upload.optional) continue
        for (const { url, body } of requestsAbout(call, around, {
          of: keys.of,
          place,
          asked,
          own: ownCalls.has(call),
        })) {
          calls++
          committed = []
          const answer = await u.app.inject({
            method: call.method,
            url: `/api${url}`,
            headers: { authorization: `Bearer ${token}` },
            ...(body !== undefined && { payload: body as object }),
          })
          if (answer.statusCode >= 500 && !committed.length && answer.json()?.message !== 'data_busy')
            wrong.add(`${called(call)} about ${of.name} ${state}: ${answer.statusCode} ${answer.body.slice(0, 200)}`)
          for (const { moves, steps } of committed)
            for (const move of moves) {
              moved++
              const owner = move.of.states[move.to]
              const door = owner?.doors.find((one) => isDoor(one, called(call), steps))
              const said = `${move.of.name}: ${move.from ?? 'nothing'} → ${move.to} by ${called(call)}`
              const left = loose.get(move.of)!.has(move.id) ? undefined : move.of.states[move.from ?? '']?.left
              if (left && !left.some((one) => isDoor(one, called(call), steps)))
                wrong.add(`${said}, which only ${JSON.stringify(left)} does`)
              if (door) seen.set(`${move.of.name} ${move.to} ${JSON.stringify(door)}`, said)
              else wrong.add(said)
            }
        }
      }
    }
  }
  expect([...wrong].toSorted()).toEqual([])
  // It has really looked: so many calls were made, changed states and went through so many doors; those of decisions among them.
  expect(calls).toBeGreaterThan(5000)
  expect(moved).toBeGreaterThan(400)
  expect(seen.size).toBeGreaterThan(80)
  expect([...seen.keys()]).toEqual(
    expect.arrayContaining([
      'registration Banned {"steps":"absence_case"}',
      'registration Punished {"steps":"exam_case"}',
      'registration Registered {"steps":"absence_case"}',
      'registration Registered {"steps":"exam_case"}',
    ]),
  )
}, 400_000)
