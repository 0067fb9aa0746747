import { call, id, listOf, listQuery, paperLanguage, ref } from '#kit/contract/index.ts'
import { z } from 'zod'

/** What an instructor teaches in a term, per week. Hours are decimals as text. */
const load = z.object({
  /** Of the instructor. */
  id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  academic_title: z.string().nullable(),
  faculty: ref,
  department: ref.nullable(),
  offerings: z.int(),
  /** Offerings he or she leads. */
  leads: z.int(),
  meetings: z.int(),
  lecture_hours: z.string(),
  tutorial_hours: z.string(),
  laboratory_hours: z.string(),
  clinical_hours: z.string(),
  hours: z.string(),
  /** Students of all offerings together. */
  students: z.int(),
  advised: z.int(),
})
export type InstructorLoad = z.output<typeof load>

export const loadCalls = {
  load: call('POST', '/instructors/reports', {
    permission: 'access_instructor',
    summary: ['Teaching load of instructors in a term', 'الأعباء التدريسية في فصل دراسي'],
    /** `filters.term_id`: the current term unless told. */
    body: listQuery,
    response: listOf(load),
    reads: true,
    example: { filters: {} },
  }),
  exportLoad: call('POST', '/instructors/reports/export', {
    permission: 'export_instructor',
    summary: ['Export the teaching load', 'تصدير الأعباء التدريسية'],
    body: listQuery.extend({
      columns: z.array(z.string()).max(100).optional(),
      ids: z.array(id).max(5000).optional(),
      lang: paperLanguage.optional(),
    }),
    file: { name: 'Teaching load.xlsx', type: 'xlsx' },
    reads: true,
    example: { filters: {} },
  }),
}
