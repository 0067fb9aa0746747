import type { QueryClient } from '@tanstack/react-query'
import { send } from '../api/client.ts'
import { isOffline } from '../api/error.ts'
import { forgetKept } from '../offline/kept.ts'
import { lineStore, onLineBack } from '../offline/line.ts'
import { createStore, forgetPersonal } from '../store.ts'
import { calls } from './calls.ts'
import { hasUserCookie, liveStore, loadMe, userInCookie } from './me.ts'

/** The documents' times: idle sign-out after 3 hours, live data every 3 minutes. */
export const IDLE_MS = 10_800_000
export const LIVE_MS = 180_000
const ACTIVE = 'ems.active'
const TARGET = 'ems.target'
/** What a tab writes at most this often while somebody works. */
const NOTE_EVERY_MS = 15_000

type Message = 'in' | 'out' | 'idle'
const channel = typeof BroadcastChannel === 'undefined' ? null : new BroadcastChannel('ems.session')
/** Node's test runner would wait for an open channel. */
;(channel as unknown as { unref?: () => void } | null)?.unref?.()

/** Where to go after signing in. Kept per tab. */
export const saveTarget = (address: string): void => {
  try {
    sessionStorage.setItem(TARGET, address)
  } catch {
    // The person lands on the dashboard instead.
  }
}
export const takeTarget = (): string | null => {
  try {
    const target = sessionStorage.getItem(TARGET)
    sessionStorage.removeItem(TARGET)
    return target
  } catch {
    return null
  }
}

let queries: QueryClient | null = null
/** What is kept of answers belongs to the person who asked: it is emptied with the session. */
export const setSessionQueries = (client: QueryClient): void => {
  queries = client
}

const opened = new Set<() => void>()
/** Hears when somebody signs in in another tab. Returns the way to stop. */
export const onSessionOpened = (listener: () => void): (() => void) => {
  opened.add(listener)
  return () => opened.delete(listener)
}

/** The cache of answers, for code that changes their data. */
export const sessionQueries = (): QueryClient | null => queries

/** After the server has opened a session: reads the user, and informs other tabs. */
export async function sessionOpened(): Promise<void> {
  queries?.clear()
  noteActivity(true)
  await loadMe()
  await forgetKept(userInCookie())
  channel?.postMessage('in' satisfies Message)
}

/** How many sessions this tab has seen: listeners start again with each new one. */
export const sessionsStore = createStore(1)
/** After the same person has signed in again over what is on the screen: nothing of it is forgotten. */
export async function sessionRenewed(): Promise<void> {
  noteActivity(true)
  await loadMe()
  sessionsStore.set((n) => n + 1)
  channel?.postMessage('in' satisfies Message)
}

/** Forgets everything of the session in this tab. */
export function forgetSession(): void {
  liveStore.set(null)
  queries?.clear()
  forgetPersonal()
}

/**
 * Signs out here and in every tab. Out of a session as another person it leads back into one's own: true then.
 */
export async function signOut(reason: 'out' | 'idle' = 'out'): Promise<boolean> {
  const answer = await send(calls.logout).catch((error: unknown) => {
    if (isOffline(error)) signOutLater()
    return null
  })
  if (answer?.data) {
    await sessionOpened()
    return true
  }
  forgetSession()
  channel?.postMessage(reason satisfies Message)
  // The provider of single sign-on ends its session too, and sends the browser back.
  if (answer?.meta) window.location.assign(answer.meta.url)
  return false
}

/** Without a line the server cannot be told: nobody is signed in here any more, and it is told when it can be. */
function signOutLater(): void {
  document.cookie = 'user=; path=/; max-age=0'
  const stop = onLineBack(() => {
    stop()
    // Whoever has signed in meanwhile stays.
    if (!hasUserCookie()) send(calls.logout).catch(() => undefined)
  })
}

let noted = 0
const noteActivity = (now = false): void => {
  const at = Date.now()
  if (!now && at - noted < NOTE_EVERY_MS) return
  noted = at
  try {
    localStorage.setItem(ACTIVE, String(at))
  } catch {
    // Only this tab counts then.
  }
}
const lastActivity = (): number => {
  try {
    return Math.max(noted, Number(localStorage.getItem(ACTIVE)) || 0)
  } catch {
    return noted
  }
}

const SIGNS = ['click', 'mousemove', 'mousedown', 'keydown', 'touchstart', 'scroll'] as const

/**
 * While somebody is signed in: signs out after three hours without a sign of life in any tab, asks for live data every
 * three minutes, and follows what other tabs do. Returns the way to stop.
 *
 * @param hold keeps the screen where something is unsaved and the session has only run out; true when it does
 */
export function watchSession(ended: (reason: Message) => void, hold: () => boolean): () => void {
  noteActivity(true)
  const sign = () => noteActivity()
  for (const name of SIGNS) window.addEventListener(name, sign, { passive: true, capture: true })
  const checkIdle = () => {
    // A laptop that slept does not fire timers in time: the clock decides. Without a line there is no session to misuse,
    // and what was kept to be read there stays until the server says otherwise.
    if (lineStore.get() && liveStore.get() && Date.now() - lastActivity() >= IDLE_MS)
      void signOut('idle').then((back) => !back && ended('idle'))
  }
  const idle = setInterval(checkIdle, 30_000)
  const live = setInterval(() => {
    if (liveStore.get() && document.visibilityState === 'visible') loadMe().catch(() => undefined)
  }, LIVE_MS)
  const seen = () => {
    if (document.visibilityState !== 'visible') return
    checkIdle()
    // Another tab may have signed out while no message could arrive.
    if (liveStore.get() && !hasUserCookie() && !hold()) {
      forgetSession()
      ended('out')
    }
  }
  document.addEventListener('visibilitychange', seen)
  const heard = (event: MessageEvent<Message>) => {
    // Who waits here to sign in again goes on where he or she was.
    if (event.data === 'in' && opened.size) for (const listener of opened) listener()
    else if (event.data === 'in') {
      const before = liveStore.get()?.user.id
      queries?.clear()
      const follow = async () => {
        await loadMe()
        if (before !== liveStore.get()?.user.id) window.location.assign('/')
      }
      follow().catch(() => undefined)
    } else if (liveStore.get()) {
      forgetSession()
      ended(event.data)
    }
  }
  channel?.addEventListener('message', heard)
  return () => {
    for (const name of SIGNS) window.removeEventListener(name, sign, { capture: true })
    clearInterval(idle)
    clearInterval(live)
    document.removeEventListener('visibilitychange', seen)
    channel?.removeEventListener('message', heard)
  }
}
