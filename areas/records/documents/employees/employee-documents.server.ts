import { sql } from 'kysely'
import { employeeReach } from '#areas/people/people/employees/employee.server.ts'
import { serveDocuments } from '../document.server.ts'
import { employeeDocuments as contract } from './employee-documents.contract.ts'

/** Documents of employees: what lacks is shown, and holds nobody. */
export const employeeDocuments = serveDocuments(contract, {
  people: 'users',
  are: sql`s.type = 2`,
  account: sql`s.id`,
  reach: (ctx) => employeeReach(ctx, 's'),
  own: (ctx) => (ctx.actor?.type === 2 ? ctx.actor.user_id : null),
  kinds: sql`k.whose in ('employees', 'staff')`,
  required: sql`select r.kind_id, r.lacking from staff_documents('employees', array[s.id]) r`,
  told: sql`s.type = 2`,
  names: false,
})
