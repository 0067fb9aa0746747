import { crud } from '#access/crud.contract.ts'
import { f, resource } from '#kit/contract/index.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { checkSeen, type FindingFacts } from './attainment.rules.ts'

/** The loop: what is planned is done, and looked at again when the next year is measured. */
export const findingFlow = workflow<FindingFacts>()({
  name: 'quality_finding',
  one: ['Improvement action', 'إجراء تحسين'],
  field: 'status',
  states: [
    { value: 'action_planned', label: ['Action planned', 'إجراء مخطط'], tone: 'waiting' },
    { value: 'action_taken', label: ['Action taken', 'تم الإجراء'], tone: 'active' },
    { value: 'improved', label: ['Improved', 'تحسّن'], tone: 'done' },
    { value: 'not_improved', label: ['Not improved', 'لم يتحسّن'], tone: 'refused' },
  ],
  actions: {
    report: {
      label: ['Action taken', 'تم الإجراء'],
      summary: ['Report that an improvement action was taken', 'الإبلاغ بتنفيذ إجراء تحسين'],
      call: ['PUT', '/quality-findings/report/{id}'],
      permission: 'edit_qualityFinding',
      from: { action_planned: 'action_taken' },
      byOwner: true,
      reason: 'optional',
    },
    confirm: {
      label: ['It improved', 'تحسّن'],
      summary: [
        'Close an improvement action: the next year shows that it helped',
        'إغلاق إجراء تحسين ثبت أثره في العام التالي',
      ],
      call: ['PUT', '/quality-findings/confirm/{id}'],
      permission: 'approve_specification',
      from: { action_taken: 'improved' },
      needs: checkSeen,
    },
    repeat: {
      label: ['It did not improve', 'لم يتحسّن'],
      summary: ['Close an improvement action that did not help', 'إغلاق إجراء تحسين لم يثبت أثره'],
      call: ['PUT', '/quality-findings/repeat/{id}'],
      permission: 'approve_specification',
      from: { action_taken: 'not_improved' },
      reason: 'required',
      needs: checkSeen,
      tone: 'refused',
    },
    reopen: {
      label: ['Open again', 'إعادة فتح'],
      summary: ['Take an improvement action up again', 'إعادة فتح إجراء تحسين'],
      call: ['PUT', '/quality-findings/reopen/{id}'],
      permission: 'approve_specification',
      from: { action_taken: 'action_planned', improved: 'action_taken', not_improved: 'action_taken' },
      reason: 'required',
      tone: 'refused',
    },
  },
  history: { path: '/quality-findings/steps/{id}', permission: 'show_qualityFinding' },
})
export type FindingAction = keyof typeof findingFlow.actions
export const findingSteps = workflowCalls(findingFlow)

/** What attainment showed, what is done about it, by whom and until when. */
export const qualityFinding = resource({
  name: 'qualityFinding',
  path: '/quality-findings',
  table: 'quality_findings',
  one: ['Improvement action', 'إجراء تحسين'],
  many: ['Improvement actions', 'إجراءات التحسين'],
  adding: ['Plan an improvement', 'تخطيط إجراء تحسين'],
  editing: ['Edit improvement action', 'تعديل إجراء تحسين'],
  permissions: { ...crud('qualityFinding'), import: null },
  scope: ['faculty', 'department', 'program', 'taught', 'own'],
  fields: {
    course_id: f.lookup(['Course', 'المقرر'], 'course', { createOnly: true }),
    program_id: f.lookup(['Program', 'البرنامج'], 'program', {
      createOnly: true,
      help: ['Choose a course or a program.', 'اختر مقررًا أو برنامجًا.'],
    }),
    year_id: f.lookup(['Year that was measured', 'العام الذي قيس'], 'year', { required: true, createOnly: true }),
    outcome_code: f.text(['Code of the outcome', 'كود الناتج'], { required: true, createOnly: true, max: 12 }),
    finding: f.longText(['What was found', 'ما تبيّن'], { required: true, max: 2000 }),
    action: f.longText(['What is done', 'الإجراء'], { required: true, max: 2000 }),
    responsible_id: f.lookup(['Who', 'المسؤول'], 'qualityPerson', { required: true }),
    due_on: f.date(['Until', 'حتى'], { required: true }),
    status: f.choice(['State', 'الحالة'], findingFlow.states, { readOnly: true }),
    share: f.number(['Reached by, in percent', 'نسبة من بلغه'], { places: 2, readOnly: true, detailOnly: true }),
    seen_year_id: f.lookup(['Seen again in', 'أُعيد قياسه في'], 'year', { readOnly: true }),
    seen_share: f.number(['Reached then by, in percent', 'نسبة من بلغه حينها'], {
      places: 2,
      readOnly: true,
      detailOnly: true,
    }),
  },
  list: {
    columns: [
      'outcome_code',
      'course_id',
      'program_id',
      'year_id',
      'action',
      'responsible_id',
      'due_on',
      'status',
      'seen_year_id',
    ],
    search: ['outcome_code', 'finding', 'action'],
    sort: ['outcome_code', 'due_on', 'status'],
    filters: ['course_id', 'program_id', 'year_id', 'responsible_id', 'status'],
    order: ['due_on', 'asc'],
  },
  exportName: 'Improvement actions',
  softDelete: true,
  screens: {
    list: '/quality-findings',
    show: '/quality-findings/:id',
    add: '/quality-findings/add',
    edit: '/quality-findings/edit/:id',
  },
  menu: {
    group: 'quality',
    order: 22,
    icon: 'repeat',
    subject: 'specifications',
    only: ['edit_qualityFinding', 'export_qualityFinding'],
  },
})
