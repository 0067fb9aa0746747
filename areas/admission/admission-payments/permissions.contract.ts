/** Permissions of this area. A right stands for itself. Data only. */
export const admissionPayments = {
  rights: {
    access_admission_payment: ['See what applicants pay', 'الاطلاع على مدفوعات المتقدمين'],
    export_admission_payment: ['Export what applicants pay', 'تصدير مدفوعات المتقدمين'],
  },
} as const
