import { useEffect, useId } from 'react'
import { createStore } from '../store.ts'

/** What is not saved, and whether it lives as long as the screen or as the tab in which it was typed. */
type Kept = ReadonlyMap<string, 'screen' | 'tab'>
const dirty = createStore<Kept>(new Map())
const without = (id: string) => (kept: Kept) => {
  if (!kept.has(id)) return kept
  const rest = new Map(kept)
  rest.delete(id)
  return rest
}

/** While `unsaved`, leaving asks first. @param lives how far it is kept: a tab of the screen, or the whole screen with all its tabs */
export function useUnsaved(unsaved: boolean, lives: 'screen' | 'tab' = 'tab'): void {
  const id = useId()
  useEffect(() => {
    if (!unsaved) return
    dirty.set((kept) => new Map(kept).set(id, lives))
    return () => dirty.set(without(id))
  }, [unsaved, id, lives])
}
/** Forgets unsaved changes, so that a following navigation does not ask: after saving, or when somebody chose to discard. */
export const forgetUnsaved = (): void => dirty.set(new Map())
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
  // What lives with the screen stays in every tab of it.
  if ([...dirty.get().values()].every((lives) => lives === 'screen') && hasUnsaved()) return false
  const [before, after] = [new URLSearchParams(from.search), new URLSearchParams(next.search)]
  return [...tabs].some((name) => before.get(name) !== after.get(name))
}
