/** How reminders are said on screens. */
import { formatNumber, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Status } from '#kit/web/feedback/index.ts'
import { BY_MAIL, SINCE, type ReminderRow } from './reminder.contract.ts'

const IS = { open: 'waits', paid: 'done', gone: 'cancelled' } as const

/** What became of the part since. */
export function Since({ of }: { of: Pick<ReminderRow, 'since'> }) {
  const say = useLabel()
  return <Status is={IS[of.since]} label={say(SINCE.find((one) => one.value === of.since)!.label)} />
}

/** By which way it was told; nobody is told who has no account. */
export function useWay(): (of: Pick<ReminderRow, 'in_app' | 'by_mail'>) => string {
  const t = useT('collecting')
  const say = useLabel()
  return ({ in_app, by_mail }) => {
    const mail = by_mail === 'none' ? [] : [say(BY_MAIL.find((one) => one.value === by_mail)!.label)]
    const ways = [...(in_app ? [t('in_app')] : []), ...mail]
    return ways.length ? ways.join(' · ') : t('unreached')
  }
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
