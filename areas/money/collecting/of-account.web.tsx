import { useCall } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Code } from '#kit/web/feedback/index.ts'
import { formatDate, formatMoney, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Card, Stack } from '#kit/web/shell/card.tsx'
import { Plans } from './plans/of.web.tsx'
import { Promises } from './promises/of.web.tsx'
import { reminderCalls } from './reminders/reminder.contract.ts'
import { Since, StepName, useWay } from './reminders/words.web.tsx'
import shared from '../money.module.css'
import css from './collecting.module.css'

const LATEST = 5

/** How what a student owes is collected: plans to pay in parts, what was promised, by which steps one is reminded, and what was told last. */
export function CollectingOfAccount(of: { student: number; own: boolean }) {
  return (
    <Stack>
      <Plans of={of} own={of.own} />
      <Promises of={of} own={of.own} />
      <RemindersOfAccount {...of} />
    </Stack>
  )
}

function RemindersOfAccount({ student, own }: { student: number; own: boolean }) {
  const t = useT('collecting')
  const lang = useLanguage()
  const me = useMe()
  const way = useWay()
  const enabled = me.can('access_reminder')
  const asked = useCall(
    reminderCalls.list,
    { body: { perPage: LATEST, filters: { student_id: [student] } } },
    { enabled },
  )
  const steps = useCall(reminderCalls.steps, { params: { id: student } }, { enabled }).data?.data
  useEvent('account', () => void asked.refetch())
  const found = asked.data
  if (!enabled || !steps || !found) return null
  const days = (moment: 'before' | 'after') =>
    steps
      .filter((one) => one.moment === moment)
      .map((one) => formatNumber(one.days))
      .join(t('and'))
  const said = [
    !steps.length && t(own ? 'steps_none_own' : 'steps_none'),
    days('before') && t(own ? 'steps_before_own' : 'steps_before', { days: days('before') }),
    days('after') && t(own ? 'steps_after_own' : 'steps_after', { days: days('after') }),
    ...steps.flatMap(({ costs, days: after }) =>
      costs ? [t('steps_cost', { days: formatNumber(after), item: nameOf(costs, lang) })] : [],
    ),
    ...steps.flatMap(({ holds, days: after }) => (holds ? [t('steps_hold', { days: formatNumber(after) })] : [])),
  ].filter(Boolean)
  const all = `${to('/reminders')}?filters=${encodeURIComponent(JSON.stringify({ student_id: [student] }))}`
  return (
    <Card
      title={t('reminders')}
      aside={found.meta.count > 0 && <Link to={all}>{t('all_reminders', { count: found.meta.count })}</Link>}
    >
      <Stack>
        <p className={shared.text}>{said.join(' ')}</p>
        {found.data.length > 0 && (
          <ul className={css.lines}>
            {found.data.map((one) => (
              <li key={one.id}>
                <span className={shared.two}>
                  <span>
                    {formatDate(one.sent_on)} · <StepName of={one.step} />
                  </span>
                  <small>
                    <Code>{one.invoice.number}</Code> · <bdi>{formatMoney(one.amount, one.currency)}</bdi> ·{' '}
                    {t('due_on', { day: formatDate(one.due_date) })} · {way(one)}
                  </small>
                </span>
                <Since of={one} />
              </li>
            ))}
          </ul>
        )}
      </Stack>
    </Card>
  )
}
