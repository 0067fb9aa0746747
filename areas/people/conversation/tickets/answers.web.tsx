import { Button, Menu } from '@mantine/core'
import { IconMessage2 } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { ticketCalls } from './ticket.contract.ts'
import type { TicketDetail } from './ticket.contract.ts'

/** Texts that answer what is asked often: one goes into the reply, in the language one works in, and is changed there. */
export default function AnswerTexts({ ticket, take }: { ticket: TicketDetail; take: (text: string) => void }) {
  const t = useT('conversation')
  const lang = useLanguage()
  const { data } = useCall(ticketCalls.answerTexts, { params: { id: ticket.id } })
  const texts = data?.data ?? []
  if (!texts.length) return null
  return (
    <Menu position="top-start" width={280}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<IconMessage2 size={16} aria-hidden />}>
          {t('answer_texts')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah={320} style={{ overflowY: 'auto' }}>
        {texts.map((one) => (
          <Menu.Item
            key={one.id}
            onClick={() =>
              take((lang === 'ar' ? one.text_local : one.text).replaceAll('{name}', nameOf(ticket.asker, lang)))
            }
          >
            {nameOf(one, lang)}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
