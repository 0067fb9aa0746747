import { useMemo } from 'react'
import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { ApiError, useChange } from '#kit/web/api/index.ts'
import { Code, Name, Status, type State } from '#kit/web/feedback/index.ts'
import { GradeGrid } from '#kit/web/grid/grade-grid.tsx'
import type { CellValue } from '#kit/web/grid/model.ts'
import type { GridRow } from '#kit/web/grid/types.ts'
import { decimalAsWritten, nameOf, problemText, useT } from '#kit/web/i18n/index.ts'
import { questionMarkCalls, type QuestionedComponent, type QuestionSheet } from './question.contract.ts'
import { questionStanding, sumOf } from './question.rules.ts'

interface Row extends GridRow {
  readonly source: QuestionSheet['rows'][number]
}
type Cell = { readonly row: number; readonly key: string; readonly value: CellValue }
type Standing = ReturnType<typeof questionStanding>
const LOOKS = {
  none: 'missing',
  part: 'in_progress',
  waits: 'waits',
  fits: 'ready',
  differs: 'wrong',
} as const satisfies Readonly<Record<Standing, State>>

/** Saves cells; those that are refused are left out, and the others sent again: the server takes all or none. */
function useSaving(sheet: QuestionSheet) {
  const t = useT('specifications')
  const { send } = useChange('/specifications/questions')
  const save = async (cells: readonly Cell[]): Promise<{ refused: { row: number; key: string; text: string }[] }> => {
    const rows = new Map(sheet.rows.map((row) => [row.registration_id, row]))
    try {
      const { conflicts } = await send(questionMarkCalls.save, {
        params: { id: sheet.offering.id },
        body: {
          cells: cells.map(({ row, key, value }) => ({
            registration_id: row,
            question_id: Number(key),
            mark: value,
            version: rows.get(row)?.marks[key]?.version ?? null,
          })),
        },
      })
      return {
        refused: conflicts.map(({ registration_id, question_id, theirs }) => ({
          row: registration_id,
          key: String(question_id),
          text: t('question_changed', { mark: theirs ?? '–' }),
        })),
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const at = error.errors.flatMap((one) => {
        const cell = cells[Number(/^cells\.(\d+)\./.exec(one.field ?? '')?.[1] ?? -1)]
        return cell ? [{ row: cell.row, key: cell.key, text: problemText(one) }] : []
      })
      if (!at.length) throw error
      const rest = cells.filter(({ row, key }) => !at.some((one) => one.row === row && one.key === key))
      return { refused: rest.length ? [...at, ...(await save(rest)).refused] : at }
    }
  }
  return save
}

/** Marks by question of one component, beside its mark: a row whose questions do not sum to it is told. */
export function QuestionGrid({
  of,
  sheet,
  readOnly,
}: {
  of: QuestionedComponent
  sheet: QuestionSheet
  readOnly: boolean
}) {
  const t = useT('specifications')
  const save = useSaving(sheet)
  const rows = useMemo(
    (): Row[] =>
      sheet.rows.map((source) => ({
        id: source.registration_id,
        source,
        cells: Object.fromEntries(Object.entries(source.marks).map(([key, { mark }]) => [key, mark])),
        ...(!source.writable && { locked: true as const }),
      })),
    [sheet.rows],
  )
  const marksOf = (get: (key: string) => CellValue) => of.questions.map(({ id }) => get(String(id)))
  const componentOf = (row: GridRow): string | null => (row as Row).source.components[of.id] ?? null
  return (
    <GradeGrid<Row>
      label={t('questions_of', { name: nameOf(of), max: of.max })}
      rows={rows}
      readOnly={readOnly}
      frozen={[
        {
          key: 'code',
          label: t('student_code'),
          width: 108,
          render: ({ source }) => <Code>{source.student.code}</Code>,
          text: ({ source }) => source.student.code ?? '',
        },
        {
          key: 'name',
          label: t('student'),
          width: 200,
          render: ({ source }) => <Name row={source.student} />,
          text: ({ source }) => nameOf(source.student),
        },
      ]}
      columns={of.questions.map(({ id, label, max }) => ({
        key: String(id),
        label,
        max: Number(max),
        width: 84,
        absent: false,
      }))}
      computed={[
        {
          key: 'sum',
          label: t('question_total'),
          width: 84,
          value: (get) => {
            const there = marksOf(get).filter((mark) => mark !== null)
            return there.length ? decimalAsWritten(trimHundredths(sumOf(there))) : ''
          },
        },
        {
          key: 'mark',
          label: t('component_mark'),
          width: 92,
          value: (_, row) => {
            const mark = componentOf(row)
            return mark === null ? '' : mark === 'A' ? t('absent') : decimalAsWritten(mark)
          },
        },
        {
          key: 'state',
          label: t('question_counts'),
          width: 168,
          value: (get, row) => {
            const standing = questionStanding(marksOf(get), componentOf(row))
            return standing === 'none' ? '' : <Status is={LOOKS[standing]} label={t(`question_${standing}`)} />
          },
        },
      ]}
      onSave={save}
    />
  )
}
