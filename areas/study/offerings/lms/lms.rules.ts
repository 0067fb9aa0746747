/** Who sits in a course here, and who there: pure, so that it is the same whichever platform it is. */

export type Role = 'student' | 'teacher'
/** Who belongs in a course. `key`: ours, for ever the same. */
export interface Belonging {
  readonly key: string
  readonly email: string
  readonly role: Role
}
/** Somebody in a course there. `key`: as we gave it; empty where the account was made by others. */
export interface CourseMember {
  readonly id: string
  readonly key: string
  readonly email: string
  readonly roles: readonly Role[]
}
export interface LmsMove {
  readonly id: string
  readonly role: Role
}

/**
 * Whom to take into a course, and whom out of it. `accounts`: of who belongs there, by key. Whoever the platform has from
 * elsewhere stays: a guest is nobody's business here. `ours`: addresses of people of this university.
 */
export function membersToMove(
  wanted: readonly Belonging[],
  accounts: ReadonlyMap<string, string>,
  members: readonly CourseMember[],
  ours: ReadonlySet<string>,
): { readonly enrol: readonly LmsMove[]; readonly remove: readonly LmsMove[] } {
  const has = new Map(members.map((member) => [member.id, new Set(member.roles)]))
  const due = new Map<string, Role>()
  for (const { key, role } of wanted) {
    const id = accounts.get(key)
    if (id !== undefined && due.get(id) !== 'teacher') due.set(id, role)
  }
  const enrol = [...due].flatMap(([id, role]) => (has.get(id)?.has(role) ? [] : [{ id, role }]))
  const remove = members.flatMap(({ id, key, email, roles }) =>
    isOurs(key) || ours.has(email) ? roles.filter((role) => due.get(id) !== role).map((role) => ({ id, role })) : [],
  )
  return { enrol, remove }
}

const isOurs = (key: string): boolean => /^(?:student|instructor):/.test(key)

/** A name in two parts, as platforms have them: the last word is the family name. */
export function nameInTwo(name: string): { readonly first: string; readonly last: string } {
  const words = name.trim().split(/\s+/)
  return words.length > 1
    ? { first: words.slice(0, -1).join(' '), last: words.at(-1)! }
    : { first: words[0] || '–', last: '–' }
}
