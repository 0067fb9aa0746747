import { useEffect } from 'react'
import type { send } from '../api/client.ts'
import { liveStore } from '../auth/me.ts'
import { loadTexts } from '../i18n/catalogue.ts'
import { createStoredStore } from '../store.ts'

/** Why something that waited was not saved, in the words of the reader. */
export interface NotSaved {
  /** What it is about: the course and the student. */
  readonly about: string
  /** Who changed it meanwhile, and that it was; or why it was refused. */
  readonly why: string
  /** Both values, where something else stands there now. */
  readonly yours?: string
  readonly theirs?: string
  /** What is sent to save the own value all the same, knowing the other; absent: that cannot be done. */
  readonly again?: object
}

/**
 * A change that was made without a line. It bears ids and values, and no names: it outlives a session that ended by itself,
 * and waits for the person who made it.
 */
export interface Waiting {
  /** What it changes: a later change of the same takes its place. */
  readonly id: string
  /** How it is sent: `area.kind`, as the area's web side declares it. */
  readonly kind: string
  /** Only this person sees it, sends it, or gives it up. */
  readonly person: number
  readonly at: number
  /** Address of the screen on which it was made. */
  readonly screen: string
  readonly data: object
  readonly problem?: NotSaved
}

/** Sends a call; what it changes is asked anew afterwards (`changes`). */
export type Send = typeof send

/** How an area sends what waited. */
export interface WaitingKind<Data extends object = object> {
  /**
   * Sends changes, oldest first, and tells of each what was not saved; null: it was. Throws when the server could not be
   * reached: they go on waiting.
   */
  send(changes: readonly Data[], send: Send): Promise<readonly (NotSaved | null)[]>
  /** Paths below which everything is asked anew afterwards. */
  readonly changes: readonly string[]
}

const isWaiting = (one: unknown): one is Waiting => {
  const { id, kind, person, data } = (one ?? {}) as Partial<Record<keyof Waiting, unknown>>
  return typeof id === 'string' && typeof kind === 'string' && typeof person === 'number' && typeof data === 'object'
}
const store = createStoredStore<readonly Waiting[]>('ems.waiting', [], (kept) =>
  Array.isArray(kept) ? kept.filter(isWaiting) : [],
)

/** Fetches, while there is a line, what is needed without one: the words, and the way of sending. */
export const getReady = (): void => {
  const fetchNow = () => Promise.all([loadTexts('kit-waiting'), import('./sending.ts'), import('./waiting-dialog.tsx')])
  fetchNow().catch(() => undefined)
}

const isMine = (one: Waiting): boolean => one.person === liveStore.get()?.user.id
/** What the reader has made that waits. */
export const mineWaiting = (): readonly Waiting[] => store.get().filter(isMine)
export function useWaiting(kind?: string): readonly Waiting[] {
  useEffect(() => {
    if (kind !== undefined) getReady()
  }, [kind])
  const all = store.use()
  const live = liveStore.use()
  return all.filter((one) => one.person === live?.user.id && (kind === undefined || one.kind === kind))
}

/** Keeps changes until there is a line. */
export function waitFor(changes: readonly Pick<Waiting, 'id' | 'kind' | 'data'>[]): void {
  const person = liveStore.get()?.user.id
  if (person === undefined) return
  const ids = new Set(changes.map((one) => one.id))
  const screen = window.location.pathname + window.location.search
  const made = changes.map((one) => ({ ...one, person, screen, at: Date.now() }))
  store.set((kept) => [...kept.filter((one) => one.person !== person || !ids.has(one.id)), ...made])
}
/** Takes changes away: they were saved, or given up. */
export const forgetWaiting = (ids: readonly string[]): void =>
  store.set((kept) => kept.filter((one) => !isMine(one) || !ids.includes(one.id)))
/** Notes what became of changes that were not saved. */
export const noteProblems = (problems: ReadonlyMap<string, NotSaved>): void =>
  store.set((kept) =>
    kept.map((one) => {
      const problem = isMine(one) ? problems.get(one.id) : undefined
      return problem ? { ...one, problem } : one
    }),
  )
/** A change is sent once more, with what its author knows now. */
export const waitAgain = (one: Waiting, data: object): void =>
  store.set((kept) =>
    kept.map((other) => (other.id === one.id && isMine(other) ? { ...other, data, problem: undefined } : other)),
  )
/** The person has signed out knowing what is lost. */
export const forgetAllMine = (): void => store.set((kept) => kept.filter((one) => !isMine(one)))
