/** Permissions of this area. A right stands for itself. Data only. */
export const applicantImports = {
  rights: {
    import_applicant: ['Import applicants whom a ministry has nominated', 'استيراد المرشحين من الوزارة'],
  },
} as const
