import { Button, Checkbox, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import css from '../conversation.module.css'
import { chatCalls } from './chat.contract.ts'
import type { ChatPerson } from './chat.contract.ts'

/** Chooses to whom one writes: one person, or several with a name for the group; with `chat`, who joins that group. */
export default function PeopleDialog({
  chat,
  onClose,
  onDone,
}: {
  chat?: number
  onClose: () => void
  onDone: (chat: number) => void
}) {
  const t = useT('conversation')
  const lang = useLanguage()
  const { user } = useMe()
  const groups = user.type === 1 || user.type === 2
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const [chosen, setChosen] = useState<readonly ChatPerson[]>([])
  const [name, setName] = useState('')
  const { busy, problem, go, send } = useChange('/chats')
  const { data } = useCall(chatCalls.people, { body: { search, limit: 30 } }, { placeholderData: keepPreviousData })
  const offered = [...chosen, ...(data?.data ?? []).filter((one) => !chosen.some((known) => known.id === one.id))]
  const named = chat !== undefined || chosen.length < 2
  const save = async () => {
    const user_ids = chosen.map((one) => one.id)
    const done = await go(() =>
      chat === undefined
        ? send(chatCalls.startChat, { body: { user_ids, ...(!named && { name: name.trim() }) } })
        : send(chatCalls.addPeople, { params: { id: chat }, body: { user_ids } }),
    )
    if (done) onDone(done.answer.data.id)
  }
  return (
    <Modal opened onClose={onClose} title={t(chat === undefined ? 'chat_new' : 'chat_add')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {problem !== null && <Problems error={problem} />}
        <TextInput
          data-autofocus
          type="search"
          label={t('chat_whom')}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <ul className={css.people}>
          {offered.map((one) => {
            const on = chosen.some((known) => known.id === one.id)
            return (
              <li key={one.id}>
                <Checkbox
                  label={nameOf(one, lang)}
                  checked={on}
                  disabled={!on && !groups && chosen.length > 0}
                  onChange={() => setChosen(on ? chosen.filter((known) => known.id !== one.id) : [...chosen, one])}
                />
              </li>
            )
          })}
          {data && offered.length === 0 && <li className={css.dim}>{t('chat_nobody')}</li>}
        </ul>
        {!named && (
          <TextInput
            label={t('chat_group_name')}
            required
            maxLength={100}
            dir="auto"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <div className={css.buttons}>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Submit
            type="submit"
            missing={[!chosen.length && t('chat_whom'), !named && !name.trim() && t('chat_group_name')]}
            loading={busy}
          >
            {t(chat === undefined ? 'chat_begin' : 'chat_add')}
          </Submit>
        </div>
      </form>
    </Modal>
  )
}
