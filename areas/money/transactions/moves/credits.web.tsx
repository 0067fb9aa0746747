import { may } from '#kit/web/auth/index.ts'
import { PAYER, PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { SegmentedControl } from '@mantine/core'
import { useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to, useSearchParams } from '#kit/web/router/index.ts'
import { creditFields as F, transactionCalls as calls, type CreditRow } from './transaction.contract.ts'

type Row = CreditRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  {
    key: 'student_id',
    label: PAYER,
    sort: true,
    width: 280,
    cell: (row) => <PayerName of={row} />,
  },
  moneyColumn({ key: 'wallet', label: F.wallet.label, sort: true }),
  moneyColumn({ key: 'owed', label: F.owed.label, sort: true }),
]

/** Wallets: what payers hold as credit, and what they owe beside it. */
export default function Wallets() {
  const t = useT('transactions')
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  // Amounts of two currencies have no order: one is shown at a time.
  const currency = query.get('currency') === 'USD' ? 'USD' : 'EGP'
  return (
    <ListScreen<Row>
      call={calls.credits}
      title={['Wallets', 'المحافظ']}
      columns={COLUMNS}
      filters={{ faculty_id: F.faculty_id, student_id: F.student_id }}
      fixed={{ currency: [currency] }}
      above={
        <div>
          <SegmentedControl
            aria-label={t('currency')}
            data={['EGP', 'USD']}
            value={currency}
            onChange={(value) =>
              setQuery((had) => {
                had.set('currency', value)
                had.delete('page')
                return had
              })
            }
          />
        </div>
      }
      order={['wallet', 'desc']}
      rowName={(row) => payerCalled(row, lang)}
      rowHref={(row) =>
        row.student
          ? to('/credit/:id', { id: row.student.id })
          : (row.payer?.kind === 'staff' || row.payer?.kind === 'guest') && may('show_statement')
            ? to('/ledger/payer-statements/:kind/:id', { kind: row.payer.kind, id: row.payer.id })
            : `/transactions?search=${encodeURIComponent(row.payer?.code ?? '')}`
      }
      empty={{ title: t('no_wallets'), text: t('no_wallets_text') }}
    />
  )
}
