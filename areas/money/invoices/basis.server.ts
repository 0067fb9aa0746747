/** Invoices that are computed again, as they are shown with everything that is outdated. */
import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { serveBasis } from '#kit/server/workflow/basis-registry.ts'
import { invoiceBasis } from './basis.contract.ts'

export const invoiceBases = serveBasis(invoiceBasis, {
  from: 'invoices i join payers p on p.id = i.payer_id left join students s on s.id = p.student_id',
  id: 'i.id',
  student: 'p.student_id',
  named: `json_build_object('code', i.number, 'name', i.number, 'name_local', i.number)`,
  link: `'/payments/' || i.id`,
  scope: (ctx) => studentReach(ctx, 's'),
  outdated: sql`select invoice_id as decision_id, since from outdated_invoices`,
})
