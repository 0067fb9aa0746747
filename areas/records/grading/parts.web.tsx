import type { ApiError } from '#kit/web/api/index.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { StateBadge, useSteps } from '#kit/web/workflow/index.ts'
import type { Stateful } from '#kit/web/workflow/index.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import { control, controlSteps, type ControlAction } from './control/flow.contract.ts'
import { STANDINGS } from '#areas/common/academics/grading-words.contract.ts'
import css from './grading.module.css'

/** The control status of an offering. */
export const ControlBadge = ({ status }: { status: ControlStatus }) => <StateBadge flow={control} state={status} />
export function StandingBadge({ standing }: { standing: (typeof STANDINGS)[number]['value'] | null }) {
  const say = useLabel()
  const known = STANDINGS.find((one) => one.value === standing)
  return known ? <Status tone={known.tone} label={say(known.label)} /> : <span className={css.dim}>–</span>
}

interface Steppable extends Stateful<ControlAction> {
  readonly control_status: ControlStatus
  readonly course: Named & { readonly code?: string | null }
  readonly students?: number
  readonly missing_marks?: number
}
/** Buttons and dialogs of the steps of control. `elsewhere`: what is refused and shown by the screen itself. */
export function useControlSteps<R extends Steppable>(elsewhere?: (error: ApiError) => boolean) {
  const t = useT('grading')
  const lang = useLanguage()
  const named = ({ course }: R) => [course.code, nameOf(course, lang)].filter(Boolean).join(' ')
  const courseOf = (row: R) => ({ course: named(row) })
  return useSteps<ControlStatus, ControlAction, R>(control, controlSteps, {
    name: named,
    refreshes: ['/control', '/offerings'],
    ...(elsewhere && { elsewhere }),
    texts: {
      question: (action, row) => t(`ask_${action}`, courseOf(row)),
      questionMany: (action, step, count) =>
        action === 'undo' ? t('bulk_undo', { count }) : t('bulk_question', { step, count }),
      consequence: (action, rows) => {
        const text = action === 'undo' ? t('undo_text') : t(`step_${action}_text`)
        if (!rows.length || !rows.every((row) => typeof row.students === 'number')) return text
        const sum = (of: 'students' | 'missing_marks') => rows.reduce((n, row) => n + (row[of] ?? 0), 0)
        return `${text} ${t('step_figures', { results: formatNumber(sum('students')), missing: formatNumber(sum('missing_marks')) })}`
      },
      done: (action, row) => t(`done_${action}`, courseOf(row)),
    },
  })
}

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
