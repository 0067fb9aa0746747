import { createStore } from '../store.ts'

/** A newer version that waits until somebody wants it; null: there is none. */
export const newVersionStore = createStore<ServiceWorker | null>(null)
