/** Who may be put together as a family. */
import type { Reason } from '#kit/contract/issues.ts'

/** A student who shall be of a family, as the database has the student. */
export interface FamilyMember {
  readonly student_id: number
  /** How a refusal names the student. */
  readonly name: string
  readonly name_local: string
  readonly status: string
  /** Was of the family before: who has left the university since stays in it. */
  readonly before: boolean
  /** Another family in force that the student is of; null: none. */
  readonly other: string | null
  /** The student is who makes the family. */
  readonly own: boolean
  /** The account, where there is one: two records of one person are no siblings. */
  readonly user_id: number | null
}

/** Why students cannot be a family: all of it. Fields are the places in the list. */
export function checkFamily(members: readonly FamilyMember[]): Reason[] {
  const reasons: Reason[] = []
  if (new Set(members.map((one) => one.student_id)).size < 2) reasons.push({ field: 'members', code: 'family_of_one' })
  const seen = new Set<number>()
  const people = new Set<number>()
  for (const [i, one] of members.entries()) {
    const say = (code: string, more: object = {}) =>
      reasons.push({
        field: `members.${i}.student_id`,
        code,
        data: { student: one.name, student_local: one.name_local, ...more },
      })
    if (seen.has(one.student_id)) say('family_member_once')
    else if (one.user_id !== null && people.has(one.user_id)) say('family_same_person')
    seen.add(one.student_id)
    if (one.user_id !== null) people.add(one.user_id)
    if (one.own) say('family_own')
    if (!one.before && one.status !== 'studying') say('family_not_studying')
    if (one.other !== null) say('family_member_twice', { family: one.other })
  }
  return reasons
}
