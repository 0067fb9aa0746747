import { IconGavel } from '@tabler/icons-react'
import { useState } from 'react'
import { may } from '#kit/web/auth/index.ts'
import { Dialog } from '#kit/web/feedback/dialogs.tsx'
import { Code, Name } from '#kit/web/feedback/index.ts'
import { Facts } from '#kit/web/detail/parts.tsx'
import { formatDate, nameOf, useLabel, useLanguage, useT } from '#kit/web/i18n/index.ts'
import type { AnyRow, Column } from '#kit/web/list/columns.ts'
import { ListScreen } from '#kit/web/list/list-screen.tsx'
import { StateBadge, StepHistory, useSteps } from '#kit/web/workflow/index.ts'
import { useListTerm } from '#areas/terms/terms/term-filter.web.tsx'
import { FindStudent } from '../find-student.web.tsx'
import { caseCalls, caseFields as F, caseFlow, caseSteps, MEASURES, type CaseRow } from './case.contract.ts'
import css from '../exam-days.module.css'

type Row = CaseRow & AnyRow
const two = (row: CaseRow['student']) => (
  <span className={css.two}>
    <Name row={row} />
    <small>
      <Code>{row.code}</Code>
    </small>
  </span>
)
const COLUMNS: readonly Column<Row>[] = [
  { key: 'student_id', label: F.student_id.label, sort: true, width: 230, cell: (row) => two(row.student) },
  { key: 'course_id', label: F.course_id.label, sort: true, width: 220, cell: (row) => two(row.course) },
  { key: 'exam', label: ['Exam', 'الامتحان'], width: 170, cell: (row) => <Name row={row.exam} /> },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 190 },
  { key: 'measure', label: F.measure.label, field: F.measure, width: 160 },
  { key: 'opened_at', label: F.opened_at.label, field: F.opened_at, sort: true },
]
const VIEWS = [
  {
    key: 'open',
    label: ['To be decided', 'بانتظار القرار'] as const,
    query: `filters=${encodeURIComponent(JSON.stringify({ status: ['opened', 'appealed'] }))}`,
  },
]

/** What happened in exams: under investigation, decided, appealed. */
export default function ExamCases() {
  const t = useT('exam-days')
  const say = useLabel()
  const lang = useLanguage()
  const [shown, setShown] = useState<Row | null>(null)
  const [adding, setAdding] = useState(false)
  const term = useListTerm()
  const steps = useSteps<never, never, Row>(caseFlow as never, caseSteps as never, {
    name: (row) => `${nameOf(row.student, lang)} · ${row.course.code}`,
    refreshes: ['/exam-punishment', '/registrations', '/users/work'],
  })
  return (
    <>
      <ListScreen<Row>
        call={caseCalls.list}
        title={['Exam investigations and punishments', 'تحقيقات الامتحانات وعقوباتها']}
        columns={COLUMNS}
        filters={{
          status: F.status,
          measure: F.measure,
          term_id: F.term_id,
          course_id: F.course_id,
          student_id: F.student_id,
        }}
        views={VIEWS}
        order={['status', 'asc']}
        rowName={(row) => nameOf(row.student, lang)}
        onOpen={setShown}
        actions={steps.actions}
        main={
          may('open_examInvestigation')
            ? {
                key: 'open',
                label: t('open_case'),
                icon: <IconGavel size={16} aria-hidden />,
                onSelect: () => setAdding(true),
              }
            : null
        }
        empty={{ title: t('no_cases'), text: t('no_cases_text') }}
        {...term}
      />
      {adding && <FindStudent what="case" onClose={() => setAdding(false)} />}
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
              { label: say(F.status.label), value: <StateBadge flow={caseFlow} state={shown.status} /> },
              { label: say(F.course_id.label), value: <Name row={shown.course} /> },
              { label: t('exam'), value: <Name row={shown.exam} /> },
              { label: t('date'), value: formatDate(shown.date) },
              ...(shown.measure
                ? [
                    {
                      label: say(F.measure.label),
                      value: say(MEASURES.find((one) => one.value === shown.measure)!.label),
                    },
                  ]
                : []),
              { label: t('what_happened'), value: <bdi>{shown.what}</bdi>, wide: true },
              ...(shown.decided_reason
                ? [{ label: t('reason'), value: <bdi>{shown.decided_reason}</bdi>, wide: true }]
                : []),
            ]}
          />
          <StepHistory flow={caseFlow as never} calls={caseSteps} id={shown.id} />
        </Dialog>
      )}
    </>
  )
}
