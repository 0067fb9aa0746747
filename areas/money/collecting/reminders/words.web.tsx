/** How reminders are said on screens. */
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Status } from '#kit/web/feedback/index.ts'
import shared from '../../money.module.css'
import { BY_MAIL, SINCE, type ReminderRow } from './reminder.contract.ts'

const IS = { open: 'waits', paid: 'done', gone: 'cancelled' } as const

/** What became of the part since. */
export function Since({ of }: { of: Pick<ReminderRow, 'since'> }) {
  const say = useLabel()
  return <Status is={IS[of.since]} label={say(SINCE.find((one) => one.value === of.since)!.label)} />
}

type Told = Pick<ReminderRow, 'in_app' | 'by_mail'>

/** The ways by which it was told, each in a word; none: nobody was told who has no account. */
function useWays(): (of: Told) => readonly string[] {
  const t = useT('collecting')
  const say = useLabel()
  return ({ in_app, by_mail }) => [
    ...(in_app ? [t('in_app')] : []),
    ...(by_mail === 'none' ? [] : [say(BY_MAIL.find((one) => one.value === by_mail)!.label)]),
  ]
}

/** By which way it was told, in a line. */
export function useWay(): (of: Told) => string {
  const t = useT('collecting')
  const ways = useWays()
  return (of) => ways(of).join(' · ') || t('unreached')
}

/** The same in a cell: each way on a line of its own, so that none is cut. */
export function Ways({ of }: { of: Told }) {
  const t = useT('collecting')
  const [first, ...others] = useWays()(of)
  return (
    <span className={shared.two}>
      <span>{first ?? t('unreached')}</span>
      {others.map((way) => (
        <small key={way}>{way}</small>
      ))}
    </span>
  )
}

/** So many days before or after, and the time it is. */
export function useWhenOf(): (of: Pick<ReminderRow, 'moment' | 'days' | 'level'>) => string {
  const t = useT('collecting')
  return ({ moment, days, level }) =>
    moment === 'before'
      ? t(days === 0 ? 'on_the_day' : 'days_before', { count: days })
      : `${t('days_after', { count: days })} · ${t('time', { n: formatNumber(level ?? 1) })}`
}

/** The name of a step. */
export function StepName({ of }: { of: ReminderRow['step'] }) {
  const lang = useLanguage()
  return <bdi>{nameOf(of, lang)}</bdi>
}
