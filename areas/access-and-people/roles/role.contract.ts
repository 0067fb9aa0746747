import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { REACH_WORDS } from '../rights/rights.contract.ts'

/** A named set of rights, each with how far it reaches. The whole matrix belongs to the role, and is sent with it. */
export const role = resource({
  name: 'role',
  path: '/roles',
  table: 'roles',
  one: ['Role', 'دور'],
  many: ['Roles', 'الأدوار'],
  adding: ['Add role', 'إضافة دور'],
  editing: ['Edit role', 'تعديل دور'],
  permissions: { ...crud('role'), import: null },
  scope: 'university',
  fields: {
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    key: f.code(['Key', 'المفتاح'], {
      required: true,
      createOnly: true,
      help: ['Stays as it is; logs and imports name the role by it', 'لا يتغير بعد الإضافة، وبه يُذكر الدور في السجلات'],
    }),
    system: f.flag(['Comes with the program', 'من أدوار النظام'], { readOnly: true }),
    holders: f.integer(['Held by', 'عدد الحاصلين عليه'], { readOnly: true }),
    rights_count: f.integer(['Rights', 'الصلاحيات'], { readOnly: true }),
    rights: f.rows(
      ['Rights of the role', 'صلاحيات الدور'],
      {
        permission: f.text(['Right', 'الصلاحية'], { required: true, max: 100 }),
        reach: f.choice(['Reach', 'النطاق'], REACH_WORDS, { required: true }),
      },
      { table: 'role_permissions', parent: 'role_id', by: 'c.permission', max: 2000, detailOnly: true, noExport: true },
    ),
  },
  list: {
    columns: ['name', 'name_local', 'key', 'holders', 'rights_count', 'system'],
    search: ['name', 'name_local', 'key'],
    sort: ['name', 'name_local', 'key', 'holders', 'rights_count'],
    filters: ['system'],
    order: ['name', 'asc'],
  },
  exportName: 'Roles',
  softDelete: true,
  screens: {
    list: '/settings/roles',
    show: '/settings/roles/details/:id',
    add: '/settings/roles/details',
    edit: '/settings/roles/edit/:id',
  },
  menu: { group: 'settings', order: 30, icon: 'lock-access' },
})
