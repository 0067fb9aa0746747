import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'conversation',
  screens: {
    '/chats': () => import('./chats/chats.web.tsx'),
    '/chat': () => import('./chats/chats.web.tsx'),
    '/my-chat': () => import('./chats/chats.web.tsx'),
    '/chat/message/:id': () => import('./chats/chats.web.tsx'),
    '/chats/:chat_id/show/:user_id': () => import('./chats/chats.web.tsx'),
    '/tickets': () => import('./tickets/list.web.tsx'),
    '/tickets/statistics': () => import('./tickets/statistics.web.tsx'),
    '/tickets/:id': () => import('./tickets/ticket.web.tsx'),
    '/tickets/chats/:chat_id': () => import('./tickets/ticket.web.tsx'),
    '/my-tickets': () => import('./tickets/mine.web.tsx'),
    '/my-tickets/add': () => import('./tickets/add.web.tsx'),
    '/my-tickets/:id': () => import('./tickets/ticket.web.tsx'),
  },
  resources: { ticketGroup: () => import('./groups/group.web.tsx') },
})
