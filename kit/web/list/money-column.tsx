import { formatMoney } from '../i18n/index.ts'
import type { AnyRow, Column } from './columns.ts'

/**
 * A column of an amount in minor units, in the currency that its row names. A sum of up to ten millions stands whole, however
 * narrow the window; a row without an amount has an empty cell.
 */
export const moneyColumn = <R extends AnyRow & { readonly currency: string | null }>({
  amount,
  ...column
}: Omit<Column<R>, 'cell' | 'field' | 'align'> & {
  /** The amount; that of the row under the column's key unless told. */
  readonly amount?: (row: R) => number | null
}): Column<R> => {
  const of = amount ?? ((row: R) => row[column.key] as number | null)
  return {
    width: 145,
    least: 128,
    ...column,
    align: 'end',
    cell: (row) => {
      const minor = of(row)
      return minor === null ? null : <bdi>{formatMoney(minor, row.currency ?? 'EGP')}</bdi>
    },
  }
}
