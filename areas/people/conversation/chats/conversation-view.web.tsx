/* oxlint-disable jsx-a11y/no-noninteractive-tabindex -- what scrolls is reached by the keyboard */
import { ActionIcon, Button, Menu, TextInput, Tooltip } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import {
  IconArrowLeft,
  IconBell,
  IconBellOff,
  IconDots,
  IconLogout,
  IconSearch,
  IconUserPlus,
  IconUsers,
  IconX,
} from '@tabler/icons-react'
import { Suspense, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Failed, confirm, notify } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { formatInstant, formatList, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Composer } from '../composer.web.tsx'
import { MessageContent } from '../said.web.tsx'
import css from '../conversation.module.css'
import { chatCalls } from './chat.contract.ts'
import type { ChatDetail, ChatMessage, ChatPerson, ChatRow, ChatTyping } from './chat.contract.ts'
import { heardRead } from './live.web.ts'

const MembersDialog = part(async () => (await import('./members.web.tsx')).default)
const PeopleDialog = part(async () => (await import('./people.web.tsx')).default)
/** Messages shown at first, and with each step back. */
const PAGE = 50
/** So far from the end, what comes is still followed. */
const NEAR = 120

/** What a conversation is called. */
export function useChatName(): (chat: Pick<ChatRow, 'name' | 'people'>) => string {
  const lang = useLanguage()
  const t = useT('conversation')
  return ({ name, people }) => name ?? (formatList(people.map((person) => nameOf(person, lang))) || t('chat_alone'))
}

/** One conversation: what was said, who reads and writes, and where one writes. */
export function Conversation({ id }: { id: number }) {
  const t = useT('conversation')
  const called = useChatName()
  const [adding, setAdding] = useState(false)
  const [listing, setListing] = useState(false)
  const [searching, setSearching] = useState(false)
  const { data, error, refetch } = useCall(chatCalls.messages, { params: { id }, body: { limit: PAGE } })
  const chat = data?.data
  const { send } = useChange('/chats')
  const { messages, more, busy, older } = useMessages(id, chat)
  useReading(id, chat)
  const told = useRef(0)
  const { send: tell } = useChange()
  const typing = () => {
    if (Date.now() - told.current < 3000) return
    told.current = Date.now()
    void tell(chatCalls.typing, { params: { id } }).catch(() => {})
  }
  if (error && !chat)
    return (
      <section className={css.conversation}>
        <Back />
        <Failed error={error} retry={() => void refetch()} />
      </section>
    )
  if (!chat) return <Bone height={420} />
  const able = (ability: string) => chat.abilities.includes(ability)
  const attempt = (work: Promise<unknown>) => void work.catch((problem: unknown) => notify.error(problem))
  return (
    <section className={css.conversation} aria-label={called(chat)}>
      <header className={css.chatTop}>
        <Back />
        <div className={css.chatName}>
          <h2>
            <bdi>{called(chat)}</bdi>
          </h2>
          {chat.kind === 'group' && <small>{t('chat_people', { count: chat.count + (chat.left ? 0 : 1) })}</small>}
        </div>
        <span className={css.chatTools}>
          <Tooltip label={t('chat_find')}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={38}
              aria-label={t('chat_find')}
              aria-pressed={searching}
              onClick={() => setSearching(!searching)}
            >
              <IconSearch size={18} aria-hidden />
            </ActionIcon>
          </Tooltip>
          {chat.abilities.some((one) => one !== 'send') && (
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon variant="subtle" color="gray" size={38} aria-label={t('chat_more')}>
                  <IconDots size={18} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                {chat.kind === 'group' && (
                  <Menu.Item leftSection={<IconUsers size={17} aria-hidden />} onClick={() => setListing(true)}>
                    {t('chat_members')}
                  </Menu.Item>
                )}
                {able('add') && (
                  <Menu.Item leftSection={<IconUserPlus size={17} aria-hidden />} onClick={() => setAdding(true)}>
                    {t('chat_add')}
                  </Menu.Item>
                )}
                <Menu.Item
                  leftSection={chat.muted ? <IconBell size={17} aria-hidden /> : <IconBellOff size={17} aria-hidden />}
                  onClick={() => attempt(send(chatCalls.mute, { params: { id }, body: { muted: !chat.muted } }))}
                >
                  {t(chat.muted ? 'chat_unmute' : 'chat_mute')}
                </Menu.Item>
                {able('leave') && (
                  <Menu.Item
                    leftSection={<IconLogout size={17} className="pointing" aria-hidden />}
                    onClick={() =>
                      void confirm({
                        title: t('chat_leave_question', { name: called(chat) }),
                        consequence: t('chat_leave_text'),
                        action: t('chat_leave'),
                        go: () => send(chatCalls.leave, { params: { id } }),
                      })
                    }
                  >
                    {t('chat_leave')}
                  </Menu.Item>
                )}
              </Menu.Dropdown>
            </Menu>
          )}
        </span>
      </header>
      {searching ? (
        <Found id={id} chat={chat} close={() => setSearching(false)} />
      ) : (
        <Said
          chat={chat}
          messages={messages}
          before={
            more && (
              <Button variant="subtle" loading={busy} onClick={() => void older()}>
                {t('chat_older')}
              </Button>
            )
          }
        />
      )}
      <Typing id={id} people={chat.people} />
      {able('send') ? (
        <Composer
          quick
          optionalText
          minRows={1}
          label={t('message')}
          action={t('reply_send')}
          onTyping={typing}
          send={(body) => send(chatCalls.send, { params: { id }, body })}
        />
      ) : (
        <p className={css.dim}>{t(chat.left ? 'chat_left' : 'chat_ended')}</p>
      )}
      {listing && (
        <Suspense fallback={null}>
          <MembersDialog chat={chat} onClose={() => setListing(false)} />
        </Suspense>
      )}
      {adding && (
        <Suspense fallback={null}>
          <PeopleDialog chat={id} onClose={() => setAdding(false)} onDone={() => setAdding(false)} />
        </Suspense>
      )}
    </section>
  )
}

/** To the list, where only one of both has room. */
function Back() {
  const t = useT('conversation')
  return (
    <ActionIcon
      component={Link}
      to="/chats"
      variant="subtle"
      color="gray"
      size={38}
      className={css.back}
      aria-label={t('chat_back')}
    >
      <IconArrowLeft size={20} className="pointing" aria-hidden />
    </ActionIcon>
  )
}

/** Messages that are known: those that are kept fresh, and all that were shown before. What was said does not change. */
function useMessages(id: number, chat: ChatDetail | undefined) {
  const { busy, go, send } = useChange()
  const [known, setKnown] = useState<readonly ChatMessage[]>([])
  const [further, setFurther] = useState<boolean | null>(null)
  const fresh = chat?.messages
  const [noted, setNoted] = useState(fresh)
  if (fresh !== noted) {
    setNoted(fresh)
    if (noted) setKnown((before) => merged(before, noted))
  }
  const messages = useMemo(() => merged(known, fresh ?? []), [known, fresh])
  return {
    messages,
    more: further ?? chat?.more ?? false,
    busy,
    older: async () => {
      const done = await go(() =>
        send(chatCalls.messages, { params: { id }, body: { before: messages[0]!.id, limit: 100 } }),
      )
      if (!done) return
      setKnown((before) => merged(before, done.answer.data.messages))
      setFurther(done.answer.data.more)
    },
  }
}
/** Each message once, by its id, as it was told last. */
export const merged = (before: readonly ChatMessage[], fresh: readonly ChatMessage[]): ChatMessage[] =>
  [...new Map([...before, ...fresh].map((one) => [one.id, one])).values()].toSorted((a, b) => a.id - b.id)

const isVisible = (): boolean => document.visibilityState === 'visible'
const hearVisible = (told: () => void): (() => void) => {
  document.addEventListener('visibilitychange', told)
  return () => document.removeEventListener('visibilitychange', told)
}
/** Milliseconds for each member of a group within which somebody who is there says so: two hundred within ten seconds. */
const READ_SPREAD = 50
/** Says how far the person has read while the window is looked at; in a large group not all at the same moment. */
function useReading(id: number, chat: ChatDetail | undefined): void {
  const client = useQueryClient()
  const { user } = useMe()
  const { send } = useChange()
  const seen = useSyncExternalStore(hearVisible, isVisible)
  const to = chat?.last?.id
  const due = seen && to !== undefined && chat!.unread > 0
  const count = chat?.kind === 'group' ? chat.count : 0
  const latest = useRef(to)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => {
    latest.current = to
  })
  useEffect(() => {
    if (!due || to === undefined || timer.current !== undefined) return
    timer.current = setTimeout(
      () => {
        timer.current = undefined
        const message_id = latest.current!
        send(chatCalls.read, { params: { id }, body: { message_id } }).then(
          () => heardRead(client, user.id, { chat_id: id, user_id: user.id, to: message_id }),
          () => {},
        )
      },
      300 + Math.random() * READ_SPREAD * count,
    )
  }, [due, to, id, count, client, user.id, send])
  useEffect(() => () => clearTimeout(timer.current), [])
}

/** What was said, kept at its end while the reader is there. */
function Said({ chat, messages, before }: { chat: ChatDetail; messages: readonly ChatMessage[]; before: ReactNode }) {
  const t = useT('conversation')
  const box = useRef<HTMLDivElement>(null)
  const near = useRef(true)
  const last = messages.at(-1)
  const newest = last?.id
  const own = last?.own
  useEffect(() => {
    if (newest === undefined || !box.current) return
    if (near.current || own) box.current.scrollTop = box.current.scrollHeight
  }, [newest, own])
  return (
    <div
      ref={box}
      className={css.scroll}
      tabIndex={0}
      role="region"
      aria-label={t('said')}
      onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
        near.current = scrollHeight - scrollTop - clientHeight < NEAR
      }}
    >
      {before}
      <ol className={css.said} aria-live="polite">
        {messages.map((one) => (
          <Message key={one.id} message={one} readBy={readersOf(chat, one)} group={chat.kind === 'group'} />
        ))}
      </ol>
    </div>
  )
}

/** Messages that are found at once. */
const MOST_SAID = 100

/** Looks for words in what was said. */
function Found({ id, chat, close }: { id: number; chat: ChatDetail; close: () => void }) {
  const t = useT('conversation')
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { data } = useCall(
    chatCalls.messages,
    { params: { id }, body: { search, limit: MOST_SAID } },
    { enabled: search !== '', placeholderData: keepPreviousData },
  )
  const found = search === '' ? undefined : data?.data.messages
  return (
    <div className={css.found}>
      <TextInput
        data-autofocus
        type="search"
        autoFocus
        aria-label={t('chat_find')}
        placeholder={t('chat_find')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') close()
        }}
        rightSection={
          <ActionIcon variant="subtle" color="gray" aria-label={t('chat_find_close')} onClick={close}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        }
      />
      <div className={css.scroll} tabIndex={0} role="region" aria-label={t('chat_found')}>
        {found?.length === 0 && <p className={css.dim}>{t('chat_found_none')}</p>}
        <ol className={css.said}>
          {found?.map((one) => (
            <Message key={one.id} message={one} readBy={readersOf(chat, one)} group />
          ))}
        </ol>
        <OnlyFirst rows={found?.length ?? 0} most={MOST_SAID} found />
      </div>
    </div>
  )
}

/** How many of the others have read a message. */
const readersOf = (chat: ChatDetail, message: ChatMessage): number =>
  chat.read.filter((one) => one.to >= message.id).length

function Message({ message, readBy, group }: { message: ChatMessage; readBy: number; group: boolean }) {
  const t = useT('conversation')
  const lang = useLanguage()
  return (
    <li data-own={message.own || undefined}>
      <div className={css.who}>
        {!message.own && group && (
          <strong>
            <bdi>{nameOf(message.author, lang)}</bdi>
          </strong>
        )}
        <small>
          <time dateTime={message.created_at}>{formatInstant(message.created_at)}</time>
          {message.own && readBy > 0 && <> · {group ? t('chat_read_by', { count: readBy }) : t('chat_read')}</>}
        </small>
      </div>
      <MessageContent body={message.body} files={message.files} />
    </li>
  )
}

/** Who is writing just now. */
function Typing({ id, people }: { id: number; people: readonly ChatPerson[] }) {
  const t = useT('conversation')
  const lang = useLanguage()
  const [who, setWho] = useState<number | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEvent('chat_typing', (data) => {
    const { chat_id, user_id } = data as ChatTyping
    if (chat_id !== id) return
    setWho(user_id)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setWho(null), 5000)
  })
  useEvent('chat_message', () => setWho(null))
  useEffect(() => () => clearTimeout(timer.current), [])
  const person = people.find((one) => one.id === who)
  return <output className={css.typing}>{person ? t('chat_typing', { name: nameOf(person, lang) }) : '\u00A0'}</output>
}
