import { createStore } from '#kit/web/store.ts'
import type { ShownEntry } from './kinds.web.tsx'

/** Entries that were cut or copied, to be pasted into another folder. */
export interface Clipboard {
  readonly entries: readonly ShownEntry[]
  readonly cut: boolean
}
const clipboard = createStore<Clipboard | null>(null)
export const useClipboard = clipboard.use
export const putClipboard = (next: Clipboard | null): void => clipboard.set(next)
