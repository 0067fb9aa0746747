import { Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Code, Empty } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { OwnMeetingCard } from '../own/meeting.web.tsx'
import { GradeBadge, MARK, MarkOf, RegistrationState } from '../words.web.tsx'
import type { SharedRecord } from './share.contract.ts'
import css from './shares.module.css'

/** What somebody is let to see of a student: the same to him or her, and to the student. Nothing of it can be changed. */
export function ShownStudy({ shown }: { shown: SharedRecord }) {
  const t = useT('students')
  const l = useLanguage()
  const { student, timetable, registration, attendance, grades } = shown
  return (
    <Stack>
      <Card label={nameOf(student, l)}>
        <p className={css.who}>
          <bdi>{nameOf(student, l)}</bdi>
        </p>
        <p className={css.dim}>
          <bdi>{nameOf(student.program, l)}</bdi> · <bdi>{nameOf(student.faculty, l)}</bdi> · {t('level')}{' '}
          {formatNumber(student.level)}
        </p>
        <p className={css.dim}>{t('share_until', { day: formatDate(shown.last_day, 'long', l) })}</p>
      </Card>
      {timetable && (
        <Part
          title={t('share_timetable')}
          aside={timetable.term && nameOf(timetable.term, l)}
          empty={!timetable.courses.length}
        >
          <ul className={css.courses}>
            {timetable.courses.map((one) => (
              <li key={one.registration_id}>
                <CourseName course={one.course} />
                <ul className={css.meetings}>
                  {one.meetings.map((meeting) => (
                    <li key={meeting.id}>
                      <OwnMeetingCard meeting={meeting} ramadan={timetable.is_ramadan} />
                    </li>
                  ))}
                  {!one.meetings.length && <li>{t('no_time_yet')}</li>}
                </ul>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {registration && (
        <Part
          title={t('share_registration')}
          aside={registration.term && nameOf(registration.term, l)}
          empty={!registration.courses.length}
        >
          <ul className={css.courses}>
            {registration.courses.map((one) => (
              <li key={one.registration_id} className={css.line}>
                <CourseName course={one.course} />
                <RegistrationState value={one.main} />
              </li>
            ))}
          </ul>
          <p className={css.dim}>{t('credit_hours', { count: registration.hours })}</p>
        </Part>
      )}
      {attendance && (
        <Part
          title={t('share_attendance')}
          aside={attendance.term && nameOf(attendance.term, l)}
          empty={!attendance.courses.length}
        >
          <ul className={css.courses}>
            {attendance.courses.map(({ registration_id, course, ...counts }) => (
              <li key={registration_id} className={css.line}>
                <CourseName course={course} />
                <span>{t('share_attended', counts)}</span>
              </li>
            ))}
          </ul>
        </Part>
      )}
      {grades && <Grades grades={grades} />}
    </Stack>
  )
}

function Grades({ grades }: { grades: NonNullable<SharedRecord['grades']> }) {
  const t = useT('students')
  const say = useLabel()
  const l = useLanguage()
  return (
    <Part
      title={t('share_grades')}
      aside={grades.gpa !== null && <Code>{`${t('gpa')} ${grades.gpa}`}</Code>}
      empty={!grades.terms.length}
    >
      {grades.revised && <p className={css.dim}>{t('share_revised')}</p>}
      {grades.terms.map((term) => (
        <section key={term.term.id}>
          <h3 className={css.term}>
            <bdi>{nameOf(term.term, l)}</bdi>
            {term.gpa !== null && <Code className={css.dim}>{`${t('gpa')} ${term.gpa}`}</Code>}
          </h3>
          <Table className={css.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{say(['Course', 'المقرر'])}</Table.Th>
                <Table.Th>{say(MARK)}</Table.Th>
                <Table.Th>{t('share_letter')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {term.courses.map((one) => (
                <Table.Tr key={one.registration_id}>
                  <Table.Td>
                    <CourseName course={one.course} />
                  </Table.Td>
                  <Table.Td>
                    <MarkOf row={one} />
                  </Table.Td>
                  <Table.Td>
                    <GradeBadge row={one} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </section>
      ))}
    </Part>
  )
}

function CourseName({ course }: { course: { name: string; name_local?: string | null; code?: string | null } }) {
  const l = useLanguage()
  return (
    <span>
      <bdi>{nameOf(course, l)}</bdi> <Code className={css.dim}>{course.code}</Code>
    </span>
  )
}

function Part({
  title,
  aside,
  empty,
  children,
}: {
  title: string
  aside: ReactNode
  empty: boolean
  children: ReactNode
}) {
  const t = useT('students')
  return (
    <Card title={title} aside={aside && <bdi className={css.dim}>{aside}</bdi>}>
      {empty ? <Empty title={t('share_nothing')} /> : children}
    </Card>
  )
}
