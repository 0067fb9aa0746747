import { IconFileExport, IconListDetails, IconLock } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useCall } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Status } from '#kit/web/feedback/index.ts'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { DataTable } from '#kit/web/list/data-table.tsx'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { useSearchParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { ACCOUNT_KINDS } from '../accounts/account.contract.ts'
import { entriesHref } from '../money.web.tsx'
import { ProofCard } from '../proof/proof.web.tsx'
import { entryCalls, type BalanceRow } from './entry.contract.ts'
import shared from '../../money.module.css'
import css from '../ledger.module.css'

const JournalDialog = lazy(async () => ({ default: (await import('../journal/dialog.web.tsx')).JournalDialog }))

/** The ledger at a glance: whether it is proven, and what stands on its accounts. */
export default function Ledger() {
  const t = useT('ledger')
  const [journal, setJournal] = useState(false)
  return (
    <Page
      title={t('ledger')}
      subtitle={t('ledger_text')}
      action={
        may('access_ledger') ? (
          <MainButton
            action={{
              key: 'entries',
              label: t('entries'),
              icon: <IconListDetails size={16} aria-hidden />,
              href: '/ledger/entries',
            }}
          />
        ) : undefined
      }
      menu={
        <MenuItems
          actions={[
            ...(may('access_ledger') || may('close_ledger')
              ? [
                  {
                    key: 'periods',
                    label: t('periods'),
                    icon: <IconLock size={16} aria-hidden />,
                    href: '/ledger/periods',
                  },
                ]
              : []),
            ...(may('export_journal')
              ? [
                  {
                    key: 'journal',
                    label: t('journal'),
                    icon: <IconFileExport size={16} aria-hidden />,
                    onSelect: () => setJournal(true),
                  },
                ]
              : []),
          ]}
        />
      }
    >
      <Stack>
        <ProofCard />
        {may('access_ledger') && <Balances />}
      </Stack>
      {journal && (
        <Suspense>
          <JournalDialog onClose={() => setJournal(false)} />
        </Suspense>
      )}
    </Page>
  )
}

/** A day of the address that is one. */
const dayIn = (text: string | null): string | null => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null)

function Balances() {
  const t = useT('ledger')
  const [address, setAddress] = useSearchParams()
  const until = dayIn(address.get('until'))
  const { data, error, refetch, isPlaceholderData } = useCall(
    entryCalls.balances,
    { body: until === null ? {} : { until } },
    { placeholderData: keepPreviousData },
  )
  const rows = data?.data
  const choose = (value: unknown) => {
    const next = new URLSearchParams(address)
    const day = dayIn(typeof value === 'string' ? value : null)
    if (day === null) next.delete('until')
    else next.set('until', day)
    if (value === null || day !== null) setAddress(next, { replace: true })
  }
  if (error && !rows) return <Failed error={error} retry={() => void refetch()} />
  const currencies = [...Map.groupBy(rows ?? [], (row) => row.currency)]
  return (
    <>
      <div className={css.bar}>
        <DateInput name="until" label={t('until')} defaultValue={until} onChange={choose} />
      </div>
      {!rows && <Bone height={420} />}
      {rows?.length === 0 && (
        <Card>
          <Empty title={t('nothing_booked')} text={t('nothing_booked_text')} />
        </Card>
      )}
      <Stack busy={isPlaceholderData}>
        {currencies.map(([currency, of]) => (
          <TrialBalance key={currency} currency={currency} rows={of} until={until} />
        ))}
      </Stack>
    </>
  )
}

function TrialBalance({
  currency,
  rows,
  until,
}: {
  currency: string
  rows: readonly BalanceRow[]
  until: string | null
}) {
  const t = useT('ledger')
  const say = useLabel()
  const lang = useLanguage()
  const sum = (of: (row: BalanceRow) => number) => rows.reduce((all, row) => all + of(row), 0)
  const [debit, credit] = [sum((row) => Math.max(row.balance, 0)), sum((row) => Math.max(-row.balance, 0))]
  const money = (minor: number) =>
    minor === 0 ? <span className={shared.dim}>–</span> : <Code>{formatMoney(minor, currency)}</Code>
  return (
    <Card
      title={t('trial_balance', { currency })}
      aside={
        <Status
          is={debit === credit ? 'done' : 'failed'}
          label={t('balance_sides', { debit: formatMoney(debit, currency), credit: formatMoney(credit, currency) })}
        />
      }
    >
      <DataTable
        caption={t('trial_balance', { currency })}
        rows={rows.map((row) => ({
          ...row,
          id: row.account.id,
          name: row.account.name,
          name_local: row.account.name_local,
        }))}
        rowHref={(row) =>
          entriesHref({ account_id: [row.account.id], ...(until !== null && { booked_on: { to: until } }) })
        }
        rowName={(row) => nameOf(row.account, lang)}
        columns={[
          {
            key: 'account',
            label: ['Account', 'الحساب'],
            width: 280,
            value: (row) => row.account.code,
            sort: true,
            cell: (row) => (
              <span className={css.two}>
                <bdi>{nameOf(row.account, lang)}</bdi>
                <small>
                  <Code>{row.account.code}</Code>
                </small>
              </span>
            ),
          },
          {
            key: 'kind',
            label: ['Kind', 'النوع'],
            width: 130,
            cell: (row) => say(ACCOUNT_KINDS.find((accountKind) => accountKind.value === row.account.kind)!.label),
          },
          { key: 'debit', label: ['Debits', 'المدين'], width: 150, align: 'end', cell: (row) => money(row.debit) },
          { key: 'credit', label: ['Credits', 'الدائن'], width: 150, align: 'end', cell: (row) => money(row.credit) },
          {
            key: 'debit_balance',
            label: ['Debit balance', 'رصيد مدين'],
            width: 160,
            align: 'end',
            cell: (row) => money(Math.max(row.balance, 0)),
          },
          {
            key: 'credit_balance',
            label: ['Credit balance', 'رصيد دائن'],
            width: 160,
            align: 'end',
            cell: (row) => money(Math.max(-row.balance, 0)),
          },
        ]}
      />
    </Card>
  )
}
