import { call, f, inputSchema, listOf, lookup, ref, rowSchema } from '#kit/contract/index.ts'
import { z } from 'zod'

/** Weeks in which a group can work. */
const WEEKS = [
  { value: 'sun_thu', label: ['Sunday to Thursday', 'من الأحد إلى الخميس'] },
  { value: 'sat_thu', label: ['Saturday to Thursday', 'من السبت إلى الخميس'] },
  { value: 'sat_wed', label: ['Saturday to Wednesday', 'من السبت إلى الأربعاء'] },
  { value: 'mon_fri', label: ['Monday to Friday', 'من الاثنين إلى الجمعة'] },
  { value: 'every_day', label: ['Every day', 'كل يوم'] },
] as const

/** Who answers tickets of a kind, and how soon. */
export const ticketGroup = lookup('ticketGroup', {
  path: '/ticket-groups',
  table: 'ticket_groups',
  one: ['Ticket group', 'مجموعة تذاكر'],
  many: ['Ticket groups', 'مجموعات التذاكر'],
  adding: ['Add ticket group', 'إضافة مجموعة تذاكر'],
  editing: ['Edit ticket group', 'تعديل مجموعة تذاكر'],
  fields: {
    parent_id: f.lookup(['Part of', 'تتبع'], 'ticketGroup'),
    members: f.lookups(['Members', 'الأعضاء'], 'ticketMember', {
      through: { table: 'ticket_group_members', from: 'group_id', to: 'user_id' },
      help: ['They see the tickets of the group and answer them.', 'يرون تذاكر المجموعة ويردون عليها.'],
    }),
    opens: f.time(['Working hours from', 'ساعات العمل من'], { required: true, detailOnly: true }),
    closes: f.time(['Working hours to', 'ساعات العمل إلى'], { required: true, detailOnly: true }),
    week: f.choice(['Working days', 'أيام العمل'], WEEKS, { required: true, detailOnly: true }),
    response_hours: f.integer(['First answer within (hours)', 'أول رد خلال (ساعة)'], {
      required: true,
      min: 1,
      max: 1000,
    }),
    resolution_hours: f.integer(['Resolved within (hours)', 'الحل خلال (ساعة)'], { required: true, min: 1, max: 1000 }),
  },
  screens: {
    list: '/ticket-groups',
    show: '/ticket-groups/:id',
    add: '/ticket-groups/add/:parent_id?',
    edit: '/ticket-groups/edit/:id',
  },
  menu: { group: 'settings', order: 80, icon: 'users-group', setup: true },
  plain: false,
})

/** The documents' further paths for groups. */
export const groupCalls = {
  groupsToAsk: call('GET', '/ticket-groups/groups', {
    permission: ['ask_ticket', 'handle_ticket'],
    summary: ['Groups that can be asked', 'المجموعات التي يمكن سؤالها'],
    response: listOf(ref.extend({ parent: ref.nullable() })),
  }),
  changeGroup: call('POST', '/ticket-groups/{id}', {
    permission: 'edit_ticketGroup',
    summary: ['Change a ticket group', 'تعديل مجموعة تذاكر'],
    body: inputSchema(ticketGroup, 'update'),
    response: z.object({ data: rowSchema(ticketGroup, 'detail') }),
  }),
}
