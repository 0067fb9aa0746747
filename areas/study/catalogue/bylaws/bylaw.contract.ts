import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { PROGRAM_TYPES } from '../words.contract.ts'

/** The regulation a faculty teaches under. What it says about grades, levels and loads are its settings. */
export const bylaw = resource({
  name: 'bylaw',
  path: '/bylaws',
  table: 'bylaws',
  one: ['Bylaw', 'لائحة'],
  many: ['Bylaws', 'اللوائح'],
  adding: ['Add bylaw', 'إضافة لائحة'],
  editing: ['Edit bylaw', 'تعديل لائحة'],
  permissions: crud('bylaw'),
  scope: ['faculty', 'bylaw'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true }),
    start_year: f.integer(['In force from year', 'سارية من عام'], { min: 1900, max: 2200, year: true }),
    program_type: f.choice(['Program type', 'نظام الدراسة'], PROGRAM_TYPES),
    in_admission: f.flag(['Open for admission', 'متاحة للقبول'], {
      help: ['New students enter under it.', 'يُقيَّد عليها الطلاب الجدد.'],
    }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'start_year', 'program_type', 'in_admission'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'faculty_id', 'start_year'],
    filters: ['faculty_id', 'program_type', 'in_admission'],
    order: ['code', 'asc'],
  },
  exportName: 'bylaws',
  softDelete: true,
  screens: {
    list: '/settings/bylaws',
    show: '/bylaws/:id',
    add: '/settings/bylaws/show/add/:faculty_id?',
    edit: '/settings/bylaws/edit/:id',
  },
  menu: { group: 'catalogue', order: 30, icon: 'gavel' },
})
