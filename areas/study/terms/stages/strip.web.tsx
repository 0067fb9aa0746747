import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { addMonths } from '#kit/web/fields/dates.ts'
import { formatDate, formatInstant, nameOf, useLanguage, useT, withHeading } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { dayOf, instantAt, isElsewhere, zoneOfUniversity } from '#kit/contract/day.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { stage } from './stage.contract.ts'
import { TakeOver } from './take-over.web.tsx'
import css from './strip.module.css'

const stages = resourceCalls(stage)
const DAY = 86_400_000
/** A window that closes at midnight was open until the day before. */
const lastDay = (ends_at: string) => new Date(Date.parse(ends_at) - 1000).toISOString()

/** Something that lasts, as a bar on a line of time. */
export interface StripRow {
  readonly id: number
  readonly name: string
  /** For whom; null: all students. */
  readonly group: { readonly id: number; readonly name: string; readonly name_local?: string | null } | null
  readonly starts_at: string
  readonly ends_at: string
  /** Where the bar leads; null: nowhere. */
  readonly href: string | null
}

/** The windows of a term on one line of time per group of students: what is open when, and where today stands. */
export function StageStrip({
  term,
}: {
  term: { id: number; start_date: string; end_date: string; term_type?: string }
}) {
  const t = useT('terms')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(stages.list, {
    body: { perPage: 500, filters: { term_id: [term.id] }, order_by: 'starts_at' },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <div className={css.strip} aria-busy="true" />
  if (!data.data.length)
    return <Empty title={t('no_stages')} text={t('no_stages_text')} action={<TakeOver term={term} />} />
  return (
    <TimeStrip
      label={t('stages_of_term')}
      term={term}
      rows={data.data.map((r) => ({
        id: r.id,
        name: r.stage_code ? nameOf(r.stage_code, lang) : '',
        group: r.stage_group ?? null,
        starts_at: r.starts_at,
        ends_at: r.ends_at,
        href: to('/management/stages/:id', { id: r.id }),
      }))}
    />
  )
}

/** What lasts, on one line of time per group, with the months and today. */
export function TimeStrip({
  label,
  term,
  rows,
}: {
  label: string
  term: { start_date: string; end_date: string }
  rows: readonly StripRow[]
}) {
  const t = useT('terms')
  const lang = useLanguage()
  const at = (iso: string) => Date.parse(iso)
  const begin = Math.min(at(term.start_date), ...rows.map((r) => at(r.starts_at))) - DAY
  const end = Math.max(at(term.end_date), ...rows.map((r) => at(r.ends_at))) + DAY
  const place = (time: number) => ((time - begin) / (end - begin)) * 100
  const groups = [...new Map(rows.map((r) => [r.group?.id ?? 0, r.group])).entries()]
  const now = Date.now()
  const months: number[] = []
  for (let first = addMonths(`${dayOf(new Date(begin)).slice(0, 7)}-01`, 1); ; first = addMonths(first, 1)) {
    const time = instantAt(first, '00:00').getTime()
    if (time >= end) break
    months.push(time)
  }
  return (
    <section aria-label={label}>
      <div className={css.strip} role="list" aria-label={label}>
        <div className={css.months} aria-hidden>
          {months.map((m) => (
            <span key={m} style={{ insetInlineStart: `${place(m)}%` }}>
              {new Intl.DateTimeFormat(lang === 'ar' ? 'ar-EG-u-nu-latn' : lang, {
                month: 'short',
                timeZone: zoneOfUniversity(),
              }).format(m)}
            </span>
          ))}
        </div>
        {groups.map(([id, group]) => {
          const own = rows.filter((r) => (r.group?.id ?? 0) === id)
          return (
            <div key={id} className={css.group}>
              <div className={css.name}>
                <bdi>{group ? nameOf(group, lang) : t('all_students')}</bdi>
              </div>
              <div className={css.lines}>
                {own.map((r) => (
                  <Spell key={r.id} row={r} from={place(at(r.starts_at))} until={place(at(r.ends_at))} now={now} />
                ))}
              </div>
            </div>
          )
        })}
        {now > begin && now < end && (
          <div className={css.today} style={{ '--at': place(now) / 100 } as React.CSSProperties}>
            <span>{t('today')}</span>
          </div>
        )}
      </div>
      {isElsewhere(new Date(now)) && <p className={css.zone}>{t('strip_zone', { zone: zoneOfUniversity()! })}</p>}
    </section>
  )
}

/** One window: its bar, and its name with its days beneath, from the side on which there is more room. On a phone an entry of a list. */
function Spell({ row, from, until, now }: { row: StripRow; from: number; until: number; now: number }) {
  const open = Date.parse(row.starts_at) <= now && now < Date.parse(row.ends_at)
  const given = {
    className: css.words,
    title: withHeading(row.name, `${formatInstant(row.starts_at)} – ${formatInstant(row.ends_at)}`),
    style: from > 55 ? { insetInlineEnd: `${Math.max(0, 100 - until)}%` } : { insetInlineStart: `${from}%` },
    children: (
      <>
        <bdi>{row.name}</bdi>{' '}
        <small>
          {formatDate(row.starts_at)} – {formatDate(lastDay(row.ends_at))}
        </small>
      </>
    ),
  }
  return (
    <div
      role="listitem"
      className={css.line}
      data-open={open || undefined}
      data-over={Date.parse(row.ends_at) <= now || undefined}
    >
      <div className={css.bar} style={{ insetInlineStart: `${from}%`, inlineSize: `${until - from}%` }} />
      {row.href ? <Link {...given} to={row.href} /> : <div {...given} />}
    </div>
  )
}
