import { sql } from 'kysely'
import { instructorReach } from '#areas/people/people/instructors/instructor.server.ts'
import { isId } from '#kit/server/base/scope.ts'
import { serveDocuments } from '../document.server.ts'
import { instructorDocuments as contract } from './instructor-documents.contract.ts'

/** Documents of instructors: what lacks is shown, and holds nobody. */
export const instructorDocuments = serveDocuments(contract, {
  people: 'instructors',
  are: sql`true`,
  account: sql`s.user_id`,
  reach: (ctx) => ({ ...instructorReach('s'), own: isId(sql`s.user_id`, ctx.actor?.user_id) }),
  own: (ctx) => ctx.actor?.instructor_id ?? null,
  kinds: sql`k.whose in ('instructors', 'staff')`,
  required: sql`select r.kind_id, r.lacking from staff_documents('instructors', array[s.id]) r`,
  told: sql`true`,
  names: false,
})
