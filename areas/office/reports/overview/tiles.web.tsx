import type { ReactNode } from 'react'
import { STUDENT_STATUSES } from '#areas/records/students/student/student.contract.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import type { OverviewCounts } from './overview.contract.ts'
import { REGISTERED_STATES } from './overview.rules.ts'
import { useLists } from './lists.web.ts'
import css from './overview.module.css'

/** Holds the place of a line that comes with the figures. */
export const BLANK = '\u00a0'

export type T = ReturnType<typeof useT<'reports'>>

/** A figure that leads to its list, where the reader has it. */
export function To({
  href,
  className,
  children,
}: {
  href: string | null
  className?: string | undefined
  children: ReactNode
}) {
  return href ? (
    <Link className={className ? `${css.to} ${className}` : css.to} to={href}>
      {children}
    </Link>
  ) : (
    <span className={className}>{children}</span>
  )
}

// --- Figures --------------------------------------------------------------------------------------------------------

function Tile({
  label,
  value,
  href,
  children,
}: {
  label: string
  value: ReactNode
  href?: string | null
  children?: ReactNode
}) {
  return (
    <div className={css.tile}>
      <div className={css.tileLabel}>{label}</div>
      <div className={css.tileValue}>
        {value === undefined ? <span className={css.boneText} /> : <To href={href ?? null}>{value}</To>}
      </div>
      <div className={css.tileText}>{value === undefined ? <span className={css.boneLine} /> : children}</div>
    </div>
  )
}
export const figure = (value: number | undefined) =>
  value === undefined ? undefined : <Code>{formatNumber(value)}</Code>

export function OverviewTiles({ t, data }: { t: T; data: OverviewCounts | undefined }) {
  const say = useLabel()
  const { can } = useMe()
  const list = useLists()
  const { students, registrations, offerings } = data ?? {}
  const term_id = data?.term?.id
  const others = STUDENT_STATUSES.filter((s) => s.value !== 'studying' && students?.statuses[s.value])
  const share = (part: number, whole: number) => (whole ? formatPercent(part / whole) : '–')
  return (
    <section className={css.figures} aria-label={t('figures')}>
      {can('access_students') && (
        <Tile
          label={t('studying')}
          value={figure(students?.statuses.studying)}
          href={list('/students', { status: ['studying'] })}
        >
          {others.map((s) => (
            <To key={s.value} href={list('/students', { status: [s.value] })} className={css.small}>
              {say(s.label)} <Code>{formatNumber(students?.statuses[s.value])}</Code>
            </To>
          ))}
        </Tile>
      )}
      {can('access_students') && (
        <Tile
          label={t('warned')}
          value={figure(students?.warned)}
          href={list('/students', { status: ['studying'], warnings: { from: 1 } })}
        >
          {students && t('of_students', { share: share(students.warned, students.statuses.studying) })}
        </Tile>
      )}
      {can('access_registration') && (
        <Tile
          label={t('registered_students')}
          value={figure(registrations?.students)}
          href={list('/registrations', { term_id: [term_id], state: REGISTERED_STATES })}
        >
          {registrations && students
            ? t('of_students', { share: share(registrations.students, students.statuses.studying) })
            : null}
        </Tile>
      )}
      {can('access_registration') && (
        <Tile
          label={t('registrations')}
          value={figure(registrations?.total)}
          href={list('/registrations', { term_id: [term_id], state: REGISTERED_STATES })}
        >
          {registrations &&
            t('per_student', {
              count: registrations.students ? formatNumber(registrations.total / registrations.students, 1) : '–',
            })}
        </Tile>
      )}
      {can('access_offering') && (
        <Tile label={t('offerings')} value={figure(offerings?.total)} href={list('/offerings', { term_id })}>
          {offerings && (
            <To href={list('/offerings', { term_id, is_open: true })} className={css.small}>
              {t('open_offerings', { count: offerings.open })}
            </To>
          )}
        </Tile>
      )}
      {can('access_offering') && (
        <Tile
          label={t('seats_taken')}
          value={
            offerings && (
              <Code>
                {formatNumber(offerings.taken)}
                <small> / {formatNumber(offerings.seats)}</small>
              </Code>
            )
          }
          href={list('/offerings', { term_id, seats: ['free'] })}
        >
          {offerings && (
            <span className={css.meter} role="img" aria-label={share(offerings.taken, offerings.seats)}>
              <span style={{ inlineSize: `${offerings.seats ? (offerings.taken / offerings.seats) * 100 : 0}%` }} />
            </span>
          )}
        </Tile>
      )}
    </section>
  )
}

export const Bones = ({ rows }: { rows: number }) => (
  <ul className={css.rows} aria-hidden>
    {Array.from({ length: rows }, (_, i) => (
      <li key={i} className={css.row}>
        <span className={css.boneLine} />
      </li>
    ))}
  </ul>
)
