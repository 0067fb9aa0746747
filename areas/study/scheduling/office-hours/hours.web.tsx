import { Code } from '#kit/web/feedback/index.ts'
import { formatTimeRange, nameOf, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import type { ShownHour } from './office-hour.contract.ts'
import css from './hours.module.css'

/** Office hours below a timetable: one's own, or those of who teaches one. */
export function OfficeHours({ hours, named }: { hours: readonly ShownHour[]; named: boolean }) {
  const t = useT('scheduling')
  const lang = useLanguage()
  const days = weekdays('long', 6, lang)
  if (!hours.length) return null
  return (
    <section className={css.hours}>
      <h2>{t('office_hours')}</h2>
      <ul>
        {hours.map((hour) => (
          <li key={hour.id}>
            {named && <bdi>{nameOf(hour.instructor, lang)}</bdi>}
            <span>
              {days[hour.day]} <Code>{formatTimeRange(hour.start_time, hour.end_time)}</Code>
            </span>
            <bdi>
              {hour.location
                ? nameOf(hour.location, lang)
                : lang === 'ar'
                  ? hour.place_local || hour.place
                  : hour.place || hour.place_local}
            </bdi>
          </li>
        ))}
      </ul>
    </section>
  )
}
