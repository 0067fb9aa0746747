import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to as addressOf, useNavigate } from '#kit/web/router/index.ts'
import css from '../conversation.module.css'
import { groupCalls } from '../groups/group.contract.ts'
import { ticketCalls } from './ticket.contract.ts'
import type { TicketDetail } from './ticket.contract.ts'

/** Hands a ticket to another group, or merges it into another of the same person. */
export default function MoveDialog({
  ticket,
  to,
  onClose,
}: {
  ticket: TicketDetail
  to: 'route' | 'merge'
  onClose: () => void
}) {
  const t = useT('conversation')
  const lang = useLanguage()
  const navigate = useNavigate()
  const { busy, problem, go, send } = useChange('/tickets', '/my-tickets')
  const [chosen, setChosen] = useState<string | null>(null)
  const groups = useCall(groupCalls.groupsToAsk, {}, { enabled: to === 'route' })
  const others = useCall(
    ticketCalls.listTickets,
    { body: { perPage: 100, filters: { asker_id: ticket.asker.id } } },
    { enabled: to === 'merge' },
  )
  const options =
    to === 'route'
      ? (groups.data?.data ?? [])
          .filter((one) => one.id !== ticket.group.id)
          .map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))
      : (others.data?.data ?? [])
          .filter((one) => one.id !== ticket.id && one.status !== 'closed')
          .map((one) => ({ value: String(one.id), label: `${one.number} · ${one.subject}` }))
  const save = async () => {
    const params = { id: ticket.id }
    const done = await go(async (): Promise<unknown> =>
      to === 'route'
        ? send(ticketCalls.setGroup, { params, body: { group_id: Number(chosen), version: ticket.version } })
        : send(ticketCalls.merge, { params, body: { into_id: Number(chosen) } }),
    )
    if (!done) return
    onClose()
    notify.done(t(to === 'route' ? 'routed' : 'merged', { number: ticket.number }))
    void navigate(to === 'route' ? addressOf('/tickets') : addressOf('/tickets/:id', { id: Number(chosen) }))
  }
  return (
    <Modal opened onClose={onClose} title={t(to === 'route' ? 'route' : 'merge')}>
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        {problem !== null && <Problems error={problem} />}
        <p className={css.text}>{t(to === 'route' ? 'route_text' : 'merge_text')}</p>
        <Select
          data-autofocus
          searchable
          label={t(to === 'route' ? 'group' : 'merge_target')}
          data={options}
          value={chosen}
          onChange={setChosen}
          nothingFoundMessage={t('nothing_to_choose')}
        />
        <div className={css.buttons}>
          <Submit
            type="submit"
            loading={busy}
            missing={[!chosen && t(to === 'route' ? 'group' : 'merge_target')]}
            onCancel={onClose}
          >
            {t(to === 'route' ? 'route' : 'merge')}
          </Submit>
        </div>
      </form>
    </Modal>
  )
}
