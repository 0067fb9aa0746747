import { z } from 'zod'
import { call, date, id, idParam, option, ref, rowSchema, safeText } from '#kit/contract/index.ts'
import { INVIGILATOR_ROLES, examSchedule } from './schedule.contract.ts'

/** Whose exams are listed. */
export const LIST_TYPES = ['student', 'instructor', 'location', 'offering'] as const
export type ListType = (typeof LIST_TYPES)[number]

/** An exam in somebody's list. */
const listed = z.object({
  id,
  exam: ref.extend({ kind: z.string(), status: z.string() }),
  offering: ref,
  on_date: z.string(),
  starts: z.string(),
  ends: z.string(),
  students: z.int(),
  halls: z.array(ref.extend({ seats: z.int() })),
  /** Where the reader sits, once seats are given; null for everybody else. */
  seat: z.object({ location_id: id, number: z.int() }).nullable(),
  /** Which of the halls the reader invigilates, and as what; null for everybody else. */
  duty: z
    .object({ location_id: id, role: z.enum(INVIGILATOR_ROLES.map((invigilatorRole) => invigilatorRole.value)) })
    .nullable(),
  open_book: z.boolean(),
  calculator: z.boolean(),
  instructions: z.string().nullable(),
})
export type ListedExam = z.output<typeof listed>
/** What every list answers; nothing is changed by asking. */
const list = { response: z.object({ data: z.array(listed) }), reads: true } as const
const LOOK = ['access_examSchedule', 'show_my_schedule'] as const
const byExam = z.strictObject({ exam_id: id.optional() })
const lookups = z.object({
  data: z.object({
    exams: z.array(option),
    exam_slots: z.array(option),
    locations: z.array(option),
    roles: z.array(option),
  }),
})
/** What a warning says; nothing is refused for it. */
const warning = z.object({
  code: z.string(),
  en: z.string(),
  ar: z.string(),
  data: z.record(z.string(), z.unknown()).optional(),
})

export const scheduleCalls = {
  ofExam: call('POST', '/exam-schedules/{id}', {
    permission: 'access_examSchedule',
    summary: ['List the schedules of an exam', 'عرض مواعيد امتحان'],
    ...list,
  }),
  ownInstructor: call('POST', '/exam-schedules/instructor', {
    permission: LOOK,
    summary: ['List the exams that I invigilate', 'عرض الامتحانات التي أراقبها'],
    body: byExam,
    ...list,
    kept: true,
  }),
  ofInstructor: call('POST', '/exam-schedules/instructor/{id}', {
    permission: 'access_examSchedule',
    summary: ['List the exams that an instructor invigilates', 'عرض الامتحانات التي يراقبها عضو هيئة تدريس'],
    body: byExam,
    ...list,
  }),
  locations: call('POST', '/exam-schedules/location', {
    permission: 'access_examSchedule',
    summary: ['List exams by hall', 'عرض الامتحانات حسب القاعة'],
    body: byExam,
    ...list,
  }),
  ofLocation: call('POST', '/exam-schedules/location/{id}', {
    permission: 'access_examSchedule',
    summary: ['List the exams in a hall', 'عرض امتحانات قاعة'],
    body: byExam,
    ...list,
  }),
  lookups: call('POST', '/exam-schedules/lookups', {
    permission: 'access_examSchedule',
    summary: ['What an exam schedule is made of', 'قوائم الاختيار لمواعيد الامتحانات'],
    response: lookups,
    reads: true,
  }),
  lookupsOf: call('POST', '/exam-schedules/lookups/{id}', {
    permission: 'access_examSchedule',
    summary: ['What a schedule of an exam is made of', 'قوائم الاختيار لمواعيد امتحان'],
    response: lookups,
    reads: true,
  }),
  ofType: call('GET', '/exam-schedules/{id}/{type}', {
    permission: LOOK,
    summary: [
      'List the exams of a student, instructor, hall or offering',
      'عرض امتحانات طالب أو عضو هيئة تدريس أو قاعة أو مقرر',
    ],
    params: z.object({ id: idParam, type: z.enum(LIST_TYPES) }),
    response: list.response,
    kept: 'own',
  }),
  put: call('POST', '/exam-schedules/put/exam-schedule', {
    permission: ['add_examSchedule', 'edit_examSchedule'],
    summary: [
      'Save an exam schedule and tell what is on the same day',
      'حفظ موعد امتحان مع التنبيه إلى امتحانات اليوم نفسه',
    ],
    body: z.strictObject({
      id: id.optional(),
      version: z.int().optional(),
      exam_id: id.optional(),
      offering_id: id.optional(),
      on_date: date.nullish(),
      exam_slot_id: id.nullish(),
      is_locked: z.boolean().optional(),
      duration: z.int().min(5).max(600).nullish(),
      locations: z
        .array(z.strictObject({ id: id.optional(), location_id: id, seats: z.int().min(1) }))
        .max(60)
        .optional(),
      instructors: z
        .array(
          z.strictObject({
            id: id.optional(),
            location_id: id,
            instructor_id: id,
            role: z.enum(INVIGILATOR_ROLES.map((invigilatorRole) => invigilatorRole.value)),
          }),
        )
        .max(120)
        .optional(),
    }),
    response: z.object({ data: rowSchema(examSchedule, 'detail'), warnings: z.array(warning) }),
    example: { exam_id: 4, offering_id: 262 },
  }),
  availableLocations: call('POST', '/exam-schedules/get_available_locations', {
    permission: 'access_examSchedule',
    summary: ['Halls of an exam with free seats at a time', 'قاعات الامتحان ومقاعدها الخالية في موعد'],
    body: z.strictObject({ exam_id: id, on_date: date, exam_slot_id: id, exam_schedule_id: id.optional() }),
    response: z.object({ data: z.array(ref.extend({ seats: z.int(), taken: z.int(), free: z.int() })) }),
    reads: true,
    example: { exam_id: 1, on_date: '2026-12-01', exam_slot_id: 1 },
  }),
  specifications: call('PUT', '/exam-schedules/specifications/{id}', {
    permission: 'edit_examSchedule',
    summary: ['Change what is allowed in an exam and how long it lasts', 'تعديل مواصفات الامتحان ومدته'],
    body: z.strictObject({
      duration: z.int().min(5).max(600).nullable().optional(),
      open_book: z.boolean().optional(),
      calculator: z.boolean().optional(),
      instructions: safeText(2000).nullable().optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: rowSchema(examSchedule, 'detail') }),
    example: { calculator: true },
  }),
  students: call('POST', '/exam-schedules/get_students_registrations/{id}', {
    permission: 'access_examSchedule',
    summary: ['List the students who sit an exam', 'عرض الطلاب المسجلين في امتحان'],
    response: z.object({
      data: z.array(z.object({ registration_id: id, student: ref, same_day: z.int(), clashes: z.int() })),
    }),
    reads: true,
  }),
}
