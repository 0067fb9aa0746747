import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** A department: belongs to one faculty; courses, programs and staff belong to departments. */
export const department = resource({
  name: 'department',
  path: '/departments',
  table: 'departments',
  one: ['Department', 'قسم'],
  many: ['Departments', 'الأقسام'],
  adding: ['Add department', 'إضافة قسم'],
  editing: ['Edit department', 'تعديل قسم'],
  permissions: crud('department'),
  scope: ['faculty', 'department'],
  fields: {
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true }),
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    head_id: f.lookup(['Head of department', 'رئيس القسم'], 'instructor'),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'head_id'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'faculty_id'],
    filters: ['faculty_id'],
    order: ['code', 'asc'],
  },
  exportName: 'Departments',
  softDelete: true,
  screens: {
    list: '/departments',
    show: '/departments/:id',
    add: '/settings/departments/show/add/:faculty_id?',
    edit: '/settings/departments/edit/:id',
  },
  menu: { group: 'catalogue', order: 20, icon: 'sitemap', only: ['edit_department', 'access_offering'] },
})
