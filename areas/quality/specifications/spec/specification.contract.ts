import { crud } from '#access/crud.contract.ts'
import { call, f, id, resource } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { z } from 'zod'
import { checkNotMine, checkSubmitted, type DecisionFacts } from '../matrix/gaps.rules.ts'

const told = { notice: 'specifications.notice_moved' } as const

/** From the draft to the approval. What is approved is not changed any more: the next version is copied from it. */
export const specificationFlow = workflow<DecisionFacts>()({
  name: 'specification',
  one: ['Specification', 'توصيف'],
  field: 'status',
  states: [
    { value: 'draft', label: ['In work', 'قيد الإعداد'], tone: 'draft' },
    { value: 'submitted', label: ['Submitted', 'مُقدَّم'], tone: 'waiting' },
    { value: 'sent_back', label: ['Sent back', 'أُعيد للتعديل'], tone: 'waiting', sometimes: true },
    { value: 'approved', label: ['Approved', 'معتمد'], tone: 'done' },
  ],
  actions: {
    submit: {
      label: ['Submit', 'تقديم'],
      summary: ['Submit a specification for approval', 'تقديم توصيف للاعتماد'],
      call: ['PUT', '/specifications/submit/{id}'],
      permission: 'edit_specification',
      from: { draft: 'submitted', sent_back: 'submitted' },
      byOwner: true,
      needs: checkSubmitted,
    },
    withdraw: {
      label: ['Take back', 'سحب'],
      summary: ['Take a submitted specification back', 'سحب توصيف مُقدَّم'],
      call: ['PUT', '/specifications/withdraw/{id}'],
      permission: 'edit_specification',
      from: { submitted: 'draft' },
      byOwner: true,
      tone: 'refused',
    },
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve a specification', 'اعتماد توصيف'],
      call: ['PUT', '/specifications/approve/{id}'],
      permission: 'approve_specification',
      from: { submitted: 'approved' },
      needs: (facts) => [...checkNotMine(facts), ...checkSubmitted(facts)],
      consequence: [
        'It is not changed any more: a new version is copied from it.',
        'لا يُعدَّل بعد ذلك، ويُنسخ منه إصدار جديد عند الحاجة.',
      ],
      ...told,
    },
    return: {
      label: ['Return', 'إعادة'],
      summary: ['Return a specification to be corrected', 'إعادة توصيف لتعديله'],
      call: ['PUT', '/specifications/return/{id}'],
      permission: 'approve_specification',
      from: { submitted: 'sent_back' },
      needs: checkNotMine,
      reason: 'required',
      tone: 'refused',
      ...told,
    },
  },
  bulk: '/specifications/bulk/{action}',
  waits: 'kit.notice_waits',
  history: { path: '/specifications/steps/{id}', permission: 'show_specification' },
})
export type SpecificationAction = keyof typeof specificationFlow.actions
export const specificationSteps = workflowCalls(specificationFlow)

/** What a course or a program is in a year: its outcomes, and how they are taught and assessed. Versions within the year. */
export const specification = resource({
  name: 'specification',
  path: '/specifications',
  table: 'specifications',
  one: ['Specification', 'توصيف'],
  many: ['Specifications', 'التوصيفات'],
  adding: ['Begin a specification', 'بدء توصيف'],
  editing: ['Edit aims and targets', 'تعديل الأهداف والمستهدفات'],
  permissions: { ...crud('specification'), import: null },
  scope: ['faculty', 'department', 'program', 'taught', 'own'],
  fields: {
    course_id: f.lookup(['Course', 'المقرر'], 'course', { createOnly: true }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', {
      createOnly: true,
      help: ['Choose a course or a program.', 'اختر مقررًا أو برنامجًا.'],
    }),
    year_id: f.lookup(['Academic year', 'العام الجامعي'], 'year', {
      required: true,
      createOnly: true,
      help: ['It begins as a copy of the latest version.', 'يبدأ نسخةً من أحدث إصدار.'],
    }),
    revision: f.integer(['Version', 'الإصدار'], { readOnly: true, max: 32_767 }),
    faculty_id: f.lookup(['Faculty', 'الكلية'], 'faculty', { readOnly: true }),
    department_id: f.lookup(['Department', 'القسم'], 'department', { readOnly: true, dependsOn: 'faculty_id' }),
    status: f.choice(['State', 'الحالة'], specificationFlow.states, { readOnly: true }),
    approved_on: f.date(['Approved on', 'تاريخ الاعتماد'], { readOnly: true }),
    aims: f.longText(['Aims in English', 'الأهداف بالإنجليزية'], { max: 4000, detailOnly: true }),
    aims_local: f.longText(['Aims in Arabic', 'الأهداف بالعربية'], { max: 4000, detailOnly: true }),
    threshold: f.integer(['An outcome is reached from, in percent', 'نسبة بلوغ الناتج من الدرجة'], {
      min: 1,
      max: 100,
      detailOnly: true,
      help: ['Share of the marks that belong to the outcome.', 'النسبة من الدرجات المرتبطة بالناتج.'],
    }),
    target: f.integer(['Target, in percent of students', 'المستهدف من نسبة الطلاب'], {
      min: 1,
      max: 100,
      detailOnly: true,
      help: ['Share of the students who should reach it.', 'نسبة الطلاب المستهدف بلوغهم الناتج.'],
    }),
  },
  list: {
    columns: ['course_id', 'program_id', 'year_id', 'revision', 'department_id', 'status', 'approved_on'],
    search: [],
    sort: ['course_id', 'program_id', 'year_id', 'revision', 'status', 'approved_on'],
    filters: ['year_id', 'faculty_id', 'department_id', 'course_id', 'program_id', 'status'],
    order: ['year_id', 'desc'],
  },
  exportName: 'Specifications',
  softDelete: true,
  screens: {
    list: '/specifications',
    show: '/specifications/:id',
    add: '/specifications/add',
    edit: '/specifications/edit/:id',
  },
  sections: [
    { title: ['Of what', 'الموضوع'], fields: ['course_id', 'program_id', 'year_id'] },
    { title: ['Aims', 'الأهداف'], fields: ['aims', 'aims_local'] },
    {
      title: ['Attainment', 'تحقق النواتج'],
      text: [
        'By what marks and by how many students an outcome is attained.',
        'متى يُعد الناتج متحققًا من الدرجات ونسبة الطلاب.',
      ],
      fields: ['threshold', 'target'],
    },
  ],
  menu: {
    group: 'quality',
    order: 20,
    icon: 'file-certificate',
    subject: 'specifications',
    only: ['edit_specification', 'approve_specification', 'export_specification'],
  },
})

export const specificationCalls = {
  copy: call('POST', '/specifications/copy/{id}', {
    permission: 'add_specification',
    summary: [
      'Begin a new version as a copy, in this or another year',
      'بدء إصدار جديد بالنسخ في هذا العام أو في عام آخر',
    ],
    body: z.strictObject({
      /** In its own year unless told. */
      year_id: id.optional(),
    }),
    response: z.object({ data: z.object({ id, revision: z.int() }) }),
    example: {},
  }),
  /** Every course or program of the reach whose latest version of a year is approved, and which has none in the other. */
  copyYear: call('POST', '/specifications/copy-year', {
    permission: 'add_specification',
    summary: [
      'Begin the specifications of a year as copies of those of another',
      'بدء توصيفات عام بنسخ توصيفات عام آخر',
    ],
    body: z.strictObject({ from_year_id: id, year_id: id, faculty_id: id.optional() }),
    response: z.object({ data: z.object({ copied: z.int() }) }),
    example: { from_year_id: 1, year_id: 2 },
  }),
}
