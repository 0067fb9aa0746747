/** Single figures of the declared layer, whole university: for whoever fills a sheet with them. */
import type { Db, Tx } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { sql } from 'kysely'
import { isNumbered, type DimensionKey } from './dimensions.contract.ts'
import { measureOf, type MeasureKey, type SubjectKey } from './measures.contract.ts'
import { ratioOf } from './figures.rules.ts'
import { isRatio, type MeasurePart, type Sql, type SubjectSql } from './subject.server.ts'
import { SUBJECT_SQL } from './subjects/index.server.ts'
import { madeOf } from './read.server.ts'

/** One figure that is asked for. */
export interface FigureAsked {
  readonly measure: MeasureKey
  readonly filters: readonly { readonly by: DimensionKey; readonly values: readonly (string | number)[] }[]
}

const partSql = ({ person }: SubjectSql, part: MeasurePart): Sql => {
  const when = part.when ? sql` filter (where ${part.when})` : sql``
  if (part.take === 'people') return sql`count(distinct ${person})${when}`
  if (part.take === 'sum') return sql`coalesce(sum(${part.of})${when}, 0)`
  return part.take === 'least' ? sql`min(${part.of})${when}` : sql`count(*)${when}`
}
const signatureOf = ({ measure, filters }: FigureAsked): string => {
  const single = filters.every(({ values }) => values.length === 1)
  const { of } = measureOf(measure)
  return single ? [of, ...filters.map(({ by }) => by).toSorted()].join(' ') : ''
}

/** Cells that are told apart by the same dimensions, and how they are read together. */
function groupOf(asked: readonly FigureAsked[], key: string, places: readonly number[]) {
  const { filters, measure } = asked[places[0]!]!
  const subject = SUBJECT_SQL[measureOf(measure).of satisfies SubjectKey] as SubjectSql
  const apart = key.startsWith('alone ') ? [] : filters.map(({ by }) => by).toSorted()
  const measures = [...new Set(places.map((at) => asked[at]!.measure))]
  const parts: MeasurePart[] = []
  const placed = new Map(
    measures.map((one) => {
      const made = madeOf(subject, one)
      return [one, (isRatio(made) ? made.over : [made]).map((part) => parts.push(part) - 1)] as const
    }),
  )
  const within = filters.map(({ by }) => {
    const values = [...new Set(places.flatMap((at) => asked[at]!.filters.find((one) => one.by === by)!.values))]
    const of = subject.dimensions[by]!
    return isNumbered(by)
      ? sql`${of} = any(${values.map(Number)}::int[])`
      : sql`(${of})::text = any(${values.map(String)}::text[])`
  })
  const keys = apart.map((by) => sql`(${subject.dimensions[by]!})::text`)
  const lines = sql`(select coalesce(json_agg(json_build_object(
      'at', array[${sql.join(apart.map((_, i) => sql`x.${sql.ref(`k${i}`)}`))}]::text[],
      'parts', array[${sql.join(parts.map((_, i) => sql`x.${sql.ref(`p${i}`)}`))}]::numeric[])), '[]')
    from (select ${sql.join([
      ...keys.map((of, i) => sql`${of} as ${sql.ref(`k${i}`)}`),
      ...parts.map((part, i) => sql`${partSql(subject, part)} as ${sql.ref(`p${i}`)}`),
    ])} from ${subject.from} where ${sql.join([subject.where, ...within], sql` and `)}
      ${keys.length ? sql`group by ${sql.join(keys.map((_, i) => sql.raw(String(i + 1))))}` : sql``}) x)`
  return { subject, apart, parts, placed, places, lines }
}

/**
 * The figures in the order in which they are asked for; null: there is none. All of them are of one moment: one statement reads them.
 * Cells that are told apart by the same dimensions are read together, and a person counts once in each of them; a cell of several
 * values at once is read by itself.
 */
export async function figureValues(db: Db | Tx, asked: readonly FigureAsked[]): Promise<(number | null)[]> {
  if (!asked.length) return []
  const byKey = new Map<string, number[]>()
  for (const [at, one] of asked.entries()) {
    const key = signatureOf(one) || `alone ${at}`
    byKey.set(key, [...(byKey.get(key) ?? []), at])
  }
  const groups = [...byKey].map(([key, places]) => groupOf(asked, key, places))
  const { rows } = await sql<{ told: { at: string[]; parts: (number | null)[] }[][] }>`
    select to_json(array[${sql.join(groups.map(({ lines }) => lines))}]) as told`.execute(db)
  const { told: read } = firstRow(rows)
  const told: (number | null)[] = asked.map(() => null)
  for (const [n, { subject, apart, parts, placed, places }] of groups.entries()) {
    const found = new Map(read[n]!.map((row) => [row.at.join('\n'), row.parts]))
    for (const at of places) {
      const one = asked[at]!
      const line = found.get(apart.map((by) => String(one.filters.find((f) => f.by === by)!.values[0])).join('\n'))
      const value = (part: number): number | null => line?.[part] ?? (parts[part]!.take === 'least' ? null : 0)
      const [top, through] = placed.get(one.measure)!
      const made = madeOf(subject, one.measure)
      const figure = isRatio(made) ? ratioOf(value(top!), value(through!), made.times) : value(top!)
      told[at] = figure === null ? null : Math.round(figure * 100) / 100
    }
  }
  return told
}
