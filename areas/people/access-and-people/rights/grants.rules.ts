/** What rights amount to, and what a change of them gives or takes. The server decides by it, the browser shows it before. */
import type { Reason } from '#kit/contract/issues.ts'
import { counting, kindsKnown } from '#access/permissions.contract.ts'
import { kindOf } from '#access/reach.contract.ts'
import type { Kind, Unit } from '#access/reach.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { KIND_WORDS } from './rights.contract.ts'

/** A part of the university. */
export interface GrantPlace {
  readonly type: Unit
  readonly id: number
}
/** One right, how far it reaches, and for which days (both included; null: without limit). */
export interface Grant {
  readonly permission: string
  readonly reach: Reach
  /** null: all of the university. */
  readonly scope: GrantPlace | null
  readonly valid_from: string | null
  readonly valid_to: string | null
}
/** For which part and days somebody is given something. */
type Given = Pick<Grant, 'scope' | 'valid_from' | 'valid_to'>

/** What a person is given, as it is stored. */
export interface HeldGrant {
  readonly roles: readonly (Given & { readonly role_id: number })[]
  readonly access_entries: readonly (Given & { readonly permission: string })[]
  /** Single rights for all of the university. */
  readonly permissions: readonly string[]
}
/** The rights of roles, by id. */
export type RoleRights = ReadonlyMap<number, readonly { readonly permission: string; readonly reach: Reach }[]>
/** The parts in which a part lies, itself included. */
export type Within = (place: GrantPlace) => readonly GrantPlace[]

/** The right that lets somebody manage the rights of others. */
const MANAGES = 'user_access_users'
/** Whoever holds it makes others hold everything. */
const MAKES_SUPER = 'assign_super_admin'

/** What counts of a right as it is given: nothing where it does not know that reach. */
export function counted(grants: readonly Grant[]): Grant[] {
  return grants.flatMap((grant) => {
    const kind = counting(grant.permission, kindOf(grant.reach, grant.scope !== null))
    if (kind === null) return []
    return kind === 'university' || kind === 'part' ? grant : { ...grant, reach: kind, scope: null }
  })
}

/** What is given somewhere: a right, and by what kind of reach. */
interface Line {
  readonly field: string
  readonly permission: string
  readonly kind: Kind
}
/** Every line that gives a right by a reach which it does not know, whatever it is written into. Rights that are not there are another's matter. */
export const checkReaches = (lines: readonly Line[], nameOf: Judged['nameOf']): Reason[] =>
  lines.flatMap(({ field, permission, kind }) => {
    const known = kindsKnown(permission)
    if (!known.size || known.has(kind)) return []
    const [right, right_local] = nameOf(permission)
    const words = KIND_WORDS.filter(({ value }) => known.has(value)).map(({ label }) => label)
    return {
      field,
      code: 'right_reach_unknown',
      data: {
        right,
        right_local,
        key: permission,
        known: words.map(([en]) => en).join(', '),
        known_local: words.map(([, ar]) => ar).join('، '),
      },
    }
  })

/** Every right that follows from what somebody is given. */
export const grantsOf = (held: HeldGrant, rights: RoleRights): Grant[] =>
  counted([
    ...held.roles.flatMap(({ role_id, scope, valid_from, valid_to }) =>
      (rights.get(role_id) ?? []).map(({ permission, reach }) => ({
        permission,
        reach,
        scope: reach === 'scope' ? scope : null,
        valid_from,
        valid_to,
      })),
    ),
    ...held.access_entries.map(({ permission, scope, valid_from, valid_to }) => ({
      permission,
      reach: 'scope' as const,
      scope,
      valid_from,
      valid_to,
    })),
    ...held.permissions.map((permission) => ({
      permission,
      reach: 'scope' as const,
      scope: null,
      valid_from: null,
      valid_to: null,
    })),
  ])
/** What a role gives to whom it is assigned without a part and without end. */
export const rightsOfRole = (lines: RoleRights extends ReadonlyMap<number, infer L> ? L : never): Grant[] =>
  counted(lines.map(({ permission, reach }) => ({ permission, reach, scope: null, valid_from: null, valid_to: null })))

/** Whether one right reaches all that another one reaches. */
function reaches(one: Grant, other: Grant, within: Within): boolean {
  if (one.reach === 'scope' && one.scope === null) return true
  if (one.reach !== 'scope' || other.reach !== 'scope') return one.reach === other.reach && one.reach !== 'scope'
  const { scope } = one
  return (
    other.scope !== null && within(other.scope).some((place) => place.type === scope!.type && place.id === scope!.id)
  )
}
const spans = (one: Grant, other: Grant): boolean =>
  (one.valid_from === null || (other.valid_from !== null && one.valid_from <= other.valid_from)) &&
  (one.valid_to === null || (other.valid_to !== null && one.valid_to >= other.valid_to))

const byPermission = (grants: readonly Grant[]): Map<string, Grant[]> => {
  const out = new Map<string, Grant[]>()
  for (const grant of grants) {
    const known = out.get(grant.permission)
    if (known) known.push(grant)
    else out.set(grant.permission, [grant])
  }
  return out
}
const keyOf = ({ permission, reach, scope, valid_from, valid_to }: Grant): string =>
  [permission, reach, scope?.type, scope?.id, valid_from, valid_to].join(' ')
/** Rights of `some` that no right of `others` contains, each once. */
function beyond(some: readonly Grant[], others: readonly Grant[], within: Within): Grant[] {
  const known = byPermission(others)
  const seen = new Set<string>()
  return some.filter((grant) => {
    const key = keyOf(grant)
    if (seen.has(key)) return false
    seen.add(key)
    return !known.get(grant.permission)?.some((one) => reaches(one, grant, within) && spans(one, grant))
  })
}

export interface GrantDifference {
  /** Rights held after and not before: further, or for longer. */
  readonly gained: readonly Grant[]
  readonly lost: readonly Grant[]
}
/** What changes between two states of the rights of a person, or of a role. */
export const grantDifferenceOf = (
  before: readonly Grant[],
  after: readonly Grant[],
  within: Within,
): GrantDifference => ({
  gained: beyond(after, before, within),
  lost: beyond(before, after, within),
})

const isInForce = ({ valid_from, valid_to }: Given, today: string): boolean =>
  (valid_from === null || valid_from <= today) && (valid_to === null || valid_to >= today)

/** Whoever changes rights. */
export interface Giver {
  readonly id: number
  /** Super admin or root. */
  readonly everything: boolean
  readonly grants: readonly Grant[]
}
/** Rights among `some` that the giver cannot give or take, by whatever reach: not held today, not as far, or not for as long. */
export function notTheirs(giver: Giver, some: readonly Grant[], within: Within, today: string): Grant[] {
  if (giver.everything) return []
  // Held today: for whatever begins earlier or later, only the end counts.
  const mine = giver.grants.filter((grant) => isInForce(grant, today)).map((grant) => ({ ...grant, valid_from: null }))
  return beyond(some, mine, within)
}

/**
 * Every reason why nobody may have made this change of what he or she holds, by whichever door: a role that one holds, a group, an
 * entry, a right of one's own.
 */
export function checkOwn({
  everything,
  before,
  after,
  within,
  today,
  nameOf,
}: {
  /** May do everything, before and after. */
  readonly everything: readonly [before: boolean, after: boolean]
  readonly before: readonly Grant[]
  readonly after: readonly Grant[]
  readonly within: Within
  readonly today: string
  readonly nameOf: (key: string) => readonly [en: string, ar: string]
}): Reason[] {
  const reasons: Reason[] = []
  const { gained } = grantDifferenceOf(before, after, within)
  if (!everything[0] && gained.length)
    reasons.push({ field: null, code: 'own_rights_grow', data: named(gained, nameOf) })
  if ((everything[0] || managesRights(before, today)) && !everything[1] && !managesRights(after, today))
    reasons.push({ field: null, code: 'own_last_right' })
  return reasons
}

/** Names of rights, for a refusal: the first of them and how many more. */
function named(grants: readonly Grant[], nameOf: (key: string) => readonly [string, string]) {
  const keys = [...new Set(grants.map((one) => one.permission))]
  const more = keys.length > 3 ? ` +${keys.length - 3}` : ''
  const list = (side: 0 | 1) =>
    `${keys
      .slice(0, 3)
      .map((key) => nameOf(key)[side])
      .join(side ? '، ' : ', ')}${more}`
  return { rights: list(0), rights_local: list(1), count: keys.length }
}

/** What judges a change of what is given: of a person or, as a whole, of a role. */
interface Judged {
  readonly giver: Giver
  readonly difference: GrantDifference
  readonly within: Within
  readonly today: string
  readonly nameOf: (key: string) => readonly [en: string, ar: string]
}
/** Every reason why the giver may not make this change, whoever it is about. */
export function checkGiving({ giver, difference, within, today, nameOf }: Judged): Reason[] {
  const reasons: Reason[] = []
  const given = notTheirs(giver, difference.gained, within, today)
  if (given.some((one) => one.permission === MAKES_SUPER))
    reasons.push({ field: null, code: 'assignSuperAdminUnauthorized' })
  const other = given.filter((one) => one.permission !== MAKES_SUPER)
  if (other.length) reasons.push({ field: null, code: 'right_not_held', data: named(other, nameOf) })
  const taken = notTheirs(giver, difference.lost, within, today)
  if (taken.length) reasons.push({ field: null, code: 'right_not_yours_to_take', data: named(taken, nameOf) })
  return reasons
}

export const managesRights = (grants: readonly Grant[], today: string): boolean =>
  grants.some((grant) => grant.permission === MANAGES && isInForce(grant, today))

/** What is wrong with the days of a right: the same while they are typed and when they are saved. */
export function wrongDays(
  { valid_from, valid_to }: { readonly valid_from: string | null; readonly valid_to: string | null },
  today: string,
): 'access_backwards' | 'access_over' | null {
  if (valid_to === null) return null
  if (valid_from !== null && valid_to < valid_from) return 'access_backwards'
  return valid_to < today ? 'access_over' : null
}

/** Every reason why what a person is given cannot become `after`. */
export function checkAccess(
  judged: Judged & {
    readonly person: {
      readonly id: number
      readonly staff: boolean
      /** May do everything, before and after. */
      readonly everything: readonly [before: boolean, after: boolean]
    }
    readonly before: readonly Grant[]
    readonly after: readonly Grant[]
    readonly held: HeldGrant
    /** What was there before and stays as it is: not judged by its days again. */
    readonly kept: (one: Given) => boolean
  },
): Reason[] {
  const { giver, difference, person, today, held } = judged
  const reasons: Reason[] = []
  const own = giver.id === person.id
  if (!giver.everything && (person.everything[0] || person.everything[1]))
    return [{ field: null, code: person.everything[0] ? 'person_has_more_rights' : 'assignSuperAdminUnauthorized' }]
  if (!person.staff && (difference.gained.length || person.everything[1]))
    reasons.push({ field: null, code: 'access_not_staff' })
  if (own)
    reasons.push(...checkOwn({ ...judged, everything: [giver.everything, giver.everything && person.everything[1]] }))
  for (const part of ['roles', 'access_entries'] as const) {
    const seen = new Set<string>()
    for (const [i, one] of held[part].entries()) {
      const at = `${part}.${i}`
      const code = wrongDays(one, today)
      if (code === 'access_backwards' || (code && !judged.kept(one))) reasons.push({ field: `${at}.valid_to`, code })
      const what = 'role_id' in one ? one.role_id : one.permission
      const key = [what, one.scope?.type, one.scope?.id, one.valid_from].join(' ')
      if (seen.has(key)) reasons.push({ field: at, code: 'access_twice' })
      seen.add(key)
    }
  }
  return [...reasons, ...checkGiving(judged)]
}
