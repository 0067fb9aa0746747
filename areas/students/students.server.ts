import { sql } from 'kysely'
import { defineAreaServer } from '#kit/server/area.ts'
import { refuse } from '#kit/server/errors.ts'
import type { LookupSource } from '#kit/server/registry.ts'
import { serveResource } from '#kit/server/resource.ts'
import { student } from './student/student.contract.ts'
import { studentsArea } from './students.contract.ts'

const countryLookup: LookupSource = {
  name: 'country',
  table: 'countries',
  label: { name: 'r.name', name_local: 'r.name_local', code: 'r.code' },
  search: `fold_text(r.name || ' ' || r.name_local || ' ' || r.code)`,
  order: 'r.name',
  permission: 'signed_in',
  scope: 'university',
}

export const studentsServer = defineAreaServer({
  area: studentsArea,
  handlers: [
    serveResource(student, {
      scope: {
        faculty: () => sql`t.faculty_id`,
        department: () => sql`(select p.department_id from programs p where p.id = t.program_id)`,
        bylaw: () => sql`t.bylaw_id`,
        program: () => sql`t.program_id`,
        own: (ctx) => sql`t.id = ${ctx.actor?.student_id ?? null}`,
        taught: (ctx) => sql`exists (select from registrations r
          join offering_instructors i on i.offering_id = r.offering_id
          where r.student_id = t.id and i.instructor_id = ${ctx.actor?.instructor_id ?? null})`,
        advised: (ctx) => sql`t.advisor_id = ${ctx.actor?.instructor_id ?? null}`,
      },
      // A student is bound to the bylaw of the program at entry, and stays on it.
      beforeWrite: async (_ctx, tx, merged, current) => {
        if (current && current.program_id === merged.program_id && current.faculty_id === merged.faculty_id) return
        const { rows } = await sql<{ faculty_id: number; bylaw_id: number }>`
          select faculty_id, bylaw_id from programs where id = ${merged.program_id} and removed_at is null`.execute(tx)
        const [program] = rows
        if (program && program.faculty_id !== merged.faculty_id)
          throw refuse(422, 'program_of_other_faculty', {}, 'program_id')
        return program && !current ? { bylaw_id: program.bylaw_id } : undefined
      },
    }),
  ],
  lookups: [countryLookup],
})
