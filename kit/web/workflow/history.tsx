import { roadOf } from '#kit/contract/workflow.ts'
import type { StepHolders, Workflow, WorkflowCalls } from '#kit/contract/workflow.ts'
import type { CSSProperties, ReactNode } from 'react'
import { useCall } from '../api/hooks.ts'
import { Dialog } from '../feedback/dialogs.tsx'
import { Failed } from '../feedback/problems.tsx'
import { Status } from '../feedback/words.tsx'
import { useLabel, useT } from '../i18n/catalogue.ts'
import { formatInstant, formatList, nameOf } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { Bone } from '../shell/card.tsx'
import css from './workflow.module.css'

/** The state of a record: its word in the tone of what it means. */
export function StateBadge({ flow, state }: { flow: Pick<Workflow, 'states'>; state: string | null }) {
  const say = useLabel()
  const known = flow.states.find((one) => one.value === state)
  return known ? <Status tone={known.tone} label={say(known.label)} /> : null
}

/** Every step of a record, the newest first: who, for whom, when, to which state, and why. */
export function StepHistory({ flow, calls, id }: { flow: Workflow; calls: WorkflowCalls; id: number }) {
  const t = useT('kit')
  const l = useLanguage()
  const { data, error, refetch } = useCall(calls.history, { params: { id } })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone />
  if (!data.data.length) return <p className={css.text}>{t('steps_empty')}</p>
  return (
    <ol className={css.steps}>
      {data.data.map((step) => (
        <li key={step.id}>
          <StateBadge flow={flow} state={step.to} />
          <span>
            {step.by ? <bdi>{nameOf(step.by, l)}</bdi> : t('system')}
            {step.acting_for && <> {t('acting_for', { name: nameOf(step.acting_for, l) })}</>} ·{' '}
            <small>{formatInstant(step.at)}</small>
          </span>
          {step.reason && <bdi>{step.reason}</bdi>}
        </li>
      ))}
    </ol>
  )
}

/** In whose hands it is, by name and role. */
function WaitsFor({ holders: { named, count } }: { holders: StepHolders }) {
  const t = useT('kit')
  const l = useLanguage()
  if (!named.length) return <>{t('with_nobody')}</>
  const names = named.map((one) => {
    const role = nameOf({ name: one.role, name_local: one.role_local }, l)
    return `${nameOf(one, l)} (${role})`
  })
  const more = count - named.length
  return (
    <>
      {t('with_whom', { who: formatList(names, l) })}
      {more > 0 && <> {t('and_more', { count: more })}</>}
    </>
  )
}

/** Narrower than this is no step, in pixels; where it stands, with who has it, is wider. */
const STEP = 130
const HERE = 220
/** Room that steps need side by side. Where it is not there, they stand in two lines of as many, or one beneath the other. */
const lineOf = (steps: number): CSSProperties =>
  ({
    '--room': `${(steps - 1) * STEP + HERE}px`,
    '--in-line': steps > 3 ? Math.ceil(steps / 2) : 1,
  }) as CSSProperties

/** The way of a record in one line: what it has passed, where it stands and who has it, what comes. */
export function StepLine({
  flow,
  calls,
  id,
  state,
  here: beneath,
}: {
  flow: Workflow
  calls: WorkflowCalls
  id: number
  state: string
  /** Beneath where it stands: since when, until when. */
  here?: ReactNode
}) {
  const t = useT('kit')
  const say = useLabel()
  const { data } = useCall(calls.history, { params: { id } })
  const road = roadOf(flow, state, data?.data.toReversed() ?? [])
  return (
    <ol className={css.line} aria-label={t('where_it_stands')} style={lineOf(road.length)}>
      {road.map(({ value, passed }) => {
        const { label, tone } = flow.states.find((one) => one.value === value)!
        const here = value === state
        return (
          <li
            key={value}
            data-tone={here ? tone : undefined}
            data-passed={passed || undefined}
            aria-current={here ? 'step' : undefined}
          >
            <span>{say(label)}</span>
            {here && <small>{data?.waits_for ? <WaitsFor holders={data.waits_for} /> : '\u00A0'}</small>}
            {here && beneath !== undefined && <small className={css.here}>{beneath}</small>}
          </li>
        )
      })}
    </ol>
  )
}

export function StepHistoryDialog({
  title,
  onClose,
  ...rest
}: {
  flow: Workflow
  calls: WorkflowCalls
  id: number
  /** What the record is called. */
  title: string
  onClose: () => void
}) {
  const t = useT('kit')
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${t('steps')} · ${title}`}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <StepHistory {...rest} />
    </Dialog>
  )
}
