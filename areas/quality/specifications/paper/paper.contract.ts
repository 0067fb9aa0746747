import { call, idParam, paperLanguage } from '#kit/contract/index.ts'
import { z } from 'zod'

const FORMATS = ['pdf', 'xlsx'] as const
const params = z.object({ type: z.enum(FORMATS), id: idParam })
const query = z.object({
  lang: paperLanguage.optional(),
  /** One version; else the one that is approved last, or the latest. */
  specification_id: idParam.optional(),
})
const file = { name: 'Specification.pdf', type: 'pdf' } as const

/** `{id}` is a course, or a program: its specification as the national template has it. */
export const specificationPaperCalls = {
  course: call('GET', '/quality/courses-specs/export-{type}/{id}', {
    permission: ['export_specification', 'show_specification'],
    summary: ['The specification of a course as PDF or sheet', 'توصيف مقرر في ملف PDF أو جدول'],
    params,
    query,
    file,
  }),
  program: call('GET', '/quality/programs-specs/export-{type}/{id}', {
    permission: ['export_specification', 'show_specification'],
    summary: ['The specification of a program as PDF or sheet', 'توصيف برنامج في ملف PDF أو جدول'],
    params,
    query,
    file,
  }),
}
