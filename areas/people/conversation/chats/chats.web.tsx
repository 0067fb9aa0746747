import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { IconBellOff, IconPlus } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { refresh, useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatAgo, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { MainButton } from '#kit/web/list/main-button.tsx'
import { Link, to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import css from '../conversation.module.css'
import { MOST_UNREAD, chatCalls } from './chat.contract.ts'
import { Conversation, useChatName } from './conversation-view.web.tsx'
import { useLiveChats } from './live.web.ts'

const PeopleDialog = part(async () => (await import('./people.web.tsx')).default)

/** Conversations at the start side, the newest first; the chosen one at the end side; on a phone one of both. */
export default function Chats() {
  const { id: param, chat_id } = useParams()
  const given = param ?? chat_id
  const id = /^[1-9]\d{0,8}$/.test(given ?? '') ? Number(given) : null
  const t = useT('conversation')
  const client = useQueryClient()
  const navigate = useNavigate()
  const [adding, setAdding] = useState(false)
  useLiveChats()
  return (
    <Page
      title={t('chats')}
      action={
        <MainButton
          action={{
            key: 'new',
            label: t('chat_new'),
            icon: <IconPlus size={16} aria-hidden />,
            onSelect: () => setAdding(true),
          }}
        />
      }
    >
      <div className={css.chats} data-open={id !== null || undefined}>
        <List chosen={id} />
        {id === null ? (
          <div className={css.nothing}>
            <Empty title={t('chat_choose')} text={t('chat_choose_text')} />
          </div>
        ) : (
          <Conversation key={id} id={id} />
        )}
      </div>
      {adding && (
        <Suspense fallback={null}>
          <PeopleDialog
            onClose={() => setAdding(false)}
            onDone={(chat) => {
              setAdding(false)
              void refresh(client, '/chats')
              void navigate(to('/chat/message/:id', { id: chat }))
            }}
          />
        </Suspense>
      )}
    </Page>
  )
}

function List({ chosen }: { chosen: number | null }) {
  const t = useT('conversation')
  const called = useChatName()
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const { most, more } = useMost(200, MOST_OF_PAGE)
  const { data, error, refetch } = useCall(
    chatCalls.listChats,
    { body: { perPage: most, search } },
    { placeholderData: keepPreviousData },
  )
  return (
    <nav className={css.chatList} aria-label={t('chats')}>
      <TextInput
        type="search"
        aria-label={t('chat_search')}
        placeholder={t('chat_search')}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={200} />
      ) : data.data.length === 0 ? (
        <p className={css.dim}>{t('chats_none')}</p>
      ) : (
        <ul>
          {data.data.map((chat) => (
            <li key={chat.id}>
              <Link
                to={to('/chat/message/:id', { id: chat.id })}
                aria-current={chat.id === chosen ? 'page' : undefined}
              >
                <span className={css.chatHead}>
                  <bdi>{called(chat)}</bdi>
                  {chat.muted && <IconBellOff size={14} aria-label={t('chat_muted')} />}
                  {chat.unread > 0 && chat.id !== chosen && (
                    <span className={css.unread} aria-label={t('chat_unread', { count: chat.unread })}>
                      {chat.unread < MOST_UNREAD ? formatNumber(chat.unread) : `${formatNumber(MOST_UNREAD - 1)}+`}
                    </span>
                  )}
                </span>
                {chat.last && (
                  <small>
                    <bdi>{chat.last.body || t('chat_files', { count: chat.last.files })}</bdi>
                    <time dateTime={chat.last.at}>{formatAgo(chat.last.at)}</time>
                  </small>
                )}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {data && <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} found />}
    </nav>
  )
}
