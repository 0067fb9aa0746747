import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { ACCOUNT_STATES } from '../account/account.contract.ts'
import { NAMES_IN_SHEETS } from '../names/name-fields.contract.ts'

/** Academic ranks. */
export const ACADEMIC_TITLES = [
  { value: 'professor', label: ['Professor', 'أستاذ'] },
  { value: 'associate_professor', label: ['Associate professor', 'أستاذ مساعد'] },
  { value: 'lecturer', label: ['Lecturer', 'مدرس'] },
  { value: 'assistant_lecturer', label: ['Assistant lecturer', 'مدرس مساعد'] },
  { value: 'demonstrator', label: ['Demonstrator', 'معيد'] },
  { value: 'expert', label: ['Expert', 'خبير'] },
] as const
/** The highest degree that somebody has taken. */
export const DEGREES = [
  { value: 'doctorate', label: ['Doctorate', 'دكتوراه'] },
  { value: 'master', label: ['Master', 'ماجستير'] },
  { value: 'diploma', label: ['Postgraduate diploma', 'دبلوم دراسات عليا'] },
  { value: 'bachelor', label: ['Bachelor', 'بكالوريوس أو ليسانس'] },
] as const
export const GENDERS = [
  { value: 1, label: ['Male', 'ذكر'] },
  { value: 2, label: ['Female', 'أنثى'] },
] as const

/** Who reads whether an instructor signs in. */
const ACCOUNT_READERS = ['edit_instructor', 'access_users', 'user_access_users'] as const

/** A member of the teaching staff. */
export const instructor = resource({
  name: 'instructor',
  path: '/instructors',
  table: 'instructors',
  one: ['Instructor', 'عضو هيئة تدريس'],
  many: ['Instructors', 'أعضاء هيئة التدريس'],
  adding: ['Add instructor', 'إضافة عضو هيئة تدريس'],
  editing: ['Edit instructor', 'تعديل عضو هيئة تدريس'],
  permissions: crud('instructor'),
  scope: ['faculty', 'department', 'bylaw', 'program', 'own'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20, merged: 'kept' }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, person: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, person: true }),
    academic_title: f.choice(['Academic rank', 'الدرجة العلمية'], ACADEMIC_TITLES),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true, merged: 'kept' }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id', merged: 'kept' }),
    degree: f.choice(['Highest degree', 'أعلى مؤهل علمي'], DEGREES),
    specialty: f.text(['Specialty', 'التخصص'], { detailOnly: true }),
    specialty_local: f.localText(['Specialty in Arabic', 'التخصص بالعربية'], { detailOnly: true }),
    office_id: f.lookup(['Office', 'المكتب'], 'location', {
      detailOnly: true,
      help: [
        'A room of the university; office hours say when',
        'غرفة من مباني الجامعة، والساعات المكتبية تحدد المواعيد',
      ],
    }),
    email: f.email(['E-mail', 'البريد الإلكتروني']),
    // Who arranges the teaching reaches the teachers.
    phone: f.phone(['Phone', 'الهاتف'], { readers: ['edit_instructor', 'edit_offering_team', 'self'] }),
    gender: f.choice(['Gender', 'النوع'], GENDERS, { detailOnly: true }),
    national_id: f.nationalId(['National id', 'الرقم القومي'], {
      detailOnly: true,
      readers: ['edit_instructor', 'self'],
    }),
    // Who keeps the records and the accounts invites people, and sees who has come.
    account_state: f.choice(['Account', 'الحساب'], ACCOUNT_STATES, {
      readOnly: true,
      noExport: true,
      readers: ACCOUNT_READERS,
    }),
    last_login_at: f.instant(['Last sign-in', 'آخر دخول'], {
      detailOnly: true,
      readOnly: true,
      noExport: true,
      readers: ACCOUNT_READERS,
    }),
    account_id: f.integer(['Number of the account', 'رقم الحساب'], {
      detailOnly: true,
      readOnly: true,
      noExport: true,
      readers: ACCOUNT_READERS,
    }),
    blocked_at: f.instant(['Blocked since', 'موقوف منذ'], { detailOnly: true, readOnly: true, noExport: true }),
    max_advised: f.integer(['Advises at most', 'الحد الأقصى لطلاب الإرشاد'], {
      max: 10_000,
      help: ['Empty: is no academic advisor', 'فارغ: ليس مرشدًا أكاديميًا'],
    }),
  },
  sections: [
    { title: ['Person', 'الشخص'], fields: ['name', 'name_local', 'gender', 'national_id', 'email', 'phone'] },
    {
      title: ['Work', 'العمل'],
      fields: ['code', 'academic_title', 'faculty_id', 'department_id', 'office_id', 'max_advised'],
    },
    { title: ['Account', 'الحساب'], fields: ['account_state', 'last_login_at', 'blocked_at'] },
    { title: ['Degree', 'المؤهل العلمي'], fields: ['degree', 'specialty', 'specialty_local'] },
  ],
  sheetFields: NAMES_IN_SHEETS,
  list: {
    columns: [
      'code',
      'name',
      'name_local',
      'academic_title',
      'degree',
      'faculty_id',
      'department_id',
      'email',
      'account_state',
    ],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'academic_title'],
    filters: ['faculty_id', 'department_id', 'academic_title', 'degree', 'account_state'],
    order: ['name', 'asc'],
  },
  exportName: 'Instructors',
  traced: true,
  softDelete: true,
  screens: {
    list: '/staff',
    show: '/instructors/:id',
    add: '/instructors/show/add',
    edit: '/instructors/edit/:id',
  },
  menu: { group: 'people', order: 505, icon: 'chalkboard', block: 'staff', subject: 'people' },
})
