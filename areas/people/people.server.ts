import { sql } from 'kysely'
import { defineAreaServer } from '#kit/server/area.ts'
import { refuse } from '#kit/server/errors.ts'
import { serveResource } from '#kit/server/resource.ts'
import { instructor } from './instructors/instructor.contract.ts'
import { peopleArea } from './people.contract.ts'

export const peopleServer = defineAreaServer({
  area: peopleArea,
  handlers: [
    serveResource(instructor, {
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
    }),
  ],
})
