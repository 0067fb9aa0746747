/** Permissions of this area. A subject has the eight verbs of a plain resource, e.g. `edit_faculty`; a right stands for itself. Data only. */
export const reports = {
  rights: {
    access_reports: ['Open reports', 'فتح التقارير'],
    access_report_Registrations: ['See reports of students and registrations', 'الاطلاع على تقارير الطلاب والتسجيلات'],
    access_report_admission: ['See admission reports', 'الاطلاع على تقارير القبول'],
    access_report_graduates: ['See reports of graduates', 'الاطلاع على تقارير الخريجين'],
    access_report_equivalence: ['See reports of equivalences', 'الاطلاع على تقارير المعادلات'],
    access_report_foreigners: ['See reports of foreign students', 'الاطلاع على تقارير الطلاب الوافدين'],
    access_report_rooms: ['See the use of rooms', 'الاطلاع على إشغال القاعات'],
    access_report_financial: ['See financial reports', 'الاطلاع على التقارير المالية'],
  },
} as const
