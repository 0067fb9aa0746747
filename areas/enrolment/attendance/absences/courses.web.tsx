import { Select } from '@mantine/core'
import type { ReactNode } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { meetingType } from '#kit/contract/week.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import type { attendanceCalls, OwnAttendance } from '../attendance.calls.contract.ts'
import css from '../attendance.module.css'
import { ShareBar, StateWord } from '../parts.web.tsx'
import { ATTENDANCE_STATES } from '../states.contract.ts'
import { absenceCaseFlow } from './case.contract.ts'

/** The term that the address names. */
export const termIn = (query: URLSearchParams): { term_id?: number } =>
  /^\d{1,9}$/.test(query.get('term') ?? '') ? { term_id: Number(query.get('term')) } : {}

/** The courses of a student in a term with what was recorded. */
export function AbsencesByCourse({
  title,
  answer: { data, error, refetch },
  action,
}: {
  title: string | undefined
  answer: { data: ResponseOf<typeof attendanceCalls.own> | undefined; error: unknown; refetch: () => Promise<unknown> }
  action?: ReactNode
}) {
  const t = useT('attendance')
  const lang = useLanguage()
  const [, setQuery] = useSearchParams()
  return (
    <Page title={title} subtitle={data?.term ? nameOf(data.term, lang) : '\u00A0'} action={action}>
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={300} />
      ) : (
        <Stack>
          {data.terms.length > 1 && (
            <Select
              maw={260}
              label={t('term')}
              allowDeselect={false}
              data={data.terms.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))}
              value={data.term ? String(data.term.id) : null}
              onChange={(value) => setQuery(value ? { term: value } : {}, { replace: true })}
            />
          )}
          {data.data.length ? (
            <div className={css.courses}>
              {data.data.map((one) => (
                <Course key={one.offering_id} one={one} />
              ))}
            </div>
          ) : (
            <Empty title={t('no_courses')} text={t('no_courses_text')} />
          )}
        </Stack>
      )}
    </Page>
  )
}

function Course({ one }: { one: OwnAttendance }) {
  const t = useT('attendance')
  const say = useLabel()
  const lang = useLanguage()
  const found = absenceCaseFlow.states.find((state) => state.value === one.case && state.value !== 'closed')
  return (
    <Card title={nameOf(one.course, lang)}>
      <p className={css.counts}>
        <Code>{one.course.code}</Code>
        {ATTENDANCE_STATES.filter(({ value }) => one.counts[value] > 0).map(({ value, label }) => (
          <span key={value}>
            {say(label)} <b>{formatNumber(one.counts[value])}</b>
          </span>
        ))}
        {found && <Status tone={found.tone} label={say(found.label)} />}
      </p>
      <ShareBar share={one.share} />
      {one.dates.length ? (
        <ul className={css.history}>
          {one.dates.map((day, i) => (
            <li key={i}>
              <span>
                {formatDate(day.date, 'weekday', lang)} · <span className={css.dim}>{say(meetingType(day.type))}</span>
              </span>
              {day.cancelled ? (
                <span>
                  <Status is="cancelled" label={t('cancelled')} />
                  {day.made_up_on && (
                    <>
                      {' '}
                      <small className={css.dim}>
                        {t('made_up_on', { date: formatDate(day.made_up_on, 'short', lang) })}
                      </small>
                    </>
                  )}
                </span>
              ) : (
                day.state && <StateWord state={day.state} />
              )}
            </li>
          ))}
        </ul>
      ) : (
        <p className={css.dim}>{t('nothing_yet')}</p>
      )}
    </Card>
  )
}
