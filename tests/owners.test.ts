import { afterAll, beforeAll, expect, it } from 'vitest'
import { callsOf } from '#kit/contract/index.ts'
import type { Call } from '#kit/contract/index.ts'
import { ownerMistakes } from '#kit/server/workflow/owners.ts'
import type { Owned } from '#kit/contract/owners.ts'
import { servedWorkflows } from '#kit/server/workflow/workflow.ts'
import { AREAS } from '../apps/areas.contract.ts'
import { AREA_SERVERS } from '../apps/server/areas.server.ts'
import { demoDatabase } from './demo.ts'
import { prepareAims, type Aims } from './owners-aimed.ts'
import { UNSEEN } from './owners-unseen.ts'
import { doorKey, isDoor, TABLES, watchStates } from './owners-watch.ts'
import type { SentRequest, Taken, Watch } from './owners-watch.ts'
import { aroundOf, keysOf, placesOf, requestsAbout } from './requests.ts'
import type { Around, Keys } from './requests.ts'
import { SHARED_OUT, share } from './share.ts'
import { testUniversity } from './university.ts'
import type { TestUniversity } from './university.ts'

/**
 * One owner per state: every call that writes is sent about records in every state, and each change of state that would be
 * committed must come by a door that is declared for it; and each declared door must be seen, or be listed with a reason.
 */
const CALLS = AREAS.flatMap((area) => callsOf(area)).filter((call) => !call.reads && call.permission !== 'public')
const called = ({ method, path }: Pick<Call, 'method' | 'path'>) => `${method} ${path}`
/** What is done about these is done about records with states that are not named. */
const ABOUT: Readonly<Record<string, readonly string[]>> = { registrations: ['students', 'offerings'] }

let u: TestUniversity
let keys: Keys
let watch: Watch
let aims: Aims

beforeAll(async () => {
  // A provider of payments that answers nothing: what begins there is seen.
  const env = { FAWRY_URL: 'http://127.0.0.1:9', FAWRY_MERCHANT_CODE: 'university', FAWRY_SECURE_KEY: 'key' }
  u = await testUniversity(AREA_SERVERS, { database: await demoDatabase(), env })
  keys = await keysOf(u.database)
  // What a closed window would hide is seen.
  await u.database.pool.query(
    `update term_stages set starts_at = now() - interval '1 day', ends_at = now() + interval '1 day'`,
  )
  aims = await prepareAims(u)
  watch = await watchStates(u)
}, 1_200_000)
afterAll(() => u?.close())

interface Sample {
  readonly id: number
  readonly state: string
  readonly around: Around
}
/** Records that are tried: of each state one first, then two more. */
async function samples(of: Owned): Promise<{ first: Sample[]; more: Sample[] }> {
  const first: Sample[] = []
  const more: Sample[] = []
  for (const [state, ids] of Map.groupBy([...watch.before.get(of)!], ([, one]) => one)) {
    const all = ids.map(([id]) => id).toSorted((a, b) => b - a)
    const chosen = new Set([all[0]!, all.at(-1)!, all[all.length >> 1]!])
    for (const id of chosen)
      (id === all[0] ? first : more).push({ id, state, around: await aroundOf(u.database, keys, of.table, id) })
  }
  return { first, more }
}

it('what is declared is there', () => expect(ownerMistakes(AREA_SERVERS)).toEqual([]))

it('every state is reached by its owner alone, whatever is called, and by each of the declared doors', async () => {
  const flows = new Map(
    servedWorkflows().flatMap(({ table, calls }) =>
      Object.values(calls.steps).map((call) => [call as unknown as Call, table] as const),
    ),
  )
  const place = placesOf(AREAS, flows, keys.of)
  const seen = new Set<string>()
  const wrong = new Set<string>()
  let calls = 0
  let moved = 0
  /** Nothing is kept, so the same request comes to the same: it is sent once. */
  const sent = new Map<string, Taken['committed']>()

  /** Holds what would be committed against what is declared. */
  const hold = (committed: Taken['committed'], by: Parameters<typeof isDoor>[1], name: string): void => {
    for (const { moves, steps } of committed)
      for (const move of moves) {
        moved++
        const doors = move.of.states[move.to]?.doors.filter((one) => isDoor(one, by, steps)) ?? []
        const said = `${move.of.name}: ${move.from ?? 'nothing'} → ${move.to} by ${name}`
        const left = watch.loose.get(move.of)!.has(move.id) ? undefined : move.of.states[move.from ?? '']?.left
        if (left && !left.some((one) => isDoor(one, by, steps)))
          wrong.add(`${said}, which only ${JSON.stringify(left)} does`)
        for (const one of doors) seen.add(doorKey(move.of, move.to, one))
        if (!doors.length) wrong.add(said)
      }
  }
  const send = async (call: Call, request: SentRequest, about: string, by?: string): Promise<Taken['committed']> => {
    const key = JSON.stringify([request.method, request.url, request.body, by])
    const before = sent.get(key)
    if (before) return before
    calls++
    const { status, body, committed } = await watch.take(request, by)
    sent.set(key, committed)
    if (status >= 500 && !committed.length && body?.message !== 'data_busy')
      wrong.add(`${called(call)} about ${about}: ${status} ${JSON.stringify(body).slice(0, 200)}`)
    hold(committed, called(call), called(call))
    return committed
  }

  for (const { call, by, ...request } of aims.requests) await send(call, request, 'what is aimed at', by)
  for (const { name, payload } of aims.jobs) hold(await watch.run(name, payload), { job: name }, `the job ${name}`)
  for (const of of share(TABLES, 10)) {
    const asked = new Set([of.table, ...(ABOUT[of.table] ?? [])])
    const area = AREAS.find((one) => one.owners.includes(of) || one.calls.some((call) => place(call) === of.table))
    const ownCalls = new Set(area ? callsOf(area) : [])
    const { first, more } = await samples(of)
    /** Calls that wrote a record with a state: the others are not tried about more of the same. */
    const writing = new Set<Call>()
    for (const [records, known] of [[first, CALLS] as const, [more, writing] as const])
      for (const { state, around } of records)
        for (const call of known) {
          // What answers a file is read, or kept as a paper.
          if (call.file || (call.upload && !call.upload.optional)) continue
          const options = { of: keys.of, place, asked, own: ownCalls.has(call) }
          for (const { url, body } of requestsAbout(call, around, options)) {
            const committed = await send(call, { method: call.method, url, body }, `${of.name} ${state}`)
            if (known === CALLS && committed.some(({ touched }) => touched.has(of.table))) writing.add(call)
          }
        }
  }
  expect([...wrong].toSorted()).toEqual([])
  // It has really looked: so many calls were made and changed states.
  expect(calls).toBeGreaterThan(SHARED_OUT ? 400 : 2000)
  expect(moved).toBeGreaterThan(SHARED_OUT ? 100 : 300)
  const declared = TABLES.flatMap((of) =>
    Object.entries(of.states).flatMap(([state, { doors }]) => doors.map((door) => doorKey(of, state, door))),
  )
  if (!SHARED_OUT) expect(declared.filter((door) => !seen.has(door) && !UNSEEN.has(door))).toEqual([])
  // What is declared no more needs no reason any more. The demo university is another one each day: a door may be seen today.
  expect([...UNSEEN.keys()].filter((door) => !declared.includes(door))).toEqual([])
}, 1_200_000)
