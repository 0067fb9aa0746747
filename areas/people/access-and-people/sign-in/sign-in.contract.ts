import { z } from 'zod'
import { ownRecord } from '../own-records/own-records.contract.ts'
import { LANGUAGES, call, f, id, idParam, ref } from '#kit/contract/index.ts'

/** Types of users, as stored and sent. */
export const USER_TYPES = [
  { value: 1, label: ['Instructor', 'عضو هيئة تدريس'] },
  { value: 2, label: ['Employee', 'موظف'] },
  { value: 3, label: ['Student', 'طالب'] },
  { value: 4, label: ['Applicant', 'متقدم'] },
] as const
const userType = z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4)])

/** The signed-in person, as screens need it. */
export const currentUser = z.object({
  id,
  type: userType,
  name: z.string(),
  name_local: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  language: z.enum(['ar', 'en', 'de', 'fr', 'pt']).nullable(),
  /** Whether Hijri dates stand beside the others; null: as the university shows them. */
  show_hijri: z.boolean().nullable(),
  /** Address of the photo for this reader. */
  photo: z.string().nullable(),
  is_super_admin: z.boolean(),
  is_root: z.boolean(),
  student_id: z.int().nullable(),
  instructor_id: z.int().nullable(),
  last_login_at: z.string().nullable(),
})

const email = z.string().trim().min(1).max(200)
const password = z.string().min(1).max(200)
const token = z.string().min(1).max(100)
export const signedIn = z.object({ data: z.object({ token: z.string(), user: currentUser }) })

/** Who it is was shown by a first factor only: the ticket leads to the next step, for some minutes. */
const nextStep = z.object({
  data: z.object({
    second_factor: z.object({
      ticket: z.string(),
      /** `prove`: a second factor is asked for. `enrol`: one is to be set up first, because a role demands it. */
      step: z.enum(['prove', 'enrol']),
      /** What can be shown, or set up; recovery codes besides. */
      ways: z.array(z.enum(['passkey', 'code'])),
      expires_at: z.string(),
    }),
  }),
})
export const firstStep = z.union([signedIn, nextStep])
export type FirstStep = z.output<typeof firstStep>

/** Signs in. The answer's token is for programs; browsers get it as a cookie that scripts cannot read. */
export const login = call('POST', '/login', {
  permission: 'public',
  summary: ['Sign in with e-mail and password', 'تسجيل الدخول بالبريد وكلمة المرور'],
  body: z.strictObject({
    email,
    password,
    /** The entry of the sign-in page that was used; another type's account is not let in there. */
    type: userType.optional(),
  }),
  response: firstStep,
  reads: true,
  inMaintenance: true,
  example: { email: 'registrar@university.example', password: 'three quiet rivers' },
})

export const loginWithToken = call('POST', '/login-with-token', {
  permission: 'public',
  summary: ['Sign in with a one-time token', 'تسجيل الدخول برمز لمرة واحدة'],
  body: z.strictObject({ token }),
  response: firstStep,
  reads: true,
  inMaintenance: true,
})

/** Ends the session. Out of a session as another person it leads back into one's own. */
export const logout = call('POST', '/users/logout', {
  permission: 'public',
  summary: ['Sign out', 'تسجيل الخروج'],
  response: z.object({
    data: z.object({ token: z.string(), user: currentUser }).nullable(),
    /** Where the browser goes to end the session at the provider of single sign-on as well. */
    meta: z.object({ url: z.string() }).optional(),
  }),
  reads: true,
  inMaintenance: true,
})

/** With `change` what the person may change can be changed, which needs `change_as_other`; else all is only read. */
const change = z.boolean().optional()
const impersonation = { response: signedIn, reads: true, confirm: 'password' } as const
export const loginAsUser = call('POST', '/login-as-user', {
  permission: 'login_as_user',
  summary: ['Log in as another user', 'الدخول كمستخدم آخر'],
  /** The account, or the instructor whose account it is. */
  body: z.union([z.strictObject({ user_id: id, change }), z.strictObject({ instructor_id: id, change })]),
  ...impersonation,
})
export const loginAsStudent = call('POST', '/login-as-student', {
  permission: 'login_as_student',
  summary: ['Log in as a student', 'الدخول كطالب'],
  body: z.strictObject({ student_id: id, change }),
  ...impersonation,
})

/** Where the person is led once after signing in, before going on to where he or she was going. */
export const first = call('GET', '/users/first', {
  permission: 'signed_in',
  summary: ['What waits for the person before everything else', 'ما يُطلب من المستخدم قبل غيره'],
  response: z.object({ data: z.object({ address: z.string().nullable() }) }),
})

/** What the shell asks every three minutes. Asking is no sign of life: the session may end meanwhile. */
export const liveData = call('GET', '/users/live-data', {
  permission: 'signed_in',
  summary: [
    'What the shell shows: person, rights, unread notifications',
    'بيانات الواجهة: المستخدم والصلاحيات والإشعارات غير المقروءة',
  ],
  response: z.object({
    data: z.object({
      user: currentUser,
      /** Keys held, whatever their reach. */
      permissions: z.array(z.string()),
      /** Conversations with something unread, without muted ones; none for somebody who is logged in as the person. */
      chat_notification_count: z.int(),
      /** Unread notifications. */
      notification_count: z.int(),
      /** For the banner: who is logged in as this person, and whether anything may be changed. */
      impersonation: z
        .object({
          by: ref,
          read_only: z.boolean(),
          /** Last day on which somebody acts for this person by a delegation; null: logged in as the person. */
          until: z.string().nullable(),
        })
        .nullable(),
      read_only: z.boolean(),
      /** Records of a student among which the person may choose; empty where there are not several. */
      records: z.array(ownRecord),
    }),
  }),
})

const scope = z.object({ type: z.string(), id, name: z.string(), name_local: z.string() }).nullable()
const named = z.object({ key: z.string(), name: z.string(), name_local: z.string() })

export const profile = call('GET', '/users/profile', {
  permission: 'signed_in',
  summary: ['Own profile', 'الملف الشخصي'],
  response: z.object({
    data: currentUser.extend({
      roles: z.array(
        z.object({
          name: z.string(),
          name_local: z.string(),
          /** Name of the part of the university for which the role was given; null: all of it. */
          scope,
          valid_to: z.string().nullable(),
        }),
      ),
      /** Rights by roles, given directly, and by access entries; each with its names. */
      role_permissions: z.array(named),
      direct_permissions: z.array(named),
      user_access_permissions: z.array(named),
      access_entries: z.array(
        named.extend({ scope, valid_from: z.string().nullable(), valid_to: z.string().nullable() }),
      ),
    }),
  }),
})

/** What people change of themselves. The name is that of the record, on papers too: whoever keeps the record changes it. */
export const updateProfile = call('PUT', '/users/profile', {
  permission: 'signed_in',
  personal: true,
  summary: ['Change the own telephone, language and calendar', 'تعديل هاتفي ولغتي وتقويمي'],
  body: z.strictObject({
    phone: f.phone(['Phone', 'الهاتف']).schema.nullish() as z.ZodType<string | null | undefined>,
    language: z.enum(LANGUAGES).nullish(),
    show_hijri: z.boolean().nullish(),
  }),
  response: z.object({ data: currentUser }),
  example: { phone: '01001234567' },
})

/** The photo of an account: the own one, or that of a person within reach of `edit_photo`. */
export const updatePhoto = call('POST', '/archive/update/profile/{id}', {
  permission: 'signed_in',
  personal: true,
  summary: ['Change a photo', 'تغيير الصورة'],
  upload: { field: 'photo', accept: ['jpg', 'png'], maxMB: 3 },
  response: z.object({ data: currentUser }),
})

const session = z.object({
  id: z.uuid(),
  current: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string(),
  expires_at: z.string(),
  ip: z.string().nullable(),
  user_agent: z.string().nullable(),
  impersonator: z.string().nullable(),
  /** How the person came in, and what was shown besides. */
  signed_in_by: z.enum(['password', 'link', 'provider', 'passkey']).nullable(),
  second_factor: z.enum(['code', 'recovery_code', 'passkey']).nullable(),
})

export const listSessions = call('GET', '/users/sessions', {
  permission: 'signed_in',
  summary: ['Own open sessions', 'جلساتي المفتوحة'],
  response: z.object({ data: z.array(session) }),
  personal: true,
})

export const endSession = call('DELETE', '/users/sessions/{session_id}', {
  permission: 'signed_in',
  summary: ['End one of the own sessions', 'إنهاء إحدى جلساتي'],
  params: z.object({ session_id: z.uuid() }),
  response: z.object({ id: z.uuid() }),
  personal: true,
})

/** A person by the record that people know: a student, an instructor, or the account itself. */
export const person = z.object({ kind: z.enum(['user', 'student', 'instructor']), id: idParam })

/** The photo of a person whose record the reader may open. */
export const photoOf = call('GET', '/people/{kind}/{id}/photo', {
  permission: ['access_users', 'show_employee', 'show_instructor', 'show_students'],
  summary: ['Photo of a person', 'صورة شخص'],
  params: person,
  response: z.object({
    data: z.object({
      /** The account, which has the photo; null: none yet. */
      user_id: id.nullable(),
      photo: z.string().nullable(),
      may_change: z.boolean(),
    }),
  }),
})

export const listSessionsOf = call('GET', '/people/{kind}/{id}/sessions', {
  permission: 'end_sessions',
  summary: ['Open sessions of a person', 'الجلسات المفتوحة لمستخدم'],
  params: person,
  response: z.object({ data: z.array(session) }),
})

/** Signs a person out everywhere, also those who are logged in as the person. */
export const endSessionsOf = call('DELETE', '/people/{kind}/{id}/sessions', {
  permission: 'end_sessions',
  summary: ['End all sessions of a person', 'إنهاء جميع جلسات مستخدم'],
  params: person,
  response: z.object({ ended: z.int() }),
  confirm: 'password',
})

/** Sends a person the link by which the first password is set; who has a record and no account yet gets one. */
export const invite = call('POST', '/people/{kind}/{id}/invite', {
  permission: 'invite_person',
  summary: ['Invite a person to sign in', 'دعوة شخص لتسجيل الدخول'],
  params: person,
  response: z.object({ data: z.object({ user_id: id }) }),
})

/** By what who sits there can prove it again, for calls that answer `password_again` or `second_factor_again`. */
export const proofWays = call('GET', '/users/confirm-password', {
  permission: 'signed_in',
  summary: ['How I can confirm who I am', 'طرق تأكيد هويتي'],
  /** `second`: for calls that answer `second_factor_again`. */
  query: z.strictObject({ second: z.enum(['true', 'false']).optional() }),
  response: z.object({ data: z.array(z.enum(['passkey', 'password', 'password_and_code', 'code'])) }),
})

/** Proves again who sits there. `code`: of the authenticator app, or a recovery code. */
export const confirmPassword = call('POST', '/users/confirm-password', {
  permission: 'signed_in',
  summary: ['Confirm with the own password or a code', 'التأكيد بكلمة المرور أو برمز'],
  body: z.union([
    z.strictObject({ password, code: z.string().trim().min(1).max(20).optional() }),
    z.strictObject({ code: z.string().trim().min(1).max(20) }),
  ]),
  response: z.object({ data: z.null() }),
  reads: true,
  example: { password: 'three quiet rivers' },
})

/**
 * Four steps of one thing. `{email}`: a link is sent when there is such an account; the answer is the same when not.
 * `{token, password}`: the new password, with the token of the link. `{current_password, password}`: own change.
 * `{user_id}`: staff (`reset_password`) have the link sent to a person.
 */
export const resetPassword = call('POST', '/users/reset-password', {
  permission: 'public',
  summary: ['Forgotten, new and changed passwords', 'كلمات المرور المنسية والجديدة'],
  body: z.union([
    z.strictObject({ email }),
    z.strictObject({ token, password }),
    z.strictObject({ current_password: password, password }),
    z.strictObject({ user_id: id }),
  ]),
  response: z.object({ data: z.object({ step: z.enum(['sent', 'changed']) }) }),
  // Another person's password; the own one is given anyway.
  confirm: (body) => 'user_id' in body,
  example: { email: 'registrar@university.example' },
})
