import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import css from '../students.module.css'
import { Standing } from '../words.web.tsx'
import { Courses } from './overview.web.tsx'
import { recordCalls } from './record.contract.ts'
import type { GradesTerm } from './record.contract.ts'

/** Grades by term; without `id` the reader's own. */
export function Grades({ id }: { id?: number }) {
  const t = useT('students')
  const lang = useLanguage()
  const own = useCall(recordCalls.termsGrades, undefined, { enabled: id === undefined })
  const other = useCall(recordCalls.termsGradesOf, { params: { id: id ?? 0 } }, { enabled: id !== undefined })
  const { data, error, refetch } = id === undefined ? own : other
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={220} />
  const { terms } = data.data
  if (!terms.length)
    return <Empty title={t('no_grades')} text={t(id === undefined ? 'no_grades_own' : 'no_grades_text')} />
  return (
    <Stack>
      {terms.map((term) => (
        <Card key={term.term.id} plain title={<bdi>{nameOf(term.term, lang)}</bdi>} aside={<Figures term={term} />}>
          <Courses rows={term.courses} caption={nameOf(term.term, lang)} />
        </Card>
      ))}
    </Stack>
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
        {figure(
          t('registered_hours'),
          courses.reduce((sum, one) => sum + one.course.credit_hours, 0),
        )}
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
      {result.standing !== 'good' && <Standing value={result.standing} />}
    </span>
  )
}
