import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { formatDate, formatNumber, nameOf, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { Link, to } from '#kit/web/router/index.ts'
import { Bone } from '#kit/web/shell/card.tsx'
import { Board, boardCss } from '#kit/web/timetable/board.tsx'
import { PlacementProposal, PlacementRunning, PlacementTools, type PlanView } from '../placement/panel.web.tsx'
import { usePlacement } from '../placement/use-placement.web.ts'
import type { BoardFigures } from './board.rules.ts'
import { ExamCard } from './card.web.tsx'
import { ExamStrip } from './side.web.tsx'
import { useExamBoard, useFound, type Exam, type ExamBoardState } from './use-exam-board.web.ts'
import css from './board.module.css'

/** Colours there are; faculties beyond begin again. */
const HUES = 8
/** So narrow a day may be, px: two weeks of exams stand beside each other on a small screen. */
const DAY = 72

/** Days across, slots down: exams are taken from place to place, and every cell tells what it would meet there. */
export function ExamBoard({ id, isDraft }: { readonly id: number; readonly isDraft: boolean }) {
  const t = useT('exams')
  const [view, setView] = useState<PlanView>('proposal')
  const placing = usePlacement(id, isDraft)
  const { proposal } = placing
  const state = useExamBoard(id, proposal?.changes ?? null, view)
  const { error, board, problem, days, slots, shown, movable } = state
  const found = useFound(board, state.look)
  if (error) return <Failed error={error} retry={() => void state.refetch()} />
  return (
    <div className={css.whole}>
      <Figures of={state} />
      <div className={boardCss.tools}>
        <Find found={found} />
        <Clashing state={state} />
        {board?.exam.movable && (
          <PlacementTools placing={placing} picked={shown && movable(shown) ? shown : undefined} />
        )}
      </div>
      <PlacementRunning placing={placing} />
      <PlacementProposal
        placing={placing}
        compared={state.compared}
        slots={slots}
        view={view}
        onView={setView}
        onLook={state.look}
      />
      {problem ? <Problems error={problem} /> : null}
      <div className={css.place}>
        <ExamStrip state={state} />
      </div>
      {!board ? (
        // What has no place yet stands above the board: neither is drawn before both are known, so that nothing moves.
        <Bone height={420} />
      ) : !days.length || !slots.length ? (
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
        <Cells state={state} hits={found.hitIds} moved={state.isProposed ? proposal!.changes : null} />
      )}
      <p className="sr" role="status" aria-live="assertive">
        {state.spoken}
      </p>
      <Legend state={state} />
    </div>
  )
}

/** The exams without a place, and the board. */
function Cells({
  state,
  hits,
  moved,
}: {
  readonly state: ExamBoardState
  readonly hits: ReadonlySet<number> | null
  /** What the plan that is shown puts elsewhere; null: what stands is shown. */
  readonly moved:
    | readonly { readonly id: number; readonly from: { on_date: string; exam_slot_id: number } | null }[]
    | null
}) {
  const t = useT('exams')
  const lang = useLanguage()
  const { board, busy, days, slots, cells, clashing, picked, setPicked, movable, drag, over, verdicts } = state
  const hues = new Map(board?.faculties.map((one, i) => [one.id, i % HUES]))
  const movedIds = moved && new Set(moved.map((one) => one.id))
  const tray = board?.exams.filter((one) => one.on_date === null) ?? []
  const card = (exam: Exam) => (
    <ExamCard
      key={exam.id}
      exam={exam}
      movable={movable(exam)}
      picked={picked === exam.id}
      lifted={drag.lifted?.id === exam.id}
      clash={clashing.has(exam.id)}
      moved={movedIds?.has(exam.id) ?? false}
      hue={hues.get(exam.faculty_id ?? 0) ?? 0}
      found={hits ? hits.has(exam.id) : null}
      handle={drag.handle(exam.id, movable(exam))}
      onPick={(one) => {
        if (!drag.wasDragged()) setPicked(one)
      }}
    />
  )
  return (
    <>
      {tray.length > 0 && (
        <section className={`${boardCss.tray} ${css.tray}`} aria-label={t('tray')}>
          <span className={css.dim}>{t('tray_count', { count: tray.length })}</span>
          {tray.map(card)}
        </section>
      )}
      <div className={css.board}>
        <Board
          label={t('board')}
          corner={t('time')}
          least={DAY}
          days={days.map((day) => ({ key: day, label: formatDate(day, 'column') }))}
          rows={slots.map((slot) => ({ key: slot.id, starts: slot.starts, ends: slot.ends, name: nameOf(slot, lang) }))}
          busy={!board || busy}
          over={over}
          fits={verdicts?.map((row) => row.map((cell) => cell.fit))}
        >
          {(row, day) => {
            const verdict = verdicts?.[row]?.[day]
            const note = verdict && state.noteText(verdict)
            const left = moved?.filter(
              (one) => one.from?.on_date === days[day] && one.from?.exam_slot_id === slots[row]?.id,
            )
            return (
              <div className={css.cards}>
                {note && <bdi className={css.note}>{note}</bdi>}
                {left && left.length > 0 && <span className={css.left}>{t('left_cell', { count: left.length })}</span>}
                {cells.get(`${days[day]} ${slots[row]?.id}`)?.map(card)}
              </div>
            )
          }}
        </Board>
      </div>
    </>
  )
}

const SERIOUS = ['unplaced', 'clashes', 'taught'] as const satisfies readonly (keyof BoardFigures)[]
/** The plan in figures, above the board; of a proposal those that it would have. */
function Figures({ of: { figures, compared, isProposed } }: { readonly of: ExamBoardState }) {
  const t = useT('exams')
  const value = (name: keyof BoardFigures) =>
    isProposed ? compared.find((one) => one.name === name)?.to : figures?.[name]
  return (
    <dl className={css.figures}>
      {(['unplaced', 'clashes', 'taught', 'same_day', 'most'] as const).map((name) => {
        const now = value(name)
        const bad = Boolean(now) && (SERIOUS as readonly string[]).includes(name)
        return (
          <div key={name} data-tone={bad ? 'refused' : undefined}>
            <dt>{t(`counted_${name}`)}</dt>
            <dd>{now === undefined ? '–' : formatNumber(now)}</dd>
          </div>
        )
      })}
    </dl>
  )
}

/** Which colour is which faculty, where there are several. */
function Legend({ state: { board } }: { readonly state: ExamBoardState }) {
  const t = useT('exams')
  const lang = useLanguage()
  if (!board || board.faculties.length < 2) return null
  return (
    <ul className={css.legend} aria-label={t('faculties')}>
      {board.faculties.map((one, i) => (
        <li key={one.id} data-hue={i % HUES}>
          <bdi>{nameOf(one, lang)}</bdi>
        </li>
      ))}
    </ul>
  )
}

/** Finds an exam, one after the other. */
function Find({ found }: { readonly found: ReturnType<typeof useFound> }) {
  const t = useT('exams')
  const { sought, setSought, at, setAt, hits, show } = found
  return (
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
  )
}

/** Shows the exams one after the other whose students have another one then. */
function Clashing({ state: { clashing, picked, look } }: { readonly state: ExamBoardState }) {
  const t = useT('exams')
  if (!clashing.size) return null
  return (
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
  )
}
