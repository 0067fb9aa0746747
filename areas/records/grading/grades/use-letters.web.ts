import { useCallback, useMemo, useState } from 'react'
import { parseHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { ATTEMPTS, RESULT_STATES } from '#areas/common/academics/grading-words.contract.ts'
import type { CellValue } from '#kit/web/grid/model.ts'
import type { GridRow as Row } from '#kit/web/grid/types.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { gradeOf, readMark, type Grade, type Mark } from '../grading.rules.ts'
import type { Grid, GridRow } from './grades.contract.ts'
import { gradingBylaw } from './grades.rules.ts'

/** A row of the grid, with what the server said of it. */
export interface LetterRow extends Row, Record<string, unknown> {
  readonly source: GridRow
}

/** Works out the grade of a row from what stands in its cells now, by the same rules as the server. */
function useGrading(grid: Grid | undefined) {
  return useMemo(() => {
    const categories =
      grid?.scheme.map(({ id, max, is_final_exam }) => ({
        id,
        maximum: parseHundredths(max) ?? 0,
        final_exam: is_final_exam,
      })) ?? []
    const kind = grid?.offering.course.grade_kind ?? 'letter'
    return (get: (key: string) => CellValue, row: GridRow, attempt = row.attempt): Grade | null => {
      const bylaw = grid?.bylaws[row.bylaw_id]
      if (!bylaw || !categories.length || grid.scheme_problems.length) return null
      const marks: Record<number, Mark | null> = {}
      for (const { id, maximum } of categories) {
        const read = readMark(get(String(id)) ?? '', maximum)
        marks[id] = 'mark' in read ? read.mark : null
      }
      try {
        return gradeOf({
          scheme: { categories, places: bylaw.total_places, grade_type: kind },
          marks,
          main: row.main,
          audit: row.audit,
          attempt,
          bylaw: gradingBylaw({ ...bylaw, special_grades: bylaw.special_grades }, kind),
        })
      } catch {
        // A bylaw whose ranges have a hole: the server names it when the marks are submitted.
        return null
      }
    }
  }, [grid])
}

/** A letter that the marks alone do not explain, and what it means. */
export interface LetterSign {
  readonly letter: string
  readonly means: string
}

/** Figures over what stands in the grid now. */
export interface Totals {
  entered: number
  graded: number
  passed: number
  sum: number
  /** Registrations without a result whose marks are not all there. */
  lacking: number[]
}

/** The grades that follow from what stands in the grid, and why they are not what the marks would give. */
export function useLetters(grid: Grid) {
  const t = useT('grading')
  const say = useLabel()
  const lang = useLanguage()
  const grade = useGrading(grid)
  /** By marks a result has a rating, which has a name. */
  const ratingOf = useCallback(
    (result: Grade | null, row: GridRow): string | undefined => {
      const found = grid.bylaws[row.bylaw_id]?.marks?.ratings.find((one) => one.code === result?.letter)
      return found && nameOf(found, lang)
    },
    [grid.bylaws, lang],
  )
  /**
   * Why a letter is not what its marks would give (the final exam alone, a state, the most that a repeat counts), for its
   * row; and what the letter means so, for all of them.
   */
  const whyOf = useCallback(
    (result: Grade, get: (key: string) => CellValue, row: GridRow): { why: string; means: string } | undefined => {
      const one = (text: string) => ({ why: text, means: text })
      if (result.failed_final) return one(t('failed_final'))
      if (row.audit) return one(t('audit_letter'))
      if (result.state === 'special') {
        const state = RESULT_STATES.find((known) => known.value === row.main)
        return row.main === 'Registered' ? one(t('absent_final')) : state && one(say(state.label))
      }
      if (row.attempt === null || row.attempt === 'Fresh') return undefined
      const fresh = grade(get, row, 'Fresh')
      const otherwise = fresh?.letter
      const attempt = ATTEMPTS.find((known) => known.value === row.attempt)
      if (!otherwise || otherwise === result.letter || !attempt) return undefined
      return {
        why: t('capped_letter', { letter: ratingOf(fresh, row) ?? otherwise, attempt: say(attempt.label) }),
        means: t('capped_means', { attempt: say(attempt.label) }),
      }
    },
    [grade, ratingOf, say, t],
  )
  return { grade, ratingOf, whyOf }
}
export type Letters = ReturnType<typeof useLetters>

/** Figures over the grid, and the letters in it that want a word. */
export function useTotals(
  grid: Grid,
  { grade, ratingOf, whyOf }: Letters,
  onTotals: ((totals: Totals) => void) | undefined,
) {
  const lang = useLanguage()
  const failing = useMemo(
    () => new Map(grid.failing.map((one) => [one.letter, nameOf(one, lang)])),
    [grid.failing, lang],
  )
  const [signs, setSigns] = useState<readonly LetterSign[]>([])
  const totals = useCallback(
    (get: (row: number, key: string) => CellValue, lines: readonly LetterRow[]) => {
      const sum: Totals = { entered: 0, graded: 0, passed: 0, sum: 0, lacking: [] }
      const found = new Map<string, LetterSign>()
      for (const line of lines) {
        const read = (key: string) => get(line.id, key)
        const result = grade(read, line.source)
        const means =
          result?.letter &&
          (whyOf(result, read, line.source)?.means ??
            (result.outcome === 'failed' ? failing.get(result.letter) : undefined))
        const letter = ratingOf(result, line.source) ?? result?.letter
        if (means && letter) found.set(`${letter} ${means}`, { letter, means })
        if (!line.source.writable) continue
        if (grid.scheme.some((category) => get(line.id, String(category.id)) !== null)) sum.entered++
        if (!result?.letter) {
          if (grid.scheme.some((category) => get(line.id, String(category.id)) === null)) sum.lacking.push(line.id)
          continue
        }
        sum.graded++
        if (result.outcome === 'passed') sum.passed++
        // By marks courses have maxima of their own: the mean is one of shares.
        sum.sum += ((result.total ?? 0) * 10000) / (result.maximum ?? 10000)
      }
      onTotals?.(sum)
      const next = [...found.values()].toSorted((a, b) => a.letter.localeCompare(b.letter))
      setSigns((old) => (JSON.stringify(old) === JSON.stringify(next) ? old : next))
    },
    [grade, whyOf, ratingOf, failing, grid.scheme, onTotals, setSigns],
  )
  return { signs, totals }
}
