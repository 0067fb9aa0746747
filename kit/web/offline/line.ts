import { createStore } from '../store.ts'

/** Whether the server can be reached, as the browser says and as the last call found. */
export const lineStore = createStore<boolean>(globalThis.navigator?.onLine ?? true)

/** Something small of the server that is never taken from the worker's cache. */
const SMALL = '/favicon.svg'
/** How long until it is looked for again, in milliseconds: not by everybody at once. */
const pauseMs = (): number => 10_000 + Math.random() * 10_000

const returned = new Set<() => void>()
/** Hears when there is a line again. Returns the way to stop. */
export const onLineBack = (listener: () => void): (() => void) => {
  returned.add(listener)
  return () => returned.delete(listener)
}

let timer: ReturnType<typeof setTimeout> | undefined
async function look(): Promise<void> {
  timer = undefined
  if (document.visibilityState === 'visible' && navigator.onLine)
    await fetch(SMALL, { method: 'HEAD', cache: 'no-store' }).then(
      ({ status }) => noteLine(status < 500),
      () => undefined,
    )
  lookLater()
}
const lookLater = (): void => {
  if (!lineStore.get()) timer ??= setTimeout(() => void look(), pauseMs())
}

/** Notes whether the server was reached. */
export function noteLine(there: boolean): void {
  if (lineStore.get() === there) return
  lineStore.set(there)
  if (there) for (const listener of returned) listener()
  else lookLater()
}

/** Follows what the browser knows of its network. */
export function watchLine(): void {
  window.addEventListener('offline', () => noteLine(false))
  window.addEventListener('online', () => {
    clearTimeout(timer)
    void look()
  })
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible' && !lineStore.get()) void look()
  })
  lookLater()
}
