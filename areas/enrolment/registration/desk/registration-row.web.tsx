import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { part } from '#kit/web/later.ts'
import { MeetingType } from '#kit/web/timetable/meeting-type.tsx'
import { useChange } from '#kit/web/api/index.ts'
import { Code, Dialog, Name, Status, act, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { nameOf, problemText, useLabel, useT } from '#kit/web/i18n/index.ts'
import { askReason } from '#kit/web/workflow/index.ts'
import type { Override } from '../registration.rules.ts'
import {
  requestCalls,
  type AvailableOffering,
  type RequestedRow,
  type SlotRow,
  type WaitRow,
} from '../requests/request.contract.ts'
import { ATTEMPTS } from '#areas/common/academics/registration-words.contract.ts'
import type { CourseInWeek } from './choice.web.ts'
import deskCss from './desk.module.css'
import css from './registration-row.module.css'
import { Groups } from './offering-card.web.tsx'
import { Reasons, StateBadge, When } from './parts.web.tsx'
import { useRowActions } from './use-row-actions.web.ts'

const SwapDialog = part(async () => (await import('../swap/swap.web.tsx')).default)
const StatusDialog = part(async () => (await import('../records/status.web.tsx')).default)

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
  busy: readonly CourseInWeek[]
  mayOverride: boolean
  onDone: () => void
}) {
  const t = useT('registration')
  const [swapping, setSwapping] = useState(false)
  const swap = row.abilities.includes('swap') && !waiting && offerings.length > 0
  const actions = useRowActions({ row, own, onDone })
  const { inline, rest, statuses, start, setStatus, error, switching, setSwitching, setting, setSetting } = actions
  const code = row.course.code ?? ''
  return (
    <li className={css.row}>
      <What row={row} waiting={waiting} />
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

/** The course, when it meets, and what else hangs on it. */
function What({ row, waiting }: { row: RequestedRow; waiting: WaitRow | undefined }) {
  const t = useT('registration')
  const say = useLabel()
  const code = row.course.code ?? ''
  const attempt = ATTEMPTS.find((one) => one.value === row.attempt && one.value !== 'Fresh')
  return (
    <div className={css.rowMain}>
      <span className={css.rowTitle}>
        <Code className={deskCss.code}>{code}</Code> <Name row={row.course} />
        <small className={deskCss.dim}>
          {t('hours', { count: row.course.credit_hours })}
          {attempt && <> · {say(attempt.label)}</>}
          {row.audit && <> · {t('audit')}</>}
        </small>
      </span>
      <Meetings slots={row.slots} />
      {waiting && <small className={deskCss.dim}>{t('swap_offered', { course: nameOf(waiting.course) })}</small>}
      {row.gives_up && (
        <small className={deskCss.dim}>{t('swap_gives_up', { course: nameOf(row.gives_up.course) })}</small>
      )}
      {row.given_for && (
        <small className={deskCss.dim}>{t('swap_given_for', { course: nameOf(row.given_for.course) })}</small>
      )}
      {row.held && <small className={deskCss.dim}>{problemText(row.held)}</small>}
    </div>
  )
}

function Meetings({ slots }: { slots: readonly SlotRow[] }) {
  if (!slots.length) return null
  return (
    <span className={css.meetings}>
      {slots.map((slot) => (
        <span key={slot.id}>
          <MeetingType {...slot} /> <When slot={slot} />
        </span>
      ))}
    </span>
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
  busy: readonly CourseInWeek[]
  studentId: number | null
  mayOverride: boolean
  onClose: () => void
  onDone: () => void
}) {
  const t = useT('registration')
  const before = row.slots.map((slot) => slot.id)
  const [chosen, setChosen] = useState<readonly number[]>(before)
  const { problem: error, go, send } = useChange()
  const changed = chosen.length !== before.length || chosen.some((id) => !before.includes(id))
  const save = async (overrides: Override[] = []) => {
    const body = { registration_id: row.id, offering_slot_ids: [...chosen], overrides }
    if (await go(() => send(requestCalls.updateSlots, { body }))) {
      notify.done(t('done_slots', { course: nameOf(row.course) }))
      onClose()
    }
    onDone()
  }
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('change_group_of', { course: nameOf(row.course) })}>
      <Groups
        offering={offering}
        chosen={chosen}
        marked={{ slots: before, label: t('present_group') }}
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
      <div className={deskCss.dialogActions}>
        <Submit missing={[!changed && t('same_group')]} onCancel={onClose} onClick={() => void save()}>
          {t('change_group')}
        </Submit>
      </div>
    </Dialog>
  )
}

/** A place in a queue. */
export function WaitingRow({
  row,
  slots,
  answers,
  onDone,
}: {
  row: WaitRow
  /** The meetings that are waited for. */
  slots: readonly SlotRow[]
  answers: boolean
  onDone: () => void
}) {
  const t = useT('registration')
  const { send } = useChange()
  const leave = async () => {
    const left = await act({
      ask: {
        title: t('leave_title', { course: nameOf(row.course) }),
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
      done: () => t(accept ? 'swap_agreed' : 'swap_refused', { course: nameOf(row.course) }),
    })
    if (done) onDone()
  }
  return (
    <li className={css.row}>
      <div className={css.rowMain}>
        <span className={css.rowTitle}>
          <Code className={deskCss.code}>{row.course.code}</Code> <Name row={row.course} />
        </span>
        <Meetings slots={slots} />
        <span className={deskCss.dim}>
          {row.gives_up ? t('swap_waiting', { course: nameOf(row.gives_up.course) }) : t('waiting_text')}
        </span>
        {row.answer !== null && (
          <small className={deskCss.dim}>{t(row.answer === 'given' ? 'swap_given_text' : 'swap_waits_text')}</small>
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
