import { ActionIcon, Button, Tooltip } from '@mantine/core'
import { IconArrowBackUp, IconArrowForwardUp, IconCheck } from '@tabler/icons-react'
import { formatNumber, useT } from '../i18n/index.ts'
import { ABSENT } from './model.ts'
import type { GridModel } from './model.ts'
import type { GridRow } from './types.ts'
import type { Grid } from './use-grid.ts'
import css from './grid.module.css'
import { Submit } from '../feedback/submit.tsx'

/** The keys that make entry quick, said where they are used. */
function GridKeys() {
  const t = useT('kit-screens')
  return (
    <>
      <span>
        <kbd>A</kbd> {t('grid_absent')}
      </span>
      <span>
        <kbd>Enter</kbd> {t('grid_down')}
      </span>
      <span>
        <kbd>Ctrl V</kbd> {t('grid_paste')}
      </span>
    </>
  )
}

/** Count, sum and mean of the selected cells, as spreadsheets show them. */
function Sum({ model, cells }: { model: GridModel; cells: readonly { row: number; key: string }[] }) {
  const t = useT('kit-screens')
  const numbers = cells
    .map((c) => model.get(c.row, c.key))
    .filter((v): v is string => v !== null && v !== ABSENT && v.trim() !== '' && Number.isFinite(Number(v)))
    .map(Number)
  if (!numbers.length) return t('grid_cells', { count: cells.length })
  const sum = numbers.reduce((n, v) => n + v, 0)
  return t('grid_sum', { count: numbers.length, mean: formatNumber(sum / numbers.length, 2), sum: formatNumber(sum) })
}

/** Above the grid: undo, the keys, and what is chosen. */
export function GridTools<R extends GridRow>({ grid }: { grid: Grid<R> }) {
  const t = useT('kit-screens')
  const { model, step, layout, note, range, cellsOf } = grid
  return (
    <div className={`${css.tools} no-print`}>
      <Tooltip label={t('undo')}>
        <ActionIcon
          variant="default"
          size={30}
          disabled={!model.canUndo}
          aria-label={t('undo')}
          onClick={() => step(model.undo())}
        >
          <IconArrowBackUp size={16} className="pointing" />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={t('redo')}>
        <ActionIcon
          variant="default"
          size={30}
          disabled={!model.canRedo}
          aria-label={t('redo')}
          onClick={() => step(model.redo())}
        >
          <IconArrowForwardUp size={16} className="pointing" />
        </ActionIcon>
      </Tooltip>
      {!layout.narrow && <GridKeys />}
      <span className={css.spring} />
      <span aria-live="polite">{note}</span>
      <span aria-live="polite">
        {range.top !== range.bottom || range.start !== range.end ? <Sum model={model} cells={cellsOf()} /> : null}
      </span>
    </div>
  )
}

/** Below the grid, while something is unsaved: how much, what is wrong, and Save. */
export function GridSaveBar<R extends GridRow>({ grid }: { grid: Grid<R> }) {
  const t = useT('kit-screens')
  const { model, mistakes, busy, toMistake, save } = grid
  return (
    <section className={`${css.bar} no-print`} data-save-bar aria-label={t('unsaved_changes')}>
      <span className={css.barText} aria-live="polite">
        {t('grid_unsaved', { count: model.unsavedCount })}
        {mistakes.length > 0 && (
          <>
            {' · '}
            <button type="button" onClick={() => toMistake(mistakes[0]!)}>
              {t('grid_mistakes', { count: mistakes.length })}
            </button>
          </>
        )}
      </span>
      <Button variant="default" disabled={busy} onClick={() => model.discard()}>
        {t('discard')}
      </Button>
      <Submit
        loading={busy}
        missing={[
          !model.toSave().right.length &&
            (mistakes.length ? t('grid_mistakes', { count: mistakes.length }) : t('nothing_changed')),
        ]}
        leftSection={<IconCheck size={16} aria-hidden />}
        onClick={() => void save()}
      >
        {t('save')}
      </Submit>
    </section>
  )
}
