import { useMemo, useState } from 'react'
import { Button, SegmentedControl, Select } from '@mantine/core'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { Empty, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { directionOf, formatTimeRange, nameOf, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { useSearchParams, useUnsaved } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { askReason } from '#kit/web/workflow/reason.tsx'
import inks from '#kit/web/timetable/timetable.module.css'
import { boardCalls } from './board.contract.ts'
import type { BoardAnswer } from './board.contract.ts'
import { Card } from './card.web.tsx'
import { Board, boardCss } from '#kit/web/timetable/board.tsx'
import { useDrag } from '#kit/web/timetable/drag.ts'
import type { Cell } from '#kit/web/timetable/drag.ts'
import { MovedBoard, clashesOf, insisted } from './move.rules.ts'
import type { Move } from './move.rules.ts'
import { Side, useClashText } from './side.web.tsx'
import css from './board.module.css'

const SHOWN = ['location', 'instructor', 'course'] as const
type Shown = (typeof SHOWN)[number]
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** Of what the week is shown: rooms, people or courses that meet in it. */
function choicesOf(board: BoardAnswer, by: Shown, lang: ReturnType<typeof useLanguage>) {
  if (by === 'location') return board.rooms.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))
  if (by === 'instructor') return board.instructors.map((one) => ({ value: String(one.id), label: nameOf(one, lang) }))
  const courses = new Map(board.meetings.map((one) => [one.course_id, one]))
  return [...courses.values()].map((one) => ({
    value: String(one.course_id),
    label: `${one.name.split(' (')[0]} ${nameOf(one.course, lang)}`,
  }))
}

/** The week of a term, in which meetings are taken to other times and rooms; nothing is saved until one says so. */
export default function BoardScreen() {
  const t = useT('scheduling')
  const lang = useLanguage()
  const me = useMe()
  const [query, setQuery] = useSearchParams()
  const term = Number(query.get('term')) || undefined
  const { data, error, refetch } = useCall(boardCalls.board, { body: { term_id: term } })
  const { busy, problem, go, send, forget } = useChange('/offering-schedules', '/offerings')
  const [moves, setMoves] = useState<ReadonlyMap<number, Move>>(new Map())
  const [picked, setPicked] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const clashText = useClashText(data?.data)
  useUnsaved(moves.size > 0)
  // What somebody else has moved is read again; what is moved here stays until it is saved, and is judged anew.
  useEvent('timetable', () => void refetch())
  const board = data?.data
  const by = SHOWN.find((one) => one === query.get('by')) ?? 'location'
  const choices = useMemo(() => (board ? choicesOf(board, by, lang) : []), [board, by, lang])
  const chosen = query.get('of') ?? choices[0]?.value ?? ''
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
  const placed = useMemo(() => {
    const shown = board?.meetings.map((one) => ({ ...one, ...moves.get(one.id) })) ?? []
    return shown.filter((one) =>
      by === 'location'
        ? String(one.location_id) === chosen ||
          String(board?.meetings.find((m) => m.id === one.id)?.location_id) === chosen
        : by === 'instructor'
          ? one.instructors.includes(Number(chosen))
          : String(one.course_id) === chosen,
    )
  }, [board, moves, by, chosen])
  const days = useMemo(() => [0, 1, 2, 3, 4, 5, ...(placed.some((one) => one.day === 6) ? [6] : [])], [placed])
  const list = useMemo(() => [...moves.values()], [moves])
  const clashes = useMemo(() => (board ? clashesOf(board, list) : []), [board, list])
  const meeting = (id: number | null) =>
    placed.find((one) => one.id === id) ?? board?.meetings.find((one) => one.id === id)
  const moveTo = (id: number, cell: Cell): Move => ({
    id,
    day: days[cell.day]!,
    slot_id: board!.periods[cell.row]!.id,
    location_id: meeting(id)?.location_id ?? null,
  })
  const keep = (move: Move) => {
    forget()
    setMoves((before) => {
      const next = new Map(before)
      const old = board?.meetings.find((one) => one.id === move.id)
      if (old && old.day === move.day && old.slot_id === move.slot_id && old.location_id === move.location_id)
        next.delete(move.id)
      else next.set(move.id, move)
      return next
    })
    setPicked(move.id)
  }
  const cellText = (cell: Cell | null): string => {
    const period = cell && board?.periods[cell.row]
    if (!period) return ''
    return `${weekdays('long', 6, lang)[days[cell.day]!]} ${formatTimeRange(clock(period.from), clock(period.to))}`
  }
  const rowOf = (slot: number | null) => board?.periods.findIndex((one) => one.id === slot) ?? -1
  const drag = useDrag({
    days: days.length,
    rows: board?.periods.length ?? 0,
    rightToLeft: directionOf(lang) === 'rtl',
    cellOf: (id) => {
      const one = meeting(id)
      return one && one.day !== null && one.slot_id !== null
        ? { day: days.indexOf(one.day), row: rowOf(one.slot_id) }
        : null
    },
    drop: (id, cell) => keep(moveTo(id, cell)),
    say: (what, id, cell) => {
      const found = cell && what !== 'cancelled' && lifting ? lifting.at(moveTo(id, cell)) : []
      const where = [cellText(cell), ...found.map(clashText)].filter(Boolean).join('. ')
      setSpoken(t(`drag_${what}`, { course: meeting(id)?.name ?? '', where }))
    },
  })
  // While one is in the hand, every cell is asked what stands against it there: once, for the whole week.
  const lifting = useMemo(() => (board ? new MovedBoard(board, list) : null), [board, list])
  const fits = useMemo(() => {
    if (!lifting || !drag.lifted || !board) return null
    const { id } = drag.lifted
    return board.periods.map((_, row) =>
      days.map((_day, day) => {
        const found = lifting.at(moveTo(id, { day, row }))
        return !found.length ? 'free' : insisted(found).refused.length ? 'taken' : 'minded'
      }),
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the same while the same meeting is in the hand
  }, [lifting, drag.lifted?.id, board, days])
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const { wanted, refused } = insisted(clashes)
  const may = me.can('override_schedule_clash')
  const save = async () => {
    let override = {}
    if (wanted.length) {
      const reason = await askReason({
        title: t('board_override'),
        text: wanted.map((clash) => <p key={clashText(clash)}>{clashText(clash)}</p>),
        action: t('board_save'),
        danger: true,
      })
      if (reason === null) return
      override = { override: true, reason }
    }
    const sent = list.map((move) => ({ ...move, version: board!.meetings.find((one) => one.id === move.id)!.version }))
    const saved = await go(() => send(boardCalls.moveMeetings, { body: { moves: sent, ...override } }))
    if (!saved) return
    setMoves(new Map())
    notify.done(t('board_saved', { count: saved.answer.told }))
  }
  const over = drag.lifted?.over
  const hovered = drag.lifted && over && lifting ? lifting.at(moveTo(drag.lifted.id, over)) : null
  const card = (one: (typeof placed)[number]) => (
    <Card
      key={one.id}
      meeting={one}
      board={board!}
      picked={picked === one.id}
      moved={moves.has(one.id)}
      clash={clashes.some((clash) => clash.id === one.id)}
      lifted={drag.lifted?.id === one.id}
      handle={drag.handle(one.id, one.movable)}
      onPick={() => {
        if (!drag.wasDragged()) setPicked(one.id)
      }}
    />
  )
  const tray = placed.filter((one) => one.day === null || rowOf(one.slot_id) < 0)
  return (
    <Page title={t('board')} subtitle={board?.term ? nameOf(board.term, lang) : '\u00A0'}>
      <div className={boardCss.tools}>
        <SegmentedControl
          aria-label={t('timetable_of')}
          value={by}
          onChange={(next) => set({ by: next, of: null })}
          data={SHOWN.map((value) => ({ value, label: t(value) }))}
        />
        <Select
          className={css.wide}
          aria-label={t(by)}
          searchable
          allowDeselect={false}
          data={choices}
          value={chosen || null}
          onChange={(next) => set({ of: next })}
        />
        <LookupInput
          key={board?.term?.id ?? 0}
          resource="term"
          aria-label={t('term')}
          defaultValue={board?.term?.id ?? null}
          disabled={moves.size > 0}
          onChange={(next) => set({ term: next ? String(next) : null, of: null })}
        />
      </div>
      {tray.length > 0 && (
        <section className={`${boardCss.tray} ${inks.inks}`} aria-label={t('board_tray')}>
          {tray.map(card)}
        </section>
      )}
      <div className={`${boardCss.layout} ${inks.inks}`}>
        {board && !board.periods.length ? (
          <Empty title={t('board_no_periods')} />
        ) : (
          <Board
            label={t('board')}
            corner={t('board_time')}
            days={days.map((day) => ({ key: day, label: weekdays('long', 6, lang)[day]! }))}
            rows={
              board?.periods.map((period) => {
                const [from, until] = board.is_ramadan
                  ? [period.ramadan_from, period.ramadan_to]
                  : [period.from, period.to]
                return { key: period.id, starts: clock(from), ends: clock(until), name: nameOf(period, lang) }
              }) ?? []
            }
            busy={!board}
            over={over}
            fits={fits}
          >
            {(row, day) =>
              placed.filter((one) => one.day === days[day] && one.slot_id === board?.periods[row]?.id).map(card)
            }
          </Board>
        )}
        <Side
          board={board}
          meeting={meeting(drag.lifted?.id ?? picked)}
          where={drag.lifted ? cellText(over ?? null) : null}
          clashes={hovered ?? clashes.filter((clash) => clash.id === picked)}
          rooms={lifting}
          onRoom={(move) => keep(move)}
          moves={list}
        />
      </div>
      <p className="sr" role="status" aria-live="assertive">
        {spoken}
      </p>
      {problem ? <Problems error={problem} /> : null}
      {moves.size > 0 && (
        <section className={`${css.bar} no-print`} data-save-bar aria-label={t('board_changes')}>
          <span role="status">
            {t('board_moved', { count: moves.size })}
            {clashes.length > 0 && ` · ${t('board_clashes', { count: clashes.length })}`}
          </span>
          <Button
            variant="default"
            disabled={busy}
            onClick={() => {
              forget()
              setMoves(new Map())
            }}
          >
            {t('board_discard')}
          </Button>
          <Button
            loading={busy}
            disabled={refused.length > 0 || (wanted.length > 0 && !may)}
            onClick={() => void save()}
          >
            {t('board_save')}
          </Button>
        </section>
      )}
    </Page>
  )
}
