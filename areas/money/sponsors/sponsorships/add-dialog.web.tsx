import { Checkbox, MultiSelect, NumberInput, SegmentedControl, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { TYPE_CHOICES } from '#areas/money/fees/words.contract.ts'
import { useChange } from '#kit/web/api/index.ts'
import { may } from '#kit/web/auth/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Stack } from '#kit/web/shell/card.tsx'
import shared from '../../money.module.css'
import css from '../sponsors.module.css'
import { codesIn } from './codes.rules.ts'
import { sponsorship, sponsorshipCalls as calls } from './sponsorship.contract.ts'

const F = sponsorship.fields
type FeeType = (typeof TYPE_CHOICES)[number]['value']

/** What is asked for; `save` sends it. */
function useAdding(sponsor_id: number, onDone: () => void) {
  const t = useT('sponsors')
  const change = useChange('/sponsors', '/sponsorships', '/payments', '/students')
  const [text, setText] = useState('')
  const [from, setFrom] = useState<number | null>(null)
  const [until, setUntil] = useState<number | null>(null)
  const [by, setBy] = useState<'percent' | 'amount'>('percent')
  const [percent, setPercent] = useState<number | string>('')
  const [amount, setAmount] = useState<number | null>(null)
  const [types, setTypes] = useState<FeeType[]>([])
  const [cap, setCap] = useState<number | null>(null)
  const [yearCap, setYearCap] = useState<number | null>(null)
  const [reference, setReference] = useState('')
  const [begin, setBegin] = useState(true)
  const codes = codesIn(text)
  const save = async () => {
    if (from === null) return
    const done = await change.go(() =>
      change.send(calls.addMany, {
        body: {
          sponsor_id,
          codes,
          from_term_id: from,
          ...(until !== null && { until_term_id: until }),
          ...(by === 'percent' ? { percent: String(percent) } : { amount }),
          types,
          ...(cap !== null && { invoice_cap: cap }),
          ...(yearCap !== null && { year_cap: yearCap }),
          ...(reference.trim() && { reference }),
          begin: begin && may('begin_sponsorship'),
        },
      }),
    )
    if (!done) return
    notify.done(t('added', { n: formatNumber(done.answer.data.added) }))
    onDone()
  }
  return {
    ...change,
    values: { text, from, by, percent, amount, types, reference, begin, codes },
    set: {
      setText,
      setFrom,
      setUntil,
      setBy,
      setPercent,
      setAmount,
      setTypes,
      setCap,
      setYearCap,
      setReference,
      setBegin,
    },
    save,
  }
}

/** Adds the students of a letter: their codes, and what the sponsor pays for each of them. */
export default function AddDialog({
  sponsor,
  currency,
  onClose,
}: {
  sponsor: number
  currency: string
  onClose: () => void
}) {
  const t = useT('sponsors')
  const say = useLabel()
  const { values: v, set, save, busy, problem } = useAdding(sponsor, onClose)
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('add_students')}
      size="lg"
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        <Textarea
          label={t('codes')}
          description={v.codes.length ? t('codes_count', { n: formatNumber(v.codes.length) }) : t('codes_text')}
          autosize
          minRows={3}
          maxRows={8}
          value={v.text}
          onChange={(event) => set.setText(event.currentTarget.value)}
          data-autofocus
        />
        <div className={css.pair}>
          <LookupInput resource="term" label={say(F.from_term_id.label)} defaultValue={null} onChange={set.setFrom} />
          <LookupInput
            resource="term"
            label={<Optional label={say(F.until_term_id.label)} />}
            defaultValue={null}
            onChange={set.setUntil}
          />
        </div>
        <div className={css.pair}>
          <SegmentedControl
            aria-label={t('share')}
            value={v.by}
            onChange={(value) => set.setBy(value === 'amount' ? 'amount' : 'percent')}
            data={[
              { value: 'percent', label: say(F.percent.label) },
              { value: 'amount', label: t('amount') },
            ]}
          />
          {v.by === 'percent' ? (
            <NumberInput
              label={say(F.percent.label)}
              min={0}
              max={100}
              decimalScale={2}
              hideControls
              value={v.percent}
              onChange={set.setPercent}
            />
          ) : (
            <MoneyInput
              label={say(F.amount.label)}
              currency={currency}
              defaultValue={v.amount}
              onChange={set.setAmount}
            />
          )}
        </div>
        <MultiSelect
          label={<Optional label={say(F.types.label)} />}
          description={say(F.types.help!)}
          data={TYPE_CHOICES.map(({ value, label }) => ({ value, label: say(label) }))}
          value={v.types}
          onChange={set.setTypes}
        />
        <div className={css.pair}>
          <MoneyInput
            label={<Optional label={say(F.invoice_cap.label)} />}
            currency={currency}
            defaultValue={null}
            onChange={set.setCap}
          />
          <MoneyInput
            label={<Optional label={say(F.year_cap.label)} />}
            currency={currency}
            defaultValue={null}
            onChange={set.setYearCap}
          />
        </div>
        <TextInput
          label={<Optional label={say(F.reference.label)} />}
          maxLength={100}
          value={v.reference}
          onChange={(event) => set.setReference(event.currentTarget.value)}
        />
        {may('begin_sponsorship') && (
          <Checkbox
            label={t('begin_now')}
            description={t('begin_text')}
            checked={v.begin}
            onChange={(event) => set.setBegin(event.currentTarget.checked)}
          />
        )}
        {problem !== null && <Problems error={problem} />}
        <div className={shared.buttons}>
          <Submit
            onCancel={onClose}
            loading={busy}
            missing={[
              !v.codes.length && t('codes'),
              v.from === null && say(F.from_term_id.label),
              v.by === 'percent'
                ? !(Number(v.percent) > 0) && say(F.percent.label)
                : v.amount === null && say(F.amount.label),
            ]}
            onClick={() => void save()}
          >
            {v.codes.length ? t('add_count', { n: formatNumber(v.codes.length) }) : t('add_students')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
