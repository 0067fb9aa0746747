import { Fragment } from 'react'
import { sumDecimals } from '#areas/study/catalogue/decimal.rules.ts'
import { OutcomeBadge } from '#areas/records/level-results/parts.web.tsx'
import { useCall } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Empty, Failed, Name } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted } from '#kit/web/shell/page.tsx'
import css from '../students.module.css'
import { StandingText } from '../words.web.tsx'
import { DebtHold } from '../standing/held.web.tsx'
import { CurrentCourses, opens } from './overview.web.tsx'
import { academicRecordCalls } from './record.contract.ts'
import type { CreditedCourse, GradesTerm, YearResult } from './record.contract.ts'

/** Grades by term; without `id` the reader's own. */
export function GradesOfStudent({ id }: { id?: number }) {
  const t = useT('students')
  const lang = useLanguage()
  const own = useCall(academicRecordCalls.termsGrades, undefined, { enabled: id === undefined })
  const other = useCall(academicRecordCalls.termsGradesOf, { params: { id: id ?? 0 } }, { enabled: id !== undefined })
  const { data, error, refetch } = id === undefined ? own : other
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={220} />
  const { terms, credits, years } = data.data
  if (!terms.length && !credits.length)
    return <Empty title={t('no_grades')} text={t(id === undefined ? 'no_grades_own' : 'no_grades_text')} />
  return (
    <Stack>
      {id === undefined && <DebtHold />}
      {credits.length > 0 && <Credits credits={credits} />}
      {terms.map((term, i) => {
        // The result of a year stands above its last term.
        const ended = years.filter(
          (one) =>
            one.terms.includes(term.term.id) && !terms.slice(0, i).some((later) => one.terms.includes(later.term.id)),
        )
        return (
          <Fragment key={term.term.id}>
            {ended.map((one) => (
              <Year key={`${one.year.id}-${one.number}`} year={one} />
            ))}
            <Card
              plain
              title={<bdi>{nameOf(term.term, lang)}</bdi>}
              aside={!data.data.student.by_marks && <Figures term={term} />}
            >
              <CurrentCourses
                rows={term.courses}
                caption={nameOf(term.term, lang)}
                byMarks={data.data.student.by_marks}
                href={(row) =>
                  id === undefined
                    ? to('/myCourses/:offering_id', { offering_id: row.offering_id })
                    : opens('/offering/:id')
                      ? to('/offering/:id', { id: row.offering_id })
                      : null
                }
              />
            </Card>
          </Fragment>
        )
      })}
    </Stack>
  )
}

/** How a year ended under a regulation by marks: outcome, sum, rating, and grace marks with what they were given for. */
function Year({ year }: { year: YearResult }) {
  const t = useT('students')
  const lang = useLanguage()
  const { grace, decision, degree } = year
  const rated = (rating: YearResult['rating']) => rating && <bdi>{nameOf(rating, lang)}</bdi>
  return (
    <Card
      title={
        <Dotted>
          <bdi>{nameOf(year.level, lang)}</bdi>
          <bdi>{nameOf(year.year, lang)}</bdi>
        </Dotted>
      }
      aside={<OutcomeBadge value={year.outcome} />}
    >
      <Facts
        short
        items={[
          {
            label: t('sum_of_marks'),
            value: <Code>{`${formatNumber(year.marks)} / ${formatNumber(year.maximum)}`}</Code>,
          },
          ...(year.share === null
            ? []
            : [{ label: t('share'), value: <Code>{`${formatNumber(year.share)} %`}</Code> }]),
          ...(year.rating ? [{ label: t('level_rating'), value: rated(year.rating) }] : []),
          ...(degree?.rating
            ? [
                {
                  label: t('cumulative_rating'),
                  value: (
                    <>
                      {rated(degree.rating)} <Code>{`${formatNumber(degree.share)} %`}</Code>
                      {degree.honours && <> · {t('with_honours')}</>}
                    </>
                  ),
                },
              ]
            : []),
        ]}
      />
      {decision && (
        <div className={css.decision}>
          {grace.on_courses !== null && <p>{t('grace_on_courses', { marks: formatNumber(grace.on_courses) })}</p>}
          {grace.on_sum !== null && <p>{t('grace_on_sum', { marks: formatNumber(grace.on_sum) })}</p>}
          <GraceDecision of={decision} />
        </div>
      )}
    </Card>
  )
}

/** Who decided on grace marks, by which number, and when. */
export function GraceDecision({ of }: { of: NonNullable<YearResult['decision']> }) {
  const t = useT('students')
  return (
    <p className={css.dim}>
      {t('grace_decision', { who: of.decided_by, number: of.decision_number, date: formatDate(of.decided_on) })}
    </p>
  )
}

/** What counts as passed without having been taken here, with what it was elsewhere. */
function Credits({ credits }: { credits: readonly CreditedCourse[] }) {
  const t = useT('students')
  const lang = useLanguage()
  return (
    <Card title={t('credited')}>
      <ul className={css.credits}>
        {credits.map((credit) => (
          <li key={credit.id}>
            <Code>{credit.course.code}</Code> <bdi>{nameOf(credit.course, lang)}</bdi>{' '}
            <small>
              {t('credited_hours', { hours: formatNumber(credit.course.credit_hours) })} ·{' '}
              {credit.mark !== null && (
                <>
                  <Code>{`${credit.mark} / ${credit.maximum}`}</Code> ·{' '}
                </>
              )}
              {credit.rating ? (
                <bdi>{nameOf(credit.rating, lang)}</bdi>
              ) : credit.letter ? (
                <Code>{credit.letter}</Code>
              ) : (
                t('credited_passed')
              )}{' '}
              · {credit.source.institution && <Name row={credit.source.institution} />}{' '}
              <Code>{credit.source.code}</Code>
              {credit.former && <> · {t('credited_former')}</>}
            </small>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function Figures({ term: { result, revised, courses } }: { term: GradesTerm }) {
  const t = useT('students')
  const figure = (label: string, value: string | number | null, places?: number) => (
    <span key={label}>
      {label} <b>{value === null ? '–' : <Code>{formatNumber(value, places)}</Code>}</b>
    </span>
  )
  if (!result) {
    return (
      <span className={css.figures}>
        {figure(t('registered_hours'), sumDecimals(courses.map((one) => one.course.credit_hours)))}
        <span>{t(revised ? 'term_revised' : 'term_open')}</span>
      </span>
    )
  }
  return (
    <span className={css.figures}>
      {figure(t('registered_hours'), result.registered_hours)}
      {figure(t('passed_hours'), result.passed_hours)}
      {figure(t('term_gpa'), result.gpa, 2)}
      {figure(t('cumulative_gpa'), result.cumulative_gpa, 2)}
      {result.standing !== 'good' && <StandingText value={result.standing} />}
    </span>
  )
}
