import { Code } from '#kit/web/feedback/index.ts'
import { formatMoney, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Table } from '#kit/web/table/table.tsx'
import type { InvoiceLine } from './invoice.contract.ts'
import css from '../invoices.module.css'

/** Lines of an invoice with how each was computed; of a note, what it changed. */
export function InvoiceLines({
  lines,
  currency,
  total,
  onEdit,
}: {
  lines: readonly (InvoiceLine & { note?: string | null })[]
  currency: string
  /** Stands below; absent: nothing does. */
  total?: number
  onEdit?: ((line: InvoiceLine) => void) | undefined
}) {
  const t = useT('invoices')
  const lang = useLanguage()
  const money = (minor: number) => <bdi>{formatMoney(minor, currency)}</bdi>
  return (
    <Table
      label={t('items')}
      className={`${css.table} ${css.items}`}
      rows={lines}
      rowKey={(line) => line.id}
      columns={[
        {
          key: 'item',
          label: t('item'),
          cell: (line) => (
            <>
              {onEdit ? (
                <button type="button" className={css.link} onClick={() => onEdit(line)}>
                  <bdi>{nameOf(line, lang)}</bdi>
                </button>
              ) : (
                <bdi>{nameOf(line, lang)}</bdi>
              )}
              {line.note && (
                <>
                  {' '}
                  <Code>{line.note}</Code>
                </>
              )}
              {line.words && <span className={css.words}>{lang === 'ar' ? line.words.ar : line.words.en}</span>}
            </>
          ),
        },
        { key: 'quantity', label: t('quantity'), figure: true, cell: (line) => formatNumber(line.quantity / 100) },
        { key: 'unit_price', label: t('unit_price'), figure: true, cell: (line) => money(line.unit_amount) },
        { key: 'amount', label: t('amount'), figure: true, cell: (line) => money(line.amount) },
      ]}
      foot={total === undefined ? undefined : [[t('total'), '\u00A0', '\u00A0', money(total)]]}
    />
  )
}
