import { ActionIcon, Button, NumberInput, Select } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { Optional } from '#kit/web/form/optional.tsx'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import type { Currency } from '../pricing.rules.ts'
import shared from '../../money.module.css'
import css from '../fees.module.css'
import { CURRENCY_CHOICES } from '../words.contract.ts'
import { MoneyCell, shareText, type PartProps } from './parts.web.tsx'
import { settingsCalls, type FineShown } from './settings.contract.ts'

/** Fines of a type by days late, in each currency. */
export function Fines({ year, type, settings }: PartProps) {
  const t = useT('fees')
  const say = useLabel()
  const [editing, setEditing] = useState<Currency | null>(null)
  const may = settings?.may_edit ?? false
  return (
    <Card title={t('fines')} text={t('fines_text')}>
      <ul className={shared.list}>
        {CURRENCY_CHOICES.map(({ value, label }) => {
          const fine = settings?.fines.find((one) => one.currency === value)
          return (
            <li key={value} className={css.line}>
              <span>{say(label)}</span>
              <span className={css.of}>
                {!fine?.steps.length && <span className={shared.dim}>{t('no_fine')}</span>}
                {fine?.steps.map((step) => (
                  <span key={step.from_days}>
                    {t('from_days', { n: step.from_days })}{' '}
                    {step.amount === null ? (
                      <Code>{shareText(step.per_mille ?? 0)}</Code>
                    ) : (
                      <MoneyCell amount={step.amount} currency={value} />
                    )}
                  </span>
                ))}
                {fine && fine.cap !== null && (
                  <span>
                    {t('at_most')} <MoneyCell amount={fine.cap} currency={value} />
                  </span>
                )}
                {may && (
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    leftSection={<IconPencil size={14} aria-hidden />}
                    onClick={() => setEditing(value)}
                  >
                    {t('edit')}
                  </Button>
                )}
              </span>
            </li>
          )
        })}
      </ul>
      {editing && settings && (
        <FineForm
          key={editing}
          year={year}
          type={type}
          settings={settings}
          currency={editing}
          onClose={() => setEditing(null)}
        />
      )}
    </Card>
  )
}

/** `key`: which one it is while others come and go. */
type Step = FineShown['steps'][number] & { readonly key: number }
function FineForm({
  year,
  type,
  settings,
  currency,
  onClose,
}: PartProps & { currency: Currency; onClose: () => void }) {
  const t = useT('fees')
  const say = useLabel()
  const { busy, problem, go, send } = useChange('/years')
  const fine = settings!.fines.find((one) => one.currency === currency)
  const [cap, setCap] = useState<number | null>(fine?.cap ?? null)
  const [steps, setSteps] = useState<readonly Step[]>(() =>
    (fine?.steps ?? [{ from_days: 15, amount: null, per_mille: 10 }]).map((one, key) => ({ ...one, key })),
  )
  const change = (at: number, part: Partial<Step>) =>
    setSteps((now) => now.map((one, i) => (i === at ? { ...one, ...part } : one)))
  const save = async () => {
    const others = settings!.fines
      .filter((one) => one.currency !== currency)
      .map((one) => ({ currency: one.currency, cap: one.cap, steps: one.steps }))
    const body = {
      fines: [
        ...(steps.length ? [{ currency, cap, steps: steps.map(({ key: _key, ...one }) => one) }] : []),
        ...others,
      ],
      version: settings!.version,
    }
    if (!(await go(() => send(settingsCalls.saveFines, { params: { yearId: year, id: type }, body })))) return
    notify.done(t('saved_version'))
    onClose()
  }
  const label = CURRENCY_CHOICES.find((choice) => choice.value === currency)!.label
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={`${t('fines')} · ${say(label)}`}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack>
        {steps.map((step, i) => (
          <div key={step.key} className={css.step}>
            <NumberInput
              label={t('days_late')}
              min={1}
              max={1000}
              allowDecimal={false}
              value={step.from_days}
              onChange={(value) => change(i, { from_days: Number(value) || 1 })}
            />
            <Select
              label={t('fine_kind')}
              allowDeselect={false}
              data={[
                { value: 'share', label: t('fine_share') },
                { value: 'amount', label: t('fine_amount') },
              ]}
              value={step.amount === null ? 'share' : 'amount'}
              onChange={(value) =>
                change(i, value === 'share' ? { amount: null, per_mille: 10 } : { amount: 10_000, per_mille: null })
              }
            />
            {step.amount === null ? (
              <NumberInput
                label={t('share')}
                suffix="%"
                min={0.1}
                max={100}
                decimalScale={1}
                value={(step.per_mille ?? 0) / 10}
                onChange={(value) => change(i, { per_mille: Math.round(Number(value) * 10) })}
              />
            ) : (
              <MoneyInput
                label={say(['Amount', 'المبلغ'])}
                currency={currency}
                defaultValue={step.amount}
                onChange={(amount) => change(i, { amount: amount ?? 0 })}
              />
            )}
            <ActionIcon
              variant="subtle"
              color="gray"
              size="input-sm"
              aria-label={t('remove')}
              onClick={() => setSteps((now) => now.filter((_, n) => n !== i))}
            >
              <IconTrash size={16} aria-hidden />
            </ActionIcon>
          </div>
        ))}
        <div className={css.buttons}>
          <Button
            variant="default"
            size="xs"
            onClick={() =>
              setSteps((now) => [
                ...now,
                {
                  key: Math.max(-1, ...now.map((one) => one.key)) + 1,
                  from_days: (now.at(-1)?.from_days ?? 0) + 15,
                  amount: null,
                  per_mille: (now.at(-1)?.per_mille ?? 0) + 10,
                },
              ])
            }
          >
            {t('another_step')}
          </Button>
        </div>
        <MoneyInput
          label={<Optional label={t('fine_cap')} />}
          currency={currency}
          defaultValue={cap}
          onChange={setCap}
        />
        {problem !== null && <Problems error={problem} />}
        <div className={css.buttons}>
          <Submit missing={[]} onCancel={onClose} loading={busy} onClick={() => void save()}>
            {t('save')}
          </Submit>
        </div>
      </Stack>
    </Dialog>
  )
}
