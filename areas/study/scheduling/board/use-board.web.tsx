import { useMemo, useState } from 'react'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent, useMe } from '#kit/web/auth/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { directionOf, formatTimeRange, nameOf, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { useSearchParams, useUnsaved } from '#kit/web/router/index.ts'
import { useDrag } from '#kit/web/timetable/drag.ts'
import type { Cell } from '#kit/web/timetable/drag.ts'
import { askReason } from '#kit/web/workflow/reason.tsx'
import { meetingBoardCalls } from './board.contract.ts'
import type { BoardAnswer } from './board.contract.ts'
import { MovedBoard, clashesOf, insistedClashes, toldOf } from './move.rules.ts'
import type { MeetingMove } from './move.rules.ts'
import { useClashText } from './side.web.tsx'

export const SHOWN = ['location', 'instructor', 'course'] as const
type Shown = (typeof SHOWN)[number]
export const clock = (minute: number) =>
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

/** Something meets in this room, with this person, of this course. */
const isOf = (board: BoardAnswer, by: Shown, value: string): boolean =>
  board.meetings.some((one) =>
    by === 'instructor'
      ? one.instructors.includes(Number(value))
      : String(by === 'location' ? one.location_id : one.course_id) === value,
  )

/** Whose week is shown, as the address says, and the meetings in it where they were moved to. */
function useShown(board: BoardAnswer | undefined, moves: ReadonlyMap<number, MeetingMove>) {
  const lang = useLanguage()
  const [query, setQuery] = useSearchParams()
  const by = SHOWN.find((one) => one === query.get('by')) ?? 'location'
  const choices = useMemo(() => (board ? choicesOf(board, by, lang) : []), [board, by, lang])
  // The first of which there is a week to be seen.
  const chosen =
    query.get('of') ?? (choices.find((one) => board && isOf(board, by, one.value)) ?? choices[0])?.value ?? ''
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
    const shown = board?.meetings.map((meeting) => ({ ...meeting, ...moves.get(meeting.id) })) ?? []
    return shown.filter((one) =>
      by === 'location'
        ? String(one.location_id) === chosen ||
          String(board?.meetings.find((m) => m.id === one.id)?.location_id) === chosen
        : by === 'instructor'
          ? one.instructors.includes(Number(chosen))
          : String(one.course_id) === chosen,
    )
  }, [board, moves, by, chosen])
  return { by, choices, chosen, set, placed }
}

/** The board: what was moved and not saved yet, what stands against it, and what is in the hand. */
export function useBoard() {
  const t = useT('scheduling')
  const lang = useLanguage()
  const me = useMe()
  const [query] = useSearchParams()
  const term = Number(query.get('term')) || undefined
  const { data, error, refetch } = useCall(meetingBoardCalls.board, { body: { term_id: term } })
  const { busy, problem, go, send, forget } = useChange('/offering-schedules', '/offerings')
  const [moves, setMoves] = useState<ReadonlyMap<number, MeetingMove>>(new Map())
  const [picked, setPicked] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const clashText = useClashText(data?.data)
  useUnsaved(moves.size > 0)
  // What somebody else has moved is read again; what is moved here stays until it is saved, and is judged anew.
  useEvent('timetable', () => void refetch())
  const board = data?.data
  const { by, choices, chosen, set, placed } = useShown(board, moves)
  const days = useMemo(() => [0, 1, 2, 3, 4, 5, ...(placed.some((one) => one.day === 6) ? [6] : [])], [placed])
  const list = useMemo(() => [...moves.values()], [moves])
  const clashes = useMemo(() => (board ? clashesOf(board, list) : []), [board, list])
  const meeting = (id: number | null) =>
    placed.find((one) => one.id === id) ?? board?.meetings.find((one) => one.id === id)
  const moveTo = (id: number, cell: Cell): MeetingMove => ({
    id,
    day: days[cell.day]!,
    slot_id: board!.periods[cell.row]!.id,
    location_id: meeting(id)?.location_id ?? null,
  })
  const keep = (move: MeetingMove) => {
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
        return !found.length ? 'free' : insistedClashes(found).refused.length ? 'taken' : 'minded'
      }),
    )
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the same while the same meeting is in the hand
  }, [lifting, drag.lifted?.id, board, days])
  const { wanted, refused } = insistedClashes(clashes)
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
    const saved = await go(() => send(meetingBoardCalls.moveMeetings, { body: { moves: sent, ...override } }))
    if (!saved) return
    setMoves(new Map())
    // The bar with the pressed button is gone: the keyboard goes on where the meeting is.
    if (picked !== null) document.querySelector<HTMLElement>(`[data-meeting="${picked}"]`)?.focus()
    notify.done(t('board_saved', { count: saved.answer.told }))
  }
  const over = drag.lifted?.over
  const hovered = drag.lifted && over && lifting ? lifting.at(moveTo(drag.lifted.id, over)) : null
  return {
    error: data ? null : error,
    refetch,
    board,
    by,
    choices,
    chosen,
    set,
    placed,
    days,
    rowOf,
    meeting,
    moves,
    /** How many people saving tells. */
    told: board ? toldOf(board, list) : 0,
    list,
    keep,
    clashes,
    lifting,
    picked,
    setPicked,
    drag,
    over,
    hovered,
    fits,
    cellText,
    spoken,
    busy,
    problem,
    /** What stands against saving: refused, or to be insisted on by who may not. */
    stopped: refused.length > 0 || (wanted.length > 0 && !may),
    save,
    discard: () => {
      forget()
      setMoves(new Map())
    },
  }
}
export type BoardState = ReturnType<typeof useBoard>
