import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { CONTROL_STATUSES } from '#areas/common/academics/offering-words.contract.ts'
import { checkApproval, checkSubmission } from '#areas/common/academics/control.rules.ts'

const path = (word: string) => `/control/offerings/${word}-control-status/{id}`

/** The road of an offering's marks from the instructor to the record: one status at a time, back with a reason. */
export const control = workflow<Parameters<typeof checkSubmission>[0] & Parameters<typeof checkApproval>[0]>()({
  name: 'offering_control',
  one: ['Marks of an offering', 'درجات مقرر'],
  field: 'control_status',
  states: CONTROL_STATUSES,
  actions: {
    submit: {
      label: ['Submit', 'تسليم'],
      summary: ['Submit marks to control', 'تسليم الدرجات للكنترول'],
      call: ['PUT', path('submit')],
      permission: 'submit_control',
      from: { Draft: 'Submitted' },
      needs: checkSubmission,
    },
    review: {
      label: ['Review', 'مراجعة'],
      summary: ['Review submitted marks', 'مراجعة الدرجات المسلَّمة'],
      call: ['PUT', path('review')],
      permission: 'review_control',
      from: { Submitted: 'Reviewed' },
    },
    approve: {
      label: ['Approve', 'اعتماد'],
      summary: ['Approve reviewed marks', 'اعتماد الدرجات المراجَعة'],
      call: ['PUT', path('approve')],
      permission: 'approve_control',
      from: { Reviewed: 'Approved' },
      needs: checkApproval,
    },
    publish: {
      label: ['Publish', 'إعلان'],
      summary: ['Publish approved marks to students', 'إعلان الدرجات للطلاب'],
      call: ['PUT', path('publish')],
      permission: 'publish_control',
      from: { Approved: 'Published' },
    },
    freeze: {
      label: ['Freeze', 'تجميد'],
      summary: ['Freeze published marks', 'تجميد الدرجات المعلنة'],
      call: ['PUT', path('freez')],
      permission: 'freeze_control',
      from: { Published: 'Frozen' },
    },
    undo: {
      label: ['Back', 'رجوع'],
      summary: ['Take the control status one step back', 'الرجوع خطوة في حالة الكنترول'],
      call: ['PUT', path('undo')],
      permission: 'undo_control',
      from: {
        Submitted: { to: 'Draft', label: ['Back to draft', 'إعادة إلى المسودة'] },
        Reviewed: { to: 'Submitted', label: ['Back to submitted', 'إعادة إلى التسليم'] },
        Approved: { to: 'Reviewed', label: ['Back to reviewed', 'إعادة إلى المراجعة'] },
        Published: { to: 'Approved', label: ['Unpublish', 'إلغاء الإعلان'] },
        Frozen: { to: 'Published', label: ['Unfreeze', 'إلغاء التجميد'], permission: 'unfreeze_control' },
      },
      reason: 'required',
      tone: 'refused',
    },
  },
  bulk: '/control/offerings/bulk/{action}',
  history: {
    path: '/control/offerings/history/{id}',
    permission: ['access_control', 'enter_marks', 'export_grades'],
  },
})

export type ControlAction = keyof typeof control.actions
export const controlSteps = workflowCalls(control)
