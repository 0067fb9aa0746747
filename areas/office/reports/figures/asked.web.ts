import { PAGE_SIZES } from '#kit/web/list/address.ts'
import { useSearchParams } from '#kit/web/router/index.ts'
import { DIMENSION_KEYS, dimensionOf, isNumbered, type DimensionKey } from './dimensions.contract.ts'
import type { CellAsked, FiguresAsked } from './figures.contract.ts'
import { measureOf, type MeasureKey } from './measures.contract.ts'
import type { SystemReport } from './reports.contract.ts'

/** Filters stay where another report of the screen has them too. */
export const FILTER_KEYS: readonly string[] = [...DIMENSION_KEYS, 'every', 'today']

const oneOf = <T extends string>(list: readonly T[], text: string | null): T | undefined =>
  list.find((one) => one === text)
/** A value of a filter as the address has it; undefined where it makes no sense. */
function valuesIn(by: DimensionKey, text: string | null): (string | number)[] | undefined {
  if (!text) return undefined
  const { choices } = dimensionOf(by)
  const values = text
    .split(',')
    .slice(0, 100)
    .filter((one) =>
      choices ? choices.some(({ value }) => String(value) === one) : !isNumbered(by) || /^\d{1,9}$/.test(one),
    )
    .map((one) => (isNumbered(by) ? Number(one) : one))
  return values.length ? values : undefined
}

/** Which cell is open to its rows. */
export type OpenCell = Pick<CellAsked, 'measure' | 'row' | 'of_row' | 'column' | 'of_column' | 'page'>
/** What stands in the address of a report: what is asked for, and the cell that is open. */
export function useAddress(report: SystemReport) {
  const [address, setAddress] = useSearchParams()
  const rows = oneOf(report.rows, address.get('rows'))
  const columns = oneOf(report.columns, address.get('columns'))
  const measure = oneOf(report.measures, address.get('measure'))
  const filters = Object.fromEntries(
    report.filters.flatMap((by) => {
      const values = valuesIn(by, address.get(by))
      return values ? [[by, values]] : []
    }),
  ) as NonNullable<FiguresAsked['filters']>
  const every = report.current !== undefined && address.get('every') === '1'
  const today = address.get('today') === '1'
  const asked: FiguresAsked = {
    ...(rows && { rows }),
    ...(columns && columns !== (rows ?? report.rows[0]) && { columns }),
    ...(measure && { measure }),
    ...(Object.keys(filters).length > 0 && { filters }),
    ...(every && { every }),
    ...(today && { today }),
  }
  const opened = oneOf(report.measures, address.get('cell'))
  const cell: OpenCell | null = opened
    ? {
        measure: opened,
        row: address.get('row') || null,
        of_row: address.has('row'),
        column: address.get('column') || null,
        of_column: address.has('column'),
        page: Math.max(1, Math.min(100_000, Number(address.get('page')) || 1)),
      }
    : null
  const perPage = PAGE_SIZES.find((size) => String(size) === address.get('perPage')) ?? 25
  /** The address with changes; null takes a key out, an empty text stands for “without”. */
  const at = (changes: Readonly<Record<string, string | number | null>>): URLSearchParams => {
    const next = new URLSearchParams(address)
    for (const [name, value] of Object.entries(changes))
      if (value === null) next.delete(name)
      else next.set(name, String(value))
    return next
  }
  const set = (changes: Readonly<Record<string, string | number | null>>) =>
    setAddress(at({ cell: null, row: null, column: null, page: null, ...changes }), { replace: true })
  /** Where a figure leads. */
  const toCell = (key: MeasureKey, row?: string | null, column?: string | null): string =>
    `?${at({ cell: key, row: row === undefined ? null : (row ?? ''), column: column === undefined ? null : (column ?? ''), page: null })}`
  return { asked, filters, every, cell, perPage, at, set, setAddress, toCell }
}
export type ReportAddress = ReturnType<typeof useAddress>

/** The list that holds the rows of a figure, narrowed as the report is; null where it cannot be narrowed by all of it. */
export function listBehind(
  list: { readonly path: string; readonly filters: Partial<Readonly<Record<DimensionKey, string>>> } | undefined,
  filters: NonNullable<FiguresAsked['filters']>,
  measure: MeasureKey,
  more: readonly { readonly by: DimensionKey; readonly key: string | null }[],
): { path: string; filters: Record<string, unknown> } | null {
  if (!list) return null
  const out: Record<string, unknown> = {}
  const put = (by: DimensionKey, values: readonly (string | number)[]): boolean => {
    const name = list.filters[by]
    if (!name) return false
    const before = out[name] as readonly (string | number)[] | undefined
    out[name] = before ? values.filter((one) => before.includes(one)) : values
    return true
  }
  const { only } = measureOf(measure)
  const wanted: [DimensionKey, readonly (string | number)[]][] = [
    ...(Object.entries(only ?? {}) as [DimensionKey, readonly (string | number)[]][]),
    ...(Object.entries(filters) as [DimensionKey, (string | number)[]][]),
  ]
  for (const { by, key } of more) {
    if (key === null) return null
    wanted.push([by, [isNumbered(by) ? Number(key) : key]])
  }
  return wanted.every(([by, values]) => put(by, values)) ? { path: list.path, filters: out } : null
}
