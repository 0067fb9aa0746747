import { PAYER, PayerName, payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { Alert } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Code, act } from '#kit/web/feedback/index.ts'
import { formatNumber, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { moneyColumn } from '#kit/web/list/money-column.tsx'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { to } from '#kit/web/router/index.ts'
import shared from '../../money.module.css'
import { taxReceiptFields as F, taxReceiptsPart, type TaxReceiptRow } from './tax-receipt.contract.ts'

const { calls } = taxReceiptsPart
type Row = TaxReceiptRow & AnyRow
const COLUMNS: readonly Column<Row>[] = [
  { key: 'number', label: F.number.label, sort: true, width: 170, cell: (row) => <Code>{row.number}</Code> },
  { key: 'kind', label: F.kind.label, field: F.kind, width: 130 },
  {
    key: 'student_id',
    label: PAYER,
    sort: true,
    width: 230,
    cell: (row) => <PayerName of={row} />,
  },
  moneyColumn({ key: 'amount', label: ['Amount', 'المبلغ'] }),
  { key: 'state', label: F.state.label, field: F.state, sort: true, width: 170 },
  {
    key: 'reasons',
    label: ['What the authority says', 'ما تقوله المصلحة'],
    width: 320,
    cell: (row) =>
      row.reasons.length ? (
        <span className={shared.two}>
          {row.reasons.map((one) => (
            <small key={`${one.code} ${one.path ?? ''}`} dir="auto">
              {one.path && <Code>{one.path}</Code>} {one.message || one.code}
            </small>
          ))}
        </span>
      ) : (
        <small dir="auto">{row.trouble ?? '–'}</small>
      ),
  },
  { key: 'issued_at', label: F.issued_at.label, field: F.issued_at, sort: true, width: 190 },
]

/** How they stand, where that is not as it should be. */
function Stand() {
  const t = useT('transactions')
  const stand = useCall(calls.taxReceiptsStand, {}).data?.data
  if (!stand) return null
  const text = !stand.set_up
    ? t('tax_not_set_up')
    : !stand.on
      ? t('tax_off')
      : stand.without_rate > 0
        ? t('tax_without_rate', { count: formatNumber(stand.without_rate) })
        : null
  return text ? <Alert color="gray">{text}</Alert> : null
}

/** Receipts to the tax authority: what was sent, what it says, and what is sent again. */
export default function TaxReceipts() {
  const t = useT('transactions')
  const lang = useLanguage()
  const { send } = useChange('/tax-receipts')
  return (
    <ListScreen<Row>
      call={calls.taxReceipts}
      title={['Receipts to the tax authority', 'الإيصالات الإلكترونية للضرائب']}
      columns={COLUMNS}
      filters={{ state: F.state, kind: F.kind, student_id: F.student_id }}
      above={<Stand />}
      order={['number', 'desc']}
      rowName={(row) => `${row.number}${payerCalled(row, lang, ' · ')}`}
      rowHref={(row) => to('/transaction/:id', { id: row.transaction.id })}
      actions={(row) =>
        row.abilities.includes('again')
          ? [
              {
                key: 'again',
                label: t('tax_again'),
                icon: <IconRefresh size={16} aria-hidden />,
                onSelect: () =>
                  void act({
                    go: () =>
                      send(calls.sendTaxReceiptAgain, { params: { id: row.id }, body: { version: row.version } }),
                    done: () => t('tax_is_again'),
                  }),
              },
            ]
          : []
      }
      empty={{ title: t('no_tax_receipts'), text: t('no_tax_receipts_text') }}
    />
  )
}
