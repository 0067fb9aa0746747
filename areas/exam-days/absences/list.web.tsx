import { IconUserX } from '@tabler/icons-react'
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
import { absenceCalls, absenceFields as F, absenceFlow, absenceSteps, type AbsenceRow } from './absence.contract.ts'
import css from '../exam-days.module.css'

type Row = AbsenceRow & AnyRow
const two = (row: AbsenceRow['student']) => (
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
  { key: 'date', label: F.date.label, field: F.date, sort: true, width: 120 },
  { key: 'status', label: F.status.label, field: F.status, sort: true, width: 190 },
]

/** Who was away from exams, and what became of it. */
export default function ExamAbsences() {
  const t = useT('exam-days')
  const say = useLabel()
  const lang = useLanguage()
  const [shown, setShown] = useState<Row | null>(null)
  const [adding, setAdding] = useState(false)
  const term = useListTerm()
  const steps = useSteps<never, never, Row>(absenceFlow as never, absenceSteps as never, {
    name: (row) => `${nameOf(row.student, lang)} · ${row.course.code}`,
    refreshes: ['/exam-absences', '/exam-deliveries', '/registrations', '/users/work'],
  })
  return (
    <>
      <ListScreen<Row>
        call={absenceCalls.list}
        title={['Exam absences', 'غياب الامتحانات']}
        columns={COLUMNS}
        filters={{ status: F.status, term_id: F.term_id, course_id: F.course_id, student_id: F.student_id }}
        order={['recorded_at', 'desc']}
        rowName={(row) => nameOf(row.student, lang)}
        onOpen={setShown}
        actions={steps.actions}
        bulk={steps.bulk}
        main={
          may('edit_examAbsence')
            ? {
                key: 'record',
                label: t('record_absence'),
                icon: <IconUserX size={16} aria-hidden />,
                onSelect: () => setAdding(true),
              }
            : null
        }
        empty={{ title: t('no_absences'), text: t('no_absences_text') }}
        {...term}
      />
      {adding && <FindStudent what="absence" onClose={() => setAdding(false)} />}
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
              { label: say(F.status.label), value: <StateBadge flow={absenceFlow} state={shown.status} /> },
              { label: say(F.course_id.label), value: <Name row={shown.course} /> },
              { label: t('exam'), value: <Name row={shown.exam} /> },
              { label: say(F.date.label), value: formatDate(shown.date) },
              ...(shown.note ? [{ label: t('note'), value: <bdi>{shown.note}</bdi>, wide: true }] : []),
            ]}
          />
          <StepHistory flow={absenceFlow as never} calls={absenceSteps} id={shown.id} />
        </Dialog>
      )}
    </>
  )
}
