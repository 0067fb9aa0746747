import { z } from 'zod'
import { call } from '#kit/contract/index.ts'

export const paperCalls = {
  /** Registration form of the term with the weekly timetable. */
  form: call('GET', '/registrations/students/export-registration/{student_id}/{lang}', {
    permission: ['access_student', 'show_registration', 'request_registration', 'accept_registration'],
    summary: ['Registration form with the weekly timetable', 'استمارة التسجيل مع الجدول الأسبوعي'],
    query: z.strictObject({
      term_id: z
        .string()
        .regex(/^\d{1,9}$/)
        .transform(Number)
        .optional(),
    }),
    file: { name: 'registration.pdf', type: 'pdf' },
    traced: 'student',
  }),
  /** What the student has passed, what runs and what is missing, per requirement of the plan. */
  audit: call('POST', '/registrations/students/print-pdf/{id}', {
    permission: ['access_student', 'show_registration', 'request_registration', 'accept_registration'],
    summary: ['Audit report of a student', 'تقرير مراجعة مقررات الطالب'],
    body: z.strictObject({ lang: z.enum(['ar', 'en']).optional() }),
    file: { name: 'audit-report.pdf', type: 'pdf', fixed: true },
    traced: 'student',
    reads: true,
    example: {},
  }),
}
