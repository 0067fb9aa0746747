import { z } from 'zod'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { crud } from '#access/permissions.contract.ts'
import { call, f, id, problem, ref, resource, safeText } from '#kit/contract/index.ts'
import { number } from '#kit/contract/schema.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import {
  checkRotationBack,
  checkRotationPublished,
  checkRotationSubmitted,
  type RotationControlFacts,
} from './offering.rules.ts'

// As the marks of an offering, which are frozen besides.
const [DRAFT, SUBMITTED, REVIEWED, APPROVED, PUBLISHED] = CONTROL_STATUSES
const path = (word: string) => `/emtyaz/${word}-control-status/{id}`
const told = { notice: 'internship.notice_control' } as const

/** The way of the marks of a rotation: from who supervises to the intern, back with a reason. */
export const rotationControlFlow = workflow<RotationControlFacts>()({
  name: 'rotation_control',
  one: ['Marks of a rotation', 'درجات دورة امتياز'],
  field: 'control_status',
  // A group is there once somebody has a place in it.
  madeBy: 'rotation',
  states: [DRAFT, SUBMITTED, REVIEWED, APPROVED, PUBLISHED],
  actions: {
    submit: {
      label: ['Submit', 'تسليم'],
      summary: ['Submit marks of a rotation', 'تسليم درجات دورة امتياز'],
      call: ['PUT', path('submit')],
      permission: 'grade_rotation',
      from: { Draft: 'Submitted' },
      needs: checkRotationSubmitted,
      consequence: ['No mark is changed any more unless it comes back.', 'لا تُعدل الدرجات بعد ذلك ما لم تُعَد.'],
    },
    review: {
      label: ['Review', 'مراجعة'],
      summary: ['Review submitted marks of a rotation', 'مراجعة درجات دورة امتياز'],
      call: ['PUT', path('review')],
      permission: 'review_rotation',
      from: { Submitted: 'Reviewed' },
      needs: checkRotationPublished,
    },
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve reviewed marks of a rotation', 'اعتماد درجات دورة امتياز'],
      call: ['PUT', path('approve')],
      permission: 'approve_rotation',
      from: { Reviewed: 'Approved' },
      needs: checkRotationPublished,
    },
    publish: {
      label: ['Publish', 'إعلان'],
      summary: ['Publish approved marks of a rotation to interns', 'إعلان درجات دورة امتياز'],
      call: ['PUT', path('publish')],
      permission: 'approve_rotation',
      from: { Approved: 'Published' },
      needs: checkRotationPublished,
      consequence: [
        'Interns see their marks, and passed rotations count.',
        'يرى الأطباء درجاتهم وتُحتسب الدورات المجتازة.',
      ],
    },
    undo: {
      label: ['Back', 'رجوع'],
      summary: ['Take marks of a rotation one step back', 'الرجوع خطوة في درجات دورة امتياز'],
      call: ['PUT', path('undo')],
      permission: 'review_rotation',
      from: {
        Submitted: { to: 'Draft', label: ['Back to draft', 'إعادة إلى المسودة'] },
        Reviewed: { to: 'Submitted', label: ['Back to submitted', 'إعادة إلى التسليم'] },
        Approved: { to: 'Reviewed', permission: 'approve_rotation', label: ['Back to reviewed', 'إعادة إلى المراجعة'] },
        Published: { to: 'Approved', permission: 'approve_rotation', label: ['Unpublish', 'إلغاء الإعلان'] },
      },
      needs: checkRotationBack,
      reason: 'required',
      tone: 'refused',
      ...told,
    },
  },
  bulk: '/emtyaz/control/bulk/{action}',
  waits: 'kit.notice_waits',
  history: { path: '/emtyaz/control/steps/{id}', permission: ['access_emtyazTraining', 'grade_rotation'] },
})
export const rotationControlSteps = workflowCalls(rotationControlFlow)

/** Those who are in a training for the same days: they are marked together. */
export const emtyazOffering = resource({
  name: 'emtyazOffering',
  path: '/emtyaz-offerings',
  table: 'emtyaz_offerings',
  one: ['Group of a rotation', 'مجموعة دورة'],
  many: ['Marks of rotations', 'درجات دورات الامتياز'],
  adding: ['Group of a rotation', 'مجموعة دورة'],
  editing: ['Group of a rotation', 'مجموعة دورة'],
  permissions: {
    ...crud('emtyazTraining'),
    list: ['grade_rotation', 'review_rotation', 'approve_rotation'],
    show: ['grade_rotation', 'review_rotation', 'approve_rotation'],
    export: 'grade_rotation',
    add: null,
    edit: null,
    remove: null,
    restore: null,
    import: null,
  },
  scope: ['faculty', 'supervised'],
  fields: {
    training_id: f.lookup(['Training', 'التدريب'], 'emtyazTraining', { readOnly: true }),
    starts_on: f.date(['Begins on', 'يبدأ في'], { readOnly: true }),
    ends_on: f.date(['Ends on', 'ينتهي في'], { readOnly: true }),
    due_on: f.date(['Marks due', 'موعد تسليم الدرجات'], { readOnly: true }),
    interns: f.integer(['Interns', 'أطباء الامتياز'], { readOnly: true }),
    marked: f.integer(['Marked', 'قُدرت درجاتهم'], { readOnly: true }),
    control_status: f.choice(['Control status', 'حالة الكنترول'], rotationControlFlow.states, { readOnly: true }),
  },
  list: {
    columns: ['training_id', 'starts_on', 'ends_on', 'due_on', 'interns', 'marked', 'control_status'],
    search: ['training_id'],
    sort: ['starts_on', 'ends_on', 'control_status'],
    filters: ['training_id', 'starts_on', 'control_status'],
    order: ['ends_on', 'asc'],
  },
  exportName: 'Marks of rotations',
  softDelete: true,
  screens: { list: '/emtyaz/offerings', show: '/emtyaz/offerings/:id' },
  menu: { group: 'services', order: 76, icon: 'stethoscope', subject: 'internship' },
})

const points = number(2, 0, 999)
const rowOf = z.object({
  rotation_id: id,
  version: z.int(),
  student: ref,
  is_makeup: z.boolean(),
  interrupted_on: z.string().nullable(),
  /** Days on leave in it. */
  leave: z.int(),
  marks: z.array(z.object({ criterion_id: id, points: z.number() })),
  mark: z.number().nullable(),
  outcome: z.string().nullable(),
  note: z.string().nullable(),
  graded_by: ref.nullable(),
  graded_at: z.string().nullable(),
})
const detail = z.object({
  id,
  version: z.int(),
  training: ref,
  hospital: ref,
  course: ref,
  type: ref,
  starts_on: z.string(),
  ends_on: z.string(),
  due_on: z.string(),
  control_status: z.string(),
  pass_mark: z.number(),
  max_mark: z.number(),
  criteria: z.array(z.object({ id, name: z.string(), name_local: z.string(), max_mark: z.number() })),
  interns: z.array(rowOf),
  instructors: z.array(ref),
  /** Why marks cannot be entered now; empty: they can. */
  closed: z.array(problem),
  abilities: z.array(z.string()),
  refused: z.record(z.string(), problem),
})
export type RotationMarks = z.output<typeof detail>
export type RotationMarksRow = RotationMarks['interns'][number]

export const rotationMarkCalls = {
  grades: call('GET', '/emtyaz/offering-students-grades/{id}', {
    permission: ['grade_rotation', 'review_rotation', 'approve_rotation'],
    summary: ['Interns of a rotation and their marks', 'أطباء دورة امتياز ودرجاتهم'],
    response: z.object({ data: detail }),
  }),
  update: call('PUT', '/emtyaz/offering-grades/update', {
    permission: 'grade_rotation',
    summary: ['Mark interns of a rotation', 'تقدير درجات أطباء دورة امتياز'],
    body: z.strictObject({
      offering_id: id,
      rows: z
        .array(
          z.strictObject({
            rotation_id: id,
            /** The version that was seen: of two who mark one intern, the second is told. */
            version: z.int(),
            marks: z.array(z.strictObject({ criterion_id: id, points: points.nullable() })).max(20),
            note: safeText(1000).nullish(),
          }),
        )
        .min(1)
        .max(500),
    }),
    response: z.object({ data: detail }),
    example: { offering_id: 1, rows: [{ rotation_id: 1, version: 1, marks: [{ criterion_id: 1, points: 30 }] }] },
  }),
}
