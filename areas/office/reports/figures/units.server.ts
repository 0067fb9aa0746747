/** What a report has to know of the history of faculties, departments and programs. */
import type { Db } from '#db/connect.ts'
import { firstRow } from '#db/rows.ts'
import { unitHistory, unitSuccessions } from '#areas/study/catalogue/units/unit.server.ts'
import { bridgesOf, type HistoryUnit, type UnitHistory } from '#areas/study/catalogue/units/unit.rules.ts'
import { sql } from 'kysely'
import { dimensionOf, type DimensionKey } from './dimensions.contract.ts'
import type { FigureLabel, FigureSplit } from './figures.contract.ts'
import type { Sql, SubjectSql } from './subject.server.ts'
import { isOverTime, labelOfTime, splitsAmong, unitOf, type FigureSpan, type ToldSplit } from './units.rules.ts'

/** By dimension, the units that went on in one other: pairs of ids. */
export type FigureBridges = Partial<Readonly<Record<DimensionKey, readonly (readonly [from: number, to: number])[]>>>

/** Where figures of units that ended count as things are today. */
export async function readBridges(db: Db, dimensions: readonly DimensionKey[]): Promise<FigureBridges> {
  const made: Partial<Record<DimensionKey, readonly (readonly [number, number])[]>> = {}
  const known = new Map<HistoryUnit, readonly (readonly [number, number])[]>()
  for (const by of dimensions) {
    const unit = unitOf(by)
    if (!unit) continue
    if (!known.has(unit)) {
      const { lines, today } = await unitSuccessions(db, unit)
      known.set(
        unit,
        [...bridgesOf(lines, today).to].toSorted(([a], [b]) => a - b),
      )
    }
    const pairs = known.get(unit)!
    if (pairs.length) made[by] = pairs
  }
  return made
}

/** The same subject, with units that ended told as those in which they go on. */
export function bridged(subject: SubjectSql, bridges: FigureBridges): SubjectSql {
  const dimensions: Partial<Record<DimensionKey, Sql>> = { ...subject.dimensions }
  for (const [name, pairs] of Object.entries(bridges)) {
    const by = name as DimensionKey
    const of = dimensions[by]
    if (!of || !pairs?.length) continue
    dimensions[by] = sql`case ${of} ${sql.join(
      pairs.map(([from, to]) => sql`when ${sql.lit(from)} then ${sql.lit(to)}`),
      sql` `,
    )} else ${of} end`
  }
  return { ...subject, dimensions }
}

/** A value of a filter: who asks for a unit that ended asks for the one in which it goes on. */
export const bridgedValue = (bridges: FigureBridges, by: DimensionKey, value: string | number): string | number =>
  bridges[by]?.find(([from]) => from === value)?.[1] ?? value

/** By what figures are told apart and narrowed. */
export interface ToldBy {
  readonly subject: SubjectSql
  readonly apart: readonly DimensionKey[]
  readonly filters: readonly { readonly by: DimensionKey; readonly values: readonly (string | number)[] }[]
  /** SQL: the terms or years to which it is narrowed besides. */
  readonly term: Sql | null
  readonly days?: readonly string[]
}

/** Of which days figures are: of the terms, years and days that they are narrowed to or told apart by; null: as things are now. */
async function spanOf(
  db: Db,
  { subject, apart, filters, term, days = [] }: ToldBy,
  today: string,
): Promise<FigureSpan | null> {
  if (days.length) {
    const sorted = days.toSorted()
    return { from: sorted[0]!, to: sorted.at(-1)!, one: days.length === 1 }
  }
  if (!Object.keys(subject.dimensions).some((key) => isOverTime(key as DimensionKey))) return null
  const ids = (table: 'terms' | 'years') =>
    filters
      .filter(({ by }) => isOverTime(by) && dimensionOf(by).table === table)
      .flatMap(({ values }) => values.map(Number))
  const [terms, years] = [ids('terms'), ids('years')]
  const { rows } = await sql<{ from: string | null; to: string | null; count: number }>`
    with spans as (
      select start_date, end_date from terms where id = any(${terms}::int[]) ${term ? sql`or id = ${term}` : sql``}
      union all select start_date, end_date from years where id = any(${years}::int[]))
    select min(start_date)::text as "from", max(end_date)::text as "to", count(*)::int as count from spans`.execute(db)
  const { from, to, count } = firstRow(rows)
  if (!count) return { from: null, to: today, one: false }
  // A term that goes on is told by what its unit is called today.
  return { from, to: to! < today ? to! : today, one: count === 1 && !apart.some(isOverTime) }
}

/** Names of units at the time of figures, and those that stand apart. They are read anew: what was kept knows those of its hour. */
export async function namesOfTime(db: Db, asked: ToldBy) {
  const used = [...asked.apart, ...asked.filters.map((one) => one.by)]
  const units = [...new Set(used.flatMap((by) => unitOf(by) ?? []))]
  if (!units.length) return null
  const histories: Partial<Record<HistoryUnit, UnitHistory>> = {}
  for (const unit of units) histories[unit] = await unitHistory(db, unit)
  if (!Object.values(histories).some(({ now }) => now.size)) return null
  const { today } = firstRow((await sql<{ today: string }>`select university_today()::text as today`.execute(db)).rows)
  const span = await spanOf(db, asked, today)
  const nameOf = (by: DimensionKey, id: string): FigureLabel => {
    const now = histories[unitOf(by)!]?.now.get(Number(id))
    return { key: id, of: now ? { code: null, name: now.name, name_local: now.name_local } : null }
  }
  return {
    label: (by: DimensionKey, { key, of }: FigureLabel): FigureLabel => labelOfTime({ key, of }, by, histories, span),
    splits: (by: DimensionKey, keys: readonly (string | null)[]): ToldSplit[] => {
      const history = unitOf(by) && histories[unitOf(by)!]
      return history ? splitsAmong(by, keys, history, today) : []
    },
    told: ({ by, of, on, into, goes_on }: ToldSplit): FigureSplit => ({
      by,
      goes_on,
      of: nameOf(by, of),
      on,
      into: into.map((id) => nameOf(by, id)),
    }),
  }
}
