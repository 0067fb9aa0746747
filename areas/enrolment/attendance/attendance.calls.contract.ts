import { z } from 'zod'
import { handInCalls } from '#kit/contract/handing-in.ts'
import { call, date as storedDate, id, idParam, problem, ref, safeText } from '#kit/contract/index.ts'
import { MEETING_TYPES } from '#kit/contract/week.ts'
import { ATTENDANCE_STATES } from './states.contract.ts'

const state = z.enum(ATTENDANCE_STATES.map((one) => one.value))
const date = z.iso.date()
/** A meeting (an offering slot) on a date. */
const occurrence = z.object({ id: idParam, date })
const counts = z.object({ present: z.int(), late: z.int(), absent: z.int(), excused: z.int() })
const share = z.object({
  absences: z.int(),
  planned: z.int(),
  /** Percent of the meetings of the term. */
  share: z.number(),
  level: z.enum(['none', 'warn', 'ban']),
  /** Limits of the student's bylaw; null: it has none. */
  warn: z.number().nullable(),
  ban: z.number().nullable(),
})
export type AttendanceShare = z.output<typeof share>

const meetingHead = z.object({
  id,
  group: z.int(),
  /** What the group is called; null: by its number. */
  group_name: z.string().nullable(),
  type: z.enum(MEETING_TYPES.map((one) => one.value)),
  /** 0 Saturday … 6 Friday; null: it has no place in the week. */
  day: z.int().nullable(),
  start: z.string().nullable(),
  end: z.string().nullable(),
  location: ref.nullable(),
  students: z.int(),
})
const offeringHead = z.object({ id, code: z.string(), course: ref, term: ref, submitted: z.boolean() })
/** A day, time and room of one meeting. */
const held = z.object({ date, start: z.string(), end: z.string(), location: ref.nullable() })
const dateRow = z.object({
  date,
  /** The cancelled date that is made up on this one, and where and when this one is held. */
  makes_up: date.nullable(),
  at: held.nullable(),
  /** Where and when a cancelled one is held instead. */
  made_up: held.nullable(),
  cancelled: z.boolean(),
  reason: z.string().nullable(),
  /** Something is recorded. */
  taken: z.boolean(),
  counts,
})
const page = z.object({
  offering: offeringHead,
  /** Of the university's clock. */
  today: date,
  meetings: z.array(meetingHead.extend({ dates: z.array(dateRow) })),
  abilities: z.array(z.string()),
})
export type AttendancePage = z.output<typeof page>

const sheetRow = z.object({
  student: ref,
  /** A link to the photo, for the reader; null: there is none. */
  photo: z.string().nullable(),
  state: state.nullable(),
  by_scan: z.boolean(),
  /** By an accepted excuse. */
  by_excuse: z.boolean(),
  share,
  case: z.string().nullable(),
})
const sheet = z.object({
  offering: offeringHead,
  meeting: meetingHead,
  date,
  today: date,
  cancelled: z.string().nullable(),
  makes_up: date.nullable(),
  /** Where and when it is held instead. */
  made_up: held.nullable(),
  students: z.array(sheetRow),
  abilities: z.array(z.string()),
})
export type AttendanceSheet = z.output<typeof sheet>

const shown = z.object({
  open: z.boolean(),
  /** Address that the code bears; null: no codes are shown. */
  url: z.string().nullable(),
  qr: z.object({ size: z.int(), path: z.string() }).nullable(),
  /** Milliseconds until the next code. */
  next_in: z.int(),
  counted: z.int(),
  students: z.int(),
  /** Who was counted, the last first. */
  arrived: z.array(z.object({ student_id: id, name: z.string(), name_local: z.string(), state })),
})
export type ShownCode = z.output<typeof shown>
const shownAnswer = z.object({ data: shown })

/** What somebody else recorded meanwhile; what was sent is not stored. */
const attendanceConflict = z.object({
  student_id: id,
  yours: state.nullable(),
  theirs: state.nullable(),
  by: z.object({ name: z.string(), name_local: z.string() }).nullable(),
  at: z.string().nullable(),
})
export type AttendanceConflict = z.output<typeof attendanceConflict>

const own = z.object({
  offering_id: id,
  course: ref,
  counts,
  share,
  case: z.string().nullable(),
  /** Meetings of which something is recorded, the last first. */
  dates: z.array(
    z.object({
      date,
      type: meetingHead.shape.type,
      state: state.nullable(),
      cancelled: z.boolean(),
      /** The day on which a cancelled meeting is held instead. */
      made_up_on: date.nullable(),
    }),
  ),
})
export type OwnAttendance = z.output<typeof own>
const owned = z.object({
  data: z.array(own),
  student: ref,
  term: ref.nullable(),
  terms: z.array(ref),
})
const termQuery = z.strictObject({ term_id: idParam.optional() })

const takes = { permission: 'take_attendance' } as const
const sees = ['access_attendance', 'take_attendance'] as const

/** Calls of attendance. A meeting is an offering slot: a weekly meeting of a group. */
export const attendanceCalls = {
  page: call('GET', '/attendance/offerings/{id}', {
    permission: sees,
    summary: ['Meetings and dates of an offering', 'مواعيد المقرر وتواريخها'],
    response: z.object({ data: page }),
    kept: true,
  }),
  sheet: call('GET', '/attendance/meetings/{id}/{date}', {
    permission: sees,
    summary: ['Attendance of a meeting on a date', 'حضور موعد في تاريخ'],
    params: occurrence,
    response: z.object({ data: sheet }),
    kept: true,
  }),
  save: call('PUT', '/attendance/meetings/{id}/{date}', {
    ...takes,
    summary: ['Record attendance of a meeting on a date', 'تسجيل حضور موعد في تاريخ'],
    params: occurrence,
    body: z.strictObject({
      /** null: nothing is said of the student any more. */
      marks: z
        .array(
          z.strictObject({
            student_id: id,
            state: state.nullable(),
            /** What stood there when it was recorded, without a line perhaps: where it changed since, it is left as it is. */
            seen: state.nullable().optional(),
          }),
        )
        .max(2000)
        .default([]),
      /** Of everybody of whom nothing is said yet, or of everybody. */
      rest: state.optional(),
      all: state.optional(),
    }),
    response: z.object({ data: z.object({ saved: z.int(), conflicts: z.array(attendanceConflict) }) }),
    example: { marks: [], rest: 'absent' },
  }),
  export: call('POST', '/attendance/export/{id}', {
    permission: sees,
    summary: ['Attendance of a meeting as a sheet', 'حضور موعد في ملف'],
    body: z.strictObject({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'Attendance.xlsx', type: 'xlsx' },
    reads: true,
    example: {},
  }),
  ...handInCalls('/attendance/import', {
    ...takes,
    summaries: {
      import: [
        'Attendance of a meeting from a sheet: preview, save, or a preview by its id',
        'استيراد حضور موعد من ملف: مراجعة أو حفظ',
      ],
      lines: ['Show rows of a checked sheet of attendance', 'عرض صفوف ملف حضور تمت مراجعته'],
      mend: ['Correct rows of a checked sheet of attendance', 'تصحيح صفوف ملف حضور تمت مراجعته'],
    },
  }),
  openCode: call('PUT', '/attendance/code/{id}/{date}', {
    ...takes,
    summary: ['Show codes that students scan', 'عرض رمز الحضور للطلاب'],
    params: occurrence,
    body: z.strictObject({
      /** Minutes after which a scan is late; absent: none is. */
      late_after: z.int().min(1).max(180).optional(),
    }),
    response: shownAnswer,
    example: { late_after: 15 },
  }),
  code: call('GET', '/attendance/code/{id}/{date}', {
    ...takes,
    summary: ['The code that is shown now, and who was counted', 'رمز الحضور الحالي ومن سُجل حضورهم'],
    params: occurrence,
    response: shownAnswer,
  }),
  closeCode: call('DELETE', '/attendance/code/{id}/{date}', {
    ...takes,
    summary: ['Stop showing codes', 'إيقاف رمز الحضور'],
    params: occurrence,
    response: shownAnswer,
  }),
  scan: call('POST', '/attendance/scan', {
    permission: 'access_student',
    summary: ['Scan the code of a meeting', 'مسح رمز حضور موعد'],
    body: z.strictObject({ code: safeText(60, 1) }),
    response: z.object({
      data: z.object({ course: ref, type: meetingHead.shape.type, date, state, at: z.string() }),
    }),
    // For the person who sits there, and nobody else.
    personal: 'always',
    example: { code: 'AAAAAQAAAAEAAAAAAAAAAAAAAAA' },
  }),
  cancel: call('POST', '/attendance/cancel/{id}/{date}', {
    ...takes,
    summary: ['Cancel a meeting on a date; its students are told', 'إلغاء موعد في تاريخ وإبلاغ طلابه'],
    params: occurrence,
    body: z.strictObject({ reason: safeText(300, 3) }),
    response: z.object({ data: z.object({ told: z.int() }) }),
    example: { reason: 'The instructor is at a conference.' },
  }),
  /** What cannot wait for the meeting: bring a laptop, another entrance. Nothing of it is kept but the notice. */
  tell: call('POST', '/attendance/tell/{id}/{date}', {
    ...takes,
    summary: ['Write to everybody who comes to a meeting', 'مراسلة كل من يحضر موعدًا'],
    params: occurrence,
    body: z.strictObject({ text: safeText(500, 3) }),
    response: z.object({ data: z.object({ told: z.int() }) }),
    example: { text: 'Please bring your laptops.' },
  }),
  restore: call('POST', '/attendance/restore/{id}/{date}', {
    ...takes,
    summary: ['Restore a cancelled meeting; its students are told', 'إعادة موعد ملغى وإبلاغ طلابه'],
    params: occurrence,
    response: z.object({ data: z.object({ told: z.int() }) }),
  }),
  makeUpPreview: call('POST', '/attendance/make-up/preview/{id}/{date}', {
    ...takes,
    summary: ['What stands against holding a cancelled meeting on another day', 'ما يمنع تعويض موعد ملغى في يوم آخر'],
    params: occurrence,
    body: z.strictObject({ on: storedDate, slot_id: id.optional(), location_id: id.nullish() }),
    response: z.object({
      data: z.object({
        periods: z.array(
          z.object({ id, name: z.string(), name_local: z.string(), start: z.string(), end: z.string() }),
        ),
        /** Rooms for the meeting; `taken`: what is held there at that time, by its course. */
        rooms: z.array(ref.extend({ capacity: z.int(), taken: z.string().nullable() })),
        problems: z.array(problem.extend({ who: z.array(ref) })),
        /** Nothing but clashes of people: it may be wanted all the same, with a reason. */
        may_insist: z.boolean(),
        told: z.int(),
      }),
    }),
    reads: true,
    example: { on: '2026-10-01' },
  }),
  makeUp: call('POST', '/attendance/make-up/{id}/{date}', {
    ...takes,
    summary: [
      'Hold a cancelled meeting on another day; everybody concerned is told',
      'تعويض موعد ملغى في يوم آخر وإبلاغ المعنيين',
    ],
    params: occurrence,
    body: z.strictObject({
      on: storedDate,
      slot_id: id,
      location_id: id.nullish(),
      /** Clashes of people are known and wanted. */
      insist: z.boolean().default(false),
      reason: safeText(300, 3).nullish(),
    }),
    response: z.object({ data: z.object({ told: z.int() }) }),
    example: { on: '2026-10-01', slot_id: 1 },
  }),
  own: call('GET', '/attendance/own', {
    permission: 'access_student',
    summary: ['My attendance in a term', 'حضوري في فصل دراسي'],
    query: termQuery,
    response: owned,
    kept: true,
  }),
  student: call('GET', '/attendance/students/{id}', {
    permission: 'access_attendance',
    summary: ['Attendance of a student in a term', 'حضور طالب في فصل دراسي'],
    query: termQuery,
    response: owned,
  }),
}
