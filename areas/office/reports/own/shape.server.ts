/** What was read for an own report, as the answer tells it: in order, without figures of few, at most so many rows and columns. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import { dimensionOf, type DimensionKey } from '../figures/dimensions.contract.ts'
import type { FigureLabel, ToldFigure } from '../figures/figures.contract.ts'
import { hiddenAmong, hiddenInGrid, isFew, ratioOf, toldFigure, type Read } from '../figures/figures.rules.ts'
import { figureSubject, measureOf, type MeasureKey } from '../figures/measures.contract.ts'
import { labelOf, madeOf, type RecordNames } from '../figures/read.server.ts'
import { isRatio, type MeasurePart, type SubjectSql } from '../figures/subject.server.ts'
import type { OwnAsked } from './choices.rules.ts'
import { MOST_OWN_ROWS, linesInOrder, keptWithin, mostColumns, type PlacedLine } from './order.rules.ts'
import type { OwnFigures, OwnLine } from './own.contract.ts'

/** A sum of one row, one column, or both: the parts of the measures, and of how many persons. */
export interface OwnSum {
  readonly k: (string | null)[]
  readonly level: 'cell' | 'row' | 'column' | 'all'
  /** 0: now. 1: before. */
  readonly w: 0 | 1
  readonly parts: (number | null)[]
  readonly people: number
  /** By the rights that may be asked for. */
  readonly far: number[]
}
/** What one statement told. */
export interface OwnRead {
  readonly subject: SubjectSql
  readonly rights: readonly PermissionKey[]
  readonly parts: readonly MeasurePart[]
  readonly placed: ReadonlyMap<MeasureKey, readonly number[]>
  readonly lines: readonly OwnSum[]
  readonly names: readonly (RecordNames[] | null)[]
  readonly filters: readonly (RecordNames[] | null)[]
  readonly compared: {
    readonly now: number | null
    readonly before: number | null
    readonly names: RecordNames[] | null
  } | null
  readonly current: RecordNames[] | null
  readonly known: OwnFigures['known'] | null
  readonly within: OwnFigures['within']
  readonly at: string
}
const NOBODY: Pick<OwnSum, 'parts' | 'people' | 'far'> = { parts: [], people: 0, far: [] }
const keyOf = (keys: readonly (string | null)[]): string => JSON.stringify(keys)

/** What of a history is looked at. */
const LOOKS_AT: Readonly<Record<OwnFigures['known'][number]['what'], readonly DimensionKey[]>> = {
  status: [],
  level: ['level'],
  place: ['faculty', 'department', 'program'],
}

/** A measure of a sum as it was read. */
function reader(asked: OwnAsked, { subject, rights, parts, placed }: OwnRead) {
  const dimensions = [...asked.rows, ...asked.columns, ...(Object.keys(asked.filters ?? {}) as DimensionKey[])]
  const sensitive = dimensions.some((key) => dimensionOf(key).sensitive)
  return (line: Pick<OwnSum, 'parts' | 'people' | 'far'>, key: MeasureKey): Read => {
    const places = placed.get(key)!
    const made = madeOf(subject, key)
    const value = (at: number): number | null => line.parts[at] ?? (parts[at]!.take === 'least' ? null : 0)
    const { told, beside, of } = measureOf(key)
    const countsOf = (one: MeasureKey): number[] => {
      const counts = (placed.get(one) ?? [])
        .filter((at) => ['people', 'rows'].includes(parts[at]!.take))
        .map((at) => value(at) ?? 0)
      // A share tells as well what is left of its whole.
      return counts.length === 2 ? [...counts, counts[1]! - counts[0]!] : counts
    }
    return {
      value: isRatio(made) ? ratioOf(value(places[0]!), value(places[1]!), made.times) : value(places[0]!),
      counts: [...countsOf(key), ...(beside ? countsOf(beside as MeasureKey) : [])],
      people: line.people,
      far: sensitive || told ? (line.far[rights.indexOf(told ?? figureSubject(of).rows)] ?? 0) : 0,
    }
  }
}

/** Figures of one time, for rows and columns in order: each told, or hidden as few. */
function toldOf(
  asked: OwnAsked,
  read: OwnRead,
  w: 0 | 1,
  rows: readonly (readonly (string | null)[])[],
  columns: readonly (readonly (string | null)[])[],
): { rows: OwnLine[]; total: OwnLine } {
  const readOf = reader(asked, read)
  const sums = new Map(
    read.lines.filter((line) => line.w === w).map((line) => [`${line.level} ${keyOf(line.k)}`, line] as const),
  )
  const sum = (level: OwnSum['level'], keys: readonly (string | null)[]) =>
    sums.get(`${level} ${keyOf(keys)}`) ?? NOBODY
  const told = asked.measures.map((key) => {
    const rowReads = rows.map((row) => readOf(sum('row', row), key))
    const columnReads = columns.map((column) => readOf(sum('column', column), key))
    const grid = rows.map((row) => columns.map((column) => readOf(sum('cell', [...row, ...column]), key)))
    const [hiddenRows, hiddenColumns, hiddenCells] = [
      hiddenAmong(rowReads),
      hiddenAmong(columnReads),
      hiddenInGrid(grid),
    ]
    const all = readOf(sum('all', []), key)
    return {
      rows: rowReads.map((one, at) => toldFigure(one, hiddenRows.has(at))),
      cells: grid.map((cells, at) => cells.map((cell, place) => toldFigure(cell, hiddenCells[at]![place]!))),
      columns: columnReads.map((one, at) => toldFigure(one, hiddenColumns.has(at))),
      all: toldFigure(all, isFew(all)),
    }
  })
  return {
    rows: rows.map((_, at) => ({
      values: told.map((one) => one.rows[at]!),
      cells: columns.map((_column, place) => told.map((one) => one.cells[at]![place]!)),
    })),
    total: {
      values: told.map((one) => one.all),
      cells: columns.map((_column, place) => told.map((one) => one.columns[place]!)),
    },
  }
}

/** Lines of rows or columns in order, each once; those of both times. */
function linesIn(read: OwnRead, level: 'row' | 'column', by: readonly DimensionKey[], first: number) {
  const known = new Map<string, { keys: (string | null)[]; people: number }>()
  for (const line of read.lines) {
    if (line.level !== level) continue
    const had = known.get(keyOf(line.k))
    if (had) had.people += line.people
    else known.set(keyOf(line.k), { keys: line.k, people: line.people })
  }
  const placeOf = by.map((_, at) => new Map((read.names[first + at] ?? []).map((one) => [one.key, one.place ?? ''])))
  const lines: PlacedLine[] = [...known.values()].map(({ keys, people }) => ({ keys, people }))
  return linesInOrder(lines, by, placeOf)
}

/** @returns the answer of a report */
export function shapedOwn(
  asked: OwnAsked,
  read: OwnRead,
  { compared, days }: { readonly compared: { readonly by: DimensionKey } | null; readonly days: readonly string[] },
): Omit<OwnFigures, 'kept' | 'today' | 'splits'> {
  const { rows: rowsBy, columns: columnsBy } = asked
  const allRows = linesIn(read, 'row', rowsBy, 0)
  const allColumns = columnsBy.length ? linesIn(read, 'column', columnsBy, rowsBy.length) : []
  const columns = keptWithin(allColumns, mostColumns(asked.measures.length * (compared ? 2 : 1)))
  const named = (by: readonly DimensionKey[], first: number) => (keys: readonly (string | null)[]) =>
    by.map((_, at) => labelOf(keys[at]!, read.names[first + at] ?? null))
  const columnKeys = columns.map(({ keys }) => keys)
  const rowKeys = allRows.map(({ keys }) => keys)
  const now = toldOf(asked, read, 0, rowKeys, columnKeys)
  const before = compared ? toldOf(asked, read, 1, rowKeys, columnKeys) : null
  const tells = (figure: ToldFigure) => figure === 'few' || Boolean(figure)
  const all = rowKeys
    .map((keys, at) => ({
      keys: named(rowsBy, 0)(keys),
      people: allRows[at]!.people,
      now: now.rows[at]!,
      before: before?.rows[at] ?? null,
    }))
    // Those of whom nothing is told: no course that was never dropped stands among the dropped ones.
    .filter((row) => [...row.now.values, ...(row.before?.values ?? [])].some(tells))
  const size = ({ now: { values } }: (typeof all)[number]) => (typeof values[0] === 'number' ? values[0] : -1)
  const ordered = asked.largest ? all.toSorted((a, b) => size(b) - size(a)) : all
  const kept = asked.largest ? ordered.slice(0, MOST_OWN_ROWS) : keptWithin(ordered, MOST_OWN_ROWS)
  const looked = [...rowsBy, ...columnsBy, ...Object.keys(asked.filters ?? {})]
  const filters = (Object.entries(asked.filters ?? {}) as [DimensionKey, (string | number)[]][]).map(
    ([by, values], at) => ({
      by,
      values: values.map((value): FigureLabel => labelOf(String(value), read.filters[at] ?? null)),
    }),
  )
  const ids = read.compared
  return {
    rows_by: [...rowsBy],
    columns_by: [...columnsBy],
    measures: [...asked.measures],
    columns: columnKeys.map(named(columnsBy, rowsBy.length)),
    rows: kept.map(({ people: _people, ...row }) => row),
    total: { now: now.total, before: before?.total ?? null },
    more_rows: all.length - kept.length,
    more_columns: allColumns.length - columns.length,
    matched: read.lines.find((line) => line.level === 'all' && line.w === 0)?.people ?? 0,
    filters: [
      ...filters.filter((one) => one.by !== compared?.by),
      ...(read.current?.length
        ? [{ by: 'term' as const, values: read.current.map(({ key, of }) => ({ key, of })) }]
        : []),
    ],
    compared:
      compared && ids
        ? {
            by: compared.by,
            now: labelOf(ids.now === null ? null : String(ids.now), ids.names),
            before: ids.before === null ? null : labelOf(String(ids.before), ids.names),
          }
        : null,
    share: asked.compare === 'share',
    days: [...days],
    known: (read.known ?? []).filter(
      ({ what }) => what === 'status' || LOOKS_AT[what].some((key) => looked.includes(key)),
    ),
    within: read.within,
    at: read.at,
  }
}
