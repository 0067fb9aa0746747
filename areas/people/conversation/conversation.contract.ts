import { area, screen } from '#kit/contract/index.ts'
import { listedCalls } from '#kit/contract/workflow.ts'
import { chatCalls } from './chats/chat.contract.ts'
import { groupCalls, ticketGroup } from './groups/group.contract.ts'
import { ticketCalls, ticketFlow, ticketSteps } from './tickets/ticket.contract.ts'
import { answerText } from './answer-texts/answer-text.contract.ts'

/** Chats between people, and tickets: questions that a group of staff answers. */
export const conversationArea = area({
  name: 'conversation',
  label: ['Communication', 'التواصل'],
  resources: [answerText, ticketGroup],
  calls: [chatCalls, groupCalls, ticketCalls, listedCalls(ticketFlow, ticketSteps)],
  screens: [
    screen('/chats', {
      permission: 'use_chat',
      title: ['Chats', 'المحادثات'],
      menu: { group: 'communication', order: 5, icon: 'messages' },
    }),
    screen('/chat/message/:id', { permission: 'use_chat', title: ['Messages', 'الرسائل'], parent: '/chats' }),
    screen('/chat', { permission: 'use_chat', title: ['Chat', 'المحادثة'], parent: '/chats' }),
    screen('/my-chat', { permission: 'use_chat', title: ['My chats', 'محادثاتي'], parent: '/chats' }),
    screen('/chats/:chat_id/show/:user_id', {
      permission: 'use_chat',
      title: ['Messages', 'الرسائل'],
      parent: '/chats',
    }),
    screen('/tickets', {
      permission: 'handle_ticket',
      title: ['Tickets', 'التذاكر'],
      menu: { group: 'communication', order: 20, icon: 'ticket', subject: 'tickets' },
    }),
    screen('/tickets/statistics', {
      permission: 'handle_ticket',
      title: ['Figures of tickets', 'إحصاءات التذاكر'],
      parent: '/tickets',
    }),
    screen('/tickets/:id', {
      finds: 'ticket',
      permission: 'handle_ticket',
      title: ['Ticket', 'تذكرة'],
      parent: '/tickets',
    }),
    screen('/my-tickets', {
      permission: 'ask_ticket',
      title: ['My tickets', 'تذاكري'],
      menu: { group: 'communication', order: 10, icon: 'help', subject: 'tickets' },
    }),
    screen('/my-tickets/add', {
      permission: 'ask_ticket',
      title: ['Open a ticket', 'فتح تذكرة'],
      parent: '/my-tickets',
    }),
    screen('/my-tickets/:id', { permission: 'ask_ticket', title: ['My ticket', 'تذكرتي'], parent: '/my-tickets' }),
    screen('/tickets/chats/:chat_id', {
      permission: ['ask_ticket', 'handle_ticket'],
      title: ['What was said', 'المحادثة'],
      parent: '/my-tickets',
    }),
  ],
  noticeGroup: 'requests',
  notices: {
    notice_ticket_asked: {
      title: ['Tickets that wait for my group', 'تذاكر بانتظار مجموعتي'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
    notice_ticket_note: {
      title: ['Notes on tickets of my group', 'ملاحظات على تذاكر مجموعتي'],
      audience: [1, 2],
      app: 'on',
      mail: 'off',
    },
    notice_ticket_reopened: {
      title: ['Tickets that were opened again', 'تذاكر أُعيد فتحها'],
      audience: [1, 2],
      app: 'on',
      mail: 'digest',
    },
    notice_ticket_reply: {
      title: ['Replies to my tickets', 'الردود على تذاكري'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
    notice_ticket_status: {
      title: ['What becomes of my tickets', 'مستجدات تذاكري'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'now',
    },
    notice_ticket_merged: {
      title: ['Tickets of mine that were merged', 'دمج تذاكري'],
      audience: [1, 2, 3],
      app: 'always',
      mail: 'off',
    },
  },
  errors: {
    ticket_group_hours: ['Working hours end after they begin.', 'تنتهي ساعات العمل بعد بدايتها.'],
    ticket_group_levels: [
      'A group is part of one that stands by itself, and has then no parts of its own.',
      'تتبع المجموعة مجموعة رئيسية فقط، ولا تتبعها عندئذ مجموعات أخرى.',
    ],
    ticket_member_works_here: ['Members are people who work here.', 'أعضاء المجموعة من العاملين بالجامعة.'],
    ticket_group_has_tickets: [
      'A ticket group with tickets cannot be deleted. Hand its tickets to another group first.',
      'لا يمكن حذف مجموعة لها تذاكر. حوّل تذاكرها إلى مجموعة أخرى أولًا.',
    ],
    ticket_merged: ['The ticket was merged into {number}. Go on there.', 'دُمجت التذكرة في {number}. تابع هناك.'],
    ticket_closed: ['The ticket is closed. Open it again first.', 'التذكرة مغلقة. أعد فتحها أولًا.'],
    ticket_group_same: ['The ticket is with this group already.', 'التذكرة لدى هذه المجموعة بالفعل.'],
    ticket_merge_itself: ['A ticket is not merged into itself.', 'لا تُدمج التذكرة في نفسها.'],
    ticket_merge_other_person: [
      'The tickets are of two persons. What one wrote is not shown to the other.',
      'التذكرتان لشخصين، ولا يُعرض ما كتبه أحدهما على الآخر.',
    ],
    ticket_rate_asker: ['Only who asked says how content he or she is.', 'التقييم لصاحب التذكرة وحده.'],
    ticket_rate_early: ['Say so once the ticket is resolved.', 'يمكن التقييم بعد حل التذكرة.'],
    chat_not_with: ['You may not write to all of these people.', 'لا يمكنك مراسلة كل هؤلاء.'],
    chat_with_oneself: ['Choose somebody besides yourself.', 'اختر شخصًا غيرك.'],
    chat_groups_by_staff: ['Groups are made by who works here.', 'ينشئ المجموعات العاملون بالجامعة.'],
    chat_left: ['You have left this group.', 'غادرت هذه المجموعة.'],
    chat_ended: [
      'You can read on here, but no longer write: nothing binds you to this person any more, or the account is closed.',
      'يمكنك القراءة هنا لا الكتابة: لم تعد تربطك بهذا الشخص صلة دراسة أو عمل، أو أُغلق حسابه.',
    ],
    chat_not_made: ['Only who made the group takes somebody out of it.', 'لا يُخرج أحدًا من المجموعة إلا من أنشأها.'],
    chat_not_in: ['This person takes no part in the group any more.', 'لم يعد هذا الشخص في المجموعة.'],
    chat_take_out_self: ['To go yourself, leave the group.', 'للخروج بنفسك اختر مغادرة المجموعة.'],
    chat_of_two: ['That is for groups only.', 'هذا للمجموعات فقط.'],
    chat_too_many: ['A group has {max} people at most.', 'لا يزيد أفراد المجموعة على {max}.'],
    ticket_new_status: ['Sorry Must Select New Status.', 'يجب اختيار الحالة الجديدة.'],
    ticket_new_group: ['Select the new ticket group', 'اختر مجموعة التذاكر الجديدة'],
    message_files: ['Sorry You Must Select Max {max} Files.', 'يجب ألا تزيد الملفات على {max}.'],
    chat_empty: ['Write something, or add a file.', 'اكتب شيئًا أو أرفق ملفًا.'],
    message_file_too_large: ['{name} is larger than {max} MB.', '{name} أكبر من {max} م.ب.'],
    message_key_used: [
      'This was sent for something else already. Load the page again.',
      'أُرسلت هذه الرسالة في موضع آخر بالفعل. أعد تحميل الصفحة.',
    ],
  },
})
