/* oxlint-disable react/incompatible-library -- the virtualizer tells by drawing again */
import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import type { CSSProperties } from 'react'
import { addDays, dayOf, daysBetween } from '#kit/contract/day.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { Empty, Failed, Status, act } from '#kit/web/feedback/index.ts'
import { directionOf, formatDate, localeOf, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate, useSearchParams } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { reservationFlow, stayCalls } from '../stays/stay.contract.ts'
import { STAY_PATHS } from '../stays/use-steps.web.ts'
import css from '../hotels.module.css'
import { BoardRow } from './row.web.tsx'
import { bedBoardCalls, type BedBoard } from './board.contract.ts'
import type { BarDays } from './geometry.rules.ts'
import { ROW, useBars } from './use-bars.web.ts'
import { rowsOf, staysByBed, type Line } from './lines.rules.ts'

/** Widths of a day by how many are shown, px. */
const SPANS = { 21: 52, 42: 34, 120: 18 } as const
type Span = keyof typeof SPANS
const HEAD = 190

/** Which part of the board is shown: it stands in the address. */
function useShown() {
  const [query, setQuery] = useSearchParams()
  const days = ([21, 42, 120] as const).find((one) => one === Number(query.get('days'))) ?? 42
  const from = query.get('from')
  const hostel = Number(query.get('hostel')) || null
  const set = (next: Record<string, string | null>) =>
    setQuery(
      (before) => {
        const all = new URLSearchParams(before)
        for (const [key, value] of Object.entries(next)) {
          if (value) all.set(key, value)
          else all.delete(key)
        }
        return all
      },
      { replace: true },
    )
  return { days: days, from, hostel, set }
}

/** Beds below each other, days beside each other: stays are dragged to other beds and days, and stretched. */
export function BedBoardTab() {
  const t = useT('hotels')
  const say = useLabel()
  const shown = useShown()
  const { data, error, refetch, isFetching } = useCall(
    bedBoardCalls.bedBoard,
    {
      body: {
        days: shown.days,
        ...(shown.from && { from: shown.from }),
        ...(shown.hostel && { hostel_id: shown.hostel }),
      },
    },
    { placeholderData: keepPreviousData },
  )
  const board = data?.data
  if (error && !board) return <Failed error={error} retry={() => void refetch()} />
  return (
    <>
      <Tools board={board} shown={shown} />
      {!board ? (
        <Bone height={420} />
      ) : !board.rooms.length ? (
        <Empty title={t('no_rooms')} text={t('no_rooms_text')} />
      ) : (
        <Sheet board={board} busy={isFetching} />
      )}
      <ul className={css.legend}>
        {reservationFlow.states
          .filter(({ value }) => value === 'confirmed' || value.startsWith('checked'))
          .map((state) => (
            <li key={state.value}>
              <Status tone={state.tone} label={say(state.label)} />
            </li>
          ))}
        {board?.movable && <li>{t('board_keys')}</li>}
      </ul>
    </>
  )
}

function Tools({ board, shown }: { board: BedBoard | undefined; shown: ReturnType<typeof useShown> }) {
  const t = useT('hotels')
  const lang = useLanguage()
  const { days, hostel, set } = shown
  const by = (count: number) => set({ from: addDays(board?.from ?? dayOf(), count) })
  const half = Math.max(7, Math.floor(days / 2))
  return (
    <div className={css.tools}>
      <Select
        aria-label={t('hostel')}
        placeholder={t('all_hostels')}
        clearable
        data={board?.hostels.map((one) => ({ value: String(one.id), label: nameOf(one, lang) })) ?? []}
        value={hostel === null ? null : String(hostel)}
        onChange={(next) => set({ hostel: next })}
      />
      <SegmentedControl
        aria-label={t('days_shown')}
        value={String(days)}
        onChange={(next) => set({ days: next })}
        data={[
          { value: '21', label: t('weeks', { count: 3 }) },
          { value: '42', label: t('weeks', { count: 6 }) },
          { value: '120', label: t('months', { count: 4 }) },
        ]}
      />
      <ActionIcon.Group>
        <ActionIcon variant="default" size={36} aria-label={t('earlier')} onClick={() => by(-half)}>
          <IconChevronLeft size={16} className="pointing" aria-hidden />
        </ActionIcon>
        <ActionIcon variant="default" size={36} aria-label={t('later')} onClick={() => by(half)}>
          <IconChevronRight size={16} className="pointing" aria-hidden />
        </ActionIcon>
      </ActionIcon.Group>
      <Button variant="default" onClick={() => set({ from: null })}>
        {t('today')}
      </Button>
    </div>
  )
}

/** What is done with a stay that was put down elsewhere, with the way back. */
function useMoving(board: BedBoard) {
  const t = useT('hotels')
  const lang = useLanguage()
  const { send } = useChange(...STAY_PATHS)
  return (id: number, bar: BarDays) => {
    const stay = board.stays.find((one) => one.id === id)
    if (!stay) return
    const go = (of: number, next: BarDays, version: number) =>
      send(stayCalls.moveStay, {
        params: { id: of },
        body: { bed_id: next.bed_id, from_day: next.from, until_day: next.until, version },
      })
    void act({
      go: () => go(id, bar, stay.version),
      done: () =>
        t('moved_to', { name: nameOf(stay, lang), days: `${formatDate(bar.from)} – ${formatDate(bar.until)}` }),
      // A guest who has moved out of a bed does not move back by this.
      undo: ({ data }) => (data.id === id ? go(id, stay, data.version) : Promise.resolve(null)),
    })
  }
}

function Sheet({ board, busy }: { board: BedBoard; busy: boolean }) {
  const t = useT('hotels')
  const lang = useLanguage()
  const navigate = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLSpanElement>(null)
  const [spoken, setSpoken] = useState('')
  const lines = useMemo(() => rowsOf(board), [board])
  const beds = useMemo(() => lines.map((line) => (line.kind === 'bed' ? line.id : null)), [lines])
  const stays = useMemo(() => staysByBed(board.stays), [board])
  const closings = useMemo(() => staysByBed(board.closings), [board])
  const day = SPANS[board.days as Span] ?? SPANS[42]
  const move = useMoving(board)
  const place = (bed: number) => {
    const line = lines.find((one) => one.kind === 'bed' && one.id === bed)
    return line?.kind === 'bed' ? line.label : ''
  }
  const bars = useBars({
    beds,
    day,
    rightToLeft: directionOf(lang) === 'rtl',
    box,
    ghost,
    drop: move,
    say: (what, id, bar) =>
      setSpoken(
        t(`bar_${what}`, {
          name: nameOf(
            board.stays.find((one) => one.id === id),
            lang,
          ),
          bed: place(bar.bed_id),
          from: formatDate(bar.from),
          until: formatDate(bar.until),
        }),
      ),
  })
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => box.current,
    estimateSize: () => ROW,
    overscan: 14,
    getItemKey: (i) => lines[i]?.key ?? i,
  })
  const size = { '--days': board.days, '--day': `${day}px`, '--head': `${HEAD}px` } as CSSProperties
  return (
    <>
      <div
        ref={box}
        className={css.board}
        style={size}
        aria-busy={busy || undefined}
        role="group"
        aria-label={t('board')}
      >
        <div className={css.sheet}>
          <DayHeads board={board} />
          <div style={{ position: 'relative', blockSize: rows.getTotalSize() }}>
            {rows.getVirtualItems().map((item) => (
              <BoardRow
                key={item.key}
                line={lines[item.index] as Line}
                top={item.start}
                board={board}
                stays={stays}
                closings={closings}
                handle={board.movable ? bars.handle : null}
                onOpen={(id) => {
                  if (!bars.wasDragged()) void navigate(to('/reservation/:id', { id }))
                }}
              />
            ))}
            <span ref={ghost} className={css.ghost} />
          </div>
        </div>
      </div>
      <p className="sr" role="status" aria-live="assertive">
        {spoken}
      </p>
    </>
  )
}

function DayHeads({ board }: { board: BedBoard }) {
  const t = useT('hotels')
  const lang = useLanguage()
  const heads = useMemo(() => {
    const month = new Intl.DateTimeFormat(localeOf(lang), { month: 'short', timeZone: 'UTC' })
    const number = new Intl.NumberFormat(localeOf(lang))
    return Array.from({ length: board.days }, (_, i) => {
      const day = addDays(board.from, i)
      const at = new Date(`${day}T00:00:00Z`)
      return {
        day,
        number: number.format(at.getUTCDate()),
        month: i === 0 || at.getUTCDate() === 1 ? month.format(at) : '',
        shown: board.days < 100 || at.getUTCDate() % 5 === 0 || at.getUTCDate() === 1,
      }
    })
  }, [board.from, board.days, lang])
  const today = daysBetween(board.from, board.today)
  return (
    <div className={css.head}>
      <div className={css.corner}>{t('bed')}</div>
      {heads.map(({ day, number, month, shown }, i) => (
        <div key={day} className={css.dayHead} data-today={i === today || undefined} title={formatDate(day)}>
          <span className={css.month}>{month}</span>
          <span>{shown ? number : ''}</span>
        </div>
      ))}
    </div>
  )
}
