import { crud } from '#access/permissions.contract.ts'
import { f, ref, resource } from '#kit/contract/index.ts'
import { ACCOUNT_STATES } from '../account/account.contract.ts'
import { NAMES_IN_SHEETS } from '../names/name-fields.contract.ts'
import { CONTRACT_KINDS } from './employee.rules.ts'
import { z } from 'zod'

/** Languages in which the program speaks to a person. */
export const LANGUAGE_NAMES = [
  { value: 'ar', label: ['Arabic', 'العربية'] },
  { value: 'en', label: ['English', 'الإنجليزية'] },
  { value: 'de', label: ['German', 'الألمانية'] },
  { value: 'fr', label: ['French', 'الفرنسية'] },
  { value: 'pt', label: ['Portuguese', 'البرتغالية'] },
] as const

/** Who reads on what terms somebody works here: who keeps the record, and the person. */
export const CONTRACT_READERS = ['edit_employee', 'self'] as const
/** How a list is narrowed by contracts. */
export const CONTRACT_FILTER = [
  { value: 'ends_soon', label: ['Ends within 30 days', 'ينتهي خلال 30 يومًا'] },
  { value: 'ended', label: ['Has ended', 'انتهى'] },
  { value: 'none', label: ['None', 'لا يوجد'] },
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
  scope: ['faculty', 'department', 'own'],
  fields: {
    code: f.code(['Staff number', 'الرقم الوظيفي'], { max: 20, merged: 'kept' }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, person: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, person: true }),
    job_title_id: f.lookup(['Job title', 'المسمى الوظيفي'], 'jobTitle'),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
      merged: 'kept',
      help: ['Empty: works for the whole university', 'فارغ: يعمل في الإدارة المركزية للجامعة'],
    }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id', merged: 'kept' }),
    manager_id: f.lookup(['Manager', 'المدير المباشر'], 'employee'),
    email: f.email(['E-mail', 'البريد الإلكتروني'], {
      merged: 'kept',
      required: true,
      help: ['Signs in with it', 'يسجل الدخول به'],
    }),
    phone: f.phone(['Phone', 'الهاتف']),
    language: f.choice(['Language', 'اللغة'], LANGUAGE_NAMES, { detailOnly: true }),
    contracts: f.rows(
      ['Contracts', 'العقود'],
      {
        kind: f.choice(['Kind of contract', 'نوع العقد'], CONTRACT_KINDS, { required: true }),
        from_date: f.date(['From', 'من'], { required: true }),
        to_date: f.date(['To', 'إلى']),
      },
      {
        table: 'employee_contracts',
        parent: 'employee_id',
        by: 'c.from_date desc, c.id desc',
        max: 40,
        detailOnly: true,
        readers: CONTRACT_READERS,
      },
    ),
    contract_ends_on: f.date(['Contract until', 'العقد حتى'], { readOnly: true, readers: CONTRACT_READERS }),
    team: f.integer(['People managed', 'عدد مرؤوسيه'], { readOnly: true, detailOnly: true, noExport: true }),
    roles: f.json(['Roles', 'الأدوار'], z.array(ref), { readOnly: true, noExport: true }),
    last_login_at: f.instant(['Last sign-in', 'آخر دخول'], { readOnly: true }),
    account_state: f.choice(['Account', 'الحساب'], ACCOUNT_STATES, { readOnly: true, noExport: true }),
    blocked_at: f.instant(['Blocked since', 'موقوف منذ'], { readOnly: true }),
  },
  sections: [
    { title: ['Person', 'الشخص'], fields: ['name', 'name_local', 'email', 'phone', 'language'] },
    { title: ['Work', 'العمل'], fields: ['code', 'job_title_id', 'faculty_id', 'department_id', 'manager_id', 'team'] },
    { title: ['Contracts', 'العقود'], fields: ['contracts', 'contract_ends_on'] },
    { title: ['Account', 'الحساب'], fields: ['account_state', 'roles', 'last_login_at', 'blocked_at'] },
  ],
  sheetFields: NAMES_IN_SHEETS,
  list: {
    columns: [
      'code',
      'name',
      'name_local',
      'job_title_id',
      'email',
      'faculty_id',
      'department_id',
      'contract_ends_on',
      'account_state',
      'roles',
      'last_login_at',
      'phone',
      'blocked_at',
    ],
    search: ['code', 'name', 'name_local', 'email'],
    sort: ['code', 'name', 'name_local', 'email', 'contract_ends_on', 'last_login_at'],
    filters: [
      'job_title_id',
      'faculty_id',
      'department_id',
      'manager_id',
      'contract_ends_on',
      'account_state',
      'blocked_at',
      'last_login_at',
    ],
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
  menu: { group: 'people', order: 520, icon: 'id-badge-2', block: 'staff', subject: 'people' },
})
