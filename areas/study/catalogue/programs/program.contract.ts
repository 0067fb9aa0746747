import { crud } from '#access/permissions.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { PROGRAM_TYPES, RESEARCH_STAGES, STUDY_LEVELS } from '../words.contract.ts'

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
    study_level: f.choice(['Study level', 'المرحلة الدراسية'], STUDY_LEVELS),
    is_general: f.flag(['General program', 'برنامج عام'], {
      help: ['The common first part from which students specialise.', 'المرحلة المشتركة التي يتخصص منها الطلاب.'],
    }),
    min_credit_hours: f.number(['Credit hours of the degree', 'الساعات المعتمدة للدرجة'], { places: 2, max: 300 }),
    semesters: f.integer(['Semesters', 'عدد الفصول الدراسية'], { min: 1, max: 16 }),
    min_training_weeks: f.integer(['Training weeks', 'أسابيع التدريب'], {
      max: 300,
      help: ['Empty: as the bylaw says.', 'اتركها فارغة ليسري ما في اللائحة.'],
    }),
    admission_capacity: f.integer(['Admission capacity', 'الطاقة الاستيعابية'], { max: 100_000 }),
    transfer_places: f.integer(['Places for transfers in a term', 'أماكن التحويل في الفصل'], {
      max: 100_000,
      help: ['Empty: any number.', 'اتركها فارغة لعدم التقييد.'],
    }),
    research_plan: f.rows(
      ['Research plan', 'الخطة البحثية'],
      {
        stage: f.choice(['Milestone', 'المرحلة'], RESEARCH_STAGES, { required: true }),
        times: f.integer(['How often', 'عدد المرات'], { required: true, min: 1, max: 20 }),
        earliest_semester: f.integer(['Earliest semester', 'أول فصل'], { min: 1, max: 16 }),
        latest_semester: f.integer(['Latest semester', 'آخر فصل'], { min: 1, max: 16 }),
      },
      {
        table: 'program_stages',
        parent: 'program_id',
        position: 'position',
        max: 12,
        help: [
          'Of postgraduate programs: the stages to the degree in their order, and the semesters in which each may lie.',
          'لبرامج الدراسات العليا: مراحل الدرجة بترتيبها، والفصول التي يجوز أن تقع فيها كل مرحلة.',
        ],
      },
    ),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'bylaw_id', 'program_type', 'is_general', 'min_credit_hours'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'faculty_id', 'bylaw_id', 'min_credit_hours'],
    filters: ['faculty_id', 'bylaw_id', 'department_id', 'study_level', 'program_type', 'is_general'],
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
      fields: ['faculty_id', 'bylaw_id', 'department_id', 'study_level', 'program_type', 'is_general'],
    },
    {
      title: ['What the degree needs', 'متطلبات الدرجة'],
      fields: ['min_credit_hours', 'semesters', 'min_training_weeks', 'admission_capacity', 'transfer_places'],
    },
    { title: ['Research', 'البحث'], fields: ['research_plan'] },
  ],
  menu: { group: 'catalogue', order: 40, icon: 'school', only: ['edit_program', 'access_offering'] },
})
