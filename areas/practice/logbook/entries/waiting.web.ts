import { formatInstant, label, language, problemText, translate } from '#kit/web/i18n/index.ts'
import { isRefused } from '#kit/web/offline/all-or-none.ts'
import type { NotSaved, Send, WaitingKind } from '#kit/web/offline/waiting.ts'
import {
  LOGBOOK_ROLE_WORDS,
  logbookCalls as calls,
  SENT_AT_ONCE,
  type SentEntry,
  type SentOutcome,
} from './entry.contract.ts'

export const LOGBOOK_WAITING = 'logbook.entries'
/** An entry that waits on the phone under its own number: sent again and again it is stored once. */
export const waitingEntry = (data: SentEntry) => ({
  id: `${LOGBOOK_WAITING}/${data.uuid}`,
  kind: LOGBOOK_WAITING,
  data,
})

const aboutOf = ({ role, done_at }: SentEntry): string => {
  const word = LOGBOOK_ROLE_WORDS.find(({ value }) => value === role)
  return [word && label(word.label), formatInstant(done_at, language())].filter(Boolean).join(' · ')
}

async function sendSome(entries: readonly SentEntry[], send: Send): Promise<readonly SentOutcome[]> {
  const { data } = await send(calls.sync, { body: { phone_now: new Date().toISOString(), entries: [...entries] } })
  return data
}
/** Sends them at once; where the call itself is refused for one of them, each by itself. */
async function outcomesOf(entries: readonly SentEntry[], send: Send): Promise<readonly (SentOutcome | string)[]> {
  try {
    return await sendSome(entries, send)
  } catch (error) {
    if (!isRefused(error)) throw error
    if (entries.length === 1) return [error.errors[0] ? problemText(error.errors[0]) : error.message]
  }
  const out: (SentOutcome | string)[] = []
  for (const one of entries) out.push(...(await outcomesOf([one], send)))
  return out
}

/** How entries are sent that were made without a line. What is refused stays on the phone, with the reason. */
const waitingEntries: WaitingKind<SentEntry> = {
  changes: ['/emtyaz/logbook', '/logbook-entries'],
  async send(changes, send) {
    const notSaved: (NotSaved | null)[] = []
    for (let i = 0; i < changes.length; i += SENT_AT_ONCE) {
      const part = changes.slice(i, i + SENT_AT_ONCE)
      const outcomes = await outcomesOf(part, send)
      part.forEach((entry, n) => {
        const of = outcomes[n]!
        if (typeof of === 'string') return notSaved.push({ about: aboutOf(entry), why: of })
        if (!of.errors.length) return notSaved.push(null)
        const why = of.errors.map((one) => problemText(one)).join(' ')
        const { pin: _, ...without } = entry
        // Stored, but not confirmed: without the PIN it is done.
        return notSaved.push(
          of.result === 'refused'
            ? { about: aboutOf(entry), why }
            : { about: aboutOf(entry), why: `${translate('logbook', 'stored_unconfirmed')} ${why}`, again: without },
        )
      })
    }
    return notSaved
  },
}
export default waitingEntries
