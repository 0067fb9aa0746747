import { IconListCheck, IconUserX } from '@tabler/icons-react'
import { may } from '#kit/web/auth/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { to, useNavigate } from '#kit/web/router/index.ts'
import { ExamRecords } from '../record-list.web.tsx'
import { absenceCalls, absenceFields as F, absenceFlow, absenceSteps, type AbsenceRow } from './absence.contract.ts'

/** Who was away from exams, and what became of it. */
export default function ExamAbsences() {
  const t = useT('exam-days')
  const navigate = useNavigate()
  const records = may('edit_examAbsence')
  return (
    <ExamRecords<AbsenceRow>
      flow={absenceFlow as never}
      steps={absenceSteps}
      call={absenceCalls.list}
      title={['Exam absences', 'غياب الامتحانات']}
      columns={[
        { key: 'date', label: F.date.label, field: F.date, sort: true, width: 120 },
        { key: 'status', label: F.status.label, field: F.status, sort: true, width: 190 },
      ]}
      filters={{ status: F.status, term_id: F.term_id, course_id: F.course_id, student_id: F.student_id }}
      order={['recorded_at', 'desc']}
      refreshes={['/exam-absences', '/exam-deliveries', '/registrations', '/users/work']}
      bulk
      find="absence"
      add={records ? { label: t('record_absence'), icon: <IconUserX size={16} aria-hidden /> } : null}
      main={
        records
          ? {
              key: 'hall',
              label: t('record_hall'),
              icon: <IconListCheck size={16} aria-hidden />,
              onSelect: () => void navigate(to('/exams_absences/hall', {})),
            }
          : null
      }
      empty={{ title: t('no_absences'), text: t('no_absences_text') }}
      facts={({ note }) => (note ? [{ label: t('note'), value: <bdi>{note}</bdi>, wide: true }] : [])}
    />
  )
}
