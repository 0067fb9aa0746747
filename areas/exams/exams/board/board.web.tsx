import { Button, TextInput } from '@mantine/core'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { formatDate, nameOf, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { Link, to, useParams } from '#kit/web/router/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Board, boardCss } from '#kit/web/timetable/board.tsx'
import { InvigilatorsPanel } from '../placement/invigilators.web.tsx'
import { PlacementPanel } from '../placement/panel.web.tsx'
import { ExamCard } from './card.web.tsx'
import { ExamSide } from './side.web.tsx'
import { useExamBoard, useFound, type Exam, type ExamBoardState } from './use-exam-board.web.ts'
import css from './board.module.css'

/** Days across, slots down: exams are taken from place to place, and every cell tells what it would meet there. */
export default function ExamBoardScreen() {
  const t = useT('exams')
  const lang = useLanguage()
  const id = Number(useParams().id)
  const state = useExamBoard(id)
  const { error, board, busy, problem, days, slots, cells, clashing, picked, setPicked, movable, drag } = state
  const { over, fits, shown } = state
  const found = useFound(board, state.look)
  if (error) return <Failed error={error} retry={() => void state.refetch()} />
  const dayNames = weekdays('short', 0, lang)
  const tray = board?.exams.filter((one) => one.on_date === null) ?? []
  const card = (exam: Exam) => (
    <ExamCard
      key={exam.id}
      exam={exam}
      movable={movable(exam)}
      picked={picked === exam.id}
      lifted={drag.lifted?.id === exam.id}
      clash={clashing.has(exam.id)}
      found={found.hitIds ? found.hitIds.has(exam.id) : null}
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
      <Tools state={state} found={found} />
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
        <ExamSide state={state} />
      </div>
      <p className="sr" role="status" aria-live="assertive">
        {state.spoken}
      </p>
      {board && days.length > 0 && slots.length > 0 && (
        <InvigilatorsPanel exam_id={id} movable={board.exam.movable} slots={slots} />
      )}
    </Page>
  )
}

/** Above the board: the search, and the exams that clash. */
function Tools({ state, found }: { readonly state: ExamBoardState; readonly found: ReturnType<typeof useFound> }) {
  const t = useT('exams')
  const { clashing, picked, look } = state
  const { sought, setSought, at, setAt, hits, show } = found
  return (
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
  )
}
