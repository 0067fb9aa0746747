import { sql } from 'kysely'
import { refuse } from '#kit/server/errors.ts'
import { workings } from '#kit/server/resource.ts'
import type { Served } from '#kit/server/served.ts'
import { instructor } from './instructor.contract.ts'

/** Instructors. The table is `t`. */
export const instructors: Served<typeof instructor> = workings(instructor, {
  scope: {
    faculty: () => sql`t.faculty_id`,
    department: () => sql`t.department_id`,
    own: (ctx) => sql`t.user_id = ${ctx.actor?.user_id ?? null}`,
  },
  lookups: ['faculty_id'],
  beforeWrite: async (_ctx, tx, merged) => {
    if (!merged.department_id) return
    const { rows } = await sql`select from departments
      where id = ${merged.department_id} and faculty_id = ${merged.faculty_id}`.execute(tx)
    if (!rows.length) throw refuse(422, 'department_of_other_faculty', {}, 'department_id')
  },
})
