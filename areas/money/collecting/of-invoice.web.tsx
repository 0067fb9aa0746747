import { useCall } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { formatDate, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { Plans } from './plans/of.web.tsx'
import { Promises } from './promises/of.web.tsx'
import { reminderCalls } from './reminders/reminder.contract.ts'
import { Since, StepName, useWay } from './reminders/words.web.tsx'

interface Collected {
  readonly id: number
  readonly number: string
  readonly currency: string
  readonly open: number
}
const LATEST = 20

/** How an invoice is collected: plans to pay it in parts, what was promised of it, and of what its student was reminded. */
export function CollectingOfInvoice({ invoice }: { invoice: Collected }) {
  const { type } = useMe().user
  return (
    <Stack>
      <Plans of={{ invoice }} own={type === 3} />
      <Promises of={{ invoice }} own={type === 3} />
      <RemindersOfInvoice invoice={invoice} />
    </Stack>
  )
}

function RemindersOfInvoice({ invoice }: { invoice: Collected }) {
  const t = useT('collecting')
  const me = useMe()
  const way = useWay()
  const asked = useCall(
    reminderCalls.list,
    { body: { perPage: LATEST, filters: { invoice_id: [invoice.id] } } },
    { enabled: me.can('access_reminder') },
  )
  useEvent('account', () => void asked.refetch())
  const found = asked.data
  if (!found?.data.length) return null
  const all = `${to('/reminders')}?filters=${encodeURIComponent(JSON.stringify({ invoice_id: [invoice.id] }))}`
  return (
    <Card title={t('reminders')} aside={<Link to={all}>{t('all_reminders', { count: found.meta.count })}</Link>}>
      <Table
        label={t('reminders')}
        rows={found.data}
        rowKey={(one) => one.id}
        columns={[
          { key: 'sent', label: t('sent_on'), head: true, cell: (one) => formatDate(one.sent_on) },
          { key: 'step', label: t('step'), cell: (one) => <StepName of={one.step} /> },
          { key: 'due', label: t('due'), cell: (one) => formatDate(one.due_date) },
          {
            key: 'amount',
            label: t('amount'),
            figure: true,
            cell: (one) => <bdi>{formatMoney(one.amount, one.currency)}</bdi>,
          },
          { key: 'way', label: t('told_by'), cell: (one) => way(one) },
          { key: 'since', label: t('since'), cell: (one) => <Since of={one} /> },
        ]}
      />
    </Card>
  )
}
