import { area, screen } from '#kit/contract/index.ts'
import { paymentOfApplication } from '#areas/admission/applicants/outlets.contract.ts'
import { admissionPaymentCalls } from './desk/desk.contract.ts'
import { fullScholarshipCalls } from './scholarship/full.contract.ts'
import { applicantPaymentCalls } from './website/payment.contract.ts'

/** Admission payments: fees of applicants from the charge to the step that they lead to. */
export const admissionPaymentsArea = area({
  name: 'admission-payments',
  label: ['Admission payments', 'مدفوعات القبول'],
  calls: [applicantPaymentCalls, admissionPaymentCalls, fullScholarshipCalls],
  fills: [paymentOfApplication],
  screens: [
    screen('/admission-payments', {
      permission: 'access_admission_payment',
      title: ['Payments of applicants', 'مدفوعات المتقدمين'],
      menu: { group: 'admission', order: 25, icon: 'cash', subject: 'admission' },
    }),
    screen('/admission-payments/:id', {
      permission: 'access_admission_payment',
      title: ['Payment of an applicant', 'سداد متقدم'],
      parent: '/admission-payments',
    }),
    screen('/apply/:id/paid', { permission: 'public', layout: 'full', light: [], title: ['Payment', 'السداد'] }),
  ],
  errors: {
    admission_fee_ended: [
      'The application is on hold or cancelled: nothing is paid for it now.',
      'الطلب موقوف أو ملغى، ولا يُسدد عنه شيء الآن.',
    ],
    admission_fee_settled: ['This fee is paid already.', 'سُددت هذه الرسوم من قبل.'],
    admission_fee_not_due: ['Nothing of this is to be paid now.', 'لا شيء من هذا مطلوب سداده الآن.'],
    full_scholarship_not_now: [
      'A full scholarship is given from when the application was sent in until the seat is taken up. Students are granted scholarships in their record.',
      'تُمنح المنحة الكاملة من إرسال الطلب حتى قبول المقعد. أما الطلاب فيُمنحون المنح من ملفاتهم.',
    ],
    full_scholarship_none: ['The applicant has no full scholarship.', 'ليست للمتقدم منحة كاملة.'],
    full_scholarship_given: ['The applicant has this scholarship already.', 'للمتقدم هذه المنحة بالفعل.'],
    full_scholarship_percent: ['This scholarship does not take the whole fee.', 'لا تغطي هذه المنحة الرسوم كاملة.'],
    full_scholarship_which: ['There are several full scholarships. Choose one.', 'توجد عدة منح كاملة. اختر إحداها.'],
    full_scholarship_nowhere: [
      'There is no active scholarship by hand of 100 % for this applicant.',
      'لا توجد منحة يدوية سارية بنسبة 100 % لهذا المتقدم.',
    ],
    admission_fee_not_charged: [
      'Choose first how you want to pay. Then the instructions can be printed.',
      'اختر طريقة السداد أولًا، ثم يمكن طباعة التعليمات.',
    ],
  },
})
