import { z } from 'zod'
import { BONDS, UNITS } from '#access/reach.contract.ts'
import type { Kind } from '#access/reach.contract.ts'
import type { Reach } from '#access/seeded.contract.ts'
import { call, date, id, listOf, listQuery, ref, safeText } from '#kit/contract/index.ts'

const REACHES = ['scope', ...BONDS] as const satisfies readonly Reach[]

/** Kinds of units a right can be limited to. */
export const PLACES = [
  { value: 'faculty', label: ['Faculty', 'الكلية'] },
  { value: 'department', label: ['Department', 'القسم'] },
  { value: 'bylaw', label: ['Bylaw', 'اللائحة'] },
  { value: 'program', label: ['Program', 'البرنامج'] },
] as const
/** How far a right of a role reaches, in words. */
export const REACH_WORDS = [
  { value: 'scope', label: ['Everywhere in the part given', 'في كامل النطاق الممنوح'] },
  { value: 'own', label: ['The own record', 'سجل صاحب الصلاحية فقط'] },
  { value: 'taught', label: ['What one teaches', 'ما يدرّسه'] },
  { value: 'advised', label: ['Whom one advises', 'من يرشدهم'] },
  { value: 'supervised', label: ['Theses of one’s teams', 'الرسائل التي يشارك فيها'] },
] as const
/** Kinds of reach, in words: what a right knows. */
export const KIND_WORDS = [
  { value: 'university', label: ['all of the university', 'الجامعة كلها'] },
  { value: 'part', label: ['a part of the university', 'نطاق من الجامعة'] },
  { value: 'own', label: ['the own record', 'سجل صاحب الصلاحية'] },
  { value: 'taught', label: ['what one teaches', 'ما يدرّسه'] },
  { value: 'advised', label: ['whom one advises', 'من يرشدهم'] },
  { value: 'supervised', label: ['theses of one’s teams', 'الرسائل التي يشارك فيها'] },
] as const satisfies readonly { readonly value: Kind; readonly label: readonly [string, string] }[]
/** By what somebody holds a right. */
export const GRANT_WAYS = [
  { value: 'role', label: ['By a role', 'عن طريق دور'] },
  { value: 'entry', label: ['By an access entry', 'عن طريق صلاحية ضمن نطاق'] },
  { value: 'direct', label: ['Given directly', 'صلاحية مباشرة'] },
  { value: 'kind', label: ['As a student or applicant', 'بصفته طالبًا أو متقدمًا'] },
  { value: 'super', label: ['May do everything', 'يملك كل الصلاحيات'] },
] as const

const permission = z.string().min(1).max(100)
const place = z.strictObject({ type: z.enum(UNITS), id })
const named = place.extend({ name: z.string(), name_local: z.string() })
const days = { valid_from: date.nullish(), valid_to: date.nullish() }
const answered = { valid_from: z.string().nullable(), valid_to: z.string().nullable() }
const given = { since: z.string(), by: ref.nullable() }

const assignment = z.object({ id, role: ref, scope: named.nullable(), ...answered, ...given })
const entry = z.object({ id, permission, scope: named, ...answered, ...given })
const direct = z.object({ id, permission, ...given })
/** What a person is given: roles, access entries and single rights, as far as they are not over. */
const access = z.object({
  user: ref.extend({ type: z.int(), email: z.string().nullable(), is_super_admin: z.boolean(), is_root: z.boolean() }),
  roles: z.array(assignment),
  access_entries: z.array(entry),
  permissions: z.array(direct),
  /** Goes back with a change: what was seen when it was made. */
  seen: z.string(),
})
export type PersonAccess = z.output<typeof access>

/** A right of a person and by what it is held. */
const path = z.object({
  way: z.enum(['role', 'kind', 'entry', 'direct', 'super']),
  /** Whose right it is where the person holds it by standing in. */
  stands_in_for: ref.nullable(),
  role: ref.nullable(),
  reach: z.enum(REACHES),
  scope: named.nullable(),
  ...answered,
  ...given,
  /** In force today. */
  in_force: z.boolean(),
  /** Reaches what was asked about; null: nothing was named. */
  reaches: z.boolean().nullable(),
})
export type RightsPath = z.output<typeof path>

/** Records about which can be asked why somebody sees them. */
export const ASKED_RECORDS = [
  { value: 'student', label: ['Student', 'الطالب'] },
  { value: 'instructor', label: ['Instructor', 'عضو هيئة التدريس'] },
  { value: 'offering', label: ['Offering', 'المقرر المطروح'] },
  { value: 'program', label: ['Program', 'البرنامج'] },
] as const

const holder = path.extend({ id: z.int(), user: ref.extend({ type: z.int() }) })
export type RightHolder = z.output<typeof holder>

const change = z.object({
  at: z.string(),
  by: ref.nullable(),
  as: ref.nullable(),
  change: z.enum(['insert', 'update', 'delete']),
  what: z.string(),
  role: ref.nullable(),
  permission: z.string().nullable(),
  scope: named.nullable(),
  ...answered,
  reason: z.string().nullable(),
  everything: z.boolean().nullable(),
})
export type AccessChange = z.output<typeof change>

const reason = safeText(400).nullish()
const saved = z.object({ data: access })

/** So many of the latest changes to the rights of a person are shown. */
export const MOST_CHANGES = 200

export const rightsCalls = {
  getAccess: call('GET', '/users/access/{id}', {
    permission: 'user_access_users',
    summary: ['What a person is given: roles, access entries, single rights', 'ما مُنح للمستخدم من أدوار وصلاحيات'],
    response: z.object({
      data: access,
      meta: z.object({
        /** Roles that can be given, with their rights: how far each reaches. */
        roles: z.array(ref.extend({ key: z.string(), rights: z.record(z.string(), z.enum(REACHES)) })),
        /** The parts of the university, and in what each lies, itself included. */
        units: z.array(named.extend({ lies_in: z.array(place) })),
        today: z.string(),
        may: z.object({ assign_super_admin: z.boolean() }),
      }),
    }),
  }),
  /** Everything at once: what is left out stays, what is sent replaces what is there. */
  setAccess: call('PUT', '/users/set/access/{id}', {
    permission: 'user_access_users',
    summary: ['Set what a person is given', 'ضبط ما يُمنح للمستخدم من أدوار وصلاحيات'],
    body: z.strictObject({
      roles: z
        .array(z.strictObject({ id: id.optional(), role_id: id, scope: place.nullish(), ...days }))
        .max(100)
        .optional(),
      access_entries: z
        .array(z.strictObject({ id: id.optional(), permission, scope: place, ...days }))
        .max(500)
        .optional(),
      permissions: z.array(permission).max(500).optional(),
      is_super_admin: z.boolean().optional(),
      reason,
      /** Of `GET /users/access/{id}`: refused when somebody has changed it since. */
      seen: z.string().max(100).optional(),
    }),
    response: saved,
    confirm: 'password',
    example: { permissions: ['show_course'], reason: 'Prepares the course catalogue' },
  }),
  addAccess: call('POST', '/users/access/{id}', {
    permission: 'user_access_users',
    summary: ['Give a person rights within a part of the university, for a time', 'منح المستخدم صلاحيات ضمن نطاق ولمدة'],
    body: z.strictObject({
      permissions: z.array(permission).min(1).max(100),
      scope: place,
      ...days,
      reason,
    }),
    response: saved,
    confirm: 'password',
    example: {
      permissions: ['access_course', 'show_course'],
      scope: { type: 'faculty', id: 1 },
      valid_to: '2099-06-30',
      reason: 'Prepares the course catalogue of the faculty',
    },
  }),
  resetAccess: call('DELETE', '/users/access/{id}', {
    permission: 'user_access_users',
    summary: ['Take all access entries and single rights of a person', 'إعادة ضبط صلاحيات المستخدم الخاصة'],
    response: saved,
    confirm: 'password',
  }),
  accessHistory: call('POST', '/users/access/{id}/history', {
    permission: 'user_access_users',
    summary: ['Who gave and took what of a person', 'سجل منح صلاحيات المستخدم وسحبها'],
    body: z.strictObject({}),
    response: z.object({ data: z.array(change) }),
    reads: true,
  }),
  why: call('POST', '/rights/why/{id}', {
    permission: 'user_access_users',
    summary: ['Why a person may do this', 'لماذا يملك المستخدم هذه الصلاحية'],
    body: z.strictObject({
      permission,
      record: z.strictObject({ type: z.enum(['student', 'instructor', 'offering', 'program']), id }).optional(),
    }),
    response: z.object({
      data: z.array(path),
      meta: z.object({ user: ref, record: ref.nullable(), blocked: z.boolean() }),
    }),
    reads: true,
    example: { permission: 'show_students' },
  }),
  who: call('POST', '/rights/who', {
    permission: 'user_access_users',
    summary: ['Who may do this here', 'من يملك هذه الصلاحية هنا'],
    /** `filters.permission` names the right; without it nobody is listed. */
    body: listQuery,
    response: listOf(holder),
    reads: true,
    example: { filters: { permission: 'show_students' } },
  }),
}
