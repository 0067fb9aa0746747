import { serveResource } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { department } from './department.contract.ts'

export const departmentHandlers = serveResource(department, {
  scope: { faculty: () => sql`t.faculty_id`, department: () => sql`t.id` },
})
