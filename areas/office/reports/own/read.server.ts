/** An own report as one statement: rows are put together by person first, as in the reports of the system. */
import { firstRow } from '#db/rows.ts'
import { currentTermId } from '#areas/common/academics/current-term.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import { UNITS } from '#access/reach.contract.ts'
import { dayOf } from '#kit/contract/day.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { Refusal, refuse } from '#kit/server/base/errors.ts'
import { holds, reaches, reachesAll } from '#kit/server/base/scope.ts'
import { sql } from 'kysely'
import type { Db } from '#db/connect.ts'
import { dimensionOf, isNumbered, type DimensionKey } from '../figures/dimensions.contract.ts'
import { OWN_REPORT } from '../figures/kept.rules.ts'
import { filtersInOrder, keptOrRead } from '../figures/kept.server.ts'
import { figureSubject, measureOf, type MeasureKey } from '../figures/measures.contract.ts'
import {
  againPart,
  firstPart,
  isWhole,
  madeOf,
  nameOfRecords,
  partName,
  type RecordNames,
} from '../figures/read.server.ts'
import { isRatio, type MeasurePart, type Sql, type SubjectSql } from '../figures/subject.server.ts'
import { SUBJECT_SQL } from '../figures/subjects/index.server.ts'
import { besideEachOther } from '../figures/units.rules.ts'
import { bridged, bridgedValue, namesOfTime, readBridges, type FigureBridges } from '../figures/units.server.ts'
import type { FigureLabel } from '../figures/figures.contract.ts'
import { comparedBy, judgeOwn, nearestReport, rightOfMeasure, type OwnAsked } from './choices.rules.ts'
import type { OwnFigures } from './own.contract.ts'
import { shapedOwn, type OwnSum } from './shape.server.ts'

/** What is asked for, checked, with what is read for it. */
export interface OwnQuestion {
  readonly asked: OwnAsked
  readonly subject: SubjectSql
  /** The right to the figures. */
  readonly right: PermissionKey
  /** The right to the rows, and others by which single figures are told. */
  readonly rights: readonly PermissionKey[]
  readonly from: Sql
  readonly where: Sql
  /** SQL: 0, or 1 for what is compared with. */
  readonly when: Sql
  /** The ids of what is compared with each other. */
  readonly compared: { readonly by: DimensionKey; readonly now: Sql; readonly before: Sql } | null
  readonly current: Sql | null
  /** The current term where it is of it, compared or not. */
  readonly term: Sql | null
  readonly days: readonly string[]
}

/** SQL: the term or year before another, in the same half of a year where it is compared by years. */
function idBefore(by: DimensionKey, now: Sql, compare: 'year_before' | 'term_before'): Sql {
  if (dimensionOf(by).table === 'years')
    return sql`(select b.id from years n join years b on b.start_date < n.start_date and b.removed_at is null
      where n.id = ${now} order by b.start_date desc limit 1)`
  if (compare === 'term_before')
    return sql`(select b.id from terms n join terms b on b.start_date < n.start_date and b.removed_at is null
      where n.id = ${now} order by b.start_date desc limit 1)`
  return sql`(select b.id from terms n join years y on y.id = n.year_id join years v on v.start_date < y.start_date and v.removed_at is null
      join terms b on b.year_id = v.id and b.term_type = n.term_type and b.removed_at is null
    where n.id = ${now} order by v.start_date desc, b.start_date limit 1)`
}

/** Values of a filter, as the column holds them. @throws {Refusal} 422 */
function valuesOf(by: DimensionKey, values: readonly (string | number)[]): (string | number)[] {
  return values.map((value) => {
    if (!isNumbered(by)) return String(value)
    if (!isWhole(value)) throw refuse(422, 'unknown_field', { field: by }, 'filters')
    return Number(value)
  })
}

/** @throws {Refusal} 403 for figures that the reader may not see, 422 for what does not go together */
export function ownQuestion(ctx: Ctx, asked: OwnAsked, bridges: FigureBridges = {}): OwnQuestion {
  const { closed, wrong } = judgeOwn(asked, (right) => holds(ctx, right))
  if (closed.length) throw new Refusal(403, closed)
  if (wrong.length) throw new Refusal(422, wrong)
  const { of } = measureOf(asked.measures[0]!)
  const subject = bridged(SUBJECT_SQL[of] as SubjectSql, asked.today ? bridges : {})
  const right = rightOfMeasure(asked.measures[0]!)
  const filters = Object.entries(asked.filters ?? {}) as [DimensionKey, readonly (string | number)[]][]
  const base = asked.compare && asked.compare !== 'share' ? comparedBy(asked) : null
  const currentKey = nearestReport(asked.measures).current
  const narrowsTime = filters.some(([by]) => by === 'term' || by === 'year')
  const current = currentKey && !asked.every && !narrowsTime ? sql`${currentTermId(currentKey)}` : null
  const now = base && (base.value === 'current' ? current! : sql`${base.value}::int`)
  const compared =
    base && now
      ? { by: base.by, now, before: idBefore(base.by, now, asked.compare as 'year_before' | 'term_before') }
      : null
  const conditions = filters
    .filter(([by]) => by !== compared?.by)
    .map(([by, values]) => {
      const dimension = subject.dimensions[by]!
      const given = valuesOf(by, values).map((value) => bridgedValue(asked.today ? bridges : {}, by, value))
      return isNumbered(by)
        ? sql`${dimension} = any(${given}::int[])`
        : sql`(${dimension})::text = any(${given}::text[])`
    })
  if (compared) conditions.push(sql`${subject.dimensions[compared.by]!} in (${compared.now}, ${compared.before})`)
  else if (current) conditions.push(sql`${subject.dimensions.term!} = ${current}`)
  const days = asked.days ?? [dayOf()]
  return {
    asked,
    subject,
    right,
    rights: [...new Set([figureSubject(of).rows, ...asked.measures.flatMap((key) => measureOf(key).told ?? [])])],
    from: subject.asOf ? subject.asOf(sql`select distinct unnest(${days}::date[])`) : subject.from,
    where: sql.join([subject.where, ...conditions], sql` and `),
    when: compared ? sql`case when ${subject.dimensions[compared.by]!} = ${compared.now} then 0 else 1 end` : sql`0`,
    compared,
    current: compared ? null : current,
    term: current,
    days: subject.asOf ? days : [],
  }
}

/** Rows of a sum for each person, with the parts of the measures and what is out of reach; as `x`. */
function gathered(ctx: Ctx, question: OwnQuestion, parts: readonly MeasurePart[], bare: boolean): Sql {
  const { asked, subject, right, rights, from, where, when } = question
  const far = (one: PermissionKey) => (reachesAll(ctx, one) ? sql`false` : sql`not ${subject.reach(ctx, one)}`)
  const keys = [...asked.rows, ...asked.columns].map(
    (by, at) => sql`${subject.dimensions[by]!} as ${partName('d', at)}`,
  )
  const flags = rights.map((one, at) => sql`bool_or(${far(one)}) as ${partName('f', at)}`)
  const groups = sql.join(
    [...keys.keys(), keys.length, ...(bare ? [] : [keys.length + 1])].map((at) => sql.lit(at + 1)),
  )
  return sql`select ${sql.join([...keys, sql`${when} as w`])}, ${bare ? sql`null::int` : subject.person} as p,
      ${bare ? sql`count(*)` : sql`1`} as n, ${sql.join([...parts.map(firstPart), ...flags])}
    from ${from} where ${where} and ${subject.reach(ctx, right)} group by ${groups}`
}

/** The units whose figures the reader sees; null: all of the university. */
function unitsWithin(ctx: Ctx, right: PermissionKey): Sql {
  if (reachesAll(ctx, right)) return sql`null::json`
  const sets = reaches(ctx, right)
  const named = UNITS.flatMap((unit) => {
    const ids = [...new Set(sets.flatMap((set) => set[unit]))]
    const table = unit === 'faculty' ? 'faculties' : `${unit}s`
    return ids.length ? [sql`select name, name_local from ${sql.table(table)} where id = any(${ids}::int[])`] : []
  })
  if (!named.length) return sql`'[]'::json`
  return sql`(select coalesce(json_agg(json_build_object('name', u.name, 'name_local', u.name_local) order by u.name), '[]')
    from (${sql.join(named, sql` union all `)}) u)`
}

/** Reads an own report within what its reader reaches; who reaches every row may be told figures that were kept. @throws {Refusal} 403, 422 */
export async function readOwn(ctx: Ctx, asked: OwnAsked, fresh = false): Promise<OwnFigures> {
  const bridges = await bridgesFor(ctx, asked)
  const question = ownQuestion(ctx, asked, bridges)
  const { subject, rights, right } = question
  const parts: MeasurePart[] = []
  const placed = new Map<MeasureKey, number[]>()
  for (const key of asked.measures) {
    const made = madeOf(subject, key)
    placed.set(
      key,
      (isRatio(made) ? made.over : [made]).map((part) => parts.push(part) - 1),
    )
  }
  const live = (db: Db) => readOwnSums(ctx, db, question, parts)
  const { answer, kept } = [right, ...rights].every((key) => reachesAll(ctx, key))
    ? await keptOrRead(
        ctx,
        {
          link: OWN_REPORT,
          asked,
          of: [
            asked.measures,
            asked.rows,
            asked.columns,
            parts.map(({ take }) => take),
            filtersInOrder(filtersOf(asked).map(([by, values]) => ({ by, values }))),
            asked.compare ?? null,
            question.days,
            asked.today ? bridges : {},
          ],
          term: question.term,
          fresh,
        },
        live,
      )
    : { answer: await live(ctx.db), kept: false }
  const said = shapedOwn(asked, { subject, rights, parts, placed, ...answer }, question)
  return {
    ...(await ownInTheirTime(ctx.db, question, said)),
    kept,
    today: Object.keys(bridges).length ? Boolean(asked.today) : null,
  }
}

/** Units that went on in one other, of those that a report is told apart or narrowed by. */
export const bridgesFor = (ctx: Ctx, asked: OwnAsked): Promise<FigureBridges> =>
  readBridges(ctx.db, [...asked.rows, ...asked.columns, ...filtersOf(asked).map(([by]) => by)])

/** What was read, under the names of its time. */
async function ownInTheirTime(
  db: Db,
  { asked, subject, compared, current, days }: OwnQuestion,
  said: Omit<OwnFigures, 'kept' | 'today' | 'splits'>,
): Promise<Omit<OwnFigures, 'kept' | 'today'>> {
  const names = await namesOfTime(db, {
    subject,
    apart: [...asked.rows, ...asked.columns, ...(compared ? [compared.by] : [])],
    filters: filtersOf(asked).map(([by, values]) => ({ by, values })),
    term: current,
    days,
  })
  if (!names) return { ...said, splits: [] }
  const labels = (by: readonly DimensionKey[], keys: readonly FigureLabel[]) =>
    keys.map((one, at) => names.label(by[at]!, one))
  const [first] = asked.rows
  const splits = names.splits(
    first!,
    said.rows.map(({ keys }) => keys[0]?.key ?? null),
  )
  // Those whose order is another one stay in it.
  const rows =
    asked.rows.length > 1 || asked.largest
      ? said.rows
      : besideEachOther(said.rows, ({ keys }) => keys[0]?.key ?? null, splits)
  return {
    ...said,
    rows: rows.map((row) => ({ ...row, keys: labels(asked.rows, row.keys) })),
    columns: said.columns.map((keys) => labels(asked.columns, keys)),
    filters: said.filters.map((one) => ({ ...one, values: one.values.map((value) => names.label(one.by, value)) })),
    splits: splits.map(names.told),
  }
}
const filtersOf = (asked: OwnAsked) =>
  Object.entries(asked.filters ?? {}) as [DimensionKey, readonly (string | number)[]][]

/** What the statement of an own report answers. */
interface OwnSums {
  lines: OwnSum[]
  names: (RecordNames[] | null)[]
  filters: (RecordNames[] | null)[]
  compared: { now: number | null; before: number | null; names: RecordNames[] | null } | null
  current: RecordNames[] | null
  known: OwnFigures['known'] | null
  within: OwnFigures['within']
  at: string
}
/** The sums of an own report, in one statement. */
async function readOwnSums(ctx: Ctx, db: Db, question: OwnQuestion, parts: readonly MeasurePart[]): Promise<OwnSums> {
  const { asked, rights, right } = question
  const bare = parts.every(({ take }) => take !== 'people') && [right, ...rights].every((key) => reachesAll(ctx, key))
  const last = (part: MeasurePart, at: number) => {
    const a = partName('a', at)
    if (part.take === 'people') return sql`count(*) filter (where ${a} > 0)`
    return part.take === 'least' ? sql`min(${a})` : sql`coalesce(sum(${a}), 0)`
  }
  const sums = sql`json_build_array(${sql.join(parts.map(last))}) as parts, ${bare ? sql`coalesce(sum(n), 0)` : sql`count(*)`}::int as people,
    json_build_array(${sql.join(rights.map((_, at) => sql`count(*) filter (where ${partName('f', at)})`))}) as far`
  const dimensions = [...asked.rows, ...asked.columns]
  const rowKeys = asked.rows.map((_, at) => partName('d', at))
  const columnKeys = asked.columns.map((_, at) => partName('d', asked.rows.length + at))
  /** A sum over some dimensions; each person once in it. */
  const level = (name: OwnSum['level'], keys: readonly Sql[]) => {
    const told = sql`json_build_array(${sql.join(keys.map((key) => sql`${key}::text`))}) as k, ${sql.lit(name)} as level, w, ${sums}`
    if (keys.length === dimensions.length) return sql`select ${told} from x group by ${sql.join([...keys, sql`w`])}`
    const once = sql`(select ${sql.join([
      ...keys,
      sql`w`,
      bare ? sql`sum(n) as n` : sql`1 as n`,
      ...parts.map(againPart),
      ...rights.map((_, at) => sql`bool_or(${partName('f', at)}) as ${partName('f', at)}`),
    ])} from x group by ${sql.join([...keys, sql`w`, sql`p`])}) q`
    return sql`select ${told} from ${once} group by ${sql.join([...keys, sql`w`])}`
  }
  const levels = [
    ...(asked.columns.length ? [level('cell', [...rowKeys, ...columnKeys]), level('column', columnKeys)] : []),
    level('row', rowKeys),
    level('all', []),
  ]
  const filtered = filtersOf(asked)
  const { compared, current } = question
  const { rows } = await sql<OwnSums>`
    with x as materialized (${gathered(ctx, question, parts, bare)}),
    y as materialized (${sql.join(levels, sql` union all `)})
    select (select coalesce(json_agg(y), '[]') from y) as lines,
      json_build_array(${sql.join(dimensions.map((by, at) => nameOfRecords(by, sql`select ${partName('d', at)} from x`)))}) as names,
      json_build_array(${sql.join(
        filtered.map(([by, values]) =>
          dimensionOf(by).table
            ? nameOfRecords(by, sql`select unnest(${valuesOf(by, values)}::int[])`)
            : sql`null::json`,
        ),
      )}) as filters,
      ${
        compared
          ? sql`json_build_object('now', ${compared.now}, 'before', ${compared.before},
              'names', ${nameOfRecords(compared.by, sql`select unnest(array[${compared.now}, ${compared.before}])`)})`
          : sql`null::json`
      } as compared,
      ${current ? nameOfRecords('term', sql`select ${current}`) : sql`null::json`} as current,
      ${
        question.days.length
          ? sql`(select json_agg(json_build_object('what', k.what, 'since', k.since) order by k.since) from student_standings_known k
              where k.since > ${question.days.toSorted()[0]!}::date)`
          : sql`null::json`
      } as known,
      ${unitsWithin(ctx, right)} as within,
      to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as at`.execute(db)
  return firstRow(rows)
}
