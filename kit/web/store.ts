import { useSyncExternalStore } from 'react'

/** A value outside React that components follow. */
export interface Store<T> {
  get(): T
  set(next: T | ((current: T) => T)): void
  subscribe(listener: () => void): () => void
  /** Follows the value in a component. */
  use(): T
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial
  const listeners = new Set<() => void>()
  const store: Store<T> = {
    get: () => value,
    set(next) {
      const changed = typeof next === 'function' ? (next as (current: T) => T)(value) : next
      if (Object.is(changed, value)) return
      value = changed
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    // Without a browser (a test that renders to text) the value is the same.
    use: () => useSyncExternalStore(store.subscribe, store.get, store.get),
  }
  return store
}

/**
 * What belongs to this computer rather than to who sits there: it stays when somebody signs out. It names nobody. `waiting` is
 * work of a person that is not saved yet: ids and values, which signing out takes away and a session that ends by itself does not.
 */
const STAYS = /^ems\.(?:language|preferences|university|entry|cookies|active|waiting|fonts|table\..+)$/
const emptied: (() => void)[] = []
/** Something else that is kept of a person: emptied together with the rest. */
export const onForget = (empty: () => void): void => void emptied.push(empty)

/**
 * Forgets what this browser keeps of a person: pages visited, what was looked up, views with what was searched. What is
 * kept in future belongs to this as well, unless it is named above.
 */
export function forgetPersonal(): void {
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('ems.') && !STAYS.test(key)) localStorage.removeItem(key)
  } catch {
    // Storage is forbidden: nothing was kept.
  }
  for (const empty of emptied) empty()
}

/** A store kept in this browser under `key`, the same in every tab. A value that cannot be read is taken as absent. */
export function createStoredStore<T>(key: string, initial: T, restore: (kept: unknown) => T): Store<T> {
  const read = (text: string | null): T => {
    if (text === null) return initial
    try {
      return restore(JSON.parse(text))
    } catch {
      return initial
    }
  }
  const kept = (): string | null => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  const store = createStore(read(kept()))
  const set = store.set
  if (!STAYS.test(key)) emptied.push(() => set(initial))
  store.set = (next) => {
    set(next)
    try {
      localStorage.setItem(key, JSON.stringify(store.get()))
    } catch {
      // Storage is full or forbidden: the choice lives as long as this tab.
    }
  }
  // Tests read modules without a browser.
  globalThis.window?.addEventListener('storage', (event) => {
    if (event.key === key) set(read(event.newValue))
  })
  return store
}
