import { hashKey } from '@tanstack/react-query'
import { addressOf } from '../api/client.ts'
import type { AnyCall } from '../api/client.ts'
import { keyOf } from '../api/hooks.ts'
import type { Live } from '../auth/calls.ts'
import { liveStore, userInCookie } from '../auth/me.ts'
import { createStore, onForget } from '../store.ts'

/**
 * The last answers of calls that are `kept`, per person, in the browser's own store for answers. Nobody else's are ever
 * there: with the session they go, and before anything of another person is kept.
 */
const PREFIX = 'ems.kept.'
const AT = 'x-kept-at'
/** A page that is reached without https has no such store, and keeps nothing. */
const store = (): CacheStorage | undefined => globalThis.caches

interface Input {
  readonly params?: Record<string, unknown>
  readonly query?: Record<string, unknown>
  readonly body?: unknown
}

/** What is asked, and as which of the own records, as an address of the store. */
const placeOf = (call: AnyCall, input: Input, record: number | null): string =>
  `/kept/${encodeURIComponent(JSON.stringify([record, call.method, addressOf(call, input.params, input.query), input.body ?? null]))}`

/** When the answers on the screen were given that come from here, by the key of the query. */
export const keptStore = createStore<ReadonlyMap<string, number>>(new Map())
const shown = (key: string, at: number | null): void =>
  keptStore.set((kept) => {
    if (at === null && !kept.has(key)) return kept
    const next = new Map(kept)
    if (at === null) next.delete(key)
    else next.set(key, at)
    return next
  })

/** Which person something may be kept for now: who is signed in as such, not who looks as another. */
function personNow(live: Live | null): number | null {
  const person = userInCookie()
  return live && live.impersonation === null && live.user.id === person ? person : null
}
const isLive = (call: AnyCall): boolean => call.path === '/users/live-data'

/** Answers that are kept of a person; the oldest make room. */
const MOST = 60

/** Whether the call is about the person, where it answers about others as well. */
const isOwn = (call: AnyCall, { params }: Input, live: Live): boolean =>
  call.kept !== 'own' ||
  [live.user.student_id, live.user.instructor_id].includes(Number(Object.values(params ?? {})[0]))

/** Counts what was forgotten: what was asked before is not kept afterwards. */
let times = 0

/** Keeps an answer. */
export async function keep(call: AnyCall, input: object, answer: unknown): Promise<void> {
  shown(hashKey(keyOf(call, input)), null)
  const asked = times
  const live = isLive(call) ? (answer as { data: Live }).data : liveStore.get()
  const person = personNow(live)
  const caches = store()
  if (person === null || !live || !caches || !isOwn(call, input, live)) return
  const record = isLive(call) ? null : (live?.user.student_id ?? null)
  const name = PREFIX + person
  const mayStill = () => asked === times && userInCookie() === person
  try {
    const cache = await caches.open(name)
    if (mayStill())
      await cache.put(
        placeOf(call, input, record),
        new Response(JSON.stringify(answer), {
          headers: { 'content-type': 'application/json', [AT]: String(Date.now()) },
        }),
      )
    const places = await cache.keys()
    for (const place of places.slice(0, Math.max(0, places.length - MOST))) await cache.delete(place)
    // Signed out meanwhile, here or in another tab.
    if (!mayStill()) await caches.delete(name)
  } catch {
    // The device is full, or forbids it: nothing is kept.
  }
}

async function found(call: AnyCall, input: Input): Promise<Response | undefined> {
  const person = userInCookie()
  const live = liveStore.get()
  if (person === null || (live !== null && personNow(live) === null)) return undefined
  // Looked for without opening: to open a store makes one, also where it was just forgotten.
  return store()?.match(placeOf(call, input, isLive(call) ? null : (live?.user.student_id ?? null)), {
    cacheName: PREFIX + person,
  })
}
const atOf = (answer: Response): number => Number(answer.headers.get(AT))

/** The answer that was kept; undefined: there is none. */
export async function keptAnswer(call: AnyCall, input: object): Promise<unknown> {
  try {
    const answer = await found(call, input)
    if (!answer) return undefined
    const body: unknown = await answer.json()
    shown(hashKey(keyOf(call, input)), atOf(answer))
    return body
  } catch {
    return undefined
  }
}
/** When an answer was kept; null: none is. */
export const keptAt = async (call: AnyCall, input: object): Promise<number | null> => {
  const answer = await found(call, input).catch(() => undefined)
  return answer ? atOf(answer) : null
}

/** Forgets what is kept, of everybody but this person. */
export async function forgetKept(except: number | null = null): Promise<void> {
  if (except === null) times += 1
  keptStore.set(new Map())
  const caches = store()
  if (!caches) return
  const names = await caches.keys().catch((): string[] => [])
  await Promise.all(
    names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + except).map((name) => caches.delete(name)),
  )
}
onForget(() => void forgetKept())
