import { call, ref } from '#kit/contract/index.ts'
import { id, idParam, jobStarted } from '#kit/contract/schema.ts'
import { PLAN_KINDS } from '#areas/study/catalogue/words.contract.ts'
import { z } from 'zod'
import { auditedRequirement } from '../audits/audit.contract.ts'
import { requirementOwner } from './stored.contract.ts'
import { requirement, treeMode } from './tree.contract.ts'

const amount = (max: number) => z.number().min(0).max(max).multipleOf(0.01)
/** An edit that is not saved: of the tree, of amounts that graduation asks for, of the plan. */
const edit = z.strictObject({
  requirements: z.strictObject({ mode: treeMode, tree: requirement.nullable() }).optional(),
  /** Credit hours, GPA and weeks of training that the degree asks for. */
  hours: amount(1000).optional(),
  gpa: amount(4).optional(),
  /** Of a program, null: as its bylaw says. */
  training_weeks: z.int().min(0).max(300).nullable().optional(),
  /** Hours that elective pools of the program ask for; without an id one that is added. */
  pools: z
    .array(z.strictObject({ id: id.nullable(), min_credit_hours: amount(1000) }))
    .max(200)
    .optional(),
  /** Pools that are removed with their courses. */
  without_pools: z.array(id).max(200).optional(),
  /** Courses that are put into the study plan, or stand there otherwise. */
  courses: z
    .array(
      z.strictObject({
        course_id: id,
        kind: z.enum(PLAN_KINDS.map((kind) => kind.value)),
        /** Of an elective course its pool. */
        pool_id: id.nullable(),
        level: z.int().min(0).max(7),
      }),
    )
    .max(300)
    .optional(),
  /** Courses that are taken off the study plan. */
  without_courses: z.array(id).max(500).optional(),
})
export type Edit = z.output<typeof edit>
/** What of an edit concerns the study plan. */
export type PlanEdit = Pick<Edit, 'pools' | 'without_pools' | 'courses' | 'without_courses'>

const state = z.enum(['met', 'in_progress', 'missing'])
const standing = z.object({ state, percent: z.int() })
const touched = z.object({
  /** Students who study there, and how many of them were looked at. */
  students: z.int(),
  looked: z.int(),
  /** Who has everything (once the courses being taken are passed) as it is, and after the edit. */
  before: z.int(),
  after: z.int(),
  /** How many stand otherwise after it: further from the degree, nearer to it. */
  further: z.int(),
  nearer: z.int(),
  /** Those of them whom the reader may see, who lose or gain the most first. */
  changes: z.array(z.object({ student: ref, before: standing, after: standing })),
  /** Changes of students whom the reader may not see. */
  hidden: z.int(),
})
export type TouchedByRequirements = z.output<typeof touched>
export const touchedAnswer = z.object({ data: touched })

const params = z.object({ of: requirementOwner, id: idParam })
export const touchedCalls = {
  touchedStudents: call('POST', '/requirement-trees/{of}/{id}/touched', {
    permission: 'show_requirements',
    summary: ['Whose standing an edit would change, of a sample', 'من يتغير موقفه بتعديل لم يُحفظ، من عينة'],
    params,
    body: edit,
    maxBody: 1_000_000,
    reads: true,
    response: touchedAnswer,
    example: { gpa: 2.5 },
  }),
  touchedByAll: call('POST', '/requirement-trees/{of}/{id}/touched/all', {
    permission: 'show_requirements',
    summary: [
      'Whose standing an edit would change, of all students, in the background',
      'من يتغير موقفه من جميع الطلاب، في الخلفية',
    ],
    params,
    body: edit,
    maxBody: 1_000_000,
    response: jobStarted,
    example: { gpa: 2.5 },
  }),
  auditUnderEdit: call('POST', '/requirement-trees/{of}/{id}/students/{student_id}', {
    permission: 'show_requirements',
    summary: ['Where a student would stand after an edit', 'موقف طالب بعد تعديل لم يُحفظ'],
    params: z.object({ of: requirementOwner, id: idParam, student_id: idParam }),
    body: edit,
    maxBody: 1_000_000,
    reads: true,
    response: z.object({
      data: z.object({
        student: ref,
        before: standing,
        after: standing,
        /** All requirements; those of the tree itself begin with `program.` or `bylaw.`. */
        requirements: auditedRequirement,
      }),
    }),
    example: { gpa: 2.5 },
  }),
}
