import { Suspense } from 'react'
import type { ReactNode } from 'react'
import type { Weight } from '../feedback/weight.tsx'
import { part } from '../later.ts'
import { createStore } from '../store.ts'

interface ReasonQuestion extends Weight {
  /** The question: `Take the marks of CS101 back one step?` */
  readonly title: string
  /** What will happen, in a sentence. */
  readonly text?: ReactNode
  /** The verb on the button. */
  readonly action: string
  /** Red button: it refuses or hurts. */
  readonly danger?: boolean
  /** It may be left empty. */
  readonly optional?: boolean
  /** What becomes of the reason, where that is said otherwise: who else reads it. */
  readonly kept?: string
  /** What else is said with it, below the reason: an end, a choice. Whoever asks keeps what is entered. */
  readonly more?: ReactNode
  /** Work done while the dialog waits; what it refuses is shown in the dialog, which then stays open. */
  readonly go?: (reason: string) => Promise<unknown>
}
export interface AskedReason extends ReasonQuestion {
  readonly answer: (reason: string | null) => void
}
const asked = createStore<readonly AskedReason[]>([])

/** Asks for the reason of something that is kept with it; null when the person thinks better of it. */
export const askReason = (question: ReasonQuestion): Promise<string | null> =>
  new Promise((resolve) => {
    const entry: AskedReason = {
      ...question,
      answer: (reason) => {
        asked.set((kept) => kept.filter((one) => one !== entry))
        resolve(reason)
      },
    }
    asked.set((kept) => [...kept, entry])
  })

const ReasonForm = part(async () => (await import('./reason-form.tsx')).default)
/** Where reasons are asked for; the shell renders it once. */
export function ReasonDialogs() {
  const list = asked.use()
  return (
    list.length > 0 && (
      <Suspense>
        {list.map((question, i) => (
          <ReasonForm key={i} question={question} />
        ))}
      </Suspense>
    )
  )
}
