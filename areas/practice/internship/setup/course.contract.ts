/** Calls of courses of the internship year and their training types, where the documents have them. */
import { z } from 'zod'
import { call, id } from '#kit/contract/index.ts'
import { inputSchema, rowSchema } from '#kit/contract/resource.ts'
import { emtyazCourse, emtyazTrainingType } from './year.contract.ts'

const reads = z.strictObject({}).optional()
const detail = z.object({
  course: rowSchema(emtyazCourse, 'detail'),
  types: z.array(
    z.object({
      id,
      version: z.int(),
      code: z.string(),
      name: z.string(),
      name_local: z.string(),
      weeks: z.int(),
      /** Of the years that are not closed. */
      trainings: z.int(),
      rotations: z.int(),
    }),
  ),
  /** Marks that were given by the criteria: these stay. */
  marked: z.int(),
  passed: z.int(),
  failed: z.int(),
})
export type EmtyazCourseDetail = z.output<typeof detail>

export const emtyazCourseCalls = {
  get: call('GET', '/emtyaz/getCourse/{id}', {
    permission: 'show_emtyaz',
    summary: ['A course of the internship year in full', 'مقرر امتياز بتفاصيله'],
    response: z.object({ data: detail }),
  }),
  add: call('POST', '/emtyaz/course/putCourse', {
    permission: 'add_emtyaz',
    summary: ['Add a course of the internship year', 'إضافة مقرر امتياز'],
    body: inputSchema(emtyazCourse, 'create'),
    response: z.object({ data: rowSchema(emtyazCourse, 'detail') }),
    example: {
      code: 'PAED',
      name: 'Paediatrics',
      name_local: 'طب الأطفال',
      faculty_id: 1,
      pass_mark: '60',
      criteria: [{ name: 'Skill', name_local: 'المهارة', max_mark: '100' }],
    },
  }),
  change: call('POST', '/emtyaz/course/putCourse/{id}', {
    permission: 'edit_emtyaz',
    summary: ['Change a course of the internship year', 'تعديل مقرر امتياز'],
    body: inputSchema(emtyazCourse, 'update'),
    response: z.object({ data: rowSchema(emtyazCourse, 'detail') }),
    example: { pass_mark: '50' },
  }),
  addType: call('POST', '/emtyaz/course/putTrainingType', {
    permission: 'add_emtyaz',
    summary: ['Add a training type to a course of the internship year', 'إضافة نوع تدريب إلى مقرر امتياز'],
    body: inputSchema(emtyazTrainingType, 'create'),
    response: z.object({ data: rowSchema(emtyazTrainingType, 'detail') }),
    example: { code: 'WARD', name: 'Ward', name_local: 'القسم الداخلي', course_id: 1, weeks: 4 },
  }),
  changeType: call('POST', '/emtyaz/course/putTrainingType/{id}', {
    permission: 'edit_emtyaz',
    summary: ['Change a training type', 'تعديل نوع تدريب'],
    body: inputSchema(emtyazTrainingType, 'update'),
    response: z.object({ data: rowSchema(emtyazTrainingType, 'detail') }),
    example: { weeks: 4 },
  }),
  removeType: call('POST', '/emtyaz/course/deleteTrainingType/{id}', {
    permission: 'remove_emtyaz',
    summary: ['Remove a training type', 'حذف نوع تدريب'],
    body: reads,
    response: z.object({ data: z.object({ id }) }),
  }),
}
