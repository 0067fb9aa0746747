import { Button } from '@mantine/core'
import { IconFileDownload, IconFileInvoice, IconMail, IconTableExport } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Code, Empty, Failed, Name, Status, act } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatNumber, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Bone, Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { sponsorAccountCalls, type SponsorAccount } from '../account/account.contract.ts'
import { billingCalls } from '../billing/billing.contract.ts'
import shared from '../../money.module.css'

const BillDialog = part(async () => (await import('../billing/bill-dialog.web.tsx')).default)
type Invoice = SponsorAccount['invoices'][number]

/** Invoices of a sponsor, each as paper and sheet, and the next one. */
export function InvoicesOfSponsor({ id }: { id: number }) {
  const t = useT('sponsors')
  const lang = useLanguage()
  const { send } = useChange('/sponsors')
  const [open, setOpen] = useState(false)
  const { data, error, refetch } = useCall(sponsorAccountCalls.account, { params: { id }, query: {} })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  const account = data?.data
  const money = (minor: number) => <bdi>{formatMoney(minor, account?.sponsor.currency ?? 'EGP')}</bdi>
  const file = (one: Invoice, format: 'pdf' | 'xlsx') =>
    act({
      go: () =>
        download(billingCalls.file, { params: { id: one.id }, body: { format, lang: lang === 'ar' ? 'ar' : 'en' } }),
      done: () => null,
    })
  const mail = (one: Invoice) =>
    act({
      go: () => send(billingCalls.mail, { params: { id: one.id } }),
      done: (answer) => t('mailed', { to: answer.data.to }),
    })
  const issue = may('bill_sponsor') && (
    <Button size="xs" leftSection={<IconFileInvoice size={16} aria-hidden />} onClick={() => setOpen(true)}>
      {t('issue_invoice')}
    </Button>
  )
  return (
    <Card
      title={t('invoices')}
      text={
        account && account.sums.unbilled > 0 ? (
          <>
            {withHeading(t('unbilled'), '')}
            {money(account.sums.unbilled)}
          </>
        ) : undefined
      }
      aside={account?.invoices.length ? issue : undefined}
    >
      {!account ? (
        <Bone height={200} />
      ) : !account.invoices.length ? (
        <Empty
          icon={<IconFileInvoice size={28} aria-hidden />}
          title={t('no_invoices')}
          text={t('no_invoices_text')}
          action={issue}
        />
      ) : (
        <Table
          label={t('invoices')}
          className={shared.table}
          rows={account.invoices}
          rowKey={(one) => one.id}
          columns={[
            {
              key: 'number',
              label: t('number'),
              cell: (one) => (
                <span className={shared.two}>
                  <Code>{one.number}</Code>
                  {one.term && (
                    <small>
                      <Name row={one.term} />
                    </small>
                  )}
                </span>
              ),
            },
            { key: 'students', label: t('students'), figure: true, cell: (one) => formatNumber(one.students) },
            { key: 'due', label: t('due'), cell: (one) => (one.due_date ? formatDate(one.due_date) : '–') },
            ...(account.whole
              ? [
                  { key: 'charged', label: t('charged'), figure: true, cell: (one: Invoice) => money(one.charged) },
                  { key: 'paid', label: t('paid'), figure: true, cell: (one: Invoice) => money(one.paid) },
                  { key: 'open', label: t('open'), figure: true, cell: (one: Invoice) => money(one.open) },
                ]
              : []),
            {
              key: 'state',
              label: t('state'),
              cell: (one) => <InvoiceState one={one} until={account.until} whole={account.whole} />,
            },
            {
              key: 'actions',
              label: t('actions'),
              unseen: true,
              figure: true,
              cell: (one) => (
                <span className={shared.buttons}>
                  <Button
                    variant="subtle"
                    size="xs"
                    leftSection={<IconFileDownload size={14} aria-hidden />}
                    aria-label={t('print_number', { number: one.number })}
                    onClick={() => void file(one, 'pdf')}
                  >
                    PDF
                  </Button>
                  <Button
                    variant="subtle"
                    size="xs"
                    leftSection={<IconTableExport size={14} aria-hidden />}
                    aria-label={t('sheet_number', { number: one.number })}
                    onClick={() => void file(one, 'xlsx')}
                  >
                    {t('sheet')}
                  </Button>
                  {may('bill_sponsor') && !one.reversed && (
                    <Button
                      variant="subtle"
                      size="xs"
                      leftSection={<IconMail size={14} aria-hidden />}
                      aria-label={t('mail_number', { number: one.number })}
                      onClick={() => void mail(one)}
                    >
                      {t('mail')}
                    </Button>
                  )}
                </span>
              ),
            },
          ]}
        />
      )}
      <Suspense fallback={null}>{open && <BillDialog sponsor={id} onClose={() => setOpen(false)} />}</Suspense>
    </Card>
  )
}

function InvoiceState({ one, until, whole }: { one: Invoice; until: string; whole: boolean }) {
  const t = useT('sponsors')
  if (one.reversed) return <Status is="cancelled" label={t('is_reversed')} />
  if (!whole) return <>–</>
  if (one.open <= 0) return <Status is="done" label={t('is_paid')} />
  if (one.due_date !== null && one.due_date < until) return <Status is="failed" label={t('is_late')} />
  return one.paid > 0 ? <Status is="in_progress" label={t('is_part')} /> : <Status is="waits" label={t('is_open')} />
}
