import { sql } from 'kysely'
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import { serveDocuments } from '../document.server.ts'
import { studentDocuments as contract } from './student-documents.contract.ts'

/** Documents of students. What is required of them and lacking holds them: the database says what it is. */
export const studentDocuments = serveDocuments(contract, {
  people: 'students',
  are: sql`true`,
  account: sql`s.user_id`,
  reach: (ctx) => studentReach(ctx, 's'),
  own: (ctx) => ctx.actor?.student_id ?? null,
  kinds: sql`k.whose = 'students'`,
  required: sql`select r.kind_id, l.kind_id is not null as lacking from documents_required(array[s.id]) r
    left join documents_lacking(array[s.id]) l on l.kind_id = r.kind_id`,
  told: sql`s.status in ('studying', 'suspended')`,
  names: true,
})
