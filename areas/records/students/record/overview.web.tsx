import { Suspense } from 'react'
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { Chart } from '#kit/web/charts/chart.tsx'
import { Refusals } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { T } from '#kit/web/i18n/index.ts'
import type { Column } from '#kit/web/list/columns.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { screenAt, to } from '#kit/web/router/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { part } from '#kit/web/later.ts'
import { courseColumns } from '../columns.web.tsx'
import { DebtHold } from '../standing/held.web.tsx'
import css from '../students.module.css'
import {
  Amount,
  Attempt,
  GradeBadge,
  CourseLine,
  CourseLines,
  MARK,
  MarkOf,
  RegistrationState,
  usePhone,
} from '../words.web.tsx'
import type { StudentDashboard, RecordedCourse } from './record.contract.ts'

const Placements = part<{ id: number }>(
  async () => (await import('#areas/records/placement-tests/results/placements.web.tsx')).default,
)

const Outdated = part<{ student: number }>(async () => (await import('#kit/web/basis/outdated.tsx')).default)

/** A path inside the application, where the reader may open it. */
export const opens = (path: string): boolean => {
  const screen = screenAt(path)
  return Boolean(screen && may(screen.permission))
}

/** Points stand where results are letters. */
const POINTS: Column<RecordedCourse> = {
  key: 'points',
  label: ['Grade points', 'النقاط'],
  width: 80,
  align: 'end',
  cell: (row) => (row.points === null ? '–' : <Code>{formatNumber(row.points, 2)}</Code>),
  value: (row) => (row.points === null ? null : Number(row.points)),
}

/** Courses as a table: code, name, hours, state, grade. */
export function CurrentCourses({
  rows,
  caption,
  byMarks,
  href,
}: {
  rows: readonly RecordedCourse[]
  caption: string
  /** There are no grade points. */
  byMarks: boolean
  href?: (row: RecordedCourse) => string | null
}) {
  const t = useT('students')
  const say = useLabel()
  const lang = useLanguage()
  const phone = usePhone()
  if (phone) {
    return (
      <CourseLines label={caption}>
        {rows.map((row) => (
          <CourseLine
            key={row.registration_id}
            href={href?.(row)}
            code={row.course.code}
            name={<bdi>{nameOf(row.course, lang)}</bdi>}
            facts={
              <>
                <span>{t('credit_hours', { count: row.course.credit_hours })}</span>
                <Attempt value={row.attempt} />
                {row.main !== 'Registered' && <RegistrationState value={row.main} />}
                {row.total !== null && (
                  <span>
                    {say(MARK)} <MarkOf row={row} />
                  </span>
                )}
              </>
            }
            end={<GradeBadge row={row} />}
          />
        ))}
      </CourseLines>
    )
  }
  return (
    <DataTable
      caption={caption}
      rows={rows.map((row) => ({ ...row, id: row.registration_id }))}
      rowHref={href}
      columns={[
        ...courseColumns<RecordedCourse>((row) => <CourseName row={row} />),
        {
          key: 'main',
          label: ['State', 'الحالة'],
          width: 150,
          cell: (row) => <RegistrationState value={row.main} />,
          value: (row) => row.main,
        },
        {
          key: 'total',
          label: MARK,
          width: 110,
          align: 'end',
          cell: (row) => <MarkOf row={row} />,
          value: (row) => (row.total === null ? null : Number(row.total)),
        },
        {
          key: 'letter',
          label: ['Grade', 'التقدير'],
          width: 90,
          align: 'center',
          cell: (row) => <GradeBadge row={row} />,
          value: (row) => row.letter,
        },
        ...(rows.some((row) => row.points !== null) || (!byMarks && rows.every((row) => row.rating === null))
          ? [POINTS]
          : []),
      ]}
    />
  )
}
function CourseName({ row }: { row: RecordedCourse }) {
  const lang = useLanguage()
  return (
    <span>
      <bdi>{nameOf(row.course, lang)}</bdi>
      {row.attempt !== null && row.attempt !== 'Fresh' && (
        <>
          {' · '}
          <Attempt value={row.attempt} />
        </>
      )}
    </span>
  )
}

/** What the hours of a degree are made of: one figure on every screen, with what is in it. */
function hoursNote(t: T<'students'>, hours: NonNullable<StudentDashboard['hours']>): string {
  const { passed, since, in_progress: running, awaited } = hours
  const left = Math.max(0, sumDecimals([hours.required, -passed, -since, -running]))
  const note = t(since ? 'hours_note_since' : 'hours_note', { passed, since, running, left })
  return awaited > 0 ? `${note}. ${t('hours_awaited', { hours: awaited })}` : note
}

/** A student at a glance: holds, hours, GPA by term, the courses of now. */
export function Overview({ data, own }: { data: StudentDashboard; own?: boolean }) {
  const t = useT('students')
  const lang = useLanguage()
  const { hours, terms, current, holds } = data
  const points = terms.map((one) => ({
    name: nameOf(one.term, lang),
    gpa: one.gpa === null ? null : Number(one.gpa),
    cumulative: one.cumulative_gpa === null ? null : Number(one.cumulative_gpa),
    registered: one.registered_hours,
    passed: one.passed_hours,
  }))
  return (
    <Stack>
      {own && <DebtHold />}
      {holds.length > 0 && (
        <Refusals
          title={t(own ? 'holds_own' : 'holds', { count: holds.length })}
          reasons={holds.map((hold) => ({
            code: hold.kind,
            text: t(`hold_${hold.kind}`),
            found: [
              lang === 'ar' ? hold.note_local || hold.note : hold.note || hold.note_local,
              hold.since && t('since', { date: formatDate(hold.since) }),
            ]
              .filter(Boolean)
              .join(' · '),
            ...(hold.kind === 'missing_documents' && may('show_studentDocument')
              ? {
                  step: {
                    label: t('step_documents'),
                    href: own
                      ? '/student-profile?tab=documents'
                      : `${to('/students/:id', { id: data.student.id })}?tab=documents`,
                  },
                }
              : {}),
            ...(hold.kind === 'unpaid_invoice' && opens('/payments')
              ? { step: { label: t('step_payments'), href: to('/payments') } }
              : {}),
            ...(own && hold.kind === 'obligatory_survey' && opens('/student_questionnaires')
              ? { step: { label: t('step_surveys'), href: to('/student_questionnaires') } }
              : {}),
          }))}
        />
      )}
      {hours && (
        <Card>
          <div className={css.amounts}>
            <Amount
              label={t('hours_of_degree')}
              earned={sumDecimals([hours.passed, hours.since])}
              since={hours.since}
              running={hours.in_progress}
              required={hours.required}
              note={hoursNote(t, hours)}
            />
          </div>
        </Card>
      )}
      {terms.length > 0 && (
        <Cards even>
          <Chart
            kind="line"
            title={t('gpa_by_term')}
            data={points}
            pointLabel={['Term', 'الفصل']}
            format={(n) => formatNumber(n, 2)}
            range={[
              0,
              Math.max(4, ...points.map((point) => Math.ceil(Math.max(point.gpa ?? 0, point.cumulative ?? 0)))),
            ]}
            series={[
              { key: 'gpa', label: ['Term GPA', 'معدل الفصل'] },
              { key: 'cumulative', label: ['Cumulative GPA', 'المعدل التراكمي'] },
            ]}
          />
          <Chart
            kind="bar"
            title={t('hours_by_term')}
            data={points}
            pointLabel={['Term', 'الفصل']}
            series={[
              { key: 'registered', label: ['Registered hours', 'الساعات المسجلة'] },
              { key: 'passed', label: ['Passed hours', 'الساعات المجتازة'], tone: 'done' },
            ]}
          />
        </Cards>
      )}
      {current && (
        <Card
          plain
          title={
            <>
              {t('now')} · <bdi>{nameOf(current.term, lang)}</bdi>
            </>
          }
          aside={
            <span className={css.figures}>
              <span>
                {t('registered_hours')} <b>{formatNumber(current.hours)}</b>
              </span>
              {current.waiting > 0 && <Status is="waits" label={t('requests_waiting', { count: current.waiting })} />}
            </span>
          }
        >
          {current.courses.length ? (
            <CurrentCourses
              rows={current.courses}
              caption={t('now')}
              byMarks={data.student.by_marks}
              href={(row) =>
                own
                  ? to('/myCourses/:offering_id', { offering_id: row.offering_id })
                  : opens('/offering/:id')
                    ? to('/offering/:id', { id: row.offering_id })
                    : null
              }
            />
          ) : (
            <Empty title={t('no_courses_now')} text={t(own ? 'no_courses_now_own' : 'no_courses_now_text')} />
          )}
        </Card>
      )}
      {(own || may(['access_placementResult', 'show_placementResult'])) && (
        <Suspense>
          <Placements id={data.student.id} />
        </Suspense>
      )}
      <Suspense>
        <Outdated student={data.student.id} />
      </Suspense>
    </Stack>
  )
}
