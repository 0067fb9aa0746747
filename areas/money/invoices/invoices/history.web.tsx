import { useCall } from '#kit/web/api/index.ts'
import { Code, Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { invoiceCalls as calls } from './invoice.contract.ts'
import css from '../invoices.module.css'

/** Instalments in a line: each with its day. */
const partsText = (parts: readonly { amount: number; due_date: string }[], currency: string): string =>
  parts.map((one) => `${formatMoney(one.amount, currency)} (${formatDate(one.due_date)})`).join(' + ')

/** What happened with an invoice, step by step: what was booked, and what its instalments became. */
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
          <Table
            label={t('history')}
            className={`${css.table} ${css.happened}`}
            rows={data.data}
            rowKey={(_step, i) => i}
            columns={[
              { key: 'when', label: t('when'), cell: (step) => formatInstant(step.at) },
              {
                key: 'what',
                label: t('what'),
                cell: (step) => (
                  <>
                    {t(`kind_${step.kind}` as 'kind_invoice')} {step.number && <Code>{step.number}</Code>}
                    {step.reason && (
                      <span className={css.words} dir="auto">
                        {step.reason}
                      </span>
                    )}
                    {step.installments && (
                      <span className={css.words}>
                        {t('parts_from_to', {
                          from: partsText(step.installments.from, one.currency),
                          to: partsText(step.installments.to, one.currency),
                        })}
                      </span>
                    )}
                  </>
                ),
              },
              {
                key: 'amount',
                label: t('amount'),
                figure: true,
                cell: (step) =>
                  step.kind.startsWith('installments_') ? '–' : <bdi>{formatMoney(step.amount, one.currency)}</bdi>,
              },
              {
                key: 'open',
                label: t('open_after'),
                figure: true,
                cell: (step) => <bdi>{formatMoney(step.open, one.currency)}</bdi>,
              },
              { key: 'by', label: t('by'), cell: (step) => <bdi>{step.by ?? t('the_program')}</bdi> },
            ]}
          />
        </Card>
      )}
    </Page>
  )
}
