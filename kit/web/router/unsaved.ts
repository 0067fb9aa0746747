import { useEffect, useId } from 'react'
import { createStore } from '../store.ts'

const dirty = createStore<ReadonlySet<string>>(new Set())
const without = (id: string) => (kept: ReadonlySet<string>) => {
  if (!kept.has(id)) return kept
  const rest = new Set(kept)
  rest.delete(id)
  return rest
}

/** While `unsaved`, leaving the screen or closing the tab asks first. */
export function useUnsaved(unsaved: boolean): void {
  const id = useId()
  useEffect(() => {
    if (!unsaved) return
    dirty.set((kept) => new Set(kept).add(id))
    return () => dirty.set(without(id))
  }, [unsaved, id])
}
/** Forgets unsaved changes, so that a following navigation does not ask: after saving, or when somebody chose to discard. */
export const forgetUnsaved = (): void => dirty.set(new Set())
export const hasUnsaved = (): boolean => dirty.get().size > 0
export const unsavedStore = dirty

/** Parts of an address that say which tab is drawn: what the other tabs hold is gone with them. */
const tabs = new Set<string>(['tab'])
/** From here on a change of this part of the address leaves what was typed in a tab. */
export const noteTabs = (name: string): void => void tabs.add(name)

/** Whether going from one address to the other takes away what is drawn there. */
export function leaves(
  from: Pick<Location, 'pathname' | 'search'>,
  next: Pick<Location, 'pathname' | 'search'>,
): boolean {
  if (from.pathname !== next.pathname) return true
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(next.search)]
  return [...tabs].some((name) => before.get(name) !== after.get(name))
}
