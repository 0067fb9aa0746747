import { Code } from '#kit/web/feedback/index.ts'
import { formatMoney, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { InvoiceLine } from './invoice.contract.ts'
import css from '../invoices.module.css'

/** Lines of an invoice with how each was computed; of a note, what it changed. */
export function Lines({
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
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard reaches what scrolls
    <div className={css.scroll} tabIndex={0} role="region" aria-label={t('items')}>
      <table className={`${css.table} ${css.items}`}>
        <thead>
          <tr>
            <th scope="col">{t('item')}</th>
            <th scope="col" className={css.figure}>
              {t('quantity')}
            </th>
            <th scope="col" className={css.figure}>
              {t('unit_price')}
            </th>
            <th scope="col" className={css.figure}>
              {t('amount')}
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.id}>
              <td>
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
              </td>
              <td className={css.figure}>{formatNumber(line.quantity / 100)}</td>
              <td className={css.figure}>
                <bdi>{formatMoney(line.unit_amount, currency)}</bdi>
              </td>
              <td className={css.figure}>
                <bdi>{formatMoney(line.amount, currency)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
        {total !== undefined && (
          <tfoot>
            <tr>
              <td>{t('total')}</td>
              <td>{'\u00A0'}</td>
              <td>{'\u00A0'}</td>
              <td className={css.figure}>
                <bdi>{formatMoney(total, currency)}</bdi>
              </td>
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}
