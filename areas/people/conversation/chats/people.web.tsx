import { Checkbox, Input, Modal, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { zod } from '#kit/web/zod/zod.ts'
import css from '../conversation.module.css'
import { chatCalls } from './chat.contract.ts'
import type { ChatPerson } from './chat.contract.ts'

/** People offered at once. */
const MOST = 30
const chosenOf = (value: unknown): readonly ChatPerson[] => (Array.isArray(value) ? (value as ChatPerson[]) : [])

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
  const { send } = useChange('/chats')
  const named = (people: unknown) => chat !== undefined || chosenOf(people).length < 2
  return (
    <Modal opened onClose={onClose} title={t(chat === undefined ? 'chat_new' : 'chat_add')}>
      <Form
        fields={({ people }) => ({
          people: f.json(asLabel(t('chat_whom')), zod.array(zod.unknown()), { required: true }),
          ...(!named(people) && { name: f.text(asLabel(t('chat_group_name')), { required: true, max: 100 }) }),
        })}
        inputs={{ people: PeopleInput }}
        bar="dialog"
        always
        submit={t(chat === undefined ? 'chat_begin' : 'chat_add')}
        onCancel={onClose}
        onSave={({ people, name }) => {
          const user_ids = chosenOf(people).map((one) => one.id)
          return chat === undefined
            ? send(chatCalls.startChat, { body: { user_ids, ...(!named(people) && { name: String(name) }) } })
            : send(chatCalls.addPeople, { params: { id: chat }, body: { user_ids } })
        }}
        onSaved={({ data }) => onDone(data.id)}
      />
    </Modal>
  )
}

/** People by name, each ticked; who is no employee or instructor writes to one. */
const PeopleInput: FieldInput = ({ label, error, onChange, onBlur, id }) => {
  const t = useT('conversation')
  const lang = useLanguage()
  const { user } = useMe()
  const groups = user.type === 1 || user.type === 2
  const [typed, setTyped] = useState('')
  const [search] = useDebouncedValue(typed.trim(), 200)
  const [chosen, setChosen] = useState<readonly ChatPerson[]>([])
  const { data } = useCall(chatCalls.people, { body: { search, limit: MOST } }, { placeholderData: keepPreviousData })
  const found = data?.data ?? []
  const offered = [...chosen, ...found.filter((one) => !chosen.some((known) => known.id === one.id))]
  const choose = (next: readonly ChatPerson[]) => {
    setChosen(next)
    onChange(next)
  }
  return (
    <Input.Wrapper error={error}>
      <TextInput
        data-autofocus
        id={id}
        type="search"
        label={label}
        error={Boolean(error)}
        value={typed}
        onBlur={onBlur}
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
                onChange={() => choose(on ? chosen.filter((known) => known.id !== one.id) : [...chosen, one])}
              />
            </li>
          )
        })}
        {data && offered.length === 0 && <li className={css.dim}>{t('chat_nobody')}</li>}
      </ul>
      <OnlyFirst rows={found.length} most={MOST} found />
    </Input.Wrapper>
  )
}
