import { sql } from 'kysely'
import { demoLookup, demoPart } from '#demo/part.ts'
import { ticketGroup } from './group.contract.ts'

const groups = demoLookup(ticketGroup, [
  ['REG', 'Registration', 'التسجيل', { response_hours: 4, resolution_hours: 24 }],
  ['CERT', 'Certificates', 'الشهادات', { response_hours: 6, resolution_hours: 30 }],
  ['IT', 'Technical support', 'الدعم الفني', { response_hours: 2, resolution_hours: 12 }],
  ['HOUSE', 'Buildings and rooms', 'المباني والقاعات', { response_hours: 8, resolution_hours: 48 }],
])

export default demoPart(['ticket_groups', 'ticket_group_members'], ['users', 'instructors'], async (tx, demo) => {
  await groups.load(tx, demo)
  // The registrar answers registration and certificates, the administrators what concerns machines and rooms.
  await sql`insert into ticket_group_members (group_id, user_id)
    select g.id, u.id from ticket_groups g join users u on u.type in (1, 2) and split_part(u.email, '@', 1) = any(case
      when g.code in ('REG', 'CERT') then array['registrar', 'faculty.registrar', 'affairs'] else array['admin', 'root', 'registrar'] end)
    on conflict do nothing`.execute(tx)
})
