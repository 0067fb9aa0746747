import { sql } from 'kysely'
import type { Db, Tx } from '#db/connect.ts'

/** The courses that count as a course, by course; those without any are missing. */
export async function equalCourses(db: Db | Tx): Promise<Map<number, number[]>> {
  const { rows } = await sql<{ course_id: number; equal_ids: number[] }>`
    select course_id, array_agg(equal_course_id order by equal_course_id) as equal_ids from course_equals group by 1`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.course_id, row.equal_ids]))
}
