/** By a decision a student leaves, stays away for a time, or comes back: which change follows which status. */
import type { Bilingual, Problem } from '#areas/common/academics/problem.rules.ts'
import { LEFT_STATUSES, type StudentStatus } from '#areas/common/academics/student-status.rules.ts'

/**
 * What a status may become by a decision. Who has graduated or was transferred to another university has left for good;
 * to another university leads the transfer alone.
 */
export const NEXT_STATUSES: Readonly<Record<StudentStatus, readonly StudentStatus[]>> = {
  studying: ['suspended', 'dismissed', 'graduated', 'withdrawn'],
  suspended: ['studying', 'dismissed', 'withdrawn'],
  dismissed: ['studying', 'withdrawn'],
  withdrawn: ['studying'],
  graduated: [],
  transferred: [],
}

export type StudentStatusCode =
  | 'status_same'
  | 'status_final'
  | 'status_not_next'
  | 'status_decided_later'
  | 'status_by_transfer'
  | 'status_transfer_waits'

/** Texts of why a status does not change. */
export const statusTexts: Record<StudentStatusCode, Bilingual> = {
  status_same: { en: 'This already is the status of the student', ar: 'هذه حالة الطالب بالفعل' },
  status_final: {
    en: 'The student has graduated or was transferred: this is not changed any more',
    ar: 'الطالب متخرج أو محول، ولا تتغير حالته بعد ذلك',
  },
  status_not_next: {
    en: 'From the present status this one cannot follow: bring the student back to studying first',
    ar: 'لا تلي هذه الحالة الحالة الراهنة: أعِد قيد الطالب أولًا',
  },
  status_by_transfer: {
    en: 'A student leaves for another university by a transfer that the dean approves: ask for it under Transfers out',
    ar: 'ينتقل الطالب إلى جامعة أخرى بتحويل يعتمده العميد: قدّم الطلب في «التحويل إلى خارج الجامعة»',
  },
  status_transfer_waits: {
    en: 'A transfer of the student waits for its decision: decide on it first, or take it back',
    ar: 'للطالب طلب تحويل لم يُبت فيه: يُبت فيه أو يُسحب أولًا',
  },
  status_decided_later: {
    en: 'The day of the decision ({day}) is still to come',
    ar: 'تاريخ القرار ({day}) لم يحل بعد',
  },
}

/** What a decision on a status is judged by. */
export interface StatusFacts {
  readonly from: StudentStatus
  readonly to: StudentStatus
  readonly decided_on: string
  /** The day at the university. */
  readonly today: string
  /** A transfer within the university, or to another, waits for its decision. */
  readonly transfer_waits: boolean
}
/** Every reason against a change of status by a decision. */
export function checkStatus({
  from,
  to,
  decided_on,
  today,
  transfer_waits,
}: StatusFacts): Problem<StudentStatusCode>[] {
  const problems: Problem<StudentStatusCode>[] = []
  const next = NEXT_STATUSES[from]
  if (from === to) problems.push({ code: 'status_same', field: 'status', data: {} })
  else if (!next.length) problems.push({ code: 'status_final', field: 'status', data: {} })
  else if (to === 'transferred') problems.push({ code: 'status_by_transfer', field: 'status', data: {} })
  else if (!next.includes(to)) problems.push({ code: 'status_not_next', field: 'status', data: {} })
  if (transfer_waits && LEFT_STATUSES.has(to))
    problems.push({ code: 'status_transfer_waits', field: 'status', data: {} })
  if (decided_on > today)
    problems.push({ code: 'status_decided_later', field: 'decided_on', data: { day: decided_on } })
  return problems
}
