import { crud } from '#access/permissions.contract.ts'
import { f, ref, resource } from '#kit/contract/index.ts'
import { NAMES_IN_SHEETS } from '../names/name-fields.contract.ts'
import { z } from 'zod'

/** Languages in which the program speaks to a person. */
export const LANGUAGE_NAMES = [
  { value: 'ar', label: ['Arabic', 'العربية'] },
  { value: 'en', label: ['English', 'الإنجليزية'] },
  { value: 'de', label: ['German', 'الألمانية'] },
  { value: 'fr', label: ['French', 'الفرنسية'] },
  { value: 'pt', label: ['Portuguese', 'البرتغالية'] },
] as const

/** An employee: somebody who signs in and neither teaches nor studies. */
export const employee = resource({
  name: 'employee',
  path: '/employees',
  table: 'users',
  one: ['Employee', 'موظف'],
  many: ['Employees', 'الموظفون'],
  adding: ['Add employee', 'إضافة موظف'],
  editing: ['Edit employee', 'تعديل موظف'],
  permissions: crud('employee'),
  // The address is what an account is known by; who has another kind of account is told to be somebody else.
  knownBy: 'email',
  scope: 'university',
  fields: {
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, person: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, person: true }),
    email: f.email(['E-mail', 'البريد الإلكتروني'], {
      required: true,
      help: ['Signs in with it', 'يسجل الدخول به'],
    }),
    phone: f.phone(['Phone', 'الهاتف']),
    language: f.choice(['Language', 'اللغة'], LANGUAGE_NAMES, { detailOnly: true }),
    roles: f.json(['Roles', 'الأدوار'], z.array(ref), { readOnly: true, noExport: true }),
    last_login_at: f.instant(['Last sign-in', 'آخر دخول'], { readOnly: true }),
    blocked_at: f.instant(['Blocked since', 'موقوف منذ'], { readOnly: true }),
  },
  sheetFields: NAMES_IN_SHEETS,
  list: {
    columns: ['name', 'name_local', 'email', 'phone', 'roles', 'last_login_at', 'blocked_at'],
    search: ['name', 'name_local', 'email'],
    sort: ['name', 'name_local', 'email', 'last_login_at'],
    filters: ['blocked_at', 'last_login_at'],
    order: ['name', 'asc'],
  },
  exportName: 'Employees',
  softDelete: true,
  traced: true,
  screens: {
    list: '/employees',
    show: '/employees/:id',
    add: '/employee/show/add',
    edit: '/employee/edit/:id',
  },
  menu: { group: 'people', order: 30, icon: 'id-badge-2' },
})
