import { addDays } from '#kit/contract/day.ts'
import { formatDate, nameOf, useT } from '#kit/web/i18n/index.ts'
import { ScrollFrame } from '#kit/web/table/table.tsx'
import type { InternDetail } from './intern.contract.ts'
import css from '../internship.module.css'

const DAY = 86_400_000
type Shown = InternDetail['rotations'][number]
/** What a rotation looks like, by where it stands. */
const toneOf = (one: Shown): string =>
  one.outcome === 'passed'
    ? 'done'
    : one.outcome === 'failed' || one.outcome === 'interrupted'
      ? 'refused'
      : one.status === 'accepted'
        ? 'draft'
        : 'waiting'

interface Bar {
  readonly key: string
  readonly from: number
  readonly until: number
  readonly line: number
  readonly tone: string
  readonly text: string
  readonly title: string
}
/** Bars in lines: what overlaps stands beneath each other. */
function laid(of: InternDetail, words: { leave: string }): { bars: Bar[]; lines: number } {
  const { starts_on, periods, period_weeks } = of.year
  const at = (day: string) => Math.floor((Date.parse(day) - Date.parse(starts_on)) / (period_weeks * 7 * DAY))
  const lines: string[] = []
  const place = (from: string, until: string): number => {
    const free = lines.findIndex((last) => last < from)
    const line = free < 0 ? lines.length : free
    lines[line] = until
    return line
  }
  const within = (n: number) => Math.min(periods - 1, Math.max(0, n))
  const days = (from: string, until: string) => `${formatDate(from)} – ${formatDate(until)}`
  const live = of.rotations.filter((one) => one.status !== 'rejected' && one.status !== 'removed')
  const bars = live.map((one): Bar => {
    const end = one.interrupted_on ?? one.ends_on
    return {
      key: `rotation ${one.id}`,
      from: within(at(one.starts_on)),
      until: within(at(end < one.starts_on ? one.starts_on : end)),
      line: place(one.starts_on, end),
      tone: toneOf(one),
      text: nameOf(one.type),
      title: `${nameOf(one.training)} · ${days(one.starts_on, end)}`,
    }
  })
  const leaves = (of.intern as unknown as { leaves: { id: number; starts_on: string; ends_on: string }[] }).leaves
  for (const one of leaves)
    bars.push({
      key: `leave ${one.id}`,
      from: within(at(one.starts_on)),
      until: within(at(one.ends_on)),
      line: place(one.starts_on, one.ends_on),
      tone: 'leave',
      text: words.leave,
      title: days(one.starts_on, one.ends_on),
    })
  return { bars, lines: Math.max(1, lines.length) }
}

/** The year of an intern as a line of its periods, with what lies in each. */
export function YearLine({ of }: { of: InternDetail }) {
  const t = useT('internship')
  const { bars, lines } = laid(of, { leave: t('leave') })
  const { starts_on, periods, period_weeks } = of.year
  return (
    <ScrollFrame label={t('year')}>
      <div className={css.year} style={{ '--periods': periods, '--lines': lines } as React.CSSProperties}>
        {Array.from({ length: periods }, (_, n) => {
          const day = addDays(starts_on, n * period_weeks * 7)
          return (
            <span key={day} className={css.period} style={{ gridColumn: n + 1 }}>
              {formatDate(day, 'column')}
            </span>
          )
        })}
        {bars.map((bar) => (
          <span
            key={bar.key}
            className={css.bar}
            data-tone={bar.tone}
            title={bar.title}
            style={{ gridColumn: `${bar.from + 1} / ${bar.until + 2}`, gridRow: bar.line + 2 }}
          >
            <bdi>{bar.text}</bdi>
          </span>
        ))}
      </div>
    </ScrollFrame>
  )
}
