import { useMemo } from 'react'
import { ApiError, useCall, useChange } from '#kit/web/api/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { Code, Failed, Name, Status } from '#kit/web/feedback/index.ts'
import { GradeGrid } from '#kit/web/grid/grade-grid.tsx'
import type { ComputedColumn, FrozenColumn, GridColumn, GridRow } from '#kit/web/grid/types.ts'
import type { CellValue } from '#kit/web/grid/model.ts'
import { formatDate, formatList, formatNumber, nameOf, problemText, useLanguage, useT } from '#kit/web/i18n/index.ts'
import { MainButton, MenuItems } from '#kit/web/list/main-button.tsx'
import { useParams } from '#kit/web/router/index.ts'
import { Bone, Card, Stack } from '#kit/web/shell/card.tsx'
import { Dotted, Page } from '#kit/web/shell/page.tsx'
import { StateBadge, StepHistory, StepLine, useSteps } from '#kit/web/workflow/index.ts'
import { ReasonList } from '../reasons.web.tsx'
import {
  rotationControlFlow,
  rotationControlSteps,
  rotationMarkCalls as calls,
  type RotationMarks,
  type RotationMarksRow,
} from './offering.contract.ts'
import css from '../internship.module.css'

interface Line extends GridRow {
  readonly source: RotationMarksRow
}
type Cell = { readonly row: number; readonly key: string; readonly value: CellValue }
const NARROW = 112
const AFTER = ['/emtyaz', '/emtyaz-offerings', '/users/work'] as const

/** Interns of a rotation and their marks by criterion: entered by who supervises, and brought through control. */
export default function RotationMarksScreen() {
  const t = useT('internship')
  const id = Number(useParams().id)
  const { data, error, refetch } = useCall(calls.grades, { params: { id } })
  const steps = useSteps(rotationControlFlow as never, rotationControlSteps as never, {
    name: (row: RotationMarks) => nameOf(row.training),
    refreshes: [...AFTER],
  })
  if (error && !data) return <Failed error={error} retry={() => void refetch()} />
  if (!data)
    return (
      <Page title={null}>
        <Bone height={420} />
      </Page>
    )
  const of = data.data
  const next = steps.next(of)
  const days = t('from_until', { from: formatDate(of.starts_on), until: formatDate(of.ends_on) })
  return (
    <Page
      title={of.training}
      subtitle={
        <Dotted>
          <span>{days}</span>
          <StateBadge flow={rotationControlFlow as never} state={of.control_status} />
        </Dotted>
      }
      action={next ? <MainButton action={{ ...next, icon: undefined }} /> : undefined}
      menu={<MenuItems actions={steps.actions(of as never).filter((one) => one.key !== next?.key)} />}
    >
      <Stack>
        <StepLine flow={rotationControlFlow as never} calls={rotationControlSteps} id={id} state={of.control_status} />
        <Card title={t('rotation')}>
          <Facts
            short
            items={[
              { label: t('course'), value: <Name row={of.course} /> },
              { label: t('hospital'), value: <Name row={of.hospital} /> },
              {
                label: t('supervisors'),
                value: of.instructors.length ? formatList(of.instructors.map((one) => nameOf(one))) : '–',
              },
              { label: t('due_on'), value: formatDate(of.due_on) },
              {
                label: t('to_pass'),
                value: t('of_max', { mark: formatNumber(of.pass_mark), max: formatNumber(of.max_mark) }),
              },
            ]}
          />
          {of.closed.length > 0 && of.control_status === 'Draft' && (
            <div className={css.why}>
              <ReasonList of={of.closed} />
            </div>
          )}
        </Card>
        <Marks of={of} />
        <Card title={t('history')}>
          <StepHistory flow={rotationControlFlow as never} calls={rotationControlSteps} id={id} />
        </Card>
      </Stack>
    </Page>
  )
}

/** Saves what was typed, intern by intern; those whom somebody else marked meanwhile are told, and shown as they are now. */
function useSaving(of: RotationMarks) {
  const { send } = useChange(...AFTER)
  const save = async (cells: readonly Cell[]): Promise<{ refused: { row: number; key: string; text: string }[] }> => {
    const byRow = Map.groupBy(cells, (cell) => cell.row)
    const rows = [...byRow].flatMap(([row, mine]) => {
      const intern = of.interns.find((one) => one.rotation_id === row)
      return intern
        ? [
            {
              rotation_id: row,
              version: intern.version,
              marks: mine.map(({ key, value }) => ({
                criterion_id: Number(key),
                points: value === null ? null : Number(value),
              })),
            },
          ]
        : []
    })
    try {
      await send(calls.update, { body: { offering_id: of.id, rows } })
      return { refused: [] }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      const at = error.errors.flatMap((one) => {
        const index = /^rows\.(\d+)\./.exec(one.field ?? '')?.[1]
        const row = index === undefined ? undefined : rows[Number(index)]
        const key = row?.marks[0]?.criterion_id
        return row && key !== undefined ? [{ row: row.rotation_id, key: String(key), text: problemText(one) }] : []
      })
      if (!at.length) throw error
      // All or none is saved: without those that were refused, the others are.
      const rest = cells.filter(({ row }) => !at.some((one) => one.row === row))
      return { refused: rest.length ? [...at, ...(await save(rest)).refused] : at }
    }
  }
  return save
}

function Marks({ of }: { of: RotationMarks }) {
  const t = useT('internship')
  const lang = useLanguage()
  const save = useSaving(of)
  const narrow = window.innerWidth < 600
  const rows = useMemo(
    (): Line[] =>
      of.interns.map((source) => ({
        id: source.rotation_id,
        source,
        cells: Object.fromEntries(source.marks.map((one) => [String(one.criterion_id), String(one.points)])),
        ...(source.outcome === 'interrupted' && { locked: true as const }),
      })),
    [of.interns],
  )
  const frozen: FrozenColumn<Line>[] = [
    ...(narrow
      ? []
      : [{ key: 'code', label: t('code'), width: 108, render: (row: Line) => <Code>{row.source.student.code}</Code> }]),
    {
      key: 'name',
      label: t('intern'),
      width: narrow ? NARROW : 260,
      text: (row) => nameOf(row.source.student, lang),
      render: ({ source }) => (
        <span>
          <bdi>{nameOf(source.student, lang)}</bdi>
          {source.outcome === 'interrupted' && (
            <Status is="closed" label={t('interrupted_on', { day: formatDate(source.interrupted_on) })} />
          )}
          {source.is_makeup && <Status is="open" label={t('makeup')} />}
        </span>
      ),
    },
  ]
  const columns: GridColumn[] = of.criteria.map((one) => ({
    key: String(one.id),
    label: nameOf(one, lang),
    max: one.max_mark,
    absent: false,
    width: narrow ? 84 : 128,
  }))
  const computed: ComputedColumn[] = [
    {
      key: 'total',
      label: t('total'),
      width: narrow ? 72 : 110,
      value: (get) => {
        const given = of.criteria.map((one) => get(String(one.id)))
        if (given.some((one) => one === null || Number.isNaN(Number(one)))) return ''
        const sum = given.reduce((total, one) => total + Math.round(Number(one) * 100), 0) / 100
        return <strong data-refused={sum < of.pass_mark || undefined}>{formatNumber(sum)}</strong>
      },
    },
  ]
  return (
    <GradeGrid<Line>
      label={t('marks_of', { training: nameOf(of.training, lang) })}
      rows={rows}
      frozen={frozen}
      columns={columns}
      computed={computed}
      onSave={save}
      readOnly={of.closed.length > 0}
    />
  )
}
