import { Button, Modal, Textarea } from '@mantine/core'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { CONTROL_STATUSES } from '#areas/offerings/words.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Failed, Problems, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { createStore } from '#kit/web/store.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import type { ControlAction, ControlStatus } from './control.rules.ts'
import { controlStep } from './control.rules.ts'
import { controlCalls } from './control/control.contract.ts'
import { STANDINGS } from './words.contract.ts'
import css from './grading.module.css'

/** The control status of an offering. */
export function ControlBadge({ status }: { status: ControlStatus }) {
  const say = useLabel()
  const known = CONTROL_STATUSES.find((one) => one.value === status)!
  return <Status tone={known.tone} label={say(known.label)} />
}
export function StandingBadge({ standing }: { standing: (typeof STANDINGS)[number]['value'] | null }) {
  const say = useLabel()
  const known = STANDINGS.find((one) => one.value === standing)
  return known ? <Status tone={known.tone} label={say(known.label)} /> : <span className={css.dim}>–</span>
}

/** What a step is called from a status. */
export function useStepLabel(): (status: ControlStatus, action: ControlAction) => string {
  const say = useLabel()
  const t = useT('grading')
  return (status, action) => {
    const step = controlStep(status, action)
    return step ? say([step.label.en, step.label.ar]) : t(`step_${action}`)
  }
}

/** A wide table that scrolls by itself, also by the keyboard. */
export const Scroll = ({ label, height, children }: { label: string; height?: number; children: ReactNode }) => (
  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by the arrow keys
  <section className={css.scroll} style={{ maxBlockSize: height }} tabIndex={0} aria-label={label}>
    {children}
  </section>
)

/** A share as a bar and a figure. */
export function Rate({ part, whole }: { part: number; whole: number }) {
  if (!whole) return <span className={css.dim}>–</span>
  const share = part / whole
  return (
    <span className={css.rate}>
      <span className={css.rateBar} aria-hidden>
        <span
          className={css.rateFill}
          data-low={share < 0.6 || undefined}
          style={{ display: 'block', inlineSize: `${share * 100}%` }}
        />
      </span>
      <Code>{formatPercent(share)}</Code>
    </span>
  )
}

// --- Reasons --------------------------------------------------------------------------------------------------------

interface Asked {
  readonly title: string
  readonly text?: ReactNode
  readonly action: string
  readonly danger?: boolean
  /** Work done while the dialog waits; what it refuses is shown in the dialog. */
  readonly go?: (reason: string) => Promise<unknown>
  readonly answer: (reason: string | null) => void
}
const asked = createStore<Asked | null>(null)

/** Asks for the reason of a step; null when the person thinks better of it. The screen shows `<ReasonDialog />`. */
export const askReason = (what: Omit<Asked, 'answer'>): Promise<string | null> =>
  new Promise((resolve) => {
    asked.set({
      ...what,
      answer: (reason) => {
        asked.set(null)
        resolve(reason)
      },
    })
  })

export function ReasonDialog() {
  const what = asked.use()
  return what ? <ReasonForm key={what.title} what={what} /> : null
}
function ReasonForm({ what }: { what: Asked }) {
  const t = useT('grading')
  const [reason, setReason] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const ready = reason.trim().length >= 3
  const go = async () => {
    if (!ready || busy) return
    if (!what.go) return what.answer(reason.trim())
    setBusy(true)
    setError(null)
    try {
      await what.go(reason.trim())
      what.answer(reason.trim())
    } catch (problem) {
      setError(problem)
      setBusy(false)
    }
  }
  return (
    <Modal
      opened
      onClose={() => !busy && what.answer(null)}
      title={what.title}
      size={460}
      closeButtonProps={{ 'aria-label': t('cancel') }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void go()
        }}
      >
        {what.text && <p className={css.text}>{what.text}</p>}
        <Textarea
          data-autofocus
          label={t('reason')}
          description={t('reason_kept')}
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
          attributes={{ input: { dir: 'auto' } }}
        />
        {error !== null && <Problems error={error} />}
        <div className={css.buttons}>
          <Button variant="default" disabled={busy} onClick={() => what.answer(null)}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={busy} disabled={!ready} color={what.danger ? 'red' : undefined}>
            {what.action}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

// --- History --------------------------------------------------------------------------------------------------------

/** Every step of an offering in control, newest first. */
export function ControlHistory({ id }: { id: number }) {
  const t = useT('grading')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(controlCalls.history, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone />
  if (!data.data.length) return <p className={css.text}>{t('history_empty')}</p>
  return (
    <ol className={css.history}>
      {data.data.map((step) => (
        <li key={step.id}>
          <ControlBadge status={step.to_status} />
          <span>
            {step.by ? <bdi>{nameOf(step.by, lang)}</bdi> : t('system')} · <small>{formatInstant(step.at)}</small>
          </span>
          {step.reason && <bdi>{step.reason}</bdi>}
        </li>
      ))}
    </ol>
  )
}
export function HistoryDialog({ id, title, onClose }: { id: number; title: string; onClose: () => void }) {
  const t = useT('grading')
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${t('history')} · ${title}`}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <ControlHistory id={id} />
    </Modal>
  )
}
