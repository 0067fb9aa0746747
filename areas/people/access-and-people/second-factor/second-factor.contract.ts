import { z } from 'zod'
import { call, id, safeText } from '#kit/contract/index.ts'
import { person, signedIn } from '../sign-in/sign-in.contract.ts'

const ticket = z.string().min(1).max(100)
/** Six digits of the app; spaces are for the eye. */
const code = z.string().trim().min(1).max(20)

/** What an authenticator app is told: by the camera, by a tap on the address, or typed. */
const enrolment = z.object({
  /** In base 32, as apps take it. */
  secret: z.string(),
  address: z.string(),
  /** The same as a QR code: its path in a square of `size` by `size`, margin included. */
  qr: z.object({ size: z.int(), path: z.string() }),
})
export type Enrolment = z.output<typeof enrolment>

/** Each is shown once, and works once. */
const recoveryCodes = z.array(z.string())

const role = z.object({ id, name: z.string(), name_local: z.string(), required: z.boolean() })
/** Who holds the role today and may sign in, and what these people have. Whoever has an app and a passkey counts in both. */
const roleWithPeople = role.extend({
  people: z.int(),
  app: z.int(),
  passkey: z.int(),
  /** Have at least one recovery code left. */
  recovery_codes: z.int(),
  /** Sign in with the first factor alone. */
  without: z.int(),
})
export type RoleWithPeople = z.output<typeof roleWithPeople>

export const secondFactorCalls = {
  /** The second step of signing in. The ticket is that of the first one. */
  secondStep: call('POST', '/login/second-factor', {
    permission: 'public',
    summary: ['Finish signing in with a code', 'إتمام تسجيل الدخول برمز التحقق'],
    body: z.union([z.strictObject({ ticket, code }), z.strictObject({ ticket, recovery_code: code })]),
    response: signedIn,
    reads: true,
    inMaintenance: true,
    example: { ticket: 'from-the-first-step', code: '123456' },
  }),
  /** For who must have a second factor and has none: nothing else is open before. */
  enrolAtSignIn: call('POST', '/login/second-factor/setup', {
    permission: 'public',
    summary: ['Begin to set up codes while signing in', 'بدء إعداد رموز التحقق أثناء تسجيل الدخول'],
    body: z.strictObject({ ticket }),
    response: z.object({ data: enrolment }),
    reads: true,
    inMaintenance: true,
    example: { ticket: 'from-the-first-step' },
  }),
  finishAtSignIn: call('POST', '/login/second-factor/confirm', {
    permission: 'public',
    summary: ['Set up codes and finish signing in', 'إتمام إعداد رموز التحقق وتسجيل الدخول'],
    body: z.strictObject({ ticket, code }),
    response: z.object({ data: signedIn.shape.data.extend({ recovery_codes: recoveryCodes }) }),
    reads: true,
    inMaintenance: true,
    example: { ticket: 'from-the-first-step', code: '123456' },
  }),

  secondFactor: call('GET', '/users/second-factor', {
    permission: 'signed_in',
    personal: true,
    summary: ['My second factor', 'خطوة التحقق الثانية لحسابي'],
    response: z.object({
      data: z.object({
        /** Since when a second factor is asked for; null: it is not. */
        since: z.string().nullable(),
        /** An authenticator app is set up. */
        app: z.boolean(),
        passkeys: z.int(),
        recovery_codes_left: z.int(),
        /** A role demands it: it can be changed, and not taken away. */
        required: z.boolean(),
      }),
    }),
  }),
  enrol: call('POST', '/users/second-factor/setup', {
    permission: 'signed_in',
    personal: true,
    confirm: 'second factor',
    summary: ['Begin to set up codes', 'بدء إعداد رموز التحقق'],
    response: z.object({ data: enrolment }),
  }),
  finish: call('POST', '/users/second-factor/confirm', {
    permission: 'signed_in',
    personal: true,
    confirm: 'second factor',
    summary: ['Set up codes: the first code', 'إتمام إعداد رموز التحقق بأول رمز'],
    body: z.strictObject({ code }),
    response: z.object({ data: z.object({ recovery_codes: recoveryCodes }) }),
    example: { code: '123456' },
  }),
  newRecoveryCodes: call('POST', '/users/second-factor/recovery-codes', {
    permission: 'signed_in',
    personal: true,
    confirm: 'second factor',
    summary: ['New recovery codes instead of the old ones', 'رموز استرداد جديدة بدل القديمة'],
    response: z.object({ data: z.object({ recovery_codes: recoveryCodes }) }),
  }),
  dropSecondFactor: call('DELETE', '/users/second-factor', {
    permission: 'signed_in',
    personal: true,
    confirm: 'second factor',
    summary: ['Take the authenticator app off my account', 'إزالة تطبيق المصادقة من حسابي'],
    response: z.object({ data: z.null() }),
  }),

  /** A lost telephone: `reason` says how it was checked who asks. */
  removeSecondFactorOf: call('POST', '/people/{kind}/{id}/second-factor/remove', {
    permission: 'remove_second_factor',
    confirm: 'second factor',
    summary: ['Take away the second factor of a person', 'إلغاء خطوة التحقق الثانية لمستخدم'],
    params: person,
    body: z.strictObject({ reason: safeText(400, 1) }),
    response: z.object({ data: z.null() }),
    example: { reason: 'Came in person with the identity card' },
  }),

  secondFactorRoles: call('GET', '/second-factor/roles', {
    permission: 'require_second_factor',
    summary: [
      'Roles, whether they demand a second factor, and who has one',
      'الأدوار وهل تشترط خطوة تحقق ثانية ومن أعدّها',
    ],
    response: z.object({ data: z.array(roleWithPeople) }),
  }),
  requireSecondFactor: call('PUT', '/second-factor/roles/{id}', {
    permission: 'require_second_factor',
    confirm: 'second factor',
    summary: ['Demand a second factor of a role', 'اشتراط خطوة تحقق ثانية لدور'],
    body: z.strictObject({ required: z.boolean() }),
    response: z.object({ data: role }),
    example: { required: false },
  }),
}
