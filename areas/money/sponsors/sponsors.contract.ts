import { area } from '#kit/contract/index.ts'
import { sponsorAccountCalls } from './account/account.contract.ts'
import { billingCalls } from './billing/billing.contract.ts'
import { sponsorshipStates } from './owners.contract.ts'
import { sponsor } from './sponsors/sponsor.contract.ts'
import { sponsorship, sponsorshipCalls } from './sponsorships/sponsorship.contract.ts'

/** Who pays shares of the fees of many students, and what becomes of it. */
export const sponsorsArea = area({
  name: 'sponsors',
  label: ['Sponsors', 'الجهات الراعية'],
  resources: [sponsor, sponsorship],
  calls: [sponsorshipCalls, billingCalls, sponsorAccountCalls],
  owners: [sponsorshipStates],
  noticeGroup: 'money',
  notices: {
    notice_withdrawn: {
      title: ['Sponsors that withdraw', 'انسحاب جهات راعية'],
      audience: [2],
      app: 'always',
      mail: 'now',
    },
  },
  errors: {
    sponsor_not_active: ['The sponsor is not active.', 'الجهة الراعية غير نشطة.'],
    sponsor_no_email: ['The sponsor has no e-mail address.', 'ليس للجهة الراعية بريد إلكتروني.'],
    sponsorship_one_of: ['A percentage or an amount, one of them.', 'إما نسبة وإما مبلغ.'],
    sponsorship_twice: [
      'The sponsor pays for this student in these terms already.',
      'تتحمل الجهة الراعية عن هذا الطالب في هذه الفصول بالفعل.',
    ],
    sponsorship_terms_order: ['The last term comes before the first.', 'آخر فصل يسبق أول فصل.'],
    sponsorship_runs: [
      'It runs or is over: its terms stay. Withdraw it, and add another one.',
      'الرعاية سارية أو انتهت، فتبقى شروطها. اسحبها وأضف غيرها.',
    ],
    sponsorship_not_offered: ['{student}: only what is offered begins.', '{student}: لا تبدأ إلا الرعاية المعروضة.'],
    sponsorship_not_studying: ['The student does not study any more.', 'الطالب لم يعد مقيدًا.'],
    sponsorship_students_unknown: [
      'There are no such students within your reach: {codes}.',
      'لا يوجد هؤلاء الطلاب في نطاقك: {codes}.',
    ],
    withdrawal_day_ahead: [
      'The day is ahead. Choose {today} or an earlier day.',
      'اليوم لم يأتِ بعد. اختر {today} أو يومًا سابقًا.',
    ],
    withdrawal_due_over: [
      'That day is over. Choose {today} or a later day.',
      'مضى هذا اليوم. اختر {today} أو يومًا لاحقًا.',
    ],
    withdrawal_of_nobody: [
      'The sponsor pays for none of these students.',
      'لا تتحمل الجهة الراعية عن أي من هؤلاء الطلاب.',
    ],
  },
})
