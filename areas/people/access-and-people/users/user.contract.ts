import { z } from 'zod'
import { f, ref, resource } from '#kit/contract/index.ts'
import { ACCOUNT_STATES } from '#areas/people/people/account/account.contract.ts'
import { LANGUAGE_NAMES } from '#areas/people/people/employees/employee.contract.ts'
import { USER_TYPES } from '../sign-in/sign-in.contract.ts'

const right = z.object({ key: z.string(), name: z.string(), name_local: z.string() })
const held = { valid_from: z.string().nullable(), valid_to: z.string().nullable() }
const scope = z.object({ type: z.string(), id: z.int(), name: z.string(), name_local: z.string() }).nullable()

/** Somebody with an account. Records are kept where people know them: students, instructors, employees. */
export const user = resource({
  name: 'user',
  path: '/users',
  table: 'users',
  one: ['User', 'مستخدم'],
  many: ['Users', 'المستخدمون'],
  adding: ['Add user', 'إضافة مستخدم'],
  editing: ['Edit user', 'تعديل مستخدم'],
  permissions: {
    list: 'access_users',
    show: 'access_users',
    export: 'access_users',
    add: 'add_users',
    edit: 'edit_users',
    remove: 'remove_users',
    restore: 'restore_users',
    import: null,
  },
  scope: ['faculty', 'department', 'bylaw', 'program'],
  fields: {
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, person: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], {
      required: true,
      person: true,
      help: ['Who studies or teaches is renamed in the own record', 'يُعدَّل اسم الطالب أو عضو هيئة التدريس في سجله'],
    }),
    email: f.email(['E-mail', 'البريد الإلكتروني'], { required: true, help: ['Signs in with it', 'يسجل الدخول به'] }),
    // It is that of the record, too: who only looks accounts up does not read what is kept from others there.
    phone: f.phone(['Phone', 'الهاتف'], { detailOnly: true, readers: ['edit_users'] }),
    language: f.choice(['Language', 'اللغة'], LANGUAGE_NAMES, { detailOnly: true }),
    type: f.choice(['Kind of account', 'نوع الحساب'], USER_TYPES, { readOnly: true }),
    roles: f.json(['Roles', 'الأدوار'], z.array(ref.extend({ scope, ...held })), { readOnly: true, noExport: true }),
    is_super_admin: f.flag(['May do everything', 'يملك كل الصلاحيات'], { readOnly: true }),
    account_state: f.choice(['Account', 'الحساب'], ACCOUNT_STATES, { readOnly: true, noExport: true }),
    last_login_at: f.instant(['Last sign-in', 'آخر دخول'], { readOnly: true }),
    blocked_at: f.instant(['Blocked since', 'موقوف منذ'], { readOnly: true }),
    role_permissions: f.json(['Rights by roles', 'صلاحيات الأدوار'], z.array(right), {
      readOnly: true,
      noExport: true,
      detailOnly: true,
    }),
    direct_permissions: f.json(['Single rights', 'صلاحيات مباشرة'], z.array(right), {
      readOnly: true,
      noExport: true,
      detailOnly: true,
    }),
    access_entries: f.json(['Access entries', 'صلاحيات ضمن نطاق'], z.array(right.extend({ scope, ...held })), {
      readOnly: true,
      noExport: true,
      detailOnly: true,
    }),
    user_access_permissions: f.json(['Rights by access entries', 'صلاحيات من نطاقات محددة'], z.array(right), {
      readOnly: true,
      noExport: true,
      detailOnly: true,
    }),
  },
  list: {
    columns: [
      'name',
      'name_local',
      'email',
      'type',
      'account_state',
      'roles',
      'is_super_admin',
      'last_login_at',
      'blocked_at',
    ],
    search: ['name', 'name_local', 'email'],
    sort: ['name', 'name_local', 'email', 'type', 'last_login_at'],
    filters: ['type', 'account_state', 'is_super_admin', 'blocked_at', 'last_login_at'],
    order: ['name', 'asc'],
  },
  exportName: 'Users',
  softDelete: true,
  traced: true,
  screens: { list: '/users', show: '/users/:id', add: '/users/show/add', edit: '/users/edit/:id' },
  menu: {
    group: 'people',
    order: 530,
    icon: 'users-group',
    block: 'staff',
    subject: 'people',
    tab: ['Everyone with an account', 'كل أصحاب الحسابات'],
  },
})
