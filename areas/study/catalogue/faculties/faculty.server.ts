import { serveResource } from '#kit/server/resource/resource.ts'
import { sql } from 'kysely'
import { faculty } from './faculty.contract.ts'

export const facultyHandlers = serveResource(faculty, { scope: { faculty: () => sql`t.id` } })
