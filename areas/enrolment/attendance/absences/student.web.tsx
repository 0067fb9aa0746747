import { useCall } from '#kit/web/api/index.ts'
import { nameOf, useLanguage } from '#kit/web/i18n/index.ts'
import { useParams, useSearchParams } from '#kit/web/router/index.ts'
import { attendanceCalls as calls } from '../attendance.calls.contract.ts'
import { AbsencesByCourse, termIn } from './courses.web.tsx'

/** Attendance of a student, for who follows, registers or teaches the student. */
export default function StudentAttendance() {
  const lang = useLanguage()
  const id = Number(useParams().id)
  const [query] = useSearchParams()
  const answer = useCall(calls.student, { params: { id }, query: termIn(query) })
  return <AbsencesByCourse title={answer.data ? nameOf(answer.data.student, lang) : undefined} answer={answer} />
}
