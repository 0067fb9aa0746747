import { f, resource } from '#kit/contract/index.ts'
import type { Reason } from '#kit/contract/issues.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'

const PATH = '/duty-swaps'
/** What stands against a swap, found by the judge on the duties as they would be; and whether they are as they were. */
export interface SwapFacts {
  readonly gone: boolean
  readonly begun: boolean
  readonly problems: readonly Reason[]
}
export const checkSwap = ({ gone, begun, problems }: SwapFacts): Reason[] => [
  ...(gone ? [{ code: 'duty_swap_gone' }] : []),
  ...(begun ? [{ code: 'duty_swap_begun' }] : []),
  ...problems,
]

/** A swap of two duties: one intern asks, the other agrees, who supervises approves. */
export const dutySwapFlow = workflow<SwapFacts>()({
  name: 'duty_swap',
  one: ['Swap of duties', 'تبديل نوبتجية'],
  field: 'status',
  states: [
    { value: 'requested', label: ['Requested', 'قيد الموافقة'], tone: 'waiting' },
    { value: 'agreed', label: ['Agreed by the other intern', 'وافق الطبيب الآخر'], tone: 'active' },
    { value: 'accepted', label: ['Accepted', 'مقبول'], tone: 'done' },
    { value: 'rejected', label: ['Rejected', 'مرفوض'], tone: 'refused', sometimes: true },
    { value: 'cancelled', label: ['Cancelled', 'ملغى'], tone: 'frozen' },
  ],
  actions: {
    agree: {
      label: ['Agree', 'موافقة'],
      summary: ['Agree to a swap of duties', 'الموافقة على تبديل نوبتجية'],
      call: ['POST', `${PATH}/agree/{id}`],
      permission: 'agree_dutySwap',
      from: { requested: 'agreed' },
      needs: checkSwap,
      single: true,
      notice: 'logbook.notice_swap',
    },
    accept: {
      label: ['Accept', 'قبول'],
      summary: ['Accept a swap of duties', 'قبول تبديل نوبتجية'],
      call: ['POST', `${PATH}/accept/{id}`],
      permission: 'approve_dutySwap',
      from: { agreed: 'accepted' },
      needs: checkSwap,
      consequence: ['The two duties change hands.', 'تُتبادل النوبتجيتان.'],
      notice: 'logbook.notice_swap',
    },
    reject: {
      label: ['Reject', 'رفض'],
      summary: ['Reject a swap of duties', 'رفض تبديل نوبتجية'],
      call: ['POST', `${PATH}/reject/{id}`],
      permission: 'approve_dutySwap',
      from: { requested: { to: 'rejected', permission: 'agree_dutySwap' }, agreed: 'rejected' },
      reason: 'required',
      tone: 'refused',
      notice: 'logbook.notice_swap',
    },
    cancel: {
      label: ['Take back', 'سحب الطلب'],
      summary: ['Take back a swap of duties', 'سحب طلب تبديل نوبتجية'],
      call: ['POST', `${PATH}/cancel/{id}`],
      permission: 'ask_dutySwap',
      from: { requested: 'cancelled', agreed: 'cancelled' },
      byOwner: true,
      single: true,
      tone: 'refused',
      notice: 'logbook.notice_swap',
    },
  },
  bulk: `${PATH}/bulk/{action}`,
  waits: 'kit.notice_waits',
  history: { path: `${PATH}/steps/{id}`, permission: 'access_roster' },
})
export const dutySwapSteps = workflowCalls(dutySwapFlow)

/** Swaps of duties, for both and for who supervises. */
export const dutySwap = resource({
  name: 'dutySwap',
  path: PATH,
  table: 'duty_swaps',
  one: ['Swap of duties', 'تبديل نوبتجية'],
  many: ['Swaps of duties', 'تبديلات النوبتجيات'],
  adding: ['Swap of duties', 'تبديل نوبتجية'],
  editing: ['Swap of duties', 'تبديل نوبتجية'],
  permissions: {
    list: 'access_roster',
    show: 'access_roster',
    export: 'access_roster',
    add: null,
    edit: null,
    remove: null,
    restore: null,
    import: null,
  },
  scope: ['faculty', 'own', 'supervised'],
  fields: {
    training_id: f.lookup(['Training', 'التدريب'], 'emtyazTraining', { readOnly: true }),
    student_id: f.lookup(['Asked by', 'مقدم الطلب'], 'student', { readOnly: true }),
    gives: f.text(['Gives', 'يترك'], { readOnly: true }),
    other_id: f.lookup(['Asked of', 'مطلوب من'], 'student', { readOnly: true }),
    takes: f.text(['Takes', 'يأخذ'], { readOnly: true }),
    why: f.longText(['What for', 'سبب الطلب'], { readOnly: true }),
    status: f.choice(['Status', 'الحالة'], dutySwapFlow.states, { readOnly: true }),
    created_at: f.instant(['Asked on', 'تاريخ الطلب'], { readOnly: true }),
  },
  list: {
    columns: ['training_id', 'student_id', 'gives', 'other_id', 'takes', 'why', 'status', 'created_at'],
    search: ['student_id'],
    sort: ['created_at', 'status'],
    filters: ['training_id', 'student_id', 'status'],
    order: ['created_at', 'desc'],
  },
  exportName: 'Swaps of duties',
  softDelete: true,
  screens: { list: '/emtyaz/duty-swaps' },
  menu: { group: 'services', order: 86, icon: 'calendar-time', subject: 'internship' },
})
