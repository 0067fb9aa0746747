import type { ReactNode } from 'react'
import type { ResourceCalls, Row } from '#kit/contract/index.ts'
import { callsOf } from '#kit/web/fields/calls-of.ts'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { formatNumber, formatTimeRange, nameOf, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { offering } from './offering.contract.ts'
import css from './offerings.module.css'
import type { WeeklyMeeting } from './slots/slots.contract.ts'

export type OfferingRow = Row<typeof offering>
/** The calls of the resource. */
export const offerings = callsOf(offering) as unknown as ResourceCalls<typeof offering>

/** Code of a course and of its offering, as everywhere: `CS101 (1)`. */
export const offeringCode = (row: Pick<OfferingRow, 'course' | 'code'>): string =>
  `${row.course?.code ?? ''} (${row.code ?? ''})`

/** Seats as a bar: taken of the quota, and what staff gave above it. */
export function SeatBar({
  taken,
  quota,
  over = 0,
  label,
}: {
  taken: number
  quota: number
  over?: number
  label?: ReactNode
}) {
  const t = useT('offerings')
  const whole = Math.max(quota + over, taken, 1)
  const part = (n: number) => `${(n / whole) * 100}%`
  const said = t('seats_taken_of', { taken, quota })
  return (
    <span className={css.seats} title={over ? `${said} · ${t('over_quota_of', { over })}` : said}>
      {label && <span className={css.seatsLabel}>{label}</span>}
      <span className={css.bar} role="img" aria-label={said} data-full={taken >= quota || undefined}>
        <span className={css.barTaken} style={{ inlineSize: part(Math.min(taken, quota)) }} />
        {taken > quota && <span className={css.barOver} style={{ inlineSize: part(taken - quota) }} />}
        {over > 0 && <span className={css.barMark} style={{ insetInlineStart: part(quota) }} />}
      </span>
      <Code className={css.seatsFigure}>
        {formatNumber(taken)} / {formatNumber(quota)}
        {over > 0 && <Code className={css.dim}> +{formatNumber(over)}</Code>}
      </Code>
    </span>
  )
}

/** Day, time and place of a meeting in one line; says so when it has none yet. */
export function MeetingTime({
  meeting,
  short,
}: {
  meeting: Pick<WeeklyMeeting, 'day' | 'slot' | 'location'>
  short?: boolean
}) {
  const t = useT('offerings')
  const lang = useLanguage()
  if (meeting.day === null || !meeting.slot) return <span className={css.dim}>{t('no_time_yet')}</span>
  return (
    <span>
      {weekdays(short ? 'short' : 'long', 6, lang)[meeting.day]}{' '}
      <Code>{formatTimeRange(meeting.slot.start, meeting.slot.end)}</Code>
      {meeting.location && (
        <>
          {' · '}
          <Code>{meeting.location.code ?? nameOf(meeting.location, lang)}</Code>
        </>
      )}
    </span>
  )
}

/** People in one cell: the first by name, the others counted. */
export function People({ list }: { list: readonly { id: number; name: string; name_local?: string | null }[] | null }) {
  const [first] = list ?? []
  if (!first) return <span className={css.dim}>–</span>
  return (
    <span>
      <Name row={first} />
      {list!.length > 1 && (
        <>
          {' '}
          <Code className={css.dim}>+{list!.length - 1}</Code>
        </>
      )}
    </span>
  )
}
