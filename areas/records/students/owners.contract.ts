import { owned, type Door, type Label } from '#kit/contract/index.ts'
import { STUDENT_STATUSES } from './student/student.contract.ts'

type Status = (typeof STUDENT_STATUSES)[number]['value']
const DECISION: Label = ['a decision on the status of a student', 'قرار بشأن حالة الطالب']
const BY_DECISION: Door = 'POST /students/status/{id}'
/** Finishing a term dismisses, and taking that back brings back. */
const BY_RESULT: readonly Door[] = [
  'POST /control/students/finish',
  'POST /control/students/unfinish',
  'PUT /control/offerings/finish-control-status/{id}',
  { steps: 'offering_control' },
]
const OWNERS: Readonly<Record<Status, { owner: Label; doors: readonly Door[] }>> = {
  studying: {
    owner: ['entry of a student or a decision that brings the student back', 'قيد الطالب أو قرار إعادة قيده'],
    doors: [
      { steps: 'applicant' },
      'PUT /students',
      'POST /students/import/save/{import_id}',
      'POST /oneroster/import',
      'POST /oneroster/import/{id}',
      BY_DECISION,
      ...BY_RESULT,
      { steps: 'transfer_out' },
    ],
  },
  graduated: { owner: DECISION, doors: [BY_DECISION] },
  suspended: { owner: DECISION, doors: [BY_DECISION] },
  withdrawn: { owner: DECISION, doors: [BY_DECISION] },
  transferred: {
    owner: ['an approved transfer to another university', 'الموافقة على تحويل إلى جامعة أخرى'],
    doors: [{ steps: 'transfer_out' }],
  },
  dismissed: { owner: DECISION, doors: [BY_DECISION, ...BY_RESULT] },
}

/** Who owns each status of a student. */
export const studentStates = owned<Status>({
  name: 'student_status',
  one: ['Student', 'طالب'],
  table: 'students',
  state: 't.status',
  states: Object.fromEntries(
    STUDENT_STATUSES.map(({ value, label }) => [value, { label, screen: '/students', ...OWNERS[value] }]),
  ) as Record<Status, never>,
})
