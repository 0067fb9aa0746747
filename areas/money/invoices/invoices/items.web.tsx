import { useCall } from '#kit/web/api/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { invoiceCalls as calls } from './invoice.contract.ts'
import { InvoiceLines } from './lines.web.tsx'

/** All lines of an invoice, those of its notes included. */
export default function InvoiceItems() {
  const t = useT('invoices')
  const id = Number(useParams().id)
  const invoice = useCall(calls.show, { params: { id } })
  const { data, error, refetch } = useCall(calls.items, { params: { id }, body: {} })
  const one = invoice.data?.data
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  return (
    <Page title={one ? t('items_of', { number: one.number }) : null}>
      {!data || !one ? (
        <Bone height={320} />
      ) : (
        <Card>
          <InvoiceLines
            lines={data.data}
            currency={one.currency}
            total={data.data.reduce((sum, line) => sum + line.amount, 0)}
          />
        </Card>
      )}
    </Page>
  )
}
