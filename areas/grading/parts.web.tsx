import { Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { CONTROL_STATUSES } from '#areas/offerings/words.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatInstant, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
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
