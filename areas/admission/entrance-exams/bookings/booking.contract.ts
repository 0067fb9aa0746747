import { z } from 'zod'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { cutAnswer, cutQuery } from '#kit/contract/cut.ts'
import { bulkResult, call, id, idParam, paperLanguage, problem, ref } from '#kit/contract/index.ts'
import { ENTRANCE_ATTENDANCE, ENTRANCE_KINDS } from '../words.contract.ts'

const kind = z.enum(ENTRANCE_KINDS.map(({ value }) => value))
const attendance = z.enum(ENTRANCE_ATTENDANCE.map(({ value }) => value))
const status = z.enum(APPLICANT_STATUSES.map(({ value }) => value))
const key = z.string().regex(/^[\w-]{43}$/)

/** An appointment as whoever comes to it sees it. */
const appointment = z.object({
  id,
  code: z.string(),
  kind,
  begins_at: z.string(),
  minutes: z.int(),
  hall: ref.extend({ building: ref }).nullable(),
  place: z.string().nullable(),
})
export type ShownAppointment = z.output<typeof appointment>

const freeAppointment = appointment.extend({ free: z.int() })
export type FreeAppointment = z.output<typeof freeAppointment>

/** What of a kind an applicant has to come to in the attempt under way, and where. */
const asked = z.object({
  kind,
  booking_id: id.nullable(),
  appointment: appointment.nullable(),
  attendance: attendance.nullable(),
  /** Whether it can be chosen or changed now by whoever asks; else why not. */
  changeable: z.boolean(),
  why: problem.nullable(),
  free: z.array(freeAppointment),
})
export type AskedAppointment = z.output<typeof asked>

/** Somebody who comes to an appointment. */
const comer = z.object({
  id,
  applicant: ref.extend({ id }),
  status,
  attempt: z.int(),
  national_id_end: z.string().nullable(),
  phone: z.string().nullable(),
  attendance: attendance.nullable(),
  exam_result: z.string().nullable(),
  interview_passed: z.boolean().nullable(),
})
export type Comer = z.output<typeof comer>

const file = z.strictObject({ lang: paperLanguage.default('ar') })

export const entranceBookingCalls = {
  mine: call('GET', '/admission/{id}/{key}/appointments', {
    permission: 'public',
    params: z.object({ id: idParam, key }),
    summary: ['Appointments of an application, to whoever has its key', 'مواعيد طلب تقديم لمن لديه مفتاحه السري'],
    response: z.object({ data: z.array(asked) }),
    reads: true,
  }),
  choose: call('PUT', '/admission/{id}/{key}/appointments', {
    permission: 'public',
    params: z.object({ id: idParam, key }),
    summary: ['Choose an appointment, or another one', 'اختيار موعد أو تغييره'],
    body: z.strictObject({ appointment_id: id }),
    response: z.object({ data: z.array(asked) }),
    example: { appointment_id: 1 },
  }),
  ofApplicant: call('GET', '/entrance-exams/applicant/{id}', {
    permission: 'access_entrance_exam',
    summary: ['Appointments and results of an applicant', 'مواعيد متقدم ونتائجه'],
    response: z.object({
      data: z.object({
        status,
        version: z.int(),
        attempt: z.int(),
        exam_result: z.string().nullable(),
        interview_passed: z.boolean().nullable(),
        has_exam: z.boolean(),
        has_interview: z.boolean(),
        min_exam: z.string().nullable(),
        asked: z.array(asked),
        /** Earlier appointments, and those that ended. */
        earlier: z.array(
          z.object({ id, appointment, attempt: z.int(), attendance: attendance.nullable(), ended: z.boolean() }),
        ),
      }),
    }),
    traced: 'applicant',
  }),
  comers: call('GET', '/entrance-appointments/comers/{id}', {
    permission: 'access_entrance_exam',
    summary: ['Who comes to an appointment', 'من يحضر موعدًا'],
    query: cutQuery,
    response: cutAnswer(comer),
  }),
  book: call('POST', '/entrance-bookings/book', {
    permission: 'manage_entrance_exam',
    summary: ['Give applicants an appointment, or another one', 'تحديد موعد لمتقدمين أو تغييره'],
    body: z.strictObject({ applicant_ids: z.array(id).min(1).max(500), appointment_id: id }),
    response: z.object({ data: bulkResult }),
    example: { applicant_ids: [1], appointment_id: 1 },
  }),
  unbook: call('DELETE', '/entrance-bookings/{id}', {
    permission: 'manage_entrance_exam',
    summary: ['Take the appointment of an applicant back', 'إلغاء موعد متقدم'],
    response: z.object({ data: z.null() }),
  }),
  attend: call('PUT', '/entrance-appointments/attendance/{id}', {
    permission: 'manage_entrance_exam',
    summary: ['Write down who came to an appointment', 'تسجيل حضور موعد'],
    body: z.strictObject({
      bookings: z
        .array(z.strictObject({ id, attendance: attendance.nullable() }))
        .min(1)
        .max(5000),
    }),
    response: z.object({ data: z.object({ noted: z.int() }) }),
    example: { bookings: [{ id: 1, attendance: 'came' }] },
  }),
  placeAll: call('POST', '/entrance-exams/place-all', {
    permission: 'manage_entrance_exam',
    summary: ['Give all who have none an appointment', 'تحديد مواعيد لكل من لا موعد له'],
    body: z.strictObject({ admission_id: id, kind }),
    response: z.object({ job_id: z.string() }),
    example: { admission_id: 5, kind: 'exam' },
  }),
  overview: call('GET', '/entrance-exams/overview/{id}', {
    permission: 'access_entrance_exam',
    summary: ['Where the entrance exam of an admission stands', 'موقف اختبارات القبول في فترة قبول'],
    response: z.object({
      data: z.object({
        admission: ref,
        has_exam: z.boolean(),
        has_interview: z.boolean(),
        min_exam: z.string().nullable(),
        /** Applicants by where they stand. */
        awaiting: z.int(),
        passed: z.int(),
        failed: z.int(),
        kinds: z.array(
          z.object({
            kind,
            appointments: z.int(),
            /** Places that are still to come, and how many of them are free. */
            places: z.int(),
            free: z.int(),
            booked: z.int(),
            missing: z.int(),
          }),
        ),
      }),
    }),
  }),
  admissions: call('GET', '/entrance-exams/admissions', {
    permission: 'access_entrance_exam',
    summary: ['Admissions with an exam', 'فترات القبول ذات الاختبار'],
    query: cutQuery,
    response: cutAnswer(ref.extend({ awaiting: z.int() })),
  }),
  doorList: call('POST', '/entrance-appointments/door-list/{id}', {
    permission: 'access_entrance_exam',
    summary: ['Print the list for the door of an appointment', 'طباعة كشف حضور موعد'],
    body: file,
    file: { name: 'Door list.pdf', type: 'pdf' },
    reads: true,
    example: { lang: 'ar' },
  }),
  doorSheet: call('POST', '/entrance-appointments/door-sheet/{id}', {
    permission: 'access_entrance_exam',
    summary: ['Who comes to an appointment, as a sheet', 'كشف حضور موعد في جدول'],
    body: file,
    file: { name: 'Door list.xlsx', type: 'xlsx' },
    reads: true,
    example: { lang: 'ar' },
  }),
}

/** What became of placing all. */
const placed = z.object({
  placed: z.int(),
  unplaced: z.array(z.object({ id, code: z.string(), name: z.string().nullable(), why: problem })),
  /** Further applicants who could not be placed. */
  more: z.int(),
})
export type PlacedAll = z.output<typeof placed>
