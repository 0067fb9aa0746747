import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { PROGRAM_TYPES } from '../words.contract.ts'

/** A degree programme under one bylaw. */
export const program = resource({
  name: 'program',
  path: '/programs',
  table: 'programs',
  one: ['Program', 'برنامج'],
  many: ['Programs', 'البرامج'],
  adding: ['Add program', 'إضافة برنامج'],
  editing: ['Edit program', 'تعديل برنامج'],
  permissions: crud('program'),
  scope: ['faculty', 'department', 'bylaw', 'program'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    degree: f.text(['Degree (English)', 'الدرجة العلمية (إنجليزي)']),
    degree_local: f.localText(['Degree (Arabic)', 'الدرجة العلمية (عربي)']),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true }),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { required: true, dependsOn: 'faculty_id' }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id' }),
    program_type: f.choice(['Program type', 'نظام الدراسة'], PROGRAM_TYPES),
    is_general: f.flag(['General program', 'برنامج عام'], {
      help: ['The common first part from which students specialise.', 'المرحلة المشتركة التي يتخصص منها الطلاب.'],
    }),
    min_credit_hours: f.integer(['Credit hours of the degree', 'الساعات المعتمدة للدرجة'], { max: 300 }),
    semesters: f.integer(['Semesters', 'عدد الفصول الدراسية'], { min: 1, max: 16 }),
    min_training_weeks: f.integer(['Training weeks', 'أسابيع التدريب'], {
      max: 300,
      help: ['Empty: as the bylaw says.', 'اتركها فارغة ليسري ما في اللائحة.'],
    }),
    admission_capacity: f.integer(['Admission capacity', 'الطاقة الاستيعابية'], { max: 100_000 }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'bylaw_id', 'program_type', 'is_general', 'min_credit_hours'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'faculty_id', 'bylaw_id', 'min_credit_hours'],
    filters: ['faculty_id', 'bylaw_id', 'department_id', 'program_type', 'is_general'],
    order: ['code', 'asc'],
  },
  exportName: 'Programs',
  softDelete: true,
  screens: {
    list: '/settings/programs',
    show: '/programs/:id',
    add: '/settings/programs/show/add/:bylaw_id?/:faculty_id?/:faculty?',
    edit: '/settings/programs/edit/:id',
  },
  sections: [
    { title: ['Identity', 'التعريف'], fields: ['code', 'name', 'name_local', 'degree', 'degree_local'] },
    {
      title: ['Where it belongs', 'الجهة'],
      text: ['The faculty, and the bylaw its students enter under.', 'الكلية واللائحة التي يُقيَّد عليها الطلاب.'],
      fields: ['faculty_id', 'bylaw_id', 'department_id', 'program_type', 'is_general'],
    },
    {
      title: ['What the degree needs', 'متطلبات الدرجة'],
      fields: ['min_credit_hours', 'semesters', 'min_training_weeks', 'admission_capacity'],
    },
  ],
  menu: { group: 'catalogue', order: 40, icon: 'school' },
})
