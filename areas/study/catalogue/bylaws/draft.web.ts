import { createStore } from '#kit/web/store.ts'
import type { Settings } from './settings.contract.ts'

/** What is typed into the settings of a bylaw, in whatever tab, until it is saved. */
export interface BylawDraft {
  readonly id: number
  readonly patch: Partial<Settings>
}
export const bylawDraft = createStore<BylawDraft | null>(null)

/** What is typed of one bylaw. */
export const useDraftOf = (id: number): Partial<Settings> => {
  const draft = bylawDraft.use()
  return draft?.id === id ? draft.patch : NOTHING
}
const NOTHING: Partial<Settings> = {}

/** Adds to what is typed. */
export const typeInto = (id: number, patch: Partial<Settings>): void =>
  bylawDraft.set((draft) => ({ id, patch: { ...(draft?.id === id ? draft.patch : {}), ...patch } }))
