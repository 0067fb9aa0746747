/** By a decision a student leaves, stays away for a time, or comes back: which change follows which status. */
import type { Bilingual, Problem } from '#areas/academics/problem.rules.ts'

export type StudentStatus = 'studying' | 'graduated' | 'suspended' | 'withdrawn' | 'transferred' | 'dismissed'

/** What a status may become. Who has graduated or was transferred to another university has left for good. */
export const NEXT_STATUSES: Readonly<Record<StudentStatus, readonly StudentStatus[]>> = {
  studying: ['suspended', 'dismissed', 'graduated', 'withdrawn', 'transferred'],
  suspended: ['studying', 'dismissed', 'withdrawn', 'transferred'],
  dismissed: ['studying', 'withdrawn', 'transferred'],
  withdrawn: ['studying'],
  graduated: [],
  transferred: [],
}

export type StatusCode = 'status_same' | 'status_final' | 'status_not_next' | 'status_decided_later'

/** Texts of why a status does not change. */
export const statusTexts: Record<StatusCode, Bilingual> = {
  status_same: { en: 'This already is the status of the student', ar: 'هذه حالة الطالب بالفعل' },
  status_final: {
    en: 'The student has graduated or was transferred: this is not changed any more',
    ar: 'الطالب متخرج أو محول، ولا تتغير حالته بعد ذلك',
  },
  status_not_next: {
    en: 'From the present status this one cannot follow: bring the student back to studying first',
    ar: 'لا تلي هذه الحالة الحالة الراهنة: أعِد قيد الطالب أولًا',
  },
  status_decided_later: {
    en: 'The day of the decision ({day}) is still to come',
    ar: 'تاريخ القرار ({day}) لم يحل بعد',
  },
}

/** Every reason against a change of status; `today` is the day at the university. */
export function checkStatus(
  from: StudentStatus,
  to: StudentStatus,
  decided_on: string,
  today: string,
): Problem<StatusCode>[] {
  const problems: Problem<StatusCode>[] = []
  const next = NEXT_STATUSES[from]
  if (from === to) problems.push({ code: 'status_same', field: 'status', data: {} })
  else if (!next.length) problems.push({ code: 'status_final', field: 'status', data: {} })
  else if (!next.includes(to)) problems.push({ code: 'status_not_next', field: 'status', data: {} })
  if (decided_on > today)
    problems.push({ code: 'status_decided_later', field: 'decided_on', data: { day: decided_on } })
  return problems
}
