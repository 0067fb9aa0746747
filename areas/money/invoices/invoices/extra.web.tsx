import { Button, NumberInput, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatMoney, nameOf, problemText, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { PAYER_KINDS } from '#areas/money/ledger/payer.contract.ts'
import { LINE_CHOICES, invoiceCalls, invoiceFields as F } from './invoice.contract.ts'
import shared from '../../money.module.css'
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

type Mode = 'items' | 'written'
type Whose = 'student' | 'staff' | 'guest'
interface Chosen {
  readonly item_id: number
  readonly quantity: number
}

/** An invoice beside the fees: of items at the price that the year has for the student, or of what somebody writes. */
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
  const navigate = useNavigate()
  const { busy, problem, go, send } = useChange('/payments', '/students')
  const [whose, setWhose] = useState<Whose>('student')
  const [of, setOf] = useState<number | null>(student)
  const [chosenMode, setMode] = useState<Mode>('items')
  // Prices of items are prices of students.
  const mode = whose === 'student' ? chosenMode : 'written'
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const [currency, setCurrency] = useState<'EGP' | 'USD'>('EGP')
  const [lines, setLines] = useState<readonly Line[]>(() => [empty()])
  const [due, setDue] = useState<string | null>(null)
  const total = lines.reduce((sum, one) => sum + (one.amount ?? 0), 0)
  const issue = async () => {
    const written = () => ({
      currency,
      lines: lines.map(({ account, name, name_local, amount }) => ({
        account,
        name: name.trim(),
        name_local: name_local.trim() || name.trim(),
        amount: amount!,
      })),
      installments: [{ amount: total, due_date: due! }],
    })
    const done = await go(() =>
      whose === 'student'
        ? send(invoiceCalls.create, {
            params: { id: of! },
            body: mode === 'items' ? { items: [...chosen], ...(due && { due_date: due }) } : written(),
          })
        : send(invoiceCalls.createForPayer, {
            body: { ...(whose === 'staff' ? { staff_id: of! } : { guest_id: of! }), ...written() },
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
          <Payer
            whose={whose}
            of={of}
            onWhose={(value) => {
              setWhose(value)
              setOf(null)
              setChosen([])
            }}
            onChoose={(value) => {
              setOf(value)
              setChosen([])
            }}
          />
        )}
        {whose === 'student' && (
          <SegmentedControl
            aria-label={t('extra_how')}
            data={[
              { value: 'items', label: t('extra_items') },
              { value: 'written', label: t('extra_written') },
            ]}
            value={mode}
            onChange={(value) => setMode(value)}
          />
        )}
        {mode === 'items' ? (
          of === null ? (
            <p className={shared.text}>{t('extra_student_first')}</p>
          ) : (
            <Items student={of} chosen={chosen} onChange={setChosen} />
          )
        ) : (
          <Written currency={currency} setCurrency={setCurrency} lines={lines} setLines={setLines} />
        )}
        <DateInput
          name="due_date"
          label={mode === 'items' ? <Optional label={say(F.due_date.label)} /> : say(F.due_date.label)}
          description={mode === 'items' ? t('extra_due_text') : undefined}
          defaultValue={null}
          onChange={(value) => setDue(value as string | null)}
        />
        {mode === 'written' && (
          <p className={shared.text}>
            {t('total')}: <bdi>{formatMoney(total, currency)}</bdi>
          </p>
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[
              of === null && say(WHOSE.find(({ value }) => value === whose)!.label),
              ...(mode === 'items'
                ? [!chosen.length && t('item')]
                : [
                    lines.some((one) => !one.name.trim()) && t('item'),
                    lines.some((one) => !one.amount) && t('amount'),
                    !due && say(F.due_date.label),
                  ]),
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

const WHOSE = [
  { value: 'student', label: ['Student', 'الطالب'] },
  ...PAYER_KINDS.filter(({ value }) => value === 'staff' || value === 'guest'),
] as const

/** Who pays: a student, who works here, or a guest. */
function Payer({
  whose,
  of,
  onWhose,
  onChoose,
}: {
  whose: Whose
  of: number | null
  onWhose: (whose: Whose) => void
  onChoose: (id: number | null) => void
}) {
  const t = useT('invoices')
  const say = useLabel()
  return (
    <>
      <SegmentedControl
        aria-label={t('extra_whose')}
        data={WHOSE.map(({ value, label }) => ({ value, label: say(label) }))}
        value={whose}
        onChange={(value) => onWhose(value as Whose)}
      />
      <LookupInput
        key={whose}
        resource={whose}
        label={say(WHOSE.find(({ value }) => value === whose)!.label)}
        defaultValue={of}
        onChange={onChoose}
      />
    </>
  )
}

/** Items at their price for the student, and what they come to: the server computes it. */
function Items({
  student,
  chosen,
  onChange,
}: {
  student: number
  chosen: readonly Chosen[]
  onChange: (chosen: readonly Chosen[]) => void
}) {
  const t = useT('invoices')
  const lang = useLanguage()
  const { data, error } = useCall(
    invoiceCalls.offered,
    { params: { id: student }, body: { items: [...chosen] } },
    { placeholderData: keepPreviousData },
  )
  if (error && !data) return <Problems error={error} />
  if (!data) return <Bone height={120} />
  const { offered, lines, amount, currency, refused } = data.data
  const left = offered.filter((one) => !chosen.some(({ item_id }) => item_id === one.item_id))
  if (!offered.length) return <p className={shared.text}>{t('extra_none')}</p>
  return (
    <>
      {chosen.map(({ item_id, quantity }) => {
        const item = offered.find((one) => one.item_id === item_id)
        if (!item) return null
        const name = nameOf(item, lang)
        return (
          <fieldset key={item_id} className={css.chosen} aria-label={name}>
            <p className={shared.text}>
              <bdi>{name}</bdi> · <bdi>{formatMoney(item.amount, item.currency)}</bdi>
            </p>
            <NumberInput
              label={t(item.per === 'copy' ? 'extra_copies' : 'extra_count')}
              min={1}
              max={1000}
              allowDecimal={false}
              value={quantity}
              onChange={(value) =>
                onChange(
                  chosen.map((one) =>
                    one.item_id === item_id ? { item_id, quantity: Math.max(1, Math.trunc(Number(value) || 1)) } : one,
                  ),
                )
              }
            />
            <Button
              variant="subtle"
              color="gray"
              aria-label={t('remove_item', { item: name })}
              onClick={() => onChange(chosen.filter((one) => one.item_id !== item_id))}
            >
              <IconTrash size={16} aria-hidden />
            </Button>
          </fieldset>
        )
      })}
      {left.length > 0 && (
        <Select
          key={chosen.length}
          label={t(chosen.length ? 'extra_another' : 'item')}
          searchable
          data={left.map((one) => ({
            value: String(one.item_id),
            label: `${nameOf(one, lang)} · ${formatMoney(one.amount, one.currency)}`,
          }))}
          value={null}
          onChange={(value) => value && onChange([...chosen, { item_id: Number(value), quantity: 1 }])}
        />
      )}
      {chosen.length > 0 && (
        <>
          <ul className={shared.text}>
            {lines.map((line, i) => (
              <li key={i}>
                <bdi>{lang === 'ar' ? line.words.ar : line.words.en}</bdi>
              </li>
            ))}
          </ul>
          {refused.map((one, i) => (
            <p key={i} className={shared.text} role="alert">
              {problemText(one)}
            </p>
          ))}
          {currency && (
            <p className={shared.text}>
              {t('total')}: <bdi>{formatMoney(amount, currency)}</bdi>
            </p>
          )}
        </>
      )}
    </>
  )
}

/** What no item is: written with its amount. */
function Written({
  currency,
  setCurrency,
  lines,
  setLines,
}: {
  currency: 'EGP' | 'USD'
  setCurrency: (currency: 'EGP' | 'USD') => void
  lines: readonly Line[]
  setLines: (next: (kept: readonly Line[]) => readonly Line[]) => void
}) {
  const t = useT('invoices')
  const say = useLabel()
  const lang = useLanguage()
  const set = (key: number, change: Partial<Line>) =>
    setLines((kept) => kept.map((one) => (one.key === key ? { ...one, ...change } : one)))
  return (
    <>
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
      <div className={shared.buttons}>
        <Button
          variant="default"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setLines((kept) => [...kept, empty()])}
        >
          {t('add_line')}
        </Button>
      </div>
    </>
  )
}
