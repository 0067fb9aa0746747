import { createStore } from '../store.ts'
import { onSessionOpened, sessionsStore } from './session.ts'
import { liveStore, loadMe } from './me.ts'

/** Somebody whose session ended over something unsaved, and waits to sign in again; null: nobody does. */
export const againStore = createStore<{ readonly answer: (signedIn: boolean) => void } | null>(null)

let asked: Promise<boolean> | null = null
/**
 * Asks whoever sits there to sign in again without leaving the screen, once however many calls wait for it. True when the
 * same person is signed in: the calls are then sent again. A sign-in in another tab answers as well.
 */
export function signInAgain(): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    const person = liveStore.get()?.user.id
    const follow = async () => {
      if (!(await loadMe())) return
      sessionsStore.set((n) => n + 1)
      answer(liveStore.get()?.user.id === person)
    }
    const stop = onSessionOpened(() => {
      // Somebody else may have signed in there: what is unsaved here is not theirs.
      void follow().catch(() => undefined)
    })
    const answer = (signedIn: boolean) => {
      stop()
      asked = null
      againStore.set(null)
      resolve(signedIn)
    }
    againStore.set({ answer })
  })
  return asked
}
/** Whether somebody is being asked now. */
export const isAsked = (): boolean => asked !== null
