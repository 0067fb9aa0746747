import { newVersionStore } from './version.ts'

/** How often an open page looks whether there is a new version. */
const LOOK_MS = 3_600_000

/** The script this page runs: its name changes with every version. */
const ownScript = (): string | null => document.querySelector('script[type="module"][src]')?.getAttribute('src') ?? null

/** Asks a worker something; null: it did not answer. */
const ask = (worker: ServiceWorker, message: object): Promise<unknown> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => resolve(data)
    setTimeout(() => resolve(null), 5_000)
    worker.postMessage(message, [port2])
  })

/** A worker has been installed beside the one that works: it is of another version, or of that which is shown already. */
async function offer(worker: ServiceWorker): Promise<void> {
  const script = await ask(worker, { what: 'script' })
  // Whoever came after the change has the new version: nothing is left but to let it begin.
  if (script === ownScript()) worker.postMessage({ what: 'begin' })
  else newVersionStore.set(worker)
}

/** Takes the new version. The page begins anew; who has something unsaved is asked before by the caller. */
export function takeNewVersion(): void {
  const worker = newVersionStore.get()
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), { once: true })
  worker?.postMessage({ what: 'begin' })
  // It has begun already, through another tab.
  setTimeout(() => window.location.reload(), 3_000)
}

/** What this page has loaded: the worker keeps it for the next time. */
const loadedFiles = (): string[] =>
  performance
    .getEntriesByType('resource')
    .map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === window.location.origin && pathname.startsWith('/assets/'))
    .map(({ pathname }) => pathname)

/** Starts the worker that keeps the application on the device. Its answers are never those of the API. */
export async function startWorker(): Promise<void> {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  try {
    const registration = await navigator.serviceWorker.register('/service-worker.js')
    const look = () => {
      if (registration.waiting && navigator.serviceWorker.controller) void offer(registration.waiting)
    }
    look()
    registration.addEventListener('updatefound', () => {
      const { installing } = registration
      installing?.addEventListener('statechange', () => installing.state === 'installed' && look())
    })
    setInterval(() => void registration.update().catch(() => undefined), LOOK_MS)
    const { active } = await navigator.serviceWorker.ready
    active?.postMessage({ what: 'keep', files: loadedFiles() })
  } catch {
    // Forbidden, or full: everything works as before, with a line.
  }
}
