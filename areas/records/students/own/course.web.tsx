import { Anchor } from '@mantine/core'
import { dayOf } from '#kit/contract/day.ts'
import { ACADEMIC_TITLES } from '#areas/people/people/instructors/instructor.contract.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import css from '../students.module.css'
import { GraceDecision } from '../record/grades.web.tsx'
import { Attempt, GradeBadge, MARK, MarkOf, RegistrationState } from '../words.web.tsx'
import { OwnMeetingCard } from './meeting.web.tsx'
import { ownCalls } from './own.contract.ts'
import type { OwnCourseDetail } from './own.contract.ts'

/** One of a student's courses: when and where, who teaches it, marks and grade as far as they may be seen. */
export default function MyCourse() {
  const offeringId = Number(useParams().offering_id)
  const t = useT('students')
  const say = useLabel()
  const lang = useLanguage()
  const { data, error, refetch } = useCall(ownCalls.course, { params: { offeringId } })
  const course = data?.data
  if (error && !course) {
    return (
      <Page title={t('my_course')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  if (!course) {
    return (
      <Page title={null}>
        <Bone />
      </Page>
    )
  }
  const over = course.ended || course.letter !== null
  const meetings = course.meetings.length > 0 || !over
  const team = course.instructors.length > 0 || !over
  const marked = over || course.marks.some((one) => one.mark !== null)
  const hours = [
    ['lecture_hours', course.lecture_hours],
    ['tutorial_hours', course.tutorial_hours],
    ['laboratory_hours', course.laboratory_hours],
    ['clinical_hours', course.clinical_hours],
  ] as const
  return (
    <Page
      title={course.course}
      subtitle={
        <Dotted>
          <Code>{course.course.code}</Code>
          <bdi>{nameOf(course.term, lang)}</bdi>
        </Dotted>
      }
    >
      <Stack>
        <Card>
          <Facts
            short
            items={[
              ...(course.letter === null ? [] : [{ label: t('grade'), value: <GradeBadge row={course} /> }]),
              ...(course.total === null ? [] : [{ label: say(MARK), value: <MarkOf row={course} full /> }]),
              ...(course.points === null
                ? []
                : [{ label: t('points'), value: <Code>{formatNumber(course.points, 2)}</Code> }]),
              ...(over && course.main === 'Registered'
                ? []
                : [{ label: t('state'), value: <RegistrationState value={course.main} /> }]),
              { label: t('hours'), value: formatNumber(course.course.credit_hours) },
              ...(course.attempt && course.attempt !== 'Fresh'
                ? [{ label: t('attempt'), value: <Attempt value={course.attempt} /> }]
                : []),
              ...hours.filter(([, n]) => n > 0).map(([key, n]) => ({ label: t(key), value: formatNumber(n) })),
            ]}
          />
        </Card>
        {marked && <Marks course={course} />}
        {(meetings || team) && (
          <Cards even>
            {meetings && (
              <Card title={t('meetings')}>
                {course.meetings.length ? (
                  <ul className={css.meetings}>
                    {course.meetings.map((meeting) => (
                      <li key={meeting.id}>
                        <OwnMeetingCard meeting={meeting} ramadan={course.is_ramadan} team />
                      </li>
                    ))}
                  </ul>
                ) : (
                  <Empty title={t('no_meetings')} />
                )}
              </Card>
            )}
            {team && (
              <Card title={t('team')}>
                {course.instructors.length ? (
                  <ul className={css.team}>
                    {course.instructors.map((instructor) => {
                      const title = ACADEMIC_TITLES.find((known) => known.value === instructor.academic_title)
                      return (
                        <li key={instructor.id}>
                          <bdi>{nameOf(instructor, lang)}</bdi>
                          {title && <span className={css.dim}> · {say(title.label)}</span>}
                          {instructor.email && (
                            <div>
                              <Anchor href={`mailto:${instructor.email}`}>
                                <Code>{instructor.email}</Code>
                              </Anchor>
                            </div>
                          )}
                        </li>
                      )
                    })}
                  </ul>
                ) : (
                  <Empty title={t('no_team')} />
                )}
              </Card>
            )}
          </Cards>
        )}
        {!marked && <Marks course={course} />}
        {course.description && (
          <Card title={t('description')}>
            <p className={css.notes} style={{ margin: 0, whiteSpace: 'pre-wrap' }} dir="auto">
              {course.description}
            </p>
          </Card>
        )}
      </Stack>
    </Page>
  )
}

function Marks({ course }: { course: OwnCourseDetail }) {
  const t = useT('students')
  const lang = useLanguage()
  if (!course.marks.length) return null
  return (
    <Card title={t('marks')} aside={!course.marks_visible && <span className={css.dim}>{t('marks_hidden')}</span>}>
      <Table
        label={t('marks')}
        className={css.marks}
        rows={course.marks}
        rowKey={(one) => one.name}
        columns={[
          { key: 'name', head: true, cell: (one) => <bdi>{nameOf(one, lang)}</bdi> },
          // When each was entered: a column as soon as there is one.
          ...(course.marks.some((one) => one.at)
            ? [
                {
                  key: 'at',
                  cell: (one: OwnCourseDetail['marks'][number]) => (
                    <small className={css.dim}>
                      {one.at && t('mark_entered', { date: formatDate(dayOf(one.at), 'short', lang) })}
                    </small>
                  ),
                },
              ]
            : []),
          {
            key: 'mark',
            end: true,
            cell: (one) => (
              <Code>
                {course.marks_visible &&
                  `${one.mark === 'A' ? t('absent') : one.mark === null ? '–' : formatNumber(one.mark)} / `}
                {formatNumber(one.max)}
              </Code>
            ),
          },
        ]}
        foot={
          course.total === null
            ? undefined
            : [
                [
                  t('total'),
                  ...(course.marks.some((one) => one.at) ? [''] : []),
                  <MarkOf key="total" row={course} full />,
                ],
              ]
        }
      />
      {course.why && course.letter !== null && (
        <p className={css.why}>
          {t(`why_${course.why.code}`, {
            mark: course.total === null ? '' : formatNumber(course.total),
            letter: course.rating ? nameOf(course.rating, lang) : course.letter,
            earned: course.why.earned,
            least: course.why.least === null ? '' : formatNumber(course.why.least),
          })}
        </p>
      )}
      {course.grace !== null && course.grace_decision && (
        <div className={css.decision}>
          <p>{t('grace_on_course', { marks: formatNumber(course.grace) })}</p>
          <GraceDecision of={course.grace_decision} />
        </div>
      )}
    </Card>
  )
}
