import { useMemo } from 'react'
import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { ATTEMPTS, RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import { Code, Name, Status } from '#kit/web/feedback/index.ts'
import type { ComputedColumn, FrozenColumn, GridColumn } from '#kit/web/grid/types.ts'
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { Grade } from '../grading.rules.ts'
import type { Grid } from './grades.contract.ts'
import type { Letters, LetterRow } from './use-letters.web.ts'
import css from '../grading.module.css'

const CODE = 108
/** Menu, edges and scroll bar. */
const AROUND = 170
/** Width of a name on a phone, in two lines. */
const NAME_ON_PHONE = 112

/** A letter as the grid shows it: failing ones stand out, and one that the marks alone do not explain says why it is so. */
const letterOf = (result: Grade | null, why: string | undefined, rating: string | undefined) =>
  result?.letter ? (
    <span
      className={`${css.letter} ${result.outcome === 'failed' ? css.refused : ''}`}
      data-explained={why ? true : undefined}
      title={why}
    >
      {rating ?? <Code>{result.letter}</Code>}
      {why && <span className="sr">{why}</span>}
    </span>
  ) : (
    ''
  )

/** Width of a name beside its state: the room that marks leave, within reason. */
const NAME = { from: 290, to: 420 } as const

/** Who the rows are about. */
function useFrozen(narrow: boolean, nameWidth: number): FrozenColumn<LetterRow>[] {
  const t = useT('grading')
  const say = useLabel()
  const lang = useLanguage()
  return [
    ...(narrow
      ? []
      : [
          {
            key: 'code',
            label: t('code'),
            width: CODE,
            render: (row: LetterRow) => <Code>{row.source.student.code}</Code>,
            text: (row: LetterRow) => row.source.student.code ?? '',
          },
        ]),
    {
      key: 'name',
      label: t('student'),
      width: nameWidth,
      text: (row) => nameOf(row.source.student, lang),
      render: (row) => {
        const { source } = row
        const state =
          source.main === 'Registered'
            ? undefined
            : RESULT_STATES.find((resultState) => resultState.value === source.main)
        const attempt =
          source.attempt && source.attempt !== 'Fresh'
            ? ATTEMPTS.find((one) => one.value === source.attempt)
            : undefined
        return (
          <span className={css.student} title={`${source.student.code} ${nameOf(source.student, lang)}`}>
            <Name row={source.student} />
            {state && (
              <>
                {' '}
                <Status tone={state.tone} label={say(state.label)} />
              </>
            )}
            {attempt && <small className={css.dim}> {say(attempt.label)}</small>}
          </span>
        )
      },
    },
  ]
}

/** What follows from the marks: the total and the letter. */
function useComputed(grid: Grid, { grade, ratingOf, whyOf }: Letters): ComputedColumn[] {
  const t = useT('grading')
  const byMarks = Object.values(grid.bylaws).some((bylaw) => bylaw.marks)
  const whole = grid.scheme.reduce((sum, category) => sum + Number(category.max), 0)
  return [
    {
      key: 'total',
      label: byMarks ? `${t('total')} (${formatNumber(whole)})` : t('total'),
      width: byMarks ? 104 : 76,
      value: (get, row) => {
        const total = grade(get, (row as LetterRow).source)?.total
        return total == null ? '' : trimHundredths(total)
      },
    },
    {
      key: 'letter',
      label: t('grade'),
      width: byMarks ? 104 : 76,
      value: (get, row) => {
        const { source } = row as LetterRow
        const result = grade(get, source)
        return letterOf(result, result ? whyOf(result, get, source)?.why : undefined, ratingOf(result, source))
      },
    },
  ]
}

/** Columns of the grid: who, the marks of each category, and what follows from them. */
export function useColumns(grid: Grid, letters: Letters) {
  const lang = useLanguage()
  const narrow = window.innerWidth < 640
  const computed = useComputed(grid, letters)
  // As many as can be read stand beside the name, so that nobody has to look for the final exam.
  const phoneWidth = Math.max(
    54,
    Math.min(84, Math.floor((window.innerWidth - 32 - NAME_ON_PHONE) / Math.max(1, grid.scheme.length))),
  )
  // A new list of columns would make the grid read everything again.
  const columns = useMemo(
    () =>
      grid.scheme.map((category): GridColumn => ({
        key: String(category.id),
        label: nameOf(category, lang),
        max: Number(category.max),
        // Room for the name of the category, which Arabic writes in full.
        width: narrow ? phoneWidth : Math.min(168, Math.max(104, nameOf(category, lang).length * 7 + 24)),
      })),
    [grid.scheme, lang, narrow, phoneWidth],
  )
  const others = [...columns, ...computed].reduce((sum, { width = 0 }) => sum + width, CODE + AROUND)
  const nameWidth = narrow ? NAME_ON_PHONE : Math.max(NAME.from, Math.min(NAME.to, window.innerWidth - others))
  const frozen = useFrozen(narrow, nameWidth)
  return { frozen, columns, computed }
}
