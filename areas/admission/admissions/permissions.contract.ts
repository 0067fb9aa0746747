/** Permissions of this area. A lookup has the eight verbs of a plain resource; a right stands for itself. Data only. */
export const admissions = {
  subjects: {
    admission: ['Admissions', 'فترات القبول'],
    admissionProgram: ['Programs of admissions', 'برامج فترات القبول'],
  },
  lookups: {
    certificateSubject: ['Certificate subjects', 'مواد الشهادات'],
    certificateType: ['Certificate types', 'أنواع الشهادات'],
    community: ['Communities', 'المحافظات والجاليات'],
  },
} as const
