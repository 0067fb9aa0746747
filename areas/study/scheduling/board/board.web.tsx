import { Button, SegmentedControl, Select } from '@mantine/core'
import { Empty, Failed, Problems } from '#kit/web/feedback/index.ts'
import { Submit } from '#kit/web/feedback/submit.tsx'
import { LookupInput } from '#kit/web/fields/lookup-input.tsx'
import { nameOf, useLanguage, useT, weekdays } from '#kit/web/i18n/index.ts'
import { Page } from '#kit/web/shell/page.tsx'
import { Board, boardCss } from '#kit/web/timetable/board.tsx'
import inks from '#kit/web/timetable/timetable.module.css'
import { MeetingCard } from './card.web.tsx'
import { MeetingSide } from './side.web.tsx'
import { SHOWN, clock, useBoard, type BoardState } from './use-board.web.tsx'
import css from './board.module.css'

/** The week of a term, in which meetings are taken to other times and rooms; nothing is saved until one says so. */
export default function BoardScreen() {
  const t = useT('scheduling')
  const lang = useLanguage()
  const state = useBoard()
  const { error, board, placed, days, rowOf, meeting, moves, clashes, picked, setPicked, drag, over, hovered } = state
  if (error) return <Failed error={error} retry={() => void state.refetch()} />
  const card = (one: (typeof placed)[number]) => (
    <MeetingCard
      key={one.id}
      meeting={one}
      board={board!}
      by={state.by}
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
      <Tools state={state} />
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
            fits={state.fits}
          >
            {(row, day) =>
              placed.filter((one) => one.day === days[day] && one.slot_id === board?.periods[row]?.id).map(card)
            }
          </Board>
        )}
        <MeetingSide
          board={board}
          meeting={meeting(drag.lifted?.id ?? picked)}
          where={drag.lifted ? state.cellText(over ?? null) : null}
          clashes={hovered ?? clashes.filter((clash) => clash.id === picked)}
          rooms={state.lifting}
          onRoom={state.keep}
          moves={state.list}
        />
      </div>
      <p className="sr" role="status" aria-live="assertive">
        {state.spoken}
      </p>
      {state.problem ? <Problems error={state.problem} /> : null}
      {moves.size > 0 && <SaveBar state={state} />}
    </Page>
  )
}

/** Whose week is shown, and of which term. */
function Tools({ state: { board, by, choices, chosen, set, moves } }: { state: BoardState }) {
  const t = useT('scheduling')
  return (
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
  )
}

/** What was moved, and Save. */
function SaveBar({ state: { moves, told, clashes, busy, stopped, discard, save } }: { state: BoardState }) {
  const t = useT('scheduling')
  const k = useT('kit-screens')
  return (
    <section className={`${css.bar} no-print`} data-save-bar aria-label={t('board_changes')}>
      <span role="status">
        {t('board_moved', { count: moves.size })} · {t('board_tells', { count: told })}
        {clashes.length > 0 && ` · ${t('board_clashes', { count: clashes.length })}`}
      </span>
      <Button variant="default" disabled={busy} onClick={discard}>
        {t('board_discard')}
      </Button>
      <Submit loading={busy} missing={[stopped && k('solve_first')]} onClick={() => void save()}>
        {t('board_save')}
      </Submit>
    </section>
  )
}
