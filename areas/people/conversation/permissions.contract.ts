/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const conversation = {
  lookups: {
    answerText: ['Answer texts', 'نصوص الرد'],
    ticketGroup: ['Ticket groups', 'مجموعات التذاكر'],
  },
  rights: {
    ask_ticket: ['Open tickets and follow the own ones', 'فتح التذاكر ومتابعة تذاكري', 'only own'],
    use_chat: ['Write to others and be written to', 'مراسلة الآخرين وتلقي رسائلهم', 'only own'],
    handle_ticket: ['Answer tickets', 'الرد على التذاكر', 'university', 'own'],
  },
} as const
