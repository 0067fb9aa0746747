import type { Named } from '../i18n/format.ts'
import { createStoredStore } from '../store.ts'

/** A page that was visited: its address, the declared screen, and its item when it had one. */
export interface Visit {
  readonly address: string
  readonly screen: string
  readonly item?: string | Named
}
const MOST = 12

interface Kept {
  /** Whose visits: another person on the same computer sees none of them. */
  readonly user: number
  readonly visits: readonly Visit[]
}
const store = createStoredStore<Kept>('ems.recent', { user: 0, visits: [] }, (kept) => {
  const k = kept as Partial<Kept>
  return {
    user: Number(k.user) || 0,
    visits: Array.isArray(k.visits) ? k.visits.filter((v) => typeof v?.address === 'string') : [],
  }
})

export const noteVisit = (user: number, visit: Visit): void =>
  store.set((kept) => {
    const before = kept.user === user ? kept.visits : []
    return { user, visits: [visit, ...before.filter((v) => v.address !== visit.address)].slice(0, MOST) }
  })
/** The reader's last pages, the newest first. */
export const useVisits = (user: number): readonly Visit[] => {
  const kept = store.use()
  return kept.user === user ? kept.visits : []
}
