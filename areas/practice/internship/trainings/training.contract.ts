import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { call, date, f, id, idParam, listOf, listQuery, problem, ref, resource } from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'

/** A training that a department of a hospital offers in a year: places, also by days, and who supervises when. */
export const emtyazTraining = resource({
  name: 'emtyazTraining',
  path: '/emtyaz-trainings',
  table: 'emtyaz_trainings',
  one: ['Training of the internship year', 'تدريب امتياز'],
  many: ['Trainings of the internship year', 'تدريبات الامتياز'],
  adding: ['Add training of the internship year', 'إضافة تدريب امتياز'],
  editing: ['Edit training of the internship year', 'تعديل تدريب امتياز'],
  permissions: { ...crud('emtyazTraining'), import: null },
  scope: ['faculty', 'own', 'supervised'],
  fields: {
    code: f.code(['Code', 'الكود'], { required: true, max: 20 }),
    name: f.englishText(['English name', 'الاسم بالإنجليزية'], { required: true }),
    name_local: f.localText(['Arabic name', 'الاسم بالعربية'], { required: true }),
    year_id: f.lookup(['Internship year', 'سنة الامتياز'], 'emtyazYear', { required: true, createOnly: true }),
    type_id: f.lookup(['Training type', 'نوع التدريب'], 'emtyazTrainingType', { required: true, createOnly: true }),
    hospital_id: f.lookup(['Hospital', 'المستشفى'], 'emtyazHospital', { required: true }),
    places: f.integer(['Places', 'الأماكن'], { required: true, min: 0, max: 2000 }),
    placed: f.integer(['Rotations', 'الدورات'], { readOnly: true }),
    withdrawn_from: f.date(['Not offered any more from', 'غير متاح بدءًا من'], {
      detailOnly: true,
      help: [
        'Who has a place on later days is shown, and is moved by a repair of the plan.',
        'يظهر من لهم أماكن بعد هذا اليوم ويُنقلون بإصلاح الخطة.',
      ],
    }),
    places_by_days: f.rows(
      ['Other numbers of places', 'أعداد أماكن مختلفة'],
      {
        starts_on: f.date(['From', 'من'], { required: true }),
        ends_on: f.date(['Until', 'حتى'], { required: true }),
        places: f.integer(['Places', 'الأماكن'], { required: true, min: 0, max: 2000 }),
      },
      { table: 'emtyaz_training_places', parent: 'training_id', by: 'c.starts_on', max: 60 },
    ),
  },
  list: {
    columns: ['code', 'name', 'name_local', 'year_id', 'type_id', 'hospital_id', 'places', 'placed'],
    search: ['code', 'name', 'name_local'],
    sort: ['code', 'name', 'name_local', 'places'],
    filters: ['year_id', 'type_id', 'hospital_id'],
    order: ['code', 'asc'],
  },
  exportName: 'Trainings of the internship year',
  softDelete: true,
  screens: {
    list: '/emtyaz/training',
    show: '/emtyaz/training/:id',
    add: '/emtyaz/trainings/add',
    edit: '/emtyaz/trainings/edit/:id',
  },
  menu: {
    group: 'services',
    order: 77,
    icon: 'stethoscope',
    subject: 'internship',
    only: ['edit_emtyazTraining', 'grade_rotation'],
  },
})

const named = z.object({ id, name: z.string(), name_local: z.string() })
const supervisor = z.object({ id, instructor: ref, starts_on: z.string(), ends_on: z.string() })
const group = z.object({
  id,
  starts_on: z.string(),
  ends_on: z.string(),
  control_status: z.string(),
  interns: z.int(),
  marked: z.int(),
})
const detail = z.object({
  training: rowSchema(emtyazTraining, 'detail'),
  course: named,
  weeks: z.int(),
  starts_on: z.string(),
  ends_on: z.string(),
  instructors: z.array(supervisor),
  /** By period of the year: how many places there are and how many are taken, the fewest and the most on its days. */
  periods: z.array(z.object({ starts_on: z.string(), ends_on: z.string(), places: z.int(), taken: z.int() })),
  /** Days with more interns than places. */
  overfull: z.array(z.object({ day: z.string(), taken: z.int(), places: z.int() })),
  /** Those who are there for the same days. */
  offerings: z.array(group),
})
export type EmtyazTrainingDetail = z.output<typeof detail>

const available = z.object({
  id,
  code: z.string(),
  name: z.string(),
  name_local: z.string(),
  type: ref,
  hospital: ref,
  is_elective: z.boolean(),
  weeks: z.int(),
  /** Beginnings of periods of the year, with the places that are free all the time. */
  starts: z.array(z.object({ starts_on: z.string(), ends_on: z.string(), free: z.int() })),
  /** Why this student cannot have it; absent where nobody was asked about. */
  reasons: z.array(problem).optional(),
})
export type AvailableTraining = z.output<typeof available>
const days = { starts_on: date, ends_on: date }
const done = z.object({ data: z.object({ id }) })
const reads = z.strictObject({}).optional()

export const emtyazTrainingCalls = {
  available: call('POST', '/emtyaz/available-training', {
    permission: 'access_emtyazTraining',
    summary: ['List trainings of the internship year with their places', 'قائمة تدريبات الامتياز وأماكنها'],
    body: listQuery,
    response: listOf(rowSchema(emtyazTraining, 'list')),
    reads: true,
  }),
  availableFor: call('POST', '/emtyaz/available-training/{id}', {
    permission: ['access_emtyazIntern', 'add_rotation'],
    summary: ['What an intern may still have, where and when', 'ما يتاح لطبيب امتياز من تدريبات وأماكنها ومواعيدها'],
    body: reads,
    response: z.object({ data: z.array(available) }),
    reads: true,
  }),
  get: call('GET', '/emtyaz/training/{id}', {
    permission: 'show_emtyazTraining',
    summary: ['A training of the internship year in full', 'تدريب امتياز بتفاصيله'],
    response: z.object({ data: detail }),
  }),
  put: call('PUT', '/emtyaz/training/{id}', {
    permission: 'edit_emtyazTraining',
    summary: ['Change a training of the internship year', 'تعديل تدريب امتياز'],
    body: inputSchema(emtyazTraining, 'update'),
    response: z.object({ data: rowSchema(emtyazTraining, 'detail') }),
    example: { places: 40 },
  }),
  remove: call('POST', '/emtyaz/course/deleteTraining/{id}', {
    permission: 'remove_emtyazTraining',
    summary: ['Remove a training of the internship year', 'حذف تدريب امتياز'],
    body: reads,
    response: done,
  }),
  instructors: call('GET', '/emtyaz/training/instructors', {
    permission: 'edit_emtyazTraining',
    summary: [
      'Who supervises trainings of the internship year, and who may',
      'المشرفون على تدريبات الامتياز ومن يمكنهم الإشراف',
    ],
    query: z.object({ search: z.string().max(100).optional() }),
    response: z.object({ data: z.array(ref.extend({ trainings: z.int() })) }),
  }),
  instructor: call('GET', '/emtyaz/training/instructor/{id}', {
    permission: ['edit_emtyazTraining', 'grade_rotation'],
    summary: ['What an instructor supervises in the internship year', 'ما يشرف عليه عضو هيئة تدريس في سنة الامتياز'],
    response: z.object({
      data: z.object({
        instructor: ref,
        trainings: z.array(z.object({ training: ref, starts_on: z.string(), ends_on: z.string() })),
        offerings: z.array(group.extend({ training: ref })),
      }),
    }),
  }),
  addInstructors: call('POST', '/emtyaz/addInstructors/{id}', {
    permission: 'edit_emtyazTraining',
    summary: ['Let instructors supervise a training of the internship year', 'إضافة مشرفين إلى تدريب امتياز'],
    body: z.strictObject({
      instructors: z
        .array(z.strictObject({ instructor_id: id, ...days }))
        .min(1)
        .max(50),
    }),
    response: z.object({ data: z.array(supervisor) }),
    example: { instructors: [{ instructor_id: 1, starts_on: '2030-01-01', ends_on: '2030-06-30' }] },
  }),
  removeInstructor: call('DELETE', '/emtyaz/{trainingId}/{instructorId}', {
    permission: 'edit_emtyazTraining',
    summary: ['An instructor does not supervise a training any more', 'إنهاء إشراف عضو هيئة تدريس على تدريب امتياز'],
    params: z.object({ trainingId: idParam, instructorId: idParam }),
    response: z.object({ data: z.object({ removed: z.int() }) }),
  }),
}
