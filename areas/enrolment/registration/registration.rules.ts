/**
 * What has to be true before a student gets a course: every rule is looked at, and every failure is returned at once,
 * with what failed and the step that unblocks it. Staff may override some rules by name, each with a reason.
 *
 * The input is plain JSON, as one query can build it. Unless a comment says otherwise, ids are numbers, statuses are
 * decimal strings, GPA, points and credit hours are whole hundredths, times of the day are minutes since midnight,
 * days of the week are 0 (Saturday) to 6, dates are YYYY-MM-DD, and instants are ISO 8601 with zone.
 */
import { meetingType, type MeetingType } from '#kit/contract/week.ts'
import { letterPoints, loadFor, type Bylaw, type TermType } from '#areas/study/catalogue/bylaw.rules.ts'
import { trimHundredths, type Hundredths } from '#areas/study/catalogue/decimal.rules.ts'
import { fill, type Bilingual, type ProblemData } from '#areas/common/academics/problem.rules.ts'
import type { ControlStatus } from '#areas/common/academics/control.rules.ts'
import { againstCourse, excusedBy, type Placement } from '#areas/common/academics/placement.rules.ts'
import { holdsData } from '#areas/records/grading/guard.rules.ts'
import { evaluate, printRequisite, type PassedCourse, type Requisite } from '#areas/study/catalogue/requisites.rules.ts'
import {
  countsInLoad,
  fromWire,
  mainOf,
  stageData,
  type StageCode,
  type Who,
} from '#areas/common/academics/status.rules.ts'
import { weighing } from './swap/swap.rules.ts'

/** A weekly meeting, `to` excluded: 9:00 to 10:00 and 10:00 to 11:00 do not clash. */
export type Meeting = { day: number; from: number; to: number }

/** An exam, `to` excluded. */
export type ExamTime = { date: string; from: number; to: number }

/** A slot of the offering asked for; linked offerings give the seats they share. */
export type OfferedSlot = {
  id: number
  group: number
  type: MeetingType
  /** Slots of one group and type that are attended together; others of the type are alternatives. */
  section?: string | null
  meetings: Meeting[]
  quota: number
  over_quota: number
  taken: number
  /** Free seats that only the wait list may give. */
  held: number
}

/** A registration of the student in the same term. */
export type CurrentRegistration = {
  id?: number
  /** The registration that is given up once this request is accepted. */
  gives_up_id?: number | null
  /** It goes once what is asked for is accepted: neither its hours nor its time stand against it. */
  aside?: boolean
  offering_id: number
  course_id: number
  /** For texts, such as CS101. */
  course_code: string
  credit_hours: Hundredths
  status: string
  meetings: Meeting[]
  exams: ExamTime[]
}

/** A registration of the same person in another program: its time is the person's, its hours are not. */
export type RegistrationElsewhere = Omit<CurrentRegistration, 'credit_hours'>

/** Present under a regulation by marks: neither GPA nor load, hours or warnings decide. */
type ByMarks = { marks?: object | null }

export type RequestInput = {
  now: string
  today: string
  who: Extract<Who, 'student' | 'advisor' | 'registrar' | 'system'>
  action: 'request' | 'add' | 'enroll'
  /** The student asks to improve a grade of a course already passed. */
  improve: boolean
  /** The windows open to the groups of this student in this term; `to` is excluded. */
  stages: { code: StageCode; from: string; to: string }[]
  term_type: TermType
  bylaw: Pick<Bylaw, 'grade_ranges' | 'load_ranges' | 'warning' | 'repeat' | 'max_repeats' | 'graduating'> & ByMarks
  /**
   * The offering is one of the block of the student's level: what the plan asks for is settled. Under a regulation by
   * marks alone.
   */
  block?: boolean
  /** The student only sits the exam: no meetings, no seats. */
  exam_only?: boolean
  student: {
    program_id: number
    level: number
    /** Cumulative; null before the first result. */
    gpa: Hundredths | null
    passed_hours: Hundredths
    /** Hours that the degree still asks for; null: it asks for none. */
    hours_to_degree: Hundredths | null
    /** Warnings as the bylaw counts them now. */
    warnings: number
    /** How many improvements were taken so far, in all terms. */
    improvements: number
    /** All passed attempts, those recorded by transfer or exemption included. */
    passed: PassedCourse[]
    /** Placement tests with a result, and those that have to be taken first. */
    placements?: readonly Placement[]
    current: CurrentRegistration[]
    /** What the person is registered for in the same term in another program. */
    elsewhere?: readonly RegistrationElsewhere[]
    /** null: is studying; else the name of the status. */
    not_studying: Bilingual | null
    blocked: boolean
    unpaid_invoices: { code: string; due_date: string }[]
    unfilled_surveys: Bilingual[]
    missing_documents: Bilingual[]
  }
  offering: {
    id: number
    state: 'draft' | 'open' | 'closed'
    /** Where control stands with its marks: from Submitted on nobody comes in any more. */
    control_status: ControlStatus
    /** Empty = open to all. */
    program_ids: number[]
    levels: number[]
    /** As what the course stands in the student's plan; null or absent: it does not. */
    plan_kind?: 'mandatory' | 'elective' | 'university' | 'faculty' | null
    slots: OfferedSlot[]
    exams: ExamTime[]
    course: {
      id: number
      code: string
      credit_hours: Hundredths
      prerequisites: Requisite | null
      corequisite_ids: number[]
      min_passed_hours: Hundredths | null
      min_level: number | null
      /** Courses that count as this one. */
      equal_ids: number[]
      /** How often the student has failed it, or an equal one. */
      failed_attempts: number
    }
  }
  slot_ids: number[]
  /** Courses asked for in the same call; they satisfy co-requisites. */
  together_ids: number[]
  /** Codes of the courses that prerequisites and co-requisites name, by id. */
  course_codes: Record<string, string>
}

export const refusalCodes = [
  'stage_closed',
  'offering_draft',
  'offering_closed',
  'offering_control',
  'offering_program',
  'offering_level',
  'comes_by_block',
  'already_registered',
  'course_in_other_program',
  'already_passed',
  'improvement_grade',
  'improvement_limit',
  'repeat_limit',
  'prerequisites',
  'corequisites',
  'corequisite_needed',
  'placement_due',
  'placement_excused',
  'placement_above',
  'min_passed_hours',
  'min_level',
  'credit_hours_limit',
  'courses_limit',
  'time_clash',
  'exam_clash',
  'hold_payment',
  'hold_survey',
  'hold_blocked',
  'hold_documents',
  'not_studying',
  'slot_required',
  'slot_unknown',
  'slot_groups',
  'slot_type_missing',
  'slot_type_twice',
  'slot_full',
] as const

export type RefusalCode = (typeof refusalCodes)[number]

/** The thing that unblocks a refusal; `link` is a key that the screens turn into an address. */
export type RefusalStep = Bilingual & {
  link?: 'stages' | 'advisor' | 'registration' | 'slots' | 'payments' | 'questionnaires' | 'documents' | 'study_plan'
}

/** Texts of every refusal, and of the step that unblocks it. Those of the documents stand verbatim. */
export const refusalTexts: Record<RefusalCode, Bilingual & { step: RefusalStep }> = {
  stage_closed: {
    en: 'The stage “{stage_name}” is not open',
    ar: 'مرحلة «{stage_name_local}» ليست مفتوحة',
    step: { en: 'See when the stages open', ar: 'اطلع على مواعيد المراحل', link: 'stages' },
  },
  offering_draft: {
    en: '{course} is not offered for registration yet',
    ar: 'لم يُطرح المقرر {course} للتسجيل بعد',
    step: { en: 'Try again when the course is offered', ar: 'أعد المحاولة عند طرح المقرر', link: 'registration' },
  },
  offering_closed: {
    en: 'Registration for {course} is closed',
    ar: 'أُغلق التسجيل في المقرر {course}',
    step: { en: 'Choose another course', ar: 'اختر مقررًا آخر', link: 'registration' },
  },
  offering_control: {
    en: 'The marks of {course} are {status}: nobody registers any more',
    ar: 'درجات المقرر {course} في حالة «{status_local}»، فلا تسجيل فيه بعد الآن',
    step: { en: 'Choose another course', ar: 'اختر مقررًا آخر', link: 'registration' },
  },
  offering_program: {
    en: '{course} is not open to your program',
    ar: 'المقرر {course} غير متاح لبرنامجك',
    step: { en: 'Look for it in your study plan', ar: 'ابحث عنه في خطتك الدراسية', link: 'study_plan' },
  },
  offering_level: {
    en: '{course} is open to level {levels}, you are in level {level}',
    ar: 'المقرر {course} متاح للمستوى {levels}، وأنت في المستوى {level}',
    step: { en: 'Ask your advisor', ar: 'اسأل مرشدك الأكاديمي', link: 'advisor' },
  },
  comes_by_block: {
    en: '{course} comes with the courses of the level: it is not asked for by itself',
    ar: 'يُسجَّل المقرر {course} ضمن مقررات المستوى دفعة واحدة، ولا يُطلب منفردًا',
    step: { en: 'Register the courses of your level', ar: 'سجّل مقررات مستواك', link: 'registration' },
  },
  already_registered: {
    en: '{course} is already registered in this term',
    ar: 'المقرر {course} مسجل بالفعل في هذا الفصل',
    step: { en: 'See your registration', ar: 'اطلع على تسجيلك', link: 'registration' },
  },
  course_in_other_program: {
    en: 'You take {course} in your other program this term: {courses}',
    ar: 'تدرس {course} في برنامجك الآخر هذا الفصل: {courses}',
    step: {
      en: 'Take it in one program and ask for its credit in the other',
      ar: 'ادرسه في أحد البرنامجين واطلب احتسابه في الآخر',
      link: 'advisor',
    },
  },
  already_passed: {
    en: '{course} is already passed with {letter}',
    ar: 'سبق النجاح في المقرر {course} بتقدير {letter}',
    step: { en: 'Ask to improve the grade instead', ar: 'اطلب تحسين التقدير بدلًا من ذلك', link: 'registration' },
  },
  improvement_grade: {
    en: 'The grade {letter} cannot be improved; the bylaw allows it for {letters}',
    ar: 'لا يجوز تحسين التقدير {letter}، واللائحة تجيزه للتقديرات {letters}',
    step: { en: 'Choose another course', ar: 'اختر مقررًا آخر', link: 'study_plan' },
  },
  improvement_limit: {
    en: 'All {maximum} improvements the bylaw allows are used',
    ar: 'استُنفدت مرات التحسين التي تجيزها اللائحة، وعددها {maximum}',
    step: { en: 'Ask your advisor', ar: 'اسأل مرشدك الأكاديمي', link: 'advisor' },
  },
  repeat_limit: {
    en: 'Failed attempts at {course}: {count}; repeats that the bylaw allows: {maximum}',
    ar: 'عدد مرات الرسوب في المقرر {course}: {count}، والحد الأقصى لإعادته في اللائحة: {maximum}',
    step: { en: 'Ask your advisor', ar: 'اسأل مرشدك الأكاديمي', link: 'advisor' },
  },
  prerequisites: {
    en: 'Prerequisites are not met: {missing}',
    ar: 'المتطلبات السابقة غير مستوفاة: {missing_local}',
    step: { en: 'Pass these courses first', ar: 'اجتز هذه المقررات أولًا', link: 'study_plan' },
  },
  corequisites: {
    en: 'Must be taken together with: {missing}',
    ar: 'يجب تسجيله مع: {missing}',
    step: { en: 'Request these courses as well', ar: 'اطلب هذه المقررات أيضًا', link: 'registration' },
  },
  corequisite_needed: {
    en: '{course} is taken together with {courses}, which cannot stand alone',
    ar: 'يُدرَّس المقرر {course} مع {courses}، ولا يجوز أن يبقى دونه',
    step: {
      en: 'Give up both together, or ask your registrar',
      ar: 'تخلَّ عنهما معًا أو راجع شؤون الطلاب',
      link: 'registration',
    },
  },
  placement_due: {
    en: '{course} is registered after {test}, which is still to be taken',
    ar: 'يُسجَّل المقرر {course} بعد أداء {test_local}، ولم يؤدَّ بعد',
    step: { en: 'Take the placement test', ar: 'أدِّ اختبار تحديد المستوى', link: 'advisor' },
  },
  placement_excused: {
    en: '{test} excuses from {course}: the level reached is {level}',
    ar: 'أعفى {test_local} من المقرر {course}، والمستوى المحدد هو {level_local}',
    step: { en: 'Choose a course of your level', ar: 'اختر مقررًا من مستواك', link: 'study_plan' },
  },
  placement_above: {
    en: '{course} lies above the level {level}, at which {test} placed you',
    ar: 'المقرر {course} أعلى من المستوى {level_local} الذي حدده {test_local}',
    step: { en: 'Pass {first} first', ar: 'اجتز {first} أولًا', link: 'study_plan' },
  },
  min_passed_hours: {
    en: 'Course requires minimum passed hours {data}',
    ar: 'يتطلب المقرر حدًا أدنى من الساعات المجتازة {data}',
    step: { en: 'You have passed {passed} hours so far', ar: 'اجتزت {passed} ساعة حتى الآن', link: 'study_plan' },
  },
  min_level: {
    en: 'Course requires minimum level {data}',
    ar: 'يتطلب المقرر حدًا أدنى للمستوى {data}',
    step: { en: 'You are in level {level}', ar: 'أنت في المستوى {level}', link: 'study_plan' },
  },
  credit_hours_limit: {
    en: '{total} credit hours would exceed your limit of {maximum}',
    ar: 'عدد الساعات المعتمدة {total} يتجاوز الحد المسموح لك وهو {maximum}',
    step: {
      en: 'Remove a course, or ask your advisor for an exception',
      ar: 'احذف مقررًا أو اطلب استثناء من مرشدك الأكاديمي',
      link: 'registration',
    },
  },
  courses_limit: {
    en: '{total} courses would exceed your limit of {maximum}',
    ar: 'عدد المقررات {total} يتجاوز الحد المسموح لك وهو {maximum}',
    step: {
      en: 'Remove a course, or ask your advisor for an exception',
      ar: 'احذف مقررًا أو اطلب استثناء من مرشدك الأكاديمي',
      link: 'registration',
    },
  },
  time_clash: {
    en: 'The chosen time clashes with {courses}',
    ar: 'الموعد المختار يتعارض مع {courses}',
    step: { en: 'Choose another slot', ar: 'اختر موعدًا آخر', link: 'slots' },
  },
  exam_clash: {
    en: 'Its exam is at the same time as that of {courses}',
    ar: 'اختباره في الوقت نفسه مع اختبار {courses}',
    step: { en: 'Choose another course, or ask your advisor', ar: 'اختر مقررًا آخر أو اسأل مرشدك', link: 'advisor' },
  },
  hold_payment: {
    en: 'Unpaid invoices are past their due date: {invoices}',
    ar: 'توجد فواتير غير مسددة تجاوزت موعد استحقاقها: {invoices}',
    step: { en: 'Pay the invoices', ar: 'سدد الفواتير', link: 'payments' },
  },
  hold_survey: {
    en: 'You have to fill the survery first.',
    ar: 'يجب ملء الاستبيان أولًا.',
    step: { en: 'Fill in: {surveys}', ar: 'املأ: {surveys_local}', link: 'questionnaires' },
  },
  hold_blocked: {
    en: 'Your account is blocked for registration',
    ar: 'حسابك موقوف عن التسجيل',
    step: { en: 'Ask your registrar', ar: 'راجع شؤون الطلاب', link: 'advisor' },
  },
  hold_documents: {
    en: 'Required documents are missing: {documents}',
    ar: 'مستندات مطلوبة لم تُسلَّم: {documents_local}',
    step: {
      en: 'Hand the documents in at the registrar’s office',
      ar: 'سلّم المستندات إلى شؤون الطلاب',
      link: 'documents',
    },
  },
  not_studying: {
    en: 'Only students who are studying register; this record is: {status}',
    ar: 'التسجيل متاح للطلاب المقيدين فقط، وحالة القيد هنا: {status_local}',
    step: { en: 'Ask your registrar', ar: 'راجع شؤون الطلاب', link: 'advisor' },
  },
  slot_required: {
    en: 'Please select an offering slot before registering',
    ar: 'يرجى اختيار موعد للمقرر قبل التسجيل',
    step: { en: 'Choose a group', ar: 'اختر مجموعة', link: 'slots' },
  },
  slot_unknown: {
    en: 'A chosen slot does not belong to {course}',
    ar: 'أحد المواعيد المختارة لا يخص المقرر {course}',
    step: { en: 'Choose the slots again', ar: 'اختر المواعيد من جديد', link: 'slots' },
  },
  slot_groups: {
    en: 'The chosen slots belong to different groups: {groups}',
    ar: 'المواعيد المختارة من مجموعات مختلفة: {groups}',
    step: { en: 'Choose all slots from one group', ar: 'اختر كل المواعيد من مجموعة واحدة', link: 'slots' },
  },
  slot_type_missing: {
    en: 'A slot is still to be chosen for: {types}',
    ar: 'ما زال اختيار موعد مطلوبًا لما يلي: {types_local}',
    step: { en: 'Choose the missing slots', ar: 'اختر المواعيد الناقصة', link: 'slots' },
  },
  slot_type_twice: {
    en: 'More than one alternative is chosen for: {types}',
    ar: 'اختير أكثر من بديل لما يلي: {types_local}',
    step: { en: 'Keep one of each', ar: 'أبقِ على واحد من كل نوع', link: 'slots' },
  },
  slot_full: {
    en: 'No free seat in group {groups}',
    ar: 'لا يوجد مقعد شاغر في المجموعة {groups}',
    step: {
      en: 'Choose another group or join the wait list',
      ar: 'اختر مجموعة أخرى أو انضم إلى قائمة الانتظار',
      link: 'slots',
    },
  },
}

export type Refusal = Bilingual & { code: RefusalCode; data: ProblemData; step: RefusalStep }

/** A refusal with its texts filled in. */
export function refusal(code: RefusalCode, data: ProblemData): Refusal {
  const { en, ar, step } = refusalTexts[code]
  return {
    code,
    data,
    en: fill(en, data),
    ar: fill(ar, data),
    step: { ...step, en: fill(step.en, data), ar: fill(step.ar, data) },
  }
}

/** Whether two weekly meetings share a minute. */
export const meetingsClash = (one: Meeting, other: Meeting): boolean =>
  one.day === other.day && one.from < other.to && other.from < one.to

const examsClash = (one: ExamTime, other: ExamTime): boolean =>
  one.date === other.date && one.from < other.to && other.from < one.to

const someClash = <Time>(ones: readonly Time[], others: readonly Time[], clash: (one: Time, other: Time) => boolean) =>
  ones.some((one) => others.some((other) => clash(one, other)))

/** The stage each way into a course needs; bulk enrolment by the registrar needs none. */
const stageOf: Record<RequestInput['action'], StageCode | null> = { request: 'register', add: 'add_drop', enroll: null }

const list = (values: readonly (string | number)[]): string => [...new Set(values)].join(', ')

/** Seats a slot still has for somebody: students have the quota, staff the over-quota as well, the wait list what is held for it. */
export function freeSeats(slot: Pick<OfferedSlot, 'quota' | 'over_quota' | 'taken' | 'held'>, who: Who): number {
  const staff = who === 'advisor' || who === 'registrar'
  const free = Math.max(0, slot.quota + (staff ? slot.over_quota : 0) - slot.taken - slot.held)
  return who === 'system' ? free + slot.held : free
}

/** A course from which a placement excuses: met whatever grade is asked for. */
const excusedCourse = (course_id: number): PassedCourse => ({ course_id, letter: null, points: 100_000 })

/** The limits of the load; null: there are none, as under every regulation by marks. */
const loadOf = (
  bylaw: RequestInput['bylaw'],
  ...rest: Parameters<typeof loadFor> extends [unknown, ...infer R] ? R : never
) => (bylaw.marks ? null : loadFor(bylaw, ...rest))

type Weighed = Omit<CurrentRegistration, 'course_id' | 'status'>

const running = (elsewhere: readonly RegistrationElsewhere[]): readonly RegistrationElsewhere[] =>
  elsewhere.filter((one) => countsInLoad(mainOf(fromWire(one.status))))

/** A course is taken in one of two programs; what it counts for in the other is credited there. */
function inOtherProgram(
  course: string,
  same: ReadonlySet<number>,
  elsewhere: readonly RegistrationElsewhere[],
): Refusal[] {
  const taken = running(elsewhere).filter((one) => same.has(one.course_id))
  if (!taken.length) return []
  const courses = list(taken.map((one) => one.course_code))
  return [refusal('course_in_other_program', { course, courses, ids: taken.map((one) => one.course_id) })]
}

/** What one more course does to the load and the week of a term. `inside`: its own meetings clash with each other. */
function weigh(
  one: Weighed,
  loaded: readonly CurrentRegistration[],
  load: ReturnType<typeof loadFor>,
  elsewhere: readonly RegistrationElsewhere[] = [],
  inside = false,
): Refusal[] {
  const found: Refusal[] = []
  const refuse = (code: RefusalCode, data: ProblemData) =>
    found.push(refusal(code, { course: one.course_code, ...data }))
  if (load !== null) {
    const weights = weighing(loaded)
    const hours = weights.reduce((sum, other) => sum + other.credit_hours, one.credit_hours)
    if (hours > load.max_ch * 100) refuse('credit_hours_limit', { total: trimHundredths(hours), maximum: load.max_ch })
    const courses = weights.length + 1
    if (load.max_courses !== null && courses > load.max_courses) {
      refuse('courses_limit', { total: courses, maximum: load.max_courses })
    }
  }
  const others = [...loaded, ...running(elsewhere)].filter((other) => other.offering_id !== one.offering_id)
  const clashing = others.filter((other) => someClash(one.meetings, other.meetings, meetingsClash))
  if (inside || clashing.length > 0) {
    const codes = [...(inside ? [one.course_code] : []), ...clashing.map((other) => other.course_code)]
    refuse('time_clash', { courses: list(codes), ids: clashing.map((other) => other.course_id) })
  }
  const examined = others.filter((other) => someClash(one.exams, other.exams, examsClash))
  if (examined.length > 0) {
    refuse('exam_clash', {
      courses: list(examined.map((other) => other.course_code)),
      ids: examined.map((other) => other.course_id),
    })
  }
  return found
}

/**
 * What a registration breaks that comes back into the term after it had left the load (dropped, withdrawn, excused):
 * meanwhile its hours and its time may have been given to other courses. That the student may take the course was
 * settled when it was registered; a request to leave that is taken back never left the load, and breaks nothing.
 */
export function checkReturn(
  input: Pick<RequestInput, 'term_type' | 'bylaw'> & {
    student: Pick<RequestInput['student'], 'gpa' | 'warnings' | 'hours_to_degree'>
    registration: Weighed
    /** The course, and those that count as it. */
    same?: ReadonlySet<number>
    /** The other registrations of the term, as they will stand. */
    others: readonly CurrentRegistration[]
    /** What the person takes in another program. */
    elsewhere?: readonly RegistrationElsewhere[]
  },
): Refusal[] {
  const loaded = input.others.filter((one) => countsInLoad(mainOf(fromWire(one.status))))
  const { registration, same = new Set<number>(), elsewhere = [] } = input
  return [
    ...inOtherProgram(registration.course_code, same, elsewhere),
    ...weigh(registration, loaded, loadOf(input.bylaw, input.student, input.term_type), elsewhere),
  ]
}

/** Every rule that this request breaks; empty when it may go ahead. The order is that of `refusalCodes`. */
export function checkRequest(input: RequestInput): Refusal[] {
  const { student, offering, bylaw } = input
  const { course } = offering
  const byMarks = bylaw.marks != null
  const found: Refusal[] = []
  const refuse = (code: RefusalCode, data: ProblemData = {}) =>
    found.push(refusal(code, { course: course.code, ...data }))
  const codeOf = (id: number): string => input.course_codes[String(id)] ?? `#${id}`
  // A course dropped in this term can be taken again; every other registration stands.
  const standing = student.current.filter((one) => mainOf(fromWire(one.status)) !== 'Dropped')
  const loaded = student.current.filter((one) => !one.aside && countsInLoad(mainOf(fromWire(one.status))))

  const stage = stageOf[input.action]
  if (stage !== null) {
    const now = Date.parse(input.now)
    const open = input.stages.some(
      ({ code, from, to }) => code === stage && Date.parse(from) <= now && now < Date.parse(to),
    )
    if (!open) refuse('stage_closed', stageData(stage))
  }

  if (offering.state === 'draft') refuse('offering_draft')
  if (offering.control_status !== 'Draft') {
    const { status, status_local, control_status } = holdsData(offering.control_status, course.code)
    refuse('offering_control', { status, status_local, control_status })
  } else if (offering.state === 'closed') refuse('offering_closed')
  if (offering.program_ids.length > 0 && !offering.program_ids.includes(student.program_id)) refuse('offering_program')
  if (!input.block && offering.levels.length > 0 && !offering.levels.includes(student.level)) {
    refuse('offering_level', { levels: list(offering.levels), level: student.level })
  }
  const inPlan = offering.plan_kind ?? null
  if (byMarks && !input.block && input.action !== 'enroll' && inPlan !== null && inPlan !== 'elective') {
    refuse('comes_by_block')
  }

  const same = new Set([course.id, ...course.equal_ids])
  if (standing.some((one) => one.offering_id === offering.id || same.has(one.course_id))) refuse('already_registered')
  const elsewhere = student.elsewhere ?? []
  found.push(...inOtherProgram(course.code, same, elsewhere))

  const passed = student.passed.filter((one) => same.has(one.course_id))
  if (passed.length > 0) {
    const best = passed.reduce((one, other) => ((other.points ?? -1) > (one.points ?? -1) ? other : one))
    const letter = best.letter ?? '–'
    const { improvable, max_improvements } = bylaw.repeat
    // Who passed by marks sits the course no more.
    if (!input.improve || byMarks) refuse('already_passed', { letter })
    else {
      if (improvable.length > 0 && !improvable.includes(letter)) {
        refuse('improvement_grade', { letter, letters: list(improvable) })
      }
      if (max_improvements !== null && student.improvements >= max_improvements) {
        refuse('improvement_limit', { maximum: max_improvements })
      }
    }
  }

  const { max_repeats } = bylaw
  if (!byMarks && passed.length === 0 && max_repeats !== null && course.failed_attempts > max_repeats) {
    refuse('repeat_limit', { count: course.failed_attempts, maximum: max_repeats })
  }

  const placements = student.placements ?? []
  const excused = excusedBy(placements)
  const met = excused.length ? [...student.passed, ...excused.map(excusedCourse)] : student.passed
  const prerequisites = evaluate(course.prerequisites, met, letterPoints(bylaw.grade_ranges))
  if (!input.block && !prerequisites.met) {
    refuse('prerequisites', {
      missing: printRequisite(prerequisites.rest, 'en', codeOf),
      missing_local: printRequisite(prerequisites.rest, 'ar', codeOf),
      missing_de: printRequisite(prerequisites.rest, 'de', codeOf),
      missing_fr: printRequisite(prerequisites.rest, 'fr', codeOf),
      missing_pt: printRequisite(prerequisites.rest, 'pt', codeOf),
      ids: prerequisites.missing.map((one) => one.course),
    })
  }
  if (!input.block && passed.length === 0) {
    const isPassed = (id: number): boolean => student.passed.some((one) => one.course_id === id)
    for (const placement of placements) {
      const problem = againstCourse(placement, (id) => same.has(id), isPassed)
      if (problem === null) continue
      const { test, test_local, level, level_name, level_name_local, courses } = placement
      const first = courses.filter(
        (one) => one.level >= (level ?? 1) && !same.has(one.course_id) && !isPassed(one.course_id),
      )
      refuse(problem, {
        test,
        test_local,
        level: level_name,
        level_local: level_name_local,
        first: list(
          first
            .filter((one) => one.level === Math.min(...first.map((x) => x.level)))
            .map((one) => codeOf(one.course_id)),
        ),
        ids: first.map((one) => one.course_id),
      })
    }
  }
  const together = new Set([
    ...met.map((one) => one.course_id),
    ...loaded.map((one) => one.course_id),
    ...input.together_ids,
  ])
  const apart = course.corequisite_ids.filter((id) => !together.has(id))
  if (apart.length > 0) refuse('corequisites', { missing: list(apart.map(codeOf)), ids: apart })

  if (!byMarks && course.min_passed_hours !== null && student.passed_hours < course.min_passed_hours) {
    const passedHours = trimHundredths(student.passed_hours)
    refuse('min_passed_hours', { data: trimHundredths(course.min_passed_hours), passed: passedHours })
  }
  if (!input.block && course.min_level !== null && student.level < course.min_level) {
    refuse('min_level', { data: course.min_level, level: student.level })
  }

  const chosen = offering.slots.filter((slot) => input.slot_ids.includes(slot.id))
  const inside = chosen.some((slot, index) =>
    chosen.slice(index + 1).some((other) => someClash(slot.meetings, other.meetings, meetingsClash)),
  )
  const asked = {
    offering_id: offering.id,
    course_code: course.code,
    credit_hours: course.credit_hours,
    meetings: chosen.flatMap((slot) => slot.meetings),
    exams: offering.exams,
  }
  found.push(...weigh(asked, loaded, loadOf(bylaw, student, input.term_type), elsewhere, inside))

  const overdue = student.unpaid_invoices.filter((invoice) => invoice.due_date < input.today)
  if (overdue.length > 0) refuse('hold_payment', { invoices: list(overdue.map((invoice) => invoice.code)) })
  const named = (names: readonly Bilingual[], key: string): ProblemData => ({
    [key]: list(names.map((name) => name.en)),
    [`${key}_local`]: list(names.map((name) => name.ar)),
  })
  if (student.unfilled_surveys.length > 0) refuse('hold_survey', named(student.unfilled_surveys, 'surveys'))
  if (student.blocked) refuse('hold_blocked')
  if (student.missing_documents.length > 0) refuse('hold_documents', named(student.missing_documents, 'documents'))
  if (student.not_studying !== null) {
    refuse('not_studying', { status: student.not_studying.en, status_local: student.not_studying.ar })
  }

  if (input.slot_ids.some((id) => !offering.slots.some((slot) => slot.id === id))) refuse('slot_unknown')
  const group = chosen[0]?.group
  if (group === undefined) {
    if (!input.exam_only && offering.slots.length > 0 && input.slot_ids.length === 0) refuse('slot_required')
  } else {
    const groups = [...new Set(chosen.map((slot) => slot.group))]
    if (groups.length > 1) refuse('slot_groups', { groups: list(groups), ids: groups })
    const needed = [...new Set(offering.slots.filter((slot) => groups.includes(slot.group)).map((slot) => slot.type))]
    const types = (some: readonly MeetingType[]) =>
      named(
        some.map((type) => {
          const [en, ar] = meetingType(type)
          return { en, ar }
        }),
        'types',
      )
    const missing = needed.filter((type) => !chosen.some((slot) => slot.type === type))
    if (missing.length > 0) refuse('slot_type_missing', types(missing))
    const alternatives = (type: MeetingType) =>
      new Set(chosen.flatMap((slot) => (slot.type === type ? [`${slot.group}/${slot.section ?? `#${slot.id}`}`] : [])))
    const twice = groups.length > 1 ? [] : needed.filter((type) => alternatives(type).size > 1)
    if (twice.length > 0) refuse('slot_type_twice', types(twice))
    const full = chosen.filter((slot) => freeSeats(slot, input.who) === 0)
    if (full.length > 0)
      refuse('slot_full', { groups: list(full.map((slot) => slot.group)), ids: full.map((slot) => slot.id) })
  }

  return found
}

/**
 * The rules that staff may set aside. Not among them: what would damage the record (registered twice, slots that do not
 * fit together) and seats, of which there are never more than quota and over-quota.
 */
export const overridableCodes: ReadonlySet<RefusalCode> = new Set<RefusalCode>([
  'stage_closed',
  'offering_closed',
  'offering_program',
  'offering_level',
  'course_in_other_program',
  'already_passed',
  'improvement_grade',
  'improvement_limit',
  'repeat_limit',
  'prerequisites',
  'corequisites',
  'corequisite_needed',
  'placement_due',
  'placement_excused',
  'placement_above',
  'min_passed_hours',
  'min_level',
  'credit_hours_limit',
  'courses_limit',
  'time_clash',
  'exam_clash',
  'hold_payment',
  'hold_survey',
  'hold_blocked',
  'hold_documents',
])

export type Override = { code: RefusalCode; reason: string }

/** An override that had no effect: the rule may not be overridden, the reason is empty, or the rule was not broken. */
export type RejectedOverride = Override & { problem: 'not_overridable' | 'reason_missing' | 'not_broken' }

/** Sets aside the named refusals. What was overridden is to be kept with the registration, reason and data. */
export function applyOverrides(
  refusals: readonly Refusal[],
  overrides: readonly Override[],
): { remaining: Refusal[]; overridden: (Refusal & { reason: string })[]; rejected: RejectedOverride[] } {
  const reasons = new Map<RefusalCode, string>()
  const rejected: RejectedOverride[] = []
  for (const { code, reason } of overrides) {
    const text = reason.trim()
    if (!overridableCodes.has(code)) rejected.push({ code, reason, problem: 'not_overridable' })
    else if (text === '') rejected.push({ code, reason, problem: 'reason_missing' })
    else if (!refusals.some((one) => one.code === code)) rejected.push({ code, reason, problem: 'not_broken' })
    else reasons.set(code, text)
  }
  const remaining: Refusal[] = []
  const overridden: (Refusal & { reason: string })[] = []
  for (const one of refusals) {
    const reason = reasons.get(one.code)
    if (reason === undefined) remaining.push(one)
    else overridden.push({ ...one, reason })
  }
  return { remaining, overridden, rejected }
}
