import { z } from 'zod'
import { bulkResult, call, id, idParam, ref, safeText } from '#kit/contract/index.ts'
import { APPLICANT_TYPES } from '#areas/admission/admissions/words.contract.ts'
import { APPLICANT_STATUSES, APPLICATION_TABS, type ApplicationTab } from '../words.contract.ts'

const tab = z.enum(Object.keys(APPLICATION_TABS) as [ApplicationTab, ...ApplicationTab[]])
const status = z.enum(APPLICANT_STATUSES.map(({ value }) => value))
const applicantType = z.literal(APPLICANT_TYPES.map(({ value }) => value))

/** What the desk wrote to an applicant about a tab. */
export const applicantComment = z.object({
  id,
  tab,
  text: z.string(),
  at: z.string(),
  settled: z.boolean(),
})
export type ApplicantComment = z.output<typeof applicantComment>

const file = z.object({ kind: ref, file: z.object({ id, name: z.string(), size: z.int(), url: z.string() }) })

export const applicantDeskCalls = {
  review: call('GET', '/applicants/review/{id}', {
    permission: 'show_applicant',
    summary: [
      'What is looked at in an application: its files, comments, and who else it may be',
      'ما يُراجع في طلب تقديم',
    ],
    response: z.object({
      data: z.object({
        files: z.array(file),
        comments: z.array(applicantComment.extend({ by: ref.nullable() })),
        /** Other applications of what may be the same person, with what they have in common. */
        alike: z.array(
          z.object({
            id,
            code: z.string(),
            name: z.string().nullable(),
            name_local: z.string().nullable(),
            status,
            admission: ref,
            by: z.enum(['national_id', 'passport_number', 'email', 'phone', 'name']),
          }),
        ),
      }),
    }),
    traced: 'applicant',
  }),
  comment: call('PUT', '/applicants/comments/{id}', {
    permission: 'review_applicant',
    summary: ['Write to an applicant about a tab', 'كتابة ملاحظة للمتقدم على جزء من الطلب'],
    body: z.strictObject({ tab, text: safeText(1000, 3) }),
    response: z.object({ data: applicantComment }),
    example: { tab: 'documents', text: 'The picture cannot be read.' },
  }),
  removeComment: call('DELETE', '/applicants/comments/{id}/{comment}', {
    permission: 'review_applicant',
    params: z.object({ id: idParam, comment: idParam }),
    summary: ['Take back a comment that was not sent yet', 'سحب ملاحظة لم تُرسل بعد'],
    response: z.object({ data: z.null() }),
  }),
  changeStatus: call('POST', '/applicants/bulk/change-status', {
    permission: ['review_applicant', 'cancel_applicant'],
    summary: ['Lead applications to a status', 'تغيير حالة طلبات تقديم'],
    body: z.strictObject({ ids: z.array(id).min(1).max(2000), status, reason: safeText(500).optional() }),
    response: z.object({ data: bulkResult }),
    example: { ids: [1], status: 'REVIEWED' },
  }),
  changeType: call('PUT', '/applicants/change-type/{id}', {
    permission: 'review_applicant',
    summary: ['Move an application to another admission', 'نقل طلب تقديم إلى فترة قبول أخرى'],
    body: z.strictObject({ admission_id: id }),
    response: z.object({
      data: z.object({
        id,
        type: applicantType,
        /** Wishes that are not offered there. */
        dropped: z.array(ref),
      }),
    }),
    example: { admission_id: 3 },
  }),
  removeSubject: call('DELETE', '/applicants/subjects/{id}', {
    permission: 'edit_applicant',
    summary: ['Take a mark out of an application', 'حذف درجة مادة من طلب تقديم'],
    response: z.object({ data: z.null() }),
  }),
  lookups: call('POST', '/applicants/lookups/{id}', {
    permission: 'show_applicant',
    summary: ['Lists from which an application is filled in', 'القوائم التي يُملأ منها طلب تقديم'],
    body: z.strictObject({}),
    response: z.object({ data: z.record(z.string(), z.array(z.unknown())) }),
    reads: true,
    example: {},
  }),
  report: call('POST', '/applicants/report', {
    permission: 'access_applicant',
    summary: ['Applicants of an admission by status and by program', 'المتقدمون في فترة قبول حسب الحالة والبرنامج'],
    body: z.strictObject({ admission_id: id }),
    response: z.object({
      data: z.object({
        total: z.int(),
        by_status: z.array(z.object({ status, count: z.int() })),
        by_program: z.array(
          z.object({
            program: ref,
            capacity: z.int(),
            /** Who wants it most, and who wants it at all. */
            first: z.int(),
            all: z.int(),
            best: z.string().nullable(),
            middle: z.string().nullable(),
          }),
        ),
      }),
    }),
    reads: true,
    example: { admission_id: 1 },
  }),
}
