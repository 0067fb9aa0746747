import { Select, Textarea } from '@mantine/core'
import { useState } from 'react'
import { addDays } from '#kit/contract/day.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { formatMoney, formatNumber, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { planCalls, type PlanOffer } from './plan.contract.ts'
import { spreadPlan } from './plan.rules.ts'
import { PLAN_AFTER, PlanParts } from './words.web.tsx'
import shared from '../../money.module.css'
import css from '../collecting.module.css'

/** What may be asked for: everything that is owed in a currency, or one invoice of it. */
interface Choice {
  readonly value: string
  readonly label: string
  readonly open: number
  readonly currency: string
  readonly invoice_id: number | null
}
function useChoices(offer: PlanOffer | undefined): Choice[] {
  const t = useT('collecting')
  return (offer?.owed ?? []).flatMap(({ currency, open, taken, invoices }) => {
    const free = invoices.filter((one) => one.taken === null)
    return [
      ...(free.length > 1 && taken === null
        ? [
            {
              value: currency,
              label: t('all_owed', { amount: formatMoney(open, currency) }),
              open,
              currency,
              invoice_id: null,
            },
          ]
        : []),
      ...free.map((one) => ({
        value: String(one.id),
        label: t('invoice_owed', { number: one.number, amount: formatMoney(one.open, currency) }),
        open: one.open,
        currency,
        invoice_id: one.id,
      })),
    ]
  })
}

/** Asks to pay in parts: of what, in how many, from which day on, and why. The parts are shown before it is sent. */
export default function AskDialog({
  student,
  invoice,
  onClose,
}: {
  student: number
  invoice?: number | undefined
  onClose: () => void
}) {
  const t = useT('collecting')
  const { data, error, refetch } = useCall(planCalls.offer, { params: { id: student } })
  const offer = data?.data
  const choices = useChoices(offer)
  return (
    <Dialog opened onClose={onClose} title={t('ask_plan')} closeButtonProps={{ 'aria-label': t('close') }}>
      {error && !offer ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !offer ? (
        <Bone height={260} />
      ) : !choices.length ? (
        <p className={shared.text}>{t('plan_nothing')}</p>
      ) : (
        <Asking offer={offer} choices={choices} student={student} invoice={invoice} onClose={onClose} />
      )}
    </Dialog>
  )
}

function Asking({
  offer,
  choices,
  student,
  invoice,
  onClose,
}: {
  offer: PlanOffer
  choices: readonly Choice[]
  student: number
  invoice: number | undefined
  onClose: () => void
}) {
  const t = useT('collecting')
  const { busy, problem, go, send } = useChange(...PLAN_AFTER)
  const most = offer.limits.most_parts
  const [what, setWhat] = useState(
    (choices.find((one) => one.invoice_id !== null && one.invoice_id === invoice) ?? choices[0]!).value,
  )
  const [parts, setParts] = useState(Math.min(3, most))
  const [day, setDay] = useState<string | null>(addDays(offer.today, Math.min(7, offer.limits.first_days)))
  const [why, setWhy] = useState('')
  const chosen = choices.find((one) => one.value === what)!
  const isDay = day !== null && /^\d{4}-\d\d-\d\d$/.test(day)
  const save = async () => {
    const done = await go(() =>
      send(planCalls.ask, {
        body: {
          ...(chosen.invoice_id === null
            ? { student_id: student, currency: chosen.currency as 'EGP' | 'USD' }
            : { invoice_id: chosen.invoice_id }),
          parts,
          first_day: day!,
          why: why.trim(),
        },
      }),
    )
    if (!done) return
    notify.done(t('plan_asked_done'))
    onClose()
  }
  return (
    <Stack>
      <p className={shared.text}>{t('ask_plan_text')}</p>
      <Select
        label={t('plan_what')}
        data={choices.map(({ value, label }) => ({ value, label }))}
        value={what}
        allowDeselect={false}
        data-autofocus
        onChange={(value) => value && setWhat(value)}
      />
      <div className={css.pair}>
        <Select
          label={t('plan_parts')}
          data={Array.from({ length: most }, (_, i) => ({ value: String(i + 1), label: formatNumber(i + 1) }))}
          value={String(parts)}
          allowDeselect={false}
          onChange={(value) => value && setParts(Number(value))}
        />
        <DateInput
          name="first_day"
          label={t('plan_first_day')}
          defaultValue={day}
          onChange={(value) => setDay(value as string | null)}
        />
      </div>
      <Textarea
        label={t('plan_why')}
        autosize
        minRows={2}
        maxLength={1000}
        value={why}
        onChange={(event) => setWhy(event.currentTarget.value)}
      />
      {isDay && (
        <section aria-label={t('plan_would_be')} aria-live="polite">
          <p className={shared.text}>{t('plan_would_be')}</p>
          <PlanParts parts={spreadPlan(chosen.open, parts, day)} currency={chosen.currency} />
        </section>
      )}
      {problem !== null && <Problems error={problem} />}
      <div className={shared.buttons}>
        <Submit
          onCancel={onClose}
          loading={busy}
          missing={[!isDay && t('plan_first_day'), why.trim().length < 3 && t('plan_why')]}
          onClick={() => void save()}
        >
          {t('plan_send')}
        </Submit>
      </div>
    </Stack>
  )
}
