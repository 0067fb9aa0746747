/**
 * What will stand against a student's requests when the window for registering opens, said days ahead. A request for a
 * course that asks for nothing is judged by the very rules of registration (`checkRequest`) at the moment the window
 * opens: what is refused then, is refused now; what is not, is not.
 */
import type { Bilingual, ProblemData } from '#areas/common/academics/problem.rules.ts'
import { trimHundredths } from '#areas/study/catalogue/decimal.rules.ts'
import type { StageCode } from '#areas/common/academics/status.rules.ts'
import { checkRequest } from '../registration.rules.ts'
import type { RefusalCode, RefusalStep } from '../registration-refusals.rules.ts'
import type { RequestInput } from '../registration-input.rules.ts'

/** A window for registering, or for adding and dropping. */
export type Window = RequestInput['stages'][number]

const WAYS_IN: readonly StageCode[] = ['register', 'add_drop']

/** The window by which a student comes in next: one that is open, else the first to come; null: there is none. */
export function windowOf(stages: readonly Window[], now: string): (Window & { open: boolean }) | null {
  const at = Date.parse(now)
  const left = stages
    .filter(({ code, to }) => WAYS_IN.includes(code) && Date.parse(to) > at)
    .toSorted((a, b) => Date.parse(a.from) - Date.parse(b.from) || (a.code === 'register' ? -1 : 1))
  const open = left.find(({ code, from }) => code === 'register' && Date.parse(from) <= at)
  const next = open ?? left.find(({ from }) => Date.parse(from) <= at) ?? left[0]
  return next ? { ...next, open: Date.parse(next.from) <= at } : null
}

/** When a request is judged: now where a window is open, else when it opens. */
export const judgedAt = (stages: readonly Window[], now: string): { at: string; action: 'request' | 'add' } => {
  const window = windowOf(stages, now)
  return {
    at: window && !window.open ? window.from : now,
    action: window?.code === 'add_drop' ? 'add' : 'request',
  }
}

/** What a student waits for an answer to, and what it means for the next term. */
export const OPEN_REQUESTS = ['withdrawal', 'excuse', 'transfer', 'transfer_out'] as const
export type OpenRequest = (typeof OPEN_REQUESTS)[number]

/** Lines beside those of the rules: a load that is used up blocks, the others block nobody and are worth knowing. */
export const noteCodes = [
  'preflight_full',
  'preflight_no_advisor',
  'preflight_placement',
  'preflight_withdrawal',
  'preflight_excuse',
  'preflight_transfer',
  'preflight_transfer_out',
  'preflight_limit',
] as const
export type NoteCode = (typeof noteCodes)[number]

/** Where a line is settled. */
export const OFFICES = {
  finance: ['Finance office', 'الشؤون المالية'],
  student_affairs: ['Student affairs', 'شؤون الطلاب'],
  advisor: ['Academic advisor', 'المرشد الأكاديمي'],
  faculty: ['Faculty', 'الكلية'],
  student: ['You yourself', 'الطالب نفسه'],
} as const
export type Office = keyof typeof OFFICES

const officeOf = (code: RefusalCode | NoteCode): Office => {
  switch (code) {
    case 'hold_payment':
      return 'finance'
    case 'hold_survey':
      return 'student'
    case 'preflight_full':
    case 'preflight_limit':
      return 'advisor'
    case 'stage_closed':
    case 'preflight_placement':
    case 'preflight_no_advisor':
      return 'faculty'
    default:
      return 'student_affairs'
  }
}

type Text = Bilingual & { step: RefusalStep }

/** Texts of the notes, each with what can be done. */
export const noteTexts: Readonly<Record<NoteCode, Text>> = {
  preflight_full: {
    en: 'The load of the term is used up: {hours} credit hours, {courses} courses',
    ar: 'استُنفد العبء المسموح في الفصل: {hours} ساعة معتمدة، {courses} مقرر',
    step: {
      en: 'Remove a course, or ask your advisor for an exception',
      ar: 'احذف مقررًا أو اطلب استثناء من مرشدك الأكاديمي',
      link: 'registration',
    },
  },
  preflight_no_advisor: {
    en: 'No academic advisor is assigned: requests are answered by the faculty alone',
    ar: 'لا يوجد مرشد أكاديمي معيَّن، فتُنظر الطلبات في الكلية مباشرة',
    step: { en: 'Ask the faculty for an advisor', ar: 'اطلب من الكلية تعيين مرشد' },
  },
  preflight_placement: {
    en: 'Still to be taken: {test}. Its courses cannot be registered before',
    ar: 'لم يؤدَّ بعد: {test_local}، ولا تُسجَّل مقرراته قبله',
    step: { en: 'Take the placement test', ar: 'أدِّ اختبار تحديد المستوى' },
  },
  preflight_withdrawal: {
    en: 'Waits for an answer: leaving {courses}. Until then the courses weigh on the load',
    ar: 'طلب ترك لم يُبت فيه: {courses}، وتُحتسب ساعاتها حتى ذلك الحين',
    step: { en: 'Wait for the answer, or take the request back', ar: 'انتظر الرد أو اسحب الطلب', link: 'registration' },
  },
  preflight_excuse: {
    en: 'An excuse waits for an answer',
    ar: 'عذر لم يُبت فيه بعد',
    step: { en: 'Wait for the answer', ar: 'انتظر الرد' },
  },
  preflight_transfer: {
    en: 'A transfer to {program} waits: it changes the plan, and which courses are open',
    ar: 'طلب تحويل إلى {program_local} لم يُبت فيه، وبقبوله تتغير الخطة والمقررات المتاحة',
    step: { en: 'Ask how the transfer stands before registering', ar: 'اسأل عن طلب التحويل قبل التسجيل' },
  },
  preflight_transfer_out: {
    en: 'A transfer to another university waits: approved, it ends the studies here',
    ar: 'طلب تحويل إلى جامعة أخرى لم يُبت فيه، واعتماده ينهي القيد هنا',
    step: { en: 'Ask how the transfer stands before registering', ar: 'اسأل عن طلب التحويل قبل التسجيل' },
  },
  preflight_limit: {
    en: 'At most {maximum} credit hours: academic warnings {warnings}',
    ar: 'الحد الأقصى {maximum} ساعة معتمدة، لأن عدد الإنذارات الأكاديمية {warnings}',
    step: { en: 'Plan with your advisor', ar: 'خطط مع مرشدك', link: 'advisor' },
  },
}

/** A line of the preflight. `blocks`: no course is had as long as it stands. */
export type JudgedLine = {
  code: RefusalCode | NoteCode
  blocks: boolean
  data: ProblemData
  step: Text['step']
  office: Office
  /** A day or an instant; null: it is not known. */
  since: string | null
}

/** What stands beside the rules of a request. */
type Beside = {
  advised: boolean
  /** Placement tests to be taken before their courses. */
  placements: readonly { test: Bilingual; since: string | null }[]
  requests: readonly { kind: OpenRequest; since: string | null; data: ProblemData }[]
  /** The limit of hours that warnings bring; null: there are none, or they are not told to the reader. */
  limit: { maximum: number; warnings: number } | null
  /** Since when each block stands, as far as it is known. */
  since: Readonly<Partial<Record<RefusalCode, string | null>>>
}

const LOAD: ReadonlySet<RefusalCode> = new Set(['credit_hours_limit', 'courses_limit'])

/**
 * Every line: what blocks first, then what is worth knowing.
 *
 * @param input the request for a course that asks for nothing, at the moment at which it is judged
 */
export function preflight(input: RequestInput, beside: Beside): JudgedLine[] {
  const line = (
    code: RefusalCode | NoteCode,
    blocks: boolean,
    rest: Pick<JudgedLine, 'data' | 'step' | 'since'>,
  ): JudgedLine => ({
    code,
    blocks,
    office: officeOf(code),
    ...rest,
  })
  const note = (code: NoteCode, data: ProblemData = {}, since: string | null = null, blocks = false): JudgedLine =>
    line(code, blocks, { data, step: noteTexts[code].step, since })
  const refusals = checkRequest(input)
  const { current } = input.student
  return [
    ...refusals
      .filter(({ code }) => !LOAD.has(code))
      .map(({ code, data, step }) => line(code, true, { data, step, since: beside.since[code] ?? null })),
    ...(refusals.some(({ code }) => LOAD.has(code))
      ? [
          note(
            'preflight_full',
            { hours: trimHundredths(current.reduce((sum, one) => sum + one.credit_hours, 0)), courses: current.length },
            null,
            true,
          ),
        ]
      : []),
    ...(beside.limit ? [note('preflight_limit', beside.limit)] : []),
    ...beside.placements.map(({ test, since }) =>
      note('preflight_placement', { test: test.en, test_local: test.ar }, since),
    ),
    ...beside.requests.map(({ kind, since, data }) => note(`preflight_${kind}`, data, since)),
    ...(beside.advised ? [] : [note('preflight_no_advisor')]),
  ]
}
