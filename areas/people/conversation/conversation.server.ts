import { defineAreaServer } from '#kit/server/http/area.ts'
import { conversationArea } from './conversation.contract.ts'
import './erasing.server.ts'
import { chatHandlers } from './chats/chat.server.ts'
import { groupHandlers, memberLookup } from './groups/group.server.ts'
import { closeResolved, ticketHandlers, ticketWork } from './tickets/ticket-calls.server.ts'
import { ticketLookup } from './tickets/ticket.server.ts'
import { conversationTold } from './conversation.told.contract.ts'

export const conversationServer = defineAreaServer({
  area: conversationArea,
  told: conversationTold,
  handlers: [chatHandlers, groupHandlers, ticketHandlers],
  lookups: [memberLookup, ticketLookup],
  jobs: [closeResolved],
  work: [ticketWork],
})
