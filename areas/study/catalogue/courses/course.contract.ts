import { crud } from '#access/permissions.contract.ts'
import { call, decimal, f, id, option, ref, resource, safeText } from '#kit/contract/index.ts'
import { z } from 'zod'
import type { Requisite } from '../requisites.rules.ts'
import { PLAN_KINDS } from '../words.contract.ts'

/** A prerequisite expression as it travels; what else it must satisfy is checked by `checkRequisite`. */
export const requisite: z.ZodType<Requisite> = z.union([
  z.strictObject({ course: id, min_points: decimal(2, 0, 4).optional(), min_grade: safeText(5, 1).optional() }),
  z.strictObject({ all: z.array(z.lazy(() => requisite)).max(100) }),
  z.strictObject({ any: z.array(z.lazy(() => requisite)).max(100) }),
])

const hours = { min: 0, max: 40 }

/** A course of the catalogue: hours, requisites, and what it counts for. */
export const course = resource({
  name: 'course',
  path: '/courses',
  table: 'courses',
  one: ['Course', 'مقرر'],
  many: ['Courses', 'المقررات'],
  adding: ['Add course', 'إضافة مقرر'],
  editing: ['Edit course', 'تعديل مقرر'],
  permissions: crud('course'),
  // Everybody who may see courses sees all of them, since plans take courses of other faculties; who may change a course
  // is checked against its faculty and department when it is written.
  scope: 'university',
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', {
      help: ['Empty: taught by the university.', 'اتركها فارغة إذا كان المقرر على مستوى الجامعة.'],
    }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { dependsOn: 'faculty_id' }),
    department_ids: f.lookups(['Further departments', 'أقسام أخرى'], 'department', {
      through: { table: 'course_departments', from: 'course_id', to: 'department_id' },
      detailOnly: true,
    }),
    lecture_hours: f.integer(['Lecture hours', 'ساعات المحاضرات'], hours),
    tutorial_hours: f.integer(['Tutorial hours', 'ساعات التمارين'], hours),
    laboratory_hours: f.integer(['Laboratory hours', 'ساعات المعامل'], hours),
    clinical_hours: f.integer(['Clinical hours', 'ساعات العيادات'], hours),
    credit_hours: f.number(['Credit hours', 'الساعات المعتمدة'], { places: 2, required: true, min: 0, max: 300 }),
    grade_kind: f.choice(
      ['Grading', 'نظام التقدير'],
      [
        { value: 'letter', label: ['Letter grades', 'تقديرات'] },
        { value: 'pass_fail', label: ['Pass or fail', 'ناجح أو راسب'] },
      ],
    ),
    counts_in_gpa: f.flag(['Counts in the GPA', 'يدخل في المعدل']),
    max_mark: f.integer(['Maximum mark', 'النهاية العظمى'], {
      min: 1,
      max: 999,
      help: ['What its marks sum to under a regulation by marks.', 'مجموع درجات المقرر في اللوائح التي تعمل بالدرجات.'],
    }),
    requirement: f.choice(
      ['Requirement', 'المتطلب'],
      [
        { value: 'none', label: ['None', 'لا يوجد'] },
        { value: 'university', label: ['University requirement', 'متطلب جامعة'] },
        { value: 'faculty', label: ['Faculty requirement', 'متطلب كلية'] },
      ],
    ),
    min_passed_hours: f.number(['Minimum passed hours', 'الحد الأدنى للساعات المجتازة'], {
      places: 2,
      max: 300,
      help: ['Hours a student has passed before taking it.', 'الساعات التي يجتازها الطالب قبل تسجيل المقرر.'],
    }),
    min_level: f.integer(['Minimum level', 'الحد الأدنى للمستوى'], { max: 7 }),
    prerequisites: f.json(['Prerequisites', 'المتطلبات السابقة'], requisite, { detailOnly: true, noExport: true }),
    corequisite_ids: f.lookups(['Co-requisites', 'المقررات المصاحبة'], 'course', {
      through: { table: 'course_corequisites', from: 'course_id', to: 'required_course_id' },
      detailOnly: true,
      help: ['Passed before or registered in the same term.', 'تُجتاز قبله أو تُسجل معه في الفصل نفسه.'],
    }),
    equal_ids: f.lookups(['Equal courses', 'المقررات المكافئة'], 'course', {
      through: { table: 'course_equals', from: 'course_id', to: 'equal_course_id' },
      detailOnly: true,
      help: [
        'Whoever has passed one has passed the other, and takes only one of them.',
        'من اجتاز أحدها عُدَّ مجتازًا للآخر، ولا يُسجَّل إلا في واحد منها.',
      ],
    }),
    description: f.longText(['Description', 'الوصف'], { detailOnly: true, noExport: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'department_id', 'credit_hours', 'requirement'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'credit_hours', 'faculty_id'],
    filters: ['faculty_id', 'department_id', 'requirement', 'grade_kind', 'credit_hours'],
    order: ['code', 'asc'],
  },
  exportName: 'Courses',
  softDelete: true,
  screens: {
    list: '/settings/courses',
    show: '/settings/courses/:id',
    add: '/settings/courses/show/add/:bylaw_id?/:faculty_id?/:department_id?',
    edit: '/settings/courses/edit/:id',
  },
  sections: [
    { title: ['Identity', 'التعريف'], fields: ['code', 'name', 'name_local', 'description'] },
    {
      title: ['Where it belongs', 'الجهة'],
      text: ['Who teaches it, and what it is required for.', 'من يدرّسه ولأي متطلب يُحسب.'],
      fields: ['faculty_id', 'department_id', 'department_ids', 'requirement'],
    },
    {
      title: ['Hours and grading', 'الساعات والتقدير'],
      text: ['Weekly contact hours, and the credit they carry.', 'ساعات الاتصال الأسبوعية وما يقابلها من ساعات معتمدة.'],
      fields: [
        'lecture_hours',
        'tutorial_hours',
        'laboratory_hours',
        'clinical_hours',
        'credit_hours',
        'grade_kind',
        'counts_in_gpa',
        'max_mark',
      ],
    },
    {
      title: ['Requisites', 'المتطلبات'],
      text: ['What a student needs before taking it.', 'ما يلزم الطالب قبل تسجيل المقرر.'],
      fields: ['prerequisites', 'corequisite_ids', 'equal_ids', 'min_passed_hours', 'min_level'],
    },
  ],
  menu: {
    group: 'catalogue',
    order: 50,
    icon: 'book',
    only: ['edit_course', 'access_offering', 'access_my_offerings'],
  },
})

/** A course as other records name it. */
export const courseRef = ref.extend({ credit_hours: z.number() })
const place = { level: z.int(), semester: z.int(), kind: z.enum(PLAN_KINDS.map((k) => k.value)) }

/** A course among the others: what it requires and what requires it, to the end of the chain, and where it is taught. */
/** So many of the latest offerings stand on the page of a course; the list has all. */
export const LATEST_OFFERINGS = 20
export const courseConnections = z.object({
  /** Every course of the two trees, the course itself included. */
  courses: z.array(courseRef),
  /** `course_id` requires `required_course_id`. */
  edges: z.array(z.object({ course_id: id, required_course_id: id })),
  prerequisites: requisite.nullable(),
  corequisites: z.array(courseRef),
  corequisite_of: z.array(courseRef),
  programs: z.array(ref.extend({ ...place, faculty: ref.nullable() })),
  /** The latest offerings first, at most 20. */
  offerings: z.array(
    z.object({
      id,
      code: z.string(),
      control_status: z.string(),
      term: ref,
      instructors: z.array(ref),
      registered: z.int(),
    }),
  ),
})

const requirementsExport = {
  permission: 'export_course',
  body: z.strictObject({
    bylaw_id: id.optional(),
    faculty_id: id.optional(),
    lang: z.enum(['ar', 'en']).optional(),
  }),
  reads: true,
} as const

export const courseCalls = {
  connections: call('GET', '/courses/connections/{id}', {
    permission: 'show_course',
    summary: [
      'Show what a course requires, what requires it, and where it is taught',
      'عرض متطلبات المقرر وما يعتمد عليه وأين يُدرَّس',
    ],
    response: z.object({ data: courseConnections }),
  }),
  sync: call('POST', '/courses/sync/{id}', {
    permission: 'edit_course',
    summary: ['Set the requisites and the further departments of a course', 'ضبط متطلبات المقرر وأقسامه الأخرى'],
    body: z.strictObject({
      prerequisites: requisite.nullish(),
      corequisite_ids: z.array(id).max(100).optional(),
      department_ids: z.array(id).max(100).optional(),
      version: z.int().optional(),
    }),
    response: z.object({ data: courseConnections }),
    example: { prerequisites: { all: [{ course: 1, min_grade: 'C' }, { any: [{ course: 2 }, { course: 3 }] }] } },
  }),
  exportUniversityRequirements: call('POST', '/courses/export-university-requirements', {
    ...requirementsExport,
    summary: ['Export the university requirements', 'تصدير متطلبات الجامعة'],
    file: { name: 'university-requirements.xlsx', type: 'xlsx' },
  }),
  exportFacultyRequirements: call('POST', '/courses/export-faculty-requirements', {
    ...requirementsExport,
    summary: ['Export the faculty requirements', 'تصدير متطلبات الكلية'],
    file: { name: 'faculty-requirements.xlsx', type: 'xlsx' },
  }),
  instructorCourses: call('POST', '/staff/instructor-courses', {
    permission: ['access_my_offerings', 'show_instructor'],
    summary: ['List the courses an instructor teaches', 'عرض المقررات التي يدرّسها عضو هيئة التدريس'],
    body: z.strictObject({
      /** Absent: the caller. */
      instructor_id: id.optional(),
      term_id: id.optional(),
    }),
    response: z.object({
      data: z.array(
        courseRef.extend({
          offerings: z.array(
            z.object({ id, code: z.string(), role: z.string(), control_status: z.string(), term: ref }),
          ),
        }),
      ),
      meta: z.object({ count: z.int(), lookup: z.object({ terms: z.array(option) }) }),
    }),
    reads: true,
    example: {},
  }),
}
