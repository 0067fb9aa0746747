import { crud } from '#access/permissions.contract.ts'
import { z } from 'zod'
import { call, f, id, resource, safeText } from '#kit/contract/index.ts'
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
  menu: { group: 'settings', order: 30, icon: 'lock-access', subject: 'rights' },
})

export const roleCalls = {
  /** Whoever holds the role gets the other one, for the same part and days; then the role is removed. */
  replaceRole: call('POST', '/roles/{id}/replace', {
    permission: 'remove_role',
    summary: ['Remove a role and give its holders another one', 'حذف دور ومنح من يحملونه دورًا آخر'],
    body: z.strictObject({ role_id: id, reason: safeText(400, 3) }),
    response: z.object({ data: z.object({ id, holders: z.int() }) }),
    confirm: 'password',
    example: { role_id: 5, reason: 'The office was closed' },
  }),
}
