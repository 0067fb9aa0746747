import { formatInstant, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { ShownAppointment } from '../bookings/booking.contract.ts'
import css from '../entrance-exams.module.css'

/** Hall with its building, and what else says where it is. */
export function usePlaceOf() {
  const lang = useLanguage()
  return ({ hall, place }: Pick<ShownAppointment, 'hall' | 'place'>): string =>
    [hall && nameOf(hall.building, lang), hall && nameOf(hall, lang), place]
      .filter(Boolean)
      .join(lang === 'ar' ? '، ' : ', ')
}

/** AppointmentTime and where an appointment is. */
export function AppointmentTime({ of, aside }: { readonly of: ShownAppointment; readonly aside?: string }) {
  const t = useT('entrance-exams')
  const placeOf = usePlaceOf()
  return (
    <span className={css.when}>
      <strong>{formatInstant(of.begins_at)}</strong>
      <small>
        {t('minutes_count', { n: formatNumber(of.minutes) })} · <bdi>{placeOf(of)}</bdi>
        {aside && ` · ${aside}`}
      </small>
    </span>
  )
}
