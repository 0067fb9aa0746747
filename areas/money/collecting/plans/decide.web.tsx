import { Button, Select } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Failed, Name, Problems, notify } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { DateInput } from '#kit/web/fields/date-input.tsx'
import { MoneyInput } from '#kit/web/fields/money-input.tsx'
import { formatDate, formatMoney, formatNumber, useLabel, useT } from '#kit/web/i18n/index.ts'
import { Bone, Stack } from '#kit/web/shell/card.tsx'
import { Table } from '#kit/web/table/table.tsx'
import { usePlanReason } from './list.web.tsx'
import { planCalls, planFields as F, type PlanDetail } from './plan.contract.ts'
import { MOST_PARTS, checkParts, spreadPlan } from './plan.rules.ts'
import { PLAN_AFTER, PlanParts, PlanState, usePlanFor } from './words.web.tsx'
import shared from '../../money.module.css'
import css from '../collecting.module.css'

/** A plan with the instalments before and after; where it waits for the reader, it is decided here. */
export default function OpenedPlan({ id, onClose }: { id: number; onClose: () => void }) {
  const t = useT('collecting')
  const { data, error, refetch } = useCall(planCalls.show, { params: { id } })
  const plan = data?.data
  return (
    <Dialog opened onClose={onClose} title={t('plan')} size="xl" closeButtonProps={{ 'aria-label': t('close') }}>
      {error && !plan ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : !plan ? (
        <Bone height={320} />
      ) : (
        <Stack>
          <About plan={plan} />
          {plan.abilities.includes('accept') ? (
            <Decide key={plan.version} plan={plan} onClose={onClose} />
          ) : (
            <Shown plan={plan} onClose={onClose} />
          )}
        </Stack>
      )}
    </Dialog>
  )
}

function About({ plan }: { plan: PlanDetail }) {
  const t = useT('collecting')
  const say = useLabel()
  const planFor = usePlanFor()
  return (
    <Facts
      items={[
        {
          label: say(F.student_id.label),
          value: (
            <>
              <Name row={plan.student} /> <Code>{plan.student.code}</Code>
            </>
          ),
        },
        { label: say(F.state.label), value: <PlanState of={plan} /> },
        { label: t('plan_what'), value: planFor(plan) },
        { label: t('plan_open'), value: <bdi>{formatMoney(plan.open, plan.currency)}</bdi> },
        {
          label: say(F.asked_on.label),
          value: (
            <>
              {formatDate(plan.asked_on)} · <Name row={plan.asked_by} />
            </>
          ),
        },
        { label: t('plan_broken_before'), value: formatNumber(plan.broken_before) },
        { label: say(F.why.label), value: <span dir="auto">{plan.why}</span>, wide: true },
        ...(plan.decided_by
          ? [
              {
                label: t('plan_decided_by'),
                value: (
                  <>
                    {formatDate(plan.decided_on)} · <Name row={plan.decided_by} />
                  </>
                ),
              },
            ]
          : []),
        ...(plan.reason
          ? [{ label: say(F.reason.label), value: <span dir="auto">{plan.reason}</span>, wide: true }]
          : []),
      ]}
    />
  )
}

/** The instalments of the invoices that it covers. */
function Instalments({ plan, before }: { plan: PlanDetail; before: boolean }) {
  const t = useT('collecting')
  const say = useLabel()
  const rows = plan.invoices.flatMap((invoice) =>
    (before && invoice.before.length ? invoice.before.map((one) => ({ ...one, settled: 0 })) : invoice.now).map(
      (one) => ({ number: invoice.number, ...one }),
    ),
  )
  if (!rows.length) return null
  const paid = rows.some((one) => one.settled > 0)
  return (
    <Table
      label={t(before ? 'plan_before' : 'plan_now')}
      rows={rows}
      rowKey={(one) => `${one.number} ${one.due_date}`}
      columns={[
        { key: 'invoice', label: say(F.invoice_id.label), head: true, cell: (one) => <Code>{one.number}</Code> },
        { key: 'due', label: t('due'), cell: (one) => formatDate(one.due_date) },
        {
          key: 'amount',
          label: t('amount'),
          figure: true,
          cell: (one) => <bdi>{formatMoney(one.amount, plan.currency)}</bdi>,
        },
        ...(paid
          ? [
              {
                key: 'paid',
                label: t('part_paid'),
                figure: true,
                cell: (one: { settled: number }) => <bdi>{formatMoney(one.settled, plan.currency)}</bdi>,
              },
            ]
          : []),
      ]}
    />
  )
}

function Shown({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const t = useT('collecting')
  const withReason = usePlanReason()
  const waits = plan.state === 'asked'
  return (
    <>
      <div className={css.sides}>
        <section aria-label={t('plan_before')}>
          <h3>{t('plan_before')}</h3>
          <Instalments plan={plan} before />
        </section>
        {plan.parts.length > 0 && (
          <section aria-label={t(waits ? 'plan_would_be' : 'plan_after')}>
            <h3>{t(waits ? 'plan_would_be' : 'plan_after')}</h3>
            <PlanParts parts={plan.parts} currency={plan.currency} running={plan.state === 'running'} />
          </section>
        )}
      </div>
      {plan.abilities.includes('end') && (
        <div className={shared.buttons}>
          <Button variant="default" onClick={() => void withReason(plan, 'end').then((done) => done && onClose())}>
            {t('plan_end')}
          </Button>
        </div>
      )}
    </>
  )
}

interface Typed {
  readonly amount: number | null
  readonly due_date: string | null
}
/** The parts as they were asked for; amounts and days may be others. */
function Decide({ plan, onClose }: { plan: PlanDetail; onClose: () => void }) {
  const t = useT('collecting')
  const { busy, problem, go, send } = useChange(...PLAN_AFTER)
  const withReason = usePlanReason()
  const first = plan.first_day < plan.today ? plan.today : plan.first_day
  const spread = (count: number): Typed[] => spreadPlan(plan.open, count, first)
  const [parts, setParts] = useState<readonly Typed[]>(() => spread(plan.parts_asked))
  // Inputs keep what is typed: another number of parts begins anew.
  const [round, setRound] = useState(0)
  const whole = parts.flatMap(({ amount, due_date }) =>
    amount !== null && due_date !== null && /^\d{4}-\d\d-\d\d$/.test(due_date) ? [{ amount, due_date }] : [],
  )
  const sum = parts.reduce((all, one) => all + (one.amount ?? 0), 0)
  const asAsked = JSON.stringify(parts) === JSON.stringify(spread(plan.parts_asked))
  const set = (at: number, more: Partial<Typed>) =>
    setParts((all) => all.map((one, i) => (i === at ? { ...one, ...more } : one)))
  const agree = async () => {
    const done = await go(() =>
      send(planCalls.accept, {
        params: { id: plan.id },
        body: { version: plan.version, ...(!asAsked && { parts: whole }) },
      }),
    )
    if (!done) return
    notify.done(t('plan_agreed_done'))
    onClose()
  }
  const differs = whole.length === parts.length && sum !== plan.open
  const stands = checkParts(whole, { open: plan.open, currency: plan.currency, today: plan.today })
  return (
    <>
      <div className={css.sides}>
        <section aria-label={t('plan_now')}>
          <h3>{t('plan_now')}</h3>
          <Instalments plan={plan} before={false} />
        </section>
        <section aria-label={t('plan_after')}>
          <h3>{t('plan_after')}</h3>
          <Stack>
            <Select
              label={t('plan_parts')}
              data={Array.from({ length: MOST_PARTS }, (_, i) => ({
                value: String(i + 1),
                label: formatNumber(i + 1),
              }))}
              value={String(parts.length)}
              allowDeselect={false}
              onChange={(value) => {
                if (!value) return
                setParts(spread(Number(value)))
                setRound(round + 1)
              }}
            />
            {parts.map((one, i) => (
              <div key={`${round} ${i}`} className={css.pair} role="group" aria-label={t('plan_part', { n: i + 1 })}>
                <MoneyInput
                  label={t('plan_part_amount', { n: i + 1 })}
                  currency={plan.currency}
                  defaultValue={one.amount}
                  onChange={(amount) => set(i, { amount })}
                />
                <DateInput
                  name={`due_${i}`}
                  label={t('plan_part_day', { n: i + 1 })}
                  defaultValue={one.due_date}
                  onChange={(value) => set(i, { due_date: value as string | null })}
                />
              </div>
            ))}
            <p className={shared.text} role="status">
              {t(differs ? 'plan_sum_differs' : 'plan_sum_is', {
                sum: formatMoney(sum, plan.currency),
                open: formatMoney(plan.open, plan.currency),
              })}
            </p>
          </Stack>
        </section>
      </div>
      <p className={shared.text}>{t('plan_consequence')}</p>
      {problem !== null && <Problems error={problem} />}
      <div className={shared.buttons}>
        <Button
          variant="default"
          disabled={busy}
          onClick={() => void withReason(plan, 'refuse').then((done) => done && onClose())}
        >
          {t('plan_refuse')}
        </Button>
        <Submit
          onCancel={onClose}
          loading={busy}
          missing={[
            ...parts.map((one, i) => one.amount === null && t('plan_part_amount', { n: i + 1 })),
            ...parts.map((one, i) => !one.due_date && t('plan_part_day', { n: i + 1 })),
            differs &&
              stands.some(({ code }) => code === 'plan_sum') &&
              t('plan_sum_differs', {
                sum: formatMoney(sum, plan.currency),
                open: formatMoney(plan.open, plan.currency),
              }),
          ]}
          onClick={() => void agree()}
        >
          {t(asAsked ? 'plan_agree' : 'plan_agree_these')}
        </Submit>
      </div>
    </>
  )
}
