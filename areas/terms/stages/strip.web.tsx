import { useCall } from '#kit/web/api/index.ts'
import { Empty, Failed } from '#kit/web/feedback/index.ts'
import { formatDate, formatInstant, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { resourceCalls } from '#kit/contract/index.ts'
import { stage } from './stage.contract.ts'
import css from './strip.module.css'

const stages = resourceCalls(stage)
const DAY = 86_400_000
/** A window that closes at midnight was open until the day before. */
const lastDay = (ends_at: string) => new Date(Date.parse(ends_at) - 1000).toISOString()

/** The windows of a term on one line of time per group of students: what is open when, and where today stands. */
export function StageStrip({ term }: { term: { id: number; start_date: string; end_date: string } }) {
  const t = useT('terms')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(stages.list, {
    body: { perPage: 500, filters: { term_id: [term.id] }, order_by: 'starts_at' },
  })
  if (error) return <Failed error={error} retry={() => void refetch()} />
  if (!data) return <div className={css.strip} aria-busy="true" />
  const rows = data.data
  if (!rows.length) return <Empty title={t('no_stages')} text={t('no_stages_text')} />

  const at = (iso: string) => Date.parse(iso)
  const begin = Math.min(at(term.start_date), ...rows.map((r) => at(r.starts_at))) - DAY
  const end = Math.max(at(term.end_date), ...rows.map((r) => at(r.ends_at))) + DAY
  const place = (time: number) => ((time - begin) / (end - begin)) * 100
  const groups = [...new Map(rows.map((r) => [r.stage_group_id ?? 0, r.stage_group])).entries()]
  const now = Date.now()
  const months: number[] = []
  for (const d = new Date(begin); d.getTime() < end; d.setMonth(d.getMonth() + 1, 1)) {
    if (d.getTime() > begin) months.push(new Date(d.getFullYear(), d.getMonth(), 1).getTime())
  }
  return (
    <div className={css.strip} role="list" aria-label={t('stages_of_term')}>
      <div className={css.months} aria-hidden>
        {months.map((m) => (
          <span key={m} style={{ insetInlineStart: `${place(m)}%` }}>
            {new Intl.DateTimeFormat(lang === 'ar' ? 'ar-EG-u-nu-latn' : lang, { month: 'short' }).format(m)}
          </span>
        ))}
      </div>
      {groups.map(([id, group]) => {
        const own = rows.filter((r) => (r.stage_group_id ?? 0) === id)
        // Windows that overlap stand under each other.
        const lines: (typeof own)[] = []
        for (const row of own) {
          const line = lines.find((l) => at(l.at(-1)!.ends_at) <= at(row.starts_at))
          if (line) line.push(row)
          else lines.push([row])
        }
        return (
          <div key={id} className={css.group}>
            <div className={css.name}>
              <bdi>{group ? nameOf(group, lang) : t('all_students')}</bdi>
            </div>
            <div className={css.lines}>
              {lines.map((line, i) => (
                <div key={i} className={css.line}>
                  {line.map((r) => {
                    const open = at(r.starts_at) <= now && now < at(r.ends_at)
                    const name = r.stage_code ? nameOf(r.stage_code, lang) : ''
                    return (
                      <Link
                        key={r.id}
                        role="listitem"
                        className={css.bar}
                        data-open={open || undefined}
                        data-over={at(r.ends_at) <= now || undefined}
                        to={to('/management/stages/:id', { id: r.id })}
                        title={`${name}: ${formatInstant(r.starts_at)} – ${formatInstant(r.ends_at)}`}
                        style={{
                          insetInlineStart: `${place(at(r.starts_at))}%`,
                          inlineSize: `${place(at(r.ends_at)) - place(at(r.starts_at))}%`,
                        }}
                      >
                        <bdi>{name}</bdi>
                        <small>
                          {formatDate(r.starts_at)} – {formatDate(lastDay(r.ends_at))}
                        </small>
                      </Link>
                    )
                  })}
                </div>
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
  )
}
