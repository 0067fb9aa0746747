import { Modal, Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { notify } from '#kit/web/feedback/index.ts'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Form } from '#kit/web/form/form.tsx'
import { nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to as addressOf, useNavigate } from '#kit/web/router/index.ts'
import css from '../conversation.module.css'
import { groupCalls } from '../groups/group.contract.ts'
import { ticketCalls, ticketFlow } from './ticket.contract.ts'
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
  const others = useMemo(() => ticketsOf(ticket), [ticket])
  const options = (groups.data?.data ?? [])
    .filter((one) => one.id !== ticket.group.id)
    .map((one) => ({ value: one.id, label: asLabel(nameOf(one, lang)) }))
  const none = groups.data !== undefined && !options.length
  return (
    <Modal opened onClose={onClose} title={t(to === 'route' ? 'route' : 'merge')}>
      <p className={css.text}>{t(to === 'route' ? 'route_text' : 'merge_text')}</p>
      <Form
        fields={{
          chosen:
            to === 'route'
              ? f.choice(asLabel(t('group')), options, {
                  required: true,
                  ...(none && { help: asLabel(t('nothing_to_choose')) }),
                })
              : f.integer(asLabel(t('merge_target')), { required: true }),
        }}
        inputs={to === 'merge' ? { chosen: others } : undefined}
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

const NOT_CLOSED = ticketFlow.states.flatMap(({ value }) => (value === 'closed' ? [] : [value]))

/** The other tickets of the person that are not closed: those found by number and subject, the newest first. */
function ticketsOf({ id, asker }: TicketDetail): FieldInput {
  return function TicketInput({ label, error, onChange, onBlur, id: field }) {
    const t = useT('conversation')
    const { most, more } = useMost(20, MOST_OF_PAGE)
    const [typed, setTyped] = useState('')
    const [chosen, setChosen] = useState<{ readonly value: string; readonly label: string } | null>(null)
    const [search] = useDebouncedValue(chosen?.label === typed ? '' : typed.trim(), 200)
    const filters = { asker_id: asker.id, status: NOT_CLOSED }
    const { data } = useCall(
      ticketCalls.listTickets,
      { body: { perPage: most, search, filters, order_by: 'created_at', order_direction: 'desc' } },
      { placeholderData: keepPreviousData },
    )
    const found = (data?.data ?? []).filter((one) => one.id !== id)
    const options = found.map((one) => ({ value: String(one.id), label: `${one.number} · ${one.subject}` }))
    if (chosen && !options.some(({ value }) => value === chosen.value)) options.unshift(chosen)
    return (
      <>
        <Select
          id={field}
          label={label}
          error={error}
          description={data && !options.length && !search ? t('nothing_to_choose') : undefined}
          searchable
          // Found by the server: what it answers is offered as it is.
          filter={({ options: all }) => all}
          data={options}
          value={chosen?.value ?? null}
          onSearchChange={setTyped}
          onBlur={onBlur}
          onChange={(value) => {
            setChosen(options.find((one) => one.value === value) ?? null)
            onChange(value === null ? null : Number(value))
          }}
        />
        {data && (
          // The ticket itself is among them.
          <MoreRows shown={data.data.length} total={data.meta.count} onMore={more} found />
        )}
      </>
    )
  }
}
