import { Button, Input, Progress } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { f } from '#kit/contract/field.ts'
import { useChange } from '#kit/web/api/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import type { FieldInput } from '#kit/web/fields/inputs.tsx'
import { moneyIn } from '#kit/web/fields/money-input.tsx'
import { asLabel } from '#kit/web/form/as-label.ts'
import { Field, Form } from '#kit/web/form/form.tsx'
import { formatBytes, formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { zod } from '#kit/web/zod/zod.ts'
import { slipCalls as calls, type SlipDetail } from './slip.contract.ts'
import css from './slips.module.css'

export const SLIP_AFTER = ['/payments', '/transactions', '/credits', '/students', '/users/work'] as const

interface Typed {
  readonly picture: File | null
  readonly paid_on: string
  readonly bank_reference: string
  readonly amount: number
}

/** The stamped slip is handed in: its picture, and what the bank printed on it. What is there already is corrected. */
export function SlipUpload({ of, onDone }: { of: SlipDetail; onDone?: () => void }) {
  const t = useT('transactions')
  const tk = useT('kit')
  const { send } = useChange(...SLIP_AFTER)
  const [progress, setProgress] = useState<number | null>(null)
  const again = of.file !== null
  const save = async ({ picture, ...body }: Typed) => {
    const more = picture ? { file: picture, onProgress: setProgress } : {}
    setProgress(picture ? 0 : null)
    try {
      await (again
        ? send(calls.change, { params: { id: of.transaction_id }, body, ...more })
        : send(calls.put, { body: { ...body, slip_id: of.id }, ...more }))
    } finally {
      setProgress(null)
    }
  }
  return (
    <Form
      fields={{
        // It is sent with the rest, not before.
        picture: { ...f.file(asLabel(t('slip_file')), { required: !again }), schema: zod.unknown() },
        paid_on: f.date(asLabel(t('slip_paid_on')), { required: true }),
        bank_reference: f.text(asLabel(t('slip_reference')), {
          required: true,
          min: 3,
          max: 60,
          help: asLabel(t('slip_reference_text')),
        }),
        amount: f.money(asLabel(t('slip_paid')), {
          required: true,
          help: asLabel(t('slip_asked', { amount: formatMoney(of.amount, of.currency) })),
        }),
      }}
      values={{ paid_on: of.paid_on, bank_reference: of.bank_reference, amount: of.paid ?? of.amount }}
      inputs={{ picture: again ? OtherPicture : Picture, amount: moneyIn(of.currency) }}
      check={({ amount }) => (amount === 0 ? [{ name: 'amount', text: tk('fill_in') }] : [])}
      bar="dialog"
      always
      submit={t(again ? 'slip_correct' : 'slip_upload')}
      onSave={(values) => save(values as unknown as Typed)}
      onSaved={() => {
        notify.done(t('slip_uploaded'))
        onDone?.()
      }}
      below={
        progress !== null && (
          <div className={css.picked}>
            <Progress value={progress} style={{ flex: 1 }} aria-label={t('slip_uploading')} />
            <span>{formatNumber(progress)}%</span>
          </div>
        )
      }
    >
      <Field name="picture" wide />
      <Field name="paid_on" wide />
      <Field name="bank_reference" wide />
      <Field name="amount" wide />
    </Form>
  )
}

/** The picture, taken by the camera or chosen; it stays on the device until it is sent. */
const pictureIn = (again: boolean): FieldInput =>
  function PictureInput({ error, onChange }) {
    const t = useT('transactions')
    const picker = useRef<HTMLInputElement>(null)
    const [file, setFile] = useState<File | null>(null)
    return (
      <Input.Wrapper error={error}>
        <div className={css.picked}>
          <input
            ref={picker}
            type="file"
            hidden
            aria-label={t('slip_file')}
            accept=".jpg,.jpeg,.png,.pdf,image/jpeg,image/png,application/pdf"
            onChange={(event) => {
              const chosen = event.currentTarget.files?.[0] ?? null
              setFile(chosen)
              onChange(chosen)
            }}
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
      </Input.Wrapper>
    )
  }
const Picture = pictureIn(false)
const OtherPicture = pictureIn(true)
