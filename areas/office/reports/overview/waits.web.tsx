import { IconChevronRight, IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import type { Language } from '#kit/contract/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Code, Empty, Name } from '#kit/web/feedback/index.ts'
import { formatAgo, formatInstant, formatList, formatNumber, nameOf, useLabel } from '#kit/web/i18n/index.ts'
import { Link } from '#kit/web/router/index.ts'
import { Card } from '#kit/web/shell/card.tsx'
import type { OverviewCounts } from './overview.contract.ts'
import { REQUEST_STATES, daysLeft, joinWindows, progressOf } from './overview.rules.ts'
import { useLists } from './lists.web.ts'
import css from './overview.module.css'
import { type T, To, Bones } from './tiles.web.tsx'

// --- Windows --------------------------------------------------------------------------------------------------------

const SHOWN = 6

/** What is open now and for how long, what opens within two weeks. */
export function Windows({
  t,
  lang,
  data,
  now,
}: {
  t: T
  lang: Language
  data: OverviewCounts | undefined
  now: number
}) {
  const list = useLists()
  const windows = data && joinWindows(data.windows)
  const all = list('/management/stages', { term_id: [data?.term?.id] })
  return (
    <Card
      title={t('windows')}
      aside={
        all && (
          <Link className={css.more} to={all}>
            {t('all_windows')}
          </Link>
        )
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- who has no mouse scrolls it by the arrow keys */}
      <section className={css.tall} tabIndex={0} aria-label={t('windows')}>
        {!windows ? (
          <Bones rows={SHOWN} />
        ) : windows.length ? (
          <ul className={css.rows}>
            {windows.map((w) => {
              const open = Date.parse(w.starts_at) <= now
              const days = daysLeft(open ? w.ends_at : w.starts_at, now)
              const whom = w.groups.length
                ? formatList(
                    w.groups.map((g) => nameOf(g, lang)),
                    lang,
                  )
                : t('all_students')
              return (
                <li key={w.ids[0]}>
                  <To
                    href={list('/management/stages', { term_id: [w.term.id], stage_code_id: [w.stage_code.id] })}
                    className={css.row}
                  >
                    <span className={css.window}>
                      <b>
                        <Name row={w.stage_code} />
                      </b>
                      <small>
                        {w.term.id !== data.term?.id && (
                          <>
                            <Name row={w.term} />
                            {' · '}
                          </>
                        )}
                        <bdi>{whom}</bdi>
                      </small>
                    </span>
                    <span
                      className={css.until}
                      title={`${formatInstant(w.starts_at, lang)} – ${formatInstant(w.ends_at, lang)}`}
                    >
                      <span data-soon={(open && days <= 3) || undefined} data-later={!open || undefined}>
                        {t(open ? (days ? 'closes_in' : 'closes_today') : days ? 'opens_in' : 'opens_today', {
                          count: days,
                        })}
                      </span>
                      <span className={css.meter} data-later={!open || undefined} aria-hidden>
                        <span style={{ inlineSize: `${progressOf(w, now) * 100}%` }} />
                      </span>
                    </span>
                  </To>
                </li>
              )
            })}
          </ul>
        ) : (
          <Empty title={t('no_windows')} text={t('no_windows_text')} />
        )}
      </section>
    </Card>
  )
}

// --- What waits for somebody ----------------------------------------------------------------------------------------

interface Wait {
  readonly key: string
  readonly label: string
  readonly count: number | undefined
  readonly text?: ReactNode
  readonly href: string | null
}

export function Waits({ t, data }: { t: T; data: OverviewCounts | undefined }) {
  const say = useLabel()
  const { can } = useMe()
  const list = useLists()
  const { students, registrations, offerings, control } = data ?? {}
  const term_id = data?.term?.id
  const control_id = data?.control_term?.id
  const requests = registrations?.requests
  const steps = (['Submitted', 'Reviewed', 'Approved'] as const).map((status) => ({
    status,
    count: control?.[status] ?? 0,
    label: say(CONTROL_STATUSES.find((c) => c.value === status)!.label),
  }))
  const rows: Wait[] = [
    ...(can('access_registration')
      ? [
          {
            key: 'requests',
            label: t('requests_waiting'),
            count: requests?.total,
            text: requests?.oldest && t('oldest', { when: formatAgo(requests.oldest) }),
            href: list('/registrations', { term_id: [term_id], state: REQUEST_STATES }),
          },
        ]
      : []),
    ...(can('access_offering')
      ? [
          {
            key: 'wait_lists',
            label: t('wait_lists'),
            count: offerings?.waiting,
            text: offerings?.waited_for ? t('in_offerings', { count: offerings.waited_for }) : null,
            href: list('/offerings', { term_id, seats: ['waiting'] }),
          },
          {
            key: 'full',
            label: t('full'),
            count: offerings?.full,
            href: list('/offerings', { term_id, seats: ['full'] }),
          },
          {
            key: 'unplaced',
            label: t('unplaced'),
            count: offerings?.unplaced,
            href: list('/offerings', { term_id, seats: ['unplaced'] }),
          },
        ]
      : []),
    ...(can('access_control', 'access_offering')
      ? [
          {
            key: 'control',
            label: t('in_control'),
            count: control ? steps.reduce((sum, s) => sum + s.count, 0) : control === null ? 0 : undefined,
            text: formatList(steps.filter((s) => s.count).map((s) => `${s.label} ${formatNumber(s.count)}`)),
            href: list.control({ term_id: control_id, control_status: ['Submitted', 'Reviewed', 'Approved'] }),
          },
        ]
      : []),
    ...(can('access_students')
      ? [
          {
            key: 'advisors',
            label: t('without_advisor'),
            count: students?.without_advisor,
            href: list('/advised_students', { without_advisor: true }),
          },
        ]
      : []),
  ]
  return (
    <Card title={t('waits')}>
      <div className={css.tall}>
        <ul className={css.rows}>
          {rows.map((row) => (
            <li key={row.key}>
              <To href={row.count ? row.href : null} className={css.row}>
                <span className={css.window}>
                  <b data-none={row.count === 0 || undefined}>{row.label}</b>
                  <small>{row.count ? row.text : null}</small>
                </span>
                {row.count === undefined ? (
                  <span className={css.boneText} />
                ) : row.count === 0 ? (
                  <IconCircleCheck className={css.none} size={18} aria-label={t('nothing_waits')} />
                ) : (
                  <span className={css.number}>
                    <Code>{formatNumber(row.count)}</Code>
                    {row.href && <IconChevronRight className="pointing" size={16} aria-hidden />}
                  </span>
                )}
              </To>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
