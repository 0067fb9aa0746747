import { Select } from '@mantine/core'
import { keepPreviousData } from '@tanstack/react-query'
import { IconClipboardList } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatList, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton } from '#kit/web/list/main-button.tsx'
import { Link, screenAt, to, useSearchParams } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { DebtHold } from '../standing/held.web.tsx'
import css from '../students.module.css'
import { Attempt, GradeBadge, RegistrationState } from '../words.web.tsx'
import { OwnMeetingCard } from './meeting.web.tsx'
import { ownCalls } from './own.contract.ts'

/** A student's courses of a term, made for a phone. */
export default function MyCourses() {
  const t = useT('students')
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  const term = query.get('term')
  const { data, error, refetch } = useCall(
    ownCalls.courses,
    { query: term ? { term_id: Number(term) } : {} },
    {
      placeholderData: keepPreviousData,
    },
  )
  const own = data?.data
  const registration = screenAt('/offering/registration')
  return (
    <Page
      title={t('my_courses')}
      facts={!own || own.term ? [{ label: t('hours'), value: own ? formatNumber(own.hours) : '–' }] : undefined}
      action={
        registration && may(registration.permission) ? (
          <MainButton
            action={{
              key: 'register',
              label: t('register'),
              icon: <IconClipboardList size={16} aria-hidden />,
              href: to('/offering/registration'),
            }}
          />
        ) : undefined
      }
    >
      <Stack>
        <DebtHold />
        {(!own || own.terms.length > 0) && (
          <Select
            className={css.lookup}
            aria-label={t('term')}
            data={own?.terms.map((one) => ({ value: String(one.id), label: nameOf(one, lang) })) ?? []}
            value={own?.term ? String(own.term.id) : null}
            disabled={!own}
            onChange={(value) => setQuery(value ? { term: value } : {}, { replace: true })}
            allowDeselect={false}
          />
        )}
        {error && !own ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : !own ? (
          <div className={css.courses} aria-busy="true">
            {Array.from({ length: 4 }, (_, i) => (
              <div key={i} className={css.tile} style={{ minHeight: 260 }} />
            ))}
          </div>
        ) : own.courses.length === 0 ? (
          <Empty title={t('no_courses_now')} text={t('no_courses_now_own')} />
        ) : (
          <div className={css.courses}>
            {own.courses.map((one) => (
              <Link
                key={one.registration_id}
                className={css.tile}
                to={to('/myCourses/:offering_id', { offering_id: one.offering_id })}
              >
                <span className={css.tileHead}>
                  <Code className={css.dim}>{one.course.code}</Code>
                  {!(one.main === 'Registered' && (one.ended || one.letter !== null)) && (
                    <RegistrationState value={one.main} />
                  )}
                </span>
                <h2>
                  <bdi>{nameOf(one.course, lang)}</bdi>
                </h2>
                {one.instructors.length > 0 && (
                  <span className={css.dim}>
                    {formatList(
                      one.instructors.filter((i) => i.role !== 'assistant').map((i) => nameOf(i, lang)),
                      lang,
                    )}
                  </span>
                )}
                <ul className={css.meetings}>
                  {one.meetings.map((meeting) => (
                    <li key={meeting.id}>
                      <OwnMeetingCard meeting={meeting} ramadan={own.is_ramadan} />
                    </li>
                  ))}
                </ul>
                <span className={css.tileFoot}>
                  <span className={css.dim}>
                    {t('credit_hours', { count: one.course.credit_hours })} <Attempt value={one.attempt} />
                  </span>
                  {one.letter !== null && <GradeBadge row={one} />}
                </span>
              </Link>
            ))}
          </div>
        )}
      </Stack>
    </Page>
  )
}
