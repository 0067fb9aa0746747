/* oxlint-disable react/incompatible-library -- the virtualizer tells by drawing again */
import { Button } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconLock, IconLockOpen } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useMemo, useRef, useState } from 'react'
import type { CSSProperties, KeyboardEvent, MouseEvent } from 'react'
import { addDays, daysBetween } from '#kit/contract/day.ts'
import { useChange } from '#kit/web/api/index.ts'
import { act } from '#kit/web/feedback/index.ts'
import { directionOf, formatDate, formatNumber, localeOf, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to, useNavigate } from '#kit/web/router/index.ts'
import { rotationPlanCalls } from '../plan/plan.contract.ts'
import type { RotationBoard } from './board.contract.ts'
import { nextPlace, type RotationBar, type BoardPlace } from './board.rules.ts'
import { RotationName, RotationRow, placeId, type RotationLook } from './row.web.tsx'
import type { BoardRows } from './use-board.web.ts'
import css from './board.module.css'

const HUES = 8
/** Heights of a row, px: on a phone the name stands above the year. The style sheet has the same. */
const ROW = { wide: 30, phone: 56 } as const
const PAGE = 12
type Plan = Readonly<Record<string, { rows: number; bars: number }>>

/** Colours and codes of trainings. */
function useLook(board: RotationBoard): RotationLook {
  return useMemo(() => {
    const place = new Map(board.courses.map(({ id }, i) => [id, i % HUES]))
    const type = new Map(board.types.map((one) => [one.id, one]))
    return {
      hue: new Map(board.trainings.map(({ id, type_id }) => [id, place.get(type.get(type_id)?.course_id ?? 0) ?? 0])),
      code: new Map(board.trainings.map(({ id, type_id }) => [id, type.get(type_id)?.code ?? ''])),
      total: board.year.weeks * 7,
    }
  }, [board])
}

/** Where the focus is, by keyboard and by pointer. */
function usePlace(of: BoardRows, reveal: (row: number) => void) {
  const lang = useLanguage()
  const navigate = useNavigate()
  const [place, setPlace] = useState<BoardPlace | null>(null)
  const on = directionOf(lang) === 'rtl' ? -1 : 1
  const open = ({ row }: BoardPlace) => {
    const intern = of.interns[row]
    if (intern) void navigate(to('/emtyaz/registration/:id', { id: intern.intern_id }))
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const steps: Plan = {
      ArrowDown: { rows: 1, bars: 0 },
      ArrowUp: { rows: -1, bars: 0 },
      PageDown: { rows: PAGE, bars: 0 },
      PageUp: { rows: -PAGE, bars: 0 },
      ArrowRight: { rows: 0, bars: on },
      ArrowLeft: { rows: 0, bars: -on },
      Home: { rows: -of.interns.length, bars: 0 },
      End: { rows: of.interns.length, bars: 0 },
    }
    const step = steps[event.key]
    if (event.key === 'Enter' && place) {
      event.preventDefault()
      open(place)
    } else if (step) {
      event.preventDefault()
      const next = place ? nextPlace(place, step, of.rows) : { row: 0, bar: -1 }
      setPlace(next)
      reveal(next.row)
    }
  }
  const onClick = (event: MouseEvent<HTMLElement>) => {
    const cell = (event.target as HTMLElement).closest<HTMLElement>('[data-bar]')
    const row = cell?.closest<HTMLElement>('[data-row]')
    if (!cell || !row) return
    const next = { row: Number(row.dataset.row), bar: Number(cell.dataset.bar) }
    if (next.bar === -1) open(next)
    else setPlace(next)
  }
  // Who was sought away is not looked at any more.
  const there = place && of.interns[place.row] ? place : null
  return { place: there, onKeyDown, onClick, setPlace }
}

/** The rows that are in the window, and what is looked at in words. */
export function Sheet({
  board,
  of,
  busy,
}: {
  readonly board: RotationBoard
  readonly of: BoardRows
  readonly busy: boolean
}) {
  const t = useT('internship')
  const box = useRef<HTMLDivElement>(null)
  const phone = useMediaQuery('(max-width: 48em)', undefined, { getInitialValueInEffect: false })
  const height = phone ? ROW.phone : ROW.wide
  const look = useLook(board)
  const { interns, rows, leaves, overfull, isSought } = of
  const lines = useVirtualizer({
    count: interns.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: 6,
    // A frame that is scrolled waits for no rows: those beyond the window stand already.
    useFlushSync: false,
    getItemKey: (i) => interns[i]?.id ?? i,
    scrollPaddingStart: 48,
  })
  const at = usePlace(of, (row) => lines.scrollToIndex(row))
  const { place } = at
  const seen = lines.getVirtualItems().flatMap(({ key, index, start }) => {
    const intern = interns[index]
    return intern ? [{ key, intern, index, start }] : []
  })
  const today = daysBetween(board.year.starts_on, board.today)
  return (
    <>
      <Told board={board} intern={place && interns[place.row]} bar={place && rows[place.row]?.[place.bar]} />
      <div
        ref={box}
        className={css.board}
        style={{ '--count': board.year.weeks } as CSSProperties}
        role="grid"
        aria-label={t('board_rotations')}
        aria-rowcount={interns.length + 1}
        aria-busy={busy || undefined}
        aria-activedescendant={place ? placeId(place.row, place.bar) : undefined}
        tabIndex={0}
        onKeyDown={at.onKeyDown}
        onClick={at.onClick}
        onFocus={() => {
          if (!place) at.setPlace({ row: lines.range?.startIndex ?? 0, bar: -1 })
        }}
      >
        <div className={css.sheet}>
          <Heads board={board} over={of.weeks} />
          <div className={css.rows} style={{ blockSize: lines.getTotalSize() }}>
            {today >= 0 && today < look.total && (
              <div className={css.now} aria-hidden>
                <span style={{ insetInlineStart: `${(100 * today) / look.total}%` }} />
              </div>
            )}
            <div className={css.names} aria-hidden>
              {seen.map(({ key, intern, index, start }) => (
                <RotationName
                  key={key}
                  intern={intern}
                  index={index}
                  top={start}
                  active={place?.row === index && place.bar === -1}
                />
              ))}
            </div>
            {seen.map(({ key, intern, index, start }) => (
              <RotationRow
                key={key}
                intern={intern}
                bars={rows[index] ?? []}
                leaves={leaves.get(intern.id)}
                index={index}
                top={start}
                active={place?.row === index ? place.bar : null}
                look={look}
                overfull={overfull}
                isSought={isSought}
              />
            ))}
          </div>
        </div>
      </div>
    </>
  )
}

/** Weeks, with months above them; weeks in which a training has too many are marked. */
function Heads({ board, over }: { readonly board: RotationBoard; readonly over: readonly number[] }) {
  const t = useT('internship')
  const lang = useLanguage()
  const { starts_on, weeks, period_weeks } = board.year
  const heads = useMemo(() => {
    const month = new Intl.DateTimeFormat(localeOf(lang), { month: 'short', timeZone: 'UTC' })
    return Array.from({ length: weeks }, (_, i) => {
      const day = addDays(starts_on, i * 7)
      const before = i === 0 ? '' : addDays(starts_on, (i - 1) * 7).slice(0, 7)
      return { day, month: day.slice(0, 7) === before ? '' : month.format(new Date(`${day}T00:00:00Z`)) }
    })
  }, [starts_on, weeks, lang])
  return (
    <div className={css.head} role="row" aria-rowindex={1}>
      <div className={css.corner} role="columnheader">
        {t('board_intern')}
      </div>
      {heads.map(({ day, month }, i) => (
        <div
          key={day}
          className={css.week}
          role="columnheader"
          data-first={i % period_weeks === 0 || undefined}
          data-over={(over[i] ?? 0) > 0 || undefined}
          title={
            over[i]
              ? t('board_week_over', { day: formatDate(day), count: over[i] })
              : t('board_week', { week: formatNumber(i + 1), day: formatDate(day) })
          }
        >
          <span className={css.month}>{month}</span>
          {/* Every week has its number; seen are those with which a period begins. */}
          <span className={i % period_weeks === 0 ? undefined : css.said}>{formatNumber(i + 1)}</span>
        </div>
      ))}
    </div>
  )
}

/** What is looked at, in words, and what can be done with it. */
function Told({
  board,
  intern,
  bar,
}: {
  readonly board: RotationBoard
  readonly intern: RotationBoard['interns'][number] | null | undefined
  readonly bar: RotationBar | null | undefined
}) {
  const t = useT('internship')
  const lang = useLanguage()
  const { send } = useChange('/emtyaz')
  const training = bar && board.trainings.find(({ id }) => id === bar.training_id)
  const hospital = training && board.hospitals.find(({ id }) => id === training.hospital_id)
  const from = bar && addDays(board.year.starts_on, bar.at)
  const lockable = board.plans && bar && bar.id > 0 && bar.state === 'accepted'
  const lock = (locked: boolean) =>
    act({
      go: () => send(rotationPlanCalls.lock, { body: { ids: [bar!.id], locked } }),
      done: () => t(locked ? 'board_locked' : 'board_unlocked'),
    })
  return (
    <div className={css.told}>
      <p role="status" aria-live="polite">
        {!intern ? (
          t('board_choose')
        ) : (
          <>
            <bdi>
              <b>{nameOf(intern, lang)}</b>
            </bdi>
            {bar && training && from ? (
              <>
                {' · '}
                <bdi>{nameOf(training, lang)}</bdi>
                {' · '}
                <bdi>{nameOf(hospital, lang)}</bdi>
                {' · '}
                <bdi>{`${formatDate(from)} – ${formatDate(addDays(from, bar.days - 1))}`}</bdi>
                {' · '}
                {t(`board_state_${bar.state}`)}
                {bar.locked ? ` · ${t('board_is_locked')}` : ''}
              </>
            ) : null}
          </>
        )}
      </p>
      {intern && (
        <Button
          component={Link}
          to={to('/emtyaz/registration/:id', { id: intern.intern_id })}
          variant="default"
          size="compact-sm"
        >
          {t('board_open')}
        </Button>
      )}
      {lockable && (
        <Button
          variant="default"
          size="compact-sm"
          leftSection={bar.locked ? <IconLockOpen size={14} aria-hidden /> : <IconLock size={14} aria-hidden />}
          onClick={() => void lock(!bar.locked)}
        >
          {t(bar.locked ? 'board_unlock' : 'board_lock')}
        </Button>
      )}
    </div>
  )
}
