import type { QueryClient } from '@tanstack/react-query'
import { send } from '../api/client.ts'
import { refresh } from '../api/hooks.ts'
import { notify } from '../feedback/notify.tsx'
import { errorText, loadTexts, translate } from '../i18n/catalogue.ts'
import { areaWebOf } from '../router/load.tsx'
import { isRefused } from './all-or-none.ts'
import { forgetWaiting, mineWaiting, noteProblems } from './waiting.ts'
import type { NotSaved, Waiting, WaitingKind } from './waiting.ts'

/** One tab sends, whichever it is: nothing is sent twice. */
const alone = (work: () => Promise<void>): Promise<unknown> =>
  'locks' in navigator
    ? navigator.locks.request('ems.waiting', { ifAvailable: true }, (lock) => (lock ? work() : undefined))
    : work()

async function kindOf(name: string): Promise<WaitingKind> {
  const [area = ''] = name.split('.')
  const load = (await areaWebOf(area))?.waiting?.[name]
  if (!load) throw new Error(`${area} does not say how ${name} is sent`)
  const [module] = await Promise.all([load(), loadTexts(area), loadTexts('kit-waiting')])
  return module.default
}

/** Sends the changes of one kind; false: the line is gone again. */
async function sendKind(name: string, changes: readonly Waiting[], client: QueryClient): Promise<boolean> {
  let kind: WaitingKind
  let outcome: readonly (NotSaved | null)[]
  try {
    kind = await kindOf(name)
    outcome = await kind.send(
      changes.map((one) => one.data),
      send,
    )
  } catch (error) {
    // Without a line, or without a session, they wait on.
    if (!isRefused(error)) return false
    const why = errorText(error)
    noteProblems(new Map(changes.map((one) => [one.id, { about: '', why }])))
    return true
  }
  const saved = changes.filter((_, i) => !outcome[i])
  forgetWaiting(saved.map((one) => one.id))
  noteProblems(new Map(changes.flatMap((one, i) => (outcome[i] ? [[one.id, outcome[i]] as const] : []))))
  if (saved.length) notify.done(translate('kit-waiting', 'sent', { count: saved.length }))
  await refresh(client, ...kind.changes)
  return true
}

/** Sends what waits. What was refused, or is in conflict, waits for its author instead. */
export async function sendWaiting(client: QueryClient): Promise<void> {
  await alone(async () => {
    const waiting = mineWaiting().filter((one) => !one.problem)
    for (const [name, changes] of Map.groupBy(waiting, (one) => one.kind))
      if (!(await sendKind(name, changes, client))) return
  })
}
