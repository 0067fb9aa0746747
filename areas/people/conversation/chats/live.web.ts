import type { QueryClient } from '@tanstack/react-query'
import { useQueryClient } from '@tanstack/react-query'
import { refresh } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { MOST_UNREAD } from './chat.contract.ts'
import type { ChatDetail, ChatRead, ChatRow, ChatSaid } from './chat.contract.ts'

interface Kept {
  readonly params?: { readonly id: number }
  readonly body?: { readonly search?: string; readonly before?: number }
}
/** Kept answers: lists, and what was said in one conversation. What is searched for is asked again. */
const listed = { predicate: ({ queryKey: [path] }: { queryKey: readonly unknown[] }) => path === '/chats' }
const detailed = (chat: number) => ({
  predicate: ({ queryKey: [path, , input] }: { queryKey: readonly unknown[] }) =>
    path === '/chats/messages/{id}' && (input as Kept).params?.id === chat && !(input as Kept).body?.search,
})

/** Changes the row of a conversation where it is kept; false where some list does not have it, or is being asked for. */
function patch(client: QueryClient, chat: number, change: (row: ChatRow) => ChatRow, first: boolean): boolean {
  // An answer that is under way may be of before: it is asked for again.
  let whole = client.isFetching(listed) + client.isFetching(detailed(chat)) === 0
  client.setQueriesData<{ data: ChatRow[] }>(listed, (answer) => {
    const row = answer?.data.find((one) => one.id === chat)
    if (!answer || !row) {
      whole &&= !answer
      return answer
    }
    const rest = answer.data.filter((one) => one.id !== chat)
    return {
      ...answer,
      data: first ? [change(row), ...rest] : answer.data.map((one) => (one === row ? change(row) : one)),
    }
  })
  return whole
}
const inDetail = (client: QueryClient, chat: number, change: (detail: ChatDetail) => ChatDetail) =>
  client.setQueriesData<{ data: ChatDetail }>(detailed(chat), (answer) => answer && { data: change(answer.data) })

/** Puts a message where it belongs without asking, so that a group of hundreds does not ask at once. */
export function heardMessage(client: QueryClient, me: number, { chat_id, message }: ChatSaid): boolean {
  if (!message) return false
  const own = message.author.id === me
  const { id, body, created_at: at, author } = message
  const told = <Row extends ChatRow>(row: Row): Row =>
    row.last && row.last.id >= id
      ? row
      : {
          ...row,
          unread: own ? 0 : Math.min(MOST_UNREAD, row.unread + 1),
          last: { id, body, at, author, files: message.files.length },
        }
  const whole = patch(client, chat_id, told, true)
  inDetail(client, chat_id, (detail) =>
    detail.messages.some((one) => one.id === id)
      ? detail
      : { ...told(detail), messages: [...detail.messages, { ...message, own }] },
  )
  return whole
}

/** Moves a read mark: the own one in another window, or that of who reads what I wrote. */
export function heardRead(client: QueryClient, me: number, { chat_id, user_id, to }: ChatRead): boolean {
  if (user_id !== me) {
    inDetail(client, chat_id, (detail) => ({
      ...detail,
      read: detail.read.map((one) => (one.user_id === user_id ? { user_id, to: Math.max(one.to, to) } : one)),
    }))
    return true
  }
  const read = <Row extends ChatRow>(row: Row): Row => (row.last && row.last.id <= to ? { ...row, unread: 0 } : row)
  let behind = false
  const whole = patch(
    client,
    chat_id,
    (row) => {
      behind = row.unread > 0 && row.last !== null && row.last.id > to
      return read(row)
    },
    false,
  )
  inDetail(client, chat_id, read)
  return whole && !behind
}

/** Keeps what is shown of conversations as it is: by what events tell, and by asking after a gap. */
export function useLiveChats(): void {
  const client = useQueryClient()
  const { user } = useMe()
  const ask = () => void refresh(client, '/chats')
  useEvent('chat', ask)
  useEvent('connected', ask)
  useEvent('chat_message', (data) => {
    if (!data || !heardMessage(client, user.id, data as ChatSaid)) ask()
  })
  useEvent('chat_read', (data) => {
    if (!data || !heardRead(client, user.id, data as ChatRead)) ask()
  })
}
