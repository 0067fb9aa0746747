import { Loader, ScrollArea } from '@mantine/core'
import { IconBellOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { useCall, useSend } from '../api/hooks.ts'
import { calls } from '../auth/calls.ts'
import type { Notification } from '../auth/calls.ts'
import { MOST_NOTIFICATIONS } from '#kit/contract/kit.area.ts'
import { useEvent } from '../auth/events.ts'
import { patchLive } from '../auth/me.ts'
import { OnlyFirst } from '../feedback/only-first.tsx'
import { Empty, Failed } from '../feedback/problems.tsx'
import { areasOf, loadTexts, travelled, useT } from '../i18n/catalogue.ts'
import { formatAgo } from '../i18n/format.ts'
import { useLanguage } from '../i18n/language.ts'
import { useQuery } from '@tanstack/react-query'
import css from './notifications.module.css'

/** What concerns the reader, the newest first, each in the reader's language. Seen is read. */
export default function Notifications({ close }: { close: () => void }) {
  const t = useT('kit')
  const l = useLanguage()
  const { data, error, isPending, refetch } = useCall(calls.notifications)
  const list = data?.data
  const areas = areasOf(list ?? [])
  const texts = useQuery({
    queryKey: ['texts', l, areas],
    enabled: areas.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => Promise.all(areas.map((area) => loadTexts(area, l))).then(() => true),
  })
  useEvent('notification', () => void refetch())
  const unread = list?.some((n) => !n.read_at)
  const read = useSend(calls.readNotifications, { onDone: () => patchLive({ notification_count: 0 }) }).mutate
  useEffect(() => {
    if (!unread) return
    // Read when they were on screen for a moment, not when the panel was only passed by.
    const timer = setTimeout(() => read({ body: {} }), 1500)
    return () => clearTimeout(timer)
  }, [unread, read])

  const view = (n: Notification) => (
    <>
      <span className={css.text} dir="auto">
        {n.text ?? travelled(n, l)}
      </span>
      <time dateTime={n.created_at}>{formatAgo(n.created_at, undefined, l)}</time>
    </>
  )
  return (
    <section aria-label={t('notifications')}>
      <h2 className={css.head}>{t('notifications')}</h2>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : isPending || (areas.length > 0 && !texts.data) ? (
        <div className={css.waiting}>
          <Loader />
        </div>
      ) : list!.length === 0 ? (
        <Empty
          icon={<IconBellOff size={28} stroke={1.5} aria-hidden />}
          title={t('notifications_empty')}
          text={t('notifications_empty_text')}
        />
      ) : (
        <ScrollArea.Autosize mah={420}>
          <ul className={css.list}>
            {list!.map((n) => (
              <li key={n.id} data-unread={!n.read_at}>
                {n.link ? (
                  <Link to={n.link} onClick={close}>
                    {view(n)}
                  </Link>
                ) : (
                  <div>{view(n)}</div>
                )}
              </li>
            ))}
          </ul>
          <OnlyFirst rows={list!.length} most={MOST_NOTIFICATIONS} />
        </ScrollArea.Autosize>
      )}
    </section>
  )
}
