import { Skeleton } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatInstant, useLabel, useT } from '#kit/web/i18n/index.ts'
import type { RefusalCode } from '../registration-refusals.rules.ts'
import { registrationRecordCalls } from '../records/registration.contract.ts'
import type { StepRow } from '../requests/request.contract.ts'
import { STEP_LABELS } from '#areas/common/academics/registration-words.contract.ts'
import { ruleLabels } from '../words.contract.ts'
import css from './desk.module.css'
import { StateBadge } from './parts.web.tsx'

type Call = typeof registrationRecordCalls.studentSteps | typeof registrationRecordCalls.steps
type Step = StepRow & { registration_id?: number; course?: { code: string } }

/** Who did what, when, from which state to which, why, and which rules were set aside. The newest first. */
export default function Steps({ call, id, own }: { call: Call; id: number; own: boolean }) {
  const t = useT('registration')
  const say = useLabel()
  const { most, more } = useMost(100)
  const whole = call === registrationRecordCalls.steps
  const { data, error, refetch } = useCall(
    call as typeof registrationRecordCalls.studentSteps,
    // All steps of one registration are answered: it takes no number.
    { params: { id }, query: whole ? ({} as { most: number }) : { most } },
    { placeholderData: keepPreviousData },
  )
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Skeleton height={80} />
  const steps: Step[] = whole ? data.data.toReversed() : data.data
  if (!steps.length) return <Empty title={t('no_history')} />
  return (
    <>
      <ol className={css.steps}>
        {steps.map((step, i) => (
          <li key={i}>
            <time dateTime={step.at}>
              <Code>{formatInstant(step.at)}</Code>
            </time>
            <span>
              {step.course && (
                <>
                  <Code className={css.code}>{step.course.code}</Code>{' '}
                </>
              )}
              {say(STEP_LABELS[step.action])}
              {step.to_state && step.to_state !== step.from_state && (
                <>
                  {' '}
                  <StateBadge state={step.to_state} />
                </>
              )}
              {step.by && !own && (
                <small className={css.dim}>
                  {' '}
                  <Name row={step.by} />
                  {step.as && (
                    <>
                      {' '}
                      ({t('as')} <Name row={step.as} />)
                    </>
                  )}
                </small>
              )}
              {step.reason && <q className={css.reason}>{step.reason}</q>}
              {step.overrides.map((override) => (
                <small key={override.code} className={css.overridden}>
                  {t('rule_overridden', {
                    rule: say(ruleLabels[override.code as RefusalCode] ?? [override.code, override.code]),
                    reason: override.reason,
                  })}
                </small>
              ))}
            </span>
          </li>
        ))}
      </ol>
      {!whole && <MoreRows shown={data.data.length} total={data.total} onMore={more} />}
    </>
  )
}
