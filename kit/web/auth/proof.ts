import { createStore } from '../store.ts'

/** The question that waits for its answer; null: none does. */
export const proofStore = createStore<{
  /** The password alone is not enough. */
  readonly second: boolean
  readonly answer: (given: boolean) => void
} | null>(null)

let asked: Promise<boolean> | null = null
/**
 * Asks the user for the password, or for the second factor as well (`second`), once for any number of waiting calls.
 * True if the server accepted it: the calls are then sent again.
 */
export function proveAgain(second: boolean): Promise<boolean> {
  asked ??= new Promise<boolean>((resolve) => {
    proofStore.set({
      second,
      answer: (given) => {
        proofStore.set(null)
        asked = null
        resolve(given)
      },
    })
  })
  return asked
}
