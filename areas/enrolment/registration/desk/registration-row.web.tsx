import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { part } from '#kit/web/later.ts'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Dialog, Name, Status, act, confirm, notify } from '#kit/web/feedback/index.ts'
import { problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import type { Override } from '../registration.rules.ts'
import {
  changeCalls,
  requestCalls,
  type AvailableOffering,
  type RequestedRow,
  type WaitRow,
} from '../requests/request.contract.ts'
import { statusInput, statusWays, type StatusAnswer } from '../records/status.rules.ts'
import { ATTEMPTS } from '#areas/common/academics/registration-words.contract.ts'
import type { Busy } from './choice.web.ts'
import css from './desk.module.css'
import { Groups } from './offering-card.web.tsx'
import { Reasons, StateBadge, When } from './parts.web.tsx'

const SwapDialog = part(async () => (await import('../swap/swap.web.tsx')).default)
const StatusDialog = part(async () => (await import('../records/status.web.tsx')).default)

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

/** A registration or request, with its meetings and what can be done about it now. */
export function RegistrationRow({
  row,
  own,
  studentId,
  offering,
  offerings,
  waiting,
  busy,
  mayOverride,
  onDone,
}: {
  row: RequestedRow
  own: boolean
  studentId: number
  offering: AvailableOffering | undefined
  /** Whatever can be had in exchange. */
  offerings: readonly AvailableOffering[]
  /** Its place in the queue of another seat, for which it is offered. */
  waiting: WaitRow | undefined
  busy: readonly Busy[]
  mayOverride: boolean
  onDone: () => void
}) {
  const t = useT('registration')
  const say = useLabel()
  const [switching, setSwitching] = useState(false)
  const [setting, setSetting] = useState(false)
  const [swapping, setSwapping] = useState(false)
  const swap = row.abilities.includes('swap') && !waiting && offerings.length > 0
  const { send } = useChange()
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
  const attempt = ATTEMPTS.find((one) => one.value === row.attempt && one.value !== 'Fresh')
  return (
    <li className={css.row}>
      <div className={css.rowMain}>
        <span className={css.rowTitle}>
          <Code className={css.code}>{code}</Code> <Name row={row.course} />
          <small className={css.dim}>
            {t('hours', { count: row.course.credit_hours })}
            {attempt && <> · {say(attempt.label)}</>}
            {row.audit && <> · {t('audit')}</>}
          </small>
        </span>
        <span className={css.meetings}>
          {row.slots.map((slot) => (
            <span key={slot.id}>
              <MeetingType {...slot} /> <When slot={slot} />
            </span>
          ))}
        </span>
        {waiting && <small className={css.dim}>{t('swap_offered', { course: waiting.course.code ?? '' })}</small>}
        {row.gives_up && (
          <small className={css.dim}>{t('swap_gives_up', { course: row.gives_up.course.code ?? '' })}</small>
        )}
        {row.given_for && (
          <small className={css.dim}>{t('swap_given_for', { course: row.given_for.course.code ?? '' })}</small>
        )}
        {row.held && <small className={css.dim}>{problemText(row.held)}</small>}
      </div>
      <div className={css.rowSide}>
        <StateBadge state={row.state} />
        {inline.map((one) => (
          <Button
            key={one.action}
            size="xs"
            variant={one.action === 'accept' ? 'light' : 'default'}
            onClick={() => void start(one)}
          >
            {t(one.text)}
          </Button>
        ))}
        {(rest.length > 0 || statuses || swap) && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" size={32} aria-label={t('actions_of', { course: code })}>
                <IconDots size={17} aria-hidden />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {rest.map((one) => (
                <Menu.Item key={one.action} onClick={() => void start(one)}>
                  {t(one.text)}
                </Menu.Item>
              ))}
              {swap && <Menu.Item onClick={() => setSwapping(true)}>{t('swap')}</Menu.Item>}
              {statuses && <Menu.Item onClick={() => setSetting(true)}>{t('set_status')}</Menu.Item>}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {error && (
        <div className={css.rowError}>
          <Reasons
            error={error.error}
            studentId={own ? null : studentId}
            onOverride={mayOverride ? error.again : undefined}
          />
        </div>
      )}
      {setting && (
        <Suspense fallback={null}>
          <StatusDialog
            title={t('set_status_of', { course: code })}
            of={row}
            onAnswer={(answer) => void setStatus(answer)}
          />
        </Suspense>
      )}
      {swapping && (
        <Suspense fallback={null}>
          <SwapDialog
            row={row}
            offerings={offerings}
            busy={busy}
            own={own}
            studentId={studentId}
            onClose={() => setSwapping(false)}
            onDone={onDone}
          />
        </Suspense>
      )}
      {switching && offering && (
        <SwitchDialog
          row={row}
          offering={offering}
          busy={busy}
          studentId={own ? null : studentId}
          mayOverride={mayOverride}
          onClose={() => setSwitching(false)}
          onDone={onDone}
        />
      )}
    </li>
  )
}

/** Other slots for a registration: the old seat is given back and the new one taken at once. */
function SwitchDialog({
  row,
  offering,
  busy,
  studentId,
  mayOverride,
  onClose,
  onDone,
}: {
  row: RequestedRow
  offering: AvailableOffering
  busy: readonly Busy[]
  studentId: number | null
  mayOverride: boolean
  onClose: () => void
  onDone: () => void
}) {
  const t = useT('registration')
  const tk = useT('kit')
  const before = row.slots.map((slot) => slot.id)
  const [chosen, setChosen] = useState<readonly number[]>(before)
  const { problem: error, go, send } = useChange()
  const changed = chosen.length !== before.length || chosen.some((id) => !before.includes(id))
  const save = async (overrides: Override[] = []) => {
    const body = { registration_id: row.id, offering_slot_ids: [...chosen], overrides }
    if (await go(() => send(requestCalls.updateSlots, { body }))) {
      notify.done(t('done_slots', { course: row.course.code ?? '' }))
      onClose()
    }
    onDone()
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('change_group_of', { course: row.course.code ?? '' })}>
      <Groups
        offering={offering}
        chosen={chosen}
        busy={busy}
        overQuota={false}
        mayClash={mayOverride}
        disabled={false}
        onChoose={setChosen}
      />
      {error !== null && (
        <Reasons
          error={error}
          studentId={studentId}
          onOverride={mayOverride ? (overrides) => void save(overrides) : undefined}
        />
      )}
      <div className={css.dialogActions}>
        <Button variant="default" onClick={onClose}>
          {tk('cancel')}
        </Button>
        <Button disabled={!changed} onClick={() => void save()}>
          {t('change_group')}
        </Button>
      </div>
    </Dialog>
  )
}

/** A place in a queue. */
export function WaitingRow({ row, answers, onDone }: { row: WaitRow; answers: boolean; onDone: () => void }) {
  const t = useT('registration')
  const { send } = useChange()
  const leave = async () => {
    const left = await act({
      ask: {
        title: t('leave_title', { course: row.course.code ?? '' }),
        consequence: t('leave_text', { position: row.position }),
        action: t('leave_queue'),
      },
      go: () => send(requestCalls.leave, { params: { id: row.id } }),
      done: () => null,
    })
    if (left) onDone()
  }
  const answer = async (accept: boolean) => {
    const reason = accept
      ? null
      : await askReason({ title: t('labelled', { label: t('swap_refuse') }), action: t('swap_refuse'), danger: true })
    if (!accept && reason === null) return
    const done = await act({
      go: () => send(requestCalls.answer, { params: { id: row.id }, body: { accept, reason } }),
      done: () => t(accept ? 'swap_agreed' : 'swap_refused', { course: row.course.code ?? '' }),
    })
    if (done) onDone()
  }
  return (
    <li className={css.row}>
      <div className={css.rowMain}>
        <span className={css.rowTitle}>
          <Code className={css.code}>{row.course.code}</Code> <Name row={row.course} />
        </span>
        <span className={css.dim}>
          {row.gives_up ? t('swap_waiting', { course: row.gives_up.course.code ?? '' }) : t('waiting_text')}
        </span>
        {row.answer !== null && (
          <small className={css.dim}>{t(row.answer === 'given' ? 'swap_given_text' : 'swap_waits_text')}</small>
        )}
      </div>
      <div className={css.rowSide}>
        {answers && row.answer === 'waits' && (
          <>
            <Button size="xs" variant="light" onClick={() => void answer(true)}>
              {t('swap_agree')}
            </Button>
            <Button size="xs" variant="default" onClick={() => void answer(false)}>
              {t('swap_refuse')}
            </Button>
          </>
        )}
        <Status is="queued" label={t('place_in_queue', { position: row.position })} />
        <Button size="xs" variant="default" onClick={() => void leave()}>
          {t('leave_queue')}
        </Button>
      </div>
    </li>
  )
}
