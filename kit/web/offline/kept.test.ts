import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/** The browser's store for answers, as far as it is used. */
const stores = new Map<string, Map<string, Response>>()
const cookie = { text: '' }
const stored = new Map<string, string>()
let beforePut: (() => void) | undefined
beforeEach(() => {
  stores.clear()
  stored.clear()
  beforePut = undefined
  vi.resetModules()
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { href: 'https://university.example/' } }))
  vi.stubGlobal('document', {
    get cookie() {
      return cookie.text
    },
  })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubGlobal('caches', {
    keys: async () => [...stores.keys()],
    delete: async (name: string) => stores.delete(name),
    match: async (place: string, { cacheName }: { cacheName: string }) => stores.get(cacheName)?.get(place)?.clone(),
    open: async (name: string) => {
      const store = stores.get(name) ?? new Map<string, Response>()
      stores.set(name, store)
      return {
        put: async (place: string, answer: Response) => {
          beforePut?.()
          store.delete(place)
          store.set(place, answer)
        },
        keys: async () => [...store.keys()],
        delete: async (place: string) => store.delete(place),
      }
    },
  })
})
afterEach(() => vi.unstubAllGlobals())

const signedInAs = (id: number) => {
  cookie.text = `user=${encodeURIComponent(JSON.stringify({ id }))}`
}
const live = (id: number, more: object = {}) => ({
  data: {
    user: { id, student_id: id + 100, instructor_id: null },
    permissions: [],
    records: [],
    impersonation: null,
    ...more,
  },
})
const own = { method: 'GET', path: '/courses', kept: true }
const ofStudent = { method: 'GET', path: '/accounts/{id}', kept: 'own' }
const liveCall = { method: 'GET', path: '/users/live-data', kept: true }

async function open(id: number) {
  const kept = await import('./kept.ts')
  const { liveStore } = await import('../auth/me.ts')
  signedInAs(id)
  liveStore.set(live(id).data as never)
  return { ...kept, liveStore, ...(await import('../store.ts')) }
}

test('what a person read last is there without a line, with its time, and nothing of another', async () => {
  const { keep, keptAnswer, keptAt, liveStore } = await open(7)
  await keep(own as never, { query: { term_id: 1 } }, { data: ['Algebra'] })
  expect(await keptAnswer(own as never, { query: { term_id: 1 } })).toEqual({ data: ['Algebra'] })
  expect(Date.now() - (await keptAt(own as never, { query: { term_id: 1 } }))!).toBeLessThan(5_000)
  expect(await keptAnswer(own as never, { query: { term_id: 2 } })).toBeUndefined()
  // As another of the own records it is another answer.
  liveStore.set(live(7, { user: { id: 7, student_id: 999, instructor_id: null } }).data as never)
  expect(await keptAnswer(own as never, { query: { term_id: 1 } })).toBeUndefined()
  // Somebody else finds nothing.
  signedInAs(8)
  liveStore.set(live(8).data as never)
  expect(await keptAnswer(own as never, { query: { term_id: 1 } })).toBeUndefined()
})

test('who is signed in is known again where the page begins without a line', async () => {
  const { keep, keptAnswer, liveStore } = await open(7)
  await keep(liveCall as never, {}, live(7))
  liveStore.set(null)
  expect(await keptAnswer(liveCall as never, {})).toEqual(live(7))
  // The session is over: the browser has no person any more.
  cookie.text = ''
  expect(await keptAnswer(liveCall as never, {})).toBeUndefined()
})

test('of a call that answers about others only the own record is kept, and nothing while one is logged in as another', async () => {
  const { keep, liveStore } = await open(7)
  await keep(ofStudent as never, { params: { id: 55 } }, { data: 1 })
  expect([...(stores.get('ems.kept.7')?.keys() ?? [])]).toEqual([])
  await keep(ofStudent as never, { params: { id: 107 } }, { data: 1 })
  expect(stores.get('ems.kept.7')?.size).toBe(1)
  liveStore.set(live(7, { impersonation: { by: { id: 1 }, read_only: true, until: null } }).data as never)
  await keep(own as never, {}, { data: 2 })
  await keep(liveCall as never, {}, live(7, { impersonation: { by: { id: 1 }, read_only: true, until: null } }))
  expect(stores.get('ems.kept.7')?.size).toBe(1)
})

test('everything goes with the session, also what arrives a moment later; another person takes the place of the first', async () => {
  const { keep, keptAnswer, keptAt, forgetKept, forgetPersonal } = await open(7)
  await keep(own as never, {}, { data: 1 })
  forgetPersonal()
  await vi.waitFor(() => expect([...stores.keys()]).toEqual([]))
  // Who looks for an answer afterwards finds none, and leaves no empty store behind.
  expect(await keptAnswer(own as never, {})).toBeUndefined()
  expect(await keptAt(own as never, {})).toBeNull()
  expect([...stores.keys()]).toEqual([])
  // Signed out while an answer was on its way.
  beforePut = () => {
    cookie.text = ''
    beforePut = undefined
  }
  await keep(own as never, {}, { data: 2 })
  expect([...stores.keys()]).toEqual([])
  // Nobody signed out; another person's session began over it.
  signedInAs(7)
  await keep(own as never, {}, { data: 3 })
  signedInAs(8)
  stores.set('other', new Map())
  await forgetKept(8)
  expect([...stores.keys()]).toEqual(['other'])
})

test('a device holds so many answers and no more: the oldest make room', async () => {
  const { keep, keptAnswer } = await open(7)
  for (let term_id = 1; term_id <= 65; term_id++) await keep(own as never, { query: { term_id } }, { data: term_id })
  expect(stores.get('ems.kept.7')?.size).toBe(60)
  expect(await keptAnswer(own as never, { query: { term_id: 1 } })).toBeUndefined()
  expect(await keptAnswer(own as never, { query: { term_id: 65 } })).toEqual({ data: 65 })
})
