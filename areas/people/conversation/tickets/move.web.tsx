import { Modal } from '@mantine/core'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
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
  const { send } = useChange('/tickets', '/my-tickets')
  const groups = useCall(groupCalls.groupsToAsk, {}, { enabled: to === 'route' })
  const others = useCall(
    ticketCalls.listTickets,
    { body: { perPage: 100, filters: { asker_id: ticket.asker.id } } },
    { enabled: to === 'merge' },
  )
  const loaded = (to === 'route' ? groups : others).data !== undefined
  const options =
    to === 'route'
      ? (groups.data?.data ?? [])
          .filter((one) => one.id !== ticket.group.id)
          .map((one) => ({ value: one.id, label: asLabel(nameOf(one, lang)) }))
      : (others.data?.data ?? [])
          .filter((one) => one.id !== ticket.id && one.status !== 'closed')
          .map((one) => ({ value: one.id, label: asLabel(`${one.number} · ${one.subject}`) }))
  const label = asLabel(t(to === 'route' ? 'group' : 'merge_target'))
  return (
    <Modal opened onClose={onClose} title={t(to === 'route' ? 'route' : 'merge')}>
      <p className={css.text}>{t(to === 'route' ? 'route_text' : 'merge_text')}</p>
      <Form
        fields={{
          chosen: f.choice(label, options, {
            required: true,
            ...(loaded && !options.length && { help: asLabel(t('nothing_to_choose')) }),
          }),
        }}
        bar="dialog"
        always
        submit={t(to === 'route' ? 'route' : 'merge')}
        onCancel={onClose}
        onSave={async ({ chosen }): Promise<number> => {
          const params = { id: ticket.id }
          const into = Number(chosen)
          await (to === 'route'
            ? send(ticketCalls.setGroup, { params, body: { group_id: into, version: ticket.version } })
            : send(ticketCalls.merge, { params, body: { into_id: into } }))
          return into
        }}
        onSaved={(into) => {
          onClose()
          notify.done(t(to === 'route' ? 'routed' : 'merged', { number: ticket.number }))
          void navigate(to === 'route' ? addressOf('/tickets') : addressOf('/tickets/:id', { id: into }))
        }}
      />
    </Modal>
  )
}
