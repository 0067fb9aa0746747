import { z } from 'zod'
import { crud } from '#access/permissions.contract.ts'
import { addDays, dayOf } from '#kit/contract/day.ts'
import { call, f, id, listOf, listQuery, problem, ref, resource } from '#kit/contract/index.ts'
import { rowSchema } from '#kit/contract/resource.ts'

const KINDS = [
  { value: 'illness', label: ['Illness', 'مرضية'] },
  { value: 'holiday', label: ['Holiday', 'اعتيادية'] },
  { value: 'other', label: ['Other', 'أخرى'] },
] as const

/** Somebody in an internship year, with leave and wishes for electives. */
export const emtyazIntern = resource({
  name: 'emtyazIntern',
  path: '/emtyaz-interns',
  table: 'emtyaz_interns',
  one: ['Intern', 'طبيب امتياز'],
  many: ['Interns', 'أطباء الامتياز'],
  adding: ['Add intern', 'إضافة طبيب امتياز'],
  editing: ['Edit intern', 'تعديل بيانات طبيب امتياز'],
  permissions: { ...crud('emtyazIntern'), import: null },
  scope: ['faculty', 'department', 'bylaw', 'program', 'own'],
  fields: {
    year_id: f.lookup(['Internship year', 'سنة الامتياز'], 'emtyazYear', { required: true, createOnly: true }),
    student_id: f.lookup(['Graduate', 'الخريج'], 'student', { required: true, createOnly: true }),
    joined_on: f.date(['Joined on', 'تاريخ الالتحاق'], { required: true }),
    with_student_id: f.lookup(['Would like to be with', 'يرغب في مرافقة'], 'student', { detailOnly: true }),
    accepted: f.integer(['Rotations accepted', 'الدورات المقبولة'], { readOnly: true }),
    passed: f.integer(['Rotations passed', 'الدورات المجتازة'], { readOnly: true }),
    waiting: f.integer(['Rotations that wait', 'الدورات المنتظرة'], { readOnly: true }),
    completed_on: f.date(['Completed on', 'تاريخ الإتمام'], { readOnly: true }),
    note: f.longText(['Note', 'ملاحظة'], { max: 1000, detailOnly: true }),
    wishes: f.rows(
      ['Electives wished for, the first one first', 'التدريبات الاختيارية المرغوبة بالترتيب'],
      { type_id: f.lookup(['Training type', 'نوع التدريب'], 'emtyazTrainingType', { required: true }) },
      { table: 'emtyaz_wishes', parent: 'intern_id', position: 'position', max: 20 },
    ),
    leaves: f.rows(
      ['Leave', 'الإجازات'],
      {
        kind: f.choice(['Kind', 'النوع'], KINDS, { required: true }),
        starts_on: f.date(['From', 'من'], { required: true }),
        ends_on: f.date(['Until', 'حتى'], { required: true }),
      },
      { table: 'emtyaz_leaves', parent: 'intern_id', by: 'c.starts_on', max: 60 },
    ),
  },
  list: {
    columns: ['student_id', 'year_id', 'joined_on', 'accepted', 'passed', 'waiting', 'completed_on'],
    search: ['student_id'],
    sort: ['joined_on', 'completed_on'],
    filters: ['year_id', 'student_id', 'completed_on'],
    order: ['joined_on', 'desc'],
  },
  exportName: 'Interns',
  // The graduates of the demo university who are in no year stand behind those who are.
  examples: Array.from({ length: 40 }, (_, n) => ({
    year_id: 1,
    student_id: 1608 + n,
    joined_on: addDays(dayOf(), 30),
  })),
  softDelete: true,
  screens: {
    list: '/emtyaz/registration',
    show: '/emtyaz/registration/:id',
    add: '/emtyaz/interns/add',
    edit: '/emtyaz/interns/:id',
  },
  menu: { group: 'services', order: 74, icon: 'stethoscope', subject: 'internship', notFor: [3] },
})

const requirement = z.object({
  type: ref,
  course: ref,
  is_elective: z.boolean(),
  /** Days: needed, done, planned, lacking; and how many of these are to be made up. */
  days: z.int(),
  done: z.int(),
  planned: z.int(),
  lacking: z.int(),
  to_make_up: z.int(),
})
const shown = z.object({
  id,
  version: z.int(),
  status: z.string(),
  training: ref,
  type: ref,
  hospital: ref,
  is_elective: z.boolean(),
  is_makeup: z.boolean(),
  starts_on: z.string(),
  ends_on: z.string(),
  interrupted_on: z.string().nullable(),
  outcome: z.string().nullable(),
  /** As far as the reader sees it: interns once it is published. */
  mark: z.number().nullable(),
  max_mark: z.number().nullable(),
  supervisors: z.array(ref),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem),
  interrupts: z.boolean(),
})
const detail = z.object({
  intern: rowSchema(emtyazIntern, 'detail'),
  year: ref.extend({
    starts_on: z.string(),
    ends_on: z.string(),
    periods: z.int(),
    period_weeks: z.int(),
    electives: z.int(),
    wishes_from: z.string().nullable(),
    wishes_until: z.string().nullable(),
    is_closed: z.boolean(),
  }),
  requirements: z.array(requirement),
  rotations: z.array(shown),
  /** What is missing until the year is done. */
  missing: z.array(problem),
  /** What the reader may do. */
  asks: z.boolean(),
  wishes: z.boolean(),
  adds: z.boolean(),
  completes: z.boolean(),
})
export type InternDetail = z.output<typeof detail>
const done = z.object({ data: z.object({ id }) })
const complete = { permission: 'complete_emtyaz', response: done } as const

export const emtyazInternCalls = {
  list: call('POST', '/emtyaz/registration', {
    permission: 'access_emtyazIntern',
    summary: ['List interns with their rotations', 'قائمة أطباء الامتياز ودوراتهم'],
    body: listQuery,
    response: listOf(rowSchema(emtyazIntern, 'list')),
    reads: true,
  }),
  show: call('GET', '/emtyaz/student_registration/{id}', {
    permission: 'show_emtyazIntern',
    summary: ['An intern with the whole year', 'طبيب امتياز وسنته كاملة'],
    response: z.object({ data: detail }),
  }),
  mine: call('GET', '/emtyaz/mine', {
    permission: 'show_emtyazIntern',
    summary: ['The own internship years', 'سنوات الامتياز الخاصة بي'],
    response: z.object({ data: z.array(z.object({ id, year: ref })) }),
  }),
  wish: call('PUT', '/emtyaz/wishes/{id}', {
    permission: 'add_rotation',
    summary: ['Wish for electives, in order', 'ترتيب رغبات التدريب الاختياري'],
    body: z.strictObject({ types: z.array(id).max(20), with_student_id: id.nullish(), version: z.int().optional() }),
    response: done,
    example: { types: [] },
  }),
  electives: call('GET', '/emtyaz/electives/{id}', {
    permission: 'show_emtyazIntern',
    summary: ['Electives that an intern may wish for', 'التدريبات الاختيارية المتاحة لطبيب امتياز'],
    response: z.object({ data: z.array(ref.extend({ weeks: z.int(), trainings: z.int() })) }),
  }),
  candidates: call('GET', '/emtyaz/candidates/{id}', {
    permission: 'add_emtyazIntern',
    summary: ['Graduates who may be added to a year', 'الخريجون الذين يمكن إضافتهم إلى السنة'],
    response: z.object({ data: z.object({ total: z.int(), students: z.array(ref) }) }),
  }),
  addMany: call('POST', '/emtyaz/interns/{id}', {
    permission: 'add_emtyazIntern',
    summary: ['Add graduates to a year', 'إضافة خريجين إلى السنة'],
    body: z.strictObject({ student_ids: z.array(id).max(5000).optional() }),
    response: z.object({ data: z.object({ added: z.int() }) }),
    example: { student_ids: [] },
  }),
  complete: call('PUT', '/emtyaz/complete/{id}', {
    ...complete,
    summary: ['Complete the internship year of somebody', 'إتمام سنة الامتياز لطبيب'],
    body: z.strictObject({ version: z.int().optional() }),
    example: {},
  }),
  reopen: call('PUT', '/emtyaz/reopen/{id}', {
    ...complete,
    summary: ['Take back that somebody completed the year', 'التراجع عن إتمام سنة الامتياز'],
    body: z.strictObject({ reason: z.string().trim().min(3).max(500), version: z.int().optional() }),
    example: { reason: 'A mark is looked at again.' },
  }),
}
