/** Permissions of this area. A right stands for itself. Data only. */
export const applicants = {
  rights: {
    access_applicant: ['See applicants', 'الاطلاع على المتقدمين'],
    show_applicant: ['See the data of an applicant', 'عرض بيانات متقدم'],
    edit_applicant: ['Correct the data of an applicant', 'تصحيح بيانات متقدم'],
    export_applicant: ['Export applicants', 'تصدير المتقدمين'],
  },
} as const
