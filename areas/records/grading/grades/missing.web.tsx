import type { Problem } from '#kit/contract/schema.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatList, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Grid } from './grades.contract.ts'
import css from '../grading.module.css'

/** What is missing before marks can be submitted, student by student, as the refusal names it. */
interface Missing {
  registration_id: number
  student: { code: string; name: string; name_local: string }
  categories: { code: string; name: string; name_local: string }[]
}
/** What submitting would be refused for, where what stands in the grid shows it already. */
export function lackingMarks(grid: Grid, lacking: readonly number[]): readonly Problem[] {
  const students = grid.rows
    .filter((row) => lacking.includes(row.registration_id))
    .map((row) => ({ registration_id: row.registration_id, student: row.student, categories: grid.scheme }))
  const count = students.length
  return count ? [{ field: null, code: 'control_marks', en: '', ar: '', data: { count, students } }] : []
}

/** Why a step was refused. What is missing leaves the grid in sight and shrinks as marks are saved; each line leads to its cell. */
export function MissingMarksList({
  problems,
  grid,
  onGo,
}: {
  problems: readonly Problem[]
  grid: Grid
  onGo: (registration: number, key: string) => void
}) {
  const t = useT('grading')
  const lang = useLanguage()
  const rows = new Map(grid.rows.map((row) => [row.registration_id, row]))
  const marks = problems.find((one) => one.code === 'control_marks')
  // Those whose marks are all there lack something else, which is a reason of its own.
  const named = ((marks?.data?.students ?? []) as Missing[]).filter((one) => one.categories.length > 0)
  const students = named.flatMap((one) => {
    const cells = grid.scheme.filter(
      ({ id, code }) =>
        one.categories.some((category) => category.code === code) && !rows.get(one.registration_id)?.marks[String(id)],
    )
    return cells[0] ? [{ ...one, cells, first: String(cells[0].id) }] : []
  })
  // The refusal names the first hundred students and counts all.
  const count = Number(marks?.data?.count ?? 0) - (named.length - students.length)
  const first = students[0]
  return (
    <div className={css.lacking} role="alert" data-done={(marks && problems.length === 1 && count === 0) || undefined}>
      {problems.map((one, i) => one !== marks && <p key={i}>{problemText(one)}</p>)}
      {marks && (
        <p>
          <strong>{count > 0 ? t('missing_students', { count }) : t('missing_none')}</strong>
          {first && (
            <button type="button" className={css.jump} onClick={() => onGo(first.registration_id, first.first)}>
              {t('missing_first')}
            </button>
          )}
        </p>
      )}
      {first && (
        <ul className={css.missing} aria-label={t('missing_marks')}>
          {students.map((one) => (
            <li key={one.registration_id}>
              <button type="button" className={css.jump} onClick={() => onGo(one.registration_id, one.first)}>
                <Code>{one.student.code}</Code> <bdi>{nameOf(one.student, lang)}</bdi>
              </button>{' '}
              <span className={css.dim}>{formatList(one.cells.map((category) => nameOf(category, lang)))}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
