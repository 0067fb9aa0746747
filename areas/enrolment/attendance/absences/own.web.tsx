import { Button } from '@mantine/core'
import { IconCamera } from '@tabler/icons-react'
import { useCall } from '#kit/web/api/index.ts'
import { useT } from '#kit/web/i18n/index.ts'
import { Link, to, useSearchParams } from '#kit/web/router/index.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import { AbsencesByCourse, termIn } from './courses.web.tsx'

/** My own attendance: each course with its share of absences, and every meeting. */
export default function MyAttendance() {
  const t = useT('attendance')
  const [query] = useSearchParams()
  const answer = useCall(calls.own, { query: termIn(query) })
  return (
    <AbsencesByCourse
      title={t('my_attendance')}
      answer={answer}
      action={
        <Button component={Link} to={to('/attend/:code?', {})} leftSection={<IconCamera size={16} aria-hidden />}>
          {t('scan_title')}
        </Button>
      }
    />
  )
}
