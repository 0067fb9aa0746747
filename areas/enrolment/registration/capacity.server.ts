/** In which capacity somebody acts on a student: what decides, with the state found, which changes are possible. */
import { studentReach } from '#areas/common/academics/student-reach.server.ts'
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Ctx } from '#kit/server/base/context.ts'
import { reaches } from '#kit/server/base/scope.ts'
import type { ScopeParts } from '#kit/server/base/scope.ts'

/** By what a student is bound to a part of the university and to people. */
export type Bound = {
  id: number
  faculty_id: number
  department_id: number | null
  bylaw_id: number
  program_id: number
  advisor_id: number | null
}

/** How students (under alias `s`) are bound for those who register them: who teaches a course registers nobody. */
export const studentScope = (ctx: Ctx): ScopeParts => {
  const { taught: _taught, ...reach } = studentReach(ctx, 's')
  return reach
}

/** `scope`: within a part of the university that the right covers; `advised`: the person is the student's advisor. */
export type Reached = 'scope' | 'advised' | null

/** How the keys reach a student; null: not at all. */
export function reachOf(ctx: Ctx, keys: readonly PermissionKey[], student: Bound): Reached {
  let advised = false
  for (const set of reaches(ctx, keys)) {
    if (
      set.all ||
      set.faculty.includes(student.faculty_id) ||
      (student.department_id !== null && set.department.includes(student.department_id)) ||
      set.bylaw.includes(student.bylaw_id) ||
      set.program.includes(student.program_id)
    ) {
      return 'scope'
    }
    advised ||= set.advised && ctx.actor !== null && student.advisor_id === ctx.actor.instructor_id
  }
  return advised ? 'advised' : null
}

/** Whether the person is this student, and uses self-service. */
export const isSelf = (ctx: Ctx, studentId: number): boolean =>
  ctx.actor !== null && ctx.actor.student_id === studentId && ctx.can('access_student')
