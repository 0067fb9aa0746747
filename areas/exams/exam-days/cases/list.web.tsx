import { IconGavel } from '@tabler/icons-react'
import { may } from '#kit/web/auth/index.ts'
import { useLabel, useT } from '#kit/web/i18n/index.ts'
import { ExamRecords } from '../record-list.web.tsx'
import {
  examCaseCalls,
  examCaseFields as F,
  examCaseFlow,
  examCaseSteps,
  MEASURES,
  type ExamCaseRow,
} from './case.contract.ts'

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
  return (
    <ExamRecords<ExamCaseRow>
      flow={examCaseFlow as never}
      steps={examCaseSteps}
      call={examCaseCalls.list}
      title={['Exam investigations and punishments', 'تحقيقات الامتحانات وعقوباتها']}
      columns={[
        { key: 'status', label: F.status.label, field: F.status, sort: true, width: 190 },
        { key: 'measure', label: F.measure.label, field: F.measure, width: 160 },
        { key: 'opened_at', label: F.opened_at.label, field: F.opened_at, sort: true },
      ]}
      filters={{
        status: F.status,
        measure: F.measure,
        term_id: F.term_id,
        course_id: F.course_id,
        student_id: F.student_id,
      }}
      views={VIEWS}
      order={['status', 'asc']}
      refreshes={['/exam-punishment', '/registrations', '/users/work']}
      find="case"
      add={may('open_examInvestigation') ? { label: t('open_case'), icon: <IconGavel size={16} aria-hidden /> } : null}
      empty={{ title: t('no_cases'), text: t('no_cases_text') }}
      facts={({ measure, what, decided_reason }) => [
        ...(measure
          ? [{ label: say(F.measure.label), value: say(MEASURES.find((one) => one.value === measure)!.label) }]
          : []),
        { label: t('what_happened'), value: <bdi>{what}</bdi>, wide: true },
        ...(decided_reason ? [{ label: t('reason'), value: <bdi>{decided_reason}</bdi>, wide: true }] : []),
      ]}
    />
  )
}
