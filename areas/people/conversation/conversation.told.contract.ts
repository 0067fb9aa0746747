import type { TablesTold } from '#kit/contract/telling.ts'

/** What the log of changes says of its tables. */
export const conversationTold: TablesTold = {
  chats: {
    one: ['Chat', 'محادثة'],
    many: ['Chats', 'المحادثات'],
    title: ['name'],
  },
  chat_members: {
    one: ['Member of a chat', 'عضو في محادثة'],
    many: ['Members of chats', 'أعضاء المحادثات'],
  },
  chat_messages: {
    one: ['Message of a chat', 'رسالة في محادثة'],
    many: ['Messages of chats', 'رسائل المحادثات'],
  },
  chat_files: {
    one: ['File of a chat', 'ملف في محادثة'],
    many: ['Files of chats', 'ملفات المحادثات'],
  },
  tickets: {
    one: ['Ticket', 'تذكرة'],
    many: ['Tickets', 'التذاكر'],
  },
  ticket_messages: {
    one: ['Message of a ticket', 'رسالة في تذكرة'],
    many: ['Messages of tickets', 'رسائل التذاكر'],
  },
  ticket_files: {
    one: ['File of a ticket', 'ملف في تذكرة'],
    many: ['Files of tickets', 'ملفات التذاكر'],
  },
  ticket_group_members: {
    one: ['Member of a ticket group', 'عضو في مجموعة تذاكر'],
    many: ['Members of ticket groups', 'أعضاء مجموعات التذاكر'],
  },
}
