/** Permissions of this area. A right stands for itself. Data only. */
export const distribution = {
  rights: {
    access_distribution: ['See distributions of applicants', 'الاطلاع على تنسيق المتقدمين'],
    distribute_applicants: ['Distribute applicants', 'إجراء تنسيق المتقدمين'],
  },
} as const
