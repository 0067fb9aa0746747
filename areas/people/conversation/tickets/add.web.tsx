import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Failed, notify } from '#kit/web/feedback/index.ts'
import { DraftOffer, useDraft } from '#kit/web/form/draft.tsx'
import { useLeast } from '#kit/web/form/least.ts'
import { nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { forgetUnsaved, to, useNavigate } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Composer } from '../composer.web.tsx'
import css from '../conversation.module.css'
import { groupCalls } from '../groups/group.contract.ts'
import { TICKET_TYPES, ticketCalls, ticketFields } from './ticket.contract.ts'
import type { TicketRow } from './ticket.contract.ts'

/** Asks a group of staff something. */
export default function AddTicket() {
  const t = useT('conversation')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const { data, error, refetch } = useCall(groupCalls.groupsToAsk)
  const { send } = useChange('/tickets', '/my-tickets')
  const [group, setGroup] = useState<string | null>(null)
  const [type, setType] = useState<TicketRow['type']>('question')
  const [subject, setSubject] = useState('')
  const ofSubject = useLeast(subject, 3)
  const [body, setBody] = useState('')
  const [begun, setBegun] = useState('')
  const typed = subject.trim() !== '' || body.trim() !== ''
  const draft = useDraft('ticket', typed ? { group, type, subject, body } : null, (kept) => {
    setGroup(kept.group ?? null)
    setType(kept.type ?? 'question')
    setSubject(kept.subject ?? '')
    setBegun(kept.body ?? '')
  })
  if (error && !data) {
    return (
      <Page title={t('open_ticket')}>
        <Failed error={error} retry={() => void refetch()} />
      </Page>
    )
  }
  return (
    <Page title={t('open_ticket')} subtitle={t('open_ticket_text')} wide={false}>
      <Card>
        <div className={css.form}>
          <DraftOffer of={draft} />
          <Select
            label={t('group')}
            required
            disabled={!data}
            data={data?.data.map((one) => ({
              value: String(one.id),
              label: one.parent ? `${nameOf(one.parent, lang)} · ${nameOf(one, lang)}` : nameOf(one, lang),
            }))}
            value={group}
            onChange={setGroup}
          />
          <Select
            label={say(ticketFields.type.label)}
            data={TICKET_TYPES.map((ticketType) => ({ value: ticketType.value, label: say(ticketType.label) }))}
            value={type}
            allowDeselect={false}
            onChange={(value) => setType(value ?? 'question')}
          />
          <TextInput
            label={say(ticketFields.subject.label)}
            {...ofSubject}
            required
            dir="auto"
            maxLength={200}
            value={subject}
            onChange={(event) => setSubject(event.currentTarget.value)}
          />
          <Composer
            key={begun}
            begun={begun}
            onBody={setBody}
            label={t('description')}
            action={t('open_ticket')}
            minRows={5}
            missing={[group === null && t('group'), subject.trim().length < 3 && say(ticketFields.subject.label)]}
            send={async ({ body, file_ids, key }) => {
              const answer = await send(ticketCalls.openTicket, {
                body: { group_id: Number(group), type, subject: subject.trim(), description: body, file_ids, key },
              })
              notify.done(t('opened', { number: answer.data.number }))
              draft.sent()
              forgetUnsaved()
              void navigate(to('/my-tickets/:id', { id: answer.data.id }))
            }}
          />
        </div>
      </Card>
    </Page>
  )
}
