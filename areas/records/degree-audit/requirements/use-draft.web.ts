import { useMemo, useState } from 'react'
import { sameTree } from './compare.rules.ts'
import type { StoredRequirements } from './stored.contract.ts'
import { walk, type Requirement, type TreeMode } from './tree.rules.ts'

/** What is edited, and the way back. */
export interface RequirementDraft {
  readonly mode: TreeMode
  readonly tree: Requirement | null
}
interface Kept {
  readonly past: readonly RequirementDraft[]
  readonly now: RequirementDraft
  readonly future: readonly RequirementDraft[]
  /** What the last change was: the next letter in the same field is undone together with it. */
  readonly last: string | null
}
const STEPS_KEPT = 200

/** Requirements as they are edited, with every step back and forth. */
export function useDraft(stored: StoredRequirements) {
  const saved = useMemo<RequirementDraft>(() => ({ mode: stored.mode, tree: stored.tree }), [stored])
  const [kept, setKept] = useState<Kept>({ past: [], now: saved, future: [], last: null })
  const change = (next: Partial<RequirementDraft>, what: string | null = null) =>
    setKept(({ past, now, last }) => ({
      past: what !== null && what === last ? past : [...past, now].slice(-STEPS_KEPT),
      now: { ...now, ...next },
      future: [],
      last: what,
    }))
  const undo = () =>
    setKept((all) => {
      const before = all.past.at(-1)
      return before ? { past: all.past.slice(0, -1), now: before, future: [all.now, ...all.future], last: null } : all
    })
  const redo = () =>
    setKept((all) => {
      const [after, ...future] = all.future
      return after ? { past: [...all.past, all.now], now: after, future, last: null } : all
    })
  return {
    draft: kept.now,
    changed: kept.now.mode !== saved.mode || !sameTree(kept.now.tree, saved.tree),
    change,
    undo,
    redo,
    canUndo: kept.past.length > 0,
    canRedo: kept.future.length > 0,
    reset: (to: RequirementDraft = saved) => setKept({ past: [], now: to, future: [], last: null }),
  }
}

/** Whether a draft can be looked at by the server: everything has its names. */
export const isNamed = (tree: Requirement | null): boolean =>
  tree === null || [...walk(tree)].every(([, one]) => one.name.trim() !== '' && one.name_local.trim() !== '')
