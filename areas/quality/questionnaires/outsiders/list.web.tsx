import { ActionIcon, Button } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useMediaQuery } from '@mantine/hooks'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import type { ResponseOf } from '#kit/contract/call.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { act, Empty, Failed, Status, type State } from '#kit/web/feedback/index.ts'
import { MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, useT } from '#kit/web/i18n/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { AddOutsiders } from './add.web.tsx'
import { OutsiderDialog } from './one.web.tsx'
import { outsiderCalls, type OUTSIDER_STATES } from './outsider.contract.ts'
import css from '../questionnaires.module.css'

type Outsider = ResponseOf<typeof outsiderCalls.list>['data'][number]
const LOOKS = {
  listed: 'queued',
  sent: 'waits',
  answered: 'finished',
  refused: 'left_out',
} as const satisfies Readonly<Record<(typeof OUTSIDER_STATES)[number], State>>

/** The list of a questionnaire to people outside: who is asked, was written to, has answered, or wants no mails. */
export function Outsiders({ id }: { id: number }) {
  const t = useT('questionnaires')
  const { may } = useMe()
  const { most, more } = useMost()
  const [adding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Outsider | null>(null)
  const { send } = useChange('/questionnaires')
  // On a phone the state stands beneath the name.
  const narrow = useMediaQuery('(max-width: 40em)', undefined, { getInitialValueInEffect: false })
  const { data, error, refetch } = useCall(
    outsiderCalls.list,
    { params: { id }, query: { most } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={260} />
  const changes = data.open && may('edit_questionnaire')
  const remove = ({ id: outsider, name }: Outsider) =>
    act({
      ask: { title: t('outsider_remove_ask', { name }), action: t('outsider_remove'), danger: true },
      go: () => send(outsiderCalls.remove, { params: { id: outsider } }),
      done: () => t('outsider_removed', { name }),
    })
  return (
    <Card
      title={t('outsiders')}
      text={t('outsiders_text')}
      aside={changes && <Button onClick={() => setAdding(true)}>{t('outsiders_add')}</Button>}
    >
      {data.data.length === 0 ? (
        <Empty title={t('outsiders_none')} text={changes ? t('outsiders_none_text') : undefined} />
      ) : (
        <Table
          label={t('outsiders')}
          rows={data.data}
          rowKey={(row) => row.id}
          columns={[
            {
              key: 'name',
              label: t('name'),
              head: true,
              style: { minInlineSize: 168 },
              cell: (row) => (
                <span className={css.line}>
                  <span>
                    <bdi>{row.name}</bdi>
                  </span>
                  {row.organisation && (
                    <small>
                      <bdi>{row.organisation}</bdi>
                    </small>
                  )}
                  <small>
                    <bdi dir="ltr">{row.email}</bdi>
                  </small>
                  {narrow && (
                    <span>
                      <StateOf row={row} />
                    </span>
                  )}
                </span>
              ),
            },
            !narrow && { key: 'state', label: t('state'), cell: (row) => <StateOf row={row} /> },
            ...(changes
              ? [
                  {
                    key: 'actions',
                    label: t('outsider_actions'),
                    unseen: true,
                    end: true,
                    cell: (row: Outsider) => (
                      <OutsiderActions of={row} onEdit={() => setEditing(row)} onRemove={() => void remove(row)} />
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
      <MoreRows shown={data.data.length} total={data.total} onMore={more} />
      {adding && <AddOutsiders id={id} onClose={() => setAdding(false)} />}
      {editing && <OutsiderDialog of={editing} onClose={() => setEditing(null)} />}
    </Card>
  )
}

function StateOf({ row: { state, sent_on } }: { row: Outsider }) {
  const t = useT('questionnaires')
  const label = state === 'sent' && sent_on ? t('outsider_sent', { date: formatDate(sent_on) }) : t(`outsider_${state}`)
  return <Status is={LOOKS[state]} label={label} />
}

/** Who has answered stays as written to, who was written to stays on the list. */
function OutsiderActions({ of, onEdit, onRemove }: { of: Outsider; onEdit: () => void; onRemove: () => void }) {
  const t = useT('questionnaires')
  return (
    <span className={css.rowActions}>
      {of.state !== 'answered' && (
        <ActionIcon variant="subtle" size="lg" aria-label={t('outsider_edit', { name: of.name })} onClick={onEdit}>
          <IconPencil size={18} aria-hidden />
        </ActionIcon>
      )}
      {of.sent_on === null && of.state !== 'answered' && (
        <ActionIcon
          variant="subtle"
          size="lg"
          aria-label={t('outsider_remove_of', { name: of.name })}
          onClick={onRemove}
        >
          <IconTrash size={18} aria-hidden />
        </ActionIcon>
      )}
    </span>
  )
}
