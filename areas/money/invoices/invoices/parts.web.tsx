import { Button } from '@mantine/core'
import { IconCalendar } from '@tabler/icons-react'
import { Code, Status } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { INVOICE_TYPES, invoiceFields as F, type InvoiceDetail, type InvoiceLine } from './invoice.contract.ts'
import { InvoiceLines } from './lines.web.tsx'
import css from '../invoices.module.css'

const mayOf = (invoice: InvoiceDetail) => (ability: string) => invoice.abilities.includes(ability)
const moneyOf = (invoice: InvoiceDetail) => (minor: number) => <bdi>{formatMoney(minor, invoice.currency)}</bdi>

/** How it was computed. */
export function Items({ invoice, onEdit }: { invoice: InvoiceDetail; onEdit: (line: InvoiceLine) => void }) {
  const t = useT('invoices')
  const say = useLabel()
  const lang = useLanguage()
  return (
    <Card
      title={t('items')}
      text={[
        say(INVOICE_TYPES.find((invoiceType) => invoiceType.value === invoice.type)!.label),
        invoice.term ? nameOf(invoice.term, lang) : invoice.year ? nameOf(invoice.year, lang) : null,
        invoice.program ? nameOf(invoice.program, lang) : null,
        invoice.level === null ? null : t('level', { level: formatNumber(invoice.level) }),
        t('issued_on', { date: formatDate(invoice.issued_on) }),
      ]
        .filter(Boolean)
        .join(' · ')}
    >
      <InvoiceLines
        lines={invoice.lines}
        currency={invoice.currency}
        total={invoice.lines.reduce((sum, one) => sum + one.amount, 0)}
        onEdit={mayOf(invoice)('edit') ? onEdit : undefined}
      />
    </Card>
  )
}

/** What corrected it. */
export function Note({ invoice, note }: { invoice: InvoiceDetail; note: InvoiceDetail['notes'][number] }) {
  const t = useT('invoices')
  const lang = useLanguage()
  return (
    <Card
      title={
        <>
          {t(`note_${note.kind}`)} <Code>{note.number}</Code>
        </>
      }
      text={
        <>
          <bdi>{lang === 'ar' ? (note.reason_local ?? note.reason) : note.reason}</bdi> ·{' '}
          <bdi>{formatDate(note.issued_on)}</bdi>
          {note.by && (
            <>
              {' · '}
              <bdi>{note.by}</bdi>
            </>
          )}
        </>
      }
    >
      <InvoiceLines lines={note.lines} currency={invoice.currency} total={note.amount} />
    </Card>
  )
}

/** By when which part is due. */
export function Installments({
  invoice,
  onPart,
}: {
  invoice: InvoiceDetail
  onPart: (part: InvoiceDetail['installments'][number] | 'new') => void
}) {
  const t = useT('invoices')
  const say = useLabel()
  const [may, money] = [mayOf(invoice), moneyOf(invoice)]
  return (
    <Card
      title={t('installments')}
      aside={
        may('split') && invoice.installments.length < 3 ? (
          <Button variant="default" size="xs" onClick={() => onPart('new')}>
            {t('split')}
          </Button>
        ) : undefined
      }
    >
      <Table
        label={t('installments')}
        className={css.table}
        rows={invoice.installments}
        rowKey={(one) => one.id}
        columns={[
          { key: 'due', label: say(F.due_date.label), cell: (one) => formatDate(one.due_date) },
          { key: 'amount', label: t('amount'), figure: true, cell: (one) => money(one.amount) },
          { key: 'settled', label: say(F.settled.label), figure: true, cell: (one) => money(one.settled) },
          {
            key: 'state',
            label: say(F.state.label),
            cell: (one) => (
              <Status
                is={one.settled >= one.amount ? 'done' : one.overdue ? 'failed' : 'waits'}
                label={t(one.settled >= one.amount ? 'settled' : one.overdue ? 'overdue' : 'to_come')}
              />
            ),
          },
          may('due_date') && {
            key: 'actions',
            label: t('actions'),
            unseen: true,
            figure: true,
            cell: (one) => (
              <Button
                variant="subtle"
                size="xs"
                leftSection={<IconCalendar size={14} aria-hidden />}
                onClick={() => onPart(one)}
              >
                {t('change')}
              </Button>
            ),
          },
        ]}
      />
    </Card>
  )
}

/** What settled it. */
export function SettledBy({ invoice }: { invoice: InvoiceDetail }) {
  const t = useT('invoices')
  const say = useLabel()
  const money = moneyOf(invoice)
  return (
    <Card title={t('settled_by')} text={invoice.transactions.length ? undefined : t('nothing_settled')}>
      {invoice.transactions.length > 0 && (
        <Table
          label={t('settled_by')}
          className={css.table}
          rows={invoice.transactions}
          rowKey={(one) => one.id}
          columns={[
            {
              key: 'number',
              label: say(F.number.label),
              given: (one) => ({ 'aria-label': one.receipt ?? one.number }),
              cell: (one) => (
                <Link to={to('/transaction/:id', { id: one.id })}>
                  <Code>{one.receipt ?? one.number}</Code>
                </Link>
              ),
            },
            { key: 'way', label: t('way'), cell: (one) => t(`way_${one.way}` as 'way_cash') },
            { key: 'when', label: t('when'), cell: (one) => one.booked_on && formatDate(one.booked_on) },
            { key: 'amount', label: t('amount'), figure: true, cell: (one) => money(one.amount) },
          ]}
        />
      )}
    </Card>
  )
}
