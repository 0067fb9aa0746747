/** A report as one statement: rows are put together by person first, so that nobody is counted twice in any sum. */
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { refuse } from '#kit/server/base/errors.ts'
import type { Db } from '#db/connect.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { reachesAll } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import { dimensionOf, isNumbered, type DimensionKey } from './dimensions.contract.ts'
import type { FigureLabel, SystemFigures, FiguresAsked } from './figures.contract.ts'
import { filtersInOrder, keptOrRead } from './kept.server.ts'
import { hiddenAmong, hiddenInGrid, isFew, keptColumns, ratioOf, toldFigure, type Read } from './figures.rules.ts'
import { measureOf, figureSubject, type MeasureKey } from './measures.contract.ts'
import { crossedOf, systemReport, type ReportLink, type SystemReport } from './reports.contract.ts'
import { isRatio, type MeasureMade, type MeasurePart, type Sql, type SubjectSql } from './subject.server.ts'
import { SUBJECT_SQL } from './subjects/index.server.ts'
import { besideEachOther, unitOf } from './units.rules.ts'
import { bridged, bridgedValue, namesOfTime, readBridges, type FigureBridges } from './units.server.ts'

/** What of a subject is asked for, checked against what the report has. */
export interface ReportQuestion {
  readonly report: SystemReport
  readonly subject: SubjectSql
  readonly rows: DimensionKey
  readonly columns: DimensionKey | null
  readonly measure: MeasureKey
  readonly filters: readonly { readonly by: DimensionKey; readonly values: readonly (string | number)[] }[]
  /** Narrowed to the current term, which nobody named. */
  readonly current: SystemReport['current']
}
const unknown = (field: string) => refuse(422, 'unknown_field', { field }, field)

/** Whether a value of a filter is a number that a column can hold. */
export const isWhole = (value: string | number): boolean =>
  /^-?\d{1,10}$/.test(String(value)) && Math.abs(Number(value)) < 2 ** 31

/** @throws {Refusal} 422 for what the report does not have */
export function questionOf(link: ReportLink, asked: FiguresAsked, bridges: FigureBridges = {}): ReportQuestion {
  const report = systemReport(link)
  const filters = Object.entries(asked.filters ?? {}).map(([name, values]) => {
    const by = name as DimensionKey
    if (!report.filters.includes(by)) throw unknown(name)
    const numbered = isNumbered(by)
    return {
      by,
      values: values.map((value) => {
        if (numbered && !isWhole(value)) throw unknown(name)
        if (dimensionOf(by).kind === 'day' && !/^\d{4}-\d\d-\d\d$/.test(String(value))) throw unknown(name)
        return numbered ? bridgedValue(asked.today ? bridges : {}, by, Number(value)) : String(value)
      }),
    }
  })
  const [usual] = report.rows
  const rows = asked.rows ?? usual
  if (rows === undefined || !report.rows.includes(rows)) throw unknown('rows')
  const columns = asked.columns ?? null
  if (columns && (!report.columns.includes(columns) || columns === rows)) throw unknown('columns')
  const measure = asked.measure ?? crossedOf(report)
  if (!report.measures.includes(measure)) throw unknown('measure')
  return {
    report,
    subject: bridged(SUBJECT_SQL[report.of] as SubjectSql, asked.today ? bridges : {}),
    rows,
    columns,
    measure,
    filters,
    current: asked.every || filters.some(({ by }) => by === 'term' || by === 'year') ? undefined : report.current,
  }
}

export const madeOf = (subject: SubjectSql, measure: MeasureKey): MeasureMade =>
  (subject.measures as Readonly<Record<string, MeasureMade>>)[measure]!
/** What narrows the rows: the filters, and the term where nobody chose one. */
function conditionsOf({ subject, filters, current }: ReportQuestion): Sql[] {
  const conditions = filters.map(({ by, values }) => {
    const of = subject.dimensions[by]!
    return isNumbered(by) ? sql`${of} = any(${values}::int[])` : sql`(${of})::text = any(${values}::text[])`
  })
  if (current) conditions.push(sql`${subject.dimensions.term!} = ${currentTermId(current)}`)
  return conditions
}
export const narrowed = (question: ReportQuestion): Sql =>
  sql.join([question.subject.where, ...conditionsOf(question)], sql` and `)

/**
 * The rows of a report by what tells them apart and by person, with the parts of its measures; as `x`, from which all sums come.
 * Who reaches everything and counts no persons puts rows together without asking whose they are. Rows of which a person has
 * many (registrations) are put together by their owner before the owners are looked at.
 */
function gatheredRows(
  ctx: Ctx,
  question: ReportQuestion,
  parts: readonly MeasurePart[],
  rights: readonly PermissionKey[],
): Sql {
  const { report, subject, rows: by, columns, filters } = question
  const far = (right: PermissionKey) => (reachesAll(ctx, right) ? sql`false` : sql`not ${subject.reach(ctx, right)}`)
  const [dimension, second] = [subject.dimensions[by]!, columns ? subject.dimensions[columns]! : sql`null::int`]
  const { owned } = subject
  const here = (key: DimensionKey | null) => key !== null && Boolean(owned?.own.includes(key))
  const flags = sql.join(rights.map((right, at) => sql`bool_or(${far(right)}) as ${partName('f', at)}`))
  const within = sql`${narrowed(question)} and ${subject.reach(ctx, report.permission)}`
  if (countsRows(ctx, question, parts, rights))
    return sql`select ${dimension} as r, ${second} as c, null::int as p, count(*) as n,
      ${sql.join(parts.map(firstPart))}, ${flags} from ${subject.from} where ${within} group by 1, 2`
  const whole = [report.permission, ...rights].every((key) => reachesAll(ctx, key))
  const fits = [by, columns].every((key) => key === null || here(key) || !owned?.alone.includes(key))
  if (owned && whole && fits && filters.every((one) => here(one.by)))
    return sql`select ${here(by) ? sql`g.r` : dimension} as r, ${here(columns) ? sql`g.c` : second} as c, ${subject.person} as p, 1 as n,
        ${sql.join(parts.map(againPart))}, ${flags}
      from (select ${owned.by} as owner, ${here(by) ? dimension : sql`null::int`} as r, ${here(columns) ? second : sql`null::int`} as c,
          ${sql.join(parts.map(firstPart))}
        from ${owned.from} where ${sql.join([sql`true`, ...conditionsOf(question)], sql` and `)} group by 1, 2, 3) g
        join ${owned.owners} where ${subject.where} group by 1, 2, 3`
  return sql`select ${dimension} as r, ${second} as c, ${subject.person} as p, 1 as n, ${sql.join(parts.map(firstPart))}, ${flags}
    from ${subject.from} where ${within} group by 1, 2, 3`
}
/** Whether nobody has to be told from another: no persons are counted, and nothing is out of reach. */
const countsRows = (
  ctx: Ctx,
  { report }: ReportQuestion,
  parts: readonly MeasurePart[],
  rights: readonly PermissionKey[],
): boolean =>
  parts.every(({ take }) => take !== 'people') && [report.permission, ...rights].every((key) => reachesAll(ctx, key))

export const partName = (letter: string, at: number) => sql.ref(`${letter}${at}`)
/** A part of the rows of one person. */
export function firstPart(part: MeasurePart, at: number): Sql {
  const when = part.when ? sql` filter (where ${part.when})` : sql``
  const a = partName('a', at)
  if (part.take === 'sum') return sql`coalesce(sum(${part.of})${when}, 0) as ${a}`
  return part.take === 'least' ? sql`min(${part.of})${when} as ${a}` : sql`count(*)${when} as ${a}`
}
/** The same of several such sums. */
export const againPart = (part: MeasurePart, at: number): Sql =>
  sql`${part.take === 'least' ? sql`min` : sql`sum`}(${partName('a', at)}) as ${partName('a', at)}`

/** A line of what was read: the parts in order, and whom it is of. */
interface Line {
  readonly r: string | null
  readonly c: string | null
  readonly every_row: boolean
  readonly every_column: boolean
  readonly parts: (number | null)[]
  readonly people: number
  /** By the rights that may be asked for. */
  readonly far: number[]
}
export interface RecordNames {
  readonly key: string
  readonly of: FigureLabel['of']
  /** Where it stands among the others. */
  readonly place: string | null
}

/** Which rights rows of these measures are opened by. */
const rightsOf = ({ report }: ReportQuestion): PermissionKey[] => [
  ...new Set([figureSubject(report.of).rows, ...report.measures.flatMap((key) => measureOf(key).told ?? [])]),
]
export const nameOfRecords = (by: DimensionKey, from: Sql): Sql => {
  const { table, order } = dimensionOf(by)
  if (!table) return sql`null::json`
  return sql`(select json_agg(json_build_object('key', n.id::text, 'place', ${order === 'start' ? sql`n.start_date::text` : sql`n.code`},
    'of', json_build_object('code', n.code, 'name', n.name, 'name_local', n.name_local))) from ${sql.table(table)} n where n.id in (${from}))`
}

/** What a report adds up, and at which places of it each of its measures is found. */
function partsOf({ report, subject }: ReportQuestion): {
  readonly parts: readonly MeasurePart[]
  readonly placed: ReadonlyMap<MeasureKey, readonly number[]>
} {
  const parts: MeasurePart[] = []
  const placed = new Map<MeasureKey, number[]>()
  for (const key of report.measures) {
    const made = madeOf(subject, key)
    placed.set(
      key,
      (isRatio(made) ? made.over : [made]).map((part) => parts.push(part) - 1),
    )
  }
  return { parts, placed }
}

/** Reads a report. Who may see no row of it sees zeros; who reaches every row may be told figures that were kept. */
export async function readFigures(
  ctx: Ctx,
  link: ReportLink,
  asked: FiguresAsked,
  fresh = false,
): Promise<SystemFigures> {
  const bridges = await readBridges(ctx.db, unitsOfReport(link))
  const question = questionOf(link, asked, bridges)
  const rights = rightsOf(question)
  const { parts, placed } = partsOf(question)
  const live = (db: Db) => readSums(ctx, db, question, rights, parts)
  // What is kept tells nothing about reach: it is told to nobody whom something could be hidden from.
  const whole = [question.report.permission, ...rights].every((key) => reachesAll(ctx, key))
  const { answer, kept } = whole
    ? await keptOrRead(
        ctx,
        {
          link,
          asked,
          of: [
            question.rows,
            question.columns,
            question.report.measures,
            parts.map(({ take }) => take),
            filtersInOrder(question.filters),
            // What follows upon what may be noted later: figures that were kept before are of another question.
            asked.today ? bridges : {},
          ],
          term: question.current ? currentTermId(question.current) : null,
          fresh,
        },
        live,
      )
    : { answer: await live(ctx.db), kept: false }
  const said = shaped(question, rights, parts, placed, answer)
  return {
    ...(await inTheirTime(ctx.db, question, said)),
    kept,
    today: tellsBridges(question, bridges) ? Boolean(asked.today) : null,
  }
}

/** The dimensions of a report that are units with a history. */
export const unitsOfReport = (link: ReportLink): DimensionKey[] => {
  const { rows, columns, filters } = systemReport(link)
  return [...new Set([...rows, ...columns, ...filters])].filter((by) => unitOf(by) !== null)
}
const tellsBridges = ({ rows, columns, filters }: ReportQuestion, bridges: FigureBridges): boolean =>
  [rows, columns, ...filters.map(({ by }) => by)].some((by) => by !== null && Boolean(bridges[by]?.length))

/** What was read, under the names of its time. */
async function inTheirTime(
  db: Db,
  { subject, rows: by, columns, filters, current }: ReportQuestion,
  said: Shaped,
): Promise<Shaped & Pick<SystemFigures, 'splits'>> {
  const apart = [by, ...(columns ? [columns] : [])]
  const names = await namesOfTime(db, { subject, apart, filters, term: current ? currentTermId(current) : null })
  if (!names) return { ...said, splits: [] }
  const ofRows = names.splits(
    by,
    said.rows.map(({ key }) => key),
  )
  const ofColumns = columns
    ? names.splits(
        columns,
        said.columns.map(({ key }) => key),
      )
    : []
  return {
    ...said,
    rows: besideEachOther(said.rows, (row) => row.key, ofRows).map((row) => ({ ...row, ...names.label(by, row) })),
    columns: columns ? said.columns.map((one) => names.label(columns, one)) : said.columns,
    filters: said.filters.map((one) => ({ ...one, values: one.values.map((value) => names.label(one.by, value)) })),
    splits: [...ofRows, ...ofColumns].map(names.told),
  }
}

/** The sums of a report, in one statement. */
async function readSums(
  ctx: Ctx,
  db: Db,
  question: ReportQuestion,
  rights: readonly PermissionKey[],
  parts: readonly MeasurePart[],
): Promise<FigureSums> {
  const { rows: by, columns, filters, current } = question
  const last = (part: MeasurePart, at: number) => {
    const a = partName('a', at)
    if (part.take === 'people') return sql`count(*) filter (where ${a} > 0)`
    return part.take === 'least' ? sql`min(${a})` : sql`coalesce(sum(${a}), 0)`
  }
  const byRow = countsRows(ctx, question, parts, rights)
  const sums = sql`json_build_array(${sql.join(parts.map(last))}) as parts, ${byRow ? sql`coalesce(sum(n), 0)` : sql`count(*)`}::int as people,
    json_build_array(${sql.join(rights.map((_, at) => sql`count(*) filter (where ${partName('f', at)})`))}) as far`
  /** Each person once within the lines of a sum. */
  const once = (keys: readonly Sql[]) =>
    sql`(select ${sql.join([
      ...keys,
      byRow ? sql`sum(n) as n` : sql`1 as n`,
      ...parts.map(againPart),
      ...rights.map((_, at) => sql`bool_or(${partName('f', at)}) as ${partName('f', at)}`),
    ])} from x group by ${sql.join([...keys, sql`p`])}) q`
  const [r, c] = [sql`r`, sql`c`]
  const levels = columns
    ? [
        sql`select r::text as r, c::text as c, false as every_row, false as every_column, ${sums} from x group by x.r, x.c`,
        sql`select r::text, null, false, true, ${sums} from ${once([r])} group by q.r`,
        sql`select null, c::text, true, false, ${sums} from ${once([c])} group by q.c`,
      ]
    : [sql`select r::text as r, null::text as c, false as every_row, true as every_column, ${sums} from x group by x.r`]
  const { rows } = await sql<FigureSums>`
    with x as materialized (
      ${gatheredRows(ctx, question, parts, rights)}
    ),
    y as materialized (
      ${sql.join([...levels, sql`select null, null, true, true, ${sums} from ${once([])}`], sql` union all `)}
    )
    select (select coalesce(json_agg(y), '[]') from y) as lines, ${nameOfRecords(by, sql`select r from x`)} as rows,
      ${columns ? nameOfRecords(columns, sql`select c from x`) : sql`null::json`} as columns,
      json_build_array(${sql.join(
        filters.map((one) =>
          dimensionOf(one.by).table
            ? nameOfRecords(one.by, sql`select unnest(${one.values as number[]}::int[])`)
            : sql`null::json`,
        ),
      )}) as filters,
      ${
        current
          ? sql`(select json_build_object('key', n.id::text, 'place', null, 'of', json_build_object('code', n.code, 'name', n.name,
        'name_local', n.name_local)) from terms n where n.id = ${currentTermId(current)})`
          : sql`null::json`
      } as current,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`.execute(db)
  return firstRow(rows)
}

/** What the statement of a report answers; `at`: when. */
export type FigureSums = {
  lines: Line[]
  rows: RecordNames[] | null
  columns: RecordNames[] | null
  filters: (RecordNames[] | null)[]
  current: RecordNames | null
  at: string
}
const NOBODY: Omit<Line, 'r' | 'c' | 'every_row' | 'every_column'> = { parts: [], people: 0, far: [] }

type Shaped = Omit<SystemFigures, 'kept' | 'today' | 'splits'>
/** What was read as the answer tells it. */
function shaped(
  { report, subject, rows: by, columns, measure, filters }: ReportQuestion,
  rights: readonly PermissionKey[],
  parts: readonly MeasurePart[],
  placed: ReadonlyMap<MeasureKey, readonly number[]>,
  answer: FigureSums,
): Shaped {
  const sensitive = [by, columns, ...filters.map((one) => one.by)].some((key) => key && dimensionOf(key).sensitive)
  const readOf = (line: Pick<Line, 'parts' | 'people' | 'far'>, key: MeasureKey): Read => {
    const places = placed.get(key)!
    const made = madeOf(subject, key)
    const value = (at: number): number | null => line.parts[at] ?? (parts[at]!.take === 'least' ? null : 0)
    const { told, beside } = measureOf(key)
    const isCount = (at: number) => ['people', 'rows'].includes(parts[at]!.take)
    // A share tells as well what is left of its whole.
    const countsOf = (of: MeasureKey): number[] => {
      const counts = (placed.get(of) ?? []).filter(isCount).map((at) => value(at) ?? 0)
      return counts.length === 2 ? [...counts, counts[1]! - counts[0]!] : counts
    }
    const guarded = sensitive || told
    return {
      value: isRatio(made) ? ratioOf(value(places[0]!), value(places[1]!), made.times) : value(places[0]!),
      counts: [...countsOf(key), ...(beside ? countsOf(beside as MeasureKey) : [])],
      people: line.people,
      far: guarded ? (line.far[rights.indexOf(told ?? figureSubject(report.of).rows)] ?? 0) : 0,
    }
  }
  const total = answer.lines.find((line) => line.every_row && line.every_column)
  // Those without a value of whom nothing is told: who has not applied yet was sent in on no day.
  const tells = (line: Line) => line.r !== null || report.measures.some((key) => readOf(line, key).value)
  const rowLines = sorted(
    by,
    answer.lines.filter((line) => !line.every_row && line.every_column && tells(line)),
    answer.rows,
    ({ r }) => r,
  )
  const allColumns = columns
    ? sorted(
        columns,
        answer.lines.filter((line) => line.every_row && !line.every_column),
        answer.columns,
        ({ c }) => c,
      )
    : []
  const columnLines = keptColumns(allColumns)
  const cells = new Map(
    answer.lines.filter((line) => !line.every_row && !line.every_column).map((line) => [`${line.r} ${line.c}`, line]),
  )
  const grid = rowLines.map(({ r }) => columnLines.map(({ c }) => readOf(cells.get(`${r} ${c}`) ?? NOBODY, measure)))
  const hiddenCells = hiddenInGrid(grid)
  const hiddenRows = new Map(
    report.measures.map((key) => [key, hiddenAmong(rowLines.map((line) => readOf(line, key)))] as const),
  )
  const columnTotals = columnLines.map((line) => readOf(line, measure))
  const hiddenTotals = hiddenAmong(columnTotals)
  const all = total ?? NOBODY
  return {
    rows_by: by,
    columns_by: columns,
    measures: [...report.measures],
    measure,
    columns: columnLines.map(({ c }) => labelOf(c, answer.columns)),
    more_columns: allColumns.length - columnLines.length,
    rows: rowLines.map((line, at) => ({
      ...labelOf(line.r, answer.rows),
      values: report.measures.map((key) => toldFigure(readOf(line, key), hiddenRows.get(key)!.has(at))),
      cells: grid[at]!.map((cell, place) => toldFigure(cell, hiddenCells[at]![place]!)),
    })),
    total: {
      values: report.measures.map((key) => {
        const one = readOf(all, key)
        return toldFigure(one, isFew(one))
      }),
      cells: columnTotals.map((one, place) => toldFigure(one, hiddenTotals.has(place))),
    },
    matched: all.people,
    filters: [
      ...filters.map((one, at) => ({
        by: one.by,
        values: one.values.map((value) => labelOf(String(value), answer.filters[at] ?? null)),
      })),
      ...(answer.current
        ? [{ by: 'term' as const, values: [{ key: answer.current.key, of: answer.current.of }] }]
        : []),
    ],
    at: answer.at,
  }
}
export const labelOf = (key: string | null, names: readonly RecordNames[] | null): FigureLabel => ({
  key,
  of: key === null ? null : (names?.find((one) => one.key === key)?.of ?? null),
})

/** Lines in the order of the dimension; those without a value last. */
function sorted(
  by: DimensionKey,
  lines: readonly Line[],
  names: readonly RecordNames[] | null,
  keyOf: (line: Line) => string | null,
): Line[] {
  const { order, choices, kind } = dimensionOf(by)
  const places = new Map((names ?? []).map((one) => [one.key, one.place ?? '']))
  const choice = new Map((choices ?? []).map((one, at) => [String(one.value), at]))
  const compare = (a: Line, b: Line): number => {
    const [x, y] = [keyOf(a), keyOf(b)]
    if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1
    if (choices) return (choice.get(x) ?? 99) - (choice.get(y) ?? 99)
    if (kind === 'number') return Number(x) - Number(y)
    if (!order) return b.people - a.people || (places.get(x) ?? x).localeCompare(places.get(y) ?? y)
    return (places.get(x) ?? x).localeCompare(places.get(y) ?? y)
  }
  return lines.toSorted(compare)
}
