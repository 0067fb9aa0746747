import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** A faculty: the largest unit of the university; departments, bylaws and programs belong to one. */
export const faculty = resource({
  name: 'faculty',
  path: '/faculties',
  table: 'faculties',
  one: ['Faculty', 'كلية'],
  many: ['Faculties', 'الكليات'],
  adding: ['Add faculty', 'إضافة كلية'],
  editing: ['Edit faculty', 'تعديل كلية'],
  permissions: crud('faculty'),
  scope: ['faculty'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    short_name: f.text(['Short name', 'الاسم المختصر'], { required: true, max: 40 }),
    dean_id: f.lookup(['Dean', 'العميد'], 'instructor'),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'dean_id'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: [],
    order: ['code', 'asc'],
  },
  exportName: 'faculties',
  softDelete: true,
  screens: {
    list: '/settings/faculties/:page?',
    show: '/faculties/:id',
    add: '/settings/faculties/show/add',
    edit: '/settings/faculties/edit/:id',
  },
  menu: { group: 'catalogue', order: 10, icon: 'building-bank', only: ['edit_faculty', 'access_offering'] },
})
