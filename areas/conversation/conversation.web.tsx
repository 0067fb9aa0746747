import { defineAreaWeb } from '#kit/web/router/index.ts'

export default defineAreaWeb({
  area: 'conversation',
  screens: {
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
