import { call, id, paperLanguage } from '#kit/contract/index.ts'
import { z } from 'zod'

const readers = ['results_questionnaire', 'show_questionnaire'] as const
const body = z.strictObject({
  /** One offering or instructor; absent: all within reach. */
  set_id: id.optional(),
  lang: paperLanguage.default('ar'),
})
const file = { permission: [...readers], body, example: { lang: 'ar' }, reads: true } as const

/** Results as files, in Arabic or English. */
export const resultFileCalls = {
  sheet: call('POST', '/questionnaires/stats/excel/{id}', {
    ...file,
    summary: ['Results as a sheet', 'تصدير نتائج استبيان إلى Excel'],
    file: { name: 'Results.xlsx', type: 'xlsx' },
  }),
  report: call('POST', '/questionnaires/stats/report/{id}', {
    ...file,
    summary: ['Report of the results of one offering or instructor, or of all together', 'تقرير نتائج استبيان'],
    file: { name: 'Results.pdf', type: 'pdf' },
  }),
  /** A report of each offering and instructor within reach, in one ZIP: a job. */
  reports: call('POST', '/questionnaires/stats/reports/{id}', {
    permission: [...readers],
    summary: ['Make the reports of all offerings and instructors', 'إعداد تقارير كل المقررات وأعضاء هيئة التدريس'],
    body: z.strictObject({ lang: paperLanguage.default('ar') }),
    response: z.object({ job_id: z.string() }),
    example: { lang: 'ar' },
  }),
}
