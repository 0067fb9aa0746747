import { initialsOf, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Named } from '#kit/web/i18n/index.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { formatNumber, formatPercent } from '#kit/web/i18n/index.ts'
import css from './attendance.module.css'
import type { AttendanceShare } from './attendance.calls.contract.ts'
import { ATTENDANCE_STATES } from './states.contract.ts'
import type { AttendanceState } from './states.contract.ts'

/** What a student was at a meeting, as a word and a shape. */
export function StateWord({ state }: { state: AttendanceState }) {
  const say = useLabel()
  const { label, tone } = ATTENDANCE_STATES.find((attendanceState) => attendanceState.value === state)!
  return <Status tone={tone} label={say(label)} />
}

/** A face, or initials where there is no photo. */
export function Face({ row, photo }: { row: Named; photo: string | null }) {
  const lang = useLanguage()
  return photo ? (
    <img className={css.face} src={photo} alt="" loading="lazy" />
  ) : (
    <span className={css.face} aria-hidden="true">
      {initialsOf(nameOf(row, lang))}
    </span>
  )
}

/** The share of absences, with the limits of the bylaw on one line. */
export function ShareBar({ share }: { share: AttendanceShare }) {
  const t = useT('attendance')
  const text = t('share_of', {
    absences: formatNumber(share.absences),
    planned: formatNumber(share.planned),
    share: formatPercent(share.share / 100),
  })
  return (
    <div className={css.share} data-level={share.level}>
      <span className={css.track} aria-hidden="true">
        <span className={css.fill} style={{ inlineSize: `${Math.min(100, share.share)}%` }} />
        {[share.warn, share.ban].map(
          (limit, i) =>
            limit !== null && <span key={i} className={css.limit} style={{ insetInlineStart: `${limit}%` }} />,
        )}
      </span>
      <small>
        <bdi>{text}</bdi>
      </small>
    </div>
  )
}
