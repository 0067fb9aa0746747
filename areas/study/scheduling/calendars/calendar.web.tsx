import { Suspense, useMemo } from 'react'
import { Button, Group } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { addDays } from '#kit/contract/day.ts'
import { useCall } from '#kit/web/api/index.ts'
import { useMe } from '#kit/web/auth/index.ts'
import { Failed } from '#kit/web/feedback/index.ts'
import { todayIso } from '#kit/web/fields/dates.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { Link } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { createStoredStore } from '#kit/web/store.ts'
import type { MonthProps } from '#kit/web/timetable/month-view.tsx'
import { CalendarAddress } from '../feeds/address.web.tsx'
import { SHOWN_LAYERS, calendarCalls } from './calendar.contract.ts'
import type { ShownLayer } from './calendar.contract.ts'
import { calendarSpan, useDayName } from './span.web.ts'
import css from './calendar.module.css'

const Month = part<MonthProps>(async () => (await import('#kit/web/timetable/month-view.tsx')).Month)

/** Layers the reader does not look at, kept in this browser. */
const hiddenLayers = createStoredStore<readonly ShownLayer[]>('ems.calendar_layers', [], (kept) =>
  SHOWN_LAYERS.map((one) => one.value).filter((layer) => Array.isArray(kept) && kept.includes(layer)),
)

/** What concerns the reader in the calendars of the university, its faculties, students and staff: a year back and a year ahead. */
export default function CalendarScreen() {
  const t = useT('scheduling')
  const say = useLabel()
  const nameDay = useDayName()
  const me = useMe()
  const today = todayIso()
  const [from, to] = [addDays(today, -366), addDays(today, 366)]
  const { data, error, refetch } = useCall(calendarCalls.ownCalendarDays, { body: { from, to } })
  const hidden = hiddenLayers.use()
  const of = useMemo(
    () =>
      data
        ? {
            from,
            to,
            spans: data.data.filter((day) => !hidden.includes(day.layer)).map((day) => calendarSpan(day, nameDay)),
          }
        : null,
    [data, hidden, from, to, nameDay],
  )
  const layers = SHOWN_LAYERS.filter(({ value }) => data?.data.some((day) => day.layer === value))
  return (
    <Page
      title={t('calendar')}
      action={
        <Group gap={8}>
          {/* Where somebody looks for it first; the same address as on the timetable. */}
          {me.can('show_my_schedule') && (me.user.student_id || me.user.instructor_id) && (
            <CalendarAddress type={me.user.student_id ? 'student' : 'instructor'} />
          )}
          {me.can('access_calendarEvent') && (
            <Button
              component={Link}
              to="/calendar-events"
              variant="default"
              leftSection={<IconPencil size={16} aria-hidden />}
            >
              {t('calendar_entries')}
            </Button>
          )}
        </Group>
      }
    >
      {error && !data ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : (
        <>
          <div
            className={`${css.layers} no-print`}
            role="group"
            aria-label={t('calendar_layers')}
            style={{ minBlockSize: 30 }}
          >
            {layers.map(({ value, label }) => (
              <button
                key={value}
                type="button"
                className={css.layer}
                aria-pressed={!hidden.includes(value)}
                onClick={() =>
                  hiddenLayers.set(hidden.includes(value) ? hidden.filter((one) => one !== value) : [...hidden, value])
                }
              >
                {say(label)}
              </button>
            ))}
          </div>
          <Suspense fallback={<div style={{ minBlockSize: 620 }} aria-busy="true" />}>
            <Month title={t('calendar')} events={[]} of={of} />
          </Suspense>
        </>
      )}
    </Page>
  )
}
