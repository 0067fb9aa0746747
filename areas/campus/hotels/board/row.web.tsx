import { IconCheck, IconClock, IconDoorExit, IconMoodSmile } from '@tabler/icons-react'
import { memo } from 'react'
import type { CSSProperties, ReactNode } from 'react'
import { daysBetween } from '#kit/contract/day.ts'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { reservationFlow } from '../stays/stay.contract.ts'
import css from '../hotels.module.css'
import type { BedBoard } from './board.contract.ts'
import { barColumns, type BarDays } from './geometry.rules.ts'
import type { Line } from './lines.rules.ts'
import type { useBars } from './use-bars.web.ts'

type Stay = BedBoard['stays'][number]
type Closing = BedBoard['closings'][number]
type Handle = ReturnType<typeof useBars>['handle']

/** Each state has its sign, so that it is told without its colour. */
const SIGNS: Readonly<Record<string, ReactNode>> = {
  confirmed: <IconClock size={13} aria-hidden />,
  checked_in: <IconMoodSmile size={13} aria-hidden />,
  checked_out: <IconDoorExit size={13} aria-hidden />,
}
const placed = (bar: Pick<BarDays, 'from' | 'until'>, board: BedBoard): CSSProperties => {
  const { at, len } = barColumns(bar, board.from, board.days)
  return { '--at': at, '--len': len } as CSSProperties
}

interface RowProps {
  readonly line: Line
  readonly top: number
  readonly board: BedBoard
  readonly stays: ReadonlyMap<number, readonly Stay[]>
  readonly closings: ReadonlyMap<number, readonly Closing[]>
  readonly handle: Handle | null
  readonly onOpen: (id: number) => void
}

/** A bed with its stays, or the heading of a hostel. */
export const BoardRow = memo(
  function BoardRow({ line, top, board, stays, closings, handle, onOpen }: RowProps) {
    const lang = useLanguage()
    const today = daysBetween(board.from, board.today)
    const style = { transform: `translateY(${top}px)` }
    if (line.kind === 'hostel')
      return (
        <div className={`${css.row} ${css.hostel}`} style={style}>
          <div className={css.rowHead}>
            <bdi>{nameOf(line, lang)}</bdi>
          </div>
        </div>
      )
    return (
      <div className={css.row} style={style}>
        <div className={css.rowHead}>
          <bdi>{line.label}</bdi>
          <small>
            <bdi>{nameOf(line.room_kind, lang)}</bdi>
          </small>
        </div>
        <div className={css.nights}>
          {today >= 0 && today < board.days && (
            <span className={css.today} style={{ '--at': today } as CSSProperties} />
          )}
          {closings.get(line.id)?.map((one) => (
            <span key={one.from} className={css.closed} style={placed(one, board)} title={one.reason} />
          ))}
          {stays.get(line.id)?.map((stay) => (
            <Bar key={stay.id} stay={stay} board={board} handle={handle} onOpen={onOpen} />
          ))}
        </div>
      </div>
    )
  },
  (a, b) => a.line === b.line && a.top === b.top && a.board === b.board && a.handle === b.handle,
)

/** A stay: a bar from its first night to the day of leaving. */
function Bar({ stay, board, handle, onOpen }: { stay: Stay } & Pick<RowProps, 'board' | 'handle' | 'onOpen'>) {
  const t = useT('hotels')
  const say = useLabel()
  const lang = useLanguage()
  const state = reservationFlow.states.find((one) => one.value === stay.status)
  const movable = handle !== null && (stay.status === 'confirmed' || stay.status === 'checked_in')
  const over = stay.status === 'checked_in' && stay.until < board.today
  const label = [
    nameOf(stay, lang),
    state ? say(state.label) : '',
    `${formatDate(stay.from)} – ${formatDate(stay.until)}`,
    over ? t('overdue') : '',
  ]
    .filter(Boolean)
    .join(', ')
  return (
    <button
      type="button"
      className={css.bar}
      style={placed(stay, board)}
      data-status={stay.status}
      data-movable={movable || undefined}
      data-over={over || undefined}
      aria-label={label}
      title={label}
      onClick={() => onOpen(stay.id)}
      {...(movable && handle(stay.id, stay))}
    >
      {SIGNS[stay.status] ?? <IconCheck size={13} aria-hidden />}
      <bdi>{nameOf(stay, lang)}</bdi>
      {movable && stay.status === 'confirmed' && <span className={css.edge} data-edge="from" />}
      {movable && <span className={css.edge} data-edge="until" />}
    </button>
  )
}
