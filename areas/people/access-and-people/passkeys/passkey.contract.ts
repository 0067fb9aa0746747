import { z } from 'zod'
import { call, id, safeText } from '#kit/contract/index.ts'
import type { ErrorTexts } from '#kit/contract/index.ts'
import { signedIn } from '../sign-in/sign-in.contract.ts'

/** Most passkeys of one person. */
export const MOST_PASSKEYS = 20

const ticket = z.string().min(1).max(100)
/** Bytes, as they travel in JSON: base64url. */
const bytes = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .regex(/^[A-Za-z0-9_-]+$/)
const name = safeText(60, 1)

/** What the browser's library sends of a device's answer; what the program does not use is not kept. */
const answered = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal('public-key'),
  clientExtensionResults: z.record(z.string().max(60), z.unknown()).optional(),
  authenticatorAttachment: z.string().max(40).nullish(),
}
/** A device has signed a challenge. */
const assertion = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: bytes(8000),
    authenticatorData: bytes(8000),
    signature: bytes(8000),
    userHandle: bytes(200).nullish(),
  }),
})
export type Assertion = z.output<typeof assertion>
/** A device has made a key. */
const attestation = z.object({
  ...answered,
  response: z.object({
    clientDataJSON: bytes(8000),
    attestationObject: bytes(40_000),
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
})
export type Attestation = z.output<typeof attestation>

const known = z.array(z.object({ id: z.string(), type: z.literal('public-key'), transports: z.array(z.string()) }))
/** What the browser asks a device to sign: `PublicKeyCredentialRequestOptionsJSON`. */
const asked = z.object({
  data: z.object({
    challenge: z.string(),
    rpId: z.string(),
    timeout: z.int(),
    userVerification: z.literal('required'),
    /** Left out: whichever passkey of this site the person chooses. */
    allowCredentials: known.optional(),
  }),
})
export type Asked = z.output<typeof asked>
/** What the browser asks a device to make: `PublicKeyCredentialCreationOptionsJSON`. */
const offered = z.object({
  data: z.object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    /** The id is a digest: a device tells nobody who it is. */
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    timeout: z.int(),
    attestation: z.literal('none'),
    excludeCredentials: known,
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
  }),
})
export type PasskeyOffer = z.output<typeof offered>

const passkey = z.object({
  id,
  name: z.string(),
  /** Kept in step with other devices of the person. */
  synced: z.boolean(),
  created_at: z.string(),
  last_used_at: z.string().nullable(),
})
export type Passkey = z.output<typeof passkey>
/** Codes for the day on which all devices are lost; none when there are some already. */
const recovery_codes = z.array(z.string())

/** `{"type":"webauthn.get","challenge":"AAAA","origin":"https://ems.example"}` */
const CLIENT_DATA = 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQUFBQSIsIm9yaWdpbiI6Imh0dHBzOi8vZW1zLmV4YW1wbGUifQ'
const example = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', clientExtensionResults: {} }
const assertionExample = {
  ...example,
  response: { clientDataJSON: CLIENT_DATA, authenticatorData: 'AAAA', signature: 'AAAA', userHandle: 'AAAA' },
}
const attestationExample = { ...example, response: { clientDataJSON: CLIENT_DATA, attestationObject: 'AAAA' } }

const own = { permission: 'signed_in', personal: true } as const
const before = { permission: 'public', reads: true, inMaintenance: true } as const

export const passkeyCalls = {
  /** Signing in by a passkey alone: the device has asked for a finger, a face or a PIN. */
  askSignIn: call('POST', '/login/passkey/begin', {
    ...before,
    summary: ['Begin to sign in with a passkey', 'بدء تسجيل الدخول بمفتاح مرور'],
    response: asked,
  }),
  signInByPasskey: call('POST', '/login/passkey', {
    ...before,
    summary: ['Sign in with a passkey', 'تسجيل الدخول بمفتاح مرور'],
    body: z.strictObject({ answer: assertion }),
    response: signedIn,
    example: { answer: assertionExample },
  }),
  /** The second step of signing in; the ticket is that of the first one. */
  askSecondStep: call('POST', '/login/second-factor/passkey/begin', {
    ...before,
    summary: ['Begin to finish signing in with a passkey', 'بدء إتمام تسجيل الدخول بمفتاح مرور'],
    body: z.strictObject({ ticket }),
    response: asked,
    example: { ticket: 'from-the-first-step' },
  }),
  secondStepByPasskey: call('POST', '/login/second-factor/passkey', {
    ...before,
    summary: ['Finish signing in with a passkey', 'إتمام تسجيل الدخول بمفتاح مرور'],
    body: z.strictObject({ ticket, answer: assertion }),
    response: signedIn,
    example: { ticket: 'from-the-first-step', answer: assertionExample },
  }),
  /** For who must have a second factor and has none: nothing else is open before. */
  offerAtSignIn: call('POST', '/login/second-factor/passkey/setup', {
    ...before,
    summary: ['Begin to make a passkey while signing in', 'بدء إنشاء مفتاح مرور أثناء تسجيل الدخول'],
    body: z.strictObject({ ticket }),
    response: offered,
    example: { ticket: 'from-the-first-step' },
  }),
  addAtSignIn: call('POST', '/login/second-factor/passkey/confirm', {
    ...before,
    summary: ['Make a passkey and finish signing in', 'إنشاء مفتاح مرور وإتمام تسجيل الدخول'],
    body: z.strictObject({ ticket, name, answer: attestation }),
    response: z.object({ data: signedIn.shape.data.extend({ recovery_codes }) }),
    example: { ticket: 'from-the-first-step', name: 'My phone', answer: attestationExample },
  }),

  passkeys: call('GET', '/users/passkeys', {
    ...own,
    summary: ['My passkeys', 'مفاتيح المرور الخاصة بي'],
    response: z.object({ data: z.array(passkey) }),
  }),
  offer: call('POST', '/users/passkeys/begin', {
    ...own,
    confirm: 'second factor',
    summary: ['Begin to make a passkey', 'بدء إنشاء مفتاح مرور'],
    response: offered,
  }),
  addPasskey: call('POST', '/users/passkeys', {
    ...own,
    confirm: 'second factor',
    summary: ['Add a passkey to my account', 'إضافة مفتاح مرور إلى حسابي'],
    body: z.strictObject({ name, answer: attestation }),
    response: z.object({ data: passkey.extend({ recovery_codes }) }),
    example: { name: 'My phone', answer: attestationExample },
  }),
  renamePasskey: call('PUT', '/users/passkeys/{id}', {
    ...own,
    summary: ['Rename one of my passkeys', 'إعادة تسمية أحد مفاتيح المرور'],
    body: z.strictObject({ name }),
    response: z.object({ data: passkey }),
    example: { name: 'My phone' },
  }),
  removePasskey: call('DELETE', '/users/passkeys/{id}', {
    ...own,
    confirm: 'second factor',
    summary: ['Take a passkey off my account', 'حذف مفتاح مرور من حسابي'],
    response: z.object({ id }),
  }),

  /** Proving again who sits there, for calls that answer `password_again`. */
  askProof: call('POST', '/users/confirm-passkey/begin', {
    permission: 'signed_in',
    reads: true,
    summary: ['Begin to confirm with a passkey', 'بدء التأكيد بمفتاح مرور'],
    response: asked,
  }),
  proveByPasskey: call('POST', '/users/confirm-passkey', {
    permission: 'signed_in',
    reads: true,
    summary: ['Confirm with a passkey', 'التأكيد بمفتاح مرور'],
    body: z.strictObject({ answer: assertion }),
    response: z.object({ data: z.null() }),
    example: { answer: assertionExample },
  }),
}

const mailed = { audience: [1, 2, 3, 4], app: 'always', mail: 'always' } as const
export const passkeyNotices = {
  notice_passkey_added: { title: ['A passkey was added to your account', 'أُضيف مفتاح مرور إلى حسابك'], ...mailed },
  notice_passkey_removed: { title: ['A passkey was taken off your account', 'حُذف مفتاح مرور من حسابك'], ...mailed },
} as const

export const passkeyErrors = {
  passkey_challenge: [
    'This took longer than five minutes, was finished already, or began in another browser. Begin again.',
    'انتهت مهلة الدقائق الخمس، أو اكتملت هذه الخطوة من قبل، أو بدأت في متصفح آخر. ابدأ من جديد.',
  ],
  passkey_site: [
    'This passkey was used for another site: {site}. If you came here by a link, somebody may be deceiving you. Open {own} yourself.',
    'استُخدم مفتاح المرور هذا لموقع آخر: {site}. إن وصلت عبر رابط فقد يكون خداعًا. افتح {own} بنفسك.',
  ],
  passkey_unverified: [
    'The device did not ask for a PIN, a finger or a face. Set up its screen lock, or use another passkey.',
    'لم يطلب الجهاز رمزًا ولا بصمة ولا وجهًا. فعّل قفل الشاشة فيه أو استخدم مفتاح مرور آخر.',
  ],
  passkey_unknown: [
    'This passkey is not known here; it may have been taken off. Sign in another way.',
    'مفتاح المرور هذا غير معروف هنا، ولعله حُذف. سجّل الدخول بطريقة أخرى.',
  ],
  passkey_other: ['This passkey belongs to another account.', 'مفتاح المرور هذا يخص حسابًا آخر.'],
  passkey_wrong: [
    'The answer of the device cannot be trusted: it is damaged or was changed. Try again.',
    'لا يمكن الوثوق برد الجهاز، فهو تالف أو جرى تغييره. حاول من جديد.',
  ],
  passkey_counter: [
    'This passkey was used elsewhere in the meantime, as a copy would be. Sign in another way, and take it off on your profile.',
    'استُخدم مفتاح المرور هذا في مكان آخر كما تُستخدم النسخ. سجّل الدخول بطريقة أخرى واحذفه من ملفك الشخصي.',
  ],
  passkey_twice: ['This passkey is known here already.', 'مفتاح المرور هذا مسجل هنا بالفعل.'],
  passkeys_most: [
    'More than {most} passkeys are not kept. Take one off first.',
    'لا يُحفظ أكثر من {most} مفتاح مرور. احذف واحدًا أولًا.',
  ],
  passkey_none: ['This account has no passkey.', 'ليس لهذا الحساب مفتاح مرور.'],
  passkey_last_factor: [
    'One of your roles demands a second factor, and this is your last one. Add another one first.',
    'أحد أدوارك يشترط خطوة تحقق ثانية، وهذه آخر وسيلة لديك. أضف وسيلة أخرى أولًا.',
  ],
  passkey_only_way: [
    'You have no password: this passkey is the only way into your account. Set a password or add another passkey first.',
    'ليست لك كلمة مرور، ومفتاح المرور هذا طريق دخولك الوحيدة. عيّن كلمة مرور أو أضف مفتاحًا آخر أولًا.',
  ],
  no_authenticator_app: [
    'No authenticator app is set up for this account. Use a passkey or a recovery code.',
    'لم يُعدّ تطبيق مصادقة لهذا الحساب. استخدم مفتاح مرور أو رمز استرداد.',
  ],
  proof_needs_more: [
    'Your password alone is not enough here: your role demands a second factor. Give a code as well, or use a passkey.',
    'كلمة المرور وحدها لا تكفي هنا، فدورك يشترط خطوة تحقق ثانية. أدخل رمزًا أيضًا أو استخدم مفتاح مرور.',
  ],
} as const satisfies ErrorTexts
