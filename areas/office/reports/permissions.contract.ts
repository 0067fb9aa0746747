/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const reports = {
  rights: {
    access_reports: ['Open reports', 'فتح التقارير'],
    access_report_financial: ['See financial reports', 'الاطلاع على التقارير المالية'],
  },
} as const
