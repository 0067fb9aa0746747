import { crud } from '#access/permissions.contract.ts'
import {
  call,
  date,
  f,
  id,
  idParam,
  importLinesQuery,
  importMend,
  importPreview,
  inputSchema,
  option,
  ref,
  resource,
  rowSchema,
  safeText,
  saved,
} from '#kit/contract/index.ts'
import { z } from 'zod'

/** A test that says at which level a student begins: bands of scores are its levels, courses stand at a level. */
export const placementTest = resource({
  name: 'placementTest',
  path: '/placement-tests',
  table: 'placement_tests',
  one: ['Placement test', 'اختبار تحديد مستوى'],
  many: ['Placement tests', 'اختبارات تحديد المستوى'],
  adding: ['Add placement test', 'إضافة اختبار تحديد مستوى'],
  editing: ['Edit placement test', 'تعديل اختبار تحديد مستوى'],
  permissions: { ...crud('placementTest'), import: null },
  scope: ['faculty', 'bylaw', 'program'],
  common: true,
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { help: ['Empty: all students', 'فارغ: كل الطلاب'] }),
    bylaw_id: f.lookup(['Bylaw', 'اللائحة'], 'bylaw', { dependsOn: 'faculty_id' }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', { dependsOn: 'bylaw_id' }),
    max_score: f.decimal(['Highest mark', 'الدرجة العظمى'], { places: 2, min: 0.01, max: 1000, required: true }),
    is_required: f.flag(['Needed before its courses', 'شرط لتسجيل مقرراته'], {
      help: [
        'Who is to take it registers none of its courses before there is a result.',
        'من عليه أداؤه لا يسجل أيًّا من مقرراته قبل ظهور نتيجته.',
      ],
    }),
    levels: f.rows(
      ['Levels', 'المستويات'],
      {
        name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true, max: 60 }),
        name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true, max: 60 }),
        from_score: f.decimal(['From', 'من'], { places: 2, max: 1000, required: true }),
        to_score: f.decimal(['To', 'إلى'], { places: 2, max: 1000, required: true }),
      },
      {
        table: 'placement_levels',
        parent: 'placement_test_id',
        position: 'position',
        max: 20,
        required: true,
        detailOnly: true,
        help: [
          'From the lowest up: each begins where the one before ends.',
          'من الأدنى إلى الأعلى، ويبدأ كل مستوى حيث ينتهي ما قبله.',
        ],
      },
    ),
    courses: f.rows(
      ['Courses', 'المقررات'],
      {
        course_id: f.lookup(['Course', 'المقرر'], 'course', { required: true }),
        level: f.integer(['Level', 'المستوى'], { required: true, min: 1, max: 20 }),
      },
      {
        table: 'placement_courses',
        parent: 'placement_test_id',
        position: 'position',
        max: 40,
        detailOnly: true,
        help: [
          'A student begins with the courses of the own level: those below count as passed for others, those above open one after the other.',
          'يبدأ الطالب بمقررات مستواه: ما دونها يُعد متطلبًا مستوفى، وما فوقها يُفتح تباعًا.',
        ],
      },
    ),
    due: f.integer(['To be taken', 'لم تُؤدَّ'], { readOnly: true, noExport: true }),
    scored: f.integer(['Results', 'النتائج'], { readOnly: true, noExport: true }),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'faculty_id', 'program_id', 'is_required', 'due', 'scored'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local'],
    filters: ['faculty_id', 'bylaw_id', 'program_id', 'is_required'],
    order: ['code', 'asc'],
  },
  exportName: 'Placement tests',
  softDelete: true,
  screens: {
    list: '/settings/placement_test',
    show: '/settings/placement_test/show/:id',
    add: '/settings/placement_test/edit/:id?',
    edit: '/settings/placement_test/edit/:id?',
  },
  menu: { group: 'catalogue', order: 48, icon: 'stairs-up', setup: true },
})

export const STATES = [
  { value: 'missing', label: ['Missing', 'غير مدرج'], tone: 'draft' },
  { value: 'due', label: ['To be taken', 'لم يؤدَّ'], tone: 'waiting' },
  { value: 'scored', label: ['Has a result', 'ظهرت نتيجته'], tone: 'done' },
  { value: 'exempt', label: ['Exempt', 'معفى'], tone: 'frozen' },
] as const
const state = z.enum(STATES.map((one) => one.value))
const score = z.string().regex(/^\d{1,4}(\.\d{1,2})?$/)

/** A student in a test, with what the result does. */
const row = z.object({
  /** By which results are written: the student of a test, the test of a student; of a part of the university the result. */
  id,
  test: ref,
  student: ref,
  state,
  result_id: id.nullable(),
  version: z.int().nullable(),
  score: z.string().nullable(),
  max_score: z.string(),
  taken_on: z.string().nullable(),
  reason: z.string().nullable(),
  level: z.int().nullable(),
  level_name: z.string().nullable(),
  level_name_local: z.string().nullable(),
  is_required: z.boolean(),
  /** Courses from which the result excuses, with which one begins, and those above. */
  excused: z.array(ref),
  placed: z.array(ref),
  above: z.array(ref),
})
export type PlacementRow = z.output<typeof row>

/** A registration of a term that is not over which the result does not permit. */
const touched = z.object({
  student: ref,
  course: ref,
  term: ref,
  code: z.enum(['placement_excused', 'placement_above']),
})
export type TouchedByTest = z.output<typeof touched>

/** What results are asked of: the tests of a part of the university, of a student, or the students of a test. */
export const MODELS = ['faculty', 'bylaw', 'program', 'student', 'test'] as const
const answered = z.object({ data: rowSchema(placementTest, 'detail') })
const LOOK = ['access_placementTest', 'access_placementResult', 'show_placementTest'] as const

const checked = z.object({ id: idParam, import_id: z.uuid() })

export const placementTestCalls = {
  list: call('GET', '/placement_test/list', {
    permission: LOOK,
    summary: ['List placement tests', 'عرض اختبارات تحديد المستوى'],
    query: z.strictObject({
      faculty_id: idParam.optional(),
      program_id: idParam.optional(),
      search: z.string().trim().max(200).optional(),
    }),
    response: z.object({ data: z.array(option) }),
  }),
  item: call('GET', '/placement_test/item/{id}', {
    permission: 'show_placementTest',
    summary: ['Show a placement test', 'عرض اختبار تحديد مستوى'],
    response: answered,
  }),
  lookups: call('GET', '/placement_test/lookups', {
    permission: LOOK,
    summary: ['What a placement test is made of', 'قوائم الاختيار لاختبارات تحديد المستوى'],
    response: z.object({
      data: z.object({
        faculties: z.array(option),
        bylaws: z.array(option),
        programs: z.array(option),
        models: z.array(option),
        states: z.array(option),
      }),
    }),
  }),
  add: call('POST', '/placement_test/edit', {
    permission: 'add_placementTest',
    summary: ['Add a placement test', 'إضافة اختبار تحديد مستوى'],
    body: inputSchema(placementTest, 'create'),
    response: answered,
  }),
  edit: call('POST', '/placement_test/edit/{id}', {
    permission: 'edit_placementTest',
    summary: ['Change a placement test', 'تعديل اختبار تحديد مستوى'],
    body: inputSchema(placementTest, 'update'),
    response: answered,
  }),
  remove: call('DELETE', '/placement_test/delete/{id}', {
    permission: 'remove_placementTest',
    summary: ['Remove a placement test', 'حذف اختبار تحديد مستوى'],
    response: saved,
  }),
  placements: call('GET', '/placement_test/placement_tests/{model}/{id}', {
    permission: ['access_placementResult', 'show_placementResult', 'access_student'],
    summary: ['Show placements of a student, a test or a part of the university', 'عرض نتائج تحديد المستوى'],
    params: z.object({ model: z.enum(MODELS), id: idParam }),
    response: z.object({ data: z.array(row) }),
  }),
  /** All or nothing. `touched` are registrations that the new results do not permit: they stay, and are told. */
  update: call('POST', '/placement_test/update_placement_tests/{model}/{id}', {
    permission: ['add_placementResult', 'edit_placementResult'],
    summary: ['Enter results of placement tests', 'إدخال نتائج اختبارات تحديد المستوى'],
    params: z.object({ model: z.enum(['student', 'test']), id: idParam }),
    body: z.strictObject({
      results: z
        .array(
          z.strictObject({
            /** The student, where the results are of a test; the test, where they are of a student. */
            id,
            /** null: still to be taken. */
            score: score.nullish(),
            is_exempt: z.boolean().default(false),
            taken_on: date.nullish(),
            reason: safeText(500).nullish(),
            /** The version seen. */
            version: z.int().optional(),
          }),
        )
        .min(1)
        .max(2000),
    }),
    response: z.object({ data: z.array(row), touched: z.array(touched) }),
    example: { results: [{ id: 1, score: '64' }] },
  }),
  /** A sheet with the codes of students and their scores. With anything wrong in it nothing is stored, and each cell is named. */
  importResults: call('POST', '/placement_test/import/{id}', {
    permission: 'import_placementResult',
    summary: ['Import results of a placement test', 'استيراد نتائج اختبار تحديد مستوى'],
    upload: { field: 'file', accept: ['xlsx', 'csv'] },
    response: z.object({
      data: z.object({
        stored: z.int(),
        errors: z.array(
          z.object({ row: z.int(), column: z.string().nullable(), code: z.string(), en: z.string(), ar: z.string() }),
        ),
        touched: z.array(touched),
      }),
    }),
  }),
  /** The same in two moves: what each row would do beside what stands there, then all of it or nothing. */
  previewResults: call('POST', '/placement_test/import/{id}/preview', {
    permission: 'import_placementResult',
    summary: ['Check a sheet of results of a placement test', 'مراجعة ملف نتائج اختبار تحديد مستوى'],
    upload: { field: 'file', accept: ['xlsx', 'csv'] },
    response: z.object({ data: importPreview }),
  }),
  previewLines: call('POST', '/placement_test/import/{id}/rows/{import_id}', {
    permission: 'import_placementResult',
    summary: ['Show rows of a checked sheet of results', 'عرض صفوف ملف نتائج تمت مراجعته'],
    params: checked,
    body: importLinesQuery,
    response: z.object({ data: importPreview }),
    reads: true,
  }),
  mendResults: call('POST', '/placement_test/import/{id}/mend/{import_id}', {
    permission: 'import_placementResult',
    summary: ['Correct rows of a checked sheet of results', 'تصحيح صفوف ملف نتائج تمت مراجعته'],
    params: checked,
    body: importMend,
    response: z.object({ data: importPreview }),
  }),
  saveResults: call('POST', '/placement_test/import/{id}/save/{import_id}', {
    permission: 'import_placementResult',
    summary: ['Store a checked sheet of results', 'حفظ ملف نتائج تمت مراجعته'],
    params: checked,
    response: z.object({
      data: z.object({ stored: z.int(), operation_id: z.int().nullable(), touched: z.array(touched) }),
    }),
  }),
  /** For every student who takes the test by faculty, bylaw and program, has no row yet and has passed none of its courses. */
  createMissing: call('POST', '/placement_test/create_missing_placement_tests/{id}', {
    permission: 'add_placementResult',
    summary: [
      'Put all who still have to take a placement test on its list',
      'إدراج كل من عليهم أداء اختبار تحديد المستوى',
    ],
    body: z.strictObject({ entry_term_id: id.optional() }),
    response: z.object({ data: z.object({ created: z.int(), there: z.int() }) }),
    example: {},
  }),
}
