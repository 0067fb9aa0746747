import { formatNumber, useT } from '../i18n/index.ts'
import { ABSENT } from './model.ts'
import type { GridModel } from './model.ts'

/** The keys that make entry quick, said where they are used. */
export function GridKeys() {
  const t = useT('kit-screens')
  return (
    <>
      <span>
        <kbd>A</kbd> {t('grid_absent')}
      </span>
      <span>
        <kbd>Enter</kbd> {t('grid_down')}
      </span>
      <span>
        <kbd>Ctrl V</kbd> {t('grid_paste')}
      </span>
    </>
  )
}

/** Count, sum and mean of the selected cells, as spreadsheets show them. */
export function Sum({ model, cells }: { model: GridModel; cells: readonly { row: number; key: string }[] }) {
  const t = useT('kit-screens')
  const numbers = cells
    .map((c) => model.get(c.row, c.key))
    .filter((v): v is string => v !== null && v !== ABSENT && v.trim() !== '' && Number.isFinite(Number(v)))
    .map(Number)
  if (!numbers.length) return t('grid_cells', { count: cells.length })
  const sum = numbers.reduce((n, v) => n + v, 0)
  return t('grid_sum', { count: numbers.length, mean: formatNumber(sum / numbers.length, 2), sum: formatNumber(sum) })
}
