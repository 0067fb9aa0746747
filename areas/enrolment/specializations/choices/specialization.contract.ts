import { crud } from '#access/permissions.contract.ts'
import {
  call,
  f,
  idParam,
  inputSchema,
  listOf,
  listQuery,
  option,
  resource,
  rowSchema,
  saved,
} from '#kit/contract/index.ts'
import { z } from 'zod'

/** A way from a general program into a program: with the places and the conditions that a window begins with. */
export const specialization = resource({
  name: 'specialization',
  path: '/specializations',
  table: 'specializations',
  one: ['Specialisation', 'تخصص'],
  many: ['Specialisations', 'التخصصات'],
  adding: ['Add specialisation', 'إضافة تخصص'],
  editing: ['Edit specialisation', 'تعديل تخصص'],
  permissions: crud('specialization'),
  scope: ['faculty', 'bylaw', 'program'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { required: true }),
    general_program_id: f.lookup(['From the general program', 'من البرنامج العام'], 'program', {
      required: true,
      dependsOn: 'bylaw_id',
    }),
    program_id: f.lookup(['Into the program', 'إلى البرنامج'], 'program', { required: true, dependsOn: 'bylaw_id' }),
    capacity: f.integer(['Places', 'عدد الأماكن'], {
      required: true,
      max: 100_000,
      help: ['A window begins with as many.', 'تبدأ به كل فترة تشعيب جديدة.'],
    }),
    min_gpa: f.decimal(['Least GPA', 'الحد الأدنى للمعدل'], { places: 2, max: 4 }),
    min_passed_hours: f.decimal(['Least passed hours', 'الحد الأدنى للساعات المجتازة'], { places: 2, max: 300 }),
    courses: f.rows(
      ['Courses to have passed', 'مقررات يشترط اجتيازها'],
      {
        course_id: f.lookup(['Course', 'المقرر'], 'course', { required: true }),
        min_letter: f.text(['Least grade', 'أدنى تقدير'], { max: 4 }),
      },
      {
        table: 'specialization_courses',
        parent: 'specialization_id',
        position: 'position',
        max: 20,
        detailOnly: true,
        help: ['Without a grade, passed is enough.', 'اترك التقدير فارغًا إن كان النجاح كافيًا.'],
      },
    ),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'general_program_id', 'program_id', 'capacity', 'min_gpa', 'bylaw_id'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'capacity', 'min_gpa'],
    filters: ['bylaw_id', 'general_program_id', 'program_id'],
    order: ['code', 'asc'],
  },
  exportName: 'Specialisations',
  softDelete: true,
  screens: { list: '/specializations', add: '/specializations/add', edit: '/specializations/edit/:id' },
  sections: [
    { title: ['Identity', 'التعريف'], fields: ['code', 'name', 'name_local'] },
    {
      title: ['From where to where', 'من وإلى'],
      text: ['Both programs stand under the bylaw.', 'كلا البرنامجين تابع للائحة نفسها.'],
      fields: ['bylaw_id', 'general_program_id', 'program_id'],
    },
    {
      title: ['Places and conditions', 'الأماكن والشروط'],
      fields: ['capacity', 'min_gpa', 'min_passed_hours', 'courses'],
    },
  ],
  menu: { group: 'catalogue', order: 46, icon: 'git-branch', setup: true },
  plain: true,
})

const answered = z.object({ data: rowSchema(specialization, 'detail') })

/** The documents' own paths; they do what those of every resource do. */
export const specializationCalls = {
  options: call('GET', '/specialization/list', {
    permission: ['access_specialization', 'show_specialization', 'access_student_specialization'],
    summary: ['Choose a specialisation', 'اختيار تخصص'],
    query: z.strictObject({
      bylaw_id: idParam.optional(),
      general_program_id: idParam.optional(),
      search: z.string().trim().max(200).optional(),
    }),
    response: z.object({ data: z.array(option) }),
  }),
  list: call('POST', '/specialization/list', {
    permission: 'access_specialization',
    summary: ['List specialisations', 'عرض التخصصات'],
    body: listQuery,
    response: listOf(rowSchema(specialization, 'list')),
    reads: true,
  }),
  store: call('POST', '/specialization/store', {
    permission: 'add_specialization',
    summary: ['Add a specialisation', 'إضافة تخصص'],
    body: inputSchema(specialization, 'create'),
    response: answered,
  }),
  update: call('POST', '/specialization/{id}', {
    permission: 'edit_specialization',
    summary: ['Change a specialisation', 'تعديل تخصص'],
    body: inputSchema(specialization, 'update'),
    response: answered,
  }),
  remove: call('DELETE', '/specialization/delete/{id}', {
    permission: 'remove_specialization',
    summary: ['Remove a specialisation', 'حذف تخصص'],
    response: saved,
  }),
}
