import { Button, Progress, TextInput } from '@mantine/core'
import { IconCamera, IconUpload } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatBytes, formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { slipCalls as calls, type SlipDetail } from './slip.contract.ts'
import css from './slips.module.css'

export const SLIP_AFTER = ['/payments', '/transactions', '/credits', '/students', '/users/work'] as const

/** The stamped slip is handed in: its picture, and what the bank printed on it. What is there already is corrected. */
export function SlipUpload({ of, onDone }: { of: SlipDetail; onDone?: () => void }) {
  const t = useT('transactions')
  const { busy, problem, go, send } = useChange(...SLIP_AFTER)
  const picker = useRef<HTMLInputElement>(null)
  const [file, setFile] = useState<File | null>(null)
  const [progress, setProgress] = useState<number | null>(null)
  const [paidOn, setPaidOn] = useState<string | null>(of.paid_on)
  const [reference, setReference] = useState(of.bank_reference ?? '')
  const [amount, setAmount] = useState<number | null>(of.paid ?? of.amount)
  const again = of.file !== null
  const ready =
    (file !== null || again) && paidOn !== null && reference.trim().length >= 3 && amount !== null && amount > 0
  const save = async () => {
    if (!ready || busy) return
    const body = { paid_on: paidOn, bank_reference: reference.trim(), amount }
    const more = file ? { file, onProgress: setProgress } : {}
    setProgress(file ? 0 : null)
    const done = await go(() =>
      again
        ? send(calls.change, { params: { id: of.transaction_id }, body, ...more })
        : send(calls.put, { body: { ...body, slip_id: of.id }, ...more }),
    )
    setProgress(null)
    if (!done) return
    notify.done(t('slip_uploaded'))
    setFile(null)
    onDone?.()
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <Stack>
        <div className={css.picked}>
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={t('slip_file')}
            accept=".jpg,.jpeg,.png,.pdf,image/jpeg,image/png,application/pdf"
            onChange={(event) => setFile(event.currentTarget.files?.[0] ?? null)}
          />
          <Button
            variant="default"
            leftSection={<IconCamera size={18} aria-hidden />}
            onClick={() => picker.current?.click()}
          >
            {t(file || again ? 'slip_other_file' : 'slip_file')}
          </Button>
          {file && (
            <span>
              <bdi>{file.name}</bdi> <small>{formatBytes(file.size)}</small>
            </span>
          )}
        </div>
        <DateInput
          name="paid_on"
          label={t('slip_paid_on')}
          defaultValue={of.paid_on}
          onChange={(value) => setPaidOn(value as string | null)}
        />
        <TextInput
          label={t('slip_reference')}
          description={t('slip_reference_text')}
          maxLength={60}
          value={reference}
          dir="ltr"
          autoComplete="off"
          onChange={(event) => setReference(event.currentTarget.value)}
        />
        <MoneyInput
          label={t('slip_paid')}
          description={t('slip_asked', { amount: formatMoney(of.amount, of.currency) })}
          currency={of.currency}
          defaultValue={amount}
          onChange={setAmount}
        />
        {progress !== null && (
          <div className={css.picked}>
            <Progress value={progress} style={{ flex: 1 }} aria-label={t('slip_uploading')} />
            <span>{formatNumber(progress)}%</span>
          </div>
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            type="submit"
            size="md"
            loading={busy}
            missing={[
              file === null && !again && t('slip_file'),
              paidOn === null && t('slip_paid_on'),
              reference.trim().length < 3 && t('slip_reference'),
              (amount === null || amount <= 0) && t('slip_paid'),
            ]}
            leftSection={<IconUpload size={18} aria-hidden />}
          >
            {t(again ? 'slip_correct' : 'slip_upload')}
          </Submit>
        </div>
      </Stack>
    </form>
  )
}
