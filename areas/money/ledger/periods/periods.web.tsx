import { Button, Modal } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useState } from 'react'
import { addDays } from '#kit/contract/day.ts'
import { f } from '#kit/contract/field.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Refusals } from '#kit/web/detail/parts.tsx'
import { Empty, Failed, Status, notify } from '#kit/web/feedback/index.ts'
import { Form, useFormValue } from '#kit/web/form/form.tsx'
import { formatDate, formatInstant, formatMoney, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton } from '#kit/web/list/main-button.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { periodCalls as calls, type Closing } from './period.contract.ts'
import shared from '../../money.module.css'
import css from '../ledger.module.css'

const AFTER = '/ledger/periods'
const CLOSING = {
  closed_through: f.date(['Close through', 'الإقفال حتى'], { required: true }),
  note: f.longText(['Note', 'ملاحظة'], { max: 500 }),
}
const REOPENING = { reason: f.longText(['Reason', 'السبب'], { required: true, max: 500 }) }

/** Periods of the books: through which day they are closed, by whom, and what was taken back. */
export default function Periods() {
  const t = useT('ledger')
  const { data, error, refetch } = useCall(calls.list)
  const [closing, setClosing] = useState(false)
  const [reopening, setReopening] = useState<Closing | null>(null)
  const found = data?.data
  return (
    <Page
      title={t('periods')}
      subtitle={
        found
          ? found.closed_through === null
            ? t('periods_open')
            : t('periods_through', { day: formatDate(found.closed_through) })
          : ' '
      }
      action={
        may('close_ledger') ? (
          <MainButton
            action={{
              key: 'close',
              label: t('period_close'),
              icon: <IconLock size={16} aria-hidden />,
              onSelect: () => setClosing(true),
            }}
          />
        ) : undefined
      }
    >
      {error && !found ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !found ? (
        <Bone height={280} />
      ) : (
        <Stack>
          <p className={shared.text}>{t('periods_text')}</p>
          {found.closings.length ? (
            <Closings rows={found.closings} last={found.closed_through} onReopen={setReopening} />
          ) : (
            <Card>
              <Empty title={t('periods_none')} text={t('periods_none_text')} />
            </Card>
          )}
        </Stack>
      )}
      {closing && found && (
        <CloseDialog today={found.today} closed={found.closed_through} onClose={() => setClosing(false)} />
      )}
      {reopening && <ReopenDialog of={reopening} onClose={() => setReopening(null)} />}
    </Page>
  )
}

function Closings({
  rows,
  last,
  onReopen,
}: {
  rows: readonly Closing[]
  last: string | null
  onReopen: (of: Closing) => void
}) {
  const t = useT('ledger')
  const lang = useLanguage()
  const by = (who: Closing['closed_by'], at: string) => (
    <span className={css.two}>
      <bdi>{nameOf(who, lang)}</bdi>
      <small>{formatInstant(at)}</small>
    </span>
  )
  return (
    <Card>
      <Table
        label={t('periods')}
        rows={rows}
        rowKey={(row) => row.id}
        columns={[
          { key: 'through', label: t('period_through'), cell: (row) => formatDate(row.closed_through) },
          {
            key: 'state',
            label: t('period_state'),
            cell: (row) =>
              row.reopened_at === null ? (
                <Status is="done" label={t('period_closed')} />
              ) : (
                <Status is="cancelled" label={t('period_reopened')} />
              ),
          },
          { key: 'closed', label: t('period_by'), cell: (row) => by(row.closed_by, row.closed_at) },
          {
            key: 'note',
            label: t('period_note'),
            cell: (row) => (
              <span className={css.two}>
                {row.note !== null && <bdi>{row.note}</bdi>}
                {row.reopened_by !== null && row.reopened_at !== null && (
                  <small>
                    {t('period_reopened_by', {
                      name: nameOf(row.reopened_by, lang),
                      at: formatInstant(row.reopened_at),
                    })}
                    {': '}
                    <bdi>{row.reopen_reason}</bdi>
                  </small>
                )}
              </span>
            ),
          },
          {
            key: 'act',
            label: t('period_reopen'),
            unseen: true,
            end: true,
            cell: (row) =>
              may('close_ledger') && row.reopened_at === null && row.closed_through === last ? (
                <Button size="compact-sm" variant="default" onClick={() => onReopen(row)}>
                  {t('period_reopen')}
                </Button>
              ) : null,
          },
        ]}
      />
    </Card>
  )
}

/** The last day of the month before. */
const lastMonth = (today: string): string => addDays(`${today.slice(0, 8)}01`, -1)

function CloseDialog({ today, closed, onClose }: { today: string; closed: string | null; onClose: () => void }) {
  const t = useT('ledger')
  const { send } = useChange(AFTER)
  const usual = lastMonth(today)
  return (
    <Modal opened onClose={onClose} title={t('period_close')}>
      <Form
        fields={CLOSING}
        values={{ closed_through: closed === null || usual > closed ? usual : addDays(today, -1) }}
        bar="dialog"
        always
        submit={t('period_close')}
        onCancel={onClose}
        below={<Preview />}
        onSave={(values) =>
          send(calls.close, {
            body: { closed_through: values.closed_through as string, note: (values.note as string | null) || null },
          })
        }
        onSaved={({ data }) => {
          notify.done(t('periods_through', { day: formatDate(data.closed_through) }))
          onClose()
        }}
      />
    </Modal>
  )
}

/** What closing through the chosen day would come to, before it is done. */
function Preview() {
  const t = useT('ledger')
  const day = useFormValue('closed_through') as string | null
  const { data, error, refetch } = useCall(
    calls.preview,
    { body: { closed_through: day ?? '' } },
    { enabled: Boolean(day) },
  )
  if (!day) return null
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <Bone height={96} />
  const { from, entries, sums, waiting, reasons } = data.data
  const waits = waiting.transactions + waiting.slips + waiting.lines
  return (
    <Stack gap={8}>
      <p className={shared.text}>
        {from === null
          ? t('period_nothing')
          : t('period_holds', {
              count: entries,
              from: formatDate(from),
              sums: sums.map((sum) => formatMoney(sum.amount, sum.currency)).join(' · ') || '–',
            })}
      </p>
      {waits > 0 && <p className={shared.text}>{t('period_waits', waiting)}</p>}
      {reasons.length > 0 && (
        <Refusals
          title={t('period_not_yet')}
          reasons={reasons.map((reason) => ({ code: reason.code, text: problemText(reason) }))}
        />
      )}
    </Stack>
  )
}

function ReopenDialog({ of, onClose }: { of: Closing; onClose: () => void }) {
  const t = useT('ledger')
  const { send } = useChange(AFTER)
  return (
    <Modal opened onClose={onClose} title={t('period_reopen_title', { day: formatDate(of.closed_through) })}>
      <Stack>
        <p className={shared.text}>{t('period_reopen_text')}</p>
        <Form
          fields={REOPENING}
          bar="dialog"
          always
          submit={t('period_reopen')}
          onCancel={onClose}
          onSave={(values) => send(calls.reopen, { params: { id: of.id }, body: { reason: values.reason as string } })}
          onSaved={() => {
            notify.done(t('period_reopened'))
            onClose()
          }}
        />
      </Stack>
    </Modal>
  )
}
