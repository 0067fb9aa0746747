import { z } from 'zod'
import { crud } from '#access/crud.contract.ts'
import { call, f, id, ref, resource } from '#kit/contract/index.ts'

const PATH = '/thesis-subjects'
/** A subject that a supervisor offers, with places. */
export const thesisSubject = resource({
  name: 'thesisSubject',
  path: PATH,
  table: 'thesis_subjects',
  one: ['Subject of a thesis', 'موضوع رسالة'],
  many: ['Subjects of theses', 'موضوعات الرسائل'],
  adding: ['Offer a subject', 'طرح موضوع'],
  editing: ['Edit a subject', 'تعديل موضوع'],
  permissions: { ...crud('thesisSubject'), import: null },
  scope: ['faculty', 'department', 'own'],
  fields: {
    name: f.englishText(['English title', 'العنوان بالإنجليزية'], { required: true, max: 400 }),
    name_local: f.localText(['Arabic title', 'العنوان بالعربية'], { required: true, max: 400 }),
    instructor_id: f.lookup(['Offered by', 'صاحب الموضوع'], 'instructor', { required: true }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { required: true }),
    places: f.integer(['Places', 'الأماكن'], { required: true, min: 1, max: 20 }),
    taken: f.integer(['Taken', 'المشغول'], { readOnly: true, required: true }),
    wishes: f.integer(['Wishes', 'الرغبات'], { readOnly: true, required: true }),
    open_until: f.date(['Open until', 'متاح حتى'], { help: ['Empty: always', 'فارغ: دائمًا'] }),
    description: f.longText(['What it is about', 'نبذة'], { max: 4000, detailOnly: true }),
  },
  list: {
    columns: ['name', 'instructor_id', 'department_id', 'places', 'taken', 'wishes', 'open_until'],
    search: ['name', 'name_local'],
    sort: ['name', 'open_until'],
    filters: ['instructor_id', 'department_id', 'open_until'],
    order: ['name', 'asc'],
  },
  exportName: 'Thesis subjects',
  softDelete: true,
  screens: { list: PATH, show: `${PATH}/:id`, add: `${PATH}/add`, edit: `${PATH}/edit/:id` },
  menu: { group: 'research', order: 12, icon: 'bulb', subject: 'theses' },
})

/** Most subjects that a student wishes for. */
export const MOST_SUBJECTS = 10
const offered = z.object({
  id,
  name: z.string(),
  name_local: z.string(),
  instructor: ref,
  department: ref,
  places: z.int(),
  taken: z.int(),
  description: z.string().nullable(),
  open_until: z.string().nullable(),
  /** Which wish of the student it is; null: none. */
  wish: z.int().nullable(),
})
export type OfferedSubject = z.output<typeof offered>
const wisher = z.object({ student: ref, position: z.int(), gpa: z.string().nullable() })
export type ThesisWisher = z.output<typeof wisher>
export const subjectCalls = {
  offered: call('GET', '/thesis-wishes/my', {
    permission: 'wish_thesis',
    summary: ['Subjects a student may wish for, with the own wishes', 'الموضوعات المتاحة للطالب ورغباته'],
    response: z.object({ data: z.array(offered) }),
  }),
  wish: call('PUT', '/thesis-wishes/my', {
    permission: 'wish_thesis',
    summary: ['Put subjects in the order of the own wishes', 'ترتيب الرغبات في الموضوعات'],
    body: z.strictObject({ subject_ids: z.array(id).max(MOST_SUBJECTS) }),
    response: z.object({ data: z.object({ wishes: z.int() }) }),
    example: { subject_ids: [] },
  }),
  wishers: call('GET', '/thesis-wishes/{id}', {
    permission: 'show_thesisSubject',
    summary: ['Who wishes for a subject, the first wishes first', 'راغبو موضوع بحسب ترتيب الرغبة'],
    response: z.object({ data: z.array(wisher) }),
  }),
  take: call('POST', '/thesis-wishes/take/{id}', {
    permission: 'edit_thesisSubject',
    summary: ['Give a subject to a student: a thesis begins', 'إسناد موضوع إلى طالب وبدء رسالته'],
    body: z.strictObject({ student_id: id }),
    response: z.object({ data: z.object({ id }) }),
    example: { student_id: 1 },
  }),
}
