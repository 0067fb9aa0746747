import { ActionIcon, Modal, Tooltip } from '@mantine/core'
import { IconUserMinus } from '@tabler/icons-react'
import { useChange } from '#kit/web/api/index.ts'
import { confirm } from '#kit/web/feedback/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import css from '../conversation.module.css'
import { chatCalls } from './chat.contract.ts'
import type { ChatDetail } from './chat.contract.ts'

/** Who takes part in a group; who made it takes people out. */
export default function MembersDialog({ chat, onClose }: { chat: ChatDetail; onClose: () => void }) {
  const t = useT('conversation')
  const lang = useLanguage()
  const { send } = useChange('/chats')
  return (
    <Modal opened onClose={onClose} title={t('chat_members')}>
      <ul className={css.people}>
        {chat.people.map((person) => {
          const name = nameOf(person, lang)
          return (
            <li key={person.id} className={css.member}>
              <bdi>{name}</bdi>
              {chat.abilities.includes('take_out') && (
                <Tooltip label={t('chat_take_out', { name })}>
                  <ActionIcon
                    variant="subtle"
                    color="gray"
                    size={34}
                    aria-label={t('chat_take_out', { name })}
                    onClick={() =>
                      void confirm({
                        title: t('chat_take_out_question', { name }),
                        consequence: t('chat_take_out_text'),
                        action: t('chat_take_out_do'),
                        go: () => send(chatCalls.takeOut, { params: { id: chat.id }, body: { user_id: person.id } }),
                      })
                    }
                  >
                    <IconUserMinus size={17} aria-hidden />
                  </ActionIcon>
                </Tooltip>
              )}
            </li>
          )
        })}
        {chat.people.length === 0 && <li className={css.dim}>{t('chat_nobody')}</li>}
      </ul>
    </Modal>
  )
}
