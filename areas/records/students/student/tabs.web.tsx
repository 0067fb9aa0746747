import { Suspense } from 'react'
import { documentsOfPerson } from '#areas/people/people/outlets.contract.ts'
import { WeekOf } from '#areas/study/scheduling/timetables/week.web.tsx'
import { may } from '#kit/web/auth/index.ts'
import type { ScreenTab } from '#kit/web/detail/parts.tsx'
import { useT } from '#kit/web/i18n/index.ts'
import { part } from '#kit/web/later.ts'
import { filled } from '#kit/web/router/load.tsx'
import { Bone } from '#kit/web/shell/card.tsx'
import { GradesOfStudent } from '../record/grades.web.tsx'
import { History } from '../record/history.web.tsx'
import { Overview } from '../record/overview.web.tsx'
import type { StudentDashboard } from '../record/record.contract.ts'
import { Audit } from '../study-plan/audit.web.tsx'
import { TranscriptPapers } from '../transcript/print.web.tsx'
import { PersonalNotes, PersonalData } from './personal.web.tsx'

const DocumentsOf = filled(documentsOfPerson)
const ScholarshipsOf = part(
  async () => (await import('#areas/money/fees/scholarships/of-student.web.tsx')).ScholarshipsOf,
)
const SponsorsOf = part(async () => (await import('#areas/money/sponsors/sponsorships/of-student.web.tsx')).SponsorsOf)

/** What the reader may see of a student. */
export function useStudentTabs(): (dashboard: StudentDashboard) => ScreenTab[] {
  const t = useT('students')
  return (dashboard) => {
    const person = dashboard.student
    const { id } = person
    const able = (ability: string) => dashboard.abilities.includes(ability)
    const record = able('record')
    return [
      ...(record ? [{ key: 'overview', label: t('overview'), content: () => <Overview data={dashboard} /> }] : []),
      { key: 'data', label: t('personal_data'), content: () => <PersonalData id={id} editable={able('edit')} /> },
      ...(able('documents')
        ? [
            {
              key: 'documents',
              label: t('documents'),
              content: () => (
                <Suspense fallback={<Bone height={200} />}>
                  <DocumentsOf id={id} />
                </Suspense>
              ),
            },
          ]
        : []),
      ...(record
        ? [
            { key: 'grades', label: t('grades'), content: () => <GradesOfStudent id={id} /> },
            { key: 'plan', label: t('study_plan'), content: () => <Audit id={id} /> },
          ]
        : []),
      ...(may('access_schedule')
        ? [{ key: 'timetable', label: t('timetable'), content: () => <WeekOf type="student" id={id} /> }]
        : []),
      ...(record ? [{ key: 'history', label: t('registration_history'), content: () => <History id={id} /> }] : []),
      ...(may('access_scholarship')
        ? [
            {
              key: 'scholarships',
              label: t('scholarships'),
              content: () => (
                <Suspense fallback={<Bone height={200} />}>
                  <ScholarshipsOf student={id} />
                  {may('access_sponsorship') && <SponsorsOf student={id} />}
                </Suspense>
              ),
            },
          ]
        : []),
      ...(able('edit_notes') || (record && person.notes)
        ? [
            {
              key: 'notes',
              label: t('notes'),
              content: () => <PersonalNotes key={person.version} data={dashboard} editable={able('edit_notes')} />,
            },
          ]
        : []),
      ...(record || able('print_transcript')
        ? [{ key: 'papers', label: t('papers'), content: () => <TranscriptPapers id={id} /> }]
        : []),
    ]
  }
}
