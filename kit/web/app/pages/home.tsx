import { Button } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, type ReactNode } from 'react'
import { Link } from 'react-router'
import { dayOf, timeOf } from '#kit/contract/day.ts'
import { useCall } from '../../api/hooks.ts'
import { calls } from '../../auth/calls.ts'
import type { WorkItem } from '../../auth/calls.ts'
import { useEvent } from '../../auth/events.ts'
import { useMe } from '../../auth/me.ts'
import { Empty, Failed } from '../../feedback/problems.tsx'
import { Code } from '../../feedback/words.tsx'
import { areasOf, loadTexts, travelled, useT } from '../../i18n/catalogue.ts'
import { formatAgo, formatDate, formatInstant, formatTimeRange, nameOf } from '../../i18n/format.ts'
import { useLanguage } from '../../i18n/language.ts'
import { Bone, Card, Stack } from '../../shell/card.tsx'
import { part } from '../../later.ts'
import { screenAt, titleOf } from '../../router/screens.ts'
import { Dotted, Page } from '../../shell/page.tsx'
import css from './home.module.css'
import { daysLate, daysLeft } from './late.ts'

/** How many news are shown; all stand behind the bell. */
const NEWS = 5
const DAY = 86_400_000
/** What the reader has put here, fetched for nobody else. */
const Besides = part(async () => (await import('./besides.tsx')).Besides)

/** What waits for the reader, the oldest first; then the day, then what is new. Figures and charts are elsewhere. */
export default function Home() {
  const t = useT('kit-screens')
  const l = useLanguage()
  const me = useMe()
  const work = useCall(calls.work, undefined, { refetchInterval: 60_000 })
  const news = useCall(calls.notifications)
  useEvent('notification', () => void Promise.all([work.refetch(), news.refetch()]))
  const items = work.data?.data
  const told = news.data?.data.slice(0, NEWS)
  const areas = areasOf([...(items?.waiting ?? []), ...(items?.today ?? []), ...(told ?? [])])
  const texts = useQuery({
    queryKey: ['texts', l, areas],
    enabled: areas.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => Promise.all(areas.map((area) => loadTexts(area, l))).then(() => true),
  })
  const ready = items && told && (areas.length === 0 || texts.data)
  const say = (item: Pick<WorkItem, 'key' | 'data'>): string => travelled(item, l)
  const until = (item: WorkItem): ReactNode => {
    if (!item.until) {
      // The hour says something today; of earlier days it is the day that counts.
      const today = item.since && dayOf(item.since) === dayOf()
      return (
        item.since &&
        t('home_since', { when: today ? formatInstant(item.since, l) : formatDate(item.since, 'short', l) })
      )
    }
    // What is late says by how many days of the university, not how many are left.
    const late = daysLate(item.until)
    if (late !== null) return t('home_late', { count: late, date: formatDate(dayOf(item.until), 'short', l) })
    const left = daysLeft(item.until)
    return left > 14 || left < 1
      ? t('home_until', { date: formatInstant(item.until, l) })
      : t('home_left', { count: left, date: formatInstant(item.until, l) })
  }
  const error = work.error ?? news.error
  return (
    <Page
      title={titleOf(screenAt('/home')!, l)}
      subtitle={
        <Dotted>
          <bdi>{nameOf(me.user, l)}</bdi>
          <span>{formatDate(dayOf(), 'weekday', l)}</span>
        </Dotted>
      }
      wide={false}
    >
      {error && !ready ? (
        <Failed error={error} retry={() => void Promise.all([work.refetch(), news.refetch()])} />
      ) : !ready ? (
        <Stack>
          <Bone height={230} />
          <Bone height={140} />
        </Stack>
      ) : (
        <Stack>
          <Card title={t('home_waits')}>
            {items.waiting.length === 0 ? (
              <Empty
                icon={<IconCheck size={26} stroke={1.5} aria-hidden />}
                title={t('home_nothing')}
                text={t('home_nothing_text')}
              />
            ) : (
              <ul className={css.list}>
                {items.waiting.map((item) => (
                  <li
                    key={item.key + item.link}
                    data-soon={(item.until && Date.parse(item.until) - Date.now() < 2 * DAY) || undefined}
                  >
                    <div>
                      <p>{say(item)}</p>
                      <small>{until(item)}</small>
                    </div>
                    <Button
                      component={Link}
                      to={item.link}
                      variant="light"
                      size="xs"
                      rightSection={<IconArrowRight size={14} className={css.arrow} aria-hidden />}
                      aria-label={`${t('open')}: ${say(item)}`}
                    >
                      {t('open')}
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </Card>
          {items.today.length === 0 && (me.user.student_id !== null || me.user.instructor_id !== null) && (
            <Card title={t('home_today')} text={t('home_today_none')} />
          )}
          {items.today.length > 0 && (
            <Card title={t('home_today')}>
              <ul className={css.list}>
                {items.today.map((item) => (
                  <li key={item.start + item.key + say(item)} data-over={item.end <= timeOf() || undefined}>
                    <Link to={item.link} className={css.meeting}>
                      <span className={css.time}>
                        <Code>{formatTimeRange(item.start, item.end)}</Code>
                      </span>
                      <span>{say(item)}</span>
                    </Link>
                  </li>
                ))}
              </ul>
            </Card>
          )}
          {(items.besides?.length ?? 0) > 0 && (
            <Suspense fallback={<Bone height={110} />}>
              <Besides />
            </Suspense>
          )}
          {told.length > 0 && (
            <Card title={t('home_news')}>
              <ul className={css.list}>
                {told.map((item) => {
                  const line = (
                    <>
                      <span>{say(item)}</span>
                      <small>{formatAgo(item.created_at, undefined, l)}</small>
                    </>
                  )
                  return (
                    <li key={item.id} data-new={!item.read_at || undefined}>
                      {item.link ? (
                        <Link to={item.link} className={css.news}>
                          {line}
                        </Link>
                      ) : (
                        <div className={css.news}>{line}</div>
                      )}
                    </li>
                  )
                })}
              </ul>
            </Card>
          )}
        </Stack>
      )}
    </Page>
  )
}
