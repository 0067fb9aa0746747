import type { ReactNode } from 'react'
import { useState } from 'react'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import type { RowAction } from '#kit/web/list/row-action.ts'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { useListTerm } from '#areas/study/terms/terms/term-filter.web.tsx'
import { FindStudent } from './find-student.web.tsx'
import { examRecordFields as F } from './records.contract.ts'
import type { AbsenceRow } from './absences/absence.contract.ts'
import css from './exam-days.module.css'

/** What every record of an exam day has. */
type Shared = Pick<AbsenceRow, 'id' | 'version' | 'student' | 'course' | 'exam' | 'date' | 'abilities'> & {
  status: string
}
type List<Row> = Parameters<typeof ListScreen<Row & AnyRow>>[0]
type Fact = { label: string; value: ReactNode; wide?: boolean }

/** A name with its code below. */
export const two = (row: {
  name: string
  name_local?: string | null | undefined
  code?: string | null | undefined
}) => (
  <span className={css.two}>
    <Name row={row} />
    <small>
      <Code>{row.code}</Code>
    </small>
  </span>
)

interface RecordsProps<Row extends Shared> {
  /** Its workflow and the calls of it. */
  readonly flow: Parameters<typeof useSteps>[0]
  readonly steps: Parameters<typeof useSteps>[1]
  readonly call: List<Row>['call']
  readonly title: List<Row>['title']
  /** After student, course and exam. */
  readonly columns: readonly Column<Row & AnyRow>[]
  readonly filters: List<Row>['filters']
  readonly views?: List<Row>['views']
  readonly order: List<Row>['order']
  readonly refreshes: readonly string[]
  /** Many at once. */
  readonly bulk?: boolean
  readonly find: 'absence' | 'case'
  /** What opens the search for a student; null: the reader may not. */
  readonly add: { readonly label: string; readonly icon: ReactNode } | null
  /** What is done more often than that, which then stands in the menu. */
  readonly main?: RowAction | null
  readonly empty: List<Row>['empty']
  /** Besides state, course, exam and day. */
  readonly facts: (row: Row) => readonly Fact[]
}

/** Absences, investigations: who, in which exam, where it stands, and all of one in a dialog. */
export function ExamRecords<Row extends Shared>(props: RecordsProps<Row>) {
  const { flow, call, title, columns, filters, views, order, bulk = false, find, empty, facts } = props
  const t = useT('exam-days')
  const say = useLabel()
  const lang = useLanguage()
  const [shown, setShown] = useState<(Row & AnyRow) | null>(null)
  const [adding, setAdding] = useState(false)
  const term = useListTerm()
  const add = props.add && { key: 'add', ...props.add, onSelect: () => setAdding(true) }
  const steps = useSteps<never, never, Row & AnyRow>(flow as never, props.steps as never, {
    name: (row) => `${nameOf(row.student, lang)} · ${row.course.code}`,
    refreshes: props.refreshes,
  })
  return (
    <>
      <ListScreen<Row & AnyRow>
        call={call}
        title={title}
        columns={[
          { key: 'student_id', label: F.student_id.label, sort: true, width: 230, cell: (row) => two(row.student) },
          { key: 'course_id', label: F.course_id.label, sort: true, width: 220, cell: (row) => two(row.course) },
          { key: 'exam', label: ['Exam', 'الامتحان'], width: 170, cell: (row) => <Name row={row.exam} /> },
          ...columns,
        ]}
        filters={filters}
        {...(views && { views })}
        order={order}
        rowName={(row) => nameOf(row.student, lang)}
        onOpen={setShown}
        actions={steps.actions}
        {...(bulk && { bulk: steps.bulk })}
        main={props.main ?? add}
        menu={props.main && add ? [add] : []}
        empty={empty}
        {...term}
      />
      {adding && <FindStudent what={find} onClose={() => setAdding(false)} />}
      {shown && (
        <Dialog
          opened
          onClose={() => setShown(null)}
          title={nameOf(shown.student, lang)}
          size="lg"
          closeButtonProps={{ 'aria-label': t('close') }}
        >
          <Facts
            items={[
              { label: t('state'), value: <StateBadge flow={flow as never} state={shown.status} /> },
              { label: say(F.course_id.label), value: <Name row={shown.course} /> },
              { label: t('exam'), value: <Name row={shown.exam} /> },
              { label: t('date'), value: formatDate(shown.date) },
              ...facts(shown),
            ]}
          />
          <StepHistory flow={flow as never} calls={props.steps} id={shown.id} />
        </Dialog>
      )}
    </>
  )
}
