import { rating } from '#areas/common/academics/grading-words.contract.ts'
import { z } from 'zod'
import { mainFlags } from '#areas/common/academics/status.rules.ts'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { LANGUAGES, call, date, id, ref, safeText } from '#kit/contract/index.ts'
import type { ErrorTexts } from '#kit/contract/index.ts'
import { ownMeeting } from '../own/own.contract.ts'

/** Parts of the own study that a student may let somebody see: as much of each as the student sees. */
export const SHARE_PARTS = [
  { value: 'timetable', label: ['Timetable', 'الجدول الدراسي'] },
  { value: 'registration', label: ['Registered courses', 'المقررات المسجلة'] },
  { value: 'attendance', label: ['Attendance', 'الحضور'] },
  { value: 'grades', label: ['Published grades and GPA', 'الدرجات المعلنة والمعدل'] },
] as const
const part = z.enum(SHARE_PARTS.map((one) => one.value))
export type SharePart = z.output<typeof part>

/** How a share stands. */
export const SHARE_STATES = [
  { value: 'open', label: ['Open', 'مفتوحة'], tone: 'done' },
  { value: 'over', label: ['Over', 'انتهت مدتها'], tone: 'frozen' },
  { value: 'student', label: ['Ended by the student', 'أنهاها الطالب'], tone: 'frozen' },
  { value: 'staff', label: ['Ended by the administration', 'أنهتها الإدارة'], tone: 'refused' },
  { value: 'blocked', label: ['Ended: the student was blocked', 'انتهت لإيقاف الطالب'], tone: 'refused' },
  { value: 'left', label: ['Ended: the student left', 'انتهت لمغادرة الطالب'], tone: 'frozen' },
] as const

const email = z.string().trim().toLowerCase().max(200).pipe(z.email())
const token = z.string().min(1).max(100)

const share = z.object({
  id,
  name: z.string(),
  email: z.string(),
  language: z.enum(LANGUAGES),
  parts: z.array(part),
  last_day: z.string(),
  created_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(SHARE_STATES.map((one) => one.value)),
})
export type RecordShare = z.output<typeof share>

const course = ref.extend({ credit_hours: z.number() })
const result = {
  total: z.string().nullable(),
  maximum: z.int().nullable(),
  letter: z.string().nullable(),
  rating: rating.nullable(),
  passed: z.boolean().nullable(),
}
/** What somebody sees of a student. A part that was not chosen is null. */
const shown = z.object({
  id,
  student: z.object({ name: z.string(), name_local: z.string(), program: ref, faculty: ref, level: z.int() }),
  last_day: z.string(),
  parts: z.array(part),
  timetable: z
    .object({
      term: ref.nullable(),
      is_ramadan: z.boolean(),
      courses: z.array(z.object({ registration_id: id, course, meetings: z.array(ownMeeting) })),
    })
    .nullable(),
  registration: z
    .object({
      term: ref.nullable(),
      hours: z.number(),
      courses: z.array(z.object({ registration_id: id, course, main: z.enum(mainFlags) })),
    })
    .nullable(),
  /** How often he or she was what at the meetings of the term. */
  attendance: z
    .object({
      term: ref.nullable(),
      courses: z.array(
        z.object({
          registration_id: id,
          course,
          present: z.int(),
          late: z.int(),
          absent: z.int(),
          excused: z.int(),
        }),
      ),
    })
    .nullable(),
  grades: z
    .object({
      /** By marks: no GPA and no hours. */
      by_marks: z.boolean(),
      gpa: z.string().nullable(),
      passed_hours: z.number().nullable(),
      /** Figures are computed again, because a result has changed. */
      revised: z.boolean(),
      terms: z.array(
        z.object({
          term: ref,
          gpa: z.string().nullable(),
          cumulative_gpa: z.string().nullable(),
          courses: z.array(z.object({ registration_id: id, course, ...result })),
        }),
      ),
    })
    .nullable(),
})
export type SharedRecord = z.output<typeof shown>

const own = { permission: 'access_student', personal: true } as const
const guest = { permission: 'public', reads: true } as const

export const shareCalls = {
  shares: call('GET', '/students/shares', {
    ...own,
    summary: ['Whom I let see parts of my study', 'من أتحت له الاطلاع على دراستي'],
    query: cutQuery,
    response: cutAnswer(share),
  }),
  addShare: call('POST', '/students/shares', {
    ...own,
    confirm: 'password',
    summary: ['Let somebody see parts of my study until a day', 'إتاحة الاطلاع على أجزاء من دراستي حتى يوم محدد'],
    body: z.strictObject({
      name: safeText(80, 1),
      email,
      language: z.enum(LANGUAGES),
      parts: z.array(part).min(1).max(SHARE_PARTS.length),
      last_day: date,
    }),
    response: z.object({ data: share }),
    example: {
      name: 'My mother',
      email: 'mother@mail.example',
      language: 'ar',
      parts: ['timetable'],
      last_day: addDays(dayOf(), 30),
    },
  }),
  endShare: call('DELETE', '/students/shares/{id}', {
    ...own,
    summary: ['End a share of my study', 'إنهاء إتاحة الاطلاع على دراستي'],
    response: z.object({ id }),
  }),
  /** The very page that is shown. */
  previewShare: call('GET', '/students/shares/{id}', {
    ...own,
    summary: ['What somebody sees of my study', 'ما يراه الشخص من دراستي'],
    response: z.object({ data: shown }),
  }),

  sharesOf: call('GET', '/students/{id}/shares', {
    permission: 'edit_students',
    summary: ['Whom a student lets see parts of the study', 'من أتاح لهم الطالب الاطلاع على دراسته'],
    traced: 'student',
    query: cutQuery,
    response: cutAnswer(share),
  }),
  endSharesOf: call('POST', '/students/{id}/shares/end', {
    permission: 'edit_students',
    summary: ['End all that a student lets others see', 'إنهاء كل ما أتاحه الطالب للغير'],
    body: z.strictObject({ reason: safeText(400, 1) }),
    response: z.object({ ended: z.int() }),
    example: { reason: 'Asked for by the student in person' },
  }),

  /** A link is sent where something is shared with this address; the answer is the same when not. */
  askLink: call('POST', '/shared/link', {
    ...guest,
    summary: ['Send me a link to what is shared with me', 'إرسال رابط لما أُتيح لي الاطلاع عليه'],
    body: z.strictObject({ email }),
    response: z.object({ data: z.null() }),
    example: { email: 'mother@mail.example' },
  }),
  openLink: call('POST', '/shared/open', {
    ...guest,
    summary: ['Open a link to what is shared with me', 'فتح رابط ما أُتيح لي الاطلاع عليه'],
    body: z.strictObject({ token }),
    response: z.object({ data: z.null() }),
    example: { token: 'from-the-mail' },
  }),
  leaveShared: call('POST', '/shared/leave', {
    ...guest,
    summary: ['Leave what is shared with me', 'الخروج مما أُتيح لي الاطلاع عليه'],
    response: z.object({ data: z.null() }),
  }),
  shared: call('GET', '/shared', {
    ...guest,
    summary: ['What is shared with me', 'ما أُتيح لي الاطلاع عليه'],
    response: z.object({
      data: z.array(z.object({ id, name: z.string(), name_local: z.string(), last_day: z.string() })),
    }),
  }),
  sharedOne: call('GET', '/shared/{id}', {
    ...guest,
    summary: ['What a student lets me see', 'ما أتاح لي الطالب الاطلاع عليه'],
    response: z.object({ data: shown }),
  }),
}

export const shareNotices = {
  notice_share_ended: {
    title: ['The administration ended what you let others see', 'أنهت الإدارة ما أتحته للغير'],
    audience: [3],
    app: 'always',
    mail: 'always',
  },
} as const

export const shareErrors = {
  share_day_past: ['The last day is over already.', 'آخر يوم مضى بالفعل.'],
  share_day_far: ['At most {days} days; decide again then.', 'المدة {days} يومًا على الأكثر، ثم تقرر من جديد.'],
  share_own_address: [
    'This is your own address. Give that of the other person.',
    'هذا بريدك أنت. أدخل بريد الشخص الآخر.',
  ],
  share_twice: [
    'Something is shared with this address already. End that first.',
    'أُتيح الاطلاع لهذا البريد بالفعل. أنهِ الإتاحة القائمة أولًا.',
  ],
  shares_most: [
    'More than {most} people at a time are not possible. End one first.',
    'لا يمكن الإتاحة لأكثر من {most} أشخاص في وقت واحد. أنهِ إحداها أولًا.',
  ],
  share_not_studying: [
    'Only who studies here, and is not blocked, lets others see something.',
    'لا يتيح الاطلاع إلا الطالب المقيد غير الموقوف.',
  ],
  share_over: ['This was ended already.', 'انتهت هذه الإتاحة بالفعل.'],
  share_link_over: [
    'This link was used already, or is too old. Ask for a new one.',
    'استُخدم هذا الرابط من قبل أو انتهت صلاحيته. اطلب رابطًا جديدًا.',
  ],
  share_closed: ['Open the link in your mail, or ask for a new one.', 'افتح الرابط الذي في بريدك أو اطلب رابطًا جديدًا.'],
} as const satisfies ErrorTexts
