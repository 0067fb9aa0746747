import { Switch } from '@mantine/core'
import { useState } from 'react'
import { f } from '#kit/contract/field.ts'
import type { ResponseOf } from '#kit/contract/index.ts'
import { useCall } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Empty, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { OnlyFirst } from '#kit/web/feedback/only-first.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { formatDate, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card, Cards, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { PAYMENT_WAYS } from '#areas/money/transactions/moves/transaction.contract.ts'
import { MOST_UNEXPLAINED, reconciliationCalls } from './batch.contract.ts'
import type { Reconciled } from './batch.contract.ts'
import { LineAmount, useLines } from './lines.web.tsx'
import css from './batches.module.css'

const DAY = f.date(['Day', 'اليوم'])

/** By day and account: what the ledger has, what the bank says, and what of it is not explained. */
export default function ReconciliationScreen() {
  const t = useT('banks')
  const [asked, setAsked] = useState<{ from?: string; to?: string; bank_id?: number | null; open: boolean }>({
    open: false,
  })
  const [shown, setShown] = useState<Reconciled | null>(null)
  const { data, error, refetch } = useCall(
    reconciliationCalls.list,
    { body: asked },
    { placeholderData: (before) => before },
  )
  const day = (key: 'from' | 'to') => (value: unknown) => {
    const text = typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) ? value : undefined
    if (value === null || text) setAsked(({ [key]: _before, ...rest }) => ({ ...rest, ...(text && { [key]: text }) }))
  }
  return (
    <Page title={t('reconciliation')} subtitle={data ? `${formatDate(data.from)} – ${formatDate(data.to)}` : '\u00A0'}>
      <Stack>
        <Cards least={200}>
          <DateInput
            key={`from ${data?.from ?? ''}`}
            name="from"
            label={t('from_day')}
            defaultValue={data?.from ?? null}
            onChange={day('from')}
            {...({ field: DAY } as object)}
          />
          <DateInput
            key={`to ${data?.to ?? ''}`}
            name="to"
            label={t('to_day')}
            defaultValue={data?.to ?? null}
            onChange={day('to')}
            {...({ field: DAY } as object)}
          />
          <LookupInput
            resource="bank"
            label={t('bank')}
            defaultValue={null}
            onChange={(bank_id) => setAsked((before) => ({ ...before, bank_id }))}
          />
          <Switch
            label={t('only_open')}
            checked={asked.open}
            onChange={(event) => {
              const open = event.currentTarget.checked
              setAsked((before) => ({ ...before, open }))
            }}
          />
        </Cards>
        {error ? (
          <Failed error={error} retry={() => void refetch()} />
        ) : data && !data.data.length ? (
          <Empty title={t('no_days')} text={t('no_days_text')} />
        ) : (
          <Card label={t('reconciliation')}>
            <Days rows={data?.data ?? []} onShown={setShown} />
          </Card>
        )}
        {data && data.providers.length > 0 && <Providers rows={data.providers} />}
      </Stack>
      {shown && <Day row={shown} onClose={() => setShown(null)} />}
    </Page>
  )
}

/** What of a day is not explained, each with its row. */
function Day({ row, onClose }: { row: Reconciled; onClose: () => void }) {
  const t = useT('banks')
  const lines = useLines()
  const { data } = useCall(reconciliationCalls.day, { params: { id: row.bank.id }, body: { day: row.day } })
  const { statement = [], ledger = [] } = data?.data ?? {}
  return (
    <Dialog
      opened
      onClose={onClose}
      title={`${formatDate(row.day)} · ${row.bank.code ?? ''}`}
      closeButtonProps={{ 'aria-label': t('close') }}
      size="xl"
    >
      <Stack>
        <Card title={t('said_not_known')}>
          {statement.length ? (
            <ul className={css.choices}>
              {statement.map((line) => (
                <li key={line.id}>
                  <button type="button" className={css.choice} onClick={() => lines.open(line)}>
                    <span className={css.two}>
                      <bdi>{line.counterparty ?? line.reference ?? line.description ?? '–'}</bdi>
                      <small>
                        <Code>{line.batch.number}</Code>
                      </small>
                    </span>
                    <LineAmount minor={line.direction === 'in' ? line.amount : -line.amount} currency={line.currency} />
                  </button>
                </li>
              ))}
            </ul>
          ) : (
            data && <p className={css.dim}>{t('nothing_open')}</p>
          )}
          <OnlyFirst rows={statement.length} most={MOST_UNEXPLAINED} />
        </Card>
        <Card title={t('booked_not_said')}>
          {ledger.length ? (
            <ul className={css.choices}>
              {ledger.map((one) => (
                <li key={one.entry_id} className={css.choice}>
                  <span className={css.two}>
                    {one.payer ? <Name row={one.payer} /> : <span>{one.reason ?? one.kind}</span>}
                    <small>{one.transaction && <Code>{one.transaction.number}</Code>}</small>
                  </span>
                  <LineAmount minor={one.amount} currency={row.currency} />
                </li>
              ))}
            </ul>
          ) : (
            data && <p className={css.dim}>{t('nothing_open')}</p>
          )}
          <OnlyFirst rows={ledger.length} most={MOST_UNEXPLAINED} />
        </Card>
        {statement.slice(0, 1).map((line) => (
          <Link key={line.id} to={to('/payments/batch/:id', { id: line.batch.id })}>
            {t('open_file', { number: line.batch.number })}
          </Link>
        ))}
      </Stack>
      {lines.dialog}
    </Dialog>
  )
}

/** Day by day and account by account. */
function Days({ rows, onShown }: { rows: readonly Reconciled[]; onShown: (day: Reconciled) => void }) {
  const t = useT('banks')
  const lang = useLanguage()
  return (
    <Table
      label={t('reconciliation')}
      rows={rows}
      rowKey={(row) => row.key}
      columns={[
        {
          key: 'day',
          label: t('day'),
          cell: (row) => (
            <button type="button" className={css.open} onClick={() => onShown(row)}>
              {formatDate(row.day)}
            </button>
          ),
        },
        { key: 'bank', label: t('bank'), cell: (row) => <bdi>{nameOf(row.bank, lang)}</bdi> },
        {
          key: 'ledger',
          label: t('of_ledger'),
          figure: true,
          cell: (row) => <LineAmount minor={row.ledger.in - row.ledger.out} currency={row.currency} />,
        },
        {
          key: 'statement',
          label: t('of_bank'),
          figure: true,
          cell: (row) => <LineAmount minor={row.statement.in - row.statement.out} currency={row.currency} />,
        },
        {
          key: 'difference',
          label: t('difference'),
          figure: true,
          cell: (row) =>
            row.difference === 0 ? (
              <Status is="done" label={t('agrees')} />
            ) : (
              <LineAmount minor={row.difference} currency={row.currency} />
            ),
        },
        {
          key: 'unexplained',
          label: t('unexplained'),
          figure: true,
          cell: (row) =>
            row.unexplained.lines > 0 ? (
              <span className={css.two}>
                <LineAmount minor={row.unexplained.amount} currency={row.currency} />
                <small>
                  {t('lines_n', { count: row.unexplained.lines, number: formatNumber(row.unexplained.lines) })}
                </small>
              </span>
            ) : (
              '–'
            ),
        },
      ]}
    />
  )
}

/** What lies with providers of payment. */
function Providers({ rows }: { rows: ResponseOf<typeof reconciliationCalls.list>['providers'] }) {
  const t = useT('banks')
  const say = useLabel()
  return (
    <Card title={t('with_providers')} text={t('with_providers_text')}>
      <Table
        label={t('with_providers')}
        rows={rows}
        rowKey={({ way, currency }) => `${way} ${currency}`}
        columns={[
          {
            key: 'way',
            label: t('way_paid'),
            cell: ({ way }) => say(PAYMENT_WAYS.find((paymentWay) => paymentWay.value === way)?.label ?? [way, way]),
          },
          {
            key: 'ledger',
            label: t('of_ledger'),
            figure: true,
            cell: ({ ledger, currency }) => <LineAmount minor={ledger.in - ledger.out} currency={currency} />,
          },
          {
            key: 'fees',
            label: t('fees_told'),
            figure: true,
            cell: ({ fees, currency }) => (fees ? <LineAmount minor={fees} currency={currency} /> : '–'),
          },
          {
            key: 'balance',
            label: t('lies_there'),
            figure: true,
            cell: ({ balance, currency }) => <LineAmount minor={balance} currency={currency} />,
          },
        ]}
      />
    </Card>
  )
}
