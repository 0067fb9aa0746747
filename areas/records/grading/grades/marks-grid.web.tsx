import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Ref } from 'react'
import type { ResponseOf } from '#kit/contract/index.ts'
import { ApiError, isOffline, keyOf, useChange } from '#kit/web/api/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { GradeGrid } from '#kit/web/grid/grade-grid.tsx'
import type { CellValue } from '#kit/web/grid/model.ts'
import type { GradeGridHandle } from '#kit/web/grid/types.ts'
import { nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useWaiting, waitFor } from '#kit/web/offline/waiting.ts'
import { gradeCalls, type Grid } from './grades.contract.ts'
import { useColumns } from './use-columns.web.tsx'
import { useLetters, useTotals, type LetterRow, type LetterSign, type Totals } from './use-letters.web.ts'
import { MARKS, markWords, waitingMark } from './waiting.web.ts'
import type { WaitingMark } from './waiting.web.ts'
import css from '../grading.module.css'

const Signs = ({ signs }: { signs: readonly LetterSign[] }) => {
  const t = useT('grading')
  return (
    <dl className={css.signs} aria-label={t('signs')}>
      {signs.map(({ letter, means }) => (
        <div key={`${letter} ${means}`}>
          <dt>
            <Code>{letter}</Code>
          </dt>
          <dd>{means}</dd>
        </div>
      ))}
    </dl>
  )
}

type Cell = { row: number; key: string; value: CellValue }
type Refused = { row: number; key: string; text: string }

/**
 * Saves what was typed; answers with what was refused, and takes what others saved meanwhile. The server takes all cells or
 * none: those that it names are left out, and the others sent again.
 */
function useSaving(grid: Grid) {
  const t = useT('grading')
  const lang = useLanguage()
  const client = useQueryClient()
  const { send } = useChange('/control')
  const save = async (cells: readonly Cell[]): Promise<{ refused: Refused[]; waiting?: boolean }> => {
    const byId = new Map(grid.rows.map((row) => [row.registration_id, row]))
    const sent = cells.map(({ row, key, value }) => ({
      registration_id: row,
      offering_mark_id: Number(key),
      mark: value,
      version: byId.get(row)?.marks[key]?.version ?? null,
    }))
    let answer: ResponseOf<typeof gradeCalls.save>
    try {
      answer = await send(gradeCalls.save, { body: { offering_id: grid.offering.id, cells: sent } })
    } catch (error) {
      if (isOffline(error)) {
        waitFor(sent.map((cell) => waitingMark({ ...cell, offering_id: grid.offering.id })))
        return { refused: [], waiting: true }
      }
      if (!(error instanceof ApiError)) throw error
      const at = error.errors.flatMap((one) => {
        const index = /^cells\.(\d+)\./.exec(one.field ?? '')?.[1]
        const cell = index === undefined ? undefined : cells[Number(index)]
        return cell ? [{ row: cell.row, key: cell.key, text: problemText(one) }] : []
      })
      if (!at.length) throw error
      const rest = cells.filter(({ row, key }) => !at.some((one) => one.row === row && one.key === key))
      return { refused: rest.length ? [...at, ...(await save(rest)).refused] : at }
    }
    // What was saved, and what others saved meanwhile, comes back: the grid compares with it from now on.
    const changed = new Map(answer.rows.map((row) => [row.registration_id, row]))
    client.setQueryData(
      keyOf(gradeCalls.grid, { params: { id: grid.offering.id } }),
      (old: { data: Grid } | undefined) =>
        old && { data: { ...old.data, rows: old.data.rows.map((row) => changed.get(row.registration_id) ?? row) } },
    )
    return {
      refused: answer.conflicts.map((conflict) => ({
        row: conflict.registration_id,
        key: String(conflict.offering_mark_id),
        text: t('changed_by', {
          name: conflict.by ? nameOf(conflict.by, lang) : t('somebody'),
          mark: markWords(conflict.theirs),
        }),
      })),
    }
  }
  return save
}

/** Entry of marks: for the instructor until submission, for control until approval; a reading view for others. */
export function MarksGrid({
  grid,
  onTotals,
  handle,
}: {
  grid: Grid
  onTotals?: (totals: Totals) => void
  handle?: Ref<GradeGridHandle>
}) {
  const t = useT('grading')
  const letters = useLetters(grid)
  const { frozen, columns, computed } = useColumns(grid, letters)
  const { signs, totals } = useTotals(grid, letters, onTotals)
  const save = useSaving(grid)
  const waiting = useWaiting(MARKS)
  const rows = useMemo((): LetterRow[] => {
    // What was entered without a line stands where it will stand.
    const mine = Map.groupBy(
      waiting
        .filter((one) => !one.problem)
        .map((one) => one.data as WaitingMark)
        .filter((one) => one.offering_id === grid.offering.id),
      (one) => one.registration_id,
    )
    return grid.rows.map((row) => ({
      id: row.registration_id,
      source: row,
      cells: Object.fromEntries([
        ...Object.entries(row.marks).map(([key, cell]) => [key, cell.mark] as const),
        ...(mine.get(row.registration_id) ?? []).map((one) => [String(one.offering_mark_id), one.mark] as const),
      ]),
      ...(!row.writable && { locked: true as const }),
    }))
  }, [grid.rows, grid.offering.id, waiting])
  return (
    <GradeGrid<LetterRow>
      label={t('marks_of', { course: nameOf(grid.offering.course) })}
      rows={rows}
      frozen={frozen}
      columns={columns}
      computed={computed}
      onSave={save}
      onTotals={totals}
      readOnly={grid.editor === null}
      handle={handle}
      foot={signs.length > 0 && <Signs signs={signs} />}
    />
  )
}
