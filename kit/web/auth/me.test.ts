import { afterEach, beforeEach, expect, test, vi } from 'vitest'

const kept = new Map<string, string>()
beforeEach(() => {
  kept.clear()
  vi.stubGlobal('window', Object.assign(new EventTarget(), { location: { href: 'https://university.example/' } }))
  vi.stubGlobal('document', { cookie: '' })
  const storage: unknown = new Proxy(
    {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    },
    {
      ownKeys: () => [...kept.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
  vi.stubGlobal('localStorage', storage)
})
afterEach(() => vi.unstubAllGlobals())

test('a session that ended by itself leaves nothing of the person in the browser', async () => {
  kept.set(
    'ems.recent',
    JSON.stringify({ user: 3, visits: [{ address: '/students/7', screen: '/students/:id', item: 'Mona' }] }),
  )
  kept.set('ems.language', '"ar"')
  vi.stubGlobal('fetch', async () => new Response(JSON.stringify({ message: 'session_expired' }), { status: 401 }))
  const { loadMe } = await import('./me.ts')
  expect(await loadMe()).toBe(false)
  expect([...kept.keys()]).toEqual(['ems.language'])
})
