import { call, id, listOf, listQuery, safeText } from '#kit/contract/index.ts'
import { keptFile } from '#kit/contract/kit.area.ts'
import { z } from 'zod'
import { MOST_FILES } from '../limits.contract.ts'

/** Most people of a group. */
export const MOST_MEMBERS = 200
/** Unread messages are counted up to this one, which stands for more. */
export const MOST_UNREAD = 100

const person = z.object({ id, name: z.string(), name_local: z.string() })
export type ChatPerson = z.output<typeof person>

const message = z.object({
  id,
  author: person,
  own: z.boolean(),
  body: z.string(),
  created_at: z.string(),
  files: z.array(keptFile),
})
export type ChatMessage = z.output<typeof message>

const chat = z.object({
  id,
  kind: z.enum(['direct', 'group']),
  /** Of a group; a conversation of two is called by the other person. */
  name: z.string().nullable(),
  /** Everybody who takes part now, except the reader; five of them in lists. */
  people: z.array(person),
  count: z.int(),
  unread: z.int(),
  muted: z.boolean(),
  /** The reader has left, and reads what was said until then. */
  left: z.boolean(),
  last: z.object({ id, body: z.string(), at: z.string(), author: person, files: z.int() }).nullable(),
})
export type ChatRow = z.output<typeof chat>

const detail = chat.extend({
  /** How far each of the others has read. */
  read: z.array(z.object({ user_id: id, to: z.int() })),
  messages: z.array(message),
  /** There are older ones. */
  more: z.boolean(),
  abilities: z.array(z.string()),
})
export type ChatDetail = z.output<typeof detail>

const KEY = '3b1f4b62-8a54-4d7e-9a35-6a3f0a3d9f10'
const saved = z.object({ data: z.object({ id }) })

/** What the live event `chat_message` tells; without the message where it has files or is long: who wants it asks. */
export interface ChatSaid {
  readonly chat_id: number
  readonly message?: Omit<ChatMessage, 'own'>
}
/** What `chat_typing` tells. */
export interface ChatTyping {
  readonly chat_id: number
  readonly user_id: number
}
/** What `chat_read` tells: to the reader's other windows, and to who wrote what was read. */
export interface ChatRead {
  readonly chat_id: number
  readonly user_id: number
  readonly to: number
}

/** Conversations of people, delivered live. */
export const chatCalls = {
  listChats: call('POST', '/chats', {
    permission: 'use_chat',
    summary: ['List my conversations, the newest first', 'عرض محادثاتي، الأحدث أولًا'],
    body: listQuery,
    response: listOf(chat),
    reads: true,
    personal: 'always',
  }),
  startChat: call('PUT', '/chats', {
    permission: 'use_chat',
    summary: ['Begin a conversation with one person or a group', 'بدء محادثة مع شخص أو مجموعة'],
    body: z.strictObject({
      user_ids: z
        .array(id)
        .min(1)
        .max(MOST_MEMBERS - 1),
      name: safeText(100).nullish(),
    }),
    response: saved,
    personal: 'always',
    example: { user_ids: [2] },
  }),
  /** By the plural: what was said in one conversation. */
  messages: call('POST', '/chats/messages/{id}', {
    permission: 'use_chat',
    summary: ['Show what was said in a conversation', 'عرض رسائل محادثة'],
    body: z.strictObject({
      /** Only what is older than this message. */
      before: id.optional(),
      search: z.string().trim().max(200).optional(),
      limit: z.int().min(1).max(100).default(50),
    }),
    response: z.object({ data: detail }),
    reads: true,
    personal: 'always',
    example: {},
  }),
  /** By the singular: one message. */
  send: call('POST', '/chats/message/{id}', {
    permission: 'use_chat',
    summary: ['Write in a conversation', 'إرسال رسالة في محادثة'],
    body: z
      .strictObject({
        body: safeText(4000),
        file_ids: z.array(id).max(MOST_FILES, 'message_files').default([]),
        /** Made by who sends it, once: sent again by a retry, it is stored once. */
        key: z.uuid(),
      })
      .refine((said) => said.body !== '' || said.file_ids.length > 0, {
        params: { code: 'chat_empty' },
        path: ['body'],
      }),
    response: z.object({ data: message }),
    personal: 'always',
    example: { body: 'Shall we meet at ten?', key: KEY },
  }),
  // Bookkeeping of the reader's own, like reading a notification: possible in read-only mode too.
  read: call('POST', '/chats/read/{id}', {
    permission: 'use_chat',
    summary: ['Say how far I have read', 'تسجيل آخر ما قرأته'],
    body: z.strictObject({ message_id: id }),
    response: saved,
    reads: true,
    personal: 'always',
    example: { message_id: 1 },
  }),
  typing: call('POST', '/chats/typing/{id}', {
    permission: 'use_chat',
    summary: ['Tell the others that I am writing', 'إبلاغ الآخرين بأنني أكتب'],
    response: saved,
    reads: true,
    personal: 'always',
  }),
  mute: call('PUT', '/chats/mute/{id}', {
    permission: 'use_chat',
    summary: ['Mute a conversation, or hear it again', 'كتم محادثة أو إلغاء كتمها'],
    body: z.strictObject({ muted: z.boolean() }),
    response: saved,
    personal: 'always',
    example: { muted: true },
  }),
  addPeople: call('POST', '/chats/members/{id}', {
    permission: 'use_chat',
    summary: ['Add people to a group', 'إضافة أشخاص إلى مجموعة'],
    body: z.strictObject({
      user_ids: z
        .array(id)
        .min(1)
        .max(MOST_MEMBERS - 1),
    }),
    response: saved,
    personal: 'always',
    example: { user_ids: [3] },
  }),
  leave: call('POST', '/chats/leave/{id}', {
    permission: 'use_chat',
    summary: ['Leave a group', 'مغادرة مجموعة'],
    response: saved,
    personal: 'always',
  }),
  takeOut: call('POST', '/chats/take-out/{id}', {
    permission: 'use_chat',
    summary: ['Take a person out of a group that I made', 'إخراج شخص من مجموعة أنشأتها'],
    body: z.strictObject({ user_id: id }),
    response: saved,
    personal: 'always',
    example: { user_id: 3 },
  }),
  people: call('POST', '/chats/people', {
    heavy: ({ search }) => Boolean(search),
    permission: 'use_chat',
    summary: ['Find people to whom I may write', 'البحث عمن يمكنني مراسلتهم'],
    body: z.strictObject({ search: z.string().trim().max(200).default(''), limit: z.int().min(1).max(50).default(20) }),
    response: z.object({ data: z.array(person.extend({ type: z.int() })) }),
    reads: true,
    personal: 'always',
    example: { search: 'mona' },
  }),
}
