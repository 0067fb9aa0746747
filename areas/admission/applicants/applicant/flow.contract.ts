import { workflow, workflowCalls } from '#kit/contract/workflow.ts'
import { APPLICANT_STATUSES } from '../words.contract.ts'
import {
  checkBecomingStudent,
  checkApproving,
  checkAskingExam,
  checkAskingExamFee,
  checkCorrectingExam,
  checkEquivalence,
  checkFailing,
  checkGoingToDistribution,
  checkOffering,
  checkPassing,
  checkSendingBack,
  type ApplicantWayFacts,
} from './way.rules.ts'

type Status = (typeof APPLICANT_STATUSES)[number]['value']
/** Not every application comes to these. */
const SIDE: readonly Status[] = [
  'FEEDBACK',
  'UPDATED',
  'EXAM_FEES_REQUIRED',
  'exam required',
  'EXAM_FAILS',
  'EQUIVALENCE_DONE',
  'REJECTED',
  'CANCELLED',
]
const to = <S extends Status>(end: S, ...from: readonly Status[]) => Object.fromEntries(from.map((one) => [one, end]))
/** Before a seat is offered, and until it is paid. */
const UNDER_WAY = [
  'SUBMITTED',
  'UPDATED',
  'REVIEWED',
  'FEEDBACK',
  'EXAM_FEES_REQUIRED',
  'exam required',
  'EXAM_FAILS',
  'DISTRIBUATION_REQUIRED',
  'EQUIVALENCE_DONE',
  'FINAL_FEES_REQUIRED',
] as const

/**
 * The way of an application: looked at, sent back with comments, put on hold, cancelled; led to the exam, to the distribution, to a seat and
 * to its fee. Steps that an admission does not need are refused with that reason. The form leads to SUBMITTED and UPDATED.
 */
export const applicantFlow = workflow<ApplicantWayFacts>()({
  name: 'applicant',
  one: ['Application', 'طلب تقديم'],
  field: 'status',
  states: APPLICANT_STATUSES.map((one) => ({
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
    ask_exam_fee: {
      label: ['Ask for the exam fee', 'طلب رسوم الاختبار'],
      summary: ['Ask an applicant for the fee of the exam', 'مطالبة متقدم برسوم الاختبار'],
      call: ['PUT', '/applicants/status/ask-exam-fee/{id}'],
      permission: 'review_applicant',
      from: { REVIEWED: 'EXAM_FEES_REQUIRED' },
      needs: checkAskingExamFee,
    },
    ask_exam: {
      label: ['Ask to the exam', 'دعوة إلى الاختبار'],
      summary: ['Ask an applicant to the exam', 'دعوة متقدم إلى الاختبار'],
      call: ['PUT', '/applicants/status/ask-exam/{id}'],
      permission: 'review_applicant',
      from: { REVIEWED: 'exam required', EXAM_FEES_REQUIRED: 'exam required', EXAM_FAILS: 'exam required' },
      needs: checkAskingExam,
    },
    pass_exam: {
      label: ['Passed the exam', 'اجتاز الاختبار'],
      summary: ['Say that an applicant passed the exam', 'اعتماد اجتياز متقدم للاختبار'],
      call: ['PUT', '/applicants/status/pass-exam/{id}'],
      permission: 'enter_applicant_result',
      from: { 'exam required': 'DISTRIBUATION_REQUIRED' },
      needs: checkPassing,
    },
    fail_exam: {
      label: ['Did not pass', 'لم يجتز الاختبار'],
      summary: ['Say that an applicant failed the exam', 'اعتماد عدم اجتياز متقدم للاختبار'],
      call: ['PUT', '/applicants/status/fail-exam/{id}'],
      permission: 'enter_applicant_result',
      from: { 'exam required': 'EXAM_FAILS' },
      needs: checkFailing,
      tone: 'refused',
    },
    correct_exam: {
      label: ['Correct the result', 'تصحيح النتيجة'],
      summary: ['Take an applicant back to the exam, to correct the result', 'إعادة متقدم إلى الاختبار لتصحيح نتيجته'],
      call: ['PUT', '/applicants/status/correct-exam/{id}'],
      permission: 'enter_applicant_result',
      from: { DISTRIBUATION_REQUIRED: 'exam required', EXAM_FAILS: 'exam required' },
      needs: checkCorrectingExam,
      reason: 'required',
      consequence: [
        'The application is at the exam again, with the result that it has. Enter the right one.',
        'يعود الطلب إلى مرحلة الاختبار بنتيجته. سجّل النتيجة الصحيحة.',
      ],
    },
    to_distribution: {
      label: ['To the distribution', 'ترشيح للتنسيق'],
      summary: ['Take an application to the distribution', 'ترشيح طلب تقديم للتنسيق'],
      call: ['PUT', '/applicants/status/to-distribution/{id}'],
      permission: 'review_applicant',
      from: { REVIEWED: 'DISTRIBUATION_REQUIRED' },
      needs: checkGoingToDistribution,
    },
    equivalence: {
      label: ['Equivalence is done', 'تمت المعادلة'],
      summary: ['Say that what a transfer brings is settled', 'اعتماد معادلة ما درسه طالب محول'],
      call: ['PUT', '/applicants/status/equivalence/{id}'],
      permission: 'assign_applicant',
      from: { DISTRIBUATION_REQUIRED: 'EQUIVALENCE_DONE' },
      needs: checkEquivalence,
    },
    offer: {
      label: ['Offer the seat', 'عرض المقعد'],
      summary: ['Offer an applicant the seat that was given', 'عرض المقعد المخصص على المتقدم'],
      call: ['PUT', '/applicants/status/offer/{id}'],
      permission: 'assign_applicant',
      from: { DISTRIBUATION_REQUIRED: 'FINAL_FEES_REQUIRED', EQUIVALENCE_DONE: 'FINAL_FEES_REQUIRED' },
      needs: checkOffering,
      consequence: ['The applicant gets a mail that names the program.', 'تصل إلى المتقدم رسالة باسم البرنامج.'],
    },
    approve: {
      label: ['Paid', 'تم السداد'],
      summary: ['Say that an applicant has taken the seat up', 'اعتماد قبول المتقدم للمقعد'],
      call: ['PUT', '/applicants/status/approve/{id}'],
      permission: 'assign_applicant',
      from: { FINAL_FEES_REQUIRED: 'APPROVED' },
      needs: checkApproving,
    },
    accept: {
      label: ['Accept', 'قبول'],
      summary: ['Make a student of an applicant', 'تحويل متقدم إلى طالب'],
      call: ['PUT', '/applicants/status/accept/{id}'],
      permission: 'assign_applicant',
      from: { APPROVED: 'accepted' },
      needs: checkBecomingStudent,
      irreversible: true,
      consequence: [
        'The applicant becomes a student with a code and an account, and gets a mail to sign in.',
        'يصبح المتقدم طالبًا له كود وحساب، وتصل إليه رسالة لتسجيل الدخول.',
      ],
    },
    hold: {
      label: ['Put on hold', 'إيقاف'],
      summary: ['Put an application on hold', 'إيقاف طلب تقديم'],
      call: ['PUT', '/applicants/status/hold/{id}'],
      permission: 'review_applicant',
      from: to('REJECTED', ...UNDER_WAY),
      reason: 'required',
      consequence: [
        'The applicant gets a mail. A seat that was given is free again.',
        'تصل إلى المتقدم رسالة، ويعود المقعد المخصص له متاحًا.',
      ],
      tone: 'refused',
    },
    resume: {
      label: ['Take off hold', 'رفع الإيقاف'],
      summary: ['Take an application off hold, to where it was', 'رفع إيقاف طلب تقديم وإعادته إلى حالته'],
      call: ['PUT', '/applicants/status/resume/{id}'],
      permission: 'review_applicant',
      from: {
        REJECTED: {
          // The seat of one that was offered is free: it waits for another.
          to: 'DISTRIBUATION_REQUIRED',
          back: {
            SUBMITTED: 'review_applicant',
            UPDATED: 'review_applicant',
            REVIEWED: 'review_applicant',
            FEEDBACK: 'review_applicant',
            EXAM_FEES_REQUIRED: 'review_applicant',
            'exam required': 'review_applicant',
            EXAM_FAILS: 'review_applicant',
          },
        },
      },
    },
    cancel: {
      label: ['Cancel', 'إلغاء'],
      summary: ['Cancel an application', 'إلغاء طلب تقديم'],
      call: ['POST', '/applicants/cancel-admission/{id}'],
      permission: 'cancel_applicant',
      from: to('CANCELLED', 'INCOMPLETE', ...UNDER_WAY, 'APPROVED', 'REJECTED'),
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
