import { ApiError } from '../api/error.ts'
import { errorText, problemText } from '../i18n/catalogue.ts'

/** Whether the server heard a call and said no: neither without a line or a session, nor busy, nor broken. */
export const isRefused = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.status >= 400 && error.status < 500 && error.status !== 401 && error.status !== 429

/** What is read for the words around a change: null where the reader may see it no more, which the saving tells. */
export const readOrNull = <Answer>(reading: Promise<Answer>): Promise<Answer | null> =>
  reading.catch((error: unknown) => {
    if (isRefused(error)) return null
    throw error
  })

/**
 * Sends changes to a call that takes all of them or none. Those it names (`cells.3.mark`, by `list`) are told to `refuse` and
 * left out, and the others sent again; a reason that names none holds for each. Returns the answer and what it is about.
 */
export async function sendAllOrNone<Change, Answer>(
  changes: readonly Change[],
  {
    list,
    save,
    refuse,
  }: {
    readonly list: string
    readonly save: (changes: readonly Change[]) => Promise<Answer>
    readonly refuse: (change: Change, why: string) => void
  },
): Promise<Answer | null> {
  let rest = changes
  while (rest.length) {
    try {
      return await save(rest)
    } catch (error) {
      if (!isRefused(error)) throw error
      const named = new Set<Change>()
      for (const one of error.errors) {
        const [of, index] = (one.field ?? '').split('.')
        const change = of === list ? rest[Number(index)] : undefined
        if (!change || named.has(change)) continue
        named.add(change)
        refuse(change, problemText(one))
      }
      // The sheet is submitted, the time is over: that holds for each of them.
      if (!named.size) for (const change of rest) refuse(change, errorText(error))
      rest = named.size ? rest.filter((change) => !named.has(change)) : []
    }
  }
  return null
}
