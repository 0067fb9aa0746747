import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatMoney, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import { LINE_CHOICES, invoiceCalls, invoiceFields as F } from './invoice.contract.ts'
import css from '../invoices.module.css'

interface Line {
  readonly key: number
  readonly account: (typeof LINE_CHOICES)[number]['value']
  readonly name: string
  readonly name_local: string
  readonly amount: number | null
}
let keys = 0
const empty = (): Line => ({ key: ++keys, account: 'services', name: '', name_local: '', amount: null })

/** An invoice of items that somebody writes: a lost card, a fee that no setting knows. */
export default function ExtraDialog({
  onClose,
  student = null,
}: {
  onClose: () => void
  /** For whom; chosen here unless told. */
  student?: number | null
}) {
  const t = useT('invoices')
  const say = useLabel()
  const lang = useLanguage()
  const navigate = useNavigate()
  const { busy, problem, go, send } = useChange('/payments', '/students')
  const [of, setOf] = useState<number | null>(student)
  const [currency, setCurrency] = useState<'EGP' | 'USD'>('EGP')
  const [lines, setLines] = useState<readonly Line[]>(() => [empty()])
  const [due, setDue] = useState<string | null>(null)
  const total = lines.reduce((sum, one) => sum + (one.amount ?? 0), 0)
  const set = (key: number, change: Partial<Line>) =>
    setLines((kept) => kept.map((one) => (one.key === key ? { ...one, ...change } : one)))
  const issue = async () => {
    const done = await go(() =>
      send(invoiceCalls.create, {
        params: { id: of! },
        body: {
          currency,
          lines: lines.map(({ account, name, name_local, amount }) => ({
            account,
            name: name.trim(),
            name_local: name_local.trim() || name.trim(),
            amount: amount!,
          })),
          installments: [{ amount: total, due_date: due! }],
        },
      }),
    )
    if (!done) return
    notify.done(t('issued', { number: done.answer.data.number }))
    onClose()
    void navigate(to('/payments/:id', { id: done.answer.data.id }))
  }
  return (
    <Dialog opened onClose={onClose} title={t('issue_extra')} size="lg" closeButtonProps={{ 'aria-label': t('close') }}>
      <Stack>
        {student === null && (
          <LookupInput resource="student" label={say(F.student_id.label)} defaultValue={of} onChange={setOf} />
        )}
        <SegmentedControl
          aria-label={say(F.currency.label)}
          data={['EGP', 'USD']}
          value={currency}
          onChange={(value) => setCurrency(value)}
        />
        {lines.map((line) => (
          <fieldset key={line.key} className={css.line}>
            <Select
              label={say(['Kind', 'النوع'])}
              allowDeselect={false}
              data={LINE_CHOICES.map((choice) => ({ value: choice.value, label: say(choice.label) }))}
              value={line.account}
              onChange={(value) => set(line.key, { account: value as Line['account'] })}
            />
            <TextInput
              label={t(lang === 'ar' ? 'item_local' : 'item')}
              maxLength={200}
              value={lang === 'ar' ? line.name_local : line.name}
              onChange={(event) => {
                const text = event.currentTarget.value
                set(line.key, lang === 'ar' ? { name_local: text, name: text } : { name: text })
              }}
            />
            <MoneyInput label={t('amount')} currency={currency} onChange={(amount) => set(line.key, { amount })} />
            {lines.length > 1 && (
              <Button
                variant="subtle"
                color="gray"
                aria-label={t('remove_line')}
                onClick={() => setLines((kept) => kept.filter((one) => one.key !== line.key))}
              >
                <IconTrash size={16} aria-hidden />
              </Button>
            )}
          </fieldset>
        ))}
        <div className={css.buttons}>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden />}
            onClick={() => setLines((kept) => [...kept, empty()])}
          >
            {t('add_line')}
          </Button>
        </div>
        <DateInput
          name="due_date"
          label={say(F.due_date.label)}
          defaultValue={null}
          onChange={(value) => setDue(value as string | null)}
        />
        <p className={css.text}>
          {t('total')}: <bdi>{formatMoney(total, currency)}</bdi>
        </p>
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[
              of === null && say(F.student_id.label),
              lines.some((one) => !one.name.trim()) && t(lang === 'ar' ? 'item_local' : 'item'),
              lines.some((one) => !one.amount) && t('amount'),
              !due && say(F.due_date.label),
            ]}
            onClick={() => void issue()}
          >
            {t('issue')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
