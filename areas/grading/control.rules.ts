/**
 * The control status of an offering: the road of its grades from the instructor to the record.
 *
 * Draft → Submitted → Reviewed → Approved → Published → Frozen; every step is taken one at a time, and undone one at a
 * time with a reason.
 */
import type { PermissionKey } from '#access/permissions.contract.ts'
import type { Bilingual, Problem } from '../catalogue/problem.rules.ts'

export const controlStatuses = ['Draft', 'Submitted', 'Reviewed', 'Approved', 'Published', 'Frozen'] as const

export type ControlStatus = (typeof controlStatuses)[number]

/** `finish` leaves the status as it is: it computes the term rows of the offering's students. */
export const controlActions = ['submit', 'review', 'approve', 'publish', 'freeze', 'undo', 'finish'] as const

export type ControlAction = (typeof controlActions)[number]

/** The action of a call `/control/offerings/{word}-control-status/{id}`; the word for freeze is spelt `freez` there. */
export const controlActionOfPath = (word: string): ControlAction | null =>
  word === 'freez' ? 'freeze' : (controlActions.find((action) => action === word && action !== 'freeze') ?? null)

/** What an action asks for beside the status: all marks present, a scheme that sums to 100, a reason. */
export type ControlNeed = 'marks' | 'scheme' | 'reason'

export type ControlStep = {
  from: ControlStatus
  action: ControlAction
  to: ControlStatus
  /** Who takes the step in a usual university; the permission decides. */
  who: readonly ('instructor' | 'control_team' | 'control_head' | 'dean_delegate' | 'registrar')[]
  permission: PermissionKey
  needs: readonly ControlNeed[]
  label: Bilingual
}

const head = ['control_head', 'dean_delegate'] as const

/** Every step there is; an action that is not here for a status is answered 409. */
export const controlSteps: readonly ControlStep[] = [
  {
    from: 'Draft',
    action: 'submit',
    to: 'Submitted',
    who: ['instructor'],
    permission: 'submit_control',
    needs: ['scheme', 'marks'],
    label: { en: 'Submit', ar: 'تسليم' },
  },
  {
    from: 'Submitted',
    action: 'review',
    to: 'Reviewed',
    who: ['control_team'],
    permission: 'review_control',
    needs: [],
    label: { en: 'Review', ar: 'مراجعة' },
  },
  {
    from: 'Reviewed',
    action: 'approve',
    to: 'Approved',
    who: head,
    permission: 'approve_control',
    needs: [],
    label: { en: 'Approve', ar: 'اعتماد' },
  },
  {
    from: 'Approved',
    action: 'publish',
    to: 'Published',
    who: head,
    permission: 'publish_control',
    needs: [],
    label: { en: 'Publish', ar: 'إعلان' },
  },
  {
    from: 'Published',
    action: 'freeze',
    to: 'Frozen',
    who: head,
    permission: 'freeze_control',
    needs: [],
    label: { en: 'Freeze', ar: 'تجميد' },
  },
  {
    from: 'Submitted',
    action: 'undo',
    to: 'Draft',
    who: ['control_team', ...head],
    permission: 'undo_control',
    needs: ['reason'],
    label: { en: 'Back to draft', ar: 'إعادة إلى المسودة' },
  },
  {
    from: 'Reviewed',
    action: 'undo',
    to: 'Submitted',
    who: ['control_team', ...head],
    permission: 'undo_control',
    needs: ['reason'],
    label: { en: 'Back to submitted', ar: 'إعادة إلى التسليم' },
  },
  {
    from: 'Approved',
    action: 'undo',
    to: 'Reviewed',
    who: head,
    permission: 'undo_control',
    needs: ['reason'],
    label: { en: 'Back to reviewed', ar: 'إعادة إلى المراجعة' },
  },
  {
    from: 'Published',
    action: 'undo',
    to: 'Approved',
    who: head,
    permission: 'undo_control',
    needs: ['reason'],
    label: { en: 'Unpublish', ar: 'إلغاء الإعلان' },
  },
  {
    from: 'Frozen',
    action: 'undo',
    to: 'Published',
    who: head,
    permission: 'unfreeze_control',
    needs: ['reason'],
    label: { en: 'Unfreeze', ar: 'إلغاء التجميد' },
  },
  ...(['Approved', 'Published', 'Frozen'] as const).map((status): ControlStep => ({
    from: status,
    action: 'finish',
    to: status,
    who: [...head, 'registrar'],
    permission: 'finish_term',
    needs: [],
    label: { en: 'Finish', ar: 'إنهاء' },
  })),
]

/** The step an action takes from a status, or null where there is none (409 with the status found). */
export const controlStep = (from: ControlStatus, action: ControlAction): ControlStep | null =>
  controlSteps.find((step) => step.from === from && step.action === action) ?? null

/** The actions open in a status. */
export const controlActionsFrom = (from: ControlStatus): ControlAction[] =>
  controlActions.filter((action) => controlStep(from, action) !== null)

/** Whether a status lies at or beyond another one. */
export const reached = (status: ControlStatus, from: ControlStatus): boolean =>
  controlStatuses.indexOf(status) >= controlStatuses.indexOf(from)

/** Students of an offering below Approved are not finished. */
export const canFinish = (status: ControlStatus): boolean => reached(status, 'Approved')

export type ControlCode =
  | 'control_holds'
  | 'control_status'
  | 'control_marks'
  | 'control_scheme'
  | 'control_reason'
  | 'control_permission'

/** Texts of refused control actions. */
export const controlTexts: Record<ControlCode, Bilingual> = {
  control_holds: {
    en: 'The marks of {course} are {status}: registrations and marks stay as they are. Control can take the course back to {to} (undo, steps: {steps})',
    ar: 'درجات {course} في حالة «{status}»، فلا تتغير التسجيلات ولا الدرجات. يمكن للكنترول إعادة المقرر إلى «{to}» (عدد خطوات التراجع: {steps})',
  },
  control_status: {
    en: 'Not possible while the grades are {status}',
    ar: 'غير ممكن والدرجات في حالة {status_local}',
  },
  control_marks: {
    en: 'Marks are missing for {count} students',
    ar: 'عدد الطلاب الذين تنقصهم درجات: {count}',
  },
  control_scheme: {
    en: 'The maximum marks must sum to exactly 100',
    ar: 'يجب أن يكون مجموع النهايات العظمى 100 تمامًا',
  },
  control_reason: { en: 'Please give a reason', ar: 'يرجى ذكر السبب' },
  control_permission: {
    en: 'You do not have the permission for this step',
    ar: 'ليست لديك صلاحية هذه الخطوة',
  },
}

/** The names of the statuses. */
export const controlStatusTexts: Record<ControlStatus, Bilingual> = {
  Draft: { en: 'Draft', ar: 'مسودة' },
  Submitted: { en: 'Submitted', ar: 'مسلَّمة' },
  Reviewed: { en: 'Reviewed', ar: 'مراجَعة' },
  Approved: { en: 'Approved', ar: 'معتمدة' },
  Published: { en: 'Published', ar: 'معلنة' },
  Frozen: { en: 'Frozen', ar: 'مجمَّدة' },
}

export type ControlInput = {
  status: ControlStatus
  action: ControlAction
  /** Whether the actor holds a permission key for this offering. */
  may: (permission: PermissionKey) => boolean
  /** Ids of the registrations that still lack a mark. */
  missing_marks: readonly number[]
  /** Whether the mark scheme passed its check. */
  scheme_valid: boolean
  reason: string | null
}

/** The step, or every reason why it cannot be taken. */
export function checkControl(input: ControlInput): { step: ControlStep | null; problems: Problem<ControlCode>[] } {
  const step = controlStep(input.status, input.action)
  const problems: Problem<ControlCode>[] = []
  const add = (code: ControlCode, field: string | null = null, data: Problem['data'] = {}) =>
    problems.push({ code, field, data })
  if (step === null) {
    const names = controlStatusTexts[input.status]
    add('control_status', null, { status: names.en, status_local: names.ar })
    return { step, problems }
  }
  if (!input.may(step.permission)) add('control_permission', null, { permission: step.permission })
  if (step.needs.includes('scheme') && !input.scheme_valid) add('control_scheme')
  if (step.needs.includes('marks') && input.missing_marks.length > 0)
    add('control_marks', null, { count: input.missing_marks.length, ids: [...input.missing_marks] })
  if (step.needs.includes('reason') && (input.reason ?? '').trim() === '') add('control_reason', 'reason')
  return { step: problems.length === 0 ? step : null, problems }
}

export const visibleParts = ['marks', 'letter', 'points', 'gpa'] as const

/** From which control status on a student sees each part of a result; null = never. Set in the bylaw. */
export type GradesVisibility = Record<(typeof visibleParts)[number], ControlStatus | null>

/** What a student sees of a result in a control status. */
export function studentView(
  visibility: GradesVisibility,
  status: ControlStatus,
): Record<(typeof visibleParts)[number], boolean> {
  const sees = (part: (typeof visibleParts)[number]): boolean => {
    const from = visibility[part]
    return from !== null && reached(status, from)
  }
  return { marks: sees('marks'), letter: sees('letter'), points: sees('points'), gpa: sees('gpa') }
}
