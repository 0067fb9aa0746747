import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

export const LOGBOOK_KINDS = [
  { value: 'procedure', label: ['Procedure', 'مهارة'] },
  { value: 'case', label: ['Case', 'حالة'] },
] as const
const wanted = { required: true, min: 0, max: 500 } as const

/** A procedure or case of a course of the internship year, with how many are wanted. */
export const logbookType = resource({
  name: 'logbookType',
  path: '/logbook-types',
  table: 'logbook_types',
  one: ['Procedure or case', 'مهارة أو حالة'],
  many: ['Procedures and cases of logbooks', 'مهارات السجل وحالاته'],
  adding: ['Add procedure or case', 'إضافة مهارة أو حالة'],
  editing: ['Edit procedure or case', 'تعديل مهارة أو حالة'],
  permissions: crud('logbookType'),
  scope: ['faculty'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    course_id: f.lookup(['Course', 'المقرر'], 'emtyazCourse', { required: true, createOnly: true }),
    kind: f.choice(['Kind', 'النوع'], LOGBOOK_KINDS, { required: true }),
    min_observed: f.integer(['Observed, at least', 'مشاهدة على الأقل'], wanted),
    min_assisted: f.integer(['Assisted, at least', 'مساعدة على الأقل'], wanted),
    min_done: f.integer(['Done, at least', 'أداء على الأقل'], wanted),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'course_id', 'kind', 'min_observed', 'min_assisted', 'min_done'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: ['course_id', 'kind'],
    order: ['code', 'asc'],
  },
  exportName: 'Procedures and cases of logbooks',
  softDelete: true,
  screens: { list: '/emtyaz/logbook-types', add: '/emtyaz/logbook-types/add', edit: '/emtyaz/logbook-types/:id' },
  menu: { group: 'services', order: 82, icon: 'stethoscope', setup: true },
  plain: true,
})
