import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import type { ReactNode } from 'react'
import { useMediaQuery } from '@mantine/hooks'
import { ATTEMPTS, REGISTRATION_STATES } from '#areas/common/academics/registration-words.contract.ts'
import type { AttemptKind, MainFlag } from '#areas/common/academics/status.rules.ts'
import { ENROLMENTS, STANDINGS, type RatingName } from '#areas/common/academics/grading-words.contract.ts'
import type { Label } from '#kit/contract/words.ts'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { STUDENT_STATUSES } from './student/student.contract.ts'
import type { StudentDashboard } from './record/record.contract.ts'
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
export const StudentStatusBadge = ({ value }: { value: string }) => <ChoiceStatus of={STUDENT_STATUSES} value={value} />
export const RegistrationState = ({ value }: { value: MainFlag | null }) => (
  <ChoiceStatus of={REGISTRATION_STATES} value={value} />
)
export const StandingText = ({ value }: { value: string | null }) => <ChoiceStatus of={STANDINGS} value={value} />

/** Which attempt a registration is; the first one goes without saying. */
export function Attempt({ value }: { value: AttemptKind | null }) {
  const say = useLabel()
  const found = value === 'Fresh' ? undefined : ATTEMPTS.find((attempt) => attempt.value === value)
  return found ? <span className={css.dim}>{say(found.label)}</span> : null
}

/** What a student got in a course, out of 100 or of its own maximum. */
export const MARK: Label = ['Mark', 'الدرجة']

/** Marks of a course: by marks with its maximum, by credit hours a percentage. Grace marks stand beside those that were earned. */
export function MarkOf({
  row,
  full,
}: {
  row: { total: string | null; maximum: number | null; grace?: string | null }
  full?: boolean
}) {
  const t = useT('students')
  if (row.total === null) return <span className={css.dim}>–</span>
  const maximum = row.maximum ?? (full ? 100 : null)
  return (
    <>
      <Code>
        {formatNumber(row.total)}
        {maximum !== null && ` / ${formatNumber(maximum)}`}
      </Code>
      {row.grace && <span className={css.grace}>{t('grace', { marks: formatNumber(row.grace) })}</span>}
    </>
  )
}

/** A letter; by marks the name of the rating. */
export function GradeBadge({
  row,
}: {
  row: { letter: string | null; rating: RatingName | null; points?: string | null; passed: boolean | null }
}) {
  const lang = useLanguage()
  if (row.letter === null) return <span className={css.dim}>–</span>
  return (
    <span className={css.grade} data-passed={row.passed ?? undefined}>
      {row.rating ? <bdi>{nameOf(row.rating, lang)}</bdi> : <Code>{row.letter}</Code>}
    </span>
  )
}

/** By marks: the academic year in the band of a student, and how he or she is in its level. */
export function yearFigures(
  year: StudentDashboard['year'],
  say: (label: Label) => string,
): { label: string; value: ReactNode }[] {
  if (year === null) return []
  const enrolment = ENROLMENTS.find((one) => one.value === year.enrolment)
  return [
    { label: say(['Academic year', 'العام الجامعي']), value: <bdi>{nameOf(year.year)}</bdi> },
    ...(enrolment ? [{ label: say(['Enrolment', 'حالة القيد']), value: say(enrolment.label) }] : []),
  ]
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
  const finished = sumDecimals([earned, -since])
  const before = Math.min(finished, required)
  const figures = [finished, ...[since, running].filter((n) => n > 0)].map((n) => formatNumber(n)).join(' + ')
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
export function CourseLine({
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
export const CourseLines = ({ label, children }: { label: string; children: ReactNode }) => (
  <section className={css.lines} aria-label={label}>
    {children}
  </section>
)
