/** What becomes of a role, and of who holds it. */
import type { Reason } from '#kit/contract/issues.ts'

/** Roles that the program gives or asks for by itself: without them nobody could study, teach, advise or do everything. */
const NEEDED: ReadonlySet<string> = new Set([
  'root',
  'super_admin',
  'student',
  'applicant',
  'instructor',
  'academic_advisor',
])

/** What hangs on a role. */
export interface RoleStanding {
  readonly key: string
  /** People who hold it, today or from a later day on. */
  readonly holders: number
  /** Groups of directories whose members it is given to. */
  readonly groups: readonly string[]
  /** Folders of the archive that are open to who holds it. */
  readonly folders: number
}
const held = ({ holders, groups, folders }: RoleStanding): boolean => holders > 0 || groups.length > 0 || folders > 0

/** Every reason why a role cannot be removed as it stands. */
export function checkRemoval(role: RoleStanding): Reason[] {
  if (NEEDED.has(role.key)) return [{ field: null, code: 'role_needed' }]
  const { holders, groups, folders } = role
  return [
    ...(holders ? [{ field: null, code: 'role_held', data: { count: holders } }] : []),
    ...(groups.length
      ? [{ field: null, code: 'role_of_groups', data: { groups: groups.slice(0, 5).join(', '), count: groups.length } }]
      : []),
    ...(folders ? [{ field: null, code: 'role_of_folders', data: { count: folders } }] : []),
  ]
}

/** Every reason why one role cannot give its place to another. */
export function checkSuccession(
  role: RoleStanding,
  successor: { readonly id: number; readonly key: string } | null,
  id: number,
): Reason[] {
  if (NEEDED.has(role.key)) return [{ field: null, code: 'role_needed' }]
  if (!successor) return [{ field: 'role_id', code: 'role_unknown' }]
  return [
    ...(successor.id === id ? [{ field: 'role_id', code: 'role_itself' }] : []),
    // Who studies or applies holds these by being one, who may do everything by the flag.
    ...(['root', 'super_admin', 'student', 'applicant'].includes(successor.key)
      ? [{ field: 'role_id', code: 'role_no_successor' }]
      : []),
    ...(held(role) ? [] : [{ field: null, code: 'role_not_held' }]),
  ]
}
