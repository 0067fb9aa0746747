import { useT, nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import { useLocation, useParams } from '#kit/web/router/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import type { TimetableType } from './timetable.contract.ts'
import { WeekOf, useWeek } from './week.web.tsx'
import { CalendarAddress } from '../feeds/address.web.tsx'

/** First part of the address → whose week it is. */
const OF: Readonly<Record<string, TimetableType>> = {
  location: 'location',
  instructor: 'instructor',
  student: 'student',
  offerings: 'offering',
}

/** The timetable of a location, instructor, student or offering, as the address says. */
export default function TimetableScreen() {
  const { id } = useParams()
  const { pathname } = useLocation()
  const type = OF[pathname.split('/')[1] ?? ''] ?? 'student'
  const t = useT('scheduling')
  const lang = useLanguage()
  const week = useWeek(type, Number(id))
  const details = week.data?.meta.details
  return (
    <Page
      title={details?.of ?? (week.error ? t('timetables') : null)}
      subtitle={details ? nameOf(details.term, lang) : '\u00A0'}
    >
      <WeekOf type={type} id={Number(id)} week={week} />
    </Page>
  )
}

/** The reader's own week, or that of the instructor named in the address. */
export function MyScheduleScreen() {
  const { id } = useParams()
  const t = useT('scheduling')
  const lang = useLanguage()
  const { user } = useMe()
  const type = user.student_id ? 'student' : 'instructor'
  const week = useWeek(type, id ? Number(id) : undefined)
  const details = week.data?.meta.details
  return (
    <Page
      title={id ? (details?.of ?? (week.error ? t('timetables') : null)) : t('my_timetable')}
      subtitle={details ? nameOf(details.term, lang) : '\u00A0'}
      action={id ? undefined : <CalendarAddress type={type} />}
    >
      <WeekOf type={type} id={id ? Number(id) : undefined} week={week} />
    </Page>
  )
}
