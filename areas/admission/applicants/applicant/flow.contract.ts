import type { Reason } from '#kit/contract/issues.ts'
import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { APPLICANT_STATUSES } from '../words.contract.ts'

/** What a step with an application looks at. */
export interface ApplicantReviewFacts {
  /** Comments that the applicant has not answered yet. */
  readonly comments: number
}
/** Whoever gets an application back is told what to mend, where it stands. */
export const checkSendingBack = ({ comments }: ApplicantReviewFacts): Reason[] =>
  comments ? [] : [{ code: 'applicant_no_comment' }]

/** States between which the desk leads an application. */
const LED = ['INCOMPLETE', 'SUBMITTED', 'FEEDBACK', 'UPDATED', 'REVIEWED', 'REJECTED', 'CANCELLED'] as const
type Led = (typeof LED)[number]
const isLed = (one: (typeof APPLICANT_STATUSES)[number]): one is Extract<typeof one, { value: Led }> =>
  (LED as readonly string[]).includes(one.value)
/** Not every application comes to these. */
const SIDE: readonly Led[] = ['FEEDBACK', 'UPDATED', 'REJECTED', 'CANCELLED']

/**
 * The way of an application as the desk leads it: looked at, sent back with comments, put on hold, cancelled. The form leads to
 * SUBMITTED and UPDATED.
 */
export const applicantFlow = workflow<ApplicantReviewFacts>()({
  name: 'applicant',
  one: ['Application', 'طلب تقديم'],
  field: 'status',
  states: APPLICANT_STATUSES.filter(isLed).map((one) => ({
    ...one,
    ...(SIDE.includes(one.value) && { sometimes: true as const }),
  })),
  actions: {
    review: {
      label: ['Reviewed', 'تمت المراجعة'],
      summary: ['Say that an application is right', 'اعتماد مراجعة طلب تقديم'],
      call: ['PUT', '/applicants/status/review/{id}'],
      permission: 'review_applicant',
      from: { SUBMITTED: 'REVIEWED', UPDATED: 'REVIEWED' },
    },
    send_back: {
      label: ['Send back', 'إعادة للمتقدم'],
      summary: ['Send an application back with comments', 'إعادة طلب تقديم إلى صاحبه مع ملاحظات'],
      call: ['PUT', '/applicants/status/send-back/{id}'],
      permission: 'review_applicant',
      from: { SUBMITTED: 'FEEDBACK', UPDATED: 'FEEDBACK', REVIEWED: 'FEEDBACK' },
      needs: checkSendingBack,
      consequence: [
        'The applicant gets a mail, and can write in the form again.',
        'تصل إلى المتقدم رسالة، ويمكنه تعديل الطلب.',
      ],
    },
    hold: {
      label: ['Put on hold', 'إيقاف'],
      summary: ['Put an application on hold', 'إيقاف طلب تقديم'],
      call: ['PUT', '/applicants/status/hold/{id}'],
      permission: 'review_applicant',
      from: { SUBMITTED: 'REJECTED', UPDATED: 'REJECTED', REVIEWED: 'REJECTED', FEEDBACK: 'REJECTED' },
      reason: 'required',
      tone: 'refused',
    },
    resume: {
      label: ['Take off hold', 'رفع الإيقاف'],
      summary: ['Take an application off hold, to where it was', 'رفع إيقاف طلب تقديم وإعادته إلى حالته'],
      call: ['PUT', '/applicants/status/resume/{id}'],
      permission: 'review_applicant',
      from: {
        REJECTED: {
          to: 'SUBMITTED',
          back: { UPDATED: 'review_applicant', REVIEWED: 'review_applicant', FEEDBACK: 'review_applicant' },
        },
      },
    },
    cancel: {
      label: ['Cancel', 'إلغاء'],
      summary: ['Cancel an application', 'إلغاء طلب تقديم'],
      call: ['POST', '/applicants/cancel-admission/{id}'],
      permission: 'cancel_applicant',
      from: {
        INCOMPLETE: 'CANCELLED',
        SUBMITTED: 'CANCELLED',
        FEEDBACK: 'CANCELLED',
        UPDATED: 'CANCELLED',
        REVIEWED: 'CANCELLED',
        REJECTED: 'CANCELLED',
      },
      reason: 'required',
      irreversible: true,
      consequence: [
        'The applicant gets a mail. The application cannot be taken up again; another one can be begun.',
        'تصل إلى المتقدم رسالة. لا يمكن استكمال هذا الطلب، ويمكن بدء غيره.',
      ],
      tone: 'refused',
    },
  },
  bulk: '/applicants/bulk/{action}',
  history: { path: '/applicants/steps/{id}', permission: 'show_applicant' },
})
export const applicantSteps = workflowCalls(applicantFlow)
