import { z } from 'zod'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { call, date, id, paperLanguage, ref } from '#kit/contract/index.ts'

/** What is printed of a hall. */
export const PRINT_KINDS = ['door', 'plan', 'sheet'] as const
export type PrintKind = (typeof PRINT_KINDS)[number]

/** Seats of an exam: how many there are to be, and how many are there. */
const examSeats = z.object({
  exam: ref,
  term: ref,
  /** Sittings: a person with three exams sits three times. `seated` of them have a seat, `missing` have none. */
  students: z.int(),
  /** The people behind them. */
  people: z.int(),
  seated: z.int(),
  missing: z.int(),
  /** Students who have less time between two exams of a day than the way between their seats needs. */
  hurried: z.int(),
  /** Halls in which students had seats, and which the exam has no more. */
  lost: z.array(z.object({ course: ref, hall: ref, date: z.string() })),
  /** Halls in which it is taught while an exam is to be sat there: an exam week became shorter, or a meeting was moved. */
  taught: z.array(z.object({ course: ref, hall: ref, date: z.string(), meeting: z.string() })),
  /** Lists that were printed and are not right any more: others sit there, or at another time. */
  outdated: z.array(z.object({ course: ref, hall: ref, kind: z.enum(PRINT_KINDS), printed_at: z.string() })),
  /** Seats that are proposed, and not taken yet. */
  proposal: z
    .object({
      id,
      seated: z.int(),
      only_missing: z.boolean(),
      made_at: z.string(),
      unseated: z.array(z.object({ course: ref, count: z.int() })),
    })
    .nullable(),
})
export type ExamSeats = z.output<typeof examSeats>

/** A hall at a time. */
const sitting = z.object({
  /** Of one of the exams that are held there then. */
  id,
  hall: ref,
  date: z.string(),
  from: z.string(),
  to: z.string(),
  courses: z.array(z.string()),
  /** The same by name. */
  named: z.array(z.object({ code: z.string(), name: z.string(), name_local: z.string() })),
  seats: z.int(),
  seated: z.int(),
  /** Seats that are proposed here, and not taken yet: to who may take them. What could not be held is told of them, too. */
  proposed: z.int(),
  /** Seats that are kept for who comes late, and how many of the exam's are free; null: of a room for one alone. */
  reserve: z.object({ wanted: z.int(), free: z.int() }).nullable(),
  /** For the exam office: one student sits there alone; minutes for which it is held longer. */
  alone: z.boolean(),
  extra: z.int(),
  /** Pairs of neighbours who write the same exam, though others are written in the hall as well. */
  same: z.int(),
  /** Its lists: which were printed, and are still right. */
  printed: z.array(z.enum(PRINT_KINDS)),
})
export type HallSitting = z.output<typeof sitting>

const seat = z.object({
  seat: z.int(),
  row: z.int(),
  at: z.int(),
  course: z.string(),
  /** null: of another part of the university, whose exam shares the hall. */
  student: ref.nullable(),
})
export type ExamSeat = z.output<typeof seat>

const printed = {
  exam_id: id,
  /** A hall of a schedule, with all exams that share it then; absent: all halls. */
  hall_id: id.optional(),
  on_date: date.optional(),
  lang: paperLanguage.default('ar'),
}
const printExample = { exam_id: 1, lang: 'ar' } as const
/** The same for attendance sheets, which are also had of one course. */
const sheet = z.strictObject({ ...printed, exam_schedule_id: id.optional() })

const done = z.object({ job_id: z.string().nullable(), data: examSeats })

export const seatCalls = {
  lookups: call('GET', '/exam-seats/lookups', {
    permission: 'access_examSeat',
    summary: ['Exams in which students have seats', 'الامتحانات التي تُخصص لها مقاعد'],
    query: cutQuery,
    response: cutAnswer(ref.extend({ term: ref, students: z.int(), seated: z.int() })),
  }),
  show: call('GET', '/exam-seats/{id}', {
    permission: 'access_examSeat',
    summary: ['Seats of an exam and its halls', 'مقاعد امتحان وقاعاته'],
    response: z.object({
      data: examSeats,
      sittings: z.array(sitting),
      abilities: z.array(z.enum(['assign', 'print'])),
    }),
  }),
  plan: call('GET', '/exam-seats/hall/{id}', {
    permission: 'access_examSeat',
    summary: ['Who sits where in a hall at a time', 'من يجلس أين في قاعة'],
    response: z.object({
      data: sitting
        .omit({ reserve: true, alone: true, extra: true })
        .extend({ places: z.int(), across: z.int(), rows: z.array(seat) }),
    }),
  }),
  /** Of many students a job does it; what it proposes stands in the exam's seats then. */
  assign: call('POST', '/exam-seats/assign/{id}', {
    permission: 'assign_examSeat',
    summary: ['Propose seats for the students of an exam', 'اقتراح مقاعد لطلاب امتحان'],
    body: z.strictObject({
      /** Who has a seat keeps it. */
      only_missing: z.boolean().default(false),
      /** The same seed gives the same seats. */
      seed: z.int().min(1).max(2_147_483_647).optional(),
    }),
    response: done,
    example: { only_missing: false },
  }),
  take: call('POST', '/exam-seats/take/{id}', {
    permission: 'assign_examSeat',
    summary: ['Take the seats that were proposed (id)', 'اعتماد المقاعد المقترحة'],
    body: z.strictObject({}),
    response: done,
    example: {},
  }),
  discard: call('POST', '/exam-seats/discard/{id}', {
    permission: 'assign_examSeat',
    summary: ['Discard the seats that were proposed (id)', 'تجاهل المقاعد المقترحة'],
    body: z.strictObject({}),
    response: done,
    example: {},
  }),
  print: call('POST', '/exam-seats/print/{kind}', {
    permission: 'access_examSeat',
    summary: ['Print door lists or seating plans', 'طباعة قوائم الأبواب أو مخططات الجلوس'],
    params: z.object({ kind: z.enum(['door', 'plan']) }),
    body: z.strictObject(printed),
    file: { name: 'Exam Seats.pdf', type: 'pdf' },
    example: printExample,
    reads: true,
  }),
  /** Door lists of a whole exam, by a job; its result is the address of the file. */
  doorLists: call('POST', '/exam-seats/door-lists/{id}', {
    permission: 'access_examSeat',
    summary: ['Make the door lists of an exam', 'إعداد قوائم الأبواب لامتحان'],
    body: z.strictObject({ lang: paperLanguage.default('ar') }),
    response: z.object({ job_id: z.string() }),
    example: { lang: 'ar' },
  }),
  sheet: call('POST', '/exams/print-attendance-sheet', {
    permission: 'access_examSeat',
    summary: ['Print attendance sheets of an exam', 'طباعة كشوف حضور الامتحان'],
    body: sheet,
    file: { name: 'Exam Attendance Sheet.pdf', type: 'pdf', fixed: true },
    example: printExample,
    reads: true,
  }),
  sheetExcel: call('POST', '/exams/export-excel-attendance-sheet', {
    permission: 'access_examSeat',
    summary: ['Export attendance sheets of an exam', 'تصدير كشوف حضور الامتحان'],
    body: sheet,
    file: { name: 'Exam Attendance Sheet.xlsx', type: 'xlsx', fixed: true },
    example: printExample,
    reads: true,
  }),
}
export type Printed = { exam_id: number; hall_id?: number | undefined; on_date?: string | undefined; lang: 'ar' | 'en' }
