import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { MOST_OF_PAGE, MoreRows, useMost } from '#kit/web/feedback/more-rows.tsx'
import { formatDate, formatMoney, useT } from '#kit/web/i18n/index.ts'
import { partDialog } from '#kit/web/later.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { planCalls, type PlanRow } from './plan.contract.ts'
import { PLAN_AFTER, PlanParts, PlanState, usePlanFor } from './words.web.tsx'
import shared from '../../money.module.css'
import css from '../collecting.module.css'

const AskDialog = partDialog(async () => (await import('./ask.web.tsx')).default)
/** So many of the latest are shown at first. */
const LATEST = 5

/** Plans to pay in parts of an invoice, or of a student: where they stand, and the button that asks for one. */
export function Plans({
  of,
  own,
}: {
  of: { readonly invoice: { readonly id: number; readonly open: number } } | { readonly student: number }
  own: boolean
}) {
  const t = useT('collecting')
  const me = useMe()
  const [asking, setAsking] = useState(false)
  const { most, more } = useMost(LATEST, MOST_OF_PAGE)
  const asked = useCall(
    planCalls.list,
    {
      body: {
        perPage: most,
        filters: 'invoice' in of ? { invoice_id: [of.invoice.id] } : { student_id: [of.student] },
      },
    },
    { enabled: me.can('access_plan'), placeholderData: (before) => before },
  )
  useEvent('account', () => void asked.refetch())
  const rows = asked.data?.data
  const student = own ? me.user.student_id : 'student' in of ? of.student : null
  const open = 'invoice' in of ? of.invoice.open > 0 : true
  const waits = rows?.some((one) => one.state === 'asked' || ('invoice' in of && one.state === 'running')) ?? false
  const asks = me.can('ask_plan') && student !== null && student !== undefined && open && !waits
  if (!rows || (!rows.length && !asks)) return null
  const all = `${to('/payment-plans')}?filters=${encodeURIComponent(JSON.stringify(student ? { student_id: [student] } : {}))}`
  return (
    <>
      <Card
        title={t('plans')}
        text={rows.length ? undefined : t(own ? 'no_plans_own' : 'no_plans_of')}
        aside={
          asks ? (
            <Button variant="default" onClick={() => setAsking(true)}>
              {t('ask_plan')}
            </Button>
          ) : !own && rows.length > 0 ? (
            <Link to={all}>{t('all_plans')}</Link>
          ) : undefined
        }
      >
        {rows.length > 0 && (
          <Stack>
            {rows.map((one) => (
              <Plan key={one.id} of={one} />
            ))}
            <MoreRows shown={rows.length} total={asked.data!.meta.count} onMore={more} />
          </Stack>
        )}
      </Card>
      {asking && student && (
        <AskDialog
          student={student}
          invoice={'invoice' in of ? of.invoice.id : undefined}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

/** Of a plan that is over the parts are no one's concern any more. */
const SHOWS_PARTS: readonly PlanRow['state'][] = ['asked', 'running']

function Plan({ of }: { of: PlanRow }) {
  const t = useT('collecting')
  const planFor = usePlanFor()
  const { send } = useChange(...PLAN_AFTER)
  const withdraw = () =>
    act({
      ask: { title: t('plan_withdraw'), consequence: t('plan_withdraw_text'), action: t('withdraw') },
      go: () => send(planCalls.withdraw, { params: { id: of.id }, body: { version: of.version } }),
      done: () => t('plan_withdrawn'),
    })
  return (
    <article className={css.plan}>
      <header>
        <span className={shared.two}>
          <b>{planFor(of)}</b>
          <small>{t('plan_asked_on', { day: formatDate(of.asked_on) })}</small>
        </span>
        <PlanState of={of} />
      </header>
      {of.state === 'running' && (
        <p className={shared.text}>
          {t('plan_left', { amount: formatMoney(of.open, of.currency), day: formatDate(of.next_day) })}
        </p>
      )}
      {of.reason && (
        <p className={shared.text} dir="auto">
          {of.reason}
        </p>
      )}
      {SHOWS_PARTS.includes(of.state) && (
        <PlanParts parts={of.parts} currency={of.currency} running={of.state === 'running'} />
      )}
      {of.abilities.includes('withdraw') && (
        <div className={shared.buttons}>
          <Button variant="default" onClick={() => void withdraw()}>
            {t('withdraw')}
          </Button>
        </div>
      )}
    </article>
  )
}
