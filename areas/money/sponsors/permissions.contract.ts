/** Permissions of this area. A subject has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const sponsors = {
  subjects: {
    sponsor: ['Sponsors', 'الجهات الراعية'],
    sponsorship: ['Sponsorships of students', 'رعاية الطلاب'],
  },
  rights: {
    begin_sponsorship: ['Begin sponsorships', 'بدء رعاية الطلاب'],
    withdraw_sponsor: ['Withdraw sponsors from students', 'إنهاء تحمل الجهات الراعية عن الطلاب'],
    bill_sponsor: ['Issue invoices of sponsors', 'إصدار فواتير الجهات الراعية'],
  },
} as const
