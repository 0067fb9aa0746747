import { z } from 'zod'
import { APPLICANT_STATUSES } from '#areas/admission/applicants/words.contract.ts'
import { call, id, idParam, importLinesQuery, importMend, importPreview, problem } from '#kit/contract/index.ts'

const status = z.enum(APPLICANT_STATUSES.map(({ value }) => value))
const percent = z
  .string()
  .trim()
  .regex(/^\d{1,3}(?:\.\d{1,2})?$/)
const checked = z.object({ id: idParam, import_id: z.uuid() })

/** What a result led to. */
export const ENTRANCE_OUTCOMES = ['passed', 'failed', 'waits'] as const

export const entranceResultCalls = {
  enter: call('PUT', '/entrance-exams/result/{id}', {
    permission: 'enter_applicant_result',
    summary: ['Enter the result of an applicant', 'تسجيل نتيجة متقدم'],
    body: z.strictObject({
      /** In percent. Left out: as it stands. */
      exam_result: percent.nullish(),
      interview_passed: z.boolean().nullish(),
      /** The version seen. */
      version: z.int().optional(),
    }),
    response: z.object({ data: z.object({ outcome: z.enum(ENTRANCE_OUTCOMES), status }) }),
    example: { exam_result: '72.5' },
  }),
  preview: call('POST', '/entrance-exams/import/{id}/preview', {
    permission: 'enter_applicant_result',
    summary: ['Check a sheet of results of an admission', 'مراجعة ملف نتائج اختبارات القبول'],
    upload: { field: 'file', accept: ['xlsx', 'csv'] },
    response: z.object({ data: importPreview }),
  }),
  lines: call('POST', '/entrance-exams/import/{id}/rows/{import_id}', {
    permission: 'enter_applicant_result',
    summary: ['Show rows of a checked sheet of results', 'عرض صفوف ملف نتائج تمت مراجعته'],
    params: checked,
    body: importLinesQuery,
    response: z.object({ data: importPreview }),
    reads: true,
  }),
  mend: call('POST', '/entrance-exams/import/{id}/mend/{import_id}', {
    permission: 'enter_applicant_result',
    summary: ['Correct rows of a checked sheet of results', 'تصحيح صفوف ملف نتائج تمت مراجعته'],
    params: checked,
    body: importMend,
    response: z.object({ data: importPreview }),
  }),
  save: call('POST', '/entrance-exams/import/{id}/save/{import_id}', {
    permission: 'enter_applicant_result',
    summary: [
      'Store a checked sheet of results, and take the step of each',
      'حفظ ملف نتائج تمت مراجعته واعتماد النتائج',
    ],
    params: checked,
    response: z.object({
      data: z.object({
        stored: z.int(),
        passed: z.int(),
        failed: z.int(),
        /** Stored; the rest of the result is still to come. */
        waits: z.int(),
        /** Stored; the step was refused. */
        refused: z.array(z.object({ id, row: z.int(), code: z.string(), errors: z.array(problem) })),
      }),
    }),
  }),
}
