import {
  call,
  exportQuery,
  f,
  id,
  idParam,
  inputSchema,
  listOf,
  listQuery,
  ref,
  rowSchema,
  safeText,
} from '#kit/contract/index.ts'
import { z } from 'zod'
import { feeCurrency, feeType } from '../words.contract.ts'
import { scholarship } from './scholarship.contract.ts'

export const GRANT_STATES = [
  { value: 'applied', label: ['Applied', 'مطبقة'], tone: 'done' },
  { value: 'lost', label: ['Lost', 'مفقودة'], tone: 'refused' },
  { value: 'removed', label: ['Removed', 'ملغاة'], tone: 'frozen' },
] as const
/** Fields by which grants are filtered and ordered. */
export const grantFields = {
  student_id: f.lookup(['Student', 'الطالب'], 'student'),
  scholarship_id: f.lookup(['Scholarship', 'المنحة'], 'scholarship'),
  year_id: f.lookup(['Academic year', 'العام الدراسي'], 'year'),
  faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty'),
  status: f.choice(['State', 'الحالة'], GRANT_STATES),
  granted_at: f.instant(['Granted', 'تاريخ المنح']),
}

const grantRow = z.object({
  id,
  version: z.int(),
  student: ref,
  faculty: ref,
  program: ref,
  scholarship: ref.extend({ basis: z.string() }),
  year: ref,
  until_year: ref,
  status: z.enum(['applied', 'lost', 'removed']),
  percent: z.string().nullable(),
  amount: z.int().nullable(),
  currency: feeCurrency.nullable(),
  types: z.array(feeType),
  /** What an automatic one stands on. */
  value: z.string().nullable(),
  reason: z.string().nullable(),
  granted_at: z.string(),
  granted_by: ref.nullable(),
  ended_at: z.string().nullable(),
  ended_by: ref.nullable(),
  ended_reason: z.string().nullable(),
  abilities: z.array(z.enum(['remove'])),
})
export type GrantRow = z.output<typeof grantRow>

/** What applying an automatic scholarship would do. */
export const applyPreview = z.object({
  students: z.int(),
  /** Of them, those who have it already. */
  kept: z.int(),
  added: z.int(),
  /** Those of siblings that only a telephone tells: nothing is granted unless a person says so. */
  proposed: z.int(),
  lost: z.int(),
  /** The term for which it is counted: the one of the year that runs, else its first; and the most that scholarships take off a line together, in hundredths of a percent. */
  term: ref.nullable(),
  cap: z.int().nullable(),
  /** What the new ones would take off that term, by currency. */
  costs: z.array(z.object({ currency: feeCurrency, amount: z.int() })),
  /** For whom it cannot be computed, e.g. without a price for the level. */
  unknown: z.int(),
  /** The first hundred of who would get it or lose it. */
  rows: z.array(
    z.object({
      student: ref,
      change: z.enum(['added', 'proposed', 'lost']),
      value: z.string().nullable(),
      amount: z.int().nullable(),
      currency: feeCurrency.nullable(),
      /** Of siblings: who they are. */
      siblings: z.array(ref),
    }),
  ),
})
export type ApplyPreview = z.output<typeof applyPreview>

const see = ['access_scholarship', 'access_student'] as const
const row = z.object({ data: rowSchema(scholarship, 'detail') })
const example = {
  code: 'ZZC',
  name: 'Top three',
  name_local: 'الثلاثة الأوائل',
  basis: 'rank',
  from_value: '1.00',
  to_value: '3.00',
  percent: '15.00',
  types: ['tuition'],
}
const when = z.strictObject({ year_id: id, term_id: id.optional() })

/** Scholarships of students: given by hand, or by what is known of them. */
export const grantCalls = {
  automatic: call('POST', '/scholarship/get-automatic-scholarship', {
    permission: 'access_scholarship',
    summary: ['List automatic scholarships', 'عرض المنح التلقائية'],
    body: listQuery,
    response: listOf(rowSchema(scholarship, 'list')),
    reads: true,
  }),
  addAutomatic: call('POST', '/scholarship/create-automatic-scholarship/{bylaw}', {
    permission: 'add_scholarship',
    summary: ['Add an automatic scholarship to a bylaw', 'إضافة منحة تلقائية للائحة'],
    body: inputSchema(scholarship, 'create'),
    response: row,
    example,
  }),
  putAutomatic: call('POST', '/scholarship/edit-automatic-scholarship/{id}', {
    permission: 'edit_scholarship',
    summary: ['Change an automatic scholarship', 'تعديل منحة تلقائية'],
    body: inputSchema(scholarship, 'update'),
    response: row,
    example: { percent: '20.00' },
  }),
  removeAutomatic: call('DELETE', '/scholarship/delete-automatic-scholarship/{id}', {
    permission: 'remove_scholarship',
    summary: ['Remove an automatic scholarship', 'حذف منحة تلقائية'],
    response: z.object({ data: z.object({ id }) }),
  }),
  preview: call('POST', '/scholarship/preview-automatic/{id}', {
    permission: 'grant_scholarship',
    summary: ['What applying an automatic scholarship would cost', 'تكلفة تطبيق منحة تلقائية'],
    body: when,
    response: z.object({ data: applyPreview }),
    example: { year_id: 1 },
    reads: true,
  }),
  apply: call('POST', '/scholarship/apply-automatic/{id}', {
    permission: 'grant_scholarship',
    summary: ['Apply an automatic scholarship for a year', 'تطبيق منحة تلقائية لعام'],
    body: when.omit({ term_id: true }).extend({
      /** To whom what the rule only proposes is given all the same. */
      accepted: z.array(id).max(1000).optional(),
    }),
    response: z.object({ job_id: z.string() }),
    example: { year_id: 1 },
  }),
  list: call('POST', '/scholarship/get-scholarship', {
    permission: see,
    summary: ['List scholarships of students', 'عرض منح الطلاب'],
    body: listQuery,
    response: listOf(grantRow),
    reads: true,
  }),
  ofStudent: call('POST', '/students/scholarships/get-scholarship/{id}', {
    permission: see,
    summary: ['List scholarships of a student', 'عرض منح طالب'],
    body: listQuery,
    response: listOf(grantRow),
    reads: true,
  }),
  grant: call('POST', '/students/scholarships/apply-scholarship/{id}', {
    permission: 'grant_scholarship',
    summary: ['Grant a scholarship to a student', 'منح طالب منحة'],
    body: z.strictObject({
      scholarship_id: id,
      year_id: id,
      /** The last year of it; without one it is of one year. */
      until_year_id: id.nullish(),
      reason: safeText(500, 1),
    }),
    response: z.object({ data: grantRow }),
    example: { scholarship_id: 6, year_id: 4, reason: 'Decision of the council.' },
  }),
  remove: call('DELETE', '/{resource}/{id}/payments/delete-scholarship/{scholarshipId}', {
    permission: 'grant_scholarship',
    summary: ['Remove a scholarship (scholarshipId) of a student', 'إلغاء منحة طالب'],
    params: z.object({ resource: z.enum(['students']), id: idParam, scholarshipId: idParam }),
    body: z.strictObject({ reason: safeText(500, 1), version: z.int().optional() }),
    response: z.object({ data: grantRow }),
    example: { reason: 'Granted by mistake.' },
  }),
  export: call('POST', '/scholarship/export_pdf', {
    permission: 'export_scholarship',
    summary: ['Export scholarships of students', 'تصدير منح الطلاب'],
    body: exportQuery,
    file: { name: 'scholarships.xlsx', type: 'xlsx', fixed: true },
    example: {},
    reads: true,
  }),
}
