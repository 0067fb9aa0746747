import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { confirm, notify } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import { statusInput, statusWays, type StatusAnswer } from '../records/status.rules.ts'
import type { Override } from '../registration.rules.ts'
import { changeCalls, requestCalls, type RequestedRow } from '../requests/request.contract.ts'

/** What the reader may do with a registration, in the order of use; those that hurt ask for a reason. */
type Known = {
  readonly action: 'accept' | 'reject' | 'remove' | 'slots' | 'drop' | 'withdraw' | 'undo' | 'undo_incomplete'
  readonly text: 'accept' | 'reject' | 'take_back' | 'change_group' | 'ask_drop' | 'ask_withdraw' | 'return_registered'
  readonly call: (typeof changeCalls)['accept'] | null
  /** What is told when it is done. */
  readonly done:
    | 'done_accept'
    | 'done_reject'
    | 'done_remove'
    | 'done_slots'
    | 'done_drop'
    | 'done_withdraw'
    | 'done_undo'
  readonly reason?: true
}
const ACTIONS: readonly Known[] = [
  { action: 'accept', text: 'accept', done: 'done_accept', call: changeCalls.accept },
  { action: 'reject', text: 'reject', done: 'done_reject', call: changeCalls.reject, reason: true },
  { action: 'remove', text: 'take_back', done: 'done_remove', call: changeCalls.remove },
  { action: 'slots', text: 'change_group', done: 'done_slots', call: null },
  { action: 'drop', text: 'ask_drop', done: 'done_drop', call: null },
  { action: 'withdraw', text: 'ask_withdraw', done: 'done_withdraw', call: changeCalls.withdraw },
  { action: 'undo', text: 'return_registered', done: 'done_undo', call: changeCalls.undo, reason: true },
  {
    action: 'undo_incomplete',
    text: 'return_registered',
    done: 'done_undo',
    call: changeCalls.undoIncomplete,
    reason: true,
  },
]

/** What can be done with a registration, and what was refused. */
export function useRowActions({ row, own, onDone }: { row: RequestedRow; own: boolean; onDone: () => void }) {
  const t = useT('registration')
  const { send } = useChange()
  const [switching, setSwitching] = useState(false)
  const [setting, setSetting] = useState(false)
  const [error, setError] = useState<{ error: unknown; again: (overrides: Override[]) => void } | null>(null)
  const code = row.course.code ?? ''
  const possible = ACTIONS.filter(
    (one) =>
      row.abilities.includes(one.action) &&
      !(one.action === 'remove' && row.abilities.includes('reject')) &&
      // Staff record a withdrawal with the other statuses.
      (own || one.action !== 'withdraw'),
  )
  const me = useMe()
  const ways = statusWays((right) => me.can(right), row)
  // What is only decided elsewhere is no reason for a menu.
  const statuses = !own && (ways.offered.length > 0 || (ways.stands !== null && row.abilities.includes('undo')))
  const inline = possible.filter((one) => one.action === 'accept' || one.action === 'reject')
  const rest = possible.filter((one) => !inline.includes(one))
  const run = async (one: Known, reason: string | null, overrides: Override[] = []) => {
    try {
      if (one.action === 'drop') {
        await send(requestCalls.addDrop, { body: { action: 'drop', registration_ids: [row.id], reason, overrides } })
      } else if (one.call) await send(one.call, { body: { registration_ids: [row.id], reason, overrides } })
      setError(null)
      notify.done(t(one.done, { course: code }))
    } catch (problem) {
      setError({ error: problem, again: (list) => void run(one, reason, list) })
    }
    onDone()
  }
  const setStatus = async (answer: StatusAnswer | null) => {
    setSetting(false)
    if (!answer) return
    try {
      await send(changeCalls.updateStatus, statusInput(row.id, answer))
      setError(null)
      notify.done(t('done_status', { course: code }))
    } catch (problem) {
      setError({ error: problem, again: () => void setStatus({ ...answer, outside: true }) })
    }
    onDone()
  }
  const start = async (one: Known) => {
    if (one.action === 'slots') return setSwitching(true)
    if (one.reason) {
      const title = t('labelled', { label: t(one.text) })
      const reason = await askReason({
        title: `${title} ${code}`,
        ...(one.action === 'reject' && { text: t('reject_text') }),
        action: t(one.text),
        danger: one.action !== 'undo',
      })
      return reason === null ? undefined : run(one, reason)
    }
    if (one.action === 'withdraw' || one.action === 'drop') {
      const yes = await confirm({
        title: t(`${one.action}_title`, { course: code }),
        consequence: t(`${one.action}_text`),
        action: t(one.text),
        danger: one.action === 'withdraw',
      })
      if (!yes) return
    }
    await run(one, null)
  }
  return { inline, rest, statuses, start, setStatus, error, switching, setSwitching, setting, setSetting }
}
