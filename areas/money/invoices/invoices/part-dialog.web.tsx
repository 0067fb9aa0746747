import { Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { dayOf } from '#kit/contract/day.ts'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatDate, formatMoney, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { editPart, heirOf, removePart, splitPart, type NextPart, type PartsStanding } from '../parts.rules.ts'
import { invoiceCalls as calls, invoiceFields as F, type InvoiceDetail } from './invoice.contract.ts'
import shared from '../../money.module.css'
import css from '../invoices.module.css'

const AFTER = ['/payments', '/payment/items', '/transactions', '/students'] as const

/** Changes an instalment, splits one off or removes it: it shows what all of them become, by the rules that the server has. */
export default function PartDialog({
  invoice,
  part,
  onClose,
}: {
  invoice: InvoiceDetail
  part: InvoiceDetail['installments'][number] | null
  onClose: () => void
}) {
  const t = useT('invoices')
  const say = useLabel()
  const { busy, problem, go, send } = useChange(...AFTER)
  const [amount, setAmount] = useState<number | null>(part?.amount ?? null)
  const [due, setDue] = useState<string | null>(part?.due_date ?? null)
  const [rest, setRest] = useState<string | null>(null)
  const [reason, setReason] = useState('')
  const [removing, setRemoving] = useState(false)
  const of: PartsStanding = {
    parts: invoice.installments,
    settled: invoice.settled,
    currency: invoice.currency,
    today: dayOf(),
  }
  const at = part ? invoice.installments.findIndex((one) => one.id === part.id) : -1
  const wanted = {
    ...(amount !== null && amount !== part?.amount && { amount }),
    ...(due && due !== part?.due_date && { due_date: due }),
    ...(rest && { rest_due_date: rest }),
  }
  const leaves = part !== null && amount !== null && amount < part.amount
  const outcome = !part
    ? amount && due
      ? splitPart(of, { amount, due_date: due })
      : null
    : removing
      ? removePart(of, at)
      : Object.keys(wanted).length
        ? editPart(of, at, wanted)
        : null
  const next: readonly NextPart[] | null = outcome?.reasons.length === 0 ? outcome.parts : null
  const save = async () => {
    const done = await go(() =>
      !part
        ? send(calls.split, { params: { id: invoice.id }, body: { amount: amount!, due_date: due!, reason } })
        : removing
          ? send(calls.join, { params: { id: part.id }, body: { reason } })
          : send(calls.installment, { params: { id: invoice.id, id2: part.id }, body: { ...wanted, reason } }),
    )
    if (done) onClose()
  }
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t(removing ? 'remove_part_title' : part ? 'change_part' : 'split')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <p className={shared.text}>{t(removing ? 'remove_part_text' : part ? 'part_text' : 'split_text')}</p>
        {!removing && (
          <>
            <MoneyInput
              label={t('amount')}
              currency={invoice.currency}
              defaultValue={amount}
              onChange={setAmount}
              autoFocus
            />
            <DateInput
              name="due_date"
              label={say(F.due_date.label)}
              defaultValue={due}
              onChange={(value) => setDue(value as string | null)}
            />
            {leaves && invoice.installments.length < 3 && (
              <DateInput
                name="rest_due_date"
                label={t('rest_due_date')}
                description={t(heirOf(of, at) === null ? 'rest_needed' : 'rest_else')}
                defaultValue={rest}
                onChange={(value) => setRest(value as string | null)}
              />
            )}
          </>
        )}
        <TextInput
          label={t('reason')}
          required
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
        {next && (
          <Table
            label={t('becomes')}
            className={css.table}
            rows={next}
            rowKey={(_one, i) => i}
            columns={[
              { key: 'due', label: say(F.due_date.label), cell: (one) => formatDate(one.due_date) },
              {
                key: 'amount',
                label: t('becomes'),
                figure: true,
                cell: (one) => <bdi>{formatMoney(one.amount, invoice.currency)}</bdi>,
              },
            ]}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          {part && !removing && invoice.installments.length > 1 && (
            <Button
              variant="default"
              color="red"
              disabled={busy}
              leftSection={<IconTrash size={16} aria-hidden />}
              onClick={() => setRemoving(true)}
            >
              {t('remove_part')}
            </Button>
          )}
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[
              !removing && !amount && t('amount'),
              !removing && !due && say(F.due_date.label),
              leaves && !removing && heirOf(of, at) === null && !rest && t('rest_due_date'),
              reason.trim().length < 3 && t('reason'),
            ]}
            onClick={() => void save()}
          >
            {t(removing ? 'remove_part' : 'save')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
