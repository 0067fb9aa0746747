import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { invoiceCalls as calls } from './invoice.contract.ts'
import css from '../invoices.module.css'

/** What happened with an invoice, step by step, as the ledger has it. */
export default function InvoiceHistory() {
  const t = useT('invoices')
  const id = Number(useParams().id)
  const invoice = useCall(calls.show, { params: { id } })
  const { data, error, refetch } = useCall(calls.history, { params: { id }, body: {} })
  const one = invoice.data?.data
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={one ? t('history_of', { number: one.number }) : null}>
      {!data || !one ? (
        <Bone height={320} />
      ) : !data.data.length ? (
        <Empty title={t('no_history')} />
      ) : (
        <Card>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the keyboard reaches what scrolls */}
          <div className={css.scroll} tabIndex={0} role="region" aria-label={t('history')}>
            <table className={`${css.table} ${css.happened}`}>
              <thead>
                <tr>
                  <th scope="col">{t('when')}</th>
                  <th scope="col">{t('what')}</th>
                  <th scope="col" className={css.figure}>
                    {t('amount')}
                  </th>
                  <th scope="col" className={css.figure}>
                    {t('open_after')}
                  </th>
                  <th scope="col">{t('by')}</th>
                </tr>
              </thead>
              <tbody>
                {data.data.map((step, i) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a list that never changes
                  <tr key={i}>
                    <td>{formatInstant(step.at)}</td>
                    <td>
                      {t(`kind_${step.kind}` as 'kind_invoice')} {step.number && <Code>{step.number}</Code>}
                      {step.reason && (
                        <span className={css.words} dir="auto">
                          {step.reason}
                        </span>
                      )}
                    </td>
                    <td className={css.figure}>
                      <bdi>{formatMoney(step.amount, one.currency)}</bdi>
                    </td>
                    <td className={css.figure}>
                      <bdi>{formatMoney(step.open, one.currency)}</bdi>
                    </td>
                    <td>
                      <bdi>{step.by ?? t('the_program')}</bdi>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </Card>
      )}
    </Page>
  )
}
