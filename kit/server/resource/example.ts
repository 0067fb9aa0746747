import { sql } from 'kysely'
import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { serveResource } from '#kit/server/resource/resource.ts'

/** Stated once; calls, screens, sheets, history and tests derive from it. */
const hall = resource({
  name: 'exampleHall',
  path: '/example-halls',
  table: 'example_halls',
  one: ['Hall', 'قاعة'],
  many: ['Halls', 'قاعات'],
  adding: ['Add hall', 'إضافة قاعة'],
  editing: ['Edit hall', 'تعديل قاعة'],
  permissions: crud('location'),
  scope: ['faculty'],
  fields: { code: f.code(['Code', 'الكود'], { required: true }), seats: f.integer(['Seats', 'المقاعد']) },
  list: { columns: ['code', 'seats'], search: ['code'], sort: ['code'], filters: [], order: ['code', 'asc'] },
  exportName: 'halls',
  softDelete: true,
  screens: { list: '/example-halls' },
})
/** The server adds only what the definition cannot say: which column holds the faculty. */
export const hallHandlers = serveResource(hall, { scope: { faculty: () => sql`t.faculty_id` } })
