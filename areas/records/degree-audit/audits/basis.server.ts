/**
 * What a stored answer about a degree stood on, in short: two that differ say that something which decides on the degree has
 * changed since. Results are no part of it: those who keep an answer follow them themselves.
 */
import type { Db, Tx } from '#db/connect.ts'
import { sql } from 'kysely'
import { excusedCourses, heldExceptions } from './required.server.ts'

/**
 * What a program requires under a bylaw, in short. To be read before the requirements themselves: what changes in between
 * then makes an answer that is computed again once too often, never one that is taken for valid.
 */
export async function degreeBasis(db: Db | Tx, of: { program_id: number; bylaw_id: number }): Promise<string> {
  const { rows } = await sql<{ basis: string | null }>`
    select degree_basis(${of.program_id}, ${of.bylaw_id}) as basis`.execute(db)
  return rows[0]?.basis ?? ''
}

/** What of a student decides besides results, as it was read. */
export interface OwnBasis {
  exception_ids: readonly number[]
  excused_ids: readonly number[]
  /** Courses that transfers credited. */
  credited_ids: readonly number[]
  training_weeks: number
}
const list = (ids: readonly number[]): string => ids.toSorted((a, b) => a - b).join(',')

/** Both in one text; `basisSql` reads the same of what is stored. */
export const basisOf = (degree: string, own: OwnBasis): string =>
  [degree, list(own.exception_ids), list(own.excused_ids), list(own.credited_ids), own.training_weeks].join('|')

const listed = (ids: string): string =>
  `coalesce((select string_agg(x.id::text, ',' order by x.id) from (${ids}) x), '')`
/**
 * SQL: what an answer about a student would stand on now.
 * @param student the name of the row in the query
 * @param degree SQL of what the program requires in short
 */
export const basisSql = (
  student: string,
  degree = `degree_basis(${student}.program_id, ${student}.bylaw_id)`,
): string => `(${degree} || '|' ||
    ${listed(`select e.id ${heldExceptions(`${student}.id`)} and e.program_id = ${student}.program_id`)} || '|' ||
    ${listed(`select distinct c.course_id as id ${excusedCourses(`${student}.id`)}`)} || '|' ||
    ${listed(`select k.course_id as id from course_credits k where k.student_id = ${student}.id and k.former_study_id is null`)} || '|' ||
    coalesce(${student}.data ->> 'training_weeks', '0'))`
