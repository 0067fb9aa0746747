import { Empty } from '#kit/web/feedback/index.ts'
import { formatDate, useT } from '#kit/web/i18n/index.ts'
import type { CalendarDay } from '../calendars/calendar.contract.ts'
import { useDayName } from '../calendars/span.web.ts'
import css from './line.module.css'

/** Over a week: the exam weeks into which it falls, in which weekly meetings do not take place. */
export function ExamWeeks({ weeks }: { readonly weeks: readonly CalendarDay[] }) {
  const t = useT('scheduling')
  const nameDay = useDayName()
  return (
    <p className={css.line} role="note">
      {weeks.map((week) => (
        <span key={week.id}>
          <strong>{nameDay(week)}</strong>{' '}
          {t('exam_week_off', { from: formatDate(week.from), to: formatDate(week.to) })}
        </span>
      ))}
    </p>
  )
}

/** In place of a week all of whose meetings are switched off. */
export function ExamWeekAlone({ week }: { readonly week: CalendarDay }) {
  const t = useT('scheduling')
  const nameDay = useDayName()
  return <Empty title={nameDay(week)} text={t('exam_week_alone', { to: formatDate(week.to) })} />
}
