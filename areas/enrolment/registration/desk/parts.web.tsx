import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { Button } from '@mantine/core'
import { Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { ApiError, type Problem } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Problems, Status } from '#kit/web/feedback/index.ts'
import {
  formatNumber,
  formatTimeRange,
  nameOf,
  problemText,
  useLabel,
  useLanguage,
  useT,
  weekdays,
} from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link, screenAt, to } from '#kit/web/router/index.ts'
import { overridableCodes, type Override } from '../registration.rules.ts'
import type { RefusalCode, RefusalStep } from '../registration-refusals.rules.ts'
import type { SlotRow } from '../requests/request.contract.ts'
import type { MainFlag } from '#areas/common/academics/status.rules.ts'
import { REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import css from './desk.module.css'

/** Few staff set rules aside: the form comes with the first press. */
const OverrideDialog = part(async () => (await import('./override.web.tsx')).OverrideDialog)

/** The state of a registration: the same word and shape everywhere. */
export function StateBadge({ state }: { state: MainFlag }) {
  const say = useLabel()
  const found = REGISTRATION_STATES.find((registrationState) => registrationState.value === state)
  return found ? <Status tone={found.tone} label={say(found.label)} /> : null
}

/** Day, time and place of a meeting. */
export function When({ slot }: { slot: SlotRow }) {
  const t = useT('registration')
  const lang = useLanguage()
  if (slot.day === null || !slot.from || !slot.to) return <span className={css.dim}>{t('no_time_yet')}</span>
  return (
    <span>
      {weekdays('short', 6, lang)[slot.day]} <Code>{formatTimeRange(slot.from, slot.to)}</Code>
      {slot.location && (
        <span className={css.dim}>
          {' · '}
          <bdi>{slot.location.code ?? nameOf(slot.location, lang)}</bdi>
        </span>
      )}
    </span>
  )
}

/** What is taken of a limit, as a bar with its figures; what is chosen stands behind what is taken. */
export function LoadBar({
  taken,
  chosen,
  limit,
  label,
}: {
  taken: number
  chosen: number
  limit: number | null
  label: string
}) {
  const whole = Math.max(limit ?? 0, taken + chosen, 1)
  const over = limit !== null && sumDecimals([taken, chosen]) > limit
  const part = (n: number) => `${(n / whole) * 100}%`
  return (
    <div className={css.load} data-over={over || undefined}>
      <span className={css.loadLabel}>{label}</span>
      <Code className={css.loadFigure}>
        {formatNumber(taken)}
        {chosen > 0 && <b> + {formatNumber(chosen)}</b>}
        {limit !== null && <span className={css.dim}> / {formatNumber(limit)}</span>}
      </Code>
      <span className={css.loadBar} aria-hidden="true">
        <span className={css.loadTaken} style={{ inlineSize: part(taken) }} />
        <span className={css.loadChosen} style={{ inlineSize: part(chosen) }} />
        {limit !== null && over && <span className={css.loadMark} style={{ insetInlineStart: part(limit) }} />}
      </span>
    </div>
  )
}

/** Where the step that unblocks a refusal is taken; null where there is no such screen. */
function addressOf(link: RefusalStep['link'], studentId: number | null): string | null {
  const first = (...paths: string[]) => paths.find((path) => screenAt(path)) ?? null
  switch (link) {
    case 'study_plan':
      return studentId === null
        ? first('/student-academic')
        : screenAt('/students/:id')
          ? to('/students/:id', { id: studentId }, { tab: 'plan' })
          : null
    case 'payments':
      return studentId === null ? first('/student-payments', '/my/invoices') : null
    case 'questionnaires':
      return studentId === null ? first('/my-questionnaires', '/questionnaires') : null
    case 'documents':
      // The registrar keeps the file: a student hands in what is missing, staff record it.
      return studentId !== null && may('edit_students')
        ? to('/students/edit/:id/:details', { id: studentId, details: 'documents' })
        : null
    default:
      return null
  }
}

/** The step that unblocks a reason: a link where the step is taken on another screen. */
export function unblockingStepOf(
  problem: Problem,
  studentId: number | null,
  onSlots?: (place: number) => void,
): ReactNode {
  const step = (problem.data as { step?: RefusalStep & { code: string } } | undefined)?.step
  if (!step) return null
  const text = problemText({ code: step.code, en: step.en, ar: step.ar, data: problem.data })
  const place = /^offerings\.(\d+)/.exec(problem.field ?? '')?.[1]
  if (step.link === 'slots' && onSlots && place !== undefined)
    return (
      <button type="button" className={css.step} onClick={() => onSlots(Number(place))}>
        {text}
      </button>
    )
  const address = addressOf(step.link, studentId)
  return address ? (
    <Link className={css.step} to={address}>
      {text}
    </Link>
  ) : (
    <span className={css.step}>{text}</span>
  )
}

/** What stands against every course, told once before them with the step that unblocks it. */
export function AgainstAll({ reasons, studentId }: { reasons: readonly Problem[]; studentId: number | null }) {
  const t = useT('registration')
  if (!reasons.length) return null
  return (
    <div className={css.againstAll}>
      <Problems
        error={new ApiError(422, { errors: reasons })}
        title={t('against_all')}
        stepOf={(reason) => unblockingStepOf(reason, studentId)}
      />
    </div>
  )
}

/** Reasons of a refusal, each with its step; staff who may can set rules aside, each with a reason that is kept. */
export function Reasons({
  error,
  studentId,
  onSlots,
  onOverride,
}: {
  error: unknown
  studentId: number | null
  /** Shows the groups of what stood at this place of the request. */
  onSlots?: (place: number) => void
  onOverride?: (overrides: Override[]) => void
}) {
  const t = useT('registration')
  const [asking, setAsking] = useState(false)
  const reasons = (error as { errors?: Problem[] } | null)?.errors?.length ?? 0
  const codes = problemCodesOf(error)
  const possible = onOverride !== undefined && codes.length > 0 && codes.every((code) => overridableCodes.has(code))
  return (
    <>
      <Problems
        error={error}
        title={reasons > 1 ? t('refused', { count: reasons }) : undefined}
        stepOf={(problem) => (
          <>
            {courseOf(problem) && <Code className={css.dim}>{courseOf(problem)}</Code>}{' '}
            {unblockingStepOf(problem, studentId, onSlots)}
          </>
        )}
      />
      {possible && (
        <Button my={8} size="xs" variant="default" onClick={() => setAsking(true)}>
          {t('override')}
        </Button>
      )}
      {asking && onOverride && (
        <Suspense>
          <OverrideDialog error={error} codes={codes} onClose={() => setAsking(false)} onOverride={onOverride} />
        </Suspense>
      )}
    </>
  )
}

/** The course a reason speaks of, where several were asked for and the text does not name it. */
function courseOf(problem: Problem): string | null {
  const { course } = (problem.data ?? {}) as { course?: unknown }
  return problem.field?.startsWith('offerings.') && typeof course === 'string' && !problem.en.includes(course)
    ? course
    : null
}

/** Codes of the rules a refusal names, once each. */
export const problemCodesOf = (error: unknown): RefusalCode[] => [
  ...new Set(((error as { errors?: Problem[] } | null)?.errors ?? []).map((one) => one.code as RefusalCode)),
]
