import { PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { Textarea } from '@mantine/core'
import { IconCheck, IconFileSearch, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { f } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { formatInstant, formatMoney, formatNumber, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { VERDICTS, providerEventCalls as calls, type ProviderEventRow } from './providers.contract.ts'
import { providerName } from '../moves/words.web.tsx'
import css from './providers.module.css'

type Row = ProviderEventRow & AnyRow
type What = 'book' | 'close' | 'look'

const FIELDS = {
  open: f.flag(['Waits for a decision', 'تنتظر قرارًا']),
  verdict: f.choice(['What became of it', 'ما نتج عنها'], VERDICTS),
  provider: f.choice(
    ['Provider', 'مزود الدفع'],
    [
      { value: 'fawry', label: ['FawryPay', 'فوري'], tone: 'draft' },
      { value: 'paymob', label: ['Paymob', 'باي موب'], tone: 'draft' },
    ],
  ),
}
const money = (amount: number | null, currency: string | null) =>
  amount === null || currency === null ? '–' : <bdi>{formatMoney(amount, currency)}</bdi>

const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'at',
    label: ['Received', 'وردت'],
    sort: true,
    width: 170,
    cell: (row) => (
      <span className={css.two}>
        {formatInstant(row.at)}
        {row.times > 1 && <small>{`× ${formatNumber(row.times)}`}</small>}
      </span>
    ),
  },
  {
    key: 'provider',
    label: FIELDS.provider.label,
    width: 90,
    priority: 7,
    cell: (row) => <bdi>{providerName(row.provider)}</bdi>,
  },
  { key: 'verdict', label: FIELDS.verdict.label, field: FIELDS.verdict, width: 250, least: 240, priority: 1 },
  {
    key: 'student',
    label: ['Payer', 'الدافع'],
    width: 200,
    least: 160,
    priority: 4,
    cell: (row) => <PayerName of={row} />,
  },
  {
    key: 'amount',
    label: ['Came', 'الوارد'],
    sort: true,
    width: 130,
    least: 125,
    priority: 2,
    align: 'end',
    cell: (row) => money(row.amount, row.currency),
  },
  {
    key: 'asked',
    label: ['Asked', 'المطلوب'],
    width: 130,
    least: 125,
    priority: 3,
    align: 'end',
    cell: (row) => money(row.asked?.amount ?? null, row.asked?.currency ?? null),
  },
  {
    key: 'payment',
    label: ['Payment at the provider', 'رقم العملية لدى المزود'],
    width: 150,
    priority: 8,
    cell: (row) => row.payment && <Code>{row.payment}</Code>,
  },
  {
    key: 'reference',
    label: ['Our reference', 'مرجعنا'],
    width: 190,
    hidden: true,
    cell: (row) => row.reference && <Code>{row.reference}</Code>,
  },
  {
    key: 'reason',
    label: ['Decision', 'القرار'],
    width: 200,
    priority: 9,
    cell: (row) => row.reason && <bdi>{row.reason}</bdi>,
  },
]
const VIEWS = [
  {
    key: 'open',
    label: ['To look at', 'تحتاج إلى نظر'] as const,
    query: `filters=${encodeURIComponent(JSON.stringify({ open: true }))}`,
  },
]

/** What payment providers said: what the program booked, and what waits for a person. */
export default function ProviderEvents() {
  const t = useT('transactions')
  const [shown, setShown] = useState<{ row: Row; what: What } | null>(null)
  const actions = (row: Row): RowAction[] => [
    ...(row.open && (row.student ?? row.payer) && row.status === 'paid'
      ? [
          {
            key: 'book',
            label: t('event_book'),
            icon: <IconCheck size={16} aria-hidden />,
            onSelect: () => setShown({ row, what: 'book' }),
          },
        ]
      : []),
    ...(row.open
      ? [
          {
            key: 'close',
            label: t('event_close'),
            icon: <IconX size={16} aria-hidden />,
            onSelect: () => setShown({ row, what: 'close' }),
          },
        ]
      : []),
    {
      key: 'look',
      label: t('event_look'),
      icon: <IconFileSearch size={16} aria-hidden />,
      onSelect: () => setShown({ row, what: 'look' }),
    },
  ]
  return (
    <>
      <ListScreen<Row>
        call={calls.providerEvents}
        title={['Messages of payment providers', 'رسائل مزودي الدفع']}
        columns={COLUMNS}
        filters={FIELDS}
        views={VIEWS}
        order={['at', 'desc']}
        rowName={(row) => row.payment ?? row.reference ?? String(row.id)}
        actions={actions}
        inlineWidth={120}
        inline={(row) => {
          const [next] = actions(row)
          return row.open && next
            ? { ...next, short: t(next.key === 'book' ? 'event_book_short' : 'event_close_short') }
            : null
        }}
        empty={{ title: t('events_empty'), text: t('events_empty_text') }}
      />
      {shown?.what === 'look' && <Came row={shown.row} onClose={() => setShown(null)} />}
      {shown && shown.what !== 'look' && (
        <Decide key={shown.row.id} row={shown.row} what={shown.what} onClose={() => setShown(null)} />
      )}
    </>
  )
}

function Decide({ row, what, onClose }: { row: Row; what: 'book' | 'close'; onClose: () => void }) {
  const t = useT('transactions')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange('/transactions', '/payments', '/users/work')
  const [reason, setReason] = useState('')
  const save = async () => {
    const body = { decision: what, reason, version: row.version }
    if (!(await go(() => send(calls.decideProviderEvent, { params: { id: row.id }, body })))) return
    notify.done(t(what === 'book' ? 'event_booked' : 'event_closed'))
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(what === 'book' ? 'event_book' : 'event_close')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <p className={css.text}>
          <bdi>{payerCalled(row, lang)}</bdi>{' '}
          {t('event_amounts', {
            came: row.amount === null ? '–' : formatMoney(row.amount, row.currency ?? 'EGP'),
            asked: row.asked ? formatMoney(row.asked.amount, row.asked.currency) : '–',
          })}
        </p>
        <p className={css.text}>{t(what === 'book' ? 'event_book_text' : 'event_close_text')}</p>
        <Textarea
          data-autofocus
          label={t('reason')}
          required
          autosize
          minRows={2}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[reason.trim().length < 3 && t('reason')]}
            onClick={() => void save()}
          >
            {t(what === 'book' ? 'event_book' : 'event_close')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}

/** The bytes as they came. */
function Came({ row, onClose }: { row: Row; onClose: () => void }) {
  const t = useT('transactions')
  const { data, error, refetch } = useCall(calls.providerEvent, { params: { id: row.id } })
  const came = data?.data.came
  return (
    <Dialog opened onClose={onClose} size="lg" title={t('event_look')} closeButtonProps={{ 'aria-label': t('close') }}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !data ? (
        <Bone height={200} />
      ) : !came ? (
        <p className={css.text}>{t('event_asked')}</p>
      ) : (
        <Stack>
          {row.error && <p className={css.text}>{row.error}</p>}
          <pre className={css.raw} dir="ltr">
            {came.query && `?${came.query}\n\n`}
            {came.body}
          </pre>
          <p className={css.text}>
            <Code>{came.ip ?? '–'}</Code> · SHA-256 <Code>{came.hash}</Code>
          </p>
        </Stack>
      )}
    </Dialog>
  )
}
