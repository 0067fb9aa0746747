import { Suspense, useMemo } from 'react'
import type { ReactNode } from 'react'
import { ActionIcon, SegmentedControl, Switch, Tooltip } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCalendarMonth, IconCalendarWeek, IconList, IconPrinter } from '@tabler/icons-react'
import { MEETING_TYPES, meetingType, type MeetingType, type TimetableKind } from '#kit/contract/week.ts'
import { Empty } from '../feedback/index.ts'
import { useLabel, useT } from '../i18n/index.ts'
import { part } from '../later.ts'
import { Bone } from '../shell/card.tsx'
import { createStoredStore } from '../store.ts'
import { daysOf } from './layout.ts'
import type { TimetableEvent } from './layout.ts'
import type { MonthProps } from './month-view.tsx'
import type { MonthOf } from './month.ts'
import { ListOfDays, Week } from './week-view.tsx'
import css from './timetable.module.css'

const Month = part<MonthProps>(async () => (await import('./month-view.tsx')).Month)
/** About as high as the list on a phone, px. */
const LIST_HEIGHT = 640
/** About as high as a month is, px. */
const MONTH_HEIGHT = 620

export type { TimetableEvent }

export interface TimetableProps {
  /** Whose or what it is: stands on the print. */
  readonly title: string
  /** What the print says beside it: term, date. */
  readonly note?: string
  readonly events: readonly TimetableEvent[] | undefined
  /** The switch between regular and Ramadan times; absent: there is none. */
  readonly ramadan?: { readonly on: boolean; readonly onChange: (on: boolean) => void }
  /** Instead of following `href`. */
  readonly onOpen?: (event: TimetableEvent) => void
  readonly empty?: ReactNode
  /** Further controls at the end of the bar. */
  readonly tools?: ReactNode
  /** No line for the present time: weeks that are not this one. */
  readonly noNow?: boolean
  /** Offers its months as well: from which day to which the weeks come again, and what lasts for days; null: on its way. */
  readonly month?: MonthOf | null | undefined
  /** Least width of a day in px, below which the week scrolls: smaller where the week stands beside something. */
  readonly dayWidth?: number
}

/** Kinds of meetings that the reader does not look at. */
const hiddenKinds = createStoredStore<readonly MeetingType[]>('ems.timetable', [], (kept) =>
  MEETING_TYPES.map((one) => one.value).filter((kind) => Array.isArray(kept) && kept.includes(kind)),
)

const VIEWS = ['week', 'list', 'month'] as const
/** How the reader looks at timetables; null: by the width of the screen. */
const chosenView = createStoredStore<(typeof VIEWS)[number] | null>(
  'ems.timetable_view',
  null,
  (kept) => VIEWS.find((view) => view === kept) ?? null,
)

/** A week: days across from Saturday, time down, mirrored in Arabic. On phones a list by days. See look.md "Timetable". */
export function Timetable({
  title,
  note,
  events,
  ramadan,
  onOpen,
  empty,
  tools,
  noNow,
  month,
  dayWidth = 118,
}: TimetableProps) {
  const t = useT('kit-screens')
  const say = useLabel()
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const chosen = chosenView.use()
  const view = chosen && (chosen !== 'month' || month !== undefined) ? chosen : phone ? 'list' : 'week'
  // Which kinds are hidden is kept in this browser, for every week.
  const hidden = hiddenKinds.use()
  const off = useMemo(() => new Set<TimetableKind>(hidden), [hidden])
  const all = events ?? []
  const kinds = MEETING_TYPES.map((one) => one.value).filter((kind) => all.some((e) => e.type === kind))
  const shown = useMemo(() => (events ?? []).filter((e) => !off.has(e.type)), [events, off])
  const present = useMemo(() => events?.filter((e) => !e.off), [events])
  const presentShown = useMemo(() => shown.filter((e) => !e.off), [shown])
  const days = useMemo(() => daysOf(present ?? []), [present])
  const toggle = (kind: MeetingType) => {
    hiddenKinds.set(off.has(kind) ? hidden.filter((one) => one !== kind) : [...hidden, kind])
  }
  const bar = (
    <div className={`${css.bar} no-print`}>
      {kinds.length > 1 &&
        kinds.map((kind) => (
          <button
            key={kind}
            type="button"
            className={css.kind}
            data-kind={kind}
            aria-pressed={!off.has(kind)}
            onClick={() => toggle(kind)}
          >
            {say(meetingType(kind))}
          </button>
        ))}
      <span className={css.spring} />
      {ramadan && (
        <Switch
          label={t('ramadan_times')}
          checked={ramadan.on}
          onChange={(event) => ramadan.onChange(event.currentTarget.checked)}
        />
      )}
      {tools}
      <SegmentedControl
        size="xs"
        aria-label={t('view_as')}
        value={view}
        onChange={(next) => chosenView.set(next)}
        data={[
          {
            value: 'week',
            label: <ViewIcon label={t('view_week')} icon={<IconCalendarWeek size={16} aria-hidden />} />,
          },
          { value: 'list', label: <ViewIcon label={t('view_list')} icon={<IconList size={16} aria-hidden />} /> },
          ...(month !== undefined
            ? [
                {
                  value: 'month' as const,
                  label: <ViewIcon label={t('view_month')} icon={<IconCalendarMonth size={16} aria-hidden />} />,
                },
              ]
            : []),
        ]}
      />
      <Tooltip label={t('print')}>
        <ActionIcon variant="default" size={30} aria-label={t('print')} onClick={() => window.print()}>
          <IconPrinter size={16} />
        </ActionIcon>
      </Tooltip>
    </div>
  )
  return (
    <div className={`${css.inks} ${css.wrap}`}>
      {!phone && bar}
      <p className={css.printTitle}>
        <bdi>{title}</bdi>
        {note && (
          <small>
            <bdi>{note}</bdi>
          </small>
        )}
      </p>
      {view === 'month' && month !== undefined ? (
        <Suspense fallback={<div style={{ minBlockSize: MONTH_HEIGHT }} aria-busy="true" />}>
          <Month title={title} events={shown} of={month} onOpen={onOpen} />
        </Suspense>
      ) : phone && !events ? (
        // As high as a day or two: what stands below comes with them, and nothing moves.
        <Bone height={LIST_HEIGHT} />
      ) : present && !present.length ? (
        (empty ?? <Empty title={t('timetable_empty')} />)
      ) : view === 'list' ? (
        <ListOfDays shown={presentShown} days={days} onOpen={onOpen} noNow={noNow} />
      ) : (
        <Week
          title={title}
          events={present}
          shown={presentShown}
          days={days}
          onOpen={onOpen}
          noNow={noNow}
          dayWidth={dayWidth}
        />
      )}
      {/* On a phone the day comes first, then what changes how it is shown. */}
      {phone && events && bar}
    </div>
  )
}
const ViewIcon = ({ label, icon }: { label: string; icon: ReactNode }) => (
  <span title={label} style={{ display: 'flex' }}>
    {icon}
    <span className="sr">{label}</span>
  </span>
)
