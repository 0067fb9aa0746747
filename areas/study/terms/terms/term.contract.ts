import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, date, f, id, ref, resource } from '#kit/contract/index.ts'

/** Kinds of term. */
export const TERM_TYPES = [
  { value: 'fall', label: ['Fall', 'الخريف'] },
  { value: 'spring', label: ['Spring', 'الربيع'] },
  { value: 'summer', label: ['Summer', 'الصيف'] },
] as const

/** A term of an academic year, in which courses are offered. */
export const term = resource({
  name: 'term',
  path: '/terms',
  table: 'terms',
  one: ['Term', 'فصل دراسي'],
  many: ['Terms', 'الفصول الدراسية'],
  adding: ['Add term', 'إضافة فصل دراسي'],
  editing: ['Edit term', 'تعديل فصل دراسي'],
  permissions: { ...crud('term'), import: null },
  scope: 'university',
  fields: {
    year_id: f.lookup(['Academic year', 'العام الدراسي'], 'year', { required: true }),
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    term_type: f.choice(['Kind', 'النوع'], TERM_TYPES, { required: true }),
    start_date: f.date(['Begins', 'يبدأ'], { required: true }),
    end_date: f.date(['Ends', 'ينتهي'], { required: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'year_id', 'term_type', 'start_date', 'end_date'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'start_date', 'end_date'],
    filters: ['year_id', 'term_type'],
    order: ['start_date', 'desc'],
  },
  exportName: 'Terms',
  softDelete: true,
  screens: {
    list: '/settings/terms',
    show: '/settings/terms/show/:id',
    add: '/settings/terms/add',
    edit: '/settings/terms/edit/:id',
  },
  menu: { group: 'catalogue', order: 61, icon: 'calendar-event', only: ['edit_term', 'access_offering'] },
})

/** What each part of the university works in now. */
export const CURRENT_TERM_KEYS = [
  'current_term',
  'current_admission_term',
  'current_admission_term_UG',
  'current_admission_term_PG',
  'current_transfer_term',
  'current_control_term',
  'current_exam_term',
] as const
export type CurrentTermKey = (typeof CURRENT_TERM_KEYS)[number]

const currentTerm = ref
  .extend({ term_type: z.string(), start_date: z.string(), end_date: z.string(), year: ref.nullable() })
  .nullable()
const perKey = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(CURRENT_TERM_KEYS.map((key) => [key, schema])) as Record<CurrentTermKey, S>

export const getCurrentTerms = call('GET', '/system/current-terms', {
  permission: 'signed_in',
  summary: ['The terms the university works in now', 'الفصول الدراسية الحالية'],
  response: z.object({ data: z.object(perKey(currentTerm)) }),
})

export const setCurrentTerms = call('PUT', '/system/current-terms', {
  permission: 'set_current_terms',
  summary: ['Choose the terms the university works in', 'تحديد الفصول الدراسية الحالية'],
  body: z.strictObject(perKey(id.optional())),
  response: z.object({ data: z.object(perKey(currentTerm)) }),
  example: { current_term: 1 },
})

/** Terms whose days a term would share. Two at once may be meant: a summer term beside a longer one. */
export const termsBeside = call('POST', '/terms/beside', {
  permission: ['add_term', 'edit_term'],
  summary: ['Terms that run in the same days', 'الفصول الدراسية التي تسري في الأيام نفسها'],
  body: z.strictObject({ id: id.optional(), start_date: date, end_date: date }),
  response: z.object({ data: z.array(ref.extend({ start_date: z.string(), end_date: z.string() })) }),
  reads: true,
  example: { start_date: '2026-09-12', end_date: '2027-01-20' },
})
