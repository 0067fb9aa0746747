import { crud } from '#access/permissions.contract.ts'
import { f, lookup, resource } from '#kit/contract/index.ts'

const names = {
  code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
  name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
  name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
}
/** An internship year of a faculty: so many periods of so many weeks, and how it is judged. */
export const emtyazYear = resource({
  name: 'emtyazYear',
  path: '/emtyaz-years',
  table: 'emtyaz_years',
  one: ['Internship year', 'سنة امتياز'],
  many: ['Internship years', 'سنوات الامتياز'],
  adding: ['Add internship year', 'إضافة سنة امتياز'],
  editing: ['Edit internship year', 'تعديل سنة امتياز'],
  permissions: { ...crud('emtyaz'), import: null },
  scope: ['faculty'],
  fields: {
    ...names,
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true, createOnly: true }),
    bylaw_id: f.lookup(['Only of the bylaw', 'مقصورة على لائحة'], 'bylaw', { dependsOn: 'faculty_id' }),
    starts_on: f.date(['Begins on', 'تبدأ في'], { required: true }),
    periods: f.integer(['Number of periods', 'عدد الفترات'], { required: true, min: 1, max: 60 }),
    period_weeks: f.integer(['Weeks of a period', 'أسابيع الفترة'], { required: true, min: 1, max: 26 }),
    ends_on: f.date(['Ends on', 'تنتهي في'], { readOnly: true }),
    electives: f.integer(['Electives of each intern', 'التدريبات الاختيارية لكل طبيب'], {
      required: true,
      min: 0,
      max: 6,
      detailOnly: true,
    }),
    leave_days: f.integer(
      ['Days on leave in a rotation that need not be made up', 'أيام إجازة في الدورة لا تستوجب تعويضًا'],
      {
        required: true,
        min: 0,
        max: 60,
        detailOnly: true,
      },
    ),
    marks_days: f.integer(['Days to mark after a rotation', 'أيام مهلة تقدير الدرجات بعد الدورة'], {
      required: true,
      min: 1,
      max: 180,
      detailOnly: true,
    }),
    wishes_from: f.date(['Rotations and electives asked for from', 'تقديم الطلبات والرغبات من'], { detailOnly: true }),
    wishes_until: f.date(['Rotations and electives asked for until', 'تقديم الطلبات والرغبات حتى'], {
      detailOnly: true,
    }),
    interns: f.integer(['Interns', 'أطباء الامتياز'], { readOnly: true }),
    is_closed: f.flag(['Closed: nothing is changed any more', 'مغلقة: لا يُعدل فيها شيء']),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'starts_on', 'ends_on', 'periods', 'interns', 'is_closed'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'starts_on'],
    filters: ['faculty_id', 'is_closed'],
    order: ['starts_on', 'desc'],
  },
  exportName: 'Internship years',
  softDelete: true,
  screens: { list: '/emtyaz/years', add: '/emtyaz/years/add', edit: '/emtyaz/years/:id' },
  menu: { group: 'services', order: 79, icon: 'stethoscope', setup: true },
  sections: [
    {
      title: ['Year', 'السنة'],
      fields: [
        'code',
        'name',
        'name_local',
        'faculty_id',
        'bylaw_id',
        'starts_on',
        'periods',
        'period_weeks',
        'is_closed',
      ],
    },
    {
      title: ['How it is judged', 'قواعد الاجتياز'],
      fields: ['electives', 'leave_days', 'marks_days'],
    },
    { title: ['When interns ask', 'فترة التقديم'], fields: ['wishes_from', 'wishes_until'] },
  ],
})

/** A course of the internship year: marked by criteria, and made of one training or more. */
export const emtyazCourse = resource({
  name: 'emtyazCourse',
  path: '/emtyaz-courses',
  at: { list: '/emtyaz/courses', add: 'PUT' },
  table: 'emtyaz_courses',
  one: ['Course of the internship year', 'مقرر امتياز'],
  many: ['Courses of the internship year', 'مقررات الامتياز'],
  adding: ['Add course of the internship year', 'إضافة مقرر امتياز'],
  editing: ['Edit course of the internship year', 'تعديل مقرر امتياز'],
  permissions: { ...crud('emtyaz'), import: null },
  scope: ['faculty'],
  fields: {
    ...names,
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { required: true, createOnly: true }),
    bylaw_id: f.lookup(['Only of the bylaw', 'مقصور على لائحة'], 'bylaw', { dependsOn: 'faculty_id' }),
    is_elective: f.flag(['Elective', 'اختياري']),
    weeks: f.integer(['Weeks', 'الأسابيع'], { readOnly: true }),
    max_mark: f.decimal(['Maximum mark', 'الدرجة العظمى'], { places: 2, readOnly: true }),
    pass_mark: f.decimal(['Mark to pass', 'درجة النجاح'], { places: 2, min: 0, max: 999, required: true }),
    criteria: f.rows(
      ['Criteria', 'معايير التقييم'],
      {
        name: f.englishText(['In English', 'بالإنجليزية'], { required: true, max: 200 }),
        name_local: f.localText(['In Arabic', 'بالعربية'], { required: true, max: 200 }),
        max_mark: f.decimal(['Maximum', 'الحد الأقصى'], { places: 2, min: 0.25, max: 999, required: true }),
      },
      { table: 'emtyaz_criteria', parent: 'course_id', position: 'position', max: 20 },
    ),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'bylaw_id', 'is_elective', 'weeks', 'max_mark', 'pass_mark'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'is_elective'],
    filters: ['faculty_id', 'bylaw_id', 'is_elective'],
    order: ['code', 'asc'],
  },
  exportName: 'Courses of the internship year',
  softDelete: true,
  screens: {
    list: '/emtyaz/courses',
    add: '/emtyaz/add_course/:bylaw?/:faculty?',
    show: '/emtyaz/course/show/:id/:bylaw?',
    edit: '/emtyaz/course/:id',
  },
  menu: { group: 'services', order: 78, icon: 'stethoscope', subject: 'internship' },
})

/** A part of a course, done in one piece: so many weeks on a ward, say. */
export const emtyazTrainingType = resource({
  name: 'emtyazTrainingType',
  path: '/emtyaz-training-types',
  at: { list: '/emtyaz/training_types', add: 'PUT' },
  table: 'emtyaz_training_types',
  one: ['Training type', 'نوع تدريب'],
  many: ['Training types', 'أنواع التدريب'],
  adding: ['Add training type', 'إضافة نوع تدريب'],
  editing: ['Edit training type', 'تعديل نوع تدريب'],
  permissions: { ...crud('emtyaz'), import: null },
  scope: ['faculty'],
  fields: {
    ...names,
    course_id: f.lookup(['Course', 'المقرر'], 'emtyazCourse', { required: true, createOnly: true }),
    weeks: f.integer(['Weeks in one piece', 'الأسابيع المتصلة'], { required: true, min: 1, max: 52 }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'course_id', 'weeks'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'weeks'],
    filters: ['course_id'],
    order: ['code', 'asc'],
  },
  exportName: 'Training types',
  softDelete: true,
  screens: { list: '/emtyaz/training-types', add: '/emtyaz/training-types/add', edit: '/emtyaz/training-types/:id' },
  menu: { group: 'services', order: 80, icon: 'stethoscope', setup: true },
  plain: true,
})

/** Where trainings are: known to all faculties. */
export const emtyazHospital = lookup('emtyazHospital', {
  path: '/emtyaz-hospitals',
  one: ['Hospital', 'مستشفى'],
  many: ['Hospitals', 'المستشفيات'],
  adding: ['Add hospital', 'إضافة مستشفى'],
  editing: ['Edit hospital', 'تعديل مستشفى'],
  fields: {
    city: f.text(['City', 'المدينة'], { max: 100 }),
    contact_name: f.text(['Contact', 'مسؤول التواصل'], { max: 200 }),
    phone: f.phone(['Phone', 'الهاتف']),
    map_url: f.text(['Link to a map', 'رابط الخريطة'], { max: 500, detailOnly: true }),
  },
  screens: { list: '/emtyaz/hospitals', add: '/emtyaz/hospitals/add', edit: '/emtyaz/hospitals/:id' },
  menu: { group: 'services', order: 81, icon: 'stethoscope', setup: true },
  plain: true,
})
