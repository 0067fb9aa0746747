import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'

/** An academic year: its terms lie within it. */
export const year = resource({
  name: 'year',
  path: '/years',
  table: 'years',
  one: ['Academic year', 'عام دراسي'],
  many: ['Academic years', 'الأعوام الدراسية'],
  adding: ['Add academic year', 'إضافة عام دراسي'],
  editing: ['Edit academic year', 'تعديل عام دراسي'],
  permissions: { ...crud('year'), import: null },
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20, year: true }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 100 }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 100 }),
    start_date: f.date(['Begins', 'يبدأ'], { required: true }),
    end_date: f.date(['Ends', 'ينتهي'], { required: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'start_date', 'end_date'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'start_date', 'end_date'],
    filters: [],
    order: ['start_date', 'desc'],
  },
  exportName: 'Years',
  softDelete: true,
  screens: {
    list: '/settings/years',
    show: '/settings/years/show/:id?',
    add: '/settings/years/show/add',
    edit: '/settings/years/edit/:id',
  },
  menu: { group: 'catalogue', order: 60, icon: 'calendar', only: ['edit_year', 'access_offering'] },
})
