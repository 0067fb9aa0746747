/** Sharing students among academic advisors. */

export type Advisor = {
  id: number
  faculty_id: number
  department_id: number | null
  advised: number
  max_advised: number
}
export type Advisee = { id: number; faculty_id: number; department_id: number | null }

/**
 * Gives each student an advisor of the same faculty with a free place: one of the student's department where there is
 * one, and of these whoever has the smallest share of places taken, so that all fill evenly. Nobody gets more than the
 * own maximum. The same input gives the same answer.
 *
 * @returns pairs, and the students for whom no place is left
 */
export function distribute(
  students: readonly Advisee[],
  advisors: readonly Advisor[],
): { assigned: { student_id: number; advisor_id: number }[]; left: number[] } {
  const state = advisors.map((advisor) => ({ ...advisor })).toSorted((a, b) => a.id - b.id)
  const byFaculty = Map.groupBy(state, (advisor) => advisor.faculty_id)
  const share = (advisor: Advisor): number => advisor.advised / advisor.max_advised
  const assigned: { student_id: number; advisor_id: number }[] = []
  const left: number[] = []
  for (const student of students.toSorted((a, b) => a.id - b.id)) {
    const open = (byFaculty.get(student.faculty_id) ?? []).filter((advisor) => advisor.advised < advisor.max_advised)
    const near = open.filter(
      (advisor) => advisor.department_id !== null && advisor.department_id === student.department_id,
    )
    const from = near.length ? near : open
    const best = from.reduce<(typeof from)[number] | null>(
      (one, other) => (one === null || share(other) < share(one) ? other : one),
      null,
    )
    if (!best) left.push(student.id)
    else {
      best.advised++
      assigned.push({ student_id: student.id, advisor_id: best.id })
    }
  }
  return { assigned, left }
}
