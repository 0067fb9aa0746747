import { SCREENS } from 'virtual:screens'
import type { Access } from '#kit/contract/call.ts'
import type { Field } from '#kit/contract/field.ts'
import type { Screen } from '#kit/contract/screen.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { titlesFor } from '../router/screens.ts'
import { createStore, forgetPersonal } from '../store.ts'
import { calls } from './calls.ts'
import type { Live } from './calls.ts'
import { send } from '../api/client.ts'
import { ApiError } from '../api/error.ts'

/** Who is signed in; null: nobody. */
export const liveStore = createStore<Live | null>(null)
liveStore.subscribe(() => titlesFor(liveStore.get()?.user.type ?? null))

/** The reader and what he or she may do. */
export interface Me {
  readonly user: Live['user']
  readonly live: Live
  /** Whether one of the keys is held, whatever its reach. */
  can(...keys: PermissionKey[]): boolean
  /** Whether a call or screen with this permission is open to the reader. */
  may(access: Access): boolean
  /** Whether the reader reads a field of records of others. */
  reads(field: Pick<Field, 'readers'>): boolean
  /** Whether a screen is open to the reader: by permission, and by what the reader is. */
  opens(screen: Opened): boolean
}

/** What decides who opens a screen. */
type Opened = Pick<Screen, 'permission' | 'of' | 'menu'>

const keySets = new WeakMap<readonly string[], ReadonlySet<string>>()
const keysOf = (live: Live): ReadonlySet<string> => {
  const had = keySets.get(live.permissions)
  if (had) return had
  const made = new Set(live.permissions)
  keySets.set(live.permissions, made)
  return made
}

const mayWith = (live: Live | null, access: Access): boolean => {
  if (access === 'public') return true
  if (!live) return false
  if (access === 'signed_in') return true
  const keys = keysOf(live)
  return typeof access === 'string' ? keys.has(access) : access.some((key) => keys.has(key))
}
const opensTo = (live: Live | null, { permission, of, menu }: Opened): boolean =>
  (mayWith(live, permission) || (menu?.hub === true && SCREENS.some((s) => s.menu?.setup && opensTo(live, s)))) &&
  (!of || (live !== null && of.some((kind) => live.user[`${kind}_id`] !== null)))
/** Whether a call is open to whoever sits there; also outside components. */
export const may = (access: Access): boolean => mayWith(liveStore.get(), access)
/** Whether a screen is. */
export const opens = (screen: Opened): boolean => opensTo(liveStore.get(), screen)

const made = new WeakMap<Live, Me>()
const meOf = (live: Live): Me => {
  const had = made.get(live)
  if (had) return had
  const me: Me = {
    user: live.user,
    live,
    can: (...keys) => keys.some((key) => mayWith(live, key)),
    may: (access) => mayWith(live, access),
    reads: ({ readers }) => !readers || readers.some((key) => key !== 'self' && mayWith(live, key)),
    opens: (screen) => opensTo(live, screen),
  }
  made.set(live, me)
  return me
}

/** The reader, on screens that only signed-in people see. */
export function useMe(): Me {
  const live = liveStore.use()
  if (!live) throw new Error('nobody is signed in')
  return meOf(live)
}
/** The reader or null, on public screens. */
export function useMaybeMe(): Me | null {
  const live = liveStore.use()
  return live ? meOf(live) : null
}

/** Replaces what is known of the reader, e.g. the count of unread notifications. */
export const patchLive = (part: Partial<Live>): void => liveStore.set((live) => (live ? { ...live, ...part } : live))

/** Whether a session is likely: the readable cookie holds only id, is_super_admin and is_root. */
export const hasUserCookie = (): boolean => /(?:^|;\s*)user=/.test(document.cookie)

/** Id of the person whose session this browser has, as the readable cookie tells; null: nobody's. */
export function userInCookie(): number | null {
  const text = /(?:^|;\s*)user=([^;]+)/.exec(document.cookie)?.[1]
  try {
    const { id } = JSON.parse(decodeURIComponent(text ?? 'null')) as { id?: unknown }
    return typeof id === 'number' ? id : null
  } catch {
    return null
  }
}

/** As which of several own records the person works on this screen; null: there are not several. */
export const recordMeant = (): number | null => {
  const live = liveStore.get()
  return live && live.records.length > 1 ? live.user.student_id : null
}

/** Asks the server who is signed in. false: nobody. Throws when the server cannot be reached. */
export async function loadMe(): Promise<boolean> {
  try {
    const { data } = await send(calls.live)
    const before = liveStore.get()
    liveStore.set(data)
    // Another of the own records was chosen, here or in another tab: what is on the screen is of the one before.
    if (before?.user.id === data.user.id && before.user.student_id !== data.user.student_id) window.location.assign('/')
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) {
      liveStore.set(null)
      // The session may have ended by itself, with nobody there: what was kept is of whoever had it.
      forgetPersonal()
      return false
    }
    throw error
  }
}

/** The user chose another of their records meanwhile: the screen follows once it is known which. */
export function followRecord(): void {
  loadMe().catch(() => undefined)
}
