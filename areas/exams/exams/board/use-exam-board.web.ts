import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { fold } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { notify } from '#kit/web/feedback/index.ts'
import { directionOf, formatDate, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { useDrag, type Cell } from '#kit/web/timetable/drag.ts'
import { scheduleCalls } from '../schedules/lists.contract.ts'
import { examBoardCalls, type ExamBoardAnswer } from './board.contract.ts'
import {
  ExamBoard,
  compareFigures,
  figuresOf,
  proposedBoard,
  verdictOf,
  type Board,
  type CellEffect,
  type CellVerdict,
} from './board.rules.ts'
import { useFollow } from './follow.web.ts'

export type Exam = ExamBoardAnswer['exams'][number]
/** Where exams are shown, though they do not stand there yet. */
export type Elsewhere = Parameters<typeof proposedBoard>[1]

/** What the board says: its rules, its exams by place, and students with two exams at once. */
function useFacts(board: ExamBoardAnswer | undefined) {
  const rules = useMemo(() => (board ? new ExamBoard(board) : null), [board])
  const byId = useMemo(() => new Map(board?.exams.map((exam) => [exam.id, exam])), [board])
  const cells = useMemo(() => {
    const found = new Map<string, Exam[]>()
    for (const exam of board?.exams ?? []) {
      const key = `${exam.on_date} ${exam.exam_slot_id}`
      const list = found.get(key)
      if (list) list.push(exam)
      else found.set(key, [exam])
    }
    return found
  }, [board])
  // Students with two exams at once or with a meeting, and halls that were lost: what came after exams were placed.
  const clashing = useMemo(() => {
    const found = new Set<number>()
    if (!rules || !board) return found
    for (const exam of board.exams)
      if (exam.on_date && exam.exam_slot_id !== null) {
        const { clashes, late, taught, lost, lacks } = rules.at(exam, exam.on_date, exam.exam_slot_id)
        if (clashes.length || late.length || taught.length || lost || lacks) found.add(exam.id)
      }
    return found
  }, [rules, board])
  return { rules, byId, cells, clashing }
}

/** Exams whose name or course has what is looked for; each is shown in turn. */
export function useFound(board: ExamBoardAnswer | undefined, look: (exam_id: number) => void) {
  const [sought, setSought] = useState('')
  const [at, setAt] = useState(0)
  const looked = fold(sought.trim())
  const hits = useMemo(
    () =>
      looked
        ? (board?.exams ?? []).filter((exam) =>
            [exam.name, exam.course.name, exam.course.name_local].some((text) => fold(text).includes(looked)),
          )
        : null,
    [board, looked],
  )
  const hitIds = useMemo(() => hits && new Set(hits.map((hit) => hit.id)), [hits])
  /** The next of those that were found. */
  const show = (which: number) => {
    const one = hits?.[which]
    if (!one) return
    setAt(which)
    look(one.id)
  }
  return { sought, setSought, at, setAt, hits, hitIds, show }
}

/**
 * A card that went by keyboard is drawn anew in another cell: the focus goes with it, unless it has gone elsewhere
 * meanwhile. Answers what is told which card goes.
 */
function useFocusFollows(): (exam_id: number | null) => void {
  const follows = useRef<number | null>(null)
  // Whatever draws the board may have drawn the card anew.
  useEffect(() => {
    const { activeElement } = document
    if (follows.current === null || (activeElement && activeElement !== document.body)) return
    document.querySelector<HTMLElement>(`[data-exam="${follows.current}"]`)?.focus()
  })
  useEffect(() => {
    const forget = () => {
      follows.current = null
    }
    window.addEventListener('pointerdown', forget)
    return () => window.removeEventListener('pointerdown', forget)
  }, [])
  return useCallback((exam_id) => {
    follows.current = exam_id
  }, [])
}

/** What an exam would meet in the cells, in words. */
function useWords(board: ExamBoardAnswer | undefined) {
  const t = useT('exams')
  return {
    cellText: (cell: Cell | null): string => {
      const slot = cell && board?.slots[cell.row]
      return cell && slot ? `${formatDate(board?.days[cell.day], 'column')} ${slot.starts}` : ''
    },
    effectTexts: (found: CellEffect): [tone: string | undefined, text: string][] => [
      ...(found.closed ? [['refused', t('closed_then')] as [string, string]] : []),
      ...found.clashes.map(({ name, count }): [string, string] => ['refused', t('clash_with', { name, count })]),
      ...found.late.map(({ name, count }): [string, string] => ['refused', t('late_then', { name, count })]),
      ...found.taught.map(({ name, count }): [string, string] => ['refused', t('taught_then', { name, count })]),
      ...(found.lost ? [['refused', t('halls_lost', { count: found.lost })] as [string, string]] : []),
      ...(found.fits ? [] : [['refused', t('no_room', { free: found.free })] as [string, string]]),
      ...(found.fits && found.lacks
        ? [['refused', t(found.lacks === 'rooms' ? 'rooms_lacking' : 'hall_not_held')] as [string, string]]
        : []),
      ...(found.hurried ? [['waiting', t('hurried_count', { count: found.hurried })] as [string, string]] : []),
      ...(found.same_day ? [['waiting', t('same_day', { count: found.same_day })] as [string, string]] : []),
      [undefined, t('free_seats', { count: found.free })],
    ],
    /** In two words, over the cell: the first reason against it, or how many have another exam that day. */
    noteText: (verdict: CellVerdict): string => {
      if (verdict.fit === 'minded') return t(verdict.hurried ? 'hurried' : 'minded', { count: verdict.count })
      if (verdict.fit === 'free') return ''
      if (verdict.why === 'clash' || verdict.why === 'taught' || verdict.why === 'late')
        return verdict.more ? `${verdict.name} +${verdict.more}` : verdict.name
      return t(verdict.why === 'closed' ? 'cell_closed' : verdict.why === 'held' ? 'cell_not_held' : 'cell_full')
    },
  }
}

/** What one exam would meet in every cell, while it is held. */
const judge = (rules: ExamBoard, board: Board & { readonly days: readonly string[] }, held: Exam): CellVerdict[][] =>
  board.slots.map((slot) => board.days.map((day) => verdictOf(rules.at(held, day, slot.id))))

/**
 * The board, what is picked or in the hand, what it would meet where, and how it is moved.
 *
 * @param proposal where a proposed plan puts exams
 * @param shown whether the board is drawn as that plan has it, or as it stands; only what stands is moved
 */
export function useExamBoard(id: number, proposal: Elsewhere | null, shownSo: 'proposal' | 'present') {
  const t = useT('exams')
  const lang = useLanguage()
  const { data, error, refetch } = useCall(examBoardCalls.board, { body: { exam_id: id } })
  const { busy, problem, go, send, forget } = useChange('/exam-schedules', '/exams')
  const [picked, setPicked] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  // Put down and not saved yet: it stands there at once, and goes back where that is refused.
  const [put, setPut] = useState<Elsewhere>([])
  // What somebody else has moved is read again.
  useEvent('exam_board', (told) => {
    if ((told as { exam_id: number }).exam_id === id) void refetch()
  })
  const standing = data?.data
  const isProposed = proposal !== null && shownSo === 'proposal'
  const board = useMemo(
    () => standing && proposedBoard(standing, isProposed ? proposal : put),
    [standing, proposal, isProposed, put],
  )
  const figures = useMemo(() => standing && figuresOf(standing), [standing])
  const compared = useMemo(
    () =>
      standing && figures && proposal ? compareFigures(figures, figuresOf(proposedBoard(standing, proposal))) : [],
    [standing, figures, proposal],
  )
  const { rules, byId, cells, clashing } = useFacts(board)
  const { cellText, effectTexts, noteText } = useWords(board)
  const follow = useFocusFollows()
  /** Picks one and shows where it is. */
  const look = (exam_id: number) => {
    setPicked(exam_id)
    document.querySelector(`[data-exam="${exam_id}"]`)?.scrollIntoView({ block: 'center', inline: 'center' })
  }
  const days = board?.days ?? []
  const slots = board?.slots ?? []
  const movable = (exam: Exam) => Boolean(board?.exam.movable) && !isProposed && !exam.is_locked
  const effect = (exam: Exam | undefined, cell: Cell | null): CellEffect | null => {
    const day = cell && days[cell.day]
    const slot = cell && slots[cell.row]
    return exam && day && slot && rules ? rules.at(exam, day, slot.id) : null
  }
  const drop = (exam_id: number, cell: Cell) => {
    const exam = byId.get(exam_id)
    const day = days[cell.day]
    const slot = slots[cell.row]
    follow(document.activeElement?.matches(`[data-exam="${exam_id}"]`) ? exam_id : null)
    if (!exam || !day || !slot || !rules || (exam.on_date === day && exam.exam_slot_id === slot.id)) return
    setPicked(exam_id)
    const to = { on_date: day, exam_slot_id: slot.id }
    setPut([{ id: exam_id, to }])
    // Who invigilates is not said: those who are free then go along.
    void save(exam, { ...to, locations: rules.seat(exam, day, slot.id) }).finally(() => setPut([]))
  }
  const save = async (exam: Exam, change: object) => {
    forget()
    const saved = await go(() => send(scheduleCalls.put, { body: { id: exam.id, version: exam.version, ...change } }))
    if (!saved) return
    const { warnings } = saved.answer
    const told = warnings.map((warning) => problemText(warning, lang)).slice(0, 3)
    const text = [t('moved', { name: exam.name }), ...told].join(' · ')
    if (!('on_date' in change)) return notify.done(text)
    const { on_date, exam_slot_id } = exam
    const locations = exam.halls.map(({ location_id, seats }) => ({ location_id, seats }))
    notify.undo(text, () => send(scheduleCalls.put, { body: { id: exam.id, on_date, exam_slot_id, locations } }))
  }
  const cellOf = (one: Exam | undefined): Cell | null => {
    const cell = {
      day: days.indexOf(one?.on_date ?? ''),
      row: slots.findIndex((slot) => slot.id === one?.exam_slot_id),
    }
    return cell.day >= 0 && cell.row >= 0 ? cell : null
  }
  const drag = useDrag({
    days: days.length,
    rows: slots.length,
    rightToLeft: directionOf(lang) === 'rtl',
    cellOf: (exam_id) => cellOf(byId.get(exam_id)),
    drop,
    say: (what, exam_id, cell) => {
      const found = what === 'cancelled' ? null : effect(byId.get(exam_id), cell)
      const where = [cellText(cell), ...(found ? effectTexts(found).map(([, text]) => text) : [])]
        .filter(Boolean)
        .join('. ')
      setSpoken(t(`drag_${what}`, { name: byId.get(exam_id)?.name ?? '', where }))
    },
  })
  useFollow(drag.lifted)
  const held = drag.lifted ? byId.get(drag.lifted.id) : undefined
  // While one is in the hand, every cell is asked what it would meet there.
  const verdicts = useMemo(() => (held && rules && board ? judge(rules, board, held) : null), [held, rules, board])
  const over = drag.lifted?.over ?? null
  const shown = held ?? (picked === null ? undefined : byId.get(picked))
  const where = held ? over : cellOf(shown)
  return {
    error: data ? null : error,
    refetch,
    board,
    standing,
    isProposed,
    figures,
    compared,
    busy,
    problem,
    days,
    slots,
    cells,
    clashing,
    picked,
    setPicked,
    look,
    movable,
    drag,
    spoken,
    over,
    verdicts,
    held,
    shown,
    where,
    told: effect(shown, where),
    cellText,
    effectTexts,
    noteText,
    save,
  }
}
export type ExamBoardState = ReturnType<typeof useExamBoard>
