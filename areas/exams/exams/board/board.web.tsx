import { memo, useMemo, useState } from 'react'
import { Button, CloseButton, TextInput } from '@mantine/core'
import { IconGripVertical, IconLock } from '@tabler/icons-react'
import { fold } from '#kit/contract/index.ts'
import { useCall, useChange } from '#kit/web/api/index.ts'
import { useEvent } from '#kit/web/auth/index.ts'
import { Empty, Failed, Problems, notify } from '#kit/web/feedback/index.ts'
import {
  directionOf,
  formatDate,
  formatList,
  formatNumber,
  nameOf,
  problemText,
  useLanguage,
  useT,
  weekdays,
} from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Board, boardCss, type Fit } from '#kit/web/timetable/board.tsx'
import { useDrag, type Cell } from '#kit/web/timetable/drag.ts'
import { PlacementPanel } from '../placement/panel.web.tsx'
import { scheduleCalls } from '../schedules/lists.contract.ts'
import { InvigilatorsPanel } from '../placement/invigilators.web.tsx'
import { boardCalls, type ExamBoardAnswer } from './board.contract.ts'
import { ExamBoard, type Effect } from './board.rules.ts'
import { useFollow } from './follow.web.ts'
import css from './board.module.css'

type Exam = ExamBoardAnswer['exams'][number]
const sizeOf = (students: number) => (students >= 150 ? 'large' : students >= 50 ? 'medium' : 'small')

interface CardProps {
  readonly exam: Exam
  readonly movable: boolean
  readonly picked: boolean
  readonly lifted: boolean
  readonly clash: boolean
  /** Whether it is one of those that are looked for; null: none are. */
  readonly found: boolean | null
  readonly handle: ReturnType<ReturnType<typeof useDrag>['handle']>
  readonly onPick: (id: number) => void
}
const same = (a: CardProps, b: CardProps): boolean =>
  a.exam === b.exam &&
  a.movable === b.movable &&
  a.picked === b.picked &&
  a.lifted === b.lifted &&
  a.clash === b.clash &&
  a.found === b.found &&
  // While a card is in the hand its handlers are those of now.
  !a.lifted &&
  !b.lifted &&
  !a.picked &&
  !b.picked

/** An exam on the board: its course and how many sit it. */
const Card = memo(function Card({ exam, movable, picked, lifted, clash, found, handle, onPick }: CardProps) {
  const lang = useLanguage()
  return (
    <button
      type="button"
      className={`${boardCss.card} ${css.card}`}
      data-exam={exam.id}
      data-size={sizeOf(exam.students.length)}
      data-movable={movable || undefined}
      data-locked={exam.is_locked || undefined}
      data-lifted={lifted || undefined}
      data-clash={clash || undefined}
      data-found={found || undefined}
      data-dim={found === false || undefined}
      aria-current={picked}
      title={`${exam.name} ${nameOf(exam.course, lang)}`}
      onClick={() => onPick(exam.id)}
      {...handle}
    >
      {exam.is_locked ? (
        <IconLock size={12} aria-hidden />
      ) : (
        <span className={boardCss.grip} data-grip aria-hidden="true">
          <IconGripVertical size={12} />
        </span>
      )}
      <bdi>{exam.name}</bdi>
      <small>{formatNumber(exam.students.length)}</small>
    </button>
  )
}, same)

/** Days across, slots down: exams are taken from place to place, and every cell tells what it would meet there. */
export default function ExamBoardScreen() {
  const t = useT('exams')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(boardCalls.board, { body: { exam_id: id } })
  const { busy, problem, go, send, forget } = useChange('/exam-schedules', '/exams')
  const [picked, setPicked] = useState<number | null>(null)
  const [spoken, setSpoken] = useState('')
  const [sought, setSought] = useState('')
  const [at, setAt] = useState(0)
  // What somebody else has moved is read again.
  useEvent('exam_board', (told) => {
    if ((told as { exam_id: number }).exam_id === id) void refetch()
  })
  const board = data?.data
  const rules = useMemo(() => (board ? new ExamBoard(board) : null), [board])
  const byId = useMemo(() => new Map(board?.exams.map((one) => [one.id, one])), [board])
  const cells = useMemo(() => {
    const found = new Map<string, Exam[]>()
    for (const one of board?.exams ?? []) {
      const key = `${one.on_date} ${one.exam_slot_id}`
      const list = found.get(key)
      if (list) list.push(one)
      else found.set(key, [one])
    }
    return found
  }, [board])
  // Students with two exams at once: registered after both were placed.
  const clashing = useMemo(() => {
    const found = new Set<number>()
    if (!rules || !board) return found
    for (const one of board.exams)
      if (one.on_date && one.exam_slot_id !== null && rules.at(one, one.on_date, one.exam_slot_id).clashes.length)
        found.add(one.id)
    return found
  }, [rules, board])
  const looked = fold(sought.trim())
  const hits = useMemo(
    () =>
      looked
        ? (board?.exams ?? []).filter((one) =>
            [one.name, one.course.name, one.course.name_local].some((text) => fold(text).includes(looked)),
          )
        : null,
    [board, looked],
  )
  const hitIds = useMemo(() => hits && new Set(hits.map((one) => one.id)), [hits])
  /** Picks one and shows where it is. */
  const look = (exam_id: number) => {
    setPicked(exam_id)
    document.querySelector(`[data-exam="${exam_id}"]`)?.scrollIntoView({ block: 'center', inline: 'center' })
  }
  /** The next of those that were found. */
  const show = (which: number) => {
    const one = hits?.[which]
    if (!one) return
    setAt(which)
    look(one.id)
  }
  const days = board?.days ?? []
  const dayNames = weekdays('short', 0, lang)
  const slots = board?.slots ?? []
  const movable = (exam: Exam) => Boolean(board?.exam.movable) && !exam.is_locked
  const effect = (exam: Exam | undefined, cell: Cell | null): Effect | null => {
    const day = cell && days[cell.day]
    const slot = cell && slots[cell.row]
    return exam && day && slot && rules ? rules.at(exam, day, slot.id) : null
  }
  const cellText = (cell: Cell | null): string => {
    const slot = cell && slots[cell.row]
    return cell && slot ? `${formatDate(days[cell.day])} ${slot.starts}` : ''
  }
  const effectTexts = (found: Effect): [tone: string | undefined, text: string][] => [
    ...(found.closed ? [['refused', t('closed_then')] as [string, string]] : []),
    ...found.clashes.map(({ name, count }): [string, string] => ['refused', t('clash_with', { name, count })]),
    ...(found.fits ? [] : [['refused', t('no_room', { free: found.free })] as [string, string]]),
    ...(found.same_day ? [['waiting', t('same_day', { count: found.same_day })] as [string, string]] : []),
    [undefined, t('free_seats', { count: found.free })],
  ]
  const drop = (exam_id: number, cell: Cell) => {
    const exam = byId.get(exam_id)
    const day = days[cell.day]
    const slot = slots[cell.row]
    if (!exam || !day || !slot || !rules || (exam.on_date === day && exam.exam_slot_id === slot.id)) return
    setPicked(exam_id)
    // Who invigilates is not said: those who are free then go along.
    void save(exam, { on_date: day, exam_slot_id: slot.id, locations: rules.seat(exam, day, slot.id) })
  }
  const save = async (exam: Exam, change: object) => {
    forget()
    const saved = await go(() => send(scheduleCalls.put, { body: { id: exam.id, version: exam.version, ...change } }))
    if (!saved) return
    const { warnings } = saved.answer
    const told = warnings.map((one) => problemText(one, lang)).slice(0, 3)
    const text = [t('moved', { name: exam.name }), ...told].join(' · ')
    if (!('on_date' in change)) return notify.done(text)
    const { on_date, exam_slot_id } = exam
    const locations = exam.halls.map(({ location_id, seats }) => ({ location_id, seats }))
    notify.undo(text, () => send(scheduleCalls.put, { body: { id: exam.id, on_date, exam_slot_id, locations } }))
  }
  const drag = useDrag({
    days: days.length,
    rows: slots.length,
    rightToLeft: directionOf(lang) === 'rtl',
    cellOf: (exam_id) => {
      const one = byId.get(exam_id)
      const cell = {
        day: days.indexOf(one?.on_date ?? ''),
        row: slots.findIndex((slot) => slot.id === one?.exam_slot_id),
      }
      return cell.day >= 0 && cell.row >= 0 ? cell : null
    },
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
  const fits = useMemo(() => {
    if (!held || !rules || !board) return null
    return board.slots.map((slot) =>
      board.days.map((day) => {
        const found = rules.at(held, day, slot.id)
        const fit: Fit =
          found.closed || found.clashes.length || !found.fits ? 'taken' : found.same_day ? 'minded' : 'free'
        return { fit, note: found.clashes[0]?.name ?? (found.same_day ? String(found.same_day) : '') }
      }),
    )
  }, [held, rules, board])
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  const over = drag.lifted?.over ?? null
  const shown = held ?? (picked === null ? undefined : byId.get(picked))
  const where = held
    ? over
    : shown
      ? { day: days.indexOf(shown.on_date ?? ''), row: slots.findIndex((slot) => slot.id === shown.exam_slot_id) }
      : null
  const told = effect(shown, where)
  const tray = board?.exams.filter((one) => one.on_date === null) ?? []
  const card = (exam: Exam) => (
    <Card
      key={exam.id}
      exam={exam}
      movable={movable(exam)}
      picked={picked === exam.id}
      lifted={drag.lifted?.id === exam.id}
      clash={clashing.has(exam.id)}
      found={hitIds ? hitIds.has(exam.id) : null}
      handle={drag.handle(exam.id, movable(exam))}
      onPick={(one) => {
        if (!drag.wasDragged()) setPicked(one)
      }}
    />
  )
  return (
    <Page title={board ? nameOf(board.exam, lang) : t('board')} subtitle={board?.exam.code ?? '\u00A0'}>
      <PlacementPanel
        exam_id={id}
        movable={board?.exam.movable ?? false}
        slots={slots}
        picked={shown && movable(shown) ? shown : undefined}
      />
      {problem ? <Problems error={problem} /> : null}
      <div className={boardCss.tools}>
        <search className={css.find}>
          <TextInput
            aria-label={t('find')}
            placeholder={t('find')}
            value={sought}
            onChange={(event) => {
              setSought(event.currentTarget.value)
              setAt(-1)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && hits?.length) show((at + 1) % hits.length)
              if (event.key === 'Escape') setSought('')
            }}
          />
          <span className={css.found} role="status">
            {hits && (hits.length ? t('found', { at: Math.max(0, at + 1), count: hits.length }) : t('found_none'))}
          </span>
        </search>
        {clashing.size > 0 && (
          <Button
            variant="light"
            color="red"
            onClick={() => {
              const all = [...clashing]
              look(all[(all.indexOf(picked ?? 0) + 1) % all.length]!)
            }}
          >
            {t('clashing_count', { count: clashing.size })}
          </Button>
        )}
      </div>
      {tray.length > 0 && (
        <section className={`${boardCss.tray} ${css.tray}`} aria-label={t('tray')}>
          <span className={css.note}>{t('tray_count', { count: tray.length })}</span>
          {tray.map(card)}
        </section>
      )}
      <div className={`${boardCss.layout} ${css.layout}`}>
        {board && (!days.length || !slots.length) ? (
          <Empty
            title={t('no_slots')}
            text={t('no_slots_text')}
            action={
              <Button component={Link} to={to('/exams/edit/:id', { id })} variant="default">
                {t('edit_exam')}
              </Button>
            }
          />
        ) : (
          <Board
            label={t('board')}
            corner={t('time')}
            days={days.map((day) => ({ key: day, label: `${dayNames[new Date(day).getUTCDay()]} ${formatDate(day)}` }))}
            rows={slots.map((slot) => ({
              key: slot.id,
              starts: slot.starts,
              ends: slot.ends,
              name: nameOf(slot, lang),
            }))}
            busy={!board || busy}
            over={over}
            fits={fits?.map((row) => row.map((cell) => cell.fit))}
          >
            {(row, day) => (
              <div className={css.cards}>
                {fits?.[row]?.[day]?.note && <bdi className={css.note}>{fits[row][day].note}</bdi>}
                {cells.get(`${days[day]} ${slots[row]?.id}`)?.map(card)}
              </div>
            )}
          </Board>
        )}
        <aside className={`${boardCss.side} ${css.side}`} aria-label={t('side')} data-shown={shown !== undefined}>
          {shown ? (
            <>
              <CloseButton className={css.close} aria-label={t('close')} onClick={() => setPicked(null)} />
              <h2>
                <bdi>{shown.name}</bdi> <bdi>{nameOf(shown.course, lang)}</bdi>
              </h2>
              <p>
                {t('students_count', { count: shown.students.length })}
                {where && cellText(where) && ` · ${cellText(where)}`}
              </p>
              {told && (
                <ul className={boardCss.told}>
                  {effectTexts(told).map(([tone, text]) => (
                    <li key={text} data-tone={tone}>
                      {text}
                    </li>
                  ))}
                </ul>
              )}
              {told && !held && told.clashes.length > 0 && shown.on_date && shown.exam_slot_id !== null && (
                <Who exam={shown} on_date={shown.on_date} exam_slot_id={shown.exam_slot_id} />
              )}
              {!held && board?.exam.movable && (
                <div className={css.buttons}>
                  {shown.on_date !== null && (
                    <Button
                      size="xs"
                      variant="default"
                      disabled={busy}
                      onClick={() => void save(shown, { is_locked: !shown.is_locked })}
                    >
                      {shown.is_locked ? t('unlock') : t('lock')}
                    </Button>
                  )}
                  {shown.on_date !== null && !shown.is_locked && (
                    <Button
                      size="xs"
                      variant="default"
                      disabled={busy}
                      onClick={() => void save(shown, { on_date: null, exam_slot_id: null, locations: [] })}
                    >
                      {t('take_off')}
                    </Button>
                  )}
                  <Button size="xs" variant="default" component={Link} to={to('/exam_schedule/:id?', { id: shown.id })}>
                    {t('open')}
                  </Button>
                </div>
              )}
            </>
          ) : (
            <p>{t('help')}</p>
          )}
        </aside>
      </div>
      <p className="sr" role="status" aria-live="assertive">
        {spoken}
      </p>
      {board && days.length > 0 && slots.length > 0 && (
        <InvigilatorsPanel exam_id={id} movable={board.exam.movable} slots={slots} />
      )}
    </Page>
  )
}

/** Who has another exam at the same time, as far as the reader may see. */
function Who({ exam, ...at }: { readonly exam: Exam; readonly on_date: string; readonly exam_slot_id: number }) {
  const { data } = useCall(boardCalls.clashes, { body: { exam_schedule_id: exam.id, ...at } })
  const lang = useLanguage()
  const names =
    data?.data.flatMap((one) => (one.same_time ? (lang === 'ar' ? one.students_local : one.students) : [])) ?? []
  return names.length ? (
    <p>
      <bdi>{formatList(names, lang)}</bdi>
    </p>
  ) : null
}
