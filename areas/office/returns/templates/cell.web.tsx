import { Button, Modal, Select, Textarea, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#kit/web/api/index.ts'
import { Problems } from '#kit/web/feedback/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { dimensionOf, type DimensionKey } from '#areas/office/reports/figures/dimensions.contract.ts'
import {
  figureSubject,
  MEASURE_KEYS,
  measureOf,
  type MeasureKey,
} from '#areas/office/reports/figures/measures.contract.ts'
import { cellText, dimensionsOf, readCell, type CellFigure } from '../cells/cell.rules.ts'
import { useSaidCell } from './said.web.ts'
import { templateCalls, type ShownCell } from './template.contract.ts'
import css from '../returns.module.css'

/** What a cell asks for: a measure and what it is narrowed by, chosen by words; the text of the cell follows, and can be typed as well. */
export function CellDialog({
  id,
  edition_id,
  sheet,
  cell,
  onClose,
}: {
  id: number
  edition_id: number
  sheet: string
  cell: ShownCell
  onClose: () => void
}) {
  const t = useT('returns')
  const say = useLabel('reports')
  const said = useSaidCell()
  const [text, setText] = useState(cell.text)
  const { busy, problem, go, send } = useChange('/return-templates', '/statistical-returns')
  const asked = readCell(text)
  const figure: CellFigure | null = asked.kind === 'figure' ? asked.figure : null
  const put = (next: CellFigure) => setText(cellText(next))
  const groups = new Map<string, { value: string; label: string }[]>()
  for (const key of MEASURE_KEYS) {
    const group = say(figureSubject(measureOf(key).of).label)
    groups.set(group, [...(groups.get(group) ?? []), { value: key, label: say(measureOf(key).label) }])
  }
  const narrowed = (by: DimensionKey, value: string) =>
    figure &&
    put({
      ...figure,
      filters: [
        ...figure.filters.filter((one) => one.by !== by),
        ...(value.trim()
          ? [
              {
                by,
                codes: value
                  .split(',')
                  .map((one) => one.trim())
                  .filter(Boolean),
              },
            ]
          : []),
      ],
    })
  const save = () =>
    void go(async () => {
      await send(templateCalls.setCell, { params: { id }, body: { edition_id, sheet, cell: cell.cell, text } })
      onClose()
    })
  return (
    <Modal opened onClose={onClose} title={t('cell_title', { sheet, cell: cell.cell })} size="lg">
      <div className={css.filters}>
        <Select
          label={t('measure')}
          placeholder={t('measure_none')}
          searchable
          clearable
          data={[...groups].map(([group, items]) => ({ group, items }))}
          value={figure?.measure ?? null}
          onChange={(value) =>
            value
              ? put({
                  measure: value as MeasureKey,
                  filters: (figure?.filters ?? []).filter(({ by }) => dimensionsOf(value as MeasureKey).has(by)),
                  sum: figure?.sum ?? null,
                })
              : setText('')
          }
        />
        {figure && <Narrowing figure={figure} narrowed={narrowed} />}
        <Textarea
          label={t('cell_text')}
          description={t('cell_text_help')}
          autosize
          maxLength={500}
          classNames={{ input: css.text! }}
          value={text}
          dir="ltr"
          onChange={({ target }) => setText(target.value)}
        />
        {figure && <p className={css.note}>{said(text)}</p>}
        {problem !== null && <Problems error={problem} />}
        <div className={css.line}>
          <Button loading={busy} onClick={save}>
            {t('save_cell')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('cancel_cell')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

/** By what a figure is narrowed: words of the product where there are some, codes of records else. */
function Narrowing({ figure, narrowed }: { figure: CellFigure; narrowed: (by: DimensionKey, value: string) => void }) {
  const t = useT('returns')
  const say = useLabel('reports')
  const [adding, setAdding] = useState<DimensionKey[]>([])
  const shown = [...new Set([...figure.filters.map(({ by }) => by), ...adding])]
  const others = [...dimensionsOf(figure.measure)].filter((by) => !shown.includes(by))
  return (
    <>
      {shown.map((by) => {
        const { label, choices } = dimensionOf(by)
        const codes = figure.filters.find((one) => one.by === by)?.codes.join(',') ?? ''
        return choices ? (
          <Select
            key={by}
            label={say(label)}
            clearable
            data={choices.map((one) => ({
              value: typeof one.value === 'string' ? one.value : one.label[0].toLowerCase(),
              label: say(one.label),
            }))}
            value={codes || null}
            onChange={(value) => narrowed(by, value ?? '')}
          />
        ) : (
          <TextInput
            key={by}
            label={say(label)}
            description={t('codes_help')}
            defaultValue={codes}
            onChange={({ target }) => narrowed(by, target.value)}
          />
        )
      })}
      {others.length > 0 && (
        <Select
          label={t('narrow_by')}
          searchable
          data={others.map((by) => ({ value: by, label: say(dimensionOf(by).label) }))}
          value={null}
          onChange={(value) => value && setAdding([...adding, value])}
        />
      )}
    </>
  )
}
