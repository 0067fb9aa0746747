/** What rows of a subject are in SQL: where they come from, whose they are, and how its measures are made of them. */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Label } from '#kit/contract/index.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { sql } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { DimensionKey } from './dimensions.contract.ts'
import type { FactKey } from './facts.contract.ts'
import type { MeasureOf, SubjectKey } from './measures.contract.ts'

export type Sql = RawBuilder<unknown>
/** A part of a measure that adds up: persons (each once), rows, a sum, or the least value. */
export interface MeasurePart {
  readonly take: 'people' | 'rows' | 'sum' | 'least'
  /** Which rows count; all where it is missing. */
  readonly when?: Sql
  /** What is added up, or of what the least is sought. */
  readonly of?: Sql
}
/** One part through another: a share, a mean. */
export interface Ratio {
  readonly over: readonly [part: MeasurePart, through: MeasurePart]
  readonly times: number
}
export type MeasureMade = MeasurePart | Ratio

export const people = (when?: Sql): MeasurePart => ({ take: 'people', ...(when && { when }) })
export const rows = (when?: Sql): MeasurePart => ({ take: 'rows', ...(when && { when }) })
export const sum = (of: Sql, when?: Sql): MeasurePart => ({ take: 'sum', of, ...(when && { when }) })
export const least = (of: Sql, when?: Sql): MeasurePart => ({ take: 'least', of, ...(when && { when }) })
export const share = (part: MeasurePart, through: MeasurePart): Ratio => ({ over: [part, through], times: 100 })
export const mean = (part: MeasurePart, through: MeasurePart): Ratio => ({ over: [part, through], times: 1 })
export const isRatio = (made: MeasureMade): made is Ratio => 'over' in made

/** A fact of a row in SQL: a text, a number, or a pair of texts (English, Arabic) as JSON. */
export interface RowFactSql {
  readonly fact: FactKey
  readonly of: Sql
}
export interface SubjectSql<S extends SubjectKey = SubjectKey> {
  /** Tables. What is joined by its key with `left join` costs nothing where nobody asks for it. */
  readonly from: Sql
  /** The same as of some days (dates in SQL), of what keeps how it was. */
  readonly asOf?: (days: Sql) => Sql
  readonly where: Sql
  /** Rows within reach of a right. */
  readonly reach: (ctx: Ctx, key: PermissionKey) => RawBuilder<SqlBool>
  /** Who is counted once. */
  readonly person: Sql
  /** Of rows of which somebody has many: how they are put together by owner before the owners are looked at. */
  readonly owned?: {
    readonly from: Sql
    /** Whose a row is, as `g.owner` of the owners. */
    readonly by: Sql
    /** The owners with what they are told apart by. */
    readonly owners: Sql
    /** Dimensions of the rows by which an owner has few. */
    readonly own: readonly DimensionKey[]
    /** Those by which each row stands alone: nothing is gained there. */
    readonly alone: readonly DimensionKey[]
  }
  readonly dimensions: Partial<Readonly<Record<DimensionKey, Sql>>>
  readonly measures: Readonly<Record<MeasureOf<S>, MeasureMade>>
  readonly row: {
    /** Text of SQL: the address of its record. */
    readonly to: Sql
    readonly code: Sql
    readonly name: Sql
    readonly name_local: Sql
    readonly order: Sql
    readonly facts: readonly RowFactSql[]
  }
}
/** Declares a subject; a measure or fact that is missing does not compile. */
export const subject = <S extends SubjectKey>(_of: S, made: SubjectSql<S>): SubjectSql<S> => made

/** Text of SQL: a pair of names of the record `alias`. */
export const bothNames = (alias: string): Sql =>
  sql.raw(`case when ${alias}.id is not null then json_build_array(${alias}.name, ${alias}.name_local) end`)
/** SQL: one of a few words, in both languages, by the value that stands for it. */
export const sqlWordOf = (value: string, choices: readonly { value: string | number; label: Label }[]): Sql =>
  sql`case ${sql.join(
    choices.map(
      (one) =>
        sql`when ${sql.raw(value)} = ${sql.lit(one.value)} then json_build_array(${sql.lit(one.label[0])}, ${sql.lit(one.label[1])})`,
    ),
    sql` `,
  )} end`
/** SQL: a person of whom several records may be there; records of one account are of one person. */
export const PERSON_OF_STUDENT = sql`coalesce(s.user_id, -s.id)`
/** Egypt, as the kinds of documents and the groups of fees know it. */
export const HOME_COUNTRY = sql`64`
export const FOREIGN = sql`s.nationality_id <> ${HOME_COUNTRY}`
