import { payerCalled } from '#areas/money/ledger/payer.web.tsx'
import { Button, Menu, TextInput } from '@mantine/core'
import { IconArrowBackUp, IconAward, IconFileDownload, IconHistory, IconPencil, IconReceipt } from '@tabler/icons-react'
import { Suspense, useState } from 'react'
import { download, useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Failed, Problems, Status, act, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatMoney, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { part as later } from '#kit/web/later.ts'
import { to, useNavigate, useParams } from '#kit/web/router/index.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/index.ts'
import {
  INVOICE_STATES,
  invoiceCalls as calls,
  invoiceFields as F,
  type InvoiceDetail,
  type InvoiceLine,
} from './invoice.contract.ts'
import { collectingOfInvoice } from '../outlets.contract.ts'
import { Installments, Items, Note, SettledBy } from './parts.web.tsx'
import shared from '../../money.module.css'

const PartDialog = later(async () => (await import('./part-dialog.web.tsx')).default)
const ScholarshipDialog = later(async () => (await import('../next/scholarship.web.tsx')).default)

const Collecting = filled(collectingOfInvoice)

const AFTER = ['/payments', '/payment/items', '/transactions', '/students'] as const
const IS = { unpaid: 'waits', partially_paid: 'in_progress', paid: 'done', reversed: 'cancelled' } as const

/** Where an invoice stands; what is overdue says so. */
export function InvoiceState({ of }: { of: Pick<InvoiceDetail, 'state' | 'overdue'> }) {
  const t = useT('invoices')
  const say = useLabel()
  if (of.overdue) return <Status is="failed" label={t('overdue')} />
  return (
    <Status
      is={IS[of.state]}
      label={say(INVOICE_STATES.find((invoiceState) => invoiceState.value === of.state)!.label)}
    />
  )
}

/** An invoice: how it was computed, what corrected it, by when which part is due, and what settled it. */
export default function Invoice() {
  const t = useT('invoices')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.show, { params: { id } })
  const { send } = useChange(...AFTER)
  const [editing, setEditing] = useState<InvoiceLine | 'new' | null>(null)
  const [part, setPart] = useState<InvoiceDetail['installments'][number] | 'new' | null>(null)
  const [applying, setApplying] = useState(false)
  useEvent('account', () => void refetch())
  const invoice = data?.data
  if (error && !invoice) return <Failed error={error} retry={() => void refetch()} />
  const may = (ability: string) => invoice?.abilities.includes(ability) ?? false
  const money = (minor: number) => <bdi>{formatMoney(minor, invoice?.currency ?? 'EGP')}</bdi>
  const file = (call: typeof calls.pdf | typeof calls.order) =>
    act({
      go: () =>
        call === calls.order
          ? download(calls.order, { params: { id }, body: { lang: lang === 'ar' ? 'ar' : 'en' } })
          : download(calls.pdf, { params: { id }, query: { lang: lang === 'ar' ? 'ar' : 'en' } }),
      done: () => null,
    })
  const reverse = async () => {
    const reason = await askReason({
      title: t('reverse_title', { number: invoice!.number }),
      text: t('reverse_text', { paid: formatMoney(invoice!.settled, invoice!.currency) }),
      action: t('reverse'),
      danger: true,
      go: (given) => send(calls.reverse, { params: { id }, body: { reason: given } }),
    })
    if (reason) notify.done(t('reversed', { number: invoice!.number }))
  }
  return (
    <Page
      title={invoice ? invoice.number : null}
      subtitle={
        (invoice?.student ?? invoice?.payer) ? (
          <>
            <bdi>{payerCalled(invoice, lang)}</bdi> · <Code>{(invoice.student ?? invoice.payer)?.code}</Code>
          </>
        ) : (
          '\u00A0'
        )
      }
      facts={[
        { label: say(F.state.label), value: invoice ? <InvoiceState of={invoice} /> : '–' },
        { label: say(F.charged.label), value: invoice ? money(invoice.charged) : '–' },
        { label: say(F.settled.label), value: invoice ? money(invoice.settled) : '–' },
        { label: say(F.open.label), value: invoice ? money(invoice.open) : '–' },
      ]}
      action={
        <Button
          variant="default"
          disabled={!invoice}
          leftSection={<IconFileDownload size={16} aria-hidden />}
          onClick={() => void file(calls.pdf)}
        >
          {t('print')}
        </Button>
      }
      menu={
        invoice && (
          <>
            {invoice.open > 0 && (
              <Menu.Item leftSection={<IconReceipt size={16} aria-hidden />} onClick={() => void file(calls.order)}>
                {t('payment_order')}
              </Menu.Item>
            )}
            <Menu.Item
              leftSection={<IconHistory size={16} aria-hidden />}
              onClick={() => void navigate(to('/payments/history/:id', { id }))}
            >
              {t('history')}
            </Menu.Item>
            {may('edit') && (
              <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={() => setEditing('new')}>
                {t('add_item')}
              </Menu.Item>
            )}
            {may('scholarship') && (
              <Menu.Item leftSection={<IconAward size={16} aria-hidden />} onClick={() => setApplying(true)}>
                {t('apply_scholarship')}
              </Menu.Item>
            )}
            {may('reverse') && (
              <Menu.Item
                color="red"
                leftSection={<IconArrowBackUp size={16} aria-hidden />}
                onClick={() => void reverse()}
              >
                {t('reverse')}
              </Menu.Item>
            )}
          </>
        )
      }
    >
      {!invoice ? (
        <Bone height={420} />
      ) : (
        <Stack>
          {invoice.reversed_reason && <Card title={t('was_reversed')} text={<bdi>{invoice.reversed_reason}</bdi>} />}
          <Items invoice={invoice} onEdit={setEditing} />
          {invoice.notes.map((note) => (
            <Note key={note.id} invoice={invoice} note={note} />
          ))}
          {invoice.state !== 'reversed' && <Installments invoice={invoice} onPart={setPart} />}
          <SettledBy invoice={invoice} />
          <Suspense fallback={null}>
            <Collecting invoice={invoice} />
          </Suspense>
        </Stack>
      )}
      {invoice && editing && (
        <EditDialog invoice={invoice} line={editing === 'new' ? null : editing} onClose={() => setEditing(null)} />
      )}
      {invoice && applying && (
        <Suspense fallback={null}>
          <ScholarshipDialog invoice={invoice} onClose={() => setApplying(false)} />
        </Suspense>
      )}
      {invoice && part && (
        <Suspense fallback={null}>
          <PartDialog invoice={invoice} part={part === 'new' ? null : part} onClose={() => setPart(null)} />
        </Suspense>
      )}
    </Page>
  )
}

/** Corrects a line, or adds one: what was issued stays, a note tells the difference and why. */
function EditDialog({
  invoice,
  line,
  onClose,
}: {
  invoice: InvoiceDetail
  line: InvoiceLine | null
  onClose: () => void
}) {
  const t = useT('invoices')
  const lang = useLanguage()
  const { busy, problem, go, send } = useChange(...AFTER)
  const [amount, setAmount] = useState<number | null>(line ? Math.abs(line.amount) : null)
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const save = async () => {
    const done = await go(() =>
      send(calls.edit, {
        params: { id: invoice.id },
        body: {
          version: invoice.version,
          reason,
          ...(line
            ? { lines: [{ id: line.id, amount: amount! }] }
            : { added: [{ account: 'services' as const, name, name_local: name, amount: amount! }] }),
        },
      }),
    )
    if (!done) return
    const { note, released } = done.answer.data
    notify.done(
      [
        t('corrected', { number: note ?? '' }),
        ...(released ? [t('released', { amount: formatMoney(released, invoice.currency) })] : []),
      ].join(' '),
    )
    onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={line ? t('correct', { item: nameOf(line, lang) }) : t('add_item')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <p className={shared.text}>{t('correct_text')}</p>
        {!line && (
          <TextInput
            label={t('item')}
            maxLength={200}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
        )}
        <MoneyInput
          label={t(line ? 'new_amount' : 'amount')}
          currency={invoice.currency}
          defaultValue={amount}
          onChange={setAmount}
          autoFocus={line !== null}
        />
        <TextInput
          label={t('reason')}
          required
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[
              !line && !name.trim() && t('item'),
              amount === null && t(line ? 'new_amount' : 'amount'),
              reason.trim().length < 3 && t('reason'),
            ]}
            onClick={() => void save()}
          >
            {t('write_note')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
