import { z } from 'zod'
import { ADMISSION_STATES, APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { CODE_CALL, PUZZLE_CALL, mailAddress } from '#kit/contract/address-code.ts'
import { wholeUpTo } from '#kit/contract/parts.ts'
import { LANGUAGES, call, id, idParam, problem, ref } from '#kit/contract/index.ts'
import { APPLICANT_STATUSES, APPLICATION_TABS, type ApplicationTab } from '../words.contract.ts'

const TAB_KEYS = Object.keys(APPLICATION_TABS) as [ApplicationTab, ...ApplicationTab[]]
const tab = z.enum(TAB_KEYS)
const applicantType = z.literal(APPLICANT_TYPES.map(({ value }) => value))
const key = z.string().regex(/^[\w-]{43}$/)
const who = { params: z.object({ id: idParam, key }) } as const

const asked = z.enum(['all', 'egyptian', 'foreign'])
const admission = ref.extend({
  type: applicantType,
  state: z.enum(ADMISSION_STATES.map(({ value }) => value)),
  term: ref,
  opens_at: z.string(),
  closes_at: z.string(),
  is_early: z.boolean(),
  has_exam: z.boolean(),
  has_interview: z.boolean(),
  has_scholarships: z.boolean(),
  max_preferences: z.int(),
  programs: z.int(),
  fees: z.array(
    z.object({ fee: z.enum(['application', 'exam', 'final']), asked_of: asked, currency: z.string(), amount: z.int() }),
  ),
})
export type OpenAdmission = z.output<typeof admission>

/** A program as whoever applies sees it. */
const offeredProgram = z.object({
  id,
  program: ref,
  faculty: ref,
  capacity: z.int(),
  min_percentage: z.string().nullable(),
  last_cut_off: z.string().nullable(),
  gender: z.int().nullable(),
  certificates: z.array(z.string()),
  subjects: z.array(z.object({ subject: ref, min_percentage: z.string() })),
})
export type OfferedProgram = z.output<typeof offeredProgram>

/** `url` opens it for whoever has it, for some hours. */
const kept = z.object({ id, name: z.string(), size: z.int(), url: z.string() })
const application = z.object({
  id,
  code: z.string(),
  version: z.int(),
  type: applicantType,
  status: z.enum(APPLICANT_STATUSES.map(({ value }) => value)),
  /** Whether it can be written in now. */
  open: z.boolean(),
  email: z.string(),
  submitted_at: z.string().nullable(),
  admission: admission.extend({
    declarations: z.array(z.object({ text: z.string(), text_local: z.string() })),
    documents: z.array(z.object({ kind: ref, is_required: z.boolean(), file: kept.nullable() })),
  }),
  percentage: z.string().nullable(),
  declared: z.boolean(),
  /** Whether the fee for applying is still to be paid before it can be sent in. */
  require_payment: z.boolean(),
  /**
   * Fields that the ministry said: not written here. `shown`: their values are among `values`, because the address that the ministry
   * has was verified; else whoever took the application up sees only what was typed for that.
   */
  nominated: z.object({ fields: z.array(z.string()), shown: z.boolean() }).nullable(),
  /** What was written, by the names of the fields. */
  values: z.record(z.string(), z.unknown()),
  /** What the desk wrote about tabs, and waits for. */
  comments: z.array(z.object({ tab, text: z.string() })),
  /** The program that is offered, or was taken up. */
  seat: ref.nullable(),
  /** The number of the application that goes on in its place, where it was merged. */
  merged_into: z.string().nullable(),
  tabs: z.array(z.object({ key: tab, title: z.string().optional(), done: z.boolean(), problems: z.array(problem) })),
})
export type Application = z.output<typeof application>
const answer = z.object({ data: application })

const LISTS = ['countries', 'communities', 'certificates', 'faculties', 'universities', 'schools'] as const
export type ApplicantList = (typeof LISTS)[number]
const choice = ref.extend({ extra: z.record(z.string(), z.unknown()).optional() })
const lists = z.record(z.string(), z.array(choice))

const open = { permission: 'public' } as const

/** A document: what it may be, and how large in bytes. */
export const DOCUMENT_KINDS = ['pdf', 'jpg', 'png'] as const
export const MOST_DOCUMENT_BYTES = 10_000_000
/** Bytes of one part: some seconds of a bad line, so that a break costs no more. */
export const DOCUMENT_PART_BYTES = 200_000

export const applyCalls = {
  data: call('GET', '/website/admissionData', {
    ...open,
    summary: [
      'Admissions that are open or will be, and the programs of one',
      'فترات القبول المتاحة والقادمة وبرامج إحداها',
    ],
    query: z.object({
      /** With the programs of this admission. */
      admission_id: idParam.optional(),
    }),
    response: z.object({
      data: z.object({ today: z.string(), admissions: z.array(admission), programs: z.array(offeredProgram) }),
    }),
    reads: true,
  }),
  lookups: call('GET', '/admission/website/applicant/lookups', {
    ...open,
    summary: ['All lists from which applicants choose', 'كل القوائم التي يختار منها المتقدم'],
    response: z.object({ data: lists }),
    reads: true,
  }),
  lookup: call('GET', '/admission/website/applicant/lookups/{x}', {
    ...open,
    summary: ['A list from which applicants choose', 'قائمة يختار منها المتقدم'],
    params: z.object({ x: z.enum(LISTS) }),
    response: z.object({ data: lists }),
    reads: true,
  }),
  needTraining: call('GET', '/admission/faculty/needTraining/{type}/{id}', {
    ...open,
    summary: [
      'Whether a faculty asks for training of a type of applicants',
      'هل تشترط الكلية تدريبًا لنوع من المتقدمين',
    ],
    params: z.object({ type: z.coerce.number().pipe(applicantType), id: idParam }),
    response: z.object({ data: z.object({ need_training: z.boolean(), weeks: z.int().nullable() }) }),
    reads: true,
  }),
  puzzle: call('POST', '/admission/website/puzzle', PUZZLE_CALL),
  askCode: call('POST', '/admission/website/code', CODE_CALL),
  verifyEmail: call('POST', '/admission/website/verify-email', {
    ...open,
    summary: ['Verify an address by the code that was sent there', 'تأكيد بريد إلكتروني بالرمز المرسل إليه'],
    body: z.strictObject({
      email: mailAddress,
      code: z
        .string()
        .trim()
        .regex(/^\d{8}$/),
    }),
    response: z.object({
      data: z.object({
        /** By this an application begins or goes on, for an hour. */
        ticket: z.string(),
        /** Applications of this address. */
        applications: z.array(
          z.object({
            id,
            code: z.string(),
            type: applicantType,
            status: z.enum(APPLICANT_STATUSES.map(({ value }) => value)),
            admission: ref,
            admission_id: id,
          }),
        ),
      }),
    }),
    example: { email: 'somebody@example.com', code: '12345678' },
  }),
  apply: call('PUT', '/admission/apply', {
    ...open,
    summary: ['Begin an application, or go on with it', 'بدء طلب تقديم أو استكماله'],
    body: z.strictObject({
      ticket: z.string().max(600),
      admission_id: id,
      language: z.enum(LANGUAGES),
      /** Whom the ministry has nominated takes up that application: its number there, and the national id or passport number. */
      nomination: z
        .strictObject({ number: z.string().trim().min(1).max(40), identity: z.string().trim().min(1).max(40) })
        .optional(),
    }),
    response: z.object({ data: z.object({ id, type: applicantType, key: z.string() }) }),
    example: { ticket: 'a.b', admission_id: 1, language: 'en' },
  }),
  read: call('GET', '/admission/{id}/{key}', {
    ...open,
    ...who,
    summary: ['An application, to whoever has its key', 'طلب تقديم لمن لديه مفتاحه السري'],
    response: answer,
    reads: true,
  }),
  save: call('POST', '/admission/{id}/{key}', {
    ...open,
    ...who,
    summary: ['Save what was written in an application, or submit it', 'حفظ بيانات طلب التقديم أو إرساله'],
    body: z.strictObject({
      /** Fields that were changed, by their names. */
      values: z.record(z.string(), z.unknown()).optional(),
      /** What these fields were before: where something else stands there by now, nothing is saved. */
      was: z.record(z.string(), z.unknown()).optional(),
      /** Every sentence of the declaration is ticked. */
      declared: z.boolean().optional(),
      /** Sends it in. */
      submit: z.boolean().optional(),
    }),
    response: answer,
    example: { values: {} },
  }),
  applicationPaper: call('GET', '/admission/{id}/{key}/paper', {
    ...open,
    ...who,
    summary: ['An application that was sent in, as a paper', 'طلب تقديم مُرسل في وثيقة'],
    file: { name: 'Application.pdf', type: 'pdf', fixed: true },
    reads: true,
  }),
  upload: call('POST', '/admission/{id}/{key}/documents/{kind}', {
    ...open,
    params: z.object({ id: idParam, key, kind: idParam }),
    summary: ['Add a document to an application', 'إضافة مستند إلى طلب التقديم'],
    upload: { field: 'file', accept: DOCUMENT_KINDS, maxMB: MOST_DOCUMENT_BYTES / 1_000_000 },
    response: answer,
  }),
  /**
   * The same over a bad line: `begin` tells the file and asks how much of it is here, also after a break; `part` sends what
   * follows; `finish` makes the document of it.
   */
  uploadParts: call('POST', '/admission/{id}/{key}/documents/{kind}/{step}', {
    ...open,
    params: z.object({ id: idParam, key, kind: idParam, step: z.enum(['begin', 'part', 'finish']) }),
    summary: [
      'Add a document to an application in parts, also after a break',
      'إضافة مستند إلى طلب التقديم على أجزاء مع إمكان الاستكمال بعد الانقطاع',
    ],
    upload: { field: 'file', accept: [], maxMB: 0.25, optional: true, part: true },
    body: z.strictObject({
      name: z.string().trim().min(1).max(300).optional(),
      size: wholeUpTo(MOST_DOCUMENT_BYTES).optional(),
      /** SHA-256 of the whole file, in hexadecimal. */
      digest: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .optional(),
      upload: z.uuid().optional(),
      /** Where the part begins. */
      offset: wholeUpTo(MOST_DOCUMENT_BYTES).optional(),
    }),
    response: z.object({
      data: z.object({
        upload: z.object({ id: z.uuid(), size: z.int(), received: z.int(), part: z.int() }).nullable(),
        application: application.nullable(),
      }),
    }),
    example: { name: 'paper.pdf', size: 1000, digest: 'a'.repeat(64) },
  }),
  removeDocument: call('DELETE', '/admission/{id}/{key}/documents/{kind}', {
    ...open,
    params: z.object({ id: idParam, key, kind: idParam }),
    summary: ['Take a document out of an application', 'حذف مستند من طلب التقديم'],
    response: answer,
  }),
}
