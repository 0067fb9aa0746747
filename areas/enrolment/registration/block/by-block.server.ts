import { sql, type RawBuilder } from 'kysely'

/** SQL: whether the registration `alias` came with the block of a level: under a regulation by marks, and no elective of the plan. */
export const byBlock = (alias: string): RawBuilder<unknown> =>
  sql.raw(`exists (select from students z join bylaws y on y.id = z.bylaw_id where z.id = ${alias}.student_id
    and y.program_type in ('term', 'annual') and not exists (select from program_courses q
      where q.program_id = z.program_id and q.course_id = ${alias}.course_id and q.kind = 'elective'))`)
