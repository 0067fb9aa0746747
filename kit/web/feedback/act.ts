import { confirm } from './dialogs.tsx'
import type { ConfirmOptions } from './dialogs.tsx'
import { notify } from './notify.tsx'

/** What somebody does with one press of a button. */
export interface Act<Answer> {
  /** Asked first; absent for what can be taken back, which is done at once. */
  readonly ask?: Omit<ConfirmOptions, 'go'>
  readonly go: () => Promise<Answer>
  /** What was done, in a sentence; null when the answer itself tells it. */
  readonly done: (answer: Answer) => string | null
  /** Takes it back. */
  readonly undo?: (answer: Answer) => Promise<unknown>
}

/**
 * The one way of acting. An action that can be undone happens at once and offers Undo. Any other first says what will
 * happen, to how many and to whom, and for many records asks for their number. A refusal is shown in the question,
 * which stays open, or as a message. Returns null when nothing was done.
 *
 * @example act({ go: () => send(calls.close, { params }), done: () => t('closed', { name }), undo: () => send(calls.open, { params }) })
 */
export async function act<Answer>({ ask, go, done, undo }: Act<Answer>): Promise<Answer | null> {
  let answer: Answer
  if (ask) {
    let given: { answer: Answer } | undefined
    const yes = await confirm({
      ...ask,
      go: async () => {
        given = { answer: await go() }
      },
    })
    if (!yes || !given) return null
    answer = given.answer
  } else {
    try {
      answer = await go()
    } catch (problem) {
      notify.error(problem)
      return null
    }
  }
  const text = done(answer)
  if (text !== null) {
    if (undo) notify.undo(text, () => undo(answer))
    else notify.done(text)
  }
  return answer
}
