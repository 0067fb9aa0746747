import type { ReactNode } from 'react'
import { useMediaQuery } from '@mantine/hooks'
import { ATTEMPTS, REGISTRATION_STATES } from '#areas/academics/registration-words.contract.ts'
import type { AttemptKind, MainFlag } from '#areas/academics/status.rules.ts'
import { STANDINGS } from '#areas/academics/grading-words.contract.ts'
import type { Label } from '#kit/contract/words.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { formatNumber, useLabel } from '#kit/web/i18n/index.ts'
import { STUDENT_STATUSES } from './student/student.contract.ts'
import css from './students.module.css'

/** A status out of a table of choices. */
export function ChoiceStatus({
  of,
  value,
}: {
  of: readonly {
    readonly value: string
    readonly label: Label
    readonly tone: 'draft' | 'waiting' | 'done' | 'refused' | 'frozen' | 'active'
  }[]
  value: string | null
}) {
  const say = useLabel()
  const found = of.find((one) => one.value === value)
  return found ? <Status tone={found.tone} label={say(found.label)} /> : null
}
export const StudentStatus = ({ value }: { value: string }) => <ChoiceStatus of={STUDENT_STATUSES} value={value} />
export const RegistrationState = ({ value }: { value: MainFlag | null }) => (
  <ChoiceStatus of={REGISTRATION_STATES} value={value} />
)
export const Standing = ({ value }: { value: string | null }) => <ChoiceStatus of={STANDINGS} value={value} />

/** Which attempt a registration is; the first one goes without saying. */
export function Attempt({ value }: { value: AttemptKind | null }) {
  const say = useLabel()
  const found = value === 'Fresh' ? undefined : ATTEMPTS.find((one) => one.value === value)
  return found ? <span className={css.dim}>{say(found.label)}</span> : null
}

/** What a student got in a course, out of 100. */
export const MARK: Label = ['Mark', 'الدرجة']

/** A letter with its points. */
export function Grade({ row }: { row: { letter: string | null; points?: string | null; passed: boolean | null } }) {
  if (row.letter === null) return <span className={css.dim}>–</span>
  return (
    <span className={css.grade} data-passed={row.passed ?? undefined}>
      <Code>{row.letter}</Code>
    </span>
  )
}

/** Hours that were passed: those of finished terms, and those since. */
export const passedText = ({ passed, since }: { passed: number | null; since?: number | undefined }): string =>
  [passed ?? 0, ...(since ? [since] : [])].map((part) => formatNumber(part)).join(' + ')

/** An amount of hours or weeks: earned, running and asked for, as figures and as a bar. */
export function Amount({
  label,
  earned,
  since = 0,
  running = 0,
  required,
  note,
}: {
  label: string
  earned: number
  /** Of the earned, what no finished term holds yet. */
  since?: number
  running?: number
  required: number
  note?: ReactNode
}) {
  const whole = Math.max(required, earned + running, 1)
  const part = (n: number) => `${(n / whole) * 100}%`
  const before = Math.min(earned - since, required)
  const figures = [earned - since, ...[since, running].filter((n) => n > 0)].map((n) => formatNumber(n)).join(' + ')
  return (
    <div className={css.amount}>
      <div className={css.amountHead}>
        <span>{label}</span>
        <span>
          <Code>
            {figures} / {formatNumber(required)}
          </Code>
        </span>
      </div>
      <div
        className={css.track}
        role="img"
        aria-label={`${label}: ${formatNumber(earned)} / ${formatNumber(required)}`}
      >
        <span className={css.earned} style={{ inlineSize: part(before) }} />
        <span className={css.since} style={{ inlineSize: part(Math.min(since, required - before)) }} />
        <span className={css.running} style={{ inlineSize: part(Math.min(running, Math.max(0, required - earned))) }} />
      </div>
      {note && <span className={css.dim}>{note}</span>}
    </div>
  )
}

/** Whether the window is that of a phone, where rows of courses are lines instead of tables. */
export const usePhone = (): boolean =>
  useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false }) ?? false

/** One course in two lines: its name, and below it the few facts; what counts most stands at the end. */
export function Line({
  href,
  code,
  name,
  facts,
  end,
}: {
  href?: string | null
  code?: string | null
  name: ReactNode
  facts: ReactNode
  end: ReactNode
}) {
  const inner = (
    <>
      <span className={css.lineText}>
        <span>{name}</span>
        <span className={css.lineFacts}>
          <Code>{code}</Code>
          {facts}
        </span>
      </span>
      <span className={css.lineEnd}>{end}</span>
    </>
  )
  return href ? (
    <Link className={css.line} to={href}>
      {inner}
    </Link>
  ) : (
    <div className={css.line}>{inner}</div>
  )
}
export const Lines = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={css.lines} aria-label={label}>
    {children}
  </section>
)
